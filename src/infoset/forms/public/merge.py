"""Information sets that are equivalent, merged without loss.

Two sets are equivalent if they differ by names only: the suits of a card before suits matter, a
coin that no player observes. Let the sets of every decision be partitioned into classes such that

    (a) the members of a class come after members of one class, by the option of their decision;
    (b) each member of a class is followed, decision by decision, by as many sets of any class;
    (c) in every table where they are rows, all members i of a class have the same sum over every
        class J of columns,  a(i, J) = sum of entries[i, j] over j in J;  and likewise as columns.

Such a partition is *equitable* for the matrices A, E and F together (Grohe, Kersting, Mladenov &
Selman 2014). What a renaming that leaves the game as it is moves onto each other is one (lossless
abstraction by isomorphism: Gilpin & Sandholm 2007), and there may be coarser ones. The *quotient*
has one set for every class. A plan of it gives every class and option a weight, which each member
has: by (a) these are the plans of the whole that are constant on classes. Its entries are sums over
both classes, so that x'A y is what it is in the whole.

*Nothing is lost.* Let player two's plan y be constant on classes. By (c) an end pays player one the
same at all members of a class. So, from the last sets to the first, by (b) the most that it can get
from a set on is the same for all members, and some option is best at all of them. So it has a best
reply that is constant on classes; that is a plan of the quotient and earns the same in both. The
other player likewise. Hence either player can gain by deviating from a pair of plans of the
quotient just what it can gain in the whole: equilibria of the one are equilibria of the other, and
the value is the same.

As entries are sums over members, so are values in the quotient. Where each of m members is followed
by k sets of a class, the value of that class is the sum over its k m sets, and is added once.

The probabilities by chance (:class:`Meeting`) must satisfy (c), too, and are summed likewise.

*The coarsest such partition* is found by refinement. Put all sets of a decision into one class, and
split classes until nothing changes: by the class of the set before, by how many sets of a class
follow, by the sums of entries over a class of the other player's sets. Every step splits only what
must be split in the end, so that the order does not matter, and the result is the coarsest
partition.

Sums over classes are a vector for every set, and comparing them all is most of the work. So at
first each is compared by one number: its sum with a random weight for every class, modulo 2^64.
Equal vectors have equal numbers, so that nothing is split by mistake; different ones hardly ever
do. Then refinement continues with exact sums, which mostly finds that nothing is left to do.

In a folded form a set represents several of the whole game, and its row is the sum of theirs. What
is compared is what one of them has: all sums, and the numbers of sets that follow, over how many
the set represents; times a common multiple of these in its decision, so that all are integers.

Source: Grohe, Kersting, Mladenov & Selman 2014, section 3, for the partition of a matrix; here the
matrix stays in its blocks, and what many decisions share is done once.

Any classes with (a) have a quotient, whose plans are plans of the whole. Without (b) and (c) it is
another game, in which players observe less than they do (:func:`merged_by`): *lossy abstraction*.
The regret of its equilibria in the whole game must be measured there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.forms.public.record import NOT_YET, Block, Decision, Longs, PayoffTable, PublicForm
from infoset.forms.public.words import words_at
from infoset.linear.numbers import ROOM, Array, Numbers, bound, fitted, group_sums, multiplied
from infoset.tree.knowledge import Word

Hashes = npt.NDArray[np.uint64]
Key = tuple[Any, ...]

SEED = 20_140_704  # of the random weights; whatever it is, the answer is the same
WORD = 1 << 64


class Refinement:
    """Partitions of all decisions, made finer step by step, all decisions at once.

    Equal partitions are one, known by its number, and whatever follows from the same table and the
    same partition is computed once: the decisions of a round of betting mostly go together.
    """

    def __init__(self, form: PublicForm) -> None:
        """Start with all sets of a decision in one class."""
        self.form = form
        self.partitions: list[Longs] = []
        self._weights: list[Hashes] = []  # [partition][class]
        self._random = np.random.default_rng(SEED)
        self._numbers: dict[bytes, int] = {}
        self._alone = self._number(np.zeros(1, np.int64))
        whole = {
            size: self._number(np.zeros(size, np.int64))
            for size in {len(one) for own in form.decisions for one in own}
        }
        self.now = [[whole[len(one)] for one in own] for own in form.decisions]
        self._links = _links(form)
        several, self._scales = dict[bytes, int](), list[Array]()
        self._scale = [[0] * len(own) for own in form.decisions]
        for player, own in enumerate(form.decisions):
            for at, one in enumerate(own):
                number = several.setdefault(one.stands_for.tobytes(), len(several))
                if number == len(self._scales):
                    self._scales.append(_probabilities(one.stands_for))
                self._scale[player][at] = number
        self._followers = _followers(form)
        self._crossings = _crossings(form)
        self._seen: dict[tuple[int, int], set[Key]] = defaultdict(set)  # by player and decision
        self._finer: dict[Key, int] = {}
        self._marks: dict[Key, Array] = {}

    def classes(self, player: int) -> tuple[Longs, ...]:
        """[decision][set] its class, counted as they are first met; equal ones are one array."""
        return tuple(self.partitions[at] for at in self.now[player])

    def settle(self, exact: bool) -> None:
        """Refine until nothing changes, comparing sums exactly or by random weights."""
        while True:
            self._marks.clear()
            finer = [
                [self._refined(player, at, exact) for at in range(len(own))]
                for player, own in enumerate(self.now)
            ]
            if finer == self.now:
                return
            self.now = finer

    def _number(self, classes: Longs) -> int:
        known = self._numbers.setdefault(classes.tobytes(), len(self.partitions))
        if known == len(self.partitions):
            count = int(classes.max(initial=-1)) + 1
            self.partitions.append(classes)
            self._weights.append(self._random.integers(0, WORD, count, np.uint64))
        return known

    def _partition(self, player: int, decision: int) -> int:
        """The number of a decision's partition; before all decisions there is one set."""
        return self._alone if decision == NOT_YET else self.now[player][decision]

    def _refined(self, player: int, at: int, exact: bool) -> int:
        """A decision's partition, parted by those marks of its sets that are new."""
        found, seen = self._marks_of(player, at, exact), self._seen[player, at]
        new = sorted(found.keys() - seen)  # classes are constant on what was seen before
        seen.update(new)
        key = (self.now[player][at], *new)
        if key not in self._finer:
            classes = self.partitions[self.now[player][at]]
            for mark in new:
                if mark not in self._marks:
                    self._marks[mark] = found[mark]()
                classes = _parted(classes, self._marks[mark])
            self._finer[key] = self._number(classes)
        return self._finer[key]

    def _marks_of(self, player: int, at: int, exact: bool) -> dict[Key, Callable[[], Array]]:
        """All that distinguishes sets of a decision: arrays over them, by what they depend on."""
        decision = self.form.decisions[player][at]
        found = dict[Key, Callable[[], Array]]()
        key: Key
        if decision.after != NOT_YET:
            above = self._partition(player, decision.after)
            key = ("follows", self._links[player][at], above)
            found[key] = partial(np.take, self.partitions[above], decision.before)
        scale = self._scale[player][at]
        for after in self._followers[player][at]:
            below, later = self.now[player][after], self.form.decisions[player][after]
            several = self._scale[player][after]
            key = ("is followed", self._links[player][after], below, several, scale, exact)
            found[key] = partial(self._followed, later, below, self._scales[scale], exact)
        for table, other in self._crossings[player][at]:
            across = self._partition(1 - player, other)
            key = ("meets", player, table, across, scale, exact)
            found[key] = partial(self._met, player, table, across, self._scales[scale], exact)
        return found

    def _followed(self, later: Decision, below: int, scale: Array, exact: bool) -> Array:
        """[set] how many sets of each class follow it in a decision."""
        classes, before, several = self.partitions[below], later.before, later.stands_for
        if exact:
            return _told_apart(before, classes, multiplied(several, scale[before]), len(scale))
        total = np.zeros(len(scale), np.uint64)
        np.add.at(total, before, self._weights[below][classes] * _modulo(several))
        return total * _modulo(scale)

    def _met(self, player: int, table: int, across: int, scale: Array, exact: bool) -> Array:
        """[set] its sums over the classes of the other player's sets, in a table."""
        classes, total = self.partitions[across], np.zeros(len(scale), np.uint64)
        weights = self._weights[across][classes]
        pieces = []
        for block in self.form.tables[table].blocks:
            own, others, entries = _seen_by(player, block)
            if exact:
                groups, sums = summed(entries, classes[others], axis=1)
                sums = multiplied(sums, scale[own][:, None]) if sums.size else sums
                pieces.append(
                    (np.repeat(own, len(groups)), np.tile(groups, len(own)), sums.ravel())
                )
            else:
                np.add.at(total, own, _weighed(entries, weights[others]))
        if not pieces:
            return total * _modulo(scale)
        rows, columns, values = (np.concatenate(part) for part in zip(*pieces, strict=True))
        return _told_apart(rows, columns, values, len(scale))


def _links(form: PublicForm) -> list[list[int]]:
    """[player][decision] a number for how its sets follow others; equal ways have the same."""
    arrays, texts = dict[int, int](), dict[bytes, int]()
    for own in form.decisions:
        for one in own:
            if id(one.before) not in arrays:  # reading many large arrays takes its time
                arrays[id(one.before)] = texts.setdefault(one.before.tobytes(), len(texts))
    return [[arrays[id(one.before)] for one in own] for own in form.decisions]


def _followers(form: PublicForm) -> tuple[dict[int, list[int]], ...]:
    """[player][decision] the decisions that come right after it."""
    found: tuple[dict[int, list[int]], ...] = (defaultdict(list), defaultdict(list))
    for own, followers in zip(form.decisions, found, strict=True):
        for at, decision in enumerate(own):
            followers[decision.after].append(at)
    return found


def _crossings(form: PublicForm) -> tuple[dict[int, set[tuple[int, int]]], ...]:
    """[player][decision] the tables in which its sets meet sets of the other player's decisions."""
    found: tuple[dict[int, set[tuple[int, int]]], ...] = (defaultdict(set), defaultdict(set))
    for end in form.leaves:
        for player in (0, 1):
            found[player][end.last[player][0]].add((end.table, end.last[1 - player][0]))
    for player, own in enumerate(form.decisions):
        for at, decision in enumerate(own):
            for meeting in decision.meetings:
                found[player][at].add((meeting.table, meeting.last[0]))
                found[1 - player][meeting.last[0]].add((meeting.table, at))
    return found


def _probabilities(stands_for: Array) -> Array:
    """[set] 1 over how many sets it stands for, times a common multiple of all of them."""
    kinds, kind = np.unique(stands_for, return_inverse=True)
    common = lcm(*map(int, kinds))
    return fitted([common // int(one) for one in kinds])[kind]


def _seen_by(player: int, block: Block) -> tuple[Longs, Longs, Array]:
    """A block with the player's sets as its rows."""
    if player == 0:
        return block.rows, block.columns, block.entries
    return block.columns, block.rows, block.entries.T


def _weighed(entries: Array, weights: Hashes) -> Hashes:
    """The rows times the weights, modulo 2^64."""
    if entries.dtype == object:
        return _modulo(entries @ weights.astype(object))
    return np.asarray(entries.astype(np.int64, copy=False).view(np.uint64) @ weights)


def _modulo(integers: Array) -> Hashes:
    """Integers modulo 2^64."""
    return np.asarray(integers % WORD if integers.dtype == object else integers, np.uint64)


def summed(entries: Array, groups: Longs, axis: int) -> tuple[Longs, Array]:
    """The groups that occur, in order, and the sums of the entries of each, without overflow."""
    order = np.argsort(groups, kind="stable")
    present, begins = np.unique(groups[order], return_index=True)
    if not entries.size:
        shape = (entries.shape[0], len(present)) if axis else (len(present), entries.shape[1])
        return present, np.zeros(shape, entries.dtype)
    if entries.dtype != object and bound(entries) * len(groups) >= ROOM:
        entries = entries.astype(object)
    return present, np.add.reduceat(np.take(entries, order, axis), begins, axis)


def _told_apart(rows: Longs, columns: Longs, values: Array, size: int) -> Longs:
    """[row] a number that two rows of a sparse matrix share exactly if they are the same."""
    width = int(columns.max(initial=0)) + 1
    places = rows * width + columns
    if not (np.diff(places) > 0).all():
        places, group = np.unique(places, return_inverse=True)
        values = group_sums(values, group, len(places))
    kept = np.flatnonzero(values)
    places, values = places[kept], values[kept]
    begins = np.searchsorted(places, np.arange(size + 1) * width).tolist()
    columns, known = places % width, dict[Key, int]()
    plain = values.dtype == np.int64
    marks = np.empty(size, np.int64)
    for row, (begin, end) in enumerate(pairwise(begins)):
        amounts = values[begin:end]
        said = amounts.tobytes() if plain else tuple(amounts.tolist())
        marks[row] = known.setdefault((columns[begin:end].tobytes(), said), len(known))
    return marks


def _parted(classes: Longs, marks: Array) -> Longs:
    """The classes, parted by some marks of their members and counted as they are first met."""
    _, first = np.unique(classes, return_index=True)
    if (marks == marks[first][classes]).all():
        return classes
    kinds, kind = np.unique(marks, return_inverse=True)
    _, first, pair = np.unique(classes * len(kinds) + kind, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[pair]


MERGED = "information sets that are alike are merged"
BLURRED = "players see less than they do"
ALONE: Longs = np.zeros(1, np.int64)  # the only class, before a player has chosen anything


@dataclass(frozen=True, eq=False)
class Merging:
    """Which sets of a public form are merged."""

    whole: PublicForm
    classes: tuple[tuple[Longs, ...], tuple[Longs, ...]]  # [player][decision][set], as first met
    said: str = MERGED

    @cached_property
    def form(self) -> PublicForm:
        """The quotient: a set for every class, known by its first member's words."""
        if self.whole.infosets == self.infosets:
            return self.whole
        return _Quotient(self).form()

    @cached_property
    def infosets(self) -> tuple[int, int]:
        """[player] the number of classes."""
        one, two = (
            sum(int(classes.max(initial=-1)) + 1 for classes in own) for own in self.classes
        )
        return one, two

    @cached_property
    def sequences(self) -> tuple[Longs, Longs]:
        """[player][sequence of the whole] the sequence of the quotient that it belongs to."""
        return (self._sequences(0), self._sequences(1))

    def _sequences(self, player: int) -> Longs:
        pieces = [np.zeros(1, np.int64)]
        for decision, begin, classes in zip(
            self.form.decisions[player], self.form.begins[player], self.classes[player], strict=True
        ):
            pieces += [begin + at * len(decision) + classes for at in range(len(decision.menu))]
        return np.concatenate(pieces)

    def lift(self, player: int, weights: Numbers) -> Numbers:
        """A player's plan of the quotient as one of the whole: members weigh what the class does.

        Where sets are alike, its regret is the same. For arrays:
        ``weights[merging.sequences[player]]``.
        """
        return weights.take(self.sequences[player])


def merged(form: PublicForm) -> PublicForm:
    """The same game with all information sets merged that are alike; itself, if there are none.

    >>> from fractions import Fraction
    >>> from infoset.forms.public.record import PublicCounts, PublicLeaf
    >>> def guess(player):  # a coin that only the player sees, and that does not matter
    ...     none = np.zeros(2, np.int64)
    ...     return Decision(player, ("h", "t"), NOT_YET, 0, none, none + 1, [(), ()], ())
    >>> table = PayoffTable((Block(np.arange(2), np.arange(2), np.ones((2, 2), np.int64)),))
    >>> both = [(i, j) for i in (0, 1) for j in (0, 1)]
    >>> leaves = [PublicLeaf(((0, i), (0, j)), 0, Fraction((-1) ** (i + j), 4)) for i, j in both]
    >>> counts = PublicCounts(31, 3, 16, (4, 8), (2, 2), (5, 5))
    >>> decisions = ((guess(0),), (guess(1),))
    >>> pennies = PublicForm("pennies", ("a", "b"), decisions, (table,), tuple(leaves), 0, counts)
    >>> merged(pennies).infosets, merged(pennies).tables[0].blocks[0].entries
    ((1, 1), array([[4]]))
    """
    return merging(form).form


def merging(form: PublicForm) -> Merging:
    """The coarsest classes of information sets that can be merged without loss."""
    search = Refinement(form)
    search.settle(exact=False)
    search.settle(exact=True)
    return Merging(form, (search.classes(0), search.classes(1)))


def merged_by(
    form: PublicForm,
    key: Callable[[tuple[Word, ...]], Hashable],
    players: tuple[int, ...] = (0, 1),
) -> Merging:
    """Some players tell sets apart only by what the key says of their words, now and before.

    That loses, in general: ``solve(merging.form)`` solves another game.

    >>> from infoset.games import kuhn
    >>> blind = merged_by(kuhn().public(), lambda words: None)  # no player looks at its card
    >>> blind.whole.infosets, blind.form.infosets
    ((6, 6), (2, 2))
    """
    classes = []
    for player, own in enumerate(form.decisions):
        if player in players:
            classes.append(_classes_by(own, key))
        else:
            every = {len(one): np.arange(len(one)) for one in own}
            classes.append(tuple(every[len(one)] for one in own))
    return Merging(form, (classes[0], classes[1]), BLURRED)


def _classes_by(
    decisions: tuple[Decision, ...], key: Callable[[tuple[Word, ...]], Hashable]
) -> tuple[Longs, ...]:
    """[decision][set] its class, counted as they are first met; equal ones are one array."""
    found: list[Longs] = []
    known: dict[bytes, Longs] = {}
    for one in decisions:
        above = ALONE if one.after == NOT_YET else found[one.after]
        numbers: dict[Hashable, int] = {}
        said = zip(above[one.before].tolist(), map(key, one.words), strict=True)
        classes = np.array([numbers.setdefault(pair, len(numbers)) for pair in said], np.int64)
        found.append(known.setdefault(classes.tobytes(), classes))
    return tuple(found)


class _Quotient:
    """The parts of a merged form; tables are made as they are asked for, each once."""

    def __init__(self, merging: Merging) -> None:
        self.whole, self.classes, self.said = merging.whole, merging.classes, merging.said
        self.tables: list[PayoffTable] = []
        self._made: dict[tuple[int, int, int], int] = {}
        self._first: dict[int, Longs] = {}  # by partition: the first member of each class

    def form(self) -> PublicForm:
        """The merged form."""
        whole = self.whole
        leaves = tuple(
            replace(end, table=self.table(end.table, end.last[0][0], end.last[1][0]))
            for end in whole.leaves
        )
        one, two = (
            tuple(self.decision(player, at) for at in range(len(own)))
            for player, own in enumerate(whole.decisions)
        )
        return replace(
            whole,
            decisions=(one, two),
            tables=tuple(self.tables),
            leaves=leaves,
            folded="; ".join(filter(None, (whole.folded, self.said))),
        )

    def decision(self, player: int, at: int) -> Decision:
        """A decision with a set for every class."""
        old, classes = self.whole.decisions[player][at], self._classes(player, at)
        if id(classes) not in self._first:  # equal partitions are one array
            self._first[id(classes)] = np.unique(classes, return_index=True)[1]
        first = self._first[id(classes)]
        meetings = []
        for meeting in old.meetings:
            met = (at, meeting.last[0]) if player == 0 else (meeting.last[0], at)
            meetings.append(replace(meeting, table=self.table(meeting.table, *met)))
        return replace(
            old,
            before=self._classes(player, old.after)[old.before[first]],
            stands_for=group_sums(old.stands_for, classes, len(first)),
            words=words_at(old.words, first),
            meetings=tuple(meetings),
        )

    def table(self, table: int, one: int, two: int) -> int:
        """The number of a table's quotient, by the classes of a decision of either player."""
        rows, columns = self._classes(0, one), self._classes(1, two)
        key = (table, id(rows), id(columns))
        if key not in self._made:
            self._made[key] = len(self.tables)
            self.tables.append(merged_table(self.whole.tables[table], rows, columns))
        return self._made[key]

    def _classes(self, player: int, decision: int) -> Longs:
        return ALONE if decision == NOT_YET else self.classes[player][decision]


def merged_table(table: PayoffTable, rows: Longs, columns: Longs) -> PayoffTable:
    """Entries summed over classes; blocks in which the same classes meet become one.

    >>> alike = Block(np.array([0, 1]), np.array([0, 1]), np.array([[0, 3], [3, 0]]))
    >>> merged_table(PayoffTable((alike,)), np.array([0, 0]), np.array([0, 0])).blocks[0].entries
    array([[6]])
    """
    found: dict[bytes, tuple[Longs, Longs, list[Array]]] = {}
    for block in table.blocks:
        own, part = summed(block.entries, rows[block.rows], axis=0)
        other, part = summed(part, columns[block.columns], axis=1)
        key = own.tobytes() + b"|" + other.tobytes()
        found.setdefault(key, (own, other, []))[2].append(part)
    return PayoffTable(
        tuple(Block(own, other, _together(parts)) for own, other, parts in found.values())
    )


def _together(parts: list[Array]) -> Array:
    """The sum of some blocks of entries, without overflow."""
    whole = np.stack(parts)
    shape = whole.shape[1:]
    return summed(whole.reshape(len(parts), -1), np.zeros(len(parts), np.int64), axis=0)[1].reshape(
        shape
    )
