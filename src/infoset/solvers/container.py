"""The container of all files that Infoset keeps: complete, or recognized as damaged.

Checkpoints and solutions of public forms are large: facts (whatever JSON can say) and named arrays
of numbers. In such a file:

    infoset KIND VERSION            and the end of the line
    length of the header, length of the file        8 bytes each, little-endian
    the header                      JSON: facts; name, dtype, shape and offset of each array
    the arrays                      raw, little-endian, by rows, each from a multiple of 64
    the checksum                    SHA-256 of everything before it, 32 bytes

Offsets count from where the arrays begin, the first multiple of 64 after the header; gaps are
zeros. There is one place for every array, so that a header can only say where they are as it must:
arrays neither overlap nor reach beyond the file, and no more memory is taken than the file is long.
Lengths are bounded before they are multiplied.

Solutions of trees are small, and read by other programs: JSON, with the SHA-256 of its content in
the field ``checksum`` (:func:`sealed`, :func:`unsealed`).

There is no code in any of them, and nothing is returned before the last byte was read and the
checksum fits. Facts name the game and its fingerprint, so that a file of another game is refused.
Files are replaced in one step (:mod:`infoset.files`): a process that is killed, or a disk that is
full, leaves the file from before. The checksum is computed while the disk works, and arrays are
written from where they are: writing costs little more than the bytes cost.
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
from itertools import takewhile
from typing import Any

import numpy as np

from infoset.errors import FileError, ParameterError
from infoset.files import CONTROL, HEAD, file_name, refuse_special, system_errors, write_bytes
from infoset.text import brief, printable

Path = str | os.PathLike[str]
Block = bytes | memoryview
Array = np.ndarray[Any, Any]
Arrays = Mapping[str, Array]

BLOCK = 1 << 22  # bytes that are read or written, and summed, at once
LENGTHS = struct.Struct("<QQ")  # of the header, of the file
DIGEST = hashlib.sha256().digest_size
ALIGNED = 64  # bytes: a line of a processor's cache
HEADER = 1 << 24  # bytes of a header at most: the convergence of some 100,000 points
LONGEST = 64  # dimensions of an array, at most
DEEP = 100  # lists in lists, at most: what can be written must be readable, wherever it is called
WHOLE = (f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
DTYPES = ("bool", "float32", "float64", *WHOLE)


SAMPLED = b'{"facts":{"kind":"infoset sampling'  # in the first lines of a sampled run's checkpoint
TREE = b'"infoset solution"'  # what stands in the first lines of a solution of a tree
LONGEST_NAME = 60  # characters of a name that are shown in full
BEFORE = 20  # characters that are shown before the first one that differs
MARKS = (b"\xff\xfe", b"\xfe\xff")  # of UTF-16, which the reader of texts explains


@dataclass(frozen=True)
class Kind:
    """A kind of file."""

    name: str  # in messages
    magic: bytes  # how the first line begins
    version: int  # how it ends
    remedy: str  # what to do about a damaged one

    @property
    def line(self) -> bytes:
        """The first line."""
        return self.magic + b"%d\n" % self.version

    @property
    def start(self) -> int:
        """Where the header begins."""
        return len(self.line) + LENGTHS.size


CHECKPOINT = Kind(
    "checkpoint", b"infoset checkpoint ", 1, "go back to an older copy, or begin again"
)
PUBLIC_SOLUTION = Kind(
    "solution of a public form", b"infoset public solution ", 2, "solve again and save"
)


class Damaged(Exception):
    """What is wrong with the file that is being read."""


@dataclass(frozen=True)
class ArrayPlace:
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


def _header(kind: Kind, facts: Mapping[str, Any], arrays: Arrays) -> tuple[bytes, int]:
    """The header of a file, and the length of the whole file."""
    places, end = [], 0
    for name, array in arrays.items():
        _refuse_other_arrays(kind, name, array)
        place = ArrayPlace(name, array.dtype.name, array.shape, aligned(end))
        places.append(place)
        end = place.offset + place.size
    try:
        _refuse_other_keys(facts)
        said = {"facts": dict(facts), "arrays": [place.record for place in places]}
        header = json.dumps(said, separators=(",", ":")).encode()
    except (TypeError, ValueError) as problem:
        raise ParameterError(f"facts of a {kind.name}: {problem}; give what JSON can say") from None
    if len(header) > HEADER:
        raise ParameterError(
            f"facts of a {kind.name}: {len(header):,} bytes of JSON, and {HEADER:,} have room;"
            " give what is large as arrays"
        )
    return header, aligned(kind.start + len(header)) + end + DIGEST


def _refuse_other_arrays(kind: Kind, name: object, array: object) -> None:
    if not isinstance(name, str):
        raise ParameterError(f"array {name!r:.60} of a {kind.name}: its name must be a text")
    if type(array) not in (np.ndarray, np.memmap):  # a masked one would lose its mask
        other = type(array).__name__
        raise ParameterError(f"array {name!r:.60} of a {kind.name}: {other} is no plain array")
    assert isinstance(array, np.ndarray)
    if array.dtype.name not in DTYPES:
        raise ParameterError(
            f"array {name!r:.60} of a {kind.name}: {brief(array.dtype.name, 40)} is not kept;"
            f" {', '.join(DTYPES)} are"
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


def _understood(header: bytes) -> tuple[dict[str, Any], list[ArrayPlace]]:
    """Facts and places, if the places are the only ones that they can be."""
    try:
        said = json.loads(header)
        facts = said["facts"]
        if not isinstance(facts, dict):
            raise TypeError
        places, end = [], 0
        for one in said["arrays"]:
            place = ArrayPlace(one["name"], one["dtype"], tuple(one["shape"]), aligned(end))
            if place.record != one or not _is_sound(place):
                raise ValueError
            places.append(place)
            end = place.offset + place.size
        if len({place.name for place in places}) < len(places):
            raise ValueError
    except (ValueError, TypeError, LookupError, RecursionError):
        raise Damaged("its header is not as it was written") from None
    return facts, places


def _is_sound(place: ArrayPlace) -> bool:
    lengths = place.shape
    small = len(lengths) <= LONGEST and all(type(n) is int and 0 <= n < 1 << 63 for n in lengths)
    return isinstance(place.name, str) and place.dtype in DTYPES and small


def aligned(place: int) -> int:
    """The first place from here on where an array may begin."""
    return -(-place // ALIGNED) * ALIGNED


def write_container(path: Path, kind: Kind, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Write facts and arrays to a file, or leave what was there as it was.

    Parameters
    ----------
    path
        The file; it is replaced in one step.
    kind
        What it is.
    facts
        Whatever JSON can say, infinities included; tuples are read as lists.
    arrays
        Of booleans, integers, or floats of 4 or 8 bytes. They must not change while they are
        written.
    """
    header, size = _header(kind, facts, arrays)
    with contextlib.closing(_summed(_blocks(kind, header, size, arrays))) as blocks:
        write_bytes(path, blocks)


def read_container(path: Path, kind: Kind) -> tuple[dict[str, Any], dict[str, Array]]:
    """The facts and arrays of a file, if all of it is as it was written.

    Returns
    -------
    facts, arrays
        The arrays are the caller's own: new, writable, each with its own memory.

    Raises
    ------
    FileError
        If the file is of another kind or version, or damaged.
    """
    name = file_name(path)
    with system_errors(name, "read"):
        refuse_special(name, path)
        with open(path, "rb") as file, ThreadPoolExecutor(1) as thread:
            try:
                return _read(kind, _Reader(file, thread))
            except Damaged as problem:
                raise FileError(f"{name}: damaged: {problem}; {kind.remedy}") from None
            except FileError as problem:
                raise FileError(f"{name}: {problem}") from None


def write_checkpoint(path: Path, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a checkpoint.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = f"{folder}/run.checkpoint"
    ...     write_checkpoint(path, {"iterations": 7}, {"regrets": np.array([[0.5, -1.0]])})
    ...     read_checkpoint(path)
    ({'iterations': 7}, {'regrets': array([[ 0.5, -1. ]])})
    """
    write_container(path, CHECKPOINT, facts, arrays)


def read_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The facts and arrays of a checkpoint."""
    return read_container(path, CHECKPOINT)


def checkpoint_size(facts: Mapping[str, Any], arrays: Arrays) -> int:
    """The bytes that a checkpoint takes, before anything is written.

    >>> checkpoint_size({"iterations": 7}, {"regrets": np.zeros(1000)})
    8224
    """
    return _header(CHECKPOINT, facts, arrays)[1]


def check_room(path: Path, size: int) -> None:
    """Refuse if the disk has no room for a new checkpoint beside the old one.

    The old one is there until the new one is complete, so its own bytes do not count.
    """
    name = file_name(path)
    with system_errors(name, "written"):
        free = shutil.disk_usage(os.path.dirname(os.path.realpath(path))).free
        if size > free:
            raise FileError(
                f"{name}: a checkpoint needs {size:,} bytes, and the disk has {free:,} left; make"
                " room, or name a file on another disk"
            )


# ---------------------------------------------------------------------- writing


def _blocks(kind: Kind, header: bytes, size: int, arrays: Arrays) -> Iterator[Block]:
    """All bytes of a file but its checksum."""
    yield kind.line + LENGTHS.pack(len(header), size)
    yield header
    yield b"\0" * (aligned(kind.start + len(header)) - kind.start - len(header))
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


def _read(kind: Kind, reader: _Reader) -> tuple[dict[str, Any], dict[str, Array]]:
    length = _header_length(kind, reader)
    facts, places = _understood(reader.take(length))
    begin = aligned(kind.start + length)
    reader.take(begin - kind.start - length)
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


def _header_length(kind: Kind, reader: _Reader) -> int:
    """What the first bytes say, if it can be true."""
    start = reader.take(min(kind.start, reader.size))
    if not start.startswith(kind.line):
        _refuse_other_start(kind, start)
    if len(start) < kind.start:
        raise Damaged(f"cut off after {len(start)} bytes")
    length, size = LENGTHS.unpack(start[len(kind.line) :])
    if reader.size < size:
        raise Damaged(f"cut off after {reader.size:,} of {size:,} bytes")
    if reader.size > size:
        raise Damaged(f"{reader.size - size:,} bytes too many after {size:,}")
    if length > HEADER or aligned(kind.start + length) + DIGEST > size:
        raise Damaged(f"a header of {length:,} bytes in a file of {size:,}")
    return int(length)


def _refuse_other_start(kind: Kind, start: bytes) -> None:
    line, end, _ = start.partition(b"\n")
    magic = kind.magic
    if start and magic.startswith(start[: len(magic)]) and len(start) < len(magic) + 2:
        raise Damaged(f"cut off after {len(start)} bytes")
    version = line.removeprefix(magic)
    if end and version != line and version.isdigit():
        raise FileError(
            f"this is a {kind.name} of version {version.decode()}; this is Infoset for version"
            f" {kind.version}"
        )
    raise FileError(f"this is no {kind.name}")


def _array(reader: _Reader, place: ArrayPlace) -> Array:
    try:
        array = np.empty(place.shape, np.dtype(place.dtype).newbyteorder("<"))
    except (ValueError, OverflowError):  # more dimensions, or longer ones, than arrays have
        raise Damaged(f"there is no array of the shape of {brief(place.name, 60)!r}") from None
    for piece in _pieces(array):
        reader.fill(piece)
    return array.astype(place.dtype, copy=False)


# ---------------------------------------------------------------------- JSON with a checksum


def sealed(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of JSON with its checksum."""
    return {**record, "checksum": _checksum(record)}


def unsealed(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """The record without its checksum; None if that does not fit.

    >>> unsealed(sealed({"game": "kuhn()"})), unsealed({"game": "kuhn()", "checksum": ""})
    ({'game': 'kuhn()'}, None)
    """
    plain = {key: value for key, value in record.items() if key != "checksum"}
    return plain if record.get("checksum") == _checksum(plain) else None


def _checksum(record: Mapping[str, Any]) -> str:
    plain = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


# ---------------------------------------------------------------------- which file it is


def kind_of(path: Path) -> str:
    """What a file says that it is: "public", "tree", "sampled", "checkpoint", or "" for any other.

    The checkpoint of a sampled run is a solution as well.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     _ = file.write(b"infoset checkpoint 1")
    ...     file.flush()
    ...     kind_of(file.name)
    'checkpoint'
    """
    head = _head(path)
    if head.startswith(PUBLIC_SOLUTION.magic):
        return "public"
    if head.startswith(CHECKPOINT.magic):
        return "sampled" if SAMPLED in head else "checkpoint"
    return "tree" if head.lstrip().startswith(b"{") and TREE in head else ""


def _head(path: Path) -> bytes:
    name = file_name(path)
    with system_errors(name, "read"):
        refuse_special(name, path)
        with open(path, "rb") as file:
            return file.read(HEAD)


def refuse_others(path: Path, wanted: str) -> None:
    """Refuse a file that is not of the kind that is wanted: "public" or "tree".

    Of a tree's solution also texts of another kind pass: where they go wrong has a line.
    """
    name, kind = file_name(path), kind_of(path)
    if kind == wanted:
        return
    if kind == "checkpoint":
        raise FileError(
            f"{name}: a checkpoint, no saved solution; solve(game, checkpoint=file) resumes it"
        )
    if kind == "sampled":
        raise FileError(f"{name}: the result of a sampled run, and one of a {wanted} is wanted")
    if wanted == "public":
        other = "it is one of the tree; load it for game.tree()"
        writes = "solve(game.public()).save(file) writes one"
        raise FileError(f"{name}: no solution of a public form; {other if kind else writes}")
    if kind == "public":
        raise FileError(
            f"{name}: a solution of a public form, and one of the tree is wanted;"
            " solve(game.tree()).save(file) writes one"
        )
    head = _head(path)
    if not head.startswith(MARKS) and any(byte in CONTROL for byte in head):
        raise FileError(
            f"{name}: no solution file, but a binary file of another kind; solve(game).save(file)"
            " writes one"
        )


# ---------------------------------------------------------------------- games by their names


def apart(saved: Any, now: Any) -> tuple[str, str]:
    """Two names of games, shortened so that one sees where they differ.

    Of long names only the parameters that differ are shown, and of long parameters only where they
    differ.

    >>> apart("kuhn()", "kuhn(ranks=4)")
    ('kuhn()', 'kuhn(ranks=4)')
    >>> board = "board='Ks 7d 2c 9h', one='QQ+ AKs 65s', two='KQs 99-77'"
    >>> apart(f"holdem({board}, stack=100)", f"holdem({board}, stack=90)")
    ('holdem(…, stack=100)', 'holdem(…, stack=90)')
    """
    one, two = printable(str(saved)), printable(str(now))
    if max(len(one), len(two)) <= LONGEST_NAME:
        return one, two
    (head, first), (other, second) = _parameters(one), _parameters(two)
    if head != other:
        return brief(one, LONGEST_NAME), brief(two, LONGEST_NAME)
    if first == second:  # not as games write their names
        return _windows(one, two)
    differing = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    pairs = {key: _windows(first.get(key, ""), second.get(key, "")) for key in differing}
    same = ["…"] if len({**first, **second}) > len(differing) else []
    told_ = (
        [f"{key}={pair[side]}" for key, pair in pairs.items() if key in own]
        for side, own in enumerate((first, second))
    )
    left, right = (f"{head}({', '.join([*same, *own])})" for own in told_)
    return left, right


def _parameters(name: str) -> tuple[str, dict[str, str]]:
    """The text before the bracket, and the parameters in it by name, as they are written."""
    head, bracket, rest = name.partition("(")
    if not bracket or not rest.endswith(")"):
        return name, {}
    parts, depth, quote, escaped = [""], 0, "", False
    for sign in rest[:-1]:
        if quote:
            quote = "" if sign == quote and not escaped else quote
            escaped = sign == "\\" and not escaped
        elif sign in "'\"":
            quote = sign
        else:
            depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    pairs = [part.strip().partition("=") for part in parts if part.strip()]
    return head, {key: value for key, _, value in pairs}


def _windows(one: str, two: str) -> tuple[str, str]:
    """Two texts; long ones are shown from shortly before the first difference."""
    both = zip(one, two, strict=False)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
    start = max(0, alike - BEFORE)

    def window(words: str) -> str:
        if len(words) <= LONGEST_NAME:
            return words
        cut = words[start : start + LONGEST_NAME]
        return ("…" if start else "") + cut + ("…" if start + len(cut) < len(words) else "")

    return window(one), window(two)
