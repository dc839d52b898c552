"""Bridge with all cards seen: how many tricks a side takes with best play of all four.

A deal, *double dummy*, is a game of two sides with perfect information, of a constant sum: the
number of tricks. The search is in :mod:`infoset.kernels.double_dummy`, where the method and its
sources are; here deals are read and values are named.

A deal is written as in PBN, ``N:AKQ.J32.T98.7654 …``: a seat, then the hands of that seat and the
next ones clockwise, each with its spades, hearts, diamonds and clubs, from which spaces and dots
separate. Or it is four hands of cards, North's first. Hands are equally long, of one card to
thirteen each, and which cards they are does not matter.

>>> from infoset.search import double_dummy_cards, double_dummy_table, double_dummy_tricks
>>> deal = "N:AQ.2.. 72.5.. .A4..2 K3.6.."
>>> double_dummy_tricks(deal, "NT", "N")
3
>>> {str(card): tricks for card, tricks in double_dummy_cards(deal, "NT", "N").items()}
{'A♠': 3, 'Q♠': 2, '2♥': 3}
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from infoset.errors import ParameterError, TooLarge
from infoset.kernels import double_dummy as kernel
from infoset.objects import Card, Deck

SEATS = ("N", "E", "S", "W")
STRAINS = ("♠", "♥", "♦", "♣", "NT")  # in the order of suits of a deal; no trumps is last
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
MEMORY = 256  # MiB, of which only what a search needs is touched

Hands: TypeAlias = "str | Sequence[Iterable[Card | str]]"

_STRAIN_NAMES = {"S": 0, "H": 1, "D": 2, "C": 3, "N": 4, "NT": 4} | {
    name: number for number, name in enumerate(STRAINS)
}
_SEAT_NAMES = {"N": 0, "E": 1, "S": 2, "W": 3, "NORTH": 0, "EAST": 1, "SOUTH": 2, "WEST": 3}
_RANK_NUMBERS = {name: number for number, name in enumerate(RANKS)} | {"T": 8}


class _Position(NamedTuple):
    """A position as the kernel takes it, and the names of its cards."""

    hands: tuple[int, ...]  # as sets of cards, at the beginning of the trick
    left: int  # what is not played yet
    leader: int  # of the trick
    best: int  # the card that takes the trick so far, or -1
    winner: int
    led: int  # suit
    played: int  # cards of the trick
    names: dict[int, Card]

    @property
    def start(self) -> int:
        return sum(self.hands)

    @property
    def turn(self) -> int:
        return (self.leader + self.played) % 4


@dataclass(frozen=True)
class DoubleDummyTable:
    """The tricks that each declarer takes in each strain.

    Attributes
    ----------
    tricks
        By strain (spades, hearts, diamonds, clubs, no trumps) and declarer (North, East, South,
        West).
    nodes
        Positions that were searched.
    """

    tricks: tuple[tuple[int, ...], ...]
    nodes: int

    def __getitem__(self, place: tuple[str, str]) -> int:
        """The tricks of a strain and a declarer, as in ``table["NT", "S"]``."""
        strain, declarer = place
        return self.tricks[_strain(strain)][_seat(declarer, "declarer")]

    def __str__(self) -> str:
        lines = [f"{'':4}" + "".join(f"{seat:>3}" for seat in SEATS)]
        lines += [
            f"{STRAINS[strain]:4}" + "".join(f"{count:>3}" for count in self.tricks[strain])
            for strain in (4, 0, 1, 2, 3)
        ]
        return "\n".join(lines)


class DoubleDummySolver:
    """Solves deals one after the other, in the same memory.

    What was found of a deal is kept until another deal or another strain is asked for, so that the
    positions of one play, or the cards of one position, cost little after the first.

    Parameters
    ----------
    memory
        MiB of the table of positions. If it is full, it is emptied.
    flags
        Which techniques are used, a sum of those in :mod:`infoset.kernels.double_dummy`. The values
        are the same in any case.

    Raises
    ------
    ParameterError
        If the memory is less than 1.
    """

    def __init__(self, memory: int = MEMORY, flags: int = kernel.ALL) -> None:
        if memory < 1:
            raise ParameterError(f"memory={memory} MiB hold no table; give 1 or more")
        self.flags = flags
        self._work = kernel.workspace(memory)
        self._hands = np.zeros(4, np.int64)
        self._known: tuple[tuple[int, ...], int] | None = None  # what the table is about

    @property
    def counts(self) -> dict[str, int]:
        """What the last call did, by name."""
        return dict(zip(kernel.COUNTERS, map(int, self._work.counters), strict=True))

    def tricks(
        self,
        hands: Hands,
        strain: str,
        leader: str,
        trick: Sequence[Card | str] = (),
        max_nodes: int | None = None,
    ) -> int:
        """The same as :func:`double_dummy_tricks`."""
        trump = _strain(strain)
        at = _position(hands, leader, trick, trump)
        self._begin(at, trump)
        return _of_mover(at, self._value(at, trump, at.start.bit_count() // 8, max_nodes))

    def cards(
        self,
        hands: Hands,
        strain: str,
        leader: str,
        trick: Sequence[Card | str] = (),
        max_nodes: int | None = None,
    ) -> dict[Card, int]:
        """The same as :func:`double_dummy_cards`."""
        trump = _strain(strain)
        at = _position(hands, leader, trick, trump)
        self._begin(at, trump)
        guess = at.start.bit_count() // 8
        found: dict[Card, int] = {}
        above, value = -1, 0
        for card in _legal(at):
            if above < 0 or not _equal(at, above, card):
                guess = value = self._after(at, trump, card, guess, max_nodes)
            found[at.names[card]] = _of_mover(at, value)
            above = card
        return found

    def table(self, deal: Hands, max_nodes: int | None = None) -> DoubleDummyTable:
        """The same as :func:`double_dummy_table`."""
        at = _position(deal, "N", (), 4)
        tricks = np.zeros((5, 4), np.int64)
        total, guess = at.start.bit_count() // 4, at.start.bit_count() // 8
        self._work.counters[:] = 0
        for trump in range(5):
            self._prepare(at, trump)
            for leader in (0, 2, 1, 3):
                here = at._replace(leader=leader)
                guess = self._value(here, trump, guess, max_nodes)
                declarer = (leader - 1) % 4
                tricks[trump, declarer] = total - guess if declarer % 2 else guess
        return DoubleDummyTable(
            tuple(tuple(int(count) for count in row) for row in tricks), self.counts["nodes"]
        )

    def _begin(self, at: _Position, trump: int) -> None:
        self._work.counters[:] = [
            count if name in ("used", "slots") else 0 for name, count in self.counts.items()
        ]
        self._prepare(at, trump)

    def _prepare(self, at: _Position, trump: int) -> None:
        if self._known is not None and self._known[1] == trump:
            laid = self._known[0]
            if all(hand & ~mine == 0 for hand, mine in zip(at.hands, laid, strict=True)):
                return  # a later position of the same deal
        laid_out = self._known is not None and self._known[0] == at.hands
        self._known = None  # until all of it is done
        if not laid_out:
            self._hands[:] = at.hands
            kernel.lay_out(self._hands, self._work.words)
        kernel.clear(self._work)
        self._known = at.hands, trump

    def _value(self, at: _Position, trump: int, guess: int, max_nodes: int | None) -> int:
        """Tricks of North and South from the beginning of the trick in progress."""
        limit = np.iinfo(np.int64).max if max_nodes is None else max_nodes
        status, value = kernel.value(
            self._hands,
            self._work,
            trump,
            self.flags,
            at.played,
            at.start,
            at.left,
            at.turn,
            at.best,
            at.winner,
            at.led,
            guess,
            limit,
        )
        if status == kernel.LIMIT:
            raise TooLarge(
                f"the deal is not solved after max_nodes={max_nodes:,} positions; allow more"
            )
        return int(value)

    def _after(
        self, at: _Position, trump: int, card: int, guess: int, max_nodes: int | None
    ) -> int:
        """The same after a card."""
        after = _with_card(at, card, trump)
        if after.played < 4:
            return self._value(after, trump, guess, max_nodes)
        hands = tuple(hand & after.left for hand in after.hands)
        taken = int(after.winner % 2 == 0)
        following = _Position(hands, after.left, after.winner, -1, 0, 0, 0, at.names)
        return taken + self._value(following, trump, guess - taken, max_nodes)


class DoubleDummyWorlds:
    """Solves positions of several deals in any order, each deal in memory of its own.

    What was found of a deal is kept when another one is asked for. Cards are numbers, ``SUIT`` of
    the kernel times the suit and the rank, and sets of cards are bits: what searches of many
    positions need, which name no card. Seats are numbers, too, North's is 0.

    Parameters
    ----------
    memory
        MiB of the table of positions of each deal.
    """

    def __init__(self, memory: int = 16) -> None:
        """No deals yet."""
        self._memory = memory
        self._works: list[kernel.Workspace] = []
        self._hands: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
        self._trump = 4

    def begin(self, deals: Sequence[Sequence[int]], trump: int) -> None:
        """From now on the deals are these: four sets of cards each; trump 4 is none."""
        while len(self._works) < len(deals):
            self._works.append(kernel.workspace(self._memory))
        self._trump = trump
        self._hands = [np.array(deal, np.int64) for deal in deals]
        for hands, work in zip(self._hands, self._works, strict=False):
            kernel.lay_out(hands, work.words)
            kernel.clear(work)

    def takes(
        self,
        deal: int,
        start: int,
        left: int,
        turn: int,
        best: int,
        winner: int,
        led: int,
        played: int,
        need: int,
    ) -> bool:
        """Do North and South take so many tricks, from the beginning of the trick on?

        Parameters
        ----------
        deal
            Its number.
        start, left
            Cards that were left at the beginning of the trick, and that are left now.
        turn
            Whose turn it is.
        best, winner, led, played
            Of the trick in progress: the card that takes it so far or −1, whose it is, the suit,
            and how many cards there are.
        need
            Tricks.
        """
        if not 0 < need <= start.bit_count() // 4:
            return need <= 0
        _, taken = kernel.search(
            self._hands[deal],
            self._works[deal],
            self._trump,
            kernel.ALL,
            played,
            start,
            left,
            turn,
            best,
            winner,
            led,
            need,
            np.iinfo(np.int64).max,
        )
        return bool(taken)

    def tricks(
        self,
        deal: int,
        start: int,
        left: int,
        turn: int,
        best: int,
        winner: int,
        led: int,
        played: int,
        guess: int,
    ) -> int:
        """How many they take, from the beginning of the trick on; a good guess saves time."""
        _, value = kernel.value(
            self._hands[deal],
            self._works[deal],
            self._trump,
            kernel.ALL,
            played,
            start,
            left,
            turn,
            best,
            winner,
            led,
            guess,
            np.iinfo(np.int64).max,
        )
        return int(value)


def _of_mover(at: _Position, value: int) -> int:
    """Tricks of the side of the player on turn, from those of North and South."""
    return at.start.bit_count() // 4 - value if at.turn % 2 else value


def double_dummy_tricks(
    hands: Hands,
    strain: str,
    leader: str,
    trick: Sequence[Card | str] = (),
    *,
    max_nodes: int | None = None,
) -> int:
    """The tricks that the side of the player on turn takes, if all four play as well as possible.

    Parameters
    ----------
    hands
        The deal, or what is left of it: text as in PBN, or four hands, North's first.
    strain
        S, H, D, C or NT, or a suit as ♠.
    leader
        N, E, S or W: who leads to the trick, or has led to it.
    trick
        Cards of the trick in progress, the one that was led first. They are in no hand any more.
    max_nodes
        Positions that may be searched.

    Returns
    -------
    int
        With the trick in progress. At the beginning of a deal the player on turn is the leader, and
        the declarer's side takes the other tricks.

    Raises
    ------
    ParameterError
        If this is no deal: hands are not equally long, say, or a card is there twice.
    TooLarge
        If ``max_nodes`` were not enough.

    Examples
    --------
    Whoever leads hearts gives a trick away:

    >>> double_dummy_tricks("N:.AQ.. .4.2. .32.. .KJ..", "NT", "W")
    0
    >>> double_dummy_tricks("N:.AQ.. .4.2. .32.. .KJ..", "NT", "N")
    1
    """
    return _shared().tricks(hands, strain, leader, trick, max_nodes)


def double_dummy_cards(
    hands: Hands,
    strain: str,
    leader: str,
    trick: Sequence[Card | str] = (),
    *,
    max_nodes: int | None = None,
) -> dict[Card, int]:
    """The tricks that the side of the player on turn takes after each card that may be played.

    Parameters and errors are those of :func:`double_dummy_tricks`.

    Returns
    -------
    dict
        By card, the highest spade first. The greatest is the value of the position.

    Examples
    --------
    >>> hands = "N:.A2.. .43.. ..32. .Q.A."
    >>> found = double_dummy_cards(hands, "NT", "N")
    >>> {str(card): tricks for card, tricks in found.items()}
    {'A♥': 1, '2♥': 0}
    """
    return _shared().cards(hands, strain, leader, trick, max_nodes)


def double_dummy_table(deal: Hands, *, max_nodes: int | None = None) -> DoubleDummyTable:
    """The tricks of every declarer in every strain.

    Parameters
    ----------
    deal
        Text as in PBN, or four hands, North's first.
    max_nodes
        Positions that may be searched, for all results together.

    Returns
    -------
    DoubleDummyTable
        ``table["NT", "S"]`` are the tricks that South takes in no trumps; West leads.

    Raises
    ------
    ParameterError
        If this is no deal.
    TooLarge
        If ``max_nodes`` were not enough.

    Examples
    --------
    >>> print(double_dummy_table("N:AK... QJ... .AK.. .QJ.."))
          N  E  S  W
    NT    2  0  2  0
    ♠     2  0  2  0
    ♥     2  0  2  0
    ♦     2  0  2  0
    ♣     2  0  2  0
    """
    return _shared().table(deal, max_nodes)


_local = threading.local()


def _shared() -> DoubleDummySolver:
    """The solver of this thread."""
    solver: DoubleDummySolver | None = getattr(_local, "solver", None)
    if solver is None:
        solver = _local.solver = DoubleDummySolver()
    return solver


# ---------------------------------------------------------------------- deals


def _strain(name: str) -> int:
    number = _STRAIN_NAMES.get(str(name).upper())
    if number is None:
        raise ParameterError(f"strain={name!r} is none; write one of S, H, D, C, NT")
    return number


def _seat(name: str, what: str) -> int:
    number = _SEAT_NAMES.get(str(name).upper())
    if number is None:
        raise ParameterError(f"{what}={name!r} is no seat; write one of N, E, S, W")
    return number


def _code(card: Card | str, place: str) -> int:
    """The number of a card: thirteen times its suit, and its rank."""
    if isinstance(card, Card):
        rank_name, suit_name = card.rank_name, card.suit_name
    else:
        text = str(card).strip().upper()
        suit_first = text[:1] in _STRAIN_NAMES and text[:1] != "N"
        rank_name, suit_name = (text[1:], text[:1]) if suit_first else (text[:-1], text[-1:])
    rank = _RANK_NUMBERS.get(rank_name)
    suit = _STRAIN_NAMES.get(suit_name, 4)
    if rank is None or suit == 4:
        raise ParameterError(
            f"{str(card)!r} {place} is no card; write a rank, 2 to A, and a suit, as Q♠ or QS"
        )
    return kernel.SUIT * suit + rank


def _named(code: int) -> Card:
    return Deck()[RANKS[code % kernel.SUIT] + STRAINS[code // kernel.SUIT]]


def _of_text(text: str) -> list[list[Card]]:
    """The hands of a deal in PBN, North's first."""
    seat, colon, rest = text.strip().partition(":")
    if not colon:
        raise ParameterError(f"{text!r:.60} names no first seat; write a deal as N:AK.Q.J.T …")
    first, hands = _seat(seat, "the first seat of the deal"), rest.split()
    if len(hands) != 4:
        raise ParameterError(
            f"{text!r:.90} has {len(hands)} hands; write four, with a space between two"
        )
    dealt: list[list[Card]] = [[], [], [], []]
    for turn, hand in enumerate(hands):
        seat_number, suits = (first + turn) % 4, hand.split(".")
        if len(suits) != 4:
            raise ParameterError(
                f"{hand!r}, the hand of {SEATS[seat_number]}, has {len(suits)} suits; write four"
                " with dots between them, as AK..QJ.2"
            )
        place = f"in the hand of {SEATS[seat_number]}"
        for suit, ranks in enumerate(suits):
            for rank in ranks.upper().replace("10", "T"):
                dealt[seat_number].append(_named(_code(rank + STRAINS[suit], place)))
    return dealt


def _position(hands: Hands, leader: str, trick: Sequence[Card | str], trump: int) -> _Position:
    """A position, once it is sure that it is one."""
    dealt: list[list[Card | str]]
    if not isinstance(hands, str | Sequence):
        raise ParameterError(f"a deal is a text as in PBN, or four hands, not {hands!r:.60}")
    dealt = [list(hand) for hand in (_of_text(hands) if isinstance(hands, str) else hands)]
    if len(dealt) != 4:
        raise ParameterError(f"{len(dealt)} hands are given; give four, North's first")
    if len(trick) > 3:
        raise ParameterError(
            f"a trick of {len(trick)} cards is over; give three at most, or who leads to the next"
        )
    names: dict[int, Card] = {}
    first = _seat(leader, "leader")
    sets = [_added(hand, f"in the hand of {SEATS[n]}", names) for n, hand in enumerate(dealt)]
    left, at = sum(sets), _Position((), 0, first, -1, 0, 0, 0, names)
    for number, card in enumerate(trick):
        played = _added([card], "of the trick", names)
        code = played.bit_length() - 1
        seat = (first + number) % 4
        if number and code // kernel.SUIT != at.led and _suit(sets[seat], at.led):
            raise ParameterError(
                f"{names[code]} of the trick does not follow suit, and {SEATS[seat]} still has"
                f" {STRAINS[at.led]}; correct the trick or the hand"
            )
        sets[seat] |= played
        at = _with_card(at, code, trump)
    lengths = [mine.bit_count() for mine in sets]
    if len(set(lengths)) > 1 or not 1 <= lengths[0] <= kernel.RANKS:
        said = ", ".join(f"{seat} {length}" for seat, length in zip(SEATS, lengths, strict=True))
        raise ParameterError(
            f"the hands have {said} cards, with those of the trick; give each the same number,"
            " from 1 to 13"
        )
    return at._replace(hands=tuple(sets), left=left)


def _added(cards: Iterable[Card | str], place: str, names: dict[int, Card]) -> int:
    """Cards as a set; what they are called goes into the names."""
    held = 0
    for card in cards:
        code = _code(card, place)
        if code in names:
            raise ParameterError(f"{names[code]} {place} is there twice; each card is dealt once")
        names[code] = card if isinstance(card, Card) else _named(code)
        held |= 1 << code
    return held


def _suit(cards: int, suit: int) -> int:
    return cards >> (kernel.SUIT * suit) & kernel.FULL


def _with_card(at: _Position, code: int, trump: int) -> _Position:
    """The trick with one more card; it may be complete then."""
    led = at.led if at.played else code // kernel.SUIT
    best, winner = at.best, at.winner
    if at.played == 0 or kernel.beats(code, best, trump):
        best, winner = code, at.turn
    left = at.left & ~(1 << code)
    return at._replace(left=left, best=best, winner=winner, led=led, played=at.played + 1)


def _legal(at: _Position) -> list[int]:
    """The cards that may be played, the highest spade first."""
    mine = at.hands[at.turn] & at.left
    if at.played and _suit(mine, at.led):
        mine &= kernel.FULL << (kernel.SUIT * at.led)
    cards = [card for card in range(4 * kernel.SUIT) if mine >> card & 1]
    return sorted(cards, key=lambda card: (card // kernel.SUIT, -card))


def _equal(at: _Position, above: int, card: int) -> bool:
    """Whether no card of others is between these two of a hand."""
    between = (1 << above) - (2 << card)
    return above // kernel.SUIT == card // kernel.SUIT and not between & at.start
