"""How much memory is left, so that a build can stop before the machine does."""

from __future__ import annotations

import os

KEEP_FREE = 400 * 2**20  # bytes that a build leaves to everyone else
_MEMINFO = "/proc/meminfo"


def available() -> int | None:
    """Bytes that could still be used, or None where the system does not say.

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
