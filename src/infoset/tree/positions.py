"""The tree below a position, for games that are not written as rules.

Two decisions are in one information set exactly if the mover's view and its options agree. Players
who move at once become decisions in their order, none of which sees the ones before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from infoset.errors import TooLarge
from infoset.rules import Position, memory
from infoset.rules.columns import CHANCE, CHECK_EVERY, LEAF, MAX_NODES
from infoset.rules.moves import Lottery, Menu
from infoset.rules.seats import Seats, seat
from infoset.rules.story import text
from infoset.tree.record import Tree


class _Growth:
    """Columns and tables in the making."""

    def __init__(self, seats: Seats) -> None:
        self.seats = seats
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.infosets: dict[tuple[str, Hashable, Menu], int] = {}
        self.menus: dict[Menu, int] = {}
        self.lotteries: dict[Lottery, int] = {}
        self.payoffs: dict[tuple[Fraction, ...], int] = {}

    def decision(self, position: Position, mover: str) -> tuple[int, int, Menu]:
        """The player, information set and menu of a mover."""
        menu = tuple(position.options(mover))
        self.menus.setdefault(menu, len(self.menus))
        number = self.infosets.setdefault((mover, position.view(mover), menu), len(self.infosets))
        return self.seats.player(mover), number, menu


def tree_of_position(
    position: Position,
    players: Seats | Sequence[str] | Mapping[str, Sequence[str]],
    name: str,
    max_nodes: int = MAX_NODES,
    progress: Callable[[int], None] | None = None,
) -> Tree:
    """The extensive form of everything that can follow a position.

    ``players`` are names in order, or a mapping of teams to their agents, as a game declares them.
    """
    seats = players if isinstance(players, Seats) else seat(players)
    growth = _Growth(seats)
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
            vector = tuple(Fraction(here.payoffs[player]) for player in seats.players)
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
    return _finished(growth, name)


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


def _finished(growth: _Growth, name: str) -> Tree:
    table = np.array(growth.rows, np.int32)
    keys, seats = list(growth.infosets), growth.seats
    partner = {name: seats.player_of.count(seats.player(name)) > 1 for name in seats.agents}
    return Tree(
        name=name,
        players=seats.players,
        parent=table[:, 0].copy(),
        action=table[:, 1].copy(),
        player=table[:, 2].astype(np.int8),
        infoset=table[:, 3].copy(),
        outcome=table[:, 4].copy(),
        infoset_player=np.array([seats.player(mover) for mover, _, _ in keys], np.int8),
        infoset_menu=np.array([growth.menus[menu] for _, _, menu in keys], np.int32),
        menus=tuple(growth.menus),
        labels=tuple(f"{mover}: " * partner[mover] + text(view) for mover, view, _ in keys),
        lotteries=tuple(growth.lotteries),
        payoffs=tuple(growth.payoffs),
    )
