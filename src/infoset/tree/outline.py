"""A tree as text, for small ones: one line a node, indented by depth.

Decisions name the player and what it knows; nodes of one information set carry the same number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from infoset.rules.moves import CHANCE, LEAF
from infoset.text import brief, named_amount, short_tens, text

if TYPE_CHECKING:
    from infoset.tree.record import Tree

MOST_LINES = 400


def draw(tree: Tree, most: int = MOST_LINES, depth: int | None = None) -> str:
    """The tree drawn with lines.

    Parameters
    ----------
    tree
        The tree.
    most
        Lines after which the rest is only counted.
    depth
        Moves after which the rest is only counted.

    Returns
    -------
    str
        One line a node.

    Examples
    --------
    >>> from infoset.tree import matrix_game
    >>> print(draw(matrix_game([[1, -1]], actions=(("stay",), ("left", "right"))).tree()))
    row #1 (nothing yet)
    └─ stay: column #2 (nothing yet)
       ├─ left: row 1, column -1
       └─ right: row -1, column 1
    """
    lines: list[str] = []
    left_out = 0
    for line, hidden in _lines(tree, depth):
        if len(lines) < most:
            lines.append(line)
            left_out += hidden
        else:
            left_out = len(tree) - most
            break
    if left_out:
        lines.append(f"… {left_out:,} of {len(tree):,} nodes not shown")
    return "\n".join(lines)


def _lines(tree: Tree, deepest: int | None) -> Iterator[tuple[str, int]]:
    """Each node's line, and how many nodes below it are not drawn."""
    start, child = tree.children
    sizes = subtree_sizes(tree) if deepest is not None else None
    waiting: list[tuple[int, int, str, str]] = [(0, 0, "", "")]  # node, depth, lead, branch
    while waiting:
        node, depth, lead, branch = waiting.pop()
        cut = deepest is not None and depth >= deepest and tree.player[node] != LEAF
        hidden = int(sizes[node]) - 1 if cut and sizes is not None else 0
        more = f" … {hidden:,} nodes below" if hidden else ""
        words = f"{_edge(tree, node)}{_node(tree, node)}"
        yield f"{lead}{branch}{words}{more}", hidden
        if cut:
            continue
        inner = lead + ("" if not branch else "│  " if branch == "├─ " else "   ")
        below = child[start[node] : start[node + 1]].tolist()
        for number, at in enumerate(reversed(below)):
            waiting.append((at, depth + 1, inner, "├─ " if number else "└─ "))


def subtree_sizes(tree: Tree) -> list[int]:
    """[node] how many nodes its subtree has, itself included."""
    sizes = [1] * len(tree)
    parent = tree.parent.tolist()
    for node in range(len(tree) - 1, 0, -1):
        sizes[parent[node]] += sizes[node]
    return sizes


def _edge(tree: Tree, node: int) -> str:
    above = int(tree.parent[node])
    if above < 0:
        return ""
    taken = int(tree.action[node])
    words = brief(short_tens(text(tree.menu(above)[taken]))) or f"action {taken + 1}"
    if tree.player[above] == CHANCE:
        chance = tree.lotteries[int(tree.infoset[above])].probabilities[taken]
        return f"{words} ({chance}): "
    return f"{words}: "


def _node(tree: Tree, node: int) -> str:
    number, kind = int(tree.infoset[node]), int(tree.player[node])
    paid = int(tree.outcome[node])
    amounts = ""
    if paid >= 0:
        pairs = zip(tree.names, tree.payoffs[paid], strict=True)
        amounts = ", ".join(named_amount(brief(player), amount) for player, amount in pairs)
    if kind == LEAF:
        return amounts or "nothing paid"
    bonus = f" [{amounts}]" if amounts else ""
    if kind == CHANCE:
        return "chance" + bonus
    label = brief(short_tens(tree.labels[number]))
    return f"{brief(tree.names[kind])} #{number + 1}" + (f" ({label})" if label else "") + bonus
