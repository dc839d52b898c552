"""Cards of bridge by deals solved double dummy: against plain αμ, fusion, equal cards, limits."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from infoset.errors import ParameterError
from infoset.objects import Card, Hand
from infoset.objects.bridge import Contract, parse_contract, strains_of
from infoset.objects.bridge_records import Known, agrees, draw_worlds
from infoset.objects.deals import deck_of, seen_hands
from infoset.objects.pbn import FULL, parse_deal
from infoset.objects.tricks import TABLE, Turns
from infoset.search import AlphaMuSearch, SingleDummySearch
from infoset.search.double_dummy import DoubleDummyWorlds
from infoset.search.single_dummy import PLAYER, SUIT, CardPlay, CardPosition
from tests.games.test_bridge import WORLDS

Deal = tuple[Hand[Card], ...]
SOLVER = DoubleDummyWorlds(1)


def begun(
    deals: list[Deal], contract: Contract, played: tuple[Card, ...] = (), pays: str = "contract"
) -> tuple[CardPlay, list[CardPosition]]:
    """The play as whoever's turn it is sees it."""
    turns = Turns(TABLE.index(contract.leader), contract.trump)
    for card in played:
        turns.play(card)
    chooser = turns.turn
    if chooser == TABLE.index(contract.dummy):
        chooser = TABLE.index(contract.declarer)
    table = CardPlay(contract, chooser, len(deals[0][0]), pays, SOLVER)
    return table, table.begin(deals, turns, played)


def some_worlds(random: Random, worlds: int) -> tuple[list[Deal], Contract, tuple[Card, ...], str]:
    """Deals of a small deck that agree for one player, before or after the opening lead."""
    deck = list(deck_of(*random.choice([(4, 3), (3, 4)])))
    random.shuffle(deck)
    size = len(deck) // 4
    hands = [deck[at : at + size] for at in range(0, len(deck), size)]
    declarer = random.randrange(4)
    leader, dummy = (declarer + 1) % 4, (declarer + 2) % 4
    player = random.choice((leader, declarer))
    led = () if player == leader else (hands[leader][0],)
    one, two = [seat for seat in range(4) if seat not in (player, dummy)]
    hidden = [card for card in hands[one] + hands[two] if card not in led]
    deals = []
    for _ in range(worlds):
        random.shuffle(hidden)
        kept = [*led] if one == leader else []
        first = [*kept, *hidden[: size - len(kept)]]
        rest = [card for card in [*led, *hidden] if card not in first]
        dealt = dict(enumerate(hands)) | {one: first, two: rest}
        deals.append(tuple([Hand(dealt[seat]) for seat in range(4)]))
    level = random.randrange(1, size - size // 2 + 1)
    contract = Contract(level, random.choice(("NT", "♠")), TABLE[declarer])
    return deals, contract, led, random.choice(("contract", "tricks"))


def test_with_bounds_alpha_mu_finds_the_same() -> None:
    """By a search of each world to its end, without a solver, the fronts are the same."""
    less = planned = 0
    for seed in range(40):
        deals, contract, led, pays = some_worlds(Random(seed), 5)
        table, positions = begun(deals, contract, led, pays)
        worlds: Any = [(position, 1) for position in positions]
        for moves in (2, 4):
            plain = AlphaMuSearch(table, PLAYER, moves=moves)
            least = table.least(positions[0])
            solver: Any = table.solved
            bounded = AlphaMuSearch(table, PLAYER, moves=moves, solver=solver, least=least)
            fronts = plain.fronts(worlds)
            assert {card: set(front) for card, front in bounded.fronts(worlds).items()} == {
                card: set(front) for card, front in fronts.items()
            }
            values = plain.values(worlds)
            assert values[bounded.best(worlds)] == max(values.values())
            less += bounded.searched < plain.searched
            planned += plain.searched > 100
    assert planned > 5
    assert less > planned // 2


def test_fusion_of_an_ending() -> None:
    """The position of tests/games/test_bridge.py: a spade needs guesses later, the aces need none.

    PIMC thinks that every card makes the contract. (It takes an ace, by luck: for the tricks.)
    """
    deck, contract = deck_of(5, 4), parse_contract("2NT", "south", 3, strains_of(4))
    trick = tuple(deck[card] for card in ("Q♣", "10♦", "J♣", "K♣"))
    deals: Any = [parse_deal(deal, deck) for deal in WORLDS]
    fused = SingleDummySearch(1).card(deals, contract, trick)
    assert set(fused.made.values()) == {1.0}
    found = SingleDummySearch(3).card(deals, contract, trick)
    assert str(found.card) in ("A♦", "A♣")
    assert found.reached == 3
    table, positions = begun(deals, contract, trick)
    solver: Any = table.solved
    search = AlphaMuSearch(table, PLAYER, moves=3, solver=solver, least=0)
    worlds: Any = [(position, 1) for position in positions]
    values = {card: value for card, value in search.values(worlds).items() if card < SUIT}
    assert [float(value) for value in values.values()] == [pytest.approx(2 / 3)]  # ♠10


@pytest.mark.parametrize("seed", [1, 2])
def test_pimc_fuses_strategies_on_a_whole_board_and_alpha_mu_does_not(seed: int) -> None:
    """East declares 3NT, and a diamond makes it in every world, for who knows where the queen is.

    A plan for all worlds makes it in some only; but it is safe to lead a heart to the king first.
    As the cards lie the diamond, which PIMC leads for the tricks, brings only eight.
    """
    hands: Any = parse_deal("N:QJT8.JT862.52.74 9.K93.AKJ96.QT93 A763.A74.Q7.K852 K542.Q5.T843.AJ6")
    calls = ("pass", "1♦", "double", "3♦", "pass", "3NT", "pass", "pass", "pass")
    named = "7♠ 2♠ J♠ 9♠ 8♠ 3♥ A♠ 5♠ 6♠ K♠ 10♠ 9♥ 4♦ 2♦ A♦ 7♦ 3♣ 2♣ J♣ 7♣"
    played, contract = tuple(FULL[card] for card in named.split()), Contract(3, "NT", "east")
    seen = seen_hands(FULL, {1: hands[1], 3: hands[3]}, played, Turns(2, None))
    known = Known(seen, calls, contract, played, {"dealer": "north"})
    worlds = draw_worlds(known, 20, Random(seed))
    assert all(agrees(world, known) for world in worlds)
    pimc = SingleDummySearch(1).card(worlds, contract, played)
    diamond, heart = FULL["3♦"], FULL["5♥"]
    assert pimc.card == diamond
    assert pimc.made[diamond] == pimc.made[heart] == 1
    assert pimc.tricks[diamond] > pimc.tricks[heart]
    found = SingleDummySearch(3).card(worlds, contract, played)
    assert found.choices == (diamond, heart, heart)
    table, positions = begun(worlds, contract, played)
    solver: Any = table.solved
    beliefs: Any = [(position, 1) for position in positions]
    values = AlphaMuSearch(table, PLAYER, moves=2, solver=solver, least=0).values(beliefs)
    assert values[SUIT * heart.suit + heart.rank] == 1
    assert values[SUIT * diamond.suit + 8] < 1  # by the 10, which is equal to the others


def test_equal_cards_are_one_and_hidden_ones_alike() -> None:
    deal: Any = parse_deal("N:AQ5.K743.KJ4.J82 T842.QT8.T765.Q3 KJ7.A52.AQ3.K974 963.J96.982.AT65")
    contract = Contract(3, "NT", "south")
    _, (west,) = begun([deal], contract)
    led = [card % SUIT for card in west.options(PLAYER) if card // SUIT == 3]
    assert led == [12, 8, 4]  # A, 10, 6, which is equal to the 5
    _, (south,) = begun([deal], contract, (FULL["3♠"],))
    assert list(south.options(PLAYER)) == [12, 10, 3]  # A, Q, 5
    played = south.after(3)
    assert played.options("opponent") == (8, 6, 2, 0)
    seen = [played.after(card).view(PLAYER) for card in played.options("opponent")]
    assert len(set(seen)) == 2  # the 10 and the 8 lie between the open jack and seven


def test_a_decided_contract_leaves_tricks() -> None:
    deck = deck_of(4, 4)
    deal: Any = parse_deal("N:AK.A.A. QJ.K.K. ..Q.AKQ .QJ.J.J", deck)
    found = SingleDummySearch(3).card([deal], Contract(1, "NT", "south"), [deck["Q♥"]])
    assert found.reached <= 3
    late = [deck[name] for name in ("Q♥", "A♥", "K♥", "Q♦", "A♠", "Q♠", "Q♣", "J♣")]
    late += [deck[name] for name in ("K♠", "J♠")]
    last = SingleDummySearch(3).card([deal], Contract(1, "NT", "south"), late)
    assert last.worlds <= 1
    assert last.card in deal[2]


def test_limits() -> None:
    deals, contract, led, _ = some_worlds(Random(4), 6)
    least = SingleDummySearch(4, seconds=1e-9).card(deals, contract, led)
    assert least.worlds <= 1
    narrow = SingleDummySearch(4, positions=1).card(deals, contract, led)
    assert narrow.reached <= 1


@pytest.mark.parametrize(
    ("spoiled", "says"),
    [
        (lambda deal: [], "no worlds"),
        (lambda deal: [deal[:3]], "13, 13, 13 cards"),
        (lambda deal: [(deal[0], deal[0], deal[2], deal[3])], "twice"),
        (lambda deal: [(*deal[:3], Hand(deal[3][:12]))], "13, 13, 13, 12"),
        (lambda deal: [deal, deal[1:] + deal[:1]], "west has played 3♠, but does not hold it"),
    ],
)
def test_bad_worlds_are_one_line(spoiled: Any, says: str) -> None:
    deal = parse_deal("N:AQ5.K743.KJ4.J82 T842.QT8.T765.Q3 KJ7.A52.AQ3.K974 963.J96.982.AT65")
    with pytest.raises(ParameterError, match=says) as caught:
        SingleDummySearch(2).card(spoiled(deal), Contract(3, "NT", "south"), [FULL["3♠"]])
    assert "\n" not in str(caught.value)


def test_bad_settings() -> None:
    with pytest.raises(ParameterError, match="moves=0"):
        SingleDummySearch(0)
    with pytest.raises(ParameterError, match="'imps'"):
        SingleDummySearch(pays="imps")
    deals, contract, _, _ = some_worlds(Random(1), 1)
    with pytest.raises(ParameterError, match="all cards are played"):
        SingleDummySearch().card(deals, contract, [card for hand in deals[0] for card in hand])
    with pytest.raises(ParameterError, match="declarer is 'bob'"):
        SingleDummySearch().card(deals, contract._replace(declarer="bob"), [])
