"""Playing: players, games between them, and matches."""

from infoset.play.aivat import AivatResult, aivat
from infoset.play.automatic import AutomaticPlayer
from infoset.play.bots import OpenSpielPlayer, openspiel_bot
from infoset.play.environments import Encoding, openspiel_game, pettingzoo_env
from infoset.play.isolation import IsolatedPlayer
from infoset.play.kriegspiel import KriegspielPlayer
from infoset.play.match import MatchResult, match
from infoset.play.names import Entrant, entrant
from infoset.play.observed import ObservedStrategy, RespondingPlayer
from infoset.play.player import (
    Clock,
    Forgot,
    Player,
    PlayerStrategy,
    RandomPlayer,
    Seated,
    StrategyPlayer,
)
from infoset.play.records import MatchGame, read_records, replayed
from infoset.play.referee import Forfeit, GameRecord, Referee, play_game
from infoset.play.regret import RegretPlayer
from infoset.play.searching import (
    AlphaMuPlayer,
    InformationSetPlayer,
    PerfectInformationPlayer,
    SamplingPlayer,
    ScoreBoundedPlayer,
    TreeSearchPlayer,
)
from infoset.play.standings import Rating, Standing

__all__ = [
    "AivatResult",
    "AlphaMuPlayer",
    "AutomaticPlayer",
    "Clock",
    "Encoding",
    "Entrant",
    "Forfeit",
    "Forgot",
    "GameRecord",
    "InformationSetPlayer",
    "IsolatedPlayer",
    "KriegspielPlayer",
    "MatchGame",
    "MatchResult",
    "ObservedStrategy",
    "OpenSpielPlayer",
    "PerfectInformationPlayer",
    "Player",
    "PlayerStrategy",
    "RandomPlayer",
    "Rating",
    "Referee",
    "RegretPlayer",
    "RespondingPlayer",
    "SamplingPlayer",
    "ScoreBoundedPlayer",
    "Seated",
    "Standing",
    "StrategyPlayer",
    "TreeSearchPlayer",
    "aivat",
    "entrant",
    "match",
    "openspiel_bot",
    "openspiel_game",
    "pettingzoo_env",
    "play_game",
    "read_records",
    "replayed",
]
