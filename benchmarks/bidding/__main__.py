"""Bidding tic-tac-toe with few chips and with very many: which share of the chips wins.

    python benchmarks/bidding [--chips 24] [--plot docs/textbook/figures/bidding.svg]

Positions are solved from the last marks back, for every number of chips, every way to share them
and either holder of the advantage. At each of them the bids are a matrix game, and it is checked
that it has a saddle point: so that nobody needs to mix (M. Develin & S. Payne, Discrete bidding
games, 2010). Beside them are Richman's thresholds, the shares in the limit, as fractions. On small
boards the values are compared with those that backward induction finds from the rules of the
library. Half a minute for 24 chips.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from infoset.display.plots.style import colour, new_figure, save_figure, styled
from infoset.games import bidding_tic_tac_toe
from infoset.objects import lines_through, square_name
from infoset.search import backward_induction

Values = NDArray[np.int8]  # (holder of the advantage, cross's chips)
AROUND = 0.26  # of a half: the shares in the figure
WORDS = {1: "cross wins", 0: "draw", -1: "nought wins"}


class Board(NamedTuple):
    """A board of tic-tac-toe; marks are bits of a number."""

    size: int
    lines: tuple[tuple[int, ...], ...]  # through each square
    images: tuple[tuple[int, ...], ...]  # of the squares, under the symmetries of the board

    def alike(self, own: int, other: int) -> tuple[int, int]:
        """The same position, turned or reflected in a way that is the same for all like it."""
        squares = range(self.size)
        return min(
            (
                sum(1 << image[at] for at in squares if own >> at & 1),
                sum(1 << image[at] for at in squares if other >> at & 1),
            )
            for image in self.images
        )


def board_of(width: int, height: int, line: int) -> Board:
    """A board with its lines and symmetries."""
    places = [(x, y) for y in range(height) for x in range(width)]
    number = {square_name(place): at for at, place in enumerate(places)}
    through = lines_through(width, height, line)
    lines = tuple(
        tuple(sum(1 << number[one] for one in squares) for squares in through[square_name(place)])
        for place in places
    )
    images = set()
    for across in (False, True):
        for down in (False, True):
            for turned in (False, True) if width == height else (False,):
                moved = [
                    (width - 1 - x if across else x, height - 1 - y if down else y)
                    for x, y in places
                ]
                moved = [(y, x) for x, y in moved] if turned else moved
                images.add(tuple(places.index(place) for place in moved))
    return Board(width * height, lines, tuple(sorted(images)))


class Marked(NamedTuple):
    """A position after a mark: that of cross, or that of nought."""

    won: bool
    full: bool
    marks: tuple[int, int]


@cache
def marked(board: Board, marks: tuple[int, int], mover: int) -> tuple[Marked, ...]:
    """What a player may make of a position; equal ones once."""
    found = {}
    for at in range(board.size):
        if (marks[0] | marks[1]) >> at & 1:
            continue
        made = marks[mover] | 1 << at
        after = board.alike(*((made, marks[1]) if mover == 0 else (marks[0], made)))
        won = any(line & made == line for line in board.lines[at])
        found[after] = Marked(won, (after[0] | after[1]).bit_count() == board.size, after)
    return tuple(found.values())


class Chips:
    """All positions of a board with a number of chips together."""

    def __init__(self, board: Board, total: int) -> None:
        """None is solved yet."""
        self.board, self.total = board, total
        self.saddles = self.stages = 0
        self.known: dict[tuple[int, int], Values] = {}

    def values(self, marks: tuple[int, int] = (0, 0)) -> Values:
        """The value to cross, for every holder of the advantage and every number of its chips."""
        if marks not in self.known:
            cross, nought = self.after(marks, 0), self.after(marks, 1)
            found = np.empty((2, self.total + 1), dtype=np.int8)
            for holder in (0, 1):
                for chips in range(self.total + 1):
                    matrix = self.matrix(cross, nought, holder, chips)
                    found[holder, chips] = matrix.min(axis=1).max()
                    self.saddles += int(found[holder, chips] == matrix.max(axis=0).min())
                    self.stages += 1
            self.known[marks] = found
        return self.known[marks]

    def after(self, marks: tuple[int, int], mover: int) -> Values:
        """The values after the best mark of a player."""
        sign, best = (1, np.maximum) if mover == 0 else (-1, np.minimum)
        whole = (2, self.total + 1)
        found = [
            np.full(whole, sign if one.won else 0, dtype=np.int8)
            if one.won or one.full
            else self.values(one.marks)
            for one in marked(self.board, marks, mover)
        ]
        return best.reduce(found)

    def matrix(self, cross: Values, nought: Values, holder: int, chips: int) -> Values:
        """The game of the bids: rows are cross's, columns nought's."""
        rows = np.arange(chips + 1)[:, None]
        columns = np.arange(self.total - chips + 1)[None, :]
        high = cross[holder, np.broadcast_to(chips - rows, (len(rows), columns.size))]
        low = nought[holder, np.broadcast_to(chips + columns, (len(rows), columns.size))]
        found = np.where(rows > columns, high, low)
        ties = np.arange(min(len(rows), columns.size))
        # The holder uses the advantage, which the other has from then on, or keeps it.
        best, used = (np.maximum, cross) if holder == 0 else (np.minimum, nought)
        kept = nought if holder == 0 else cross
        up, down = chips + ties, chips - ties
        found[ties, ties] = best(
            used[1 - holder, down if holder == 0 else up],
            kept[holder, up if holder == 0 else down],
        )
        return found

    def bids(self, holder: int, chips: int) -> list[int]:
        """The first bids of cross that are optimal."""
        matrix = self.matrix(self.after((0, 0), 0), self.after((0, 0), 1), holder, chips)
        sure = matrix.min(axis=1)
        return [int(one) for one in np.flatnonzero(sure == sure.max())]


def threshold(board: Board, least: int, marks: tuple[int, int] = (0, 0)) -> Fraction:
    """Richman's threshold: with a greater share cross gets at least so much, with less it does not.

    With the thresholds after the best mark of each, it is their mean; and half of the difference
    is the bid.
    """
    known: dict[tuple[int, int], Fraction] = {}

    def ends(one: Marked, mover: int) -> Fraction:
        value = (1 if mover == 0 else -1) if one.won else 0
        return Fraction(0 if value >= least else 1) if one.won or one.full else share(one.marks)

    def share(marks: tuple[int, int]) -> Fraction:
        if marks not in known:
            low = min(ends(one, 0) for one in marked(board, marks, 0))
            high = max(ends(one, 1) for one in marked(board, marks, 1))
            known[marks] = (low + high) / 2
        return known[marks]

    return share(marks)


def first_bid(board: Board) -> Fraction:
    """The share that both bid for the first mark in the limit, to win."""
    low = min(threshold(board, 1, one.marks) for one in marked(board, (0, 0), 0))
    high = max(threshold(board, 1, one.marks) for one in marked(board, (0, 0), 1))
    return (high - low) / 2


def compare(width: int, height: int, line: int, most: int) -> int:
    """How many values agree with those from the rules; all must."""
    board, agreed = board_of(width, height, line), 0
    for total in range(most + 1):
        ours = Chips(board, total).values()[0]
        for chips in range(total + 1):
            member = bidding_tic_tac_toe(width, height, line, (chips, total - chips))
            found = backward_induction(member, exact=True)
            if found.value != ours[chips]:
                raise SystemExit(f"{member!r}: {found.value} and {ours[chips]}")
            if found.work["saddles"] != found.work["matrices"]:
                raise SystemExit(f"{member!r}: a stage without a saddle point")
            agreed += 1
    return agreed


def fewest(values: Values, least: int) -> str:
    """With how many chips cross gets at least so much."""
    enough = np.flatnonzero(values >= least)
    return str(enough[0]) if len(enough) else "-"


def plot(board: Board, found: dict[int, Values], file: Path) -> None:
    """A dot for each way to share the chips, and Richman's thresholds as lines."""
    win, hold = (float(threshold(board, least)) for least in (1, 0))
    kinds = {1: (colour(0), "o"), 0: ("black", "s"), -1: (colour(1), "x")}
    with styled():
        figure = new_figure(8.0, 4.2)
        panels = figure.subplots(1, 2, sharey=True)
        for holder, (panel, name) in enumerate(zip(panels, ("cross", "nought"), strict=True)):
            for value, (shade, sign) in kinds.items():
                dots = [
                    (total, chips / total)
                    for total, values in found.items()
                    for chips in range(total + 1)
                    if total and values[holder, chips] == value
                    if abs(chips / total - 0.5) <= AROUND
                ]
                across, up = zip(*dots, strict=True)
                panel.plot(across, up, sign, color=shade, ms=3.6, label=WORDS[value])
            for share in (win, hold):
                panel.axhline(share, color="grey", lw=0.8)
            panel.set(title=f"{name} has the advantage", xlabel="chips of both together")
        panels[0].set_ylabel("cross's share of them")
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "ncols": 3}
        panels[1].legend(**below)
        save_figure(figure, file)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--chips", type=int, default=24, help="of both together, at most")
    parser.add_argument("--plot", type=Path, help="where to draw the figure")
    asked = parser.parse_args()
    start = time.process_time()
    for size, most in (((3, 1, 2), 4), ((2, 2, 2), 3)):
        print(f"{size}: {compare(*size, most)} values as from the rules")
    board = board_of(3, 3, 3)
    win, hold = threshold(board, 1), threshold(board, 0)
    print(f"Richman: above {win} cross wins, below {hold} it loses; first bid {first_bid(board)}")
    found, saddles, stages = {}, 0, 0
    print("chips  cross wins from, draws from: with the advantage    without    bids of half")
    for total in range(asked.chips + 1):
        chips = Chips(board, total)
        found[total] = values = chips.values()
        saddles, stages = saddles + chips.saddles, stages + chips.stages
        needed = [fewest(values[holder], least) for holder in (0, 1) for least in (1, 0)]
        half = (total + 1) // 2
        word = WORDS[int(values[0, half])]
        print(
            f"{total:5}", *(f"{one:>6}" for one in needed), f"  {half}: {word}", chips.bids(0, half)
        )
    print(f"saddle points at {saddles:,} of {stages:,} stages, {time.process_time() - start:.0f} s")
    if asked.plot:
        plot(board, found, asked.plot)


if __name__ == "__main__":
    main()
