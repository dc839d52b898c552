"""Play against a known opponent: the linear program of safe strategies, and its proof."""

from infoset.solvers.safe.solver import best_response, safe

__all__ = ["best_response", "safe"]
