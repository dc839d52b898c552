"""What is public and what is private: a player's information sets, sorted by what all can see.

A *situation* is what an onlooker who sees only what is common knowledge can tell when a player is
to move: "the gambler has passed and the dealer has bet". The information sets of the player that
fit it differ in what the player alone knows: its card.

Common knowledge is the meet of what the agents know (Aumann 1976). Two moments of an agent's moving
cannot be told apart by all of the agents together if one of them cannot, and neither can moments
that are joined by a chain of such pairs. So the situations of an agent are the connected components
of the graph that links its information sets to the states of knowledge in which the other agents
are at their nodes. Nothing is asked of the rules but what they reveal.

Where a tree does not come from rules, what the others know while they do not move is not written
down. Then their next information sets stand for it: moments after which another player may come to
the same one look alike to it; if it never moves again, its last own choice decides.

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
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from infoset.rules.story import text
from infoset.tree import Infoset, Tree
from infoset.tree.facts import own_sequences
from infoset.tree.knowing import Word
from infoset.tree.labels import BETWEEN, NOTHING

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
        return all(len(row) == 1 for row in values) and _ordered([row[0] for row in values])

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
        keys = [tuple(ranks[at][_key(word.value)] for at, word in enumerate(row)) for row in rows]
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


def infoset_words(tree: Tree, infoset: int) -> list[Word]:
    """What the player knows at an information set, word by word."""
    known = tree.knowing
    if known is not None:
        return known.words(int(known.state[infoset]))
    label = tree.labels[infoset]
    if label == NOTHING:
        return []
    return [Word(part, own=False) for part in (label or f"#{infoset + 1}").split(BETWEEN)]


def split_words(lists: Sequence[list[Word]]) -> tuple[list[Word], list[list[Word]]]:
    """What several lists of words have in common, place by place, and what each has besides.

    Lists of different lengths have in common what they begin with.
    """
    first = lists[0]
    heads = list(zip(*([*map(str, words)] for words in lists), strict=False))
    alike = [at for at, head in enumerate(heads) if len(set(head)) == 1]
    if any(len(words) != len(first) for words in lists):
        alike = [at for rank, at in enumerate(alike) if rank == at]
    same = set(alike)
    private = [[word for at, word in enumerate(words) if at not in same] for words in lists]
    return [word for at, word in enumerate(first) if at in same], private


def ranked(values: Sequence[Any]) -> dict[Any, int]:
    """The order in which values are shown: their own if they have one, else that of their coming.

    >>> ranked(["10", "9", "9", "K"]), ranked(["10", "9"]), ranked([3, 1, 2])
    ({'10': 0, '9': 1, 'K': 2}, {'9': 0, '10': 1}, {'1': 0, '2': 1, '3': 2})
    """
    seen = {_key(value): value for value in values}
    if _ordered(list(seen.values())):
        numbers = {key: _number(key) for key in seen}
        plain = None not in numbers.values()
        keys = sorted(seen, key=lambda key: numbers[key] if plain else seen[key])
    else:
        keys = list(seen)
    return {key: rank for rank, key in enumerate(keys)}


def _ordered(values: Sequence[Any]) -> bool:
    """Do these values have an order: numbers, in whatever form, or things that compare?"""
    if all(_number(_key(value)) is not None for value in values):
        return True
    if any(isinstance(value, str | frozenset) for value in values):
        return False
    try:
        sorted(values)
    except TypeError:  # no order, or none between these
        return False
    return True


def merged(menus: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """One menu with the options of all, in an order that keeps to theirs as far as they agree.

    >>> merged([("b", "c"), ("a", "c"), ("a", "b")]), merged([("2", "10"), ("1", "2")])
    (('a', 'b', 'c'), ('1', '2', '10'))
    """
    left = ranked([option for menu in menus for option in menu])
    found: list[str] = []
    while left:
        waiting = [[option for option in menu if option in left] for menu in menus]
        later = {option for menu in waiting for option in menu[1:]}
        first = next((option for option in left if option not in later), next(iter(left)))
        found.append(first)
        del left[first]
    return tuple(found)


def _key(value: Any) -> str:
    return text(value)


def _number(words: str) -> Any:
    try:
        return float(words)
    except ValueError:
        return None


class Situations(Sequence[Situation]):
    """All situations of a player, in the order in which the tree meets them."""

    def __init__(self, tree: Tree, player: str) -> None:
        """Sort the player's information sets into them."""
        self.tree = tree
        self.player = player
        number = tree.player_number(player)
        self.infosets = np.flatnonzero(tree.infoset_player == number)
        group = _grouped(tree, number, self.infosets)
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


def _grouped(tree: Tree, player: int, own: Longs) -> Longs:
    """[own set] the number of its situation, counted as the tree meets them."""
    if not len(own):
        return np.zeros(0, np.int64)
    moves = _own_moves(tree, player, own)
    parts = [_components(tree, player, own, moves), moves]
    if tree.knowing is not None:
        parts.append(tree.knowing.agent[own].astype(np.int64))
    _, first, group = np.unique(np.stack(parts), axis=1, return_index=True, return_inverse=True)
    met = np.empty(len(first), np.int64)
    met[np.argsort(first, kind="stable")] = np.arange(len(first))
    found: Longs = met[group.reshape(-1)]
    return found


def _own_moves(tree: Tree, player: int, own: Longs) -> Longs:
    """[own set] how many own moves come before it, on the way to its first node."""
    choices = tree.choices[player]
    count = np.zeros(len(own), np.int64)
    before = choices.owner[choices.before]  # [own set] the one before it, -1 if none
    for _ in range(len(tree.levels)):
        deeper = np.where(before >= 0, count[before] + 1, 0)
        if (deeper == count).all():
            break
        count = deeper
    return count


def _components(tree: Tree, player: int, own: Longs, moves: Longs) -> Longs:
    """[own set] the component of what cannot be told apart by everyone together.

    How often the player has moved counts as known to all; else its next move might join what its
    last one had set apart.
    """
    if tree.knowing is None:
        nodes, others = _by_next_moves(tree, player)
    else:
        nodes, others = _by_knowledge(tree, player)
    if not len(nodes):  # nobody else
        return _alike(tree, own)
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    mine = np.searchsorted(own, tree.infoset[nodes])
    _, states = np.unique(others * (moves.max() + 1) + moves[mine], return_inverse=True)
    size = len(own) + int(states.max()) + 1
    links = coo_matrix((np.ones(len(mine), np.int8), (mine, len(own) + states)), shape=(size, size))
    _, component = connected_components(links, directed=False)
    found: Longs = component[: len(own)].astype(np.int64)
    return found


def _by_knowledge(tree: Tree, player: int) -> tuple[Longs, Longs]:
    """Pairs of a node where the player moves and a state of knowledge of another agent there."""
    known = tree.knowing
    assert known is not None
    decisions = np.flatnonzero(tree.player >= 0)
    mine = tree.player[decisions] == player
    nodes, states = decisions[mine], known.at[mine]
    mover = known.agent[tree.infoset[nodes]]
    pairs = [
        (nodes[mover != agent], states[mover != agent, agent].astype(np.int64))
        for agent in range(len(known.agents))
    ]
    # States of different agents are different states of one trie.
    return np.concatenate([a for a, _ in pairs]), np.concatenate([b for _, b in pairs])


def _by_next_moves(tree: Tree, player: int) -> tuple[Longs, Longs]:
    """The same where only information sets are known: another's next one, or its last choice."""
    all_nodes: list[Longs] = []
    all_states: list[Longs] = []
    offset = 0
    mine = np.flatnonzero(tree.player == player)
    for other in range(len(tree.players)):
        if other == player:
            continue
        seen = np.zeros(len(tree), bool)
        lower = np.flatnonzero(tree.player == other)
        at, state = tree.parent[lower].astype(np.int64), tree.infoset[lower].astype(np.int64)
        while len(at):  # up from each of its decisions, until the one before
            here = at >= 0
            at, state = at[here], state[here]
            hit = tree.player[at] == player
            all_nodes.append(at[hit])
            all_states.append(state[hit] + offset)
            seen[at[hit]] = True
            on = tree.player[at] != other
            at, state = tree.parent[at[on]].astype(np.int64), state[on]
        offset += len(tree.infoset_player)
        silent = mine[~seen[mine]]
        last = own_sequences(tree, other)[silent].astype(np.int64)
        all_nodes.append(silent)
        all_states.append(last + 1 + offset)
        offset += int(tree.menu_sizes.sum()) + 2
    if not all_nodes:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate(all_nodes), np.concatenate(all_states)


def _alike(tree: Tree, own: Longs) -> Longs:
    """With nobody else about: sets that agree in what was done, whatever was revealed."""
    numbers: dict[tuple[str, ...], int] = {}
    words = ([str(w) if w.own else "" for w in infoset_words(tree, int(at))] for at in own)
    return np.array([numbers.setdefault(tuple(row), len(numbers)) for row in words], np.int64)
