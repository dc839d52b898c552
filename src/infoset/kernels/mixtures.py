"""Mixtures of rows that keep to floors: the programs that bound a search's windows.

The most that Σ x_i aim_i can be, x a mixture of rows with Σ_i x_i a_ij ≥ f_j for every j, is by
duality

    least t   with   s_i = t − aim_i − Σ_j (a_ij − f_j) z_j ≥ 0 ,   z ≥ 0 ,

which stands at a corner with z = 0 and t the best aim; if t falls without end, no mixture keeps to
the floors. These are the programs of Saffidine, Finnsson and Buro 2012, figures 4 and 5 (the latter
with all signs turned), and with equal aims those of figures 1 to 3. They need two phases as they
are printed there, and one this way.

What a descent (:mod:`infoset.kernels.simplex`) says is checked on the table itself; where floats
fall short, a careful descent with twice the digits (:mod:`infoset.kernels.careful`) starts over.
``tally`` counts as it does for games (:mod:`infoset.kernels.matrix`).
"""

from __future__ import annotations

import numpy as np

from infoset.kernels.careful import ATTEMPTS, GRAIN, attempt_descent
from infoset.kernels.compiling import compiled
from infoset.kernels.simplex import (
    ENDLESS,
    MINIMUM,
    PROGRAM,
    Floats,
    Longs,
    border,
    clear,
    inlined,
    label_places,
    unit_of,
)

MET = 1e-11  # part of the largest distance to a floor: one missed by less counts as kept
PROVED = 1e-11  # part of the spread of the aims: a wider gap makes a mixture start over


@inlined
def farthest(table: Floats, count: int, width: int, floors: Floats) -> float:
    """The largest distance of an entry to its floor; −1 if a column is wholly below its floor."""
    size = 0.0
    for j in range(width):
        for i in range(count):
            size = max(size, abs(table[i, j] - floors[j]))
    for j in range(width):
        most = -np.inf
        for i in range(count):
            most = max(most, table[i, j] - floors[j])
        if most < -MET * size:
            return -1.0
    return size


@inlined
def stands(table: Floats, i: int, width: int, floors: Floats, missed: float) -> bool:
    """Does one row keep to the floors alone?"""
    least = np.inf
    for j in range(width):
        least = min(least, table[i, j] - floors[j])
    return least >= -missed


@inlined
def lay_mixture(
    table: Floats,
    count: int,
    width: int,
    floors: Floats,
    aims: Floats,
    best: int,
    lowered: float,
    unit: float,
    aim_unit: float,
    grain: float,
    work: Floats,
) -> None:
    """The dictionary where z = 0 and the best aim is the bound; floors may be lowered.

    Labels are j for z_j and −1 − i for s_i. The last row stands where that of the best would.
    Adding and taking away a ``grain`` rounds numbers to a multiple of its last digit.
    """
    down, across = label_places(work)
    last = count - 1
    for j in range(width):
        over = ((table[best, j] - floors[j]) + lowered) * unit
        work[last, j] = (over + grain) - grain
        work[down, j] = j
    for i in range(count):
        if i == best:
            continue
        r = best if i == last else i
        for j in range(width):
            over = ((table[i, j] - floors[j]) + lowered) * unit
            work[r, j] = ((over + grain) - grain) - work[last, j]
        work[r, width] = -1.0
        work[r, width + 1] = ((aims[best] - aims[i]) * aim_unit + grain) - grain
        work[r, across] = -1.0 - i
    work[last, width], work[last, width + 1], work[down, width] = 1.0, 0.0, -1.0 - best
    border(work, last, width + 1)


@inlined
def read_mixture(
    table: Floats,
    count: int,
    width: int,
    floors: Floats,
    aims: Floats,
    missed: float,
    scale: float,
    work: Floats,
) -> tuple[float, float]:
    """What the mixture at the minimum reaches, −inf if it misses a floor; what no mixture exceeds.

    ``scale`` turns right-hand sides into z. Overwrites the lower half.
    """
    down, across = label_places(work)
    mixture, last = down + 1, count - 1
    clear(work[mixture], count)
    whole = 0.0
    for c in range(width + 1):
        if work[down, c] < 0.0 and work[last, c] > 0.0:
            work[mixture, int(-1.0 - work[down, c])] = work[last, c]
            whole += work[last, c]
    reached = 0.0
    for i in range(count):
        work[mixture, i] /= whole
        reached += work[mixture, i] * aims[i]
    for j in range(width):
        over = 0.0
        for i in range(count):
            over += work[mixture, i] * (table[i, j] - floors[j])
        if over < -missed:  # a pivot on a small number can leave a d too large
            return -np.inf, np.inf
    weights = mixture + 1
    clear(work[weights], width)
    for r in range(last):
        if work[r, across] >= 0.0 and work[r, width + 1] > 0.0:
            work[weights, int(work[r, across])] = work[r, width + 1] * scale
    ceiling = -np.inf
    for i in range(count):
        ceiling = max(ceiling, aims[i] + weighed(table, i, width, floors, work[weights]))
    return reached, ceiling


@inlined
def hopeless(
    table: Floats, count: int, width: int, floors: Floats, missed: float, work: Floats
) -> bool:
    """Does the direction in which t falls without end prove that no mixture keeps to the floors?

    It does if columns weighed by it, weights z with Σ z = 1, are below their floors for every row:
    Σ_j z_j (table[i, j] − floors[j]) < −missed. Overwrites the lower half.
    """
    down, across = label_places(work)
    weights, last = down + 1, count - 1
    column = int(work[last + 1, 0])
    clear(work[weights], width)
    whole = 0.0
    if work[down, column] >= 0.0:
        work[weights, int(work[down, column])] = 1.0
        whole = 1.0
    for r in range(last):
        if work[r, across] >= 0.0 and work[r, column] < 0.0:
            work[weights, int(work[r, across])] = -work[r, column]
            whole -= work[r, column]
    for i in range(count):
        if not weighed(table, i, width, floors, work[weights]) < -missed * whole:
            return False
    return True


@inlined
def weighed(table: Floats, i: int, width: int, floors: Floats, weights: Floats) -> float:
    """Σ_j weights[j] (table[i, j] − floors[j])."""
    total = 0.0
    for j in range(width):
        total += weights[j] * (table[i, j] - floors[j])
    return total


@compiled(PROGRAM, error_model="numpy")
def mixture_bound(
    table: Floats, count: int, width: int, floors: Floats, aims: Floats, work: Floats, tally: Longs
) -> float:
    """The most Σ_i x_i aims[i] of mixtures with Σ_i x_i table[i, j] ≥ floors[j], −inf without any.

    i < ``count``, j < ``width``. A floor missed by less than ``MET`` times the largest distance of
    an entry to its floor counts as kept. Without a program: no row at all; a column wholly below
    its floor; a row with the best aim that keeps to the floors alone.
    """
    best, least = 0, np.inf
    for i in range(count):
        if aims[i] > aims[best]:
            best = i
        least = min(least, aims[i])
    size = farthest(table, count, width, floors)
    if count == 0 or size < 0.0:
        return -np.inf
    for i in range(count):
        if aims[i] == aims[best] and stands(table, i, width, floors, MET * size):
            return float(aims[i])
    tally[1] += 1
    unit, aim_unit = unit_of(size), unit_of(aims[best] - least)
    scale = unit / aim_unit
    for attempt in range(ATTEMPTS):
        # After the first, it may be a question of the tolerance: half of it is spent on the floors.
        lowered, grain = (0.5 * MET * size, GRAIN) if attempt > 0 else (0.0, 0.0)
        lay_mixture(table, count, width, floors, aims, best, lowered, unit, aim_unit, grain, work)
        ended = attempt_descent(work, count - 1, width + 1, attempt, tally)
        if ended == ENDLESS and (
            attempt > 0 or hopeless(table, count, width, floors, MET * size, work)
        ):
            return -np.inf
        if ended == MINIMUM:
            reached, ceiling = read_mixture(
                table, count, width, floors, aims, MET * size, scale, work
            )
            proved = ceiling - reached <= PROVED * (aims[best] - least)
            if reached > -np.inf and (attempt > 0 or proved):
                return reached
    return -np.inf
