"""Stackelberg commitment: the best mixed strategy to be announced before the other player chooses.

Let A and B be the payoffs of the leader and of the follower, with a row for each strategy of the
leader and a column for each of the follower. The leader commits to a mixed strategy x; the follower
knows x (not what is drawn from it) and replies with a column j that maximizes x'B, among several
with the one that the leader likes best: a *strong Stackelberg equilibrium*. For each column j, one
linear program finds the best x to which j is a best response:

    maximize  Σ_i x_i A_ij   subject to  Σ_i x_i (B_ij - B_ik) >= 0 for all k,  Σ_i x_i = 1,  x >= 0

and the best of these optima is the leader's. A program without a solution belongs to a column that
is a best response to nothing. Here every program has one: a further variable s >= 0 takes part in
the sum, Σ_i x_i + s = 1, and payoffs are counted from below the least, so that they are positive.
Then the optimum has s = 0, or there is no x and s = 1. No program of a column can give more than
the column's largest A_ij: columns are taken in the order of these bounds, until none is above the
best that was found.

Programs are solved in floats and proved in integers
(:mod:`infoset.solvers.correlated.program`); the reply is then verified in rational arithmetic.

Source: Conitzer & Sandholm 2006, theorem 2; von Stengel & Zamir 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.analysis.questions.answer import Answer
from infoset.analysis.table import PROBABILITY, Column, Sheet, Table
from infoset.errors import NotApplicable, NotProved
from infoset.forms.normal import NormalForm, normal_form
from infoset.linear.numbers import Array
from infoset.solvers import Solvable, as_tree
from infoset.solvers.correlated.program import ProgramBuilder, unit_of
from infoset.solvers.options import Options
from infoset.text import bounded_text, label_text

MOST_PROFILES = 20_000  # rows times columns: a program for each column


@dataclass(frozen=True, repr=False)
class Commitment(Answer):
    """The best commitment of a player, the other's reply, and what both get."""

    form: NormalForm  # whose strategies are numbered here
    leader: str
    follower: str
    mixture: tuple[Fraction, ...]  # [strategy of the leader] its probability
    reply: int  # the follower's strategy
    payoffs: dict[str, Fraction]  # by player
    programs: int  # how many linear programs were solved

    @property
    def value(self) -> Fraction:
        """What the leader gets."""
        return self.payoffs[self.leader]

    @property
    def reply_label(self) -> str:
        """The follower's strategy in words."""
        return self.form.labels(self.follower)[self.reply]

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"reply": self.reply_label, **self.payoffs}

    @property
    def table(self) -> Sheet:
        """The reply and the payoffs, then the strategies that the leader mixes."""
        labels = self.form.labels(self.leader)
        rows = [
            (bounded_text(labels[at]), weight) for at, weight in enumerate(self.mixture) if weight
        ]
        columns = (Column("strategy"), Column("probability", PROBABILITY))
        facts = [(f"reply of {label_text(self.follower)}", bounded_text(self.reply_label))]
        facts += [
            (f"{label_text(player)} gets", str(paid)) for player, paid in self.payoffs.items()
        ]
        title = f"commitment of {label_text(self.leader)}"
        return Sheet(title, [Table("", columns, rows)], tuple(facts))


def stackelberg(game: Solvable, leader: str, *, most: int = MOST_PROFILES) -> Commitment:
    """The best mixed strategy that a player can commit to, if the other player learns it.

    Parameters
    ----------
    game
        A game of two players. The commitment is to a mixture of the plans of its reduced normal
        form.
    leader
        The player who commits, by name.
    most
        The most combinations of plans; a larger game is refused before anything is solved.

    Returns
    -------
    Commitment
        The mixture, the reply and the payoffs, exact. Among replies that are equally good for the
        follower, the one that is best for the leader: it can make that reply the only best one at a
        cost as small as it likes, except in degenerate games.

    Raises
    ------
    NotApplicable
        If the game does not have two players.
    TooLarge
        If there are more combinations of plans than ``most``.
    InfosetError
        If there is no such player.

    Examples
    --------
    >>> from infoset import matrix_game
    >>> table = matrix_game([[2, 4], [1, 3]], [[1, 0], [0, 1]],
    ...     actions=(("top", "bottom"), ("left", "right")))
    >>> print(stackelberg(table, "row"))
    commitment of row
    reply of column  right
    row gets         7/2
    column gets      1/2
    <BLANKLINE>
    strategy  probability
    top       1/2 ████
    bottom    1/2 ████
    """
    tree = as_tree(game)
    if len(tree.players) != 2:
        raise NotApplicable(
            f"{tree.name} has {len(tree.players)} players; one who commits and one who replies are"
            " two: take a game of two players"
        )
    first = tree.player_number(leader)
    form = normal_form(tree, most=most)
    own, other = (np.moveaxis(form.numerators[player], first, 0) for player in (first, 1 - first))
    mixture, reply, programs = _best(own.astype(object), other.astype(object))
    paid = {
        name: sum(
            (x * Fraction(int(row[reply]), under) for x, row in zip(mixture, rows, strict=True)),
            Fraction(0),
        )
        for name, rows, under in (
            (tree.names[first], own, form.denominators[first]),
            (tree.names[1 - first], other, form.denominators[1 - first]),
        )
    }
    payoffs = {name: paid[name] for name in tree.names}
    return Commitment(
        form, tree.names[first], tree.names[1 - first], mixture, reply, payoffs, programs
    )


def _best(own: Array, other: Array) -> tuple[tuple[Fraction, ...], int, int]:
    """The best mixture of rows, the reply to it, and how many programs that took."""
    bounds = own.max(axis=0)
    most: Fraction | None = None
    best: tuple[tuple[Fraction, ...], int] | None = None
    programs = 0
    for reply in sorted(range(own.shape[1]), key=lambda column: (-bounds[column], column)):
        if most is not None and bounds[reply] <= most:
            break
        programs += 1
        mixture = _inducing(own[:, reply], other[:, [reply]] - other)
        if mixture is None:
            continue
        value = _expected(mixture, own[:, reply])
        if most is None or value > most:
            most, best = value, (mixture, reply)
    assert best is not None  # every mixture has a best response
    mixture, reply = best
    gains = [_expected(mixture, column) for column in (other - other[:, [reply]]).T]
    if max(gains) > 0 or min(mixture) < 0 or sum(mixture) != 1:
        raise NotProved("the reply to the commitment is not a best response; report this game")
    return mixture, reply, programs


def _inducing(paid: Array, margins: Array) -> tuple[Fraction, ...] | None:
    """The best mixture to which a column is a best response; None if there is none.

    ``margins`` are the follower's payoffs of the column less those of each column.
    """
    height = len(paid)
    program = ProgramBuilder()
    first = program.columns(height + 1)  # and what is left of the probability
    total = program.rows(1, equal=True, side=1)
    program.put([total] * (height + 1), np.arange(first, first + height + 1), 1)
    for margin in margins.T:
        if (margin < 0).any():  # otherwise it holds for every mixture
            row = program.rows(1, unit=unit_of(margin))
            program.put([row] * height, np.arange(first, first + height), margin)
    goal = np.append(paid - paid.min() + 1, 0)
    optimum = program.maximize(goal, Options(exact=True))
    if not optimum.exact:
        raise NotProved(f"a linear program of {height:,} strategies: {optimum.note}")
    *weights, left = optimum.values.values()
    return None if left else tuple(map(Fraction, weights))


def _expected(mixture: Sequence[Fraction], amounts: Array) -> Fraction:
    return sum((x * int(paid) for x, paid in zip(mixture, amounts, strict=True) if x), Fraction(0))
