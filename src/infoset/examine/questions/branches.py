"""A play in words: moves as they read, from the start, one after the other.

``J Q, bet`` is what follows when nature deals J and Q and the gambler bets; ``*, bet`` what follows
a bet after any deal. Who moved may be said before a move, as where plays are told (``chance: J Q,
gambler: bet``). A text is taken apart at its commas, and where a move has commas in it, the longest
one that fits is meant; a list says one move in each entry. Where no move fits as it was typed,
suits may be letters: ``Kh`` is K♥.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import InfosetError
from infoset.examine.questions.places import closest
from infoset.examine.questions.subject import seen
from infoset.examine.strategies import SUITS
from infoset.examine.tables.safe import shown
from infoset.linear.numbers import Index
from infoset.rules.columns import LEAF
from infoset.rules.story import tell, text
from infoset.tree import Node, Tree

ANY = ("*", "any")
MOST_OPTIONS = 12  # moves that a message lists

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Branch:
    """Where a play may stand after some moves."""

    tree: Tree
    nodes: Longs
    words: str

    @property
    def views(self) -> tuple[Node, ...]:
        """The nodes, as views."""
        return tuple(self.tree.nodes[at] for at in self.nodes.tolist())


def branch(tree: Tree, given: Node | str | Sequence[Any] = ()) -> Branch:
    """The nodes that a play in words leads to; the root, if it has no moves.

    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> branch(tree, "J Q, bet").views
    (<Node 7: dealer, chance: J Q, gambler: bet>,)
    >>> len(branch(tree, ["*", "bet"]).nodes)
    6
    >>> branch(tree, "J Q, raise")
    Traceback (most recent call last):
    ...
    infoset.errors.InfosetError: kuhn(): no move 'raise' after chance: J Q; there are pass, bet
    """
    if isinstance(given, Node):
        if given.tree is not tree:
            raise InfosetError(f"{tree.name}: {shown(repr(given))} is a node of another tree")
        return Branch(tree, np.array([given.index]), tell(given.history))
    if not isinstance(given, Sequence) or isinstance(given, bytes | bytearray):
        raise InfosetError(
            f"{tree.name}: {seen(given)} is no play; write its moves, as in 'J Q, bet', list them,"
            " or give a node"
        )
    nodes = np.zeros(1, np.int64)
    told: list[str] = []
    rest: Any = given.strip() if isinstance(given, str) else list(given)
    while rest:
        options = _options(tree, nodes)
        word, taken, left = _first(tree, nodes, options, rest)
        if taken == []:
            word, taken, left = _first(tree, nodes, _with_letters(options), rest)
        rest = left
        if taken is None:
            nodes, told = _all_after(tree, nodes), [*told, "any"]
            continue
        if not taken:
            raise InfosetError(f"{tree.name}: {_slip(tree, nodes, options, word, told)}")
        nodes = _after(tree, nodes, taken)
        told.append(_told(tree, nodes))
    return Branch(tree, nodes, ", ".join(told) or tell([]))


Options = dict[str, list[tuple[int, int, int]]]  # by how it reads: player, menu or lottery, action


def _options(tree: Tree, nodes: Longs) -> Options:
    """What can be done next at some nodes."""
    inner = nodes[tree.player[nodes] != LEAF]
    mover = tree.player[inner].astype(np.int64)
    number = tree.infoset[inner].astype(np.int64)
    decides = mover >= 0
    number[decides] = tree.infoset_menu[number[decides]]
    options: Options = {}
    for who, which in np.unique(np.stack((mover, number), axis=1), axis=0).tolist():
        menu = tree.menus[which] if who >= 0 else tree.lotteries[which].outcomes
        for action, move in enumerate(menu):
            options.setdefault(text(move).strip(), []).append((who, which, action))
    return options


def _with_letters(options: Options) -> Options:
    """The same with suits as letters."""
    spelled: Options = {}
    for word, found in options.items():
        spelled.setdefault(word.translate(SUITS), []).extend(found)
    return spelled


def _first(
    tree: Tree, nodes: Longs, options: Options, rest: Any
) -> tuple[str, list[tuple[int, int, int]] | None, Any]:
    """The next move: its words, what it may be (None: anything), and what is left to say."""
    if not isinstance(rest, str):
        word = rest[0] if isinstance(rest[0], str) else text(rest[0])
        for said, who in _without_mover(tree, nodes, word.strip()):
            if said in options:
                return word, _by(options[said], who), rest[1:]
        return word, None if word.strip() in ANY else [], rest[1:]
    best: tuple[int, str, int | None] | None = None
    for said, who in _without_mover(tree, nodes, rest):
        for move in options:
            if said.startswith(move) and said[len(move) :].lstrip()[:1] in ("", ","):
                length = len(rest) - len(said) + len(move)
                if (best is None or length > best[0]) and _by(options[move], who):
                    best = length, move, who
    if best is not None:
        length, move, who = best
        return move, _by(options[move], who), _left(rest[length:])
    word, _, after = rest.partition(",")
    return word.strip(), None if word.strip() in ANY else [], after.strip()


def _left(rest: str) -> str:
    return rest.lstrip().removeprefix(",").strip()


def _without_mover(tree: Tree, nodes: Longs, words: str) -> Iterator[tuple[str, int | None]]:
    """The words as they are, and without who moves there, if they begin with that."""
    yield words, None
    for who in np.unique(tree.player[nodes]).tolist():
        if who == LEAF:
            continue
        before = f"{tree.names[who] if who >= 0 else 'chance'}:"
        if words.startswith(before):
            yield words[len(before) :].lstrip(), who


def _by(found: list[tuple[int, int, int]], who: int | None) -> list[tuple[int, int, int]]:
    return [one for one in found if who is None or one[0] == who]


def _after(tree: Tree, nodes: Longs, taken: list[tuple[int, int, int]]) -> Longs:
    """The nodes that a move leads to, from those of the nodes that have it."""
    start, child = tree.children
    mover = tree.player[nodes].astype(np.int64)
    number = tree.infoset[nodes].astype(np.int64)
    decides = mover >= 0
    number[decides] = tree.infoset_menu[number[decides]]
    found = []
    for who, which, action in taken:
        here = nodes[(mover == who) & (number == which)]
        found.append(child[start[here] + action])
    return np.unique(np.concatenate(found)).astype(np.int64)


def _all_after(tree: Tree, nodes: Index) -> Longs:
    start, child = tree.children
    sizes = (start[nodes + 1] - start[nodes]).astype(np.int64)
    if not sizes.sum():
        raise InfosetError(f"{tree.name}: the game is over {_when(tree, nodes)}; no move is left")
    skip = np.repeat(start[nodes] - (np.cumsum(sizes) - sizes), sizes)
    return np.sort(child[skip + np.arange(int(sizes.sum()))]).astype(np.int64)


def _told(tree: Tree, nodes: Longs) -> str:
    """The last move of some nodes, as plays are told."""
    return shown(tell(tree.nodes[int(nodes[0])].history[-1:]))


def _when(tree: Tree, nodes: Index) -> str:
    words = tell(tree.nodes[int(nodes[0])].history)
    return f"after {shown(words)}" if nodes[0] else "at the start"


def _slip(tree: Tree, nodes: Longs, options: Options, word: str, told: list[str]) -> str:
    """A move that does not exist: where, and which there are."""
    place = f"after {shown(', '.join(told))}" if told else "at the start"
    if not options:
        return f"no move {shown(word)!r} {place}: the game is over there"
    listed = ", ".join(shown(move) or "''" for move in list(options)[:MOST_OPTIONS])
    if len(options) <= MOST_OPTIONS:
        return f"no move {shown(word)!r} {place}; there are {listed}"
    hint = closest(word, options)
    more = f"there are {listed} and {len(options) - MOST_OPTIONS:,} more"
    return f"no move {shown(word)!r} {place}; " + (hint if hint.startswith("did") else more)
