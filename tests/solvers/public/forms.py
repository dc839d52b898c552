"""Games of two with opposed interests, as trees and as public forms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from infoset import games
from infoset.forms.public.record import PublicForm
from infoset.tree import Tree
from tests.oracles.public import public_form_of_tree
from tests.solvers.regret.odd_games import generic_tree


def opposed(tree: Tree, total: Fraction = Fraction(0)) -> Tree:
    """The game in which player two gets what is left of a total by player one."""
    payoffs = tuple((one, total - one) for one, _ in tree.payoffs)
    return replace(tree, payoffs=payoffs)


@cache
def trees() -> dict[str, Tree]:
    random = {f"random {seed}": opposed(generic_tree(seed, 2), Fraction(seed, 3)) for seed in SEEDS}
    return {
        "kuhn": games.kuhn().tree(),
        "kuhn of 40": games.kuhn(ranks=40).tree(),
        "leduc": games.leduc().tree(),
        "poker": games.poker(ranks=4, rounds=2).tree(),
        "liars_dice": games.liars_dice(sides=3).tree(),
        **random,
    }


SEEDS = (1, 2, 3, 4, 5, 6)
NAMES = ("kuhn", "kuhn of 40", "leduc", "poker", "liars_dice", *(f"random {s}" for s in SEEDS))


@cache
def public(name: str) -> PublicForm:
    return public_form_of_tree(trees()[name])


def orders(name: str) -> list[np.ndarray]:
    """[player][sequence of the form] the choice of the tree."""
    from tests.oracles.public import Seats

    return [Seats(trees()[name], player).order() for player in range(2)]
