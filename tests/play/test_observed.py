"""Opponents learned from records, and players that respond to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from infoset import best_response
from infoset.errors import FileError, ParameterError
from infoset.games import blind_tic_tac_toe, goofspiel, kuhn, leduc, liars_dice
from infoset.play import (
    InformationSetPlayer,
    ObservedStrategy,
    RandomPlayer,
    RespondingPlayer,
    StrategyPlayer,
    match,
    play_game,
    read_records,
)
from infoset.play.standings import interval
from infoset.search import InformationSetSearch
from infoset.strategy import as_profile, as_strategy, profile
from infoset.strategy.models import learned
from infoset.text import text
from tests.search.test_alphamu import team
from tests.search.test_information import searched
from tests.strategy.fake_openspiel import Kuhn as SpielKuhn


def timid(player: str, state: str, actions: Any) -> dict[str, float]:
    """Bets with a king and passes without one, but for a few errors."""
    return {"bet": 0.95, "pass": 0.05} if "K" in state else {"pass": 0.95, "bet": 0.05}


def folding(player: str, state: str, actions: Any) -> dict[str, int]:
    """Folds whenever it may."""
    return {"fold": 1} if "fold" in actions else {actions[0]: 1}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of the timid player, the second entrant, with a player at random."""
    path = tmp_path_factory.mktemp("records") / "timid.jsonl"
    match(kuhn(), ["random", StrategyPlayer(timid)], games=1200, record=path)
    return path


def test_it_is_what_is_learned_on_the_tree(record: Path) -> None:
    tree = kuhn().tree()
    leaves = {tuple(text(move) for _, move in leaf.history): leaf for leaf in tree.leaves}
    for entrant in (0, 1):
        seen = ObservedStrategy(kuhn(), record, entrant, strength=3)
        moves = 0
        for player in tree.names:
            games = [one for one in read_records(record) if one.seats[player] == entrant]
            ends = [leaves[tuple(text(move) for _, move in one.record.moves)] for one in games]
            moves += sum(seat == player for one in games for seat, _ in one.record.moves)
            expected = learned(tree, player, ends, strength=3)
            assert as_strategy(tree, player, seen) == expected
        assert seen.observations == moves
        assert seen.places <= 12


def test_with_many_games_it_comes_to_a_best_response(record: Path) -> None:
    chosen, tree = kuhn(), kuhn().tree()
    true, games = as_profile(tree, timid), read_records(record)
    gaps = []
    for number in (20, 1200):
        model = ObservedStrategy(chosen, games[:number], entrant=1)
        for player, other in (tree.names, tree.names[::-1]):
            search = InformationSetSearch(chosen, player, model)
            own = searched(chosen, tree, player, model, search)
            best = best_response(tree, {other: true[other]}, player=player).value
            gaps.append(best - profile([own, true[other]]).payoffs[player])
    assert gaps[2:] == [0, 0]  # the same decisions everywhere
    assert max(gaps[:2]) > 0  # after few games it does not know yet


def gained(chosen: Any, others: Any, games: int, *players: Any) -> tuple[float, float]:
    """By how much the first of two players does better against a third, in the same deals."""
    paid = []
    for player in players:
        played = match(chosen, [player, others], games=games, seed=3)
        assert not played.faults()
        seats = chosen.players
        paid.append(
            [
                float(one.record.payoffs[seats[list(one.seats.values()).index(0)]])
                for one in played.games
            ]
        )
    rounds = [
        (paid[0][at] + paid[0][at + 1] - paid[1][at] - paid[1][at + 1]) / 2
        for at in range(0, games, 2)
    ]
    mean, half = interval(rounds)
    return mean - half, mean + half


def test_who_has_learned_wins_more(record: Path) -> None:
    low, _ = gained(
        kuhn(), StrategyPlayer(timid), 400,
        f"responding:{record},entrant=2,samples=30", "overconfident:samples=30",
    )  # fmt: skip
    assert low > 0
    before = match(leduc(), [StrategyPlayer(folding), "random"], games=300).games
    low, _ = gained(
        leduc(), StrategyPlayer(folding), 60,
        RespondingPlayer(before, entrant=0, samples=20), InformationSetPlayer(samples=20),
    )  # fmt: skip
    assert low > 0


@pytest.mark.parametrize(
    "chosen",
    [
        blind_tic_tac_toe(width=3, height=3),
        goofspiel(cards=3),
        liars_dice(),
        SpielKuhn(),
        kuhn().tree(),
    ],
    ids=["large", "simultaneous", "liar's dice", "engine", "tree"],
)
def test_any_game_can_be_learned(chosen: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    played = match(chosen, ["random", "random"], games=4, record=path)
    seen = ObservedStrategy(chosen, path, entrant=1)
    mine = {one.number: [p for p, e in one.seats.items() if e == 1] for one in played.games}
    assert seen.observations == sum(
        seat in mine[one.number] for one in played.games for seat, _ in one.record.moves
    )
    names = [f"responding:{path},entrant=2,samples=5,depth=2,sampling=pool,particles=10", "random"]
    assert not match(chosen, names, games=2).faults()
    assert ObservedStrategy(chosen, path).observations > seen.observations  # of both


def test_a_team_is_learned_agent_by_agent(tmp_path: Path) -> None:
    path = tmp_path / "team.jsonl"
    played = match(team(), ["random", "random"], games=40, record=path)
    seen = ObservedStrategy(team(), played.games, entrant=0)
    assert seen.observations == sum(
        (seat == "east") == (one.seats["them"] == 0)
        for one in played.games
        for seat, _ in one.record.moves
        if seat is not None
    )
    players = [f"responding:{path},entrant=1,samples=5", "random"]
    assert not match(team(), players, games=4).faults()


def test_what_was_seen_is_played_by_a_strategy_player(record: Path) -> None:
    twin = StrategyPlayer(ObservedStrategy(kuhn(), record, entrant=1))
    seats = {"gambler": RandomPlayer(), "dealer": twin}
    played = [play_game(kuhn(), seats, seed=seed) for seed in range(200)]
    kings = [one for one in played if text(one.moves[0][1]).endswith("K")]
    bets = [("dealer", "bet") in one.moves for one in kings]
    assert sum(bets) > 0.8 * len(bets)


def test_what_is_refused(record: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"game 0 of the record is not one of leduc\(\)"):
        ObservedStrategy(leduc(), record)
    with pytest.raises(ParameterError, match="those there are: 0, 1"):
        ObservedStrategy(kuhn(), record, entrant=2)
    with pytest.raises(ParameterError, match="it is empty"):
        ObservedStrategy(kuhn(), [])
    with pytest.raises(ParameterError, match="strength=0"):
        ObservedStrategy(kuhn(), record, strength=0)
    for name, kind, said in (
        ("responding", ParameterError, "needs a file"),
        (f"responding:{tmp_path / 'none.jsonl'}", FileError, "no such file"),
        (f"responding:{record},entrnt=2", ParameterError, "did you mean 'entrant'"),
        (f"responding:{record},entrant=0", ParameterError, "from 1 on"),
    ):
        with pytest.raises(kind, match=said):
            match(kuhn(), [name, "random"])
