"""From what a search found to an answer that says what it is worth."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence

from infoset.errors import ParameterError
from infoset.rules import Position
from infoset.rules.exact import in_words
from infoset.rules.story import brief
from infoset.search.imp.bounds import Bounds
from infoset.search.imp.ground import Ground
from infoset.search.imp.request import Request
from infoset.search.imp.rounds import Round, Rounds, unpruned
from infoset.search.imp.sets import UNDECIDED
from infoset.search.imp.trees import TreeGround
from infoset.search.result import Decision, Number, Searched
from infoset.search.source import Source


class Choices:
    """What to do at a position: a pure choice for each who moves.

    Where pruning left an information set undecided, one search that prunes nothing decides all of
    these when the first is asked for. Sets beyond the horizon, or those that a search which was
    stopped did not come to, take their first option.
    """

    def __init__(self, ground: Ground, request: Request, found: Rounds) -> None:
        """From what was found; the search goes on here if it must."""
        self._ground = ground
        self._request = request
        self._chosen = {} if found.last is None else dict(found.last.chosen)
        self._depth = -1 if found.last is None else found.last.depth
        prunes = request.information_set_pruning or request.immediate_pruning
        self._open = prunes and found.last is not None and not found.stopped

    def __call__(self, position: Position) -> Decision:
        """By mover: 1 for the option taken, 0 for the others."""
        if not self._ground.has(position):
            name, given = self._request.name, brief(repr(position), 100)
            raise ParameterError(
                f"{name}: {given} is no position of the searched game; go there from its start,"
                " Searched.source.start"
            )
        decided: dict[str, dict[Hashable, Number]] = {}
        for mover in position.movers:
            taken = self._taken(position, mover)
            options = position.options(mover)
            decided[mover] = {option: int(at == taken) for at, option in enumerate(options)}
        return decided

    def by_infoset(self) -> list[Sequence[Number]]:
        """[infoset] of a tree: 1 for the option taken, 0 for the others."""
        width = self._ground.width
        if any(map(self._undecided, range(len(width)))):
            self._decide_rest()
        rows: dict[tuple[int, int], Sequence[Number]] = {}
        chosen = [max(self._chosen.get(number, 0), 0) for number in range(len(width))]
        for pair in {*zip(width, chosen, strict=True)}:
            rows[pair] = tuple(int(at == pair[1]) for at in range(pair[0]))
        return [rows[pair] for pair in zip(width, chosen, strict=True)]

    def _taken(self, position: Position, mover: str) -> int:
        number = self._ground.place(position, mover)
        if number is None or self._undecided(number):
            self._decide_rest()
            number = self._ground.place(position, mover)
        return 0 if number is None else max(self._chosen.get(number, 0), 0)

    def _undecided(self, number: int) -> bool:
        return self._chosen.get(number, UNDECIDED) == UNDECIDED

    def _decide_rest(self) -> None:
        """Decide what pruning left open, once."""
        if self._open:
            self._open = False
            for number, taken in unpruned(self._ground, self._request, self._depth).items():
                if self._undecided(number):
                    self._chosen[number] = taken


def answer(
    source: Source, request: Request, ground: Ground, bounds: Bounds, found: Rounds
) -> Searched:
    """The answer of a search."""
    last = found.last
    choices = Choices(ground, request, found)
    return Searched(
        source=source,
        method=request.method,
        value=last.low if last is not None and last.low == last.high else None,
        bounds=_certain(source, bounds, last),
        optimal=last is not None and last.settled and last.twice is None,
        because=_because(source, request, ground, last),
        counts=dict(found.counts),
        decision=choices,
        seconds=time.perf_counter() - request.began,
        depth=_deep(last),
        note="" if not found.stopped else _stopped(last),
        by_infoset=choices.by_infoset if isinstance(ground, TreeGround) else None,
    )


def _certain(source: Source, bounds: Bounds, last: Round | None) -> Bounds:
    """Between which the value of the game lies for certain; ``bounds`` are those of payoffs.

    Where no set was met twice, the choices keep what the search found. What one player computes who
    forgets, no strategy beats, but it may be that none gets it either. With two, what is computed
    says nothing about the value.
    """
    if last is None or last.guessed:
        return bounds
    if last.twice is None:
        return last.low, last.high
    return (bounds[0], last.high) if len(source.seats.players) == 1 else bounds


def _deep(last: Round | None) -> int | None:
    """How far it looked; None: nothing depends on what lies deeper."""
    if last is None:
        return 0
    return None if last.settled else last.depth


def _stopped(last: Round | None) -> str:
    if last is None:
        return "stopped before an answer was found"
    return f"stopped; the deepest look that was finished went {_ahead(last)}"


def _ahead(last: Round) -> str:
    return f"{last.depth} choices ahead" if last.depth != 1 else "1 choice ahead"


def _because(source: Source, request: Request, ground: Ground, last: Round | None) -> str:
    """Why the value is right, or what it is worth if not."""
    if last is None:
        return "the search was stopped before it came to an answer"
    if last.guessed:
        return f"it looked {_ahead(last)}, and went by the evaluator beyond"
    if not last.settled:
        cut = f"it looked {_ahead(last)}, and beyond anything between the bounds may be paid"
        if last.twice is None:
            return cut
        between = f"{in_words(last.low)} to {in_words(last.high)}"
        return f"{cut}: {between} by {_heuristic(source, ground, last)}"
    same = "" if last.complete else f"{_ahead(last)} it is the same whatever lies deeper, and "
    if last.twice is None:
        if request.method == "chance-minimax":
            return f"{same}everyone always knows where the play stands"
        strategies = "one strategy" if len(source.seats.players) == 1 else "a strategy for each"
        return f"{same}no information set was met twice, so that the choices are {strategies}"
    return _heuristic(source, ground, last)


def _heuristic(source: Source, ground: Ground, last: Round) -> str:
    """What was not right about the search."""
    mover, known = ground.told(last.twice or 0)
    if len(source.seats.players) == 1:
        forgets = _forgets(source, ground, mover, known)
        return f"a heuristic: {forgets}; no strategy gets more than {in_words(last.high)}"
    return f"a heuristic: {mover}, knowing {known!r}, was asked twice, as if it could tell more"


def _forgets(source: Source, ground: Ground, mover: str, known: str) -> str:
    """What the one player forgets: in a tree it is known, in positions it showed."""
    if isinstance(ground, TreeGround):
        return ground.tree.perfect_recall.because
    player = source.seats.players[0]
    agent = "" if mover == player else f" as {mover}"
    return f"{player} forgets what it chose or knew before, when it moves{agent}, knowing {known!r}"
