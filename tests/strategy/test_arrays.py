"""Strategies to and from arrays, and floats that miss 1 by rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from infoset import solve
from infoset.errors import StrategyError
from infoset.games import kuhn, leduc, scissors_paper_stone
from infoset.strategy import behaviour, from_arrays, mixed, pure, to_arrays

THIRDS = {"pass": 0.3333333, "bet": 0.6666666}


@pytest.mark.parametrize("place", [kuhn().tree(), kuhn().public(), leduc().public()], ids=repr)
def test_there_and_back(place: Any) -> None:
    solution = solve(place, exact=None if "kuhn" in place.name else False)
    for player in place.names:
        strategy = solution.strategy[player]
        if place.__class__.__name__ == "PublicForm":
            strategy = solution.evaluation.profile.strategies[place.player_number(player)]
        found = to_arrays(strategy)
        again = from_arrays(place, player, found.probabilities)
        assert to_arrays(from_arrays(place, player, found)).labels == found.labels
        assert to_arrays(again).probabilities == pytest.approx(found.probabilities, abs=1e-12)
        near = to_arrays(strategy, floats=True)
        assert near.probabilities.dtype == np.float64
        rough = from_arrays(place, player, near.probabilities.astype(np.float32))
        for at, label in enumerate(found.labels):
            part = slice(found.offsets[at], found.offsets[at + 1])
            assert dict(zip(found.actions[at], found.probabilities[part], strict=True)) == dict(
                strategy[label]
            )
            own = {action: float(value) for action, value in strategy[label].items()}
            assert {k: float(v) for k, v in rough[label].items()} == pytest.approx(own, abs=1e-6)


def test_arrays_that_do_not_fit() -> None:
    with pytest.raises(StrategyError, match=r"shape \(11,\).*\(12,\)"):
        from_arrays(kuhn(), "dealer", np.ones(11))
    with pytest.raises(StrategyError, match=r"one of shape \(12,\) is wanted"):
        from_arrays(kuhn(), "dealer", [[0.5, 0.5], [1]])
    with pytest.raises(StrategyError, match="sum to"):
        from_arrays(kuhn(), "dealer", np.ones(12))


def test_floats_that_miss_by_rounding() -> None:
    tree = kuhn().tree()
    row = behaviour(tree, "dealer", {"Q, bet": THIRDS}, floats=True)["Q, bet"]
    assert sum(row.values()) == pytest.approx(1, abs=1e-15)
    with pytest.raises(StrategyError, match=r"'Q, bet' miss 1 by 1e-07.*floats=True"):
        behaviour(tree, "dealer", {"Q, bet": THIRDS})
    exact = behaviour(tree, "dealer", {"Q, bet": {"pass": 0.7, "bet": 0.3}})
    assert exact["Q, bet"]["pass"] == Fraction(7, 10)
    with pytest.raises(StrategyError, match="not to 1"):
        behaviour(tree, "dealer", {"Q, bet": {"pass": 0.5, "bet": 0.4}}, floats=True)
    none = behaviour(tree, "dealer", {"Q, bet": {"pass": 1.0, "bet": -1e-17}}, floats=True)
    assert none["Q, bet"] == {"pass": 1, "bet": 0}
    with pytest.raises(StrategyError, match="between 0 and 1"):
        behaviour(tree, "dealer", {"Q, bet": {"pass": 1.1, "bet": -0.1}}, floats=True)


def test_mixtures_that_miss_by_rounding() -> None:
    tree = scissors_paper_stone().tree()
    signs = [pure(tree, "one", {"nothing yet": sign}) for sign in ("scissors", "paper", "stone")]
    thirds = mixed(tree, "one", dict.fromkeys(signs, 0.3333333), floats=True)
    assert sum(thirds.values()) == pytest.approx(1, abs=1e-15)
    with pytest.raises(StrategyError, match=r"miss 1 by .*floats=True"):
        mixed(tree, "one", dict.fromkeys(signs, 1 / 3))


@pytest.mark.parametrize("make", [behaviour, pure, mixed])
def test_a_game_is_not_its_tree(make: Any) -> None:
    with pytest.raises(StrategyError, match=r"kuhn\(\) is not a tree; game\.tree\(\)"):
        make(kuhn(), "dealer", {})
