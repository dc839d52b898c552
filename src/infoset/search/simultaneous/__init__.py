"""Searches of two-player constant-sum games with simultaneous moves and nothing else hidden."""

from infoset.search.settings import SimultaneousSettings
from infoset.search.simultaneous.search import (
    backward_induction,
    double_oracle,
    double_oracle_alphabeta,
    search_simultaneous,
    smab,
)

__all__ = [
    "SimultaneousSettings",
    "backward_induction",
    "double_oracle",
    "double_oracle_alphabeta",
    "search_simultaneous",
    "smab",
]
