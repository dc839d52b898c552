"""A table: seats, who sits there, and the game that they play.

A game runs in a thread of its own, by the :class:`~infoset.play.referee.Referee` of all games. Who
sits in the browser is a player like any other, whose choice waits until a request brings it.

**Secrets.** Each seat of a person has a token that nobody guesses. Who shows it sees what the seat
has been told, what it may choose from, and its own moves: nothing else, before the game is over.
Whatever is sent is taken from the seat's own player, which the referee has told it, never from the
position. A seat's *version* counts what has changed for this seat, so that it says nothing of what
others do unseen; nor is it told whose turn it is, but only whether it is its own. Players that move
at the same time are asked one after the other; none sees whether another has chosen. Who watches
computers play is shown no move before the end. The seed that decides the deals is told at the end,
and cannot be chosen where people play each other.

**Moves that are taken back** are as at the terminal: the game is played again from the same seed,
and all moves before that one are repeated. People who play each other cannot take moves back, since
what the other has seen cannot be unseen.

**A coach**, if one was asked for at the start, says what a move has cost after it was made, and
before it what an equilibrium would do. Both follow from what the seat knows.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import threading
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple

from infoset.errors import InfosetError, ParameterError
from infoset.page.facts import (
    Event,
    boards,
    described,
    described_event,
    described_parameter,
    has_dice,
)
from infoset.page.opened import OpenGame
from infoset.page.protocol import whole
from infoset.page.review import advised, costed, ended, reviewed
from infoset.play.automatic import Attempt, unsolved_player
from infoset.play.human import Decision, Quit, Repeating, Undo
from infoset.play.names import Entrant
from infoset.play.player import Choice, Forgot, Player, Seated, StrategyPlayer
from infoset.play.referee import GameRecord, Referee
from infoset.rules import Game
from infoset.rules.running import OutOfTime
from infoset.text import brief, text
from infoset.tree.positions import TreeView

HUMAN = "human"
MOST_OPTIONS = 400  # that are sent at a time
MOST_EVENTS = 600  # likewise, the latest
MOST_THREADS = 3  # of one table: games that are being ended, beside the one that is played
UNDO = -1  # an answer that is no option
PREPARING, PLAYING, OVER = "preparing", "playing", "over"


class Refused(InfosetError):
    """A request that is refused, with its status."""

    def __init__(self, status: int, said: str) -> None:
        """In one line."""
        super().__init__(said)
        self.status = status


# ---------------------------------------------------------------------- places


class Shown(NamedTuple):
    """What a seat knows, and what it may do."""

    events: tuple[Event, ...] = ()
    options: tuple[Hashable, ...] | None = None
    view: Any = None
    made: int = 0  # moves of its own


class Bell:
    """Wakes requests that wait for something in an event loop, from any thread."""

    def __init__(self) -> None:
        """Nobody waits."""
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._waiting)

    def ring(self) -> None:
        """Wake all."""
        with self._lock:
            for loop, event in self._waiting:
                with suppress(RuntimeError):  # a loop that has ended
                    loop.call_soon_threadsafe(event.set)

    async def wait(self, until: Callable[[], bool], seconds: float) -> None:
        """Wait until something holds, for some seconds at most."""
        mine = asyncio.get_running_loop(), asyncio.Event()
        with self._lock:
            self._waiting.add(mine)
        try:
            if not until():
                with suppress(TimeoutError):
                    await asyncio.wait_for(mine[1].wait(), seconds)
        finally:
            with self._lock:
                self._waiting.discard(mine)


class Place:
    """Somebody in a browser: at a seat, or watching."""

    def __init__(self, table: str, seat: str | None) -> None:
        """With a token that is new."""
        self.table = table
        self.seat = seat
        self.token = secrets.token_urlsafe(18)
        self.version = 1
        self.asked_at = 0  # the version that had the options first
        self.answer: int | None = None
        self.shown = Shown()
        self.review: dict[str, Any] | None = None
        self.joined = False
        self.bell = Bell()

    @property
    def link(self) -> str:
        """The end of the address of its page."""
        return f"#table={self.table}&token={self.token}"

    def show(self, shown: Shown) -> None:
        """Something has changed for this seat."""
        self.shown = shown
        self.changed()
        if shown.options is not None:
            self.asked_at = self.version

    def changed(self) -> None:
        """There is news."""
        self.version += 1
        self.bell.ring()


class PagePlayer(Seated):
    """A person in a browser as a player."""

    def __init__(self, round: Round, place: Place, repeated: list[Hashable]) -> None:
        """With the moves of before one was taken back, which are made again."""
        self.round, self.place, self.repeated = round, place, repeated
        self.events: list[Event] = []
        self.decisions: list[Decision] = []

    def told(self, fact: Hashable) -> None:
        """Note a fact; nothing is shown before the seat is asked."""
        super().told(fact)
        if isinstance(fact, TreeView) and fact[0] == "after":
            return  # its last move, which it knows
        if isinstance(fact, Forgot):
            self.events = []
        whole = not isinstance(self.game, Game)  # all that it knows, in place of what it knew
        if whole:
            self.events = [event for event in self.events if event.own]
        self.events.append(Event(fact, whole=whole))

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """Repeat, or wait for the answer."""
        if self.repeated:
            taken = self.repeated.pop(0)
        else:
            shown = Shown(tuple(self.events), options, view, len(self.decisions))
            taken = self.round.asked(self.place, shown)
        made = Decision(view, options, taken)
        self.decisions.append(made)
        cost = self.round.cost(self.place, made)
        self.events.append(Event(taken, own=True, options=options, cost=cost))
        if not self.repeated:
            self.show()
        return taken

    def finish(self) -> None:
        """Show what was told at the end."""
        self.show()

    def show(self) -> None:
        """Show all that is known, without options."""
        self.round.show(self.place, Shown(tuple(self.events), made=len(self.decisions)))


class Computer(Repeating):
    """Any other player; it ends where its game is not played any more."""

    def __init__(self, round: Round, player: Player) -> None:
        """In a game."""
        super().__init__(player)
        self.round = round

    def choose(self, options: Any) -> Choice:
        """See :meth:`Repeating.choose`."""
        self.round.go_on()
        return super().choose(options)


# ---------------------------------------------------------------------- one game


class Round:
    """One game at a table, in a thread of its own."""

    def __init__(self, table: Table, seed: int) -> None:
        """Begin."""
        self.table = table
        self.seed = seed
        self.phase = PREPARING
        self.known: Attempt | None = None  # a solution, or why there is none
        self.over: dict[str, Any] | None = None
        self.thread = threading.Thread(target=self._run, name="infoset-table", daemon=True)

    @property
    def current(self) -> bool:
        """Is this game still played?"""
        return not self.table.closed and self.table.round is self

    def go_on(self) -> None:
        """End this thread where the game is not played any more."""
        if not self.current:
            raise Quit

    def show(self, place: Place, shown: Shown) -> None:
        """Let a seat see something."""
        with self.table.change:
            self.go_on()
            place.show(shown)

    def asked(self, place: Place, shown: Shown) -> Hashable:
        """Wait for the option that a seat takes."""
        assert shown.options is not None
        with self.table.change:
            place.answer = None
            self.show(place, shown)
            while place.answer is None:
                self.table.change.wait()
                self.go_on()
            answer, place.answer = place.answer, None
        if answer == UNDO:
            raise Undo
        return shown.options[answer]

    def cost(self, place: Place, made: Decision) -> dict[str, Any] | None:
        """What a move cost, if there is a coach."""
        solution = self.known.solution if self.known is not None else None
        if not self.table.coach or solution is None or place.seat is None:
            return None
        return costed(solution, self.table.referee, place.seat, made)

    def _run(self) -> None:
        with suppress(Quit):
            try:
                self._solve(self.table.coach or self.table.automatic)
                self._enter(PLAYING)
                people, record = self._played()
                self._end(ended(record, self.seed, self.table.dice))
                self._review(people)
            except (Exception, OutOfTime) as error:  # of the rules; the game is over with it
                self._end({"failed": brief(str(error) or type(error).__name__, 400)})

    def _solve(self, wanted: bool) -> None:
        if wanted and self.known is None:
            self.known = self.table.solution()
            self.go_on()

    def _enter(self, phase: str) -> None:
        with self.table.change:
            self.go_on()
            self.phase = phase
            for place in self.table.places:
                place.changed()

    def _played(self) -> tuple[list[PagePlayer], GameRecord]:
        """Play to the end, however often moves are taken back."""
        table, repeated = self.table, list[Hashable]()
        others: dict[str, Player] = {
            seat: Computer(self, self._made(one))
            for seat, one in table.entrants.items()
            if one is not None
        }
        while True:
            people = [
                PagePlayer(self, place, list(repeated))
                for place in table.places
                if place.seat is not None
            ]
            seated = {str(one.place.seat): one for one in people}
            try:
                return people, table.referee.play({**others, **seated}, seed=self.seed)
            except Undo:
                (person,) = people
                repeated = [made.taken for made in person.decisions][:-1]

    def _made(self, one: Entrant) -> Player:
        """A computer; the automatic one plays the solution that the review uses, too."""
        if one.name != "auto":
            return one.make()
        solution = self.known.solution if self.known is not None else None
        return unsolved_player() if solution is None else StrategyPlayer(solution)

    def _end(self, over: dict[str, Any]) -> None:
        with self.table.change:
            self.go_on()
            self.over = self.over or over
            for place in self.table.places:
                place.shown = place.shown._replace(options=None)
                if place.seat is not None:
                    place.review = {"state": "none" if "failed" in over else "working"}
            self._enter(OVER)

    def _review(self, people: list[PagePlayer]) -> None:
        self._solve(any(one.decisions for one in people))
        for one in people:
            assert self.known is not None or not one.decisions
            found = reviewed(self.known, self.table.referee, str(one.place.seat), one.decisions)
            with self.table.change:
                self.go_on()
                one.place.review = found
                one.place.changed()


# ---------------------------------------------------------------------- a table


class Table:
    """Seats, who sits there, and the game that they play."""

    round: Round

    def __init__(
        self,
        name: str,
        opened: OpenGame,
        entrants: Mapping[str, Entrant | None],
        solution: Callable[[], Attempt],
        seed: int | None,
        coach: bool,
    ) -> None:
        """With an entrant for every seat, None for a person; the first game begins."""
        self.solution = solution
        self.name, self.opened, self.entrants, self.coach = name, opened, dict(entrants), coach
        self.referee = Referee(opened.game)
        self.seed = seed
        seats = [seat for seat, one in entrants.items() if one is None]
        self.places = [Place(name, seat) for seat in seats or (None,)]
        self.automatic = any(one is not None and one.name == "auto" for one in entrants.values())
        self.change = threading.Condition(threading.RLock())
        self.closed = False
        self.touched = monotonic()
        self.dice = has_dice(opened.game)
        self.threads: list[threading.Thread] = []
        self._begin()

    def _begin(self) -> None:
        """A new game, with other deals than before."""
        with self.change:
            seed = secrets.randbelow(10**6 if self.alone else 2**64)  # which nobody can try out
            seed = seed if self.seed is None else self.seed
            self.seed = None if self.seed is None else self.seed + 1
            for place in self.places:
                place.shown, place.review, place.answer = Shown(), None, None
            self.round = Round(self, seed)
            self.change.notify_all()  # a game that is played ends
            self.threads = [one for one in self.threads if one.is_alive()] + [self.round.thread]
            self.round.thread.start()

    @property
    def alone(self) -> bool:
        """Is there one person, or none?"""
        return len(self.places) == 1

    def place(self, token: object) -> Place:
        """Who has this token.

        Raises
        ------
        Refused
            If nobody has.
        """
        given = token.encode("utf-8", "surrogatepass") if isinstance(token, str) else b""
        found = [one for one in self.places if hmac.compare_digest(one.token.encode(), given)]
        if not found:
            raise Refused(403, "this table is not yours: the link has another token")
        self.touched = monotonic()
        with self.change:
            if not found[0].joined:
                found[0].joined = True
                self.places[0].changed()
        return found[0]

    def close(self) -> None:
        """End the game, and its thread."""
        with self.change:
            self.closed = True
            self.change.notify_all()
            for place in self.places:
                place.bell.ring()

    # ------------------------------------------------------------------ what a seat does

    def move(self, place: Place, option: object, version: object) -> None:
        """Take an option.

        Raises
        ------
        Refused
            If the seat is not asked, or was asked something else meanwhile.
        """
        with self.change:
            options = self._options(place)
            if whole(version, "version") < place.asked_at:
                raise Refused(409, "the game has moved on; choose from the options of now")
            number = whole(option, "option")
            if number >= len(options):
                raise ParameterError(f"option={number}: there are {len(options)}, from 0")
            self._answer(place, number)

    def undo(self, place: Place) -> None:
        """Take the last move back.

        Raises
        ------
        Refused
            If there is none, or another person has seen it.
        """
        with self.change:
            if not self.alone:
                raise Refused(409, "who plays against people cannot take moves back")
            self._options(place)
            if not place.shown.made:
                raise Refused(409, "there is no move of yours to take back")
            self._answer(place, UNDO)

    def _options(self, place: Place) -> tuple[Hashable, ...]:
        if place.shown.options is None or place.answer is not None:
            raise Refused(409, "it is not your turn")
        return place.shown.options

    def _answer(self, place: Place, answer: int) -> None:
        place.answer = answer
        place.shown = place.shown._replace(options=None)
        self.change.notify_all()

    def again(self) -> None:
        """Deal again.

        Raises
        ------
        Refused
            If another person still plays, or the games before have not ended yet.
        """
        with self.change:
            if not self.alone and self.round.phase != OVER:
                raise Refused(409, "the game is not over; the others still play")
            if sum(one.is_alive() for one in self.threads) > MOST_THREADS:
                raise Refused(429, "the games before are still being ended; try again in a moment")
            self._begin()
            for place in self.places:
                place.changed()

    def advice(self, place: Place) -> dict[str, Any]:
        """What an equilibrium would do.

        Raises
        ------
        Refused
            Without a coach, or where the seat is not asked.
        """
        with self.change:
            if not self.coach or place.seat is None:
                raise Refused(409, "there is no coach at this table")
            self._options(place)
            known, view = self.round.known, place.shown.view
        return advised(known, self.referee, place.seat, view)

    # ------------------------------------------------------------------ what a seat sees

    def state(self, place: Place) -> dict[str, Any]:
        """All that a place may know."""
        with self.change:
            shown, round, version = place.shown, self.round, place.version
            review = place.review
        options = shown.options
        return {
            "version": version,
            "game": text(self.referee.source.name),
            "seat": place.seat,
            "seats": self._seats(place),
            "phase": round.phase,
            "told": [described_event(one, self.dice) for one in shown.events[-MOST_EVENTS:]],
            "options": None if options is None else self.options(place, 0)["options"],
            "count": 0 if options is None else len(options),
            "boards": boards(self.referee.game, shown.events, options or ()),
            "undo": self.alone and options is not None and shown.made > 0,
            "again": round.phase == OVER or (self.alone and round.phase == PLAYING),
            "coach": self._coach(round),
            "over": round.over,
            "review": review,
        }

    def options(self, place: Place, first: int) -> dict[str, Any]:
        """Some of the options, where there are very many."""
        found = place.shown.options or ()
        shown = found[first : first + MOST_OPTIONS]
        return {"first": first, "count": len(found), "options": [described(one) for one in shown]}

    def about(self) -> dict[str, Any]:
        """What everyone knows of the game: its rules in words, and its parameters."""
        found = self.opened.described()
        return {
            "game": found["name"],
            "about": found["about"],
            "parameters": [
                {"name": one["name"], "value": described_parameter(one["value"])}
                for one in found["parameters"]
            ],
        }

    def _seats(self, place: Place) -> list[dict[str, Any]]:
        persons = {one.seat: one for one in self.places}
        found = []
        for seat, one in self.entrants.items():
            player = self.referee.player_of(seat)
            told: dict[str, Any] = {
                "seat": text(seat),
                "player": text(player),
                "who": HUMAN if one is None else self._called(one),
                "you": seat == place.seat,
            }
            if one is None and place is self.places[0]:
                told["joined"] = persons[seat].joined
                if not persons[seat].joined:
                    told["invite"] = persons[seat].link
            found.append(told)
        return found

    def _called(self, one: Entrant) -> str:
        if one.name != "auto" or self.round.known is None:
            return brief(one.name)
        return "a search" if self.round.known.solution is None else "an equilibrium"

    def _coach(self, round: Round) -> dict[str, Any] | None:
        if not self.coach:
            return None
        if round.known is None:
            return {"state": "working", "why": ""}
        solution, why = round.known
        return {"state": "none" if solution is None else "ready", "why": brief(why)}
