"""The first use: the command in a process of its own, with nothing compiled beforehand.

Numba keeps what it has compiled in a folder; each run gets an empty one. Bytecode of Python is left
where it is, since it comes with the installation.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from measure import duration, timed, verdict

HEADINGS = ["command", "seconds", "bar", ""]
BAR = 3.0


def first_rows(quick: bool) -> list[list[str]]:
    """What is solved at once, and what must wait for a compiler."""
    rows = []
    for arguments, bar in ((["kuhn"], BAR), (["kuhn", "ranks=13", "--method", "lcp"], None)):
        seconds = statistics.median(_cold(arguments) for _ in range(1 if quick else 5))
        kept = [f"{bar:g} s", verdict(seconds <= bar)] if bar else ["", ""]
        rows.append([" ".join(["infoset solve", *arguments]), duration(seconds), *kept])
    return rows


def _cold(arguments: list[str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "infoset", "solve", *arguments]
        place = os.environ | {"NUMBA_CACHE_DIR": folder}
        seconds, _ = timed(
            lambda: subprocess.run(command, check=True, env=place, stdout=subprocess.DEVNULL)
        )
    return seconds
