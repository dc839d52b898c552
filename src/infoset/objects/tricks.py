"""Tricks: what whist, bridge and their relatives share, from the deal to who takes a trick.

Four sit at a table, clockwise, and partners face each other. A card is led, the others follow suit
if they can, and the highest trump takes the trick, or else the highest card of the suit led; who
takes it leads the next. Suits are numbers, as in :class:`~infoset.objects.cards.Card`; no trumps
is None.

A full deck has too many deals for one chance move, 52! / 13!⁴ = 5.4 · 10²⁸. :func:`next_owner`
deals card by card, in the order of the deck: each goes to a hand with a probability in proportion
to the room there. So every deal is one history and as probable as any other, and none of these
chance moves has more than four outcomes. (In the order of a real deal, card by card to each hand in
turn, a deal would be 13!⁴ histories.)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from infoset.objects.cards import Card, Hand

__all__ = [
    "PARTNERSHIPS",
    "RANKS",
    "SUITS",
    "TABLE",
    "Turns",
    "cards_chosen",
    "cards_played",
    "comparable",
    "followers",
    "hands_of",
    "next_owner",
    "partnership",
    "trick_taker",
    "without",
]

TABLE = ("north", "east", "south", "west")  # clockwise
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")  # the ace is high
SUITS = "♠♥♦♣"  # in the order of a deck's suits
PARTNERSHIPS = {"north-south": ("north", "south"), "east-west": ("east", "west")}


class DealingPlay(Protocol):
    """What dealing asks of the play: :class:`infoset.Play` has it."""

    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """Draw an outcome."""


def partnership(seat: int) -> str:
    """The side of a seat, by its place at the table.

    Examples
    --------
    >>> [partnership(seat) for seat in range(4)]
    ['north-south', 'east-west', 'north-south', 'east-west']
    """
    return "east-west" if seat % 2 else "north-south"


def followers(hand: Sequence[Card], cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that may be played, each kind once: of the suit led, if there are any.

    Examples
    --------
    >>> from infoset.objects import Deck
    >>> deck = Deck(3, 2)
    >>> print(*followers(deck, [deck["K♥"]]))
    J♥ Q♥ K♥
    """
    led = cards[0].suit if cards else None
    return tuple(dict.fromkeys(card for card in hand if card.suit == led) or dict.fromkeys(hand))


def without(hand: Sequence[Card], card: Card) -> Hand[Card]:
    """The hand after one card was played."""
    at = hand.index(card)
    return Hand((*hand[:at], *hand[at + 1 :]))


def trick_taker(cards: Sequence[Card], trump: int | None) -> int:
    """Which card takes the trick; of equal cards the first counts, as ``max`` keeps the first.

    Parameters
    ----------
    cards
        Those of the trick, the one led first.
    trump
        The suit, or None.

    Examples
    --------
    >>> from infoset.objects import Deck
    >>> deck = Deck(3, 2)
    >>> trick = [deck["Q♥"], deck["K♥"], deck["J♠"]]
    >>> trick_taker(trick, trump=None), trick_taker(trick, trump=0)
    (1, 2)
    """
    led = cards[0].suit

    def strength(at: int) -> tuple[bool, bool, int]:
        card = cards[at]
        return card.suit == trump, card.suit == led, card.rank

    return max(range(len(cards)), key=strength)


def comparable(
    hands: Sequence[Sequence[Card]], turn: int, cards: Sequence[Card], trump: int | None
) -> Hashable:
    """What matters of a position when all cards are open, for partition search.

    What was played before does not matter, nor do ranks as such, only how the cards that are left
    compare: the ranks of a suit that are still held, or win the trick so far, are numbered from the
    lowest. Legal moves depend on suits, and who takes a trick on comparisons within a suit and on
    which suit it is; so positions that are equal in this play alike, move by move. Of the cards on
    the table only the suit led and the one that wins so far count.

    Parameters
    ----------
    hands, turn
        What is held, in the order of ``TABLE``, and whose turn it is.
    cards
        Those of the trick in progress.
    trump
        The suit, or None.
    """
    best = trick_taker(cards, trump) if cards else None
    counted = {card for hand in hands for card in hand}
    if best is not None:
        counted.add(cards[best])
    below: dict[int, int] = {}  # by suit: the ranks numbered so far
    number: dict[Card, tuple[int, int]] = {}
    for card in sorted(counted, key=lambda card: card.rank):
        number[card] = card.suit, below.get(card.suit, 0)
        below[card.suit] = below.get(card.suit, 0) + 1
    held = tuple(tuple(sorted(number[card] for card in hand)) for hand in hands)
    if best is None:
        return held, turn
    return held, turn, len(cards), cards[0].suit, best, number[cards[best]]


class Turns:
    """Whose turn it is, card by card: what all can follow of the play.

    Parameters
    ----------
    leader
        Who leads to the first trick, by its place at the table.
    trump
        The suit, or None.

    Attributes
    ----------
    turn : int
        Whose turn it is.
    cards : tuple of Card
        Those of the trick in progress.
    taken : list of int
        Who took each trick.

    Examples
    --------
    >>> from infoset.objects import Deck
    >>> turns = Turns(1, None)
    >>> for card in Deck(4, 1):
    ...     turns.play(card)
    >>> turns.turn, turns.taken
    (0, [0])
    """

    def __init__(self, leader: int, trump: int | None) -> None:
        """Before the first card."""
        self.turn = leader
        self.trump = trump
        self.cards: tuple[Card, ...] = ()
        self.taken: list[int] = []

    def play(self, card: Card) -> None:
        """The next card."""
        self.cards, self.turn = (*self.cards, card), (self.turn + 1) % 4
        if len(self.cards) == 4:
            self.turn = (self.turn + trick_taker(self.cards, self.trump)) % 4
            self.taken.append(self.turn)
            self.cards = ()


def cards_chosen(
    hands: Sequence[Sequence[Card]], turns: Turns, cards: Iterable[Card]
) -> Iterator[Card]:
    """Of all cards played, those that were chosen: where another one was allowed.

    Examples
    --------
    >>> from infoset.objects import Deck
    >>> deck = Deck(4, 2)
    >>> hands = [deck[at : at + 2] for at in (0, 2, 4, 6)]
    >>> print(*cards_chosen(hands, Turns(0, None), [deck[at] for at in (0, 2, 4, 6)]))
    10♠
    """
    held = [list(hand) for hand in hands]
    for card in cards:
        hand = held[turns.turn]
        if len(followers(hand, turns.cards)) > 1:
            yield card
        hand.remove(card)
        turns.play(card)


def cards_played(
    hands: Sequence[Sequence[Card]], turns: Turns, chosen: Iterable[Card]
) -> Iterator[Card]:
    """All cards played where these were chosen: the reverse of :func:`cards_chosen`.

    It goes on to the next choice that is not given, or to the end.
    """
    held, given = [list(hand) for hand in hands], iter(chosen)
    while hand := held[turns.turn]:
        allowed = followers(hand, turns.cards)
        card = allowed[0] if len(allowed) == 1 else next(given, None)
        if card is None:
            return
        yield card
        hand.remove(card)
        turns.play(card)


def next_owner(g: DealingPlay, rooms: Sequence[int]) -> str:
    """Deal the next card of the deck: who gets it.

    Parameters
    ----------
    g
        The play.
    rooms
        How many cards each hand still gets, in the order of ``TABLE``.

    Returns
    -------
    str
        The seat. If only one hand has room, it is no chance move.
    """
    able = [seat for seat, room in enumerate(rooms) if room]
    if len(able) == 1:
        return TABLE[able[0]]
    owner: str = g.chance([TABLE[seat] for seat in able], [rooms[seat] for seat in able])
    return owner


def hands_of(deck: Iterable[Card], owners: Iterable[str]) -> tuple[Hand[Card], ...]:
    """The hands that were dealt, in the order of ``TABLE``, by the owner of each card.

    Examples
    --------
    >>> from infoset.objects import Deck
    >>> hands = hands_of(Deck(4, 1), ["west", "north", "south", "east"])
    >>> print(*hands)
    J K Q 10
    """
    hands: dict[str, list[Card]] = {seat: [] for seat in TABLE}
    for card, owner in zip(deck, owners, strict=True):
        hands[owner].append(card)
    return tuple([Hand(hand) for hand in hands.values()])
