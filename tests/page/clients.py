"""Clients of a server that runs within the test."""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # starlette would rather have another client library
    from starlette.testclient import TestClient

from jsonschema import Draft202012Validator

from infoset.cli.game_arguments import GameArguments, LimitOptions
from infoset.cli.view import NamedGame
from infoset.page.schema import schema
from infoset.page.server import LOCAL, Pages
from infoset.solvers.solution import Solution

T = TypeVar("T")
HOST = "http://127.0.0.1:8000"


def completed(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, in a loop of its own: browser tests have one in this thread."""
    with ThreadPoolExecutor(1) as alone:
        return alone.submit(asyncio.run, coroutine).result()


def pages(name: str, *parameters: str) -> Pages:
    """What the command would serve."""
    return Pages(NamedGame(GameArguments(str(name), parameters), LimitOptions()), parameters)


def valid(request: str, answer: Any) -> Any:
    """An answer, if it is as the schema says."""
    told = schema()
    allowed = {"anyOf": told["answers"][request], "$defs": told["$defs"]}
    Draft202012Validator(allowed).validate(answer)
    return answer


@contextmanager
def client(
    name: str | Path,
    *parameters: str,
    token: str | None = None,
    solution: Solution | None = None,
    warm: bool = False,
    **settings: Any,
) -> Iterator[TestClient]:
    """A client of the application for a game, which may have been solved before.

    Most tests need none of its processes, which are started at once only if it is ``warm``.
    """
    made = pages(str(name), *parameters)
    if solution is not None:
        made.members.adopt(solution)
    app = made.app(LOCAL, token, warm=warm)
    with TestClient(app, base_url=HOST, **settings) as found:
        found.jobs = made.jobs
        yield found


def finished(asking: TestClient, number: int, seconds: float = 60) -> dict[str, Any]:
    """A job once it is over."""
    until = time.monotonic() + seconds
    while True:
        told: dict[str, Any] = asking.get(f"/api/solutions/{number}").json()
        if told["state"] not in ("queued", "running"):
            return told
        assert time.monotonic() < until, told
        time.sleep(0.05)


def solved(asking: TestClient, **body: Any) -> int:
    """The number of a solution that was found."""
    number = int(asking.post("/api/solutions", json=body).json()["solution"])
    told = finished(asking, number)
    assert told["state"] == "done", told
    return number
