"""What is public and what is private: a player's information sets, sorted by what all can see.

A *situation* is what an onlooker who sees only what is common knowledge can tell when a player is
to move: "the gambler has passed and the dealer has bet". The information sets of the player that
fit it differ in what the player alone knows: its card. Which sets go together is found in
:mod:`infoset.examine.common_knowledge`.

Within a situation, a word of the labels that is the same in all information sets is public, and a
word that varies is private. With one agent nothing is hidden from anyone; there, what was revealed
counts as private and what the agent did as public.

Everything is arrays until someone looks: a million nodes take a second, a page of words a moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from infoset.examine.common_knowledge import grouped
from infoset.examine.wording import has_order, infoset_words, merged, ranked, split_words, text_key
from infoset.rules.story import text
from infoset.tree import Infoset, Tree
from infoset.tree.knowing import Word
from infoset.tree.labels import BETWEEN

Longs = npt.NDArray[np.int64]

START = "at the start"
NOTHING_PRIVATE = "nothing private"


@dataclass(frozen=True, eq=False, repr=False)
class Situation:
    """A player to move, as an onlooker sees it; with all that the player may know besides."""

    tree: Tree
    player: str
    found: Longs  # the information sets, as the tree numbers them

    def __len__(self) -> int:
        """The number of information sets."""
        return len(self.found)

    def __iter__(self) -> Iterator[Infoset]:
        return iter(self.infosets)

    def __repr__(self) -> str:
        return f"<Situation of {self.player}: {self.title}, {len(self)} information sets>"

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """What the player may choose from, as it reads; in some of the sets perhaps not all."""
        menus = np.unique(self.tree.infoset_menu[self.found])
        if len(menus) == 1:
            return tuple(map(text, self.tree.menus[int(menus[0])]))
        return merged([tuple(map(text, self.tree.menus[int(menu)])) for menu in menus])

    @property
    def infosets(self) -> list[Infoset]:
        """The information sets, in the order of what is private."""
        return [self.tree.infosets[int(self.found[row])] for row in self._order]

    @property
    def public(self) -> tuple[str, ...]:
        """The words that all can see, in the player's own view: its own moves in brackets."""
        return tuple(map(str, self._split[0]))

    @property
    def title(self) -> str:
        """What is public, in one line."""
        moves = sum(word.own for word in self._words[0])
        later = START if not moves else f"own move {moves + 1}"
        return BETWEEN.join(self.public) or self._common_moves or later

    @property
    def heading(self) -> str:
        """What is public, as the heading of a table or a panel."""
        return f"after {BETWEEN.join(self.public)}" if self.public else self.title

    @property
    def private(self) -> list[tuple[str, ...]]:
        """For each of the information sets, the words that the player alone knows."""
        return [tuple(map(str, self._split[1][row])) for row in self._order]

    @cached_property
    def ordered(self) -> bool:
        """Has what is private an order of its own, as ranks and numbers do?"""
        values = [[word.value for word in words] for words in self._split[1]]
        return all(len(row) == 1 for row in values) and has_order([row[0] for row in values])

    @cached_property
    def names(self) -> list[str]:
        """For each of the information sets, what is private in one line.

        Sets that would read the same are told apart by their options, or by their numbers.
        """
        known = [BETWEEN.join(words) for words in self.private]
        often = Counter(known)
        menus = [f"{{{BETWEEN.join(map(text, infoset.actions))}}}" for infoset in self.infosets]
        names = [
            (f"{words} {menu}" if often[words] > 1 else words or NOTHING_PRIVATE).strip()
            for words, menu in zip(known, menus, strict=True)
        ]
        often = Counter(names)
        return [
            f"{name} #{infoset.index + 1}" if often[name] > 1 else name
            for name, infoset in zip(names, self.infosets, strict=True)
        ]

    @cached_property
    def _words(self) -> list[list[Word]]:
        return [infoset_words(self.tree, int(index)) for index in self.found]

    @cached_property
    def _split(self) -> tuple[list[Word], list[list[Word]]]:
        """The public words, and the private ones of each set."""
        knowers = self.tree.names if self.tree.knowing is None else self.tree.knowing.agents
        if len(knowers) > 1:
            return split_words(self._words)
        public = [word for word in self._words[0] if word.own]
        return public, [[word for word in words if not word.own] for words in self._words]

    @cached_property
    def _order(self) -> list[int]:
        """The sets by what is private: facts that have an order by it, the rest as they came."""
        rows = self._split[1]
        width = max(map(len, rows))
        ranks = [ranked([row[at].value for row in rows if at < len(row)]) for at in range(width)]
        keys = [
            tuple(ranks[at][text_key(word.value)] for at, word in enumerate(row)) for row in rows
        ]
        return sorted(range(len(rows)), key=lambda row: (keys[row], row))

    @cached_property
    def _common_moves(self) -> str:
        """The moves of players that every play up to here has in common, as they read."""
        common: list[str] | None = None
        for infoset in self.infosets[:MOST_COMPARED]:
            for node in infoset.nodes[:MOST_COMPARED]:
                moves = [f"{who}: {text(move)}" for who, move in node.history if who is not None]
                common = moves if common is None else [one for one in common if one in moves]
        return BETWEEN.join(common or [])


MOST_COMPARED = 20  # sets of a situation, and nodes of a set, whose plays are compared


class Situations(Sequence[Situation]):
    """All situations of a player, in the order in which the tree meets them."""

    def __init__(self, tree: Tree, player: str) -> None:
        """Sort the player's information sets into them."""
        self.tree = tree
        self.player = player
        number = tree.player_number(player)
        self.infosets = np.flatnonzero(tree.infoset_player == number)
        group = grouped(tree, number, self.infosets)
        order = np.argsort(group, kind="stable")
        sizes = np.bincount(group) if len(group) else np.zeros(0, np.int64)
        self._start = np.concatenate(([0], np.cumsum(sizes)))
        self._sets = self.infosets[order]
        self.group = group  # [own set] its situation
        self.widest = int(sizes.max(initial=0))  # information sets of one situation, at most

    def __len__(self) -> int:
        return len(self._start) - 1

    @overload
    def __getitem__(self, index: int) -> Situation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Situation]: ...
    def __getitem__(self, index: int | slice) -> Situation | list[Situation]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        return Situation(self.tree, self.player, self._sets[self._start[at] : self._start[at + 1]])

    def __repr__(self) -> str:
        return f"<{len(self):,} situations of {self.player}>"


def situations(tree: Tree, player: str) -> Situations:
    """A player's information sets by what is public.

    >>> from infoset.games import kuhn
    >>> opening, answer = situations(kuhn().tree(), "gambler")
    >>> opening.title, opening.names
    ('at the start', ['J', 'Q', 'K'])
    >>> answer.title, answer.names, answer.actions
    ('[pass], bet', ['J', 'Q', 'K'], ('pass', 'bet'))
    """
    return Situations(tree, player)
