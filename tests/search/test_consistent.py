"""Histories that agree with what a player observed: all of them, exact samples, particles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from infoset import game, solve
from infoset.errors import (
    InfosetError,
    NoHistory,
    ParameterError,
    RulesError,
    StrategyError,
    TooLarge,
)
from infoset.games import (
    absent_minded,
    battleships,
    blind_tic_tac_toe,
    goofspiel,
    kuhn,
    leduc,
    liars_dice,
)
from infoset.rules import Play, Position
from infoset.search import Histories, ParticleFilter
from infoset.search.consistent.metropolis import moved
from infoset.strategy import as_profile
from infoset.tree import Infoset, Node, Tree
from tests.rules.random_games import random_rules
from tests.rules.test_turns import kuhn_by_turns, liars_dice_by_turns

Beliefs = dict[Any, Fraction]
SIGNIFICANCE = 1e-4


def information_sets(start: Position, player: str) -> dict[Hashable, Beliefs]:
    """By view, the positions where the player has it, with their reach under uniform play."""
    found: dict[Hashable, Beliefs] = {}
    waiting = [(start, Fraction(1))]
    while waiting:
        at, reach = waiting.pop()
        if at.over:
            continue
        if player in at.movers:
            found.setdefault(at.view(player), {})[at] = reach
        if not at.movers:
            waiting += [(at.after(one), reach * chance) for one, chance in at.chances()]
            continue
        menus = [at.options(mover) for mover in at.movers]
        joint = list(product(*menus))
        for moves in joint:
            after = at.after(moves if len(moves) > 1 else moves[0])
            waiting.append((after, reach / len(joint)))
    return found


def normalized(reach: Beliefs) -> Beliefs:
    total = sum(reach.values(), Fraction(0))
    return {position: weight / total for position, weight in reach.items()}


def views_of_a_play(rules: Any, player: str, seed: int) -> list[Hashable]:
    """What a player observes at its decisions in a random play."""
    at, random, views = rules.position(), Random(seed), list[Hashable]()
    while not at.over:
        if not at.movers:
            outcomes, weights = zip(*at.chances(), strict=True)
            at = at.after(random.choices(outcomes, [float(one) for one in weights])[0])
            continue
        if player in at.movers:
            views.append(at.view(player))
        moves = tuple(random.choice(at.options(mover)) for mover in at.movers)
        at = at.after(moves if len(moves) > 1 else moves[0])
    return views


def agrees(drawn: Sequence[Any], beliefs: Beliefs) -> bool:
    """Pearson's χ² test of a sample; rare outcomes are counted together."""
    counts, number = Counter(drawn), len(drawn)
    assert set(counts) <= set(beliefs)
    cells = [(counts[one], float(weight) * number) for one, weight in beliefs.items()]
    often = [cell for cell in cells if cell[1] >= 5]
    rare = [cell for cell in cells if cell[1] < 5]
    if rare:
        often.append((sum(cell[0] for cell in rare), sum(cell[1] for cell in rare)))
    statistic = sum((seen - expected) ** 2 / expected for seen, expected in often)
    return len(often) == 1 or bool(chi2.sf(statistic, len(often) - 1) > SIGNIFICANCE)


# ---------------------------------------------------------------------- all of them


GAMES = [
    kuhn(),
    kuhn(players=3, ranks=4),
    kuhn_by_turns(),
    liars_dice(sides=3),
    liars_dice_by_turns(sides=2),
    blind_tic_tac_toe(width=4),
    goofspiel(cards=3),
    absent_minded(),
]


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_the_enumeration_is_the_information_set_with_its_beliefs(rules: Any) -> None:
    for player in rules.players:
        histories = Histories(rules, player)
        for view, reach in information_sets(rules.position(), player).items():
            found = histories.enumerate(view)
            assert dict(found) == normalized(reach)
            assert len(found) == histories.count(view) == len(reach)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 3), forgetful=st.booleans())
@example(seed=1000, players=2, forgetful=True)  # other own moves are forgotten before the view
@example(seed=15, players=1, forgetful=True)
def test_random_rules_agree_with_the_beliefs_on_their_tree(
    seed: int, players: int, forgetful: bool
) -> None:
    rules = random_rules(seed, players, depth=5, forgetful=forgetful)()
    uniform = as_profile(rules.tree(), uniformly)
    for player in rules.players:
        histories = Histories(rules, player)
        for view, reach in information_sets(rules.position(), player).items():
            found = dict(histories.enumerate(view))
            assert found == normalized(reach)
            beliefs = uniform.beliefs(tree_set(uniform.tree, player, next(iter(found))))
            for position, weight in found.items():
                # Those who move simultaneously before the player are nodes of their own there.
                below = [node for node in beliefs if last_on_the_way(node, found) == position]
                assert sum(beliefs[node] for node in below) == weight


def last_on_the_way(node: Node, positions: Iterable[Any]) -> Any:
    """The last of some positions that the play to a node passes."""
    moves = tuple(move for _, move in node.history)
    passed = [one for one in positions if moves[: len(one.moves)] == one.moves]
    return max(passed, key=lambda one: len(one.moves))


def uniformly(player: str, state: str, actions: Sequence[Hashable]) -> list[Fraction]:
    return [Fraction(1, len(actions))] * len(actions)


def tree_set(tree: Tree, player: str, position: Any) -> Infoset:
    """The information set of the tree, found by walking there."""
    node = tree.root
    for move in position.moves:
        node = node.children[node.actions.index(move)]
    while node.player != player:
        node = node.children[0]
    assert node.infoset is not None
    return node.infoset


def test_counts_and_limits() -> None:
    game = blind_tic_tac_toe(width=3, height=3)
    histories = Histories(game, "cross")
    first, second, *_ = views_of_a_play(game, "cross", seed=1)
    assert (histories.count(first), histories.count(second)) == (
        1,
        16,
    )  # 8 squares are free, or one more was tried
    view = views_of_a_play(game, "cross", seed=4)[-1]
    with pytest.raises(TooLarge, match=r"blind_tic_tac_toe.*cross.*more than 50 .*limit="):
        histories.enumerate(view, limit=50)
    drawn = histories.sample(view, 20, Random(1))  # what was tried until then does no harm
    assert {position.view("cross") for position in drawn} == {view}


# ---------------------------------------------------------------------- exact samples

SAMPLED = [
    (kuhn(), "gambler", 2),
    (kuhn_by_turns(), "dealer", 1),
    (leduc(), "one", 1),
    (leduc(), "two", 3),
    (liars_dice(sides=3), "two", 2),
    (liars_dice_by_turns(sides=3), "one", 3),
    (blind_tic_tac_toe(width=3, height=3), "cross", 2),
    (blind_tic_tac_toe(width=4, height=2), "nought", 3),
    (battleships(), "first", 3),
    (goofspiel(cards=4), "player 2", 2),
    (absent_minded(), "one", 1),
    (random_rules(7, players=3, depth=6, forgetful=True)(), "ann", 1),
    (random_rules(13, players=2, depth=7, forgetful=True)(), "ann", 1),
]


@pytest.mark.parametrize(("rules", "player", "decision"), SAMPLED, ids=str)
def test_samples_have_the_enumerated_distribution(rules: Any, player: str, decision: int) -> None:
    views: list[Hashable] = []
    for seed in range(50):
        views = views_of_a_play(rules, player, seed)
        if len(views) >= decision:
            break
    view = views[decision - 1]
    beliefs = dict(Histories(rules, player).enumerate(view))
    cold = Histories(rules, player)
    first = [cold.sample(view, 1, Random(seed))[0] for seed in range(1500)]
    assert agrees(first, beliefs)  # while dead ends are still being learnt
    assert agrees(cold.sample(view, 4000, Random(2)), beliefs)


def test_every_first_sample_is_exact() -> None:
    """Of samplers that know nothing yet, among whose first attempts many fail."""
    rules = liars_dice(sides=3)
    view = views_of_a_play(rules, "two", seed=3)[0]
    beliefs = dict(Histories(rules, "two", skewed).enumerate(view))
    drawn = [
        Histories(rules, "two", skewed).sample(view, 1, Random(seed))[0] for seed in range(1500)
    ]
    assert len(set(beliefs.values())) > 1
    assert agrees(drawn, beliefs)


def skewed(player: str, state: Any, actions: Sequence[Hashable]) -> list[Fraction]:
    """The higher the own die, the more probable a high bid."""
    weights = [1 + state.observations[0] * at for at in range(len(actions))]
    return [Fraction(weight, sum(weights)) for weight in weights]


def test_a_chance_move_with_many_outcomes() -> None:
    @game(players=("guest", "host"))
    def ticket(g: Play, tickets: int = 3000) -> object:
        number = g.chance(range(tickets))
        g.reveal("guest", number % 7)
        g.choose("host", ("left", "right"))
        g.choose("guest", ("stay", "go"))
        return 0, 0

    view = ticket().position().after(10).after("left").view("guest")
    beliefs = dict(Histories(ticket(), "guest").enumerate(view))
    assert len(beliefs) == 2 * len(range(3, 3000, 7))
    drawn = Histories(ticket(), "guest").sample(view, 30_000, Random(5))
    assert agrees(drawn, beliefs)


def test_bounds_below_what_floats_can_hold() -> None:
    """Hundreds of observed moves of ten options each: a probability of 10^-340."""

    @game(players=("one", "two"), state=0)
    def count(g: Play, state: int) -> object:
        g.reveal("one", g.choose("two", range(10)))
        if state < 339:
            return state + 1
        hidden = g.choose("two", ("left", "right"))
        return g.win("one" if g.choose("one", ("left", "right")) == hidden else "two")

    at = count().position()
    for number in range(340):
        at = at.after(number % 10)
    view = at.after("left").view("one")
    drawn = Histories(count(), "one").sample(view, 200, Random(1))
    assert agrees(
        [position.moves[-1] for position in drawn],
        {"left": Fraction(1, 2), "right": Fraction(1, 2)},
    )


# ---------------------------------------------------------------------- models


def test_a_model_weighs_the_others_moves() -> None:
    view = kuhn().position().after("Q K").after("pass").after("bet").view("gambler")
    bluffs = {"J, pass": {"bet": Fraction(1, 3), "pass": Fraction(2, 3)}, "K, pass": {"bet": 1}}
    for model in (
        bluffs,
        {"dealer": bluffs},
        lambda player, state, actions: bluffs[str(state)],
        solve(kuhn()),
        solve(kuhn()).strategy["dealer"],
        solve(kuhn().public()),
    ):
        found = Histories(kuhn(), "gambler", model).enumerate(view)
        assert [(str(at).split(",")[0].split(": ")[1], weight) for at, weight in found] == [
            ("Q J", Fraction(1, 4)),
            ("Q K", Fraction(3, 4)),
        ]


def test_a_solution_as_the_model_gives_the_beliefs_of_the_solution() -> None:
    solution = solve(leduc())
    profile = as_profile(leduc().tree(), solution)
    view = views_of_a_play(leduc(), "two", seed=2)[0]
    found = Histories(leduc(), "two", solution).enumerate(view)
    beliefs = profile.beliefs(tree_set(profile.tree, "two", found[0][0]))
    positive = [weight for weight in beliefs.values() if weight]
    assert [weight for _, weight in found] == positive


def test_a_model_that_makes_the_observations_impossible() -> None:
    view = kuhn().position().after("Q K").after("pass").after("bet").view("gambler")
    timid = Histories(kuhn(), "gambler", lambda player, state, actions: {"pass": 1})
    assert timid.count(view) == 0
    with pytest.raises(NoHistory, match="the model"):
        timid.sample(view, 1, Random(0))


@pytest.mark.parametrize(
    ("model", "error", "words"),
    [
        ("unifrm", ParameterError, "uniform"),
        ({"gambler": uniformly}, StrategyError, "dealer"),
        (3, StrategyError, "3"),
        ({"J, pass": {"bet": 1}}, StrategyError, "K, pass"),
        (lambda player, state, actions: [1], StrategyError, "1 probabilities for 2 actions"),
        (lambda player, state, actions: 1 / 0, StrategyError, "ZeroDivisionError"),
    ],
    ids=["name", "player", "number", "label", "length", "raises"],
)
def test_models_that_are_refused(model: Any, error: type[InfosetError], words: str) -> None:
    view = kuhn().position().after("Q K").after("pass").after("bet").view("gambler")
    with pytest.raises(error, match=words) as refused:
        Histories(kuhn(), "gambler", model).enumerate(view)
    assert "\n" not in str(refused.value)


# ---------------------------------------------------------------------- views that do not fit


def test_a_view_that_no_history_matches() -> None:
    view = kuhn().position().after("Q K").after("bet").view("dealer")
    for rules, player in ((kuhn(), "gambler"), (kuhn(ranks=4), "dealer")):
        wrong = (("saw", "ace"), *view[1:])
        assert Histories(rules, player).count(wrong) == 0
        with pytest.raises(NoHistory, match="no history agrees") as refused:
            Histories(rules, player).enumerate(wrong)
        assert "\n" not in str(refused.value)
        with pytest.raises(NoHistory, match="no history agrees"):
            Histories(rules, player).sample(wrong, 1, Random(0))


@pytest.mark.parametrize("view", ["Q", (), (("saw", "Q"),), 7, (("saw", "Q", "x"),)], ids=repr)
def test_what_is_no_view_of_a_mover(view: Any) -> None:
    with pytest.raises(InfosetError, match=r"no view of gambler.*position\.view"):
        Histories(kuhn(), "gambler").enumerate(view)


def test_a_history_that_is_not_found() -> None:
    rules = liars_dice()
    view = max((views_of_a_play(rules, "two", seed)[-1:] for seed in range(30)), key=repr)[0]
    with pytest.raises(NoHistory, match=r"in 3 attempts.*attempts="):
        Histories(rules, "two").sample(view, 1, Random(0), attempts=3)


def test_an_unknown_player() -> None:
    with pytest.raises(RulesError, match="gambler"):
        Histories(kuhn(), "gamblr")


# ---------------------------------------------------------------------- trees and engines


def test_positions_of_a_tree() -> None:
    tree = kuhn().tree()
    at = tree_start = Histories(tree, "dealer").start
    at = tree_start.after("J Q").after("bet")
    for view in (at.view("dealer"), [at.view("dealer")]):
        found = Histories(tree, "dealer").enumerate(view)
        assert [weight for _, weight in found] == [Fraction(1, 2)] * 2
        drawn = Histories(tree, "dealer").sample(view, 500, Random(1))
        assert agrees(drawn, dict(found))


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10**6), forgetful=st.booleans())
def test_trees_of_random_rules(seed: int, forgetful: bool) -> None:
    tree = random_rules(seed, 2, depth=4, forgetful=forgetful)().tree()
    for player in tree.players:
        histories = Histories(tree, player)
        for view, reach in information_sets(histories.start, player).items():
            assert dict(histories.enumerate(view)) == normalized(reach)


def test_an_engine_is_given_the_views_so_far() -> None:
    tree = kuhn().tree()
    start = Histories(tree, "gambler").start
    first = start.after("Q K")
    views = [first.view("gambler"), first.after("pass").after("bet").view("gambler")]
    histories = Histories(tree, "gambler")
    assert histories.count(views[:1]) == 2
    assert histories.count(views) == 2
    assert histories.count([views[1]]) == 0  # it had moved before
    assert histories.count(views[::-1]) == 0
    followed = ParticleFilter(tree, "gambler", particles=50)
    so_far: list[Hashable] = []
    for view in views:
        so_far.append(view)  # the same list, as a player would keep it
        followed.update(so_far)
        assert (followed.count, len(followed.positions)) == (50, 2)
        assert histories.count(so_far) == 2


# ---------------------------------------------------------------------- samplers of games


def test_a_game_may_supply_a_sampler() -> None:
    asked: list[int] = []

    def deal(view: Any, player: str, random: Random, ranks: int) -> tuple[Any, ...] | None:
        asked.append(ranks)
        other = random.randrange(ranks)
        return None if other == view[0][1] else ((view[0][1], other),)

    @game(players=("one", "two"), sampler=deal)
    def high(g: Play, ranks: int = 4) -> object:
        mine, yours = g.deal(range(ranks), 1, 1)
        g.reveal("one", mine)
        return g.win(
            "one" if (g.choose("one", ("high", "low")) == "high") == (mine > yours) else "two"
        )

    view = high(ranks=5).position().after((2, 3)).view("one")
    drawn = Histories(high(ranks=5), "one").sample(view, 2000, Random(1))
    assert set(asked) == {5}
    assert agrees(drawn, dict(Histories(high(ranks=5), "one").enumerate(view)))
    wrong = high(ranks=5).position().after((1, 3)).view("one")

    @game(players=("one", "two"), sampler=lambda view, player, random: ((4, 0),))
    def cheat(g: Play) -> object:
        return high().rules(g)

    with pytest.raises(RulesError, match="sampler"):
        Histories(cheat(), "one").sample(wrong, 1, Random(1))


SEAS = [  # with parameters of several kinds: wide, tight, ships alike, of one square, and in order
    battleships(width=3, height=3, ships=(3, 2), shots=6),
    battleships(width=3, height=3, ships=(2, 2), shots=7),
    battleships(width=3, height=2, ships=(2, 1, 1), shots=5),
    battleships(width=5, height=1, ships=(1, 2, 1), shots=4),
    battleships(width=4, height=2, ships=(1, 3, 1), shots=5),
    battleships(width=6, height=1, ships=(2, 3), shots=5),
]


@pytest.mark.parametrize("sea", SEAS, ids=str)
@pytest.mark.parametrize("player", ["first", "second"])
def test_fleets_have_the_enumerated_distribution(sea: Any, player: str) -> None:
    """Enumeration knows nothing of the sampler that the game supplies."""
    for view in views_of_a_play(sea, player, seed=1)[1::2]:
        drawn = Histories(sea, player).sample(view, 800, Random(3))
        assert agrees(drawn, dict(Histories(sea, player).enumerate(view)))


def test_a_fleet_of_five_in_a_large_sea_is_drawn_at_once() -> None:
    """Where hardly any random fleet agrees with all the answers, late in the play."""
    sea = battleships(width=10, height=10, ships=(5, 4, 3, 3, 2), shots=100)
    views = views_of_a_play(sea, "second", seed=1)
    for view in (views[5], views[15], views[45], views[85]):
        drawn = Histories(sea, "second").sample(view, 20, Random(1), attempts=1)
        assert {at.view("second") for at in drawn} == {view}


def test_a_sampler_keeps_a_limit_on_time() -> None:
    sea = battleships(width=4, height=4, ships=(2,), shots=8)
    view = views_of_a_play(sea, "first", seed=1)[3]
    assert len(Histories(sea, "first").sample(view, 50, Random(1), seconds=0.0)) == 1
    assert Histories(sea, "first").sample(view, 0, Random(1)) == []


def test_particles_are_drawn_by_the_sampler_that_a_game_supplies() -> None:
    sea = battleships(width=3, height=3, ships=(2, 2), shots=7)
    filtered = ParticleFilter(sea, "first", particles=400, random=Random(8))
    for view in views_of_a_play(sea, "first", seed=2):
        filtered.update(view)
        assert filtered.count == filtered.fresh == 400
        drawn = [at for at, weight in filtered.positions for _ in range(round(400 * weight))]
        assert agrees(drawn, dict(Histories(sea, "first").enumerate(view)))


# ---------------------------------------------------------------------- particles


@pytest.mark.parametrize(
    ("rules", "player"),
    [
        (leduc(), "two"),
        (liars_dice_by_turns(sides=3), "two"),
        (blind_tic_tac_toe(width=4, height=2), "nought"),
    ],
    ids=str,
)
def test_particles_agree_with_the_enumeration(rules: Any, player: str) -> None:
    filtered = ParticleFilter(rules, player, particles=400, random=Random(8))
    for view in views_of_a_play(rules, player, seed=5):
        filtered.update(view)
        beliefs = dict(Histories(rules, player).enumerate(view))
        assert filtered.count == 400
        drawn = [at for at, weight in filtered.positions for _ in range(round(400 * weight))]
        assert agrees(drawn, beliefs)
        assert filtered.effective == pytest.approx(
            1 / sum(weight**2 for _, weight in filtered.positions)
        )


@game(players=("hider", "seeker"), state=())
def searched(g: Play, state: tuple[int, ...], rounds: int = 30, places: int = 12) -> object:
    """The hider goes from place to place; the seeker is told now and then whether it is near."""
    if not state:
        return (g.choose("hider", range(places)), 0)
    at, rounds_played = state
    guess = g.choose("seeker", range(places))
    if rounds_played == rounds:
        return g.win("seeker" if guess == at else "hider")
    g.reveal("seeker", abs(guess - at) <= 2)
    step = g.choose("hider", tuple(one for one in (-1, 0, 1) if 0 <= at + one < places))
    return (at + step, rounds_played + 1)


def forward(view: Any, places: int) -> list[float]:
    """Where the hider is, by the forward algorithm of hidden Markov models."""
    held = [1 / places] * places
    steps = [what for kind, what in view if kind != "offered"]
    for guess, near in zip(steps[::2], steps[1::2], strict=True):
        held = [part * (near == (abs(guess - at) <= 2)) for at, part in enumerate(held)]
        then = [0.0] * places
        for at, part in enumerate(held):
            after = [at + one for one in (-1, 0, 1) if 0 <= at + one < places]
            for one in after:
                then[one] += part / len(after)
        held = [part / sum(then) for part in then]
    return held


def test_a_long_play_is_followed() -> None:
    rules = searched()
    filtered = ParticleFilter(rules, "seeker", particles=500, random=Random(4))
    for view in views_of_a_play(rules, "seeker", seed=6):
        filtered.update(view)
        assert filtered.count == 500
        expected, seen = forward(view, 12), [0.0] * 12
        for position, weight in filtered.positions:
            assert position.view("seeker") == view
            seen[position.state[0]] += weight
        assert max(abs(one - two) for one, two in zip(expected, seen, strict=True)) < 0.12
    assert filtered.effective > 250  # more than half, or rejuvenated


def test_metropolis_steps_lead_to_the_distribution() -> None:
    """Chains that all begin at the same history, of which another may have fewer moves."""
    rules = blind_tic_tac_toe(width=5)
    view = views_of_a_play(rules, "nought", seed=5)[1]
    histories = Histories(rules, "nought")
    beliefs = dict(histories.enumerate(view))
    lengths = {len(position.moves) for position in beliefs}
    assert len(lengths) > 1
    ground = histories.ground(view)
    begin = histories.attempts_at(view).attempt(Random(1).random)
    assert begin is not None
    drawn = [
        moved(ground, histories.start, begin, 40, Random(seed)).position for seed in range(600)
    ]
    assert agrees(drawn, beliefs)


def test_a_new_play_begins_with_new_particles() -> None:
    filtered = ParticleFilter(kuhn(), "gambler", particles=50)
    for deal in ("Q K", "J Q", "Q K"):
        filtered.update(kuhn().position().after(deal).view("gambler"))
        assert {str(at).split(": ")[1][0] for at, _ in filtered.positions} == {deal[0]}
    with pytest.raises(NoHistory):
        filtered.update((("saw", "ace"), ("offered", ("pass", "bet"))))
    assert filtered.count == 50


def test_particles_are_counted_in_whole_numbers() -> None:
    with pytest.raises(ParameterError, match="particles=0"):
        ParticleFilter(kuhn(), "gambler", particles=0)
