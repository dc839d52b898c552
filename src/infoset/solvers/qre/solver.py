"""Games of any number of players: quantal response equilibria, followed to a sequential one.

Players who err are easier to follow than players who do not. If everyone chooses better actions
more often, with precision λ, there is for each λ at least one profile in which all do so in answer
to each other: an agent quantal response equilibrium (McKelvey & Palfrey 1998). Those connected to
random play, λ = 0, form a curve, which leads to λ = ∞ and there to a Nash equilibrium (Turocy 2005,
2010). Since everything is played with positive probability on the way, there are beliefs at every
information set, and the limit of both is a *sequential* equilibrium.

    :mod:`infoset.solvers.qre.path`                payoffs of actions and their derivatives
    :mod:`infoset.solvers.qre.path`           the curve, followed by its length
    :mod:`infoset.solvers.qre.limit`          its end, guessed
    :mod:`infoset.solvers.qre.limit`   and in rational numbers, or many digits
    :mod:`infoset.solvers.qre.limit`        what to believe there

The limit is tried at λ = 10^4, 10^5, ... over the largest difference of payoffs. The first try that
nobody can gain against, by as much as a hair and at any information set, ends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from infoset.errors import NotApplicable, TooLarge
from infoset.linear.numbers import Numbers
from infoset.solvers.options import Found, Options
from infoset.solvers.qre.limit import (
    Indifference,
    Limit,
    Shares,
    Trembles,
    guessed,
    nearby,
    rounded,
    strategies,
)
from infoset.solvers.qre.path import Agents, Point, branch
from infoset.strategy import profile
from infoset.strategy.assessment import Assessment, is_sequentially_rational
from infoset.text import decimal_above
from infoset.tree import Tree

FIRST_TRY, LAST_TRY = 1e4, 1e8  # λ, for payoffs that differ by 1 at most
APART = 8.0  # times the λ of the point that the limit is drawn from
MOST_ACTIONS = 4000  # a matrix of their square is solved some hundred times
MOST_PAIRS = 30_000_000  # of nodes and decisions above them
MOST_STEPS = 5000
HAIR = Fraction(1, 10**30)  # a regret, as a part of the payoffs' span, that ends the search
STOPPED = "stopped before the branch had come to its end"
LOST = "the branch could not be followed to its end"
NEARLY = "where no play comes the limit is irrational: sequentially rational there to many digits"
NO_FRACTIONS = "no rational limit was recognized"


def find(tree: Tree, options: Options) -> Found:
    """The equilibrium to which the principal branch of logit equilibria leads."""
    agents = _agents(tree)
    if not len(agents):
        nobody = strategies(agents, [])
        return Found(nobody, {"steps": 0}, assessment=Assessment(profile(nobody), ()))
    trail: list[Point] = []
    best: _Answer | None = None
    following, note = FIRST_TRY, LOST
    for point in branch(agents):
        trail.append(point)
        if len(trail) % 8 == 1:
            told = decimal_above(Fraction(point.loss) * agents.span)
            options.tell(f"lambda {point.precision:.3g} over the span of payoffs, regret {told}")
        if options.over():
            note = STOPPED
            break
        if point.precision >= following:
            following = point.precision * 10
            best = _better(best, _tried(trail, options))
            if best is not None and best.final:
                note = NO_FRACTIONS if best.regret else ""
                break
        if point.precision >= LAST_TRY or len(trail) >= MOST_STEPS:
            note = NO_FRACTIONS
            break
    if best is None or not best.final:
        best = _better(best, _tried(trail, options))
    if best is None or not best.final:
        last = _as_it_is(trail[-1])
        best = _better(best, last) or last
    found = tuple(best.assessment)
    remark = NEARLY if not best.regret and best.gain and best.sequential else ""
    return Found(found, {"steps": len(trail)}, note, remark, assessment=best.assessment)


def _agents(tree: Tree) -> Agents:
    """The tree's agents, if the method can do anything with them."""
    if not tree.perfect_recall:
        raise NotApplicable(
            f"{tree.name}: qre needs perfect recall, but {tree.perfect_recall.because}: agents who"
            " do not remember may agree where their player would not; for two, normal-lp or"
            " lemke-howson will do"
        )
    agents = Agents(tree)
    count = len(agents)
    if count > MOST_ACTIONS:
        raise TooLarge(
            f"{tree.name}: qre solves dense systems as large as there are actions, {count:,} of"
            f" them ({8 * count * count / 2**30:.1f} GiB each); up to {MOST_ACTIONS:,} will do:"
            " take a smaller member of the family"
        )
    pairs = len(tree) * len(tree.levels)
    if pairs > MOST_PAIRS:
        raise TooLarge(
            f"{tree.name}: qre keeps up to {pairs:,} pairs of a node and a decision above it; up to"
            f" {MOST_PAIRS:,} will do: take a smaller member of the family"
        )
    return agents


@dataclass(eq=False)
class _Answer:
    """A candidate: shares of all actions, beliefs at all sets, and what speaks for it."""

    agents: Agents
    probabilities: Shares
    believed: list[list[Fraction]]  # [infoset]

    def __post_init__(self) -> None:
        together = profile(strategies(self.agents, self.probabilities))
        beliefs = tuple(Numbers.of(values) for values in self.believed)
        self.assessment = Assessment(together, beliefs)
        self.regret: Fraction = together.regret
        self.gain: Fraction | None = None  # at any information set; looked for in equilibria only
        if not self.regret:
            self.gain = is_sequentially_rational(self.assessment).gain

    @property
    def sequential(self) -> bool:
        """Is there nothing to be gained anywhere, by more than a hair?

        A hair it may be where the limit is irrational at sets that no play comes to.
        """
        return self.gain is not None and self.gain <= HAIR * self.agents.span

    @property
    def final(self) -> bool:
        """Is there nothing better to be hoped for?"""
        regrets = self.assessment.profile.regrets.values()
        return self.sequential or (
            self.regret > 0
            and all(
                own <= HAIR * span for own, span in zip(regrets, self.agents.spans, strict=True)
            )
        )

    @property
    def rank(self) -> tuple[Fraction, Fraction]:
        """The smaller the better."""
        return self.regret, self.gain or Fraction(0)


def _better(one: _Answer | None, two: _Answer | None) -> _Answer | None:
    if one is None or two is None:
        return two if one is None else one
    return two if two.rank < one.rank else one


def _tried(trail: list[Point], options: Options) -> _Answer | None:
    """The best answer that the last point of the trail, and one far before it, lead to."""
    now = trail[-1]
    earlier = [point for point in trail if 0 < point.precision * APART <= now.precision]
    if not earlier or options.exact is False:
        return None
    limit = guessed(earlier[-1], now)
    best: _Answer | None = None
    for probabilities in _candidates(limit, options):
        if any(share <= 0 for share, own in zip(probabilities, limit.played, strict=True) if own):
            continue  # the solution of the equations is no strategy
        for slack in (1.0, 10.0, 100.0):  # beliefs that are rounded ever more boldly
            believed = limit.trembles.beliefs(probabilities, limit.trembles.odds(slack))
            answer = _Answer(limit.agents, probabilities, believed)
            best = _better(best, answer)
            if answer.regret or answer.sequential:
                break
        if options.over() or (best is not None and best.sequential):
            break
    return best


def _candidates(limit: Limit, options: Options) -> Iterator[Shares]:
    """Guesses at the limit, the simplest first."""
    if limit.error < 0.01:
        yield rounded(limit, 10.0 * limit.error + 1e-9)
    if options.over():
        return
    yield from Indifference(limit, options.over).solutions()


def _as_it_is(point: Point) -> _Answer:
    """The last point of the branch, in binary fractions."""
    agents = point.worth.agents
    probabilities = nearby(agents, point)
    trembles = Trembles(point, point, np.array([share > 0 for share in probabilities]))
    return _Answer(agents, probabilities, trembles.beliefs(probabilities, trembles.odds(0.0)))
