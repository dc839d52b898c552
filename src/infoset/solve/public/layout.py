"""The public form laid out for the kernels of regret minimization: flat arrays of floats.

Sequences stand as the form numbers them, player one's first: a decision is a *run*, its sets side
by side, option by option. What is paid is not in sparse rows but in the matrices of the tables
(:mod:`infoset.kernels.products`), either player's with its own sets as rows. Their entries are
whole numbers without a common divisor, and so are the factors of the ends: a *unit* turns what they
come to into payoffs again.

All that is shared out among workers, items of tables and panels of sets, is cut in the same way for
any number of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.forms.public.record import PublicForm
from infoset.solve.public.panels import continues, panels_of
from infoset.solve.public.products import tables_of
from infoset.solve.regret.layout import MOST_SEQUENCES

if TYPE_CHECKING:
    from infoset.kernels.products import Tables
    from infoset.kernels.public import Panels
    from infoset.kernels.regret import Form

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PublicLayout:
    """The arrays, and how they belong to the public form."""

    game: PublicForm
    form: Form
    panels: Panels
    tables: Tables
    units: tuple[float, float]  # [player] what an entry of 1 is in payoffs
    workers: int

    @property
    def sequences(self) -> int:
        """How many there are, of both players."""
        return sum(self.game.sequences)

    @property
    def run_order(self) -> Longs:
        """All runs, what is before a set before it."""
        return np.arange(len(self.form.runs))

    @cached_property
    def places(self) -> tuple[Longs, Longs]:
        """[player][sequence] where it stands."""
        one, two = self.game.sequences
        return np.arange(one), np.arange(one, one + two)

    @cached_property
    def exact_tables(self) -> Tables:
        """The tables in float64, to measure with."""
        if self.form.value.dtype == np.float64:
            return self.tables
        return tables_of(self.game, np.dtype(np.float64), self.workers)[0]


def lay_out_public(form: PublicForm, precision: Any = np.float64, workers: int = 1) -> PublicLayout:
    """Lay out a public form for so many workers.

    >>> from infoset.solve.public.front import pennies
    >>> layout = lay_out_public(pennies())
    >>> layout.sequences, layout.form.runs.tolist()
    (6, [[0, 1, 1, 2, 1], [1, 2, 4, 2, 1]])
    """
    if sum(form.sequences) > MOST_SEQUENCES:
        raise NotApplicable(f"{form.name}: {sum(form.sequences):,} sequences; 2^32 are the most")
    tables, unit = tables_of(form, np.dtype(precision), workers)
    made = _runs(form, np.dtype(precision))
    return PublicLayout(form, made, panels_of(form, workers), tables, (unit, unit), workers)


def _runs(form: PublicForm, precision: np.dtype[Any]) -> Form:
    """Decisions as runs; no payoffs."""
    from infoset.kernels.regret import Form

    runs, before, sets = [], [], 0
    roots = np.array([0, form.sequences[0]])
    for player, own in enumerate(form.decisions):
        for number, one in enumerate(own):
            sequence = int(roots[player] + form.begins[player][number])
            # What the first decision of a group is worth is left behind: see panels_of.
            leave = int(not continues(form, player, number))
            runs.append((sets, sets + len(one), sequence, len(one.menu), leave))
            before.append(roots[player] + form.leading_to(one))
            sets += len(one)
    none = np.zeros(0, np.int64)
    return Form(
        runs=np.array(runs, np.int64).reshape(-1, 5),
        crown=np.zeros((2, 2), np.int64),
        parts=np.zeros((2, 1, 2), np.int64),
        shares=np.zeros((2, 1, 2), np.int64),
        late_ranges=np.zeros((2, 2), np.int64),
        late_sets=none,
        before=np.concatenate([none, *before]).astype(np.uint32),
        roots=roots,
        slices=np.zeros(1, np.int64),
        rows=none.astype(np.uint32),
        partner=np.zeros((0, 1), np.uint32),
        value=np.zeros(0, precision),
    )
