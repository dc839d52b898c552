"""Iterative refinement of linear programs: floats that find the right basis in the end.

Floats call a basis optimal when nothing is violated by more than some 10^-9. If payoffs differ by
ten orders of magnitude, that is not good enough: the right basis is one that floats cannot tell
from others. So zoom in. With v and u approximately optimal, compute exactly what is wrong with
them, in the rows (r), in the signs and in the prices (d), and pose the same program for the
correction, all that is wrong scaled up until it is of size one:

    minimize  D d'z    subject to   M z - t = P r,    z >= -P v,    t >= -P s        (s = M v - b)

It has the same matrix, so the simplex method resumes from the current basis. Then v + z/P and
u + w/D are better by as many digits as floats have, and so on, until the basis is exactly optimal.

Source: A. Gleixner, D. Steffy, K. Wolter, *Iterative refinement for linear programming*, 2016.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.linear.highs import FloatOptimum, basic, engine, run
from infoset.linear.lifting import Budget
from infoset.linear.numbers import Array, Floats, multiplied
from infoset.linear.program import Basis, Program, Vertex, vertex
from infoset.linear.sparse import integer_product

ROUNDS = 24  # of zooming in before giving up
ZOOM = 24  # binary digits by which one round may zoom in further
PATIENCE = 4  # iterations of the simplex method for each row, in one round
DIGITS = 30  # binary digits of a correction that are kept

Bools = npt.NDArray[np.bool_]


def refined(program: Program, answer: FloatOptimum, budget: Budget) -> Vertex | None:
    """An exactly optimal vertex, found by zooming in from what floats said; None if it is not."""
    if answer.basis is None:
        return None
    zoom = _Zoom(program, answer)
    seen = {_key(answer.basis)}
    for _ in range(ROUNDS):
        if budget.spent:
            return None
        basis = zoom.step()
        if basis is None:
            return None
        if _key(basis) not in seen:
            seen.add(_key(basis))
            corner = vertex(program, basis, budget)
            if corner is not None and corner.optimal:
                return corner
    return None


def _key(basis: Basis) -> bytes:
    return basis.columns.tobytes() + basis.rows.tobytes()


class _Zoom:
    """The program in slack form, and approximate solutions as integers over powers of two."""

    def __init__(self, program: Program, answer: FloatOptimum) -> None:
        rows, columns = program.shape
        self.program = program
        self.slacks = np.flatnonzero(~program.equal)
        self.row_unit = np.broadcast_to(program.row_unit, rows)
        self.column_unit = np.broadcast_to(program.column_unit, columns)
        self.primal_digits = self.dual_digits = 60
        self.primal = _whole(answer.primal, self.primal_digits)
        self.dual = _whole(answer.dual, self.dual_digits)
        self.primal_zoom = self.dual_zoom = 0
        self.highs = _slack_form(self)
        assert answer.basis is not None
        _set_basis(self, answer.basis)

    def step(self) -> Basis | None:
        """Solve for the correction, add it, and say which basis it has."""
        program, highs, slacks = self.program, self.highs, self.slacks
        matrix = program.matrix
        rows, columns = program.shape
        entries = matrix.entries.numerators
        activity = integer_product(matrix.rows, matrix.columns, entries, self.primal, rows)
        short = multiplied(program.side, _one(self.primal_digits)) - activity  # b - M v
        priced = integer_product(matrix.columns, matrix.rows, entries, self.dual, columns)
        reduced = multiplied(program.cost, _one(self.dual_digits)) - priced  # c - M'u

        wrong = _floats(short, self.primal_digits) * self.row_unit
        spare = -wrong[slacks]  # s, which may be negative
        wrong[slacks] = 0.0
        floor = -_floats(self.primal, self.primal_digits) / self.column_unit
        floor[program.free] = -np.inf
        price = _floats(reduced, self.dual_digits) * self.column_unit * program.cost_unit
        slack_price = (_floats(self.dual, self.dual_digits) / self.row_unit)[slacks]
        slack_price *= program.cost_unit

        badly = max(_most(np.abs(wrong)), _most(floor[~program.free]), _most(-spare))
        self.primal_zoom = _zoomed(badly, self.primal_zoom)
        dearly = max(
            _most(np.abs(price[program.free])), _most(-price[~program.free]), _most(-slack_price)
        )
        self.dual_zoom = _zoomed(dearly, self.dual_zoom)
        p, d = 2.0**self.primal_zoom, 2.0**self.dual_zoom
        every = np.arange(columns + len(slacks), dtype=np.int32)
        lower = np.concatenate((floor, -spare)) * p
        highs.changeColsBounds(len(every), every, lower, np.full(len(every), np.inf))
        highs.changeColsCost(len(every), every, np.concatenate((price, slack_price)) * d)
        which = np.arange(rows, dtype=np.int32)
        highs.changeRowsBounds(rows, which, wrong * p, wrong * p)
        run(highs)
        solution = highs.getSolution()
        if not solution.value_valid or not solution.dual_valid:
            return None
        self._add(np.array(solution.col_value)[:columns], np.array(solution.row_dual))
        return _basis(self)

    def _add(self, primal: Floats, dual: Floats) -> None:
        """Correct the solutions, v + z / P and u + w / D, rounded to some digits."""
        digits = self.primal_zoom + DIGITS
        z = _scaled(primal * self.column_unit, DIGITS)
        self.primal, self.primal_digits = _sum(self.primal, self.primal_digits, z, digits)
        digits = self.dual_zoom + DIGITS
        w = _scaled(dual * self.row_unit / self.program.cost_unit, DIGITS)
        self.dual, self.dual_digits = _sum(self.dual, self.dual_digits, w, digits)


def _one(digits: int) -> Array:
    return np.array([1 << digits], object)


def _whole(values: Floats, digits: int) -> Array:
    return np.array([round(value * 2.0**digits) for value in values.tolist()], object)


def _scaled(values: Floats, digits: int) -> Array:
    return _whole(np.where(np.isfinite(values), values, 0.0), digits)


def _sum(one: Array, one_digits: int, two: Array, two_digits: int) -> tuple[Array, int]:
    digits = max(one_digits, two_digits)
    return (one << (digits - one_digits)) + (two << (digits - two_digits)), digits


def _floats(values: Array, digits: int) -> Floats:
    under = 1 << digits
    return np.array([int(value) / under for value in values], np.float64)


def _most(values: Floats) -> float:
    return float(values.max(initial=0.0))


def _zoomed(badly: float, before: int) -> int:
    """The power of two that brings a violation to one, not too far beyond the last."""
    if badly <= 0:
        return before + ZOOM
    return max(0, min(-int(np.ceil(np.log2(badly))), before + ZOOM))


def _slack_form(zoom: _Zoom) -> Any:
    """HiGHS with M z - t = r, in the program's units."""
    program, slacks = zoom.program, zoom.slacks
    matrix, (rows, columns) = program.matrix, program.shape
    values = matrix.entries.floats * zoom.row_unit[matrix.rows] * zoom.column_unit[matrix.columns]
    at_row = np.concatenate((matrix.rows, slacks))
    at_column = np.concatenate((matrix.columns, columns + np.arange(len(slacks))))
    values = np.concatenate((values, -np.ones(len(slacks))))
    none, total = np.zeros(rows), columns + len(slacks)
    highs = engine(
        (at_row, at_column, values),
        np.zeros(total),
        (np.zeros(total), np.full(total, np.inf)),
        (none, none),
    )
    highs.setOptionValue("presolve", "off")
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("simplex_iteration_limit", PATIENCE * rows)
    highs.setOptionValue("small_matrix_value", 1e-12)
    return highs


def _set_basis(zoom: _Zoom, basis: Basis) -> None:
    """The same basis with slacks as columns: a basic row is a basic slack."""
    import highspy

    held, status = highspy.HighsBasis(), highspy.HighsBasisStatus
    inside = np.concatenate((basis.columns, basis.rows[zoom.slacks]))
    rows = basis.rows & zoom.program.equal
    held.col_status = [status.kBasic if one else status.kLower for one in inside]
    held.row_status = [status.kBasic if one else status.kLower for one in rows]
    held.valid = True
    zoom.highs.setBasis(held)


def _basis(zoom: _Zoom) -> Basis:
    """The basis at hand, a basic slack taken as its basic row."""
    columns, rows = basic(zoom.highs)
    own = zoom.program.shape[1]
    rows[zoom.slacks] |= columns[own:]
    return Basis(columns[:own], rows)
