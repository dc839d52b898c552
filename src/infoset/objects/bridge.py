"""Contract bridge: calls, contracts, and what a contract is worth in duplicate.

The auction is that of the Laws of Duplicate Bridge (2017). A call is a pass, a bid, a double or a
redouble (law 19); a bid is a number of tricks above the book and a strain, and each is higher than
the last (law 18); three passes after a bid end the auction, as do four without one (law 22). The
declarer is who first bid the strain of the contract for its side (law 54, definitions). The score
is law 77, and what differences of scores count between teams law 78 B.

**Small decks.** With T tricks in a hand the book is half of them, rounded down: 6 of 13. Levels go
from 1 to T less the book. What is paid does not depend on the size of the deck, so that there are
slams only where there are six levels.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from infoset.errors import RulesError
from infoset.objects.tricks import SUITS, TABLE

__all__ = [
    "DOUBLE",
    "NOTRUMP",
    "PASS",
    "REDOUBLE",
    "Contract",
    "auction_over",
    "book_of",
    "check_auction",
    "duplicate_score",
    "final_contract",
    "imps",
    "legal_calls",
    "parse_contract",
    "strains_of",
]

PASS, DOUBLE, REDOUBLE, NOTRUMP = "pass", "double", "redouble", "NT"
LETTERS = dict(zip("SHDC", SUITS, strict=True))
IMPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600,
    750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip
RISKS = {1: "", 2: " doubled", 4: " redoubled"}


class Contract(NamedTuple):
    """What the declarer has to make.

    Attributes
    ----------
    level
        Tricks above the book.
    strain
        A suit, or ``"NT"``.
    declarer
        A seat.
    risk
        1; doubled 2; redoubled 4.

    Examples
    --------
    >>> print(Contract(4, "♠", "south", 2))
    4♠ doubled by south
    """

    level: int
    strain: str
    declarer: str
    risk: int = 1

    def __str__(self) -> str:
        return f"{self.level}{self.strain}{RISKS[self.risk]} by {self.declarer}"

    @property
    def trump(self) -> int | None:
        """The suit's number in a deck; None in notrump."""
        return None if self.strain == NOTRUMP else SUITS.index(self.strain)

    @property
    def dummy(self) -> str:
        """The declarer's partner."""
        return TABLE[(TABLE.index(self.declarer) + 2) % 4]

    @property
    def leader(self) -> str:
        """Who leads to the first trick: on the declarer's left."""
        return TABLE[(TABLE.index(self.declarer) + 1) % 4]


def book_of(tricks: int) -> int:
    """The tricks that a declarer takes before any count.

    Examples
    --------
    >>> book_of(13), book_of(4)
    (6, 2)
    """
    return tricks // 2


def strains_of(suits: int) -> tuple[str, ...]:
    """The strains of a deck with so many suits, from low to high.

    Examples
    --------
    >>> strains_of(4)
    ('♣', '♦', '♥', '♠', 'NT')
    """
    return (*reversed(SUITS[:suits]), NOTRUMP)


# ---------------------------------------------------------------------- the auction


def is_bid(call: str) -> bool:
    """Does a call name a contract?"""
    return call not in (PASS, DOUBLE, REDOUBLE)


def legal_calls(calls: Sequence[str], levels: int, strains: Sequence[str]) -> tuple[str, ...]:
    """What may be called next.

    Parameters
    ----------
    calls
        So far, the dealer's first.
    levels, strains
        Of the deck, from low to high.

    Returns
    -------
    tuple of str
        A pass first, then the bids from low to high.

    Raises
    ------
    RulesError
        If a call so far is none.

    Examples
    --------
    >>> legal_calls(["1♠", "pass", "1NT"], 2, strains_of(4))
    ('pass', 'double', '2♣', '2♦', '2♥', '2♠', '2NT')
    >>> legal_calls(["2♠", "double"], 2, strains_of(4))
    ('pass', 'redouble', '2NT')
    """
    bids = [f"{level}{strain}" for level in range(1, levels + 1) for strain in strains]
    unknown = [call for call in calls if is_bid(call) and call not in bids]
    if unknown:
        raise RulesError(
            f"{unknown[0]!r:.40} is no call; write {PASS}, {DOUBLE}, {REDOUBLE}, or a bid from"
            f" {bids[0]} to {bids[-1]}"
        )
    said = [(at, call) for at, call in enumerate(calls) if call != PASS]
    last = next((call for _, call in reversed(said) if is_bid(call)), None)
    higher = bids if last is None else bids[bids.index(last) + 1 :]
    extra: list[str] = []
    if said and (len(calls) - said[-1][0]) % 2:  # the last who did not pass is an opponent
        if is_bid(said[-1][1]):
            extra = [DOUBLE]
        elif said[-1][1] == DOUBLE:
            extra = [REDOUBLE]
    return (PASS, *extra, *higher)


@lru_cache(maxsize=1024)
def check_auction(calls: tuple[str, ...], levels: int, strains: tuple[str, ...]) -> None:
    """Refuse calls that cannot have been made one after the other.

    Raises
    ------
    RulesError
        If one of them was not legal.

    Examples
    --------
    >>> check_auction(("1♠", "1♥"), 7, strains_of(4))
    Traceback (most recent call last):
    ...
    infoset.errors.RulesError: after 1♠ the call 1♥ is not legal; a bid is higher than the last
    """
    legal_calls(calls, levels, strains)  # all are calls
    for at, call in enumerate(calls):
        before = " ".join(calls[:at]) or "the deal"
        if auction_over(calls[:at]):
            raise RulesError(f"after {before:.80} the auction is over, and {call!r:.40} is no call")
        if call not in legal_calls(calls[:at], levels, strains):
            why = "a bid is higher than the last" if is_bid(call) else "the last bid is one's own"
            raise RulesError(f"after {before:.80} the call {call:.40} is not legal; {why}")


def auction_over(calls: Sequence[str]) -> bool:
    """Has the auction ended: by three passes after a bid, or by four without one?

    Examples
    --------
    >>> auction_over(["pass", "pass", "pass"]), auction_over(["1♣", "pass", "pass", "pass"])
    (False, True)
    """
    return len(calls) >= 4 and all(call == PASS for call in calls[-3:])


def final_contract(calls: Sequence[str], dealer: str) -> Contract | None:
    """The contract of an auction that has ended; None if it was passed out.

    Examples
    --------
    >>> print(final_contract(["1♥", "pass", "4♥", "double", "pass", "pass", "pass"], "north"))
    4♥ doubled by north
    """
    bids = [at for at, call in enumerate(calls) if is_bid(call)]
    if dealer not in TABLE:
        raise RulesError(f"dealer={dealer!r:.40}: one of {', '.join(TABLE)}")
    if not bids:
        return None
    if calls[bids[-1]][:1] not in "1234567" or calls[bids[-1]][1:] not in strains_of(4):
        raise RulesError(f"{calls[bids[-1]]!r:.40} is no call; write a bid as 1♠ or 3{NOTRUMP}")
    bid = calls[bids[-1]]
    first = next(at for at in bids if calls[at][1:] == bid[1:] and (bids[-1] - at) % 2 == 0)
    after = calls[bids[-1] :]
    risk = 4 if REDOUBLE in after else 2 if DOUBLE in after else 1
    return Contract(int(bid[0]), bid[1:], TABLE[(TABLE.index(dealer) + first) % 4], risk)


def parse_contract(text: str, declarer: str, levels: int, strains: Sequence[str]) -> Contract:
    """A contract as people write it: ``3NT``, ``4♠``, ``4S``, ``4SX``, ``2♥XX``.

    Raises
    ------
    RulesError
        If it is no contract of this deck.

    Examples
    --------
    >>> parse_contract("4SX", "south", 7, strains_of(4))
    Contract(level=4, strain='♠', declarer='south', risk=2)
    """
    bare = text.upper().rstrip("X")
    risk = {0: 1, 1: 2, 2: 4}.get(len(text) - len(bare))
    strain = LETTERS.get(bare[1:], {"N": NOTRUMP}.get(bare[1:], bare[1:]))
    if not bare or risk is None or strain not in strains or bare[0] not in "1234567"[:levels]:
        raise RulesError(
            f"contract={text!r:.40} is none of this deck: give a level from 1 to {levels}, a strain"
            f" ({' '.join(strains)}) and X or XX if it is doubled, such as"
            f" {levels}{strains[0]}X"
        )
    if declarer not in TABLE:
        raise RulesError(f"declarer={declarer!r:.40}: one of {', '.join(TABLE)}")
    return Contract(int(bare[0]), strain, declarer, risk)


# ---------------------------------------------------------------------- the score


def duplicate_score(contract: Contract, taken: int, vulnerable: bool, book: int = 6) -> int:
    """What the declarer's side scores, by law 77; the other side gets the opposite.

    Parameters
    ----------
    contract
        Level, strain and risk count.
    taken
        All tricks of the declarer's side, those of the book included.
    vulnerable
        Whether it is the declarer's side's.
    book
        Six, but in a small deck (:func:`book_of`).

    Examples
    --------
    >>> duplicate_score(Contract(3, "NT", "south"), 10, vulnerable=False)
    430
    >>> duplicate_score(Contract(4, "♥", "south", 2), 7, vulnerable=True)
    -800
    """
    over = taken - book - contract.level
    if over < 0:
        return -_undertricks(-over, contract.risk, vulnerable)
    each = 20 if contract.strain in ("♣", "♦") else 30
    bid = (contract.level * each + 10 * (contract.strain == NOTRUMP)) * contract.risk
    score = bid + (50 if bid < 100 else 500 if vulnerable else 300)
    if contract.level >= 6:
        score += (500, 1000)[contract.level - 6] * (3 if vulnerable else 2) // 2
    if contract.risk > 1:
        each = 50 * contract.risk * (2 if vulnerable else 1)
        score += 25 * contract.risk  # for the insult
    return score + over * each


def _undertricks(down: int, risk: int, vulnerable: bool) -> int:
    if risk == 1:
        return down * (100 if vulnerable else 50)
    if vulnerable:
        doubled = 300 * down - 100
    else:
        doubled = 200 * down - 100 + 100 * max(down - 3, 0)
    return doubled * risk // 2


def imps(difference: int) -> int:
    """International match points for a difference of scores on the same board, by law 78 B.

    Examples
    --------
    >>> imps(400 - -50), imps(-10), imps(-5000)
    (10, 0, -24)
    """
    points = bisect_right(IMPS, abs(difference))
    return points if difference > 0 else -points
