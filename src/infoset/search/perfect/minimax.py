"""Alpha-beta search with chance nodes, for one player against all others.

The value of a position is what one player, *Max*, gets: the maximum over the moves where Max moves,
the minimum where anyone else does, the expectation at chance nodes. With two players and a constant
sum this is the minimax value of the game. With more it is the *paranoid* value (Sturtevant and Korf
2000): all others form a coalition against Max.

*Windows.* A search with a window (α, β) returns the value if that lies inside; else a bound of it,
at most α or at least β (fail-soft). Where bounds of the payoffs are known, they are the first
window, so that a player who has all that can be had looks no further.

*Chance.* Let Σ p v be the sum over the outcomes searched so far, and r the probability of those to
come, each of which has a value from l to h. The next outcome, of probability p, is searched with
the window

    (α − Σ p v − r h) / p   to   (β − Σ p v − r l) / p :

if its value is not inside, the expectation is at most α, or at least β, whatever follows. This is
Star1 (Ballard 1983). Without bounds every outcome is searched in full.

*Order of moves.* First the best move of the table's entry, then two *killers*, which were the last
to cut off another position as far from the start of the search, then the others by how often they
have cut off (the history heuristic; Schaeffer 1989).

*Simultaneous moves* are made one after the other: Max first, then the others in the order of the
position's movers, each of whom sees what was chosen before. So the value is what Max can be sure of
by a pure strategy against opponents who guess it: never more than the value with mixed strategies.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import inf
from typing import Any

from infoset.rules import Position
from infoset.search.perfect.session import Session, offset, plain
from infoset.search.perfect.table import Entry, Line, Table

# The value, the moves to the furthest end visited (infinite: the horizon was), the best line.
Searched = tuple[Any, float, Line]


class AlphaBeta:
    """Alpha-beta for one player against all others, with a table that stays."""

    def __init__(self, session: Session, seat: int) -> None:
        """For the player of this number."""
        self.session = session
        self.seat = seat
        self.bounds = session.bounds(seat)
        low, high = self.bounds
        self.low: Any = -inf if low is None else plain(low)
        self.high: Any = inf if high is None else plain(high)
        self.windowed = self.low > -inf and self.high < inf
        self.table = Table(session.settings.table_size)
        self.order = MoveOrder(session.settings.ordering)
        self.root_move: Hashable = None  # the best so far at the start of the search

    def payoffs(self, value: Any) -> dict[int, Any]:
        """By player: what is known of its payoff."""
        return {self.seat: value}

    # ------------------------------------------------------------------ from the start of a search

    def root(self, position: Position, depth: float) -> Searched:
        """The value of a position, found from its own moves and never from the table alone."""
        movers = self.session.movers(position, self.seat)
        if not movers:
            return self.search(position, self.low, self.high, depth, 0)
        self.session.visit()
        key = self.session.key(position)
        entry = self.table.get(key)
        hint = None if entry is None else entry.move
        found = self.decide(position, movers, (), self.low, self.high, depth, 0, hint)
        self._store(key, position, entry, self.low, self.high, depth, found)
        return found

    def each(
        self, position: Position, mover: str, depth: float, values: dict[Hashable, Any]
    ) -> float:
        """Fill in the value after each move of one mover; return the height of the search."""
        movers = self.session.movers(position, self.seat, mover)
        self.session.visit()
        height = 0.0
        for option in position.options(movers[0]):
            value, below, _ = self._after(
                position, movers, (option,), self.low, self.high, depth, 0
            )
            values[option] = value
            height = max(height, below)
        return height

    # ------------------------------------------------------------------ below it

    def search(self, position: Position, alpha: Any, beta: Any, depth: float, ply: int) -> Searched:
        """The value of a position, or a bound of it outside of the window."""
        session = self.session
        session.visit()
        if depth <= 0 and session.plays_on:
            return session.played(position)[self.seat], inf, ()
        if position.over:
            return session.checked_leaf(position, self.seat, self.bounds), 0, ()
        movers = session.movers(position, self.seat)
        if depth <= 0 and movers:
            return session.horizon(position, self.seat, self.bounds), inf, ()
        key = session.key(position)
        entry = self.table.get(key)
        hint = None
        if entry is not None:
            hint = entry.move
            if entry.answers(depth):
                already = offset(position, self.seat)
                low, high = entry.low + already, entry.high + already
                if low == high or low >= beta or high <= alpha:
                    session.hits += 1
                    return (low if low >= beta else high), entry.height, entry.line
        if movers:
            found = self.decide(position, movers, (), alpha, beta, depth, ply, hint)
        else:
            found = self._average(position, alpha, beta, depth, ply)
        self._store(key, position, entry, alpha, beta, depth, found)
        return found

    def decide(
        self,
        position: Position,
        movers: tuple[str, ...],
        chosen: tuple[Hashable, ...],
        alpha: Any,
        beta: Any,
        depth: float,
        ply: int,
        hint: Any = None,
    ) -> Searched:
        """The best move of the next mover, after the choices of those who move at once with it."""
        mover = movers[len(chosen)]
        mine = self.session.player_of[mover] == self.seat
        if hint is not None and len(movers) > 1:
            hint = dict(zip(position.movers, hint, strict=False)).get(mover)
        best: Any = None
        height, line = 0.0, ()
        for option in self.order.ordered(mover, position.options(mover), ply, hint):
            value, below, rest = self._after(
                position, movers, (*chosen, option), alpha, beta, depth, ply
            )
            height = max(height, below)
            if best is None or (value > best if mine else value < best):
                best, line = value, rest
                if ply == 0 and not chosen:
                    self.root_move = option
                if mine:
                    alpha = max(alpha, value)
                else:
                    beta = min(beta, value)
                if alpha >= beta:
                    self.order.cut_off(mover, option, ply, height if height < inf else depth)
                    break
        return best, height, line

    def _after(
        self,
        position: Position,
        movers: tuple[str, ...],
        chosen: tuple[Hashable, ...],
        alpha: Any,
        beta: Any,
        depth: float,
        ply: int,
    ) -> Searched:
        """What follows a move: the next position, or the choice of the next mover."""
        if len(chosen) < len(movers):
            return self.decide(position, movers, chosen, alpha, beta, depth, ply)
        move = joint(position, movers, chosen)
        value, height, line = self.search(position.after(move), alpha, beta, depth - 1, ply + 1)
        return value, height + 1, (move, line)

    def _average(
        self, position: Position, alpha: Any, beta: Any, depth: float, ply: int
    ) -> Searched:
        """The value of a chance position, or a bound of it outside of the window."""
        known: Any = 0
        height, left = 0.0, 1
        for outcome, probability in position.chances():
            if not probability:
                continue
            after = position.after(outcome)
            left -= probability  # type: ignore[assignment]
            if not self.windowed:
                value, below, _ = self.search(after, -inf, inf, depth, ply + 1)
                known, height = known + probability * value, max(height, below)
                continue
            least, most = left * self.low, left * self.high
            floor = (alpha - known - most) / probability
            ceiling = (beta - known - least) / probability
            value, below, _ = self.search(
                after, max(floor, self.low), min(ceiling, self.high), depth, ply + 1
            )
            known, height = known + probability * value, max(height, below)
            if value <= floor:
                return plain(known + most), height, ()
            if value >= ceiling:
                return plain(known + least), height, ()
        return plain(known), height, ()

    def _store(
        self,
        key: Hashable,
        position: Position,
        older: Entry | None,
        alpha: Any,
        beta: Any,
        depth: float,
        found: Searched,
    ) -> None:
        """Keep what was found with a window, less what was paid before."""
        value, height, line = found
        low = self.low if value <= alpha else value
        high = self.high if value >= beta else value
        already = offset(position, self.seat)
        # Moves of one position need not be moves of another one that is alike.
        kept = line if low == high and self.session.settings.alike is None else ()
        best = line[0] if line else None
        entry = Entry(depth, height, low - already, high - already, best, kept)
        self.table.put(key, entry if older is None else entry.merged(older))


class MoveOrder:
    """Which moves to try first: those that have cut off before."""

    def __init__(self, active: bool) -> None:
        """Without any history; the rules' order, if it is not active."""
        self.active = active
        self._history: dict[tuple[str, Hashable], float] = {}
        self._killers: dict[tuple[int, str], tuple[Hashable, ...]] = {}  # by ply and mover

    def ordered(
        self, mover: str, options: Sequence[Hashable], ply: int, hint: Hashable
    ) -> Sequence[Hashable]:
        """The options of a mover, the most promising first."""
        if not self.active or len(options) < 2:
            return options
        history = self._history
        ranked = sorted(options, key=lambda option: -history.get((mover, option), 0))
        for first in (*self._killers.get((ply, mover), ()), hint):
            if first in ranked:  # of a position that is alike, it may not be
                ranked.remove(first)
                ranked.insert(0, first)
        return ranked

    def cut_off(self, mover: str, option: Hashable, ply: int, height: float) -> None:
        """Note that a move made all others needless."""
        if not self.active:
            return
        self._history[mover, option] = self._history.get((mover, option), 0) + height * height
        killers = self._killers.get((ply, mover), ())
        if option not in killers[-1:]:
            self._killers[ply, mover] = (*killers[-1:], option)

    def clear(self) -> None:
        """Forget everything."""
        self._history.clear()
        self._killers.clear()


def joint(position: Position, movers: tuple[str, ...], chosen: tuple[Hashable, ...]) -> Any:
    """The move that the movers have chosen, in the position's own order."""
    if len(movers) == 1:
        return chosen[0]
    by_mover = dict(zip(movers, chosen, strict=True))
    return tuple(by_mover[mover] for mover in position.movers)
