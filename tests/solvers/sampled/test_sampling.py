"""Sampled runs: known values are met, runs repeat, and memory does not matter."""

from __future__ import annotations

import signal
from fractions import Fraction
from random import Random
from threading import Timer
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import InfosetError, Play, Position, game, games, matrix_game, solve
from infoset.errors import (
    Endless,
    NotApplicable,
    ParameterError,
    RulesError,
    StrategyError,
    TooLarge,
)
from infoset.rules.running import MAX_MOVES
from infoset.solvers.convergence import Progress
from infoset.solvers.options import Options
from infoset.solvers.sampling import find, sample
from infoset.solvers.sampling.exploitability import Estimate
from infoset.solvers.sampling.places import Luck, source
from infoset.solvers.sampling.result import averages
from infoset.solvers.sampling.run import SamplingRequest, SamplingRun
from infoset.solvers.sampling.walks import averaging
from infoset.solvers.settings import Settings
from infoset.solvers.solution import Solution
from infoset.strategy import profile, uniform
from infoset.tree.files import load, save
from infoset.tree.positions import TreePosition
from tests.rules.random_games import random_rules

METHODS = ("external", "outcome")


def tables(found: Solution) -> list[tuple[int, list[float], list[float]]]:
    return [(row.player, row.regrets, row.average) for row in found.evaluation.run.table.rows]


# ------------------------------------------------------------------ known values


@pytest.mark.parametrize("averaging", ["uniform", "linear", "quadratic"])
@pytest.mark.parametrize("method", METHODS)
def test_kuhn_1950_value(method: str, averaging: str) -> None:
    """Kuhn 1950: the first player loses 1/18 a game."""
    found = sample(games.kuhn(), method, iterations=8_000, averaging=averaging, seed=1)
    proved = found.on_tree()
    assert proved.method == f"{method}-sampling"
    assert proved.work == {
        "iterations": 8_000,
        "nodes": found.evaluation.nodes,
        "infosets": 12,
    }
    assert 0 < proved.regret < (Fraction(1, 25) if method == "external" else Fraction(1, 10))
    low, high = proved.value_bounds
    assert low <= Fraction(-1, 18) <= high
    paid = found.payoffs["gambler"]
    assert isinstance(paid, Estimate)
    assert abs(float(paid) - float(proved.value)) < 4 * paid.error
    assert paid.error < 0.05
    assert float(found.payoffs["dealer"]) == -float(paid)


def test_kuhn_in_small() -> None:
    """At the end of a longer run hardly anything is left to gain."""
    proved = sample(games.kuhn().tree(), iterations=40_000).on_tree()
    assert proved.regret < Fraction(1, 100)
    strategy = proved.strategy["dealer"]
    assert strategy["K, bet"]["bet"] > 0.999
    assert strategy["J, bet"]["bet"] < 0.001
    assert strategy["Q, bet"]["bet"] == pytest.approx(1 / 3, abs=0.05)


def test_two_rounds_improve() -> None:
    """Leduc hold'em of three cards: what can be gained shrinks from run to longer run."""
    tree = games.leduc(ranks=3, suits=1, raises=1).tree()
    at_random = profile(uniform(tree, player) for player in tree.names).regret
    short = sample(tree, iterations=100).on_tree().regret
    long = sample(tree, iterations=6_000).on_tree().regret
    assert long < short / 2 < at_random / 2
    assert long < Fraction(1, 8)


def test_three_players() -> None:
    found = sample(games.kuhn(players=3, ranks=4), iterations=4_000)
    proved = found.on_tree()
    assert set(found.evaluation.bound) == {"player 1", "player 2", "player 3"}
    assert proved.regret < Fraction(1, 10)
    assert sum(float(paid) for paid in found.payoffs.values()) == pytest.approx(0)


@pytest.mark.parametrize("method", METHODS)
def test_moves_at_once(method: str) -> None:
    game = matrix_game([[2, -1], [-1, 1]], name="uneven pennies")
    found = sample(game, method, iterations=20_000).on_tree()
    assert found.strategy["row"]["nothing yet"]["row 1"] == pytest.approx(0.4, abs=0.03)
    bids = sample(games.goofspiel(cards=3), method, iterations=8_000).on_tree()
    assert bids.value == pytest.approx(0, abs=0.05)
    assert bids.regret < Fraction(1, 12)


def test_one_player_finds_the_best() -> None:
    @game(players=("ann",))
    def lottery(g: Play) -> object:
        weather = g.chance(("sun", "rain"), (3, 1))
        if g.choose("ann", ("ask", "guess")) == "ask":
            g.pay("ann", Fraction(-1, 4))
            g.reveal("ann", weather)
        g.pay("ann", 1 if g.choose("ann", ("sun", "rain")) == weather else -1)
        return None

    found = sample(lottery(), iterations=2_000)
    assert found.on_tree().value == pytest.approx(0.75, abs=0.02)
    assert found.evaluation.at(found.evaluation.run.source.start.after("sun"))["ask"] > 0.95


def test_files_and_their_order(tmp_path: Any) -> None:
    save(games.kuhn().tree(), tmp_path / "kuhn.efg")
    tree = load(tmp_path / "kuhn.efg")
    found = sample(tree, iterations=3_000)
    assert found.on_tree().tree is tree
    assert found.on_tree().regret < Fraction(1, 20)
    rules = sample(games.kuhn(), iterations=3_000)
    assert tables(rules) == tables(found)  # the same walks, however the game is given


# ------------------------------------------------------------------ what a run depends on


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3), memory=st.integers(0, 30))
def test_neither_memory_nor_kind_matters(method: str, seed: int, players: int, memory: int) -> None:
    made = random_rules(seed, players=players, depth=4)()
    asked = SamplingRequest(
        method, Settings(seed=seed, exploration=0.4 if method == "outcome" else None)
    )
    runs = [
        SamplingRun(source(made), asked),
        SamplingRun(source(made), asked, memory=memory),
        SamplingRun(source(made.tree()), asked),
        SamplingRun(source(Elsewhere(made.position(), players)), asked, memory=memory),
    ]
    for run in runs:
        for _ in range(40):
            run.step()
    found = [[(row.regrets, row.average) for row in run.table.rows] for run in runs]
    assert found[0] == found[1] == found[2] == found[3]
    assert len({run.nodes for run in runs}) == 1
    assert runs[1].places.held <= memory


def test_the_same_seed_is_the_same_run() -> None:
    one, two, other = (sample(games.kuhn(), "outcome", iterations=300, seed=s) for s in (5, 5, 6))
    assert tables(one) == tables(two)
    assert one.payoffs == two.payoffs
    assert one.evaluation.bound == two.evaluation.bound
    assert tables(one) != tables(other)


def test_a_run_that_is_stopped_is_the_beginning_of_a_longer_one() -> None:
    stopped = sample(games.kuhn(), seconds=0.2, seed=2)
    assert stopped.evaluation.iterations > 0
    assert tables(stopped) == tables(
        sample(games.kuhn(), iterations=stopped.evaluation.iterations, seed=2)
    )


def test_plays_longer_than_python_likes() -> None:
    @game(players=("ann", "bob"))
    def patience(g: Play, rounds: int = 2500) -> object:
        for round in range(rounds):
            if g.choose("ann", ("go on", "stop")) == "stop":
                return (round, -round)
        return (0, 0)

    tree = patience(rounds=2500).tree()
    found = sample(tree, iterations=1)
    assert found.evaluation.sets == 2500
    # ann's walk sees the tree, bob's goes down one play
    assert 5001 < found.evaluation.nodes < 2 * 5001


@pytest.mark.parametrize("players", [2, 3])
def test_plays_too_long_to_be_weighed(players: int) -> None:
    """Outcome sampling divides by the probability of a play, which floats may not hold."""

    @game(players=("ann", "bob", "cy")[:players])
    def long(g: Play, rounds: int) -> object:
        for number in range(rounds):
            g.choose("ann", ("left", "right"), knowing=number)
        return (1, -1, 0)[:players] if g.choose("bob", ("x", "y")) == "x" else (0,) * players

    assert sample(long(rounds=600), "outcome", iterations=2).evaluation.iterations == 2
    with pytest.raises(NotApplicable, match=r"after 66\d moves a play is drawn with a probability"):
        sample(long(rounds=700), "outcome", iterations=2)
    if players == 2:
        return
    places = SamplingRun(source(long(rounds=700)), SamplingRequest("outcome", Settings())).places
    with pytest.raises(NotApplicable, match="after 700 moves a play is drawn"):  # for bob's average
        averaging(places, Luck(Random(0)))(1, 1.0)


def test_payoffs_beyond_floats() -> None:
    most = 10**308
    riches = matrix_game([[most, -most], [-most, most]], name="riches")
    with pytest.raises(NotApplicable, match="riches: regrets grow beyond floats"):
        sample(riches, iterations=100)


# ------------------------------------------------------------------ when it ends


def test_unasked_it_makes_ten_thousand() -> None:
    assert sample(games.matching_pennies()).evaluation.iterations == 10_000


def test_a_regret_ends_it() -> None:
    found = sample(games.kuhn(), regret=0.05, seed=3)
    assert max(found.evaluation.bound.values()) <= 0.05
    last, before = found.convergence.last, found.convergence.points[-2]
    assert last is not None
    assert (last.iterations, last.regrets) == (
        found.evaluation.iterations,
        tuple(found.evaluation.bound.values()),
    )
    assert last.regret <= 0.05 < before.regret
    assert found.convergence.at_regret(0.05) == last


def test_stop_and_tick() -> None:
    told: list[str] = []
    found = sample(games.kuhn(), tick=told.append, stop=lambda: len(told) >= 2)
    assert found.evaluation.iterations > 0
    assert len(told) == 3  # and once more at the end
    assert " iterations, 12 information sets, regret about 0.0" in told[-1]


def test_who_watches_sees_how_far_it_is() -> None:
    seen: list[Progress] = []
    asked: dict[str, Any] = {"watch": seen.append, "stop": lambda: len(seen) >= 2}
    sample(games.kuhn(), iterations=10**6, regret=1e-9, **asked)
    early, late, last = seen
    assert last.iterations >= late.iterations
    assert 0 < early.iterations < late.iterations
    assert late.part == late.iterations / 10**6
    assert late.points[: len(early.points)] == early.points != ()
    assert (late.goal, late.seconds > early.seconds) == (1e-9, True)
    seen.clear()
    sample(games.kuhn(), regret=0, **asked)
    assert [moment.part for moment in seen] == [None, None, None]
    seen.clear()
    sample(games.kuhn(), seconds=500, **asked)
    assert all(moment.part is not None and 0 < moment.part < 1 for moment in seen)


def test_an_interrupt_ends_it_with_what_is_known() -> None:
    handler = signal.getsignal(signal.SIGINT)
    timer = Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    found = sample(games.kuhn(), iterations=10**9)
    assert found.note == "interrupted"
    assert 0 < found.evaluation.iterations < 10**9
    assert signal.getsignal(signal.SIGINT) is handler


def test_no_time_is_no_iteration() -> None:
    found = sample(games.kuhn(), seconds=0)
    assert found.evaluation.iterations == 0
    assert found.evaluation.bound["dealer"] == float("inf")
    assert found.convergence.points == ()
    assert found.on_tree().payoffs["gambler"] == Fraction(1, 8)  # play at random


def test_memory_at_its_end(monkeypatch: Any) -> None:
    monkeypatch.setattr("infoset.memory.available", lambda: 1)
    found = sample(games.kuhn(), iterations=10**9)
    assert found.note == "stopped: memory is running out at 12 information sets"
    assert found.evaluation.iterations < 10**9


def test_an_iteration_without_an_end_is_abandoned(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("infoset.solvers.sampling.run.GRACE", 0.05)
    told: list[str] = []
    found = sample(
        games.goofspiel(cards=9),
        tick=told.append,
        stop=lambda: bool(told),
        checkpoint=tmp_path / "run",
    )
    assert found.evaluation.iterations == 0
    assert found.evaluation.nodes == 0
    assert found.evaluation.sets > 100
    assert told[0].startswith("0 iterations, ")
    assert "stopped within an iteration" in found.note
    assert not (tmp_path / "run").exists()  # what is half done is not kept


# ------------------------------------------------------------------ what it says


def test_at_a_position() -> None:
    found = sample(games.goofspiel(cards=3), iterations=500)
    start = games.goofspiel(cards=3).position()
    bids = found.evaluation.at(start, "player 2")
    assert list(bids) == [1, 2, 3]
    assert sum(bids.values()) == pytest.approx(1)
    with pytest.raises(InfosetError, match="player 1 and player 2 move at once"):
        found.evaluation.at(start)
    never = sample(games.goofspiel(cards=5), "outcome", iterations=1)
    deep = games.goofspiel(cards=5).position().after((4, 5)).after((5, 3))
    assert never.evaluation.at(deep, "player 1") == {1: 1 / 3, 2: 1 / 3, 3: 1 / 3}


def test_at_agrees_with_the_tree() -> None:
    tree = games.leduc(ranks=3, suits=1, raises=1).tree()
    found = sample(tree, iterations=300)
    placed = averages(found.evaluation.run, tree)
    for infoset in tree.infosets:
        here = found.evaluation.at(TreePosition(tree, infoset.nodes[-1].index))
        assert list(here.values()) == placed[infoset.index]


def test_words() -> None:
    found = sample(games.kuhn(), iterations=1_000)
    assert repr(found).startswith("<Solution of kuhn() by external-sampling: not verified: ")
    lines = str(found).splitlines()
    assert lines[0] == "kuhn()"
    assert "12 information sets" in lines[2]
    assert " ± " in lines[3]
    assert lines[6:9] == ["", "gambler", ""]  # and then what it does
    assert "dealer" in lines


def test_floats_where_nothing_is_to_be_proved() -> None:
    tree = games.kuhn().tree()
    options = Options(settings=Settings(iterations=50, prove=False))
    assert not any(strategy.exact for strategy in find(tree, options).strategies)
    options = Options(settings=Settings(iterations=50))
    assert all(strategy.exact for strategy in find(tree, options).strategies)


def test_another_tree_is_refused() -> None:
    found = sample(games.kuhn(), iterations=10)
    with pytest.raises(StrategyError, match="this is not the tree of kuhn"):
        found.on_tree(games.kuhn(ranks=4).tree())
    with pytest.raises(StrategyError, match="its players are row, column"):
        found.on_tree(matrix_game([[1]]).tree())


def test_a_team_that_forgets() -> None:
    """Nothing is promised, and the regret says so: the two never come to agree on a sign."""

    @game(players={"team": ("east", "west"), "dealer": ()})
    def hints(g: Play) -> object:
        coin = g.chance(("heads", "tails"))
        g.reveal("east", coin)
        g.reveal("west", g.choose("east", ("red", "black")))
        return g.win("team" if g.choose("west", ("heads", "tails")) == coin else "dealer")

    found = sample(hints(), iterations=2_000, seed=1)
    assert found.evaluation.sets == 4
    assert found.on_tree().payoffs["team"] == pytest.approx(0, abs=0.05)
    assert found.on_tree().regrets["team"] == pytest.approx(1, abs=0.05)


# ------------------------------------------------------------------ other games, and no games


class Elsewhere:
    """A game on an engine of its own, known by the protocol alone."""

    name = "elsewhere"

    def __init__(self, start: Position, players: int) -> None:
        self.start = start
        self.players = ("ann", "bob", "cy")[:players]

    def position(self) -> Position:
        return Engine(self.start)


class Engine:
    """Another position behind the same protocol."""

    def __init__(self, inner: Position) -> None:
        self.inner = inner
        self.options, self.chances, self.view = inner.options, inner.chances, inner.view

    @property
    def over(self) -> bool:
        return self.inner.over

    @property
    def movers(self) -> tuple[str, ...]:
        return self.inner.movers

    @property
    def payoffs(self) -> Any:
        return self.inner.payoffs

    def after(self, move: Any) -> Position:
        return Engine(self.inner.after(move))


@pytest.mark.parametrize("method", METHODS)
def test_from_the_middle_of_a_play(method: str) -> None:
    """A place from which a game given by rules goes on, with little memory."""
    dealt = games.kuhn().position().after(games.kuhn().position().chances()[1][0])
    below = Elsewhere(dealt, 2)
    below.players = ("gambler", "dealer")
    below.position = lambda: dealt  # type: ignore[method-assign]
    found = sample(below, method, iterations=100)
    assert found.evaluation.sets == 4
    asked = SamplingRequest(method, Settings())
    run = SamplingRun(source(below), asked, memory=3)
    for _ in range(100):
        run.step()
    assert [row.regrets for row in run.table.rows] == [regrets for _, regrets, _ in tables(found)]
    assert found.on_tree().tree.counts.nodes == len(found.on_tree().tree) == 9


def test_no_moves_at_all() -> None:
    @game(players=("ann", "bob"))
    def over(g: Play) -> object:
        return (2, -2)

    found = sample(over(), iterations=3)
    assert found.on_tree().payoffs == {"ann": 2, "bob": -2}
    assert found.payoffs["ann"] == 2
    assert found.payoffs["ann"].error == 0
    assert found.evaluation.bound == {"ann": 0, "bob": 0}


def test_players_whom_rules_would_not_seat() -> None:
    tree = matrix_game([[1, 0], [0, 2]], players=("chance", "")).tree()
    found = sample(tree, iterations=2_000)
    assert found.players == ("chance", "player 2")
    assert found.on_tree().value == pytest.approx(2 / 3, abs=0.05)


def test_an_engine_has_a_solution() -> None:
    made = random_rules(11, players=2, depth=4)()
    found = sample(Elsewhere(made.position(), 2), iterations=200)
    assert found.name == "elsewhere"
    assert found.on_tree().payoffs == sample(made, iterations=200).on_tree().payoffs


def test_rules_that_fail_say_so() -> None:
    @game(players=("ann",))
    def broken(g: Play) -> object:
        if g.choose("ann", ("left", "right")) == "right":
            raise KeyError("lost")
        return (0,)

    with pytest.raises(RulesError, match=r"broken\(\): the rules raised KeyError.*ann: right"):
        sample(broken(), iterations=5)


@pytest.mark.parametrize("method", METHODS)
def test_rules_without_an_end(method: str) -> None:
    @game(players=("ann", "bob"))
    def endless(g: Play) -> object:
        while True:
            g.choose("ann", ("again",), knowing=0)

    with pytest.raises(Endless, match=f"gone on for {MAX_MOVES:,} moves"):
        sample(endless(), method, iterations=1)


def test_rules_that_catch_everything() -> None:
    """What a run is stopped by is no business of the rules."""

    @game(players=("ann", "bob"))
    def greedy(g: Play) -> object:
        try:
            taken = g.choose("ann", ("left", "right"))
        except BaseException:
            taken = "left"
        return (1, -1) if taken == g.choose("bob", ("left", "right")) else (-1, 1)

    found = sample(greedy(), iterations=300)
    assert found.evaluation.sets == 2
    assert found.on_tree().regret < Fraction(1, 5)


def test_solved_and_sampled_agree_on_random_games() -> None:
    for seed in range(40, 60):
        tree = random_rules(seed, players=2, depth=4)().tree()
        if not tree.constant_sum or not tree.perfect_recall:
            continue
        low, high = sample(tree, iterations=500).on_tree().value_bounds
        assert low <= solve(tree).value <= high


@pytest.mark.parametrize("method", ["external-sampling", "outcome-sampling"])
def test_solve_samples_what_has_too_large_a_tree(method: str) -> None:
    game = games.liars_dice(dice=2)  # about 15,000,000,000 nodes
    found = solve(game, method, iterations=2, seed=1)
    assert (found.method, found.work["iterations"]) == (method, 2)
    again = sample(game, method.removesuffix("-sampling"), iterations=2, seed=1)
    assert found.strategy["one"] == again.strategy["one"]
    with pytest.raises(ParameterError, match="workers"):
        solve(game, method, workers=2)
    with pytest.raises(TooLarge, match="needs no tree"):
        solve(game, method, subgame_perfect=True)
