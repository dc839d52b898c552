"""Max^n: every player maximizes its own payoff, and knows that all others do.

A position has a value for each player: at a player's move the values after the move that is best
for the player, the expectation at chance nodes. It is backward induction (Luckhardt and Irani
1986), for any number of players and any payoffs. Of several moves that are equally good for the
mover, the first in the rules' order is taken; they may differ for the others, so that moves are not
reordered here. A mover who gets the most that anyone can get looks no further; alpha-beta as such
does not apply.

Simultaneous moves are made one after the other: the player whose values are asked for first, then
the others in the order of the position's movers, each of whom sees what was chosen before.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from typing import Any

from infoset.rules import Position
from infoset.search.perfect.minimax import Searched, joint
from infoset.search.perfect.session import Session, offset, plain
from infoset.search.perfect.table import Entry, Table


class MaxN:
    """Max^n, with a table that stays; values are tuples, by player."""

    def __init__(self, session: Session, seat: int) -> None:
        """For the player of this number, who is first in simultaneous moves."""
        self.session = session
        self.seat = seat
        self.bounds = [session.bounds(player) for player in range(len(session.players))]
        self.table = Table(session.settings.table_size)
        self.root_move: Hashable = None

    def payoffs(self, value: Any) -> dict[int, Any]:
        """By player: its payoff."""
        return dict(enumerate(value))

    def root(self, position: Position, depth: float) -> Searched:
        """The values of a position, found from its own moves and never from the table alone."""
        movers = self.session.movers(position, self.seat)
        if not movers:
            return self.search(position, depth, 0)
        self.session.visit()
        return self.decide(position, movers, (), depth, 0)

    def each(
        self, position: Position, mover: str, depth: float, values: dict[Hashable, Any]
    ) -> float:
        """Fill in the player's value after each move of one mover; return the search's height."""
        movers = self.session.movers(position, self.seat, mover)
        self.session.visit()
        height = 0.0
        for option in position.options(movers[0]):
            value, below, _ = self._after(position, movers, (option,), depth, 0)
            values[option] = value[self.seat]
            height = max(height, below)
        return height

    def search(self, position: Position, depth: float, ply: int) -> Searched:
        """The values of a position."""
        session = self.session
        session.visit()
        if depth <= 0 and session.plays_on:
            return session.played(position), inf, ()
        seats = range(len(self.bounds))
        if position.over:
            ends = [session.checked_leaf(position, seat, self.bounds[seat]) for seat in seats]
            return tuple(ends), 0, ()
        movers = session.movers(position, self.seat)
        if depth <= 0 and movers:
            told = [session.horizon(position, seat, self.bounds[seat]) for seat in seats]
            return tuple(told), inf, ()
        key, already = session.key(position), [offset(position, seat) for seat in seats]
        entry = self.table.get(key)
        if entry is not None and entry.answers(depth):
            session.hits += 1
            return _sum(entry.low, already), entry.height, entry.line
        if movers:
            value, height, line = self.decide(position, movers, (), depth, ply)
        else:
            value, height, line = self._average(position, depth, ply)
        kept = line if session.settings.alike is None else ()
        less = _sum(value, [-amount for amount in already])
        if entry is None or not entry.height < height:
            self.table.put(key, Entry(depth, height, less, less, None, kept))
        return value, height, line

    def decide(
        self,
        position: Position,
        movers: tuple[str, ...],
        chosen: tuple[Hashable, ...],
        depth: float,
        ply: int,
    ) -> Searched:
        """The best move of the next mover for itself."""
        mover = movers[len(chosen)]
        own = self.session.player_of[mover]
        most = self.bounds[own][1]
        best: Any = None
        height, line = 0.0, ()
        for option in position.options(mover):
            value, below, rest = self._after(position, movers, (*chosen, option), depth, ply)
            height = max(height, below)
            if best is None or value[own] > best[own]:
                best, line = value, rest
                if ply == 0 and not chosen:
                    self.root_move = option
                if most is not None and value[own] >= most:
                    break
        return best, height, line

    def _after(
        self,
        position: Position,
        movers: tuple[str, ...],
        chosen: tuple[Hashable, ...],
        depth: float,
        ply: int,
    ) -> Searched:
        """What follows a move: the next position, or the choice of the next mover."""
        if len(chosen) < len(movers):
            return self.decide(position, movers, chosen, depth, ply)
        move = joint(position, movers, chosen)
        value, height, line = self.search(position.after(move), depth - 1, ply + 1)
        return value, height + 1, (move, line)

    def _average(self, position: Position, depth: float, ply: int) -> Searched:
        """The expected values of a chance position."""
        known: Any = (0,) * len(self.bounds)
        height = 0.0
        for outcome, probability in position.chances():
            if probability:
                value, below, _ = self.search(position.after(outcome), depth, ply + 1)
                known = _sum(known, [probability * amount for amount in value])
                height = max(height, below)
        return known, height, ()


def _sum(one: Any, other: Any) -> tuple[Any, ...]:
    return tuple(plain(first + second) for first, second in zip(one, other, strict=True))
