"""The method ``enumerate``: all extreme equilibria of a two-player game, in exact arithmetic."""

from infoset.solvers.enumerate.solver import find

__all__ = ["find"]
