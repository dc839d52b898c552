"""One player in the dark, or two: search over sets of positions that look alike."""

from infoset.search.imp.search import chance_minimax, imp_alphabeta, imp_minimax

__all__ = ["chance_minimax", "imp_alphabeta", "imp_minimax"]
