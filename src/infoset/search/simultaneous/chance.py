"""Windows through nature's moves: when an outcome cannot bring the average back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from infoset.rules import Position
from infoset.search.simultaneous.arithmetic import added
from infoset.search.simultaneous.session import Session

Search = Callable[[Position, Any, Any, int], Any]  # position, alpha, beta, depth: value


def average(
    session: Session, position: Position, alpha: Any, beta: Any, depth: int, search: Search
) -> Any:
    """The value of a chance position, or a bound of it at its window's edge.

    With Σ p v over the outcomes searched so far and the bounds [l, u] of those to come, the next
    outcome matters only while its value lies in the window

        (α − Σ_before p v − Σ_later p u) / p    to    (β − Σ_before p v − Σ_later p l) / p ;

    below it the average is at most α whatever comes, above it at least β. As the later bounds are
    no wider apart than l ≤ u, the window is never narrower than (β − α) / p. This is Ballard's
    Star1 (1983).
    """
    outcomes = session.outcomes(position)
    spans = [session.bounds(child) for _, child in outcomes]
    least = added(share * span[0] for (share, _), span in zip(outcomes, spans, strict=True))
    most = added(share * span[1] for (share, _), span in zip(outcomes, spans, strict=True))
    tie, known = session.tie, session.number(0)
    for (share, child), (low, high) in zip(outcomes, spans, strict=True):
        least -= share * low
        most -= share * high
        below, above = (alpha - known - most) / share, (beta - known - least) / share
        value = search(child, below, above, depth)
        known += share * value
        if value <= below + tie:
            return min(known + most, alpha)
        if value >= above - tie:
            return max(known + least, beta)
    return known
