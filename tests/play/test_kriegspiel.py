"""The compiled player of kriegspiel: what it chooses, and where it may sit."""

from __future__ import annotations

import pytest

from infoset.errors import ParameterError
from infoset.games import kriegspiel, kuhn
from infoset.kernels import kriegspiel as kernel
from infoset.play import Clock, KriegspielPlayer, entrant, match, play_game
from infoset.play.kriegspiel import EVALUATIONS, METHODS

pytest.importorskip("chess", reason="python-chess, the umpire of matches, is not installed")


def test_names_are_in_the_order_of_the_kernels_numbers() -> None:
    models = ("overconfident", "paranoid", "informed", "mixed")
    numbers = (kernel.OVERCONFIDENT, kernel.PARANOID, kernel.INFORMED, kernel.MIXED)
    assert tuple(map(METHODS.index, models)) == numbers
    assert METHODS.index("pimc") == kernel.PERFECT
    evaluations = (kernel.MATERIAL, kernel.MOBILITY, kernel.PROGRESS)
    assert tuple(map(EVALUATIONS.index, ("material", "mobility", "progress"))) == evaluations


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_takes_what_hangs(method: str, depth: int) -> None:
    """Black's queen was heard to capture on d4, where the knight can take it back."""
    game = kriegspiel(fen="3qk3/8/8/8/3P4/5N2/8/4K3 b - - 0 1", moves=8)
    position = game.position().after("d8d4")
    one = KriegspielPlayer(method=method, depth=depth, samples=8, replies=4, particles=50)
    one.begin(game, "white", Clock())
    one.told("black moved, captured on d4")
    assert one.choose(position.options("white")) == "f3d4"


def test_it_first_attempts_what_tells_it_something() -> None:
    """A rook of Black gave itself up on d3 or stands elsewhere: trying to capture costs nothing."""
    game = kriegspiel(fen="3rk3/8/8/8/8/8/4P3/4K3 b - - 0 1", moves=8)
    position = game.position().after("d8d3")
    one = KriegspielPlayer(method="overconfident", depth=1, particles=500)
    one.begin(game, "white", Clock())
    one.told("black moved")
    assert one.choose(position.options("white")) == "e2d3"


def test_it_wins_from_whoever_moves_at_random_and_plays_the_same_game_again() -> None:
    for seat in ("white", "black"):
        players = {one: entrant("random").make() for one in ("white", "black")}
        players[seat] = KriegspielPlayer(method="overconfident", depth=1, samples=30, particles=200)
        played = play_game(kriegspiel(), players, seed=3)
        assert played.payoffs[seat] == 1
        assert played.moves == play_game(kriegspiel(), players, seed=3).moves


def test_it_plays_from_any_position_with_announced_pawn_tries_and_a_clock() -> None:
    game = kriegspiel(
        fen="rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 3", pawn_tries=True, moves=3
    )
    result = match(game, ["kriegspiel:depth=1,samples=4", "random"], games=2, seconds=1.0)
    assert not result.faults()


def test_it_plays_nothing_else_and_takes_no_other_settings() -> None:
    with pytest.raises(ParameterError, match="the player kriegspiel plays kriegspiel"):
        match(kuhn(), ["kriegspiel", "random"], games=2)
    with pytest.raises(ParameterError, match="did you mean 'method'"):
        entrant("kriegspiel:methods=pimc")
    with pytest.raises(ParameterError, match="paranoid"):
        KriegspielPlayer(method="parnoid")
    with pytest.raises(ParameterError, match="depth= must be between 1 and 4, not 5"):
        entrant("kriegspiel:depth=5").make()
