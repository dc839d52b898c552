"""Runs of regret minimization where everything around them goes wrong."""

from __future__ import annotations

import math
import os
import shutil
import signal
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from infoset import Play, game, sample, solve
from infoset.errors import FileError, ParameterError
from infoset.games import kuhn, leduc
from infoset.solvers.container import read_checkpoint, write_checkpoint
from infoset.solvers.convergence import Convergence

METHODS = ("cfr+", "external-sampling")


class Room(NamedTuple):
    """What a disk says of itself."""

    total: int
    used: int
    free: int


@game(players=("ann", "bob"))
def lottery(g: Play, digits: int = 400) -> object:
    """A small game, worth 10^digits times as much with the probability 10^-digits."""
    luck = g.chance(("none", "all"), (10**digits, 1))
    mine, yours = g.together({"ann": range(3), "bob": range(3)}).values()
    payoff = ((3, -1, 2), (-2, 5, 0), (1, -3, 4))[mine][yours]
    return g.win("ann", payoff * (10**digits if luck == "all" else 1))


class InBytes:
    """A path to the system, and none to pathlib."""

    def __fspath__(self) -> bytes:
        return b"run.checkpoint"


@pytest.mark.parametrize("wishes", [{}, {"iterations": 200}])
def test_payoffs_beyond_floats_that_hardly_ever_come(wishes: Any) -> None:
    solution = solve(lottery(), "cfr+", **wishes)
    assert solution.regret < (Fraction(1, 5) if wishes else 2)
    assert solution.certificate.startswith("regret at most")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["checkpoint", "log"])
def test_a_path_of_bytes_is_refused_by_name(method: str, name: str) -> None:
    wishes: Any = {name: InBytes()}
    with pytest.raises(ParameterError, match=f"^{name}=.*the name of a file is wanted$"):
        solve(kuhn(), method, iterations=1, **wishes)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seconds", [10**400, 1e308, math.inf])
def test_a_run_may_have_all_the_time_there_is(method: str, seconds: float) -> None:
    assert solve(kuhn(), method, iterations=3, seconds=seconds).work["iterations"] == 3


def test_a_run_that_is_refused_writes_over_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint, log = tmp_path / "run", tmp_path / "log.csv"
    log.write_text("of another day\n")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Room(1, 1, 0))
    with pytest.raises(FileError, match="make room"):
        solve(kuhn(), "cfr+", iterations=5, checkpoint=checkpoint, log=log)
    assert log.read_text() == "of another day\n"
    assert sorted(tmp_path.iterdir()) == [log]


@pytest.mark.parametrize(
    "lie",
    [
        {"iterations": -5},
        {"iterations": 3},
        {"iterations": 10**30},
        {"iterations": math.inf},
        {"seconds": -1e9},
        {"seconds": math.nan},
        {"seconds": math.inf},
    ],
)
def test_a_checkpoint_that_contradicts_itself_is_refused(
    tmp_path: Path, lie: dict[str, Any]
) -> None:
    file = tmp_path / "run"
    solve(kuhn(), "cfr+", iterations=20, checkpoint=file)
    facts, arrays = read_checkpoint(file)
    write_checkpoint(file, {**facts, **lie}, arrays)
    before = file.read_bytes()
    with pytest.raises(FileError, match="run: damaged: it is not as it was written"):
        solve(kuhn(), "cfr+", iterations=40, checkpoint=file)
    assert file.read_bytes() == before


@pytest.mark.parametrize("lie", [{"iterations": math.inf}, {"random": [3, []]}, {"nodes": None}])
def test_so_is_a_sampled_one(tmp_path: Path, lie: dict[str, Any]) -> None:
    file = tmp_path / "run"
    sample(kuhn(), iterations=20, checkpoint=file)
    facts, arrays = read_checkpoint(file)
    write_checkpoint(file, {**facts, **lie}, arrays)
    with pytest.raises(FileError, match="run: damaged: "):
        sample(kuhn(), iterations=40, checkpoint=file)


@pytest.mark.parametrize("seed", [1, 2])
def test_complaints_about_a_checkpoint_command_no_terminal(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "red\x1b[31m\nrun"
    if seed == 1:
        solve(kuhn(), "cfr+", iterations=2, checkpoint=file)  # of another kind
    else:
        sample(kuhn(), iterations=2, checkpoint=file)  # of another seed
    with pytest.raises((FileError, ParameterError)) as caught:
        sample(kuhn(), iterations=5, checkpoint=file, seed=1)
    assert "name another file" in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("method", METHODS)
def test_a_folder_that_goes_away_is_in_the_note(tmp_path: Path, method: str) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        if asked == 3:
            shutil.rmtree(folder)
        return asked > 5

    solution = solve(
        leduc(), method, stop=stop, checkpoint=folder / "run", log=folder / "log.csv", every=0.0
    )
    assert "there is no such folder" in solution.note
    assert os.fspath(folder / "run") in solution.note
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_may_be_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    for iterations in (5, 10):
        solve(kuhn(), "cfr+", iterations=iterations, checkpoint=link)
    assert link.is_symlink()
    assert read_checkpoint(target)[0]["iterations"] == 10


def test_many_runs_at_once_do_not_disturb_each_other() -> None:
    alone = solve(leduc(), "cfr+", iterations=40).regret
    drawn = sample(kuhn(), iterations=200, seed=1).evaluation.bound
    found: list[object] = []

    def work(workers: int) -> None:
        found.append(solve(leduc(), "cfr+", iterations=40, workers=workers).regret == alone)
        found.append(sample(kuhn(), iterations=200, seed=1).evaluation.bound == drawn)

    threads = [threading.Thread(target=work, args=(1 + number % 3,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 12


def _breaks(*_: object) -> bool:
    raise RuntimeError("broken")


@pytest.mark.parametrize("name", ["stop", "watch", "tick"])
def test_who_breaks_a_run_leaves_no_thread_behind(name: str) -> None:
    tree = leduc().tree()
    before = set(threading.enumerate())
    listener: dict[str, Callable[..., Any]] = {name: _breaks}
    with pytest.raises(RuntimeError, match="broken"):
        solve(tree, "cfr+", seconds=20, workers=3, **listener)  # type: ignore[arg-type]
    assert set(threading.enumerate()) <= before


NAMES = {
    "escapes": ("\x1b[31mred\x07", "line\nbreak\r"),
    "markup": ("[bold]one[/bold]", "[/] [link=x]"),
    "cells": ('a,"b"', "c;d,'e'\t"),
    "long": ("L" * 20_000, "M" * 20_000),
    "formulas": ("$x_1$ \\alpha", "=1+1"),
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_names_are_only_names(tmp_path: Path, names: tuple[str, str]) -> None:
    first, second = names

    @game(players=names)
    def named(g: Play) -> object:
        mine, yours = (
            g.choose(first, (first, second)),
            g.choose(second, (first, second)),
        )
        return g.win(first, 3 if mine == yours == first else -(mine != yours))

    file, log = tmp_path / "run", tmp_path / "log.csv"
    for iterations in (20, 40):
        solution = solve(named(), "cfr+", iterations=iterations, checkpoint=file, log=log)
    assert solution.convergence is not None
    assert Convergence.read(log, "cfr+") == solution.convergence
    solution.convergence.plot(tmp_path / "course.svg")
    shown = f"{solution}{solution.convergence}{solution!r}"
    assert all(sign.isprintable() or sign == "\n" for sign in shown)
    assert len(shown) < 20_000


def test_signals_that_another_language_handles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python says None of such a handler, and does not take None back."""
    set_before: list[object] = []
    real = signal.signal

    def foreign(number: int, handler: Any) -> object:
        set_before.append(handler)
        real(number, handler)
        return None

    kept = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.setattr(signal, "signal", foreign)
    try:
        assert solve(kuhn(), "cfr+", iterations=3).work["iterations"] == 3
    finally:
        for each, handler in kept.items():
            real(each, handler)
    assert set_before[-1] is signal.SIG_DFL
