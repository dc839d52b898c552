"""Matches: what they estimate, how they are recorded, resumed and shared between processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from infoset import Play, Tree, game, solve
from infoset.cli.app import call
from infoset.errors import FileError, InfosetError, ParameterError
from infoset.games import kuhn, leduc
from infoset.play import RandomPlayer, Seated, match, read_records, replayed
from infoset.strategy import profile, uniform
from tests.cli.test_command import refusal


def expected(tree: Tree, strategy: Any) -> float:
    """What a solution gets against uniform play, the mean of both seats."""
    one = profile([strategy["gambler"], uniform(tree, "dealer")]).payoffs["gambler"]
    two = profile([uniform(tree, "gambler"), strategy["dealer"]]).payoffs["dealer"]
    return float(one + two) / 2


def test_the_interval_contains_the_expectation() -> None:
    tree = kuhn().tree()
    solution = solve(tree)
    truth = expected(tree, solution.profile)
    found = [
        match(kuhn(), [solution, "random"], games=400, seed=seed).standings()[0]
        for seed in range(20)
    ]
    assert sum(one.low <= truth <= one.high for one in found) >= 17
    assert sum(one.mean for one in found) / 20 == pytest.approx(truth, abs=0.03)


def test_luck_cancels() -> None:
    solution = solve(kuhn())
    played = match(kuhn(), [solution, solution], games=200)
    one, two = played.standings()
    assert one.mean == -two.mean
    assert one.low == one.high == 0  # the same cards, the same play, both seats
    deals = [game.record.moves[0] for game in played.games]
    assert deals[0::2] == deals[1::2]
    assert len(set(deals)) == 6


def test_every_entrant_sits_everywhere() -> None:
    played = match(kuhn(players=3), ["random"] * 4, games=5)
    assert len(played.games) == 4 * 6  # four groups of three, five games rounded up to two rounds
    for at in range(4):
        seats = [seat for game in played.games for seat, one in game.seats.items() if one == at]
        assert {seats.count(seat) for seat in set(seats)} == {6}
    assert played.mean_against(0, 1) is not None


def test_processes_play_the_same_games() -> None:
    alone = match(leduc(), ["random", "random"], games=12, seed=5)
    shared = match(leduc(), ["random", "random"], games=12, seed=5, jobs=2)
    assert [game.record.moves for game in alone.games] == [
        game.record.moves for game in shared.games
    ]
    assert alone.standings() == shared.standings()


# ------------------------------------------------------------------ records


def test_records_replay(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    match(leduc(), ["random", "random"], games=10, record=file)
    games = read_records(file)
    assert len(games) == 10
    for one in games:
        assert replayed(leduc().position(), one.record).payoffs == one.record.payoffs


def test_a_match_is_resumed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    asked = {"games": 30, "seed": 2}
    whole = match(leduc(), ["random", "random"], **asked)
    match(leduc(), ["random", "random"], games=8, seed=2, record=file)
    half = file.read_bytes()
    for torn in (half, half[:-1], half[:-17], half[:40], b""):
        file.write_bytes(torn)
        again = match(leduc(), ["random", "random"], **asked, record=file)
        assert again.standings() == whole.standings()
        assert [game.number for game in read_records(file)] == list(range(30))


def test_a_killed_match_loses_and_repeats_nothing(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    words = [
        sys.executable, "-m", "infoset", "match", "leduc", "random", "random",
        "--games", "4000", "--record", str(file), "--json",
    ]  # fmt: skip
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    while not file.exists() or file.stat().st_size < 20_000:
        time.sleep(0.02)
        assert running.poll() is None
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    before = len(read_records(file))
    assert 0 < before < 4000
    games = before + 40
    played = match(leduc(), ["random", "random"], games=games, record=file)
    numbers = [game.number for game in read_records(file)]
    assert sorted(numbers) == list(range(len(played.games)))


def test_files_that_are_no_records(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    match(kuhn(), ["random", "random"], games=4, record=file)
    good = file.read_text()
    for text, said in (
        ("hello\n", ":1: not a line"),
        ("[]\n", "not the record of a match"),
        (good.replace('"seed": 0', '"seed": 1'), "its seed is 1, not 0"),
        (good.replace("kuhn()", "chess"), "its game is 'chess'"),
        (good.replace('"payoffs"', '"pay"'), ":2: not a line"),
        (good.replace('"1"', '"1/0"').replace('"-1"', '"x"'), "not a line"),
    ):
        file.write_text(text)
        with pytest.raises(FileError, match=said.replace("(", r"\(")) as raised:
            match(kuhn(), ["random", "random"], games=4, record=file)
        assert "\n" not in str(raised.value)
        assert file.read_text() == text  # nothing is lost
    with pytest.raises(FileError, match="folder"):
        match(kuhn(), ["random", "random"], record=tmp_path)
    with pytest.raises(FileError, match="no such folder"):
        match(kuhn(), ["random", "random"], record=tmp_path / "no" / "games.jsonl")


# ------------------------------------------------------------------ entrants


PLAYERS = """
class Bold:
    def begin(self, game, seat, clock): pass
    def told(self, fact): pass
    def choose(self, options): return options[-1]

class Lame:
    pass
"""


def test_players_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(PLAYERS)
    solve(kuhn()).save(tmp_path / "kuhn.sol")
    names = ["random", f"solution:{tmp_path}/kuhn.sol", f"{tmp_path}/mine.py:Bold"]
    assert call(["match", "kuhn", *names, "--games", "10", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 30
    assert [one["name"] for one in found["players"]] == names
    for one in found["players"]:
        assert one["low"] <= one["mean"] <= one["high"]
        assert one["forfeits"] == 0
    assert found["seconds"] > 0


def test_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.py").write_text(PLAYERS)
    for words, said in (
        (["kuhn", "random"], "a game for 2"),
        (["kuhn"], "name the players"),
        (["kuhn", "random", "randon"], "did you mean 'random'"),
        (["kuhn", "random", "random:depth=2"], "takes no settings"),
        (["kuhn", "random", "solution"], "needs a file"),
        (["kuhn", "random", "solution:none.sol"], "no such file"),
        (["kuhn", "random", f"{tmp_path}/mine.py:Bald"], "did you mean 'Bold'"),
        (["kuhn", "random", f"{tmp_path}/none.py:Bold"], "no such file"),
        (["kuhn", "ranks=x", "random", "random"], "ranks must be"),
        (["kuhn", "random", "random", "--games", "0"], "games"),
        (["kuhn", "random", "random", "--time", "0"], "more than 0"),
    ):
        assert said in refusal(capsys, "match", *words)


def test_faults_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLAYERS.replace("options[-1]", "options[9]"))
    assert call(["match", "kuhn", "random", f"{tmp_path}/mine.py:Bold", "--games", "6"]) == 0
    told = capsys.readouterr().out
    assert "IndexError" in told
    assert "+2.0000" in told


def test_what_is_no_entrant() -> None:
    with pytest.raises(ParameterError, match="no player"):
        match(kuhn(), [7, "random"])

    class Needs(Seated):
        def __init__(self, depth: int) -> None:
            self.depth = depth

    with pytest.raises((InfosetError, TypeError)):
        match(kuhn(), [Needs, "random"])


def test_forfeits_of_a_team_are_counted() -> None:
    @game(players={"team": ("east", "west"), "lone": "lone"})
    def bridge(g: Play) -> object:
        g.choose("east", ("a", "b"))
        g.choose("lone", ("a", "b"))
        g.choose("west", ("a", "b"))
        return g.win("team")

    class Refuses(RandomPlayer):
        """Is no west."""

        def decide(self, view: Any, options: tuple[Any, ...]) -> Any:
            return "c" if self.seat == "west" else options[0]

    played = match(bridge(), [Refuses, "random"], games=6)
    one, two = played.standings()
    assert (one.forfeits, two.forfeits) == (3, 0)
    assert all(fault.startswith("Refuses") for fault in played.faults())


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")
def test_workers_end_with_a_match_that_is_killed() -> None:
    code = (
        "from infoset.games import kuhn; from infoset.play import match;"
        "match(kuhn(), ['random', 'random'], games=100_000, jobs=2,"
        " watch=lambda played, whole: print('played', flush=True))"
    )
    killed = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    assert killed.stdout.readline() == "played\n"
    of_match = _children(killed.pid)
    assert len(of_match) >= 2
    killed.kill()
    killed.wait()
    killed.stdout.close()
    until = time.monotonic() + 20
    while any(Path(f"/proc/{one}").is_dir() for one in of_match):
        assert time.monotonic() < until
        time.sleep(0.2)


def _children(process: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):
                told = (folder / "stat").read_text().rpartition(")")[2].split()
                if int(told[1]) == process:
                    found.append(int(folder.name))
    return found
