"""Which drawn decisions are tied together as one information set.

In a picture of every node the answer is given: those of one set. In a folded one each drawn
decision holds nodes of several sets. Two that have a set in common belong together, and so do two
that both have one in common with a third. To follow this through the whole picture can make one
heap of nearly everything, with places that come after one another in it. So of a heap that cannot
stand on one level (:mod:`~infoset.examine.drawing.levels`) only what is on one level is tied, as
far as it has sets in common there. What is lost are ties between levels; they would run through all
that is between. Nodes that hold the very same sets, as those of a player who forgets, are tied
wherever they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from infoset.examine.drawing.levels import levels


def together(parents: Sequence[int], inside: Mapping[int, frozenset[int]]) -> list[list[int]]:
    """The decisions that are one, each list in increasing order, from the sets inside each node.

    >>> a, b, both = frozenset([1]), frozenset([2]), frozenset([1, 2])
    >>> together([-1, 0, 0], {1: a, 2: both})
    [[1, 2]]
    >>> together([-1, 0, 1, 0], {1: a, 2: b, 3: both})  # node 2 comes after node 1
    [[1, 3], [2]]
    """
    groups = _connected(inside, inside)
    level: list[int] = []
    found: list[list[int]] = []
    for group in groups:
        if len({inside[at] for at in group}) == 1:
            found.append(group)
            continue
        level = level or levels(parents, [each for each in groups if len(each) > 1])
        parts: dict[int, list[int]] = {}
        for at in group:
            parts.setdefault(level[at], []).append(at)
        for part in parts.values():
            found.extend(_connected(part, inside))
    return sorted(found)


def _connected(nodes: Iterable[int], inside: Mapping[int, frozenset[int]]) -> list[list[int]]:
    """The nodes in groups, those together that sets in common lead from one to the other."""
    leader: dict[int, int] = {}

    def head(at: int) -> int:
        while leader[at] != at:
            leader[at] = leader[leader[at]]
            at = leader[at]
        return at

    seen: dict[int, int] = {}
    for at in nodes:
        leader[at] = at
        for one in inside[at]:
            first, second = head(seen.setdefault(one, at)), head(at)
            leader[max(first, second)] = min(first, second)
    groups: dict[int, list[int]] = {}
    for at in leader:
        groups.setdefault(head(at), []).append(at)
    return [sorted(group) for group in groups.values()]
