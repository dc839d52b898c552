"""Equilibria in behaviour strategies of players with imperfect recall, absent-mindedness included.

A behaviour strategy randomizes independently at each visit of an information set. With perfect
recall this is no restriction (Kuhn 1953). With imperfect recall it is: a team that cannot
coordinate in advance may get less than with mixed strategies, and an absent-minded player may get
more (Piccione & Rubinstein 1997).

*One player.* The payoff is a polynomial in the probabilities; its maximum is found and proved by
:mod:`infoset.strategy.absentminded.response`.

*Several players.* An equilibrium consists of behaviour strategies that are best responses among
behaviour strategies. There may be none (Wichardt 2008). The search proceeds from cheap to
expensive, and the regret of each candidate is proved in rational arithmetic:

1. *best-response dynamics*: players in turn change to an exact best response until none gains;
2. *the logit path* (:func:`infoset.solvers.behaviour.candidates.logit_path`) is followed from
   uniform play; the support at its end, and Newton's method, give fractions at which all actions of
   the support are equally good;
3. in small games *all supports* are tried in this way, and then the results of better-reply
   dynamics from some random starts;
4. if none of these is an equilibrium, the smallest regret is reduced by local search, and a proof
   that there is no equilibrium is attempted (:mod:`infoset.solvers.behaviour.nonexistence`).

The result then is the profile with the smallest regret, with the proof if it was completed. Games
of two players with perfect recall are solved by :mod:`infoset.solvers.lp` or
:mod:`infoset.solvers.lcp`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from infoset.errors import NoEquilibrium
from infoset.linear.numbers import Array
from infoset.solvers import lcp, lp
from infoset.solvers.behaviour.candidates import (
    BehaviourAgents,
    Floats,
    all_supports,
    better_reply_dynamics,
    count_supports,
    equal_slopes,
    exact_profile,
    logit_path,
    support_of,
)
from infoset.solvers.behaviour.nonexistence import prove_nonexistence, simple_below
from infoset.solvers.options import Found, Options
from infoset.strategy import Behaviour, profile
from infoset.strategy.absentminded.response import behaviour_regrets, behaviour_response
from infoset.strategy.equivalence import as_behaviour
from infoset.text import decimal_above
from infoset.tree import Tree

NEGLIGIBLE = Fraction(1, 10**12)  # of the largest payoff: a proved regret that is negligible
ROUNDS = 60  # of best-response dynamics
STARTS = 3  # of best-response dynamics
LONG_PATH = 250  # choices up to which the logit path is followed first
LONGEST_PATH = 400  # up to which it is followed at all
RANDOM_STARTS = 8  # random starts of better-reply dynamics
THRESHOLDS = (
    1e-1,
    1e-2,
    1e-3,
    1e-5,
)  # thresholds of probabilities in a support
COARSE = (12, 1000, 10**6)  # denominators of probabilities that the equations leave free
MOST_SUPPORTS = 1_000
SMALL = 24  # choices up to which the regret is reduced by local search
FINEST, MOST_STEPS = Fraction(1, 200), 400  # its smallest step, and its most steps
RECENT = 60  # responses that a step is tested against before its regret is proved
PROOF_WORK = 2_000_000  # work units for the proof of a candidate's regret


def find(tree: Tree, options: Options) -> Found:
    """The optimal behaviour strategy of one player; of several, an equilibrium or nearly one."""
    if len(tree.players) == 1:
        return _one_player(tree, options)
    if len(tree.players) == 2 and tree.perfect_recall:
        return _with_perfect_recall(tree, options)
    search = EquilibriumSearch(tree, options)
    for candidate in search.candidates():
        if search.consider(candidate) or options.over():
            break
    return search.concluded()


def _one_player(tree: Tree, options: Options) -> Found:
    """The optimal behaviour strategy of one player, or of a team."""
    options.tell("branch and bound")
    always = tree.chance_reach.take(tree.leaf_indices)
    best = behaviour_response(tree, 0, always, over=options.over)
    gap, remark, note = best.most - best.value, "", ""
    if not gap and best.proved:
        remark = "no behaviour strategy is better, proved"
    elif options.over():  # the certificate computes the remaining regret again
        note = "stopped before the end"
    elif best.proved:
        note = f"no behaviour strategy gets more than {decimal_above(gap)} more, proved"
    else:
        note = "optimal by integer programming in floats, not proved"
    return Found((best.strategy,), {"boxes": best.pieces}, note, remark, behavioural=True)


def _with_perfect_recall(tree: Tree, options: Options) -> Found:
    """With perfect recall any equilibrium is equivalent to one in behaviour strategies."""
    found = (lp if tree.constant_sum else lcp).find(tree, options)
    strategies = tuple(map(as_behaviour, found.strategies))
    remark = f"perfect recall: found by {'lp' if tree.constant_sum else 'lcp'}"
    return Found(strategies, found.work, found.note, remark, behavioural=True)


class EquilibriumSearch:
    """The search for an equilibrium: the best profile so far, and known deviations."""

    def __init__(self, tree: Tree, options: Options) -> None:
        self.tree, self.options = tree, options
        self.agents = BehaviourAgents(tree)
        self.best: tuple[Behaviour, ...] = ()
        self.regret: Fraction | None = None
        self.proved = True
        self.known: list[tuple[int, Array]] = []  # players and best responses at some profile
        self.work = {"candidates": 0, "responses": 0, "boxes": 0}

    def candidates(self) -> Iterator[Array]:
        """Exact probabilities of all choices, the most promising candidates first."""
        yield from self.by_best_responses()
        if self.agents.begin[-1] <= LONG_PATH:
            yield from self.by_logit_path()
        if count_supports(self.agents) <= MOST_SUPPORTS:
            yield from self.by_supports()
        yield from self.by_better_replies()
        if LONG_PATH < self.agents.begin[-1] <= LONGEST_PATH:  # expensive
            yield from self.by_logit_path()

    def consider(self, probabilities: Array) -> bool:
        """Keep a candidate if its regret is the smallest so far; is it an equilibrium?"""
        strategies = self.agents.strategies(probabilities)
        self.work["candidates"] += 1
        regrets = behaviour_regrets(profile(strategies), work=PROOF_WORK, over=self.options.over)
        self.known += [
            (at, one.response.probabilities[1:]) for at, one in enumerate(regrets.values())
        ]
        worst = max(regret.at_most for regret in regrets.values())
        if self.regret is None or worst < self.regret:
            self.best, self.regret = strategies, worst
            self.proved = all(regret.proved for regret in regrets.values())
            self.options.tell(f"regret {decimal_above(worst)}")
        return self.is_equilibrium

    @property
    def is_equilibrium(self) -> bool:
        """Is the best profile an equilibrium, up to the rounding of irrational probabilities?"""
        return self.regret is not None and self.regret <= NEGLIGIBLE * self.agents.scale

    # ------------------------------------------------------------------ sources of candidates

    def by_best_responses(self) -> Iterator[Array]:
        """Fixed points or cycles of best-response dynamics."""
        for start in range(STARTS):
            self.options.tell(f"best responses, start {start + 1}")
            probabilities = self.agents.as_fractions(self.agents.uniform())
            if start:
                probabilities = self._pure_start(start)
            yield probabilities
            yield from self._best_response_dynamics(probabilities)

    def _pure_start(self, start: int) -> Array:
        probabilities = np.array([Fraction(0)] * self.agents.begin[-1], object)
        for at, own in enumerate(self.agents.sets):
            probabilities[own[(start * (at + 1)) % len(own)]] = Fraction(1)
        return probabilities

    def _best_response_dynamics(self, probabilities: Array) -> Iterator[Array]:
        seen: set[int] = set()
        for _ in range(ROUNDS):
            is_equilibrium = True
            for number, player in enumerate(self.tree.names):
                now = profile(self.agents.strategies(probabilities))
                others = now.reach(self.tree.leaf_indices, without=number)
                best = behaviour_response(
                    self.tree, number, others, work=PROOF_WORK, over=self.options.over
                )
                self.work["responses"] += 1
                if best.value > now.payoffs[player]:
                    is_equilibrium = False
                    probabilities = probabilities.copy()
                    begin, end = self.agents.begin[number : number + 2]
                    probabilities[begin:end] = best.strategy.probabilities[1:]
            state = hash(tuple(probabilities.tolist()))
            if is_equilibrium or state in seen or self.options.over():
                yield probabilities
                return
            seen.add(state)

    def by_logit_path(self) -> Iterator[Array]:
        """Candidates near the end of the logit path."""
        self.options.tell("logit path")
        yield from self.near(list(logit_path(self.agents, self.options.over))[-1])

    def by_better_replies(self) -> Iterator[Array]:
        """Candidates near the results of better-reply dynamics, from several starts."""
        for seed in range(RANDOM_STARTS):
            self.options.tell(f"start {seed + 1} of {RANDOM_STARTS}")
            end = better_reply_dynamics(self.agents, seed, self.options.over)
            if self.agents.begin[-1] <= LONG_PATH:
                yield from self.near(end)
            else:
                yield self.agents.as_fractions(end)

    def near(self, end: Floats) -> Iterator[Array]:
        """Candidates near a profile, for several supports; and the profile itself."""
        tried = []
        for least in THRESHOLDS:
            support = support_of(self.agents, end, least)
            if support in tried:
                continue
            tried.append(support)
            near = equal_slopes(self.agents, end, support)
            if near is not None:
                for coarse in COARSE:
                    yield exact_profile(self.agents, near, support, coarse)
        yield self.agents.as_fractions(end)

    def by_supports(self) -> Iterator[Array]:
        """Candidates of all supports, if floats see no better action outside of the support."""
        self.options.tell("supports")
        uniform = self.agents.uniform()
        for support in all_supports(self.agents):
            near = equal_slopes(self.agents, uniform, support)
            if near is None:
                continue
            slopes, _ = self.agents.slopes_and_visits(near)
            if all(
                slopes[list(own)].max() <= slopes[list(used)].max() + 1e-9
                for own, used in zip(self.agents.sets, support, strict=True)
            ):
                yield exact_profile(self.agents, near, support)

    def reduce_regret(self) -> None:
        """Reduce the smallest regret by steps towards best responses or single actions."""
        step, tries = Fraction(1, 2), 0
        while step > FINEST and tries < MOST_STEPS and self.agents.begin[-1] <= SMALL:
            self.options.tell(f"regret {decimal_above(self.regret)}, steps of {step}")
            now, regret = self.agents.as_vector(self.best), self.regret
            for target in self.targets(now):
                tries += 1
                if not self.is_excluded(trial := now + step * (target - now)):
                    self.consider(trial)
                if self.is_equilibrium or self.options.over():
                    return
            if self.regret == regret:
                step /= 2

    def is_excluded(self, probabilities: Array) -> bool:
        """Does a known response gain more here than the smallest regret so far?"""
        gain = self.agents.largest_gain(probabilities.astype(np.float64), self.known[-RECENT:])
        least = (self.regret or Fraction(0)) / self.agents.scale
        return gain > float(least) + 1e-9

    def targets(self, now: Array) -> Iterator[Array]:
        """Targets of local search: one player's best response, or one action at a set."""
        regrets = behaviour_regrets(profile(self.best), work=PROOF_WORK, over=self.options.over)
        for number, regret in enumerate(regrets.values()):
            begin, end = self.agents.begin[number : number + 2]
            target = now.copy()
            target[begin:end] = regret.response.probabilities[1:]
            yield target
        for own in self.agents.sets:
            for choice in own:
                target = now.copy()
                target[own.start : own.stop] = Fraction(0)
                target[choice] = Fraction(1)
                yield target

    # ------------------------------------------------------------------ conclusion

    def concluded(self) -> Found:
        """The best profile found, and a proof that there is no equilibrium, if there is one."""
        if self.is_equilibrium:
            return Found(self.best, self._counts(), *self._messages(), behavioural=True)
        proof = None
        if not self.options.over() and self.regret is not None:
            self.reduce_regret()
            self.options.tell("looking for a proof that there is no equilibrium")
            proof = prove_nonexistence(self.agents, self.regret, self.options.over)
        self.work["boxes"] += proof.boxes if proof else 0
        if proof is None or not proof.complete:
            reason = "stopped before the end" if self.options.over() else "no equilibrium was found"
            note = f"{reason}; the profile of {self.work['candidates']} with the smallest regret"
            return Found(self.best, self._counts(), note, behavioural=True)
        none = (
            f"there is no equilibrium in behaviour strategies: the regret of every profile is at"
            f" least {simple_below(proof.at_least)}"
        )
        if self.options.exact:
            raise NoEquilibrium(
                f"{self.tree.name}: {none}; normal-lp and lemke-howson find mixed ones"
            )
        note = f"{none}, proved; the profile of {self.work['candidates']} with the smallest regret"
        return Found(self.best, self._counts(), note, behavioural=True)

    def _counts(self) -> dict[str, int]:
        return {what: count for what, count in self.work.items() if count}

    def _messages(self) -> tuple[str, str]:
        """A note and a remark."""
        if not self.proved:
            return "best responses by integer programming in floats, not proved", ""
        if self.regret:
            return "a nearby equilibrium is irrational, or has large denominators", ""
        return "", "no player gains by another behaviour strategy, proved"
