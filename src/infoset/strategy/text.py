"""Strategies as tables of plain text: what a person wants to see of them.

A behaviour strategy has a line for each information set and a column for each action; information
sets with the same actions stand together under one header. A mixed strategy has a line for each
pure one. Rationals are shown as they are while they are short, and as decimals when they are not.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from infoset.rules.story import printable, text

if TYPE_CHECKING:
    from infoset.strategy.behaviour import Behaviour
    from infoset.strategy.mixed import Mixed

SHORT = 9  # signs of a rational that is shown as it is
TINY = 1e-4  # below this, decimals of four digits would not tell it from zero
GAP = "  "


def number(value: Any) -> str:
    """A probability, in few signs.

    >>> [number(Fraction(*pair)) for pair in ((2, 3), (1, 1), (12345, 67891), (1, 10**12))]
    ['2/3', '1', '0.1818', '1e-12']
    >>> number(1 / 3), number(1.0), number(0.0)
    ('0.3333', '1', '0')
    """
    if isinstance(value, Fraction) and value.denominator < 10**SHORT and len(str(value)) <= SHORT:
        return str(value)
    near = float(value)
    if near in (0.0, 1.0) and value == near:
        return str(int(near))
    return f"{near:.0e}" if 0 < abs(near) < TINY else f"{near:.4f}"


def table(behaviour: Behaviour, most: int | None = None) -> str:
    """A behaviour strategy, a line for each information set, or for the first of them.

    >>> from infoset.games import kuhn
    >>> from infoset.strategy import behaviour
    >>> tree = kuhn().tree()
    >>> print(behaviour(tree, "gambler", {"J": {"bet": 0.25, "pass": 0.75}, "K": {"bet": 1}}))
    gambler         pass  bet
    J                3/4  1/4
    J, [pass], bet   1/2  1/2
    Q                1/2  1/2
    Q, [pass], bet   1/2  1/2
    K                  0    1
    K, [pass], bet   1/2  1/2
    """
    tree, choices = behaviour.tree, behaviour.choices
    groups: dict[tuple[str, ...], list[list[str]]] = {}
    for own in range(len(choices.infosets))[:most]:
        infoset = tree.infosets[int(choices.infosets[own])]
        header = tuple(printable(text(action)) for action in infoset.actions)
        first = int(choices.first[own])
        shares = behaviour.shares[first : first + len(header)].tolist()
        label = printable(infoset.label) or f"#{infoset.index + 1}"
        groups.setdefault(header, []).append([label, *map(number, shares)])
    if not groups:
        return f"{printable(behaviour.player)} has nothing to choose"
    blocks = [[[printable(behaviour.player), *header], *lines] for header, lines in groups.items()]
    widest = max(len(line[0]) for block in blocks for line in block)
    return "\n\n".join(_aligned(block, widest) for block in blocks)


def _aligned(lines: list[list[str]], widest: int) -> str:
    """The first column to the left, at a given width; the others, numbers, to the right."""
    columns = list(zip(*lines, strict=True))[1:]
    widths = [max(map(len, column)) for column in columns]
    return "\n".join(
        GAP.join(
            [
                line[0].ljust(widest),
                *(cell.rjust(size) for cell, size in zip(line[1:], widths, strict=True)),
            ]
        )
        for line in lines
    )


def mixed_table(mixed: Mixed) -> str:
    """A mixed strategy, a line for each pure one.

    >>> from infoset.games import absent_minded
    >>> from infoset.strategy import mixed, pure
    >>> tree = absent_minded().tree()
    >>> left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    >>> print(mixed(tree, "one", {left: Fraction(2, 3), right: Fraction(1, 3)}))
    one
    2/3  a or b → L
    1/3  a or b → R
    """
    shown = [(number(weight), printable(plan.words)) for plan, weight in mixed.items()]
    widest = max(len(share) for share, _ in shown)
    lines = [f"{share.rjust(widest)}{GAP}{words}" for share, words in shown]
    return "\n".join([printable(mixed.player), *(line.rstrip() for line in lines)])
