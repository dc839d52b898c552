"""A player's pure strategies, made from the tree as they are asked for.

A plan is given as 0 or 1 for each of its player's sequences: does it play along it? What it is paid
against a plan of the other's is linear in both. So what a sequence pays against a plan is computed
once, when that plan becomes known, and what all plans pay against a mixture of such ones is a sum
of few vectors, over which the best plan is found by backward induction.

Payoffs are whole numbers here: they are freed of what their entries share, and lifted until even
the least is positive, which changes nothing about who is better.

A tableau of complementary pivoting that grows with the strategies that are known.

The Lemke–Howson method has two tableaus that share no variable, one for each player: the losses of
its plans, w = 1 - A y >= 0, as they depend on the other's weights y >= 0. Of each only a core need
be kept, a row for each weight that is basic (is played) and a column for each loss that is not (is
of a best response): there are as many of the one as of the other. The row of any other loss follows
from the core and from what its plan is paid.

How ties are broken and where new plans come from is told in :mod:`infoset.solvers.wilson`.

Games of two players by Wilson's method: pure strategies enter as they are needed.

The Lemke–Howson method (:mod:`infoset.solvers.lemke_howson`) walks along the edges of

    w = 1 - A y >= 0,  y >= 0,        v = 1 - B'x >= 0,  x >= 0

with a row or a column for every pure strategy, and there are exponentially many. But nearly all are
not played, and that w_i is positive for them is all that need be known. So they are left out. They
matter in one place only, the ratio test: along an edge, which strategy is the first that becomes as
good as the best? Guess that it is one of those that are present, go to the end of the edge, and ask
the tree for the best response there, by backward induction. If that is worth more than it may be,
it takes its place in the tableau, and the edge ends earlier, where it crosses. Ask again, until the
best response is not worth too much. So few of the strategies are ever looked at (Wilson 1972; that
few suffice is Koller, Megiddo & von Stengel 1994, theorem 4.1).

*Ties.* In the normal form of a tree they are not an accident: if three of the four combinations of
two actions at each of two sets are best, so is the fourth. The path is well defined, and ends, if
the constants are 1 - ε_i with ε_1 ≫ ε_2 ≫ ... in the order in which strategies enter. What has not
entered has an ε_i smaller than all of these, which is not yet chosen: so present strategies, worth
at most 1 - ε_i, are always worth less than 1, and an absent one that reaches 1 in all powers so far
comes before them all; of several such ones, whichever is taken is then the one of largest ε_i. So
the path is that of the Lemke–Howson method on the whole normal form, with an order of its
strategies that is made up on the way, and the best response to lexicographic weights decides all.
It is found in one pass: the powers are packed into one integer, far enough apart.

*Exact.* All numbers are integers, over the determinant of the basis (Edmonds 1967, Bareiss 1968).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpz, fmpz_mat

from infoset.errors import NotApplicable
from infoset.forms.normal import normal_size
from infoset.forms.sequence import SequenceForm, sequence_form
from infoset.linear.numbers import ROOM, Array, Numbers, bound, fitted
from infoset.linear.sparse import Sparse
from infoset.solvers.options import Found, Options
from infoset.strategy import Mixed, Pure, Strategy, uniform
from infoset.strategy.response import climb
from infoset.tree import Tree

Longs = npt.NDArray[np.int64]


class Known:
    """The plans of a player that have been made so far, and what they are paid.

    >>> from infoset.forms.sequence import sequence_form
    >>> from infoset.games import matching_pennies
    >>> from infoset.strategy import uniform
    >>> form = sequence_form(matching_pennies().tree())
    >>> one, two = Known(form, 0), Known(form, 1)
    >>> first = one.best_against(uniform(form.tree, form.tree.names[1]).plan.weights)
    >>> first.tolist()
    [1, 1, 0]
    >>> two.meet(first)
    >>> excess, answer = two.best({0: [1]}, allowed=1)
    >>> answer.tolist()
    [1, 0, 1]
    """

    def __init__(self, form: SequenceForm, player: int) -> None:
        self.choices = form.choices[player]
        given = form.payoffs[player] if player == 0 else form.payoffs[player].transposed
        amounts = given.entries.numerators
        shared = gcd(*amounts.tolist()) or 1
        whole = Numbers(fitted(amounts // shared))
        self.payoffs = Sparse(given.rows, given.columns, whole, given.shape)
        least = min(form.tree.leaf_payoffs[player].values()) * given.entries.denominator
        self.lift = 1 - int(least // shared)  # added to all payoffs: then they are at least 1
        self.plans: list[Longs] = []  # own ones, in the order in which they entered
        self.replies: list[Array] = []  # [the other's plan][own sequence] what it pays against it
        self.sizes: list[int] = []  # [the other's plan] the sum of the absolute values of that
        self.paid: list[list[int]] = []  # [own plan][the other's plan]

    def worth(self, weights: Numbers) -> Array:
        """[own sequence] what it pays against weights of the other's sequences, lifted."""
        paid = self.payoffs.times(weights).numerators.astype(object)
        paid[0] += self.lift * int(weights.numerators[0])
        return fitted(paid) if bound(paid) * len(paid) < ROOM else paid

    def best_against(self, weights: Numbers) -> Longs:
        """The plan that is best against weights of the other's sequences."""
        return self._along(climb(self.choices, self.worth(weights))[1])

    def _along(self, actions: Longs) -> Longs:
        """[own sequence] 1 if these actions lead along it, else 0."""
        choices = self.choices
        plan = np.zeros(len(choices), np.int64)
        plan[0] = 1
        for stage in choices.stages:
            met = stage[plan[choices.before[stage]] == 1]
            plan[choices.first[met] + actions[met]] = 1
        return plan

    def forget(self) -> None:
        """The last plan is not needed after all."""
        self.plans.pop()
        self.paid.pop()

    def enter(self, plan: Longs) -> None:
        """An own plan enters: it has a loss from now on."""
        self.plans.append(plan)
        self.paid.append([int(plan @ reply) for reply in self.replies])

    def meet(self, other: Longs) -> None:
        """A plan of the other enters: it has a weight from now on, which is zero."""
        reply = self.worth(Numbers(other))
        self.replies.append(reply)
        self.sizes.append(int(np.abs(reply.astype(object)).sum()))
        for plan, paid in zip(self.plans, self.paid, strict=True):
            paid.append(int(plan @ reply))

    def mixed(self, plans: Sequence[Longs], weights: Sequence[int]) -> Mixed:
        """A lottery over own plans, by weights of any sum."""
        choices, total = self.choices, sum(weights)
        tree, player = choices.tree, choices.tree.names[choices.player]
        made = []
        for plan in plans:
            taken = np.flatnonzero(plan)[1:]
            own = choices.owner[taken]
            actions = (taken - choices.first[own]).tolist()
            chosen = sorted(zip(choices.infosets[own].tolist(), actions, strict=True))
            made.append(Pure(tree, player, tuple(chosen)))
        probabilities = Numbers.of(Fraction(weight, total) for weight in weights)
        return Mixed(tree, player, tuple(made), probabilities)

    def best(self, weights: Mapping[int, Sequence[Any]], allowed: Any) -> tuple[int, Longs]:
        """The best plan against weights, each a polynomial in ε; and by how much it is too good.

        Of that only the sign counts. The powers are packed so far apart that no carry reaches the
        next one: a plan is worth at most the sum of all absolute values.
        """
        replies = np.array([self.replies[plan] for plan in weights]).astype(object)
        lines = [[int(number) for number in line] for line in weights.values()]
        largest = max(abs(number) for line in lines for number in line)
        most = largest * sum(self.sizes[plan] for plan in weights) + int(allowed)
        bits = (2 * most + 1).bit_length() + 1
        packed = [_packed(line, bits) for line in lines]
        total, actions = climb(self.choices, np.array(packed, object) @ replies)
        target = int(allowed) << bits * (len(lines[0]) - 1)
        return int(total[0]) - target, self._along(actions)


def _packed(numbers: list[int], bits: int) -> int:
    """Coefficients of 1, ε, ε², ... as one integer, times a power of 1 / ε = 2 ^ bits."""
    total = 0
    for number in numbers:
        total = (total << bits) + number
    return total


# A variable is a number: i is the loss w_i of a half's own plan i, ~j the weight of the other's j.
# In the other half ~i is the weight of i and j the loss of j: a partner is the complement.
Variable = int


@dataclass(frozen=True)
class Row:
    """A basic variable as a function of the nonbasic ones, times the determinant of the basis."""

    name: Variable
    entries: Sequence[Any]  # the constant, then an entry for each column


class Half:
    """One player's losses: a constant plus a matrix times the nonbasic variables.

    >>> import numpy as np
    >>> from infoset.forms.sequence import sequence_form
    >>> from infoset.games import matching_pennies
    >>> half = Half(sequence_form(matching_pennies().tree()), 0)
    >>> half.known.meet(np.array([1, 1, 0]))
    >>> half.step(~0, end=0)  # its weight grows until the loss of the best answer is 0
    0
    >>> half.known.plans[0].tolist(), half.weights()
    ([1, 1, 0], {0: 1})
    """

    def __init__(self, form: SequenceForm, player: int) -> None:
        self.known = Known(form, player)
        self.rows: list[Variable] = []
        self.columns: list[Variable] = []
        self.table = fmpz_mat(0, 1)  # constants first, then the columns
        self.lines: list[Row] = []  # its rows, as a step begins
        self.whole = fmpz(1)  # the determinant of the basis: what all entries are over

    def weights(self) -> dict[int, int]:
        """By plan of the other: its weight times the determinant, where that is positive."""
        column = (int(self.table[row, 0]) for row in range(len(self.rows)))
        return {~name: over for name, over in zip(self.rows, column, strict=True) if over}

    def step(self, entering: Variable, end: Variable) -> Variable:
        """Let a variable enter; returns the one that leaves. A plan may enter for that.

        If several could leave and one of them ends the path, that one does.
        """
        if entering < 0:
            self._add_column(entering)
        self.lines = [Row(*line) for line in zip(self.rows, self.table.table(), strict=True)]
        at = 1 + self.columns.index(entering)
        row = self._leaving(at, end)
        if row.name >= 0:  # a loss: its row was not there
            self.table = _stacked(self.table, [row.entries])
            self.rows.append(row.name)
        self._pivot(self.rows.index(row.name), at)
        self._keep()
        return row.name

    def _add_column(self, weight: Variable) -> None:
        paid = [0] + [self.known.paid[loss][~weight] for loss in self.columns]
        column = self.table * fmpz_mat(len(paid), 1, paid)
        rows = [
            [*own, more] for own, more in zip(self.table.table(), column.entries(), strict=True)
        ]
        self.columns.append(weight)
        self.table = _matrix(rows, 1 + len(self.columns))

    def _pivot(self, row: int, at: int) -> None:
        """Exchange a row's variable for a column's; all divisions come out even."""
        table, old = self.table, self.whole
        element = table[row, at]
        sign = 1 if element > 0 else -1
        down = [table[r, at] for r in range(len(self.rows))]
        across = [-sign * table[row, c] for c in range(table.ncols())]
        down[row] = element + old
        across[at] = sign * old - abs(element)
        update = fmpz_mat(len(down), 1, down) * fmpz_mat(1, len(across), across)
        self.table, self.whole = (abs(element) * table + update) / old, abs(element)
        self.rows[row], self.columns[at - 1] = self.columns[at - 1], self.rows[row]

    def _keep(self) -> None:
        """Of rows the weights, of columns the losses: the others need not be known."""
        columns = [0] + [at for at, name in enumerate(self.columns, 1) if name >= 0]
        rows = [
            [own[at] for at in columns]
            for own, name in zip(self.table.table(), self.rows, strict=True)
            if name < 0
        ]
        self.rows = [name for name in self.rows if name < 0]
        self.columns = [name for name in self.columns if name >= 0]
        self.table = _matrix(rows, len(columns))

    # ------------------------------------------------------------------ the ratio test

    def _leaving(self, at: int, end: Variable) -> Row:
        """The basic variable that falls to zero first, be its plan present or not."""
        present = self._falling(at)
        row = self._first(present, at)
        fresh = False
        while (plan := self._better(row, at)) is not None:
            if fresh:
                self.known.forget()
            self.known.enter(plan)
            (row,), fresh = self._losses([len(self.known.plans) - 1]), True
        assert row is not None  # all payoffs are positive, so that weights are bounded
        for other in present:
            if other.name == end and not _cross(other, row, at):
                if fresh:
                    self.known.forget()
                return other
        return row

    def _losses(self, plans: Sequence[int]) -> list[Row]:
        """Plans' losses, 1 - Σ payoff · weight."""
        if not plans:
            return []
        paid = [self.known.paid[plan] for plan in plans]
        plain = [
            entry
            for own in paid
            for entry in (1, *(-own[~name] if name < 0 else 0 for name in self.columns))
        ]
        entries = fmpz_mat(len(plans), 1 + len(self.columns), plain) * self.whole
        if self.rows:
            against = [-own[~name] for own in paid for name in self.rows]
            entries += fmpz_mat(len(plans), len(self.rows), against) * self.table
        return [Row(*line) for line in zip(plans, entries.table(), strict=True)]

    def _falling(self, at: int) -> list[Row]:
        """The rows that fall to zero first as a column's variable grows, powers of ε aside."""
        found = [line for line in self.lines if line.entries[at] < 0]
        basic = [plan for plan in range(len(self.known.plans)) if plan not in self.columns]
        if not basic:
            return _least(found, at)
        name = self.columns[at - 1]
        direct = [0 if name >= 0 else -self.whole * self.known.paid[plan][~name] for plan in basic]
        pair = fmpz_mat(len(basic), 2)
        if self.rows:
            paid = [-self.known.paid[plan][~row] for plan in basic for row in self.rows]
            two = [entry for own in self.table.table() for entry in (own[0], own[at])]
            pair = fmpz_mat(len(basic), len(self.rows), paid) * fmpz_mat(len(self.rows), 2, two)
        losses = [
            Row(plan, [self.whole + constant] + [0] * (at - 1) + [slope + more])
            for plan, (constant, slope), more in zip(basic, pair.table(), direct, strict=True)
            if slope + more < 0
        ]
        first = _least(found + losses, at)
        losing = self._losses([row.name for row in first if row.name >= 0])
        return [row for row in first if row.name < 0] + losing

    def _first(self, rows: list[Row], at: int) -> Row | None:
        """The one of several rows that falls to zero first, for tiny ε."""
        best: Row | None = None
        for row in rows:
            if best is None or self._earlier(row, best, at):
                best = row
        return best

    def _earlier(self, one: Row, two: Row, at: int) -> bool:
        own, other = self._powers(one), self._powers(two)
        for plan in sorted(own.keys() | other.keys()):
            gap = own.get(plan, 0) * two.entries[at] - other.get(plan, 0) * one.entries[at]
            if gap != 0:
                return bool(gap > 0)  # multiplied by negative numbers
        raise AssertionError(f"{one} and {two} are the same row")

    def _powers(self, row: Row) -> dict[int, Any]:
        """By own plan: the coefficient of its ε in the value of a row's variable."""
        held = enumerate(self.columns, 1)
        found = {name: row.entries[column] for column, name in held if name >= 0}
        return found | {row.name: -self.whole} if row.name >= 0 else found

    def _better(self, row: Row | None, at: int) -> Longs | None:
        """An absent plan that is worth 1 or more where a row's variable has fallen to zero.

        Without a row: one that is best as the column's variable grows for ever.
        """
        if row is None:
            slopes = {~line.name: [line.entries[at]] for line in self.lines}
            return self.known.best(slopes | self._entered(at, [self.whole]), 0)[1]
        for powers in (False, True):  # without ε that is mostly decided
            excess, plan = self.known.best(self._after(row, at, powers), -row.entries[at])
            if excess:
                break
        return plan if excess >= 0 else None

    def _after(self, row: Row, at: int, powers: bool) -> dict[int, list[Any]]:
        """By plan: its weight once a pivot is done, times the new determinant; with powers of ε."""
        place = {name: column for column, name in enumerate(self.columns, 1) if name >= 0}
        order = sorted(self._powers(row)) if powers else []
        shown = [0] + [place[plan] for plan in order if plan in place]
        lines = {line.name: [line.entries[column] for column in shown] for line in self.lines}
        leaving, under = [row.entries[column] for column in shown], -row.entries[at]
        if powers and row.name >= 0:  # a power of its own, which no weight has yet
            own = 1 + order.index(row.name)
            leaving.insert(own, -self.whole)
            for line in lines.values():
                line.insert(own, 0)
        found = {
            ~line.name: [
                (under * before + line.entries[at] * gone) // self.whole  # comes out even
                for before, gone in zip(lines[line.name], leaving, strict=True)
            ]
            for line in self.lines
        }
        return found | self._entered(at, leaving)

    def _entered(self, at: int, value: list[Any]) -> dict[int, list[Any]]:
        """The weight of the column's plan, if it is a weight that enters."""
        entering = self.columns[at - 1]
        return {~entering: value} if entering < 0 else {}


def _least(rows: list[Row], at: int) -> list[Row]:
    """Those of falling rows that are at zero first, powers of ε aside."""
    best = rows[:1]
    for row in rows[1:]:
        gap = _cross(row, best[0], at)
        if gap > 0:
            best = [row]
        elif not gap:
            best.append(row)
    return best


def _cross(one: Row, two: Row, at: int) -> Any:
    """Positive if the first of two falling rows is at zero before the second, 0 if together."""
    return one.entries[0] * two.entries[at] - two.entries[0] * one.entries[at]


def _stacked(above: fmpz_mat, below: Sequence[Sequence[Any]]) -> fmpz_mat:
    return _matrix([*above.table(), *below], above.ncols())


def _matrix(rows: Sequence[Sequence[Any]], width: int) -> fmpz_mat:
    return fmpz_mat(len(rows), width, [entry for row in rows for entry in row])


def find(tree: Tree, options: Options) -> Found:
    """An equilibrium in mixed strategies, of few pure ones.

    >>> from infoset.games import kuhn
    >>> found = find(kuhn(ranks=8).tree(), Options())
    >>> dict(found.work), [len(own) for own in found.strategies]
    ({'pivots': 51, 'entered': 30, 'plans': 72097}, [4, 3])
    """
    if len(tree.players) != 2:
        raise NotApplicable(
            f"{tree.name}: Wilson's method is for two players, and it has {len(tree.players)};"
            " solve() without a method takes one that applies"
        )
    form = sequence_form(tree)
    halves = (Half(form, 0), Half(form, 1))
    priors = [uniform(tree, player).plan.weights for player in tree.names]
    first = halves[0].known.best_against(priors[1])
    halves[0].known.enter(first)
    halves[1].known.meet(first)
    side, entering, pivots = 1, ~0, 0  # the first plan's weight: the label that is given up
    done = False
    while not done and not options.over():
        half, end = halves[side], ~0 if side else 0
        known = len(half.known.plans)
        left = half.step(entering, end)
        pivots += 1
        if len(half.known.plans) > known:
            halves[1 - side].known.meet(half.known.plans[left])
        options.tell(f"{pivots:,} pivots, {_entered(halves):,} strategies")
        done = left == end
        side, entering = 1 - side, ~left
    work = {
        "pivots": pivots,
        "entered": _entered(halves),
        "plans": sum(size or 0 for size in normal_size(tree)),
    }
    note = "" if done else f"stopped after {pivots:,} pivots"
    return Found(_strategies(halves, priors), work, note)


def _entered(halves: tuple[Half, Half]) -> int:
    return sum(len(half.known.plans) for half in halves)


def _strategies(halves: tuple[Half, Half], priors: list[Numbers]) -> tuple[Strategy, ...]:
    """The weights of each player's plans, which the other's half has."""
    made = []
    for own, other, prior in zip(halves, halves[::-1], priors[::-1], strict=True):
        weights = other.weights()
        if weights:
            plans = [own.known.plans[plan] for plan in weights]
            made.append(own.known.mixed(plans, list(weights.values())))
        else:  # stopped before anything was played
            made.append(own.known.mixed([own.known.best_against(prior)], [1]))
    return tuple(made)
