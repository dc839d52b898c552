"""Play against a known opponent: the linear program of safe strategies, and its proof."""

from infoset.solvers.safe.solver import safe

__all__ = ["safe"]
