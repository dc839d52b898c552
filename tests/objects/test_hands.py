"""Poker hands: published frequencies, and an independent judge on small decks."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.errors import RulesError
from infoset.objects.cards import Deck, Hand
from infoset.objects.hands import hand_name, poker_rank

FULL = Deck()

# Five cards of 52: number of hands and number of hands that do not tie. Both are classical counts;
# e.g. en.wikipedia.org/wiki/Poker_probability, with the royal flush among the straight flushes.
FIVE_OF_52 = {
    "straight flush": (40, 10),
    "four of a kind": (624, 156),
    "full house": (3_744, 156),
    "flush": (5_108, 1_277),
    "straight": (10_200, 10),
    "three of a kind": (54_912, 858),
    "two pairs": (123_552, 858),
    "pair": (1_098_240, 2_860),
    "high card": (1_302_540, 1_277),
}


def cards(text, deck=FULL):
    return tuple(deck[word] for word in text.split())


def hands_by_ranks(deck, size):
    """One hand for all hands with the same ranks, and whether in one suit, with their number.

    How often the suits fall is counted here, so that the whole deck takes thousands of hands
    instead of millions.
    """
    suits = len(deck.suits)
    for ranks in combinations_with_replacement(range(len(deck.ranks)), size):
        counts = Counter(ranks)
        if max(counts.values()) > suits:
            continue
        ways = prod(comb(suits, count) for count in counts.values())
        if len(counts) == size:
            yield tuple(deck[rank * suits] for rank in ranks), suits
            ways -= suits
        seen = Counter()
        hand = []
        for place, rank in enumerate(ranks):
            # The last card leaves the first suit, so that different ranks are not all in one.
            shift = len(counts) == size and place == size - 1
            hand.append(deck[rank * suits + seen[rank] + shift])
            seen[rank] += 1
        yield tuple(hand), ways


def test_published_frequencies_of_five_cards_from_52():
    hands, ranks = Counter(), {}
    for hand, ways in hands_by_ranks(FULL, 5):
        hands[hand_name(hand)] += ways
        ranks.setdefault(hand_name(hand), set()).add(poker_rank(hand))
    assert hands.total() == comb(52, 5) == 2_598_960
    assert {name: (hands[name], len(ranks[name])) for name in hands} == FIVE_OF_52
    assert sum(map(len, ranks.values())) == 7_462


def judge(hand):
    """The category of five cards by counting pairs of equal ranks, without the module's means."""
    alike = sum(one.rank == two.rank for one, two in combinations(hand, 2))
    if alike:
        by_alike = {1: "pair", 2: "two pairs", 3: "three of a kind", 4: "full house"}
        return by_alike.get(alike, "four of a kind")
    ranks = [card.rank for card in hand]
    straight = max(ranks) - min(ranks) == 4
    flush = len({card.suit for card in hand}) == 1
    if straight:
        return "straight flush" if flush else "straight"
    return "flush" if flush else "high card"


def test_every_hand_of_a_deck_of_six_ranks():
    deck = Deck(6, 4)
    found = Counter()
    for hand in combinations(deck, 5):
        name = judge(hand)
        found[name] += 1
        assert hand_name(hand) == name
    # By formula for n = 6 ranks: n − 4 straights, n·(n−1) full houses of C(4,3)·C(4,2), and so on.
    assert found == {
        "straight flush": 2 * 4,
        "four of a kind": 6 * 20,
        "full house": 6 * 5 * 4 * 6,
        "flush": (6 - 2) * 4,
        "straight": 2 * (4**5 - 4),
        "three of a kind": 6 * 4 * comb(5, 2) * 4**2,
        "two pairs": comb(6, 2) * 6**2 * 4 * 4,
        "pair": 6 * 6 * comb(5, 3) * 4**3,
        "high card": (6 - 2) * (4**5 - 4),
    }
    assert found.total() == comb(24, 5)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("10♠ J♠ Q♠ K♠ A♠", "9♥ 10♥ J♥ Q♥ K♥"),
        ("2♥ 3♥ 4♥ 5♥ 6♥", "A♠ 2♠ 3♠ 4♠ 5♠"),
        ("A♠ 2♠ 3♠ 4♠ 5♠", "A♠ A♥ A♦ A♣ K♠"),
        ("3♠ 3♥ 3♦ 3♣ 2♠", "2♠ 2♥ 2♦ 2♣ A♠"),
        ("2♠ 2♥ 2♦ 2♣ 4♠", "2♠ 2♥ 2♦ 2♣ 3♠"),
        ("2♠ 2♥ 2♦ 2♣ 3♠", "A♠ A♥ A♦ K♠ K♥"),
        ("3♠ 3♥ 3♦ 2♠ 2♥", "2♠ 2♥ 2♦ A♠ A♥"),
        ("2♠ 2♥ 2♦ 3♠ 3♥", "9♠ J♠ Q♠ K♠ A♠"),
        ("2♠ 3♠ 4♠ 5♠ 7♠", "10♠ J♠ Q♠ K♠ A♥"),
        ("2♠ 3♠ 4♠ 5♠ 6♥", "A♠ 2♠ 3♠ 4♠ 5♥"),
        ("A♠ 2♠ 3♠ 4♠ 5♥", "A♠ A♥ A♦ K♠ Q♥"),
        ("2♠ 2♥ 2♦ 3♠ 4♥", "A♠ A♥ K♦ K♠ Q♥"),
        ("3♠ 3♥ A♦ A♠ 2♥", "K♠ K♥ Q♦ Q♠ A♥"),
        ("2♠ 2♥ 3♦ 3♠ 4♥", "A♠ A♥ K♦ Q♠ J♥"),
        ("2♠ 2♥ 3♦ 4♠ 6♥", "2♠ 2♥ 3♦ 4♠ 5♥"),
        ("2♠ 2♥ 3♦ 4♠ 5♥", "9♠ J♥ Q♦ K♠ A♥"),
        ("2♠ 3♥ Q♦ K♠ A♥", "9♠ 10♥ J♦ K♠ A♥"),
    ],
)
def test_better_hands_rank_higher(better, worse):
    assert poker_rank(cards(better)) > poker_rank(cards(worse))


def test_a_straight_does_not_go_round_the_corner():
    assert hand_name(cards("Q♠ K♥ A♦ 2♠ 3♥")) == "high card"
    assert hand_name(cards("A♠ 2♥ 3♦ 4♠ 6♥")) == "high card"
    assert hand_name(cards("A♠ 3♥ 4♦ 5♠ 6♥")) == "high card"


def test_the_ace_goes_low_in_the_deck_of_thirteen_only():
    assert hand_name(cards("A♠ 2♥ 3♦")) == "straight"
    assert hand_name(cards("A 2 3 4", Deck(13, 1))) == "straight"
    assert hand_name(cards("13 1 2", Deck(14, 1))) == "high card"
    six = Deck("9TJQKA", 4)
    assert hand_name(cards("A♠ 9♥ T♦ J♠ Q♥", six)) == "high card"


def test_straights_and_flushes_take_three_cards():
    assert hand_name(cards("K♠ Q♠")) == "high card"
    assert hand_name(cards("K♠ Q♠ J♠")) == "straight flush"
    assert hand_name(cards("K♠ Q♥ J♠")) == "straight"
    assert hand_name(cards("K♠ 2♠ J♠")) == "flush"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A♠", "high card"),
        ("A♠ A♥", "pair"),
        ("A♠ A♥ A♦", "three of a kind"),
        ("A♠ A♥ K♦ K♠", "two pairs"),
        ("A♠ A♥ A♦ A♣", "four of a kind"),
        ("A♠ A♥ K♦ K♠ Q♠ Q♥", "two pairs"),
        ("A♠ A♥ A♦ K♠ K♦ K♥", "full house"),
        ("2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♥", "straight"),
        ("2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 9♠", "flush"),
    ],
)
def test_hands_of_other_sizes(text, name):
    assert hand_name(cards(text)) == name


def test_larger_classes_decide_within_a_category():
    three_pairs, two_pairs = cards("2♠ 2♥ 3♦ 3♠ 4♠ 4♥"), cards("A♠ A♥ K♦ K♠ Q♠ J♥")
    assert poker_rank(three_pairs) > poker_rank(two_pairs)


def test_five_suits_make_five_of_a_kind_the_best():
    deck = Deck(6, 5)
    best = max(combinations(deck[-10:], 5), key=poker_rank)
    assert hand_name(best) == "five of a kind"
    assert poker_rank(best) > poker_rank(cards("9a 10a Ja Qa Ka", deck))


def test_a_deck_without_suits_has_no_flush():
    assert hand_name(cards("2 3 5", Deck(13, 1))) == "high card"
    assert hand_name(cards("2♠ 3♠ 5♠", Deck(13, "♠"))) == "flush"


def test_leduc_a_pair_with_the_table_wins_then_the_higher_card():
    deck = Deck(3, 2)
    table = deck["J♠"]
    ordered = [deck["J♥"], deck["K♠"], deck["Q♠"]]
    assert sorted(ordered, key=lambda mine: poker_rank((mine, table)), reverse=True) == ordered
    assert poker_rank((deck["K♠"], table)) == poker_rank((deck["K♥"], table))


@given(st.data())
def test_neither_order_nor_names_of_suits_matter(data):
    hand = data.draw(st.lists(st.sampled_from(FULL), unique=True, min_size=1, max_size=8))
    suits = data.draw(st.permutations(range(4)))
    shuffled = data.draw(st.permutations(hand))
    renamed = [FULL[card.rank * 4 + suits[card.suit]] for card in shuffled]
    assert poker_rank(hand) == poker_rank(Hand(hand)) == poker_rank(renamed)


@given(st.sampled_from(FULL), st.sampled_from(FULL))
def test_single_cards_compare_by_rank(one, two):
    assert (poker_rank(one) > poker_rank((two,))) == (one.rank > two.rank)


def test_bad_hands():
    with pytest.raises(RulesError, match="without cards"):
        poker_rank(())
    with pytest.raises(RulesError, match="3 in a poker hand is not a card"):
        poker_rank((3, 4))
