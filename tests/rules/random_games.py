"""Random rules: what happens next is a fixed function of the play so far and a seed."""

from __future__ import annotations

import zlib

from infoset import Family, Play, game

PLAYERS = ("ann", "bob", "cy")


def random_rules(seed: int, players: int = 2, depth: int = 4, forgetful: bool = False) -> Family:
    """A family of one game, of at most ``depth`` moves, different for every seed."""
    names = PLAYERS[:players]

    @game(players=names)
    def random_game(g: Play) -> object:
        history: tuple[object, ...] = (seed,)

        def pick(count: int, salt: str) -> int:
            return zlib.crc32(repr((history, salt)).encode()) % count

        for _ in range(depth):
            kind = pick(8, "kind")
            player = names[pick(players, "who")]
            if kind == 0:
                break
            if kind == 1:
                history += (g.chance(range(1 + pick(3, "many")), None),)
            elif kind == 2:
                weights = [1 + pick(3, f"weight {j}") for j in range(2)]
                history += (g.chance(("up", "down"), weights),)
            elif kind == 3 and players > 1:
                history += tuple(g.together(dict.fromkeys(names, ("l", "r"))).values())
            elif kind == 4 and forgetful:
                history += (g.choose(player, ("x", "y"), knowing=pick(2, "memory")),)
            else:
                history += (g.choose(player, [f"m{j}" for j in range(1 + pick(3, "options"))]),)
            for name in names:
                if pick(2, f"see {name}"):
                    g.reveal(name, history[-1])
            if pick(4, "pay") == 0:
                g.pay(player, pick(5, "amount"))
        return [pick(7, f"payoff {name}") - 3 for name in names]

    return random_game
