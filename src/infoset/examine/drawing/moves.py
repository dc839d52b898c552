"""The moves between nodes that are drawn as one, in words: "bet", "30 deals", "any of 4"."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from infoset.examine.drawing.fold import Bundle
from infoset.examine.drawing.lettering import shown
from infoset.rules.cards import Card, Hand
from infoset.rules.columns import CHANCE
from infoset.rules.dice import Roll
from infoset.tree import Tree

FEW_SIGNS = 12  # up to which several moves are listed at the branch
FEW_MOVES = 8  # that a hint lists


@dataclass(frozen=True)
class Branch:
    """What leads from some nodes to others."""

    words: str  # at the branch
    hint: str  # the moves in full, or the first of them
    several: bool  # does it stand for more than one move?


def branch(tree: Tree, above: list[int], bundle: Bundle) -> Branch:
    """The words of the branch from some nodes to others; empty at the root.

    >>> from infoset.games import kuhn
    >>> branch(kuhn().tree(), [0], Bundle([1, 10], 0))
    Branch(words='2 deals', hint='J Q, J K', several=True)
    """
    if not above:
        return Branch("", "", False)
    moves = _moves(tree, bundle.nodes)
    words = f"{bundle.rest:,} more" if bundle.rest else _words(tree, above, bundle, moves)
    return Branch(words, _hint(list(moves)), len(moves) > 1)


def _words(tree: Tree, above: list[int], bundle: Bundle, moves: dict[str, Hashable]) -> str:
    if len(moves) == 1:
        return next(iter(moves))
    if tree.player[above[0]] == CHANCE:
        return f"{len(moves):,} {_noun(next(iter(moves.values())))}"
    listed = ", ".join(moves)
    sizes = {len(tree.menu(node)) for node in above}
    ways = len(bundle.nodes) // len(above)
    if ways == 1 or len(moves) <= 1:
        return listed if len(listed) <= FEW_SIGNS else f"one of {len(moves):,}"
    if sizes == {ways}:
        return f"any of {ways:,}"
    return listed if len(listed) <= FEW_SIGNS else f"{ways:,} moves"


def _hint(moves: list[str]) -> str:
    more = f" and {len(moves) - FEW_MOVES:,} more" if len(moves) > FEW_MOVES else ""
    return shown(", ".join(moves[:FEW_MOVES])) + more


def _moves(tree: Tree, nodes: list[int]) -> dict[str, Hashable]:
    """The different moves that lead to some nodes, by how they read."""
    seen: set[tuple[bool, int, int]] = set()
    moves: dict[str, Hashable] = {}
    for above, action in zip(tree.parent[nodes].tolist(), tree.action[nodes].tolist(), strict=True):
        place = int(tree.infoset[above])
        nature = bool(tree.player[above] == CHANCE)
        key = (nature, place if nature else int(tree.infoset_menu[place]), action)
        if key not in seen:
            seen.add(key)
            move = tree.menu(above)[action]
            moves.setdefault(shown(move) or f"action {action + 1}", move)
    return moves


def _noun(outcome: Hashable) -> str:
    """What nature's outcomes are, by one of them."""
    if isinstance(outcome, Card):
        return "cards"
    if isinstance(outcome, Roll):
        return "rolls"
    dealt = isinstance(outcome, tuple) and any(isinstance(part, Card | Hand) for part in outcome)
    return "deals" if dealt else "outcomes"
