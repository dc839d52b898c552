"""Errors met while rules run, with the game, the play and the line of the rules added."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from infoset.errors import Endless, InfosetError, RulesError, TooLarge, nearest
from infoset.rules.patience import OutOfPatience
from infoset.rules.play import Play

_PACKAGE = Path(__file__).parent.parent
_ENGINE = tuple(str(_PACKAGE / part) + os.sep for part in ("rules", "tree", "solve", "cli"))


@contextmanager
def blamed(
    game: str, story: Callable[[], str], seconds: float = 0, *, late: bool = False
) -> Iterator[None]:
    """Turn whatever the rules raise into one line that says where it happened.

    ``late`` says that the rules were given stand-ins for what was dealt.
    """
    try:
        yield
    except TooLarge as error:
        raise TooLarge(f"{game}: {error}") from error
    except InfosetError as error:
        message = f"{game}: {error} ({story()}{_place(error)})"
        known = type(error).__module__ == InfosetError.__module__
        raise (type(error) if known else RulesError)(message) from error
    except OutOfPatience as error:
        raise Endless(
            f"{game}: a run of the rules has computed for {seconds:g} s without asking for a move"
            f" or ending ({story()}{_place(error)}); if they need that long, raise patience"
            " (--patience)"
        ) from None
    except MemoryError as error:
        raise TooLarge(f"{game}: out of memory ({story()})") from error
    except RecursionError as error:
        raise Endless(f"{game}: the rules call themselves without an end{_place(error)}") from None
    except (Exception, SystemExit) as error:
        raise RulesError(f"{game}: {_said(error, late)} ({story()}{_place(error)})") from error


def _said(error: BaseException, late: bool) -> str:
    # Not by a __getattr__ of Play, which would make every word of the language slow.
    if isinstance(error, AttributeError) and isinstance(error.obj, Play):
        words = [word for word in dir(Play) if not word.startswith("_")]
        return f"g has no {error.name!r}; {nearest(error.name, words)}"
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, TypeError) and "Standin" in str(error):
        return (
            f"the rules hand a stand-in for what was dealt to C code ({said}); let g.map(f, ...)"
            " call it, or leave out late=True"
        )
    if isinstance(error, TypeError) and late:
        return f"the rules raised {said}; if that is about what was dealt, let g.map(f, ...) do it"
    return f"the rules raised {said}"


def _place(error: BaseException) -> str:
    """The innermost line of the rules' own file, which is the first one outside this package."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if not frame.filename.startswith(_ENGINE)]
    if not outside:
        return ""
    last = [frame for frame in outside if frame.filename == outside[0].filename][-1]
    return f", at {Path(last.filename).name}:{last.lineno}"
