"""Random strategies of random trees, and slow definitions to hold the fast ones against."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

from hypothesis import strategies as st

from infoset.strategy import Behaviour, Mixed, Pure, behaviour, mixed
from infoset.tree import Node, Tree
from tests.rules.random_games import random_rules

SEEDS = st.integers(0, 10**6)


def random_tree(seed: int, players: int, forgetful: bool = True, depth: int = 4) -> Tree:
    return random_rules(seed, players, depth, forgetful)().tree()


def random_weights(random: Random, count: int) -> list[Fraction]:
    """Some of them zero, as in equilibria."""
    whole = [random.choice((0, 0, 1, 2, 5)) for _ in range(count)]
    if not any(whole):
        whole[random.randrange(count)] = 1
    return [Fraction(weight, sum(whole)) for weight in whole]


def random_behaviour(tree: Tree, player: str, random: Random) -> Behaviour:
    given = {}
    for infoset in tree.infosets_of(player):
        weights = random_weights(random, len(infoset.actions))
        given[infoset] = dict(zip(infoset.actions, weights, strict=True))
    return behaviour(tree, player, given)


def all_pure(tree: Tree, player: str) -> list[Pure]:
    mine = tree.infosets_of(player)
    return [
        Pure(tree, player, tuple(zip([infoset.index for infoset in mine], actions, strict=True)))
        for actions in product(*(range(len(infoset.actions)) for infoset in mine))
    ]


def random_mixed(tree: Tree, player: str, random: Random, count: int = 6) -> Mixed:
    mine = tree.infosets_of(player)
    plans = {
        tuple((infoset.index, random.randrange(len(infoset.actions))) for infoset in mine)
        for _ in range(count)
    }
    weights = random_weights(random, len(plans))
    return mixed(
        tree,
        player,
        {Pure(tree, player, p): weight for p, weight in zip(sorted(plans), weights, strict=True)},
    )


def step(node: Node, strategies: dict[str, Behaviour]) -> Any:
    """The probability of the move that leads to a node, by its parent's own words."""
    above = node.parent
    assert above is not None
    at = int(node.tree.action[node.index])
    if above.is_chance:
        return above.probabilities[at]
    assert above.player is not None
    assert above.infoset is not None
    return strategies[above.player][above.infoset][above.actions[at]]


def walked(node: Node, strategies: dict[str, Behaviour]) -> list[Any]:
    """What everyone expects from a node on, by walking the tree below it."""
    if node.is_leaf:
        return list(node.payoffs.values())
    total = [Fraction(0)] * len(node.tree.names)
    for child in node.children:
        likely = step(child, strategies)
        below = walked(child, strategies)
        total = [so_far + likely * more for so_far, more in zip(total, below, strict=True)]
    return total


def path_weight(node: Node, strategy: Behaviour) -> Any:
    """The player's part in reaching a node: the product of its own probabilities."""
    factors = []
    at: Node | None = node
    while at is not None and (above := at.parent) is not None:
        if above.player == strategy.player:
            factors.append(step(at, {strategy.player: strategy}))
        at = above
    return prod(factors, start=Fraction(1))
