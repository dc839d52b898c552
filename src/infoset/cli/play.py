"""``infoset play``: a person against players, in the terminal or in the browser."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from infoset.analysis.review import Seat, costs, knew, total_text
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_game
from infoset.cli.messages import in_options
from infoset.cli.options import Command, group, option
from infoset.cli.progress import status
from infoset.cli.view import NamedGame, ServerOptions, run_server
from infoset.errors import ParameterError, nearest
from infoset.play.automatic import solved_at_once, unsolved_name, unsolved_player
from infoset.play.human import ANSWERS, LONGEST, Decision, Person, Quit, Repeating, Undo, shown
from infoset.play.names import Entrant, entrant
from infoset.play.player import Player, StrategyPlayer
from infoset.play.referee import GameRecord, Referee
from infoset.rules import Game
from infoset.rules.running import OutOfTime, TimeLimit
from infoset.solvers import Solution
from infoset.text import (
    amount_text,
    brief,
    label_text,
    named_amount,
    names_text,
    one_line,
    spelled,
)

HUMAN, WATCHING = "human", "none"  # what --against and --as take beside players and seats
STARTING = 2.0  # seconds for which the start of a game is tried before it is served


@dataclass(frozen=True)
class PlayOptions:
    """Who plays."""

    seat: str | None = option(
        "Your seat: a player of the game. With --web, none watches.",
        flags="--as",
        metavar="SEAT",
        unset="the first",
    )
    against: str | None = option(
        "The other players, as infoset match names them: auto, random, ismcts, solution:FILE."
        " With --web, human: they get a link.",
        metavar="PLAYER",
        unset="auto: an equilibrium of a small game, else a search",
    )
    seed: int | None = option(
        "Decides the deals and all that is drawn.", unset="0; with --web, new deals"
    )


@dataclass(frozen=True)
class WebOptions:
    """How a game is played in the browser."""

    web: bool = option("Play in the browser.", default=False)
    coach: bool = option("Learn what each move costs when you make it.", default=False)


@dataclass(frozen=True)
class PlayRequest:
    """All that is asked of ``infoset play``."""

    game: GameArguments = group()
    who: PlayOptions = group()
    page: WebOptions = group("In the browser")
    server: ServerOptions = group("Server, with --web")
    limits: LimitOptions = group("Limits")


def play(request: PlayRequest) -> None:
    """Play a game yourself; afterwards, what your moves cost."""
    if request.page.web:
        play_in_browser(request)
        return
    _refuse_what_needs_a_page(request)
    with redirect_stdout(sys.stderr):  # what rules print is no part of the game
        referee = Referee(named_game(request.game, request.limits))
        seat = _seat(referee, request.who.seat)
        against, solution = _opponent(referee, request.who.against)
    own, other = label_text(seat), _others(referee, seat, against)
    print(f"{brief(referee.source.name)}: you are {own}{other}")
    about = _about(referee.game)
    print("\n".join([*about[:1], ANSWERS]))
    table = Table(referee, seat, against, request.who.seed or 0, about)
    try:
        person, record = table.played()
    except Quit:
        print("you left the game")
        return
    for line in _ending(record):
        print(line)
    if solution is None and person.decisions:
        with status(f"solving {brief(referee.source.name)}"):
            solution = solved_at_once(referee.game).solution
    review = _review(solution, seat, person.decisions, referee)
    if review:
        print("\n".join(["", *review]))


def _refuse_what_needs_a_page(request: PlayRequest) -> None:
    """Options that would do nothing in the terminal."""
    if request.page.coach:
        raise ParameterError("--coach is for --web")
    for one in fields(ServerOptions):
        if getattr(request.server, one.name) != one.default:
            raise ParameterError(f"--{one.name.replace('_', '-')} is for --web")


def _seat(referee: Referee, given: str | None) -> str:
    agents = referee.seats.agents
    if given is None:
        return agents[0]
    if given not in agents:
        raise ParameterError(
            f"{brief(referee.source.name)} has no seat {given!r:.40}; {nearest(given, agents)}"
        )
    return given


def play_in_browser(request: PlayRequest) -> None:
    """Serve a table that is ready, and open it."""
    from infoset.page.server import Pages

    opener, who = NamedGame(request.game, request.limits), request.who
    parameters = request.game.parameters
    with redirect_stdout(sys.stderr):  # as in the terminal
        referee = Referee(opener.open(parameters))
        with suppress(OutOfTime), TimeLimit(STARTING, lambda: 0):
            _ = referee.source.start.over  # rules that fail at once are refused
    against = who.against or "auto"
    if against != HUMAN:
        entrant(against).check(referee.game)
    agents = referee.seats.agents
    watching = who.seat == WATCHING and WATCHING not in agents
    if watching and against == HUMAN:
        raise ParameterError("--as none watches players by name; give --against another one")
    if watching and request.page.coach:
        raise ParameterError("--coach is for who plays; leave it out with --as none")
    own = None if watching else _seat(referee, who.seat)
    pages = Pages(opener, parameters, start="table")
    pages.tables.trusted = () if against == HUMAN else (against,)
    seats = {agent: HUMAN if agent == own else against for agent in agents}
    table = pages.tables.create(parameters, seats, seed=who.seed, coach=request.page.coach)
    run_server(pages, request.server, brief(referee.source.name), fragment=table.places[0].link)


def _about(game: Any) -> list[str]:
    """What a game is, in the paragraphs of its rules."""
    told = game.family.doc.split("\n\n") if isinstance(game, Game) else []
    return [one_line(" ".join(part.split()), LONGEST) for part in told if part.strip()]


def _others(referee: Referee, seat: str, against: Entrant) -> str:
    """Who the others are: partners, opponents, or nobody."""
    rest = [agent for agent in referee.seats.agents if agent != seat]
    if not rest:
        return ""
    team = [
        label_text(agent) for agent in rest if referee.player_of(agent) == referee.player_of(seat)
    ]
    name = brief(against.name)
    if len(team) == len(rest):
        return f", with {names_text(team)}, played by {name}"
    return f", with {names_text(team)}" * bool(team) + f", against {name}"


def _opponent(referee: Referee, given: str | None) -> tuple[Entrant, Solution | None]:
    """Who plays against the person, and a solution of the game if there is one."""
    if given is not None:
        name = given.removeprefix("solution:")
        loaded = Solution.load(name, referee.game) if name != given else None
        other = entrant(given)
        other.check(referee.game)
        return other, loaded
    with status(f"solving {brief(referee.source.name)}"):
        found = solved_at_once(referee.game)
    if found.solution is None:
        print(f"playing against a search: {brief(found.why)}", file=sys.stderr)
        name = f"a search, {unsolved_name(referee.game)}"
        return Entrant(name, partial(unsolved_player, referee.game)), None
    return Entrant(found.about, partial(StrategyPlayer, found.solution)), found.solution


class Table:
    """A game with a person, which can be taken back move by move."""

    def __init__(
        self, referee: Referee, seat: str, against: Entrant, seed: int, about: list[str]
    ) -> None:
        """The others are made once, and repeat their moves when a move is taken back."""
        self.referee = referee
        self.seat = seat
        self.seed = seed
        self.about = about
        self.others: dict[str, Player] = {
            agent: Repeating(against.make()) for agent in referee.seats.agents if agent != seat
        }

    def played(self) -> tuple[Person, GameRecord]:
        """Play to the end, however often moves are taken back."""
        repeated: list[Hashable] = []
        while True:
            person = Person(print, _asked, repeated, self.about)
            try:
                players = {self.seat: person, **self.others}
                return person, self.referee.play(players, seed=self.seed)
            except Undo:
                *kept, last = [made.taken for made in person.decisions]
                print(f"  taken back: {shown(last)}")
                repeated = kept


def _asked(prompt: str) -> str:
    """A line that is typed; shown behind the prompt where it comes from a file or a pipe."""
    try:
        answer = input(prompt)
    except EOFError:
        print()
        raise
    if not sys.stdin.isatty():
        print(label_text(answer))
    return answer


def _ending(record: GameRecord) -> list[str]:
    """How the game ended, with all moves, hidden ones included."""
    moves = "; ".join(
        f"{label_text(mover or 'chance')}: {shown(move)}" for mover, move in record.moves
    )
    paid = ", ".join(
        named_amount(label_text(player), spelled(paid)) for player, paid in record.payoffs.items()
    )
    lines = ["", f"the game: {moves}", f"payoffs: {paid}"]
    if record.forfeit is not None:
        lines.append(
            f"{label_text(record.forfeit.seat)} forfeits: it {brief(record.forfeit.reason)}"
        )
    return lines


# ---------------------------------------------------------------------- what moves cost


def _review(
    solution: Solution | None, seat: str, decisions: list[Decision], referee: Referee
) -> list[str]:
    """What each move of the person cost, compared with the best one against the solution."""
    if solution is None or not decisions:
        return []
    lines = ["your moves, compared with the best against the solution:"]
    whose = Seat(referee.game, referee.source.name, seat, referee.player_of(seat))
    found = costs(solution, whose, decisions)
    for made, one in zip(decisions, found, strict=True):
        if one.amount is None:
            said = f"costs what is not known: {in_options(one.why, {})}"
        elif not one.amount:
            said = "costs nothing"
        else:
            best = " or ".join(map(shown, one.best))
            said = f"costs {amount_text(one.amount, solution.exact)}; best: {best}"
        lines.append(f"  {knew(made.view, whose)}: {shown(made.taken)} {said}")
    return [*lines, f"  all of them: {total_text(found, solution.exact)}"]


command = Command("play", PlayRequest, play)
