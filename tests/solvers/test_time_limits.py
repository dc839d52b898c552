"""A limit on time holds for every exact method, on games of any shape: an answer, or one line."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import cache

import pytest

from infoset import matrix_game, solve, uniform
from infoset.clock import limited
from infoset.errors import InfosetError, OutOfTime
from infoset.linear.numbers import Numbers
from infoset.solvers.safe import safe
from infoset.tree import Builder, Tree

LIMIT = 0.25
ALLOWED = 6.0  # seconds of computing time; how long other processes take does not count


def chain(
    plies: int, players: tuple[str, ...], *, zero: bool = False, hidden: bool = False
) -> Tree:
    """Players in turn stop or go on; hidden, only the first one knows which of two chains it is."""
    draw = random.Random(1)
    b = Builder(list(players), f"chain of {plies}")

    def pay(leaf: int) -> None:
        amount = draw.randrange(-9, 10)
        others = [-amount if zero else draw.randrange(-9, 10) for _ in players[1:]]
        b.pay(leaf, [amount, *others])

    for name, node in zip("lr", b.chance(b.root, ("l", "r")) if hidden else [b.root], strict=False):
        for ply in range(plies):
            who = ply % len(players)
            known = f"{ply}{name if who == 0 or not hidden else ''}"
            stop, node = b.decide(node, players[who], ("stop", "go"), infoset=known)
            pay(stop)
        pay(node)
    return b.build()


def wide(actions: int, replies: int) -> Tree:
    """One chooses among many actions, two does not see which."""
    draw = random.Random(1)
    b = Builder(["one", "two"], f"{actions} actions")
    for node in b.decide(b.root, "one", tuple(map(str, range(actions)))):
        for leaf in b.decide(node, "two", tuple(map(str, range(replies))), infoset="two"):
            paid = draw.randrange(-1000, 1000)
            b.pay(leaf, [paid, -paid])
    return b.build()


def bimatrix(size: int) -> Tree:
    draw = random.Random(1)
    one, two = ([[draw.randrange(1000) for _ in range(size)] for _ in range(size)] for _ in "12")
    return matrix_game(one, two).tree()


TWO = ("one", "two")
GAMES: dict[str, Callable[[], Tree]] = {
    "deep": lambda: chain(20_000, TWO),
    "hidden": lambda: chain(2_000, TWO, hidden=True),
    "hidden zero-sum": lambda: chain(2_000, TWO, zero=True, hidden=True),
    "alone": lambda: chain(2_000, ("one",), hidden=True),
    "wide": lambda: wide(40_000, 5),
    "many": lambda: chain(240, tuple(f"player {n}" for n in range(120)), hidden=True),
    "square": lambda: bimatrix(300),
    "smaller square": lambda: bimatrix(150),
}
CASES = {
    "deep": ("max-min", "lcp", "wilson", "pure"),
    "hidden": ("lcp", "enumerate", "pure", "cce", "max-min", "wilson"),
    "hidden zero-sum": ("lp", "quasi-perfect", "safe"),
    "alone": ("cce", "behaviour"),
    "wide": ("lp", "normal-lp", "quasi-perfect"),
    "many": ("behaviour", "max-min", "qre"),
    "square": ("efce", "cce", "lemke-howson", "qre"),
    "smaller square": ("enumerate",),
}


@cache
def tree_of(name: str) -> Tree:
    return GAMES[name]()


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Loops that a first run compiles, which takes long and does not count."""
    small = bimatrix(3)
    solve(small, "enumerate")
    solve(bimatrix(25), "lcp")  # in floats
    solve(small, "discounted-cfr", iterations=1)
    solve(wide(2, 2), "discounted-cfr", iterations=1)


@pytest.mark.parametrize(
    ("name", "method"), [(name, method) for name, methods in CASES.items() for method in methods]
)
def test_an_exact_method_answers_or_refuses_in_time(name: str, method: str) -> None:
    tree = tree_of(name)
    began = time.process_time()
    try:
        if method == "safe":
            solution = safe(uniform(tree, "two"), seconds=LIMIT)
        else:
            solution = solve(tree, method, seconds=LIMIT)
        assert solution.regret >= 0
    except InfosetError as refused:
        said = str(refused)
        assert tree.name in said
        assert "\n" not in said
        if isinstance(refused, OutOfTime):
            assert f"{LIMIT:g} s" in said
            assert "allow more seconds" in said
    assert time.process_time() - began < ALLOWED


def test_a_refusal_says_what_was_reached_and_what_to_take_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("infoset.solvers.options.LATEST", 0.0)
    tree = tree_of("hidden")
    with pytest.raises(OutOfTime, match=r"8,003 nodes and 6,002 sequences.*discounted-cfr"):
        solve(tree, "lcp", seconds=0)


def test_arithmetic_with_long_numbers_stops_at_the_limit() -> None:
    long = Numbers.of([10**4_000 + at for at in range(2_000)])
    with limited(0), pytest.raises(OutOfTime):
        long.times(long)
    assert long.times(long)[0] == 10**8_000
