"""A sweep that was done: a plan and the rows that are there of it.

The rows may be fewer than the plan's members, if somebody stopped it; they are always the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.errors import ParameterError
from infoset.examine.sweeps.members import Plan, Row, Tick, plan
from infoset.examine.sweeps.table import sweep_table
from infoset.examine.tables import Table
from infoset.rules import Family
from infoset.rules.columns import MAX_NODES

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Sweep:
    """A plan and the rows that are there of it: a table, a plot."""

    plan: Plan
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @cached_property
    def table(self) -> Table:
        """A row for each member."""
        return sweep_table(self.plan, self.rows)

    def plot(self, file: str | Path | None = None, *, theme: str = "light") -> Figure:
        """Size, time, value and regret as small plots; also written to a file, if named."""
        from infoset.examine.plots.style import plot_format, save_figure
        from infoset.examine.plots.sweep import sweep_figure

        if file is not None:
            plot_format(file)  # a name that will not do is said before the work
        figure = sweep_figure(self, theme)
        if file is not None:
            save_figure(figure, file)
        return figure

    def __str__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def sweep(
    family: Family,
    parameters: Mapping[str, Any] | None = None,
    /,
    *,
    method: str | None = None,
    exact: bool | None = None,
    seconds: float | None = None,
    max_nodes: int = MAX_NODES,
    solving: bool = True,
    tick: Tick | None = None,
    **named: Any,
) -> Sweep:
    """Build and solve the members of a family, one for each value of some parameters.

    A range, a list, an array or anything else to go through is the values to sweep over, a set
    from its smallest on. A text, a number or a mapping is a value that stays, and so is a tuple or
    a set where the parameter's default is one. Parameters whose name is taken here are given as a
    mapping. ``method`` and ``exact`` are those of :func:`infoset.solve`; ``seconds`` is for each
    member, to build and to solve. ``tick`` is told how far it is.

    >>> from infoset.games import kuhn
    >>> answers = sweep(kuhn, ranks=range(2, 5))
    >>> answers.table.column("nodes")
    [19, 55, 109]
    >>> answers.table.column("value")
    [Fraction(0, 1), Fraction(-1, 18), Fraction(-1, 24)]
    """
    if not isinstance(parameters, Mapping | None):
        raise ParameterError(
            f"{parameters!r:.40} is no mapping from parameters to values; write it so, or name"
            " parameters, as in ranks=range(3, 9)"
        )
    asked = plan(
        family,
        {**(parameters or {}), **named},
        method=method,
        exact=exact,
        seconds=seconds,
        max_nodes=max_nodes,
        solving=solving,
    )
    return Sweep(asked, tuple(asked.rows(tick=tick)))
