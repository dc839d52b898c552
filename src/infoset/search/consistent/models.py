"""The model of how moves are chosen that a player has not observed.

It is asked with the view of whoever moves, and gives a probability to each option. So it needs no
tree: strategies of trees and of public forms, solutions, mappings and functions are all asked in
the same way, and only where a history comes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from infoset.errors import ParameterError, StrategyError, nearest
from infoset.rules.moves import Menu
from infoset.rules.seats import Seats
from infoset.solvers.sampling.result import VisitedError
from infoset.strategy.convert import KINDS, Row, given_row
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.infosets import state_of_view
from infoset.strategy.profile import Profile
from infoset.strategy.public import PublicProfile, PublicStrategy
from infoset.strategy.strategy import Strategy
from infoset.text import brief, repr_text
from infoset.tree.knowledge import labels_of_view

UNIFORM = "uniform"

# The probabilities of a mover's options, from its view; None: all alike.
Model = Callable[[str, Hashable, Menu], Row | None]


def as_model(name: str, seats: Seats, own: str, given: Any) -> Model | None:
    """What was given as a model, asked by view; None if all moves are uniform.

    Parameters
    ----------
    name, seats
        Of the game.
    own
        The player whose view is known: it needs no model, but where it forgets.
    given
        ``"uniform"``, or strategies of the other players.
    """
    if isinstance(given, str):
        if given == UNIFORM:
            return None
        raise ParameterError(f"model={given!r:.60}: {nearest(given, [UNIFORM])} or give strategies")
    strategies = _by_player(name, seats, given)
    for player in seats.players:
        if player not in strategies and player != seats.players[seats.player(own)]:
            raise StrategyError(
                f"{brief(name)}: the model has no strategy of {brief(player)}; give one for each"
                " player but the one whose view is known"
            )
    rows = {player: _asked(one) for player, one in strategies.items()}

    def model(mover: str, view: Hashable, menu: Menu) -> Row | None:
        player = seats.players[seats.player(mover)]
        found = rows[player](player, mover, view, menu) if player in rows else None
        if found is None:
            return None
        return given_row(menu, found, lambda: _place(name, mover, view))[0]

    return model


def _by_player(name: str, seats: Seats, given: Any) -> dict[str, Any]:
    """What was given, by player."""
    ours = Strategy | PublicStrategy
    if not isinstance(given, ours | Profile | PublicProfile) and isinstance(
        getattr(given, "strategy", None), Mapping
    ):
        given = given.strategy  # of a solution
    if isinstance(given, ours):
        return {given.player: given}
    if isinstance(given, Mapping):
        named = bool(given) and all(key in seats.players for key in given)
        return dict(given) if named else dict.fromkeys(seats.players, given)
    if callable(given):
        return dict.fromkeys(seats.players, given)
    listed = list(given) if isinstance(given, Iterable) else [given]
    for one in listed:
        if not isinstance(one, ours):
            raise StrategyError(f"{brief(name)}: {repr_text(one)} is no model; {KINDS}")
    return {one.player: one for one in listed}


def _asked(given: Any) -> Callable[[str, str, Hashable, Menu], Any]:
    """What was given for one player, as a function that returns probabilities; None: uniform."""
    if isinstance(given, Strategy):
        given = as_behaviour(given)
    if not isinstance(given, Mapping) and callable(given):
        return lambda player, mover, view, menu: _called(given, player, mover, view, menu)
    if not hasattr(given, "__getitem__"):
        raise StrategyError(f"{repr_text(given)} is no model; {KINDS}")
    if type(given) is not dict:  # a strategy of ours, which knows its information sets by view
        return lambda player, mover, view, menu: _found(given, mover, view)
    return lambda player, mover, view, menu: _looked_up(given, mover, view)


def _found(strategy: Any, mover: str, view: Hashable) -> Any:
    try:
        return strategy[view]
    except VisitedError:
        return None  # no walk of a sampled solution came there
    except KeyError:
        return _looked_up(strategy, mover, view)


def _looked_up(rows: Mapping[Any, Any], mover: str, view: Hashable) -> Any:
    labels = labels_of_view(view)
    for label in (*labels, *(f"{mover}: {label}" for label in labels)):
        if label in rows:
            return rows[label]
    raise StrategyError(
        f"the model has no probabilities of {mover} at {labels[0]!r:.80}; add them, or give a"
        " function, which can say what to do anywhere"
    )


def _called(
    function: Callable[..., Any], player: str, mover: str, view: Hashable, menu: Menu
) -> Any:
    state = state_of_view(mover, view, menu)
    try:
        return function(player, state, menu)
    except Exception as error:
        said = " ".join(str(error).split())
        raise StrategyError(
            f"the model, asked for {mover} at {state!r:.80}, raised"
            f" {type(error).__name__}: {said:.200}"
        ) from error


def _place(name: str, mover: str, view: Hashable) -> str:
    return f"{brief(name)}: the model of {brief(mover)}, at {labels_of_view(view)[0]!r:.80}"
