"""Infoset: write down the rules of a game; get its tree, its equilibria, and their proof.

>>> from infoset import game
>>> @game(players=("sender", "receiver"))
... def coin(g):
...     side = g.chance(("heads", "tails"))
...     g.reveal("sender", side)
...     g.reveal("receiver", g.choose("sender", ("heads", "tails")))
...     return g.win("receiver" if g.choose("receiver", ("heads", "tails")) == side else "sender")
>>> coin().tree()
<Tree of coin(): 15 nodes, 4 information sets, 2 players>
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from infoset.errors import InfosetError
from infoset.rules import EVERYTHING, Family, Game, Play, Position, game

if TYPE_CHECKING:
    from infoset.solvers import Solution, solve
    from infoset.solvers.correlated.solver import correlated
    from infoset.solvers.max_min import max_min
    from infoset.solvers.runs import start
    from infoset.solvers.safe.solver import safe
    from infoset.solvers.sampling import sample
    from infoset.strategy.assessment import assessment, is_sequentially_rational
    from infoset.strategy.evaluation import best_response, exploitability, regret
    from infoset.strategy.subgame_perfect import is_subgame_perfect
    from infoset.tree import Builder, Infoset, MatrixGame, Node, Tree, matrix_game
    from infoset.tree.files import load, save

__version__ = "0.1.0"

# What needs numpy is imported when it is first asked for: `import infoset` stays fast.
_LATER = {
    "Builder": "infoset.tree",
    "Infoset": "infoset.tree",
    "MatrixGame": "infoset.tree",
    "Node": "infoset.tree",
    "Solution": "infoset.solvers",
    "Tree": "infoset.tree",
    "assessment": "infoset.strategy.assessment",
    "best_response": "infoset.strategy.evaluation",
    "exploitability": "infoset.strategy.evaluation",
    "regret": "infoset.strategy.evaluation",
    "correlated": "infoset.solvers.correlated.solver",
    "is_sequentially_rational": "infoset.strategy.assessment",
    "is_subgame_perfect": "infoset.strategy.subgame_perfect",
    "load": "infoset.tree.files",
    "matrix_game": "infoset.tree",
    "max_min": "infoset.solvers.max_min",
    "safe": "infoset.solvers.safe.solver",
    "sample": "infoset.solvers.sampling",
    "save": "infoset.tree.files",
    "solve": "infoset.solvers",
    "start": "infoset.solvers.runs",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'infoset' has no attribute {name!r}")
    module = import_module(_LATER[name])
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "EVERYTHING",
    "Builder",
    "Family",
    "Game",
    "Infoset",
    "InfosetError",
    "MatrixGame",
    "Node",
    "Play",
    "Position",
    "Solution",
    "Tree",
    "__version__",
    "assessment",
    "best_response",
    "correlated",
    "exploitability",
    "game",
    "is_sequentially_rational",
    "is_subgame_perfect",
    "load",
    "matrix_game",
    "max_min",
    "regret",
    "safe",
    "sample",
    "save",
    "solve",
    "start",
]
