"""Playing: players, games between them, and matches."""

from infoset.play.match import MatchResult, Standing, match
from infoset.play.names import Entrant, entrant
from infoset.play.player import Clock, Forgot, Player, RandomPlayer, Seated, StrategyPlayer
from infoset.play.records import MatchGame, read_records, replayed
from infoset.play.referee import Forfeit, GameRecord, Referee, play_game
from infoset.play.searching import (
    InformationSetPlayer,
    PerfectInformationPlayer,
    SamplingPlayer,
    ScoreBoundedPlayer,
    TreeSearchPlayer,
)

__all__ = [
    "Clock",
    "Entrant",
    "Forfeit",
    "Forgot",
    "GameRecord",
    "InformationSetPlayer",
    "MatchGame",
    "MatchResult",
    "PerfectInformationPlayer",
    "Player",
    "RandomPlayer",
    "Referee",
    "SamplingPlayer",
    "ScoreBoundedPlayer",
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
