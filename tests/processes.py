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
    ends = time.monotonic() + at_most
    if not Path("/proc/self/stat").exists():  # only Linux tells
        time.sleep(2 * seconds)
        return
    while run.poll() is None and time.monotonic() < ends and computed(run) < seconds:
        time.sleep(0.05)


def computed(run: subprocess.Popen[Any]) -> float:
    """Seconds of processor time that a process has used; 0 where the system does not tell."""
    times = Path(f"/proc/{run.pid}/stat")
    if not times.exists():
        return 0.0
    fields = times.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
