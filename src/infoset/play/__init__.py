"""Playing: players, games between them, and matches."""

from infoset.play.match import MatchResult, Standing, match
from infoset.play.names import Entrant, entrant
from infoset.play.observed import ObservedStrategy, RespondingPlayer
from infoset.play.player import Clock, Forgot, Player, RandomPlayer, Seated, StrategyPlayer
from infoset.play.records import MatchGame, read_records, replayed
from infoset.play.referee import Forfeit, GameRecord, Referee, play_game
from infoset.play.searching import (
    AlphaMuPlayer,
    InformationSetPlayer,
    PerfectInformationPlayer,
    SamplingPlayer,
    TreeSearchPlayer,
)

__all__ = [
    "AlphaMuPlayer",
    "Clock",
    "Entrant",
    "Forfeit",
    "Forgot",
    "GameRecord",
    "InformationSetPlayer",
    "MatchGame",
    "MatchResult",
    "ObservedStrategy",
    "PerfectInformationPlayer",
    "Player",
    "RandomPlayer",
    "Referee",
    "RespondingPlayer",
    "SamplingPlayer",
    "Seated",
    "Standing",
    "StrategyPlayer",
    "TreeSearchPlayer",
    "entrant",
    "match",
    "play_game",
    "read_records",
    "replayed",
]
