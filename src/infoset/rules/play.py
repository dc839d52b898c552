"""The language: what the rules of a game may say to ``g``.

The rules are a plain Python function of a :class:`Play`. They ask it for every choice that is not
their own, tell it who learns what, and end by paying the players:

    choose, together     a player's move; a simultaneous one
    chance, deal, roll   nature's moves
    reveal               who learns what
    pay, win             who gets what

Whoever runs the rules gives the answers. :mod:`infoset.rules.replay` runs them once for every
possible play and so builds the tree; :mod:`infoset.rules.position` runs them along one play.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Final, Protocol

from infoset.errors import RulesError
from infoset.rules.moves import Payoffs
from infoset.rules.seats import Seats


class _Everything:
    """The default of ``knowing``: the chooser knows all that it has been told and has done."""

    def __repr__(self) -> str:
        return "EVERYTHING"


EVERYTHING: Final = _Everything()


class Play(ABC):
    """One play of a game, as the rules see it."""

    __slots__ = ("agents", "players", "seats")

    players: tuple[str, ...]  # who is paid, in order
    agents: tuple[str, ...]  # who acts: the players, with each team's agents in its place

    def __init__(self, seats: Seats) -> None:
        """Seat the players."""
        self.seats = seats
        self.players = seats.players
        self.agents = seats.agents

    @abstractmethod
    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """Let a player take one of the options, and return it.

        The player knows what was revealed to it, the options it was offered and those it took.
        ``knowing`` replaces all of that by one value, here and from here on: it forgets the rest.
        """

    @abstractmethod
    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """Let several players choose at once, none knowing the others' choice; return all.

        Nothing is revealed by it: tell the players afterwards what they may know.
        """

    @abstractmethod
    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """Let nature draw one of the outcomes, equally likely or by weight, and return it.

        A mapping gives each outcome its weight. Weights need not sum to one.
        """

    @abstractmethod
    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """Deal a hand of each size from a shuffled deck, in one chance move.

        One size gives one hand, several give a tuple of them. A hand is a tuple, cards from low to
        high, other things in the deck's order; a hand of one is the card itself, unless
        ``hands=True``.
        """

    @abstractmethod
    def roll(self, sides: Any = 6, *, dice: int = 1) -> Any:
        """Roll a die (1 to ``sides``, or the given faces), or several at once, unordered."""

    @abstractmethod
    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """Tell a player, or several, a fact; a team's name means all of its agents.

        Facts that are equal are one fact, as 1, 1.0 and True are.
        """

    @abstractmethod
    def pay(self, player: str, amount: Any) -> None:
        """Add to what a player gets at the end; negative amounts are costs."""

    @abstractmethod
    def win(self, player: str, amount: Any = 1) -> Payoffs:
        """The payoffs when this player wins the amount from the others; ``return`` them."""

    def map(self, function: Callable[..., Any], *values: Any) -> Any:
        """The value of a function of these values.

        In vectorized rules (``@game(vectorized=True)``) a value may stand for all deals. The
        function is then called once for each combination that occurs, and the result is a
        vectorized value again: the way to write a showdown without looking at the cards. The
        function must depend on nothing but the values.
        """
        return function(*values)

    def others(self, player: str) -> tuple[str, ...]:
        """Everyone else who acts, in order of seats, beginning after this one.

        >>> from infoset import game
        >>> @game(players=("north", "east", "south"))
        ... def show(g):
        ...     return dict.fromkeys(g.players, len(g.others("east")) + (g.left("east") == "south"))
        >>> show().tree().root.payoffs["north"]
        Fraction(3, 1)
        """
        try:
            return self.seats.others[player]
        except (KeyError, TypeError):
            return self.seats.others[self.agents[self.seats.agent(player)]]

    def other(self, player: str) -> str:
        """The opponent, in a game of two."""
        others = self.others(player)
        if len(others) != 1:
            raise RulesError(f"{player!r} has {len(others)} others; g.other is for games of two")
        return others[0]

    def left(self, player: str) -> str:
        """The neighbour who acts next after this one: Gala's left-hand opponent."""
        return self.agents[(self.seats.agent(player) + 1) % len(self.agents)]

    def right(self, player: str) -> str:
        """The neighbour who acts just before this one: Gala's right-hand opponent."""
        return self.agents[self.seats.agent(player) - 1]

    def turns(
        self, *order: str, start: str | None = None, rounds: int | None = None
    ) -> Iterator[str]:
        """Players in turn: all of them in order, or those named, again and again.

        ``start`` says who is first; ``rounds`` how often each comes up, for ever if left out, so
        that the rules end the loop themselves.
        """
        seats = order or self.agents
        for name in seats:
            self.seats.agent(name)
        if start is not None:
            if start not in seats:
                raise RulesError(f"{start!r} cannot start: it is not among {', '.join(seats)}")
            at = seats.index(start)
            seats = seats[at:] + seats[:at]
        done = 0
        while rounds is None or done < rounds:
            yield from seats
            done += 1


def not_together(menus: object) -> RulesError:
    """The error for a simultaneous move that does not say who chooses from what."""
    return RulesError(f"g.together takes a mapping of players to their options, not {menus!r}")


def error_was_caught() -> RulesError:
    """The error for rules that catch what g raises and continue."""
    return RulesError(
        "the rules caught an error that g raised, and continued; do not catch errors around g's"
        " methods, or raise them again"
    )


class Playable(Protocol):
    """What is needed to run the rules of a game: a :class:`~infoset.rules.game.Game` has it."""

    @property
    def seats(self) -> Seats:
        """Who plays."""

    @property
    def rules(self) -> Callable[[Play], object]:
        """The rules, as a function of the play alone."""
