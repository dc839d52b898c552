"""A sweep in a file: each row on a line of its own as soon as it is known.

So a sweep that was interrupted resumes where it stopped: what is in the file is not computed again,
and half a line at its end is dropped. A line names its game, what was asked for and the rules that
it was found with, and so a file of another sweep, or of rules that have changed since, is refused.

The file is a CSV table that other programs can read. Exact numbers are integers or ``p/q``, floats
have a point or an exponent; none is rounded, so that a number is read as it was found. A text that
a spreadsheet would compute (``=...``, ``@...``) is written after an apostrophe, which reading
removes: parameters and notes may have come from anyone.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO

from infoset.analysis.sweeps.members import SweepPlan, SweepRow, name_of
from infoset.errors import FileError
from infoset.strategy.files import COMPUTED
from infoset.text import is_number, present_name, printable, text

COLUMNS = (
    *("nodes", "infosets", "sequences", "method", "value", "payoffs", "regret", "certificate"),
    *("seconds_building", "seconds_solving", "note", "asked", "rules"),
)


@contextlib.contextmanager
def kept(
    plan: SweepPlan, path: str | Path | None
) -> Iterator[tuple[dict[str, SweepRow], Callable[[SweepRow], None] | None]]:
    """The rows that a file has from before, and what puts a new one there; for
    :meth:`SweepPlan.rows`.

    Without a file there are none, and nothing is kept. A file of another sweep is refused, and left
    as it is.

    >>> from tempfile import TemporaryDirectory
    >>> from infoset.analysis.sweeps import plan
    >>> from infoset.games import kuhn
    >>> asked = plan(kuhn, {"ranks": [2, 3]}, solving=False)
    >>> with TemporaryDirectory() as folder:
    ...     for _ in range(2):
    ...         with kept(asked, Path(folder) / "kuhn.csv") as (known, keep):
    ...             print(len(known), [row.nodes for row in asked.rows(known, keep)])
    0 [19, 55]
    2 [19, 55]
    """
    if path is None:
        yield {}, None
        return
    if not isinstance(path, str | Path):
        raise FileError(f"{path!r:.40} names no file; give a name or a path")
    path = Path(path)
    name = printable(str(path))
    with _told(name):
        known, file = _opened(plan, path, name)

    def keep(row: SweepRow) -> None:
        with _told(name):
            _append(file, _line(_cells(plan, row)))

    try:
        yield known, keep  # what goes wrong out there is not the file's
    finally:
        with contextlib.suppress(OSError):  # every row was written, or said not to be
            file.close()


@contextlib.contextmanager
def _told(name: str) -> Iterator[None]:
    """Say what the system refused, with the name of the file."""
    try:
        yield
    except OSError as problem:
        raise FileError(f"{name}: {problem.strerror or problem}") from None


def _opened(plan: SweepPlan, path: Path, name: str) -> tuple[dict[str, SweepRow], BinaryIO]:
    """What a file has, and the file where the next row goes."""
    head = _line(["game", *plan.swept, *_columns(plan)])
    if path.exists() and not path.is_file():
        raise FileError(f"{name}: not a regular file; name a file")
    if not path.parent.is_dir():
        raise FileError(f"{name}: there is no folder {printable(str(path.parent))}")
    data = path.read_bytes() if path.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if not whole and not head.encode().startswith(data):
        raise FileError(f"{name}: this is no table of a sweep; name another file")
    known = _read(plan, name, whole, head) if whole else {}
    file = path.open("r+b" if data else "wb")
    try:
        file.truncate(len(whole))  # half a line
        file.seek(len(whole))
        if not whole:
            _append(file, head)
    except BaseException:
        with contextlib.suppress(OSError):
            file.close()
        raise
    return known, file


def _columns(plan: SweepPlan) -> tuple[str, ...]:
    """The columns after the parameters; the last ones only where they are asked for."""
    several = ("equilibria",) if plan.lists_several else ()
    return (*COLUMNS[:-2], *several, *(one.name for one in plan.track), *COLUMNS[-2:])


def _append(file: BinaryIO, line: str) -> None:
    file.write(line.encode())
    file.flush()


def _line(cells: Sequence[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow([printable(cell) for cell in cells])
    return written.getvalue()


def _cells(plan: SweepPlan, row: SweepRow) -> list[str]:
    return [
        *(row.game, *map(_parameter, row.parameters)),
        *(_spelled(value) for value in (row.nodes, row.infosets, row.sequences)),
        *(row.method, _spelled(row.value), "; ".join(map(_spelled, row.payoffs))),
        *(_spelled(row.regret), row.certificate, _spelled(row.building), _spelled(row.solving)),
        guarded(row.note),
        *((_spelled(row.equilibria),) if plan.lists_several else ()),
        *map(_spelled, row.tracked or (None,) * len(plan.track)),
        *(plan.asked, plan.rules),
    ]


def _parameter(value: Any) -> str:
    return text(value) if is_number(value) else guarded(text(value))


def guarded(words: str) -> str:
    """A text for a cell that no spreadsheet will compute.

    >>> guarded("=1+1"), guarded("'=1+1"), guarded("bet"), unguarded(guarded("=1+1"))
    ("'=1+1", "''=1+1", 'bet', '=1+1')
    """
    return f"'{words}" if words.lstrip("' ").startswith(COMPUTED) else words


def unguarded(cell: str) -> str:
    """What was guarded."""
    return cell[1:] if cell.startswith("'") and guarded(cell[1:]) == cell else cell


def _spelled(value: Any) -> str:
    from infoset.text import spelled

    if value is None:
        return ""
    return str(value) if isinstance(value, float) else spelled(value)


def _read(plan: SweepPlan, name: str, data: bytes, head: str) -> dict[str, SweepRow]:
    """The rows of a file, by their games; all must be of this sweep."""
    lines = data.decode(errors="replace").split("\n")[:-1]
    if f"{lines[0]}\n" != head:
        raise FileError(f"{name}:1: this is no table of this sweep; name another file")
    members = {
        name_of(plan.family, plan.parameters(values)): values
        for values in product(*plan.swept.values())
    }
    rows: dict[str, SweepRow] = {}
    for number, line in enumerate(lines[1:], 2):
        where = f"{name}:{number}"
        try:
            (cells,) = csv.reader([line], strict=True)
            if len(cells) != 1 + len(plan.swept) + len(_columns(plan)):
                raise ValueError
            game, asked, rules = str(present_name(cells[0])), *cells[-2:]
            if game not in members:
                raise FileError(f"{where}: {game[:80]} is not of this sweep; name another file")
            if asked != plan.asked:
                raise FileError(
                    f"{where}: this was asked for: {asked[:80]}; now it is: {plan.asked};"
                    " name another file"
                )
            if rules != plan.rules:
                raise FileError(f"{where}: the rules have changed since; choose another file")
            rows[game] = _row(plan, members[game], cells)
        except (csv.Error, ValueError) as problem:
            if isinstance(problem, FileError):
                raise
            raise FileError(f"{where}: this is no row of a sweep; remove the line") from None
    return rows


def _row(plan: SweepPlan, values: tuple[Any, ...], cells: list[str]) -> SweepRow:
    told = dict(zip(_columns(plan), cells[1 + len(values) :], strict=True))
    counts = (told["nodes"], told["infosets"], told["sequences"])
    nodes, infosets, sequences = (int(cell) if cell else None for cell in counts)
    payoffs = tuple(map(_number, told["payoffs"].split("; "))) if told["payoffs"] else ()
    seconds = (told["seconds_building"], told["seconds_solving"])
    building, solving = (float(cell) if cell else None for cell in seconds)
    return SweepRow(
        game=str(present_name(cells[0])),
        parameters=values,
        players=plan.family(**plan.parameters(values)).players if payoffs else (),
        nodes=nodes,
        infosets=infosets,
        sequences=sequences,
        method=told["method"],
        value=_number(told["value"]),
        payoffs=payoffs,
        regret=_number(told["regret"]),
        certificate=told["certificate"],
        building=building,
        solving=solving,
        note=unguarded(told["note"]),
        equilibria=int(told["equilibria"]) if told.get("equilibria") else None,
        tracked=tuple(_number(told[quantity.name]) for quantity in plan.track),
    )


def _number(cell: str) -> Any:
    """Floats have a point or an exponent; exact numbers are whole, or p/q."""
    from infoset.text import read_number

    if not cell:
        return None
    return float(cell) if re.search(r"[.n]|e[-+]", cell) else read_number(cell)
