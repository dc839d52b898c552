"""Games too large to be pivoted exactly from the start: floats lead, and may not mislead.

Ties, payoffs that hardly differ, and payoffs of very different sizes make floats choose wrong
bases; the answer is exact all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from infoset import solve
from infoset.linear.numbers import Numbers, multiplied
from infoset.linear.pivoting import FloatTableau, Path, Status, Tableau, follow
from infoset.solvers import lcp, lemke_howson
from infoset.strategy import mixed, profile, pure
from infoset.tree import MatrixGame, matrix_game

F = Fraction
SIZES = (21, 24)  # more strategies together than lcp.SMALL

Payoff = Callable[[Random], int | Fraction]

PAYOFFS: dict[str, Payoff] = {
    "ties": lambda random: random.randint(0, 2),
    "mostly nothing": lambda random: random.choice((0, 0, 0, 0, 1, -1)),
    "of every size": lambda random: random.choice(
        (0, 1, -1, 10**12, F(1, 10**12), -(10**12), 5 * 10**9)
    ),
    "alike but for the last digit": lambda random: 10**15 + random.randint(0, 3),
    "beyond 64 bits": lambda random: random.randint(-(10**20), 10**20),
    "fractions": lambda random: F(random.randint(-9, 9), random.randint(1, 9)),
}


def drawn(kind: str, seed: int, zero_sum: bool) -> MatrixGame:
    random, (rows, columns) = Random(seed), SIZES
    first, second = (
        [[PAYOFFS[kind](random) for _ in range(columns)] for _ in range(rows)] for _ in range(2)
    )
    return matrix_game(first, None if zero_sum else second)


@pytest.mark.parametrize("kind", PAYOFFS)
@pytest.mark.parametrize("seed", range(3))
def test_zero_sum_games_have_one_value(kind: str, seed: int) -> None:
    tree = drawn(kind, seed, zero_sum=True).tree()
    assert sum(SIZES) > max(lcp.SMALL, lemke_howson.SMALL)
    solutions = [solve(tree, name) for name in ("lp", "lcp", "normal-lp", "lemke-howson")]
    assert [solution.certificate for solution in solutions] == ["exact"] * 4
    assert len({solution.value for solution in solutions}) == 1


@pytest.mark.parametrize("kind", PAYOFFS)
@pytest.mark.parametrize("seed", range(4))
def test_general_games_are_solved_exactly(kind: str, seed: int) -> None:
    tree = drawn(kind, seed, zero_sum=False).tree()
    for name in ("lcp", "lemke-howson"):
        solution = solve(tree, name)
        assert (solution.certificate, solution.note) == ("exact", "")


@pytest.mark.parametrize("method", ["lcp", "lemke-howson"])
@pytest.mark.parametrize("status", [Status.FOUND, Status.RAY, Status.TOO_MANY])
def test_floats_that_lose_their_way_are_not_followed(
    method: str, status: Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever floats stop, and whatever they take it for, the answer is made again in integers."""

    def astray(tableau: Tableau[Any], *given: Any, **named: Any) -> Path:
        if isinstance(tableau, FloatTableau):
            named["most"] = 3
            path = follow(tableau, *given, **named)
            return Path(status, path.pivots, path.entering, path.leaving)
        return follow(tableau, *given, **named)

    for module in (lcp, lemke_howson):
        monkeypatch.setattr(module, "follow", astray)
    game = drawn("beyond 64 bits", 0, zero_sum=False)
    solution = solve(game, method)
    assert solution.certificate == "exact"
    assert solution.work["pivots"] > 3
    approximate = solve(game, method, exact=False)
    assert approximate.work["pivots"] == 3
    assert approximate.regret > 0


def test_weights_that_numpy_takes_as_unsigned() -> None:
    """Between 2^63 and 2^64 numpy's integers have no sign, and times signed ones become floats."""
    one, two = np.array([3, -1]), np.array([2**63 + 1])
    assert multiplied(one, two).tolist() == [3 * (2**63 + 1), -(2**63) - 1]
    tree = matrix_game([[2, 0], [0, 1]]).tree()
    share = F(2**63 + 1, 2**64 + 13)
    plans = [pure(tree, "row", {"nothing yet": action}) for action in ("row 1", "row 2")]
    answer = [pure(tree, "column", {"nothing yet": f"column {n}"}) for n in (1, 2)]
    own = mixed(tree, "row", {plans[0]: share, plans[1]: 1 - share})
    other = mixed(tree, "column", {answer[0]: 1 - share, answer[1]: share})
    payoffs = profile([own, other]).payoffs
    assert payoffs["row"] == 2 * share * (1 - share) + (1 - share) * share
    assert isinstance(own.weights, Numbers)
