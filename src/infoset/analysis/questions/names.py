"""Information sets and histories by name, as a person writes them and as tables show them.

An information set is ``player: label``, its label alone if no other player has one that reads the
same, or its number, ``#12``, as trees and tables count them from 1. If several sets of a player
read alike, label and number together (``bet #12``) identify one, and if one has no label, player
and number (``dealer: #12``). Names are compared as they are shown: on one line, with control codes
spelled out, and long ones with their middle left out. So what a table prints can be given back, and
no label is too long. If none fits as it was typed, case does not matter, suits may be letters, and
cards in any order: ``ahth`` is T♥ A♥. A misspelt name is answered with the one that shares the
most words and characters with it.

A history is a list of moves from the start: ``J Q, bet`` is chance dealing J and Q and the gambler
betting; in ``*, bet`` the deal may be any. A move may begin with who makes it (``chance: J Q,
gambler: bet``). A text is split at its commas; if a move contains commas, the longest one that fits
is meant; in a list each entry is one move. If no move fits as it was typed, suits may be letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import InfosetError
from infoset.linear.numbers import Index
from infoset.rules.moves import LEAF
from infoset.text import (
    MOST_COMPARED,
    SUITS,
    closest,
    history_text,
    label_text,
    nearest_name,
    repr_text,
    short_tens,
    shown_label,
    text,
    typed_label,
)
from infoset.tree import Infoset, Node, Tree

MOST_NAMED = 6  # sets of one name that are listed in a message
MOST_LISTED = 12  # sets that are listed where nothing is near


def label_of(infoset: Infoset) -> str:
    """A set's label as it is shown; its number where it has none.

    >>> from infoset.games import kuhn
    >>> label_of(kuhn().tree().infosets[3])
    'Q, bet'
    """
    return shown_label(infoset.label) or f"#{infoset.index + 1}"


def name_of(infoset: Infoset) -> str:
    """Whose set it is, and its label."""
    return f"{label_text(infoset.player)}: {label_of(infoset)}"


def checked_tree(tree: Tree) -> Tree:
    """A tree; what is none is refused."""
    if not isinstance(tree, Tree):
        raise InfosetError(f"{repr_text(tree)} is not a tree; give one, such as kuhn().tree()")
    return tree


def place(tree: Tree, given: Infoset | str) -> Infoset:
    """An information set by its name.

    Parameters
    ----------
    tree : Tree
        The game.
    given : Infoset or str
        The set itself, or its name: ``"dealer: Q, bet"``, ``"Q, bet"`` or ``"#4"``.

    Returns
    -------
    Infoset
        The information set.

    Raises
    ------
    InfosetError
        If no set has the name, or several have it.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> place(tree, "dealer: Q, bet"), place(tree, "#4")
    (<Infoset #4: dealer: Q, bet, 2 nodes>, <Infoset #4: dealer: Q, bet, 2 nodes>)
    >>> place(tree, "dealer: Q, bte")
    Traceback (most recent call last):
    ...
    infoset.errors.InfosetError: kuhn(): no information set 'dealer: Q, bte'; did you mean
    'dealer: Q, bet'?
    """
    checked_tree(tree)
    if isinstance(given, Infoset):
        if given.tree is not tree:
            raise InfosetError(
                f"{tree.name}: {label_text(repr(given))} is of another tree; take it from this one,"
                " or give its name"
            )
        return given
    if not isinstance(given, str):
        raise InfosetError(
            f"{tree.name}: {repr_text(given)} is no information set; write 'player: label',"
            " or its number as in '#12'"
        )
    words = given.strip()
    before, number = _numbered(words)
    if number is not None and not before:
        return _by_number(tree, number)
    found: list[int] = []
    for spelled in (shown_label, typed_label):
        found = found or _by_words(tree, spelled, words)
        if not found and number is not None:
            found = [at for at in _by_words(tree, spelled, before) if at == number - 1]
    if len(found) == 1:
        return tree.infosets[found[0]]
    raise InfosetError(f"{tree.name}: {_unknown_set(tree, words, found)}")


def _numbered(words: str) -> tuple[str, int | None]:
    """What stands before a number, ``#12``, at the end, and the number; None if none does."""
    before, sign, digits = words.rpartition("#")
    if not (sign and digits.isascii() and digits.isdigit() and len(digits) < 10):
        return words, None
    if before and not before[-1].isspace():
        return words, None
    return before.strip(), int(digits)


def _by_number(tree: Tree, number: int) -> Infoset:
    count = len(tree.infosets)
    if not 1 <= number <= count:
        known = f"they are #1 to #{count:,}" if count else "it has none"
        raise InfosetError(f"{tree.name}: no information set #{number}; {known}")
    return tree.infosets[number - 1]


def _by_words(tree: Tree, spelled: Callable[[str], str], words: str) -> list[int]:
    """The sets with this label, and those of a player who is named before it."""
    found: set[int] = set()
    for player, table in zip(tree.names, tree.labelled(spelled), strict=True):
        label = _after_player(words, player)
        if label is not None:
            found |= set(table.get(spelled(label), ()))
        if words:
            found |= set(table.get(spelled(words), ()))
    return sorted(found)


def _after_player(words: str, player: str) -> str | None:
    """What is said after a player's name and a colon; None if the words do not begin so."""
    for name in (player, label_text(player)):
        if words.startswith(f"{name}:"):
            return words[len(name) + 1 :].strip()
    return None


def _unknown_set(tree: Tree, words: str, found: list[int]) -> str:
    """What is wrong with a name: nothing has it, or too much has."""
    if found:
        names = [f"'#{at + 1}' ({name_of(tree.infosets[at])})" for at in found[:MOST_NAMED]]
        more = ", …" * (len(found) > MOST_NAMED)
        said = f"{', '.join(names)}{more}"
        return f"{len(found)} information sets read {label_text(words)!r}; say {said}"
    return f"no information set {label_text(words)!r}; {_hint(tree, words)}"


def _hint(tree: Tree, words: str) -> str:
    """What may be meant by a name that there is not: the nearest one, or the first few."""
    owners = [at for at, name in enumerate(tree.names) if _after_player(words, name) is not None]
    said = _after_player(words, tree.names[owners[0]]) if owners else words
    count = len(tree.infosets)
    if said and said.isascii() and said.isdigit():
        if len(said) < 10 and 1 <= int(said) <= count:
            at = int(said)
            return f"did you mean '#{at}' ({name_of(tree.infosets[at - 1])})?"
        return f"numbers are written as '#1', up to '#{count}'"
    pairs = list(zip(tree.names, tree.labelled(shown_label), strict=True))
    if owners:
        pairs = [pairs[at] for at in owners]
    full = (f"{label_text(player)}: {label}" for player, table in pairs for label in table if label)
    bare = (label for _, table in pairs for label in table if label)
    # Of all names as many as of all labels, so that neither crowds out the other.
    known = [] if owners else list(islice(bare, MOST_COMPARED // 2))
    near = nearest_name(words, [*known, *islice(full, MOST_COMPARED - len(known))])
    return f"did you mean {near!r}?" if near else _first_sets(tree, owners)


def _first_sets(tree: Tree, owners: list[int]) -> str:
    """The first sets of some players, or of all, and how many more there are."""
    mine = [
        at for at, owner in enumerate(tree.infoset_player.tolist()) if not owners or owner in owners
    ]
    names = [repr(name_of(tree.infosets[at])) for at in mine[:MOST_LISTED]]
    more = f" and {len(mine) - len(names):,} more" if len(mine) > len(names) else ""
    return f"known: {', '.join(names)}{more}" if names else "there are none"


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
            raise InfosetError(f"{tree.name}: {label_text(repr(given))} is a node of another tree")
        return Branch(tree, np.array([given.index]), history_text(given.history))
    if not isinstance(given, Sequence) or isinstance(given, bytes | bytearray):
        raise InfosetError(
            f"{tree.name}: {repr_text(given)} is no play; write its moves, as in 'J Q, bet', list"
            " them, or give a node"
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
            raise InfosetError(f"{tree.name}: {_unknown_move(tree, nodes, options, word, told)}")
        nodes = _after(tree, nodes, taken)
        told.append(_told(tree, nodes))
    return Branch(tree, nodes, ", ".join(told) or history_text([]))


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
    """The same as people may write it: a ten as T, suits as letters, or both."""
    spelled: Options = {}
    for word, found in options.items():
        short = short_tens(word)
        for one in dict.fromkeys((short, word.translate(SUITS), short.translate(SUITS))):
            spelled.setdefault(one, []).extend(found)
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
    return label_text(history_text(tree.nodes[int(nodes[0])].history[-1:]))


def _when(tree: Tree, nodes: Index) -> str:
    words = history_text(tree.nodes[int(nodes[0])].history)
    return f"after {label_text(words)}" if nodes[0] else "at the start"


def _unknown_move(tree: Tree, nodes: Longs, options: Options, word: str, told: list[str]) -> str:
    """A move that does not exist: where, and which there are."""
    place = f"after {label_text(', '.join(told))}" if told else "at the start"
    if not options:
        return f"no move {label_text(word)!r} {place}: the game is over there"
    listed = ", ".join(label_text(move) or "''" for move in list(options)[:MOST_OPTIONS])
    if len(options) <= MOST_OPTIONS:
        return f"no move {label_text(word)!r} {place}; there are {listed}"
    hint = closest(word, options)
    more = f"there are {listed} and {len(options) - MOST_OPTIONS:,} more"
    return f"no move {label_text(word)!r} {place}; " + (hint if hint.startswith("did") else more)
