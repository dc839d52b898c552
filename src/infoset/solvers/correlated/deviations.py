"""What each player could gain by not doing as it is told: found from the device's lottery alone.

This is the check of correlated equilibria. It knows nothing of the linear programs that find them:
it takes what the device draws, or the weights of a correlation plan, and lets each player deviate
as well as it can, by backward induction on the player's own choices, in rational arithmetic.

    ce      told a whole plan, the player answers what it now believes of the others' plans
    cce     before it is told anything, it answers what the others do on average
    efce    told the action at a set, it may turn away there, and is told nothing from then on
    efcce   come to a set, it may turn away before it is told the action there

In the latter two, "what the others do" is what their plans do, given what the player was told so
far: its own sequence. The best way to turn away, at which sets and after what, is again found by
backward induction: at each set the larger of turning away and going on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np

from infoset.linear.numbers import Array, Numbers, fitted
from infoset.strategy.mixed import Pure
from infoset.strategy.response import climb, tree_best_response
from infoset.tree import Tree

Profiles = Sequence[tuple[tuple[Pure, ...], Fraction]]
Joint = Mapping[tuple[int, int], Fraction]  # by sequence of player one and sequence of player two


def leaf_probabilities(tree: Tree, draws: Profiles) -> Numbers:
    """[end] how likely each leaf is."""
    return _others(tree, draws, None)


def _others(tree: Tree, draws: Profiles, player: int | None) -> Numbers:
    """[end] the probability that nature and all but one player do their part in reaching it."""
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
    for keys, share in probabilities.items():
        if not keys:
            total += share
            continue
        first, *rest = sorted(keys, key=lambda key: len(leaf_indices[key]))
        follows = leaf_indices[first]
        for key in rest:
            follows = follows[leads[key][follows]]
        total[follows] += share
    return Numbers(fitted(total), whole).times(tree.nature.take(tree.leaf_indices))


def payoffs_of(tree: Tree, chances: Numbers) -> dict[str, Fraction]:
    """What each player expects, given how likely each leaf is."""
    pairs = zip(tree.names, tree.leaf_payoffs, strict=True)
    return {player: chances.times(stake).total for player, stake in pairs}


# ---------------------------------------------------------------------- told a plan, or nothing


def plan_gains(tree: Tree, draws: Profiles, *, told: bool) -> dict[str, Fraction]:
    """By player: what it can gain by playing otherwise, told its plan or not."""
    expected = payoffs_of(tree, leaf_probabilities(tree, draws))
    gains = {}
    for number, player in enumerate(tree.names):
        groups: dict[object, list[tuple[tuple[Pure, ...], Fraction]]] = defaultdict(list)
        for profile, weight in draws:
            groups[profile[number].chosen if told else None].append((profile, weight))
        best = Fraction(0)
        for group in groups.values():
            response = tree_best_response(tree, number, _others(tree, group, number))
            best += response.value if response.most is None else response.most
        gains[player] = max(best - expected[player], Fraction(0))  # it may do as it is told
    return gains


# ---------------------------------------------------------------------- told action by action


def joint_weights(tree: Tree, draws: Profiles) -> dict[tuple[int, int], Fraction]:
    """By pair of sequences: how likely it is that both players' plans make their choices."""
    whole = lcm(*(weight.denominator for _, weight in draws))
    total: dict[tuple[int, int], int] = defaultdict(int)
    for profile, weight in draws:
        one, two = (list(_sequences(plan)) for plan in profile)
        share = int(weight * whole)
        for pair in product(one, two):
            total[pair] += share
    return {pair: Fraction(over, whole) for pair, over in total.items()}


def _sequences(plan: Pure) -> Iterable[int]:
    """The sequences that a plan makes: a choice counts if the ones before it are made, too."""
    choices = plan.choices
    action = plan.action_at[choices.infosets]
    made = {0}
    for stage in choices.stages:
        for own in stage.tolist():
            if int(choices.before[own]) in made and action[own] >= 0:
                made.add(int(choices.first[own] + action[own]))
    return made


def sequence_gains(tree: Tree, joint: Joint, kind: str) -> dict[str, Fraction]:
    """By player of two: what it can gain by turning away where it may: efce, efcce or cce."""
    return {
        player: _best_way(tree, number, joint, kind) - _expected(tree, number, joint)
        for number, player in enumerate(tree.names)
    }


def _rows(player: int, joint: Joint) -> tuple[dict[int, dict[int, int]], int]:
    """By own sequence, then by the other's: weights over one denominator, and that."""
    whole = lcm(*(weight.denominator for weight in joint.values()))
    rows: dict[int, dict[int, int]] = defaultdict(dict)
    for pair, weight in joint.items():
        rows[pair[player]][pair[1 - player]] = int(weight * whole)
    return rows, whole


def _worth(tree: Tree, player: int, row: Mapping[int, int]) -> Array:
    """[own choice] chance times payoff at the leaves after it, the other's part as in ``row``."""
    mine, theirs = tree.choices[player], tree.choices[1 - player]
    weights = np.zeros(len(theirs), object)
    for other, weight in row.items():
        weights[other] = weight
    others = Numbers(fitted(weights[theirs.last[tree.leaf_indices]]))
    paid = others.times(tree.nature.take(tree.leaf_indices)).times(tree.leaf_payoffs[player])
    return paid.group_sums(mine.last[tree.leaf_indices], len(mine)).numerators


def _expected(tree: Tree, player: int, joint: Joint) -> Fraction:
    one, two = (choices.last[tree.leaf_indices].tolist() for choices in tree.choices)
    chances = Numbers.of(joint.get(pair, Fraction(0)) for pair in zip(one, two, strict=True))
    return payoffs_of(tree, chances.times(tree.nature.take(tree.leaf_indices)))[tree.names[player]]


def _best_way(tree: Tree, player: int, joint: Joint, kind: str) -> Fraction:
    """What the player gets if it does as it is told until it pays to turn away."""
    choices, told = tree.choices[player], kind == "efce"
    rows, whole = _rows(player, joint)
    under = whole * tree.nature.denominator * tree.leaf_payoffs[player].denominator
    if kind == "cce":
        alone = int(climb(choices, _worth(tree, player, rows[0]))[0][0])
        return max(Fraction(alone, under), _expected(tree, player, joint))
    total, away = {}, {}  # [sequence] what is paid right after it; [set or choice] turning away
    for sequence in range(len(choices)):
        worth = _worth(tree, player, rows.get(sequence, {}))
        total[sequence] = int(worth[sequence])
        values = climb(choices, worth)[0] if rows.get(sequence) else worth
        sets = [choices.owner[sequence]] if told else np.flatnonzero(choices.before == sequence)
        for own in sets:
            if own >= 0:
                first, size = int(choices.first[own]), int(choices.sizes[own])
                key = sequence if told else int(own)
                away[key] = int(values[first : first + size].max())
    for stage in reversed(choices.stages):  # a total now gets all that comes after it
        for own in stage.tolist():
            here = range(int(choices.first[own]), int(choices.first[own] + choices.sizes[own]))
            if told:
                best = sum(max(total[choice], away[choice]) for choice in here)
            else:
                best = max(sum(total[choice] for choice in here), away[own])
            total[int(choices.before[own])] += best
    return Fraction(total[0], under)
