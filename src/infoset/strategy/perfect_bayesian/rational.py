"""A player's continuation from an information set, and the beliefs that make it optimal.

Let h be an information set of player i with nodes x, and let chance and the others follow their
strategies. With belief μ, a choice c of i at h or below earns Σ μ(x) e(c, x), where e(c, x) is the
expected payoff of the plays from x that end after c as i's last choice. By dynamic programming the
best continuation has the value v(h) of the smallest v with

    v(I) ≥ Σ μ(x) e(I a, x) + Σ v(I')    for each own set I at h or below, each of its actions a,
                                         and the own sets I' that follow it

and the strategy is sequentially rational at h if its own value Σ μ(x) u(x) ≥ v(h). All of this is
linear in μ and v. So the beliefs that support a continuation are a polyhedron, and whether it is
empty is decided exactly (:mod:`infoset.linear.cones`). If it is, then by duality some mixture of
continuations is better than the strategy at *every* node of h.

Payoffs are counted from the player's minimum: every continuation ends somewhere, so that this
changes all of them by the same constant, and the v are nonnegative.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from infoset.linear.cones import cone_point
from infoset.rules.moves import CHANCE, LEAF
from infoset.tree import Tree

Row = tuple[Fraction, ...]  # the probabilities of the actions at an information set
Played = Mapping[int, Row | None]  # by information set; None where that is open
Choice = tuple[int, int]  # an information set and an action


class Ground:
    """A tree as Python lists, without what chance excludes."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.player: list[int] = tree.player.tolist()
        self.set_of: list[int] = tree.infoset.tolist()
        start, child = (column.tolist() for column in tree.children)
        self.below = [child[start[at] : start[at + 1]] for at in range(len(tree))]
        self.mover: list[int] = tree.infoset_player.tolist()  # [information set]
        self.sizes: list[int] = tree.menu_sizes.tolist()
        begin, members = (column.tolist() for column in tree.members)
        self.possible: list[bool] = (tree.chance_reach.numerators > 0).tolist()  # [node]
        self.nodes = [  # [information set] those of its nodes that chance allows
            [x for x in members[begin[at] : begin[at + 1]] if self.possible[x]]
            for at in range(len(self.mover))
        ]
        self.sets = [at for at, nodes in enumerate(self.nodes) if nodes]
        self.pays = [self._payoffs(stake.values()) for stake in tree.leaf_payoffs]

    def _payoffs(self, amounts: Sequence[Any]) -> dict[int, Fraction]:
        """By leaf: a player's payoff above its lowest."""
        least = min(amounts)
        leaves = self.tree.leaf_indices.tolist()
        return {leaf: Fraction(paid - least) for leaf, paid in zip(leaves, amounts, strict=True)}

    def steps(self, node: int, played: Played) -> list[tuple[int, Fraction | None]]:
        """The nodes below one that have a positive probability; None where that is open."""
        below = self.below[node]
        place = self.set_of[node]
        if self.player[node] == CHANCE:
            row: Sequence[Any] | None = self.tree.lotteries[place].probabilities
        else:
            row = played[place]
        if row is None:
            return [(child, None) for child in below]
        return [(child, share) for child, share in zip(below, row, strict=True) if share]

    def is_above(self, infoset: int, others: Collection[int]) -> bool:
        """Is a node of one of the other sets below a set?"""
        stack, wanted = list(self.nodes[infoset]), set(others)
        while stack:
            below = self.below[stack.pop()]
            if any(self.player[to] >= 0 and self.set_of[to] in wanted for to in below):
                return True
            stack += below
        return False

    def depends(self, infoset: int, played: Played) -> set[int]:
        """The open sets on which the value of continuations from a set depends."""
        mover, found = self.mover[infoset], set()
        stack, seen = list(self.nodes[infoset]), set(self.nodes[infoset])
        while stack:
            node = stack.pop()
            if self.player[node] == LEAF:
                continue
            place = self.set_of[node]
            if self.player[node] >= 0 and played[place] is None and place != infoset:
                found.add(place)
            own = self.player[node] == mover
            below = self.below[node] if own else [to for to, _ in self.steps(node, played)]
            fresh = [to for to in below if to not in seen]
            seen.update(fresh)
            stack += fresh
        return found


@dataclass
class Continuation:
    """What a player may do from an information set on, and what it earns, node by node."""

    nodes: list[int]  # of the set
    sets: list[int]  # the own sets, first the one itself; what follows a set stands after it
    own: list[Fraction]  # [node] the value of the strategy
    earned: dict[Choice, list[Fraction]]  # [node] what choices earn as the last ones
    following: dict[Choice, list[int]] = field(default_factory=dict)  # the own sets after choices

    def values(self, weights: Sequence[Any], sizes: Sequence[int]) -> tuple[Any, Any, int]:
        """What the strategy and the best continuation get with a belief, and how that begins."""
        best: dict[int, Any] = {}
        first = 0
        for place in reversed(self.sets):
            amounts = [
                sum(w * e for w, e in zip(weights, self.earned[place, at], strict=True))
                + sum(best[lower] for lower in self.following.get((place, at), ()))
                for at in range(sizes[place])
            ]
            best[place] = max(amounts)
            first = amounts.index(best[place])
        own = sum(w * u for w, u in zip(weights, self.own, strict=True))
        return own, best[self.sets[0]], first

    def supported_by(self, sizes: Sequence[int]) -> list[Fraction] | None:
        """[node] a belief with which the strategy is optimal; None if there is none, proved."""
        count = len(self.nodes)
        value = {place: count + at for at, place in enumerate(self.sets)}
        rows: list[dict[int, Any]] = [{x: u for x, u in enumerate(self.own) if u}]
        rows[0][count] = Fraction(-1)
        for place in self.sets:
            for at in range(sizes[place]):
                row = {x: -e for x, e in enumerate(self.earned[place, at]) if e}
                row[value[place]] = Fraction(1)
                for lower in self.following.get((place, at), ()):
                    row[value[lower]] = Fraction(-1)
                rows.append(row)
        found = cone_point(count + len(value), rows, [dict.fromkeys(range(count), 1)])
        if found is None:
            return None
        total = sum(found[:count])
        return [weight / total for weight in found[:count]]


def continuation(ground: Ground, infoset: int, played: Played) -> Continuation:
    """A player's continuations from a set on; nothing that they depend on may be open."""
    mover, nodes, sizes = ground.mover[infoset], ground.nodes[infoset], ground.sizes
    count = len(nodes)
    sets, met = [infoset], {infoset}
    earned: dict[Choice, list[Fraction]] = {}
    following: dict[Choice, list[int]] = {}
    stack = [(node, at, Fraction(1), (-1, -1)) for at, node in enumerate(nodes)]
    while stack:
        node, at, weight, choice = stack.pop()
        if ground.player[node] == LEAF:
            earned.setdefault(choice, [Fraction(0)] * count)[at] += (
                weight * ground.pays[mover][node]
            )
        elif ground.player[node] == mover:
            place = ground.set_of[node]
            if place not in met:
                met.add(place)
                sets.append(place)
                following.setdefault(choice, []).append(place)
            stack += [(to, at, weight, (place, a)) for a, to in enumerate(ground.below[node])]
        else:
            for to, share in ground.steps(node, played):
                assert share is not None
                stack.append((to, at, weight * share, choice))
    for place in sets:
        for a in range(sizes[place]):
            earned.setdefault((place, a), [Fraction(0)] * count)
    return Continuation(nodes, sets, _own(played, sets, earned, following), earned, following)


def _own(
    played: Played,
    sets: Sequence[int],
    earned: Mapping[Choice, list[Fraction]],
    following: Mapping[Choice, list[int]],
) -> list[Fraction]:
    """[node] the value of the player's own strategy."""
    values: dict[int, list[Fraction]] = {}
    for place in reversed(sets):
        row = played[place]
        assert row is not None
        total = [Fraction(0)] * len(earned[place, 0])
        for a, share in enumerate(row):
            if share:
                parts = [earned[place, a], *(values[at] for at in following.get((place, a), ()))]
                total = [t + share * sum(part) for t, *part in zip(total, *parts, strict=True)]
        values[place] = total
    return values[sets[0]]


def may_be_unreached(tree: Tree) -> bool:
    """Is there an information set that some strategies never reach?

    Every play comes to a set, from a node on, if the node is in the set, or if that holds for some
    outcome of chance, or for all actions of a player.

    >>> from infoset.games import entry_game, matching_pennies
    >>> may_be_unreached(entry_game().tree()), may_be_unreached(matching_pennies().tree())
    (True, False)
    """
    ground = Ground(tree)
    return not all(_is_met(ground, set(ground.nodes[at])) for at in ground.sets)


def _is_met(ground: Ground, nodes: set[int]) -> bool:
    met = [False] * len(ground.player)
    for node in range(len(met) - 1, -1, -1):
        below = [met[child] for child in ground.below[node] if ground.possible[child]]
        some = any(below) if ground.player[node] == CHANCE else bool(below) and all(below)
        met[node] = node in nodes or some
    return met[0]
