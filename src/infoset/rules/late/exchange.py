"""Suits that are said to be alike, put to the test.

A play, and the play with suits exchanged, must be the same but for the exchanged cards. Plays are
taken at random, and where a function of cards prefers a suit (:mod:`infoset.rules.late.suspects`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import RulesError
from infoset.rules.columns import LEAF
from infoset.rules.late.explore import Late
from infoset.rules.late.plays import Plain, Played, Rules, plays, world_play
from infoset.rules.late.suspects import suspects
from infoset.rules.late.symmetry import Symmetry
from infoset.rules.late.worlds import Field
from infoset.rules.moves import Lottery
from infoset.rules.story import text
from infoset.rules.walk import Asked, View

MOVED = 1024  # plays that are run again with suits exchanged, at most
ENDS = 32  # of which there is a play in a suspect world


def check_symmetry(name: str, late: Late, rules: Rules, symmetry: Symmetry) -> None:
    """Run some plays again with suits exchanged; an error if one of them is not the same."""
    chosen = random.Random(1)
    exchange = _Exchange(name, late, rules, symmetry)
    if len(symmetry) > 1:
        for one in plays(late, MOVED):
            exchange.check(one, chosen.randrange(1, len(symmetry)))
        for one, order in _suspected(late, symmetry):
            exchange.check(one, order)


def _suspected(late: Late, symmetry: Symmetry) -> Iterator[tuple[Played, int]]:
    """Plays in worlds where a function of cards tells suits apart, one of every end."""
    chosen = random.Random(2)
    leaves = [block for block in late.blocks if block.kind == LEAF]
    for field, row, order in suspects(late.computed, symmetry):
        below = [leaf for leaf in leaves if _is_below(leaf.worlds.field, field)]
        for leaf in chosen.sample(below, min(len(below), ENDS)):
            there = np.flatnonzero(leaf.worlds.along(field) == row)
            if len(there):
                at = int(there[chosen.randrange(len(there))])
                yield world_play(late, leaf, int(leaf.worlds.rows[at])), order


def _is_below(field: Field | None, other: Field) -> bool:
    while field is not None and field.depth > other.depth:
        field = field.up
    return field is other


class _Exchange:
    """Runs plays with suits exchanged, which must be the same but for the exchanged cards."""

    def __init__(self, name: str, late: Late, rules: Rules, symmetry: Symmetry) -> None:
        self.name, self.late, self.rules, self.symmetry = name, late, rules, symmetry
        self._fixed: dict[int, tuple[Lottery, bool]] = {}  # by identity: is it, under all orders?

    def check(self, played: Played, order: int) -> None:
        """Run a play with suits exchanged; an error if it is not the same."""
        symmetry = self.symmetry
        walk = Plain(self.late.seats, tuple(symmetry.moved(move, order) for move in played.moves))
        try:
            paid: Any = walk.result(self.rules)
        except (Exception, Asked):  # the rules ask for something else, or fail
            paid = None
        if paid is None:
            said = "goes on otherwise"
        elif paid != played.payoffs:
            said = f"pays {_amounts(paid)}"
        elif self._views(walk) != self._expected(played, order):
            said = "tells the players otherwise"
        elif not self._same_chances(walk, played, order):
            said = "has other chances"
        else:
            return
        first = ", ".join(map(text, played.moves))
        raise RulesError(
            f"{self.name}: {symmetry}, says the deck, but not the rules: the play {first} pays"
            f" {_amounts(played.payoffs)}, and with {_exchanged(symmetry, order)} exchanged it"
            f" {said}; leave out alike=, or mend the rules"
        )

    def _views(self, walk: Plain) -> tuple[View, ...]:
        return tuple(walk.view(agent) for agent in range(len(self.late.agents)))

    def _expected(self, played: Played, order: int) -> tuple[View, ...]:
        moved = self.symmetry.moved
        return tuple(
            tuple((kind, moved(what, order)) for kind, what in view) for view in played.views
        )

    def _same_chances(self, walk: Plain, played: Played, order: int) -> bool:
        return len(walk.lotteries) == len(played.lotteries) and all(
            (one == two and self._is_fixed(two))
            or self._chances(one, 0) == self._chances(two, order)
            for one, two in zip(walk.lotteries, played.lotteries, strict=True)
        )

    def _is_fixed(self, lottery: Lottery) -> bool:
        """Is a lottery the same with any suits exchanged? Asked once; of a large one, a sample."""
        if id(lottery) not in self._fixed:
            chances, values = self._chances(lottery, 0), lottery.outcomes
            if len(values) > MOVED:
                values = tuple(random.Random(3).sample(values, MOVED))
            fixed = all(
                chances.get(self.symmetry.moved(value, order)) == chances[value]
                for value in values
                for order in self.symmetry.swaps
            )
            self._fixed[id(lottery)] = (lottery, fixed)
        return self._fixed[id(lottery)][1]

    def _chances(self, lottery: Lottery, order: int) -> dict[Any, Any]:
        """The chances of a lottery with suits exchanged."""
        moved, values = self.symmetry.moved, lottery.outcomes
        if order:
            values = tuple([moved(value, order) for value in values])
        return dict(zip(values, lottery.probabilities, strict=True))


def _exchanged(symmetry: Symmetry, order: int) -> str:
    names = symmetry.deck.suits
    pairs = enumerate(symmetry.suits[order])
    return ", ".join(f"{names[suit]} for {names[to]}" for suit, to in pairs if suit != to)


def _amounts(payoffs: tuple[Fraction, ...]) -> str:
    return f"({', '.join(map(str, payoffs))})"
