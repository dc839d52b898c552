"""A game that has a pure equilibrium exactly if some numbers can be divided fairly.

3-PARTITION asks whether 3m sizes s with B/4 < s < B/2 and sum mB can be divided into m groups of
sum B. Blair, Mutchler & van Lent turn each instance into a two-player zero-sum game with perfect
recall, 9m² + 7m + 1 nodes large. If there is such a division, player 1 plays it and player 2 cannot
gain; if there is none, whoever moves last can always do better. So to find pure equilibria is
NP-hard, although mixed ones take one linear program.
"""

from __future__ import annotations

from fractions import Fraction

from infoset.rules import Play, game


def bounds(sizes: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """A balancing item is heavier than any other."""
    full = Fraction(sum(sizes), len(sizes) // 3)
    return -full, full


@game(
    players=("one", "two"),
    requires=(
        "len(sizes) >= 3 and len(sizes) % 3 == 0",
        "sum(sizes) % (len(sizes) // 3) == 0",
        "4 * min(sizes) * (len(sizes) // 3) > sum(sizes)",  # B/4 < s
        "2 * max(sizes) * (len(sizes) // 3) < sum(sizes)",  # s < B/2
    ),
    source="Blair, Mutchler & van Lent, Perfect recall and pruning, 1996, theorem 2, figure 4",
    bounds=bounds,
)
def three_partition(g: Play, sizes: tuple[int, ...] = (6, 8, 7, 6, 7, 6)) -> object:
    """Player 1 puts a random item into a group; player 2 bets that the group is too light or heavy.

    With m groups there are 3m items a1, a2, … of the given sizes, and for each group a balancing
    item b1, b2, … that has its place already and weighs −B, where B is the size that a group should
    have. Player 2 sees the group, not the item. Left, the bet on too light, pays player 1 what the
    item weighs; right pays the opposite.
    """
    groups = len(sizes) // 3
    full = Fraction(sum(sizes), groups)
    items = {f"b{number + 1}": -full for number in range(groups)}
    items |= {f"a{number + 1}": Fraction(size) for number, size in enumerate(sizes)}

    drawn = g.chance(tuple(items))
    g.reveal("one", drawn)
    own = (int(drawn[1:]),) if drawn[0] == "b" else tuple(range(1, groups + 1))
    group = g.choose("one", own)
    g.reveal("two", f"group {group}")
    weighs = items[drawn]
    return g.win("one", weighs if g.choose("two", ("left", "right")) == "left" else -weighs)
