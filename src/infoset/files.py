"""Reading text files, and writing files atomically.

Writing goes to a new file in the same folder, which then replaces the old one in one step. Readers
see the old file or the new one, never half of it; a full disk leaves the old one. Where the system
has files without a name (Linux), the new one has none until it is complete, so that even a killed
process leaves nothing behind.

Reading expects UTF-8, with or without a byte order mark; the error for another encoding names it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from infoset.errors import FileError, ParameterError
from infoset.text import printable

HEAD = 4096  # bytes by which a binary file is known
BLOCK = 1 << 16  # characters gathered before they are written
CONTROL = bytes(range(9)) + bytes(range(14, 32))  # in no text that anyone types


def as_path(given: object) -> Path:
    """The name of a file as a path.

    >>> as_path(3)
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: a file is named by a text or a path, not by int 3
    """
    if isinstance(given, str | os.PathLike):
        return Path(given)
    raise ParameterError(
        f"a file is named by a text or a path, not by {type(given).__name__} {given!r:.60}"
    )


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a text file.

    Parameters
    ----------
    path
        A regular file in UTF-8.

    Returns
    -------
    str
        Its text, without a byte order mark.

    Raises
    ------
    FileError
        If it cannot be read, is binary, or has another encoding.
    """
    name = file_name(path)
    with system_errors(name, "read"):
        refuse_special(name, path)
        with open(path, "rb") as file:
            data = file.read(HEAD)
            _refuse_binary(name, data)
            data += file.read()
    _refuse_binary(name, data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise FileError(f"{name}:{_not_utf8(data, problem.start)}") from None


def _refuse_binary(name: str, data: bytes) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError(f"{name}: this is UTF-16 text; save it as UTF-8")
    if (at := data.find(b"\0")) >= 0:
        raise FileError(f"{name}: byte {at + 1:,} is 0; this is a binary file, not text")


def _not_utf8(data: bytes, at: int) -> str:
    before = data[:at]
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8-sig", "replace")) + 1
    found = f"{line}:{column}: byte 0x{data[at]:02x} is not UTF-8"
    if any(byte in CONTROL for byte in data[max(0, at - HEAD) : at + HEAD]):
        return f"{found}; this is a binary file, not text"
    return f"{found}; this seems to be Latin-1 text, save it as UTF-8"


def write_lines(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write a text file atomically.

    Parameters
    ----------
    path
        The file; its folder must exist.
    lines
        Pieces of text, each with its own line breaks.

    Raises
    ------
    FileError
        If it cannot be written; what was there before stays.
    """
    write_bytes(path, (block.encode() for block in _blocks(lines)))


def write_bytes(
    path: str | os.PathLike[str], blocks: Iterable[bytes] | Iterable[bytes | memoryview]
) -> None:
    """Write a file atomically.

    Parameters
    ----------
    path
        The file; its folder must exist.
    blocks
        Its contents, piece by piece.

    Raises
    ------
    FileError
        If it cannot be written; what was there before stays.
    """
    name = file_name(path)
    with system_errors(name, "written"):
        target = Path(os.path.realpath(path))  # what a link points to is replaced, not the link
        if old := target.exists():
            refuse_special(name, target)
        with contextlib.ExitStack() as cleanup:
            file, draft = _new_file(target, cleanup)
            for block in blocks:
                file.write(block)
            file.flush()
            os.fsync(file.fileno())
            draft = draft or _with_name(file, target, cleanup)
            file.close()
            if old:
                shutil.copymode(target, draft)
            os.replace(draft, target)
        _keep(target.parent)


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    gathered: list[str] = []
    size = 0
    for line in lines:
        gathered.append(line)
        size += len(line)
        if size >= BLOCK:
            yield "".join(gathered)
            gathered, size = [], 0
    yield "".join(gathered)


def _new_file(target: Path, cleanup: contextlib.ExitStack) -> tuple[BinaryIO, Path | None]:
    """A new file: without a name where the system has such files, else with a temporary one."""
    nameless = getattr(os, "O_TMPFILE", None)
    if nameless is not None:
        with contextlib.suppress(OSError):  # not every file system can
            number = os.open(target.parent, nameless | os.O_RDWR, 0o666)
            return cleanup.enter_context(os.fdopen(number, "w+b")), None
    draft = _draft(target, cleanup)
    number = os.open(
        draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666
    )
    return cleanup.enter_context(os.fdopen(number, "wb")), draft


def _draft(target: Path, cleanup: contextlib.ExitStack) -> Path:
    """A temporary name beside the target; removed at clean-up if it is still there."""
    draft = target.parent / f".infoset-{secrets.token_hex(8)}.tmp"
    cleanup.callback(draft.unlink, missing_ok=True)
    return draft


def _with_name(file: BinaryIO, target: Path, cleanup: contextlib.ExitStack) -> Path:
    """Give a complete file without a name a temporary one, before it replaces the target."""
    draft = _draft(target, cleanup)
    number = file.fileno()
    try:
        # src_dir_fd does nothing with a full path but make Python follow the link to the file.
        os.link(f"/proc/self/fd/{number}", draft, src_dir_fd=number, follow_symlinks=True)
    except OSError:  # no /proc here
        file.seek(0)
        with open(draft, "xb") as copy:
            shutil.copyfileobj(file, copy)
            copy.flush()
            os.fsync(copy.fileno())
    return draft


def _keep(folder: Path) -> None:
    """Flush the folder's entry to the disk, where the system can."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def file_name(path: str | os.PathLike[str]) -> str:
    """A path for messages; refuses what cannot be the name of a file."""
    plain = os.fspath(path)
    try:
        possible = b"\0" not in os.fsencode(plain)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise FileError(f"{printable(plain)}: this cannot be the name of a file")
    return printable(plain)


def refuse_special(name: str, path: str | os.PathLike[str]) -> None:
    """Refuse what is not a regular file: a folder, or a pipe that would block."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise FileError(f"{name}: this is {kind}; name a file")


@contextlib.contextmanager
def system_errors(name: str, done: str) -> Iterator[None]:
    """Turn errors of the system into one line; ``done`` is "read" or "written"."""
    try:
        yield
    except FileNotFoundError:
        what = "there is no such file" if done == "read" else "there is no such folder"
        raise FileError(f"{name}: {what}") from None
    except PermissionError:
        raise FileError(f"{name}: permission denied; it cannot be {done}") from None
    except MemoryError:
        raise FileError(f"{name}: too large for the memory") from None
    except OSError as problem:
        raise FileError(f"{name}: it cannot be {done}: {problem.strerror}") from None
