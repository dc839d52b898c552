"""The transposition table: what was found about positions, or about classes of them.

*Partition search* (Ginsberg 1996). An entry may stand for a whole class of positions. A key k and
an amount o, what was paid so far, are given for every position; the requirement is

    k(p) = k(q)   implies   V(p) − o(p) = V(q) − o(q)                                     (1)

for the value V. An entry holds bounds of V − o. It was found at some position p of the class, where
the search has proved l ≤ V(p) ≤ h; the entry is (l − o(p), h − o(p)), and at q of the same class it
says l − o(p) + o(q) ≤ V(q) ≤ h − o(p) + o(q), which is true by (1). So every bound that is read is
true if every bound that was written is, and by induction over the steps of the search all are.

(1) follows if alike positions play alike: if k(p) = k(q), then

- both are over, with the same payoffs less o; or
- the same player moves at both, and every move at one of them has a counterpart at the other that
  leads to a position with the same key, and to the same change of o; or
- chance moves at both, and every key and change of o is reached with the same probability.

Then V(p) − o(p) = V(q) − o(q) by induction over the length of the game: a maximum, a minimum or an
expectation of the same numbers. Where the horizon cuts a search off, the same induction needs an
evaluation that agrees, e(p) − o(p) = e(q) − o(q), and then positions that play alike have the same
value at each depth, too.

*Depth.* An entry is used if it was found by a search of just the same depth, or if the search ended
at ends of the game alone, no more moves away than the depth allows: a search from here would visit
the same ends and prove the same. So the values do not depend on what happens to be in the table.

*Size.* There are two generations. Once the young one has half the entries of a table, it becomes
the old one, and what was the old one is dropped; an entry that is read becomes young again.

Source: Ginsberg, Partition search, AAAI 1996.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

Line = tuple[Any, ...]  # (move, the line after it), or () at its end


class Entry(NamedTuple):
    """What is known of a class of positions, less what was paid before."""

    depth: float  # moves that the search looked ahead; infinite: to the end
    height: float  # moves to the furthest end that was visited; infinite: the horizon was
    low: Any
    high: Any
    move: Hashable  # the best move
    line: Line  # the best moves from here on, if the value is exact

    def answers(self, depth: float) -> bool:
        """Is this what a search of this depth would find?"""
        return self.depth == depth or self.height <= depth

    def merged(self, older: Entry) -> Entry:
        """Both entries of a class as one, this one and an older one."""
        if not older.answers(self.depth):
            lasting = older.low == older.high and older.height < self.height
            return older if lasting else self
        low, high = max(self.low, older.low), min(self.high, older.high)
        if (low, high) == (self.low, self.high):
            return self
        if (low, high) == (older.low, older.high):
            return older
        return Entry(self.depth, max(self.height, older.height), low, high, self.move, ())


class Table:
    """A table of at most ``size`` entries.

    >>> table = Table(2)
    >>> for key in "abc":
    ...     table.put(key, Entry(1, 1, 0, 0, None, ()))
    >>> table.get("a"), table.get("c").low, len(table)
    (None, 0, 2)
    """

    def __init__(self, size: int) -> None:
        """Empty."""
        self.half = size // 2
        self._young: dict[Hashable, Entry] = {}
        self._old: dict[Hashable, Entry] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: Hashable) -> Entry | None:
        """The entry of a class, if there is one."""
        found = self._young.get(key)
        if found is None and self._old and (found := self._old.pop(key, None)) is not None:
            self.put(key, found)
        return found

    def put(self, key: Hashable, entry: Entry) -> None:
        """Replace the entry of a class."""
        if not self.half:
            return
        if len(self._young) >= self.half and key not in self._young:
            self._young, self._old = {}, self._young
        self._young[key] = entry

    def clear(self) -> None:
        """Forget everything."""
        self._young, self._old = {}, {}
