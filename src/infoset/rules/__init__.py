"""What may happen: the language of rules, the objects that games share, replay, positions."""

from infoset.rules.board import Board, square_name, straight_lines
from infoset.rules.cards import Card, Deck, Hand
from infoset.rules.combinations import chain, partition, profile
from infoset.rules.dice import Roll, rolls
from infoset.rules.exact import exact
from infoset.rules.game import Family, Game, game
from infoset.rules.hands import hand_name, poker_rank
from infoset.rules.money import Money
from infoset.rules.play import EVERYTHING, Play
from infoset.rules.position import Position, ReplayPosition
from infoset.rules.stages import (
    NATURE,
    OVER,
    PLAYERS,
    Beginning,
    StagePosition,
    Stages,
    check_stages,
)

__all__ = [
    "EVERYTHING",
    "NATURE",
    "OVER",
    "PLAYERS",
    "Beginning",
    "Board",
    "Card",
    "Deck",
    "Family",
    "Game",
    "Hand",
    "Money",
    "Play",
    "Position",
    "ReplayPosition",
    "Roll",
    "StagePosition",
    "Stages",
    "chain",
    "check_stages",
    "exact",
    "game",
    "hand_name",
    "partition",
    "poker_rank",
    "profile",
    "rolls",
    "square_name",
    "straight_lines",
]
