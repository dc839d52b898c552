"""Extensive-form correlated equilibria, and coarse ones, by one linear program.

A device has drawn a pure plan for each of two players. A player who comes to an information set h
is told its plan's action c there (efce), or, before that, asked whether it will do as it is told
(efcce). Whoever turns away is told nothing any more. It is an equilibrium if nobody gains by it.

In terms of the weights ξ of pairs of sequences (:mod:`infoset.solve.correlation.plans`) this is
linear. Let A(σ, τ) be nature's probability times the player's payoff, summed over the leaves that
the pair leads to. A player told c at h knows that the other's sequence τ has weight ξ(σ_h c, τ).
Let v(k) be the best that it can get from a set k at or after h, being told nothing any more:

    v(k) >= Σ_τ A(σ_k d, τ) ξ(σ_h c, τ) + Σ v(k')   for each action d at k,  k' next after σ_k d,
    v(h) <= Σ A(σ, τ) ξ(σ, τ)                       over the sequences σ that begin with σ_h c.

There is such a group of rows for every h and c (:mod:`infoset.solve.correlation.incentives`); for
efcce only for every h, with ξ(σ_h, τ) in place of ξ(σ_h c, τ), and all sequences σ that go through
h. A coarse correlated equilibrium (cce) has one group alone, with ξ(∅, τ), and all sequences σ.

*Compact.* In triangle-free games, those without chance moves among them, ξ is all there is: the
program is of polynomial size (von Stengel & Forges 2008; Farina & Sandholm 2020; the coarse kind:
Farina, Bianchi & Sandholm 2020). In other games not every solution ξ comes from a lottery, and to
find the best that does is NP-hard. But the compact optimum is a bound, and where it comes from a
lottery after all (:mod:`infoset.solve.correlation.lotteries`), it is the answer. So it is tried
first.

*By plans.* Where it does not, each pure plan p of one player gets a realization plan y_p of the
other, scaled by the probability of p, and ξ(σ, τ) is the sum of y_p(τ) over the plans p that make
the choices of σ. That is exact for all games, and its size is plans of the one times sequences of
the other: far less than pairs of plans. The player for whom this is smaller has its plans listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from infoset.errors import NotProved, TooLarge
from infoset.forms.plans import Plan, as_plans, find_routes, list_plans
from infoset.forms.sequence import constraints
from infoset.linear.numbers import Array, Numbers
from infoset.solve.correlation.assembly import Assembly, Longs, Optimum
from infoset.solve.correlation.device import Device, probabilities, something, welfare_at_ends
from infoset.solve.correlation.incentives import deter
from infoset.solve.correlation.lotteries import peeled
from infoset.solve.correlation.plans import RelevantPairs, relevant_pairs
from infoset.solve.options import Options
from infoset.strategy.plan import RealizationPlan, plan_from_sketch
from infoset.strategy.support import peel
from infoset.tree import Tree

MOST_PAIRS = 200_000  # relevant pairs of sequences of a compact program
MOST_WEIGHTS = 50_000  # plans of one player times sequences of the other
LITTLE = 1e-6  # what floats may leave over of all weight

COMPACT = "one weight for each relevant pair of sequences"
BY_PLANS = "a realization plan of {other} for each of {count:,} plans of {listed}"


def find(tree: Tree, kind: str, weights: Mapping[str, Fraction], options: Options) -> Device:
    """The device with the largest welfare among the equilibria of a kind: efce, efcce or cce."""
    pairs = relevant_pairs(tree)
    if len(pairs) > MOST_PAIRS:
        raise TooLarge(
            f"{tree.name}: {kind} takes a program of {len(pairs):,} pairs of sequences, more than"
            f" {MOST_PAIRS:,}; take a smaller game"
        )
    device = _compact(pairs, weights, kind, options)
    if device is not None:
        return device
    listed, size = _smaller(tree)
    if size > MOST_WEIGHTS and options.over():
        raise NotProved(f"{tree.name}: no {kind} was found in time; give it more time")
    if size > MOST_WEIGHTS:
        shown = f"{size:,}" if size < 10**15 else f"about 2^{size.bit_length() - 1}"
        raise TooLarge(
            f"{tree.name}: where players see different parts of chance moves, {kind} is NP-hard;"
            f" listing plans takes {shown} weights, more than {MOST_WEIGHTS:,}, and pairs of"
            " sequences alone did not settle it; take a smaller game"
        )
    return _by_plans(pairs, listed, weights, kind, options)


def _smaller(tree: Tree) -> tuple[int, int]:
    """The player whose plans are to be listed, and how many weights that takes."""
    plans = [tree.reduced_strategies(player) for player in tree.names]
    sizes = [
        (0 if count is None else count) * tree.sequences(tree.names[1 - player])
        for player, count in enumerate(plans)
    ]
    listed = int(sizes[1] < sizes[0])
    return listed, sizes[listed]


def _goal(pairs: RelevantPairs, weights: Mapping[str, Fraction], first: int, count: int) -> Array:
    """[column] the welfare of the leaves that a pair of sequences leads to."""
    tree = pairs.tree
    one, two = (choices.last[tree.ends] for choices in tree.choices)
    goal = np.zeros(count, object)
    np.add.at(goal, first + pairs.at(one, two), welfare_at_ends(tree, weights))
    return goal


# ---------------------------------------------------------------------- compact


def _compact(
    pairs: RelevantPairs, weights: Mapping[str, Fraction], kind: str, options: Options
) -> Device | None:
    """By pairs of sequences alone; None where that says nothing about lotteries."""
    program = Assembly()
    first = program.columns(len(pairs))
    program.put([program.rows(1, equal=True, side=1)], [first], 1)
    pairs.constrain(program, first)
    for player in (0, 1):
        deter(program, pairs, player, first, kind)
    optimum = program.maximize(_goal(pairs, weights, first, program.shape[1]), options)
    found = optimum.values.take(first + np.arange(len(pairs)))
    options.tell("a lottery over plans")
    if not optimum.exact:
        return _sketched(pairs, found, optimum, options)
    drawn, left = peeled(pairs, [int(over) for over in found.numerators], options)
    if not left:
        draws = [(plans, Fraction(least, found.denominator)) for plans, least in drawn]
        return Device(draws, COMPACT, optimum.work, True)
    if pairs.triangle_free:  # there is a lottery; it was not found in time
        return Device((), COMPACT, optimum.work, True, plan=_named(pairs, found))
    return None


def _sketched(
    pairs: RelevantPairs, found: Numbers, optimum: Optimum, options: Options
) -> Device | None:
    """A lottery near to what floats say."""
    drawn, left = peeled(pairs, found.floats.tolist(), options)
    if left > LITTLE and not pairs.triangle_free:
        return None
    if not drawn:
        return Device(something(pairs.tree), COMPACT, optimum.work, False, optimum.note)
    shares = probabilities(np.array([share for _, share in drawn]))
    draws = [(plans, share) for (plans, _), share in zip(drawn, shares, strict=True) if share]
    return Device(draws, COMPACT, optimum.work, False, optimum.note)


def _named(pairs: RelevantPairs, found: Numbers) -> dict[tuple[int, int], Fraction]:
    """The weights that are not zero, by pair of sequences."""
    kept = np.flatnonzero(found.numerators)
    one, two = (part[kept].tolist() for part in pairs.sequences)
    return dict(zip(zip(one, two, strict=True), found.take(kept).values(), strict=True))


# ---------------------------------------------------------------------- by plans


def _by_plans(
    pairs: RelevantPairs,
    listed: int,
    weights: Mapping[str, Fraction],
    kind: str,
    options: Options,
) -> Device:
    """By plans of one player, and realization plans of the other for each."""
    tree = pairs.tree
    routes = find_routes(tree, listed)
    count = tree.reduced_strategies(tree.names[listed])
    listing = list_plans(routes, count or 0, reduced=True)
    program = Assembly()
    scaled = program.columns(len(listing.chosen) * len(pairs.choices[1 - listed]))
    first = program.columns(len(pairs))
    _share_out(program, pairs, listed, listing.chosen.astype(np.int64), scaled, first)
    for player in (0, 1):
        deter(program, pairs, player, first, kind)
    optimum = program.maximize(_goal(pairs, weights, first, program.shape[1]), options)
    names = {"listed": tree.names[listed], "other": tree.names[1 - listed], "count": count}
    plans = as_plans(routes, listing)
    draws = _draws(tree, listed, plans, optimum)
    return Device(draws, BY_PLANS.format(**names), optimum.work, optimum.exact, optimum.note)


def _share_out(
    program: Assembly, pairs: RelevantPairs, listed: int, chosen: Longs, scaled: int, first: int
) -> None:
    """Every plan of the one has a scaled plan of the other; sums of these are the weights."""
    mine, theirs = pairs.choices[listed], pairs.choices[1 - listed]
    plans, width = len(chosen), len(theirs)
    begin = scaled + np.arange(plans) * width  # [plan] its weight, that of the empty sequence
    program.put(np.full(plans, program.rows(1, equal=True, side=1)), begin, 1)
    laws = constraints(theirs)
    inner = laws.rows > 0
    rows = program.rows(plans * (laws.shape[0] - 1), equal=True)
    each = rows + np.arange(plans)[:, None] * (laws.shape[0] - 1) + laws.rows[inner] - 1
    columns = begin[:, None] + laws.columns[inner]
    values = np.broadcast_to(laws.entries.numerators[inner], each.shape)
    program.put(each.ravel(), columns.ravel(), values.ravel())

    plan, own = np.nonzero(chosen >= 0)
    plan = np.concatenate((np.arange(plans), plan))
    made = np.concatenate((np.zeros(plans, np.int64), mine.first[own] + chosen[chosen >= 0]))
    sequences, others = pairs.sequences[listed], pairs.sequences[1 - listed]
    links = program.rows(len(pairs), equal=True)
    every = np.arange(len(pairs))
    program.put(links + every, first + every, 1)
    order = np.argsort(sequences, kind="stable")
    low = np.searchsorted(sequences[order], made)
    counts = np.searchsorted(sequences[order], made, side="right") - low
    steps = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    at = order[np.repeat(low, counts) + steps]
    program.put(links + at, np.repeat(begin[plan], counts) + others[at], -1)


def _draws(
    tree: Tree, listed: int, plans: tuple[Plan, ...], optimum: Optimum
) -> list[tuple[tuple[Plan, ...], Fraction]]:
    """A plan of the one, then one from the other's realization plan, peeled."""
    other = tree.names[1 - listed]
    width = len(tree.choices[1 - listed])
    values = optimum.values.take(np.arange(len(plans) * width))
    if not optimum.exact:
        shares = probabilities(values.floats.reshape(-1, width)[:, 0])
    draws: list[tuple[tuple[Plan, ...], Fraction]] = []
    for number, plan in enumerate(plans):
        here = values.take(np.arange(number * width, (number + 1) * width))
        share = here[0] if optimum.exact else shares[number]
        if not share:
            continue
        if optimum.exact:
            answer = RealizationPlan(tree, other, Numbers(here.numerators, int(here.numerators[0])))
        else:
            answer = plan_from_sketch(tree, other, here.floats)
        for pure, weight in peel(answer).items():
            both = (plan, pure.chosen) if listed == 0 else (pure.chosen, plan)
            draws.append((both, share * weight))
    return draws
