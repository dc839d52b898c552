"""Messages: the library names keywords, the command names options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import infoset
from infoset.cli.messages import in_options

SOURCES = Path(infoset.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z]")
FLAGS = {
    "depth": "--depth N",
    "seconds": "--time SECONDS",
    "bounds": "--bounds LOW,HIGH",
    "order": "--order WAY",
    "compiled": "--compiled/--interpreted",
    "exact": "--exact/--floats",
    "transpositions": "--transpositions/--no-transpositions",
    "exponents": "--exponents A,B,C",
    "regret": "--regret X",
    "max_nodes": "--max-nodes N",
    "missing": "--missing HOW",
}


def texts(file: Path) -> Iterator[tuple[int, str]]:
    """The texts in a module with their lines, docstrings included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_nothing_below_the_command_names_an_option() -> None:
    below = (file for file in SOURCES.rglob("*.py") if SOURCES / "cli" not in file.parents)
    found = [
        f"{file.relative_to(SOURCES)}:{line}: {text[:60]}"
        for file in below
        for line, text in texts(file)
        if OPTION.search(text)
    ]
    assert found == []


def test_the_search_for_options_finds_some() -> None:
    found = [text for _, text in texts(SOURCES / "cli" / "messages.py") if OPTION.search(text)]
    assert len(found) > 3


@pytest.mark.parametrize(
    ("python", "command"),
    [
        ("depth=0: give more", "--depth 0: give more"),
        ("seconds=-1: give a time", "--time -1: give a time"),
        ("regret=nan: no", "--regret nan: no"),
        (
            "g(order='up', depth=3): x; give depth= now",
            "g(order='up', depth=3): x; give --depth now",
        ),
        ("g(depth=3, bounds=(1, 2)): no", "g(depth=3, bounds=(1, 2)): no"),
        ("stops short; give bounds=(least, most)", "stops short; give --bounds LOW,HIGH"),
        ("give bounds= that hold", "give --bounds that hold"),
        ("order='foo': known: 'bar'", "--order foo: known: 'bar'"),
        ("exponents=(1.5, -1.0, 2.0): no", "--exponents 1.5,-1.0,2.0: no"),
        ("compiled=False searches by the rules", "--interpreted searches by the rules"),
        ("more than 20 nodes; raise max_nodes= or", "more than 20 nodes; raise --max-nodes or"),
        (
            "missing='uniform' or missing=solution",
            "--missing uniform or --missing solution",
        ),
        (
            "compiled=True: an evaluator is Python; leave it out to search in Python",
            "--compiled: an evaluator is Python; --interpreted searches in Python",
        ),
        ("reorder=3 and border= are none of ours", "reorder=3 and border= are none of ours"),
        ("'order=up' is not a parameter", "'order=up' is not a parameter"),
        (
            "f: no solution; solve(game).save(file)",
            "f: no solution; infoset solve GAME --save FILE",
        ),
    ],
)
def test_keywords_are_called_as_they_are_typed(python: str, command: str) -> None:
    assert in_options(python, FLAGS) == command
