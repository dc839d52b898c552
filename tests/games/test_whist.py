"""Whist: counts against an independent enumeration, the trump card, sampling."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

from infoset.errors import InfosetError
from infoset.games import whist
from infoset.games.whist import Whist, alike, known_by
from infoset.objects.tricks import TABLE
from infoset.rules import ReplayPosition
from infoset.search import Histories, PerfectSearch
from tests.games.test_bridge import dealt, taker, walked

SMALL = {"ranks": 4, "suits": 2, "dealer": "west"}


def plays(deal: Any, turned: Any, played: tuple[Any, ...], ahead: int, sets: set[Any]) -> Counter:
    """The ends of every play by tricks that north-south is ahead, and under None its choices.

    North leads, west has dealt. ``sets`` collects what who chooses has seen.
    """
    table = [card for _, card in played[len(played) // 4 * 4 :]]
    if not played:
        seat = 0
    elif table:
        seat = (played[-1][0] + 1) % 4
    else:
        seat = taker(played[-4:], turned[1])
        ahead += (-1) ** seat
    hand = [card for card in deal[seat] if (seat, card) not in played]
    if not hand:
        return Counter({ahead: 1})
    allowed = [card for card in hand if table and card[1] == table[0][1]] or hand
    found = Counter({None: int(len(allowed) > 1)})
    if len(allowed) > 1:
        sets.add((seat, deal[seat], turned, played))
    for card in allowed:
        found += plays(deal, turned, (*played, (seat, card)), ahead, sets)
    return found


def test_a_small_deck_against_every_play_of_every_deal() -> None:
    """8! / 2!⁴ = 2,520 deals, of each of which two cards may be turned up."""
    tree = whist(**SMALL).tree()
    cards = [(rank, suit) for rank in range(4) for suit in range(2)]
    sets: set[Any] = set()
    ends = Counter[Any]()
    for deal in dealt(cards, 2):
        for turned in deal[3]:
            ends += plays(deal, turned, (), 0, sets)
    choices = ends.pop(None)
    chance = [node for node in tree.nodes if node.is_chance]
    assert len(tree) == len(chance) + choices + ends.total() == 59_349
    assert len(tree.infosets) == len(sets) == 4_560
    paid = Counter(leaf.payoffs["north-south"] for leaf in tree.leaves)
    assert paid == Counter({ahead // 2: number for ahead, number in ends.items()})


def test_everyone_sees_the_card_turned_up_and_nobody_another_hand() -> None:
    position = next(at for at in walked(whist(), 2) if at.movers)
    hands = position.state.hands
    for seat, agent in enumerate(TABLE):
        hand, turned = [fact for kind, fact in position.view(agent) if kind == "saw"]
        assert hand == hands[seat]
        assert turned[0] == "turned up"
        assert turned[1] in hands[TABLE.index("west")]
        assert turned[1].suit == position.state.trump


def test_points_are_tricks_above_six() -> None:
    for seed in range(5):
        last = walked(whist(dealer="south"), seed)[-2:]
        state = last[0].state
        assert isinstance(state, Whist)
        assert abs(last[1].payoffs["north-south"]) in range(1, 8)
        assert sum(last[1].payoffs.values()) == 0


@pytest.mark.parametrize("dealer", ["west", "north"])
def test_deals_are_drawn_by_their_exact_probabilities(dealer: str) -> None:
    """Against the enumeration of all histories, which knows nothing of suits."""
    game = whist(**SMALL | {"dealer": dealer})
    for seed in range(1):
        position = walked(game, seed)[-2]
        agent = position.movers[0]
        view = position.view(agent)
        exact = dict(Histories(game, agent).enumerate(view))
        known = known_by(view, agent, **game.params)
        assert known is not None
        ours = {
            ReplayPosition(game, known.moves(hands)): weight
            for hands, weight in known.seen.hidden.enumerate()
        }
        assert ours.keys() == exact.keys()
        for world, weight in exact.items():
            assert ours[world] == pytest.approx(float(weight))


def test_draws_by_chi_square() -> None:
    game = whist(ranks=3, suits=4)
    for seed in range(100):
        position = walked(game, seed)[-2]
        agent = position.movers[0]
        known = known_by(position.view(agent), agent, **game.params)
        assert known is not None
        weights = {known.moves(hands): weight for hands, weight in known.seen.hidden.enumerate()}
        if len(weights) > 5 and len({round(weight, 9) for weight in weights.values()}) > 1:
            break
    drawn = Histories(game, agent).sample(position.view(agent), 1000, Random(4))
    counts = Counter(one.moves for one in drawn)
    assert counts.keys() <= weights.keys()
    expected = [weight * 1000 for weight in weights.values()]
    assert chisquare([counts[moves] for moves in weights], expected).pvalue > 0.001


def test_hidden_hands_honour_voids_in_the_full_deck() -> None:
    """A hand that has not followed suit gets no card of it, nor can one be shown to it again."""
    for position in walked(whist(), 7)[60:-1:5]:
        agent = position.movers[0]
        known = known_by(position.view(agent), agent, **position.game.params)  # type: ignore[attr-defined]
        assert known is not None
        for seed in range(3):
            other = ReplayPosition(position.game, known.draw(Random(seed)))
            assert other.view(agent) == position.view(agent)


def test_fixed_hands_are_known_to_all() -> None:
    game = whist(ranks=4, suits=2, deal="N:AJ. - K.A -")
    assert repr(game.tree()).endswith(" 95 nodes, 28 information sets, 2 players>")
    position = next(at for at in walked(game, 3) if at.movers)
    known = known_by(position.view("north"), "north", **game.params)
    assert known is not None
    exact = Histories(game, "north").enumerate(position.view("north"))
    assert known.seen.hidden.count() == len(exact)


def test_partition_search() -> None:
    start = next(at for at in walked(whist(ranks=4, suits=4), 3) if at.movers)
    plain, partition = PerfectSearch(start.game), PerfectSearch(start.game, alike=alike)
    assert plain.value(start) == partition.value(start)
    assert partition.nodes < plain.nodes


@pytest.mark.parametrize("view", [(), 3, (("saw", 3),), (("saw", (1,)), ("saw", ("turned", 2)))])
def test_a_view_of_no_play_has_no_history(view: Any) -> None:
    with pytest.raises(InfosetError):
        Histories(whist(**SMALL), "north").sample(view, 1, Random(1), attempts=5)
