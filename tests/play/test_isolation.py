"""Players in processes of their own: they reach nothing hidden, and cannot hang a match."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from infoset import Play, game
from infoset.errors import InfosetError
from infoset.games import kuhn, leduc
from infoset.play import IsolatedPlayer, RandomPlayer, Seated, match, play_game

PLAYERS = '''
import gc, json, os, sys, time
from fractions import Fraction
from infoset.play import RandomPlayer, Seated


class Base(Seated):
    def decide(self, view, options):
        return options[0]


class Spy(Base):
    """Looks for the card in every frame and every object of its process."""

    def decide(self, view, options):
        card, found = "secret %d" % len("a card!"), 0
        frame = sys._getframe().f_back
        while frame:
            found += any(card in repr(value) for value in frame.f_locals.values())
            frame = frame.f_back
        for one in gc.get_objects():
            if type(one).__name__ in ("ReplayPosition", "_Table", "Referee"):
                found += 1
            if type(one) in (tuple, list) and len(one) < 500:
                found += any(type(entry) is str and entry == card for entry in one)
        return "right" if found else "left"


class Faulty(Base):
    """Does something else wrong in every game."""

    def __init__(self):
        self.games = 0

    def begin(self, game, seat, clock):
        super().begin(game, seat, clock)
        self.games += 1

    def decide(self, view, options):
        print("thinking")
        if self.games == 1:
            return "fold"
        if self.games == 2:
            raise ValueError("no idea")
        if self.games == 3:
            return {options[0]: Fraction(1, 3), options[1]: 0.5}
        if self.games == 4:
            return {options[0]: "1e999999999"}
        if self.games == 5:
            time.sleep(60)
        return options[0]


class Leaves(Base):
    def decide(self, view, options):
        os._exit(3)


class Mixes(Base):
    def decide(self, view, options):
        return {options[0]: Fraction(1, 3), options[1]: Fraction(2, 3)}


class Fails(Base):
    def __init__(self):
        raise KeyError("weights.bin")


class Forks(Base):
    """Leaves copies of its process behind, which hold its pipes and answer, too."""

    def decide(self, view, options):
        if not os.fork():
            open(f"child {os.getpid()}", "w").close()
        return options[-1]


class Hangs(Base):
    def decide(self, view, options):
        open("hanging", "w").close()
        while True:
            pass
'''


SEED = 9  # chance draws the card numbered 7


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("players") / "players.py"
    path.write_text(PLAYERS)
    return path


@pytest.fixture
def hire(file: Path) -> Iterator[Any]:
    from infoset.play.names import entrant

    hired: list[Any] = []

    def made(name: str) -> Any:
        hired.append(entrant(f"{file}:{name}").make())
        return hired[-1]

    yield made
    for one in hired:
        one.close()


def test_a_spy_finds_nothing(hire: Any) -> None:
    @game(players=("one", "two"))
    def secret(g: Play) -> object:
        g.reveal("two", g.chance([f"secret {number}" for number in range(20)]))
        g.choose("two", ("left", "right"))
        return g.win("two" if g.choose("one", ("left", "right")) == "left" else "one")

    spy = hire("Spy")
    assert isinstance(spy, IsolatedPlayer)
    played = play_game(secret(), {"one": spy, "two": RandomPlayer()}, seed=SEED)
    assert played.forfeit is None
    assert ("one", "left") in played.moves
    # In the referee's own process the same code finds it: the test can fail.
    exec(PLAYERS, names := {"__name__": "here"})
    inside = play_game(secret(), {"one": names["Spy"](), "two": RandomPlayer()}, seed=SEED)
    assert ("one", "right") in inside.moves


def test_faults_are_named_and_the_next_game_is_played(
    hire: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    faulty = hire("Faulty")
    seats = {"gambler": faulty, "dealer": RandomPlayer()}
    faults = []
    for number in range(6):
        began = time.perf_counter()
        played = play_game(kuhn(), seats, seed=number, seconds=0.5)
        assert time.perf_counter() - began < 30
        faults.append(played.forfeit.reason if played.forfeit else None)
    assert "'fold'" in str(faults[0])
    assert faults[1] == "raised ValueError: no idea"
    assert "sum to 0.8" in str(faults[2])
    assert "the probability '1e999999999'" in str(faults[3])
    assert faults[4] == "took longer than 0.5 s for a move"
    assert "'fold'" in str(faults[5])  # a new process counts from one again
    told = capfd.readouterr()
    assert "thinking" in told.err
    assert not told.out


def test_a_process_that_ends_loses_and_is_started_again(hire: Any) -> None:
    leaves = hire("Leaves")
    for _ in range(2):
        played = play_game(kuhn(), {"gambler": leaves, "dealer": RandomPlayer()}, seed=1)
        assert played.forfeit is not None
        assert played.forfeit.reason == "its process has ended"


def test_copies_of_a_player_neither_answer_nor_stay(hire: Any, tmp_path: Path) -> None:
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        forks = hire("Forks")
        for seed in range(4):
            seats = {"gambler": forks, "dealer": RandomPlayer()}
            played = play_game(kuhn(), seats, seed=seed, seconds=5)
            assert played.forfeit is None
            assert {move for seat, move in played.moves if seat == "gambler"} == {"bet"}
        forks.close()
        children = [int(path.name.split()[1]) for path in tmp_path.glob("child *")]
    finally:
        os.chdir(before)
    assert children
    for number in children:
        assert_ended(number)


@pytest.mark.parametrize("wrong", ["nan", "inf", "'one'", "True"])
def test_probabilities_that_are_none_are_named(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(
        "class Wrong:\n    def begin(self, *given): pass\n    def told(self, fact): pass\n"
        f"    def choose(self, options): return {{options[0]: {wrong}}}\n".replace(
            ": nan", ": float('nan')"
        ).replace(": inf", ": float('inf')")
    )
    played = match(kuhn(), [f"{path}:Wrong", "random"], games=2)
    assert all(f"the probability '{wrong.strip(chr(39))}'" in one for one in played.faults())


def test_what_cannot_be_made_is_refused(hire: Any, file: Path) -> None:
    with pytest.raises(InfosetError, match=r"KeyError: 'weights.bin'"):
        hire("Fails")
    with pytest.raises(InfosetError, match="did you mean 'Mixes'"):
        match(kuhn(), [f"{file}:Mixs", "random"], games=2)


class Here(Seated):
    """As :class:`RandomPlayer`, in this file."""

    def decide(self, view: Any, options: tuple[Any, ...]) -> Any:
        return {option: Fraction(1, len(options)) for option in options}


def test_the_same_games_are_played_as_in_one_process() -> None:
    alone, here = IsolatedPlayer(Here), Here()
    for seed in range(10):
        one, two = (
            play_game(leduc(), {"one": player, "two": RandomPlayer()}, seed=seed)
            for player in (alone, here)
        )
        assert one.moves == two.moves
        assert one.forfeit is None
    alone.close()


def test_no_process_outlives_its_referee(tmp_path: Path, file: Path) -> None:
    program = textwrap.dedent(f"""
        from infoset.games import kuhn
        from infoset.play import RandomPlayer, play_game
        from infoset.play.names import entrant
        player = entrant({str(file) + ":Hangs"!r}).make()
        print(player._process._process.pid, flush=True)
        play_game(kuhn(), {{"gambler": player, "dealer": RandomPlayer()}})
    """)
    referee = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=tmp_path, text=True
    )
    assert referee.stdout is not None
    number = int(referee.stdout.readline())
    while not (tmp_path / "hanging").exists():
        time.sleep(0.02)
    os.kill(referee.pid, signal.SIGKILL)
    referee.wait()
    referee.stdout.close()
    assert_ended(number)


def assert_ended(number: int) -> None:
    """A process is there no longer, but for its number, or will soon be."""
    for _ in range(500):
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    raise AssertionError("the player's process is still there")
