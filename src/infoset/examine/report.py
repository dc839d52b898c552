"""A solution for people: what it is worth, how sure that is, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import Any

from infoset.errors import ParameterError
from infoset.examine.equilibria import equilibria_table
from infoset.examine.strategies import mixed_sheet, strategy_sheet
from infoset.examine.tables import FEW, Sheet
from infoset.examine.tables.cells import several
from infoset.rules.story import printable
from infoset.solve.solution import NONE_FOUND, UNCHECKED, Solution
from infoset.solve.table import SOLVERS
from infoset.solve.text import amount_text, decimal_above, decimal_near
from infoset.strategy import Behaviour, Mixed
from infoset.tree import Tree
from infoset.tree.facts import absent_minded

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
        beside = None if forgets_its_place(solution.tree, player) else solution.profile
        known = solution.assessment
        return strategy_sheet(strategy, beside, assessment=known, where=where, fold=fold, rows=rows)
    if where:
        raise ParameterError(
            f"{solution.tree.name}: {player} mixes whole plans, and has no information sets to"
            f" look for {where!r} in"
        )
    return mixed_sheet(strategy, rows)


def forgets_its_place(tree: Tree, player: str) -> bool:
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
    if solution.course is not None and solution.course.last is not None:
        last = solution.course.last
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
