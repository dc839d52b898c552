"""All methods find the same values, at every position, and strategies that prove them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, Solution, game, solve
from infoset.games import goofspiel, matching_pennies, oshi_zumo, scissors_paper_stone
from infoset.rules import Game, Position
from infoset.search.settings import SIMULTANEOUS as METHODS
from infoset.search.simultaneous import (
    backward_induction,
    double_oracle,
    double_oracle_alphabeta,
    smab,
)
from infoset.strategy import behaviour, profile
from infoset.tree import Tree
from infoset.tree.positions import SimultaneousPosition
from infoset.tree.source import source
from tests.search.simultaneous.stacked import ENDLESS, MOST, positions, searcher, stacked

SEARCHES = (backward_induction, smab, double_oracle, double_oracle_alphabeta)
SEEDS = st.integers(0, 10**6)
GAMES = [
    goofspiel(cards=3),
    goofspiel(cards=3, order="ascending", points=True),
    goofspiel(cards=3, order="random"),
    goofspiel(cards=3, order="random", prizes_up=False, points=True),
    goofspiel(cards=3, order="random", prizes_up=False, early_end=True),
    goofspiel(cards=4, early_end=True),
    oshi_zumo(coins=3),
    oshi_zumo(coins=3, min_bid=1, size=2),
    matching_pennies(),
    scissors_paper_stone(),
]


@pytest.mark.parametrize("member", GAMES, ids=repr)
@pytest.mark.parametrize("search", SEARCHES)
def test_every_method_finds_the_sequence_forms_value(member: Game, search: Any) -> None:
    expected = solve(member).value
    whole = member.tree() if member.bounds is None else member
    assert search(whole, exact=True).value == expected
    found = search(whole, compiled=False)
    assert abs(found.value - float(expected)) <= found.evaluation.error < 1e-8
    assert search(member.tree(), exact=True).value == expected


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_every_method_agrees_at_every_position_of_random_games(seed: int, total: int) -> None:
    whole = stacked(seed, depth=2, total=total)
    exact = [searcher(whole, method, exact=True) for method in METHODS]
    floats = [searcher(whole, method) for method in METHODS]
    for position in positions(whole.position()):
        values = [search.value(position, ENDLESS) for search in exact]
        assert len(set(values)) == 1, values
        for search in floats:
            found = search.session.arithmetic.payoff_of(search.value(position, ENDLESS))
            assert abs(found - float(values[0])) < 1e-9, search


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_random_games_have_the_value_of_their_sequence_form(seed: int, total: int) -> None:
    whole = stacked(seed, total=total)
    expected = solve(whole, "lp").payoffs["ann"]
    for search in SEARCHES:
        assert search(whole, exact=True).value == expected
        assert search(whole.tree(), exact=True).value == expected


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_exact_searches_and_floats_look_at_the_same(seed: int) -> None:
    whole = stacked(seed)
    for search in SEARCHES:
        exact, floats = search(whole, exact=True), search(whole)
        for what in ("leaves", "chances", "skipped", "nodes"):
            if search in (backward_induction, smab):  # replies to equal strategies may differ
                assert exact.work[what] == floats.work[what], (search, what)
        assert abs(float(exact.value) - floats.value) <= floats.evaluation.error


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_transpositions_change_no_value(seed: int) -> None:
    whole = stacked(seed)

    def key(position: Position) -> Any:
        return position.view("ann"), position.view("bob")

    for search in SEARCHES:
        plain = search(whole, exact=True).value
        assert search(whole, exact=True, transpositions=True).value == plain
        assert search(whole, exact=True, transpositions=key).value == plain


@pytest.mark.parametrize("search", SEARCHES)
def test_transpositions_save_work_on_stages(search: Any) -> None:
    whole = goofspiel(cards=4, early_end=True)
    plain = search(whole, exact=True, transpositions=False)
    kept = search(whole, exact=True, transpositions=True)
    assert kept.value == plain.value == 0
    assert kept.work["transpositions"] > 0
    looked = ("nodes", "serialized")
    assert sum(kept.work[what] for what in looked) < sum(plain.work[what] for what in looked)


def placed(found: Solution, tree: Tree) -> Any:
    """The decisions of a search at every stage of a tree, as a profile."""
    probabilities: dict[str, dict[Any, Any]] = {player: {} for player in tree.names}
    for position in positions(SimultaneousPosition(tree)):
        if position.over or not position.movers:
            continue
        decided = found.decide(position)
        assert set(decided) == set(position.movers)
        for mover, own in decided.items():
            kind, number = position.view(mover)
            assert kind == "at"
            assert sum(own.values()) == 1
            probabilities[mover][tree.infosets[number]] = own
    return profile(behaviour(tree, player, own) for player, own in probabilities.items())


@pytest.mark.parametrize("search", SEARCHES)
@settings(max_examples=6, deadline=None)
@given(seed=SEEDS)
def test_decisions_are_an_equilibrium(search: Any, seed: int) -> None:
    tree = stacked(seed).tree()
    found = search(tree, exact=True)
    chosen = placed(found, tree)
    assert chosen.exact
    assert chosen.regret == 0
    assert chosen.payoffs["ann"] == found.value


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, static=st.booleans())
def test_decisions_are_an_equilibrium_where_crossed_windows_are_dropped(
    seed: int, static: bool
) -> None:
    tree = stacked(seed).tree()
    found = smab(tree, exact=True, drop_crossed=True, static_bound=static, leaves_first=static)
    chosen = placed(found, tree)
    assert chosen.regret == 0
    assert chosen.payoffs["ann"] == found.value == backward_induction(tree, exact=True).value


@pytest.mark.parametrize("search", SEARCHES)
def test_decisions_of_goofspiel_are_an_equilibrium(search: Any) -> None:
    tree = goofspiel(cards=3, order="random", prizes_up=False, points=True).tree()
    chosen = placed(search(tree, exact=True), tree)
    assert chosen.regret == 0
    assert chosen.payoffs["player 1"] == 0


@pytest.mark.parametrize("search", SEARCHES)
def test_a_decision_is_the_same_by_rules_stages_and_tree(search: Any) -> None:
    whole = goofspiel(cards=3, points=True)
    assert whole.stages is not None
    found = search(whole, exact=True)
    replayed = whole.position().after((3, 1))
    walked = SimultaneousPosition(whole.tree()).after((3, 1))
    stage = whole.stages.after((3, 1))
    assert found.decide(replayed) == found.decide(stage) == found.decide(walked)
    assert found.decide() == found.decide(whole.position())
    assert found.decide(replayed.after((1, 2))) == {}


def test_the_second_player_may_be_named_first() -> None:
    table = {("up", "left"): 3, ("up", "right"): -1, ("down", "left"): -2, ("down", "right"): 1}

    @game(players=("ann", "bob"), bounds=(-3, 3))
    def swapped(g: Play) -> object:
        bob, ann = g.together({"bob": ("left", "right"), "ann": ("up", "down")}).values()
        return table[ann, bob], -table[ann, bob]

    for whole in (swapped(), swapped().tree()):
        for search in SEARCHES:
            found = search(whole, exact=True)
            assert found.value == Fraction(1, 7)
            assert found.decide()["ann"] == {"up": Fraction(3, 7), "down": Fraction(4, 7)}
            assert found.decide()["bob"] == {"left": Fraction(2, 7), "right": Fraction(5, 7)}


def test_the_value_is_the_first_players_where_the_sum_is_not_zero() -> None:
    whole = stacked(5, total=7)
    found = smab(whole, exact=True)
    assert found.value == solve(whole, "lp").payoffs["ann"]
    assert found.value + solve(whole, "lp").payoffs["bob"] == 7
    assert Fraction(7, 2) - 4 <= found.value <= Fraction(7, 2) + 4
    assert source(whole).bounds == (Fraction(-1, 2), Fraction(15, 2))


@settings(max_examples=12, deadline=None)
@given(
    SEEDS,
    st.sampled_from((Fraction(1, 10**12), Fraction(3, 7), Fraction(10**12))),
    st.sampled_from((0, 10**9, Fraction(-1, 10**9))),
)
def test_payoffs_may_be_large_small_or_far_from_nothing(
    seed: int, times: Fraction, plus: Fraction
) -> None:
    """However they are counted, floats are no further off than they say."""

    def pays(amount: Fraction) -> Fraction:
        return times * amount + plus

    whole = stacked(seed, depth=2, total=0)

    @game(players=("ann", "bob"), bounds=(pays(Fraction(-MOST)), pays(Fraction(MOST))))
    def moved(g: Play) -> object:
        paid = whole.rules(g)
        return pays(Fraction(paid[0])), -pays(Fraction(paid[0]))  # type: ignore[index]

    expected = pays(Fraction(backward_induction(whole, exact=True).value))
    for search in SEARCHES:
        found = search(moved())
        assert abs(Fraction(found.value) - expected) <= Fraction(found.evaluation.error), search
        assert found.evaluation.error < 1e-8 * float(times) + 1e-14 * abs(float(plus)) + 1e-18
        assert set(found.decide(next(positions(moved().position())))) <= {"ann", "bob"}
