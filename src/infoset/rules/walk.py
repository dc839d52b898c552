"""One play, walked along given moves: what the rules ask next, and what everyone knows by then."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from infoset.errors import RulesError
from infoset.rules.exact import exact
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
from infoset.rules.play import EVERYTHING, Play, not_together
from infoset.rules.seats import Seats
from infoset.rules.story import text

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
