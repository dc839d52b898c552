"""Ctrl-C, or the signal to terminate, as a wish to stop with what is known."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Take the first Ctrl-C as a wish to stop with what is known, the second as it is.

    So is the signal by which a machine asks a process to end, before it makes it.
    """
    pressed = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: pressed
    finally:
        for each, handler in before.items():
            # Of a handler in another language Python says None, and does not take None back.
            signal.signal(each, signal.SIG_DFL if handler is None else handler)
