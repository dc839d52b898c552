"""``infoset play``: a person against players, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from infoset.analysis.questions import action_values
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_game
from infoset.cli.options import Command, group, option
from infoset.cli.progress import status
from infoset.errors import InfosetError, ParameterError, nearest
from infoset.play.automatic import solved_at_once
from infoset.play.human import ANSWERS, Decision, Person, Quit, Repeating, Undo
from infoset.play.names import Entrant, entrant
from infoset.play.player import Player, StrategyPlayer
from infoset.play.referee import GameRecord, Referee
from infoset.rules import Game
from infoset.solvers import Solution
from infoset.text import amount_text, brief, printable, spelled, text
from infoset.tree.knowledge import known


@dataclass(frozen=True)
class PlayOptions:
    """Who plays."""

    seat: str | None = option(
        "Your seat: a player of the game.", flags="--as", metavar="SEAT", unset="the first"
    )
    against: str | None = option(
        "The other players, as infoset match names them: auto, random, ismcts, solution:FILE.",
        metavar="PLAYER",
        unset="auto: an equilibrium of a small game, else a search",
    )
    seed: int = option("Decides the deals and all that is drawn.", default=0)


@dataclass(frozen=True)
class PlayRequest:
    """All that is asked of ``infoset play``."""

    game: GameArguments = group()
    who: PlayOptions = group()
    limits: LimitOptions = group("Limits")


def play(request: PlayRequest) -> None:
    """Play a game yourself; afterwards, what your moves cost."""
    with redirect_stdout(sys.stderr):  # what rules print is no part of the game
        referee = Referee(named_game(request.game, request.limits))
        seat = _seat(referee, request.who.seat)
        against, solution = _opponent(referee, request.who.against)
    table = Table(referee, seat, against, request.who.seed)
    print(f"{printable(referee.source.name)}: you are {seat}, against {printable(against.name)}")
    print(ANSWERS)
    try:
        person, record = table.played()
    except Quit:
        print("you left the game")
        return
    for line in _ending(referee, seat, record):
        print(line)
    if solution is None and person.decisions:
        with status(f"solving {brief(referee.source.name)}"):
            solution = solved_at_once(referee.game).solution
    review = _review(solution, seat, person.decisions, referee)
    if review:
        print("\n".join(["", *review]))


def _seat(referee: Referee, given: str | None) -> str:
    agents = referee.seats.agents
    if given is None:
        return agents[0]
    if given not in agents:
        raise ParameterError(
            f"{brief(referee.source.name)} has no seat {given!r:.40}; {nearest(given, agents)}"
        )
    return given


def _opponent(referee: Referee, given: str | None) -> tuple[Entrant, Solution | None]:
    """Who plays against the person, and a solution of the game if there is one."""
    if given is not None:
        name = given.removeprefix("solution:")
        loaded = Solution.load(name, referee.game) if name != given else None
        return entrant(given), loaded
    with status(f"solving {brief(referee.source.name)}"):
        solution, why = solved_at_once(referee.game)
    if solution is None:
        print(f"playing against a search: {brief(why)}", file=sys.stderr)
        return entrant("mo-ismcts"), None
    return Entrant("an equilibrium", partial(StrategyPlayer, solution)), solution


class Table:
    """A game with a person, which can be taken back move by move."""

    def __init__(self, referee: Referee, seat: str, against: Entrant, seed: int) -> None:
        """The others are made once, and repeat their moves when a move is taken back."""
        self.referee = referee
        self.seat = seat
        self.seed = seed
        self.others: dict[str, Player] = {
            agent: Repeating(against.make(), []) for agent in referee.seats.agents if agent != seat
        }

    def played(self) -> tuple[Person, GameRecord]:
        """Play to the end, however often moves are taken back."""
        repeated: list[Hashable] = []
        while True:
            person = Person(print, input, repeated)
            try:
                players = {self.seat: person, **self.others}
                return person, self.referee.play(players, seed=self.seed)
            except Undo:
                repeated = [made.taken for made in person.decisions[:-1]]
                print("  taken back; again from the start")


def _ending(referee: Referee, seat: str, record: GameRecord) -> list[str]:
    """How the game ended, with all moves, hidden ones included."""
    moves = "; ".join(f"{mover or 'chance'}: {text(move)}" for mover, move in record.moves)
    paid = ", ".join(f"{player} {spelled(paid)}" for player, paid in record.payoffs.items())
    lines = ["", f"the game: {moves}", f"payoffs: {paid}"]
    if record.forfeit is not None:
        lines.append(f"{record.forfeit.seat} forfeits: it {brief(record.forfeit.reason)}")
    return lines


def _review(
    solution: Solution | None, seat: str, decisions: list[Decision], referee: Referee
) -> list[str]:
    """What each move of the person cost, compared with the best one against the solution."""
    if solution is None or not decisions:
        return []
    team = referee.seats.players[referee.seats.player_of[referee.seats.agent(seat)]]
    lines, whole = ["your moves, compared with the best against the solution:"], Fraction(0)
    for made in decisions:
        label = known(made.view) if isinstance(referee.game, Game) else text(made.view)
        try:
            values = action_values(solution, f"{team}: {label}").actions
        except InfosetError as problem:
            lines.append(f"  {brief(label)}: {text(made.taken)}: not known: {brief(str(problem))}")
            continue
        cost = next((one.regret for one in values if text(made.taken) == str(one.action)), None)
        best = " or ".join(str(one.action) for one in values if one.best)
        if cost is None:
            said = "its cost is not known"
        elif not cost:
            said = "costs nothing"
        else:
            whole += Fraction(cost)
            said = f"costs {amount_text(cost, solution.exact)}; best: {best}"
        lines.append(f"  {brief(label)}: {text(made.taken)} {said}")
    lines.append(f"  all of them: {amount_text(whole, solution.exact)}")
    return lines


command = Command("play", PlayRequest, play)
