"""What is done, how likely and for how much, in fractions: of plans that were found exactly.

The linear program finds weights that are whole numbers over one denominator
(:attr:`PublicSolution.weights`). Shares, reach and values then are fractions, too, and are computed
as such, by the lines that serve floats, too (:mod:`infoset.solve.public.verify`):

    share of an option   its weight over the weight of what leads to the set
    reach of a set       the player's weight times what nature and the other player let through
    value of a set       what is won below it, over what is let through
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.forms.public.record import PublicForm
from infoset.solve.public.verify import faced, let_in, worths

if TYPE_CHECKING:
    from infoset.solve.public.solution import PublicSolution

Whole = npt.NDArray[Any]  # Python's integers, or fractions


class Exactly:
    """The same answers as a solution gives in floats, where its plans are exact."""

    def __init__(self, solution: PublicSolution) -> None:
        """Of a solution that has exact weights."""
        assert solution.weights is not None
        self._form: PublicForm = solution.form
        self._over = [own.numerators.astype(object) for own in solution.weights]
        self._under = [own.denominator for own in solution.weights]
        self._known: dict[tuple[int, int], Whole] = {}  # by player and decision: what is let in

    @classmethod
    def of(cls, solution: PublicSolution) -> Exactly | None:
        """Of any solution; None where its plans are floats.

        >>> from infoset.forms.public import public_form
        >>> from infoset.games import kuhn
        >>> from infoset.solve.public.front import solve_public
        >>> found = Exactly.of(solve_public(public_form(kuhn())))
        >>> sorted(str(bets) for bets in found.shares(1, 1)[1])
        ['0', '1', '1/3']
        >>> sorted(str(value) for value in found.values(1, 0))
        ['-1', '0', '7/6']
        >>> Exactly.of(solve_public(public_form(kuhn()), iterations=9)) is None
        True
        """
        return None if solution.weights is None else cls(solution)

    def shares(self, player: int, decision: int) -> Whole:
        """[option, set] how likely a player takes an option; even where it never comes there."""
        one, begin = self._form.decisions[player][decision], self._form.begins[player][decision]
        own = self._over[player][begin : begin + len(one.menu) * len(one)]
        own = own.reshape(len(one.menu), len(one))
        even, found = Fraction(1, len(own)), np.empty(own.shape, object)
        for at, whole in enumerate(own.sum(axis=0)):
            found[:, at] = [Fraction(over, whole) if whole else even for over in own[:, at]]
        return found

    def reach(self, player: int, decision: int) -> Whole:
        """[set] how likely the play comes there."""
        one = self._form.decisions[player][decision]
        before = self._over[player][self._form.leading_to(one)]
        return np.asarray(before * self._let(player, decision) * Fraction(1, self._under[player]))

    def values(self, player: int, decision: int) -> Whole:
        """[set] what the player expects when it is there; None where the others never let it."""
        let = self._let(player, decision)
        more = self._form.total if player else Fraction(0)
        found = np.full(len(let), None, object)
        for at, (worth, through) in enumerate(
            zip(self._worths[player][decision], let, strict=True)
        ):
            found[at] = worth / through + more if through else None
        return found

    def _let(self, player: int, decision: int) -> Whole:
        """[set] how likely nature and the other player let the play come there."""
        if (player, decision) not in self._known:
            one, other = self._form.decisions[player][decision], 1 - player
            let = let_in(self._form, player, one, self._over[other])
            self._known[player, decision] = let * Fraction(1, self._under[other])
        return self._known[player, decision]

    @cached_property
    def _worths(self) -> tuple[list[Whole], list[Whole]]:
        """[player][decision][set] payoffs by the plans, times how likely the others let it come."""
        return self._worth(0), self._worth(1)

    def _worth(self, player: int) -> list[Whole]:
        form = self._form
        common = lcm(*(end.factor.denominator for end in form.ends))
        factors = [int(end.factor * common) for end in form.ends]
        scale = Fraction(1, common * self._under[1 - player])
        gets = faced(form, player, self._over[1 - player], factors) * scale
        return worths(form, player, gets, self.shares)
