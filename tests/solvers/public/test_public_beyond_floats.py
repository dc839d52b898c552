"""Public forms whose whole numbers no float has: entries, payoffs, and what is said of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infoset import Play, game, solve
from infoset.errors import NotApplicable
from infoset.forms.public.plans import in_floats
from infoset.solvers.public import solve_public
from infoset.solvers.solution import Solution
from infoset.strategy.public import public_profile

HUGE = 10**400
ON = Fraction("0.9123456789012345")


@game(players=("a", "b"), vectorized=True)
def hazard(g: Play, rounds: int = 25) -> tuple[Any, Any]:
    """Pennies for a card, if the clock has not stopped the game before."""
    card = g.chance(("low", "high"))
    g.reveal("a", card)
    for number in range(rounds):
        if g.chance(("on", "off"), (ON, 1 - ON)) == "off":
            return 0, 0
        g.reveal(("a", "b"), f"round {number}")
    same = g.choose("a", ("x", "y")) == g.choose("b", ("x", "y"))
    won = g.map(lambda one: (3 if same else -1) * (2 if one == "high" else 1), card)
    return won, -won


@game(players=("a", "b"), vectorized=True)
def huge(g: Play, both: int = 0) -> tuple[Any, Any]:
    """Pennies for more than floats can say; both may be given something beside."""
    number = g.chance((0, 1, 2))
    g.reveal("a", number)
    same = g.choose("a", ("x", "y")) == g.choose("b", ("x", "y"))
    won = g.map(lambda one: HUGE * (one + 1) * (2 if same else -1), number)
    return won, both - won


def uneven() -> Solution:
    """Hazard, as the first iterations leave it: nobody plays all of its options alike."""
    return solve_public(hazard().public(), "cfr+", iterations=3)


def test_entries_beyond_floats_come_to_what_they_are() -> None:
    form = hazard().public()
    entries = [block.entries for table in form.tables for block in table.blocks]
    assert max(int(np.abs(one).max()) for one in entries) > 2**1024  # no more than 6 is paid
    solution = uneven()
    assert solution.proved
    assert solution.on_tree(hazard()).payoffs == solution.payoffs
    nearly = public_profile(form, solution.evaluation.plans)
    for found, expected in (
        (nearly.payoffs, solution.payoffs),
        (nearly.best_response_values, solution.evaluation.verified.best_response_values),
    ):
        assert list(found.values()) == pytest.approx(list(map(float, expected.values())), rel=1e-12)


def test_reach_and_values_there_follow_from_chance_and_the_plans() -> None:
    solution, comes = uneven(), float(ON**25)
    assert solution.evaluation.floats.reach("b", 0) == pytest.approx([comes])
    assert solution.evaluation.floats.reach("a", 0) == pytest.approx([comes / 2, comes / 2])
    x, y = solution.evaluation.floats.probabilities("b", 0)[:, 0]
    by_option = np.array([3 * x - y, 3 * y - x])
    mine = by_option @ solution.evaluation.floats.probabilities("a", 0) * [1, 2]
    assert solution.evaluation.floats.values("a", 0) == pytest.approx(mine)
    assert solution.evaluation.floats.values("b", 0) == pytest.approx([-mine.mean()])


def test_what_is_believed_there_is_what_chance_deals() -> None:
    @game(players=("a", "b"), vectorized=True)
    def bold(g: Play) -> tuple[Any, Any]:
        """The clock, then b answers a, whose card it does not know."""
        card = g.chance(("low", "high"), (1, 3))
        g.reveal("a", card)
        g.reveal("b", g.chance(("heads", "tails")))
        for _ in range(25):
            if g.chance(("on", "off"), (ON, 1 - ON)) == "off":
                return 0, 0
            g.reveal(("a", "b"), "on")
        g.choose("a", ("x",))
        right = g.choose("b", ("low", "high"))
        won = g.map(lambda one: -1 if one == right else 1, card)
        return won, -won

    solution = solve_public(bold().public(), "cfr+", iterations=3)
    (table,) = solution.table("b")
    assert table.column("private") == ["heads", "tails"]
    assert table.column("believes") == ["low: 0.2500; high: 0.7500"] * 2


def test_it_shows_itself_and_is_kept(tmp_path: Path) -> None:
    solution = uneven()
    assert "private" in str(solution)
    solution.save(tmp_path / "hazard")
    assert Solution.load(tmp_path / "hazard", hazard()).payoffs == solution.payoffs


@pytest.mark.parametrize("both", [0, HUGE], ids=["nothing", "much"])
def test_payoffs_beyond_floats_are_solved_exactly_and_shown(both: int, tmp_path: Path) -> None:
    one = huge(both=both)
    solution = solve_public(one.public(), "lp")
    assert solution.exact
    assert solution.value == solve(one, "lp").value == HUGE
    assert sum(solution.payoffs.values()) == both
    assert "1e+400 (a whole number of 401 digits)" in str(solution)
    for player in ("a", "b"):
        assert np.isnan(solution.evaluation.floats.values(player, 0)).all()  # no float can say them
        table = solution.table(player).text()
        assert "reach" in table
        assert not {"nan", "inf"} & set(table.split())
    assert "<table" in solution._repr_html_()
    solution.save(tmp_path / "huge")
    assert Solution.load(tmp_path / "huge", one).payoffs == solution.payoffs


def test_floats_refuse_what_they_cannot_say() -> None:
    form = huge().public()
    with pytest.raises(NotApplicable, match=r"huge\(\): .*floats"):
        solve_public(form, "lp", exact=False)
    with pytest.raises(NotApplicable, match=r"huge\(\): payoffs are beyond floats"):
        solve_public(form, "cfr", iterations=3)


@pytest.mark.parametrize("factor", [1, 10**15, HUGE], ids=["1", "10^15", "10^400"])
def test_entries_as_floats_keep_their_ratios(factor: int) -> None:
    whole = np.array([[3 * factor, -factor], [0, 2 * factor]], object)
    floats, shared = in_floats(whole)
    assert floats.dtype == np.float64
    assert (floats * float(Fraction(shared, factor))).tolist() == [[3, -1], [0, 2]]
    assert in_floats(np.array([2, 4]))[1] == 1  # int64 stays as it is
