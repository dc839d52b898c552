"""Games for runs of regret minimization: random ones without ties, and those at the edges."""

from __future__ import annotations

import zlib
from dataclasses import replace
from fractions import Fraction

import numpy as np

from infoset import Play, game
from infoset.tree import MatrixGame, Tree, matrix_game
from infoset.tree.builder import Builder

PLAYERS = ("ann", "bob", "cy", "dee")


def generic_tree(seed: int, players: int, depth: int = 5) -> Tree:
    """A random game whose payoffs are fractions, all different: nobody is ever indifferent.

    Regrets then stay clear of zero, where rounding would decide what is played.
    """
    names = PLAYERS[:players]

    @game(players=names)
    def generic_game(g: Play) -> object:
        history: tuple[object, ...] = (seed,)

        def pick(count: int, salt: str) -> int:
            return zlib.crc32(repr((history, salt)).encode()) % count

        for step in range(depth):
            kind = pick(8, "kind") if step else 1
            if kind == 0:
                break
            if kind == 1:
                weights = [1 + pick(5, f"weight {j}") for j in range(2 + pick(2, "many"))]
                history += (g.chance(range(len(weights)), weights),)
            elif kind == 2 and players > 1:
                history += tuple(g.together(dict.fromkeys(names, ("l", "r"))).values())
            else:
                player = names[pick(players, "who")]
                options = [f"m{j}" for j in range(1 + pick(3, "options"))]
                history += (g.choose(player, options),)
            for name in names:
                if pick(2, f"see {name}"):
                    g.reveal(name, history[-1])
        return [
            Fraction(pick(100_003, f"over {name}") - 50_000, 1 + pick(97, f"under {name}"))
            for name in names
        ]

    return generic_game().tree()


def untied(tree: Tree) -> Tree:
    """The same tree, with payoffs that all differ."""
    leaf_indices = tree.leaf_indices.tolist()
    outcome = np.full(len(tree), -1, np.int32)
    outcome[leaf_indices] = range(len(leaf_indices))
    players = range(len(tree.players))
    payoffs = tuple(
        tuple(Fraction(zlib.crc32(b"%d %d" % (end, player)) % 100_003, 41) for player in players)
        for end in leaf_indices
    )
    return replace(tree, outcome=outcome, payoffs=payoffs)


def only_a_leaf() -> Tree:
    builder = Builder(("ann", "bob"), "only a leaf")
    builder.pay(builder.root, (3, -3))
    return builder.build()


def one_set() -> Tree:
    builder = Builder(("ann", "bob"), "one set")
    for amount, node in enumerate(builder.decide(builder.root, "ann", ("l", "m", "r"))):
        builder.pay(node, (amount, 7 - 2 * amount))
    return builder.build()


def chance_alone() -> Tree:
    builder = Builder(("ann", "bob", "cy"), "chance alone")
    for amount, node in enumerate(builder.chance(builder.root, ("rain", "sun"), (1, 2))):
        builder.pay(node, (amount, 2 * amount, Fraction(amount, 7)))
    return builder.build()


def silent_second() -> Tree:
    """Bob has no set; ann has three."""
    builder = Builder(("ann", "bob"), "bob never moves")
    for number, node in enumerate(builder.chance(builder.root, ("a", "b"), (1, 3))):
        left, right = builder.decide(node, "ann", ("l", "r"), infoset=number)
        builder.pay(left, (2 - number, 5))
        for amount, below in enumerate(builder.decide(right, "ann", ("l", "m", "r"))):
            builder.pay(below, (amount + number, -amount))
    return builder.build()


def indifferent_second() -> Tree:
    """Bob chooses, and gets the same whatever happens: no entry of the layout is his."""
    builder = Builder(("ann", "bob"), "bob does not care")
    for first, node in enumerate(builder.decide(builder.root, "ann", ("l", "r"))):
        for second, end in enumerate(builder.decide(node, "bob", ("l", "r"), infoset="all")):
            builder.pay(end, (3 * first - 2 * second, 4))
    return builder.build()


def chain(length: int = 60) -> Tree:
    """As unbalanced as can be: one long line, everything else ends at once."""
    builder = Builder(("ann", "bob"), "chain")
    node = builder.root
    for step in range(length):
        stop, node = builder.decide(node, step % 2, ("stop", "go"))
        builder.pay(stop, (step % 7, -(step % 7)))
    builder.pay(node, (1, -1))
    return builder.build()


def lopsided() -> Tree:
    """One of many first sets has all that follows; sets have one to five actions."""
    builder = Builder(("ann", "bob"), "lopsided")
    amount = 0
    for number, node in enumerate(builder.chance(builder.root, range(9))):
        actions = range(1 + number % 5)
        for action, below in enumerate(builder.decide(node, "ann", actions, infoset=number)):
            leaves = [below]
            if number == 4:
                for depth in range(3):
                    leaves = [
                        after
                        for at, end in enumerate(leaves)
                        for after in builder.decide(
                            end, "ann" if depth else "bob", range(2 + (at + depth) % 3)
                        )
                    ]
            for end in leaves:
                amount += 1
                builder.pay(end, (amount % 11 + action, -(amount % 11) - action))
    return builder.build()


def paid_on_the_way() -> Tree:
    """What a play pays is the sum along it, as in files that pay at any node."""
    builder = Builder(("ann", "bob"), "paid on the way")
    for first, node in enumerate(builder.decide(builder.root, "ann", ("l", "r"))):
        builder.pay(node, (3 * first, Fraction(first, 3)))
        for second, end in enumerate(builder.decide(node, "bob", ("l", "r"), infoset="all")):
            builder.pay(end, (second - first, 2 * second))
    return builder.build()


def impossible() -> Tree:
    """Sets behind a move that chance never makes."""
    builder = Builder(("ann", "bob"), "impossible")
    never, always = builder.chance(builder.root, ("never", "always"), (0, 1))
    for number, node in enumerate((never, always)):
        for first, below in enumerate(builder.decide(node, "ann", ("l", "r"), infoset=number)):
            leaves = builder.decide(below, "bob", ("l", "m", "r"), infoset=first + 2 * number)
            for second, end in enumerate(leaves):
                builder.pay(end, (first + 3 * second, -first - 3 * second))
    return builder.build()


ODD = {
    "paid on the way": paid_on_the_way,
    "impossible": impossible,
    "only a leaf": only_a_leaf,
    "one set": one_set,
    "chance alone": chance_alone,
    "bob never moves": silent_second,
    "bob does not care": indifferent_second,
    "chain": chain,
    "lopsided": lopsided,
}


def table_game(size: int) -> MatrixGame:
    """Zero sum, ``size`` strategies for each: as many leaves as that squared."""
    rows = [[zlib.crc32(b"%d %d" % (i, j)) % 1001 - 500 for j in range(size)] for i in range(size)]
    return matrix_game(rows)
