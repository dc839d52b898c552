"""Information sets that are alike, merged without loss.

Two sets are alike if they differ by names only: the suits of a card before suits matter, a coin
that nobody looks at again. Let the sets of every decision be parted into classes such that

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

Nature's probabilities (:class:`Meeting`) are held to (c), too, and are summed likewise.

The coarsest such partition is found in :mod:`infoset.forms.public.alike`.

Any classes with (a) have a quotient, whose plans are plans of the whole. Without (b) and (c) it is
another game, in which players see less than they do (:func:`merged_by`): *lossy abstraction*. What
its equilibria are worth in the whole must be measured there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from infoset.forms.public.alike import Refinement, summed
from infoset.forms.public.record import (
    NOT_YET,
    Block,
    Decision,
    Longs,
    PublicForm,
    Table,
)
from infoset.linear.numbers import Array, Numbers, added_up
from infoset.tree.knowing import Word
from infoset.tree.views import Views

MERGED = "information sets that are alike are merged"
BLURRED = "players see less than they do"
ALONE: Longs = np.zeros(1, np.int64)  # the only class, before a player has chosen anything


@dataclass(frozen=True, eq=False)
class Merging:
    """Which sets of a public form are taken as one."""

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
    >>> from infoset.forms.public.record import Counts, End
    >>> def guess(player):  # a coin that only the player sees, and that does not matter
    ...     none = np.zeros(2, np.int64)
    ...     return Decision(player, ("h", "t"), NOT_YET, 0, none, none + 1, [(), ()], ())
    >>> table = Table((Block(np.arange(2), np.arange(2), np.ones((2, 2), np.int64)),))
    >>> both = [(i, j) for i in (0, 1) for j in (0, 1)]
    >>> ends = [End(((0, i), (0, j)), 0, Fraction((-1) ** (i + j), 4)) for i, j in both]
    >>> counts = Counts(31, 3, 16, (4, 8), (2, 2), (5, 5))
    >>> decisions = ((guess(0),), (guess(1),))
    >>> pennies = PublicForm("pennies", ("a", "b"), decisions, (table,), tuple(ends), 0, counts)
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
    >>> blind = merged_by(kuhn().public(), lambda words: None)  # nobody looks at its card
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
        self.tables: list[Table] = []
        self._made: dict[tuple[int, int, int], int] = {}
        self._first: dict[int, Longs] = {}  # by partition: the first member of each class

    def form(self) -> PublicForm:
        """The merged form."""
        whole = self.whole
        ends = tuple(
            replace(end, table=self.table(end.table, end.last[0][0], end.last[1][0]))
            for end in whole.ends
        )
        one, two = (
            tuple(self.decision(player, at) for at in range(len(own)))
            for player, own in enumerate(whole.decisions)
        )
        return replace(
            whole,
            decisions=(one, two),
            tables=tuple(self.tables),
            ends=ends,
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
            stands_for=added_up(old.stands_for, classes, len(first)),
            words=_words_of(old, first),
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


def _words_of(decision: Decision, members: Longs) -> Views[tuple[Word, ...]]:
    """What the player knows at some of the sets."""
    return Views(lambda at: decision.words[int(members[at])], len(members))


def merged_table(table: Table, rows: Longs, columns: Longs) -> Table:
    """Entries summed over classes; blocks in which the same classes meet become one.

    >>> alike = Block(np.array([0, 1]), np.array([0, 1]), np.array([[0, 3], [3, 0]]))
    >>> merged_table(Table((alike,)), np.array([0, 0]), np.array([0, 0])).blocks[0].entries
    array([[6]])
    """
    found: dict[bytes, tuple[Longs, Longs, list[Array]]] = {}
    for block in table.blocks:
        own, part = summed(block.entries, rows[block.rows], axis=0)
        other, part = summed(part, columns[block.columns], axis=1)
        key = own.tobytes() + b"|" + other.tobytes()
        found.setdefault(key, (own, other, []))[2].append(part)
    return Table(tuple(Block(own, other, _together(parts)) for own, other, parts in found.values()))


def _together(parts: list[Array]) -> Array:
    """The sum of some blocks of entries, without overflow."""
    whole = np.stack(parts)
    shape = whole.shape[1:]
    return summed(whole.reshape(len(parts), -1), np.zeros(len(parts), np.int64), axis=0)[1].reshape(
        shape
    )
