"""Fleets on a grid: where ships may lie, and fleets drawn that agree with answers to shots.

A ship lies straight along a row or a column, and ships do not overlap. A player who places its
ships at random, one after the other, places ship k on one of n_k berths, where n_k depends on the
ships before it, so that a fleet has the probability ∏ 1/n_k. :class:`Fleets` draws fleets with
probabilities proportional to that, among those that give certain answers to certain shots.

Sets of squares are integers, with a bit for each square.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import prod
from random import Random
from typing import NamedTuple

from infoset.objects.board import square_name, straight_lines

__all__ = ["Answer", "Fleets", "Ship", "berths", "bits", "squares"]

Ship = tuple[str, ...]  # the names of its squares
Answer = tuple[str, str]  # a square shot at, and "miss", "hit" or "sunk"

TRIES = 300  # fleets that are proposed, before all that agree are listed instead
MOST_LISTED = 30_000  # berths that are tried for such a list


class Berth(NamedTuple):
    """Where a ship may lie."""

    ship: Ship
    squares: int


@lru_cache(maxsize=64)
def bits(width: int, height: int) -> dict[str, int]:
    """The bit of each square, in the order in which squares are offered."""
    names = [square_name((x, y)) for y in range(height) for x in range(width)]
    return {name: 1 << at for at, name in enumerate(names)}


def squares(width: int, height: int, fleet: tuple[Ship, ...]) -> int:
    """The squares that some ships take."""
    bit = bits(width, height)
    return sum([bit[square] for ship in fleet for square in ship])


@lru_cache(maxsize=256)
def all_berths(width: int, height: int, length: int) -> tuple[Berth, ...]:
    """The berths for a ship in an empty sea: along the rows and the columns."""
    found = []
    for line in straight_lines(width, height, length):
        (left, low), (right, high) = line[0], line[-1]
        if left == right or low == high:
            ship = tuple(map(square_name, line))
            found.append(Berth(ship, squares(width, height, (ship,))))
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def berths(
    width: int, height: int, ships: tuple[int, ...], number: int, taken: int
) -> tuple[Ship, ...]:
    """Where one of the ships may lie, so that those after it still find a place."""
    free = [one for one in all_berths(width, height, ships[number]) if not one.squares & taken]
    if min(fewest_berths(width, height, ships)) < 1:
        later = ships[number + 1 :]
        free = [one for one in free if room(width, height, later, taken | one.squares)]
    return tuple([one.ship for one in free])


@lru_cache(maxsize=1 << 16)
def room(width: int, height: int, ships: tuple[int, ...], taken: int) -> bool:
    """Is there a place for all of the ships?"""
    return not ships or any(
        room(width, height, ships[1:], taken | one.squares)
        for one in all_berths(width, height, ships[0])
        if not one.squares & taken
    )


@lru_cache(maxsize=256)
def fewest_berths(width: int, height: int, ships: tuple[int, ...]) -> tuple[int, ...]:
    """For each ship a number of berths that it has at least, wherever those before it lie.

    A ship of j squares lies in the way of at most jk berths of k squares that cross it, and of
    j + k - 1 in its own row or column; of j berths of one square. If all numbers are positive,
    every ship finds a place, and no berth has to be left out for a later one.
    """
    fewest = []
    for number, length in enumerate(ships):
        lost = [j * length + j + length - 1 if length > 1 else j for j in ships[:number]]
        fewest.append(len(all_berths(width, height, length)) - sum(lost))
    return tuple(fewest)


@lru_cache(maxsize=1 << 14)
def in_the_way(width: int, height: int, length: int, ship: int) -> int:
    """The berths of a length, a bit for each, that share a square with a ship."""
    every = enumerate(all_berths(width, height, length))
    return sum(1 << at for at, berth in every if berth.squares & ship)


def number_of_berths(width: int, height: int, ships: tuple[int, ...], placed: Sequence[int]) -> int:
    """How many :func:`berths` the next ship has; of the ships before it, the squares are given."""
    if min(fewest_berths(width, height, ships)) < 1:
        return len(berths(width, height, ships, len(placed), sum(placed)))
    length, blocked = ships[len(placed)], 0
    for ship in placed:
        blocked |= in_the_way(width, height, length, ship)
    return len(all_berths(width, height, length)) - blocked.bit_count()


# ---------------------------------------------------------------- fleets that agree with answers


class Case(NamedTuple):
    """A ship that lies on certain hit squares."""

    length: int
    berths: list[Berth]
    uncovered: int  # hit squares that are left to the other ships
    others: tuple[int, ...]  # their lengths


class Fleets:
    """Fleets that give some answers to shots, drawn with probabilities proportional to ∏ 1/n_k.

    A ship agrees with the answers if it lies on no miss, and its squares that were shot at were
    answered "hit", but if these are all of its squares, the last one "sunk". A fleet agrees if its
    ships do, and cover all squares that were hit. It is drawn by rejection:

    1. A fleet whose ships agree, may overlap, and cover each hit square once is proposed, each
       with the same probability. Some ship lies on the first hit square, and maybe on others. For
       each such case, the fleets are counted: the ways to choose the ship, times those in which
       the other ships cover the hit squares that are left. A case is drawn in proportion.
    2. If no ships overlap, it is accepted with probability ∏ m_k/n_k, where m_k <= n_k is the
       number of :func:`fewest_berths`.

    Where these are not positive, and before the first shot, a fleet is proposed ship by ship, as a
    player places it at random, and accepted if it agrees. If no proposal is accepted for long, the
    fleets that agree are few, or hard to find: then all of them are listed.

    Parameters
    ----------
    width, height, ships
        Of the game.
    answers
        To the shots at the fleet, in their order.
    """

    def __init__(
        self, width: int, height: int, ships: tuple[int, ...], answers: Sequence[Answer]
    ) -> None:
        """Find the berths at which a ship agrees."""
        self.width, self.height, self.ships = width, height, ships
        fewest = fewest_berths(width, height, ships)
        self._covers, self._fewest = bool(answers) and min(fewest) >= 1, prod(fewest)
        self.hit = 0  # squares
        # Of each length, by the hit squares that they cover.
        self.agreeing: dict[int, dict[int, list[Berth]]] = {}
        self._find(answers)
        kinds = [found for by_hits in self.agreeing.values() for found in by_hits.values()]
        self._alone = {berth.squares for found in kinds for berth in found}
        self._cases: dict[tuple[int, tuple[int, ...]], tuple[list[Case], list[int]]] = {}
        self._listed: tuple[list[tuple[Ship, ...]], list[float]] | None = None
        self._list_again = True

    def _find(self, answers: Sequence[Answer]) -> None:
        bit, shot, missed, sunk = bits(self.width, self.height), 0, 0, dict[int, int]()
        for square, answer in answers:
            shot |= bit[square]
            if answer == "miss":
                missed |= bit[square]
            elif answer == "sunk":
                sunk[bit[square]] = shot  # with all that was shot at until then
        self.hit = shot & ~missed
        for length in self.ships:
            found = self.agreeing[length] = {0: []}
            for berth in all_berths(self.width, self.height, length):
                covered, last = berth.squares & shot, berth.squares & sum(sunk)
                whole = covered == berth.squares
                agrees = not covered & ~sunk.get(last, 0) if whole else not last
                if agrees and not covered & missed:
                    found.setdefault(covered, []).append(berth)

    def draw(self, random: Random) -> tuple[Ship, ...] | None:
        """One of the fleets; None if there is none, or none was found."""
        propose = self._covering if self._covers else self._placed
        for _ in range(TRIES if self._listed is None else 0):
            fleet = propose(random)
            if fleet is not None:
                return tuple([berth.ship for berth in fleet])
        if self._list_again:
            self._list_again = False
            self._listed = self._list()
        if self._listed is None or not self._listed[0]:
            return None
        return random.choices(self._listed[0], cum_weights=self._listed[1])[0]

    def _covering(self, random: Random) -> list[Berth] | None:
        """A fleet that covers the hit squares, if it has no overlaps and is accepted."""
        uncovered, left = self.hit, tuple(sorted(self.ships))
        chosen: dict[int, list[Berth]] = {length: [] for length in left}
        taken = 0
        while left:
            cases, bounds = self._cases_of(uncovered, left)
            if not cases:
                return None
            at = bisect_right(bounds, random.randrange(bounds[-1])) if len(cases) > 1 else 0
            length, found, uncovered, left = cases[at]
            berth = found[int(random.random() * len(found))]
            if berth.squares & taken:
                return None
            taken |= berth.squares
            chosen[length].append(berth)
        for same in chosen.values():  # which of them comes first in the fleet, does not matter
            random.shuffle(same)
        fleet = [chosen[length].pop() for length in self.ships]
        return fleet if random.randrange(self._offered(fleet)) < self._fewest else None

    def _offered(self, fleet: list[Berth]) -> int:
        """The product of the n_k."""
        placed = [berth.squares for berth in fleet]
        return prod(
            number_of_berths(self.width, self.height, self.ships, placed[:number])
            for number in range(len(placed))
        )

    def _cases_of(self, uncovered: int, left: tuple[int, ...]) -> tuple[list[Case], list[int]]:
        """How the first hit square may be covered, with cumulative numbers of fleets.

        If none is left to be covered, the first ship lies on no hit square.
        """
        known = self._cases.get((uncovered, left))
        if known is not None:
            return known
        first = uncovered & -uncovered
        cases, numbers = [], []
        for length in dict.fromkeys(left) if uncovered else left[:1]:
            at = left.index(length)
            others = left[:at] + left[at + 1 :]
            for covered, found in self.agreeing[length].items():
                if covered & first == first and not covered & ~uncovered:
                    case = Case(length, found, uncovered & ~covered, others)
                    ways = len(found) * self._ways(case.uncovered, others)
                    if ways:
                        cases.append(case)
                        # Any of the ships of this length may be the one.
                        numbers.append(ways * left.count(length) if uncovered else ways)
        made = self._cases[uncovered, left] = cases, list(accumulate(numbers))
        return made

    def _ways(self, uncovered: int, left: tuple[int, ...]) -> int:
        """In how many ways ships of these lengths cover the hit squares that are left."""
        if not left:
            return not uncovered
        bounds = self._cases_of(uncovered, left)[1]
        return bounds[-1] if bounds else 0

    def _placed(self, random: Random) -> list[Berth] | None:
        """A fleet as it is placed at random, if it agrees."""
        fleet: list[Berth] = []
        taken = 0
        for number in range(len(self.ships)):
            menu = berths(self.width, self.height, self.ships, number, taken)
            ship = menu[int(random.random() * len(menu))]
            berth = Berth(ship, squares(self.width, self.height, (ship,)))
            if berth.squares not in self._alone:
                return None
            taken |= berth.squares
            fleet.append(berth)
        return None if self.hit & ~taken else fleet

    def _list(self) -> tuple[list[tuple[Ship, ...]], list[float]] | None:
        """All fleets that agree, with cumulative weights ∏ 1/n_k; None if there are too many."""
        fleets, weights, tried = list[tuple[Ship, ...]](), list[float](), 0
        waiting: list[list[Berth]] = [[]]
        while waiting:
            fleet = waiting.pop()
            if len(fleet) == len(self.ships):
                fleets.append(tuple([berth.ship for berth in fleet]))
                weights.append(1 / self._offered(fleet))
                continue
            length, later = self.ships[len(fleet)], tuple(sorted(self.ships[len(fleet) + 1 :]))
            taken = sum(berth.squares for berth in fleet)
            for covered, found in self.agreeing[length].items():
                if not covered & taken and self._ways(self.hit & ~taken & ~covered, later):
                    tried += len(found)
                    waiting += [[*fleet, one] for one in found if not one.squares & taken]
            if tried > MOST_LISTED:
                return None
        return fleets, list(accumulate(weights))
