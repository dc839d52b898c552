"""What an answer means: tables, plots, drawings, matrices, questions.

What is computed is kept apart from how it is shown. Computing ends in small frozen records (a
:class:`~infoset.examine.tables.Table`, a scene of a drawing, the panels of a plot); showing starts
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

>>> from infoset import examine, solve
>>> from infoset.games import kuhn
>>> solution = solve(kuhn())
>>> print(examine.action_values(solution, "gambler: J"))
actions of gambler: J
action  probability   value  regret  best
pass    2/3 █████▎       -1       0  best
bet     1/3 ██▋          -1       0  best
worth -1; a play comes here with probability 1/3
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from infoset.examine.drawing import draw
    from infoset.examine.edited import read_strategies, read_strategy, strategy_csv
    from infoset.examine.equilibria import equilibria_table
    from infoset.examine.matrices import elimination_table, normal_table, sequence_table
    from infoset.examine.questions import (
        action_values,
        beliefs,
        best_reply,
        compare,
        deviation,
        outcome,
        plays,
        unreached,
    )
    from infoset.examine.strategies import strategy_sheet
    from infoset.examine.sweeps import sweep

# Imported when they are first asked for: one question should not load all the others.
_LATER = {
    "action_values": "questions",
    "beliefs": "questions",
    "best_reply": "questions",
    "compare": "questions",
    "deviation": "questions",
    "draw": "drawing",
    "elimination_table": "matrices",
    "equilibria_table": "equilibria",
    "normal_table": "matrices",
    "outcome": "questions",
    "plays": "questions",
    "read_strategies": "edited",
    "read_strategy": "edited",
    "sequence_table": "matrices",
    "strategy_csv": "edited",
    "strategy_sheet": "strategies",
    "sweep": "sweeps",
    "unreached": "questions",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'infoset.examine' has no attribute {name!r}")
    return getattr(import_module(f"infoset.examine.{_LATER[name]}"), name)


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
