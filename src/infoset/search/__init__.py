"""From a position to a decision, without building the tree.

>>> from infoset.games import goofspiel
>>> from infoset.search import smab
>>> found = smab(goofspiel(cards=4, early_end=True), exact=True)
>>> found.value, found.decide()["player 1"][4]
(Fraction(0, 1), Fraction(1, 1))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from infoset.lazy import lazy_names

if TYPE_CHECKING:
    from infoset.search.alphamu import AlphaMuSearch
    from infoset.search.consistent import Histories, ParticleFilter
    from infoset.search.double_dummy import (
        DoubleDummySolver,
        DoubleDummyTable,
        double_dummy_cards,
        double_dummy_table,
        double_dummy_tricks,
    )
    from infoset.search.imp import chance_minimax, imp_alphabeta, imp_minimax
    from infoset.search.information import InformationSetSearch
    from infoset.search.ismcts import InformationSetTreeSearch
    from infoset.search.matrix import MatrixAnswer, solve_matrix_game
    from infoset.search.perfect import PerfectResult, PerfectSearch, search_perfect
    from infoset.search.plays import Playouts
    from infoset.search.result import SearchEvaluation
    from infoset.search.score_bounded import (
        ScoreBoundedResult,
        ScoreBoundedSearch,
        search_score_bounded,
    )
    from infoset.search.searches import SEARCHES
    from infoset.search.simultaneous import (
        backward_induction,
        double_oracle,
        double_oracle_alphabeta,
        smab,
    )
    from infoset.search.single_dummy import SingleDummyCard, SingleDummySearch
    from infoset.solvers.solution import Solution

__getattr__ = lazy_names(
    __name__,
    {
        "infoset.search.alphamu": ("AlphaMuSearch",),
        "infoset.search.consistent": ("Histories", "ParticleFilter"),
        "infoset.search.double_dummy": (
            "DoubleDummySolver",
            "DoubleDummyTable",
            "double_dummy_cards",
            "double_dummy_table",
            "double_dummy_tricks",
        ),
        "infoset.search.imp": ("chance_minimax", "imp_alphabeta", "imp_minimax"),
        "infoset.search.information": ("InformationSetSearch",),
        "infoset.search.ismcts": ("InformationSetTreeSearch",),
        "infoset.search.matrix": ("MatrixAnswer", "solve_matrix_game"),
        "infoset.search.perfect": ("PerfectResult", "PerfectSearch", "search_perfect"),
        "infoset.search.plays": ("Playouts",),
        "infoset.search.result": ("SearchEvaluation",),
        "infoset.search.score_bounded": (
            "ScoreBoundedResult",
            "ScoreBoundedSearch",
            "search_score_bounded",
        ),
        "infoset.search.searches": ("SEARCHES",),
        "infoset.search.simultaneous": (
            "backward_induction",
            "double_oracle",
            "double_oracle_alphabeta",
            "smab",
        ),
        "infoset.search.single_dummy": ("SingleDummyCard", "SingleDummySearch"),
        "infoset.solvers.solution": ("Solution",),
    },
)

__all__ = [
    "SEARCHES",
    "AlphaMuSearch",
    "DoubleDummySolver",
    "DoubleDummyTable",
    "Histories",
    "InformationSetSearch",
    "InformationSetTreeSearch",
    "MatrixAnswer",
    "ParticleFilter",
    "PerfectResult",
    "PerfectSearch",
    "Playouts",
    "ScoreBoundedResult",
    "ScoreBoundedSearch",
    "SearchEvaluation",
    "SingleDummyCard",
    "SingleDummySearch",
    "Solution",
    "backward_induction",
    "chance_minimax",
    "double_dummy_cards",
    "double_dummy_table",
    "double_dummy_tricks",
    "double_oracle",
    "double_oracle_alphabeta",
    "imp_alphabeta",
    "imp_minimax",
    "search_perfect",
    "search_score_bounded",
    "smab",
    "solve_matrix_game",
]


def __dir__() -> list[str]:
    return sorted(__all__)
