"""Which parts of a tree are played alike: a number for the shape of every subtree.

Two subtrees have the same shape if the same players are offered the same choices in the same order,
whatever was dealt before and whatever is paid in the end. In one pass from the leaves up each node
is given a key made of its children's shapes, and equal keys get equal numbers:

    a leaf         ()
    a decision     (player, its menu as it reads, the shapes of its children in order)
    a chance node  (the different shapes among its children)

Nature's outcomes that lead to one shape can be drawn as one branch. So can, where that is not
enough, the moves of a player: then a decision's key is (player, how many moves, the different
shapes among its children), and after any of these moves the play goes on alike, up to names.

The tree that is left has a size that depends on the root's shape alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from infoset.rules.columns import CHANCE, LEAF
from infoset.rules.story import text
from infoset.tree import Tree


@dataclass(frozen=True)
class Shapes:
    """The shape of every node's subtree."""

    of: list[int]  # [node] the number of its shape
    sizes: list[int]  # [shape] how many nodes are left when what has one shape is drawn once
    moves_too: bool  # are players' moves put together, or only nature's?

    @property
    def drawn(self) -> int:
        """How many nodes are left of the whole tree."""
        return self.sizes[self.of[0]]


def shapes(tree: Tree, moves_too: bool = False) -> Shapes:
    """Find the shapes of all subtrees.

    One pass without recursion: about a microsecond a node.

    >>> from infoset.games import kuhn
    >>> shapes(kuhn().tree()).drawn  # nature's node and one betting tree
    10
    """
    start, child = (column.tolist() for column in tree.children)
    menus = _menu_numbers(tree)
    players, places = tree.player.tolist(), tree.infoset.tolist()
    menu_of = tree.infoset_menu.tolist()
    number: dict[tuple[int, ...], int] = {}
    sizes: list[int] = []
    of = [0] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        player = players[node]
        below = [of[at] for at in child[start[node] : start[node + 1]]]
        key: tuple[int, ...]
        if player == LEAF:
            key = (LEAF,)
        elif player == CHANCE:
            below = sorted(set(below))
            key = (CHANCE, *below)
        elif moves_too:
            key = (player, len(below), *sorted(set(below)))
            below = list(key[2:])
        else:
            key = (player, menus[menu_of[places[node]]], *below)
        shape = number.setdefault(key, len(sizes))
        if shape == len(sizes):
            sizes.append(1 + sum(sizes[part] for part in below))
        of[node] = shape
    return Shapes(of, sizes, moves_too)


def _menu_numbers(tree: Tree) -> list[int]:
    """[menu] a number by which menus that read the same are known."""
    known: dict[tuple[str, ...], int] = {}
    return [known.setdefault(tuple(map(text, menu)), len(known)) for menu in tree.menus]


def subtree_sizes(tree: Tree) -> list[int]:
    """[node] how many nodes its subtree has, itself included."""
    sizes = [1] * len(tree)
    parent = tree.parent.tolist()
    for node in range(len(tree) - 1, 0, -1):
        sizes[parent[node]] += sizes[node]
    return sizes
