"""Stages of a game with simultaneous moves, and the check that nothing else is hidden.

A stage is a matrix game: the first player chooses a row, the second a column, simultaneously; where
only one of them moves, the other has a single row or column. Payoffs are the first player's. This
is a complete description only for two players whose payoffs have the same sum at every leaf. What
is visited is checked; the rest is not.

*Hidden information.* A search without information sets is correct only if every player knows the
position but for simultaneous moves. A position tells what each player observes. Every stage that a
search visits is recorded by its movers' observations; if another stage has the same ones, the game
has hidden information. Before a search starts, the first few thousand positions are examined, which
finds almost all such games. Fingerprints of 64 bits are kept instead of the observations; Python's
own hashes would confuse −1 and −2.
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

NO_CHOICE: tuple[Hashable, ...] = (None,)  # the menu of a player who does not move


class Stage:
    """A position with movers, as a matrix of positions."""

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
        self.rows = NO_CHOICE if rows is None else rows
        self.columns = NO_CHOICE if columns is None else columns
        self.swapped = swapped  # is the second player named first among the movers?

    def after(self, row: int, column: int) -> Position:
        """The position after a row and a column, by their numbers."""
        if self.both:
            first, second = self.rows[row], self.columns[column]
            return self.position.after((second, first) if self.swapped else (first, second))
        alone = self.columns[column] if self.rows is NO_CHOICE else self.rows[row]
        return self.position.after(alone)


class StageGame:
    """A game under search: its start, its stages and its payoffs."""

    def __init__(self, source: Source) -> None:
        """Refuse games that obviously do not fit."""
        self.source = source
        self.name = brief(source.name, 80)
        self.players = source.seats.players
        self.total: Fraction | None = None  # the sum of both payoffs, once it is known
        if len(self.players) != 2:
            count = len(self.players)
            raise NotApplicable(
                f"{self.name}: a search of simultaneous moves takes two players, not {count};"
                " discounted-cfr takes more"
            )
        self.start = self.at(source.start)
        if isinstance(self.start, SimultaneousPosition):
            self._check_tree(self.start)
        elif source.stages is not None:
            self.start = checked(source, source.stages)

    def at(self, position: Position) -> Position:
        """A position as it is searched: an integer stage, or a stage of a tree.

        In the middle of a stage of a tree, after one unobserved move, it is the whole stage.
        """
        source, start = self.source, getattr(self, "start", None)
        if isinstance(position, ReplayPosition):
            if isinstance(start, SimultaneousPosition):
                return self._stage_of(start, _node_after(start, position.moves))
            if not isinstance(source.start, ReplayPosition) or source.start.game != position.game:
                raise StrategyError(f"{position!r:.120} is not a position of {self.name}")
            if source.stages is not None:
                return _integer_stage(source.stages, position.moves)
        elif isinstance(position, TreePosition):
            if start is None:
                return SimultaneousPosition(position.tree, position.node)
            if position.tree.name != source.name:
                raise StrategyError(f"{position!r:.120} is not a position of {self.name}")
            same = isinstance(start, SimultaneousPosition) and start.tree is position.tree
            stages = start if same else SimultaneousPosition(position.tree)
            return self._stage_of(stages, position.node)
        elif isinstance(position, StagePosition) and not isinstance(start, StagePosition | None):
            raise StrategyError(f"{position!r:.120} is not a position of {self.name}")
        return position

    def _stage_of(self, start: SimultaneousPosition, node: int) -> SimultaneousPosition:
        above = int(start.tree.parent[node])
        inside = above >= 0 and start.joined[above]
        return SimultaneousPosition(start.tree, above if inside else node, start.joined)

    def stage(self, position: Position) -> Stage:
        """The matrix of a position with movers."""
        movers = position.movers
        numbers = [self.source.seats.player(mover) for mover in movers]
        if len(set(numbers)) < len(numbers):
            raise NotApplicable(
                f"{self.name}: {text(movers)} move simultaneously for one player; let one"
                " of them choose"
            )
        menus: list[Sequence[Hashable] | None] = [None, None]
        for number, mover in zip(numbers, movers, strict=True):
            menus[number] = position.options(mover)
        return Stage(position, menus[0], menus[1], numbers[0] == 1)

    def forced_end(self, position: Position) -> Position | None:
        """The leaf at which a play must end without a choice of any player or chance; else None.

        Rules and integer stages do not ask a player who has one option, but trees of files and
        positions of other origin may.
        """
        asks = not isinstance(position, ReplayPosition | StagePosition)
        while asks and not position.over and position.movers:
            stage = self.stage(position)
            if len(stage.rows) > 1 or len(stage.columns) > 1:
                break
            position = stage.after(0, 0)
        return position if position.over else None

    def payoff(self, position: Position) -> Fraction:
        """The first player's payoff at the end of the game."""
        paid = position.payoffs
        first, second = paid[self.players[0]], paid[self.players[1]]
        if self.total is None:
            self.total = first + second
        elif first + second != self.total:
            raise NotApplicable(
                f"{self.name}: the payoffs {first}, {second} sum to {first + second}, others to"
                f" {self.total}, but a constant sum is needed; lcp does not need one"
            )
        return first

    def check_within(self, told: Any, amount: Any, bounds: Any, session: Any, what: str) -> Any:
        """An amount, refused if it is outside of the bounds."""
        low, high = bounds
        if low is not None and not low - session.tie <= amount <= high + session.tie:
            low, high = (float(session.arithmetic.payoff_of(end)) for end in bounds)
            raise ParameterError(
                f"{self.name}: {what} {told} is outside of the bounds {low:g} to {high:g}; give"
                " bounds= that hold everywhere"
            )
        return amount

    def _check_tree(self, start: SimultaneousPosition) -> None:
        tree = start.tree
        if not tree.constant_sum:
            raise NotApplicable(
                f"{self.name}: {tree.constant_sum.because}, but a constant sum is needed;"
                " lcp does not need one"
            )
        dark = hidden(tree, start.joined)
        if dark is not None:
            raise hidden_information(self.name, str(dark.player), str(dark.label))


CHECKED: set[Hashable] = set()  # games whose stages were checked against their rules


def checked(source: Source, stages: StagePosition) -> StagePosition:
    """The start of integer stages, after some random plays agree with the rules."""
    key = (stages.stages, stages.beginning, source.name)
    if key not in CHECKED:
        check_stages(source.start, stages)
        CHECKED.add(key)
    return stages


class HiddenInformation(NotApplicable):
    """A game has hidden information besides simultaneous moves."""


def hidden_information(name: str, player: str, seen: str) -> HiddenInformation:
    """The error of a game with hidden information."""
    return HiddenInformation(
        f"{name}: {player} cannot distinguish positions where it observes {brief(seen, 100)!r}:"
        " hidden information is for lp or discounted-cfr; simultaneous moves are written with"
        " g.together"
    )


def _node_after(start: SimultaneousPosition, moves: Sequence[Any]) -> int:
    """The node of a tree after the moves of a play of its rules."""
    at = TreePosition(start.tree)
    for move in moves:
        at = at.after(move)
    return at.node


def _integer_stage(stages: StagePosition, moves: Sequence[Any]) -> StagePosition:
    """The state after the moves of a play of the rules, simultaneous ones one by one."""
    at, done = stages, 0
    while done < len(moves):
        count = max(1, len(at.movers))
        made = tuple(moves[done : done + count])
        at, done = at.after(made if count > 1 else made[0]), done + count
    return at


AHEAD = 3000  # positions examined before a search starts
RULES_LOOK = 300  # positions of the rules of a game with integer stages
MINUS_ONE = 0x9E3779B97F4A7C15 >> 3  # for −1, whose hash is that of −2


def fingerprint(value: Any) -> int:
    """A hash that distinguishes −1 and −2.

    >>> hash((-1,)) == hash((-2,)), fingerprint((-1,)) == fingerprint((-2,))
    (True, False)
    """
    if isinstance(value, tuple):
        return hash(tuple(map(fingerprint, value)))
    if isinstance(value, frozenset):
        return hash(frozenset(map(fingerprint, value)))
    return MINUS_ONE if value == -1 else hash(value)


class HiddenInformationCheck:
    """The observations of movers at the stages visited so far."""

    def __init__(self, game: StageGame, start: Position | None = None) -> None:
        """Integer stages have no observations, and those of trees are checked already."""
        self.game = game
        self.start = game.start if start is None else start
        self.needed = not isinstance(self.start, StagePosition | SimultaneousPosition)
        self.seen: dict[tuple[str, int], int] = {}

    def record(self, position: Position) -> None:
        """Record a stage, and refuse the game if another has the same observation."""
        if not self.needed:
            return
        own = identity(position, self.game.players)
        for mover in position.movers:
            view = position.view(mover)
            if self.seen.setdefault((mover, fingerprint(view)), own) != own:
                raise hidden_information(self.game.name, mover, seen(position, view))

    def examine_start(self, most: int = AHEAD) -> None:
        """Examine the positions nearest to the start."""
        waiting = deque([self.start] if self.needed else [])
        looked = 0
        while waiting and looked < most:
            position = waiting.popleft()
            looked += 1
            if position.over:
                self.game.payoff(position)
            elif position.movers:
                self.record(position)
                stage = self.game.stage(position)
                recursion = most - looked - len(waiting)
                cells = len(stage.rows) * len(stage.columns)
                for cell in range(min(cells, max(recursion, 0))):
                    waiting.append(stage.after(*divmod(cell, len(stage.columns))))
            else:
                waiting.extend(position.after(outcome) for outcome, _ in position.chances())


def identity(position: Position, players: tuple[str, ...]) -> int:
    """A hash that is equal for equal positions.

    A position without equality of its own is identified by all players' observations.
    """
    if isinstance(position, ReplayPosition):
        return fingerprint(position.moves)
    if isinstance(position, Hashable) and type(position).__eq__ is not object.__eq__:
        return hash(position)
    return fingerprint(tuple(position.view(player) for player in players))


def seen(position: Position, view: Any) -> str:
    """An observation as text, like a tree's label where the rules give it."""
    return known(view) if isinstance(position, ReplayPosition) else text(view)


CHECKED_RULES: set[str] = set()  # games with integer stages whose rules were checked


def check_rules(game: StageGame) -> None:
    """Check the rules of a game with integer stages for hidden information."""
    name = game.source.name
    if isinstance(game.start, StagePosition) and name not in CHECKED_RULES:
        HiddenInformationCheck(game, game.source.start).examine_start(RULES_LOOK)
        CHECKED_RULES.add(name)
