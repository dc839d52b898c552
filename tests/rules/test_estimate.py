"""Estimates of a tree's size: without bias, with an interval that holds, and before it is built."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game, games
from infoset.errors import RulesError, TooLarge
from infoset.rules import Game
from infoset.rules.estimate import (
    Draws,
    Outlook,
    PositionGround,
    Probe,
    Probes,
    RandomDraws,
    TreeSize,
    Weights,
    low_end,
    probe,
)
from infoset.rules.running import Limits
from infoset.tree.positions import tree_of_position
from tests.rules.random_games import random_rules


class ScriptedDraws:
    """Draws that are given; from their end on the first possible one is taken and noted."""

    def __init__(self, script: list[int]) -> None:
        self.script = script
        self.made: list[tuple[int, int]] = []  # what was drawn, of how many
        self.probability = Fraction(1)

    def first(self, count: int) -> int:
        self.probability /= count
        return self._next(count)

    def replaces(self, weight: float, total: float) -> bool:
        part = Fraction(weight) / Fraction(total)
        replaced = self._next(2) == 1
        self.probability *= part if replaced else 1 - part
        return replaced

    def _next(self, count: int) -> int:
        at = len(self.made)
        drawn = self.script[at] if at < len(self.script) else 0
        self.made.append((drawn, count))
        return drawn


def expectation(member: Game, width: int) -> tuple[Fraction, Fraction, Fraction]:
    """The expected results of a probe, over all that can be drawn."""
    ground, script = Probe(member), list[int]()
    decisions = chances = leaves = total = Fraction(0)
    while True:
        draws = ScriptedDraws(script)
        found = probe(ground, draws, width=width)
        total += draws.probability
        decisions += draws.probability * Fraction(found.decisions)
        chances += draws.probability * Fraction(found.chances)
        leaves += draws.probability * Fraction(found.leaves)
        while draws.made and draws.made[-1][0] == draws.made[-1][1] - 1:
            draws.made.pop()
        if not draws.made:
            assert total == 1
            return decisions, chances, leaves
        script = [drawn for drawn, _ in draws.made]
        script[-1] += 1


@game(players=("one", "two"))
def lopsided(g: Play, width: int = 4) -> object:
    """Subtrees of very different sizes behind moves that look alike."""
    die = g.chance(range(width))
    for turn in range(die):
        if g.choose("one" if turn % 2 else "two", ("on", "off")) == "off":
            break
    else:
        return g.win(g.choose("one", ("one", "two")))
    return g.win("one")


@pytest.mark.parametrize("width", [2, 4])
@pytest.mark.parametrize(
    "member",
    [lopsided(), games.inspection(), *(random_rules(seed, depth=3)() for seed in range(6))],
)
def test_the_expectation_is_the_number_of_nodes(member: Game, width: int) -> None:
    counts = member.tree().counts
    assert expectation(member, width) == (counts.decisions, counts.chances, counts.leaves)


def test_knuth_1975_is_a_probe_of_one_child() -> None:
    counts = lopsided(3).tree().counts
    assert expectation(lopsided(3), 1) == (counts.decisions, counts.chances, counts.leaves)


KNOWN = [
    (games.liars_dice(sides=4), 8181),
    (games.tic_tac_toe(), 549_946),
    (games.blind_tic_tac_toe(), 12_691),
    (games.leduc(), 9451),
    (games.oshi_zumo(), 6048),
    (games.tricks(), 1591),
    (games.goofspiel(cards=4), 1077),
    (games.battleships(), 1573),
    (games.kuhn(ranks=13), 1405),
]


def estimated(member: Game, seed: int = 0, count: int = 64) -> TreeSize:
    found = Probes(repr(member), Probe(member), seed=seed)
    found.add(count, inf)
    return found.size()


@pytest.mark.parametrize(("member", "nodes"), KNOWN)
def test_the_interval_has_the_known_count(member: Game, nodes: int) -> None:
    found = [estimated(member, seed).nodes for seed in range(5)]
    assert all(one.low <= nodes for one in found)  # nothing that fits is ever refused
    assert sum(nodes <= one.high * (1 + 1e-9) for one in found) >= 4


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3))
def test_random_games_are_not_taken_for_larger_than_they_are(seed: int, players: int) -> None:
    member = random_rules(seed, players)()
    nodes = len(member.tree())
    assert estimated(member, count=16).nodes.low <= nodes
    assert member.size().nodes == (nodes, nodes, nodes)


def test_equal_subtrees_are_estimated_without_variance() -> None:
    """Every subset of the 16 bids is a node in each of the 100 pairs of rolls."""
    size = estimated(games.liars_dice(dice=2, sides=4), count=2)
    assert size.nodes.estimate == pytest.approx(100 * (2**17 - 1) + 11)


@pytest.mark.parametrize("draws", [1, 2, 8])
@pytest.mark.parametrize("rare", [Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)])
@pytest.mark.parametrize("doubt", [0.2, 0.01])
def test_the_lower_end_is_right_with_its_confidence(
    draws: int, rare: Fraction, doubt: float
) -> None:
    """All that can be drawn from the values 1/2 and a large one, of mean 1."""
    large = float((1 - (1 - rare) / 2) / rare)
    wrong = sum(
        comb(draws, hits) * rare**hits * (1 - rare) ** (draws - hits)
        for hits in range(draws + 1)
        if low_end([large] * hits + [0.5] * (draws - hits), doubt) > 1 + 1e-9
    )
    assert wrong <= doubt


def test_the_seed_decides() -> None:
    one, same, other = (estimated(games.tricks(), seed) for seed in (1, 1, 2))
    assert one == same
    assert one.nodes != other.nodes


def test_small_trees_are_counted() -> None:
    size, counts = games.kuhn().size(), games.kuhn().tree().counts
    assert size.exact
    assert size.nodes == (55, 55, 55)
    assert (size.decisions[0], size.chances[0], size.leaves[0]) == (24, 1, 30)
    assert size.depth == counts.depth


# ---------------------------------------------------------------------- refusals


def counting(member: Game) -> tuple[Game, list[int]]:
    """The same game, and how often its rules have run."""
    runs = [0]

    @game(players=member.players)
    def counted(g: Play) -> object:
        runs[0] += 1
        return member.rules(g)

    return counted(), runs


def test_what_cannot_fit_is_refused_long_before_the_limit() -> None:
    huge, runs = counting(games.liars_dice(dice=2, sides=6))
    with pytest.raises(TooLarge, match="more than 10,000,000 nodes: by random probes about"):
        huge.tree()
    assert runs[0] < 500_000  # a run makes two nodes


def test_slow_rules_are_not_run_for_long() -> None:
    runs = [0]

    @game(players=("one",))
    def slow(g: Play) -> object:
        runs[0] += 1
        sum(range(50_000))
        return sum(g.choose("one", (1, 2, 3)) for _ in range(20))

    with pytest.raises(TooLarge, match="more than 10,000,000 nodes: by random probes about"):
        slow().tree()
    assert runs[0] < 20_000


def test_small_trees_make_no_probe() -> None:
    small, runs = counting(games.liars_dice(sides=4))
    leaves = small.tree().counts.leaves
    assert runs[0] - leaves <= 16  # those of the audit


def test_a_tree_that_fits_exactly_is_built() -> None:
    told: list[TreeSize] = []
    member = games.liars_dice()
    outlook = Outlook(Probes("dice", Probe(member), Limits(294_883, expect=told.append)))
    outlook.look(60_000)
    assert told[-1].nodes.estimate == pytest.approx(294_883)
    with pytest.raises(TooLarge):
        Outlook(Probes("dice", Probe(member), Limits(150_000))).look(60_000)


def test_memory_is_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    from infoset import memory

    monkeypatch.setattr(memory, "available", lambda: 8 * 2**30)
    outlook = Outlook(Probes("dice", Probe(games.liars_dice(dice=2)), Limits(10**12)))
    with pytest.raises(TooLarge, match="481,000,000 nodes that memory is free for"):
        outlook.look(60_000)


def test_positions_are_refused_likewise() -> None:
    start = games.liars_dice(dice=2).position()
    with pytest.raises(TooLarge, match="more than 10,000 nodes: by random probes about"):
        tree_of_position(start, ("one", "two"), "dice", 10_000)


# ---------------------------------------------------------------------- odd games


def odd(rules: Callable[[Play], object]) -> Game:
    return game(players=("a", "b"))(rules)()


def test_one_node() -> None:
    assert odd(lambda g: (0, 0)).size().nodes == (1, 1, 1)


def test_very_many_options() -> None:
    size = odd(lambda g: (g.choose("a", range(100_000)), 0)).size()
    assert size.nodes.estimate == pytest.approx(100_001)


def test_plays_without_end() -> None:
    def endless(g: Play) -> object:
        for player in g.turns():
            if g.choose(player, ("stop", "go on")) == "stop":
                return g.win(player)
        return None

    size = odd(endless).size(seconds=0.1)
    assert not size.whole
    assert size.nodes.high == inf
    assert "more below" in str(size)


def test_weights_beyond_floats() -> None:
    def long(g: Play) -> object:
        for _ in range(400):
            g.chance(range(100))
        return 0, 0

    size = odd(long).size(seconds=10)
    assert 1e240 < size.nodes.low < size.nodes.estimate < inf
    assert not size.whole


def test_rules_that_fail_say_where() -> None:
    def failing(g: Play) -> object:
        g.choose("a", range(5_000))
        raise KeyError("lost")

    with pytest.raises(RulesError, match=r"KeyError: 'lost' .*after"):
        odd(failing).size()


def test_rules_that_catch_everything() -> None:
    def stubborn(g: Play) -> object:
        try:
            side = g.choose("a", (1, 2))
        except BaseException:
            g.choose("b", (1, 2, 3))
            raise
        return side, 0

    assert odd(stubborn).size().nodes.estimate == 3


def test_simultaneous_moves_of_positions_are_one_after_the_other() -> None:
    member = games.matching_pennies()
    ground = PositionGround(member.position())
    assert probe(ground, RandomDraws()) == Weights(3, 0, 4, 2, whole=True)
    draws: Draws = RandomDraws()
    assert probe(Probe(member), draws).nodes == len(member.tree())


def test_probes_that_never_end_become_narrow() -> None:
    def steps(cut: int) -> int:
        ground = Probe(games.liars_dice(dice=2))
        probes = Probes("dice", ground)
        for _ in range(cut):
            probes.add(1, 0.0)
            assert not probes.found
        before = ground.steps
        probes.add(1, 60.0)
        assert probes.found[0].nodes > 1
        return ground.steps - before

    assert 8 * steps(cut=2) < steps(cut=0)
