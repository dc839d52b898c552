"""Tricks: four at a table, two against two, and partners who may not speak.

A trick-taking game in the manner of whist and bridge, small enough for its tree. As in Doppelkopf
there may be several copies of each card, and of equal cards the first that was played counts; this
keeps the deals few. Each agent sees its own hand and the cards on the table. A team is one player
that has forgotten, when South plays, what North holds: a game without perfect recall.

    ranks  suits  copies      deals       nodes     information sets
        2      2       2        282       1,591                  118
        4      1       2        282       4,759                  366
        4      2       1      2,520      27,433                1,804
        8      1       1      2,520      78,121                4,396

Once the cards are dealt and laid open, most differences between them do not matter: see
:func:`alike`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from infoset.objects import Card, Deck, Hand
from infoset.objects.tricks import (
    PARTNERSHIPS,
    TABLE,
    comparable,
    followers,
    partnership,
    trick_taker,
    without,
)
from infoset.rules import Play, ReplayPosition, game


class Trick(NamedTuple):
    """A trick in progress."""

    hands: tuple[Hand[Card], ...]  # in the order of TABLE
    turn: int  # whose turn it is, by its place at the table
    cards: tuple[Card, ...]  # those played, the one led first


def bounds(ranks: int, suits: int, copies: int) -> tuple[int, int]:
    """All tricks lost, or all taken."""
    most = ranks * suits * copies // 4
    return -most, most


@game(
    players=PARTNERSHIPS,
    requires=(
        "min(ranks, suits, copies) >= 1",
        "ranks * suits * copies % 4 == 0",
        "ranks * suits * copies >= 8",  # with a card each there is nothing to decide
    ),
    source="our own, after bridge as in Blair, Mutchler & van Lent 1996, section 2.1",
    bounds=bounds,
    state=None,
)
def tricks(
    g: Play,
    trick: Trick | None,
    ranks: int = 2,
    suits: int = 2,
    copies: int = 2,
    trumps: bool = True,
) -> object:
    """Two teams of two play out a small deck in tricks; partners may not speak.

    North leads. The others follow suit if they can. The highest trump takes the trick, or else the
    highest card of the suit led; who takes it leads the next. Spades are ``trumps``, if there are
    any. A card that is the only one allowed is played without asking. A team wins as much as it has
    taken more tricks than the other.
    """
    if trick is None:
        deck = Deck(ranks, suits) * copies
        hands = g.deal(deck, *[len(deck) // 4] * 4, hands=True)
        for agent, hand in zip(TABLE, hands, strict=True):
            g.reveal(agent, hand)
        return Trick(tuple(hands), 0, ())
    hands, turn, cards = trick
    agent = TABLE[turn]
    allowed = followers(hands[turn], cards)
    card = g.choose(agent, allowed) if len(allowed) > 1 else allowed[0]
    g.reveal(g.others(agent), (agent, card))
    hands, cards = (*hands[:turn], without(hands[turn], card), *hands[turn + 1 :]), (*cards, card)
    turn = (turn + 1) % 4
    if len(cards) < 4:
        return Trick(hands, turn, cards)
    taker = (turn + trick_taker(cards, trump_suit(trumps))) % 4
    for team in PARTNERSHIPS:
        g.pay(team, 1 if team == partnership(taker) else -1)
    return Trick(hands, taker, ()) if any(hands) else None


def trump_suit(trumps: bool) -> int | None:
    """Spades are trumps, if there are any."""
    return 0 if trumps else None


def alike(position: ReplayPosition) -> Hashable:
    """What matters of a position when all cards are open, for partition search.

    See :func:`~infoset.objects.tricks.comparable`.

    Examples
    --------
    >>> from infoset.search import PerfectSearch
    >>> game = tricks(ranks=8, suits=1, copies=1)
    >>> deals = [game.position().after(deal) for deal, _ in game.position().chances()[:20]]
    >>> plain, partition = PerfectSearch(game), PerfectSearch(game, alike=alike)
    >>> [plain.value(deal) for deal in deals] == [partition.value(deal) for deal in deals]
    True
    >>> partition.nodes < plain.nodes
    True
    """
    trick: Trick | None = position.state
    if trick is None:
        return None
    return comparable(*trick, trump_suit(position.game.params["trumps"]))  # type: ignore[attr-defined]
