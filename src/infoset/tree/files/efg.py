r"""Gambit's extensive games, ``.efg``.

A header names the game and its players; then come the nodes, depth first, which is the order of our
columns, so that a record is read straight into them:

    EFG 2 R "title" { "one" "two" } "comment"
    c "name" event "label" { "action" 1/2 ... } outcome "name" { 1, -1 }
    p "name" player infoset "label" { "action" ... } outcome "name" { 1, -1 }
    t "name" outcome "name" { 1, -1 }

Information sets are numbered within each player, chance events and outcomes on their own; the
numbers are names, in no particular order, and outcome 0 is none. The first record that mentions one
describes it; later ones may leave the description out or repeat it, but not change it.

Probabilities must sum to one exactly. The labels of chance events are read and dropped.

Source: Gambit's documentation, "The extensive game (.efg) file format".

Trees as Gambit's ``.efg`` files; :mod:`infoset.tree.files.efg` says what is in them.

Every record describes its information set and its outcome in full, as Gambit's own do, for readers
that rely on it. Every chance node is an event of its own, even if its lottery is that of another:
to Gambit, chance nodes with one number are an information set of chance, and two of them on one
path are imperfect recall, which its solvers refuse. Read back, equal lotteries are one. Actions and
knowledge are written as they read. Lines are made one at a time, so that a tree of millions of
nodes takes no more memory on its way into a file.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Generic, TypeVar

import numpy as np

from infoset.rules.moves import CHANCE, LEAF, Lottery, Menu
from infoset.rules.seats import MOST_PLAYERS
from infoset.text import text
from infoset.tree.files.lexer import Reader, brief, numeral, quoted, short
from infoset.tree.record import Tree

MOST_BITS = 1 << 16  # of a common denominator of probabilities; beyond, a sum takes for ever

K = TypeVar("K", bound=tuple[int, ...])
V = TypeVar("V")


def read_efg(text: str, *, name: str = "file") -> Tree:
    """Read a tree from the text of an ``.efg`` file.

    Parameters
    ----------
    text
        The contents of the file.
    name
        What messages call the file.

    Returns
    -------
    Tree
        With exact numbers.

    Raises
    ------
    FileError
        At the first mistake, with line and column.

    Examples
    --------
    >>> read_efg('EFG 2 R "gift" { "one" } p "" 1 1 "" { "take" "leave" } 0 t "" 1 { 1 } t "" 0')
    <Tree of gift: 3 nodes, 1 information set, 1 player>
    >>> read_efg('EFG 2 R "gift" { "one" } t "" 1 { 1 2 }')
    Traceback (most recent call last):
    ...
    infoset.errors.FileError: file:1:37: expected "}" after 1 payoff, found "2"
    """
    reader = Reader(text, name)
    title, players = read_header(reader, "EFG", "2")
    comment = reader.label() if reader.is_label else ""
    return _Nodes(reader, players).read(title, comment)


def read_header(reader: Reader, kind: str, version: str) -> tuple[str, tuple[str, ...]]:
    """The title and the names of the players, after the kind of file."""
    for words in ((kind,), (version,), ("R", "D")):
        reader.word(*words)
    return reader.label("the title"), reader.names("a player's name", MOST_PLAYERS)


def read_payoffs(reader: Reader, players: int) -> tuple[Fraction, ...]:
    """One number for each player, and the brace after them."""
    payoffs = tuple([reader.number("a payoff") for _ in range(players)])
    reader.mark("}", f'"}}" after {players} payoff{"s" * (players != 1)}')
    return payoffs


@dataclass(slots=True)
class _Described(Generic[V]):
    """Something that the file refers to by number, as it was first described."""

    index: int
    label: str
    value: V
    at: int
    source: str


class _Nodes:
    """The columns of a tree as its nodes are read."""

    def __init__(self, reader: Reader, players: tuple[str, ...]) -> None:
        self.reader = reader
        self.players = players
        self.record = 0  # where the record begins that is being read
        self.parent, self.action = array("i"), array("i")
        self.player, self.infoset, self.outcome = array("b"), array("i"), array("i")
        self.names: dict[int, str] = {}
        self.infosets: dict[tuple[int, int], _Described[Menu]] = {}
        self.events: dict[tuple[int], _Described[tuple[int, Lottery]]] = {}
        self.lotteries: dict[Lottery, int] = {}  # equal ones are one, as in trees built from rules
        self.outcomes: dict[tuple[int], _Described[tuple[Fraction, ...]]] = {}

    def read(self, title: str, comment: str) -> Tree:
        """All nodes, to the end of the file."""
        parent, action = self.parent, self.action
        unfinished: list[list[int]] = []  # node, its actions, and how many have been followed
        while not parent or unfinished:
            here = len(parent)
            if unfinished:
                above = unfinished[-1]
                parent.append(above[0])
                action.append(above[2])
                above[2] += 1
                if above[2] == above[1]:
                    unfinished.pop()
            else:
                parent.append(-1)
                action.append(-1)
            actions = self._node(unfinished)
            if actions:
                unfinished.append([here, actions, 0])
        count = len(parent)
        self.reader.end(f"a tree that is complete with {count:,} node{'s' * (count != 1)}")
        return self._tree(title, comment)

    def _node(self, unfinished: list[list[int]]) -> int:
        """Read one record; return how many nodes are below it."""
        reader = self.reader
        self.record = reader.at
        if reader.is_end:
            missing = 1 + sum(actions - taken for _, actions, taken in unfinished)
            raise reader.expected(f"at least {missing:,} more node{'s' * (missing != 1)}")
        kind = reader.word("c", "p", "t", what='a node: "c", "p" or "t"')
        if name := reader.label("the node's name"):
            self.names[len(self.player)] = name
        player, infoset, actions = LEAF, -1, 0
        if kind == "p":
            player, infoset, actions = self._decision()
        elif kind == "c":
            player, infoset, actions = self._chance()
        self.player.append(player)
        self.infoset.append(infoset)
        self.outcome.append(self._outcome())
        return actions

    def _decision(self) -> tuple[int, int, int]:
        reader = self.reader
        at = reader.at
        player = reader.whole("a player's number", 1)
        if player > len(self.players):
            raise reader.error(f"there is no player {player}, only {len(self.players)}", at)
        number = reader.whole("an information set's number", 1)
        what = "information set {1} of player {0}"
        known = self._described(self.infosets, (player, number), self._menu, what)
        return player - 1, known.index, len(known.value)

    def _chance(self) -> tuple[int, int, int]:
        number = self.reader.whole("a chance event's number", 1)
        known = self._described(self.events, (number,), self._lottery, "chance event {}")
        number, lottery = known.value
        return CHANCE, number, len(lottery.outcomes)

    def _outcome(self) -> int:
        reader = self.reader
        number = reader.whole("an outcome's number", 0)
        if number:
            return self._described(self.outcomes, (number,), self._payoffs, "outcome {}").index
        if reader.is_label or reader.is_mark("{"):
            raise reader.error("outcome 0 stands for none; it has neither name nor payoffs")
        return -1

    def _described(
        self,
        table: dict[K, _Described[V]],
        key: K,
        read: Callable[[], V],
        what: str,
    ) -> _Described[V]:
        """What a number stands for: described here, or the same as before."""
        reader = self.reader
        known = table.get(key)
        if known is not None and reader.skip(known.source):
            return known
        at = reader.at
        label = reader.label() if reader.is_label else ""
        value = read() if reader.is_mark("{") else None
        if known is None:
            if value is None:
                raise reader.expected(f'"{{" and a description of {what.format(*key)}')
            known = table[key] = _Described(len(table), label, value, at, reader.since(at))
        elif (value is not None and value != known.value) or (label and label != known.label):
            raise reader.error(
                f"{what.format(*key)} is {short(reader.since(at))} here,"
                f" but was {short(known.source)} in line {reader.line(known.at)}",
                at,
            )
        return known

    def _menu(self) -> Menu:
        return self.reader.names("an action")

    def _lottery(self) -> tuple[int, Lottery]:
        reader = self.reader
        outcomes: list[str] = []
        chances: list[Fraction] = []
        reader.mark("{")
        while not (outcomes and reader.maybe("}")):
            outcomes.append(reader.label("an action" + ' or "}"' * bool(outcomes)))
            at = reader.at
            chances.append(reader.number("a probability"))
            if chances[-1] < 0:
                raise reader.error(f"the probability {brief(chances[-1])} is negative", at)
        total = self._sum(chances)
        if total != 1:
            raise reader.error(
                f"the probabilities of this chance move sum to {brief(total)}, not to 1;"
                " write them as fractions",
                self.record,
            )
        lottery = Lottery(tuple(outcomes), tuple(chances))
        return self.lotteries.setdefault(lottery, len(self.lotteries)), lottery

    def _sum(self, chances: list[Fraction]) -> Fraction:
        """The exact sum, over one denominator."""
        common = 1
        for below in {chance.denominator for chance in chances}:
            common = lcm(common, below)
            if common.bit_length() > MOST_BITS:
                raise self.reader.error("the probabilities have too many digits", self.record)
        return Fraction(sum(one.numerator * (common // one.denominator) for one in chances), common)

    def _payoffs(self) -> tuple[Fraction, ...]:
        self.reader.mark("{")
        return read_payoffs(self.reader, len(self.players))

    def _tree(self, title: str, comment: str) -> Tree:
        menus: dict[Menu, int] = {}
        sets = self.infosets.values()
        named = any(outcome.label for outcome in self.outcomes.values())
        return Tree(
            name=title,
            players=self.players,
            parent=np.array(self.parent, np.int32),
            action=np.array(self.action, np.int32),
            player=np.array(self.player, np.int8),
            infoset=np.array(self.infoset, np.int32),
            outcome=np.array(self.outcome, np.int32),
            infoset_player=np.array([player - 1 for player, _ in self.infosets], np.int8),
            infoset_menu=np.array([menus.setdefault(s.value, len(menus)) for s in sets], np.int32),
            menus=tuple(menus),
            labels=tuple(known.label for known in sets),
            lotteries=tuple(self.lotteries),
            payoffs=tuple(outcome.value for outcome in self.outcomes.values()),
            comment=comment,
            outcome_names=tuple(o.label for o in self.outcomes.values()) if named else (),
            node_names=self.names,
        )


CHUNK = 1 << 16  # nodes, or descriptions kept, at a time


def write_efg(tree: Tree) -> str:
    """Write a tree as the text of an ``.efg`` file; reading it gives an equal tree.

    Parameters
    ----------
    tree
        The tree.

    Returns
    -------
    str
        The contents of the file.

    Examples
    --------
    >>> from infoset.tree.builder import Builder
    >>> b = Builder(["one"], "gift")
    >>> for payoff, node in enumerate(b.decide(b.root, "one", ("take", "leave"))):
    ...     b.pay(node, [payoff])
    >>> print(write_efg(b.build()))
    EFG 2 R "gift" { "one" }
    <BLANKLINE>
    p "" 1 1 "" { "take" "leave" } 0
    t "" 1 "" { 0 }
    t "" 2 "" { 1 }
    <BLANKLINE>
    """
    return "".join(efg_lines(tree))


def efg_lines(tree: Tree) -> Iterator[str]:
    """The lines of a tree's ``.efg`` file one by one, for large trees.

    Parameters
    ----------
    tree
        The game.

    Yields
    ------
    str
        The next line, with its end.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> next(efg_lines(kuhn().tree())).strip()
    'EFG 2 R "kuhn()" { "gambler" "dealer" }'
    """
    yield f"EFG 2 R {quoted(tree.name)} {braces(map(quoted, tree.players))}\n"
    if tree.comment:
        yield f"{quoted(tree.comment)}\n"
    yield "\n"
    decision, lottery, outcome = _decisions(tree), _lotteries(tree), _outcomes(tree)
    names, event = tree.node_names, itertools.count(1)
    for start in range(0, len(tree), CHUNK):
        part = slice(start, start + CHUNK)
        columns = (tree.player[part], tree.infoset[part], tree.outcome[part])
        records = zip(*(column.tolist() for column in columns), strict=True)
        for node, (player, number, paid) in enumerate(records, start):
            name = quoted(names[node]) if node in names else '""'
            if player == LEAF:
                yield f"t {name} {outcome(paid)}\n"
            elif player == CHANCE:
                yield f"c {name} {next(event)} {lottery(number)} {outcome(paid)}\n"
            else:
                yield f"p {name} {decision(number)} {outcome(paid)}\n"


def braces(words: Iterable[str], between: str = " ") -> str:
    """Words as a list of the file."""
    return f"{{ {between.join(words)} }}"


def _decisions(tree: Tree) -> Callable[[int], str]:
    """How an information set is written, counted from 1 within its player."""
    within = np.zeros(len(tree.infoset_player), np.int64)
    for player in range(len(tree.players)):
        own = tree.infoset_player == player
        within[own] = np.arange(1, own.sum() + 1)

    @lru_cache(CHUNK)
    def written(infoset: int) -> str:
        menu = tree.menus[tree.infoset_menu[infoset]]
        actions = braces(quoted(text(action)) for action in menu)
        player = tree.infoset_player[infoset] + 1
        return f"{player} {within[infoset]} {quoted(tree.labels[infoset])} {actions}"

    return written


def _lotteries(tree: Tree) -> Callable[[int], str]:
    """How the lottery of a chance event is written, after the number of the event."""

    @lru_cache(64)  # a deal may take megabytes
    def written(number: int) -> str:
        pairs = zip(*tree.lotteries[number], strict=True)
        actions = braces(f"{quoted(text(one))} {numeral(chance)}" for one, chance in pairs)
        return f'"" {actions}'

    return written


def _outcomes(tree: Tree) -> Callable[[int], str]:
    """How an outcome is written, counted from 1 in the order of meeting."""
    counted: dict[int, int] = {}

    @lru_cache(CHUNK)
    def written(outcome: int) -> str:
        if outcome < 0:
            return "0"
        number = counted.setdefault(outcome, len(counted) + 1)
        name = quoted(tree.outcome_names[outcome]) if tree.outcome_names else '""'
        return f"{number} {name} {braces(map(numeral, tree.payoffs[outcome]), ', ')}"

    return written
