"""Boards of hexagons, and who has joined which sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infoset.errors import RulesError
from infoset.objects import hex_joined, hex_neighbours

sides = st.integers(1, 8)


@given(sides, sides)
def test_pairs_of_neighbours(width, height):
    near = hex_neighbours(width, height)
    assert len(near) == width * height
    assert sum(map(len, near.values())) == 2 * (3 * width * height - 2 * (width + height) + 1)
    for cell, around in near.items():
        assert len(set(around)) == len(around) <= 6
        assert all(cell in near[other] for other in around)


def test_a_cell_within_has_six_neighbours_in_three_rows():
    assert sorted(hex_neighbours(5, 5)["c3"]) == ["b3", "b4", "c2", "c4", "d2", "d3"]
    assert {len(hex_neighbours(3, 3)[corner]) for corner in ("a1", "c3")} == {2}
    assert {len(hex_neighbours(3, 3)[corner]) for corner in ("a3", "c1")} == {3}


@given(st.data())
def test_a_full_board_has_exactly_one_winner(data):
    """Gale 1979: Hex cannot be drawn."""
    width, height = data.draw(sides), data.draw(sides)
    cells = list(hex_neighbours(width, height))
    mine = {cell for cell in cells if data.draw(st.booleans())}
    across = hex_joined(width, height, mine, across=True)
    upwards = hex_joined(width, height, set(cells) - mine, across=False)
    assert across != upwards


def test_chains_bend_and_gaps_do_not_join():
    winding = ("a1", "a2", "b2", "c1", "d1", "d2", "c3", "d3", "e3")
    assert hex_joined(5, 5, winding, across=True)
    for missing in ("b2", "c1"):
        left = [cell for cell in winding if cell != missing]
        assert not hex_joined(5, 5, left, across=True)
    assert not hex_joined(5, 5, winding, across=False)
    assert not hex_joined(5, 5, (), across=True)
    assert hex_joined(1, 3, ("a2",), across=True)


def test_what_is_refused():
    with pytest.raises(RulesError, match="0 by 3"):
        hex_neighbours(0, 3)
    with pytest.raises(RulesError, match="'d1' is not on the board, which goes from a1 to c3"):
        hex_joined(3, 3, {"a1", "d1"}, across=True)
