"""What the moves of a game that somebody has played cost, measured by a solution.

A move costs what its value at the information set falls short of the best one's, if all others play
by the solution. That depends on what the player knew, and on nothing that was hidden from it: a
review made during the game gives nothing away.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from infoset.analysis.questions import ActionValue, action_values
from infoset.errors import InfosetError
from infoset.rules import Game
from infoset.solvers import Solution
from infoset.strategy.strategy import action_number
from infoset.text import amount_text, brief, count_text, label_text, text
from infoset.tree import Infoset
from infoset.tree.knowledge import NOTHING, known
from infoset.tree.positions import infoset_of_view


class Made(Protocol):
    """A choice that somebody made."""

    @property
    def view(self) -> Any:
        """What it knew."""

    @property
    def taken(self) -> Hashable:
        """What it took."""


@dataclass(frozen=True)
class Seat:
    """Whose moves are reviewed: a seat of a game, and the player for whom it acts."""

    game: Any
    name: str  # of the game
    seat: str
    player: str


class Advice(NamedTuple):
    """What a solution says of the actions at an information set; or why it says nothing."""

    infoset: Infoset | None = None
    actions: tuple[ActionValue, ...] = ()
    note: str = ""
    why: str = ""


@dataclass(frozen=True)
class Cost:
    """What a move cost, if that is known; else why not."""

    amount: Any = None
    best: tuple[Hashable, ...] = ()
    why: str = ""
    advice: Advice | None = None


def advice(solution: Solution, seat: Seat, view: Any) -> Advice:
    """What a solution says of all that can be done with a view.

    Parameters
    ----------
    solution
        Strategies of all players.
    seat
        Who moves.
    view
        What it knows, as positions and players have it.

    Returns
    -------
    Advice
        Probability, value and regret of each action.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> game = kuhn()
    >>> dealt = game.position().after("Q K").after("bet")
    >>> dealer = Seat(game, "kuhn()", "dealer", "dealer")
    >>> for one in advice(game.solve(), dealer, dealt.view("dealer")).actions:
    ...     print(one.action, one.probability, one.regret)
    pass 0 3
    bet 1 0
    """
    try:
        here = infoset_of_view(solution.profile.tree, seat.player, view, seat.seat)
        if here is None:
            return Advice(why="the solution does not know where this was")
        found = action_values(solution, here)
    except InfosetError as problem:
        return Advice(why=_plainly(problem, seat))
    return Advice(here, found.actions, found.note)


def cost(said: Advice, seat: Seat, taken: Hashable) -> Cost:
    """What it cost to take this, by the values of all that could be chosen instead."""
    if said.infoset is None:
        return Cost(why=said.why, advice=said)
    try:
        one = said.actions[action_number(said.infoset, taken)]
    except InfosetError as problem:
        return Cost(why=_plainly(problem, seat), advice=said)
    if one.regret is None:
        return Cost(why=brief(said.note), advice=said)
    best = tuple(other.action for other in said.actions if other.best)
    return Cost(0 if one.best else one.regret, best, advice=said)


def _plainly(problem: InfosetError, seat: Seat) -> str:
    """Why something is not known, in few words."""
    return brief(str(problem).removeprefix(f"{seat.name}: ").partition(", but ")[0])


def costs(solution: Solution, seat: Seat, decisions: Iterable[Made]) -> list[Cost]:
    """What each of some moves cost."""
    return [cost(advice(solution, seat, made.view), seat, made.taken) for made in decisions]


def knew(view: Any, seat: Seat) -> str:
    """What somebody knew when it moved."""
    words = known(view) if isinstance(seat.game, Game) else text(view)
    return "knowing nothing" if words == NOTHING else label_text(words)


def total(found: Sequence[Cost]) -> Fraction | None:
    """What all moves cost together, as far as that is known; None if nothing is."""
    amounts = [Fraction(one.amount) for one in found if one.amount is not None]
    return sum(amounts, Fraction(0)) if amounts else None


def total_text(found: Sequence[Cost], exact: bool) -> str:
    """The same in words."""
    whole, missing = total(found), sum(one.amount is None for one in found)
    if whole is None:
        return "not known"
    said = amount_text(whole, exact)
    if not missing:
        return said
    return f"{said}, without {count_text(missing, 'move')} whose cost is not known"
