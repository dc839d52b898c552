"""Best responses, and the method ``safe``: exploiting a known opponent with a bounded risk."""

from infoset.solvers.safe.solver import safe

__all__ = ["safe"]
