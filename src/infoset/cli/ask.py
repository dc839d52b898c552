"""``infoset ask``: what a solution says, question by question."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.cli.naming import (
    GameArgument,
    Json,
    MaxMoves,
    MaxNodes,
    ParametersArgument,
    Patience,
    named_tree,
)
from infoset.cli.showing import TABLES, check_target, terminal
from infoset.cli.solve import Seconds
from infoset.errors import ParameterError, nearest
from infoset.rules.columns import MAX_MOVES, MAX_NODES, PATIENCE

if TYPE_CHECKING:
    from infoset.cli.asking import Question, Strategies
    from infoset.examine.questions import Answer
    from infoset.examine.tables import Sheet, Table

    Answers = list[tuple[Question, Answer]]

MISSING = ("refuse", "uniform", "solution")
CAN_BE_ASKED = (
    "ask about an information set, 'PLAYER: LABEL' or '#NUMBER', with --beliefs, --values and"
    " --deviate,\nabout a play, 'MOVE, MOVE', with --from, and about everything with --plays,"
    " --unreached,\n--reply FILE.csv and --compare FILE.json"
)


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
    str,
    typer.Option(
        "--missing",
        metavar="HOW",
        help="Sets that a file leaves out: refuse, uniform, or as in the solution.",
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
Most = Annotated[int, typer.Option("--most", min=1, help="Show so many rows at most.")]
Full = Annotated[bool, typer.Option("--full", help="With --beliefs: tell whole plays.")]
Save = Annotated[
    Path | None,
    _option("--save", "FILE", "Write the answers to FILE.csv, .tex, .html, .json or .txt."),
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
    missing: Missing = "refuse",
    load: Load = None,
    method: Method = None,
    seconds: Seconds = None,
    most: Most = 40,
    full: Full = False,
    save: Save = None,
    max_nodes: MaxNodes = MAX_NODES,
    max_moves: MaxMoves = MAX_MOVES,
    patience: Patience = PATIENCE,
    as_json: Json = False,
) -> None:
    """Ask what a solution means: beliefs, values, plays, replies; several questions in one call.

    Without a question: an overview, and what can be asked.
    """
    _check(method, seconds, load, missing, save)
    from infoset.cli import asking

    tree = named_tree(name, parameters, max_nodes, max_moves, patience)
    asked: list[Question] = [
        *asking.beliefs(tree, beliefs or (), full),
        *asking.values(tree, values or ()),
        *asking.outcomes(tree, after or ()),
        *([asking.plays(most)] if plays else []),
        *asking.deviations(tree, deviate or ()),
    ]
    strategies = asking.Strategies(tree, load, method, seconds, strategy, missing)
    if reply is not None:
        asked += asking.replies(strategies, reply)
    if compare is not None:
        asked.append(asking.comparison(tree, compare))
    if unreached:
        asked.append(asking.unreached())
    put = asked or [asking.overview(most)]
    answers = [(question, question.put(strategies)) for question in put]
    if save is not None:
        _together(tree.name, answers).save(save)
    if as_json:
        print(json.dumps(_facts(strategies, answers)))
    else:
        print(_printed(strategies, answers, most, bool(asked)))


def _check(
    method: str | None, seconds: float | None, load: Path | None, missing: str, save: Path | None
) -> None:
    """What can be refused before any work is done."""
    from infoset.solve.table import solver

    if method is not None:
        solver(method)
    for option, value in (("--method", method), ("--time", seconds)):
        if load is not None and value is not None:
            raise ParameterError(f"--load asks about what was saved; {option} cannot change it")
    if missing not in MISSING:
        raise ParameterError(f"--missing {missing!r} is not known; {nearest(missing, MISSING)}")
    if save is not None:
        check_target(save, TABLES)


def _printed(strategies: Strategies, answers: Answers, most: int, asked: bool) -> str:
    style = terminal()
    texts = [answer.table.text(most=most, **style) for _, answer in answers]
    if not asked:
        texts.append(CAN_BE_ASKED)
    notes = "\n".join(f"note: {note}" for note in strategies.notes)
    return "\n\n".join([notes, *texts] if notes else texts)


def _together(name: str, answers: Answers) -> Table | Sheet:
    """All answers as one, for a file."""
    from infoset.examine.tables import Column, Sheet, Table

    if len(answers) == 1:
        return answers[0][1].table
    tables: list[Table] = []
    for _, answer in answers:
        sheet = answer.table
        if isinstance(sheet, Table):
            tables.append(sheet)
            continue
        columns = (Column("fact"), Column("value"))
        tables.append(Table(sheet.title, columns, sheet.facts, sheet.note))
        tables += [
            replace(table, title=f"{sheet.title}: {table.title}" if table.title else sheet.title)
            for table in sheet.tables
        ]
    return Sheet(name, tables)


def _facts(strategies: Strategies, answers: Answers) -> dict[str, Any]:
    """All that is said, as one JSON object; exact numbers as texts ``p/q``."""
    from infoset.examine.tables import Sheet

    told = []
    for question, answer in answers:
        table = answer.table
        sheet = table if isinstance(table, Sheet) else Sheet(table.title, [table])
        told.append(
            {
                "question": question.kind,
                "about": question.about,
                "numbers": _exactly(answer.numbers),
                **sheet.records(),
            }
        )
    return {
        "game": strategies.tree.name,
        "players": list(strategies.tree.names),
        "strategies": strategies.source,
        "notes": strategies.notes,
        "answers": told,
    }


def _exactly(value: Any) -> Any:
    """Numbers as JSON has them."""
    from infoset.solve.store import spelled

    if isinstance(value, dict):
        return {name: _exactly(entry) for name, entry in value.items()}
    return spelled(value) if isinstance(value, Fraction) else value
