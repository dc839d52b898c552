"""The convergence of a run: what it refuses; files and records restore it exactly."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.errors import FileError, ParameterError
from infoset.solvers.container import read_checkpoint, write_checkpoint
from infoset.solvers.convergence import Convergence, Point

KNOWN = Convergence(
    "CFR+",
    ("gambler", "dealer"),
    (
        Point(0.0, 0, 1.5),
        Point(0.1, 10, 0.1 + 0.2, (0.25, 0.1 + 0.2)),
        Point(0.1, 100, 1e-5, (1e-5, 0.0), (-1e-7, 5e-324)),
    ),
)

HOSTILE = ('a,"b"', "two\nlines", "\rx\r\n", "=1+1", " ", "K♠", "\u202e", "regret ")


@st.composite
def convergences(draw: st.DrawFn) -> Convergence:
    signs = st.characters(blacklist_categories=("Cs",), blacklist_characters="\0")
    players = tuple(draw(st.lists(st.text(signs) | st.sampled_from(HOSTILE), max_size=4)))
    finite = st.floats(allow_nan=False, allow_infinity=False)
    amounts = st.just(()) | st.tuples(*(finite for _ in players))
    times = sorted(draw(st.lists(st.floats(0, 1e300), max_size=5)))
    counts = sorted(draw(st.sets(st.integers(0, 10**20), min_size=len(times), max_size=5)))
    points = tuple(
        Point(seconds, iterations, draw(finite), draw(amounts), draw(amounts))
        for seconds, iterations in zip(times, counts, strict=False)
    )
    return Convergence(draw(st.text()), players, points)


@given(convergences())
def test_text_and_record_bring_it_back(convergence: Convergence) -> None:
    assert Convergence.parse(convergence.csv(), convergence.name) == convergence
    assert Convergence.from_record(json.loads(json.dumps(convergence.record))) == convergence


@given(convergences())
def test_files_and_checkpoints_bring_it_back(tmp_path_factory, convergence: Convergence) -> None:
    folder = tmp_path_factory.getbasetemp()
    convergence.save(folder / "log.csv")
    assert Convergence.read(folder / "log.csv", convergence.name) == convergence
    write_checkpoint(folder / "run", {"course": convergence.record}, {})
    assert Convergence.from_record(read_checkpoint(folder / "run")[0]["course"]) == convergence


def test_the_text_is_a_table_that_others_read() -> None:
    names = ("one, or 1", 'the "other"')
    convergence = Convergence("x", names, (Point(0.5, 3, 0.25, (0.125, 0.25)),))
    (row,) = csv.DictReader(io.StringIO(convergence.csv()))
    assert row == {
        "seconds": "0.5",
        "iterations": "3",
        "regret": "0.25",
        "regret one, or 1": "0.125",
        'regret the "other"': "0.25",
        "coarse one, or 1": "",
        'coarse the "other"': "",
    }


def test_a_file_is_called_as_its_name_says(tmp_path: Path) -> None:
    path = tmp_path / "LiteEFG CFR+.csv"
    KNOWN.save(path)
    assert Convergence.read(path).name == "LiteEFG CFR+"
    assert os.listdir(tmp_path) == [path.name]
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    assert Convergence.read(path, "CFR+") == KNOWN  # as a spreadsheet on Windows writes it


def test_what_no_file_can_hold_is_spelled_out(tmp_path: Path) -> None:
    Convergence("x", ("\ud800", "a\0b"), ()).save(tmp_path / "x.csv")
    assert Convergence.read(tmp_path / "x.csv").players == ("\\ud800", "a\\x00b")


def test_numbers_of_any_kind_become_plain_ones() -> None:
    given = Point(np.float32(0.5), np.int64(3), Fraction(1, 4), [np.float64(1)], np.zeros(1))
    assert given == Point(0.5, 3, 0.25, (1.0,), (0.0,))
    assert (
        repr(given)
        == "Point(seconds=0.5, iterations=3, regret=0.25, regrets=(1.0,), coarse=(0.0,))"
    )
    assert json.loads(json.dumps(Convergence("x", ["one"], [given]).record))["points"] == [
        [0.5, 3, 0.25, [1.0], [0.0]]
    ]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((-1, 0, 0), "seconds=-1: it must be 0 or more"),
        ((math.inf, 0, 0), "seconds=inf: a point needs a finite number"),
        ((0, -1, 0), "iterations=-1: it must be a count"),
        ((0, 1.0, 0), "iterations=1.0: it must be a count"),
        ((0, True, 0), "iterations=True: it must be a count"),
        ((0, 0, math.nan), "regret=nan: a point needs a finite number"),
        ((0, 0, 10**400), "a point needs a finite number"),
        ((0, 0, "1"), "regret='1': a point needs a finite number"),
        ((0, 0, None), "regret=None: a point needs a finite number"),
        ((0, 0, 0, (1, math.nan)), "regrets=nan: a point needs a finite number"),
        ((0, 0, 0, (), (math.inf,)), "coarse=inf: a point needs a finite number"),
    ],
)
def test_points_that_are_none(numbers: Any, said: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        Point(*numbers)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([Point(1, 5, 0), Point(2, 5, 0)], "point 2: iterations=5 after 5; they must increase"),
        ([Point(1, 5, 0), Point(0.5, 6, 0)], "point 2: seconds=0.5 after 1.0; it must not"),
        ([Point(1, 5, 0, (1.0,))], "point 1: 1 regrets of 2 players"),
        ([Point(1, 5, 0, (), (1.0, 2.0, 3.0))], "point 1: 3 coarse of 2 players"),
    ],
)
def test_convergences_that_are_none(points: list[Point], said: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        Convergence("x", ("one", "two"), points)
    assert said in str(refusal.value)
    with pytest.raises(ParameterError):
        Convergence("x", ("one", 2), ())  # type: ignore[arg-type]


HEAD = "seconds,iterations,regret,regret a,coarse a"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ":1: no log of a run; its first line begins with seconds,iterations,regret"),
        ("\n", ":1: no log of a run"),
        ("seconds,iterations\n", ":1: no log of a run"),
        ("seconds,iterations,regret,regret a\n", ":1: no log of a run"),
        ("seconds,iterations,regret,regret a,coarse b\n", ":1: no log of a run"),
        (f"{HEAD}\n1,2,3,,\n1,2\n", ":3: 2 cells, and there are 5 columns"),
        (f"{HEAD}\n1,2,3,,\nx,3,3,,\n", ":3: this is no line of a log"),
        (f"{HEAD}\n1,2.5,3,,\n", ":2: this is no line of a log"),
        (f"{HEAD}\n1,{'9' * 5000},3,,\n", ":2: this is no line of a log"),
        (f"{HEAD}\n1,2,nan,,\n", ":2: regret=nan: a point needs a finite number"),
        (f"{HEAD}\n1,2,1e999,,\n", ":2: regret=inf: a point needs a finite number"),
        (f"{HEAD}\n1,-2,3,,\n", ":2: iterations=-2: it must be a count"),
        (f"{HEAD}\n1,2,3,,\n\n1,2,3,,\n", ":4: point 2: iterations=2 after 2"),
        (f"{HEAD}\n2,2,3,,\n1,3,3,,\n", ":3: point 2: seconds=1.0 after 2.0"),
        (f'{HEAD}\n1,2,3,,"\n', ":2: this is no line of a log"),
        (f'{HEAD}\n1,2,3,"4"x,\n', ":2: this is no line of a log"),
    ],
)
def test_texts_that_are_none(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text)
    for place, read in (
        (str(path), lambda: Convergence.read(path)),
        ("y", lambda: Convergence.parse(text, "y")),
    ):
        with pytest.raises(FileError) as refusal:
            read()
        assert str(refusal.value).startswith(place + said)
        assert "\n" not in str(refusal.value)


def test_a_player_whose_regret_is_missing_is_found() -> None:
    head = "seconds,iterations,regret,regret a,regret b,coarse a,coarse b"
    with pytest.raises(FileError, match="y:2: this is no line of a log"):
        Convergence.parse(f"{head}\n1,2,3,4,,,\n", "y")


@pytest.mark.parametrize(
    "record",
    [
        *(
            None,
            [],
            {},
            "x",
            KNOWN.record | {"points": None},
            KNOWN.record | {"points": [[1]]},
        ),
        *(
            KNOWN.record | {"points": [[0, 1, math.nan]]},
            KNOWN.record | {"players": "ab"},
        ),
        *(KNOWN.record | {"name": 3}, KNOWN.record | {"points": [[1, 2, 3, 4, 5]]}),
        KNOWN.record | {"points": [[1, 2, 3, [], [], 6]]},
    ],
)
def test_records_that_are_none(record: Any) -> None:
    with pytest.raises(FileError, match="this is no record of a convergence: "):
        Convergence.from_record(record)


def test_how_far_it_came() -> None:
    assert KNOWN.last == KNOWN.points[-1]
    assert KNOWN.at_regret(2) == KNOWN.points[0]
    assert KNOWN.at_regret(0.1 + 0.2) == KNOWN.points[1]
    assert KNOWN.at_regret(0.3) == KNOWN.points[2]  # 0.1 + 0.2 is more
    assert KNOWN.at_regret(0) is None
    empty = Convergence("x", (), ())
    assert empty.last is None
    assert empty.at_regret(1) is None


def test_how_it_shows_itself() -> None:
    assert repr(KNOWN) == "<Convergence of CFR+: 3 points, 100 iterations in 0.1 s, regret 1e-05>"
    assert repr(Convergence("a\nb", (), ())) == "<Convergence of a b: no points yet>"
    lines = str(KNOWN).splitlines()
    assert lines[0] == "CFR+"
    assert lines[1].split("  ")[-2:] == ["regret of gambler", "regret of dealer"]
    assert len(lines) == 5
    picture = ElementTree.fromstring(KNOWN._repr_svg_())
    assert "CFR+" in [node.text for node in picture.iter()]
    assert Convergence("x", (), ())._repr_svg_() is None
    assert str(Convergence("x", ("one",), (Point(1, 1, 1),))).splitlines()[1].split() == [
        *("seconds", "iterations", "regret")
    ]


def test_it_plots_itself(tmp_path: Path) -> None:
    figure = KNOWN.plot(tmp_path / "x.png", against="iterations", title="kuhn")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert figure.axes[0].get_title(loc="left") == "kuhn"
    assert figure.axes[0].get_xlabel() == "iterations"
