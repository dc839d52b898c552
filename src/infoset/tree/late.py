"""From blocks to the record: the tree of rules that were run for all deals at once.

:mod:`infoset.rules.late.explore` leaves blocks: the nodes that one run makes in all of its worlds.
Here every node gets the place that depth-first order gives it, so that the tree is the same, number
for number, as the one that plain replay builds:

    size       of what is below a node, last blocks first, each added to the one above;
    place      first blocks first: that of the node above, and one, and the sizes of the siblings
               before it. Below a decision these come block by block; below a chance node by the
               outcome, which is the order of the rows of the field that it opened.

Then each block writes its columns to its places. Information sets, lotteries and payoffs are
numbered in the order in which the nodes meet them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.rules.columns import CHANCE, LEAF
from infoset.rules.late.blocks import Block
from infoset.rules.late.explore import Late
from infoset.rules.late.hidden import MISSING, Hidden
from infoset.rules.moves import Payoffs
from infoset.tree.labels import KnowledgeLabels
from infoset.tree.late_knowing import Sets, knowing_of
from infoset.tree.record import Tree

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

UNMET = 1 << 62  # instead of a node


def tree_of_blocks(name: str, late: Late) -> Tree:
    """The tree of all that was explored."""
    blocks = late.blocks
    places = _places(blocks)
    sets, payoffs = Sets(), _Payoffs()
    met = {kind: _Met() for kind in ("sets", "lotteries", "payoffs")}
    numbers = []
    for block, place in zip(blocks, places, strict=True):
        if block.kind >= 0:
            numbers.append(met["sets"].note(sets.numbers(block), place))
        elif block.kind == CHANCE:
            numbers.append(met["lotteries"].note(_lotteries(block), place))
        else:
            numbers.append(met["payoffs"].note(payoffs.numbers(block), place))
    order = met["sets"].order()
    described = sets.described(order)
    menus = tuple(dict.fromkeys(menu for _, menu, _ in described))
    number = {menu: at for at, menu in enumerate(menus)}
    menu = np.array([number[menu] for _, menu, _ in described], np.int32)
    columns = _columns(late, places, numbers, met)
    learnt = knowing_of(late, places, columns["player"], sets, order, menu, menus)
    return Tree(
        name=name,
        players=late.seats.players,
        **columns,
        infoset_player=np.array(
            [late.seats.player_of[line.agent] for line, _, _ in described], np.int8
        ),
        infoset_menu=menu,
        menus=menus,
        labels=KnowledgeLabels(learnt),
        lotteries=tuple(late.lotteries.table[one] for one in met["lotteries"].order().tolist()),
        payoffs=tuple(payoffs.table[one] for one in met["payoffs"].order().tolist()),
        knowing=learnt,
    )


def _columns(
    late: Late, places: list[Longs], numbers: list[Any], met: dict[str, _Met]
) -> dict[str, Any]:
    """The columns of the nodes, every block written to its places."""
    nodes = sum(map(len, places))
    parent, action, infoset = (np.empty(nodes, np.int32) for _ in range(3))
    outcome, player = np.full(nodes, -1, np.int32), np.empty(nodes, np.int8)
    new = {kind: one.numbers() for kind, one in met.items()}
    at = {id(block): place for block, place in zip(late.blocks, places, strict=True)}
    for block, place, own in zip(late.blocks, places, numbers, strict=True):
        above = block.parent
        if above is None:
            parent[place] = action[place] = -1
        else:
            parent[place] = at[id(above)][_above(block)]
            taken: Any = block.option
            if above.kind == CHANCE:
                field = above.what.after.field
                taken = field.outcome[block.worlds.along(field)]
            action[place] = taken
        player[place] = late.seats.player_of[block.kind] if block.kind >= 0 else block.kind
        if block.kind == LEAF:
            infoset[place] = -1
            outcome[place] = new["payoffs"][own]
        else:
            infoset[place] = new["sets" if block.kind >= 0 else "lotteries"][own]
    return {
        "parent": parent,
        "action": action,
        "player": player,
        "infoset": infoset,
        "outcome": outcome,
    }


class _Met:
    """Things in the order in which the nodes meet them."""

    def __init__(self) -> None:
        self._first = np.zeros(0, np.int64)  # [thing] the first node that meets it

    def note(self, numbers: Any, places: Longs) -> Any:
        """Things that the nodes of a block meet, its places in increasing order; or one thing."""
        if isinstance(numbers, int):
            low = high = numbers
        else:
            low, high = int(numbers.min()), int(numbers.max())
        if high >= len(self._first):
            more = np.full(high + 1 + len(self._first), UNMET, np.int64)
            more[: len(self._first)] = self._first
            self._first = more
        if isinstance(numbers, int):
            self._first[numbers] = min(int(self._first[numbers]), int(places[0]))
            return numbers
        here = np.full(high + 1 - low, UNMET, np.int64)
        here[numbers[::-1] - low] = places[::-1]  # of several, the first one is written last
        there = self._first[low : high + 1]
        np.minimum(there, here, out=there)
        return numbers

    def order(self) -> Longs:
        """All that were met, the first ones first."""
        there = np.flatnonzero(self._first < UNMET)
        return there[np.argsort(self._first[there], kind="stable")]

    def numbers(self) -> Ints:
        """[thing] its place in that order."""
        order = self.order()
        found = np.zeros(len(self._first), np.int32)
        found[order] = np.arange(len(order), dtype=np.int32)
        return found


def _above(block: Block) -> Any:
    """[place] where the node above stands in its block."""
    assert block.parent is not None
    if block.worlds is block.parent.worlds:
        return slice(None)
    return block.worlds.places_in(block.parent.worlds)


def _places(blocks: list[Block]) -> list[Longs]:
    """[block][world] the number of the node."""
    size = [np.ones(len(block.worlds), np.int32) for block in blocks]
    number = {id(block): at for at, block in enumerate(blocks)}
    below: list[list[int]] = [[] for _ in blocks]
    for at in range(len(blocks) - 1, 0, -1):
        block = blocks[at]
        up = number[id(block.parent)]
        below[up].append(at)
        above = _above(block)
        if blocks[up].kind != CHANCE:
            size[up][above] += size[at]
        else:
            parts = np.bincount(above, size[at], len(size[up]))  # whole numbers below 2^53
            size[up] += parts.astype(np.int32)
    place = [np.zeros(0, np.int64) for _ in blocks]  # what numpy takes as an index as it is
    place[0] = np.zeros(1, np.int64)
    for up, under in enumerate(below):
        if blocks[up].kind == CHANCE:
            _place_outcomes(blocks, size, place, up, under)
            continue
        following = place[up] + 1
        for at in reversed(under):
            above = _above(blocks[at])
            place[at] = following[above]
            if isinstance(above, slice):
                place[at] = place[at].copy()
            following[above] += size[at]
    return place


def _place_outcomes(
    blocks: list[Block], size: list[Ints], place: list[Longs], up: int, under: list[int]
) -> None:
    """The places of what follows a chance node: by the outcome, whatever block it is in."""
    field = blocks[up].what.after.field
    sizes = np.zeros(len(field), np.int64)
    for at in under:
        sizes[blocks[at].worlds.along(field)] = size[at]
    before = np.cumsum(sizes) - sizes
    world = np.searchsorted(blocks[up].worlds.rows, field.above)
    first = np.searchsorted(field.above, blocks[up].worlds.rows)
    begins = place[up][world] + 1 + before - before[first][world]
    for at in under:
        place[at] = begins[blocks[at].worlds.along(field)]


def _lotteries(block: Block) -> Any:
    draw = block.what
    if draw.terms is None:
        return int(draw.numbers[0])
    return draw.numbers[draw.terms.at(block.worlds)]


class _Payoffs:
    """The table of payoffs in the making."""

    def __init__(self) -> None:
        self.table: list[Payoffs] = []
        self._number: dict[Payoffs, int] = {}
        self._known: dict[Hidden, Ints] = {}

    def numbers(self, block: Block) -> Any:
        """[place] the numbers of what is paid; or one number."""
        paid = block.what
        if not isinstance(paid, Hidden):
            return self._one(paid)
        known = self._known.get(paid)
        if known is None:  # all has been explored: its table is complete
            known = np.array(
                [-1 if one is MISSING else self._one(one) for one in paid.table], np.int32
            )
            self._known[paid] = known
        return known[paid.at(block.worlds)]

    def _one(self, payoffs: Payoffs) -> int:
        number = self._number.setdefault(payoffs, len(self.table))
        if number == len(self.table):
            self.table.append(payoffs)
        return number
