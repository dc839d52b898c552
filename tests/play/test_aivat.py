"""AIVAT: unbiased exactly, whatever is known and however positions are valued; and narrower."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, Solution, Tree, game, solve
from infoset.cli import run
from infoset.cli.app import call
from infoset.errors import InfosetError, ParameterError, StrategyError
from infoset.games import beer_quiche, kuhn, leduc, seltens_horse
from infoset.play import (
    Forfeit,
    GameRecord,
    MatchResult,
    Seated,
    StrategyPlayer,
    aivat,
    match,
    play_game,
    read_records,
)
from infoset.play.aivat import estimates, known_reach, node_values
from infoset.strategy import Behaviour, Profile, behaviour, profile, uniform
from infoset.strategy.models import erring
from tests.cli.test_command import refusal
from tests.rules.random_games import random_rules

# ------------------------------------------------------------------ all plays of a game


def random_strategy(tree: Tree, player: str, luck: Random, least: int = 1) -> Behaviour:
    """Probabilities in small fractions; with ``least`` 0, some actions are never taken."""
    rows: dict[Any, Any] = {}
    for infoset in tree.infosets_of(player):
        weights = [luck.randint(least, 4) for _ in infoset.actions]
        weights[luck.randrange(len(weights))] += 1
        chances = [Fraction(weight, sum(weights)) for weight in weights]
        rows[infoset] = dict(zip(infoset.actions, chances, strict=True))
    return behaviour(tree, player, rows)


def random_profile(tree: Tree, luck: Random, least: int = 1) -> Profile:
    return profile(random_strategy(tree, player, luck, least) for player in tree.names)


def moves_to(tree: Tree, node: int) -> tuple[tuple[str | None, Any], ...]:
    moves: list[tuple[str | None, Any]] = []
    while node:
        above = int(tree.parent[node])
        mover = int(tree.player[above])
        seat = tree.names[mover] if mover >= 0 else None
        moves.append((seat, tree.menu(above)[int(tree.action[node])]))
        node = above
    return tuple(reversed(moves))


def plays(tree: Tree, strategies: Profile) -> list[tuple[Fraction, GameRecord]]:
    """All games that these strategies may play, with their probabilities."""
    chances = known_reach(tree, strategies, exact=True)
    found = []
    for leaf in tree.leaves:
        paid = {name: Fraction(amount) for name, amount in leaf.payoffs.items()}
        record = GameRecord(moves_to(tree, leaf.index), paid)
        found.append((Fraction(chances[leaf.index]), record))
    return [(chance, record) for chance, record in found if chance]


Plays = Sequence[tuple[Fraction, GameRecord]]
Numbers = Sequence[dict[str, Any]]


def mean(games: Plays, numbers: Numbers, player: str) -> Any:
    return sum(
        (chance * one[player] for (chance, _), one in zip(games, numbers, strict=True)), Fraction(0)
    )


def variance(games: Plays, numbers: Numbers, player: str) -> float:
    squares = [{player: one[player] ** 2} for one in numbers]
    return float(mean(games, squares, player) - mean(games, numbers, player) ** 2)


def payoffs(games: Plays) -> Numbers:
    return [record.payoffs for _, record in games]


def estimated(
    games: Plays, playing: Profile, values: Any, known: Sequence[str], exact: bool = True
) -> Numbers:
    """The estimates of all games, if the strategies of some players are known."""
    by_seat = {one.player: one for one in playing if one.player in known}
    records = [record for _, record in games]
    return aivat(playing.tree, records, values, by_seat, exact=exact).estimates


def subsets(names: Sequence[str]) -> list[list[str]]:
    return [
        [name for at, name in enumerate(names) if bits >> at & 1] for bits in range(2 ** len(names))
    ]


@cache
def solved(make: Callable[[], Any]) -> Solution:
    return solve(make())


# ------------------------------------------------------------------ unbiased, exactly


@pytest.mark.parametrize("make", [kuhn, beer_quiche, seltens_horse])
def test_the_expectation_of_the_estimates_is_that_of_the_payoffs(make: Callable[[], Any]) -> None:
    tree = solved(make).tree
    luck = Random(7)
    playing = random_profile(tree, luck, least=0)
    games = plays(tree, playing)
    for values in (solved(make), random_profile(tree, luck)):
        for known in subsets(tree.names):
            found = estimated(games, playing, values, known)
            for player in tree.names:
                assert mean(games, found, player) == playing.payoffs[player]


def test_it_is_in_leduc() -> None:
    tree = solved(leduc).tree
    playing = profile([solved(leduc).profile["one"], random_strategy(tree, "two", Random(8), 0)])
    games = plays(tree, playing)
    wrong = profile(uniform(tree, player) for player in tree.names)
    for values, known in ((solved(leduc), ["one"]), (wrong, ["two"]), (wrong, [])):
        found = estimated(games, playing, values, known)
        assert mean(games, found, "one") == playing.payoffs["one"]


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(1, 3),
    forgetful=st.booleans(),
    bits=st.integers(0, 7),
)
def test_it_is_in_random_games_with_values_of_any_kind(
    seed: int, players: int, forgetful: bool, bits: int
) -> None:
    """Any number of players, any payoffs, simultaneous moves, imperfect recall, and any v."""
    tree = random_rules(seed, players, depth=4, forgetful=forgetful)().tree()
    luck = Random(seed)
    playing = random_profile(tree, luck, least=0)
    values = node_values(random_profile(tree, luck), exact=True)
    inner = np.setdiff1d(np.arange(len(tree)), tree.leaf_indices)
    for node in inner:
        values[node] += luck.randint(-9, 9)
    known = [one for at, one in enumerate(playing) if bits >> at & 1]
    unknown = [at for at in range(players) if not bits >> at & 1]
    table = estimates(tree, values, known_reach(tree, known, exact=True), unknown)
    chances = known_reach(tree, playing, exact=True)
    for at, player in enumerate(tree.names):
        found = sum(chances[leaf] * table.of_leaf(leaf)[at] for leaf in tree.leaf_indices.tolist())
        assert found == playing.payoffs[player]


def test_unknown_players_may_remember_and_correlate_their_choices() -> None:
    """π_U is no product over information sets here: a coin is tossed once, before the game."""
    tree = solved(kuhn).tree
    gambler = solved(kuhn).profile.strategies[0]
    luck = Random(3)
    bold, timid = (random_strategy(tree, "dealer", luck, least=0) for _ in range(2))
    total = Fraction(0)
    for dealer in (bold, timid):
        playing = profile([gambler, dealer])
        games = plays(tree, playing)
        total += mean(games, estimated(games, playing, solved(kuhn), ["gambler"]), "gambler") / 2
    assert total == sum(profile([gambler, one]).payoffs["gambler"] for one in (bold, timid)) / 2


# ------------------------------------------------------------------ and narrower


def test_nothing_is_left_to_chance_if_everyone_is_known() -> None:
    tree = solved(leduc).tree
    playing = random_profile(tree, Random(1))
    games = plays(tree, playing)
    for values in (playing, solved(leduc)):  # exact for these strategies, and not
        found = estimated(games, playing, values, tree.names)
        assert {one["one"] for one in found} == {playing.payoffs["one"]}


def test_an_unknown_player_in_equilibrium_has_no_luck_either() -> None:
    """All that it may do is worth the same, and so are all of its games."""
    solution = solved(kuhn)
    games = plays(solution.tree, solution.profile)
    found = estimated(games, solution.profile, solution, ["gambler"])
    assert {one["gambler"] for one in found} == {Fraction(-1, 18)}


@pytest.mark.parametrize(
    ("part", "least", "seat"), [(Fraction(1, 10), 40, "one"), (Fraction(1, 2), 10, "two")]
)
def test_a_tenth_of_the_games_is_enough_in_leduc(part: Fraction, least: int, seat: str) -> None:
    """The variance of a game against an unknown opponent: at least so many times smaller."""
    solution = solved(leduc)
    other = "two" if seat == "one" else "one"
    playing = profile([solution.profile[seat], erring(solution.profile[other], part)])
    games = plays(solution.tree, playing)
    found = estimated(games, playing, solution, [seat], exact=False)
    assert variance(games, payoffs(games), seat) > least * variance(games, found, seat) > 0
    assert all(abs(sum(one.values())) < 1e-9 for one in found)


def test_less_is_left_the_more_is_known() -> None:
    tree = solved(leduc).tree
    at_random = profile(uniform(tree, player) for player in tree.names)
    playing = profile([solved(leduc).profile["one"], at_random["two"]])
    games = plays(tree, playing)

    def left(values: Any, known: Sequence[str]) -> float:
        return variance(games, estimated(games, playing, values, known, exact=False), "one")

    naive, nobody = variance(games, payoffs(games), "one"), left(solved(leduc), [])
    assert naive > 2 * nobody > 4 * left(solved(leduc), ["one"])  # 17.2, 7.8, 2.5
    assert naive > 10 * left(at_random, ["one"])  # values that know how the opponent plays
    assert left(solved(leduc), ["one", "two"]) == pytest.approx(0, abs=1e-12)


# ------------------------------------------------------------------ forfeits


def test_forfeits_are_unbiased_even_if_they_follow_the_cards() -> None:
    """The dealer forfeits more often with bad cards; the game is one with an action more."""
    tree = solved(kuhn).tree
    playing = random_profile(tree, Random(5))
    reach = known_reach(tree, playing, exact=True)
    lost = {"J": Fraction(1, 2), "Q": Fraction(1, 3), "K": Fraction(0)}
    worst = {"gambler": Fraction(2), "dealer": Fraction(-2)}
    games, stays = [], {0: Fraction(1)}
    for node in range(len(tree)):
        above = int(tree.parent[node])
        if node:
            dealer = tree.player[above] == tree.player_number("dealer")
            left = lost[tree.labels[int(tree.infoset[above])][0]] if dealer else Fraction(0)
            stays[node] = stays[above] * (1 - left)
        if tree.player[node] == tree.player_number("dealer"):
            left = lost[tree.labels[int(tree.infoset[node])][0]]
            record = GameRecord(moves_to(tree, node), worst, Forfeit("dealer", "raised KeyError"))
            games.append((stays[node] * reach[node] * left, record))
    for chance, record in plays(tree, playing):
        node = 0
        for _, move in record.moves:
            start, child = tree.children
            node = int(child[start[node] + list(tree.menu(node)).index(move)])
        games.append((stays[node] * chance, record))
    assert sum(chance for chance, _ in games) == 1
    truth, records = mean(games, payoffs(games), "gambler"), [record for _, record in games]
    for known in ({"gambler": playing["gambler"]}, {}):
        found = aivat(kuhn(), records, solved(kuhn), known, exact=True).estimates
        assert mean(games, found, "gambler") == truth
    with pytest.raises(ParameterError, match="dealer forfeited"):
        aivat(kuhn(), records, solved(kuhn), {"dealer": playing["dealer"]})


class Crashing(Seated):
    """Fails at its second decision with a jack."""

    def decide(self, view: Any, options: tuple[Any, ...]) -> Any:
        seen = [str(what) for kind, what in view if kind == "saw"]
        if seen[0] == "J" and len(seen) > 1:
            raise RuntimeError("lost")
        return options[0]


def test_forfeits_of_matches() -> None:
    solution = solved(kuhn)
    played = match(kuhn(), [solution, Crashing], games=100)
    found = aivat(kuhn(), played, solution)
    assert found.known == ("lp 1",)
    assert [one.forfeits for one in found.standings()] == [
        one.forfeits for one in played.standings()
    ]
    assert found.standings()[1].forfeits > 5
    nobody = match(kuhn(), [{"J": {"pass": 1}}, solution], games=10)  # knows too little: forfeits
    assert nobody.standings()[0].forfeits == 10
    assert aivat(kuhn(), nobody, solution).known == ("lp 2",)


@game(players=("one", "two"))
def both_at_once(g: Play) -> object:
    """Two numbers at the same time, after a coin that one of them sees, and then one more."""
    coin = g.chance((0, 1), None)
    g.reveal("one", coin)
    chosen = g.together({"one": (0, 1), "two": (0, 1)})
    more = 3 * chosen["two"] + g.choose("two", (0, 1))
    paid = more + (chosen["one"] + coin) % 2
    return [paid, -paid]


def test_forfeits_at_simultaneous_moves() -> None:
    def lost(seat: str) -> list[GameRecord]:
        paid = {"one": Fraction(-1), "two": Fraction(1)}
        return [GameRecord(((None, coin),), paid, Forfeit(seat, "why")) for coin in (0, 1)]

    at_random = {player: uniform(both_at_once().tree(), player) for player in ("one", "two")}
    known = {"one": at_random["one"]}
    found = aivat(both_at_once(), lost("two"), at_random, known, exact=True).estimates
    assert [one["one"] for one in found] == [-1, -1]  # the coin says nothing yet
    aivat(both_at_once(), lost("one"), at_random, {})
    with pytest.raises(ParameterError, match="two forfeited it at a simultaneous move"):
        aivat(both_at_once(), lost("two"), at_random, {})


# ------------------------------------------------------------------ matches


class Timid(Seated):
    """Passes: an unknown player."""

    def decide(self, view: Any, options: tuple[Any, ...]) -> Any:
        return options[0]


def test_who_is_known(tmp_path: Path) -> None:
    solution = solved(kuhn)
    solution.save(tmp_path / "kuhn.sol")
    uniformly = {
        player: {one.label: {"pass": 0.5, "bet": 0.5} for one in solution.tree.infosets_of(player)}
        for player in solution.tree.names
    }
    entrants = [
        solution, f"solution:{tmp_path}/kuhn.sol", StrategyPlayer(solution), "random", uniformly,
        Timid, "overconfident:samples=2", lambda player, state, actions: {"pass": 1},
    ]  # fmt: skip
    played = match(kuhn(), entrants, games=2)
    assert sorted(played.known) == [0, 1, 2, 3, 4]
    found = aivat(kuhn(), played, solution)
    assert len(found.known) == 5
    # Each of the same games, with the same strategies at hand in another form.
    again = aivat(
        kuhn(), played, solution,
        {0: solution, 1: solution.profile, "StrategyPlayer 3": entrants[1], 3: uniformly,
         4: lambda player, state, actions: [0.5, 0.5]},
    )  # fmt: skip
    for one, two in zip(found.standings(), again.standings(), strict=True):
        assert one.mean == pytest.approx(two.mean, abs=1e-12)
        assert one.high == pytest.approx(two.high, abs=1e-12)


def test_records_of_a_file_and_games_one_by_one(tmp_path: Path) -> None:
    solution, file = solved(kuhn), tmp_path / "games.jsonl"
    played = match(kuhn(), [solution, Timid], games=20, record=file)
    whole = aivat(kuhn(), played, solution)
    read = aivat(kuhn(), read_records(file), solution, {0: solution})
    assert read.estimates == whole.estimates
    assert [one.low for one in read.standings()] == [one.low for one in whole.standings()]
    players = {"gambler": StrategyPlayer(solution), "dealer": Timid()}
    games = [play_game(kuhn(), players, seed=seed) for seed in range(10)]
    one_by_one = aivat(kuhn(), games, solution, {"gambler": solution})
    assert [one.games for one in one_by_one.standings()] == [10, 10]
    assert one_by_one.known == ("gambler",)


def test_means_of_rounds_and_the_truth() -> None:
    """The interval of a match is the narrower one, and contains the expectation."""
    solution = solved(kuhn)
    seats = solution.tree.names
    other = {seat: erring(solution.profile[seat], Fraction(1, 2)) for seat in seats}
    truth = sum(
        profile([solution.profile[one], other[two]]).payoffs[one]
        for one, two in (seats, seats[::-1])
    )
    found = []
    for seed in range(10):
        played = match(
            kuhn(), [solution, lambda seat, state, _: other[seat][state]], games=100, seed=seed
        )
        earned = aivat(kuhn(), played, solution)
        assert earned.known == ("lp 1",)  # functions are not
        found.append((played.standings()[0], earned.standings()[0]))
    assert sum(one.low <= truth / 2 <= one.high for _, one in found) >= 8
    lucky, width = (sum(one.high - one.low for one in kind) for kind in zip(*found, strict=True))
    assert width < lucky / 1.3


def test_what_is_refused() -> None:
    solution = solved(kuhn)
    played = match(kuhn(), [solution, "random"], games=4)
    stranger = match(kuhn(ranks=4), ["random", "random"], games=40)
    for games, known, said in (
        (played, {"gamble": solution}, "did you mean 'gambler'"),
        (played, {7: solution}, "no entrant"),
        (played, {1: "ismcts"}, "not known"),
        (played, {1: Timid}, "not known"),
        (stranger, {}, "no move of"),
        (match(kuhn(), ["random", Timid], games=40), {0: lambda *_: {"bet": 1}}, "never played"),
        (MatchResult("kuhn()", ("a", "b"), 2, [played.games[0]]), {0: {"J": {"pass": 1}}}, "no"),
    ):
        with pytest.raises(InfosetError, match=said) as raised:
            aivat(kuhn(), games, solution, known)
        assert "\n" not in str(raised.value)
    floats = {
        player: behaviour(solution.tree, player, {}, floats=True) for player in solution.tree.names
    }
    with pytest.raises(StrategyError, match="exact numbers"):
        aivat(solution.tree, played, floats, {}, exact=True)
    empty = aivat(kuhn(), [], solution)
    assert [one.games for one in empty.standings()] == [0, 0]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "kuhn.sol")
    solved(kuhn).save(file)
    words = ["match", "kuhn", f"solution:{file}", "overconfident:samples=2", "--games", "40"]
    assert call([*words, "--aivat", file, "--json"]) == 0
    one, two = json.loads(capsys.readouterr().out)["players"]
    for player in (one, two):
        found = player["aivat"]
        assert found["low"] <= found["mean"] <= found["high"]
        assert found["high"] - found["low"] < player["high"] - player["low"]
    assert one["aivat"]["mean"] == pytest.approx(-two["aivat"]["mean"])
    assert call([*words, "--aivat", file]) == 0
    told = capsys.readouterr().out
    assert "AIVAT interval" in told
    assert f"moves of solution:{file} is taken out" in told
    assert call([*words, "--json"]) == 0
    assert "aivat" not in json.loads(capsys.readouterr().out)["players"][0]
    assert "no such file" in refusal(capsys, *words, "--aivat", "nothing.sol")
    other = [*words[:2], "ranks=4", "random", "random"]
    assert "another game" in refusal(capsys, *other, "--aivat", file)
    assert "max-nodes" in refusal(capsys, *words, "--aivat", file, "--max-nodes", "20")


RULES = """
from infoset import game

@game(players=("one", "two"))
def coin(g):
    g.reveal("two", g.chance((0, 1), None))
    chosen = g.together({"one": (0, 1), "two": (0, 1)})
    return g.win("one" if chosen["one"] == chosen["two"] else "two")

class Failing:
    def begin(self, game, seat, clock): self.seat = seat
    def told(self, fact): pass
    def choose(self, options): return options[0] if self.seat == "one" else 1 / 0
"""


def test_the_command_tells_why_there_are_no_estimates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The standings are printed all the same."""
    file, saved = tmp_path / "mine.py", str(tmp_path / "coin.sol")
    file.write_text(RULES)
    assert call(["solve", f"{file}:coin", "--save", saved]) == 0
    capsys.readouterr()
    players = [f"{file}:Failing", f"{file}:Failing"]
    words = ["match", f"{file}:coin", *players, "--games", "4", "--aivat", saved, "--json"]
    assert run(words) == 2
    told = capsys.readouterr()
    assert [one["aivat"] for one in json.loads(told.out)["players"]] == [None, None]
    assert "two forfeited it at a simultaneous move" in told.err
    assert told.err.count("\n") == 1
