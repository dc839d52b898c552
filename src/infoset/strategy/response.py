"""Best responses: the most that one player can get when the others' strategies are fixed.

With perfect recall this is one pass over the player's own choices, last ones first: what a choice
is worth is the sum over the leaves at which it is the last one (nature's and the others'
probability times the payoff), plus the best of every information set that comes next after it.
Exact if the weights are.

Without perfect recall choices depend on each other in ways that no such pass can follow (finding
the best is NP-hard, Koller & Megiddo 1992); :mod:`infoset.strategy.response` branches and bounds.

Best responses of a player who forgets: exact branch and bound, and integer programs behind it.

The player's own choices towards a node are its path there. With perfect recall an information set
is come to by one path, and what is best after a path is found last choices first. A player who
forgets may come to one set by several paths, and must then do the same on all of them; finding its
best is NP-hard (Koller & Megiddo 1992). But

1. *a bound:* a player who did remember could choose at every path by itself. What that gets, in one
   pass over the paths, is at least the best, and is it if no set is chosen at in two ways;
2. *branching:* if some set is, fix its action in all ways, and ask again for each;
3. *a candidate:* fix each such set to what the path that matters most wants there; then the pass
   gives the best of all the rest.

The question with the largest bound is taken up first, and it is over when no bound exceeds the best
candidate. Everything is in whole numbers over a common denominator, so payoffs may be as large or
as small as they like. If too many questions are asked, HiGHS gets them all as one integer program
with a variable z for each path and a whole x for each action at a set of several paths:

    maximize worth·z,   z(path) = Σ z(path, action),   z(path, action) <= x(set, action),   Σ x = 1

Its x are taken as actions, and what they are worth is again computed exactly.

Responses are pure. For a player who forgets that it was at a set before (absent-mindedness), some
behaviour strategy may do better than all of them, and so than all mixed ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from math import floor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.forms.normal import Routes, find_routes
from infoset.linear.highs import IntegerProgram, maximize_integer
from infoset.linear.numbers import ROOM, Array, Numbers, bound, fitted
from infoset.text import brief
from infoset.tree import Tree
from infoset.tree.choices import Choices

if TYPE_CHECKING:
    from infoset.strategy.mixed import Pure

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Response:
    """A best response: what it is worth, and a pure strategy that gets that."""

    tree: Tree
    player: str
    value: Any  # Fraction or float
    actions: Longs  # [own information set] the action to take
    how: str = "exact"  # or "by integer programming": then floats say that there is no better one
    most: Any = None  # no strategy is worth more; None where the value itself is that

    @cached_property
    def strategy(self) -> Pure:
        """The pure strategy."""
        from infoset.strategy.mixed import Pure

        choices = self.tree.choices[self.tree.player_number(self.player)]
        taken = zip(choices.infosets.tolist(), self.actions.tolist(), strict=True)
        return Pure(self.tree, self.player, tuple(taken))

    def __repr__(self) -> str:
        return f"<Best response of {brief(self.player)}: value {self.value}>"

    def _repr_html_(self) -> str:
        from infoset.display.show import response_html

        return response_html(self)


def tree_best_response(tree: Tree, number: int, others: Numbers) -> Response:
    """The best response of a player.

    ``others`` is, for each of the tree's ``leaf_indices``, the probability that nature and
    everyone else do their part in reaching it.
    """
    player = tree.names[number]
    if not tree.recall(player):
        return imperfect_recall_response(tree, number, others)
    choices = tree.choices[number]
    worth = others.times(tree.leaf_payoffs[number]).group_sums(
        choices.last[tree.leaf_indices], len(choices)
    )
    total, actions = climb(choices, worth.numerators)
    return Response(tree, player, Numbers(total, worth.denominator)[0], actions)


def climb(choices: Choices, worth: Array) -> tuple[Array, Longs]:
    """[choice] what it is worth, all that follows included; and the best action of every set.

    ``worth`` is what each choice pays by itself, where the play ends with no further one.
    """
    if worth.dtype == np.int64 and bound(worth) * len(worth) >= ROOM:  # the sums may not fit
        worth = worth.astype(object)
    total = worth.copy()
    actions = np.zeros(len(choices.infosets), np.int64)
    for stage in reversed(choices.stages):
        sizes = choices.sizes[stage]
        begin = np.cumsum(sizes) - sizes
        places = np.repeat(choices.first[stage] - begin, sizes) + np.arange(int(sizes.sum()))
        values = total[places]
        best = np.maximum.reduceat(values, begin)
        hit = np.flatnonzero(values == np.repeat(best, sizes))
        # The first action that is best: of several hits in a set, the first one is written last.
        owner = np.repeat(np.arange(len(stage)), sizes)
        actions[stage[owner[hit[::-1]]]] = (places - np.repeat(choices.first[stage], sizes))[
            hit[::-1]
        ]
        np.add.at(total, choices.before[stage], best)
    return total, actions


SECONDS = 60.0  # for the integer program; its bound counts where that is not enough
MOST_WORK = 2_000_000  # paths looked at before the integer program is asked
BLIND = 1e-6  # what the integer program may miss, as part of the largest worth of a path

Fixed = dict[int, int]  # by own set: the action


def imperfect_recall_response(tree: Tree, number: int, others: Numbers) -> Response:
    """The best pure strategy of a player, whatever it recalls.

    ``others`` is, for each of the tree's ``leaf_indices``, the probability that nature and
    everyone else do
    their part in reaching it. The value is exact if they are. ``how`` tells whether it was proved
    to be the best, or an integer program said so in floats.

    >>> from infoset.games import absent_minded
    >>> tree = absent_minded().tree()
    >>> always = Numbers.of([1] * len(tree.leaf_indices))
    >>> imperfect_recall_response(tree, 0, always).strategy
    Pure(one: a or b → R)
    """
    routes = find_routes(tree, number)
    path = np.array(routes.path)[tree.leaf_indices]
    worth = others.times(tree.leaf_payoffs[number]).group_sums(path, len(routes.origin))
    question = _Question(routes, worth.numerators.tolist())
    best, bound, done = question.settle(MOST_WORK)
    how = "exact" if done else "by integer programming"
    if not done:
        best, bound = _by_whole_program(question, best, bound)
    value, actions = question.filled(best)
    leaf_indices = [value, max(bound, value)]
    values = Numbers(
        fitted(leaf_indices) if worth.exact else np.array(leaf_indices), worth.denominator
    )
    return Response(
        tree, tree.names[number], values[0], np.array(actions, np.int64), how, values[1]
    )


class _Question:
    """What to do at sets that are come to by several paths, given what each path is worth."""

    def __init__(self, routes: Routes, worth: list[Any]) -> None:
        self.worth = worth  # [path]
        self.sets = len(routes.infosets)
        self.partings = [parting for parting in routes.partings if parting.size > 1]
        comes = np.bincount([parting.own for parting in self.partings], minlength=self.sets)
        self.binding: list[int] = np.flatnonzero(comes > 1).tolist()

    def relaxed(self, fixed: Fixed) -> tuple[Any, list[int], list[Any]]:
        """The most for one who remembers: its worth, the action at each parting, [path] worth."""
        total = list(self.worth)
        taken = [0] * len(self.partings)
        for number in range(len(self.partings) - 1, -1, -1):
            path, own, first, size = self.partings[number]
            action = fixed.get(own, -1)
            if action < 0:
                after = total[first : first + size]
                action = after.index(max(after))
            taken[number] = action
            total[path] += total[first + action]
        return total[0], taken, total

    def wanted(self, taken: list[int], total: list[Any]) -> tuple[Fixed, int | None]:
        """By set that is come to: the action at stake most; and a set where two are wanted.

        Of several such sets the one where most is at stake.
        """
        alive = {0}
        chosen: Fixed = {}
        stake: dict[int, Any] = {}
        torn: dict[int, Any] = {}
        for action, (path, own, first, size) in zip(taken, self.partings, strict=True):
            if path not in alive:
                continue
            alive.add(first + action)
            after = total[first : first + size]
            matters = max(after) - min(after)
            if own in chosen and chosen[own] != action:
                torn[own] = max(torn.get(own, 0), min(matters, stake[own]))
            if own not in chosen or matters > stake[own]:
                chosen[own], stake[own] = action, matters
        return chosen, max(torn, key=torn.__getitem__) if torn else None

    def filled(self, fixed: Fixed) -> tuple[Any, list[int]]:
        """What actions at the binding sets are worth, and with them the best at all others."""
        value, taken, total = self.relaxed(fixed)
        chosen, _ = self.wanted(taken, total)
        return value, [chosen.get(own, fixed.get(own, 0)) for own in range(self.sets)]

    def rounded(self, fixed: Fixed, chosen: Fixed) -> Fixed:
        """All binding sets fixed: as they are, as they are wanted, or anyhow."""
        return {own: fixed.get(own, chosen.get(own, 0)) for own in self.binding}

    def settle(self, work: int) -> tuple[Fixed, Any, bool]:
        """The best actions at the binding sets, a bound on all others, and is it proved?"""
        sizes = {parting.own: parting.size for parting in self.partings}
        best = self.rounded({}, {})
        most = self.relaxed(best)[0]
        bound = self.relaxed({})[0]
        waiting: list[tuple[Any, int, Fixed]] = [(-bound, 0, {})]
        asked = 0
        while waiting:
            upper, _, fixed = heappop(waiting)
            if -upper <= most:
                return best, most, True
            if asked * max(len(self.partings), 1) > work:
                return best, -upper, False
            _, taken, total = self.relaxed(fixed)
            chosen, torn = self.wanted(taken, total)
            candidate = self.rounded(fixed, chosen)
            value = self.relaxed(candidate)[0]
            if value > most:
                best, most = candidate, value
            if torn is None:
                continue  # the bound is reached: the candidate has it
            for action in range(sizes[torn]):
                asked += 1
                further = {**fixed, torn: action}
                upper = -self.relaxed(further)[0]
                if -upper > most:
                    heappush(waiting, (upper, asked, further))
        return best, most, True


def _by_whole_program(question: _Question, best: Fixed, bound: Any) -> tuple[Fixed, Any]:
    """The best actions at the binding sets and a bound, as floats see it."""
    scale = max(map(abs, question.worth))  # not zero: with nothing to gain nothing is asked
    program, place = _whole_program(question, np.array([value / scale for value in question.worth]))
    answer = maximize_integer(program, SECONDS)
    if len(answer.values):
        found = {
            own: int(np.argmax(answer.values[first : first + size]))
            for own, (first, size) in place.items()
        }
        best = max((best, found), key=lambda fixed: question.relaxed(fixed)[0])
    if np.isfinite(answer.bound):
        part = answer.bound + BLIND
        whole = not isinstance(bound, float)  # then so is the best, and the bound rounds down
        bound = min(bound, floor(Fraction(part) * scale) if whole else part * scale)
    return best, bound


def _whole_program(
    question: _Question, worth: Any
) -> tuple[IntegerProgram, dict[int, tuple[int, int]]]:
    """The integer program, and where each binding set has its variables."""
    columns = len(worth)
    place: dict[int, tuple[int, int]] = {}
    entries: list[tuple[int, int, float]] = []
    bounds: list[tuple[float, float]] = []  # of rows
    binding = set(question.binding)
    for path, own, first, size in question.partings:
        entries += [(len(bounds), path, 1.0)]
        entries += [(len(bounds), first + action, -1.0) for action in range(size)]
        bounds.append((0.0, 0.0))
        if own not in binding:
            continue
        if own not in place:
            place[own] = columns, size
            entries += [(len(bounds), columns + action, 1.0) for action in range(size)]
            bounds.append((1.0, 1.0))
            columns += size
        for action in range(size):
            entries += [(len(bounds), first + action, 1.0)]
            entries += [(len(bounds), place[own][0] + action, -1.0)]
            bounds.append((-np.inf, 0.0))
    rows, places, values = zip(*entries, strict=True)
    lower, upper = zip(*bounds, strict=True)
    floor, whole = np.zeros(columns), np.arange(columns) >= len(worth)
    floor[0] = 1.0  # the empty path is always taken
    program = IntegerProgram(
        objective=np.concatenate((worth, np.zeros(columns - len(worth)))),
        rows=np.array(rows, np.int64),
        columns=np.array(places, np.int64),
        entries=np.array(values),
        lower=np.array(lower),
        upper=np.array(upper),
        floor=floor,
        ceiling=np.ones(columns),
        whole=whole,
    )
    return program, place
