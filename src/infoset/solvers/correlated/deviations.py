"""Verification of correlated equilibria: each player's largest gain by deviating.

This check does not know the linear programs that find the equilibria: it takes the device's
lottery, or the weights of a correlation plan, and computes an optimal deviation of each player by
backward induction on the player's own choices, in rational arithmetic.

    ce      told a whole plan, the player responds to its belief about the others' plans
    cce     before any recommendation, the player responds to the others' marginal distribution
    efce    told the action at a set, the player may deviate there, without recommendations after it
    efcce   at a set, the player may deviate before it is told the action there

In the latter two, the distribution of the others' plans is conditional on the recommendations so
far: the player's own sequence. At which sets to deviate is decided by the same induction.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np

from infoset.clock import look
from infoset.linear.numbers import Array, Numbers, fitted
from infoset.strategy.mixed import Pure
from infoset.strategy.response import best_choices, tree_best_response
from infoset.tree import Tree

Profiles = Sequence[tuple[tuple[Pure, ...], Fraction]]
Joint = Mapping[tuple[int, int], Fraction]  # by sequence of player one and sequence of player two


def leaf_probabilities(tree: Tree, draws: Profiles) -> Numbers:
    """[leaf] its probability."""
    return _others(tree, draws, None)


def _others(tree: Tree, draws: Profiles, player: int | None) -> Numbers:
    """[leaf] the probability that chance and all but one player make the choices towards it."""
    whole = lcm(*(weight.denominator for _, weight in draws))
    total = np.zeros(len(tree.leaf_indices), object)
    probabilities: dict[tuple[object, ...], int] = defaultdict(int)
    plans: dict[object, Pure] = {}
    for profile, weight in draws:
        others = [own for number, own in enumerate(profile) if number != player]
        plans |= {(own.player, own.chosen): own for own in others}
        probabilities[tuple((own.player, own.chosen) for own in others)] += int(weight * whole)
    leads = {key: plan.at(tree.leaf_indices).numerators > 0 for key, plan in plans.items()}
    leaf_indices = {key: np.flatnonzero(own) for key, own in leads.items()}
    for keys, probability in probabilities.items():
        look()
        if not keys:
            total += probability
            continue
        first, *rest = sorted(keys, key=lambda key: len(leaf_indices[key]))
        follows = leaf_indices[first]
        for key in rest:
            follows = follows[leads[key][follows]]
        total[follows] += probability
    return Numbers(fitted(total), whole).times(tree.chance_reach.take(tree.leaf_indices))


def payoffs_of(tree: Tree, chances: Numbers) -> dict[str, Fraction]:
    """Each player's expected payoff, from the probabilities of leaves."""
    pairs = zip(tree.names, tree.leaf_payoffs, strict=True)
    return {player: chances.times(stake).total for player, stake in pairs}


# ---------------------------------------------------------------------- whole plans


def plan_gains(tree: Tree, draws: Profiles, *, told: bool) -> dict[str, Fraction]:
    """By player: its largest gain by deviating, told its plan or not."""
    expected = payoffs_of(tree, leaf_probabilities(tree, draws))
    gains = {}
    for number, player in enumerate(tree.names):
        groups: dict[object, list[tuple[tuple[Pure, ...], Fraction]]] = defaultdict(list)
        for profile, weight in draws:
            groups[profile[number].chosen if told else None].append((profile, weight))
        best = Fraction(0)
        for group in groups.values():
            response = tree_best_response(tree, number, _others(tree, group, number))
            best += Fraction(response.value if response.most is None else response.most)
        gains[player] = max(
            best - expected[player], Fraction(0)
        )  # it may follow the recommendation
    return gains


# ---------------------------------------------------------------------- action by action


def joint_weights(tree: Tree, draws: Profiles) -> dict[tuple[int, int], Fraction]:
    """By pair of sequences: the probability that both players' plans make them."""
    whole = lcm(*(weight.denominator for _, weight in draws))
    total: dict[tuple[int, int], int] = defaultdict(int)
    for profile, weight in draws:
        look()
        one, two = (list(_sequences(plan)) for plan in profile)
        probability = int(weight * whole)
        for pair in product(one, two):
            total[pair] += probability
    return {pair: Fraction(over, whole) for pair, over in total.items()}


def _sequences(plan: Pure) -> Iterable[int]:
    """The sequences of a plan: choices all of whose predecessors it makes, too."""
    choices = plan.choices
    action = plan.action_at[choices.infosets]
    made = {0}
    for stage in choices.stages:
        for own in stage.tolist():
            if int(choices.before[own]) in made and action[own] >= 0:
                made.add(int(choices.first[own] + action[own]))
    return made


def sequence_gains(tree: Tree, joint: Joint, kind: str) -> dict[str, Fraction]:
    """By player of two: its largest gain by the deviations of efce, efcce or cce."""
    return {
        player: _optimal_deviation(tree, number, joint, kind) - _expected(tree, number, joint)
        for number, player in enumerate(tree.names)
    }


def _rows(player: int, joint: Joint) -> tuple[dict[int, dict[int, int]], int]:
    """By own sequence, then by the opponent's: integer weights, and their denominator."""
    whole = lcm(*(weight.denominator for weight in joint.values()))
    rows: dict[int, dict[int, int]] = defaultdict(dict)
    for pair, weight in joint.items():
        rows[pair[player]][pair[1 - player]] = int(weight * whole)
    return rows, whole


def _payoffs_by_choice(tree: Tree, player: int, row: Mapping[int, int]) -> Array:
    """[own choice] chance times payoff at the leaves after it, weighted by ``row``."""
    mine, theirs = tree.choices[player], tree.choices[1 - player]
    weights = np.zeros(len(theirs), object)
    for other, weight in row.items():
        weights[other] = weight
    others = Numbers(fitted(weights[theirs.last[tree.leaf_indices]]))
    paid = others.times(tree.chance_reach.take(tree.leaf_indices)).times(tree.leaf_payoffs[player])
    return paid.group_sums(mine.last[tree.leaf_indices], len(mine)).numerators


def _expected(tree: Tree, player: int, joint: Joint) -> Fraction:
    one, two = (choices.last[tree.leaf_indices].tolist() for choices in tree.choices)
    chances = Numbers.of(joint.get(pair, Fraction(0)) for pair in zip(one, two, strict=True))
    return payoffs_of(tree, chances.times(tree.chance_reach.take(tree.leaf_indices)))[
        tree.names[player]
    ]


def _optimal_deviation(tree: Tree, player: int, joint: Joint, kind: str) -> Fraction:
    """The player's payoff with optimal deviations from the recommendations."""
    choices, told = tree.choices[player], kind == "efce"
    rows, whole = _rows(player, joint)
    under = whole * tree.chance_reach.denominator * tree.leaf_payoffs[player].denominator
    if kind == "cce":
        alone = int(best_choices(choices, _payoffs_by_choice(tree, player, rows[0]))[0][0])
        return max(Fraction(alone, under), _expected(tree, player, joint))
    total, deviating = (
        {},
        {},
    )  # [sequence] payoffs right after it; [set or choice] value of deviating
    for sequence in range(len(choices)):
        payoffs = _payoffs_by_choice(tree, player, rows.get(sequence, {}))
        total[sequence] = int(payoffs[sequence])
        values = best_choices(choices, payoffs)[0] if rows.get(sequence) else payoffs
        sets = [choices.owner[sequence]] if told else np.flatnonzero(choices.before == sequence)
        for own in sets:
            if own >= 0:
                first, size = int(choices.first[own]), int(choices.sizes[own])
                key = sequence if told else int(own)
                deviating[key] = int(values[first : first + size].max())
    for stage in reversed(choices.stages):  # totals get the values of all that follows
        for own in stage.tolist():
            here = range(int(choices.first[own]), int(choices.first[own] + choices.sizes[own]))
            if told:
                best = sum(max(total[choice], deviating[choice]) for choice in here)
            else:
                best = max(sum(total[choice] for choice in here), deviating[own])
            total[int(choices.before[own])] += best
    return Fraction(total[0], under)
