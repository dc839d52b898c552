"""Quasi-perfect equilibria: exact, consistent, sensible off the path, better against mistakes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import games, solve
from infoset.errors import NotApplicable
from infoset.forms.sequence import sequence_form
from infoset.linear.numbers import Numbers
from infoset.solvers.options import Options
from infoset.solvers.quasi_perfect import Floors, find, lengths, nonnegative
from infoset.solvers.solution import Solution
from infoset.strategy import behaviour, profile
from infoset.strategy.assessment import assessment, is_consistent, is_sequentially_rational
from infoset.strategy.models import erring
from infoset.tree import Builder, Tree
from tests.rules.random_games import random_rules
from tests.solvers.test_properties import zero_sum

F = Fraction
SEEDS = st.integers(0, 10**6)


def refined(game: Any) -> Solution:
    """A quasi-perfect equilibrium, checked for all that it claims."""
    solution = solve(game, "quasi-perfect")
    assert solution.certificate == "exact"
    assert solution.assessment is not None
    assert is_sequentially_rational(solution.assessment)
    assert is_consistent(solution.assessment)
    assert solution.sequential
    for trembles in solution.assessment.trembles:
        assert trembles.flaw == ""
        floor = lengths(trembles.choices)
        # No weight falls below its floor: a power of ε at most the sequence's length.
        assert (trembles.lowest <= floor).all()
    return solution


# ---------------------------------------------------------------------- games known for it


def test_the_empty_threat_is_not_made() -> None:
    """The entry game: staying out for fear of a fight is an equilibrium, and not a sensible one."""
    for markets in (1,):
        solution = refined(games.entry_game(markets=markets))
        assert solution.payoffs == {"entrant": 2, "incumbent": 2}
        assert solution.strategy["incumbent"]["in"]["accommodate"] == 1


def test_beer_and_quiche() -> None:
    """Both pool on beer; after quiche a duel is likely enough, by beliefs that allow it."""
    solution = refined(games.beer_quiche())
    assert solution.payoffs == {"sender": F(29, 10), "receiver": F(9, 10)}
    tree = solution.tree
    quiche = tree.find("receiver", "quiche")
    assert solution.assessment is not None
    belief = solution.assessment.belief(quiche)
    assert belief == [F(1, 2), F(1, 2)]  # indifferent between duel and retreat
    assert solution.strategy["receiver"]["quiche"]["duel"] >= F(1, 2)


def gift() -> Tree:
    """Koller & Pfeffer 1997, section 7.1: after a mistake of two, one can win 10,000 or just 1."""
    b = Builder(("one", "two"), "gift")
    top = b.decide(b.root, "two", ("careful", "mistake"))
    b.pay(top[0], (1, -1))
    below = b.decide(top[1], "one", ("take 1", "take 10000"))
    b.pay(below[0], (1, -1))
    b.pay(below[1], (10_000, -10_000))
    return b.build()


def test_a_gift_is_taken() -> None:
    """Any reply to the mistake is optimal by the maximin criterion; only one is sensible."""
    tree = gift()
    timid = [
        behaviour(tree, "one", {tree.infosets_of("one")[0]: {"take 1": 1}}),
        behaviour(tree, "two", {tree.infosets_of("two")[0]: {"careful": 1}}),
    ]
    assert profile(timid).regret == 0
    found = is_sequentially_rational(assessment(timid))
    assert (found.gain, found.action) == (9_999, "take 10000")
    solution = refined(tree)
    place = tree.infosets_of("one")[0]
    assert solution.strategy["one"][place]["take 10000"] == 1


def test_myersons_game_keeps_off_dominated_strategies() -> None:
    """Myerson 1978, table 1: (2, 2) is an equilibrium of weakly dominated strategies."""
    from infoset.tree import matrix_game

    solution = refined(matrix_game([[1, 0], [0, 0]], [[1, 0], [0, 0]], name="Myerson"))
    assert solution.payoffs == {"row": 1, "column": 1}


def mertens() -> Tree:
    """Mertens 1995: a voter's choice of who votes; perfect is not quasi-perfect.

    Each of two may leave it to the other, or do it itself, where it might err.
    """
    b = Builder(("one", "two"), "vote")
    top = b.decide(b.root, "one", ("self", "leave"))
    mine = b.decide(top[0], "one", ("good", "bad"))
    b.pay(mine[0], (1, 1))
    b.pay(mine[1], (0, 0))
    yours = b.decide(top[1], "two", ("good", "bad"))
    b.pay(yours[0], (1, 1))
    b.pay(yours[1], (0, 0))
    return b.build()


def test_one_trusts_itself_more_than_the_other() -> None:
    """In a quasi-perfect equilibrium only the others' errors count, so one does it itself."""
    solution = refined(mertens())
    first = solution.tree.infosets_of("one")[0]
    assert solution.strategy["one"][first]["self"] == 1


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kuhn", {}),
        ("kuhn", {"ranks": 6}),
        ("poker", {"ranks": 4, "rounds": 2}),
        ("koller_megiddo_von_stengel", {}),
        ("inspection", {}),
        ("centipede", {}),
        ("oil_pricing", {"seasons": 1}),
        ("goofspiel", {"cards": 3}),
        ("blair_g1", {}),
        ("prisoners_dilemma", {}),
        ("scissors_paper_stone", {}),
    ],
)
def test_library_games(name: str, parameters: dict[str, Any]) -> None:
    solution = refined(games.LIBRARY[name](**parameters))
    plain = solve(games.LIBRARY[name](**parameters))
    assert solution.value == plain.value


def test_leduc() -> None:
    solution = refined(games.leduc())
    assert solution.value == solve(games.leduc()).value
    assert solution.work["degree"] == 4


# ---------------------------------------------------------------------- against mistakes


def test_it_wins_more_against_mistakes_in_poker() -> None:
    """The plain optimum leaves open what to do after a mistake; this does not, and wins by it."""
    tree = games.poker(ranks=4, rounds=2).tree()
    plain, better = solve(tree, "lp"), solve(tree, "quasi-perfect")
    for me, other in (tree.names, tree.names[::-1]):
        for rate in (F(1, 100), F(1, 10), F(1)):
            errs = erring(plain.strategy[other], rate)
            wins = [profile([own.strategy[me], errs]).payoffs[me] for own in (plain, better)]
            assert wins[1] > wins[0] > plain.payoffs[me]


# ---------------------------------------------------------------------- random games


@settings(max_examples=60)
@given(seed=SEEDS, depth=st.integers(0, 5))
def test_random_games(seed: int, depth: int) -> None:
    tree = random_rules(seed, 2, depth)().tree()
    if len(tree) <= 300:
        refined(tree)
        refined(zero_sum(tree))


@settings(max_examples=25)
@given(seed=SEEDS, depth=st.integers(0, 5))
def test_random_games_of_one(seed: int, depth: int) -> None:
    tree = random_rules(seed, 1, depth)().tree()
    assert refined(tree).value == solve(tree).value


# ---------------------------------------------------------------------- parts


def test_floors_are_powers_by_length() -> None:
    form = sequence_form(games.kuhn().tree())
    floors = Floors(form)
    assert floors.degree == 2
    assert floors.at(0, 10).values()[:5] == [0, F(1, 10), F(1, 10), F(1, 100), F(1, 100)]
    assert floors.coefficient(0, 0).sum() == 0
    assert floors.coefficient(0, 1).sum() == floors.coefficient(0, 2).sum() == 6


def test_signs_of_polynomials_are_those_of_their_first_terms() -> None:
    def powers(*rows: list[int]) -> list[Numbers]:
        return [Numbers.of(row) for row in rows]

    assert nonnegative(powers([0, 0], [0, 0]))
    assert nonnegative(powers([0, 1], [1, -9]))
    assert not nonnegative(powers([0, 1], [-1, 9]))
    assert not nonnegative(powers([0, -1], [1, 9]))


# ---------------------------------------------------------------------- what is refused


def test_what_it_does_not_fit_is_said() -> None:
    with pytest.raises(NotApplicable, match="quasi-perfect does not apply: at most 2 players"):
        solve(games.seltens_horse(), "quasi-perfect")
    with pytest.raises(NotApplicable, match="perfect recall is needed"):
        solve(games.blair_g2(), "quasi-perfect")


def test_out_of_time_it_says_so() -> None:
    solution = solve(games.leduc(), "quasi-perfect", seconds=0)
    assert solution.note.startswith("stopped")
    assert solution.assessment is None
    assert solution.regret > 0


@pytest.mark.parametrize(("name", "regret"), [("leduc", F(1)), ("oil_pricing", F(1, 2))])
def test_stopped_on_the_way_it_has_what_is_best_with_trembles(name: str, regret: F) -> None:
    seen: list[str] = []

    def enough() -> bool:
        return "exact arithmetic" in seen

    game = games.leduc() if name == "leduc" else games.oil_pricing(seasons=3)
    solution = solve(game, "quasi-perfect", tick=seen.append, stop=enough)
    assert solution.assessment is None
    assert "an equilibrium only of the perturbed game, ε = 1/32" in solution.note
    assert 0 < solution.regret < regret


def test_counts_are_the_same_every_time() -> None:
    tree = games.kuhn(ranks=5).tree()
    assert find(tree, Options()).work == find(tree, Options()).work
