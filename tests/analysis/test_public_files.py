"""Solutions of public forms in files: read again, verified again, and refused if they are not."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from infoset.errors import FileError, ParameterError
from infoset.forms.public import public_form
from infoset.forms.public.merge import merged
from infoset.games import kuhn, leduc
from infoset.solvers.container import PUBLIC_SOLUTION, read_container, write_container
from infoset.solvers.public import solve_public
from infoset.solvers.solution import Solution

HEAD = b"infoset public solution 1\n"  # of files before they had the common container


@cache
def solution(prove: bool = True) -> Solution:
    return solve_public(public_form(leduc()), iterations=20, prove=prove)


@pytest.mark.parametrize("prove", [True, False])
def test_what_is_saved_is_read_again(tmp_path: Path, prove: bool) -> None:
    file, saved = tmp_path / "leduc.solution", solution(prove)
    saved.save(file)
    for given in (leduc(), saved.evaluation.form):
        read = Solution.load(file, given)
        assert all(
            np.array_equal(*pair)
            for pair in zip(read.evaluation.plans, saved.evaluation.plans, strict=True)
        )
        assert read.payoffs == saved.payoffs
        assert read.regrets == saved.regrets
        assert str(read) == str(saved)
        assert read.work == saved.work
        assert read.seconds == pytest.approx(saved.seconds, abs=1e-6)


@pytest.mark.parametrize("fold", [True, False])
def test_a_game_is_folded_and_merged_as_the_file_says(tmp_path: Path, fold: bool) -> None:
    form = merged(public_form(leduc(), fold=fold))
    solve_public(form, iterations=3).save(tmp_path / "merged")
    read = Solution.load(tmp_path / "merged", leduc())
    assert read.evaluation.form.fingerprint == form.fingerprint
    assert read.evaluation.form.folded == form.folded


def written(file: Path, change: Callable[[dict[str, Any], Any], None], version: int = 2) -> None:
    """The file of a solution with its facts and plans changed, and a checksum that fits."""
    solution().save(file)
    facts, arrays = read_container(file, PUBLIC_SOLUTION)
    plans = np.frombuffer(zlib.decompress(arrays["plans"].tobytes())).copy()
    change(facts, plans)
    packed = zlib.compress(plans.tobytes())
    if version == 2:
        arrays["plans"] = np.frombuffer(packed, np.uint8)
        write_container(file, PUBLIC_SOLUTION, facts, arrays)
        return
    told = json.dumps(facts).encode()
    body = HEAD + len(told).to_bytes(8, "little") + told + packed
    file.write_bytes(body + hashlib.sha256(body).digest())


def change_payoff(facts: dict[str, Any], plans: Any) -> None:
    facts["payoffs"][0] = "1/2"


def change_plan(facts: dict[str, Any], plans: Any) -> None:
    first = solution().evaluation.form.sequences[0]
    plans[first - 3 : first] = plans[first - 3 : first][::-1] + 2.0**-20


def move_weight(facts: dict[str, Any], plans: Any) -> None:
    """From one option of the start to the other: still a plan there, but not below."""
    plans[1] -= 2.0**-10
    plans[4] += 2.0**-10


def off_the_grid(facts: dict[str, Any], plans: Any) -> None:
    first = solution().evaluation.form.sequences[0]
    plans[first + np.flatnonzero(plans[first:] == 0)[0]] = 2.0**-60


def below_zero(facts: dict[str, Any], plans: Any) -> None:
    plans[5] = -plans[5] - 1


def no_number(facts: dict[str, Any], plans: Any) -> None:
    plans[7] = np.nan


def no_method(facts: dict[str, Any], plans: Any) -> None:
    del facts["method"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (change_payoff, "its payoffs or regrets are not those of its plans"),
        (change_plan, "the weights of one do not sum to those before them"),
        (move_weight, "the weights of one do not sum to those before them"),
        (off_the_grid, "the plan of two is not as exact as the file says"),
        (below_zero, "the plan of one has weights that are none"),
        (no_number, "the plan of one has weights that are none"),
        (no_method, "it is not as it was written"),
    ],
)
@pytest.mark.parametrize("version", [1, 2])
def test_what_does_not_fit_is_found_out(
    tmp_path: Path, change: Any, said: str, version: int
) -> None:
    file = tmp_path / "changed"
    written(file, change, version)
    with pytest.raises(FileError, match=f"changed: damaged: {said}; solve again") as problem:
        Solution.load(file, solution().evaluation.form)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("version", [1, 2])
def test_an_unchanged_file_is_read_by_the_same_way(tmp_path: Path, version: int) -> None:
    written(tmp_path / "same", lambda facts, plans: None, version)
    assert Solution.load(tmp_path / "same", leduc()).regrets == solution().regrets


@pytest.mark.parametrize("version", [1, 2])
def test_damage_anywhere_is_found_out(tmp_path: Path, version: int) -> None:
    file = tmp_path / "damaged"
    written(file, lambda facts, plans: None, version)
    data = file.read_bytes()
    for at in range(0, len(data), len(data) // 50):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(FileError):
            Solution.load(file, solution().evaluation.form)
        file.write_bytes(data[:at])
        with pytest.raises(FileError):
            Solution.load(file, solution().evaluation.form)


def test_plans_that_are_too_long_are_not_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "long"
    solution().save(file)
    facts, arrays = read_container(file, PUBLIC_SOLUTION)
    arrays["plans"] = np.frombuffer(zlib.compress(bytes(10**8)), np.uint8)
    write_container(file, PUBLIC_SOLUTION, facts, arrays)
    count = sum(solution().evaluation.form.sequences)
    with pytest.raises(FileError, match=f"its plans are not of {count:,} sequences"):
        Solution.load(file, solution().evaluation.form)


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "leduc"
    solution().save(file)
    with pytest.raises(
        FileError, match=r"saved for leduc\(\) \(suits ♠ ♥ alike\), and this is kuhn"
    ):
        Solution.load(file, kuhn())
    with pytest.raises(FileError, match="another game or form"):
        Solution.load(file, public_form(leduc(), fold=False))
    with pytest.raises(ParameterError, match="is no game and no public form"):
        Solution.load(file, "leduc")
    with pytest.raises(FileError, match="there is no such file"):
        Solution.load(tmp_path / "none", leduc())
    file.write_bytes(b"{}")
    with pytest.raises(FileError, match="no solution file"):
        Solution.load(file, leduc())
    file.write_bytes(b"infoset public solution 3\n")
    with pytest.raises(FileError, match="of version 3; this is Infoset for version 2"):
        Solution.load(file, leduc())
