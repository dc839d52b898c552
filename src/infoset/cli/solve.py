"""``infoset solve``: an equilibrium of a game, with its proof."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from infoset.cli.advising import Asked, Wish, Written, advise
from infoset.cli.naming import (
    GameArgument,
    Json,
    MaxMoves,
    MaxNodes,
    ParametersArgument,
    Patience,
    named_tree,
)
from infoset.cli.progress import interruptible, status
from infoset.cli.showing import Files, Look, Most, Orientation, Shown, Theme, game_facts
from infoset.errors import NoEquilibrium, ParameterError
from infoset.rules.columns import MAX_MOVES, MAX_NODES, PATIENCE
from infoset.rules.story import printable

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
        "--save", metavar="FILE", help="Write the solution to a file (JSON).", show_default=False
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
Every = Annotated[bool, typer.Option("--all", help="Every equilibrium (--method enumerate, pure).")]
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

    for row in SOLVERS:
        print(f"{row.name:<13} {row.takes}\n{'':<13} {row.about}")
    raise typer.Exit


Methods = Annotated[
    bool,
    typer.Option(
        "--methods", callback=_list_methods, is_eager=True, help="List the solvers, and leave."
    ),
]


def solve(
    name: GameArgument,
    parameters: ParametersArgument = None,
    method: Method = None,
    exact: Exact = None,
    player: Player = None,
    where: Where = None,
    rows: Rows = None,
    page: Page = None,
    plot: Plot = None,
    draw: Draw = None,
    orientation: Orientation = None,
    theme: Theme = None,
    most: Most = None,
    table: TableFile = None,
    csv: Csv = None,
    save: Save = None,
    load: Load = None,
    seconds: Seconds = None,
    several: Several = None,
    every: Every = False,
    pick: Pick = None,
    subgame_perfect: SubgamePerfect = False,
    welfare: Welfare = None,
    against: Against = None,
    epsilon: Epsilon = None,
    max_nodes: MaxNodes = MAX_NODES,
    max_moves: MaxMoves = MAX_MOVES,
    patience: Patience = PATIENCE,
    as_json: Json = False,
    methods: Methods = False,
) -> None:
    """Find an equilibrium and prove it: value, payoffs, regret, certificate, strategies."""
    from infoset.solve.table import choose, solver

    row = None if method is None else solver(method)  # misspelt: said before the tree is built
    asked = Asked(several, every, pick, subgame_perfect, welfare, against, epsilon)
    asked.check(row, load is not None)
    if load is not None:
        kind = "--floats" if exact is False else "--exact"
        given = (("--method", method), (kind, exact), ("--time", seconds))
        _alone("--load shows what was saved", given)
    if as_json:
        listed = (("--where", where), ("--rows", rows), ("--page", page))
        _alone("--json gives everything", listed)
    advice = row is not None and row.gives in ("correlated", "play")
    if advice:
        idle: list[tuple[str, Any]] = [("--plot", plot), ("--draw", draw), ("--save", save)]
        idle += [("--load", load), ("--where", where), ("--rows", rows), ("--page", page)]
        idle += [("--player", player)] if row is not None and row.gives == "correlated" else []
        for option, value in idle:
            if value is not None and value != []:
                raise ParameterError(f"{option} does not go with --method {method}")
    files = Files(save, csv, table, plot, draw, Look(orientation, theme, most))
    written = Written(table, csv)
    if advice and row is not None:
        written.check(row.gives)
    files.check()  # said before the work is done
    _spare(files, (against, Path(name), load if save is None else None))
    began = time.perf_counter()
    tree = named_tree(name, parameters, max_nodes, max_moves, patience)
    building = time.perf_counter() - began
    if player is not None:
        tree.player_number(player)
    if advice:
        chosen, _ = choose(tree, method)
        wish = Wish(player, exact, seconds, as_json)
        advise(tree, chosen, asked, written, wish)
        return
    view = Shown(player, tuple(where or ()), rows, page)
    view.check(tree)
    try:
        solution = _solution(tree, method, load, asked, exact, seconds)
    except NoEquilibrium as none:  # which is an answer, too
        print(json.dumps(no_facts(tree, method, str(none))) if as_json else none)
        if files.named:
            raise ParameterError("there is nothing to write to a file") from None
        return
    shown = solution if pick is None else solution.pick(pick)
    view.check_page(shown)
    told, problem = files.write(shown, view)
    if as_json:
        print(json.dumps(facts(shown, building, player, solution)))
    else:
        print("\n\n".join([view.text(shown, solution), *([told] if told else [])]))
    if problem is not None:  # the answer is not lost for it
        raise problem


def _solution(
    tree: Any,
    method: str | None,
    load: Path | None,
    asked: Asked,
    exact: bool | None,
    seconds: float | None,
) -> Any:
    """The solution: loaded, or solved for now."""
    from infoset.solve import Solution
    from infoset.solve import solve as solved
    from infoset.solve.table import choose

    if load is not None:
        return Solution.load(load, tree)
    if not asked.subgame_perfect:
        choose(tree, method)
    with status(f"solving {tree.name}") as tick, interruptible() as stop:
        return solved(
            tree,
            method,
            exact=exact,
            seconds=seconds,
            most=asked.most,
            subgame_perfect=asked.subgame_perfect,
            tick=tick,
            stop=stop,
        )


def _spare(files: Files, read: Iterable[Path | None]) -> None:
    """Refuse to write over a file that is read."""
    places = {file.resolve() for file in read if file is not None}
    for file in files.named:
        if file.resolve() in places:
            raise ParameterError(f"{printable(str(file))}: it is read here, and would be lost")


def _alone(why: str, others: Iterable[tuple[str, Any]]) -> None:
    for name, value in others:
        if value is not None and value != []:
            raise ParameterError(f"{why}; {name} cannot change it")


def facts(solution: Any, building: float, player: str | None, among: Any = None) -> dict[str, Any]:
    """All that is said, as one JSON object; exact numbers as texts ``p/q``.

    ``among`` has the other equilibria, if one was picked.
    """
    from infoset.solve.store import spelled, strategy_record

    tree = solution.tree
    names = tree.names if player is None else (player,)
    value = solution.value
    return {
        **game_facts(tree),
        "method": solution.method,
        "because": solution.because,
        "value": None if value is None else spelled(value),
        "payoffs": {name: spelled(amount) for name, amount in solution.payoffs.items()},
        "regret": spelled(solution.regret),
        "regrets": {name: spelled(amount) for name, amount in solution.regrets.items()},
        "certificate": solution.certificate,
        "exact": solution.exact,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        "seconds_building": round(building, 6),
        "strategies": [strategy_record(solution.strategy[name]) for name in names],
        **several_facts(among or solution, names),
    }


def several_facts(solution: Any, names: Iterable[str]) -> dict[str, Any]:
    """What only some methods find: all equilibria, how they hang together, and beliefs."""
    from infoset.solve.solution import readable
    from infoset.solve.store import spelled, strategy_record

    found: dict[str, Any] = {}
    if solution.others or solution.complete:
        found["complete"] = solution.complete
        found["equilibria"] = [
            {
                "payoffs": {name: spelled(amount) for name, amount in one.payoffs.items()},
                "regret": spelled(one.regret),
                "strategies": [strategy_record(readable(one[name], one)) for name in names],
            }
            for one in solution.equilibria
        ]
        found["components"] = [component.record for component in solution.components]
    if solution.assessment is not None:
        beliefs = solution.assessment.beliefs
        found["sequential"] = bool(solution.sequential)
        found["sequential_because"] = solution.sequential.because
        found["beliefs"] = [[spelled(share) for share in own.values()] for own in beliefs]
    return found


def no_facts(tree: Any, method: str | None, because: str) -> dict[str, Any]:
    """That there is no equilibrium of the kind, as one JSON object."""
    return {
        **game_facts(tree),
        "method": method,
        "because": because,
        "complete": True,
        "equilibria": [],
    }
