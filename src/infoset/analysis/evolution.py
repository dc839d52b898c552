"""Evolutionarily stable strategies of symmetric games of two players, decided exactly.

With A[i, j] what i gets against j, a mixture x is *evolutionarily stable* if for every other y

    x'A x > y'A x,   or   x'A x = y'A x  and  x'A y > y'A y.

The first condition says that (x, x) is an equilibrium. The second concerns mixtures y of the best
responses to x, the set B. For these z = y - x has z'A x = 0, and the condition is z'A z < 0. So x
is stable exactly if it is an equilibrium and z'A z < 0 for all z other than 0 with

    Σ_i z_i = 0,   z_i >= 0 for i in B outside the support S of x,   z_i = 0 outside B.

Let k be in S and let z_k be minus the sum of the others. In the coordinates of B without k the
condition is z'Q z > 0, with Q the symmetric part of A[k, j] + A[i, k] - A[i, j] - A[k, k]. The
coordinates in S are free: there Q must be positive definite. Their best choice for given others
leaves the Schur complement, which must be *strictly copositive*, v'M v > 0 for all v >= 0 but 0. It
is examined by principal submatrices, smaller ones first: if those of one order less are strictly
copositive, one is not exactly if its determinant d is 0 or less and its adjugate is positive
(Hadeler 1983). A column v of the adjugate is then a mutant: M v = d e_1, so that v'M v = d v_1.

Source: Maynard Smith & Price 1973; Haigh 1975; Abakuks 1980.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from flint import fmpq, fmpq_mat

from infoset.analysis.questions.answer import Answer
from infoset.analysis.table import PROBABILITY, Column, Sheet, Table
from infoset.errors import NotApplicable, RulesError, StrategyError, TooLarge, nearest
from infoset.forms.normal import NormalForm, normal_form
from infoset.objects.numbers import exact
from infoset.solvers import Solvable, as_tree
from infoset.text import bounded_text, times_text

Vector = tuple[Fraction, ...]
Matrix = list[list[Fraction]]

MOST_UNPLAYED = 12  # best responses that are not played: all their subsets are examined


@dataclass(frozen=True, repr=False)
class EvolutionaryStability(Answer):
    """Is a mixture evolutionarily stable? If not, a mutant that invades."""

    form: NormalForm  # whose strategies are numbered here
    mixture: Vector  # [strategy] its probability
    mutant: Vector | None  # does no worse than the mixture among few mutants; None if there is none

    @property
    def stable(self) -> bool:
        """Does no mutant invade?"""
        return self.mutant is None

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"stable": self.stable}

    @property
    def table(self) -> Sheet:
        """A row for each strategy: its probability in the population, and in the mutant."""
        columns = [Column("strategy"), Column("population", PROBABILITY)]
        rows: list[tuple[Any, ...]] = [
            (bounded_text(label), weight)
            for label, weight in zip(self.form.labels(0), self.mixture, strict=True)
        ]
        if self.mutant is not None:
            columns.append(Column("mutant", PROBABILITY))
            rows = [(*row, weight) for row, weight in zip(rows, self.mutant, strict=True)]
        facts = (("stable", "yes" if self.stable else "no"),)
        return Sheet("evolutionary stability", [Table("", tuple(columns), rows)], facts)


def evolutionary_stability(
    game: Solvable, mixture: Sequence[Any] | Mapping[str, Any]
) -> EvolutionaryStability:
    """Whether a mixed strategy of a symmetric game of two players is evolutionarily stable.

    Parameters
    ----------
    game
        A symmetric game: both players have equally many strategies, and the second player's payoffs
        are the first's with the strategies exchanged.
    mixture
        [strategy] its probability, in the order of the normal form; or by the names of strategies
        in its table, where those that are left out have probability 0.

    Returns
    -------
    EvolutionaryStability
        The answer, and where it is no, a mutant that invades; exact.

    Raises
    ------
    NotApplicable
        If the game does not have two players, or is not symmetric.
    StrategyError
        If the mixture is not one of the game.
    TooLarge
        If there are more than 12 best responses that the mixture does not play.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from infoset import matrix_game
    >>> hawk_dove = matrix_game([[-2, 2], [0, 1]], [[-2, 0], [2, 1]])
    >>> evolutionary_stability(hawk_dove, [Fraction(1, 3), Fraction(2, 3)]).stable
    True
    >>> evolutionary_stability(hawk_dove, [0, 1]).mutant
    (Fraction(1, 1), Fraction(0, 1))
    """
    form = normal_form(as_tree(game))
    payoffs = _symmetric_payoffs(form)
    x = _weights(form, mixture)
    if len(x) != len(payoffs) or min(x) < 0 or sum(x) != 1:
        shown = ", ".join(map(str, x[:8]))
        raise StrategyError(
            f"{form.tree.name}: ({shown}) is no mixture of {len(payoffs)} strategies; give each a"
            " probability, with sum 1"
        )
    return EvolutionaryStability(form, x, _mutant(payoffs, x))


def _weights(form: NormalForm, mixture: Sequence[Any] | Mapping[str, Any]) -> Vector:
    """[strategy] its probability, however it is given."""
    if isinstance(mixture, Mapping):
        names = [*map(str, form.labels(0))]
        for name in mixture:
            if name not in names:
                raise StrategyError(
                    f"{form.tree.name}: no strategy {name!r:.60}; {nearest(str(name), names)}"
                )
        mixture = [mixture.get(name, 0) for name in names]
    try:
        return tuple(exact(weight) for weight in mixture)
    except (RulesError, TypeError):
        raise StrategyError(
            f"{form.tree.name}: {mixture!r:.60} is no mixture; give a probability for each strategy"
        ) from None


def _symmetric_payoffs(form: NormalForm) -> Matrix:
    """[own strategy][the other's] the payoff, the same for both players."""
    name, shape = form.tree.name, form.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        raise NotApplicable(
            f"{name}: {times_text(shape)} strategies; a symmetric game of two has as many each"
        )
    size = range(shape[0])
    for i in size:
        for j in size:
            one, other = form.payoffs_of((i, j))[0], form.payoffs_of((j, i))[1]
            if one != other:
                raise NotApplicable(
                    f"{name} is not symmetric: strategy {i} gets {one} against {j} as the first"
                    f" player, and {other} as the second; give a symmetric game"
                )
    return [[form.payoffs_of((i, j))[0] for j in size] for i in size]


def _mutant(payoffs: Matrix, x: Vector) -> Vector | None:
    """A mixture other than x that does no worse among few of its kind; None if there is none."""
    against = [sum((p * q for p, q in zip(row, x, strict=True)), Fraction(0)) for row in payoffs]
    best = max(against)
    played = [i for i, weight in enumerate(x) if weight]
    if any(against[i] < best for i in played):
        reply = against.index(best)
        return tuple(Fraction(i == reply) for i in range(len(x)))
    unplayed = [i for i, value in enumerate(against) if value == best and not x[i]]
    if len(unplayed) > MOST_UNPLAYED:
        raise TooLarge(
            f"{len(unplayed)} best responses are not played, more than {MOST_UNPLAYED}; leave"
            " strategies out of the game"
        )
    left, *free = played
    places = free + unplayed
    direction = _not_positive(_form_without(payoffs, left, places), len(free))
    if direction is None:
        return None
    z = [Fraction(0)] * len(x)
    for at, step in zip(places, direction, strict=True):
        z[at] = step
    z[left] = -sum(direction, Fraction(0))
    far = min(weight / -step for weight, step in zip(x, z, strict=True) if step < 0)
    return tuple(weight + far * step for weight, step in zip(x, z, strict=True))


def _form_without(payoffs: Matrix, k: int, places: Sequence[int]) -> Matrix:
    """The matrix Q of -z'A z, where z_k is minus the sum of the others."""

    def entry(i: int, j: int) -> Fraction:
        return payoffs[k][j] + payoffs[i][k] - payoffs[i][j] - payoffs[k][k]

    return [[(entry(i, j) + entry(j, i)) / 2 for j in places] for i in places]


def _not_positive(quadratic: Matrix, free: int) -> list[Fraction] | None:
    """A z other than 0 with z'Q z <= 0, and z >= 0 from coordinate ``free`` on; None if none."""
    size = len(quadratic)
    for at in range(free):  # is the free part positive definite, one coordinate after another?
        z = _completed(quadratic, at, {at: Fraction(1)})
        if sum((quadratic[at][j] * z[j] for j in range(at + 1)), Fraction(0)) <= 0:
            return z
    completed = [_completed(quadratic, free, {at: Fraction(1)}) for at in range(free, size)]
    schur = [
        [sum((quadratic[i][m] * z[m] for m in range(size)), Fraction(0)) for z in completed]
        for i in range(free, size)
    ]
    for count in range(1, len(schur) + 1):
        for chosen in combinations(range(len(schur)), count):
            part = [[schur[i][j] for j in chosen] for i in chosen]
            if _determinant(part) > 0:
                continue
            column = [_cofactor(part, at) for at in range(count)]
            if min(column) > 0:
                weights = {free + at: v for at, v in zip(chosen, column, strict=True)}
                return _completed(quadratic, free, weights)
    return None


def _completed(quadratic: Matrix, free: int, weights: dict[int, Fraction]) -> list[Fraction]:
    """The z with these weights whose first ``free`` coordinates make z'Q z least."""
    z = [weights.get(at, Fraction(0)) for at in range(len(quadratic))]
    if free:
        side = [
            [-sum((quadratic[i][at] * v for at, v in weights.items()), Fraction(0))]
            for i in range(free)
        ]
        solved = _flint([row[:free] for row in quadratic[:free]]).solve(_flint(side))
        z[:free] = [_fraction(solved[i, 0]) for i in range(free)]
    return z


def _cofactor(matrix: Matrix, column: int) -> Fraction:
    """Of the first row and a column: an entry of the adjugate's first column."""
    minor = [row[:column] + row[column + 1 :] for row in matrix[1:]]
    return -_determinant(minor) if column % 2 else _determinant(minor)


def _determinant(matrix: Matrix) -> Fraction:
    return _fraction(_flint(matrix).det()) if matrix else Fraction(1)


def _flint(matrix: Matrix) -> fmpq_mat:
    return fmpq_mat([[fmpq(entry.numerator, entry.denominator) for entry in row] for row in matrix])


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))
