"""Double oracle: solve a small part of a stage's matrix, and let better replies make it grow.

At a stage both players start with one action each. The game restricted to these actions is solved;
either player looks for a best reply, among all of its actions, to what the other one does in it;
replies that gain something are added, and so on, until neither gains. Then the restricted value v
is the stage's: the first player's strategy yields at least v against every column, the second's
holds every row to v (H. B. McMahan, G. J. Gordon & A. Blum, ICML 2003). Cells outside of what is
played are never looked at.

With **serialized alpha-beta bounds** (B. Bošanský, V. Lisý, M. Lanctot, J. Čermák & M. Winands,
*Algorithms for computing strategies in two-player simultaneous move games*, Artificial Intelligence
237, 2016) a position is first bounded by moving in turn, from below and from above
(:mod:`infoset.search.simultaneous.serialized`); if both are equal, there is nothing to solve. A
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
from infoset.search.simultaneous.arithmetic import Played, added, shares
from infoset.search.simultaneous.chance import average
from infoset.search.simultaneous.ground import Stage
from infoset.search.simultaneous.induction import BackwardInduction
from infoset.search.simultaneous.serialized import Serialized
from infoset.search.simultaneous.session import Session


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
        rows = shares(found.rows, self.rows, self.height)
        columns = shares(found.columns, self.columns, self.width)
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
