"""Regret minimization beside the peers, in one run.

    python benchmarks/regret              the tables (needs open_spiel and LiteEFG; `make bench`)
    python benchmarks/regret --quick      smaller games, shorter
    python benchmarks/regret --plot FILE  and regret against seconds on leduc, all in one picture

All do CFR+ with alternating updates and linear averages on the same games; an iteration updates
both players once. Times are medians over batches, ours and the peers' in turn. Bars are what we
hold ourselves to: on leduc and liars_dice 300 times OpenSpiel, 40 times LiteEFG. The report says
which are kept and always exits with 0.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import crossing
import growth
import sampling
import variants
from bandwidth import LARGE, bandwidth, triad
from ours import METHODS, Ours, bytes_moved, ours, working_set

from peers import GAMES, PEERS, Check, Solver, convergence, first_below, per_iteration

sys.path.append(str(Path(__file__).parents[1] / "solve"))

from measure import duration, show

BARS = {"OpenSpiel": 300, "LiteEFG": 40}
BARRED = ("leduc", "liars_dice")
TARGETS = (1e-3, 1e-5)
SLOW_LOOKS = {"liars_dice": 2.0, "goofspiel 5": 1.6}  # where looking takes longer than iterating
START = "from infoset import solve; from infoset.games import kuhn; solve(kuhn(), 'cfr+')"


def iteration_rows(quick: bool) -> Iterator[tuple[str, ...]]:
    """Time per iteration, and how near that is to what memory allows."""
    for game in GAMES:
        own = ours(game)
        layout, seconds = own.loop.layout, per_iteration(own, 0.3 if quick else 1.0)
        cells = [game, f"{len(layout.tree):,}", f"{seconds * 1e6:.3g} µs"]
        for name, make in PEERS.items():
            theirs = per_iteration(make(game), 0.5 if quick else 3.0)
            ratio = theirs / seconds
            kept = "" if game not in BARRED else " ok" if ratio >= BARS[name] else " NO"
            cells += [duration(theirs), f"{ratio:,.0f}×{kept}"]
        again = per_iteration(own, 0.3 if quick else 1.0)  # as long after the peers as before
        moved, rate = bytes_moved(layout), bandwidth(working_set(layout))
        part = moved / rate / min(seconds, again)
        yield (*cells, f"{moved / 2**10:,.0f} KiB", f"{rate / 1e9:.0f} GB/s", f"{part:.0%}")


def target_rows(runs: dict[str, dict[str, list[Check]]]) -> Iterator[tuple[str, ...]]:
    """Seconds and iterations to an exploitability; ours by CFR+ and by what is best here."""
    for game, lines in runs.items():
        for target in TARGETS:
            cells = [game, f"{target:.0e}"]
            best = min(
                (name for name in lines if name.startswith("Infoset")),
                key=lambda name: (
                    not first_below(lines[name], target).reached,
                    first_below(lines[name], target).seconds,
                ),
            )
            for name in ("Infoset cfr+", best, *PEERS):
                found = first_below(lines[name], target)
                said = duration(found.seconds) if found.reached else f"> {duration(found.seconds)}"
                extra = f" {best.removeprefix('Infoset ')}" if name is best else ""
                cells.append(f"{said} ({found.iterations:,}){extra}")
            yield tuple(cells)


def run_courses(
    games: Sequence[str], budget: float, theirs: float
) -> dict[str, dict[str, list[Check]]]:
    """Every variant and every peer on every game, until 1e-5 or until its budget is spent."""
    found: dict[str, dict[str, list[Check]]] = {}
    for game in games:
        tree = GAMES[game].ours.tree()
        lines: dict[str, list[Check]] = {}
        runs: list[Solver] = [Ours(tree, method) for method in METHODS]
        runs += [make(game) for make in PEERS.values()]
        for run in runs:
            grow = SLOW_LOOKS.get(game, 1.25) if run.name in PEERS else 1.25
            seconds = theirs if run.name in PEERS else budget
            lines[run.name] = convergence(run, TARGETS[-1], seconds, grow)
        found[game] = lines
    return found


def plot(lines: dict[str, list[Check]], file: Path) -> None:
    """Exploitability against seconds, ours and the peers'."""
    from infoset.display.plots.convergence import plot_convergence
    from infoset.solvers.convergence import Convergence, Point

    names = {name: name.removeprefix("Infoset ") for name in lines}
    runs = [
        Convergence(
            f"{names[name]} CFR+" if name in PEERS else names[name],
            (),
            tuple(Point(check.seconds, check.iterations, check.exploitability) for check in line),
        )
        for name, line in lines.items()
    ]
    plot_convergence(runs, file, title="Leduc hold'em: exploitability against seconds")


def start_rows() -> Iterator[tuple[str, ...]]:
    """The first process compiles, the second does not."""
    with tempfile.TemporaryDirectory() as folder:
        for which in ("first", "second"):
            script = (
                "import os, time\n"
                f"os.environ['NUMBA_CACHE_DIR'] = {folder!r}\n"
                f"began = time.perf_counter()\n{START}\n"
                "from infoset.kernels.regret import run\n"
                "print(time.perf_counter() - began, sum(run.stats.cache_misses.values()))"
            )
            done = subprocess.run(
                [sys.executable, "-c", script], capture_output=True, text=True, check=True
            )
            seconds, compiled = done.stdout.split()
            yield (f"{which} process", duration(float(seconds)), compiled)


def main() -> None:
    parser = argparse.ArgumentParser(description="Regret minimization, beside the peers.")
    parser.add_argument("--quick", action="store_true", help="smaller games, shorter")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="regret against seconds on leduc")
    asked = parser.parse_args()
    quick = asked.quick
    print(f"Memory: {bandwidth(LARGE) / 1e9:.1f} GB/s read by one thread, ", end="")
    print(f"{bandwidth(LARGE, 2) / 1e9:.1f} by two; triad {triad() / 1e9:.1f} GB/s\n")
    print("An iteration of CFR+ (bars: 300× OpenSpiel, 40× LiteEFG), and the roofline: bytes that")
    print("must be moved, the bandwidth of a working set of that size, how near we come\n")
    headings = ["game", "nodes", "Infoset"]
    headings += [heading for name in PEERS for heading in (name, "ratio")]
    show([*headings, "must move", "bandwidth", "near"], list(iteration_rows(quick)))
    print("Time to an exploitability (NashConv / 2), iterations in brackets\n")
    games = ["kuhn", "leduc"] if quick else list(GAMES)
    runs = run_courses(games, 1.0 if quick else 10.0, 3.0 if quick else 60.0)
    show(["game", "target", "Infoset CFR+", "Infoset best", *PEERS], list(target_rows(runs)))
    print("Which variant where: the largest regret of a player\n")
    show(variants.HEADINGS, list(variants.rows(quick)))
    print(
        "Leduc hold'em with larger decks: less than twice the time a node from 10^5 to 10^7 nodes\n"
    )
    show(growth.HEADINGS, list(growth.rows(quick)))
    print("A linear program beside regret minimization (a ten-thousandth of what is at stake)\n")
    show(crossing.HEADINGS, list(crossing.rows(quick)))
    print("Sampling: two seconds each, four for the last game; the proved regret\n")
    show(sampling.HEADINGS, list(sampling.rows(quick)))
    print("From the start of a process to an equilibrium of kuhn, and functions compiled\n")
    show(["", "seconds", "compiled"], list(start_rows()))
    if asked.plot is not None:
        plot(runs["leduc"], asked.plot)


if __name__ == "__main__":
    main()
