"""Searches of games in which two players move at once, stage after stage, and nothing is hidden."""

from infoset.search.simultaneous.search import (
    backward_induction,
    double_oracle,
    double_oracle_alphabeta,
    search_simultaneous,
    smab,
)
from infoset.search.simultaneous.settings import Request

__all__ = [
    "Request",
    "backward_induction",
    "double_oracle",
    "double_oracle_alphabeta",
    "search_simultaneous",
    "smab",
]
