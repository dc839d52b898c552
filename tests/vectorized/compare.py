"""The tree of rules run for all deals at once, beside the one of plain replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from infoset import Play, game
from infoset.rules import Game
from infoset.rules.replay import replay_all
from infoset.rules.running import Limits
from infoset.tree.from_rules import freeze
from infoset.tree.record import Tree
from infoset.tree.vectorized import tree_of_blocks
from infoset.vectorized.explore import VectorizedPlay, explore_vectorized

ARRAYS = ("parent", "action", "player", "infoset", "outcome", "infoset_player", "infoset_menu")


def blocks_of(one: Game, *, fold: bool = False, limits: Limits | None = None) -> VectorizedPlay:
    """The blocks of a game, late or not, without a check by plain plays."""
    return explore_vectorized(one, limits or Limits(), fold=fold)


def both_trees(one: Game) -> tuple[Tree, Tree]:
    """The tree by plain replay, and the late one."""
    return freeze(repr(one), replay_all(one, Limits())), tree_of_blocks(repr(one), blocks_of(one))


def assert_same(one: Game) -> Tree:
    """Both trees are the same, number for number; what everyone knows, word for word."""
    plain, late = both_trees(one)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(plain, name), getattr(late, name), name)
    assert plain.menus == late.menus
    assert plain.lotteries == late.lotteries
    assert plain.payoffs == late.payoffs
    assert [_equal_words(label) for label in plain.labels] == [
        _equal_words(label) for label in late.labels
    ]
    assert plain.knowing is not None
    assert late.knowing is not None
    np.testing.assert_array_equal(plain.knowing.at.shape, late.knowing.at.shape)
    pairs = set(
        zip(plain.knowing.at.ravel().tolist(), late.knowing.at.ravel().tolist(), strict=True)
    )
    for before, after in pairs:
        assert plain.knowing.words(before) == late.knowing.words(after)
    assert len({before for before, _ in pairs}) == len({after for _, after in pairs}) == len(pairs)
    return late


def _equal_words(label: str) -> str:
    """Facts that are equal are one, 1 and True; by which of them it is called is left open."""
    return label.replace("True", "1").replace("False", "0")


def family(rules: Callable[[Play], object], players: Any = ("ann", "bob")) -> Game:
    """A game of rules that take nothing but g, late."""
    return game(players=players, vectorized=True)(rules)()
