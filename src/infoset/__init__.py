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
from infoset.rules import (
    EVERYTHING,
    Board,
    Card,
    Deck,
    Family,
    Game,
    Hand,
    Money,
    Play,
    Position,
    Roll,
    chain,
    exact,
    game,
    hand_name,
    partition,
    poker_rank,
    profile,
    rolls,
    square_name,
    straight_lines,
)

if TYPE_CHECKING:
    from infoset.solve import Solution, solve
    from infoset.solve.against import best_response, safe
    from infoset.solve.correlated import correlated
    from infoset.solve.max_min import max_min
    from infoset.solve.sampling import sample
    from infoset.strategy.assessment import assessment
    from infoset.strategy.rationality import is_sequentially_rational
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
    "Solution": "infoset.solve",
    "Tree": "infoset.tree",
    "assessment": "infoset.strategy.assessment",
    "best_response": "infoset.solve.against",
    "correlated": "infoset.solve.correlated",
    "is_sequentially_rational": "infoset.strategy.rationality",
    "is_subgame_perfect": "infoset.strategy.subgame_perfect",
    "load": "infoset.tree.files",
    "matrix_game": "infoset.tree",
    "max_min": "infoset.solve.max_min",
    "safe": "infoset.solve.against",
    "sample": "infoset.solve.sampling",
    "save": "infoset.tree.files",
    "solve": "infoset.solve",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'infoset' has no attribute {name!r}")
    module = import_module(_LATER[name])
    # The package infoset.solve can be called, as the function of that name that it has.
    value = globals()[name] = module if name == "solve" else getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "EVERYTHING",
    "Board",
    "Builder",
    "Card",
    "Deck",
    "Family",
    "Game",
    "Hand",
    "Infoset",
    "InfosetError",
    "MatrixGame",
    "Money",
    "Node",
    "Play",
    "Position",
    "Roll",
    "Solution",
    "Tree",
    "__version__",
    "assessment",
    "best_response",
    "chain",
    "correlated",
    "exact",
    "game",
    "hand_name",
    "is_sequentially_rational",
    "is_subgame_perfect",
    "load",
    "matrix_game",
    "max_min",
    "partition",
    "poker_rank",
    "profile",
    "rolls",
    "safe",
    "sample",
    "save",
    "solve",
    "square_name",
    "straight_lines",
]
