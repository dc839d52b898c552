"""Equilibria of players who forget: slopes of all choices, levelling, and proofs of none."""

from infoset.solvers.behaviour.solver import find

__all__ = ["find"]
