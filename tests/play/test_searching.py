"""Players that search: better than chance, in time, the same again for the same seed."""

from __future__ import annotations

import time
from math import inf
from random import Random
from typing import Any

import pytest

from infoset import Play, game, solve
from infoset.errors import ParameterError
from infoset.games import (
    blind_tic_tac_toe,
    goofspiel,
    holdem,
    kuhn,
    leduc,
    prisoners_dilemma,
    tic_tac_toe,
)
from infoset.play import (
    AutomaticPlayer,
    Clock,
    InformationSetPlayer,
    PerfectInformationPlayer,
    RandomPlayer,
    RegretPlayer,
    ScoreBoundedPlayer,
    StrategyPlayer,
    TreeSearchPlayer,
    aivat,
    entrant,
    match,
    play_game,
)
from infoset.play.automatic import solved, solved_at_once
from tests.search.test_information import look
from tests.strategy.fake_openspiel import Kuhn as SpielKuhn


@pytest.mark.parametrize("chosen", [kuhn(), goofspiel(cards=3)], ids=repr)
def test_overconfidence_beats_chance(chosen: Any) -> None:
    for name in ("overconfident:samples=30", "pimc:samples=10"):
        played = match(chosen, [name, "random"], games=100)
        assert played.standings()[0].low > 0
    assert not played.faults()


@pytest.mark.parametrize("name", ["ismcts", "mo-ismcts", "sbmcts"])
@pytest.mark.parametrize("chosen", [kuhn(), goofspiel(cards=3)], ids=repr)
def test_tree_search_beats_chance(chosen: Any, name: str) -> None:
    played = match(chosen, [f"{name}:iterations=120", "random"], games=100)
    assert played.standings()[0].low > 0
    assert not played.faults()


@pytest.mark.parametrize(
    "name", ["overconfident", "paranoid", "pimc", "ismcts", "mo-ismcts", "sbmcts"]
)
@pytest.mark.parametrize(
    "chosen",
    [blind_tic_tac_toe(), SpielKuhn(), kuhn().tree(), kuhn(players=3), prisoners_dilemma()],
    ids=["blind", "of OpenSpiel", "a tree", "three players", "general sum"],
)
def test_every_game_has_opponents(chosen: Any, name: str) -> None:
    seats = 3 if repr(chosen) == "kuhn(players=3)" else 2
    settings = "iterations=9" if "mcts" in name else "depth=2,samples=5"
    players = [f"{name}:{settings}", *["random"] * (seats - 1)]
    assert not match(chosen, players, games=seats).faults()


@pytest.mark.parametrize(
    "player",
    [InformationSetPlayer(samples=60), TreeSearchPlayer(iterations=400)],
    ids=["overconfident", "ismcts"],
)
def test_it_looks_before_it_guesses(player: Any) -> None:
    others = {"nature": RandomPlayer()}
    played = [play_game(look(), {"seeker": player, **others}, seed=seed) for seed in range(10)]
    assert {str(one.payoffs["seeker"]) for one in played} == {"9/10"}
    assert all(("seeker", "look") in one.moves for one in played)


@pytest.mark.parametrize("player", [PerfectInformationPlayer(), ScoreBoundedPlayer()], ids=type)
def test_with_perfect_information_nobody_looks(player: Any) -> None:
    seats = {"seeker": player, "nature": RandomPlayer()}
    played = [play_game(look(), seats, seed=seed) for seed in range(6)]
    assert all(("seeker", "guess") in one.moves for one in played)


def asked(player: Any, chosen: Any, seat: str, *moves: Any, seconds: float = inf) -> Any:
    """What a player chooses after some moves, of which it is told."""
    player.begin(chosen, seat, Clock(seconds, Random(1)))
    at = chosen.position()
    for move in moves:
        at = at.after(move)
    return player.decide(at.view(seat), tuple(at.options(seat)))


def test_simultaneous_moves_are_mixed() -> None:
    @game(players=("one", "two"), bounds=(-3, 3))
    def matrix(g: Play) -> object:
        both = g.together({"one": (0, 1), "two": (0, 1)})
        paid = ((3, -1), (-2, 1))[both["one"]][both["two"]]
        return paid, -paid

    player = ScoreBoundedPlayer()
    assert asked(player, matrix(), "one") == pytest.approx({0: 3 / 7, 1: 4 / 7})
    assert asked(player, matrix(), "two") == pytest.approx({0: 2 / 7, 1: 5 / 7})


def test_one_tree_where_nothing_is_hidden() -> None:
    """A line is blocked, and once the tree is solved no time is spent."""
    player = ScoreBoundedPlayer(samples=3)
    began = time.perf_counter()
    assert asked(player, tic_tac_toe(), "nought", "a1", "b2", "a2", seconds=30) == "a3"
    assert time.perf_counter() - began < 10
    assert player.drawn == 3


def test_hidden_worlds_are_weighed() -> None:
    """The move that is best in no world is best in the mean of all."""

    @game(players=("one", "two"), bounds=(-5, 5))
    def worlds(g: Play) -> object:
        place = g.chance((1, 2, 3))
        taken = g.choose("one", (0, 1, 2, 3))
        g.reveal("two", "moved")
        g.choose("two", ("wait", "see"))
        paid = 1 if taken == 0 else 2 if taken == place else -5
        return paid, -paid

    player = ScoreBoundedPlayer(iterations=500, samples=30)
    assert asked(player, worlds(), "one", 1) == 0
    assert player.drawn >= 60  # all worlds were solved, and more were drawn


def test_the_clock_is_kept() -> None:
    player = InformationSetPlayer(depth=6, samples=40)
    worlds = PerfectInformationPlayer(depth=2, samples=5)
    tree_search = TreeSearchPlayer(iterations=1)
    for one in (player, worlds, tree_search):
        assert in_time(one, 0.15)
    assert player.searches > 1  # the time is used
    assert worlds.drawn > 5
    assert tree_search.drawn > 50
    bounded = ScoreBoundedPlayer(iterations=1)
    assert in_time(bounded, 0.3)
    assert bounded.drawn >= 20


def in_time(player: Any, seconds: float) -> bool:
    """Does it keep its clock, in one of a few games? A busy machine may stall any process."""
    seats = {"one": player, "two": RandomPlayer()}
    for _ in range(4):
        began = time.perf_counter()
        if play_game(leduc(), seats, seed=1, seconds=seconds).forfeit is None:
            return time.perf_counter() - began < 5
    return False


def test_the_same_seed_gives_the_same_moves() -> None:
    def moves() -> Any:
        seats = {"one": InformationSetPlayer(samples=20), "two": InformationSetPlayer("paranoid")}
        return play_game(leduc(), seats, seed=5).moves

    assert moves() == moves()


def test_a_model_of_the_others() -> None:
    @game(players=("one", "two"))
    def pennies(g: Play) -> object:
        both = g.together({"one": ("heads", "tails"), "two": ("heads", "tails")})
        return g.win("one" if both["one"] == both["two"] else "two")

    biased = {"two": {"nothing yet": {"heads": 0.9, "tails": 0.1}}}
    player = InformationSetPlayer(biased, samples=40)
    seats = {"one": player, "two": RandomPlayer()}
    assert ("one", "heads") in play_game(pennies(), seats, seed=1).moves
    exact = InformationSetPlayer(solve(kuhn()), samples=40)
    assert play_game(kuhn(), {"gambler": exact, "dealer": RandomPlayer()}).forfeit is None


def test_settings() -> None:
    for name, said in (
        ("overconfident:dept=2", "did you mean 'depth'"),
        ("overconfident:depth=0", "from 1 on"),
        ("overconfident:depth=x", "from 1 on"),
        ("paranoid:depth=1,depth=2", "once"),
        ("sbmcts:iteration=2", "did you mean 'iterations'"),
    ):
        with pytest.raises(ParameterError, match=said):
            match(kuhn(), [name, "random"])
    assert match(kuhn(), ["paranoid:", "random"], games=2).games
    with pytest.raises(ParameterError, match="at least 1"):
        InformationSetPlayer(depth=0)


def test_regret_minimization_plays_an_equilibrium_of_kuhn() -> None:
    """What it does by its average strategy is worth as much as the solution, but for sampling."""
    solution = solve(kuhn())
    played = match(kuhn(), ["mccfr:iterations=1000", solution], games=40)
    found = aivat(kuhn(), played, solution).standings()[0]
    assert not played.faults()
    assert found.mean > -0.01
    others = match(kuhn(), ["pimc", solution], games=40)
    assert found.mean > aivat(kuhn(), others, solution).standings()[0].mean + 0.02


def test_regret_minimization_goes_on_from_game_to_game_with_a_clock() -> None:
    player = RegretPlayer(iterations=20)
    seats = {"gambler": player, "dealer": RandomPlayer()}
    chosen, counts = kuhn(), []
    for seconds in (inf, inf, 0.05, 0.05):
        play_game(chosen, seats, seed=2, seconds=seconds)
        assert player.run is not None
        counts.append(player.run.iterations)
    assert counts[0] == counts[1]  # begun anew
    assert counts[1] < counts[2] < counts[3]


@pytest.mark.parametrize(
    "name", ["overconfident", "pimc:samples=5", "ismcts:iterations=40", "sbmcts:iterations=30",
             "alphamu:samples=4", "mccfr:iterations=5"],
)  # fmt: skip
def test_without_a_clock_no_game_depends_on_another(name: str) -> None:
    chosen = leduc()

    def moves(seeds: Any) -> Any:
        seats = {"one": entrant(name).make(), "two": RandomPlayer()}
        return [play_game(chosen, seats, seed=seed).moves for seed in seeds][-1]

    for last in range(3, 6):
        assert moves([1, 2, last]) == moves([last])


def test_the_automatic_player_solves_what_it_can() -> None:
    small, large = AutomaticPlayer(), AutomaticPlayer()
    match(kuhn(), [small, "random"], games=2)
    assert isinstance(small.player, StrategyPlayer)
    assert small.player.strategy.certificate == "exact"
    match(blind_tic_tac_toe(width=3, height=3), [large, "random"], games=2, seconds=0.02)
    assert isinstance(large.player, TreeSearchPlayer)


def test_the_automatic_player_solves_once_for_all_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(tree: Any, **settings: Any) -> Any:
        calls.append(tree)
        return solve(tree, **settings)

    monkeypatch.setattr("infoset.play.automatic.solve", counted)
    match(leduc(), ["auto", "auto", "random"], games=4)
    assert len(calls) == 1


WIDE = holdem(one="22+ A2+ KT+", two="22+ A2+")  # 1.3 million nodes: no tree of this is solved


def test_the_automatic_player_solves_public_forms_of_larger_games() -> None:
    players = {"one": AutomaticPlayer(), "two": AutomaticPlayer()}
    for seed in range(3):
        played = play_game(WIDE, players, seed=seed)
        assert played.forfeit is None
    for one in players.values():
        assert isinstance(one.player, StrategyPlayer)
        solution = one.player.strategy
        assert solution.evaluation.kind == "public form"
        assert solution.regret <= 1e-4 * 50  # of the range of payoffs, -25 to 25
        assert solution.certificate in one.about


def test_what_regret_minimization_leaves_is_no_equilibrium_if_it_is_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("infoset.play.automatic.PATIENCE", 0.0)
    found = solved(leduc(ranks=13).public())
    assert found.solution is None
    assert "regret" in found.why
    assert "a search" in found.about


@pytest.mark.parametrize(
    "large",
    [
        holdem("Ks 7d 2c 9h"),  # 6,000 million nodes, by estimate
        blind_tic_tac_toe(width=3, height=3),  # no public form
    ],
    ids=["turn", "blind"],
)
def test_what_is_too_large_is_searched(large: Any) -> None:
    found = solved_at_once(large)
    assert found.solution is None
    assert "too large" in found.about


def test_nobody_waits_long_for_the_automatic_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search ends when its time is over, however many iterations are left."""
    monkeypatch.setattr("infoset.play.automatic.THINKING", 0.1)
    players, turn = {"one": AutomaticPlayer(), "two": RandomPlayer()}, holdem("Ks 7d 2c 9h")
    assert solved_at_once(turn).solution is None  # tried before, which takes a second
    played = play_game(turn, players, seed=1)
    made = sum(seat == "one" for seat, _ in played.moves)
    assert made >= 1
    search = players["one"].player
    assert isinstance(search, TreeSearchPlayer)
    assert search.drawn < search.iterations * made  # which would be all of them
    assert played.seconds["one"] < 0.1 * made + 5
