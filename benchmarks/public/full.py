"""Poker at full size: Rhode Island hold'em with 52 cards, and a river of hold'em with all hands.

What building takes, an iteration, memory; and, if asked for, the whole way to an equilibrium: a
process that finds nothing compiled, from its start to the verified answer.

Exploitability is said in three ways, which differ by a factor of two at most: the largest regret of
a player, half of the sum of both, and the sum. A run goes on until even the sum is below its bar,
and the table says when each was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from child import facts
from clocks import Taken, amount
from decks import grown
from measure import duration, show, verdict

HEADINGS = (
    "game", "nodes", "sets kept", "sequences", "ends", "entries", "build", "tables", "to run",
    "peak memory", "iteration (median)", "all workers (median)", "gain",
)  # fmt: skip
GIB = 2**30
GROWN = 1.5  # as many iterations until a row of a course is printed again


@dataclass(frozen=True)
class Goal:
    """A game to be solved, and the bars."""

    game: str
    bar: float  # of the exploitability
    said: str  # what that is a part of
    seconds: float
    memory: int


# The same words as in the table of decks: one process for both.
RHODE_ISLAND = Goal("rhode_island ranks=13 suits=4", 0.005, "0.1% of the ante", 600, 8 * GIB)
RIVER = Goal("holdem", 0.03, "0.3% of the pot", 600, 8 * GIB)
QUICK = (
    Goal("rhode_island ranks=5 suits=2", 0.005, "0.1% of the ante", 600, 8 * GIB),
    Goal("holdem one=22+ two=AT+", 0.03, "0.3% of the pot", 600, 8 * GIB),
)


def goals(quick: bool) -> tuple[Goal, ...]:
    return QUICK if quick else (RHODE_ISLAND, RIVER)


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    for goal in goals(quick):
        found = grown(goal.game)
        one, all_ = Taken(*found["one"]), Taken(*found["all"])
        yield (
            goal.game,
            f"{found['nodes']:,}",
            f"{found['sets']:,}",
            f"{found['sequences']:,}",
            f"{found['ends']:,}",
            f"{found['entries']:,}",
            duration(min(found["built"])),
            amount(found["tables"]),
            amount(found["needed"]),
            amount(found["peak"]),
            str(one),
            str(all_),
            f"{one.best / all_.best:.2f}×",
        )


# ---------------------------------------------------------------------- to the end

WAYS: dict[str, Callable[[list[float]], float]] = {
    "largest regret": max,
    "half of the sum": lambda regrets: sum(regrets) / 2,
    "sum of both": sum,
}


class _Course:
    """Prints what was measured as it comes, and keeps when each way was first below the bar."""

    def __init__(self, bar: float) -> None:
        self.bar, self.printed, self.last = bar, 0.0, ""
        self.below: dict[str, tuple[int, float]] = {}

    def __call__(self, told: dict[str, Any]) -> None:
        if "regrets" not in told:
            return
        for way, of in WAYS.items():
            if of(told["regrets"]) < self.bar:
                self.below.setdefault(way, (told["iterations"], told["seconds"]))
        exploitability = sum(told["regrets"]) / 2
        self.last = (
            f"{told['iterations']:>8,}{duration(told['seconds']):>12}{exploitability:>14.5g}"
        )
        if told["iterations"] >= GROWN * self.printed:
            self.printed = told["iterations"]
            print(self.last, flush=True)
            self.last = ""

    def end(self) -> None:
        """Print what was measured last, if it has not been."""
        print(f"{self.last}\n" if self.last else "", flush=True)


def solved(goal: Goal) -> None:
    """Solve a game from a cold start, and print how."""
    print(f"{goal.game}: to an exploitability below {goal.bar} ({goal.said})\n")
    print("iteration     seconds  half the sum")
    convergence = _Course(goal.bar)
    found = facts("solve", f"{goal.game} regret={goal.bar / 2}", cold=True, each=convergence)
    convergence.end()
    show(
        ["first below the bar", "iterations", "seconds of the run"],
        [[way, f"{at:,}", duration(taken)] for way, (at, taken) in convergence.below.items()],
    )
    regrets = found["verified"]
    lines = [
        ["verified, sum of both regrets", f"{sum(regrets):.6f}", verdict(sum(regrets) < goal.bar)],
        ["value of player one", f"{found['value']:.6f}", ""],
        ["iterations", f"{found['done']:,}", ""],
        ["building the form", duration(found["built"]), ""],
        ["from the rules to the answer", duration(found["solved"]), ""],
        [
            "the whole process, compiling included",
            duration(found["process"]),
            verdict(found["process"] < goal.seconds),
        ],
        ["peak memory", amount(found["peak"]), verdict(found["peak"] < goal.memory)],
    ]
    show(["in the end", "", "bar"], lines)
