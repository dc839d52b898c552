"""``infoset play``: a person against players, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from infoset.analysis.questions import action_values
from infoset.cli.game_arguments import GameArguments, LimitOptions, named_game
from infoset.cli.messages import in_options
from infoset.cli.options import Command, group, option
from infoset.cli.progress import status
from infoset.errors import InfosetError, ParameterError, nearest
from infoset.play.automatic import solved_at_once
from infoset.play.human import ANSWERS, LONGEST, Decision, Person, Quit, Repeating, Undo, shown
from infoset.play.names import Entrant, entrant
from infoset.play.player import Player, StrategyPlayer
from infoset.play.referee import GameRecord, Referee
from infoset.rules import Game
from infoset.solvers import Solution
from infoset.strategy.strategy import action_number
from infoset.text import (
    amount_text,
    brief,
    count_text,
    label_text,
    named_amount,
    names_text,
    one_line,
    spelled,
    text,
)
from infoset.tree.knowledge import NOTHING, known
from infoset.tree.positions import infoset_of_view


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
    own, other = label_text(seat), _others(referee, seat, against)
    print(f"{brief(referee.source.name)}: you are {own}{other}")
    about = _about(referee.game)
    print("\n".join([*about[:1], ANSWERS]))
    table = Table(referee, seat, against, request.who.seed, about)
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


def _seat(referee: Referee, given: str | None) -> str:
    agents = referee.seats.agents
    if given is None:
        return agents[0]
    if given not in agents:
        raise ParameterError(
            f"{brief(referee.source.name)} has no seat {given!r:.40}; {nearest(given, agents)}"
        )
    return given


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
        solution, why = solved_at_once(referee.game)
    if solution is None:
        print(f"playing against a search: {brief(why)}", file=sys.stderr)
        return replace(entrant("mo-ismcts"), name="a search, mo-ismcts"), None
    return Entrant("an equilibrium", partial(StrategyPlayer, solution)), solution


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


@dataclass(frozen=True)
class Cost:
    """What a move cost, if that is known; else why not."""

    amount: Any = None
    best: tuple[str, ...] = ()
    why: str = ""


def _review(
    solution: Solution | None, seat: str, decisions: list[Decision], referee: Referee
) -> list[str]:
    """What each move of the person cost, compared with the best one against the solution."""
    if solution is None or not decisions:
        return []
    lines = ["your moves, compared with the best against the solution:"]
    costs = [_cost(solution, seat, made, referee) for made in decisions]
    for made, cost in zip(decisions, costs, strict=True):
        if cost.amount is None:
            said = f"costs what is not known: {cost.why}"
        elif not cost.amount:
            said = "costs nothing"
        else:
            best = " or ".join(cost.best)
            said = f"costs {amount_text(cost.amount, solution.exact)}; best: {best}"
        lines.append(f"  {_knew(made.view, referee)}: {shown(made.taken)} {said}")
    return [*lines, f"  all of them: {_total(costs, solution.exact)}"]


def _knew(view: Any, referee: Referee) -> str:
    """What the person knew when it moved."""
    words = known(view) if isinstance(referee.game, Game) else text(view)
    return "knowing nothing" if words == NOTHING else label_text(words)


def _total(costs: list[Cost], exact: bool) -> str:
    """What all moves cost together, as far as that is known."""
    amounts = [Fraction(cost.amount) for cost in costs if cost.amount is not None]
    missing = len(costs) - len(amounts)
    if not amounts:
        return "not known"
    whole = amount_text(sum(amounts, Fraction(0)), exact)
    if not missing:
        return whole
    return f"{whole}, without {count_text(missing, 'move')} whose cost is not known"


def _cost(solution: Solution, seat: str, made: Decision, referee: Referee) -> Cost:
    """What a move cost by the values of all that could be chosen instead."""
    player = referee.player_of(seat)
    try:
        tree = solution.profile.tree
        here = infoset_of_view(tree, player, made.view, seat)
        if here is None:
            return Cost(why="the solution does not know where this was")
        found = action_values(solution, here)
        one = found.actions[action_number(here, made.taken)]
    except InfosetError as problem:
        why = str(problem).removeprefix(f"{referee.source.name}: ").partition(", but ")[0]
        return Cost(why=brief(in_options(why, {})))
    if one.regret is None:
        return Cost(why=brief(found.note))
    best = tuple(shown(other.action) for other in found.actions if other.best)
    return Cost(0 if one.best else one.regret, best)


command = Command("play", PlayRequest, play)
