"""What Gambit says of our equilibria: its own regret, its own values."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset import games, matrix_game, save, solve
from infoset.tree import Tree
from infoset.tree.files import plain_labels

pygambit = pytest.importorskip("pygambit", reason="pygambit (the extra `gambit`) is not installed")

pytestmark = pytest.mark.filterwarnings("ignore")  # Gambit warns about labels that repeat

GAMES = {
    "kuhn": games.kuhn(ranks=4),
    "poker": games.poker(ranks=3, cash=3),
    "beer_quiche": games.beer_quiche(),
    "inspection": games.inspection(stages=5, inspections=2),
    "koller_megiddo_von_stengel": games.koller_megiddo_von_stengel(),
    "oil_pricing": games.oil_pricing(),
    "goofspiel": games.goofspiel(cards=3),
    "liars_dice": games.liars_dice(sides=2),
    "centipede": games.centipede(),
    "bimatrix": matrix_game([[3, 3], [2, 5], [0, 6]], [[3, 2], [2, 6], [3, 1]]),
}

# Gambit goes through all pure strategies for the regret of a whole strategy.
SMALL = ("beer_quiche", "koller_megiddo_von_stengel", "centipede", "bimatrix")


def gambit_game(tree: Tree, folder: Path) -> Any:
    path = folder / "game.efg"
    save(plain_labels(tree), path)
    return pygambit.read_efg(str(path))


def gambit_profile(game: Any, solution: Any) -> Any:
    """Our behaviour strategies as Gambit's, information sets in the order of the file."""
    made = game.mixed_behavior_profile(rational=True)
    for theirs, strategy in zip(game.players, solution.strategy.values(), strict=True):
        probabilities = iter(strategy.probabilities[1:].tolist())
        ordered = sorted(theirs.infosets, key=lambda infoset: infoset.number)
        for infoset in ordered:
            for action in infoset.actions:
                made[action] = pygambit.Rational(next(probabilities))
    return made


@pytest.mark.parametrize("name", GAMES)
def test_gambit_finds_no_regret_in_our_equilibria(name: str, tmp_path: Path) -> None:
    game = GAMES[name]
    solution = solve(game)
    assert solution.exact
    theirs = gambit_game(game.tree(), tmp_path)
    judged = gambit_profile(theirs, solution)
    for player, amount in zip(theirs.players, solution.payoffs.values(), strict=True):
        assert Fraction(str(judged.payoff(player))) == amount
    assert judged.agent_max_regret() == 0
    if name in SMALL:
        assert judged.max_regret() == 0


@pytest.mark.parametrize("name", ["kuhn", "poker", "inspection", "koller_megiddo_von_stengel"])
def test_gambit_finds_the_same_value(name: str, tmp_path: Path) -> None:
    game = GAMES[name]
    theirs = gambit_game(game.tree(), tmp_path)
    found = pygambit.nash.lp_solve(theirs, rational=True, use_strategic=False).equilibria[0]
    first = next(iter(theirs.players))
    assert Fraction(str(found.payoff(first))) == solve(game).value


def test_gambit_knows_that_a_wrong_strategy_is_wrong(tmp_path: Path) -> None:
    game = GAMES["kuhn"]
    solution = solve(game)
    theirs = gambit_game(game.tree(), tmp_path)
    judged = gambit_profile(theirs, solution)
    first = min(next(iter(theirs.players)).infosets, key=lambda infoset: infoset.number)
    bluff, keep = first.actions
    judged[bluff], judged[keep] = pygambit.Rational(0), pygambit.Rational(1)
    assert judged.agent_max_regret() > 0
