"""How the public form grows with the deck: two games, four numbers of ranks, three of suits.

Each size is a process of its own. Nodes are counted, not made; "sets" are the information sets of
the game, "kept" those of the folded form. Peak memory is that of the process, from the start to the
iterations with all workers; what it had before it built anything is said above the table.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from child import facts
from clocks import Taken, amount
from measure import duration

HEADINGS = (
    "game", "deck", "nodes", "sets", "kept", "of the sets", "build (median)", "tables",
    "peak memory", "iteration (median)", "all workers (median)",
)  # fmt: skip
RANKS, SUITS = (3, 5, 8, 13), (1, 2, 4)
QUICK_RANKS, QUICK_SUITS = (3, 5), (2,)
FAMILIES = {"leduc": 3, "rhode_island": 4}  # with the fewest cards there can be


@cache
def grown(game: str) -> dict[str, Any]:
    """What a process tells that builds this game and iterates, once for all tables."""
    return facts("grow", game)


def sizes(quick: bool) -> Iterator[tuple[str, int, int]]:
    """Games by name, ranks and suits, the smaller decks of a game first."""
    every = (QUICK_RANKS, QUICK_SUITS) if quick else (RANKS, SUITS)
    for name, fewest in FAMILIES.items():
        decks = [(r, s) for r in every[0] for s in every[1] if r * s >= fewest]
        yield from ((name, *deck) for deck in sorted(decks, key=lambda deck: deck[0] * deck[1]))


def told(name: str, ranks: int, suits: int) -> dict[str, Any]:
    return grown(f"{name} ranks={ranks} suits={suits}")


def start(quick: bool) -> str:
    """How much memory a process has before it builds anything."""
    return amount(statistics.median(told(*size)["start"] for size in sizes(quick)))


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    for name, ranks, suits in sizes(quick):
        found = told(name, ranks, suits)
        built = found["built"]
        yield (
            name,
            f"{ranks} × {suits}",
            f"{found['nodes']:,}",
            f"{found['whole']:,}",
            f"{found['sets']:,}",
            f"{found['sets'] / found['whole']:.1%}",
            f"{duration(min(built))} ({duration(statistics.median(built))})",
            amount(found["tables"]),
            amount(found["peak"]),
            str(Taken(*found["one"])),
            str(Taken(*found["all"])),
        )


# ---------------------------------------------------------------------- the picture

PANELS = (  # what is drawn, what is dashed in the same panel, the title, and the unit
    ("nodes", "sets", "nodes (dashed: sets kept)", "count"),
    ("built", "one", "building (dashed: iteration)", "seconds"),
    ("peak", "tables", "peak (dashed: tables)", "MiB"),
)


def plot(quick: bool, file: Path) -> None:
    """Both games, a panel for counts, seconds and bytes; a colour for each number of suits."""
    from infoset.display.plots.style import (
        colour,
        legend,
        logarithmic,
        marker,
        new_figure,
        save_figure,
        styled,
    )

    with styled():
        figure = new_figure(8.4, 5.4)
        axes = figure.subplots(len(FAMILIES), len(PANELS), sharex="row", squeeze=False)
        for line, name in enumerate(FAMILIES):
            for at, (drawn, dashed, title, unit) in enumerate(PANELS):
                panel = axes[line][at]
                for number, suits in enumerate(SUITS):
                    points = [size for size in sizes(quick) if size[0] == name and size[2] == suits]
                    if not points:
                        continue
                    cards = [ranks * suits for _, ranks, _ in points]
                    look = {"color": colour(number), "marker": marker(number), "markersize": 3.5}
                    words = f"{suits} suit{'s' * (suits > 1)}"
                    panel.plot(cards, [_number(p, drawn) for p in points], label=words, **look)
                    panel.plot(
                        cards, [_number(p, dashed) for p in points], linestyle=(0, (4, 1.6)), **look
                    )
                logarithmic(panel.xaxis)
                logarithmic(panel.yaxis)
                panel.set_ylabel(unit if at else f"{name.replace('_', ' ')}: {unit}")
                if not line:
                    panel.set_title(title)
                if line == len(FAMILIES) - 1:
                    panel.set_xlabel("cards in the deck")
        legend(axes[0][0], loc="best")
        save_figure(figure, file)


def _number(size: tuple[str, int, int], key: str) -> float:
    found = told(*size)[key]
    if key == "built":
        return float(min(found))
    if key == "one":
        return float(found[0])
    return found / 2**20 if key in ("peak", "tables") else float(found)
