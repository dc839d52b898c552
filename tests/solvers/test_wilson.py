"""Wilson's method: the Lemke–Howson path, of which only what is needed is ever written down."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infoset import games, solve
from infoset.errors import NotApplicable
from infoset.forms.normal import normal_form, normal_size
from infoset.forms.sequence import sequence_form
from infoset.linear.pivoting import ExactTableau, follow, partners, values
from infoset.solvers import wilson
from infoset.solvers.options import Found, Options
from infoset.solvers.wilson import HalfTableau
from infoset.strategy import Mixed, Pure, profile, uniform
from infoset.tree import Tree, matrix_game
from tests.oracles.published import BIMATRIX, CIRCLES, VALUES, Bimatrix, Circle, Worth
from tests.rules.random_games import random_rules

F = Fraction
SEEDS = st.integers(0, 10**6)
Grid = list[list[int]]

# Games, and what the method needs of them: pivots, strategies that enter, strategies there are.
COUNTS: list[tuple[Any, tuple[int, int, int]]] = [
    (games.kuhn(), (15, 11, 91)),
    (games.kuhn(ranks=4), (33, 17, 337)),
    (games.kuhn(ranks=8), (51, 30, 72_097)),
    (games.kuhn(ranks=13), (81, 37, 68_703_187)),
    (games.poker(cash=3), (51, 28, 14_553)),
    (games.inspection(stages=6, inspections=2), (82, 52, 221)),
    (games.oil_pricing(), (3, 3, 512)),
    (games.beer_quiche(), (3, 3, 8)),
]


def found(tree: Tree) -> Found:
    """What the method finds, proved, and as small as it must be."""
    answer = wilson.find(tree, Options())
    assert not answer.note
    assert profile(answer.strategies).regret == 0
    played: list[Pure] = []
    for own, choices in zip(answer.strategies, tree.choices, strict=True):
        assert isinstance(own, Mixed)
        assert all(weight > 0 for weight in own.values())
        played += own.support
        bound = 1 + int((choices.sizes - 1).sum())
        assert len(own) <= bound <= tree.counts.leaves  # theorem 4.1
    assert answer.work["plans"] == sum(size or 0 for size in normal_size(tree))
    assert len(played) <= answer.work["entered"] <= answer.work["plans"]
    return answer


def vectors(answer: Found) -> tuple[tuple[Fraction, ...], ...]:
    """Both mixed strategies of a payoff table, as vectors."""
    made = []
    for own in answer.strategies:
        assert isinstance(own, Mixed)
        (size,) = own.choices.sizes.tolist()
        by_action = {plan.chosen[0][1]: weight for plan, weight in own.items()}
        made.append(tuple(by_action.get(action, F(0)) for action in range(size)))
    return tuple(made)


# ---------------------------------------------------------------------- games that are known


@pytest.mark.parametrize(("game", "counts"), COUNTS, ids=lambda value: str(value))
def test_few_strategies_are_needed(game: Any, counts: tuple[int, int, int]) -> None:
    work = found(game.tree()).work
    assert (work["pivots"], work["entered"], work["plans"]) == counts


OF_TWO = [known for known in VALUES if not str(known).startswith(("blair", "goofspiel(cards=4"))]


@pytest.mark.parametrize("known", OF_TWO, ids=str)
def test_published_values(known: Worth) -> None:
    """All but one player's games and one that takes some seconds."""
    tree = known.game().tree()
    assert profile(found(tree).strategies).payoffs[tree.names[0]] == known.value, known.source


@pytest.mark.parametrize("known", BIMATRIX, ids=str)
def test_published_equilibria(known: Bimatrix) -> None:
    published = [(tuple(x), tuple(y)) for x, y in known.equilibria]
    assert vectors(found(known.game.tree())) in published, known.source


@pytest.mark.parametrize("known", CIRCLES)
def test_games_on_which_the_first_of_tied_rows_leads_astray(known: Circle) -> None:
    found(known.game.tree())


def test_by_its_name() -> None:
    solution = solve(games.kuhn(), "wilson")
    assert solution.method == "wilson"
    assert (solution.value, solution.certificate) == (F(-1, 18), "exact")
    assert dict(solution.work) == {"pivots": 15, "entered": 11, "plans": 91}


def test_no_plan_of_the_whole_normal_form_is_better() -> None:
    """Against the answer, by the table itself and not by backward induction."""
    tree = games.kuhn(ranks=4).tree()
    form, answer = normal_form(tree), found(tree)
    weights = []
    for player, own in enumerate(answer.strategies):
        assert isinstance(own, Mixed)
        number = {tuple(sorted(plan)): at for at, plan in enumerate(form.plans[player])}
        vector = np.array([F(0)] * form.shape[player], object)
        for plan, weight in own.items():
            vector[number[plan.chosen]] += weight
        weights.append(vector)
    x, y = weights
    first, second = (table.astype(object) for table in form.numerators)
    assert max(first @ y) == x @ first @ y
    assert max(x @ second) == x @ second @ y


# ---------------------------------------------------------------------- it is the same path


@settings(max_examples=40)
@given(seed=SEEDS, rows=st.integers(2, 6), columns=st.integers(2, 6))
def test_the_path_is_that_of_lemke_and_howson(seed: int, rows: int, columns: int) -> None:
    """On tables without ties: the same pivots and equilibrium, if the same label is given up."""
    random = Random(seed)
    one, two = (
        [[random.randrange(10**6) for _ in range(columns)] for _ in range(rows)] for _ in range(2)
    )
    tree = matrix_game(one, two).tree()
    answer = found(tree)
    label = max(range(rows), key=lambda row: sum(one[row]))  # the best response to the prior
    size = rows + columns
    matrix = [[0] * size for _ in range(size)]
    for i in range(rows):
        for j in range(columns):
            matrix[i][rows + j] = -1 - one[i][j]
            matrix[rows + j][i] = -1 - two[i][j]
    tableau = ExactTableau(matrix, [1] * size, range(size), range(size, 2 * size), partners(size))
    path = follow(tableau, size + label, {label, size + label})
    assert answer.work["pivots"] == path.pivots
    weights = [values(tableau).get(size + at, F(0)) for at in range(size)]
    x, y = weights[:rows], weights[rows:]
    assert vectors(answer) == (tuple(a / sum(x) for a in x), tuple(b / sum(y) for b in y))


def every_plan(half: HalfTableau) -> list[tuple[int, ...]]:
    """All plans of a player, as 0 or 1 for each sequence."""
    choices, made = half.generated.choices, set()
    for actions in product(*(range(size) for size in choices.sizes.tolist())):
        plan = [1] + [0] * (len(choices) - 1)
        for stage in choices.stages:
            for own in stage.tolist():
                plan[int(choices.first[own]) + actions[own]] = plan[int(choices.before[own])]
        made.add(tuple(plan))
    return sorted(made)


def losses(half: HalfTableau, plan: tuple[int, ...]) -> list[int]:
    """1 - Σ payoff · weight, where the weights are polynomials: the coefficients of 1, ε_1, ..."""
    powers = [0] * (1 + len(half.generated.plans))
    powers[0] = int(half.whole)
    for name, line in zip(half.rows, half.table.table(), strict=True):
        paid = sum(int(half.generated.replies[~name][at]) for at, one in enumerate(plan) if one)
        powers[0] -= paid * int(line[0])
        for column, loss in enumerate(half.columns, 1):
            powers[1 + loss] -= paid * int(line[column])
    return powers


@settings(max_examples=60)
@given(seed=SEEDS, depth=st.integers(3, 6))
def test_every_corner_is_one_of_the_whole_table(seed: int, depth: int) -> None:
    """No plan at all has a negative loss, for tiny ε; those with a loss of 0 are the nonbasic ones.

    A plan that has not entered has an ε smaller than all others, so that its loss must be positive.
    """
    tree = random_rules(seed, 2, depth)().tree()
    assume(all(np.prod(choices.sizes) <= 200 for choices in tree.choices))
    form = sequence_form(tree)
    halves = HalfTableau(form, 0), HalfTableau(form, 1)
    plans = [every_plan(half) for half in halves]
    first = np.array(plans[0][seed % len(plans[0])])
    halves[0].generated.add_plan(first)
    halves[1].generated.add_opponent_plan(first)
    side, entering, bounds = 1, ~0, (0, ~0)
    while True:
        half, known = halves[side], len(halves[side].generated.plans)
        left = half.step(entering, bounds[side])
        if len(half.generated.plans) > known:
            halves[1 - side].generated.add_opponent_plan(half.generated.plans[left])
        if left == bounds[side]:
            break
        present = {tuple(plan.tolist()): name for name, plan in enumerate(half.generated.plans)}
        assert len(present) == len(half.generated.plans)  # none enters twice
        for plan in plans[side]:
            powers, name = losses(half, plan), present.get(plan)
            if name is not None:
                powers[1 + name] -= int(half.whole)
            assert (powers > [0] * len(powers)) == (name not in half.columns)
            assert powers >= [0] * len(powers)
        side, entering = 1 - side, ~left


# ---------------------------------------------------------------------- random games, full of ties


@settings(max_examples=80)
@given(seed=SEEDS, depth=st.integers(0, 6))
def test_random_trees(seed: int, depth: int) -> None:
    found(random_rules(seed, 2, depth)().tree())


@settings(max_examples=60)
@given(st.data())
def test_random_tables_with_ties_everywhere(data: st.DataObject) -> None:
    rows, columns = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    line = st.lists(st.integers(-1, 1), min_size=columns, max_size=columns)
    one, two = (data.draw(st.lists(line, min_size=rows, max_size=rows)) for _ in range(2))
    found(matrix_game(one, two).tree())


@settings(max_examples=30)
@given(seed=SEEDS, factor=st.sampled_from([F(1, 7), 10**30, F(-3, 10**25)]), more=st.integers())
def test_units_do_not_matter(seed: int, factor: Fraction, more: int) -> None:
    """With payoffs in other units, positive ones, the path is the same."""
    random = Random(seed)
    table: list[Grid] = [[[random.randrange(4) for _ in range(4)] for _ in range(4)] for _ in "ab"]
    moved = [[[abs(factor) * entry + more for entry in line] for line in own] for own in table]
    plain, other = (found(matrix_game(*own).tree()) for own in (table, moved))
    assert vectors(plain) == vectors(other)
    assert plain.work == other.work


# ---------------------------------------------------------------------- edges


def test_stopped_at_once_it_gives_strategies_all_the_same() -> None:
    tree = games.kuhn(ranks=5).tree()
    answer = wilson.find(tree, Options(seconds=0))
    assert answer.note == "stopped after 0 pivots"
    assert profile(answer.strategies).regret > 0
    first = profile((uniform(tree, "gambler"), uniform(tree, "dealer"))).responses
    assert [own.at(tree.leaf_indices).values() for own in answer.strategies] == [
        response.strategy.at(tree.leaf_indices).values() for response in first.values()
    ]


def test_stopped_on_the_way_it_says_how_far_it_came() -> None:
    said: list[str] = []
    answer = wilson.find(games.kuhn().tree(), Options(tick=said.append, stop=lambda: len(said) > 6))
    assert answer.note == "stopped after 7 pivots"
    assert said[-1] == f"7 pivots, {answer.work['entered']} strategies"
    assert profile(answer.strategies).exact


def test_players_with_nothing_to_choose() -> None:
    answer = found(matrix_game([[5]], [[-5]]).tree())
    assert vectors(answer) == ((F(1),), (F(1),))
    assert answer.work["entered"] == 2


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (games.seltens_horse(), "game has 3"),
        (games.blair_g1(), "game has 1"),
        (random_rules(3, 2, 4, forgetful=True)(), "needs perfect recall"),
    ],
)
def test_what_does_not_fit_is_refused(game: Any, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason) as refusal:
        wilson.find(game.tree(), Options())
    assert "\n" not in str(refusal.value)
