"""Phantom tic-tac-toe and dark hex, classical and abrupt: between which bounds the values lie.

    python benchmarks/phantom [--seconds 60] [--only hex] [--folder build/phantom]

Regret minimization on the phantom form (docs/textbook/phantom.md), with the symmetries of the
board, for so many seconds a game, and then bounds by best responses to the average strategies, the
newest ones, and the pure ones next to the averages.
The runs are kept in the folder, and continued by the next call; so are the best bounds, a line for
each time they were computed in bounds.jsonl. Any of them may be stopped at any time.
With ``--rounds`` so many linear programs are solved for each player, at most, on the moves of the
average strategies: cutting planes, which often prove the value in whole numbers.
``--large`` adds the abrupt games on 3 by 3 cells, for which minutes are too few for close bounds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import ceil, floor
from pathlib import Path
from typing import Any, Literal, NamedTuple

from infoset.errors import InfosetError
from infoset.forms.phantom import ROUNDING, PhantomForm, dark_hex_form, tic_tac_toe_form
from infoset.solvers.phantom import PhantomRun
from infoset.solvers.phantom_cuts import best_plan, whole_plan


class Contest(NamedTuple):
    """A game, and the memory that it takes at most."""

    title: str
    form: Callable[[], PhantomForm]
    memory: str = "0.3 GiB"
    least: float = 0.0  # smaller probabilities are left out of averages, for quicker responses


HEX = tuple(
    Contest(
        f"dark hex {width}×{height}{', abrupt' * abrupt}",
        partial(dark_hex_form, width, height, abrupt=abrupt, symmetric=True),
    )
    for width, height in ((2, 2), (2, 3), (3, 2))
    for abrupt in (False, True)
)
STRIPS = tuple(
    Contest(
        f"tic-tac-toe {width}×{height}{', abrupt' * abrupt}",
        partial(tic_tac_toe_form, width, height, 3, abrupt=abrupt, symmetric=True),
    )
    for width, height in ((5, 1), (6, 1), (3, 2))
    for abrupt in (False, True)
)
USUAL = (
    Contest("dark hex 4×2", partial(dark_hex_form, 4, 2, symmetric=True)),
    Contest("dark hex 2×4", partial(dark_hex_form, 2, 4, symmetric=True)),
    Contest("dark hex 3×3", partial(dark_hex_form, symmetric=True), "0.7 GiB"),
    Contest("tic-tac-toe 4×2", partial(tic_tac_toe_form, 4, 2, symmetric=True)),
    Contest("tic-tac-toe 3×3", partial(tic_tac_toe_form, symmetric=True), "0.4 GiB"),
)
LARGE = (
    Contest(
        "tic-tac-toe 3×3, abrupt",
        partial(tic_tac_toe_form, abrupt=True, symmetric=True),
        "1 GiB",
        2e-3,
    ),
    Contest(
        "dark hex 3×3, abrupt",
        partial(dark_hex_form, abrupt=True, symmetric=True),
        "4 GiB",
        2e-3,
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="for a game, at most")
    parser.add_argument("--gap", type=float, default=1e-6, help="stop once bounds are so close")
    parser.add_argument("--only", default="", help="games with this text in their name")
    parser.add_argument("--folder", type=Path, default=Path("build/phantom"))
    parser.add_argument("--rounds", type=int, default=0, help="of cutting planes, for each player")
    parser.add_argument("--large", action="store_true", help="abrupt games on 3 by 3 cells, too")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    contests = (*HEX, *STRIPS, *USUAL, *(LARGE if asked.large else ()))
    rows = []
    for contest in contests:
        if asked.only in contest.title:
            print(f"{contest.title}: takes up to {contest.memory}", flush=True)
            rows.append(row_of(contest, asked))
    heads = ["game", "nodes", "lines", "information sets", "uniform", "iterations", "bounds"]
    print()
    table = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        padded = [cell.rjust(width) for cell, width in zip(cells[1:-1], widths[1:-1], strict=True)]
        print("  ".join([cells[0].ljust(widths[0]), *padded, cells[-1]]))


def row_of(contest: Contest, asked: Any) -> list[str]:
    """Sizes, the value of uniform play, and the best bounds so far."""
    form = contest.form()
    one, two = form.infosets
    sizes = [f"{form.nodes():,}", f"{form.lines:,}", f"{one:,} + {two:,}"]
    uniform = f"{float(form.uniform_value()):.6f}"
    run = PhantomRun(form)
    file = asked.folder / f"{contest.title.replace(' ', '-').replace(',', '')}.npz"
    if file.exists():
        run.load(file)
    lower, upper = known_bounds(asked.folder, form.name)
    until, pause = time.monotonic() + asked.seconds, 0.0
    while time.monotonic() < until and upper - lower > asked.gap:
        begin, steps = time.monotonic(), 0
        while steps < 10 or time.monotonic() < min(begin + pause, until):
            run.step()
            steps += 1
        run.save(file)
        begin = time.monotonic()
        lower, upper = better(lower, upper, run, contest.least)
        keep(asked.folder, form.name, run.iterations, lower, upper)
        pause = max(4 * (time.monotonic() - begin), asked.seconds / 20)
    found = told(lower, upper)
    if asked.rounds:
        low, high = [cut(run, player, contest.least, asked.rounds) for player in (0, 1)]
        lower, upper = max(lower, low[0]), min(upper, -high[0])
        keep(asked.folder, form.name, run.iterations, lower, upper)
        found = f"{told(lower, upper)}; by programs {low[1]} and -({high[1]})"
    return [contest.title, *sizes, uniform, f"{run.iterations:,}", found]


def cut(run: PhantomRun, player: Literal[0, 1], least: float, rounds: int) -> tuple[float, str]:
    """What a player is proved to get by cutting planes, and in words: exactly, if possible."""
    form, averages = run.form, run.averages(max(least, 1e-4))
    plan = best_plan(form, player, averages[player], averages[1 - player], rounds=rounds)
    plays = whole_plan(form, player, plan.edge_weight)
    words = f"{plan.guaranteed:.9f} of {plan.most:.9f} after {plan.rounds}"
    try:
        if plays is not None:
            exact = form.guaranteed(player, plays)
            if abs(exact - plan.guaranteed) < ROUNDING:
                total = plays[: len(form.cells)].sum()  # the edges of the start
                return plan.guaranteed - ROUNDING, f"{exact} in {total:,} plays, {words}"
    except InfosetError:  # the weights were not those of a vertex
        pass
    return plan.guaranteed - ROUNDING, words


def better(lower: float, upper: float, run: PhantomRun, least: float) -> tuple[float, float]:
    """The closest bounds that the run's strategies prove, or those from before.

    Of each player: the average, the newest strategy, and the pure one next to the average, of whose
    images under the symmetries it plays each as often. What is got against that is a whole number
    of eighths, and computed without rounding.
    """
    form = run.form
    one, two = run.averages(least)
    for pair in ((one, two), (run.strategies[0], run.strategies[1])):
        low, high = form.bounds(*pair)
        lower, upper = max(lower, low), min(upper, high)
    lower = max(lower, -form.response(1, form.purified(0, one))[0])
    return lower, min(upper, form.response(0, form.purified(1, two))[0])


def known_bounds(folder: Path, name: str) -> tuple[float, float]:
    """The best of all that were computed before."""
    file, lower, upper = folder / "bounds.jsonl", -1.0, 1.0
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        found = json.loads(line)
        if found["game"] == name:
            lower, upper = max(lower, found["lower"]), min(upper, found["upper"])
    return lower, upper


def keep(folder: Path, name: str, iterations: int, lower: float, upper: float) -> None:
    """One line more."""
    record = {"game": name, "iterations": iterations, "lower": lower, "upper": upper}
    with (folder / "bounds.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def told(lower: float, upper: float) -> str:
    """The bounds, rounded outwards, and a simple fraction between them if they are very close."""
    if lower == upper:
        return f"{lower + 0:g}, exactly"
    text = f"[{floor(lower * 1e6) / 1e6:.6f}, {ceil(upper * 1e6) / 1e6:.6f}]"
    near = Fraction((lower + upper) / 2).limit_denominator(200)
    return f"{text} has {near}" if upper - lower < 3e-6 and lower <= near <= upper else text


if __name__ == "__main__":
    main()
