"""A place in a play, walked lazily: no tree is built.

:class:`Position` is what search and play ask of any game. A game on an engine of its own implements
it; a game written as rules has one for free, :class:`ReplayPosition`, which runs the rules along
the moves made so far and stops at the next question. A step costs one run up to that point.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from infoset.errors import RulesError
from infoset.rules.blame import blamed
from infoset.rules.columns import PATIENCE
from infoset.rules.moves import Lottery, Menu, Payoffs
from infoset.rules.patience import Patience
from infoset.rules.play import Play
from infoset.rules.seats import Seats
from infoset.rules.story import tell, text, told
from infoset.rules.walk import Asked, View, Walk, listed


class Position(Protocol):
    """A state of a game, as a search sees it."""

    @property
    def over(self) -> bool:
        """Has the game ended here?"""

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves: nobody at chance moves and at the end, several when they move at once."""

    @property
    def payoffs(self) -> Mapping[str, Fraction]:
        """What each player gets, when the game is over."""

    def options(self, player: str) -> Sequence[Hashable]:
        """What a mover may choose from."""

    def chances(self) -> Sequence[tuple[Hashable, Fraction]]:
        """What nature may do, each with its probability."""

    def after(self, move: Hashable) -> Position:
        """The position after a move; after several at once, given as a tuple in movers' order."""

    def view(self, player: str) -> Hashable:
        """All that this player knows."""


class Walkable(Protocol):
    """What a position needs of a game."""

    @property
    def seats(self) -> Seats:
        """Who plays."""

    @property
    def rules(self) -> Callable[[Play], object]:
        """What may happen."""


class ReplayPosition:
    """A position in a game given by its rules; equal when reached by the same moves.

    >>> from infoset.games import kuhn
    >>> start = kuhn().position()
    >>> start.movers, len(start.chances())
    ((), 6)
    >>> dealt = start.after(start.chances()[0][0])
    >>> dealt.movers, dealt.options("gambler")
    (('gambler',), ('pass', 'bet'))
    """

    def __init__(self, game: Walkable, moves: tuple[Any, ...] = ()) -> None:
        """The position after some moves; a simultaneous move is several, in movers' order."""
        self.game = game
        self.moves = moves

    @property
    def name(self) -> str:
        """The game's."""
        return repr(self.game)

    @cached_property
    def _reached(self) -> tuple[Walk, dict[str, Menu], Lottery | None, Payoffs | None]:
        walk = Walk(self.game.seats, self.moves)
        with (
            blamed(self.name, lambda: told(walk.told), PATIENCE),
            Patience(PATIENCE, lambda: 0),
        ):
            try:
                return walk, {}, None, walk.result(self.game.rules)
            except Asked as asked:
                return walk, asked.menus, asked.lottery, None

    @property
    def over(self) -> bool:
        """Has the game ended here?"""
        return self._reached[3] is not None

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves here: nobody at chance moves and at the end."""
        return tuple(self._reached[1])

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """What each player gets, when the game is over."""
        final = self._reached[3]
        if final is None:
            raise RulesError(f"{self.name}: no payoffs yet, the game is not over {self._when}")
        return {
            name: Fraction(pay) for name, pay in zip(self.game.seats.players, final, strict=True)
        }

    def options(self, player: str | None = None) -> Menu:
        """What a mover may choose from; who it is may be left out where only one moves."""
        menus = self._reached[1]
        if player is None and len(menus) == 1:
            return next(iter(menus.values()))
        player = self._agent(player)
        if player not in menus:
            movers = ", ".join(menus) or "nobody"
            raise RulesError(f"{self.name}: {player!r} does not move here, {movers} does")
        return menus[player]

    def chances(self) -> tuple[tuple[Hashable, Fraction], ...]:
        """What nature may do here, each with its probability; nothing where a player moves."""
        lottery = self._reached[2]
        if lottery is None:
            return ()
        return tuple(zip(lottery.outcomes, lottery.probabilities, strict=True))

    def after(self, move: Any) -> ReplayPosition:
        """The position after a move, itself or as it reads; after several at once, a tuple."""
        _, menus, lottery, final = self._reached
        if final is not None:
            raise RulesError(f"{self.name}: the game is over {self._when}")
        moves = (move,)
        menu_of: list[Menu] = [lottery.outcomes] if lottery else list(menus.values())
        if len(menu_of) > 1:
            if not isinstance(move, tuple) or len(move) != len(menu_of):
                raise RulesError(f"{self.name}: give a tuple of moves, for {', '.join(menus)}")
            moves = move
        made = tuple(self._found(one, menu) for one, menu in zip(moves, menu_of, strict=True))
        return ReplayPosition(self.game, self.moves + made)

    def _found(self, move: Any, menu: Menu) -> Hashable:
        """A move in a menu, given as it is or as it reads."""
        if move in menu:
            return menu[menu.index(move)]
        for known in menu:
            if text(known) == move:
                return known
        raise RulesError(f"{self.name}: {move!r} is not among {listed(menu)} {self._when}")

    def view(self, player: str) -> View:
        """All that this player knows: facts seen, menus offered, options taken, in order."""
        walk, menus, _, _ = self._reached
        seen = walk.view(self.game.seats.agent(player))
        player = self._agent(player)
        return (*seen, ("offered", menus[player])) if player in menus else seen

    def _agent(self, player: str | None) -> str:
        """The agent's own name, where a player of one agent is called by the team's."""
        seats = self.game.seats
        return seats.agents[seats.agent(player)] if player in seats.agent_number else str(player)

    @property
    def _when(self) -> str:
        return told(self._reached[0].told)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReplayPosition) and (self.game, self.moves) == (
            other.game,
            other.moves,
        )

    def __hash__(self) -> int:
        return hash((self.game, self.moves))

    def __str__(self) -> str:
        return tell(self._reached[0].told)

    def __repr__(self) -> str:
        return f"<Position of {self.name}: {self}>"
