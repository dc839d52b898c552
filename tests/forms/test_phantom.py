"""The phantom form against trees, against walks over all histories, and published numbers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest

from infoset import solve
from infoset.errors import ParameterError, TooLarge
from infoset.forms.phantom import (
    PhantomForm,
    dark_hex_form,
    phantom_form,
    tic_tac_toe_form,
)
from infoset.games import blind_tic_tac_toe, dark_hex
from infoset.solvers.phantom import PhantomRun
from infoset.solvers.phantom_cuts import best_plan, whole_plan

Strategy = npt.NDArray[np.float64]
View = tuple[tuple[str, bool], ...]

MEMBERS: list[tuple[PhantomForm, Any]] = [
    *[
        (dark_hex_form(*sizes, abrupt=abrupt), dark_hex(*sizes, abrupt))
        for sizes in ((2, 2), (1, 4), (4, 1))
        for abrupt in (False, True)
    ],
    *[
        (tic_tac_toe_form(*sizes, abrupt=abrupt), blind_tic_tac_toe(*sizes, abrupt))
        for sizes in ((5, 1, 3), (2, 2, 2), (3, 2, 2))
        for abrupt in (False, True)
    ],
]
BOTH: tuple[Literal[0, 1], Literal[0, 1]] = (0, 1)

big = cache(dark_hex_form)


def drawn_strategy(form: PhantomForm, player: Literal[0, 1], seed: int) -> Strategy:
    """Any strategy, that never takes some of the cells."""
    random = np.random.default_rng(seed)
    first = form.states[player].first
    strategy = random.random(len(form.states[player].free)) * random.integers(
        0, 2, len(form.states[player].free)
    )
    for begin, end in pairwise(first):
        if end > begin:
            total = strategy[begin:end].sum()
            strategy[begin:end] = strategy[begin:end] / total if total else 1 / (end - begin)
    return strategy


def answers(form: PhantomForm, views: tuple[View, View], who: int, cell: str) -> Any:
    """What naming a cell does: the payoff of player one, or the views and who is to move."""
    owned = [frozenset(one for one, taken in view if not taken) for view in views]
    taken = cell in owned[1 - who]
    after = list(views)
    after[who] = (*views[who], (cell, taken))
    if taken:
        return tuple(after), 1 - who if form.abrupt else who
    mine = sum(1 << form.cells.index(one) for one in owned[who] | {cell})
    if form.wins[who, mine]:
        return 1 - 2 * who
    if len(owned[0]) + len(owned[1]) + 1 == len(form.cells):
        return 0
    return tuple(after), 1 - who


def value_by_histories(form: PhantomForm, strategies: list[Strategy]) -> float:
    def value(views: tuple[View, View], who: Any) -> float:
        total = 0.0
        for cell, edge in form.choices(who, form.state(who, views[who])).items():
            if chance := strategies[who][edge]:
                then = answers(form, views, who, cell)
                total += chance * (then if isinstance(then, int) else value(*then))
        return total

    return value(((), ()), 0)


def response_by_views(form: PhantomForm, player: Literal[0, 1], theirs: Strategy) -> float:
    """The best that a player can get, choosing by its views, from all histories with weights."""
    sign = 1 - 2 * player
    other = BOTH[1 - player]

    def best(histories: list[tuple[Any, int, float]]) -> float:
        """What these histories are worth in all, which the player does not tell apart yet."""
        total, grouped = 0.0, {}
        stack = histories
        while stack:  # the other moves, up to the player's decisions
            views, who, weight = stack.pop()
            if who == player:
                grouped.setdefault(views[player], []).append((views, weight))
                continue
            for cell, edge in form.choices(other, form.state(other, views[other])).items():
                if chance := theirs[edge]:
                    then = answers(form, views, who, cell)
                    if isinstance(then, int):
                        total += sign * then * weight * chance
                    else:
                        stack.append((*then, weight * chance))
        for view, members in grouped.items():
            options = []
            for cell in form.choices(player, form.state(player, view)):
                ended, on = 0.0, []
                for views, weight in members:
                    then = answers(form, views, player, cell)
                    if isinstance(then, int):
                        ended += sign * then * weight
                    else:
                        on.append((*then, weight))
                options.append(ended + (best(on) if on else 0.0))
            total += max(options)
        return total

    return best([(((), ()), 0, 1.0)])


PAIRS = [
    (one(*sizes, abrupt=abrupt), one(*sizes, abrupt=abrupt, symmetric=True))
    for one, sizes in (
        (dark_hex_form, (2, 2)),
        (tic_tac_toe_form, (2, 2, 2)),
        (tic_tac_toe_form, (5, 1, 3)),
        (tic_tac_toe_form, (3, 2, 2)),
    )
    for abrupt in (False, True)
]


def views_of(form: PhantomForm, player: Literal[0, 1]) -> list[View]:
    """Of every state of a form, in which answers it may be reached."""
    found: list[View] = [()]
    for view in found:
        state = form.state(player, view)
        for cell, edge in form.choices(player, state).items():
            for refused, then in enumerate((form.states[player].free, form.states[player].taken)):
                if then[edge] >= 0:
                    found.append((*view, (cell, bool(refused))))
    return found


def spread(
    plain: PhantomForm, symmetric: PhantomForm, player: Literal[0, 1], strategy: Strategy
) -> Strategy:
    """A strategy for states that stand for others, as one for all states: the mean of images."""
    images = [dict(zip(plain.cells, one, strict=True)) for one in carried(symmetric)]
    made = np.zeros(len(plain.states[player].free))
    for view in views_of(plain, player):
        edges = plain.choices(player, plain.state(player, view))
        for cell, edge in edges.items():
            made[edge] = np.mean(
                [
                    strategy[symmetric.named(player, [(to[one], no) for one, no in view])[to[cell]]]
                    for to in images
                ]
            )
    return made


def carried(form: PhantomForm) -> list[list[str]]:
    return [[form.cells[to] for to in one] for one in form.group.cells]


@pytest.mark.parametrize(("plain", "symmetric"), PAIRS, ids=str)
def test_one_state_stands_for_its_images(plain: PhantomForm, symmetric: PhantomForm) -> None:
    assert (symmetric.lines, symmetric.infosets) == (plain.lines, plain.infosets)
    order = len(symmetric.group.inverse)
    strategies = [drawn_strategy(symmetric, player, 3 + player) for player in BOTH]
    images = [spread(plain, symmetric, player, strategies[player]) for player in BOTH]
    assert symmetric.value(*strategies) == pytest.approx(plain.value(*images), abs=1e-12)
    for player in BOTH:
        few, many = len(symmetric.states[player].own), len(plain.states[player].own)
        assert many / order <= few < many
        best, _ = symmetric.response(player, strategies[1 - player])
        assert best == pytest.approx(plain.response(player, images[1 - player])[0], abs=1e-12)


def test_abrupt_tic_tac_toe_has_as_many_states_as_its_page_says() -> None:
    form = tic_tac_toe_form(abrupt=True, symmetric=True)
    assert form.lines == 534_830_448
    assert form.infosets == (14_482_810, 8_827_459)
    assert [len(of.own) for of in form.states] == [1_810_369, 2_394_358]


def test_values_in_whole_numbers() -> None:
    """Of the smaller two, those of the linear program of the tree, in rational numbers."""
    for form, value in (
        (tic_tac_toe_form(5, 1, abrupt=True, symmetric=True), Fraction(51, 152)),
        (dark_hex_form(2, 2, abrupt=True), Fraction(1, 2)),
        (dark_hex_form(2, 3, abrupt=True, symmetric=True), Fraction(9, 11)),
    ):
        run = PhantomRun(form)
        run.step(400)
        strategies = run.averages(1e-4)
        for player in BOTH:
            plan = best_plan(form, player, strategies[player], strategies[1 - player])
            plays = whole_plan(form, player, plan.edge_weight)
            assert plays is not None
            assert form.guaranteed(player, plays) == (value if player == 0 else -value)
            assert plan.guaranteed <= plan.most + 1e-9


def test_what_is_no_plan_is_refused() -> None:
    form = dark_hex_form(2, 2, symmetric=True)
    plays = form.weights(0, form.purified(0, form.uniform(0)))[1].astype(np.int64)
    assert form.guaranteed(0, plays) == -form.response(1, form.purified(0, form.uniform(0)))[0]
    plays[np.flatnonzero(plays)[-1]] += 1
    with pytest.raises(ParameterError, match="no plan, at state"):
        form.guaranteed(0, plays)
    with pytest.raises(TooLarge, match="plays"):
        form.guaranteed(0, plays * 0)


def test_states_may_learn_in_any_order() -> None:
    """Not the iterates, but what they come to is the same, however seldom all states learn."""
    form = tic_tac_toe_form(5, 1, 3, abrupt=True)
    for every in (1, 12, 50):
        run = PhantomRun(form, every=every)
        run.step(400)
        lower, upper = form.bounds(*run.averages(1e-4))
        assert 51 / 152 - 0.002 < lower <= 51 / 152 <= upper < 51 / 152 + 0.002


@pytest.mark.parametrize(("form", "member"), MEMBERS, ids=str)
def test_sizes_are_those_of_the_tree(form: PhantomForm, member: Any) -> None:
    tree = member.tree()
    assert form.nodes() == len(tree)
    assert form.infosets == tuple(np.bincount(tree.infoset_player, minlength=2))


@pytest.mark.parametrize(("form", "member"), MEMBERS, ids=str)
def test_bounds_hold_the_exact_value(form: PhantomForm, member: Any) -> None:
    run = PhantomRun(form)
    run.step(150)
    lower, upper = form.bounds(*run.averages())
    assert lower <= solve(member).value <= upper
    assert upper - lower < 0.01


@pytest.mark.parametrize("form", [form for form, _ in MEMBERS], ids=str)
def test_values_and_responses_agree_with_walks_over_histories(form: PhantomForm) -> None:
    one, two = drawn_strategy(form, 0, 1), drawn_strategy(form, 1, 2)
    assert form.value(one, two) == pytest.approx(value_by_histories(form, [one, two]), abs=1e-12)
    for player, theirs in ((0, two), (1, one)):
        best, pure = form.response(player, theirs)
        assert best == pytest.approx(response_by_views(form, player, theirs), abs=1e-12)
        both = (pure, theirs) if player == 0 else (theirs, pure)
        assert form.value(*both) * (1 - 2 * player) == pytest.approx(best, abs=1e-12)
    uniform = form.value(form.uniform(0), form.uniform(1))
    assert uniform == pytest.approx(float(form.uniform_value()), abs=1e-12)


def test_dark_hex_has_the_published_sizes() -> None:
    """Rudolph and others, 2025, with the programs of exp-a-spiel."""
    form = big(3, 3)
    assert form.infosets == (3_720_850, 2_352_067)
    assert form.lines == 257_760
    assert form.nodes() == 19_119_486_979


def test_uniform_play_of_dark_hex() -> None:
    """Published: 0.333684, and 0.666318 and 1.166488 to be gained on that, in single precision.

    The gains are what responses get, less that value: 1.000002, which is more than anybody can
    win, and 0.832804. We get the same responses, and 1/3.
    """
    form = big(3, 3)
    assert form.uniform_value() == Fraction(1, 3)
    uniform = [form.uniform(player) for player in BOTH]
    assert form.value(*uniform) == pytest.approx(1 / 3, abs=1e-9)
    assert form.response(0, uniform[1])[0] == pytest.approx(0.333684 + 0.666318, abs=3e-6)
    assert form.response(1, uniform[0])[0] == pytest.approx(1.166488 - 0.333684, abs=1e-6)


def test_phantom_tic_tac_toe_has_as_many_nodes_as_its_page_says() -> None:
    form = tic_tac_toe_form()
    assert form.nodes() == 19_934_533_171
    assert form.lines == 255_168  # plays of tic-tac-toe
    assert form.infosets == (3_683_314, 2_307_355)


def test_states_forget_the_order_of_refusals_within_a_turn_only() -> None:
    form = dark_hex_form(3, 2)
    start: View = (("a1", False), ("b1", False))
    refused = [("c1", True), ("a2", True)]
    assert form.state(0, [*start, *refused]) == form.state(0, [*start, *reversed(refused)])
    assert form.state(0, start) != form.state(0, start[::-1])
    assert list(form.choices(0, form.state(0, [*start, *refused]))) == ["b2", "c2"]


def test_a_pure_strategy_is_certain_to_win_on_a_small_board() -> None:
    form = dark_hex_form(2, 3)
    run = PhantomRun(form)
    run.step(60)
    pure = form.purified(0, run.averages()[0])
    assert set(pure) == {0.0, 1.0}
    assert form.response(1, pure)[0] == -1


def test_a_run_continues_where_it_was(tmp_path: Path) -> None:
    whole, half = PhantomRun(dark_hex_form(2, 2)), PhantomRun(dark_hex_form(2, 2))
    whole.step(20)
    half.step(10)
    half.save(tmp_path / "run.npz")
    again = PhantomRun(half.form)
    again.load(tmp_path / "run.npz")
    again.step(10)
    for one, two in zip(whole.averages(), again.averages(), strict=True):
        assert (one == two).all()
    with pytest.raises(ParameterError, match=r"run\.npz has a run of dark_hex"):
        PhantomRun(dark_hex_form(2, 2, abrupt=True)).load(tmp_path / "run.npz")


def test_what_a_form_refuses() -> None:
    with pytest.raises(ParameterError, match="16 cells"):
        tic_tac_toe_form(4, 4)
    with pytest.raises(TooLarge, match="max_states="):
        phantom_form("x", "abcdef", [lambda _: False] * 2, max_states=1000)
    for one, what in (("ab", "permutation"), ("ba ", "permutation"), ("bac", "no symmetry")):
        with pytest.raises(ParameterError, match=what):
            phantom_form("x", "abc", [lambda own: own >= {"a"}] * 2, symmetries=[one])
    with pytest.raises(ParameterError, match="more than 60"):
        phantom_form("x", "abcde", [lambda _: False] * 2, symmetries=["bacde", "bcdea"])
    with pytest.raises(ParameterError, match=r"no such state.*'c9'"):
        dark_hex_form(2, 2).state(0, [("c9", False)])
