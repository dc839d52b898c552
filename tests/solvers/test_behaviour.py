"""Best behaviour strategies and equilibria in them: published answers, proofs, random games."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game, games
from infoset.errors import NoEquilibrium
from infoset.linear.numbers import Numbers
from infoset.solvers import lemke_howson
from infoset.solvers.behaviour import nonexistence, solver
from infoset.solvers.behaviour.candidates import BehaviourAgents
from infoset.solvers.behaviour.nonexistence import (
    NonexistenceProof,
    prove_nonexistence,
    simple_below,
)
from infoset.solvers.options import Found, Options
from infoset.strategy import as_behaviour, behaviour, profile, uniform
from infoset.strategy.absentminded import maximum, response
from infoset.strategy.absentminded.bernstein import net_size, whole_piece
from infoset.strategy.absentminded.polynomial import payoff_polynomial
from infoset.strategy.absentminded.response import (
    BehaviourResponse,
    behaviour_regrets,
    behaviour_response,
)
from infoset.tree import Tree
from tests.strategy.random_strategies import SEEDS, random_behaviour, random_tree, walked


@game(players=("driver",))
def driver(g: Play, pays: tuple[int, ...] = (0, 4, 1)) -> object:
    """At each junction, all of which look alike: exit for what it pays, or go on."""
    for amount in pays[:-1]:
        if g.choose("driver", ("exit", "go"), knowing="junction") == "exit":
            return amount
    return pays[-1]


@game(players=("driver",))
def two_roads(g: Play) -> object:
    """The driver of Piccione and Rubinstein on one of two roads, and another exit on the second."""
    road = g.chance(("north", "south"))
    for amount in (0, 4) if road == "north" else (0, 0, 9):
        if g.choose("driver", ("exit", "go"), knowing=road) == "exit":
            return amount
    return 1 if road == "north" else 0


@game(players=("driver",))
def three_ways(g: Play, best: int = 6) -> object:
    """Three visits, three actions; only all three of them, once each, pay."""
    taken = [g.choose("driver", tuple("abc"), knowing="somewhere") for _ in range(3)]
    return best if len(set(taken)) == 3 else 0


@game(players=("team", "guesser"))
def torn(g: Play, miss: int = 2) -> object:
    """Two parts of a team that cannot agree, against one who guesses: Wichardt's kind of game."""
    first = g.choose("team", ("L", "R"), knowing="first")
    second = g.choose("team", ("L", "R"), knowing="second")
    guess = g.choose("guesser", ("L", "R"))
    if first != second:
        return g.win("guesser", miss)
    return g.win("team" if guess != first else "guesser", 1)


def alone(tree: Tree) -> BehaviourResponse:
    return behaviour_response(tree, 0, tree.chance_reach.take(tree.leaf_indices))


def solved(tree: Tree) -> tuple[Found, dict[str, Fraction]]:
    found = solver.find(tree, Options())
    regrets = behaviour_regrets(profile(found.strategies))
    assert all(regret.proved for regret in regrets.values())
    return found, {player: regret.at_most for player, regret in regrets.items()}


# ---------------------------------------------------------------------- published


def test_piccione_rubinstein_1997_absent_minded_driver() -> None:
    """On the interpretation of decision problems with imperfect recall, example 1."""
    tree = driver().tree()
    found, regrets = solved(tree)
    assert as_behaviour(found.strategies[0])["junction"] == {
        "exit": Fraction(1, 3),
        "go": Fraction(2, 3),
    }
    assert profile(found.strategies).payoffs == {"driver": Fraction(4, 3)}
    assert regrets == {"driver": 0}
    assert "proved" in found.remark


def test_nau_slides_6_behaviour_and_mixed_strategies_differ() -> None:
    tree = games.absent_minded().tree()
    found, regrets = solved(tree)
    one, two = map(as_behaviour, found.strategies)
    assert one["a or b"]["L"] == Fraction(98, 198)
    assert two["nothing yet"]["D"] == 1
    assert regrets == {"one": 0, "two": 0}
    mixed = profile(lemke_howson.find(tree, Options()).strategies)
    assert mixed.payoffs == {"one": 2, "two": 2}  # (R, D)
    assert behaviour_regrets(mixed)["one"].at_most == Fraction(2599, 99) - 2


def test_blair_mutchler_van_lent_1996_figure_2_the_team_gets_a_half() -> None:
    tree = games.blair_g2().tree()
    found, regrets = solved(tree)
    assert profile(found.strategies).payoffs == {"team": Fraction(1, 2)}
    assert regrets == {"team": 0}


def test_two_teams_at_tricks() -> None:
    tree = games.tricks().tree()
    found, regrets = solved(tree)
    assert set(regrets.values()) == {0}
    assert profile(found.strategies).payoffs["north-south"] == Fraction(16, 45)


# ---------------------------------------------------------------------- one player, by hand


@pytest.mark.parametrize(
    ("pays", "go", "value"),
    [
        ((0, 0, 4, 1), Fraction(8, 9), Fraction(256, 243)),  # 4 p² (1 - p) + p³
        ((0, 1, 0), Fraction(1, 2), Fraction(1, 4)),
        ((3, 0, 0), Fraction(0), Fraction(3)),
        ((0, 0, 5), Fraction(1), Fraction(5)),
    ],
)
def test_rational_optima_are_exact(pays: tuple[int, ...], go: Fraction, value: Fraction) -> None:
    best = alone(driver(pays=pays).tree())
    assert best.strategy["junction"]["go"] == go
    assert best.value == best.most == value


def test_two_absent_minded_sets_do_not_disturb_each_other() -> None:
    best = alone(two_roads().tree())
    assert best.strategy["north"]["go"] == Fraction(2, 3)
    assert best.strategy["south"]["go"] == Fraction(2, 3)  # 9 p² (1 - p)
    assert best.value == best.most == (Fraction(4, 3) + Fraction(4, 3)) / 2


def test_three_actions_at_three_visits() -> None:
    best = alone(three_ways().tree())
    assert set(best.strategy["somewhere"].values()) == {Fraction(1, 3)}
    assert best.value == best.most == Fraction(6 * 6, 27)


def test_an_irrational_optimum_is_near_and_the_gap_is_proved() -> None:
    best = alone(driver(pays=(0, 2, 1, 0)).tree())  # 2p(1 - p) + p²(1 - p) = 2p - p² - p³
    exact = (-1 + sqrt(7)) / 3
    assert abs(float(best.strategy["junction"]["go"]) - exact) < 1e-14
    assert 0 < best.most - best.value < Fraction(1, 10**12)


def test_payoffs_beyond_floats() -> None:
    huge = 10**400
    best = alone(driver(pays=(0, 4 * huge, huge)).tree())
    assert best.value == best.most == Fraction(4, 3) * huge


# ---------------------------------------------------------------------- no equilibrium


def test_a_game_without_equilibrium_in_behaviour_strategies() -> None:
    """As in Wichardt 2008: mixed strategies have value 0, behaviour strategies no equilibrium."""
    tree = torn().tree()
    found = solver.find(tree, Options())
    regrets = behaviour_regrets(profile(found.strategies))
    worst = max(regret.at_most for regret in regrets.values())
    assert worst < Fraction(2, 3)  # (√5 - 1)/2 is possible
    assert "there is no equilibrium in behaviour strategies" in found.note
    proof = prove_nonexistence(BehaviourAgents(tree), worst, lambda: False)
    assert proof is not None
    assert proof.complete
    assert 0 < proof.at_least <= worst
    with pytest.raises(NoEquilibrium, match="at least"):
        solver.find(tree, Options(exact=True))


@cache
def excluded_from_torn() -> tuple[Tree, NonexistenceProof | None]:
    tree = torn(miss=1).tree()
    return tree, prove_nonexistence(BehaviourAgents(tree), Fraction(1, 2), lambda: False)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=3, max_size=3))
def test_the_proof_holds_at_every_profile(weights: list[int]) -> None:
    tree, proof = excluded_from_torn()
    assert proof is not None
    team = behaviour(
        tree,
        "team",
        {
            label: {"L": Fraction(weight, 12), "R": 1 - Fraction(weight, 12)}
            for label, weight in zip(("first", "second"), weights[:2], strict=True)
        },
    )
    guess = {"L": Fraction(weights[2], 12), "R": 1 - Fraction(weights[2], 12)}
    guesser = behaviour(tree, "guesser", {"nothing yet": guess})
    assert max(profile((team, guesser)).regrets.values()) >= proof.at_least > 0


def test_nothing_is_excluded_where_there_is_an_equilibrium(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nonexistence, "MOST_BOXES", 30)
    proof = prove_nonexistence(
        BehaviourAgents(games.absent_minded().tree()), Fraction(1), lambda: False
    )
    assert proof is not None
    assert not proof.complete


# ---------------------------------------------------------------------- other games


def test_players_who_remember_get_what_linear_methods_give() -> None:
    found, regrets = solved(games.kuhn().tree())
    assert profile(found.strategies).payoffs["gambler"] == Fraction(-1, 18)
    assert set(regrets.values()) == {0}
    assert "perfect recall" in found.remark


def test_three_players_who_remember() -> None:
    _, regrets = solved(games.seltens_horse().tree())
    assert set(regrets.values()) == {0}


def test_stopped_at_once_it_still_gives_strategies() -> None:
    found = solver.find(torn().tree(), Options(stop=lambda: True))
    assert "stopped" in found.note
    assert len(found.strategies) == 2


def test_too_large_for_nets_the_bound_still_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = two_roads().tree()
    close = alone(tree)
    monkeypatch.setattr(response, "MOST_NET", 0)
    wide = behaviour_response(tree, 0, tree.chance_reach.take(tree.leaf_indices), work=200_000)
    assert wide.value == close.value
    assert close.most <= wide.most < close.most + Fraction(1, 10)


def test_what_is_said_to_be_concave_is() -> None:
    tree = driver(pays=(0, 0, 4, 1)).tree()  # 4p² - 3p³ turns at p = 4/9
    part = payoff_polynomial(tree, 0, tree.chance_reach.take(tree.leaf_indices))
    whole = whole_piece(part)
    halves = whole.halves(0)
    flat = {half.axes[0].corners: half.concave for half in halves}
    assert not whole.concave
    for corners, concave in flat.items():
        assert concave == all(go >= Fraction(4, 9) for _, go in corners)


@pytest.mark.parametrize("pays", [(0, 0, 4, 1), (0, 4, 1), (5, 0, 0, 0, 40, 0, 0)])
def test_no_lucky_start_is_needed(pays: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without climbing the same is proved, also where there are two local maxima."""
    tree = driver(pays=pays).tree()
    best = alone(tree)
    monkeypatch.setattr(maximum, "local_maxima", lambda _: [])
    found = alone(tree)
    assert abs(found.value - best.value) < Fraction(1, 10**12)
    grid = [Fraction(at, 50) for at in range(51)]
    polynomial = payoff_polynomial(tree, 0, tree.chance_reach.take(tree.leaf_indices))
    assert max(polynomial.value({0: [1 - go, go]}) for go in grid) <= found.most
    assert found.most - found.value < Fraction(1, 10**9)


def test_in_cases_the_same_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large net is divided by the actions of sets that are met once."""
    tree = random_tree(21509, 1, depth=5)
    assert net_size(payoff_polynomial(tree, 0, tree.chance_reach.take(tree.leaf_indices))) > 2_000
    whole = alone(tree)
    monkeypatch.setattr(response, "MOST_NET", 1_000)
    divided = alone(tree)
    assert divided.value == divided.most == whole.value == whole.most


# ---------------------------------------------------------------------- random games


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_alone_nothing_random_is_better(seed: int) -> None:
    tree = random_tree(seed, 1, depth=5)
    random = Random(seed)
    best = alone(tree)
    assert profile(best.strategy).payoffs["ann"] == best.value <= best.most
    assert best.most - best.value < Fraction(1, 10**9)
    for _ in range(10):
        other = random_behaviour(tree, "ann", random)
        assert profile(other).payoffs["ann"] <= best.most
        assert walked(tree.root, {"ann": other})[0] <= best.most


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(2, 3))
def test_proved_regrets_are_not_below_any_gain(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    random = Random(seed)
    together = [random_behaviour(tree, player, random) for player in tree.names]
    regrets = behaviour_regrets(profile(together))
    for number, player in enumerate(tree.names):
        now = profile(together).payoffs[player]
        for other in [random_behaviour(tree, player, random) for _ in range(5)]:
            changed = [*together[:number], other, *together[number + 1 :]]
            assert profile(changed).payoffs[player] - now <= regrets[player].at_most
        answered = [*together[:number], regrets[player].response, *together[number + 1 :]]
        gain = profile(answered).payoffs[player] - now
        assert max(gain, 0) == regrets[player].at_least <= regrets[player].at_most


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(2, 3))
def test_the_regret_that_is_given_is_the_regret(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    found, regrets = solved(tree)
    worst = max(regrets.values())
    assert worst == 0 or found.note
    even = behaviour_regrets(profile(uniform(tree, player) for player in tree.names))
    assert worst <= max(regret.at_most for regret in even.values())


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_nets_bound_what_they_stand_for(seed: int) -> None:
    tree = random_tree(seed, 1, depth=5)
    given_ = payoff_polynomial(tree, 0, tree.chance_reach.take(tree.leaf_indices))
    random = Random(seed)
    for part in given_.parts():
        if net_size(part) > 2_000:
            continue
        piece = whole_piece(part)
        assert piece.net.size == net_size(part)
        for _ in range(3):
            point = {
                own: [
                    Fraction(w, 12)
                    for w in np.diff(
                        [0, *sorted(random.choices(range(13), k=len(part.actions(own)) - 1)), 12]
                    ).tolist()
                ]
                for own in part.degrees
            }
            assert piece.least <= part.value(point) <= piece.most
            for number in range(len(piece.axes)):
                halves = piece.halves(number)
                holding = [half for half in halves if half.contains(point)]
                assert holding
                assert all(half.least <= part.value(point) <= half.most for half in holding)
                assert max(half.most for half in halves) <= piece.most


def test_floats_are_taken_as_they_are() -> None:
    tree = games.absent_minded().tree()
    best = behaviour_response(tree, 0, Numbers(np.array([1.0, 1.0, 0.0, 1.0])))
    assert best.value == Fraction(2599, 99)
    assert not best.proved


def test_stopped_the_note_does_not_contradict_the_certificate() -> None:
    """The regret is computed anew; a bound from before the end would be another number."""
    tree = driver(pays=(0, 2, 1, 0)).tree()
    stopped = solver.find(tree, Options(seconds=0))
    assert stopped.note == "stopped before the end"
    assert solver.find(tree, Options()).note.startswith("no behaviour strategy gets more than")


@settings(max_examples=60, deadline=None)
@given(st.fractions(min_value=Fraction(1, 10**30), max_value=10**6))
def test_short_bounds_are_bounds(number: Fraction) -> None:
    short = simple_below(number)
    assert number * Fraction(99, 100) < short <= number
    assert len(str(short)) <= 50


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_polynomials_in_whole_numbers_are_those_in_fractions(seed: int) -> None:
    tree = random_tree(seed, 1)
    given_ = payoff_polynomial(tree, 0, tree.chance_reach.take(tree.leaf_indices))
    random = Random(seed)
    point = {}
    for own in given_.degrees:
        weights = [random.randrange(4) for _ in given_.actions(own)]
        total = sum(weights) or len(weights)
        point[own] = [Fraction(w if sum(weights) else 1, total) for w in weights]
    share = {c: s for own in point for c, s in zip(given_.actions(own), point[own], strict=True)}
    value = Fraction(0)
    for monomial, amount in given_.terms.items():
        part = Fraction(amount, given_.under)
        for choice in monomial:
            part *= share[choice]
        value += part
    assert given_.value(point) == value


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(2, 3))
def test_steps_that_are_left_out_have_the_larger_regret(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    search = solver.EquilibriumSearch(tree, Options())
    search.consider(search.agents.as_fractions(search.agents.uniform()))
    strategies = tuple(random_behaviour(tree, player, Random(seed)) for player in tree.names)
    probabilities = search.agents.as_vector(strategies)
    paid = search.agents.payoffs(probabilities.astype(np.float64)[:, None])[:, 0] * float(
        search.agents.scale
    )
    assert paid == pytest.approx([float(v) for v in profile(strategies).payoffs.values()])
    if search.is_excluded(probabilities):
        worst = max(one.at_most for one in behaviour_regrets(profile(strategies)).values())
        assert search.regret is not None
        assert worst >= search.regret
