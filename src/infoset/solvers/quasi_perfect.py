"""Quasi-perfect equilibria of two-player games (van Damme 1984), by symbolic perturbation.

A Nash equilibrium says little about information sets that no play reaches: threats there may be
empty, and mistakes of the opponent may be answered badly. A *quasi-perfect* equilibrium is a limit
of equilibria of perturbed games in which all players tremble: at every information set a player
plays a best response, given that *the others* may make mistakes while the player itself will not.
It is a sequential equilibrium and uses no weakly dominated strategy.

*The perturbed game* (Miltersen & Sørensen 2010). Every sequence of d own choices has a weight of at
least ε^d. With these lower bounds l(ε) and k(ε) of the two players, and x, y for the weights above
them,

    r = E'p - A (y + k(ε)) >= 0,    E x = e - E l(ε),  x >= 0,    x_i r_i = 0
    s = F'q - B'(x + l(ε)) >= 0,    F y = f - F k(ε),  y >= 0,    y_j s_j = 0

describe its equilibria: the conditions of :mod:`infoset.solvers.lcp`, with right-hand sides that
are polynomials in ε, while the matrices do not depend on ε. In a zero-sum game this is one linear
program,

    minimize   (e - E l(ε))'p + l(ε)'A y
    subject to   -A y + E'p >= A k(ε),   F y = f - F k(ε),   y >= 0,

whose dual variables are x; right-hand sides and costs are polynomials.

*A basis for all small ε.* A basis determines which x_i and y_j may be positive; the others are
zero, and r_i = 0, s_j = 0 for those that may. The solution of a basis is linear in the right-hand
side, so one exact system of equations for each power of ε, all with the same matrix, gives x(ε),
y(ε), r(ε) and s(ε) as polynomials with rational coefficients. A polynomial is nonnegative for all
small ε > 0 exactly if its first nonzero coefficient is positive. If that holds for all of them, the
basis solves the perturbed game for *every* small ε: a proof that involves no small number.

*Finding it.* The perturbed game is solved exactly for ε = 1/N, by a linear program or by Lemke's
method, and the basis is tested on the polynomials. If it does not solve the game for all small ε, N
was too small, and 8 N is next, starting from this basis. No basis is accepted without proof.

The polynomials describe the approach to the limit completely, and with it the beliefs at sets that
no play reaches. So the answer is an assessment, whose consistency and sequential rationality are
checked (:mod:`infoset.strategy.assessment`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from infoset.errors import NotProved, TooLarge
from infoset.forms.sequence import SequenceForm, lighter_payoffs, sequence_form
from infoset.linear import highs
from infoset.linear.highs import FloatOptimum
from infoset.linear.lifting import Budget
from infoset.linear.numbers import Array, Floats, Numbers, bound, fitted
from infoset.linear.pivoting import ExactTableau, FloatTableau, Status, check_room, values
from infoset.linear.program import Basis, Program, basic_part, spread
from infoset.linear.sparse import Sparse
from infoset.solvers.lcp import EXACT_ENTRY, EXACT_FALLBACK, basis_system, follow_path, problem
from infoset.solvers.lp import (
    STOPPED,
    best_response_matrix,
    exact_vertex,
    linear_program,
    plans_from_floats,
)
from infoset.solvers.options import Found, Options
from infoset.strategy import Strategy, uniform
from infoset.strategy.assessment import Trembles, perturbed_assessment
from infoset.tree import Tree
from infoset.tree.choices import Choices

Bools = npt.NDArray[np.bool_]
Longs = npt.NDArray[np.int64]


def lengths(choices: Choices) -> Longs:
    """[sequence] the number of own choices in it; a single action is no choice.

    >>> from infoset.games import kuhn
    >>> lengths(kuhn().tree().choices[0]).tolist()
    [0, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 2]
    """
    found = np.zeros(len(choices), np.int64)
    for stage in choices.stages:
        for own in stage.tolist():
            first, size = int(choices.first[own]), int(choices.sizes[own])
            found[first : first + size] = found[choices.before[own]] + (size > 1)
    return found


class Floors:
    """Lower bounds of weights: ε^d for a sequence of d own choices, none for the empty one."""

    def __init__(self, form: SequenceForm) -> None:
        sizes = form.A.shape
        found = [lengths(choices) for choices in form.choices]
        found += [np.zeros(sizes[1], np.int64)] * (2 - len(found))  # a game of one player
        self.lengths = tuple(found)
        self.degree = max(int(own.max(initial=0)) for own in found)

    def coefficient(self, player: int, power: int) -> Longs:
        """[sequence] the coefficient of ε^power in its lower bound."""
        own: Longs = self.lengths[player]
        found: Longs = ((own == power) & (own > 0)).astype(np.int64)
        return found

    def at(self, player: int, inverse: int) -> Numbers:
        """[sequence] its lower bound for ε = 1 / inverse."""
        found = self.lengths[player]
        whole = [inverse ** (self.degree - d) if d else 0 for d in found.tolist()]
        return Numbers(fitted(whole), inverse**self.degree)


# ---------------------------------------------------------------------- zero sum


@dataclass(frozen=True, eq=False)
class PerturbedProgram:
    """The perturbed linear program: a right-hand side and a cost for each power of ε."""

    plain: Program
    sides: tuple[Array, ...]  # [power]
    costs: tuple[Array, ...]
    floors: Floors

    @classmethod
    def of(cls, form: SequenceForm, floors: Floors) -> PerturbedProgram:
        """The program of a zero-sum game."""
        plain = linear_program(lighter_payoffs(form), form.E, form.F)
        sides, costs = [], []
        for power in range(floors.degree + 1):
            x, y = (floors.coefficient(player, power) for player in (0, 1))
            taken = plain.matrix.times(_padded(y, plain.shape[1]))  # (-A k, F k)
            given = plain.matrix.transposed.times(_padded(x, plain.shape[0]))  # (-A'l, E l)
            sides.append(plain.side * (power == 0) - taken.numerators)
            costs.append(plain.cost * (power == 0) - given.numerators)
        return cls(plain, tuple(sides), tuple(costs), floors)

    def at(self, inverse: int) -> Program:
        """The program for ε = 1 / inverse, in integers.

        Right-hand sides and costs are multiplied by inverse^degree, and so are y and p.
        """
        scale = inverse**self.floors.degree
        unit = 2.0 ** (scale.bit_length() - 1)
        return replace(
            self.plain,
            side=_evaluated(self.sides, inverse),
            cost=_evaluated(self.costs, inverse),
            row_unit=self.plain.row_unit / unit,
            column_unit=self.plain.column_unit * unit,
            cost_unit=self.plain.cost_unit / unit / unit,
        )

    def plans(
        self, basis: Basis, budget: Budget
    ) -> tuple[tuple[Numbers, ...], tuple[Numbers, ...]] | None:
        """Both players' weights by power of ε, with lower bounds; None if not optimal.

        Optimal means: for every small ε.
        """
        program = self.plain
        part = basic_part(program, basis)
        if part is None:
            return None
        system, rows, columns = part
        primal, dual, slack, reduced = [], [], [], []
        across = program.matrix.transposed
        for side, cost in zip(self.sides, self.costs, strict=True):
            solved = system.solve(side[rows], budget)
            priced = system.solve_transposed(cost[columns], budget) if solved else None
            if solved is None or priced is None:
                return None
            primal.append(spread(solved, columns, program.shape[1]))
            dual.append(spread(priced, rows, program.shape[0]))
            slack.append(_minus_integers(program.matrix.times(primal[-1]), side))
            reduced.append(_minus_integers(across.times(dual[-1]), cost))
        inside = np.flatnonzero(~program.free), np.flatnonzero(~program.equal)
        fits = (
            all(not own.numerators[program.equal].any() for own in slack)
            and all(not own.numerators[program.free].any() for own in reduced)
            and nonnegative([own.take(inside[0]) for own in primal])
            and nonnegative([own.take(inside[1]) for own in dual])
            and nonnegative([own.take(inside[1]) for own in slack])
            and nonnegative([Numbers(-own.numerators[inside[0]]) for own in reduced])
        )
        sizes = [len(own) for own in self.floors.lengths]
        return (
            (self._with_bounds(dual, 0, sizes), self._with_bounds(primal, 1, sizes))
            if fits
            else None
        )

    def _with_bounds(
        self, found: list[Numbers], player: int, sizes: list[int]
    ) -> tuple[Numbers, ...]:
        """A player's weights, with its lower bounds."""
        own = np.arange(sizes[player])
        return tuple(
            _minus_integers(weights.take(own), -self.floors.coefficient(player, power)).lowest()
            for power, weights in enumerate(found)
        )


def _padded(whole: Longs, size: int) -> Numbers:
    return Numbers(np.concatenate((whole, np.zeros(size - len(whole), np.int64))))


def _evaluated(powers: tuple[Array, ...], inverse: int) -> Array:
    """Σ power_k inverse^(degree - k)."""
    total = powers[0].astype(object)
    for power in powers[1:]:
        total = total * inverse + power
    return fitted(total)


# ---------------------------------------------------------------------- general sum


def polynomial_plans(
    form: SequenceForm, floors: Floors, x_basic: Bools, y_basic: Bools, budget: Budget
) -> tuple[tuple[Numbers, ...], tuple[Numbers, ...]] | None:
    """Both players' weights by power of ε, with lower bounds; None if the basis fails."""
    y = _polynomial_weights(form.A, form.E, form.F, (x_basic, y_basic), floors, 1, budget)
    if y is None:
        return None
    x = _polynomial_weights(
        form.B.transposed, form.F, form.E, (y_basic, x_basic), floors, 0, budget
    )
    return None if x is None else (x, y)


def _polynomial_weights(
    payoffs: Sparse,
    own: Sparse,
    other: Sparse,
    basic: tuple[Bools, Bools],
    floors: Floors,
    player: int,
    budget: Budget,
) -> tuple[Numbers, ...] | None:
    """``player``'s weights, to which the opponent's basic sequences are best responses."""
    matrix = best_response_matrix(payoffs, own, other)
    tight, positive = basic
    sequences = len(tight)
    selected = basis_system(matrix, tight, positive)
    if selected is None:
        return None
    system, rows, columns = selected
    weights, losses = [], []
    for power in range(floors.degree + 1):
        floor = floors.coefficient(player, power)
        whole = np.concatenate((floor, np.zeros(matrix.shape[1] - len(floor), np.int64)))
        side = -matrix.times(
            Numbers(whole)
        ).numerators  # the effect of the lower bounds: A k and -F k
        side[sequences] += power == 0  # F y = f: one, then zeros
        solved = system.solve(side[rows], budget)
        if solved is None:
            return None
        found = spread(solved, columns, matrix.shape[1])
        losses.append(_minus_integers(matrix.times(found), side).take(np.arange(sequences)))
        weights.append(found.take(np.arange(len(positive))))
    if not (nonnegative(weights) and nonnegative(losses)):
        return None
    return tuple(
        _minus_integers(own, -floors.coefficient(player, power)).lowest()
        for power, own in enumerate(weights)
    )


# ---------------------------------------------------------------------- polynomials


def _minus_integers(numbers: Numbers, whole: Array) -> Numbers:
    """Subtract integers."""
    taken = numbers.numerators - whole.astype(object) * numbers.denominator
    return Numbers(fitted(taken), numbers.denominator)


def nonnegative(powers: Sequence[Numbers]) -> bool:
    """Are these polynomials, given power by power, all >= 0 for every small ε > 0?

    >>> nonnegative([Numbers.of([0, 1]), Numbers.of([1, -5])])
    True
    >>> nonnegative([Numbers.of([0, 1]), Numbers.of([-1, 5])])
    False
    """
    undecided = np.ones(len(powers[0]), np.bool_)
    for numbers in powers:
        if (undecided & (numbers.numerators < 0)).any():
            return False
        undecided &= numbers.numerators == 0
    return True


FIRST = 32  # the first 1/ε, or a power of two beyond the number of actions
FINER = 8  # the factor to the next 1/ε
LONGEST = 400  # binary digits of the smallest lower bound, in floats
LONGEST_EXACT = 1_200  # and in integers
MOST_IN_FLOATS = 1 << 500  # of payoffs, with room for lower bounds
MOST_IN_INTEGERS = 1 << 900  # where pivots are exact
SMALL = 60  # pairs up to which pivots are exact from the start


Plans = tuple[tuple[Numbers, ...], tuple[Numbers, ...]]


@dataclass
class _Progress:
    """Counts, and an equilibrium for the smallest ε so far."""

    work: Counter[str] = field(default_factory=Counter)
    inverse: int = 0  # its 1/ε; 0 while there is none
    near: tuple[Floats, Floats] = (np.zeros(0), np.zeros(0))  # both players' weights


def find(tree: Tree, options: Options) -> Found:
    """A quasi-perfect equilibrium, with beliefs at every information set."""
    form = sequence_form(tree)
    floors, pairs = Floors(form), sum(form.A.shape)
    if floors.degree * FIRST.bit_length() > LONGEST_EXACT:  # then no perturbation is tried at all
        raise _too_deep(tree, floors)
    options.tell(f"perturbed game of {pairs:,} sequences")
    progress, plans = _Progress(), None
    one_program = len(tree.players) == 1 or bool(tree.constant_sum)
    if one_program:
        plans = _by_program(form, floors, progress, options)
    if plans is None and len(tree.players) > 1 and (not one_program or pairs <= EXACT_FALLBACK):
        plans = _by_pivots(form, floors, progress, options)
    if plans is not None:
        return _found(tree, plans, {**progress.work, "degree": floors.degree})
    if options.over():
        return _stopped(tree, progress)
    if not progress.work["perturbations"]:
        raise _too_deep(tree, floors)
    raise NotProved(
        f"{tree.name}: no basis was found that solves the perturbed game for all small ε;"
        f" {_instead(tree)}"
    )


def _too_deep(tree: Tree, floors: Floors) -> TooLarge:
    deep = floors.degree * FIRST.bit_length() > LONGEST
    what = f"{floors.degree:,} own choices in a row are" if deep else "payoffs of this size are"
    return TooLarge(f"{tree.name}: {what} too much for quasi-perfect; {_instead(tree)}")


def _instead(tree: Tree) -> str:
    """The method to use instead."""
    if tree.perfect_information:
        return "backward finds a subgame-perfect equilibrium"
    name = "lp" if len(tree.players) == 1 or tree.constant_sum else "lcp"
    return f"{name} finds an equilibrium that need not be quasi-perfect"


def _small(inverse: int) -> str:
    """1/N as text; N is a power of two.

    >>> _small(1024), _small(2**100)
    ('1/1,024', '2^-100')
    """
    return f"1/{inverse:,}" if inverse < 10**9 else f"2^-{inverse.bit_length() - 1}"


def _budget(options: Options) -> Budget:
    return Budget(seconds=options.left, stop=options.stop)


def _stopped(tree: Tree, progress: _Progress) -> Found:
    """The result when time is over: an equilibrium of a slightly perturbed game."""
    if not progress.inverse:
        strategies: tuple[Strategy, ...] = tuple(uniform(tree, player) for player in tree.names)
        said = f"{STOPPED}: no equilibrium was found by then; these are uniform strategies"
        return Found(strategies, dict(progress.work), remark=said)
    said = f"{STOPPED}: an equilibrium only of the perturbed game, ε = {_small(progress.inverse)}"
    return Found(plans_from_floats(tree, *progress.near), dict(progress.work), remark=said)


def _found(tree: Tree, plans: tuple[tuple[Numbers, ...], ...], work: dict[str, int]) -> Found:
    trembles = [Trembles(tree, player, own) for player, own in zip(tree.names, plans, strict=False)]
    assessment = perturbed_assessment(trembles)
    return Found(assessment.profile.strategies, work, assessment=assessment)


def _inverses(form: SequenceForm, floors: Floors, options: Options, longest: int) -> Iterator[int]:
    """Increasing values of 1/ε, the first so large that the lower bounds are feasible.

    The smallest lower bound has at most ``longest`` binary digits.
    """
    most = max((int(own.sizes.max(initial=1)) for own in form.choices), default=1)
    inverse = max(FIRST, 1 << (2 * most).bit_length())
    while inverse.bit_length() * max(floors.degree, 1) <= longest and not options.over():
        options.tell(f"ε = {_small(inverse)}")
        yield inverse
        inverse *= FINER


# ---------------------------------------------------------------------- zero sum


def _by_program(
    form: SequenceForm, floors: Floors, progress: _Progress, options: Options
) -> Plans | None:
    """Both plans by the perturbed linear program."""
    perturbed = PerturbedProgram.of(form, floors)
    if bound(perturbed.plain.matrix.entries.numerators) >= MOST_IN_FLOATS:
        return None
    basis = None
    for inverse in _inverses(form, floors, options, LONGEST):
        progress.work["perturbations"] += 1
        program = perturbed.at(inverse)
        budget = _budget(options)
        corner = None
        options.tell(f"exact arithmetic, ε = {_small(inverse)}")
        if basis is not None:  # the next basis is not far from this one
            corner = exact_vertex(program, FloatOptimum.at(program, basis, budget), budget)
        if corner is None:
            answer = highs.minimize(program, options.left, options.tick, options.stop)
            progress.work["iterations"] += answer.iterations
            corner = exact_vertex(program, answer, budget)
        if corner is None:
            continue
        basis = corner.basis
        progress.inverse = inverse
        progress.near = _weights(floors, inverse, corner.dual.floats, corner.primal.floats)
        options.tell("exact arithmetic")
        plans = perturbed.plans(basis, _budget(options))
        if plans is not None:
            return plans
    return None


def _weights(floors: Floors, inverse: int, *above: Floats) -> tuple[Floats, Floats]:
    """Both players' weights in floats, from those above the lower bounds times N^degree."""
    scale = float(inverse) ** floors.degree
    x, y = (
        own[: len(floors.lengths[player])] / scale + floors.at(player, inverse).floats
        for player, own in enumerate(above)
    )
    return x, y


# ---------------------------------------------------------------------- general sum


def _by_pivots(
    form: SequenceForm, floors: Floors, progress: _Progress, options: Options
) -> Plans | None:
    """Both plans by Lemke's method on the perturbed game."""
    pairs, rows = sum(form.A.shape), form.A.shape[0]
    if max(bound(own.entries.numerators) for own in form.payoffs) >= MOST_IN_INTEGERS:
        return None
    exact = pairs <= SMALL
    for inverse in _inverses(form, floors, options, LONGEST_EXACT if exact else LONGEST):
        progress.work["perturbations"] += 1
        check_room(pairs, form.tree.name, EXACT_ENTRY if exact else 8)
        posed = problem(form, exact=exact, floors=(floors.at(0, inverse), floors.at(1, inverse)))
        path, tableau = follow_path(posed, ExactTableau if exact else FloatTableau, options)
        progress.work["pivots"] += path.pivots
        if path.status is Status.STOPPED:
            return None
        options.tell("exact arithmetic")
        played = posed.played(tableau.basis)
        if path.status is Status.FOUND:
            found = np.array([float(weight) for weight in posed.weights(values(tableau))])
            progress.inverse = inverse
            least = floors.at(0, inverse).floats, floors.at(1, inverse).floats
            progress.near = found[:rows] + least[0], found[rows:] + least[1]
        budget = _budget(options)
        plans = polynomial_plans(form, floors, played[:rows], played[rows:], budget)
        if plans is not None:
            return plans
        exact = exact or pairs <= EXACT_FALLBACK  # floats may have failed
    return None
