"""Plays in words, what follows them, and the likeliest plays."""

from __future__ import annotations

from fractions import Fraction

import pytest

from infoset import Play, game
from infoset.analysis.questions import outcome, plays
from infoset.analysis.questions.names import branch
from infoset.errors import InfosetError, ParameterError
from infoset.games import kuhn
from infoset.strategy import profile, uniform
from tests.analysis.questions.by_hand import bluffing, horse, pooling

F = Fraction


def test_kuhn_from_a_bet() -> None:
    answer = outcome(bluffing(), "J Q, bet")
    assert answer.probability == F(1, 18)
    assert answer.payoffs == {"gambler": 0, "dealer": 0}
    assert answer.endings == (((1, -1), F(2, 3)), ((-2, 2), F(1, 3)))
    assert len(answer.nodes) == 1
    whole = outcome(bluffing())
    assert whole.payoffs == {"gambler": F(-1, 18), "dealer": F(1, 18)}
    assert whole.probability == sum(share for _, share in whole.endings) == 1
    assert whole.table.facts[0] == ("probability", "1")


def test_open_moves_weigh_as_they_are_reached() -> None:
    """A bet after any deal: J a third of the time, K always, four deals of six and two thirds."""
    for words in ("*, bet", "any, bet", ["*", "bet"], "*, gambler: bet"):
        answer = outcome(bluffing(), words)
        assert len(answer.nodes) == 6
        assert answer.probability == F(1, 3) * F(1, 3) + F(1, 3)
        assert answer.payoffs is not None
        gained = F(1, 18) * 0 + F(1, 18) * -2 + F(1, 6) * 1 + F(1, 6) * F(4, 3)
        assert answer.payoffs["gambler"] == gained / F(4, 9)
        assert sum(share for _, share in answer.endings) == 1


def test_beer_quiche_off_the_path() -> None:
    one = outcome(pooling(), "weak, quiche")
    assert one.probability == 0
    assert one.payoffs == {"sender": 1, "receiver": 1}
    assert "a mistake of sender; this would be the outcome" in one.note
    several = outcome(pooling(), "*, quiche")
    assert several.payoffs is None
    assert several.endings == ()
    assert "would depend on how" in str(several)
    beer = outcome(pooling(), "*, beer")
    assert beer.payoffs == {"sender": F(29, 10), "receiver": F(9, 10)}


def test_plays_can_be_given_back() -> None:
    tree = kuhn().tree()
    for leaf in tree.leaves:
        assert branch(tree, str(leaf)).views == (leaf,)
        assert branch(tree, [move for _, move in leaf.history]).views == (leaf,)
        assert branch(tree, leaf).views == (leaf,)
    assert branch(tree, "").views == branch(tree).views == (tree.root,)
    assert len(branch(tree, "*, *, *").nodes) == 24


@game(players=("ann",))
def odd_moves(g: Play) -> object:
    """Moves with commas, and a move that reads like an open one."""
    first = g.choose("ann", ("a", "a, b", "*", "ann: a"))
    return (g.choose("ann", ("b", "c")) == "c") + len(first)


def test_odd_moves() -> None:
    tree = odd_moves().tree()
    assert str(branch(tree, "a, b, c").views[0]) == "ann: a, b, ann: c"
    assert str(branch(tree, ["a", "b"]).views[0]) == "ann: a, ann: b"
    assert str(branch(tree, "*").views[0]) == "ann: *"  # it is a move here
    assert len(branch(tree, "any").nodes) == 4
    assert str(branch(tree, "ann: a, c").views[0]) == "ann: ann: a, ann: c"  # the longest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("J Q, raise", "no move 'raise' after chance: J Q; there are pass, bet"),
        ("J J", "no move 'J J' at the start; there are J Q, J K, Q J"),
        ("*, raise", "no move 'raise' after any; there are pass, bet"),
        ("J Q, bet, bet, bet", "the game is over there"),
        ("J Q, bet, bet, *", "the game is over after chance: J Q, gambler: bet, dealer: bet"),
        (["J Q", 5], "no move '5'"),
        (",", "no move ''"),
    ],
)
def test_moves_that_do_not_exist(words: str, message: str) -> None:
    with pytest.raises(InfosetError) as caught:
        outcome(bluffing(), words)
    assert message in str(caught.value)
    with pytest.raises(InfosetError, match="another tree"):
        outcome(bluffing(), kuhn().tree().root)


def test_of_many_moves_the_nearest_is_named() -> None:
    tree = kuhn(ranks=10).tree()
    with pytest.raises(InfosetError, match="did you mean '10 9'"):
        branch(tree, "10 99")
    with pytest.raises(InfosetError, match="and 78 more"):
        branch(tree, "zzzz")


def test_the_likeliest_plays() -> None:
    answer = plays(bluffing(), most=3)
    assert [play.probability for play in answer.plays] == [F(1, 6), F(1, 9), F(1, 9)]
    assert str(answer.plays[0]) == "chance: K J, gambler: bet, dealer: pass"
    assert answer.plays[0].payoffs == (1, -1)
    assert (answer.count, answer.rest) == (13, 1 - F(1, 6) - F(2, 9))
    assert answer.table.note == "and 10 more plays of together 11/18; 13 of 30 plays can happen"
    every = plays(bluffing(), most=None)
    assert len(every.plays) == 13
    assert sum(play.probability for play in every.plays) == 1
    assert every.rest == 0
    assert list(map(str, every.plays[:3])) == list(map(str, answer.plays))
    assert plays(bluffing(), most=0).rest == 1
    assert plays(horse("across", "across", "R")).table.column("three") == [1]
    with pytest.raises(ParameterError, match="most=-1"):
        plays(bluffing(), most=-1)


def test_equal_plays_come_in_the_order_of_the_tree() -> None:
    tree = kuhn(ranks=5).tree()
    answer = plays(profile(uniform(tree, player) for player in tree.names), most=7)
    leaves = [play.leaf.index for play in answer.plays]
    probabilities = [play.probability for play in answer.plays]
    assert leaves == sorted(leaves)
    assert set(probabilities) == {F(1, 80)}
    assert answer.rest == 1 - 7 * F(1, 80)


def test_a_player_called_play_has_its_own_column() -> None:
    @game(players=("play", "probability"))
    def named(g: Play) -> object:
        """Names that columns have, too."""
        return g.win("play" if g.choose("play", ("l", "r")) == "l" else "probability")

    tree = named().tree()
    table = plays(profile(uniform(tree, player) for player in tree.names)).table
    names = [column.name for column in table.columns]
    assert names == ["play", "probability", "play gets", "probability gets"]
