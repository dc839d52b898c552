"""Populations of plays that agree with what a player observes, carried along step by step.

What a player observes comes in steps. Given how a play goes on at a step so that it agrees with
the observation, a population x_1, ..., x_n of plays becomes one of the same size: x_i is chosen
with a probability proportional to its weight w(x_i), the probability that it goes on in this way,
and then goes on in one of the ways that agree, all equally probable. This is a particle filter
(N. Gordon, D. Salmond & A. Smith, 1993) whose proposals know the observation, so that only plays
that have no continuation at all die out.

Where few different plays are left, or none, the last steps are taken again with a larger
population. Random numbers are drawn from a generator that depends on the number of the step only,
so that whoever asks for the same steps in the same order gets the same populations.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from random import Random
from typing import Any

__all__ = ["Populations"]

SIZE = 60  # plays of a population
KEPT = 16  # populations at a time
FEW = 5  # different plays are too few
BACK = 4  # steps that are tried again then
MORE = 3  # times as many plays then

Continuations = Callable[[Any, Any], tuple[Sequence[Sequence[Hashable]], float]]


class Populations:
    """What a player of a game has to reckon with, at any time.

    Parameters
    ----------
    start
        The position at the start.
    continuations
        From a position and a step to what agrees with the step, sequences of moves, and the
        probability that one of them comes about.
    size
        How many plays.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> def seen(position, card):
    ...     deals = [deal for deal, _ in position.chances()]
    ...     fits = [(deal,) for deal in deals if deal[0].rank_name == card]
    ...     return fits, len(fits) / len(deals)
    >>> followed = Populations(kuhn().position(), seen)
    >>> len(followed.at(("K",))), len(set(followed.at(("K",))))
    (60, 2)
    """

    def __init__(self, start: Any, continuations: Continuations, size: int = SIZE) -> None:
        """Nothing has been observed."""
        self.start = start
        self.continuations = continuations
        self.size = size
        self._kept: OrderedDict[tuple[Any, ...], list[Any]] = OrderedDict()

    def at(self, steps: tuple[Any, ...]) -> list[Any]:
        """The positions after some steps; none if no play was found that agrees."""
        lengths = range(len(steps), 0, -1)
        known = next((done for done in lengths if steps[:done] in self._kept), 0)
        held = self._kept[steps[:known]] if known else [self.start]
        for done in range(known, len(steps)):
            if held:  # else all plays have died out before
                carried = self._carried(held, steps[done], done, self.size)
                poor = done >= BACK and _different(carried) < FEW
                held = self._again(steps[: done + 1]) if poor or not carried else carried
            self._keep(steps[: done + 1], held)
        return held

    def _keep(self, steps: tuple[Any, ...], held: list[Any]) -> None:
        self._kept[steps] = held
        self._kept.move_to_end(steps)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _again(self, steps: tuple[Any, ...]) -> list[Any]:
        """With more plays, from some steps before; they are kept, too, to be carried on."""
        first = max(len(steps) - BACK, 0)
        held = self._kept.get(steps[:first], [self.start])
        if len(held) == 1:
            first = 0
        for done in range(first, len(steps)):
            held = self._carried(held, steps[done], done, self.size * MORE)
            if done < len(steps) - 1:
                self._keep(steps[: done + 1], held)
        return held

    def _carried(self, held: list[Any], step: Any, number: int, size: int) -> list[Any]:
        """The population after a step; plays that end there are left out."""
        random, ways = Random(number), self.continuations
        found = [(position, *ways(position, step)) for position in held]
        found = [one for one in found if one[1]]
        if not found:
            return []
        bounds = list(accumulate(weight for _, _, weight in found))
        reached: dict[Any, Any] = {}
        carried = []
        for position, several, _ in random.choices(found, cum_weights=bounds, k=size):
            moves = several[0] if len(several) == 1 else random.choice(several)
            if (id(position), moves) not in reached:
                after = position
                for move in moves:
                    if not after.over:
                        after = after.after(move)
                reached[id(position), moves] = after
            carried.append(reached[id(position), moves])
        return [position for position in carried if not position.over]


def _different(held: list[Any]) -> int:
    return len(set(map(id, held)))
