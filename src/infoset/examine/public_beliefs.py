"""What a player believes about the other's cards, on a public form.

The other player's last choice is known, and in which of its sets it was made is not. Nature's
probabilities of meeting each of them are a row of a table, and how likely the other player then
does what it has done is the weight of that sequence in its plan: Bayes' rule is their product,
divided by its sum. Where the other player has not chosen yet, nature alone counts, and the sets are
those at which it will choose next.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.examine.public_states import PublicState, PublicStates, next_meetings
from infoset.forms.public.record import NOT_YET, Longs, Meeting
from infoset.linear.numbers import whole_sum
from infoset.solve.public.verify import in_floats

if TYPE_CHECKING:
    from infoset.solve.public.solution import PublicSolution

Amounts = npt.NDArray[Any]  # floats, or whole numbers where the plans are exact
Beliefs = dict[str, Any]  # fractions or floats, by what the other player knows in private


class Guesses:
    """What a player believes at its sets, looked up state by state."""

    def __init__(self, solution: PublicSolution, own: PublicStates, others: PublicStates) -> None:
        """With the states of both players."""
        self._solution, self._own, self._others = solution, own, others
        self._blocks: dict[int, Longs] = {}
        self._names: dict[int, dict[int, str]] = {}

    def at(self, state: PublicState) -> list[Beliefs | None] | None:
        """[set, in the order of the state] how likely what is; None where no play comes.

        None for all, if nothing is known about when the other player chooses.
        """
        met = self._met(state)
        if met is None:
            return None
        found: list[Beliefs | None] = []
        for one in state.sets.tolist():
            weights: Beliefs = {}
            for other, meeting, plan in met:
                for name, weight in self._weighed(one, other, meeting, plan):
                    weights[name] = weights.get(name, 0) + weight
            whole = sum(weights.values())
            found.append({name: w / whole for name, w in weights.items()} if whole else None)
        return found

    def _met(self, state: PublicState) -> list[tuple[int, Meeting, Amounts | None]] | None:
        """The other player's decisions that are met, by which tables, with which weights there."""
        meetings = state.decision.meetings
        if all(one.last[0] != NOT_YET for one in meetings):
            return [(one.last[0], one, self._weights(one)) for one in meetings]
        after = self._after.get(state.number, [])
        if len(meetings) > 1 or not after:
            return None
        options: dict[int, list[tuple[int, Meeting, Amounts | None]]] = {}
        for other, meeting in after:
            options.setdefault(meeting.last[1], []).append((other, meeting, None))
        return max(options.values(), key=self._mass)

    def _mass(self, met: list[tuple[int, Meeting, Amounts | None]]) -> Fraction:
        """How likely nature lets the other player choose next, if all is done for it."""
        tables = self._own.form.tables
        return sum(
            (
                meeting.factor
                * sum(whole_sum(block.entries) for block in tables[meeting.table].blocks)
                for _, meeting, _ in met
            ),
            Fraction(0),
        )

    @cached_property
    def _after(self) -> dict[int, list[tuple[int, Meeting]]]:
        return next_meetings(self._own.form, self._own.seat)

    def _weights(self, meeting: Meeting) -> Amounts:
        """[set] the weight in the other's plan of what it did last."""
        seat = self._others.seat
        first = self._own.form.first(seat, meeting.last)
        size = len(self._others.decisions[meeting.last[0]])
        exactly = self._solution.weights
        plan = self._solution.plans[seat] if exactly is None else exactly[seat].numerators
        return plan[first : first + size]

    def _weighed(
        self, one: int, other: int, meeting: Meeting, plan: Amounts | None
    ) -> list[tuple[str, Any]]:
        """What a set meets in a table: names and weights, in the order of the names."""
        block = (
            self._block_of(meeting.table)[one] if one < len(self._block_of(meeting.table)) else -1
        )
        if block < 0:
            return []
        piece = self._own.form.tables[meeting.table].blocks[block]
        mine, theirs, entries = piece.rows, piece.columns, piece.entries
        if self._own.seat:
            mine, theirs, entries = theirs, mine, entries.T
        row = self._scaled(entries[np.flatnonzero(mine == one)[0]], meeting.factor)
        weights = row if plan is None else row * plan[theirs]
        possible = dict(zip(theirs[row > 0].tolist(), weights[row > 0].tolist(), strict=True))
        states = dict.fromkeys(self._others.of(other, column) for column in possible)
        names = [pair for state in states for pair in self._named(state).items()]
        return [(name, possible[column]) for column, name in names if column in possible]

    def _scaled(self, entries: npt.NDArray[Any], factor: Fraction) -> npt.NDArray[Any]:
        """Entries times a factor: fractions if the plans are exact, else floats."""
        if self._solution.weights is not None:
            return np.asarray(entries.astype(object) * factor)
        row, shared = in_floats(entries)
        return row * float(factor * shared)

    def _block_of(self, table: int) -> Longs:
        """[own set] the block of a table that has it, or -1."""
        if table not in self._blocks:
            blocks = self._own.form.tables[table].blocks
            sides = [block.columns if self._own.seat else block.rows for block in blocks]
            found = np.full(1 + max(int(side.max()) for side in sides), -1, np.int64)
            for number, side in enumerate(sides):
                found[side] = number
            self._blocks[table] = found
        return self._blocks[table]

    def _named(self, number: int) -> dict[int, str]:
        """By set of a state of the other player: what it knows in private, in order."""
        if number not in self._names:
            state = self._others[number]
            self._names[number] = dict(zip(state.sets.tolist(), state.short_names, strict=True))
        return self._names[number]
