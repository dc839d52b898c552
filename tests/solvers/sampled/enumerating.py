"""Luck that is no luck: every way in which a walk can go, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from infoset import Position
from infoset.rules.seats import Seats
from infoset.solvers.sampling.infosets import Key
from infoset.solvers.sampling.places import ONCE, Places, SampledNode
from infoset.solvers.sampling.walks import matched

Amounts = dict[Key, list[float]]


class Script:
    """Draws as they are written, the first possible ones after that; notes how likely they were."""

    def __init__(self, given: list[int]) -> None:
        self.given = given
        self.made: list[
            tuple[int, int]
        ] = []  # (the number of the draw among the possible, of how many)
        self.probability = 1.0

    def _draw(self, probabilities: list[float]) -> int:
        possible = [move for move, share in enumerate(probabilities) if share > 0]
        at = self.given[len(self.made)] if len(self.made) < len(self.given) else 0
        self.made.append((at, len(possible)))
        self.probability *= probabilities[possible[at]]
        return possible[at]

    def option(self, probabilities: list[float]) -> int:
        return self._draw(probabilities)

    def outcome(self, place: SampledNode) -> int:
        if place.cumulative is None:
            return self._draw([1 / len(place.moves)] * len(place.moves))
        return self._draw([high - low for low, high in pairwise([0.0, *place.cumulative])])


def every_way(walk: Callable[[Script], None]) -> Iterator[float]:
    """Do something in every way in which it can go; yields the probability of each."""
    given: list[int] = []
    while True:
        script = Script(given)
        walk(script)
        yield script.probability
        given = [at for at, _ in script.made]
        while given and given[-1] + 1 == script.made[len(given) - 1][1]:
            given.pop()
        if not given:
            return
        given[-1] += 1


def see_everything(places: Places) -> int:
    """Walk to every place, so that every information set has its row; the number of places."""
    waiting, seen = [places.root], 0
    while waiting:
        place = waiting.pop()
        seen += 1
        for move, below in enumerate(place.children):
            known = below is not None and below is not ONCE
            waiting.append(below if below is not None and known else places.child(place, move))
    return seen


def counterfactual(start: Position, seats: Seats, regrets: Amounts) -> tuple[Amounts, Amounts]:
    """The counterfactual regrets, and what the average strategies weigh, by their definition.

    Computed on positions alone, by going through all of them.
    """
    regret: Amounts = {key: [0.0] * len(known) for key, known in regrets.items()}
    average: Amounts = {key: [0.0] * len(known) for key, known in regrets.items()}

    def values(here: Position, chosen: tuple[object, ...], parts: list[float]) -> list[float]:
        """[player] what it expects; parts are the players' in getting here, and chance's last."""
        if here.over:
            return [float(here.payoffs[player]) for player in seats.players]
        movers = here.movers
        if not movers:
            below = [
                (float(p), values(here.after(move), (), [*parts[:-1], parts[-1] * float(p)]))
                for move, p in here.chances()
            ]
            return [sum(p * worth[n] for p, worth in below) for n in range(len(seats.players))]
        mover = movers[len(chosen)]
        own, menu = seats.player(mover), tuple(here.options(mover))
        key = (mover, here.view(mover), menu)
        probabilities = matched(regrets[key])
        after = []
        for move, share in zip(menu, probabilities, strict=True):
            moves = (*chosen, move)
            ways = [part * share if n == own else part for n, part in enumerate(parts)]
            if len(moves) < len(movers):
                after.append(values(here, moves, ways))
            else:
                after.append(values(here.after(moves if len(moves) > 1 else move), (), ways))
        expected = [
            sum(share * worth[n] for share, worth in zip(probabilities, after, strict=True))
            for n in range(len(seats.players))
        ]
        others = 1.0
        for n, part in enumerate(parts):
            others *= part if n != own else 1.0
        for at, share in enumerate(probabilities):
            regret[key][at] += others * (after[at][own] - expected[own])
            average[key][at] += parts[own] * parts[-1] * share
        return expected

    values(start, (), [1.0] * (len(seats.players) + 1))
    return regret, average
