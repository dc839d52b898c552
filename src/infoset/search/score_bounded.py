"""Score-bounded Monte Carlo tree search: plays at random, and proofs where there are some.

The search sees all of a position, as :mod:`infoset.search.perfect` does; only simultaneous moves
are unknown to each other. The value of a position is what one player, *Max*, can be sure to get
against all others together: of two players with a constant sum, the value of the game.

**An iteration** walks down the tree of positions, adds the first position that is not in it,
and plays from there to the end at random. What Max got goes to all positions on the way.

- *One side moves.* A move that was never made comes first; then the one with the greatest upper
  confidence bound, mean + c · r · √(ln N / n), for the side that moves (UCT; r is the range of
  payoffs).
- *Both sides move.* Joint moves that were never made come first; then rows are drawn in proportion
  to the positive part of their regret, and with probability ε at random (regret matching). A row's
  regret is what Max would have got more by it: Σ X_ij − u over the iterations, where column j was
  drawn, u was paid, and X_ij is the mean of joint move (i, j). Columns likewise. Averaged over time
  the probabilities approach an equilibrium. Choosing by confidence bounds for each side (decoupled
  UCT) does not in general: it may settle on a cycle of pure strategies.
- *Chance* draws by its probabilities.

**Bounds.** Every position has a pessimistic and an optimistic bound, p ≤ v ≤ o, in exact numbers:
those of the game at first (or none), the payoff at an end. They are propagated:

    p = max p_i, o = max o_i        where Max moves alone (min where the others do),
    p = Σ π_i p_i, o = Σ π_i o_i    at chance,
    p = val(P), o = val(O)          where both move: the values of the matrix games of the bounds.

The last are bounds since val is monotone: if x guarantees p in P, then (xV)_j ≥ (xP)_j ≥ p for
every column j of the true matrix V ≥ P; the same for y and O. A position with p = o is *solved*,
and is not visited again. The search is over when its root is solved.

**Pruning.** Max's move a is given up if o_a ≤ max p_i: it cannot improve on what another move is
sure to bring. Where both move, row a is given up if a mixture x of the other rows has

    Σ_i x_i p_ij ≥ o_aj    for every column j,

(Saffidine et al., Figure 1; with one column it is the criterion above). It is sound: in V, where
(xV)_j ≥ (xP)_j ≥ o_aj ≥ v_aj, row a is weakly dominated. Moving its probability to x costs Max
nothing against any column, so that val(V) is the same without row a, and a strategy that is optimal
without it is optimal. Nor are bounds lost: x dominates row a in P (o_aj ≥ p_aj) and in O (o_ij ≥
p_ij), too.
Rows and columns go one at a time, each judged by those that are left: of two equal rows one stays,
and each step keeps the value.

**What solved positions do to the statistics.** A walk goes to positions that are not solved. Where
chance or regret matching draws a solved one, its exact value is what is learned and passed upwards,
and the walk goes on by a second draw among those that are not solved. So every iteration adds a
position, and a game tree of n positions is solved after less than n iterations. What is passed
upwards is clamped to the bounds of each position on the way. The value lies within them, so that no
clamped number is further from it than the number itself.

*Departures.* Cazenave and Saffidine add multiples of the bounds to the means that UCT compares;
here means are clamped to the bounds. They take players in turn and no chance. For simultaneous
moves Saffidine, Finnsson and Buro suggest the extension without giving one.

Sources: T. Cazenave and A. Saffidine, Score bounded Monte-Carlo tree search, 2010; A. Saffidine,
H. Finnsson and M. Buro, Alpha-beta pruning for games with simultaneous moves, 2012, sections 2.2
and 3; M. Lanctot, V. Lisý and M. Winands, Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, 2013 (regret matching); V. Lisý, V. Kovařík, M. Lanctot and B. Bošanský,
Convergence of Monte Carlo tree search in simultaneous move games, 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import inf, log, sqrt
from random import Random
from time import perf_counter
from typing import Any, TypedDict, Unpack

from infoset.errors import ParameterError
from infoset.linear.numbers import Number
from infoset.rules import Position
from infoset.search.matrix import bounded_mixture, solve_matrix_game
from infoset.search.perfect.search import placed
from infoset.search.perfect.session import PerfectSettings, Session, plain
from infoset.search.plays import RandomPlays
from infoset.search.settings import is_real, is_whole
from infoset.tree import Tree
from infoset.tree.positions import SimultaneousPosition, TreePosition, joins
from infoset.tree.source import Source, source

EXPLORATION = 0.5  # c above
EPSILON = 0.2
ITERATIONS = 10_000
UNFOLDED = (0,)  # stands for the moves of a position that is not yet unfolded: there are some

Step = tuple["_Node", int, Any]  # a node on the way, the number of its move, what was drawn


# ---------------------------------------------------------------------- positions in the tree


class _Place:
    """What is known of a position: its bounds, and what was learned.

    It is all that is kept of an end of the game, and of a position that was visited once: most are.
    """

    __slots__ = ("ceiling", "floor", "high", "low", "open", "total", "visits")

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high, self.floor, self.ceiling = low, high, float(low), float(high)
        self.open: Sequence[int] = () if low == high else UNFOLDED  # moves that may be walked
        self.visits, self.total = 0, 0.0

    def bound(self, low: Any, high: Any) -> bool:
        """Set the bounds; have they changed?"""
        if low == self.low and high == self.high:
            return False
        self.low, self.high, self.floor, self.ceiling = low, high, float(low), float(high)
        return True

    @property
    def solved(self) -> bool:
        """Is the value known?"""
        return bool(self.low == self.high)

    @property
    def estimate(self) -> float:
        """The mean of what was learned, within the bounds."""
        mean = self.total / self.visits if self.visits else (self.floor + self.ceiling) / 2
        return min(max(mean, self.floor), self.ceiling)

    def learn(self, value: float, drawn: Any) -> float:
        """Learn from an iteration; what is passed upwards."""
        del drawn
        value = min(max(value, self.floor), self.ceiling)
        self.visits += 1
        self.total += value
        return value


class _Node(_Place):
    """A position with its moves, each of which leads to another place."""

    __slots__ = ("children", "fresh", "highs", "lows", "moves", "position", "wants_all")

    def __init__(self, position: Position, moves: Sequence[Any], low: Any, high: Any) -> None:
        """With the bounds of the game, for all that follows, too."""
        super().__init__(low, high)
        self.position = position
        self.moves = moves
        self.lows, self.highs = [low] * len(moves), [high] * len(moves)  # by move
        self.children: list[_Place | None] = [None] * len(moves)
        self.open = [] if low == high else list(range(len(moves)))
        self.fresh = list(self.open)  # of them, those that were never walked
        self.wants_all = False  # are the values of all moves wanted, not of the best alone?

    def choose(self, search: ScoreBoundedSearch) -> tuple[int, Any]:
        """The number of an open move, and what was drawn instead of it, if anything."""
        raise NotImplementedError

    def tighten(self, at: int) -> bool:
        """Propagate the bounds of one child; have these bounds changed?"""
        child = self.children[at]
        assert child is not None
        if (child.low, child.high) == (self.lows[at], self.highs[at]):
            return False
        changed = self.rebound(at, child.low, child.high)
        if self.solved and not self.wants_all:
            self.open = []
        else:
            self.open = [move for move in self.open if self.matters(move)]
        if self.fresh:
            left = set(self.open)
            self.fresh = [move for move in self.fresh if move in left]
        return changed

    def rebound(self, at: int, low: Any, high: Any) -> bool:
        """The bounds of a move are now these; have the bounds of the position changed?"""
        raise NotImplementedError

    def matters(self, at: int) -> bool:
        """May an open move still make a difference?"""
        return bool(self.lows[at] != self.highs[at])


class _Chance(_Node):
    """A chance move."""

    __slots__ = ("chances", "weights")

    def __init__(self, position: Position, low: Any, high: Any) -> None:
        likely = [(move, chance) for move, chance in position.chances() if chance]
        super().__init__(position, [move for move, _ in likely], low, high)
        self.chances = [chance for _, chance in likely]
        self.weights = [float(chance) for chance in self.chances]

    def choose(self, search: ScoreBoundedSearch) -> tuple[int, Any]:
        (at,) = search.random.choices(range(len(self.moves)), self.weights)
        child = self.children[at]
        if child is None or child.open or not search.score_bounds:
            return at, None
        weights = [self.weights[move] for move in self.open]
        return search.random.choices(self.open, weights)[0], child.floor

    def rebound(self, at: int, low: Any, high: Any) -> bool:
        chance, before = self.chances[at], (self.lows[at], self.highs[at])
        self.lows[at], self.highs[at] = low, high
        if -inf in self.lows or inf in self.highs or -inf in before or inf in before:
            ends = (
                sum([chance * end for chance, end in zip(self.chances, side, strict=True)])
                for side in (self.lows, self.highs)
            )
            return self.bound(*ends)
        return self.bound(
            self.low + chance * (low - before[0]), self.high + chance * (high - before[1])
        )

    def learn(self, value: float, drawn: Any) -> float:
        return super().learn(value if drawn is None else drawn, None)


class _Choice(_Node):
    """A move of one side."""

    __slots__ = ("maximizes",)

    def __init__(
        self, position: Position, moves: Sequence[Any], maximizes: bool, low: Any, high: Any
    ) -> None:
        super().__init__(position, moves, low, high)
        self.maximizes = maximizes

    def choose(self, search: ScoreBoundedSearch) -> tuple[int, Any]:
        if self.fresh:
            return self.fresh.pop(search.random.randrange(len(self.fresh))), None
        sign = 1 if self.maximizes else -1
        wide, known = search.exploration * search.range, log(self.visits)
        best, most = -1, -inf
        for at in self.open:
            child = self.children[at]
            assert child is not None
            bound = sign * child.estimate + wide * sqrt(known / child.visits)
            if bound > most:
                best, most = at, bound
        return best, None

    def rebound(self, at: int, low: Any, high: Any) -> bool:
        self.lows[at], self.highs[at] = low, high
        best = max if self.maximizes else min
        return self.bound(best(self.lows), best(self.highs))

    def matters(self, at: int) -> bool:
        low, high = self.lows[at], self.highs[at]
        if self.wants_all:
            return bool(low != high)
        return bool(high > self.low if self.maximizes else low < self.high)

    def best(self) -> int:
        """The move to make: the most visited of those not solved, or a solved one as good."""
        sign = 1 if self.maximizes else -1
        walked = [(at, child) for at, child in enumerate(self.children) if child is not None]
        left = [(at, child) for at, child in walked if child.open and at in self.open]
        tried = [(child.visits, sign * child.estimate, at) for at, child in left]
        candidates = [(at, child.low) for at, child in walked if child.solved]
        if self.fresh:  # at its worst; still better than a certain loss
            worst = self.lows if self.maximizes else self.highs
            candidates.insert(0, (self.fresh[0], worst[self.fresh[0]]))
        if tried:
            _, mean, at = max(tried)
            candidates.append((at, sign * mean))
        return max(candidates, key=lambda one: sign * one[1])[0] if candidates else 0


class _Stage(_Node):
    """A simultaneous move of both sides: rows are Max's, columns those of the others."""

    __slots__ = ("columns", "regrets", "rows", "sums", "width")

    def __init__(
        self, position: Position, moves: Sequence[Any], width: int, low: Any, high: Any
    ) -> None:
        super().__init__(position, moves, low, high)
        height, self.width = len(moves) // width, width
        self.rows, self.columns = list(range(height)), list(range(width))  # those that are left
        self.regrets = [0.0] * height, [0.0] * width
        self.sums = [0.0] * height, [0.0] * width  # of the probabilities, without exploration

    # ------------------------------------------------------------------ regret matching

    def choose(self, search: ScoreBoundedSearch) -> tuple[int, Any]:
        random = search.random
        if self.fresh:
            return self.fresh.pop(random.randrange(len(self.fresh))), None
        weights = [
            self._matched(side, left, search.epsilon)
            for side, left in ((0, self.rows), (1, self.columns))
        ]
        (row,) = random.choices(self.rows, weights[0])
        (column,) = random.choices(self.columns, weights[1])
        at = row * self.width + column
        child = self.children[at]
        assert child is not None
        if child.open or not search.score_bounds:
            return at, (row, column, None)
        by_row, by_column = (
            dict(zip(left, own, strict=True))
            for left, own in zip((self.rows, self.columns), weights, strict=True)
        )
        chances = [by_row[cell // self.width] * by_column[cell % self.width] for cell in self.open]
        return random.choices(self.open, chances)[0], (row, column, child.floor)

    def _matched(self, side: int, left: list[int], epsilon: float) -> list[float]:
        """The weights of the actions that are left, with exploration."""
        regrets, sums = self.regrets[side], self.sums[side]
        positive = [max(regrets[action], 0.0) for action in left]
        whole = sum(positive)
        even = 1 / len(left)
        if whole <= 0:
            positive, whole = [even] * len(left), 1.0
        weights = []
        for action, part in zip(left, positive, strict=True):
            sums[action] += part / whole
            weights.append((1 - epsilon) * part / whole + epsilon * even)
        return weights

    def learn(self, value: float, drawn: Any) -> float:
        if drawn is not None:
            row, column, known = drawn
            value = value if known is None else known
            rows, columns = self.regrets
            for other in self.rows:
                if other != row:
                    rows[other] += self._mean(other, column) - value
            for other in self.columns:
                if other != column:
                    columns[other] += value - self._mean(row, other)
        return super().learn(value, None)

    def _mean(self, row: int, column: int) -> float:
        child = self.children[row * self.width + column]
        assert child is not None  # regrets begin once all joint moves were made
        return child.estimate

    # ------------------------------------------------------------------ bounds

    def rebound(self, at: int, low: Any, high: Any) -> bool:
        before = self.lows[at], self.highs[at]
        self.lows[at], self.highs[at] = low, high
        self._prune()
        least, most = self.low, self.high
        # The value of a matrix is at most what any column concedes: most often this settles it.
        if low > before[0] and self._conceded(self._cells(self.lows)) > least:
            least = max(least, guarantee(self._cells(self.lows))[0])
        if high < before[1]:
            turned = _turned(self._cells(self.highs))
            if self._conceded(turned) > -most:
                most = min(most, -guarantee(turned)[0])
        return self.bound(least, most)

    def _cells(self, amounts: list[Any]) -> list[list[Any]]:
        """The rows and columns that are left."""
        return [[amounts[row * self.width + column] for column in self.columns]
                for row in self.rows]  # fmt: skip

    @staticmethod
    def _conceded(matrix: list[list[Any]]) -> Any:
        return min(map(max, zip(*matrix, strict=True)))

    def matters(self, at: int) -> bool:
        row, column = divmod(at, self.width)
        return super().matters(at) and row in self.rows and column in self.columns

    def _prune(self) -> None:
        """Give up dominated rows and columns, one at a time."""
        again = True
        while again:
            low, high = self._cells(self.lows), self._cells(self.highs)
            row = dominated(low, high)
            if row is not None:
                del self.rows[row]
                continue
            column = dominated(_turned(high), _turned(low))
            if column is not None:
                del self.columns[column]
                continue
            again = False

    # ------------------------------------------------------------------ strategies

    def mixtures(self) -> tuple[list[Number], list[Number]]:
        """Both sides' strategies: optimal if solved, else averaged over time."""
        if not self.solved:
            return self._averaged(0, self.rows), self._averaged(1, self.columns)
        found = guarantee(self._cells(self.lows))[1], guarantee(_turned(self._cells(self.highs)))[1]
        both: tuple[list[Number], list[Number]] = (
            [0] * (len(self.moves) // self.width), [0] * self.width
        )  # fmt: skip
        for mixture, places, own in zip(found, (self.rows, self.columns), both, strict=True):
            for probability, place in zip(mixture, places, strict=True):
                own[place] = probability
        return both

    def _averaged(self, side: int, left: list[int]) -> list[Number]:
        sums = self.sums[side]
        whole = sum(sums[action] for action in left)
        return [
            0.0 if at not in left else amount / whole if whole else 1 / len(left)
            for at, amount in enumerate(sums)
        ]


def _turned(matrix: list[list[Any]]) -> list[list[Any]]:
    """The game of the other side: its actions are rows, and it maximizes the negative."""
    return [[-entry for entry in column] for column in zip(*matrix, strict=True)]


def guarantee(matrix: list[list[Any]]) -> tuple[Any, list[Number]]:
    """The most that a mixture of rows is sure of, and the mixture; entries may be −∞.

    A row with such an entry is sure of nothing, and has no part in a mixture that is.

    >>> guarantee([[3, -1], [-2, 1], [9, -inf]])
    (Fraction(1, 7), [Fraction(3, 7), Fraction(4, 7), 0])
    """
    sure = [at for at, row in enumerate(matrix) if -inf not in row]
    mixture: list[Number] = [0] * len(matrix)
    if not sure:
        return -inf, mixture
    found = solve_matrix_game([matrix[at] for at in sure], exact=True)
    for at, probability in zip(sure, found.rows, strict=True):
        mixture[at] = probability
    return plain(found.value), mixture


def dominated(low: list[list[Any]], high: list[list[Any]]) -> int | None:
    """The first row that a mixture of others dominates by bounds: low of these, high of it.

    >>> dominated([[2, 0], [0, 2], [0, 0]], [[3, 3], [3, 3], [1, 1]])
    2
    >>> dominated([[1, 1], [1, 1]], [[1, 1], [1, 1]])  # one of two equal rows
    0
    >>> dominated([[2, 0], [0, 2], [0, 0]], [[3, 3], [3, 3], [1, 2]]) is None
    True
    """
    count = len(low)
    for row in range(count if count > 1 else 0):
        floors = high[row]
        others = [low[other] for other in range(count) if other != row]
        columns = zip(floors, zip(*others, strict=True), strict=True)
        if any(max(entries) < floor for floor, entries in columns):
            continue
        if any(all(a >= b for a, b in zip(one, floors, strict=True)) for one in others):
            return row
        finite = [one for one in others if -inf not in one]  # as in guarantee
        if bounded_mixture(finite, floors, [0] * len(finite), exact=True) is not None:
            return row
    return None


# ---------------------------------------------------------------------- the search


@dataclass(frozen=True)
class ScoreBoundedResult:
    """What a score-bounded search knows of a position.

    Examples
    --------
    >>> from infoset.games import tic_tac_toe
    >>> from infoset.search import search_score_bounded
    >>> found = search_score_bounded(tic_tac_toe().position().after("a1").after("b1"))
    >>> found.value, found.solved, found.strategy["cross"][found.move]
    (Fraction(1, 1), True, 1)
    """

    player: str  # whose payoff the value is
    value: Fraction | float  # exact if solved, else an estimate
    bounds: tuple[Fraction | None, Fraction | None]  # the value lies between; None where unknown
    solved: bool  # are both bounds the same?
    move: Hashable | None  # the best of the only one who moves here; else None
    strategy: dict[str, dict[Hashable, Number]]  # by mover: the probability of each option
    values: dict[Hashable, Fraction | float]  # by move, joint ones as a tuple: those walked
    visits: dict[Hashable, int]  # likewise: iterations that went on by the move
    iterations: int
    playouts: int  # plays to the end at random; none is needed where a new position is an end
    nodes: int  # positions in the tree
    seconds: float

    def __str__(self) -> str:
        low, high = ("unknown" if end is None else str(end) for end in self.bounds)
        known = str(self.value) if self.solved else f"{self.value:.3f}, from {low} to {high}"
        best = "" if self.move is None else f"; best: {self.move}"
        return f"{self.player}: {known}{best} ({self.iterations:,} iterations)"


class ScoreBoundedKeywords(TypedDict, total=False):
    """The settings of a score-bounded search."""

    bounds: Any
    exploration: float
    epsilon: float
    score_bounds: bool
    every_move: bool
    random: Random | None


class ScoreBoundedSearch:
    """A tree that grows with every iteration; see the module's docstring.

    Parameters
    ----------
    game
        Anything that can be searched. What is hidden in it is not hidden here, but for
        simultaneous moves.
    position
        Where to search; the start of the game, if left out.
    player
        Whose payoff the value is; the first player's, if left out. All others are against it.
    bounds
        The least and the most that the player may get; the game's own if left out. Without any,
        bounds come from ends of the game alone.
    exploration
        The constant c of the confidence bound.
    epsilon
        The part of choices at random, where both sides move.
    score_bounds
        Whether to compute bounds; without, it is the same search by statistics alone.
    every_move
        Whether to go on until each move of the only mover at the root is solved, not the best
        alone: for means over several positions.
    random
        The generator of all that is drawn.

    Attributes
    ----------
    iterations, playouts, nodes : int
        The work so far.

    Examples
    --------
    >>> from random import Random
    >>> from infoset.games import goofspiel
    >>> from infoset.search import ScoreBoundedSearch
    >>> search = ScoreBoundedSearch(goofspiel(cards=4), random=Random(1))
    >>> search.run(100).solved
    False
    >>> found = search.run()
    >>> found.value, found.strategy["player 1"][4], found.iterations
    (Fraction(0, 1), Fraction(1, 1), 246)
    """

    def __init__(
        self,
        game: Any,
        position: Position | None = None,
        player: str | None = None,
        *,
        bounds: Any = None,
        exploration: float = EXPLORATION,
        epsilon: float = EPSILON,
        score_bounds: bool = True,
        every_move: bool = False,
        random: Random | None = None,
    ) -> None:
        """Check the settings; the tree is its root."""
        if not (is_real(exploration) and 0 <= exploration < inf):
            raise ParameterError(f"exploration= must be 0 or more, not {exploration!r:.60}")
        if not (is_real(epsilon) and 0 < epsilon <= 1):
            raise ParameterError(f"epsilon= must be above 0 and at most 1, not {epsilon!r:.60}")
        played = game if isinstance(game, Source) else source(game)
        self.session = Session(played, PerfectSettings(bounds=bounds, backup="paranoid"))
        self.seat = 0 if player is None else played.seats.player(player)
        self.bounds = self.session.bounds(self.seat)
        self.exploration, self.epsilon, self.score_bounds = exploration, epsilon, score_bounds
        self.random = random or Random(0)
        self._plays = RandomPlays(self.random)
        self.iterations = self.playouts = self.nodes = 0
        low, high = self.bounds
        self._low = -inf if low is None else plain(low)
        self._high = inf if high is None else plain(high)
        self._wide = float(self._high - self._low)
        self._seen = inf, -inf  # the range of payoffs met
        self._began = perf_counter()
        self.position = staged(played.start if position is None else position)
        self.root = self._place(self.position)
        if not self.position.over:
            self.root = self._node(self.position, self.root)
            self.root.wants_all = every_move and isinstance(self.root, _Choice)

    @property
    def over(self) -> bool:
        """Is there nothing left to search?"""
        return not self.root.open

    @property
    def range(self) -> float:
        """Of payoffs: by the bounds of the game, else of those met."""
        return self._wide if self._wide < inf else max(self._seen[1] - self._seen[0], 0.0)

    def iterate(self) -> None:
        """Walk down the tree, add a position, and learn; nothing, if there is nothing left."""
        path: list[Step] = []
        place, position = self.root, self.position
        while isinstance(place, _Node) and place.open:
            at, drawn = place.choose(self)
            path.append((place, at, drawn))
            child = before = place.children[at]
            if before is None or before.open is UNFOLDED:
                position = place.position.after(place.moves[at])
                child = self._place(position) if before is None else self._node(position, before)
                place.children[at] = child
            assert child is not None
            place = child
            if before is None:
                break
        if not path:
            return
        self.iterations += 1
        value = place.learn(self._sampled(place, position), None)
        changed = self.score_bounds
        for node, at, drawn in reversed(path):
            changed = changed and node.tighten(at)
            value = node.learn(value, drawn)

    def run(
        self,
        iterations: int | None = ITERATIONS,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> ScoreBoundedResult:
        """Iterate until the root is solved, or so often or so long, but at least once.

        Parameters
        ----------
        iterations
            The most iterations; as many as it takes, if None.
        seconds
            The most time; as long as it takes, if left out.
        stop
            Asked before each iteration but the first whether to stop.

        Returns
        -------
        ScoreBoundedResult
            All that is known by then, from earlier calls, too.
        """
        if iterations is not None and not (is_whole(iterations) and iterations >= 1):
            raise ParameterError(f"iterations={iterations!r:.60}: it must be at least 1, or None")
        if seconds is not None and not (is_real(seconds) and seconds >= 0):
            raise ParameterError(f"seconds={seconds!r:.60}: it must be 0 or more")
        until = inf if seconds is None else perf_counter() + seconds
        left = inf if iterations is None else iterations
        while not self.over and left > 0:
            self.iterate()
            left -= 1
            if (until < inf and perf_counter() >= until) or (stop is not None and stop()):
                break
        return self.result()

    def result(self) -> ScoreBoundedResult:
        """All that is known now."""
        root = self.root
        low, high = (None if abs(end) == inf else Fraction(end) for end in (root.low, root.high))
        below = zip(root.moves, root.children, strict=True) if isinstance(root, _Node) else ()
        walked = [(move, child) for move, child in below if child is not None]
        alone = len(self.position.movers) == 1
        return ScoreBoundedResult(
            player=self.session.players[self.seat],
            value=_worth(root),
            bounds=(low, high),
            solved=root.solved,
            move=root.moves[root.best()] if isinstance(root, _Choice) and alone else None,
            strategy=self._strategy(),
            values={move: _worth(child) for move, child in walked},
            visits={move: child.visits for move, child in walked},
            iterations=self.iterations,
            playouts=self.playouts,
            nodes=self.nodes,
            seconds=perf_counter() - self._began,
        )

    # ------------------------------------------------------------------ how

    def _place(self, position: Position) -> _Place:
        """A position that is new in the tree."""
        self.nodes += 1
        if not position.over:
            return _Place(self._low, self._high)
        paid = self.session.checked_leaf(position, self.seat, self.bounds)
        return _Place(paid, paid)

    def _node(self, position: Position, before: _Place) -> _Node:
        """A position in the tree, unfolded: with its moves."""
        node = self._unfolded(position)
        node.visits, node.total = before.visits, before.total
        return node

    def _unfolded(self, position: Position) -> _Node:
        low, high = self._low, self._high
        movers = position.movers
        if not movers:
            return _Chance(position, low, high)
        own = [self.session.player_of[mover] == self.seat for mover in movers]
        if all(own) or not any(own):
            menus = [position.options(mover) for mover in movers]
            moves = menus[0] if len(menus) == 1 else list(product(*menus))
            return _Choice(position, moves, all(own), low, high)
        return self._stage(position, movers, own)

    def _stage(self, position: Position, movers: tuple[str, ...], own: list[bool]) -> _Node:
        """A matrix: all joint moves of Max's side, by all of the other side."""
        sides = [[mover for mover, mine in zip(movers, own, strict=True) if mine == max_moves]
                 for max_moves in (True, False)]  # fmt: skip
        rows, columns = (list(product(*map(position.options, side))) for side in sides)
        moves = []
        for row, column in product(rows, columns):
            made = dict(zip(sides[0] + sides[1], row + column, strict=True))
            moves.append(tuple([made[mover] for mover in movers]))
        return _Stage(position, moves, len(columns), self._low, self._high)

    def _sampled(self, place: _Place, position: Position) -> float:
        """What the player gets from a position on: as is known, or by a play at random."""
        if not place.open:
            value = place.floor
        else:
            self.playouts += 1
            player = self.session.players[self.seat]
            value = float(self._plays.payoffs(position)[player])
        low, high = self._seen
        self._seen = min(low, value), max(high, value)
        return value

    def _strategy(self) -> dict[str, dict[Hashable, Number]]:
        """By mover at the root: the probability of each option."""
        root, position, movers = self.root, self.position, self.position.movers
        if not isinstance(root, _Node):
            return {}
        weights: list[Number] = [0] * len(root.moves)
        if isinstance(root, _Choice):
            weights[root.best()] = 1
        elif isinstance(root, _Stage):
            rows, columns = root.mixtures()
            weights = [row * column for row in rows for column in columns]
        found: dict[str, dict[Hashable, Number]] = {
            mover: dict.fromkeys(position.options(mover), 0) for mover in movers
        }
        for move, weight in zip(root.moves, weights, strict=True):
            each = move if len(movers) > 1 else (move,)
            for mover, option in zip(movers, each, strict=False):
                found[mover][option] += weight
        return found


def _worth(place: _Place) -> Fraction | float:
    """The value of a position, or its estimate."""
    return Fraction(place.low) if place.solved else place.estimate


@lru_cache(maxsize=8)
def _joined(tree: Tree) -> Any:
    return joins(tree)


def staged(position: Position) -> Position:
    """A position as it is searched: of a tree, which writes simultaneous moves in turn, a stage."""
    if not isinstance(position, TreePosition):
        return position
    tree, node, joined = position.tree, position.node, _joined(position.tree)
    above = int(tree.parent[node])
    return SimultaneousPosition(tree, above if above >= 0 and joined[above] else node, joined)


def search_score_bounded(
    game: Any,
    *,
    player: str | None = None,
    iterations: int | None = ITERATIONS,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
    **settings: Unpack[ScoreBoundedKeywords],
) -> ScoreBoundedResult:
    """Score-bounded Monte Carlo tree search of a game, or of a position of a game.

    Parameters
    ----------
    game
        A game, or a position of a game: of two players with a constant sum, with perfect
        information but for simultaneous moves. Of others, all is seen, and the value is what the
        player can be sure of against all others together.
    player
        Whose value; the first player's, if left out.
    iterations, seconds, stop
        How long to search, as of :meth:`ScoreBoundedSearch.run`; it ends when the value is known.
    **settings
        As of :class:`ScoreBoundedSearch`.

    Returns
    -------
    ScoreBoundedResult
        Value, bounds, strategies, counts.

    Raises
    ------
    ParameterError
        If a setting is not possible.

    Examples
    --------
    >>> from infoset.games import goofspiel
    >>> found = search_score_bounded(goofspiel(cards=3, points=True))
    >>> found.value, found.solved
    (Fraction(0, 1), True)
    >>> found = search_score_bounded(goofspiel(cards=7), iterations=200)
    >>> found.bounds, found.solved
    ((Fraction(-1, 1), Fraction(1, 1)), False)
    """
    played, position = placed(game)
    search = ScoreBoundedSearch(played, position, player, **settings)
    return search.run(iterations, seconds, stop)
