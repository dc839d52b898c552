"""What is to be made as large as possible: a weighted sum of the players' payoffs.

Given as nothing (the plain sum), as weights by player, or as a text: terms with signs, each a
player's name with a number before it if it counts other than once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from infoset.errors import InfosetError, ParameterError
from infoset.rules.exact import exact
from infoset.tree import Tree

Welfare = Mapping[str, Any] | str | None

NUMBER = re.compile(r"(\d+/\d+|\d*\.\d+|\d+)\s*\*?\s*")
SIGN = re.compile(r"([+-])\s*")
LONGEST = 1_000  # digits of a number in a text, and then some


def weights_of(tree: Tree, welfare: Welfare = None) -> dict[str, Fraction]:
    """How much each player's payoff counts; who is not named counts nothing.

    >>> from infoset.games import prisoners_dilemma
    >>> tree = prisoners_dilemma().tree()
    >>> weights_of(tree, "2 row - 1/2 column")
    {'row': Fraction(2, 1), 'column': Fraction(-1, 2)}
    >>> weights_of(tree, {"column": 1})
    {'row': Fraction(0, 1), 'column': Fraction(1, 1)}
    >>> weights_of(tree, "both")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: welfare 'both': no player at 'both'; ...known: 'column', 'row'
    """
    if welfare is None:
        return dict.fromkeys(tree.names, Fraction(1))
    if isinstance(welfare, str):
        given = _read(tree, welfare)
    elif isinstance(welfare, Mapping):
        given = {str(player): _number(player, weight) for player, weight in welfare.items()}
    else:
        raise ParameterError(
            f"welfare {welfare!r:.60} is neither weights by player nor a text;"
            f" {_example(tree)} is one"
        )
    for player in given:
        tree.player_number(player)  # or a line that names the players
    return {player: given.get(player, Fraction(0)) for player in tree.names}


def _number(player: object, weight: object) -> Fraction:
    try:
        return exact(weight)
    except InfosetError as problem:
        raise ParameterError(f"welfare of {player!r:.60}: {problem}") from None


def _read(tree: Tree, words: str) -> dict[str, Fraction]:
    """Terms such as ``- 2 one``, one after the other, to the end of the text."""
    names = sorted(tree.names, key=len, reverse=True)
    total: dict[str, Fraction] = {}
    rest = words.strip()
    if not rest or len(rest) > LONGEST + sum(map(len, names)):
        raise _refused(tree, words, rest)
    while rest:
        sign = SIGN.match(rest)
        if sign is None and total:
            raise _refused(tree, words, rest)
        term = rest[sign.end() :] if sign else rest
        weight, player, length = _term(names, term)
        if not length and sign and not total:  # a first name that begins with a sign
            sign, term = None, rest
            weight, player, length = _term(names, term)
        if not length:
            raise _refused(tree, words, term or rest)
        signed = -weight if sign and sign[1] == "-" else weight
        total[player] = total.get(player, Fraction(0)) + signed
        rest = term[length:].lstrip()
    return total


def _term(names: list[str], term: str) -> tuple[Fraction, str, int]:
    """The weight and the player that a term begins with, and its length; 0 if it is none.

    A number is a weight if a player's name follows; a name may begin with a number itself.
    """
    number = NUMBER.match(term)
    if number and (player := _leading(names, term[number.end() :])):
        over, _, under = number[1].partition("/")
        if not under or int(under):
            return Fraction(over) / Fraction(under or 1), player, number.end() + len(player)
    player = _leading(names, term)
    return Fraction(1), player, len(player)


def _leading(names: list[str], rest: str) -> str:
    """The longest name that a text begins with, if no word goes on after it; empty if none."""
    for name in names:
        after = rest[len(name) :]
        if rest.startswith(name) and (not after or after[0].isspace() or after[0] in "+-"):
            return name
    return ""


def _refused(tree: Tree, words: str, rest: str) -> ParameterError:
    known = ", ".join(repr(name) for name in sorted(tree.names)[:12])
    return ParameterError(
        f"welfare {words!r:.60}: no player at {rest!r:.40}; write weights and players, such as"
        f" {_example(tree)}; known: {known}"
    )


def _example(tree: Tree) -> str:
    return repr(f"2 {tree.names[0]}" + (f" - {tree.names[1]}" if len(tree.names) > 1 else ""))
