"""matplotlib as everything here uses it, whatever surrounds it.

Nothing depends on the user's settings: labels are never formulas, and never given to LaTeX. Nothing
of it is loaded before :func:`plain_matplotlib` is called.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from typing import Any

from infoset.errors import InfosetError


def plain_matplotlib() -> Any:
    """matplotlib, whatever surrounds it: without its chatter, and without asking for a backend.

    Where the user's settings ask for a backend that is none, it could not even be imported; here
    figures are only written, and need none.
    """
    with _quiet():
        try:
            return _imported()
        except ImportError:
            raise InfosetError(
                "pictures need matplotlib, which is not installed: pip install matplotlib"
            ) from None


def _imported() -> Any:
    try:
        import matplotlib
    except ValueError:  # the backend that the user's environment asks for
        for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
            del sys.modules[name]
        asked = os.environ.pop("MPLBACKEND", None)
        try:
            import matplotlib
        finally:
            if asked is not None:
                os.environ["MPLBACKEND"] = asked
    import matplotlib.backends.backend_agg
    import matplotlib.figure

    return matplotlib


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without what matplotlib has to say about folders that it cannot write to."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextlib.contextmanager
def own_settings(**settings: Any) -> Iterator[None]:
    """Matplotlib with these settings and its defaults, whatever the user's own are."""
    matplotlib = plain_matplotlib()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"text.parse_math": False, "text.usetex": False, **settings})
        yield
