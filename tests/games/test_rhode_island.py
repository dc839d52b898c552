"""Rhode Island hold'em: published counts, hands of three cards, and values by two methods."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations

import pytest

from infoset import solve
from infoset.errors import ParameterError
from infoset.games import rhode_island
from infoset.games.rhode_island import CATEGORIES, category, strength
from infoset.objects import Deck, poker_rank
from infoset.rules import Game
from infoset.tree import Tree

# The ranking of Gilpin & Sandholm 2007. Numbers of hands out of 22,100; twelve straights in a suit,
# since the ace goes above the king and below the two.
THREE_OF_52 = {
    "straight flush": 48,
    "three of a kind": 52,
    "straight": 720,
    "flush": 1_096,
    "pair": 3_744,
    "high card": 16_440,
}
# In poker's order of five cards, the index of a category; and here.
PLACE = {0: 0, 1: 1, 5: 2, 4: 3, 3: 4, 8: 5}


def nodes(cards: int, raises: int) -> int:
    """A round has 2r+2 decisions and 2r folds, and 2r+1 ways to go on."""
    stay, more = (2 * raises + 2) + 2 * raises, 2 * raises + 1
    last = 1 + (cards - 3) * (stay + more)
    return 1 + cards * (cards - 1) * (stay + more * (1 + (cards - 2) * (stay + more * last)))


def rows(cards: int) -> int:
    """The rows of the linear program, with three bets a round."""
    return 14 * cards * (1 + 7 * (cards - 1) * (1 + 7 * (cards - 2))) + 2


def test_gilpin_and_sandholm_2007_rows_of_the_linear_program() -> None:
    """There: 91,224,226 rows; it holds only if the first bet is one of the three."""
    assert rows(52) == 91_224_226
    assert nodes(52, 3) == 6_705_372_493


@pytest.mark.parametrize(("ranks", "suits"), [(2, 2), (4, 1), (5, 1)])
def test_counts_by_the_published_formula(ranks: int, suits: int) -> None:
    cards = ranks * suits
    tree = rhode_island(ranks, suits).tree()
    assert len(tree) == nodes(cards, 3)
    own = cards * (1 + 7 * (cards - 1) * (1 + 7 * (cards - 2)))
    assert [len(tree.infosets_of(player)) for player in tree.players] == [4 * own, 4 * own]
    assert [tree.sequences(player) for player in tree.players] == [10 * own + 1, 10 * own + 1]
    assert tree.sequences("two") + len(tree.infosets_of("one")) + 1 == rows(cards)
    assert tree.zero_sum
    assert tree.perfect_recall


@pytest.mark.parametrize(
    ("ranks", "suits", "raises"), [(2, 2, 0), (2, 2, 1), (2, 3, 1), (2, 2, 2), (5, 1, 2)]
)
def test_nodes_with_other_numbers_of_raises(ranks: int, suits: int, raises: int) -> None:
    assert len(rhode_island(ranks, suits, raises=raises).tree()) == nodes(ranks * suits, raises)


def test_published_frequencies_of_three_cards() -> None:
    found = {hand: strength(*hand) for hand in combinations(Deck(), 3)}
    assert Counter(map(category, found.values())) == THREE_OF_52
    # The rarer hand wins.
    assert sorted(THREE_OF_52, key=THREE_OF_52.__getitem__, reverse=True) == list(CATEGORIES)


@pytest.mark.parametrize("deck", [Deck(), Deck(13, 1), Deck(5, 3), Deck(14, 2)], ids=repr)
def test_strengths_order_hands_as_their_ranks_do(deck: Deck) -> None:
    """The ranks of :mod:`infoset.objects.hands`, with the categories put in another order."""
    by_rank = sorted(
        ((PLACE[rank[0]], rank[2]), strength(*hand))
        for hand in combinations(deck, 3)
        for rank in [poker_rank(hand)]
    )
    for (rank, mine), (next_rank, yours) in pairwise(by_rank):
        assert (mine < yours) == (rank < next_rank)
        assert (mine == yours) == (rank == next_rank)


def test_a_suit_without_a_name_makes_no_flushes() -> None:
    found = Counter(category(strength(*hand)) for hand in combinations(Deck(13, 1), 3))
    assert found == {"straight": 12, "high card": 286 - 12}


def test_strength_does_not_depend_on_the_order_of_cards() -> None:
    deck = Deck()
    for text in ("A♠ 2♥ 3♣", "9♠ 9♥ 3♣", "K♠ 4♠ 8♠", "3♠ 9♥ 9♣", "A♦ Q♦ K♦"):
        hand = [deck[word] for word in text.split()]
        assert len({strength(*cards) for cards in permutations(hand)}) == 1


@pytest.fixture(scope="module")
def six_cards() -> Tree:
    return rhode_island(ranks=3, suits=2, raises=2).tree()


QUIET = "check check"


@pytest.mark.parametrize(
    ("deal", "moves", "won"),
    [
        ("J♠ K♠", "bet fold", 5),
        ("J♠ K♠", "check bet fold", -5),
        ("J♠ K♠", "bet raise fold", -15),
        ("J♠ K♠", f"{QUIET} J♥ {QUIET} Q♥ {QUIET}", -5),  # a pair against a straight
        ("J♠ K♠", f"{QUIET} Q♥ {QUIET} K♥ {QUIET}", 5),
        ("Q♠ K♠", f"{QUIET} J♥ {QUIET} J♠ {QUIET}", -5),  # pairs on the board: the king decides
        ("J♠ J♥", f"{QUIET} Q♥ {QUIET} K♥ check bet call", -25),  # against a straight flush
        ("J♠ J♥", f"bet call Q♠ {QUIET} K♥ {QUIET}", 0),
        ("J♠ K♠", "bet call Q♥ bet raise call J♥ bet raise call", -(5 + 10 + 40 + 40)),
        ("K♠ J♠", "bet raise call Q♥ bet fold", 5 + 20),
    ],
)
def test_who_wins_how_much(six_cards: Tree, deal: str, moves: str, won: int) -> None:
    """Antes of 5; bets of 10 before the flop, of 20 after it and after the turn."""
    node = six_cards.root.child(deal)
    for move in moves.split():
        node = node.child(move)
    assert node.payoffs == {"one": won, "two": -won}


def test_player_one_acts_first_in_every_round() -> None:
    tree = rhode_island(2, 2, raises=1).tree()
    first = [child.player for node in tree.nodes if node.is_chance for child in node.children]
    assert Counter(first) == {"one": 12 + 12 * 3 * 2 + 12 * 3 * 2 * 3}


@pytest.mark.parametrize(
    "member",
    [rhode_island(2, 2, raises=1), rhode_island(4, 1, raises=1, ante=1, bets=(1, 2, 4))],
    ids=repr,
)
def test_values_by_linear_program_and_by_regret(member: Game) -> None:
    proved = solve(member, "lp", exact=True)
    assert proved.certificate == "exact"
    found = solve(member, "cfr+", iterations=1000)
    assert found.regret < 0.01
    assert found.value_bounds[0] <= proved.value <= found.value_bounds[1]


@pytest.mark.parametrize(
    "parameters",
    [
        {"suits": 0},
        {"ranks": 3, "suits": 1},
        {"ante": -1},
        {"bets": (10, 20)},
        {"bets": (10, 0, 20)},
        {"bets": (10, 0.5, 20)},
        {"raises": -1},
    ],
    ids=str,
)
def test_what_it_does_not_take(parameters: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match="needs"):
        rhode_island(**parameters)


def test_bounds_are_all_bets() -> None:
    assert rhode_island().bounds == (-155, 155)
