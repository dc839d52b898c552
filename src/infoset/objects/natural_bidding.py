"""A simple natural system: what a bridge player calls, by its hand and the auction.

It is a baseline: honest openings, raises and overcalls by points and length, no conventions but the
strong 2♣. **Points** are ace 4, king 3, queen 2, jack 1; with a fit, a void counts 5, a singleton
3, a doubleton 1.

    opening     22 and more 2♣; 15 to 17 balanced 1NT; 20 to 21 balanced 2NT; 12 to 21 the longest
                suit, a major from five cards; weaker hands with six 2♦ 2♥ 2♠ (6 to 10), with seven
                three of the suit
    response    to one of a suit: a raise with four cards (three of a major) to the level that the
                points allow; a new suit with 6; else 1NT with 6 to 9, 2NT 10 to 12, 3NT 13 to 15.
                To 1NT: 2NT with 8 or 9, 3NT with 10 and more, a six-card major at its game or at 2
    rebid       a pair adds what it has shown at least to its own points: game from 25, in a minor
                from 29, otherwise it stays where it is; slams only after notrump, from 33 and 37
    overcall    five cards and 8 to 16 points at the one level, 11 to 16 at the two level; 15 to 18
                balanced with a stopper 1NT; a double with 12 and no more than two cards of theirs

Each call comes with its reason. The function sees what the player sees, and nothing else, so that
any other function of the same arguments can take its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from infoset.errors import RulesError
from infoset.objects.bridge import (
    DOUBLE,
    NOTRUMP,
    PASS,
    check_auction,
    is_bid,
    legal_calls,
    strains_of,
)
from infoset.objects.cards import Card, Hand
from infoset.objects.tricks import SUITS

__all__ = ["Bidder", "Call", "natural", "points"]

STRAINS = strains_of(4)
MAJORS = "♠♥"
SHOWN = {1: 12, 2: 6, 3: 5}  # the least points of an opening in a suit, by its level
RAISES = ((13, 4), (10, 3), (6, 2))  # with a fit: points, level of a raise of a one-bid


class Call(NamedTuple):
    """What to call, and why."""

    call: str
    reason: str


# From a hand, and the calls so far, the dealer's first.
Bidder = Callable[[Sequence[Card], Sequence[str]], Call]


class Holding(NamedTuple):
    """A hand, as a bidder sees it."""

    points: int
    lengths: dict[str, int]
    stoppers: frozenset[str]  # suits with an ace, a guarded king or queen

    @property
    def balanced(self) -> bool:
        """No singleton, and one doubleton at most."""
        lengths = sorted(self.lengths.values())
        return lengths[0] >= 2 and lengths[1] >= 3

    def longest(self, among: str = SUITS) -> str:
        """The longest suit, the higher of equal ones."""
        return max(among, key=lambda suit: (self.lengths[suit], STRAINS.index(suit)))

    def with_fit(self, trump: str) -> int:
        """Points with this suit as trumps."""
        short = [length for suit, length in self.lengths.items() if suit != trump]
        return self.points + sum({0: 5, 1: 3, 2: 1}.get(length, 0) for length in short)


def points(hand: Sequence[Card]) -> int:
    """High-card points.

    Examples
    --------
    >>> from infoset.objects.pbn import parse_deal
    >>> points(parse_deal("N:AKQJ.AKQ.432.432 - - -")[0])
    19
    """
    worth = {"A": 4, "K": 3, "Q": 2, "J": 1}
    return sum(worth.get(card.rank_name, 0) for card in hand)


def natural(hand: Sequence[Card], calls: Sequence[str]) -> Call:
    """The call of the player whose turn it is.

    Parameters
    ----------
    hand
        Thirteen cards of a full deck.
    calls
        So far, the dealer's first.

    Returns
    -------
    Call
        Always legal: what the system would say but may not becomes a pass.

    Raises
    ------
    RulesError
        If these are not 13 cards, or a call was not legal.

    Examples
    --------
    >>> from infoset.objects.pbn import parse_deal
    >>> north, _, south, _ = parse_deal("N:AQJ54.K3.A542.65 - K76.AQ52.K3.J982 -")
    >>> natural(north, [])
    Call(call='1♠', reason='14 points and 5 ♠: an opening')
    >>> natural(south, ["1♠", "pass"])
    Call(call='4♠', reason='14 points with 3 ♠: a raise')
    """
    if len(hand) != 13:
        raise RulesError(f"the system bids with 13 cards, not with {len(hand)}: {Hand(hand)}")
    check_auction(tuple(calls), 7, STRAINS)
    held = _holding(hand)
    said = {at: call for at, call in enumerate(calls) if is_bid(call)}
    mine = [call for at, call in said.items() if (len(calls) - at) % 4 == 0]
    partners = [call for at, call in said.items() if (len(calls) - at) % 4 == 2]
    theirs = [call for at, call in said.items() if (len(calls) - at) % 2]
    if partners:
        made = _rebid(held, mine, partners, theirs) if mine else _response(held, partners, theirs)
    elif mine:
        made = Call(PASS, "the hand is told")
    elif theirs:
        made = _overcall(held, theirs, calls)
    else:
        made = _opening(held)
    if made.call in legal_calls(calls, 7, STRAINS):
        return made
    return Call(PASS, f"{made.reason}, but {made.call} is not sufficient")


def _holding(hand: Sequence[Card]) -> Holding:
    by_suit = {suit: [card for card in hand if card.suit_name == suit] for suit in SUITS}
    stoppers = [
        suit
        for suit, cards in by_suit.items()
        if any(len(cards) >= {"A": 1, "K": 2, "Q": 3}.get(one.rank_name, 14) for one in cards)
    ]
    lengths = {suit: len(cards) for suit, cards in by_suit.items()}
    return Holding(points(hand), lengths, frozenset(stoppers))


def _opening(held: Holding) -> Call:
    strong, suit = held.points, held.longest()
    length = held.lengths[suit]
    if strong >= 22:
        return Call("2♣", f"{strong} points: strong")
    if held.balanced and strong in (15, 16, 17, 20, 21):
        return Call("1NT" if strong < 20 else "2NT", f"{strong} points, balanced")
    if strong >= 12:
        if suit in MAJORS and length < 5:
            suit = held.longest("♦♣")
        return Call(f"1{suit}", f"{strong} points and {held.lengths[suit]} {suit}: an opening")
    if 6 <= strong <= 10 and length == 6 and suit != "♣":
        return Call(f"2{suit}", f"{strong} points and six {suit}: weak")
    if 5 <= strong <= 10 and length >= 7:
        return Call(f"3{suit}", f"{strong} points and seven {suit}: weak")
    return Call(PASS, f"{strong} points: too few")


def _response(held: Holding, partners: Sequence[str], theirs: Sequence[str]) -> Call:
    level, strain = int(partners[-1][0]), partners[-1][1:]
    if strain == NOTRUMP:
        return _to_notrump(held, level)
    if partners[-1] == "2♣" and not theirs:
        suit = held.longest()
        if held.points >= 8 and held.lengths[suit] >= 5:
            return Call(f"{2 if suit in MAJORS else 3}{suit}", f"a suit, {held.points} points")
        return Call("2♦" if held.points < 8 else "2NT", f"{held.points} points after 2♣")
    fit = held.lengths[strain] >= (3 if strain in MAJORS else 4)
    if fit:
        worth = held.with_fit(strain)
        if level > 1:
            game = worth >= 15 and strain in MAJORS
            return Call(f"4{strain}" if game else PASS, f"{worth} points after a weak opening")
        to = next((to for least, to in RAISES if worth >= least), 0)
        if to and strain not in MAJORS:
            to = min(to, 3) if worth < 16 else 5
        name = f"{to}{strain}" if to else PASS
        return Call(name, f"{worth} points with {held.lengths[strain]} {strain}: a raise")
    return _new_suit(held, level, strain)


def _new_suit(held: Holding, level: int, strain: str) -> Call:
    strong = held.points
    if level > 1:
        notrump = strong >= 16 and held.balanced
        return Call("3NT" if notrump else PASS, f"{strong} points after a weak opening")
    for suit in SUITS:
        higher = STRAINS.index(suit) > STRAINS.index(strain)
        enough = held.lengths[suit] >= (4 if higher else 5)
        if suit == held.longest() and enough and strong >= (6 if higher else 10):
            return Call(f"{1 if higher else 2}{suit}", f"{strong} points and a suit")
    for least, call in ((16, "3NT"), (13, "3NT"), (10, "2NT"), (6, "1NT")):
        if strong >= least:
            return Call(call, f"{strong} points, no fit")
    return Call(PASS, f"{strong} points: too few")


def _to_notrump(held: Holding, level: int) -> Call:
    together = held.points + (15 if level == 1 else 20 if level == 2 else 25)
    for suit in MAJORS:
        if held.lengths[suit] >= 6:
            to = 4 if together >= 24 or level == 2 else 2
            return Call(f"{to}{suit}", f"six {suit} after notrump")
    for least, call in ((37, "7NT"), (33, "6NT"), (25, "3NT"), (23, "2NT")):
        if together >= least and level < int(call[0]):
            return Call(call, f"{together} points together at least")
    return Call(PASS, f"{together} points together at least")


def _rebid(
    held: Holding, mine: Sequence[str], partners: Sequence[str], theirs: Sequence[str]
) -> Call:
    """The pair's points at least, and the strain that both have, or notrump."""
    strain, level = partners[-1][1:], int(partners[-1][0])
    if level >= 4 or partners[-1] == "3NT":
        return Call(PASS, "game is reached")
    own = held.longest() if mine[0] == "2♣" else mine[0][1:]
    shown = 6 if level == 1 else 10 if strain in (NOTRUMP, own) or level == 3 else 8
    if mine[0] == "1NT":
        shown = 8
    if mine[0] == "2♣":
        shown = 3
    fit = strain if strain != NOTRUMP and held.lengths[strain] + 4 >= 8 else None
    if fit is None and own == strain != NOTRUMP:
        fit = own
    worth = held.points if fit is None else held.with_fit(fit)
    together = worth + shown
    reason = f"{worth} points and {shown} shown"
    if together >= 25:
        if fit is None or (fit not in MAJORS and together < 29):
            return Call("3NT", reason)
        return Call(f"{4 if fit in MAJORS else 5}{fit}", reason)
    if fit is not None and fit != own and level == 1 and not theirs:
        return Call(f"2{fit}", f"{reason}: a raise")
    if level == 1 and own in SUITS and held.lengths[own] >= 6:
        return Call(f"2{own}", f"{reason}: six cards")
    if level == 1 and strain in SUITS and held.balanced:
        return Call("1NT", f"{reason}: balanced")
    return Call(PASS, reason)


def _overcall(held: Holding, theirs: Sequence[str], calls: Sequence[str]) -> Call:
    last, strong, suit = theirs[-1], held.points, held.longest()
    if len(theirs) > 2 or int(last[0]) > 2:
        return Call(PASS, "they are too high")
    strain = last[1:]
    if 15 <= strong <= 18 and held.balanced and strain in held.stoppers and last[0] == "1":
        return Call("1NT", f"{strong} points, balanced with a stopper")
    level = int(last[0]) + (strain == NOTRUMP or STRAINS.index(suit) < STRAINS.index(strain))
    if held.lengths[suit] >= 5 and suit != strain and (8, 11, 14)[level - 1] <= strong <= 16:
        return Call(f"{level}{suit}", f"{strong} points and {held.lengths[suit]} {suit}")
    doubles = strain in SUITS and held.lengths[strain] <= 2 and DOUBLE not in calls
    if doubles and strong >= 12:
        return Call(DOUBLE, f"{strong} points, short in {strain}")
    return Call(PASS, f"{strong} points: nothing to bid")
