"""What a search of simultaneous moves asks of positions, and which games it refuses.

A stage is a matrix game: the first player chooses a row, the second a column, at once; where only
one of them moves, the other has a single row or column. Payoffs are the first player's. That this
says all there is to say takes two players whose payoffs sum to the same at every end. What was
looked at is checked; the rest is not.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

from infoset.errors import NotApplicable, ParameterError, StrategyError
from infoset.rules import Position, StagePosition
from infoset.rules.position import ReplayPosition
from infoset.rules.stages import check_stages
from infoset.rules.story import brief, text
from infoset.search.source import Source
from infoset.tree.together import TogetherPosition, hidden
from infoset.tree.walking import TreePosition

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
        if isinstance(self.start, TogetherPosition):
            self._check_tree(self.start)
        elif source.stages is not None:
            self.start = checked(source, source.stages)

    def at(self, position: Position) -> Position:
        """A position of the game as it is searched: over whole numbers, or a tree in stages.

        In the middle of a stage of a tree, where one has moved unseen, this is the whole stage.
        """
        source, start = self.source, getattr(self, "start", None)
        if isinstance(position, ReplayPosition):
            if isinstance(start, TogetherPosition):
                return self._stage_of(start, _node_after(start, position.moves))
            if not isinstance(source.start, ReplayPosition) or source.start.game != position.game:
                raise StrategyError(f"{position!r:.120} is no position of {self.name}")
            if source.stages is not None:
                return _over_whole_numbers(source.stages, position.moves)
        elif isinstance(position, TreePosition):
            if start is None:
                return TogetherPosition(position.tree, position.node)
            if position.tree.name != source.name:
                raise StrategyError(f"{position!r:.120} is no position of {self.name}")
            same = isinstance(start, TogetherPosition) and start.tree is position.tree
            stages = start if same else TogetherPosition(position.tree)
            return self._stage_of(stages, position.node)
        elif isinstance(position, StagePosition) and not isinstance(start, StagePosition | None):
            raise StrategyError(f"{position!r:.120} is no position of {self.name}")
        return position

    def _stage_of(self, start: TogetherPosition, node: int) -> TogetherPosition:
        above = int(start.tree.parent[node])
        inside = above >= 0 and start.joined[above]
        return TogetherPosition(start.tree, above if inside else node, start.joined)

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

    def _check_tree(self, start: TogetherPosition) -> None:
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


def _node_after(start: TogetherPosition, moves: Sequence[Any]) -> int:
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
