"""A limit on time holds on games of extreme shapes: an answer or a refusal, soon after it.

The limit is a fourth of a second, and the allowance for laying out and verifying is generous, in
seconds that are computed: a machine that is busy otherwise changes nothing. Without the care that
is tested here each of these took 10 s or far more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from infoset import profile, solve, uniform
from infoset.errors import InfosetError
from infoset.tree import Builder, Tree

LIMIT, ALLOWANCE = 0.25, 3.5
MANY = tuple(f"player {number}" for number in range(120))


def chain(plies: int, players: tuple[str, ...], chance: bool = False) -> Tree:
    """Players in turn stop or go on; with chance, every other move is a lottery."""
    b = Builder(list(players), f"{plies} moves")
    node = b.root
    for ply in range(plies):
        if chance and ply % 2:
            end, node = b.chance(node, ("end", "on"), (1, 2 + ply % 3))
        else:
            end, node = b.decide(node, players[ply % len(players)], ("stop", "go"))
        amount = ply * 7 % 11
        paid = [ply * (number + 3) % 11 for number in range(len(players))]
        b.pay(end, [amount, -amount] if len(players) == 2 else paid)
    b.pay(node, [0] * len(players))
    return b.build()


def stage(rows: int) -> Tree:
    """Two players move at once."""
    b = Builder(["row", "column"], f"{rows} rows")
    for row, node in enumerate(b.decide(b.root, "row", range(rows))):
        for column, leaf in enumerate(b.decide(node, "column", ("l", "r"), infoset="unseen")):
            b.pay(leaf, [row * (column + 3) % 1009, -(row * (column + 3) % 1009)])
    return b.build()


def crowd() -> Tree:
    """Twelve of 120 players move without seeing anything."""
    b = Builder(list(MANY), "a crowd")
    level = [b.root]
    for number in range(12):
        level = [
            below
            for node in level
            for below in b.decide(node, number, ("l", "r"), infoset=f"{number}")
        ]
    for at, leaf in enumerate(level):
        b.pay(leaf, [at * (number + 3) % 11 for number in range(len(MANY))])
    return b.build()


SHAPES: dict[str, Callable[[], Tree]] = {
    "deep": lambda: chain(8_000, ("one", "two")),
    "deep chance": lambda: chain(20_000, ("one", "two"), chance=True),
    "alone": lambda: chain(12_000, ("one",)),
    "wide": lambda: stage(30_000),
    "many players": lambda: chain(6_000, MANY),
    "a crowd": crowd,
}
CASES = [
    ("deep", "external-sampling"),
    ("deep", "smab"),
    ("deep", "double-oracle-alphabeta"),
    ("deep chance", "discounted-cfr"),
    ("deep chance", "imp-alphabeta"),
    ("alone", "outcome-sampling"),
    ("wide", "double-oracle"),
    ("wide", "discounted-cfr"),
    ("many players", "backward"),
    ("many players", "outcome-sampling"),
    ("many players", "discounted-cfr"),
    ("a crowd", "external-sampling"),
    ("a crowd", "qre"),
]


@contextmanager
def in_time(seconds: float) -> Iterator[None]:
    """Compute no longer than so."""
    began = time.thread_time()
    yield
    assert time.thread_time() - began < seconds


@pytest.fixture(scope="module", params=list(SHAPES))
def shaped(request: pytest.FixtureRequest) -> tuple[str, Tree]:
    name: str = request.param
    return name, SHAPES[name]()


def answered_or_refused(tree: Tree, method: str) -> str:
    """The certificate, or why there is none."""
    try:
        return solve(tree, method, seconds=LIMIT).certificate
    except InfosetError as refused:
        return str(refused)


def test_a_limit_holds(shaped: tuple[str, Tree]) -> None:
    name, tree = shaped
    for shape, method in CASES:
        if shape == name:
            with in_time(LIMIT + ALLOWANCE):
                assert "\n" not in answered_or_refused(tree, method)


def test_payoffs_and_regrets_of_many_players_agree_with_one_by_one() -> None:
    tree = chain(30, MANY[:7])
    together = profile(uniform(tree, player) for player in tree.names)
    for player, response in together.responses.items():
        assert response.value == together.best_response(player).value


def test_sampling_takes_a_tree_with_longer_plays_than_rules_may_have() -> None:
    tree = chain(10_500, ("one", "two"))
    assert solve(tree, "external-sampling", iterations=2).work["iterations"] == 2
