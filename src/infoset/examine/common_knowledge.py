"""What is common knowledge: an agent's information sets, grouped by what all can tell.

Common knowledge is the meet of what the agents know (Aumann 1976). Two moments of an agent's moving
cannot be told apart by all of the agents together if one of them cannot, and neither can moments
that are joined by a chain of such pairs. So the groups are the connected components of the graph
that links an agent's information sets to the states of knowledge in which the other agents are at
their nodes. Nothing is asked of the rules but what they reveal.

Where a tree does not come from rules, what the others know while they do not move is not written
down. Then their next information sets stand for it: moments after which another player may come to
the same one look alike to it; if it never moves again, its last own choice decides.

How often the agent has moved counts as known to all. Agents that are never told anything and never
move do not count. With one agent nothing is hidden from anyone; there, sets go together in which
the agent did the same, whatever was revealed to it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from infoset.examine.wording import infoset_words
from infoset.tree import Tree
from infoset.tree.facts import own_sequences
from infoset.tree.knowing import Knowing

Longs = npt.NDArray[np.int64]


def grouped(tree: Tree, player: int, own: Longs) -> tuple[Longs, Longs]:
    """[own set] the number of its group, counted as the tree meets them; own moves before it."""
    if not len(own):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    moves = _own_moves(tree, player, own)
    parts = [_components(tree, player, own, moves), moves]
    if tree.knowing is not None:
        parts.append(tree.knowing.agent[own].astype(np.int64))
    _, first, group = np.unique(np.stack(parts), axis=1, return_index=True, return_inverse=True)
    met = np.empty(len(first), np.int64)
    met[np.argsort(first, kind="stable")] = np.arange(len(first))
    found: Longs = met[group.reshape(-1)]
    return found, moves


def _own_moves(tree: Tree, player: int, own: Longs) -> Longs:
    """[own set] how many own moves come before it, on the way to its first node."""
    choices = tree.choices[player]
    count = np.zeros(len(own), np.int64)
    before = choices.owner[choices.before]  # [own set] the one before it, -1 if none
    for _ in range(len(tree.levels)):
        deeper = np.where(before >= 0, count[before] + 1, 0)
        if (deeper == count).all():
            break
        count = deeper
    return count


def _components(tree: Tree, player: int, own: Longs, moves: Longs) -> Longs:
    """[own set] the component of what cannot be told apart by everyone together.

    How often the player has moved counts as known to all; else its next move might join what its
    last one had set apart.
    """
    if tree.knowing is None:
        nodes, others = _by_next_moves(tree, player)
    else:
        nodes, others = _by_knowledge(tree, player)
    if not len(nodes):  # nobody else
        return _alike(tree, own)
    mine = np.searchsorted(own, tree.infoset[nodes])
    _, states = np.unique(others * (moves.max() + 1) + moves[mine], return_inverse=True)
    return joined(mine, states, len(own))


def joined(one: Longs, two: Longs, count: int) -> Longs:
    """[thing] the least of the things that it is joined with by pairs ``(one[i], two[i])``.

    The pairs join things of a first kind, of which there are ``count``, to things of a second. Each
    round passes the least number on across the pairs, then along the numbers themselves, so that
    a chain shortens by more than half: the rounds are few, however long it is.

    >>> joined(np.array([0, 1, 1, 2, 4]), np.array([0, 0, 1, 1, 2]), 5).tolist()
    [0, 0, 0, 3, 4]
    """
    least = np.arange(count)
    while True:
        passed = np.full(int(two.max(initial=-1)) + 1, count)
        np.minimum.at(passed, two, least[one])
        new = least.copy()
        np.minimum.at(new, one, passed[two])
        np.minimum.at(new, least, new.copy())  # what one of them is joined with, all are
        new = new[new]
        if (new == least).all():
            return least
        least = new


def knowers(known: Knowing) -> list[int]:
    """The agents that are ever told anything or decide: the others have nothing to tell apart."""
    told = np.flatnonzero((known.at >= len(known.agents)).any(axis=0)).tolist()
    return sorted({*told, *known.agent.tolist()})


def _by_knowledge(tree: Tree, player: int) -> tuple[Longs, Longs]:
    """Pairs of a node where the player moves and a state of knowledge of another agent there."""
    known = tree.knowing
    assert known is not None
    decisions = np.flatnonzero(tree.player >= 0)
    mine = tree.player[decisions] == player
    nodes, states = decisions[mine], known.at[mine]
    mover = known.agent[tree.infoset[nodes]]
    pairs = [
        (nodes[mover != agent], states[mover != agent, agent].astype(np.int64))
        for agent in knowers(known)
    ]
    # States of different agents are different states of one trie.
    return np.concatenate([a for a, _ in pairs]), np.concatenate([b for _, b in pairs])


def _by_next_moves(tree: Tree, player: int) -> tuple[Longs, Longs]:
    """The same where only information sets are known: another's next one, or its last choice."""
    all_nodes: list[Longs] = []
    all_states: list[Longs] = []
    offset = 0
    mine = np.flatnonzero(tree.player == player)
    for other in range(len(tree.players)):
        if other == player or not (tree.player == other).any():
            continue
        seen = np.zeros(len(tree), bool)
        lower = np.flatnonzero(tree.player == other)
        at, state = tree.parent[lower].astype(np.int64), tree.infoset[lower].astype(np.int64)
        while len(at):  # up from each of its decisions, until the one before
            here = at >= 0
            at, state = at[here], state[here]
            hit = tree.player[at] == player
            all_nodes.append(at[hit])
            all_states.append(state[hit] + offset)
            seen[at[hit]] = True
            on = tree.player[at] != other
            at, state = tree.parent[at[on]].astype(np.int64), state[on]
        offset += len(tree.infoset_player)
        silent = mine[~seen[mine]]
        last = own_sequences(tree, other)[silent].astype(np.int64)
        all_nodes.append(silent)
        all_states.append(last + 1 + offset)
        offset += int(tree.menu_sizes.sum()) + 2
    if not all_nodes:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate(all_nodes), np.concatenate(all_states)


def _alike(tree: Tree, own: Longs) -> Longs:
    """With nobody else about: sets that agree in what was done, whatever was revealed."""
    numbers: dict[tuple[str, ...], int] = {}
    words = ([str(w) if w.own else "" for w in infoset_words(tree, int(at))] for at in own)
    return np.array([numbers.setdefault(tuple(row), len(numbers)) for row in words], np.int64)
