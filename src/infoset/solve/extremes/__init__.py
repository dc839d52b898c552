"""Extreme equilibria: the search for corners that answer each other, and how they hang together."""
