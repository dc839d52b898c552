"""Work that is divided among processes: every result once, also when a process dies."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from infoset import game, solve
from infoset.analysis.sweeps import kept, plan, sweep
from infoset.cli.app import call
from infoset.errors import InfosetError, NotApplicable, NotReached, ParameterError, WorkerLost
from infoset.games import kuhn, leduc
from infoset.parallel import RETRIES, workers
from infoset.play import match, read_records
from tests.cli.test_command import refusal
from tests.unlucky import Unlucky, die_once


def squared(mark: Path, number: int) -> int:
    if number == 3:
        die_once(mark)
    return number * number


def deadly(number: int) -> int:
    time.sleep(0.02)
    if number == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refused(number: int) -> int:
    raise ParameterError(f"{number} is too much")


@pytest.mark.parametrize("ordered", [True, False])
def test_nothing_is_lost_with_a_process_and_nothing_comes_twice(
    tmp_path: Path, ordered: bool
) -> None:
    mark = tmp_path / "died"
    with workers(2) as those:
        found = list(those.results(partial(squared, mark), range(12), ordered=ordered))
    assert mark.exists()
    assert (found if ordered else sorted(found)) == [number**2 for number in range(12)]


def test_what_kills_its_process_every_time_ends_the_work() -> None:
    with workers(2) as those, pytest.raises(WorkerLost, match=f"{RETRIES + 1} times") as raised:
        list(those.results(deadly, range(12), called=lambda number: f"number {number}"))
    assert "number" in str(raised.value)
    assert "jobs=1" in str(raised.value)
    with workers(2) as those:  # the next work does not suffer
        assert list(those.results(abs, [-1, -2], ordered=True)) == [1, 2]


def test_errors_come_as_they_were_raised() -> None:
    with workers(2) as those, pytest.raises(ParameterError) as raised:
        list(those.results(refused, [7, 7, 7]))
    assert str(raised.value) == "7 is too much"


def test_what_cannot_be_sent_is_said() -> None:
    with workers(2) as those, pytest.raises(NotApplicable, match="generator") as raised:
        list(those.results(abs, [(number for number in range(3))]))  # type: ignore[arg-type]
    assert "jobs=1" in str(raised.value)
    assert "\n" not in str(raised.value)


# ------------------------------------------------------------------ matches


def test_a_match_outlives_its_processes(tmp_path: Path) -> None:
    mark, record = tmp_path / "died", tmp_path / "games.jsonl"
    alone = match(leduc(), [Unlucky(), "random"], games=60, seed=3)
    shared = match(leduc(), [Unlucky(mark), "random"], games=60, seed=3, jobs=2, record=record)
    assert int(mark.read_text()) != os.getpid()
    assert sorted(one.number for one in read_records(record)) == list(range(60))
    assert [one.record.moves for one in shared.games] == [one.record.moves for one in alone.games]
    assert shared.standings() == alone.standings()


def test_games_that_are_in_no_module_are_played_elsewhere() -> None:
    @game(players=("one", "two"))
    def matching(g: Any, coins: int = 2) -> object:
        made = g.together({"one": range(coins), "two": range(coins)})
        return g.win("one" if made["one"] == made["two"] else "two")

    alone = match(matching(), ["random", "random"], games=20)
    assert match(matching(), ["random", "random"], games=20, jobs=2).standings() == (
        alone.standings()
    )
    swept = sweep(matching, coins=range(2, 5), jobs=2)
    assert [row.value for row in swept.rows] == [
        solve(matching(coins=coins)).value for coins in range(2, 5)
    ]


# ------------------------------------------------------------------ sweeps


def test_processes_find_the_same_rows_in_the_same_order(tmp_path: Path) -> None:
    asked = plan(kuhn, {"ranks": range(2, 7), "bet": [1, 2]})
    alone = list(asked.rows())
    with kept(asked, tmp_path / "kuhn.csv") as (known, keep):
        rows = asked.rows(known, keep, jobs=2)
        begun = [next(rows) for _ in range(4)]
        rows.close()  # type: ignore[attr-defined]
    with kept(asked, tmp_path / "kuhn.csv") as (known, keep):
        assert list(known) == [row.game for row in begun]
        shared = list(asked.rows(known, keep, jobs=2))
    for one, other in zip(alone, shared, strict=True):
        assert one.game == other.game
        assert (one.nodes, one.value, one.payoffs, one.certificate) == (
            other.nodes, other.value, other.payoffs, other.certificate,
        )  # fmt: skip


RULES = """
from infoset import game

def wins(one, two):
    return one >= two

@game(players=("one", "two"))
def rules(g, sides=3):
    made = g.together({"one": range(sides), "two": range(sides)})
    return g.win("one" if wins(made["one"], made["two"]) else "two")
"""


def test_rules_in_a_file_are_swept_by_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "duel.py"
    file.write_text(RULES)
    assert call(["sweep", f"{file}:rules", "sides=2..4", "--jobs", "2"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2 + 3


# ------------------------------------------------------------------ clusters that are not there


def test_clusters_that_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for cluster in ("slurm", "http://there:80", "", 7):
        with pytest.raises(ParameterError, match="'ray', 'dask'"):
            match(kuhn(), ["random", "random"], games=2, cluster=cluster)  # type: ignore[arg-type]
    said = refusal(capsys, "match", "kuhn", "random", "random", "--cluster", "slurm")
    assert "--cluster slurm" in said
    for jobs in (0, 2000, 1.5):
        with pytest.raises(ParameterError, match="jobs= must be"):
            sweep(kuhn, ranks=[2, 3], jobs=jobs)  # type: ignore[arg-type]


@pytest.mark.parametrize("address", ["ray://127.0.0.1:9", "tcp://127.0.0.1:9", "tcp://nowhere"])
def test_a_cluster_that_does_not_answer_or_is_not_installed(address: str) -> None:
    began = time.monotonic()
    with pytest.raises(InfosetError) as raised:
        sweep(kuhn, ranks=[2, 3], cluster=address)
    said = str(raised.value)
    assert "\n" not in said
    if isinstance(raised.value, NotReached):
        assert address in said
    else:
        assert "infoset[cluster]" in said
    assert time.monotonic() - began < 30
