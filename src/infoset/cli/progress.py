"""Progress of long work, on the error stream of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log
from typing import TYPE_CHECKING

from infoset.text import brief, count_text

if TYPE_CHECKING:
    from infoset.solvers.convergence import Progress as RunProgress

LEVELS = "▁▂▃▄▅▆▇█"
WIDE = 12  # characters of the line that regret draws


@contextmanager
def progress(what: str) -> Iterator[Callable[[int], None] | None]:
    """A line that counts nodes, on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    began = time.perf_counter()
    words = escape(f"building {brief(what)}")
    with console.status(words) as status:

        def tick(nodes: int) -> None:
            speed = nodes / max(time.perf_counter() - began, 1e-9)
            status.update(f"{words}: {nodes:,} nodes ({speed:,.0f} a second)")

        yield tick


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
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(12), TextColumn("{task.fields[news]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, news=escape(brief(what)))

        def show(moment: RunProgress) -> None:
            total = None if moment.part is None else 1.0
            bar.update(task, total=total, completed=moment.part or 0.0, news=news(moment))

        def say(words: str) -> None:
            bar.update(task, news=escape(f"{brief(what)}: {brief(words)}"))

        yield show, say


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
