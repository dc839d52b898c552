"""Answers to a page without a port: a page in a notebook asks the process that shows it.

The requests are those of :mod:`infoset.page.protocol`, and the same code answers them; they come as
messages between the notebook and its kernel. They are answered in threads of their own, so that the
kernel is free meanwhile; while the kernel itself computes, messages wait.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

from starlette.types import Message, Scope

from infoset.errors import ParameterError
from infoset.page.protocol import LONGEST_QUERY
from infoset.page.server import Pages
from infoset.rules import Game
from infoset.rules.parameters import parse_parameters
from infoset.solvers.solution import Solution
from infoset.text import brief

METHODS = ("GET", "POST", "DELETE")


class GivenGame(NamedTuple):
    """Opens a game that is there already, and other members of its family."""

    game: Any

    @property
    def name(self) -> str:
        """Its name, with its parameters."""
        return repr(self.game) if isinstance(self.game, Game) else str(self.game.name)

    @property
    def file(self) -> Path | None:
        """None: a kernel knows the rules as they were when it ran them."""
        return None

    def open(self, parameters: Sequence[str]) -> Any:
        """The game, or the member of its family with these parameters, ``name=value`` each."""
        if not parameters:
            return self.game
        if not isinstance(self.game, Game):
            raise ParameterError(f"{brief(self.name)} takes no parameters")
        return self.game.family(**parse_parameters(self.game.family, parameters))


class Reply(NamedTuple):
    """What was answered."""

    status: int
    media_type: str
    content: bytes

    @property
    def json(self) -> Any:
        """The content, if it is JSON."""
        return json.loads(self.content)


class Kernel:
    """Answers about one game, and about a solution of it that is known."""

    def __init__(self, game: Any, solution: Solution | None = None) -> None:
        """Nothing runs before the first request."""
        self._pages = Pages(GivenGame(game))
        if solution is not None:
            self._pages.members.adopt(solution)
        self._app = self._pages.app()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._serve, name="infoset-kernel", daemon=True)
        self._lock = threading.Lock()

    def ask(self, method: str, path: str, body: str = "") -> Future[Reply]:
        """The answer to a request, once it is there.

        Parameters
        ----------
        method, path, body
            As in HTTP; the body is JSON.
        """
        return asyncio.run_coroutine_threadsafe(
            self._answered(method, path, body.encode("utf-8", "replace")), self._running()
        )

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread.start()
            return self._loop

    def _serve(self) -> None:
        assert self._loop is not None
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    async def _answered(self, method: str, path: str, body: bytes) -> Reply:
        where, _, query = path.partition("?")
        if method not in METHODS or not where.startswith("/api/") or len(path) > LONGEST_QUERY:
            return Reply(400, "application/json", b'{"error": "this is no request"}')
        status, media_type = 500, ""
        parts: list[bytes] = []
        requests: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if not requests:
                await asyncio.Event().wait()  # a notebook never hangs up
            return requests.pop()

        async def send(message: Message) -> None:
            nonlocal status, media_type
            if message["type"] == "http.response.start":
                status = message["status"]
                media_type = dict(message["headers"]).get(b"content-type", b"").decode()
            else:
                parts.append(message.get("body", b""))

        await self._app(_scope(method, where, query, len(body)), receive, send)
        return Reply(status, media_type, b"".join(parts))

    def close(self) -> None:
        """End what runs in the background."""
        self._pages.close()
        with self._lock:
            if self._thread.is_alive() and self._loop is not None:
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join()


def _scope(method: str, path: str, query: str, length: int) -> Scope:
    """A request as servers pass it on, from this machine."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("ascii", "replace"),
        "root_path": "",
        "query_string": query.encode("ascii", "replace"),
        "headers": [(b"host", b"localhost"), (b"content-length", str(length).encode())],
        "server": ("localhost", 0),
    }


def answer_page(
    kernel: Kernel, asked: Any, send: Callable[[dict[str, Any], list[bytes]], None]
) -> None:
    """Answer a message of a page: its number, and the request.

    What is not of this form is not answered: other code may use the same messages.
    """
    if not isinstance(asked, dict) or not isinstance(asked.get("number"), str):
        return
    number = asked["number"][:60]
    words = [str(asked.get(name) or "") for name in ("method", "path", "body")]

    def answered(future: Future[Reply]) -> None:
        reply = future.result()
        send(
            {"number": number, "status": reply.status, "media_type": reply.media_type},
            [reply.content],
        )

    kernel.ask(*words).add_done_callback(answered)
