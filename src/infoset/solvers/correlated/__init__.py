"""Correlated equilibria: the methods ``ce``, ``cce``, ``efce`` and ``efcce``."""

from infoset.solvers.correlated.solver import correlated

__all__ = ["correlated"]
