"""Strategies that are locked: the tree and the public form must say the same of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from infoset import InfosetError, solve
from infoset.forms.public import PublicForm
from infoset.games import kuhn, leduc
from infoset.page.answers import Answers
from infoset.page.locked import locked, number_on_form
from infoset.page.opened import OpenGame
from infoset.solvers.public_solution import PublicEvaluation
from infoset.solvers.sampling import sample
from infoset.tree import Tree


def form_number(form: PublicForm, player: str, label: str) -> int:
    """The number of the set with this label."""
    seat = form.player_number(player)
    return number_on_form(form, seat, form.labels[seat][label])


def tree_number(tree: Tree, player: str, label: str) -> int:
    """The same on a tree."""
    (found,) = [one.index for one in tree.infosets if (one.player, one.label) == (player, label)]
    return found


@pytest.mark.parametrize(
    "locks",
    [
        {("gambler", "J"): (0, 1)},
        {("gambler", "J"): (1, 1), ("dealer", "Q, bet"): (Fraction(1, 3), Fraction(2, 3))},
        {("dealer", "K, bet"): (1, 0), ("dealer", "J, pass"): (3, 1), ("gambler", "K"): (1, 0)},
    ],
    ids=["one", "both", "three"],
)
def test_locks_on_the_form_are_those_on_the_tree(locks: dict[Any, Any]) -> None:
    form = kuhn().public()
    public = solve(form)
    other = solve(kuhn())
    usual = {player: dict(public.strategy[player]) for player in public.players}
    everything = {
        (player, label): tuple(row.values())
        for player in usual
        for label, row in usual[player].items()
    }  # the equilibrium of the tree is another one
    wanted = {**everything, **locks}
    on_form = locked(public, {form_number(form, *at): row for at, row in locks.items()})
    on_tree = locked(other, {tree_number(other.tree, *at): row for at, row in wanted.items()})
    amounts = [[one["amount"] for one in each["payoffs"]] for each in (on_form, on_tree)]
    gains = [[one["gain"] for one in each["replies"]] for each in (on_form, on_tree)]
    assert amounts[0] == amounts[1]
    assert gains[0] == gains[1]
    assert [one["infoset"]["label"] for one in on_form["sets"]] == [label for _, label in locks]


def test_nothing_locked_changes_nothing() -> None:
    """With suits folded, and a solution in floats."""
    solution = solve(leduc().public(), "cfr+", seconds=20, regret=1e-3)
    told = locked(solution, {})
    assert [one["change"]["value"] for one in told["payoffs"]] == [0, 0]
    for one in told["replies"]:
        assert one["gain"]["value"] == pytest.approx(
            float(solution.regrets[one["player"]]), abs=1e-9
        )


def test_a_node_names_the_number_that_can_be_locked() -> None:
    game = leduc()
    solution = solve(game.public())
    assert isinstance(solution.evaluation, PublicEvaluation)
    opened, answers = OpenGame(game), Answers(solution)
    for address in ("0", "0.1", "7.1.1.0"):
        shown = answers.at(opened, address)
        actions = [one["probability"]["text"] for one in shown["actions"]]
        first = [1] + [0] * (len(actions) - 1)
        (told,) = locked(solution, {shown["number"]: first})["sets"]
        assert told["infoset"]["player"] == opened.node(address)["infoset"]["player"]
        assert [one["probability"]["text"] for one in told["actions"]] == actions


@pytest.mark.parametrize("number", [-1, 12, 10**15])
def test_sets_that_are_not_there(number: int) -> None:
    for solution in (solve(kuhn()), solve(kuhn().public())):
        with pytest.raises(InfosetError, match="has no information set"):
            locked(solution, {number: (1, 0)})


@pytest.mark.parametrize("row", [(1,), (1, 0, 0), (0, 0), (-1, 2)])
def test_probabilities_that_are_none(row: tuple[int, ...]) -> None:
    for solution in (solve(kuhn()), solve(kuhn().public())):
        with pytest.raises(InfosetError, match=r"give (2 )?probabilities"):
            locked(solution, {0: row})


def test_what_was_sampled_cannot_be_locked() -> None:
    solution = sample(kuhn(), "external", iterations=50)
    with pytest.raises(InfosetError, match="only strategies on a tree or a public form"):
        locked(solution, {0: (1, 0)})
