"""Files that commands write: checked before the work, written before the answer is printed.

Whether a file can be written is checked before anything is solved, by writing a little beside it:
an answer that took hours should not be lost because a folder is read-only. Files are written before
the answer is printed, so that they exist even if nobody reads it to its end.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from infoset.errors import FileError, InfosetError, ParameterError
from infoset.files import file_name, refuse_special, system_errors
from infoset.text import printable

PLOTS = (".png", ".svg", ".pdf")
DRAWINGS = (".svg", ".png", ".pdf", ".tex")
TABLES = (".csv", ".tex", ".html", ".json", ".txt")


def check_target(path: Path, formats: Sequence[str] = ()) -> None:
    """Refuse a file that could not be written, before there is anything to write.

    What is there already stays as it is, and nothing new is left behind.

    >>> check_target(Path("a.doc"), PLOTS)
    Traceback (most recent call last):
    ...
    infoset.errors.FileError: a.doc: the name must end in .png, .svg or .pdf
    """
    name = file_name(path)
    if formats and path.suffix.lower() not in formats:
        *most, last = formats
        listed = f"{', '.join(most)} or {last}" if most else last
        raise FileError(f"{name}: the name must end in {listed}")
    with system_errors(name, "written"):
        target = Path(os.path.realpath(path))  # a link stays, and what it points to is replaced
        if target.is_dir():
            raise FileError(f"{name}: this is a folder; name a file")
        if not target.parent.is_dir():
            raise FileError(f"{name}: there is no folder {printable(str(path.parent))}")
        if target.exists():
            refuse_special(name, target)
        try:
            with tempfile.TemporaryFile(dir=target.parent) as probe:
                probe.write(b"?")  # which a disk that is full has no room for
                probe.flush()
        except FileNotFoundError:  # as /proc has it, whose folders are there
            raise FileError(f"{name}: it cannot be written there; name another folder") from None


def write_all(
    *work: tuple[str, Path | None, Callable[[Path], object]],
) -> tuple[str, InfosetError | None]:
    """Write the files that were requested; what was written, in words, and the first failure.

    One that fails does not keep the others from being written, nor the answer from being shown.
    """
    written: list[str] = []
    problem: InfosetError | None = None
    for what, file, write in work:
        if file is None:
            continue
        try:
            write(file)
        except InfosetError as error:
            problem = problem or error
        else:
            written.append(f"{what} to {printable(str(file))}")
    return f"written: {', '.join(written)}" if written else "", problem


def spare(written: Iterable[Path], read: Iterable[Path | None]) -> None:
    """Refuse to write over a file that is read, and two things into one file."""
    places = {os.path.realpath(file) for file in read if file is not None}
    taken: set[str] = set()
    for file in written:
        place = os.path.realpath(file)  # unlike Path.resolve, it does not mind links in a circle
        if place in places:
            raise ParameterError(
                f"{printable(str(file))}: it is an input of this command, and would be overwritten"
            )
        if place in taken:
            name = printable(str(file))
            raise ParameterError(f"{name}: two things cannot be written to one file")
        taken.add(place)
