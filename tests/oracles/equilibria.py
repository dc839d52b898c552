"""Games of two whose whole set of extreme equilibria is known, and a plain way to find it.

:func:`extreme_equilibria` owes nothing to the package: it tries all choices of facets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from infoset import matrix_game
from tests.oracles.independent import Matrix, solved

Plan = tuple[Fraction, ...]


@dataclass(frozen=True)
class Known:
    """A bimatrix game, how many extreme equilibria it has, and the dimensions of its components."""

    name: str
    source: str
    first: Matrix
    second: Matrix
    count: int
    dimensions: tuple[int, ...]
    equilibria: frozenset[tuple[Plan, Plan]] = frozenset()  # where they are published

    @property
    def game(self) -> Any:
        """As a game of the package."""
        return matrix_game(self.first, self.second)

    def __str__(self) -> str:
        return self.name


def _plans(*pairs: tuple[str, str]) -> frozenset[tuple[Plan, Plan]]:
    return frozenset(
        (tuple(map(Fraction, one.split())), tuple(map(Fraction, two.split()))) for one, two in pairs
    )


def _diagonal(size: int) -> list[list[int]]:
    return [[int(row == column) for column in range(size)] for row in range(size)]


KNOWN = (
    Known(
        "three",
        "von Stengel 2007, Equilibrium computation for two-player games, example (3.1)",
        [[3, 3], [2, 5], [0, 6]],
        [[3, 2], [2, 6], [3, 1]],
        3,
        (0, 0, 0),
        _plans(("1 0 0", "1 0"), ("4/5 1/5 0", "2/3 1/3"), ("0 1/3 2/3", "1/3 2/3")),
    ),
    Known(
        "segment",
        "von Stengel 2007, the same with a tie: (1, 0, 0) goes with all y between two",
        [[3, 3], [2, 5], [0, 6]],
        [[3, 3], [2, 6], [3, 1]],
        3,
        (1, 0),
        _plans(("1 0 0", "1 0"), ("1 0 0", "2/3 1/3"), ("0 1/3 2/3", "1/3 2/3")),
    ),
    Known(
        "Lemke-Howson",
        "Shapley 1974, A note on the Lemke-Howson algorithm, Math. Programming Study 1, figure 2",
        [[2, 2, 0], [0, 3, 0], [3, 0, 1]],
        [[3, 0, 2], [0, 3, 2], [0, 0, 1]],
        3,
        (0, 0, 0),
        _plans(("0 1 0", "0 1 0"), ("0 0 1", "0 0 1"), ("0 1/2 1/2", "0 1/4 3/4")),
    ),
    Known(
        "inaccessible",
        "Shapley 1974, figure 3: two of three are on no Lemke-Howson path from the beginning",
        [[0, 3, 0], [2, 2, 0], [3, 0, 1]],
        [[0, 2, 3], [3, 2, 0], [0, 0, 1]],
        3,
        (0, 0, 0),
        _plans(("0 0 1", "0 0 1"), ("1/3 2/3 0", "1/3 2/3 0"), ("1/6 1/3 1/2", "1/6 1/3 1/2")),
    ),
    Known(
        "not credible",
        "Selten 1975, Reexamination of the perfectness concept, Int. J. Game Theory 4, figure 2,"
        " as its reduced normal form (R; Lr, Ll against R, L): R goes with all that do not play L"
        " more often than every other time",
        [[1, 1], [0, 0], [0, 2]],
        [[1, 1], [2, 3], [2, 0]],
        2,
        (1,),
        _plans(("1 0 0", "1 0"), ("1 0 0", "1/2 1/2")),
    ),
    Known(
        "hexagon",
        "Kohlberg & Mertens 1986, On the strategic stability of equilibria, Econometrica 54: all"
        " equilibria are one circle of six segments",
        [[1, 0, -1], [-1, 0, -1], [1, 0, -2]],
        [[1, -1, 1], [0, 0, 0], [-1, -1, -2]],
        6,
        (1,),
        _plans(
            ("1 0 0", "1 0 0"),
            ("1 0 0", "0 0 1"),
            ("0 1 0", "0 0 1"),
            ("0 1 0", "0 1 0"),
            ("0 0 1", "0 1 0"),
            ("0 0 1", "1 0 0"),
        ),
    ),
    Known(
        "five",
        "our own check: Quint & Shubik 1997 prove that there are such games for each odd number up"
        " to 2^d - 1; here (0, 1, 0) and (0, 0, 1) do not mix, nor do all three",
        _diagonal(3),
        [[3, 2, 2], [2, 3, 1], [2, 0, 3]],
        5,
        (0,) * 5,
        _plans(
            *((x, x) for x in ("1 0 0", "0 1 0", "0 0 1", "1/2 1/2 0", "1/2 0 1/2")),
        ),
    ),
    Known(
        "all",
        "by hand: nobody's choice matters, so every pair of mixed strategies is an equilibrium",
        [[0, 0, 0], [0, 0, 0]],
        [[1, 1, 1], [1, 1, 1]],
        6,
        (3,),
        _plans(*((x, y) for x in ("1 0", "0 1") for y in ("1 0 0", "0 1 0", "0 0 1"))),
    ),
    Known(
        "path",
        "by hand: two segments of equilibria that meet in a corner",
        [[1, 1], [1, 0]],
        [[1, 1], [1, 0]],
        3,
        (1,),
        _plans(("1 0", "1 0"), ("1 0", "0 1"), ("0 1", "1 0")),
    ),
    *(
        Known(
            f"coordination {size}",
            "Quint & Shubik 1997: any set of choices, all alike, makes one: 2^d - 1 of them",
            _diagonal(size),
            _diagonal(size),
            2**size - 1,
            (0,) * (2**size - 1),
            _plans(
                *(
                    (" ".join(f"{int(at in own)}/{len(own)}" for at in range(size)),) * 2
                    for count in range(1, size + 1)
                    for own in combinations(range(size), count)
                )
            ),
        )
        for size in (2, 3, 4)
    ),
    Known(
        "seventy-five",
        "von Stengel 1999, New maximal numbers of equilibria in bimatrix games: 6 by 6",
        [
            [9504, -660, 19976, -20526, 1776, -8976],
            [-111771, 31680, -130944, 168124, -8514, 52764],
            [397584, -113850, 451176, -586476, 29216, -178761],
            [171204, -45936, 208626, -263076, 14124, -84436],
            [1303104, -453420, 1227336, -1718376, 72336, -461736],
            [737154, -227040, 774576, -1039236, 48081, -300036],
        ],
        [
            [72336, 48081, 29216, 14124, 1776, -8514],
            [-461736, -300036, -178761, -84436, -8976, 52764],
            [1227336, 774576, 451176, 208626, 19976, -130944],
            [-1718376, -1039236, -586476, -263076, -20526, 168124],
            [1303104, 737154, 397584, 171204, 9504, -111771],
            [-453420, -227040, -113850, -45936, -660, 31680],
        ],
        75,
        (0,) * 75,
    ),
    Known(
        "seventy-five, small payoffs",
        "Savani & von Stengel 2006, Hard-to-solve bimatrix games, Econometrica 74: also 6 by 6",
        [
            [-81, 36, -126, 126, -36, 90],
            [-180, 72, -333, 297, -153, 270],
            [20, -3, 42, -33, 17, -30],
            [-30, 17, -33, 42, -3, 20],
            [270, -153, 297, -333, 72, -180],
            [90, -36, 126, -126, 36, -81],
        ],
        [
            [72, 36, 17, -3, -36, -153],
            [-180, -81, -30, 20, 90, 270],
            [297, 126, 42, -33, -126, -333],
            [-333, -126, -33, 42, 126, 297],
            [270, 90, 20, -30, -81, -180],
            [-153, -36, -3, 17, 36, 72],
        ],
        75,
        (0,) * 75,
    ),
)


def extreme_equilibria(first: Matrix, second: Matrix) -> set[tuple[Plan, Plan]]:
    """All pairs of corners of the two best-response polyhedra that have every label."""
    other = [list(column) for column in zip(*second, strict=True)]
    rows, columns = len(first), len(other)
    found = set()
    answers = _corners(first, columns)
    for x, one in _corners(other, rows):
        for y, two in answers:
            turned = {
                (label + rows) % (rows + columns) if label < columns else label - columns
                for label in two
            }
            if one | turned == set(range(rows + columns)):
                found.add((x, y))
    return found


def is_mixture(plan: Plan, others: Sequence[Plan]) -> bool:
    """Is a plan a mixture of some others? Exactly, by a simplex tableau of fractions.

    Shares that are not negative, with sum of share times other = plan: artificial variables are
    driven out by Bland's rule. Weights are not negative, so the tableau starts feasible.
    """
    columns = [
        (*other, Fraction(1))
        for other in others
        if not any(own and not whole for own, whole in zip(other, plan, strict=True))
    ]
    side = [*plan, Fraction(1)]
    rows = [
        [Fraction(column[at]) for column in columns] + [Fraction(side[at])]
        for at in range(len(side))
    ]
    basis = [len(columns) + at for at in range(len(rows))]  # the artificial ones
    while True:
        short = [row for row, own in zip(rows, basis, strict=True) if own >= len(columns)]
        gains = [sum((row[at] for row in short), Fraction(0)) for at in range(len(columns) + 1)]
        if not gains[-1]:
            return True
        entering = next((at for at in range(len(columns)) if gains[at] > 0), None)
        if entering is None:
            return False
        ratios = [
            (row[-1] / row[entering], own)
            for row, own in zip(rows, basis, strict=True)
            if row[entering] > 0
        ]
        leaving = basis.index(min(ratios)[1])
        pivot = rows[leaving][entering]
        rows[leaving] = [amount / pivot for amount in rows[leaving]]
        for at, row in enumerate(rows):
            if at != leaving and row[entering]:
                times = row[entering]
                rows[at] = [a - times * b for a, b in zip(row, rows[leaving], strict=True)]
        basis[leaving] = entering


def _corners(payoffs: Matrix, size: int) -> set[tuple[Plan, frozenset[int]]]:
    """Corners of { x, v: x >= 0, sum of x = 1, payoffs x <= v }, and which of these are equal.

    Labels: the weights first, then the rows of payoffs.
    """
    facets = [
        [Fraction(int(at == own)) for at in range(size)] + [Fraction(0)] for own in range(size)
    ]
    facets += [[Fraction(-amount) for amount in row] + [Fraction(1)] for row in payoffs]
    whole = [Fraction(1)] * size + [Fraction(0)]
    found = set()
    for chosen in combinations(facets, size):
        point = solved([*chosen, whole], [Fraction(0)] * size + [Fraction(1)])
        if point is None:
            continue
        slack = [sum(a * b for a, b in zip(facet, point, strict=True)) for facet in facets]
        if min(slack) >= 0:
            tight = frozenset(at for at, amount in enumerate(slack) if not amount)
            found.add((tuple(point[:size]), tight))
    return found
