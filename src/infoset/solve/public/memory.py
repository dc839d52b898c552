"""How much memory a run on a public form takes, known before anything is laid out."""

from __future__ import annotations

import numpy as np

from infoset.errors import TooLarge
from infoset.forms.public.record import PublicForm
from infoset.rules import memory

VECTORS = 6  # weights, pending, regrets, shares, sums, the best: a number for each sequence
MEASURING = 3  # and these in float64 while regret is measured, or the answer is verified
SETS = 3  # numbers of 8 bytes for each set


def public_bytes_needed(form: PublicForm, precision: str) -> int:
    """The most bytes that laying out a public form and running on it takes, beside the form.

    >>> from infoset.solve.public.front import pennies
    >>> public_bytes_needed(pennies(), "float64"), public_bytes_needed(pennies(), "float32")
    (512, 376)
    """
    number = np.dtype(precision).itemsize
    entries = sum(block.entries.size for table in form.tables for block in table.blocks)
    matrices = entries * 2 * (number + (8 if number < 8 else 0)) + entries * 16
    vectors = sum(form.sequences) * (VECTORS * number + MEASURING * 8)
    return matrices + vectors + sum(form.infosets) * SETS * 8


def check_public_memory(form: PublicForm, precision: str) -> int:
    """Refuse a form that does not fit, saying how much it takes; else how much that is."""
    needed, free = public_bytes_needed(form, precision), memory.available()
    if free is not None and needed > free - memory.KEEP_FREE:
        fits = public_bytes_needed(form, "float32") <= free - memory.KEEP_FREE
        shorter = "; with precision='float32' it would fit" if fits else ""
        mine, yours = (max(size, 0) / 2**30 for size in (needed, free - memory.KEEP_FREE))
        raise TooLarge(
            f"{form.name}: regret minimization takes {mine:,.1f} GiB here, and {yours:,.1f} GiB are"
            f" free{shorter}"
        )
    return needed
