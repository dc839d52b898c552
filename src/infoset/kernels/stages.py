"""Rules over whole numbers, compiled: pointers that a search calls, compiled once for all games.

A search gets a game's functions as pointers of fixed types. So it need not be compiled again for
every game, and a game brings in only its own few lines; a call by a pointer costs some nanoseconds.
Matrix games and programs come in the same way: what is called by name is compiled again with every
function that calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numba import types
from numba.core.errors import NumbaError

from infoset.errors import RulesError
from infoset.kernels.compiling import compiled
from infoset.kernels.matrix import mixture_bound, solve_matrix
from infoset.kernels.simplex import PROGRAM

OVER, PLAYERS, CHANCE = 0, 1, -1  # as infoset.rules.stages has them
STATE = types.Array(types.int64, 1, "C")
NUMBER = types.int64
TURN = NUMBER(STATE)
OPTIONS = NUMBER(STATE, NUMBER, STATE)
AFTER = types.void(STATE, NUMBER, NUMBER, STATE)
PAYOFF = NUMBER(STATE)
WEIGHT = NUMBER(STATE, NUMBER)
BOUNDS = types.void(STATE, STATE)


class Rules(NamedTuple):
    """The functions of a game, as a search takes them, and what it solves at a position."""

    turn: Callable[..., int]
    options: Callable[..., int]
    after: Callable[..., None]
    payoff: Callable[..., int]
    weight: Callable[..., int]
    bounds: Callable[..., None]
    solve_matrix: Callable[..., float]
    mixture_bound: Callable[..., float]


SIGNATURES = (TURN, OPTIONS, AFTER, PAYOFF, WEIGHT, BOUNDS, PROGRAM, PROGRAM)
POINTERS = tuple(types.FunctionType(signature) for signature in SIGNATURES)
RULES = types.NamedTuple(POINTERS, Rules)


def even_weight(state: Any, outcome: int) -> int:
    """For a game in which chance does not move, or all is equally likely."""
    return 1


def no_bounds(state: Any, pair: Any) -> None:
    """For a game that knows no more of a state than that it is one."""


_COMPILED: dict[tuple[Any, ...], Rules] = {}


def compiled_rules(stages: Any, name: str) -> Rules:
    """The functions of a game's stages, compiled; an error that says which one cannot be."""
    functions = {
        "turn": (stages.turn, TURN),
        "options": (stages.options, OPTIONS),
        "after": (stages.after, AFTER),
        "payoff": (stages.payoff, PAYOFF),
        "weight": (stages.weight or even_weight, WEIGHT),
        "bounds": (stages.bounds or no_bounds, BOUNDS),
    }
    key = tuple(function for function, _ in functions.values())
    if key not in _COMPILED:
        made = {}
        for called, (function, signature) in functions.items():
            try:
                # With bounds checked: what a game writes beyond its arrays would be another's.
                made[called] = compiled(signature, error_model="numpy", boundscheck=True)(function)
            except NumbaError as error:
                said = " ".join(str(error).split())
                raise RulesError(
                    f"{name}: {called} of its stages cannot be compiled ({said:.120}…);"
                    " write it in plain whole numbers, or leave stages= out"
                ) from None
        _COMPILED[key] = Rules(**made, solve_matrix=solve_matrix, mixture_bound=mixture_bound)
    return _COMPILED[key]
