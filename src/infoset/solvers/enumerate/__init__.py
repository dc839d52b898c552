"""Extreme equilibria: the search for corners that answer each other, and how they hang together."""

from infoset.solvers.enumerate.solver import find

__all__ = ["find"]
