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

An iteration runs the rules at most once: it passes positions that were met before without them, and
goes on from the last of these to the end of the play within one run, which keeps the first position
that it comes to.

Source: P. Cowling, E. Powley and D. Whitehouse, Information set Monte Carlo tree search, 2012.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import inf, log, sqrt
from random import Random
from typing import Any

from infoset.errors import Endless, ParameterError
from infoset.rules import Position
from infoset.rules.moves import Menu
from infoset.rules.play import Playable
from infoset.rules.position import ReplayPosition
from infoset.rules.running import MAX_MOVES
from infoset.search.plays import RandomPlays, drawn_outcome
from infoset.solvers.sampling.places import Chances, LiveWalk, cumulated
from infoset.tree.source import source

EXPLORATION = 0.7  # c above; as the authors have it
AT_RANDOM = 0.2  # of the choices at simultaneous moves
MEMORY = 500_000  # positions that are kept
SINGLE, MULTIPLE = "single", "multiple"


class _Action:
    """What is known of an action at an information set."""

    __slots__ = ("available", "taken", "total")

    def __init__(self) -> None:
        self.available = 0  # how often it could have been taken,
        self.taken = 0  # how often it was,
        self.total = 0.0  # and what that brought in all


_Set = dict[Hashable, _Action]  # an information set: by action
_Rows = list[_Action]  # the actions of a menu, in its order


class _Visited:
    """A position that walks pass again and again, with all that they need of it."""

    __slots__ = ("after", "chances", "decisions", "paid", "position")

    def __init__(self, position: Position | None = None) -> None:
        self.position = position  # None at an end
        self.after: dict[Hashable, _Visited] = {}  # by the number of a move, or several
        self.paid: list[float] | None = None  # [agent] at the end of the game
        self.chances: Chances | None = None
        self.decisions: list[tuple[int, _Rows, Menu]] = []  # each mover: its number, actions, menu


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
        self._kept = 0  # positions that walks have met
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
            decisions = place.decisions
            move: Hashable
            if not decisions:
                assert place.chances is not None
                move = at = drawn_outcome(place.chances, self.random)
                made: Menu = (place.chances.outcomes[at],)
            elif len(decisions) == 1:
                agent, rows, menu = decisions[0]
                move = at = self._decide(agent, rows, decided)
                made, new = (menu[at],), not rows[at].taken
            else:
                move = tuple([self._decide(*one[:2], decided, True) for one in decisions])
                made = tuple([one[2][at] for one, at in zip(decisions, move, strict=True)])
                new = any(not action.taken for _, action in decided[-len(made) :])
            below = place.after.get(move)
            if below is None and not new and not isinstance(place.position, ReplayPosition):
                below = place.after[move] = self._prepared(_after(place, made))
            if below is None or (new and below.paid is None):
                self._learn(self._played(place, move, made, decided, new), decided)
                return
            place = below
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
        return self._set(mover, position.view(self.player if self.single else mover))

    def _set(self, mover: str, seen: Hashable) -> _Set:
        """An information set, by what the observer has seen."""
        return self._sets.setdefault((mover, seen), {})

    def _prepared(self, position: Position) -> _Visited:
        """A position with what walks need of it."""
        place = _Visited(position)
        if position.over:
            paid = position.payoffs
            place.paid = self._by_agent([paid[player] for player in self.seats.players])
        elif position.movers:
            for mover in position.movers:
                menu = tuple(position.options(mover))
                rows = _rows(self._at(position, mover), menu)
                place.decisions.append((self.seats.agent(mover), rows, menu))
        else:
            outcomes, chances = zip(*position.chances(), strict=True)
            place.chances = Chances(outcomes, cumulated(chances), chances)
        return place

    def _by_agent(self, paid: Sequence[Any]) -> list[float]:
        """Payoffs of the players, for each agent."""
        return [float(paid[player]) for player in self.seats.player_of]

    def _decide(
        self, agent: int, rows: _Rows, decided: list[tuple[int, _Action]], several: bool = False
    ) -> int:
        """The number of a mover's action at its information set: of a new one if there is any."""
        span = self._high - self._low
        width = self.exploration * span
        fresh: list[int] = []
        chosen, most = 0, -inf
        known, logarithm = 0, 0.0
        for at, action in enumerate(rows):
            action.available = available = action.available + 1
            taken = action.taken
            if not taken:
                fresh.append(at)
            elif not fresh:
                if available != known:
                    known, logarithm = available, log(available)
                if span > 0:
                    bound = action.total / taken + width * sqrt(logarithm / taken)
                else:
                    bound = -taken
                if bound > most:
                    chosen, most = at, bound
        if fresh:
            chosen = fresh[int(self.random.random() * len(fresh))]
        elif several and self.random.random() < AT_RANDOM:
            chosen = int(self.random.random() * len(rows))
        decided.append((agent, rows[chosen]))
        return chosen

    # ------------------------------------------------------------------ beyond what was visited

    def _played(
        self,
        place: _Visited,
        move: Hashable,
        made: Menu,
        decided: list[tuple[int, _Action]],
        new: bool,
    ) -> list[float]:
        """What everyone gets in a play that makes a move and goes on from there to the end.

        Moves are random after the first new action, and before it they are decided. What the move
        leads to is kept, so that the next walk passes there without running the rules.
        """
        below, random, coming = place.after.get(move), self.random, new
        if not isinstance(place.position, ReplayPosition):
            named = self._plays.payoffs(_after(place, made))
            return self._by_agent([named[player] for player in self.seats.players])
        start, since = place.position.begin
        game, most = place.position.game, MAX_MOVES - place.position.made

        def answer(
            walk: LiveWalk, mover: str, menus: Mapping[str, Menu], chances: Chances | None
        ) -> int:
            nonlocal below, new, coming
            if len(walk.moves) == walk.made:  # the first of those who move here
                new = coming
                if below is None and self._kept < MEMORY:
                    below = place.after[move] = self._met(walk, game, menus, chances)
                if len(walk.moves) > most:
                    raise Endless(
                        f"{game!r}: a play has gone on for {MAX_MOVES:,} moves without an end"
                    )
            if chances is not None:
                return drawn_outcome(chances, random)
            menu = menus[mover]
            if new:
                return int(random.random() * len(menu))
            rows = _rows(self._seen(walk, mover, menus), menu)
            at = self._decide(self.seats.agent(mover), rows, decided, len(menus) > 1)
            coming = coming or not rows[at].taken
            return at

        walk = LiveWalk(game, (start, (*since, *made)), self._plays.chances, answer)
        final = walk.carry_on()
        assert final is not None  # it never stops
        paid = self._by_agent(final)
        if len(walk.moves) == len(since) + len(made):  # nobody was asked: the move ends the game
            end = place.after[move] = _Visited()
            end.paid = paid
        return paid

    def _seen(self, walk: LiveWalk, mover: str, menus: Mapping[str, Menu]) -> _Set:
        """The information set of a mover, in a run of the rules."""
        observer = self.player if self.single else mover
        if observer in menus:
            return self._set(mover, walk.offered(observer, menus[observer]))
        return self._set(mover, walk.view(self.seats.agent(observer)))

    def _met(
        self, walk: LiveWalk, game: Playable, menus: Mapping[str, Menu], chances: Chances | None
    ) -> _Visited:
        """The position at which a run of the rules is."""
        self._kept += 1
        met = _Visited(ReplayPosition.within(game, walk.turn, walk.path))
        met.chances = chances
        for mover, menu in menus.items():
            rows = _rows(self._seen(walk, mover, menus), menu)
            met.decisions.append((self.seats.agent(mover), rows, menu))
        return met

    def _learn(self, paid: list[float], decided: list[tuple[int, _Action]]) -> None:
        self.iterations += 1
        for agent, action in decided:
            got = paid[agent]
            action.taken += 1
            action.total += got
            if got < self._low:
                self._low = got
            if got > self._high:
                self._high = got


def _rows(found: _Set, menu: Menu) -> _Rows:
    """What is known of the actions of a menu."""
    rows = []
    for move in menu:
        action = found.get(move)
        if action is None:
            action = found[move] = _Action()
        rows.append(action)
    return rows


def _after(place: _Visited, made: Menu) -> Position:
    assert place.position is not None
    return place.position.after(made if len(made) > 1 else made[0])
