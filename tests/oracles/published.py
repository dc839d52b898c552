"""Published games and what is known of them: data, each with its source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from infoset import games
from infoset.forms.normal import normal_size
from infoset.solvers.registry import SOLVERS
from infoset.tree import MatrixGame, Tree, matrix_game

F = Fraction
THIRDS = (F(1, 3), F(1, 3), F(1, 3))
FIFTHS = (F(1, 5),) * 5

PROFILES = 20_000  # of a normal form that a test has the time for


@dataclass(frozen=True)
class Worth:
    """A game that has a value."""

    game: Callable[[], Any]
    value: Fraction | int
    source: str
    name: str

    def __str__(self) -> str:
        return self.name


def worth(value: Fraction | int, source: str, family: str, **parameters: Any) -> Worth:
    """One member of a family of the library."""
    said = ",".join(f"{key}={given}" for key, given in parameters.items())
    return Worth(lambda: games.LIBRARY[family](**parameters), value, source, f"{family}({said})")


KUHN = "H. W. Kuhn, A simplified two-person poker, 1950"
BLAIR = "Blair, Mutchler & van Lent, Perfect recall and pruning, 1996, figure 2"
SYMMETRIC = "the game is the same for both players"

VALUES = (
    worth(F(-1, 18), KUHN, "kuhn"),
    worth(
        13,
        "Koller, Megiddo & von Stengel 1994, figures 1 to 3, the linear program (8) by hand",
        "koller_megiddo_von_stengel",
    ),
    worth(1, BLAIR, "blair_g1"),
    worth(F(1, 2), BLAIR, "blair_g2"),
    worth(0, BLAIR + ", note 14", "blair_g2", variant="unseen"),
    worth(0, SYMMETRIC, "scissors_paper_stone"),
    worth(0, SYMMETRIC, "matching_pennies"),
    worth(0, SYMMETRIC, "goofspiel", cards=3),
    worth(0, SYMMETRIC, "goofspiel", cards=3, order="random"),
    worth(0, SYMMETRIC, "goofspiel", cards=4, points=True),
    worth(0, SYMMETRIC, "goofspiel", cards=3, reveal="winner"),
    worth(0, SYMMETRIC, "oshi_zumo", coins=3),
    worth(F(1, 2), "the first of two guesses at one of two squares", "battleships", height=1),
    worth(F(-1, 3), "Dresher 1962: 2l/n - 1", "inspection", stages=3, inspections=1),
)

LEDUC = (F("-0.085606424078"), "OpenSpiel's own test of its sequence-form linear program")
LIARS_DICE = (F(-7, 258), "an exact linear program of a prototype with its own code")


@dataclass(frozen=True)
class Bimatrix:
    """A game of two in normal form, with all of its equilibria."""

    name: str
    source: str
    first: Sequence[Sequence[int | Fraction]]
    second: Sequence[Sequence[int | Fraction]]
    equilibria: Sequence[tuple[Sequence[int | Fraction], Sequence[int | Fraction]]]

    @property
    def game(self) -> MatrixGame:
        """As a game."""
        return matrix_game(self.first, self.second, name=self.name)

    def __str__(self) -> str:
        return self.name


IDENTITY = [[int(row == column) for column in range(5)] for row in range(5)]
CYCLE = [[int(column == (row + 1) % 5) for column in range(5)] for row in range(5)]

BIMATRIX = (
    Bimatrix(
        "prisoner's dilemma",
        "A. W. Tucker 1950, with the payoffs of R. Axelrod, The evolution of cooperation, 1984",
        [[3, 0], [5, 1]],
        [[3, 5], [0, 1]],
        [((0, 1), (0, 1))],
    ),
    Bimatrix(
        "battle of the sexes",
        "R. D. Luce & H. Raiffa, Games and decisions, 1957, section 5.3",
        [[2, -1], [-1, 1]],
        [[1, -1], [-1, 2]],
        [((1, 0), (1, 0)), ((0, 1), (0, 1)), ((F(3, 5), F(2, 5)), (F(2, 5), F(3, 5)))],
    ),
    Bimatrix(
        "Nash's first example",
        "J. F. Nash, Non-cooperative games, 1951, example 1",
        [[5, -4], [-5, 3]],
        [[-3, 4], [5, -4]],
        [((F(9, 16), F(7, 16)), (F(7, 17), F(10, 17)))],
    ),
    Bimatrix(
        "asymmetric matching pennies",
        "J. K. Goeree & C. A. Holt, Ten little treasures of game theory, 2001, table 1",
        [[320, 40], [40, 80]],
        [[40, 80], [80, 40]],
        [((F(1, 2), F(1, 2)), (F(1, 8), F(7, 8)))],
    ),
    Bimatrix(
        "stag hunt",
        "R. J. Aumann, Nash equilibria are not self-enforcing, 1990",
        [[9, 0], [8, 7]],
        [[9, 8], [0, 7]],
        [((1, 0), (1, 0)), ((0, 1), (0, 1)), ((F(7, 8), F(1, 8)), (F(7, 8), F(1, 8)))],
    ),
    Bimatrix(
        "chicken",
        "R. J. Aumann, Subjectivity and correlation in randomized strategies, 1974",
        [[6, 2], [7, 0]],
        [[6, 7], [2, 0]],
        [((1, 0), (0, 1)), ((0, 1), (1, 0)), ((F(2, 3), F(1, 3)), (F(2, 3), F(1, 3)))],
    ),
    Bimatrix(
        "hawk and dove",
        "J. Maynard Smith & G. R. Price, The logic of animal conflict, 1973; V = 2, C = 6",
        [[-2, 2], [0, 1]],
        [[-2, 0], [2, 1]],
        [((1, 0), (0, 1)), ((0, 1), (1, 0)), ((F(1, 3), F(2, 3)), (F(1, 3), F(2, 3)))],
    ),
    Bimatrix(
        "von Stengel's 3 × 2 game",
        "B. von Stengel, Equilibrium computation for two-player games, 2007, (3.3)",
        [[3, 3], [2, 5], [0, 6]],
        [[3, 2], [2, 6], [3, 1]],
        [
            ((1, 0, 0), (1, 0)),
            ((F(4, 5), F(1, 5), 0), (F(2, 3), F(1, 3))),
            ((0, F(1, 3), F(2, 3)), (F(1, 3), F(2, 3))),
        ],
    ),
    Bimatrix(
        "von Stengel's earlier 3 × 2 game",
        "B. von Stengel, Computing equilibria for two-person games, 2002, section 2",
        [[0, 6], [2, 5], [3, 3]],
        [[1, 0], [0, 2], [4, 3]],
        [
            ((0, 0, 1), (1, 0)),
            ((0, F(1, 3), F(2, 3)), (F(2, 3), F(1, 3))),
            ((F(2, 3), F(1, 3), 0), (F(1, 3), F(2, 3))),
        ],
    ),
    Bimatrix(
        "Shapley's cycle",
        "L. S. Shapley, Some topics in two-person games, 1964: fictitious play does not converge",
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        [(THIRDS, THIRDS)],
    ),
    Bimatrix(
        "rock, scissors, paper with costly ties",
        "J. Maynard Smith, Evolution and the theory of games, 1982, chapter 2; a tie costs 1/2",
        [[F(-1, 2), 1, -1], [-1, F(-1, 2), 1], [1, -1, F(-1, 2)]],
        [[F(-1, 2), -1, 1], [1, F(-1, 2), -1], [-1, 1, F(-1, 2)]],
        [(THIRDS, THIRDS)],
    ),
    Bimatrix(
        "a permutation game",
        "R. Savani & B. von Stengel, Unit vector games, 2016: a cycle has one equilibrium",
        IDENTITY,
        CYCLE,
        [(FIFTHS, FIFTHS)],
    ),
)


@dataclass(frozen=True)
class Circle:
    """A game on which a method does not arrive if the first of tied variables leaves."""

    method: str
    first: Sequence[Sequence[int]]
    second: Sequence[Sequence[int]]
    note: str  # how the note of the solution begins

    @property
    def game(self) -> MatrixGame:
        """As a game."""
        return matrix_game(self.first, self.second)


# Found by search over payoffs 0 to 2.
CIRCLES = (
    Circle(
        "lemke-howson",
        [[1, 1, 2, 2, 1], [2, 2, 0, 1, 2], [2, 2, 2, 2, 2]],
        [[0, 2, 2, 2, 0], [0, 1, 0, 2, 0], [0, 0, 1, 2, 2]],
        "cycle",
    ),
    Circle(
        "lemke-howson",
        [[0, 2, 0, 0], [2, 0, 1, 1], [1, 1, 2, 1], [1, 1, 1, 2], [2, 0, 1, 1]],
        [[2, 1, 2, 2], [1, 1, 0, 2], [0, 1, 1, 2], [1, 0, 2, 2], [2, 0, 0, 0]],
        "cycle",
    ),
    Circle("lcp", [[0, 0], [0, 1], [1, 0]], [[1, 1], [1, 0], [0, 1]], "cycle"),
    Circle("lcp", [[0, 0], [1, 1], [2, 0]], [[1, 1], [2, 1], [1, 2]], "cycle"),
    Circle(
        "lcp",
        [[1, 1, 0, 2], [0, 1, 0, 0], [2, 1, 1, 0], [1, 1, 0, 1]],
        [[0, 1, 2, 1], [1, 0, 2, 1], [1, 2, 0, 1], [2, 0, 1, 2]],
        "cycle",
    ),
    Circle("lcp", [[1, 0, 0], [0, 0, 1], [1, 0, 0]], [[0, 0, 1], [0, 1, 0], [1, 0, 0]], "ray"),
)


ALWAYS = ("backward", "lp", "lcp", "normal-lp", "lemke-howson", "quasi-perfect", "wilson")


def methods(tree: Tree, most: int = PROFILES) -> list[str]:
    """The solvers that find an exact equilibrium of any game that they take, in a moment."""
    profiles = 1
    for size in normal_size(tree):
        profiles = profiles * size if size is not None else most + 1
    return [
        row.name
        for row in SOLVERS
        if row.name in ALWAYS
        and not row.lacks(tree)
        and ("normal form" not in row.form or profiles <= most)
    ]
