"""Games in which every sequence must be played a little, and their solutions for all small ε.

A sequence of d own choices must weigh at least ε^d. With l(ε) and k(ε) for these floors of the two
players, and x, y for what the plans weigh above them,

    r = E'p - A (y + k(ε)) >= 0,    E x = e - E l(ε),  x >= 0,    x_i r_i = 0
    s = F'q - B'(x + l(ε)) >= 0,    F y = f - F k(ε),  y >= 0,    y_j s_j = 0

describe the equilibria of the perturbed game: the conditions of :mod:`infoset.solve.lcp`, with
right-hand sides that are polynomials in ε, while the matrices have no ε in them. A basis says which
x_i and which y_j may be positive; the others are zero, and r_i = 0, s_j = 0 for those that may.
So what belongs to a basis is linear in the right-hand side: one exact system of equations for each
power of ε, all with the same matrix, gives x(ε), y(ε), r(ε), s(ε) as polynomials with rational
coefficients. A polynomial is >= 0 for all small ε > 0 exactly if its first coefficient that is not
zero is positive. If that holds of all of them, the basis solves the perturbed game for *every*
small ε: a proof with no small number in it.

In a zero-sum game all this is one linear program,

    minimize   (e - E l(ε))'p + l(ε)'A y
    subject to   -A y + E'p >= A k(ε),   F y = f - F k(ε),   y >= 0,

whose dual has x; right-hand sides and costs are the polynomials, and a basis is judged alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from infoset.forms.sequence import SequenceForm, lighter_payoffs
from infoset.linear.lifting import Budget, System
from infoset.linear.numbers import Array, Numbers, fitted
from infoset.linear.program import Basis, Program, spread
from infoset.linear.sparse import Sparse
from infoset.solve.lp import best_reply_matrix, linear_program
from infoset.tree.choices import Choices

Bools = npt.NDArray[np.bool_]
Longs = npt.NDArray[np.int64]


def lengths(choices: Choices) -> Longs:
    """[sequence] how many own choices it has; where there is only one action it is no choice.

    >>> from infoset.games import kuhn
    >>> lengths(kuhn().tree().choices[0]).tolist()
    [0, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2]
    """
    found = np.zeros(len(choices), np.int64)
    for stage in choices.stages:
        for own in stage.tolist():
            first, size = int(choices.first[own]), int(choices.sizes[own])
            found[first : first + size] = found[choices.before[own]] + (size > 1)
    return found


class Floors:
    """What every sequence must weigh: ε^d after d own choices; the empty one has its weight."""

    def __init__(self, form: SequenceForm) -> None:
        sizes = form.A.shape
        found = [lengths(choices) for choices in form.choices]
        found += [np.zeros(sizes[1], np.int64)] * (2 - len(found))  # nobody else plays
        self.lengths = tuple(found)
        self.degree = max(int(own.max(initial=0)) for own in found)

    def coefficient(self, player: int, power: int) -> Longs:
        """[sequence] the coefficient of ε^power in its floor."""
        own: Longs = self.lengths[player]
        found: Longs = ((own == power) & (own > 0)).astype(np.int64)
        return found

    def at(self, player: int, inverse: int) -> Numbers:
        """[sequence] its floor for ε = 1 / inverse."""
        found = self.lengths[player]
        whole = [inverse ** (self.degree - d) if d else 0 for d in found.tolist()]
        return Numbers(fitted(whole), inverse**self.degree)


# ---------------------------------------------------------------------- zero sum


@dataclass(frozen=True, eq=False)
class PerturbedProgram:
    """The linear program of a game with floors: one right-hand side and one cost for each power."""

    plain: Program
    sides: tuple[Array, ...]  # [power]
    costs: tuple[Array, ...]
    floors: Floors

    @classmethod
    def of(cls, form: SequenceForm, floors: Floors) -> PerturbedProgram:
        """The program of a zero-sum game."""
        plain = linear_program(lighter_payoffs(form), form.E, form.F)
        sides, costs = [], []
        for power in range(floors.degree + 1):
            x, y = (floors.coefficient(player, power) for player in (0, 1))
            taken = plain.matrix.times(_padded(y, plain.shape[1]))  # (-A k, F k)
            given = plain.matrix.transposed.times(_padded(x, plain.shape[0]))  # (-A'l, E l)
            sides.append(plain.side * (power == 0) - taken.numerators)
            costs.append(plain.cost * (power == 0) - given.numerators)
        return cls(plain, tuple(sides), tuple(costs), floors)

    def at(self, inverse: int) -> Program:
        """The program for ε = 1 / inverse, in integers.

        Right-hand sides and costs are multiplied by inverse^degree, and so are y and p.
        """
        scale = inverse**self.floors.degree
        unit = 2.0 ** (scale.bit_length() - 1)
        return replace(
            self.plain,
            side=_summed(self.sides, inverse),
            cost=_summed(self.costs, inverse),
            row_unit=self.plain.row_unit / unit,
            column_unit=self.plain.column_unit * unit,
            cost_unit=self.plain.cost_unit / unit / unit,
        )

    def plans(
        self, basis: Basis, budget: Budget
    ) -> tuple[tuple[Numbers, ...], tuple[Numbers, ...]] | None:
        """Both players' weights by power of ε, floors included; None if the basis is not optimal.

        Optimal, that is, for every small ε.
        """
        program = self.plain
        columns, rows = np.flatnonzero(basis.columns), np.flatnonzero(~basis.rows)
        if len(columns) != len(rows):
            return None
        system = System.part(program.matrix, rows, columns)
        if system is None:
            return None
        primal, dual, slack, reduced = [], [], [], []
        across = program.matrix.transposed
        for side, cost in zip(self.sides, self.costs, strict=True):
            solved = system.solve(side[rows], budget)
            priced = system.solve_transposed(cost[columns], budget) if solved else None
            if solved is None or priced is None:
                return None
            primal.append(spread(solved, columns, program.shape[1]))
            dual.append(spread(priced, rows, program.shape[0]))
            slack.append(_less(program.matrix.times(primal[-1]), side))
            reduced.append(_less(across.times(dual[-1]), cost))
        inside = np.flatnonzero(~program.free), np.flatnonzero(~program.equal)
        fits = (
            all(not own.numerators[program.equal].any() for own in slack)
            and all(not own.numerators[program.free].any() for own in reduced)
            and nonnegative([own.take(inside[0]) for own in primal])
            and nonnegative([own.take(inside[1]) for own in dual])
            and nonnegative([own.take(inside[1]) for own in slack])
            and nonnegative([Numbers(-own.numerators[inside[0]]) for own in reduced])
        )
        sizes = [len(own) for own in self.floors.lengths]
        return (self._with(dual, 0, sizes), self._with(primal, 1, sizes)) if fits else None

    def _with(self, found: list[Numbers], player: int, sizes: list[int]) -> tuple[Numbers, ...]:
        """A player's weights, its floors included."""
        own = np.arange(sizes[player])
        return tuple(
            _less(weights.take(own), -self.floors.coefficient(player, power)).lowest()
            for power, weights in enumerate(found)
        )


def _padded(whole: Longs, size: int) -> Numbers:
    return Numbers(np.concatenate((whole, np.zeros(size - len(whole), np.int64))))


def _summed(powers: tuple[Array, ...], inverse: int) -> Array:
    """Σ power_k inverse^(degree - k)."""
    total = powers[0].astype(object)
    for power in powers[1:]:
        total = total * inverse + power
    return fitted(total)


# ---------------------------------------------------------------------- general sum


def polynomial_plans(
    form: SequenceForm, floors: Floors, x_basic: Bools, y_basic: Bools, budget: Budget
) -> tuple[tuple[Numbers, ...], tuple[Numbers, ...]] | None:
    """Both players' weights by power of ε, floors included; None if the basis solves nothing."""
    y = _side(form.A, form.E, form.F, (x_basic, y_basic), floors, 1, budget)
    if y is None:
        return None
    x = _side(form.B.transposed, form.F, form.E, (y_basic, x_basic), floors, 0, budget)
    return None if x is None else (x, y)


def _side(
    payoffs: Sparse,
    own: Sparse,
    other: Sparse,
    basic: tuple[Bools, Bools],
    floors: Floors,
    player: int,
    budget: Budget,
) -> tuple[Numbers, ...] | None:
    """``player``'s weights, such that the other's basic sequences are best against them."""
    matrix = best_reply_matrix(payoffs, own, other)
    tight, positive = basic
    sequences = len(tight)
    rows = np.concatenate((np.flatnonzero(tight), np.arange(sequences, matrix.shape[0])))
    columns = np.concatenate((np.flatnonzero(positive), np.arange(len(positive), matrix.shape[1])))
    if len(rows) != len(columns):
        return None
    system = System.part(matrix, rows, columns)
    if system is None:
        return None
    weights, losses = [], []
    for power in range(floors.degree + 1):
        floor = floors.coefficient(player, power)
        whole = np.concatenate((floor, np.zeros(matrix.shape[1] - len(floor), np.int64)))
        side = -matrix.times(Numbers(whole)).numerators  # what the floors take: A k and -F k
        side[sequences] += power == 0  # F y = f: one, then zeros
        solved = system.solve(side[rows], budget)
        if solved is None:
            return None
        found = spread(solved, columns, matrix.shape[1])
        losses.append(_less(matrix.times(found), side).take(np.arange(sequences)))
        weights.append(found.take(np.arange(len(positive))))
    if not (nonnegative(weights) and nonnegative(losses)):
        return None
    return tuple(
        _less(own, -floors.coefficient(player, power)).lowest() for power, own in enumerate(weights)
    )


# ---------------------------------------------------------------------- polynomials


def _less(numbers: Numbers, whole: Array) -> Numbers:
    """Numbers less some integers."""
    taken = numbers.numerators - whole.astype(object) * numbers.denominator
    return Numbers(fitted(taken), numbers.denominator)


def nonnegative(powers: Sequence[Numbers]) -> bool:
    """Are these polynomials, given power by power, all >= 0 for every small ε > 0?

    >>> nonnegative([Numbers.of([0, 1]), Numbers.of([1, -5])])
    True
    >>> nonnegative([Numbers.of([0, 1]), Numbers.of([-1, 5])])
    False
    """
    undecided = np.ones(len(powers[0]), np.bool_)
    for numbers in powers:
        if (undecided & (numbers.numerators < 0)).any():
            return False
        undecided &= numbers.numerators == 0
    return True
