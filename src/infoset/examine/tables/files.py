"""Tables into files, in the format that the file's name asks for.

A file is written a row at a time, whole or not at all, with every row in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from infoset.errors import FileError
from infoset.examine.tables.csv import sheet_csv_lines, table_csv_lines
from infoset.examine.tables.html import page_lines
from infoset.examine.tables.json import sheet_json_lines, table_json_lines
from infoset.examine.tables.latex import sheet_latex_lines, table_latex_lines
from infoset.examine.tables.record import Sheet, Table
from infoset.examine.tables.safe import shown
from infoset.examine.tables.terminal import BOUNDLESS, sheet_lines, table_lines
from infoset.tree.files.atomic import write_lines


def save_table(content: Table | Sheet, path: Path) -> None:
    r"""Write a table or a sheet; the end of the name says how: csv, tex, html, json or txt.

    >>> import tempfile
    >>> from infoset.examine.tables import Column
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_table(Table("", (Column("holds"),), [("J",), ("K",)]), Path(folder, "hands.csv"))
    ...     Path(folder, "hands.csv").read_text()
    'holds\nJ\nK\n'
    >>> save_table(Table("", (), []), Path("hands.xlsx"))
    Traceback (most recent call last):
    infoset.errors.FileError: hands.xlsx: tables are not written as .xlsx; end the name in .csv, ...
    """
    write = FORMATS.get(path.suffix.lower())
    name = shown(str(path), 200)
    if write is None:
        kind = f"as {shown(path.suffix, 20)}" if path.suffix else "without a format"
        *known, last = FORMATS
        raise FileError(
            f"{name}: tables are not written {kind}; end the name in {', '.join(known)} or {last}"
        )
    if not path.parent.is_dir():
        folder = shown(str(path.parent), 200)
        raise FileError(f"{name}: there is no folder {folder}; make it first, or name another")
    write_lines(path, write(content))


def _csv(content: Table | Sheet) -> Iterator[str]:
    return table_csv_lines(content) if isinstance(content, Table) else sheet_csv_lines(content)


def _tex(content: Table | Sheet) -> Iterator[str]:
    return table_latex_lines(content) if isinstance(content, Table) else sheet_latex_lines(content)


def _json(content: Table | Sheet) -> Iterator[str]:
    return table_json_lines(content) if isinstance(content, Table) else sheet_json_lines(content)


def _txt(content: Table | Sheet) -> Iterator[str]:
    if isinstance(content, Table):
        lines = table_lines(content, width=BOUNDLESS, most=None)
    else:
        lines = sheet_lines(content, width=BOUNDLESS, most=None)
    return (f"{line}\n" for line in lines)


FORMATS: dict[str, Callable[[Table | Sheet], Iterable[str]]] = {
    ".csv": _csv,
    ".tex": _tex,
    ".html": page_lines,
    ".json": _json,
    ".txt": _txt,
}
