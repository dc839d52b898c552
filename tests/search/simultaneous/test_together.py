"""Trees seen as stages."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.errors import TreeError
from infoset.games import goofspiel, kuhn, matching_pennies
from infoset.rules import Position
from infoset.tree.positions import SimultaneousPosition, TreePosition, hidden, joins
from tests.search.simultaneous.stacked import positions, stacked


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_the_stages_of_a_tree_are_those_of_its_rules(seed: int) -> None:
    whole = stacked(seed, narrowest=2)  # of one option, a tree cannot tell that nobody sees it
    pairs = [(whole.position(), SimultaneousPosition(whole.tree()))]
    while pairs:
        rules, tree = pairs.pop()
        assert rules.over == tree.over
        if rules.over:
            assert rules.payoffs == tree.payoffs
            continue
        assert rules.movers == tree.movers
        assert tuple(rules.chances()) == tuple(tree.chances())
        menus = [tuple(rules.options(mover)) for mover in rules.movers]
        assert menus == [tuple(tree.options(mover)) for mover in tree.movers]
        moves = [outcome for outcome, _ in rules.chances()]
        if len(menus) == 1:
            moves = list(menus[0])
        elif menus:
            moves = [(a, b) for a in menus[0] for b in menus[1]]
        pairs += [(rules.after(move), tree.after(move)) for move in moves]


def test_goofspiel_has_as_many_stages_by_tree_and_by_rules() -> None:
    def stages(start: Position) -> int:
        return sum(len(position.movers) == 2 for position in positions(start))

    whole = goofspiel(cards=3)
    assert stages(SimultaneousPosition(whole.tree())) == stages(whole.position()) == 10
    assert stages(TreePosition(whole.tree())) == 0


def test_moves_and_views() -> None:
    start = SimultaneousPosition(matching_pennies().tree())
    assert start.movers == ("even", "odd")
    assert start.options("odd") == ("heads", "tails")
    assert [start.view(mover)[0] for mover in start.movers] == ["at", "at"]
    assert start.view("even") != start.view("odd")
    end = start.after(("heads", "tails"))
    assert end.payoffs == {"even": Fraction(-1), "odd": Fraction(1)}
    assert end == TreePosition(start.tree).after("heads").after("tails")
    with pytest.raises(TreeError, match="give a pair of moves, for even and odd, not heads"):
        start.after("heads")
    with pytest.raises(TreeError, match="is not among heads, tails"):
        start.after(("heads", "edge"))


@game(players=("ann", "bob"))
def three_in_a_row(g: Play) -> object:
    """Ann, bob and ann again, none of whom sees the others' move."""
    one, two = g.choose("ann", (0, 1)), g.choose("bob", (0, 1))
    three = g.choose("ann", (0, 1))
    return (1, -1) if one == two == three else (-1, 1)


@game(players=("ann", "bob"))
def half_seen(g: Play) -> object:
    """Bob sees one of three moves, and not which of the other two it was."""
    one = g.choose("ann", (0, 1, 2))
    g.reveal("bob", one == 2)
    two = g.choose("bob", (0, 1))
    return (1, -1) if one == two else (-1, 1)


@game(players=("ann", "bob"))
def own_move(g: Play) -> object:
    """Ann forgets what she did."""
    one = g.choose("ann", (0, 1))
    two = g.choose("ann", (0, 1), knowing="nothing")
    return (1, -1) if one == two else (-1, 1)


def test_what_hides_more_than_a_move_at_the_same_time() -> None:
    for whole, player in (
        (three_in_a_row(), "ann"),
        (half_seen(), "bob"),
        (own_move(), "ann"),
        (kuhn(), "gambler"),
    ):
        dark = hidden(whole.tree())
        assert dark is not None
        assert dark.player == player
    assert hidden(goofspiel(cards=3).tree()) is None
    assert joins(three_in_a_row().tree()).tolist()[0]
    assert not joins(half_seen().tree()).any()
    assert not joins(own_move().tree()).any()
