"""``infoset ask``: what a solution says, question by question."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.cli.files import TABLES, check_target
from infoset.cli.game_arguments import (
    GameArgument,
    Json,
    MaxMoves,
    MaxNodes,
    ParametersArgument,
    Patience,
    named_tree,
)
from infoset.cli.solve_options import Seconds, TableFile
from infoset.errors import ParameterError, nearest
from infoset.rules.running import MAX_MOVES, MAX_NODES, PATIENCE

if TYPE_CHECKING:
    from infoset.cli.questions import Question

MISSING = ("refuse", "uniform", "solution")
MOST_ROWS = 40
BELONGS = {
    "full": "goes with --beliefs; add that, or leave it out",
    "missing": "goes with --strategy or --reply, and the file that they name; add one",
    "rows": "is of what is printed; --json has every row",
    "csv": "writes the best reply; add --reply FILE.csv",
}


def _option(flag: str, metavar: str, words: str) -> Any:
    return typer.Option(flag, metavar=metavar, help=words, show_default=False)


BeliefsAt = Annotated[
    list[str] | None,
    _option("--beliefs", "SET", "What is believed at 'PLAYER: LABEL', LABEL or '#NUMBER'."),
]
ValuesAt = Annotated[
    list[str] | None, _option("--values", "SET", "What each action at an information set is worth.")
]
From = Annotated[
    list[str] | None,
    _option("--from", "PLAY", "What follows a play, as in 'J Q, bet'; * is any move."),
]
Deviate = Annotated[
    list[str] | None,
    _option("--deviate", "SET:ACTION", "What it costs to do that there, and nowhere else."),
]
PlaysToo = Annotated[bool, typer.Option("--plays", help="The likeliest plays.")]
UnreachedToo = Annotated[
    bool, typer.Option("--unreached", help="The information sets that no play comes to.")
]
Reply = Annotated[
    Path | None, _option("--reply", "FILE.csv", "The best reply to the strategies in a file.")
]
Compare = Annotated[Path | None, _option("--compare", "FILE.json", "How a saved solution differs.")]
StrategyFile = Annotated[
    Path | None,
    _option("--strategy", "FILE.csv", "Ask about these strategies, not the solution's."),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="HOW",
        help="Sets that a file leaves out: refuse, uniform, or as in the solution.",
        show_default=MISSING[0],
    ),
]
Load = Annotated[
    Path | None, _option("--load", "FILE.json", "Ask about a saved solution; do not solve.")
]
Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="Which solver; infoset solve --methods lists them.",
        show_default="what suits the game",
    ),
]
Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        metavar="N",
        min=1,
        help="Show so many rows at most.",
        show_default=str(MOST_ROWS),
    ),
]
Full = Annotated[bool, typer.Option("--full", help="With --beliefs: tell whole plays.")]
Csv = Annotated[
    Path | None,
    _option("--csv", "FILE", "With --reply: write the reply as CSV, to be edited and asked about."),
]


def ask(
    name: GameArgument,
    parameters: ParametersArgument = None,
    beliefs: BeliefsAt = None,
    values: ValuesAt = None,
    after: From = None,
    plays: PlaysToo = False,
    deviate: Deviate = None,
    reply: Reply = None,
    compare: Compare = None,
    unreached: UnreachedToo = False,
    strategy: StrategyFile = None,
    missing: Missing = None,
    load: Load = None,
    method: Method = None,
    seconds: Seconds = None,
    rows: Rows = None,
    full: Full = False,
    table: TableFile = None,
    csv: Csv = None,
    max_nodes: MaxNodes = MAX_NODES,
    max_moves: MaxMoves = MAX_MOVES,
    patience: Patience = PATIENCE,
    as_json: Json = False,
) -> None:
    """Ask what a solution means: beliefs, values, plays, replies; several questions in one call.

    Without a question: an overview, and what can be asked.
    """
    _check(method, seconds, load, missing)
    for file, formats in ((table, TABLES), (csv, (".csv",))):
        if file is not None:
            check_target(file, formats)
    _refuse_idle(
        full=full and not beliefs,
        missing=missing is not None and not (strategy or reply),
        rows=rows is not None and as_json,
        csv=csv is not None and reply is None,
    )
    from infoset.cli import questions as answers
    from infoset.cli import questions as asking

    most = rows or MOST_ROWS
    tree = named_tree(name, parameters, max_nodes, max_moves, patience)
    asked: list[Question] = [
        *asking.beliefs(tree, beliefs or (), full),
        *asking.values(tree, values or ()),
        *asking.outcomes(tree, after or ()),
        *([asking.plays(None if table or as_json else most)] if plays else []),  # files have all
        *asking.deviations(tree, deviate or ()),
    ]
    strategies = asking.Strategies(tree, load, method, seconds, strategy, missing or MISSING[0])
    if reply is None:
        strategies.refuse_idle()
    else:
        asked += asking.replies(strategies, reply)
    if compare is not None:
        asked.append(asking.comparison(tree, compare))
    if unreached:
        asked.append(asking.unreached())
    put = asked or [asking.overview(most)]
    found = [(question, question.put(strategies)) for question in put]
    told, problem = answers.write(tree.name, found, table, csv)
    if as_json:
        print(json.dumps(answers.facts(strategies, found)))
    else:
        printed = answers.printed(strategies, found, most, bool(asked))
        print("\n\n".join([printed, *([told] if told else [])]))
    if problem is not None:  # the answer is not lost for it
        raise problem


def _check(
    method: str | None,
    seconds: float | None,
    load: Path | None,
    missing: str | None,
) -> None:
    """What can be refused before any work is done."""
    from infoset.solvers.registry import solver

    if method is not None:
        solver(method)
    for option, value in (("--method", method), ("--time", seconds)):
        if load is not None and value is not None:
            raise ParameterError(f"--load asks about what was saved; {option} cannot change it")
    if missing is not None and missing not in MISSING:
        raise ParameterError(f"--missing {missing!r} is not known; {nearest(missing, MISSING)}")


def _refuse_idle(**idle: bool) -> None:
    """Refuse options that would do nothing."""
    for option, is_idle in idle.items():
        if is_idle:
            raise ParameterError(f"--{option} {BELONGS[option]}")
