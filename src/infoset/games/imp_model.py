"""The IMP-model: one player in the dark, to whom a little more is shown after every move.

Chance draws one of k^(d−1) outcomes, a number of d−1 digits in base k. The player has b moves at
each of the depths 1 to d−1 and is shown one more digit after each, so that whatever it does, what
it could not tell apart falls into k information sets of equal size. At depth t there are
k^(d−1) b^(t−1) nodes in (kb)^(t−1) information sets; the (kb)^(d−1) nodes at depth d are leaves.

Blair, Mutchler & van Lent measure IMP-alpha-beta on it: IMP-minimax looks at every leaf (theorem
5), pruning at as few as k^(d−1) (theorem 6). The model leaves the payoffs open, and so does this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from infoset.errors import ParameterError
from infoset.objects import exact
from infoset.rules import Play, game

Payoffs = str | Sequence[object] | Callable[[int], object]


def bounds(payoffs: Payoffs) -> tuple[object, object] | None:
    """Of payoffs that a function gives nothing is known."""
    if payoffs == "zero":
        return 0, 0
    if payoffs == "hash":
        return 0, 99
    if isinstance(payoffs, str) or not isinstance(payoffs, Sequence) or not payoffs:
        return None
    return min(payoffs, key=exact), max(payoffs, key=exact)


@game(
    players=("player",),
    requires=("k >= 1", "b >= 1", "d >= 1"),
    source="Blair, Mutchler & van Lent, Perfect recall and pruning, 1996, section 7, figure 11",
    bounds=bounds,
)
def imp_model(
    g: Play, k: int = 2, b: int = 2, d: int = 3, payoffs: Payoffs = "hash", seed: int = 0
) -> object:
    """One player moves in the dark and is shown one more digit of a hidden draw after every move.

    There are d−1 moves, each one of b, and digits in base k. ``payoffs``: "zero"; "hash", a fixed
    scramble of whole numbers from 0 to 99 for each ``seed``; the payoffs of the (kb)^(d−1) leaves
    in order; or a function of a leaf's number, from 0.
    """
    hidden = g.chance(range(k ** (d - 1)))
    moves = range(1, b + 1)
    leaf = rest = hidden
    for depth in range(1, d):
        if depth > 1:
            rest, digit = divmod(rest, k)
            g.reveal("player", f"set {digit + 1}")
        leaf = leaf * b + g.choose("player", moves) - 1
    return paid(leaf, (k * b) ** (d - 1), payoffs, seed)


def paid(leaf: int, leaves: int, payoffs: Payoffs, seed: int) -> object:
    """What a leaf pays."""
    if payoffs == "zero":
        return 0
    if payoffs == "hash":
        return scrambled(leaf, seed)
    if callable(payoffs):
        return payoffs(leaf)
    if isinstance(payoffs, str) or not isinstance(payoffs, Sequence):
        raise ParameterError(
            f"payoffs={payoffs!r}; give 'zero', 'hash', {leaves} numbers or a function"
        )
    if len(payoffs) != leaves:
        raise ParameterError(f"{len(payoffs)} payoffs for {leaves} leaves; give one for each")
    return payoffs[leaf]


def scrambled(number: int, seed: int) -> int:
    """A whole number from 0 to 99 that looks like chance and is the same every time.

    Multiplying by an odd number of 64 bits spreads the low bits upwards, shifting brings the high
    ones down.

    >>> [scrambled(leaf, 0) for leaf in range(6)]
    [78, 88, 40, 77, 10, 80]
    """
    bits = (number + 1) * 0x9E3779B97F4A7C15 + seed * 0xD1B54A32D192ED03
    for _ in range(2):
        bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9 % 2**64
    return (bits >> 32) % 100
