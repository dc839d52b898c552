"""The equilibria of a two-player game as a complementarity problem with a starting point.

*Which path.* Lemke's method needs a starting point and a parameter that leads away from it. Here
both mean something (von Stengel, van den Elzen & Talman 2002): there is a prior, in which everyone
chooses uniformly. At time t each player weighs the prior by 1 - t and the other's plan by t:

    E x = e t,   F y = f t,   r = E'p - A (y + (1-t) y0),   s = F'q - B'(x + (1-t) x0).

At t = 0 the answer is each player's best response to the prior; the path leads to t = 1, which is
(10, 11). It cannot run off to infinity: plans are bounded, and then so are the values. Since the
prior gives every action some weight, the equilibrium is one that does not rest on weakly dominated
strategies (it is normal-form perfect).

*Smaller.* p and q are free. Let b be the best responses to the prior, one choice of each set and
the empty one: E_b is square and triangular. So x_b and p are eliminated by hand,

    x_b = E_b^-1 (e t - E_n x_n),     p = E_b^-T (r_b + A_b (y + (1-t) y0)),

and a standard problem is left with as many pairs as there are sequences: basic (x_b, r_n), nonbasic
(r_b, x_n). All coefficients are integers once payoffs and prior are. Ties are common in games, and
are broken lexicographically (:mod:`infoset.linear.pivoting`).

*With floors.* If every sequence must weigh something, x >= l and y >= k, let x and y stand for what
is above the floors: e becomes e - E l and f becomes f - F k, and at time t the other plays
y + t k + (1-t) y0. Since E_b^-1 E is (1, R), the best response becomes g - l_b - R l_n.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.forms.sequence import SequenceForm
from infoset.linear.numbers import Array, Numbers, bound
from infoset.linear.sparse import Sparse
from infoset.strategy import uniform
from infoset.strategy.response import climb
from infoset.tree.choices import Choices

Longs = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Problem:
    """basic = side + matrix (nonbasic, t): a pair for every sequence of either player.

    Variable i is the one of pair i that is basic at the start: the weight of a best response, the
    loss of any other sequence. Variable pairs + i is its partner. A last row is the slack 1 - t.
    """

    matrix: Array  # [pairs + 1, pairs + 1], the last column t
    side: Array  # [pairs + 1]
    best: Bools  # [pair] is it a sequence of the best response to the prior?

    @property
    def pairs(self) -> int:
        """How many: the sequences of both players."""
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
    """The problem of a game, with the uniform prior; in integers or in floats near one.

    ``floors`` are what every sequence of either player weighs at least.
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
    """One player's part: best responses b to the other's prior, the other sequences n."""

    best: Longs  # b
    rest: Longs  # n
    shared: Any  # R = E_b^-1 E_n
    pure: Array  # g = E_b^-1 e: the best response as a plan
    losses: Any  # L = R'A_b - A_n: what each of n loses against b, by the other's sequences
    prior: Array  # the other's plan at t = 0, times ``whole``
    whole: int

    @classmethod
    def of(cls, choices: Choices, payoff: Sparse, prior: Numbers, exact: bool) -> _Side:
        """Respond to the prior; in floats payoffs are brought near to one."""
        _, actions = climb(choices, payoff.times(prior).numerators)
        best = np.concatenate(([0], choices.first + actions))
        rest = np.setdiff1d(np.arange(len(choices)), best)
        shared, pure = _shared_out(choices, best, rest)
        if not exact:
            whole = payoff.entries.numerators
            near_one = Numbers(whole, max(bound(whole), 1))  # floats may have no room for payoffs
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
        """Enter x_b = g t - R x_n and r_n = R'r_b + L (y + (1-t) y0), y_b as it depends on y_n."""
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
        """The best response, less what the floors take of it."""
        if floor is None:
            return self.pure
        return np.asarray(self.pure - floor[self.best] - self.shared @ floor[self.rest])


def _floor(floor: Numbers, exact: bool) -> Array:
    return np.array(floor.values(), object) if exact else floor.floats


def _full(matrix: Any) -> Array:
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())


def _dense(matrix: Sparse) -> Array:
    """The numerators of a sparse matrix as a full array of Python's integers."""
    full = np.zeros(matrix.shape, object)
    full[matrix.rows, matrix.columns] = matrix.entries.numerators.astype(object)
    return full


def _shared_out(choices: Choices, best: Longs, rest: Longs) -> tuple[Sparse, Longs]:
    """R = E_b^-1 E_n and g = E_b^-1 e: how the weights of b follow from those of n and from t.

    What leads to an information set is shared out among its choices: b gets what the others leave.
    """
    place = {int(sequence): at for at, sequence in enumerate(rest)}
    row_of = {int(sequence): at for at, sequence in enumerate(best)}
    given: list[dict[int, int]] = [{} for _ in range(len(choices))]  # weight, in terms of n
    pure = np.zeros(len(best), np.int64)
    pure[0] = 1
    for stage in choices.stages:
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
