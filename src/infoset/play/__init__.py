"""Playing: players, games between them, and matches."""

from infoset.play.aivat import AivatResult, aivat
from infoset.play.isolation import IsolatedPlayer
from infoset.play.match import MatchResult, match
from infoset.play.names import Entrant, entrant
from infoset.play.player import Clock, Forgot, Player, RandomPlayer, Seated, StrategyPlayer
from infoset.play.records import MatchGame, read_records, replayed
from infoset.play.referee import Forfeit, GameRecord, Referee, play_game
from infoset.play.searching import (
    InformationSetPlayer,
    PerfectInformationPlayer,
    SamplingPlayer,
    TreeSearchPlayer,
)
from infoset.play.standings import Rating, Standing

__all__ = [
    "AivatResult",
    "Clock",
    "Entrant",
    "Forfeit",
    "Forgot",
    "GameRecord",
    "InformationSetPlayer",
    "IsolatedPlayer",
    "MatchGame",
    "MatchResult",
    "PerfectInformationPlayer",
    "Player",
    "RandomPlayer",
    "Rating",
    "Referee",
    "SamplingPlayer",
    "Seated",
    "Standing",
    "StrategyPlayer",
    "TreeSearchPlayer",
    "aivat",
    "entrant",
    "match",
    "play_game",
    "read_records",
    "replayed",
]
