"""Where Python enters a compiled search: one function, to which the search is a pointer, too."""

from __future__ import annotations

from typing import Any

from numba import types

from infoset.kernels.compiling import compiled
from infoset.kernels.search.workspace import WORKSPACE
from infoset.kernels.stages import POINTERS, RULES, Rules

SEARCH = types.float64(RULES, WORKSPACE, types.int64)


@compiled(
    types.float64(types.FunctionType(SEARCH), *POINTERS, WORKSPACE, types.int64),
    nogil=True,
    error_model="numpy",
)
def enter(
    search: Any,
    turn: Any,
    options: Any,
    after: Any,
    payoff: Any,
    weight: Any,
    bounds: Any,
    solve_matrix: Any,
    mixture_bound: Any,
    workspace: Any,
    left: int,
) -> float:
    """The value of the first frame's state; ``left`` moves deep."""
    rules = Rules(turn, options, after, payoff, weight, bounds, solve_matrix, mixture_bound)
    return float(search(rules, workspace, left))
