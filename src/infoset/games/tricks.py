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

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from infoset.objects import Card, Deck, Hand
from infoset.rules import Play, ReplayPosition, game

TABLE = ("north", "east", "south", "west")  # clockwise
TEAMS = {"north-south": ("north", "south"), "east-west": ("east", "west")}


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
    players=TEAMS,
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
    taker = (turn + winner(cards, trumps)) % 4
    for team, agents in TEAMS.items():
        g.pay(team, 1 if TABLE[taker] in agents else -1)
    return Trick(hands, taker, ()) if any(hands) else None


def followers(hand: Sequence[Card], cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that may be played, each kind once: of the suit led, if there are any."""
    led = cards[0].suit if cards else None
    return tuple(dict.fromkeys(card for card in hand if card.suit == led) or dict.fromkeys(hand))


def without(hand: Sequence[Card], card: Card) -> Hand[Card]:
    """The hand after one card was played."""
    at = hand.index(card)
    return Hand((*hand[:at], *hand[at + 1 :]))


def winner(cards: Sequence[Card], trumps: bool) -> int:
    """Which card takes the trick; of equal cards the first counts, as ``max`` keeps the first."""
    led = cards[0].suit

    def strength(at: int) -> tuple[bool, bool, int]:
        card = cards[at]
        return trumps and card.suit == 0, card.suit == led, card.rank

    return max(range(len(cards)), key=strength)


def alike(position: ReplayPosition) -> Hashable:
    """What matters of a position when all cards are open, for partition search.

    What was played before does not matter, nor do ranks as such, only how the cards that are left
    compare: the ranks of a suit that are still held, or win the trick so far, are numbered from the
    lowest. Legal moves depend on suits, and who takes a trick on comparisons within a suit and on
    which suit it is; so positions that are equal in this play alike, move by move. Of the cards on
    the table only the suit led and the one that wins so far count.

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
    hands, turn, cards = trick
    best = winner(cards, position.game.params["trumps"]) if cards else None  # type: ignore[attr-defined]
    counted = {card for hand in hands for card in hand}
    if best is not None:
        counted.add(cards[best])
    below: dict[int, int] = {}  # by suit: the ranks numbered so far
    number: dict[Card, tuple[int, int]] = {}
    for card in sorted(counted, key=lambda card: card.rank):
        number[card] = card.suit, below.get(card.suit, 0)
        below[card.suit] = below.get(card.suit, 0) + 1
    held = tuple(tuple(sorted(number[card] for card in hand)) for hand in hands)
    if best is None:
        return held, turn
    return held, turn, len(cards), cards[0].suit, best, number[cards[best]]
