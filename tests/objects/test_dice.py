"""Throws of several dice at once, against the counting of all ordered throws."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.errors import RulesError
from infoset.objects.dice import Roll, rolls


@given(st.integers(1, 4), st.integers(1, 6))
def test_weights_count_the_ordered_throws(dice, sides):
    outcomes, weights = rolls(dice, sides)
    counted = Counter(tuple(sorted(throw)) for throw in product(range(1, sides + 1), repeat=dice))
    assert dict(zip(outcomes, weights, strict=True)) == counted
    assert list(outcomes) == sorted(outcomes)


@given(st.integers(1, 3), st.lists(st.sampled_from("xyz"), min_size=1, max_size=5))
def test_a_face_on_several_sides_counts_as_often(dice, faces):
    outcomes, weights = rolls(dice, faces)
    counted = Counter(
        tuple(sorted(throw, key=faces.index)) for throw in product(faces, repeat=dice)
    )
    assert dict(zip(outcomes, weights, strict=True)) == counted
    assert sum(weights) == len(faces) ** dice


def test_five_dice_have_252_outcomes_of_7776_throws():
    outcomes, weights = rolls(5)
    assert (len(outcomes), sum(weights)) == (252, 7776)
    assert weights[outcomes.index((1, 2, 3, 4, 5))] == 120
    assert weights[outcomes.index((2, 2, 2, 3, 3))] == 10  # a full house: C(5, 2)


def test_faces_need_not_compare():
    outcomes, weights = rolls(2, ("blank", 1))
    assert outcomes == (("blank", "blank"), ("blank", 1), (1, 1))
    assert weights == (1, 2, 1)


def test_computed_once():
    assert rolls(3, 4) is rolls(3, 4)
    assert rolls(1, ["heads", "tails"]) is rolls(1, ("heads", "tails"))


def test_a_roll_reads_as_its_faces():
    roll = rolls(3, 3)[0][-2]
    assert (str(roll), roll) == ("2 3 3", (2, 3, 3))
    assert eval(repr(roll)) == roll
    assert isinstance(roll, Roll)


@pytest.mark.parametrize(
    ("dice", "faces", "complaint"),
    [
        (0, 6, "throws no dice"),
        (-1, 6, "throws no dice"),
        (1.5, 6, "throws no dice"),
        (2, 0, "without faces"),
        (2, (), "without faces"),
        (2, 2.5, "faces=2.5"),
    ],
)
def test_bad_dice(dice, faces, complaint):
    with pytest.raises(RulesError, match=complaint):
        rolls(dice, faces)
