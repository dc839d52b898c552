"""The public form: a tree of public states, with private information as the axes of matrices.

In a game of cards the players' moves are public, and the hands are private. So put all
information sets of a player that differ only in what is private into one *decision*: "the gambler
has passed, the dealer has bet". Where the game ends, the last decisions of both players meet, and
what is paid is a matrix over their information sets:

    entries[i, j] = sum of the probability by chance times player one's payoff, over plays that end
                    here with player one in its set i and player two in its set j.

Ends that differ only in the stake have the same matrix up to a *factor*: a *table* is kept once for
all of them, and what all of them pay is one product of matrices. Where a part of what a player
knows is known to both (a card on the board), sets meet only those with the same board, and the
table falls into *blocks*, one for each.

This is the sequence form (:mod:`infoset.forms.sequence`) with its payoff matrix in dense pieces;
plans and their constraints are the same. Payoffs of player two are ``total`` minus those of player
one.

*As sparse matrices.* A public form has its payoffs as dense blocks that many ends share, and the
constraints on plans as the numbers of the sets before. Written out they are the A, E and F of
:mod:`infoset.forms.sequence`, with the sequences in another order: decision by decision, and in a
decision option by option. Each end adds its table, times its factor, at the place where the last
choices of both players cross:

    A[sequence of (d, o, i), sequence of (d', o', j)] += factor * entries[i, j].

This is as large as the game; it serves exact linear programs, and tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.errors import InfosetError, TooLarge, nearest
from infoset.forms.public.labels import PublicLabels
from infoset.linear.numbers import Array, Numbers, fitted, multiplied
from infoset.linear.sparse import Sparse
from infoset.objects.cards import Deck
from infoset.rules.moves import Menu
from infoset.text import brief
from infoset.tree.knowledge import Word

if TYPE_CHECKING:
    from infoset.rules.game import Game

Longs = npt.NDArray[np.int64]
NOT_YET = -1  # instead of a decision: the player has chosen nothing so far


@dataclass(frozen=True)
class Meeting:
    """How a player's sets at a decision meet the other's: a table of probabilities by chance.

    Rows are sets of player one, columns of player two, whoever moves: on the side of the mover
    those of its decision, on the other side those where the other player chose last.
    """

    last: tuple[int, int]  # the other player's last choice: decision and option; (NOT_YET, 0)
    table: int
    factor: Fraction  # times an entry of the table: the probability by chance


@dataclass(frozen=True, eq=False)
class Decision:
    """A public state at which a player moves, with all information sets that it may be at."""

    player: int
    menu: Menu
    after: int  # the player's decision before this one, an index into its decisions; or NOT_YET
    option: int  # which option was taken there; 0 if there is none
    before: Longs  # [set] which set it was there; 0 if there is none
    stands_for: Longs  # [set] how many information sets of the whole game it stands for
    words: Sequence[tuple[Word, ...]]  # [set] what the player knows, made when it is looked at
    meetings: tuple[Meeting, ...]  # how its sets meet the other player's

    def __len__(self) -> int:
        """The number of information sets."""
        return len(self.before)


@dataclass(frozen=True, eq=False)
class Block:
    """A dense piece of a table: the sets of both players that can meet."""

    rows: Longs  # sets of player one's decision
    columns: Longs  # sets of player two's decision
    entries: npt.NDArray[Any]  # [row, column] integers: int64, or Python's if they are large


@dataclass(frozen=True, eq=False)
class PayoffTable:
    """What is paid at some ends, up to a factor; sets that are in no block never meet."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class PublicLeaf:
    """Where plays end: the last choice of both players, and what is paid."""

    last: tuple[tuple[int, int], tuple[int, int]]  # [player] decision and option; (NOT_YET, 0)
    table: int
    factor: Fraction  # times an entry of the table: probability times player one's payoff


@dataclass(frozen=True)
class PublicCounts:
    """The size of the tree that a public form represents, counted and not built."""

    nodes: int
    chance: int
    leaves: int
    decisions: tuple[int, int]  # [player] nodes at which it moves
    infosets: tuple[int, int]
    sequences: tuple[int, int]  # with the empty one


@dataclass(frozen=True, eq=False, repr=False)
class PublicForm:
    """A two-player constant-sum game, by public states."""

    name: str
    players: tuple[str, str]
    decisions: tuple[tuple[Decision, ...], tuple[Decision, ...]]  # [player] earlier ones first
    tables: tuple[PayoffTable, ...]
    leaves: tuple[PublicLeaf, ...]
    total: Fraction  # what both get together, at every end
    counts: PublicCounts
    folded: str = ""  # what was folded, in words; empty if nothing
    deck: Deck | None = None  # the one of which suits were taken as alike, if any were
    game: Game | None = None  # that it was built from, if that is known

    def __repr__(self) -> str:
        sets = sum(self.infosets)
        return (
            f"<Public form of {brief(self.name)}: {self.counts.nodes:,} nodes,"
            f" {sets:,} information sets, {len(self.tables):,} tables>"
        )

    @property
    def names(self) -> tuple[str, str]:
        """The players, by the name that trees have for this."""
        return self.players

    @cached_property
    def infosets(self) -> tuple[int, int]:
        """[player] information sets that are kept; fewer than the game has, if it is folded."""
        one, two = (sum(map(len, own)) for own in self.decisions)
        return one, two

    @cached_property
    def sequences(self) -> tuple[int, int]:
        """[player] the sequences of the form, the empty one included."""
        one, two = (1 + sum(len(d) * len(d.menu) for d in own) for own in self.decisions)
        return one, two

    @cached_property
    def begins(self) -> tuple[Longs, Longs]:
        """[player][decision] the number of its first sequence; the empty one is 0.

        Sequences stand option by option: the first option at every set, the second at every set...
        """
        return (_begins(self.decisions[0]), _begins(self.decisions[1]))

    def sequences_at(self, player: int, decision: int) -> slice:
        """The sequences that end with a choice at this decision, as :attr:`begins` orders them."""
        one, begin = self.decisions[player][decision], int(self.begins[player][decision])
        return slice(begin, begin + len(one.menu) * len(one))

    def first(self, player: int, last: tuple[int, int]) -> int:
        """The sequence of the first set, of an option at a decision; 0 before any decision.

        Parameters
        ----------
        player
            By number.
        last
            The number of the decision and of the option.

        Returns
        -------
        int
            The number of the sequence.
        """
        number, option = last
        if number == NOT_YET:
            return 0
        return int(self.begins[player][number]) + option * len(self.decisions[player][number])

    @cached_property
    def end_sequences(self) -> tuple[tuple[Longs, Longs], tuple[Longs, Longs]]:
        """[player] of each end: the first sequence that may be the player's last, and after all."""
        return self._end_sequences(0), self._end_sequences(1)

    def _end_sequences(self, player: int) -> tuple[Longs, Longs]:
        last = [end.last[player] for end in self.leaves]
        first = np.array([self.first(player, one) for one in last], np.int64)
        sizes = [1 if one[0] == NOT_YET else len(self.decisions[player][one[0]]) for one in last]
        return first, first + np.array(sizes, np.int64)

    def leading_to(self, decision: Decision) -> Longs:
        """[set] the sequence that leads to it; 0, the empty one, if the player chose nothing.

        Parameters
        ----------
        decision
            A decision of this form.

        Returns
        -------
        ndarray
            [set] the number of the sequence.
        """
        return self.first(decision.player, (decision.after, decision.option)) + decision.before

    @cached_property
    def spread(self) -> Fraction:
        """The largest entry of all tables, times its factor: the scale of what is at stake."""
        largest = [
            max((int(np.abs(block.entries).max()) for block in table.blocks), default=0)
            for table in self.tables
        ]
        return max(
            (abs(end.factor) * largest[end.table] for end in self.leaves), default=Fraction(0)
        )

    @property
    def nbytes(self) -> int:
        """Bytes that the entries of all tables take."""
        return sum(block.entries.nbytes for table in self.tables for block in table.blocks)

    @cached_property
    def labels(self) -> tuple[PublicLabels, PublicLabels]:
        """[player] the labels of its information sets, as trees have them."""
        return (
            PublicLabels(self.decisions[0], 1),
            PublicLabels(self.decisions[1], 1 + self.infosets[0]),
        )

    def player_number(self, player: str) -> int:
        """Which player has this name.

        Parameters
        ----------
        player
            The name.

        Returns
        -------
        int
            0 or 1.

        Raises
        ------
        InfosetError
            If there is no such player.
        """
        if player not in self.players:
            hint = nearest(player, self.players)
            raise InfosetError(f"{brief(self.name)}: no player {player!r:.60}; {hint}")
        return self.players.index(player)

    @cached_property
    def fingerprint(self) -> str:
        """A text that two public forms share only if they play alike: a plan of one is the other's.

        It stands for who decides what after what, who meets whom, and what is paid: all but names
        of the game and its players, and the words for what they know.
        """
        return self._fingerprint(_as_bytes)

    def has_fingerprint(self, given: object) -> bool:
        """Is this the fingerprint of the form, now or in files of version 0.1.0?

        Those spelled out the entries of tables in decimals where weights of deals did not fit into
        64 bits before they were divided by what they share.
        """
        return given == self.fingerprint or given == self._fingerprint(_as_decimals)

    def _fingerprint(self, written: Callable[[npt.NDArray[Any]], bytes]) -> str:
        """The fingerprint, with the entries of tables written like this."""
        mixed = blake2b(digest_size=16)
        sizes = (*map(len, self.decisions), len(self.tables), len(self.leaves))
        mixed.update(repr((str(self.total), sizes)).encode())
        for own in self.decisions:
            for one in own:
                met = [(each.last, each.table, str(each.factor)) for each in one.meetings]
                said = (one.player, one.menu, one.after, one.option, len(one), met)
                mixed.update(repr(said).encode())
                mixed.update(_as_bytes(one.before))
                mixed.update(_as_bytes(one.stands_for))
        for table in self.tables:
            mixed.update(repr([block.entries.shape for block in table.blocks]).encode())
            for block in table.blocks:
                mixed.update(_as_bytes(block.rows))
                mixed.update(_as_bytes(block.columns))
                mixed.update(written(block.entries))
        for end in self.leaves:
            mixed.update(repr((end.last, end.table, str(end.factor))).encode())
        return mixed.hexdigest()


def next_meetings(form: PublicForm, player: int) -> dict[int, list[tuple[int, Meeting]]]:
    """[decision] the other player's next decisions, with how the player's sets are met there."""
    found: dict[int, list[tuple[int, Meeting]]] = {}
    for number, other in enumerate(form.decisions[1 - player]):
        for meeting in other.meetings:
            if meeting.last[0] != NOT_YET:
                found.setdefault(meeting.last[0], []).append((number, meeting))
    return found


def _as_bytes(numbers: npt.NDArray[Any]) -> bytes:
    """Whole numbers as bytes that tell their end: eight for each, or their decimals."""
    if numbers.dtype == np.int64:
        return b"%d:" % numbers.size + numbers.tobytes()
    return _as_decimals(numbers)


def _as_decimals(numbers: npt.NDArray[Any]) -> bytes:
    return repr(numbers.tolist()).encode()


def _begins(decisions: Sequence[Decision]) -> Longs:
    sizes = np.array([len(one) * len(one.menu) for one in decisions], np.int64)
    return 1 + np.cumsum(sizes) - sizes


MOST_ENTRIES = 20_000_000  # of all ends; written out they take some fifty bytes each


def sequence_matrices(form: PublicForm) -> tuple[Sparse, Sparse, Sparse]:
    """The matrices A, E and F of a public form, exact; sequences as ``form.begins`` numbers them.

    Rows of E and F: the empty sequence, then set by set, decision by decision. Refuses a form whose
    ends have more than twenty million entries between them.

    >>> from fractions import Fraction
    >>> from infoset.forms.public.record import PublicCounts
    >>> counts = PublicCounts(1, 0, 1, (0, 0), (0, 0), (1, 1))
    >>> nothing = PublicForm("nothing", ("one", "two"), ((), ()), (), (), Fraction(0), counts)
    >>> sequence_matrices(nothing)
    (<1 × 1 matrix, 0 entries>, <1 × 1 matrix, 1 entries>, <1 × 1 matrix, 1 entries>)
    """
    return payoff_matrix(form), plan_constraints(form, 0), plan_constraints(form, 1)


def plan_constraints(form: PublicForm, player: int) -> Sparse:
    """The matrix E (or F) of a player: the weight that leads to a set is divided among actions."""
    rows, columns = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    values = [np.ones(1, np.int64)]
    sets = sequences = 1
    for decision, begin in zip(form.decisions[player], form.begins[player].tolist(), strict=True):
        size, options = len(decision), len(decision.menu)
        own = sets + np.arange(size)
        rows += [own, np.tile(own, options)]
        columns += [form.leading_to(decision)]
        columns += [begin + np.arange(size * options)]
        values += [np.full(size, -1), np.ones(size * options, np.int64)]
        sets, sequences = sets + size, sequences + size * options
    entries = Numbers(np.concatenate(values).astype(np.int64))
    return Sparse.summed(np.concatenate(rows), np.concatenate(columns), entries, (sets, sequences))


def payoff_matrix(form: PublicForm) -> Sparse:
    """The matrix A: the probability by chance times player one's payoff, by pairs of sequences."""
    size = sum(block.entries.size for end in form.leaves for block in form.tables[end.table].blocks)
    if size > MOST_ENTRIES:
        raise TooLarge(
            f"{brief(form.name)}: {size:,} payoffs are too many for matrices, over"
            f" {MOST_ENTRIES:,}; solve it by regret minimization"
        )
    under = lcm(*(end.factor.denominator for end in form.leaves))
    pieces = [
        piece
        for end in form.leaves
        for block in form.tables[end.table].blocks
        if (piece := _placed(form, end, block, under)) is not None
    ]
    if not pieces:
        return Sparse.of({}, form.sequences)
    rows, columns, values = (np.concatenate(part) for part in zip(*pieces, strict=True))
    return Sparse.summed(rows, columns, Numbers(values, under), form.sequences)


def _placed(
    form: PublicForm, end: PublicLeaf, block: Block, under: int
) -> tuple[Longs, Longs, Array] | None:
    """The entries of a block that are not zero: their rows and columns in A, times ``under``."""
    at = np.nonzero(block.entries)
    if not len(at[0]):
        return None
    row, column = (form.first(player, last) for player, last in enumerate(end.last))
    scale = int(end.factor * under)
    values = multiplied(block.entries[at], fitted([scale]))
    return row + block.rows[at[0]], column + block.columns[at[1]], values
