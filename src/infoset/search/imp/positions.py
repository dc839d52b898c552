"""Positions as ground: any game is walked move by move, and losses are Fractions."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from infoset.rules import Position, ReplayPosition
from infoset.rules.exact import exact
from infoset.rules.story import brief, text
from infoset.search.imp.bounds import Bounds, evaluated_within, not_constant, within
from infoset.search.imp.ground import BEST, EVALUATED, INFINITE, WORST, Loss, Shares
from infoset.search.imp.request import Request
from infoset.search.source import Source
from infoset.tree.labels import known
from infoset.tree.walking import TreePosition

# A position, what those have chosen who move at once and come before the next, its probability.
Member = tuple[Position, tuple[Hashable, ...], Fraction]

LONGEST = 3_000  # moves of a play


class PositionGround:
    """Positions, gathered by who moves, what it knows and what it may choose.

    Those who move at once choose one after the other, none seeing what was chosen: their views
    are those of the position before.
    """

    def __init__(self, source: Source, bounds: Bounds, request: Request) -> None:
        """With the least and the most that the first player may get, None where not known."""
        self.source = source
        self.bounds = bounds
        self.method = request.method
        self.evaluator = evaluator = request.evaluator
        low, high = bounds
        self.capped = high is not None
        self.floored = high is not None and low is not None
        self.high = high or Fraction(0)
        self.span = Fraction(0) if low is None else self.high - low
        self.owner: list[int] = []
        self.width: list[int] = []
        self.pause = 16
        self.longest = LONGEST
        self.unknown = EVALUATED if evaluator else WORST
        self.total: Fraction | None = None  # what both players get together
        self._numbers: dict[tuple[str, Hashable, tuple[Hashable, ...]], int] = {}
        self._keys: list[tuple[str, Hashable, tuple[Hashable, ...]]] = []
        self.restart()

    def restart(self) -> None:
        """Count from 0."""
        self.chances = self.examined = self.horizon = self.cutoffs = 0

    def begin(self) -> list[Member]:
        """The start of the game."""
        return [(self.source.start, (), Fraction(1))]

    def spread(
        self, members: list[Member], alternative: int, low: Loss, high: Loss, depth: int
    ) -> tuple[Loss, Shares | None]:
        """Move, go on through chance, and examine the leaves; see :class:`Ground`."""
        ceiling = high if self.capped else INFINITE
        watched = self.floored and low != -INFINITE
        room = self.room(members) if watched else Fraction(0)
        shares: Shares = {}
        loss = Fraction(0)
        pending = [(member, alternative) for member in members]
        for at, (member, move) in enumerate(pending):  # which grows while it is read
            position, made, weight = member = _moved(member, move)
            if position.over:
                lost = weight * (self.high - self._paid(position))
            elif not position.movers:
                self.chances += 1
                pending += [
                    ((position.after(outcome), (), weight * exact(chance)), -1)
                    for outcome, chance in position.chances()
                ]
                continue
            elif depth or made:
                shares.setdefault(self._number(position, len(made)), []).append(member)
                continue
            else:
                lost = self._beyond(position, weight)
            self.examined += 1
            loss += lost
            if watched:
                room += lost - weight * self.span
            if loss >= ceiling or (watched and room <= low):
                self.cutoffs += bool(shares) or at + 1 < len(pending)
                return (loss if loss >= ceiling else room), None
        return loss, shares

    def _number(self, position: Position, turn: int) -> int:
        """The number of the information set of the one who moves in this turn."""
        mover = position.movers[turn]
        menu = tuple(position.options(mover))
        key = (mover, position.view(mover), menu)
        number = self._numbers.setdefault(key, len(self._keys))
        if number == len(self._keys):
            self._keys.append(key)
            self.owner.append(self.source.seats.player(mover))
            self.width.append(len(menu))
        return number

    def _paid(self, position: Position) -> Fraction:
        """What the first player gets where the game is over."""
        players, payoffs = self.source.seats.players, position.payoffs
        amount = exact(payoffs[players[0]])
        if len(players) == 2:
            both = amount + exact(payoffs[players[1]])
            if self.total is None:
                self.total = both
            elif both != self.total:
                sums = f"payoffs sum to {self.total} and, at {position!r:.100}, to {both}"
                raise not_constant(self.source.name, self.method, sums)
        return within(self.bounds, amount, self.source.name, players[0], f"at {position!r:.100}")

    def _beyond(self, position: Position, weight: Fraction) -> Fraction:
        """What is lost at a position at which the look ahead ends."""
        self.horizon += 1
        if self.unknown == BEST:
            return Fraction(0)
        if self.unknown == WORST or self.evaluator is None:
            return weight * self.span
        said = evaluated_within(self.bounds, self.evaluator, position, self.source.name)
        return weight * (self.high - said)

    def room(self, members: list[Member]) -> Fraction:
        """The most that the members can lose."""
        return self.span * sum(weight for _, _, weight in members)

    def worth(self, loss: Loss) -> Fraction:
        """What the first player gets if it loses so much, from the start."""
        return self.high - Fraction(loss)

    def has(self, position: Any) -> bool:
        """Is this a position of the game, as far as it tells?

        One of rules knows its game. An engine may have several kinds of positions, and at least
        those who move there play this game.
        """
        start: Any = self.source.start
        if isinstance(start, ReplayPosition) or isinstance(position, ReplayPosition | TreePosition):
            return type(position) is type(start) and position.game == start.game
        movers = getattr(position, "movers", None)
        return isinstance(movers, tuple) and all(
            mover in self.source.seats.player_number for mover in movers
        )

    def place(self, position: Position, mover: str) -> int | None:
        """The mover's information set, if it was met."""
        key = (mover, position.view(mover), tuple(position.options(mover)))
        return self._numbers.get(key)

    def told(self, number: int) -> tuple[str, str]:
        """Who moves at an information set, and what it knows."""
        mover, view, _ = self._keys[number]
        if not isinstance(self.source.start, ReplayPosition):
            return mover, brief(text(view))
        steps: Any = view
        return mover, brief(known(steps))


def _moved(member: Member, alternative: int) -> Member:
    """After the next choice; -1: none is made."""
    if alternative < 0:
        return member
    position, made, weight = member
    movers = position.movers
    made += (position.options(movers[len(made)])[alternative],)
    if len(made) < len(movers):
        return position, made, weight
    return position.after(made if len(made) > 1 else made[0]), (), weight
