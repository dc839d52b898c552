"""Draw figures 14 and 15 of Koller & Pfeffer 1997 from the times in a CSV file.

    python benchmarks/solve/figures.py FOLDER     draws again what experiments.py has measured

Both axes are logarithmic: a straight line is a power of the tree's size, and its slope the
exponent. The colours are two that colour-blind eyes can tell apart (Okabe & Ito); shape and dashes
say the same again, and the lines are labelled where they end.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

BLUE, VERMILION, GREY = "#0072B2", "#D55E00", "#666666"
TITLES = {"poker": "Poker, more cards", "inspection": "Inspection game, more stages"}
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "infoset",  # the same numbers give the same file
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
}
LINES = {  # column: words, colour, marker, dashes
    "normal_form": ("normal form", VERMILION, "s", "--"),
    "sequence_form": ("sequence form", BLUE, "o", "-"),
    "generating": ("generating the tree", VERMILION, "s", "--"),
    "solving": ("solving it", BLUE, "o", "-"),
}

Rows = list[dict[str, str]]


def figure_14(times: Path, picture: Path) -> None:
    """Normal form against sequence form."""
    _draw(times, picture, {"normal_form": "normal_form", "sequence_form": "sequence_form"})


def figure_15(times: Path, picture: Path) -> None:
    """Generating against solving."""
    _draw(times, picture, {"generating": "generating", "solving": "sequence_form"})


def _draw(times: Path, picture: Path, columns: dict[str, str]) -> None:
    """One panel for each family; ``columns`` says which column of the file a line shows."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    with times.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with mpl.rc_context(STYLE):
        figure, panels = pyplot.subplots(
            1, len(TITLES), figsize=(9, 3.8), sharey=True, layout="constrained"
        )
        for panel, (family, title) in zip(panels, TITLES.items(), strict=True):
            own = [row for row in rows if row["family"] == family]
            _panel(panel, own, columns)
            panel.set_title(title, fontsize=11, loc="left")
            panel.set_xlabel("nodes of the tree")
        panels[0].set_ylabel("seconds")
        panels[0].legend(frameon=False, loc="lower right")
        figure.savefig(picture, metadata={"Date": None} if picture.suffix == ".svg" else None)
        pyplot.close(figure)


def _panel(panel: Any, rows: Rows, columns: dict[str, str]) -> None:
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    panel.set_xscale("log")
    panel.set_yscale("log")
    for axis, form in ((panel.xaxis, "{x:,.0f}"), (panel.yaxis, "{x:g}")):
        axis.set_major_formatter(StrMethodFormatter(form))
        axis.set_minor_formatter(NullFormatter())
    for line, column in columns.items():
        words, colour, marker, dashes = LINES[line]
        points = [(int(row["nodes"]), float(row[column])) for row in rows if row[column]]
        panel.plot(*_columns(points), dashes, marker=marker, color=colour, label=words, ms=5)
        refused = [row for row in rows if not row[column]]
        if refused:
            _say_refused(panel, points[-1], refused[0])


def _columns(points: Sequence[tuple[int, float]]) -> list[tuple[float, ...]]:
    return list(zip(*points, strict=True))


def _say_refused(panel: Any, last: tuple[int, float], row: dict[str, str]) -> None:
    """Say above the last point of a line why it ends there."""
    sizes = row["strategies"].replace(" x ", " × ")
    said = f"next, with {int(row['nodes']):,} nodes:\n{sizes} strategies, refused"
    panel.annotate(
        said,
        last,
        xytext=(0, 8),
        textcoords="offset points",
        color=GREY,
        fontsize=8.5,
        ha="center",
        va="bottom",
    )


if __name__ == "__main__":
    place = Path(sys.argv[1])
    for draw, name in ((figure_14, "figure-14"), (figure_15, "figure-15")):
        draw(place / "koller-pfeffer.csv", place / f"{name}.svg")
