"""What all tests share: none fails for being slow, and with CI=1 random examples are the same.

Examples that differ from run to run find more; a change that is being checked should not fail for a
game that nobody has seen before.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator

import pytest
from hypothesis import settings

settings.register_profile("exploring", deadline=None)
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable" if os.environ.get("CI") else "exploring")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Hardly anything that is collected becomes garbage: to look for it takes a fourth of the time.

    What is there at the end stays until the end, and is not looked at again.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
