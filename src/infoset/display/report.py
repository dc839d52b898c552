"""A solution for people: what it is worth, how sure that is, and what to do.

A solution on a public form for people: what it is worth, what to do, as text, table, picture.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.analysis.equilibria import equilibria_table
from infoset.analysis.public_states import PublicState
from infoset.analysis.public_strategy_tables import (
    Found,
    Shown,
    matching,
    no_such_set,
    public_sheet,
)
from infoset.analysis.situations import numbered
from infoset.analysis.strategy_files import (
    BLANK,
    COLUMNS,
    label_cell,
    plain_text,
    probability_cells,
)
from infoset.analysis.strategy_tables import MOST, Panel, Panels, mixed_sheet, strategy_sheet
from infoset.analysis.table import FEW, Sheet, several
from infoset.errors import ParameterError
from infoset.forms.public.record import PublicForm
from infoset.solvers.public_solution import Exactly, Labelled
from infoset.solvers.registry import SOLVERS
from infoset.solvers.solution import NONE_FOUND, UNCHECKED, Solution
from infoset.strategy import Behaviour, Mixed
from infoset.text import amount_text, decimal_above, decimal_near, printable, text
from infoset.tree import Tree
from infoset.tree.facts import absent_minded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from infoset.solvers.public_solution import PublicSolution

SEVERAL = [row.name for row in SOLVERS if row.gives == "several"]
FEW_COMPONENTS = 12  # that are listed above the strategies


def solution_sheet(
    solution: Solution,
    player: str,
    *,
    where: str | Sequence[str] = (),
    fold: bool | None = None,
    rows: range | None = None,
) -> Sheet:
    """What one player does, as tables: see :func:`strategy_sheet`."""
    strategy = solution.strategy[player]
    if isinstance(strategy, Behaviour):
        beside = None if is_absent_minded(solution.tree, player) else solution.profile
        known = solution.assessment
        return strategy_sheet(strategy, beside, assessment=known, where=where, fold=fold, rows=rows)
    if where:
        raise ParameterError(
            f"{solution.tree.name}: {player} mixes whole plans, and has no information sets to"
            f" look for {where!r} in"
        )
    return mixed_sheet(strategy, rows)


def is_absent_minded(tree: Tree, player: str) -> bool:
    """May the player come to one set twice in a play? Then values there are not well defined."""
    number = tree.player_number(player)
    return bool(absent_minded(tree, [] if tree.recall(player) else [number]))


def facts(solution: Solution, among: Solution | None = None) -> tuple[tuple[str, str], ...]:
    """What stands above the strategies: how it was solved, value, payoffs, regret, certificate.

    ``among`` has the other equilibria, if one was picked.
    """
    payoffs = ", ".join(
        f"{printable(name)} {amount_text(amount, solution.exact)}"
        for name, amount in solution.payoffs.items()
    )
    lines = [("method", f"{solution.method}: {solution.because}")]
    if solution.convergence is not None and solution.convergence.last is not None:
        last = solution.convergence.last
        lines.append(("run", f"{several(last.iterations, 'iteration')} in {last.seconds:.3g} s"))
    if solution.value is not None:
        lines.append(("value", amount_text(solution.value, solution.exact)))
        if not solution.exact and solution.value_bounds is not None:
            low, high = solution.value_bounds
            low_text = decimal_near(low, 10, ROUND_FLOOR)
            high_text = decimal_near(high, 10, ROUND_CEILING)
            sure = "certainly" if solution.proved else "by floats"
            lines.append(("", f"{sure} between {low_text} and {high_text}"))
    lines += [
        ("payoffs", payoffs),
        ("regret", decimal_above(solution.regret)),
        ("certificate", solution.certificate),
    ]
    lines += _several(among or solution) + _assessed(solution)
    return (*lines, *((("note", solution.note),) if solution.note else ()))


def _several(solution: Solution) -> list[tuple[str, str]]:
    """How many equilibria there are, where more than one was looked for."""
    count = len(solution.equilibria)
    family = solution.method.partition(":")[0]
    if solution.picked or family not in SEVERAL or NONE_FOUND in solution.note:
        return []
    known = "all that there are" if solution.complete else "there may be more"
    if solution.complete and UNCHECKED in solution.note:
        known = "all, as the file says"
    lines = [("equilibria", f"{count:,}, {known}")]
    found = [str(component) for component in solution.components]
    if found and not any(one.dimension for one in solution.components):
        found = ["each equilibrium stands alone"] if count > 1 else []
    if len(found) > FEW_COMPONENTS:
        found[FEW_COMPONENTS:] = [f"and {len(found) - FEW_COMPONENTS:,} more"]
    return lines + [("" if at else "components", said) for at, said in enumerate(found)]


def _assessed(solution: Solution) -> list[tuple[str, str]]:
    """What was checked of an assessment."""
    if solution.sequential is None:
        return []
    return [("sequential", str(solution.sequential))]


def report(solution: Solution, players: Sequence[str] | None = None, **shown: Any) -> list[Sheet]:
    """The whole answer: the facts, then what each player does, or some of them.

    >>> from infoset import solve
    >>> from infoset.games import matching_pennies
    >>> heading, even = report(solve(matching_pennies()), ["even"])
    >>> dict(heading.facts)["certificate"]
    'exact'
    >>> [list(table) for table in even]
    [[('at the start', Fraction(1, 2), Fraction(1, 2), Fraction(1, 1), Fraction(0, 1))]]
    """
    names = solution.tree.names if players is None else players
    heading = Sheet(solution.tree.name, (), facts(solution))
    listed = [Sheet("equilibria", [equilibria_table(solution)])] if solution.others else []
    own = (solution_sheet(solution, name, **shown) for name in names)
    return [heading, *listed, *own]


def report_text(
    solution: Solution,
    players: Sequence[str] | None = None,
    *,
    width: int | None = None,
    colour: bool = False,
    most: int | None = FEW,
    **shown: Any,
) -> str:
    """The whole answer for a terminal."""
    sheets = report(solution, players, **shown)
    texts = [sheet.text(width=width, colour=colour, most=most) for sheet in sheets]
    return "\n\n".join(texts)


def report_html(solution: Solution) -> str:
    """The whole answer for a notebook."""
    return "\n".join(sheet._repr_html_() for sheet in report(solution))


def strategy_text(strategy: Behaviour | Mixed) -> str:
    """A strategy alone for a terminal."""
    return str(_alone(strategy))


def strategy_html(strategy: Behaviour | Mixed) -> str:
    """A strategy alone for a notebook."""
    return _alone(strategy)._repr_html_()


def _alone(strategy: Behaviour | Mixed) -> Sheet:
    return mixed_sheet(strategy) if isinstance(strategy, Mixed) else strategy_sheet(strategy)


def public_facts(solution: PublicSolution) -> tuple[tuple[str, str], ...]:
    """What stands above the strategies: how large, how solved, value, payoffs, regret, proof."""
    lines = [("size", _size(solution.form)), ("method", _method(solution))]
    if solution.convergence is not None and solution.convergence.last is not None:
        last = solution.convergence.last
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
        probabilities=shown.solution.probabilities(shown.seat, state.number)[:, sets].T,
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
    from infoset.display.plots.strategy import plot_strategies
    from infoset.display.plots.style import plot_format, save_figure

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
    """The lines of a file with the columns that :mod:`infoset.analysis.strategy_files` reads and
    writes.

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
            cells = [label_cell(action) for action in actions]
            probabilities = known.probabilities(seat, number).T.tolist()
            for at, (words, own) in enumerate(
                zip(labelled.labels(number), probabilities, strict=True)
            ):
                counted = labelled.number(number, at)
                head = (name, label_cell(words), "" if counted is None else f"#{counted}")
                for action, share in zip(cells, own, strict=True):
                    table.writerow((*head, action, *probability_cells(share)))
            yield written.getvalue()
            written.seek(0)
            written.truncate()
    yield written.getvalue()
