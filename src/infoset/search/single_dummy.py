"""Bridge with hidden hands: one card, by what it brings in deals that agree with what was seen.

Whose turn it is knows its own hand and the dummy; the declarer plays both. A number of deals, the
*worlds*, are drawn that agree with the auction and the play (:mod:`infoset.objects.bridge_seen`),
and each is solved as if all cards were seen (:mod:`infoset.search.double_dummy`). With M = 1 a card
is worth the mean over the worlds: perfect-information Monte Carlo (PIMC), as M. Ginsberg's GIB
plays (*GIB: imperfect information in a computationally challenging game*, 2001). With more, M cards
of the player are planned alike for all worlds, by :class:`~infoset.search.alphamu.AlphaMuSearch`.

**What counts** is whether the contract is made, 1 or 0 in each world; of cards that are equal in
that, for all M up to the last, the one that takes the most tricks on average. Or it is the number
of tricks from the start.

**Cards that matter.** Of cards of a hand with no other hand's card in between one is tried. What
the others play is observed, for the plan, as the suit and between which of the open cards: a two or
a four from a hidden hand are the same if no open card lies between them. In twenty worlds the exact
card would almost tell which of them it is, which in the deal it does not. Nothing else is left out:
who takes a trick is seen.

**Partners.** For a defender the other one is an ally who knows all cards, as αμ has it, and its
declarer knows them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import fmean
from time import perf_counter
from typing import Any

from infoset.errors import ParameterError, TooLarge
from infoset.kernels import double_dummy as kernel
from infoset.objects import Card
from infoset.objects.bridge import Contract, book_of
from infoset.objects.tricks import TABLE, Turns
from infoset.search.alphamu import AlphaMuSearch
from infoset.search.double_dummy import DoubleDummyWorlds

SUIT, FULL, NO_TRUMP = kernel.SUIT, kernel.FULL, 4
PLAYER, PARTNER, OPPONENT = "player", "partner", "opponent"
PAYS = ("contract", "tricks")
MOST_POSITIONS = 200_000  # of worlds, that one search may solve
HIDDEN = 64  # from here on: observations of cards from hidden hands


@dataclass(frozen=True)
class SingleDummyCard:
    """A card, and what is known of the others.

    Attributes
    ----------
    card : Card
        The one to play.
    made : dict
        By card, of M = 1: the mean of what counts, over the worlds. Equal cards are one.
    tricks : dict
        By card, the mean of the tricks of the player's side, those taken before included; of the
        cards that are best in what counts, if there are several.
    choices : tuple of Card
        The cards for M = 1, 2, …; as many as were searched.
    reached : int
        The M of the last search; 0 if there was no choice.
    worlds : int
        How many were solved, in the time.
    """

    card: Card
    made: Mapping[Card, float]
    tricks: Mapping[Card, float]
    choices: tuple[Card, ...]
    reached: int
    worlds: int

    def choice(self, moves: int) -> Card:
        """The card for this M; once it is proved to be the best one, for all that follow."""
        return self.choices[min(moves, len(self.choices)) - 1]


class CardPlay:
    """The play of one contract in several worlds, as one player sees it: what positions share.

    Parameters
    ----------
    contract
        What is played.
    chooser
        The player's seat, by its place at the table; the declarer's, where it is the dummy's turn.
    tricks
        How many there are in all.
    pays
        ``"contract"`` or ``"tricks"``.
    worlds
        In whose memory deals are solved.
    exact
        Whether hidden cards are observed as they are, and not only by what matters of them; others
        then may play any of equal cards, since one tells something else than another.
    """

    seats = None
    players: Mapping[str, Sequence[str]] = {"side": (PLAYER, PARTNER), "others": (OPPONENT,)}
    name = "the play"

    def __init__(
        self,
        contract: Contract,
        chooser: int,
        tricks: int,
        pays: str,
        worlds: DoubleDummyWorlds,
        *,
        exact: bool = False,
    ) -> None:
        """Without any worlds."""
        declarer = TABLE.index(contract.declarer)
        dummy = (declarer + 2) % 4
        self.trump = NO_TRUMP if contract.trump is None else contract.trump
        self.exact = exact
        self.open = (0, 1, 2, 3) if exact else (chooser, dummy)  # whose cards are observed
        self.seen = (chooser, dummy)
        mine = (declarer, dummy) if chooser == declarer else (chooser,)
        self.role = [
            PLAYER if seat in mine else PARTNER if (seat - chooser) % 2 == 0 else OPPONENT
            for seat in range(4)
        ]
        self.parity, self.declares = declarer % 2, chooser == declarer
        self.all, self.by_tricks = tricks, pays == "tricks"
        self.target = book_of(tricks) + contract.level
        self.worlds = worlds
        self.hands: list[tuple[int, ...]] = []
        self.expected: dict[int, int] = {}  # tricks of the declarer, by world, as found last

    def position(self) -> Any:
        """A game has a position; here it is never asked for."""
        return None

    def begin(
        self, deals: Sequence[Sequence[Sequence[Card]]], turns: Turns, played: Sequence[Card]
    ) -> list[CardPosition]:
        """A position in each of these deals, after these cards, by which the turn was found.

        Raises
        ------
        ParameterError
            If a card of the trick in progress is not where it should be.
        """
        gone = _set(played[: len(played) // 4 * 4])
        self.hands = [tuple([_set(hand) & ~gone for hand in deal]) for deal in deals]
        leader = (turns.turn - len(turns.cards)) % 4
        taken = sum(taker % 2 == self.parity for taker in turns.taken)
        found = []
        for number, hands in enumerate(self.hands):
            at = CardPosition(self, number, sum(hands), leader)
            at.taken = taken
            for card in turns.cards:
                if not hands[at.turn] >> _code(card) & 1:
                    raise ParameterError(
                        f"{TABLE[at.turn]} has played {card}, but does not hold it in world"
                        f" {number}; give whole hands"
                    )
                at = at.after(_code(card))
            at.seen = ()
            found.append(at)
        self.worlds.begin(self.hands, self.trump)
        return found

    def solved(self, positions: Sequence[CardPosition]) -> list[int]:
        """What positions are worth to the player with all cards seen."""
        return self.counted(positions) if self.by_tricks else [self.made(one) for one in positions]

    def counted(self, positions: Sequence[CardPosition]) -> list[int]:
        """The tricks of the player's side, with all cards seen."""
        return [self.tricks(one) for one in positions]

    def made(self, at: CardPosition) -> int:
        """Whether the player has its way: 1 or 0."""
        if at.over:
            return self.reached(at.taken)
        need = self.target - at.taken
        if self.parity:  # East and West take as many if North and South do not take the others
            need = at.start.bit_count() // 4 - need + 1
        taken = self.worlds.takes(*at.trick, need) != bool(self.parity)
        return int(taken == self.declares)

    def reached(self, taken: int) -> int:
        """The same at the end, or when it is decided."""
        return int((taken >= self.target) == self.declares)

    def least(self, at: CardPosition) -> int:
        """The least that is left to the player."""
        if not self.by_tricks:
            return 0
        gone = self.all - at.start.bit_count() // 4
        return at.taken if self.declares else gone - at.taken

    def tricks(self, at: CardPosition) -> int:
        """The tricks of the player's side."""
        left = at.start.bit_count() // 4
        taken = at.taken
        if left:
            more = max(0, min(self.expected.get(at.deal, self.target) - taken, left))
            north = self.worlds.tricks(*at.trick, left - more if self.parity else more)
            taken += left - north if self.parity else north
            self.expected[at.deal] = taken
        return taken if self.declares else self.all - taken


class CardPosition:
    """A position of one world, as searches take positions; a move is the number of a card."""

    __slots__ = (
        "best", "deal", "led", "left", "played", "seen", "start", "table", "taken", "turn", "winner"
    )  # fmt: skip

    def __init__(self, table: CardPlay, deal: int, left: int, turn: int) -> None:
        """At the beginning of a trick."""
        self.table, self.deal = table, deal
        self.start = self.left = left
        self.turn, self.best, self.winner, self.led, self.played = turn, -1, 0, 0, 0
        self.taken = 0  # tricks of the declarer's side
        self.seen: tuple[int, ...] = ()

    @property
    def trick(self) -> tuple[int, int, int, int, int, int, int, int]:
        """What the solver asks for."""
        return (
            self.deal, self.start, self.left, self.turn,
            self.best, self.winner, self.led, self.played,
        )  # fmt: skip

    @property
    def over(self) -> bool:
        """At the end; sooner, if it is decided what counts."""
        table = self.table
        if table.by_tricks:
            return not self.left
        need = table.target - self.taken
        return not 0 < need <= self.start.bit_count() // 4

    @property
    def payoffs(self) -> dict[str, int]:
        """At the end."""
        table = self.table
        value = table.tricks(self) if table.by_tricks else table.reached(self.taken)
        return {"side": value, "others": -value}

    @property
    def movers(self) -> tuple[str]:
        """Who chooses the next card."""
        return (self.table.role[self.turn],)

    def chances(self) -> list[Any]:
        """There are no chance moves."""
        return []

    def options(self, player: str) -> tuple[int, ...]:
        """The cards that may be played, one of those that are equal; the highest first."""
        mine = self.table.hands[self.deal][self.turn]
        held, found = mine & self.left, list[int]()
        if self.played and held >> (SUIT * self.led) & FULL:
            held &= FULL << (SUIT * self.led)
        others = self.start & ~mine
        if self.table.exact and player != PLAYER:
            others = -1  # none is the same as another, where it is observed
        above, suit = 0, -1
        while held:
            card = held.bit_length() - 1
            held ^= 1 << card
            between = (1 << above) - (1 << card)
            if card // SUIT != suit or others & between:
                found.append(card)
            above, suit = card, card // SUIT
        return tuple(found)

    def after(self, card: int) -> CardPosition:
        """The position after a card."""
        table = self.table
        after = object.__new__(CardPosition)
        after.table, after.deal, after.taken = table, self.deal, self.taken
        after.start, after.left = self.start, self.left & ~(1 << card)
        suit = card // SUIT
        if not self.played:
            after.best, after.winner, after.led = card, self.turn, suit
        elif (suit == table.trump and self.best // SUIT != suit) or (
            suit == self.best // SUIT and card > self.best
        ):
            after.best, after.winner, after.led = card, self.turn, self.led
        else:
            after.best, after.winner, after.led = self.best, self.winner, self.led
        after.played, after.turn = self.played + 1, (self.turn + 1) % 4
        after.seen = (*self.seen, self.observed(card))
        if after.played == 4:
            after.turn, after.played, after.start = after.winner, 0, after.left
            after.taken += after.winner % 2 == table.parity
            after.seen += (after.winner,)
            after.best, after.winner, after.led = -1, 0, 0
        return after

    def observed(self, card: int) -> int:
        """A card as the player observes it: of a hidden hand, between which of the open cards."""
        table = self.table
        if self.turn in table.open:
            return card
        hands, suit = table.hands[self.deal], card // SUIT
        seen = (hands[table.seen[0]] | hands[table.seen[1]]) & self.start
        below = (seen >> (SUIT * suit)) & ((1 << card % SUIT) - 1)
        return HIDDEN + 16 * suit + below.bit_count()

    def view(self, player: str) -> Hashable:
        """What the player has observed of the plan."""
        return self.seen


class SingleDummySearch:
    """Finds cards for whoever's turn it is, one after the other, in the same memory.

    Parameters
    ----------
    moves
        M: how many of its cards the player plans alike in all worlds, this one included; 1 is PIMC.
        The dummy's are the declarer's.
    pays
        ``"contract"`` or ``"tricks"``: what counts.
    positions, seconds
        Limits of a search. Past these the last M that was finished counts; of the first one, the
        worlds that were finished, or of the first world, the cards.

    Raises
    ------
    ParameterError
        If a setting is not possible.
    """

    def __init__(
        self,
        moves: int = 2,
        *,
        pays: str = "contract",
        positions: int = MOST_POSITIONS,
        seconds: float | None = None,
    ) -> None:
        """Check the settings."""
        if moves < 1:
            raise ParameterError(f"moves={moves} plan no card; give 1 or more")
        if pays not in PAYS:
            raise ParameterError(f"pays={pays!r:.40}: one of {', '.join(PAYS)}")
        self.moves, self.pays = moves, pays
        self.positions, self.seconds = positions, seconds
        self._worlds = DoubleDummyWorlds()

    def warm_up(self) -> None:
        """Have compiled loops loaded, before any clock."""
        self._worlds.begin([(1, 2, 4, 8)], NO_TRUMP)
        self._worlds.tricks(0, 15, 15, 0, -1, 0, 0, 0, 0)

    def card(
        self,
        worlds: Sequence[Sequence[Sequence[Card]]],
        contract: Contract,
        played: Sequence[Card],
    ) -> SingleDummyCard:
        """The card to play.

        Parameters
        ----------
        worlds
            Deals, all equally probable: four whole hands each, in the order of ``TABLE``. The
            player's own hand and the dummy are the same in all.
        contract
            What is played.
        played
            All cards played so far, in order.

        Returns
        -------
        SingleDummyCard
            A card of the hand whose turn it is.

        Raises
        ------
        ParameterError
            If there is no world, one is no deal, all cards are played, or a card was played that is
            not where it should be.
        """
        _check(worlds, contract, played)
        until = inf if self.seconds is None else perf_counter() + self.seconds
        turns = Turns(TABLE.index(contract.leader), contract.trump)
        for card in played:
            turns.play(card)
        declarer = TABLE.index(contract.declarer)
        chooser = declarer if (turns.turn - declarer) % 4 == 2 else turns.turn
        table = CardPlay(contract, chooser, len(worlds[0][0]), self.pays, self._worlds)
        positions = table.begin(worlds, turns, played)
        held = {_code(card): card for hand in worlds[0] for card in hand}
        options, moves = positions[0].options(PLAYER), self.moves
        if len(options) == 1:
            card = held[options[0]]
            return SingleDummyCard(card, {card: 0.0}, {}, (card,), 0, 0)
        if positions[0].over:  # it is decided whether the contract is made: tricks are left
            table.by_tricks, moves = True, 1
        values, done = _means(table.solved, positions, options, until)
        best = [option for option in values if values[option] == max(values.values())]
        tricks: dict[int, float] = {}
        if len(best) > 1 and not table.by_tricks and perf_counter() < until:
            tricks, _ = _means(table.counted, positions[:done], best, until)
        order = sorted(values, key=lambda one: (-values[one], -tricks.get(one, 0), one % SUIT))
        choices, reached = [order[0]], 1
        if moves > 1 and max(values.values()) > 0 and len(values) == len(options):
            planned = self._planned(table, positions[:done], tuple(order), until)
            if planned is not None:
                choices, reached = planned
        return SingleDummyCard(
            held[choices[-1]],
            {held[option]: value for option, value in values.items()},
            {held[option]: mean for option, mean in tricks.items()},
            tuple([held[choice] for choice in choices]),
            reached,
            done,
        )

    def _planned(
        self, table: CardPlay, positions: list[CardPosition], order: tuple[int, ...], until: float
    ) -> tuple[list[int], int] | None:
        """The cards for M = 1, 2, … and the last M."""
        solver: Any = table.solved
        search = AlphaMuSearch(
            table,
            PLAYER,
            moves=self.moves,
            solver=solver,
            least=table.least(positions[0]),
            positions=self.positions,
            seconds=None if until == inf else max(until - perf_counter(), 0.001),
        )
        worlds: Any = [(_Ordered(one, order), 1) for one in positions]
        try:
            search.best(worlds)
        except TooLarge:
            return None
        return list(search.choices), search.reached  # type: ignore[arg-type]


def _means(
    solved: Callable[[Sequence[CardPosition]], list[int]],
    positions: Sequence[CardPosition],
    options: Sequence[int],
    until: float,
) -> tuple[dict[int, float], int]:
    """What options are worth on average, over the worlds for which there is time; how many.

    Of the first world some options are enough, in their order.
    """
    rows: list[list[int]] = []
    for position in positions:
        row: list[int] = []
        for option in options:
            if (rows or row) and perf_counter() > until:
                if not rows:
                    return dict(zip(options, map(float, row), strict=False)), 1
                break
            row += solved([position.after(option)])
        else:
            rows.append(row)
            continue
        break
    means = map(fmean, zip(*rows, strict=True))
    return dict(zip(options, means, strict=True)), len(rows)


class _Ordered:
    """A world at the root, where the options are in an order of their own."""

    def __init__(self, position: CardPosition, order: tuple[int, ...]) -> None:
        self._position, self._order = position, order

    def options(self, player: str) -> tuple[int, ...]:
        """The cards, the most promising one first."""
        return self._order

    def after(self, card: int) -> CardPosition:
        """As of the position."""
        return self._position.after(card)


def _check(
    worlds: Sequence[Sequence[Sequence[Card]]], contract: Contract, played: Sequence[Card]
) -> None:
    """Refuse what is no decision."""
    if not worlds:
        raise ParameterError("no worlds are given; draw at least one deal")
    if contract.declarer not in TABLE:
        raise ParameterError(
            f"the declarer is {contract.declarer!r:.40}; give one of {', '.join(TABLE)}"
        )
    for number, world in enumerate(worlds):
        lengths = [len(hand) for hand in world]
        if len(lengths) != 4 or len(set(lengths)) > 1:
            raise ParameterError(
                f"world {number} has hands of {', '.join(map(str, lengths))} cards; give four whole"
                " hands of the same length"
            )
        cards = [card for hand in world for card in hand]
        if len(set(cards)) < len(cards):
            twice = next(card for card in cards if cards.count(card) > 1)
            raise ParameterError(f"world {number} has {twice} twice; each card is dealt once")
        if len(played) >= len(cards):
            raise ParameterError("all cards are played; there is nothing to decide")


def _code(card: Card) -> int:
    return SUIT * card.suit + card.rank


def _set(cards: Sequence[Card]) -> int:
    return sum(1 << _code(card) for card in cards)
