"""Nothing spoils a long run: not Ctrl-C, not a kill, not a full disk, not the wrong file."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest

from infoset import games, solve
from infoset.errors import FileError
from infoset.solvers import settings as settings_module
from infoset.solvers.cfr import run as running
from infoset.solvers.cfr import solver as driving
from infoset.solvers.cfr.run import scheduled
from infoset.solvers.container import read_checkpoint, write_checkpoint
from infoset.solvers.convergence import Convergence, Progress
from infoset.solvers.solution import Solution
from infoset.tree import Tree

KUHN = games.kuhn().tree()
KUHN_3 = games.kuhn(players=3).tree()
LEDUC = games.leduc().tree()
ROOT = Path(__file__).parents[3]


def bits(solution: Solution) -> list[bytes]:
    return [plan.weights.numerators.tobytes() for plan in solution.verified]


def measured(solution: Solution) -> list[tuple[Any, ...]]:
    """The convergence without its times."""
    assert solution.convergence is not None
    points = solution.convergence.points
    return [(point.iterations, point.regret, point.regrets, point.coarse) for point in points]


def assert_same_run(one: Solution, two: Solution) -> None:
    assert bits(one) == bits(two)
    assert measured(one) == measured(two)
    assert one.work == two.work


# ---------------------------------------------------------------------- when it measures


def test_measuring_follows_from_iterations_alone() -> None:
    at, found = 0, []
    while at < 10**6:
        at = scheduled(at)
        found.append(at)
    assert found[:8] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert all(scheduled(done) == min(p for p in found if p > done) for done in range(0, 9_000, 7))
    # Often enough to stop near where it should, and seldom enough to cost nothing.
    assert all(two - one <= max(1, one / 5) for one, two in pairwise(found))
    assert len(found) < 300


def test_the_course_is_what_was_scheduled_and_the_end() -> None:
    found = solve(KUHN, "cfr", iterations=100)
    wanted, at = [0], 0
    while scheduled(at) < 100:
        at = scheduled(at)
        wanted.append(at)
    assert [point.iterations for point in found.convergence.points] == [*wanted, 100]
    times = [point.seconds for point in found.convergence.points]
    assert times == sorted(times)
    assert times[0] >= 0


def test_it_is_shown_how_far_it_is() -> None:
    seen: list[Progress] = []
    solve(LEDUC, "cfr", iterations=12_000, seconds=inf, watch=seen.append)
    assert seen
    assert all(moment.part == pytest.approx(moment.iterations / 12_000) for moment in seen)
    assert all(f"{moment.iterations:,} iterations, regret " in str(moment) for moment in seen)


@pytest.mark.parametrize("method", ["cfr+", "external-sampling"])
def test_a_run_that_is_done_at_once_is_shown_too(method: str) -> None:
    seen: list[Progress] = []
    solve(KUHN, method, iterations=5, watch=seen.append)
    assert (seen[-1].iterations, seen[-1].part) == (5, 1.0)
    if method == "cfr+":
        seen.clear()
        solve(games.kuhn().public(), method, iterations=5, watch=seen.append)
        assert (seen[-1].iterations, seen[-1].part) == (5, 1.0)


def test_sums_beyond_floats_end_a_run_with_what_was_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings_module.STEEPEST, "float64", 1_000.0)
    found = solve(KUHN, "discounted-cfr", exponents=(1.5, 0, 100), iterations=3_000)
    assert "sums grew beyond floats" in found.note
    assert 1_000 < found.work["iterations"] < 3_000
    assert found.regret < 0.05
    assert float(found.regret) == pytest.approx(min(p.regret for p in found.convergence.points))


# ---------------------------------------------------------------------- going on from a checkpoint


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize(
    "method", ["cfr", "cfr+", "linear-cfr", "discounted-cfr", "predictive-cfr+"]
)
@pytest.mark.parametrize("tree", [KUHN, KUHN_3], ids=["two players", "three players"])
def test_a_run_in_pieces_is_a_run_in_one(
    tree: Tree, method: str, precision: str, tmp_path: Path
) -> None:
    file = tmp_path / "run.checkpoint"
    whole = solve(tree, method, iterations=100, precision=precision)
    for iterations in (1, 37, 37, 100):
        last = solve(tree, method, iterations=iterations, precision=precision, checkpoint=file)
        assert last.work["iterations"] == iterations
        assert_same_run(last, solve(tree, method, iterations=iterations, precision=precision))
    assert_same_run(last, whole)


def test_every_checkpoint_on_the_way_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A copy of each that was written; from each of them the run ends alike, measures and all.
    file = tmp_path / "run.checkpoint"
    copies: list[tuple[int, bytes]] = []

    def write(path: Path, facts: dict[str, Any], arrays: dict[str, Any]) -> None:
        write_checkpoint(path, facts, arrays)
        copies.append((facts["iterations"], path.read_bytes()))

    with monkeypatch.context() as patch:
        patch.setattr(running, "BATCH", 0.0)  # one iteration at a time
        patch.setattr(running, "write_checkpoint", write)
        whole = solve(KUHN, "cfr", iterations=40, checkpoint=file, every=0)
    assert {done for done, _ in copies} == set(range(41))
    for _, copy in copies:
        file.write_bytes(copy)
        assert_same_run(solve(KUHN, "cfr", iterations=40, checkpoint=file), whole)


def test_hands_may_change_in_between(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    whole = solve(LEDUC, "cfr+", iterations=90)
    for iterations, workers in ((20, 3), (41, 1), (70, 2), (90, 5)):
        last = solve(LEDUC, "cfr+", iterations=iterations, workers=workers, checkpoint=file)
    assert bits(last) == bits(whole)
    assert [p.iterations for p in last.convergence.points] == [
        p.iterations for p in whole.convergence.points
    ]
    for one, two in zip(last.convergence.points, whole.convergence.points, strict=True):
        assert one.regrets == two.regrets


def test_what_was_done_is_not_undone(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    solve(KUHN, "cfr+", iterations=50, checkpoint=file)
    fewer = solve(KUHN, "cfr+", iterations=20, checkpoint=file)
    assert fewer.work["iterations"] == 50
    near = solve(KUHN, "cfr+", regret=1.0, checkpoint=file)
    assert near.work["iterations"] == 50


def test_time_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    solve(LEDUC, "cfr", iterations=2_000, checkpoint=file)
    before = read_checkpoint(file)[0]["seconds"]
    found = solve(LEDUC, "cfr", iterations=2_400, checkpoint=file)
    assert found.convergence.last.seconds > before > 0


OUTSIDE = """
import json, sys, threading
from infoset import games, solve

settings = json.loads(sys.argv[1])
tree = games.leduc().tree()
threads = threading.active_count()
words = []
def tick(said):
    if "iterations" in said and not words:
        words.append(said)
        print("going", flush=True)
found = solve(tree, "cfr+", tick=tick, **settings)
print(json.dumps({
    "iterations": found.work["iterations"],
    "note": found.note,
    "certificate": found.certificate,
    "threads": threading.active_count() - threads,
}), flush=True)
"""


def started(**settings: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", OUTSIDE, json.dumps(settings)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def test_a_run_that_is_killed_ends_like_one_that_was_not(tmp_path: Path) -> None:
    file, moments = tmp_path / "run.checkpoint", random.Random(os.getpid())
    reached = [0]
    for workers in (1, 2):
        # Far more iterations than it gets the time for; a checkpoint with every batch.
        child = started(iterations=10**7, checkpoint=str(file), every=0, workers=workers)
        try:
            end = time.monotonic() + 60
            while time.monotonic() < end and child.poll() is None:
                if file.exists() and read_checkpoint(file)[0]["iterations"] > reached[-1] + 100:
                    break
                time.sleep(0.01)
            time.sleep(moments.random() * 0.15)
        finally:
            child.kill()
            child.communicate()
        assert child.returncode == -signal.SIGKILL
        reached.append(read_checkpoint(file)[0]["iterations"])
    assert reached == sorted(set(reached))
    # No litter, but where it was killed in the moment in which a new file has two names.
    assert [one.name for one in tmp_path.iterdir() if one.suffix != ".tmp"] == [file.name]
    iterations = reached[-1] + 321
    last = solve(LEDUC, "cfr+", iterations=iterations, checkpoint=file)
    whole = solve(LEDUC, "cfr+", iterations=iterations)
    assert bits(last) == bits(whole)
    assert last.work == whole.work
    for one, two in zip(measured(last), measured(whole), strict=True):
        assert one[0] == two[0]
        assert one[1] == two[1]


# ---------------------------------------------------------------------- Ctrl-C


def test_ctrl_c_stops_with_an_answer(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    child = started(regret=0, workers=2, checkpoint=str(file))
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "going\n"
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    finally:
        child.kill()
        child.communicate()
    assert (child.returncode, err) == (0, "")
    found = json.loads(out)
    assert found["iterations"] > 0
    assert f"stopped after {found['iterations']:,} iterations" in found["note"]
    assert "proved in rational arithmetic" in found["certificate"]
    assert found["threads"] == 0  # none that was not there before
    assert read_checkpoint(file)[0]["iterations"] == found["iterations"]


def test_a_second_ctrl_c_is_taken_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    before, threads = signal.getsignal(signal.SIGINT), threading.active_count()

    def impatient(said: str) -> None:
        if "iterations" in said:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        solve(LEDUC, "cfr+", regret=0, workers=2, tick=impatient, checkpoint=file)
    assert signal.getsignal(signal.SIGINT) is before
    assert threading.active_count() <= threads  # one of before may have ended meanwhile
    # What was written is whole, and can be gone on with.
    assert solve(LEDUC, "cfr+", iterations=50, checkpoint=file).work["iterations"] == 50


def test_who_asks_by_itself_is_not_interrupted_by_us() -> None:
    before = signal.getsignal(signal.SIGINT)
    during: list[Any] = []

    def stop() -> bool:
        during.append(signal.getsignal(signal.SIGINT))
        return len(during) > 3

    solve(KUHN, "cfr+", regret=0, stop=stop)
    assert all(one is before for one in during)


def test_a_run_in_another_thread_is_no_different() -> None:
    found: list[Solution] = []
    thread = threading.Thread(
        target=lambda: found.append(solve(LEDUC, "cfr+", iterations=60, workers=2))
    )
    thread.start()
    thread.join(60)
    assert_same_run(found[0], solve(LEDUC, "cfr+", iterations=60, workers=2))


# ---------------------------------------------------------------------- files that are not its own


def kept(file: Path, **settings: Any) -> bytes:
    """A checkpoint of discounted CFR on kuhn."""
    solve(KUHN, "discounted-cfr", iterations=5, checkpoint=file, **settings)
    return file.read_bytes()


def refused(file: Path, tree: Tree = KUHN, method: str = "discounted-cfr", **settings: Any) -> str:
    with pytest.raises(FileError) as refusal:
        solve(tree, method, checkpoint=file, **{"iterations": 9, **settings})
    said = str(refusal.value)
    assert "\n" not in said
    assert said.startswith(f"{file}: ")
    return said.removeprefix(f"{file}: ")


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        ({"tree": games.kuhn(ranks=4).tree()}, "of another game: kuhn(), not kuhn(ranks=4)"),
        ({"method": "cfr"}, "of a run with method discounted-cfr, not cfr"),
        ({"exponents": (1.5, 0, 1)}, "exponents [1.5, 0.0, 2.0], not [1.5, 0.0, 1.0]"),
        ({"averaging": "linear"}, "exponents [1.5, 0.0, 2.0], not [1.5, 0.0, 1.0]"),
        ({"updates": "simultaneous"}, "updates alternating, not simultaneous"),
        ({"precision": "float32"}, "precision float64, not float32"),
    ],
    ids=["game", "method", "exponents", "averaging", "updates", "precision"],
)
def test_the_checkpoint_of_another_run(
    other: dict[str, Any], difference: str, tmp_path: Path
) -> None:
    file = tmp_path / "run.checkpoint"
    before = kept(file)
    said = refused(file, **other)
    assert said.startswith("this checkpoint is of ")
    assert difference in said
    assert said.endswith("; name another file")
    assert file.read_bytes() == before


def test_a_game_of_the_same_name_is_another(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    before = kept(file)
    richer = games.kuhn(bet=2).tree()
    object.__setattr__(richer, "name", KUHN.name)
    assert refused(file, richer).startswith(
        "this checkpoint is of another kuhn(): its rules have changed since"
    )
    assert file.read_bytes() == before


def test_the_checkpoint_of_a_sampled_run(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    solve(KUHN, "external-sampling", iterations=20, checkpoint=file)
    before = file.read_bytes()
    assert "this checkpoint is of another kind: " in refused(file, method="cfr+")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "this is no checkpoint"),
        (b"seconds,iterations,regret\n1,2,3\n", "this is no checkpoint"),
        (bytes(range(256)) * 40, "this is no checkpoint"),
        (None, "damaged"),
    ],
    ids=["empty", "text", "garbage", "cut off"],
)
def test_what_is_no_checkpoint(content: bytes | None, why: str, tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    content = kept(file)[:-40] if content is None else content
    file.write_bytes(content)
    assert why in refused(file)
    assert file.read_bytes() == content


@pytest.mark.parametrize("missing", ["course", "least", "iterations", "regret", "best", "gained"])
def test_a_checkpoint_with_something_missing(missing: str, tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    kept(file)
    facts, arrays = read_checkpoint(file)
    facts.pop(missing, None)
    arrays.pop(missing, None)
    write_checkpoint(file, facts, arrays)
    before = file.read_bytes()
    assert "damaged: " in refused(file)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda facts, arrays: arrays.update(regret=arrays["regret"][:-1]),
        lambda facts, arrays: arrays.update(share=arrays["share"].astype("f4")),
        lambda facts, arrays: facts.update(course={"points": 3}),
        lambda facts, arrays: facts.update(iterations="many"),
    ],
    ids=["short", "float32", "course", "iterations"],
)
def test_a_checkpoint_that_does_not_fit(spoil: Callable[[Any, Any], None], tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    kept(file)
    facts, arrays = read_checkpoint(file)
    spoil(facts, arrays)
    write_checkpoint(file, facts, arrays)
    assert "damaged: " in refused(file)


def test_names_that_cannot_be(tmp_path: Path) -> None:
    assert "this is a folder" in refused(tmp_path)
    assert "there is no such folder" in refused(tmp_path / "none" / "run")
    long = tmp_path / ("x" * 300)
    assert "File name too long" in refused(long)
    assert "cannot be the name of a file" in refused_name(tmp_path / "a\0b")
    for bad in (tmp_path, tmp_path / "none" / "course.csv"):
        with pytest.raises(FileError):
            solve(KUHN, "cfr+", iterations=3, log=bad)
    assert not list(tmp_path.iterdir())


def refused_name(file: Path) -> str:
    with pytest.raises(FileError) as refusal:
        solve(KUHN, "cfr+", iterations=3, checkpoint=file)
    return str(refusal.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert "permission denied" in refused(tmp_path / "run.checkpoint")
        tmp_path.chmod(0o000)
        assert "permission denied" in refused(tmp_path / "run.checkpoint")
    finally:
        tmp_path.chmod(0o700)


# ---------------------------------------------------------------------- full disks


def test_no_room_is_said_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "run.checkpoint"
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=100))
    assert "the disk has 100 left" in refused(file)
    assert not file.exists()


class Disk:
    """A disk that is full from some moment on, and may be cleared again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        monkeypatch.setattr(running, "BATCH", 0.005)
        monkeypatch.setattr(driving, "TELL", 0.0)
        plain = os.fsync

        def fsync(number: int) -> None:
            if self.full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            plain(number)

        monkeypatch.setattr(os, "fsync", fsync)


def test_a_disk_that_fills_up_does_not_stop_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, log = tmp_path / "run.checkpoint", tmp_path / "course.csv"
    disk = Disk(monkeypatch)
    written: list[bytes] = []

    def fill(said: str) -> None:
        if "iterations" in said and not disk.full:
            written.append(file.read_bytes())
            disk.full = True

    settings: Any = {"checkpoint": file, "log": log, "every": 0}
    found = solve(LEDUC, "cfr", iterations=3_000, tick=fill, **settings)
    assert disk.full
    assert found.work["iterations"] == 3_000
    assert "No space left on device" in found.note
    assert str(tmp_path) in found.note
    disk.full = False
    assert read_checkpoint(file)[0]["iterations"] < 3_000  # the last that could be written, whole
    assert len(list(tmp_path.iterdir())) == 2
    again = solve(LEDUC, "cfr", iterations=3_000, **settings)  # and the run can go on from it
    assert_same_run(again, found)
    assert not again.note


def test_a_disk_that_was_full_for_a_while_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, said = Disk(monkeypatch), []

    def tick(words: str) -> None:
        if "iterations" in words:
            said.append(words)
            disk.full = len(said) == 1

    file = tmp_path / "run.checkpoint"
    found = solve(LEDUC, "cfr", iterations=2_000, tick=tick, checkpoint=file, every=0)
    assert len(said) > 1
    assert not found.note
    assert read_checkpoint(file)[0]["iterations"] == 2_000


# ---------------------------------------------------------------------- the log


@pytest.mark.parametrize("tree", [KUHN, KUHN_3], ids=["two players", "three players"])
def test_the_log_is_the_course(tree: Tree, tmp_path: Path) -> None:
    log, file = tmp_path / "course.csv", tmp_path / "run.checkpoint"
    found = solve(tree, "cfr+", iterations=150, log=log)
    assert Convergence.read(log).points == found.convergence.points
    assert Convergence.read(log).players == tree.names
    for iterations in (30, 150):
        found = solve(tree, "cfr+", iterations=iterations, log=log, checkpoint=file)
        assert Convergence.read(log).points == found.convergence.points
        assert found.convergence.last.iterations == iterations
    assert bool(found.convergence.last.coarse) == (tree is KUHN_3)


def test_getting_files_ready_is_not_the_run_s_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = running.write_checkpoint

    def slow(*given: Any) -> None:
        time.sleep(1.0)
        usual(*given)

    monkeypatch.setattr(running, "write_checkpoint", slow)
    convergence = solve(KUHN, "cfr+", iterations=3, checkpoint=tmp_path / "run").convergence
    assert convergence is not None
    assert convergence.points[-1].seconds < 1.0
