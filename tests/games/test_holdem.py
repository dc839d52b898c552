"""Spots of no-limit hold'em: the best five of seven, ranges, deals, bets, and textbook answers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.errors import InfosetError, NoHistory, ParameterError, RulesError
from infoset.games import holdem
from infoset.games.holdem import Spot, menu, parts
from infoset.objects import Card, Deck, Hand, poker_rank
from infoset.objects.hands import best_poker_rank
from infoset.objects.ranges import parse_cards, parse_range
from infoset.rules import Game
from infoset.rules.parameters import parse_parameters
from infoset.search import Histories

F = Fraction
FULL = Deck()
DRY = "2s 7d 9c 3h 5s"  # aces, kings and queens are what they are


def by_all_fives(cards: tuple[Card, ...]) -> tuple[object, ...]:
    return max(poker_rank(five) for five in combinations(cards, 5))


# ---------------------------------------------------------------------------- the best five


@pytest.mark.parametrize(
    "deck", [FULL, Deck(13, 1), Deck(6, 4), Deck(3, 6), Deck(7, 2), Deck(14, 3)], ids=repr
)
@settings(max_examples=60)
@given(data=st.data())
def test_best_rank_is_the_highest_of_all_fives(deck: Deck, data: st.DataObject) -> None:
    size = data.draw(st.integers(5, min(9, len(deck))))
    cards = data.draw(st.lists(st.sampled_from(deck), min_size=size, max_size=size, unique=True))
    assert best_poker_rank(cards) == by_all_fives(tuple(sorted(cards)))


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("As 2d 3h 4c 5s Kd Kh", (4, (1,) * 5, (3, 2, 1, 0, -1))),
        ("As 2s 3s 4s 5s 6d 7d", (8, (1,) * 5, (3, 2, 1, 0, -1))),  # the suit before the seven
        ("As Ks Qs Js 9s Th 2d", (5, (1,) * 5, (12, 11, 10, 9, 7))),
        ("Ah 2s 3s 4s 5s 9s 9d", (5, (1,) * 5, (7, 3, 2, 1, 0))),  # the ace is of another suit
        ("9s 9h 9d 8c 7d 6s 5h", (4, (1,) * 5, (7, 6, 5, 4, 3))),  # and three of a kind
        ("Qs Qh Jd Ts 9h 9d 8c", (4, (1,) * 5, (10, 9, 8, 7, 6))),  # and two pairs
        ("Ks Kh Kd Qs Qh Qd 2c", (6, (3, 2), (11, 10))),
        ("Ks Kh Qd Qs Jh Jd Ac", (2, (2, 2, 1), (11, 10, 12))),
        ("2s 2h 2d 2c 9h 9d 9c", (7, (4, 1), (0, 7))),
    ],
)
def test_hands_that_are_easily_misread(text: str, rank: tuple[object, ...]) -> None:
    assert best_poker_rank(parse_cards(text)) == rank == by_all_fives(parse_cards(text))


def test_four_cards_have_no_best_five() -> None:
    with pytest.raises(RulesError, match="4 cards have no best five"):
        best_poker_rank(FULL[:4])


# ---------------------------------------------------------------------------- ranges


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("all", 1326),
        ("QQ", 6),
        ("QQ+", 18),
        ("22+", 78),
        ("99-66", 24),
        ("66-99", 24),
        ("AKs", 4),
        ("AKo", 12),
        ("AK", 16),
        ("KA", 16),
        ("ATs+", 16),
        ("A2+", 192),
        ("K9o+", 48),
        ("A5s-A2s", 16),
        ("T9s-76s", 16),
        ("J9s-53s", 28),
        ("KhQh", 1),
        ("QQ+, KK", 18),
        ("AK AKs", 16),
        ("all 22+:0", 1326 - 78),
        ("KhQh QhKh", 1),
    ],
)
def test_how_many_hands_a_range_holds(text: str, hands: int) -> None:
    assert len(parse_range(text)) == hands


def test_the_169_shapes_are_all_hands_once() -> None:
    ranks = "23456789TJQKA"
    words = [rank * 2 for rank in ranks]
    words += [low + high + kind for low, high in combinations(ranks, 2) for kind in "so"]
    held = Counter(hand for word in words for hand in parse_range(word))
    assert len(words) == 169
    assert held == dict.fromkeys(map(Hand, combinations(FULL, 2)), 1)


def test_weights_are_exact_and_the_last_word_counts() -> None:
    held = parse_range("AA:0.1 AsAh:1/3 KsKh")
    assert Counter(held.values()) == {F(1, 10): 5, F(1, 3): 1, F(1): 1}
    assert held[Hand(parse_cards("AsAh"))] == F(1, 3)


@pytest.mark.parametrize(
    "word",
    [
        *("AX", "AKx", "QQs", "QQs+", "QQ-AKs", "AKs-AQo", "A5s-K2s", "AA-AQ", "AhAh", "Ah", "aa"),
        *("99-6", "A5s-", "AA-", "QQ++", "AK+s", "AA:x", "AA:-1", "AA:", "AA:1/0", "QQ+:1:2"),
    ],
)
def test_words_that_are_no_range_are_named_in_one_line(word: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_range(f"KK {word}")
    said = str(caught.value)
    assert "\n" not in said
    assert word in said or "A♥ is twice" in said
    with pytest.raises(InfosetError, match=r"^holdem\(one=") as caught:
        holdem(one=word).tree()
    assert isinstance(caught.value, ParameterError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"board": "Ks 7d 2c"}, "board='Ks 7d 2c' has 3 cards"),
        ({"board": "Ks 7d 2c 9h 3s 4s"}, "has 6 cards"),
        ({"board": "Ks 7d 2c 9h Ks"}, "K♠ is twice"),
        ({"board": "Ks 7d 2c 9h 1s"}, "'1s' is not a card"),
        ({"one": "KsKh"}, "one='KsKh' holds no hand that the board"),
        ({"two": ""}, "the range '' holds no hand"),
        ({"one": "AsAh", "two": "AsKh"}, "share a card in every pair"),
        ({"bets": (0.5, 0)}, "0 in bets is not a part of the pot"),
        ({"bets": ("x",)}, "'x' in bets is not a part of the pot"),
    ],
    ids=str,
)
def test_spots_that_are_none_are_refused_in_one_line(
    parameters: dict[str, object], said: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        holdem(**parameters).tree()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------------- the deal


def test_all_hands_on_a_river() -> None:
    """1,081 hands of 47 cards, and 990 of the other 45 against each."""
    spot = Spot("Ks 7d 2c 9h 3s", "all", "all")
    assert len(spot.first) == comb(47, 2) == 1081
    assert set(spot.first.values()) == {comb(45, 2)}
    assert {len(spot.second(hand)) for hand in spot.first} == {990}


def test_pairs_of_hands_have_the_product_of_their_weights() -> None:
    one, two = "AA:0.5 AK KK:0.3", "AhKh AQs:2/3 AKo KK AsAd:0.9"
    tree = holdem(one=one, two=two, raises=0, board=DRY).tree()
    dealt = {
        (mine, yours): chance * further
        for mine, node, chance in zip(
            tree.root.actions, tree.root.children, tree.root.probabilities, strict=True
        )
        for yours, further in zip(node.actions, node.probabilities, strict=True)
    }
    product = {
        (mine, yours): weight * other
        for mine, weight in parse_range(one).items()
        for yours, other in parse_range(two).items()
        if not set(mine) & set(yours)
    }
    whole = sum(product.values())
    assert dealt == {pair: weight / whole for pair, weight in product.items()}


@settings(max_examples=20)
@given(cards=st.permutations(FULL), river=st.booleans())
def test_strengths_order_hands_as_the_best_fives_do(cards: list[Card], river: bool) -> None:
    board, last = Hand(cards[:4]), cards[4]
    text = " ".join("23456789TJQKA"[card.rank] + "shdc"[card.suit] for card in board)
    if not river:
        text += " " + "23456789TJQKA"[last.rank] + "shdc"[last.suit]
    spot = Spot(text, "all", "all")
    hands = [Hand(pair) for pair in combinations(cards[5:12], 2)]
    places = [spot.strength(hand, *((last,) if river else ())) for hand in hands]
    ranks = [by_all_fives((*board, last, *hand)) for hand in hands]
    for mine, rank in zip(places, ranks, strict=True):
        assert [mine > other for other in places] == [rank > other for other in ranks]


def equity(board: str, one: str, two: str) -> Fraction:
    """What part of the pot player one wins more than player two, by trying all cards."""
    cards = parse_cards(board)
    balance = whole = F(0)
    for mine, weight in parse_range(one).items():
        for yours, other in parse_range(two).items():
            if len({*mine, *yours, *cards}) < len(cards) + 4:
                continue
            rest = FULL.without(cards, mine, yours)
            rivers = [(card,) for card in rest] if len(cards) == 4 else [()]
            for river in rivers:
                a, b = (by_all_fives((*cards, *river, *hand)) for hand in (mine, yours))
                balance += F((a > b) - (a < b), len(rivers)) * weight * other
            whole += weight * other
    return balance / whole


@pytest.mark.parametrize("board", ["Ks 7d 2c 9h 3s", "9c 7d 2c Th"])
def test_without_bets_a_spot_is_worth_its_equity(board: str) -> None:
    one, two = "JhJs AcQc 8c8d", "9h9d AdTd:0.5 QcJc KdKh"
    value = solve(holdem(board, raises=0, one=one, two=two), "lp", exact=True).value
    assert value == 5 * equity(board, one, two)


def test_the_order_of_the_board_does_not_matter() -> None:
    one, other = (holdem(board, one="AA QQ", two="KK") for board in (DRY, "9c 5s 2s, 3h7d"))
    assert one.tree().fingerprint == other.tree().fingerprint


# ---------------------------------------------------------------------------- bets


def names(before: int, owed: int, pot: int, stack: int, *sizes: object) -> list[str]:
    return list(menu(F(before), F(owed), F(pot), F(stack), parts(sizes)))


def test_sizes_are_parts_of_the_pot() -> None:
    assert names(0, 0, 10, 100, 0.5, 1, 2) == ["check", "bet 5", "bet 10", "bet 20"]
    assert names(0, 0, 10, 100, "1/3", 0.25) == ["check", "bet 2.5", "bet 10/3"]
    # A raise adds a part of the pot that there is once the bet is called: here 15 + 5.
    assert names(0, 5, 15, 100, 0.5, 1) == ["fold", "call", "raise to 15", "raise to 25"]
    assert names(5, 10, 30, 100, 1) == ["fold", "call", "raise to 55"]
    assert names(5, 10, 30, 100) == ["fold", "call"]


def test_what_reaches_the_stack_is_all_in_and_is_offered_once() -> None:
    assert names(0, 0, 10, 10, 0.5, 1, 2) == ["check", "bet 5", "all in"]
    assert menu(F(0), F(0), F(10), F(7), parts((1, 2)))["all in"] == 7
    assert names(0, 10, 20, 10, 1) == ["fold", "call"]  # nothing is left to raise with


def test_no_raise_by_less_than_the_bet_before() -> None:
    assert names(0, 20, 30, 100, 0.25, 1) == ["fold", "call", "raise to 70"]
    assert names(0, 20, 30, 25, 0.25) == ["fold", "call", "all in"]


def walk(member: Game, moves: str) -> Fraction:
    """What player one gets after some moves, a comma after each."""
    node = member.tree().root.children[0].children[0]
    for move in moves.split(", "):
        node = node.child(move)
    return node.payoffs["one"]


def test_who_wins_how_much() -> None:
    """A pot of 11 and 30 each; aces against kings."""
    river = holdem(DRY, 11, 30, (1,), 3, "AsAh", "KsKh")
    half = F(11, 2)
    assert walk(river, "check, check") == half
    assert walk(river, "bet 11, fold") == half
    assert walk(river, "check, bet 11, fold") == -half
    assert walk(river, "bet 11, call") == half + 11
    assert walk(river, "bet 11, all in, fold") == -half - 11
    assert walk(river, "bet 11, all in, call") == half + 30
    turn = holdem("2s 7d 9c 3h", 11, 33, (1,), 1, "AsAh", "KsKh")
    assert walk(turn, "bet 11, call, K♦, check, all in, call") == -half - 33
    assert walk(turn, "bet 11, call, Q♦, check, all in, fold") == -half - 11
    all_in = holdem("2s 7d 9c 3h", 11, 11, (1,), 1, "AsAh", "KsKh")
    assert walk(all_in, "all in, call, K♦") == -half - 11  # no cash is left to bet with
    assert walk(all_in, "check, check, Q♦, check, check") == half


@pytest.mark.parametrize("raises", [0, 1, 2])
def test_counts_of_a_turn_by_formula(raises: int) -> None:
    """One size of bets and stacks that it never reaches: a round as in limit poker."""
    tree = holdem("2s 7d 9c 3h", 2, 10**9, (1,), raises, "AA", "KsKh KsKd").tree()
    stay, on = (2 * raises + 2) + 2 * raises, 2 * raises + 1
    assert len(tree) == 1 + 6 + 6 * 2 * (stay + on * (1 + 44 * (stay + on)))
    assert tree.zero_sum
    assert tree.perfect_recall


def test_the_command_line_s_words() -> None:
    words = ["board=Ks 7d 2c 9h", "bets=0.5,1/3", "one=QQ+ AKs:0.5", "pot=7"]
    given_there = holdem(**parse_parameters(holdem, words))
    assert given_there == holdem("Ks 7d 2c 9h", 7, bets=(0.5, "1/3"), one="QQ+ AKs:0.5")
    assert parts((0.5, "1/3")) == (F(1, 3), F(1, 2))


# ---------------------------------------------------------------------------- answers


@pytest.mark.parametrize(
    ("pot", "bet", "winners"),
    [(10, 10, 1), (10, 5, 1), (10, 20, 1), (6, 4, F(1, 2)), (10, 10, F(1, 3)), (3, 9, F(2, 3))],
)
def test_chen_and_ankenman_2006_winners_and_losers_against_hands_between(
    pot: int, bet: int, winners: Fraction
) -> None:
    """Winners always bet; losers so often that bluffs are b/(P+2b) of the bets; calls P/(P+b)."""
    member = holdem(DRY, pot, bet, (F(bet, pot),), 1, f"AA:{winners} QQ", "KK")
    solution = solve(member, "lp", exact=True)
    share = F(winners) / (winners + 1)
    betting = share * F(pot + 2 * bet, pot + bet)
    assert betting < 1  # there are losers enough to bluff with
    assert solution.certificate == "exact"
    assert solution.value == F(pot, 2) * (2 * betting - 1)
    rates: Counter[str] = Counter()
    for infoset in solution.tree.infosets:
        behaviour = solution.strategy[infoset.player][infoset.label]
        kind = infoset.label.split(": ", 1)[-1][0] + " " + " ".join(map(str, infoset.actions))
        for action, often in behaviour.items():
            rates[f"{kind}: {action}"] += F(often) / 6
    bluffs = share * bet / (pot + bet) / (1 - share)
    assert rates["Q check all in: all in"] == bluffs
    assert rates["A check all in: all in"] == 1
    assert rates["K fold call: call"] == F(pot, pot + bet)


@pytest.mark.parametrize(
    "member",
    [
        holdem(DRY, bets=(0.5, 1), one="AsAh QsQh JsTs", two="KsKh AdKd 9s9h"),
        holdem("2s 7d 9c 3h", bets=(1,), raises=1, one="AsAh Ts8s", two="KsKh"),
    ],
    ids=["river", "turn"],
)
def test_values_by_linear_program_and_by_regret(member: Game) -> None:
    proved = solve(member, "lp", exact=True)
    assert proved.certificate == "exact"
    found = solve(member, "cfr+", iterations=2000)
    assert found.regret < 0.01
    assert found.value_bounds[0] <= proved.value <= found.value_bounds[1]


def test_bounds_are_half_the_pot_and_the_stack() -> None:
    assert holdem().bounds == (-25, 25)
    assert holdem(pot=11).bounds == (F(-51, 2), F(51, 2))


# ---------------------------------------------------------------------------- how analysts write


def test_sizes_in_percent_and_all_in_are_those_parts() -> None:
    spot = {"board": DRY, "one": "AA", "two": "KK QQ", "raises": 1}
    written = holdem(bets=("60%", "allin"), **spot)
    assert written.tree().fingerprint == holdem(bets=(0.6, 1000), **spot).tree().fingerprint
    assert written.tree().fingerprint == holdem(bets="60%, All-in", **spot).tree().fingerprint
    assert parse_parameters(holdem, ["bets=60%,allin"]) == {"bets": ("60%", "allin")}
    assert parse_parameters(holdem, ["bets=60%"]) == {"bets": ("60%",)}


def test_of_two_stacks_the_smaller_one_counts() -> None:
    spot = {"board": DRY, "one": "AA", "two": "KK QQ", "bets": (1, "allin")}
    assert parse_parameters(holdem, ["stack=90,70"]) == {"stack": (90, 70)}
    for stack in ((90, 70), (70, 90)):
        uneven, even = holdem(stack=stack, **spot), holdem(stack=70, **spot)
        assert uneven.tree().fingerprint == even.tree().fingerprint
        assert uneven.bounds == even.bounds


@pytest.mark.parametrize("bet", ["60%x", "%", "-5%", "all", "0"])
def test_sizes_that_are_none_are_refused_with_what_to_write(bet: str) -> None:
    with pytest.raises(InfosetError, match=r"'60%' or 'allin'"):
        holdem(bets=(bet,), one="AA", two="KK").tree()


@pytest.mark.parametrize("stack", [0, (9,), (9, 8, 7), (9, -1), (9, 0.5)])
def test_stacks_that_are_none_are_refused_with_what_to_write(stack: object) -> None:
    with pytest.raises(InfosetError, match=r"write 900 or \(900, 700\)"):
        holdem(stack=stack, one="AA", two="KK").tree()


# ---------------------------------------------------------------------------- drawing hands


class EveryNumber(Random):
    """Instead of random numbers all that there are, each once."""

    def __init__(self) -> None:
        super().__init__()
        self.next, self.size = 0, 1

    def randrange(self, size: int, *_: Any) -> int:
        self.next, self.size = self.next + 1, size
        return self.next - 1


def drawn_exactly(member: Game, view: Any, player: str) -> dict[Any, Fraction]:
    """The distribution of what the sampler draws."""
    numbers, counts = EveryNumber(), Counter[Any]()
    while numbers.next < numbers.size:
        assert member.sampler is not None
        counts[member.sampler(view, player, numbers)] += 1
    return {moves: F(count, numbers.size) for moves, count in counts.items()}


SPOTS = [
    holdem(DRY, one="AA:0.5 AKs KK:1/3", two="AhKh AQs:2/3 AKo KK AsAd:0.9", raises=1),
    holdem(DRY, 11, (30, 7), "60%,allin", 3, "AsAh KsKh 9s9h", "KsKd AhKh 9s9d Ts9h"),
    holdem("2s 7d 9c 3h", bets=(1,), raises=1, one="AsAh Ts8s KdQd:0.3", two="KsKh AsTs 8s8h:2"),
    holdem("2s 7d 9c 3h", 10, 10, (1,), 1, "AsAh KdQd", "KsKh AsTs"),
]


@pytest.mark.parametrize("member", SPOTS, ids=["river", "stacks", "turn", "all in on the turn"])
def test_hands_are_drawn_by_their_exact_probabilities(member: Game) -> None:
    random, seen = Random(3), set[Any]()
    for _ in range(40):
        position = member.position()
        while not position.over:
            if not position.movers:
                position = position.after(random.choice(position.chances())[0])
                continue
            (player,) = position.movers
            view = position.view(player)
            if (player, view) not in seen:
                found = Histories(member, player).enumerate(view)
                exactly = {one.moves: probability for one, probability in found}
                assert drawn_exactly(member, view, player) == exactly
            seen.add((player, view))
            position = position.after(random.choice(position.options(player)))
    assert len(seen) > 12
    assert len({player for player, _ in seen}) == 2


def test_hands_of_wide_ranges_are_drawn_as_they_are_likely() -> None:
    """990 hands, all alike: the statistic has mean 989 and standard deviation 44.5."""
    dealt = holdem().position().after(Hand(parse_cards("Ah Kh"))).after(Hand(parse_cards("QhQs")))
    view, number = dealt.view("one"), 99_000
    histories = Histories(holdem(), "one")
    assert histories.supplied
    counts = Counter(histories.sample(view, number, Random(11)))
    assert len(counts) == 990
    expected = number / 990
    assert sum((count - expected) ** 2 for count in counts.values()) / expected < 989 + 5 * 44.5


def test_nothing_is_drawn_for_a_view_that_no_play_leads_to() -> None:
    member = SPOTS[0]
    dealt = member.position().after(Hand(parse_cards("AsAh"))).after(Hand(parse_cards("KsKh")))
    view, other = dealt.view("one"), dealt.after("check").view("two")
    (_, hand), offered = view
    assert member.sampler is not None
    assert member.sampler(view, "one", Random(1)) is not None
    for wrong in (
        (), (offered,), view[:1], other, (("saw", Hand(parse_cards("QsQh"))), offered),
        (("saw", hand), ("saw", "bet 5"), offered), (("saw", hand), ("offered", ("fold",))),
    ):  # fmt: skip
        assert member.sampler(wrong, "one", Random(1)) is None
    with pytest.raises(NoHistory):
        Histories(member, "one").sample((("saw", hand), ("offered", ("fold",))), 1, Random(1), 9)
