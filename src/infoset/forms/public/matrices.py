"""The sequence form of a public form: the same game as three sparse matrices, entry by entry.

A public form keeps its payoffs as dense blocks that many ends share, and the constraints on plans
as the numbers of the sets before. Written out they are the A, E and F of
:mod:`infoset.forms.sequence`, with the sequences in another order: decision by decision, and in a
decision option by option. Each end adds its table, times its factor, at the place where the last
choices of both players cross:

    A[sequence of (d, o, i), sequence of (d', o', j)] += factor * entries[i, j].

This is as long as the game is; it serves exact linear programs, and tests of what works on blocks.
"""

from __future__ import annotations

from math import lcm

import numpy as np

from infoset.errors import TooLarge
from infoset.forms.public.record import Block, End, Longs, PublicForm
from infoset.linear.numbers import Array, Numbers, fitted, multiplied
from infoset.linear.sparse import Sparse
from infoset.rules.story import brief

MOST_ENTRIES = 20_000_000  # of all ends; written out they take some fifty bytes each


def sequence_matrices(form: PublicForm) -> tuple[Sparse, Sparse, Sparse]:
    """The matrices A, E and F of a public form, exact; sequences as ``form.begins`` numbers them.

    Rows of E and F: the empty sequence, then set by set, decision by decision. Refuses a form whose
    ends have more than twenty million entries between them.

    >>> from fractions import Fraction
    >>> from infoset.forms.public.record import Counts
    >>> counts = Counts(1, 0, 1, (0, 0), (0, 0), (1, 1))
    >>> nothing = PublicForm("nothing", ("one", "two"), ((), ()), (), (), Fraction(0), counts)
    >>> sequence_matrices(nothing)
    (<1 × 1 matrix, 0 entries>, <1 × 1 matrix, 1 entries>, <1 × 1 matrix, 1 entries>)
    """
    return payoff_matrix(form), plan_constraints(form, 0), plan_constraints(form, 1)


def plan_constraints(form: PublicForm, player: int) -> Sparse:
    """The matrix E (or F) of a player: what leads to a set is shared out among its options."""
    rows, columns = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    values = [np.ones(1, np.int64)]
    sets = sequences = 1
    for decision, begin in zip(form.decisions[player], form.begins[player].tolist(), strict=True):
        size, options = len(decision), len(decision.menu)
        own = sets + np.arange(size)
        rows += [own, np.tile(own, options)]
        columns += [form.leading_to(decision)]
        columns += [begin + np.arange(size * options)]
        values += [np.full(size, -1), np.ones(size * options, np.int64)]
        sets, sequences = sets + size, sequences + size * options
    entries = Numbers(np.concatenate(values).astype(np.int64))
    return Sparse.summed(np.concatenate(rows), np.concatenate(columns), entries, (sets, sequences))


def payoff_matrix(form: PublicForm) -> Sparse:
    """The matrix A: nature's probability times player one's payoff, by pairs of sequences."""
    size = sum(block.entries.size for end in form.ends for block in form.tables[end.table].blocks)
    if size > MOST_ENTRIES:
        raise TooLarge(
            f"{brief(form.name)}: {size:,} payoffs are too many for matrices, over"
            f" {MOST_ENTRIES:,}; solve it by regret minimization"
        )
    under = lcm(*(end.factor.denominator for end in form.ends))
    pieces = [
        piece
        for end in form.ends
        for block in form.tables[end.table].blocks
        if (piece := _placed(form, end, block, under)) is not None
    ]
    if not pieces:
        return Sparse.of({}, form.sequences)
    rows, columns, values = (np.concatenate(part) for part in zip(*pieces, strict=True))
    return Sparse.summed(rows, columns, Numbers(values, under), form.sequences)


def _placed(
    form: PublicForm, end: End, block: Block, under: int
) -> tuple[Longs, Longs, Array] | None:
    """The entries of a block that are not zero: their rows and columns in A, times ``under``."""
    at = np.nonzero(block.entries)
    if not len(at[0]):
        return None
    row, column = (form.first(player, last) for player, last in enumerate(end.last))
    scale = int(end.factor * under)
    values = multiplied(block.entries[at], fitted([scale]))
    return row + block.rows[at[0]], column + block.columns[at[1]], values
