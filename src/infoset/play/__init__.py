"""Playing: players, games between them, and matches."""

from infoset.play.bots import OpenSpielPlayer, openspiel_bot
from infoset.play.environments import Encoding, openspiel_game, pettingzoo_env
from infoset.play.match import MatchResult, Standing, match
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

__all__ = [
    "Clock",
    "Encoding",
    "Entrant",
    "Forfeit",
    "Forgot",
    "GameRecord",
    "InformationSetPlayer",
    "MatchGame",
    "MatchResult",
    "OpenSpielPlayer",
    "PerfectInformationPlayer",
    "Player",
    "RandomPlayer",
    "Referee",
    "SamplingPlayer",
    "Seated",
    "Standing",
    "StrategyPlayer",
    "TreeSearchPlayer",
    "entrant",
    "match",
    "openspiel_bot",
    "openspiel_game",
    "pettingzoo_env",
    "play_game",
    "read_records",
    "replayed",
]
