"""Checkpoints come back as they were written, or are refused in one line; nothing spoils them."""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from infoset.errors import FileError, ParameterError
from infoset.solvers import container
from infoset.solvers.container import (
    check_room,
    checkpoint_size,
    read_checkpoint,
    write_checkpoint,
)
from tests.disk import files_of_at_most

FACTS: dict[str, Any] = {"game": "kuhn()", "iterations": 12, "weights": [1.5, math.inf, None]}
ARRAYS = {
    "regrets": np.arange(6.0).reshape(2, 3),
    "signs": np.array([True, False]),
    "nothing": np.zeros((0, 4), np.int16),
    "alone": np.array(7, np.uint8),
}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "run.checkpoint"
    write_checkpoint(path, FACTS, ARRAYS)
    return path


def refused(path: Path) -> str:
    with pytest.raises(FileError) as refusal:
        read_checkpoint(path)
    said = str(refusal.value)
    assert "\n" not in said
    assert said.startswith(f"{path}: ")
    return said.removeprefix(f"{path}: ")


def assert_same(found: dict[str, np.ndarray], arrays: dict[str, np.ndarray]) -> None:
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert found[name].shape == array.shape
        assert found[name].dtype == array.dtype.newbyteorder("=")
        plain = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
        assert found[name].tobytes() == plain.tobytes()  # so that every NaN counts


# ---------------------------------------------------------------------- what is whole


def test_it_comes_back(saved: Path) -> None:
    facts, arrays = read_checkpoint(saved)
    assert facts == FACTS
    assert_same(arrays, ARRAYS)
    arrays["regrets"][0, 0] = 1  # the caller's own
    assert arrays["regrets"].flags.owndata
    assert saved.stat().st_size == checkpoint_size(FACTS, ARRAYS)


def test_nothing_at_all_is_a_checkpoint_too(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "x", {}, {})
    assert read_checkpoint(tmp_path / "x") == ({}, {})


KINDS = ["?", "f4", "f8", *(f"{sign}{size}" for sign in "iu" for size in (1, 2, 4, 8))]
FORMS = npst.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)
KEPT = st.sampled_from([f"{order}{kind}" for order in "<>" for kind in KINDS])
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(), PLAIN, max_size=3),
    st.dictionaries(st.text(), KEPT.flatmap(lambda kind: npst.arrays(kind, FORMS)), max_size=4),
)
def test_every_array_and_fact_comes_back(tmp_path_factory, facts, arrays):
    path = tmp_path_factory.getbasetemp() / "any.checkpoint"
    write_checkpoint(path, facts, arrays)
    assert path.stat().st_size == checkpoint_size(facts, arrays)
    found, kept = read_checkpoint(path)
    assert found == facts
    assert_same(kept, arrays)


def test_arrays_of_any_order_in_memory_and_of_many_blocks(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(container, "BLOCK", 100)
    table = np.arange(3000, dtype=np.int32).reshape(30, 100)
    arrays = {"turned": table.T, "some": table[::7, 3:50:2], "fortran": np.asfortranarray(table)}
    write_checkpoint(tmp_path / "x", {}, arrays)
    assert_same(read_checkpoint(tmp_path / "x")[1], arrays)


def test_arrays_begin_where_a_cache_line_does(saved: Path) -> None:
    data = saved.read_bytes()
    magic, length, size = data[:21], *np.frombuffer(data[21:37], "<u8").tolist()
    assert magic == b"infoset checkpoint 1\n"
    assert size == len(data)
    header = json.loads(data[37 : 37 + length])
    begin = -(-(37 + length) // 64) * 64
    (regrets,) = (one for one in header["arrays"] if one["name"] == "regrets")
    assert all(one["offset"] % 64 == 0 for one in header["arrays"])
    start = begin + regrets["offset"]
    assert np.frombuffer(data[start : start + 48], "<f8").tolist() == [0, 1, 2, 3, 4, 5]
    assert hashlib.sha256(data[:-32]).digest() == data[-32:]


class Pair(NamedTuple):
    first: int
    second: int


def test_tuples_become_lists_and_not_a_thing_more(tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "x", {"pair": Pair(1, 2), "odd": "\ud800\0\n"}, {})
    assert read_checkpoint(tmp_path / "x")[0] == {"pair": [1, 2], "odd": "\ud800\0\n"}


def nested(depth: int) -> list[Any]:
    lists: list[Any] = []
    for _ in range(depth):
        lists = [lists]
    return lists


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


@pytest.mark.parametrize(
    ("facts", "arrays", "said"),
    [
        ({}, {"x": np.array([1j])}, "complex128 is not kept"),
        ({}, {"x": np.array(["a"])}, "is not kept; bool, float32,"),
        ({}, {"x": np.array([object()])}, "object is not kept"),
        ({}, {"x": np.zeros(3, [("a", "i4")])}, "is not kept"),
        ({}, {"x": np.zeros(1, np.float16)}, "float16 is not kept"),
        ({}, {"x": np.zeros(1, "M8[s]")}, "is not kept"),
        ({}, {"x": [1, 2]}, "'x' of a checkpoint: list is no plain array"),
        ({}, {"x": np.ma.masked_array([1], [True])}, "MaskedArray is no plain array"),
        ({}, {1: np.zeros(1)}, "array 1 of a checkpoint: its name must be a text"),
        ({"x": object()}, {}, "facts of a checkpoint: Object of type object is not JSON"),
        ({"x": {1: 2}}, {}, "facts of a checkpoint: the key 1 is no text"),
        ({"x": [({"y": {None: 2}},)]}, {}, "the key None is no text"),
        ({"x": nested(200)}, {}, "more than 100 deep"),
        ({"x": ENDLESS}, {}, "more than 100 deep"),
        ({"x": "y" * (1 << 24)}, {}, "16,777,216 have room; give what is large as arrays"),
    ],
)
def test_what_is_not_kept_is_refused_before_anything_is_written(tmp_path, facts, arrays, said):
    for asked in (
        lambda: write_checkpoint(tmp_path / "x", facts, arrays),
        lambda: checkpoint_size(facts, arrays),
    ):
        with pytest.raises(ParameterError) as refusal:
            asked()
        assert said in str(refusal.value)
        assert "\n" not in str(refusal.value)
    assert os.listdir(tmp_path) == []


# ---------------------------------------------------------------------- what is damaged


def test_every_truncation_is_found(saved: Path) -> None:
    data = saved.read_bytes()
    for length in range(len(data)):
        saved.write_bytes(data[:length])
        said = refused(saved)
        if length >= 37:
            assert said.startswith(f"damaged: cut off after {length:,} of {len(data):,} bytes; ")
        elif length:
            assert said.startswith(f"damaged: cut off after {length} bytes; ")
        else:
            assert said == "this is no checkpoint"
    saved.write_bytes(data + b"x")
    assert refused(saved).startswith(f"damaged: 1 bytes too many after {len(data):,}")


def test_every_flipped_byte_is_found(saved: Path) -> None:
    data = bytearray(saved.read_bytes())
    seen = set()
    for place in range(len(data)):
        for flip in (0xFF, 1 << place % 8):
            data[place] ^= flip
            saved.write_bytes(data)
            seen.add(refused(saved).partition(" ")[0])
            data[place] ^= flip
    assert seen == {"this", "damaged:"}
    saved.write_bytes(data)
    assert read_checkpoint(saved)[0] == FACTS


@given(st.binary(max_size=200), st.booleans())
def test_noise_is_no_checkpoint(tmp_path_factory, noise, begun):
    path = tmp_path_factory.getbasetemp() / "noise.checkpoint"
    path.write_bytes(b"infoset checkpoint 1\n" * begun + noise)
    refused(path)


def test_another_version_says_so(saved: Path) -> None:
    data = saved.read_bytes()
    saved.write_bytes(data.replace(b"checkpoint 1\n", b"checkpoint 12\n"))
    said = refused(saved)
    assert said == "this is a checkpoint of version 12; this is Infoset for version 1"
    for other in (b"checkpoint one\n", b"checkpoint \n", b"checkpoint -1\n"):
        saved.write_bytes(data.replace(b"checkpoint 1\n", other))
        assert refused(saved) == "this is no checkpoint"


def forged(path: Path, header: object, arrays: bytes = b"") -> None:
    """Someone who knows how writes a header, and signs it."""
    said = header if isinstance(header, bytes) else json.dumps(header).encode()
    padding = b"\0" * (-(37 + len(said)) % 64)
    size = 37 + len(said) + len(padding) + len(arrays) + 32
    start = b"infoset checkpoint 1\n" + np.array([len(said), size], "<u8").tobytes()
    data = start + said + padding + arrays
    path.write_bytes(data + hashlib.sha256(data).digest())


def entry(name: Any = "x", dtype: Any = "float64", shape: Any = (2,), offset: Any = 0) -> Any:
    return {"name": name, "dtype": dtype, "shape": shape, "offset": offset}


def test_a_forged_header_that_is_true_is_read(tmp_path: Path) -> None:
    forged(tmp_path / "x", {"facts": {}, "arrays": [entry()]}, np.ones(2).tobytes())
    assert read_checkpoint(tmp_path / "x")[1]["x"].tolist() == [1, 1]


@pytest.mark.parametrize(
    "arrays",
    [
        [entry(shape=[10**18])],
        [entry(shape=[10**9, 10**9])],
        [entry(shape=[-2])],
        [entry(shape=[-1, -2])],
        [entry(shape=[2.0])],
        [entry(shape=[True, 2])],
        [entry(shape="ab")],
        [entry(shape=2)],
        [entry(shape=[2, *[1] * 64])],
        [entry(shape=[0, 2**62, 2**62])],
        [entry(shape=[10**4000] * 300)],
        [entry(shape=[1])],
        [entry(dtype="object")],
        [entry(dtype="float16")],
        [entry(dtype="f8")],
        [entry(dtype=["float64"])],
        [entry(name=3)],
        [entry(offset=64)],
        [entry(offset=-64)],
        [entry(), entry("y")],  # one upon the other
        [entry(), entry(shape=[0], offset=64)],  # two of one name
        [entry(shape=[0])],  # and 16 bytes of no array
        [entry() | {"more": 1}],
        [{"name": "x"}],
        ["x"],
        {"x": entry()},
        3,
    ],
)
def test_what_a_header_says_is_not_believed(tmp_path: Path, arrays: Any) -> None:
    forged(tmp_path / "x", {"facts": {}, "arrays": arrays}, bytes(16))
    assert refused(tmp_path / "x").startswith("damaged: ")


@pytest.mark.parametrize(
    "header",
    [
        *(b"", b"{", b"[]", b"3", b"null", b"\xff", b"[" * 100_000, b"9" * 10_000),
        *({"facts": {}}, {"arrays": []}, {"facts": [], "arrays": []}),
    ],
    ids=lambda header: str(header)[:20],
)
def test_headers_that_are_none(tmp_path: Path, header: Any) -> None:
    forged(tmp_path / "x", header)
    assert refused(tmp_path / "x").startswith("damaged: its header is not as it was written")


def test_a_header_is_bounded(tmp_path: Path) -> None:
    with open(tmp_path / "x", "wb") as file:
        size = 1 << 40  # nothing is in it, and it takes no room on the disk
        lengths = np.array([container.HEADER + 1, size], "<u8").tobytes()
        file.write(b"infoset checkpoint 1\n" + lengths)
        file.truncate(size)
    assert "a header of 16,777,217 bytes" in refused(tmp_path / "x")


def test_files_that_are_none(tmp_path: Path) -> None:
    assert refused(tmp_path / "x") == "there is no such file"
    assert refused(tmp_path) == "this is a folder; name a file"
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == "this is not a regular file; name a file"
    for name in ("x\0", "\ud800"):
        with pytest.raises(FileError, match="this cannot be the name of a file"):
            read_checkpoint(name)
    with pytest.raises(FileError, match="there is no such folder"):
        write_checkpoint(tmp_path / "nowhere" / "x", {}, {})


def test_too_large_for_the_memory(saved: Path, monkeypatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "empty", full)
    assert refused(saved) == "too large for the memory"


# ---------------------------------------------------------------------- what happens meanwhile

WRITER = """
import itertools, os, sys
import numpy as np
from infoset.solvers.container import write_checkpoint

for _ in sys.stdin:
    child = os.fork()
    if not child:
        for turn in itertools.count():
            arrays = {"all": np.full(50_000 << turn % 2, turn), "again": np.full(9, turn)}
            write_checkpoint(sys.argv[1], {"turn": turn}, arrays)
    print(child, flush=True)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_killed_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "run.checkpoint"
    write_checkpoint(path, {"turn": 0}, {"all": np.zeros(50_000, int), "again": np.zeros(9, int)})
    turns, chosen = set(), random.Random(1)
    command = [sys.executable, "-c", WRITER, str(path)]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as parent:
        for _ in range(20):
            parent.stdin.write("\n")
            parent.stdin.flush()
            child = int(parent.stdout.readline())
            time.sleep(chosen.uniform(0.0, 0.06))
            os.kill(child, signal.SIGKILL)
            facts, arrays = read_checkpoint(path)
            turn = facts["turn"]
            assert (arrays["all"] == turn).all()
            assert (arrays["again"] == turn).all()
            assert len(arrays["all"]) == 50_000 << turn % 2
            turns.add(turn)
        parent.stdin.close()
    assert len(turns) > 2  # it was writing all along


def test_a_full_disk_leaves_the_old_one_and_no_litter(saved: Path) -> None:
    old = saved.read_bytes()
    with files_of_at_most(3_000_000), pytest.raises(FileError) as refusal:
        write_checkpoint(saved, {}, {"x": np.ones(1_000_000)})
    assert str(refusal.value) == f"{saved}: it cannot be written: File too large"
    assert saved.read_bytes() == old
    assert os.listdir(saved.parent) == [saved.name]


class Interrupted(dict[str, np.ndarray]):
    """Arrays of which one is written, and then there is Ctrl-C."""

    def values(self) -> Any:
        yield next(iter(super().values()))
        raise KeyboardInterrupt


def test_interrupted_while_it_is_written(saved: Path) -> None:
    old = saved.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        write_checkpoint(saved, {}, Interrupted(ARRAYS))
    assert saved.read_bytes() == old
    assert os.listdir(saved.parent) == [saved.name]


def test_without_a_thread_it_only_takes_longer(tmp_path: Path, monkeypatch) -> None:
    def none(_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none)
    write_checkpoint(tmp_path / "x", FACTS, ARRAYS)
    data = (tmp_path / "x").read_bytes()
    assert hashlib.sha256(data[:-32]).digest() == data[-32:]
    assert_same(read_checkpoint(tmp_path / "x")[1], ARRAYS)


def test_room_for_a_new_one_beside_the_old_one(saved: Path, monkeypatch) -> None:
    usage = SimpleNamespace(free=5000)
    asked = []
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: asked.append(folder) or usage)
    check_room(saved, 5000)
    with pytest.raises(FileError) as refusal:
        check_room(saved, 1_234_567)
    said = str(refusal.value)
    assert said.startswith(
        f"{saved}: a checkpoint needs 1,234,567 bytes, and the disk has 5,000 left; make room"
    )
    assert asked == [os.path.realpath(saved.parent)] * 2


def test_room_is_looked_for_where_a_link_points_to(tmp_path: Path) -> None:
    check_room(tmp_path / "x", 1)
    with pytest.raises(FileError, match=r"and the disk has [0-9,]+ left"):
        check_room(tmp_path / "x", 1 << 62)
    (tmp_path / "link").symlink_to(tmp_path / "nowhere" / "x")
    with pytest.raises(FileError, match="there is no such folder"):
        check_room(tmp_path / "link", 1)
