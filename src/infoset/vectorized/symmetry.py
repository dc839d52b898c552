"""Interchangeable suits: deals and knowledge up to permutations of suits.

A permutation of suits takes a card to a card, a hand to a hand, and so a whole deal to a deal. If
the rules treat the suits alike, what follows in the one deal follows in the other, with the cards
permuted. Then there is an equilibrium in which permuting the suits changes no strategy:
any equilibrium, averaged over all permutations, is one, since in two-player zero-sum games the
optimal strategies are a convex set. So it is enough to look for strategies that are the same at all
knowledge of a class, and to keep one deal of each class, with the weight of all of them.

A class is named by its least member: the least key among those that the permutations make of it.
Keys compare by what was dealt first, so that the beginning of a least deal is a least deal, and
classes can be found move by move. Whether the rules do treat suits alike is checked
(:mod:`infoset.vectorized.check`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from math import prod
from typing import Any

import numpy as np

from infoset.errors import TooLarge
from infoset.objects.cards import Card, Deck, Hand
from infoset.vectorized.knowledge import WIDEST, room_for
from infoset.vectorized.values import Ints, Longs, ValueColumn

MOST = 5040  # permutations

Cards = Mapping[Any, Card]  # what cards become; those that are not in it stay as they are


class Symmetry:
    """The permutations of a deck's interchangeable suits; the first one is the identity."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.suits = [_filled(partition, len(deck.suits)) for partition in _orders(deck.alike)]
        by_place = {(card.rank, card.suit): card for card in deck}
        self.cards: list[Cards] = [  # [permutation]
            {card: by_place[card.rank, permutation[card.suit]] for card in deck}
            for permutation in self.suits
        ]
        self._tables: dict[ValueColumn, Ints] = {}

    def __len__(self) -> int:
        """How many permutations there are."""
        return len(self.suits)

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """The groups of suits, by their names."""
        return tuple(tuple(self.deck.suits[suit] for suit in group) for group in self.deck.alike)

    @property
    def swaps(self) -> list[int]:
        """The permutations that exchange two suits: what is invariant under these, is under all."""
        return [
            at
            for at, suits in enumerate(self.suits)
            if sum(suit != to for suit, to in enumerate(suits)) == 2
        ]

    def __str__(self) -> str:
        return f"suits {' and '.join(map(' '.join, self.alike))} alike"

    def moved(self, value: Any, permutation: int) -> Any:
        """A value, permuted."""
        return moved(value, self.cards[permutation])

    def fixed(self, value: Any) -> bool:
        """Is a value the same under all permutations?"""
        return all(self.moved(value, permutation) == value for permutation in range(1, len(self)))

    def codes(self, column: ValueColumn) -> Ints:
        """[permutation, code] the code of the permuted value."""
        found = self._tables.get(column)
        if found is None or found.shape[1] != len(column.table):
            count = len(column.table)
            moved = [
                [column.code(self.moved(column.table[code], permutation)) for code in range(count)]
                for permutation in range(len(self))
            ]
            for code in range(count, len(column.table)):  # values that came in by permuting
                for permutation, row in enumerate(moved):
                    row.append(column.code(self.moved(column.table[code], permutation)))
            found = self._tables[column] = np.array(moved, np.int32)
        return found

    def _keys(self, columns: Sequence[Ints], facts: Sequence[ValueColumn]) -> Iterator[Longs]:
        """[permutation][row] the row's permuted values as one number; one permutation at a time."""
        tables = [self.codes(fact) for fact in facts]
        rooms = [room_for(fact) for fact in facts]
        for permutation in range(len(self)):
            key = np.zeros(len(columns[0]), np.int64)
            for table, room, column in zip(tables, rooms, columns, strict=True):
                key = key * room + table[permutation][column]
            yield key

    def _bound(self, facts: Sequence[ValueColumn]) -> int:
        """An upper bound of all keys."""
        for fact in facts:
            self.codes(fact)  # permuting may bring in values
        whole = prod(map(room_for, facts))
        if whole >= WIDEST:
            raise TooLarge(
                "too many cards are dealt one by one to fold suits; deal them as hands, or use"
                " fold=False"
            )
        return whole

    def least(self, columns: Sequence[Ints], facts: Sequence[ValueColumn]) -> tuple[Longs, int]:
        """[row] the least of its keys, and a bound on them."""
        whole = self._bound(facts)
        found: Longs | None = None
        for key in self._keys(columns, facts):
            found = key if found is None else np.minimum(found, key, out=found)
        assert found is not None
        return found, whole

    def classes(self, columns: Sequence[Ints], facts: Sequence[ValueColumn]) -> tuple[Any, Longs]:
        """[row] whether it is the least of its class, and the size of the class."""
        self._bound(facts)
        keys = self._keys(columns, facts)
        own = next(keys)
        least, same = np.ones(len(own), bool), np.ones(len(own), np.int64)
        for key in keys:
            least &= own <= key
            same += own == key
        return least, len(self) // same


def moved(value: Any, cards: Cards) -> Any:
    """A value with its cards permuted, wherever they are in it; cards of other decks stay.

    >>> swap = Symmetry(Deck(3, 2, alike=True)).cards[1]
    >>> print(moved(Hand([Card(0, 0, "J", "♠"), Card(0, 1, "J", "♥"), Card(2, 0, "K", "♠")]), swap))
    J♠ J♥ K♥
    >>> print(moved(Card(1, 0, "K", "♠"), swap))  # of a deck in which kings come second
    K♠
    """
    kind = value.__class__
    if kind is Card:
        return cards.get(value, value)
    if kind is Hand or kind is tuple or kind is frozenset:  # most hold cards, and many of them
        return kind(
            [cards.get(one, one) if one.__class__ is Card else moved(one, cards) for one in value]
        )
    return value


def _orders(alike: Iterable[tuple[int, ...]]) -> Iterable[dict[int, int]]:
    """All ways to permute some groups of suits, each within itself."""
    groups = tuple(alike)
    ways = [list(permutations(group)) for group in groups]
    count = int(np.prod([len(way) for way in ways])) if ways else 1
    if count > MOST:
        raise TooLarge(f"{count:,} permutations of suits are too many; at most {MOST:,} are taken")
    for chosen in product(*ways):
        yield {
            suit: to
            for group, permutation in zip(groups, chosen, strict=True)
            for suit, to in zip(group, permutation, strict=True)
        }


def _filled(partition: dict[int, int], suits: int) -> tuple[int, ...]:
    return tuple(partition.get(suit, suit) for suit in range(suits))
