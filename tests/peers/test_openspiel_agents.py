"""Our games in OpenSpiel, and OpenSpiel's bots in our matches."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; make test-peers installs it")
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed; make test installs it")

import numpy as np
import pyspiel
from open_spiel.python import policy as policies
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability
from tests.play.test_environments import GAMES as OURS
from tests.play.test_environments import partners

import infoset
from infoset import solve
from infoset.errors import ParameterError
from infoset.games import blind_tic_tac_toe, goofspiel, kuhn, leduc, liars_dice, tic_tac_toe
from infoset.play import OpenSpielPlayer, match, openspiel_bot, openspiel_game, play_game
from infoset.play.player import RandomPlayer
from infoset.text import text
from infoset.tree.openspiel import SpielGame, tree_of_openspiel

GAMES = {**OURS, "engine": SpielGame("kuhn_poker")}

# ------------------------------------------------------------------------ our games in OpenSpiel


@pytest.mark.parametrize("name", GAMES)
def test_it_conforms(name: str) -> None:
    pyspiel.random_sim_test(
        openspiel_game(GAMES[name]), num_sims=5, serialize=True, verbose=False, mask_test=True
    )


def test_a_large_game_conforms() -> None:
    exported = openspiel_game(liars_dice(dice=2), max_nodes=1000)
    pyspiel.random_sim_test(exported, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_the_tree_comes_back(name: str) -> None:
    exported = openspiel_game(GAMES[name])
    ours, theirs = exported.encoding.source.tree(), tree_of_openspiel(exported)
    seats = exported.encoding.seats
    for column in ("parent", "action", "infoset", "outcome"):
        assert (getattr(ours, column) == getattr(theirs, column)).all()
    acting = [seats.player_of[at] if at >= 0 else at for at in theirs.player.tolist()]
    assert acting == ours.player.tolist()  # of a team, the agents are players there
    assert [tuple(map(text, menu)) for menu in ours.menus] == list(theirs.menus)
    assert [one.probabilities for one in ours.lotteries] == [
        one.probabilities for one in theirs.lotteries
    ]
    assert [tuple(row[at] for at in seats.player_of) for row in ours.payoffs] == list(
        theirs.payoffs
    )


@pytest.mark.parametrize("name", ["kuhn", "leduc", "simultaneous", "turn by turn", "three players"])
def test_uniform_play_is_as_exploitable_there(name: str) -> None:
    exported = openspiel_game(GAMES[name])
    theirs = exploitability.nash_conv(exported, policies.UniformRandomPolicy(exported))
    assert theirs == pytest.approx(
        float(infoset.exploitability(GAMES[name], lambda player, state, actions: uniform(actions)))
    )


def uniform(actions: Any) -> Any:
    return [1 / len(actions)] * len(actions)


def test_their_cfr_finds_the_value_of_kuhn_poker() -> None:
    exported = openspiel_game(kuhn())
    solver = cfr.CFRPlusSolver(exported)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    values = expected_game_score.policy_value(exported.new_initial_state(), [found] * 2)
    assert values == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)
    assert float(infoset.exploitability(exported, found)) == pytest.approx(
        exploitability.nash_conv(exported, found)
    )


def test_what_is_known_of_the_game_is_said() -> None:
    kinds = pyspiel.GameType
    types = {name: openspiel_game(one).get_type() for name, one in GAMES.items()}
    assert types["kuhn"].utility == kinds.Utility.ZERO_SUM
    assert types["general sum"].utility == kinds.Utility.GENERAL_SUM
    assert types["turn by turn"].information == kinds.Information.PERFECT_INFORMATION
    assert types["turn by turn"].chance_mode == kinds.ChanceMode.DETERMINISTIC
    assert types["kuhn"].information == kinds.Information.IMPERFECT_INFORMATION
    assert {one.dynamics for one in types.values()} == {kinds.Dynamics.SEQUENTIAL}
    exported = openspiel_game(kuhn())
    assert (exported.min_utility(), exported.max_utility()) == (-2, 2)
    assert exported.max_game_length() == 3
    assert openspiel_game(partners()).num_players() == 3


def test_states_are_stored_and_read() -> None:
    exported = openspiel_game(leduc())
    state = exported.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
    game, read = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(exported, state)
    )
    assert str(game) == str(exported)
    assert read.history() == state.history()
    assert read.information_state_string(0) == state.information_state_string(0)
    again = pickle.loads(pickle.dumps(state))
    assert again.legal_actions() == state.legal_actions()
    with pytest.raises((pyspiel.SpielError, ParameterError, RuntimeError)):
        pyspiel.load_game("infoset(key=nothing)")


def test_an_environment_of_theirs_runs() -> None:
    environment = rl_environment.Environment(openspiel_game(leduc()))
    step, luck = environment.reset(), np.random.default_rng(1)
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([luck.choice(step.observations["legal_actions"][player])])
    assert sum(step.rewards) == 0
    assert len(step.observations["info_state"][0]) == openspiel_game(leduc()).encoding.size


@pytest.mark.parametrize("name", ["kuhn", "simultaneous", "tree", "engine", "turn by turn"])
def test_states_are_drawn_anew_from_what_is_known(name: str) -> None:
    exported, luck = openspiel_game(GAMES[name]), Random(1)
    drawn: dict[str, set[str]] = {}
    for _ in range(30):
        state = exported.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            if player >= 0:
                known = state.information_state_string(player)
                other = state.resample_from_infostate(player, luck.random)
                assert other.current_player() == player
                assert other.information_state_string(player) == known
                assert other.legal_actions() == state.legal_actions()
                drawn.setdefault(known, set()).add(str(other.history()))
            state.apply_action(luck.choice(state.legal_actions()))
    if name in ("kuhn", "simultaneous"):
        assert max(map(len, drawn.values())) > 1


def test_the_interpreter_ends_in_peace() -> None:
    code = (
        "from infoset.games import kuhn; from infoset.play import openspiel_game;"
        "game = openspiel_game(kuhn()); state = game.new_initial_state();"
        "state.information_state_string(0)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# ------------------------------------------------------------------------ their bots in our matches


@pytest.mark.parametrize(
    "chosen",
    [
        kuhn(),
        leduc(),
        goofspiel(cards=3),
        kuhn().tree(),
        tic_tac_toe(),
        blind_tic_tac_toe(),
        SpielGame("kuhn_poker"),
        SpielGame("leduc_poker"),
        SpielGame("goofspiel(num_cards=3,imp_info=True,points_order=descending)"),
        SpielGame("phantom_ttt"),
        pyspiel.load_game("tiny_hanabi"),
        partners(),
    ],
    ids=lambda one: str(one)[:30],
)
def test_bots_play_every_game(chosen: Any) -> None:
    names = ["openspiel:ismcts,simulations=5", "openspiel:uniform"]
    assert not match(chosen, names, games=4).faults()


@pytest.mark.parametrize(
    ("chosen", "games"), [(SpielGame("leduc_poker"), 60), (kuhn(), 60), (goofspiel(cards=3), 20)]
)
def test_their_search_beats_chance(chosen: Any, games: int) -> None:
    names = ["openspiel:ismcts,simulations=100", "random"]
    played = match(chosen, names, games=games)
    assert played.standings()[0].low > 0
    assert not played.faults()
    if not isinstance(chosen, SpielGame):  # OpenSpiel's own search differs from run to run
        again = match(chosen, names, games=6)
        moves = [one.record.moves for one in played.games]
        assert [one.record.moves for one in again.games] == moves[:6]


class Peeking(pyspiel.Bot):
    """Notes the states that it is handed."""

    def __init__(self, seen: list[Any]) -> None:
        pyspiel.Bot.__init__(self)
        self.seen = seen

    def restart(self) -> None:
        pass

    def step(self, state: Any) -> int:
        self.seen.append(state.clone())
        return state.legal_actions()[-1]


def dealt(state: Any) -> list[str]:
    """What chance did in the history of a state, as it reads."""
    before, words = state.get_game().new_initial_state(), []
    for action in state.history():
        if before.is_chance_node():
            words.append(before.action_to_string(-1, action))
        before.apply_action(action)
    return " ".join(words).split()


@pytest.mark.parametrize("chosen", [kuhn(), SpielGame("kuhn_poker")], ids=str)
def test_a_bot_that_peeks_sees_a_guess(chosen: Any) -> None:
    """Its own card is right; the other's is one of two, as often wrong as right."""
    seen: list[Any] = []
    first, second = chosen.players
    seats = {first: OpenSpielPlayer(Peeking(seen)), second: RandomPlayer()}
    right = 0
    for seed in range(300):
        seen.clear()
        record = play_game(chosen, seats, seed=seed)
        true = " ".join(text(move) for seat, move in record.moves if seat is None).split()
        guess = dealt(seen[0])
        assert guess[0] == true[0]
        right += guess == true
    assert 110 < right < 190


def test_a_policy_bot_plays_its_policy() -> None:
    exported = openspiel_game(kuhn())
    solver = cfr.CFRPlusSolver(exported)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    table = solver.average_policy()

    def bot(game: Any, player: int, clock: Any) -> Any:
        return pyspiel.make_policy_bot(
            game,
            player,
            clock.random.randrange(2**31),
            policies.python_policy_to_pyspiel_policy(table),
        )

    players = {seat: OpenSpielPlayer(bot, game=exported) for seat in ("gambler", "dealer")}
    paid = [float(play_game(kuhn(), players, seed=seed).payoffs["gambler"]) for seed in range(300)]
    assert abs(np.mean(paid) + 1 / 18) < 4 * np.std(paid) / 300**0.5
    best = solve(kuhn())
    assert not match(kuhn(), [OpenSpielPlayer(bot, game=exported), best], games=10).faults()


class Counting(Peeking):
    """Needs to be informed of all moves."""

    def __init__(self) -> None:
        super().__init__([])
        self.moves: list[tuple[int, int]] = []

    def restart(self) -> None:
        self.moves = []

    def inform_action(self, state: Any, player: int, action: int) -> None:
        assert state.current_player() == player
        assert action in state.legal_actions()
        self.moves.append((player, action))

    def step(self, state: Any) -> int:
        made = [one for one in state.full_history() if one.player != state.current_player()]
        assert self.moves == [(one.player, one.action) for one in made]
        return state.legal_actions()[-1]


@pytest.mark.parametrize("chosen", [kuhn(), SpielGame("leduc_poker")], ids=str)
def test_bots_can_be_informed_of_a_history(chosen: Any) -> None:
    played = match(chosen, [OpenSpielPlayer(Counting(), informed=True), "random"], games=20)
    assert not played.faults()
    left_alone = match(chosen, [OpenSpielPlayer(Counting()), "random"], games=4)
    assert "AssertionError" in left_alone.faults()[0]


@pytest.mark.parametrize("chosen", [kuhn(), SpielGame("leduc_poker")], ids=str)
def test_the_clock_is_kept(chosen: Any) -> None:
    played = match(chosen, ["openspiel:ismcts", "random"], games=2, seconds=0.05)
    assert not played.faults()
    moves = [one.record for one in played.games]
    assert max(max(one.seconds.values()) for one in moves) > 0.03  # it is used


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("openspiel:ismtcs", "did you mean 'ismcts'"),
        ("openspiel:ismcts,depth=3", "no setting 'depth'"),
        ("openspiel:ismcts,simulations=0", "from 1 on"),
        ("openspiel:uniform,simulations=3", "no setting"),
    ],
)
def test_names_that_are_wrong_are_refused(name: str, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        match(kuhn(), [name, "random"])


def test_what_is_no_bot_is_refused() -> None:
    with pytest.raises(ParameterError, match="no step"):
        OpenSpielPlayer(7)
    assert isinstance(openspiel_bot("uniform_random"), OpenSpielPlayer)
