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
from infoset.lazy import lazy_names
from infoset.rules import EVERYTHING, Family, Game, Play, Position, game

if TYPE_CHECKING:
    from infoset import analysis, games, objects, search
    from infoset.analysis.questions import compare
    from infoset.analysis.sweeps import sweep
    from infoset.solvers import Solution, solve
    from infoset.solvers.correlated.solver import correlated
    from infoset.solvers.max_min import max_min
    from infoset.solvers.runs import start
    from infoset.solvers.safe.solver import safe
    from infoset.solvers.sampling import sample
    from infoset.strategy.assessment import assessment, is_sequentially_rational
    from infoset.strategy.behaviour import Behaviour, behaviour, uniform
    from infoset.strategy.evaluation import best_response, exploitability, regret
    from infoset.strategy.profile import Profile, profile
    from infoset.strategy.subgame_perfect import is_subgame_perfect
    from infoset.tree import Builder, Infoset, MatrixGame, Node, Tree, matrix_game
    from infoset.tree.files import load, save

__version__ = "0.1.0"

# By module: the names that are imported when they are first used, so that `import infoset` loads
# neither numpy nor anything else that takes long.
_LAZY = {
    "infoset.analysis.questions": ("compare",),
    "infoset.analysis.sweeps": ("sweep",),
    "infoset.solvers": ("Solution", "solve"),
    "infoset.solvers.correlated.solver": ("correlated",),
    "infoset.solvers.max_min": ("max_min",),
    "infoset.solvers.runs": ("start",),
    "infoset.solvers.safe.solver": ("safe",),
    "infoset.solvers.sampling": ("sample",),
    "infoset.strategy.assessment": ("assessment", "is_sequentially_rational"),
    "infoset.strategy.behaviour": ("Behaviour", "behaviour", "uniform"),
    "infoset.strategy.evaluation": ("best_response", "exploitability", "regret"),
    "infoset.strategy.profile": ("Profile", "profile"),
    "infoset.strategy.subgame_perfect": ("is_subgame_perfect",),
    "infoset.tree": ("Builder", "Infoset", "MatrixGame", "Node", "Tree", "matrix_game"),
    "infoset.tree.files": ("load", "save"),
}
_lazy_name = lazy_names(__name__, _LAZY)
_NAMESPACES = ("analysis", "games", "objects", "search")  # packages to look around in


def __getattr__(name: str) -> Any:
    if name in _NAMESPACES:
        return import_module(f"infoset.{name}")
    return _lazy_name(name)


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "EVERYTHING",
    "Behaviour",
    "Builder",
    "Family",
    "Game",
    "Infoset",
    "InfosetError",
    "MatrixGame",
    "Node",
    "Play",
    "Position",
    "Profile",
    "Solution",
    "Tree",
    "__version__",
    "analysis",
    "assessment",
    "behaviour",
    "best_response",
    "compare",
    "correlated",
    "exploitability",
    "game",
    "games",
    "is_sequentially_rational",
    "is_subgame_perfect",
    "load",
    "matrix_game",
    "max_min",
    "objects",
    "profile",
    "regret",
    "safe",
    "sample",
    "save",
    "search",
    "solve",
    "start",
    "sweep",
    "uniform",
]
