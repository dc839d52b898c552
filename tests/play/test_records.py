"""Records of matches: what is refused before anything is written, and what is shown of them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset import Play, game, solve
from infoset.cli.app import call
from infoset.errors import FileError, RulesError
from infoset.games import kuhn, leduc
from infoset.play import GameRecord, MatchGame, Seated, aivat, match, read_records, replayed
from tests.cli.test_command import refusal

RANDOM = ["random", "random"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The record of eight games of Kuhn poker."""
    path = tmp_path / "games.jsonl"
    match(kuhn(), RANDOM, games=8, record=path)
    return path


def refused(file: Path, *said: str, games: Any = None, **asked: Any) -> str:
    """The one line that refuses to continue a record, which stays as it is."""
    before = file.read_bytes()
    with pytest.raises(FileError) as raised:
        match(games or kuhn(), RANDOM, **{"games": 12, "record": file, **asked})
    assert file.read_bytes() == before
    message = str(raised.value)
    assert "\n" not in message
    assert len(message) < 600
    for part in said:
        assert part in message
    return message


# ------------------------------------------------------------------ what is shown


def test_a_finished_record_is_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = file.read_bytes()
    for games, more in (("8", False), ("7", False), ("2", True)):
        words = ["match", "kuhn", *RANDOM, "--games", games, "--record", str(file)]
        assert call(words) == 0
        told = capsys.readouterr().out
        assert "kuhn(): 8 games" in told
        assert ("more than the 2 games" in told) == more
        assert call([*words, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["games"] == found["players"][0]["games"] == 8
    assert file.read_bytes() == before


def test_a_resumed_match_is_the_same_as_one_that_was_not_stopped(file: Path) -> None:
    seen: list[int] = []
    whole = match(kuhn(), RANDOM, games=12)
    again = match(
        kuhn(), RANDOM, games=12, record=file, watch=lambda one, _: seen.append(len(one.games))
    )
    assert [one.record.moves for one in again.games] == [one.record.moves for one in whole.games]
    assert seen == [8, 9, 10, 11, 12]  # also before the first new game


def test_games_are_shown_when_the_rules_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "failing.py"
    rules.write_text(
        "from infoset import game\n"
        "@game(players=('a', 'b'))\n"
        "def failing(g):\n"
        "    drawn = g.chance(range(9))\n"
        "    x = g.choose('a', (0, 1))\n"
        "    if drawn == 7: return 1 / 0\n"
        "    return g.win('a', x)\n"
    )
    words = ["match", f"{rules}:failing", *RANDOM, "--games", "400", "--json"]
    for more in ([], ["--jobs", "2"], ["--record", str(tmp_path / "games.jsonl")]):
        with pytest.raises(RulesError, match="ZeroDivisionError"):
            call([*words, *more])
        found = json.loads(capsys.readouterr().out)
        assert 0 < found["games"] < 400


# ------------------------------------------------------------------ what is refused


def test_nothing_counts_twice(file: Path) -> None:
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines, *lines[2:5]]))  # the same lines once more
    assert len(read_records(file)) == 8
    assert len(match(kuhn(), RANDOM, games=8, record=file).games) == 8
    file.write_text("".join([*lines[:4], lines[4].replace('"game": 3', '"game": 1')]))
    refused(file, f"{file}:5", "line 3", "game 1", "remove the line")
    with pytest.raises(FileError, match=r":5: .*line 3"):
        read_records(file)


EDITS: list[tuple[Callable[[str], str], str]] = [
    (lambda line: line.replace('"game": 3', '"game": -1'), "-1"),
    (lambda line: line.replace('"game": 3', '"game": 3.0'), "3.0"),
    (lambda line: line.replace('"game": 3', '"game": true'), "true"),
    (lambda line: line.replace('"game": 3', '"game": 10000001'), "10,000,001"),
    (lambda line: line.replace('"game": 3', f'"game": {10**30}'), "whole number"),
    (lambda line: line.replace('"game": 3', '"game": 8'), "seats"),
    (lambda line: line.replace('"gambler": 1, ', '"gambler": 0, '), "seats"),
    (lambda line: line.replace('"gambler": 1, ', '"gambler": 7, '), "seats"),
    (
        lambda line: line.replace('"gambler": 1, "dealer": 0', '"gambler": "1", "dealer": 0'),
        "seats",
    ),
    (lambda line: re.sub('"payoffs": {.*?}', '"payoffs": {"gambler": "1"}', line), "payoffs"),
    (lambda line: re.sub('"payoffs": {.*?}', '"payoffs": []', line), "payoffs"),
    (lambda line: re.sub('"dealer": "(-?)1"', r'"dealer": "\g<1>3"', line), "rules pay"),
    (lambda line: re.sub('"-1"', '"1e99999999999"', line), "1e99999999999"),
    (lambda line: re.sub('"-1"', '"1e400"', line), "1e400"),
    (lambda line: re.sub('"-1"', '"1/0"', line), "1/0"),
    (lambda line: re.sub('"-1"', f'"{"9" * 9000}"', line), "999"),
    (lambda line: line.replace('"pass"', '"fold"'), "fold"),
    (lambda line: line.replace('["gambler", "', '["dealer", "'), "gambler"),
    (lambda line: re.sub(r', \["gambler", "\w+"\]\]', "]", line), "not over"),
    (lambda line: line.replace("]], ", '], ["dealer", "bet"]], '), "after the end"),
    (lambda line: re.sub(r'"moves": \[.*\]\]', '"moves": [["gambler"]]', line), "not a move"),
    (lambda line: re.sub(r'"moves": \[.*\]\]', '"moves": [[null, []]]', line), "not a move"),
    (lambda line: line.replace('null, "seconds', '{"seat": "x"}, "seconds'), "forfeit"),
    (
        lambda line: line.replace('null, "seconds', '{"seat": "x", "reason": "y"}, "seconds'),
        "no seat x",
    ),
    (
        lambda line: line.replace('null, "seconds', '{"seat": "dealer", "reason": ""}, "seconds'),
        "rules pay 2, -2",
    ),
    (lambda line: re.sub('"seconds": {', '"seconds": {"nobody": 1, ', line), "times"),
    (lambda line: re.sub('"seconds": {', '"seconds": {"x": NaN, ', line), "seconds"),
    (lambda line: line[:-9], "JSON"),
    (lambda line: "[" * 200_000, "JSON"),
    (lambda line: "7", "7"),
    (lambda line: "", "JSON"),
]


@pytest.mark.parametrize(("edit", "said"), EDITS)
def test_edited_lines_are_refused(file: Path, edit: Callable[[str], str], said: str) -> None:
    lines = file.read_text().splitlines()
    assert '["gambler", "pass"], ["dealer", "bet"], ["gambler", "pass"]' in lines[4]
    changed = edit(lines[4])
    assert changed != lines[4]
    file.write_text("\n".join([*lines[:4], changed, *lines[5:], ""]))
    refused(file, f"{file}:5", said, "remove the line")


def test_only_the_end_of_a_record_is_dropped(file: Path) -> None:
    whole = file.read_bytes()
    for notes in (b"my notes", b"{ }", b'{"infoset match": 1, "game": "leduc', b"\0" * 40):
        file.write_bytes(notes)
        refused(file, "not the record of a match")
    header = whole.split(b"\n")[0]
    for left in (b"", b"{", header[:60], header, whole[:-1], whole + b"half"):
        file.write_bytes(left)
        assert len(match(kuhn(), RANDOM, games=8, record=file).games) == 8
        assert len(read_records(file)) == 8


def test_another_match_on_the_same_record_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    words = [
        sys.executable, "-m", "infoset", "match", "leduc", *RANDOM, "--jobs", "2",
        "--games", "400000", "--record", str(file),
    ]  # fmt: skip
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not file.exists() or file.stat().st_size < 20_000:
            time.sleep(0.02)
            assert running.poll() is None
        with pytest.raises(FileError, match="another match writes"):
            match(leduc(), RANDOM, games=8, record=file)
    finally:
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    assert match(leduc(), RANDOM, games=8, record=file).games  # the lock went with its process


# ------------------------------------------------------------------ rules and players that changed


RULES = """
from infoset import game
@game(players=("a", "b"))
def guess(g):
    x = g.choose("a", (1, 2))
    y = g.choose("b", (1, 2))
    return g.win("a", {} if x == y else -1)
"""


def test_changed_rules_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, record = tmp_path / "guess.py", tmp_path / "games.jsonl"
    words = [f"{rules}:guess", *RANDOM, "--record", str(record)]
    rules.write_text(RULES.format("1"))
    assert call(["match", *words, "--games", "4"]) == 0
    capsys.readouterr()
    rules.write_text(RULES.format("100"))
    assert "the rules of guess() have changed" in refusal(capsys, "match", *words)
    lines = record.read_text().splitlines(keepends=True)
    old = json.loads(lines[0])
    del old["rules"], old["files"]  # as earlier records have it
    record.write_text("".join([json.dumps(old) + "\n", *lines[1:]]))
    rules.write_text(RULES.format("1"))
    assert call(["match", *words, "--games", "6"]) == 0
    assert len(read_records(record)) == 6


def test_changed_trees_are_refused(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    match(kuhn().tree(), RANDOM, games=4, record=record)
    assert match(kuhn().tree(), RANDOM, games=6, record=record).games[5:]
    other = replace(kuhn(ante=2).tree(), name=kuhn().tree().name)
    refused(record, "have changed", games=other)


def test_changed_players_are_refused(tmp_path: Path) -> None:
    record, saved, mine = tmp_path / "games.jsonl", tmp_path / "kuhn.sol", tmp_path / "mine.py"
    solve(kuhn()).save(saved)
    player = (
        "class Bold:\n"
        "    def begin(self, game, seat, clock): pass\n"
        "    def told(self, fact): pass\n"
        "    def choose(self, options): return options[{}]\n"
    )
    mine.write_text(player.format(-1))
    names = [f"solution:{saved}", f"{mine}:Bold"]
    match(kuhn(), names, games=4, record=record)
    mine.write_text(player.format(0))
    with pytest.raises(FileError, match=r"file of .*Bold has changed"):
        match(kuhn(), names, games=6, record=record)
    mine.write_text(player.format(-1))
    assert len(match(kuhn(), names, games=6, record=record).games) == 6
    solve(kuhn(), method="cfr+", iterations=10).save(saved)
    with pytest.raises(FileError, match=r"file of solution:.* has changed"):
        match(kuhn(), names, games=8, record=record)


# ------------------------------------------------------------------ options that read alike


@game(players=("a", "b"))
def alike(g: Play) -> object:
    """Options and outcomes that read alike, and are not."""
    drawn = g.chance(((1, 2), "1 2", "1"))
    x = g.choose("a", ("1", 1, "01"))
    moves = g.together({"a": (1, "1"), "b": (Fraction(1), "x", "1")})
    same = type(x) is type(moves["a"]), type(moves["b"]) is type(drawn)
    return g.win("a", 1 + 2 * same[0] + 4 * same[1])


def test_options_that_read_alike_are_told_apart(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    for jobs in (1, 2):
        played = match(alike(), RANDOM, games=60 * jobs, record=record, jobs=jobs)
    read = sorted(read_records(record), key=lambda one: one.number)
    for one, true in zip(read, played.games, strict=True):
        assert replayed(alike().position(), one.record).payoffs == true.record.payoffs
        assert MatchGame.read(json.loads(one.line())) == one
    again = match(alike(), RANDOM, games=60, record=record)
    for one, true in zip(again.games, played.games, strict=True):
        assert list(map(repr, one.record.moves)) == list(map(repr, true.record.moves))


def test_records_with_places_can_be_freed_of_luck(tmp_path: Path) -> None:
    record, rules = tmp_path / "games.jsonl", alike()
    played = match(rules, RANDOM, games=40, record=record)
    solution = solve(rules)
    known = {0: "random", 1: "random"}
    true, read = (aivat(rules, one, solution, known) for one in (played, read_records(record)))
    assert true.estimates == read.estimates


def test_only_moves_that_read_alike_have_places(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    match(alike(), RANDOM, games=40, record=record)
    moves = [json.loads(line)["moves"] for line in record.read_text().splitlines()[1:]]
    outcomes = {tuple(one[0]) for one in moves}
    assert outcomes == {(None, "1 2", 0), (None, "1 2", 1), (None, "1")}


# ------------------------------------------------------------------ payoffs


def test_payoffs_beyond_floats_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, record = tmp_path / "guess.py", tmp_path / "games.jsonl"
    for power in (120, 400, 9000):
        rules.write_text(RULES.format(f"10**{power}"))
        for _ in range(2):  # and from the record
            words = [f"{rules}:guess", *RANDOM, "--games", "8", "--record", str(record)]
            assert f"e+{power}" in refusal(capsys, "match", *words)
        assert len(read_records(record)) == 8
        record.unlink()


def test_faults_in_a_record_are_checked(tmp_path: Path) -> None:
    class Refuses(Seated):
        """Chooses what there is not."""

        def decide(self, view: Any, options: tuple[Any, ...]) -> Any:
            return "fold" if "K" in str(view) else options[0]

    record = tmp_path / "games.jsonl"
    whole = match(kuhn(), [Refuses, "random"], games=20)
    assert whole.faults()
    match(kuhn(), [Refuses, "random"], games=10, record=record)
    assert match(kuhn(), [Refuses, "random"], games=20, record=record).faults() == whole.faults()
    told = record.read_text()
    record.write_text(told.replace('"-2"', '"-1"'))
    with pytest.raises(FileError, match="rules pay"):
        match(kuhn(), [Refuses, "random"], games=20, record=record)


def test_long_payoffs_survive() -> None:
    for paid in (10**5000, Fraction(-1, 3**9999), Fraction(-1, 18)):
        record = GameRecord((), {"a": Fraction(paid)})
        again = MatchGame.read(json.loads(MatchGame(0, {"a": 0}, record).line()))
        assert again.record.payoffs == {"a": paid}


# ------------------------------------------------------------------ interrupts


@pytest.mark.parametrize(("jobs", "presses"), [("1", 1), ("1", 3), ("2", 3)])
def test_standings_are_shown_after_an_interrupt(tmp_path: Path, jobs: str, presses: int) -> None:
    file = tmp_path / "games.jsonl"
    words = [
        sys.executable, "-m", "infoset", "match", "leduc", *RANDOM, "--jobs", jobs,
        "--games", "400000", "--record", str(file), "--json",
    ]  # fmt: skip
    running = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not file.exists() or file.stat().st_size < 20_000:
        time.sleep(0.02)
        assert running.poll() is None
    for _ in range(presses):
        os.killpg(running.pid, signal.SIGINT)
        time.sleep(0.05)
    told, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert 0 < json.loads(told)["games"] <= len(read_records(file))
