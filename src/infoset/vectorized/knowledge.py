"""What agents know in all deals at once: a pattern, and a partition of the deals.

An agent's knowledge is a sequence of facts, menus and options taken. In the deals of one run the
sequence is the same except for facts that were revealed as vectorized values. So knowledge is a
*pattern*, the sequence with a gap for each such fact, and an information *partition*: a code for
each deal that says how the gaps are filled. A plain fact makes a new pattern with the same
partition; a vectorized one makes a finer partition. Two decisions are in one information set
exactly if pattern, menu and code agree.

That needs one thing: a fact that is plain in one pattern must not be vectorized in another, for
then the same knowledge would have two names. :func:`clashes` finds the patterns where this
happened; there the rules are made to look before they reveal, and are run again.

In a folded run, knowledge that differs by a permutation of suits has the same code.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import TooLarge
from infoset.rules.knowledge import unhashable
from infoset.rules.moves import Menu
from infoset.vectorized.values import ChanceHistories, Deals, Ints, ValueColumn, numbered

if TYPE_CHECKING:
    from infoset.vectorized.symmetry import Symmetry

WIDEST = 1 << 62  # combinations of codes of the facts in the gaps


class Partition:
    """The information partition of the deals by what an agent knows."""

    __slots__ = (
        "_code_of",
        "_finer",
        "_known",
        "codes",
        "fact",
        "facts",
        "histories",
        "up",
        "views",
    )

    def __init__(
        self, histories: ChanceHistories, up: Partition | None, fact: ValueColumn | None
    ) -> None:
        """The partition ``up``, refined by one more fact; without them, one code for all."""
        self.histories = histories
        self.up = up
        self.fact = fact
        self.facts: tuple[ValueColumn, ...] = (
            () if up is None or fact is None else (*up.facts, fact)
        )
        first = 0 if up is None else -1
        self.codes: Ints = np.full(len(histories), first, np.int32)
        self.views: list[tuple[int, ...]] = [()] if up is None else []  # [code] codes of the facts
        self._code_of: dict[int, int] = {}
        self._known: set[Deals] = set()
        self._finer: dict[ValueColumn, Partition] = {}

    def __len__(self) -> int:
        """How many codes there are so far."""
        return len(self.views)

    def finer(self, fact: ValueColumn) -> Partition:
        """Refined by one more vectorized fact."""
        found = self._finer.get(fact)
        if found is None:
            deeper = (
                fact.histories if fact.histories.depth >= self.histories.depth else self.histories
            )
            found = self._finer[fact] = Partition(deeper, self, fact)
        return found

    def at(self, deals: Deals) -> Ints:
        """[place] the codes in some deals."""
        return self.codes[deals.along(self.histories)]

    def above(self) -> Ints:
        """[code] the code in the coarser partition ``up``."""
        assert self.up is not None
        there = np.flatnonzero(self.codes >= 0)
        rows = self.histories.rows_in(self.up.histories)
        found = np.zeros(len(self), np.int32)
        found[self.codes[there]] = self.up.codes[there if rows is None else rows[there]]
        return found

    def fill(self, deals: Deals, symmetry: Symmetry | None) -> None:
        """Find the codes in some deals."""
        if self.up is None or deals in self._known:
            return
        self._known.add(deals)
        self.up.fill(deals, symmetry)
        rows = deals.inside(self.histories)
        rows = rows[self.codes[rows] < 0]
        if not len(rows):
            return
        columns = [
            fact.equal(_moved_to(self.histories, fact.histories, fact.codes, rows))
            for fact in self.facts
        ]
        if symmetry is None:  # what was known before has a code of its own
            before = _moved_to(self.histories, self.up.histories, self.up.codes, rows).astype(
                np.int64
            )
            count = len(self.facts[-1].table)
            first, number = numbered(before * count + columns[-1], len(self.up) * count)
            names: Iterable[Any] = zip(
                before[first].tolist(), columns[-1][first].tolist(), strict=True
            )
        else:
            key, size = symmetry.least(columns, self.facts)
            first, number = numbered(key, size)
            names = key[first].tolist()
        fresh = np.empty(len(first), np.int32)
        for at, (place, one) in enumerate(zip(first.tolist(), names, strict=True)):
            code = self._code_of.setdefault(one, len(self.views))
            if code == len(self.views):
                self.views.append(tuple([int(column[place]) for column in columns]))
                _check_hashable(self.facts[-1].table[self.views[-1][-1]])
            fresh[at] = code
        self.codes[rows] = fresh[number]


def _check_hashable(fact: Any) -> None:
    try:
        hash(fact)
    except TypeError:
        raise unhashable("the fact ", fact) from None


def _moved_to(histories: ChanceHistories, above: ChanceHistories, codes: Ints, rows: Ints) -> Ints:
    there = histories.rows_in(above)
    return codes[rows if there is None else there[rows]]


def room_for(fact: ValueColumn) -> int:
    """How many codes a fact has at most; fixed when it is first asked for."""
    if fact.room == 0:
        fact.room = 64 if len(fact.table) <= 48 else 1 << (4 * len(fact.table)).bit_length()
    if len(fact.table) > fact.room:
        raise TooLarge(
            f"a vectorized fact that is revealed has more than {fact.room:,} values; look at it"
            " first, as in g.reveal(player, int(...)), or leave out vectorized=True"
        )
    return fact.room


class Pattern:
    """What an agent is told and does, with a gap for each vectorized fact."""

    __slots__ = ("_next", "agent", "before", "last", "partition")

    def __init__(self, agent: int, before: Pattern | None, last: Any, partition: Partition) -> None:
        """``last`` is a plain fact, a vectorized one, or the menu and number of the option taken.

        The first pattern of an agent has none. Its ``last`` is "knows" where the agent has just
        forgotten everything (``knowing=``) and is told next what it knows instead.
        """
        self.agent = agent
        self.before = before
        self.last = last
        self.partition = partition
        self._next: dict[Any, Pattern] = {}

    def saw(self, fact: Hashable) -> Pattern:
        """After one more plain fact."""
        return self._then(("saw", fact), ("saw", fact), self.partition)

    def saw_vectorized(self, fact: ValueColumn) -> Pattern:
        """After one more vectorized fact."""
        return self._then(("hidden", id(fact)), ("hidden", fact), self.partition.finer(fact))

    def took(self, menu: Menu, option: int) -> Pattern:
        """After an option was taken."""
        return self._then(("took", menu, option), ("took", (menu, option)), self.partition)

    def _then(self, key: Any, last: Any, partition: Partition) -> Pattern:
        found = self._next.get(key)
        if found is None:
            found = self._next[key] = Pattern(self.agent, self, last, partition)
        return found

    def path(self) -> tuple[Any, ...]:
        """The pattern as a value that is the same in another run."""
        steps: list[Any] = []
        pattern = self
        while pattern.before is not None:
            kind, what = pattern.last
            steps.append((kind, None if kind == "hidden" else what))
            pattern = pattern.before
        return (pattern.agent, pattern.last, *steps[::-1])

    def below(self) -> Iterator[Pattern]:
        """The patterns that continue this one."""
        return iter(self._next.values())

    def words(self, code: int) -> list[tuple[str, Any]]:
        """All of it with the gaps filled: ("saw", fact), ("took", (menu, option))."""
        return self.told(self.partition.views[code])

    def told(self, gaps: Sequence[int]) -> list[tuple[str, Any]]:
        """All of it, with the codes of the facts that fill the gaps.

        What an agent knows instead of what it forgot is ("knows", fact).
        """
        left = list(gaps)
        told: list[tuple[str, Any]] = []
        pattern: Pattern = self
        while pattern.before is not None:
            kind, what = pattern.last
            if kind == "hidden":
                kind, what = "saw", what.table[left.pop()]
            told.append(("knows" if pattern.before.last == "knows" else kind, what))
            pattern = pattern.before
        return told[::-1]


def clashes(patterns: list[Pattern]) -> list[Pattern]:
    """Patterns that continue with a vectorized fact, and also with one that it may equal."""
    found = []
    for pattern in patterns:
        told = [after.last for after in pattern.below() if after.last[0] != "took"]
        hidden = [what for kind, what in told if kind == "hidden"]
        if not hidden or len(told) == 1:
            continue
        values = [{fact.table[code] for code in set(fact.codes.tolist()) - {-1}} for fact in hidden]
        values.append({what for kind, what in told if kind == "saw"})
        if sum(map(len, values)) > len(set().union(*values)):
            found.append(pattern)
    return found
