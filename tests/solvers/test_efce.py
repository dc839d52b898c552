"""Extensive-form correlated equilibria: published ones, and programs written out in full."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from infoset import Family, Play, game, games, solve
from infoset.errors import NotProved, StrategyError, TooLarge
from infoset.solvers.correlated import extensive_form as efce
from infoset.solvers.correlated import plans as lotteries
from infoset.solvers.correlated.plans import decomposed, relevant_pairs
from infoset.solvers.correlated.solver import JointEvaluation
from infoset.solvers.correlated.solver import correlated as correlated_solution
from infoset.solvers.options import Options
from infoset.solvers.solution import Solution
from infoset.strategy import Pure, pure
from infoset.tree import Node, Tree
from tests.rules.random_games import random_rules
from tests.solvers.test_properties import zero_sum

F = Fraction
BY_SEQUENCES = ("efce", "efcce", "cce")
SEEDS = st.integers(0, 10**6)
PLAIN = {"ann": F(1), "bob": F(1)}


def correlated(*given: Any, **options: Any) -> JointEvaluation:
    """The joint distribution of the solution that is found."""
    found = correlated_solution(*given, **options).evaluation
    assert isinstance(found, JointEvaluation)
    return found


@game(players=("student", "professor"))
def signal(g: Play) -> object:
    """A student, good or bad, sends a signal that costs nothing; a professor hires or not."""
    quality = g.chance(("good", "bad"))
    g.reveal("student", quality)
    g.reveal("professor", g.choose("student", ("X", "Y")))
    if g.choose("professor", ("hire", "refuse")) == "refuse":
        return (0, 6)
    return (4, 10) if quality == "good" else (6, 0)


@game(players=("one", "two"))
def two_questions(g: Play) -> object:
    """Each is asked 0 or 1; they win if their answers differ exactly if both were asked 1."""
    questions = g.chance(tuple(product((0, 1), repeat=2)))
    for player, question in zip(("one", "two"), questions, strict=True):
        g.reveal(player, question)
    one, two = g.together({"one": (0, 1), "two": (0, 1)}).values()
    won = int((one != two) == (questions == (1, 1)))
    return (won, won)


@game(players=("smuggler", "sheriff"))
def sheriff(g: Play, items: int = 2, bribes: int = 2, rounds: int = 1) -> object:
    """A smuggler loads, and offers bribes; the sheriff lets pass or inspects. No chance moves."""
    cargo = g.choose("smuggler", range(items + 1))
    for _ in range(rounds):
        bribe = g.choose("smuggler", range(bribes + 1))
        g.reveal("sheriff", bribe)
        answer = g.choose("sheriff", ("pass", "inspect"))
        g.reveal("smuggler", answer)
    if answer == "pass":
        return (5 * cargo - bribe, bribe)
    return (-cargo, cargo) if cargo else (1, -1)


def private_rules(seed: int) -> Family:
    """Random games whose chance moves the players see different parts of."""

    def pick(count: int, *salt: object) -> int:
        return zlib.crc32(repr((seed, *salt)).encode()) % count

    deals = sorted({(pick(3, n, "a"), pick(3, n, "b")) for n in range(2 + pick(3, "deals"))})
    movers = ["ann" if pick(2, n, "who") else "bob" for n in range(2 + pick(2, "moves"))]

    @game(players=("ann", "bob"))
    def private(g: Play) -> object:
        history: tuple[Any, ...] = (g.chance(deals),)
        g.reveal("ann", history[0][0])
        g.reveal("bob", history[0][1])
        for number, mover in enumerate(movers):
            history += (g.choose(mover, ("l", "r")),)
            if pick(2, number, "seen"):
                g.reveal("bob" if mover == "ann" else "ann", history[-1])
        return (pick(7, history, "ann") - 3, pick(7, history, "bob") - 3)

    return private


# ---------------------------------------------------------------------- published


def test_von_stengel_and_forges_2008_signals() -> None:
    """Section 2.3: told a plan or nothing, the student is not hired; told a secret signal, it is.

    The device draws the signal that stands for "good", and tells it a good student alone.
    """
    for welfare in (None, "student", "professor"):
        assert correlated(signal, "ce", welfare).payoffs == {"student": 0, "professor": 6}
    best = correlated(signal, "efce", "professor")
    assert best.certificate == "exact"
    assert best.payoffs == {"student": F(7, 2), "professor": F(13, 2)}


def test_clauser_horne_shimony_and_holt_1969() -> None:
    """Whatever was agreed on before, three questions of four are answered right at most.

    Weights of pairs of sequences alone could win always: they need not come from a lottery.
    """
    tree = two_questions().tree()
    pairs = relevant_pairs(tree)
    assert not pairs.triangle_free
    weights = {"one": F(1), "two": F(1)}
    pairs.__dict__["triangle_free"] = True  # said, though it is not
    for kind in BY_SEQUENCES:
        device = correlated(tree, kind)
        assert device.certificate == "exact"
        assert device.payoffs == {"one": F(3, 4), "two": F(3, 4)}
        assert device.how.startswith("a realization plan of")
        loose = efce.by_sequence_pairs(pairs, weights, kind, Options())
        assert loose is not None
        assert not loose.draws
        too_good = JointEvaluation(tree, kind, weights, {}, "", given=loose.plan)
        assert too_good.payoffs == {"one": 1, "two": 1}


def test_centipedes_are_stopped_at_once() -> None:
    """The only outcome of any equilibrium in which one may turn away when it is one's turn."""
    for kind in ("ce", "efce", "efcce"):
        device = correlated(games.centipede(), kind)
        assert device.payoffs == solve(games.centipede()).payoffs
        assert device.certificate == "exact"
    assert correlated(games.centipede(), "cce").welfare > 2


def test_a_duel_less() -> None:
    """In beer and quiche the bully does better by a device, and no better than to know."""
    found = [correlated(games.beer_quiche(), kind, "receiver") for kind in ("ce", "efce", "cce")]
    assert [device.certificate for device in found] == ["exact"] * 3
    nash, *more = [F(9, 10), *(device.payoffs["receiver"] for device in found)]
    assert nash < more[0] < more[1] < more[2] == 1


# ---------------------------------------------------------------------- written out in full


def strategies(tree: Tree, player: int) -> Iterator[dict[int, int]]:
    """All pure strategies of a player, an action at every set."""
    sets = np.flatnonzero(tree.infoset_player == player).tolist()
    for actions in product(*(range(int(tree.menu_sizes[at])) for at in sets)):
        yield dict(zip(sets, actions, strict=True))


def expected(node: Node, chosen: Mapping[int, int]) -> np.ndarray[Any, Any]:
    """Both players' payoffs if every set does as chosen."""
    if node.is_leaf:
        return np.array([float(amount) for amount in node.payoffs.values()])
    if node.is_chance:
        parts = zip(node.children, node.probabilities, strict=True)
        return sum((float(p) * expected(child, chosen) for child, p in parts), np.zeros(2))
    assert node.infoset is not None
    return expected(node.children[chosen[node.infoset.index]], chosen)


def own_way(tree: Tree, infoset: int) -> list[tuple[int, int]]:
    """The own choices that lead to a set."""
    player, way = tree.infoset_player[infoset], []
    node: Node | None = tree.infosets[infoset].nodes[0]
    while node is not None and (above := node.parent) is not None:
        if above.infoset is not None and tree.infoset_player[above.infoset.index] == player:
            way.append((above.infoset.index, int(tree.action[node.index])))
        node = above
    return way


def written_out(tree: Tree, kind: str, weights: Mapping[str, Fraction]) -> float:
    """The largest welfare: a probability for each pair of strategies, a row for each deviation."""
    pairs = [{**one, **two} for one in strategies(tree, 0) for two in strategies(tree, 1)]
    paid = {_key(chosen): expected(tree.root, chosen) for chosen in pairs}
    rows = []
    for player, met, instead in deviations(tree, kind):
        rows.append(
            [
                (paid[_key({**chosen, **instead})] - paid[_key(chosen)])[player]
                if met.items() <= chosen.items()
                else 0.0
                for chosen in pairs
            ]
        )
    aim = np.array([paid[_key(c)] for c in pairs]) @ [float(weights[name]) for name in tree.names]
    unique = np.unique(np.array(rows).round(9), axis=0)
    found = linprog(-aim, unique, np.zeros(len(unique)), np.ones((1, len(aim))), [1])
    return float(-found.fun)


def _key(chosen: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(chosen[at] for at in sorted(chosen))


def deviations(tree: Tree, kind: str) -> Iterator[tuple[int, dict[int, int], dict[int, int]]]:
    """Player, what its plan must be like for it to be able to turn away, what it does instead."""
    for player in (0, 1):
        own = list(strategies(tree, player))
        if kind in ("ce", "cce"):
            for plan, other in product(own if kind == "ce" else [{}], own):
                yield player, plan, other
            continue
        for infoset in np.flatnonzero(tree.infoset_player == player).tolist():
            way = dict(own_way(tree, infoset))
            after = {at for at in own[0] if at == infoset or infoset in dict(own_way(tree, at))}
            told = [{infoset: action} for action in range(int(tree.menu_sizes[infoset]))]
            for action, other in product(told if kind == "efce" else [{}], own):
                yield player, {**way, **action}, {at: other[at] for at in after}


def tiny(tree: Tree, most: int = 64) -> Tree:
    """Only games that can be written out."""
    assume(1 < prod(tree.pure_strategies(name) for name in tree.names) <= most and len(tree) < 40)
    return tree


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, private=st.booleans(), depth=st.integers(2, 4), second=st.integers(-2, 2))
def test_against_the_program_written_out(seed: int, private: bool, depth: int, second: int) -> None:
    rules = private_rules(seed) if private else random_rules(seed, 2, depth)
    tree = tiny(rules().tree())
    weights = {**PLAIN, "bob": F(second)}
    for kind in ("ce", *BY_SEQUENCES):
        device = correlated(tree, kind, weights)
        assert device.certificate == "exact"
        assert float(device.welfare) == pytest.approx(written_out(tree, kind, weights), abs=1e-6)


@pytest.mark.parametrize("kind", ["ce", *BY_SEQUENCES])
def test_signals_written_out(kind: str) -> None:
    tree = signal().tree()
    for weights in ({"student": F(2), "professor": F(-1)}, {"student": F(-1), "professor": F(2)}):
        device = correlated(tree, kind, weights)
        assert float(device.welfare) == pytest.approx(written_out(tree, kind, weights), abs=1e-9)


# ---------------------------------------------------------------------- compact and by plans


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, private=st.booleans(), depth=st.integers(2, 5), second=st.integers(-3, 3))
def test_compact_is_by_plans(seed: int, private: bool, depth: int, second: int) -> None:
    tree = (private_rules(seed) if private else random_rules(seed, 2, depth))().tree()
    listed, size = efce.listed_player(tree)
    assume(size <= 300)
    pairs, weights = relevant_pairs(tree), {**PLAIN, "bob": F(second)}
    for kind in BY_SEQUENCES:
        for player in {listed, 1 - listed} if size <= 100 else {listed}:
            plans = efce.by_plans(pairs, player, weights, kind, Options())
            welfares = welfare(tree, kind, weights, plans)
            compact = efce.by_sequence_pairs(pairs, weights, kind, Options())
            assert compact is not None or not pairs.triangle_free
            if compact is not None:
                assert compact.draws
                assert welfare(tree, kind, weights, compact) == welfares


def welfare(tree: Tree, kind: str, weights: Mapping[str, Fraction], device: Any) -> Fraction:
    """Of a device that is in equilibrium."""
    made = {
        tuple(Pure(tree, name, plan) for name, plan in zip(tree.names, plans, strict=True)): share
        for plans, share in device.draws
    }
    found = JointEvaluation(tree, kind, weights, made, device.how)
    assert found.regret == 0
    return found.welfare


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, private=st.booleans(), depth=st.integers(2, 5))
def test_each_kind_has_the_one_before(seed: int, private: bool, depth: int) -> None:
    tree = (private_rules(seed) if private else random_rules(seed, 2, depth))().tree()
    assume(prod(tree.reduced_strategies(name) or 1000 for name in tree.names) <= 300)
    nash = [sum(solve(tree, name).payoffs.values()) for name in ("lcp", "lemke-howson")]
    found = [correlated(tree, kind) for kind in ("ce", *BY_SEQUENCES)]
    welfares = [max(nash), *(device.welfare for device in found)]
    assert welfares == sorted(welfares)
    assert welfares[-1] <= max(sum(leaf.payoffs.values()) for leaf in tree.leaves)
    # what is told later is told less: the check says so of each device, too
    for number, device in enumerate(found):
        for kind in ("ce", *BY_SEQUENCES)[number:]:
            again = JointEvaluation(tree, kind, PLAIN, device.distribution, "again")
            assert again.regret == 0


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, depth=st.integers(2, 6), first=st.integers(-2, 2))
def test_zero_sum_games_have_one_value(seed: int, depth: int, first: int) -> None:
    tree = zero_sum(random_rules(seed, 2, depth)().tree())
    assume(efce.listed_player(tree)[1] <= 600)
    value = solve(tree, "lp").value
    for kind in BY_SEQUENCES:
        device = correlated(tree, kind, {**PLAIN, "ann": first})
        assert device.certificate == "exact"
        assert device.payoffs == {"ann": value, "bob": -value}


def test_kuhn_and_the_sheriff() -> None:
    for kind in ("ce", *BY_SEQUENCES):
        assert correlated(games.kuhn(), kind).payoffs["gambler"] == F(-1, 18)
    tree = sheriff(items=5).tree()
    assert relevant_pairs(tree).triangle_free
    found = [correlated(tree, kind) for kind in ("ce", *BY_SEQUENCES)]
    assert [device.certificate for device in found] == ["exact"] * 4
    welfares = [device.welfare for device in found]
    assert welfares[0] < welfares[1] < welfares[2] < welfares[3]


# ---------------------------------------------------------------------- which pairs matter


def test_triangles() -> None:
    free = (games.centipede(), games.goofspiel(cards=3), sheriff(), games.entry_game())
    assert all(relevant_pairs(one.tree()).triangle_free for one in free)
    bound = (games.kuhn(), games.beer_quiche(), signal(), two_questions())
    assert not any(relevant_pairs(one.tree()).triangle_free for one in bound)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, private=st.booleans())
def test_relevant_pairs_are_those_on_one_path(seed: int, private: bool) -> None:
    tree = (private_rules(seed) if private else random_rules(seed, 2, 4))().tree()
    pairs = relevant_pairs(tree)
    first, second = tree.choices
    met = set()
    for leaf in tree.leaves:
        above, ways = leaf.index, ([], [])  # type: tuple[int, tuple[list[int], list[int]]]
        while above >= 0:
            if tree.player[above] >= 0:
                ways[tree.player[above]].append(int(tree.infoset[above]))
            above = int(tree.parent[above])
        met |= set(product(*ways))
    named = zip(
        first.infosets[pairs.one].tolist(), second.infosets[pairs.two].tolist(), strict=True
    )
    assert set(named) == met
    one, two = pairs.sequences
    assert len(set(zip(one.tolist(), two.tolist(), strict=True))) == len(pairs) == len(one)
    assert pairs.at(one, two).tolist() == list(range(len(pairs)))


def test_what_is_decomposed_off_a_plan_is_the_plan() -> None:
    device = correlated(sheriff(), "efcce")
    tree = device.tree
    pairs = relevant_pairs(tree)
    one, two = (part.tolist() for part in pairs.sequences)
    weights = [device.plan.get(pair, F(0)) for pair in zip(one, two, strict=True)]
    whole = 10**6 * prod({weight.denominator for weight in weights})
    drawn, left = decomposed(pairs, [int(weight * whole) for weight in weights], Options())
    assert left == 0
    assert sum(share for _, share in drawn) == whole
    assert len(drawn) <= sum(weight > 0 for weight in weights)
    floats, rest = decomposed(pairs, [float(weight) for weight in weights], Options())
    assert rest < 1e-6
    assert sum(share for _, share in floats) == pytest.approx(1)


@pytest.mark.parametrize("kind", BY_SEQUENCES)
def test_middles_of_stars_first(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the right order no choice is ever taken back."""
    monkeypatch.setattr(lotteries, "MOST_BACKTRACKS", 0)
    for rules in (sheriff(rounds=2), sheriff(items=4), games.battleships(width=3, height=1)):
        device = correlated(rules, kind)
        assert device.distribution
        assert device.certificate == "exact"


# ---------------------------------------------------------------------- the check


@pytest.mark.parametrize("kind", BY_SEQUENCES)
def test_weights_alone_say_the_same(kind: str) -> None:
    for tree in (sheriff().tree(), signal().tree()):
        device = correlated(tree, kind)
        alone = JointEvaluation(tree, kind, device.weights, {}, "weights", given=device.plan)
        assert alone.payoffs == device.payoffs
        assert alone.regrets == device.regrets
        assert alone.outcomes == device.outcomes
        assert "how likely both make these choices" in str(Solution(alone, kind))
    less = {pair: weight for pair, weight in device.plan.items() if pair != (0, 0)}
    with pytest.raises(StrategyError, match="not a correlation plan"):
        JointEvaluation(tree, kind, device.weights, {}, "weights", given=less)
    more = {pair: weight * (1 + (pair[0] == 1)) for pair, weight in device.plan.items()}
    with pytest.raises(StrategyError, match="not a correlation plan"):
        JointEvaluation(tree, kind, device.weights, {}, "weights", given=more)


@pytest.mark.parametrize("kind", BY_SEQUENCES)
def test_weights_alone_are_found_out(kind: str) -> None:
    device = distinct_moves(kind)
    alone = JointEvaluation(device.tree, kind, device.weights, {}, "weights", given=device.plan)
    assert alone.regrets == device.regrets == {"student": 3, "professor": 0}


def distinct_moves(kind: str) -> JointEvaluation:
    """The good student says X and is hired for it, the bad one Y and is not."""
    tree = signal().tree()
    apart = pure(tree, "student", {"good": "X", "bad": "Y"})
    hire = pure(tree, "professor", {"X": "hire", "Y": "refuse"})
    return JointEvaluation(
        tree, kind, {"student": F(1), "professor": F(1)}, {(apart, hire): F(1)}, ""
    )


def test_an_honest_signal_is_found_out() -> None:
    """A bad student would say X, too: 6 instead of 0, half of the time."""
    for kind in ("ce", "efce", "efcce"):
        assert distinct_moves(kind).regrets == {"student": 3, "professor": 0}
        assert distinct_moves(kind).certificate.startswith("regret at most 3.00e0")


def coded(kind: str, bad_signals: str) -> JointEvaluation:
    """X or Y stands for "good", which a good student alone is told; a bad one says whatever."""
    tree = signal().tree()
    drawn: dict[tuple[Pure, ...], Fraction] = {}
    for (code, other), bad in product((("X", "Y"), ("Y", "X")), bad_signals):
        student = pure(tree, "student", {"good": code, "bad": bad})
        professor = pure(tree, "professor", {code: "hire", other: "refuse"})
        drawn[student, professor] = F(1, 2 * len(bad_signals))
    return JointEvaluation(tree, kind, {"student": F(1), "professor": F(1)}, drawn, "by hand")


def test_when_one_turns_away_matters() -> None:
    device = coded("efce", "XY")
    assert device.payoffs == {"student": F(7, 2), "professor": F(13, 2)}
    assert device.regret == 0
    # told the whole plan, a bad student knows what a good one is told: 6 more in 1 case of 4
    assert coded("ce", "XY").regrets == {"student": F(3, 2), "professor": 0}
    # told to hire at X, where all bad ones go, a professor would rather not: 6 against 5
    assert coded("efce", "X").regrets == {"student": 0, "professor": F(1, 2)}


# ---------------------------------------------------------------------- limits


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efce, "MOST_PAIRS", 400)
    with pytest.raises(
        TooLarge, match=r"efce is a linear program of 409 pairs .* more than 400; take"
    ):
        correlated(games.kuhn(ranks=6), "efce")
    monkeypatch.setattr(efce, "MOST_WEIGHTS", 19)
    with pytest.raises(TooLarge, match=r"efce is NP-hard .*listing plans takes 20 weights, more"):
        correlated(two_questions(), "efce")
    with pytest.raises(NotProved, match="no efce was found in time; allow more"):
        correlated(two_questions(), "efce", seconds=0)


def test_floats_and_no_time() -> None:
    for rules in (signal, two_questions, sheriff):
        approximate, exact = correlated(rules, "efce", exact=False), correlated(rules, "efce")
        assert approximate.regret < F(1, 10**9)
        assert approximate.welfare == pytest.approx(float(exact.welfare), abs=1e-9)
        solution = correlated_solution(rules, "efce", seconds=0)
        stopped: Any = solution.evaluation
        assert "stopped" in solution.note
        assert sum(stopped.distribution.values()) == 1
        assert stopped.certificate != "exact"


def test_where_there_is_little_to_choose() -> None:
    @game(players=("one", "two"))
    def little(g: Play, who: str = "") -> object:
        moved = g.choose(who, (1, 2)) if who else g.chance((1, 2))
        return (moved, -moved)

    for who, value in (("", F(3, 2)), ("one", 2), ("two", 1)):
        for kind in BY_SEQUENCES:
            device = correlated(little(who=who), kind)
            assert device.certificate == "exact"
            assert device.payoffs == {"one": value, "two": -value}
