"""Metropolis steps: from one history that agrees with a view to another.

Let p(h) be the product of the probabilities of the n(h) hidden moves of a history h. A step
proposes another history h', in one of three ways:

    redraw      one hidden move is drawn again by its probability, all others are kept
    exchange    two hidden moves change places, all others are kept
    regrow      from one hidden move on, all are drawn again by their probabilities.

If h' agrees with the view, it replaces h with probability

    min(1, p(h') q(h | h') / (p(h) q(h' | h))),

where q is the probability of the proposal; if not, h stays. This leaves the distribution given the
view as it is, and as a history may be regrown from its start, it is the only one. With m and m' as
the move that is redrawn, the ratios of the three are

    p(h') p(m) / (p(h) p(m')),        p(h') / p(h),        n(h) / n(h'),

and the first two keep n. (N. Metropolis et al., Equation of state calculations by fast computing
machines, 1953; W. K. Hastings, Monte Carlo sampling methods using Markov chains and their
applications, 1970.)
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from random import Random
from typing import Any

from infoset.rules.position import Position, ReplayPosition
from infoset.search.consistent.grounds import NotesStart, RulesGround
from infoset.search.consistent.tried import Match, Tried

# The hidden move at a question, by its number among all of them; None: give up.
Follow = Callable[[Tried, int], Any]


def moved(ground: Any, start: Position, match: Match, steps: int, random: Random) -> Match:
    """The history after some Metropolis steps.

    Parameters
    ----------
    ground
        The game, with the view. On an engine of its own, and where a player forgets, no steps are
        made.
    start
        The start of the game.
    match
        A history that agrees with the view.
    steps
        How many are tried.
    random
        The generator of random numbers.
    """
    if not isinstance(ground, RulesGround) or ground.recurs:
        return match
    assert isinstance(match.position, ReplayPosition)
    at = _Trace(ground, start, _along(match.position.moves))
    for _ in range(steps if at.hidden else 0):
        other, ratio = _proposed(ground, start, at, random)
        if other.match is not None and (ratio >= 0 or random.random() < exp(ratio)):
            at, match = other, other.match
    return match


class _Trace:
    """A run of the rules from the start along hidden moves, with their probabilities."""

    def __init__(self, ground: RulesGround, start: Position, follow: Follow) -> None:
        self.questions: list[Tried] = []
        self.hidden: list[Any] = []  # the moves
        self.logs: list[float] = []  # of their probabilities

        def ask(question: Tried) -> int:
            move = follow(question, len(self.hidden))
            if move is None or move not in question.moves:
                return -1
            number = question.moves.index(move)
            probability = question.probability(number)
            if not probability:
                return -1
            self.questions.append(question)
            self.hidden.append(move)
            self.logs.append(log(probability))
            return number

        self.match = ground.go_on(ground.begin(start), (), 0, ask)


def _proposed(
    ground: RulesGround, start: Position, at: _Trace, random: Random
) -> tuple[_Trace, float]:
    """Another history, and the logarithm of the ratio by which it is accepted."""
    hidden, count, kind = list(at.hidden), len(at.hidden), random.random()
    changed = random.randrange(count)
    if kind < 1 / 3:
        other = _Trace(ground, start, _regrown(hidden[:changed], random))
        return other, log(count) - log(len(other.hidden) or 1)
    if kind < 2 / 3:
        question = at.questions[changed]
        hidden[changed] = question.moves[question.draw(random.random)]
    else:
        second = random.randrange(count)
        hidden[changed], hidden[second] = hidden[second], hidden[changed]
    other = _Trace(ground, start, _listed(hidden))
    if len(other.hidden) != count:
        other.match = None
        return other, 0.0
    ratio = sum(other.logs) - sum(at.logs)
    if kind < 2 / 3:
        ratio += at.logs[changed] - other.logs[changed]
    return other, ratio


def _along(moves: tuple[Any, ...]) -> Follow:
    """Follow all moves of a play, of which the hidden ones are asked for."""

    def follow(question: Tried, number: int) -> Any:
        begin: NotesStart = question.start
        made = len(begin.since) + (0 if begin.turn is None else begin.turn.made)
        return moves[made] if made < len(moves) else None

    return follow


def _listed(hidden: list[Any]) -> Follow:
    """Follow hidden moves, one after the other."""
    return lambda question, number: hidden[number] if number < len(hidden) else None


def _regrown(hidden: list[Any], random: Random) -> Follow:
    """Follow hidden moves, and then others that are drawn."""

    def follow(question: Tried, number: int) -> Any:
        if number < len(hidden):
            return hidden[number]
        return question.moves[question.draw(random.random)]

    return follow
