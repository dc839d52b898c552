"""Damaged files, and files that are none: refused in one line, and nothing in them is run."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from infoset import games, solve
from infoset.solvers.container import sealed
from infoset.solvers.solution import Solution
from tests.solvers.conftest import refused


def test_every_flipped_digit_is_found(saved: Path) -> None:
    content = saved.read_text()
    places = [at for at, sign in enumerate(content) if sign.isdigit()]
    assert len(places) > 100
    for at in places:
        flipped = content[:at] + str((int(content[at]) + 1) % 10) + content[at + 1 :]
        saved.write_text(flipped)
        said = refused(saved)
        assert "damaged" in said or "version" in said


def test_every_truncation_is_found(saved: Path) -> None:
    content = saved.read_text().rstrip()
    for at in range(0, len(content), 37):
        saved.write_text(content[:at])
        assert "no solution file" in refused(saved)


def with_checksum(path: Path, **changed: Any) -> None:
    """Someone who knows how changes a file, and signs it anew."""
    record = json.loads(path.read_text()) | changed
    record.pop("checksum")
    record = {key: value for key, value in record.items() if value is not None}
    path.write_text(json.dumps(sealed(record)))


def strategies(path: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(path.read_text())["strategies"]
    return listed


def test_what_a_file_claims_is_not_believed(saved: Path) -> None:
    """With a checksum that fits, payoffs, regrets and strategies are verified all the same."""
    with_checksum(saved, payoffs={"gambler": "1", "dealer": "-1"})
    assert "its payoffs or regrets are not those of its strategies" in refused(saved)
    solve(games.kuhn()).save(saved)
    timid = strategies(saved)
    for row in timid[0]["behaviour"]:
        row["plays"] = [["pass", "1"], ["bet", "0"]]
    with_checksum(saved, strategies=timid)
    assert "its payoffs or regrets are not those of its strategies" in refused(saved)


def test_a_certificate_is_made_anew(saved: Path) -> None:
    with_checksum(saved, certificate="regret at most 3")
    assert Solution.load(saved, games.kuhn()).certificate == "exact"


SPOILED: dict[str, Any] = {
    "strategies": [
        [],
        "all",
        [{}, {}],
        [{"player": "dealer", "behaviour": []}] * 2,
        [{"player": "gambler", "behaviour": []}] * 2,
        [{"player": "gambler", "mixed": [{"probability": "1", "chooses": [[99, 0]]}]}] * 2,
        [{"player": "gambler", "mixed": [{"probability": "1", "chooses": 3}]}] * 2,
        [{"player": "gambler", "mixed": []}] * 2,
    ],
    "payoffs": [{}, [], "none", {"gambler": "-1/0", "dealer": "1/18"}, {"gambler": 1, "dealer": 2}],
    "regrets": [{}, {"gambler": "x", "dealer": "0"}, {"gambler": "0x/0x", "dealer": "0"}],
    "work": [[], {"pivots": "many"}, 7],
    "seconds": ["long", None, []],
    "method": [None],
}


@pytest.mark.parametrize(("key", "value"), [(k, v) for k, vs in SPOILED.items() for v in vs])
def test_fields_that_make_no_sense_are_refused(saved: Path, key: str, value: Any) -> None:
    with_checksum(saved, **{key: value})
    assert "damaged" in refused(saved)


@pytest.mark.parametrize(
    "chooses",
    [
        [[99, 0]],
        [[-1, 0]],
        [[0, 5]],
        [[0, -1]],
        [[1, 0]],
        [[0, 0], [0, 1]],
        [[0.5, 0]],
        [["0", 0]],
        [],
    ],
)
def test_plans_that_are_none_are_refused(tmp_path: Path, chooses: Any) -> None:
    """Whatever it claims to be worth."""
    path, game = tmp_path / "x.json", games.absent_minded()
    solve(game).save(path)
    changed = strategies(path)
    changed[0] = {"player": "one", "mixed": [{"probability": "1", "chooses": chooses}]}
    for amounts in ({"one": "2", "two": "2"}, {"one": "0", "two": "0"}):
        with_checksum(path, strategies=changed, payoffs=amounts)
        said = refused(path, game)
        assert "damaged" in said
        assert "payoffs" not in said


@pytest.mark.parametrize("share", ["2", "-1", "nan", "1e999999999", "", "1/0", "0x1/0x0", "½"])
def test_probabilities_that_are_none_are_refused(saved: Path, share: str) -> None:
    changed = strategies(saved)
    changed[0]["behaviour"][0]["plays"][0][1] = share
    with_checksum(saved, strategies=changed)
    assert "damaged" in refused(saved)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no solution file"),
        (b"hello", "no solution file"),
        (b"[]", "no solution file; solve(game).save(file) writes one"),
        (b"7", "no solution file"),
        (b"null", "no solution file"),
        (b'{"format": "infoset tree"}', "no solution file"),
        (b'{"format": "infoset solution", "version": 2}', "of version 2"),
        (b'{"format": "infoset solution", "version": "\\u001b[2J\\n"}', "of version"),
        (b'{"format": "infoset solution"}', "of version None"),
        (b'{"format": "infoset solution", "version": 1}', "checksum"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"\x7fELF\x02\0\0\0", "binary file"),
        (b"\x80\x04\x95\x0c\0\0\0", "binary file"),
        ('{"format": "é"}'.encode("latin-1"), "not UTF-8"),
        (b'{"format": 1' + b"0" * 10_000 + b"}", "solution file"),
    ],
)
def test_what_is_no_solution_file(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    said = refused(path)
    assert message in said
    assert "\x1b" not in said


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    path = tmp_path / "x.json"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        path.write_bytes(pickle.dumps(Trap(), protocol))
        refused(path)
    path.write_text(f"__import__('os').mkdir({str(tmp_path / 'sprung')!r})")
    refused(path)
    assert os.listdir(tmp_path) == ["x.json"]


def test_files_that_are_not_there_or_not_files(tmp_path: Path) -> None:
    assert "there is no such file" in refused(tmp_path / "nothing.json")
    assert "this is a folder" in refused(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refused(tmp_path / "pipe")
