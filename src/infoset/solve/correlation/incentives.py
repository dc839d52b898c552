"""The rows that keep a player from turning away, for :mod:`infoset.solve.correlation.efce`.

A *trigger* is where a player may turn away: at a choice c that it is told at a set h (efce), at a
set h that it comes to (efcce), or before play (cce). For each trigger there is a variable v(k) for
every own set k at or after it, a row for every action d at k, and one row that says that to do as
one is told is at least as good as v(h), or, before play, as the sum of v over the player's first
sets. All are written down for all triggers at once, as arrays.
"""

from __future__ import annotations

from math import gcd

import numpy as np
import numpy.typing as npt

from infoset.linear.numbers import Numbers, fitted
from infoset.linear.sparse import Sparse
from infoset.solve.correlation.assembly import Assembly, Longs, unit_of
from infoset.solve.correlation.plans import RelevantPairs
from infoset.tree.choices import Choices

Bools = npt.NDArray[np.bool_]


class Triggers:
    """The triggers of one player, and the pairs (trigger, own set at or after it)."""

    def __init__(self, choices: Choices, kind: str) -> None:
        """Numbered as the choices are (efce), as the sets (efcce), or the only one, 0 (cce)."""
        self.choices, self.kind = choices, kind
        self.sets = len(choices.infosets)
        self.count = {"efce": len(choices), "efcce": self.sets, "cce": 1}[kind]
        above, below = _at_or_after(choices)
        if kind == "efce":
            above, below, steps = _for_each(choices.sizes[above], above, below)
            above = choices.first[above] + steps
        elif kind == "cce":
            above, below = np.zeros(self.sets, np.int64), np.arange(self.sets)
        self._keys = np.sort(above * max(self.sets, 1) + below)
        self.trigger, self.set = np.divmod(self._keys, max(self.sets, 1))  # [pair]

    def place(self, trigger: Longs, own: Longs) -> Longs:
        """The numbers of pairs."""
        return np.searchsorted(self._keys, trigger * max(self.sets, 1) + own)

    @property
    def first(self) -> Bools:
        """[pair] is the set where the player first acts by itself, if it turns away?"""
        if self.kind == "cce":
            return np.equal(self.choices.before[self.set], 0)
        told = self.choices.owner[self.trigger] if self.kind == "efce" else self.trigger
        return np.equal(self.set, told)

    @property
    def told(self) -> Longs:
        """[pair] the sequence that the player was told up to the trigger."""
        if self.kind == "efcce":
            return self.choices.before[self.trigger]
        return self.trigger

    def passed(self, sequence: Longs) -> tuple[Longs, Longs]:
        """Which of some sequences, none empty, pass which triggers."""
        which, last = np.arange(len(sequence)), sequence
        if self.kind == "cce":
            return which, np.zeros(len(sequence), np.int64)
        found, triggers = [], []
        while len(last):
            found.append(which)
            triggers.append(last if self.kind == "efce" else self.choices.owner[last])
            last = self.choices.above[last]
            which, last = which[last > 0], last[last > 0]
        return np.concatenate((which[:0], *found)), np.concatenate((last[:0], *triggers))


def _at_or_after(choices: Choices) -> tuple[Longs, Longs]:
    """Pairs of own sets, the second the same as the first or later in a play."""
    later = np.arange(len(choices.infosets))
    above, below = [later], [later]
    earlier = later
    while len(later):
        last = choices.before[earlier]
        later, last = later[last > 0], last[last > 0]
        earlier = choices.owner[last]
        above.append(earlier)
        below.append(later)
    return np.concatenate(above), np.concatenate(below)


def _for_each(counts: Longs, *columns: Longs) -> tuple[Longs, ...]:
    """Each row of some columns so many times, and which time it is."""
    steps = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return (*(np.repeat(column, counts) for column in columns), steps)


def deter(
    program: Assembly, pairs: RelevantPairs, player: int, first_column: int, kind: str
) -> None:
    """Add what keeps a player from turning away; weights of pairs are columns from the first."""
    choices, triggers = pairs.choices[player], Triggers(pairs.choices[player], kind)
    own, other, amounts = _stakes(pairs, player)
    unit = unit_of(amounts)
    value = program.columns(len(triggers.set), free=True, unit=unit)
    sizes = choices.sizes[triggers.set]
    start = program.rows(int(sizes.sum()), unit=unit) + np.cumsum(sizes) - sizes  # [pair]

    # v(k), less the v of the sets that an action leads to
    pair, steps = _for_each(sizes, np.arange(len(sizes)))
    program.put(start[pair] + steps, value + pair, 1)
    later = np.flatnonzero(~triggers.first)
    led = choices.before[triggers.set[later]]
    above = triggers.place(triggers.trigger[later], choices.owner[led])
    program.put(start[above] + led - choices.first[choices.owner[led]], value + later, -1)

    # and less what it is paid, with the other's weights as they are to someone told so far
    entry, pair = _joined(choices.owner[own], triggers.set)
    row = start[pair] + own[entry] - choices.first[triggers.set[pair]]
    column = _at(pairs, player, triggers.told[pair], other[entry])
    program.put(row, first_column + column, -amounts[entry])

    # to do as one is told is at least as good
    follow = program.rows(triggers.count, unit=unit)
    here = np.flatnonzero(triggers.first)
    program.put(follow + triggers.trigger[here], value + here, -1)
    entry, trigger = triggers.passed(own)
    column = _at(pairs, player, own[entry], other[entry])
    program.put(follow + trigger, first_column + column, amounts[entry])


def _joined(left: Longs, right: Longs) -> tuple[Longs, Longs]:
    """All pairs of places at which two columns have the same value."""
    order = np.argsort(right, kind="stable")
    low = np.searchsorted(right[order], left)
    counts = np.searchsorted(right[order], left, side="right") - low
    at, begin, steps = _for_each(counts, np.arange(len(left)), low)
    return at, order[begin + steps]


def _at(pairs: RelevantPairs, player: int, own: Longs, other: Longs) -> Longs:
    return pairs.at(own, other) if player == 0 else pairs.at(other, own)


def _stakes(pairs: RelevantPairs, player: int) -> tuple[Longs, Longs, Longs]:
    """Own sequence, the other's, and chance times payoff as whole numbers without common factor.

    A payoff is counted from the most frequent one. All that a player may do after a trigger comes
    to an end somewhere, so this takes the same off both sides; and many entries become zero.
    """
    tree, mine, theirs = pairs.tree, pairs.choices[player], pairs.choices[1 - player]
    stake = tree.stakes[player]
    amounts, counts = np.unique(stake.numerators, return_counts=True)
    moved = stake.numerators.astype(object) - int(amounts[int(np.argmax(counts))])
    paid = tree.nature.take(tree.ends).times(Numbers(fitted(moved)))
    last = (mine.last[tree.ends], theirs.last[tree.ends])
    table = Sparse.summed(*last, paid, (len(mine), len(theirs)))
    shared = gcd(*map(int, table.entries.numerators)) or 1
    chosen = table.rows > 0
    numerators = fitted([int(n) // shared for n in table.entries.numerators[chosen]])
    return table.rows[chosen], table.columns[chosen], numerators
