"""Available memory, so that a build can stop before the machine runs out; and what if it does."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from infoset.errors import InfosetError, TooLarge

KEEP_FREE = 400 * 2**20  # bytes that a build leaves free
_MEMINFO = "/proc/meminfo"


def available() -> int | None:
    """Bytes of memory that are available.

    Returns
    -------
    int or None
        None where the system does not tell.

    Examples
    --------
    >>> room = available()
    >>> room is None or room > 0
    True
    """
    try:
        with open(_MEMINFO, encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


ASKED = re.compile(r"[0-9][0-9.,]* ?[KMGTPE]?i?B|shape \([0-9, ]*\)")  # in numpy's messages
OVERFLOWS = ("array is too big", "too large to convert", "Maximum allowed dimension")


@contextmanager
def refused_beyond(what: Callable[[], str], instead: str) -> Iterator[None]:
    """Turn errors of numpy, scipy or HiGHS about size into :class:`~infoset.errors.TooLarge`.

    Parameters
    ----------
    what
        Says what was to be computed, and how large the game is; called only then.
    instead
        What to do about it.

    Raises
    ------
    TooLarge
        With the size that was asked for, where the error tells it.

    Examples
    --------
    >>> import numpy
    >>> with refused_beyond(lambda: "lp on a large game", "take a smaller one"):
    ...     numpy.zeros((10**8, 10**8))
    Traceback (most recent call last):
    ...
    infoset.errors.TooLarge: lp on a large game needs more memory than there is (71.1 PiB,
    shape (100000000, 100000000)); take a smaller one
    """
    try:
        yield
    except InfosetError:
        raise
    except (MemoryError, OverflowError, ValueError) as error:
        said = str(error)
        if isinstance(error, ValueError) and not any(word in said for word in OVERFLOWS):
            raise
        asked = ", ".join(ASKED.findall(said))
        size = f" ({asked})" if asked else ""
        raise TooLarge(f"{what()} needs more memory than there is{size}; {instead}") from None
