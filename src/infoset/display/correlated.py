"""A correlated equilibrium: payoffs, what is drawn, and where plays end."""

from __future__ import annotations

from typing import Any

from infoset.analysis.table import FEW, NUMBER, PROBABILITY, PROSE, Column, Sheet, Table
from infoset.solvers.correlated.solver import KINDS, JointEvaluation
from infoset.solvers.solution import Solution
from infoset.strategy import Pure
from infoset.text import (
    amount_text,
    decimal_above,
    history_text,
    named_amount,
    printable,
    text,
)
from infoset.tree.views import Views


def joint(solution: Solution) -> JointEvaluation:
    """The distribution of a correlated equilibrium."""
    assert isinstance(solution.evaluation, JointEvaluation)
    return solution.evaluation


def correlated_sheet(solution: Solution) -> Sheet:
    """The facts, a table of what is drawn, and one of the leaves that are reached.

    Where the lottery over plans is not known, a table of pairs of sequences stands in its place.

    >>> from infoset.games import prisoners_dilemma
    >>> from infoset.solvers.correlated.solver import correlated
    >>> print(correlated_sheet(correlated(prisoners_dilemma(), "ce")))
    prisoners_dilemma()
    kind         ce: correlated equilibrium
    method       one probability for each of 4 profiles of plans
    welfare      row + column: -6
    payoffs      row -3, column -3
    regret       0
    certificate  exact
    <BLANKLINE>
    what is drawn
    probability  row     column
    1 ████████   defect  defect
    <BLANKLINE>
    where plays end
    probability  play                         row  column
    1 ████████   row: defect, column: defect   -3      -3
    """
    device = joint(solution)
    drawn = _drawn(device) if device.distribution else _weights(device)
    return Sheet(device.tree.name, [drawn, _ends(device)], facts(solution))


def facts(solution: Solution) -> tuple[tuple[str, str], ...]:
    """What stands above the tables: kind, method, welfare, payoffs, regret, certificate."""
    device = joint(solution)
    payoffs = ", ".join(
        named_amount(printable(name), amount_text(amount))
        for name, amount in device.payoffs.items()
    )
    lines = [
        ("kind", f"{device.concept}: {KINDS[device.concept]}"),
        ("method", printable(device.how)),
        ("welfare", f"{welfare_words(device)}: {amount_text(device.welfare)}"),
        ("payoffs", payoffs),
        ("regret", decimal_above(device.regret)),
        ("certificate", device.certificate),
    ]
    return (*lines, *((("note", solution.note),) if solution.note else ()))


def welfare_words(device: JointEvaluation) -> str:
    """The weighted sum of payoffs that is as large as can be.

    >>> from infoset.games import prisoners_dilemma
    >>> from infoset.solvers.correlated.solver import correlated
    >>> welfare_words(joint(correlated(prisoners_dilemma(), "ce", {"row": 2, "column": -1})))
    '2 row - column'
    """
    words = ""
    for player, weight in device.weights.items():
        if weight:
            sign = (" - " if words else "-") if weight < 0 else (" + " if words else "")
            times = "" if abs(weight) == 1 else f"{abs(weight)} "
            words += f"{sign}{times}{printable(player)}"
    return words or "nothing"


def _drawn(device: JointEvaluation) -> Table:
    columns = (
        Column("probability", PROBABILITY),
        *(Column(name, PROSE) for name in device.tree.names),
    )
    drawn = list(device.distribution.items())

    def row(at: int) -> tuple[Any, ...]:
        plans, probability = drawn[at]
        return (probability, *(plan_words(plan) for plan in plans))

    return Table("what is drawn", columns, Views(row, len(drawn)))


def plan_words(plan: Pure) -> str:
    """What a plan does; the action alone where its player has one information set."""
    if len(plan.choices.infosets) == 1 and plan.chosen:
        ((infoset, action),) = plan.chosen
        return text(plan.tree.infosets[infoset].actions[action])
    return plan.words or "nothing to choose"


def _weights(device: JointEvaluation) -> Table:
    labels = [choices.labels for choices in device.tree.choices]
    rows = [(weight, labels[0][one], labels[1][two]) for (one, two), weight in device.plan.items()]
    columns = (Column("weight", PROBABILITY), *(Column(name, PROSE) for name in device.tree.names))
    return Table("how likely both make these choices", columns, rows)


def _ends(device: JointEvaluation) -> Table:
    found = sorted(device.outcomes.items(), key=lambda item: -item[1])

    def row(at: int) -> tuple[Any, ...]:
        node, chance = found[at]
        return (chance, history_text(node.history), *node.payoffs.values())

    amounts = (Column(name, NUMBER) for name in device.tree.names)
    columns = (Column("probability", PROBABILITY), Column("play", PROSE), *amounts)
    return Table("where plays end", columns, Views(row, len(found)))


def correlated_text(
    solution: Solution, *, width: int | None = None, colour: bool = False, most: int | None = FEW
) -> str:
    """The whole answer for a terminal."""
    return correlated_sheet(solution).text(width=width, colour=colour, most=most)


def correlated_html(solution: Solution) -> str:
    """The whole answer for a notebook."""
    return correlated_sheet(solution)._repr_html_()
