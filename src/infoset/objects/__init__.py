"""Objects that games share: cards, hands, ranges, dice, boards, money, combinations."""

from infoset.objects.board import Board, square_name, straight_lines
from infoset.objects.cards import Card, Deck, Hand
from infoset.objects.combinations import chain, partition, profile
from infoset.objects.dice import Roll, rolls
from infoset.objects.hands import hand_name, poker_rank
from infoset.objects.money import Money
from infoset.objects.numbers import exact

__all__ = [
    "Board",
    "Card",
    "Deck",
    "Hand",
    "Money",
    "Roll",
    "chain",
    "exact",
    "hand_name",
    "partition",
    "poker_rank",
    "profile",
    "rolls",
    "square_name",
    "straight_lines",
]
