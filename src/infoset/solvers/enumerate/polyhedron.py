"""The polyhedron of one player's plans and the opponent's best-response values, in integers.

With the matrices of a form (:mod:`infoset.forms.sequence`, or
:func:`infoset.solvers.lemke_howson.matrices` of a normal form), a player's plans x and the values q
of the opponent's information sets against them are the points of

    E x = e,   x >= 0,   s = F'q - B'x >= 0

where B has the opponent's payoffs, and s_j is the opponent's loss with its sequence j. Extreme
equilibria are pairs of vertices of two such polyhedra (:mod:`infoset.solvers.enumerate.solver`).

*The first vertex.* The player takes the first action everywhere, and q are the values of the best
response to that. E and F are triangular with ones, so the tableau of this vertex has integer
entries and determinant 1; the tableaus that pivots make of it have integers over a determinant
(:mod:`infoset.kernels.vertices`), whose length Hadamard's inequality bounds beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd, isqrt

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.kernels.vertices import NUMBERS, Face, as_integer, as_words
from infoset.linear.numbers import Array, Numbers, fitted
from infoset.linear.sparse import Sparse

Longs = npt.NDArray[np.int64]
Line = dict[int, int]  # a linear function: coefficient by variable, the constant at CONSTANT

CONSTANT = -1


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """A player's plans x, with the opponent's values q.

    Variables are numbered like the labels: ``weights`` are the numbers of the weights x, ``slacks``
    those of the slacks s.
    """

    own: Sparse  # E
    other: Sparse  # F
    payoffs: Sparse  # B: the opponent's, a row for each own weight
    weights: range
    slacks: range

    @cached_property
    def sets(self) -> list[tuple[int, Longs]]:
        """The opponent's information sets: the label of the parent sequence, those of the choices.

        The empty sequence is treated as the only choice at a set before all others.
        """
        pairs = zip(_parents(self.other), _choices_by_row(self.other), strict=True)
        start = self.slacks.start
        return [(start + at if at >= 0 else -1, start + np.array(own)) for at, own in pairs]

    @cached_property
    def siblings(self) -> list[Longs]:
        """[label] the labels of all choices at the information set of this choice."""
        found = [np.zeros(0, np.int64) for _ in (*self.weights, *self.slacks)]
        for _, own in self.sets:
            for label in own.tolist():
                found[label] = own
        return found

    @cached_property
    def followers(self) -> list[Longs]:
        """[label] the opponent's choices that become relevant if this is a best response."""
        found: list[list[int]] = [[] for _ in (*self.weights, *self.slacks)]
        for before, own in self.sets:
            if before >= 0:
                found[before] += own.tolist()
        return [np.array(labels, np.int64) for labels in found]

    @cached_property
    def implied(self) -> list[Longs]:
        """[label] itself, and the weights that are zero with it: of sequences that extend it."""
        found: list[list[int]] = [[] for _ in (*self.weights, *self.slacks)]
        groups, before = _choices_by_row(self.own), _parents(self.own)
        for group in reversed(_in_order_of_play(groups, before)):
            if before[group] >= 0:
                for label in (self.weights[at] for at in groups[group]):
                    found[self.weights[before[group]]] += [label, *found[label]]
        return [np.array((at, *own), np.int64) for at, own in enumerate(found)]

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of a tableau, without making one."""
        own, other = self.own.shape[0], self.other.shape[0]
        return len(self.slacks) - other + own, 1 + len(self.weights) - own + other

    @cached_property
    def table(self) -> tuple[Array, list[int], list[int]]:
        """The tableau of the first vertex, and its basic and nonbasic variables."""
        weights = self._weight_lines()
        slacks, chosen = self._slack_lines(weights)
        lines = {at: line for at, line in weights.items() if line != {at: 1}}
        lines |= {at: line for at, line in slacks.items() if at not in chosen}
        rows = sorted(lines)
        columns = [at for at in sorted((*self.weights, *self.slacks)) if at not in lines]
        place = {variable: at for at, variable in enumerate([CONSTANT, *columns])}
        table = np.zeros((len(rows), len(place)), object)
        for row, variable in enumerate(rows):
            look()
            for other, amount in lines[variable].items():
                table[row, place[other]] = amount
        return table, rows, columns

    def _weight_lines(self) -> dict[int, Line]:
        """Each weight as a linear function of those that are not the first of their group."""
        start, lines = self.weights.start, dict[int, Line]()
        groups, before = _choices_by_row(self.own), _parents(self.own)
        for group in _in_order_of_play(groups, before):
            look()
            line = {CONSTANT: 1} if before[group] < 0 else dict(lines[start + before[group]])
            first, *others = (start + at for at in groups[group])
            for at in others:
                lines[at] = {at: 1}
                _add(line, lines[at], -1)
            lines[first] = line
        return lines

    def _slack_lines(self, weights: dict[int, Line]) -> tuple[dict[int, Line], set[int]]:
        """Each slack as a linear function of nonbasic variables; and the best responses' slacks."""
        groups, before = _choices_by_row(self.other), _parents(self.other)
        paid = self._paid(weights)  # [opponent's sequence], in the end with all that extends it
        lines, chosen = dict[int, Line](), set[int]()
        for group in reversed(_in_order_of_play(groups, before)):
            look()
            best = max(groups[group], key=lambda at: paid[at].get(CONSTANT, 0))
            chosen.add(self.slacks[best])
            value = dict(paid[best])
            _add(value, {self.slacks[best]: 1}, 1)
            for at in groups[group]:
                line = dict(value)
                _add(line, paid[at], -1)
                lines[self.slacks[at]] = line
            if before[group] >= 0:
                _add(paid[before[group]], value, 1)
        return lines, chosen

    def _paid(self, weights: dict[int, Line]) -> list[Line]:
        paid: list[Line] = [{} for _ in self.slacks]
        for row, column, amount in self._amounts:
            look()
            _add(paid[column], weights[self.weights[row]], amount)
        return paid

    @cached_property
    def _amounts(self) -> list[tuple[int, int, int]]:
        """The entries of B as integers without a common factor."""
        amounts = self.payoffs.entries.numerators.tolist()
        shared = gcd(*amounts) or 1
        places = zip(self.payoffs.rows.tolist(), self.payoffs.columns.tolist(), strict=True)
        pairs = zip(places, amounts, strict=True)
        return [(row, column, amount // shared) for (row, column), amount in pairs]

    @cached_property
    def limbs(self) -> int:
        """Words of 32 bits for any minor of the tableau and its sign, by Hadamard's bound."""
        table = self.table[0]
        largest = min(_hadamard(table), _hadamard(table.T))
        return (largest.bit_length() + 2 + 31) // 32

    @property
    def bytes(self) -> int:
        """The memory of a tableau."""
        rows, columns = self.table[0].shape
        return int(rows) * int(columns) * self.limbs * 8

    def face(self) -> Face:
        """The whole polyhedron as a face, to be intersected with facets."""
        table, rows, columns = self.table
        words = np.zeros((*table.shape, self.limbs), np.uint64)
        for row in range(len(table)):
            look()
            for column in np.flatnonzero(table[row]).tolist():
                words[row, column] = as_words(int(table[row, column]), self.limbs)
        places = np.zeros(len(self.weights) + len(self.slacks), np.int64)
        places[rows] = np.arange(len(rows))
        places[columns] = -np.arange(1, len(columns) + 1)
        return Face(
            table=words,
            determinant=as_words(1, self.limbs),
            rows=np.array(rows, np.int64),
            columns=np.array([len(columns) + 1, *columns], np.int64),
            places=places,
            pivots=np.array([0, 1 << 62]),
            room=np.zeros(NUMBERS * (self.limbs + 1), np.uint64),
        )

    def plan(self, face: Face) -> Numbers:
        """The weights at the vertex of a face."""
        weights = [0] * len(self.weights)
        for row, variable in enumerate(face.rows.tolist()):
            if variable in self.weights:
                weights[variable - self.weights.start] = as_integer(face.table[row, 0])
        return Numbers(fitted(weights), as_integer(face.determinant)).lowest()

    def is_vertex(self, positive: list[bool], best: list[bool]) -> bool:
        """Is there at most one plan with these positive weights and these best responses?

        Both are given by label. It is so if the equations for the plan, and for the values along
        the best responses, have at most one solution.
        """
        from flint import fmpz_mat

        start, rows, columns = self.slacks.start, list[int](), list[int]()
        met = [False] * len(self.slacks)  # equations: sequences of best responses
        for group, before, own in self._order:
            if before < 0 or met[before]:
                columns.append(len(self.weights) + group)
                for at in own:
                    if best[start + at]:
                        met[at] = True
                        rows.append(at)
        start = self.weights.start
        columns += [at for at in range(len(self.weights)) if positive[start + at]]
        rows += range(len(self.slacks), len(self._equations))
        if len(rows) < len(columns):
            return False
        equations = self._equations
        part = [[equations[row][column] for column in columns] for row in rows]
        return bool(fmpz_mat(part).rank() == len(columns))

    @cached_property
    def _order(self) -> list[tuple[int, int, list[int]]]:
        """The opponent's information sets in order of play: number, parent sequence, choices."""
        groups, before = _choices_by_row(self.other), _parents(self.other)
        return [(at, before[at], groups[at]) for at in _in_order_of_play(groups, before)]

    @cached_property
    def _equations(self) -> list[list[int]]:
        """F'q - B'x and E x, a row for each equation, a column for each of x and q."""
        count, size = self.payoffs.shape
        width = count + self.other.shape[0]
        made = [[0] * width for _ in range(size + self.own.shape[0])]
        for row, column, amount in self._amounts:
            made[column][row] = -amount
        for row, column, amount in self.other:
            made[column][count + row] = int(amount)
        for row, column, amount in self.own:
            made[size + row][column] = int(amount)
        return made


def _add(line: Line, other: Line, times: int) -> None:
    for variable, amount in other.items():
        line[variable] = line.get(variable, 0) + times * amount


def _choices_by_row(conditions: Sparse) -> list[list[int]]:
    """[row] the weights of the choices at its information set."""
    groups: list[list[int]] = [[] for _ in range(conditions.shape[0])]
    for row, column, amount in conditions:
        if amount > 0:
            groups[row].append(column)
    return groups


def _parents(conditions: Sparse) -> list[int]:
    """[row] the parent sequence of its information set; -1 at the empty sequence's row."""
    before = [-1] * conditions.shape[0]
    for row, column, amount in conditions:
        if amount < 0:
            before[row] = column
    return before


def _in_order_of_play(groups: list[list[int]], before: list[int]) -> list[int]:
    """The groups in order of play: each after the one with its parent sequence."""
    owner = {weight: group for group, weights in enumerate(groups) for weight in weights}
    order: dict[int, None] = {}
    for group in range(len(groups)):
        chain = [group]
        while before[chain[-1]] >= 0 and owner[before[chain[-1]]] not in order:
            chain.append(owner[before[chain[-1]]])
        order.update(dict.fromkeys(reversed(chain)))
    return list(order)


def _hadamard(table: Array) -> int:
    """No minor of a table of integers is larger than the product of its rows' lengths."""
    found = 1
    for row in table:
        look()
        found *= max(sum(entry * entry for entry in row.tolist() if entry), 1)
    return isqrt(found) + 1
