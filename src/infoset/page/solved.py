"""Solutions for tables: by whom a seat is played automatically, and what reviews compare with.

A solver may hold Python's interpreter for seconds, and meanwhile no page would be answered. So a
game whose tree is not tiny is solved in a process of its own, beside the one that serves
:mod:`infoset.page.jobs`: a person who waits at a table does not queue behind a solution that takes
an hour. The limits are those of :mod:`infoset.play.automatic`.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from infoset.errors import InfosetError, TooLarge
from infoset.page.opened import Opener, OpenGame
from infoset.page.worker import Request, SolvingProcess
from infoset.play.automatic import NEAR, PATIENCE, TOO_LARGE, Attempt, judged, solvable
from infoset.solvers import solve
from infoset.tree import Tree

TINY = 2000  # nodes of a tree that is solved at once
MOST_SECONDS = 3 * PATIENCE  # for building and solving; then the process is ended
KEPT = 3  # games: a solution on a public form may take 100 MiB


class BoundedOpener(NamedTuple):
    """Opens a game as its tree, or its public form, if that is not too large."""

    opener: Opener

    @property
    def name(self) -> str:
        """What was asked for."""
        return self.opener.name

    @property
    def file(self) -> Path | None:
        """The file of the rules, if there is one."""
        return self.opener.file

    def open(self, parameters: Sequence[str]) -> Any:
        """What the game with these parameters is solved on."""
        return solvable(self.opener.open(parameters))


class Solutions:
    """Solutions of the games that are played, found once for each."""

    def __init__(self, opener: Opener) -> None:
        """Nothing is solved yet."""
        self._opener = BoundedOpener(opener)
        self._kept: OrderedDict[int, tuple[OpenGame, Attempt]] = OrderedDict()
        self._lock = threading.Lock()
        self._process: SolvingProcess | None = None
        self._starting = threading.Lock()
        self._closed = False

    def of(self, opened: OpenGame, parameters: tuple[str, ...]) -> Attempt:
        """A solution of a game, if it can be had in seconds; else why not. Whoever asks waits."""
        with self._lock:
            if id(opened) not in self._kept:
                self._kept[id(opened)] = opened, self._attempt(opened, parameters)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(id(opened))
            return self._kept[id(opened)][1]

    def _attempt(self, opened: OpenGame, parameters: tuple[str, ...]) -> Attempt:
        try:
            if not isinstance(opened.game, Tree) or len(opened.game) <= TINY:
                return Attempt(solve(opened.source.tree(TINY), seconds=PATIENCE))
        except TooLarge:
            pass
        except InfosetError as problem:
            return Attempt(None, str(problem))
        with self._starting:
            if self._closed:
                return Attempt(None, "the server is being stopped")
            if self._process is None or not self._process.alive:
                self._process = SolvingProcess()
        request = Request(self._opener, parameters, None, PATIENCE, NEAR)
        try:
            return judged(self._process.solve(request, lambda _: None, MOST_SECONDS))
        except InfosetError as problem:
            said = str(problem)
            large = TOO_LARGE in said or "more than" in said  # nodes or seconds than it may have
            return Attempt(None, TOO_LARGE if large else said)

    def close(self) -> None:
        """End the process."""
        with self._starting:
            self._closed = True
            if self._process is not None:
                self._process.close()
