"""What the moves of a game that somebody has played cost, measured by a solution.

A move costs what its value at the information set falls short of the best one's, if all others play
by the solution. That depends on what the player knew, and on nothing that was hidden from it: a
review made during the game gives nothing away.

A solution on a public form is asked there, and no tree is built: values are those of
:meth:`infoset.strategy.public.PublicProfile.action_values`, in floats.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isnan
from typing import Any, NamedTuple, Protocol

from infoset.analysis.questions import ActionValue, action_values
from infoset.errors import InfosetError, StrategyError
from infoset.rules import Game
from infoset.solvers import Solution
from infoset.solvers.public_solution import PublicEvaluation
from infoset.strategy.strategy import action_number
from infoset.text import amount_text, brief, count_text, label_text, text
from infoset.tree import Infoset
from infoset.tree.knowledge import NOTHING, known
from infoset.tree.positions import infoset_of_view

UNKNOWN = "the solution does not know where this was"
ROUNDING = 1e-9  # of the largest value: values that differ by less are the same


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

    infoset: Infoset | None = None  # on a tree
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
        if isinstance(solution.evaluation, PublicEvaluation):
            return _on_public_form(solution.evaluation, seat, view)
        here = infoset_of_view(solution.profile.tree, seat.player, view, seat.seat)
        if here is None:
            return Advice(why=UNKNOWN)
        found = action_values(solution, here)
    except InfosetError as problem:
        return Advice(why=_plainly(problem, seat))
    return Advice(here, found.actions, found.note)


def _on_public_form(evaluation: PublicEvaluation, seat: Seat, view: Any) -> Advice:
    """The same from the form alone."""
    place = evaluation.floats[seat.player].place(view)
    if place is None:
        return Advice(why=UNKNOWN)
    rows = public_action_values(evaluation, seat.player, *place)
    unknown = any(one.value is None for one in rows)
    return Advice(None, rows, "no play by the other's strategy comes here" if unknown else "")


def public_action_values(
    evaluation: PublicEvaluation, player: str, decision: int, at: int
) -> tuple[ActionValue, ...]:
    """The actions at an information set of a public form, with their values and regrets.

    Parameters
    ----------
    evaluation
        Strategies on a public form.
    player
        Whose information set it is.
    decision, at
        Its decision, and its number there.

    Returns
    -------
    tuple of ActionValue
        Values are None where no play comes if the player plays to come there.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> found = solve(kuhn().public()).evaluation
    >>> place = found.floats["dealer"].place("K, pass")
    >>> [one.regret > 0 for one in public_action_values(found, "dealer", *place)]
    [True, False]
    """
    form, profile = evaluation.form, evaluation.floats
    number = form.player_number(player)
    values = profile.action_values(number, decision)[:, at].tolist()
    probabilities = profile.probabilities(number, decision)[:, at].tolist()
    known = not any(map(isnan, values))
    slack = max(float(max(evaluation.regrets.values())), ROUNDING * max(map(abs, values)))
    rows = []
    for action, probability, value in zip(
        form.decisions[number][decision].menu, probabilities, values, strict=True
    ):
        regret = max(values) - value if known else None
        best = regret is not None and regret <= slack
        rows.append(ActionValue(action, probability, value if known else None, regret, best))
    return tuple(rows)


def cost(said: Advice, seat: Seat, taken: Hashable) -> Cost:
    """What it cost to take this, by the values of all that could be chosen instead."""
    if not said.actions:
        return Cost(why=said.why, advice=said)
    try:
        one = _taken(said, taken)
    except InfosetError as problem:
        return Cost(why=_plainly(problem, seat), advice=said)
    if one.regret is None:
        return Cost(why=brief(said.note), advice=said)
    best = tuple(other.action for other in said.actions if other.best)
    return Cost(0 if one.best else one.regret, best, advice=said)


def _taken(said: Advice, taken: Hashable) -> ActionValue:
    """What is said of an action."""
    if said.infoset is not None:
        return said.actions[action_number(said.infoset, taken)]
    for one in said.actions:
        if one.action == taken:
            return one
    raise StrategyError(f"the solution knows no action {text(taken)!r:.40} here")


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
