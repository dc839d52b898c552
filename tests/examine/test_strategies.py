"""Strategies as tables: grouping, values and beliefs, folding, search, pages."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import solve
from infoset.errors import ParameterError
from infoset.examine import standing
from infoset.examine.standing import Standings
from infoset.examine.strategies import FOLDED, mixed_sheet, strategy_sheet
from infoset.games import beer_quiche, centipede, goofspiel, kuhn, leduc, poker
from infoset.strategy import behaviour, mixed, profile, pure, uniform
from infoset.tree.files.efg import read_efg
from infoset.tree.files.efg_writer import write_efg
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
        "J: 1/4, K: 3/4",
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
    assert told == "J Q: 1/4, K Q: 3/4"


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
    assert len(table) == 93
    reach = [row[2] for row in table[:93]]
    assert reach == sorted(reach, reverse=True)
    assert reach[0] == 1
    start = next(iter(table))
    shares = LEDUC.strategy["one"]
    often = sum(shares[card]["raise"] for card in ("J♠", "J♥", "Q♠", "Q♥", "K♠", "K♥")) / 6
    assert start[0] == "at the start"
    assert start[3] == f"call {1 - float(often):.0%}, raise {float(often):.0%}"


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
        standing.Standing,
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
    all_of = Standings(everyone)
    reach = all_of.infoset_reach
    for player in tree.names:
        for infoset in tree.infosets_of(player):
            here = all_of.at(infoset)
            values = everyone.action_values(infoset)
            assert abs(float(here.reach) - reach[infoset.index]) < 1e-12
            if values is None:
                assert here.value is None or len(infoset) == 1
                continue
            shares = everyone[player][infoset]
            assert here.value == sum(values[move] * share for move, share in shares.items())
            beliefs = here.beliefs(lambda node: str(node.index))
            assert sum(beliefs.values()) == 1
            implied = everyone.beliefs(infoset)
            if implied is not None and tree.recall(player):
                assert beliefs == {str(node.index): chance for node, chance in implied.items()}


def test_a_page_of_a_large_game_reads_the_words_of_its_own_situation_only():
    tree = poker(ranks=40, cash=3).tree()
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
    assert len(looked) < 300 < len(tree)


def test_behaviour_given_by_hand():
    tree = kuhn().tree()
    bold = behaviour(tree, "gambler", {"J": {"bet": 1}, "Q": {"pass": 1}, "K": {"bet": 1}})
    everyone = profile([bold, uniform(tree, "dealer")])
    sheet = strategy_sheet(uniform(tree, "dealer"), everyone)
    assert sheet[1].column("believes") == ["K: 1", "J: 1/2, K: 1/2", "J: 1"]
