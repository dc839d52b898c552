"""All extreme equilibria of a two-player game, exactly, and the components that they form.

A game may have a continuum of equilibria. But there are finitely many *extreme* ones, and all
others are convex combinations of these within maximal Nash subsets
(:mod:`infoset.solvers.components`). With perfect recall they are computed on the sequence form
(Audet, Belhaiza & Hansen 2009), where a realization plan says nothing about information sets that
the plan itself does not reach: equilibria that differ only there count once. Otherwise the reduced
normal form is used (Koller, Megiddo & von Stengel 1994, theorem 4.2), with E and F of one row each.

*Vertices.* Plans x and y are an equilibrium exactly if there are values p and q with

    P:  E x = e,  x >= 0,  s = F'q - B'x >= 0       Q:  F y = f,  y >= 0,  r = E'p - A y >= 0

    x_i r_i = 0 for each i,   y_j s_j = 0 for each j.

Every sequence is a *label*. For i, P has the facet x_i = 0 and Q the facet r_i = 0; for j, P has
s_j = 0 and Q has y_j = 0. Equilibria are the pairs of points that have every label at least once,
and extreme equilibria are pairs of vertices.

*Search.* Each label is decided for P: the vertex lies on its facet, or it does not, and then the
vertex of Q must lie on the facet of Q (Audet, Hansen, Jaumard & Savard 2001). A branch ends where a
face becomes empty or lies within a facet that must not contain the vertex. A vertex lies on its own
facets and on no others, so it is found once, whatever ties there are; in this the search departs
from its source. When the vertex of P is found, those of the remaining face of Q are found likewise.

*Probing.* Before it branches, the search tries both values of each undecided label. Where one of
them is infeasible, the other follows; and so on until nothing follows any more. At the root this
finds all strictly dominated strategies, by iterated elimination.

*Irrelevant labels.* Where a sequence of player two is not a best response, s_j > 0, the sequences
that extend it do not matter: no best response makes them, and the values q there may be arbitrarily
large. So the label of a sequence is decided after that of the sequence before it, and only if that
one is a best response, s = 0. There at least one action must be a best response, so that x
determines q. In this way P is treated as a polyhedron of plans x alone. Once all relevant labels
are decided, the rank of a matrix says whether x is the only plan left.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf, prod
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import NotProved, OutOfTime, TooLarge
from infoset.forms.normal import NormalForm, normal_form
from infoset.forms.sequence import sequence_form
from infoset.kernels.vertices import Face, about, narrowed
from infoset.linear.numbers import Numbers
from infoset.linear.sparse import Sparse
from infoset.solvers.components import components
from infoset.solvers.enumerate.polyhedron import Polyhedron
from infoset.solvers.lemke_howson import exact_mixed, matrices
from infoset.solvers.lp import exact_plans
from infoset.solvers.options import Found, Options
from infoset.solvers.solution import NONE_FOUND
from infoset.strategy import Strategy, uniform
from infoset.tree import Tree

T = TypeVar("T")

Labels = npt.NDArray[np.int8]  # [label] its decision so far
Longs = npt.NDArray[np.int64]
Pair = tuple[Numbers, Numbers]
Steps = Generator[None, None, T]  # yields now and then, and returns a result in the end

NONE = np.zeros(0, np.int64)
WORK = 100_000_000  # products of words between two looks at the clock: some tenths of a second
IRRELEVANT, UNDECIDED, ON, OFF = range(4)  # not relevant yet; then: is the vertex on the facet?


@dataclass
class _State:
    """A face of one of the polyhedra, and the labels decided for its vertex."""

    polyhedron: Polyhedron
    face: Face
    labels: Labels

    def copy(self) -> _State:
        """An independent copy; only the count of pivots is shared.

        Dropped columns are left out, so that small faces take little memory.
        """
        face = self.face
        width = int(face.columns[0])
        copied = face._replace(
            table=face.table[:, :width].copy(),
            determinant=face.determinant.copy(),
            rows=face.rows.copy(),
            columns=face.columns[:width].copy(),
            places=face.places.copy(),
        )
        return _State(self.polyhedron, copied, self.labels.copy())

    @property
    def is_point(self) -> bool:
        return bool(self.face.columns[0] == 1)

    def values(self) -> npt.NDArray[np.float64]:
        """[label] about how far the current vertex is from its facet, 0 exactly if on it."""
        found = np.empty(len(self.labels))
        about(self.face, found)
        return found

    def put_on(self, label: int) -> bool:
        """Decide that the vertex is on a facet; False if that is infeasible.

        Where a weight is zero, so are those of the sequences that extend its sequence.
        """
        zero = self.polyhedron.implied[label]
        if (self.labels[zero] == OFF).any():
            return False
        if not _narrowed(self.face, zero, np.flatnonzero(self.labels == OFF)):
            return False
        for own in zero.tolist():
            self._mark_on(own)
        return True

    def _mark_on(self, label: int) -> None:
        self.labels[label] = ON
        followers = self.polyhedron.followers[label]
        self.labels[followers[self.labels[followers] == IRRELEVANT]] = UNDECIDED

    def put_off(self, label: int) -> bool:
        """Decide that the vertex is not on a facet; False if that is infeasible.

        The facets that are not excluded must be enough to determine a vertex.
        """
        self.labels[label] = OFF
        choices = self.labels[self.polyhedron.siblings[label]]
        if len(choices) and (choices == OFF).all():
            return False  # no action would be a best response there
        off = (self.labels == OFF).tolist()
        may = [not own for own in off]
        return self.polyhedron.is_vertex(off, may) and _narrowed(self.face, NONE, np.array([label]))

    def has_best_actions(self) -> bool:
        """Is there a best action left at every information set that a best response reaches?"""
        known = self.labels
        return all(
            (before >= 0 and known[before] != ON) or (known[own] != OFF).any()
            for before, own in self.polyhedron.sets
        )

    def settle(self) -> list[int]:
        """Decide the remaining labels of a face that is a point; return those that it is off."""
        found, off = self.values(), list[int]()
        while len(left := np.flatnonzero(self.labels == UNDECIDED)):
            for label in left.tolist():
                if found[label]:
                    self.labels[label] = OFF
                    off.append(label)
                else:
                    self._mark_on(label)
        return off

    def plan(self) -> Numbers | None:
        """The plan, if all labels are decided and determine it."""
        polyhedron = self.polyhedron
        off, on = ((self.labels == known).tolist() for known in (OFF, ON))
        if self.is_point or polyhedron.is_vertex(off, on):
            return polyhedron.plan(self.face)
        return None


def _narrowed(face: Face, zero: Longs, positive: Longs) -> bool:
    """Go to a part of a face (:func:`narrowed`), with looks at the clock after some pivots.

    It is asked again until it is done, each time with more pivots: what it does is then the same
    as in one go, at the latest when all of them are allowed at once.
    """
    rows, columns, limbs = face.table.shape
    few = allowed = max(WORK // (rows * columns * limbs * limbs), 1)
    while True:
        look()
        face.pivots[1] = face.pivots[0] + allowed
        found = bool(narrowed(face, zero, positive))
        if found or face.pivots[0] < face.pivots[1]:
            return found
        allowed += few


@dataclass
class _Node:
    first: _State
    second: _State
    depth: int = 0
    plan: Numbers | None = None  # of the first polyhedron, once it is found
    label: int = -1  # the label to decide
    on: bool = False  # its decision

    def branches(self, label: int) -> tuple[_Node, _Node]:
        """Both branches on a label, off and on its facet; the latter is explored first."""
        deeper = replace(self, depth=self.depth + 1, label=label, on=False)
        first = self.first if self.plan is not None else self.first.copy()
        return deeper, replace(deeper, first=first, second=self.second.copy(), on=True)


class Search:
    """Branch and bound over all extreme equilibria.

    Iteration yields a pair of plans when one is found, and None at every other step, so that the
    search can be stopped there.
    """

    def __init__(self, payoffs: tuple[Sparse, Sparse], own: Sparse, other: Sparse) -> None:
        rows, columns = payoffs[0].shape
        one, two = range(rows), range(rows, rows + columns)
        self.first = Polyhedron(own, other, payoffs[1], weights=one, slacks=two)
        self.second = Polyhedron(other, own, payoffs[0].transposed, weights=two, slacks=one)
        self.nodes = 0
        self.probes = 0  # labels that were probed
        self.explored = 0.0  # the part of the search tree that is done, if all branches are alike
        self._pivots: list[npt.NDArray[np.int64]] = []

    @property
    def done(self) -> float:
        """The part of the search that is done; never zero.

        Before the first branch ends it is estimated from the probes: labels are probed at every
        depth.
        """
        labels = len(self.first.weights) + len(self.first.slacks)
        begun = 4 * (self.probes + 1) / (labels + 1) ** 2
        return self.explored or min(begun, 0.5 ** (self.nodes - 1))

    @property
    def pivots(self) -> int:
        """Pivots so far."""
        return int(sum(count[0] for count in self._pivots))

    def __iter__(self) -> Iterator[Pair | None]:
        first, second = (
            _State(one, one.face(), _initial_labels(one)) for one in (self.first, self.second)
        )
        self._pivots = [first.face.pivots, second.face.pivots]
        stack = [_Node(first, second)]
        while stack:
            node = stack.pop()
            self.nodes += 1
            label, pair = yield from self._examine(node)
            if label is None:
                self.explored += 0.5**node.depth
            else:
                stack += node.branches(label)
            yield pair

    def _examine(self, node: _Node) -> Steps[tuple[int | None, Pair | None]]:
        """Decide the label of a node; return the next label to branch on, or a pair, or neither."""
        if node.label >= 0 and not _apply(node):
            return None, None
        if node.plan is None and not (yield from self._probed(node.first, node.second)):
            return None, None
        if node.plan is None:
            label = _branching_label(node.first, node.second)
            if label is not None:
                return label, None
            if not _settled(node.first, node.second):
                return None, None
            node.plan = node.first.plan()
        if node.plan is None:
            return None, None
        label = _branching_label(node.second)
        if label is not None:
            return label, None
        other = node.second.plan() if _settled(node.second) else None
        return None, None if other is None else (node.plan, other)

    def _probed(self, first: _State, second: _State) -> Steps[bool]:
        """Decide the labels that can be decided in one way only; False if the node is infeasible.

        It yields after each label, because one takes a while in a large game.
        """
        changed = True
        while changed and not first.is_point:
            changed = False
            for label in np.flatnonzero(first.labels == UNDECIDED).tolist():
                if first.labels[label] != UNDECIDED:
                    continue  # implied by another label
                if not first.copy().put_on(label):
                    changed = True
                    if not (first.put_off(label) and second.put_on(label)):
                        return False
                elif not second.copy().put_on(label):
                    changed = True
                    if not first.put_on(label):
                        return False
                self.probes += 1
                yield
        return True


def _initial_labels(polyhedron: Polyhedron) -> Labels:
    """Initially relevant: all own weights, and the opponent's sequences of one choice."""
    labels = np.full(len(polyhedron.weights) + len(polyhedron.slacks), IRRELEVANT, np.int8)
    labels[polyhedron.weights.start : polyhedron.weights.stop] = UNDECIDED
    for before, own in polyhedron.sets:
        if before < 0:
            labels[own] = UNDECIDED
    return labels


def _apply(node: _Node) -> bool:
    """Apply a node's decision; False if it is infeasible."""
    if node.plan is not None:
        return node.second.put_on(node.label) if node.on else node.second.put_off(node.label)
    if node.on:
        return node.first.put_on(node.label)
    return node.first.put_off(node.label) and node.second.put_on(node.label)


def _settled(state: _State, other: _State | None = None) -> bool:
    """Decide the remaining labels; where a vertex is off a facet, the other must be on it."""
    off = state.settle() if state.is_point else []
    return state.has_best_actions() and (other is None or all(map(other.put_on, off)))


def _branching_label(*states: _State) -> int | None:
    """The undecided label whose facets are farthest away; None if nothing is undecided."""
    left = np.flatnonzero(states[0].labels == UNDECIDED)
    if not len(left) or states[0].is_point:
        return None
    near, *others = (state.values()[left] for state in states)
    far = near * others[0] if others else near
    return int(left[np.lexsort((near, far))[-1]])


LOOKS = (10, 30, 90, 270, 810)  # seconds after which the duration of the search is estimated
PATIENCE = 3_600  # seconds that a search without a limit may be expected to take
ROOM = 128 << 20  # bytes of a pair of tableaus; a search keeps one pair for each level


def find(tree: Tree, options: Options) -> Found:
    """All extreme equilibria, or as many as are asked for or found in time.

    Pure equilibria come first, then those of smaller support. Components are computed only if the
    enumeration is complete: a missing equilibrium might join two of them.
    """
    form = None if tree.perfect_recall else normal_form(tree)
    search = _search(tree, form)
    pairs: list[Pair] = []
    try:
        done = _enumerate(search, tree, options, pairs)
    except OutOfTime:  # within a step
        done = False
    work = {"nodes": search.nodes, "pivots": search.pivots}
    note = "" if done else f"stopped with {search.explored:.2%} of the search done"
    if not pairs and options.exact:
        raise NotProved(f"{tree.name}: {note}; {NONE_FOUND.partition(';')[0]}")
    if not pairs:
        strategies = tuple(uniform(tree, player) for player in tree.names)
        return Found(strategies, work, remark=f"{note}; {NONE_FOUND}", equilibrium=False)
    pairs.sort(key=_simplicity)
    if done:  # members of a component stand together
        pairs = [pairs[member] for one in components(pairs) for member in one.members]
    first, *others = (_strategies(tree, form, pair) for pair in pairs)
    return Found(
        first,
        work,
        remark=note,
        others=tuple(others),
        complete=done,
        components=components(pairs) if done else (),
    )


def _search(tree: Tree, form: NormalForm | None) -> Search:
    if form is not None:
        one, two, own, other = matrices(form)
        search = Search((one, two), own, other)
    else:
        sequences = sequence_form(tree)
        search = Search(sequences.payoffs, sequences.E, sequences.F)
    sides = (search.first, search.second)
    rows, columns = max((side.shape for side in sides), key=prod)
    if 8 * rows * columns > ROOM:  # before a tableau is made
        raise TooLarge(
            f"{tree.name}: too large to enumerate: every step keeps a tableau of {rows:,} by"
            f" {columns:,} integers, at least {8 * rows * columns / 1e6:,.0f} MB; lp or lcp finds"
            " one equilibrium"
        )
    if sum(side.bytes for side in sides) > ROOM:
        longest = max(sides, key=lambda side: side.bytes)
        rows, columns = longest.table[0].shape
        raise TooLarge(
            f"{tree.name}: too large to enumerate: every step keeps a tableau of {rows:,} by"
            f" {columns:,} integers of {32 * longest.limbs:,} bits, {longest.bytes / 1e6:,.0f} MB;"
            " lp or lcp finds one equilibrium"
        )
    return search


def _strategies(tree: Tree, form: NormalForm | None, pair: Pair) -> tuple[Strategy, ...]:
    return exact_plans(tree, *pair) if form is None else exact_mixed(form, *pair)


def _enumerate(search: Search, tree: Tree, options: Options, pairs: list[Pair]) -> bool:
    """Append the pairs that are found; return whether the enumeration is complete."""
    automatic = options.most is None and options.seconds is None
    began, looks = 0.0, iter(LOOKS)
    look: float = next(looks)
    for pair in search:
        began = began or time.perf_counter()  # after the first step, which compiles the kernels
        if pair is not None:
            pairs.append(pair)
            if options.most is not None and len(pairs) >= options.most and search.explored < 1:
                return False
        options.tell(f"{len(pairs):,} equilibria, {search.explored:.1%} of the search")
        if options.over() and search.explored < 1:
            return False
        if automatic and (spent := time.perf_counter() - began) > look:
            look = next(looks, inf)
            _check_duration(search, tree, spent)
    return True


def _check_duration(search: Search, tree: Tree, spent: float) -> None:
    """Refuse a search whose remaining part, extrapolated, takes too long."""
    expected = spent / search.done
    if expected > PATIENCE:
        nodes = f" and {search.nodes / search.explored:.0e} nodes" if search.explored else ""
        raise TooLarge(
            f"{tree.name}: enumerating all equilibria is estimated to take {_in_words(expected)}"
            f"{nodes}, after {spent:.0f} s of it; most=N stops after N equilibria and seconds="
            " after a time"
        )


def _in_words(seconds: float) -> str:
    """A duration in words.

    >>> _in_words(4_000), _in_words(9_000), _in_words(1e9), _in_words(1e30)
    ('about an hour', 'some 2 hours', 'some 32 years', 'some 3e+22 years')
    """
    units = {"years": 31_557_600, "days": 86_400, "hours": 3_600}
    unit = next((unit for unit, size in units.items() if seconds > 2 * size), "hours")
    count = seconds / units[unit]
    if count < 1.5:
        return "about an hour"
    return f"some {count:,.0f} {unit}" if count < 1e6 else f"some {count:.0e} {unit}"


def _simplicity(pair: Pair) -> tuple[Any, ...]:
    """Sort key: pure equilibria first, then smaller supports, then larger first weights."""
    weights = [weight for plan in pair for weight in plan.values()]
    pure = all(weight.denominator == 1 for weight in weights)
    support = sum(1 for weight in weights if weight)
    order: list[Fraction] = [-weight for weight in weights]
    return (not pure, support, order)
