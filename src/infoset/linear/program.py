"""Linear programs with integer coefficients, and vertices of them in exact arithmetic.

    minimize  c'v    subject to  (M v)_i  = b_i  or  >= b_i,    v_j >= 0  or free

    maximize  b'u    subject to  (M'u)_j <= c_j  or  = c_j,     u_i free  or >= 0      (the dual)

A *basis* names as many basic columns and rows as there are rows. Nonbasic columns are zero,
nonbasic rows hold with equality; what is left is a square system K v = b for the basic columns, and
K'u = c for the duals of the nonbasic rows. Both are solved exactly (:mod:`infoset.linear.lifting`).
The pair of solutions has the same objective by construction, so that it is optimal exactly if both
are feasible: which is checked here, in integers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from infoset.linear.lifting import Budget, System
from infoset.linear.numbers import Array, Numbers, fitted, multiplied
from infoset.linear.sparse import Sparse

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Program:
    """A linear program whose coefficients are integers."""

    matrix: Sparse  # M
    cost: Array  # c, [column]
    side: Array  # b, [row]
    equal: Bools  # [row] an equation; the others are >=
    free: Bools  # [column] any sign; the others are >= 0
    # In floats row i is multiplied by row_unit[i], v_j = column_unit[j] * float, and the cost by
    # cost_unit: whatever the integers are, floats should see numbers near one.
    row_unit: Floats = field(default_factory=lambda: np.ones(1))
    column_unit: Floats = field(default_factory=lambda: np.ones(1))
    cost_unit: float = 1.0

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.matrix.shape


@dataclass(frozen=True, eq=False)
class Basis:
    """Which columns and which rows are basic."""

    columns: Bools
    rows: Bools


@dataclass(frozen=True, eq=False)
class Vertex:
    """A pair of exact basic solutions, and whether they obey the signs that they must."""

    primal: Numbers  # v, [column]
    dual: Numbers  # u, [row]
    primal_feasible: bool
    dual_feasible: bool
    basis: Basis  # that they belong to

    @property
    def optimal(self) -> bool:
        """Both feasible: then, their objectives being equal, both are optimal."""
        return self.primal_feasible and self.dual_feasible


def basic_part(program: Program, basis: Basis) -> tuple[System, Longs, Longs] | None:
    """The square system of a basis, with its rows and columns; None if it is singular."""
    columns, rows = np.flatnonzero(basis.columns), np.flatnonzero(~basis.rows)
    if len(columns) != len(rows):
        return None
    system = System.part(program.matrix, rows, columns)
    return None if system is None else (system, rows, columns)


def vertex(program: Program, basis: Basis, budget: Budget) -> Vertex | None:
    """The exact solutions that belong to a basis; None if it is singular or the budget runs out."""
    part = basic_part(program, basis)
    if part is None:
        return None
    system, rows, columns = part
    solved = system.solve(program.side[rows], budget)
    priced = system.solve_transposed(program.cost[columns], budget) if solved else None
    if solved is None or priced is None:
        return None
    primal, dual = spread(solved, columns, program.shape[1]), spread(priced, rows, program.shape[0])
    signs = _primal_feasible(program, primal), _dual_feasible(program, dual)
    return Vertex(primal, dual, *signs, basis)


def spread(values: Numbers, places: npt.NDArray[np.int64], size: int) -> Numbers:
    """The values at their places, zeros elsewhere."""
    whole = np.zeros(size, values.numerators.dtype)
    whole[places] = values.numerators
    return Numbers(whole, values.denominator)


def _primal_feasible(program: Program, primal: Numbers) -> bool:
    activity = program.matrix.times(primal)
    slack = activity.numerators - multiplied(program.side, fitted([activity.denominator]))
    signs = primal.numerators[~program.free]
    return not (slack[program.equal].any() or (slack < 0).any() or (signs < 0).any())


def _dual_feasible(program: Program, dual: Numbers) -> bool:
    priced = program.matrix.transposed.times(dual)
    reduced = multiplied(program.cost, fitted([priced.denominator])) - priced.numerators
    signs = dual.numerators[~program.equal]
    return not (reduced[program.free].any() or (reduced < 0).any() or (signs < 0).any())
