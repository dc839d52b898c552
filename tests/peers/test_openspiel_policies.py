"""Policies of OpenSpiel, measured here and there."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; make test-peers installs it")

import pyspiel
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import cfr, exploitability

import infoset
from infoset.tree.openspiel import tree_of_openspiel


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "goofspiel(num_cards=3)"])
def test_uniform_play_is_as_exploitable(name: str) -> None:
    if name.startswith("goofspiel"):
        name = "goofspiel(num_cards=3,imp_info=True,points_order=descending)"
    game = pyspiel.load_game(name)
    policy = policies.UniformRandomPolicy(game)
    ours = infoset.exploitability(tree_of_openspiel(name), policy)
    simultaneous = "SIMULTANEOUS" in str(game.get_type().dynamics)
    turns = pyspiel.convert_to_turn_based(game) if simultaneous else game
    theirs = exploitability.nash_conv(turns, policies.UniformRandomPolicy(turns))
    assert float(ours) == pytest.approx(theirs)


def test_a_policy_that_was_learnt_is_as_exploitable() -> None:
    game = pyspiel.load_game("kuhn_poker")
    solver = cfr.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    ours = infoset.exploitability(tree_of_openspiel("kuhn_poker"), policy)
    assert float(ours) == pytest.approx(exploitability.nash_conv(game, policy))
