"""Are two trees the same game? Whatever its tables look like, and with labels as they read."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from infoset.rules.columns import CHANCE
from infoset.rules.moves import Payoffs
from infoset.rules.story import text

if TYPE_CHECKING:
    from infoset.tree.record import Tree


def same_game(one: Tree, two: Tree) -> bool:
    """The same shape, moves, information, chances, payoffs and names."""
    return (
        (one.name, one.players, one.comment) == (two.name, two.players, two.comment)
        and all(np.array_equal(getattr(one, a), getattr(two, a)) for a in _SHAPE)
        and np.array_equal(one.infoset[one.player >= 0], two.infoset[two.player >= 0])
        and list(one.labels) == list(two.labels)
        and _menus(one) == _menus(two)
        and _drawn(one) == _drawn(two)
        and _paid(one) == _paid(two)
        and dict(one.node_names) == dict(two.node_names)
    )


_SHAPE = ("parent", "action", "player")


def _menus(tree: Tree) -> list[list[str]]:
    texts = [[text(action) for action in menu] for menu in tree.menus]
    return [texts[number] for number in tree.infoset_menu]


def _drawn(tree: Tree) -> list[tuple[list[str], tuple[Fraction, ...]]]:
    read = [
        ([text(one) for one in drawn.outcomes], drawn.probabilities) for drawn in tree.lotteries
    ]
    return [read[number] for number in tree.infoset[tree.player == CHANCE].tolist()]


def _paid(tree: Tree) -> list[tuple[str, Payoffs] | None]:
    names = tree.outcome_names or ("",) * len(tree.payoffs)
    named = list(zip(names, tree.payoffs, strict=True))
    return [named[number] if number >= 0 else None for number in tree.outcome]
