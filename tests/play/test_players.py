"""Players and the referee: what players get to know, and what happens if they misbehave."""

from __future__ import annotations

import gc
import time
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import partial
from types import FrameType, FunctionType, ModuleType
from typing import Any

import pytest

from infoset import Play, Tree, exploitability, game, solve
from infoset.errors import ParameterError, RulesError
from infoset.games import absent_minded, blind_tic_tac_toe, goofspiel, kuhn, leduc
from infoset.play import (
    Forgot,
    InformationSetPlayer,
    PlayerStrategy,
    RandomPlayer,
    Referee,
    Seated,
    StrategyPlayer,
    play_game,
    replayed,
)
from infoset.search.consistent import Histories
from infoset.strategy.infosets import information_sets
from tests.strategy.fake_openspiel import Kuhn as SpielKuhn


class Listener(Seated):
    """Keeps all that it ever got, and plays at random."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.views: list[Any] = []

    def begin(self, game: Any, seat: str, clock: Any) -> None:
        super().begin(game, seat, clock)
        self.heard.append((game, seat, clock))

    def told(self, fact: Hashable) -> None:
        super().told(fact)
        self.heard.append(fact)

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Any:
        self.heard.append(options)
        self.views.append(view)
        return self.clock.random.choice(options)


def test_a_player_has_the_view_of_its_position() -> None:
    for chosen in (kuhn(), leduc(), blind_tic_tac_toe(), goofspiel(cards=3)):
        for seed in range(6):
            players = {name: Listener() for name in chosen.seats.agents}
            played = play_game(chosen, players, seed=seed)
            at: Any = chosen.position()
            moves = [move for _, move in played.moves]
            while moves:
                movers = at.movers
                for name in movers:
                    assert players[name].views.pop(0) == at.view(name)
                made = [moves.pop(0) for _ in movers or (None,)]
                at = at.after(tuple(made) if len(made) > 1 else made[0])
            assert at.over
            assert at.payoffs == played.payoffs
            assert not any(player.views for player in players.values())


def test_forgetting_is_told() -> None:
    chosen = absent_minded()
    seat = chosen.players[0]
    driver = Listener()
    play_game(chosen, {seat: driver, chosen.players[1]: RandomPlayer()}, seed=1)
    assert any(isinstance(fact, Forgot) for fact in driver.heard)
    assert len(set(driver.views)) == 1  # every exit looks alike


def reachable(start: Any) -> list[Any]:
    """All objects that can be got at from what a player holds."""
    seen: dict[int, Any] = {}
    waiting = [start]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, ModuleType | type | FunctionType | FrameType | str):
            continue
        seen[id(one)] = one
        waiting += gc.get_referents(one)
    return list(seen.values())


def test_nothing_hidden_can_be_reached() -> None:
    @game(players=("one", "two"))
    def secret(g: Play) -> object:
        card = g.chance([f"secret {number}" for number in range(1000)])
        g.reveal("two", card)
        g.choose("one", ("left", "right"))
        g.choose("two", ("left", "right"))
        return g.win("one")

    spy = Listener()
    told = Listener()
    play_game(secret(), {"one": spy, "two": told}, seed=4)
    card = told.heard[1]
    assert str(card).startswith("secret")
    held = [*reachable(spy.heard), *reachable(vars(spy))]
    assert len(held) > 10
    assert not any(hasattr(one, "after") and hasattr(one, "view") for one in held)
    assert not any(one is card for one in held)


@pytest.mark.parametrize(
    ("strategy", "exact"),
    [
        (solve(kuhn()), True),
        (lambda player, state, actions: {actions[0]: Fraction(1, 3), actions[1]: 2 / 3}, True),
        (solve(kuhn()).strategy["dealer"], True),
    ],
    ids=["solution", "function", "behaviour"],
)
def test_strategies_are_players(strategy: Any, exact: bool) -> None:
    players = {"gambler": RandomPlayer(), "dealer": StrategyPlayer(strategy)}
    referee = Referee(kuhn())
    paid = [referee.play(players, seed=seed).payoffs["dealer"] for seed in range(200)]
    assert -2 <= min(paid) <= max(paid) <= 2
    assert not any(referee.play(players, seed=seed).forfeit for seed in range(20))


def test_any_game_is_played() -> None:
    players = {"player 0": RandomPlayer(), "player 1": RandomPlayer()}
    assert abs(play_game(SpielKuhn(), players, seed=1).payoffs["player 0"]) in (1, 2)
    tree: Tree = kuhn().tree()
    record = play_game(tree, {name: RandomPlayer() for name in tree.names}, seed=1)
    assert sum(record.payoffs.values()) == 0
    best = {name: StrategyPlayer(solve(tree)) for name in tree.names}
    assert play_game(tree, best, seed=5).forfeit is None


def test_the_same_seed_gives_the_same_game() -> None:
    players = {name: RandomPlayer() for name in leduc().players}
    one, two = (play_game(leduc(), players, seed=7) for _ in range(2))
    assert one.moves == two.moves
    assert one.payoffs == two.payoffs
    assert replayed(leduc().position(), one).payoffs == one.payoffs
    assert play_game(leduc(), players, seed=8).moves != one.moves


# ------------------------------------------------------------------ faults


class Says(Seated):
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Any:
        return self.answer(options) if callable(self.answer) else self.answer


def crash(options: Sequence[Hashable]) -> Any:
    raise ZeroDivisionError("by accident")


def loop(options: Sequence[Hashable]) -> Any:
    while True:
        pass


def sleep(options: Sequence[Hashable]) -> Any:
    time.sleep(0.4)
    return options[0]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("fold", "'fold', which is not among pass, bet"),
        (None, "None, which is not among"),
        ([], "not among"),
        ({"pass": 0.5, "bet": 0.6}, "sum to 1.1"),
        ({"pass": -1, "bet": 2}, "negative"),
        ({"pass": float("nan"), "bet": 1}, "nan"),
        ({"pass": "much"}, "'much'"),
        ({"fold": 1}, "not among"),
        ({}, "sum to 0"),
        (crash, "ZeroDivisionError: by accident"),
        (loop, "longer than 0.1 s"),
        (sleep, "longer than 0.1 s"),
    ],
)
def test_a_fault_loses_the_game(answer: Any, reason: str) -> None:
    players = {"gambler": Says(answer), "dealer": RandomPlayer()}
    seconds = 0.1 if "longer" in reason else 60  # a busy machine may stall any process
    played = play_game(kuhn(), players, seed=1, seconds=seconds)
    assert played.forfeit is not None
    assert played.forfeit.seat == "gambler"
    assert reason in played.forfeit.reason
    assert "\n" not in played.forfeit.reason
    assert played.payoffs == {"gambler": -2, "dealer": 2}


def test_a_forfeit_costs_the_least_payoff() -> None:
    @game(players=("one", "two", "three"), bounds=(-9, 9))
    def bounded(g: Play) -> object:
        return g.win(g.choose("one", g.players), 3)

    @game(players=("one", "two"))
    def long(g: Play) -> object:
        paid = sum(g.choose("one", (-1, 1)) for _ in range(40))
        return g.win("one", paid)

    fault = {"one": Says("x"), "two": RandomPlayer(), "three": RandomPlayer()}
    assert play_game(bounded(), fault).payoffs == {
        "one": -9, "two": Fraction(9, 2), "three": Fraction(9, 2),
    }  # fmt: skip
    fault.pop("three")
    assert -40 <= play_game(long(), fault).payoffs["one"] < -8  # the worst of random plays


def test_arguments_cannot_be_changed() -> None:
    class Vandal(Seated):
        def choose(self, options: Any) -> Any:
            options[0] = "all"

    played = play_game(kuhn(), {"gambler": Vandal(), "dealer": RandomPlayer()})
    assert played.forfeit is not None
    assert "TypeError" in played.forfeit.reason


class Token:
    """An option that can be changed, as an object of somebody's rules may be."""

    def __init__(self, worth: int) -> None:
        self.worth, self.marks = worth, [worth]


def test_what_is_changed_inside_of_options_and_facts_is_restored() -> None:
    tokens = Token(1), Token(2)

    @game(players=("one", "two"), bounds=(-9, 9))
    def takes(g: Play) -> object:
        g.reveal("two", tokens)
        return g.win("one", g.choose("one", tokens).worth)

    class Taker(Says):
        def decide(self, view: Any, options: tuple[Any, ...]) -> Any:
            options[0].worth = 8
            return options[0]

    class Listener(RandomPlayer):
        def told(self, fact: Any) -> None:
            super().told(fact)
            fact[0].marks.append(3)

    first = Says(lambda options: options[0])
    for seats, lost in (
        ({"one": Taker(None), "two": RandomPlayer()}, "one"),
        ({"one": first, "two": Listener()}, "two"),
    ):
        played = play_game(takes(), seats)
        assert played.forfeit is not None
        assert (played.forfeit.seat, played.forfeit.reason) == (lost, "changed what it was given")
        assert [(one.worth, one.marks) for one in tokens] == [(1, [1]), (2, [2])]
    assert play_game(takes(), {"one": first, "two": RandomPlayer()}).payoffs["one"] == 1


def test_no_player_sets_the_referees_clock() -> None:
    class Late(Seated):
        def decide(self, view: Any, options: Any) -> Any:
            self.clock.seconds, self.clock.started = 1e9, 1e12
            time.sleep(0.4)
            return options[0]

    players = {"gambler": Late(), "dealer": RandomPlayer()}
    played = play_game(kuhn(), players, seed=1, seconds=0.1)
    assert played.forfeit is not None
    assert "longer than 0.1 s" in played.forfeit.reason
    assert 0 < played.seconds["gambler"] < 60


@pytest.mark.parametrize("name", ["rules", "bounds", "params", "seats", "family", "new"])
def test_a_game_is_a_value(name: str) -> None:
    with pytest.raises(AttributeError, match="make another game"):
        setattr(kuhn(), name, None)


def test_who_may_sit_where() -> None:
    with pytest.raises(ParameterError, match="no player has the seat 'dealer'"):
        play_game(kuhn(), {"gambler": RandomPlayer()})
    with pytest.raises(ParameterError, match="no seat 'dealr'; did you mean 'dealer'"):
        play_game(
            kuhn(),
            {"gambler": RandomPlayer(), "dealer": RandomPlayer(), "dealr": RandomPlayer()},
        )
    one = RandomPlayer()
    with pytest.raises(ParameterError, match="two seats"):
        play_game(kuhn(), {"gambler": one, "dealer": one})
    with pytest.raises(ParameterError, match="needs begin, told and choose"):
        play_game(kuhn(), {"gambler": 7, "dealer": RandomPlayer()})  # type: ignore[dict-item]


def test_errors_of_the_rules_are_not_the_players() -> None:
    @game(players=("one",))
    def broken(g: Play) -> object:
        g.choose("one", ("a", "b"))
        raise ValueError("broken")

    with pytest.raises(RulesError, match="broken"):
        play_game(broken(), {"one": RandomPlayer()})


class Stubborn:
    """Bets with a king, and otherwise does what it did first; keeps no view."""

    def begin(self, game: Any, seat: str, clock: Any) -> None:
        self.facts: list[str] = []
        self.first: Any = None

    def told(self, fact: Hashable) -> None:
        self.facts.append(str(fact))

    def choose(self, options: Sequence[Hashable]) -> Any:
        return "bet" if "K" in self.facts else self.first or "pass"

    def took(self, option: Hashable) -> None:
        self.first = self.first or option


def test_a_player_is_a_strategy() -> None:
    plays = PlayerStrategy(kuhn(), Stubborn)
    rows = plays("gambler", information_sets(kuhn().tree()).state(2), ("pass", "bet"))
    assert rows == {"pass": 1}  # J, [pass], bet
    tree = kuhn().tree()
    mapping = {
        player: {
            label: {"bet" if label.startswith("K") else "pass": 1}
            for label in solve(tree).strategy[player]
        }
        for player in tree.names
    }
    assert exploitability(kuhn(), plays) == exploitability(kuhn(), mapping)


def test_players_are_models_of_the_others() -> None:
    view = kuhn().position().after("Q K").after("pass").after("bet").view("gambler")

    def believed(make: Any) -> dict[str, Any]:
        model = PlayerStrategy(kuhn(), make)
        found = Histories(kuhn(), "gambler", model=model).enumerate(view)
        return {str(position)[8:11]: weight for position, weight in found if weight}

    assert believed(Stubborn) == {"Q K": 1}
    # One that takes the gambler's calls for random bluffs with a jack, too.
    search = partial(InformationSetPlayer, samples=300)
    assert believed(search) == {"Q J": Fraction(1, 2), "Q K": Fraction(1, 2)}


def test_what_a_player_changes_is_its_own() -> None:
    class Careless(Seated):
        """Changes all that it is given."""

        def decide(self, view: Any, options: Any) -> Any:
            options.clear()

    class Greedy(Seated):
        """Changes the game."""

        def decide(self, view: Any, options: Any) -> Any:
            self.game.params["ranks"] = 9
            return options[0]

    for kind in (Careless, Greedy):
        seats = {"gambler": kind(), "dealer": RandomPlayer()}
        played = play_game(chosen := kuhn(), seats, seed=1)
        assert chosen == kuhn()
        assert repr(chosen) == "kuhn()"
        if kind is Careless:
            assert played.forfeit is not None
            assert "clear" in played.forfeit.reason


def test_to_begin_is_no_move_and_the_end_is_told() -> None:
    class Slow(RandomPlayer):
        """Reads something large before it plays."""

        ended = 0

        def begin(self, game: Any, seat: str, clock: Any) -> None:
            super().begin(game, seat, clock)
            time.sleep(1.1)

        def finish(self) -> None:
            self.ended += 1

    slow = Slow()
    played = play_game(kuhn(), {"gambler": slow, "dealer": RandomPlayer()}, seed=1, seconds=1.0)
    assert played.forfeit is None
    assert slow.ended == 1


def test_no_full_collection_of_garbage_comes_in_a_players_time() -> None:
    """One player's millions of objects would make another one late."""
    before, within = gc.get_threshold(), []

    class Watching(RandomPlayer):
        """Looks how often Python collects garbage."""

        def decide(self, view: Any, options: Any) -> Any:
            within.append(gc.get_threshold())
            return super().decide(view, options)

    players = {"gambler": Watching(), "dealer": RandomPlayer()}
    play_game(kuhn(), players, seconds=1)
    play_game(kuhn(), players)
    assert [one[2] > 1_000_000 for one in within[:1] + within[-1:]] == [True, False]
    assert gc.get_threshold() == before
