"""Public forms by the exact linear program, with the weights of both players in it.

The program is that of :mod:`infoset.solvers.lp`, put up from the matrices of a public form instead
of a tree's: what differs is only who numbers the sequences. It is small where sets were merged
(:mod:`infoset.forms.public.merge`), and then it solves games whose trees were never made. Its exact
answer is proved by itself: both plans keep their constraints, and neither leaves the other an
action that is better than those it uses; that was checked in integers.

Where there is no proof, because there was no time or floats went astray, the weights are floats,
straightened out to plans; how good they are is for the reader to measure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from infoset.errors import NotProved
from infoset.forms.public.plans import nearest_plan
from infoset.forms.public.record import PublicForm, sequence_matrices
from infoset.linear.numbers import Numbers
from infoset.linear.sparse import Sparse
from infoset.solvers.lp import linear_program, optimal
from infoset.solvers.options import Options
from infoset.text import brief


@dataclass(frozen=True, eq=False)
class PublicPlans:
    """Plans of both players, by the sequences of a public form."""

    weights: tuple[Numbers, Numbers]  # [player][sequence], the empty one first
    value: Fraction | float  # what player one gets; a Fraction if the weights are exact
    work: Mapping[str, int]
    note: str = ""  # why it is not exact, if that was not asked for

    @property
    def exact(self) -> bool:
        """Are these optimal plans, proved in integers?"""
        return self.weights[0].exact


def find(form: PublicForm, options: Options | None = None) -> PublicPlans:
    """Optimal plans of both players: exact, or floats if that is asked for or is all that there is.

    With ``exact=True`` an answer that is not proved is an error.

    >>> from infoset.forms.public.record import Counts
    >>> counts = Counts(1, 0, 1, (0, 0), (0, 0), (1, 1))
    >>> nothing = PublicForm("nothing", ("one", "two"), ((), ()), (), (), Fraction(0), counts)
    >>> find(nothing).value
    Fraction(0, 1)
    """
    options = options or Options()
    payoffs, own, other = sequence_matrices(form)
    program = linear_program(payoffs, own, other)
    x, y, work, note = optimal(program, payoffs.shape, options)
    if isinstance(x, Numbers) and isinstance(y, Numbers):
        return PublicPlans((x, y), expected(payoffs, x, y), work)
    if options.exact:
        raise NotProved(
            f"{brief(form.name)}: no exact plans of its public form ({note}); ask for floats, or"
            " give it more time"
        )
    one, two = (
        Numbers(nearest_plan(form, player, weights)) for player, weights in enumerate((x, y))
    )
    return PublicPlans((one, two), expected(payoffs, one, two), work, note)


def expected(payoffs: Sparse, x: Numbers, y: Numbers) -> Fraction | float:
    """``x'A y``: what player one gets, exact if both plans are; no number if no float can say."""
    with np.errstate(invalid="ignore", over="ignore"):  # payoffs may be beyond all floats
        value: Fraction | float = payoffs.times(y).times(x).total
    return value
