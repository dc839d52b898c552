"""IMP search: minimax and alpha-beta over information sets (Blair, Mutchler & van Lent 1996)."""

from infoset.search.imp.search import chance_minimax, imp_alphabeta, imp_minimax

__all__ = ["chance_minimax", "imp_alphabeta", "imp_minimax"]
