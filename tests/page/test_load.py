"""The server under load, with clients that misbehave, and when it is stopped: nothing is left over.

Servers are started as the command starts them, and looked at from outside.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from infoset.page.lanes import LANES
from tests.page.clients import client, completed

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="processes are counted in /proc"
)
CLIENTS, REQUESTS = 50, 10_000
PATHS = (
    "/api/about", "/api/game", "/api/node", "/api/node?at=0", "/api/node?at=1.0",
    "/api/node?at=3.1.0", "/", "/main.js",
)  # fmt: skip
VIEW = "import sys; from infoset.cli import main; {more}main(sys.argv[1:])"


class Held(NamedTuple):
    """What a process has."""

    mebibytes: int
    threads: int
    descriptors: int
    processes: int


def held(process: int) -> Held:
    """What a process has now."""
    status = Path(f"/proc/{process}/status").read_text()
    size = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return Held(
        int(size.split()[1]) // 1024,
        len(os.listdir(f"/proc/{process}/task")),
        len(os.listdir(f"/proc/{process}/fd")),
        len(below(process)),
    )


def below(process: int) -> list[int]:
    """The processes that a process has started, and those that they have, if they still run."""
    parents: dict[int, int] = {}
    for one in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):
            words = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            if words[0] != "Z":
                parents[int(one)] = int(words[1])
    found = [one for one, parent in parents.items() if parent == process]
    return found + [each for one in found for each in below(one)]


def runs(process: int) -> bool:
    """Does a process still run?"""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def until(holds: Callable[[], bool], seconds: float = 15) -> bool:
    """Does something hold before long?"""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@contextmanager
def started(*arguments: str, more: str = "") -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server, with its address; ``more`` is run before."""
    command = [sys.executable, "-c", VIEW.format(more=more), *arguments]
    options = [] if "match" in arguments else ["--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        address = ""
        if options:
            assert process.stdout is not None
            words = process.stdout.readline().split()
            address = next(word for word in words if word.startswith("http://"))
        yield address, process
    finally:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    """Leduc poker, once all that is loaded at the start is there."""
    with started("view", "leduc") as (address, process):
        completed(many(address, CLIENTS, 500))
        assert httpx.get(f"{address}api/game?set=ranks=4").status_code == 200
        time.sleep(1)
        yield address, process.pid


# ---------------------------------------------------------------------- load


async def many(address: str, clients: int, requests: int) -> dict[str, set[bytes]]:
    """Different answers, by path, to requests of clients at the same time; each must be 200."""
    host = address.removeprefix("http://").rstrip("/")
    found: dict[str, set[bytes]] = {path: set() for path in PATHS}
    answered = 0

    async def one(number: int) -> None:
        nonlocal answered
        reader, writer = await asyncio.open_connection(*host.split(":"))
        for at in range(requests // clients):
            path = PATHS[(number + at) % len(PATHS)]
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            assert head.startswith(b"http/1.1 200"), head
            length = int(head.partition(b"content-length:")[2].split()[0])
            found[path].add(await reader.readexactly(length))
            answered += 1
        writer.close()
        await writer.wait_closed()

    await asyncio.wait_for(asyncio.gather(*map(one, range(clients))), 120)
    assert answered == requests
    return found


def test_many_clients_are_answered_and_nothing_is_left(server: tuple[str, int]) -> None:
    address, process = server
    completed(many(address, CLIENTS, 1000))
    assert until(lambda: len(os.listdir(f"/proc/{process}/fd")) < CLIENTS)
    before = held(process)
    answers = completed(many(address, CLIENTS, REQUESTS))
    for path, found in answers.items():
        assert found == {httpx.get(f"{address.rstrip('/')}{path}").content}, path
    assert until(lambda: held(process).descriptors <= before.descriptors)
    after = held(process)
    assert after.mebibytes <= before.mebibytes + 10, (before, after)
    pool = LANES["quick"].at_once + LANES["games"].at_once  # of which some may not be needed before
    assert after.threads <= before.threads + pool
    assert after.processes == before.processes == 2


def test_connections_that_say_nothing_do_not_matter(server: tuple[str, int]) -> None:
    address, process = server
    before = held(process)
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    with ExitStack() as opened:
        for number in range(200):
            silent = opened.enter_context(socket.create_connection((host, int(port))))
            if number % 2:
                silent.sendall(b"POST /api/solutions HTTP/1.1\r\nHost: 127.0.0.1\r\n"[: number + 1])
        assert until(lambda: held(process).descriptors >= before.descriptors + 200)
        for path in PATHS:
            assert httpx.get(f"{address.rstrip('/')}{path}", timeout=5).status_code == 200
    assert until(lambda: held(process).descriptors <= before.descriptors)


def test_connections_that_say_nothing_are_closed() -> None:
    patience = "import infoset.page.server as server; server.PATIENCE = 0.5; "
    with started("view", "kuhn", more=patience) as (address, _):
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        head = b"POST /api/solutions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"
        for begin, answer in ((b"", b""), (b"GET /", b""), (head, b"HTTP/1.1 422")):
            with socket.create_connection((host, int(port)), timeout=10) as silent:
                silent.sendall(begin)
                assert silent.recv(4096)[:12] == answer, begin
        with httpx.Client(base_url=address) as asking:  # who asks is not cut off
            for _ in range(3):
                assert asking.get("/api/about").status_code == 200
                time.sleep(0.4)


@pytest.mark.parametrize("more", ["GET / HTTP/1.1\r\nHo", "Content-Length: 9\r\n\r\n{"])
def test_connections_that_begin_another_request_and_do_not_end_it_are_closed(more: str) -> None:
    patience = "import infoset.page.server as server; server.PATIENCE = 0.5; "
    with started("view", "kuhn", more=patience) as (address, _):
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        end = "" if more.startswith("Content") else "\r\n"
        with socket.create_connection((host, int(port)), timeout=10) as slow:
            slow.sendall(f"GET /api/solutions/1 HTTP/1.1\r\nHost: {host}\r\n{end}".encode())
            slow.sendall(more.encode())
            assert slow.recv(65536).startswith(b"HTTP/1.1 422")
            began = time.monotonic()
            with suppress(OSError):
                while time.monotonic() < began + 5:  # by a sign now and then, too
                    slow.sendall(b"x")
                    time.sleep(0.2)
            assert time.monotonic() < began + 4


def test_more_connections_than_there_may_be_are_closed() -> None:
    few = "import infoset.page.server as server; server.MOST_CONNECTIONS = 20; "
    with started("view", "kuhn", more=few) as (address, _):
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        with ExitStack() as opened:
            for _ in range(20):
                opened.enter_context(socket.create_connection((host, int(port))))
            more = opened.enter_context(socket.create_connection((host, int(port)), timeout=5))
            with suppress(ConnectionError):
                assert more.recv(1) == b""
        assert until(lambda: answers(address))


def answers(address: str) -> bool:
    """Does a server answer?"""
    with suppress(httpx.HTTPError):
        return httpx.get(f"{address}api/about").status_code == 200
    return False


def test_clients_that_break_off_leave_nothing(server: tuple[str, int]) -> None:
    address, process = server
    before = held(process)
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    head = f"POST /api/solutions HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000\r\n\r\n"
    for number in range(40):
        with socket.create_connection((host, int(port))) as broken:
            broken.sendall(head.encode() + b'{"set": ["ranks'[: number % 15])
    for _ in range(40):  # before the answer
        with socket.create_connection((host, int(port))) as broken:
            broken.sendall(f"GET /api/node HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert httpx.get(f"{address}api/about").status_code == 200
    assert until(lambda: held(process).descriptors <= before.descriptors)
    assert held(process).processes == before.processes


def test_who_leaves_during_a_long_solution_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with client("leduc") as asking:
        body: dict[str, Any] = {"method": "cfr+", "seconds": 1}
        quick = asking.post("/api/solutions", json=body).json()["solution"]
        assert until(lambda: over(asking, quick))
        before = held(os.getpid())
        number = asking.post("/api/solutions", json={**body, "seconds": 300}).json()["solution"]
        assert until(
            lambda: "iteration" in asking.get(f"/api/solutions/{number}").json()["said"], 60
        )
        monkeypatch.setattr("infoset.page.jobs.ABANDONED", 0.5)
        assert any(over_after(2.5, asking, number) for _ in range(6))
        monkeypatch.undo()  # a busy machine may not ask twice in half a second
        after = held(os.getpid())
        assert after[1:] <= before[1:]
        again = asking.post("/api/solutions", json={**body, "seconds": 2}).json()["solution"]
        assert until(lambda: over(asking, again))  # the solver is free


def over_after(seconds: float, asking: Any, number: int) -> bool:
    """Is a job over, once nobody has asked about it for so long?"""
    time.sleep(seconds)
    return over(asking, number)


def over(asking: Any, number: int) -> bool:
    """Is a job over?"""
    return asking.get(f"/api/solutions/{number}").json()["state"] in ("done", "stopped", "failed")


LOCAL = "Host: 127.0.0.1"
UPGRADE = ("Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")


@pytest.mark.parametrize(
    ("line", "headings"),
    [
        ("GET /api/about HTTP/1.1", []),
        ("GET /api/about HTTP/1.1", [LOCAL, LOCAL]),
        ("GET /api/about HTTP/1.1", ["Host: evil.example"]),
        ("GET /api/about HTTP/1.1", [LOCAL, "Origin: http://evil.example"]),
        ("GET /api/about HTTP/1.1", [LOCAL, "Content-Length: -1"]),
        ("GET /api/about HTTP/1.1", [LOCAL, "Content-Length: 1e9"]),
        ("GET /api/about HTTP/1.1", [LOCAL, "Content-Length: 99999999999999999999"]),
        ("POST /api/solutions HTTP/1.1", [LOCAL, "Content-Length: 3", "Content-Length: 4"]),
        ("POST /api/solutions HTTP/1.1", [LOCAL, "Transfer-Encoding: chunked, gzip"]),
        ("POST /api/solutions HTTP/1.1", [LOCAL, "Transfer-Encoding: chunked", "", "zz"]),
        ("GET /api/about HTTP/1.1", [LOCAL, f"Cookie: {'x' * 100_000}"]),
        (f"GET /{'x' * 100_000} HTTP/1.1", [LOCAL]),
        ("GET /api/node?at=\u00e9 HTTP/1.1", [LOCAL]),
        ("GET /\0 HTTP/1.1", [LOCAL]),
        ("GET /%00%ff HTTP/1.1", [LOCAL]),
        ("GET http://127.0.0.1/api/x HTTP/1.1", [LOCAL]),
        ("CONNECT 127.0.0.1:80 HTTP/1.1", [LOCAL]),
        ("TRACE / HTTP/1.1", [LOCAL]),
        ("x" * 100, []),
        ("GET /api/x HTTP/1.1", [LOCAL, *UPGRADE]),
    ],
)
def test_malformed_requests_are_refused(
    server: tuple[str, int], line: str, headings: list[str]
) -> None:
    address, _ = server
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as asking:
        with suppress(OSError):  # it is refused before all of it is sent
            asking.sendall("\r\n".join([line, *headings, "", ""]).encode("latin-1"))
        answer = asking.recv(65536)
    assert answer.startswith(b"HTTP/1.1 4"), answer
    assert b"Traceback" not in answer
    assert httpx.get(f"{address}api/about").status_code == 200


# ---------------------------------------------------------------------- the end

SLOW = """from infoset import game
@game(players=("one", "two"))
def slow(g):
    if g.choose("one", (0, 1)):
        while True: pass
    return g.win("one")
"""
SLEEPS = "while True: pass", "__import__('time').sleep(60)"


def solves(address: str) -> None:
    """Let the server solve."""
    asked = {"method": "cfr+", "seconds": 300}
    number = httpx.post(f"{address}api/solutions", json=asked).json()["solution"]
    told = f"{address}api/solutions/{number}"
    assert until(lambda: "iteration" in httpx.get(told).json()["said"])


def begins_to_solve(address: str) -> None:
    """Let the server begin to solve, whose process may not be ready."""
    httpx.post(f"{address}api/solutions", json={"method": "cfr+", "seconds": 300})


def waits(address: str) -> None:
    """Let a page wait for news at a table."""
    offered = httpx.get(f"{address}api/tables").json()["seats"]
    seats = dict.fromkeys(offered, "human")
    made = httpx.post(f"{address}api/tables", json={"seats": seats}).json()
    asked = {"token": next(iter(made["tokens"].values())), "since": 0}
    path = f"/api/tables/{made['table']}"
    now = httpx.get(f"{address.rstrip('/')}{path}", params=asked).json()["version"]
    sends(address, f"{path}?token={asked['token']}&since={now}")


def computes(address: str) -> None:
    """Let a node be computed that has no end."""
    sends(address, "/api/node?at=1")
    time.sleep(0.5)


def sleeps(address: str) -> None:
    """Let a node be computed where no clock reaches."""
    sends(address, "/api/node?at=1")
    time.sleep(0.5)


def rests(address: str) -> None:
    """Let it be idle."""


def sends(address: str, path: str) -> None:
    """Send a request whose answer nobody reads; the test closes the connection."""
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    asking = socket.create_connection((host, int(port)))
    asking.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    SENT.append(asking)


SENT: list[socket.socket] = []


@pytest.mark.parametrize(
    ("busy", "number"),
    [
        *((busy, signal.SIGINT) for busy in (solves, begins_to_solve, waits, computes, rests)),
        (sleeps, signal.SIGINT),
        *((busy, signal.SIGTERM) for busy in (solves, computes)),
    ],
)
def test_a_server_that_is_stopped_ends_at_once(
    busy: Callable[[str], None], number: int, tmp_path: Path
) -> None:
    file = tmp_path / "slow.py"
    file.write_text(SLOW if busy is computes else SLOW.replace(*SLEEPS))
    game = str(file) if busy in (computes, sleeps) else "leduc"
    with started("view", game) as (address, process):
        busy(address)
        others = below(process.pid)
        os.killpg(process.pid, number)  # as a terminal sends it
        began = time.monotonic()
        printed, complaint = process.communicate(timeout=20)
        assert time.monotonic() - began < 5
        while SENT:
            with SENT.pop() as asking, suppress(OSError):
                assert not asking.recv(20).startswith(b"HTTP/1.1 5")
        assert printed == ""  # after the address
        if number == signal.SIGINT:
            assert (process.returncode, complaint.strip()) == (130, "infoset: stopped")
        else:
            assert (process.returncode, complaint) == (-signal.SIGTERM, "")
        assert until(lambda: not any(map(runs, others)), 3)


@pytest.mark.parametrize("later", [0.0, 0.2])
def test_workers_that_are_being_started_end_without_a_word(later: float) -> None:
    arguments = ("match", "kuhn", "random", "random", "--games", "100000", "--jobs", "2")
    with started(*arguments) as (_, process):
        assert until(lambda: any(map(is_worker, below(process.pid))), 60)
        time.sleep(later)
        others = below(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
        assert (process.returncode, complaint.strip()) == (130, "infoset: stopped")
        assert until(lambda: not any(map(runs, others)), 5)


def is_worker(process: int) -> bool:
    """Is it one of joblib's?"""
    with suppress(OSError):
        return b"popen_loky" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False
