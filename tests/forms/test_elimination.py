"""Iterated dominance: published examples, and what is known to hold of any game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.errors import InfosetError, NotApplicable, ParameterError, TreeError
from infoset.forms import NormalForm, normal_form
from infoset.forms import dominance as module
from infoset.forms.dominance import Dominated, Elimination, dominated, eliminate
from infoset.forms.normal import restricted
from infoset.games import centipede, kuhn, matching_pennies, prisoners_dilemma
from infoset.solvers.lemke_howson import find
from infoset.solvers.options import Options
from infoset.strategy import as_behaviour
from infoset.tree import MatrixGame, matrix_game
from tests.forms.test_dominance import beats, by_linprog, kind, mixed_row, payoff_rows

F = Fraction


def table(rows: Sequence[Sequence[tuple[int, int]]], names: tuple[str, str]) -> NormalForm:
    """Two players' game from a table of pairs, with a letter for each strategy."""
    first, second = ([[pair[own] for pair in row] for row in rows] for own in (0, 1))
    return normal_form(matrix_game(first, second, actions=[tuple(own) for own in names]).tree())


def of_payoffs(names: Sequence[Sequence[str]], paid: Callable[..., Sequence[int]]) -> NormalForm:
    """A game of any number of players from a function of what they choose."""
    players = tuple("abcdef"[: len(names)])
    profiles = [entry[::-1] for entry in product(*reversed(names))]  # the first changes first
    payoffs = tuple(tuple(map(Fraction, paid(*entry))) for entry in profiles)
    strategies = tuple(tuple(own) for own in names)
    return normal_form(MatrixGame(players, strategies, payoffs).tree())


def left(done: Elimination) -> list[str]:
    return [" ".join(done.labels(player)) for player in range(len(done.left))]


def removed(done: Elimination) -> list[list[str]]:
    """By round: the strategies that went."""
    words = [done.form.labels(player) for player in range(len(done.left))]
    return [[words[one.player][one.strategy] for one in gone] for gone in done.rounds]


# ---------------------------------------------------------------------- published


def test_the_prisoners_dilemma_is_solved_in_a_round() -> None:
    done = eliminate(normal_form(prisoners_dilemma().tree()))
    assert removed(done) == [["cooperate", "cooperate"]]
    assert left(done) == ["defect", "defect"]
    assert done.solvable
    assert list(done.rest.payoffs_of((0, 0))) == [-3, -3]


def test_matching_pennies_keeps_everything() -> None:
    for how in ("strict", "weak"):
        done = eliminate(normal_form(matching_pennies().tree()), how)
        assert (done.rounds, done.left, done.solvable) == ((), ((0, 1), (0, 1)), False)


def test_bernheim_1984_what_only_a_mixture_dominates() -> None:
    """Osborne & Rubinstein 1994, figure 57.1: the last ones are not rationalizable."""
    rows = [
        [(0, 7), (2, 5), (7, 0), (0, 1)],
        [(5, 2), (3, 3), (5, 2), (0, 1)],
        [(7, 0), (2, 5), (0, 7), (0, 1)],
        [(0, 0), (0, -2), (0, 0), (10, -1)],
    ]
    form = table(rows, ("ABCD", "abcd"))
    done = eliminate(form)
    assert removed(done) == [["d"], ["D"]]
    how = done.rounds[0][0].how
    assert how.strictly
    assert [at for at, _ in how.by] == [0, 2]
    assert done.rounds[1][0].how == Dominated(True, ((1, F(1)),))
    assert left(done) == ["A B C", "a b c"]
    assert eliminate(form, by="pure").rounds == ()


OSBORNE_RUBINSTEIN = [[(1, 1), (0, 0)], [(1, 1), (2, 1)], [(0, 0), (2, 1)]]


def test_osborne_rubinstein_1994_figure_63_1_the_order_matters() -> None:
    form = table(OSBORNE_RUBINSTEIN, ("TMB", "LR"))
    one = eliminate(form, "weak", order=[("row", "T"), ("column", "L")])
    assert left(one) == ["M B", "R"]
    assert [list(one.rest.payoffs_of((at, 0))) for at in (0, 1)] == [[2, 1], [2, 1]]
    assert one.solvable
    other = eliminate(form, "weak", order=[("row", "B"), ("column", "R")])
    assert left(other) == ["T M", "L"]
    assert list(other.rest.payoffs_of((0, 0))) == [1, 1]
    # All together: T and B go at once, and the column is indifferent.
    both = eliminate(form, "weak")
    assert removed(both) == [["T", "B"]]
    assert left(both) == ["M", "L R"]
    assert not both.solvable
    assert eliminate(form, "strict").rounds == ()


def test_farquharson_1969_the_chairmans_paradox() -> None:
    """Three vote on x, y, z, and the first breaks ties; sophisticated voting elects its worst."""
    tastes = ("xyz", "yzx", "zxy")

    def paid(*votes: str) -> list[int]:
        chosen = votes[1] if votes[1] == votes[2] else votes[0]
        return [2 - taste.index(chosen) for taste in tastes]

    done = eliminate(of_payoffs(["xyz"] * 3, paid), "weak")
    assert left(done) == ["x", "z", "z"]
    assert removed(done) == [["y", "z", "x", "y"], ["y", "x"]]
    assert list(done.rest.payoffs_of((0, 0, 0))) == [0, 1, 2]


def test_nagel_1995_guess_two_thirds_of_the_average() -> None:
    """Unraveling in guessing games: weakly dominated guesses go from above, down to the least."""
    guesses = [str(guess) for guess in range(1, 10)]

    def paid(*chosen: str) -> list[Fraction]:
        target = F(2, 3) * sum(map(int, chosen)) / len(chosen)
        far = [abs(int(guess) - target) for guess in chosen]
        winners = [distance == min(far) for distance in far]
        return [F(int(won), sum(winners)) for won in winners]

    done = eliminate(of_payoffs([guesses] * 3, paid), "weak")  # type: ignore[arg-type]
    assert left(done) == ["1", "1", "1"]
    highest = [max(int(guess) for guess in gone) for gone in removed(done)]
    assert highest[0] == 9
    assert highest == sorted(highest, reverse=True)
    assert eliminate(done.form, "strict", by="pure").rounds == ()


def test_ben_porath_dekel_1992_burning_money() -> None:
    """Osborne & Rubinstein 1994, chapter 6: who may burn money need not, and gets its way."""
    battle = {"BB": (3, 1), "SS": (1, 3)}

    def paid(one: str, two: str) -> tuple[int, int]:
        burnt = one[0] == "D"
        first, second = battle.get(one[1] + two[burnt], (0, 0))
        return first - burnt, second

    done = eliminate(of_payoffs([("0B", "0S", "DB", "DS"), ("BB", "BS", "SB", "SS")], paid), "weak")
    assert removed(done)[0] == ["DS"]  # to burn and then to go the other's way
    assert left(done) == ["0B", "BB"]
    assert list(done.rest.payoffs_of((0, 0))) == [3, 1]


def test_kuhn_1950_poker_comes_down_to_eight_by_four() -> None:
    done = eliminate(normal_form(kuhn().tree()), "weak", by="pure")
    assert [len(own) for own in done.left] == [8, 4]
    assert solve(done.rest.table()).value == F(-1, 18)


def test_the_centipede_goes_the_way_of_backward_induction() -> None:
    done = eliminate(normal_form(centipede().tree()), "weak")
    assert done.solvable
    assert left(done) == ["stop", "stop"]
    assert len(done.rounds) == 6


# ---------------------------------------------------------------------- any game

small = st.integers(-2, 2)
pairs = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.tuples(small, small), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def lettered(rows: list[list[tuple[int, int]]]) -> NormalForm:
    return table(rows, ("ABCDE"[: len(rows)], "abcde"[: len(rows[0])]))


@settings(max_examples=40, deadline=None)
@given(pairs, st.sampled_from(["strict", "weak"]), st.sampled_from(["pure", "mixed"]))
def test_each_round_is_what_the_definition_says(
    rows: list[list[tuple[int, int]]], which: str, by: str
) -> None:
    form = lettered(rows)
    done = eliminate(form, which, by=by)
    kept = [list(range(size)) for size in form.shape]
    wanted = {"strictly"} if which == "strict" else {"strictly", "weakly"}
    for gone in (*done.rounds, ()):
        rest = restricted(form, kept)
        for player in (0, 1):
            amounts = payoff_rows(rest, player)
            found = {one.strategy: one.how for one in gone if one.player == player}
            for at, own in enumerate(kept[player]):
                pure = {beats(row, amounts[at]) for row in amounts}
                best = {by_linprog(amounts, at)} if by == "mixed" else pure
                assert (own in found) == bool(best & wanted)
            for own, how in found.items():
                by_what = tuple((kept[player].index(at), weight) for at, weight in how.by)
                row = amounts[kept[player].index(own)]
                assert beats(mixed_row(amounts, by_what), row) == kind(how)
        for one in gone:
            kept[one.player].remove(one.strategy)
    assert tuple(map(tuple, kept)) == done.left


@settings(max_examples=40, deadline=None)
@given(pairs, st.randoms(use_true_random=False))
def test_strictly_the_order_does_not_matter(rows: list[list[tuple[int, int]]], chance: Any) -> None:
    form = lettered(rows)
    usual = eliminate(form)
    order: list[tuple[int, int]] = []
    while True:
        done = [list(own) for own in form_left(form, order)]
        rest = restricted(form, done)
        choices = [
            (player, done[player][at])
            for player in (0, 1)
            for at in dominated(rest, player, weakly=False).found
        ]
        if not choices:
            break
        order.append(chance.choice(choices))
    one_by_one = eliminate(form, order=order)
    assert one_by_one.left == usual.left
    assert [len(gone) for gone in one_by_one.rounds] == [1] * len(order)
    assert eliminate(form, order=["column", "row"]).left == usual.left


def form_left(form: NormalForm, order: list[tuple[int, int]]) -> list[list[int]]:
    return [
        [at for at in range(size) if (player, at) not in order]
        for player, size in enumerate(form.shape)
    ]


@settings(max_examples=40, deadline=None)
@given(pairs)
def test_no_equilibrium_plays_what_is_strictly_dominated(rows: list[list[tuple[int, int]]]) -> None:
    form = lettered(rows)
    gone = {(one.player, one.strategy) for one in eliminate(form).removed}
    played = find(form.tree, Options()).strategies
    for player, strategy in enumerate(played):
        for at, weight in enumerate(as_behaviour(strategy).probabilities[1:].tolist()):
            assert not weight or (player, at) not in gone
    for profile in np.ndindex(form.shape):
        if is_equilibrium(form, profile):
            assert not gone & set(enumerate(profile))


def is_equilibrium(form: NormalForm, profile: tuple[int, ...]) -> bool:
    """Of pure strategies, by the definition."""
    got = form.payoffs_of(profile)
    return all(
        form.payoffs_of((*profile[:player], other, *profile[player + 1 :]))[player] <= got[player]
        for player, size in enumerate(form.shape)
        for other in range(size)
    )


@settings(max_examples=40, deadline=None)
@given(pairs)
def test_equilibria_of_what_is_left_are_equilibria(rows: list[list[tuple[int, int]]]) -> None:
    form = lettered(rows)
    done = eliminate(form, "weak")
    for profile in np.ndindex(done.rest.shape):
        if is_equilibrium(done.rest, profile):
            assert is_equilibrium(
                form, tuple(own[at] for own, at in zip(done.left, profile, strict=True))
            )


# ---------------------------------------------------------------------- being asked


def test_what_reads() -> None:
    done = eliminate(table(OSBORNE_RUBINSTEIN, ("TMB", "LR")), "weak", order=["column", "row"])
    assert repr(done) == "<Elimination of matrix game, weak: 1 round, 1 × 2 left>"
    assert [one.strategy for one in done.removed] == [0, 2]
    assert done.labels("column") == ("L", "R")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"kind": "weakly"}, ParameterError, "kind='weakly': did you mean 'weak'?"),
        ({"by": "pur"}, ParameterError, "by='pur': did you mean 'pure'?"),
        ({"order": ["roe"]}, InfosetError, "no player 'roe'; did you mean 'row'?"),
        ({"order": [2]}, ParameterError, "order: no player 2; they are counted 0 to 1"),
        ({"order": [("row", "X")]}, ParameterError, "row has no strategy 'X'; known: 'B'"),
        ({"order": [("row", 3)]}, TreeError, "row has no strategy 3; they are counted 0 to 2"),
        ({"order": [("row",)]}, ParameterError, "is no pair of a player and a strategy"),
        ({"order": ["row", ("row", "T")]}, ParameterError, "strategies come first"),
        ({"order": [("row", "T")]}, NotApplicable, "'T' of row is not dominated (strict) by then"),
        (
            {"kind": "weak", "order": [("row", "T"), ("row", "T")]},
            NotApplicable,
            "'T' of row is gone already",
        ),
    ],
)
def test_bad_requests(options: dict[str, Any], error: type[Exception], words: str) -> None:
    form = table(OSBORNE_RUBINSTEIN, ("TMB", "LR"))
    with pytest.raises(error) as refusal:
        eliminate(form, **options)
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_what_was_not_looked_at_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    form = table([[(4, 0), (0, 0)], [(1, 0), (1, 0)], [(0, 0), (4, 0)]], ("TMB", "LR"))
    assert left(eliminate(form)) == ["T B", "L R"]
    monkeypatch.setattr(module, "FEW_ENTRIES", 1)
    done = eliminate(form)
    assert done.left == ((0, 1, 2), (0, 1))
    assert done.note == "row: mixtures were not looked at: 3 × 2 payoffs"
    assert eliminate(form, by="pure").note == ""


def test_strictly_alone_finds_what_is_strict_among_all() -> None:
    rng = np.random.default_rng(11)
    for _ in range(30):
        form = normal_form(matrix_game(rng.integers(0, 4, (5, 4)).tolist()).tree())
        every = dominated(form, 0).found
        strict = {at for at, how in every.items() if how.strictly}
        assert set(dominated(form, 0, weakly=False).found) == strict


def test_a_part_of_a_form_has_its_numbers() -> None:
    form = normal_form(kuhn().tree())
    part = restricted(form, [(8, 3), (5, 1, 0)])
    assert part.shape == (2, 3)
    assert part.payoffs_of((0, 0)) == form.payoffs_of((8, 5))
    assert part.payoffs_of((1, 2)) == form.payoffs_of((3, 0))
    assert part.plan(0, 1) == form.plan(0, 3)
    with pytest.raises(TreeError, match="gambler is left no strategy"):
        restricted(form, [(), (1,)])
    with pytest.raises(TreeError, match="strategies of 1 players for 2"):
        restricted(form, [(1,)])
    with pytest.raises(TreeError, match="dealer has no strategy 64"):
        restricted(form, [(0,), (64,)])
