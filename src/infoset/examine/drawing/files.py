"""Drawings as files: the name's ending says which format, and a file is whole or not there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from infoset.errors import FileError
from infoset.examine.drawing.palette import DARK, LIGHT
from infoset.rules.story import printable
from infoset.tree.files.atomic import write_bytes, write_lines

if TYPE_CHECKING:
    from infoset.examine.drawing.drawing import Drawing

NEEDS = "% \\usepackage{tikz}\n"  # of the document that this becomes a part of
ENDINGS = (".svg", ".png", ".pdf", ".tex")


def save_drawing(drawing: Drawing, path: str | os.PathLike[str]) -> None:
    """Write a drawing in the format that the file's name ends in."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS[:-1]) + f" or {ENDINGS[-1]}"
        name = printable(os.fspath(path)[:200])
        raise FileError(f"{name}: a drawing is saved as {known}; end the name in one of these")
    if ending == ".svg":
        write_lines(path, (drawing.svg,))
    elif ending == ".tex":
        write_lines(path, (NEEDS, drawing.tikz))
    else:
        from infoset.examine.drawing.paint import paint

        theme = DARK if drawing.theme == DARK else LIGHT
        write_bytes(path, (paint(drawing.scene, ending[1:], theme),))
