"""Rules over integers: a second statement of a game's rules, which can be compiled.

Rules in plain Python can state any game. A game of two players with perfect information except for
simultaneous moves can be stated again over a small state of integers, as four or five short
functions; a search then runs compiled from end to end. Each function must stand alone: integers,
``if``, ``for``, ``while``, no objects, no calls but ``abs``, ``min``, ``max``, ``range``.

    turn(state)                          OVER, PLAYERS or CHANCE
    options(state, who, menu)            writes the options of player 0, of player 1 or of chance
                                         (2) into ``menu``; returns how many there are
    after(state, first, second, then)    writes the next state into ``then``; after chance moves,
                                         ``first`` is the outcome
    payoff(state)                        what the first player gets at the end, in units
    weight(state, outcome)               the weight of an outcome of chance
    bounds(state, pair)                  writes the least and the most payoff that may follow

A state follows another by a move that a player could really choose: players with only one option
are not asked, and where no player is asked there is no state. Options are integers, those that the
rules offer, in the same order. Where one player moves alone, the other has one option; which one
does not matter.

A turn of rules turn by turn (:mod:`infoset.rules.turns`) is a function of a state, too, and cannot
take the place of these: it asks for moves in its middle, by ``g.choose``, and moves and states are
any Python values. That is what lets it hide information, and what no compiler takes. So a game that
is searched compiled is stated twice.

``beginning`` gives, for the parameters of the game, the first state and bounds on the size of the
game; or None, where the game cannot be stated like this. :func:`check_stages` compares both
statements on random plays.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from infoset.errors import RulesError
from infoset.rules.moves import CHANCE, Menu
from infoset.rules.position import Position
from infoset.text import brief, text

OVER, PLAYERS = 0, 1  # whose turn it is, beside CHANCE
State = Any  # integers by index: a list in plain Python, an array when compiled


class Beginning(NamedTuple):
    """Where a game starts, and how large it may become."""

    state: tuple[int, ...]
    widest: int  # the most options of any player, chance included
    longest: int  # the most moves from one state to the next that a play can take
    low: int  # the least that the first player may get, in units
    high: int  # and the most
    unit: Fraction = Fraction(1)  # what payoffs are counted in


@dataclass(frozen=True)
class Stages:
    """The rules of a family of games over integers."""

    beginning: Callable[..., Beginning | None]  # by some or all of the family's parameters
    turn: Callable[[State], int]
    options: Callable[[State, int, State], int]
    after: Callable[[State, int, int, State], None]
    payoff: Callable[[State], int]
    weight: Callable[[State, int], int] | None = (
        None  # if outcomes of chance are not equally likely
    )
    bounds: Callable[[State, State], None] | None = None  # if they are narrower than low and high


class StagePosition:
    """A state as a :class:`~infoset.rules.position.Position`; equal where the state is the same.

    Examples
    --------
    >>> from infoset.games import goofspiel
    >>> start = goofspiel(cards=3).stages
    >>> start.movers, start.options("player 1")
    (('player 1', 'player 2'), (1, 2, 3))
    >>> start.after((1, 2)) == start.after((2, 1))
    False
    >>> start.after((1, 2)).after((2, 3)) == start.after((2, 3)).after((1, 2))
    True
    """

    __slots__ = ("_hash", "beginning", "name", "players", "stages", "state")

    def __init__(
        self,
        stages: Stages,
        beginning: Beginning,
        players: tuple[str, ...],
        name: str,
        state: tuple[int, ...] | None = None,
    ) -> None:
        """At a state, or at the beginning if it is left out."""
        self.stages = stages
        self.beginning = beginning
        self.players = players
        self.name = name
        self.state = beginning.state if state is None else state
        self._hash = hash(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return self.stages.turn(self.state) == OVER

    @property
    def movers(self) -> tuple[str, ...]:
        """Who has a choice here."""
        if self.stages.turn(self.state) != PLAYERS:
            return ()
        menus = (self._menu(0), self._menu(1))
        return tuple(
            player for player, menu in zip(self.players, menus, strict=True) if len(menu) > 1
        )

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """What each player gets, if the game is over."""
        if not self.over:
            raise RulesError(f"{self.name}: no payoffs yet, the game is not over at {self.state}")
        paid = self.beginning.unit * self.stages.payoff(self.state)
        return dict(zip(self.players, (paid, -paid), strict=True))

    @property
    def bounds(self) -> tuple[Fraction, Fraction]:
        """The least and the most that the first player may still get."""
        least, most = self.beginning.low, self.beginning.high
        if self.stages.bounds is not None:
            pair = [least, most]
            self.stages.bounds(self.state, pair)
            least, most = max(pair[0], least), min(pair[1], most)
        return self.beginning.unit * least, self.beginning.unit * most

    def options(self, player: str) -> Menu:
        """The legal moves of a player who moves.

        Parameters
        ----------
        player
            By name.

        Returns
        -------
        tuple of int
            The options, in the order of the rules.
        """
        return self._menu(self.players.index(player))

    def chances(self) -> tuple[tuple[int, Fraction], ...]:
        """The outcomes of a chance move, each with its probability."""
        if self.stages.turn(self.state) != CHANCE:
            return ()
        outcomes, weigh = self._menu(2), self.stages.weight
        weights = [1 if weigh is None else weigh(self.state, outcome) for outcome in outcomes]
        whole = sum(weights)
        return tuple(
            (outcome, Fraction(weight, whole))
            for outcome, weight in zip(outcomes, weights, strict=True)
        )

    def after(self, move: Any) -> StagePosition:
        """The position after a move; a simultaneous move is a pair.

        Parameters
        ----------
        move
            An option or an outcome of chance; a pair of options at a simultaneous move.

        Returns
        -------
        StagePosition
            Where the move leads.
        """
        movers = self.movers
        moves = move if len(movers) > 1 else (move,)
        pair = [moves[0], 0]
        if movers:
            pair = [self._menu(0)[0], self._menu(1)[0]]
            for mover, one in zip(movers, moves, strict=True):
                pair[self.players.index(mover)] = one
        then = [0] * len(self.state)
        try:
            self.stages.after(self.state, pair[0], pair[1], then)
        except (IndexError, TypeError) as error:  # the state is a tuple, and cannot be written to
            raise RulesError(
                f"{self.name}: after of its stages, at state {self.state}: {error}"
            ) from None
        return StagePosition(
            self.stages, self.beginning, self.players, self.name, tuple(map(int, then))
        )

    def view(self, player: str) -> tuple[int, ...]:
        """All that a player knows: the state.

        Parameters
        ----------
        player
            By name; both know the same.

        Returns
        -------
        tuple of int
            The state.
        """
        del player
        return self.state

    def _menu(self, who: int) -> tuple[int, ...]:
        menu = [0] * self.beginning.widest
        try:
            return tuple(menu[: self.stages.options(self.state, who, menu)])
        except IndexError:
            raise RulesError(
                f"{self.name}: options of its stages read beyond the state {self.state} or write"
                f" more than widest={self.beginning.widest}"
            ) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StagePosition) and self.state == other.state

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<Position of {self.name}: state {self.state}>"


def stage_position(
    stages: Stages | None, params: Mapping[str, Any], players: tuple[str, ...], name: str
) -> StagePosition | None:
    """The start of a member of a family; None if it cannot be stated over integers."""
    if stages is None or len(players) != 2:
        return None
    wanted = inspect.signature(stages.beginning).parameters
    unknown = [each for each in wanted if each not in params]
    if unknown:
        raise RulesError(
            f"{name}: beginning of its stages asks for {unknown[0]!r}, which is not a parameter"
        )
    beginning = stages.beginning(**{each: params[each] for each in wanted})
    if beginning is None:
        return None
    if not isinstance(beginning, Beginning):
        raise RulesError(
            f"{name}: beginning of its stages gives {beginning!r:.60}, not a Beginning"
        )
    whole = (*beginning.state, *beginning[1:5])
    if not all(isinstance(each, int) and abs(each) < 2**62 for each in whole):
        raise RulesError(f"{name}: Beginning takes integers below 2^62, not {beginning!r:.120}")
    if beginning.widest < 1 or beginning.longest < 1 or beginning.low > beginning.high:
        raise RulesError(f"{name}: a Beginning needs widest and longest from 1 on, low below high")
    return StagePosition(stages, beginning, players, name)


def check_stages(rules: Position, stages: StagePosition, plays: int = 8, seed: int = 0) -> None:
    """Compare rules with their stages on random plays.

    Parameters
    ----------
    rules
        The start of the game by its rules.
    stages
        The start of the game by its stages.
    plays
        How many plays.
    seed
        Of the random moves.

    Raises
    ------
    RulesError
        At the first difference: movers, options, probabilities, payoffs, or bounds that do not
        hold.

    Examples
    --------
    >>> from infoset.games import goofspiel
    >>> game = goofspiel(cards=3)
    >>> check_stages(game.position(), game.stages)
    """
    chance = random.Random(seed)
    for _ in range(plays):
        one, two, told = rules, stages, list[str]()
        spans = [two.bounds]  # at every state on the way
        while _alike(one, two, told):
            outcomes = [outcome for outcome, _ in one.chances()]
            menus = [one.options(mover) for mover in one.movers] or [outcomes]
            moves = tuple(chance.choice(list(menu)) for menu in menus)
            move = moves if len(moves) > 1 else moves[0]
            told.append(text(move))
            one, two = one.after(move), two.after(move)
            spans.append(two.bounds)
        first = stages.players[0]
        paid = one.payoffs[first]
        for at, (low, high) in enumerate(spans):
            if not low <= paid <= high:
                _differ(
                    stages, told[:at], f"bounds of {low} to {high}, and then {first} gets {paid}"
                )


def _alike(one: Position, two: StagePosition, told: list[str]) -> bool:
    """Whether the play continues; an error if the two differ here."""
    differ = ""
    if one.over != two.over:
        differ = "the game is over in only one of them"
    elif one.over:
        first = two.players[0]
        if one.payoffs[first] != two.payoffs[first]:
            differ = f"{first} gets {one.payoffs[first]} or {two.payoffs[first]}"
    elif one.movers != two.movers:
        differ = f"the movers are {one.movers} or {two.movers}"
    elif one.movers:
        for mover in one.movers:
            if tuple(one.options(mover)) != tuple(two.options(mover)):
                differ = f"{mover}'s options are {one.options(mover)} or {two.options(mover)}"
    elif tuple(one.chances()) != tuple(two.chances()):
        differ = "the outcomes of chance differ"
    if differ:
        _differ(two, told, differ)
    return not one.over


def _differ(stages: StagePosition, told: list[str], how: str) -> None:
    after = "; ".join(told) or "nothing"
    raise RulesError(
        f"{stages.name}: its rules and its stages differ after {brief(after)}: {brief(how)}"
    )
