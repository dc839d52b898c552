"""Games at the edge: huge and tiny payoffs side by side, nothing to choose, nobody to choose it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from infoset import solve
from infoset.tree import Builder, Tree, matrix_game
from tests.oracles.independent import equilibria, two_by_two
from tests.oracles.published import ALWAYS, methods

F = Fraction
HUGE, TINY = 10**12, F(1, 10**12)
PRIMES = (1_000_003, 998_244_353, 10**9 + 7, 2**61 - 1)

Matrix = Sequence[Sequence[int | Fraction]]

ZERO_SUM: dict[str, Matrix] = {
    "huge and tiny": [[HUGE, -TINY], [-TINY, TINY]],
    "huge differences that are tiny in proportion": [[HUGE, HUGE + TINY], [HUGE + 2 * TINY, HUGE]],
    "5·10⁹": [[5 * 10**9, -1], [-3, 5 * 10**9 + 1]],
    "beyond 64 bits": [[10**30, -1], [-3, 10**30 + 1]],
    "large denominators": [
        [F(1, PRIMES[0]), F(2, PRIMES[1])],
        [F(5, PRIMES[2]), F(-1, PRIMES[3])],
    ],
    "tinier than floats": [[F(1, 10**400), 0], [0, F(2, 10**400)]],
    "nothing at stake": [[0, 0], [0, 0]],
    "always the same": [[7, 7], [7, 7]],
}


@pytest.mark.parametrize("name", ZERO_SUM)
def test_values_of_two_by_two(name: str) -> None:
    (a, b), (c, d) = ZERO_SUM[name]
    value = two_by_two(F(a), F(b), F(c), F(d))
    tree = matrix_game(ZERO_SUM[name]).tree()
    names = methods(tree)
    assert names == [*ALWAYS[1:]]
    for method in names:
        solution = solve(tree, method, exact=True)
        assert (solution.value, solution.certificate) == (value, "exact")
        assert "certificate  exact" in str(solution)


GENERAL: dict[str, tuple[Matrix, Matrix]] = {
    "huge and tiny": ([[HUGE, TINY], [0, 1]], [[TINY, 0], [1, HUGE]]),
    "5·10⁹": ([[5 * 10**9, -1], [-3, 5 * 10**9 + 1]], [[1, 5 * 10**9], [5 * 10**9, 2]]),
    "7·10¹⁵": ([[7 * 10**15, 1], [0, 2]], [[1, 7 * 10**15], [3, 0]]),
    "beyond 64 bits": ([[10**30, -1], [-3, 10**30 + 1]], [[1, 10**30], [10**30, 2]]),
    "large denominators": (
        [[F(1, PRIMES[0]), F(2, PRIMES[1])], [F(5, PRIMES[2]), F(-1, PRIMES[3])]],
        [[F(-3, PRIMES[3]), F(1, PRIMES[0])], [F(1, PRIMES[2]), F(1, PRIMES[1])]],
    ),
    "one counts in millions, one in millionths": ([[10**6, 0], [0, 10**6]], [[0, TINY], [TINY, 0]]),
}


@pytest.mark.parametrize("name", GENERAL)
def test_equilibria_of_two_by_two(name: str) -> None:
    first, second = GENERAL[name]
    known = [(tuple(x), tuple(y)) for x, y in equilibria(first, second)]
    for method in ("lcp", "lemke-howson"):
        solution = solve(matrix_game(first, second), method, exact=True)
        assert solution.regret == 0
        found = [tuple(row.values()) for own in solution.strategy.values() for row in own.values()]
        assert tuple(found) in known


def test_floats_keep_their_promise_on_extreme_payoffs() -> None:
    for first, second in GENERAL.values():
        for method in ("lcp", "lemke-howson"):
            solution = solve(matrix_game(first, second), method, exact=False)
            assert solution.proved
            largest = max(
                abs(F(entry)) for table in (first, second) for row in table for entry in row
            )
            assert 0 <= solution.regret <= largest / 10**6


@pytest.mark.parametrize("method", ["lp", "lcp", "normal-lp", "lemke-howson"])
@pytest.mark.parametrize("digits", [308, 400])
def test_payoffs_beyond_floats(method: str, digits: int) -> None:
    huge = 10**digits
    solution = solve(matrix_game([[huge, -1], [-3, huge + 1]]), method)
    assert solution.value == two_by_two(F(huge), F(-1), F(-3), F(huge + 1))
    assert solution.certificate == "exact"
    assert "certificate  exact" in str(solution)
    assert f"value        5e+{digits - 1} (a fraction of" in str(solution).replace(
        "5.000000000e", "5e"
    )
    approximate = solve(matrix_game([[huge, -1], [-3, huge + 1]]), method, exact=False)
    assert approximate.regret <= F(huge, 10**6)


@pytest.mark.parametrize("method", ["lp", "lcp", "normal-lp", "lemke-howson"])
def test_a_common_denominator_beyond_floats(method: str) -> None:
    """Each payoff is near one; only their common denominator has 600 digits."""
    grid = [
        [1 + F(row - column, 10**9 + 7 * row + 11 * column) for row in range(8)]
        for column in range(8)
    ]
    solution = solve(matrix_game(grid), method)
    assert solution.certificate == "exact"
    assert solution.value == 1  # the game is nearly skew: the last row against the last column
    assert "certificate  exact" in str(solution)


# ---------------------------------------------------------------------- little to choose


def built(players: Sequence[str], grow: Callable[[Builder], None]) -> Tree:
    b = Builder(players, "small")
    grow(b)
    return b.build()


def one_node(b: Builder) -> None:
    b.pay(b.root, [7] * len(b.players))


def only_chance(b: Builder) -> None:
    up, down = b.chance(b.root, {"up": 1, "down": 3})
    b.pay(up, [1] * len(b.players))
    b.pay(down, [5] * len(b.players))


def only_the_last_chooses(b: Builder) -> None:
    low, high = b.decide(b.root, len(b.players) - 1, ("low", "high"))
    b.pay(low, [-1] * len(b.players))
    b.pay(high, [4] * len(b.players))


def one_action(b: Builder) -> None:
    (end,) = b.decide(b.root, 0, ("go",))
    b.pay(end, [4] * len(b.players))


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize(
    ("grow", "payoff"),
    [(one_node, 7), (only_chance, 4), (only_the_last_chooses, 4), (one_action, 4)],
)
def test_games_with_little_in_them(
    count: int, grow: Callable[[Builder], None], payoff: int
) -> None:
    tree = built(("a", "b", "c")[:count], grow)
    names = methods(tree)
    assert "backward" in names
    for name in names:
        solution = solve(tree, name)
        assert set(solution.payoffs.values()) == {payoff}
        assert solution.certificate == "exact"
        assert len(solution.strategy) == count
        assert "certificate  exact" in str(solution)


def test_players_without_information_sets() -> None:
    tree = matrix_game([[3, 1, 2]]).tree()
    assert {solve(tree, name).value for name in methods(tree)} == {1}
    tree = matrix_game([[3], [1]], [[1], [5]]).tree()
    for name in methods(tree):
        assert list(solve(tree, name).payoffs.values()) == [3, 1]


def test_outcomes_that_cannot_happen() -> None:
    """Chance never comes to where everything is at stake; play there is anybody's."""
    b = Builder(("a", "b"), "rare")
    likely, rare, never = b.chance(b.root, ("likely", "rare", "never"), (3, 1, 0))
    for node, amount in ((likely, 1), (rare, -1), (never, 1000)):
        for mine, place in enumerate(b.decide(node, "a", ("l", "r"), infoset="here")):
            left, right = b.decide(place, "b", ("l", "r"), infoset="there")
            b.pay(left, (amount * (mine + 1), -amount * (mine + 1)))
            b.pay(right, (-amount, amount))
    tree = b.build()
    # By hand: "l" pays 1/2 or -1/2, "r" pays 1 or -1/2.
    for name in methods(tree):
        assert solve(tree, name).value == F(-1, 2)


def test_a_player_who_is_never_reached() -> None:
    b = Builder(("a", "b"), "unreached")
    sure, never = b.chance(b.root, ("sure", "never"), (1, 0))
    for place, amount in zip(b.decide(sure, "a", ("l", "r")), (1, 0), strict=True):
        b.pay(place, (amount, 2 * amount))
    for place, amount in zip(b.decide(never, "b", ("x", "y")), (5, 3), strict=True):
        b.pay(place, (-amount, amount))
    tree = b.build()
    for name in methods(tree):
        solution = solve(tree, name)
        assert list(solution.payoffs.values()) == [1, 2]
        assert solution.certificate == "exact"
    answer: Any = solve(tree, "backward").strategy["b"]
    assert list(answer.values()) == [{"x": 1, "y": 0}]  # best there all the same
