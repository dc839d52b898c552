"""The method ``qre``: a homotopy along logit quantal response equilibria."""

from infoset.solvers.qre.solver import find

__all__ = ["find"]
