"""Double oracle: restricted matrix games that grow by best responses, and serialized bounds.

At a stage both players start with one action each. The game restricted to these actions is solved;
each player computes a best response, among all of its actions, to the other's strategy in it;
responses that gain are added, and so on, until neither gains. Then the restricted value v is that
of the stage: the first player's strategy gets at least v against every column, the second's holds
every row to v (H. B. McMahan, G. J. Gordon & A. Blum, ICML 2003). Cells outside of what is played
are never searched.

*Serialized bounds.* Let the first player commit before the second chooses, at every stage from here
on. This can only hurt it, so

    lower(q) = max_a min_b lower(q_ab)  ≤  value(q)  ≤  min_b max_a upper(q_ab) = upper(q).

By induction: if lower(q_ab) ≤ value(q_ab) in every cell, max_a min_b of these is at most the same
of the values, which the first player guarantees with a pure strategy, hence at most the value;
likewise from above, and expectations preserve the order. Both are games of perfect information,
which plain alpha-beta solves without a matrix game. Where both are equal, so is the value. Source:
B. Bošanský, V. Lisý, J. Čermák, R. Vítek & M. Pěchouček, *Using double-oracle method and serialized
alpha-beta search for pruning in simultaneous move games*, IJCAI 2013.

*Double oracle with these bounds* (B. Bošanský, V. Lisý, M. Lanctot, J. Čermák & M. Winands,
*Algorithms for computing strategies in two-player simultaneous move games*, Artificial Intelligence
237, 2016). A position is first bounded from both sides; if the bounds are equal, there is nothing
to solve. A search with a window (α, β) returns v ≤ α if the value is at most v, v ≥ β if at least
v, else the value. This is correct because

- at any time the value of the stage is at most U, the minimum of its upper bound and of the values
  of the first player's best responses to strategies tried, since each such strategy holds every row
  to that; and at least L, likewise. Once U ≤ α or L ≥ β the search may stop;
- a response i to the mixture y of columns gains only if Σ_j y_j v_ij > λ, the best so far. With
  upper bounds o_ij of its cells, cell j matters only above (λ − Σ_{k≠j} y_k o_ik) / y_j, and is
  searched with this as its α: a value of at most that proves Σ ≤ λ, and the response is discarded;
- bounds found on the way stay with the cells, and cells that are played are searched completely.
"""

from __future__ import annotations

from typing import Any

from infoset.rules import Position
from infoset.search.simultaneous.induction import BackwardInduction, WindowedSearch, average
from infoset.search.simultaneous.session import Session, SolvedStage, mixture_of, summed
from infoset.search.simultaneous.stages import Stage


class Serialized:
    """Alpha-beta with one player, first or second, always committing first."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def lower(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value with the first player committing, or a bound at the edge of the window."""
        return self._search(position, alpha, beta, depth, "first")

    def upper(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value with the second player committing, or a bound at the edge of the window."""
        return self._search(position, alpha, beta, depth, "second")

    def _search(
        self, position: Position, alpha: Any, beta: Any, depth: int, committing: str
    ) -> Any:
        session = self.session
        if position.over:
            return session.leaf(position)
        if not position.movers:
            return average(
                session,
                position,
                alpha,
                beta,
                depth,
                lambda child, low, high, left: self._search(child, low, high, left, committing),
            )
        if depth == 0:
            return session.horizon_value(position)
        key = session.key(position, depth, committing)
        known = session.lookup(key, alpha, beta)
        if known is not None:
            return known
        value = self._commit(position, alpha, beta, depth, committing)
        session.store(key, value, alpha, beta)
        return value

    def _commit(
        self, position: Position, alpha: Any, beta: Any, depth: int, committing: str
    ) -> Any:
        """The maximum over the moves of who commits of the minimum over the replies.

        For the second player all signs are reversed, and so are the ends of the windows.
        """
        stage = self.session.enter_serialized(position)
        first = committing == "first"
        sign = 1 if first else -1
        moves, replies = map(len, (stage.rows, stage.columns)[::sign])
        low, high = (alpha, beta) if first else (-beta, -alpha)
        best: Any = None
        for own in range(moves):
            floor = low if best is None else max(low, best)
            worst: Any = None
            for reply in range(replies):
                ceiling = high if worst is None else min(high, worst)
                after = stage.after(*(own, reply)[::sign])
                window = (floor, ceiling) if first else (-ceiling, -floor)
                value = sign * self._search(after, *window, depth - 1, committing)
                worst = value if worst is None else min(worst, value)
                if worst <= floor:
                    break
            best = worst if best is None else max(best, worst)
            if best >= high:
                break
        return sign * best


class DoubleOracle(BackwardInduction):
    """Restricted games that grow by best responses; cells are searched when needed."""

    def played(self, position: Position, depth: int) -> SolvedStage:
        """The solved matrix game of a stage, as far as it was searched."""
        stage = self.session.enter(position, depth)
        restricted = Restricted(self.session, stage)
        known: dict[tuple[int, int], Any] = {}

        def cell(i: int, j: int) -> Any:
            if (i, j) not in known:
                known[i, j] = self.value(stage.after(i, j), depth - 1)
            return known[i, j]

        while True:
            found = restricted.play(cell)
            gains = [
                self.response(cell, range(len(stage.rows)), found.columns, found.value, 1),
                self.response(cell, range(len(stage.columns)), found.rows, found.value, -1),
            ]
            if not restricted.grow(gains[0], gains[1]):
                self.session.counts["skipped"] += len(stage.rows) * len(stage.columns) - len(known)
                return found

    def response(self, cell: Any, own: range, others: Any, least: Any, sign: int) -> int | None:
        """The best response of the first player (1) or the second (−1), if it gains."""
        self.session.counts["responses"] += 1
        best, gainer = sign * least + self.session.tie, None
        played = [k for k, probability in enumerate(others) if probability]
        for action in own:
            total = self.session.number(0)
            for k in played:
                value = cell(action, k) if sign == 1 else cell(k, action)
                total += others[k] * value
            if sign * total > best:
                best, gainer = sign * total, action
        return gainer


class Restricted:
    """The restricted game of a stage: the actions added so far."""

    def __init__(self, session: Session, stage: Stage) -> None:
        self.session = session
        self.height, self.width = len(stage.rows), len(stage.columns)
        self.rows, self.columns = [0], [0]

    def play(self, cell: Any) -> SolvedStage:
        """Solve the restricted game; mixtures are over all actions."""
        matrix = [[cell(i, j) for j in self.columns] for i in self.rows]
        found = self.session.arithmetic.play(matrix)
        rows = mixture_of(found.rows, self.rows, self.height)
        columns = mixture_of(found.columns, self.columns, self.width)
        return SolvedStage(found.value, rows, columns)

    def grow(self, row: int | None, column: int | None) -> bool:
        """Add responses that gain; was there one?

        In floats a response that is already in the game may seem to gain; it adds nothing.
        """
        before = len(self.rows) + len(self.columns)
        if row is not None and row not in self.rows:
            self.rows = sorted((*self.rows, row))
        if column is not None and column not in self.columns:
            self.columns = sorted((*self.columns, column))
        return len(self.rows) + len(self.columns) > before


class BoundedDoubleOracle(WindowedSearch):
    """Double oracle with windows and serialized bounds."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.serialized = Serialized(session)

    def played(self, position: Position, depth: int) -> SolvedStage:
        """The solved matrix game of a stage, as far as it was searched."""
        low, high = self.session.low, self.session.high
        return self.stage(position, low - 1, high + 1, depth, low, high)

    def search_stage(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value of a stage, or a bound of it at the edge of the window."""
        low, high = self.serialized_bounds(position, alpha, beta, depth)
        if high <= alpha or low >= beta or high - low <= self.session.tie:
            return low if low >= beta else high
        found = self.stage(position, alpha, beta, depth, low, high, windowed=True)
        return self.within_bounds(position, found.value)

    def serialized_bounds(
        self, position: Position, alpha: Any, beta: Any, depth: int
    ) -> tuple[Any, Any]:
        """Serialized bounds of the value, as far as the window needs them."""
        low, high = self.session.bounds(position)
        alpha, beta = max(alpha, low - 1), min(beta, high + 1)
        upper = self.serialized.upper(position, alpha, beta, depth)
        if upper < beta:  # else it is not an upper bound
            high = max(low, min(high, upper))  # heuristic bounds may be tighter
        if high <= alpha:
            return low, high
        lower = self.serialized.lower(position, alpha, beta, depth)
        return min(high, max(low, lower)) if lower > alpha else low, high

    def stage(
        self,
        position: Position,
        alpha: Any,
        beta: Any,
        depth: int,
        low: Any,
        high: Any,
        windowed: bool = False,
    ) -> SolvedStage:
        """Grow the restricted game until it is solved or, if ``windowed``, leaves its window."""
        session = self.session
        stage = session.enter(position, depth)
        bounded = BoundedCells(self, stage, depth)
        restricted = Restricted(session, stage)
        while True:
            found = restricted.play(bounded.value)
            row, most = bounded.response(found.columns, found.value, 1)
            column, least = bounded.response(found.rows, found.value, -1)
            low, high = max(low, least), min(high, most)
            out = windowed and (high <= alpha or low >= beta or high - low <= session.tie)
            if out or not restricted.grow(row, column):
                session.counts["skipped"] += bounded.unsearched
                if out:
                    return SolvedStage(low if low >= beta else high, (), ())
                return found


class BoundedCells:
    """The cells of a stage, with bounds that searches tighten."""

    def __init__(self, oracle: BoundedDoubleOracle, stage: Stage, depth: int) -> None:
        session = oracle.session
        self.oracle, self.session, self.stage, self.depth = oracle, session, stage, depth
        self.unsearched = len(stage.rows) * len(stage.columns)
        self.spans: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.looked: set[tuple[int, int]] = set()

    def span(self, i: int, j: int) -> tuple[Any, Any]:
        """The bounds of a cell."""
        if (i, j) not in self.spans:
            if self.session.settings.heuristic_bounds:
                self.spans[i, j] = self.session.bounds(self.stage.after(i, j))
            else:
                self.spans[i, j] = self.session.low, self.session.high
        return self.spans[i, j]

    def value(self, i: int, j: int) -> Any:
        """The value of a cell."""
        low, high = self.span(i, j)
        return low if low == high else self.search(i, j, low - 1, high + 1)

    def search(self, i: int, j: int, alpha: Any, beta: Any) -> Any:
        """Search a cell with a window, and keep the bounds that it shows."""
        if (i, j) not in self.looked:
            self.looked.add((i, j))
            self.unsearched -= 1
        low, high = self.span(i, j)
        value = self.oracle.search(self.stage.after(i, j), alpha, beta, self.depth - 1)
        tie = self.session.tie
        if value <= alpha + tie:
            self.spans[i, j] = (low, max(low, min(high, value)))
        elif value >= beta - tie:
            self.spans[i, j] = (min(high, max(low, value)), high)
        else:
            self.spans[i, j] = (value, value)
        return value

    def response(self, others: Any, least: Any, sign: int) -> tuple[int | None, Any]:
        """The best response of the first player (1) or the second (−1) if it gains; its value."""
        self.session.counts["responses"] += 1
        played = [k for k, probability in enumerate(others) if probability]
        count = len(self.stage.rows) if sign == 1 else len(self.stage.columns)
        best, gainer = least, None
        for action in range(count):
            total = self.value_against(action, others, played, best, sign)
            if total is not None and sign * (total - best) > self.session.tie:
                best, gainer = total, action
        return gainer, best

    def value_against(
        self, action: int, others: Any, played: list[int], best: Any, sign: int
    ) -> Any:
        """The value of an action against a mixture; None once it is no better than ``best``."""
        cells = [(action, k) if sign == 1 else (k, action) for k in played]
        end = 1 if sign == 1 else 0  # the bound of a cell that is favourable to the player
        optimistic = summed(
            others[k] * self.span(*at)[end] for k, at in zip(played, cells, strict=True)
        )
        for k, at in zip(played, cells, strict=True):
            if sign * (optimistic - best) <= self.session.tie:
                return None
            low, high = self.span(*at)
            if low == high:
                continue
            optimistic -= others[k] * self.span(*at)[end]
            needed = (best - optimistic) / others[k]  # to be better than ``best``
            if sign == 1:
                self.search(*at, max(needed, low - 1), high + 1)
            else:
                self.search(*at, low - 1, min(needed, high + 1))
            optimistic += others[k] * self.span(*at)[end]
            if sign * (optimistic - best) <= self.session.tie:
                return None
        return optimistic
