"""A finished sweep, and its table: a row for each member, the swept parameters first.

The rows may be fewer than the plan's members, if it was stopped; they are always the first. The
table has only columns that are not empty: sizes alone have no value and no regret, games without a
value have everyone's payoffs in its place. Long fractions have decimals beside them, which can be
compared at a glance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.analysis.sweeps.members import SweepPlan, SweepRow, Tick, plan
from infoset.analysis.sweeps.tracked import quantities
from infoset.analysis.table import NUMBER, PROSE, TEXT, Amounts, Column, Table
from infoset.errors import ParameterError
from infoset.rules import Family
from infoset.rules.running import MAX_NODES
from infoset.text import is_number, number_text, text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHORT = 4  # characters of a fraction that can be compared as it is: 1/12


def sweep_table(plan: SweepPlan, rows: Sequence[SweepRow]) -> Table:
    """The rows of a sweep as a table; those of members that could not be built are faint."""
    columns = _swept_columns(plan, rows)  # pairs: a parameter may be called as a column is

    def column(name: str, kind: str, cell: Callable[[SweepRow], Any]) -> None:
        columns.append((Column(name, kind), [cell(row) for row in rows]))

    column("nodes", NUMBER, lambda row: row.nodes)
    column("infosets", NUMBER, lambda row: row.infosets)
    column("sequences", NUMBER, lambda row: row.sequences)
    if plan.solving:
        paid = any(row.payoffs for row in rows) and all(row.value is None for row in rows)
        column("method", TEXT, lambda row: row.method or None)
        amount = "payoffs" if paid else "value"
        column(amount, NUMBER, _amount)
        if any(map(_has_long_fraction, rows)):
            column(f"{amount} ≈", NUMBER, _decimal)
        if plan.lists_several:
            column("equilibria", NUMBER, lambda row: row.equilibria)
        for at, quantity in enumerate(plan.track):
            column(quantity.name, NUMBER, _tracked(at))
        column("regret", NUMBER, lambda row: row.regret)
        column("certificate", TEXT, lambda row: row.certificate or None)
    column("building (s)", NUMBER, lambda row: row.building)
    if plan.solving:
        column("solving (s)", NUMBER, lambda row: row.solving)
    if any(row.note for row in rows):
        column("note", PROSE, lambda row: row.note or None)
    return Table(
        title=f"{plan.title} over {', '.join(plan.swept)}",
        columns=tuple(head for head, _ in columns),
        rows=list(zip(*(cells for _, cells in columns), strict=True)),
        note="" if len(rows) == len(plan) else f"{len(rows):,} of {len(plan):,} members",
        faint=frozenset(at for at, row in enumerate(rows) if row.nodes is None),
    )


def _swept_columns(plan: SweepPlan, rows: Sequence[SweepRow]) -> list[tuple[Column, list[Any]]]:
    columns = []
    for at, (name, values) in enumerate(plan.swept.items()):
        cells = [row.parameters[at] for row in rows]
        numbers = all(map(is_number, values))
        column = Column(name, NUMBER if numbers else TEXT)
        columns.append((column, cells if numbers else list(map(text, cells))))
    return columns


def _tracked(at: int) -> Callable[[SweepRow], Any]:
    """Reads one of the quantities that a sweep follows."""
    return lambda row: row.tracked[at] if row.tracked else None


def _amount(row: SweepRow) -> Any:
    """The value, or what everyone gets where there is none."""
    if row.value is not None or not row.payoffs:
        return row.value
    return Amounts(row.payoffs, (False,) * len(row.payoffs))


def _has_long_fraction(row: SweepRow) -> bool:
    amount = _amount(row)
    amounts = amount.values if isinstance(amount, Amounts) else (amount,)
    told = (number_text(amount) for amount in amounts if amount is not None)
    return any("/" in words and len(words) > SHORT for words in told)


def _decimal(row: SweepRow) -> Any:
    amount = _amount(row)
    if isinstance(amount, Amounts):
        return Amounts(tuple(map(_near, amount.values)), amount.marked)
    return None if amount is None else _near(amount)


def _near(amount: Any) -> Any:
    """The nearest float; a number that is too large for one stays as it is."""
    try:
        return float(amount)
    except OverflowError:
        return amount


@dataclass(frozen=True)
class Sweep:
    """A plan and the rows that are there of it: a table, a plot."""

    plan: SweepPlan
    rows: tuple[SweepRow, ...]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @cached_property
    def table(self) -> Table:
        """A row for each member."""
        return sweep_table(self.plan, self.rows)

    def plot(
        self,
        file: str | Path | None = None,
        *,
        theme: str = "light",
        title: str | bool | None = None,
    ) -> Figure:
        """Size, time, value and regret as small plots; also written to a file, if named.

        ``title`` stands above them in place of what was swept; False leaves it out.
        """
        from infoset.display.plots.style import plot_format, save_figure
        from infoset.display.plots.sweep import sweep_figure

        if file is not None:
            plot_format(file)  # a name that will not do is said before the work
        figure = sweep_figure(self, theme, title)
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
    probabilities: Sequence[str] = (),
    action_values: Sequence[str] = (),
    tick: Tick | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    **named: Any,
) -> Sweep:
    """Build and solve the members of a family, one for each value of some parameters.

    Parameters
    ----------
    family : Family
        The rules, as ``@game`` makes them.
    parameters : Mapping, optional
        Parameters of the rules whose names are keywords of this function.
    method, exact
        As for :func:`infoset.solve`.
    seconds : float, optional
        Time limit for each member, to build and to solve.
    max_nodes : int, optional
        Size of a tree beyond which a member is not built.
    solving : bool, optional
        False to measure sizes only.
    probabilities, action_values : sequence of str, optional
        Actions whose probabilities, or whose values to the player, are columns of the table and
        panels of the plot: ``"dealer: Q, bet=pass"`` is passing at that information set.
    tick : callable, optional
        Called with the progress.
    jobs : int, optional
        Members that are solved at the same time, in processes; 1 by default, or as many as the
        cluster has room for.
    cluster : str, optional
        ``"ray"``, ``"dask"`` or the address of such a cluster, which then solves the members; see
        :func:`infoset.parallel.workers`.
    **named
        Parameters of the rules. A range, a list, an array or another iterable has the values to
        sweep over; a set is sorted. A text, a number or a mapping is a fixed value, and so is a
        tuple or a set if the parameter's default is one.

    Returns
    -------
    Sweep
        A row for each member: size, time, value and regret; a member that cannot be built or
        solved has a note.

    Raises
    ------
    ParameterError
        If a parameter does not exist, or nothing is to be swept over.

    Examples
    --------
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
        track=quantities(probabilities, action_values),
    )
    return Sweep(asked, tuple(asked.rows(tick=tick, jobs=jobs, cluster=cluster)))
