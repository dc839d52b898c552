"""Boards of hexagons, as in Hex: which cells are adjacent, and whether stones join two sides.

A board of w by h cells is a parallelogram. Cells are named like squares, "a1" at the lower left,
and each row lies half a cell further to the right than the row below it. So (x, y) is adjacent to
(x ± 1, y) and (x, y ± 1), as on a grid, and to (x - 1, y + 1) and (x + 1, y - 1): a cell within the
board has six neighbours, and there are 3·w·h - 2·(w + h) + 1 adjacent pairs.

On a full board of two kinds of stones, either one kind joins left and right or the other joins
bottom and top, and never both: Hex cannot be drawn (D. Gale, The game of Hex and the Brouwer
fixed-point theorem, 1979).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from infoset.errors import RulesError
from infoset.objects.board import square_name

__all__ = ["hex_joined", "hex_neighbours"]

_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1))


@lru_cache(maxsize=256)
def hex_neighbours(width: int, height: int) -> dict[str, tuple[str, ...]]:
    """The names of all cells, each with the cells that are adjacent to it.

    Parameters
    ----------
    width, height
        Of the board.

    Returns
    -------
    dict
        By the name of a cell, row by row: the names of its neighbours. It is kept; do not change
        it.

    Raises
    ------
    RulesError
        If the board has no cells.

    Examples
    --------
    >>> hex_neighbours(3, 3)["b2"]
    ('c2', 'a2', 'b3', 'b1', 'a3', 'c1')
    >>> {cell: len(near) for cell, near in hex_neighbours(2, 2).items()}
    {'a1': 2, 'b1': 3, 'a2': 3, 'b2': 2}
    """
    if width < 1 or height < 1:
        raise RulesError(f"a board of {width} by {height} has no cells; give sides of 1 or more")
    return {
        square_name((x, y)): tuple(
            [
                square_name((x + right, y + up))
                for right, up in _AROUND
                if 0 <= x + right < width and 0 <= y + up < height
            ]
        )
        for y in range(height)
        for x in range(width)
    }


def hex_joined(width: int, height: int, stones: Collection[str], *, across: bool) -> bool:
    """Whether a chain of adjacent stones joins two opposite sides: what decides Hex.

    Parameters
    ----------
    width, height
        Of the board.
    stones
        The names of the cells with a player's stones.
    across
        Whether it is left and right that are to be joined; if not, bottom and top.

    Returns
    -------
    bool
        True if there is such a chain.

    Raises
    ------
    RulesError
        If a stone is not on the board.

    Examples
    --------
    >>> hex_joined(3, 3, {"a2", "b2", "c1"}, across=True)
    True
    >>> hex_joined(3, 3, {"a2", "b2", "c3"}, across=True)
    False
    >>> hex_joined(3, 3, {"b1", "b2", "a3"}, across=False)
    True
    """
    near = hex_neighbours(width, height)
    here = frozenset(stones)
    if not here <= near.keys():
        raise RulesError(
            f"{min(here - near.keys())!r} is not on the board, which goes from a1 to"
            f" {square_name((width - 1, height - 1))}"
        )
    first, last = _sides(width, height, across)
    chain = list(here & first)
    reached = set(chain)
    while chain:
        cell = chain.pop()
        if cell in last:
            return True
        fresh = [one for one in near[cell] if one in here and one not in reached]
        reached.update(fresh)
        chain += fresh
    return False


@lru_cache(maxsize=256)
def _sides(width: int, height: int, across: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The cells of the two sides that are to be joined."""
    if across:
        rows = range(height)
        return (
            frozenset([square_name((0, y)) for y in rows]),
            frozenset([square_name((width - 1, y)) for y in rows]),
        )
    columns = range(width)
    return (
        frozenset([square_name((x, 0)) for x in columns]),
        frozenset([square_name((x, height - 1)) for x in columns]),
    )
