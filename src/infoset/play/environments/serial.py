"""Positions at which one agent moves at a time, as the environments of others have them.

Who moves simultaneously, moves in the order of the movers, and sees nothing of the moves before.
A seat that has made its own move already knows that one in addition.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from infoset.rules import Position
from infoset.rules.moves import Menu
from infoset.rules.position import ReplayPosition
from infoset.tree.source import Source


class SerialPosition:
    """A position, and what the first of those who move simultaneously have chosen.

    Examples
    --------
    >>> from infoset.games import matching_pennies
    >>> start = SerialPosition(matching_pennies().position())
    >>> start.mover, start.after("heads").mover
    ('even', 'odd')
    >>> start.after("heads").view("odd") == start.after("tails").view("odd")
    True
    """

    __slots__ = ("chosen", "position")

    def __init__(self, position: Position, chosen: tuple[Hashable, ...] = ()) -> None:
        """At a position, where so many have chosen."""
        self.position = position
        self.chosen = chosen

    @property
    def mover(self) -> str | None:
        """Who moves; None at chance moves and at the end."""
        movers = self.position.movers
        return movers[len(self.chosen)] if movers else None

    def options(self) -> Menu:
        """The options of the mover."""
        return tuple(self.position.options(self.position.movers[len(self.chosen)]))

    def after(self, move: Hashable) -> SerialPosition:
        """The position after a move of the mover, or of chance."""
        chosen = (*self.chosen, move)
        if len(chosen) < len(self.position.movers):
            return SerialPosition(self.position, chosen)
        return SerialPosition(self.position.after(chosen if len(chosen) > 1 else move))

    def view(self, agent: str) -> Any:
        """All that an agent knows, its own move of a simultaneous one included."""
        view = self.position.view(agent)
        movers = self.position.movers[: len(self.chosen)]
        if agent not in movers:
            return view
        own = self.chosen[movers.index(agent)]
        if isinstance(self.position, ReplayPosition):
            return (*view, ("took", own))  # type: ignore[misc]
        return (view, own)


class RecordedPosition:
    """A position of an engine that knows the moves which led to it; simultaneous ones in order."""

    __slots__ = ("moves", "position")

    def __init__(self, position: Position, moves: tuple[Hashable, ...] = ()) -> None:
        """After these moves."""
        self.position = position
        self.moves = moves

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return self.position.over

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves."""
        return self.position.movers

    @property
    def payoffs(self) -> Mapping[str, Fraction]:
        """What each player gets, if the game is over."""
        return self.position.payoffs

    def options(self, player: str) -> Sequence[Hashable]:
        """The legal moves of a player who moves."""
        return self.position.options(player)

    def chances(self) -> Sequence[tuple[Hashable, Fraction]]:
        """The outcomes of a chance move, each with its probability."""
        return self.position.chances()

    def after(self, move: Any) -> RecordedPosition:
        """The position after a move."""
        made = move if len(self.position.movers) > 1 else (move,)
        return RecordedPosition(self.position.after(move), (*self.moves, *made))

    def view(self, player: str) -> Hashable:
        """All that a player knows."""
        return self.position.view(player)


class RecordedGame:
    """A game on an engine whose positions know the moves that led to them."""

    def __init__(self, game: Source) -> None:
        """The same game."""
        self.name = game.name
        self.seats = game.seats
        self._start = RecordedPosition(game.start)

    def position(self) -> RecordedPosition:
        """The beginning of a play."""
        return self._start
