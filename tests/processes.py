"""Processes that tests start and interrupt: wait for work, not for the clock of a busy machine."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any


def until_it_has_computed(
    run: subprocess.Popen[Any], seconds: float, *, at_most: float = 120.0
) -> None:
    """Wait until a process has used so many seconds of processor time, or has ended."""
    times = Path(f"/proc/{run.pid}/stat")
    ends = time.monotonic() + at_most
    if not times.exists():  # only Linux tells
        time.sleep(2 * seconds)
        return
    ticks = os.sysconf("SC_CLK_TCK")
    while run.poll() is None and time.monotonic() < ends:
        fields = times.read_text().rpartition(")")[2].split()
        if (int(fields[11]) + int(fields[12])) / ticks >= seconds:
            return
        time.sleep(0.05)
