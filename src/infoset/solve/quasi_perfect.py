"""Quasi-perfect equilibria: sensible also where they do not go (van Damme 1984).

An equilibrium says little about situations that no play comes to: a threat there may be empty, and
a mistake of the opponent may be met with another. A *quasi-perfect* equilibrium is the limit of
equilibria of games in which everyone's hand trembles: at every information set a player does its
best given that *the others* err now and then, and that it will itself not. It is sequential, and
rests on no weakly dominated strategy.

Miltersen & Sørensen (2010) find one on the sequence form: let every sequence of d own choices weigh
at least ε^d, and take the limit of equilibria as ε goes to 0. The perturbed game is the same linear
program (zero sum) or complementarity problem (Lemke's method), but for right-hand sides that are
polynomials in ε (:mod:`infoset.solve.perturbed`).

*Exact.* Which basis solves the perturbed game for all small ε? Some ε = 1/N is put in, as a
rational number; the program is solved exactly (floats, made to look closer and closer), or the path
is followed in integers; and the basis found is tried on polynomials. If it does not solve the game
for all small ε, then N was too small, and 8 N is next, from where this one ended. No basis is
believed before it is proved.

The polynomials say all that happens near the limit. So beliefs come with it, at sets that no play
reaches, too: the answer is an assessment, whose consistency and sequential rationality are checked
(:mod:`infoset.strategy.assessment`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from infoset.errors import NotProved, TooLarge
from infoset.forms.sequence import SequenceForm, sequence_form
from infoset.linear import highs
from infoset.linear.highs import Answer
from infoset.linear.lifting import Budget
from infoset.linear.numbers import Floats, Numbers, bound
from infoset.linear.pivoting import ExactTableau, FloatTableau, Status, values
from infoset.linear.program import Program, Vertex, vertex
from infoset.linear.refine import refined
from infoset.linear.tableau import check_room
from infoset.solve.complementarity import problem
from infoset.solve.lcp import BEARABLE, EXACT_ENTRY, followed
from infoset.solve.lp import STOPPED, sketched_plans
from infoset.solve.options import Found, Options
from infoset.solve.perturbed import Floors, PerturbedProgram, polynomial_plans
from infoset.strategy import Strategy, uniform
from infoset.strategy.assessment import perturbed_assessment
from infoset.strategy.trembles import Trembles
from infoset.tree import Tree

FIRST = 32  # 1/ε at first, or a power of two beyond the largest number of actions
FINER = 8  # what it is multiplied by, where that was not enough
LONGEST = 400  # binary digits of the smallest floor, in floats
LONGEST_EXACT = 1_200  # and in integers
MOST_IN_FLOATS = 1 << 500  # of payoffs, with room for floors
MOST_IN_INTEGERS = 1 << 900  # where pivots are exact, and only the proof begins with floats
SMALL = 60  # pairs up to which pivots are exact from the start


Plans = tuple[tuple[Numbers, ...], tuple[Numbers, ...]]


@dataclass
class _Progress:
    """How far it is: counts, and an equilibrium for the smallest ε so far."""

    work: Counter[str] = field(default_factory=Counter)
    inverse: int = 0  # 1/ε of that one; 0 while there is none
    near: tuple[Floats, Floats] = (np.zeros(0), np.zeros(0))  # both players' weights


def find(tree: Tree, options: Options) -> Found:
    """A quasi-perfect equilibrium, with beliefs at every information set."""
    form = sequence_form(tree)
    floors, pairs = Floors(form), sum(form.A.shape)
    options.tell(f"perturbed game of {pairs:,} sequences")
    progress, plans = _Progress(), None
    one_program = len(tree.players) == 1 or bool(tree.constant_sum)
    if one_program:
        plans = _by_program(form, floors, progress, options)
    if plans is None and len(tree.players) > 1 and (not one_program or pairs <= BEARABLE):
        plans = _by_pivots(form, floors, progress, options)
    if plans is not None:
        return _found(tree, plans, {**progress.work, "degree": floors.degree})
    if options.over():
        return _stopped(tree, progress)
    if not progress.work["perturbations"]:
        deep = floors.degree * FIRST.bit_length() > LONGEST
        what = f"{floors.degree:,} own choices in a row are" if deep else "payoffs of this size are"
        raise TooLarge(f"{tree.name}: {what} too much for quasi-perfect; {_instead(tree)}")
    raise NotProved(
        f"{tree.name}: no basis was found that solves the perturbed game for all small ε;"
        f" {_instead(tree)}"
    )


def _instead(tree: Tree) -> str:
    """What else there is."""
    if tree.perfect_information:
        return "backward gives an equilibrium of every subgame"
    name = "lp" if len(tree.players) == 1 or tree.constant_sum else "lcp"
    return f"{name} gives an equilibrium that need not be quasi-perfect"


def _small(inverse: int) -> str:
    """1/N for people; N is a power of two.

    >>> _small(1024), _small(2**100)
    ('1/1,024', '2^-100')
    """
    return f"1/{inverse:,}" if inverse < 10**9 else f"2^-{inverse.bit_length() - 1}"


def _budget(options: Options) -> Budget:
    return Budget(seconds=options.left, stop=options.stop)


def _stopped(tree: Tree, progress: _Progress) -> Found:
    """What is known when time is over: an equilibrium of a game that is perturbed a little."""
    if not progress.inverse:
        strategies: tuple[Strategy, ...] = tuple(uniform(tree, player) for player in tree.names)
        said = f"{STOPPED}: nothing better than chance is known"
        return Found(strategies, dict(progress.work), remark=said)
    said = f"{STOPPED}: best only if everyone trembles, with ε = {_small(progress.inverse)}"
    return Found(sketched_plans(tree, *progress.near), dict(progress.work), remark=said)


def _found(tree: Tree, plans: tuple[tuple[Numbers, ...], ...], work: dict[str, int]) -> Found:
    trembles = [Trembles(tree, player, own) for player, own in zip(tree.names, plans, strict=False)]
    assessment = perturbed_assessment(trembles)
    return Found(assessment.profile.strategies, work, assessment=assessment)


def _inverses(form: SequenceForm, floors: Floors, options: Options, longest: int) -> Iterator[int]:
    """1/ε, larger and larger; at first so large that the floors leave something to choose.

    The smallest floor has ``longest`` binary digits at most.
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
    """Both plans, by the perturbed linear program."""
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
        if basis is not None:  # the next one is not far from there
            corner = _closer(program, Answer.at(program, basis, budget), budget)
        if corner is None:
            answer = highs.minimize(program, options.left, options.tick, options.stop)
            progress.work["iterations"] += answer.iterations
            corner = _closer(program, answer, budget)
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
    """Both players' weights, as floats, from those above the floors times N^degree."""
    scale = float(inverse) ** floors.degree
    x, y = (
        own[: len(floors.lengths[player])] / scale + floors.at(player, inverse).floats
        for player, own in enumerate(above)
    )
    return x, y


def _closer(program: Program, answer: Answer | None, budget: Budget) -> Vertex | None:
    """The optimal vertex near what floats say, exactly; None if none is found."""
    if answer is None or answer.basis is None:
        return None
    corner = vertex(program, answer.basis, budget)
    if corner is not None and corner.optimal:
        return corner
    return refined(program, answer, budget)


# ---------------------------------------------------------------------- general sum


def _by_pivots(
    form: SequenceForm, floors: Floors, progress: _Progress, options: Options
) -> Plans | None:
    """Both plans, by Lemke's path in the perturbed game."""
    pairs, rows = sum(form.A.shape), form.A.shape[0]
    if max(bound(own.entries.numerators) for own in form.payoffs) >= MOST_IN_INTEGERS:
        return None
    exact = pairs <= SMALL
    for inverse in _inverses(form, floors, options, LONGEST_EXACT if exact else LONGEST):
        progress.work["perturbations"] += 1
        check_room(pairs, form.tree.name, EXACT_ENTRY if exact else 8)
        posed = problem(form, exact=exact, floors=(floors.at(0, inverse), floors.at(1, inverse)))
        path, tableau = followed(posed, ExactTableau if exact else FloatTableau, options)
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
        exact = exact or pairs <= BEARABLE  # floats may have gone astray
    return None
