"""Games of any number of players: a sequential equilibrium by quantal response equilibria.

If all players choose better actions more often, with precision λ, there is for each λ at least one
profile in which all do so in response to each other: an agent quantal response equilibrium
(McKelvey & Palfrey 1998). Those connected to uniform play, λ = 0, form a curve that leads to λ = ∞
and there to a Nash equilibrium (Turocy 2005, 2010). Since every action has positive probability on
the way, there are beliefs at every information set, and the limit of both is a *sequential*
equilibrium.

    :mod:`infoset.solvers.qre.path`     payoffs of actions, their derivatives, and the curve
    :mod:`infoset.solvers.qre.limit`    its limit: rational probabilities, or many digits; beliefs

The limit is estimated at λ = 10^4, 10^5, ... over the range of payoffs. The first estimate against
which no player can gain more than a negligible amount, at any information set, ends the search.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from infoset.errors import NotApplicable, OutOfTime, TooLarge
from infoset.linear.numbers import Numbers
from infoset.solvers.options import Found, Options
from infoset.solvers.qre.limit import (
    Indifference,
    Limit,
    LimitTrembles,
    Probabilities,
    extrapolated,
    nearby,
    rounded,
    strategies,
)
from infoset.solvers.qre.path import LogitAgents, PathPoint, branch
from infoset.solvers.registry import MOST_IN_A_ROW, longest_play
from infoset.strategy import profile
from infoset.strategy.assessment import Assessment, is_sequentially_rational
from infoset.text import decimal_above
from infoset.tree import Tree

FIRST_TRY, LAST_TRY = 1e4, 1e8  # λ, for payoffs with a range of 1
APART = 8.0  # ratio of λ between the two points of an extrapolation
MOST_ACTIONS = 4000  # the dimension of a dense system that is solved some hundred times
MOST_PAIRS = 30_000_000  # of nodes and decisions above them
MOST_STEPS = 5000
NEGLIGIBLE = Fraction(1, 10**30)  # a gain, relative to the range of payoffs, that is negligible
STOPPED = "stopped before the end of the branch"
LOST = "the branch could not be followed to its end"
NEARLY = "at unreached sets the limit is irrational: sequentially rational there to many digits"
NO_FRACTIONS = "no rational limit was recognized"


def find(tree: Tree, options: Options) -> Found:
    """The equilibrium to which the principal branch of logit equilibria leads."""
    agents = _agents(tree)
    if not len(agents):
        empty = strategies(agents, [])
        return Found(empty, {"steps": 0}, assessment=Assessment(profile(empty), ()))
    points: list[PathPoint] = []
    best: _Candidate | None = None
    following, note = FIRST_TRY, LOST
    for point in _in_time(branch(agents)):
        points.append(point)
        if len(points) % 8 == 1:
            told = decimal_above(Fraction(point.loss) * agents.scale)
            options.tell(f"lambda {point.precision:.3g} over the range of payoffs, regret {told}")
        if options.over():
            break
        if point.precision >= following:
            following = point.precision * 10
            best = _better(best, _best_candidate(points, options))
            if best is not None and best.final:
                note = NO_FRACTIONS if best.regret else ""
                break
        if point.precision >= LAST_TRY or len(points) >= MOST_STEPS:
            note = NO_FRACTIONS
            break
    if options.over() and (best is None or not best.final):
        note = STOPPED
        if best is None:
            played = strategies(agents, nearby(agents, points[-1]))
            return Found(played, {"steps": len(points)}, note, "no time was left for beliefs")
    elif best is None or not best.final:
        best = _better(best, _best_candidate(points, options))
    if best is None or not (best.final or note == STOPPED):
        last = _last_point(points[-1])
        best = _better(best, last) or last
    found = tuple(best.assessment)
    remark = NEARLY if not best.regret and best.gain and best.sequential else ""
    return Found(found, {"steps": len(points)}, note, remark, assessment=best.assessment)


def _in_time(points: Iterator[PathPoint]) -> Iterator[PathPoint]:
    """The points that are reached in time, at least one."""
    yield next(points)
    with suppress(OutOfTime):
        yield from points


def _for_long_plays(tree: Tree) -> str:
    """The method to use instead."""
    if tree.perfect_information:
        return "backward finds a subgame-perfect equilibrium"
    return "discounted-cfr takes such games"


def _agents(tree: Tree) -> LogitAgents:
    """The tree's agents, if the method applies."""
    if not tree.perfect_recall:
        raise NotApplicable(
            f"{tree.name}: qre needs perfect recall, but {tree.perfect_recall.because}: an"
            " equilibrium of its agents need not be one of the player; behaviour applies, or"
            " normal-lp and lemke-howson for two players"
        )
    agents = LogitAgents(tree)
    count = len(agents)
    if count > MOST_ACTIONS:
        raise TooLarge(
            f"{tree.name}: qre solves dense systems of {count:,} actions"
            f" ({8 * count * count / 2**30:.1f} GiB each), more than {MOST_ACTIONS:,}: take a"
            " smaller game of the family"
        )
    longest = longest_play(tree)
    if longest > MOST_IN_A_ROW:
        raise TooLarge(
            f"{tree.name}: qre multiplies the probabilities of {longest:,} own choices in a row as"
            f" fractions, more than {MOST_IN_A_ROW}; {_for_long_plays(tree)}"
        )
    pairs = len(tree) * len(tree.levels)
    if pairs > MOST_PAIRS:
        raise TooLarge(
            f"{tree.name}: qre keeps up to {pairs:,} pairs of a node and a decision above it, more"
            f" than {MOST_PAIRS:,}: take a smaller game of the family"
        )
    return agents


@dataclass(eq=False)
class _Candidate:
    """A candidate: probabilities of all actions, beliefs at all sets, and its gains."""

    agents: LogitAgents
    probabilities: Probabilities
    believed: list[list[Fraction]]  # [infoset]

    def __post_init__(self) -> None:
        together = profile(strategies(self.agents, self.probabilities))
        beliefs = tuple(Numbers.of(values) for values in self.believed)
        self.assessment = Assessment(together, beliefs)
        self.regret = Fraction(together.regret)
        self.gain: Fraction | None = None  # at any information set; computed for equilibria only
        if not self.regret:
            self.gain = is_sequentially_rational(self.assessment).gain

    @property
    def sequential(self) -> bool:
        """Is the largest gain at any information set negligible?

        It need not be zero where the limit is irrational at sets that no play reaches.
        """
        return self.gain is not None and self.gain <= NEGLIGIBLE * self.agents.scale

    @property
    def final(self) -> bool:
        """Can no better candidate be expected?"""
        regrets = self.assessment.profile.regrets.values()
        return self.sequential or (
            self.regret > 0
            and all(
                own <= NEGLIGIBLE * scale
                for own, scale in zip(regrets, self.agents.scales, strict=True)
            )
        )

    @property
    def rank(self) -> tuple[Fraction, Fraction]:
        """Sort key: the smaller the better."""
        return self.regret, self.gain or Fraction(0)


def _better(one: _Candidate | None, two: _Candidate | None) -> _Candidate | None:
    if one is None or two is None:
        return two if one is None else one
    return two if two.rank < one.rank else one


def _best_candidate(points: list[PathPoint], options: Options) -> _Candidate | None:
    """The best candidate from the last point of the branch and one far before it."""
    now = points[-1]
    earlier = [point for point in points if 0 < point.precision * APART <= now.precision]
    if not earlier or options.exact is False:
        return None
    limit = extrapolated(earlier[-1], now)
    best: _Candidate | None = None
    for probabilities in _candidates(limit, options):
        if any(
            probability <= 0
            for probability, own in zip(probabilities, limit.played, strict=True)
            if own
        ):
            continue  # the solution of the equations is not a strategy
        for slack in (1.0, 10.0, 100.0):  # beliefs that are rounded more and more coarsely
            believed = limit.trembles.beliefs(probabilities, limit.trembles.odds(slack))
            answer = _Candidate(limit.agents, probabilities, believed)
            best = _better(best, answer)
            if answer.regret or answer.sequential:
                break
        if options.over() or (best is not None and best.sequential):
            break
    return best


def _candidates(limit: Limit, options: Options) -> Iterator[Probabilities]:
    """Estimates of the limit, the simplest first."""
    if limit.error < 0.01:
        yield rounded(limit, 10.0 * limit.error + 1e-9)
    if options.over():
        return
    yield from Indifference(limit, options.over).solutions()


def _last_point(point: PathPoint) -> _Candidate:
    """The last point of the branch, as binary fractions."""
    agents = point.evaluation.agents
    probabilities = nearby(agents, point)
    trembles = LimitTrembles(
        point, point, np.array([probability > 0 for probability in probabilities])
    )
    return _Candidate(agents, probabilities, trembles.beliefs(probabilities, trembles.odds(0.0)))
