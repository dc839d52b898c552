"""Files that version 0.1.0 wrote before its packages were renamed are read as they were written.

``data/`` holds one of each kind: solutions on trees (JSON) and on public forms, checkpoints of
regret minimization on trees and on public forms, and one of sampling.
"""

from __future__ import annotations

import json
import re
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset import Solution, games, sample, solve, start
from infoset.analysis.sweeps import plan
from infoset.analysis.sweeps.files import kept
from infoset.errors import FileError, InfosetError
from infoset.solvers.container import read_checkpoint, sealed, unsealed, write_checkpoint

DATA = Path(__file__).parent / "data"
KUHN = games.kuhn()
# Weights of its deals fit into 64 bits only when they are divided by what they share.
RIVER = games.holdem(
    board="Td9d6hQc2s",
    pot=20,
    stack=30,
    bets=(1,),
    raises=1,
    one="JJ,AQs,KJs,T9s:0.5,88,33,44,55,AJs,KQs,76s,54s,98s,QJs",
    two="88:0.99,AJs:0.3,KQo:0.17,98s,77:0.7,JJ:0.23,66,55:0.11,ATs:0.13",
)


def close(one: Any, other: Any) -> bool:
    """Equal but for rounding: the files were written where sums are added up in another order."""
    return abs(float(one) - float(other)) < 1e-12


@pytest.mark.parametrize(
    ("file", "game", "method", "value"),
    [
        ("kuhn-lp.json", KUHN, "lp", Fraction(-1, 18)),
        ("kuhn-cfr.json", KUHN, "cfr+", None),
        ("kuhn-public-lp.solution", KUHN.public(), "lp", Fraction(-1, 18)),
        ("kuhn-public-cfr.solution", KUHN.public(), "cfr+", None),
        ("holdem-public-cfr.solution", RIVER.public(), "cfr+", None),
        ("dilemma-enumerate.json", games.prisoners_dilemma(), "enumerate", None),
    ],
)
def test_solutions_are_read_and_verified(
    file: str, game: Any, method: str, value: Fraction | None, tmp_path: Path
) -> None:
    found = Solution.load(DATA / file, game)
    assert found.method == method
    if value is not None:
        assert (found.value, found.certificate) == (value, "exact")
    if method == "cfr+":
        assert found.convergence is not None
        assert found.convergence.points[-1].iterations == found.work["iterations"] == 20
        assert close(found.regret, solve(game, "cfr+", iterations=20).regret)
    found.save(tmp_path / "again")
    again = Solution.load(tmp_path / "again", game)
    assert (again.payoffs, again.regrets) == (found.payoffs, found.regrets)
    assert again.convergence == found.convergence


@pytest.mark.parametrize(
    ("file", "game", "method"),
    [
        ("kuhn-cfr.checkpoint", KUHN, "cfr+"),
        ("kuhn-3-cfr.checkpoint", games.kuhn(players=3), "cfr"),
        ("kuhn-public-cfr.checkpoint", KUHN.public(), "discounted-cfr"),
        ("holdem-public-cfr.checkpoint", RIVER.public(), "cfr+"),
    ],
)
def test_runs_are_resumed(file: str, game: Any, method: str, tmp_path: Path) -> None:
    shutil.copy(DATA / file, tmp_path / file)
    resumed = solve(game, method, iterations=50, checkpoint=tmp_path / file)
    whole = solve(game, method, iterations=50)
    assert all(map(close, resumed.payoffs.values(), whole.payoffs.values()))
    assert all(map(close, resumed.regrets.values(), whole.regrets.values()))
    run = start(game, method)
    run.resume(DATA / file)
    assert run.iterations == 20
    run.step(30)
    assert run.solution().regrets == resumed.regrets


def test_sampling_is_resumed(tmp_path: Path) -> None:
    file, tree = tmp_path / "run.checkpoint", KUHN.tree()
    shutil.copy(DATA / "kuhn-sampling.checkpoint", file)
    resumed = sample(tree, "external", iterations=80, seed=5, checkpoint=file)
    whole = sample(tree, "external", iterations=80, seed=5)
    assert resumed.on_tree(tree).payoffs == whole.on_tree(tree).payoffs
    run = start(tree, "external-sampling", seed=5)
    run.resume(DATA / "kuhn-sampling.checkpoint")
    assert run.iterations == 30


@pytest.mark.parametrize("file", sorted(path.name for path in DATA.iterdir()))
def test_every_kind_is_refused_for_another_game(file: str) -> None:
    game: Any = games.kuhn(ranks=4)
    other = game.public() if "public" in file else game
    method = "external-sampling" if "sampling" in file else "cfr+"

    def read() -> None:
        if file.endswith(".checkpoint"):
            start(other, method).resume(DATA / file)
        else:
            Solution.load(DATA / file, other)

    with pytest.raises(InfosetError, match=r"another game|has game|saved for") as refusal:
        read()
    assert "\n" not in str(refusal.value)


def test_a_checkpoint_is_no_solution() -> None:
    with pytest.raises(FileError, match="a checkpoint, no saved solution"):
        Solution.load(DATA / "kuhn-cfr.checkpoint", KUHN)


def test_names_of_games_were_once_written_with_python_fractions(tmp_path: Path) -> None:
    game, old = games.beer_quiche(strong=Fraction(3, 10)), "beer_quiche(strong=Fraction(3, 10))"
    solution = solve(game)
    solution.save(tmp_path / "new.json")
    record = unsealed(json.loads((tmp_path / "new.json").read_text()))
    assert record is not None
    (tmp_path / "old.json").write_text(json.dumps(sealed({**record, "game": old})))
    assert Solution.load(tmp_path / "old.json", game).payoffs == solution.payoffs

    sample(game, iterations=5, checkpoint=tmp_path / "run")
    facts, columns = read_checkpoint(tmp_path / "run")
    assert facts["game"] == "beer_quiche(strong=3/10)"
    write_checkpoint(tmp_path / "run", {**facts, "game": old}, columns)
    assert sample(game, iterations=9, checkpoint=tmp_path / "run").evaluation.iterations == 9

    file = tmp_path / "sweep.csv"
    values = {"strong": [Fraction(3, 10), Fraction(9, 10)]}
    asked = plan(games.beer_quiche, values)
    with kept(asked, file) as (_, keep):
        rows = list(asked.rows(keep=keep))
    was = r'"beer_quiche(strong=Fraction(\1, 10))"'
    file.write_text(re.sub(r"beer_quiche\(strong=(\d+)/10\)", was, file.read_text()))
    assert "Fraction" in file.read_text()
    with kept(asked, file) as (known, _):
        assert list(known) == [row.game for row in rows]
