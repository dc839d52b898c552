"""Steps a second in a long game: turn by turn, by plain replay, and as a Python game of OpenSpiel.

    python benchmarks/play              the table (with open_spiel, if it is installed)

The game has two players who move in turn, 30 options each, and see each other's moves; the rules'
own work is small. A step makes a move and asks who moves next. One round measures each way once, so
that a busy moment of the machine falls on all of them; medians of the rounds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from infoset import Play, game
from infoset.rules import Position

MENU = tuple(range(30))
LENGTHS = (60, 500)
WINDOW = 25  # steps that are timed, at the beginning and at the end of a play


@game(players=("one", "two"), state=0)
def by_turns(g: Play, ply: int, plies: int = 60) -> object:
    """A move a turn."""
    player = g.players[ply % 2]
    move = g.choose(player, MENU)
    g.reveal(g.players[1 - ply % 2], move)
    return ply + 1 if ply + 1 < plies else g.win(player)


@game(players=("one", "two"))
def from_the_start(g: Play, plies: int = 60) -> object:
    """The same from start to end."""
    player = "one"
    for ply in range(plies):
        player = g.players[ply % 2]
        move = g.choose(player, MENU)
        g.reveal(g.players[1 - ply % 2], move)
    return g.win(player)


def steps(position: Position, plies: int) -> tuple[float, float]:
    """Steps a second in the first and in the last moves of a play."""
    seconds = []
    for ply in range(plies):
        began = time.perf_counter()
        position = position.after(MENU[ply % 30])
        assert position.over == (ply + 1 == plies)
        seconds.append(time.perf_counter() - began)
    return WINDOW / sum(seconds[:WINDOW]), WINDOW / sum(seconds[-WINDOW:])


def openspiel_state(plies: int) -> Callable[[], Any] | None:
    """The same game written for OpenSpiel in Python, with its information states; None without."""
    try:
        import pyspiel
    except ImportError:
        return None

    kind = pyspiel.GameType(
        short_name="infoset_long_game",
        long_name="A long game of two",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
    )
    facts = pyspiel.GameInfo(
        num_distinct_actions=len(MENU),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=plies,
    )

    class LongGame(pyspiel.Game):
        def __init__(self) -> None:
            super().__init__(kind, facts, {})

        def new_initial_state(self) -> Any:
            return LongState(self)

    class LongState(pyspiel.State):
        def __init__(self, of: Any) -> None:
            super().__init__(of)
            self.moves: list[int] = []

        def current_player(self) -> int:
            over = len(self.moves) == plies
            return int(pyspiel.PlayerId.TERMINAL) if over else len(self.moves) % 2

        def _legal_actions(self, player: int) -> list[int]:
            return list(MENU)

        def _apply_action(self, action: int) -> None:
            self.moves.append(action)

        def is_terminal(self) -> bool:
            return len(self.moves) == plies

        def returns(self) -> list[float]:
            return [-1.0, 1.0] if self.is_terminal() else [0.0, 0.0]

        def information_state_string(self, player: int) -> str:
            return str(self.moves)

        def __str__(self) -> str:
            return str(self.moves)

    return LongGame().new_initial_state


def their_steps(start: Callable[[], Any], plies: int) -> tuple[float, float]:
    """The same of OpenSpiel: positions that stay, so that each step copies the state."""
    state, seconds = start(), []
    for ply in range(plies):
        began = time.perf_counter()
        state = state.child(MENU[ply % 30])
        assert state.is_terminal() == (ply + 1 == plies)
        seconds.append(time.perf_counter() - began)
    return WINDOW / sum(seconds[:WINDOW]), WINDOW / sum(seconds[-WINDOW:])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    print(f"{'steps a second':24}{'plies':>7}{'first 25':>12}{'last 25':>12}{'by turns / it':>15}")
    for plies in LENGTHS:
        theirs = openspiel_state(plies)
        ways: dict[str, Callable[[], tuple[float, float]]] = {
            "turn by turn": lambda plies=plies: steps(by_turns(plies=plies).position(), plies),
            "from the start": lambda plies=plies: steps(
                from_the_start(plies=plies).position(), plies
            ),
        }
        if theirs is not None:
            ways["OpenSpiel, Python game"] = lambda plies=plies, start=theirs: their_steps(
                start, plies
            )
        measured: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for _ in range(rounds + 1):
            for way, run in ways.items():
                measured[way].append(run())
        rates = {
            way: [statistics.median(column) for column in zip(*found[1:], strict=True)]
            for way, found in measured.items()
        }
        for way, (first, last) in rates.items():
            ratio = rates["turn by turn"][1] / last
            print(f"{way:24}{plies:7}{first:12,.0f}{last:12,.0f}{ratio:15.1f}")
    if openspiel_state(60) is None:
        print("OpenSpiel is not installed; `make bench` installs it")


if __name__ == "__main__":
    main()
