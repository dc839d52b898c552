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

from infoset.examine.common_knowledge import grouped, knowers
from infoset.examine.wording import (
    has_order,
    infoset_words,
    menu_names,
    merged,
    ranked,
    split_words,
    text_key,
)
from infoset.rules.moves import Menu
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
    moves: int = 0  # how often the player has moved before
    apart: str = ""  # what is added to its title to tell it from another that reads the same

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
        return merged([menu_names(self.tree.menus[menu]) for menu in self._menus])

    @cached_property
    def _menus(self) -> list[int]:
        menus: list[int] = np.unique(self.tree.infoset_menu[self.found]).tolist()
        return menus

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
        return self._told(BETWEEN.join(self.public))

    @property
    def heading(self) -> str:
        """What is public, as the heading of a table or a panel."""
        return self._told(f"after {BETWEEN.join(self.public)}" if self.public else "")

    def _told(self, public: str) -> str:
        """What is public, or what stands for it; with the agent of a team, and telling options."""
        agent, moves = self._agent, self.moves
        if agent:  # of a team, which may have moved before
            moves = sum(word.own for word in self._words[0])
        later = f"own move {moves + 1}" if moves else START
        words = f"{agent}{public or self._common_moves or later}"
        if len(self._menus) == 1 and self._menu_tells:
            words += f" {{{BETWEEN.join(self.actions)}}}"
        return words + self.apart

    @property
    def _agent(self) -> str:
        """Who acts, if the player is a team."""
        known, first = self.tree.knowing, int(self.found[0])
        if known is None or known.player_of.count(known.player_of[known.agent[first]]) < 2:
            return ""
        return f"{known.agents[known.agent[first]]}: "

    @property
    def _menu_tells(self) -> bool:
        """Does the player know the sets only by its options? Then their labels say so."""
        first = int(self.found[0])
        return self.tree.labels[first].endswith(f"{{{BETWEEN.join(map(text, self._first_menu))}}}")

    @property
    def _first_menu(self) -> Menu:
        return self.tree.menus[self._menus[0]]

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
        menus = [f"{{{BETWEEN.join(menu_names(one.actions))}}}" for one in self.infosets]
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
        known = self.tree.knowing
        alone = len(knowers(known) if known is not None else self.tree.players) == 1
        if not alone:
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
        """The players' moves that all plays up to here share; nothing where these are too many."""
        nodes = [node for infoset in self.infosets for node in infoset.nodes[: MOST_COMPARED + 1]]
        if len(nodes) > MOST_COMPARED:
            return ""
        plays = [
            [Word(f"{who}: {text(move)}", own=False) for who, move in node.history if who]
            for node in nodes
        ]
        return BETWEEN.join(map(str, split_words(plays)[0]))


MOST_COMPARED = 200  # nodes whose plays are compared
MOST_TITLED = 500  # information sets of a player whose titles are compared


class Situations(Sequence[Situation]):
    """All situations of a player, in the order in which the tree meets them."""

    def __init__(self, tree: Tree, player: str) -> None:
        """Sort the player's information sets into them."""
        self.tree = tree
        self.player = player
        number = tree.player_number(player)
        self.infosets = np.flatnonzero(tree.infoset_player == number)
        group, self._moves = grouped(tree, number, self.infosets)
        order = np.argsort(group, kind="stable")
        sizes = np.bincount(group) if len(group) else np.zeros(0, np.int64)
        self._start = np.concatenate(([0], np.cumsum(sizes)))
        self._sets = self.infosets[order]
        self._moves = self._moves[order]
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
        return self._made(at, self._apart.get(at, ""))

    def _made(self, at: int, apart: str = "") -> Situation:
        start, stop = int(self._start[at]), int(self._start[at + 1])
        moves = int(self._moves[start])
        return Situation(self.tree, self.player, self._sets[start:stop], moves, apart)

    @cached_property
    def _apart(self) -> dict[int, str]:
        """By situation: what tells it from others with its title; not looked for among many."""
        if len(self.infosets) > MOST_TITLED:
            return {}
        made = [self._made(at) for at in range(len(self))]
        alike: dict[str, list[int]] = {}
        for at, one in enumerate(made):
            alike.setdefault(one.title, []).append(at)
        found: dict[int, str] = {}
        for group in alike.values():
            often = Counter(made[at].moves for at in group)
            seen: Counter[int] = Counter()
            for at in group if len(group) > 1 else ():
                moves = made[at].moves
                seen[moves] += 1
                words = [f"own move {moves + 1}"] if len(often) > 1 else []
                words += [f"case {seen[moves]}"] if often[moves] > 1 else []
                found[at] = f" ({BETWEEN.join(words)})"
        return found

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
