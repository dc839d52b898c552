"""Strategies that are not exact: what rounding does is no difference, no gain and no claim."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from infoset import Play, game, solve
from infoset.analysis.questions import action_values, best_reply, compare, deviation, outcome
from infoset.analysis.questions.answer import rounding
from infoset.games import absent_minded, kuhn, leduc
from infoset.solvers import Solution
from infoset.strategy import Profile, profile, pure, uniform
from infoset.strategy.equivalence import as_behaviour
from tests.analysis.questions.by_hand import bluffing

F = Fraction
ONE = F(1)


@pytest.fixture(scope="module")
def near() -> Solution:
    """Fractions made of floats: an equilibrium but for rounding."""
    found = solve(kuhn(), exact=False)
    assert found.profile.exact  # by the kind of its numbers
    assert not found.exact
    assert 0 < found.regret < 1e-12
    return found


def in_floats(exact: Profile) -> Profile:
    return profile(as_behaviour(strategy).inexact() for strategy in exact)


@game(players=("even", "odd"))
def pennies(g: Play, stake: Fraction = ONE) -> object:
    """Matching pennies for little or for much."""
    first, second = (g.choose(player, ("heads", "tails")) for player in ("even", "odd"))
    return g.win("even" if first == second else "odd", stake)


def test_rounding_goes_with_the_stakes() -> None:
    assert rounding(kuhn().tree()) == F(2, 10**9)
    assert rounding(pennies(stake=F(1, 10**6)).tree()) == F(1, 10**15)


def test_only_the_absent_minded_do_better_than_every_pure_reply() -> None:
    floats = in_floats(bluffing())
    for player in floats.tree.names:
        answer = best_reply(floats, player)
        assert "absent-minded" not in answer.note
        assert answer.gain == 0
        assert list(answer.places) == []
    tree = absent_minded().tree()
    at_random = in_floats(profile(uniform(tree, player) for player in tree.names))
    assert "absent-minded" in best_reply(at_random, "one").note
    assert best_reply(at_random, "one").gain == pytest.approx(-23.5)


def test_noise_is_no_gain() -> None:
    floats = in_floats(solve(leduc()).profile)
    for player in floats.tree.names:
        answer = best_reply(floats, player)
        assert (list(answer.places), answer.gain) == ([], 0)
    tree = kuhn().tree()
    at_random = in_floats(profile(uniform(tree, player) for player in tree.names))
    gains = [one.gain for one in best_reply(at_random, "gambler").places]
    assert sum(gains) == pytest.approx(3 / 8)  # a real one is told
    assert min(gains) > 1e-3


def test_gains_of_small_stakes_are_told() -> None:
    """Stakes below what floats of ordinary stakes may miss: a gain is a gain."""
    tree = pennies(stake=F(1, 10**12)).tree()
    heads = {player: pure(tree, player, {"nothing yet": "heads"}) for player in tree.names}
    answer = best_reply(in_floats(profile(heads)), "odd")
    assert [one.action for one in answer.places] == ["tails"]
    assert answer.gain == pytest.approx(2e-12)
    assert compare(in_floats(profile(heads)), profile(heads)).equilibria == (False, False)


def test_a_solution_in_floats_is_an_equilibrium_up_to_rounding(near: Solution) -> None:
    exact = solve(near.tree)
    for answer in (compare(exact, near), compare(near, exact)):
        assert answer.equilibria == (True, True)
        assert answer.interchangeable is True
    again = compare(near, in_floats(near.profile))
    assert again.same
    assert len(again.differences) == 0


def test_a_solution_that_was_stopped_is_none() -> None:
    """Its own regret is no excuse."""
    stopped = solve(kuhn(), "lcp", seconds=0)
    assert stopped.regret > 0.01
    assert compare(stopped, solve(stopped.tree)).equilibria == (False, True)


def test_equal_actions_are_both_best(near: Solution) -> None:
    answer = action_values(near, "gambler: J")
    assert [one.best for one in answer.actions] == [True, True]
    assert max(one.regret for one in answer.actions) > 0  # or nothing was tested
    other = action_values(near, "gambler: Q")
    assert [one.best for one in other.actions] == [True, False]
    assert "within" not in answer.note
    assert [one.best for one in action_values(near.profile, "dealer: K, bet").actions] == [
        False,
        True,
    ]


def test_what_is_within_the_regret_of_the_solution_is_best() -> None:
    stopped = solve(kuhn(), "lcp", seconds=0)
    for infoset in stopped.tree.infosets:
        answer = action_values(stopped, infoset)
        known = [one for one in answer.actions if one.regret is not None]
        assert [one.best for one in known] == [one.regret <= stopped.regret for one in known]
        assert bool(known) == ("the regret of the solution" in answer.note)


def test_long_fractions_of_floats_are_said_to_be_about_so(near: Solution) -> None:
    answers = (
        action_values(near, "gambler: J"),
        outcome(near),
        outcome(near, "*, bet"),
        deviation(near, "dealer: Q, bet", "pass"),
        best_reply(near, "dealer"),
        best_reply(uniform(near.tree, "dealer"), solution=near),
    )
    for answer in answers:
        assert "digits)" not in str(answer)
        assert "about" in str(answer)
    assert "value about -1;" in answers[0].table.note


def test_exact_answers_are_said_exactly() -> None:
    @game(players=("ann",))
    def long(g: Play) -> object:
        """A fraction that is long, and exact."""
        return F(1, 3**60) * g.choose("ann", (1, 2))

    solution = solve(long())
    assert solution.exact
    for answer in (outcome(solution), best_reply(solution, "ann"), action_values(solution, "#1")):
        assert "a fraction of 29 digits" in str(answer)
        assert "about" not in str(answer)
    told = replace(outcome(solution), exact=False)
    assert "about 4.717964975e-29" in str(told)
