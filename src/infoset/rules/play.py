"""The language: what the rules of a game may say to ``g``.

The rules are a plain Python function of a :class:`Play`. They ask it for every choice that is not
their own, tell it who learns what, and end by paying the players:

    choose, together     a player's move; a simultaneous one
    chance, deal, roll   chance moves
    reveal               who learns what
    pay, win, end        who gets what

Whoever runs the rules gives the answers: :mod:`infoset.rules.replay` runs them once for every
possible play and so builds the tree, :mod:`infoset.vectorized` once for all deals, and
:mod:`infoset.rules.position` along one play.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Final, Protocol

from infoset.errors import RulesError
from infoset.rules.moves import Payoffs, end_payoffs
from infoset.rules.seats import Seats


class _Everything:
    """The default of ``knowing``: the chooser knows all that it has been told and has done."""

    def __repr__(self) -> str:
        return "EVERYTHING"


EVERYTHING: Final = _Everything()


class Play(ABC):
    """One play of a game, as the rules see it: the first argument of every rules function.

    Examples
    --------
    >>> from infoset import game
    >>> @game(players=("one", "two"))
    ... def guess(g):
    ...     coin = g.chance(("heads", "tails"))
    ...     g.reveal("one", coin)
    ...     said = g.choose("one", ("heads", "tails"))
    ...     g.reveal("two", said)
    ...     doubts = g.choose("two", ("believes", "doubts")) == "doubts"
    ...     return g.win("two" if doubts == (said != coin) else "one")
    >>> guess().solve().value
    Fraction(0, 1)
    """

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
        """Let a player choose one of the options, and return it.

        Parameters
        ----------
        player
            Who chooses: a player, or an agent of a team.
        options
            Hashable values, all different; a set is put in the order of its text.
        knowing
            Replaces all that the player knows by one value, here and from here on: imperfect
            recall. If left out, the player knows what was revealed to it, the options it was
            offered and those it took.

        Returns
        -------
        object
            The option chosen.

        Raises
        ------
        RulesError
            If there are no options, one occurs twice, or the player is unknown.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("row", "column"))
        ... def pennies(g):
        ...     first = g.choose("row", ("heads", "tails"))
        ...     second = g.choose("column", ("heads", "tails"))  # row's choice was not revealed
        ...     return g.win("row" if first == second else "column")
        >>> pennies().tree()
        <Tree of pennies(): 7 nodes, 2 information sets, 2 players>
        """

    @abstractmethod
    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """Let several players choose simultaneously, and return all choices.

        Parameters
        ----------
        menus
            The options of each player who chooses.

        Returns
        -------
        dict
            The option that each chose. Nothing is revealed by it: tell the players afterwards what
            they may know.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("even", "odd"))
        ... def fingers(g):
        ...     shown = g.together({"even": (1, 2), "odd": (1, 2)})
        ...     return g.win("odd" if sum(shown.values()) % 2 else "even")
        >>> len(fingers().tree().infosets)
        2
        """

    @abstractmethod
    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """Draw one of the outcomes at random, and return it.

        Parameters
        ----------
        outcomes
            Hashable values; a mapping gives each its weight. Equal outcomes are one.
        weights
            One for each outcome; they need not sum to one. Equally likely, if left out.

        Returns
        -------
        object
            The outcome; a vectorized value in vectorized rules.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("guest",))
        ... def umbrella(g):
        ...     weather = g.chance({"rain": 0.3, "sun": 0.7})
        ...     took = g.choose("guest", ("umbrella", "none"))
        ...     return -2 if weather == "rain" and took == "none" else 0
        >>> [str(p) for p in umbrella().tree().root.probabilities]
        ['3/10', '7/10']
        """

    @abstractmethod
    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """Deal a hand of each size from a shuffled deck, in one chance move.

        Parameters
        ----------
        deck
            What to deal from: a :class:`~infoset.objects.cards.Deck` or any sequence.
        sizes
            Cards of each hand.
        hands
            Whether a hand of one is a hand; if not, it is the card itself.

        Returns
        -------
        hand, card, or tuple of them
            One size gives one hand, several give a tuple of them. A hand is a tuple, cards from low
            to high, other values in the deck's order.

        Raises
        ------
        RulesError
            If there are fewer cards than are dealt.
        TooLarge
            If there are millions of different deals.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("one", "two"))
        ... def highest(g):
        ...     mine, yours = g.deal(range(3), 1, 1)
        ...     return g.win("one" if mine > yours else "two")
        >>> highest().tree().root.actions[:3]
        ((0, 1), (0, 2), (1, 0))
        """

    @abstractmethod
    def roll(self, sides: Any = 6, *, dice: int = 1) -> Any:
        """Roll a die, or several at once.

        Parameters
        ----------
        sides
            The number of sides, with faces 1, 2, …; or the faces.
        dice
            How many; several show their faces in order, as a :class:`~infoset.objects.dice.Roll`.

        Returns
        -------
        int, face or Roll
            What is shown.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("gambler",))
        ... def seven(g):
        ...     return 1 if sum(g.roll(dice=2)) == 7 else 0
        >>> from infoset import solve
        >>> solve(seven()).value
        Fraction(1, 6)
        """

    @abstractmethod
    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """Tell a player, or several, a fact.

        Parameters
        ----------
        players
            A name or several; a team's name means all of its agents.
        fact
            A hashable value. Equal facts are the same fact, as 1, 1.0 and True are.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("guesser",))
        ... def guess(g, seen=True):
        ...     coin = g.chance(("heads", "tails"))
        ...     if seen:
        ...         g.reveal("guesser", coin)
        ...     return int(g.choose("guesser", ("heads", "tails")) == coin)
        >>> [len(guess(seen=seen).tree().infosets) for seen in (True, False)]
        [2, 1]
        """

    @abstractmethod
    def pay(self, player: str, amount: Any) -> None:
        """Add to what a player gets at the end.

        Parameters
        ----------
        player
            Who is paid.
        amount
            A number; a negative one is a cost. A float denotes its decimal.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("one", "two"))
        ... def tip(g):
        ...     g.pay("one", -0.1)
        ...     g.pay("two", 0.1)
        >>> tip().tree().root.payoffs["two"]
        Fraction(1, 10)
        """

    @abstractmethod
    def win(self, player: str, amount: Any = 1) -> Payoffs:
        """The payoffs if a player wins an amount from the others, in equal parts.

        Parameters
        ----------
        player
            The winner.
        amount
            What the winner gets.

        Returns
        -------
        tuple
            One payoff a player, to be returned: ``return g.win("one", 2)``.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("north", "east", "south"))
        ... def prize(g):
        ...     return g.win("east", 2)
        >>> [str(amount) for amount in prize().tree().root.payoffs.values()]
        ['-1', '2', '-1']
        """

    def end(self, payoffs: Any) -> Payoffs:
        """Payoffs that end the game; for rules turn by turn, which otherwise return a state.

        Parameters
        ----------
        payoffs
            A mapping of players to numbers, or a sequence in the order of the players; in a game
            for one, its number.

        Returns
        -------
        tuple
            One payoff a player, to be returned: ``return g.end({"one": 3, "two": 1})``.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("one", "two"), state=1)
        ... def pass_or_take(g, coins):
        ...     player = g.players[coins % 2 - 1]
        ...     if coins == 4 or g.choose(player, ("pass", "take")) == "take":
        ...         return g.end({player: coins, g.other(player): 0})
        ...     g.reveal(g.players, "pass")
        ...     return coins + 1
        >>> len(pass_or_take().tree())
        7
        """
        return self._given_out(end_payoffs(self.seats, payoffs))

    def _given_out(self, payoffs: Payoffs) -> Payoffs:
        """Payoffs as they are given to the rules; noted where it is checked that they return."""
        return payoffs

    def map(self, function: Callable[..., Any], *values: Any) -> Any:
        """The value of a function of these values.

        In vectorized rules (``@game(vectorized=True)``) a value may stand for all deals. The
        function is then called once for each combination that occurs, and the result is a
        vectorized value again: the way to write a showdown without looking at the cards.

        Parameters
        ----------
        function
            Must depend on nothing but the values.
        values
            Plain or vectorized.

        Returns
        -------
        object
            What the function returns.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("one", "two"), vectorized=True)
        ... def high_card(g, ranks=3):
        ...     mine, yours = g.deal(range(ranks), 1, 1)
        ...     g.reveal("one", mine)
        ...     if g.choose("one", ("out", "in")) == "out":
        ...         return 0, 0
        ...     return g.win(g.map(lambda a, b: "one" if a > b else "two", mine, yours))
        >>> high_card(ranks=10).tree()
        <Tree of high_card(ranks=10): 271 nodes, 10 information sets, 2 players>
        """
        return function(*values)

    def others(self, player: str) -> tuple[str, ...]:
        """Everyone else who acts, in order of seats, beginning after this one.

        Parameters
        ----------
        player
            A player or an agent.

        Returns
        -------
        tuple of str
            Their names.

        Examples
        --------
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
        """The opponent, in a game of two.

        Parameters
        ----------
        player
            A player or an agent.

        Returns
        -------
        str
            The other's name.

        Raises
        ------
        RulesError
            If there are not exactly two who act.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("one", "two"))
        ... def duel(g):
        ...     return g.win(g.other("one"))
        >>> duel().tree().root.payoffs["two"]
        Fraction(1, 1)
        """
        others = self.others(player)
        if len(others) != 1:
            raise RulesError(f"{player!r} has {len(others)} others; g.other is for games of two")
        return others[0]

    def left(self, player: str) -> str:
        """The neighbour who acts next after this one: Gala's left-hand opponent.

        Parameters
        ----------
        player
            A player or an agent.

        Returns
        -------
        str
            The neighbour's name; after the last comes the first.
        """
        return self.agents[(self.seats.agent(player) + 1) % len(self.agents)]

    def right(self, player: str) -> str:
        """The neighbour who acts just before this one: Gala's right-hand opponent.

        Parameters
        ----------
        player
            A player or an agent.

        Returns
        -------
        str
            The neighbour's name; before the first comes the last.
        """
        return self.agents[self.seats.agent(player) - 1]

    def turns(
        self, *order: str, start: str | None = None, rounds: int | None = None
    ) -> Iterator[str]:
        """Players in turn, again and again.

        Parameters
        ----------
        order
            Who takes turns; all players, if left out.
        start
            Who is first.
        rounds
            How often each comes up; for ever if left out, so that the rules end the loop.

        Yields
        ------
        str
            The next player.

        Raises
        ------
        RulesError
            If a name is none of the players', or ``start`` does not take turns.

        Examples
        --------
        >>> from infoset import game
        >>> @game(players=("one", "two"))
        ... def nim(g, sticks=3):
        ...     for player in g.turns():
        ...         sticks -= g.choose(player, range(1, min(2, sticks) + 1))
        ...         if not sticks:
        ...             return g.win(player)
        >>> len(nim().tree().root.children)
        2
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
