"""What may happen: the language of rules, the objects that games share, replay, positions."""

from infoset.rules.game import Family, Game, game
from infoset.rules.moves import CHANCE
from infoset.rules.play import EVERYTHING, Play
from infoset.rules.position import Position, ReplayPosition
from infoset.rules.stages import (
    OVER,
    PLAYERS,
    Beginning,
    StagePosition,
    Stages,
    check_stages,
)

__all__ = [
    "CHANCE",
    "EVERYTHING",
    "OVER",
    "PLAYERS",
    "Beginning",
    "Family",
    "Game",
    "Play",
    "Position",
    "ReplayPosition",
    "StagePosition",
    "Stages",
    "check_stages",
    "game",
]
