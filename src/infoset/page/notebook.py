"""The application in a notebook: the page that works from disk, in a frame.

It has all its answers in it, so that it works wherever the notebook is read: without a server,
after the kernel has ended, and in a notebook that was exported as HTML.
"""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any

from infoset.files import write_lines
from infoset.page.saved import page
from infoset.solvers.solution import Solution

HEIGHT = 720  # pixels
NODES = 300  # that a notebook holds; a file has room for more


class View:
    """A game and its solution, to be looked at in a notebook.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solve(kuhn()).view()
    <View of kuhn()>
    """

    def __init__(self, game: Any, solution: Solution | None = None, height: int = HEIGHT) -> None:
        """With the pixels that it is high."""
        self.name = str(solution.name if solution is not None else game)
        self.height = int(height)
        self.html = page(game, solution, nodes=NODES)

    def _repr_html_(self) -> str:
        return (
            f'<iframe sandbox="allow-scripts allow-popups" title="{escape(self.name)}" width="100%"'
            f' height="{self.height}" style="border:0" srcdoc="{escape(self.html)}"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        Raises
        ------
        FileError
            If it cannot be written.
        """
        write_lines(Path(path), [self.html])

    def __repr__(self) -> str:
        return f"<View of {self.name}>"
