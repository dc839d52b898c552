"""All extreme equilibria: the pairs of corners of two polyhedra that have every label.

Plans x and y are an equilibrium exactly if, with some values p and q,

    P:  E x = e,  x >= 0,  s = F'q - B'x >= 0       Q:  F y = f,  y >= 0,  r = E'p - A y >= 0

    x_i r_i = 0 for each i,   y_j s_j = 0 for each j.

Every sequence is a *label*. For i, P has the facet x_i = 0 and Q the facet r_i = 0; for j, P has
s_j = 0 and Q has y_j = 0. Equilibria are the pairs of points that have each label once at least,
and those that are no mixtures of others are pairs of corners.

*Search.* Each label is decided for P: its facet holds the corner, or it does not, and then the
facet of Q must hold the other corner (Audet, Hansen, Jaumard & Savard 2001). A branch ends where a
face becomes empty or lies wholly in a facet that is not to hold the corner. A corner is on its own
facets and on no others, so it is met once, whatever ties there are; in that the search departs from
its source. When the corner of P is found, those of the face that is left of Q are found likewise.

*Probing.* Before it branches, the search tries both ways for each label that is undecided. Where
one of them cannot be, the other must; and so on until nothing follows any more. At the beginning
this finds all strictly dominated strategies, one after the other.

*What does not matter.* Where a sequence of player two is no best reply, s_j > 0, what would come
after it does not matter: no best reply goes there, and the values q there may be anything large
enough. So the label of a sequence is decided after that of the sequence before it, and only if that
one is a best reply's, s = 0. There one action at least has to be best, so that q is what x makes
it. In this way P is looked at as a polyhedron of plans x alone. If all labels are decided that
matter, a rank says whether x is the only plan that is left.

All extreme equilibria of a game of two, exactly, and how they hang together.

A game may have many equilibria, even a continuum of them. But there are finitely many *extreme*
ones, and all others are mixtures of these (:mod:`infoset.solvers.components`). They are the
pairs of corners of two polyhedra that have every label between them;
:mod:`infoset.solvers.enumerate.solver` says how they are gone through, in integers from beginning
to end, each once.

With perfect recall this is done on the sequence form (Audet, Belhaiza & Hansen 2009), where a plan
says nothing of what a player does at sets that it does not itself let play come to: equilibria that
differ in that alone are one. Otherwise it is the reduced normal form (Koller, Megiddo & von Stengel
1994, theorem 4.2), as E and F of a single row each.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from infoset.errors import NotProved, TooLarge
from infoset.forms.normal import NormalForm, normal_form
from infoset.forms.sequence import sequence_form
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

if TYPE_CHECKING:
    from infoset.kernels.vertices import Face

T = TypeVar("T")

Labels = npt.NDArray[np.int8]  # [label] what is decided of it
Pair = tuple[Numbers, Numbers]
Steps = Generator[None, None, T]  # gives way now and then, and what it comes to in the end

NONE = np.zeros(0, np.int64)
ASIDE, UNDECIDED, ON, OFF = range(4)  # no matter yet; then: is the corner on the facet, or not?


@dataclass
class _State:
    """A face of one of the polyhedra, and where in it a corner is looked for."""

    polyhedron: Polyhedron
    face: Face
    labels: Labels

    def copy(self) -> _State:
        """The same, to be changed on its own; the count of pivots is shared.

        Columns that were dropped are left out: a small face takes little.
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
        """[label] about how far the corner at hand is from its facet, 0 exactly if it is on it."""
        from infoset.kernels.vertices import about

        found = np.empty(len(self.labels))
        about(self.face, found)
        return found

    def put_on(self, label: int) -> bool:
        """The corner is on a facet; False if that cannot be.

        Where a weight is zero, so are those of the sequences that go on from there.
        """
        from infoset.kernels.vertices import narrowed

        zero = self.polyhedron.implied[label]
        if (self.labels[zero] == OFF).any():
            return False
        if not narrowed(self.face, zero, np.flatnonzero(self.labels == OFF)):
            return False
        for own in zero.tolist():
            self._mark_on(own)
        return True

    def _mark_on(self, label: int) -> None:
        self.labels[label] = ON
        opened = self.polyhedron.opened[label]
        self.labels[opened[self.labels[opened] == ASIDE]] = UNDECIDED

    def put_off(self, label: int) -> bool:
        """The corner is not on a facet; False if that cannot be.

        There must be enough facets left to make a corner: all that are not excluded.
        """
        from infoset.kernels.vertices import narrowed

        self.labels[label] = OFF
        choices = self.labels[self.polyhedron.sharing[label]]
        if len(choices) and (choices == OFF).all():
            return False  # none would be best there
        off = (self.labels == OFF).tolist()
        may = [not own for own in off]
        return self.polyhedron.is_corner(off, may) and narrowed(self.face, NONE, np.array([label]))

    def replies_left(self) -> bool:
        """May one action be best wherever a best reply comes?"""
        known = self.labels
        return all(
            (before >= 0 and known[before] != ON) or (known[own] != OFF).any()
            for before, own in self.polyhedron.sets
        )

    def settle(self) -> list[int]:
        """The face is a point: decide what is left of its labels; those that it is off."""
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
        """The weights, if all is decided and no others are left."""
        polyhedron = self.polyhedron
        off, on = ((self.labels == known).tolist() for known in (OFF, ON))
        if self.is_point or polyhedron.is_corner(off, on):
            return polyhedron.plan(self.face)
        return None


@dataclass
class _Node:
    first: _State
    second: _State
    depth: int = 0
    plan: Numbers | None = None  # that of the first, once it is found
    label: int = -1  # the label to decide
    on: bool = False  # and how

    def branches(self, label: int) -> tuple[_Node, _Node]:
        """The label off, and on, the facet; the latter is looked at first."""
        deeper = replace(self, depth=self.depth + 1, label=label, on=False)
        first = self.first if self.plan is not None else self.first.copy()
        return deeper, replace(deeper, first=first, second=self.second.copy(), on=True)


class Search:
    """Go through all pairs of plans that are extreme equilibria.

    Iterating gives a pair when one is found, and None at every other step: there one may stop.
    """

    def __init__(self, payoffs: tuple[Sparse, Sparse], own: Sparse, other: Sparse) -> None:
        rows, columns = payoffs[0].shape
        one, two = range(rows), range(rows, rows + columns)
        self.first = Polyhedron(own, other, payoffs[1], weights=one, slacks=two)
        self.second = Polyhedron(other, own, payoffs[0].transposed, weights=two, slacks=one)
        self.nodes = 0
        self.probes = 0  # labels that were tried both ways
        self.explored = 0.0  # the part of the search that is done, if all branches were alike
        self._pivots: list[npt.NDArray[np.int64]] = []

    @property
    def done(self) -> float:
        """The part that is done, before the first branch is, too; never zero.

        Until then it is guessed: labels are probed at every depth, which is a quarter of them.
        """
        labels = len(self.first.weights) + len(self.first.slacks)
        begun = 4 * (self.probes + 1) / (labels + 1) ** 2
        return self.explored or min(begun, 0.5 ** (self.nodes - 1))

    @property
    def pivots(self) -> int:
        """How many there were so far."""
        return int(sum(count[0] for count in self._pivots))

    def __iter__(self) -> Iterator[Pair | None]:
        first, second = (_State(one, one.face(), _fresh(one)) for one in (self.first, self.second))
        self._pivots = [first.face.pivots, second.face.pivots]
        stack = [_Node(first, second)]
        while stack:
            node = stack.pop()
            self.nodes += 1
            label, pair = yield from self._look_at(node)
            if label is None:
                self.explored += 0.5**node.depth
            else:
                stack += node.branches(label)
            yield pair

    def _look_at(self, node: _Node) -> Steps[tuple[int | None, Pair | None]]:
        """Decide what is to be decided; the label to decide next, or a pair, or neither."""
        if node.label >= 0 and not _decided(node):
            return None, None
        if node.plan is None and not (yield from self._probed(node.first, node.second)):
            return None, None
        if node.plan is None:
            label = _farthest(node.first, node.second)
            if label is not None:
                return label, None
            if not _settled(node.first, node.second):
                return None, None
            node.plan = node.first.plan()
        if node.plan is None:
            return None, None
        label = _farthest(node.second)
        if label is not None:
            return label, None
        other = node.second.plan() if _settled(node.second) else None
        return None, None if other is None else (node.plan, other)

    def _probed(self, first: _State, second: _State) -> Steps[bool]:
        """Decide the labels that can only be decided one way; False if one cannot be at all.

        In a large game every label takes a while: it gives way after each.
        """
        changed = True
        while changed and not first.is_point:
            changed = False
            for label in np.flatnonzero(first.labels == UNDECIDED).tolist():
                if first.labels[label] != UNDECIDED:
                    continue  # it was implied by another
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


def _fresh(polyhedron: Polyhedron) -> Labels:
    """All weights are to be decided, and of the other's sequences the first."""
    labels = np.full(len(polyhedron.weights) + len(polyhedron.slacks), ASIDE, np.int8)
    labels[polyhedron.weights.start : polyhedron.weights.stop] = UNDECIDED
    for before, own in polyhedron.sets:
        if before < 0:
            labels[own] = UNDECIDED
    return labels


def _decided(node: _Node) -> bool:
    """Decide a node's label; False if nothing is left."""
    if node.plan is not None:
        return node.second.put_on(node.label) if node.on else node.second.put_off(node.label)
    if node.on:
        return node.first.put_on(node.label)
    return node.first.put_off(node.label) and node.second.put_on(node.label)


def _settled(state: _State, other: _State | None = None) -> bool:
    """Decide what is left; where a corner is off a facet, the other has to be on its own."""
    off = state.settle() if state.is_point else []
    return state.replies_left() and (other is None or all(map(other.put_on, off)))


def _farthest(*states: _State) -> int | None:
    """The undecided label that is farthest from being had; None if nothing is to be decided."""
    left = np.flatnonzero(states[0].labels == UNDECIDED)
    if not len(left) or states[0].is_point:
        return None
    near, *others = (state.values()[left] for state in states)
    far = near * others[0] if others else near
    return int(left[np.lexsort((near, far))[-1]])


LOOKS = (10, 30, 90, 270, 810)  # seconds after which the length of the search is estimated
PATIENCE = 3_600  # seconds that are taken on unasked
ROOM = 128 << 20  # bytes of a pair of tables; a search has as many as it is deep


def find(tree: Tree, options: Options) -> Found:
    """All extreme equilibria, or as many as are asked for or found in time.

    The first is the simplest: pure ones come first, then those of smaller support. Components are
    given if these are all: else what is missing might join them.
    """
    form = None if tree.perfect_recall else normal_form(tree)
    search = _search(tree, form)
    pairs, done = _gone_through(search, tree, options)
    work = {"nodes": search.nodes, "pivots": search.pivots}
    note = "" if done else f"stopped with {search.explored:.2%} of the search done"
    if not pairs and options.exact:
        raise NotProved(f"{tree.name}: {note}; {NONE_FOUND.partition(';')[0]}")
    if not pairs:
        strategies = tuple(uniform(tree, player) for player in tree.names)
        return Found(strategies, work, remark=f"{note}; {NONE_FOUND}", equilibrium=False)
    pairs.sort(key=_simplicity)
    if done:  # what hangs together stands together
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
    if sum(side.bytes for side in sides) > ROOM:
        longest = max(sides, key=lambda side: side.bytes)
        rows, columns = longest.table[0].shape
        raise TooLarge(
            f"{tree.name}: too large to enumerate: a table of {rows:,} by {columns:,} numbers of"
            f" {32 * longest.limbs:,} bits, {longest.bytes / 1e6:,.0f} MB, is kept at every step;"
            " lp or lcp finds one equilibrium"
        )
    return search


def _strategies(tree: Tree, form: NormalForm | None, pair: Pair) -> tuple[Strategy, ...]:
    return exact_plans(tree, *pair) if form is None else exact_mixed(form, *pair)


def _gone_through(search: Search, tree: Tree, options: Options) -> tuple[list[Pair], bool]:
    """The pairs that were found, and whether they are all."""
    pairs: list[Pair] = []
    automatic = options.most is None and options.seconds is None
    began, looks = 0.0, iter(LOOKS)
    look: float = next(looks)
    for pair in search:
        began = began or time.perf_counter()  # after the first step: the loops are compiled by then
        if pair is not None:
            pairs.append(pair)
            if options.most is not None and len(pairs) >= options.most and search.explored < 1:
                return pairs, False
        options.tell(f"{len(pairs):,} equilibria, {search.explored:.1%} of the search")
        if options.over() and search.explored < 1:
            return pairs, False
        if automatic and (spent := time.perf_counter() - began) > look:
            look = next(looks, inf)
            _check_length(search, tree, spent)
    return pairs, True


def _check_length(search: Search, tree: Tree, spent: float) -> None:
    """Refuse a search that seems hopeless: as long as for this part of it, for all the rest."""
    expected = spent / search.done
    if expected > PATIENCE:
        nodes = f" and {search.nodes / search.explored:.0e} nodes" if search.explored else ""
        raise TooLarge(
            f"{tree.name}: the search for all equilibria seems to take {_in_words(expected)}"
            f"{nodes}, after {spent:.0f} s of it; most=N stops after N equilibria, seconds= after"
            " so long"
        )


def _in_words(seconds: float) -> str:
    """About how long.

    >>> _in_words(9_000), _in_words(1e9), _in_words(1e30)
    ('some 2 hours', 'some 32 years', 'some 3e+22 years')
    """
    units = {"years": 31_557_600, "days": 86_400, "hours": 3_600}
    unit = next((unit for unit, size in units.items() if seconds > 2 * size), "hours")
    count = seconds / units[unit]
    return f"some {count:,.0f} {unit}" if count < 1e6 else f"some {count:.0e} {unit}"


def _simplicity(pair: Pair) -> tuple[Any, ...]:
    """Pure ones first, then by how much is played, then by the weights, larger ones first."""
    weights = [weight for plan in pair for weight in plan.values()]
    pure = all(weight.denominator == 1 for weight in weights)
    support = sum(1 for weight in weights if weight)
    order: list[Fraction] = [-weight for weight in weights]
    return (not pure, support, order)
