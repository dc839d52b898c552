"""What agents know in all worlds at once: a line of what everyone in them is told, and a code.

An agent's knowledge is a sequence of facts, menus and options taken. In the worlds of one run the
sequence is the same but for facts that are hidden: a stand-in that was revealed. So knowledge is a
*line*, the sequence with a gap for each such fact, and a *part*: a code for each world that says
how the gaps are filled. A plain fact makes a new line with the same part; a hidden one makes a
finer part. Two decisions are in one information set exactly if line, menu and code agree.

That needs one thing: what one line has as a plain fact another must not have as a hidden one, for
then the same knowledge would have two names. :func:`clashes` finds the lines where this happened;
there the rules are made to look before they reveal, and are run again.

In a folded run, codes are the same for knowledge that differs by a permutation of suits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import TooLarge
from infoset.rules.knowledge import unhashable
from infoset.rules.moves import Menu
from infoset.vectorized.values import ChanceHistories, Deals, Hidden, Ints, numbered

if TYPE_CHECKING:
    from infoset.vectorized.symmetry import Symmetry

WIDEST = 1 << 62  # codes of hidden facts together


class Part:
    """How an agent's knowledge divides the worlds."""

    __slots__ = ("_code_of", "_finer", "_known", "codes", "fact", "facts", "field", "up", "views")

    def __init__(self, field: ChanceHistories, up: Part | None, fact: Hidden | None) -> None:
        """The part above, with one more hidden fact; without, one code for all."""
        self.field = field
        self.up = up
        self.fact = fact
        self.facts: tuple[Hidden, ...] = () if up is None or fact is None else (*up.facts, fact)
        first = 0 if up is None else -1
        self.codes: Ints = np.full(len(field), first, np.int32)
        self.views: list[tuple[int, ...]] = [()] if up is None else []  # [code] codes of the facts
        self._code_of: dict[int, int] = {}
        self._known: set[Deals] = set()
        self._finer: dict[Hidden, Part] = {}

    def __len__(self) -> int:
        """How many codes there are so far."""
        return len(self.views)

    def finer(self, fact: Hidden) -> Part:
        """With one more hidden fact."""
        found = self._finer.get(fact)
        if found is None:
            deeper = fact.field if fact.field.depth >= self.field.depth else self.field
            found = self._finer[fact] = Part(deeper, self, fact)
        return found

    def at(self, deals: Deals) -> Ints:
        """[place] the codes in some worlds."""
        return self.codes[deals.along(self.field)]

    def above(self) -> Ints:
        """[code] the code of the part above."""
        assert self.up is not None
        there = np.flatnonzero(self.codes >= 0)
        rows = self.field.rows_in(self.up.field)
        found = np.zeros(len(self), np.int32)
        found[self.codes[there]] = self.up.codes[there if rows is None else rows[there]]
        return found

    def fill(self, deals: Deals, symmetry: Symmetry | None) -> None:
        """Find the codes in some worlds."""
        if self.up is None or deals in self._known:
            return
        self._known.add(deals)
        self.up.fill(deals, symmetry)
        rows = deals.inside(self.field)
        rows = rows[self.codes[rows] < 0]
        if not len(rows):
            return
        columns = [
            fact.equal(_moved_to(self.field, fact.field, fact.codes, rows)) for fact in self.facts
        ]
        if symmetry is None:  # what was known before has a code of its own
            before = _moved_to(self.field, self.up.field, self.up.codes, rows).astype(np.int64)
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


def _moved_to(field: ChanceHistories, above: ChanceHistories, codes: Ints, rows: Ints) -> Ints:
    there = field.rows_in(above)
    return codes[rows if there is None else there[rows]]


def room_for(fact: Hidden) -> int:
    """How many codes a fact has at most; fixed when it is first asked for."""
    if fact.room == 0:
        fact.room = 64 if len(fact.table) <= 48 else 1 << (4 * len(fact.table)).bit_length()
    if len(fact.table) > fact.room:
        raise TooLarge(
            f"a vectorized fact that is revealed has more than {fact.room:,} values; look at it"
            " first, as in g.reveal(player, int(...)), or leave out vectorized=True"
        )
    return fact.room


class Line:
    """What an agent is told and does, hidden facts left open."""

    __slots__ = ("_next", "agent", "before", "last", "part")

    def __init__(self, agent: int, before: Line | None, last: Any, part: Part) -> None:
        """``last`` is a fact, a hidden one, or the menu and the number of the option taken.

        A line that begins has none: ``last`` then is "knows" for one that begins anew, where the
        agent has forgotten all but what it is told next.
        """
        self.agent = agent
        self.before = before
        self.last = last
        self.part = part
        self._next: dict[Any, Line] = {}

    def saw(self, fact: Hashable) -> Line:
        """After one more plain fact."""
        return self._then(("saw", fact), ("saw", fact), self.part)

    def saw_hidden(self, fact: Hidden) -> Line:
        """After one more hidden fact."""
        return self._then(("hidden", id(fact)), ("hidden", fact), self.part.finer(fact))

    def took(self, menu: Menu, option: int) -> Line:
        """After an option was taken."""
        return self._then(("took", menu, option), ("took", (menu, option)), self.part)

    def _then(self, key: Any, last: Any, part: Part) -> Line:
        found = self._next.get(key)
        if found is None:
            found = self._next[key] = Line(self.agent, self, last, part)
        return found

    def path(self) -> tuple[Any, ...]:
        """The line in a way that is the same in another run: hidden facts are gaps."""
        steps: list[Any] = []
        line = self
        while line.before is not None:
            kind, what = line.last
            steps.append((kind, None if kind == "hidden" else what))
            line = line.before
        return (line.agent, line.last, *steps[::-1])

    def below(self) -> Iterator[Line]:
        """The lines that go on from here."""
        return iter(self._next.values())

    def words(self, code: int) -> list[tuple[str, Any]]:
        """All of it with the gaps filled: ("saw", fact), ("took", (menu, option))."""
        return self.told(self.part.views[code])

    def told(self, gaps: Sequence[int]) -> list[tuple[str, Any]]:
        """All of it, with the codes of the facts that fill the gaps.

        What an agent is told who has forgotten all else is ("knows", fact).
        """
        left = list(gaps)
        told: list[tuple[str, Any]] = []
        line: Line = self
        while line.before is not None:
            kind, what = line.last
            if kind == "hidden":
                kind, what = "saw", what.table[left.pop()]
            told.append(("knows" if line.before.last == "knows" else kind, what))
            line = line.before
        return told[::-1]


def clashes(lines: list[Line]) -> list[Line]:
    """Lines that go on with a hidden fact where others go on with one that it may equal."""
    found = []
    for line in lines:
        told = [after.last for after in line.below() if after.last[0] != "took"]
        hidden = [what for kind, what in told if kind == "hidden"]
        if not hidden or len(told) == 1:
            continue
        values = [{fact.table[code] for code in set(fact.codes.tolist()) - {-1}} for fact in hidden]
        values.append({what for kind, what in told if kind == "saw"})
        if sum(map(len, values)) > len(set().union(*values)):
            found.append(line)
    return found
