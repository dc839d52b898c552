"""Which beliefs support an equilibrium: published answers, and properties of random games."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Family, Play, game, games, is_subgame_perfect, solve
from infoset.errors import StrategyError
from infoset.linear.cones import cone_point
from infoset.strategy import Behaviour, as_behaviour, behaviour, profile, uniform
from infoset.strategy.assessment import (
    Assessment,
    follows_bayes,
    is_consistent,
    is_sequentially_rational,
)
from infoset.strategy.perfect_bayesian import Supporting, may_be_unreached, supporting
from infoset.strategy.profile import Profile
from infoset.tree import Tree
from tests.rules.random_games import random_rules
from tests.strategy.random_strategies import random_behaviour

F = Fraction
SEEDS = st.integers(0, 10**6)


def playing(tree: Tree, **said: dict[str, str]) -> Profile:
    """Pure strategies: by player, by label, the action; where nothing is said, the first action."""
    strategies = []
    for player in tree.names:
        chosen = {}
        for place in tree.infosets_of(player):
            action = said.get(player, {}).get(place.label, place.actions[0])
            chosen[place] = {action: 1}
        strategies.append(behaviour(tree, player, chosen))
    return profile(strategies)


def check(found: Supporting, given_: Profile) -> None:
    """A yes is shown by an assessment, here examined with the definitions."""
    shown = found.assessment
    if shown is None:
        assert not found.sequential
        assert not found.weak_perfect_bayesian
        return
    assert is_sequentially_rational(shown)
    assert follows_bayes(shown)
    assert shown.profile.payoffs == given_.payoffs
    if found.sequential:
        assert is_consistent(shown)
        assert is_subgame_perfect(shown.profile)


# ---------------------------------------------------------------------- published


def test_an_empty_threat_is_supported_by_no_belief() -> None:
    """Selten 1978: entry is sequential, and staying out for fear of a fight is not."""
    solution = solve(games.entry_game(), "enumerate")
    found = solution.supporting
    assert [one.kind for one in found] == ["sequential", "Nash", "Nash"]
    assert found[1].sequential.holds is found[1].weak_perfect_bayesian.holds is False
    place = found[1].sequential.infoset
    assert place is not None
    assert place.label == "in"


def test_both_pooling_equilibria_of_beer_and_quiche_are_sequential() -> None:
    """Cho & Kreps 1987, section II."""
    solution = solve(games.beer_quiche(), "enumerate")
    for one, found in zip(solution.equilibria, solution.supporting, strict=True):
        assert found.kind == "sequential"
        check(found, one)
        assert found.assessment is not None
        (unsent,) = (
            place for place in solution.tree.infosets_of("receiver") if not one.infoset_reach(place)
        )
        weak = found.assessment.belief(unsent)[1]
        assert weak >= F(1, 2)  # else the receiver would not duel


def test_of_seltens_horse_one_pure_equilibrium_is_sequential() -> None:
    """Kreps & Wilson 1982: (across, across, R), with a belief of at most 1/3 in down."""
    solution = solve(games.seltens_horse(), "pure", most=9)
    across, down = solution.supporting
    assert (across.kind, down.kind) == ("sequential", "Nash")
    assert across.assessment is not None
    believed = across.assessment.belief(solution.tree.infosets_of("three")[0])
    assert believed[1] <= F(1, 3)
    check(across, solution.equilibria[0])
    assert down.sequential.infoset == solution.tree.infosets_of("two")[0]


@game(players=("entrant", "incumbent"))
def entry_of_two_kinds(g: Play) -> object:
    """Mas-Colell, Whinston & Green 1995, example 9.C.4: after entry both choose at once."""
    if g.choose("entrant", ("out", "in")) == "out":
        return 0, 2
    g.reveal("incumbent", "in")
    both = g.together(dict.fromkeys(("entrant", "incumbent"), ("fight", "accommodate")))
    paid = {"ff": (-3, -1), "fa": (1, -2), "af": (-2, -1), "aa": (3, 1)}
    return paid[both["entrant"][0] + both["incumbent"][0]]


def test_a_weak_perfect_bayesian_equilibrium_need_not_be_subgame_perfect() -> None:
    """Mas-Colell, Whinston & Green 1995, figure 9.C.4: out, for fear of a fight that may be right.

    After entry, to accommodate is dominant for the entrant; but where entry never happens, the
    incumbent may believe that the entrant fights.
    """
    solution = solve(entry_of_two_kinds(), "enumerate")
    kinds = {str(one.payoffs["entrant"]): set[str]() for one in solution.equilibria}
    for one, found in zip(solution.equilibria, solution.supporting, strict=True):
        kinds[str(one.payoffs["entrant"])].add(found.kind)
        check(found, one)
    assert kinds == {"3": {"sequential"}, "0": {"weak perfect Bayesian"}}
    out = next(one for one in solution.equilibria if not one.payoffs["entrant"])
    shown = supporting(out).assessment
    assert shown is not None
    assert not is_subgame_perfect(shown.profile)


@game(players=("one", "two"))
def one_does_not_know(g: Play) -> object:
    """After Mas-Colell, Whinston & Green 1995, figure 9.C.5: both mistakes are one mistake."""
    state = g.chance(("left", "right"))
    if g.choose("one", ("stop", "go")) == "stop":
        return 2, 5
    g.reveal("two", "go")
    right = g.choose("two", ("l", "r")) == "r"
    if state == "left":
        return (0, 5) if right else (5, 10)
    return (5, 5) if not right else (0, 2)


def test_a_belief_about_what_the_deviator_does_not_know_is_not_consistent() -> None:
    """Two may believe in 'right' and play r only if one's mistake told it something."""
    tree = one_does_not_know().tree()
    threat = playing(tree, two={"go": "r"})
    assert threat.regret == 0
    found = supporting(threat)
    assert found.weak_perfect_bayesian.holds is False  # l is better for two in both states
    afraid = playing(tree_where_r_is_good_on_the_right(), two={"go": "r"})
    found = supporting(afraid)
    assert found.kind == "weak perfect Bayesian"
    check(found, afraid)


def tree_where_r_is_good_on_the_right() -> Tree:
    @game(players=("one", "two"))
    def doubtful(g: Play) -> object:
        state = g.chance(("left", "right"))
        if g.choose("one", ("stop", "go")) == "stop":
            return 2, 5
        g.reveal("two", "go")
        right = g.choose("two", ("l", "r")) == "r"
        return (0 if right else 5), (6 if right == (state == "right") else 0) + 2 * (not right)

    return doubtful().tree()


@game(players=("sender", "ann", "bob"))
def two_receivers(g: Play) -> object:
    """Two see the same message: ann punishes it if she believes in low, bob if in high."""
    kind = g.chance(("low", "high"))
    g.reveal("sender", kind)
    if g.choose("sender", ("quiet", "loud")) == "quiet":
        return 2, 0, 0
    g.reveal(("ann", "bob"), "loud")
    a = g.choose("ann", ("punish", "praise"))
    b = g.choose("bob", ("punish", "praise"))
    sender = 1 if a == b == "punish" else 3
    ann = 1 if (a == "punish") == (kind == "low") else 0
    bob = 1 if (b == "punish") == (kind == "high") else 0
    return sender, ann, bob


def test_two_who_see_the_same_have_the_same_consistent_belief() -> None:
    """Both punish only if ann believes in low and bob in high, or both are even."""
    quiet = playing(two_receivers().tree())
    assert quiet.regret == 0
    found = supporting(quiet)
    assert found.sequential  # with even odds
    check(found, quiet)

    @game(players=("sender", "ann", "bob"))
    def eager(g: Play) -> object:
        kind = g.chance(("low", "high"))
        g.reveal("sender", kind)
        if g.choose("sender", ("quiet", "loud")) == "quiet":
            return 2, 0, 0
        g.reveal(("ann", "bob"), "loud")
        a = g.choose("ann", ("punish", "praise"))
        b = g.choose("bob", ("punish", "praise"))
        ann = (1 if kind == "low" else 0) if a == "punish" else (2 if kind == "high" else 0)
        bob = (1 if kind == "high" else 0) if b == "punish" else (2 if kind == "low" else 0)
        return (1 if a == b == "punish" else 3), ann, bob

    quiet = playing(eager().tree())  # ann needs 2/3 for low, bob 2/3 for high
    found = supporting(quiet)
    assert found.kind == "weak perfect Bayesian"
    assert found.sequential.holds is False
    check(found, quiet)


def test_what_an_own_plan_excludes_is_completed() -> None:
    """In the centipede game stopping at once is sequential, though the plan says nothing more."""
    solution = solve(games.centipede(), "enumerate")
    found = solution.supporting[0]
    assert found.kind == "sequential"
    assert found.assessment is not None
    everywhere = {
        place.label: strategy[place]["stop"]
        for strategy in found.assessment.profile
        if isinstance(strategy, Behaviour)
        for place in solution.tree.infosets_of(strategy.player)
    }
    assert set(everywhere.values()) == {1}
    assert {one.kind for one in solution.supporting[1:]} == {"Nash"}


def test_what_an_own_plan_excludes_may_have_to_be_mixed() -> None:
    """Who stays out of matching pennies must, once in, mix so that the other is willing to."""

    @game(players=("one", "two"))
    def pennies(g: Play) -> object:
        if g.choose("one", ("out", "in")) == "out":
            return 0, 0
        g.reveal("two", "in")
        shown = g.together(dict.fromkeys(("one", "two"), ("heads", "tails")))
        won = 1 if shown["one"] == shown["two"] else -1
        return won, -2 * won

    solution = solve(pennies(), "enumerate")
    out = next(
        at for at, one in enumerate(solution.equilibria) if one["one"].at(np.array([1])).total == 1
    )
    found = solution.supporting[out]
    assert found.kind == "sequential"
    assert found.assessment is not None
    check(found, solution.equilibria[out])
    later = solution.tree.infosets_of("one")[1]
    assert as_behaviour(found.assessment.profile["one"])[later] == {
        "heads": F(1, 2),
        "tails": F(1, 2),
    }


def test_mixing_where_it_matters_is_excluded_in_a_long_centipede_game() -> None:
    kinds = [one.kind for one in solve(games.centipede(rounds=5), "enumerate").supporting]
    assert kinds == ["sequential", *["Nash"] * (len(kinds) - 1)]


def test_strategies_that_are_complete_can_be_kept_as_they_are() -> None:
    tree = games.centipede().tree()
    stop = {place.label: "stop" for place in tree.infosets}
    last = max(stop, key=len)
    later = playing(tree, one=stop, two={**stop, last: "pass"})
    assert later.regret == 0
    assert supporting(later).kind == "sequential"
    assert supporting(later, fixed=True).kind == "Nash"


# ---------------------------------------------------------------------- what is not examined


def test_floats_imperfect_recall_and_large_trees_are_not_decided() -> None:
    kuhn = solve(games.kuhn())
    floats = profile(as_behaviour(own).inexact() for own in kuhn.verified)
    forgetful = solve(games.absent_minded(), "behaviour").verified
    deep = solve(games.centipede(rounds=1_000), "backward").verified
    cases = ((floats, "floats"), (forgetful, "perfect recall"), (deep, "moves"))
    for one, why in cases:
        found = supporting(one)
        assert found.kind == "not decided"
        assert why in str(found.sequential)
        assert not found.sequential
    with pytest.raises(StrategyError, match="not a profile"):
        supporting("kuhn")  # type: ignore[arg-type]


def test_what_is_no_equilibrium_is_called_so() -> None:
    tree = games.kuhn().tree()
    found = supporting(profile(uniform(tree, player) for player in tree.names))
    assert found.kind == "no equilibrium"
    assert found.weak_perfect_bayesian.holds is False


def test_only_so_many_equilibria_are_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.solvers.evaluation.MOST_EXAMINED", 1)
    solution = solve(games.entry_game(), "enumerate")
    assert [one.kind for one in solution.supporting] == ["sequential", "not decided", "not decided"]
    assert solution.pick(2).supporting[0].kind == "Nash"


# ---------------------------------------------------------------------- random games


def small(family: Family) -> Tree:
    return family().tree()


@settings(max_examples=30)
@given(seed=SEEDS, depth=st.integers(2, 4))
def test_quasi_perfect_equilibria_are_sequential(seed: int, depth: int) -> None:
    """Van Damme 1984: so a method that finds one has to be agreed with."""
    solution = solve(small(random_rules(seed, 2, depth)), "quasi-perfect")
    assert solution.assessment is not None
    whole = solution.assessment.profile
    found = supporting(whole, fixed=True)
    assert found.sequential
    check(found, whole)
    assert supporting(whole).sequential.holds is not False


@settings(max_examples=30)
@given(seed=SEEDS)
def test_verdicts_of_enumerated_equilibria_are_shown(seed: int) -> None:
    solution = solve(small(random_rules(seed, 2, 3)), "enumerate")
    for one, found in zip(solution.equilibria[:5], solution.supporting[:5], strict=True):
        check(found, one)
        if not may_be_unreached(solution.tree):
            assert found.sequential


@settings(max_examples=60)
@given(seed=SEEDS, players=st.integers(2, 3))
def test_what_is_not_subgame_perfect_is_not_sequential(seed: int, players: int) -> None:
    tree = small(random_rules(seed, players, 4))
    random = Random(seed)
    played = profile(random_behaviour(tree, player, random) for player in tree.names)
    found = supporting(played, fixed=True)
    check(found, played)
    if not is_subgame_perfect(played):
        assert found.sequential.holds is False


@settings(max_examples=40)
@given(seed=SEEDS)
def test_a_no_stands_against_beliefs_at_random(seed: int) -> None:
    """If no belief is said to support pure strategies, then none of many supports them."""
    tree = small(random_rules(seed, 2, 3))
    random = Random(seed)
    pure = {
        player: {place: {random.choice(place.actions): 1} for place in tree.infosets_of(player)}
        for player in tree.names
    }
    played = profile(behaviour(tree, player, said) for player, said in pure.items())
    if supporting(played, fixed=True).weak_perfect_bayesian.holds is False:
        for _ in range(20):
            beliefs = tuple(_any_belief(played, place, random) for place in tree.infosets)
            assert not is_sequentially_rational(Assessment(played, beliefs))


def _any_belief(played: Profile, place: Any, random: Random) -> Any:
    from infoset.linear.numbers import Numbers

    implied = played.all_beliefs[place.index]
    if implied is not None:
        return implied
    parts = [random.choice((0, 0, 1, 1, 3)) for _ in place.nodes]
    parts[random.randrange(len(parts))] += 1
    return Numbers.of([F(part, sum(parts)) for part in parts])


@settings(max_examples=60)
@given(
    rows=st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=5),
)
def test_points_of_cones_are_in_them_and_grids_find_no_other(rows: list[list[int]]) -> None:
    found = cone_point(3, [dict(enumerate(row)) for row in rows], [{0: 1, 1: 1, 2: 1}])

    def inside(point: Any) -> bool:
        total = (sum(a * v for a, v in zip(row, point, strict=True)) for row in rows)
        return all(one >= 0 for one in total)

    if found is not None:
        assert inside(found)
        assert sum(found) >= 1
        assert min(found) >= 0
        return
    grid = [(a, b, c) for a in range(5) for b in range(5) for c in range(5) if a + b + c]
    assert not any(map(inside, grid))
