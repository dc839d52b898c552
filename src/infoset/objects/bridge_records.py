"""A board of bridge as all could follow it, and as one player has seen it.

A *record* are the hands, the calls and the cards. A player's *view*, as positions and players have
it, is read into what it knows: calls, contract, cards, and of the four hands what is open and what
may lie where (:mod:`infoset.objects.deals`). Deals are drawn that agree with the cards, by their
exact probabilities if the others play at random, and of these, by rejection, some that agree with
the calls as well, if the others bid by a system.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from infoset.errors import NoHistory
from infoset.objects.bridge import (
    Contract,
    auction_over,
    book_of,
    final_contract,
    parse_contract,
    strains_of,
)
from infoset.objects.cards import Card, Hand
from infoset.objects.deals import Seen, deck_of, fixed_hands, owners_of, seen_hands
from infoset.objects.natural_bidding import Bidder, natural
from infoset.objects.tricks import TABLE, Turns, cards_chosen

__all__ = [
    "Known",
    "Record",
    "agreed",
    "agrees",
    "calls_explained",
    "draw_by_auction",
    "draw_worlds",
    "moves_of",
    "read_view",
    "turns_of",
]

ATTEMPTS = 10_000  # deals that are drawn for one that agrees with the auction
PER_WORLD = 50  # the same on average, where several are drawn and not all have to agree


class Record(NamedTuple):
    """A play as all could follow it, with the hands."""

    hands: tuple[Hand[Card], ...]
    calls: tuple[str, ...]
    contract: Contract | None  # None before the end of the auction, and if it was passed out
    cards: tuple[Card, ...]  # in the order in which they were played


def agreed(calls: Sequence[str], **params: Any) -> Contract | None:
    """The contract of a game with these parameters, if it is known: given, or bid."""
    if params["contract"]:
        tricks = params["ranks"] * params["suits"] // 4
        levels, strains = tricks - book_of(tricks), strains_of(params["suits"])
        return parse_contract(params["contract"], params["declarer"], levels, strains)
    return final_contract(calls, params["dealer"]) if auction_over(calls) else None


def turns_of(contract: Contract) -> Turns:
    """Whose turn it is, from the opening lead on."""
    return Turns(TABLE.index(contract.leader), contract.trump)


def moves_of(record: Record, deal: str, ranks: int, suits: int) -> Iterator[Hashable]:
    """The moves of such a play, in a game with this ``deal``."""
    yield from owners_of(record.hands, fixed_hands(deal, ranks, suits), deck_of(ranks, suits))
    yield from record.calls
    if record.contract is not None:
        yield from cards_chosen(record.hands, turns_of(record.contract), record.cards)


class Known(NamedTuple):
    """What a player knows of a play."""

    seen: Seen
    calls: tuple[str, ...]
    contract: Contract | None
    cards: tuple[Card, ...]
    params: Mapping[str, Any]

    def draw(self, random: Random) -> tuple[Hashable, ...]:
        """The moves of such a play; raises NoHistory if there is none."""
        return self.moves(self.seen.hidden.draw(random))

    def moves(self, drawn: Sequence[Hand[Card]]) -> tuple[Hashable, ...]:
        """The moves of a play with these cards in the hidden hands."""
        record = Record(self.seen.hands(drawn), self.calls, self.contract, self.cards)
        params = self.params
        return tuple(moves_of(record, params["deal"], params["ranks"], params["suits"]))


def read_view(view: Any, player: str, at_random: bool, params: Mapping[str, Any]) -> Known:
    """What a view of bridge tells, if it is one; else any error."""
    ranks, suits = params["ranks"], params["suits"]
    fixed = enumerate(fixed_hands(params["deal"], ranks, suits))
    opened: dict[int, Sequence[Card]] = {seat: hand for seat, hand in fixed if hand is not None}
    calls, cards = list[str](), list[Card]()
    for kind, what in view:
        fact = what[1] if kind == "saw" and isinstance(what[0], str) else what
        if kind == "offered":
            continue
        if isinstance(fact, str):
            calls.append(fact)
        elif isinstance(fact, Card):
            cards.append(fact)
        elif what is fact:  # the own hand
            opened[TABLE.index(player)] = fact
        elif what[0] == "hands":
            opened |= dict(enumerate(fact))
        else:
            bid = agreed(calls, **params)
            assert bid is not None
            opened[TABLE.index(bid.dummy)] = fact
    bid = agreed(calls, **params)
    turns = Turns(0, None) if bid is None else turns_of(bid)
    seen = seen_hands(deck_of(ranks, suits), opened, cards, turns, at_random=at_random)
    return Known(seen, tuple(calls), bid, tuple(cards), params)


def agrees(hands: Sequence[Hand[Card]], known: Known, bidder: Bidder = natural) -> bool:
    """Would everyone whose hand is hidden have made the calls that were made?"""
    return calls_explained(hands, known, bidder) == len(known.calls)


def calls_explained(hands: Sequence[Hand[Card]], known: Known, bidder: Bidder = natural) -> int:
    """How many calls were made before the first that somebody with a hidden hand would not make."""
    dealer = TABLE.index(known.params["dealer"])
    for at, call in enumerate(known.calls):
        seat = (dealer + at) % 4
        if seat in known.seen.seats and bidder(hands[seat], known.calls[:at]).call != call:
            return at
    return len(known.calls)


def draw_worlds(
    known: Known,
    count: int,
    random: Random,
    bidder: Bidder = natural,
    attempts: int = PER_WORLD,
    over: Callable[[], bool] = lambda: False,
) -> list[tuple[Hand[Card], ...]]:
    """So many deals that agree with the cards, and with the auction as far as they are found.

    Parameters
    ----------
    known
        What the player has seen.
    count
        How many.
    random
        The generator of random numbers.
    bidder
        The system of all others.
    attempts
        Deals that are drawn for each of them. If fewer than ``count`` agree with the auction, the
        rest are those that agree with it the longest: where others bid by another system, say.
    over
        Asked whether the time is over; then those that were drawn have to do, at least one.

    Returns
    -------
    list
        Of four hands each. Those that agree with all calls are drawn by their exact probabilities.

    Raises
    ------
    NoHistory
        If no deal agrees with the cards.
    """
    found: list[tuple[Hand[Card], ...]] = []
    others: list[tuple[int, int, tuple[Hand[Card], ...]]] = []
    for number in range(count * attempts):
        hands = known.seen.hands(known.seen.hidden.draw(random))
        explained = calls_explained(hands, known, bidder)
        if explained == len(known.calls):
            found.append(hands)
        else:
            others.append((-explained, number, hands))
        if len(found) == count or over():
            break
    others.sort()
    return found + [hands for _, _, hands in others[: count - len(found)]]


def draw_by_auction(
    known: Known, random: Random, bidder: Bidder = natural, attempts: int = ATTEMPTS
) -> tuple[Hand[Card], ...]:
    """Four hands that agree with what a player has seen, and with the auction by a system.

    By rejection: deals that agree with the cards are drawn until one agrees with the calls, too.

    Parameters
    ----------
    known
        What the player has seen: :func:`known_by`.
    random
        The generator of random numbers.
    bidder
        The system of all others.
    attempts
        Give up after so many deals.

    Raises
    ------
    NoHistory
        If none of them agrees.
    """
    for _ in range(attempts):
        hands = known.seen.hands(known.seen.hidden.draw(random))
        if agrees(hands, known, bidder):
            return hands
    raise NoHistory(
        f"of {attempts:,} deals none agrees with the auction {' '.join(known.calls)!r:.80};"
        " raise attempts=, or draw by the cards alone"
    )
