"""Attempts to find histories that a view agrees with, from one or several starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from infoset.errors import TooLarge
from infoset.search.consistent.grounds import Ground
from infoset.search.consistent.tried import DEAD, Match, Tried, Uniform, node, spread

MEMORY = 100_000  # nodes that are kept by sampling

Found = list[tuple[Match, Fraction]]


class Attempts:
    """The tree of all that was tried; its root is the choice of a start.

    If the view may recur in a play, the starts are one for each number of meetings to pass, and one
    more than any play was seen to have, so that a play with more of them would be noticed.
    """

    def __init__(
        self, ground: Ground, starts: Sequence[Any], weights: Sequence[Fraction] | None = None
    ) -> None:
        """From these starts, with their probabilities; None: all alike."""
        self.ground = ground
        self.tried = 0  # runs of the rules
        self.nodes = 0
        self._starts = starts
        self._matches: list[tuple[Tried, int]] = []
        self.meetings = 2 if ground.recurs else 1
        self._found: Found | None = None  # if all were enumerated
        self.root = node(range(len(starts) * self.meetings), weights, None)

    @property
    def hopeless(self) -> bool:
        """Is it proved that no history agrees?"""
        return self.root.bound == DEAD.bound

    # ------------------------------------------------------------------ one attempt

    def attempt(self, uniform: Uniform, start: int | None = None) -> Match | None:
        """One attempt to draw a history, from the start of this number if it is given.

        Where it succeeds, each history is as probable as it should be.
        """
        at = self.root
        move = at.draw(uniform) if start is None else start
        while type(below := at.below.get(move)) is Tried:
            at = below
            move = at.draw(uniform)
        if isinstance(below, Match):
            return below
        return self._try(at, move, uniform)

    def _try(self, at: Tried, move: int, uniform: Uniform | None) -> Match | None:
        """Go on from a move that was not tried, by random moves or else by the first ones."""
        self.tried += 1
        above, keeps = at, True

        def ask(question: Tried) -> int:
            nonlocal above, move, keeps
            keeps = keeps and (uniform is None or self.nodes < MEMORY)
            taken = question.first() if uniform is None else question.draw(uniform)
            if keeps:
                above.attach(move, question)
                self.nodes += 1
                above, move = question, taken
            return taken

        found = self._go_on(at, move, ask)
        if keeps:
            above.attach(move, DEAD if found is None else found)
            if found is not None:
                self._matches.append((above, move))
            if uniform is not None:
                self._conclude(above, move)
        return found

    def _conclude(self, above: Tried, move: int) -> None:
        """Adapt the bounds above the end of a history that was tried."""
        if above.below[move] is DEAD:
            spread(above, move, 0.0)
        elif self.ground.recurs and self._slot(above, move) == self.meetings - 1:
            self._add_meeting()

    def _go_on(self, at: Tried, move: int, ask: Any) -> Match | None:
        ground = self.ground
        if at is self.root:
            start, skip = divmod(move, self.meetings)
            return ground.go_on(self._starts[start], (), skip, ask)
        skip = self._slot(at, move) if ground.recurs else 0
        return ground.go_on(at.start, (at.moves[move],), skip, ask)

    def _slot(self, at: Tried, move: int) -> int:
        """How many meetings are passed on the way."""
        while at.above is not None:
            at, move = at.above, at.taken
        return move % self.meetings

    def _add_meeting(self) -> None:
        """A play meets the view once more than was known."""
        self.meetings += 1
        self.root = node(range(self.meetings), None, None)
        self._matches.clear()
        self.nodes = 0

    # ------------------------------------------------------------------ all of them

    def enumerate(self, limit: int) -> Found:
        """All histories that agree, each with its probability given the view."""
        if self._found is None:
            meetings = 0
            while meetings != self.meetings:
                meetings = self.meetings
                self._explore(limit)
            self._found = self._weighed()
        return self._found

    def _explore(self, limit: int) -> None:
        """Try all that was not tried yet."""
        order, until = [self.root], self.tried + limit
        try:
            for at in order:
                for move in range(len(at.moves)):
                    if move not in at.below:
                        if self.tried >= until:
                            raise TooLarge(
                                f"more than {limit:,} histories have to be tried; raise limit=,"
                                " or sample"
                            )
                        self._try(at, move, None)
                    below = at.below[move]
                    if type(below) is Tried:
                        order.append(below)
        finally:
            for at in reversed(order):
                at.renew()
        last = self.meetings - 1
        if self.ground.recurs and any(self._slot(*match) == last for match in self._matches):
            self._add_meeting()

    def _weighed(self) -> Found:
        found = [(match, weight) for match, weight in self._reached()]
        total = sum((weight for _, weight in found), Fraction(0))
        return [(match, weight / total) for match, weight in found]

    def _reached(self) -> Iterator[tuple[Match, Fraction]]:
        """All that was found, in the order of the moves, with its probability."""
        waiting: list[tuple[Any, Fraction]] = [(self.root, Fraction(1))]
        while waiting:
            at, weight = waiting.pop()
            if isinstance(at, Match):
                yield at, weight
            elif at is not DEAD:
                for move in sorted(at.below, reverse=True):
                    below = at.below[move]
                    if below.bound > DEAD.bound:
                        waiting.append((below, weight * at.probability(move)))

    # ------------------------------------------------------------------ from view to view

    def extend(self) -> None:
        """Go on after the view was continued: all that disagreed still does."""
        for at, move in self._matches:
            del at.below[move]
        self._matches.clear()
        self._found = None
