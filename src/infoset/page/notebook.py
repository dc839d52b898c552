"""The application in a notebook: live where anywidget is installed, and as a page that stays.

A notebook shows a *widget*, a frame whose requests the kernel answers: everything works there that
works in the browser, solving included. What is stored in the notebook beside it is the page of
:mod:`infoset.page.saved`, with its answers in it, so that the game can be looked at wherever the
notebook is read: without a kernel, and in a notebook that was exported as HTML.
"""

from __future__ import annotations

import os
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.errors import NotApplicable
from infoset.files import write_lines
from infoset.page.saved import page
from infoset.solvers.solution import Solution

if TYPE_CHECKING:
    from infoset.page.widget import GameWidget

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
        self.game, self.solution = game, solution
        self.name = str(solution.name if solution is not None else game)
        self.height = int(height)

    @cached_property
    def html(self) -> str:
        """A page with all its answers in it."""
        return page(self.game, self.solution, nodes=NODES)

    @cached_property
    def widget(self) -> GameWidget:
        """The live view, to be put among other widgets.

        Raises
        ------
        NotApplicable
            If anywidget is not installed.
        """
        try:
            from infoset.page.widget import GameWidget
        except ImportError:
            raise NotApplicable(
                "a live view needs anywidget, which is not installed:"
                " pip install 'infoset[notebook]'"
            ) from None
        return GameWidget(self.game, self.solution, self.name, self.height)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, for notebooks that show one, and the page for all others."""
        kept = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            shown = self.widget._repr_mimebundle_()
        except NotApplicable:
            return kept, {}
        live, metadata = shown or ({}, {})
        return {**live, **kept}, metadata

    def _repr_html_(self) -> str:
        return (
            '<iframe sandbox="allow-scripts allow-forms allow-popups" width="100%"'
            f' title="{escape(self.name)}" height="{self.height}" style="border:0"'
            f' srcdoc="{escape(self.html)}"></iframe>'
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
