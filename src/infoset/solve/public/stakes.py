"""What is at stake in a public form: the scale against which a regret is small or large.

An entry of a table is a probability times a payoff, summed over plays; nature's part of it is an
entry of the meeting at the decision that was last before the end. Where both tables have the same
blocks, one over the other is what is paid there. Where they have not (sets that are paid nothing
may be left out of a table), the amount that the end pays on average stands for it. Ends that pay
nothing are left out of a form; so nothing always counts as paid somewhere.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from infoset.forms.public.record import NOT_YET, End, Meeting, PublicForm, Table
from infoset.linear.numbers import Array, nearest_float, whole_sum


def at_stake(form: PublicForm) -> float:
    """How far apart the most and the least are that player one is paid, and nothing.

    >>> from infoset.solve.public.front import pennies
    >>> at_stake(pennies())
    2.0
    """
    known: dict[tuple[int, int], tuple[Fraction, Fraction]] = {}
    low = high = Fraction(0)
    for end in form.ends:
        meeting = _last_meeting(form, end)
        if meeting is None:
            amount = abs(end.factor) * _amount(form.tables[end.table])
            paid = [-amount, amount]
        else:
            pair = end.table, meeting.table
            if pair not in known:
                known[pair] = _paid(form.tables[pair[0]], form.tables[pair[1]])
            paid = [one * (end.factor / meeting.factor) for one in known[pair]]
        low, high = min(low, *paid), max(high, *paid)
    return nearest_float(high - low)


def _last_meeting(form: PublicForm, end: End) -> Meeting | None:
    """The meeting at the decision that was last before an end."""
    for player in range(2):
        number, _ = end.last[player]
        if number == NOT_YET:
            continue
        for meeting in form.decisions[player][number].meetings:
            if meeting.last == end.last[1 - player]:
                return meeting
    return None


def _paid(table: Table, likely: Table) -> tuple[Fraction, Fraction]:
    """The least and the most of a table's entries over nature's."""
    if not _alike(table, likely):
        whole = sum(whole_sum(block.entries) for block in likely.blocks)
        mean = Fraction(_amount(table), whole)
        return -mean, mean
    found: list[Fraction] = []
    for block, chance in zip(table.blocks, likely.blocks, strict=True):
        there = chance.entries > 0
        if there.any():
            found += _extremes(block.entries[there], chance.entries[there])
    return min(found), max(found)


def _extremes(over: Array, under: Array) -> tuple[Fraction, Fraction]:
    """The least and the greatest of some quotients, or one as near to it as floats can tell."""
    if over.dtype == object or under.dtype == object:
        every = [Fraction(int(one), int(two)) for one, two in zip(over, under, strict=True)]
        return min(every), max(every)
    near = over / under
    low, high = (Fraction(int(over[at]), int(under[at])) for at in (near.argmin(), near.argmax()))
    return low, high


def _alike(one: Table, two: Table) -> bool:
    """Have two tables the same blocks, but for their entries?"""
    return len(one.blocks) == len(two.blocks) and all(
        np.array_equal(a.rows, b.rows) and np.array_equal(a.columns, b.columns)
        for a, b in zip(one.blocks, two.blocks, strict=True)
    )


def _amount(table: Table) -> int:
    """All entries of a table, without their signs."""
    return sum(whole_sum(np.abs(block.entries)) for block in table.blocks)
