"""The searches, by the names that the command and ``solve`` know them by."""

from __future__ import annotations

from collections.abc import Callable

from infoset.search.imp import chance_minimax, imp_alphabeta, imp_minimax
from infoset.search.simultaneous import (
    backward_induction,
    double_oracle,
    double_oracle_alphabeta,
    smab,
)
from infoset.solvers.solution import Solution

SEARCHES: dict[str, Callable[..., Solution]] = {
    "imp-alphabeta": imp_alphabeta,
    "imp-minimax": imp_minimax,
    "chance-minimax": chance_minimax,
    "backward-induction": backward_induction,
    "smab": smab,
    "double-oracle": double_oracle,
    "double-oracle-alphabeta": double_oracle_alphabeta,
}
