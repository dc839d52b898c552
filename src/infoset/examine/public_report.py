"""A solution on a public form for people: what it is worth, what to do, as text, table, picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from infoset.errors import ParameterError
from infoset.examine.panels import MOST, Panel, Panels
from infoset.examine.public_states import PublicState
from infoset.examine.public_tables import Found, Shown, matching, no_such_set, public_sheet
from infoset.examine.spreadsheets import COLUMNS, plain_text, written_cell, written_share
from infoset.examine.strategy_rows import BLANK
from infoset.examine.tables import FEW, Sheet
from infoset.examine.tables.cells import several
from infoset.examine.wording import numbered
from infoset.forms.public.record import PublicForm
from infoset.rules.story import printable, text
from infoset.solve.public.exactly import Exactly
from infoset.solve.public.labels import Labelled
from infoset.solve.text import amount_text, decimal_above, decimal_near

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from infoset.solve.public.solution import PublicSolution


def public_facts(solution: PublicSolution) -> tuple[tuple[str, str], ...]:
    """What stands above the strategies: how large, how solved, value, payoffs, regret, proof."""
    lines = [("size", _size(solution.form)), ("method", _method(solution))]
    if solution.course is not None and solution.course.last is not None:
        last = solution.course.last
        lines.append(("run", f"{several(last.iterations, 'iteration')} in {last.seconds:.3g} s"))
    lines.append(("value", amount_text(solution.value, solution.exact)))
    if not solution.exact:
        low = decimal_near(solution.value_bounds[0], 10, ROUND_FLOOR)
        high = decimal_near(solution.value_bounds[1], 10, ROUND_CEILING)
        sure = "certainly" if solution.proved else "by floats"
        lines.append(("", f"{sure} between {low} and {high}"))
    payoffs = ", ".join(
        f"{printable(name)} {amount_text(amount, solution.exact)}"
        for name, amount in solution.payoffs.items()
    )
    lines += [
        ("payoffs", payoffs),
        ("regret", decimal_above(solution.regret)),
        ("exploitability", f"{decimal_above(solution.exploitability)}, of both together"),
        ("certificate", solution.certificate),
    ]
    return (*lines, *((("note", solution.note),) if solution.note else ()))


def _method(solution: PublicSolution) -> str:
    return f"{solution.method}: {solution.because}" if solution.because else solution.method


def _size(form: PublicForm) -> str:
    """Nodes and information sets of the game, and what is left of these."""
    sets, kept = sum(form.counts.infosets), sum(form.infosets)
    words = f"{form.counts.nodes:,} nodes, {sets:,} information sets"
    return words if sets == kept else f"{words}, folded to {kept:,}: {form.folded}"


def public_report(solution: PublicSolution, players: Sequence[str] | None = None) -> list[Sheet]:
    """The facts, then what each player does."""
    names = solution.form.players if players is None else players
    heading = Sheet(solution.form.name, (), public_facts(solution))
    return [heading, *(public_sheet(solution, name) for name in names)]


def public_text(solution: PublicSolution) -> str:
    """The whole answer for a terminal."""
    return "\n\n".join(sheet.text(most=FEW) for sheet in public_report(solution))


def public_html(solution: PublicSolution) -> str:
    """The whole answer for a notebook."""
    return "\n".join(sheet._repr_html_() for sheet in public_report(solution))


# ---------------------------------------------------------------------- pictures


def public_panels(shown: Shown, found: Found, most: int = MOST) -> Panels:
    """The panels of a plan: all of them, or the ``most`` likely of those that are reached."""
    if not isinstance(most, int) or most < 1:
        raise ParameterError(f"most={most!r:.60}: a plot has one panel or more")
    likely = shown.likely(found) if len(found) else np.zeros(0)
    kept = np.sort(np.argsort(-likely, kind="stable")[:most])
    if len(found) > most and likely.any():
        kept = kept[likely[kept] > 0]
    panels = (_panel(shown, found, shown.states[int(found.states[at])]) for at in kept)
    return Panels(shown.player, tuple(panels), len(found))


def _panel(shown: Shown, found: Found, state: PublicState) -> Panel:
    places = found.kept(state)
    breaks: tuple[int, ...] = ()
    if state.suits is not None:
        suits = np.array(state.suits)[places]
        order = np.argsort(suits, kind="stable")
        places = places[order]
        breaks = tuple((1 + np.flatnonzero(np.diff(suits[order]))).tolist())
    sets = state.sets[places]
    return Panel(
        player=shown.player,
        title=state.heading,
        names=tuple(state.short_names[at] for at in places.tolist()),
        actions=state.actions,
        shares=shown.solution.shares(shown.seat, state.number)[:, sets].T,
        reach=shown.reach(state.number)[sets],
        ordered=state.ordered,
        private=len(state) > 1,
        breaks=breaks,
    )


def public_plot(
    solution: PublicSolution,
    player: str | None = None,
    file: str | Path | None = None,
    *,
    where: str | Sequence[str] = (),
    kind: str = "auto",
    theme: str = "light",
    most: int | None = None,
) -> Figure:
    """The strategies as a figure of matplotlib: see :meth:`PublicSolution.plot`."""
    from infoset.examine.plots.strategy import plot_strategies
    from infoset.examine.plots.style import plot_format, save_figure

    form = solution.form
    if file is not None:
        plot_format(file)  # refused before the work is done
    if player is not None and player not in form.players and Path(player).suffix:
        raise ParameterError(f"{player!r} is no player; if it is a file: plot(file={player!r})")
    names = form.players if player is None else (player,)
    both = [Shown(solution, name) for name in names]
    found = [matching(shown.states, where) for shown in both]
    if where and not any(map(len, found)):
        raise no_such_set(form, names, where)
    panels = [
        public_panels(shown, own, MOST if most is None else most)
        for shown, own in zip(both, found, strict=True)
    ]
    figure = plot_strategies(panels, title=form.name, kind=kind, theme=theme)
    if file is not None:
        save_figure(figure, file)
    return figure


# ---------------------------------------------------------------------- files for spreadsheets


def public_csv(solution: PublicSolution, player: str | None = None) -> Iterator[str]:
    """The lines of a file with the columns that :mod:`infoset.examine.edited` reads and writes.

    Information sets go by their labels; of those that are folded into one, the first is named. One
    that reads like another has its number, which is not the number that it has in a tree.
    """
    form = solution.form
    names = form.players if player is None else (form.players[form.player_number(player)],)
    known = Exactly.of(solution) or solution
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(COLUMNS)
    for name in names:
        seat = form.player_number(name)
        labelled = Labelled(solution, seat)
        for number, decision in enumerate(form.decisions[seat]):
            actions = numbered(plain_text(text(option)) or BLANK for option in decision.menu)
            cells = [written_cell(action) for action in actions]
            shares = known.shares(seat, number).T.tolist()
            for at, (words, own) in enumerate(zip(labelled.labels(number), shares, strict=True)):
                counted = labelled.number(number, at)
                head = (name, written_cell(words), "" if counted is None else f"#{counted}")
                for action, share in zip(cells, own, strict=True):
                    table.writerow((*head, action, *written_share(share)))
            yield written.getvalue()
            written.seek(0)
            written.truncate()
    yield written.getvalue()
