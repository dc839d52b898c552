"""Simultaneous-move alpha-beta (SMAB): depth first, with a window, without what cannot matter.

Algorithm 1 of A. Saffidine, H. Finnsson & M. Buro, *Alpha-beta pruning for games with simultaneous
moves*, AAAI 2012. The cells of a stage are searched one by one, each with the window (α_ab, β_ab)
between whose ends its value matters (:mod:`infoset.search.simultaneous.cells`). A value of at most
α_ab gives row a up, one of at least β_ab column b. If α_ab ≥ β_ab, one of the two happens whatever
the value is, and a search with the narrow window (α_ab, α_ab + ε) says which. The answer is the
value of what is left.

**What it returns** for a window α < β (the paper's theorem): v ≤ α means that the position is worth
at most v; v ≥ β, at least v; else exactly v. With R, C the actions left, giving up row a for a
mixture of others and the artificial row means

    value(R − a, C)  ≤  value(R, C)  ≤  max(α, value(R − a, C)),

because a constant row α next to any game is worth the larger of both. So each step keeps the value
clamped to [α, β]. It does not keep values beyond it: Algorithm 1 as printed returns the value of
the rest, and if that is below α, the position may be worth more. (Of the rows (5, −10) and (−1, −1)
with α = 0, the second is given up for the artificial row: left is −10, the position is worth −1.)
Returned here is then α itself, with which the theorem holds.

**Floats.** Numbers no further apart than a tie count as equal, always in favour of giving up, so
that exact and float searches prune alike where values tie in theory.
"""

from __future__ import annotations

from typing import Any

from infoset.rules import Position
from infoset.search.simultaneous.arithmetic import Played, shares
from infoset.search.simultaneous.cells import Cells, cell_order
from infoset.search.simultaneous.chance import average
from infoset.search.simultaneous.ground import Stage
from infoset.search.simultaneous.session import Session


class SimultaneousAlphaBeta:
    """A depth-first search with windows, and the mixture bounds that make them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.order: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def value(self, position: Position, depth: int) -> Any:
        """What a position is worth to the first player."""
        return self.search(position, self.session.low - 1, self.session.high + 1, depth)

    def played(self, position: Position, depth: int) -> Played:
        """The matrix game of a stage, what was given up played never."""
        return self.stage(position, self.session.low - 1, self.session.high + 1, depth)

    def search(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value, or a bound of it at the edge of the window."""
        session = self.session
        if position.over:
            return session.leaf(position)
        if not position.movers:
            return average(session, position, alpha, beta, depth, self.search)
        if depth == 0:
            return session.guess(position)
        key = session.key(position, depth)
        known = session.recall(key, alpha, beta)
        if known is not None:
            return known
        low, high = session.bounds(position)
        if session.low < session.high and (low == high or high <= alpha or low >= beta):
            return low if low >= beta else high
        value = self.stage(position, alpha, beta, depth).value
        value = min(max(value, low), high)  # of a pass that stops short, heuristics may know more
        session.store(key, value, alpha, beta)
        return value

    def stage(self, position: Position, alpha: Any, beta: Any, depth: int) -> Played:
        """Search the cells of a stage, and solve what is left of it."""
        session = self.session
        stage = session.enter(position, depth)
        cells = Cells(session, len(stage.rows), len(stage.columns), alpha, beta)
        children = self.look(stage, cells)
        settled = self.fill(stage, cells, children, depth)
        session.counts["skipped"] += cells.unseen
        if settled is not None:
            return Played(settled, (), ())
        if not cells.rows:
            return Played(alpha, (), ())
        if not cells.columns:
            return Played(beta, (), ())
        found = session.arithmetic.play(cells.matrix())
        rows = shares(found.rows, cells.rows, len(stage.rows))
        columns = shares(found.columns, cells.columns, len(stage.columns))
        return Played(cells.clamped(found.value), rows, columns)

    def look(self, stage: Stage, cells: Cells) -> dict[tuple[int, int], Position]:
        """Note what is known of the cells before any is searched."""
        session, request = self.session, self.session.request
        children: dict[tuple[int, int], Position] = {}
        if not request.leaves_first and not request.heuristic_bounds:
            return children
        for a in cells.rows:
            for b in cells.columns:
                child = children[a, b] = stage.after(a, b)
                if request.leaves_first and child.over:
                    cells.settle(a, b, session.leaf(child))
                    cells.unseen -= 1
                elif request.heuristic_bounds:
                    low, high = session.bounds(child)
                    cells.low[a][b], cells.high[a][b] = low, high
                    cells.done[a][b] = low == high
        return children

    def fill(
        self, stage: Stage, cells: Cells, children: dict[tuple[int, int], Position], depth: int
    ) -> Any:
        """Search the cells that matter; a bound if the window was left, else None."""
        request = self.session.request
        for a, b in self.ordered(len(stage.rows), len(stage.columns)):
            if cells.done[a][b] or a not in cells.rows or b not in cells.columns:
                continue
            if request.cutoffs:
                settled = cells.settled()
                if settled is not None:
                    return settled
            child = children.get((a, b))
            self.cell(cells, a, b, stage.after(a, b) if child is None else child, depth)
            if request.dominance and cells.rows and cells.columns:
                cells.prune()
        return None

    def cell(self, cells: Cells, a: int, b: int, child: Position, depth: int) -> None:
        """Search one cell as far as it matters."""
        session, tie = self.session, cells.tie
        below, above = cells.least, cells.most
        if session.request.skip == 0 or cells.filled() >= session.request.skip:
            session.counts["windows"] += 1
            below, above = cells.window(a, b, session.request.deep)
        if cells.high[a][b] <= below + tie:  # whatever its value is
            return cells.drop_row(a)
        if cells.low[a][b] >= above - tie:
            return cells.drop_column(b)
        cells.unseen -= 1
        narrow = below >= above - tie
        end = below + session.epsilon if narrow else above
        value = self.search(child, below, end, depth - 1)
        if value <= below + tie:
            return cells.drop_row(a)
        if narrow or value >= above - tie:
            return cells.drop_column(b)
        return cells.settle(a, b, value)

    def ordered(self, rows: int, columns: int) -> list[tuple[int, int]]:
        """The cells in the order in which they are searched."""
        if (rows, columns) not in self.order:
            request = self.session.request
            cells = list(cell_order(request.order, rows, columns))
            if request.moves == "reversed":
                cells = [(rows - 1 - a, columns - 1 - b) for a, b in cells]
            self.order[rows, columns] = cells
        return self.order[rows, columns]
