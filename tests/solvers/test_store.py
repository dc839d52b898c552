"""Solutions in files: what is written is read again and verified; what is damaged is refused."""

from __future__ import annotations

import hashlib
import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import games, solve
from infoset.errors import FileError
from infoset.solvers.solution import Solution
from infoset.strategy import Mixed, equivalent
from infoset.tree import Builder, matrix_game
from tests.disk import files_of_at_most
from tests.oracles.published import methods
from tests.rules.random_games import random_rules
from tests.solvers.conftest import refused

F = Fraction


def assert_same(one: Solution, two: Solution) -> None:
    for said in (
        "method",
        "because",
        "note",
        "payoffs",
        "regrets",
        "certificate",
        "value",
        "exact",
    ):
        assert getattr(one, said) == getattr(two, said)
    assert dict(one.work) == dict(two.work)
    assert two.seconds == pytest.approx(one.seconds, abs=1e-6)
    for mine, yours in zip(one.strategy.values(), two.strategy.values(), strict=True):
        assert type(mine) is type(yours)
        assert str(mine) == str(yours)


@pytest.mark.parametrize(
    "game",
    [
        games.kuhn(),
        games.koller_megiddo_von_stengel(),
        games.prisoners_dilemma(),
        games.oil_pricing(),
        games.blair_g1(),
        games.blair_g2(),
        games.absent_minded(),
        games.centipede(),
        matrix_game([[F(1, 3), -(10**20)], [0, F(1, 10**9 + 7)]]),
        matrix_game([[7]]),
    ],
    ids=lambda game: game.tree().name,
)
def test_there_and_back(game: Any, tmp_path: Path) -> None:
    tree = game.tree()
    for method in methods(tree):
        for exact in (None, False):
            solution = solve(tree, method, exact=exact)
            solution.save(tmp_path / "x.json")
            assert_same(solution, Solution.load(tmp_path / "x.json", game))
    assert os.listdir(tmp_path) == ["x.json"]


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(1, 2),
    depth=st.integers(0, 5),
    forgetful=st.booleans(),
)
def test_any_game_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, seed: int, players: int, depth: int, forgetful: bool
) -> None:
    tree = random_rules(seed, players, depth, forgetful)().tree()
    path = tmp_path_factory.getbasetemp() / "random.json"
    for method in methods(tree, 400):
        solution = solve(tree, method)
        solution.save(path)
        again = Solution.load(path, tree)
        assert again.payoffs == solution.payoffs
        assert again.certificate == solution.certificate == "exact"
        for one, two in zip(solution.verified, again.verified, strict=True):
            assert equivalent(one, two)


def test_a_mixed_strategy_that_no_behaviour_can_say(tmp_path: Path) -> None:
    """Two who may not speak agree on one of two plans beforehand; that is no behaviour."""
    b = Builder(("team", "seeker"), "hide together")
    sides = ("left", "right")
    for east, one in zip(sides, b.decide(b.root, "team", sides, infoset="east"), strict=True):
        for west, two in zip(sides, b.decide(one, "team", sides, infoset="west"), strict=True):
            guesses = b.decide(two, "seeker", sides, infoset="all")
            for guess, end in zip(sides, guesses, strict=True):
                b.pay(end, (1, -1) if east == west != guess else (-1, 1))
    tree = b.build()
    for method in methods(tree):
        solution = solve(tree, method)
        assert solution.value == 0
        assert isinstance(solution.strategy["team"], Mixed)
        solution.save(tmp_path / "x.json")
        again = Solution.load(tmp_path / "x.json", tree)
        assert_same(solution, again)
        assert again.strategy["team"] == solution.strategy["team"]


def test_what_to_do_where_no_play_comes_is_kept(tmp_path: Path) -> None:
    """A subgame-perfect answer is one everywhere, and stays one."""
    solution = solve(games.centipede())
    solution.save(tmp_path / "x.json")
    again = Solution.load(tmp_path / "x.json", games.centipede())
    for own in again.strategy.values():
        assert all(row["stop"] == 1 for row in own.values())


def test_the_file_is_readable_and_names_its_game(saved: Path) -> None:
    record = json.loads(saved.read_text())
    assert record["format"] == "infoset solution"
    assert record["version"] == 1
    assert record["game"] == "kuhn()"
    assert record["payoffs"] == {"gambler": "-1/18", "dealer": "1/18"}
    assert record["regrets"] == {"gambler": "0", "dealer": "0"}
    assert record["certificate"] == "exact"
    rows = record["strategies"][1]["behaviour"]
    assert {"knows": "K, bet", "plays": [["pass", "0"], ["bet", "1"]]} in rows


def test_another_game_is_refused(saved: Path) -> None:
    said = refused(saved, games.kuhn(ranks=4))
    assert "a solution of another game" in said
    assert "kuhn()" in said
    assert "kuhn(ranks=4)" in said
    # The same shape with other stakes is another game, too.
    assert "another game" in refused(saved, games.kuhn(bet=2))


def test_a_game_under_another_name_is_the_same_game(tmp_path: Path) -> None:
    solve(matrix_game([[1, 0], [0, 1]], name="one")).save(tmp_path / "x")
    again = Solution.load(tmp_path / "x", matrix_game([[1, 0], [0, 1]], name="two"))
    assert again.value == F(1, 2)
    assert again.tree.name == "two"


# ---------------------------------------------------------------------- saving


def test_a_full_disk_leaves_the_old_file(saved: Path) -> None:
    old = saved.read_text()
    solution = solve(games.leduc(ranks=2))
    with (
        files_of_at_most(5_000),
        pytest.raises(FileError, match="it cannot be written: File too large") as refusal,
    ):
        solution.save(saved)
    assert "\n" not in str(refusal.value)
    assert saved.read_text() == old
    assert os.listdir(saved.parent) == [saved.name]


def test_a_disk_that_fails_at_the_last_moment(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = saved.read_text()

    def full(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left on device"):
        solve(games.kuhn(ranks=4)).save(saved)
    assert saved.read_text() == old


def test_folders_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(games.kuhn())
    with pytest.raises(FileError, match="there is no such folder"):
        solution.save(tmp_path / "nowhere" / "x.json")
    with pytest.raises(FileError, match="this is a folder"):
        solution.save(tmp_path)

    def no(*_args: object, **_names: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", no)
    with pytest.raises(FileError, match="permission denied; it cannot be written"):
        solution.save(tmp_path / "x.json")
    assert os.listdir(tmp_path) == []


def test_saving_again_replaces_in_one_step(saved: Path) -> None:
    with open(saved) as before:
        solve(games.kuhn(), "lcp").save(saved)
        assert json.loads(before.read())["method"] == "lp"
    assert Solution.load(saved, games.kuhn()).method == "lcp"


def test_numbers_too_long_for_decimals(tmp_path: Path) -> None:
    """Python refuses decimal texts of more than 4,300 digits; a solution may have such numbers.

    Hide and seek: what is worth d_i is hidden with a probability in proportion to 1/d_i.
    """
    prizes = [10**560 + 10**k + 1 for k in range(8)]
    game = matrix_game([[d if i == j else 0 for j in range(8)] for i, d in enumerate(prizes)])
    solution = solve(game, "lcp")
    assert solution.value == 1 / sum(F(1, d) for d in prizes)
    assert solution.value.numerator > 10**4300
    solution.save(tmp_path / "x.json")
    again = Solution.load(tmp_path / "x.json", game)
    assert again.payoffs == solution.payoffs
    assert again.certificate == "exact"


def test_payoffs_too_long_for_decimals(tmp_path: Path) -> None:
    game = matrix_game([[10**5000, 0], [0, 1]])
    solution = solve(game, "lcp")
    solution.save(tmp_path / "x.json")
    assert Solution.load(tmp_path / "x.json", game).payoffs == solution.payoffs


def test_probabilities_too_long_for_decimals_are_shown() -> None:
    prizes = [10**700 + 10**k + 1 for k in range(8)]
    game = matrix_game([[d if i == j else 0 for j in range(8)] for i, d in enumerate(prizes)])
    assert "certificate  exact" in str(solve(game, "lcp"))


# ---------------------------------------------------------------------- what only some methods find


@pytest.mark.parametrize(
    ("game", "method"),
    [
        (games.beer_quiche(), "enumerate"),
        (games.absent_minded(), "enumerate"),
        (games.seltens_horse(), "pure"),
        (games.kuhn(), "quasi-perfect"),
        (games.seltens_horse(), "qre"),
        (games.absent_minded(), "behaviour"),
    ],
    ids=str,
)
def test_several_equilibria_and_beliefs_there_and_back(
    tmp_path: Path, game: Any, method: str
) -> None:
    path = tmp_path / "found.json"
    solution = solve(game, method)
    solution.save(path)
    again = Solution.load(path, solution.tree)
    assert again.regrets == solution.regrets
    assert again.certificate == solution.certificate
    assert [one.payoffs for one in again.equilibria] == [one.payoffs for one in solution.equilibria]
    assert (again.complete, again.components) == (solution.complete, solution.components)
    assert ("was not checked" in again.note) == solution.complete
    assert str(again.sequential) == str(solution.sequential)
    again.save(path)
    assert Solution.load(path, solution.tree).note == again.note


def tampered(path: Path, change: Any) -> None:
    """Change a file, and make its checksum fit again."""
    record = json.loads(path.read_text())
    del record["checksum"]
    change(record)
    plain = json.dumps(record, sort_keys=True, separators=(",", ":"))
    record["checksum"] = hashlib.sha256(plain.encode()).hexdigest()
    path.write_text(json.dumps(record))


@pytest.mark.parametrize(
    ("method", "change"),
    [
        ("enumerate", lambda r: r["components"][0].update(dimension=7)),
        ("enumerate", lambda r: r["components"][0].update(members=[0, 99])),
        ("enumerate", lambda r: r["components"].pop()),
        ("enumerate", lambda r: r["components"].append("x")),
        ("enumerate", lambda r: r["others"].append(r["others"][0][:1])),
        ("enumerate", lambda r: r["others"].append(r["others"][0][::-1])),
        ("enumerate", lambda r: r.update(others=3)),
        ("enumerate", lambda r: r["others"][0][0]["behaviour"][0].update(plays=[["beer", "2"]])),
        (
            "enumerate",
            lambda r: r["others"][0][1]["behaviour"][0].update(
                plays=[["duel", "1/3"], ["retreat", "2/3"]]
            ),
        ),
        ("quasi-perfect", lambda r: r["beliefs"].pop()),
        ("quasi-perfect", lambda r: r["beliefs"][-1].__setitem__(0, "3")),
        ("quasi-perfect", lambda r: r["beliefs"].__setitem__(0, 5)),
        ("quasi-perfect", lambda r: r["trembles"][0].__setitem__(0, ["1"])),
        ("quasi-perfect", lambda r: r["trembles"].append([["1"]])),
        ("quasi-perfect", lambda r: r.update(trembles="x")),
    ],
)
def test_what_was_changed_by_hand_is_refused(tmp_path: Path, method: str, change: Any) -> None:
    path = tmp_path / "found.json"
    solve(games.beer_quiche(), method).save(path)
    tampered(path, change)
    with pytest.raises(FileError, match="damaged") as refusal:
        Solution.load(path, games.beer_quiche())
    assert "\n" not in str(refusal.value)


def test_wrong_beliefs_are_found_out_by_the_check_of_consistency(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    solve(games.beer_quiche(), "quasi-perfect").save(path)
    tampered(path, lambda r: r["beliefs"].__setitem__(2, ["1/3", "2/3"]))
    found = Solution.load(path, games.beer_quiche()).sequential
    assert found is not None
    assert not found
