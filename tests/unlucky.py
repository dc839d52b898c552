"""Work whose process dies once, in the middle of it; for tests of whoever shares work out."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from infoset.play import Seated


def die_once(mark: Path) -> None:
    """Kill this process, as the system does when memory runs out; but only the first that comes."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return
    mark.write_text(str(os.getpid()))
    os.kill(os.getpid(), signal.SIGKILL)


class Unlucky(Seated):
    """Takes the last option; the process in which it is asked for the fifth time dies."""

    def __init__(self, mark: Path | None = None) -> None:
        self.mark = mark
        self.asked = 0

    def decide(self, view: Any, options: Sequence[Any]) -> Any:
        self.asked += 1
        if self.mark is not None and self.asked == 5:
            die_once(self.mark)
        return options[-1]
