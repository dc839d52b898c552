"""Cards, decks and hands.

A card is a rank and a suit, both counted from 0, with the names that people read. Cards compare by
rank and then by suit, so that ``max(hand)`` and ``mine > yours`` say what they mean; a game in
which suits do not count compares ``mine.rank > yours.rank``. A deck is the product ranks × suits,
from low to high, with the suits of one rank side by side. These are the deck and the deal of
Gala's poker family (Koller & Pfeffer 1997), whose parameters are the numbers of ranks and suits.

Rules are run once for every leaf of the tree, so a deck is built once per process and then looked
up, and so is what remains of it without given cards.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, SupportsIndex, TypeVar, final, overload

from infoset.errors import RulesError
from infoset.objects.vectorized import VectorizedValue, first_vectorized

__all__ = ["Card", "Deck", "Hand"]

T = TypeVar("T")

_COURT = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SUITS = "♠♥♦♣"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MOST = 100_000  # ranks or suits of a deck
_REMEMBERED = 1 << 15  # remainders kept per deck: some MB for a full deck, enough for small games


class Card(NamedTuple):
    """A playing card: its place in the order of ranks and of suits, and the names of both.

    Attributes
    ----------
    rank
        Counted from 0, low to high.
    suit
        Counted from 0, low to high.
    rank_name
        What people read.
    suit_name
        Likewise; a suit without a name is not written.

    Examples
    --------
    >>> low, high = Card(0, 1, "J", "♥"), Card(2, 0, "K", "♠")
    >>> print(max(low, high), high.rank, high.suit_name)
    K♠ 2 ♠
    >>> high
    Card(2, 0, 'K', '♠')
    """

    rank: int
    suit: int
    rank_name: str
    suit_name: str = ""

    def __str__(self) -> str:
        return self.rank_name + self.suit_name

    def __repr__(self) -> str:
        return f"Card({self.rank}, {self.suit}, {self.rank_name!r}, {self.suit_name!r})"


class Hand(tuple[T, ...]):
    """Cards, or other values, held together; equal to the plain tuple of them.

    Cards are put in the order of the deck, so that the same cards make the same hand in whatever
    order they came; other values stay in the order given.

    Examples
    --------
    >>> deck = Deck(3, 2)
    >>> print(Hand([deck["K♥"], deck["J♠"]]))
    J♠ K♥
    """

    __slots__ = ()

    def __new__(cls, cards: Iterable[T] = ()) -> Hand[T]:
        """The cards as a hand."""
        # A card is a tuple too; taken for a sequence, its rank and suit would become the hand.
        if cards.__class__ is Card:
            raise RulesError(f"Hand({cards}) is given a single card; write Hand([card])")
        held: Sequence[Any] = tuple(cards)
        for card in held:
            if card.__class__ is VectorizedValue:
                hand: Hand[T] = card._run.lift(_hand, cls, *held)
                return hand
        if held and held[0].__class__ is Card:
            held = sorted(held)
        return tuple.__new__(cls, held)

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"Hand({tuple(self)!r})"


def _hand(kind: type[Hand[T]], *cards: T) -> Hand[T]:
    return kind(cards)


@final
class Deck(tuple[Card, ...]):
    """All cards of some ranks and suits, from low to high, the suits of a rank side by side.

    The same arguments give the same object:

    - ``ranks``: their number or their names, low to high. Up to twelve ranks are the highest of
      2 … 10 J Q K, thirteen end with the ace, more are numbered from 1.
    - ``suits``: their number or their names, low to high. Up to four suits are ♠ ♥ ♦ ♣, more are
      a, b, c …; a single suit that is not named is not written, so that the cards of
      ``Deck(3, 1)`` read J, Q, K.
    - ``alike``: declares that the rules treat suits as interchangeable: True for all of them, or
      groups of their names. Public forms fold such suits (:mod:`infoset.vectorized.symmetry`), and
      whether the rules keep to it is checked.

    Raises
    ------
    RulesError
        If there are no ranks or suits, or two cards would read the same.

    Examples
    --------
    >>> print(Deck(3, 2))
    J♠ J♥ Q♠ Q♥ K♠ K♥
    >>> Deck(3, 2)["Q♥"].rank
    1
    >>> print(Deck()["10♥"], Deck()["T♥"])
    10♥ 10♥
    >>> len(Deck()), str(max(Deck()))
    (52, 'A♣')
    >>> Deck("JQK", ["red", "black"])
    Deck(3, ('red', 'black'))
    """

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    alike: tuple[tuple[int, ...], ...]  # groups of interchangeable suits
    _hash: int
    _by_text: dict[str, Card]
    _bits: dict[Card, int]  # one for each card, so that a set of cards is an integer
    _remainders: dict[int, tuple[Card, ...]]  # by the set of cards that were taken out

    def __new__(
        cls,
        ranks: int | Sequence[object] = 13,
        suits: int | Sequence[object] = 4,
        *,
        alike: bool | Sequence[Sequence[str]] = False,
    ) -> Deck:
        """The deck of these ranks and suits, made the first time it is asked for."""
        try:
            return _decks[ranks, suits, alike]
        except (KeyError, TypeError):  # TypeError: names in a list, which has no hash
            rank_names = _names(ranks, "ranks", _standard_ranks)
            suit_names = _names(suits, "suits", _standard_suits)
        groups = _alike(alike, suit_names)
        # However it was asked for, a deck is kept once, under its names and what is alike in it.
        deck = _decks.get((rank_names, suit_names, groups))
        if deck is None:
            deck = cls._make(rank_names, suit_names, groups)
            _decks[rank_names, suit_names, groups] = deck
        if all(isinstance(one, Hashable) for one in (ranks, suits, alike)):
            with suppress(TypeError):
                _decks[ranks, suits, alike] = deck
        return deck

    @classmethod
    def _make(
        cls, ranks: tuple[str, ...], suits: tuple[str, ...], alike: tuple[tuple[int, ...], ...]
    ) -> Deck:
        deck = tuple.__new__(
            cls,
            [
                Card(rank, suit, rank_name, suit_name)
                for rank, rank_name in enumerate(ranks)
                for suit, suit_name in enumerate(suits)
            ],
        )
        deck.ranks = ranks
        deck.suits = suits
        deck.alike = alike
        deck._hash = tuple.__hash__(deck)
        deck._by_text = {}
        deck._bits = {card: 1 << at for at, card in enumerate(deck)}
        deck._remainders = {}
        for card in deck:
            text = str(card)
            if text in deck._by_text:
                raise RulesError(f"two cards of the deck both read {text!r}; rename a rank or suit")
            deck._by_text[text] = card
        return deck

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Card: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[Card, ...]: ...
    @overload
    def __getitem__(self, key: str, /) -> Card: ...
    def __getitem__(self, key: SupportsIndex | slice | str, /) -> Card | tuple[Card, ...]:
        if not isinstance(key, str):
            return tuple.__getitem__(self, key)
        found = self._by_text.get(key)
        if found is None and key.startswith("T"):  # as tables show a ten
            found = self._by_text.get(f"10{key[1:]}")
        if found is not None:
            return found
        suits = f" followed by one of {' '.join(self.suits)}" if any(self.suits) else ""
        raise RulesError(
            f"no card {key!r} in {self!r}; a card is one of {' '.join(self.ranks)}{suits}"
        )

    def without(self, *taken: Card | Iterable[Card]) -> tuple[Card, ...]:
        """What remains, in order, when these cards and hands are taken out.

        Parameters
        ----------
        taken
            Cards and hands of this deck, plain or vectorized.

        Returns
        -------
        tuple of Card
            The others.

        Raises
        ------
        RulesError
            If a card is not in this deck.

        Examples
        --------
        >>> deck = Deck(3, 2)
        >>> print(*deck.without(deck["J♠"], Hand([deck["K♠"], deck["K♥"]])))
        J♥ Q♠ Q♥
        """
        found = first_vectorized(taken)
        if found is not None:
            rest: tuple[Card, ...] = found._run.lift(self._without, *taken)
            return rest
        return self._without(*taken)

    def _without(self, *taken: Card | Iterable[Card]) -> tuple[Card, ...]:
        """The same of plain cards; what remains is the same object, if it is still remembered."""
        bits, gone = self._bits, 0
        try:
            for item in taken:
                if isinstance(item, Card):
                    gone |= bits[item]
                else:
                    for card in item:
                        gone |= bits[card]
        except KeyError as strange:
            raise RulesError(
                f"{strange.args[0]} is not a card of {self!r}; take out only its own cards"
            ) from None
        rest = self._remainders.get(gone)
        if rest is None:
            if len(self._remainders) >= _REMEMBERED:
                self._remainders.clear()
            rest = tuple([card for card, bit in bits.items() if not gone & bit])
            self._remainders[gone] = rest
        return rest

    def __hash__(self) -> int:
        return self._hash  # the same as the plain tuple's, which would visit every card

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        ranks = _shortest(self.ranks, _standard_ranks)
        alike = ""
        if self.alike:
            groups = [tuple(self.suits[suit] for suit in group) for group in self.alike]
            alike = f", alike={True if groups == [self.suits] else tuple(groups)!r}"
        return f"Deck({ranks}, {_shortest(self.suits, _standard_suits)}{alike})"

    def __reduce__(self) -> tuple[Any, ...]:
        groups = tuple(tuple(self.suits[suit] for suit in group) for group in self.alike)
        return _rebuilt, (self.ranks, self.suits, groups)


_decks: dict[tuple[Hashable, Hashable, Hashable], Deck] = {}


def _rebuilt(
    ranks: tuple[str, ...], suits: tuple[str, ...], alike: tuple[tuple[str, ...], ...]
) -> Deck:
    return Deck(ranks, suits, alike=alike)


def _alike(
    given: bool | Sequence[Sequence[str]], suits: tuple[str, ...]
) -> tuple[tuple[int, ...], ...]:
    """Groups of two suits or more, by their numbers."""
    if given is True:
        return (tuple(range(len(suits))),) if len(suits) > 1 else ()
    if not given:
        return ()
    groups_of_names = isinstance(given, Sequence) and not isinstance(given, str)
    if not groups_of_names or any(not isinstance(one, Sequence) or len(one) < 2 for one in given):
        raise RulesError(
            f"alike={given!r:.60} has no groups of suits; write True for all of them, or groups of"
            " two or more, such as (('♠', '♥'),)"
        )
    groups = []
    for group in given:
        for name in group:
            if name not in suits:
                raise RulesError(f"alike={given!r}: no suit {name!r}; there are {' '.join(suits)}")
        groups.append(tuple(suits.index(name) for name in group))
    named = [suit for group in groups for suit in group]
    if len(set(named)) < len(named):
        raise RulesError(f"alike={given!r}: a suit is named twice")
    return tuple(groups)


def _standard_ranks(number: int) -> tuple[str, ...]:
    if number <= len(_COURT):
        return _COURT[len(_COURT) - number :]
    if number == len(_COURT) + 1:
        return (*_COURT, "A")
    return tuple(map(str, range(1, number + 1)))


def _standard_suits(number: int) -> tuple[str, ...]:
    if number == 1:
        return ("",)
    if number > len(_LETTERS):
        raise RulesError(f"suits={number} is more than there are letters; give the suits' names")
    return tuple(_SUITS[:number] if number <= len(_SUITS) else _LETTERS[:number])


def _names(
    given: int | Sequence[object], what: str, standard: Callable[[int], tuple[str, ...]]
) -> tuple[str, ...]:
    if isinstance(given, Iterable):
        names = tuple(map(str, given))
    elif _is_whole(given) and given > _MOST:
        raise RulesError(f"a deck of {given:,} {what} is too large; at most {_MOST:,} are taken")
    elif _is_whole(given) and given > 0:
        names = standard(int(given))
    else:
        raise RulesError(f"{what}={given!r} of a deck is neither a number from 1 up nor names")
    if not names:
        raise RulesError(f"a deck with no {what} has no cards; give at least one name")
    if len(set(names)) < len(names):
        name = next(name for name in names if names.count(name) > 1)
        raise RulesError(f"{name!r} is twice among the {what} of a deck; name each one once")
    return names


def _is_whole(number: object) -> bool:
    return isinstance(number, SupportsIndex) or (isinstance(number, float) and number.is_integer())


def _shortest(names: tuple[str, ...], standard: Callable[[int], tuple[str, ...]]) -> str:
    """The shortest argument of Deck that stands for these names."""
    number = len(names)
    if (number <= len(_LETTERS) or standard is _standard_ranks) and names == standard(number):
        return str(number)
    text = "".join(names)
    return repr(text) if tuple(text) == names else repr(names)
