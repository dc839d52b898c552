"""A table: seats, who sits there, and the game that they play.

A game runs in a thread of its own, by the :class:`~infoset.play.referee.Referee` of all games. Who
sits in the browser is a player like any other, whose choice waits until a request brings it.

**Secrets.** Each seat of a person has a token that nobody guesses. Who shows it sees what the seat
has been told, what it may choose from, and its own moves: nothing else, before the game is over.
Whatever is sent is taken from the seat's own player, which the referee has told it, never from the
position. A seat's *version* counts what has changed for this seat, so that it says nothing of what
others do unseen; nor is it told whose turn it is, but only whether it is its own. Players that move
at the same time are asked one after the other; none sees whether another has chosen. Who watches
computers play is shown what is public (:mod:`infoset.play.public`), a little while for each move,
and everything at the end. A game's own picture is given the view of the seat, and so cannot show
more. The seed that decides the deals is told at the end,
and cannot be chosen where people play each other.

**Moves that are taken back** are as at the terminal: the game is played again from the same seed,
and all moves before that one are repeated. People who play each other cannot take moves back, since
what the other has seen cannot be unseen.

**A coach**, if one was asked for at the start, says what a move has cost after it was made, and
before it what an equilibrium would do. Both follow from what the seat knows. The game is solved
while the first moves are made; only who needs the solution waits for it.
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
from infoset.page.boards import (
    boards,
    events_of,
    final_boards,
    final_pictures,
    moves_in_pairs,
    pictured,
)
from infoset.page.facts import (
    Event,
    described,
    described_event,
    described_parameter,
    has_dice,
    is_placing,
)
from infoset.page.opened import OpenGame
from infoset.page.opened import Place as Node
from infoset.page.protocol import whole
from infoset.page.review import advised, costed, ended, hands, reviewed
from infoset.play.automatic import Attempt, unsolved_player
from infoset.play.human import Decision, Quit, Repeating, Undo
from infoset.play.names import Entrant
from infoset.play.player import Choice, Clock, Forgot, Player, Seated, StrategyPlayer
from infoset.play.public import PublicMoves
from infoset.play.referee import GameRecord, Referee
from infoset.rules import Game, Position
from infoset.rules.position import ReplayPosition
from infoset.rules.running import OutOfTime, TimeLimit
from infoset.text import brief, text
from infoset.tree.positions import TreeView

HUMAN = "human"
MOST_OPTIONS = 400  # that are sent at a time
MOST_EVENTS = 600  # likewise, the latest
MOST_THREADS = 3  # of one table: games that are being ended, beside the one that is played
PACE = 0.8  # seconds for which something public is shown to who watches, before the game goes on
PICTURE_SECONDS = 2.0  # of computing, for a picture of a game's own
GONE = 8.0  # seconds after which somebody who asks for nothing counts as away
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
    picture: dict[str, Any] | None = None  # of the game's own


class Finals(NamedTuple):
    """What is known when a game is over, and was hidden before."""

    views: dict[str, list[Event]]  # by seat
    pictures: dict[str, list[dict[str, Any]]]  # by seat: boards, where the game has a picture
    moves: tuple[tuple[str | None, Hashable], ...]


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
        self.seen = monotonic()  # when it asked something last
        self.bell = Bell()

    @property
    def link(self) -> str:
        """The end of the address of its page."""
        return f"#table={self.table}&token={self.token}"

    def here(self) -> bool:
        """Does it ask for news, or has it done so a moment ago?"""
        return len(self.bell) > 0 or monotonic() - self.seen < GONE

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
            picture = self.round.picture(self.seat, view)
            shown = Shown(tuple(self.events), options, view, len(self.decisions), picture)
            taken = self.round.asked(self.place, shown)
        made = Decision(view, options, taken)
        self.decisions.append(made)
        after = (*view, ("took", taken)) if isinstance(self.game, Game) else view
        self.events.append(Event(taken, own=True, options=options))
        if self.round.table.coach and self.round.table.known is None:
            self.show(after)  # what it cost is known later
        self.events[-1] = self.events[-1]._replace(cost=self.round.cost(self.place, made))
        if not self.repeated:
            self.show(after)
        return taken

    def finish(self) -> None:
        """Show what was told at the end."""
        self.show(tuple(self.notes))

    def show(self, view: Any) -> None:
        """Show all that is known, without options."""
        picture = self.round.picture(self.seat, view)
        made = len(self.decisions)
        self.round.show(self.place, Shown(tuple(self.events), made=made, picture=picture))


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


class Automatic(Seated):
    """Plays the solution that reviews use, too; its own first move waits until that is known."""

    def __init__(self, round: Round) -> None:
        """In a game."""
        self.round = round
        self.player: Seated | None = None

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        super().begin(game, seat, clock)
        self.player = None

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """What the equilibrium says, or the search."""
        return self._begun().decide(view, options)

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """What the equilibrium, or the search, keeps of it."""
        self._begun().skip(view, options)

    def _begun(self) -> Seated:
        if self.player is None:
            solution = self.round.awaited().solution
            if solution is None:
                self.player = unsolved_player(self.game)
            else:
                self.player = StrategyPlayer(solution)
            self.player.begin(self.game, self.seat, self.clock)
        return self.player


# ---------------------------------------------------------------------- one game


class Round:
    """One game at a table, in a thread of its own."""

    def __init__(self, table: Table, seed: int) -> None:
        """Begin."""
        self.table = table
        self.seed = seed
        self.phase = PREPARING
        self.over: dict[str, Any] | None = None
        self.finals: Finals | None = None
        self.position: Position | None = None  # the last one; nobody is shown it
        game = table.referee.game
        watched = isinstance(game, Game) and not table.people
        self.public = PublicMoves(game) if watched else None
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
        if not self.table.coach or place.seat is None:
            return None
        solution = self.awaited().solution
        return None if solution is None else costed(solution, self.table.referee, place.seat, made)

    def awaited(self) -> Attempt:
        """A solution, or why there is none, once that is known."""
        table = self.table
        table.solve()
        with table.change:
            while table.known is None:
                table.change.wait()
                self.go_on()
            return table.known

    def picture(self, seat: str, view: Any) -> dict[str, Any] | None:
        """What the game itself draws of a view, if it does; or why that has failed."""
        referee = self.table.referee
        try:
            draw = referee.game.picture if isinstance(referee.game, Game) else None
            if draw is None:
                return None
            with TimeLimit(PICTURE_SECONDS, lambda: 0):
                return pictured(draw(view, seat), seat, referee.player_of(seat))
        except OutOfTime:
            said = f"it computed for more than {PICTURE_SECONDS:g} s"
        except Exception as error:  # whatever the function does
            said = str(error) if type(error) is TypeError else f"{type(error).__name__}: {error}"
        return {"failed": brief(f"the game's picture= cannot be drawn: {said}", 300)}

    def watched(self, position: Position) -> None:
        """The game has gone on: show what is public, for a while."""
        self.go_on()
        self.position = position
        if self.public is None or not isinstance(position, ReplayPosition):
            return
        (place,) = self.table.places
        events = [Event(one.what, who=one.who) for one in self.public.after(position)]
        if len(events) > len(place.shown.events):
            self.show(place, Shown(tuple(events)))
            self._wait(PACE)

    def _wait(self, seconds: float) -> None:
        """Wait, unless the game is not played any more."""
        end = monotonic() + seconds
        with self.table.change:
            while (left := end - monotonic()) > 0:
                self.table.change.wait(left)
                self.go_on()

    def _run(self) -> None:
        with suppress(Quit):
            try:
                if self.table.needs_solution:
                    self.table.solve()  # meanwhile the first moves are made
                self._enter(PLAYING)
                people, record = self._played()
                finals = self._finals(record)
                dice, views = self.table.dice, {} if finals is None else finals.views
                over = {
                    **ended(record, self.seed, dice),
                    "hands": hands(views, dice),
                    "knew": self._knew(),
                }
                self._end(over, finals)
                self._review(people)
            except Quit:
                raise
            except BaseException as error:  # whatever rules raise; the game is over with it
                self._end({"failed": brief(str(error) or type(error).__name__, 400)})

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
                players = {**others, **seated}
                return people, table.referee.play(players, seed=self.seed, watch=self.watched)
            except Undo:
                (person,) = people
                repeated = [made.taken for made in person.decisions][:-1]

    def _made(self, one: Entrant) -> Player:
        """A computer."""
        return Automatic(self) if one.name == "auto" else one.make()

    def _finals(self, record: GameRecord) -> Finals | None:
        """What everybody knew at the end."""
        position = self.position
        if not isinstance(position, ReplayPosition):
            return None
        views = {seat: position.view(seat) for seat in self.table.entrants}
        pictures: dict[str, dict[str, Any]] = {}
        end = monotonic() + PICTURE_SECONDS
        for seat, view in views.items():
            if monotonic() < end:  # of slow ones not all are made
                pictures[seat] = self.picture(seat, view) or {}
        return Finals(
            {seat: events_of(view) for seat, view in views.items()},
            {seat: one["boards"] for seat, one in pictures.items() if one.get("boards")},
            record.moves,
        )

    def _knew(self) -> list[dict[str, str]]:
        """What each seat knew at the end, as information sets are labelled."""
        if self.position is None:
            return []
        opened, last = self.table.opened, Node(self.position)
        return [
            {"seat": text(seat), "label": opened.knows(last, seat)} for seat in self.table.entrants
        ]

    def _end(self, over: dict[str, Any], finals: Finals | None = None) -> None:
        with self.table.change:
            self.go_on()
            self.over = self.over or over
            self.finals = finals
            for place in self.table.places:
                place.shown = place.shown._replace(options=None)
                if place.seat is not None:
                    place.review = {"state": "none" if "failed" in over else "working"}
            self._enter(OVER)

    def _review(self, people: list[PagePlayer]) -> None:
        known = self.awaited() if any(one.decisions for one in people) else None
        for one in people:
            found = reviewed(known, self.table.referee, str(one.place.seat), one.decisions)
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
        self._solution = solution
        self.known: Attempt | None = None  # a solution of the game, or why there is none
        self._solving = False
        self.name, self.opened, self.entrants, self.coach = name, opened, dict(entrants), coach
        self.referee = Referee(opened.game)
        self.seed = seed
        seats = [seat for seat, one in entrants.items() if one is None]
        self.places = [Place(name, seat) for seat in seats or (None,)]
        self.needs_solution = coach or any(
            one is not None and one.name == "auto" for one in entrants.values()
        )
        self.away: set[str] = set()  # seats of people who have left
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

    def solve(self) -> None:
        """Find a solution of the game, once, in a thread of its own."""
        with self.change:
            begun, self._solving = self._solving, True
        if not begun:
            threading.Thread(target=self._solve, name="infoset-table", daemon=True).start()

    def _solve(self) -> None:
        try:
            found = self._solution()
        except (Exception, OutOfTime) as error:  # of the rules
            found = Attempt(None, brief(str(error) or type(error).__name__, 400))
        with self.change:
            self.known = found
            self.change.notify_all()
            for place in self.places:
                place.changed()

    @property
    def people(self) -> bool:
        """Does a person play?"""
        return any(place.seat is not None for place in self.places)

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
        self.touched = found[0].seen = monotonic()
        with self.change:
            if not found[0].joined:
                found[0].joined = True
                self.places[0].changed()
        if found[0].seat in self.away:
            self.look_who_is_away()
        return found[0]

    def look_who_is_away(self) -> None:
        """Tell people who of the others has left, or is back."""
        with self.change:
            gone = {str(one.seat) for one in self.places if one.joined and not one.here()}
            if gone != self.away:
                self.away = gone
                for place in self.places:
                    place.changed()

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
            known, view = self.known, place.shown.view
        return advised(known, self.referee, place.seat, view)

    # ------------------------------------------------------------------ what a seat sees

    def state(self, place: Place) -> dict[str, Any]:
        """All that a place may know."""
        with self.change:
            shown, round, version = place.shown, self.round, place.version
            review = place.review
        options = shown.options
        picture = shown.picture or {}
        return {
            "version": version,
            "game": text(self.referee.source.name),
            "seat": place.seat,
            "seats": self._seats(place),
            "phase": self._phase(round, waits=options is None),
            "told": [described_event(one, self.dice) for one in shown.events[-MOST_EVENTS:]],
            "options": None if options is None else self._described(shown, 0),
            "count": 0 if options is None else len(options),
            "boards": self._boards(place, shown, round),
            "picture": shown.picture
            and {"values": picture.get("values", []), "failed": picture.get("failed", "")},
            "undo": self.alone and options is not None and shown.made > 0,
            "again": round.phase == OVER or (self.alone and round.phase == PLAYING),
            "coach": self._coach(),
            "over": round.over,
            "review": review,
        }

    def _phase(self, round: Round, waits: bool) -> str:
        """Whoever waits while the game is being solved is told so."""
        solving = self.needs_solution and self.known is None
        return PREPARING if round.phase == PLAYING and solving and waits else round.phase

    def _boards(self, place: Place, shown: Shown, round: Round) -> list[dict[str, Any]]:
        """What a place sees on boards: what it knows, and everything when the game is over."""
        game, finals = self.referee.game, round.finals
        if finals is not None and finals.pictures:
            player = None if place.seat is None else self.referee.player_of(place.seat)
            return final_pictures(finals.pictures, place.seat, player)
        if finals is not None:
            return final_boards(game, finals.views, finals.moves, place.seat)
        if shown.picture is not None and "boards" in shown.picture:
            found: list[dict[str, Any]] = shown.picture["boards"]
            return found
        menus = round.public.menus if round.public is not None else ()
        if any(is_placing(menu[0]) for menu in menus):
            return []  # everybody has a board of its own, and which one is meant is not public
        return boards(game, shown.events, shown.options or ())

    def options(self, place: Place, first: int) -> dict[str, Any]:
        """Some of the options, where there are very many."""
        shown = place.shown
        count = len(shown.options or ())
        return {"first": first, "count": count, "options": self._described(shown, first)}

    def _described(self, shown: Shown, first: int) -> list[dict[str, Any]]:
        """Some of the options of a seat."""
        found = shown.options or ()
        pairs = moves_in_pairs(shown.events, found)
        return [described(one, pairs=pairs) for one in found[first : first + MOST_OPTIONS]]

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
            if one is None and not told["you"]:
                told["away"] = seat in self.away
            if one is None and place is self.places[0]:
                told["joined"] = persons[seat].joined
                if not persons[seat].joined:
                    told["invite"] = persons[seat].link
            found.append(told)
        return found

    def _called(self, one: Entrant) -> str:
        if one.name != "auto" or self.known is None:
            return brief(one.name)
        solution = self.known.solution
        if solution is None:
            return "a search"
        return "an equilibrium" if solution.exact else "nearly an equilibrium"

    def _coach(self) -> dict[str, Any] | None:
        if not self.coach:
            return None
        if self.known is None:
            return {"state": "working", "why": ""}
        solution, why = self.known
        return {"state": "none" if solution is None else "ready", "why": brief(why)}
