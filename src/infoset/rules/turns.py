"""Rules written turn by turn: a function of the play and a state.

Plain rules are one function from the start of the game to its end, and to continue a play means to
run it again from the start. Rules of long games can be written as one *turn*: a function of the
play and the state that the turn before has returned. It returns the next state, or ends the game
by returning ``g.win(...)``, ``g.end(...)``, or nothing where all was paid by ``g.pay``.

A play of n turns is then T(… T(T(s₀)) …) for the turn T and the first state s₀. Everything that
runs rules from start to end takes :class:`TurnRules` as it takes a function, and whoever keeps the
state between two turns (:class:`TurnStart`) continues from there: a step costs one run of the turn
in progress, however long the play has been.

States are values: hashable, and never changed. So a state that a run has left behind is the one
that the next run begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any, NamedTuple

from infoset.errors import RulesError
from infoset.rules.moves import Ending, Payoffs
from infoset.rules.play import Play

Note = tuple[str, Hashable]  # what an agent learnt, was offered or took
State = Any


class Notes(NamedTuple):
    """What an agent has noted: in the last turn in which it noted anything, and before."""

    before: Notes | None
    turn: tuple[Note, ...]


class TurnStart(NamedTuple):
    """Where a turn begins: all that the rest of the play depends on, and how it came there."""

    state: State
    notes: tuple[Notes | None, ...]  # [agent]
    paid: Payoffs | None
    before: TurnStart | None  # where the turn before this one began; None at the start of the game
    history: tuple[tuple[str | None, Any], ...]  # movers and moves since then
    made: int  # moves from the start of the game

    def moves_before(self) -> list[Any]:
        """All moves from the start of the game to the beginning of this turn."""
        return [move for _, move in self.history_before()]

    def history_before(self) -> list[tuple[str | None, Any]]:
        """The same, each with its mover; None is chance."""
        parts, turn = [], self
        while turn.before is not None:
            parts.append(turn.history)
            turn = turn.before
        return [entry for part in reversed(parts) for entry in part]


class TurnRules:
    """The rules of a whole play, turn by turn: a function of the play, as plain rules are.

    Parameters
    ----------
    turn
        A turn: a function of the play and a state, which returns the next state or ends the game.
    first
        The state before the first turn.

    Raises
    ------
    RulesError
        If the first state is not hashable.

    Examples
    --------
    >>> from infoset import game
    >>> @game(players=("one", "two"), state=lambda sticks: (sticks, "one"))
    ... def nim(g, state, sticks=3):
    ...     left, player = state
    ...     left -= g.choose(player, range(1, min(2, left) + 1))
    ...     g.reveal(g.players, left)
    ...     return (left, g.other(player)) if left else g.win(player)
    >>> nim().tree()
    <Tree of nim(): 7 nodes, 4 information sets, 2 players>
    >>> nim(sticks=500).position().after(1).after(2).state
    (497, 'one')
    """

    def __init__(self, turn: Callable[[Play, State], object], first: State) -> None:
        """Check the first state."""
        self.turn = turn
        self.first = check_state(first)

    def __call__(self, g: Play) -> object:
        """A whole play from the first state."""
        state = self.first
        while True:
            state, ended = next_state(self.turn(g, state))
            if ended:
                return state

    def __repr__(self) -> str:
        return f"<rules turn by turn, from the state {self.first!r:.60}>"


def next_state(returned: Any) -> tuple[Any, bool]:
    """What a turn has returned, and whether that ends the game; a state is checked."""
    if returned is None or isinstance(returned, Ending):
        return returned, True
    return check_state(returned), False


def dropped_win() -> RulesError:
    """The error for a turn that calls g.win and goes on."""
    return RulesError(
        "g.win(...) or g.end(...) was called, but the turn returned a state; write:"
        " return g.win(...)"
    )


VALUES = frozenset((int, str, bool, float, Fraction, frozenset, bytes, NoneType))


def _check_value(state: State) -> None:
    """Refuse an object that is compared by its identity and has attributes.

    Rules may change it in place, and then the state that another play begins with has changed.
    """
    kind: Any = type(state)
    if isinstance(state, tuple):
        for part in state:
            if type(part) not in VALUES:
                _check_value(part)
    elif (
        kind.__eq__ is object.__eq__
        and getattr(state, "__dict__", None)
        and not isinstance(state, type | Enum)
    ):
        raise RulesError(
            f"{state!r:.80} in a state is compared by its identity, so that a change would not be"
            " noticed; let a state be a value, such as a tuple, a NamedTuple or a frozen dataclass"
        )


def check_state(state: State) -> State:
    """The state, if it can be one: a value, which nobody changes."""
    if type(state) not in VALUES:
        _check_value(state)
    try:
        hash(state)
    except TypeError:
        raise RulesError(
            f"a turn returned {state!r:.80}, which is not hashable; a state is a value such as a"
            " tuple; to end the game, return g.end(payoffs) or g.win(player)"
        ) from None
    return state
