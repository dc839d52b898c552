"""Information-set Monte Carlo tree search (IS-MCTS), with one observer or several.

Each iteration draws a history that agrees with what the player has observed, and walks from there
to the end of the game. At a decision the walk looks at statistics that are kept for an information
set, not for a position: of each action, how often it could have been taken, how often it was, and
what it brought. An action that was never taken is tried first; from then on the action with the
greatest upper confidence bound

    mean + c · r · √( ln(times available) / times taken )

is taken, where r is the range of the payoffs: what the game declares, and otherwise what was seen
so far. While all that was seen is the same, nothing is known of r, and the action that was taken
least often is taken. Beyond the first new action the walk is random. What the play pays goes to
everyone who decided on the way. In the end the action that was taken most often is chosen.

**Single observer** (SO-ISMCTS): information sets are those of the searching player, for the moves
of the others, too: an opponent is taken to play alike wherever the player cannot tell.
**Multiple observers** (MO-ISMCTS): everyone decides at information sets of its own.

Players who move at the same time decide each for itself (decoupled). If each takes the greatest
bound, they may go round in circles together, and learn what an action brings against one answer
alone; so a part ``AT_RANDOM`` of their choices is random.

Source: P. Cowling, E. Powley and D. Whitehouse, Information set Monte Carlo tree search, 2012.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import accumulate
from math import inf, log, sqrt
from random import Random
from typing import Any

from infoset.errors import ParameterError
from infoset.rules import Position
from infoset.rules.moves import Menu
from infoset.search.plays import RandomPlays
from infoset.tree.source import source

EXPLORATION = 0.7  # c above; as the authors have it
AT_RANDOM = 0.2  # of the choices at simultaneous moves
SINGLE, MULTIPLE = "single", "multiple"


class _Action:
    """What is known of an action at an information set."""

    __slots__ = ("available", "taken", "total")

    def __init__(self) -> None:
        self.available = 0  # how often it could have been taken,
        self.taken = 0  # how often it was,
        self.total = 0.0  # and what that brought in all


_Set = dict[Hashable, _Action]  # an information set: by action


class _Visited:
    """A position that walks pass again and again, with all that they need of it."""

    __slots__ = ("after", "bounds", "decisions", "outcomes", "paid", "position")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.after: dict[Hashable, _Visited] = {}
        self.paid: list[float] | None = None  # [agent] at the end of the game
        self.outcomes: list[Hashable] = []  # of chance, with cumulative probabilities
        self.bounds: list[float] = []
        self.decisions: list[tuple[int, _Set, Menu]] = []  # each mover: its number, set, options


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
        played = source(game)
        self.seats = played.seats
        self.player = self.seats.agents[self.seats.agent(player)]
        self.single = observers == SINGLE
        self.exploration = exploration
        self.random = random or Random(0)
        self.iterations = 0
        self._sets: dict[Hashable, _Set] = {}
        self._places: dict[int, _Visited] = {}  # by the identity of a position that was drawn
        self._plays = RandomPlays(self.random)
        self._low, self._high = inf, -inf  # payoffs that are possible, as far as is known
        if played.bounds is not None:
            self._low, self._high = map(float, played.bounds)

    def iterate(self, position: Position) -> None:
        """Walk once from a position at which the player may be, and learn from it."""
        place = self._places.get(id(position))
        if place is None:
            place = self._places[id(position)] = self._prepared(position)
        decided: list[tuple[int, _Action]] = []
        new = False
        while place.paid is None:
            if place.decisions:
                several = len(place.decisions) > 1
                moves = [self._decide(*one, decided, several) for one in place.decisions]
                new = any(not action.taken for _, action in decided[-len(moves) :])
                move = tuple(moves) if len(moves) > 1 else moves[0]
            else:
                bound = self.random.random() * place.bounds[-1]
                at = bisect_right(place.bounds, bound)
                move = place.outcomes[min(at, len(place.outcomes) - 1)]
            below = place.after.get(move)
            if below is None:
                after = place.position.after(move)
                if new:
                    self._learn(self._by_agent(self._plays.payoffs(after)), decided)
                    return
                below = place.after[move] = self._prepared(after)
            place = below
            if new and place.paid is None:
                self._learn(self._by_agent(self._plays.payoffs(place.position)), decided)
                return
        self._learn(place.paid, decided)

    def values(self, position: Position) -> dict[Hashable, float]:
        """The mean of what each of the player's actions brought; those never taken are left out."""
        found = self._at(position, self.player)
        return {move: action.total / action.taken for move, action in found.items() if action.taken}

    def visits(self, position: Position) -> dict[Hashable, int]:
        """How often each of the player's actions was taken."""
        found = self._at(position, self.player)
        return {move: action.taken for move, action in found.items()}

    def best(self, position: Position) -> Hashable:
        """The action that was taken most often; of several the one with the greatest mean."""
        found, never = self._at(position, self.player), _Action()

        def merit(move: Hashable) -> tuple[int, float]:
            action = found.get(move, never)
            return action.taken, action.total

        return max(position.options(self.player), key=merit)

    def _at(self, position: Position, mover: str) -> _Set:
        seen = position.view(self.player if self.single else mover)
        return self._sets.setdefault((mover, seen), {})

    def _prepared(self, position: Position) -> _Visited:
        """A position with what walks need of it."""
        place = _Visited(position)
        if position.over:
            place.paid = self._by_agent(position.payoffs)
        elif position.movers:
            place.decisions = [
                (self.seats.agent(mover), self._at(position, mover), tuple(position.options(mover)))
                for mover in position.movers
            ]
        else:
            outcomes, chances = zip(*position.chances(), strict=True)
            place.outcomes, place.bounds = list(outcomes), list(map(float, accumulate(chances)))
        return place

    def _by_agent(self, payoffs: Mapping[str, Fraction]) -> list[float]:
        paid = [float(payoffs[player]) for player in self.seats.players]
        return [paid[player] for player in self.seats.player_of]

    def _decide(
        self,
        agent: int,
        found: _Set,
        options: Menu,
        decided: list[tuple[int, _Action]],
        several: bool,
    ) -> Hashable:
        """An action of a mover at its information set: a new one if there is any."""
        span = self._high - self._low
        width = self.exploration * span
        fresh: list[Hashable] = []
        chosen, most = options[0], -inf
        for move in options:
            action = found.get(move)
            if action is None:
                action = found[move] = _Action()
            action.available = available = action.available + 1
            taken = action.taken
            if not taken:
                fresh.append(move)
            elif not fresh:
                if span > 0:
                    bound = action.total / taken + width * sqrt(log(available) / taken)
                else:
                    bound = -taken
                if bound > most:
                    chosen, most = move, bound
        if fresh:
            chosen = self.random.choice(fresh)
        elif several and self.random.random() < AT_RANDOM:
            chosen = self.random.choice(options)
        decided.append((agent, found[chosen]))
        return chosen

    def _learn(self, paid: list[float], decided: list[tuple[int, _Action]]) -> None:
        self.iterations += 1
        for agent, action in decided:
            action.taken += 1
            action.total += paid[agent]
            self._low, self._high = min(self._low, paid[agent]), max(self._high, paid[agent])
