"""Players that search: they sample where they may be, and look ahead from there.

Before each move a player draws positions that agree with all it has observed, and searches from
them. With a clock it goes on with new samples until its time is used; without one it does as much
as it was set to.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter
from typing import Any

from infoset.errors import NoHistory, NotApplicable, ParameterError, TooLarge
from infoset.play.player import Choice, Clock, Seated
from infoset.rules import Game, Position
from infoset.search.consistent import Histories
from infoset.search.information import InformationSetSearch, playouts
from infoset.search.ismcts import InformationSetTreeSearch
from infoset.search.matrix import solve_matrix_game
from infoset.search.perfect import PerfectSearch
from infoset.search.score_bounded import ScoreBoundedResult, ScoreBoundedSearch
from infoset.tree.source import source

BATCH = 50  # positions that a tree search draws at a time
SPARE = 0.8  # of its time that a player uses: the last search may take longer than those before


class SamplingPlayer(Seated):
    """Samples positions that agree with what it has observed; a subclass chooses by them.

    Parameters
    ----------
    samples
        Positions that are drawn at a time.
    model
        How the others have moved, for the probabilities of the positions.
    """

    def __init__(self, samples: int, model: Any = "uniform") -> None:
        """Nothing is drawn before a game begins."""
        self.samples = at_least_one("samples", samples)
        self.believed = model
        self.drawn = 0  # positions, in all games
        self._histories: Histories | None = None

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        again = self._histories is not None and self.game is game and self.seat == seat
        super().begin(game, seat, clock)
        if not again:
            self._histories = Histories(game, seat, self.believed)
        self._views: list[Any] = []

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The only option; else what the search finds, or any if no history was found."""
        self._views.append(view)
        if len(options) == 1:
            return options[0]
        try:
            with young_collections():
                return self.search(view, options)
        except NoHistory:  # of a long game: any move is as good
            return self.clock.random.choice(options)

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The option to take, or probabilities."""
        raise NotImplementedError

    def sample(self, view: Any) -> list[Position]:
        """Positions at which the player may be."""
        assert self._histories is not None
        self.drawn += self.samples
        # A view of rules has all views before it; those of an engine are listed.
        seen: Any = view if isinstance(self.game, Game) else self._views
        return self._histories.sample(seen, self.samples, self.clock.random)


@contextmanager
def young_collections() -> Iterator[None]:
    """Leave full collections of garbage for later: each may take longer than a short move.

    With compiled kernels loaded it is some 60 ms, whatever there is to collect. What a search
    discards is young, and is collected all the same.
    """
    before = gc.get_threshold()
    gc.set_threshold(before[0], before[1], 1_000_000_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def at_least_one(what: str, number: int) -> int:
    """A setting that is a count."""
    if number < 1:
        raise ParameterError(f"{what}= must be at least 1, not {number}")
    return number


class InformationSetPlayer(SamplingPlayer):
    """Searches its information set, against a model of the others.

    Parameters
    ----------
    model
        ``"overconfident"`` or ``"paranoid"``; or strategies of the others.
    depth
        Moves of anyone that it looks ahead; positions there are evaluated by plays at random.
    samples
        Positions that it draws for a search.
    plays
        Plays at random for an evaluation.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import InformationSetPlayer, match
    >>> result = match(kuhn(), [InformationSetPlayer(samples=20), "random"], games=100)
    >>> result.standings()[0].low > 0
    True
    """

    def __init__(
        self, model: Any = "overconfident", *, depth: int = 4, samples: int = 100, plays: int = 1
    ) -> None:
        """Check the settings; all else begins with a game."""
        super().__init__(samples, "uniform" if isinstance(model, str) else model)
        self.model = model
        self.depth = at_least_one("depth", depth)
        self.plays = at_least_one("plays", plays)
        self.searches = 0  # in all games

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Hashable:
        """The move with the best mean value over searches from sampled positions."""
        values = dict.fromkeys(options, 0.0)
        clock, slowest = self.clock, 0.0
        while True:
            began = perf_counter()
            try:
                found = self._values(view)
            except TooLarge:
                break
            for move, value in found.items():
                values[move] += float(value)
            self.searches += 1
            slowest = max(slowest, perf_counter() - began)
            if clock.left == inf or slowest > clock.left * SPARE:
                break
        return max(options, key=values.__getitem__)

    def _values(self, view: Any) -> dict[Hashable, Any]:
        """One search from new samples."""
        drawn, clock = self.sample(view), self.clock
        counts = Counter(map(id, drawn))
        search = InformationSetSearch(
            self.game,
            self.seat,
            self.model,
            depth=self.depth,
            evaluate=playouts(self.plays, clock.random),
            drawn=True,
            random=clock.random,
            seconds=None if clock.left == inf else max(clock.left * SPARE, 0.001),
        )
        return search.values([(one, counts.pop(id(one))) for one in drawn if id(one) in counts])


class TreeSearchPlayer(SamplingPlayer):
    """Monte Carlo tree search over information sets (:mod:`infoset.search.ismcts`).

    Parameters
    ----------
    iterations
        For a move, if there is no clock; with one, as many as there is time for.
    observers
        ``"single"`` or ``"multiple"``.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import TreeSearchPlayer, match
    >>> result = match(kuhn(), [TreeSearchPlayer(iterations=100), "random"], games=60)
    >>> result.standings()[0].low > 0
    True
    """

    def __init__(self, *, iterations: int = 1000, observers: str = "single") -> None:
        """Check the settings."""
        super().__init__(min(at_least_one("iterations", iterations), BATCH))
        self.iterations = iterations
        self.observers = observers

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Hashable:
        """The action that was taken most often."""
        clock = self.clock
        search = InformationSetTreeSearch(
            self.game, self.seat, observers=self.observers, random=clock.random
        )
        while True:
            for position in self.sample(view):
                search.iterate(position)
                done = search.iterations >= self.iterations and clock.left == inf
                if done or clock.left < clock.seconds * (1 - SPARE):
                    return search.best(position)


class PerfectInformationPlayer(SamplingPlayer):
    """Perfect-information Monte Carlo: every sampled position is searched as if all were known.

    The value of a move is the mean over the positions of what it brings there by minimax
    (:mod:`infoset.search.perfect`). Since everything is known in each of them, moves that gather
    or hide information have no value of their own.

    Parameters
    ----------
    depth
        Moves that are looked ahead; positions there are evaluated by plays at random.
    samples
        Positions that are drawn; with a clock, as many as there is time for.
    plays
        Plays at random for an evaluation.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import PerfectInformationPlayer, match
    >>> result = match(kuhn(), [PerfectInformationPlayer(samples=10), "random"], games=100)
    >>> result.standings()[0].low > 0
    True
    """

    def __init__(self, *, depth: int = 4, samples: int = 40, plays: int = 1) -> None:
        """Check the settings."""
        super().__init__(samples)
        self.depth = at_least_one("depth", depth)
        self.plays = at_least_one("plays", plays)

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if not hasattr(self, "game") or self.game is not game or self.seat != seat:
            seats = source(game).seats
            self._pays = seats.players[seats.player_of[seats.agent(seat)]]
            self._two = len(seats.players) <= 2
        super().begin(game, seat, clock)

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Hashable:
        """The move with the best mean over the sampled positions."""
        try:
            return self._mean_best(view, options, "minimax" if self._two else "max-n")
        except NotApplicable:  # two whose payoffs have no constant sum
            self._two = False
            return self._mean_best(view, options, "max-n")

    def _mean_best(self, view: Any, options: tuple[Hashable, ...], backup: str) -> Hashable:
        clock = self.clock
        searcher = PerfectSearch(
            self.game,
            depth=self.depth,
            evaluate=playouts(self.plays, clock.random),
            deepening=False,
            seconds=None if clock.left == inf else max(clock.left * SPARE, 0.001),
            backup=backup,
        )
        values, slowest = dict.fromkeys(options, 0.0), 0.0
        while True:
            for position in self.sample(view):
                began = perf_counter()
                for move, value in searcher.moves(position, self._pays).items():
                    values[move] += float(value)
                slowest = max(slowest, perf_counter() - began)
                if clock.left != inf and slowest > clock.left - clock.seconds * (1 - SPARE):
                    return max(options, key=values.__getitem__)
            if clock.left == inf:
                return max(options, key=values.__getitem__)


class ScoreBoundedPlayer(SamplingPlayer):
    """Score-bounded Monte Carlo tree search (:mod:`infoset.search.score_bounded`).

    One tree for each of the sampled positions, which are searched as if all were known but for
    simultaneous moves; in a game without hidden information they are one. In turn the player makes
    the move with the best mean over the trees, at a simultaneous move it mixes by the mean of their
    strategies. Once all trees are solved, it draws further positions.

    Parameters
    ----------
    iterations
        For a move, in all trees together; with a clock, as many as there is time for.
    samples
        Positions that are drawn at a time.

    Examples
    --------
    >>> from infoset.games import goofspiel
    >>> from infoset.play import ScoreBoundedPlayer, match
    >>> result = match(goofspiel(cards=4), [ScoreBoundedPlayer(iterations=50), "random"], games=60)
    >>> result.standings()[0].low > 0
    True
    """

    def __init__(self, *, iterations: int = 1000, samples: int = 20) -> None:
        """Check the settings, and load what matrix games need, before any clock runs."""
        super().__init__(samples)
        self.iterations = at_least_one("iterations", iterations)
        solve_matrix_game([[1, 0], [0, 1]], exact=True)

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if not hasattr(self, "game") or self.game is not game:
            self._source = source(game)
        super().begin(game, seat, clock)

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The best move, or probabilities of moves, by the trees of sampled positions."""
        trees: dict[Any, ScoreBoundedSearch] = {}
        counts: Counter[Any] = Counter()
        done = 0
        while True:
            drawn = self.sample(view)
            counts.update(drawn)
            known = len(trees)
            for position in counts:
                if position not in trees:
                    trees[position] = self._tree(position, len(counts) > 1)
            done = self._grow([trees[position] for position in drawn], done)
            if self._spent(done) or len(trees) == max(known, 1):
                found = [(tree.result(), counts[at]) for at, tree in trees.items()]
                begun = [one for one in found if one[0].iterations or one[0].solved]
                return self._chosen(begun, options)

    def _tree(self, position: Position, several: bool) -> ScoreBoundedSearch:
        seats, random = self._source.seats, self.clock.random
        pays = seats.players[seats.player_of[seats.agent(self.seat)]]
        return ScoreBoundedSearch(self._source, position, pays, every_move=several, random=random)

    def _grow(self, trees: list[ScoreBoundedSearch], done: int) -> int:
        """Iterate in turn until all trees are solved or time is over."""
        left = [tree for tree in trees if not tree.over]
        while left:
            for tree in left:
                tree.iterate()
                done += 1
                if self._spent(done):
                    return done
            left = [tree for tree in left if not tree.over]
        return done

    def _spent(self, done: int) -> bool:
        clock = self.clock
        if clock.left == inf:
            return done >= self.iterations
        return done > 0 and clock.left < clock.seconds * (1 - SPARE)

    def _chosen(
        self, found: list[tuple[ScoreBoundedResult, int]], options: tuple[Hashable, ...]
    ) -> Choice:
        """By values where only this seat moves, else by strategies."""
        means = dict.fromkeys(options, 0.0)
        alone = all(one.move is not None for one, _ in found)
        if alone and len(found) == 1:
            return found[0][0].move
        whole = sum(count for _, count in found)
        for one, count in found:
            for option in options:
                value = (
                    one.values.get(option, one.value) if alone else one.strategy[self.seat][option]
                )
                means[option] += float(value) * count / whole
        return max(options, key=means.__getitem__) if alone else means
