"""Strategic games in Gambit's format, in both versions."""

from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infoset.errors import FileError
from infoset.tree import MatrixGame, matrix_game
from infoset.tree.files import load, read_nfg, save, write_nfg

DATA = Path(__file__).parent / "data"
HEAD = 'NFG 1 R "t" { "one" "two" } '


def read(name: str) -> MatrixGame:
    return read_nfg((DATA / name).read_text(), name=name)


def refused(text: str) -> str:
    with pytest.raises(FileError) as problem:
        read_nfg(text, name="x.nfg")
    assert "\n" not in str(problem.value)
    return str(problem.value)


def test_payoff_version():
    game = read("prisoners.nfg")
    assert (game.name, game.comment) == ("Prisoners' dilemma", "payoff version")
    assert game.players == ("row", "column")
    assert game.strategies == (("silent", "confess"),) * 2
    assert game.payoffs_of((1, 0)) == (0, -10)
    assert game.payoffs_of((0, 1)) == (-10, 0)
    assert game.outcome_names == ()


def test_counted_strategies_and_every_kind_of_number():
    game = read("three_players.nfg")
    assert game.strategies == (("1", "2", "3"), ("1",), ("1", "2"))
    assert game.payoffs_of((2, 0, 0)) == (7, 8, 9)
    assert game.payoffs_of((0, 0, 1)) == (Fraction(1, 2),) * 3
    assert game.payoffs_of((1, 0, 1)) == (Fraction(-1, 10), 10, 2)


def test_outcome_version():
    game = read("hawks.nfg")
    assert game.payoffs_of((0, 0)) == (Fraction(-3, 2),) * 2
    assert game.payoffs_of((1, 0)) == (0, 2)
    assert game.payoffs_of((1, 1)) == (0, 0)
    assert game.outcome_names == ("fight", "second takes all", "first takes all", "")


def test_selten_1975_figure_2_in_both_versions():
    """The example of the format's documentation, its table in the two ways."""
    listed = read_nfg('NFG 1 R "s" { "a" "b" } { 3 2 } 1 1 0 2 0 2 1 1 0 3 2 0')
    table = '{ { "" 1, 1 } { "" 0, 2 } { "" 0, 3 } { "" 2, 0 } } 1 2 2 1 3 4'
    by_outcome = read_nfg('NFG 1 R "s" { "a" "b" } { { "1" "2" "3" } { "1" "2" } } ' + table)
    assert by_outcome == listed


def test_a_table_is_a_tree_in_which_nobody_sees(tmp_path):
    tree = load(DATA / "prisoners.nfg")
    assert len(tree) == 7
    assert [len(infoset) for infoset in tree.infosets] == [1, 2]
    assert tree.root.child("confess").child("silent").payoffs == {"row": 0, "column": -10}
    save(tree, tmp_path / "prisoners.efg")
    assert load(tmp_path / "prisoners.efg") == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", '1:1: the file ends; expected "NFG"'),
        ("EFG", '1:1: expected "NFG", found "EFG"'),
        ("NFG 2", '1:5: expected "1", found "2"'),
        ("NFG 1 Q", '1:7: expected "R" or "D", found "Q"'),
        (HEAD, '1:29: the file ends; expected "{" and the strategies'),
        (HEAD + "{ 2 }", '1:33: expected a number of strategies, found "}"'),
        (HEAD + "{ 2 0 }", '1:33: expected a number of strategies, from 1 on, found "0"'),
        (HEAD + "{ 2 2 2 }", '1:35: expected "}" after the numbers of strategies of 2 players'),
        (HEAD + '{ { "a" } }', '1:39: expected "{" and a strategy, found "}"'),
        (HEAD + '{ { "a" } { } }', '1:41: expected a strategy, found "}"'),
        (HEAD + '{ { "a" } { "b" } { "c" } }', '1:47: expected "}" after the strategies of 2'),
        (HEAD + "{ 1 2 } 1 2 3", "1:42: the file ends; expected a payoff, one of 4"),
        (HEAD + "{ 1 1 } 1 2 3", '1:41: expected the end of the file after 2 payoffs, found "3"'),
        (HEAD + "{ 1 1 } 1 x", '1:39: expected a payoff, one of 2, found "x"'),
        (HEAD + '{ 1 1 } { "x" 1 2 } 1', '1:39: expected an outcome in braces, or "}"'),
        (HEAD + '{ 1 1 } { { "x" 1 } } 1', '1:47: expected a payoff, found "}"'),
        (HEAD + '{ 1 1 } { { "x" 1 2 3 } } 1', '1:49: expected "}" after 2 payoffs, found "3"'),
        (HEAD + '{ 1 1 } { { "x" 1 2 } } 2', "1:53: there is no outcome 2, only 1"),
        (HEAD + "{ 1 1 } { } -1", '1:41: expected an outcome\'s number, one of 1, found "-1"'),
        (HEAD + '{ 1 1 } { { "x" 1 2 } }', "1:52: the file ends; expected an outcome's number"),
        (HEAD + "{ 1 1 } { } 0 0", "1:43: expected the end of the file after the outcomes"),
        (HEAD + "{ 999999999999 2 } 1", "1:31: the file is too short for 1,999,999,999,998"),
    ],
)
def test_errors_name_line_column_and_what_was_expected(text, message):
    assert refused(text).startswith(f"x.nfg:{message}")


def test_a_table_larger_than_any_file():
    head = 'NFG 1 R "t" { ' + '"p" ' * 100 + "} "
    assert "too short" in refused(head + "{ " + "9 " * 100 + "} 1")
    assert "the file ends" in refused(head + "{ " + '{ "a" "b" } ' * 100 + "} 1 2 3")


labels = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5) | (
    st.text('"\\ {}\n', max_size=5)
)


@st.composite
def games(draw) -> MatrixGame:
    players = draw(st.lists(labels, min_size=1, max_size=3))
    own = [draw(st.lists(labels, min_size=1, max_size=3)) for _ in players]
    amounts = st.fractions(max_denominator=9)
    profiles = prod(map(len, own))
    table = tuple(tuple(draw(amounts) for _ in players) for _ in range(profiles))
    names = tuple(draw(st.sampled_from(["", "win", '"'])) for _ in table)
    return MatrixGame(
        tuple(players),
        tuple(map(tuple, own)),
        table,
        draw(labels),
        draw(labels),
        names if any(names) else (),
    )


@settings(max_examples=60)
@given(games())
def test_any_game_comes_back(game):
    assert read_nfg(write_nfg(game)) == game
    assert read_nfg(write_nfg(game, outcomes=True)) == game
    assert read_nfg(write_nfg(game, outcomes=False)).payoffs == game.payoffs


def test_the_version_written_follows_from_the_names():
    plain = matrix_game([[1, 0], [0, 1]])
    assert "{ {" in write_nfg(plain)  # the strategies
    assert "\n1 -1\n0 0\n0 0\n1 -1\n" in write_nfg(plain)
    assert '\n{ "" 1, -1 }\n{ "" 0, 0 }\n}\n1\n2\n2\n1\n' in write_nfg(plain, outcomes=True)
    assert '{ "fight" -3/2, -3/2 }' in write_nfg(read("hawks.nfg"))


def test_saved_and_loaded(tmp_path):
    game = read("hawks.nfg")
    save(game, tmp_path / "hawks.nfg")
    assert load(tmp_path / "hawks.nfg") == game.tree()
    save(game, tmp_path / "hawks.efg")
    assert load(tmp_path / "hawks.efg") == game.tree()
    with pytest.raises(FileError, match=r"a tree is written to an \.efg file"):
        save(game.tree(), tmp_path / "tree.nfg")
