"""The edges of the language: each line here has caught a fault put in on purpose."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from infoset import Play, Tree, game
from infoset.errors import Endless, NotRepeatable, RulesError, TooLarge
from infoset.forms import normal_form
from infoset.rules.moves import deal_lottery
from infoset.rules.position import Walk
from infoset.tree.positions import tree_of_position

TWO = ("a", "b")


def paid(tree: Tree) -> list[tuple[Fraction, ...]]:
    return [tuple(leaf.payoffs.values()) for leaf in tree.leaves]


def test_a_win_is_lost_only_in_the_play_that_lost_it() -> None:
    """Another branch may have won what this one returns: that does not excuse it."""

    @game(players=TWO)
    def branches(g: Play) -> object:
        match g.choose("a", (0, 1, 2)):
            case 0:
                return g.win("a", 2)
            case 1:
                g.win("a", 1)
                return (2, -2)
        return (0, 0)

    with pytest.raises(RulesError, match="other payoffs were returned"):
        branches().tree()
    with pytest.raises(RulesError, match="other payoffs were returned"):
        assert branches().position().after(1).over


@pytest.mark.parametrize("form", [(1, -1), [1, -1], {"a": 1, "b": -1}, (Fraction(1), -1.0)])
def test_a_win_may_be_returned_in_any_form(form: Any) -> None:
    @game(players=TWO)
    def won(g: Play) -> object:
        g.win("a")
        return form

    assert paid(won().tree()) == [(1, -1)]
    assert won().position().payoffs == {"a": 1, "b": -1}


def test_a_win_at_the_end_needs_no_return() -> None:
    @game(players=TWO)
    def last(g: Play) -> None:
        g.choose("a", (0, 1, 2))
        g.win("a")

    assert len(last().tree()) == 4
    assert last().position().after(1).payoffs["a"] == 1


def test_a_tenth_is_a_tenth_beside_a_fraction_that_equals_it() -> None:
    amounts = (Fraction(0.1), 0.1, 0)

    @game(players=TWO)
    def wins(g: Play) -> object:
        return g.win("a", amounts[g.choose("a", (0, 1, 2))])

    @game(players=TWO)
    def returns(g: Play) -> object:
        amount = amounts[g.choose("a", (0, 1, 2))]
        return (amount, 0)

    for family in (wins, returns):
        assert [own for own, _ in paid(family().tree())] == [Fraction(0.1), Fraction(1, 10), 0]


def test_results_that_change_under_us_are_not_kept() -> None:
    class Purse(list[int]):
        __hash__ = object.__hash__

    purse = Purse((0, 0))

    @game(players=TWO)
    def shared(g: Play) -> object:
        purse[0] = g.choose("a", (1, 2))
        return purse

    assert paid(shared().tree()) == [(1, 0), (2, 0)]


def test_weights_are_given_once() -> None:
    @game(players=TWO)
    def twice(g: Play) -> object:
        return g.chance({"u": 1, "v": 2}, (3, 4))

    with pytest.raises(RulesError, match="leave out weights"):
        twice().tree()


def test_the_longest_play_is_counted_to_the_move() -> None:
    @game(players=TWO)
    def three(g: Play) -> object:
        for _ in range(3):
            g.choose("a", (1, 2))
        return (0, 0)

    assert len(three().tree(max_moves=3)) == 15
    with pytest.raises(Endless):
        three().tree(max_moves=2)


def test_nobody_together() -> None:
    @game(players=TWO)
    def nobody(g: Play) -> object:
        g.together({})
        return (g.choose("a", (1, 2)), 0)

    assert nobody().position().movers == ("a",)
    assert nobody().position().after(2).payoffs["a"] == 2


def test_positions_of_several_movers() -> None:
    @game(players=TWO)
    def both(g: Play) -> object:
        g.together({"a": (1, 2), "b": (3, 4)})
        return (0, 0)

    with pytest.raises(RulesError, match="does not move"):
        both().position().options()
    with pytest.raises(RulesError, match="give a tuple"):
        both().position().after((1, 3, 3))


def test_moves_are_what_the_rules_expect() -> None:
    @game(players=TWO)
    def truth(g: Play) -> object:
        return (5 if g.chance((True, 2)) is True else 0, 0)

    @game(players=TWO)
    def dice(g: Play) -> object:
        faces = (1, 2) if g.choose("a", (0, 1)) == 0 else (True, 2)
        return (10 if g.roll(faces) is True else 20, 0)

    assert truth().position().after(1).payoffs["a"] == 5
    assert [own for own, _ in paid(dice().tree())] == [20, 20, 10, 20]


def test_dice_from_a_generator() -> None:
    @game(players=("a",))
    def die(g: Play) -> object:
        return g.roll(face for face in (1, 2, 3))

    assert paid(die().tree()) == [(1,), (2,), (3,)]


def test_a_walk_past_the_end() -> None:
    @game(players=TWO)
    def once(g: Play) -> object:
        return (g.choose("a", (1, 2)), 0)

    with pytest.raises(RulesError, match="ends before"):
        Walk(once().seats, (1, 1)).result(once().rules)


def test_agents_are_paid_into_their_team() -> None:
    @game(players={"team": ("x", "y"), "dealer": ()})
    def team(g: Play) -> object:
        return {"x": 1, "y": 2, "dealer": 0}

    assert paid(team().tree()) == [(3, 0)]


def test_a_team_of_one_answers_to_both_names() -> None:
    @game(players={"team": ("x",), "dealer": ()})
    def alias(g: Play) -> object:
        return (g.choose("team" if g.chance((0, 1)) else "x", (1, 2)), 0)

    tree = alias().tree()
    assert len(tree.infosets) == 1
    walked = tree_of_position(alias().position(), alias().seats, "alias")
    assert walked.infoset.tolist() == tree.infoset.tolist()
    position = alias().position().after(1)
    assert position.movers == ("x",)
    assert position.options("team") == position.options("x") == (1, 2)
    assert position.view("team") == position.view("x") == (("offered", (1, 2)),)


def test_a_position_does_not_see_past_its_question() -> None:
    @game(players=TWO)
    def tidy(g: Play) -> object:
        try:
            return (g.choose("a", (1, 2)), 0)
        finally:
            g.reveal("b", "done")

    assert tidy().position().view("b") == ()

    @game(players=TWO)
    def stubborn(g: Play) -> object:
        try:
            move = g.choose("a", (1, 2))
        except:  # noqa: E722  what is tested
            move = g.choose("b", (3, 4))
        return (move, 0)

    assert stubborn().position().movers == ("a",)


def test_an_infoset_that_only_contradictions_reach_is_never_decided() -> None:
    @game(players=("a",))
    def contradiction(g: Play) -> object:
        first = g.choose("a", (0, 1), knowing="I")
        if first != g.choose("a", (0, 1), knowing="I"):
            g.choose("a", (0, 1, 2), knowing="J")
        return 0

    tree = contradiction().tree()
    assert tree.reduced_strategies("a") == 2
    assert normal_form(tree).shape == (2,)


def test_the_audit_looks_all_over_the_tree() -> None:
    seen: set[int] = set()

    @game(players=("a",))
    def moody(g: Play) -> object:
        number = g.choose("a", range(2000))
        again = number in seen
        seen.add(number)
        return int(again and number < 1500)

    with pytest.raises(NotRepeatable):
        moody().tree()


def test_the_audit_is_done_once() -> None:
    runs: list[int] = []

    @game(players=("a",))
    def counted(g: Play) -> object:
        runs.append(1)
        return g.choose("a", (0, 1))

    one = counted()
    one.tree()
    assert len(runs) == 2 + 1
    one.tree()
    assert len(runs) == 2 + 1 + 2


def test_limits_of_one_move() -> None:
    with pytest.raises(TooLarge):
        deal_lottery(range(180), (1, 1, 1), False)

    @game(players=("a",))
    def dice(g: Play) -> object:
        return len(g.roll(100, dice=10))

    with pytest.raises(TooLarge, match="10 dice of 100 sides"):
        dice().tree()


def test_witnesses_are_the_first_there_are() -> None:
    @game(players=TWO)
    def blind(g: Play) -> object:
        g.chance((0, 1, 2))
        g.choose("a", (1, 2))
        g.choose("b", (1, 2))
        return (0, 0)

    one, two = blind().tree().perfect_information.nodes
    assert (one.player, two.player) == ("a", "a")
    assert (one.history, two.history) == ([(None, 0)], [(None, 1)])


def test_long_facts_weigh_what_they_weigh() -> None:
    @game(players=("a",))
    def wordy(g: Play) -> object:
        g.reveal("a", "x" * 10_000)
        return g.choose("a", (0, 1))

    assert wordy().tree().nbytes > 10_000


def test_an_empty_fact_is_something() -> None:
    @game(players=("a",))
    def silence(g: Play) -> object:
        g.reveal("a", "")
        return g.choose("a", (0, 1))

    assert silence().tree().infosets[0].label == "''"


def test_a_wide_table_takes_a_wide_tree_s_time() -> None:
    """Each leaf finds its strategies at once: looking through all would be 10^8 steps here."""

    @game(players=("a",))
    def wide(g: Play) -> object:
        return g.choose("a", range(10_000))

    assert normal_form(wide().tree()).payoffs_of((1234,)) == (1234,)
