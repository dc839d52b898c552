"""Ctrl-C, or the signal to terminate, as a request to stop with the result so far."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Take the first Ctrl-C as a request to stop with the result so far; the second interrupts.

    The same holds for SIGTERM. Outside the main thread, signals are left alone.

    Yields
    ------
    callable
        Was there a signal?
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
            # Python returns None for a handler in C, and does not accept None.
            signal.signal(each, signal.SIG_DFL if handler is None else handler)
