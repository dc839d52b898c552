"""The check of vectorized runs: some plays are run again, deal by deal, with plain values.

**Plain runs.** Some leaves of the blocks, each in one of its deals, are plays that are run once
more by themselves. Everything is compared: facts, menus, lotteries, payoffs. Where they differ, the
rules have distinguished a vectorized value from a card: by ``is``, its type, or C code. To name the
line, both runs are followed step by step of the interpreter; they diverge just after it.

**Suits.** Suits that a deck declares interchangeable are checked the same way: a play, and the play
with suits permuted, must be the same except for the permuted cards. Random plays hardly ever meet a
rule for one deal in a million. Functions do: whatever the rules do with cards without a look is a
function that was computed for every combination of values that occurs. If suits are
interchangeable, a permutation commutes with the function,

    f(permuted x) = permuted f(x)         for every permutation and every x that occurs,

and since one x of every class occurs in a folded run, and all permutations are tried, this tests
the whole game. A function that fails the test need not matter: one that sorts cards prefers a suit,
and what follows from the order may be the same. So it makes its deals *suspects*, in which plays
are run with suits permuted.
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
from infoset.vectorized.evaluation import LOOK, Computed, Frame, KeptValue, NodeBlock
from infoset.vectorized.explore import VectorizedPlay, explore_vectorized
from infoset.vectorized.knowledge import Pattern
from infoset.vectorized.symmetry import Symmetry
from infoset.vectorized.values import MISSING, ChanceHistories, Longs, ValueColumn, combinations

if TYPE_CHECKING:
    from infoset.rules.game import Game

Rules = Callable[[Play], object]


CHECKED = 256  # that are run again, at most
REPEATS = 8  # times that a play is run where it differed, to see whether it repeats

_PACKAGE = Path(__file__).parent.parent
_ENGINE = tuple(str(_PACKAGE / part) for part in ("rules", "objects", "vectorized"))
CALLS = 1 << 18  # of a function, at most; of more combinations, some are chosen
FEW = 8  # suspects of a function that are followed up
PERMUTED = 1024  # plays that are run again with suits permuted, at most
LEAVES_FOLLOWED = 32  # of which there is a play in a suspect deal


@dataclass(frozen=True)
class SampledPlay:
    """A play of the blocks in one of its deals."""

    moves: tuple[Any, ...]
    outcomes: tuple[int, ...]  # of chance moves: which one, by its number
    views: tuple[View, ...]  # [agent] all that it knows in the end
    lotteries: tuple[Lottery, ...]
    payoffs: tuple[Fraction, ...]


class PlainWalk(Walk):
    """A walk that keeps the lotteries that it meets, and what it found in the end."""

    __slots__ = ("found", "lotteries")

    def __init__(self, seats: Any, moves: Any) -> None:
        super().__init__(seats, moves)
        self.lotteries: list[Lottery] = []
        self.found: Any = None  # payoffs, views, lotteries; None if the rules diverged

    def _drawn(self, make: Callable[..., Lottery], *terms: Any) -> Any:
        lottery = make(*terms)
        self.lotteries.append(lottery)
        return super()._drawn(lambda: lottery)


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


def check(name: str, run: VectorizedPlay, rules: Rules) -> None:
    """Run some plays again with plain values; the same ones every time."""
    for played in sampled_plays(run, CHECKED):
        try:
            walk, same = _walked(run, rules, played)
        except KeptValue as error:
            raise RulesError(f"{name}: {error}") from None
        if not same:
            others = [_walked(run, rules, played)[0] for _ in range(REPEATS)]
            if any((one.history, one.found) != (walk.history, walk.found) for one in others):
                raise NotRepeatable(
                    f"{name}: the same play, run twice, went two ways ({place_text(walk.history)});"
                    " rules must depend on nothing but their parameters and g's answers"
                )
            line = _divergence(run, rules, played)
            where = f"at {line} " if line else ""
            raise RulesError(
                f"{name}: the vectorized run differs from a plain one ({place_text(walk.history)});"
                f" {where}the rules use `is`, a type or C code on a vectorized value, or a function"
                " given to g.map depends on more than its values; use ==, or g.map(f, ...), or"
                " leave out vectorized=True"
            )
    if run.symmetry is not None:
        check_symmetry(name, run, rules, run.symmetry)


def _walked(run: VectorizedPlay, rules: Rules, played: SampledPlay) -> tuple[PlainWalk, bool]:
    """The play once more with plain values, and whether it is the same."""
    walk = PlainWalk(run.seats, played.moves)
    try:
        paid = walk.result(rules)
    except KeptValue:
        raise
    except (Exception, Asked):  # the rules ask for something else, or fail where they did not
        return walk, False
    views = tuple(walk.view(agent) for agent in range(len(run.agents)))
    walk.found = (paid, views, tuple(walk.lotteries))
    return walk, walk.found == (played.payoffs, played.views, played.lotteries)


# -------------------------------------------------------------------- sampled plays


def sampled_plays(run: VectorizedPlay, most: int) -> Iterator[SampledPlay]:
    """Some plays at random, the same ones every time: of every leaf, if there are not too many."""
    chosen = random.Random(0)
    leaves = [block for block in run.blocks if block.kind == LEAF]
    if len(leaves) > most:
        leaves = chosen.sample(leaves, most)
    for leaf in leaves:
        deals = range(len(leaf.deals))
        for at in chosen.sample(deals, min(len(deals), most // len(leaves))):
            yield play_in_deal(run, leaf, int(leaf.deals.rows[at]))


def play_in_deal(run: VectorizedPlay, leaf: NodeBlock, row: int) -> SampledPlay:
    """The play that ends at a leaf, in the deal of one row."""
    histories = leaf.deals.histories
    moves: list[Any] = []
    outcomes: list[int] = []
    lotteries: list[Lottery] = []
    block = leaf
    while block.parent is not None:
        above = block.parent
        if above.kind == CHANCE:
            draw = above.what
            there = _row(histories, row, draw.outcome.histories)
            moves.append(draw.outcome.table[draw.outcome.codes[there]])
            outcomes.append(int(draw.after.histories.outcome[there]))
            code = 0
            if draw.terms is not None:
                code = int(draw.terms.codes[_row(histories, row, draw.terms.histories)])
            lotteries.append(draw.lotteries[draw.place[code]])
        else:
            moves.append(above.menu[block.option])
        block = above
    paid = leaf.what
    if isinstance(paid, ValueColumn):
        paid = paid.table[paid.codes[_row(histories, row, paid.histories)]]
    views = tuple(view_of(pattern, histories, row) for pattern in leaf.patterns)
    exact = tuple(map(Fraction, paid))
    return SampledPlay(
        tuple(moves[::-1]), tuple(outcomes[::-1]), views, tuple(lotteries[::-1]), exact
    )


def _row(histories: ChanceHistories, row: int, above: ChanceHistories) -> int:
    rows = histories.rows_in(above)
    return row if rows is None else int(rows[row])


def view_of(pattern: Pattern, histories: ChanceHistories, row: int) -> View:
    """What an agent knows by a pattern in one deal."""
    gaps = [
        int(fact.codes[_row(histories, row, fact.histories)]) for fact in pattern.partition.facts
    ]
    seen: list[tuple[str, Any]] = []
    for kind, what in pattern.told(gaps):
        if kind == "took":
            menu, option = what
            seen += [("offered", menu), ("took", menu[option])]
        else:
            seen.append((kind, what))
    return tuple(seen)


# -------------------------------------------------------------------- the line


def _divergence(run: VectorizedPlay, rules: Rules, played: SampledPlay) -> str:
    """The line of the rules after which a plain run and a vectorized one diverge, if known."""
    again = VectorizedPlay(run.seats, Limits(max_nodes=1 << 60), look_first=run.look_first)
    again.guide = _Guide(played)
    walk = Walk(run.seats, played.moves)
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
        return  # how it ends is known; only the steps matter here


class _Guide:
    """Leads a vectorized run along one play in one deal."""

    def __init__(self, played: SampledPlay) -> None:
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
        histories, outcome = frame.after.histories, self.outcomes.pop(0)
        here = (histories.above == self.row) & (histories.outcome == outcome)
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


# -------------------------------------------------------------------- suits


def check_symmetry(name: str, run: VectorizedPlay, rules: Rules, symmetry: Symmetry) -> None:
    """Run some plays again with suits permuted; an error if one of them is not the same."""
    chosen = random.Random(1)
    exchange = _Exchange(name, run, rules, symmetry)
    if len(symmetry) > 1:
        for one in sampled_plays(run, PERMUTED):
            exchange.check(one, chosen.randrange(1, len(symmetry)))
        for one, permutation in _suspected(run, symmetry):
            exchange.check(one, permutation)


def _suspected(run: VectorizedPlay, symmetry: Symmetry) -> Iterator[tuple[SampledPlay, int]]:
    """Plays in deals where a function of cards distinguishes suits, one of every leaf."""
    chosen = random.Random(2)
    leaves = [block for block in run.blocks if block.kind == LEAF]
    for histories, row, permutation in suspects(run.computed, symmetry):
        below = [leaf for leaf in leaves if _is_below(leaf.deals.histories, histories)]
        for leaf in chosen.sample(below, min(len(below), LEAVES_FOLLOWED)):
            there = np.flatnonzero(leaf.deals.along(histories) == row)
            if len(there):
                at = int(there[chosen.randrange(len(there))])
                yield play_in_deal(run, leaf, int(leaf.deals.rows[at])), permutation


def _is_below(histories: ChanceHistories | None, other: ChanceHistories) -> bool:
    while histories is not None and histories.depth > other.depth:
        histories = histories.up
    return histories is other


class _Exchange:
    """Runs plays with suits permuted, which must be the same except for the permuted cards."""

    def __init__(self, name: str, run: VectorizedPlay, rules: Rules, symmetry: Symmetry) -> None:
        self.name, self.run, self.rules, self.symmetry = name, run, rules, symmetry
        self._fixed: dict[int, tuple[Lottery, bool]] = {}  # by identity: under all permutations?

    def check(self, played: SampledPlay, permutation: int) -> None:
        """Run a play with suits permuted; an error if it is not the same."""
        symmetry = self.symmetry
        walk = PlainWalk(
            self.run.seats, tuple(symmetry.moved(move, permutation) for move in played.moves)
        )
        try:
            paid: Any = walk.result(self.rules)
        except (Exception, Asked):  # the rules ask for something else, or fail
            paid = None
        if paid is None:
            said = "continues differently"
        elif paid != played.payoffs:
            said = f"pays {_amounts(paid)}"
        elif self._views(walk) != self._expected(played, permutation):
            said = "reveals other facts"
        elif not self._same_chances(walk, played, permutation):
            said = "has other probabilities"
        else:
            return
        first = ", ".join(map(text, played.moves))
        raise RulesError(
            f"{self.name}: the deck declares {symmetry}, but the rules treat them differently: the"
            f" play {first} pays {_amounts(played.payoffs)}, and with"
            f" {_exchanged(symmetry, permutation)} exchanged it {said}; leave out alike=, or change"
            " the rules"
        )

    def _views(self, walk: PlainWalk) -> tuple[View, ...]:
        return tuple(walk.view(agent) for agent in range(len(self.run.agents)))

    def _expected(self, played: SampledPlay, permutation: int) -> tuple[View, ...]:
        moved = self.symmetry.moved
        return tuple(
            tuple((kind, moved(what, permutation)) for kind, what in view) for view in played.views
        )

    def _same_chances(self, walk: PlainWalk, played: SampledPlay, permutation: int) -> bool:
        return len(walk.lotteries) == len(played.lotteries) and all(
            (one == two and self._is_fixed(two))
            or self._chances(one, 0) == self._chances(two, permutation)
            for one, two in zip(walk.lotteries, played.lotteries, strict=True)
        )

    def _is_fixed(self, lottery: Lottery) -> bool:
        """Whether a lottery is invariant under permutations of suits; of a large one, a sample."""
        if id(lottery) not in self._fixed:
            chances, values = self._chances(lottery, 0), lottery.outcomes
            if len(values) > PERMUTED:
                values = tuple(random.Random(3).sample(values, PERMUTED))
            fixed = all(
                chances.get(self.symmetry.moved(value, permutation)) == chances[value]
                for value in values
                for permutation in self.symmetry.swaps
            )
            self._fixed[id(lottery)] = (lottery, fixed)
        return self._fixed[id(lottery)][1]

    def _chances(self, lottery: Lottery, permutation: int) -> dict[Any, Any]:
        """The probabilities of a lottery with suits permuted."""
        moved, values = self.symmetry.moved, lottery.outcomes
        if permutation:
            values = tuple([moved(value, permutation) for value in values])
        return dict(zip(values, lottery.probabilities, strict=True))


def _exchanged(symmetry: Symmetry, permutation: int) -> str:
    names = symmetry.deck.suits
    pairs = enumerate(symmetry.suits[permutation])
    return ", ".join(f"{names[suit]} for {names[to]}" for suit, to in pairs if suit != to)


def _amounts(payoffs: tuple[Fraction, ...]) -> str:
    return f"({', '.join(map(str, payoffs))})"


Suspect = tuple[ChanceHistories, int, int]  # histories, a row of them, a permutation


def suspects(computed: Sequence[Computed], symmetry: Symmetry) -> Iterator[Suspect]:
    """Deals in which a function of cards does not commute with a permutation of suits."""
    for function, terms, result in computed:
        if any(isinstance(one, ValueColumn) and _has_cards(one) for one in terms):
            rows, codes, found = _occurring(terms, result, max(1, CALLS // len(symmetry)))
            odd = _odd(function, terms, codes, [result.table[one] for one in found], symmetry)
            for _, (at, permutation) in zip(range(FEW), odd, strict=False):
                yield result.histories, int(rows[at]), permutation


def _has_cards(column: ValueColumn) -> bool:
    return any(value.__class__ in (Card, Hand, tuple, frozenset) for value in column.table)


def _occurring(
    terms: Sequence[Any], result: ValueColumn, most: int
) -> tuple[Longs, list[list[int]], list[int]]:
    """Combinations that were computed: a row of each, codes of the operands, code of the result."""
    operands = [one for one in terms if isinstance(one, ValueColumn)]
    rows = np.flatnonzero(result.codes >= 0)
    if result.base is not None:
        known = np.array([value is not MISSING for value in result.table], bool)
        codes = result.codes[rows]
        inside = codes < len(known)
        rows = rows[inside][known[codes[inside]]]
    columns = []
    for one in operands:
        above = result.histories.rows_in(one.histories)
        columns.append(one.codes[rows if above is None else above[rows]])
    first, _ = combinations(columns, [len(one.table) for one in operands])
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
    """Combinations, by their number, and permutations with which the function does not commute."""
    for permutation in range(1, len(symmetry)):
        taken = iter(codes)
        values = [
            map(
                [symmetry.moved(value, permutation) for value in one.table].__getitem__, next(taken)
            )
            if isinstance(one, ValueColumn)
            else repeat(one, len(found))
            for one in terms
        ]
        for at, (result, given) in enumerate(zip(found, zip(*values, strict=True), strict=True)):
            if not _same(function, given, symmetry.moved(result, permutation)):
                yield at, permutation


def _same(function: Any, given: tuple[Any, ...], expected: Any) -> bool:
    try:
        return bool(function(*given) == expected)
    except Exception:  # it is not defined there, or cannot be compared
        return False
