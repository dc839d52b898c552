"""Kriegspiel and fog-of-war chess: rules against python-chess, and what nobody may know.

What the umpire says is computed here from boards of python-chess that know nothing of the games.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import chess
import pytest

from infoset.errors import NoHistory, ParameterError, RulesError
from infoset.games.fog_of_war_chess import fog_of_war_chess
from infoset.games.kriegspiel import kriegspiel, placed, steps_of
from infoset.objects.chessboard import attempts, board_of, directions, men_of, read_fen
from infoset.objects.populations import Populations
from infoset.play import AutomaticPlayer, Clock, RandomPlayer, entrant, match, play_game
from infoset.rules import ReplayPosition, game
from infoset.search.consistent import Histories


def after(game: Any, *moves: str) -> ReplayPosition:
    position: ReplayPosition = game.position()
    for move in moves:
        position = position.after(move)
    return position


def facts(position: ReplayPosition, player: str) -> list[str]:
    return [str(what) for note, what in position.view(player) if note == "saw"]


def board_at(position: ReplayPosition) -> chess.Board:
    return board_of(position.state.men)


# ---------------------------------------------------------------------- kriegspiel


def test_after_a4_h5_a5_white_has_nineteen_histories() -> None:
    """The slides: "Black only made one move, but it might have been any of 19 different moves"."""
    seen = after(kriegspiel(), "a2a4", "h7h5", "a4a5").view("white")
    alike = []
    for move in chess.Board(
        "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b KQkq - 0 1"
    ).legal_moves:
        position = after(kriegspiel(), "a2a4", move.uci())
        if position.after("a4a5").view("white") == seen:
            alike.append(move.uci())
    assert len(alike) == 19
    assert after(kriegspiel(), "a2a4", "a7a5", "a4a5").view("white") != seen  # a5 was refused


def test_the_first_position_offers_twenty_moves_and_fourteen_captures_of_pawns() -> None:
    options = kriegspiel().position().options("white")
    assert len(options) == 20 + 14
    refused = [move for move in options if "illegal" in facts(after(kriegspiel(), move), "white")]
    assert len(refused) == 14


def test_an_illegal_attempt_is_told_to_the_player_alone_and_not_offered_again() -> None:
    position = after(kriegspiel(), "e2d3")
    assert position.movers == ("white",)
    assert facts(position, "white") == ["illegal"]
    assert position.view("black") == ()
    assert "e2d3" not in position.options("white")
    moved = position.after("e2e4").after("e7e5")
    assert "e4d5" in moved.options("white")
    assert facts(moved, "black") == ["white moved", "black moved"]


@pytest.mark.parametrize("seed", range(4))
def test_random_games_agree_with_python_chess(seed: int) -> None:
    random, game = Random(seed), kriegspiel()
    position, board = game.position(), chess.Board()
    while not position.over:
        (player,) = position.movers
        assert player == ("white" if board.turn else "black")
        options = position.options(player)
        state = position.state
        assert {one.uci() for one in board.legal_moves} <= {*options, *state.refused}
        tried = random.choice(options)
        legal = chess.Move.from_uci(tried) in board.legal_moves
        told = {one: len(facts(position, one)) for one in game.players}
        position = position.after(tried)
        said = {one: facts(position, one)[told[one] :] for one in game.players}
        if not legal:
            assert said[player] == ["illegal"]
            assert said["black" if player == "white" else "white"] == []
            continue
        assert said["white"] == said["black"]
        assert len(said["white"]) == 1
        assert ("captured on" in said["white"][0]) == board.is_capture(chess.Move.from_uci(tried))
        board.push_uci(tried)
        assert ("check" in said["white"][0]) == board.is_check()
        assert men_of(board) == position.state.men or position.over
        if state.made % 8 == 0 or position.over:
            assert all(picture_is_own_men(game, position, one, board) for one in game.players)
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None
    winner = {True: "white", False: "black", None: None}[outcome.winner]
    assert position.payoffs["white"] == (0 if winner is None else 1 if winner == "white" else -1)


def picture_is_own_men(game: Any, position: ReplayPosition, player: str, board: Any) -> bool:
    """Does the picture have the player's own men, and of the other nothing but a capture?"""
    drawn = game.picture(position.view(player), player)
    own = {at: mark.text for at, mark in drawn.squares.items() if mark.whose == player}
    white = player == "white"
    expected = {
        chess.square_name(at): chess.UNICODE_PIECE_SYMBOLS[man.symbol()]
        for at, man in board.piece_map().items()
        if man.color == white
    }
    others = [mark.text for mark in drawn.squares.values() if mark.whose != player]
    return own == expected and set(others) <= {"?"}


@pytest.mark.parametrize(
    ("fen", "move", "said"),
    [
        ("4k3/8/8/8/8/8/7P/R3K3 w - - 0 1", "a1a8", "check by rank"),
        ("4k3/8/8/8/8/8/K6P/R7 w - - 0 1", "a1e1", "check by file"),
        ("4k3/8/8/8/8/8/7P/4KB2 w - - 0 1", "f1b5", "check by long diagonal"),
        ("4k3/8/8/8/8/8/P3B3/4K3 w - - 0 1", "e2h5", "check by short diagonal"),
        ("4k3/8/8/1N6/8/8/7P/4K3 w - - 0 1", "b5c7", "check by knight"),
        ("4k3/8/3P4/8/8/8/8/4K3 w - - 0 1", "d6d7", "check by long diagonal"),
        ("4k3/8/8/8/4B3/8/8/3KR3 w - - 0 1", "e4c6", "check by file and long diagonal"),
    ],
)
def test_checks_are_announced_by_direction(fen: str, move: str, said: str) -> None:
    told = after(kriegspiel(fen=fen), move)
    assert facts(told, "black") == facts(told, "white") == [f"white moved, {said}"]


def test_the_longer_diagonal_is_seen_from_the_king() -> None:
    """By hand: through e8 go a4-e8 of five squares and e8-h5 of four; through d4 both."""
    for fen, expected in [
        ("4k3/8/8/1B6/8/8/8/K7 b - - 0 1", ("long diagonal",)),
        ("4k3/8/8/7B/8/8/8/K7 b - - 0 1", ("short diagonal",)),
        ("8/8/8/8/3k4/8/8/B2K4 b - - 0 1", ("long diagonal",)),
        ("8/8/8/8/3k4/8/8/3K2B1 b - - 0 1", ("short diagonal",)),
    ]:
        assert directions(chess.Board(fen)) == expected


def test_a_capture_is_announced_by_its_square_and_not_by_its_man() -> None:
    moves = ("e2e4", "d7d5", "e4d5")
    pawn = after(kriegspiel(), *moves)
    assert facts(pawn, "black")[-1] == facts(pawn, "white")[-1] == "white moved, captured on d5"
    for man in "nbrq":
        fen = f"4k3/8/8/3{man}4/4P3/8/8/4K3 w - - 0 1"
        took = after(kriegspiel(fen=fen), "e4d5")
        assert facts(took, "black") == ["white moved, captured on d5"]


def test_the_picture_marks_a_capture_until_the_player_has_moved() -> None:
    game = kriegspiel()
    position = after(game, "e2e4", "d7d5", "e4d5")
    assert game.picture(position.view("black"), "black").squares["d5"] == ("?", "white")
    refused = position.after("h7g6")
    assert game.picture(refused.view("black"), "black").squares["d5"] == ("?", "white")
    moved = refused.after("g8f6")
    assert "d5" not in game.picture(moved.view("black"), "black").squares


def test_a_capture_in_passing_is_announced_where_the_pawn_stood() -> None:
    position = after(kriegspiel(), "e2e4", "a7a6", "e4e5", "d7d5", "e5d6")
    assert facts(position, "black")[-1] == "white moved, captured on d5"
    late = after(kriegspiel(), "e2e4", "a7a6", "e4e5", "d7d5", "h2h3", "h7h6", "e5d6")
    assert facts(late, "white")[-1] == "illegal"


def test_castling_is_attempted_while_the_right_is_there() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    castled = after(kriegspiel(fen=fen), "e1g1")
    assert castled.movers == ("black",)
    assert {"f1", "g1", "a1"} == set(
        kriegspiel(fen=fen).picture(castled.view("white"), "white").squares
    )
    through = kriegspiel(fen="4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1").position().after("e1g1")
    assert facts(through, "white") == ["illegal"]
    assert "e1c1" in through.options("white")
    moved = after(kriegspiel(fen=fen), "e1e2", "e8e7", "e2e1", "e7e8")
    assert "e1g1" not in moved.options("white")


def test_a_pawn_becomes_any_piece() -> None:
    options = kriegspiel(fen="8/P6k/8/8/8/8/8/K7 w - - 0 1").position().options("white")
    assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n", "a7b8q"} <= set(options)
    game = kriegspiel(fen="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert game.picture(after(game, "a7a8n").view("white"), "white").squares["a8"].text == "♘"


def test_pawn_tries_are_counted_for_the_player_to_move() -> None:
    game = kriegspiel(pawn_tries=True)
    assert facts(after(game, "e2e4", "d7d5"), "white")[-1] == "black moved, 1 pawn try"
    assert facts(after(game, "e2e4"), "black")[-1] == "white moved, 0 pawn tries"
    promoting = kriegspiel(fen="r3k3/1P6/8/8/8/8/8/4K3 b q - 0 1", pawn_tries=True)
    assert facts(after(promoting, "e8e7"), "white")[-1] == "black moved, 1 pawn try"
    assert facts(after(kriegspiel(), "e2e4", "d7d5"), "white")[-1] == "black moved"


def test_mate_stalemate_and_dead_positions_end_the_game() -> None:
    mate = after(kriegspiel(), "f2f3", "e7e5", "g2g4", "d8h4")
    assert mate.over
    assert mate.payoffs == {"white": -1, "black": 1}
    assert facts(mate, "white")[-1] == "black moved, check by short diagonal, checkmate"
    stale = after(kriegspiel(fen="7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), "g6f7")
    assert stale.payoffs == {"white": 0, "black": 0}
    assert facts(stale, "black") == ["white moved, stalemate"]
    bare = after(kriegspiel(fen="7k/6R1/8/8/8/8/8/K7 b - - 0 1"), "h8g7")
    assert bare.payoffs["white"] == 0


def test_the_umpire_counts_moves_and_positions() -> None:
    back = ("g1f3", "g8f6", "f3g1", "f6g8")
    assert not after(kriegspiel(), *back, *back[:3]).over
    assert after(kriegspiel(), *back, *back).payoffs["white"] == 0
    assert after(kriegspiel(repetitions=2), *back).over
    assert not after(kriegspiel(fifty=2), *back[:3]).over
    assert after(kriegspiel(fifty=2), *back).over
    assert after(kriegspiel(moves=3), *back[:3]).over
    assert after(kriegspiel(fen="7k/8/8/8/8/8/8/KR6 w - - 99 80"), "b1b2").over
    assert not after(kriegspiel(fen="7k/8/8/8/8/8/8/KR6 w - - 98 80"), "b1b2").over


def test_a_small_ending_has_its_size() -> None:
    """White's 18 attempts, the king's among them, are 2 refused ones in any order and 16 moves."""
    game = kriegspiel(fen="k1K5/8/8/8/8/8/8/7R w - - 0 1", moves=1)
    options = game.position().options("white")
    legal = chess.Board(game.params["fen"]).legal_moves.count()
    refused = len(options) - legal
    # Of r refused attempts any k may come first, in any order; then one of the legal moves.
    orders, decisions, nodes = 1, 0, 0
    for left in range(refused, -1, -1):
        decisions += orders
        nodes += orders * (1 + legal)
        orders *= left
    tree = game.tree()
    assert (len(tree.infosets), len(tree)) == (decisions, nodes) == (5, 90)


@pytest.mark.parametrize(
    ("fen", "words"),
    [
        ("nonsense", "expected 8 rows"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "no black king"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawns on backrank"),
        ("4k3/8/8/8/8/8/8/4K2R b K - 0 1 extra words", "fen="),
        ("R3k3/8/8/8/8/8/8/4K3 w - - 0 1", "opposite check"),
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", "over there"),
    ],
)
def test_a_position_that_is_none_is_refused_in_one_line(fen: str, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        assert kriegspiel(fen=fen).position().movers
    assert words in str(caught.value)
    assert fen[:20] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parameters_that_make_no_game_are_refused() -> None:
    for wrong in ({"fifty": 0}, {"repetitions": 1}, {"moves": 0}):
        with pytest.raises(ParameterError):
            kriegspiel(**wrong)


def test_without_python_chess_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from infoset.objects import chessboard

    monkeypatch.setitem(sys.modules, "chess", None)
    chessboard.library.cache_clear()
    try:
        for game in (kriegspiel(moves=7), fog_of_war_chess(moves=7)):
            with pytest.raises(RulesError, match=r"pip install 'infoset\[kriegspiel\]'"):
                assert game.position().movers
            pair = {"white": RandomPlayer(), "black": AutomaticPlayer()}
            with pytest.raises(RulesError, match=r"pip install 'infoset\[kriegspiel\]'"):
                play_game(game, pair)  # and nobody forfeits
    finally:
        monkeypatch.undo()
        chessboard.library.cache_clear()


# ---------------------------------------------------------------------- sampling


def test_samples_agree_with_all_that_was_observed() -> None:
    random, game = Random(4), kriegspiel()
    position, told = game.position(), Histories(game, "black")
    different = 0
    while position.state.made < 16:
        (player,) = position.movers
        if player == "black":
            view = position.view("black")
            drawn = told.sample(view, 5, random)
            assert all(one.view("black") == view for one in drawn)
            different += len({one.state.men for one in drawn})
        position = position.after(random.choice(position.options(player)))
    assert different > 30


def test_samples_do_not_depend_on_what_was_sampled_before() -> None:
    game = kriegspiel()
    view = after(game, "e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5").view("white")
    first = [one.moves for one in Histories(game, "white").sample(view, 10, Random(1))]
    Histories(game, "white").sample(after(game, "a2a4", "h7h5").view("white"), 3, Random(2))
    assert first == [one.moves for one in Histories(game, "white").sample(view, 10, Random(1))]


def test_where_no_play_is_found_men_are_placed_by_the_last_observation() -> None:
    """Nothing of Black's reaches h1 there; still fifteen men can stand so that one is on h1."""
    game = kriegspiel()
    view = after(game, "e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5").view("white")
    last = max(at for at, note in enumerate(view) if note[0] == "saw")
    wrong = (*view[:last], ("saw", "black moved, captured on h1"), *view[last + 1 :])
    drawn = Histories(game, "white").sample(wrong, 20, Random(1))
    assert all(one.view("white") == wrong for one in drawn)
    assert all(board_at(one).color_at(chess.H1) == chess.BLACK for one in drawn)
    assert {one.state.men.black.bit_count() for one in drawn} == {15}
    assert len({one.state.men for one in drawn}) > 10


def test_positions_by_the_last_observation_agree_with_it() -> None:
    random, game = Random(2), kriegspiel()
    position, found = game.position(), 0
    while not position.over and position.state.made < 80:
        (player,) = position.movers
        view, men = position.view(player), position.state.men
        at = placed(game, view, player, random) if position.state.made % 4 == 0 else None
        if at is not None:
            found += 1
            assert at.view(player) == view
            assert at.options(player) == position.options(player)
            other = at.state.men
            assert other.white.bit_count() == men.white.bit_count()
            assert other.black.bit_count() == men.black.bit_count()
            assert directions(board_of(other)) == directions(board_of(men))
        position = position.after(random.choice(position.options(player)))
    assert found > 20


def test_a_view_that_nobody_has_is_refused() -> None:
    game = kriegspiel()
    view = after(game, "e2e4", "d7d5").view("white")
    wrong = tuple([("saw", "black moved, captured on h7") if one == ("saw", "black moved") else one
                   for one in view[:-1]])  # fmt: skip
    with pytest.raises(NoHistory):
        Histories(game, "white").sample((*wrong, ("offered", ("a1a8",))), 1, Random(1))


def test_steps_of_a_view() -> None:
    view = after(kriegspiel(), "e2d3", "e2e4", "d7d5").view("white")
    (first, second) = steps_of(view, "white") or ()
    assert first.tried == (("e2d3", "illegal"), ("e2e4", "white moved"))
    assert second == ("black moved", ())
    assert steps_of("not a view", "white") is None


def test_a_population_that_dies_out_stays_dead() -> None:
    followed = Populations(kriegspiel().position(), lambda position, step: ((), 0.0))
    assert followed.at((1,)) == followed.at((1, 2)) == []


# ---------------------------------------------------------------------- fog of war


def visible(board: chess.Board, white: bool) -> set[int]:
    """Own squares, and those that own men move to, by python-chess without the other's turn."""
    seen = {at for at, man in board.piece_map().items() if man.color == white}
    turned = board.copy()
    turned.turn = white
    if board.turn != white:
        turned.ep_square = None
    return seen | {move.to_square for move in turned.pseudo_legal_moves}


@pytest.mark.parametrize("seed", range(4))
def test_everybody_sees_what_own_men_move_to_and_nothing_else(seed: int) -> None:
    random, game = Random(seed), fog_of_war_chess()
    position = game.position()
    while not position.over:
        (player,) = position.movers
        board = board_at(position)
        possible = {move.uci() for move in board.pseudo_legal_moves}
        assert possible <= set(position.options(player))
        assert all(board.is_castling(chess.Move.from_uci(one))
                   for one in set(position.options(player)) - possible)  # fmt: skip
        for one in game.players:
            drawn = game.picture(position.view(one), one)
            fog = {at for at, mark in drawn.squares.items() if mark.text == "?"}
            clear = {chess.square_name(at) for at in visible(board, one == "white")}
            assert clear <= set(chess.SQUARE_NAMES) - fog
            for at in set(chess.SQUARE_NAMES) - fog:
                man = board.piece_at(chess.parse_square(at))
                assert (man is not None) == (at in drawn.squares)
            assert not {at for at in drawn.squares if at not in fog} - clear
        position = position.after(random.choice(position.options(player)))
    assert abs(position.payoffs["white"]) in (0, 1)


def test_what_is_not_seen_makes_no_difference() -> None:
    """White sees the fourth row at most at the start, so that Black's first move is not seen."""
    game = fog_of_war_chess()
    views = {after(game, "a2a3", move).view("white") for move in ("a7a6", "b8c6", "h7h5")}
    assert len(views) == 1
    assert after(game, "a2a4", "b7b5").view("white") not in views


def test_the_king_can_be_taken_and_need_not_leave_check() -> None:
    game = fog_of_war_chess(fen="4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    assert "e8d8" in game.position().options("black")
    assert "e8e7" in game.position().options("black")
    assert after(game, "e8e7", "e2e7").payoffs == {"white": 1, "black": -1}


def test_a_king_castles_through_check_in_the_fog() -> None:
    game = fog_of_war_chess(fen="4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert {"e1g1", "e1c1"} <= set(game.position().options("white"))
    blocked = fog_of_war_chess(fen="4k3/8/8/8/8/8/8/Rn2K2R w KQ - 0 1")
    assert "e1c1" not in blocked.position().options("white")


def test_who_cannot_move_in_the_fog_has_a_draw() -> None:
    game = fog_of_war_chess(fen="8/8/8/8/p7/k7/P7/K7 b - - 0 1")
    assert "a3a2" in game.position().options("black")
    stuck = fog_of_war_chess(fen="k7/8/8/8/8/1p6/1P6/8 w - - 0 1")
    with pytest.raises(RulesError, match="no white king"):
        assert stuck.position().movers


def test_a_small_ending_in_the_fog_has_its_size() -> None:
    """18 moves: 13 of the rook (14 squares, the king on one of its lines), 5 of the king."""
    game = fog_of_war_chess(fen="k1K5/8/8/8/8/8/8/7R w - - 0 1", moves=1)
    board = chess.Board(game.params["fen"])
    moves = board.pseudo_legal_moves.count()
    assert (len(game.tree()), len(game.tree().infosets)) == (1 + moves, 1) == (20, 1)


def test_positions_are_equal_as_repetition_says() -> None:
    fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
    assert read_fen(fen)[0].passing == chess.E3
    unused = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"
    assert read_fen(unused)[0] == read_fen(unused.replace(" - - ", " -  - ").replace("  ", " "))[0]
    assert len(attempts(read_fen(chess.STARTING_FEN)[0])) == 34


# ---------------------------------------------------------------------- evaluations


def test_evaluations_count_men_and_moves() -> None:
    """By hand: a rook ahead is 5 / 15; 14 moves of the rook and 5 or 3 of the kings besides."""
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    state = kriegspiel(fen=fen).position().state
    material = kriegspiel(fen=fen).evaluation("material")
    assert material(state, "white") == 5 / 15
    assert material(state, "black") == -5 / 15
    rook = 3 + 7
    ahead = 5 + (rook + 5 - 5) / 20
    assert kriegspiel(fen=fen).evaluation("mobility")(state, "white") == ahead / (ahead + 10)
    start = fog_of_war_chess().position().state
    assert fog_of_war_chess().evaluation("mobility")(start, "black") == 0


@pytest.mark.parametrize("player", ["overconfident", "paranoid", "pimc"])
def test_players_that_evaluate_by_material_take_what_hangs(player: str) -> None:
    """Black's queen was seen to capture on d4, where the knight can take it back."""
    game = kriegspiel(fen="3qk3/8/8/8/3P4/5N2/8/4K3 b - - 0 1", moves=8)
    position = after(game, "d8d4")
    one = entrant(f"{player}:evaluate=material,depth=1,samples=4").make()
    one.begin(game, "white", Clock(random=Random(3)))
    one.told("black moved, captured on d4")
    assert one.choose(position.options("white")) == "f3d4"


def test_an_evaluation_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(ParameterError, match="no evaluation 'materiel'; did you mean 'material'"):
        match(kriegspiel(moves=2), ["overconfident:evaluate=materiel", "random"], games=2)
    with pytest.raises(ParameterError, match="give a name"):
        entrant("pimc:evaluate=")
    with pytest.raises(RulesError, match="evaluations="):
        game(players=("one",), evaluations={"some": lambda state, player: 0})
