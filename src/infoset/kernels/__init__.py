"""Compiled loops: arrays in, arrays out, an integer back; the only place that knows numba."""
