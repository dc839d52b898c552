"""The header of a checkpoint: facts, and where each array is.

It is JSON. Every array has one place only, the first multiple of 64 after the one before it; so a
header can be written for arrays that are not there yet, and one that is read is refused unless it
says what it must. What is read is not believed: lengths are bounded before they are multiplied.

Checkpoints: the state of a long run in a file that is whole, or found out not to be.

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

Files are replaced in one step (:mod:`infoset.files`): a process that is killed, or a
disk that is full, leaves the checkpoint from before. The checksum is computed while the disk works,
and arrays are written from where they are: a checkpoint costs little more than its bytes cost.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
import os
import shutil
import struct
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from infoset.errors import FileError, ParameterError
from infoset.files import file_name, refuse_special, told, write_bytes
from infoset.text import brief

Arrays = Mapping[str, np.ndarray[Any, Any]]

MAGIC = b"infoset checkpoint "
VERSION = b"1"
LENGTHS = struct.Struct("<QQ")  # of the header, of the file
START = len(MAGIC) + len(VERSION) + 1 + LENGTHS.size  # where the header begins
DIGEST = hashlib.sha256().digest_size
ALIGNED = 64  # bytes: a line of a processor's cache
HEADER = 1 << 24  # bytes of a header at most: a course of some 100,000 points
LONGEST = 64  # dimensions of an array, at most
DEEP = 100  # lists in lists, at most: what can be written must be readable, wherever it is called
WHOLE = (f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
KINDS = ("bool", "float32", "float64", *WHOLE)


class Damaged(Exception):
    """What is wrong with the file that is being read."""


@dataclass(frozen=True)
class Place:
    """Where an array is, as the header says it."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int

    @property
    def size(self) -> int:
        """Its bytes."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize

    @property
    def record(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "name": self.name,
            "dtype": self.dtype,
            "shape": list(self.shape),
            "offset": self.offset,
        }


def made(facts: Mapping[str, Any], arrays: Arrays) -> tuple[bytes, int]:
    """The header of a checkpoint, and the length of the whole file."""
    places, end = [], 0
    for name, array in arrays.items():
        _refuse_other_arrays(name, array)
        place = Place(name, array.dtype.name, array.shape, aligned(end))
        places.append(place)
        end = place.offset + place.size
    try:
        _refuse_other_keys(facts)
        said = {"facts": dict(facts), "arrays": [place.record for place in places]}
        header = json.dumps(said, separators=(",", ":")).encode()
    except (TypeError, ValueError) as problem:
        raise ParameterError(f"facts of a checkpoint: {problem}; give what JSON can say") from None
    if len(header) > HEADER:
        raise ParameterError(
            f"facts of a checkpoint: {len(header):,} bytes of JSON, and {HEADER:,} have room;"
            " give what is large as arrays"
        )
    return header, aligned(START + len(header)) + end + DIGEST


def _refuse_other_arrays(name: object, array: object) -> None:
    if not isinstance(name, str):
        raise ParameterError(f"array {name!r:.60} of a checkpoint: its name must be a text")
    if type(array) not in (np.ndarray, np.memmap):  # a masked one would lose its mask
        kind = type(array).__name__
        raise ParameterError(f"array {name!r:.60} of a checkpoint: {kind} is no plain array")
    assert isinstance(array, np.ndarray)
    if array.dtype.name not in KINDS:
        raise ParameterError(
            f"array {name!r:.60} of a checkpoint: {brief(array.dtype.name, 40)} is not kept;"
            f" {', '.join(KINDS)} are"
        )


def _refuse_other_keys(facts: object, depth: int = 0) -> None:
    """JSON would make texts of other keys, and what is read would not be what was written."""
    if depth > DEEP:
        raise ValueError(f"lists in lists, more than {DEEP} deep")
    if isinstance(facts, Mapping):
        for key in facts:
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r:.60} is no text")
        facts = list(facts.values())
    if isinstance(facts, list | tuple):
        for value in facts:
            if isinstance(value, Mapping | list | tuple):
                _refuse_other_keys(value, depth + 1)


def understood(header: bytes) -> tuple[dict[str, Any], list[Place]]:
    """Facts and places, if the places are the only ones that they can be."""
    try:
        said = json.loads(header)
        facts = said["facts"]
        if not isinstance(facts, dict):
            raise TypeError
        places, end = [], 0
        for one in said["arrays"]:
            place = Place(one["name"], one["dtype"], tuple(one["shape"]), aligned(end))
            if place.record != one or not _is_sound(place):
                raise ValueError
            places.append(place)
            end = place.offset + place.size
        if len({place.name for place in places}) < len(places):
            raise ValueError
    except (ValueError, TypeError, LookupError, RecursionError):
        raise Damaged("its header is not as it was written") from None
    return facts, places


def _is_sound(place: Place) -> bool:
    lengths = place.shape
    small = len(lengths) <= LONGEST and all(type(n) is int and 0 <= n < 1 << 63 for n in lengths)
    return isinstance(place.name, str) and place.dtype in KINDS and small


def aligned(place: int) -> int:
    """The first place from here on where an array may begin."""
    return -(-place // ALIGNED) * ALIGNED


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
