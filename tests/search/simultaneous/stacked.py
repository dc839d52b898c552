"""Random games in stages: both move, one moves or chance does, as a seed and the play say."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from infoset import Game, Play, game
from infoset.rules import Position
from infoset.search.settings import SimultaneousSettings
from infoset.search.simultaneous.search import METHODS
from infoset.search.simultaneous.session import ENDLESS, Session
from infoset.tree.source import source

__all__ = ["ENDLESS", "PLAYERS", "positions", "searcher", "stacked"]

PLAYERS = ("ann", "bob")
MOST = 4  # payoffs lie between −MOST and MOST, around half of what both get together


def stacked(seed: int, depth: int = 3, widest: int = 3, total: int = 0, narrowest: int = 1) -> Game:
    """A game of at most so many stages, different for every seed; both get ``total`` together."""

    @game(players=PLAYERS, bounds=(Fraction(total, 2) - MOST, Fraction(total, 2) + MOST))
    def stacked_game(g: Play) -> object:
        history: tuple[object, ...] = (seed,)

        def pick(count: int, salt: str) -> int:
            return zlib.crc32(repr((history, salt)).encode()) % count

        def options(salt: str) -> range:
            return range(narrowest + pick(widest + 1 - narrowest, salt))

        for stage in range(depth):
            kind = pick(12, "kind")
            if kind == 0 and stage:
                break
            if kind == 1:
                weights = [1 + pick(3, f"weight {j}") for j in range(2 + pick(2, "many"))]
                history += (g.chance(range(len(weights)), weights),)
                g.reveal(PLAYERS, history[-1])
            elif kind in (2, 3):
                mover = PLAYERS[kind - 2]
                history += (g.choose(mover, options("options")),)
                g.reveal(g.other(mover), history[-1])
            else:
                order = PLAYERS if pick(2, "order") else PLAYERS[::-1]
                menus = {who: options(f"options of {who}") for who in order}
                made = g.together(menus)
                for who in PLAYERS:
                    g.reveal(who, tuple(made.values()))
                history += tuple(made.values())
        half = Fraction(total, 2)
        won = pick(2 * MOST + 1, "payoff") - MOST
        return half + won, half - won

    return stacked_game()


def positions(start: Position) -> Iterator[Position]:
    """All positions of a game."""
    yield start
    if start.over:
        return
    menus = [start.options(mover) for mover in start.movers]
    if not menus:
        moves: list[Any] = [outcome for outcome, _ in start.chances()]
    elif len(menus) == 1:
        moves = list(menus[0])
    else:
        moves = [(a, b) for a in menus[0] for b in menus[1]]
    for move in moves:
        yield from positions(start.after(move))


def searcher(given: Any, method: str, **settings: Any) -> Any:
    """A method ready to search any position of a game."""
    return METHODS[method](Session(source(given), SimultaneousSettings(method, **settings)))
