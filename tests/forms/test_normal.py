"""The reduced normal form, against published tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.errors import TooLarge
from infoset.forms import normal_form
from infoset.games import kuhn
from infoset.tree import Tree, matrix_game
from tests.rules.random_games import random_rules


def expected_payoffs(tree: Tree, plans: dict[int, int]) -> list[Fraction]:
    """What a pure strategy of everyone comes to, by walking the tree."""
    total = [Fraction(0)] * len(tree.players)
    waiting = [(tree.root, Fraction(1))]
    while waiting:
        node, chance = waiting.pop()
        if node.is_leaf:
            total = [t + chance * p for t, p in zip(total, node.payoffs.values(), strict=True)]
        elif node.is_chance:
            pairs = zip(node.children, node.probabilities, strict=True)
            waiting += [(child, chance * p) for child, p in pairs]
        else:
            waiting.append((node.children[plans[node.infoset.index]], chance))
    return total


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 2), depth=st.integers(0, 4))
def test_the_table_is_what_playing_the_strategies_comes_to(
    seed: int, players: int, depth: int
) -> None:
    from infoset.forms.normal import _plans

    tree = random_rules(seed, players, depth, forgetful=True)().tree()
    try:
        table = normal_form(tree, 300)
    except TooLarge:
        return
    plans = [list(_plans(tree, player)) for player in range(players)]
    assert table.shape == tuple(map(len, plans))
    for profile in product(*(range(size) for size in table.shape)):
        chosen = dict.fromkeys(range(len(tree.infosets)), 0)  # 0 where it does not matter
        for player, number in enumerate(profile):
            chosen |= plans[player][number]
        assert list(table.payoffs_of(profile)) == expected_payoffs(tree, chosen)


def test_a_matrix_game_is_its_own_normal_form() -> None:
    table = matrix_game([[3, 0], [5, 1]], [[3, 5], [0, 1]], actions=(("c", "d"),) * 2)
    assert normal_form(table.tree()) == table


def test_koller_and_pfeffer_1997_figure_9_has_27_by_64_strategies() -> None:
    table = normal_form(kuhn().tree())
    assert table.shape == (27, 64)


def test_too_large_a_table_is_refused_with_its_size() -> None:
    with pytest.raises(TooLarge, match=r"the normal form has 81 × 256 entries, more than 1,000"):
        normal_form(kuhn(ranks=4).tree(), 1000)
    with pytest.raises(TooLarge, match="about 2\\^"):
        normal_form(kuhn(ranks=40).tree())
