"""Players that search: they sample where they may be, and look ahead from there.

Before each move a player draws positions at which it may be, and searches from them. With a clock
it goes on with new samples until its time is used; without one it does as much as it was set to.

**Sampling.** Which positions are drawn, and how, is one of four regimes. They are those of
A. Parker, D. Nau & V. Subrahmanian, Game-tree search with combinatorially large belief states,
2005, in terms of :mod:`infoset.search.consistent`. Let v be the player's view.

``"all"``     All observations (AOS): histories that agree with v, drawn anew for each move,
              independently, by their exact probabilities (:class:`Histories`).
``"last"``    The last observation (LOS): histories in which the player made the moves that it made,
              and in which what it observed since the last of them, with the options it has now, is
              as in v. What it observed before may be anything. They are drawn by their exact
              probabilities, too (:class:`Histories` with ``observations="last"``).
``"pool"``    All observations, with a pool (AOSP): histories that agree with v are kept from move
              to move by a :class:`ParticleFilter`, and samples are drawn from them with
              replacement.
``"hybrid"``  (HS) From the pool while it has enough, and the rest by the last observation. If all
              particles were drawn from the start of the game, they have their exact probabilities,
              and that is enough. Otherwise the pool gives as many samples as its effective sample
              size, rounded down: as particles come to be copies of few, the last observation takes
              over. A pool that is lost gives none.

The paper is about kriegspiel, and samples boards. Here a position is the end of a history, so that
it has a probability, by chance and by a model of the others, and every position is one that some
play leads to: by the last observation, too, it has as many own moves behind it as were made. Where
the paper's pool is a list of boards, this one is a particle filter, which keeps their number and
their probabilities by drawing some anew. So it is never short of histories, but of different ones,
and whether it has enough is said by the effective sample size.

Positions that agree with the last observation alone differ in what the player has observed before.
A search of sets of histories would let it tell them apart by that, so that ``"last"`` and
``"hybrid"`` are for searches that take one position at a time: perfect-information Monte Carlo.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from math import inf
from time import perf_counter
from typing import Any

from infoset.errors import NoHistory, NotApplicable, ParameterError, TooLarge, nearest
from infoset.memory import young_collections
from infoset.play.player import Choice, Clock, Seated
from infoset.rules import Game, Position
from infoset.search.alphamu import AlphaMuSearch
from infoset.search.consistent import Histories, ParticleFilter
from infoset.search.consistent.particles import PARTICLES
from infoset.search.information import InformationSetSearch
from infoset.search.ismcts import InformationSetTreeSearch
from infoset.search.matrix import solve_matrix_game
from infoset.search.perfect import PerfectSearch
from infoset.search.plays import Evaluate, Evaluation, Playouts
from infoset.search.score_bounded import ScoreBoundedResult, ScoreBoundedSearch
from infoset.tree.source import source

BATCH = 50  # positions that a tree search draws at a time
MOST_POSITIONS = 200_000  # that one search with plans for several moves may visit
SHARE = 0.4  # of the time that is left for a move, to sample
FIRST = 8  # samples of the first search of a move under a clock
SPARE = 0.8  # of its time that a player uses: the last search may take longer than those before


SAMPLING = ("all", "last", "pool", "hybrid")
OF_SETS = ("all", "pool")  # for searches that take positions together


class SamplingPlayer(Seated):
    """Samples positions at which it may be; a subclass chooses by them.

    Parameters
    ----------
    samples
        Positions that are drawn at a time.
    model
        How the others have moved, for the probabilities of the positions.
    sampling
        Which positions: ``"all"``, ``"last"``, ``"pool"`` or ``"hybrid"``; see the module.
    particles
        How many histories the pool keeps.

    Attributes
    ----------
    drawn : int
        Positions that were drawn, in all games.
    """

    regimes: tuple[str, ...] = OF_SETS
    patience = inf  # seconds for a move, where there is no clock

    def __init__(
        self,
        samples: int,
        model: Any = "uniform",
        *,
        sampling: str = "all",
        particles: int = PARTICLES,
    ) -> None:
        """Nothing is drawn before a game begins."""
        if sampling not in self.regimes:
            raise ParameterError(f"sampling={sampling!r:.40}: {nearest(sampling, self.regimes)}")
        self.samples = at_least_one("samples", samples)
        self.believed = model
        self.sampling = sampling
        self.drawn = 0
        self._size = at_least_one("particles", particles)
        self._histories: Histories | None = None
        self._pool: ParticleFilter | None = None

    @property
    def particles(self) -> int:
        """How many histories the pool has now; 0 without one."""
        return 0 if self._pool is None else self._pool.count

    @property
    def effective(self) -> float:
        """The effective sample size of the pool now; 0 without one."""
        return 0.0 if self._pool is None else self._pool.effective

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        again = self._histories is not None and self.game is game and self.seat == seat
        super().begin(game, seat, clock)
        if not again or clock.seconds == inf:  # without a clock no game depends on another
            kind = "all" if self.sampling in OF_SETS else "last"
            self._histories = Histories(game, seat, self.believed, observations=kind)
        if self.sampling in ("pool", "hybrid"):  # a new one, so that no game depends on another
            self._pool = ParticleFilter(game, seat, self.believed, self._size, clock.random)
        self._views: list[Any] = []
        self._followed = 0  # views that the pool has got
        self._lost: NoHistory | None = None  # why it found no history at the last of them

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

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """See :meth:`Seated.skip`: nothing is searched."""
        self._views.append(view)

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The option to take, or probabilities."""
        raise NotImplementedError

    def sample(self, view: Any, number: int | None = None) -> list[Position]:
        """Positions at which the player may be; with a clock, as many as are found in time."""
        number = self.samples if number is None else number
        # A view of rules has all views before it; those of an engine are listed.
        seen: Any = view if isinstance(self.game, Game) else self._views
        drawn = self._drawn(seen, number) if self._pool is None else self._pooled(seen, number)
        self.drawn += len(drawn)
        return drawn

    def belief(self, view: Any) -> list[tuple[Position, int]]:
        """The same, each position once, with how often it was drawn."""
        drawn = self.sample(view)
        counts = Counter(map(id, drawn))
        return [(one, counts.pop(id(one))) for one in drawn if id(one) in counts]

    def _follow(self, pool: ParticleFilter, seen: Any) -> NoHistory | None:
        """Carry the pool to this decision, once; why, if it is lost."""
        if self._followed < len(self._views):
            self._followed, self._lost = len(self._views), None
            try:
                pool.update(seen, self.clock.left * SHARE)
            except NoHistory as error:
                self._lost = error
        return self._lost

    def _drawn(self, seen: Any, number: int) -> list[Position]:
        """Positions that are drawn anew; fewer if there is no time."""
        assert self._histories is not None
        clock = self.clock
        seconds = min(clock.left, self.patience) * SHARE
        return self._histories.sample(seen, number, clock.random, seconds=seconds)

    def _from_pool(self, pool: ParticleFilter, number: int) -> list[Position]:
        positions, weights = zip(*pool.positions, strict=True)
        return self.clock.random.choices(positions, weights, k=number)

    def _pooled(self, seen: Any, number: int) -> list[Position]:
        """From the pool; of a hybrid as many as it has, and the rest by the last observation."""
        assert self._pool is not None
        pool, lost = self._pool, self._follow(self._pool, seen)
        if self.sampling == "pool":
            if lost is not None:
                raise lost
            return self._from_pool(pool, number)
        if lost is not None:
            known = 0
        elif pool.fresh == pool.particles:
            known = number
        else:
            known = min(number, int(pool.effective + 1e-9))  # but for rounding
        drawn = self._from_pool(pool, known) if known else []
        if known < number:
            try:
                drawn += self._drawn(seen, number - known)
            except NoHistory:
                if not known:
                    raise
        return drawn


def at_least_one(what: str, number: int) -> int:
    """A setting that is a count."""
    if number < 1:
        raise ParameterError(f"{what}= must be at least 1, not {number}")
    return number


def evaluation(game: Any, name: str, plays: int, clock: Clock) -> Evaluate:
    """What a player evaluates positions by: plays at random, or an evaluation of the game's own."""
    return Evaluation(game, name) if name else Playouts(plays, clock.random)


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
    evaluate
        The name of one of the game's own evaluations, in place of plays at random.
    sampling, particles
        ``"all"`` or ``"pool"``, as of :class:`SamplingPlayer`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import InformationSetPlayer, match
    >>> result = match(kuhn(), [InformationSetPlayer(samples=20), "random"], games=100)
    >>> result.standings()[0].low > 0
    True
    """

    def __init__(
        self,
        model: Any = "overconfident",
        *,
        depth: int = 4,
        samples: int = 100,
        plays: int = 1,
        sampling: str = "all",
        particles: int = PARTICLES,
        evaluate: str = "",
    ) -> None:
        """Check the settings; all else begins with a game."""
        believed = "uniform" if isinstance(model, str) else model
        super().__init__(samples, believed, sampling=sampling, particles=particles)
        self.model = model
        self.depth = at_least_one("depth", depth)
        self.plays = at_least_one("plays", plays)
        self.evaluate = evaluate
        self.searches = 0  # in all games

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if self.evaluate:
            Evaluation(game, self.evaluate)  # a name that the game does not have is refused now
        super().begin(game, seat, clock)

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Hashable:
        """The move with the best mean value over searches from sampled positions.

        With a clock the first searches are small, so that there is a value before time is over.
        """
        clock, slowest = self.clock, 0.0
        values = dict.fromkeys(options, 0.0)
        search = InformationSetSearch(
            self.game,
            self.seat,
            self.model,
            depth=self.depth,
            evaluate=evaluation(self.game, self.evaluate, self.plays, clock),
            drawn=True,
            random=clock.random,
        )
        size = self.samples if clock.left == inf else min(self.samples, FIRST)
        searched = False
        while True:
            began = perf_counter()
            if clock.left < inf:
                search.seconds = max(clock.left * SPARE, 0.001)
            try:
                # Each sample is continued by moves of its own, also if it was drawn twice.
                found = search.values([(one, 1) for one in self.sample(view, size)])
            except TooLarge:
                break
            for move, value in found.items():
                values[move] += size * float(value)
            searched = True
            self.searches += 1
            slowest = max(slowest, (perf_counter() - began) / size)
            size = min(self.samples, 2 * size)
            if clock.left == inf or slowest * size > clock.left - clock.seconds * (1 - SPARE):
                break
        return max(options, key=values.__getitem__) if searched else clock.random.choice(options)


class TreeSearchPlayer(SamplingPlayer):
    """Monte Carlo tree search over information sets (:mod:`infoset.search.ismcts`).

    Parameters
    ----------
    iterations
        For a move, if there is no clock; with one, as many as there is time for.
    observers
        ``"single"`` or ``"multiple"``.
    sampling, particles
        ``"all"`` or ``"pool"``, as of :class:`SamplingPlayer`.
    patience
        Seconds for a move after which it ends without a clock, too.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import TreeSearchPlayer, match
    >>> result = match(kuhn(), [TreeSearchPlayer(iterations=100), "random"], games=60)
    >>> result.standings()[0].low > 0
    True
    """

    def __init__(
        self,
        *,
        iterations: int = 1000,
        observers: str = "single",
        sampling: str = "all",
        particles: int = PARTICLES,
        patience: float = inf,
    ) -> None:
        """Check the settings."""
        samples = min(at_least_one("iterations", iterations), BATCH)
        super().__init__(samples, sampling=sampling, particles=particles)
        self.patience = patience
        self.iterations = iterations
        self.observers = observers

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Hashable:
        """The action that was taken most often."""
        clock, began = self.clock, perf_counter()
        search = InformationSetTreeSearch(
            self.game, self.seat, observers=self.observers, random=clock.random
        )
        while True:
            for position in self.sample(view):
                search.iterate(position)
                done = search.iterations >= self.iterations or self._late(began)
                if (done and clock.left == inf) or clock.left < clock.seconds * (1 - SPARE):
                    return search.best(position)

    def _late(self, began: float) -> bool:
        return self.patience < inf and perf_counter() - began > self.patience


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
    evaluate
        The name of one of the game's own evaluations, in place of plays at random.
    sampling, particles
        ``"all"``, ``"last"``, ``"pool"`` or ``"hybrid"``, as of :class:`SamplingPlayer`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import PerfectInformationPlayer, match
    >>> result = match(kuhn(), [PerfectInformationPlayer(samples=10), "random"], games=100)
    >>> result.standings()[0].low > 0
    True
    """

    regimes = SAMPLING

    def __init__(
        self,
        *,
        depth: int = 4,
        samples: int = 40,
        plays: int = 1,
        sampling: str = "all",
        particles: int = PARTICLES,
        evaluate: str = "",
    ) -> None:
        """Check the settings."""
        super().__init__(samples, sampling=sampling, particles=particles)
        self.depth = at_least_one("depth", depth)
        self.plays = at_least_one("plays", plays)
        self.evaluate = evaluate

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if self.evaluate:
            Evaluation(game, self.evaluate)
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
            evaluate=evaluation(self.game, self.evaluate, self.plays, clock),
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


class AlphaMuPlayer(SamplingPlayer):
    """αμ: one plan for all sampled positions, against opponents who know where they are.

    See :mod:`infoset.search.alphamu`. With one move this is perfect-information Monte Carlo. With
    more, the player does not count on knowing later what it will not know.

    Parameters
    ----------
    moves
        How many of its own moves it plans for all positions together, this one included; with a
        clock or where positions are too many, as many of them as it can.
    samples
        Positions that it draws for a search.
    depth
        Moves that are looked ahead after these, as if all were known; positions there are evaluated
        by plays at random.
    plays
        Plays at random for an evaluation.
    sampling, particles
        ``"all"`` or ``"pool"``, as of :class:`SamplingPlayer`.

    Attributes
    ----------
    reached : int
        How many of its own moves the last search has planned.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import AlphaMuPlayer, match
    >>> result = match(kuhn(), [AlphaMuPlayer(samples=10), "random"], games=100)
    >>> result.standings()[0].low > 0
    True
    """

    def __init__(
        self,
        *,
        moves: int = 2,
        samples: int = 20,
        depth: int = 4,
        plays: int = 1,
        sampling: str = "all",
        particles: int = PARTICLES,
    ) -> None:
        """Check the settings."""
        super().__init__(samples, sampling=sampling, particles=particles)
        self.moves = at_least_one("moves", moves)
        self.depth = at_least_one("depth", depth)
        self.plays = at_least_one("plays", plays)
        self.reached = 0

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Hashable:
        """The move whose best plan has the best mean over the sampled positions."""
        worlds, clock = self.belief(view), self.clock
        search = AlphaMuSearch(
            self.game,
            self.seat,
            moves=self.moves,
            depth=self.depth,
            evaluate=Playouts(self.plays, clock.random),
            positions=MOST_POSITIONS,
            seconds=None if clock.left == inf else max(clock.left * SPARE, 0.001),
        )
        try:
            return search.best(worlds)
        except TooLarge:  # not even one position in time
            return clock.random.choice(options)
        finally:
            self.reached = search.reached


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
