"""Two-player games with arbitrary payoffs: Lemke's method on the sequence form.

Plans x, y are an equilibrium exactly if there are values p, q of the information sets with

    r = E'p - A y >= 0,    E x = e,  x >= 0,    x_i r_i = 0 for each sequence i,           (10, 11)
    s = F'q - B'x >= 0,    F y = f,  y >= 0,    y_j s_j = 0 for each sequence j:

only best responses are played. This is a linear complementarity problem (Koller, Megiddo & von
Stengel 1994, sections 3 and 5), and Lemke's method follows a path of complementary pivots to a
solution.

*The path.* Lemke's method needs a starting point and a parameter that leads away from it. Here both
have a meaning (von Stengel, van den Elzen & Talman 2002). The prior x0, y0 is the uniform strategy
of each player; at time t each player weighs the prior by 1 - t and the opponent's plan by t:

    E x = e t,   F y = f t,   r = E'p - A (y + (1-t) y0),   s = F'q - B'(x + (1-t) x0).

At t = 0 the solution is each player's best response to the prior; the path leads to t = 1, which is
(10, 11). It cannot run to infinity, because plans are bounded, and so are the values. Since the
prior gives every action positive weight, the equilibrium uses no weakly dominated strategy (it is
normal-form perfect).

*Elimination.* p and q are free variables. Let b be the best responses to the prior, one choice of
each information set and the empty sequence: E_b is square and triangular. So x_b and p are
eliminated,

    x_b = E_b^-1 (e t - E_n x_n),     p = E_b^-T (r_b + A_b (y + (1-t) y0)),

and a standard problem remains, with as many pairs as sequences: basic (x_b, r_n), nonbasic
(r_b, x_n). All coefficients are integers if payoffs and prior are. Degeneracy is common in games
and is resolved lexicographically (:mod:`infoset.linear.pivoting`).

*Lower bounds.* If every sequence must have some weight, x >= l and y >= k
(:mod:`infoset.solvers.quasi_perfect`), let x and y stand for the weights above these bounds: e
becomes e - E l and f becomes f - F k, and at time t the opponent plays y + t k + (1-t) y0. Since
E_b^-1 E is (1, R), the best response becomes g - l_b - R l_n.

*Exact.* Small games are pivoted in integers. In larger ones floats find the final basis, and the
plans are the exact solutions of two linear systems, as for the linear program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import OutOfTime
from infoset.forms.sequence import SequenceForm, sequence_form
from infoset.linear.lifting import Budget, System
from infoset.linear.numbers import Array, Numbers, bound
from infoset.linear.pivoting import (
    ExactTableau,
    FloatTableau,
    Path,
    Status,
    Tableau,
    check_room,
    follow,
    partners,
    values,
)
from infoset.linear.program import spread
from infoset.linear.sparse import Sparse
from infoset.solvers.lp import (
    NO_BASIS,
    STOPPED,
    best_response_matrix,
    exact_plans,
    plans_from_floats,
)
from infoset.solvers.options import Found, Options
from infoset.strategy import uniform
from infoset.strategy.response import best_choices
from infoset.tree import Tree
from infoset.tree.choices import Choices

Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Problem:
    """basic = side + matrix (nonbasic, t): a pair for every sequence of either player.

    Variable i is the one of pair i that is basic at the start: the weight of a best response, the
    loss of any other sequence. Variable pairs + i is its partner. The last row is the slack 1 - t.
    """

    matrix: Array  # [pairs + 1, pairs + 1], the last column t
    side: Array  # [pairs + 1]
    best: Bools  # [pair] is it a sequence of the best response to the prior?

    @property
    def pairs(self) -> int:
        """The number of pairs: the sequences of both players."""
        return len(self.best)

    def played(self, basis: Iterable[int]) -> Bools:
        """[sequence of either player] is its weight basic?"""
        basic = np.zeros(self.pairs, np.bool_)
        for variable in basis:
            if self._is_weight(variable):
                basic[variable % self.pairs] = True
        return basic

    def weights(self, values: Mapping[int, Any]) -> list[Any]:
        """[sequence of either player] its weight, zero where it is not basic."""
        weights: list[Any] = [0] * self.pairs
        for variable, value in values.items():
            if self._is_weight(variable):
                weights[variable % self.pairs] = value
        return weights

    def _is_weight(self, variable: int) -> bool:
        if variable >= 2 * self.pairs:
            return False
        return bool(self.best[variable % self.pairs]) == (variable < self.pairs)


def problem(
    form: SequenceForm, *, exact: bool, floors: tuple[Numbers, Numbers] | None = None
) -> Problem:
    """The complementarity problem of a game with the uniform prior, in integers or in floats.

    ``floors`` are lower bounds of the weights of both players' sequences.
    """
    one, two = form.choices
    priors = [uniform(form.tree, player).plan.weights for player in form.tree.names]
    payoffs = (form.A, form.B.transposed)
    sides = [
        _Side.of(own, payoff, prior, exact)
        for own, payoff, prior in zip((one, two), payoffs, priors[::-1], strict=True)
    ]
    rows = len(one)
    size = rows + len(two)
    matrix = np.zeros((size + 1, size + 1), object if exact else np.float64)
    side = np.zeros(size + 1, matrix.dtype)
    least = [None, None] if floors is None else [_floor(floor, exact) for floor in floors]
    for at, (own, other) in enumerate((sides, sides[::-1])):
        mine, theirs = (0, rows) if at == 0 else (rows, 0)
        own.write(matrix, side, mine, theirs, other, (least[at], least[1 - at]))
    matrix[size, size], side[size] = -1, 1
    best = np.zeros(size, np.bool_)
    best[sides[0].best], best[rows + sides[1].best] = True, True
    return Problem(matrix, side, best)


@dataclass(frozen=True, eq=False)
class _Side:
    """One player's part: the best response b to the opponent's prior, other sequences n."""

    best: Longs  # b
    rest: Longs  # n
    shared: Any  # R = E_b^-1 E_n
    pure: Array  # g = E_b^-1 e: the best response as a plan
    losses: Any  # L = R'A_b - A_n: the loss of each of n, by the opponent's sequences
    prior: Array  # the opponent's plan at t = 0, times ``whole``
    whole: int

    @classmethod
    def of(cls, choices: Choices, payoff: Sparse, prior: Numbers, exact: bool) -> _Side:
        """The best response to the prior; in floats payoffs are scaled to at most one."""
        _, actions = best_choices(choices, payoff.times(prior).numerators)
        best = np.concatenate(([0], choices.first + actions))
        rest = np.setdiff1d(np.arange(len(choices)), best)
        shared, pure = _eliminated(choices, best, rest)
        if not exact:
            whole = payoff.entries.numerators
            near_one = Numbers(whole, max(bound(whole), 1))  # payoffs may be beyond floats
            table = Sparse(payoff.rows, payoff.columns, near_one, payoff.shape).floats
            part = shared.floats
            losses = part.T @ table[best] - table[rest]
            return cls(best, rest, part, pure, losses, prior.floats, 1)
        table = _dense(payoff)
        part = _dense(shared)
        losses = part.T @ table[best] - table[rest]
        return cls(
            best, rest, part, pure, losses, prior.numerators.astype(object), prior.denominator
        )

    def write(
        self,
        matrix: Array,
        side: Array,
        mine: int,
        theirs: int,
        other: _Side,
        floors: tuple[Array | None, Array | None],
    ) -> None:
        """Write x_b = g t - R x_n and r_n = R'r_b + L (y + (1-t) y0), with y_b eliminated."""
        best, rest, time = mine + self.best, mine + self.rest, len(side) - 1
        matrix[np.ix_(best, rest)] = _full(-self.shared)
        matrix[best, time] = self.above(floors[0])
        if not len(rest):
            return
        matrix[np.ix_(rest, best)] = _full(self.shared.T)
        against = self.losses[:, other.rest] - self.losses[:, other.best] @ other.shared
        matrix[np.ix_(rest, theirs + other.rest)] = _full(against) * self.whole
        start = self.losses @ self.prior
        side[rest] = start
        moved = self.losses[:, other.best] @ other.above(floors[1])
        if floors[1] is not None:
            moved = moved + self.losses @ floors[1]
        matrix[rest, time] = moved * self.whole - start

    def above(self, floor: Array | None) -> Array:
        """The best response, less the lower bounds."""
        if floor is None:
            return self.pure
        return np.asarray(self.pure - floor[self.best] - self.shared @ floor[self.rest])


def _floor(floor: Numbers, exact: bool) -> Array:
    return np.array(floor.values(), object) if exact else floor.floats


def _full(matrix: Any) -> Array:
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())


def _dense(matrix: Sparse) -> Array:
    """The numerators of a sparse matrix as a dense array of Python integers."""
    full = np.zeros(matrix.shape, object)
    full[matrix.rows, matrix.columns] = matrix.entries.numerators.astype(object)
    return full


def _eliminated(choices: Choices, best: Longs, rest: Longs) -> tuple[Sparse, Longs]:
    """R = E_b^-1 E_n and g = E_b^-1 e: the weights of b as functions of those of n and of t.

    The weight of an information set is distributed to its choices; b gets the remainder.
    """
    place = {int(sequence): at for at, sequence in enumerate(rest)}
    row_of = {int(sequence): at for at, sequence in enumerate(best)}
    given: list[dict[int, int]] = [
        {} for _ in range(len(choices))
    ]  # weight as a function of those of n
    pure = np.zeros(len(best), np.int64)
    pure[0] = 1
    for stage in choices.stages:
        look()
        for own in stage.tolist():
            before, first = int(choices.before[own]), int(choices.first[own])
            left = dict(given[before])
            for choice in range(first, first + int(choices.sizes[own])):
                if choice in place:
                    given[choice] = {place[choice]: 1}
                    left[place[choice]] = left.get(place[choice], 0) - 1
                else:
                    mine = choice
            given[mine] = left
            if before in row_of:
                pure[row_of[mine]] = pure[row_of[before]]
    entries = {
        (row, column): -value
        for sequence, row in row_of.items()
        for column, value in given[sequence].items()
        if value
    }
    return Sparse.of(entries, (len(best), len(rest))), pure


SMALL = 40  # pairs up to which pivots are exact from the start
EXACT_FALLBACK = 400  # pairs up to which exact pivots follow where floats have failed
EXACT_ENTRY = 100  # bytes of a large integer entry
MANY = 200  # pairs from which the clock is looked at before every pivot
MOST = 1_000_000  # pivots, in integers
MOST_IN_FLOATS, MOST_PER_PAIR = 10_000, 20  # in floats, and for each pair; more are due to rounding


def find(tree: Tree, options: Options) -> Found:
    """An equilibrium in realization plans."""
    form = sequence_form(tree)
    pairs = sum(form.A.shape)
    options.tell(f"complementarity problem of {pairs:,} pairs")
    check_room(pairs, tree.name)
    if pairs <= SMALL and options.exact is not False:
        return pivot_exactly(form, options)
    posed = problem(form, exact=False)
    path, tableau = follow_path(posed, FloatTableau, options)
    rows, work = form.A.shape[0], {"pivots": path.pivots}
    if path.status is not Status.FOUND and try_exact_pivots(pairs, options):
        return pivot_exactly(form, options)  # floats failed by rounding
    if path.status is Status.FOUND and options.exact is not False:
        options.tell("exact arithmetic")
        played = posed.played(tableau.basis)
        matrices = (form.A, form.B, form.E, form.F)
        proved = certify(matrices, played[:rows], played[rows:], Budget(seconds=options.left))
        if proved is not None:
            return Found(exact_plans(tree, *proved), work)
        if try_exact_pivots(pairs, options):
            return pivot_exactly(form, options)
    weights = np.array(posed.weights(values(tableau)), np.float64)
    return Found(
        plans_from_floats(tree, weights[:rows], weights[rows:]), work, _note(path, options)
    )


def try_exact_pivots(pairs: int, options: Options) -> bool:
    """Should exact pivots be tried where floats have failed?"""
    if options.exact is False or options.over():
        return False
    return pairs <= EXACT_FALLBACK or options.exact is True


def pivot_exactly(form: SequenceForm, options: Options) -> Found:
    """An equilibrium by pivots in integers of any length."""
    check_room(sum(form.A.shape), form.tree.name, EXACT_ENTRY)
    posed = problem(form, exact=True)
    path, tableau = follow_path(posed, ExactTableau, options)
    weights, rows = posed.weights(values(tableau)), form.A.shape[0]
    work = {"pivots": path.pivots}
    if path.status is Status.FOUND:
        x, y = Numbers.of(weights[:rows]), Numbers.of(weights[rows:])
        return Found(exact_plans(form.tree, x, y), work)
    floats = np.array(weights, np.float64)
    return Found(
        plans_from_floats(form.tree, floats[:rows], floats[rows:]), work, _note(path, options)
    )


def _note(path: Path, options: Options) -> str:
    if path.status is not Status.FOUND:
        return f"{path.status.value} after {path.pivots:,} pivots"
    if options.exact is False:
        return ""
    return STOPPED if options.over() else NO_BASIS


def follow_path(
    posed: Problem, kind: type[Tableau[Any]], options: Options
) -> tuple[Path, Tableau[Any]]:
    """Follow the path from t = 0 until the slack 1 - t leaves the basis, at t = 1."""
    size = posed.pairs
    time, slack = 2 * size, 2 * size + 1
    tableau = kind(
        posed.matrix,
        posed.side,
        rows=[*range(size), slack],
        columns=[*range(size, 2 * size), time],
        partner=partners(size, extra=2),
    )
    path = follow(
        tableau,
        entering=time,
        ends={slack},
        most=MOST if kind is ExactTableau else max(MOST_IN_FLOATS, MOST_PER_PAIR * size),
        tick=lambda pivots: options.tell(f"{pivots:,} pivots"),
        stop=options.over,
        every=1 if size > MANY else 16,
    )
    return path, tableau


def certify(
    matrices: tuple[Sparse, Sparse, Sparse, Sparse], x_basic: Bools, y_basic: Bools, budget: Budget
) -> tuple[Numbers, Numbers] | None:
    """The exact weights of a basis for A, B, E, F; None if it is not the basis of a solution.

    Sequences that are played must be best responses: r_i = 0 for the basic x_i are as many
    equations as there are basic y and values p, together with F y = f; likewise for the other
    player. It remains to check that no weight and no r_i is negative.
    """
    one, two, own, other = matrices
    try:
        y = _weights(best_response_matrix(one, own, other), x_basic, y_basic, budget)
        if y is None:
            return None
        x = _weights(best_response_matrix(two.transposed, other, own), y_basic, x_basic, budget)
    except OutOfTime:  # as where the budget runs out
        return None
    return (x, y) if x is not None else None


def basis_system(matrix: Sparse, tight: Bools, basic: Bools) -> tuple[System, Longs, Longs] | None:
    """The square system of a basis, its rows and its columns; None if it is singular.

    ``tight`` are the best-response conditions that hold with equality, ``basic`` the weights that
    may be positive; the equations F y = f and the values p belong to every basis.
    """
    rows = np.concatenate((np.flatnonzero(tight), np.arange(len(tight), matrix.shape[0])))
    columns = np.concatenate((np.flatnonzero(basic), np.arange(len(basic), matrix.shape[1])))
    if len(rows) != len(columns):
        return None
    system = System.part(matrix, rows, columns)
    return None if system is None else (system, rows, columns)


def _weights(matrix: Sparse, tight: Bools, basic: Bools, budget: Budget) -> Numbers | None:
    selected = basis_system(matrix, tight, basic)
    if selected is None:
        return None
    system, rows, columns = selected
    side = (rows == len(tight)).astype(np.int64)  # F y = f: one, then zeros
    solved = system.solve(side, budget)
    if solved is None:
        return None
    found = spread(solved, columns, matrix.shape[1])
    weights = found.take(np.arange(len(basic)))
    losses = matrix.times(found).numerators[: len(tight)]
    if (weights.numerators < 0).any() or (losses < 0).any():
        return None
    return weights.lowest()
