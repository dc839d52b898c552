"""Scotland Yard: with which probability the fugitive escapes, round by round.

    python benchmarks/pursuit [--nodes 500000] [--plot docs/textbook/figures/pursuit.svg]

Every game is solved as a tree, exactly, for one round, two rounds, and so on while the tree has at
most so many nodes. If v is the value, the fugitive escapes with probability (1 + v) / 2 when both
play as well as possible. Half a minute.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

from infoset import solve
from infoset.display.plots.style import colour, marker, new_figure, save_figure, styled
from infoset.errors import TooLarge
from infoset.games import scotland_yard

MOST_ROUNDS = 7
PANELS: dict[str, dict[str, dict[str, Any]]] = {
    "one detective, wazir": {
        "never shown": {"shown": 0},
        "every third round": {"shown": 3},
        "every second round": {"shown": 2},
        "in full sight": {"shown": 1},
    },
    "one detective, king": {
        "never shown": {"shown": 0, "moves": "king"},
        "every third round": {"shown": 3, "moves": "king"},
        "every second round": {"shown": 2, "moves": "king"},
        "in full sight": {"shown": 1, "moves": "king"},
    },
    "never shown": {
        "knight": {"shown": 0, "moves": "knight"},
        "rook": {"shown": 0, "moves": "rook"},
        "wazir, 2 detectives": {"shown": 0, "detectives": 2},
        "king, 2 detectives": {"shown": 0, "detectives": 2, "moves": "king"},
    },
}
Points = list[tuple[int, Fraction]]


def points(given: dict[str, Any], most: int) -> Points:
    """The probability of escape for each number of rounds whose tree fits."""
    found: Points = []
    for rounds in range(1, MOST_ROUNDS + 1):
        start = time.process_time()
        try:
            tree = scotland_yard(rounds=rounds, **given).tree(max_nodes=most)
        except TooLarge:
            break
        solution = solve(tree)
        if not solution.exact or solution.value is None:
            raise SystemExit(f"{tree!r} was not solved exactly")
        escape = (1 + Fraction(solution.value)) / 2
        found.append((rounds, escape))
        seconds = time.process_time() - start
        sizes = f"{len(tree):,} nodes, {len(tree.infosets):,} information sets"
        print(f"    {rounds} rounds: {escape!s:>6}  {sizes}, {seconds:.1f} s", flush=True)
    return found


def plot(panels: dict[str, dict[str, Points]], file: Path) -> None:
    """A panel for each kind of chase, a curve for each member."""
    with styled():
        figure = new_figure(9.0, 4.4)
        drawn = figure.subplots(1, len(panels), sharey=True)
        for panel, (title, curves) in zip(drawn, panels.items(), strict=True):
            for number, (name, found) in enumerate(curves.items()):
                rounds, escapes = zip(*found, strict=True)
                style = {"color": colour(number), "marker": marker(number), "ms": 4}
                panel.plot(rounds, list(map(float, escapes)), label=name, **style)
            panel.set(title=title, xlabel="rounds", ylim=(-0.05, 1.05))
            panel.set_xticks(range(1, MOST_ROUNDS + 1))
            panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))
        drawn[0].set_ylabel("probability of escape")
        save_figure(figure, file)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nodes", type=int, default=500_000, help="of a tree, at most")
    parser.add_argument("--plot", type=Path, help="where to draw the figure")
    asked = parser.parse_args()
    start, found = time.process_time(), dict[str, dict[str, Points]]()
    for title, curves in PANELS.items():
        found[title] = {}
        for name, given in curves.items():
            print(f"{title}, {name}" if title != "never shown" else f"{name}, {title}")
            found[title][name] = points(given, asked.nodes)
    print(f"{time.process_time() - start:.0f} s")
    if asked.plot:
        plot(found, asked.plot)


if __name__ == "__main__":
    main()
