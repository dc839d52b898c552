"""On which level each node is drawn: below its parent, and level with its information set.

Each node is one level below its parent or more, and the nodes of an information set share a level
where that is possible: put together as one, they must not come before themselves. Levels are then
the longest ways from the root, found by taking away, again and again, what nothing is left above
of (Kahn 1962). When everything left waits for something else left, an information set is met
twice on a play (absent-mindedness) or two sets are met in either order; then one set that is partly
ready is let go, and its nodes stand where they happen to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


def levels(parents: Sequence[int], sets: Sequence[Sequence[int]]) -> list[int]:
    """The level of each node; the root's is 0.

    >>> levels([-1, 0, 1, 0], [(2, 3)])  # node 3 could be on level 1, but it is one with node 2
    [0, 1, 2, 2]
    >>> levels([-1, 0, 1, 0], [(1, 2)])  # one above the other
    [0, 1, 2, 1]
    """
    return _Sorting(parents, sets).sorted()


class _Sorting:
    """Nodes on their way to a level; a group has one."""

    def __init__(self, parents: Sequence[int], sets: Sequence[Sequence[int]]) -> None:
        count = len(parents)
        self.parents = parents
        self.group = list(range(count))  # [node]; a set's group is its first node's number
        self.members = [[node] for node in range(count)]  # [group]
        for nodes in sets:
            for node in nodes[1:]:
                self.group[node] = nodes[0]
                self.members[node] = []
            self.members[nodes[0]] = list(nodes)
        self.children: list[list[int]] = [[] for _ in range(count)]
        for node, above in enumerate(parents):
            if above >= 0:
                self.children[above].append(node)
        self.missing = [len(nodes) for nodes in self.members]  # [group] not yet ready
        self.level = [-1] * count  # [node]
        self.lowest = [0] * count  # [node] where it can be at the earliest
        self.ready = [False] * count  # [node] is its parent done?

    def sorted(self) -> list[int]:
        waiting: deque[int] = deque()
        partly: deque[int] = deque()
        self._make_ready(0, waiting, partly)
        while waiting or partly:
            if not waiting:
                self._let_go(partly.popleft(), waiting)
                continue
            nodes = self.members[waiting.popleft()]
            height = max(self.lowest[node] for node in nodes)
            for node in nodes:
                self.level[node] = height
                for child in self.children[node]:
                    self.lowest[child] = height + 1
                    self._make_ready(child, waiting, partly)
        return self.level

    def _make_ready(self, node: int, waiting: deque[int], partly: deque[int]) -> None:
        group = self.group[node]
        self.ready[node] = True
        self.missing[group] -= 1
        if not self.missing[group]:
            waiting.append(group)
        elif self.missing[group] == len(self.members[group]) - 1:
            partly.append(group)

    def _let_go(self, group: int, waiting: deque[int]) -> None:
        """Take a set apart that is not done; those of its nodes that are ready go on."""
        if not self.missing[group]:
            return
        for node in self.members[group]:
            self.group[node] = node
            self.members[node] = [node]
            self.missing[node] = 0 if self.ready[node] else 1
            if self.ready[node]:
                waiting.append(node)
