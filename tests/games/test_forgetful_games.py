"""Games about forgetting, among them those of Blair, Mutchler & van Lent 1996 on perfect recall."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.errors import ParameterError
from infoset.games.absent_minded import absent_minded
from infoset.games.blair import blair_g1, blair_g2
from infoset.games.imp_model import imp_model
from infoset.games.three_partition import three_partition
from infoset.games.tricks import tricks
from infoset.tree import facts
from infoset.tree.facts import pure_strategies

PERFECT_RECALL = [
    blair_g1(),
    blair_g2(variant="unseen"),
    blair_g2(variant="partners"),
    three_partition(),
    imp_model(),
    imp_model(k=3, b=2, d=4),
]


@pytest.mark.parametrize("game", PERFECT_RECALL, ids=str)
def test_perfect_recall(game):
    tree = game.tree()
    for player in range(len(tree.players)):
        assert facts.recall(tree, player), facts.recall(tree, player)


def best(tree):
    """The most that the pure strategies of a one-player game can get in expectation."""
    menus = [infoset.actions for infoset in tree.infosets]
    totals = Counter()
    for leaf in tree.leaves:
        probability, node, choices = Fraction(1), leaf, {}
        while (above := node.parent) is not None:
            if above.is_chance:
                probability *= above.probabilities[above.actions.index(node.action)]
            else:
                choices[above.infoset.index] = node.action
            node = above
        payoff = next(iter(leaf.payoffs.values()))
        for strategy in product(*menus):
            if all(strategy[infoset] == action for infoset, action in choices.items()):
                totals[strategy] += probability * payoff
    return max(totals.values())


# ------------------------------------------------------------------ absent-mindedness


def test_absent_minded():
    tree = absent_minded().tree()
    assert len(tree) == 7
    fact = facts.absent_minded(tree, [0])
    assert fact
    first, again = fact.nodes
    assert (first, again) == (tree.root, tree.root.child("L"))
    assert first.infoset == again.infoset
    assert not facts.recall(tree, 0)
    assert facts.recall(tree, 0).infoset == first.infoset
    assert facts.recall(tree, 1)
    assert pure_strategies(tree, 0) == 2


@given(st.fractions(0, 1))
def test_absent_minded_payoff_is_the_parabola_of_the_slide(p):
    """Nau: u₁ = p² + 100 p (1 − p) + 2 (1 − p) = −99 p² + 98 p + 2 against D."""
    likely = {"L": p, "R": 1 - p, "U": 0, "D": 1}

    def value(node):
        if node.is_leaf:
            return node.payoffs["one"]
        return sum(likely[child.action] * value(child) for child in node.children)

    assert value(absent_minded().tree().root) == -99 * p**2 + 98 * p + 2


def test_absent_minded_dominant_choices_of_the_slide():
    """Nau: D is strictly dominant for agent 2; in pure strategies R is best for agent 1."""
    root = absent_minded().tree().root
    up, down = root.child("R").children
    assert (up.payoffs["two"], down.payoffs["two"]) == (1, 2)
    assert (up.payoffs["one"], down.payoffs["one"]) == (5, 2)
    assert root.child("L").child("L").payoffs == {"one": 1, "two": 0}
    assert root.child("L").child("R").payoffs == {"one": 100, "two": 100}


# ------------------------------------------------------------------ G1 and G2


def test_blair_g1_is_worth_1():
    """Section 2.2: "correctly computes that the value of game G1 is 1"."""
    tree = blair_g1().tree()
    assert (len(tree), len(tree.infosets)) == (11, 4)
    assert facts.perfect_information(tree)
    assert best(tree) == 1


@pytest.mark.parametrize(
    ("variant", "infosets", "value", "source"),
    [
        ("team", 3, Fraction(1, 2), "section 2.2: the optimal expected payoff is 0.5"),
        ("unseen", 2, 0, "section 5.3: the optimal payoff (0), go right at {A, B}"),
    ],
)
def test_blair_g2_as_one_player(variant, infosets, value, source):
    tree = blair_g2(variant=variant).tree()
    assert tree.players == ("team",)
    assert (len(tree), len(tree.infosets)) == (11, infosets)
    assert best(tree) == value, source


def test_blair_g2_lacks_perfect_recall():
    """Footnote 14. The team forgets at {C, D} which of A and B it saw."""
    tree = blair_g2().tree()
    forgotten = facts.recall(tree, 0)
    assert not forgotten
    assert forgotten.infoset.label == "second: nothing yet"
    assert {node.history[0][1] for node in forgotten.nodes} == {"A", "B"}
    assert not facts.absent_minded(tree, [0])


def test_blair_g2_with_two_players():
    tree = blair_g2(variant="partners").tree()
    assert tree.players == ("first", "second")
    assert [len(tree.infosets_of(player)) for player in tree.players] == [2, 1]
    assert len(tree.find("second", "nothing yet")) == 2
    for leaf in tree.leaves:
        assert leaf.payoffs["first"] == leaf.payoffs["second"]
    leaves = {
        tuple(action for _, action in leaf.history): leaf.payoffs["first"] for leaf in tree.leaves
    }
    assert leaves == {
        ("A", "continue", "left"): -100,
        ("A", "continue", "right"): 1,
        ("A", "quit"): 0,
        ("B", "continue", "left"): 1,
        ("B", "continue", "right"): -100,
        ("B", "quit"): 0,
    }
    with pytest.raises(ParameterError, match="variant in"):
        blair_g2(variant="three")


# ------------------------------------------------------------------ 3-PARTITION

NINE = (26, 27, 28, 29, 30, 31, 33, 34, 32)  # m = 3, B = 90


@pytest.mark.parametrize("sizes", [(3, 4, 4), (6, 8, 7, 6, 7, 6), NINE])
def test_three_partition_counts(sizes):
    """Theorem 2's proof: 4m children of the root, m + 3m·m nodes of player 2, two leaves each."""
    m = len(sizes) // 3
    tree = three_partition(sizes=sizes).tree()
    assert len(tree.root.children) == 4 * m
    assert set(tree.root.probabilities) == {Fraction(1, 4 * m)}
    assert len(tree) == 1 + 4 * m + 3 * (m + 3 * m * m)
    assert len(tree.infosets_of("one")) == 4 * m
    assert {len(infoset) for infoset in tree.infosets_of("one")} == {1}
    assert len(tree.infosets_of("two")) == m
    assert {len(infoset) for infoset in tree.infosets_of("two")} == {1 + 3 * m}
    assert facts.zero_sum(tree)


def test_three_partition_payoffs_of_figure_4():
    root = three_partition().tree().root
    assert root.child("b2").actions == (2,)
    left, right = root.child("b2").child(2).children
    assert (left.payoffs["one"], right.payoffs["one"]) == (-20, 20)
    assert root.child("a2").actions == (1, 2)
    left, right = root.child("a2").child(1).children
    assert (left.payoffs["one"], right.payoffs["one"]) == (8, -8)
    assert root.child("a2").child(1).infoset.label == "group 1"


def has_pure_equilibrium(tree):
    """A saddle point among pure strategies: player 1's maximin equals its minimax."""
    items = [child.action for child in tree.root.children]
    menus = [child.actions for child in tree.root.children]
    groups = [int(infoset.label.split()[1]) for infoset in tree.infosets_of("two")]
    paid = {tuple(move for _, move in leaf.history): leaf.payoffs["one"] for leaf in tree.leaves}
    table = [
        [
            sum(
                paid[item, group, bets[groups.index(group)]]
                for item, group in zip(items, placed, strict=True)
            )
            for bets in product(("left", "right"), repeat=len(groups))
        ]
        for placed in product(*menus)
    ]
    maximin = max(min(row) for row in table)
    minimax = min(max(row[column] for row in table) for column in range(len(table[0])))
    return maximin == minimax


@pytest.mark.parametrize(
    "sizes",
    [(3, 4, 4), (6, 8, 7, 6, 7, 6), (6, 6, 6, 6, 7, 9), (7, 7, 6, 6, 8, 6), (7,) * 5 + (9,)],
)
def test_three_partition_has_a_pure_equilibrium_exactly_if_there_is_a_partition(sizes):
    """Theorem 2, the question itself answered by trying all divisions."""
    groups = len(sizes) // 3
    full = sum(sizes) // groups
    divisible = any(
        all(sum(order[3 * at : 3 * at + 3]) == full for at in range(groups))
        for order in permutations(sizes)
    )
    assert has_pure_equilibrium(three_partition(sizes=sizes).tree()) == divisible


@pytest.mark.parametrize(
    "sizes",
    [
        (),
        (6, 8, 7, 6),  # not three to a group
        (6, 8, 7, 6, 7, 7),  # 41 is not twice anything
        (5, 8, 7, 6, 7, 7),  # 5 is B/4
        (10, 6, 6, 6, 6, 6),  # 10 is B/2
        7,
    ],
)
def test_three_partition_refuses_what_is_no_instance(sizes):
    with pytest.raises(ParameterError, match="sizes"):
        three_partition(sizes=sizes)


# ------------------------------------------------------------------ the IMP-model


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 4))
def test_imp_model_counts(k, b, d):
    """Section 7: the definition of the model, and its (kb)^(d−1) leaves (theorem 5)."""
    tree = imp_model(k=k, b=b, d=d, payoffs="zero").tree()
    assert len(tree.root.children) == k ** (d - 1)
    assert sum(1 for _ in tree.leaves) == (k * b) ** (d - 1)
    assert {leaf.depth for leaf in tree.leaves} == {d}
    assert len(tree) == 1 + sum(k ** (d - 1) * b ** (t - 1) for t in range(1, d + 1))
    by_depth = Counter((infoset.nodes[0].depth, len(infoset)) for infoset in tree.infosets)
    assert by_depth == {(t, k ** (d - t)): (k * b) ** (t - 1) for t in range(1, d)}
    assert facts.recall(tree, 0)


def test_each_move_of_an_imp_information_set_splits_it_into_k():
    """Section 7, figure 11: k = 3, b = 2, d = 3."""
    tree = imp_model(k=3, b=2, d=3).tree()
    top = tree.find("player", "nothing yet")
    for action in top.actions:
        below = Counter(node.child(action).infoset.label for node in top)
        assert below == {f"[{action}], set {digit}": 3 for digit in (1, 2, 3)}


def test_imp_payoffs_are_given_in_the_order_of_the_leaves():
    given_payoffs = tuple(range(100, 116))
    by_list = imp_model(payoffs=given_payoffs).tree()
    assert [leaf.payoffs["player"] for leaf in by_list.leaves] == list(given_payoffs)
    by_function = imp_model(payoffs=lambda leaf: Fraction(leaf, 3)).tree()
    assert [leaf.payoffs["player"] * 3 for leaf in by_function.leaves] == list(range(16))


def test_imp_scramble_is_fixed_by_its_seed():
    def payoffs(seed):
        return [leaf.payoffs["player"] for leaf in imp_model(k=4, d=4, seed=seed).tree().leaves]

    assert payoffs(0) == payoffs(0)
    assert payoffs(0) != payoffs(1)
    spread = Counter(payoffs(0) + payoffs(1))  # 1024 draws from 100 numbers
    assert min(spread) == 0
    assert max(spread) == 99
    assert len(spread) > 95
    assert max(spread.values()) < 30


@pytest.mark.parametrize("payoffs", ["zeros", (1, 2, 3), 5])
def test_imp_refuses_payoffs_that_do_not_fit(payoffs):
    with pytest.raises(ParameterError, match=r"payoffs.*(16 numbers or a function|for 16 leaves)"):
        imp_model(payoffs=payoffs).tree()


# ------------------------------------------------------------------ tricks

SEATS = ("north", "east", "south", "west")


@cache
def grown(game):
    return game.tree()


def all_deals(ranks, suits, copies):
    """Every different deal, cards as (rank, suit), each hand in order."""
    cards = [(rank, suit) for rank in range(ranks) for suit in range(suits)] * copies
    size = len(cards) // 4
    dealt, unfinished = set(), [((), tuple(sorted(cards)))]
    while unfinished:
        hands, rest = unfinished.pop()
        if not rest:
            dealt.add(hands)
            continue
        for hand in set(combinations(rest, size)):
            left = list(rest)
            for card in hand:
                left.remove(card)
            unfinished.append(((*hands, hand), tuple(left)))
    return dealt


def outcomes(hands, trumps, led=0, table=(), ahead=0):
    """Every play from here, without the engine: the number of choices in it, and of each result.

    Seats are 0 to 3 clockwise from north, ``led`` is who leads this trick, and ``ahead`` counts the
    tricks of seats 0 and 2 less those of 1 and 3.
    """
    if not any(hands):
        return 0, Counter([ahead])
    seat = (led + len(table)) % 4
    follow = {card for card in hands[seat] if table and card[1] == table[0][1]}
    allowed = follow or set(hands[seat])
    choices, results = int(len(allowed) > 1), Counter()
    for card in allowed:
        left = list(hands[seat])
        left.remove(card)
        after = (*hands[:seat], tuple(left), *hands[seat + 1 :])
        now = (*table, card)
        if len(now) < 4:
            more, leaves = outcomes(after, trumps, led, now, ahead)
        else:
            taker = (led + taken_by(now, trumps)) % 4
            more, leaves = outcomes(after, trumps, taker, (), ahead + (-1) ** taker)
        choices, results = choices + more, results + leaves
    return choices, results


def taken_by(table, trumps):
    """Which of the four cards of a trick takes it, the rule as a list of who is out of it."""
    trumped = [at for at in range(4) if trumps and table[at][1] == 0]
    able = trumped or [at for at in range(4) if table[at][1] == table[0][1]]
    highest = max(table[at][0] for at in able)
    return next(at for at in able if table[at][0] == highest)


@pytest.mark.parametrize(
    ("size", "trumps", "deals", "nodes"),
    [
        ((2, 2, 2), True, 282, 1591),
        ((2, 2, 2), False, 282, 1591),
        ((4, 1, 2), True, 282, 4759),
    ],
)
def test_tricks_against_every_play_of_every_deal(size, trumps, deals, nodes):
    """Deals: 4 × 4 matrices with all row and column sums 2, of which there are 282."""
    tree = grown(tricks(*size, trumps=trumps))
    dealt = all_deals(*size)
    assert len(tree.root.children) == len(dealt) == deals
    choices, results = 0, Counter()
    for hands in dealt:
        more, leaves = outcomes(hands, trumps)
        choices, results = choices + more, results + leaves
    assert len(tree) == 1 + choices + results.total() == nodes
    assert Counter(leaf.payoffs["north-south"] for leaf in tree.leaves) == results


def test_tricks_teams_forget_and_their_agents_do_not():
    tree = grown(tricks())
    assert tree.players == ("north-south", "east-west")
    for team in (0, 1):
        forgotten = facts.recall(tree, team)
        assert not forgotten
        agents = tree.players[team].split("-")
        # What is forgotten by the one was known to the other.
        assert forgotten.infoset.label.split(":")[0] in agents
        assert not facts.absent_minded(tree, [team])
    assert facts.zero_sum(tree)
    for infoset in tree.infosets:
        agent = infoset.label.split(":")[0]
        assert len({own_choices(node, agent) for node in infoset}) == 1


def own_choices(node, agent):
    """What one agent of a team has chosen on the way to a node, and at which information sets."""
    chosen = []
    while (above := node.parent) is not None:
        if above.infoset is not None and above.infoset.label.startswith(f"{agent}:"):
            chosen.append((above.infoset.index, node.action))
        node = above
    return tuple(chosen)


def test_tricks_agents_see_their_own_hand_and_the_table_only():
    tree = grown(tricks())
    deals = [dict(zip(SEATS, child.action, strict=True)) for child in tree.root.children]
    openings = [i for i in tree.infosets_of("north-south") if i.label.startswith("north: ")]
    for infoset in openings:
        hand = infoset.label.removeprefix("north: ")
        if "·" not in hand:  # before anything was played: all deals of this hand, and no others
            assert len(infoset) == sum(str(deal["north"]) == hand for deal in deals)
    for infoset in tree.infosets:
        agent, known = infoset.label.split(": ")
        hands = {node.history[0][1] for node in infoset}
        seen = {str(dict(zip(SEATS, hand, strict=True))[agent]) for hand in hands}
        assert seen == {known.split(", ")[0]}


def test_tricks_south_does_not_know_norths_other_card():
    tree = grown(tricks())
    infoset = tree.find("north-south", "south: Q♥ K♥, north Q♠, east K♠")
    norths = {str(node.history[0][1][0]) for node in infoset}
    assert norths == {"Q♠ Q♠", "Q♠ Q♥", "Q♠ K♠", "Q♠ K♥"}


def play_out(tree, deal, cards):
    """The end of a play in which these cards are chosen where there is a choice."""
    wanted = " ".join(deal)
    node = next(child for child in tree.root.children if told(child.action) == wanted)
    for card in cards:
        node = node.child(card)
    assert node.is_leaf
    return node.payoffs["north-south"]


def told(hands):
    return " ".join(map(str, hands))


def test_tricks_are_taken_by_trumps_then_by_the_suit_led():
    deal = ("Q♥ K♥", "Q♠ Q♥", "K♠ K♥", "Q♠ K♠")  # north, east, south, west
    # North leads K♥; east follows, south follows with K♥; west trumps with Q♠ and leads K♠:
    # north Q♥, east Q♠, south K♠, which is the second of the two: both tricks are west's.
    assert play_out(grown(tricks()), deal, ["K♥", "Q♠"]) == -2
    # Without trumps the first K♥ takes the trick, and north's Q♥ is the only heart after it.
    assert play_out(grown(tricks(trumps=False)), deal, ["K♥", "Q♠"]) == 2


def test_tricks_refuses_cards_that_cannot_be_shared_out():
    for wrong in ({"ranks": 5, "suits": 1}, {"copies": 1}, {"suits": 0}):
        with pytest.raises(ParameterError, match="needs"):
            tricks(**wrong)
