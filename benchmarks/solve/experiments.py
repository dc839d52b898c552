"""The experiments of Koller & Pfeffer 1997, figures 14 and 15, done again.

    python benchmarks/solve/experiments.py            measures, then writes what the page shows
    python benchmarks/solve/experiments.py --quick    smaller games, into build/experiments

Two families grow: poker with more cards, and the inspection game with more stages, in half of which
there is an inspection. For each game there are three times, each the median of some repeats on
fresh trees: *generating* the tree from the rules, and going from the tree to a certified
equilibrium by the linear program on the *sequence form* and on the *normal form*. The normal form
ends with the game for which it is refused for its size, or takes more than a minute.

The times are kept as CSV beside the figures (drawn by figures.py), and as a table in the page
docs/textbook/experiments.md, between two marks.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path

from figures import figure_14, figure_15
from measure import duration, timed, warm

from infoset import solve
from infoset.errors import TooLarge
from infoset.forms.normal import normal_size
from infoset.games import inspection, poker
from infoset.rules import Game

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "textbook" / "experiments.md"
MARKS = ("<!-- the table: begin -->", "<!-- the table: end -->")
ENOUGH = 60.0  # seconds after which the normal form is not tried on larger games
GROWING = {"poker": ("ranks",), "inspection": ("stages", "inspections")}
LONG = 1.0  # seconds from which once is enough
REPEATS = 7


@dataclass(frozen=True)
class Measured:
    """One game: a row of the CSV file."""

    family: str
    game: str  # as `infoset solve` takes it
    nodes: int
    generating: float
    sequence_form: float
    normal_form: float | None  # None where it was refused, or not tried any more
    strategies: tuple[int | None, ...]  # [player] rows and columns of the normal form


def families(quick: bool) -> dict[str, list[Game]]:
    """The games, by family, from small to large."""
    ranks = (2, 3, 4, 5, 6, 10) if quick else (2, 3, 4, 5, 6, 8, 12, 18, 27, 40, 60, 90, 127)
    stages = range(2, 9 if quick else 15)
    return {
        "poker": [poker(ranks=k) for k in ranks],
        "inspection": [inspection(stages=n, inspections=n // 2) for n in stages],
    }


def measured(family: str, games: Iterable[Game]) -> Iterator[Measured]:
    """The three times of each game."""
    normal_too = True
    for game in games:
        tree = game.tree()  # the first build also runs some plays again, to see that they repeat
        generating = _median(partial(_generating, game))
        sequence_form = _median(partial(_solving, game, "lp"))
        normal_form = None
        if normal_too:
            try:
                normal_form = _median(partial(_solving, game, "normal-lp"))
            except TooLarge:
                normal_too = False
            else:
                normal_too = normal_form < ENOUGH
        sizes = normal_size(tree)
        name = " ".join([family, *(f"{key}={game.params[key]}" for key in GROWING[family])])
        yield Measured(family, name, len(tree), generating, sequence_form, normal_form, sizes)


def _median(clock: partial[float]) -> float:
    """The median of some readings, of one if it is long."""
    taken = [clock()]
    while len(taken) < REPEATS and taken[0] < LONG:
        taken.append(clock())
    return statistics.median(taken)


def _generating(game: Game) -> float:
    seconds, _ = timed(game.tree)
    return seconds


def _solving(game: Game, method: str) -> float:
    seconds, solution = timed(partial(solve, game.tree(), method))
    if not solution.exact:
        sys.exit(f"{game!r} by {method}: {solution.certificate}")
    return seconds


def write(rows: list[Measured], path: Path) -> None:
    """Keep the times as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, [field.name for field in fields(Measured)], lineterminator="\n")
        out.writeheader()
        for row in rows:
            cells = asdict(row) | {"strategies": _strategies(row)}
            out.writerow({name: _cell(cell) for name, cell in cells.items()})


def _cell(cell: object) -> object:
    return f"{cell:.6f}" if isinstance(cell, float) else cell


def _strategies(row: Measured) -> str:
    return " x ".join("?" if size is None else _power(size) for size in row.strategies)


def _power(size: int) -> str:
    """A count, as a power of two where it is too long to read."""
    return f"{size:,}" if size < 10**7 else f"2^{size.bit_length() - 1}"


def table(rows: list[Measured]) -> str:
    """The times as a table in Markdown."""
    lines = [
        "| game | nodes | strategies | normal form | sequence form | generating |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        normal = "–" if row.normal_form is None else duration(row.normal_form)
        cells = [f"`{row.game}`", f"{row.nodes:,}", _strategies(row).replace(" x ", " × "), normal]
        cells += [duration(row.sequence_form), duration(row.generating)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def put_into_page(text: str) -> None:
    """Replace the table of the page, which stands between the marks."""
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    new = f"{before}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{after}"
    PAGE.write_text(new, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Figures 14 and 15 of Koller & Pfeffer 1997.")
    parser.add_argument("--quick", action="store_true", help="smaller games, into build/")
    quick = parser.parse_args().quick
    folder = ROOT / "build" / "experiments" if quick else PAGE.parent / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    warm()
    rows: list[Measured] = []
    for family, games in families(quick).items():
        for row in measured(family, games):
            print(row.game, f"{row.nodes:,} nodes", duration(row.sequence_form), flush=True)
            rows.append(row)
    path = folder / "koller-pfeffer.csv"
    write(rows, path)
    figure_14(path, folder / "figure-14.svg")
    figure_15(path, folder / "figure-15.svg")
    if quick:
        print(table(rows))
    else:
        put_into_page(table(rows))


if __name__ == "__main__":
    main()
