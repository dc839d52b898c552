"""The best behaviour strategies of players who forget, and equilibria in behaviour strategies.

A behaviour strategy draws anew at each information set. For players who remember everything that is
as good as anything (Kuhn 1953). For those who forget it is another matter: a team that cannot agree
beforehand gets less than mixed strategies promise it, and a player who does not know whether it has
been there before may get more (Piccione & Rubinstein 1997).

*One player.* Its payoff is a polynomial in its probabilities; the largest value is found and proved
by :mod:`infoset.strategy.absentminded.response`.

*Several players.* Wanted are behaviour strategies of which each is best against the others, among
behaviour strategies. There may be none (Wichardt 2008). The search goes from cheap to dear, and
each candidate's regrets are proved in rational arithmetic:

1. players in turn change to a best response, exactly; if all are content, that is an equilibrium;
2. a path of ever more precise play (:mod:`infoset.solvers.behaviour.candidates`) is followed from
   random play on; the actions in use at its end, and Newton's method
   (:mod:`infoset.solvers.behaviour.candidates`), give probabilities at which these are equally
   good, in fractions;
3. in small games all ways to choose the actions in use are tried like that, and then the ends of
   some random starts;
4. if none of these is an equilibrium, the least regret is lowered step by step, all profiles are
   cut into boxes, and for each box someone who gains everywhere in it is sought
   (:mod:`infoset.solvers.behaviour.nonexistence`): that proves that there is no equilibrium.

What is given then is the profile with the least regret, and the proof if it came to an end. Games
of two in which everyone remembers go to :mod:`~infoset.solvers.lp` or :mod:`~infoset.solvers.lcp`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from infoset.errors import NoEquilibrium
from infoset.linear.numbers import Array
from infoset.solvers.behaviour.candidates import (
    Agents,
    Floats,
    all_supports,
    better_reply_dynamics,
    count_supports,
    level,
    logit_path,
    sharpened,
    support_of,
)
from infoset.solvers.behaviour.nonexistence import excluded, simple_below
from infoset.solvers.options import Found, Options
from infoset.strategy import Behaviour, profile
from infoset.strategy.absentminded.response import behaviour_regrets, behaviour_response
from infoset.strategy.equivalence import as_behaviour
from infoset.text import decimal_above
from infoset.tree import Tree

NONE = Fraction(1, 10**12)  # of the largest payoff: a regret that counts as none where proved
ROUNDS = 60  # in which players change to best responses
STARTS = 3  # of such rounds
LONG_PATH = 250  # choices up to which the path of precise play is followed first
LONGEST_PATH = 400  # up to which it is followed at all
DRIFTS = 8  # further starts
IN_USE = (
    1e-1,
    1e-2,
    1e-3,
    1e-5,
)  # probabilities at the path's end that make an action count as in use
COARSE = (12, 1000, 10**6)  # denominators for probabilities that the equations leave free
MOST_SUPPORTS = 1_000
SMALL = 24  # choices up to which a regret is lowered step by step
FINEST, CALMING = Fraction(1, 200), 400  # steps and tries at that
RECENT = 60  # responses that a step is tried against before its regret is proved
EACH = 2_000_000  # work on the proof of a candidate's regret


def find(tree: Tree, options: Options) -> Found:
    """The best behaviour strategy of one player; of several, an equilibrium or what is nearest."""
    if len(tree.players) == 1:
        return _alone(tree, options)
    if len(tree.players) == 2 and tree.perfect_recall:
        return _remembered(tree, options)
    hunt = _Hunt(tree, options)
    for candidate in hunt.candidates():
        if hunt.offer(candidate) or options.over():
            break
    return hunt.concluded()


def _alone(tree: Tree, options: Options) -> Found:
    """One player, or a team."""
    options.tell("branch and bound")
    always = tree.nature.take(tree.leaf_indices)
    best = behaviour_response(tree, 0, always, over=options.over)
    gap, remark, note = best.most - best.value, "", ""
    if not gap and best.proved:
        remark = "no behaviour strategy is better, proved"
    elif options.over():  # how close it came the certificate says, which looks again
        note = "stopped before the end"
    elif best.proved:
        note = f"no behaviour strategy gets more than {decimal_above(gap)} above this one, proved"
    else:
        note = "that no behaviour strategy is better is what integer programming says, in floats"
    return Found((best.strategy,), {"boxes": best.pieces}, note, remark, behavioural=True)


def _remembered(tree: Tree, options: Options) -> Found:
    """Everyone remembers: any equilibrium has its behaviour strategies."""
    from infoset.solvers import lcp, lp

    found = (lp if tree.constant_sum else lcp).find(tree, options)
    strategies = tuple(map(as_behaviour, found.strategies))
    remark = f"everyone remembers: found by {'lp' if tree.constant_sum else 'lcp'}"
    return Found(strategies, found.work, found.note, remark, behavioural=True)


class _Hunt:
    """The search for an equilibrium: what was looked at, and the best of it."""

    def __init__(self, tree: Tree, options: Options) -> None:
        self.tree, self.options = tree, options
        self.agents = Agents(tree)
        self.best: tuple[Behaviour, ...] = ()
        self.regret: Fraction | None = None
        self.proved = True
        self.known: list[tuple[int, Array]] = []  # players and responses that were best somewhere
        self.work = {"candidates": 0, "responses": 0, "boxes": 0}

    def candidates(self) -> Iterator[Array]:
        """Exact shares of all choices, the likeliest candidates first."""
        yield from self.by_responding()
        if self.agents.begin[-1] <= LONG_PATH:
            yield from self.by_path()
        if count_supports(self.agents) <= MOST_SUPPORTS:
            yield from self.by_supports()
        yield from self.by_drifting()
        if LONG_PATH < self.agents.begin[-1] <= LONGEST_PATH:  # this takes a while
            yield from self.by_path()

    def offer(self, probabilities: Array) -> bool:
        """Take a candidate if its regret is the least so far; is it an equilibrium?"""
        strategies = self.agents.strategies(probabilities)
        self.work["candidates"] += 1
        regrets = behaviour_regrets(profile(strategies), work=EACH, over=self.options.over)
        self.known += [
            (at, one.response.probabilities[1:]) for at, one in enumerate(regrets.values())
        ]
        worst = max(regret.at_most for regret in regrets.values())
        if self.regret is None or worst < self.regret:
            self.best, self.regret = strategies, worst
            self.proved = all(regret.proved for regret in regrets.values())
            self.options.tell(f"regret {decimal_above(worst)}")
        return self.content

    @property
    def content(self) -> bool:
        """Is the best profile an equilibrium, up to what irrational numbers make of it?"""
        return self.regret is not None and self.regret <= NONE * self.agents.scale

    # ------------------------------------------------------------------ where candidates come from

    def by_responding(self) -> Iterator[Array]:
        """Ends of rounds in which each player in turn changes to a best response."""
        for start in range(STARTS):
            self.options.tell(f"best responses, start {start + 1}")
            probabilities = self.agents.normal(self.agents.even())
            if start:
                probabilities = self._some_pure(start)
            yield probabilities
            yield from self._rounds(probabilities)

    def _some_pure(self, start: int) -> Array:
        probabilities = np.array([Fraction(0)] * self.agents.begin[-1], object)
        for at, own in enumerate(self.agents.sets):
            probabilities[own[(start * (at + 1)) % len(own)]] = Fraction(1)
        return probabilities

    def _rounds(self, probabilities: Array) -> Iterator[Array]:
        seen: set[int] = set()
        for _ in range(ROUNDS):
            content = True
            for number, player in enumerate(self.tree.names):
                now = profile(self.agents.strategies(probabilities))
                others = now.reach(self.tree.leaf_indices, without=number)
                best = behaviour_response(
                    self.tree, number, others, work=EACH, over=self.options.over
                )
                self.work["responses"] += 1
                if best.value > now.payoffs[player]:
                    content = False
                    probabilities = probabilities.copy()
                    begin, end = self.agents.begin[number : number + 2]
                    probabilities[begin:end] = best.strategy.probabilities[1:]
            state = hash(tuple(probabilities.tolist()))
            if content or state in seen or self.options.over():
                yield probabilities
                return
            seen.add(state)

    def by_path(self) -> Iterator[Array]:
        """Level profiles near the end of the path of ever more precise play."""
        self.options.tell("ever more precise play")
        yield from self.near(list(logit_path(self.agents, self.options.over))[-1])

    def by_drifting(self) -> Iterator[Array]:
        """Where sets that move towards better actions come to, from several starts."""
        for seed in range(DRIFTS):
            self.options.tell(f"start {seed + 1} of {DRIFTS}")
            end = better_reply_dynamics(self.agents, seed, self.options.over)
            if self.agents.begin[-1] <= LONG_PATH:
                yield from self.near(end)
            else:
                yield self.agents.normal(end)

    def near(self, end: Floats) -> Iterator[Array]:
        """Level profiles near one, by which actions are in use there; and itself."""
        tried = []
        for least in IN_USE:
            support = support_of(self.agents, end, least)
            if support in tried:
                continue
            tried.append(support)
            near = level(self.agents, end, support)
            if near is not None:
                for coarse in COARSE:
                    yield sharpened(self.agents, near, support, coarse)
        yield self.agents.normal(end)

    def by_supports(self) -> Iterator[Array]:
        """All ways to choose the actions in use, those that floats see as level and stable."""
        self.options.tell("supports")
        even = self.agents.even()
        for support in all_supports(self.agents):
            near = level(self.agents, even, support)
            if near is None:
                continue
            slopes, _ = self.agents.passed(near)
            if all(
                slopes[list(own)].max() <= slopes[list(used)].max() + 1e-9
                for own, used in zip(self.agents.sets, support, strict=True)
            ):
                yield sharpened(self.agents, near, support)

    def calm(self) -> None:
        """Lower the regret of the best profile step by step: towards responses, and set by set."""
        step, tries = Fraction(1, 2), 0
        while step > FINEST and tries < CALMING and self.agents.begin[-1] <= SMALL:
            self.options.tell(f"regret {decimal_above(self.regret)}, steps of {step}")
            now, regret = self.agents.joined(self.best), self.regret
            for aim in self.aims(now):
                tries += 1
                if not self.beaten(trial := now + step * (aim - now)):
                    self.offer(trial)
                if self.content or self.options.over():
                    return
            if self.regret == regret:
                step /= 2

    def beaten(self, probabilities: Array) -> bool:
        """Does a response that is known gain more here than the least regret so far?"""
        gain = self.agents.gained(probabilities.astype(np.float64), self.known[-RECENT:])
        least = (self.regret or Fraction(0)) / self.agents.scale
        return gain > float(least) + 1e-9

    def aims(self, now: Array) -> Iterator[Array]:
        """Profiles to move towards: with one player's best response, or one set's action."""
        regrets = behaviour_regrets(profile(self.best), work=EACH, over=self.options.over)
        for number, regret in enumerate(regrets.values()):
            begin, end = self.agents.begin[number : number + 2]
            aim = now.copy()
            aim[begin:end] = regret.response.probabilities[1:]
            yield aim
        for own in self.agents.sets:
            for choice in own:
                aim = now.copy()
                aim[own.start : own.stop] = Fraction(0)
                aim[choice] = Fraction(1)
                yield aim

    # ------------------------------------------------------------------ the end

    def concluded(self) -> Found:
        """What was found; or that there is nothing to be found."""
        if self.content:
            return Found(self.best, self._worked(), *self._said(), behavioural=True)
        proof = None
        if not self.options.over() and self.regret is not None:
            self.calm()
            self.options.tell("looking for a proof that there is no equilibrium")
            proof = excluded(self.agents, self.regret, self.options.over)
        self.work["boxes"] += proof.boxes if proof else 0
        if proof is None or not proof.everywhere:
            reason = "stopped before the end" if self.options.over() else "no equilibrium was found"
            note = (
                f"{reason}; of {self.work['candidates']} candidates this one has the least regret"
            )
            return Found(self.best, self._worked(), note, behavioural=True)
        none = (
            f"no behaviour strategies are in equilibrium: some player's regret is at least"
            f" {simple_below(proof.at_least)} at all of them"
        )
        if self.options.exact:
            raise NoEquilibrium(f"{self.tree.name}: {none}; normal-lp and lemke-howson mix")
        note = f"{none}, proved; of {self.work['candidates']} candidates this one has the least"
        return Found(self.best, self._worked(), note, behavioural=True)

    def _worked(self) -> dict[str, int]:
        return {what: count for what, count in self.work.items() if count}

    def _said(self) -> tuple[str, str]:
        """A note and a remark."""
        if not self.proved:
            return "that nobody gains is what integer programming says, in floats", ""
        if self.regret:
            return "an equilibrium nearby is irrational, or has large denominators", ""
        return "", "nobody gains by another behaviour strategy, proved"
