"""Places: positions taken apart for walking, and a bounded memory of those near the root.

What a walk asks of a position is kept: who moves, the row of its information set, nature's
cumulative probabilities, the payoffs at an end, and the places that follow. Players who move at
once are places one after the other, of which none sees the ones before, as in
:mod:`infoset.tree.positions`.

Plays have their beginnings in common. A place is kept when a walk comes there for the second time;
the first time, a game given by its rules is played on within one run of them (:mod:`.live`). When
the memory is full, the deepest places are given up until it is half empty, and from then on none as
deep is kept. What a walk does never depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from infoset.errors import Endless, RulesError
from infoset.rules.columns import CHANCE, LEAF, MAX_MOVES
from infoset.rules.moves import Menu
from infoset.rules.position import Position, ReplayPosition, Walkable
from infoset.rules.seats import Seats
from infoset.solve.sampled.chance import Chances, Nature, cumulated
from infoset.solve.sampled.live import LiveWalk
from infoset.solve.sampled.table import Table
from infoset.tree.walking import TreePosition

MEMORY = 200_000  # places that are kept
STOP = -1  # no move: the walk stops at this place


class Place:
    """A node of the game: one mover's decision, a move of nature, or an end."""

    __slots__ = (
        "average", "children", "chosen", "cumulative", "depth", "movers", "moves", "payoffs",
        "player", "position", "regrets",
    )  # fmt: skip

    player: int  # who decides; CHANCE; LEAF
    depth: int  # moves up to here
    moves: Menu  # options, or nature's outcomes
    children: list[Place | None]  # [move] the place after it, if it is kept; ONCE if it was seen
    regrets: list[float]  # [option] of the information set's row, shared with it
    average: list[float]  # [option] likewise
    cumulative: list[float] | None  # [outcome] probability of it or one before; None: all alike
    payoffs: list[float]  # [player] at an end
    position: Position
    movers: Sequence[str]  # all who move at once here
    chosen: tuple[Hashable, ...]  # what those of them who come before have chosen


ONCE = Place()  # stands where a walk came by once and nothing was kept

Decide = Callable[[Place], int]  # the number of the move at a place, or STOP; STOP at an end


class Places:
    """The places of one game, from its start."""

    def __init__(
        self, start: Position, seats: Seats, name: str, table: Table, memory: int = MEMORY
    ) -> None:
        """Nothing known but the start; ``memory`` is the number of places that are kept."""
        self.name = name
        self.seats = seats
        self.table = table
        self.memory = memory
        self.deepest = MAX_MOVES  # places further down are not kept
        self.kept: Counter[int] = Counter()  # by depth
        self.held = 0  # their number
        self.nature = Nature()
        self.game: Walkable | None = None  # if it is given by its rules
        self.before = 0  # moves that were made before the start
        if isinstance(start, ReplayPosition):
            self.game, self.before = start.game, len(start.moves)
            self.root = self._played(start.moves, _stop)
        else:
            self.root = self._place(start, 0)

    # ------------------------------------------------------------------ walking

    def walk(self, decide: Decide) -> Place:
        """Go on from the start until the decision is to stop."""
        move = decide(self.root)
        return self.root if move < 0 else self.advance(self.root, move, decide)

    def advance(self, place: Place, move: int, decide: Decide) -> Place:
        """Make a move, and go on until the decision is to stop."""
        while True:
            below = place.children[move]
            if below is None or below is ONCE:
                if self.game is not None and (below is None or place.depth >= self.deepest):
                    place.children[move] = ONCE
                    return self._played(self._moves(place, move), decide)
                below = self.child(place, move)
            place = below
            move = decide(place)
            if move < 0:
                return place

    def child(self, place: Place, move: int) -> Place:
        """The place after the move of this number, kept from now on if there is room."""
        chosen = (*place.chosen, place.moves[move])
        position, depth = place.position, place.depth + 1
        if self.game is not None:
            made = self._played(self._moves(place, move), _stop)
        elif len(chosen) < len(place.movers):
            made = self._turn(position, place.movers, chosen, depth)
        elif type(position) is TreePosition:
            made = self._place(position.child(move), depth)
        else:
            made = self._place(position.after(chosen if len(chosen) > 1 else chosen[0]), depth)
        if depth <= self.deepest:
            place.children[move] = made
            self.kept[depth] += 1
            self.held += 1
            if self.held > self.memory:
                self._give_up()
        return made

    def _moves(self, place: Place, move: int) -> tuple[Hashable, ...]:
        """All moves of a play given by its rules up to a place, and one more."""
        assert isinstance(place.position, ReplayPosition)
        return (*place.position.moves, *place.chosen, place.moves[move])

    def _played(self, moves: tuple[Hashable, ...], decide: Decide) -> Place:
        """Make moves and go on, within one run of the rules, until the decision is to stop."""
        at = ONCE
        assert self.game is not None

        def answer(
            walk: LiveWalk, mover: str, menus: Mapping[str, Menu], chances: Chances | None
        ) -> int:
            nonlocal at
            depth = len(walk.moves) - self.before
            if chances is not None:
                at = self._draw(chances, depth)
            else:
                menu = menus[mover]
                at = self._decision(mover, walk.offered(mover, menu), menu, depth)
                at.movers, at.chosen = tuple(menus), tuple(walk.moves[walk.made :])
            return decide(at)

        walk = LiveWalk(self.game, moves, self.nature, answer)
        final = walk.carry_on()
        if final is not None:
            at = self._end(final, len(walk.moves) - self.before)
            decide(at)
        at.position = ReplayPosition(self.game, tuple(walk.moves[: walk.made]))
        return at

    # ------------------------------------------------------------------ memory

    def _give_up(self) -> None:
        """Forget the deepest places, until half of the memory is free.

        A walk that is on its way holds its own places; those that are not kept any more are deeper
        than any that will be.
        """
        deepest, room = 0, self.memory // 2
        while deepest < self.deepest and room >= self.kept[deepest + 1]:
            deepest += 1
            room -= self.kept[deepest]
        level = [self.root]
        for _ in range(deepest):
            level = [
                below
                for place in level
                for below in place.children
                if below is not None and below is not ONCE
            ]
        for place in level:
            place.children = [None] * len(place.children)
        self.deepest = deepest
        self.kept = Counter({at: count for at, count in self.kept.items() if at <= deepest})
        self.held = sum(self.kept.values())

    # ------------------------------------------------------------------ what is at a position

    def _place(self, position: Position, depth: int) -> Place:
        movers = position.movers
        if movers:
            return self._turn(position, movers, (), depth)
        if position.over:
            paid = position.payoffs
            place = self._end([paid[player] for player in self.seats.players], depth)
        else:
            chances = position.chances()
            if not chances:
                raise RulesError(
                    f"{self.name}: nobody moves, and the game is not over: {position!r}"
                )
            outcomes, probabilities = zip(*chances, strict=True)
            place = self._draw(Chances(outcomes, cumulated(probabilities)), depth)
        place.position = position
        return place

    def _turn(self, position: Position, movers: Sequence[str], chosen: Menu, depth: int) -> Place:
        """One of those who move at once, the ones before having chosen."""
        mover = movers[len(chosen)]
        menu = tuple(position.options(mover))
        place = self._decision(mover, position.view(mover), menu, depth)
        place.position, place.movers, place.chosen = position, movers, chosen
        return place

    def _decision(self, mover: str, view: Hashable, menu: Menu, depth: int) -> Place:
        place = self._new(self.seats.player(mover), menu, depth)
        row = self.table.row((mover, view, menu), place.player)
        place.regrets, place.average = row.regrets, row.average
        return place

    def _draw(self, chances: Chances, depth: int) -> Place:
        place = self._new(CHANCE, chances.outcomes, depth)
        place.cumulative = chances.cumulative
        place.movers = place.chosen = ()
        return place

    def _end(self, payoffs: Sequence[Any], depth: int) -> Place:
        place = self._new(LEAF, (), depth)
        try:
            place.payoffs = [float(amount) for amount in payoffs]
        except OverflowError:
            raise RulesError(f"{self.name}: a payoff is too large for floats") from None
        return place

    def _new(self, player: int, moves: Menu, depth: int) -> Place:
        if depth > MAX_MOVES:
            raise Endless(f"{self.name}: a play has gone on for {MAX_MOVES:,} moves without an end")
        place = Place()
        place.player, place.moves, place.depth = player, moves, depth
        place.children = [None] * len(moves)
        return place


def _stop(place: Place) -> int:
    """The decision to go no further."""
    return STOP
