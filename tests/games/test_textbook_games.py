"""Games from papers and textbooks whose players forget nothing, against what their sources say."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from infoset.errors import ParameterError
from infoset.games.beer_quiche import beer_quiche
from infoset.games.centipede import centipede
from infoset.games.entry_game import entry_game
from infoset.games.koller_megiddo_von_stengel import koller_megiddo_von_stengel
from infoset.games.matching_pennies import matching_pennies
from infoset.games.oil_pricing import oil_pricing
from infoset.games.prisoners_dilemma import prisoners_dilemma
from infoset.games.scissors_paper_stone import scissors_paper_stone
from infoset.games.seltens_horse import seltens_horse
from infoset.tree import facts

HALF = Fraction(1, 2)


@cache
def grown(game):
    return game.tree()


def oil_nodes(seasons: int) -> int:
    """Two cost draws, then a season: both outputs, the demand, what follows each of its two."""
    size = 1
    for _ in range(seasons):
        size = 1 + 2 + 4 + 8 * size
    return 1 + 2 + 4 * size


def oil_infosets(seasons: int) -> int:
    """Count what a producer may have seen: its cost, then its outputs and the prices so far."""
    seen = {(cost,) for cost in (1, 3)}
    total = 0
    for _ in range(seasons):
        total += len(seen)
        seen = {
            (*view, mine, demand - mine - yours)
            for view, mine, yours, demand in product(seen, (2, 3), (2, 3), (10, 11))
        }
    return total


# game, nodes, information sets of each player, where the counts come from
COUNTS = [
    (scissors_paper_stone(), 13, (1, 1), "1 + 3 + 9: three signs, three answers unseen"),
    (matching_pennies(), 7, (1, 1), "1 + 2 + 4"),
    (prisoners_dilemma(), 7, (1, 1), "Nau's slides: the tree in which agent 1 moves first"),
    (prisoners_dilemma(first="column"), 7, (1, 1), "Nau's slides: agent 2 moves first"),
    (koller_megiddo_von_stengel(), 21, (3, 2), "1994, figure 3: 11 entries of A, 3 + 2 sets"),
    (seltens_horse(), 9, (1, 1, 1), "Selten 1975, figure 1: five ends, three players once each"),
    (
        beer_quiche(),
        15,
        (2, 2),
        "Cho & Kreps 1987: 2 types, 2 breakfasts, 2 answers: 1 + 2 + 4 + 8",
    ),
    (centipede(), 13, (3, 3), "4 rounds + 1: a decision and a stop each time, and the far end"),
    (centipede(rounds=50), 201, (50, 50), "the hundred legs: 4 · 50 + 1"),
    (entry_game(), 5, (1, 1), "three ends, two decisions"),
    (
        entry_game(markets=3),
        53,
        (1, 3, 9, 13),
        "2 · 3^3 − 1; the incumbent after 1 + 3 + 9 entries",
    ),
    (oil_pricing(seasons=1), oil_nodes(1), (2, 2), "recursion and enumeration in this file"),
    (oil_pricing(), oil_nodes(2), (oil_infosets(2),) * 2, "the same"),
    (oil_pricing(seasons=3), oil_nodes(3), (oil_infosets(3),) * 2, "the same"),
]


@pytest.mark.parametrize(("game", "nodes", "infosets", "source"), COUNTS, ids=str)
def test_counts(game, nodes, infosets, source):
    tree = grown(game)
    assert len(tree) == nodes, source
    assert tuple(len(tree.infosets_of(player)) for player in tree.players) == infosets, source


@pytest.mark.parametrize("game", [row[0] for row in COUNTS], ids=str)
def test_nobody_forgets(game):
    tree = grown(game)
    for player in range(len(tree.players)):
        assert facts.recall(tree, player), facts.recall(tree, player)


def test_which_are_zero_sum_and_which_hide_nothing():
    games = [row[0] for row in COUNTS]
    assert {game.name for game in games if facts.zero_sum(grown(game))} == {
        "scissors_paper_stone",
        "matching_pennies",
        "koller_megiddo_von_stengel",
    }
    assert {game.name for game in games if facts.perfect_information(grown(game))} == {
        "centipede",
        "entry_game",
    }


# ------------------------------------------------------------------ strategies by brute force


def plays(tree):
    """Each play: its chance probability, its payoffs, and the choices made at information sets."""
    found = []
    for leaf in tree.leaves:
        probability, choices, node = Fraction(1), {}, leaf
        while (above := node.parent) is not None:
            taken = above.actions.index(node.action)
            if above.is_chance:
                probability *= above.probabilities[taken]
            else:
                choices[above.infoset.index] = node.action
            node = above
        found.append((probability, tuple(leaf.payoffs.values()), choices))
    return found


def strategies(tree, player):
    """All pure strategies of a player: an action at each of its information sets."""
    infosets = tree.infosets_of(player)
    indices = [infoset.index for infoset in infosets]
    menus = [infoset.actions for infoset in infosets]
    return [dict(zip(indices, actions, strict=True)) for actions in product(*menus)]


def normal_form(tree):
    """Expected payoffs of every profile of pure strategies, by the numbers of the strategies."""
    all_plays = plays(tree)
    sides = [list(enumerate(strategies(tree, player))) for player in tree.players]
    payoffs = {}
    for profile in product(*sides):
        chosen = {infoset: action for _, own in profile for infoset, action in own.items()}
        total = [Fraction(0)] * len(tree.players)
        for probability, paid, choices in all_plays:
            if all(chosen[infoset] == action for infoset, action in choices.items()):
                total = [sum_ + probability * pay for sum_, pay in zip(total, paid, strict=True)]
        payoffs[tuple(number for number, _ in profile)] = tuple(total)
    return payoffs


def pure_equilibria(tree):
    """The profiles, as tuples of actions, from which nobody gains by deviating alone."""
    payoffs = normal_form(tree)
    stable = []
    for profile, paid in payoffs.items():
        deviations = (
            (player, other)
            for player in range(len(profile))
            for other in payoffs
            if profile[:player] + profile[player + 1 :] == other[:player] + other[player + 1 :]
        )
        if all(payoffs[other][player] <= paid[player] for player, other in deviations):
            stable.append(profile)
    actions = [[tuple(own.values()) for own in strategies(tree, who)] for who in tree.players]
    return {tuple(actions[who][at] for who, at in enumerate(profile)) for profile in stable}


def induced(node):
    """The payoffs and the play of backward induction, in a game with perfect information."""
    if node.is_leaf:
        return node.payoffs, ()
    after = [(*induced(child), child.action) for child in node.children]
    paid, play, action = max(after, key=lambda result: result[0][node.player])
    return paid, (action, *play)


# ------------------------------------------------------------------ one by one


@pytest.mark.parametrize("game", [scissors_paper_stone(), matching_pennies()], ids=str)
def test_who_can_be_foreseen_loses(game):
    tree = game.tree()
    assert pure_equilibria(tree) == set()
    payoffs = normal_form(tree)
    count = len(tree.root.actions)
    for mine in range(count):
        assert sum(payoffs[mine, yours][0] for yours in range(count)) == 0
        assert sum(payoffs[yours, mine][0] for yours in range(count)) == 0


def test_each_sign_beats_one():
    end = scissors_paper_stone().tree().root
    beats = [("scissors", "paper"), ("paper", "stone"), ("stone", "scissors")]
    for strong, weak in beats:
        assert end.child(strong).child(weak).payoffs == {"one": 1, "two": -1}
        assert end.child(weak).child(strong).payoffs == {"one": -1, "two": 1}


def test_even_wins_equal_pennies():
    root = matching_pennies().tree().root
    assert root.child("tails").child("tails").payoffs == {"even": 1, "odd": -1}
    assert root.child("tails").child("heads").payoffs == {"even": -1, "odd": 1}


def test_both_trees_of_the_prisoners_dilemma_have_one_normal_form():
    one, two = prisoners_dilemma().tree(), prisoners_dilemma(first="column").tree()
    assert (one.root.player, two.root.player) == ("row", "column")
    # Shoham & Leyton-Brown, figure 5.11; C and D are strategies 0 and 1.
    table = {(0, 0): (-1, -1), (0, 1): (-4, 0), (1, 0): (0, -4), (1, 1): (-3, -3)}
    assert normal_form(one) == normal_form(two) == table
    assert pure_equilibria(one) == pure_equilibria(two) == {(("defect",), ("defect",))}


def test_the_prisoners_dilemma_takes_payoffs_that_make_it_one():
    tree = prisoners_dilemma(reward=3, sucker=0, temptation=5, punishment=1).tree()
    assert normal_form(tree)[0, 1] == (0, 5)
    with pytest.raises(ParameterError, match="temptation > reward > punishment > sucker"):
        prisoners_dilemma(reward=1)
    with pytest.raises(ParameterError, match="first in"):
        prisoners_dilemma(first="agent 1")


FIGURE_2 = {  # Koller, Megiddo & von Stengel 1994: columns (p, s), (p, t), (q, s), (q, t)
    "lLc": (9, 15, 9, 15),
    "lLd": (13, 10, 13, 10),
    "lRc": (9, 15, 9, 15),
    "lRd": (13, 10, 13, 10),
    "rLc": (8, 14, 10, 16),
    "rLd": (10, 7, 12, 9),
    "rRc": (9, 15, 5, 11),
    "rRd": (11, 8, 7, 4),
}


def kmvs_rows():
    """The normal form of the tree, with its rows named as in figure 2."""
    tree = koller_megiddo_von_stengel().tree()
    rows, columns = strategies(tree, "one"), strategies(tree, "two")
    names = ["".join(row.values()) for row in rows]
    assert ["".join(column.values()) for column in columns] == ["ps", "pt", "qs", "qt"]
    payoffs = normal_form(tree)
    return {
        name: tuple(payoffs[at, column][0] for column in range(4)) for at, name in enumerate(names)
    }


def test_koller_megiddo_von_stengel_1994_figure_2():
    rows = kmvs_rows()
    assert rows.keys() == FIGURE_2.keys()
    # The printed rows with r leave out what figure 3 pays for c (2) and for d (4) alone.
    missing = {"c": 2, "d": 4}
    for name, printed in FIGURE_2.items():
        added = missing[name[2]] if name[0] == "r" else 0
        assert rows[name] == tuple(entry + added for entry in printed), name


def test_koller_megiddo_von_stengel_1994_figure_3():
    tree = koller_megiddo_von_stengel().tree()
    matrix = {}
    for probability, (payoff, _), choices in plays(tree):
        sequences = {"one": "", "two": ""}
        for infoset in sorted(choices):  # information sets are numbered from the root down
            sequences[tree.infosets[infoset].player] += choices[infoset]
        key = sequences["one"], sequences["two"]
        matrix[key] = matrix.get(key, 0) + probability * payoff
    assert matrix == {
        ("", ""): 2,
        ("l", ""): 1,
        ("rL", "p"): 2,
        ("rL", "q"): 4,
        ("rR", "p"): 3,
        ("rR", "q"): -1,
        ("c", ""): 2,
        ("c", "s"): 4,
        ("c", "t"): 10,
        ("d", ""): 4,
        ("d", "s"): 6,
        ("d", "t"): 3,
    }


def test_koller_megiddo_von_stengel_is_worth_13():
    """Both mixtures of the docstring guarantee it; found by hand from the two 2 × 2 games in A."""
    rows = kmvs_rows()
    L, c, p, s = Fraction(2, 3), Fraction(1, 3), Fraction(5, 6), Fraction(5, 9)  # noqa: N806
    row_mix = {
        "rLc": L * c,
        "rLd": L * (1 - c),
        "rRc": (1 - L) * c,
        "rRd": (1 - L) * (1 - c),
    }
    column_mix = (p * s, p * (1 - s), (1 - p) * s, (1 - p) * (1 - s))
    for column in range(4):
        assert sum(weight * rows[name][column] for name, weight in row_mix.items()) == 13
    best = max(sum(map(Fraction.__mul__, column_mix, row)) for row in rows.values())
    assert best == 13


def test_koller_megiddo_von_stengel_information_sets():
    tree = koller_megiddo_von_stengel().tree()
    sizes = {infoset.actions: len(infoset) for infoset in tree.infosets}
    assert sizes == {("l", "r"): 1, ("p", "q"): 1, ("L", "R"): 2, ("c", "d"): 2, ("s", "t"): 2}
    assert sorted(tree.root.probabilities) == [Fraction(1, 5)] * 3 + [Fraction(2, 5)]


def test_seltens_horse_has_two_pure_equilibria():
    tree = seltens_horse().tree()
    across, down = ("across",), ("down",)
    assert pure_equilibria(tree) == {(across, across, ("R",)), (down, across, ("L",))}
    # In the second, player 2 would get 4 by going down, not 1: Selten's objection to it.
    two = tree.root.child("across")
    assert two.child("across").payoffs["two"] == 1
    assert two.child("down").child("L").payoffs == {"one": 4, "two": 4, "three": 0}
    assert two.child("down").child("R").payoffs == {"one": 0, "two": 0, "three": 1}
    assert tree.root.child("down").child("L").payoffs == {"one": 3, "two": 3, "three": 2}
    assert two.child("down") in tree.find("three", "nothing yet")
    assert len(tree.find("three", "nothing yet")) == 2


def test_beer_and_quiche_pool_if_strength_is_likely():
    """Cho & Kreps 1987: with probability 9/10 two pooling outcomes, on beer and on quiche."""
    tree = beer_quiche().tree()
    sender, receiver = (
        [infoset.label for infoset in tree.infosets_of(who)] for who in tree.players
    )
    assert (sender, receiver) == (["strong", "weak"], ["beer", "quiche"])
    assert pure_equilibria(tree) == {
        (("beer", "beer"), ("retreat", "duel")),
        (("quiche", "quiche"), ("duel", "retreat")),
    }
    assert pure_equilibria(beer_quiche(strong=0.1).tree()) == set()


def test_beer_and_quiche_payoffs():
    root = beer_quiche().tree().root
    assert root.probabilities == (Fraction(9, 10), Fraction(1, 10))
    table = {
        ("strong", "beer"): ((1, 0), (3, 1)),
        ("strong", "quiche"): ((0, 0), (2, 1)),
        ("weak", "beer"): ((0, 1), (2, 0)),
        ("weak", "quiche"): ((1, 1), (3, 0)),
    }
    for (kind, breakfast), leaves in table.items():
        answer = root.child(kind).child(breakfast)
        assert tuple(tuple(end.payoffs.values()) for end in answer.children) == leaves
    with pytest.raises(ParameterError, match="0 < strong < 1"):
        beer_quiche(strong=1)


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_the_centipede_stops_at_once_and_could_go_far(rounds):
    tree = centipede(rounds=rounds).tree()
    assert induced(tree.root) == ({"one": 1, "two": 1}, ("stop",))
    last = tree.nodes[-1]  # everyone passed
    assert last.depth == 2 * rounds
    assert last.payoffs == {"one": 1 + rounds, "two": 1 + rounds}
    assert tree.root.child("pass").child("stop").payoffs == {"one": 0, "two": 3}
    assert tree.root.child("pass").infoset.label == "pass"


def test_the_centipede_refuses_a_step_that_costs_nothing():
    with pytest.raises(ParameterError, match="gift > cost > 0"):
        centipede(cost=0)
    with pytest.raises(ParameterError, match="rounds >= 1"):
        centipede(rounds=0)


def test_a_threat_keeps_the_entrant_out():
    tree = entry_game().tree()
    assert pure_equilibria(tree) == {(("in",), ("accommodate",)), (("out",), ("fight",))}
    assert induced(tree.root)[1] == ("in", "accommodate")


def test_the_chain_store_gives_way_in_every_market():
    """Selten 1978: by backward induction, however many markets there are."""
    tree = entry_game(markets=4).tree()
    paid, play = induced(tree.root)
    assert play == ("in", "accommodate") * 4
    assert paid == {**{f"entrant {town}": 2 for town in range(1, 5)}, "incumbent": 8}
    left_alone = tree.root.child("out").child("out").child("out").child("out")
    assert left_alone.payoffs == {**{f"entrant {town}": 1 for town in range(1, 5)}, "incumbent": 20}
    fought = tree.root.child("in").child("fight")
    assert fought.infoset.label == "in, fight"
    assert fought.child("in").infoset.label == "in, [fight], in"
    with pytest.raises(ParameterError, match="markets >= 1"):
        entry_game(markets=0)


def test_oil_is_paid_by_season():
    node = oil_pricing().tree().root
    for move in (1, 3, 2, 3, 11, 3, 2, 10):  # costs; outputs and demand, twice
        node = node.child(move)
    # Prices 11 − 5 and 10 − 5; the second season counts 9/10.
    assert node.payoffs == {
        "north": 2 * (6 - 1) + Fraction(9, 10) * 3 * (5 - 1),
        "south": 3 * (6 - 3) + Fraction(9, 10) * 2 * (5 - 3),
    }


def test_an_oil_price_does_not_tell_demand_from_cheating():
    tree = oil_pricing().tree()
    doubtful = tree.find("north", "cost 1, [2], price 6")
    # histories: north's cost, south's cost, north's output, south's output, demand
    stories = {tuple(action for _, action in node.history) for node in doubtful}
    assert stories == {(1, cost, 2, yours, 8 + yours) for cost in (1, 3) for yours in (2, 3)}


def test_nobody_learns_the_rivals_cost():
    tree = oil_pricing().tree()
    for infoset in tree.infosets:
        rival = 1 if infoset.player == "north" else 0
        assert {node.history[rival][1] for node in infoset} == {1, 3}


def test_a_cheap_oil_producer_always_breaks_the_quota():
    """The claims of the module's docstring, for one season, at the mean demand of 21/2."""
    tree = oil_pricing(seasons=1).tree()

    def profit(cost, mine, yours):
        end = tree.root.child(cost).child(1).child(mine).child(yours)
        return sum(leaf.payoffs["north"] for leaf in end.children) * HALF

    for yours in (2, 3):
        assert profit(1, 3, yours) > profit(1, 2, yours)
    assert profit(1, 3, 3) < profit(1, 2, 2)
    assert profit(3, 3, 2) > profit(3, 2, 2)
    assert profit(3, 3, 3) < profit(3, 2, 3)


def test_oil_prices_do_not_fall_below_zero():
    tree = oil_pricing(seasons=1, outputs=(6,), demands=(10.5,), costs=(0.5,)).tree()
    (leaf,) = tree.leaves
    assert leaf.payoffs == {"north": -3, "south": -3}
    for wrong in ({"seasons": 0}, {"outputs": (2, 2)}, {"discount": 0}, {"costs": ()}):
        with pytest.raises(ParameterError):
            oil_pricing(**wrong)
