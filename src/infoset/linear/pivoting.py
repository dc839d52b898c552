"""Complementary pivoting: from one basis to the next, along a path that a missing pair marks out.

A linear complementarity problem asks for w, z ≥ 0 with w = q + M z and w_i z_i = 0 for each i.
Lemke's method and the Lemke–Howson method both walk along edges of the polyhedron on which every
pair but one is complementary:

1. A nonbasic variable enters: it grows from zero, and the basic variables change with it.
2. The first basic variable to fall to zero leaves (the ratio test). If none does, it is a ray.
3. If it is one of those that end the path, the point is complementary. Otherwise its partner
   (z_i for w_i, w_i for z_i) enters next, since no other one keeps the pairs complementary.

They differ in the variable that enters first and in those that end the path: Lemke–Howson starts
with z_k on w = 1 − [[0, A], [Bᵀ, 0]] z and ends when w_k or z_k leaves; Lemke starts from the basis
that :func:`cover` makes and ends when the covering variable leaves.

**Ties.** When several variables fall to zero together, a careless choice can lead into a circle.
The lexicographic rule chooses as if the right-hand side were q + (ε, ε², ...) for a tiny ε > 0, the
powers given to the rows as they stand where the path begins. The coefficients of ε^i are the column
of B⁻¹ for the i-th of those rows' variables: minus its column in the tableau while it is nonbasic,
a unit vector while it is basic. No two rows tie then, no basis returns, and every path ends.
Starting each path with its own powers asks of the start no more than a right-hand side ≥ 0.

Sources: Lemke 1965; Lemke and Howson 1964; Cottle, Pang and Stone 1992, §4.4 and §4.9; Dantzig,
Orden and Wolfe 1955 for the lexicographic rule; Edmonds 1967 and Bareiss 1968 for integer pivots.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

from infoset.errors import TableauError
from infoset.linear.tableau import ALONE, ExactTableau, FloatTableau, Number, Tableau, partners

__all__ = [
    "ALONE",
    "ExactTableau",
    "FloatTableau",
    "Path",
    "Status",
    "Tableau",
    "TableauError",
    "cover",
    "follow",
    "partners",
    "values",
]

Rule = Literal["lexicographic", "first"]


class Status(Enum):
    """How a path ended."""

    FOUND = "found"  # one of the variables that end it left
    RAY = "ray"  # nothing stopped the entering variable, or only a bound without a partner
    TOO_MANY = "too many pivots"
    CYCLE = "cycle"  # only under the rule "first"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Path:
    """Where a path ended, after how many pivots."""

    status: Status
    pivots: int
    entering: int  # the last variable to enter or, where it could not, the one whose turn it was
    leaving: int  # the last variable to leave; ALONE if none did


def values(tableau: Tableau[Number]) -> dict[int, Number]:
    """The value of each basic variable; all others are zero.

    >>> from fractions import Fraction
    >>> values(ExactTableau([[3]], [Fraction(1, 2)], rows=[0], columns=[1], partner=partners(1)))
    {0: Fraction(1, 2)}
    """
    return {variable: tableau.value(row) for row, variable in enumerate(tableau.basis)}


def cover(tableau: Tableau[Any], variable: int) -> int:
    """Lemke's first step: raise a variable just until no right-hand side is negative.

    Returns the variable that left; its partner is the one to enter next. ``ALONE`` if there was
    nothing to do: the basis is a solution as it stands. The variable's entries in the negative
    rows must be positive.

    >>> tableau = ExactTableau([[2, 1]], [-1], rows=[0], columns=[1, 2], partner=partners(1, 1))
    >>> left = cover(tableau, 2)
    >>> follow(tableau, tableau.partner[left], ends={2}).status, values(tableau)
    (<Status.FOUND: 'found'>, {1: Fraction(1, 2)})
    """
    column, rows = tableau.column_of(variable), tableau.negative()
    constant = len(tableau.columns)
    for row in rows:
        if tableau.entry(row, column) <= 0:
            name = tableau.rows[row]
            raise TableauError(f"variable {variable} does not raise variable {name}: cover it too")
    if not rows:
        return ALONE
    last = max(rows, key=lambda row: -tableau.entry(row, constant) / tableau.entry(row, column))
    return tableau.exchange(last, column)


def follow(
    tableau: Tableau[Any],
    entering: int,
    ends: Collection[int],
    *,
    rule: Rule = "lexicographic",
    most: int = 1_000_000,
    tick: Callable[[int], object] | None = None,
    stop: Callable[[], bool] | None = None,
    every: int = 16,
) -> Path:
    """Pivot along the path that starts with a variable entering, until one of ``ends`` leaves.

    The tableau is changed in place; its right-hand side must start out ≥ 0. A variable without a
    partner that is not in ``ends`` stops the path too: it bounds a ray. Before the first pivot and
    then before each ``every``-th one, ``tick`` hears the number of pivots, and ``stop`` is asked.
    The rule "first" takes the first of tied rows; it may cycle, which is noticed.

    >>> matrix = [[0, 0, -3, -1], [0, 0, -1, -2], [-2, -1, 0, 0], [-1, -3, 0, 0]]
    >>> tableau = ExactTableau(matrix, [1] * 4, range(4), range(4, 8), partners(4))
    >>> follow(tableau, entering=4, ends={0, 4})
    Path(status=<Status.FOUND: 'found'>, pivots=2, entering=6, leaving=0)
    """
    column = tableau.column_of(entering)
    if negative := tableau.negative():
        name, value = tableau.rows[negative[0]], tableau.value(negative[0])
        raise TableauError(f"variable {name} starts at {value}: make it ≥ 0, as cover() does")
    order, pivots, leaving = tableau.basis, 0, ALONE
    seen: set[tuple[bytes, int]] = set()
    status: Status | None = None
    while status is None:
        if pivots % every == 0 and _asked_to_stop(pivots, tick, stop):
            status = Status.STOPPED
        elif rule == "first" and _been_here(tableau, entering, seen):
            status = Status.CYCLE
        elif not (rows := tableau.tied(column)):
            status = Status.RAY
        elif pivots == most:
            status = Status.TOO_MANY
        else:
            leaving = tableau.exchange(_chosen(tableau, rows, column, ends, order, rule), column)
            pivots += 1
            if leaving in ends:
                status = Status.FOUND
            elif tableau.partner[leaving] == ALONE:
                status = Status.RAY
            else:
                entering = int(tableau.partner[leaving])
                column = tableau.column_of(entering)
    return Path(status, pivots, int(entering), leaving)


def _asked_to_stop(
    pivots: int, tick: Callable[[int], object] | None, stop: Callable[[], bool] | None
) -> bool:
    if tick is not None:
        tick(pivots)
    return stop is not None and stop()


def _been_here(tableau: Tableau[Any], entering: int, seen: set[tuple[bytes, int]]) -> bool:
    """Has the path passed here before? The rule "first" looks at nothing else, and would repeat."""
    state = (tableau.rows.tobytes(), entering)
    known = state in seen
    seen.add(state)
    return known


def _chosen(
    tableau: Tableau[Any],
    rows: list[int],
    column: int,
    ends: Collection[int],
    order: tuple[int, ...],
    rule: Rule,
) -> int:
    """The row to leave, of those tied."""
    for row in rows:
        # All tied variables are zero at the point that this pivot reaches, whichever of them
        # leaves. If one of the ends is among them, the point is a solution already; letting
        # another one leave would only hide that, and walk on from it.
        if tableau.rows[row] in ends:
            return row
    if rule == "first":
        return rows[0]
    for variable in order:
        if len(rows) == 1:
            break
        place = tableau.place(variable)
        if place < 0:
            rows = tableau.narrow(rows, column, ~place)
        else:  # a unit vector: of the tied rows, only its own moves up
            rows = [row for row in rows if row != place]
    return max(rows, key=lambda row: abs(tableau.entry(row, column)))  # floats may tie to the end
