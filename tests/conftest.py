"""What all tests share: none fails for being slow, and with CI=1 random examples are the same.

Examples that differ from run to run find more; a change that is being checked should not fail for a
game that nobody has seen before.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("exploring", deadline=None)
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable" if os.environ.get("CI") else "exploring")
