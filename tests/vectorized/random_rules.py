"""Random rules for vectorized values: a fixed function of a seed and of what the rules see.

Values that chance hands out go into a pool, and so does what is made of them. Steps are drawn by
the seed, by what the players have chosen, and by what the rules have looked at: never by a
vectorized value itself, so that the same rules make sense for one deal and for all of them.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any

from infoset import Play
from infoset.objects import Deck
from infoset.rules import Game
from tests.vectorized.compare import family

PLAYERS = ("ann", "bob", "cy")
FUNCTIONS = (
    lambda one, two: (one * 3 + two) % 5,
    lambda one, two: one > two,
    lambda one, two: (one, two),
    lambda one, two: "high" if one >= two else "low",
    lambda one, two: max(one, two) - min(one, two),
    lambda one, two: 1 if one == two else (one, "more") if one > two else "less",
)


class _Caches:
    """What rules may keep from one run to the next."""

    def __init__(self) -> None:
        self.memoized = [lru_cache(maxsize=None)(function) for function in FUNCTIONS]
        self.few = lru_cache(maxsize=3)(lambda one, two: one * two - 2 * one)
        self.mapped = lru_cache(maxsize=None)(lambda one, two: one - two)
        self.tables: dict[Any, Any] = {}


class _Steps:
    """One run of random rules."""

    def __init__(self, g: Play, seed: int, players: tuple[str, ...], caches: _Caches) -> None:
        self.g, self.players, self.caches = g, players, caches
        self.history: tuple[Any, ...] = (seed,)
        self.pool: list[Any] = [2]  # whole numbers, plain or not
        self.facts: list[Any] = ["start"]  # what may be revealed

    def pick(self, count: int) -> int:
        self.history += (len(self.history),)
        return zlib.crc32(repr(self.history).encode()) % count

    def one(self, values: Any) -> Any:
        return values[self.pick(len(values))]

    def draw(self) -> None:
        g, kind = self.g, self.pick(7)
        if kind == 0:
            deck = Deck(2, 2)
            mine, yours = g.deal(deck, 1, 1)
            third = g.chance(deck.without(mine, yours))
            self.pool += [mine.rank, third.suit]
            self.facts += [yours, third, (mine, third)]
        elif kind == 1:
            known = self.one(self.pool)
            left = g.map(lambda one: tuple([card for card in range(4) if card != one]), known)
            self.pool.append(g.deal(left, 1))
        elif kind == 2:
            self.pool.append(g.chance({0: self.one(self.pool) % 2 + 1, 3: 1}))
        elif kind == 3:
            self.pool.append(g.chance((1, 2, 5), (1, self.one(self.pool) % 2, 2)))
        elif kind == 4:
            dice = g.roll(2, dice=2)
            self.pool.append(dice[0] + dice[1])
            self.facts.append(dice[:1])
        elif kind == 5:
            hand, card = g.deal((0, 1, 1, 2), 2, 1)
            self.pool += [hand[0], card]
            self.facts.append(hand)
        else:
            self.pool.append(g.roll(self.one(self.pool) % 2 + 1))

    def make(self) -> None:
        one, two = self.one(self.pool), self.one(self.pool)
        made = self.g.map(self.one(FUNCTIONS), one, two)
        self.facts.append(made)
        factor = self.pick(3)
        self.pool.append(self.g.map(lambda value: (value * factor + 1) % 4, one))
        self.pool.append(self.one((one + two, 2 - one, one * two, abs(one - two), one % 3)))
        self.facts.append(self.one(((one, two), one == two, one < two, (one, "x", (two,)))))

    def recall(self) -> None:
        """Something by a cache that earlier runs have filled."""
        one, two, caches, kind = self.one(self.pool), self.one(self.pool), self.caches, self.pick(6)
        if kind == 0:
            self.facts.append(self.one(caches.memoized)(one, two))
        elif kind == 1:
            self.pool.append(caches.few(one, two))
        elif kind == 2:
            if (one, two) not in caches.tables:
                caches.tables[one, two] = (one + two, (two, "y"))
            total, fact = caches.tables[one, two]
            self.pool.append(total)
            self.facts.append(fact)
        elif kind == 3:
            self.pool.append(caches.tables.setdefault(f"{one}", one - 3))
        elif kind == 4:
            self.pool.append(self.g.map(caches.mapped, one, two))
        else:
            self.pool.append(caches.tables.setdefault(("half", two % 2), two % 2 * 2))

    def look(self) -> None:
        value = self.one(self.pool)
        kind = self.pick(6)
        if kind == 0:
            self.history += (bool(value > 1),)
        elif kind == 1:
            self.history += (int(value),)
        elif kind == 2:
            self.history += (f"{value}",)
        elif kind == 3:
            self.history += ({0: "none", 1: "one"}.get(value, "many"),)
        elif kind == 4:
            self.history += (value in (1, 2),)
        else:
            known = 10 // value if value != 0 else value  # senseless where it was excluded
            self.pool.append(known)
            self.history += (max(value, 1) == value,)

    def tell(self) -> None:
        fact = self.one((self.one(self.facts), self.one(self.pool), self.pick(3)))
        count = 1 + self.pick(len(self.players))
        self.g.reveal(self.players[:count] if count > 1 else self.one(self.players), fact)

    def move(self, forgetful: bool) -> None:
        g, player, kind = self.g, self.one(self.players), self.pick(6)
        if kind == 0:
            self.history += tuple(g.together(dict.fromkeys(self.players, ("l", "r"))).values())
        elif kind == 1 and forgetful:
            self.history += (g.choose(player, ("x", "y"), knowing=self.one(self.pool)),)
        elif kind == 2:
            options = ["m", self.one(self.pool)]
            g.reveal(player, options[1])
            self.history += (g.choose(player, options),)
        else:
            self.history += (g.choose(player, ("up", "down")[: 1 + self.pick(2)]),)

    def end(self) -> object:
        g, kind, amount = self.g, self.pick(5), self.one(self.pool)
        if kind == 0:
            g.pay(self.one(self.players), amount)
            return None
        if kind == 1:
            return g.win(self.one(self.players), amount)
        if kind == 2:
            names = self.players
            return g.win(g.map(lambda value: names[value % 2], amount), self.one(self.pool))
        if kind == 3:
            return {player: self.one(self.pool) for player in self.players}
        return tuple(self.one(self.pool) for _ in self.players)


def random_vectorized(
    seed: int, players: int = 2, depth: int = 7, forgetful: bool = False, cached: bool = False
) -> Game:
    """A game of at most ``depth`` steps between a first draw and the end; with caches or not."""
    names, caches = PLAYERS[:players], _Caches()

    def random_vectorized(g: Play) -> object:
        steps = _Steps(g, seed, names, caches)
        steps.draw()
        for _ in range(depth):
            kind = steps.pick(9)
            if kind == 0 and len(steps.pool) < 6:
                steps.draw()
            elif kind < 3:
                steps.recall() if cached else steps.make()
            elif kind < 5:
                steps.tell()
            elif kind == 5:
                steps.look()
            elif kind == 6:
                g.pay(names[0], steps.one(steps.pool))
            else:
                steps.move(forgetful)
        return steps.end()

    return family(random_vectorized, names)
