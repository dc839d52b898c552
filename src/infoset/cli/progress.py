"""Progress of long work, on the error stream of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from infoset.text import brief


@contextmanager
def progress(what: str) -> Iterator[Callable[[int], None] | None]:
    """A line that counts nodes, where someone is watching; None elsewhere."""
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
    """A line that says how far some work is, where someone is watching; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape

    words = brief(what)
    with Console(stderr=True).status(escape(words)) as line:
        yield lambda news: line.update(escape(f"{words}: {brief(news)}"))
