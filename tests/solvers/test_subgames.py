"""Subgame perfection: known answers, and every subgame checked as a game of its own."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import games, solve
from infoset.errors import InfosetError, NotApplicable, NotProved
from infoset.solvers import backward
from infoset.solvers.options import Options
from infoset.solvers.subgame_perfect import find_subgame_perfect
from infoset.strategy import (
    Behaviour,
    Profile,
    as_behaviour,
    behaviour,
    profile,
    pure,
    uniform,
)
from infoset.strategy.subgame_perfect import is_subgame_perfect
from infoset.tree import Builder, Tree, matrix_game
from infoset.tree.subgames import subgame, subgames
from tests.rules.random_games import random_rules

F = Fraction


def found(tree: Tree, method: str | None = None, **options: Any) -> Profile:
    return profile(find_subgame_perfect(tree, Options(**options), method).strategies)


def regrets_below(played: Profile) -> list[Fraction]:
    """By subgame: the largest regret in it, by playing it as a whole game of its own."""
    tree, regrets = played.tree, []
    for root in subgames(tree):
        part = subgame(tree, root)
        strategies = []
        for player, choices in zip(part.tree.names, part.tree.choices, strict=True):
            own = played[player]
            assert isinstance(own, Behaviour)
            probabilities = [F(1)]
            for infoset in part.infosets[choices.infosets].tolist():
                probabilities += own[tree.infosets[infoset]].values()
            strategies.append(Behaviour(part.tree, player, np.array(probabilities, object)))
        regrets.append(profile(strategies).regret)
    return regrets


# ---------------------------------------------------------------------- known answers


def test_selten_1965_the_threat_to_fight_is_not_carried_out() -> None:
    tree = games.entry_game().tree()
    played = found(tree)
    assert played.payoffs == {"entrant": 2, "incumbent": 2}
    assert is_subgame_perfect(played)
    threat = profile(
        [
            pure(tree, "entrant", {"nothing yet": "out"}),
            pure(tree, "incumbent", {"in": "fight"}),
        ]
    )
    assert threat.regret == 0
    fact = is_subgame_perfect(threat)
    assert not fact
    assert fact.nodes == (tree.root.child("in"),)
    assert fact.because == (
        "in the subgame after entrant: in, incumbent would gain 2 by playing otherwise"
    )


def test_what_is_no_equilibrium_at_all_fails_as_a_whole() -> None:
    tree = games.matching_pennies().tree()
    heads = profile([pure(tree, player, {"nothing yet": "heads"}) for player in tree.names])
    fact = is_subgame_perfect(heads)
    assert fact.because.startswith("in the whole game, ")
    assert fact.nodes == (tree.root,)


def test_selten_1975_the_horse_has_nothing_to_cut_off() -> None:
    """Its unreasonable equilibrium is subgame perfect: that is the point of the example."""
    tree = games.seltens_horse().tree()
    moves = {"one": "down", "two": "across", "three": "L"}
    first = {player: tree.infosets_of(player)[0] for player in tree.names}
    perverse = profile(
        [behaviour(tree, player, {first[player]: {move: 1}}) for player, move in moves.items()]
    )
    assert perverse.regret == 0
    assert is_subgame_perfect(perverse).because == "nowhere can anyone gain by playing otherwise"


@pytest.mark.parametrize(
    "game",
    [games.entry_game(markets=3), games.centipede(), games.blair_g1(), games.centipede(rounds=9)],
    ids=str,
)
def test_where_all_is_seen_it_is_backward_induction(game: Any) -> None:
    tree = game.tree()
    by_nodes = backward.find(tree, Options()).strategies
    for own, other in zip(found(tree), by_nodes, strict=True):
        assert own == other.behaviour()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "game",
    [games.goofspiel(), games.goofspiel(cards=4, points=True), games.oshi_zumo()],
    ids=str,
)
def test_rounds_with_open_bids(game: Any) -> None:
    """Symmetric, so worth nothing; the program on the whole tree leaves mistakes off the path."""
    tree = game.tree()
    played = found(tree)
    assert set(played.payoffs.values()) == {0}
    assert played.regret == 0
    assert is_subgame_perfect(played)
    assert len(subgames(tree)) > 5


def test_the_inspection_game_by_recursion() -> None:
    """Each stage a 2 × 2 matrix with the later value in a corner; the same as the whole program."""
    tree = games.inspection(stages=4, inspections=2).tree()
    played = found(tree)
    assert played.regret == 0
    assert played.payoffs[tree.names[0]] == solve(tree, "lp").value
    assert max(regrets_below(played)) == 0


def test_three_players_of_whom_two_move_at_a_time() -> None:
    """Nobody has a method for three, but no part has more than two who move."""
    builder = Builder(("judge", "row", "column"), name="trial")
    for ruling, node in enumerate(builder.decide(builder.root, "judge", ("pennies", "dilemma"))):
        for own, below in enumerate(builder.decide(node, "row", ("a", "b"))):
            for other, leaf in enumerate(
                builder.decide(below, "column", ("a", "b"), infoset=f"column {ruling}")
            ):
                matched = 1 if own == other else -1
                dilemma = ((2, 2), (0, 3), (3, 0), (1, 1))[2 * own + other]
                builder.pay(leaf, (own + other, *((matched, -matched), dilemma)[ruling]))
    tree = builder.build()
    assert len(subgames(tree)) == 3
    work = find_subgame_perfect(tree, Options()).work
    assert dict(work) == {"subgames": 3, "single moves": 1, "by lp": 1, "by lcp": 1}
    played = found(tree)
    # Pennies are worth 0 + 1/2 + 1/2 = 1 to the judge, the dilemma's only equilibrium 2.
    assert played.payoffs == {"judge": 2, "row": 1, "column": 1}
    assert max(regrets_below(played)) == 0


# ---------------------------------------------------------------------- any game


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 2), st.sampled_from([None, "lcp"]))
def test_random_games(seed: int, players: int, method: str | None) -> None:
    tree = random_rules(seed, players, 4)().tree()
    try:
        played = found(tree, method)
    except NotApplicable:
        assert method == "lcp"
        return
    assert played.exact
    regrets = regrets_below(played)
    assert set(regrets) == {0}
    assert is_subgame_perfect(played)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(0, 10**6))
def test_the_check_is_right_about_any_profile(seed: int, players: int, draw: int) -> None:
    """Random pure behaviour, mostly wrong somewhere; the regrets of all subgames decide."""
    tree = random_rules(seed, players, 3)().tree()
    rng = np.random.default_rng(draw)
    strategies = []
    for player in tree.names:
        chosen = {
            infoset: {infoset.actions[rng.integers(len(infoset.actions))]: 1}
            for infoset in tree.infosets_of(player)
        }
        strategies.append(behaviour(tree, player, chosen))
    played = profile(strategies)
    fact, regrets = is_subgame_perfect(played), regrets_below(played)
    assert bool(fact) == (max(regrets) == 0)
    if not fact:
        # It names one that fails, all inside of which hold, and a gain that there is.
        every = subgames(tree)
        at = every.number(fact.nodes[0])
        inside = range(at + 1, int(np.searchsorted(every.roots, every.end[at])))
        assert all(regrets[number] == 0 for number in inside)
        assert regrets[at] > 0
        gain = Fraction(fact.because.split(" would gain ")[1].split()[0])
        assert 0 < gain <= regrets[at] + F(1, 1000)  # long fractions are rounded


def test_a_player_who_forgets_in_one_subgame_only() -> None:
    tree = games.absent_minded().tree()
    played = found(tree)
    assert played.payoffs.keys() == set(tree.names)
    assert is_subgame_perfect(played)


# ---------------------------------------------------------------------- being asked


def test_a_named_method_is_used_where_it_applies() -> None:
    tree = games.goofspiel().tree()
    work = find_subgame_perfect(tree, Options(), "lemke-howson").work
    assert work["by lemke-howson"] == 5
    mixed_kinds = games.entry_game().tree()
    assert "by lcp" not in find_subgame_perfect(mixed_kinds, Options(), "lcp").work
    with pytest.raises(NotApplicable, match="backward does not apply: perfect information"):
        find_subgame_perfect(tree, Options(), "backward")
    with pytest.raises(InfosetError, match="no method 'backwards'"):
        find_subgame_perfect(tree, Options(), "backwards")


def test_without_exactness_the_regret_is_small_and_so_are_the_numbers() -> None:
    tree = games.goofspiel(cards=4, points=True).tree()
    played = profile(find_subgame_perfect(tree, Options(exact=False)).strategies)
    assert 0 <= played.regret < F(1, 10**9)
    weights = [share for own in played for share in as_behaviour(own).probabilities.tolist()]
    assert max(Fraction(share).denominator.bit_length() for share in weights) < 200


def test_when_time_is_over_the_rest_is_even() -> None:
    tree = games.goofspiel(cards=4).tree()
    answer = find_subgame_perfect(tree, Options(seconds=0))
    assert answer.remark.startswith("stopped after 0 of 161 subgames; in the others all actions")
    assert answer.strategies == tuple(uniform(tree, player) for player in tree.names)
    asked = iter([False] * 100 + [True] * 10**6)
    some = find_subgame_perfect(tree, Options(stop=lambda: next(asked)))
    assert some.remark.startswith("stopped after ")
    assert some.strategies != answer.strategies


def test_what_is_rough_only_where_no_play_comes_is_told() -> None:
    """Three players with an irrational equilibrium, in a market that nobody enters."""
    tree = irrational()
    answer = find_subgame_perfect(tree, Options())
    assert answer.work["by qre"] == 1
    assert answer.remark.startswith("1 of 1 different subgames not solved exactly")
    played = profile(answer.strategies)
    assert played.payoffs == {"one": 100, "two": 0, "three": 0}
    assert played.regret == 0
    fact = is_subgame_perfect(played)
    assert not fact
    assert re.search("after one: in, .* would gain [1-9]e-[0-9]+ by", fact.because)
    with pytest.raises(NotProved, match="an exact answer was required in every subgame, but 1 of"):
        find_subgame_perfect(tree, Options(exact=True))
    with pytest.raises(NotProved, match="but stopped after 0 of 2 subgames"):
        find_subgame_perfect(tree, Options(exact=True, seconds=0))


def irrational() -> Tree:
    """A 2 × 2 × 2 game with one equilibrium, an irrational one, after a choice not to play it.

    Nau, Gomez Canovas & Hansen 2004, On the geometry of Nash and correlated equilibria, section 4.
    """
    pays = {
        "LLL": (3, 0, 2), "LLR": (1, 0, 0), "LRL": (0, 2, 0), "LRR": (0, 1, 0),
        "RLL": (0, 1, 0), "RLR": (0, 3, 0), "RRL": (1, 0, 0), "RRR": (2, 0, 3),
    }  # fmt: skip
    builder = Builder(("one", "two", "three"), name="market")
    out, into = builder.decide(builder.root, "one", ("out", "in"))
    builder.pay(out, (100, 0, 0))
    for a, first in zip("LR", builder.decide(into, "one", ("L", "R")), strict=True):
        for b, second in zip("LR", builder.decide(first, "two", ("L", "R"), "two"), strict=True):
            last = builder.decide(second, "three", ("L", "R"), "three")
            for c, leaf in zip("LR", last, strict=True):
                builder.pay(leaf, pays[a + b + c])
    return builder.build()


def test_progress_is_told() -> None:
    said: list[str] = []
    find_subgame_perfect(games.goofspiel().tree(), Options(tick=said.append))
    assert "subgame 10 of 10" in said


def test_equal_parts_are_solved_once_whatever_is_sure() -> None:
    """Two halves that differ by a sure amount for each player, and one that differs by a scale."""
    builder = Builder(("one", "two"), name="halves")
    kinds = ((1, 0, 0), (1, 5, -2), (2, 0, 0))
    for kind, node in enumerate(builder.chance(builder.root, tuple("abc"))):
        scale, first, second = kinds[kind]
        for own, below in enumerate(builder.decide(node, "one", ("h", "t"))):
            for other, leaf in enumerate(builder.decide(below, "two", ("h", "t"), infoset=kind)):
                amount = scale if own == other else -scale
                builder.pay(leaf, (amount + first, second - amount))
    answer = find_subgame_perfect(builder.build(), Options())
    assert dict(answer.work) == {"subgames": 4, "single moves": 1, "by lp": 2}
    played = profile(answer.strategies)
    assert played.payoffs == {"one": F(5, 3), "two": F(-2, 3)}
    assert max(regrets_below(played)) == 0


def test_solve_takes_it() -> None:
    solution = solve(games.goofspiel(), subgame_perfect=True)
    assert solution.exact
    assert is_subgame_perfect(solution.profile)
    plain = solve(games.goofspiel(), "lp")
    assert plain.exact
    assert not is_subgame_perfect(plain.profile)


def test_a_matrix_is_solved_as_it_is() -> None:
    tree = matrix_game([[0, 2], [3, 1]]).tree()
    assert found(tree).payoffs == solve(tree).payoffs


def test_a_game_that_is_over_at_once() -> None:
    builder = Builder(("one", "two"))
    builder.pay(builder.root, (1, F(1, 2)))
    played = found(builder.build())
    assert played.payoffs == {"one": 1, "two": F(1, 2)}
    assert is_subgame_perfect(played)


def test_averages_go_up() -> None:
    """Below a choice chance moves twice."""
    builder = Builder(("one",), name="draws")
    safe, risky = builder.decide(builder.root, "one", ("safe", "risky"))
    builder.pay(safe, (2,))
    for first in builder.chance(risky, (0, 1)):
        for amount, second in zip((0, 9), builder.chance(first, (0, 1), (2, 1)), strict=True):
            builder.pay(second, (amount,))
    tree = builder.build()
    played = found(tree)
    assert played.payoffs == {"one": 3}
    assert played["one"] == behaviour(tree, "one", {tree.infosets[0]: {"risky": 1}})
