"""The cells of a stage: what is known of each, which actions are left, and what matters of a cell.

Of the value v_ij of a cell, bounds p_ij ≤ v_ij ≤ o_ij are known, at first the least and the most
there are. Before cell (a, b) is searched, two linear programs say between which values it matters
(Saffidine, Finnsson & Buro 2012, Figures 4 and 5). If v_ab is low, row a may be given up: some
mixture x of the other rows, and of an artificial row that is worth α everywhere (leaving for what
is had further up), is as good in every other column even at its worst,

    α_ab = max Σ_i x_i p_ib    with  Σ_i x_i p_ij ≥ o_aj for all j ≠ b,   x ≥ 0,  Σ x = 1,

and if v_ab ≤ α_ab, it is as good in column b, too. If there is no such mixture, no value makes row
a superfluous, not even the least there is: the paper's text says minval here, its figures say
minval − 1, and the figures are right. The same for column b from above gives β_ab. Only rows and
columns that are left count in these programs.

Two further tests find actions that need no search. ``dominated`` are the paper's Figures 1–3: an
action is given up once a mixture of others is as good everywhere at its worst. ``settled`` is what
alpha-beta does where only one player moves, and what the paper's Example 1 describes, though no
action is dominated there: a column that keeps every row at α or less settles the position, as does
a row that gets β or more from every column.

Simultaneous-move alpha-beta (SMAB): depth first, with a window, without what cannot matter.

Algorithm 1 of A. Saffidine, H. Finnsson & M. Buro, *Alpha-beta pruning for games with simultaneous
moves*, AAAI 2012. The cells of a stage are searched one by one, each with the window (α_ab, β_ab)
between whose ends its value matters (:mod:`infoset.search.simultaneous.alphabeta`). A value of at
most
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

from collections.abc import Iterator
from typing import Any

from infoset.rules import Position
from infoset.search.simultaneous.induction import average
from infoset.search.simultaneous.session import Played, Session, probabilities
from infoset.search.simultaneous.stages import Stage


class Cells:
    """What is known of the cells of one stage, searched with a window."""

    def __init__(self, session: Session, rows: int, columns: int, alpha: Any, beta: Any) -> None:
        self.mixture = session.arithmetic.mixture
        self.least, self.most = session.low - 1, session.high + 1  # below and above all there is
        self.tie = session.tie
        self.alpha, self.beta = alpha, beta
        self.rows, self.columns = list(range(rows)), list(range(columns))  # those that are left
        self.low = [[session.low] * columns for _ in range(rows)]  # p
        self.high = [[session.high] * columns for _ in range(rows)]  # o
        self.done = [[False] * columns for _ in range(rows)]
        self.unseen = rows * columns  # cells that were not looked at
        self.gave_up_rows = self.gave_up_columns = False

    def settle(self, a: int, b: int, value: Any) -> None:
        """The value of a cell is known."""
        self.low[a][b] = self.high[a][b] = value
        self.done[a][b] = True

    def drop_row(self, a: int) -> None:
        """Give a row up."""
        self.rows.remove(a)
        self.gave_up_rows = True

    def drop_column(self, b: int) -> None:
        """Give a column up."""
        self.columns.remove(b)
        self.gave_up_columns = True

    def filled(self) -> int:
        """How many rows are filled, and as many columns: the lesser number of both."""
        height, width = len(self.low), len(self.low[0])
        rows = height - sum(not all(self.done[i][j] for j in self.columns) for i in self.rows)
        columns = width - sum(not all(self.done[i][j] for i in self.rows) for j in self.columns)
        return min(rows, columns)

    def window(self, a: int, b: int, deep: bool) -> tuple[Any, Any]:
        """Between which values that of a cell matters: α_ab and β_ab."""
        low, high = self.low, self.high
        rows = [i for i in self.rows if i != a]
        columns = [j for j in self.columns if j != b]
        table = [[low[i][j] for j in columns] for i in rows]
        aims = [low[i][b] for i in rows]
        if deep:
            table.append([self.alpha] * len(columns))
            aims.append(self.alpha)
        below = self.mixture(table, [high[a][j] for j in columns], aims)
        table = [[-high[i][j] for i in rows] for j in columns]
        aims = [-high[a][j] for j in columns]
        if deep:
            table.append([-self.beta] * len(rows))
            aims.append(-self.beta)
        above = self.mixture(table, [-low[i][b] for i in rows], aims)
        return self.least if below is None else below, self.most if above is None else -above

    def prune(self) -> None:
        """Give up dominated rows and columns until there are none."""
        again = True
        while again:
            again = False
            for i in [i for i in self.rows if self.row_dominated(i)]:
                if len(self.rows) > 1 and self.row_dominated(i):  # the others may be fewer by now
                    self.drop_row(i)
                    again = True
            for j in [j for j in self.columns if self.column_dominated(j)]:
                if len(self.columns) > 1 and self.column_dominated(j):
                    self.drop_column(j)
                    again = True

    def row_dominated(self, a: int) -> bool:
        """Is some mixture of the other rows at least as good everywhere?"""
        rows = [i for i in self.rows if i != a]
        table = [[self.low[i][j] for j in self.columns] for i in rows]
        floors = [self.high[a][j] for j in self.columns]
        return self.mixture(table, floors, [0] * len(rows)) is not None

    def column_dominated(self, b: int) -> bool:
        """Is some mixture of the other columns at least as good everywhere?"""
        columns = [j for j in self.columns if j != b]
        table = [[-self.high[i][j] for i in self.rows] for j in columns]
        floors = [-self.low[i][b] for i in self.rows]
        return self.mixture(table, floors, [0] * len(columns)) is not None

    def settled(self) -> Any:
        """A bound of the value at the window's edge, if pure strategies show one; else None."""
        held = min(max(self.high[i][j] for i in self.rows) for j in self.columns)
        if held <= self.alpha + self.tie:
            return self.clamped(held)
        sure = max(min(self.low[i][j] for j in self.columns) for i in self.rows)
        if sure >= self.beta - self.tie:
            return self.clamped(sure)
        return None

    def clamped(self, value: Any) -> Any:
        """What the value of the cells that are left says of the whole stage.

        A row that was given up for the artificial one is worth no more than α, so that the whole is
        worth no more than the larger of α and the rest.
        """
        if self.gave_up_rows and value < self.alpha:
            return self.alpha
        if self.gave_up_columns and value > self.beta:
            return self.beta
        return value

    def matrix(self) -> list[list[Any]]:
        """The cells that are left."""
        return [[self.low[i][j] for j in self.columns] for i in self.rows]


def cell_order(order: str, rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """The cells of a matrix: row by row, or in the shape of an L around those that are done.

    >>> [a * 3 + b for a, b in cell_order("l-shaped", 3, 3)]
    [0, 1, 2, 3, 6, 4, 5, 7, 8]
    """
    cells = ((a, b) for a in range(rows) for b in range(columns))
    if order == "lexicographic":
        yield from cells
    else:
        yield from sorted(cells, key=lambda cell: (min(cell), *cell))


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
        rows = probabilities(found.rows, cells.rows, len(stage.rows))
        columns = probabilities(found.columns, cells.columns, len(stage.columns))
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
