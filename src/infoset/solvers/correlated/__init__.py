"""Correlated equilibria: lotteries over plans, what they must obey, and their check."""

from infoset.solvers.correlated.solver import correlated

__all__ = ["correlated"]
