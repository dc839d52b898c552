"""Liar's dice: bid on how many dice show a face, or call the last bid a lie."""

from __future__ import annotations

from functools import lru_cache

from infoset.objects import Roll
from infoset.rules import Play, game


@lru_cache
def bids(dice: int, sides: int) -> tuple[str, ...]:
    """All bids, from low to high: first by quantity, then by face."""
    return tuple(f"{count}x{face}" for count in range(1, dice + 1) for face in range(1, sides + 1))


@lru_cache
def menu(dice: int, sides: int, made: int) -> tuple[str, ...]:
    """What may be said after bid number ``made``: a higher one, or that it is a lie."""
    return bids(dice, sides)[made + 1 :] + (("liar",) if made >= 0 else ())


def showing(mine: Roll[int] | int, yours: Roll[int] | int, face: int, wild: int) -> int:
    """How many dice of both players count as this face; a single die is its face itself."""
    faces = [die for roll in (mine, yours) for die in ((roll,) if isinstance(roll, int) else roll)]
    return sum(die in (face, wild) for die in faces)


def judged(counted: int, claimed: int, bidder: str, caller: str) -> str:
    """Who wins once the dice are shown."""
    return bidder if counted >= claimed else caller


@game(
    players=("one", "two"),
    requires=("dice >= 1", "sides >= 1"),
    source="Folk game; counts as in OpenSpiel's liars_dice (one die each, six sides)",
    bounds=(-1, 1),
)
def liars_dice(g: Play, dice: int = 1, sides: int = 6) -> object:
    """Liar's dice: both roll in secret and raise each other's bid until one calls the other a liar.

    A bid says that at least so many dice of both players show a face; the highest face counts as
    any. Called, the bid is checked: the bidder wins if it is true, the caller if not. With one
    six-sided die each: 294,883 nodes and 24,576 information sets.
    """
    mine = g.roll(sides, dice=dice)
    g.reveal("one", mine)
    yours = g.roll(sides, dice=dice)
    g.reveal("two", yours)
    made = -1
    player, other = "one", "two"
    while True:
        move = g.choose(player, menu(2 * dice, sides, made))
        if move == "liar":
            count, face = made // sides + 1, made % sides + 1
            counted = g.map(showing, mine, yours, face, sides)
            return g.win(g.map(judged, counted, count, other, player))
        g.reveal(other, move)
        made = bids(2 * dice, sides).index(move)
        player, other = other, player
