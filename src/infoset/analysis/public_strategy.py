"""A player's strategy on a public form, as tables, plots and files show it.

Public state by public state: see :mod:`infoset.analysis.strategy_tables`. Probabilities, reach,
values and beliefs are those of the profile (:mod:`infoset.strategy.public`), exact if it is. States
and rows are made when they are looked at, and labels are looked for in arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from infoset.analysis.public_states import PublicState, PublicStates, Truths, fitting, label
from infoset.analysis.situations import merged
from infoset.analysis.strategy_tables import (
    REACH_AND_VALUE,
    Floats,
    Matches,
    Panel,
    Row,
    SituationRows,
    StrategySource,
    belief_words,
    no_such_label,
)
from infoset.analysis.table import NUMBER, PROSE, Column
from infoset.analysis.where import terms_of
from infoset.forms.public.plans import Amounts
from infoset.forms.public.record import Longs, PublicForm
from infoset.strategy.files import Line, public_lines
from infoset.strategy.public import PublicProfile

SUITS_FOLDED = (
    "a row stands for all sets that differ in suits only, its reach is theirs together; in beliefs"
    " suits that are not on the board are renamed, or left out"
)

Beliefs = dict[str, Any]  # probabilities, by what the other player knows in private


class PublicStrategySource(StrategySource):
    """A player's strategy in a profile of a public form.

    Where suits are folded, a row stands for all information sets that differ in suits only.
    """

    folds = True
    beside = REACH_AND_VALUE

    def __init__(self, profile: PublicProfile, player: str) -> None:
        """Of a profile, and one of its players."""
        form = profile.form
        self.profile, self.player, self.game = profile, player, form.name
        self.states = PublicStates(form, player)
        self.seat, self.widest = self.states.seat, self.states.widest
        self.infosets = form.infosets[self.seat]
        self.note = SUITS_FOLDED if self.states.suits else ""
        self._reach: dict[int, Floats] = {}
        self._numbers: dict[int, tuple[Amounts, Amounts, Amounts]] = {}
        self._names: dict[int, list[str]] = {}  # of the other player, by state
        self._places: dict[int, Longs] = {}  # by the other's decision: [set] its place in its state
        self._guesses: dict[tuple[int, int], bool] = {}  # by decision and the first set of a state

    @cached_property
    def floats(self) -> PublicProfile:
        """The same profile in floats, for what is only summed up or plotted."""
        return self.profile.inexact() if self.profile.exact else self.profile

    def reach(self, decision: int) -> Floats:
        """[set] of a decision, how likely a play comes there, in floats."""
        if decision not in self._reach:
            self._reach[decision] = self.floats.reach(self.seat, decision)
        return self._reach[decision]

    def numbers(self, decision: int, at: int) -> tuple[list[Any], Any, Any]:
        """At a set of a decision: the probabilities, the reach and the value."""
        if decision not in self._numbers:
            known = self.profile
            self._numbers[decision] = (
                known.probabilities(self.seat, decision).T,
                known.reach(self.seat, decision),
                known.values(self.seat, decision),
            )
        probabilities, reach, values = self._numbers[decision]
        return probabilities[at].tolist(), reach.item(at), values.item(at)

    def guesses(self, state: PublicState) -> bool:
        """Is there a set in a state at which the other player may know different things?

        Or is no play there, so that nothing is implied?
        """
        key = (state.number, int(state.sets[0]))
        if key not in self._guesses:
            self._guesses[key] = self._guessed(state)
        return self._guesses[key]

    def _guessed(self, state: PublicState) -> bool:
        if not self.profile.has_beliefs(self.seat, state.number):
            return False
        let = self.floats.counterfactual_reach(self.seat, state.number)[state.sets]
        reached = state.sets[let > 0].tolist()
        return not reached or any(self._wonders(state.number, at) for at in reached)

    def _wonders(self, decision: int, at: int) -> bool:
        """May the other player know different things, at a set of a decision?"""
        for other, sets, _ in self.profile.belief_arrays(self.seat, decision, at) or ():
            if len(set(self._others.groups[other][sets].tolist())) < len(sets):
                return True  # of two sets of one state no two read alike
        return len(self.beliefs(decision, at) or ()) > 1

    def beliefs(self, decision: int, at: int) -> Beliefs | None:
        """What the other player may know, at a set of a decision; None if no play comes there."""
        found: Beliefs = {}
        parts = self.profile.belief_arrays(self.seat, decision, at)
        for other, sets, probabilities in parts or ():
            groups = self._others.groups[other][sets]
            for group in np.unique(groups).tolist():
                own = groups == group
                names, places = self._named(other, group, sets[own])
                sorting = np.argsort(places)  # as what is private is sorted
                known = [names[place] for place in places[sorting].tolist()]
                likely = probabilities[own][sorting].tolist()
                for name, one in zip(known, likely, strict=True):
                    found[name] = found.get(name, 0) + one
        return found if parts is not None else None

    @cached_property
    def _others(self) -> PublicStates:
        form = self.profile.form
        return PublicStates(form, form.players[1 - self.seat])

    def _named(self, decision: int, group: int, sets: Longs) -> tuple[list[str], Longs]:
        """What the other player knows in private in a state; and the places of some sets there."""
        number = int(self._others.first[decision]) + group
        places = self._places.get(decision)
        if places is None:
            size = len(self._others.decisions[decision])
            places = self._places[decision] = np.zeros(size, np.int64)
        if number not in self._names:
            state = self._others[number]
            places[state.sets] = np.arange(len(state))
            self._names[number] = state.short_names
        return self._names[number], places[sets]

    def find(self, terms: Sequence[str] = ()) -> PublicMatches:
        """The states that have labels with all of these texts; there may be none."""
        return PublicMatches(self, matching(self.states, terms))

    def example(self) -> str | None:
        """The label of the player's first set."""
        return example_label(self.profile.form, self.seat)

    def lines(self) -> Iterator[Line]:
        """All sets, by their labels; of those that are folded into one, the first is named."""
        form, seat = self.profile.form, self.seat
        return public_lines(form, seat, lambda number: self.profile.probabilities(seat, number))


def example_label(form: PublicForm, seat: int) -> str | None:
    """The label of a player's first set."""
    own = form.decisions[seat]
    return label(own[0].words[0]) if own else None


@dataclass(frozen=True, eq=False)
class MatchingStates:
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


def matching(states: PublicStates, where: str | Sequence[str] = ()) -> MatchingStates:
    """The states in which labels fit; there may be none."""
    terms = terms_of(where)
    masks = {
        number: fitting(states.words(number), terms, states.suits)
        for number in range(len(states.decisions) if terms else 0)
    }
    sizes = [
        np.bincount(group, masks[number] if terms else None, int(np.ptp(states.first[number:][:2])))
        for number, group in enumerate(states.groups)
    ]
    whole = np.concatenate(sizes).astype(np.int64) if sizes else np.zeros(0, np.int64)
    kept = np.flatnonzero(whole)
    return MatchingStates(kept, whole[kept], masks if terms else None)


class PublicMatches(Matches):
    """Public states, each with the sets that are shown."""

    def __init__(self, source: PublicStrategySource, found: MatchingStates) -> None:
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

    def __init__(self, source: PublicStrategySource, state: PublicState, kept: Longs) -> None:
        """Those of its sets that are shown, by their places in its order."""
        self._source, self._state, self._kept = source, state, kept
        self.heading, self.title, self.actions = state.heading, state.title, state.actions

    def __len__(self) -> int:
        return len(self._kept)

    @cached_property
    def _guesses(self) -> bool:
        return self._source.guesses(self._state)

    @cached_property
    def _stands_for(self) -> list[int] | None:
        """[place] how many information sets it stands for; None if each is one."""
        counts = self._state.decision.stands_for[self._state.sets]
        return counts.tolist() if (counts > 1).any() else None

    def columns(self) -> tuple[Column, ...]:
        """Reach and value, and what else there is to say."""
        more = [] if self._stands_for is None else [Column("stands for", NUMBER)]
        more += [Column("believes", PROSE)] if self._guesses else []
        return (*REACH_AND_VALUE, *more)

    def row(self, at: int) -> Row:
        """The row of one set."""
        place = int(self._kept[at])
        own = int(self._state.sets[place])
        probabilities, reach, value = self._source.numbers(self._state.number, own)
        if isinstance(value, float):  # -1, not what is left of it in floats
            value = None if np.isnan(value) else round(value, 12)
        beside = [reach, value]
        if self._stands_for is not None:
            beside.append(self._stands_for[place] if self._stands_for[place] > 1 else None)
        if self._guesses:
            beside.append(belief_words(self._source.beliefs(self._state.number, own)))
        return Row(self._state.names[place], probabilities, tuple(beside))

    def frequencies(self) -> Floats | None:
        """[action] how often it is taken, whatever the player holds."""
        sets = self._state.sets[self._kept]
        weights = self._source.reach(self._state.number)[sets]
        if not weights.sum():
            return None
        own = self._source.floats.probabilities(self._source.seat, self._state.number)
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
        own = self._source.floats.probabilities(self._source.seat, state.number)
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
