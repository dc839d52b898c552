"""Logit quantal responses: agents that err, the path that they follow, and where it ends."""

from infoset.solvers.qre.solver import find

__all__ = ["find"]
