"""Extensive-form correlated equilibria, and coarse ones, by one linear program.

A device has drawn a pure plan for each of two players. A player who reaches an information set h is
told its plan's action c there (efce), or must decide before that whether to follow the
recommendation (efcce). A player who deviates gets no further recommendations. The device is an
equilibrium if no player gains by deviating.

In terms of the weights ξ of pairs of sequences (:mod:`infoset.solvers.correlated.plans`) this is
linear. Let A(σ, τ) be chance's probability times the player's payoff, summed over the leaves that
the pair leads to. For a player who is told c at h, the opponent's sequence τ has the weight
ξ(σ_h c, τ). Let v(k) be the optimal value from a set k at or after h, without further
recommendations:

    v(k) >= Σ_τ A(σ_k d, τ) ξ(σ_h c, τ) + Σ v(k')   for each action d at k,  k' next after σ_k d,
    v(h) <= Σ A(σ, τ) ξ(σ, τ)                       over the sequences σ that begin with σ_h c.

These are the incentive constraints of the *trigger* c at h. There is such a group of rows for every
h and c. For efcce the triggers are the sets h, with ξ(σ_h, τ) in place of ξ(σ_h c, τ), and all
sequences σ through h. A coarse correlated equilibrium (cce) has a single trigger before play, with
ξ(∅, τ) and all sequences σ. The rows of all triggers are written at once, as arrays.

*Compact.* In triangle-free games, such as those without chance moves, ξ describes all lotteries:
the program has polynomial size (von Stengel & Forges 2008; Farina & Sandholm 2020; the coarse kind:
Farina, Bianchi & Sandholm 2020). In other games not every solution ξ comes from a lottery, and
finding the best one that does is NP-hard. But the compact optimum is an upper bound, and where it
comes from a lottery (:func:`infoset.solvers.correlated.plans.decomposed`), it is optimal. So it is
tried first.

*By plans.* Otherwise each pure plan p of one player gets a realization plan y_p of the other,
scaled by the probability of p, and ξ(σ, τ) is the sum of y_p(τ) over the plans p that make the
choices of σ. This is exact for all games, and its size is the number of plans of one player times
the sequences of the other, far less than pairs of plans. The smaller of the two is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import NotProved, TooLarge
from infoset.forms.normal import Plan, as_plans, find_routes, list_plans
from infoset.forms.sequence import constraints
from infoset.linear.numbers import Array, Numbers, fitted
from infoset.linear.sparse import Sparse
from infoset.solvers.correlated.plans import RelevantPairs, decomposed, relevant_pairs
from infoset.solvers.correlated.program import (
    Device,
    Longs,
    Optimum,
    ProgramBuilder,
    first_actions,
    unit_of,
    welfare_at_leaves,
)
from infoset.solvers.lp import probabilities_from_floats
from infoset.solvers.options import Options
from infoset.strategy.behaviour import RealizationPlan, plan_from_floats
from infoset.strategy.mixed import peel
from infoset.text import times_text
from infoset.tree import Tree
from infoset.tree.choices import Choices

Bools = npt.NDArray[np.bool_]


class Triggers:
    """The triggers of one player, and the pairs (trigger, own set at or after it)."""

    def __init__(self, choices: Choices, kind: str) -> None:
        """Numbered as the choices are (efce), as the sets (efcce), or the only one, 0 (cce)."""
        self.choices, self.kind = choices, kind
        self.sets = len(choices.infosets)
        self.count = {"efce": len(choices), "efcce": self.sets, "cce": 1}[kind]
        above, below = _at_or_after(choices)
        if kind == "efce":
            above, below, steps = _for_each(choices.sizes[above], above, below)
            above = choices.first[above] + steps
        elif kind == "cce":
            above, below = np.zeros(self.sets, np.int64), np.arange(self.sets)
        self._keys = np.sort(above * max(self.sets, 1) + below)
        self.trigger, self.set = np.divmod(self._keys, max(self.sets, 1))  # [pair]

    def place(self, trigger: Longs, own: Longs) -> Longs:
        """The numbers of pairs."""
        return np.searchsorted(self._keys, trigger * max(self.sets, 1) + own)

    @property
    def first(self) -> Bools:
        """[pair] is the set where a deviation at the trigger begins?"""
        if self.kind == "cce":
            return np.equal(self.choices.before[self.set], 0)
        told = self.choices.owner[self.trigger] if self.kind == "efce" else self.trigger
        return np.equal(self.set, told)

    @property
    def told(self) -> Longs:
        """[pair] the sequence that is recommended up to the trigger."""
        if self.kind == "efcce":
            return self.choices.before[self.trigger]
        return self.trigger

    def passed(self, sequence: Longs) -> tuple[Longs, Longs]:
        """The pairs of some nonempty sequences and the triggers that they pass."""
        which, last = np.arange(len(sequence)), sequence
        if self.kind == "cce":
            return which, np.zeros(len(sequence), np.int64)
        found, triggers = [], []
        while len(last):
            look()
            found.append(which)
            triggers.append(last if self.kind == "efce" else self.choices.owner[last])
            last = self.choices.above[last]
            which, last = which[last > 0], last[last > 0]
        return np.concatenate((which[:0], *found)), np.concatenate((last[:0], *triggers))


def _at_or_after(choices: Choices) -> tuple[Longs, Longs]:
    """Pairs of own sets, the second the same as the first or later in a play."""
    later = np.arange(len(choices.infosets))
    above, below = [later], [later]
    earlier = later
    while len(later):
        look()
        last = choices.before[earlier]
        later, last = later[last > 0], last[last > 0]
        earlier = choices.owner[last]
        above.append(earlier)
        below.append(later)
    return np.concatenate(above), np.concatenate(below)


def _for_each(counts: Longs, *columns: Longs) -> tuple[Longs, ...]:
    """Repeat the rows of some columns by their counts, and number the repetitions."""
    steps = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return (*(np.repeat(column, counts) for column in columns), steps)


def add_incentives(
    program: ProgramBuilder, pairs: RelevantPairs, player: int, first_column: int, kind: str
) -> None:
    """Add the incentive constraints of a player; ``first_column`` is that of the weights."""
    choices, triggers = pairs.choices[player], Triggers(pairs.choices[player], kind)
    own, other, amounts = _integer_payoffs(pairs, player)
    unit = unit_of(amounts)
    value = program.columns(len(triggers.set), free=True, unit=unit)
    sizes = choices.sizes[triggers.set]
    start = program.rows(int(sizes.sum()), unit=unit) + np.cumsum(sizes) - sizes  # [pair]

    # v(k), less the v of the sets that an action leads to
    pair, steps = _for_each(sizes, np.arange(len(sizes)))
    program.put(start[pair] + steps, value + pair, 1)
    later = np.flatnonzero(~triggers.first)
    led = choices.before[triggers.set[later]]
    above = triggers.place(triggers.trigger[later], choices.owner[led])
    program.put(start[above] + led - choices.first[choices.owner[led]], value + later, -1)

    # and less the payoff, with the opponent's weights given the recommendations so far
    _check_entries(pairs, choices.owner[own], triggers)
    entry, pair = _joined(choices.owner[own], triggers.set)
    row = start[pair] + own[entry] - choices.first[triggers.set[pair]]
    column = _at(pairs, player, triggers.told[pair], other[entry])
    program.put(row, first_column + column, -amounts[entry])

    # to follow the recommendation is at least as good
    follow = program.rows(triggers.count, unit=unit)
    here = np.flatnonzero(triggers.first)
    program.put(follow + triggers.trigger[here], value + here, -1)
    entry, trigger = triggers.passed(own)
    column = _at(pairs, player, own[entry], other[entry])
    program.put(follow + trigger, first_column + column, amounts[entry])


def _check_entries(pairs: RelevantPairs, sets: Longs, triggers: Triggers) -> None:
    """Refuse a program with too many entries, before it is laid out.

    ``sets`` are the own sets of the payoffs; each enters once for every trigger of its set.
    """
    often = np.bincount(triggers.set, minlength=triggers.sets + 1)
    entries = int(often[sets].sum())
    if entries > MOST_ENTRIES:
        other = "" if triggers.kind == "cce" else "cce, or "
        raise TooLarge(
            f"{pairs.tree.name}: {triggers.kind} is a linear program of {entries:,} entries, more"
            f" than {MOST_ENTRIES:,}; take {other}a smaller game"
        )


def _joined(left: Longs, right: Longs) -> tuple[Longs, Longs]:
    """All pairs of places at which two columns have equal values (a join)."""
    order = np.argsort(right, kind="stable")
    low = np.searchsorted(right[order], left)
    counts = np.searchsorted(right[order], left, side="right") - low
    at, begin, steps = _for_each(counts, np.arange(len(left)), low)
    return at, order[begin + steps]


def _at(pairs: RelevantPairs, player: int, own: Longs, other: Longs) -> Longs:
    return pairs.at(own, other) if player == 0 else pairs.at(other, own)


def _integer_payoffs(pairs: RelevantPairs, player: int) -> tuple[Longs, Longs, Longs]:
    """Own sequence, the opponent's, and chance times payoff as integers without common factor.

    Payoffs are measured from the most frequent one. Every continuation after a trigger ends at some
    leaf, so this subtracts the same from both sides; and many entries become zero.
    """
    tree, mine, theirs = pairs.tree, pairs.choices[player], pairs.choices[1 - player]
    stake = tree.leaf_payoffs[player]
    amounts, counts = np.unique(stake.numerators, return_counts=True)
    moved = stake.numerators.astype(object) - int(amounts[int(np.argmax(counts))])
    paid = tree.chance_reach.take(tree.leaf_indices).times(Numbers(fitted(moved)))
    last = (mine.last[tree.leaf_indices], theirs.last[tree.leaf_indices])
    table = Sparse.summed(*last, paid, (len(mine), len(theirs)))
    shared = gcd(*map(int, table.entries.numerators)) or 1
    chosen = table.rows > 0
    numerators = fitted([int(n) // shared for n in table.entries.numerators[chosen]])
    return table.rows[chosen], table.columns[chosen], numerators


MOST_PAIRS = 200_000  # relevant pairs of sequences of a compact program
MOST_ENTRIES = 10_000_000  # of the incentive constraints of a player
MOST_WEIGHTS = 50_000  # plans of one player times sequences of the other
LEFT_OVER = 1e-6  # the part of the weight that floats may leave over

COMPACT = "one weight for each relevant pair of sequences"
BY_PLANS = "a realization plan of {other} for each of {count:,} plans of {listed}"


def find(tree: Tree, kind: str, weights: Mapping[str, Fraction], options: Options) -> Device:
    """The equilibrium of a kind, efce, efcce or cce, with the largest welfare."""
    pairs = relevant_pairs(tree)
    if len(pairs) > MOST_PAIRS:
        raise TooLarge(
            f"{tree.name}: {kind} is a linear program of {len(pairs):,} pairs of sequences, more"
            f" than {MOST_PAIRS:,}; take a smaller game"
        )
    device = by_sequence_pairs(pairs, weights, kind, options)
    if device is not None:
        return device
    listed, size = listed_player(tree)
    if size > MOST_WEIGHTS and options.over():
        raise NotProved(f"{tree.name}: no {kind} was found in time; allow more seconds")
    if size > MOST_WEIGHTS:
        raise TooLarge(
            f"{tree.name}: {kind} is NP-hard where players observe different chance outcomes, and"
            f" the program over pairs of sequences did not solve it; listing plans takes"
            f" {times_text([size])} weights, more than {MOST_WEIGHTS:,}; take a smaller game"
        )
    return by_plans(pairs, listed, weights, kind, options)


def listed_player(tree: Tree) -> tuple[int, int]:
    """The player whose plans are listed, and the number of weights."""
    plans = [tree.reduced_strategies(player) for player in tree.names]
    sizes = [
        (0 if count is None else count) * tree.sequences(tree.names[1 - player])
        for player, count in enumerate(plans)
    ]
    listed = int(sizes[1] < sizes[0])
    return listed, sizes[listed]


def _objective(
    pairs: RelevantPairs, weights: Mapping[str, Fraction], first: int, count: int
) -> Array:
    """[column] the welfare of the leaves that a pair of sequences leads to."""
    tree = pairs.tree
    one, two = (choices.last[tree.leaf_indices] for choices in tree.choices)
    goal = np.zeros(count, object)
    np.add.at(goal, first + pairs.at(one, two), welfare_at_leaves(tree, weights))
    return goal


# ---------------------------------------------------------------------- compact


def by_sequence_pairs(
    pairs: RelevantPairs, weights: Mapping[str, Fraction], kind: str, options: Options
) -> Device | None:
    """The program over pairs of sequences; None if its optimum does not come from a lottery."""
    program = ProgramBuilder()
    first = program.columns(len(pairs))
    program.put([program.rows(1, equal=True, side=1)], [first], 1)
    pairs.add_equations(program, first)
    for player in (0, 1):
        add_incentives(program, pairs, player, first, kind)
    optimum = program.maximize(_objective(pairs, weights, first, program.shape[1]), options)
    found = optimum.values.take(first + np.arange(len(pairs)))
    options.tell("a lottery over plans")
    if not optimum.exact:
        return _from_floats(pairs, found, optimum, options)
    drawn, left = decomposed(pairs, [int(over) for over in found.numerators], options)
    if not left:
        draws = [(plans, Fraction(least, found.denominator)) for plans, least in drawn]
        return Device(draws, COMPACT, optimum.work, True)
    if pairs.triangle_free:  # there is a lottery, but it was not found in time
        return Device((), COMPACT, optimum.work, True, plan=_weights_by_pair(pairs, found))
    return None


def _from_floats(
    pairs: RelevantPairs, found: Numbers, optimum: Optimum, options: Options
) -> Device | None:
    """A lottery near an optimum in floats."""
    drawn, left = decomposed(pairs, found.floats.tolist(), options)
    if left > LEFT_OVER and not pairs.triangle_free:
        return None
    if not drawn:
        return Device(first_actions(pairs.tree), COMPACT, optimum.work, False, optimum.note)
    chances = probabilities_from_floats(
        np.array([probability for _, probability in drawn])
    ).values()
    draws = [
        (plans, probability)
        for (plans, _), probability in zip(drawn, chances, strict=True)
        if probability
    ]
    return Device(draws, COMPACT, optimum.work, False, optimum.note)


def _weights_by_pair(pairs: RelevantPairs, found: Numbers) -> dict[tuple[int, int], Fraction]:
    """The weights that are not zero, by pair of sequences."""
    kept = np.flatnonzero(found.numerators)
    one, two = (part[kept].tolist() for part in pairs.sequences)
    return dict(zip(zip(one, two, strict=True), found.take(kept).values(), strict=True))


# ---------------------------------------------------------------------- by plans


def by_plans(
    pairs: RelevantPairs,
    listed: int,
    weights: Mapping[str, Fraction],
    kind: str,
    options: Options,
) -> Device:
    """The program over plans of one player and realization plans of the other."""
    tree = pairs.tree
    routes = find_routes(tree, listed)
    count = tree.reduced_strategies(tree.names[listed])
    listing = list_plans(routes, count or 0, reduced=True)
    program = ProgramBuilder()
    scaled = program.columns(len(listing.chosen) * len(pairs.choices[1 - listed]))
    first = program.columns(len(pairs))
    _link_plans(program, pairs, listed, listing.chosen.astype(np.int64), scaled, first)
    for player in (0, 1):
        add_incentives(program, pairs, player, first, kind)
    optimum = program.maximize(_objective(pairs, weights, first, program.shape[1]), options)
    names = {"listed": tree.names[listed], "other": tree.names[1 - listed], "count": count}
    plans = as_plans(routes, listing)
    draws = _draws(tree, listed, plans, optimum)
    return Device(draws, BY_PLANS.format(**names), optimum.work, optimum.exact, optimum.note)


def _link_plans(
    program: ProgramBuilder,
    pairs: RelevantPairs,
    listed: int,
    chosen: Longs,
    scaled: int,
    first: int,
) -> None:
    """Link the scaled realization plans of every listed plan to the weights of pairs."""
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
    """The lottery: a listed plan, then the other's realization plan as a mixed strategy."""
    other = tree.names[1 - listed]
    width = len(tree.choices[1 - listed])
    values = optimum.values.take(np.arange(len(plans) * width))
    if not optimum.exact:
        chances = probabilities_from_floats(values.floats.reshape(-1, width)[:, 0]).values()
    draws: list[tuple[tuple[Plan, ...], Fraction]] = []
    for number, plan in enumerate(plans):
        here = values.take(np.arange(number * width, (number + 1) * width))
        probability = here[0] if optimum.exact else chances[number]
        if not probability:
            continue
        if optimum.exact:
            answer = RealizationPlan(tree, other, Numbers(here.numerators, int(here.numerators[0])))
        else:
            answer = plan_from_floats(tree, other, here.floats)
        for pure, weight in peel(answer).items():
            both = (plan, pure.chosen) if listed == 0 else (pure.chosen, plan)
            draws.append((both, probability * weight))
    return draws
