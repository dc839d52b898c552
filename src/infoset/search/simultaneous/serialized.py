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
"""

from __future__ import annotations

from typing import Any

from infoset.rules import Position
from infoset.search.simultaneous.chance import average
from infoset.search.simultaneous.session import Session


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
