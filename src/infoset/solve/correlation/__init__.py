"""Correlated equilibria: lotteries over plans, what they must obey, and their check."""
