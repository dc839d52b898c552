"""A spot of no-limit hold'em for two: the last betting round, or the last two, with any ranges.

The board and the pot are there; what the players may hold is given as ranges (the notation is that
of :mod:`infoset.objects.ranges`). Hands are dealt so that every pair of hands without a common card
has the product of its weights as its probability, up to a factor. As two lotteries, the second one
without the cards of the first, the first one's weights must then be

    w₁(h) · Σ {w₂(h') : h' shares no card with h},

and the sum follows from the weights of all hands, less those with either card, and those with both
once more. Spots like this are what the textbooks of the game take apart (B. Chen & J. Ankenman, The
Mathematics of Poker, 2006): with a range of winners and losers against hands between them and one
bet of b into a pot of P, bluffs are b/(P + 2b) of all bets, and P/(P + b) of the bets are called.

**Sampling.** A player who has to act has seen everything but the other's hand. What may be done,
and which rivers may come, do not depend on that hand otherwise than by the cards that it holds: the
river is any of 44 cards, whatever the hands. So if the other moves at random, a hand h' is as
probable as its weight, of those without a card that was seen, and :func:`history` draws it so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm
from random import Random
from typing import NamedTuple

from infoset.errors import InfosetError, ParameterError
from infoset.objects import (
    Card,
    Deck,
    Hand,
    Money,
    best_poker_rank,
    better,
    betting_round,
    exact,
    parse_cards,
    parse_range,
)
from infoset.rules import Play, ReplayPosition, game

Weights = dict[Hand[Card], int]
Amount = int | Fraction


class Spot:
    """A board with what both players may hold on it: integer weights, and who beats whom.

    >>> spot = Spot("Ks 7d 2c 9h 3s", "AA:0.5 KK", "77 AhKh")
    >>> len(spot.first), len(spot.second(next(iter(spot.first))))
    (9, 3)
    """

    def __init__(self, board: str, one: str, two: str) -> None:
        """Read the texts."""
        self.board = Hand(parse_cards(board))
        if len(self.board) not in (4, 5):
            raise ParameterError(
                f"board={board!r} has {len(self.board)} cards; name four, or five with the river"
            )
        self.one, self.two = self._held("one", one), self._held("two", two)
        self.first = self._first()
        if not self.first:
            raise ParameterError(f"one={one!r} and two={two!r} share a card in every pair of hands")
        # Rules are run deal by deal, or once for each hand: the last few hands are enough to keep.
        self.second = lru_cache(maxsize=8)(self._second)
        self.order = lru_cache(maxsize=64)(self._order)

    def _held(self, name: str, text: str) -> Weights:
        gone = set(self.board)
        held = {hand: size for hand, size in parse_range(text).items() if gone.isdisjoint(hand)}
        if not held:
            raise ParameterError(
                f"{name}={text!r} holds no hand that the board {self.board} leaves"
            )
        scale = lcm(*(size.denominator for size in held.values()))
        return {hand: int(size * scale) for hand, size in held.items()}

    def _first(self) -> Weights:
        """What player one is dealt: each hand by its weight and by what it leaves to player two."""
        total = sum(self.two.values())
        having: dict[Card, int] = {}
        for hand, weight in self.two.items():
            for card in hand:
                having[card] = having.get(card, 0) + weight
        weights: Weights = {}
        for hand, weight in self.one.items():
            left = total - sum(having.get(card, 0) for card in hand) + self.two.get(hand, 0)
            if left:
                weights[hand] = weight * left
        return weights

    def _second(self, mine: Hand[Card]) -> Weights:
        """What player two is then dealt: its hands that share no card."""
        low, high = mine
        return {
            hand: weight
            for hand, weight in self.two.items()
            if low not in hand and high not in hand
        }

    def strength(self, hand: Hand[Card], river: Card | None = None) -> int:
        """The place of a hand in the order of those on the whole board; equal hands have one."""
        return self.order(river)[hand]

    def _order(self, river: Card | None) -> Mapping[Hand[Card], int]:
        whole = self.board if river is None else (*self.board, river)
        hands = [hand for hand in self.one | self.two if river is None or river not in hand]
        ranks = {hand: best_poker_rank((*whole, *hand)) for hand in hands}
        places = {rank: place for place, rank in enumerate(sorted(set(ranks.values())))}
        return {hand: places[rank] for hand, rank in ranks.items()}


the_spot = lru_cache(maxsize=16)(Spot)


def effective(stack: int | tuple[int, ...]) -> int:
    """The effective stack: no more can be lost or won than what the player with less has.

    >>> effective(900), effective((900, 700))
    (900, 700)
    """
    both = stack if isinstance(stack, tuple) else (stack, stack)
    if len(both) != 2 or not all(type(one) is int and one >= 1 for one in both):
        raise ParameterError(
            f"stack={stack!r} is not a stack for both players, nor one each; write 900 or"
            " (900, 700), whole numbers from 1 up"
        )
    return min(both)


def bounds(pot: int, stack: int | tuple[int, ...]) -> tuple[Amount, Amount]:
    """Half of the pot and the whole effective stack, lost or won."""
    most = Fraction(pot, 2) + effective(stack)
    return -most, most


def history(
    view: Hashable,
    player: str,
    random: Random,
    board: str,
    pot: int,
    stack: int | tuple[int, ...],
    bets: str | Iterable[object],
    raises: int,
    one: str,
    two: str,
) -> tuple[Hashable, ...] | None:
    """Moves that agree with a view, drawn as if the other player moved at random; None if none."""
    known = known_by(view, player, board, pot, stack, listed(bets), raises, one, two)
    return None if known is None else known.draw(random)


@game(
    players=("one", "two"),
    requires=("pot >= 1", "len(bets) >= 1", "raises >= 0"),
    source="B. Chen & J. Ankenman, The Mathematics of Poker, 2006",
    bounds=bounds,
    sampler=history,
    vectorized=True,
)
def holdem(
    g: Play,
    board: str = "Ks 7d 2c 9h 3s",
    pot: int = 10,
    stack: int | tuple[int, ...] = 20,
    bets: str | tuple[object, ...] = (0.5, 1, 2),
    raises: int = 2,
    one: str = "all",
    two: str = "all",
) -> object:
    """No-limit hold'em from the turn or the river on: a board, a pot, two ranges, sizes of bets.

    The board has four cards, and a river comes after the first betting round, or five. The players
    hold hands of their ranges, such as ``one="QQ+ AKs T9s-76s KhQh:0.5"``, and have ``stack`` each;
    of two different stacks, ``stack=(900, 700)``, only the smaller counts. Player one acts first.
    Bets are parts of the pot, as in ``bets=(0.6, "75%", "allin")``, raises parts of the pot after
    the call; what reaches the stack is all in, and no other raise is by less than the bet before
    it. A round has at most ``raises`` bets and raises. The better five of seven cards take the pot;
    of the pot that was there, half counts as paid by each, so that what one wins the other loses.
    """
    spot = the_spot(board, one, two)
    sizes = parts(listed(bets))
    mine = g.chance(spot.first)
    yours = g.chance(g.map(spot.second, mine))
    g.reveal("one", mine)
    g.reveal("two", yours)
    half = _plain(Fraction(pot, 2))
    money: Money[Amount] = Money(g.players, cash=effective(stack))
    shown: tuple[Card, ...] = ()

    for number in range(6 - len(spot.board)):
        if number:
            shown = (g.chance(Deck(13, 4).without(spot.board, mine, yours)),)
            g.reveal(g.players, shown[0])
        if money.cash["one"]:
            staying = betting_round(g, money, no_limit(money, pot, sizes, raises))
            if len(staying) == 1:
                return g.win(staying[0], half + money.paid[g.other(staying[0])])

    places = (g.map(spot.strength, hand, *shown) for hand in (mine, yours))
    won = (half + money.paid["one"]) * g.map(better, *places)
    return won, -won


class Known(NamedTuple):
    """What a player who has to act knows of a play."""

    first: bool  # is it player one?
    own: Hand[Card]
    others: tuple[Hand[Card], ...]  # hands that the other may have
    below: tuple[int, ...]  # [hand] its weight, and that of those before it
    moves: tuple[Hashable, ...]  # all that came after the deal

    def draw(self, random: Random) -> tuple[Hashable, ...]:
        """All moves of such a play."""
        other = self.others[bisect_right(self.below, random.randrange(self.below[-1]))]
        hands = (self.own, other) if self.first else (other, self.own)
        return (*hands, *self.moves)


@lru_cache(maxsize=64)
def known_by(
    view: Hashable,
    player: str,
    board: str,
    pot: int,
    stack: int | tuple[int, ...],
    bets: tuple[object, ...],
    raises: int,
    one: str,
    two: str,
) -> Known | None:
    """What a view tells; None if it is none that the player has at a decision of this game."""
    if not isinstance(view, tuple) or len(view) < 2 or view[-1][0] != "offered":
        return None
    spot, first = the_spot(board, one, two), player == "one"
    (_, own), *later = view
    moves = tuple([what for word, what in later if word != "offered"])
    if own not in (spot.one if first else spot.two):
        return None
    seen = {*own, *[what for what in moves if isinstance(what, Card)]}
    held = spot.two if first else spot.one
    left = {hand: weight for hand, weight in held.items() if seen.isdisjoint(hand)}
    if not left:
        return None
    known = Known(first, own, tuple(left), tuple(accumulate(left.values())), moves)
    try:  # moves do not depend on the hand: if one agrees, all do
        start = holdem(board, pot, stack, bets, raises, one, two)
        reached = ReplayPosition(start, known.draw(Random(0))).view(player)
    except InfosetError:
        return None
    return known if reached == view else None


def no_limit(
    money: Money[Amount], pot: int, sizes: tuple[Amount, ...], raises: int
) -> Callable[[str, Amount, int], Mapping[str, Amount]]:
    """The menus of one round, for :func:`infoset.objects.betting_round`."""
    before = dict(money.paid)

    def options(player: str, owed: Amount, made: int) -> Mapping[str, Amount]:
        return menu(
            money.paid[player] - before[player],
            owed,
            pot + money.pot,
            money.cash[player],
            sizes if made < raises else (),
        )

    return options


@lru_cache(maxsize=4096)
def menu(
    before: Amount, owed: Amount, pot: Amount, stack: Amount, sizes: tuple[Amount, ...]
) -> dict[str, Amount]:
    """What a player may do, and what it then pays; ``before`` is what it paid in this round.

    >>> menu(0, 5, 15, 20, (Fraction(1, 2),))
    {'fold': 0, 'call': 5, 'raise to 15': 15}
    """
    options: dict[str, Amount] = {"fold": 0, "call": owed} if owed else {"check": 0}
    word = "raise to" if owed else "bet"
    for size in sizes if stack > owed else ():
        more = _plain(size * (pot + owed))
        if owed + more >= stack:
            options["all in"] = stack
        elif more >= owed:
            options[f"{word} {_decimal(before + owed + more)}"] = owed + more
    return options


def listed(bets: str | Iterable[object]) -> tuple[object, ...]:
    """Sizes of bets one by one; a text has a comma between them."""
    return tuple(bets.split(",")) if isinstance(bets, str) else tuple(bets)


ALL_IN = 10**18  # parts of the pot: more than any stack


@lru_cache(maxsize=64)
def parts(bets: tuple[object, ...]) -> tuple[Amount, ...]:
    """Sizes of bets as parts of the pot, from small to large.

    >>> parts((2, 0.5, "1/3", "60%"))
    (Fraction(1, 3), Fraction(1, 2), Fraction(3, 5), 2)
    >>> parts(("allin",)) == (ALL_IN,)
    True
    """
    return tuple(sorted({_part(bet) for bet in bets}))


def _part(bet: object) -> Amount:
    written = bet.strip().lower() if isinstance(bet, str) else ""
    if written in ("allin", "all-in", "all in"):
        return ALL_IN
    try:
        if written.endswith("%"):
            size = Fraction(written[:-1]) / 100
        else:
            size = Fraction(written) if written else exact(bet)
    except (InfosetError, ValueError, ZeroDivisionError):
        size = Fraction(0)
    if size <= 0:
        raise ParameterError(
            f"{bet!r} in bets is not a part of the pot; write 0.5, 2, '1/3', '60%' or 'allin'"
        )
    return _plain(size)


def _plain(amount: Amount) -> Amount:
    """An int if it is whole, which is faster to compute with and to look up."""
    return amount.numerator if amount.denominator == 1 else amount


def _decimal(amount: Amount) -> str:
    """As a decimal, if that is exact."""
    decimal = f"{float(amount):g}"
    return decimal if Fraction(decimal) == amount else str(amount)
