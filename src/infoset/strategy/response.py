"""Best responses: the most that one player can get when the others' strategies are fixed.

*Perfect recall.* One pass over the player's own choices, last ones first: the value of a choice is
the sum over the leaves at which it is the last one (the probability by chance and the others, times
the payoff), plus the best value of every information set that comes next after it. Exact if the
weights are.

*Imperfect recall.* The player's own choices on the way to a node are its path. With perfect recall
one path leads to an information set. With imperfect recall several may, and the player must choose
the same on all of them; finding a best response is NP-hard (Koller & Megiddo 1992). Branch and
bound:

1. *a bound:* a player with perfect recall could choose on every path by itself. Its value, by one
   pass over the paths, is at least that of the best response, and equal if no set has two actions;
2. *branching:* if some set has, fix its action in all ways, and bound each of these subproblems;
3. *a candidate:* fix each such set to the preferred action of the path where most is at stake; the
   pass then gives the best choices at all other sets.

The subproblem with the largest bound comes first, and the search ends when no bound exceeds the
best candidate. All numbers are integers over a common denominator, so that payoffs may be of any
size. If there are too many subproblems, HiGHS solves one integer program with a variable z for each
path and an integer x for each action at a set of several paths:

    maximize value·z,   z(path) = Σ z(path, action),   z(path, action) <= x(set, action),   Σ x = 1

Its x are the actions, and their value is again computed exactly.

Responses are pure. For an absent-minded player some behaviour strategy may do better than all pure
strategies, and so than all mixed ones (:mod:`infoset.strategy.absentminded`).
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

from infoset.clock import look, seconds_left
from infoset.forms.normal import Routes, find_routes
from infoset.linear.highs import IntegerProgram, maximize_integer
from infoset.linear.numbers import ROOM, Array, Number, Numbers, bound, fitted
from infoset.text import brief
from infoset.tree import Tree
from infoset.tree.choices import Choices

if TYPE_CHECKING:
    from infoset.strategy.mixed import Pure

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Response:
    """A best response: its value, and a pure strategy that attains it.

    Attributes
    ----------
    value : Fraction or float
        The player's expected payoff.
    strategy : Pure
        A strategy that attains it.
    how : str
        ``"exact"``, or ``"by integer programming"``: then the optimality is known in floats only.
    most : Fraction, float or None
        A proved upper bound on the value of any strategy; None where the value itself is that.
    """

    tree: Tree
    player: str
    value: Number
    actions: Longs  # [own information set] the action to take
    how: str = "exact"  # or "by integer programming"
    most: Number | None = None  # an upper bound; None where the value itself is one

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

    ``others`` is, for each of the tree's ``leaf_indices``, its counterfactual reach: the
    probability that chance and the others reach it.
    """
    player = tree.names[number]
    if not tree.recall(player):
        return imperfect_recall_response(tree, number, others)
    choices = tree.choices[number]
    payoffs = others.times(tree.leaf_payoffs[number]).group_sums(
        choices.last[tree.leaf_indices], len(choices)
    )
    total, actions = best_choices(choices, payoffs.numerators)
    return Response(tree, player, Numbers(total, payoffs.denominator)[0], actions)


def best_choices(choices: Choices, payoffs: Array) -> tuple[Array, Longs]:
    """[choice] its best-response value, with all that follows; and the best action of every set.

    ``payoffs`` is what each choice earns by itself: at the leaves after which no own choice comes.
    """
    if payoffs.dtype == np.int64 and bound(payoffs) * len(payoffs) >= ROOM:  # sums may overflow
        payoffs = payoffs.astype(object)
    total = payoffs.copy()
    actions = np.zeros(len(choices.infosets), np.int64)
    for stage in reversed(choices.stages):
        look()
        sizes = choices.sizes[stage]
        begin = np.cumsum(sizes) - sizes
        places = np.repeat(choices.first[stage] - begin, sizes) + np.arange(int(sizes.sum()))
        values = total[places]
        best = np.maximum.reduceat(values, begin)
        hit = np.flatnonzero(values == np.repeat(best, sizes))
        # The first action that is best: of several in a set, the first one is written last.
        owner = np.repeat(np.arange(len(stage)), sizes)
        actions[stage[owner[hit[::-1]]]] = (places - np.repeat(choices.first[stage], sizes))[
            hit[::-1]
        ]
        np.add.at(total, choices.before[stage], best)
    return total, actions


SECONDS = 60.0  # for the integer program; when they are over, its bound counts
MOST_WORK = 2_000_000  # paths in all subproblems, before the integer program is used
BLIND = 1e-6  # error of the integer program, relative to the largest value of a path

Fixed = dict[int, int]  # by own set: the action


def imperfect_recall_response(tree: Tree, number: int, others: Numbers) -> Response:
    """The best pure strategy of a player, with perfect recall or without.

    ``others`` is as for :func:`tree_best_response`. The value is exact if these weights are.
    ``how`` says whether it is proved to be the best, or in floats by an integer program.

    >>> from infoset.games import absent_minded
    >>> tree = absent_minded().tree()
    >>> always = Numbers.of([1] * len(tree.leaf_indices))
    >>> imperfect_recall_response(tree, 0, always).strategy
    Pure(one: a or b → R)
    """
    routes = find_routes(tree, number)
    path = np.array(routes.path)[tree.leaf_indices]
    payoffs = others.times(tree.leaf_payoffs[number]).group_sums(path, len(routes.origin))
    question = _BranchAndBound(routes, payoffs.numerators.tolist())
    best, bound, done = question.search(MOST_WORK)
    how = "exact" if done else "by integer programming"
    if not done:
        best, bound = _by_integer_program(question, best, bound)
    value, actions = question.filled(best)
    limits = [value, max(bound, value)]
    values = Numbers(fitted(limits) if payoffs.exact else np.array(limits), payoffs.denominator)
    return Response(
        tree, tree.names[number], values[0], np.array(actions, np.int64), how, values[1]
    )


class _BranchAndBound:
    """The search over actions at sets that several paths lead to, given the value of each path."""

    def __init__(self, routes: Routes, payoffs: list[Any]) -> None:
        self.payoffs = payoffs  # [path]
        self.sets = len(routes.infosets)
        self.branch_points = [one for one in routes.branch_points if one.size > 1]
        comes = np.bincount([one.own for one in self.branch_points], minlength=self.sets)
        self.binding: list[int] = np.flatnonzero(comes > 1).tolist()

    def relaxed(self, fixed: Fixed) -> tuple[Any, list[int], list[Any]]:
        """With perfect recall: the value, the action at each branch point, [path] its value."""
        total = list(self.payoffs)
        taken = [0] * len(self.branch_points)
        for number in range(len(self.branch_points) - 1, -1, -1):
            path, own, first, size = self.branch_points[number]
            action = fixed.get(own, -1)
            if action < 0:
                after = total[first : first + size]
                action = after.index(max(after))
            taken[number] = action
            total[path] += total[first + action]
        return total[0], taken, total

    def preferred(self, taken: list[int], total: list[Any]) -> tuple[Fixed, int | None]:
        """By set that is reached: the action where most is at stake; and a set with two actions.

        Of several such sets, that where most is at stake.
        """
        alive = {0}
        chosen: Fixed = {}
        stake: dict[int, Any] = {}
        conflict: dict[int, Any] = {}
        for action, (path, own, first, size) in zip(taken, self.branch_points, strict=True):
            if path not in alive:
                continue
            alive.add(first + action)
            after = total[first : first + size]
            matters = max(after) - min(after)
            if own in chosen and chosen[own] != action:
                conflict[own] = max(conflict.get(own, 0), min(matters, stake[own]))
            if own not in chosen or matters > stake[own]:
                chosen[own], stake[own] = action, matters
        return chosen, max(conflict, key=conflict.__getitem__) if conflict else None

    def filled(self, fixed: Fixed) -> tuple[Any, list[int]]:
        """The value of actions at the binding sets, with the best actions at all others."""
        value, taken, total = self.relaxed(fixed)
        chosen, _ = self.preferred(taken, total)
        return value, [chosen.get(own, fixed.get(own, 0)) for own in range(self.sets)]

    def rounded(self, fixed: Fixed, chosen: Fixed) -> Fixed:
        """Actions at all binding sets: as fixed, as preferred, or the first."""
        return {own: fixed.get(own, chosen.get(own, 0)) for own in self.binding}

    def search(self, work: int) -> tuple[Fixed, Any, bool]:
        """The best actions at the binding sets, an upper bound, and is it proved to be reached?"""
        sizes = {branch_point.own: branch_point.size for branch_point in self.branch_points}
        best = self.rounded({}, {})
        most = self.relaxed(best)[0]
        bound = self.relaxed({})[0]
        waiting: list[tuple[Any, int, Fixed]] = [(-bound, 0, {})]
        asked = 0
        while waiting:
            upper, _, fixed = heappop(waiting)
            if -upper <= most:
                return best, most, True
            if asked * max(len(self.branch_points), 1) > work or seconds_left() <= 0:
                return best, -upper, False
            _, taken, total = self.relaxed(fixed)
            chosen, conflict = self.preferred(taken, total)
            candidate = self.rounded(fixed, chosen)
            value = self.relaxed(candidate)[0]
            if value > most:
                best, most = candidate, value
            if conflict is None:
                continue  # the candidate attains the bound
            for action in range(sizes[conflict]):
                asked += 1
                further = {**fixed, conflict: action}
                upper = -self.relaxed(further)[0]
                if -upper > most:
                    heappush(waiting, (upper, asked, further))
        return best, most, True


def _by_integer_program(question: _BranchAndBound, best: Fixed, bound: Any) -> tuple[Fixed, Any]:
    """The best actions at the binding sets and a bound, in floats."""
    if seconds_left() <= 0:
        return best, bound
    scale = max(map(abs, question.payoffs))  # not zero: else there is no subproblem
    scaled = np.array([value / scale for value in question.payoffs])
    program, place = _integer_program(question, scaled)
    answer = maximize_integer(program, min(SECONDS, seconds_left()))
    if len(answer.values):
        found = {
            own: int(np.argmax(answer.values[first : first + size]))
            for own, (first, size) in place.items()
        }
        best = max((best, found), key=lambda fixed: question.relaxed(fixed)[0])
    if np.isfinite(answer.bound):
        part = answer.bound + BLIND
        whole = not isinstance(bound, float)  # then the optimum is an integer: rounded down
        bound = min(bound, floor(Fraction(part) * scale) if whole else part * scale)
    return best, bound


def _integer_program(
    question: _BranchAndBound, payoffs: Any
) -> tuple[IntegerProgram, dict[int, tuple[int, int]]]:
    """The integer program, and the columns of each binding set's variables."""
    columns = len(payoffs)
    place: dict[int, tuple[int, int]] = {}
    entries: list[tuple[int, int, float]] = []
    bounds: list[tuple[float, float]] = []  # of rows
    binding = set(question.binding)
    for path, own, first, size in question.branch_points:
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
    floor, whole = np.zeros(columns), np.arange(columns) >= len(payoffs)
    floor[0] = 1.0  # the empty path has weight 1
    program = IntegerProgram(
        objective=np.concatenate((payoffs, np.zeros(columns - len(payoffs)))),
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
