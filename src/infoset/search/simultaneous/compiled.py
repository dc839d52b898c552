"""The compiled searches, driven from Python: started, watched, stopped and queried.

A search runs in its own thread, without the global interpreter lock, on arrays that Python can read
and write at any time: so it reports progress, and stops soon after it is asked to. It is one more
method beside the searches in Python, with the same values and the same counts.
"""

from __future__ import annotations

import threading
from fractions import Fraction
from importlib import import_module
from math import lcm
from typing import Any

from infoset import memory
from infoset.errors import ParameterError, RulesError
from infoset.kernels.search import workspace as kernel
from infoset.kernels.search.entry import enter
from infoset.kernels.search.workspace import Workspace
from infoset.kernels.stages import compiled_rules
from infoset.rules import Position, StagePosition
from infoset.search.settings import ORDERS
from infoset.search.simultaneous.session import FloatNumbers, Session, SolvedStage

MOST_REMEMBERED = 4_000_000  # positions
BYTES = 32  # of an entry besides its state
STACK, FRAME = 1 << 24, 1 << 13  # bytes of a thread's stack, and of each move on it
WHOLE = 1 << 53  # floats represent integers up to this one exactly
LOOK = 0.05  # seconds between two reports
MODULES = {
    "backward-induction": "backward",
    "smab": "smab",
    "double-oracle": "oracle",
    "double-oracle-alphabeta": "bounded",
}


class CompiledSearch:
    """A compiled search of one game, with the interface of those in Python."""

    def __init__(self, session: Session) -> None:
        """Compile the game's stages, and allocate the workspace."""
        start = session.source.stages
        assert start is not None
        self.session = session
        self.start: StagePosition = start
        self.rules = compiled_rules(start.stages, start.name)
        module = MODULES[session.settings.method]
        self.search = import_module(f"infoset.kernels.search.{module}").search
        self.workspace = self._new_workspace()

    def _new_workspace(self) -> Workspace:
        session, begins = self.session, self.start.beginning
        settings, size = session.settings, len(begins.state)
        scale = (session.low, session.high, float(session.tie), 0.0, session.epsilon)
        entries = _room_for(size) if session.transpositions else 0
        made = kernel.new_workspace(size, begins.widest, begins.longest, scale, entries)
        times, plus, parts = measure(session, begins.unit)
        made.numbers[[kernel.TIMES, kernel.PLUS, kernel.PARTS]] = times, plus, parts
        made.numbers[[kernel.LEAST, kernel.MOST]] = begins.low, begins.high
        made.numbers[kernel.LIMITED] = session.limited
        made.numbers[kernel.ORDER] = ORDERS.index(settings.order)
        made.numbers[kernel.SKIP] = min(settings.skip, begins.widest + 1)
        for place, switch in (
            (kernel.DOMINANCE, settings.dominance),
            (kernel.DEEP, settings.deep),
            (kernel.CUTOFFS, settings.cutoffs),
            (kernel.LEAVES_FIRST, settings.leaves_first),
            (kernel.STATIC_BOUND, settings.static_bound),
            (kernel.DROP_CROSSED, settings.drop_crossed),
            (kernel.HEURISTIC, bool(settings.heuristic_bounds)),
            (kernel.REVERSED, settings.moves == "reversed"),
        ):
            made.numbers[place] = switch
        return made

    def value(self, position: Position, depth: int) -> Any:
        """The value of a position to the first player."""
        return self._run(position, depth, whole=False)

    def played(self, position: Position, depth: int) -> SolvedStage:
        """The solved matrix game of a position, as far as it was searched."""
        value = self._run(position, depth, whole=True)
        stage = self.session.game.stage(position)
        ours, theirs = self.workspace.floats[0, self._mixture_line : self._mixture_line + 2]
        rows, columns = len(stage.rows), len(stage.columns)
        return SolvedStage(value, tuple(ours[:rows].tolist()), tuple(theirs[:columns].tolist()))

    @property
    def _mixture_line(self) -> int:
        """The line of a frame with the first player's mixture."""
        return 3 * int(self.workspace.numbers[kernel.WIDE])

    def _run(self, position: Position, depth: int, whole: bool) -> float:
        assert isinstance(position, StagePosition)
        numbers, session = self.workspace.numbers, self.session
        numbers[kernel.HOPE] = bool(session.unknown)
        numbers[kernel.STOP] = numbers[kernel.CUT] = 0
        numbers[kernel.WHOLE] = whole
        numbers[kernel.LEAST_LEFT] = depth
        if session.limited:
            numbers[kernel.FILLED] = 0
            self.workspace.slots[:] = 0
        self.workspace.longs[0, kernel.STATE, : len(position.state)] = position.state
        if whole and len(self.workspace.keys):
            self._forget(depth)
        value = self._work(depth)
        self._read()
        if numbers[kernel.BEYOND]:
            raise self._stages_error(int(numbers[kernel.BEYOND]))
        return value

    def _stages_error(self, how: int) -> RulesError:
        """The error of integer stages that do not keep their declaration."""
        bounds = (self.session.low, self.session.high)
        low, high = map(self.session.arithmetic.payoff_of, bounds)
        said = self.start.beginning
        if how == kernel.OUT_OF_BOUNDS:
            trouble = f"a payoff is not between its bounds {low:g} and {high:g}"
        elif how == kernel.TOO_LONG:
            trouble = f"a play has more moves than longest={said.longest} of its stages"
        else:
            trouble = (
                f"a menu is empty, or has more options than widest={said.widest} of its stages"
            )
        return RulesError(f"{self.start.name}: {trouble}")

    def _forget(self, depth: int) -> None:
        """Remove the first frame's state from the table, so that its strategies are computed."""
        state = self.workspace.longs[0, kernel.STATE]
        entry = kernel.entry_of(self.workspace, state, depth, kernel.AT_ONCE)
        if entry >= 0:
            self.workspace.known[entry] = float("-inf"), float("inf")

    def _work(self, depth: int) -> float:
        """Run in a thread, and check the time meanwhile."""
        found: list[Any] = []

        def work() -> None:
            try:
                found.append(enter(self.search, *self.rules, self.workspace, depth))
            except Exception as error:
                found.append(error)

        before = threading.stack_size(STACK + FRAME * self.start.beginning.longest)
        try:
            worker = threading.Thread(target=work, daemon=True)
            worker.start()
        finally:
            threading.stack_size(before)
        try:
            worker.join(LOOK)
            while worker.is_alive():
                self._read()
                self.session.check_time()
                worker.join(LOOK)
        except BaseException:
            self.workspace.numbers[kernel.STOP] = 1
            worker.join()
            raise
        if isinstance(found[0], IndexError):
            raise RulesError(f"{self.start.name}: its stages index beyond a state or a menu")
        if isinstance(found[0], Exception):
            said = f"{type(found[0]).__name__}: {found[0]}"
            raise RulesError(f"{self.start.name}: its stages raised {said:.200}")
        return float(found[0])

    def _read(self) -> None:
        """Copy the counts so far to the session."""
        session, numbers = self.session, self.workspace.numbers.tolist()
        tally = session.arithmetic.tally
        session.counts.update(zip(kernel.COUNTS, numbers, strict=False))
        tally.matrices = numbers[kernel.MATRICES]
        tally.saddles = numbers[kernel.TALLY]
        tally.programs = numbers[kernel.TALLY + 1]
        tally.seconds = numbers[kernel.NANOSECONDS] * kernel.EVERY / 1e9
        tally.gap = float(self.workspace.scale[kernel.WORST])
        tally.widest = numbers[kernel.WIDEST]
        session.cut = bool(numbers[kernel.CUT])
        session.least_depth = numbers[kernel.LEAST_LEFT]


def measure(session: Session, unit: Fraction) -> tuple[int, int, int]:
    """Integers a, b and c: a payoff of p units is normalized to (a p + b) / c."""
    arithmetic = session.arithmetic
    assert isinstance(arithmetic, FloatNumbers)
    times, plus = unit / arithmetic.half, -arithmetic.middle / arithmetic.half
    parts = lcm(times.denominator, plus.denominator)
    found = int(times * parts), int(plus * parts), parts
    begins = session.source.stages.beginning if session.source.stages is not None else None
    most = 0 if begins is None else max(abs(begins.low), abs(begins.high))
    if abs(found[0]) * most + abs(found[1]) + parts >= WHOLE:
        raise ParameterError(
            f"{session.game.name}: payoffs within its bounds need more than 53 bits;"
            " compiled=False searches in Python"
        )
    return found


def _room_for(size: int) -> int:
    """The number of positions that fit into a quarter of the free memory."""
    free = memory.available()
    each = BYTES + 8 * (size + 1)
    return MOST_REMEMBERED if free is None else max(min(MOST_REMEMBERED, free // 4 // each), 1024)
