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
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from infoset.objects import Card, Deck, Hand
from infoset.rules import Play, game

TABLE = ("north", "east", "south", "west")  # clockwise
TEAMS = {"north-south": ("north", "south"), "east-west": ("east", "west")}


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
)
def tricks(g: Play, ranks: int = 2, suits: int = 2, copies: int = 2, trumps: bool = True) -> object:
    """Two teams of two play out a small deck in tricks; partners may not speak.

    North leads. The others follow suit if they can. The highest trump takes the trick, or else the
    highest card of the suit led; who takes it leads the next. Spades are ``trumps``, if there are
    any. A card that is the only one allowed is played without asking. A team wins as much as it has
    taken more tricks than the other.
    """
    deck = Deck(ranks, suits) * copies
    hands = dict(zip(TABLE, g.deal(deck, *[len(deck) // 4] * 4, hands=True), strict=True))
    for agent, hand in hands.items():
        g.reveal(agent, hand)
    taken: Counter[str] = Counter()
    leader = "north"
    for _ in range(len(deck) // 4):
        table: dict[str, Card] = {}
        for agent in g.turns(*TABLE, start=leader, rounds=1):
            allowed = followers(hands[agent], table)
            card = g.choose(agent, allowed) if len(allowed) > 1 else allowed[0]
            g.reveal(g.others(agent), (agent, card))
            table[agent] = card
            hands[agent] = without(hands[agent], card)
        leader = winner(table, trumps)
        taken[leader] += 1
    ahead = sum(taken[agent] for agent in TEAMS["north-south"]) * 2 - taken.total()
    return ahead, -ahead


def followers(hand: Sequence[Card], table: dict[str, Card]) -> tuple[Card, ...]:
    """The cards that may be played, each kind once: of the suit led, if there are any."""
    led = next(iter(table.values())).suit if table else None
    return tuple(dict.fromkeys(card for card in hand if card.suit == led) or dict.fromkeys(hand))


def without(hand: Sequence[Card], card: Card) -> Hand[Card]:
    """The hand after one card was played."""
    at = hand.index(card)
    return Hand((*hand[:at], *hand[at + 1 :]))


def winner(table: dict[str, Card], trumps: bool) -> str:
    """Who takes the trick; of equal cards the first counts, as ``max`` keeps the first."""
    led = next(iter(table.values())).suit

    def strength(agent: str) -> tuple[bool, bool, int]:
        card = table[agent]
        return trumps and card.suit == 0, card.suit == led, card.rank

    return max(table, key=strength)
