"""How long it takes to read a solution: of a public form, and of a tree.

    python benchmarks/analysis/reading.py

Each read is the first of its kind: nothing was computed for it but what the reads above it needed.
The turn has 164 million nodes and 348,000 information sets; one tree has a million nodes and few
information sets, the other 1.6 million and 115,000. They are solved by a few iterations, since what
is measured is the reading. The command is run as a user runs it, in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from infoset import Solution, analysis, solve
from infoset.errors import NotApplicable
from infoset.games import holdem, kuhn, liars_dice

TURN = {
    "board": "Td9d6hQc",
    "pot": 200,
    "stack": 900,
    "bets": (0.6, 100),
    "raises": 3,
    "one": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "two": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
}


def seconds(name: str, work: Callable[[], Any]) -> Any:
    """Print how long something takes, by the clock and of the processors, and return it."""
    began, before = time.perf_counter(), _processors()
    found = work()
    wall, used = time.perf_counter() - began, _processors() - before
    print(f"| {name} | {wall:.2f} | {used:.2f} |", flush=True)
    return found


def _processors() -> float:
    """Seconds of processor time of this process and of those that it has run."""
    return sum(os.times()[:4])


def read(game: Any, given: Any, player: str, label: str, where: tuple[str, ...]) -> Solution:
    """Solve a little, save, load, and read in all ways."""
    found = seconds(f"{game!r:.40}: 3 iterations", lambda: solve(given, "cfr+", iterations=3))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "solution"
        seconds("save", lambda: found.save(file))
        found = seconds("load", lambda: Solution.load(file, given))
        seconds(f"strategy[{player!r}][{label!r}]", lambda: found.strategy[player][label])
        for text in where:
            seconds(
                f"table(where={text!r})", lambda text=text: str(found.table(player, where=text))
            )
        seconds("str(solution)", lambda: str(found))
        seconds("all of a player, folded", lambda: str(found.table(player, fold=True)))
        seconds("exploitability", lambda: found.exploitability)
        seconds("plot", found.plot)
        seconds("CSV", lambda: found.save_csv(Path(folder) / "solution.csv"))
    return found


def ask(found: Solution, infoset: str, action: str) -> None:
    """Put every question about strategies on a tree."""
    player = infoset.partition(":")[0]
    seconds("beliefs", lambda: str(analysis.beliefs(found, infoset)))
    seconds("action_values", lambda: str(analysis.action_values(found, infoset)))
    seconds("deviation", lambda: str(analysis.deviation(found, infoset, action)))
    seconds("outcome", lambda: str(analysis.outcome(found, "*")))
    seconds("plays", lambda: str(analysis.plays(found)))
    seconds("unreached", lambda: str(analysis.unreached(found)))
    seconds("best_reply", lambda: str(analysis.best_reply(found, player)))
    seconds("compare with itself", lambda: str(analysis.compare(found, found)))


def refused(found: Solution) -> str:
    """What a question says whose tree is too large."""
    try:
        return str(analysis.plays(found))
    except NotApplicable as refusal:
        return str(refusal)


def by_command(found: Solution) -> None:
    """Load a solution by the command, and show all information sets with one hand."""
    words = [f"{name}={_spelled(value)}" for name, value in TURN.items()]
    with TemporaryDirectory() as folder:
        file = f"{folder}/solution"
        found.save(file)
        options = ["--public", "--load", file, "--player", "one", "--where", "AhKh"]
        command = [sys.executable, "-m", "infoset", "solve", "holdem", *words, *options]
        seconds(
            "infoset solve --load FILE --where AhKh",
            lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL),
        )


def _spelled(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def main() -> None:
    """Measure, and print a table."""
    print("| what | seconds | of processors |\n|---|---:|---:|")
    turn = holdem(**TURN)
    form = seconds("the public form of a turn", turn.public)
    found = read(turn, form, "one", "K♥ A♥, [check], bet 120", ("AhKh", "AKs, [check]", "?? ??, *"))
    evaluation: Any = found.evaluation
    seconds("best response", lambda: evaluation.verified.best_response("two"))
    seconds("a question that needs the tree is refused", lambda: refused(found))
    by_command(found)
    few = kuhn(ranks=340)
    tree = seconds("the tree of kuhn(ranks=340)", few.tree)
    ask(read(few, tree, "dealer", "7, bet", ("7, bet", "*, bet")), "dealer: 7, bet", "pass")
    many = liars_dice(sides=7)
    tree = seconds("the tree of liars_dice(sides=7)", many.tree)
    infoset = tree.infosets_of("one")[1000]
    label, action = infoset.label, str(infoset.actions[0])
    ask(read(many, tree, "one", label, (label, f"{label}*")), f"one: {label}", action)


if __name__ == "__main__":
    main()
