"""Progress of long work, on the error stream of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import log
from typing import TYPE_CHECKING

from infoset.rules.estimate import TreeSize, rounded
from infoset.text import brief, count_text

if TYPE_CHECKING:
    from infoset.solvers.convergence import Progress as RunProgress

LEVELS = "▁▂▃▄▅▆▇█"
WIDE = 12  # characters of the line that regret draws


@dataclass
class Building:
    """The progress of a build, as a bar: how many nodes of how many, and how long it will take."""

    words: str
    show: Callable[..., None]
    began: float = field(default_factory=time.perf_counter)
    expected: float | None = None

    def expect(self, size: TreeSize) -> None:
        """From now on the tree is known to have about so many nodes."""
        self.expected = size.nodes.estimate if size.whole else None
        if self.expected is not None:
            self._say(f"about {rounded(self.expected)} nodes", total=self.expected)

    def tick(self, nodes: int) -> None:
        """So many nodes are built."""
        seconds = max(time.perf_counter() - self.began, 1e-9)
        told = built(nodes, seconds, self.expected)
        self._say(told, total=self.expected, completed=nodes)

    def _say(self, told: str, **shown: float | None) -> None:
        """Numbers first: of a long name a terminal may have no room for the end."""
        self.show(news=f"{told}: {self.words}", **shown)


def built(nodes: int, seconds: float, expected: float | None) -> str:
    """How far a build is, and how long it will probably take.

    >>> built(120_000, 2.0, None)
    '120,000 nodes (60,000 a second)'
    >>> built(120_000, 2.0, 6e6)
    '120,000 of about 6,000,000 nodes, 98 s left'
    """
    speed = nodes / seconds
    if expected is None or expected <= nodes:
        return f"{nodes:,} nodes ({speed:,.0f} a second)"
    left = (expected - nodes) / speed
    clock = f"{left:.0f} s" if left < 100 else f"{left / 60:,.0f} min"
    return f"{nodes:,} of about {rounded(expected)} nodes, {clock} left"


@contextmanager
def progress(what: str) -> Iterator[Building | None]:
    """A bar for the nodes of a tree that is built, on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.markup import escape

    words = f"building {brief(what)}"
    with _bar(words) as update:
        yield Building(escape(words), update)


@contextmanager
def status(what: str) -> Iterator[Callable[[str], None] | None]:
    """A line that says how far some work is, on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape

    words = brief(what)
    with Console(stderr=True).status(escape(words)) as line:
        yield lambda news: line.update(escape(f"{words}: {brief(news)}"))


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int, str], None] | None]:
    """A bar for so many of so many, with words, on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.markup import escape

    with _bar(brief(what)) as update:

        def show(done: int, whole: int, words: str) -> None:
            said = f"{brief(what)}: {done:,} of {whole:,}, {brief(words)}"
            update(total=whole, completed=done, news=escape(said))

        yield show


@contextmanager
def watching(what: str) -> Iterator[Callable[[RunProgress], None] | None]:
    """A bar with the regret and its convergence, on a terminal; None elsewhere."""
    with telling(what) as (watch, _):
        yield watch


@contextmanager
def telling(
    what: str,
) -> Iterator[tuple[Callable[[RunProgress], None] | None, Callable[[str], None] | None]]:
    """One bar for both kinds of work: a run that reports progress, a program that has words."""
    if not sys.stderr.isatty():
        yield None, None
        return
    from rich.markup import escape

    with _bar(brief(what)) as update:

        def show(moment: RunProgress) -> None:
            total = None if moment.part is None else 1.0
            update(total=total, completed=moment.part or 0.0, news=news(moment))

        def say(words: str) -> None:
            update(news=escape(f"{brief(what)}: {brief(words)}"))

        yield show, say


@contextmanager
def _bar(words: str) -> Iterator[Callable[..., None]]:
    """A bar with words beside it, updated by ``total=``, ``completed=`` and ``news=``."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(12), TextColumn("{task.fields[news]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, news=escape(words))
        yield partial(bar.update, task)


def news(moment: RunProgress) -> str:
    """The progress of a run in a line: regret against time as a sparkline.

    >>> from infoset.solvers.convergence import Point
    >>> from infoset.solvers.convergence import Progress as RunProgress
    >>> points = tuple(Point(t, t, 1 / (t * t)) for t in range(1, 13))
    >>> news(RunProgress(12, 12.0, points, 0.5, 0.001))
    '█▆▅▄▃▃▃▂▂▂▁▁ regret 0.0069 (to 0.001), 12 iterations, 12 s'
    """
    line = falling([point.regret for point in moment.points])
    regret = f"regret {moment.points[-1].regret:.2g}" if moment.points else "regret not known yet"
    goal = f" (to {moment.goal:.1g})" if moment.goal else ""
    clock = f"{moment.seconds:.0f} s" if moment.seconds >= 10 else f"{moment.seconds:.1f} s"
    return f"{line} {regret}{goal}, {count_text(moment.iterations, 'iteration')}, {clock}"


def falling(amounts: list[float]) -> str:
    """Amounts as a line of blocks, on a logarithmic scale; the last ones if there are many."""
    shown = [amount for amount in amounts if amount > 0][-WIDE:]
    if not shown:
        return ""
    low, high = log(min(shown)), log(max(shown))
    steps = len(LEVELS) - 1
    return "".join(
        LEVELS[round((log(amount) - low) / (high - low) * steps) if high > low else 0]
        for amount in shown
    )
