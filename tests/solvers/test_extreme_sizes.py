"""Methods that cannot take a deep tree say so at once, with the size and the alternative."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from infoset import solve
from infoset.analysis import pareto
from infoset.errors import TooLarge
from infoset.forms import normal_form
from infoset.solvers.registry import choose
from infoset.tree import Builder, Tree


def chain(plies: int, players: tuple[str, ...] = ("one", "two")) -> Tree:
    """Players in turn stop or go on."""
    b = Builder(list(players), f"chain of {plies}")
    node = b.root
    for ply in range(plies):
        stop, node = b.decide(node, players[ply % len(players)], ("stop", "go"))
        b.pay(stop, [(ply * (number + 3)) % 11 for number in range(len(players))])
    b.pay(node, [1] * len(players))
    return b.build()


@pytest.mark.parametrize("method", ["quasi-perfect", "enumerate", "ce", "efce", "efcce", "qre"])
def test_a_deep_tree_is_refused_at_once(method: str) -> None:
    tree = chain(20_000)
    began = time.process_time()
    with pytest.raises(TooLarge, match=r"[0-9]{1,3},[0-9]{3}"):
        solve(tree, method)
    assert time.process_time() - began < 15


def test_one_player_with_many_choices_in_a_row() -> None:
    with pytest.raises(TooLarge, match="20,000 own choices"):
        solve(chain(20_000, ("one",)), "quasi-perfect")


def test_no_method_is_chosen_that_would_refuse_long_plays() -> None:
    """Three players without perfect information: qre by default, unless one has long plays."""
    for plies, method in ((30, "qre"), (1_800, "discounted-cfr")):
        b = Builder(("one", "two", "three"), "hidden last move")
        node = b.root
        for ply in range(plies):
            stop, node = b.decide(node, ply % 3, ("stop", "go"))
            b.pay(stop, (ply % 7, ply % 5, ply % 3))
        for end in b.decide(node, 0, ("left", "right")):
            for amount, leaf in enumerate(b.decide(end, 1, ("left", "right"), infoset="unseen")):
                b.pay(leaf, (amount, 1 - amount, 0))
        assert choose(b.build(), None)[0].name == method


@pytest.mark.parametrize("ask", [lambda tree: solve(tree, "ce"), normal_form, pareto])
def test_many_players_are_refused_in_a_short_line(ask: Callable[[Tree], object]) -> None:
    """The size of the normal form of thirty players is one number, not thirty."""
    tree = chain(30, tuple(f"player {number}" for number in range(1, 31)))
    with pytest.raises(TooLarge, match=r"2\^30") as refused:
        ask(tree)
    assert len(str(refused.value)) < 150
