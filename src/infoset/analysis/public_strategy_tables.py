"""What a player believes about the other's cards, on a public form.

The other player's last choice is known, and in which of its sets it was made is not. Nature's
probabilities of meeting each of them are a row of a table, and how likely the other player then
does what it has done is the weight of that sequence in its plan: Bayes' rule is their product,
divided by its sum. Where the other player has not chosen yet, nature alone counts, and the sets are
those at which it will choose next.

A plan on a public form as tables: grouped by what is public, a row for each private knowledge.

Beside the probabilities stand how likely the player is there, what it then expects, how many
information sets of the game a row stands for where suits are folded, and what it believes about
what the other player holds. A large plan is told with a row for each public state, the likeliest
first. Tables and rows are made when they are looked at; what is looked for is looked for in arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.public_states import PublicState, PublicStates, Truths, label
from infoset.analysis.situations import merged
from infoset.analysis.strategy_tables import (
    FOLDED,
    believes,
    check_rows,
    frequencies,
    overview_table,
    page,
    terms_of,
)
from infoset.analysis.table import NUMBER, PROBABILITY, PROSE, Column, Sheet, Table
from infoset.errors import ParameterError
from infoset.forms.public.record import NOT_YET, Longs, Meeting, PublicForm, next_meetings
from infoset.linear.numbers import integer_sum
from infoset.solvers.public_solution import Exactly
from infoset.strategy.public import in_floats
from infoset.text import brief
from infoset.tree.views import Views

if TYPE_CHECKING:
    from infoset.solvers.public_solution import PublicSolution

Amounts = npt.NDArray[Any]  # floats, or whole numbers where the plans are exact
Beliefs = dict[str, Any]  # fractions or floats, by what the other player knows in private


class PublicBeliefs:
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
                * sum(integer_sum(block.entries) for block in tables[meeting.table].blocks)
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


Floats = npt.NDArray[np.float64]

SUITS_FOLDED = (
    "a row stands for all sets that differ in suits only, its reach is theirs together; in beliefs"
    " suits that are not on the board are named anew, or left out"
)


def public_sheet(
    solution: PublicSolution,
    player: str,
    *,
    where: str | Sequence[str] = (),
    fold: bool | None = None,
    rows: range | None = None,
) -> Sheet:
    """A player's plan, a table for each public state; arguments as for a strategy on a tree.

    >>> from infoset.forms.public import public_form
    >>> from infoset.games import kuhn
    >>> from infoset.solvers.public import solve_public
    >>> sheet = public_sheet(solve_public(public_form(kuhn()), iterations=2000), "dealer")
    >>> [table.title for table in sheet]
    ['after pass', 'after bet']
    >>> [round(share, 2) for share in sheet[1].column("bet")]
    [0.0, 0.33, 1.0]
    """
    check_rows(rows)
    shown = Shown(solution, player)
    if not shown.states:
        return Sheet(player, (), note="nothing to choose")
    found = shown.matching(where)
    if fold is None:
        fold = not where and rows is None and solution.form.infosets[shown.seat] > FOLDED
    if fold or shown.states.widest == 1:  # in the second case nothing is private anywhere
        one = shown.overview(found) if fold else shown.flat(found)
        kept = one if rows is None else one[rows.start : rows.stop]
        return Sheet(player, [kept] if len(kept) else [])
    note = SUITS_FOLDED if shown.states.suits else ""
    if rows is not None:
        tables = page(found.sizes.tolist(), lambda at: shown.table(found, at), rows)
        return Sheet(player, tables, note=note)
    return Sheet(player, Views(lambda at: shown.table(found, at), len(found)), note=note)


@dataclass(frozen=True, eq=False)
class Found:
    """Public states in which labels fit, and the sets that do."""

    states: Longs  # their numbers
    sizes: Longs  # [state found] how many of its sets fit
    masks: dict[int, Truths] | None = None  # by decision: [set] does it fit? None for all

    def __len__(self) -> int:
        """The number of states."""
        return len(self.states)

    def kept(self, state: PublicState) -> Longs:
        """Which of a state's sets fit: their places in its order."""
        if self.masks is None:
            return np.arange(len(state))
        return np.flatnonzero(self.masks[state.number][state.sets])


def matching(states: PublicStates, where: str | Sequence[str] = ()) -> Found:
    """The states in which labels fit; there may be none."""
    terms = terms_of(where)
    masks = {
        number: states.told(number).fitting(terms, states.suits)
        for number in range(len(states.decisions) if terms else 0)
    }
    sizes = [
        np.bincount(group, masks[number] if terms else None, int(np.ptp(states.first[number:][:2])))
        for number, group in enumerate(states.groups)
    ]
    whole = np.concatenate(sizes).astype(np.int64) if sizes else np.zeros(0, np.int64)
    kept = np.flatnonzero(whole)
    return Found(kept, whole[kept], masks if terms else None)


def no_such_set(form: PublicForm, names: Sequence[str], where: str | Sequence[str]) -> Exception:
    """That no label of these players fits, with one that there is."""
    asked = " and ".join(map(repr, terms_of(where)))
    own = [one for name in names for one in form.decisions[form.player_number(name)]]
    example = f"; one reads {label(own[0].words[0])!r:.80}" if own else ""
    return ParameterError(
        f"{brief(form.name)}: no information set of {' or '.join(names)} has {asked} in its"
        f" label{example}"
    )


@dataclass(frozen=True, eq=False)
class Shown:
    """A player's plan, and what belongs beside it."""

    solution: PublicSolution
    player: str
    _reach: dict[int, Floats] = field(default_factory=dict)

    @cached_property
    def states(self) -> PublicStates:
        """What the player may see."""
        return PublicStates(self.solution.form, self.player)

    @property
    def seat(self) -> int:
        """Which player it is."""
        return self.states.seat

    @cached_property
    def _guesses(self) -> PublicBeliefs:
        form = self.solution.form
        return PublicBeliefs(
            self.solution, self.states, PublicStates(form, form.players[1 - self.seat])
        )

    @cached_property
    def _exactly(self) -> Exactly | None:
        """The same in fractions, if the plans are exact."""
        return Exactly.of(self.solution)

    def matching(self, where: str | Sequence[str]) -> Found:
        """The states in which labels fit; refused if there are none."""
        found = matching(self.states, where)
        if not len(found):
            raise no_such_set(self.solution.form, (self.player,), where)
        return found

    def reach(self, number: int) -> Floats:
        """[set] of a decision, how likely the play comes there."""
        if number not in self._reach:
            self._reach[number] = self.solution.reach(self.seat, number)
        return self._reach[number]

    def likely(self, found: Found) -> Floats:
        """[state found] how likely the play comes to those of its sets that fit."""
        sums = []
        for number, group in enumerate(self.states.groups):
            reach = self.reach(number)
            reach = reach if found.masks is None else reach * found.masks[number]
            sums.append(np.bincount(group, reach))
        return np.asarray(np.concatenate(sums)[found.states])

    def table(self, found: Found, at: int) -> Table:
        """The table of one state."""
        state = self.states[int(found.states[at])]
        kept = found.kept(state).tolist()
        beliefs = self._guesses.at(state)
        guessing = beliefs is not None and any(len(one or ()) > 1 for one in beliefs)
        several = bool((state.decision.stands_for[state.sets] > 1).any())
        columns = [Column("private"), *_options(state.actions), *_BESIDE]
        columns += [Column("stands for", NUMBER)] if several else []
        columns += [Column("believes", PROSE)] if guessing else []
        cells = self._cells(state)

        def row(number: int) -> tuple[Any, ...]:
            one = kept[number]
            stands = int(state.decision.stands_for[state.sets[one]])
            more: list[Any] = [stands if stands > 1 else None] if several else []
            more += [believes(beliefs[one])] if beliefs is not None and guessing else []
            return (state.names[one], *cells(one), *more)

        return Table(state.heading, tuple(columns), Views(row, len(kept)))

    def _cells(self, state: PublicState) -> Any:
        """What gives the probabilities, the reach and the value at a place of the state."""
        sets = state.sets
        known = self.solution if self._exactly is None else self._exactly
        probabilities = known.probabilities(self.seat, state.number)[:, sets].T.tolist()
        reach = known.reach(self.seat, state.number)[sets].tolist()
        values = known.values(self.seat, state.number)[sets].tolist()

        def cells(one: int) -> tuple[Any, ...]:
            value = values[one]
            if isinstance(value, float):  # -1, not what is left of it in floats
                value = None if np.isnan(value) else round(value, 12)
            return (*probabilities[one], reach[one], value)

        return cells

    def flat(self, found: Found) -> Table:
        """One table for all states of a player to whom nothing is private."""
        menus = dict.fromkeys(state.actions for state in map(self.states.__getitem__, found.states))
        actions = merged(list(menus))

        def row(at: int) -> tuple[Any, ...]:
            state = self.states[int(found.states[at])]
            cells = self._cells(state)(0)
            probabilities = dict(zip(state.actions, cells, strict=False))
            return (state.title, *(probabilities.get(action) for action in actions), *cells[-2:])

        columns = (Column("public"), *_options(actions), *_BESIDE)
        return Table("", columns, Views(row, len(found)))

    def overview(self, found: Found) -> Table:
        """A row for each state, the likeliest first, with the frequencies of the actions."""

        def told(at: int) -> tuple[str, str]:
            state = self.states[int(found.states[at])]
            sets = state.sets[found.kept(state)]
            weights = self.reach(state.number)[sets]
            if not weights.sum():
                return state.title, "never here"
            total = self.solution.probabilities(self.seat, state.number)[:, sets] @ weights
            return state.title, frequencies(state.actions, total / weights.sum())

        return overview_table(self.likely(found), found.sizes.tolist(), told)


def _options(actions: Sequence[str]) -> list[Column]:
    return [Column(action or "''", PROBABILITY) for action in actions]


_BESIDE = (Column("reach", NUMBER), Column("value", NUMBER))
