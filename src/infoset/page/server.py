"""The server of the application: what can be asked, by whom, and how much.

It answers requests from this machine only, unless it is told to listen elsewhere; then a token is
needed, which is in the address that it prints. Requests whose ``Host`` names another server, as a
page that has rebound its name would send, and those whose ``Origin`` is another page are refused.
Pages may load nothing from elsewhere and run no scripts but their own. No part of a request ever
names a file: what is served is read when the server starts.

Answers are JSON of the protocol in :mod:`infoset.page.protocol`. What cannot be answered is refused
with a status of 4xx and one line, ``{"error": ...}``.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from infoset.errors import InfosetError, ParameterError
from infoset.page.answers import Answers, offered, summary
from infoset.page.downloads import exported
from infoset.page.jobs import DONE, Job, Jobs
from infoset.page.lanes import Lanes
from infoset.page.locked import locked
from infoset.page.members import Members
from infoset.page.opened import Opener, plainly, problem
from infoset.page.protocol import (
    LONGEST_BODY,
    LONGEST_QUERY,
    VERSION,
    Answer,
    client_of,
    equilibrium_of,
    first_of,
    locks_of,
    parameters_of,
    seconds_of,
    terms_of,
    whole,
)
from infoset.page.saved import KINDS, static_files
from infoset.page.schema import schema
from infoset.page.tables import Tables
from infoset.rules.running import OutOfTime
from infoset.solvers.registry import SOLVERS
from infoset.text import brief

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
)
LOCAL = ("127.0.0.1", "localhost", "[::1]")
PATIENCE = 30.0  # seconds in which a request has to come, with its body
MOST_CONNECTIONS = 500  # that are open at a time
COOKIE = "infoset-token"  # and the port: cookies are for all ports of a machine
LONGEST_FILE = 200_000  # bytes of rules that are shown
FOREIGN = ("cross-site", "same-site")  # what browsers say of requests that other pages send


class Guard:
    """Refuses what does not come from the application's own pages, and what is too large."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], token: str | None) -> None:
        """With the names under which the server may be called."""
        self.app, self.hosts, self.token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is allowed, with the headers of every answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.setdefault("headers", [])
                given.extend((name.encode(), value.encode()) for name, value in self._added(scope))
            await send(message)

        refused = self._refused(scope)
        if refused:
            status, said = refused
            await Answer({"error": said}, status)(scope, receive, with_headers)
            return
        try:
            await self.app(scope, self._bounded(receive), with_headers)
        except asyncio.CancelledError:  # of what is still being answered
            await Answer({"error": "the server is being stopped"}, 429)(
                scope, receive, with_headers
            )
            raise

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(scope.get("query_string", b"")) > LONGEST_QUERY or len(scope["path"]) > 300:
            return 414, "the address is too long"
        if sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_QUERY:
            return 431, "the headers are too long"
        if scope["path"].startswith("/api/") and headers.get("sec-fetch-site") in FOREIGN:
            return 403, "requests of other pages are refused"
        if not self._is_ours(re.sub(r":\d+$", "", host).lower()):
            return 421, "this server is not called like that"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, "requests of other pages are refused"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LONGEST_BODY:
            return 413, f"a request has {LONGEST_BODY:,} bytes at most"
        if self.token is not None and not self._known(scope, headers):
            return 401, "open the address that the server has printed: it has a token"
        return None

    def _is_ours(self, name: str) -> bool:
        """Is the server called like that? With a token by any number, too, which nobody rebinds."""
        return name in self.hosts or (self.token is not None and _is_number(name))

    def _known(self, scope: Scope, headers: Headers) -> bool:
        asked = Request(scope)
        given = asked.query_params.get("token", ""), asked.cookies.get(_cookie(scope), "")
        return any(map(self._fits, given))  # the address may have the token of a seat at a table

    def _fits(self, given: str) -> bool:
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())

    def _added(self, scope: Scope) -> list[tuple[str, str]]:
        added = list(HEADERS)
        if self._fits(Request(scope).query_params.get("token", "")):
            cookie = f"{_cookie(scope)}={self.token}; HttpOnly; SameSite=Strict; Path=/"
            added.append(("set-cookie", cookie))
        return added

    def _bounded(self, receive: Receive) -> Receive:
        seen = 0

        async def bounded() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > LONGEST_BODY:  # its length was not given
                raise ParameterError(f"a request has {LONGEST_BODY:,} bytes at most")
            return message

        return bounded


def _cookie(scope: Scope) -> str:
    """The name of the cookie with the token, which servers at other ports do not use."""
    server = scope.get("server") or ("", 0)
    return f"{COOKIE}-{server[1]}"


def _is_number(name: str) -> bool:
    """Is it an address in numbers?"""
    try:
        return bool(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        return False


Answering = Callable[["Pages", Request, Any], Any]


class Pages:
    """What the server answers."""

    def __init__(
        self, opener: Opener, parameters: tuple[str, ...] = (), start: str = "view"
    ) -> None:
        """For one game and the members of its family."""
        self.jobs = Jobs()
        self.members = Members(opener, self.jobs, parameters)
        self.tables = Tables(self.members)
        self.opener = opener
        self.first = parameters
        self.start = start
        self.static = static_files()
        self.lanes = Lanes()

    # ------------------------------------------------------------------ questions

    def about(self, asked: Request, _: Any) -> dict[str, Any]:
        """Which protocol, which game it was started with, and which methods there are."""
        return {
            "protocol": VERSION,
            "asked": self.opener.name,
            "set": list(self.first),
            "start": self.start,
            "revision": self.members.refresh(),
            "methods": [{"name": one.name, "about": one.about} for one in SOLVERS if offered(one)],
        }

    def game(self, asked: Request, _: Any) -> dict[str, Any]:
        """The game with some parameters; or what is wrong with its rules."""
        file = self.opener.file
        try:
            opened = self.members.open(parameters_of(asked))
        except InfosetError as error:
            said = problem(error, str(file) if file else None)
            return {"revision": self.members.revision, "problem": {**said, "rules": text_of(file)}}
        return {**opened.described(), "revision": self.members.revision, "problem": None}

    def node(self, asked: Request, _: Any) -> dict[str, Any]:
        """A node with those that follow, and what a solution says of it."""
        opened = self.members.open(parameters_of(asked))
        address = asked.query_params.get("at", "")
        found = opened.node(address, first_of(asked))
        number = asked.query_params.get("solution")
        if number is not None:
            answers = self.members.answers(whole(number, "solution"), equilibrium_of(asked))
            briefly = asked.query_params.get("only") == "actions"
            found["solved"] = (answers.actions if briefly else answers.at)(opened, address)
        return found

    def solve(self, asked: Request, body: Any) -> dict[str, Any]:
        """Begin to solve a game."""
        method = body.get("method")
        if method is not None and method not in [one.name for one in SOLVERS]:
            raise ParameterError(f"there is no method {str(method)!r:.80}")
        chosen, client = parameters_of(body), client_of(body.get("client", ""))
        return self.told(self.members.solve(chosen, method, seconds_of(body), client))

    def solution(self, asked: Request, _: Any) -> dict[str, Any]:
        """How far a solution is, and what it says."""
        client = client_of(asked.query_params.get("client", ""))
        return self.told(self.jobs.job(whole(asked.path_params["number"], "solution"), client))

    def stop(self, asked: Request, _: Any) -> dict[str, Any]:
        """Stop a solution; or, of a client that is named, wait for it no longer."""
        client = client_of(asked.query_params.get("client", ""))
        job = self.jobs.job(whole(asked.path_params["number"], "solution"), client)
        if client:
            self.jobs.leave(job, client)
        else:
            self.jobs.stop(job)
        return self.told(job)

    def told(self, job: Job) -> dict[str, Any]:
        """What is known of a job."""
        return {
            "solution": job.number,
            "state": job.state,
            "before": self.jobs.place(job),
            "said": job.said,
            "error": plainly(job.error),
            "result": summary(job.solution) if job.state == DONE else None,
        }

    def strategy(self, asked: Request, _: Any) -> dict[str, Any]:
        """A page of a player's strategy: panels by public history, or rows."""
        answers = self._answers(asked)
        player = asked.query_params.get("player", answers.solution.players[0])
        form = answers.rows if asked.query_params.get("as") == "rows" else answers.panels
        found: dict[str, Any] = form(player, terms_of(asked), first_of(asked))
        return found

    def locked(self, asked: Request, body: Any) -> dict[str, Any]:
        """What follows from playing otherwise at some information sets."""
        number = whole(asked.path_params["number"], "solution")
        answers = self.members.answers(number, equilibrium_of(asked))
        return locked(answers.solution, locks_of(body))

    def export(self, asked: Request, _: Any) -> Response:
        """The tree or the strategies as a file; or all of it as a page that works from disk."""
        number = whole(asked.path_params["number"], "solution")
        answers = self.members.answers(number, equilibrium_of(asked))
        parameters = self.jobs.job(number).request.parameters
        name = "{what}.{kind}".format(**asked.path_params)
        return exported(answers, self.members.open(parameters).game, parameters, name)

    def _answers(self, asked: Request) -> Answers:
        number = whole(asked.path_params["number"], "solution")
        return self.members.answers(number, equilibrium_of(asked))

    # ------------------------------------------------------------------ the application

    def app(
        self, hosts: tuple[str, ...] = LOCAL, token: str | None = None, *, warm: bool = True
    ) -> ASGIApp:
        """The application, as a server runs it.

        Its processes are started with it, or, if it is not ``warm``, when they are first needed.
        """
        solution = "/api/solutions/{number}"
        routes = [
            Route("/api/about", self._answering(Pages.about)),
            Route("/api/schema", self._answering(lambda *_: schema())),
            Route("/api/game", self._answering(Pages.game, "games")),
            Route("/api/node", self._answering(Pages.node, "games")),
            Route("/api/solutions", self._answering(Pages.solve, "games"), methods=["POST"]),
            Route(solution, self._answering(Pages.solution), methods=["GET"]),
            Route(solution, self._answering(Pages.stop), methods=["DELETE"]),
            Route(f"{solution}/strategy", self._answering(Pages.strategy, "games")),
            Route(f"{solution}/locked", self._answering(Pages.locked, "games"), methods=["POST"]),
            Route(f"{solution}/{{what}}.{{kind}}", self._answering(Pages.export, "files")),
            *self.tables.routes(partial(self._answering, lane="tables")),
            Route("/{name:path}", self._file),
        ]

        async def started(app: Starlette) -> None:
            self.lanes.begin()
            if warm:
                await anyio.to_thread.run_sync(self.jobs.prepare)
                self.members.trials.prepare()

        self.tables.query = f"?token={token}" if token else ""
        inner = Starlette(routes=routes, lifespan=_lifespan(started, self.close))
        return Guard(inner, hosts, token)

    def close(self) -> None:
        """End what runs in the background, and what is being answered."""
        self.lanes.close()
        self.tables.close()
        self.members.trials.close()
        self.jobs.close()

    def _answering(self, answer: Answering, lane: str = "quick") -> Callable[[Request], Any]:
        """A question as a route: read, answered in a thread, refused in one line."""

        async def respond(asked: Request) -> Response:
            try:
                body = await _body(asked) if asked.method == "POST" else None
                found = await self.lanes.done(lane, partial(_answered, answer, self, asked, body))
            except InfosetError as error:
                status = getattr(error, "status", 422)  # of tables and lanes
                return Answer({"error": plainly(error)}, status)
            return found if isinstance(found, Response) else Answer(found)

        return respond

    async def _file(self, asked: Request) -> Response:
        """A part of the application, from memory."""
        name = asked.path_params["name"] or "index.html"
        if name not in self.static:
            return Answer({"error": "there is no such page"}, 404)
        return Response(self.static[name], media_type=KINDS[name.rpartition(".")[2]])


def text_of(file: Path | None) -> dict[str, Any] | None:
    """The lines of the file of rules that is being written, if it can be read."""
    if file is None:
        return None
    with suppress(OSError, UnicodeDecodeError):
        if file.stat().st_size <= LONGEST_FILE:
            lines = file.read_text("utf-8").splitlines()
            return {"file": file.name, "first": 1, "lines": lines}
    return None


def _answered(answer: Answering, pages: Pages, asked: Request, body: Any) -> Any:
    """An answer; whatever rules raise, a request for a process to end included, is one line."""
    try:
        return answer(pages, asked, body)
    except (InfosetError, OutOfTime):
        raise
    except BaseException as error:
        raise InfosetError(f"{type(error).__name__}: {brief(str(error), 300)}") from None


def _lifespan(begin: Any, end: Any) -> Any:
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def run(app: Starlette) -> Any:
        await begin(app)
        try:
            yield
        finally:
            end()

    return run


async def _body(asked: Request) -> dict[str, Any]:
    try:
        with anyio.fail_after(PATIENCE):
            found = json.loads(await asked.body() or b"{}")
    except (TimeoutError, ClientDisconnect):
        raise ParameterError("the request has not come to its end") from None
    except (ValueError, RecursionError):
        raise ParameterError("the request is not JSON") from None
    if not isinstance(found, dict):
        raise ParameterError("the request is no object")
    return found


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


def serve(
    pages: Pages,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    ready: Callable[[str], None] = print,
) -> None:
    """Run the server until it is stopped; ``ready`` is called with its address.

    Raises
    ------
    InfosetError
        If nothing can listen there.
    """
    import socket

    import uvicorn

    if not host.strip():
        raise ParameterError("host='': name an address, such as 0.0.0.0 for all of this machine")
    token = None if host in ("127.0.0.1", "localhost", "::1") else new_token()
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small answers at once by sockets that say they are TCP, and by others later.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()  # before the address is told
    except (OSError, OverflowError, TypeError, ValueError) as error:  # of names that are none, too
        listening.close()
        said = getattr(error, "strerror", None) or error
        raise InfosetError(f"no server can listen at {host}:{port}: {said}") from None
    number = listening.getsockname()[1]
    hosts = LOCAL if token is None else (*LOCAL, host.lower(), socket.gethostname().lower())
    named = socket.gethostname() if host in ("0.0.0.0", "::") else host
    named = f"[{named}]" if ":" in named else named
    address = f"http://{named}:{number}/" + (f"?token={token}" if token else "")
    config = uvicorn.Config(
        pages.app(hosts, token),
        http=_patient_protocol(),
        ws="none",
        log_level="critical",
        lifespan="on",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,  # requests that wait for news at tables
    )
    server = uvicorn.Server(config)

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(_quiet)  # of readers that break off
        ready(address)
        try:
            await server.serve(sockets=[listening])
        finally:
            pages.close()  # a second Ctrl-C leaves this out

    asyncio.run(run())


def _patient_protocol() -> Any:
    """HTTP, where a connection by which no request comes is closed after a while.

    So is one by which a request comes that does not end, the first or a later one. uvicorn closes
    connections that are silent after an answer, and lets those be that have begun to say something.
    """
    from asyncio import TimerHandle, Transport

    from uvicorn.protocols.http.h11_impl import H11Protocol

    class PatientProtocol(H11Protocol):
        silent: TimerHandle | None = None

        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > MOST_CONNECTIONS:
                transport.abort()
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._wait_no_more()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._answers():
                self._wait_no_more()
            elif self.silent is None:
                self._wait()

        def _answers(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _wait(self) -> None:
            self.silent = self.loop.call_later(PATIENCE, self._end)

        def _wait_no_more(self) -> None:
            if self.silent is not None:
                self.silent.cancel()
                self.silent = None

        def _end(self) -> None:
            if not self._answers():
                self.transport.close()

    return PatientProtocol


def _quiet(loop: asyncio.AbstractEventLoop, told: dict[str, Any]) -> None:
    """What goes wrong with a connection is no news, and must not fill the terminal."""
