"""Plays out of the blocks: what happens in one world, to be run again by itself."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from infoset.rules.columns import CHANCE, LEAF
from infoset.rules.late.blocks import Block
from infoset.rules.late.explore import Late
from infoset.rules.late.hidden import Hidden
from infoset.rules.late.lines import Line
from infoset.rules.late.worlds import Field
from infoset.rules.moves import Lottery
from infoset.rules.play import Play
from infoset.rules.walk import View, Walk

Rules = Callable[[Play], object]


@dataclass(frozen=True)
class Played:
    """A play as one of its worlds has it."""

    moves: tuple[Any, ...]
    outcomes: tuple[int, ...]  # of nature's moves: which one, by its number
    views: tuple[View, ...]  # [agent] all that it knows in the end
    lotteries: tuple[Lottery, ...]
    payoffs: tuple[Fraction, ...]


class Plain(Walk):
    """A walk that keeps the lotteries that it meets."""

    __slots__ = ("came_to", "lotteries")

    def __init__(self, seats: Any, moves: Any) -> None:
        super().__init__(seats, moves)
        self.lotteries: list[Lottery] = []
        self.came_to: Any = None  # payoffs, views, lotteries; None if the rules went elsewhere

    def _draw(self, lottery: Lottery) -> Any:
        self.lotteries.append(lottery)
        return super()._draw(lottery)


def plays(late: Late, most: int) -> Iterator[Played]:
    """Some plays at random, the same ones every time: of every end, if there are not too many."""
    chosen = random.Random(0)
    leaves = [block for block in late.blocks if block.kind == LEAF]
    if len(leaves) > most:
        leaves = chosen.sample(leaves, most)
    for leaf in leaves:
        worlds = range(len(leaf.worlds))
        for at in chosen.sample(worlds, min(len(worlds), most // len(leaves))):
            yield world_play(late, leaf, int(leaf.worlds.rows[at]))


def world_play(late: Late, leaf: Block, row: int) -> Played:
    """The play that ends at a leaf, in the world of a row of its field."""
    field = leaf.worlds.field
    moves: list[Any] = []
    outcomes: list[int] = []
    lotteries: list[Lottery] = []
    block = leaf
    while block.parent is not None:
        above = block.parent
        if above.kind == CHANCE:
            draw = above.what
            there = _row(field, row, draw.outcome.field)
            moves.append(draw.outcome.table[draw.outcome.codes[there]])
            outcomes.append(int(draw.after.field.outcome[there]))
            code = 0
            if draw.terms is not None:
                code = int(draw.terms.codes[_row(field, row, draw.terms.field)])
            lotteries.append(late.lotteries.table[draw.numbers[code]])
        else:
            moves.append(above.menu[block.option])
        block = above
    paid = leaf.what
    if isinstance(paid, Hidden):
        paid = paid.table[paid.codes[_row(field, row, paid.field)]]
    views = tuple(view_of(line, field, row) for line in leaf.lines)
    exact = tuple(map(Fraction, paid))
    return Played(tuple(moves[::-1]), tuple(outcomes[::-1]), views, tuple(lotteries[::-1]), exact)


def _row(field: Field, row: int, above: Field) -> int:
    rows = field.rows_in(above)
    return row if rows is None else int(rows[row])


def view_of(line: Line, field: Field, row: int) -> View:
    """What an agent knows at the end of a line in one world."""
    gaps = [int(fact.codes[_row(field, row, fact.field)]) for fact in line.part.facts]
    seen: list[tuple[str, Any]] = []
    for kind, what in line.told(gaps):
        if kind == "took":
            menu, option = what
            seen += [("offered", menu), ("took", menu[option])]
        else:
            seen.append((kind, what))
    return tuple(seen)
