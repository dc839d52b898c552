"""A second look at rules that were replayed: some plays run once more, everything compared.

Replay checks who is asked and from what wherever it goes back to. What it cannot see, because it
meets it once, are facts, large chance moves and payoffs that change from run to run. So a few
plays, spread over the tree, are run again from the start: every decision must fall into the
information set that the tree has there, every chance move must be the tree's, and so the payoffs.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import NotRepeatable, RulesError
from infoset.rules.blame import blamed
from infoset.rules.columns import CHANCE, LEAF
from infoset.rules.knowledge import Knowledge
from infoset.rules.moves import Lottery, Menu
from infoset.rules.play import Play
from infoset.rules.story import told
from infoset.rules.walk import Asked, Walk
from infoset.tree.record import Tree

MOST_AUDITS = 16  # plays of a tree that are run once more
NODES_PER_AUDIT = 500


class Recheck(Walk):
    """A walk that follows the trie of knowledge, and lists what it meets: O(1) a step."""

    __slots__ = ("_knowledge", "_menu_at", "_state", "lotteries", "met")

    def __init__(self, knowledge: Knowledge, moves: list[Any]) -> None:
        """At the start, where nobody knows anything."""
        super().__init__(knowledge.seats, moves)
        self._knowledge = knowledge
        self._state = list(range(len(knowledge.seats.agents)))  # -1: never met in the tree
        self._menu_at: Menu = ()
        self.met: list[int] = []  # the information sets, in order; -1 for one that is not there
        self.lotteries: list[Lottery] = []

    def _note(self, agent: int, kind: str, what: Any) -> None:
        known, state = self._knowledge, self._state[agent]
        if kind == "knows":
            self._state[agent] = known.steps.get((-1 - agent, what), -1)
        elif state >= 0 and kind == "saw":
            self._state[agent] = known.steps.get((state, what), -1)
        elif kind == "offered":
            self._menu_at = what
            offer = known.find(state, what) if state >= 0 else None
            self.met.append(offer.number if offer else -1)
        elif kind == "took":
            infoset = self.met[-1]
            after = known.infosets[infoset].after if infoset >= 0 else -1
            self._state[agent] = after + self._menu_at.index(what) if infoset >= 0 else -1

    def _draw(self, lottery: Lottery) -> Any:
        self.lotteries.append(lottery)
        move = super()._draw(lottery)
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
    walk = Recheck(knowledge, moves[::-1])
    expected = tuple(map(Fraction, tree.payoffs[int(tree.outcome[leaf])]))
    with blamed(tree.name, lambda: told(walk.told)):
        try:
            same = walk.result(rules) == expected
        except (Asked, RulesError):
            same = False
        if not (same and walk.met == infosets[::-1] and walk.lotteries == lotteries[::-1]):
            raise NotRepeatable(
                "running the same play twice gave different knowledge, options, chances or payoffs;"
                " rules must depend on nothing but their parameters and g's answers"
            )
