"""A person at the terminal: shown what it may know, asked, allowed to take moves back."""

from __future__ import annotations

import io
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import pytest

from infoset import game, solve
from infoset.cli.app import call
from infoset.games import absent_minded, kuhn
from infoset.play import (
    AutomaticPlayer,
    InformationSetPlayer,
    RandomPlayer,
    StrategyPlayer,
    TreeSearchPlayer,
    play_game,
)
from infoset.play.human import Answer, Menu, Repeating
from infoset.play.player import Clock
from infoset.play.regret import RegretPlayer
from infoset.rules import Play
from tests.cli.test_command import refusal

ODD = """
from infoset import game

@game(players=("ann", "bob"))
def odd(g):
    '''What options may be called.

    Ann takes anything.
    '''
    taken = g.choose("ann", ("", " sp ", "quit", "undo", "\\x1b[2J", "two\\nlines", "1", 1, "01"))
    g.reveal("bob", "\\x1b[31mred")
    return g.win("ann", 1 if g.choose("bob", ("l", "r")) == "l" and taken == "" else -1)

@game(players={"team": ("first", "second"), "enemy": ("enemy",)})
def alike(g):
    one, two = g.choose("first", ("l", "r")), g.choose("second", ("l", "r"))
    return g.win("team", 1 if (one == two) == (g.choose("enemy", ("l", "r")) == "l") else -1)

@game(players=("ann", "bob"))
def menus(g):
    heads = g.chance(("H", "T")) == "H"
    taken = g.choose("ann", ("in", "out") if heads else ("in", "off"))
    return g.win("ann", 1 if (g.choose("bob", ("l", "r")) == "l") == (taken == "in") else -1)

@game(players=("ann", "bob"))
def forgets(g):
    g.reveal("ann", g.chance(("H", "T")))
    g.choose("ann", ("in", "out"))
    two = g.choose("bob", ("l", "r"))
    return g.win("ann", 1 if g.choose("ann", ("l", "r"), knowing="the end") == two else -1)
"""


def shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, *words: str
) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert call(["play", *words]) == 0
    return capsys.readouterr().out


def test_a_game_is_played_and_reviewed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(capsys, monkeypatch, "bet\n", "kuhn", "--as", "gambler", "--seed", "3")
    before, after = told.split("the game: ")
    assert "you learn: J" in before
    assert "K" not in before  # the other's card is shown at the end
    assert "chance: J K" in after
    assert "J: bet costs nothing" in after
    told = shown(capsys, monkeypatch, "pass\nbet\n", "kuhn", "--as", "gambler", "--seed", "3")
    assert "J, [pass], bet: bet costs 1; best: pass" in told
    assert "all of them: 1" in told


def test_moves_are_taken_back(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "undo\n1\nu\n2\n"
    told = shown(capsys, monkeypatch, typed, "kuhn", "--as", "gambler", "--seed", "3")
    assert "no move of yours to take back" in told
    assert "taken back" in told
    assert told.count("you learn: J") == 2  # the same cards again
    assert "gambler: bet; dealer" in told


def test_answers_that_are_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(capsys, monkeypatch, "9\n?\nall in\n1\n", "kuhn", "--as", "dealer")
    assert told.count("none of the options") == 2
    assert "payoffs:" in told
    for typed in ("quit\n", ""):
        assert "you left" in shown(capsys, monkeypatch, typed, "kuhn", "--as", "dealer")


def test_numbers_are_taken_as_they_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(capsys, monkeypatch, "1\n2\n", "goofspiel", "cards=3")
    assert "the game: player 1: 1" in told
    assert "player 1: 2" in told


def test_opponents(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = shown(capsys, monkeypatch, "1\n1\n", "kuhn", "--against", "random")
    assert "against random" in told
    assert "your moves" in told  # compared with a solution, though it was not the opponent
    told = shown(capsys, monkeypatch, "a1\nq\n", "blind_tic_tac_toe", "width=3", "height=3")
    assert "against a search, mo-ismcts" in told  # too large to be solved
    solve(kuhn()).save(tmp_path / "k.sol")
    file = f"solution:{tmp_path}/k.sol"
    assert "your moves" in shown(capsys, monkeypatch, "1\n1\n", "kuhn", "--against", file)
    assert "no seat 'dealr'; did you mean 'dealer'" in refusal(capsys, "play", "kuhn", "--as=dealr")
    assert "did you mean 'random'" in refusal(capsys, "play", "kuhn", "--against", "randon")


@pytest.fixture
def odd(tmp_path: Path) -> str:
    file = tmp_path / "odd.py"
    file.write_text(ODD)
    return str(file)


# ---------------------------------------------------------------------- what is known


def test_on_a_tree_one_is_told_what_one_knows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    call(["convert", "kuhn", str(tmp_path / "k.efg")])
    typed = "pass\nbet\n"
    told = shown(capsys, monkeypatch, typed, str(tmp_path / "k.efg"), "--seed", "3")
    assert "you know: J\n" in told
    assert "you know: J, [pass], bet\n" in told
    assert "J, [pass], bet: bet costs 1; best: pass" in told
    assert "all of them: 1" in told
    assert not any(word in told for word in ("at 0", "after 1", "not known"))


def test_a_table_of_payoffs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(capsys, monkeypatch, "cooperate\n", "prisoners_dilemma")
    assert "cooperate costs 1; best: defect" in told


def test_what_is_shown_is_on_one_printable_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    told = shown(capsys, monkeypatch, "#6\n", f"{odd}:odd", "--against", "random")
    assert "two lines\n" in told
    assert "ann: two lines; bob" in told
    told += shown(capsys, monkeypatch, "#1\n", f"{odd}:odd", "--as", "bob", "--against", "random")
    assert "you learn: \\x1b[31mred" in told
    assert "\x1b" not in told


def test_rules_are_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    told = shown(capsys, monkeypatch, "?\n/quit\n", f"{odd}:odd", "--against", "random")
    before, after = told.split("your move: ?")
    assert "What options may be called." in before
    assert "Ann takes anything." in after


# ---------------------------------------------------------------------- what moves cost


def test_moves_of_a_team(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    told = shown(capsys, monkeypatch, "continue\n", "blair_g2")
    assert "you are first, with second" in told
    assert "A: continue costs" in told
    assert "not known" not in told
    for seat in ("first", "second"):  # who know the same
        told = shown(capsys, monkeypatch, "l\n", f"{odd}:alike", "--as", seat)
        assert "l costs nothing" in told
        assert "forfeits" not in told


def test_moves_where_labels_say_more_than_what_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    told = shown(capsys, monkeypatch, "in\n", f"{odd}:menus")
    assert "in costs nothing" in told
    told = shown(capsys, monkeypatch, "in\nl\n", f"{odd}:forgets")
    assert "you know only: the end" in told
    assert "the end: l costs nothing" in told
    assert "all of them: 0" in told


def test_what_is_not_known_is_not_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = shown(capsys, monkeypatch, "L\nL\n", "absent_minded")
    assert told.count("you know only: a or b") == 2
    assert told.count("L costs what is not known") == 2
    assert "all of them: not known" in told


def test_options_that_read_alike_have_their_own_cost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    told = shown(capsys, monkeypatch, "#8\n", f"{odd}:odd")
    assert "knowing nothing: 1 costs nothing" in told
    told = shown(capsys, monkeypatch, "#1\n", f"{odd}:odd")
    assert "knowing nothing: '' costs nothing" in told


def test_an_absent_minded_player_is_told_again_what_it_knows() -> None:
    asked = []

    def left(player: str, state: Any, actions: Sequence[Hashable]) -> dict[Hashable, int]:
        asked.append(str(state))
        return {"L": 1}

    players = {"one": StrategyPlayer(left), "two": RandomPlayer()}
    played = play_game(absent_minded(), players)
    assert played.forfeit is None
    assert asked == ["a or b", "a or b"]


# ---------------------------------------------------------------------- answers


def test_every_option_can_be_chosen_in_every_list() -> None:
    lists: list[tuple[Hashable, ...]] = [
        ("pass", "bet"),
        (2, 3, 1),
        ("1", 1, "01", "x"),
        ("undo", "u", "quit", "q", "help", "?", "/undo"),
        ("", " ", " sp ", "sp"),
        ("#1", "#2", "#3"),
        ("a", "A", None, "None", (1, 2), "1 2", frozenset({1})),
        tuple(range(100, 0, -1)),
        ("two\nlines", "\x1b[2J", "x" * 500, "y" * 500),
    ]
    for options in lists:
        menu = Menu(options)
        for at in range(len(options)):
            assert menu.read(f"#{at + 1}") == Answer(option=at)
            if not menu.numerals:
                assert menu.read(f" {at + 1}\n") == Answer(option=at)
        assert menu.read("/undo").command == "undo"
        assert menu.read("/Q").command == "quit"
        for said in ("", " ", "#0", f"#{len(options) + 1}", "#", "#-1", "nothing of it", "9" * 50):
            assert menu.read(said).refused or said == " " in options
        assert all(
            len(line) <= 80 or "x" * 20 in line for line in menu.lines[:-1] if "y" not in line
        )


def test_texts_are_taken_before_numbers_and_commands() -> None:
    assert Menu((2, 3, 1)).read("1") == Answer(option=2)
    assert "#2 is 3" not in Menu((2, 3, 1)).read("2").refused
    assert "#1 is 2" in Menu((2, 3)).read("1").refused
    named = Menu(("undo", "Q", "stay"))
    assert named.read("undo") == Answer(option=0)
    assert named.read("q") == Answer(option=1)  # which is said below the list
    assert any("/q ends the game" in line for line in named.lines)
    assert named.read("quit").command == "quit"
    assert Menu(("pass", "bet")).read("q").command == "quit"


def test_texts_may_be_typed_as_keyboards_have_them() -> None:
    menu = Menu(("K♥", "10♠", " sp ", "sp"))
    assert [menu.read(said).option for said in ("kh", "Ts", "10s", "sp", " sp ")] == [0, 1, 1, 3, 2]
    assert Menu((" sp ", "bet")).read("sp").option == 0
    assert Menu(("\x1b[2J", "bet")).read("\\x1b[2J").option == 0


def test_options_that_read_alike_are_chosen_by_number() -> None:
    menu = Menu(("1", 1, "01"))
    assert "#1 or #2" in menu.read("1").refused
    assert menu.read("01").option == 2


def test_many_options_stand_side_by_side() -> None:
    assert len(Menu(tuple(f"square {at}" for at in range(60))).lines) < 20


# ---------------------------------------------------------------------- moves that are taken back


@game(players=("ann", "bob"))
def echo(g: Play, rounds: int = 4) -> object:
    """Ann moves and is seen, then bob, who is not asked less than twice."""
    points = 0
    for _ in range(rounds):
        one = g.choose("ann", ("l", "r"))
        g.reveal("bob", one)
        two = g.choose("bob", ("l", "r"))
        g.reveal("ann", two)
        points += 1 if one == two else -1
    return g.win("ann", points)


class Fixed:
    """Ann's moves."""

    def __init__(self, moves: str) -> None:
        self.moves = list(moves)

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """Nothing to prepare."""

    def told(self, fact: Hashable) -> None:
        """Nothing to learn."""

    def choose(self, options: Sequence[Hashable]) -> Hashable:
        """The next."""
        return self.moves.pop(0)


class Counting(TreeSearchPlayer):
    """Counts its searches."""

    def __init__(self) -> None:
        super().__init__(iterations=20)
        self.searched: list[Any] = []

    def search(self, view: Any, options: tuple[Hashable, ...]) -> Hashable:
        """Search, and note where."""
        self.searched.append(view)
        return super().search(view, options)


@pytest.mark.parametrize("tree", [False, True])
def test_a_search_does_not_search_again_for_moves_that_are_known(tree: bool) -> None:
    played = echo(rounds=3).tree() if tree else echo(rounds=3)
    counting = Counting()
    bob = Repeating(counting)
    first = play_game(played, {"ann": Fixed("llr"), "bob": bob}, seed=1)
    assert len(counting.searched) == 3
    again = play_game(played, {"ann": Fixed("llr"), "bob": bob}, seed=1)
    assert again.moves == first.moves
    assert len(counting.searched) == 3
    other = play_game(played, {"ann": Fixed("lrr"), "bob": bob}, seed=1)
    assert other.moves[:2] == first.moves[:2]  # and then it knows something else
    assert len(counting.searched) == 5
    if not tree:
        taken = [what for kind, what in counting.searched[-1] if kind == "took"]
        assert taken == [move for seat, move in other.moves if seat == "bob"][:2]


def test_who_knows_something_else_chooses_anew() -> None:
    """A reply that was made to another move would tell, and cost, what nobody knows."""
    bob = Repeating(StrategyPlayer(lambda player, state, actions: {str(state)[-1]: 1}))
    for moves in ("ll", "lr", "rr", "rl"):
        played = play_game(echo(rounds=2), {"ann": Fixed(moves), "bob": bob})
        assert [move for seat, move in played.moves if seat == "bob"] == list(moves)


@pytest.mark.parametrize(
    "make",
    [
        lambda: TreeSearchPlayer(iterations=30, sampling="pool"),
        lambda: InformationSetPlayer(samples=10),
        lambda: RegretPlayer(iterations=10),
        AutomaticPlayer,
        RandomPlayer,
    ],
)
def test_players_go_on_from_moves_that_are_known(make: Any) -> None:
    for played in (echo(rounds=3), echo(rounds=3).tree()):
        bob = Repeating(make())
        first = play_game(played, {"ann": Fixed("llr"), "bob": bob}, seed=1)
        other = play_game(played, {"ann": Fixed("lrr"), "bob": bob}, seed=1)
        assert other.forfeit is None
        assert other.moves[:2] == first.moves[:2]


def test_a_player_without_a_way_to_pass_is_asked() -> None:
    """Whatever it keeps in choose it keeps, and its answer is the earlier one."""

    class Turns(Fixed):
        """Has moves for several games."""

    turns = Turns("lrlr" + "rrrr")
    first = play_game(echo(), {"ann": Fixed("llll"), "bob": (bob := Repeating(turns))})
    again = play_game(echo(), {"ann": Fixed("llll"), "bob": bob})
    assert again.moves == first.moves
    assert not turns.moves


def test_only_what_follows_is_shown_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "pass\nundo\nbet\n"
    told = shown(capsys, monkeypatch, typed, "kuhn", "--as", "gambler", "--seed", "3")
    assert "taken back: pass" in told
    assert "gambler: bet; dealer" in told
    typed = "1\n2\n3\nundo\n3\n4\n"
    told = shown(capsys, monkeypatch, typed, "goofspiel", "cards=5", "--against", "random")
    before, after = told.split("taken back: 3")
    assert before.count("player 2 bids") == 3
    assert after.split("the game:")[0].count("player 2 bids") == 4  # of five rounds
    assert "the game: player 1: 1" in after
