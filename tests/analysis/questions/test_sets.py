"""Beliefs, values of actions and deviations, against numbers computed by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from infoset import solve
from infoset.analysis.questions import action_values, beliefs, deviation, place, unreached
from infoset.errors import InfosetError, NotApplicable, StrategyError
from infoset.games import absent_minded, kuhn
from infoset.strategy import mixed, profile, pure, uniform
from infoset.text import text
from infoset.tree import Builder
from tests.analysis.questions.by_hand import bluffing, horse, pooling

F = Fraction


def test_kuhn_beliefs_after_a_bet() -> None:
    """The dealer has Q: a third of J bets, and every K; so a bet is a bluff one time in four."""
    answer = beliefs(bluffing(), "dealer: Q, bet")
    assert answer.reach == F(1, 6) * F(1, 3) + F(1, 6) == F(2, 9)
    assert [(text(b.moves[0][1]), b.probability, b.value) for b in answer.nodes] == [
        ("J Q", F(1, 4), -1 * F(2, 3) + 2 * F(1, 3)),
        ("K Q", F(3, 4), -1 * F(2, 3) - 2 * F(1, 3)),
    ]
    assert all(len(belief.moves) == 1 for belief in answer.nodes)  # the bet is common to both
    assert answer.mistakes == ()
    assert answer.table.column("history") == ["chance: J Q", "chance: K Q"]
    assert "2/9" in answer.table.note
    full = beliefs(bluffing(), "dealer: Q, bet", full=True).table
    assert full.column("history")[0] == "chance: J Q, gambler: bet"


def test_kuhn_values_of_actions() -> None:
    answer = action_values(bluffing(), "gambler: Q")
    pass_, bet = answer.actions
    assert (pass_.value, bet.value) == (F(-1, 3), F(-1, 2))
    assert (pass_.regret, bet.regret) == (0, F(1, 6))
    assert (pass_.best, bet.best) == (True, False)
    assert (answer.value, answer.reach) == (F(-1, 3), F(1, 3))
    assert answer.table.column("best") == ["best", ""]
    mixing = action_values(bluffing(), "dealer: Q, bet")
    assert [one.value for one in mixing.actions] == [-1, -1]
    assert all(one.best for one in mixing.actions)


def test_kuhn_deviations() -> None:
    costly = deviation(bluffing(), "gambler: Q", "bet")
    assert (costly.change_there, costly.change, costly.cost) == (F(-1, 6), F(-1, 18), F(1, 18))
    half = deviation(bluffing(), "gambler: Q", {"bet": F(1, 2), "pass": F(1, 2)})
    assert half.change == F(-1, 36)
    facts = dict(costly.table.facts)
    assert facts["gains in all"].startswith("-1/18")
    assert costly.table[0].column("instead") == [0, 1]


def test_only_the_player_itself_keeps_away() -> None:
    """The gambler never passes K, but knows what it would face: a J that bluffed."""
    answer = beliefs(bluffing(), "gambler: K, [pass], bet")
    assert answer.reach == 0
    assert answer.mistakes == (("gambler",),)
    assert [b.probability for b in answer.nodes] == [1, 0]
    assert "gambler itself avoids it" in answer.note
    values = action_values(bluffing(), "gambler: K, [pass], bet")
    assert [one.value for one in values.actions] == [-1, 2]
    there = deviation(bluffing(), "gambler: K, [pass], bet", "pass")
    assert (there.change_there, there.change) == (-3, 0)


def test_beer_quiche_off_the_path() -> None:
    answer = beliefs(pooling(), "receiver: quiche")
    assert answer.reach == 0
    assert answer.mistakes == (("sender",),)
    assert [b.probability for b in answer.nodes] == [None, None]
    assert [b.value for b in answer.nodes] == [0, 1]  # a duel with the strong, with the weak
    assert "a mistake of sender" in str(answer)
    values = action_values(pooling(), "receiver: quiche")
    assert values.value is None
    assert [one.value for one in values.actions] == [None, None]
    assert [one.probability for one in values.actions] == [1, 0]
    assert not any(one.best for one in values.actions)
    assert deviation(pooling(), "receiver: quiche", "retreat").change == 0
    assert deviation(pooling(), "receiver: quiche", "retreat").change_there is None
    weak = action_values(pooling(), "sender: weak")
    assert [(one.value, one.regret) for one in weak.actions] == [(2, 0), (1, 1)]


def test_seltens_horse_is_not_sequential() -> None:
    """Player two would go down if it were asked, and the third player has two ways to be met."""
    trusted = horse("down", "across", "L")
    assert trusted.regret == 0
    (two,) = trusted.tree.infosets_of("two")
    values = action_values(trusted, two)
    assert values.reach == 0
    assert [one.value for one in values.actions] == [1, 4]
    assert [b.probability for b in beliefs(trusted, two).nodes] == [1]  # it is alone in its set
    met = beliefs(horse("across", "across", "R"), "three: nothing yet")
    assert set(met.mistakes) == {("one",), ("two",)}
    assert "a mistake of one or a mistake of two" in met.note
    assert [b.probability for b in met.nodes] == [None, None]


def test_absent_minded_players_are_refused_where_nothing_is_defined() -> None:
    tree = absent_minded().tree()
    at_random = profile(uniform(tree, player) for player in tree.names)
    for ask in (action_values, lambda s, at: deviation(s, at, "L")):
        with pytest.raises(NotApplicable, match="'a or b' is met at the start and again after"):
            ask(at_random, "one: a or b")
    answer = beliefs(at_random, "one: a or b")
    assert [b.probability for b in answer.nodes] == [F(2, 3), F(1, 3)]
    assert "every visit counts" in answer.note
    assert action_values(at_random, "two: nothing yet").value == F(3, 2)


def test_a_mixed_strategy_has_no_probabilities_at_a_set() -> None:
    tree = absent_minded().tree()
    left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    drawn = profile([mixed(tree, "one", {left: F(1, 2), right: F(1, 2)}), uniform(tree, "two")])
    with pytest.raises(NotApplicable, match="no behaviour strategy is equivalent"):
        action_values(drawn, "one: a or b")
    values = [b.value for b in beliefs(drawn, "one: a or b").nodes]
    assert values == [F(1, 2) + F(7, 4), 1]  # who drew L draws it again
    never = profile([mixed(tree, "one", {right: 1}), uniform(tree, "two")])
    assert beliefs(never, "one: a or b").nodes[0].value == F(7, 2)


def test_unreached_sets_and_whose_choice_that_is() -> None:
    answer = unreached(bluffing())
    assert [one.infoset.label for one in answer.sets] == ["K, [pass], bet"]
    assert (answer.count, answer.by) == (12, {"own": 1, "others": 0, "both": 0})
    quiche = unreached(pooling())
    assert [(one.infoset.label, one.by) for one in quiche.sets] == [("quiche", "others")]
    three = unreached(horse("across", "across", "R"))
    assert [one.infoset.player for one in three.sets] == ["three"]
    assert three.table[0].column("it would take") == ["a mistake of one or a mistake of two"]
    assert len(unreached(horse("down", "down", "L")).sets) == 1
    tree = kuhn().tree()
    bold = pure(tree, "gambler", dict.fromkeys("JQK", "bet"))
    meek = pure(tree, "dealer", dict.fromkeys(tree.infosets_of("dealer"), "pass"))
    assert unreached(profile([bold, meek])).by == {"own": 0, "others": 3, "both": 3}


def test_chance_may_keep_the_play_away() -> None:
    builder = Builder(players=("one",))
    never, always = builder.chance(builder.root, ("never", "always"), (0, 1))
    for node in (never, always):
        for at, leaf in enumerate(builder.decide(node, "one", ("l", "r"), label=f"at {node}")):
            builder.pay(leaf, (at,))
    tree = builder.build()
    played = profile([uniform(tree, "one")])
    answer = beliefs(played, f"at {never}")
    assert answer.mistakes == ((None,),)
    assert "a chance of probability 0" in answer.note
    assert answer.nodes[0].value == F(1, 2)
    assert unreached(played).by == {"own": 0, "others": 1, "both": 0}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dealer: Q, bte", "did you mean 'dealer: Q, bet'?"),
        ("Q, bte", "did you mean 'Q, bet'?"),
        ("#13", "they are #1 to #12"),
        ("#0", "they are #1 to #12"),
        ("deler: Q, bet", "did you mean 'dealer: Q, bet'?"),
        ("", "no information set ''"),
        (7, "write 'player: label'"),
    ],
)
def test_names_that_are_none(name: str, message: str) -> None:
    with pytest.raises(InfosetError) as caught:
        beliefs(bluffing(), name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_of_sets() -> None:
    tree = kuhn().tree()
    bet = tree.find("dealer", "Q, bet")
    for name in (bet, "dealer: Q, bet", "Q, bet", " dealer:Q, bet ", f"#{bet.index + 1}"):
        assert place(tree, name) == bet
    with pytest.raises(InfosetError, match="of another tree"):
        place(tree, kuhn().tree().find("dealer", "Q, bet"))
    builder = Builder(players=("ann", "bob"))
    for at, node in enumerate(builder.decide(builder.root, "ann", ("l", "r"), label="bob: x")):
        for leaf in builder.decide(node, "bob", ("l", "r"), label="x"):
            builder.pay(leaf, (at, at))
    twice = builder.build()
    with pytest.raises(InfosetError, match=r"2 information sets read 'x'; say '#2' .* '#3'"):
        place(twice, "x")
    with pytest.raises(InfosetError, match="3 information sets"):
        place(twice, "bob: x")  # a label, and a player's label
    assert place(twice, "x #3").index == 2
    assert place(twice, "bob: x #2").index == 1


def test_what_cannot_be_asked() -> None:
    with pytest.raises(StrategyError, match="give a Solution"):
        beliefs(kuhn(), "Q, bet")  # type: ignore[arg-type]
    with pytest.raises(StrategyError, match="no action 'raise'; known: 'bet', 'pass'"):
        deviation(bluffing(), "gambler: Q", "raise")
    with pytest.raises(StrategyError, match="sum to 1/2, not to 1"):
        deviation(bluffing(), "gambler: Q", {"bet": 0.5})
    with pytest.raises(StrategyError, match="negative"):
        deviation(bluffing(), "gambler: Q", {"bet": -1, "pass": 2})


def test_solutions_are_asked_like_profiles() -> None:
    solution = solve(kuhn())
    assert beliefs(solution, "dealer: Q, bet").nodes[0].probability == F(1, 4)
    assert action_values(solution, "dealer: K, bet").actions[1].best
