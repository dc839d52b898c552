"""Connected components, against a search from vertex to vertex."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from infoset.linear.graphs import connected_components

EDGES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=30)


@given(EDGES)
def test_components_are_what_can_be_reached(edges: list[tuple[int, int]]) -> None:
    one, two = np.array(edges, np.int64).reshape(-1, 2).T
    found = connected_components(one, two, 13).tolist()
    for start in range(13):
        reached, waiting = {start}, [start]
        while waiting:
            here = waiting.pop()
            sides = {column for row, column in edges if row == here}
            new = {row for row, column in edges if column in sides} - reached
            reached |= new
            waiting += new
        assert found[start] == min(reached)


def test_a_long_path_takes_few_rounds() -> None:
    one = np.repeat(np.arange(100_000), 2)[1:]
    two = np.repeat(np.arange(100_000), 2)[:-1]
    assert not connected_components(one, two, 100_000).any()
