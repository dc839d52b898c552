"""Regret minimization in parts: its variants, their loop, checkpoints, and the course of a run."""
