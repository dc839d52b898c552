"""Dominated strategies, and their iterated elimination, exactly.

Let M be a player's payoffs, a row for each strategy and a column for each combination of the
others' strategies. A mixture x of strategies dominates the strategy s

    strictly  if  (x M)_o >  M[s, o]  for all columns o,
    weakly    if  (x M)_o >= M[s, o]  for all columns, and not all of them are equal.

A strategy is strictly dominated exactly if it is no best response to any belief about what the
others do, correlated or not; weakly, if to none that gives every column a positive probability
(Pearce 1984, lemmas 3 and 4).

1. *Pure strategies.* Only the order of payoffs matters, so they are replaced by their ranks, which
   are small. The row with the largest sum of ranks is dominated by no other; it is kept, all rows
   below it go, and so on. What is left, the *front*, dominates all that is dominated.
2. *Mixtures.* If any mixture dominates s, then one of strategies in the front does. With
   D[t, o] = M[t, o] - M[s, o], s itself (a row of zeros) among the t, two linear programs decide:

       weakly      maximize  sum of (x D)_o   subject to  x D >= 0,  x >= 0,  sum of x = 1
       strictly    maximize  e                subject to  x D >= e,  x >= 0,  sum of x = 1

   s is dominated if the optimum is positive. It is found in floats and proved in integers
   (:mod:`infoset.linear.program`); where floats fail, exact pivots find it.

Most strategies need no program: one that is best in some column is not strictly dominated, and one
that is best there alone is not dominated at all.

*Iterated elimination.* A player who is rational does not play a strictly dominated strategy. One
who knows that the others are rational knows that they do not, and so may find that more is
dominated in the game that is left; and so on (Luce & Raiffa 1957; Bernheim 1984; Pearce 1984). Let
S be the remaining strategies:

    repeat    remove from S every strategy that is dominated in the game of S
    until     none is

*Strictly.* The order does not matter: what is left is the same in whatever order strategies are
removed, one at a time or all at once (Gilboa, Kalai & Zemel 1990). A strategy that is removed is
played in no equilibrium, mixed ones included, so the equilibria of the rest are those of the game.
With two players the remaining strategies are the *rationalizable* ones; with more, the correlated
rationalizable ones, for which beliefs about two others may be correlated.

*Weakly.* Here the order does matter (Osborne & Rubinstein 1994, section 4.3, have an example),
and equilibria may get lost, though every equilibrium of the rest is one of the game. Unless told
otherwise, all weakly dominated strategies of all players are removed together, round by round
(Moulin 1979). Strategies that always pay the same do not dominate each other: both stay.

A game is *dominance solvable* if all that is left pays everyone the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable, ParameterError, nearest
from infoset.forms.normal import NormalForm, restricted
from infoset.linear import highs
from infoset.linear.lifting import Budget
from infoset.linear.numbers import BEYOND_FLOATS, ROOM, Array, Numbers, bound, fitted
from infoset.linear.pivoting import ALONE, ExactTableau
from infoset.linear.program import Program, vertex
from infoset.linear.refinement import refined
from infoset.linear.sparse import Sparse
from infoset.text import brief, times_text

Ranks = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int64]

FEW_STRATEGIES = 200  # of a player, up to which mixtures are examined
FEW_ENTRIES = 20_000  # and of its payoffs, up to which they are
MOST_COMPARISONS = 500_000_000  # of payoffs; some seconds
BLOCK = 16  # columns compared at a time: mostly a few of them decide

NO_MIXTURES = "mixtures were not looked at"
NOTHING = "dominance was not looked at"


@dataclass(frozen=True)
class Dominated:
    """How a strategy is dominated."""

    strictly: bool  # or weakly
    by: tuple[tuple[int, Fraction], ...]  # strategies and their weights; a single one has weight 1

    @property
    def pure(self) -> bool:
        """By one strategy alone?"""
        return len(self.by) == 1


@dataclass(frozen=True, eq=False)
class Dominance:
    """All dominated strategies of a player, by number."""

    form: NormalForm
    player: int
    found: Mapping[int, Dominated]
    note: str = ""  # what was not examined, and why


def dominated(
    form: NormalForm,
    player: int | str,
    *,
    weakly: bool = True,
    few: int = FEW_STRATEGIES,
    most: int = MOST_COMPARISONS,
) -> Dominance:
    """The dominated strategies of a player, by number or name, and what dominates them.

    The most is said that holds: strictly rather than weakly; then by a pure strategy, the first one
    that no other dominates, rather than by a mixture. Of mixtures it is the one whose least gain is
    largest; where that is zero, the one whose gains have the largest sum. Only strict dominance is
    looked at where not ``weakly``, mixtures if there are ``few`` strategies at most, pure ones up
    to ``most`` comparisons; the note says what was left out. Either takes a few seconds at most.
    Strategies that always pay the same do not dominate each other.

    >>> from infoset.forms import normal_form
    >>> from infoset.games import prisoners_dilemma
    >>> dominated(normal_form(prisoners_dilemma().tree()), "row").found
    {0: Dominated(strictly=True, by=((1, Fraction(1, 1)),))}
    """
    number = form.tree.player_number(player) if isinstance(player, str) else player
    table = np.moveaxis(form.numerators[number], number, 0).reshape(form.shape[number], -1)
    columns, _ = _distinct(table.T)
    rows, kind = _distinct(table[:, columns])
    table = table[np.ix_(rows, columns)]
    ranks = np.unique(table, return_inverse=True)[1].reshape(table.shape).astype(np.int32)
    front = _front(ranks, most)
    if front is None:
        why = f"{form.shape[number]:,} strategies are too many to compare"
        return Dominance(form, number, {}, f"{NOTHING}: {why}")
    found = _by_pure(ranks, front)
    if not weakly:
        found = {row: how for row, how in found.items() if how.strictly}
    note = ""
    if form.shape[number] > few:
        note = f"{NO_MIXTURES}: {form.shape[number]:,} strategies, more than {few:,}"
    elif len(front) * len(columns) > FEW_ENTRIES:
        note = f"{NO_MIXTURES}: {len(front):,} × {len(columns):,} payoffs"
    else:
        found |= _by_mixtures(table, ranks, front, found, weakly)
    named = {row: _renumbered(how, rows) for row, how in found.items()}
    of_all = {at: named[row] for at, row in enumerate(kind.tolist()) if row in named}
    return Dominance(form, number, of_all, note)


def _distinct(rows: Array) -> tuple[Indices, Indices]:
    """The first of each kind of equal rows, and the kind of each row."""
    seen: dict[object, int] = {}
    first: list[int] = []
    kind = []
    for at, row in enumerate(rows):
        key = tuple(row.tolist()) if rows.dtype == object else row.tobytes()
        if seen.setdefault(key, len(first)) == len(first):
            first.append(at)
        kind.append(seen[key])
    return np.array(first, np.int64), np.array(kind, np.int64)


def _renumbered(how: Dominated, rows: Indices) -> Dominated:
    return Dominated(how.strictly, tuple((int(rows[row]), weight) for row, weight in how.by))


# ---------------------------------------------------------------------- pure strategies


def _front(ranks: Ranks, most: int) -> Indices | None:
    """The rows that no other one dominates, in order; None if there is too much to compare."""
    left = np.argsort(-ranks.sum(axis=1, dtype=np.int64), kind="stable")
    front = []
    work = 0
    while len(left):
        work += len(left) * min(ranks.shape[1], BLOCK)
        if work > most:
            return None
        best, left = int(left[0]), left[1:]
        front.append(best)
        left = _without(left, _below(ranks, left, best), len(ranks))
    return np.sort(np.array(front, np.int64))


def _below(ranks: Ranks, rows: Indices, best: int) -> Indices:
    """Those of some rows that are nowhere above a row; rows being distinct, it dominates them."""
    for start in range(0, ranks.shape[1], BLOCK):
        part = slice(start, start + BLOCK)
        rows = rows[(ranks[rows, part] <= ranks[best, part]).all(axis=1)]
        if not len(rows):
            break
    return rows


def _without(rows: Indices, gone: Indices, count: int) -> Indices:
    """Some of ``count`` rows less some others, in the same order."""
    kept = np.ones(count, np.bool_)
    kept[gone] = False
    return rows[kept[rows]]


def _by_pure(ranks: Ranks, front: Indices) -> dict[int, Dominated]:
    """By row: the first of the front that dominates it, strictly if one does."""
    found: dict[int, Dominated] = {}
    left = _without(np.arange(len(ranks)), front, len(ranks))
    for best in front.tolist():
        below = _below(ranks, left, best)
        strictly = (ranks[below] < ranks[best]).all(axis=1)
        for row, strict in zip(below.tolist(), strictly.tolist(), strict=True):
            if strict or row not in found:
                found[row] = Dominated(strict, ((best, Fraction(1)),))
        left = _without(left, below[strictly], len(ranks))
    return found


# ---------------------------------------------------------------------- mixtures


def _by_mixtures(
    table: Array, ranks: Ranks, front: Indices, known: Mapping[int, Dominated], weakly: bool
) -> dict[int, Dominated]:
    """By row: a mixture of the front, where it says more than is known."""
    if bound(table) * 2 * table.size >= ROOM:  # differences, and their sums, should fit
        table = table.astype(object)
    best = ranks == ranks[front].max(axis=0)
    alone = best & (best[front].sum(axis=0) == 1)
    found = {}
    for row in range(len(table)):
        how = known.get(row)
        if (alone if weakly else best)[row].any() or (how is not None and how.strictly):
            continue
        others = front[front != row]
        gains = table[others] - table[row]
        loose = _mixture(gains, strictly=False) if weakly and how is None else None
        if weakly and how is None and loose is None:
            continue  # not even weakly
        tight = None if best[row].any() else _mixture(gains, strictly=True)
        weights = loose if tight is None else tight
        if weights is not None:
            pairs = zip(others.tolist(), weights, strict=True)
            by = tuple((other, weight) for other, weight in pairs if weight)
            found[row] = Dominated(tight is not None, by)
    return found


def _mixture(gains: Array, *, strictly: bool) -> list[Fraction] | None:
    """The weights of the mixture that gains most, by the least or by the sum; None if none gains.

    ``gains`` are those of the other strategies. The weight of the strategy itself is what the
    others leave of 1: a slack, and all on it is where exact pivots start from.
    """
    shared = gcd(*map(int, gains.ravel()))
    gains = gains // shared if shared > 1 else gains
    count, columns = gains.shape
    grid = np.zeros((columns + 1, count + 1), gains.dtype)  # of the weights, and of e
    grid[:columns, :count] = gains.T
    grid[columns, :count] = -1
    goal = np.zeros(count + 1, gains.dtype)
    if strictly:
        grid[:columns, count] = -1
        goal[count] = 1
    else:
        goal[:count] = gains.sum(axis=1)
    best = _best_by_floats(grid, goal)
    best = _best_by_pivots(grid, goal) if best is None else best
    if not sum(amount * value for amount, value in zip(goal.tolist(), best, strict=True)):
        return None
    total = sum(best[:count])
    return [weight / total for weight in best[:count]]


def _best_by_floats(grid: Array, goal: Array) -> list[Fraction] | None:
    """Maximize goal'v subject to grid v >= (0, ..., 0, -1) and v >= 0; None if floats fail."""
    largest = max(bound(grid.ravel()), 1)
    if largest >= BEYOND_FLOATS:
        return None
    unit = 2.0 ** (largest.bit_length() - 1)
    last_row, last_column = (np.arange(size) == size - 1 for size in grid.shape)
    side = np.where(last_row, -1, 0)
    program = Program(
        matrix=_sparse(grid),
        cost=fitted(-goal),
        side=side,
        equal=np.zeros(len(side), np.bool_),
        free=np.zeros(len(goal), np.bool_),
        row_unit=np.where(last_row, 1.0, 1 / unit),
        column_unit=np.where(last_column, unit, 1.0),
        cost_unit=1 / unit,
    )
    answer, budget = highs.minimize(program), Budget()
    corner = None if answer.basis is None else vertex(program, answer.basis, budget)
    if corner is None or not corner.optimal:
        corner = refined(program, answer, budget)
    return None if corner is None else corner.primal.values()


def _sparse(grid: Array) -> Sparse:
    rows, columns = np.nonzero(grid)
    return Sparse(rows, columns, Numbers(fitted(grid[rows, columns])), grid.shape)


def _best_by_pivots(grid: Array, goal: Array) -> list[Fraction]:
    """The same by the simplex method in integers.

    All weights are zero at first, which is feasible. What is to be maximized is one more basic
    variable; raising it, no pivot lets it leave. Of the variables that raise it the first enters,
    of those that tie the first leaves: so no basis returns (Bland 1977).
    """
    rows, columns = grid.shape
    names = np.arange(columns + rows + 1)
    rhs = [0] * (rows - 1) + [1, 0]
    table = ExactTableau(
        np.vstack((grid, goal)), rhs, names[columns:], names[:columns], [ALONE] * len(names)
    )
    while True:
        raising = [at for at in range(columns) if table.entry(rows, at) > 0]
        if not raising:
            break
        entering = min(raising, key=lambda at: int(table.columns[at]))
        leaving = min(table.tied(entering), key=lambda row: int(table.rows[row]))
        table.exchange(leaving, entering)
    places = [table.place(variable) for variable in range(columns)]
    return [table.value(place) if place >= 0 else Fraction(0) for place in places]


KINDS = STRICT, WEAK = "strict", "weak"
MEANS = PURE, MIXED = "pure", "mixed"

Strategy = tuple[int | str, int | str]  # a player and a strategy of it, by number or in words


@dataclass(frozen=True)
class Removed:
    """A strategy that was removed, and what dominated it then; numbers are those of the form."""

    player: int
    strategy: int
    how: Dominated


@dataclass(frozen=True, eq=False, repr=False)
class Elimination:
    """What was removed from a normal form, round by round, and what is left."""

    form: NormalForm
    kind: str  # "strict" or "weak"
    by: str  # "pure" or "mixed" strategies
    rounds: tuple[tuple[Removed, ...], ...]
    left: tuple[tuple[int, ...], ...]  # [player] numbers of strategies
    note: str = ""  # what was not examined, and why: then more may be dominated

    @cached_property
    def rest(self) -> NormalForm:
        """The normal form of what is left."""
        return restricted(self.form, self.left)

    @property
    def solvable(self) -> bool:
        """Does all that is left pay everyone the same?"""
        return all(bool((paid == paid.flat[0]).all()) for paid in self.rest.numerators)

    @property
    def removed(self) -> tuple[Removed, ...]:
        """All that was removed, in order."""
        return tuple(one for several in self.rounds for one in several)

    def labels(self, player: int | str) -> tuple[str, ...]:
        """What is left to a player, in words."""
        number = self.form.tree.player_number(player) if isinstance(player, str) else player
        words = self.form.labels(number)
        return tuple(words[strategy] for strategy in self.left[number])

    def __str__(self) -> str:
        from infoset.display.show import elimination_text

        return elimination_text(self)

    def _repr_html_(self) -> str:
        from infoset.display.show import elimination_html

        return elimination_html(self)

    def __repr__(self) -> str:
        sizes = times_text(map(len, self.left))
        rounds = f"{len(self.rounds)} round{'s' * (len(self.rounds) != 1)}"
        name = brief(self.form.tree.name)
        return f"<Elimination of {name}, {self.kind}: {rounds}, {sizes} left>"


def eliminate(
    form: NormalForm,
    kind: str = STRICT,
    *,
    by: str = MIXED,
    order: Iterable[int | str | Strategy] = (),
) -> Elimination:
    """Remove dominated strategies, round by round, until none is left.

    ``kind`` is "strict" or "weak" (which includes strict). Strategies are dominated ``by`` "pure"
    strategies alone, or by "mixed" ones, too. A round removes all of every player's. With an
    ``order`` of players, by number or name, a round looks at one of them alone, in turn; who is not
    named keeps everything. An order that begins with (player, strategy) pairs removes these first,
    one a round, each of which must be dominated by then; strategies go by number or in words.

    >>> from infoset.forms import normal_form
    >>> from infoset.games import prisoners_dilemma
    >>> done = eliminate(normal_form(prisoners_dilemma().tree()))
    >>> done
    <Elimination of prisoners_dilemma(), strict: 1 round, 1 × 1 left>
    >>> done.labels("row"), done.labels("column"), done.solvable
    (('defect',), ('defect',), True)
    """
    if not isinstance(form, NormalForm):
        raise ParameterError(f"{form!r:.60} is no normal form; normal_form(tree) makes one")
    if not isinstance(order, Iterable):
        raise ParameterError(f"order={order!r:.60}: players, or (player, strategy) pairs")
    for name, given, known in (("kind", kind, KINDS), ("by", by, MEANS)):
        if given not in known:
            raise ParameterError(f"{name}={given!r:.60}: {nearest(str(given), known)}")
    away = _Away(form, kind, by)
    turns: list[int] = []
    for entry in order:
        if isinstance(entry, tuple):
            if turns:
                raise ParameterError("order: strategies come first, then players in turn")
            away.one(*away.numbers(entry))
        else:
            turns.append(away.player(entry))
    away.in_turn(turns) if turns else away.together()
    note = "; ".join(f"{form.tree.names[at]}: {said}" for at, said in sorted(away.unseen.items()))
    left = tuple(tuple(own) for own in away.left)
    return Elimination(form, kind, by, tuple(away.rounds), left, note)


class _Away:
    """Strategies on their way out."""

    def __init__(self, form: NormalForm, kind: str, by: str) -> None:
        self.form = form
        self.kind = kind
        self.by = by
        self.left = [list(range(size)) for size in form.shape]
        self.rounds: list[tuple[Removed, ...]] = []
        self.unseen: dict[int, str] = {}  # by player: what was not looked at the last time

    def together(self) -> None:
        """Remove all that is dominated, of every player, until there is no more."""
        everyone = range(len(self.left))
        while found := [one for player in everyone for one in self.found(player)]:
            self.remove(found)

    def in_turn(self, players: Sequence[int]) -> None:
        """Go round the players, and remove what is dominated of one at a time."""
        idle = at = 0
        while idle < len(players):
            found = self.found(players[at % len(players)])
            idle = 0 if found else idle + 1
            at += 1
            self.remove(found)

    def one(self, player: int, strategy: int) -> None:
        """Remove one strategy, if it is dominated."""
        found = [one for one in self.found(player) if one.strategy == strategy]
        if not found:
            words = self.form.labels(player)[strategy]
            gone = strategy not in self.left[player]
            why = "is gone already" if gone else f"is not dominated ({self.kind}) by then"
            place = f"{self.form.tree.name}: order: {brief(words)!r} of {self.name(player)}"
            raise NotApplicable(f"{place} {why}; leave it out, or put others before it")
        self.remove(found)

    def found(self, player: int) -> list[Removed]:
        """What is dominated of a player's strategies among those that are left."""
        rest = restricted(self.form, self.left)
        own = self.left[player]
        weakly = self.kind == WEAK
        if self.by == PURE:
            look = dominated(rest, player, weakly=weakly, few=0)
        else:
            look = dominated(rest, player, weakly=weakly)
        self._remember(player, look)
        return [
            Removed(player, own[at], _renamed(how, own)) for at, how in sorted(look.found.items())
        ]

    def _remember(self, player: int, look: Dominance) -> None:
        self.unseen.pop(player, None)
        if look.note and not (self.by == PURE and look.note.startswith(NO_MIXTURES)):
            self.unseen[player] = look.note

    def remove(self, found: Sequence[Removed]) -> None:
        """A round, if anything was found for it."""
        if not found:
            return
        self.rounds.append(tuple(found))
        for one in found:
            self.left[one.player].remove(one.strategy)

    def player(self, given: int | str) -> int:
        """A player's number."""
        if isinstance(given, str):
            return self.form.tree.player_number(given)
        if not isinstance(given, int) or not 0 <= given < len(self.left):
            count = len(self.left)
            raise ParameterError(
                f"order: no player {given!r:.60}; they are counted 0 to {count - 1}"
            )
        return given

    def name(self, player: int) -> str:
        """A player's name, in one line."""
        return brief(self.form.tree.names[player])

    def numbers(self, given: Strategy) -> tuple[int, int]:
        """The numbers of a player and of a strategy."""
        if len(given) != 2:
            raise ParameterError(f"order: {given!r:.60} is no pair of a player and a strategy")
        player, strategy = self.player(given[0]), given[1]
        if isinstance(strategy, int):
            self.form.plan(player, strategy)  # says which there are
            return player, strategy
        words = self.form.labels(player)
        if strategy not in words:
            hint = nearest(str(strategy), words)
            raise ParameterError(
                f"order: {self.name(player)} has no strategy {strategy!r:.60}; {hint}"
            )
        return player, words.index(strategy)


def _renamed(how: Dominated, own: Sequence[int]) -> Dominated:
    return Dominated(how.strictly, tuple((own[at], weight) for at, weight in how.by))
