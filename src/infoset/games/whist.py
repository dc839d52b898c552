"""Whist: trumps are turned up, nothing is bid, and all hands stay hidden.

The rules are those of long and short whist as Hoyle's followers have them, without honours: only
tricks count. What it shares with bridge is in :mod:`infoset.objects.tricks`; deals that agree with
what a player has seen are drawn as there, from three hidden hands instead of two
(:mod:`infoset.objects.deals`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from infoset.errors import InfosetError
from infoset.objects.card_table import table_seen
from infoset.objects.cards import Card, Deck, Hand
from infoset.objects.deals import (
    Fixed,
    Seen,
    deck_of,
    fixed_hands,
    free_cards,
    owners_of,
    rooms_left,
    seen_hands,
    whole_hands,
)
from infoset.objects.tricks import (
    PARTNERSHIPS,
    TABLE,
    Turns,
    cards_chosen,
    comparable,
    followers,
    next_owner,
    partnership,
    trick_taker,
    without,
)
from infoset.rules import Play, ReplayPosition, game


class Whist(NamedTuple):
    """The play of the cards."""

    trump: int
    hands: tuple[Hand[Card], ...]  # in the order of the table
    turn: int  # whose turn it is, by its place at the table
    cards: tuple[Card, ...]  # of the trick in progress, the one led first
    ahead: int  # tricks of north-south less those of east-west


def history(
    view: Hashable, player: str, random: Random, ranks: int, suits: int, dealer: str, deal: str
) -> tuple[Hashable, ...] | None:
    """Moves that agree with a view, drawn as if the others moved at random; None if none."""
    known = known_by(view, player, ranks, suits, dealer, deal)
    return None if known is None else known.draw(random)


def picture(view: Any, player: str) -> list[Hashable]:
    """The cards that a seat sees."""
    return table_seen(view, player)


def bounds(ranks: int, suits: int) -> tuple[int, int]:
    """All tricks above the book lost, or all taken."""
    tricks = ranks * suits // 4
    return tricks // 2 - tricks, tricks - tricks // 2


@game(
    players=PARTNERSHIPS,
    requires=(
        "1 <= ranks <= 13",
        "1 <= suits <= 4",
        "ranks * suits % 4 == 0",
        "ranks * suits >= 8",
        "dealer in ('north', 'east', 'south', 'west')",
    ),
    source="Cavendish (H. Jones), The laws and principles of whist, 1862; without honours",
    bounds=bounds,
    sampler=history,
    picture=picture,
    state=(),
)
def whist(
    g: Play,
    state: tuple[str, ...] | Whist,
    ranks: int = 13,
    suits: int = 4,
    dealer: str = "west",
    deal: str = "",
) -> object:
    """Two pairs play in tricks; the suit of the dealer's last card, which is shown, is trumps.

    The player on the dealer's left leads. The others follow suit if they can. The highest trump
    takes the trick, or else the highest card of the suit led; who takes it leads the next. A card
    that is the only one allowed is played without asking. The side with more tricks gets a point
    for each of them above the book, which is half of all tricks, rounded down: six of thirteen.
    A ``deal`` fixes hands, in the notation of PBN, as in :func:`~infoset.games.bridge`.
    """
    deck, tricks = deck_of(ranks, suits), ranks * suits // 4
    if not isinstance(state, Whist):
        fixed = fixed_hands(deal, ranks, suits)
        free = free_cards(deck, fixed)
        if len(state) < len(free):
            return (*state, next_owner(g, rooms_left(fixed, state, tricks)))
        hands, seat = whole_hands(fixed, free, state), TABLE.index(dealer)
        for agent, hand in zip(TABLE, hands, strict=True):
            g.reveal(agent, hand)
        turned = g.chance(hands[seat])
        g.reveal(g.agents, ("turned up", turned))
        return Whist(turned.suit, hands, (seat + 1) % 4, (), 0)
    after = card_played(g, state)
    if any(after.hands):
        return after
    odd = (tricks + abs(after.ahead)) // 2 - tricks // 2
    if not after.ahead:
        return g.end((0, 0))
    return g.win(g.players[after.ahead < 0], odd)


def card_played(g: Play, play: Whist) -> Whist:
    """One card; after the fourth of a trick, who takes it leads."""
    trump, hands, turn, cards, ahead = play
    agent, allowed = TABLE[turn], followers(hands[turn], cards)
    if len(allowed) > 1:
        card = g.choose(agent, allowed)
        g.reveal(g.others(agent), (agent, card))
    else:
        card = allowed[0]
        g.reveal(g.agents, (agent, card))
    hands, cards = (*hands[:turn], without(hands[turn], card), *hands[turn + 1 :]), (*cards, card)
    turn = (turn + 1) % 4
    if len(cards) < 4:
        return Whist(trump, hands, turn, cards, ahead)
    turn = (turn + trick_taker(cards, trump)) % 4
    taken = 1 if partnership(turn) == "north-south" else -1
    return Whist(trump, hands, turn, (), ahead + taken)


# ---------------------------------------------------------------------- views


class Known(NamedTuple):
    """What a player knows of a play."""

    seen: Seen
    deck: Deck
    fixed: Fixed
    dealer: str
    turned: Card
    cards: tuple[Card, ...]

    def draw(self, random: Random) -> tuple[Hashable, ...]:
        """The moves of such a play; raises NoHistory if there is none."""
        return self.moves(self.seen.hidden.draw(random))

    def moves(self, drawn: Sequence[Hand[Card]]) -> tuple[Hashable, ...]:
        """The moves of a play with these cards in the hidden hands."""
        return tuple(self._moves(self.seen.hands(drawn)))

    def _moves(self, hands: Sequence[Hand[Card]]) -> Iterator[Hashable]:
        yield from owners_of(hands, self.fixed, self.deck)
        yield self.turned
        yield from cards_chosen(hands, turns_of(self.dealer, self.turned), self.cards)


def turns_of(dealer: str, turned: Card) -> Turns:
    """Whose turn it is, from the first lead on."""
    return Turns((TABLE.index(dealer) + 1) % 4, turned.suit)


@lru_cache(maxsize=64)
def known_by(
    view: Any,
    player: str,
    ranks: int,
    suits: int,
    dealer: str,
    deal: str = "",
    at_random: bool = True,
) -> Known | None:
    """What a view tells; None if it is none of this game."""
    try:
        fixed = fixed_hands(deal, ranks, suits)
        known = _read(view, player, deck_of(ranks, suits), fixed, dealer, at_random)
        made = ReplayPosition(whist(ranks, suits, dealer, deal), known.draw(Random(0)))
        return known if made.view(player) == view else None
    except (InfosetError, TypeError, ValueError, AttributeError, IndexError, KeyError):
        return None


def _read(
    view: Any,
    player: str,
    deck: Deck,
    fixed: tuple[Hand[Card] | None, ...],
    dealer: str,
    at_random: bool,
) -> Known:
    facts = [what for kind, what in view if kind != "offered"]
    hand, (_, turned), *played = facts
    cards = [fact if isinstance(fact, Card) else fact[1] for fact in played]
    opened = {seat: given for seat, given in enumerate(fixed) if given is not None}
    opened[TABLE.index(player)] = hand
    shown = {TABLE.index(dealer): [turned]}
    turns = turns_of(dealer, turned)
    seen = seen_hands(deck, opened, cards, turns, shown, at_random=at_random)
    return Known(seen, deck, fixed, dealer, turned, tuple(cards))


def alike(position: ReplayPosition) -> Hashable:
    """What matters of a position when all cards are open, for partition search.

    See :func:`~infoset.objects.tricks.comparable`. Before the play all counts.
    """
    play: Any = position.state
    if not isinstance(play, Whist):
        return position.key
    return comparable(play.hands, play.turn, play.cards, play.trump), play.ahead
