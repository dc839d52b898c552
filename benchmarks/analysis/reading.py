"""How long it takes to read a solution: of a public form, and of a tree.

    python benchmarks/analysis/reading.py

Each read is the first of its kind: nothing was computed for it but what the reads above it needed.
The turn has 164 million nodes and 348,000 information sets, the tree a million nodes; both are
solved by a few iterations, since what is measured is the reading.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from infoset import Solution, solve
from infoset.games import holdem, kuhn

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
    """Print how long something takes, and return it."""
    began = time.perf_counter()
    found = work()
    print(f"| {name} | {time.perf_counter() - began:.2f} |", flush=True)
    return found


def read(game: Any, given: Any, player: str, label: str, where: tuple[str, ...]) -> None:
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
        seconds("CSV", lambda: found.save_csv(Path(folder) / "solution.csv"))


def main() -> None:
    """Measure, and print a table."""
    print("| what | seconds |\n|---|---:|")
    turn = holdem(**TURN)
    form = seconds("the public form of a turn", turn.public)
    read(turn, form, "one", "K♥ A♥, [check], bet 120", ("AhKh", "AKs, [check]", "?? ??, *"))
    large = kuhn(ranks=340)
    tree = seconds("the tree of kuhn(ranks=340)", large.tree)
    read(large, tree, "dealer", "7, bet", ("7, bet", "*, bet"))


if __name__ == "__main__":
    main()
