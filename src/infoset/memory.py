"""Available memory, so that a build can stop before the machine runs out."""

from __future__ import annotations

import os

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
