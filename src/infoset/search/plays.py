"""Plays from a position to its end, or to a decision: many moves in one run of the rules.

A position of a game given by its rules costs a run of them from the start of the play, or of the
turn in progress. To go on from position to position for k moves is k runs. Where only the end of a
play matters, it is continued within one run instead (:class:`LiveWalk`): whatever the rules ask for
is answered by a function. A game on an engine of its own goes from position to position.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import Any

from infoset.errors import Endless, ParameterError
from infoset.rules import Game, Position
from infoset.rules.moves import Menu
from infoset.rules.position import ReplayPosition
from infoset.rules.running import MAX_MOVES
from infoset.solvers.sampling.places import ChanceMoves, Chances, LiveWalk

STOP = -1  # no move: the play stops here

Evaluate = Callable[[Position, str], Any]  # the value of a position to a player
# The number of a mover's move, or STOP; with all who move here, and their menus.
Choose = Callable[[LiveWalk, str, Mapping[str, Menu]], int]


def drawn_move(chances: Sequence[tuple[Hashable, Any]], random: Random) -> Any:
    """One of the moves, by its probability."""
    bounds = list(accumulate(chance for _, chance in chances))
    at = bisect_right(bounds, random.random() * float(bounds[-1]))
    return chances[min(at, len(chances) - 1)][0]


def drawn_outcome(chances: Chances, random: Random) -> int:
    """The number of an outcome, by its probability."""
    if chances.cumulative is None:
        return int(random.random() * len(chances.outcomes))
    at = bisect_right(chances.cumulative, random.random())
    return min(at, len(chances.outcomes) - 1)


class RandomPlays:
    """Plays of one game, which are drawn.

    Parameters
    ----------
    random
        The generator of all that is drawn.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> plays = RandomPlays(Random(1))
    >>> sum(plays.payoffs(kuhn().position()).values())
    Fraction(0, 1)
    """

    def __init__(self, random: Random) -> None:
        """Nothing is known of the game's chance moves yet."""
        self.random = random
        self.chances = ChanceMoves()

    def payoffs(self, position: Position) -> Mapping[str, Fraction]:
        """What everyone gets in a play at random from a position, by player."""
        if not isinstance(position, ReplayPosition):
            return self._step_by_step(position)
        uniform = self.random.random

        def any_move(walk: LiveWalk, mover: str, menus: Mapping[str, Menu]) -> int:
            return int(uniform() * len(menus[mover]))

        walk = self.walk(position, any_move)
        paid: Any = walk.carry_on()  # Fractions
        assert paid is not None  # it never stops
        names = position.game.seats.players
        return dict(zip(names, paid, strict=True))

    def walk(self, position: ReplayPosition, choose: Choose) -> LiveWalk:
        """A run from a position on, in which chance is drawn and others' moves are chosen."""
        random, most = self.random, MAX_MOVES - position.made

        def answer(
            walk: LiveWalk, mover: str, menus: Mapping[str, Menu], chances: Chances | None
        ) -> int:
            if len(walk.moves) > most:
                raise Endless(
                    f"{position.name}: a play has gone on for {MAX_MOVES:,} moves without an end"
                )
            return choose(walk, mover, menus) if chances is None else drawn_outcome(chances, random)

        return LiveWalk(position.game, position.begin, self.chances, answer)

    def _step_by_step(self, position: Position) -> Mapping[str, Fraction]:
        random = self.random
        while not position.over:
            if position.movers:
                moves = tuple([random.choice(position.options(mover)) for mover in position.movers])
                position = position.after(moves if len(moves) > 1 else moves[0])
            else:
                position = position.after(drawn_move(position.chances(), random))
        return position.payoffs


class Playouts:
    """An evaluation for any game: the mean payoff of so many plays at random from a position.

    It takes ends of the game and chance moves, too, so that a search need not look at a position
    before it is evaluated.

    Parameters
    ----------
    number
        How many plays.
    random
        The generator that draws the moves.

    Examples
    --------
    >>> from random import Random
    >>> from infoset.games import kuhn
    >>> Playouts(100, Random(1))(kuhn().position().after("K J").after("bet"), "gambler") > 0
    True
    """

    def __init__(self, number: int, random: Random) -> None:
        """Nothing is played yet."""
        self.number = number
        self._plays = RandomPlays(random)

    def __call__(self, position: Position, player: str) -> float:
        """The mean payoff of one player."""
        paid = [self._plays.payoffs(position)[player] for _ in range(self.number)]
        return sum(map(float, paid)) / self.number

    def payoffs(self, position: Position) -> Iterator[Mapping[str, Fraction]]:
        """What everyone gets in each of the plays, by player."""
        return (self._plays.payoffs(position) for _ in range(self.number))


class Evaluation:
    """One of a game's own evaluations of states (``@game(evaluations=...)``), of a position.

    Parameters
    ----------
    game
        The game.
    name
        Which of its evaluations.

    Raises
    ------
    ParameterError
        If the game has none of this name.

    Examples
    --------
    >>> from infoset import game
    >>> @game(players=("one", "two"), state=9, evaluations={"left": lambda left, player: left / 10})
    ... def nim(g, left):
    ...     left -= g.choose(g.players[left % 2], (1, 2))
    ...     return left if left > 0 else g.win("one")
    >>> Evaluation(nim(), "left")(nim().position().after(2), "two")
    0.7
    >>> Evaluation(nim(), "right")
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: nim() has no evaluation 'right'; known: 'left'
    """

    def __init__(self, game: Any, name: str) -> None:
        """Find it."""
        if not isinstance(game, Game):
            raise ParameterError(f"{game!r:.60} has no evaluation {name!r:.40}: it has no rules")
        self.name = name
        self._evaluate = game.evaluation(name)

    def __call__(self, position: Any, player: str) -> float:
        """What the player gets if the game is over, else what it may expect."""
        if position.over:
            return float(position.payoffs[player])
        return float(self._evaluate(position.state, player))
