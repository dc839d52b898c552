"""Games as environments of PettingZoo, and what is trained there as a player here."""

from __future__ import annotations

import sys
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from infoset import Play, exploitability, game, solve
from infoset.errors import NotApplicable, ParameterError, StrategyError
from infoset.games import (
    absent_minded,
    blind_tic_tac_toe,
    goofspiel,
    kuhn,
    leduc,
    liars_dice,
    oshi_zumo,
    prisoners_dilemma,
    tricks,
)
from infoset.play import Encoding, StrategyPlayer, match, pettingzoo_env, play_game
from infoset.strategy.infosets import TreeSets
from tests.strategy.fake_openspiel import Kuhn as SpielKuhn

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed; make test installs it")

from pettingzoo.test import api_test, seed_test


@game(players={"team": ("east", "west"), "foe": None})
def partners(g: Play) -> Any:
    """West guesses the coin that East has seen and signals; the foe doubles or not."""
    coin = g.chance(("heads", "tails"))
    g.reveal("east", coin)
    signal = g.choose("east", ("left", "right"))
    g.reveal("west", signal)
    guess = g.choose("west", ("heads", "tails"))
    stake = 2 if g.choose("foe", ("double", "single")) == "double" else 1
    return g.win("team" if guess == coin else "foe", stake)


@game(players=("one", "two"), state=(5, "one"))
def nim(g: Play, state: Any) -> Any:
    """Turn by turn: take one or two; who takes the last wins."""
    left, player = state
    left -= g.choose(player, range(1, min(2, left) + 1))
    g.reveal(g.players, left)
    return (left, g.other(player)) if left else g.win(player)


@game(players=("one", "two"))
def offered(g: Play) -> Any:
    """What is dealt is told by a menu, and by nothing else."""
    hand = g.chance(("ab", "ac"))
    g.choose("one", tuple(hand))
    return g.win("one" if g.choose("one", ("b", "c")) == hand[1] else "two")


GAMES = {
    "kuhn": kuhn(),
    "leduc": leduc(),
    "simultaneous": goofspiel(cards=3),
    "three players": kuhn(players=3),
    "general sum": prisoners_dilemma(),
    "team": partners(),
    "forgetting": absent_minded(),
    "turn by turn": nim(),
    "turn by turn and simultaneous": oshi_zumo(coins=3),
    "told by menus": offered(),
    "tree": kuhn().tree(),
    "engine": SpielKuhn(),
    "tricks": tricks(),
}
SMALL = [one for one in GAMES if one not in ("leduc", "tricks")]


@pytest.mark.parametrize("kind", ["infoset", "sequence"])
@pytest.mark.parametrize("name", GAMES)
def test_it_conforms(name: str, kind: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that agents are not called player_0, and such
        api_test(pettingzoo_env(GAMES[name], observation=kind), num_cycles=20)
        seed_test(lambda: pettingzoo_env(GAMES[name], observation=kind), num_cycles=5)


def test_a_large_game_conforms() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = pettingzoo_env(liars_dice(dice=2), max_nodes=1000)
        api_test(env, num_cycles=20)
    assert env.encoding.kind == "sequence"
    assert env.encoding.actions is None
    assert not env.encoding.exact


@pytest.mark.parametrize("kind", ["infoset", "sequence"])
@pytest.mark.parametrize("name", GAMES)
def test_information_sets_have_observations_of_their_own(name: str, kind: str) -> None:
    encoding = Encoding(GAMES[name], observation=kind)
    sets = TreeSets(encoding.source.tree())
    seen = set()
    for index in range(len(sets)):
        state = sets.state(index)
        seen.add(
            (encoding.observation(state).tobytes(), encoding.mask(state.legal_actions).tobytes())
        )
    assert len(seen) == len(sets)
    assert encoding.exact


@pytest.mark.parametrize("name", GAMES)
def test_an_agent_observes_its_information_set_and_nothing_else(name: str) -> None:
    env, sets = pettingzoo_env(GAMES[name]), {}
    for seed in range(60):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observed, _, over, _, info = env.last()
            if over:
                env.step(None)
                continue
            known = (agent, info["information_state"], info["legal_actions"])
            assert (
                sets.setdefault(known, observed["observation"].tobytes())
                == observed["observation"].tobytes()
            )
            legal = np.flatnonzero(observed["action_mask"])
            env.step(legal[seed % len(legal)])
    assert len(set(sets.values())) == len(sets) > 0


def played(env: Any, seed: int, pick: Any) -> tuple[dict[str, float], list[Any]]:
    """Payoffs and options of a game."""
    env.reset(seed=seed)
    paid, moves = dict.fromkeys(env.possible_agents, 0.0), []
    for agent in env.agent_iter():
        observed, reward, over, cut, info = env.last()
        paid[agent] += reward
        if over or cut:
            env.step(None)
            continue
        action = pick(observed["action_mask"])
        moves.append((agent, env.encoding.option(info["legal_actions"], action)))
        env.step(action)
    return paid, moves


@pytest.mark.parametrize("name", SMALL)
def test_rewards_are_the_payoffs(name: str) -> None:
    env = pettingzoo_env(GAMES[name], render_mode="ansi")
    seats = env.encoding.seats
    luck = np.random.default_rng(1)
    for seed in range(10):
        paid, moves = played(env, seed, lambda mask: luck.choice(np.flatnonzero(mask)))
        history = [move for _, move in env.moves]
        position, at = env.encoding.source.start, 0
        while not position.over:
            width = max(1, len(position.movers))
            taken = tuple(history[at : at + width])
            position, at = position.after(taken if width > 1 else taken[0]), at + width
        for agent, amount in paid.items():
            player = seats.players[seats.player_of[seats.agent_number[agent]]]
            assert Fraction(amount).limit_denominator(1000) == position.payoffs[player]
        assert all(str(move) in env.render() for _, move in moves)


def test_who_moves_simultaneously_does_not_see() -> None:
    env, seen = pettingzoo_env(goofspiel(cards=3)), set()
    for action in range(3):
        env.reset(seed=1)
        first = env.agent_selection
        env.step(action)
        assert env.agent_selection != first
        seen.add(env.last()[0]["observation"].tobytes())
    assert len(seen) == 1


def test_chance_is_drawn_by_the_seed() -> None:
    env = pettingzoo_env(leduc())
    first = [played(env, 5, lambda mask: mask.argmax())[0] for _ in range(3)]
    assert first[0] == first[1] == first[2]
    assert len({str(played(env, seed, lambda mask: mask.argmax())) for seed in range(9)}) > 1


def test_long_games_are_truncated() -> None:
    env = pettingzoo_env(leduc(), max_cycles=1)
    paid, moves = played(env, 1, lambda mask: mask.argmax())
    assert len(moves) == 1
    assert set(paid.values()) == {0.0}
    with pytest.raises(ParameterError, match="max_cycles"):
        pettingzoo_env(kuhn(), max_cycles=0)


# ------------------------------------------------------------------------ numbers


def test_actions_follow_the_menus() -> None:
    assert Encoding(leduc()).actions == ("fold", "call", "raise")
    assert Encoding(nim()).actions == (1, 2)
    by_place = Encoding(nim(), actions=4)
    assert by_place.actions is None
    assert by_place.mask((1, 2)).tolist() == [1, 1, 0, 0]
    chosen = Encoding(kuhn(), actions=["bet", "pass"])
    assert chosen.legal(("pass", "bet")) == [1, 0]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"observation": "onehot"}, "did you mean|known"),
        ({"actions": 1}, "a menu has 2"),
        ({"observation": "infoset", "max_nodes": 10}, "max_nodes="),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        Encoding(kuhn(), **settings)


def test_options_without_a_number_are_refused() -> None:
    encoding = Encoding(kuhn(), actions=["pass"])
    with pytest.raises(ParameterError, match="'bet' has no number"):
        encoding.legal(("pass", "bet"))
    env = pettingzoo_env(leduc())
    env.reset(seed=1)
    with pytest.raises(ParameterError, match="action 0 is not among 1 call"):
        env.step(0)  # nothing is to be folded yet


def test_an_observation_of_ones_own() -> None:
    def ranks(state: Any) -> list[float]:
        return [str(state.observations[0]) == rank for rank in "JQK"] + [len(state.past_actions)]

    env = pettingzoo_env(kuhn(), observation=ranks)
    env.reset(seed=2)
    observed = env.last()[0]["observation"]
    assert observed.shape == (4,)
    assert observed[:3].sum() == 1
    changing = Encoding(kuhn(), observation=lambda state: [0.0] * (1 + len(state.past_actions)))
    later = TreeSets(kuhn().tree()).state(2)
    with pytest.raises(ParameterError, match="returned 2 numbers"):
        changing.observation(later)


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "infoset.play.environments.aec", raising=False)
    with pytest.raises(NotApplicable, match="pip install pettingzoo"):
        pettingzoo_env(kuhn())


# ------------------------------------------------------------------------ trained there, used here


def table(encoding: Encoding, solution: Any) -> Any:
    """A policy of observations that plays a solution."""
    rows = {}
    sets = TreeSets(encoding.source.tree())
    for index in range(len(sets)):
        state = sets.state(index)
        weights = np.zeros(encoding.count)
        for option, chance in solution.strategy[state.player][str(state)].items():
            weights[encoding.legal(state.legal_actions)[state.legal_actions.index(option)]] = chance
        key = encoding.observation(state).tobytes(), encoding.mask(state.legal_actions).tobytes()
        rows[key] = weights
    return lambda observed, mask: rows[observed.tobytes(), mask.tobytes()]


@pytest.mark.parametrize("kind", ["infoset", "sequence"])
@pytest.mark.parametrize("name", ["kuhn", "simultaneous", "tree", "turn by turn"])
def test_a_policy_of_observations_is_measured(name: str, kind: str) -> None:
    one = GAMES[name]
    encoding = Encoding(one, observation=kind)
    strategy = encoding.strategy(table(encoding, solve(one)))
    assert exploitability(one, strategy) < Fraction(1, 10**9)
    against = match(one, [strategy, "random"], games=40)
    assert not against.faults()


@pytest.mark.parametrize("kind", ["infoset", "sequence"])
def test_a_policy_of_observations_is_measured_on_a_public_form(kind: str) -> None:
    encoding = Encoding(kuhn(), observation=kind)
    strategy = encoding.strategy(table(encoding, solve(kuhn())))
    assert exploitability(kuhn().public(), strategy) < Fraction(1, 10**9)
    with pytest.raises(StrategyError, match="no information set"):
        exploitability(kuhn(ranks=4), Encoding(kuhn()).strategy(lambda observed, mask: mask))


def test_a_policy_of_observations_plays_the_same() -> None:
    encoding = Encoding(kuhn(), observation="sequence")
    policy = table(encoding, solve(kuhn()))
    for seed in range(10):
        seats = [
            {"gambler": StrategyPlayer(one), "dealer": StrategyPlayer(one)}
            for one in (encoding.strategy(policy), solve(kuhn()))
        ]
        assert (
            play_game(kuhn(), seats[0], seed=seed).moves
            == play_game(kuhn(), seats[1], seed=seed).moves
        )


def test_a_team_plays_by_observations() -> None:
    encoding = Encoding(partners())
    best = {
        "east": {"heads": "left", "tails": "right"},
        "west": {"left": "heads", "right": "tails"},
    }

    def rule(player: str, state: Any, actions: Any) -> Any:
        if state.agent == "foe":
            return {"single": 1}
        return {best[state.agent][state.observations[0]]: 1}

    rows = {}
    sets = TreeSets(partners().tree())
    for index in range(len(sets)):
        state = sets.state(index)
        [option] = rule(state.player, state, state.legal_actions)
        rows[encoding.observation(state).tobytes()] = encoding.legal((option,))[0]
    strategy = encoding.strategy(lambda observed, mask: rows[observed.tobytes()])
    assert exploitability(partners(), strategy) == exploitability(partners(), rule) == 0
    result = match(partners(), [strategy, "random"], games=40)
    assert not result.faults()
    assert all(one.record.payoffs["team"] > 0 for one in result.games if one.seats["team"] == 0)


def test_policies_that_are_none_are_refused() -> None:
    encoding = Encoding(kuhn())
    for policy, said in (
        (lambda observed, mask: [1.0], "1 weights for 2 actions"),
        (lambda observed, mask: -mask, "weights"),
        (lambda observed, mask: 0 * mask, "weights"),
        (lambda observed, mask: 7, "not among"),
    ):
        with pytest.raises(StrategyError, match=said):
            exploitability(kuhn(), encoding.strategy(policy))


# ------------------------------------------------------------------------ what functions are asked


@pytest.mark.parametrize("name", [one for one in GAMES if one not in ("tree", "engine")])
def test_the_notes_of_a_tree_are_the_views_of_positions(name: str) -> None:
    one = GAMES[name]
    sets = TreeSets(one.tree())
    told = {sets.state(index).notes for index in range(len(sets))}
    views, waiting = set(), [one.position()]
    while waiting:
        here = waiting.pop()
        for mover in here.movers:
            views.add(here.view(mover))
        if here.movers:
            joint = [()]
            for mover in here.movers:
                joint = [(*before, move) for before in joint for move in here.options(mover)]
            waiting += [here.after(move if len(move) > 1 else move[0]) for move in joint]
        elif not here.over:
            waiting += [here.after(outcome) for outcome, _ in here.chances()]
    assert told == views


@pytest.mark.parametrize(
    "one", [kuhn(), kuhn().tree(), SpielKuhn()], ids=["rules", "tree", "engine"]
)
def test_functions_are_asked_alike_in_play_and_on_the_tree(one: Any) -> None:
    asked: dict[Any, set[Any]] = {"play": set(), "tree": set()}

    def note(where: str) -> Any:
        def uniform(player: str, state: Any, actions: Any) -> Any:
            asked[where].add((player, str(state), state.notes, state.agent))
            return [Fraction(1, len(actions))] * len(actions)

        return uniform

    def row(player: str, state: Any, actions: Any) -> Any:
        return dict(zip(actions, note("play")(player, state, actions), strict=True))

    match(one, [row, row], games=60)
    exploitability(one, note("tree"))
    assert asked["play"] == asked["tree"]


def test_hidden_hands_of_a_large_game_are_no_observation() -> None:
    env = pettingzoo_env(blind_tic_tac_toe(width=3, height=3), max_nodes=100)
    env.reset(seed=0)
    first = env.agent_selection
    before = env.observe(env.possible_agents[1])["observation"]
    env.step(0)
    after = env.observe(env.possible_agents[1])["observation"]
    assert first != env.possible_agents[1]
    assert (before == after).all()
