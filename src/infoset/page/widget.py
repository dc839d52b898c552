"""The widget of notebooks: a frame with the application, and the kernel that answers it.

Imported where it is shown, since anywidget is an extra.
"""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from infoset.page.kernel import Kernel, answer_page
from infoset.page.saved import static_files, whole
from infoset.solvers.solution import Solution

BEGIN = "window.infosetInNotebook = true;"


class GameWidget(anywidget.AnyWidget):
    """A game and its solution, live: requests of the frame are answered by this process."""

    _esm = static_files()["notebook.js"].decode()
    page = traitlets.Unicode().tag(sync=True)
    name = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int().tag(sync=True)

    def __init__(self, game: Any, solution: Solution | None, name: str, height: int) -> None:
        """Of anything that has positions."""
        super().__init__(page=whole(BEGIN), name=name, height=height)
        self.kernel = Kernel(game, solution)
        self.on_msg(self._asked)

    def _asked(self, _: Any, content: Any, buffers: Any) -> None:
        answer_page(self.kernel, content, self.send)

    def close(self) -> None:
        """Leave the notebook, and end what runs in the background."""
        self.kernel.close()
        super().close()
