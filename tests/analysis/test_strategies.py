"""Strategies as tables: grouping, values and beliefs, folding, search, pages."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import game, solve
from infoset.analysis import expectations as standing
from infoset.analysis.equilibria import equilibria_table
from infoset.analysis.expectations import Expectations
from infoset.analysis.strategy_tables import FOLDED, frequencies, mixed_sheet, strategy_sheet
from infoset.errors import ParameterError, StrategyError
from infoset.games import beer_quiche, centipede, goofspiel, kuhn, leduc, poker
from infoset.strategy import behaviour, mixed, profile, pure, uniform
from infoset.tree import matrix_game
from infoset.tree.files.efg import read_efg, write_efg
from tests.rules.random_games import random_rules
from tests.strategy.random_strategies import random_behaviour

KUHN = solve(kuhn())


def test_kuhn_by_hand():
    """With the jack the gambler bluffs 1/3, so a bet is a jack 1 time in 4, as a queen sees it."""
    sheet = KUHN.table("dealer")
    assert [table.title for table in sheet] == ["after pass", "after bet"]
    bet = sheet[1]
    assert [column.name for column in bet.columns] == [
        "private",
        "pass",
        "bet",
        "reach",
        "value",
        "believes",
    ]
    queen = list(bet)[1]
    assert queen == (
        "Q",
        Fraction(2, 3),
        Fraction(1, 3),
        Fraction(2, 9),
        Fraction(-1),
        "J: 1/4; K: 3/4",
    )


def test_value_is_of_the_actions_weighed_by_their_probabilities():
    for table in KUHN.table("gambler"):
        for row, private in zip(table, table.column("private"), strict=True):
            label = private if table.title == "at the start" else f"{private}, [pass], bet"
            values = KUHN.profile.action_values(KUHN.tree.find("gambler", label))
            assert row[4] == sum(
                values[move] * share for move, share in zip(values, row[1:3], strict=True)
            )


def test_a_file_tells_beliefs_by_moves():
    tree = read_efg(write_efg(kuhn().tree()))
    solution = solve(tree)
    (told,) = {row[-1] for row in solution.table("dealer")[1] if row[0] == "Q"}
    assert told == "J Q: 1/4; K Q: 3/4"


def test_sets_that_the_others_never_let_one_see():
    receiver = solve(beer_quiche()).table("receiver")
    (table,) = receiver
    assert table.columns[0].name == "public"
    assert list(table)[1][0] == "quiche"
    assert list(table)[1][-3:] == (0, None, "never here")


def test_perfect_information_has_one_table_without_beliefs():
    (table,) = solve(centipede()).table("one")
    assert [column.name for column in table.columns] == ["public", "stop", "pass", "reach", "value"]
    assert table.column("value") == [1, 2, 3]


def test_options_that_are_not_offered_are_blank():
    (table,) = solve(goofspiel()).table("player 1")
    assert [column.name for column in table.columns][1:4] == ["1", "2", "3"]
    row = dict(zip(table.column("public"), table, strict=True))["[2], player 2 bids 1"]
    assert row[2] is None
    assert row[1] + row[3] == 1


LEDUC = solve(leduc())


def test_a_large_strategy_is_folded_likeliest_first():
    (table,) = LEDUC.table("one")
    assert len(LEDUC.tree.infosets_of("one")) > FOLDED
    assert len(table) == 82  # of 93: the others are never reached
    assert table.note.endswith("in 93 situations; 11 situations are never reached")
    reach = [row[2] for row in table]
    assert reach == sorted(reach, reverse=True)
    assert reach[0] == 1
    start = next(iter(table))
    probabilities = LEDUC.strategy["one"]
    often = sum(probabilities[card]["raise"] for card in ("J♠", "J♥", "Q♠", "Q♥", "K♠", "K♥")) / 6
    assert start[0] == "at the start"
    assert start[3] == f"call: {1 - float(often):.0%}, raise: {float(often):.0%}"


def test_where_looks_inside():
    sheet = LEDUC.table("one", where=["Q♠, [raise], call", "K♥"])
    labels = [infoset.label for infoset in LEDUC.tree.infosets_of("one")]
    expected = [one for one in labels if "Q♠, [raise], call" in one and "K♥" in one]
    assert sum(len(table) for table in sheet) == len(expected) > 0
    shouted = LEDUC.table("one", where=["q♠, [RAISE], CALL", "k♥"])
    assert [len(table) for table in shouted] == [len(table) for table in sheet]
    whole = LEDUC.table("one", where="?♠, [raise], raise")
    assert [row[0] for table in whole for row in table] == ["J♠", "Q♠", "K♠"]
    assert LEDUC.table("one", where="").tables[0].title == ""


def test_where_that_finds_nothing_says_how_labels_read():
    with pytest.raises(
        ParameterError, match=r"no information set of one has 'A♠' in its label; one"
    ):
        LEDUC.table("one", where="A♠")


def test_pages_are_the_same_rows_in_the_same_order():
    everything = [(t.title, row) for t in LEDUC.table("one", fold=False) for row in t]
    pages: list[tuple[str, object]] = []
    for start in range(0, len(everything), 50):
        page = LEDUC.table("one", rows=range(start, start + 50))
        pages += [(t.title, row) for t in page for row in t]
    assert pages == everything
    assert len(LEDUC.table("one", rows=range(10**6, 10**6 + 50))) == 0


def test_a_page_does_not_make_the_rest(monkeypatch):
    made = []
    monkeypatch.setattr(
        standing.InfosetExpectation,
        "beliefs",
        lambda self, _: made.append(self.infoset.index) or None,
    )
    page = LEDUC.table("one", rows=range(100, 110))
    assert sum(len([*table]) for table in page) == 10
    assert len(made) == 10


def test_mixed_and_lonely_strategies():
    tree = kuhn().tree()
    calm = pure(
        tree, "gambler", {"J": "pass", "J, [pass], bet": "pass"} | dict.fromkeys("QK", "bet")
    )
    (table,) = mixed_sheet(mixed(tree, "gambler", {calm: 1}))
    assert list(table) == [(1, calm.words)]
    alone = strategy_sheet(uniform(tree, "gambler"))
    assert [column.name for column in alone[0].columns] == ["private", "pass", "bet"]


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_values_and_beliefs_on_random_games(seed, players):
    tree = random_rules(seed, players, 5)().tree()
    random = Random(seed)
    everyone = profile(random_behaviour(tree, player, random) for player in tree.names)
    all_of = Expectations(everyone)
    reach = all_of.infoset_reach
    for player in tree.names:
        for infoset in tree.infosets_of(player):
            here = all_of.at(infoset)
            values = everyone.action_values(infoset)
            assert abs(float(here.reach) - reach[infoset.index]) < 1e-12
            if values is None:
                assert here.value is None or len(infoset) == 1
                continue
            probabilities = everyone[player][infoset]
            assert here.value == sum(values[move] * share for move, share in probabilities.items())
            beliefs = here.beliefs(Numbered())
            if beliefs is None:  # there is one node only, and so it is known
                assert len(infoset) == 1
                continue
            assert sum(beliefs.values()) == 1
            implied = everyone.beliefs(infoset)
            if implied is not None and tree.recall(player):
                assert beliefs == {str(node.index): chance for node, chance in implied.items()}


class Numbered:
    """Nodes by their numbers."""

    def names(self, infoset):
        return [str(node.index) for node in infoset.nodes]


def test_a_page_of_a_large_game_reads_the_words_of_its_own_situation_only():
    tree = poker(ranks=64, cash=4).tree()
    strategy = uniform(tree, "gambler")
    everyone = profile([strategy, uniform(tree, "dealer")])
    looked = []
    original = type(tree.knowing).words

    def words(self, state):
        looked.append(state)
        return original(self, state)

    type(tree.knowing).words = words
    try:
        page = strategy_sheet(strategy, everyone, rows=range(10))
        rows = [row for table in page for row in table]
    finally:
        type(tree.knowing).words = original
    assert len(rows) == 10
    assert len(looked) < len(tree.infosets) / 3


@game(players=("one", "two"))
def hidden(g):
    """Chance decides what nobody is told; one player sees a sign of it."""
    truth = g.chance(("good", "bad"))
    sign = g.chance(("red", "blue"), (2, 1) if truth == "good" else (1, 2))
    g.reveal("one", sign)
    taken = g.choose("one", ("take", "leave")) == "take"
    g.choose("two", ("l", "r"))
    return g.win("one" if truth == "good" else "two") if taken else (0, 0)


def test_what_nobody_knows_is_believed_too():
    (table,) = solve(hidden()).table("one")
    assert table.column("believes") == ["good: 2/3; bad: 1/3", "good: 1/3; bad: 2/3"]
    (table,) = solve(read_efg(write_efg(hidden().tree()))).table("one")
    assert table.column("believes") == ["good: 2/3; bad: 1/3", "good: 1/3; bad: 2/3"]


def test_options_that_read_alike_have_a_column_each():
    @game(players=("one", "two"))
    def alike(g):
        g.reveal("one", g.chance(("x", "y")))
        g.choose("one", (1, "1", "2"))
        g.choose("two", ("l", "r"))
        return (0, 0)

    tree = alike().tree()
    (table,) = strategy_sheet(uniform(tree, "one"))
    assert [column.name for column in table.columns] == ["private", "1", "1 (2)", "2"]
    assert next(iter(table))[1:] == (Fraction(1, 3),) * 3


def test_what_does_not_belong_together_is_refused():
    tree = kuhn().tree()
    at_random = profile(uniform(tree, player) for player in tree.names)
    with pytest.raises(StrategyError, match="another strategy"):
        strategy_sheet(KUHN.strategy["gambler"], at_random)
    with pytest.raises(StrategyError, match="no behaviour strategy"):
        strategy_sheet(pure(tree, "gambler", dict.fromkeys("JQK", "bet")))
    with pytest.raises(ParameterError, match="takes a profile"):
        strategy_sheet(uniform(tree, "gambler"), fold=True)
    for rows in (3, range(0, 6, 2), range(-3, 2)):
        with pytest.raises(ParameterError, match="give a range"):
            KUHN.table("gambler", rows=rows)
    with pytest.raises(ParameterError, match="give a text"):
        KUHN.table("gambler", where=3)


def test_folding_keeps_to_what_was_asked():
    (table,) = KUHN.table("gambler", where="K", fold=True)
    ((title, sets, reach, does),) = table
    assert (title, sets, does) == ("at the start", 1, "bet: 100%")
    assert reach == pytest.approx(1 / 3)
    (table,) = KUHN.table("gambler", fold=True, rows=range(1, 2))
    assert [row[0] for row in table] == ["[pass], bet"]


@game(players={"team": ("east", "west"), "foe": ()})
def agree(g):
    """A team that must agree without talking, on what a foe does not guess."""
    east, west, guess = (g.choose(who, ("heads", "tails")) for who in ("east", "west", "foe"))
    return g.win("team" if east == west != guess else "foe")


def test_one_player_who_mixes_plans_does_not_blank_the_others():
    solution = solve(agree())
    (table,) = solution.table("foe")
    assert [column.name for column in table.columns][-3:] == ["reach", "value", "believes"]
    assert next(iter(table))[-2:] == (
        0,
        "east [heads], west [heads]: 1/2; east [tails], west [tails]: 1/2",
    )
    (plans,) = solution.table("team")
    assert len(plans) == 2
    assert len(solution.table("team", rows=range(1, 9))[0]) == 1
    assert len(solution.table("team", rows=range(5, 9))) == 0


def test_behaviour_given_by_hand():
    tree = kuhn().tree()
    bold = behaviour(tree, "gambler", {"J": {"bet": 1}, "Q": {"pass": 1}, "K": {"bet": 1}})
    everyone = profile([bold, uniform(tree, "dealer")])
    sheet = strategy_sheet(uniform(tree, "dealer"), everyone)
    assert sheet[1].column("believes") == ["K: 1", "J: 1/2; K: 1/2", "J: 1"]


def test_numbers_as_actions_are_not_read_together_with_their_probabilities():
    tree = matrix_game([[2, 0], [0, 1]], actions=(("0", "1"), ("0", "1")))
    solution = solve(tree, "enumerate")
    for own in solution.players:
        assert equilibria_table(solution).column(f"{own} plays")[-1] == "0: 1/3, 1: 2/3"
    assert frequencies(("0", "1"), np.array([0.25, 0.75])) == "0: 25%, 1: 75%"
