"""Tables: games that people play in the browser, against players by name or against each other.

How a table keeps its secrets is said in :mod:`infoset.page.table`.

    GET  /api/tables?set=…             who may sit where: seats, players
    POST /api/tables                   {"set": […], "seats": {"gambler": "human", "dealer": "auto"},
                                       "seed"?: 7, "coach"?: true}
         → {"table": "…", "tokens": {"gambler": "…"}, "watch": null}
    GET  /api/tables/T?token=…&since=7   what a seat knows, once its version is not 7 any more;
         → {"version", "seat", "phase", "told": [facts], "options": [...] or null, "boards",
            "picture": {...} or null, "over": {...} or null, "review": {...} or null, …}, or after
            some seconds
         → {"version": 7, "unchanged": true}
    GET  /api/tables/T/about?token=…   the rules and the parameters of the game
    GET  /api/tables/T/options?token=…&first=400   more options, where there are very many
    POST /api/tables/T/move            {"token", "option": the place in the list, "version"}
    POST /api/tables/T/undo            {"token"}: take the last move back
    POST /api/tables/T/again           {"token"}: a new deal, for the same seats
    GET  /api/tables/T/advice?token=…  what an equilibrium would do; with a coach

Facts and options are those of :mod:`infoset.page.facts`, and boards those of
:mod:`infoset.page.boards`; when the game is over they show what was hidden. Who shows no token, or
a wrong one, is refused with status 403; a move that comes too late, or twice, with 409; a table
that is gone with 404. A table that nobody asks about for some minutes is closed, and its thread
ends.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from time import monotonic
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from infoset.errors import InfosetError, ParameterError, nearest
from infoset.page.members import Members
from infoset.page.opened import plainly
from infoset.page.protocol import Answer, first_of, parameters_of, whole
from infoset.page.solved import Solutions
from infoset.page.table import HUMAN, Place, Refused, Table
from infoset.play.names import ABOUT, KINDS, OF_ONE_GAME, READING, Entrant, entrant
from infoset.text import brief, text

MOST_TABLES = 40
MOST_SEATS = 40
IDLE = 600.0  # seconds after which a table that nobody asks about is closed
WAIT = 20.0  # seconds that a request may wait for news
LOOK = 4.0  # seconds after which it is looked again who is there
MOST_WAITING = 8  # requests that wait at one seat
MOVE = ("option", "version")  # what a request for a move has
# What requests may name; files and settings only who starts the server.
PLAYERS = tuple(kind for kind in KINDS if kind not in (*READING, "openspiel"))

Answering = Callable[[Callable[[Any, Request, Any], Any]], Any]


class Tables:
    """All tables of a server."""

    def __init__(self, members: Members, *, idle: float = IDLE, wait: float = WAIT) -> None:
        """None yet."""
        self.members = members
        self.solutions = Solutions(members.opener)
        self.idle, self.wait = idle, wait
        self.trusted: tuple[str, ...] = ()  # players that the command line has named
        self.query = ""  # of links, where the server has a token of its own
        self._tables: dict[str, Table] = {}
        self._change = threading.Condition()
        self._watch: threading.Thread | None = None
        self._closed = False

    def __len__(self) -> int:
        return len(self._tables)

    # ------------------------------------------------------------------ making and closing

    def create(
        self,
        parameters: tuple[str, ...],
        seats: Mapping[str, str],
        *,
        seed: int | None = None,
        coach: bool = False,
    ) -> Table:
        """A table for a game; seats that are not named are played automatically.

        Raises
        ------
        InfosetError
            If there is no such game, seat or player; or too many tables.
        """
        opened = self.members.open(parameters)
        agents = opened.source.seats.agents
        for seat in seats:
            if seat not in agents:
                raise ParameterError(f"no seat {seat!r:.40}; {nearest(seat, agents)}")
        if len(agents) > MOST_SEATS:
            raise ParameterError(f"a table has {MOST_SEATS} seats at most")
        entrants = {seat: self._entrant(seats.get(seat, "auto")) for seat in agents}
        if seed is not None and sum(one is None for one in entrants.values()) > 1:
            raise ParameterError("leave out the seed: who plays against people cannot choose deals")
        solution = partial(self.solutions.of, opened, parameters)
        with self._change:
            self._make_room()
            name = secrets.token_urlsafe(9)
            self._tables[name] = Table(name, opened, entrants, solution, seed, coach)
            if self._watch is None:
                self._watch = threading.Thread(
                    target=self._sweep, name="infoset-tables", daemon=True
                )
                self._watch.start()
            return self._tables[name]

    def _entrant(self, name: str) -> Entrant | None:
        if name == HUMAN:
            return None
        if name in self.trusted or name in PLAYERS:
            return entrant(name)
        raise ParameterError(f"no player {name!r:.60}; {nearest(name, (HUMAN, *PLAYERS))}")

    def _make_room(self) -> None:
        if self._closed:
            raise Refused(409, "the server is being stopped")
        if len(self._tables) >= MOST_TABLES:
            oldest = min(self._tables.values(), key=lambda one: one.touched)
            if monotonic() - oldest.touched < 3 * self.wait:
                raise Refused(429, f"{MOST_TABLES} tables are open; try again in some minutes")
            self._tables.pop(oldest.name).close()

    def _sweep(self) -> None:
        """Close tables that nobody asks about, and notice who has left; ends with the last one."""
        while True:
            with self._change:
                self._change.wait(min(self.idle / 4, LOOK))
                late = monotonic() - self.idle
                for table in list(self._tables.values()):
                    table.look_who_is_away()
                    if table.touched < late and not any(map(_waited_for, table.places)):
                        self._tables.pop(table.name).close()
                if not self._tables:
                    self._watch = None
                    return

    def close(self) -> None:
        """Close all tables."""
        with self._change:
            self._closed = True
            for table in self._tables.values():
                table.close()
            self._tables.clear()
            self._change.notify_all()
        self.solutions.close()

    def table(self, name: str) -> Table:
        """The table of this name.

        Raises
        ------
        Refused
            If there is none, or none any more.
        """
        found = self._tables.get(name)
        if found is None:
            raise Refused(404, "this table is closed; start another one")
        return found

    # ------------------------------------------------------------------ requests

    def routes(self, answering: Answering) -> list[Route]:
        """The routes of the application; ``answering`` makes one of a function."""

        def post(answer: Callable[[Table, Place, Any], object]) -> Any:
            def respond(_: Any, asked: Request, body: Any) -> dict[str, Any]:
                table = self.table(asked.path_params["table"])
                place = table.place(body.get("token"))
                answer(table, place, body)
                return {"version": place.version}

            return answering(respond)

        def get(answer: Callable[[Table, Place, Request], dict[str, Any]]) -> Any:
            def respond(_: Any, asked: Request, body: Any) -> dict[str, Any]:
                table = self.table(asked.path_params["table"])
                return answer(table, table.place(asked.query_params.get("token")), asked)

            return answering(respond)

        about = get(lambda table, place, _: table.about())
        move = post(lambda table, place, body: table.move(place, *map(body.get, MOVE)))
        undo = post(lambda table, place, _: table.undo(place))
        again = post(lambda table, place, _: table.again())
        more = get(lambda table, place, asked: table.options(place, first_of(asked)))
        advice = get(lambda table, place, _: table.advice(place))
        return [
            Route("/api/tables", answering(lambda _, asked, body: self.offered(asked))),
            Route(
                "/api/tables", answering(lambda _, asked, body: self.opened(body)), methods=["POST"]
            ),
            Route("/api/tables/{table}", self._poll),
            Route("/api/tables/{table}/about", about),
            Route("/api/tables/{table}/options", more),
            Route("/api/tables/{table}/advice", advice),
            Route("/api/tables/{table}/move", move, methods=["POST"]),
            Route("/api/tables/{table}/undo", undo, methods=["POST"]),
            Route("/api/tables/{table}/again", again, methods=["POST"]),
        ]

    def offered(self, asked: Request) -> dict[str, Any]:
        """Who may sit where."""
        opened = self.members.open(parameters_of(asked))
        about = {name.partition(":")[0]: words for name, words in ABOUT.items()}
        game = text(opened.name).partition("(")[0]
        fit = [name for name in PLAYERS if OF_ONE_GAME.get(name, game) == game]
        names = dict.fromkeys((*fit, *self.trusted))
        return {
            "game": text(opened.name),
            "seats": [text(seat) for seat in opened.source.seats.agents],
            "players": [{"name": name, "about": about.get(name, "")} for name in names],
        }

    def opened(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A new table, with the tokens of all people at it."""
        seats, seed, coach = body.get("seats", {}), body.get("seed"), body.get("coach", False)
        if not isinstance(seats, dict) or not all(isinstance(one, str) for one in seats.values()):
            raise ParameterError('give "seats" as {"seat": "human" or a player}')
        if not isinstance(coach, bool):
            raise ParameterError('give "coach" as true or false')
        table = self.create(
            parameters_of(body),
            seats,
            seed=None if seed is None else whole(seed, "seed"),
            coach=coach,
        )
        return told(table)

    async def _poll(self, asked: Request) -> Response:
        """What a place knows, once there is news."""
        try:
            table = self.table(asked.path_params["table"])
            place = table.place(asked.query_params.get("token"))
            since = whole(asked.query_params.get("since", "0"), "since")
            if len(place.bell) >= MOST_WAITING:
                raise Refused(429, "this seat is open in too many windows")
            news = place.bell.wait(lambda: place.version != since or table.closed, self.wait)
            await _unless_left(asked, news)
            table.touched = monotonic()
            self.table(table.name)
            if place.version == since:
                return Answer({"version": since, "unchanged": True})
            state = await asyncio.to_thread(table.state, place)
        except InfosetError as error:
            status = error.status if isinstance(error, Refused) else 422
            return Answer({"error": plainly(error)}, status)
        except Exception as error:  # of the game's own labels
            said = f"{type(error).__name__}: {brief(str(error), 300)}"
            return Answer({"error": said}, 422)
        for seat in state["seats"]:
            if "invite" in seat:
                seat["invite"] = self.query + seat["invite"]
        return Answer({"table": table.name, **state})


async def _unless_left(asked: Request, news: Coroutine[Any, Any, None]) -> None:
    """Wait for news, or until whoever asked has left: a closed page waits for nothing."""

    async def left() -> None:
        while (await asked.receive())["type"] != "http.disconnect":
            pass

    both = asyncio.ensure_future(news), asyncio.ensure_future(left())
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in both:
            one.cancel()
        await asyncio.gather(*both, return_exceptions=True)


def _waited_for(place: Place) -> bool:
    return len(place.bell) > 0


def told(table: Table) -> dict[str, Any]:
    """What is told to who has made a table."""
    return {
        "table": table.name,
        "tokens": {place.seat: place.token for place in table.places if place.seat is not None},
        "watch": next((place.token for place in table.places if place.seat is None), None),
    }
