"""Logit equilibria and where they lead: derivatives, published branches, limits, beliefs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import games
from infoset.errors import NotApplicable, TooLarge
from infoset.solvers.options import Found, Options
from infoset.solvers.qre import solver as qre
from infoset.solvers.qre.limit import LimitTrembles, nearby, simple, strategies
from infoset.solvers.qre.path import LogitAgents, PathPoint, branch, centre
from infoset.strategy import Behaviour, profile
from infoset.strategy.assessment import is_sequentially_rational
from infoset.tree import Builder, Tree
from tests.rules.random_games import random_rules

F = Fraction
HAIR = F(1, 10**30)


def table(payoffs: Mapping[Any, tuple[Any, ...]], name: str = "table") -> Tree:
    """A game of any number of players who choose at once."""
    shape = tuple(1 + max(place[k] for place in payoffs) for k in range(len(next(iter(payoffs)))))
    players = [f"player {k + 1}" for k in range(len(shape))]
    builder = Builder(players, name)
    nodes: dict[tuple[int, ...], int] = {(): builder.root}
    for player, size in zip(players, shape, strict=True):
        nodes = {
            (*place, action): below
            for place, node in nodes.items()
            for action, below in enumerate(
                builder.decide(node, player, [f"s{k}" for k in range(size)], infoset="only")
            )
        }
    for place, node in nodes.items():
        builder.pay(node, payoffs[place])
    return builder.build()


def found(tree: Tree, **options: Any) -> Found:
    return qre.find(tree, Options(**options))


def exactly(tree: Tree) -> Found:
    """The answer, if it is an exact equilibrium in which nobody can gain at any set."""
    answer = found(tree)
    assert profile(answer.strategies).regret == 0
    assert answer.assessment is not None
    rational = is_sequentially_rational(answer.assessment)
    assert rational.gain <= HAIR, rational
    return answer


def probabilities(answer: Found, player: int) -> list[Fraction]:
    strategy = answer.strategies[player]
    assert isinstance(strategy, Behaviour)
    return list(strategy.probabilities[1:])


# ---------------------------------------------------------------------- equations


def some_point(tree: Tree, seed: int) -> tuple[LogitAgents, Any]:
    agents = LogitAgents(tree)
    x = agents.softmax(np.random.default_rng(seed).normal(size=len(agents)))
    return agents, x


@pytest.mark.parametrize(
    "tree",
    [
        games.kuhn(players=3, ranks=4).tree(),
        games.seltens_horse().tree(),
        games.beer_quiche().tree(),
        random_rules(4, players=3, depth=4)().tree(),
    ],
    ids=lambda tree: tree.name,
)
def test_derivatives_against_differences(tree: Tree) -> None:
    agents, x = some_point(tree, 7)
    exact, step = agents.at(x).derivative, 1e-5
    for action in range(0, len(agents), 5):
        moved = np.zeros(len(agents))
        moved[action] = step
        slope = (agents.at(x + moved).payoff - agents.at(x - moved).payoff) / (2 * step)
        assert slope == pytest.approx(exact[:, action], abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_payoffs_and_beliefs_against_the_profile(seed: int) -> None:
    """u(h, a) is what a profile in exact arithmetic says that the action is worth."""
    tree = random_rules(seed, players=3, depth=3)().tree()
    agents, x = some_point(tree, seed)
    worth = agents.at(x)
    rational = nearby(agents, PathPoint(x, 0.0, worth))
    together = profile(strategies(agents, rational))
    least = [min(stake.values()) for stake in tree.leaf_payoffs]
    for infoset in tree.infosets:
        first = int(agents.first[infoset.index])
        mover = int(tree.infoset_player[infoset.index])
        values = together.action_values(infoset)
        assert values is not None
        for at, value in enumerate(values.values()):
            above = float((value - least[mover]) / agents.scales[mover])
            assert worth.payoff[first + at] == pytest.approx(above, abs=1e-9)
        beliefs = together.beliefs(infoset)
        assert beliefs is not None
        for node, belief in beliefs.items():
            assert worth.belief[node.index] == pytest.approx(float(belief), abs=1e-12)


def test_every_point_of_a_branch_is_a_logit_equilibrium() -> None:
    agents = LogitAgents(games.kuhn(players=3, ranks=4).tree())
    for number, point in enumerate(branch(agents)):
        answer = agents.softmax(point.precision * point.evaluation.payoff)
        assert np.abs(np.exp(answer) - np.exp(point.x)).max() < 1e-6
        if number > 25:
            break
    assert point.precision > 10


def test_the_branch_starts_at_random_play() -> None:
    point = centre(LogitAgents(games.kuhn().tree()))
    assert np.exp(point.x) == pytest.approx(0.5)
    assert point.precision == 0


def test_a_branch_that_turns_back() -> None:
    """λ falls for a while on the way to infinity."""
    tree = random_rules(1, players=3, depth=5)().tree()
    precisions = []
    for point in branch(LogitAgents(tree)):
        precisions.append(point.precision)
        if point.precision > 1e3:
            break
    assert any(later < sooner for sooner, later in pairwise(precisions))
    assert precisions[-1] > 1e3


# ---------------------------------------------------------------------- published


def test_seltens_horse_leads_to_the_sequential_equilibrium() -> None:
    """Selten 1975, figure 1: (across, across, R), not (down, across, L)."""
    tree = games.seltens_horse().tree()
    answer = exactly(tree)
    assert [probabilities(answer, player) for player in range(3)] == [[1, 0], [1, 0], [0, 1]]
    assert answer.assessment is not None
    three = tree.infosets_of("three")[0]
    believed = dict(zip(three.nodes, answer.assessment.belief(three), strict=True))
    by_one = next(
        weight
        for node, weight in believed.items()
        if node.parent is not None and node.parent.player == "one"
    )
    assert by_one <= F(1, 3)  # 2 by_one <= 1 - by_one: else three would go left
    assert sum(believed.values()) == 1


@pytest.mark.parametrize("markets", [1, 2, 3])
def test_selten_1978_entrants_enter_and_are_accommodated(markets: int) -> None:
    tree = games.entry_game(markets=markets).tree()
    answer = exactly(tree)
    for strategy in answer.strategies:
        assert isinstance(strategy, Behaviour)
        for row in strategy.values():
            assert row.get("in", row.get("accommodate")) == 1


def test_three_handed_poker_is_mixed_exactly() -> None:
    answer = exactly(games.kuhn(players=3, ranks=4).tree())
    assert any(0 < share < 1 for player in range(3) for share in probabilities(answer, player))


def test_mckelvey_mclennan_1997_nine_equilibria() -> None:
    """A 2 × 2 × 2 game with nine equilibria.

    R. D. McKelvey and A. McLennan, The maximal number of regular totally mixed Nash equilibria,
    1997. While the first two play at random they do not care, so the branch keeps them there.
    """
    paid = {
        (0, 0, 0): (9, 8, 12), (1, 0, 0): (0, 0, 0), (0, 1, 0): (0, 0, 0), (1, 1, 0): (9, 8, 2),
        (0, 0, 1): (0, 0, 0), (1, 0, 1): (3, 4, 6), (0, 1, 1): (3, 4, 6), (1, 1, 1): (0, 0, 0),
    }  # fmt: skip
    answer = exactly(table(paid, "nine"))
    half = [F(1, 2), F(1, 2)]
    assert [probabilities(answer, player) for player in range(3)] == [half, half, [1, 0]]


def test_nau_2004_an_irrational_equilibrium_to_many_digits() -> None:
    """The only equilibrium of this game is irrational.

    R. Nau, S. Gomez Canovas and P. Hansen, On the geometry of Nash equilibria and correlated
    equilibria, 2004, section 4.
    """
    paid = {
        (0, 0, 0): (3, 0, 2), (1, 0, 0): (0, 1, 0), (0, 1, 0): (0, 2, 0), (1, 1, 0): (1, 0, 0),
        (0, 0, 1): (1, 0, 0), (1, 0, 1): (0, 3, 0), (0, 1, 1): (0, 1, 0), (1, 1, 1): (2, 0, 3),
    }  # fmt: skip
    tree = table(paid, "irrational")
    answer = found(tree)
    regret = profile(answer.strategies).regret
    assert 0 < regret < HAIR
    assert answer.note == qre.NO_FRACTIONS
    x, y, z = (float(probabilities(answer, player)[0]) for player in range(3))
    assert 3 * y * z + y * (1 - z) == pytest.approx(  # the first player does not care
        (1 - y) * z + 2 * (1 - y) * (1 - z), abs=1e-12
    )
    assert all(0.01 < share < 0.99 for share in (x, y, z))


# ---------------------------------------------------------------------- any game


def test_one_player_takes_the_best() -> None:
    builder = Builder(["one"])
    for node, amount in zip(
        builder.decide(builder.root, "one", list("abc")), (1, 3, 2), strict=True
    ):
        builder.pay(node, [amount])
    assert probabilities(exactly(builder.build()), 0) == [0, 1, 0]


def test_a_game_without_a_choice() -> None:
    builder = Builder(["one", "two"])
    (node,) = builder.decide(builder.root, "one", ["only"])
    builder.pay(node, [1, 2])
    assert probabilities(exactly(builder.build()), 0) == [1]
    empty = Builder(["one"])
    empty.pay(empty.root, [4])
    assert profile(found(empty.build()).strategies).payoffs == {"one": 4}


def test_where_nothing_matters_play_stays_random() -> None:
    tree = table(dict.fromkeys(product(range(2), repeat=2), (5, 5)))
    assert probabilities(exactly(tree), 0) == [F(1, 2), F(1, 2)]


def test_moves_that_chance_never_makes() -> None:
    builder = Builder(["one"])
    never, surely = builder.chance(builder.root, ["never", "surely"], [0, 1])
    for node in (never, surely):
        for below, amount in zip(builder.decide(node, "one", ["a", "b"]), (1, 2), strict=True):
            builder.pay(below, [amount if node == surely else -amount])
    answer = exactly(builder.build())
    assert probabilities(answer, 0) == [1, 0, 0, 1]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_random_games(seed: int, players: int) -> None:
    tree = random_rules(seed, players=players, depth=3)().tree()
    assume(bool(tree.perfect_recall) and int(tree.menu_sizes.sum()) <= 60)
    answer = found(tree)
    regret = profile(answer.strategies).regret
    assert regret <= F(1, 10**6)
    assert answer.assessment is not None
    assert is_sequentially_rational(answer.assessment).gain <= F(1, 10**6)


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from([(2, 2, 2), (3, 2, 2), (2, 2, 2, 2), (3, 3)]),
    st.randoms(use_true_random=False),
)
def test_random_tables(shape: tuple[int, ...], random: Any) -> None:
    tree = table(
        {
            place: tuple(random.randint(-4, 4) for _ in shape)
            for place in product(*map(range, shape))
        }
    )
    assert profile(found(tree).strategies).regret <= F(1, 10**6)


# ---------------------------------------------------------------------- options and refusals


def test_stopped_it_gives_what_it_has() -> None:
    answer = found(games.kuhn(players=3, ranks=4).tree(), seconds=0)
    assert answer.note == qre.STOPPED
    assert profile(answer.strategies).regret > 0


def test_floats_will_do() -> None:
    answer = found(games.kuhn().tree(), exact=False)
    assert 0 < profile(answer.strategies).regret < F(1, 10**5)


def test_it_tells_how_far_it_is() -> None:
    told: list[str] = []
    found(games.kuhn().tree(), tick=told.append)
    assert told[0] == "lambda 0 over the range of payoffs, regret 1.50e0"
    assert len(told) > 2


def test_forgetful_players_are_refused() -> None:
    with pytest.raises(NotApplicable, match="needs perfect recall"):
        found(games.absent_minded().tree())


def test_too_many_actions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qre, "MOST_ACTIONS", 10)
    with pytest.raises(TooLarge, match=r"24 actions .* more than 10"):
        found(games.kuhn().tree())


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qre, "MOST_PAIRS", 10)
    with pytest.raises(TooLarge, match="pairs of a node and a decision"):
        found(games.kuhn().tree())


# ---------------------------------------------------------------------- rounding


@given(st.integers(1, 300), st.integers(1, 300))
def test_simple_fractions_are_recognized(over: int, under: int) -> None:
    exact = F(over, under)
    assert simple(float(exact), 1e-9) == exact
    assert abs(simple(exact, F(1, 100)) - exact) <= F(1, 100)
    assert simple(exact, 0) == exact


def test_beliefs_in_a_subgame_that_is_not_reached_follow_its_play() -> None:
    """One stays out; after it two and three would match pennies: the third believes in halves."""
    builder = Builder(["one", "two", "three"])
    out, into = builder.decide(builder.root, "one", ["out", "in"])
    builder.pay(out, [1, 0, 0])
    for first, node in enumerate(builder.decide(into, "two", ["H", "T"])):
        for second, below in enumerate(builder.decide(node, "three", ["H", "T"], infoset="three")):
            wins = 2 if first == second else -1
            builder.pay(below, [0, wins, -wins])
    tree = builder.build()
    answer = exactly(tree)
    assert probabilities(answer, 0) == [1, 0]
    assert probabilities(answer, 1) == probabilities(answer, 2) == [F(1, 2), F(1, 2)]
    assert answer.assessment is not None
    assert answer.assessment.belief(tree.infosets_of("three")[0]) == [F(1, 2), F(1, 2)]


def test_trembles_of_the_same_size_keep_their_odds() -> None:
    agents = LogitAgents(games.seltens_horse().tree())
    first, *_, last = [point for point, _ in zip(branch(agents), range(12), strict=False)]
    all_played = np.ones(len(agents), np.bool_)
    odds = LimitTrembles(first, last, all_played).odds(1.0)
    assert all(tau == 1 for row in odds for tau in row)


def test_irrational_where_no_play_comes_is_said() -> None:
    """The equilibrium is exact; off the path someone gains a hair, and the answer says so."""
    tree = random_rules(3008, 3, 3)().tree()
    answer = exactly(tree)
    assert answer.assessment is not None
    gain = is_sequentially_rational(answer.assessment).gain
    assert 0 < gain < Fraction(1, 10**60)
    assert answer.remark == qre.NEARLY
    assert not found(games.seltens_horse().tree()).remark


@pytest.mark.parametrize(
    ("one", "two"),
    [(10**400, 1), (F(1, 10**300), 1), (10**20, F(1, 10**20)), (1, 10**7)],
)
def test_players_with_payoffs_of_another_order(one: Any, two: Any) -> None:
    """Neither floats nor the other one's payoffs set a limit to what a player sees."""
    tree = table({(0, 0): (2 * one, two), (0, 1): (0, 0), (1, 0): (0, 0), (1, 1): (one, 2 * two)})
    assert probabilities(exactly(tree), 0) == [Fraction(2, 3), Fraction(1, 3)]


def test_a_large_number_that_everyone_gets_does_not_matter() -> None:
    most = 10**25
    paid = {(0, 0): (2, 1), (0, 1): (0, 0), (1, 0): (0, 0), (1, 1): (1, 2)}
    tree = table({place: (a + most, b + most) for place, (a, b) in paid.items()})
    assert probabilities(exactly(tree), 0) == [Fraction(2, 3), Fraction(1, 3)]
