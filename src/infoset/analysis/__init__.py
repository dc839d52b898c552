"""What results mean: questions, situations, comparisons, tables of strategies and forms, sweeps.

Everything here computes, and ends in frozen records: a :class:`~infoset.analysis.table.Table`, the
panels of a plot, the answer to a question. How records look is decided in :mod:`infoset.display`,
which computes nothing.

    situations        what is public and what is private, derived from the players' information
    expectations      reach, value and beliefs of a player at an information set
    strategy_tables   strategies as tables, panels and rows of files, wherever they come from
    public_strategy, sampled_strategy   strategies on public forms and of sampled runs
    public_states     what is public and what is private in a public form
    public_to_tree    strategies on a public form as strategies on the game's tree
    equilibria        several equilibria side by side
    commitment        the best strategy to announce: Stackelberg
    criteria          Pareto optimality, minimax regret
    evolution         evolutionarily stable strategies
    repeated          repeated games with discounting: grim trigger, minmax payoffs
    matrices          normal and sequence forms as tables
    questions/        beliefs, values, outcomes, plays, deviations, best replies, comparisons
    sweeps/           a family of games over its parameters
    table             the record of a table

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

from typing import TYPE_CHECKING

from infoset.lazy import lazy_names

if TYPE_CHECKING:
    from infoset.analysis.commitment import stackelberg
    from infoset.analysis.criteria import minimax_regret, pareto
    from infoset.analysis.equilibria import equilibria_table
    from infoset.analysis.evolution import evolutionary_stability
    from infoset.analysis.matrices import elimination_table, normal_table, sequence_table
    from infoset.analysis.questions import (
        action_values,
        beliefs,
        best_reply,
        compare,
        deviation,
        intuitive_criterion,
        outcome,
        plays,
        supporting_beliefs,
        unreached,
    )
    from infoset.analysis.repeated import grim_trigger, minmax_payoffs
    from infoset.analysis.strategy_tables import strategy_sheet
    from infoset.analysis.sweeps import sweep
    from infoset.strategy.convert import read_strategies, read_strategy
    from infoset.strategy.files import strategy_csv

__all__ = [
    "action_values",
    "beliefs",
    "best_reply",
    "compare",
    "deviation",
    "elimination_table",
    "equilibria_table",
    "evolutionary_stability",
    "grim_trigger",
    "intuitive_criterion",
    "minimax_regret",
    "minmax_payoffs",
    "normal_table",
    "outcome",
    "pareto",
    "plays",
    "read_strategies",
    "read_strategy",
    "sequence_table",
    "stackelberg",
    "strategy_csv",
    "strategy_sheet",
    "supporting_beliefs",
    "sweep",
    "unreached",
]

# Imported when they are first used: one question should not load all the others.
__getattr__ = lazy_names(
    __name__,
    {
        "infoset.analysis.commitment": ("stackelberg",),
        "infoset.analysis.criteria": ("minimax_regret", "pareto"),
        "infoset.analysis.equilibria": ("equilibria_table",),
        "infoset.analysis.evolution": ("evolutionary_stability",),
        "infoset.analysis.matrices": ("elimination_table", "normal_table", "sequence_table"),
        "infoset.analysis.questions.actions": ("action_values", "deviation"),
        "infoset.analysis.questions.belief": ("beliefs",),
        "infoset.analysis.questions.comparison": ("compare",),
        "infoset.analysis.questions.mistakes": ("unreached",),
        "infoset.analysis.questions.outcomes": ("outcome", "plays"),
        "infoset.analysis.questions.replies": ("best_reply",),
        "infoset.analysis.questions.signalling": ("intuitive_criterion",),
        "infoset.analysis.questions.supporting": ("supporting_beliefs",),
        "infoset.analysis.repeated": ("grim_trigger", "minmax_payoffs"),
        "infoset.analysis.strategy_tables": ("strategy_sheet",),
        "infoset.analysis.sweeps": ("sweep",),
        "infoset.strategy.convert": ("read_strategies", "read_strategy"),
        "infoset.strategy.files": ("strategy_csv",),
    },
)


def __dir__() -> list[str]:
    return sorted(__all__)
