"""What a search of simultaneous moves asks of positions, and which games it refuses.

A stage is a matrix game: the first player chooses a row, the second a column, at once; where only
one of them moves, the other has a single row or column. Payoffs are the first player's. That this
says all there is to say takes two players whose payoffs sum to the same at every end. What was
looked at is checked; the rest is not.

Is anything hidden? Two positions that look alike to the player who moves there say so.

A search without information sets is right only where every player knows where the play stands, but
for the moves being made at the same time. A position tells what each player sees of it. Every
stage that a search comes to is noted by what its movers see; if another stage looks the same, the
game hides something. Before a search starts, a look at the first few thousand positions finds
almost all that do.

Kept are not the views but fingerprints of 64 bits. Python's own hashes would confuse −1 and −2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

from infoset.errors import NotApplicable, ParameterError, StrategyError
from infoset.rules import Position, StagePosition
from infoset.rules.position import ReplayPosition
from infoset.rules.stages import check_stages
from infoset.text import brief, text
from infoset.tree.knowledge import known
from infoset.tree.positions import SimultaneousPosition, TreePosition, hidden
from infoset.tree.source import Source

NOBODY: tuple[Hashable, ...] = (None,)  # the options of a player who does not move


class Stage:
    """A position at which somebody chooses, as a matrix of positions."""

    __slots__ = ("both", "columns", "position", "rows", "swapped")

    def __init__(
        self,
        position: Position,
        rows: Sequence[Hashable] | None,
        columns: Sequence[Hashable] | None,
        swapped: bool,
    ) -> None:
        self.position = position
        self.both = rows is not None and columns is not None
        self.rows = NOBODY if rows is None else rows
        self.columns = NOBODY if columns is None else columns
        self.swapped = swapped  # is the second player named first among the movers?

    def after(self, row: int, column: int) -> Position:
        """The position after a row and a column, by their numbers."""
        if self.both:
            first, second = self.rows[row], self.columns[column]
            return self.position.after((second, first) if self.swapped else (first, second))
        alone = self.columns[column] if self.rows is NOBODY else self.rows[row]
        return self.position.after(alone)


class Ground:
    """A game under search: its beginning, its stages and its payoffs."""

    def __init__(self, source: Source) -> None:
        """Refuse what is seen not to fit at once."""
        self.source = source
        self.name = brief(source.name, 80)
        self.players = source.seats.players
        self.total: Fraction | None = None  # what both get together, once it is known
        if len(self.players) != 2:
            count = len(self.players)
            raise NotApplicable(
                f"{self.name}: searching simultaneous moves takes two players, not {count};"
                " discounted-cfr takes more"
            )
        self.start = self.at(source.start)
        if isinstance(self.start, SimultaneousPosition):
            self._check_tree(self.start)
        elif source.stages is not None:
            self.start = checked(source, source.stages)

    def at(self, position: Position) -> Position:
        """A position of the game as it is searched: over whole numbers, or a tree in stages.

        In the middle of a stage of a tree, where one has moved unseen, this is the whole stage.
        """
        source, start = self.source, getattr(self, "start", None)
        if isinstance(position, ReplayPosition):
            if isinstance(start, SimultaneousPosition):
                return self._stage_of(start, _node_after(start, position.moves))
            if not isinstance(source.start, ReplayPosition) or source.start.game != position.game:
                raise StrategyError(f"{position!r:.120} is no position of {self.name}")
            if source.stages is not None:
                return _over_whole_numbers(source.stages, position.moves)
        elif isinstance(position, TreePosition):
            if start is None:
                return SimultaneousPosition(position.tree, position.node)
            if position.tree.name != source.name:
                raise StrategyError(f"{position!r:.120} is no position of {self.name}")
            same = isinstance(start, SimultaneousPosition) and start.tree is position.tree
            stages = start if same else SimultaneousPosition(position.tree)
            return self._stage_of(stages, position.node)
        elif isinstance(position, StagePosition) and not isinstance(start, StagePosition | None):
            raise StrategyError(f"{position!r:.120} is no position of {self.name}")
        return position

    def _stage_of(self, start: SimultaneousPosition, node: int) -> SimultaneousPosition:
        above = int(start.tree.parent[node])
        inside = above >= 0 and start.joined[above]
        return SimultaneousPosition(start.tree, above if inside else node, start.joined)

    def stage(self, position: Position) -> Stage:
        """The matrix of a position at which somebody chooses."""
        movers = position.movers
        numbers = [self.source.seats.player(mover) for mover in movers]
        if len(set(numbers)) < len(numbers):
            raise NotApplicable(
                f"{self.name}: {text(movers)} move at once for one player; let one of them choose"
            )
        menus: list[Sequence[Hashable] | None] = [None, None]
        for number, mover in zip(numbers, movers, strict=True):
            menus[number] = position.options(mover)
        return Stage(position, menus[0], menus[1], numbers[0] == 1)

    def payoff(self, position: Position) -> Fraction:
        """What the first player gets where the game is over."""
        paid = position.payoffs
        first, second = paid[self.players[0]], paid[self.players[1]]
        if self.total is None:
            self.total = first + second
        elif first + second != self.total:
            raise NotApplicable(
                f"{self.name}: the payoffs {first}, {second} sum to {first + second}, others to"
                f" {self.total}; a search needs a constant sum; lcp does not"
            )
        return first

    def within(self, told: Any, amount: Any, bounds: Any, session: Any, what: str) -> Any:
        """An amount, refused if it lies outside of the bounds by which a search prunes."""
        low, high = bounds
        if low is not None and not low - session.tie <= amount <= high + session.tie:
            low, high = (float(session.arithmetic.worth(end)) for end in bounds)
            raise ParameterError(
                f"{self.name}: {what} {told} is outside of {low:g} to {high:g}; give bounds= that"
                " hold everywhere"
            )
        return amount

    def _check_tree(self, start: SimultaneousPosition) -> None:
        tree = start.tree
        if not tree.constant_sum:
            raise NotApplicable(
                f"{self.name}: {tree.constant_sum.because}; a search needs a constant sum;"
                " lcp does not"
            )
        dark = hidden(tree, start.joined)
        if dark is not None:
            raise hides(self.name, str(dark.player), str(dark.label))


CHECKED: set[Hashable] = set()  # games whose stages were found to say what their rules say


def checked(source: Source, stages: StagePosition) -> StagePosition:
    """The start over whole numbers, once some random plays have shown that it is the same game."""
    key = (stages.stages, stages.beginning, source.name)
    if key not in CHECKED:
        check_stages(source.start, stages)
        CHECKED.add(key)
    return stages


class Hidden(NotApplicable):
    """A game that hides more than moves made at the same time, as far as its rules tell."""


def hides(name: str, player: str, seen: str) -> Hidden:
    """The refusal of hidden information."""
    return Hidden(
        f"{name}: {player} cannot tell positions apart where it sees {brief(seen, 100)!r}: that is"
        " hidden information, for lp or discounted-cfr; moves made at the same time are written"
        " with g.together"
    )


def _node_after(start: SimultaneousPosition, moves: Sequence[Any]) -> int:
    """The node of a tree after the moves of a play by its rules."""
    at = TreePosition(start.tree)
    for move in moves:
        at = at.after(move)
    return at.node


def _over_whole_numbers(stages: StagePosition, moves: Sequence[Any]) -> StagePosition:
    """The state after the moves of a play by the rules, of which several at once are listed."""
    at, done = stages, 0
    while done < len(moves):
        count = max(1, len(at.movers))
        made = tuple(moves[done : done + count])
        at, done = at.after(made if count > 1 else made[0]), done + count
    return at


AHEAD = 3000  # positions that are looked at before a search starts
GLANCE = 300  # by the rules of a game that is then searched over whole numbers
MINUS_ONE = 0x9E3779B97F4A7C15 >> 3  # stands for −1, whose hash is that of −2


def fingerprint(value: Any) -> int:
    """A number that tells values apart, equal for equal ones.

    >>> hash((-1,)) == hash((-2,)), fingerprint((-1,)) == fingerprint((-2,))
    (True, False)
    """
    if isinstance(value, tuple):
        return hash(tuple(map(fingerprint, value)))
    if isinstance(value, frozenset):
        return hash(frozenset(map(fingerprint, value)))
    return MINUS_ONE if value == -1 else hash(value)


class Lookout:
    """Which stage looks like what to whom, as far as a search has come."""

    def __init__(self, ground: Ground, start: Position | None = None) -> None:
        """Stages over whole numbers do not tell what is seen, and those of trees hide nothing."""
        self.ground = ground
        self.start = ground.start if start is None else start
        self.needed = not isinstance(self.start, StagePosition | SimultaneousPosition)
        self.seen: dict[tuple[str, int], int] = {}

    def note(self, position: Position) -> None:
        """Note a stage, and refuse the game if another one looks the same."""
        if not self.needed:
            return
        own = identity(position, self.ground.players)
        for mover in position.movers:
            view = position.view(mover)
            if self.seen.setdefault((mover, fingerprint(view)), own) != own:
                raise hides(self.ground.name, mover, seen(position, view))

    def ahead(self, most: int = AHEAD) -> None:
        """Look at the positions nearest to the start."""
        waiting = deque([self.start] if self.needed else [])
        looked = 0
        while waiting and looked < most:
            position = waiting.popleft()
            looked += 1
            if position.over:
                self.ground.payoff(position)
            elif position.movers:
                self.note(position)
                stage = self.ground.stage(position)
                room = most - looked - len(waiting)
                cells = len(stage.rows) * len(stage.columns)
                for cell in range(min(cells, max(room, 0))):
                    waiting.append(stage.after(*divmod(cell, len(stage.columns))))
            else:
                waiting.extend(position.after(outcome) for outcome, _ in position.chances())


def identity(position: Position, players: tuple[str, ...]) -> int:
    """The same for the same place in the game.

    A position that does not define when it equals another is taken to be what its players see.
    """
    if isinstance(position, ReplayPosition):
        return fingerprint(position.moves)
    if isinstance(position, Hashable) and type(position).__eq__ is not object.__eq__:
        return hash(position)
    return fingerprint(tuple(position.view(player) for player in players))


def seen(position: Position, view: Any) -> str:
    """What a player sees, in the words of a tree's label where the rules tell it."""
    return known(view) if isinstance(position, ReplayPosition) else text(view)


GLANCED: set[str] = set()  # games over whole numbers at whose rules someone has looked


def glance(ground: Ground) -> None:
    """See by the rules of a game whether something is hidden that its stages do not tell."""
    name = ground.source.name
    if isinstance(ground.start, StagePosition) and name not in GLANCED:
        Lookout(ground, ground.source.start).ahead(GLANCE)
        GLANCED.add(name)
