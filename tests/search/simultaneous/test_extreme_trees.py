"""Searches on trees that are very deep or very wide, with a time limit and without."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from infoset import solve
from infoset.errors import OutOfTime
from infoset.tree import Builder, Tree

METHODS = ("backward-induction", "smab", "double-oracle", "double-oracle-alphabeta")


def chain(plies: int) -> Tree:
    """Players in turn stop or go on."""
    b = Builder(["one", "two"], f"chain of {plies}")
    node = b.root
    for ply in range(plies):
        stop, node = b.decide(node, ("one", "two")[ply % 2], ("stop", "go"))
        paid = (-1) ** ply * (ply % 7)
        b.pay(stop, [paid, -paid])
    b.pay(node, [1, -1])
    return b.build()


def wide(actions: int) -> Tree:
    """One chooses among many actions, two does not see which."""
    b = Builder(["one", "two"], f"{actions} actions")
    menu = tuple(map(str, range(actions)))
    for at, node in enumerate(b.decide(b.root, "one", menu)):
        for reply, leaf in enumerate(b.decide(node, "two", ("l", "r"), infoset="two")):
            paid = (at * 7 + reply * 13) % 101
            b.pay(leaf, [paid, -paid])
    return b.build()


@pytest.mark.parametrize("seconds", [None, 10])
@pytest.mark.parametrize("method", METHODS)
def test_the_time_grows_with_the_tree_and_not_with_its_square(method: str, seconds: float) -> None:
    """400 plies took 17 s and 35 s when every decision was a search of its own."""
    tree = chain(400)
    began = time.process_time()
    solution = solve(tree, method, seconds=seconds)
    assert solution.exact
    assert solution.value == solve(tree).value
    assert time.process_time() - began < 10


@pytest.mark.parametrize("method", METHODS)
def test_a_limit_holds_on_a_wide_tree(method: str) -> None:
    tree = wide(20_000)
    began = time.process_time()
    assert solve(tree, method, seconds=0.25).regret >= 0
    assert time.process_time() - began < 15


def test_a_limit_holds_on_a_wide_matrix_of_fractions() -> None:
    """Solving one matrix game in fractions took ten seconds, whatever the limit."""
    b = Builder(["one", "two"], "wide matrix")
    rows, columns = (tuple(map(str, range(size))) for size in (30_000, 8))
    for at, node in enumerate(b.decide(b.root, "one", rows)):
        for reply, leaf in enumerate(b.decide(node, "two", columns, infoset="two")):
            paid = (at * 7919 + reply * 104729 + at * at * reply) % 1009
            b.pay(leaf, [paid, -paid])
    tree, began = b.build(), time.process_time()
    with suppress(OutOfTime):
        solve(tree, "smab", seconds=0.4)
    assert time.process_time() - began < 4
