"""Absent-minded players: payoffs as polynomials, and their maxima."""
