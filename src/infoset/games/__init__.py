"""The library: games that come with the package, one short file each."""

from __future__ import annotations

from infoset.errors import UnknownGame, nearest
from infoset.games.absent_minded import absent_minded
from infoset.games.battleships import battleships
from infoset.games.beer_quiche import beer_quiche
from infoset.games.bidding_tic_tac_toe import bidding_tic_tac_toe
from infoset.games.blair import blair_g1, blair_g2
from infoset.games.blind_tic_tac_toe import blind_tic_tac_toe
from infoset.games.bridge import bridge
from infoset.games.centipede import centipede
from infoset.games.dark_hex import dark_hex
from infoset.games.entry_game import entry_game
from infoset.games.fog_of_war_chess import fog_of_war_chess
from infoset.games.goofspiel import goofspiel
from infoset.games.holdem import holdem
from infoset.games.imp_model import imp_model
from infoset.games.inspection import inspection
from infoset.games.kalah import kalah
from infoset.games.king_rook_king import king_rook_king
from infoset.games.koller_megiddo_von_stengel import koller_megiddo_von_stengel
from infoset.games.kriegspiel import kriegspiel
from infoset.games.kuhn import kuhn
from infoset.games.leduc import leduc
from infoset.games.liars_dice import liars_dice
from infoset.games.matching_pennies import matching_pennies
from infoset.games.n_game import n_game
from infoset.games.oil_pricing import oil_pricing
from infoset.games.oshi_zumo import oshi_zumo
from infoset.games.p_game import p_game
from infoset.games.poker import poker
from infoset.games.prisoners_dilemma import prisoners_dilemma
from infoset.games.pursuit import pursuit
from infoset.games.rhode_island import rhode_island
from infoset.games.scissors_paper_stone import scissors_paper_stone
from infoset.games.scotland_yard import scotland_yard
from infoset.games.seltens_horse import seltens_horse
from infoset.games.stacked import stacked
from infoset.games.three_partition import three_partition
from infoset.games.tic_tac_toe import tic_tac_toe
from infoset.games.tricks import tricks
from infoset.games.whist import whist
from infoset.rules import Family

__all__ = [
    "absent_minded",
    "battleships",
    "beer_quiche",
    "bidding_tic_tac_toe",
    "blair_g1",
    "blair_g2",
    "blind_tic_tac_toe",
    "bridge",
    "centipede",
    "dark_hex",
    "entry_game",
    "fog_of_war_chess",
    "goofspiel",
    "holdem",
    "imp_model",
    "inspection",
    "kalah",
    "king_rook_king",
    "koller_megiddo_von_stengel",
    "kriegspiel",
    "kuhn",
    "leduc",
    "liars_dice",
    "matching_pennies",
    "n_game",
    "oil_pricing",
    "oshi_zumo",
    "p_game",
    "poker",
    "prisoners_dilemma",
    "pursuit",
    "rhode_island",
    "scissors_paper_stone",
    "scotland_yard",
    "seltens_horse",
    "stacked",
    "three_partition",
    "tic_tac_toe",
    "tricks",
    "whist",
]

LIBRARY: dict[str, Family] = {name: globals()[name] for name in __all__}


def family(name: str) -> Family:
    """The family of games with this name.

    >>> family("kuhn")(ranks=4)
    kuhn(ranks=4)
    """
    try:
        return LIBRARY[name]
    except KeyError:
        raise UnknownGame(f"no game {name!r} in the library; {nearest(name, LIBRARY)}") from None
