"""What is true of a tree, each with the witness that shows it.

Perfect information: every information set has one node.

Perfect recall of a player: any two nodes of one of its information sets are reached by the same
sequence of its own choices, (information set, action) pairs (Kuhn 1953). It suffices to compare the
*last* own choice: if it is the same everywhere at every information set, then by induction so is
the whole sequence. That is one pass down the tree for each player.

Absent-mindedness: a play meets an information set twice (Piccione & Rubinstein 1997). It implies
imperfect recall, so only players who forget are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from infoset.rules.moves import LEAF
from infoset.text import bounded_number, brief, history_text, place_text, text
from infoset.tree.views import Infoset, Node

if TYPE_CHECKING:
    from infoset.tree.record import Tree

Longs = npt.NDArray[np.int64]


REASON = 1_000  # signs


@dataclass(frozen=True)
class Fact:
    """Something that holds or not, why, and the nodes that show it. True or false as it holds."""

    holds: bool
    because: str
    nodes: tuple[Node, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "because", brief(self.because, REASON))

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return f"{'yes' if self.holds else 'no'}: {self.because}"


@dataclass(frozen=True)
class Forgotten(Fact):
    """Imperfect recall: two nodes of an information set, and the own choice told apart before."""

    infoset: Infoset | None = None
    choice: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "choice", brief(self.choice))


def perfect_information(tree: Tree) -> Fact:
    """Does every player always know which node it is at?"""
    start, _ = tree.members
    sizes = start[1:] - start[:-1]
    wide = np.flatnonzero(sizes > 1)
    if not len(wide):
        return Fact(True, "every information set has one node")
    infoset = Infoset(tree, int(wide[0]))
    pair = (infoset.nodes[0], infoset.nodes[1])
    plays = f"({_play(pair[0])}) from ({_play(pair[1])})"
    return Fact(False, f"{infoset.player}, at {_name(infoset)}, cannot tell {plays}", pair)


def zero_sum(tree: Tree) -> Fact:
    """Do the payoffs of every play sum to zero?"""
    constant = constant_sum(tree)
    if not constant:
        return _odd_one_out(tree, 0)
    total = sum(constant.nodes[0].payoffs.values())
    if total == 0:
        return Fact(True, "the payoffs of every play sum to 0")
    return Fact(False, f"the payoffs of every play sum to {bounded_number(total)}", constant.nodes)


def constant_sum(tree: Tree) -> Fact:
    """Do the payoffs of all plays sum to the same?"""
    total = sum(tree.settled.payoffs[tree.settled.outcome[_first_leaf(tree)]])
    odd = _odd_one_out(tree, total)
    if odd.holds:
        first = Node(tree, _first_leaf(tree))
        return Fact(True, f"the payoffs of every play sum to {bounded_number(total)}", (first,))
    other = odd.nodes[0]
    first = Node(tree, _first_leaf(tree))
    return Fact(
        False,
        f"the payoffs sum to {bounded_number(total)} {_when(first)}, and to"
        f" {bounded_number(sum(other.payoffs.values()))}"
        f" {_when(other)}",
        (first, other),
    )


def _first_leaf(tree: Tree) -> int:
    return int(np.argmax(tree.player == LEAF))


def _odd_one_out(tree: Tree, total: Fraction | int) -> Fact:
    """The first leaf whose payoffs do not sum to this."""
    settled = tree.settled
    odd = np.array([sum(payoffs) != total for payoffs in settled.payoffs])
    leaves = np.flatnonzero(settled.outcome >= 0)
    wrong = leaves[odd[settled.outcome[leaves]]]
    if not len(wrong):
        return Fact(True, f"the payoffs of every play sum to {bounded_number(total)}")
    leaf = Node(tree, int(wrong[0]))
    paid = bounded_number(sum(leaf.payoffs.values()))
    return Fact(False, f"the payoffs {_when(leaf)} sum to {paid}", (leaf,))


def own_sequences(tree: Tree, player: int) -> Longs:
    """[node] the player's last own choice on the way there, numbered; -1 if it had none.

    Choice j at information set i has the number ``first[i] + j``, where ``first`` counts the
    actions of the information sets before it.
    """
    sizes = tree.menu_sizes.astype(np.int64)
    first = np.cumsum(sizes) - sizes
    last = np.full(len(tree), -1, np.int64)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        own = tree.player[above] == player
        chosen = last[above]
        chosen[own] = first[tree.infoset[above[own]]] + tree.action[level[own]]
        last[level] = chosen
    return last


def recall(tree: Tree, player: int) -> Fact:
    """Does a player always remember what it knew and did? If not: what it forgets, and where."""
    name = tree.names[player]
    start, node = tree.members
    last = tree.choices[player].last[node]
    if len(node):
        differs = last != np.repeat(last[start[:-1]], start[1:] - start[:-1])
        differs &= tree.player[node] == player
        at = int(np.argmax(differs))
        if differs[at]:
            here = Node(tree, int(node[at]))
            infoset = Infoset(tree, int(tree.infoset[here.index]))
            return _forgotten(infoset, infoset.nodes[0], here)
    return Fact(True, f"{name} reaches each information set by one sequence of its own choices")


def _forgotten(infoset: Infoset, one: Node, two: Node) -> Forgotten:
    first, second = _own_choices(one, infoset.player), _own_choices(two, infoset.player)
    at = 0
    while at < min(len(first), len(second)) and first[at] == second[at]:
        at += 1
    choices = [
        f"{text(own[at][1])} at {_name(own[at][0])}" for own in (first, second) if at < len(own)
    ]
    choice = f"whether it chose {' or '.join(choices)}"
    because = (
        f"{infoset.player}, at {_name(infoset)}, forgets {choice} ({_when(one)}; {_when(two)})"
    )
    return Forgotten(False, because, (one, two), infoset, choice)


def _own_choices(node: Node, player: str) -> list[tuple[Infoset, object]]:
    chosen: list[tuple[Infoset, object]] = []
    at: Node | None = node
    while at is not None and (above := at.parent) is not None:
        if above.player == player and (infoset := above.infoset) is not None:
            chosen.append((infoset, at.action))
        at = above
    return chosen[::-1]


def absent_minded(tree: Tree, forgetful: list[int]) -> Fact:
    """Can a play meet one information set twice? Players with perfect recall cannot."""
    for player in forgetful:
        own = tree.player == player
        nearest = np.full(len(tree), -1, np.int32)  # the player's last node strictly above
        for level in tree.levels[1:]:
            above = tree.parent[level]
            nearest[level] = np.where(own[above], above, nearest[above])
        nodes = np.flatnonzero(own)
        back = nearest[nodes]
        while (alive := back >= 0).any():
            nodes, back = nodes[alive], back[alive]
            met = tree.infoset[nodes] == tree.infoset[back]
            if met.any():
                at = int(np.argmax(met))
                two, one = Node(tree, int(nodes[at])), Node(tree, int(back[at]))
                infoset = Infoset(tree, int(tree.infoset[two.index]))
                return Fact(
                    True, f"{_set(infoset)} is met {_when(one)} and again {_when(two)}", (one, two)
                )
            back = nearest[back]
    return Fact(False, "no play meets an information set twice")


def _set(infoset: Infoset) -> str:
    return f"{infoset.player}'s information set {_name(infoset)}"


def _name(infoset: Infoset) -> str:
    return repr(infoset.label) if infoset.label else f"#{infoset.index + 1}"


def _play(node: Node) -> str:
    return history_text(node.history)


def _when(node: Node) -> str:
    return place_text(node.history)
