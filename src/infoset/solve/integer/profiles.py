"""Pure strategies on the table of the reduced normal form: everything at once, in integers.

A profile of reduced plans is an equilibrium if each player's entry is the largest along that
player's own axis. So with n players it takes n maxima over a table of integers, and what is found
are all equilibria; that there is none is then proved. A plan's worst case is the least along all
axes but the player's own.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import numpy.typing as npt

from infoset.errors import InfosetError, TooLarge
from infoset.forms.normal import MOST_PLAYERS, NormalForm, normal_form, normal_size
from infoset.strategy import Pure
from infoset.tree import Tree

MOST_ENTRIES = 1 << 22  # players times profiles; beyond, integer programs are mostly faster,
FOR_A_NODE = 16  # but not where the tree is nearly as large as the table
MOST_LISTED = 10_000  # equilibria that are written out

Longs = npt.NDArray[np.intp]


def fits_a_table(tree: Tree) -> bool:
    """Is the reduced normal form small enough to be looked through?

    >>> from infoset.games import kuhn
    >>> fits_a_table(kuhn().tree()), fits_a_table(kuhn(ranks=13).tree())
    (True, False)
    """
    if len(tree.players) > MOST_PLAYERS:
        return False
    sizes = normal_size(tree)
    known = [size for size in sizes if size is not None]
    most = max(MOST_ENTRIES, FOR_A_NODE * len(tree))
    return len(known) == len(sizes) and prod(known) * len(sizes) <= most


def table_of(tree: Tree) -> NormalForm:
    """The table of a game that fits."""
    return normal_form(tree, most=max(MOST_ENTRIES, FOR_A_NODE * len(tree)))


def pure_equilibria(*payoffs: npt.ArrayLike) -> Longs:
    """[equilibrium, player] all pure equilibria of tables of payoffs, one for each player.

    Each table has an axis for each player; entries are compared as they are, and so are exact if
    they are.

    >>> pure_equilibria([[2, 0], [0, 1]], [[1, 0], [0, 2]]).tolist()
    [[0, 0], [1, 1]]
    """
    tables = [np.asarray(amounts) for amounts in payoffs]
    shapes = {table.shape for table in tables}
    if len(shapes) != 1 or tables[0].ndim != len(tables):
        told = ", ".join(" × ".join(map(str, shape)) or "one number" for shape in sorted(shapes))
        raise InfosetError(
            f"{len(tables)} tables of {told or 'nothing'}; give one for each player, all of one"
            " size, with an axis for each player"
        )
    stable = np.ones(tables[0].shape, np.bool_)
    for player, amounts in enumerate(tables):
        stable &= amounts == amounts.max(axis=player, keepdims=True)
    return np.argwhere(stable)


def listed(table: NormalForm, profiles: Longs) -> list[tuple[Pure, ...]]:
    """The profiles as strategies."""
    tree = table.tree
    if len(profiles) > MOST_LISTED:
        raise TooLarge(
            f"{tree.name}: {len(profiles):,} pure equilibria, and {MOST_LISTED:,} are written out;"
            " ask for some of them (most)"
        )
    made: dict[tuple[int, int], Pure] = {}  # a plan is shared by many profiles
    for player, number in {pair for row in profiles.tolist() for pair in enumerate(row)}:
        made[player, number] = Pure(tree, tree.names[player], table.plans[player][number])
    return [tuple(made[pair] for pair in enumerate(row)) for row in profiles.tolist()]


def safest_plan(table: NormalForm, player: int) -> tuple[Pure, Fraction]:
    """The plan whose worst case is best, and what it is sure of.

    >>> from infoset.games import kuhn
    >>> safest_plan(table_of(kuhn().tree()), 0)[1]
    Fraction(-1, 6)
    """
    others = tuple(axis for axis in range(len(table.shape)) if axis != player)
    sure = table.numerators[player].min(axis=others)
    best = int(np.argmax(sure))
    strategy = Pure(table.tree, table.tree.names[player], table.plans[player][best])
    return strategy, Fraction(int(sure[best]), table.denominators[player])
