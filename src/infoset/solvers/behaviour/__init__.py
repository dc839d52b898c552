"""The method ``behaviour``: equilibria in behaviour strategies of players with imperfect recall."""

from infoset.solvers.behaviour.solver import find

__all__ = ["find"]
