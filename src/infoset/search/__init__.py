"""From a position to a decision, without building the tree.

>>> from infoset.games import goofspiel
>>> found = smab(goofspiel(cards=4, early_end=True), exact=True)
>>> found.value, found.decide()["player 1"][4]
(Fraction(0, 1), Fraction(1, 1))
"""

from __future__ import annotations

from collections.abc import Callable

from infoset.search.imp import chance_minimax, imp_alphabeta, imp_minimax
from infoset.search.matrix import MatrixAnswer, solve_matrix_game
from infoset.search.result import SearchEvaluation
from infoset.search.simultaneous import (
    backward_induction,
    double_oracle,
    double_oracle_alphabeta,
    smab,
)
from infoset.solvers.solution import Solution

__all__ = [
    "SEARCHES",
    "MatrixAnswer",
    "SearchEvaluation",
    "backward_induction",
    "chance_minimax",
    "double_oracle",
    "double_oracle_alphabeta",
    "imp_alphabeta",
    "imp_minimax",
    "smab",
    "solve_matrix_game",
]

# By the names that the command and ``solve`` know them by.
SEARCHES: dict[str, Callable[..., Solution]] = {
    "imp-alphabeta": imp_alphabeta,
    "imp-minimax": imp_minimax,
    "chance-minimax": chance_minimax,
    "backward-induction": backward_induction,
    "smab": smab,
    "double-oracle": double_oracle,
    "double-oracle-alphabeta": double_oracle_alphabeta,
}
