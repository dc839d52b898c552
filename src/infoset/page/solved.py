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
from infoset.play.automatic import MOST_NODES, PATIENCE, Attempt
from infoset.solvers import solve
from infoset.tree import Tree
from infoset.tree.source import source

TINY = 2000  # nodes of a tree that is solved at once
MOST_SECONDS = 3 * PATIENCE  # for building and solving; then the process is ended
KEPT = 6  # games
TOO_LARGE = "it is too large to be solved"


class BoundedOpener(NamedTuple):
    """Opens a game as its tree, if that is not too large."""

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
        """The tree of the game with these parameters."""
        return source(self.opener.open(parameters)).tree(MOST_NODES)


class Solutions:
    """Solutions of the games that are played, found once for each."""

    def __init__(self, opener: Opener) -> None:
        """Nothing is solved yet."""
        self._opener = BoundedOpener(opener)
        self._kept: OrderedDict[int, tuple[OpenGame, Attempt]] = OrderedDict()
        self._lock = threading.Lock()
        self._process: SolvingProcess | None = None

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
        if self._process is None or not self._process.alive:
            self._process = SolvingProcess()
        late = threading.Timer(MOST_SECONDS, self._process.close)
        late.daemon = True
        late.start()
        try:
            return Attempt(self._process.solve(self._request(parameters), lambda _: None))
        except InfosetError as problem:
            large = not late.is_alive() or "more than" in str(problem)  # nodes than it may have
            return Attempt(None, TOO_LARGE if large else str(problem))
        finally:
            late.cancel()

    def _request(self, parameters: tuple[str, ...]) -> Request:
        return Request(self._opener, parameters, None, PATIENCE)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.close()
