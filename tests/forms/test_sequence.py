"""The sequence form: the paper's figures, and definitions spelled out slowly."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.errors import NotApplicable
from infoset.forms import sequence
from infoset.forms.normal import normal_form
from infoset.forms.sequence import SequenceSize, sequence_form, sequence_size
from infoset.games import (
    absent_minded,
    blair_g1,
    koller_megiddo_von_stengel,
    kuhn,
    liars_dice,
    seltens_horse,
)
from infoset.linear.numbers import Numbers
from infoset.strategy import as_plan, uniform
from infoset.tree import Builder, Node, Tree, matrix_game
from tests.rules.random_games import random_rules

F = Fraction


def figure(text: str) -> list[list[int]]:
    """A matrix as a figure prints it, dots for the zeros that it leaves out."""
    return [[0 if word == "." else int(word) for word in line.split()] for line in text.split(";")]


def test_koller_megiddo_von_stengel_1994_figure_3() -> None:
    form = sequence_form(koller_megiddo_von_stengel().tree())
    empty = "nothing yet"
    # The paper writes ∅, l, r, rL, rR, c, d. What player one knows when it answers L or R, and
    # which of its sets it is at, is said by the labels too.
    one = list(form.labels("one"))
    two = list(form.labels("two"))
    assert len(one) == 7
    assert len(two) == 5
    assert (one[0], two[0]) == (empty, empty)
    assert [label.rpartition("[")[2] for label in one[1:]] == ["l]", "r]", "L]", "R]", "c]", "d]"]
    assert [label.rpartition("[")[2] for label in two[1:]] == ["p]", "q]", "s]", "t]"]
    assert all("[r]" in label for label in one[3:5])
    assert form.E.dense() == figure("1 . . . . . .; -1 1 1 . . . .; . . -1 1 1 . .; -1 . . . . 1 1")
    assert form.F.dense() == figure("1 . . . .; -1 1 1 . .; -1 . . 1 1")
    assert form.A.dense() == figure(
        "2 . . . .; 1 . . . .; . . . . .; . 2 4 . .; . 3 -1 . .; 2 . . 4 10; 4 . . 6 3"
    )
    assert form.B.dense() == [[-entry for entry in row] for row in form.A.dense()]
    assert form.e.tolist() == [1, 0, 0, 0]
    assert form.f.tolist() == [1, 0, 0]


def test_koller_megiddo_von_stengel_1994_figure_2() -> None:
    """The rows with l, as printed; those with r as figure 3 has them (see the game's docstring)."""
    form = normal_form(koller_megiddo_von_stengel().tree())
    rows = {
        label: [form.payoffs_of((row, column))[0] for column in range(4)]
        for row, label in enumerate(form.labels("one"))
    }
    assert form.labels("two") == ("p/s", "p/t", "q/s", "q/t")
    assert rows["l/c"] == [9, 15, 9, 15]
    assert rows["l/d"] == [13, 10, 13, 10]
    printed = {
        "r/L/c": [8, 14, 10, 16],
        "r/L/d": [10, 7, 12, 9],
        "r/R/c": [9, 15, 5, 11],
        "r/R/d": [11, 8, 7, 4],
    }
    missing = {"c": 2, "d": 4}
    by_actions = {frozenset(label.split("/")): row for label, row in rows.items()}
    assert len(by_actions) == 6
    for label, row in printed.items():
        found = by_actions[frozenset(label.split("/"))]
        assert found == [entry + missing[label[-1]] for entry in row]


def test_sizes_are_known_beforehand() -> None:
    for ranks in (3, 5):
        tree = kuhn(ranks=ranks).tree()
        form, size = sequence_form(tree), sequence_size(tree)
        assert size == SequenceSize(
            (1 + 4 * ranks,) * 2, (1 + 2 * ranks,) * 2, 5 * ranks * (ranks - 1)
        )
        assert form.A.shape == size.sequences
        assert (form.E.shape, form.F.shape) == tuple(
            zip(size.constraints, size.sequences, strict=True)
        )
        assert len(form.A) <= size.leaves


def test_one_player_plays_against_someone_with_nothing_to_choose() -> None:
    form = sequence_form(blair_g1().tree())
    assert form.A.shape == (9, 1)
    assert form.F.dense() == [[1]]
    assert form.f.tolist() == [1]
    assert len(form.B) == 0
    assert sorted(entry for _, _, entry in form.A) == [-50, -50, F(1, 2), F(1, 2)]


def test_the_form_is_made_once() -> None:
    tree = kuhn().tree()
    assert sequence_form(tree) is sequence_form(tree)
    assert repr(sequence_form(tree)) == "<Sequence form of kuhn(): 13 × 13 sequences, 30 entries>"


@pytest.mark.parametrize(
    ("game", "lacking"),
    [(seltens_horse(), "this game has 3"), (absent_minded(), "needs perfect recall")],
)
def test_what_has_no_sequence_form(game: Any, lacking: str) -> None:
    with pytest.raises(NotApplicable, match=lacking):
        sequence_form(game.tree())


def test_outcomes_that_cannot_happen_count_for_nothing() -> None:
    b = Builder(("a", "b"), "rare")
    sure, never = b.chance(b.root, ("sure", "never"), (1, 0))
    for node, amount in ((sure, 1), (never, 10**9)):
        for child in b.decide(node, "a", ("l", "r"), infoset="all"):
            b.pay(child, (amount, -amount))
    form = sequence_form(b.build())
    assert form.A.dense() == [[0], [1], [1]]


def own_sequence(node: Node, player: str) -> tuple[tuple[int, int], ...]:
    """A player's (information set, action) pairs on the way to a node."""
    path: list[tuple[int, int]] = []
    while (above := node.parent) is not None:
        if above.player == player:
            assert above.infoset is not None
            path.append((above.infoset.index, int(node.tree.action[node.index])))
        node = above
    return tuple(path[::-1])


def chance_of(node: Node) -> Fraction:
    product = F(1)
    while (above := node.parent) is not None:
        if above.is_chance:
            product *= above.probabilities[int(node.tree.action[node.index])]
        node = above
    return product


def slowly(tree: Tree) -> dict[tuple[Any, ...], Fraction]:
    """Player one's payoff times its probability, summed by pairs of sequences."""
    total: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    for leaf in tree.leaves:
        key = tuple(own_sequence(leaf, player) for player in tree.names)
        total[key] += chance_of(leaf) * leaf.payoffs[tree.names[0]]
    return {key: amount for key, amount in total.items() if amount}


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), depth=st.integers(0, 6))
def test_the_matrices_are_what_the_tree_says(seed: int, depth: int) -> None:
    tree = random_rules(seed, 2, depth)().tree()
    form = sequence_form(tree)
    sequences = []
    for choices in form.choices:
        named: list[tuple[tuple[int, int], ...]] = [()] * len(choices)
        for own, infoset in enumerate(choices.infosets.tolist()):
            start = own_sequence(tree.infosets[infoset].nodes[0], tree.names[choices.player])
            for action in range(int(choices.sizes[own])):
                named[int(choices.first[own]) + action] = (*start, (infoset, action))
        assert len(set(named)) == len(named)
        sequences.append(named)
    found = {(sequences[0][row], sequences[1][column]): entry for row, column, entry in form.A}
    assert found == slowly(tree)
    for matrix, side, named in ((form.E, form.e, sequences[0]), (form.F, form.f, sequences[1])):
        # One row for the empty sequence, then one for each set: what goes in comes out.
        assert matrix.dense()[0] == [1] + [0] * (len(named) - 1)
        for row in matrix.dense()[1:]:
            after = {named[at] for at, entry in enumerate(row) if entry == 1}
            before = [named[at] for at, entry in enumerate(row) if entry == -1]
            assert len(before) == 1
            assert {sequence[:-1] for sequence in after} == set(before)
            assert len({sequence[-1][0] for sequence in after}) == 1
        assert side.tolist() == [1] + [0] * (matrix.shape[0] - 1)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), depth=st.integers(0, 5))
def test_plans_obey_the_constraints_and_pay_what_play_pays(seed: int, depth: int) -> None:
    tree = random_rules(seed, 2, depth)().tree()
    form = sequence_form(tree)
    x, y = (as_plan(uniform(tree, player)).weights for player in tree.names)
    assert form.E.times(x).values() == form.e.tolist()
    assert form.F.times(y).values() == form.f.tolist()
    by_hand = F(0)
    for leaf in tree.leaves:
        chance, node = F(1), leaf
        while (above := node.parent) is not None:
            sizes = len(above.children)
            taken = int(tree.action[node.index])
            chance *= above.probabilities[taken] if above.is_chance else F(1, sizes)
            node = above
        by_hand += chance * leaf.payoffs[tree.names[0]]
    assert x.times(form.A.times(y)).total == by_hand
    assert isinstance(x, Numbers)


def test_lighter_payoffs_leave_the_same_strategies_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence, "MANY", 0)
    tree = liars_dice(sides=2).tree()
    form = sequence.sequence_form(tree)
    lighter = sequence.lighter_payoffs(form)
    assert 0 < len(lighter) < len(form.A)
    at_random = [uniform(tree, player).plan.weights for player in tree.names]
    whole, less = (
        matrix.times(at_random[1]).times(at_random[0]).total for matrix in (form.A, lighter)
    )
    assert whole - less in {1, -1}  # the payoffs are 1 and -1: one of them was taken off


def test_payoffs_far_from_zero_are_brought_near_to_it() -> None:
    tall = 10**15
    tree = matrix_game([[tall + 1, tall], [tall, tall + 2]]).tree()
    lighter = sequence.lighter_payoffs(sequence.sequence_form(tree))
    assert max(abs(entry) for _, _, entry in lighter) <= 2
