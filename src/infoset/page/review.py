"""How a game ended, what was hidden in it, and what moves cost, as plain values for a page."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from infoset.analysis.questions import ActionValue
from infoset.analysis.review import Advice, Cost, Seat, advice, cost, knew, total
from infoset.page.facts import MOST_CARDS, Event, described
from infoset.page.opened import number
from infoset.play.automatic import Attempt
from infoset.play.human import Decision, shown
from infoset.play.referee import GameRecord, Referee
from infoset.solvers import Solution
from infoset.text import brief, text

MOST_MOVES = 1000
MOST_ACTIONS = 40  # that are shown of one decision


def ended(record: GameRecord, seed: int, dice: bool = False) -> dict[str, Any]:
    """How a game ended, with all moves, hidden ones included."""
    forfeit = record.forfeit
    return {
        "moves": [
            {"who": text(who or "chance"), "move": described(move, dice and who is None)}
            for who, move in record.moves[:MOST_MOVES]
        ],
        "payoffs": [
            {"player": text(player), "amount": number(paid)}
            for player, paid in record.payoffs.items()
        ],
        "forfeit": None
        if forfeit is None
        else {"seat": text(forfeit.seat), "reason": brief(forfeit.reason)},
        "seed": str(seed),  # pages have no whole numbers of this size
    }


def hands(views: Mapping[str, Sequence[Event]], dice: bool = False) -> list[dict[str, Any]]:
    """The cards and dice that each seat saw during the game, if it saw any."""
    found = []
    for seat, events in views.items():
        told = [described(one.what, dice) for one in events if not one.own]
        values = [value for value in told if value["kind"] in ("card", "cards", "dice")]
        if values:
            found.append({"seat": text(seat), "values": values[:MOST_CARDS]})
    return found


def costed(solution: Solution, referee: Referee, seat: str, made: Decision) -> dict[str, Any]:
    """What a move cost."""
    whose = _seat(referee, seat)
    return _told(cost(advice(solution, whose, made.view), whose, made.taken), made.taken)


def advised(known: Attempt | None, referee: Referee, seat: str, view: Any) -> dict[str, Any]:
    """What an equilibrium does with a view."""
    if known is None or known.solution is None:
        return {"why": brief(known.why) if known else "it is not solved yet", "actions": []}
    said = advice(known.solution, _seat(referee, seat), view)
    return {"why": said.why, "actions": _actions(said)}


def reviewed(
    known: Attempt | None, referee: Referee, seat: str, decisions: Sequence[Decision]
) -> dict[str, Any]:
    """What each move of a seat cost, compared with the best one against the solution."""
    if known is None or known.solution is None:
        return {"state": "none", "why": brief(known.why) if known else "", "moves": []}
    solution, whose = known.solution, _seat(referee, seat)
    found = [cost(advice(solution, whose, made.view), whose, made.taken) for made in decisions]
    whole = total(found)
    return {
        "state": "done",
        "why": "",
        "method": solution.method,
        "exact": bool(solution.exact),
        "regrets": [
            {"player": text(one), "amount": number(amount)}
            for one, amount in solution.regrets.items()
        ],
        "moves": [
            {
                "knew": knew(made.view, whose),
                "took": described(made.taken),
                "cost": _told(one, made.taken),
            }
            for made, one in zip(decisions, found, strict=True)
        ],
        "total": None if whole is None else number(whole),
        "unknown": sum(one.amount is None for one in found),
    }


def _seat(referee: Referee, seat: str) -> Seat:
    return Seat(referee.game, referee.source.name, seat, referee.player_of(seat))


def _told(found: Cost, taken: Hashable) -> dict[str, Any]:
    return {
        "amount": None if found.amount is None else number(found.amount),
        "best": [shown(one) for one in found.best[:MOST_ACTIONS]],
        "why": found.why,
        "actions": [] if found.advice is None else _actions(found.advice, taken),
    }


def _actions(said: Advice, taken: Hashable = None) -> list[dict[str, Any]]:
    """The actions of an information set; of very many, those that are played or best."""
    kept = said.actions
    if len(kept) > MOST_ACTIONS:
        kept = tuple([one for one in kept if one.probability or one.best or one.action == taken])
    return [_action(one, taken) for one in kept[:MOST_ACTIONS]]


def _action(one: ActionValue, taken: Hashable) -> dict[str, Any]:
    return {
        "action": described(one.action),
        "probability": number(one.probability),
        "value": None if one.value is None else number(one.value),
        "cost": None if one.regret is None else number(0 if one.best else one.regret),
        "best": one.best,
        "taken": one.action == taken,
    }
