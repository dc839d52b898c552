"""The tree below a position, for games that are not written as rules.

Two decisions are in one information set exactly if the mover's view and its options agree. Players
who move at once become decisions in their order, none of which sees the ones before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

import numpy as np

from infoset.errors import TooLarge
from infoset.rules import Position, memory
from infoset.rules.columns import CHANCE, CHECK_EVERY, LEAF, MAX_NODES
from infoset.rules.moves import Lottery, Menu
from infoset.rules.story import text
from infoset.tree.record import Tree


class _Growth:
    """Columns and tables in the making."""

    def __init__(self, players: Sequence[str]) -> None:
        self.number = {player: number for number, player in enumerate(players)}
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.infosets: dict[tuple[int, Hashable, Menu], int] = {}
        self.menus: dict[Menu, int] = {}
        self.lotteries: dict[Lottery, int] = {}
        self.payoffs: dict[tuple[Fraction, ...], int] = {}

    def decision(self, position: Position, mover: str) -> tuple[int, int, Menu]:
        """The player, information set and menu of a mover."""
        player, menu = self.number[mover], tuple(position.options(mover))
        self.menus.setdefault(menu, len(self.menus))
        key = (player, position.view(mover), menu)
        return player, self.infosets.setdefault(key, len(self.infosets)), menu


def tree_of_position(
    position: Position,
    players: Sequence[str],
    name: str,
    max_nodes: int = MAX_NODES,
    progress: Callable[[int], None] | None = None,
) -> Tree:
    """The extensive form of everything that can follow a position."""
    growth = _Growth(players)
    rows = growth.rows
    # A place to go on: the position, what the movers before have chosen, node above, its action.
    waiting: list[tuple[Position, tuple[Hashable, ...], int, int]] = [(position, (), -1, -1)]
    checkpoint = min(CHECK_EVERY, max_nodes)
    while waiting:
        here, chosen, above, taken = waiting.pop()
        node = len(rows)
        if node >= checkpoint:
            checkpoint = _look_around(name, node, max_nodes, progress)
        movers = here.movers
        if here.over:
            vector = tuple(Fraction(here.payoffs[player]) for player in players)
            number = growth.payoffs.setdefault(vector, len(growth.payoffs))
            rows.append((above, taken, LEAF, -1, number))
        elif not movers:
            outcomes, chances = zip(*here.chances(), strict=True)
            lottery = Lottery(outcomes, chances)
            number = growth.lotteries.setdefault(lottery, len(growth.lotteries))
            rows.append((above, taken, CHANCE, number, -1))
            backwards = range(len(outcomes) - 1, -1, -1)
            waiting += [(here.after(outcomes[j]), (), node, j) for j in backwards]
        else:
            player, infoset, menu = growth.decision(here, movers[len(chosen)])
            rows.append((above, taken, player, infoset, -1))
            last = len(chosen) + 1 == len(movers)
            for j in range(len(menu) - 1, -1, -1):
                moves = (*chosen, menu[j])
                if last:
                    after = here.after(moves if len(moves) > 1 else menu[j])
                    waiting.append((after, (), node, j))
                else:
                    waiting.append((here, moves, node, j))
    return _finished(growth, tuple(players), name)


def _look_around(
    name: str, node: int, max_nodes: int, progress: Callable[[int], None] | None
) -> int:
    if node >= max_nodes:
        raise TooLarge(
            f"{name}: the tree has more than {max_nodes:,} nodes; raise max_nodes (--max-nodes)"
        )
    room = memory.available()
    if room is not None and room < memory.KEEP_FREE:
        raise TooLarge(f"{name}: memory is running out at {node:,} nodes")
    if progress is not None:
        progress(node)
    return min(node + CHECK_EVERY, max_nodes)


def _finished(growth: _Growth, players: tuple[str, ...], name: str) -> Tree:
    table = np.array(growth.rows, np.int32)
    keys = list(growth.infosets)
    return Tree(
        name=name,
        players=players,
        parent=table[:, 0].copy(),
        action=table[:, 1].copy(),
        player=table[:, 2].astype(np.int8),
        infoset=table[:, 3].copy(),
        outcome=table[:, 4].copy(),
        infoset_player=np.array([player for player, _, _ in keys], np.int8),
        infoset_menu=np.array([growth.menus[menu] for _, _, menu in keys], np.int32),
        menus=tuple(growth.menus),
        labels=tuple(text(view) for _, view, _ in keys),
        lotteries=tuple(growth.lotteries),
        payoffs=tuple(growth.payoffs),
    )
