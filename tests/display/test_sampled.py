"""Sampled strategies as people read them: labels of the tree, tables, files that are read again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Builder, InfosetError, Play, Position, game, games
from infoset.analysis import read_strategies
from infoset.display import show
from infoset.errors import ParameterError
from infoset.solvers.sampling import sample
from infoset.solvers.sampling.result import averages
from infoset.solvers.solution import Solution
from infoset.tree import Tree
from tests.display.test_show import Words
from tests.rules.random_games import random_rules


def agrees_with_the_tree(found: Solution, tree: Tree) -> int:
    """Every set that was seen has its label, its options and its strategy; their number."""
    probabilities = averages(found.evaluation.run, tree)
    known = 0
    for number, player in enumerate(tree.names):
        read = {
            (seen.label, seen.options): seen.probabilities for seen in found.evaluation.seen(player)
        }
        assert len(read) == len(found.evaluation.seen(player)) == len(found.strategy[player])
        for infoset in tree.infosets_of(player):
            key = (infoset.label, infoset.actions)
            if key in read:
                assert read[key] == probabilities[infoset.index]
                assert tree.infoset_player[infoset.index] == number
                known += 1
    return known


@pytest.mark.parametrize(
    ("made", "iterations"),
    [
        (games.kuhn(), 100),
        (games.leduc(), 400),
        (games.goofspiel(cards=4), 10),
        (games.tricks(), 300),
        (games.liars_dice(sides=3), 3),
        (games.kuhn(players=3), 100),
    ],
    ids=str,
)
def test_labels_are_those_of_the_tree(made: Any, iterations: int) -> None:
    found = sample(made, iterations=iterations)
    assert agrees_with_the_tree(found, made.tree()) == found.evaluation.sets


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3))
def test_labels_of_random_games(seed: int, players: int) -> None:
    made = random_rules(seed, players=players, depth=4)()
    tree = made.tree()
    for source in (made, tree):
        found = sample(source, iterations=60)
        names = [name for player in found.players for name in found.strategy[player]]
        assert len(names) == found.evaluation.sets
        if found.evaluation.sets == len(tree.infosets):
            seen = [
                label
                for player in found.players
                for label in found.evaluation.seen(player).labels()
            ]
            assert sorted(seen) == sorted(tree.labels)


def test_options_tell_sets_apart_as_in_the_tree() -> None:
    @game(players=("ann",))
    def doors(g: Play) -> object:
        many = g.chance((2, 3))
        return (g.choose("ann", range(many)),)

    found = sample(doors(), iterations=50)
    assert set(found.strategy["ann"]) == {"nothing yet {0, 1}", "nothing yet {0, 1, 2}"}
    assert agrees_with_the_tree(found, doors().tree()) == 2


def test_sets_of_one_label_have_numbers() -> None:
    builder = Builder(("ann", "bob"), "twins")
    for node, label in zip(builder.chance(builder.root, ("a", "b", "c")), "xxy", strict=True):
        for end, amount in zip(
            builder.decide(node, "ann", ("l", "r"), label=label), (0, 1), strict=True
        ):
            builder.pay(end, (amount, -amount))
    tree = builder.build()
    found = sample(tree, iterations=500)
    assert set(found.strategy["ann"]) == {"x #1", "x #2", "y"}
    assert set(found.strategy["ann"]) == set(found.on_tree().strategy["ann"])


class Engine:
    """A game on an engine of its own: two coins, of which a player sees one."""

    name, players = "coins", ("ann", "bob")

    def __init__(self, moves: tuple[object, ...] = ()) -> None:
        self.moves = moves
        self.over = len(moves) == 2
        self.movers = ("ann",) if len(moves) == 1 else ()
        self.payoffs = {"ann": int(len(set(moves)) == 1), "bob": 0}

    def position(self) -> Position:
        return Engine()

    def options(self, player: str) -> tuple[str, ...]:
        return ("heads", "tails")

    def chances(self) -> tuple[tuple[str, Any], ...]:
        from fractions import Fraction

        return tuple((side, Fraction(1, 2)) for side in self.options("ann")) * (not self.moves)

    def after(self, move: object) -> Position:
        return Engine((*self.moves, move))

    def view(self, player: str) -> object:
        return ("sees", *self.moves)


def test_engines_read_as_their_views() -> None:
    found = sample(Engine(), iterations=100)
    assert set(found.strategy["ann"]) == {"sees heads", "sees tails"}
    assert found.strategy["ann"]["sees heads"]["heads"] > 0.9
    assert agrees_with_the_tree(found, found.on_tree().tree) == 2
    assert "bob" in str(found)
    assert dict(found.strategy["bob"]) == {}


# ------------------------------------------------------------------ tables


def test_a_table_has_the_most_visited_first() -> None:
    found = sample(games.kuhn(), iterations=5_000)
    (table,) = found.table("dealer")
    assert [column.name for column in table.columns] == ["knows", "pass", "bet", "reach"]
    reach = table.column("reach")
    assert reach == sorted(reach, reverse=True)
    assert sum(reach) == pytest.approx(1)  # the dealer moves once in every play
    by_label = dict(zip(table.column("knows"), table.column("bet"), strict=True))
    assert by_label == {k: v["bet"] for k, v in found.strategy["dealer"].items()}
    profile = found.on_tree().profile
    for label, share in zip(table.column("knows"), reach, strict=True):
        infoset = profile.tree.find("dealer", label)
        nodes = np.array([node.index for node in infoset.nodes])
        assert share == pytest.approx(profile.reach(nodes).floats.sum(), abs=0.05)


def test_parts_of_a_table() -> None:
    found = sample(games.kuhn(), iterations=500)
    kept = found.table("gambler", where=["[pass]", "K"])
    assert kept[0].column("knows") == ["K, [pass], bet"]
    whole = found.table("gambler")[0].column("knows")
    assert found.table("gambler", rows=range(2, 4))[0].column("knows") == whole[2:4]
    assert len(found.table("gambler", rows=range(90, 99))) == 0
    with pytest.raises(ParameterError, match="no information set of gambler that was met has 'Z'"):
        found.table("gambler", where="Z")
    with pytest.raises(ParameterError, match="give a range such as"):
        found.table("gambler", rows=3)  # type: ignore[arg-type]
    with pytest.raises(InfosetError, match="no player 'gamble'; did you mean 'gambler'"):
        found.table("gamble")


def test_many_options_are_told_in_words() -> None:
    found = sample(games.goofspiel(cards=8), "outcome", iterations=60)
    (table,) = found.table("player 1")
    assert [column.name for column in table.columns] == ["knows", "does", "reach"]
    assert table.column("knows")[0] == "nothing yet"
    assert table.column("reach")[0] == 1
    assert table.column("does")[0].endswith(", …")
    assert len(table) == len(found.evaluation.seen("player 1")) > 100
    assert f"… {len(table) - 10:,} more rows" in str(found)
    met = sum(len(found.evaluation.seen(player)) for player in found.players)
    # what was only simulated is not there
    assert met == found.evaluation.sets < len(found.evaluation.run.table.rows)


def test_in_a_notebook_and_in_words() -> None:
    found = sample(games.kuhn(), iterations=200)
    page = Words(found._repr_html_())
    for words in ("external-sampling, 200 iterations", "simulated", "Q, [pass], bet", "reach"):
        assert words in page.text
        assert words in str(found)
    assert str(sample(games.kuhn(), seconds=0)).count("not known yet") == 1
    assert "solution_text" in show.__all__


def test_hostile_words_are_text() -> None:
    hostile = "<script>alert(1)</script>\n\u202e=1+1"

    @game(players=("<b>one</b>", "two"))
    def bad(g: Play) -> object:
        g.reveal("<b>one</b>", g.chance((hostile, "=plain")))
        return g.win("two" if g.choose("<b>one</b>", (hostile, "=go")) == "=go" else "<b>one</b>")

    found = sample(bad(), iterations=20)
    page = found._repr_html_()
    assert "script" not in Words(page).tags
    assert "\u202e" not in page + str(found) + found.csv()
    tree = bad().tree()
    read = read_strategies(found.csv(), tree)
    assert len(read["<b>one</b>"]) == 2


# ------------------------------------------------------------------ files


def test_csv_is_read_again(tmp_path: Any) -> None:
    found = sample(games.leduc(), iterations=3_000)
    tree = games.leduc().tree()
    found.save_csv(tmp_path / "leduc.csv")
    read = read_strategies(tmp_path / "leduc.csv", tree, missing="uniform")
    proved = found.on_tree(tree)
    assert read.notes == ()
    assert set(read) == set(tree.names)
    for player in tree.names:
        for label, seen in found.strategy[player].items():
            assert {k: float(v) for k, v in read[player][label].items()} == pytest.approx(seen)
    from infoset.strategy import profile

    again = profile(read.values())
    assert float(again.regret) == pytest.approx(float(proved.regret), abs=1e-9)


def test_csv_of_one_player_and_of_a_tree() -> None:
    tree = games.kuhn().tree()
    found = sample(tree, iterations=50)
    lines = found.csv("dealer").splitlines()
    assert lines[0] == "player,information set,number,action,probability,exact"
    assert len(lines) == 1 + 2 * 6
    infoset = tree.find("dealer", "Q, bet")
    row = next(line for line in lines if '"Q, bet"' in line)
    assert row.startswith(f'dealer,"Q, bet",#{infoset.index + 1},pass,')
    assert list(read_strategies(found.csv("dealer"), tree)) == ["dealer"]
    assert "#" not in sample(games.kuhn(), iterations=5).csv()
