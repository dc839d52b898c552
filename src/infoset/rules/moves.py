"""Moves and payoffs, checked and made exact: menus of players, lotteries of chance, final payoffs.

A *menu* is the tuple of options that a player is offered. A *lottery* is chance's counterpart:
outcomes with probabilities that sum to one exactly. The functions here check what the rules hand
in, and say in one line what is wrong with it; where in the play it happened is added by
:func:`infoset.rules.running.errors_located`. :class:`Lotteries` is the table of the different
lotteries of a game.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set, Sized
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, repeat
from math import comb, lcm
from typing import Any, NamedTuple

from infoset.errors import RulesError, TooLarge
from infoset.objects.cards import Deck, Hand
from infoset.objects.dice import rolls
from infoset.objects.numbers import exact
from infoset.rules.seats import Seats

Menu = tuple[Hashable, ...]
Payoffs = tuple[Fraction | int, ...]  # one number a player, in the order of the players


class Ending(tuple[Fraction | int, ...]):
    """Payoffs that end the game: what g.win and g.end return, told from any other tuple."""

    __slots__ = ()


CHANCE = -1  # instead of a player's number: chance moves here
LEAF = -2  # instead of a player's number: the game is over here

MOST_OUTCOMES = 5_000_000  # of one chance move; a deal beyond this could not be held in memory


class Lottery(NamedTuple):
    """A chance move: outcomes, and probabilities that sum to one."""

    outcomes: Menu
    probabilities: tuple[Fraction, ...]


def text_for_list(what: str, given: object) -> str:
    """The message where a list is wanted and text is given: are its letters meant, or all of it?"""
    return f"the {what} are the text {given!r}; list them, or write ({given!r},) for one"


def as_menu(options: object, what: str = "options") -> Menu:
    """The options as a tuple, in their own order; a set's are put in the order of their text."""
    if isinstance(options, tuple):
        return options
    if type(options) is list and len(options) <= MOST_OUTCOMES:
        return tuple(options)
    if isinstance(options, str | bytes):
        raise RulesError(text_for_list(what, options))
    if isinstance(options, Sized) and len(options) > MOST_OUTCOMES:
        raise TooLarge(f"{len(options):,} {what} are too many; at most {MOST_OUTCOMES:,} are taken")
    if isinstance(options, Set) and not isinstance(options, Mapping):
        return tuple(sorted(options, key=repr))  # a set has no order that could be repeated
    if not isinstance(options, Iterable):
        raise RulesError(f"{what} must be a sequence, not {options!r}")
    return tuple(options)


def check_menu(menu: Menu) -> None:
    """Refuse a menu that is empty, or that holds an unhashable option or one twice."""
    try:
        if 0 < len(set(menu)) == len(menu):
            return
    except TypeError:
        pass
    raise _refused(menu)


def _refused(menu: Menu) -> RulesError:
    """What is wrong with a menu."""
    seen = set()
    for option in menu:
        try:
            again = option in seen
        except TypeError:
            return RulesError(
                f"the option {option!r} is not hashable; use a tuple instead of a list or dict"
            )
        if again:
            return RulesError(f"the option {option!r} is offered twice")
        seen.add(option)
    return RulesError("no options to choose from; a player without a move should not be asked")


def plain_terms(outcomes: object, weights: object) -> tuple[object, object]:
    """The outcomes and the weights of a chance move, apart; iterators are read once.

    >>> plain_terms({"heads": 1, "tails": 2}, None)
    (('heads', 'tails'), (1, 2))
    """
    if isinstance(outcomes, Mapping):
        if weights is not None:
            as_lottery(outcomes, weights)  # says that there are two sets of weights
        return tuple(outcomes), tuple(outcomes.values())
    if weights is not None and type(weights) is not tuple and isinstance(weights, Iterable):
        return outcomes, tuple(weights)
    return outcomes, weights


def as_lottery(outcomes: object, weights: object = None) -> Lottery:
    """A lottery from outcomes and weights; equal outcomes are one, those of weight 0 are left out.

    Examples
    --------
    >>> as_lottery("win lose draw".split(), (1, 1, 2)).probabilities
    (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
    >>> as_lottery({"rain": 0.3, "sun": 0.7}).probabilities
    (Fraction(3, 10), Fraction(7, 10))
    """
    if weights is None and not isinstance(outcomes, Mapping):
        outcomes = as_menu(outcomes, "outcomes")  # once: it may be a generator
        alike = _all_alike(outcomes)
        if alike is not None:
            return alike
    values, sizes = weighed(outcomes, weights)
    under = lcm(*{size.denominator for size in sizes})
    total: dict[Hashable, int] = {}
    for value, size in zip(values, sizes, strict=True):
        if not size:
            continue
        try:
            total[value] = total.get(value, 0) + size.numerator * (under // size.denominator)
        except TypeError:
            raise RulesError(
                f"the outcome {value!r} is not hashable; use a tuple instead of a list or dict"
            ) from None
    whole = sum(total.values())
    probability = {size: Fraction(size, whole) for size in set(total.values())}
    return Lottery(tuple(total), tuple([probability[size] for size in total.values()]))


def _all_alike(values: Menu) -> Lottery | None:
    """Different, equally likely outcomes: the most frequent case, without arithmetic."""
    try:
        different = len(set(values)) == len(values) > 0
    except TypeError:
        return None
    return Lottery(values, _equal_parts(len(values))) if different else None


@lru_cache(maxsize=64)
def _equal_parts(count: int) -> tuple[Fraction, ...]:
    """The probabilities of so many equally likely outcomes."""
    return (Fraction(1, count),) * count


def weighed(outcomes: object, weights: object = None) -> tuple[Menu, list[Fraction | int]]:
    """Outcomes as they are listed, each with its weight; at least one of them is possible."""
    if isinstance(outcomes, Mapping):
        if weights is not None:
            raise RulesError("the outcomes carry their weights already; leave out weights=")
        weights = tuple(outcomes.values())
    values = as_menu(outcomes, "outcomes")
    if not values:
        raise RulesError("a chance move needs at least one outcome")
    sizes: list[Fraction | int] = [1] * len(values)
    if weights is not None:
        sizes = _weights(weights, len(values))
    if not any(sizes):
        raise RulesError(f"the weights {weights!r} are all zero; one outcome must be possible")
    return values, sizes


def _weights(weights: object, count: int) -> list[Fraction | int]:
    if isinstance(weights, str) or not isinstance(weights, Iterable):
        raise RulesError(f"weights must be a sequence of numbers, not {weights!r}")
    sizes = [weight if type(weight) is int else exact(weight) for weight in weights]
    if len(sizes) != count:
        raise RulesError(f"{len(sizes)} weights for {count} outcomes; give one for each")
    for size in sizes:
        if size < 0:
            raise RulesError(f"the weight {size} is negative")
    return sizes


def deal_lottery(deck: object, sizes: tuple[int, ...], as_hands: bool) -> Lottery:
    """All ways to deal hands of these sizes, one after the other, from the top of a shuffled deck.

    A hand is a set of cards, kept in the deck's order. Equal cards are indistinguishable: such
    deals are one outcome with the weight of all of them. A hand of one card is that card, unless
    ``as_hands``.

    Examples
    --------
    >>> deal_lottery(("J", "Q"), (1, 1), False).outcomes
    (('J', 'Q'), ('Q', 'J'))
    """
    cards, ways = _checked_deal(deck, sizes)
    if ways > MOST_OUTCOMES:
        raise TooLarge(
            f"a deal of {sum(sizes)} of {len(cards)} cards into {len(sizes)} hands has {ways:,}"
            f" outcomes, over {MOST_OUTCOMES:,}; deal fewer cards, or from a smaller deck"
        )
    try:
        return _deal_lottery(cards, kinds(cards), sizes, as_hands, ways)
    except TypeError:
        raise RulesError("a card in the deck is not hashable; use tuples for cards") from None


def _checked_deal(deck: object, sizes: tuple[int, ...]) -> tuple[Menu, int]:
    """The cards of a deck, and how many ways there are to deal hands of these sizes."""
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            raise RulesError(f"a hand's size must be a whole number from 0, not {size!r}")
    if not sizes:
        raise RulesError("say how many cards to deal: g.deal(deck, 1, 1) deals two hands of one")
    cards = as_menu(deck, "cards")
    if sum(sizes) > len(cards):
        raise RulesError(f"{sum(sizes)} cards to deal, but only {len(cards)} in the deck")
    ways, left = 1, len(cards)
    for size in sizes:
        ways, left = ways * comb(left, size), left - size
    return cards, ways


class DealsByNumber(Sequence[Any]):
    """The outcomes of :func:`deal_lottery` for different cards, each made when it is asked for.

    They are in the same order, and there may be more of them than can be listed.

    >>> deals = DealsByNumber(Deck(13, 4), (5, 5), False)
    >>> len(deals), str(deals[10**12][0])
    (3986646103440, '2♦ 6♣ 7♥ 10♦ A♠')
    """

    def __init__(self, deck: object, sizes: tuple[int, ...], as_hands: bool) -> None:
        """As for :func:`deal_lottery`."""
        self._cards, self._ways = _checked_deal(deck, sizes)
        self._sizes, self._as_hands = sizes, as_hands

    @property
    def apply(self) -> bool:
        """Are the cards different, so that all deals are, and not too many for :func:`len`?"""
        if self._ways > sys.maxsize:
            return False
        with suppress(TypeError):  # an unhashable card is refused where deals are listed
            return isinstance(self._cards, Deck) or len(set(self._cards)) == len(self._cards)
        return False

    @property
    def hand_ways(self) -> list[int]:
        """[hand] in how many ways it can be dealt, after the hands before it."""
        left, found = len(self._cards), []
        for size in self._sizes:
            found.append(comb(left, size))
            left -= size
        return found

    def __len__(self) -> int:
        return self._ways

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < self._ways:
            raise IndexError(number)
        taken: list[int] = []  # places in the deck, in increasing order
        ways, hands = self._ways, []
        for size, here in zip(self._sizes, self.hand_ways, strict=True):
            ways //= here
            which, number = divmod(number, ways)
            places = _combination(len(self._cards) - len(taken), size, which)
            places = [_among_left(place, taken) for place in places]
            taken = sorted([*taken, *places])
            cards = [self._cards[place] for place in places]
            hands.append(cards[0] if size == 1 and not self._as_hands else Hand(cards))
        return hands[0] if len(hands) == 1 else tuple(hands)


def _among_left(place: int, taken: list[int]) -> int:
    """A place among those that are left, as one among all."""
    for gone in taken:
        place += gone <= place
    return place


def _combination(count: int, size: int, number: int) -> list[int]:
    """The combination of this number, of ``size`` of ``count`` places, in lexicographic order."""
    if size == 1:
        return [number]
    places: list[int] = []
    place = 0
    while len(places) < size:
        beginning = comb(count - place - 1, size - len(places) - 1)  # with this place next
        if number < beginning:
            places.append(place)
        else:
            number -= beginning
        place += 1
    return places


def kinds(values: Menu) -> tuple[type, ...]:
    """The types of some values, to distinguish 1 from True where they are looked up."""
    return tuple(map(type, values))


@lru_cache(maxsize=1024)
def _deal_lottery(
    deck: Menu, _types: tuple[type, ...], sizes: tuple[int, ...], as_hands: bool, ways: int
) -> Lottery:
    distinct = len(set(deck)) == len(deck)
    if not distinct:  # equal cards side by side, so that equal hands are equal tuples
        deck = tuple(sorted(deck, key=deck.index))
    single = [size == 1 and not as_hands for size in sizes]
    deals: Iterable[Any] = permutations(deck, len(sizes))
    if not all(single):
        made = [_Made(deck, alone) for alone in single]  # a hand comes in many deals
        deals = _deals(tuple(range(len(deck))), sizes, made)
    if len(sizes) == 1:
        deals = (hands[0] for hands in deals)
    if distinct:
        return Lottery(tuple(deals), (Fraction(1, ways),) * ways)
    counts = Counter(deals)
    return Lottery(tuple(counts), tuple(Fraction(count, ways) for count in counts.values()))


class _Made(dict[tuple[int, ...], Any]):
    """Hands by the places of their cards in the deck, each made once."""

    def __init__(self, deck: Menu, alone: bool) -> None:
        super().__init__()
        self._deck, self._alone = deck, alone

    def __missing__(self, places: tuple[int, ...]) -> Any:
        cards = [self._deck[place] for place in places]
        hand = self[places] = cards[0] if self._alone else Hand(cards)
        return hand


def _deals(
    cards: tuple[int, ...], sizes: Sequence[int], made: Sequence[_Made]
) -> Iterator[tuple[Any, ...]]:
    """All deals of some cards, by their places, into hands of these sizes."""
    if len(sizes) == 1:  # without a step of the interpreter for each: there may be millions
        yield from zip(map(made[0].__getitem__, combinations(cards, sizes[0])), strict=False)
        return
    for places in combinations(cards, sizes[0]):
        taken, hand = set(places), made[0][places]
        rest = tuple([card for card in cards if card not in taken])
        if len(sizes) == 2:
            others = map(made[1].__getitem__, combinations(rest, sizes[1]))
            yield from zip(repeat(hand), others, strict=False)
        else:
            for more in _deals(rest, sizes[1:], made[1:]):
                yield (hand, *more)


def roll_lottery(sides: object, dice: int) -> Lottery:
    """The faces of one die; of several, their faces in order, weighted by the number of throws."""
    if isinstance(dice, bool) or not isinstance(dice, int) or dice < 1:
        raise RulesError(f"the number of dice must be 1 or more, not {dice!r}")
    faces: Any = sides if isinstance(sides, int) else as_menu(sides, "faces")
    count = faces if isinstance(faces, int) else len(faces)
    if count > 0 and comb(dice + count - 1, dice) > MOST_OUTCOMES:
        raise TooLarge(f"{dice} dice of {count} sides have over {MOST_OUTCOMES:,} outcomes")
    if type(faces) is int:
        return _numbered_roll(faces, dice)
    return _roll_lottery(faces, dice)


@lru_cache(maxsize=64)
def _numbered_roll(sides: int, dice: int) -> Lottery:
    return _roll_lottery(sides, dice)


def _roll_lottery(faces: Any, dice: int) -> Lottery:
    outcomes: Any
    outcomes, weights = rolls(dice, faces)
    if dice == 1:
        outcomes = tuple(faces[0] for faces in outcomes)
    return as_lottery(outcomes, weights)


def conclude(
    seats: Seats, result: object, paid: Payoffs | None, wins: Sequence[Payoffs], went_on: bool
) -> Payoffs:
    """The payoffs of a play that ended: what was returned or won, and what was paid on the way.

    ``wins`` are the payoffs that g.win has returned, the last one last. Rules that return other
    payoffs have dropped one on the way.
    """
    if result is None and wins:
        if went_on:
            raise RulesError("the rules went on after g.win(...); write: return g.win(...)")
        result = wins[-1]
    if result is None:
        if paid is None:
            raise RulesError("the play ended without payoffs; return them, or use g.pay or g.win")
        return paid
    returned = as_payoffs(seats, result)
    if wins and returned not in wins:
        raise RulesError(
            "g.win(...) was called, but other payoffs were returned; write: return g.win(...)"
        )
    if paid is None:
        return returned
    return tuple(late + early for late, early in zip(returned, paid, strict=True))


def as_payoffs(seats: Seats, result: object) -> Payoffs:
    """Payoffs from what the rules returned: a mapping, a sequence, or one player's number."""
    if isinstance(result, Mapping):
        return _by_name(seats, result)
    if isinstance(result, Set):
        raise RulesError(f"payoffs as a set, {result!r}, have no order; return a tuple")
    if isinstance(result, Iterable) and not isinstance(result, str | bytes):
        returned = tuple([x if type(x) is int else exact(x) for x in result])
        if len(returned) != len(seats.players):
            raise RulesError(
                f"{len(returned)} payoffs returned for {len(seats.players)} players"
                f" ({', '.join(seats.players)})"
            )
        return returned
    if len(seats.players) == 1:
        return (exact(result),)
    raise RulesError(
        f"payoffs must be a mapping or a sequence, one for each player, not {result!r}"
    )


def _by_name(seats: Seats, result: Mapping[object, object]) -> Payoffs:
    amounts: dict[int, Fraction | int] = {}
    for name, amount in result.items():
        player = seats.player(name)
        amounts[player] = amounts.get(player, 0) + (
            amount if type(amount) is int else exact(amount)
        )
    missing = [name for player, name in enumerate(seats.players) if player not in amounts]
    if missing:
        raise RulesError(f"no payoff for {', '.join(map(repr, missing))} in {dict(result)!r}")
    return tuple(amounts[player] for player in range(len(seats.players)))


def win_payoffs(seats: Seats, winner: object, amount: object) -> Payoffs:
    """The winner gets the amount; the others lose it between them, in equal parts.

    >>> from infoset.rules.seats import seat
    >>> win_payoffs(seat(("a", "b", "c")), "b", 4)
    (-2, 4, -2)
    """
    number, size = seats.player(winner), exact(amount)
    others = len(seats.players) - 1
    each = -size / others if others else size
    won = [size if player == number else each for player in range(len(seats.players))]
    return Ending(int(amount) if amount.denominator == 1 else amount for amount in won)


def end_payoffs(seats: Seats, result: object) -> Payoffs:
    """The payoffs that end the game, from a mapping, a sequence, or one player's number."""
    return Ending(as_payoffs(seats, result))


WORDS = {as_lottery: "outcomes", deal_lottery: "cards", roll_lottery: "faces"}
FEW_OUTCOMES = 256  # moves no larger than this are compared whenever they come up again


class Lotteries:
    """The table of the different lotteries of a game, while it is explored.

    A lottery is looked up by the function that makes it (of outcomes and weights, of a deal, of a
    roll) and its arguments, of which the outcomes, cards or faces are first.
    """

    __slots__ = ("_by_outcomes", "_by_terms", "table")

    def __init__(self) -> None:
        """Without lotteries."""
        self.table: list[Lottery] = []
        self._by_terms: dict[Any, tuple[int, Menu]] = {}
        self._by_outcomes: dict[Menu, list[int]] = {}

    def number(self, make: Callable[..., Lottery], terms: Any) -> tuple[int, Menu]:
        """The number of a lottery in the table, and its outcomes as the rules have just given them.

        A range and a deck do not change; of anything else a copy is kept, with the types of its
        entries, because 1 and True are equal but not the same to the rules.
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
        except (KeyError, TypeError) as missing:
            drawn = make(*terms)
            found = (self.add(drawn), drawn.outcomes)
            if missing.__class__ is KeyError:
                self._by_terms[key] = found
        return found

    def add(self, drawn: Lottery) -> int:
        """The number of a lottery in the table, where it is now."""
        # Found again by its outcomes: fractions are slow to hash, and there may be many.
        same = self._by_outcomes.setdefault(drawn.outcomes, [])
        for number in same:
            if self.table[number].probabilities == drawn.probabilities:
                return number
        same.append(len(self.table))
        self.table.append(drawn)
        return same[-1]

    def changed(self, number: int, make: Callable[..., Lottery], terms: Any) -> bool:
        """Whether a chance move differs from what it was; large ones are left to the audit."""
        cheap = type(terms[0]) is Deck or type(terms[0]) is range
        if not cheap and len(self.table[number].outcomes) > FEW_OUTCOMES:
            return False
        return self.number(make, terms)[0] != number
