"""The clock: until when a computation has to be done, known to all that it calls.

A method that can stop with what it has looks at its own limit (``Options.over``). What has nothing
to show before it is finished, such as matrices that are laid out or numbers of a thousand digits
that are multiplied, looks here: :func:`look` raises :class:`~infoset.errors.OutOfTime` once the
limit of the computation that called it is past. The limit belongs to a context, so that nothing has
to be passed down; without one, nothing happens.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

from infoset.errors import OutOfTime

PIECE = 512  # numbers of any length that are computed between two looks

_latest: ContextVar[float] = ContextVar("latest", default=inf)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Let what is called from here take so many seconds from now; an earlier limit stays.

    Parameters
    ----------
    seconds
        ``inf`` for no limit of its own.

    Examples
    --------
    >>> with limited(0):
    ...     look()
    Traceback (most recent call last):
    ...
    infoset.errors.OutOfTime: out of time
    """
    token = _latest.set(min(_latest.get(), time.perf_counter() + seconds))
    try:
        yield
    finally:
        _latest.reset(token)


@contextmanager
def extended(seconds: float) -> Iterator[None]:
    """Where there is a limit, set it to so many seconds from now: to finish what was begun.

    Examples
    --------
    >>> with limited(0), extended(60):
    ...     look()
    """
    allowed = time.perf_counter() + seconds if _latest.get() < inf else inf
    token = _latest.set(allowed)
    try:
        yield
    finally:
        _latest.reset(token)


def look() -> None:
    """Go on if there is time left.

    Raises
    ------
    OutOfTime
        If there is none.

    Examples
    --------
    >>> look()
    """
    if time.perf_counter() > _latest.get():
        raise OutOfTime("out of time")


def seconds_left() -> float:
    """Seconds until the limit; ``inf`` without one, and below 0 when it is past.

    Examples
    --------
    >>> seconds_left()
    inf
    """
    return _latest.get() - time.perf_counter()


def pieces(size: int, piece: int = PIECE) -> Iterator[slice]:
    """Slices of a long row, one after the other, with a look at the clock before each.

    Examples
    --------
    >>> list(pieces(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    for begin in range(0, size, piece):
        look()
        yield slice(begin, min(begin + piece, size))
