"""Plays out of the blocks: what happens in one world, to be run again by itself.

Where suits may not be alike: functions of cards that tell them apart.

Plays at random hardly ever meet a rule for one deal in a million. Functions do: all that the rules
do with cards unseen are functions that were computed for every combination of values that occurs.
If suits are alike, a function of the values with suits exchanged is its value, exchanged likewise,

    f(moved x) = moved f(x)         for every permutation and every x that occurs,

and since one x of every class occurs in a folded run, and all permutations are tried, that is a
test for all of the game. A function that fails it need not matter: one that sorts cards prefers a
suit, and what becomes of the order may be the same. So it makes its worlds *suspects*, in which
plays are then run with suits exchanged (:mod:`infoset.vectorized.check`).

Suits that are said to be alike, put to the test.

A play, and the play with suits exchanged, must be the same but for the exchanged cards. Plays are
taken at random, and where a function of cards prefers a suit (:mod:`infoset.vectorized.check`).

Plain plays against late ones: rules that see through stand-ins are found out.

Some plays of the blocks, each with the outcomes of nature in one of its worlds, are run once more
by themselves, with plain values. Everything is compared: who was told what, the options, the
chances, what is paid. Where they differ the rules have seen that a stand-in is no card: they
compared it by ``is``, asked for its type, or handed it to C code. To name the line both runs are
followed step by step of the interpreter; they part just after it.

Suits that are said to be alike are checked the same way (:mod:`infoset.vectorized.check`).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import NotRepeatable, RulesError
from infoset.objects.cards import Card, Hand
from infoset.rules.moves import CHANCE, LEAF, Lottery
from infoset.rules.play import Play
from infoset.rules.position import Asked, View, Walk
from infoset.rules.running import Limits
from infoset.text import place_text, text
from infoset.vectorized.evaluation import LOOK, Block, Computed, Frame
from infoset.vectorized.explore import VectorizedPlay, explore_vectorized
from infoset.vectorized.knowledge import Line
from infoset.vectorized.symmetry import Symmetry
from infoset.vectorized.values import MISSING, ChanceHistories, Hidden, Longs, combinations

if TYPE_CHECKING:
    from infoset.rules.game import Game

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


def plays(late: VectorizedPlay, most: int) -> Iterator[Played]:
    """Some plays at random, the same ones every time: of every end, if there are not too many."""
    chosen = random.Random(0)
    leaves = [block for block in late.blocks if block.kind == LEAF]
    if len(leaves) > most:
        leaves = chosen.sample(leaves, most)
    for leaf in leaves:
        deals = range(len(leaf.deals))
        for at in chosen.sample(deals, min(len(deals), most // len(leaves))):
            yield play_in_deal(late, leaf, int(leaf.deals.rows[at]))


def play_in_deal(late: VectorizedPlay, leaf: Block, row: int) -> Played:
    """The play that ends at a leaf, in the world of a row of its field."""
    field = leaf.deals.field
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
    views = tuple(view_of(line, field, row) for line in leaf.lines)
    exact = tuple(map(Fraction, paid))
    return Played(tuple(moves[::-1]), tuple(outcomes[::-1]), views, tuple(lotteries[::-1]), exact)


def _row(field: ChanceHistories, row: int, above: ChanceHistories) -> int:
    rows = field.rows_in(above)
    return row if rows is None else int(rows[row])


def view_of(line: Line, field: ChanceHistories, row: int) -> View:
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


CALLS = 1 << 18  # of a function, at most; of more combinations, some are chosen
FEW = 8  # suspects of a function that are followed up

Suspect = tuple[ChanceHistories, int, int]  # a field, a row of it, a permutation


def suspects(computed: Sequence[Computed], symmetry: Symmetry) -> Iterator[Suspect]:
    """Worlds in which a function of cards is not the same with suits exchanged."""
    for function, terms, result in computed:
        if any(isinstance(one, Hidden) and _has_cards(one) for one in terms):
            rows, codes, found = _occurring(terms, result, max(1, CALLS // len(symmetry)))
            odd = _odd(function, terms, codes, [result.table[one] for one in found], symmetry)
            for _, (at, order) in zip(range(FEW), odd, strict=False):
                yield result.field, int(rows[at]), order


def _has_cards(hidden: Hidden) -> bool:
    return any(value.__class__ in (Card, Hand, tuple, frozenset) for value in hidden.table)


def _occurring(
    terms: Sequence[Any], result: Hidden, most: int
) -> tuple[Longs, list[list[int]], list[int]]:
    """Combinations that were computed: a row of each, codes of the operands, code of the result."""
    hidden = [one for one in terms if isinstance(one, Hidden)]
    rows = np.flatnonzero(result.codes >= 0)
    if result.base is not None:
        known = np.array([value is not MISSING for value in result.table], bool)
        codes = result.codes[rows]
        inside = codes < len(known)
        rows = rows[inside][known[codes[inside]]]
    columns = []
    for one in hidden:
        above = result.field.rows_in(one.field)
        columns.append(one.codes[rows if above is None else above[rows]])
    first, _ = combinations(columns, [len(one.table) for one in hidden])
    if len(first) > most:
        first = np.sort(random.Random(2).sample(first.tolist(), most))
    return rows[first], [one[first].tolist() for one in columns], result.codes[rows[first]].tolist()


def _odd(
    function: Any,
    terms: Sequence[Any],
    codes: list[list[int]],
    found: list[Any],
    symmetry: Symmetry,
) -> Iterator[tuple[int, int]]:
    """Combinations, by their number, and permutations that do not go together."""
    for order in range(1, len(symmetry)):
        taken = iter(codes)
        values = [
            map([symmetry.moved(value, order) for value in one.table].__getitem__, next(taken))
            if isinstance(one, Hidden)
            else repeat(one, len(found))
            for one in terms
        ]
        for at, (result, given) in enumerate(zip(found, zip(*values, strict=True), strict=True)):
            if not _same(function, given, symmetry.moved(result, order)):
                yield at, order


def _same(function: Any, given: tuple[Any, ...], expected: Any) -> bool:
    try:
        return bool(function(*given) == expected)
    except Exception:  # it makes no sense there, or cannot be compared
        return False


MOVED = 1024  # plays that are run again with suits exchanged, at most
ENDS = 32  # of which there is a play in a suspect world


def check_symmetry(name: str, late: VectorizedPlay, rules: Rules, symmetry: Symmetry) -> None:
    """Run some plays again with suits exchanged; an error if one of them is not the same."""
    chosen = random.Random(1)
    exchange = _Exchange(name, late, rules, symmetry)
    if len(symmetry) > 1:
        for one in plays(late, MOVED):
            exchange.check(one, chosen.randrange(1, len(symmetry)))
        for one, order in _suspected(late, symmetry):
            exchange.check(one, order)


def _suspected(late: VectorizedPlay, symmetry: Symmetry) -> Iterator[tuple[Played, int]]:
    """Plays in worlds where a function of cards tells suits apart, one of every end."""
    chosen = random.Random(2)
    leaves = [block for block in late.blocks if block.kind == LEAF]
    for field, row, order in suspects(late.computed, symmetry):
        below = [leaf for leaf in leaves if _is_below(leaf.deals.field, field)]
        for leaf in chosen.sample(below, min(len(below), ENDS)):
            there = np.flatnonzero(leaf.deals.along(field) == row)
            if len(there):
                at = int(there[chosen.randrange(len(there))])
                yield play_in_deal(late, leaf, int(leaf.deals.rows[at])), order


def _is_below(field: ChanceHistories | None, other: ChanceHistories) -> bool:
    while field is not None and field.depth > other.depth:
        field = field.up
    return field is other


class _Exchange:
    """Runs plays with suits exchanged, which must be the same but for the exchanged cards."""

    def __init__(self, name: str, late: VectorizedPlay, rules: Rules, symmetry: Symmetry) -> None:
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
            f"{self.name}: the deck declares {symmetry}, but the rules treat them differently: the"
            f" play {first} pays {_amounts(played.payoffs)}, and with"
            f" {_exchanged(symmetry, order)} exchanged it {said}; leave out alike=, or change the"
            " rules"
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


PLAYS = 256  # that are run again, at most
AGAIN = 8  # times that a play is run where it went wrong, to see whether it repeats

_PACKAGE = Path(__file__).parent.parent
_ENGINE = tuple(str(_PACKAGE / part) for part in ("rules", "objects", "vectorized"))


def run_vectorized(game: Game, limits: Limits, *, fold: bool = False) -> VectorizedPlay:
    """Run the rules of a game for all deals at once, and check some plays against plain runs.

    Parameters
    ----------
    game
        The game. It is checked once without and once with ``fold``.
    limits
        How far to go.
    fold
        Keep one of each class of deals that differ by a permutation of interchangeable suits.

    Returns
    -------
    VectorizedPlay
        With the blocks of nodes, from which a tree or a public form is made.

    Raises
    ------
    RulesError
        If the rules do not treat vectorized values as the plain ones, or suits as interchangeable
        that the deck declares so.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> found = run_vectorized(kuhn(), Limits())
    >>> found.runs, found.nodes, len(found.blocks)
    (5, 55, 10)

    """
    run = explore_vectorized(game, limits, fold=fold)
    folded = run.symmetry is not None
    if folded not in game.checked:  # that suits are interchangeable is checked separately
        check(repr(game), run, game.rules)
        game.checked.add(folded)
    return run


def check(name: str, late: VectorizedPlay, rules: Rules) -> None:
    """Run some plays again, deal by deal; the same ones every time."""
    for played in plays(late, PLAYS):
        walk, same = _walked(late, rules, played)
        if not same:
            others = [_walked(late, rules, played)[0] for _ in range(AGAIN)]
            if any((one.told, one.came_to) != (walk.told, walk.came_to) for one in others):
                raise NotRepeatable(
                    f"{name}: the same play, run twice, went two ways ({place_text(walk.told)});"
                    " rules must depend on nothing but their parameters and g's answers"
                )
            line = _parting(late, rules, played)
            where = f"at {line} " if line else ""
            raise RulesError(
                f"{name}: the vectorized run differs from a plain one ({place_text(walk.told)});"
                f" {where}the rules use `is`, a type or C code on a vectorized value, or a function"
                " given to g.map depends on more than its values; use ==, or g.map(f, ...), or"
                " leave out vectorized=True"
            )
    if late.symmetry is not None:
        check_symmetry(name, late, rules, late.symmetry)


def _walked(late: VectorizedPlay, rules: Rules, played: Played) -> tuple[Plain, bool]:
    """The play once more with plain values, and whether it is the same."""
    walk = Plain(late.seats, played.moves)
    try:
        paid = walk.result(rules)
    except (Exception, Asked):  # the rules ask for something else, or fail where they did not
        return walk, False
    views = tuple(walk.view(agent) for agent in range(len(late.agents)))
    walk.came_to = (paid, views, tuple(walk.lotteries))
    return walk, walk.came_to == (played.payoffs, played.views, played.lotteries)


# -------------------------------------------------------------------- the line


def _parting(late: VectorizedPlay, rules: Rules, played: Played) -> str:
    """The line of the rules after which a plain run and a late one part; empty if unknown."""
    again = VectorizedPlay(late.seats, Limits(max_nodes=1 << 60), looking=late.looking)
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
            own = id(frame.f_back) in inside and not code.co_filename.startswith(_ENGINE)
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
