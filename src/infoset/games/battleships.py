"""Battleships: hide a fleet, and shoot at squares of the other's sea in turn."""

from __future__ import annotations

from functools import lru_cache

from infoset.objects import square_name, straight_lines
from infoset.rules import Play, game

Ship = tuple[str, ...]  # the names of its squares


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
)
def battleships(
    g: Play, width: int = 2, height: int = 2, ships: tuple[int, ...] = (1,), shots: int = 2
) -> object:
    """Two players hide their ships on a grid, then shoot in turn until one fleet is sunk.

    ``ships`` are the lengths of each player's ships, which lie straight along a row or a column and
    do not overlap. A shot goes to a square not shot at before; the shooter is told whether it is a
    miss, a hit, or sinks a ship, and the other sees where it goes. Whoever first sinks all of the
    other's ships wins; if both have used up their shots, it is a draw.
    """
    sea = [square_name((x, y)) for y in range(height) for x in range(width)]
    fleets: dict[str, list[Ship]] = {player: [] for player in g.players}
    for player, fleet in fleets.items():
        for number in range(len(ships)):
            taken = frozenset(square for ship in fleet for square in ship)
            fleet.append(g.choose(player, berths(width, height, ships[number:], taken)))

    fired: dict[str, list[str]] = {player: [] for player in g.players}
    for player in g.turns(rounds=shots):
        other, own_shots = g.other(player), fired[player]
        shot = g.choose(player, tuple([square for square in sea if square not in own_shots]))
        own_shots.append(shot)
        g.reveal(other, ("shot at", shot))
        afloat = [ship for ship in fleets[other] if not set(ship) <= set(own_shots)]
        if not afloat:
            return g.win(player)
        if not any(shot in ship for ship in fleets[other]):
            g.reveal(player, "miss")
        else:
            g.reveal(player, "hit" if any(shot in ship for ship in afloat) else "sunk")
    return 0, 0


@lru_cache(maxsize=1 << 16)
def berths(
    width: int, height: int, ships: tuple[int, ...], taken: frozenset[str]
) -> tuple[Ship, ...]:
    """Where the first of the ships may lie, so that the others still find a place."""
    found = []
    for line in straight_lines(width, height, ships[0]):
        (left, low), (right, high) = line[0], line[-1]
        ship = tuple(map(square_name, line))
        if (left != right and low != high) or not taken.isdisjoint(ship):
            continue
        if len(ships) == 1 or berths(width, height, ships[1:], taken.union(ship)):
            found.append(ship)
    return tuple(found)
