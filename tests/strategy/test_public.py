"""Strategies on public forms: the same numbers as on the tree of the same game."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from infoset import Play, game
from infoset.errors import ParameterError, StrategyError
from infoset.forms.public.plans import rounded_plan
from infoset.games import kuhn, leduc
from infoset.rules import Game
from infoset.strategy import behaviour, profile
from infoset.strategy.public import PublicProfile, PublicStrategy, public_profile

GAMES = [kuhn(), kuhn(ranks=4), leduc()]


def drawn(game: Game, seed: int) -> tuple[PublicProfile, Any]:
    """Random probabilities, some of them zero, on the public form and on the tree."""
    form, tree, dice = game.public(fold=False), game.tree(), random.Random(seed)
    ours, theirs = [], []
    for number, name in enumerate(form.players):
        local, rows = [Fraction(1)] * form.sequences[number], {}
        for at, one in enumerate(form.decisions[number]):
            begin = int(form.begins[number][at])
            for own, label in enumerate(form.labels[number].at(at)):
                weights = [dice.choice((0, 1, 1, 2, 5)) for _ in one.menu]
                weights[dice.randrange(len(weights))] += 1
                row = [Fraction(weight, sum(weights)) for weight in weights]
                local[begin + own : begin + own + len(row) * len(one) : len(one)] = row
                rows[label] = dict(zip(one.menu, row, strict=True))
        made = np.array(local, object)
        ours.append(PublicStrategy.from_probabilities(form, name, made))
        theirs.append(behaviour(tree, name, rows))
    return PublicProfile(form, (ours[0], ours[1])), profile(theirs)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_form_and_tree_agree(game: Game, seed: int) -> None:
    ours, theirs = drawn(game, seed)
    assert ours.exact
    assert ours.payoffs == theirs.payoffs
    assert ours.regrets == theirs.regrets
    assert ours.regret == theirs.regret
    for name in ours.players:
        assert ours.best_response(name).value == theirs.best_response(name).value


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("who", [(0,), (1,), (0, 1), ()], ids=str)
def test_changes_at_some_sets_are_the_same_on_form_and_tree(game: Game, who: Any) -> None:
    """Payoffs and regrets that are carried over are those that are computed anew."""
    ours, theirs = drawn(game, 11)
    dice, rows, same = random.Random(5), dict[str, Any](), list(theirs)
    for number in who:
        name, labels = ours.players[number], ours.form.labels[number]
        chosen = dice.sample(sorted(labels), 3)
        drawn_rows = {label: _row(dice, len(ours[name][label])) for label in chosen}
        rows[name] = {labels[label]: row for label, row in drawn_rows.items()}
        own = {theirs.tree.find(name, label).index: row for label, row in drawn_rows.items()}
        same[number] = same[number].changed(own)
    changed, expected = ours.changed(rows), profile(same)
    assert changed.exact
    assert (changed.payoffs, changed.regrets) == (expected.payoffs, expected.regrets)
    near = ours.inexact().changed(rows)
    for name in ours.players:
        assert near.payoffs[name] == pytest.approx(float(expected.payoffs[name]), abs=1e-12)
        assert near.regrets[name] == pytest.approx(float(expected.regrets[name]), abs=1e-12)
        assert dict(changed[name]) == {
            label: dict(expected[name][label]) for label in changed[name]
        }


def _row(dice: random.Random, size: int) -> list[Fraction]:
    weights = [dice.choice((0, 1, 2)) for _ in range(size)]
    weights[dice.randrange(size)] += 1
    return [Fraction(one, sum(weights)) for one in weights]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_what_is_expected_at_a_set_agrees(game: Game) -> None:
    ours, theirs = drawn(game, 7)
    for name, labels in zip(ours.players, ours.form.labels, strict=True):
        for label, (decision, at) in labels.items():
            infoset = theirs.tree.find(name, label)
            assert ours.reach(name, decision)[at] == theirs.infoset_reach(infoset)
            taken = ours.probabilities(name, decision)[:, at].tolist()
            assert taken == list(theirs[name][label].values())
            expected = theirs.action_values(infoset)
            after = ours.action_values(name, decision)[:, at].tolist()
            assert after == ([None] * len(after) if expected is None else [*expected.values()])
            average = sum(p * v for p, v in zip(taken, after, strict=True)) if expected else None
            assert ours.values(name, decision)[at] == average


def test_a_best_response_attains_its_value() -> None:
    ours, _ = drawn(leduc(), 3)
    for number, name in enumerate(ours.players):
        response = ours.best_response(name)
        pair = list(ours.strategies)
        pair[number] = response.strategy
        assert PublicProfile(ours.form, (pair[0], pair[1])).payoffs[name] == response.value
        assert set(response.strategy.probabilities(0).reshape(-1).tolist()) <= {0, 1}


def test_beliefs_follow_bayes_rule() -> None:
    """The gambler bets with a jack and a king only, each as often: a queen believes in both."""
    form = kuhn().public()
    gambler = {"J": 1, "Q": 0, "K": 1}
    local = [Fraction(1, 2)] * form.sequences[0]
    for label, (decision, at) in form.labels[0].items():
        if decision == 0:
            begin = int(form.begins[0][0]) + at
            local[begin], local[begin + 3] = Fraction(1 - gambler[label]), Fraction(gambler[label])
    one = PublicStrategy.from_probabilities(form, "gambler", np.array(local, object))
    both = PublicProfile(form, (one, PublicStrategy.uniform(form, "dealer")))
    decision, at = form.labels[1]["Q, bet"]
    found = both.beliefs("dealer", decision, at)
    assert found is not None
    words = {form.labels[0].at(0)[other]: share for (_, other), share in found.items()}
    assert words == {"J": Fraction(1, 2), "K": Fraction(1, 2)}
    decision, at = form.labels[1]["K, pass"]
    found = both.beliefs("dealer", decision, at)
    assert found is not None
    assert [share for share in found.values() if share] == [1]  # nobody passes but the queen
    decision, at = form.labels[1]["Q, pass"]
    assert both.beliefs("dealer", decision, at) is None


def test_beliefs_about_who_has_not_chosen_are_those_of_the_deal() -> None:
    form = kuhn().public()
    pair = [PublicStrategy.uniform(form, name) for name in form.players]
    found = PublicProfile(form, (pair[0], pair[1])).beliefs("gambler", 0, 0)
    assert found is not None
    assert sorted(found.values()) == [Fraction(1, 2), Fraction(1, 2)]


@game(players=("a", "b"), vectorized=True)
def answered(g: Play, options: tuple[str, ...], large: int) -> tuple[Any, Any]:
    """Player b answers always, or after one option seldom."""
    mine, theirs = g.chance((0, 1), (large, large + 1)), g.chance((0, 1), (1, 2))
    g.reveal("a", mine)
    g.reveal("b", theirs)
    if g.choose("a", options) == "seldom":
        answers = g.chance((True, False), (1, 7))
        g.reveal(("a", "b"), answers)
        if not answers:
            return 0, 0
    won = g.map(int.__sub__, mine, theirs)
    return (won, -won) if g.choose("b", ("x", "y")) == "x" else (0, 0)


@pytest.mark.parametrize("options", [("always", "seldom"), ("seldom", "always")])
@pytest.mark.parametrize("large", [1, 2**61, 2**70])
def test_beliefs_are_about_the_choice_that_comes_most_often(
    options: tuple[str, ...], large: int
) -> None:
    form = answered(options=options, large=large).public()
    pair = [PublicStrategy.uniform(form, name) for name in form.players]
    found = PublicProfile(form, (pair[0], pair[1])).beliefs("a", 0, 0)
    assert found is not None
    (decision,) = {decision for decision, _ in found}
    (meeting,) = form.decisions[1][decision].meetings
    assert options[meeting.last[1]] == "always"
    assert sorted(found.values()) == [Fraction(1, 3), Fraction(2, 3)]


def test_floats_are_near_and_their_rounding_is_exact() -> None:
    ours, _ = drawn(leduc(), 5)
    near = ours.inexact()
    assert not near.exact
    for name in ours.players:
        assert near.payoffs[name] == pytest.approx(float(ours.payoffs[name]))
        assert near.regrets[name] == pytest.approx(float(ours.regrets[name]))
    plans = [rounded_plan(ours.form, number, own.plan.floats) for number, own in enumerate(near)]
    proved = public_profile(ours.form, plans, exact=True)
    assert isinstance(proved.regret, Fraction)
    assert float(proved.regret) == pytest.approx(float(ours.regret))


def test_where_the_plan_does_not_come_its_own_probabilities_count() -> None:
    """A player who never passes still has an answer to a bet after its pass."""
    form = kuhn().public()
    local = np.array([Fraction(0)] * form.sequences[0], object)
    local[0] = Fraction(1)
    for decision, one in enumerate(form.decisions[0]):
        begin = int(form.begins[0][decision])
        action = 1 if decision == 0 else 0
        local[begin + action * len(one) : begin + (action + 1) * len(one)] = Fraction(1)
    strategy = PublicStrategy.from_probabilities(form, "gambler", local)
    assert strategy["J, [pass], bet"] == {"pass": 1, "bet": 0}
    floats = PublicStrategy.from_probabilities(form, "gambler", local.astype(np.float64))
    assert floats["J, [pass], bet"] == {"pass": 1, "bet": 0}
    assert strategy.inexact()["J, [pass], bet"] == {"pass": 1.0, "bet": 0.0}


def test_what_is_not_there_is_refused() -> None:
    form = kuhn().public()
    dealer = PublicStrategy.uniform(form, "dealer")
    with pytest.raises(StrategyError, match="no information set 'Q, bte'; did you mean 'Q, bet'"):
        dealer["Q, bte"]
    both = PublicProfile(form, (PublicStrategy.uniform(form, "gambler"), dealer))
    with pytest.raises(ParameterError, match="decision=9: dealer has 2, counted from 0"):
        both.reach("dealer", 9)
    assert len(dealer) == 6
    assert "Q, bet" in dealer
