"""Equilibria in pure strategies: all of them, one, or none, by every way of looking for them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import game, matrix_game
from infoset.errors import InfosetError, NoEquilibrium, NotProved, TooLarge
from infoset.games import (
    absent_minded,
    beer_quiche,
    blair_g2,
    centipede,
    entry_game,
    goofspiel,
    kuhn,
    leduc,
    matching_pennies,
    prisoners_dilemma,
    seltens_horse,
    three_partition,
    tricks,
)
from infoset.rules.moves import CHANCE, LEAF
from infoset.solvers import pure as method
from infoset.solvers.integer_programs import program as integer_program
from infoset.solvers.integer_programs import search
from infoset.solvers.integer_programs.program import BinaryProgram, prove_infeasible
from infoset.solvers.integer_programs.search import pure_equilibria
from infoset.solvers.max_min import against_all
from infoset.solvers.options import Found, Options
from infoset.solvers.pure import zero_sum_equilibria
from infoset.strategy import Pure, profile, pure
from infoset.tree import Tree

ALL = Options(most=inf)
Chosen = tuple[tuple[int, int], ...]
Profiles = set[tuple[Chosen, ...]]


# ---------------------------------------------------------------- brute force, from the tree alone


def walk(tree: Tree, actions: dict[int, int]) -> tuple[list[Fraction], list[set[int]]]:
    """Everyone's payoffs, and the sets that each comes to if only its own actions bind it."""
    settled = tree.settled
    begin, child = settled.children
    paid = [Fraction(0)] * len(tree.players)
    met: list[set[int]] = [set() for _ in tree.players]

    def go(node: int, chance: Fraction, lets: tuple[bool, ...]) -> None:
        if not any(lets):
            return
        mover, place = int(settled.player[node]), int(settled.infoset[node])
        below = child[begin[node] : begin[node + 1]].tolist()
        if mover == LEAF:
            if all(lets):
                for player, amount in enumerate(settled.payoffs[int(settled.outcome[node])]):
                    paid[player] += chance * amount
        elif mover == CHANCE:
            for at, part in zip(below, settled.lotteries[place].probabilities, strict=True):
                go(at, chance * part, lets)
        else:
            if lets[mover]:
                met[mover].add(place)
            for action, at in enumerate(below):
                own = lets[mover] and action == actions[place]
                go(at, chance, (*lets[:mover], own, *lets[mover + 1 :]))

    go(0, Fraction(1), (True,) * len(tree.players))
    return paid, met


def whole_plans(tree: Tree) -> list[list[dict[int, int]]]:
    """[player] every choice of an action at every set."""
    plans = []
    for player in tree.names:
        own = tree.infosets_of(player)
        every = product(*(range(len(infoset.actions)) for infoset in own))
        sets = [infoset.index for infoset in own]
        plans.append([dict(zip(sets, actions, strict=True)) for actions in every])
    return plans


def payoff_tables(tree: Tree) -> tuple[dict[tuple[int, ...], list[Fraction]], list[list[Chosen]]]:
    """What every profile of whole plans pays, and each plan without what it does not come to."""
    plans = whole_plans(tree)
    pays: dict[tuple[int, ...], list[Fraction]] = {}
    reduced: list[list[Chosen]] = [[()] * len(own) for own in plans]
    for numbers in product(*(range(len(own)) for own in plans)):
        actions: dict[int, int] = {}
        for own, number in zip(plans, numbers, strict=True):
            actions |= own[number]
        pays[numbers], met = walk(tree, actions)
        for player, number in enumerate(numbers):
            reduced[player][number] = tuple((at, actions[at]) for at in sorted(met[player]))
    return pays, reduced


def brute_force(tree: Tree) -> Profiles:
    """All pure equilibria, as profiles of reduced plans."""
    pays, reduced = payoff_tables(tree)
    found = set()
    for numbers, paid in pays.items():
        stable = all(
            pays[(*numbers[:player], other, *numbers[player + 1 :])][player] <= paid[player]
            for player in range(len(numbers))
            for other in range(len(reduced[player]))
        )
        if stable:
            found.add(tuple(reduced[player][number] for player, number in enumerate(numbers)))
    return found


def small(tree: Tree, most: int = 700) -> bool:
    """Few enough whole profiles for brute force."""
    sizes = [len(infoset.actions) for infoset in tree.infosets]
    return bool(np.prod(sizes, dtype=float) <= most)


def profiles_of(found: Found) -> Profiles:
    """What was found, each verified, none twice."""
    listed = []
    for strategies in (found.strategies, *found.others):
        assert all(isinstance(strategy, Pure) for strategy in strategies)
        assert profile(strategies).regret == 0
        listed.append(tuple(strategy.chosen for strategy in strategies))  # type: ignore[attr-defined]
    assert len(set(listed)) == len(listed)
    return set(listed)


def by_every_way(tree: Tree, want: Profiles) -> None:
    """Table and integer program, and the values of zero-sum games, find exactly these."""
    ways = [lambda: method.find(tree, ALL), lambda: method.by_integer_program(tree, inf, ALL)]
    if len(tree.players) == 2 and tree.constant_sum:
        ways.append(lambda: zero_sum_equilibria(tree, inf, ALL))
    for way in ways:
        if want:
            found = way()
            assert profiles_of(found) == want
            assert found.complete
        else:
            with pytest.raises(NoEquilibrium, match="no equilibrium in pure strategies"):
                way()


# ---------------------------------------------------------------- games of the library


@pytest.mark.parametrize(
    ("family", "count"),
    [
        (matching_pennies, 0),
        (prisoners_dilemma, 1),
        (seltens_horse, 2),
        (entry_game, 2),
        (centipede, 1),
        (beer_quiche, 2),
        (absent_minded, 1),
        (blair_g2, 2),
        (goofspiel, 16),
    ],
)
def test_all_equilibria_of_small_games(family: object, count: int) -> None:
    tree = family().tree()  # type: ignore[operator]
    if family is goofspiel:  # too many whole plans for brute force; reduced ones suffice
        assert len(profiles_of(method.find(tree, ALL))) == count
        return
    want = brute_force(tree)
    assert len(want) == count
    by_every_way(tree, want)


def test_one_equilibrium_is_enough_unless_more_are_asked_for() -> None:
    tree = matrix_game([[2, 0], [0, 1]], [[1, 0], [0, 2]], name="battle").tree()
    one = method.find(tree, Options())
    assert (len(one.others), one.complete) == (0, False)
    assert one.work["equilibria"] == 2
    both = method.find(tree, Options(most=5))
    assert (len(both.others), both.complete) == (1, True)
    some = method.by_integer_program(tree, 1, Options())
    assert (len(some.others), some.complete) == (0, False)


def test_perfect_information_takes_one_pass_and_the_plans_are_reduced() -> None:
    found = method.find(centipede().tree(), Options())
    assert found.work == {"nodes": 13}
    assert profiles_of(found) == brute_force(centipede().tree())


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3), forgetful=st.booleans())
def test_random_games_agree_with_brute_force(seed: int, players: int, forgetful: bool) -> None:
    from tests.rules.random_games import random_rules

    tree = random_rules(seed, players, 4, forgetful)().tree()
    if small(tree):
        want = brute_force(tree)
        if len(want) <= 30:
            by_every_way(tree, want)
        if players == 2:
            zero_sum = against_all(tree, 0)
            if len(want := brute_force(zero_sum)) <= 30:
                by_every_way(zero_sum, want)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=24, max_size=24))
def test_tables_of_three_players_agree_with_the_definition(amounts: list[int]) -> None:
    tables = np.array(amounts).reshape(3, 2, 2, 2)

    @game(players=("one", "two", "three"))
    def table(g):  # type: ignore[no-untyped-def]
        at = tuple(g.together(dict.fromkeys(g.players, (0, 1))).values())
        return tuple(int(own[at]) for own in tables)

    stable = [
        at
        for at in product((0, 1), repeat=3)
        if all(tables[k][at] >= tables[k][(*at[:k], 1 - at[k], *at[k + 1 :])] for k in range(3))
    ]
    assert pure_equilibria(*tables).tolist() == list(map(list, stable))
    want = {tuple(((k, action),) for k, action in enumerate(at)) for at in stable}
    by_every_way(table().tree(), want)


# ---------------------------------------------------------------- 3-PARTITION, in both directions

WITH = [(6, 8, 7, 6, 7, 6), (26, 28, 29, 31, 40, 46), (26, 28, 29, 30, 30, 33, 37, 42, 45)]
WITHOUT = [(26, 27, 31, 35, 35, 46), (26, 27, 28, 32, 33, 34, 36, 37, 47)]


def partition(sizes: tuple[int, ...]) -> list[list[int]] | None:
    """Groups of three items with equal sums, by trying; items by their numbers."""
    full = 3 * sum(sizes) // len(sizes)

    def divide(left: list[int]) -> list[list[int]] | None:
        if not left:
            return []
        for pair in combinations(left[1:], 2):
            group = [left[0], *pair]
            if sum(sizes[item] for item in group) == full:
                rest = divide([item for item in left if item not in group])
                if rest is not None:
                    return [group, *rest]
        return None

    return divide(list(range(len(sizes))))


@pytest.mark.parametrize("sizes", WITH)
def test_an_equilibrium_of_three_partition_is_a_partition_and_back(sizes: tuple[int, ...]) -> None:
    groups = len(sizes) // 3
    tree = three_partition(sizes=sizes).tree()
    assert len(tree) == 9 * groups**2 + 7 * groups + 1
    for found in (method.find(tree, Options()), zero_sum_equilibria(tree, 1, Options())):
        assert found is not None
        plan = found.strategies[0]
        assert isinstance(plan, Pure)
        sums = dict.fromkeys(range(1, groups + 1), 0)
        for infoset, action in plan.chosen:
            view = tree.infosets[infoset]
            if view.label.startswith("a"):
                sums[view.actions[action]] += sizes[int(view.label[1:]) - 1]
        assert set(sums.values()) == {sum(sizes) // groups}
    divided = partition(sizes)
    assert divided is not None
    placed = {f"a{item + 1}": number + 1 for number, group in enumerate(divided) for item in group}
    placed |= {f"b{number}": number for number in range(1, groups + 1)}
    one = pure(tree, "one", placed)
    two = pure(tree, "two", {f"group {number}": "right" for number in range(1, groups + 1)})
    assert profile([one, two]).regret == 0


@pytest.mark.parametrize("sizes", WITHOUT)
def test_no_partition_no_equilibrium(sizes: tuple[int, ...]) -> None:
    assert partition(sizes) is None
    tree = three_partition(sizes=sizes).tree()
    with pytest.raises(NoEquilibrium, match="profiles of reduced plans were tried"):
        method.find(tree, Options())
    with pytest.raises(NoEquilibrium, match="by branch and bound, in integers"):
        zero_sum_equilibria(tree, 1, Options())


# ---------------------------------------------------------------- games whose table is too large


def test_the_value_of_leduc_is_nothing_that_pure_strategies_can_get() -> None:
    with pytest.raises(NoEquilibrium, match="multiples of 1/120; lp finds a mixed equilibrium"):
        method.find(leduc().tree(), ALL)


def test_kuhn_with_thirteen_cards_has_pure_equilibria() -> None:
    tree = kuhn(ranks=13).tree()
    found = method.find(tree, Options(most=3))
    assert len(profiles_of(found)) == 3
    assert profile(found.strategies).payoffs["gambler"] == Fraction(-5, 78)


def test_two_teams_who_may_not_speak() -> None:
    tree = tricks().tree()
    found = method.find(tree, Options())
    assert len(profiles_of(found)) == 1
    assert profile(found.strategies).payoffs["north-south"] == Fraction(16, 45)


def test_three_players_beyond_any_table() -> None:
    """Each of 30 days is a coordination game of its own: everyone left, or everyone right."""

    @game(players=("one", "two", "three"))
    def days(g, many=30):  # type: ignore[no-untyped-def]
        day = g.chance(range(many))
        g.reveal(g.players, day)
        chosen = g.together(dict.fromkeys(g.players, ("left", "right")))
        return [int(len(set(chosen.values())) == 1)] * 3

    found = method.find(days().tree(), Options(most=2))
    assert len(profiles_of(found)) == 2


# ---------------------------------------------------------------- what can go wrong


def test_too_large_a_tree_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_LEAVES", 20)
    monkeypatch.setattr(search, "MOST_ENTRIES", 100)
    with pytest.raises(TooLarge, match=r"three_partition.*: \d+ leaves; .* up to 20: take a"):
        method.find(three_partition(sizes=WITH[2]).tree(), Options())


def test_too_many_equilibria_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_LISTED", 10)
    with pytest.raises(TooLarge, match="16 pure equilibria, more than the 10"):
        method.find(goofspiel().tree(), ALL)
    assert len(method.find(goofspiel().tree(), Options(most=10)).others) == 9


def test_stopped_at_once_nothing_is_claimed() -> None:
    tree = seltens_horse().tree()
    with pytest.raises(NotProved, match="found in time, nor excluded"):
        method.by_integer_program(tree, 1, Options(stop=lambda: True, seconds=0))


def test_what_rests_on_floats_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = matching_pennies().tree()
    with pytest.raises(NoEquilibrium, match="by integer programming, in floats"):
        method.by_integer_program(tree, inf, Options(exact=False))
    monkeypatch.setattr(integer_program, "MOST_BRANCHES", 1)
    with pytest.raises(NoEquilibrium, match="by integer programming, in floats"):
        method.by_integer_program(tree, inf, Options())
    with pytest.raises(NoEquilibrium, match="by branch and bound, in integers"):
        method.by_integer_program(tree, inf, Options(exact=True))
    found = method.by_integer_program(seltens_horse().tree(), inf, Options(exact=False))
    assert not found.complete
    assert found.remark == "that there are no more is known by integer programming, in floats"


def test_payoffs_beyond_floats_are_found_but_not_excluded() -> None:
    large, tiny = 10**30, Fraction(1, 10**30)
    dilemma = matrix_game([[large, 0], [large + tiny, tiny]], [[large, large + tiny], [0, tiny]])
    found = method.by_integer_program(dilemma.tree(), 1, Options())
    assert profiles_of(found) == {(((0, 1),), ((1, 1),))}
    pennies = matrix_game([[large, tiny], [0, large + 1]], [[0, large], [large, 0]])
    with pytest.raises(NoEquilibrium, match="in floats"):
        method.by_integer_program(pennies.tree(), 1, Options())
    with pytest.raises(NotProved, match="no exact proof of that was found"):
        method.by_integer_program(pennies.tree(), 1, Options(exact=True))


def test_payoffs_that_are_no_floats_at_all() -> None:
    large = 10**400
    dilemma = matrix_game([[large, 0], [large + 1, 1]], [[large, large + 1], [0, 1]])
    found = method.by_integer_program(dilemma.tree(), inf, Options())
    assert profiles_of(found) == {(((0, 1),), ((1, 1),))}
    saddle = matrix_game([[large, 7], [3, -large]]).tree()
    first = zero_sum_equilibria(saddle, inf, Options())
    assert first is not None
    assert profiles_of(first) == {(((0, 0),), ((1, 1),))}
    with pytest.raises(NoEquilibrium, match=r"the value is about 5e\+399 for row"):
        zero_sum_equilibria(matrix_game([[large, 0], [0, large]]).tree(), 1, Options())


def test_tables_of_the_wrong_shape() -> None:
    with pytest.raises(InfosetError, match="2 tables of 2, 2 × 2; give one for each player"):
        pure_equilibria([[1, 2], [3, 4]], [1, 2])


# ---------------------------------------------------------------- the proof in integers


def odd_sum(count: int, target: int) -> BinaryProgram:
    """Twice the sum of some 0s and 1s is to be a number."""
    program = BinaryProgram()
    columns = [program.column(1.0, whole=True) for _ in range(count)]
    program.row(dict.fromkeys(columns, 2.0), target, target)
    return program


def test_exhaustion_proves_parity_and_nothing_that_is_false() -> None:
    assert prove_infeasible(odd_sum(5, 5), lambda values: True, Options()) is not None
    assert (
        prove_infeasible(odd_sum(5, 4), lambda values: bool(values.sum() == 3), Options()) is None
    )
    assert prove_infeasible(odd_sum(5, 5), lambda values: True, Options(exact=False)) is None
    assert prove_infeasible(odd_sum(5, 5), lambda values: True, Options(seconds=0)) is None


def test_multipliers_that_prove_nothing_are_not_believed() -> None:
    proof = integer_program.FarkasProof(odd_sum(2, 5))  # at most 4: infeasible even for fractions
    assert proof.holds({}, np.array([1.0]))
    assert proof.holds({}, np.array([-0.1]))
    assert not proof.holds({}, np.array([0.0]))
    feasible = integer_program.FarkasProof(odd_sum(2, 4))
    assert not feasible.holds({}, np.array([1.0]))
    assert feasible.holds({1: 0.0}, np.array([1.0]))
