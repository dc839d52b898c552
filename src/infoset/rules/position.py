"""One play, walked along given moves: what the rules ask next, and what everyone knows by then.

A place in a play, walked lazily: no tree is built.

:class:`Position` is what search and play ask of any game. A game on an engine of its own implements
it; a game written as rules has one for free, :class:`ReplayPosition`, which runs the rules along
the moves made so far and stops at the next question. A step costs one run up to that point.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from infoset.errors import RulesError
from infoset.objects.numbers import exact
from infoset.rules.knowledge import unhashable
from infoset.rules.moves import (
    Lottery,
    Menu,
    Payoffs,
    as_lottery,
    as_menu,
    check_menu,
    conclude,
    deal_lottery,
    roll_lottery,
    win_payoffs,
)
from infoset.rules.play import EVERYTHING, Play, Playable, not_together
from infoset.rules.running import PATIENCE, TimeLimit, errors_located
from infoset.rules.seats import Seats
from infoset.text import history_text, place_text, text

View = tuple[tuple[str, Hashable], ...]  # ("saw", fact), ("offered", menu), ("took", option), ...


class Asked(BaseException):
    """The script is at its end, and the rules ask for the next move."""

    def __init__(self, menus: dict[str, Menu], lottery: Lottery | None) -> None:
        """Who is asked and from what; or what nature draws from."""
        self.menus = menus
        self.lottery = lottery


class Walk(Play):
    """A play along given moves, which notes what every agent comes to know."""

    __slots__ = ("_asked", "_at", "_moves", "_notes", "_paid", "_wins", "_won_at", "told")

    def __init__(self, seats: Seats, moves: Sequence[Any]) -> None:
        """At the start, with the moves to make; a simultaneous move is several, in order."""
        super().__init__(seats)
        self._moves = moves
        self._at = 0
        self._paid: Payoffs | None = None
        self._wins: list[Payoffs] = []
        self._won_at = 0
        self._asked: Asked | None = None
        self._notes: list[list[tuple[str, Hashable]]] = [[] for _ in seats.agents]
        self.told: list[tuple[str | None, object]] = []

    def view(self, agent: int) -> View:
        """All that an agent knows."""
        return tuple(self._notes[agent])

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`."""
        agent, menu = self._menu(player, options)
        if knowing is not EVERYTHING:
            self._note(agent, "knows", knowing)
        if self._at == len(self._moves):
            raise self._ask({self.agents[agent]: menu}, None)
        return self._take(agent, menu)

    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """See :meth:`Play.together`."""
        if not isinstance(menus, Mapping):
            raise not_together(menus)
        asked = {player: self._menu(player, options) for player, options in menus.items()}
        if asked and self._at == len(self._moves):
            raise self._ask({self.agents[agent]: menu for agent, menu in asked.values()}, None)
        return {player: self._take(agent, menu) for player, (agent, menu) in asked.items()}

    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """See :meth:`Play.chance`."""
        return self._draw(as_lottery(outcomes, weights))

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Play.deal`."""
        return self._draw(deal_lottery(deck, sizes, hands))

    def roll(self, sides: Any = 6, *, dice: int = 1) -> Any:
        """See :meth:`Play.roll`."""
        return self._draw(roll_lottery(sides, dice))

    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """See :meth:`Play.reveal`."""
        for agent in self.seats.audience(players):
            self._note(agent, "saw", fact)

    def pay(self, player: str, amount: Any) -> None:
        """See :meth:`Play.pay`."""
        number = self.seats.player(player)
        paid = list(self._paid or (Fraction(0),) * len(self.players))
        paid[number] += exact(amount)
        self._paid = tuple(paid)

    def win(self, player: str, amount: Any = 1) -> Payoffs:
        """See :meth:`Play.win`."""
        self._wins.append(win_payoffs(self.seats, player, amount))
        self._won_at = self._at
        return self._wins[-1]

    def result(self, rules: Callable[[Play], object]) -> Payoffs:
        """Run the rules along all the moves to the end of the game."""
        try:
            returned = rules(self)
        finally:
            if self._asked is not None:  # whatever the rules did when they were interrupted
                raise self._asked
        if self._at < len(self._moves):
            raise RulesError("the game ends before these moves do")
        went_on = self._won_at != self._at
        final = conclude(self.seats, returned, self._paid, self._wins, went_on)
        return tuple(Fraction(amount) for amount in final)

    def _ask(self, menus: dict[str, Menu], lottery: Lottery | None) -> Asked:
        if self._asked is None:
            self._asked = Asked(menus, lottery)
        return self._asked

    def _menu(self, player: str, options: Iterable[Any]) -> tuple[int, Menu]:
        if self._asked is not None:
            raise self._asked
        agent, menu = self.seats.agent(player), as_menu(options)
        check_menu(menu)
        return agent, menu

    def _take(self, agent: int, menu: Menu) -> Any:
        player = self.agents[agent]
        move = self._moves[self._at]
        self._note(agent, "offered", menu)
        if move not in menu:
            raise RulesError(f"{text(move)!r} is not among {player!r}'s options, {listed(menu)}")
        option = menu[menu.index(move)]  # equal to the move, and what the rules expect
        self._note(agent, "took", option)
        self._at += 1
        self.told.append((player, option))
        return option

    def _draw(self, lottery: Lottery) -> Any:
        if self._at == len(self._moves):
            raise self._ask({}, lottery)
        move = self._moves[self._at]  # checked by whoever wrote the moves: there may be many
        self._at += 1
        self.told.append((None, move))
        return move

    def _note(self, agent: int, kind: str, what: Hashable) -> None:
        """Add to what an agent knows; if it is all that it knows, instead of the rest."""
        if self._asked is not None:  # the rules clean up after themselves: that is not the game
            return
        try:
            hash(what)
        except TypeError:
            raise unhashable("knowing=" if kind == "knows" else "the fact ", what) from None
        if kind == "knows":
            self._notes[agent] = []
        self._notes[agent].append((kind, what))


def listed(menu: Menu) -> str:
    """A menu for a message, the first few of a long one."""
    return ", ".join(map(text, menu[:8])) + (", …" if len(menu) > 8 else "")


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

    def __init__(self, game: Playable, moves: tuple[Any, ...] = ()) -> None:
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
            errors_located(self.name, lambda: place_text(walk.told), PATIENCE),
            TimeLimit(PATIENCE, lambda: 0),
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
        return place_text(self._reached[0].told)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReplayPosition) and (self.game, self.moves) == (
            other.game,
            other.moves,
        )

    def __hash__(self) -> int:
        return hash((self.game, self.moves))

    def __str__(self) -> str:
        return history_text(self._reached[0].told)

    def __repr__(self) -> str:
        return f"<Position of {self.name}: {self}>"
