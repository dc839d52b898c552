"""How large a tree is, before it is built: estimates by random probes.

**Knuth's estimator.** Walk from the root to a leaf, every move drawn uniformly, and let d₀, d₁, …
be the numbers of moves on the way. A node at depth k is met with probability 1 / (d₀ ⋯ d₍ₖ₋₁₎), so

    X = 1 + d₀ + d₀ d₁ + d₀ d₁ d₂ + …

has the number of nodes as its expectation (Knuth, Estimating the efficiency of backtrack programs,
1975). Its variance may be enormous: in liar's dice most walks skip most bids, and the few that do
not carry nearly all of the weight.

**Chen's refinement** (Heterogeneous sampling: a simple approach to tree search estimation, 1992).
A probe goes down the whole tree level by level. The nodes of a level are divided into strata: here
by who moves and by the number of moves, so that those of a stratum probably have subtrees of
similar size. One node represents each stratum, with a weight: the number of nodes that it stands
for. The children of all representatives, each with the weight of its parent, form the strata of the
next level; the weights in a stratum add up, and its representative is drawn in proportion to them.
X is the sum of all weights. By induction over the levels, the expected weight of every node, while
it represents, is 1: E[X] is the number of nodes, whatever the strata. If nodes of a stratum have
equal subtrees, as in liar's dice and goofspiel, the variance is zero. Departure: of more than
``MOST_CHILDREN`` children, so many are drawn, evenly spaced from a random one on, and stand for all
of them.

**The interval.** Let X₁ … Xₙ be the results of n probes, and N the number of nodes. X ≥ 0, and E[X]
= N, hence for each λ between 0 and 1 the product Πᵢ (1 − λ + λ Xᵢ / N) has the expectation 1, and
so has a mixture of several λ. By Ville's inequality it ever exceeds 1 / α, for any n, with
probability α at most. So N is at least the number at which the mixture equals 1 / α, with
confidence 1 − α, whatever the game, and whenever the probes are ended (a test by betting:
Waudby-Smith & Ramdas, Estimating means of bounded random variables by betting, 2024). A tree is
refused only if this lower end is beyond a limit.

Nothing of the kind holds for the upper end, as a probe may miss a part of any size. It is three
standard errors above the mean: of a normal distribution, or of a lognormal one with the probes'
logarithms (Cox's interval: Zhou & Gao, Confidence intervals for the log-normal mean, 1997),
whichever is larger. It is as good as these describe the probes.

**Ends.** A probe that is cut short, by the clock or by a play that is too long, has only counted
the upper part of the tree: its result is a lower estimate.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import exp, inf, log, log2, sqrt
from random import Random
from statistics import fmean, variance
from typing import Any, NamedTuple, Protocol

from infoset import memory
from infoset.errors import InfosetError, TooLarge
from infoset.rules.moves import (
    DealsByNumber,
    Lotteries,
    Lottery,
    Menu,
    Payoffs,
    as_lottery,
    as_menu,
    check_menu,
    deal_lottery,
    plain_terms,
    roll_lottery,
    win_payoffs,
)
from infoset.rules.play import EVERYTHING, Play, Playable, not_together
from infoset.rules.position import Position, ReplayPosition
from infoset.rules.running import (
    MAX_MOVES,
    PROBES,
    SECONDS_OF_PROBES,
    Limits,
    TimeLimit,
    errors_located,
)
from infoset.text import place_text

PATIENCE = 4  # times as long by the clock, on a machine that is busy otherwise
COUNTED = 2_000  # nodes; smaller trees are counted
MOST_CHILDREN = 32  # of a representative that are visited
NUMBERS_APART = 32  # numbers of moves up to this one have strata of their own
HEAVIEST = 1e250  # a probe ends before its weights are beyond floats
SECONDS_GOING_ON = 0.5  # for one play, to see whether it ends
DOUBT = 1e-3  # the lower end is right with probability 1 − DOUBT
STAKES = {1.0: 1 / 2, 0.5: 1 / 4, 0.2: 1 / 8, 0.05: 1 / 8}  # λ, and its part of the mixture
STANDARD_ERRORS = 3

LEAST_BYTES = 17  # of a node, in the columns of the finished tree


# ------------------------------------------------------------------------ results


class Count(NamedTuple):
    """An estimated number, with its interval."""

    estimate: float
    low: float  # at least this, with confidence 99.9 %
    high: float  # inf if nothing can be said

    def __str__(self) -> str:
        """The number, rounded, and its interval."""
        return self.of("")

    def of(self, what: str) -> str:
        """So many of something.

        >>> Count(13107111.0, 11.1e6, 13107111.0).of("nodes"), Count(55.0, 55.0, 55.0).of("nodes")
        ('about 13,100,000 nodes (11,100,000 to 13,100,000)', '55 nodes')
        """
        what = what and f" {what}"
        if self.low == self.high:
            return f"{self.estimate:,.0f}{what}"
        if self.high == inf:
            return f"about {rounded(self.estimate)}{what}"
        return f"about {rounded(self.estimate)}{what} ({rounded(self.low)} to {rounded(self.high)})"


def rounded(number: float) -> str:
    """A number to three digits.

    >>> rounded(13107111), rounded(7.2523e19), rounded(12)
    ('13,100,000', '7.25e+19', '12')
    """
    if number >= 1e15:
        return f"{number:.3g}"
    return f"{float(f'{number:.3g}'):,.0f}"


@dataclass(frozen=True)
class TreeSize:
    """The size of a tree: counted, or estimated by random probes.

    Attributes
    ----------
    nodes, decisions, chances, leaves
        Each with an interval: its lower end is right with confidence 99.9 % whatever the game, its
        upper end assumes a normal or a lognormal distribution of the probes.
    depth
        Moves of the longest play that was met.
    probes
        How many there were; 0 if the tree was counted.
    whole
        False if no probe came to the end of all plays: then the counts are of the upper part of
        the tree, and it is larger.
    """

    name: str
    nodes: Count
    decisions: Count
    chances: Count
    leaves: Count
    depth: int
    probes: int
    whole: bool = True

    @property
    def exact(self) -> bool:
        """Whether the tree was counted."""
        return self.probes == 0

    def __repr__(self) -> str:
        return f"<Size of {self.name}: {self}>"

    def __str__(self) -> str:
        """In a few words."""
        beyond = "" if self.whole else f" down to depth {self.depth:,}, and more below"
        return f"{self.nodes.of('nodes')}{beyond}"


# ------------------------------------------------------------------------ walking


class Place(NamedTuple):
    """A node: who moves ("" for chance), the moves (none at a leaf), and how it is reached."""

    mover: str
    menu: Sequence[Any]
    at: Any

    @property
    def stratum(self) -> tuple[str, int]:
        """Places of one stratum are represented by one of them."""
        count = len(self.menu)
        if count <= NUMBERS_APART:
            return self.mover, count
        return self.mover, NUMBERS_APART + int(16 * log2(count / NUMBERS_APART))


class Ground(Protocol):
    """What is probed: a tree that can be walked from its root."""

    def root(self) -> Place:
        """Where all plays begin."""

    def child(self, place: Place, move: int) -> Place:
        """Where the move of this number leads."""


class _Asked(BaseException):
    """The moves are used up, and the rules ask for the next one."""


class Probe(Play):
    """A play along given moves up to the next question; nothing else is recorded."""

    __slots__ = ("_at", "_lotteries", "_moves", "_question", "_rules", "_start", "steps")

    def __init__(self, game: Playable, moves: tuple[Any, ...] = ()) -> None:
        """What follows these moves; a play can be made again and again."""
        super().__init__(game.seats)
        self._rules = game.rules
        self._start = moves
        self._lotteries = Lotteries()
        self._moves: tuple[Any, ...] = ()
        self._at = 0
        self._question: Place | None = None
        self.steps = 0  # runs of the rules

    def root(self) -> Place:
        """See :meth:`Ground.root`."""
        return self._reached(self._start)

    def child(self, place: Place, move: int) -> Place:
        """See :meth:`Ground.child`."""
        return self._reached((*place.at, place.menu[move]))

    def _reached(self, moves: tuple[Any, ...]) -> Place:
        self._moves, self._at, self._question = moves, 0, None
        self.steps += 1
        try:
            self._rules(self)
        except _Asked:
            pass
        except Exception:
            if self._question is None:  # else they were interrupted, and failed at cleaning up
                raise
        return self._question or Place("", (), moves)

    def place(self) -> str:
        """The moves so far, for a message."""
        return place_text([(None, move) for move in self._moves[: self._at]])

    # -------------------------------------------------------------------- what the rules may say

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`."""
        at = self._at
        if at < len(self._moves):
            self._at = at + 1
            return self._moves[at]
        if self._question is None:
            agent, menu = self.seats.agent(player), as_menu(options)
            check_menu(menu)
            return self._ask(self.agents[agent], menu)
        raise _Asked

    def _ask(self, mover: str, menu: Sequence[Any]) -> Any:
        """The run has come to its question, and ends."""
        self._question = Place(mover, menu, self._moves)
        raise _Asked

    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """See :meth:`Play.together`."""
        if not isinstance(menus, Mapping):
            raise not_together(menus)
        return {player: self.choose(player, options) for player, options in menus.items()}

    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """See :meth:`Play.chance`."""
        if self._at < len(self._moves):
            return self._draw(as_lottery)
        return self._draw(as_lottery, *plain_terms(outcomes, weights))

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Play.deal`; deals are not listed, of which there may be millions."""
        if self._at == len(self._moves) and self._question is None:
            deals = DealsByNumber(deck, sizes, hands)
            if deals.apply:
                return self._ask("", deals)
        return self._draw(deal_lottery, deck, sizes, hands)

    def roll(self, sides: Any = 6, *, dice: int = 1) -> Any:
        """See :meth:`Play.roll`."""
        return self._draw(roll_lottery, sides, dice)

    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """See :meth:`Play.reveal`."""

    def pay(self, player: str, amount: Any) -> None:
        """See :meth:`Play.pay`."""

    def win(self, player: str, amount: Any = 1) -> Payoffs:
        """See :meth:`Play.win`."""
        return win_payoffs(self.seats, player, amount)

    def _draw(self, make: Callable[..., Lottery], *terms: Any) -> Any:
        at = self._at
        if at < len(self._moves):
            self._at = at + 1
            return self._moves[at]
        if self._question is None:
            return self._ask("", self._lotteries.number(make, terms)[1])
        raise _Asked


class GoingOn(Probe):
    """A play in which everyone does again and again what it did most often in a play before.

    With another menu, players and chance take their first move.
    """

    __slots__ = ("_ends", "_habits", "_most", "endless", "made")

    def __init__(
        self, game: Playable, moves: Iterable[tuple[str, Sequence[Any], Any]], most: int
    ) -> None:
        """As in a play of these moves of players, or "" for chance; to ``most`` moves at most."""
        super().__init__(game)
        counts = Counter(((mover, menu), move) for mover, menu, move in moves)
        self._habits = {asked: move for (asked, move), _ in reversed(counts.most_common())}
        self._most = most
        self._ends = time.perf_counter() + SECONDS_GOING_ON
        self.made = 0  # moves
        self.endless = False  # has it come past the limit?

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`."""
        return self._again(self.agents[self.seats.agent(player)], as_menu(options))

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Play.deal`."""
        return self._draw(deal_lottery, deck, sizes, hands)

    def _draw(self, make: Callable[..., Lottery], *terms: Any) -> Any:
        return self._again("", self._lotteries.number(make, terms)[1])

    def _again(self, mover: str, menu: Sequence[Any]) -> Any:
        self.made += 1
        self.endless = self.made > self._most
        if self.endless or time.perf_counter() > self._ends:
            raise _Asked
        return self._habits.get((mover, menu), menu[0])

    def run(self) -> bool:
        """Does it go on past the limit, as far as could be seen in the time?"""
        with suppress(_Asked, Exception):  # what is wrong with rules, a build will come to
            self._rules(self)
        return self.endless


def goes_on(
    game: Playable, moves: Sequence[tuple[str, Sequence[Any], Any]], limits: Limits
) -> bool:
    """Does a play go on past the limit on moves, everyone doing what it did most often before?

    Parameters
    ----------
    game
        Players and rules.
    moves
        A play: who moved ("" for chance), the menu, and the move.
    limits
        How many moves a play may have; more are not tried than half a second allows.

    Examples
    --------
    >>> from infoset import game
    >>> @game(players=("one",))
    ... def patience(g):
    ...     while g.choose("one", ("stop", "wait")) == "wait":
    ...         pass
    ...     return {"one": 0}
    >>> goes_on(patience(), [("one", ("stop", "wait"), "wait")], Limits())
    True
    """
    play = GoingOn(game, moves, limits.max_moves)
    with TimeLimit(limits.seconds_per_move, lambda: play.made):
        return play.run()


class PositionGround:
    """What follows a position; of players who move simultaneously each has a node of its own."""

    def __init__(self, start: Position) -> None:
        """Begin at a position."""
        self.start = start

    def root(self) -> Place:
        """See :meth:`Ground.root`."""
        return self._place(self.start, ())

    def child(self, place: Place, move: int) -> Place:
        """See :meth:`Ground.child`."""
        position, chosen = place.at
        chosen = (*chosen, place.menu[move])
        if len(chosen) < len(position.movers):
            return self._place(position, chosen)
        return self._place(position.after(chosen if len(chosen) > 1 else chosen[0]), ())

    def _place(self, position: Position, chosen: Menu) -> Place:
        if position.over:
            return Place("", (), (position, ()))
        if not position.movers:
            outcomes = tuple(outcome for outcome, _ in position.chances())
            return Place("", outcomes, (position, ()))
        mover = position.movers[len(chosen)]
        return Place(mover, tuple(position.options(mover)), (position, chosen))


def ground_of(position: Position) -> Ground:
    """What follows a position, as it is walked fastest."""
    if isinstance(position, ReplayPosition) and position.plain:
        return Probe(position.game, position.moves)
    return PositionGround(position)


# ------------------------------------------------------------------------ probes


class Draws(Protocol):
    """The random draws of a probe; it has no others, so that a test can try them all."""

    def first(self, count: int) -> int:
        """One of so many children, each with the same probability."""

    def replaces(self, weight: float, total: float) -> bool:
        """Whether to take what has this part of the total weight."""


class RandomDraws:
    """Draws by a random number generator."""

    def __init__(self, seed: int = 0) -> None:
        """The same seed gives the same draws."""
        self._random = Random(seed)

    def first(self, count: int) -> int:
        """See :meth:`Draws.first`."""
        return self._random.randrange(count)

    def replaces(self, weight: float, total: float) -> bool:
        """See :meth:`Draws.replaces`."""
        return self._random.random() * total < weight


class Weights(NamedTuple):
    """The result of a probe: the weights of all kinds of nodes."""

    decisions: float
    chances: float
    leaves: float
    depth: int
    whole: bool  # did it come to the end of all plays?

    @property
    def nodes(self) -> float:
        """Of all kinds."""
        return self.decisions + self.chances + self.leaves


def probe(
    ground: Ground,
    draws: Draws,
    over: Callable[[], bool] = lambda: False,
    max_moves: int = MAX_MOVES,
    width: int = MOST_CHILDREN,
) -> Weights:
    """One probe of a tree, by heterogeneous sampling.

    Parameters
    ----------
    ground
        What is probed.
    draws
        All of its randomness.
    over
        Asked between two steps whether the time is over.
    max_moves
        The probe ends below so many moves.
    width
        The most children of a representative that are visited.

    Returns
    -------
    Weights
        Their expectations are the numbers of nodes; of the upper part of the tree, if the probe
        was cut short.

    Examples
    --------
    >>> from infoset.games import liars_dice
    >>> probe(Probe(liars_dice()), RandomDraws()).nodes
    294883.0
    """
    decisions = chances = leaves = 0.0
    level, depth = [(1.0, ground.root())], 0
    while True:
        for weight, place in level:
            if not place.menu:
                leaves += weight
            elif place.mover:
                decisions += weight
            else:
                chances += weight
        inner = [(weight, place) for weight, place in level if place.menu]
        heavy = max((weight for weight, _ in inner), default=0.0) > HEAVIEST
        ended = heavy or depth >= max_moves
        below = None if ended else _next_level(ground, inner, draws, over, width)
        if below is None or not inner:
            return Weights(decisions, chances, leaves, depth, whole=not inner)
        level, depth = below, depth + 1


def _next_level(
    ground: Ground,
    level: list[tuple[float, Place]],
    draws: Draws,
    over: Callable[[], bool],
    width: int,
) -> list[tuple[float, Place]] | None:
    """The representatives of the next level, with their weights; None if the time is over."""
    strata: dict[tuple[str, int], tuple[float, Place]] = {}
    for weight, place in level:
        count = len(place.menu)
        visited = min(count, width)
        first = draws.first(count) if visited < count else 0
        part = weight * count / visited
        for turn in range(visited):
            if over():
                return None
            child = ground.child(place, (first + turn * count // visited) % count)
            stratum = child.stratum
            if stratum not in strata:
                strata[stratum] = part, child
                continue
            before, known = strata[stratum]
            total = before + part
            strata[stratum] = total, child if draws.replaces(part, total) else known
    return list(strata.values())


def counted(ground: Ground, most: int, over: Callable[[], bool]) -> Weights | None:
    """All nodes of a tree, if it has no more than so many and there is time to visit them."""
    decisions = chances = leaves = deepest = 0
    place, depth, seen = ground.root(), 0, 1
    waiting: list[tuple[Place, int, int]] = []  # a place, the number of a move, the depth below
    while True:
        decisions += bool(place.menu and place.mover)
        chances += bool(place.menu and not place.mover)
        leaves += not place.menu
        seen += len(place.menu)
        if seen > most or over():
            return None
        waiting += [(place, move, depth + 1) for move in range(len(place.menu))]
        if not waiting:
            return Weights(decisions, chances, leaves, deepest, whole=True)
        above, move, depth = waiting.pop()
        deepest = max(deepest, depth)
        place = ground.child(above, move)


class Stopwatch:
    """Counts seconds of computing, so that a busy machine changes little, and looks at the clock.

    >>> Stopwatch(60.0).over(), Stopwatch(0.0).over()
    (False, True)
    """

    def __init__(self, seconds: float) -> None:
        """Begin now."""
        self._seconds = seconds
        self._began = time.thread_time()
        self._latest = time.perf_counter() + PATIENCE * seconds

    @property
    def elapsed(self) -> float:
        """Seconds of computing since the beginning."""
        return time.thread_time() - self._began

    def over(self) -> bool:
        """Is the time over?"""
        return self.elapsed >= self._seconds or time.perf_counter() >= self._latest


class Probes:
    """The probes of one tree, more and more of them.

    Parameters
    ----------
    name
        Of the game.
    ground
        What is probed: :class:`Probe` for rules, :func:`ground_of` a position.
    limits
        The longest play, and the time that rules may take for a move.
    seed
        The same seed gives the same probes.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> Probes("what follows the deal", ground_of(kuhn().position().after("J Q"))).measure()
    <Size of what follows the deal: 9 nodes>
    """

    def __init__(
        self, name: str, ground: Ground, limits: Limits | None = None, seed: int = 0
    ) -> None:
        """No probe yet."""
        self.name = name
        self.ground = ground
        self.limits = limits or Limits()
        self.found: list[Weights] = []
        self.cut: Weights | None = None  # one that was cut short
        self._draws = RandomDraws(seed)
        self._width = MOST_CHILDREN

    def measure(self, count: int = PROBES, seconds: float = SECONDS_OF_PROBES) -> TreeSize:
        """The size: counted if the tree is small, else estimated by so many probes.

        They end sooner when the time is over.
        """
        watch = Stopwatch(seconds / 2)
        with self.guarded():
            whole = counted(self.ground, COUNTED, watch.over)
            if whole is None:
                self.add(count, seconds - watch.elapsed)
                return self.size()
        return self._size([whole], lambda exactly: Count(exactly[0], exactly[0], exactly[0]), 0)

    def add(self, count: int, seconds: float) -> None:
        """Make so many probes, or fewer if the time does not last.

        If not even one came to its end, later ones visit fewer children: a narrow probe says less
        than a wide one, and more than none.
        """
        watch = Stopwatch(seconds)
        for _ in range(count):
            found = probe(self.ground, self._draws, watch.over, self.limits.max_moves, self._width)
            if not found.whole:
                self.cut = found
                if not self.found:
                    self._width = max(1, self._width // 8)
                return
            self.found.append(found)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """While rules are run: say where an error happened, stop what computes for ever."""
        ground, seconds = self.ground, self.limits.seconds_per_move
        if not isinstance(ground, Probe):
            yield
            return
        limit = TimeLimit(seconds, lambda: ground.steps)
        with errors_located(self.name, ground.place, seconds, limit), limit:
            yield

    def size(self) -> TreeSize:
        """What is known by now."""
        if self.found:
            return self._size(self.found, interval, len(self.found))
        cut = self.cut or Weights(0, 0, 0, 0, whole=False)
        return self._size([cut], lambda least: interval(least)._replace(high=inf), 1)

    def _size(
        self, found: list[Weights], count: Callable[[list[float]], Count], probes: int
    ) -> TreeSize:
        return TreeSize(
            self.name,
            nodes=count([one.nodes for one in found]),
            decisions=count([one.decisions for one in found]),
            chances=count([one.chances for one in found]),
            leaves=count([one.leaves for one in found]),
            depth=max(one.depth for one in found),
            probes=probes,
            whole=found[0].whole,
        )


# ------------------------------------------------------------------------ intervals


def interval(results: Sequence[float]) -> Count:
    """The mean of the probes' results, and its interval."""
    return Count(fmean(results), low_end(results), high_end(results))


def low_end(results: Sequence[float], doubt: float = DOUBT) -> float:
    """A number that the mean of a nonnegative distribution is not below, with confidence.

    Parameters
    ----------
    results
        Independent draws from the distribution.
    doubt
        The probability that the mean is lower all the same, at most.

    Returns
    -------
    float
        The lower end.

    Examples
    --------
    >>> round(low_end([100.0] * 64), 1), round(low_end([100.0]), 3)
    (88.8, 0.066)
    """
    if not any(results):
        return 0.0
    low = high = log(max(results))  # no mean above the largest result is beyond doubt
    while _log_wealth(results, low) < -log(doubt):
        low -= 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _log_wealth(results, middle) < -log(doubt):
            high = middle
        else:
            low = middle
    return exp(low)


def _log_wealth(results: Sequence[float], log_mean: float) -> float:
    """The logarithm of the mixture over λ of Πᵢ (1 − λ + λ Xᵢ / mean)."""
    ratios = [exp(min(log(result) - log_mean, 700.0)) if result else 0.0 for result in results]
    parts = []
    for stake, part in STAKES.items():
        factors = [1.0 - stake + stake * ratio for ratio in ratios]
        if all(factors):
            parts.append(log(part) + sum(map(log, factors)))
    largest = max(parts)
    return largest + log(sum(exp(part - largest) for part in parts))


def high_end(results: Sequence[float]) -> float:
    """Three standard errors above the mean, of a normal or a lognormal distribution.

    >>> high_end([100.0]), round(high_end([90.0, 100.0, 110.0]), 1)
    (inf, 119.3)
    """
    count, mean = len(results), fmean(results)
    if count < 2:
        return inf
    scaled = [result / mean for result in results] if mean else [0.0]
    normal = mean + mean * STANDARD_ERRORS * sqrt(fmean([(one - 1) ** 2 for one in scaled]) / count)
    if not all(results):
        return normal
    logarithms = [log(result) for result in results]
    spread = variance(logarithms)
    error = sqrt(spread / count + spread**2 / (2 * (count - 1)))
    centre = fmean(logarithms) + spread / 2
    return max(normal, exp(min(centre + STANDARD_ERRORS * error, 700.0)))


# ------------------------------------------------------------------------ while a tree is built

FIRST_LOOK = 10  # nodes
LOOK_AT = 50_000  # nodes, where a build makes its first probes
SLOW = 0.1  # seconds, after which it makes them with fewer nodes
FEW_PROBES, SHORT_TIME = 16, 0.1  # that are made at first, and suffice if all is clear by then
NEAR = 4  # trees estimated at less than a quarter of the limit are clear


class Outlook:
    """What is known about the size of a tree while it is built, and whether to go on.

    A build asks whenever it has come so far: small trees never make a probe. If the tree is close
    to a limit, or the rules are so slow that no probe comes to its end, more probes are made as the
    build goes on, for a fifth of its time.
    """

    look_at = LOOK_AT

    def __init__(self, probes: Probes) -> None:
        """Before the build begins."""
        self.probes = probes
        self.limits = probes.limits
        self.size: TreeSize | None = None
        self.until = min(FIRST_LOOK, self.limits.max_nodes)  # ask again beyond so many nodes
        self._began = time.perf_counter()

    def look(self, nodes: int) -> None:
        """Decide whether to go on, with so many nodes built.

        Raises
        ------
        TooLarge
            If the tree is beyond a limit: certainly, or with confidence 99.9 %.
        """
        most = self.limits.max_nodes
        if nodes > most:
            if self.size is None:
                self._probe(FEW_PROBES, SHORT_TIME)
            raise self._beyond_limit()
        if self.size is None and nodes < self.look_at and self.elapsed < SLOW:
            self.until = min(2 * nodes, most)
            return
        self.foresee()
        self.until = min(2 * nodes, most) if self._unclear() else most

    def foresee(self) -> None:
        """Make probes, and refuse what they show to be beyond a limit."""
        elapsed = self.elapsed
        if self.size is None:
            self._probe(FEW_PROBES, SHORT_TIME)
        if self._unclear():
            self._probe(PROBES, max(SECONDS_OF_PROBES, elapsed / 5))
        if self.size is not None:
            self._decide(self.size)

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self._began

    def _unclear(self) -> bool:
        """Might the tree be beyond a limit, or within?"""
        size, most = self.size, min(self.limits.max_nodes, nodes_in_memory())
        if size is None:
            return False
        return size.nodes.low <= most and (not size.whole or size.nodes.estimate > most / NEAR)

    def _decide(self, size: TreeSize) -> None:
        if self.limits.expect is not None:
            self.limits.expect(size)
        if size.nodes.low > self.limits.max_nodes:
            raise self._beyond_limit()
        self._check_memory(size)

    def _probe(self, count: int, seconds: float) -> None:
        try:
            with self.probes.guarded():
                self.probes.add(count, seconds)
        except InfosetError:  # the build itself will come to it, and says what it is
            return
        self.size = self.probes.size()

    def _beyond_limit(self) -> TooLarge:
        about = f": by random probes {self.size}" if self.size else ""
        return TooLarge(
            f"{self.probes.name}: the tree has more than {self.limits.max_nodes:,} nodes{about};"
            " raise max_nodes= or choose smaller parameters",
            size=self.size,
        )

    def _check_memory(self, size: TreeSize) -> None:
        fit = nodes_in_memory()
        if size.nodes.low > fit:
            raise TooLarge(
                f"{self.probes.name}: the tree has more than the {rounded(fit)} nodes that memory"
                f" is free for: by random probes {size}; choose smaller parameters",
                size=size,
            )


def nodes_in_memory() -> float:
    """The most nodes that the columns of a tree have memory for."""
    return bytes_free() / LEAST_BYTES


def bytes_free() -> float:
    """Bytes of memory that a build may take."""
    room = memory.available()
    return inf if room is None else max(room - memory.KEEP_FREE, 0)
