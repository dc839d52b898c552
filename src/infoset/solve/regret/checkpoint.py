"""Checkpoints: the state of a long run in a file that is whole, or found out not to be.

A checkpoint has facts (whatever JSON can say) and named arrays of numbers. There is no code in it,
and nothing of it is handed out before its last byte was read and its checksum fits. In the file:

    infoset checkpoint 1            and the end of the line
    length of the header, length of the file        8 bytes each, the lowest first
    the header                      JSON: facts; name, dtype, shape and offset of each array
    the arrays                      raw, little-endian, by rows, each from a multiple of 64
    the checksum                    SHA-256 of all that is before it, 32 bytes

Offsets count from where the arrays begin, the first multiple of 64 after the header; what lies
between is zeros. There is one place for every array, so that a header can only say where they are
as it must be: arrays neither overlap nor reach beyond the file, and no more memory is taken than
the file is long.

Files are replaced in one step (:mod:`infoset.tree.files.atomic`): a process that is killed, or a
disk that is full, leaves the checkpoint from before. The checksum is computed while the disk works,
and arrays are written from where they are: a checkpoint costs little more than its bytes cost.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from infoset.errors import FileError
from infoset.rules.story import brief
from infoset.solve.regret.checkpoint_header import (
    DIGEST,
    HEADER,
    LENGTHS,
    MAGIC,
    START,
    VERSION,
    Arrays,
    Damaged,
    Place,
    aligned,
    made,
    understood,
)
from infoset.tree.files.atomic import file_name, refuse_special, told, write_bytes

Path = str | os.PathLike[str]
Block = bytes | memoryview
Array = np.ndarray[Any, Any]

BLOCK = 1 << 22  # bytes that are read or written, and summed, at once
AGAIN = "go back to an older copy, or begin again"


def write_checkpoint(path: Path, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Write facts and arrays to a file, or leave what was there as it was.

    Facts are what JSON can say, infinities included; tuples come back as lists. Arrays are of
    truths, whole numbers or floats of 4 or 8 bytes. They must not change while they are written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = f"{folder}/run.checkpoint"
    ...     write_checkpoint(path, {"iterations": 7}, {"regrets": np.array([[0.5, -1.0]])})
    ...     read_checkpoint(path)
    ({'iterations': 7}, {'regrets': array([[ 0.5, -1. ]])})
    """
    header, size = made(facts, arrays)
    with contextlib.closing(_summed(_blocks(header, size, arrays))) as blocks:
        write_bytes(path, blocks)


def read_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The facts and arrays of a checkpoint, if all of it is as it was written.

    The arrays are the caller's own: new, writable, each with its own memory.
    """
    name = file_name(path)
    with told(name, "read"):
        refuse_special(name, path)
        with open(path, "rb") as file, ThreadPoolExecutor(1) as thread:
            try:
                return _read(_Reader(file, thread))
            except Damaged as problem:
                raise FileError(f"{name}: damaged: {problem}; {AGAIN}") from None
            except FileError as problem:
                raise FileError(f"{name}: {problem}") from None


def checkpoint_size(facts: Mapping[str, Any], arrays: Arrays) -> int:
    """The bytes that a checkpoint takes, before anything is written.

    >>> checkpoint_size({"iterations": 7}, {"regrets": np.zeros(1000)})
    8224
    """
    return made(facts, arrays)[1]


def check_room(path: Path, size: int) -> None:
    """Refuse if the disk has no room for a new checkpoint beside the old one.

    The old one is there until the new one is complete, so its own bytes do not count.
    """
    name = file_name(path)
    with told(name, "written"):
        free = shutil.disk_usage(os.path.dirname(os.path.realpath(path))).free
        if size > free:
            raise FileError(
                f"{name}: a checkpoint needs {size:,} bytes, and the disk has {free:,} left; make"
                " room, or name a file on another disk"
            )


# ---------------------------------------------------------------------- writing


def _blocks(header: bytes, size: int, arrays: Arrays) -> Iterator[Block]:
    """All bytes of a checkpoint but its checksum."""
    yield MAGIC + VERSION + b"\n" + LENGTHS.pack(len(header), size)
    yield header
    yield b"\0" * (aligned(START + len(header)) - START - len(header))
    end = 0
    for array in arrays.values():
        yield b"\0" * (aligned(end) - end)
        plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        yield from _pieces(plain)
        end = aligned(end) + plain.nbytes


def _pieces(array: Array) -> Iterator[memoryview]:
    """The memory of an array, a block at a time."""
    memory = array.reshape(-1).view(np.uint8).data
    for start in range(0, len(memory), BLOCK):
        yield memory[start : start + BLOCK]


def _summed(blocks: Iterable[Block]) -> Generator[Block, None, None]:
    """The blocks, each summed while it is written, and then their checksum."""
    with ThreadPoolExecutor(1) as thread:
        checksum = _Checksum(thread)
        for block in blocks:
            checksum.add(block)
            yield block
    yield checksum.digest()


class _Checksum:
    """A checksum that a thread computes while the disk works; if none can be had, at once."""

    def __init__(self, thread: ThreadPoolExecutor) -> None:
        self._sum = hashlib.sha256()
        self._thread: ThreadPoolExecutor | None = thread
        self._summing: Future[None] | None = None

    def add(self, block: Block) -> None:
        """Take these bytes in; they must stay as they are until the next ones come."""
        self._wait()
        if self._thread is not None:
            try:
                self._summing = self._thread.submit(self._sum.update, block)
                return
            except RuntimeError:  # the system gives no more threads
                self._thread = None
        self._sum.update(block)

    def digest(self) -> bytes:
        """The checksum of all bytes so far."""
        self._wait()
        return self._sum.digest()

    def _wait(self) -> None:
        if self._summing is not None:
            self._summing.result()
            self._summing = None


# ---------------------------------------------------------------------- reading


class _Reader:
    """A file that is read from its start to its end, and summed on the way."""

    def __init__(self, file: io.BufferedReader, thread: ThreadPoolExecutor) -> None:
        self.file = file
        self.size = os.fstat(file.fileno()).st_size
        self.checksum = _Checksum(thread)

    def take(self, count: int) -> bytes:
        """The next bytes, which must be few."""
        found = bytearray(count)
        self.fill(memoryview(found))
        return bytes(found)

    def fill(self, memory: memoryview) -> None:
        """Read the next bytes to where they belong."""
        if self.file.readinto(memory) != len(memory):
            raise Damaged("it became shorter while it was read")
        self.checksum.add(memory)


def _read(reader: _Reader) -> tuple[dict[str, Any], dict[str, Array]]:
    length = _header_length(reader)
    facts, places = understood(reader.take(length))
    begin = aligned(START + length)
    reader.take(begin - START - length)
    ends = [0, *(place.offset + place.size for place in places)]
    if begin + ends[-1] + DIGEST != reader.size:
        raise Damaged(f"its arrays have {ends[-1]:,} bytes, and do not fill the file")
    arrays = {}
    for place, end in zip(places, ends, strict=False):
        reader.take(place.offset - end)
        arrays[place.name] = _array(reader, place)
    found = reader.checksum.digest()
    if reader.take(DIGEST) != found:
        raise Damaged("its checksum does not fit")
    return facts, arrays


def _header_length(reader: _Reader) -> int:
    """What the first bytes say, if it can be true."""
    start = reader.take(min(START, reader.size))
    magic = MAGIC + VERSION + b"\n"
    if not start.startswith(magic):
        _refuse_other_start(start)
    if len(start) < START:
        raise Damaged(f"cut off after {len(start)} bytes")
    length, size = LENGTHS.unpack(start[len(magic) :])
    if reader.size < size:
        raise Damaged(f"cut off after {reader.size:,} of {size:,} bytes")
    if reader.size > size:
        raise Damaged(f"{reader.size - size:,} bytes too many after {size:,}")
    if length > HEADER or aligned(START + length) + DIGEST > size:
        raise Damaged(f"a header of {length:,} bytes in a file of {size:,}")
    return int(length)


def _refuse_other_start(start: bytes) -> None:
    line, end, _ = start.partition(b"\n")
    if start and MAGIC.startswith(start[: len(MAGIC)]) and len(start) < len(MAGIC) + 2:
        raise Damaged(f"cut off after {len(start)} bytes")
    version = line.removeprefix(MAGIC)
    if end and version != line and version.isdigit():
        raise FileError(
            f"this is a checkpoint of version {version.decode()}; this is Infoset for version"
            f" {VERSION.decode()}"
        )
    raise FileError("this is no checkpoint")


def _array(reader: _Reader, place: Place) -> Array:
    try:
        array = np.empty(place.shape, np.dtype(place.dtype).newbyteorder("<"))
    except (ValueError, OverflowError):  # more dimensions, or longer ones, than arrays have
        raise Damaged(f"there is no array of the shape of {brief(place.name, 60)!r}") from None
    for piece in _pieces(array):
        reader.fill(piece)
    return array.astype(place.dtype, copy=False)
