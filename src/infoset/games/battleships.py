"""Battleships: hide a fleet, and shoot at squares of the other's sea in turn.

**Sampling.** A player who has fired shots knows all about a play but the other's fleet. If the
other moves at random, its shots, which are seen, are equally probable whatever its fleet. So
:func:`history` draws the other's fleet among those that give the answers observed
(:mod:`infoset.objects.fleets`).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from itertools import chain, zip_longest
from random import Random
from typing import Any, NamedTuple

from infoset.errors import InfosetError
from infoset.objects.fleets import Fleets, Ship, berths, bits, squares
from infoset.rules import Play, ReplayPosition, game


class Sea(NamedTuple):
    """A player's sea, as the shots have left it."""

    afloat: tuple[Ship, ...]  # of each ship that is not sunk, the squares that were not hit
    open: tuple[str, ...]  # squares not shot at


class Fight(NamedTuple):
    """The state once all ships are placed."""

    target: Sea  # of the player who does not shoot now
    own: Sea
    left: int  # shots of both players


def history(
    view: Hashable,
    player: str,
    random: Random,
    width: int,
    height: int,
    ships: tuple[int, ...],
    shots: int,
) -> tuple[Hashable, ...] | None:
    """Moves that agree with a view, drawn as if the other player moved at random; None if none."""
    known = known_by(view, player, width, height, ships, shots)
    return None if known is None else known.draw(random)


@game(
    players=("first", "second"),
    requires=(
        "width >= 1",
        "height >= 1",
        "len(ships) >= 1",
        "min(ships) >= 1",
        "max(ships) <= max(width, height)",
        "sum(ships) <= width * height",
        "1 <= shots <= width * height",
    ),
    source="D. Koller & A. Pfeffer, Representations and solutions for game-theoretic problems,"
    " 1997, figure 1; G. Farina, C. K. Ling, F. Fang & T. Sandholm, Correlation in extensive-form"
    " games: saddle-point formulation and benchmarks, 2019",
    bounds=(-1, 1),
    sampler=history,
    state=(),
)
def battleships(
    g: Play,
    state: tuple[Ship, ...] | Fight,
    width: int = 2,
    height: int = 2,
    ships: tuple[int, ...] = (1,),
    shots: int = 2,
) -> object:
    """Two players hide their ships on a grid, then shoot in turn until one fleet is sunk.

    ``ships`` are the lengths of each player's ships, which lie straight along a row or a column and
    do not overlap. A shot goes to a square not shot at before; the shooter is told whether it is a
    miss, a hit, or sinks a ship, and the other sees where it goes. Whoever first sinks all of the
    other's ships wins; if both have used up their shots, it is a draw.
    """
    if not isinstance(state, Fight):
        turn, number = divmod(len(state), len(ships))
        taken = squares(width, height, state[turn * len(ships) :])
        ship = g.choose(g.players[turn], berths(width, height, ships, number, taken))
        placed = (*state, ship)
        if len(placed) < 2 * len(ships):
            return placed
        sea = tuple(bits(width, height))
        first, second = Sea(placed[: len(ships)], sea), Sea(placed[len(ships) :], sea)
        return Fight(second, first, 2 * shots)
    (afloat, sea), own, left = state
    player = g.players[left % 2]
    shot = g.choose(player, sea)
    g.reveal(g.other(player), ("shot at", shot))
    answer, afloat = fired(shot, afloat)
    if not afloat:
        return g.win(player)
    g.reveal(player, answer)
    if left == 1:
        return g.end((0, 0))
    at = sea.index(shot)
    return Fight(own, Sea(afloat, sea[:at] + sea[at + 1 :]), left - 1)


def fired(shot: str, afloat: tuple[Ship, ...]) -> tuple[str, tuple[Ship, ...]]:
    """What a shot does to a fleet: the answer, and what is left afloat."""
    for number, ship in enumerate(afloat):
        if shot in ship:
            rest = tuple([square for square in ship if square != shot])
            others = afloat[:number], afloat[number + 1 :]
            return ("hit", (*others[0], rest, *others[1])) if rest else ("sunk", sum(others, ()))
    return "miss", afloat


class Known(NamedTuple):
    """What a player knows of a play."""

    first: bool  # is it the first player?
    own: tuple[Any, ...]  # ships
    fired: tuple[Any, ...]  # shots
    met: tuple[Any, ...]  # shots of the other
    fleets: Fleets | None  # of the other; None if it has placed no ships

    def draw(self, random: Random) -> tuple[Hashable, ...] | None:
        """All moves of such a play; None if none was found."""
        fleet = () if self.fleets is None else self.fleets.draw(random)
        if fleet is None:
            return None
        sides = (self.own, self.fired), (fleet, self.met)
        (ships, shots), (later_ships, later_shots) = sides if self.first else sides[::-1]
        rounds = chain.from_iterable(zip_longest(shots, later_shots))
        return (*ships, *later_ships, *[shot for shot in rounds if shot is not None])


@lru_cache(maxsize=64)
def known_by(
    view: Hashable, player: str, width: int, height: int, ships: tuple[int, ...], shots: int
) -> Known | None:
    """What a view tells; None if it is none that the player has at a decision of this game."""
    if not isinstance(view, tuple) or not all(isinstance(note, tuple) for note in view):
        return None
    notes = [note for note in view if len(note) == 2]
    if len(notes) < len(view) or not notes or notes[-1][0] != "offered":
        return None
    took = tuple([what for word, what in notes if word == "took"])
    saw = [what for word, what in notes if word == "saw"]
    own, fired = took[: len(ships)], took[len(ships) :]
    answers = [fact for fact in saw if isinstance(fact, str)]
    met = tuple([fact[-1] for fact in saw if isinstance(fact, tuple)])
    if len(answers) != len(fired) or not bits(width, height).keys() >= {*fired, *met}:
        return None
    first, fleets = player == "first", None
    if len(own) == len(ships) or not first:
        fleets = Fleets(width, height, ships, tuple(zip(fired, answers, strict=True)))
    known = Known(first, own, fired, met, fleets)
    made = known.draw(Random(0))
    if made is None:  # none agrees, or the draws have no luck
        return known
    try:
        reached = ReplayPosition(battleships(width, height, ships, shots), made).view(player)
    except InfosetError:
        return None
    return known if reached == view else None
