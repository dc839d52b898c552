"""Equilibria of players who forget: slopes of all choices, levelling, and proofs of none."""
