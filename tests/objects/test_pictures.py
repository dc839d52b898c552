"""Pictures of boards: what they hold, and what is refused where it is written."""

import pytest

from infoset.errors import RulesError
from infoset.objects import BoardPicture, Mark


def test_marks_are_written_in_three_ways():
    board = BoardPicture(3, 2, {"a1": "X", "b2": ("O", "ann"), "c1": Mark(7, "bob")}, title="sea")
    assert board.squares == {"a1": Mark("X", ""), "b2": Mark("O", "ann"), "c1": Mark(7, "bob")}
    assert (board.shape, board.chequered, board.title) == ("square", False, "sea")


def test_a_picture_is_its_own():
    marks = {"a1": "X"}
    board = BoardPicture(1, 1, marks)
    marks["z9"] = "Y"
    assert list(board.squares) == ["a1"]
    with pytest.raises(AttributeError):
        board.width = 2


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((0, 3), "0 by 3"),
        ((27, 3), "27 by 3"),
        ((3, 41), "3 by 41"),
        ((3, "4"), "3 by '4'"),
        ((True, 3), "True by 3"),
        ((3, 3, {"d1": "X"}), "'d1' on a board of 3 by 3"),
        ((3, 3, {"a4": "X"}), "'a4'"),
        ((3, 3, {(0, 0): "X"}), "(0, 0)"),
        ((3, 3, ["a1"]), "['a1']"),
        ((3, 3, {"a1": ("X", 1)}), "('X', 1)"),
        ((3, 3, {"a1": ("X", "ann", 1)}), "('X', 'ann', 1)"),
        ((3, 3, {}, "round"), "'round'"),
    ],
)
def test_what_is_refused(given, told):
    with pytest.raises(RulesError) as refused:
        BoardPicture(*given)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
