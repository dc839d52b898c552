"""Two-player zero-sum games by the classical linear program on the normal form.

The same program as :mod:`infoset.solvers.lp`, with mixed strategies in place of realization plans:
E and F are rows of ones, p and q are single numbers, the value of the game. The normal form is
exponential in the size of the tree, which the sequence form avoids; this method is here for
comparison, and for players with imperfect recall, who have no sequence form. With imperfect recall
mixed and behaviour strategies are not equivalent: these are optimal *mixed* strategies.

Source: von Neumann 1928, Dantzig 1951; Koller, Megiddo & von Stengel 1994, section 3.
"""

from __future__ import annotations

import numpy as np

from infoset.forms.normal import NormalForm, normal_form
from infoset.linear.numbers import Numbers
from infoset.solvers.lemke_howson import exact_mixed, matrices, mixed_from_floats, pivot_exactly
from infoset.solvers.lp import EXACT_FALLBACK, NO_BASIS, linear_program, optimal
from infoset.solvers.options import Found, Options
from infoset.tree import Tree


def find(tree: Tree, options: Options) -> Found:
    """Optimal mixed strategies of both players."""
    options.tell("normal form")
    form = normal_form(tree)
    payoffs, _, own, other = matrices(form)
    x, y, work, note = optimal(linear_program(payoffs, own, other), payoffs.shape, options)
    work["profiles"] = payoffs.shape[0] * payoffs.shape[1]
    if isinstance(x, Numbers) and isinstance(y, Numbers):
        return Found(exact_mixed(form, x, y), work)
    if note == NO_BASIS and (sum(payoffs.shape) <= EXACT_FALLBACK or options.exact):
        return _without_floats(form, options)
    return Found(mixed_from_floats(form, x, y), work, note)


def _without_floats(form: NormalForm, options: Options) -> Found:
    """Where floats fail: exact pivots, or for one player the best strategy."""
    if len(form.shape) > 1:
        return pivot_exactly(form, options)
    weights = np.zeros(form.shape[0], np.int64)
    weights[int(np.argmax(form.numerators[0]))] = 1
    return Found(exact_mixed(form, Numbers(weights)), {"profiles": form.shape[0]})
