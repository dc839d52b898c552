"""Nature's moves of a game, each kept once and known again by how the rules put it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from infoset.rules.cards import Deck
from infoset.rules.moves import (
    Lottery,
    Menu,
    as_lottery,
    as_menu,
    deal_lottery,
    kinds,
    roll_lottery,
)

WORDS = {as_lottery: "outcomes", deal_lottery: "cards", roll_lottery: "faces"}
FEW_OUTCOMES = 256  # moves no larger than this are compared whenever they come up again


class Lotteries:
    """A table of lotteries in the making.

    A lottery is asked for by the function that makes it (of outcomes and weights, of a deal, of a
    roll) and the terms that it takes, outcomes, cards or faces first.
    """

    __slots__ = ("_by_outcomes", "_by_terms", "table")

    def __init__(self) -> None:
        """Nature has not moved yet."""
        self.table: list[Lottery] = []
        self._by_terms: dict[Any, tuple[int, Menu]] = {}
        self._by_outcomes: dict[Menu, list[int]] = {}

    def number(self, make: Callable[..., Lottery], terms: Any) -> tuple[int, Menu]:
        """The number of a lottery in the table, and its outcomes as the rules have just put them.

        A range and a deck are what they are; of anything else a copy is kept, with the types of its
        entries, because 1 and True are equal and are not the same to the rules.
        """
        values = terms[0]
        if type(values) is range or type(values) is Deck or not isinstance(values, Iterable):
            key: Any = (make, terms, type(values))
        else:
            menu = as_menu(values, WORDS[make])
            terms = (menu, *terms[1:])
            key = (make, terms, kinds(menu))
        try:
            return self._by_terms[key]
        except (KeyError, TypeError):
            drawn = make(*terms)
        found = (self._numbered(drawn), drawn.outcomes)
        with suppress(TypeError):
            self._by_terms[key] = found
        return found

    def _numbered(self, drawn: Lottery) -> int:
        # Found again by its outcomes: fractions are slow to hash, and there may be many.
        same = self._by_outcomes.setdefault(drawn.outcomes, [])
        for number in same:
            if self.table[number].probabilities == drawn.probabilities:
                return number
        same.append(len(self.table))
        self.table.append(drawn)
        return same[-1]

    def changed(self, number: int, make: Callable[..., Lottery], terms: Any) -> bool:
        """Is a chance move other than it was? Large ones are left to the audit."""
        cheap = type(terms[0]) is Deck or type(terms[0]) is range
        if not cheap and len(self.table[number].outcomes) > FEW_OUTCOMES:
            return False
        return self.number(make, terms)[0] != number
