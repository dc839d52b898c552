"""What a walk adds has the right expectation: shown by taking every way in which it can go.

The expectation over all samples is computed exactly but for rounding, and compared with the
definition of counterfactual regret, which is computed on positions by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import games
from infoset.solvers.sampling.infosets import RegretTable
from infoset.solvers.sampling.places import Places, SampledGame, source
from infoset.solvers.sampling.walks import Walk, averaging, external, outcome
from tests.rules.random_games import random_rules
from tests.solvers.sampled.enumerating import (
    Amounts,
    Script,
    counterfactual,
    every_way,
    see_everything,
)

Make = Callable[[Places, Any], Walk]

WALKS: dict[str, Callable[[bool], Make]] = {
    "external": lambda shared: lambda places, luck: external(places, luck, averages=shared),
    "outcome": lambda shared: lambda places, luck: outcome(places, luck, 0.3, averages=shared),
    "outcome at random": lambda shared: (
        lambda places, luck: outcome(places, luck, 1.0, averages=shared)
    ),
}


def some_regrets(table: RegretTable, seed: int) -> Amounts:
    """Any regrets: positive, negative and none, so that some actions are never played."""
    random = Random(seed)
    for row in table.rows:
        row.regrets[:] = [random.choice([-1.0, 0.0, 0.5, 1.0, 3.0]) for _ in row.regrets]
    return {row.key: list(row.regrets) for row in table.rows if row.key is not None}


def expected(
    game: SampledGame, seed: int, make: Make, memory: int
) -> tuple[Amounts, Amounts, Amounts]:
    """The expected additions to regrets and averages by all players' walks; the regrets before.

    With weight 2, by which all that is added must be doubled.
    """
    table = RegretTable()
    places = Places(game.start, game.seats, game.name, table, memory)
    see_everything(places)
    before = some_regrets(table, seed)
    regret: Amounts = {key: [0.0] * len(known) for key, known in before.items()}
    average: Amounts = {key: [0.0] * len(known) for key, known in before.items()}
    for own in range(len(game.seats.players)):

        def walk(script: Script, own: int = own) -> None:
            for row in table.rows:
                assert row.key is not None
                row.regrets[:], row.average[:] = before[row.key], [0.0] * len(row.average)
            make(places, script)(own, 2.0)

        total = 0.0
        for probability in every_way(walk):
            total += probability
            for row in table.rows:
                assert row.key is not None
                for at in range(len(row.regrets)):
                    added = row.regrets[at] - before[row.key][at]
                    regret[row.key][at] += probability * added / 2
                    average[row.key][at] += probability * row.average[at] / 2
        assert total == pytest.approx(1)
    return regret, average, before


def assert_same(found: Amounts, wanted: Amounts) -> None:
    assert found.keys() == wanted.keys()
    for key, amounts in wanted.items():
        assert found[key] == pytest.approx(amounts, abs=1e-9), key


def check(game: SampledGame, seed: int, walk: str, memory: int = 1000) -> None:
    shared = len(game.seats.players) == 2
    regret, average, before = expected(game, seed, WALKS[walk](shared), memory)
    wanted, weights = counterfactual(game.start, game.seats, before)
    assert_same(regret, wanted)
    if not shared:  # the average has plays of its own, which leave regrets alone
        regret, average, _ = expected(game, seed, averaging, memory)
        assert_same(regret, {key: [0.0] * len(known) for key, known in before.items()})
    assert_same(average, weights)


@pytest.mark.parametrize("walk", WALKS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3))
def test_random_games(walk: str, seed: int, players: int) -> None:
    check(source(random_rules(seed, players=players, depth=3)), seed, walk)


@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize("memory", [0, 5])
def test_kuhn_within_runs_of_the_rules(walk: str, memory: int) -> None:
    check(source(games.kuhn()), 7, walk, memory)


@pytest.mark.parametrize("walk", WALKS)
def test_moves_at_once_and_trees(walk: str) -> None:
    check(source(games.goofspiel(cards=3)), 3, walk)
    check(source(games.seltens_horse().tree()), 4, walk)
