"""Available memory, so that a build can stop before the machine runs out; and what if it does."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os.path import join

from infoset.errors import InfosetError, TooLarge

KEEP_FREE = 400 * 2**20  # bytes that a build leaves free


def available(root: str | os.PathLike[str] = "/") -> int | None:
    """Bytes of memory that are available: to the machine, or within the limit of a container.

    Parameters
    ----------
    root : path
        Below which ``proc`` and ``sys`` are.

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
    top = os.fspath(root)
    rooms = [_of_machine(top), *_of_containers(top)]
    return min((room for room in rooms if room is not None), default=None)


def _of_machine(root: str) -> int | None:
    free = _entry(join(root, "proc/meminfo"), "MemAvailable:")
    if free is not None:
        return free * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


# By version of control groups: the folder of the memory controller, and the names of the limit, of
# what is used, and of the part of it in memory.stat that the kernel gives up first.
_CONTROLLERS = {
    2: ("", "memory.max", "memory.current", "inactive_file"),
    1: ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}


def _of_containers(root: str) -> Iterator[int | None]:
    """What is left below the limit of each control group that this process is in.

    A group lies within those above it, whose limits hold, too. A container may see its own group
    as the topmost one, whatever the path that it is told.
    """
    for line in _lines(join(root, "proc/self/cgroup")):
        number, controllers, path = (*line.strip().split(":", 2), "", "")[:3]
        version = 2 if number == "0" and not controllers else 1
        if version == 1 and "memory" not in controllers.split(","):
            continue
        folder, limit, used, idle = _CONTROLLERS[version]
        group = [name for name in path.split("/") if name]
        for depth in range(len(group), -1, -1):
            at = join(root, "sys/fs/cgroup", folder, *group[:depth])
            most, taken = _entry(join(at, limit)), _entry(join(at, used))
            if most is not None and taken is not None:
                yield max(most - taken + (_entry(join(at, "memory.stat"), idle) or 0), 0)


def _entry(file: str, name: str = "") -> int | None:
    """The number behind a name in a file, or its only one; None where there is none, or "max"."""
    for line in _lines(file):
        words = line.split()
        if words and (not name or words[0] == name):
            word = words[1 if name and len(words) > 1 else 0]
            return int(word) if word.isdecimal() else None
    return None


def _lines(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read().splitlines()
    except OSError:
        return []


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


@contextmanager
def young_collections() -> Iterator[None]:
    """Leave full collections of garbage for later: each may take longer than a short move.

    With compiled kernels loaded, or millions of objects that a player keeps, it takes long,
    whatever there is to collect. What a search discards is young, and is collected all the same.
    """
    before = gc.get_threshold()
    gc.set_threshold(before[0], before[1], 1_000_000_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
