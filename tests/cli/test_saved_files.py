"""``--load``, ``--compare`` and ``--checkpoint`` with files of other kinds and other games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.solvers.container import apart
from tests.cli.test_public import no_tree, out, refusal, screen

__all__ = ["no_tree", "screen"]  # fixtures


def test_a_saved_solution_says_what_it_is_of(tmp_path: Path) -> None:
    file = str(tmp_path / "leduc.sol")
    base = ("solve", "leduc", "--public", "--iterations", "3", "--json")
    for more in ((), ("--no-fold",), ("--merge",), ("--no-fold", "--merge")):
        saved = json.loads(out(*base, *more, "--save", file))
        loaded = json.loads(out("solve", "leduc", "--load", file, "--json"))
        assert loaded["folded"] == saved["folded"]
        assert loaded["strategies"] == saved["strategies"]
    out(*base, "--save", file)
    said = refusal("solve", "leduc", "--no-fold", "--load", file)
    assert "saved for leduc() (suits ♠ ♥ alike), and this is leduc()" in said
    said = refusal("solve", "leduc", "--load", file, "--max-nodes", "9999")
    assert f"--max-nodes needs the tree; {file} is a solution of a public form" in said


@pytest.mark.usefixtures("no_tree")
def test_files_of_another_kind_are_named(tmp_path: Path) -> None:
    base = ("solve", "leduc", "--public", "--iterations", "3")
    solution, run, noise = (str(tmp_path / name) for name in ("a.sol", "a.run", "noise"))
    out(*base, "--save", solution, "--checkpoint", run)
    Path(noise).write_bytes(bytes(range(256)))
    empty = tmp_path / "empty"
    empty.touch()
    for words in (("solve", "leduc", "--public"), ("solve", "leduc")):
        said = refusal(*words, "--load", run)
        assert "no saved solution; infoset solve GAME --checkpoint FILE resumes it" in said
    for file in (noise, str(empty)):
        said = refusal("solve", "leduc", "--public", "--load", file)
        assert "no solution of a public form; infoset solve GAME --public --save FILE" in said
    assert "no solution file, but a binary file" in refusal("solve", "leduc", "--load", noise)
    said = refusal("solve", "leduc", "--tree", "--load", solution)
    assert "a solution of a public form, and one of the tree is wanted" in said
    assert "there is no such file" in refusal("solve", "leduc", "--load", str(tmp_path / "none"))


def test_solutions_of_public_forms_can_be_asked_about(tmp_path: Path) -> None:
    file = str(tmp_path / "k.sol")
    out("solve", "kuhn", "--public", "--save", file)
    told = out("ask", "kuhn", "--values", "Q, bet", "--load", file)
    assert told.startswith("actions of dealer: Q, bet")
    assert "value          -1/18" in out("ask", "kuhn", "--load", file)
    assert "-1/18" in out("ask", "kuhn", "--compare", file)
    out("convert", "kuhn", str(tmp_path / "k.efg"))
    assert "k.sol" in refusal("ask", str(tmp_path / "k.efg"), "--load", file)
    out("solve", "kuhn", "--save", file)
    said = refusal("solve", "kuhn", "--public", "--load", file)
    assert "no solution of a public form; it is one of the tree; leave out --public" in said


def test_parameters_that_differ_are_named(tmp_path: Path) -> None:
    file, saved = str(tmp_path / "a.run"), str(tmp_path / "a.sol")
    spot = ("board=Ks 7d 2c 9h 3s", "bets=1", "one=QQ+ AKs 65s", "two=KQs 99-77")
    base = ("solve", "holdem", *spot, "--public")
    out(*base, "pot=10", "--iterations", "1", "--checkpoint", file, "--save", saved)
    said = refusal(*base, "pot=12", "--iterations", "1", "--checkpoint", file)
    assert "of another game: holdem(…), not holdem(…, pot=12); name another file" in said
    assert "saved for holdem(…), and this is holdem(…, pot=12)" in refusal(
        *base, "pot=12", "--load", saved
    )


PARAMETERS = st.dictionaries(
    st.sampled_from(["one", "two", "board", "pot"]), st.text("ab ,()='\"\\\\", max_size=90)
)


def named(parameters: dict[str, str]) -> str:
    return f"game({', '.join(f'{key}={value!r}' for key, value in parameters.items())})"


@given(PARAMETERS, PARAMETERS)
def test_names_are_told_apart_by_what_differs(
    first: dict[str, str], second: dict[str, str]
) -> None:
    told = apart(named(first), named(second))
    if first != second:
        assert told[0] != told[1]
    if max(map(len, (named(first), named(second)))) > 60:
        for key in first:
            shown = any(f"{key}=" in words for words in told)
            assert shown or first[key] == second.get(key)
    assert all(len(words) < 400 for words in told)
