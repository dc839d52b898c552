"""What may be asked of ``infoset solve``, option by option."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="Which solver; --methods lists them; gambit:NAME asks Gambit, an extra.",
        show_default="what suits the game",
    ),
]
Exact = Annotated[
    bool | None,
    typer.Option(
        "--exact/--floats",
        help="Proved exactly, or refused; or floats with a proved regret.",
        show_default="exact where it can be had",
    ),
]
Player = Annotated[
    str | None,
    typer.Option(
        "--player",
        metavar="NAME",
        help="Show all of this player's strategy.",
        show_default="everyone's, large ones folded",
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="TEXT",
        help="Only information sets with this in their label; with * and ?, that stand for"
        " anything, the whole label is meant. May be repeated.",
        show_default=False,
    ),
]
Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        metavar="N",
        min=1,
        help="At most so many rows of a player's strategy.",
        show_default="what fits a screen; all with --player",
    ),
]
Page = Annotated[
    int | None,
    typer.Option(
        "--page",
        metavar="N",
        min=1,
        help="This page of a long strategy, of --rows rows each (40 if not said).",
        show_default=False,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Plot the strategies: probability of each action against what is private (png, svg,"
        " pdf).",
        show_default=False,
    ),
]
Draw = Annotated[
    Path | None,
    typer.Option(
        "--draw",
        metavar="FILE",
        help="Draw the tree with what is played (svg, png, pdf, tex).",
        show_default=False,
    ),
]
TableFile = Annotated[
    Path | None,
    typer.Option(
        "--table",
        metavar="FILE",
        help="Write the tables (csv, tex, html, json, txt).",
        show_default=False,
    ),
]
Csv = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        help="Write the strategies as CSV, to be edited and asked about (infoset ask).",
        show_default=False,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Write the solution to a file, for --load.",
        show_default=False,
    ),
]
Load = Annotated[
    Path | None,
    typer.Option(
        "--load",
        metavar="FILE",
        help="Show a saved solution of this game instead.",
        show_default=False,
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        "--time",
        metavar="SECONDS",
        min=0.0,
        help="Stop solving after so long, with what is known by then.",
        show_default="no limit",
    ),
]


Several = Annotated[
    int | None,
    typer.Option(
        "--most",
        rich_help_panel="Several equilibria",
        metavar="N",
        min=1,
        help="Stop after so many equilibria (--method enumerate, pure).",
        show_default="enumerate: all; pure: one",
    ),
]
Every = Annotated[
    bool,
    typer.Option(
        "--all",
        rich_help_panel="Several equilibria",
        help="Every equilibrium (--method enumerate, pure).",
    ),
]
Pick = Annotated[
    int | None,
    typer.Option(
        "--pick",
        rich_help_panel="Several equilibria",
        metavar="N",
        min=1,
        help="Show this one of several equilibria in full.",
        show_default="the first",
    ),
]
SubgamePerfect = Annotated[
    bool,
    typer.Option("--subgame-perfect", help="Solve every subgame for itself, the last ones first."),
]
Welfare = Annotated[
    str | None,
    typer.Option(
        "--welfare",
        rich_help_panel="Correlated equilibria",
        metavar="TEXT",
        help="What a correlated equilibrium makes greatest: 'one', '2 one + two' (--method ce, cce,"
        " efce, efcce).",
        show_default="the sum of payoffs",
    ),
]
Against = Annotated[
    Path | None,
    typer.Option(
        "--against",
        rich_help_panel="Against a known opponent",
        metavar="FILE",
        help="The opponent's strategy, as --csv or --save writes it (--method safe).",
        show_default=False,
    ),
]
Epsilon = Annotated[
    str | None,
    typer.Option(
        "--epsilon",
        rich_help_panel="Against a known opponent",
        metavar="X",
        help="How much of the value may be risked, a number or a fraction (--method safe).",
        show_default="0",
    ),
]


def _list_methods(asked: bool) -> None:
    if not asked:
        return
    from infoset.solve.table import SOLVERS

    wide = max(len(row.name) for row in SOLVERS)
    for row in SOLVERS:
        print(f"{row.name:<{wide}} {row.takes}\n{'':<{wide}} {row.about}")
    raise typer.Exit


Methods = Annotated[
    bool,
    typer.Option(
        "--methods", callback=_list_methods, is_eager=True, help="List the solvers, and leave."
    ),
]
