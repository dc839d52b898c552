"""Objects that games share: cards, hands, ranges, dice, boards, pieces, money, combinations."""

from typing import TYPE_CHECKING

from infoset.lazy import lazy_names

if TYPE_CHECKING:
    from infoset.objects.betting import betting_round, limit_betting
    from infoset.objects.board import Board, lines_through, square_name, straight_lines
    from infoset.objects.cards import Card, Deck, Hand
    from infoset.objects.combinations import chain, partition, profile
    from infoset.objects.dice import Roll, rolls
    from infoset.objects.hands import best_poker_rank, better, hand_name, poker_rank
    from infoset.objects.hexagons import hex_joined, hex_neighbours
    from infoset.objects.money import Money
    from infoset.objects.movement import (
        BISHOP,
        KING,
        KNIGHT,
        QUEEN,
        ROOK,
        WAZIR,
        Movement,
        leaper,
        rider,
        symmetric,
    )
    from infoset.objects.numbers import exact
    from infoset.objects.pictures import BoardPicture, Mark
    from infoset.objects.ranges import parse_cards, parse_range

__getattr__ = lazy_names(
    __name__,
    {
        "infoset.objects.betting": ("betting_round", "limit_betting"),
        "infoset.objects.board": ("Board", "lines_through", "square_name", "straight_lines"),
        "infoset.objects.cards": ("Card", "Deck", "Hand"),
        "infoset.objects.combinations": ("chain", "partition", "profile"),
        "infoset.objects.dice": ("Roll", "rolls"),
        "infoset.objects.hands": ("best_poker_rank", "better", "hand_name", "poker_rank"),
        "infoset.objects.hexagons": ("hex_joined", "hex_neighbours"),
        "infoset.objects.money": ("Money",),
        "infoset.objects.movement": (
            "BISHOP",
            "KING",
            "KNIGHT",
            "QUEEN",
            "ROOK",
            "WAZIR",
            "Movement",
            "leaper",
            "rider",
            "symmetric",
        ),
        "infoset.objects.numbers": ("exact",),
        "infoset.objects.pictures": ("BoardPicture", "Mark"),
        "infoset.objects.ranges": ("parse_cards", "parse_range"),
    },
)

__all__ = [
    "BISHOP",
    "KING",
    "KNIGHT",
    "QUEEN",
    "ROOK",
    "WAZIR",
    "Board",
    "BoardPicture",
    "Card",
    "Deck",
    "Hand",
    "Mark",
    "Money",
    "Movement",
    "Roll",
    "best_poker_rank",
    "better",
    "betting_round",
    "chain",
    "exact",
    "hand_name",
    "hex_joined",
    "hex_neighbours",
    "leaper",
    "limit_betting",
    "lines_through",
    "parse_cards",
    "parse_range",
    "partition",
    "poker_rank",
    "profile",
    "rider",
    "rolls",
    "square_name",
    "straight_lines",
    "symmetric",
]


def __dir__() -> list[str]:
    return sorted(__all__)
