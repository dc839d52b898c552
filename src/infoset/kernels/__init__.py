"""Compiled loops: arrays in, arrays out, an integer status back; the only users of numba."""
