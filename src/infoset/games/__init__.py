"""The library: games that come with the package, one short file each."""

from __future__ import annotations

from infoset.errors import UnknownGame, nearest
from infoset.games.absent_minded import absent_minded
from infoset.games.battleships import battleships
from infoset.games.beer_quiche import beer_quiche
from infoset.games.blair import blair_g1, blair_g2
from infoset.games.blind_tic_tac_toe import blind_tic_tac_toe
from infoset.games.centipede import centipede
from infoset.games.entry_game import entry_game
from infoset.games.goofspiel import goofspiel
from infoset.games.holdem import holdem
from infoset.games.imp_model import imp_model
from infoset.games.inspection import inspection
from infoset.games.koller_megiddo_von_stengel import koller_megiddo_von_stengel
from infoset.games.kuhn import kuhn
from infoset.games.leduc import leduc
from infoset.games.liars_dice import liars_dice
from infoset.games.matching_pennies import matching_pennies
from infoset.games.oil_pricing import oil_pricing
from infoset.games.oshi_zumo import oshi_zumo
from infoset.games.poker import poker
from infoset.games.prisoners_dilemma import prisoners_dilemma
from infoset.games.pursuit import pursuit
from infoset.games.rhode_island import rhode_island
from infoset.games.scissors_paper_stone import scissors_paper_stone
from infoset.games.seltens_horse import seltens_horse
from infoset.games.stacked import stacked
from infoset.games.three_partition import three_partition
from infoset.games.tic_tac_toe import tic_tac_toe
from infoset.games.tricks import tricks
from infoset.rules import Family

__all__ = [
    "absent_minded",
    "battleships",
    "beer_quiche",
    "blair_g1",
    "blair_g2",
    "blind_tic_tac_toe",
    "centipede",
    "entry_game",
    "goofspiel",
    "holdem",
    "imp_model",
    "inspection",
    "koller_megiddo_von_stengel",
    "kuhn",
    "leduc",
    "liars_dice",
    "matching_pennies",
    "oil_pricing",
    "oshi_zumo",
    "poker",
    "prisoners_dilemma",
    "pursuit",
    "rhode_island",
    "scissors_paper_stone",
    "seltens_horse",
    "stacked",
    "three_partition",
    "tic_tac_toe",
    "tricks",
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
