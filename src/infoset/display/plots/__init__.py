"""Plots: one look for all of them, and a module for each kind."""
