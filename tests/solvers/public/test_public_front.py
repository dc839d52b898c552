"""Runs on public forms: when they stop, what they write, how they go on, what they refuse."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from infoset import memory
from infoset.errors import FileError, NotApplicable, ParameterError, TooLarge
from infoset.solvers import solve
from infoset.solvers.cfr.public_layout import payoff_range, pennies, public_bytes_needed
from infoset.solvers.cfr.solver import NEAR
from infoset.solvers.cfr.variants import VARIANTS
from infoset.solvers.convergence import Progress
from infoset.solvers.public import solve_public
from tests.solvers.public.forms import public, trees


@pytest.mark.parametrize("method", [row.name for row in VARIANTS])
def test_it_answers_as_on_the_tree(method: str) -> None:
    found = solve_public(public("leduc"), method, iterations=30)
    expected = solve(trees()["leduc"], method, iterations=30)
    assert found.method == method == expected.method
    assert found.work["iterations"] == 30
    for player, regret in expected.regrets.items():
        assert float(found.regrets[player]) == pytest.approx(float(regret), abs=1e-9)
    assert [point.iterations for point in found.convergence.points] == [
        point.iterations for point in expected.convergence.points
    ]


def test_if_nothing_limits_it_it_stops_near() -> None:
    found = solve_public(public("kuhn"), "discounted-cfr")
    assert found.regret <= NEAR * 4  # from -2 to 2
    assert found.convergence.points[-2].regret > NEAR * 4
    assert not found.note


def test_it_stops_at_a_regret_and_says_if_it_did_not() -> None:
    found = solve_public(public("leduc"), regret=0.01)
    assert found.regret <= 0.01
    assert not found.note
    short = solve_public(public("leduc"), regret=0.0, iterations=5)
    assert short.note == "stopped after 5 iterations"


def test_whoever_stops_it_gets_the_best_so_far() -> None:
    seen: list[Progress] = []
    found = solve_public(
        public("leduc"),
        "discounted-cfr",
        regret=0.0,
        stop=lambda: len(seen) >= 2,
        watch=seen.append,
    )
    assert found.note.startswith("stopped after ")
    assert found.work["iterations"] >= seen[-1].iterations > 0
    assert float(found.regret) == pytest.approx(
        min(point.regret for point in found.convergence.points), abs=1e-9
    )


def test_a_run_in_two_parts_is_one_run(tmp_path: Path) -> None:
    kept = tmp_path / "leduc.checkpoint"
    wishes = {"method": "cfr+", "precision": "float32"}
    solve_public(public("leduc"), iterations=13, checkpoint=kept, workers=2, **wishes)
    parted = solve_public(public("leduc"), iterations=40, checkpoint=kept, workers=1, **wishes)
    whole = solve_public(public("leduc"), iterations=40, **wishes)
    assert parted.work == whole.work
    for one, two in zip(parted.evaluation.plans, whole.evaluation.plans, strict=True):
        np.testing.assert_array_equal(one, two)
    with pytest.raises(FileError, match="of another game: leduc"):
        solve_public(public("kuhn"), iterations=1, checkpoint=kept, **wishes)
    with pytest.raises(FileError, match="a run with method cfr\\+, not cfr"):
        solve_public(public("leduc"), "cfr", iterations=1, checkpoint=kept, precision="float32")


def test_a_log_is_written(tmp_path: Path) -> None:
    log = tmp_path / "course.csv"
    found = solve_public(public("kuhn"), iterations=30, log=log)
    assert len(log.read_text().splitlines()) == 1 + len(found.convergence.points)


def test_what_cannot_be_asked_for_is_refused() -> None:
    with pytest.raises(ParameterError, match="seed: discounted-cfr takes no seed"):
        solve_public(public("kuhn"), seed=3)
    with pytest.raises(NotApplicable, match="'cfr\\+\\+' does not take public forms; did you"):
        solve_public(public("kuhn"), "cfr++")
    with pytest.raises(ParameterError, match="there is no setting 'iteration'"):
        solve_public(public("kuhn"), iteration=3)  # type: ignore[call-arg]


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = public_bytes_needed(public("leduc"), "float64")
    assert public_bytes_needed(public("leduc"), "float32") < needed
    monkeypatch.setattr(memory, "available", lambda: needed - 1 + memory.KEEP_FREE)
    with pytest.raises(TooLarge, match=r"leduc.*with precision='float32' it would fit"):
        solve_public(public("leduc"), iterations=1)
    assert solve_public(public("leduc"), iterations=1, precision="float32").work["iterations"] == 1


@pytest.mark.parametrize(("name", "most"), [("kuhn", 4), ("leduc", 26), ("kuhn of 40", 4)])
def test_what_is_at_stake(name: str, most: int) -> None:
    # Zero-sum games in which 2 (kuhn: ante and bet) or 13 (leduc) can be won or lost.
    assert payoff_range(public(name)) == pytest.approx(most)


def test_what_is_at_stake_does_not_depend_on_what_both_are_given() -> None:
    plain = pennies()
    assert payoff_range(plain) == 2
    assert payoff_range(replace(plain, total=Fraction(7))) == 2
