"""Objects that games share: cards, hands, ranges, dice, boards, money, betting, combinations."""

from typing import TYPE_CHECKING

from infoset.lazy import lazy_names

if TYPE_CHECKING:
    from infoset.objects.betting import betting_round, limit_betting
    from infoset.objects.board import Board, lines_through, square_name, straight_lines
    from infoset.objects.cards import Card, Deck, Hand
    from infoset.objects.combinations import chain, partition, profile
    from infoset.objects.dice import Roll, rolls
    from infoset.objects.hands import best_poker_rank, better, hand_name, poker_rank
    from infoset.objects.money import Money
    from infoset.objects.numbers import exact
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
        "infoset.objects.money": ("Money",),
        "infoset.objects.numbers": ("exact",),
        "infoset.objects.ranges": ("parse_cards", "parse_range"),
    },
)

__all__ = [
    "Board",
    "Card",
    "Deck",
    "Hand",
    "Money",
    "Roll",
    "best_poker_rank",
    "better",
    "betting_round",
    "chain",
    "exact",
    "hand_name",
    "limit_betting",
    "lines_through",
    "parse_cards",
    "parse_range",
    "partition",
    "poker_rank",
    "profile",
    "rolls",
    "square_name",
    "straight_lines",
]


def __dir__() -> list[str]:
    return sorted(__all__)
