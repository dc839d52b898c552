"""Bounds by moving in turn: alpha-beta on a game in which one player always shows its move first.

Let the first player commit before the second chooses, at every stage from here on. That can only
hurt it, so

    lower(q) = max_a min_b lower(q_ab)  ≤  value(q)  ≤  min_b max_a upper(q_ab) = upper(q).

By induction: if lower(q_ab) ≤ value(q_ab) in every cell, then max_a min_b of these is at most the
same of the values, which is what the first player guarantees with a pure strategy, hence at most
the value; likewise from above, and averages keep the order. Both sides are games of perfect
information, which plain alpha-beta solves without a single matrix. Where both are equal, so is the
value.

Moving in turn is how B. Bošanský, V. Lisý, J. Čermák, R. Vítek & M. Pěchouček (*Using double-oracle
method and serialized alpha-beta search for pruning in simultaneous move games*, IJCAI 2013) bound
the positions below a stage.

Double oracle: solve a small part of a stage's matrix, and let better replies make it grow.

At a stage both players start with one action each. The game restricted to these actions is solved;
either player looks for a best reply, among all of its actions, to what the other one does in it;
replies that gain something are added, and so on, until neither gains. Then the restricted value v
is the stage's: the first player's strategy yields at least v against every column, the second's
holds every row to v (H. B. McMahan, G. J. Gordon & A. Blum, ICML 2003). Cells outside of what is
played are never looked at.

With **serialized alpha-beta bounds** (B. Bošanský, V. Lisý, M. Lanctot, J. Čermák & M. Winands,
*Algorithms for computing strategies in two-player simultaneous move games*, Artificial Intelligence
237, 2016) a position is first bounded by moving in turn, from below and from above
(:mod:`infoset.search.simultaneous.oracle`); if both are equal, there is nothing to solve. A
search with a window (α, β) returns v ≤ α if the position is worth at most v, v ≥ β if at least v,
else its value, and it is right in this sense because

- at any time the stage is worth at most U, the least of its bound from above and of what the best
  replies of the first player to strategies tried got, since each such strategy holds every row to
  that; and at least L, likewise. Once U ≤ α or L ≥ β it may stop;
- a reply i to the shares y of columns gains only if Σ_j y_j v_ij > λ, the best so far. With bounds
  o_ij of its cells from above, cell j matters only above (λ − Σ_{k≠j} y_k o_ik) / y_j, and is
  searched with this as its α: a value of at most that proves Σ ≤ λ, and the reply is left;
- bounds found on the way stay with the cells, and cells that are played are searched to the end.
"""

from __future__ import annotations

from typing import Any

from infoset.rules import Position
from infoset.search.simultaneous.induction import BackwardInduction, average
from infoset.search.simultaneous.session import Played, Session, added, probabilities
from infoset.search.simultaneous.stages import Stage


class Serialized:
    """Alpha-beta with one player, first or second, always showing its move."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def lower(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value with the first player committing, or a bound at the window's edge."""
        return self._search(position, alpha, beta, depth, "first")

    def upper(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value with the second player committing, or a bound at the window's edge."""
        return self._search(position, alpha, beta, depth, "second")

    def _search(self, position: Position, alpha: Any, beta: Any, depth: int, shows: str) -> Any:
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
                lambda child, low, high, left: self._search(child, low, high, left, shows),
            )
        if depth == 0:
            return session.guess(position)
        key = session.key(position, depth, shows)
        known = session.recall(key, alpha, beta)
        if known is not None:
            return known
        turns = self._first if shows == "first" else self._second
        value = turns(position, alpha, beta, depth)
        session.store(key, value, alpha, beta)
        return value

    def _first(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The most over rows of the least over columns."""
        stage = self.session.pass_by(position)
        best = None
        for i in range(len(stage.rows)):
            floor = alpha if best is None else max(alpha, best)
            worst = None
            for j in range(len(stage.columns)):
                ceiling = beta if worst is None else min(beta, worst)
                value = self._search(stage.after(i, j), floor, ceiling, depth - 1, "first")
                worst = value if worst is None else min(worst, value)
                if worst <= floor:
                    break
            best = worst if best is None else max(best, worst)
            if best >= beta:
                break
        return best

    def _second(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The least over columns of the most over rows."""
        stage = self.session.pass_by(position)
        best = None
        for j in range(len(stage.columns)):
            ceiling = beta if best is None else min(beta, best)
            worst = None
            for i in range(len(stage.rows)):
                floor = alpha if worst is None else max(alpha, worst)
                value = self._search(stage.after(i, j), floor, ceiling, depth - 1, "second")
                worst = value if worst is None else max(worst, value)
                if worst >= ceiling:
                    break
            best = worst if best is None else min(best, worst)
            if best <= alpha:
                break
        return best


class DoubleOracle(BackwardInduction):
    """The same with restricted games that grow, on cells that are solved when they are needed."""

    def played(self, position: Position, depth: int) -> Played:
        """The matrix game of a stage, as far as it had to be looked at."""
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
                self.reply(cell, range(len(stage.rows)), found.columns, found.value, 1),
                self.reply(cell, range(len(stage.columns)), found.rows, found.value, -1),
            ]
            if not restricted.grow(gains[0], gains[1]):
                self.session.counts["skipped"] += len(stage.rows) * len(stage.columns) - len(known)
                return found

    def reply(self, cell: Any, own: range, others: Any, least: Any, sign: int) -> int | None:
        """The best reply, for the first player (1) or the second (−1), if it gains anything."""
        self.session.counts["responses"] += 1
        best, gainer = sign * least + self.session.tie, None
        played = [k for k, share in enumerate(others) if share]
        for action in own:
            total = self.session.number(0)
            for k in played:
                value = cell(action, k) if sign == 1 else cell(k, action)
                total += others[k] * value
            if sign * total > best:
                best, gainer = sign * total, action
        return gainer


class Restricted:
    """The actions of a stage that are played so far, and the game among them."""

    def __init__(self, session: Session, stage: Stage) -> None:
        self.session = session
        self.height, self.width = len(stage.rows), len(stage.columns)
        self.rows, self.columns = [0], [0]

    def play(self, cell: Any) -> Played:
        """Solve the game among the actions so far; shares are of all actions."""
        matrix = [[cell(i, j) for j in self.columns] for i in self.rows]
        found = self.session.arithmetic.play(matrix)
        rows = probabilities(found.rows, self.rows, self.height)
        columns = probabilities(found.columns, self.columns, self.width)
        return Played(found.value, rows, columns)

    def grow(self, row: int | None, column: int | None) -> bool:
        """Take replies that gain into the game; was there one?

        In floats a reply may seem to gain that is there already; then there is nothing to add.
        """
        before = len(self.rows) + len(self.columns)
        if row is not None and row not in self.rows:
            self.rows = sorted((*self.rows, row))
        if column is not None and column not in self.columns:
            self.columns = sorted((*self.columns, column))
        return len(self.rows) + len(self.columns) > before


class BoundedDoubleOracle:
    """Double oracle within windows, on positions that are first bounded by moving in turn."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.serialized = Serialized(session)

    def value(self, position: Position, depth: int) -> Any:
        """What a position is worth to the first player."""
        return self.search(position, self.session.low - 1, self.session.high + 1, depth)

    def played(self, position: Position, depth: int) -> Played:
        """The matrix game of a stage, as far as it had to be looked at."""
        low, high = self.session.low, self.session.high
        return self.stage(position, low - 1, high + 1, depth, low, high)

    def search(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value, or a bound of it at the edge of the window."""
        session, tie = self.session, self.session.tie
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
        low, high = self.in_turn(position, alpha, beta, depth)
        if high <= alpha or low >= beta or high - low <= tie:
            value = low if low >= beta else high
        else:
            value = self.stage(position, alpha, beta, depth, low, high, hurry=True).value
            low, high = session.bounds(position)
            value = min(max(value, low), high)  # heuristics may know more than a pass cut short
        session.store(key, value, alpha, beta)
        return value

    def in_turn(self, position: Position, alpha: Any, beta: Any, depth: int) -> tuple[Any, Any]:
        """Bounds of the value by moving in turn, as far as the window needs them."""
        low, high = self.session.bounds(position)
        alpha, beta = max(alpha, low - 1), min(beta, high + 1)
        upper = self.serialized.upper(position, alpha, beta, depth)
        if upper < beta:  # else it is no bound from above
            high = max(low, min(high, upper))  # heuristics may know more than a pass cut short
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
        hurry: bool = False,
    ) -> Played:
        """Let the restricted game grow until it is solved or, in a hurry, its window is left."""
        session = self.session
        stage = session.enter(position, depth)
        bounded = BoundedCells(self, stage, depth)
        restricted = Restricted(session, stage)
        while True:
            found = restricted.play(bounded.value)
            row, most = bounded.reply(found.columns, found.value, 1)
            column, least = bounded.reply(found.rows, found.value, -1)
            low, high = max(low, least), min(high, most)
            out = hurry and (high <= alpha or low >= beta or high - low <= session.tie)
            if out or not restricted.grow(row, column):
                session.counts["skipped"] += bounded.unseen
                if out:
                    return Played(low if low >= beta else high, (), ())
                return found


class BoundedCells:
    """The cells of a stage, each between bounds that searches of it tighten."""

    def __init__(self, oracle: BoundedDoubleOracle, stage: Stage, depth: int) -> None:
        session = oracle.session
        self.oracle, self.session, self.stage, self.depth = oracle, session, stage, depth
        self.unseen = len(stage.rows) * len(stage.columns)
        self.spans: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.looked: set[tuple[int, int]] = set()

    def span(self, i: int, j: int) -> tuple[Any, Any]:
        """The bounds of a cell."""
        if (i, j) not in self.spans:
            if self.session.request.heuristic_bounds:
                self.spans[i, j] = self.session.bounds(self.stage.after(i, j))
            else:
                self.spans[i, j] = self.session.low, self.session.high
        return self.spans[i, j]

    def value(self, i: int, j: int) -> Any:
        """The value of a cell."""
        low, high = self.span(i, j)
        return low if low == high else self.search(i, j, low - 1, high + 1)

    def search(self, i: int, j: int, alpha: Any, beta: Any) -> Any:
        """Search a cell with a window, and keep what it shows."""
        if (i, j) not in self.looked:
            self.looked.add((i, j))
            self.unseen -= 1
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

    def reply(self, others: Any, least: Any, sign: int) -> tuple[int | None, Any]:
        """The best reply of the first player (1) or the second (−1) if it gains, and its worth."""
        self.session.counts["responses"] += 1
        played = [k for k, share in enumerate(others) if share]
        count = len(self.stage.rows) if sign == 1 else len(self.stage.columns)
        best, gainer = least, None
        for action in range(count):
            total = self.worth(action, others, played, best, sign)
            if total is not None and sign * (total - best) > self.session.tie:
                best, gainer = total, action
        return gainer, best

    def worth(self, action: int, others: Any, played: list[int], best: Any, sign: int) -> Any:
        """What an action is worth against shares; None once it is no better than the best."""
        cells = [(action, k) if sign == 1 else (k, action) for k in played]
        end = 1 if sign == 1 else 0  # of a cell's bounds, the one that its player hopes for
        hoped = added(others[k] * self.span(*at)[end] for k, at in zip(played, cells, strict=True))
        for k, at in zip(played, cells, strict=True):
            if sign * (hoped - best) <= self.session.tie:
                return None
            low, high = self.span(*at)
            if low == high:
                continue
            hoped -= others[k] * self.span(*at)[end]
            needed = (best - hoped) / others[k]  # to be better than the best at all
            if sign == 1:
                self.search(*at, max(needed, low - 1), high + 1)
            else:
                self.search(*at, low - 1, min(needed, high + 1))
            hoped += others[k] * self.span(*at)[end]
            if sign * (hoped - best) <= self.session.tie:
                return None
        return hoped
