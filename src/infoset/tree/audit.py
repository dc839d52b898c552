"""A second look at rules that were replayed: some plays run once more, everything compared.

Replay checks who is asked and from what wherever it goes back to. What it cannot see, because it
meets it once, are facts and payoffs that change from run to run. So a few plays, spread over the
tree, are run again from the start: every decision must fall into the information set that the tree
has there, and the payoffs must be the leaf's.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import NotRepeatable, RulesError
from infoset.rules.blame import blamed
from infoset.rules.columns import LEAF
from infoset.rules.knowledge import Knowledge
from infoset.rules.play import Play
from infoset.rules.position import Asked, View, Walk
from infoset.rules.story import told
from infoset.tree.record import Tree

MOST_AUDITS = 16  # plays of a tree that are run once more
NODES_PER_AUDIT = 500


def audit(tree: Tree, knowledge: Knowledge, rules: Callable[[Play], object]) -> None:
    """Run some plays again, the last one among them."""
    last = len(tree) - 1
    count = min(MOST_AUDITS, 1 + last // NODES_PER_AUDIT)
    for part in range(count):
        node = last - part * last // count
        leaf = node + int(np.argmax(tree.player[node:] == LEAF)) if part else last
        _audit_play(tree, knowledge, rules, leaf)


def _audit_play(
    tree: Tree, knowledge: Knowledge, rules: Callable[[Play], object], leaf: int
) -> None:
    moves: list[Any] = []
    infosets: list[int] = []
    node = leaf
    while (above := int(tree.parent[node])) >= 0:
        moves.append(tree.menu(above)[int(tree.action[node])])
        if tree.player[above] >= 0:
            infosets.append(int(tree.infoset[above]))
        node = above
    walk = Walk(knowledge.seats, moves[::-1])
    expected = tuple(map(Fraction, tree.payoffs[int(tree.outcome[leaf])]))
    with blamed(tree.name, lambda: told(walk.told)):
        try:
            same = walk.result(rules) == expected
        except (Asked, RulesError):
            same = False
        same = same and infosets[::-1] == [_infoset(knowledge, *seen) for seen in walk.decisions]
        if not same:
            raise NotRepeatable(
                "running the same play twice gave different knowledge, options or payoffs;"
                " rules must depend on nothing but their parameters and g's answers"
            )


def _infoset(knowledge: Knowledge, agent: int, view: View) -> int:
    """The number of the information set with this view, or -1 if it was never met."""
    state = agent
    menu: Any = ()
    what: Any
    try:
        for kind, what in view:
            if kind == "knows":
                state = knowledge.steps[-1 - agent, what]
            elif kind == "saw":
                state = knowledge.steps[state, what]
            elif kind == "offered":
                menu = what
            else:
                offer = knowledge.find(state, menu)
                state = offer.after + menu.index(what) if offer else -1
        offer = knowledge.find(state, menu)
        return offer.number if offer else -1
    except KeyError:
        return -1
