"""Players: what sits at a table and makes moves.

A player is a small protocol. When a game begins, it learns which game it is, which seat is its own,
and its clock. It is told every fact that is revealed to its seat, in order; it is asked to choose
from options, and learns which option was taken. That is all it ever gets: what it holds is its own
knowledge, and no position of the game.

Where a game has an engine of its own, whose positions give a player's knowledge as one value, that
value is told whenever it has changed and the player is about to choose.

:class:`Seated` records all of this as a *view*, as positions have it, and leaves one method to
write: what to do with a view and options. Whatever maps an information set to probabilities is a
player, too: :class:`StrategyPlayer`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, NamedTuple, Protocol, runtime_checkable

from infoset.errors import InfosetError, StrategyError
from infoset.rules import Game
from infoset.rules.position import View
from infoset.solvers.solution import Solution
from infoset.strategy.convert import as_strategy
from infoset.strategy.infosets import InformationState, information_sets, state_of_view
from infoset.text import text
from infoset.tree import MatrixGame, Tree
from infoset.tree.knowledge import known, labels_of_view

Choice = Hashable | Mapping[Any, Any]  # an option, or a probability for each of some


SETTING_UP = 60.0  # seconds that a player with a clock may take when a game begins


class Fault(Exception):
    """What a player did wrong, in words: it loses the game."""


class Forgot(NamedTuple):
    """Told to a seat that has forgotten all but one thing: imperfect recall."""

    knows: Hashable


@dataclass
class Clock:
    """How long a player may think about a move, and random numbers of its own.

    Attributes
    ----------
    seconds : float
        For each move; infinite if time does not matter.
    random : Random
        Seeded for this game and this seat, so that a game can be repeated.
    """

    seconds: float = inf
    random: Random = field(default_factory=lambda: Random(0))
    started: float = field(default_factory=perf_counter)

    def start(self) -> None:
        """A move begins: called by the referee."""
        self.started = perf_counter()

    @property
    def left(self) -> float:
        """Seconds that are left for this move."""
        return self.seconds - (perf_counter() - self.started)


@runtime_checkable
class Player(Protocol):
    """Whoever plays.

    A player may also have ``took(option)``, to learn which option was taken where it gave
    probabilities, ``finish()``, called when the game is over and everything was told, and
    ``passed(options)``, called instead of ``choose`` where a game is played again, after a person
    has taken a move back, and its option is known; without it ``choose`` is called, in vain.

    Examples
    --------
    >>> class Always:
    ...     '''Take the first option.'''
    ...     def begin(self, game, seat, clock):
    ...         pass
    ...     def told(self, fact):
    ...         pass
    ...     def choose(self, options):
    ...         return options[0]
    >>> from infoset.games import kuhn
    >>> from infoset.play import RandomPlayer, play_game
    >>> played = play_game(kuhn(), {"gambler": Always(), "dealer": RandomPlayer()}, seed=1)
    >>> [move for seat, move in played.moves if seat == "gambler"]
    ['pass']
    """

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """A game begins, and the player has this seat."""

    def told(self, fact: Hashable) -> None:
        """A fact is revealed to the seat."""

    def choose(self, options: Sequence[Hashable]) -> Choice:
        """The option to take, or probabilities of options, of which the referee draws one."""


class Seated:
    """A player that knows its view: all that it was told, offered and took, in order.

    A subclass has :meth:`decide`. Where the game has an engine of its own, the view is the value
    that its positions give.
    """

    game: Any
    seat: str
    clock: Clock

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        self.game, self.seat, self.clock = game, seat, clock
        self.notes: list[tuple[str, Hashable]] = []
        self.last: Hashable = None  # what was told last

    def told(self, fact: Hashable) -> None:
        """See :meth:`Player.told`."""
        self.last = fact
        if isinstance(fact, Forgot):
            self.notes = [("knows", fact.knows)]
        else:
            self.notes.append(("saw", fact))

    def choose(self, options: Sequence[Hashable]) -> Choice:
        """See :meth:`Player.choose`."""
        return self.decide(self._offered(options), tuple(options))

    def passed(self, options: Sequence[Hashable]) -> None:
        """Instead of :meth:`choose`, where the option is known already: a game is played again.

        ``took`` follows.
        """
        self.skip(self._offered(options), tuple(options))

    def _offered(self, options: Sequence[Hashable]) -> Any:
        """Note the options; the view with them."""
        self.notes.append(("offered", tuple(options)))
        return tuple(self.notes) if isinstance(self.game, Game) else self.last

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """Keep what :meth:`decide` would keep of a decision, where the option is known already.

        By default this decides, in vain. A player that takes long to decide says here what it needs
        for later decisions.
        """
        self.decide(view, options)

    def took(self, option: Hashable) -> None:
        """The option that was taken: as chosen, or drawn from the probabilities."""
        self.notes.append(("took", option))

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """What to do: an option, or probabilities."""
        raise NotImplementedError


class RandomPlayer(Seated):
    """Chooses uniformly at random."""

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """Any option."""
        return self.clock.random.choice(options)


class StrategyPlayer(Seated):
    """Plays by a strategy: whatever maps an information set to probabilities.

    Parameters
    ----------
    strategy
        A Solution, a Behaviour, a mapping from labels to probabilities, the path of a CSV file, or
        a function of (player, information state, legal actions).

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> from infoset.play import StrategyPlayer, play_game
    >>> best = StrategyPlayer(solve(kuhn()))
    >>> never = StrategyPlayer(lambda player, state, actions: {"pass": 1})
    >>> play_game(kuhn(), {"gambler": best, "dealer": never}, seed=3).payoffs
    {'gambler': Fraction(-1, 1), 'dealer': Fraction(1, 1)}
    """

    def __init__(self, strategy: Any) -> None:
        """Read when a game begins, once for each game and seat."""
        self.strategy = strategy
        self._read: dict[tuple[int, str], Callable[[Any, tuple[Hashable, ...]], Choice]] = {}

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        super().begin(game, seat, clock)
        if (id(game), seat) not in self._read:
            self._read[id(game), seat] = _reader(game, seat, self.strategy)

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The probabilities at this information set."""
        return self._read[id(self.game), self.seat](view, options)


class PlayerStrategy:
    """A player as a strategy: what it does at any information set of a game given by its rules.

    So a search player can be the model of an opponent, and its exploitability can be computed. At
    each information set that is asked for, a new player is told all that is known there and asked
    once; the answer is kept. What a player learns from one game to the next is not seen by this.

    Parameters
    ----------
    game
        The game.
    make
        Makes the player: a class, or a function without arguments.
    seed
        Decides the generators of the players, one for each information set.

    Examples
    --------
    >>> from infoset import exploitability
    >>> from infoset.games import kuhn
    >>> from infoset.play import InformationSetPlayer, PlayerStrategy
    >>> plays = PlayerStrategy(kuhn(), lambda: InformationSetPlayer(samples=200))
    >>> exploitability(kuhn(), plays)
    Fraction(5, 6)
    """

    def __init__(self, game: Game, make: Callable[[], Player], seed: object = 0) -> None:
        """Nothing is asked yet."""
        self.game = game
        self.make = make
        self.seed = seed
        self._known: dict[tuple[str, View], Mapping[Any, Any]] = {}

    def __call__(
        self, player: str, state: InformationState, actions: Sequence[Hashable]
    ) -> Mapping[Any, Any]:
        """The probabilities of the actions, or of some of them."""
        key = state.agent or player, state.notes
        if key not in self._known:
            self._known[key] = self._asked(*key, tuple(actions))
        return self._known[key]

    def _asked(self, agent: str, notes: View, actions: tuple[Hashable, ...]) -> Mapping[Any, Any]:
        one = self.make()
        one.begin(self.game, agent, Clock(random=Random(f"{self.seed} {agent} {notes}")))
        for kind, what in notes[:-1]:
            if kind == "saw":
                one.told(what)
            elif kind == "knows":
                one.told(Forgot(what))
            elif isinstance(one, Seated):
                one.notes.append((kind, what))
            elif kind == "offered":  # asked again, as it was then
                one.choose(what)  # type: ignore[arg-type]
            else:
                getattr(one, "took", lambda option: None)(what)
        chosen = one.choose(actions)
        return chosen if isinstance(chosen, Mapping) else {chosen: 1}


def _reader(game: Any, seat: str, strategy: Any) -> Callable[[Any, tuple[Hashable, ...]], Choice]:
    """A strategy as a function of a view and options."""
    if callable(strategy) and not isinstance(strategy, Mapping | Solution):
        if isinstance(game, Tree | MatrixGame):  # whose views are numbers of information sets
            sets = information_sets(game if isinstance(game, Tree) else game.tree())
            return lambda view, options: strategy(seat, sets.state(view[1]), options)
        return lambda view, options: strategy(seat, state_of_view(seat, view, options), options)
    player = _paid(game, seat)
    rows: Any
    if isinstance(strategy, Solution):
        rows = strategy.strategy[player]
    else:
        given = Path(strategy) if isinstance(strategy, str) else strategy
        rows = as_strategy(game, player, given)

    with suppress(KeyError, InfosetError):  # makes the list of information sets, before any clock
        _ = rows[(("offered", ()),)]

    def row(view: Any, options: tuple[Hashable, ...]) -> Choice:
        try:
            found = rows[view]
        except (KeyError, InfosetError) as error:
            found = _of_agent(rows, seat, view) if player != seat else None
            if found is None:
                raise StrategyError(f"no strategy at {_label(game, view)}: {error}") from None
        return dict(found)

    return row


def _of_agent(rows: Any, agent: str, view: Any) -> Any:
    """What an agent of a team does, also where another one knows the same; None if it says not."""
    for label in labels_of_view(view):
        with suppress(KeyError, InfosetError):
            return rows[f"{agent}: {label}"]
    return None


def _paid(game: Any, seat: str) -> str:
    """The player for whom a seat acts."""
    if not isinstance(game, Game):
        return seat
    seats = game.seats
    return seats.players[seats.player_of[seats.agent(seat)]]


def _label(game: Any, view: View | Hashable) -> str:
    """A view as the label of its information set."""
    return known(view) if isinstance(game, Game) else text(view)  # type: ignore[arg-type]
