"""The normal form, against published tables and against playing every combination of plans."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.errors import InfosetError, TooLarge, TreeError
from infoset.forms import NormalForm, normal_form, normal_size
from infoset.games import absent_minded, blair_g2, koller_megiddo_von_stengel, kuhn, seltens_horse
from infoset.tree import Builder, Tree, matrix_game
from tests.rules.random_games import random_rules


def by_walking(tree: Tree, chosen: dict[int, int]) -> tuple[tuple[Fraction, ...], set[int]]:
    """What a pure strategy of everyone comes to, and the information sets that come up."""
    total = [Fraction(0)] * len(tree.players)
    met = set()
    waiting = [(tree.root, Fraction(1))]
    while waiting:
        node, chance = waiting.pop()
        if node.is_leaf:
            total = [t + chance * p for t, p in zip(total, node.payoffs.values(), strict=True)]
        elif node.is_chance:
            pairs = zip(node.children, node.probabilities, strict=True)
            waiting += [(child, chance * p) for child, p in pairs]
        else:
            assert node.infoset is not None
            met.add(node.infoset.index)
            waiting.append((node.children[chosen[node.infoset.index]], chance))
    return tuple(total), met


def small_form(tree: Tree, reduced: bool, most: int) -> NormalForm:
    sizes = normal_size(tree, reduced)
    assume(None not in sizes and np.prod([float(size or 0) for size in sizes]) <= most)
    return normal_form(tree, reduced, most)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(1, 3),
    depth=st.integers(0, 5),
    forgetful=st.booleans(),
    reduced=st.booleans(),
)
def test_every_entry_is_what_playing_the_plans_comes_to(
    seed: int, players: int, depth: int, forgetful: bool, reduced: bool
) -> None:
    tree = random_rules(seed, players, depth, forgetful)().tree()
    form = small_form(tree, reduced, 150)
    assert form.shape == normal_size(tree, reduced) == form.numerators[0].shape
    table, floats = form.table(), [form.matrix(player) for player in range(players)]
    for profile in product(*map(range, form.shape)):
        chosen: dict[int, int] = {}
        for player, number in enumerate(profile):
            chosen |= dict(form.plan(player, number))
        payoffs, met = by_walking(tree, chosen)  # a set that comes up unchosen is a KeyError
        assert form.payoffs_of(profile) == table.payoffs_of(profile) == payoffs
        assert [matrix[profile] for matrix in floats] == list(map(float, payoffs))
        if not reduced:
            assert chosen.keys() == set(range(len(tree.infosets))) >= met


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), depth=st.integers(0, 5), forgetful=st.booleans())
def test_a_reduced_plan_stands_for_all_whole_ones_that_agree_with_it(
    seed: int, depth: int, forgetful: bool
) -> None:
    tree = random_rules(seed, 2, depth, forgetful)().tree()
    whole = small_form(tree, False, 400)
    short = normal_form(tree)
    stands_for = []
    for player in range(2):
        assert len(set(short.plans[player])) == short.shape[player]
        agreeing = [
            [number for number, few in enumerate(short.plans[player]) if set(few) <= set(plan)]
            for plan in whole.plans[player]
        ]
        assert all(len(found) == 1 for found in agreeing)
        stands_for.append([found[0] for found in agreeing])
        assert set(stands_for[player]) == set(range(short.shape[player]))
    for player in range(2):
        expected = short.matrix(player)[np.ix_(*stands_for)]
        assert (whole.matrix(player) == expected).all()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 2), depth=st.integers(0, 5))
def test_with_perfect_recall_plans_are_sorted_and_labels_differ(
    seed: int, players: int, depth: int
) -> None:
    tree = random_rules(seed, players, depth)().tree()
    form = small_form(tree, True, 2000)
    for player, own in enumerate(form.plans):
        assert list(own) == sorted(own)
        assert all(plan == tuple(sorted(plan)) for plan in own)
        assert len(set(form.labels(player))) == len(own)


def test_a_matrix_game_is_its_own_normal_form() -> None:
    table = matrix_game([[3, 0], [5, 1]], [[3, 5], [0, 1]], actions=(("c", "d"),) * 2)
    assert normal_form(table.tree()).table() == table
    assert normal_form(table.tree(), reduced=False).table() == table


def test_koller_and_pfeffer_1997_figure_9_has_27_by_64_strategies() -> None:
    form = normal_form(kuhn().tree())
    assert form.shape == (27, 64)
    assert form.labels("gambler")[:3] == (
        "pass/pass/pass/pass/pass/pass",
        "pass/pass/pass/pass/pass/bet",
        "pass/pass/pass/pass/bet",
    )
    assert normal_form(kuhn().tree(), reduced=False).shape == (64, 64)


# Koller, Megiddo & von Stengel 1994, figure 2, as printed.
FIGURE_2 = {
    "l/c": (9, 15, 9, 15),
    "l/d": (13, 10, 13, 10),
    "r/L/c": (8, 14, 10, 16),
    "r/L/d": (10, 7, 12, 9),
    "r/R/c": (9, 15, 5, 11),
    "r/R/d": (11, 8, 7, 4),
}


def test_koller_megiddo_von_stengel_1994_figure_2() -> None:
    form = normal_form(koller_megiddo_von_stengel().tree())
    assert form.labels("one") == tuple(FIGURE_2)
    assert form.labels("two") == ("p/s", "p/t", "q/s", "q/t")
    # The printed rows with r leave out what figure 3 pays for c (2) and for d (4) alone.
    missing = {"r/L/c": 2, "r/R/c": 2, "r/L/d": 4, "r/R/d": 4}
    expected = [[entry + missing.get(name, 0) for entry in row] for name, row in FIGURE_2.items()]
    assert form.denominators == (1, 1)
    assert form.numerators[0].tolist() == expected
    assert (form.numerators[1] == -form.numerators[0]).all()


def test_seltens_horse_has_three_axes() -> None:
    form = normal_form(seltens_horse().tree())
    assert form.shape == (2, 2, 2)
    plans = [
        form.labels(player).index(action) for player, action in enumerate(("down", "down", "L"))
    ]
    assert form.payoffs_of(plans) == by_walking(form.tree, dict(enumerate(plans)))[0]
    assert len({form.payoffs_of(profile) for profile in product(range(2), repeat=3)}) > 3


def test_an_absent_minded_player_chooses_the_same_twice() -> None:
    form = normal_form(absent_minded().tree())
    assert form.labels("one") == ("L", "R")
    assert form.numerators[0].tolist() == [[1, 1], [5, 2]]  # never 100, behind L and then R
    assert form.numerators[1].tolist() == [[0, 0], [1, 2]]


def test_blair_1996_g2_is_worth_one_half_to_a_team_that_agrees_beforehand() -> None:
    form = normal_form(blair_g2().tree())
    assert form.shape == (7,)
    assert max(form.payoffs_of((number,))[0] for number in range(7)) == Fraction(1, 2)
    assert form.denominators == (2,)


def test_a_long_line_of_choices_takes_no_longer_than_its_table() -> None:
    """Each plan stops at one point or never; who stops first decides."""

    @game(players=("one", "two"))
    def line(g: Play, length: int = 120) -> object:
        for at in range(length):
            for player in ("one", "two"):
                if g.choose(player, ("on", "stop")) == "stop":
                    return (at, -1) if player == "one" else (-1, at)
        return length, length

    form = normal_form(line().tree())
    one, two = np.meshgrid(np.arange(120, -1, -1), np.arange(120, -1, -1), indexing="ij")
    first = np.where(one <= two, one, -1)  # the plans that go on longest come first
    second = np.where((two < one) | (one == 120), two, -1)
    assert (form.numerators[0] == first).all()
    assert (form.numerators[1] == second).all()


@game(players=("one", "two"))
def scaled(g: Play, size: int = 1, parts: int = 1) -> object:
    """Matching pennies for size/parts, once in three times."""
    if g.chance(("on", "off"), (1, 2)) == "off":
        return 0, 0
    same = g.choose("one", (0, 1)) == g.choose("two", (0, 1))
    return g.win("one" if same else "two", Fraction(size, parts))


@pytest.mark.parametrize(
    ("size", "parts", "kind"),
    [
        (1, 1, np.int64),
        (1, 10**40, np.int64),  # the denominator takes it all
        (2**55 + 3, 1, np.int64),
        (2**61, 1, object),
        (10**40 + 1, 7, object),
    ],
)
def test_numbers_of_any_length_stay_exact(size: int, parts: int, kind: type) -> None:
    form = normal_form(scaled(size=size, parts=parts).tree())
    amount = Fraction(size, 3 * parts)
    assert form.numerators[0].dtype == kind
    for profile in product(range(2), repeat=2):
        won = amount if profile[0] == profile[1] else -amount
        assert form.payoffs_of(profile) == (won, -won)
        assert form.matrix(0)[profile] == float(won) == size / (3 * parts) * (1 if won > 0 else -1)
    assert form.matrix(0).dtype == np.float64


def test_denominators_are_the_smallest() -> None:
    assert normal_form(scaled(size=3, parts=4).tree()).denominators == (4, 4)
    assert normal_form(scaled(size=0).tree()).denominators == (1, 1)


def test_payoffs_on_the_way_and_impossible_moves_count_as_they_should() -> None:
    builder = Builder(("one",), "paid on the way")
    left, right = builder.decide(builder.root, 0, ("left", "right"), infoset="all")
    builder.pay(left, (5,))
    below = builder.chance(left, ("never", "always"), (0, 1))
    for node, amount in zip((*below, right), (100, 2, 3), strict=True):
        builder.pay(node, (amount,))
    assert normal_form(builder.build()).numerators[0].tolist() == [7, 3]


def test_labels_that_would_read_the_same_are_told_apart() -> None:
    @game(players=("one",))
    def texts(g: Play) -> object:
        return int(g.choose("one", (1, "1", 2)))

    assert normal_form(texts().tree()).labels("one") == ("#1.1 1", "#1.2 1", "2")
    assert normal_form(texts().tree()).table().strategies == (("#1.1 1", "#1.2 1", "2"),)


def test_who_never_chooses_has_one_plan() -> None:
    @game(players=("one", "two"))
    def alone(g: Play) -> object:
        return g.choose("one", (3, 4)), 7

    form = normal_form(alone().tree())
    assert form.shape == (2, 1)
    assert form.labels("two") == ("none",)
    assert form.plan("two", 0) == ()
    assert form.numerators[0].tolist() == [[3], [4]]


def test_the_arrays_are_frozen() -> None:
    form = normal_form(kuhn().tree())
    with pytest.raises(ValueError, match="read-only"):
        form.numerators[0][0, 0] = 1


def test_too_large_a_table_is_refused_with_its_size_and_a_way_out() -> None:
    refused = (
        r"the normal form has 81 × 256 entries, more than 1,000; the sequence form has 17 × 17$"
    )
    with pytest.raises(TooLarge, match=refused):
        normal_form(kuhn(ranks=4).tree(), most=1000)
    assert normal_form(kuhn(ranks=4).tree(), most=81 * 256).shape == (81, 256)
    with pytest.raises(TooLarge, match="about 2\\^"):
        normal_form(kuhn(ranks=40).tree())
    whole = r"64 × 64 entries, more than 99; the reduced one has 27 × 64, the sequence form has 13"
    with pytest.raises(TooLarge, match=whole):
        normal_form(kuhn().tree(), reduced=False, most=99)


def test_where_there_is_no_sequence_form_the_refusal_does_not_speak_of_it() -> None:
    for tree in (blair_g2().tree(), seltens_horse().tree()):
        with pytest.raises(TooLarge, match=r"more than 6; take a smaller game"):
            normal_form(tree, most=6)


def test_a_form_that_takes_too_long_to_count_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infoset.tree.facts.MOST_WORK", 1)
    assert normal_size(blair_g2().tree()) == (None,)
    assert normal_size(blair_g2().tree(), reduced=False) == (8,)
    with pytest.raises(TooLarge, match=r"the normal form has \? entries"):
        normal_form(blair_g2().tree())


def test_plans_that_are_not_there_are_named() -> None:
    form = normal_form(kuhn().tree())
    with pytest.raises(TreeError, match="gambler has no strategy 27; they are counted 0 to 26"):
        form.payoffs_of((27, 0))
    with pytest.raises(TreeError, match="dealer has no strategy -1"):
        form.plan("dealer", -1)
    with pytest.raises(TreeError, match="1 strategies for 2 players"):
        form.payoffs_of((0,))
    with pytest.raises(InfosetError, match="no player 'croupier'"):
        form.labels("croupier")
