"""Every wish that cannot be granted is refused in one line, before any work is done."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infoset import games, solve
from infoset.errors import ParameterError
from infoset.solvers.settings import Settings

WHOLE = "it must be a whole number from 1 on"
AMOUNT = "it must be a number from 0 on"
THREE = "three numbers are wanted, as (1.5, 0, 2)"
FILE = "the name of a file is wanted"
TRUTH = "it must be True, False or None"
BAD = [
    *[("iterations", bad, WHOLE) for bad in (0, -1, 2.0, 1e9, nan, inf, True, "3", [3], 1j)],
    *[("workers", bad, WHOLE) for bad in (0, -2, 1.5, True, False, "two", np.bool_(True))],
    ("workers", 65, "workers=65: at most 64"),
    *[("regret", bad, AMOUNT) for bad in (-1, -1e-300, nan, inf, -inf, True, "0.1", 1j, 10**400)],
    *[("every", bad, AMOUNT) for bad in (-1, nan, inf, "often", True, None)],
    ("updates", "alternate", "did you mean 'alternating'?"),
    ("updates", "both", "known: 'alternating', 'simultaneous'"),
    *[("updates", bad, "known: 'alternating'") for bad in (True, 3, [], np.zeros(2))],
    ("averaging", "lineare", "did you mean 'linear'?"),
    ("averaging", 2, "known: 'linear', 'quadratic', 'uniform'"),
    ("precision", "float16", "did you mean 'float64'?"),
    *[("precision", bad, "known: 'float32', 'float64'") for bad in (np.int8, 32, None)],
    *[("exponents", bad, THREE) for bad in (3, (), (1, 2), (1, 2, 3, 4), "abc", {1: 2})],
    ("exponents", (1, -2, 3), "-2 is no number from 0 on"),
    ("exponents", (nan, 1, 1), "nan is no number from 0 on"),
    ("exponents", (1, -inf, 1), "-inf is no number from 0 on"),
    ("exponents", (1, 1, True), "True is no number from 0 on"),
    ("exponents", (1, "2", 1), "'2' is no number from 0 on"),
    *[("exponents", (1, 1, bad), "10 at most with float64") for bad in (inf, 10.5, 10**400)],
    *[("checkpoint", bad, FILE) for bad in ("", 3, True, b"run", ["run"])],
    *[("log", bad, FILE) for bad in ("", 3, False, b"run")],
    *[("seed", bad, "it must be a whole number") for bad in (1.0, True, "x", nan)],
    *[("exploration", bad, "at most 1") for bad in (0, -0.1, 1.01, nan, True, "x", 10**400)],
    *[("prove", bad, TRUTH) for bad in (1, 0, "yes", np.bool_(True))],
]


def said(**wishes: Any) -> str:
    with pytest.raises(ParameterError) as refusal:
        Settings.of(wishes)
    words = str(refusal.value)
    assert "\n" not in words
    assert len(words) < 200
    return words


@pytest.mark.parametrize(("name", "bad", "why"), BAD, ids=lambda value: f"{value!r:.20}")
def test_a_bad_value_is_named_with_what_is_wanted(name: str, bad: Any, why: str) -> None:
    words = said(**{name: bad})
    assert words.startswith(f"{name}=")
    assert why in words


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("iteration", "iterations"), ("worker", "workers"), ("check_point", "checkpoint")],
)
def test_a_name_that_is_none_gets_the_nearest(misspelt: str, meant: str) -> None:
    assert said(**{misspelt: 1}) == f"there is no setting {misspelt!r}; did you mean {meant!r}?"


def test_solve_refuses_before_it_looks_at_the_game() -> None:
    with pytest.raises(ParameterError, match="iterations=0"):
        solve("no game at all", "cfr+", iterations=0)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="there is no setting 'iters'"):
        solve(games.kuhn(), "cfr+", iters=5)  # type: ignore[call-arg]


def test_other_methods_have_no_such_settings() -> None:
    with pytest.raises(ParameterError, match="iterations: lp has no such setting"):
        solve(games.kuhn(), "lp", iterations=5)
    with pytest.raises(ParameterError, match="averaging"):
        solve(games.kuhn(), "lp", averaging="linear")


def test_numbers_of_any_kind_become_plain_ones() -> None:
    settings = Settings(
        iterations=np.int64(5),
        regret=Fraction(1, 4),
        exponents=[1, np.float32(0.5), 2],  # type: ignore[arg-type]
        every=0,
        checkpoint="run",
        workers=64,
    )
    assert (settings.iterations, settings.regret, settings.every) == (5, 0.25, 0.0)
    assert settings.exponents == (1.0, 0.5, 2.0)
    given = (settings.iterations, settings.regret, settings.every, *settings.exponents)
    assert [type(one) for one in given] == [int, float, float, float, float, float]


def test_regrets_may_be_kept_for_ever_but_averages_need_an_end() -> None:
    assert Settings(exponents=(inf, 10**400, 0)).exponents == (inf, inf, 0.0)
    assert Settings(exponents=(0, 0, 10)).exponents == (0.0, 0.0, 10.0)
    assert "3 at most with float32" in said(exponents=(1, 1, 4), precision="float32")


def test_checkpoint_and_log_are_two_files(tmp_path: Path) -> None:
    assert "name another" in said(checkpoint=tmp_path / "run", log=str(tmp_path / "run"))


def test_what_is_chosen_is_what_differs() -> None:
    assert Settings().chosen == ()
    assert Settings(precision="float64", iterations=None).chosen == ()
    chosen = Settings(iterations=3, log=Path("course.csv"), prove=False).chosen
    assert chosen == ("iterations", "log", "prove")
