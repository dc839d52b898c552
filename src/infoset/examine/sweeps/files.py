"""A sweep in a file: each row on a line of its own as soon as it is known.

So a sweep which was cut off goes on where it stopped: what the file has is not computed again, and
half a line at its end is dropped. A line names its game and what was asked for, and so a file of
another sweep is known, and refused.

The file is a CSV table that other programs read too. Exact numbers are whole or ``p/q``, floats
have a point or an exponent; none is rounded, so that a number is read as it was found.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from infoset.errors import FileError
from infoset.examine.sweeps.members import Plan, Row, name_of
from infoset.rules.story import printable, text

COLUMNS = (
    *("nodes", "infosets", "sequences", "method", "value", "payoffs", "regret", "certificate"),
    *("seconds_building", "seconds_solving", "note", "asked"),
)


@contextlib.contextmanager
def kept(
    plan: Plan, path: Path | None
) -> Iterator[tuple[dict[str, Row], Callable[[Row], None] | None]]:
    """The rows that a file has from before, and what puts a new one there; for :meth:`Plan.rows`.

    Without a file there are none, and nothing is kept. A file of another sweep is refused, and left
    as it is.

    >>> from tempfile import TemporaryDirectory
    >>> from infoset.examine.sweeps import plan
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
    name = printable(str(path))
    head = _line(["game", *plan.swept, *COLUMNS])
    try:
        if path.exists() and not path.is_file():
            raise FileError(f"{name}: not a regular file; name a file")
        if not path.parent.is_dir():
            raise FileError(f"{name}: there is no folder {printable(str(path.parent))}")
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and not head.encode().startswith(data):
            raise FileError(f"{name}: this is no table of a sweep; name another file")
        known = _read(plan, name, whole, head) if whole else {}
        with path.open("r+b" if data else "wb") as file:
            file.truncate(len(whole))  # half a line
            file.seek(len(whole))

            def write(line: str) -> None:
                file.write(line.encode())
                file.flush()

            if not whole:
                write(head)
            yield known, lambda row: write(_line(_cells(plan, row)))
    except OSError as problem:
        raise FileError(f"{name}: {problem.strerror or problem}") from None


def _line(cells: Sequence[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow([printable(cell) for cell in cells])
    return written.getvalue()


def _cells(plan: Plan, row: Row) -> list[str]:
    return [
        *(row.game, *map(text, row.parameters)),
        *(_spelled(value) for value in (row.nodes, row.infosets, row.sequences)),
        *(row.method, _spelled(row.value), "; ".join(map(_spelled, row.payoffs))),
        *(_spelled(row.regret), row.certificate, _spelled(row.building), _spelled(row.solving)),
        *(row.note, plan.asked),
    ]


def _spelled(value: Any) -> str:
    from infoset.solve.store import spelled

    if value is None:
        return ""
    return str(value) if isinstance(value, float) else spelled(value)


def _read(plan: Plan, name: str, data: bytes, head: str) -> dict[str, Row]:
    """The rows of a file, by their games; all must be of this sweep."""
    lines = data.decode(errors="replace").split("\n")[:-1]
    if f"{lines[0]}\n" != head:
        raise FileError(f"{name}:1: this is no table of this sweep; name another file")
    members = {
        name_of(plan.family, plan.parameters(values)): values
        for values in product(*plan.swept.values())
    }
    rows: dict[str, Row] = {}
    for number, line in enumerate(lines[1:], 2):
        where = f"{name}:{number}"
        try:
            (cells,) = csv.reader([line], strict=True)
            if len(cells) != 1 + len(plan.swept) + len(COLUMNS):
                raise ValueError
            game, asked = cells[0], cells[-1]
            if game not in members:
                raise FileError(f"{where}: {game[:80]} is not of this sweep; name another file")
            if asked != plan.asked:
                raise FileError(
                    f"{where}: this was asked for: {asked[:80]}; now it is: {plan.asked};"
                    " name another file"
                )
            rows[game] = _row(plan, members[game], cells)
        except (csv.Error, ValueError) as problem:
            if isinstance(problem, FileError):
                raise
            raise FileError(f"{where}: this is no row of a sweep; remove the line") from None
    return rows


def _row(plan: Plan, values: tuple[Any, ...], cells: list[str]) -> Row:
    told = dict(zip(COLUMNS, cells[1 + len(values) :], strict=True))
    counts = (told["nodes"], told["infosets"], told["sequences"])
    nodes, infosets, sequences = (int(cell) if cell else None for cell in counts)
    payoffs = tuple(map(_number, told["payoffs"].split("; "))) if told["payoffs"] else ()
    seconds = (told["seconds_building"], told["seconds_solving"])
    building, solving = (float(cell) if cell else None for cell in seconds)
    return Row(
        game=cells[0],
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
        note=told["note"],
    )


def _number(cell: str) -> Any:
    """Floats have a point or an exponent; exact numbers are whole, or p/q."""
    from infoset.solve.store import number

    if not cell:
        return None
    return float(cell) if re.search(r"[.n]|e[-+]", cell) else number(cell)
