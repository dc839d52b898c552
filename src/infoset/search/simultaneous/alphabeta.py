"""Simultaneous-move alpha-beta (SMAB): depth-first search with windows and dominance pruning.

Algorithm 1 of A. Saffidine, H. Finnsson & M. Buro, *Alpha-beta pruning for games with simultaneous
moves*, AAAI 2012. The cells of a stage are searched one by one, each with the window (α_ab, β_ab)
within which its value matters. A value of at most α_ab prunes row a, one of at least β_ab prunes
column b. If α_ab ≥ β_ab, one of the two happens whatever the value is, and a search with the narrow
window (α_ab, α_ab + ε) tells which. The result is the value of the remaining matrix.

*Windows* (Figures 4 and 5). Of the value v_ij of a cell, bounds p_ij ≤ v_ij ≤ o_ij are known,
initially those of all payoffs. Row a may be pruned if some mixture x of the other rows, and of an
artificial row with value α everywhere (the alternative further up), is as good in every other
column even at its lower bound,

    α_ab = max Σ_i x_i p_ib    with  Σ_i x_i p_ij ≥ o_aj for all j ≠ b,   x ≥ 0,  Σ x = 1,

and if v_ab ≤ α_ab, it is as good in column b, too. If there is no such mixture, no value makes row
a superfluous, not even the least possible: the paper's text says minval here, its figures say
minval − 1, and the figures are right. The same for column b from above gives β_ab. Only remaining
rows and columns count in these programs.

*Further tests.* ``dominated`` are the paper's Figures 1–3: an action is pruned once a mixture of
others is as good everywhere at its lower bound. ``settled`` is what alpha-beta does where only one
player moves, and what the paper's Example 1 describes, though no action is dominated there: a
column that holds every row to α or less settles the position, as does a row that gets β or more
from every column.

*The result* for a window α < β (the paper's theorem): v ≤ α means that the value is at most v;
v ≥ β, at least v; else it is v. With R, C the remaining actions, pruning row a for a mixture of
others and the artificial row means

    value(R − a, C)  ≤  value(R, C)  ≤  max(α, value(R − a, C)),

because a constant row α added to any game makes its value the larger of both. So each step keeps
the value clamped to [α, β]. It does not keep values beyond it: Algorithm 1 as printed returns the
value of the rest, and if that is below α, the true value may be larger. (Of the rows (5, −10) and
(−1, −1) with α = 0, the second is pruned for the artificial row: −10 is left, the value is −1.) In
that case α itself is returned here, with which the theorem holds.

*The static bound.* Before the first cell is searched, the bounds are matrices P ≤ V ≤ O around that
of the true values. The value of a matrix game is monotone in its entries (x guarantees in V at
least what it guarantees in P, since (xV)_j ≥ (xP)_j for every column j; the same for y and O), so

    lo  =  value(P)  ≤  value(V)  ≤  value(O)  =  hi.

If lo ≥ β, hi ≤ α or lo = hi, this is the answer, and no cell is searched. Else the window is
narrowed to (max(α, lo), min(β, hi)), and the result is clamped to [lo, hi]. A result of at most lo
> α then says value ≤ lo, hence value = lo, and so for hi: by the theorem for the narrower window,
the one for (α, β) holds. P and O say something only once cells are known: those with which the game
ends (``leaves_first``), also by moves that nobody can avoid, or all by ``heuristic_bounds``. Where
strategies are wanted, the bound is left out, because a row that guarantees lo may be pruned for the
artificial row that has this value.

*Crossed windows.* Where α_ab ≥ β_ab, the cell need not be searched (``drop_crossed``): row a and
column b are both superfluous. If v_ab ≤ α_ab, row a is; without it column b is, too, because the
mixture of columns behind β_ab is as good for the second player in every other row. Else v_ab ≥
β_ab, column b is superfluous, and without it row a is, by the mixture of rows behind α_ab. Either
way the rest is (R − a, C − b), and mixtures that are optimal there are optimal with both.

*Floats.* Numbers closer than a tie count as equal, always in favour of pruning, so that exact and
float searches prune alike where values tie in theory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from infoset.rules import Position
from infoset.search.simultaneous.induction import WindowedSearch
from infoset.search.simultaneous.session import Session, SolvedStage, mixture_of
from infoset.search.simultaneous.stages import Stage


class Cells:
    """The bounds of the cells of one stage, searched with a window."""

    def __init__(self, session: Session, rows: int, columns: int, alpha: Any, beta: Any) -> None:
        self.mixture = session.arithmetic.mixture
        self.least, self.most = session.low - 1, session.high + 1  # below and above all payoffs
        self.tie = session.tie
        self.alpha, self.beta = alpha, beta
        self.rows, self.columns = list(range(rows)), list(range(columns))  # those that remain
        self.low = [[session.low] * columns for _ in range(rows)]  # p
        self.high = [[session.high] * columns for _ in range(rows)]  # o
        self.done = [[False] * columns for _ in range(rows)]
        self.unsearched = rows * columns  # cells that were not searched
        self.pruned_rows = self.pruned_columns = False
        self.floor, self.ceiling = self.least, self.most  # lo and hi

    def settle(self, a: int, b: int, value: Any) -> None:
        """Set the value of a cell."""
        self.low[a][b] = self.high[a][b] = value
        self.done[a][b] = True

    def drop_row(self, a: int) -> None:
        """Prune a row."""
        self.rows.remove(a)
        self.pruned_rows = True

    def drop_column(self, b: int) -> None:
        """Prune a column."""
        self.columns.remove(b)
        self.pruned_columns = True

    def filled(self) -> int:
        """The smaller number of completely filled rows and columns."""
        height, width = len(self.low), len(self.low[0])
        rows = height - sum(not all(self.done[i][j] for j in self.columns) for i in self.rows)
        columns = width - sum(not all(self.done[i][j] for i in self.rows) for j in self.columns)
        return min(rows, columns)

    def window(self, a: int, b: int, deep: bool) -> tuple[Any, Any]:
        """The window of a cell: α_ab and β_ab."""
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
        """Prune dominated rows and columns until there are none."""
        again = True
        while again:
            again = False
            for i in [i for i in self.rows if self.row_dominated(i)]:
                if len(self.rows) > 1 and self.row_dominated(i):  # fewer others may remain by now
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
        """A bound of the value at the edge of the window, by pure strategies; else None."""
        held = min(max(self.high[i][j] for i in self.rows) for j in self.columns)
        if held <= self.alpha + self.tie:
            return self.clamped(held)
        sure = max(min(self.low[i][j] for j in self.columns) for i in self.rows)
        if sure >= self.beta - self.tie:
            return self.clamped(sure)
        return None

    def clamped(self, value: Any) -> Any:
        """The value of the stage from that of the remaining cells.

        A row pruned for the artificial one has at most the value α, so that the stage has at most
        the larger of α and the value of the rest.
        """
        if self.pruned_rows and value < self.alpha:
            value = self.alpha
        elif self.pruned_columns and value > self.beta:
            value = self.beta
        return min(max(value, self.floor), self.ceiling)

    def narrow(self, low: Any, high: Any) -> None:
        """Search between bounds of the value of the stage."""
        self.floor, self.ceiling = low, high
        self.alpha, self.beta = max(self.alpha, low), min(self.beta, high)

    def matrix(self) -> list[list[Any]]:
        """The remaining cells."""
        return [[self.low[i][j] for j in self.columns] for i in self.rows]


def cell_order(order: str, rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """The cells of a matrix: row by row, or in L-shapes around those that are done.

    >>> [a * 3 + b for a, b in cell_order("l-shaped", 3, 3)]
    [0, 1, 2, 3, 6, 4, 5, 7, 8]
    """
    cells = ((a, b) for a in range(rows) for b in range(columns))
    if order == "lexicographic":
        yield from cells
    else:
        yield from sorted(cells, key=lambda cell: (min(cell), *cell))


class SimultaneousAlphaBeta(WindowedSearch):
    """Windows from mixture programs, and pruning of dominated actions."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.order: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def played(self, position: Position, depth: int) -> SolvedStage:
        """The solved matrix game of a stage; pruned actions have probability 0."""
        return self.stage(position, self.session.low - 1, self.session.high + 1, depth, False)

    def search_stage(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value of a stage, or a bound of it at the edge of the window."""
        static = self.session.settings.static_bound
        return self.within_bounds(position, self.stage(position, alpha, beta, depth, static).value)

    def stage(
        self, position: Position, alpha: Any, beta: Any, depth: int, static: bool
    ) -> SolvedStage:
        """Search the cells of a stage, and solve the remaining matrix."""
        session = self.session
        stage = session.enter(position, depth)
        cells = Cells(session, len(stage.rows), len(stage.columns), alpha, beta)
        children = self.initialize(stage, cells)
        settled = self.static_bound(cells) if static else None
        if settled is None:
            settled = self.fill(stage, cells, children, depth)
        session.counts["skipped"] += cells.unsearched
        if settled is not None:
            return SolvedStage(settled, (), ())
        if not cells.rows:
            return SolvedStage(cells.alpha, (), ())
        if not cells.columns:
            return SolvedStage(cells.beta, (), ())
        found = session.arithmetic.play(cells.matrix())
        rows = mixture_of(found.rows, cells.rows, len(stage.rows))
        columns = mixture_of(found.columns, cells.columns, len(stage.columns))
        return SolvedStage(cells.clamped(found.value), rows, columns)

    def initialize(self, stage: Stage, cells: Cells) -> dict[tuple[int, int], Position]:
        """Set the bounds of cells before any is searched."""
        session, settings = self.session, self.session.settings
        children: dict[tuple[int, int], Position] = {}
        if not settings.leaves_first and not settings.heuristic_bounds:
            return children
        for a in cells.rows:
            for b in cells.columns:
                child = children[a, b] = stage.after(a, b)
                end = session.game.forced_end(child) if settings.leaves_first else None
                if end is not None:
                    cells.settle(a, b, session.leaf(end))
                    cells.unsearched -= 1
                elif settings.heuristic_bounds:
                    low, high = session.bounds(child)
                    cells.low[a][b], cells.high[a][b] = low, high
                    cells.done[a][b] = low == high
        return children

    def static_bound(self, cells: Cells) -> Any:
        """A bound that answers the window without a search; else None, and it is narrowed."""
        heuristic = self.session.settings.heuristic_bounds
        known = len(cells.rows) * len(cells.columns) - cells.unsearched
        if cells.unsearched == 0 or (known == 0 and not heuristic):
            return None
        play, tie = self.session.arithmetic.play, cells.tie
        low = play(cells.low).value
        if low >= cells.beta - tie:
            return low
        high = play(cells.high).value
        if high <= cells.alpha + tie or high <= low + tie:
            return high
        return cells.narrow(low, high)

    def fill(
        self, stage: Stage, cells: Cells, children: dict[tuple[int, int], Position], depth: int
    ) -> Any:
        """Search the cells that matter; return a bound if the window is settled, else None."""
        settings = self.session.settings
        for a, b in self.ordered(len(stage.rows), len(stage.columns)):
            if cells.done[a][b] or a not in cells.rows or b not in cells.columns:
                continue
            if settings.cutoffs:
                settled = cells.settled()
                if settled is not None:
                    return settled
            child = children.get((a, b))
            self.cell(cells, a, b, stage.after(a, b) if child is None else child, depth)
            if settings.dominance and cells.rows and cells.columns:
                cells.prune()
        return None

    def cell(self, cells: Cells, a: int, b: int, child: Position, depth: int) -> None:
        """Search one cell as far as it matters."""
        session, tie = self.session, cells.tie
        below, above = cells.least, cells.most
        if session.settings.skip == 0 or cells.filled() >= session.settings.skip:
            session.counts["windows"] += 1
            below, above = cells.window(a, b, session.settings.deep)
        if cells.high[a][b] <= below + tie:  # whatever its value is
            return cells.drop_row(a)
        if cells.low[a][b] >= above - tie:
            return cells.drop_column(b)
        narrow = below >= above - tie
        if narrow and session.settings.drop_crossed:
            cells.drop_row(a)
            return cells.drop_column(b)
        cells.unsearched -= 1
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
            settings = self.session.settings
            cells = list(cell_order(settings.order, rows, columns))
            if settings.moves == "reversed":
                cells = [(rows - 1 - a, columns - 1 - b) for a, b in cells]
            self.order[rows, columns] = cells
        return self.order[rows, columns]
