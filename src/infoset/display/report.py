"""Reports of solutions of every kind: values, certificates, strategies.

A solution is on a tree, on a public form, over sampled or searched positions, or a joint
distribution. What differs between them is where strategies come from (:func:`strategy_source`) and
which facts stand above them (:func:`facts`); tables, plots, files and reports are the same
functions for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from infoset.analysis.equilibria import always_sequential, equilibria_table
from infoset.analysis.public_strategy import PublicStrategySource
from infoset.analysis.questions.supporting import belief_words_of, support_words
from infoset.analysis.sampled_strategy import SampledStrategySource
from infoset.analysis.strategy_tables import (
    MOST_PANELS,
    StrategySource,
    TreeStrategySource,
    find_all,
    mixed_sheet,
    panels_of,
    players_with,
    sheet_of,
    strategy_sheet,
)
from infoset.analysis.table import FEW, Sheet
from infoset.display.correlated import correlated_sheet
from infoset.display.correlated import facts as joint_facts
from infoset.display.searched import searched_facts, searched_sheet
from infoset.errors import NotApplicable, ParameterError
from infoset.forms.public.record import PublicForm
from infoset.search.result import SearchEvaluation
from infoset.solvers.correlated.solver import JointEvaluation
from infoset.solvers.evaluation import TreeEvaluation
from infoset.solvers.public_solution import PublicEvaluation
from infoset.solvers.registry import SOLVERS
from infoset.solvers.sampling.result import SampledEvaluation
from infoset.solvers.solution import NONE_FOUND, UNCHECKED, Solution
from infoset.strategy import Behaviour, Mixed
from infoset.strategy.files import csv_lines
from infoset.text import (
    amount_text,
    count_text,
    decimal_above,
    decimal_near,
    named_amount,
    printable,
    title_text,
)
from infoset.tree import Tree
from infoset.tree.facts import absent_minded

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from infoset.solvers.safe.solver import Safety

SEVERAL = [row.name for row in SOLVERS if row.gives == "several"]
FEW_COMPONENTS = 12  # that are listed above the strategies
FEW_VISITED = 10  # rows of each sampled strategy below the facts
PROOF = "on_tree() verifies it where the tree is small enough"

# What was computed to be shown is kept as long as the solution is.
SOURCES: WeakKeyDictionary[Any, dict[str, StrategySource]] = WeakKeyDictionary()

Facts = tuple[tuple[str, str], ...]  # name and value, in words


# ---------------------------------------------------------------------- what a player does


def strategy_source(solution: Solution, player: str) -> StrategySource:
    """A player's strategy, with what is known of it, wherever it was found.

    Raises
    ------
    NotApplicable
        If the player mixes whole plans: then no information set has probabilities.

    """
    evaluation = solution.evaluation
    if isinstance(evaluation, PublicEvaluation):
        return _kept(evaluation, player, lambda: PublicStrategySource(evaluation.profile, player))
    if isinstance(evaluation, SampledEvaluation):
        return SampledStrategySource(evaluation, player)
    strategy = solution.tree_evaluation.strategy[player]
    if not isinstance(strategy, Behaviour):
        raise NotApplicable(
            f"{solution.name}: {player} has imperfect recall, and mixes whole plans; there is"
            " no probability for each information set; table() shows the plans"
        )
    valued = not is_absent_minded(solution.tree, player)
    known = solution.tree_evaluation
    return _kept(
        known,
        player,
        lambda: TreeStrategySource(strategy, known.profile, known.assessment, valued=valued),
    )


def _kept(evaluation: Any, player: str, make: Callable[[], StrategySource]) -> StrategySource:
    """A player's strategy, made once for each solution: public states and values take long."""
    made = SOURCES.setdefault(evaluation, {})
    if player not in made:
        made[player] = make()
    return made[player]


def solution_sheet(
    solution: Solution,
    player: str | None = None,
    *,
    where: str | Sequence[str] = (),
    fold: bool | None = None,
    rows: range | None = None,
) -> Sheet:
    """What one player does, or all of them, as tables; of a joint distribution, what is drawn."""
    if isinstance(solution.evaluation, JointEvaluation):
        return _joint_sheet(solution, player, where, rows)
    if player is None:
        every = [
            solution_sheet(solution, name, where=where, fold=fold, rows=rows)
            for name in fitting(solution, solution.players, where)
        ]
        titled = [
            replace(table, title=f"{sheet.title}: {table.title}" if table.title else sheet.title)
            for sheet in every
            for table in sheet.tables
        ]
        return Sheet(solution.name, titled)
    mixed = None if _has_source(solution) else solution.tree_evaluation.strategy[player]
    if isinstance(mixed, Mixed):
        if where:
            raise ParameterError(
                f"{solution.name}: {player} mixes whole plans, and has no information sets to"
                f" look for {where!r} in"
            )
        return mixed_sheet(mixed, rows)
    return sheet_of(strategy_source(solution, player), where=where, fold=fold, rows=rows)


def _has_source(solution: Solution) -> bool:
    """Are strategies shown without a tree?"""
    return isinstance(solution.evaluation, PublicEvaluation | SampledEvaluation)


def _joint_sheet(
    solution: Solution, player: str | None, where: str | Sequence[str], rows: range | None
) -> Sheet:
    if player is not None or where or rows is not None:
        raise NotApplicable(
            f"{solution.name}: a correlated equilibrium is a joint distribution, with no table of"
            " one player; table() shows the whole"
        )
    return correlated_sheet(solution)


def is_absent_minded(tree: Tree, player: str) -> bool:
    """May the player come to one set twice in a play? Then values there are not well defined."""
    number = tree.player_number(player)
    return bool(absent_minded(tree, [] if tree.recall(player) else [number]))


def fitting(
    solution: Solution, players: Sequence[str], where: str | Sequence[str] = ()
) -> tuple[str, ...]:
    """Those of some players in whose labels the texts are; refused if there are none."""
    if not _has_source(solution):
        return players_with(solution.tree, players, where)
    found = find_all([strategy_source(solution, name) for name in players], where)
    return tuple(source.player for source, _ in found)


def plot(
    solution: Solution,
    player: str | None = None,
    file: str | Path | None = None,
    *,
    where: str | Sequence[str] = (),
    kind: str = "auto",
    theme: str = "light",
    most: int | None = None,
    title: str | bool | None = None,
) -> Figure:
    """The strategies as a figure of matplotlib: see :meth:`Solution.plot`."""
    from infoset.display.plots.strategy import plot_strategies
    from infoset.display.plots.style import plot_format, save_figure

    name, players = solution.name, solution.players
    if file is not None:
        plot_format(file)  # refused before the work is done
    if player is not None and player not in players and Path(player).suffix:
        raise ParameterError(f"{player!r} is no player; if it is a file: plot(file={player!r})")
    names = fitting(solution, players if player is None else (player,), where)
    found = find_all([strategy_source(solution, own) for own in names], where)
    most = MOST_PANELS if most is None else most
    panels = [panels_of(source, matches, most) for source, matches in found]
    heading = title_text(title, name)
    figure = plot_strategies(panels, title=heading, kind=kind, theme=theme)
    if file is not None:
        save_figure(figure, file)
    return figure


def solution_csv(solution: Solution, player: str | None = None) -> Iterator[str]:
    """The lines of a file that :func:`~infoset.strategy.files.read_strategies` reads.

    Information sets go by their labels, and on a tree by their numbers, too. Of those that a public
    form folds into one, the first is named. Those that a sampled run did not meet are left out.
    """
    if isinstance(solution.evaluation, JointEvaluation):
        return iter([correlated_sheet(solution)[0].csv()])
    names = solution.players if player is None else (player,)
    return csv_lines((name, strategy_source(solution, name).lines()) for name in names)


# ---------------------------------------------------------------------- values and certificates


def facts(solution: Solution, among: Solution | None = None) -> Facts:
    """What stands above the strategies: how it was solved, value, payoffs, regret, certificate.

    ``among`` has the other equilibria, if one was picked.
    """
    evaluation = solution.evaluation
    if isinstance(evaluation, SampledEvaluation):
        return sampled_facts(solution)
    if isinstance(evaluation, SearchEvaluation):
        return searched_facts(solution)
    if isinstance(evaluation, JointEvaluation):
        return joint_facts(solution)
    public = isinstance(evaluation, PublicEvaluation)
    lines = [("size", _size(evaluation.form))] if isinstance(evaluation, PublicEvaluation) else []
    lines += _found_and_worth(solution)
    if solution.safety is not None:
        return (*lines, *_safety(solution.safety), ("certificate", solution.certificate))
    lines.append(("regret", decimal_above(solution.regret)))
    if public:
        both = f"{decimal_above(solution.exploitability)}, of both together"
        lines.append(("exploitability", both))
    lines.append(("certificate", solution.certificate))
    lines += _several(among or solution) + _assessed(solution)
    return (*lines, *_note(solution.note))


def _safety(safety: Safety) -> Facts:
    """What a safe strategy wins and guarantees, beside the best response to the model."""
    return (
        ("strategy of", f"{printable(safety.player)}, against a model of the other player"),
        ("wins", f"{amount_text(safety.wins)} (best response {amount_text(safety.best.wins)})"),
        (
            "guarantees",
            f"{amount_text(safety.guarantee)} (best response"
            f" {amount_text(safety.best.guarantee)}, value of the game"
            f" {amount_text(safety.value)})",
        ),
    )


def _found_and_worth(solution: Solution) -> list[tuple[str, str]]:
    """The method, the run, the value with its bounds, and the payoffs."""
    method = f"{solution.method}: {solution.because}" if solution.because else solution.method
    lines = [("method", method)]
    if solution.convergence is not None and solution.convergence.last is not None:
        last = solution.convergence.last
        lines.append(("run", f"{count_text(last.iterations, 'iteration')} in {last.seconds:.3g} s"))
    if solution.value is not None:
        lines.append(("value", amount_text(solution.value, solution.exact)))
        if not solution.exact and solution.value_bounds is not None:
            low = decimal_near(solution.value_bounds[0], 10, ROUND_FLOOR)
            high = decimal_near(solution.value_bounds[1], 10, ROUND_CEILING)
            sure = "certainly" if solution.proved else "by floats"
            lines.append(("", f"{sure} between {low} and {high}"))
    payoffs = ", ".join(
        named_amount(printable(name), amount_text(amount, solution.exact))
        for name, amount in solution.payoffs.items()
    )
    return [*lines, ("payoffs", payoffs)]


def _note(note: str) -> Facts:
    return (("note", note),) if note else ()


def _several(solution: Solution) -> list[tuple[str, str]]:
    """How many equilibria there are, where more than one was looked for."""
    if not isinstance(solution.evaluation, TreeEvaluation):
        return []
    count = len(solution.equilibria)
    family = solution.method.partition(":")[0]
    if solution.picked or family not in SEVERAL or NONE_FOUND in solution.note:
        return []
    lines = [("equilibria", f"{count:,}{_known(solution)}")]
    found = [str(component) for component in solution.components]
    if found and not any(one.dimension for one in solution.components):
        found = ["each equilibrium stands alone"] if count > 1 else []
    if len(found) > FEW_COMPONENTS:
        found[FEW_COMPONENTS:] = [f"and {len(found) - FEW_COMPONENTS:,} more"]
    return lines + [("" if at else "components", said) for at, said in enumerate(found)]


def _known(solution: Solution) -> str:
    """What is known of further equilibria."""
    if solution.complete:
        return ", all, as the file says" if UNCHECKED in solution.note else ", all that there are"
    counted = solution.work.get("equilibria", 0)  # by trying all profiles
    return f" of {counted:,} in pure strategies" if counted else ", there may be more"


def _assessed(solution: Solution) -> list[tuple[str, str]]:
    """What was checked of an assessment; of one of several equilibria, which beliefs support it."""
    if solution.sequential is not None:
        return [("sequential", str(solution.sequential))]
    several = solution.method.partition(":")[0] in SEVERAL and solution.evaluation.exact
    if not several or not solution.tree.perfect_recall or always_sequential(solution):
        return []
    found = solution.supporting[0]
    if found.sequential:
        return [("sequential", f"yes: {support_words(found)}")]
    weak = found.weak_perfect_bayesian.word
    beliefs = "" if found.assessment is None else f": {belief_words_of(found.assessment)}"
    return [
        ("sequential", str(found.sequential)),
        ("", f"weak perfect Bayesian equilibrium: {weak}{beliefs}"),
    ]


def _size(form: PublicForm) -> str:
    """Nodes and information sets of the game, and what is left of these."""
    sets, kept = sum(form.counts.infosets), sum(form.infosets)
    words = f"{form.counts.nodes:,} nodes, {sets:,} information sets"
    return words if sets == kept else f"{words}, folded to {kept:,}: {form.folded}"


def sampled_of(solution: Solution) -> SampledEvaluation:
    """The sampled run of a solution."""
    assert isinstance(solution.evaluation, SampledEvaluation)
    return solution.evaluation


def sampled_facts(solution: Solution, proof: str = PROOF) -> Facts:
    """The same of a sampled run: how it was found, payoffs, regret, all as estimated."""
    found = sampled_of(solution)
    payoffs = ", ".join(
        named_amount(printable(player), paid) for player, paid in found.payoffs.items()
    )
    method = (
        f"{solution.method}, {count_text(found.iterations, 'iteration')} in"
        f" {solution.seconds:.1f} s, seed {found.seed}, {found.averaging} averaging"
    )
    lines = [
        ("method", method),
        ("seen", f"{found.sets:,} information sets; {found.nodes:,} positions walked"),
        ("payoffs", f"{payoffs} (simulated)"),
        ("regret", f"{_regret(found)} ({proof})"),
        ("exploitability", _exploitability(found)),
    ]
    return (*lines, *_note(solution.note))


def _exploitability(found: SampledEvaluation) -> str:
    """What is proved of it, if the tree is there; else the estimate."""
    if found.verified is not None:
        return f"{decimal_above(found.verified.exploitability)}, computed on the tree"
    return f"{found.estimated_exploitability}, by responses learned in sampled plays"


def _regret(found: SampledEvaluation) -> str:
    """The estimated bounds, as far as they say anything: some are beyond all that is at stake."""
    pairs = zip(found.bound.items(), found.simulation.ranges, strict=True)
    known = [(player, most) for (player, most), width in pairs if most < width or not most]
    if not known:
        return "not known yet: its estimated bound is more than what is at stake"
    bounds = [named_amount(printable(player), f"{most:.2g}") for player, most in known]
    if len(known) < len(found.bound):
        bounds.append("others not known yet")
    return f"at most about {', '.join(bounds)}, as estimated"


# ---------------------------------------------------------------------- the whole answer


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
    if isinstance(solution.evaluation, JointEvaluation):
        return [correlated_sheet(solution)]
    if isinstance(solution.evaluation, SearchEvaluation):
        return [searched_sheet(solution)]
    sheets = [Sheet(solution.name, (), facts(solution))]
    if solution.others:
        sheets.append(Sheet("equilibria", [equilibria_table(solution)]))
    names = solution.players if players is None else players
    return [*sheets, *(solution_sheet(solution, own, **shown) for own in names)]


def report_text(
    solution: Solution,
    players: Sequence[str] | None = None,
    *,
    width: int | None = None,
    colour: bool = False,
    most: int | None = FEW,
    **shown: Any,
) -> str:
    """The whole answer for a terminal; ``most`` rows of each strategy, None for all of them."""
    sheets = report(solution, players, **shown)
    texts = [sheet.text(width=width, colour=colour, most=most) for sheet in sheets]
    return "\n\n".join(texts)


def solution_text(solution: Solution) -> str:
    """What ``str`` gives; of a sampled run only the most visited information sets."""
    sampled = isinstance(solution.evaluation, SampledEvaluation)
    return report_text(solution, most=FEW_VISITED if sampled else FEW)


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
