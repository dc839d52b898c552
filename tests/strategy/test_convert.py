"""Strategies given in every way: the same exploitability, on trees and on public forms."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from infoset import best_response, exploitability, regret, solve
from infoset.errors import FileError, InfosetError, ParameterError, StrategyError
from infoset.games import kuhn, leduc, matching_pennies, seltens_horse
from infoset.strategy import (
    Behaviour,
    InformationState,
    Profile,
    PublicStrategy,
    as_mixed,
    as_profile,
    as_strategy,
    behaviour,
    profile,
    pure,
    uniform,
)
from infoset.strategy.files import strategy_csv, write_strategies
from infoset.strategy.models import learned
from infoset.tree.openspiel import SpielPosition
from infoset.tree.positions import tree_of_position
from tests.oracles.public import Seats, public_form_of_tree
from tests.solvers.public.forms import opposed
from tests.solvers.regret.odd_games import generic_tree
from tests.strategy.fake_openspiel import Kuhn, UniformPolicy
from tests.strategy.random_strategies import SEEDS, random_behaviour

F = Fraction
TREE, FORM = kuhn().tree(), kuhn().public()
REGRETS = {"gambler": F(3, 8), "dealer": F(13, 24)}  # of uniform play, computed by hand
LABELS = {name: [one.label for one in TREE.infosets_of(name)] for name in TREE.names}


def by_label(row: Any) -> dict[str, dict[str, Any]]:
    return {name: dict.fromkeys(own, row) for name, own in LABELS.items()}


def network(player: str, state: InformationState, actions: tuple[Any, ...]) -> Any:
    """As a softmax of float32 gives it."""
    scores = np.exp(np.zeros(len(actions), np.float32))
    return scores / scores.sum()


EVEN: dict[str, Callable[[], Any]] = {
    "a Profile": lambda: profile(uniform(TREE, name) for name in TREE.names),
    "Behaviours": lambda: [uniform(TREE, name) for name in TREE.names],
    "Behaviours by player": lambda: {name: uniform(TREE, name) for name in TREE.names},
    "mixed strategies": lambda: {name: as_mixed(uniform(TREE, name)) for name in TREE.names},
    "of an equal tree": lambda: [uniform(kuhn().tree(), name) for name in TREE.names],
    "of the public form": lambda: [PublicStrategy.uniform(FORM, name) for name in FORM.players],
    "labels by player": lambda: by_label({"pass": 0.5, "bet": 0.5}),
    "labels": lambda: {label: [0.5, 0.5] for own in LABELS.values() for label in own},
    "texts": lambda: by_label({"pass": "1/2", "bet": "0.5"}),
    "decimals": lambda: by_label({"pass": Decimal("0.5"), "bet": Decimal("0.5")}),
    "a solution": lambda: SimpleNamespace(strategy=by_label([F(1, 2), F(1, 2)])),
    "a function": lambda: lambda player, state, actions: [1 / len(actions)] * len(actions),
    "a function of actions": lambda: lambda player, state, actions: dict.fromkeys(actions, 0.5),
    "a network": lambda: network,
    "of both kinds": lambda: {"gambler": network, "dealer": uniform(TREE, "dealer")},
}


@pytest.mark.parametrize("kind", EVEN)
@pytest.mark.parametrize("game", [kuhn, kuhn(), TREE, FORM], ids=["family", "game", "tree", "form"])
def test_uniform_play_in_every_way(kind: str, game: Any) -> None:
    given = EVEN[kind]()
    assert regret(game, given) == REGRETS
    assert exploitability(game, given) == F(11, 12)
    assert best_response(game, given, "gambler").value == F(1, 2)


@pytest.mark.parametrize("game", [TREE, FORM], ids=["tree", "form"])
@pytest.mark.parametrize("source", [TREE, FORM], ids=["from tree", "from form"])
def test_files_of_either_kind(game: Any, source: Any, tmp_path: Path) -> None:
    own = as_profile(source, {}, missing="uniform")
    write_strategies(tmp_path / "even.csv", own)
    for path in (tmp_path / "even.csv", str(tmp_path / "even.csv")):
        if game is source:
            assert regret(game, path) == REGRETS
    labels_only = _without_numbers(strategy_csv(own))
    assert regret(game, labels_only) == REGRETS


def _without_numbers(content: str) -> str:
    """The same file with the column of numbers left empty: trees and forms count differently."""
    out = io.StringIO()
    table = csv.writer(out)
    for row in csv.reader(io.StringIO(content)):
        row[2] = row[2] if row[2] == "number" else ""
        table.writerow(row)
    return out.getvalue()


@pytest.mark.parametrize("game", [kuhn(), kuhn(ranks=4)], ids=str)
def test_solutions_are_not_exploitable(game: Any) -> None:
    found = solve(game)
    assert exploitability(game, found) == 0
    assert exploitability(game.public(), found) == 0
    assert exploitability(game, solve(game.public())) < F(1, 10**12)


def test_a_solution_in_floats_has_the_same_regret_on_the_form() -> None:
    found = solve(leduc(), "cfr+", iterations=50)
    here = exploitability(leduc(), found)
    assert isinstance(here, Fraction)
    assert exploitability(leduc().public(fold=False), found) == here == sum(found.regrets.values())
    assert exploitability(leduc().public(), found, exact=False) == pytest.approx(float(here))


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_tree_and_form_agree_on_random_games(seed: int) -> None:
    tree = opposed(generic_tree(seed, 2), F(seed, 3))
    form, dice = public_form_of_tree(tree), random.Random(seed)
    own = {name: random_behaviour(tree, name, dice) for name in tree.names}
    there = {
        name: PublicStrategy.from_probabilities(
            form, name, own[name].probabilities[Seats(tree, number).order()]
        )
        for number, name in enumerate(tree.names)
    }
    assert regret(form, there) == regret(tree, own)
    assert as_profile(form, there).payoffs == as_profile(tree, own).payoffs
    for name in tree.names:
        response = best_response(form, there, name)
        assert response.value == best_response(tree, own, name).value
        replaced = as_profile(form, {**there, name: response.strategy})
        assert replaced.payoffs[name] == response.value


def test_floats_are_rounded_to_parts_of_two_to_the_52() -> None:
    third = by_label([1 / 3, 2 / 3])
    found = as_strategy(TREE, "dealer", third)
    assert isinstance(found, Behaviour)
    assert found.exact
    row = found["Q, bet"]
    assert sum(row.values()) == 1
    assert row["pass"].denominator in [2**k for k in range(53)]
    assert abs(row["pass"] - F(1, 3)) < F(1, 2**50)
    exact = as_strategy(TREE, "dealer", by_label({"pass": 0.1, "bet": 0.9}))
    assert isinstance(exact, Behaviour)
    assert exact["Q, bet"] == {"pass": F(1, 10), "bet": F(9, 10)}


def test_what_a_function_is_told() -> None:
    seen: dict[str, InformationState] = {}

    def watch(player: str, state: InformationState, actions: tuple[Any, ...]) -> Any:
        assert player == state.player
        assert actions == state.legal_actions == ("pass", "bet")
        seen[state] = state
        return [1, 0]

    for game in (TREE, FORM):
        as_profile(game, watch)
        assert set(seen) == {label for own in LABELS.values() for label in own}
        state = seen["J, [pass], bet"]
        assert [str(fact) for fact in state.observations] == ["J", "bet"]
        assert state.past_actions == ("pass",)
        seen.clear()


def test_a_strategy_of_this_game_is_left_as_it_is() -> None:
    dealer = pure(TREE, "dealer", dict.fromkeys(LABELS["dealer"], "bet"))
    assert as_strategy(TREE, "dealer", dealer) is dealer
    both = profile((uniform(TREE, "gambler"), dealer))
    assert as_profile(TREE, both) is both
    assert as_profile(TREE, {"dealer": dealer, "gambler": both["gambler"]})["dealer"] is dealer


def test_more_players_and_any_sum() -> None:
    horse = seltens_horse()
    everyone = as_profile(horse, {}, missing="uniform")
    assert regret(horse, {}, missing="uniform") == everyone.regrets
    assert best_response(horse, {}, "one", missing="uniform").value == F(3, 2)


# ---------------------------------------------------------------------- OpenSpiel


def spiel_tree() -> Any:
    start = SpielPosition.start(Kuhn())
    return tree_of_position(start, start.players, "openspiel:kuhn_poker")


def test_a_policy_of_openspiel() -> None:
    tree = spiel_tree()
    assert regret(tree, UniformPolicy(Kuhn())) == {"player 0": F(3, 8), "player 1": F(13, 24)}
    one = as_strategy(tree, "player 1", UniformPolicy(Kuhn()))
    assert isinstance(one, Behaviour)
    assert one["2b"] == {"Pass": F(1, 2), "Bet": F(1, 2)}


def test_a_policy_needs_a_tree_of_openspiel() -> None:
    with pytest.raises(StrategyError, match="needs the tree of an OpenSpiel game"):
        exploitability(kuhn(), UniformPolicy(Kuhn()))


def test_a_policy_that_plays_what_is_not_legal() -> None:
    class Wrong(UniformPolicy):
        def action_probabilities(
            self, state: Any, player_id: int | None = None
        ) -> dict[int, float]:
            return {7: 1.0}

    with pytest.raises(InfosetError, match="7 a probability, which is not legal at"):
        exploitability(spiel_tree(), Wrong(Kuhn()))


# ---------------------------------------------------------------------- the learned model


def test_any_strategy_is_a_prior() -> None:
    plays = {"J, bet": {"pass": 7, "bet": 2}}
    expected = learned(TREE, "dealer", plays)
    for prior in (network, by_label([0.5, 0.5]), uniform(kuhn().tree(), "dealer")):
        assert learned(TREE, "dealer", plays, prior=prior) == expected
    careful = learned(TREE, "dealer", plays, prior=by_label({"pass": 1}), strength=3)
    assert careful["J, bet"] == {"pass": F(10, 12), "bet": F(2, 12)}


# ---------------------------------------------------------------------- what is refused


def fails(player: str, state: str, actions: Any) -> Any:
    if state == "Q, bet":
        raise KeyError("weights")
    return [0.5, 0.5]


LESS = by_label([0.5, 0.4])
PART = {"dealer": {"Q, bet": {"bet": 1}}, "gambler": uniform(TREE, "gambler")}


@pytest.mark.parametrize("game", [TREE, FORM], ids=["tree", "form"])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (LESS, r"gambler, at '\w.*': the probabilities sum to 9/10, not to 1"),
        (by_label([0.5, 0.5, 0]), r"3 probabilities for 2 actions \(pass, bet\)"),
        (by_label({"pass": 1, "fold": 0}), "no action 'fold'; known: 'bet', 'pass'"),
        (by_label({"pass": -1, "bet": 2}), "'pass' has the probability -1; it must be"),
        (by_label({"pass": float("nan"), "bet": 1}), "the probability nan; it must be a number"),
        (by_label({"pass": "much", "bet": 1}), "the probability 'much'; it must be a number"),
        (by_label("bet"), "'bet' are not probabilities; give a probability for each action"),
        (by_label(3), "3 are not probabilities"),
        (PART, r"dealer, at .*, nor of 4 more: no probabilities; add them, or say .*'uniform'"),
        ({"Q, bte": [1, 0]}, "no information set 'Q, bte'; did you mean 'Q, bet'"),
        ({"dealer": {"Q, bte": [1, 0]}, "gambler": network}, "dealer: no information set 'Q, bte'"),
        (fails, "dealer, at 'Q, bet': the function raised KeyError: 'weights'"),
        (lambda player, state, actions: None, "the function returned None"),
        (3, "3 is not a strategy; give a Behaviour, a mapping"),
        ([3], "3 is not a strategy"),
        ([], "no strategy was given"),
        ([uniform(TREE, "dealer")], "gambler has no strategy; give one for each player"),
        ([uniform(TREE, "dealer")] * 2, "dealer has two strategies"),
        (
            {"gambler": uniform(TREE, "dealer"), "dealer": network},
            "is given a strategy of 'dealer'",
        ),
        ([uniform(seltens_horse().tree(), "one")], "no player 'one'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(game: Any, given: Any, said: str) -> None:
    with pytest.raises(StrategyError, match=said) as refusal:
        exploitability(game, given)
    assert "\n" not in str(refusal.value)
    assert str(refusal.value).startswith("kuhn()")


def test_a_label_of_two_players() -> None:
    with pytest.raises(StrategyError, match=r"both have an information set 'nothing yet'; give"):
        exploitability(matching_pennies(), {"nothing yet": [1, 0]})


def test_no_game_comes_first() -> None:
    with pytest.raises(InfosetError, match=r"is not a game; give .* and the strategies second"):
        best_response(uniform(TREE, "dealer"), "gambler")  # type: ignore[call-overload]


def test_how_to_fill_in_is_checked() -> None:
    with pytest.raises(ParameterError, match="missing='unifrom'; did you mean 'uniform'"):
        exploitability(kuhn(), {}, missing="unifrom")
    with pytest.raises(ParameterError, match="missing=3: "):
        exploitability(kuhn(), {}, missing=3)
    filled = as_profile(kuhn(), PART, missing=by_label({"pass": 1}))
    assert isinstance(filled, Profile)
    assert dict(filled["dealer"])["K, bet"] == {"pass": 1, "bet": 0}  # type: ignore[call-overload]


def test_a_file_that_leaves_sets_out() -> None:
    content = strategy_csv(behaviour(TREE, "dealer", {}))
    less = "".join(line for line in content.splitlines(True) if "K, bet" not in line)
    with pytest.raises(FileError, match=r"no rows of dealer: K, bet \(#\d+\); add them"):
        best_response(kuhn(), less)
    assert best_response(kuhn(), less, missing="uniform").value == F(1, 2)


def test_who_responds_must_be_clear() -> None:
    with pytest.raises(StrategyError, match=r"everyone has one \(say which player responds"):
        best_response(kuhn(), network)
    with pytest.raises(StrategyError, match="dealer has no strategy that gambler could"):
        best_response(kuhn(), [uniform(TREE, "gambler")], "gambler")


def test_questions_take_strategies_and_profiles() -> None:
    from infoset import analysis

    asked = [
        as_profile(kuhn(), network),
        list(as_profile(TREE, network)),
        {one.player: one for one in as_profile(TREE, network)},
    ]
    for subject in asked:
        answer = analysis.beliefs(subject, "dealer: Q, bet")
        assert [node.probability for node in answer.nodes] == [F(1, 2), F(1, 2)]
        assert analysis.action_values(subject, "dealer: Q, bet").value == F(-1, 2)
        assert analysis.outcome(subject, "*, bet").probability == F(1, 2)
