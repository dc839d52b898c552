"""Information-set Monte Carlo tree search (IS-MCTS), with one observer or several.

Each iteration draws a history that agrees with what the player has observed, and walks from there
to the end of the game. At a decision the walk looks at statistics that are kept for an information
set, not for a position: of each action, how often it could have been taken, how often it was, and
what it brought. An action that was never taken is tried first; from then on the action with the
greatest upper confidence bound

    mean + c · r · √( ln(times available) / times taken )

is taken, where r is the range of the payoffs seen so far. Beyond the first new action the walk is
random. What the play pays goes to everyone who decided on the way. In the end the action that was
taken most often is chosen.

**Single observer** (SO-ISMCTS): information sets are those of the searching player, for the moves
of the others, too: an opponent is taken to play alike wherever the player cannot tell.
**Multiple observers** (MO-ISMCTS): everyone decides at information sets of its own.

Players who move at the same time decide each for itself (decoupled). Source: P. Cowling, E. Powley
and D. Whitehouse, Information set Monte Carlo tree search, 2012.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import inf, log, sqrt
from random import Random
from typing import Any

from infoset.errors import ParameterError
from infoset.rules import Position
from infoset.search.information import drawn_move, played_out
from infoset.tree.source import source

EXPLORATION = 0.7  # c above; as the authors have it
SINGLE, MULTIPLE = "single", "multiple"


class _Set:
    """The statistics of an information set."""

    __slots__ = ("available", "taken", "total")

    def __init__(self) -> None:
        self.available: dict[Hashable, int] = {}
        self.taken: dict[Hashable, int] = {}
        self.total: dict[Hashable, float] = {}


class InformationSetTreeSearch:
    """Statistics that grow with every iteration; see the module's docstring.

    Parameters
    ----------
    game
        Any game.
    player
        Who searches; of a team, the agent.
    observers
        ``"single"`` or ``"multiple"``.
    exploration
        The constant c of the confidence bound.
    random
        The generator of all that is drawn.

    Examples
    --------
    >>> from random import Random
    >>> from infoset.games import kuhn
    >>> from infoset.search import InformationSetTreeSearch
    >>> from infoset.search.consistent import Histories
    >>> king = kuhn().position().after("J K").after("bet").view("dealer")
    >>> search = InformationSetTreeSearch(kuhn(), "dealer", random=Random(1))
    >>> histories, random = Histories(kuhn(), "dealer"), Random(2)
    >>> for position in histories.sample(king, 200, random):
    ...     search.iterate(position)
    >>> search.best(position)
    'bet'
    """

    def __init__(
        self,
        game: Any,
        player: str,
        *,
        observers: str = SINGLE,
        exploration: float = EXPLORATION,
        random: Random | None = None,
    ) -> None:
        """Without statistics."""
        if observers not in (SINGLE, MULTIPLE):
            raise ParameterError(f"observers={observers!r:.40}: 'single' or 'multiple'")
        if not 0 <= exploration < inf:
            raise ParameterError(f"exploration= must be 0 or more, not {exploration!r}")
        self.seats = source(game).seats
        self.player = self.seats.agents[self.seats.agent(player)]
        self.single = observers == SINGLE
        self.exploration = exploration
        self.random = random or Random(0)
        self.iterations = 0
        self._sets: dict[Hashable, _Set] = {}
        self._low, self._high = inf, -inf  # payoffs seen

    def iterate(self, position: Position) -> None:
        """Walk once from a position at which the player may be, and learn from it."""
        decided: list[tuple[str, _Set, Hashable]] = []
        while not position.over:
            if not position.movers:
                position = position.after(drawn_move(position.chances(), self.random))
                continue
            moves, new = [], False
            for mover in position.movers:
                move, first = self._decide(position, mover, decided)
                moves.append(move)
                new |= first
            position = position.after(tuple(moves) if len(moves) > 1 else moves[0])
            if new:
                break
        self._learn(played_out(position, self.random), decided)

    def values(self, position: Position) -> dict[Hashable, float]:
        """The mean of what each of the player's actions brought; those never taken are left out."""
        found = self._at(position, self.player)
        return {move: found.total[move] / count for move, count in found.taken.items()}

    def best(self, position: Position) -> Hashable:
        """The action that was taken most often; of several the one with the greatest mean."""
        found = self._at(position, self.player)
        return max(
            position.options(self.player),
            key=lambda move: (found.taken.get(move, 0), found.total.get(move, 0.0)),
        )

    def _at(self, position: Position, mover: str) -> _Set:
        seen = position.view(self.player if self.single else mover)
        return self._sets.setdefault((mover, seen), _Set())

    def _decide(
        self, position: Position, mover: str, decided: list[tuple[str, _Set, Hashable]]
    ) -> tuple[Hashable, bool]:
        """An action, and whether it was never taken before at its information set."""
        found, options = self._at(position, mover), position.options(mover)
        available, taken, total = found.available, found.taken, found.total
        for move in options:
            available[move] = available.get(move, 0) + 1
        fresh = [move for move in options if move not in taken]
        if fresh:
            chosen = self.random.choice(fresh)
        else:
            width = self.exploration * max(self._high - self._low, 0.0)
            chosen = max(
                options,
                key=lambda move: (
                    total[move] / taken[move] + width * sqrt(log(available[move]) / taken[move])
                ),
            )
        decided.append((mover, found, chosen))
        return chosen, bool(fresh)

    def _learn(
        self, payoffs: Mapping[str, Fraction], decided: list[tuple[str, _Set, Hashable]]
    ) -> None:
        self.iterations += 1
        for mover, found, move in decided:
            paid = float(payoffs[self.seats.players[self.seats.player_of[self.seats.agent(mover)]]])
            found.taken[move] = found.taken.get(move, 0) + 1
            found.total[move] = found.total.get(move, 0.0) + paid
            self._low, self._high = min(self._low, paid), max(self._high, paid)
