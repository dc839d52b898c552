"""The peers of the regret benchmark: the same games as ours, and iterations that mean the same."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from infoset import save, solve
from infoset.games import kuhn, liars_dice
from infoset.rules.moves import CHANCE, LEAF
from infoset.strategy import Behaviour, Profile, profile, uniform
from infoset.tree import Tree
from infoset.tree.openspiel import tree_of_openspiel

FOLDER = Path(__file__).parents[2] / "benchmarks" / "regret"


def loaded(name: str) -> ModuleType:
    """A file of the benchmark, which is no package."""
    spec = importlib.util.spec_from_file_location(f"regret_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look for their module
    spec.loader.exec_module(module)
    return module


peers = loaded("peers")
SMALL = ("kuhn", "leduc", "goofspiel 4", "goofspiel 5")


@pytest.fixture
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")


@pytest.fixture(params=["OpenSpiel", "LiteEFG"])
def peer(request: pytest.FixtureRequest) -> Any:
    """The name of a peer that is installed."""
    package = {"OpenSpiel": "pyspiel", "LiteEFG": "LiteEFG"}[request.param]
    pytest.importorskip(package, reason=f"{request.param} is not installed")
    return request.param


def half(regrets: Any) -> float:
    return float(sum(regrets.values())) / 2


def at_random(tree: Tree) -> Profile:
    return profile(uniform(tree, player) for player in tree.names)


def plays(tree: Tree) -> tuple[list[Any], ...]:
    """All that matters, in the order of the nodes, however many steps chance takes at once.

    Who moves or that it is over, and what the mover knows; what chance does for an end, and what it
    pays. Information sets have numbers in the order in which they are met.
    """
    kept = tree.player != CHANCE
    paid = [list(stake.values()) for stake in tree.leaf_payoffs]
    leaf_indices = tree.chance_reach.take(tree.leaf_indices).values()
    return tree.player[kept].tolist(), tree.infoset[kept].tolist(), list(leaf_indices), *paid


# ---------------------------------------------------------------------- the same games


@pytest.mark.usefixtures("pyspiel")
@pytest.mark.parametrize("game", SMALL)
def test_openspiel_has_the_same_game(game: str) -> None:
    same = peers.GAMES[game]
    ours, theirs = same.ours.tree(), tree_of_openspiel(same.openspiel)
    assert len(theirs) == len(ours) + same.deals
    assert plays(theirs) == plays(ours)
    for mine, yours in zip(ours.names, theirs.names, strict=True):
        assert len(theirs.infosets_of(yours)) == len(ours.infosets_of(mine))
        assert theirs.sequences(yours) == ours.sequences(mine)
    assert abs(float(solve(theirs).value - solve(ours).value)) <= 1e-9


def test_openspiel_has_the_same_liars_dice(pyspiel: Any) -> None:
    """The value where it is quickly found; in full, what is known, and what uniform play pays."""
    small = tree_of_openspiel("liars_dice(players=2,numdice=1,dice_sides=3)")
    ours = liars_dice(sides=3).tree()
    assert plays(small) == plays(ours)
    assert solve(small).value == solve(ours).value == Fraction(1, 9)

    same = peers.GAMES["liars_dice"]
    theirs, tree = pyspiel.load_game(same.openspiel), same.ours.tree()
    policy = pyspiel.CFRPlusSolver(theirs).tabular_average_policy()  # before it begins: uniform
    assert len(policy.policy_table()) == len(tree.infosets) == 24_576
    paid = pyspiel.expected_returns(theirs.new_initial_state(), policy, -1, True)
    expected = at_random(tree).payoffs
    assert paid == pytest.approx([float(own) for own in expected.values()], abs=1e-12)


@pytest.mark.usefixtures("pyspiel")
def test_openspiel_forgets_the_order_of_open_bids() -> None:
    """So that it has no goofspiel in which all see the bids and none forgets them."""
    theirs = tree_of_openspiel(
        "turn_based_simultaneous_game(game=goofspiel(num_cards=4,points_order=descending))"
    )
    ours = peers.goofspiel(cards=4).tree()
    assert len(theirs) == len(ours)
    assert (len(theirs.infosets), len(ours.infosets)) == (2 * 135, 2 * 161)


# ---------------------------------------------------------------------- what an iteration is


class Textbook:
    """CFR+ (Tammelin 2014) on a tree, one player after the other, by walking every node."""

    def __init__(self, tree: Tree, after: bool) -> None:
        self.tree, self.after = tree, after  # is a strategy averaged after its update?
        sizes = [len(infoset.actions) for infoset in tree.infosets]
        self.regret = [np.zeros(size) for size in sizes]
        self.total = [np.zeros(size) for size in sizes]
        self.below: list[list[int]] = [[] for _ in range(len(tree))]
        for node, above in enumerate(tree.parent.tolist()):
            if above >= 0:
                self.below[above].append(node)

    def strategy(self, infoset: int, of: list[np.ndarray]) -> np.ndarray:
        sums = of[infoset]
        return sums / sums.sum() if sums.sum() > 0 else np.full(len(sums), 1 / len(sums))

    def walk(self, node: int, owner: int, others: float, gains: dict[int, np.ndarray]) -> float:
        """What the play is worth to the owner from here on, times the others' part in coming."""
        tree = self.tree
        mover, infoset = int(tree.player[node]), int(tree.infoset[node])
        if mover == LEAF:
            return others * float(tree.payoffs[tree.outcome[node]][owner])
        if mover == CHANCE:
            probabilities = np.array(
                [float(share) for share in tree.lotteries[infoset].probabilities]
            )
        else:
            probabilities = self.strategy(infoset, self.regret)
        if mover != owner:
            below = zip(self.below[node], probabilities, strict=True)
            return sum(self.walk(child, owner, others * share, gains) for child, share in below)
        worth = np.array([self.walk(child, owner, others, gains) for child in self.below[node]])
        gains[infoset] = gains.get(infoset, 0) + worth - probabilities @ worth
        return float(probabilities @ worth)

    def weigh(self, owner: int, weight: float) -> None:
        """Add the owner's strategy to the sums, once for each information set."""
        seen: set[int] = set()

        def visit(node: int, own: float) -> None:
            mover, infoset = int(self.tree.player[node]), int(self.tree.infoset[node])
            probabilities = np.ones(len(self.below[node]))
            if mover == owner:
                probabilities = self.strategy(infoset, self.regret)
                if infoset not in seen:
                    self.total[infoset] += weight * own * probabilities
                    seen.add(infoset)
            for child, share in zip(self.below[node], probabilities, strict=True):
                visit(child, own * share)

        visit(0, 1.0)

    def iterate(self, number: int) -> None:
        for owner in (0, 1):
            if not self.after:
                self.weigh(owner, number)
            gains: dict[int, np.ndarray] = {}
            self.walk(0, owner, 1.0, gains)
            for infoset, gain in gains.items():
                self.regret[infoset] = np.maximum(self.regret[infoset] + gain, 0)
        if self.after:
            for owner in (0, 1):
                self.weigh(owner, number)

    def exploitability(self) -> float:
        average = [self.strategy(infoset, self.total) for infoset in range(len(self.total))]
        return judged(self.tree, average)


def judged(tree: Tree, average: list[Any]) -> float:
    """NashConv / 2, by us, of a probability for every action of every information set."""
    strategies = []
    for number, player in enumerate(tree.names):
        own = np.flatnonzero(tree.infoset_player == number)
        assert (tree.choices[number].infosets == own).all()
        probabilities = np.concatenate([[1.0], *(average[infoset] for infoset in own)])
        strategies.append(Behaviour(tree, player, probabilities))
    return half(profile(strategies).regrets)


def generic() -> Tree:
    """The tree of kuhn with payoffs drawn for each leaf.

    With kuhn's own, regrets are zero but for rounding, which regret matching makes a choice of.
    """
    tree = kuhn().tree()
    leaf_indices = np.flatnonzero(tree.player == LEAF)
    drawn = np.random.default_rng(3).integers(-2048, 2049, len(leaf_indices)).tolist()
    outcome = np.full(len(tree), -1, np.int32)
    outcome[leaf_indices] = np.arange(len(leaf_indices))
    payoffs = tuple((Fraction(paid, 1024), Fraction(-paid, 1024)) for paid in drawn)
    return replace(tree, outcome=outcome, payoffs=payoffs)


def test_an_iteration_updates_both_players_and_adds_to_a_linear_average(
    peer: str, tmp_path: Path
) -> None:
    tree = generic()
    theirs: Any
    if peer == "OpenSpiel":
        pyspiel = importlib.import_module("pyspiel")
        save(tree, tmp_path / "game.efg")
        written = (tmp_path / "game.efg").read_text(encoding="utf-8")
        theirs = peers.OpenSpiel(pyspiel, pyspiel.load_efg_game(written))
    else:
        theirs = peers.LiteEFG(importlib.import_module("LiteEFG"), tree)
    ours = Textbook(tree, after=peer == "LiteEFG")
    for number in range(1, 31):
        theirs.iterate(1)
        ours.iterate(number)
        assert theirs.iterations == number
        assert theirs.exploitability() == pytest.approx(ours.exploitability(), abs=1e-12)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "goofspiel 4"])
def test_exploitability_falls_from_that_of_uniform_play(peer: str, game: str) -> None:
    solver, tree = peers.PEERS[peer](game), peers.GAMES[game].ours.tree()
    begun = half(at_random(tree).regrets)
    assert solver.exploitability() == pytest.approx(begun, abs=1e-12)
    solver.iterate(20)
    assert 0 < 3 * solver.exploitability() < begun


def test_we_judge_openspiel_as_it_does() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    theirs, tree = peers.openspiel("leduc"), tree_of_openspiel(peers.GAMES["leduc"].openspiel)
    theirs.iterate(20)
    table = theirs.solver.tabular_average_policy().policy_table()
    average = [[share for _, share in table[label]] for label in tree.labels]
    assert theirs.exploitability() == pytest.approx(judged(tree, average), abs=1e-9)


def test_we_judge_litefg_as_it_does() -> None:
    pytest.importorskip("LiteEFG", reason="LiteEFG is not installed")
    theirs, tree = peers.litefg("leduc"), peers.GAMES["leduc"].ours.tree()
    theirs.iterate(20)
    average: list[Any] = [None] * len(tree.infosets)
    for player in (1, 2):
        strategy = theirs.graph.current_strategy()
        for name, probabilities in theirs.environment.get_strategy(
            player, strategy, theirs.average
        ):
            average[int(name.removeprefix("i"))] = probabilities
    assert theirs.exploitability() == pytest.approx(judged(tree, average), abs=1e-9)


# ---------------------------------------------------------------------- clocks


class Steady:
    """Takes two seconds by the clock for an iteration, and a hundred to be judged."""

    name = "steady"

    def __init__(self) -> None:
        self.iterations, self.now = 0, 0.0

    def iterate(self, count: int) -> None:
        self.iterations += count
        self.now += 2.0 * count

    def exploitability(self) -> float:
        self.now += 100.0
        return 1 / (1 + self.iterations)


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch) -> Iterator[Steady]:
    solver = Steady()
    with monkeypatch.context() as patch:
        patch.setattr(peers.time, "perf_counter", lambda: solver.now)
        yield solver


def test_time_to_an_exploitability(steady: Steady) -> None:
    seconds, iterations, reached = peers.time_to(steady, 1 / 100, 1e6)
    assert reached
    assert 99 <= iterations == steady.iterations <= 1.25 * 99
    assert seconds == 2 * iterations


def test_time_that_runs_out(steady: Steady) -> None:
    assert peers.time_to(steady, 1e-9, 301.0) == (302.0, 151, False)


def test_a_course_has_every_target_on_its_way(steady: Steady) -> None:
    checks = peers.convergence(steady, 1e-3, 1e6)
    assert [check.iterations for check in checks[:6]] == [0, 1, 2, 3, 4, 5]
    assert peers.first_below(checks, 0.5) == (2.0, 1, True)
    assert peers.first_below(checks, 1e-3)[1:] == (checks[-1].iterations, True)
    with pytest.raises(ValueError, match=r"steady has done \d+ iterations; begin with a new one"):
        peers.convergence(steady, 1e-4, 1e6)


@pytest.mark.parametrize("budget", [1e-3, 1.0, 5e3])
def test_seconds_an_iteration(steady: Steady, budget: float) -> None:
    assert peers.per_iteration(steady, budget) == 2.0
    assert 2 * steady.iterations <= max(1.5 * budget, 10.0)


def test_every_number_is_read_in_every_pass() -> None:
    """Each pass writes next to nothing over a number, and so finds one less."""
    bandwidth = loaded("bandwidth")
    for read in (bandwidth.read_all, bandwidth.read_all.py_func):
        assert read(np.ones(1000), 3) == pytest.approx(1000 + 999 + 998)
    made = np.zeros(5)
    bandwidth.add_scaled(made, np.arange(5.0), np.ones(5), 2)
    assert made.tolist() == [2.0, 3.0, 4.0, 5.0, 6.0]
    assert bandwidth.ones(7).ctypes.data % bandwidth.LINE == 0
    assert bandwidth.ones(7).tolist() == [1.0] * 7
