"""Backward induction over stages, and expectations at chance positions with windows.

Every position has the value of the matrix game of its successors' values.

*Chance.* With Σ p v over the outcomes searched so far and the bounds [l, u] of those to come, the
next outcome matters only while its value lies in the window

    (α − Σ_before p v − Σ_later p u) / p    to    (β − Σ_before p v − Σ_later p l) / p ;

below it the expectation is at most α whatever follows, above it at least β. As the later bounds are
no wider apart than l ≤ u, the window is never narrower than (β − α) / p. This is Ballard's Star1
(1983).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from infoset.errors import OutOfTime
from infoset.linear.numbers import Number
from infoset.rules import Position
from infoset.rules.moves import CHANCE, LEAF
from infoset.search.simultaneous.session import EVERY, Session, SolvedStage, summed
from infoset.tree.positions import SimultaneousPosition


class BackwardInduction:
    """Solve every matrix game from the leaves up, depth first."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def value(self, position: Position, depth: int) -> Any:
        """The value of a position to the first player."""
        session = self.session
        if position.over:
            return session.leaf(position)
        if not position.movers:
            whole = session.number(0)
            for probability, child in session.outcomes(position):
                whole += probability * self.value(child, depth)
            return whole
        if depth == 0:
            return session.horizon_value(position)
        key = session.key(position, depth)
        if key in session.table:
            session.counts["transpositions"] += 1
            return session.table[key][0]
        value = self.played(position, depth).value
        if key is not None:
            session.table[key] = (value, value)
        return value

    def played(self, position: Position, depth: int) -> SolvedStage:
        """The solved matrix game of a stage."""
        stage = self.session.enter(position, depth)
        rows, columns = range(len(stage.rows)), range(len(stage.columns))
        matrix = [[self.value(stage.after(i, j), depth - 1) for j in columns] for i in rows]
        return self.session.arithmetic.play(matrix)


def solved_stages(
    session: Session, start: SimultaneousPosition, over: Callable[[], bool]
) -> list[Sequence[Number]]:
    """[infoset] of a tree, what its player does there: every stage is solved once, the last first.

    When time is over, players choose uniformly at the information sets that are left.
    """
    tree, joined = start.tree, start.joined
    first, nodes = tree.children
    settled = tree.settled
    paid, outcome = [session.amount(one[0]) for one in settled.payoffs], settled.outcome.tolist()
    values: list[Any] = [None] * len(tree)
    chosen: list[Sequence[Number]] = [()] * len(tree.infoset_player)

    def children(node: int) -> list[int]:
        below: list[int] = nodes[first[node] : first[node + 1]].tolist()
        return below

    for node in range(len(tree) - 1, -1, -1):
        if node % EVERY == 0 and over():
            break
        player, number = int(tree.player[node]), int(tree.infoset[node])
        above = int(tree.parent[node])
        if player == LEAF:
            values[node] = paid[outcome[node]]
        elif player == CHANCE:
            chances = map(session.number, tree.lotteries[number].probabilities)
            pairs = zip(chances, children(node), strict=True)
            values[node] = summed(chance * values[child] for chance, child in pairs)
        elif joined[node]:
            matrix = [[values[cell] for cell in children(child)] for child in children(node)]
            turned = [list(row) for row in zip(*matrix, strict=True)] if player else matrix
            try:
                found = session.arithmetic.play(turned)
            except OutOfTime:  # a large matrix in fractions
                break
            values[node], own = found.value, (found.rows, found.columns)
            chosen[number] = own[player]
            chosen[int(tree.infoset[children(node)[0]])] = own[1 - player]
        elif above < 0 or not joined[above]:
            amounts = [values[child] for child in children(node)]
            values[node] = (min if player else max)(amounts)
            best = amounts.index(values[node])
            chosen[number] = [session.number(int(at == best)) for at in range(len(amounts))]
    menus = [len(tree.menus[menu]) for menu in tree.infoset_menu.tolist()]
    decided = zip(chosen, menus, strict=True)
    return [own or [session.number(Fraction(1, size))] * size for own, size in decided]


Search = Callable[[Position, Any, Any, int], Any]  # position, alpha, beta, depth: value


def average(
    session: Session, position: Position, alpha: Any, beta: Any, depth: int, search: Search
) -> Any:
    """The value of a chance position, or a bound of it at the edge of its window."""
    outcomes = session.outcomes(position)
    spans = [session.bounds(child) for _, child in outcomes]
    least = summed(
        probability * span[0] for (probability, _), span in zip(outcomes, spans, strict=True)
    )
    most = summed(
        probability * span[1] for (probability, _), span in zip(outcomes, spans, strict=True)
    )
    tie, known = session.tie, session.number(0)
    for (probability, child), (low, high) in zip(outcomes, spans, strict=True):
        least -= probability * low
        most -= probability * high
        below, above = (alpha - known - most) / probability, (beta - known - least) / probability
        value = search(child, below, above, depth)
        known += probability * value
        if value <= below + tie:
            return min(known + most, alpha)
        if value >= above - tie:
            return max(known + least, beta)
    return known


class WindowedSearch(ABC):
    """Depth-first search with windows; what is done at a stage is up to the method."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def value(self, position: Position, depth: int) -> Any:
        """The value of a position to the first player."""
        return self.search(position, self.session.low - 1, self.session.high + 1, depth)

    def search(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value, or a bound of it at the edge of the window."""
        session = self.session
        if position.over:
            return session.leaf(position)
        if not position.movers:
            return average(session, position, alpha, beta, depth, self.search)
        if depth == 0:
            return session.horizon_value(position)
        key = session.key(position, depth)
        known = session.lookup(key, alpha, beta)
        if known is not None:
            return known
        low, high = session.bounds(position)
        if session.low < session.high and (low == high or high <= alpha or low >= beta):
            return low if low >= beta else high
        value = self.search_stage(position, alpha, beta, depth)
        session.store(key, value, alpha, beta)
        return value

    @abstractmethod
    def search_stage(self, position: Position, alpha: Any, beta: Any, depth: int) -> Any:
        """The value of a stage, or a bound of it at the edge of the window."""

    def within_bounds(self, position: Position, value: Any) -> Any:
        """A value, or the heuristic bound that is tighter, as it may be at the horizon."""
        low, high = self.session.bounds(position)
        return min(max(value, low), high)
