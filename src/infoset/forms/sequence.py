"""The sequence form: a two-player game with perfect recall as small sparse matrices.

A player's *sequence* is the row of its own choices up to some point; with perfect recall there is
one for each choice, and the empty one. A strategy is given by the weight of every sequence, the
product of the probabilities of its choices: a *realization plan*. The weights x of player one are
those of a strategy exactly if

    x >= 0,  E x = e:    the empty sequence weighs 1, and at every information set the weight
                         of the sequence that leads there is divided among its choices,

and y, F, f say the same of player two. The payoffs are x'A y and x'B y, where the entry of A at a
pair of sequences sums, over the leaves that the pair leads to, the probability of chance times
player one's payoff. All this grows linearly with the tree, the normal form exponentially.

Source: Koller, Megiddo & von Stengel 1994, section 5; figure 3 is a test. A game of one player is
taken as a game against someone who has nothing to choose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable
from infoset.linear.numbers import Numbers, fitted
from infoset.linear.sparse import Sparse
from infoset.text import brief
from infoset.tree import Tree
from infoset.tree.choices import Choices

Longs = npt.NDArray[np.int64]

MANY = 5_000  # entries, from which it pays to reduce their number
FAR = 4  # in spreads: the distance from zero, from which payoffs are shifted for the sake of floats


@dataclass(frozen=True)
class SequenceSize:
    """How large a sequence form is."""

    sequences: tuple[int, ...]  # [player] rows and columns of A and B, columns of E and F
    constraints: tuple[int, ...]  # [player] rows of E and F
    leaves: int  # A and B have at most so many entries


def sequence_size(tree: Tree) -> SequenceSize:
    """The size of a tree's sequence form, known without building it.

    Parameters
    ----------
    tree
        The game.

    Returns
    -------
    SequenceSize
        Sequences and constraints of each player, and the number of leaves.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> sequence_size(kuhn().tree())
    SequenceSize(sequences=(13, 13), constraints=(7, 7), leaves=30)
    """
    return SequenceSize(
        tuple(tree.sequences(player) for player in tree.names),
        tuple(1 + len(tree.infosets_of(player)) for player in tree.names),
        tree.counts.leaves,
    )


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm:
    """The matrices E, e, F, f, A, B of a game, exact and sparse, with the meaning of their rows."""

    tree: Tree
    choices: tuple[Choices, ...]  # [player] its sequences
    payoffs: tuple[Sparse, Sparse]  # A and B

    def __repr__(self) -> str:
        rows, columns = self.A.shape
        return (
            f"<Sequence form of {brief(self.tree.name)}: {rows:,} × {columns:,} sequences,"
            f" {len(self.A):,} entries>"
        )

    def _repr_html_(self) -> str | None:
        from infoset.display.show import form_html

        return form_html(self)

    @property
    def A(self) -> Sparse:  # noqa: N802
        """Player one's payoffs by pairs of sequences."""
        return self.payoffs[0]

    @property
    def B(self) -> Sparse:  # noqa: N802
        """Player two's payoffs by pairs of sequences."""
        return self.payoffs[1]

    @cached_property
    def E(self) -> Sparse:  # noqa: N802
        """Player one's constraints: ``E x = e``."""
        return constraints(self.choices[0])

    @cached_property
    def F(self) -> Sparse:  # noqa: N802
        """Player two's constraints: ``F y = f``."""
        return (
            constraints(self.choices[1])
            if len(self.choices) > 1
            else Sparse.of({(0, 0): 1}, (1, 1))
        )

    @property
    def e(self) -> Longs:
        """The right-hand side of player one's constraints: 1, then zeros."""
        return _one_then_zeros(self.E.shape[0])

    @property
    def f(self) -> Longs:
        """The right-hand side of player two's constraints: 1, then zeros."""
        return _one_then_zeros(self.F.shape[0])

    def labels(self, player: str | int) -> Sequence[str]:
        """A player's sequences in words: what it knows and did, own moves in brackets.

        Parameters
        ----------
        player
            By name or by number.

        Returns
        -------
        sequence of str
            [sequence] the empty one first.
        """
        number = player if isinstance(player, int) else self.tree.player_number(player)
        return self.choices[number].labels


def _one_then_zeros(size: int) -> Longs:
    side = np.zeros(size, np.int64)
    side[0] = 1
    return side


def constraints(choices: Choices) -> Sparse:
    """The matrix E (or F) of a player: one row for the empty sequence, one for each set."""
    sets, actions = len(choices.infosets), len(choices) - 1
    own = 1 + np.arange(sets)
    rows = np.concatenate(([0], own, np.repeat(own, choices.sizes)))
    columns = np.concatenate(([0], choices.before, 1 + np.arange(actions)))
    values = np.concatenate(([1], np.full(sets, -1), np.ones(actions, np.int64)))
    return Sparse.summed(rows, columns, Numbers(values.astype(np.int64)), (1 + sets, 1 + actions))


def sequence_form(tree: Tree) -> SequenceForm:
    """The sequence form of a game of one or two players with perfect recall.

    Parameters
    ----------
    tree
        The game.

    Returns
    -------
    SequenceForm
        Payoff matrices and constraints, exact and sparse.

    Raises
    ------
    NotApplicable
        If there are more players, or one has imperfect recall.

    Examples
    --------
    >>> from infoset.games import koller_megiddo_von_stengel
    >>> form = sequence_form(koller_megiddo_von_stengel().tree())
    >>> form
    <Sequence form of koller_megiddo_von_stengel(): 7 × 5 sequences, 12 entries>
    >>> form.A[3, 1], form.labels(form.tree.names[0])[3]
    (Fraction(2, 1), '[r], [L]')
    """
    if len(tree.players) > 2:
        raise NotApplicable(
            f"{tree.name}: the sequence form is one of two players; this game has"
            f" {len(tree.players)}"
        )
    if not tree.perfect_recall:
        raise NotApplicable(
            f"{tree.name}: the sequence form needs perfect recall: {tree.perfect_recall.because}"
        )
    cached = tree.__dict__.get("_sequence_form")
    if isinstance(cached, SequenceForm):
        return cached
    made = SequenceForm(tree, tree.choices, _payoffs(tree))
    tree.__dict__["_sequence_form"] = made
    return made


def _payoffs(tree: Tree) -> tuple[Sparse, Sparse]:
    made = [_payoff_matrix(tree, stake) for stake in tree.leaf_payoffs]
    if len(made) < 2:
        made.append(Sparse.of({}, made[0].shape))
    return made[0], made[1]


def _payoff_matrix(tree: Tree, stake: Numbers) -> Sparse:
    """By pair of sequences: the probability of chance times a payoff, summed over their leaves."""
    leaf_indices = tree.leaf_indices
    sequences = [choices.last[leaf_indices] for choices in tree.choices]
    shape = [len(choices) for choices in tree.choices]
    if len(sequences) < 2:
        sequences.append(np.zeros(len(leaf_indices), np.int64))
        shape.append(1)
    weighted = tree.chance_reach.take(leaf_indices).times(stake)
    return Sparse.summed(sequences[0], sequences[1], weighted, (shape[0], shape[1]))


def usual_payoff(stake: Numbers) -> tuple[int, int]:
    """The numerator that is paid at most leaves, and at how many.

    >>> usual_payoff(Numbers(np.array([2, -1, 2])))
    (2, 2)
    """
    amounts, counts = np.unique(stake.numerators, return_counts=True)
    at = int(np.argmax(counts))
    return int(amounts[at]), int(counts[at])


def lighter_payoffs(form: SequenceForm) -> Sparse:
    """A, with the most frequent payoff taken off all of them, if it is large or far from zero.

    All plans together reach the leaves with probability one, so that this takes the same off every
    x'A y, and the same strategies are best. But fewer entries are left (in games of winning and
    losing, half), and of payoffs far from zero only the differences, which floats see better.
    """
    stake = form.tree.leaf_payoffs[0]
    usual, _ = usual_payoff(stake)
    spread = int(stake.numerators.max()) - int(stake.numerators.min())
    if not usual or (len(form.A) < MANY and abs(usual) <= FAR * spread):
        return form.A
    moved = fitted(stake.numerators.astype(object) - usual)
    return _payoff_matrix(form.tree, Numbers(moved, stake.denominator))
