"""What ``infoset ask`` does with its answers: print them, write them to files, tell programs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from infoset.cli.asking import Question, Strategies
from infoset.cli.showing import terminal
from infoset.cli.targets import write_all
from infoset.errors import InfosetError
from infoset.examine.edited import write_strategies
from infoset.examine.questions import Answer, BestReply
from infoset.examine.tables import Column, Sheet, Table
from infoset.examine.tables.layout import wrapped
from infoset.solve.store import spelled, strategy_record

CAN_BE_ASKED = (
    "ask about an information set, 'PLAYER: LABEL' or '#NUMBER', with --beliefs, --values and"
    " --deviate, about a play, 'MOVE, MOVE', with --from, and about everything with --plays,"
    " --unreached, --reply FILE.csv and --compare FILE.json"
)
A_LINE = 100  # places of a line where there is no terminal

Answers = list[tuple[Question, Answer]]


def write(
    name: str, answers: Answers, tables: Path | None, reply: Path | None
) -> tuple[str, InfosetError | None]:
    """Write files; what was written, in words, and what went wrong, if something did."""
    return write_all(
        ("the tables", tables, lambda path: _together(name, answers).save(path)),
        ("the reply", reply, lambda path: _write_replies(path, answers)),
    )


def _write_replies(path: Path, answers: Answers) -> None:
    replies = [answer.strategy for _, answer in answers if isinstance(answer, BestReply)]
    write_strategies(path, replies)


def printed(strategies: Strategies, answers: Answers, most: int, asked: bool) -> str:
    """All answers for the terminal; where nothing was asked, with what can be."""
    style = terminal()
    texts = [answer.table.text(most=most, **style) for _, answer in answers]
    if not asked:
        texts.append("\n".join(wrapped(CAN_BE_ASKED, style["width"] or A_LINE)))
    told = [f"note: {note}" for note in strategies.notes]
    if style["width"]:
        told = [line for note in told for line in wrapped(note, style["width"])]
    notes = "\n".join(told)
    return "\n\n".join([notes, *texts] if notes else texts)


def _together(name: str, answers: Answers) -> Table | Sheet:
    """All answers as one, for a file."""
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


def facts(strategies: Strategies, answers: Answers) -> dict[str, Any]:
    """All that is said, as one JSON object; exact numbers as texts ``p/q``."""
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
        if isinstance(answer, BestReply):
            told[-1]["strategy"] = strategy_record(answer.strategy.behaviour())
    return {
        "game": strategies.tree.name,
        "players": list(strategies.tree.names),
        "strategies": strategies.source,
        "notes": strategies.notes,
        "answers": told,
    }


def _exactly(value: Any) -> Any:
    """Numbers as JSON has them."""
    if isinstance(value, dict):
        return {name: _exactly(entry) for name, entry in value.items()}
    return spelled(value) if isinstance(value, Fraction) else value
