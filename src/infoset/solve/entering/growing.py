"""A tableau of complementary pivoting that grows with the strategies that are known.

The Lemke–Howson method has two tableaus that share no variable, one for each player: the losses of
its plans, w = 1 - A y >= 0, as they depend on the other's weights y >= 0. Of each only a core need
be kept, a row for each weight that is basic (is played) and a column for each loss that is not (is
of a best response): there are as many of the one as of the other. The row of any other loss follows
from the core and from what its plan is paid.

How ties are broken and where new plans come from is told in :mod:`infoset.solve.wilson`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpz, fmpz_mat

from infoset.forms.sequence import SequenceForm
from infoset.solve.entering.generated import Known, Longs

# A variable is a number: i is the loss w_i of a half's own plan i, ~j the weight of the other's j.
# In the other half ~i is the weight of i and j the loss of j: a partner is the complement.
Variable = int


@dataclass(frozen=True)
class Row:
    """A basic variable as a function of the nonbasic ones, times the determinant of the basis."""

    name: Variable
    entries: Sequence[Any]  # the constant, then an entry for each column


class Half:
    """One player's losses: a constant plus a matrix times the nonbasic variables.

    >>> import numpy as np
    >>> from infoset.forms.sequence import sequence_form
    >>> from infoset.games import matching_pennies
    >>> half = Half(sequence_form(matching_pennies().tree()), 0)
    >>> half.known.meet(np.array([1, 1, 0]))
    >>> half.step(~0, end=0)  # its weight grows until the loss of the best answer is 0
    0
    >>> half.known.plans[0].tolist(), half.weights()
    ([1, 1, 0], {0: 1})
    """

    def __init__(self, form: SequenceForm, player: int) -> None:
        self.known = Known(form, player)
        self.rows: list[Variable] = []
        self.columns: list[Variable] = []
        self.table = fmpz_mat(0, 1)  # constants first, then the columns
        self.lines: list[Row] = []  # its rows, as a step begins
        self.whole = fmpz(1)  # the determinant of the basis: what all entries are over

    def weights(self) -> dict[int, int]:
        """By plan of the other: its weight times the determinant, where that is positive."""
        column = (int(self.table[row, 0]) for row in range(len(self.rows)))
        return {~name: over for name, over in zip(self.rows, column, strict=True) if over}

    def step(self, entering: Variable, end: Variable) -> Variable:
        """Let a variable enter; returns the one that leaves. A plan may enter for that.

        If several could leave and one of them ends the path, that one does.
        """
        if entering < 0:
            self._add_column(entering)
        self.lines = [Row(*line) for line in zip(self.rows, self.table.table(), strict=True)]
        at = 1 + self.columns.index(entering)
        row = self._leaving(at, end)
        if row.name >= 0:  # a loss: its row was not there
            self.table = _stacked(self.table, [row.entries])
            self.rows.append(row.name)
        self._pivot(self.rows.index(row.name), at)
        self._keep()
        return row.name

    def _add_column(self, weight: Variable) -> None:
        paid = [0] + [self.known.paid[loss][~weight] for loss in self.columns]
        column = self.table * fmpz_mat(len(paid), 1, paid)
        rows = [
            [*own, more] for own, more in zip(self.table.table(), column.entries(), strict=True)
        ]
        self.columns.append(weight)
        self.table = _matrix(rows, 1 + len(self.columns))

    def _pivot(self, row: int, at: int) -> None:
        """Exchange a row's variable for a column's; all divisions come out even."""
        table, old = self.table, self.whole
        element = table[row, at]
        sign = 1 if element > 0 else -1
        down = [table[r, at] for r in range(len(self.rows))]
        across = [-sign * table[row, c] for c in range(table.ncols())]
        down[row] = element + old
        across[at] = sign * old - abs(element)
        update = fmpz_mat(len(down), 1, down) * fmpz_mat(1, len(across), across)
        self.table, self.whole = (abs(element) * table + update) / old, abs(element)
        self.rows[row], self.columns[at - 1] = self.columns[at - 1], self.rows[row]

    def _keep(self) -> None:
        """Of rows the weights, of columns the losses: the others need not be known."""
        columns = [0] + [at for at, name in enumerate(self.columns, 1) if name >= 0]
        rows = [
            [own[at] for at in columns]
            for own, name in zip(self.table.table(), self.rows, strict=True)
            if name < 0
        ]
        self.rows = [name for name in self.rows if name < 0]
        self.columns = [name for name in self.columns if name >= 0]
        self.table = _matrix(rows, len(columns))

    # ------------------------------------------------------------------ the ratio test

    def _leaving(self, at: int, end: Variable) -> Row:
        """The basic variable that falls to zero first, be its plan present or not."""
        present = self._falling(at)
        row = self._first(present, at)
        fresh = False
        while (plan := self._better(row, at)) is not None:
            if fresh:
                self.known.forget()
            self.known.enter(plan)
            (row,), fresh = self._losses([len(self.known.plans) - 1]), True
        assert row is not None  # all payoffs are positive, so that weights are bounded
        for other in present:
            if other.name == end and not _cross(other, row, at):
                if fresh:
                    self.known.forget()
                return other
        return row

    def _losses(self, plans: Sequence[int]) -> list[Row]:
        """Plans' losses, 1 - Σ payoff · weight."""
        if not plans:
            return []
        paid = [self.known.paid[plan] for plan in plans]
        plain = [
            entry
            for own in paid
            for entry in (1, *(-own[~name] if name < 0 else 0 for name in self.columns))
        ]
        entries = fmpz_mat(len(plans), 1 + len(self.columns), plain) * self.whole
        if self.rows:
            against = [-own[~name] for own in paid for name in self.rows]
            entries += fmpz_mat(len(plans), len(self.rows), against) * self.table
        return [Row(*line) for line in zip(plans, entries.table(), strict=True)]

    def _falling(self, at: int) -> list[Row]:
        """The rows that fall to zero first as a column's variable grows, powers of ε aside."""
        found = [line for line in self.lines if line.entries[at] < 0]
        basic = [plan for plan in range(len(self.known.plans)) if plan not in self.columns]
        if not basic:
            return _least(found, at)
        name = self.columns[at - 1]
        direct = [0 if name >= 0 else -self.whole * self.known.paid[plan][~name] for plan in basic]
        pair = fmpz_mat(len(basic), 2)
        if self.rows:
            paid = [-self.known.paid[plan][~row] for plan in basic for row in self.rows]
            two = [entry for own in self.table.table() for entry in (own[0], own[at])]
            pair = fmpz_mat(len(basic), len(self.rows), paid) * fmpz_mat(len(self.rows), 2, two)
        losses = [
            Row(plan, [self.whole + constant] + [0] * (at - 1) + [slope + more])
            for plan, (constant, slope), more in zip(basic, pair.table(), direct, strict=True)
            if slope + more < 0
        ]
        first = _least(found + losses, at)
        losing = self._losses([row.name for row in first if row.name >= 0])
        return [row for row in first if row.name < 0] + losing

    def _first(self, rows: list[Row], at: int) -> Row | None:
        """The one of several rows that falls to zero first, for tiny ε."""
        best: Row | None = None
        for row in rows:
            if best is None or self._earlier(row, best, at):
                best = row
        return best

    def _earlier(self, one: Row, two: Row, at: int) -> bool:
        own, other = self._powers(one), self._powers(two)
        for plan in sorted(own.keys() | other.keys()):
            gap = own.get(plan, 0) * two.entries[at] - other.get(plan, 0) * one.entries[at]
            if gap != 0:
                return bool(gap > 0)  # multiplied by negative numbers
        raise AssertionError(f"{one} and {two} are the same row")

    def _powers(self, row: Row) -> dict[int, Any]:
        """By own plan: the coefficient of its ε in the value of a row's variable."""
        held = enumerate(self.columns, 1)
        found = {name: row.entries[column] for column, name in held if name >= 0}
        return found | {row.name: -self.whole} if row.name >= 0 else found

    def _better(self, row: Row | None, at: int) -> Longs | None:
        """An absent plan that is worth 1 or more where a row's variable has fallen to zero.

        Without a row: one that is best as the column's variable grows for ever.
        """
        if row is None:
            slopes = {~line.name: [line.entries[at]] for line in self.lines}
            return self.known.best(slopes | self._entered(at, [self.whole]), 0)[1]
        for powers in (False, True):  # without ε that is mostly decided
            excess, plan = self.known.best(self._after(row, at, powers), -row.entries[at])
            if excess:
                break
        return plan if excess >= 0 else None

    def _after(self, row: Row, at: int, powers: bool) -> dict[int, list[Any]]:
        """By plan: its weight once a pivot is done, times the new determinant; with powers of ε."""
        place = {name: column for column, name in enumerate(self.columns, 1) if name >= 0}
        order = sorted(self._powers(row)) if powers else []
        shown = [0] + [place[plan] for plan in order if plan in place]
        lines = {line.name: [line.entries[column] for column in shown] for line in self.lines}
        leaving, under = [row.entries[column] for column in shown], -row.entries[at]
        if powers and row.name >= 0:  # a power of its own, which no weight has yet
            own = 1 + order.index(row.name)
            leaving.insert(own, -self.whole)
            for line in lines.values():
                line.insert(own, 0)
        found = {
            ~line.name: [
                (under * before + line.entries[at] * gone) // self.whole  # comes out even
                for before, gone in zip(lines[line.name], leaving, strict=True)
            ]
            for line in self.lines
        }
        return found | self._entered(at, leaving)

    def _entered(self, at: int, value: list[Any]) -> dict[int, list[Any]]:
        """The weight of the column's plan, if it is a weight that enters."""
        entering = self.columns[at - 1]
        return {~entering: value} if entering < 0 else {}


def _least(rows: list[Row], at: int) -> list[Row]:
    """Those of falling rows that are at zero first, powers of ε aside."""
    best = rows[:1]
    for row in rows[1:]:
        gap = _cross(row, best[0], at)
        if gap > 0:
            best = [row]
        elif not gap:
            best.append(row)
    return best


def _cross(one: Row, two: Row, at: int) -> Any:
    """Positive if the first of two falling rows is at zero before the second, 0 if together."""
    return one.entries[0] * two.entries[at] - two.entries[0] * one.entries[at]


def _stacked(above: fmpz_mat, below: Sequence[Sequence[Any]]) -> fmpz_mat:
    return _matrix([*above.table(), *below], above.ncols())


def _matrix(rows: Sequence[Sequence[Any]], width: int) -> fmpz_mat:
    return fmpz_mat(len(rows), width, [entry for row in rows for entry in row])
