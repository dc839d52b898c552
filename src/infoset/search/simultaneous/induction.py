"""Backward induction: every position is worth the value of the matrix game of what follows it."""

from __future__ import annotations

from typing import Any

from infoset.rules import Position
from infoset.search.simultaneous.arithmetic import Played
from infoset.search.simultaneous.session import Session


class BackwardInduction:
    """Solve every matrix game from the end of the game up, depth first."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def value(self, position: Position, depth: int) -> Any:
        """What a position is worth to the first player."""
        session = self.session
        if position.over:
            return session.leaf(position)
        if not position.movers:
            whole = session.number(0)
            for share, child in session.outcomes(position):
                whole += share * self.value(child, depth)
            return whole
        if depth == 0:
            return session.guess(position)
        key = session.key(position, depth)
        if key in session.table:
            session.counts["transpositions"] += 1
            return session.table[key][0]
        value = self.played(position, depth).value
        if key is not None:
            session.table[key] = (value, value)
        return value

    def played(self, position: Position, depth: int) -> Played:
        """The matrix game of a stage."""
        stage = self.session.enter(position, depth)
        rows, columns = range(len(stage.rows)), range(len(stage.columns))
        matrix = [[self.value(stage.after(i, j), depth - 1) for j in columns] for i in rows]
        return self.session.arithmetic.play(matrix)
