"""Connected components of a graph, on arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]


def connected_components(one: Longs, two: Longs, count: int) -> Longs:
    """The components of a bipartite graph, as seen by the vertices of its first side.

    Each round passes the least number on across the edges, then along the numbers themselves, so
    that a path shortens by more than half: rounds are few, however long it is.

    Parameters
    ----------
    one, two : ndarray of int
        [edge] its vertex on the first side, and on the second.
    count : int
        The number of vertices on the first side.

    Returns
    -------
    ndarray of int
        [vertex of the first side] the least vertex of that side in its component.

    Examples
    --------
    >>> connected_components(np.array([0, 1, 1, 2, 4]), np.array([0, 0, 1, 1, 2]), 5).tolist()
    [0, 0, 0, 3, 4]
    """
    least = np.arange(count)
    while True:
        passed = np.full(int(two.max(initial=-1)) + 1, count)
        np.minimum.at(passed, two, least[one])
        new = least.copy()
        np.minimum.at(new, one, passed[two])
        np.minimum.at(new, least, new.copy())  # what one of them is connected with, all are
        new = new[new]
        if (new == least).all():
            return least
        least = new
