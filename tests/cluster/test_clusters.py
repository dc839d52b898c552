"""Matches, sweeps and sampling on a real Ray and a real Dask, of which processes are killed."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from infoset import sample
from infoset.analysis.sweeps import sweep
from infoset.errors import NotReached, ParameterError, WorkerLost
from infoset.games import kuhn, leduc
from infoset.parallel import workers
from infoset.play import match, read_records
from tests.test_parallel import deadly, refused, squared
from tests.unlucky import Unlucky

# Both packages leave sockets and files to the end of the process.
pytestmark = [pytest.mark.filterwarnings("default")]
MISSING = "{} is not installed; make test-cluster installs it"


@pytest.fixture(scope="module", params=["ray", "dask"])
def cluster(request: pytest.FixtureRequest) -> Iterator[str]:
    """One that this process is connected to, as users have it."""
    if request.param == "ray":
        ray = pytest.importorskip("ray", reason=MISSING.format("Ray"))
        ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield "ray"
        ray.shutdown()
    else:
        distributed = pytest.importorskip("distributed", reason=MISSING.format("Dask"))
        with (
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None
            ) as local,
            distributed.Client(local),
        ):
            yield "dask"


def test_all_of_a_cluster_works(cluster: str) -> None:
    with workers(cluster=cluster) as those:
        assert those.count == 2


@pytest.mark.parametrize("ordered", [True, False])
def test_nothing_is_lost_with_a_worker_and_nothing_comes_twice(
    cluster: str, tmp_path: Path, ordered: bool
) -> None:
    mark = tmp_path / "died"
    with workers(2, cluster) as those:
        found = list(those.results(partial(squared, mark), range(12), ordered=ordered))
    assert mark.exists()
    assert (found if ordered else sorted(found)) == [number**2 for number in range(12)]


def test_what_kills_its_worker_every_time_ends_the_work(cluster: str) -> None:
    with workers(cluster=cluster) as those:
        with pytest.raises(WorkerLost):
            list(those.results(deadly, range(12)))
        with pytest.raises(ParameterError, match=r"^7 is too much$"):
            list(those.results(refused, [7, 7, 7]))
        assert list(those.results(abs, [-1, -2], ordered=True)) == [1, 2]


def test_a_match_outlives_a_worker(cluster: str, tmp_path: Path) -> None:
    mark, record = tmp_path / "died", tmp_path / "games.jsonl"
    alone = match(leduc(), [Unlucky(), "random"], games=60, seed=3)
    shared = match(
        leduc(), [Unlucky(mark), "random"], games=60, seed=3, record=record, cluster=cluster
    )
    assert int(mark.read_text()) != os.getpid()
    assert sorted(one.number for one in read_records(record)) == list(range(60))
    assert [one.record.moves for one in shared.games] == [one.record.moves for one in alone.games]
    assert shared.standings() == alone.standings()


def test_a_worker_is_killed_from_outside_in_the_middle_of_a_match(
    cluster: str, tmp_path: Path
) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(SLOW.format(folder=str(tmp_path)))
    names = [f"{slow}:Slow", "random"]
    alone = match(leduc(), names, games=80, seed=8)
    for file in tmp_path.glob("*.pid"):
        file.unlink()
    killed: list[int] = []

    def kill(result: object, games: int) -> None:
        latest = max(tmp_path.glob("*.pid"), key=lambda file: file.stat().st_mtime)
        if not killed:
            killed.append(int(latest.stem))
            os.kill(killed[0], signal.SIGKILL)

    record = tmp_path / "games.jsonl"
    shared = match(leduc(), names, games=80, seed=8, record=record, watch=kill, cluster=cluster)
    assert killed
    assert killed[0] != os.getpid()
    assert len(list(tmp_path.glob("*.pid"))) >= 2
    assert sorted(one.number for one in read_records(record)) == list(range(80))
    assert [one.record.moves for one in shared.games] == [one.record.moves for one in alone.games]


SLOW = """
import os, time
from pathlib import Path

class Slow:
    def begin(self, game, seat, clock): pass
    def told(self, fact): pass
    def choose(self, options):
        Path({folder!r}, f"{{os.getppid()}}.pid").touch()  # of the worker
        time.sleep(0.02)
        return options[0]
"""


def test_a_sweep_has_the_same_rows(cluster: str) -> None:
    alone = sweep(kuhn, ranks=range(2, 7))
    shared = sweep(kuhn, ranks=range(2, 7), cluster=cluster)
    for one, other in zip(alone.rows, shared.rows, strict=True):
        assert (one.game, one.nodes, one.value, one.certificate, one.note) == (
            other.game, other.nodes, other.value, other.certificate, other.note,
        )  # fmt: skip


def test_sampling_is_the_same_to_the_last_bit(cluster: str, tmp_path: Path) -> None:
    asked = {"iterations": 100, "parts": 3, "seed": 2}
    alone, shared = sample(leduc(), **asked), sample(leduc(), **asked, cluster=cluster)
    assert shared.strategy == alone.strategy
    assert (shared.work, shared.regret) == (alone.work, alone.regret)
    assert [point.regrets for point in shared.convergence.points] == [
        point.regrets for point in alone.convergence.points
    ]


# ------------------------------------------------------------------ by the command


@pytest.mark.parametrize(("kind", "package"), [("ray", "ray"), ("dask", "distributed")])
def test_a_killed_match_is_resumed_on_a_cluster(kind: str, package: str, tmp_path: Path) -> None:
    pytest.importorskip(package, reason=MISSING.format(kind.title()))
    slow, record = tmp_path / "slow.py", tmp_path / "games.jsonl"
    slow.write_text(SLOW.format(folder=str(tmp_path)))
    words = [
        sys.executable, "-m", "infoset", "match", "leduc", f"{slow}:Slow", "random",
        "--games", "120", "--record", str(record), "--cluster", kind, "--jobs", "2", "--json",
    ]  # fmt: skip
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        while not record.exists() or len(record.read_bytes().splitlines()) < 20:
            time.sleep(0.05)
            assert running.poll() is None
    finally:
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    before = len(read_records(record))
    assert 0 < before < 120
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    assert '"games": 120' in done.stdout
    assert sorted(one.number for one in read_records(record)) == list(range(120))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def test_a_cluster_is_reached_by_its_address(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason=MISSING.format("Ray"))
    pytest.importorskip("grpc", reason="Ray's client is not installed; make test-cluster does")
    port = free_port()
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    environment = {**os.environ, **token, "RAY_USAGE_STATS_ENABLED": "0"}
    ray = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block"]
    ray += ["--node-ip-address", "127.0.0.1", "--port", str(free_port()), "--num-cpus", "2"]
    ray += ["--ray-client-server-port", str(port), "--include-dashboard", "false"]
    words = [sys.executable, "-m", "infoset", "match", "leduc", "random", "random", "--games"]
    words += ["40", "--record", str(tmp_path / "games.jsonl"), "--cluster"]
    words += [f"ray://127.0.0.1:{port}", "--json"]
    with (tmp_path / "ray.log").open("w") as log:
        head = subprocess.Popen(ray, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(60):
            done = subprocess.run(words, env=environment, capture_output=True, timeout=90)
            if not done.returncode:
                break
            time.sleep(0.5)  # not up yet
            assert head.poll() is None
        assert done.returncode == 0, done.stderr
    finally:
        head.terminate()
        head.wait(60)
    alone = match(leduc(), ["random", "random"], games=40)
    shared = sorted(read_records(tmp_path / "games.jsonl"), key=lambda one: one.number)
    assert [one.record.payoffs for one in shared] == [one.record.payoffs for one in alone.games]


def test_a_scheduler_without_workers_is_not_waited_for_forever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed", reason=MISSING.format("Dask"))
    monkeypatch.setattr("infoset.parallel.clusters.PATIENCE", 0.5)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as local,
        pytest.raises(NotReached, match=local.scheduler_address),
    ):
        sweep(kuhn, ranks=[2, 3], cluster=local.scheduler_address)
