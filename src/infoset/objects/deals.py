"""Deals that agree with what one player has seen of a trick-taking game.

Some hands are open to the player, others hidden. What is known of a hidden hand h are the cards
that it has played or shown, and from what it played: if it did not follow suit s, it had no more
cards of s. Every other card that the player has not seen lies in one of the hidden hands, which
have room for r_h of them.

**Counting.** Whether a deal agrees depends only on how many unseen cards of each suit lie in each
hand. Let u_s be the number of those of suit s. There are u_s! / Π_h a_h! ways to divide them so
that a_h lie in hand h, so that the number N of deals is, suit by suit,

    N(s, r) = Σ_a  (u_s! / Π_h a_h!)  Π_h f_h,s(a_h)  N(s + 1, r − a),

over all a with Σ a_h = u_s; f is 0 where a is impossible, and otherwise 1. A deal is drawn by the
same sums from the first suit to the last, without rejection.

**Weights.** If hidden hands play at random, deals that agree are not equally probable: who has a
singleton had no choice. Let c be the known cards of suit s that h still held when it followed suit.
It had c + a cards to choose from, so f is the product of 1 / (c + a) over these times. Leads and
discards are from a whole hand, whose size everyone knows. So these weights, too, depend on the
numbers alone, and deals are drawn by their exact probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, combinations
from math import comb, prod
from random import Random
from typing import NamedTuple

from infoset.errors import NoHistory
from infoset.objects.cards import Card, Deck, Hand
from infoset.objects.pbn import parse_deal
from infoset.objects.tricks import RANKS, SUITS, TABLE, Turns, hands_of

__all__ = [
    "Fixed",
    "Follow",
    "HiddenHands",
    "Seen",
    "deck_of",
    "fixed_hands",
    "free_cards",
    "owners_of",
    "rooms_left",
    "seen_hands",
    "whole_hands",
]

Fixed = tuple[Hand[Card] | None, ...]  # by seat: a hand that is given, or None
Split = tuple[int, ...]  # unseen cards of a suit, by hidden hand


class Follow(NamedTuple):
    """A hidden hand followed suit, or could not.

    Attributes
    ----------
    hand
        Which of the hidden hands.
    suit
        The suit led.
    known
        Its known cards of that suit at that time, the one that it played included; 0: it discarded.
    """

    hand: int
    suit: int
    known: int


class Seen(NamedTuple):
    """What is known of four hands.

    Attributes
    ----------
    known
        The cards that are known of each, in the order of the table.
    seats
        Which of them are hidden, wholly or in part.
    hidden
        How the unseen cards may lie in those.
    """

    known: tuple[tuple[Card, ...], ...]
    seats: tuple[int, ...]
    hidden: HiddenHands

    def hands(self, drawn: Sequence[Sequence[Card]]) -> tuple[Hand[Card], ...]:
        """All four hands, as they were dealt, with unseen cards as drawn."""
        more: dict[int, Sequence[Card]] = dict(zip(self.seats, drawn, strict=True))
        return tuple([Hand((*known, *more.get(seat, ()))) for seat, known in enumerate(self.known)])


def seen_hands(
    deck: Deck,
    opened: Mapping[int, Sequence[Card]],
    played: Sequence[Card],
    turns: Turns,
    shown: Mapping[int, Sequence[Card]] | None = None,
    *,
    at_random: bool = True,
) -> Seen:
    """What a player knows who has followed the play.

    Parameters
    ----------
    deck
        All cards, which were dealt to four hands of equal size.
    opened
        Whole hands, as they were dealt, by seat.
    played
        All cards played, in order.
    turns
        Before the first of them; it is brought to the end.
    shown
        Single cards of hidden hands, by seat.
    at_random
        As of :class:`HiddenHands`.

    Raises
    ------
    RulesError
        If a card is not in the deck.
    NoHistory
        If cards are known to be in two places.
    """
    known = {seat: list(opened.get(seat, (shown or {}).get(seat, ()))) for seat in range(4)}
    plays: list[tuple[int, int | None, Card]] = []
    for card in played:
        seat = turns.turn
        plays.append((seat, turns.cards[0].suit if turns.cards else None, card))
        if card not in known[seat]:
            known[seat].append(card)
        turns.play(card)
    hidden = tuple([seat for seat in range(4) if seat not in opened])
    rest, follows = deck.without(*known.values()), list[Follow]()
    if len(rest) + sum(map(len, known.values())) != len(deck):
        raise NoHistory("a card was seen in two hands")
    left = {seat: list(cards) for seat, cards in known.items()}
    for seat, led, card in plays:
        if seat in hidden and led is not None:
            count = sum(one.suit == led for one in left[seat])
            follows.append(Follow(hidden.index(seat), led, count if card.suit == led else 0))
        left[seat].remove(card)
    rooms = [len(deck) // 4 - len(known[seat]) for seat in hidden]
    ways = HiddenHands(rest, rooms, follows, at_random=at_random)
    return Seen(tuple([tuple(known[seat]) for seat in range(4)]), hidden, ways)


class HiddenHands:
    """The ways in which unseen cards may lie in hidden hands.

    Parameters
    ----------
    unseen
        The cards, all different.
    rooms
        How many of them are in each hidden hand.
    follows
        What each hand did when another one led.
    at_random
        Whether deals are weighted by how probable the cards played were, if chosen at random; else
        all that agree are equally probable.

    Examples
    --------
    Two opponents have four spades and two hearts; one of them has discarded on a spade:

    >>> from random import Random
    >>> from infoset.objects import Deck
    >>> deck = Deck()
    >>> unseen = [deck[name] for name in ("2♠", "3♠", "4♠", "5♠", "2♥", "3♥")]
    >>> hidden = HiddenHands(unseen, (3, 3), [])
    >>> hidden.count()
    20
    >>> shown = HiddenHands(unseen, (2, 4), [Follow(0, 0, 0)])
    >>> shown.count(), " | ".join(map(str, shown.draw(Random(1))))
    (1, '2♥ 3♥ | 2♠ 3♠ 4♠ 5♠')
    """

    def __init__(
        self,
        unseen: Sequence[Card],
        rooms: Sequence[int],
        follows: Sequence[Follow],
        *,
        at_random: bool = True,
    ) -> None:
        """Nothing is counted yet."""
        self.rooms = tuple(rooms)
        self.at_random = at_random
        by_suit: dict[int, list[Card]] = {}
        for card in sorted(unseen, key=lambda card: (card.suit, card)):
            by_suit.setdefault(card.suit, []).append(card)
        self._suits = list(by_suit.values())
        self._drawn: dict[tuple[int, Split], tuple[list[Split], list[float]]] = {}
        self._known: list[list[list[int]]] = [
            [
                [one.known for one in follows if (one.hand, one.suit) == (hand, suit)]
                for hand in range(len(self.rooms))
            ]
            for suit in by_suit
        ]

    def count(self) -> int:
        """The number of deals that agree."""
        return int(self._numbers[0].get(self.rooms, 0))

    def draw(self, random: Random) -> tuple[Hand[Card], ...]:
        """The unseen cards of each hidden hand.

        Raises
        ------
        NoHistory
            If no deal agrees.
        """
        rooms, hands = self.rooms, [list[Card]() for _ in self.rooms]
        if not self._weights[0].get(rooms):
            raise NoHistory("no deal agrees with the cards that were played and shown")
        for at, cards in enumerate(self._suits):
            if (at, rooms) not in self._drawn:
                splits, weights = self._choices(at, rooms)
                self._drawn[at, rooms] = splits, list(accumulate(weights))
            splits, cumulated = self._drawn[at, rooms]
            split = random.choices(splits, cum_weights=cumulated)[0]
            rooms = _less(rooms, split)
            shuffled, start = random.sample(cards, len(cards)), 0
            for hand, size in zip(hands, split, strict=True):
                hand += shuffled[start : start + size]
                start += size
        return tuple([Hand(hand) for hand in hands])

    def enumerate(self) -> Iterator[tuple[tuple[Hand[Card], ...], float]]:
        """All deals that agree, each with its probability."""
        total = self._weights[0].get(self.rooms, 0)
        for splits in self._all_splits(0, self.rooms):
            weight = prod(self._factor(at, split) for at, split in enumerate(splits))
            for hands in _divided(self._suits, splits):
                yield hands, weight / total

    # ------------------------------------------------------------------ by suits

    @cached_property
    def _numbers(self) -> list[dict[Split, float]]:
        return self._sums(lambda at, split: 1 if self._factor(at, split) else 0)

    @cached_property
    def _weights(self) -> list[dict[Split, float]]:
        return self._sums(self._factor)

    def _sums(self, factor: Callable[[int, Split], float]) -> list[dict[Split, float]]:
        """N(s, r) for each suit, and after the last one; by the rooms that may be left there."""
        sums: list[dict[Split, float]] = [{(0,) * len(self.rooms): 1}]
        for at in reversed(range(len(self._suits))):
            found: dict[Split, float] = {}
            cards = len(self._suits[at])
            for split in _splits(cards, self.rooms):
                weight = factor(at, split)
                if weight:
                    weight *= _ways(split)
                    for below, number in sums[0].items():
                        rooms = tuple([a + b for a, b in zip(split, below, strict=True)])
                        if all(map(int.__le__, rooms, self.rooms)):
                            found[rooms] = found.get(rooms, 0) + weight * number
            sums.insert(0, found)
        return sums

    def _factor(self, at: int, split: Split) -> float:
        """The weight of so many cards of a suit in each hand; 0 if they are impossible."""
        weight = 1.0
        for known, more in zip(self._known[at], split, strict=True):
            for held in known:
                if not held:
                    if more:
                        return 0.0
                elif self.at_random:
                    weight /= held + more
        return weight

    def _choices(self, at: int, rooms: Split) -> tuple[list[Split], list[float]]:
        after = self._weights[at + 1]
        found = [
            (split, self._factor(at, split) * _ways(split) * after.get(_less(rooms, split), 0))
            for split in _splits(len(self._suits[at]), rooms)
        ]
        return [split for split, _ in found], [weight for _, weight in found]

    def _all_splits(self, at: int, rooms: Split) -> Iterator[tuple[Split, ...]]:
        if at == len(self._suits):
            yield ()
            return
        splits, weights = self._choices(at, rooms)
        for split, weight in zip(splits, weights, strict=True):
            if weight:
                for rest in self._all_splits(at + 1, _less(rooms, split)):
                    yield split, *rest


def _splits(cards: int, rooms: Split) -> Iterator[Split]:
    """All ways to divide a number of cards among hands with so much room."""
    if len(rooms) == 1:
        if cards <= rooms[0]:
            yield (cards,)
        return
    for here in range(min(cards, rooms[0]) + 1):
        for rest in _splits(cards - here, rooms[1:]):
            yield here, *rest


def _less(rooms: Split, split: Split) -> Split:
    return tuple([room - taken for room, taken in zip(rooms, split, strict=True)])


def _ways(split: Split) -> int:
    """The number of ways to choose which cards lie where."""
    ways, left = 1, sum(split)
    for size in split:
        ways *= comb(left, size)
        left -= size
    return ways


def _divided(
    suits: Sequence[Sequence[Card]], splits: Sequence[Split]
) -> Iterator[tuple[Hand[Card], ...]]:
    """All deals in which so many cards of each suit lie in each hand."""
    if not suits:
        yield ()
        return
    for below in _divided(suits[1:], splits[1:]) if len(suits) > 1 else [()]:
        for parts in _parts(tuple(suits[0]), splits[0]):
            if not below:
                yield tuple([Hand(part) for part in parts])
            else:
                yield tuple([Hand((*part, *more)) for part, more in zip(parts, below, strict=True)])


def _parts(cards: tuple[Card, ...], split: Split) -> Iterator[tuple[tuple[Card, ...], ...]]:
    if len(split) == 1:
        yield (cards,)
        return
    for first in combinations(cards, split[0]):
        rest = tuple([card for card in cards if card not in first])
        for others in _parts(rest, split[1:]):
            yield first, *others


# ---------------------------------------------------------------------- fixed hands


def deck_of(ranks: int, suits: int) -> Deck:
    """The deck: the highest ranks, ♠ ♥ ♦ ♣ as far as there are so many suits."""
    return Deck(RANKS[-ranks:], SUITS[:suits])


@lru_cache(maxsize=64)
def fixed_hands(deal: str, ranks: int, suits: int) -> Fixed:
    """The hands that a deal in the notation of PBN gives, in the order of the table.

    Examples
    --------
    >>> [str(hand) for hand in fixed_hands("N:AJ. - K.A -", 4, 2)]
    ['J♠ A♠', 'None', 'K♠ A♥', 'None']
    """
    return parse_deal(deal, deck_of(ranks, suits)) if deal else (None,) * 4


def free_cards(deck: Deck, fixed: Sequence[Hand[Card] | None]) -> tuple[Card, ...]:
    """The cards that are dealt at random."""
    return deck.without(*[hand for hand in fixed if hand is not None])


def rooms_left(
    fixed: Sequence[Hand[Card] | None], owners: Sequence[str], tricks: int
) -> tuple[int, ...]:
    """How many cards each hand still gets."""
    return tuple(
        [
            0 if hand is not None else tricks - owners.count(seat)
            for seat, hand in zip(TABLE, fixed, strict=True)
        ]
    )


def whole_hands(
    fixed: Sequence[Hand[Card] | None], free: Sequence[Card], owners: Sequence[str]
) -> tuple[Hand[Card], ...]:
    """Those that are given, and those that were dealt."""
    dealt = hands_of(free, owners)
    return tuple([one if one is not None else two for one, two in zip(fixed, dealt, strict=True)])


def owners_of(
    hands: Sequence[Hand[Card]], fixed: Sequence[Hand[Card] | None], deck: Deck
) -> Iterator[str]:
    """The chance moves that lead to these hands, by :func:`~infoset.objects.tricks.next_owner`."""
    owner = {card: seat for seat, hand in zip(TABLE, hands, strict=True) for card in hand}
    owners: list[str] = []
    for card in free_cards(deck, fixed):
        if sum(map(bool, rooms_left(fixed, owners, len(deck) // 4))) > 1:
            yield owner[card]
        owners.append(owner[card])
