"""Ratings of round robins, and standings that are added up game by game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from openskill.models import PlackettLuce

from infoset import solve
from infoset.cli.app import call
from infoset.games import kuhn
from infoset.play import GameRecord, MatchGame, MatchResult, Standing, match


def played(number: int, seats: Sequence[int], payoffs: Sequence[int]) -> MatchGame:
    names = [f"seat {at}" for at in range(len(seats))]
    paid = dict(zip(names, map(Fraction, payoffs), strict=True))
    return MatchGame(number, dict(zip(names, seats, strict=True)), GameRecord((), paid))


def result(entrants: int, seats: int, games: Sequence[MatchGame]) -> MatchResult:
    return MatchResult("a game", tuple(f"entrant {at}" for at in range(entrants)), seats, [*games])


def random_games(count: int, seed: int = 1) -> list[MatchGame]:
    """A round robin of three, for two seats; the first gets most."""
    luck, found = Random(seed), []
    for number in range(count):
        one, two = luck.sample(range(3), 2)
        paid = luck.randint(-3, 3) + 2 * (one == 0) - 2 * (two == 0)
        found.append(played(number, (one, two), (paid, -paid)))
    return found


# ------------------------------------------------------------------ ratings


def test_ranks_are_by_payoff_and_ties_are_ties() -> None:
    """The same as openskill's own, from the ranks 2, 1, 1 and 1, 3, 2 of three entrants."""
    games = [played(0, (0, 1, 2), (-4, 2, 2)), played(1, (2, 0, 1), (7, 8, 1))]
    model = PlackettLuce()
    a, b, c = (model.rating() for _ in range(3))
    ((a,), (b,), (c,)) = model.rate([[a], [b], [c]], ranks=[2, 1, 1])
    ((c,), (a,), (b,)) = model.rate([[c], [a], [b]], ranks=[2, 1, 3])
    for mine, theirs in zip(result(3, 3, games).ratings(), (a, b, c), strict=True):
        assert (mine.mu, mine.sigma) == pytest.approx((theirs.mu, theirs.sigma), abs=1e-9)
        assert mine.ordinal == pytest.approx(theirs.ordinal())
    even = result(2, 2, [played(number, (0, 1), (0, 0)) for number in range(9)]).ratings()
    assert even[0].mu == even[1].mu == 25
    assert even[0].sigma < 25 / 3


def test_games_count_in_the_order_of_their_numbers() -> None:
    games = random_games(60)
    shuffled = Random(2).sample(games, len(games))
    assert result(3, 2, games).ratings() == result(3, 2, shuffled).ratings()
    renumbered = [
        MatchGame(59 - game.number, game.seats, game.record) for game in games
    ]  # another order is another match
    assert result(3, 2, games).ratings() != result(3, 2, renumbered).ratings()


def test_processes_rate_alike() -> None:
    alone, shared = (
        match(kuhn(), ["random", solve(kuhn()), "random"], games=20, seed=5, jobs=jobs).ratings()
        for jobs in (1, 2)
    )
    assert alone == shared


def test_the_strongest_is_rated_highest_and_more_games_make_sure() -> None:
    ratings = {count: result(3, 2, random_games(count)).ratings() for count in (10, 400)}
    strong, *others = ratings[400]
    assert all(strong.ordinal > other.ordinal for other in others)
    for few, many in zip(ratings[10], ratings[400], strict=True):
        assert many.sigma < few.sigma
    unplayed = result(2, 2, []).ratings()
    assert [(one.mu, one.ordinal) for one in unplayed] == [(25, 0), (25, 0)]
    alone = result(1, 1, [played(0, (0,), (3,))]).ratings()  # nobody to compare with
    assert alone[0].mu == 25


def test_the_command_shows_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "kuhn", "random", "random", "random", "--games", "10"]
    assert call(words) == 0
    told = capsys.readouterr().out
    assert "rating" in told
    assert "±" in told
    assert call([*words, "--json"]) == 0
    for one in json.loads(capsys.readouterr().out)["players"]:
        assert {"name", "mean", "low", "high", "games", "forfeits", "rating"} <= set(one)
        rating = one["rating"]
        assert rating["ordinal"] == pytest.approx(rating["mu"] - 3 * rating["sigma"])
    assert call([*words[:4], "--games", "10"]) == 0
    assert "rating" not in capsys.readouterr().out  # of two it says nothing new


# ------------------------------------------------------------------ standings


class Counted(dict[str, Fraction]):
    """Payoffs that count how often they are read."""

    reads = 0

    def __getitem__(self, key: str) -> Fraction:
        Counted.reads += 1
        return super().__getitem__(key)


def fresh(found: MatchResult) -> list[Standing]:
    return MatchResult(found.game, found.entrants, found.seats, list(found.games)).standings()


def test_standings_read_each_game_once() -> None:
    games = random_games(200)
    for game in games:
        object.__setattr__(game.record, "payoffs", Counted(game.record.payoffs))
    growing = result(3, 2, [])
    Counted.reads = 0
    for game in games:
        growing.games.append(game)
        growing.standings()
    assert Counted.reads == 2 * len(games)
    assert growing.standings() == fresh(growing)


def test_standings_follow_whatever_happens_to_the_games() -> None:
    found = result(3, 2, random_games(50))
    before = found.standings()

    def changed(what: Any) -> None:
        assert found.standings() == fresh(found), what

    found.games.sort(key=lambda game: -game.number)
    changed("sorted")
    found.games.pop()
    changed("shorter")
    found.games[3] = random_games(50, seed=9)[3]
    changed("replaced")
    found.games = random_games(50, seed=3)
    changed("another list")
    assert found.standings() != before


def test_a_round_of_a_round_robin_is_all_games_with_its_deal() -> None:
    """Three entrants for two seats: six games a round, which are one observation and not three."""
    luck, games, means = Random(4), [], []
    for number in range(20):
        means.append(luck.randint(-5, 5))
        for at, (one, two) in enumerate(((0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1))):
            paid = means[-1] * (one == 0) - means[-1] * (two == 0)
            games.append(played(6 * number + at, (one, two), (paid, -paid)))
    found = result(3, 2, games).standings()[0]
    single = [played(number, (0,), (mean,)) for number, mean in enumerate(means)]
    wanted = result(1, 1, single).standings()[0]
    assert (found.mean, found.low) == pytest.approx((wanted.mean, wanted.low))
    assert (found.games, wanted.games) == (80, 20)
