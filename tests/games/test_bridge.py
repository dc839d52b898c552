"""Bridge: counts against an independent enumeration, the laws, the score, and what is hidden."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from scipy.stats import chisquare

from infoset.errors import InfosetError
from infoset.games import bridge
from infoset.games.bridge import (
    Auction,
    Board,
    alike,
    known_by,
    record_of,
)
from infoset.objects.bridge import (
    Contract,
    auction_over,
    duplicate_score,
    final_contract,
    legal_calls,
    parse_contract,
    strains_of,
)
from infoset.objects.bridge_records import Record, moves_of
from infoset.objects.deals import deck_of
from infoset.objects.pbn import parse_deal
from infoset.objects.tricks import TABLE
from infoset.rules import Game, ReplayPosition
from infoset.search import AlphaMuSearch, Histories, PerfectSearch

# ---------------------------------------------------------------------- counts


def dealt(cards: list[Any], size: int) -> list[tuple[tuple[Any, ...], ...]]:
    """Every deal to four hands."""
    if not size * 4 == len(cards):
        raise AssertionError
    deals = []
    for north in combinations(cards, size):
        one = [card for card in cards if card not in north]
        for east in combinations(one, size):
            two = [card for card in one if card not in east]
            for south in combinations(two, size):
                west = tuple(card for card in two if card not in south)
                deals.append((north, east, south, west))
    return deals


def plays(
    deal: Any, played: tuple[Any, ...], trump: int | None, taken: int, sets: set[Any]
) -> Counter:
    """The ends of every play from here by tricks of north-south, and under None its choices.

    Seats are 0 to 3 clockwise from north, ``played`` has pairs of a seat and a card, west leads and
    south declares. ``sets`` collects what who chooses has seen.
    """
    table = [card for _, card in played[len(played) // 4 * 4 :]]
    if not played:
        seat = 3
    elif table:
        seat = (played[-1][0] + 1) % 4
    else:
        seat = taker(played[-4:], trump)
        taken += seat % 2 == 0
    hand = [card for card in deal[seat] if (seat, card) not in played]
    if not hand:
        return Counter({taken: 1})
    allowed = [card for card in hand if table and card[1] == table[0][1]] or hand
    found = Counter({None: int(len(allowed) > 1)})
    if len(allowed) > 1:
        chooser = seat or 2
        sets.add((chooser, deal[chooser], played and deal[0], played))
    for card in allowed:
        found += plays(deal, (*played, (seat, card)), trump, taken, sets)
    return found


def taker(trick: Any, trump: int | None) -> int:
    """Who takes a trick."""
    trumped = [card for _, card in trick if card[1] == trump]
    best = max(trumped or [card for _, card in trick if card[1] == trick[0][1][1]])
    return next(seat for seat, card in trick if card == best)


@pytest.mark.parametrize(
    ("ranks", "suits", "contract", "trump", "nodes", "infosets"),
    [
        (2, 4, "1NT", None, 45_525, 8_908),
        (4, 2, "1S", 0, 29_397, 4_684),
    ],
)
def test_small_decks_against_every_play_of_every_deal(
    ranks: int, suits: int, contract: str, trump: int | None, nodes: int, infosets: int
) -> None:
    """South plays the contract, west leads; a card that is alone is no choice."""
    tree = bridge(ranks=ranks, suits=suits, contract=contract, pays="tricks").tree()
    cards = [(rank, suit) for rank in range(ranks) for suit in range(suits)]
    deals = dealt(cards, 2)
    sets: set[Any] = set()
    ends = sum((plays(hands, (), trump, 0, sets) for hands in deals), Counter())
    choices = ends.pop(None)
    chance = [node for node in tree.nodes if node.is_chance]
    assert len(tree) == len(chance) + choices + ends.total() == nodes
    assert len(tree.infosets) == len(sets) == infosets
    assert Counter(leaf.payoffs["north-south"] for leaf in tree.leaves) == Counter(
        {2 * taken - 2: number for taken, number in ends.items()}
    )
    assert len({tuple(map(str, deal)) for deal in deals}) == len(deals) == 2520


def test_every_deal_is_as_probable() -> None:
    """8! / 2!⁴ = 2,520 deals, each a history of its own."""
    found, open_ = [], [(bridge(ranks=4, suits=2, contract="1NT").position(), 1)]
    while open_:
        position, probability = open_.pop()
        if position.movers or position.over:
            found.append(probability)
            continue
        open_ += [
            (position.after(move), probability * weight) for move, weight in position.chances()
        ]
    assert len(found) == 2520
    assert set(found) == {found[0]}


# ---------------------------------------------------------------------- the auction


def test_auctions_of_the_smallest_deck_are_those_of_the_laws() -> None:
    """One level and one suit: all auctions, by a count that follows the laws call by call.

    A state is the last bid, who made it, the doubling and the passes since; from there the laws
    say what follows, without a list of calls.
    """

    def auctions(bid: int, side: int, risk: int, passes: int, turn: int) -> int:
        if passes == 4 or (bid >= 0 and passes == 3):
            return 1
        total = auctions(bid, side, risk, passes + 1, 1 - turn)
        if bid >= 0 and risk == 1 and turn != side:
            total += auctions(bid, side, 2, 0, 1 - turn)
        if risk == 2 and turn == side:
            total += auctions(bid, side, 4, 0, 1 - turn)
        return total + sum(auctions(higher, turn, 1, 0, 1 - turn) for higher in range(bid + 1, 2))

    def ends(calls: tuple[str, ...]) -> int:
        if auction_over(calls):
            return 1
        return sum(ends((*calls, call)) for call in legal_calls(calls, 1, strains_of(1)))

    assert ends(()) == auctions(-1, 0, 0, 0, 0) == 645


@pytest.mark.parametrize(
    ("dealer", "calls", "contract"),
    [
        ("north", "pass pass pass pass", None),
        ("north", "1♠ pass 4♠ pass pass pass", Contract(4, "♠", "north")),
        ("north", "1♠ pass 2♥ pass 4♥ pass pass pass", Contract(4, "♥", "south")),
        ("east", "1NT 2♠ pass 4♠ double pass pass pass", Contract(4, "♠", "south", 2)),
        # East also bid hearts, for the other side; north-south's first was south.
        ("west", "pass pass 1♥ 2♥ double redouble pass pass pass", Contract(2, "♥", "south", 4)),
        ("south", "1♣ double redouble 1♦ pass pass pass", Contract(1, "♦", "east")),
    ],
)
def test_declarer_is_the_first_of_its_side_to_name_the_strain(
    dealer: str, calls: str, contract: Contract | None
) -> None:
    assert auction_over(calls.split())
    for at in range(len(calls.split())):
        assert not auction_over(calls.split()[:at])
        assert calls.split()[at] in legal_calls(calls.split()[:at], 7, strains_of(4))
    assert final_contract(calls.split(), dealer) == contract


def test_doubles_are_of_opponents_only() -> None:
    strains = strains_of(4)
    assert "double" not in legal_calls((), 7, strains)
    assert "double" not in legal_calls(("1♣", "pass"), 7, strains)
    assert "double" in legal_calls(("1♣", "pass", "pass"), 7, strains)
    assert "redouble" not in legal_calls(("1♣", "double", "pass"), 7, strains)
    assert "redouble" in legal_calls(("1♣", "double", "pass", "pass"), 7, strains)
    assert legal_calls(("7NT", "double", "redouble"), 7, strains) == ("pass",)
    assert len(legal_calls((), 7, strains)) == 36


# ---------------------------------------------------------------------- the score

# Law 77 of the Laws of Duplicate Bridge, 2017, worked out for common results as in the published
# tables: contract, vulnerable, tricks over or under, score.
SCORES = [
    ("1♣", False, 0, 70), ("1♣", True, 2, 110), ("2♥", False, 1, 140), ("2♠", True, 0, 110),
    ("1NT", False, 0, 90), ("1NT", True, 2, 150), ("2NT", False, 0, 120), ("3♦", True, 1, 130),
    ("3NT", False, 0, 400), ("3NT", True, 1, 630), ("4♥", False, 0, 420), ("4♠", True, 1, 650),
    ("5♣", False, 0, 400), ("5♦", True, 0, 600), ("6♣", False, 0, 920), ("6♥", True, 0, 1430),
    ("6NT", False, 0, 990), ("6NT", True, 1, 1470), ("7♣", False, 0, 1440), ("7♠", True, 0, 2210),
    ("7NT", False, 0, 1520), ("7NT", True, 0, 2220), ("1♥X", False, 0, 160),
    ("1NTX", False, 0, 180), ("2♣X", False, 0, 180), ("2♥X", True, 0, 670), ("2♠X", False, 1, 570),
    ("3NTX", True, 1, 950), ("4♠X", False, 2, 790), ("1NTXX", False, 0, 560),
    ("1NTXX", True, 1, 1160), ("2♦XX", False, 0, 560), ("6♠X", True, 0, 1660),
    ("7NTXX", True, 0, 2980), ("3NT", False, -1, -50), ("3NT", True, -3, -300),
    ("4♥X", False, -1, -100), ("4♥X", False, -2, -300), ("4♥X", False, -3, -500),
    ("4♥X", False, -4, -800), ("4♥X", False, -5, -1100), ("4♥X", True, -1, -200),
    ("4♥X", True, -2, -500), ("4♥X", True, -3, -800), ("4♥X", True, -4, -1100),
    ("4♥XX", False, -1, -200), ("4♥XX", False, -4, -1600), ("4♥XX", True, -2, -1000),
    ("7NTXX", True, -13, -7600),
]  # fmt: skip


@pytest.mark.parametrize(("text", "vulnerable", "over", "score"), SCORES)
def test_score_by_law_77(text: str, vulnerable: bool, over: int, score: int) -> None:
    bare = text.rstrip("X")
    contract = Contract(int(bare[0]), bare[1:], "south", 2 ** (len(text) - len(bare)))
    assert duplicate_score(contract, 6 + contract.level + over, vulnerable) == score


# ---------------------------------------------------------------------- what is known


def walked(game: Game, seed: int, stop: int = 1000) -> list[ReplayPosition]:
    """The positions of a random play."""
    random, positions = Random(seed), [game.position()]
    while not positions[-1].over and len(positions) < stop:
        at = positions[-1]
        if at.movers:
            move: Any = random.choice(at.options(at.movers[0]))
        else:
            moves, weights = zip(*at.chances(), strict=True)
            move = random.choices(moves, list(map(float, weights)))[0]
        positions.append(at.after(move))
    return positions


def opening(game: Game, seed: int) -> ReplayPosition:
    """A random deal: the first position at which somebody moves."""
    return next(position for position in walked(game, seed, 60) if position.movers)


@pytest.mark.parametrize("seed", range(6))
def test_hidden_cards_change_no_view(seed: int) -> None:
    """Where two hands that a player does not see are dealt otherwise, its view is the same."""
    game = bridge(contract="" if seed % 2 else "3NT")
    for position in walked(game, seed)[60::7]:
        if position.over:
            continue
        agent = position.movers[0]
        view = position.view(agent)
        known = known_by(view, agent, **game.params)
        assert known is not None
        moves = known.draw(Random(seed))
        other = ReplayPosition(game, moves)
        assert other.view(agent) == view
        now, then = record_of(position).hands, record_of(other).hands
        board = position.state
        open_ = {TABLE.index(agent)}
        if isinstance(board, Board) and record_of(position).cards:
            open_.add(TABLE.index(board.contract.dummy))
        for seat in open_:
            assert now[seat] == then[seat]
        if not isinstance(board, Board):
            assert known.seen.hidden.rooms == (13, 13, 13)


def test_dummy_is_seen_after_the_opening_lead_only() -> None:
    position = opening(bridge(contract="4S"), 3)
    assert position.movers == ("west",)
    leads = position.options("west")
    for agent in TABLE:
        hands = [fact for kind, fact in position.view(agent) if kind == "saw"]
        assert len(hands) == 1
        assert len(hands[0]) == 13
    after = position.after(leads[0])
    assert after.movers == ("south",)  # for the dummy
    for agent in TABLE:
        told = [fact for kind, fact in after.view(agent) if kind == "saw" and fact[0] == "dummy"]
        assert bool(told) == (agent != "north")


def test_declarer_chooses_for_the_dummy_and_the_dummy_never() -> None:
    for seed in range(5):
        for position in walked(bridge(contract="2H", declarer="east"), seed)[52:-1]:
            assert position.movers[0] != "west"


def test_opponents_know_nothing_of_a_fixed_contract_but_the_contract() -> None:
    view = opening(bridge(contract="3NT"), 1).view("west")
    assert [kind for kind, _ in view] == ["saw", "offered"]


# ---------------------------------------------------------------------- sampling


@pytest.mark.parametrize("contract", ["1NT", "1H"])
def test_deals_are_drawn_by_their_exact_probabilities(contract: str) -> None:
    """Against the enumeration of all histories, which knows nothing of suits."""
    game = bridge(ranks=4, suits=2, contract=contract)
    for seed in range(4):
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
        assert known.seen.hidden.count() == len(exact)
        for world, weight in exact.items():
            assert ours[world] == pytest.approx(float(weight))


def uneven(position: ReplayPosition) -> bool:
    """Do a few deals agree with what the mover has seen, not all of them equally probable?"""
    (agent,) = position.movers
    known = known_by(position.view(agent), agent, **position.game.params)  # type: ignore[attr-defined]
    assert known is not None
    if not 5 < known.seen.hidden.count() < 40:
        return False
    return len({round(weight, 9) for _, weight in known.seen.hidden.enumerate()}) > 1


def test_draws_by_chi_square() -> None:
    """1,500 draws at a view of a deck of twelve in which somebody did not follow suit."""
    game = bridge(ranks=3, suits=4, contract="1NT")
    position = next(filter(uneven, (at for seed in range(100) for at in walked(game, seed)[14:-1])))
    agent = position.movers[0]
    drawn = Histories(game, agent).sample(position.view(agent), 1500, Random(4))
    known = known_by(position.view(agent), agent, **game.params)
    assert known is not None
    expected = {
        known.moves(hands): weight * 1500 for hands, weight in known.seen.hidden.enumerate()
    }
    counts = Counter(one.moves for one in drawn)
    assert counts.keys() <= expected.keys()
    observed = [counts[moves] for moves in expected]
    assert chisquare(observed, list(expected.values())).pvalue > 0.001


def test_count_of_deals_after_the_opening_lead() -> None:
    """Declarer sees 26 cards and one of the defenders': C(25, 12) = 5,200,300 deals are left."""
    start = opening(bridge(contract="3NT"), 5)
    position = start.after(start.options("west")[0])
    assert position.movers == ("south",)
    known = known_by(position.view("south"), "south", **position.game.params)  # type: ignore[attr-defined]
    assert known is not None
    assert known.seen.hidden.count() == 5_200_300


@pytest.mark.parametrize("view", [(), 5, None, (("saw", 3),), (("took", "1♣"),), ((1, 2, 3),)])
def test_a_view_of_no_play_has_no_history(view: Any) -> None:
    game = bridge(ranks=4, suits=2)
    with pytest.raises(InfosetError):
        Histories(game, "north").sample(view, 1, Random(1), attempts=5)


# ---------------------------------------------------------------------- records, search, input


@pytest.mark.parametrize("seed", range(4))
def test_records_and_moves_are_the_reverse_of_each_other(seed: int) -> None:
    game = bridge(contract="" if seed % 2 else "2D")
    for position in walked(game, seed)[51::9]:
        record = record_of(position)
        made = tuple(moves_of(record, "", 13, 4))
        assert made == position.moves


@pytest.mark.parametrize("pays", ["tricks", "score"])
def test_partition_search_of_endings(pays: str) -> None:
    for seed in range(3):
        start = opening(bridge(ranks=3, suits=4, contract="1H", pays=pays), seed)
        plain, partition = PerfectSearch(start.game), PerfectSearch(start.game, alike=alike)
        assert plain.value(start) == partition.value(start)
        assert partition.nodes < plain.nodes


def test_open_defence_shows_the_defenders_all_hands() -> None:
    game = bridge(ranks=4, suits=2, contract="1NT", deal="N:AJ. - - -", open_defence=True)
    tree = game.tree()
    for infoset in tree.infosets:
        if infoset.player == "east-west":
            assert len(infoset) == 1


def test_passed_out_pays_nothing() -> None:
    position = opening(bridge(ranks=4, suits=2), 1)
    while isinstance(position.state, Auction) and not position.over:
        position = position.after("pass")
    assert position.over
    assert set(position.payoffs.values()) == {0}


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"contract": "8NT"}, "contract='8NT'"),
        ({"contract": "X"}, "contract='X'"),
        ({"contract": "3Z"}, "contract='3Z'"),
        ({"contract": "3NTXXX"}, "contract='3NTXXX'"),
        ({"dealer": "N"}, "dealer in"),
        ({"ranks": 14}, "ranks <= 13"),
        ({"ranks": 3, "suits": 1}, "% 4 == 0"),
        ({"vulnerable": "all"}, "vulnerable in"),
        ({"deal": "nonsense"}, "the deal 'nonsense'"),
        ({"deal": "N:AKQ.. - - -"}, "'AKQ..' has 3 suits"),
        ({"deal": "N:AKQ... - - -"}, "'AKQ...' has 3 cards; each has 13"),
        ({"deal": "N:AKQJT98765432... AKQJT98765432... - -"}, "2♠ twice"),
        ({"deal": "N:AKQJT9876543Z... - - -"}, "no card Z♠"),
    ],
)
def test_bad_parameters_are_one_line(params: dict[str, Any], says: str) -> None:
    with pytest.raises(InfosetError) as caught:
        walked(bridge(**params), 1, 60)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------------- strategy fusion


OPEN_HANDS = "N:KJ.AQ.T. - T.T.A.AK -"
WORLDS = (  # east has ♠Q and west ♠A; ♥K, ♥J and ♣10 lie otherwise in each
    "N:KJ.AQ.T. Q.J.KJ.J T.T.A.AK A.K.Q.QT",
    "N:KJ.AQ.T. Q.K.KJ.J T.T.A.AK A.J.Q.QT",
    "N:KJ.AQ.T. Q..KJ.JT T.T.A.AK A.KJ.Q.Q",
)


def ending() -> list[tuple[ReplayPosition, int]]:
    """South leads, with ♠10 ♥10 ♦A ♣A opposite ♠KJ ♥AQ, and needs three of the four tricks."""
    game = bridge(ranks=5, suits=4, contract="2NT", deal=OPEN_HANDS, pays="contract")
    deck, contract = deck_of(5, 4), parse_contract("2NT", "south", 3, strains_of(4))
    trick = tuple(deck[card] for card in ("Q♣", "10♦", "J♣", "K♣"))
    worlds = []
    for deal in WORLDS:
        hands: Any = parse_deal(deal, deck)
        moves = tuple(moves_of(Record(hands, (), contract, trick), OPEN_HANDS, 5, 4))
        worlds.append((ReplayPosition(game, moves), 1))
    return worlds


def test_pimc_fuses_strategies_and_alpha_mu_does_not() -> None:
    """A spade first, towards the king and the jack, needs guesses; the aces first need none.

    In each deal a spade makes the contract, for a declarer who knows the deal: so says PIMC, and
    leads it. But no plan makes it in more than two of three from there, 2/3 − 1/3 = 1/3, as αμ
    finds when it looks three of its moves ahead, and the same when it looks to the end.
    """
    worlds = ending()
    assert len({world.view("south") for world, _ in worlds}) == 1
    fused = AlphaMuSearch(worlds[0][0].game, "south", moves=1, alike=alike)
    planned = AlphaMuSearch(worlds[0][0].game, "south", moves=3, alike=alike)
    to_the_end = AlphaMuSearch(worlds[0][0].game, "south", moves=9, alike=alike)
    spade, heart, diamond, club = worlds[0][0].options("south")
    assert set(fused.values(worlds).values()) == {1}
    assert fused.best(worlds) == spade
    exact = {spade: Fraction(1, 3), heart: Fraction(1, 3), diamond: 1, club: 1}
    assert planned.values(worlds) == to_the_end.values(worlds) == exact
    assert planned.best(worlds) == diamond


def test_alpha_mu_is_the_same_with_classes_of_positions() -> None:
    worlds = ending()
    for moves in (1, 2):
        plain = AlphaMuSearch(worlds[0][0].game, "south", moves=moves).values(worlds)
        assert AlphaMuSearch(worlds[0][0].game, "south", moves=moves, alike=alike).values(
            worlds
        ) == (plain)
