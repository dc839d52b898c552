"""What an answer means: tables, plots, drawings, matrices, questions.

What is computed is kept apart from how it is shown. Computing ends in small frozen records (a
:class:`~infoset.analysis.table.Table`, a scene of a drawing, the panels of a plot); showing starts
from them, in as many formats as there are, and computes nothing.

    situations   what is public and what is private, found in what the rules reveal
    common_knowledge, wording, telling   how that is found, and told
    below        what follows a node, and what it is worth
    standing     how a player stands at an information set
    strategies   a strategy as tables: grouped by what is public; values and beliefs beside it
    equilibria   several equilibria side by side
    correlations correlated equilibria as tables
    sampled      what sampling found, as tables
    tables/      the record of a table, and its formats
    panels       what a plot of a strategy shows
    plots/       figures of matplotlib
    drawing/     trees as pictures
    painting     matplotlib, whatever surrounds it
    matrices     normal and sequence forms as tables
    questions/   beliefs, values, outcomes, plays, deviations, replies, comparisons
    edited       strategies as CSV, out and in
    sweeps       a family of games against its parameters
    faces        how the objects of the other folders show themselves

>>> from infoset import analysis, solve
>>> from infoset.games import kuhn
>>> solution = solve(kuhn())
>>> print(analysis.action_values(solution, "gambler: J"))
actions of gambler: J
action  probability   value  regret  best
pass    2/3 █████▎       -1       0  best
bet     1/3 ██▋          -1       0  best
value -1; reached with probability 1/3
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infoset.analysis.equilibria import equilibria_table
    from infoset.analysis.matrices import elimination_table, normal_table, sequence_table
    from infoset.analysis.questions import (
        action_values,
        beliefs,
        best_reply,
        compare,
        deviation,
        outcome,
        plays,
        unreached,
    )
    from infoset.analysis.strategy_tables import strategy_sheet
    from infoset.analysis.sweeps import sweep
    from infoset.display.drawing import draw
    from infoset.strategy.convert import read_strategies, read_strategy
    from infoset.strategy.files import strategy_csv

# Imported when they are first asked for: one question should not load all the others.
_LATER = {
    "action_values": "infoset.analysis.questions",
    "beliefs": "infoset.analysis.questions",
    "best_reply": "infoset.analysis.questions",
    "compare": "infoset.analysis.questions",
    "deviation": "infoset.analysis.questions",
    "draw": "infoset.display.drawing",
    "elimination_table": "infoset.analysis.matrices",
    "equilibria_table": "infoset.analysis.equilibria",
    "normal_table": "infoset.analysis.matrices",
    "outcome": "infoset.analysis.questions",
    "plays": "infoset.analysis.questions",
    "read_strategies": "infoset.strategy.convert",
    "read_strategy": "infoset.strategy.convert",
    "sequence_table": "infoset.analysis.matrices",
    "strategy_csv": "infoset.strategy.files",
    "strategy_sheet": "infoset.analysis.strategy_tables",
    "sweep": "infoset.analysis.sweeps",
    "unreached": "infoset.analysis.questions",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'infoset.analysis' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "action_values",
    "beliefs",
    "best_reply",
    "compare",
    "deviation",
    "draw",
    "elimination_table",
    "equilibria_table",
    "normal_table",
    "outcome",
    "plays",
    "read_strategies",
    "read_strategy",
    "sequence_table",
    "strategy_csv",
    "strategy_sheet",
    "sweep",
    "unreached",
]
