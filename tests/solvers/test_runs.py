"""Runs that are stepped: the same as ``solve``, however divided; minimizers of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import infoset
from infoset import games, solve, start
from infoset.errors import FileError, InfosetError, NotApplicable, ParameterError, StrategyError
from infoset.forms.public import PublicForm
from infoset.solvers.cfr.run import CFRRun
from infoset.solvers.cfr.variants import VARIANTS, Variant, variant
from infoset.solvers.runs import Run
from infoset.tree import Tree
from tests.solvers.regret.odd_games import generic_tree

Floats = npt.NDArray[np.float64]

KUHN = games.kuhn().tree()
LEDUC = games.leduc().tree()
KUHN_3 = games.kuhn(players=3).tree()
GENERAL = generic_tree(3, 3, 4)  # no ties, which rounding would decide
PUBLIC = games.leduc().public()
EVERYWHERE = {"kuhn": KUHN, "three players": KUHN_3, "general sum": GENERAL, "public form": PUBLIC}


def bits(game: Tree | PublicForm, solution: Any) -> list[list[int]]:
    if isinstance(game, PublicForm):
        return [own.plan.numerators.tolist() for own in solution.evaluation.verified.strategies]
    return [plan.weights.numerators.tolist() for plan in solution.verified]


def points(convergence: Any) -> list[Any]:
    return [(one.iterations, one.regrets, one.coarse) for one in convergence.points]


def stepped(run: Run, *steps: int) -> Run:
    for count in steps:
        run.step(count)
    return run


# ---------------------------------------------------------------------- the same as solve


@pytest.mark.parametrize("row", VARIANTS, ids=lambda row: row.name)
@pytest.mark.parametrize("game", EVERYWHERE.values(), ids=EVERYWHERE)
def test_steps_of_any_length_are_a_solve(game: Any, row: Variant) -> None:
    whole = solve(game, row.name, iterations=60)
    for steps in ([1] * 60, [60], [7, 0, 1, 52]):
        run = stepped(start(game, row.name), *steps)
        answer = run.solution()
        assert bits(game, answer) == bits(game, whole)
        assert points(answer.convergence) == points(whole.convergence)
        assert points(run.convergence) == points(whole.convergence)
        assert answer.work == whole.work
        assert answer.note == whole.note


@pytest.mark.parametrize("game", [LEDUC, PUBLIC], ids=["tree", "public form"])
def test_workers_and_steps_change_nothing(game: Any) -> None:
    whole = solve(game, "cfr+", iterations=40)
    for workers in (2, 3):
        run = stepped(start(game, "cfr+", workers=workers), 13, 27)
        assert bits(game, run.solution()) == bits(game, whole)


@pytest.mark.parametrize("method", ["external-sampling", "outcome-sampling"])
@pytest.mark.parametrize("tree", [KUHN, KUHN_3], ids=["two players", "three players"])
def test_sampling_in_steps_is_sampling(tree: Tree, method: str) -> None:
    whole = solve(tree, method, iterations=120, seed=3)
    for steps in ([1] * 120, [120], [50, 70]):
        run = stepped(start(tree, method, seed=3), *steps)
        answer = run.solution()
        assert bits(tree, answer) == bits(tree, whole)
        assert points(run.convergence) == points(whole.convergence)
        assert answer.work.items() >= whole.work.items()


@pytest.mark.parametrize("method", ["cfr", "discounted-cfr", "external-sampling"])
@pytest.mark.parametrize("game", [KUHN_3, games.kuhn()], ids=["three players", "rules"])
def test_looking_at_a_run_does_not_change_it(game: Any, method: str) -> None:
    plain, watched = start(game, method), start(game, method)
    plain.step(50)
    for _ in range(10):
        watched.step(5)
        _ = watched.regret, watched.strategy, watched.convergence
        _ = watched.exploitability, watched.solution()
    assert points(watched.convergence)[-1] == points(plain.convergence)[-1]
    assert {name: dict(own) for name, own in watched.strategy.items()} == {
        name: dict(own) for name, own in plain.strategy.items()
    }


@pytest.mark.parametrize("method", ["cfr+", "external-sampling"])
def test_a_run_is_saved_and_resumed(method: str, tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    whole = stepped(start(KUHN, method), 30)
    stepped(start(KUHN, method), 11).save(file)
    run = start(KUHN, method)
    run.resume(file)
    assert run.iterations == 11
    run.step(19)
    assert bits(KUHN, run.solution()) == bits(KUHN, whole.solution())
    assert points(run.convergence) == points(whole.convergence)
    solved = solve(KUHN, method, iterations=30, checkpoint=file)
    assert bits(KUHN, solved) == bits(KUHN, whole.solution())
    with pytest.raises((FileError, ParameterError), match=r"of another game|has game"):
        start(KUHN_3, method).resume(file)


# ---------------------------------------------------------------------- what a run says


def test_a_run_says_how_far_it_is() -> None:
    run = start(KUHN, "cfr+")
    assert (run.iterations, run.seconds, run.players) == (0, 0.0, ("gambler", "dealer"))
    before = run.exploitability
    run.step(200)
    assert run.regret <= run.exploitability < before
    assert [point.iterations for point in run.convergence.points][-1] == 200
    assert repr(run) == "<Run of cfr+ on kuhn(): 200 iterations>"
    assert run.convergence.csv().startswith("seconds,iterations,regret,")


@pytest.mark.parametrize("game", [KUHN, games.kuhn().public()], ids=["tree", "public form"])
def test_strategies_are_read_by_player_and_label(game: Any) -> None:
    run = start(game, "cfr+")
    assert dict(run.strategy["dealer"]["Q, bet"]) == {"pass": 0.5, "bet": 0.5}
    run.step(2000)
    assert run.strategy["dealer"]["Q, bet"]["bet"] == pytest.approx(1 / 3, abs=0.02)
    assert run.strategy["gambler"]["J"]["pass"] + run.strategy["gambler"]["J"]["bet"] == 1
    assert isinstance(run, CFRRun)
    assert run.current["dealer"]["K, bet"]["bet"] == 1


@pytest.mark.parametrize("game", [LEDUC, PUBLIC], ids=["tree", "public form"])
def test_the_average_strategy_has_the_regret_that_is_measured(game: Any) -> None:
    run = stepped(start(game, "cfr+"), 25)
    answer = run.solution()
    assert isinstance(run, CFRRun)
    assert sum(map(float, answer.regrets.values())) == pytest.approx(run.exploitability, rel=1e-6)
    for player, own in run.strategy.items():
        for label in list(own)[:40]:
            found = answer.strategy[player][label]
            assert sum(own[label].values()) == pytest.approx(1)
            for action, probability in own[label].items():
                assert float(found[action]) == pytest.approx(probability, abs=1e-6)


def test_start_is_exported() -> None:
    assert "start" in infoset.__all__
    assert infoset.start is start


@pytest.mark.parametrize(
    ("make", "kind", "said"),
    [
        (lambda: start(KUHN, "lp"), NotApplicable, "lp has no iterations to step; these have: cfr"),
        (
            lambda: start(KUHN, "cfr++"),
            InfosetError,
            r"no method 'cfr\+\+'; did you mean",
        ),
        (lambda: start(KUHN, "cfr+", iterations=3), ParameterError, "iterations: cfr\\+ that is"),
        (lambda: start(KUHN, "cfr+", seed=3), ParameterError, "seed: cfr\\+ that is stepped"),
        (lambda: start(KUHN, "cfr+", color=3), ParameterError, "there is no setting 'color'"),
        (lambda: start(KUHN, "cfr+", averaging=len), ParameterError, "a function of t goes with"),
        (lambda: start(KUHN, "cfr+", averaging="x"), ParameterError, "averaging='x'"),
        (lambda: start(KUHN).step(-1), ParameterError, "iterations=-1"),
        (lambda: start(KUHN).step(1.5), ParameterError, "iterations=1.5"),  # type: ignore[arg-type]
        (lambda: start(KUHN, "external-sampling").step(True), ParameterError, "iterations=True"),
        (lambda: start(games.absent_minded()), NotApplicable, "perfect recall"),
        (lambda: start(KUHN, "cfr", minimizer=Matching), ParameterError, "stands in its place"),
        (
            lambda: start(KUHN, minimizer=Matching, precision="float32"),
            ParameterError,
            "precision: a minimizer",
        ),
    ],
)
def test_what_cannot_be_started(make: Callable[[], Any], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said) as refusal:
        make()
    assert "\n" not in str(refusal.value)


# ---------------------------------------------------------------------- minimizers of one's own


class Matching:
    """The variants by the protocol of minimizers: regret matching with discounts and prediction."""

    row = variant("cfr")

    def __init__(self, information_sets: int, actions: int) -> None:
        self.regrets = np.zeros((information_sets, actions))
        self.expected = np.zeros((information_sets, actions))
        self.time = 0

    def strategy(self) -> Floats:
        total = self.expected.sum(axis=1, keepdims=True)
        uniform = np.full_like(self.expected, 1 / self.expected.shape[1])
        return np.divide(self.expected, total, out=uniform, where=total > 0)

    def observe(self, utilities: Floats) -> None:
        self.time += 1
        gain = utilities - (self.strategy() * utilities).sum(axis=1, keepdims=True)
        self.regrets += gain
        keep, cut = (kept(self.time, one) for one in self.row.exponents[:2])
        self.regrets *= np.where(self.regrets > 0, keep, cut)
        self.expected = np.maximum(self.regrets + (gain if self.row.predictive else 0), 0)


def kept(time: int, exponent: float) -> float:
    if np.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return time**exponent / (time**exponent + 1)


def matching(row: Variant) -> type[Matching]:
    return type(f"Matching{row.name}", (Matching,), {"row": row})


@pytest.mark.parametrize("row", VARIANTS, ids=lambda row: row.name)
@pytest.mark.parametrize("game", EVERYWHERE.values(), ids=EVERYWHERE)
def test_minimizers_agree_with_the_kernels_at_every_iterate(game: Any, row: Variant) -> None:
    ours = start(game, row.name)
    own = start(game, minimizer=matching(row), averaging=lambda time: time**row.averaging)
    assert isinstance(ours, CFRRun)
    assert isinstance(own, CFRRun)
    sequences = np.delete(np.arange(ours.loop.layout.sequences), ours.loop.layout.form.roots)
    for _ in range(25):
        ours.step()
        own.step()
        for name in ("strategy", "weight", "summed"):
            np.testing.assert_allclose(
                getattr(own.loop.state, name)[sequences],
                getattr(ours.loop.state, name)[sequences],
                rtol=1e-9,
                atol=1e-9,
            )
    assert own.regret == pytest.approx(ours.regret, rel=1e-6)


@pytest.mark.parametrize("updates", ["alternating", "simultaneous"])
def test_both_kinds_of_updates(updates: str) -> None:
    ours = stepped(start(LEDUC, "cfr", updates=updates), 30)
    own = stepped(start(LEDUC, minimizer=Matching, updates=updates), 30)
    assert own.regret == pytest.approx(ours.regret, rel=1e-6)


class Hedge:
    """Exponential weights, whose strategies depend on the scale of payoffs."""

    def __init__(self, information_sets: int, actions: int) -> None:
        self.gains = np.zeros((information_sets, actions))

    def strategy(self) -> Floats:
        weights = np.exp(self.gains - self.gains.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def observe(self, utilities: Floats) -> None:
        self.gains += utilities


def test_utilities_are_payoffs() -> None:
    """Of a payoff table: what every action gets against the other's mixture, but for a constant."""
    seen: list[Floats] = []

    class Listening(Hedge):
        def observe(self, utilities: Floats) -> None:
            seen.append(utilities.copy())
            super().observe(utilities)

    table = infoset.matrix_game([[8, 0], [0, 4]], [[-8, 0], [0, -4]])
    run = start(table, minimizer=Listening, updates="simultaneous")
    run.step(1)
    assert [own.shape for own in seen] == [(1, 2), (1, 2)]
    assert np.ptp(seen[0]) == pytest.approx(2)  # 4 against 2
    assert np.ptp(seen[1]) == pytest.approx(2)  # -4 against -2
    assert run.regret > 0
    run.step(500)
    solution = run.solution()
    assert solution.method == "Listening"
    assert float(solution.value) == pytest.approx(8 / 3, abs=0.2)


class Short(Hedge):
    def strategy(self) -> Floats:
        return super().strategy()[:, 1:]


class Unequal(Hedge):
    def strategy(self) -> Floats:
        return super().strategy() * 0.9


class Undefined(Hedge):
    def strategy(self) -> Floats:
        return super().strategy() * np.nan


@pytest.mark.parametrize(
    ("minimizer", "said"),
    [
        (Short, r"Short.strategy\(\) has shape \(6, 1\); \(6, 2\) is needed"),
        (Unequal, r"Unequal.strategy\(\), row 0: \[0.45, 0.45\] are no probabilities"),
        (Undefined, r"Undefined.strategy\(\), row 0: \[nan, nan\] are no probabilities"),
    ],
)
def test_strategies_that_are_none_are_refused(minimizer: Any, said: str) -> None:
    with pytest.raises(StrategyError, match=said):
        start(KUHN, minimizer=minimizer)


def test_a_minimizer_of_ones_own_is_not_saved(tmp_path: Path) -> None:
    run = stepped(start(KUHN, minimizer=Hedge), 3)
    with pytest.raises(StrategyError, match="Hedge: a run with a minimizer of one's own has no"):
        run.save(tmp_path / "run")
    assert not list(tmp_path.iterdir())


def test_mappings_are_what_they_seem() -> None:
    run = stepped(start(games.kuhn(), "external-sampling"), 10)
    assert all(isinstance(own, Mapping) for own in run.strategy.values())
    assert set(run.strategy) == {"gambler", "dealer"}
