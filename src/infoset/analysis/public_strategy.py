"""A player's plan on a public form: what it does, how likely that is, and what it believes.

Everything that tables, plots and files show of a plan is here, public state by public state: see
:mod:`infoset.analysis.strategy_tables`. States and rows are made when they are looked at, and
labels are looked for in arrays.

Beliefs: the other player's last choice is known, and in which of its sets it was made is not. The
chance probabilities of meeting each of them are a row of a table, and how likely the other player
then does what it has done is the weight of that sequence in its plan: Bayes' rule is their product,
divided by its sum. Where the other player has not chosen yet, chance alone counts, and the sets are
those at which it will choose next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.public_states import PublicState, PublicStates, Truths, label
from infoset.analysis.situations import merged
from infoset.analysis.strategy_tables import (
    REACH_AND_VALUE,
    Floats,
    Line,
    Matches,
    Panel,
    Row,
    SituationRows,
    StrategySource,
    belief_words,
    no_such_label,
    terms_of,
)
from infoset.analysis.table import NUMBER, PROSE, Column
from infoset.forms.public.record import NOT_YET, Longs, Meeting, PublicForm, next_meetings
from infoset.linear.numbers import integer_sum
from infoset.solvers.public_solution import Exactly, Labelled
from infoset.strategy.public import in_floats

if TYPE_CHECKING:
    from infoset.solvers.public_solution import PublicSolution

SUITS_FOLDED = (
    "a row stands for all sets that differ in suits only, its reach is theirs together; in beliefs"
    " suits that are not on the board are named anew, or left out"
)

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


class PublicStrategy(StrategySource):
    """A player's plan on a public form, and what is known of it.

    Where suits are folded, a row stands for all information sets that differ in suits only.
    """

    folds = True
    beside = REACH_AND_VALUE

    def __init__(self, solution: PublicSolution, player: str) -> None:
        """Of a solution, and one of its players."""
        form = solution.form
        self.solution, self.player, self.game = solution, player, form.name
        self.states = PublicStates(form, player)
        self.seat, self.widest = self.states.seat, self.states.widest
        self.infosets = form.infosets[self.seat]
        self.note = SUITS_FOLDED if self.states.suits else ""
        self._reach: dict[int, Floats] = {}

    @cached_property
    def beliefs(self) -> PublicBeliefs:
        """What the player believes."""
        form = self.solution.form
        other = PublicStates(form, form.players[1 - self.seat])
        return PublicBeliefs(self.solution, self.states, other)

    @cached_property
    def known(self) -> PublicSolution | Exactly:
        """What has probabilities, reach and values: in fractions, if the plans are exact."""
        return Exactly.of(self.solution) or self.solution

    def reach(self, number: int) -> Floats:
        """[set] of a decision, how likely a play comes there."""
        if number not in self._reach:
            self._reach[number] = self.solution.reach(self.seat, number)
        return self._reach[number]

    def find(self, terms: Sequence[str] = ()) -> PublicMatches:
        """The states that have labels with all of these texts; there may be none."""
        return PublicMatches(self, matching(self.states, terms))

    def example(self) -> str | None:
        """The label of the player's first set."""
        return example_label(self.solution.form, self.seat)

    def lines(self) -> Iterator[Line]:
        """All sets, by their labels; of those that are folded into one, the first is named.

        A set that reads like another has its number, which is not the number that it has in a tree.
        """
        labelled = Labelled(self.solution, self.seat)
        for number, decision in enumerate(self.states.decisions):
            rows = self.known.probabilities(self.seat, number).T.tolist()
            for at, (words, own) in enumerate(zip(labelled.labels(number), rows, strict=True)):
                yield Line(words, labelled.number(number, at), decision.menu, own)


def example_label(form: PublicForm, seat: int) -> str | None:
    """The label of a player's first set."""
    own = form.decisions[seat]
    return label(own[0].words[0]) if own else None


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


class PublicMatches(Matches):
    """Public states, each with the sets that are shown."""

    def __init__(self, source: PublicStrategy, found: Found) -> None:
        """As :func:`matching` found them."""
        self._source, self._found = source, found
        self.sizes = found.sizes.tolist()

    def __getitem__(self, at: int) -> PublicRows:
        state = self._source.states[int(self._found.states[at])]
        return PublicRows(self._source, state, self._found.kept(state))

    @cached_property
    def reach(self) -> Floats:
        """[state found] how likely a play comes to the sets that are shown."""
        if not len(self):
            return np.zeros(0)
        masks, sums = self._found.masks, []
        for number, group in enumerate(self._source.states.groups):
            reach = self._source.reach(number)
            sums.append(np.bincount(group, reach if masks is None else reach * masks[number]))
        return np.asarray(np.concatenate(sums)[self._found.states])

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of all states that were found."""
        states = map(self._source.states.__getitem__, self._found.states.tolist())
        return merged(list(dict.fromkeys(state.actions for state in states)))


class PublicRows(SituationRows):
    """One public state."""

    def __init__(self, source: PublicStrategy, state: PublicState, kept: Longs) -> None:
        """Those of its sets that are shown, by their places in its order."""
        self._source, self._state, self._kept = source, state, kept
        self.heading, self.title, self.actions = state.heading, state.title, state.actions

    def __len__(self) -> int:
        return len(self._kept)

    @cached_property
    def _beliefs(self) -> list[Beliefs | None] | None:
        """[place] what is believed there; None if there is nothing to guess anywhere."""
        found = self._source.beliefs.at(self._state)
        guessing = found is not None and any(len(one or ()) > 1 for one in found)
        return found if guessing else None

    @cached_property
    def _stands_for(self) -> list[int] | None:
        """[place] how many information sets it stands for; None if each is one."""
        counts = self._state.decision.stands_for[self._state.sets]
        return counts.tolist() if (counts > 1).any() else None

    def columns(self) -> tuple[Column, ...]:
        """Reach and value, and what else there is to say."""
        more = [] if self._stands_for is None else [Column("stands for", NUMBER)]
        more += [] if self._beliefs is None else [Column("believes", PROSE)]
        return (*REACH_AND_VALUE, *more)

    @cached_property
    def _numbers(self) -> tuple[list[Any], list[Any], list[Any]]:
        """[place] the probabilities, the reach and the value."""
        known, seat, state = self._source.known, self._source.seat, self._state
        return (
            known.probabilities(seat, state.number)[:, state.sets].T.tolist(),
            known.reach(seat, state.number)[state.sets].tolist(),
            known.values(seat, state.number)[state.sets].tolist(),
        )

    def row(self, at: int) -> Row:
        """The row of one set."""
        place = int(self._kept[at])
        probabilities, reach, values = self._numbers
        value = values[place]
        if isinstance(value, float):  # -1, not what is left of it in floats
            value = None if np.isnan(value) else round(value, 12)
        beside = [reach[place], value]
        if self._stands_for is not None:
            beside.append(self._stands_for[place] if self._stands_for[place] > 1 else None)
        if self._beliefs is not None:
            beside.append(belief_words(self._beliefs[place]))
        return Row(self._state.names[place], probabilities[place], tuple(beside))

    def frequencies(self) -> Floats | None:
        """[action] how often it is taken, whatever the player holds."""
        sets = self._state.sets[self._kept]
        weights = self._source.reach(self._state.number)[sets]
        if not weights.sum():
            return None
        own = self._source.solution.probabilities(self._source.seat, self._state.number)
        return np.asarray(own[:, sets] @ weights / weights.sum())

    def panel(self) -> Panel:
        """All rows as arrays; cards of one suit together, where suits are folded."""
        state, places = self._state, self._kept
        breaks: tuple[int, ...] = ()
        if state.suits is not None:
            suits = np.array(state.suits)[places]
            order = np.argsort(suits, kind="stable")
            places = places[order]
            breaks = tuple((1 + np.flatnonzero(np.diff(suits[order]))).tolist())
        sets = state.sets[places]
        own = self._source.solution.probabilities(self._source.seat, state.number)
        return Panel(
            player=self._source.player,
            title=self.heading,
            names=tuple(state.short_names[at] for at in places.tolist()),
            actions=self.actions,
            probabilities=own[:, sets].T,
            reach=self._source.reach(state.number)[sets],
            ordered=state.ordered,
            private=len(state) > 1,
            breaks=breaks,
        )


def no_such_set(form: PublicForm, names: Sequence[str], where: str | Sequence[str]) -> Exception:
    """That no label of these players fits, with one that there is."""
    seats = map(form.player_number, names)
    example = next(filter(None, (example_label(form, seat) for seat in seats)), None)
    return no_such_label(form.name, names, terms_of(where), example)
