"""Max-min: what a pure strategy can be sure of, whatever the others do."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product, repeat
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game, matrix_game
from infoset.errors import InfosetError, TooLarge
from infoset.games import (
    absent_minded,
    blair_g1,
    blair_g2,
    kuhn,
    matching_pennies,
    seltens_horse,
    three_partition,
    tricks,
)
from infoset.solvers import max_min as method
from infoset.solvers.integer_programs import search
from infoset.solvers.max_min import MaxMin, against_all, max_min
from infoset.solvers.options import Options
from infoset.strategy import profile
from infoset.strategy.response import tree_best_response
from infoset.tree import Tree
from tests.rules.random_games import random_rules
from tests.solvers.test_pure import payoff_tables, small


def by_brute_force(tree: Tree, number: int) -> Fraction:
    """The largest of the least payoffs, over all profiles of whole plans."""
    pays, _ = payoff_tables(tree)
    sure: dict[int, Fraction] = {}
    for numbers, paid in pays.items():
        own = numbers[number]
        sure[own] = min(sure.get(own, paid[number]), paid[number])
    return max(sure.values())


def checked(tree: Tree, answer: MaxMin) -> MaxMin:
    """The strategy is sure of the value, and of no more: by the others' best reply."""
    number = tree.player_number(answer.player)
    assert answer.strategy.undecided is None
    pair = against_all(tree, number)
    leaf_indices = pair.leaf_indices
    left = pair.chance_reach.take(leaf_indices).times(answer.strategy.at(leaf_indices))
    if len(tree.players) > 1:
        assert -tree_best_response(pair, 1, left).value == answer.value
    else:
        assert profile([answer.strategy]).payoffs[answer.player] == answer.value
    return answer


def by_program(tree: Tree, number: int, options: Options | None = None) -> MaxMin:
    """By integer programs, however small the table is."""
    answer, _ = method.by_integer_programs(tree, number, options or Options())
    return checked(tree, answer)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (blair_g1(), 1),  # Blair, Mutchler & van Lent 1996, section 2.2
        (blair_g2(), Fraction(1, 2)),  # the same
        (blair_g2(variant="unseen"), 0),
        (absent_minded(), 1),
    ],
)
def test_one_player_gets_the_best_that_it_can_plan(game: object, value: Fraction) -> None:
    tree = game.tree()  # type: ignore[attr-defined]
    answer = checked(tree, max_min(tree))
    assert answer.proved
    assert answer.value == by_brute_force(tree, 0)
    if game != absent_minded():
        assert answer.value == value


def test_every_player_of_a_table() -> None:
    tree = matrix_game([[3, -2], [1, 0]], [[1, 5], [4, 2]], name="table").tree()
    found = method.find(tree, Options())
    assert found.remark == "max-min: row guarantees 0, column guarantees 2"
    assert [strategy.chosen for strategy in found.strategies] == [((0, 1),), ((1, 1),)]  # type: ignore[attr-defined]
    assert [by_program(tree, number).value for number in (0, 1)] == [0, 2]


def test_players_go_by_name() -> None:
    assert max_min(seltens_horse(), "three").player == "three"
    assert max_min(matching_pennies()).value == -1
    with pytest.raises(InfosetError, match="'four'"):
        max_min(seltens_horse(), "four")


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3), forgetful=st.booleans())
def test_random_games_agree_with_brute_force(seed: int, players: int, forgetful: bool) -> None:
    tree = random_rules(seed, players, 4, forgetful)().tree()
    if not small(tree):
        return
    for number, player in enumerate(tree.names):
        want = by_brute_force(tree, number)
        answers = [checked(tree, max_min(tree, player))]
        if players > 1:
            answers.append(by_program(tree, number))
        assert [answer.value for answer in answers] == [want] * len(answers)
        assert all(answer.proved and answer.most == want for answer in answers)


def test_teams_without_recall() -> None:
    tree = tricks().tree()
    sure = [checked(tree, max_min(tree, player)) for player in tree.names]
    assert [answer.value for answer in sure] == [Fraction(16, 45), Fraction(-16, 45)]
    assert all(answer.proved for answer in sure)  # they add up to 0, so neither can be improved


def test_kuhn_with_thirteen_cards() -> None:
    tree = kuhn(ranks=13).tree()
    sure = [checked(tree, max_min(tree, player)) for player in tree.names]
    assert [answer.value for answer in sure] == [Fraction(-5, 78), Fraction(5, 78)]


@pytest.mark.parametrize(
    ("sizes", "value"), [((6, 8, 7, 6, 7, 6), 0), ((26, 27, 31, 35, 35, 46), Fraction(-1, 4))]
)
def test_player_one_is_sure_of_the_value_only_with_a_partition(
    sizes: tuple[int, ...], value: Fraction
) -> None:
    """Blair, Mutchler & van Lent 1996, theorem 2: the value is 0, with lots or with a partition."""
    tree = three_partition(sizes=sizes).tree()
    assert by_program(tree, 0).value == max_min(tree).value == value


def test_stopped_it_says_what_is_known() -> None:
    answer = by_program(three_partition().tree(), 0, Options(seconds=0))
    assert not answer.proved
    assert answer.most > answer.value
    assert str(answer).startswith(f"one guarantees {answer.value} (stopped before the end; at most")


def test_what_rests_on_floats_says_so() -> None:
    answer = by_program(matching_pennies().tree(), 0, Options(exact=False))
    assert (answer.value, answer.how, answer.proved) == (
        -1,
        "by integer programming, in floats",
        False,
    )


def forgetful_duel(much: int) -> Tree:
    """Two who see a card each, choose, forget what they chose, and choose again."""
    draw = Random(3)
    paid = {
        key: Fraction(draw.randint(-9, 9) * draw.choice((1, much)))
        + Fraction(draw.randint(0, 5), 7)
        for key in product((0, 1), repeat=6)
    }

    @game(players=("one", "two"))
    def duel(g: Play) -> object:
        cards = g.chance(tuple(product((0, 1), repeat=2)))
        for player, card in zip(g.players, cards, strict=True):
            g.reveal(player, card)
        chosen = [g.choose(player, (0, 1)) for player in g.players]
        chosen += [g.choose(player, (0, 1), knowing="again") for player in g.players]
        amount = paid[*cards, *chosen]
        return amount, -amount

    return duel().tree()


@pytest.mark.parametrize("much", [10**9, 10**30, 10**400], ids=["e9", "e30", "e400"])
def test_large_payoffs_against_one_who_forgets_come_to_an_end(much: int) -> None:
    """Floats tell such amounts apart by less than they round: the same replies would return."""
    tree = forgetful_duel(much)
    for number in (0, 1):
        patience = repeat(False, 5_000)
        answer = by_program(tree, number, Options(stop=partial(next, patience, True)))
        assert answer.how != search.STOPPED
        assert answer.value == by_brute_force(tree, number) <= answer.most
        assert answer.proved == (much < 10**12)
        assert len(str(answer)) < 120


def test_too_large_a_tree_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_LEAVES", 5)
    monkeypatch.setattr(search, "MOST_ENTRIES", 5)
    with pytest.raises(TooLarge, match=r"kuhn.*30 leaves; max-min strategies are computed"):
        max_min(kuhn())
