"""From a finished build to the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from infoset.rules.columns import CHANCE, LEAF, LEAVES, Limits
from infoset.rules.grow import uncollected
from infoset.rules.replay import Replay
from infoset.tree.audit import audit
from infoset.tree.knowing import knowing
from infoset.tree.labels import KnowledgeLabels
from infoset.tree.late import tree_of_blocks
from infoset.tree.record import Tree

if TYPE_CHECKING:
    from infoset.rules.game import Game


def tree_of_game(game: Game, limits: Limits) -> Tree:
    """The tree of a game given by its rules."""
    with uncollected():
        return _grown(game, limits)


def _grown(game: Game, limits: Limits) -> Tree:
    if game.late:
        return tree_of_blocks(repr(game), game.grow_late(limits))
    replay = game.grow(limits)
    tree = freeze(repr(game), replay)
    if not game.audited:  # once is enough: the rules and the parameters stay the same
        audit(tree, replay.knowledge, game.rules)
        game.audited = True
    return tree


def freeze(name: str, replay: Replay) -> Tree:
    """The record of all that a replay has seen.

    Inside a run every node hangs below the one before it, by its first option; only the first node
    of a run, the one after a leaf, hangs elsewhere.
    """
    columns, knowledge, seats = replay.columns, replay.knowledge, replay.seats
    packed = columns.packed()
    what, above, taken, known = (np.frombuffer(column, np.int32) for column in packed)
    offers = knowledge.infosets
    infoset_player = np.array([seats.player_of[offer.agent] for offer in offers], np.int8)
    infoset_menu = np.array([knowledge.menus[offer.menu] for offer in offers], np.int32)
    menus = tuple(knowledge.menus)
    learnt = knowing(knowledge, known, infoset_menu, menus)
    decision = what >= 0
    leaf = what <= LEAVES
    fresh = np.concatenate(([0], np.flatnonzero(leaf)[:-1] + 1))
    parent = np.arange(-1, len(what) - 1, dtype=np.int32)
    parent[fresh] = above
    action = np.zeros(len(what), np.int32)
    action[fresh] = taken
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
        labels=KnowledgeLabels(learnt),
        lotteries=tuple(replay.lotteries.table),
        payoffs=tuple(columns.payoffs),
        knowing=learnt,
    )
