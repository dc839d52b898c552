"""Rules run once for all deals: vectorized values, what agents know, and the check of both."""

from infoset.vectorized.check import run_vectorized

__all__ = ["run_vectorized"]
