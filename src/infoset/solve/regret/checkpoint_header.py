"""The header of a checkpoint: facts, and where each array is.

It is JSON. Every array has one place only, the first multiple of 64 after the one before it; so a
header can be written for arrays that are not there yet, and one that is read is refused unless it
says what it must. What is read is not believed: lengths are bounded before they are multiplied.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from infoset.errors import ParameterError
from infoset.rules.story import brief

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
