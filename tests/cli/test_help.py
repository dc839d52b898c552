"""Help and refusals, as far as they are made from the declarations of the options."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from infoset.cli.app import COMMANDS
from infoset.cli.options import Option
from infoset.cli.solve_options import SolveRequest
from infoset.solvers.registry import SOLVERS
from tests.cli.test_command import out, refusal

HEAVY = ("numba", "scipy", "matplotlib", "rich")


def command(name: str) -> Any:
    return import_module(f"infoset.cli.{name}").command


OPTIONS: list[Option] = list(command("solve").options)
SPECIAL = [one for one in OPTIONS if one.takes is not None]


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.usefixtures("wide")
def test_the_help_of_solve_fits_on_two_screens(capsys: pytest.CaptureFixture[str]) -> None:
    told = out(capsys, "solve", "--help").splitlines()
    assert len(told) < 64
    assert max(map(len, told)) <= 100
    common = [one for one in OPTIONS if one.takes is None and one.flags]
    text = "\n".join([*told, ""])
    assert all(f"  {one.usage} " in text for one in common)
    assert all(f"{one.flag}," in text or f"{one.flag}\n" in text for one in SPECIAL)
    assert text.index("--method NAME") < text.index("--max-nodes") < text.index("--iterations")


@pytest.mark.parametrize("method", [row.name for row in SOLVERS])
def test_the_help_on_a_method_has_its_options_and_no_others(
    capsys: pytest.CaptureFixture[str], method: str
) -> None:
    told = out(capsys, "solve", "--help", method)
    (row,) = (row for row in SOLVERS if row.name == method)
    words = " ".join(told.split())
    assert f"--method {method}" in words
    for fact in (row.takes, row.form, row.gives_text):
        assert fact in words
    for one in SPECIAL:
        assert one.takes is not None
        assert (f"\n  {one.usage}" in told) == one.takes(row), one.flag


def test_help_says_what_holds_if_nothing_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    told = out(capsys, "solve", "-h", "discounted-cfr")
    assert "--exponents A,B,C" in told
    assert "--workers N" in told
    assert "[default: 60]" in told
    assert "no method 'cfrp'" in refusal(capsys, "solve", "--help", "cfrp")
    assert out(capsys, "solve", "kuhn", "--help") == out(capsys, "solve", "--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_listed_and_has_help(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert f"  {name} " in out(capsys, "--help")
    told = out(capsys, name, "--help")
    assert told.startswith(f"Usage: infoset {name} ")
    for one in command(name).options:
        assert one.help
        assert one.flag in told


@pytest.mark.parametrize("words", [("--help",), ("solve", "--help"), ("solve", "--help", "smab")])
def test_help_is_quick(words: tuple[str, ...]) -> None:
    code = (
        f"import sys; from infoset.cli import run; run({list(words)!r});"
        f" print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def example(one: Option) -> list[str]:
    """The option with some value."""
    if one.type is bool:
        return [one.flag]
    if one.type in (int, float):
        return [one.flag, "1"]
    return [one.flag, "1,2,3" if one.name == "exponents" else "alternating"]


@pytest.mark.parametrize("one", SPECIAL, ids=[one.flag for one in SPECIAL])
def test_an_option_of_other_methods_is_refused_by_its_name(
    capsys: pytest.CaptureFixture[str], one: Option
) -> None:
    assert one.takes is not None
    fitting = [row.name for row in SOLVERS if one.takes(row)]
    assert fitting
    if one.flag in ("--averaging", "--precision", "--every", "--cluster"):
        return  # whose values are checked before the method
    (other, *_) = (row.name for row in SOLVERS if row.name not in fitting)
    said = refusal(capsys, "solve", "kuhn", "--method", other, *example(one))
    assert f"{one.flag} does not go with --method {other}; it goes with " in said
    assert fitting[0] in said


def test_no_two_options_share_a_name() -> None:
    for name in COMMANDS:
        flags = [flag for one in command(name).options for flag in one.flags]
        assert len(flags) == len(set(flags)), name


def test_a_request_is_made_of_records() -> None:
    made = command("solve").made({"game__name": "kuhn", "run__iterations": 5})
    assert isinstance(made, SolveRequest)
    assert (made.game.name, made.run.iterations, made.keywords) == ("kuhn", 5, {"iterations": 5})
