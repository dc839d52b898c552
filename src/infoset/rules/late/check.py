"""Plain plays against late ones: rules that see through stand-ins are found out.

Some plays of the blocks, each with the outcomes of nature in one of its worlds, are run once more
by themselves, with plain values. Everything is compared: who was told what, the options, the
chances, what is paid. Where they differ the rules have seen that a stand-in is no card: they
compared it by ``is``, asked for its type, or handed it to C code. To name the line both runs are
followed step by step of the interpreter; they part just after it.

Suits that are said to be alike are checked the same way: a play, and the play with suits exchanged,
must be the same but for the exchanged cards.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from infoset.errors import NotRepeatable, RulesError
from infoset.rules.columns import CHANCE, LEAF, Limits
from infoset.rules.late.blocks import LOOK, Block, Frame
from infoset.rules.late.explore import Late
from infoset.rules.late.hidden import Hidden
from infoset.rules.late.lines import Line
from infoset.rules.late.suspects import suspects
from infoset.rules.late.symmetry import Symmetry
from infoset.rules.late.worlds import Field
from infoset.rules.moves import Lottery
from infoset.rules.play import Play
from infoset.rules.story import text, told
from infoset.rules.walk import Asked, View, Walk

PLAYS = 256  # that are run again, at most
AGAIN = 8  # times that a play is run where it went wrong, to see whether it repeats
MOVED = 1024  # that are run again with suits exchanged, at most
ENDS = 32  # of which there is a play in a suspect world

_LANGUAGE = str(Path(__file__).parent.parent)  # where g itself is

Rules = Callable[[Play], object]


@dataclass(frozen=True)
class Played:
    """A play as one of its worlds has it."""

    moves: tuple[Any, ...]
    outcomes: tuple[int, ...]  # of nature's moves: which one, by its number
    views: tuple[View, ...]  # [agent] all that it knows in the end
    lotteries: tuple[Lottery, ...]
    payoffs: tuple[Fraction, ...]


class Plain(Walk):
    """A walk that keeps the lotteries that it meets."""

    __slots__ = ("came_to", "lotteries")

    def __init__(self, seats: Any, moves: Any) -> None:
        super().__init__(seats, moves)
        self.lotteries: list[Lottery] = []
        self.came_to: Any = None  # payoffs, views, lotteries; None if the rules went elsewhere

    def _draw(self, lottery: Lottery) -> Any:
        self.lotteries.append(lottery)
        return super()._draw(lottery)


def check(name: str, late: Late, rules: Rules) -> None:
    """Run some plays again, deal by deal; the same ones every time."""
    for played in _plays(late, PLAYS):
        walk, same = _walked(late, rules, played)
        if not same:
            others = [_walked(late, rules, played)[0] for _ in range(AGAIN)]
            if any((one.told, one.came_to) != (walk.told, walk.came_to) for one in others):
                raise NotRepeatable(
                    f"{name}: the same play, run twice, went two ways ({told(walk.told)}); rules"
                    " must depend on nothing but their parameters and g's answers"
                )
            line = _parting(late, rules, played)
            where = f"at {line} " if line else ""
            raise RulesError(
                f"{name}: the rules do otherwise for all deals at once than deal by deal"
                f" ({told(walk.told)}); {where}they see that a stand-in is no card: by `is`, its"
                " type, or C code, or a function given to g.map depends on more than its values;"
                " use ==, or g.map(f, ...), or leave out late=True"
            )
    if late.symmetry is not None:
        _check_symmetry(name, late, rules, late.symmetry)


def _plays(late: Late, most: int) -> Iterator[Played]:
    chosen = random.Random(0)
    leaves = [block for block in late.blocks if block.kind == LEAF]
    if len(leaves) > most:
        leaves = chosen.sample(leaves, most)
    for leaf in leaves:
        worlds = range(len(leaf.worlds))
        for at in chosen.sample(worlds, min(len(worlds), most // len(leaves))):
            yield _played(late, leaf, int(leaf.worlds.rows[at]))


def _played(late: Late, leaf: Block, row: int) -> Played:
    field = leaf.worlds.field
    moves: list[Any] = []
    outcomes: list[int] = []
    lotteries: list[Lottery] = []
    block = leaf
    while block.parent is not None:
        above = block.parent
        if above.kind == CHANCE:
            draw = above.what
            there = _row(field, row, draw.outcome.field)
            moves.append(draw.outcome.table[draw.outcome.codes[there]])
            outcomes.append(int(draw.after.field.outcome[there]))
            code = 0
            if draw.terms is not None:
                code = int(draw.terms.codes[_row(field, row, draw.terms.field)])
            lotteries.append(late.lotteries.table[draw.numbers[code]])
        else:
            moves.append(above.menu[block.option])
        block = above
    paid = leaf.what
    if isinstance(paid, Hidden):
        paid = paid.table[paid.codes[_row(field, row, paid.field)]]
    views = tuple(_view(line, field, row) for line in leaf.lines)
    exact = tuple(map(Fraction, paid))
    return Played(tuple(moves[::-1]), tuple(outcomes[::-1]), views, tuple(lotteries[::-1]), exact)


def _row(field: Field, row: int, above: Field) -> int:
    rows = field.rows_in(above)
    return row if rows is None else int(rows[row])


def _view(line: Line, field: Field, row: int) -> View:
    """What an agent knows at the end of a line in one world."""
    gaps = [int(fact.codes[_row(field, row, fact.field)]) for fact in line.part.facts]
    seen: list[tuple[str, Any]] = []
    for kind, what in line.told(gaps):
        if kind == "took":
            menu, option = what
            seen += [("offered", menu), ("took", menu[option])]
        else:
            seen.append((kind, what))
    return tuple(seen)


def _walked(late: Late, rules: Rules, played: Played) -> tuple[Plain, bool]:
    """The play once more with plain values, and whether it is the same."""
    walk = Plain(late.seats, played.moves)
    try:
        paid = walk.result(rules)
    except (Exception, Asked):  # the rules ask for something else, or fail where they did not
        return walk, False
    views = tuple(walk.view(agent) for agent in range(len(late.agents)))
    walk.came_to = (paid, views, tuple(walk.lotteries))
    return walk, walk.came_to == (played.payoffs, played.views, played.lotteries)


# -------------------------------------------------------------------- suits


def _check_symmetry(name: str, late: Late, rules: Rules, symmetry: Symmetry) -> None:
    chosen = random.Random(1)
    exchange = _Exchange(name, late, rules, symmetry)
    if len(symmetry) > 1:
        for played in _plays(late, MOVED):
            exchange.check(played, chosen.randrange(1, len(symmetry)))
        for played, order in _suspected(late, symmetry):
            exchange.check(played, order)


def _suspected(late: Late, symmetry: Symmetry) -> Iterator[tuple[Played, int]]:
    """Plays in worlds where a function of cards tells suits apart, one of every end."""
    chosen = random.Random(2)
    leaves = [block for block in late.blocks if block.kind == LEAF]
    for field, row, order in suspects(late.computed, symmetry):
        below = [leaf for leaf in leaves if _is_below(leaf.worlds.field, field)]
        for leaf in chosen.sample(below, min(len(below), ENDS)):
            there = np.flatnonzero(leaf.worlds.along(field) == row)
            if len(there):
                at = int(there[chosen.randrange(len(there))])
                yield _played(late, leaf, int(leaf.worlds.rows[at])), order


def _is_below(field: Field | None, other: Field) -> bool:
    while field is not None and field.depth > other.depth:
        field = field.up
    return field is other


class _Exchange:
    """Runs plays with suits exchanged, which must be the same but for the exchanged cards."""

    def __init__(self, name: str, late: Late, rules: Rules, symmetry: Symmetry) -> None:
        self.name, self.late, self.rules, self.symmetry = name, late, rules, symmetry
        self._fixed: dict[int, tuple[Lottery, bool]] = {}  # by identity: is it, under all orders?

    def check(self, played: Played, order: int) -> None:
        """Run a play with suits exchanged; an error if it is not the same."""
        symmetry = self.symmetry
        walk = Plain(self.late.seats, tuple(symmetry.moved(move, order) for move in played.moves))
        try:
            paid: Any = walk.result(self.rules)
        except (Exception, Asked):  # the rules ask for something else, or fail
            paid = None
        if paid is None:
            said = "goes on otherwise"
        elif paid != played.payoffs:
            said = f"pays {_amounts(paid)}"
        elif self._views(walk) != self._expected(played, order):
            said = "tells the players otherwise"
        elif not self._same_chances(walk, played, order):
            said = "has other chances"
        else:
            return
        first = ", ".join(map(text, played.moves))
        raise RulesError(
            f"{self.name}: {symmetry}, says the deck, but not the rules: the play {first} pays"
            f" {_amounts(played.payoffs)}, and with {_exchanged(symmetry, order)} exchanged it"
            f" {said}; leave out alike=, or mend the rules"
        )

    def _views(self, walk: Plain) -> tuple[View, ...]:
        return tuple(walk.view(agent) for agent in range(len(self.late.agents)))

    def _expected(self, played: Played, order: int) -> tuple[View, ...]:
        moved = self.symmetry.moved
        return tuple(
            tuple((kind, moved(what, order)) for kind, what in view) for view in played.views
        )

    def _same_chances(self, walk: Plain, played: Played, order: int) -> bool:
        return len(walk.lotteries) == len(played.lotteries) and all(
            (one == two and self._is_fixed(two))
            or self._chances(one, 0) == self._chances(two, order)
            for one, two in zip(walk.lotteries, played.lotteries, strict=True)
        )

    def _is_fixed(self, lottery: Lottery) -> bool:
        """Is a lottery the same with any suits exchanged? Asked once; of a large one, a sample."""
        if id(lottery) not in self._fixed:
            chances, values = self._chances(lottery, 0), lottery.outcomes
            if len(values) > MOVED:
                values = tuple(random.Random(3).sample(values, MOVED))
            fixed = all(
                chances.get(self.symmetry.moved(value, order)) == chances[value]
                for value in values
                for order in self.symmetry.swaps
            )
            self._fixed[id(lottery)] = (lottery, fixed)
        return self._fixed[id(lottery)][1]

    def _chances(self, lottery: Lottery, order: int) -> dict[Any, Any]:
        """The chances of a lottery with suits exchanged."""
        moved, values = self.symmetry.moved, lottery.outcomes
        if order:
            values = tuple([moved(value, order) for value in values])
        return dict(zip(values, lottery.probabilities, strict=True))


def _exchanged(symmetry: Symmetry, order: int) -> str:
    names = symmetry.deck.suits
    pairs = enumerate(symmetry.suits[order])
    return ", ".join(f"{names[suit]} for {names[to]}" for suit, to in pairs if suit != to)


def _amounts(payoffs: tuple[Fraction, ...]) -> str:
    return f"({', '.join(map(str, payoffs))})"


# -------------------------------------------------------------------- the line


def _parting(late: Late, rules: Rules, played: Played) -> str:
    """The line of the rules after which a plain run and a late one part; empty if unknown."""
    again = Late(late.seats, Limits(max_nodes=1 << 60), looking=late.looking)
    again.guide = _Guide(played)
    walk = Walk(late.seats, played.moves)
    with _steps(rules) as plain:
        _quietly(lambda: walk.result(rules))
    with _steps(rules) as together:
        _quietly(lambda: again.run(rules))
    common = 0
    while common < min(len(plain), len(together)) and plain[common][:2] == together[common][:2]:
        common += 1
    if not common or common == len(plain) == len(together):
        return ""
    file, line = plain[common - 1][2:]
    return f"{Path(file).name}:{line}"


def _quietly(run: Callable[[], object]) -> None:
    try:
        run()
    except (Exception, Asked):
        return  # how it ends is known; here only the way there matters


class _Guide:
    """Leads a late run along one play in one world."""

    def __init__(self, played: Played) -> None:
        self.moves = list(played.moves)
        self.outcomes = list(played.outcomes)
        self.row = 0

    def __call__(self, frame: Frame) -> int:
        if frame.kind == LOOK:
            parts = [at for at, part in enumerate(frame.after) if self.row in part.rows]
            return parts[0]
        move = self.moves.pop(0)
        if frame.kind != CHANCE:
            found: int = frame.answers.index(move)
            return found
        field, outcome = frame.after.field, self.outcomes.pop(0)
        here = (field.above == self.row) & (field.outcome == outcome)
        self.row = int(np.argmax(here))
        return 0


Step = tuple[int, int, str, int]  # which code, where in it; the file and the line


@contextmanager
def _steps(rules: Rules) -> Iterator[list[Step]]:
    """The interpreter's steps through the rules, and through what they call themselves."""
    steps: list[Step] = []
    inside: set[int] = set()
    first = getattr(rules, "__code__", None)

    def trace(frame: Any, event: str, _: Any) -> Any:
        code = frame.f_code
        if event == "call":
            own = id(frame.f_back) in inside and not code.co_filename.startswith(_LANGUAGE)
            if code is not first and not own:
                return None
            inside.add(id(frame))
            frame.f_trace_opcodes = True
        elif event == "opcode":
            steps.append((id(code), frame.f_lasti, code.co_filename, frame.f_lineno))
        elif event == "return":
            inside.discard(id(frame))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before)
