"""From a finished build to the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from infoset.rules.columns import CHANCE, LEAF, LEAVES, Limits
from infoset.rules.replay import Replay
from infoset.tree.labels import KnowledgeLabels
from infoset.tree.record import Tree

if TYPE_CHECKING:
    from infoset.rules.game import Game


def tree_of_game(game: Game, limits: Limits) -> Tree:
    """The tree of a game given by its rules."""
    return freeze(repr(game), game.grow(limits))


def freeze(name: str, replay: Replay) -> Tree:
    """The record of all that a replay has seen."""
    columns, knowledge, seats = replay.columns, replay.knowledge, replay.seats
    parent, action, what = (np.frombuffer(packed, np.int32) for packed in columns.packed())
    offers = knowledge.infosets
    infoset_player = np.array([seats.player_of[offer.agent] for offer in offers], np.int8)
    infoset_menu = np.array([knowledge.menus[offer.menu] for offer in offers], np.int32)
    menus = tuple(knowledge.menus)
    decision = what >= 0
    leaf = what <= LEAVES
    infoset = np.where(decision, what, np.where(leaf, np.int32(-1), -1 - what))
    player = np.where(leaf, np.int8(LEAF), np.int8(CHANCE))
    player[decision] = infoset_player[what[decision]]
    return Tree(
        name=name,
        players=seats.players,
        parent=parent,
        action=action,
        player=player,
        infoset=infoset,
        outcome=np.where(leaf, LEAVES - what, np.int32(-1)),
        infoset_player=infoset_player,
        infoset_menu=infoset_menu,
        menus=menus,
        labels=KnowledgeLabels(knowledge, infoset_menu, menus),
        lotteries=tuple(columns.lotteries),
        payoffs=tuple(columns.payoffs),
    )
