"""What a game may ask an application to draw: boards with marks.

A game has a picture of its own by ``@game(picture=function)``. The function is given what a seat
knows, and returns these records, and whatever else facts may be, such as cards. They say what is
there and not how it looks: whoever draws them chooses colours and sizes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from infoset.errors import RulesError

__all__ = ["BoardPicture", "Mark"]

MOST_COLUMNS, MOST_ROWS = 26, 40
SHAPES = ("square", "hex")
NAME = re.compile(r"([a-z])([1-9][0-9]?)")


class Mark(NamedTuple):
    """What is on a square.

    Parameters
    ----------
    text
        A sign, such as ``"X"`` or ``7``; or a chess piece, ``"♞"`` or ``"black knight"``.
    whose
        The player, or the agent, whose it is; ``""`` if it is nobody's.

    Examples
    --------
    >>> Mark("X", "cross").whose
    'cross'
    """

    text: Any
    whose: str = ""


@dataclass(frozen=True)
class BoardPicture:
    """A board, as it is to be drawn.

    Parameters
    ----------
    width, height
        Columns and rows, at most 26 and 40.
    squares
        By the name of a square, such as ``"b2"``, its mark: a :class:`Mark`, the same as a pair, or
        only the sign. What is not named is empty.
    shape
        ``"square"``, or ``"hex"`` for hexagons, where each row lies half a cell further to the
        right than the row below.
    chequered
        Whether the squares are dark and light in turn, a1 being dark.
    title
        What it is called, if there are several boards.

    Raises
    ------
    RulesError
        If the board is too large, or a square is not on it.

    Examples
    --------
    >>> board = BoardPicture(3, 3, {"b2": Mark("X", "cross"), "a1": "O"})
    >>> board.squares["a1"]
    Mark(text='O', whose='')
    >>> BoardPicture(3, 3, {"d1": "X"})
    Traceback (most recent call last):
    ...
    infoset.errors.RulesError: BoardPicture: there is no square 'd1' on a board of 3 by 3
    """

    width: int
    height: int
    squares: Mapping[str, Any] = field(default_factory=dict)
    shape: str = "square"
    chequered: bool = False
    title: str = ""

    __hash__ = None  # type: ignore[assignment]  # its squares are a dictionary

    def __post_init__(self) -> None:
        """Check everything, since whoever draws it relies on it."""
        for side, most in ((self.width, MOST_COLUMNS), (self.height, MOST_ROWS)):
            if type(side) is not int or not 1 <= side <= most:
                raise RulesError(
                    f"BoardPicture: {self.width!r:.40} by {self.height!r:.40} squares cannot be"
                    f" drawn; at most {MOST_COLUMNS} by {MOST_ROWS}"
                )
        if self.shape not in SHAPES:
            raise RulesError(f"BoardPicture: shape is 'square' or 'hex', not {self.shape!r:.40}")
        if not isinstance(self.squares, Mapping):
            raise RulesError(
                f"BoardPicture: squares are marks by the names of squares, not {self.squares!r:.40}"
            )
        marks = {self._named(name): _mark(name, given) for name, given in self.squares.items()}
        object.__setattr__(self, "squares", marks)

    def _named(self, name: object) -> str:
        found = NAME.fullmatch(name) if isinstance(name, str) else None
        on_board = (
            found is not None
            and ord(found[1]) - ord("a") < self.width
            and int(found[2]) <= self.height
        )
        if not on_board:
            raise RulesError(
                f"BoardPicture: there is no square {name!r:.40} on a board of"
                f" {self.width} by {self.height}"
            )
        return str(name)


def _mark(name: str, given: Any) -> Mark:
    """A mark, however it was written."""
    if not isinstance(given, tuple):
        return Mark(given)
    if len(given) != 2 or not isinstance(given[1], str):
        raise RulesError(
            f"BoardPicture: the mark on {name} is a sign, or a sign and the player whose it is,"
            f" not {given!r:.60}"
        )
    return Mark(*given)
