"""The tree of a game given by its rules: built, frozen, and audited.

Replay checks who is asked and from what wherever it backtracks to. What it cannot see, because it
meets it once, are facts, large chance moves and payoffs that change from run to run. So a few
plays, spread over the tree, are run again from the start: every decision must fall into the
information set that the tree has there, every lottery must be the tree's, and so the payoffs.
Vectorized rules have a check of their own (:mod:`infoset.vectorized.check`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import NotRepeatable, RulesError
from infoset.rules.knowledge import Knowledge
from infoset.rules.moves import CHANCE, LEAF, Lottery, Menu
from infoset.rules.play import Play
from infoset.rules.position import Asked, Walk
from infoset.rules.replay import LEAVES, Replay, garbage_collection_paused, replay_all
from infoset.rules.running import Limits, errors_located
from infoset.text import place_text
from infoset.tree.knowledge import knowing, knowledge_labels
from infoset.tree.record import Tree
from infoset.tree.vectorized import tree_of_blocks
from infoset.vectorized import run_vectorized

if TYPE_CHECKING:
    from infoset.rules.game import Game

MOST_AUDITS = 16  # plays of a tree that are run once more
NODES_PER_AUDIT = 500


def tree_of_game(game: Game, limits: Limits) -> Tree:
    """The tree of a game given by its rules.

    Parameters
    ----------
    game
        The game.
    limits
        How far to go.

    Returns
    -------
    Tree
        Of all plays.

    Raises
    ------
    RulesError, TooLarge
        As :meth:`Game.tree`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> tree_of_game(kuhn(), Limits())
    <Tree of kuhn(): 55 nodes, 12 information sets, 2 players>
    """
    with garbage_collection_paused():
        return replace(_built(game, limits), game=game)


def _built(game: Game, limits: Limits) -> Tree:
    if game.vectorized:
        return tree_of_blocks(repr(game), run_vectorized(game, limits))
    replay = replay_all(game, limits)
    tree = freeze(repr(game), replay)
    if not game.audited:  # once is enough: the rules and the parameters stay the same
        audit(tree, replay.knowledge, game.rules)
        game.audited = True
    return tree


def freeze(name: str, replay: Replay) -> Tree:
    """The record of all plays that a replay has seen.

    Inside a run every node is the first child of the one before it; only the first node of a run,
    the one after a leaf, has another parent.
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
        labels=knowledge_labels(learnt),
        lotteries=tuple(replay.lotteries.table),
        payoffs=tuple(columns.payoffs),
        knowing=learnt,
    )


class AuditWalk(Walk):
    """A walk that follows the trie of knowledge and lists what it meets, O(1) a step."""

    __slots__ = ("_knowledge", "_state", "lotteries", "met")

    def __init__(self, knowledge: Knowledge, moves: list[Any]) -> None:
        """At the start, where no player knows anything."""
        super().__init__(knowledge.seats, moves)
        self._knowledge = knowledge
        self._state = list(range(len(knowledge.seats.agents)))  # -1: never met in the tree
        self.met: list[int] = []  # the information sets, in order; -1 for one that is not there
        self.lotteries: list[Lottery] = []

    def _learn(self, agents: tuple[int, ...], fact: Any) -> None:
        for agent in agents:
            state = self._state[agent]
            if state >= 0:
                self._state[agent] = self._knowledge.steps.get((state, fact), -1)

    def _know(self, agent: int, knowing: Any) -> None:
        self._state[agent] = self._knowledge.steps.get((-1 - agent, knowing), -1)

    def _moved(self, agent: int, menu: Menu, option: Any) -> None:
        known, state = self._knowledge, self._state[agent]
        offer = known.find(state, menu) if state >= 0 else None
        self.met.append(offer.number if offer else -1)
        self._state[agent] = offer.after + menu.index(option) if offer else -1

    def _drawn(self, make: Callable[..., Lottery], *terms: Any) -> Any:
        lottery = make(*terms)
        self.lotteries.append(lottery)
        move = super()._drawn(lambda: lottery)
        try:
            return lottery.outcomes[lottery.outcomes.index(move)]  # of the type the rules expect
        except ValueError:
            return move


def audit(tree: Tree, knowledge: Knowledge, rules: Callable[[Play], object]) -> None:
    """Run some plays again, the last one among them."""
    last = len(tree) - 1
    count = min(MOST_AUDITS, 1 + last // NODES_PER_AUDIT)
    starts = [last - part * last // count for part in range(count)]
    for leaf in {node + int(np.argmax(tree.player[node:] == LEAF)) for node in starts}:
        _audit_play(tree, knowledge, rules, leaf)


def _audit_play(
    tree: Tree, knowledge: Knowledge, rules: Callable[[Play], object], leaf: int
) -> None:
    moves: list[Any] = []
    infosets: list[int] = []
    lotteries: list[Lottery] = []
    node = leaf
    while (above := int(tree.parent[node])) >= 0:
        moves.append(tree.menu(above)[int(tree.action[node])])
        number = int(tree.infoset[above])
        if tree.player[above] == CHANCE:
            lotteries.append(tree.lotteries[number])
        else:
            infosets.append(number)
        node = above
    walk = AuditWalk(knowledge, moves[::-1])
    expected = tuple(map(Fraction, tree.payoffs[int(tree.outcome[leaf])]))
    with errors_located(tree.name, lambda: place_text(walk.history)):
        try:
            same = walk.result(rules) == expected
        except (Asked, RulesError):
            same = False
        if not (same and walk.met == infosets[::-1] and walk.lotteries == lotteries[::-1]):
            raise NotRepeatable(
                "running the same play twice gave different knowledge, options, chances or payoffs;"
                " rules must depend on nothing but their parameters and g's answers"
            )
