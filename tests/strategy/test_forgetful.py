"""Best responses without recall: payoffs of any size, the integer program, and its solver."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.games import tricks
from infoset.linear.highs import IntegerProgram, maximize_integer
from infoset.strategy import profile, uniform
from infoset.strategy import response as forgetful
from tests.strategy.random_strategies import SEEDS, random_behaviour, random_tree


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, players=st.integers(1, 2))
def test_the_integer_program_finds_what_branching_proves(seed: int, players: int) -> None:
    tree = random_tree(seed, players)
    random = Random(seed)
    played = profile(random_behaviour(tree, player, random) for player in tree.names)
    for number, player in enumerate(tree.names):
        others = played.reach(tree.leaf_indices, without=number)
        proved = forgetful.imperfect_recall_response(tree, number, others)
        assert proved.value == proved.most
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(forgetful, "MOST_WORK", -1)
            found = forgetful.imperfect_recall_response(tree, number, others)
        assert found.value == proved.value
        assert found.most >= proved.value
        assert found.most == pytest.approx(float(proved.value), abs=1e-4)
        near = forgetful.imperfect_recall_response(tree, number, others.inexact())
        assert near.value == pytest.approx(float(proved.value), abs=1e-9)
        replies = [*played.strategies]
        replies[number] = found.strategy
        assert profile(replies).payoffs[player] == found.value


def test_partners_at_cards() -> None:
    tree = tricks().tree()
    played = profile(uniform(tree, player) for player in tree.names)
    response = played.best_response("north-south")
    assert (response.value, response.how) == (Fraction(29, 63), "exact")
    replied = profile([response.strategy, played["east-west"]])
    assert replied.payoffs["north-south"] == response.value


LARGE, SMALL = 10**12, Fraction(1, 10**12)


@game(players={"team": ("north", "south"), "nature": "nature"}, requires=())
def scales(g: Play) -> object:
    """A large stake decides one thing, a small one the other, and partners must agree on both."""
    wind = g.chance(("calm", "storm"))
    north = g.choose("north", ("a", "b", "c"))
    g.choose("nature", ("on",))
    south = g.choose("south", ("a", "b", "c"))
    if north != south:
        return (-LARGE, 0)
    if wind == "calm":
        return ({"a": -LARGE, "b": LARGE, "c": LARGE}[north], 0)
    return ({"a": 0, "b": 0, "c": SMALL}[north], 0)


@pytest.mark.parametrize("work", [-1, forgetful.MOST_WORK])
def test_a_payoff_next_to_one_that_is_10_to_the_24th_times_as_large_counts(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = scales().tree()
    played = profile(uniform(tree, player) for player in tree.names)
    monkeypatch.setattr(forgetful, "MOST_WORK", work)
    response = played.best_response("team")
    if work > 0:  # floats cannot tell b from c, whole numbers can
        assert response.value == (LARGE + SMALL) / 2
    assert response.value in (Fraction(LARGE, 2), (LARGE + SMALL) / 2)
    assert response.most >= (LARGE + SMALL) / 2


# ---------------------------------------------------------------------- the solver behind it


def program(objective: list[float], rows: list[list[float]], upper: list[float]) -> IntegerProgram:
    matrix = np.array(rows)
    at, of = np.nonzero(matrix)
    count = len(objective)
    return IntegerProgram(
        objective=np.array(objective),
        rows=at,
        columns=of,
        entries=matrix[at, of],
        lower=np.full(len(rows), -np.inf),
        upper=np.array(upper),
        floor=np.zeros(count),
        ceiling=np.ones(count),
        whole=np.ones(count, np.bool_),
    )


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_programs_of_zeros_and_ones_against_all_of_them(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 5))
    row = st.lists(st.integers(-4, 4), min_size=count, max_size=count)
    objective = data.draw(row)
    rows = data.draw(st.lists(row, min_size=1, max_size=3))
    upper = [data.draw(st.integers(-3, 6)) for _ in rows]
    worth = [
        sum(c * v for c, v in zip(objective, point, strict=True))
        for point in product((0, 1), repeat=count)
        if all(
            sum(m * v for m, v in zip(line, point, strict=True)) <= most
            for line, most in zip(rows, upper, strict=True)
        )
    ]
    answer = maximize_integer(program(objective, rows, upper))  # type: ignore[arg-type]
    if not worth:
        assert answer.status == "infeasible"
        assert not len(answer.values)
        return
    assert answer.status == "optimal"
    assert answer.objective == pytest.approx(max(worth), abs=1e-6)
    assert answer.bound == pytest.approx(max(worth), abs=1e-6)
    assert np.abs(answer.values - np.rint(answer.values)).max() < 1e-6


def test_what_has_no_bound_is_said_to_have_none() -> None:
    endless = IntegerProgram(
        objective=np.ones(1),
        rows=np.zeros(1, np.int64),
        columns=np.zeros(1, np.int64),
        entries=np.ones(1),
        lower=np.zeros(1),
        upper=np.full(1, np.inf),
        floor=np.zeros(1),
        ceiling=np.full(1, np.inf),
        whole=np.ones(1, np.bool_),
    )
    answer = maximize_integer(endless)
    assert answer.status in ("unbounded", "infeasible")  # HiGHS may not tell which
    assert not len(answer.values)
