"""Outcomes: expected payoffs after some moves, their distribution, and the most likely plays.

Large trees have millions of plays, of which a page is shown. Which ones these are is found in
floats; their probabilities, and that of all the rest together, are then computed exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.questions.answer import (
    Answer,
    Subject,
    asked_about,
    is_solved,
    payoff_columns,
    played,
)
from infoset.analysis.questions.mistakes import unreached_note
from infoset.analysis.questions.names import Branch, branch
from infoset.analysis.table import PROBABILITY, PROSE, Column, Sheet, Table
from infoset.errors import ParameterError
from infoset.linear.numbers import Numbers
from infoset.rules.moves import Payoffs
from infoset.strategy import Profile
from infoset.strategy.continuation import (
    Continuation,
    continuations,
    leaf_positions,
    movers,
    realization_weights,
)
from infoset.strategy.convert import Given
from infoset.strategy.infosets import Playable
from infoset.text import amount_text, count_text, history_text, number_text, repr_text
from infoset.tree import Node, Tree
from infoset.tree.views import Views


@dataclass(frozen=True, repr=False)
class Outcome(Answer):
    """Expected payoffs after some moves."""

    branch: Branch
    probability: Any  # that these moves are made
    payoffs: dict[str, Any] | None  # None: several nodes, none of which is reached
    endings: tuple[tuple[Payoffs, Any], ...]  # final payoffs and their probability, largest first
    note: str
    exact: bool = True  # are the strategies exact? If not, all numbers are approximate

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes after these moves."""
        return self.branch.views

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"probability": self.probability, "payoffs": self.payoffs}

    @property
    def table(self) -> Sheet:
        """Expected payoffs, then a row for each final payoff."""
        columns = (
            *payoff_columns(self.branch.tree, ("probability",)),
            Column("probability", PROBABILITY),
        )
        rows = [(*paid, share) for paid, share in self.endings]
        facts = [("probability", number_text(self.probability))]
        for player, expected in (self.payoffs or {}).items():
            facts.append((player, amount_text(expected, self.exact)))
        tables = [Table("final payoffs", columns, rows)] if rows else []
        return Sheet(f"outcome {_when(self.branch)}", tables, tuple(facts), self.note)


def outcome(
    subject: Subject | Given,
    branch_: Node | str | Sequence[Any] = (),
    *,
    game: Playable | None = None,
) -> Outcome:
    """Expected payoffs after some moves, their distribution, and the probability of these moves.

    Parameters
    ----------
    subject : Solution, Profile, or anything with ``game``
        Strategies for all players.
    branch_ : Node, str or sequence, optional
        A node, or moves from the start: ``"J Q, bet"`` or ``["J Q", "bet"]``, with ``*`` or
        ``any`` for any move. By default the whole game.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    Outcome
        Payoffs are None if the moves lead to several nodes and none is reached: it would matter
        to which.

    Raises
    ------
    InfosetError
        If there are no such moves.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> answer = outcome(solve(kuhn()), "K Q, bet")
    >>> answer.payoffs
    {'gambler': Fraction(4, 3), 'dealer': Fraction(-4, 3)}
    >>> answer.endings
    (((1, -1), Fraction(2, 3)), ((2, -2), Fraction(1, 3)))
    """
    subject = asked_about(subject, game)
    profile = played(subject)
    subject = subject if is_solved(subject) else profile
    here = branch(profile.tree, branch_)
    reach = profile.reach(here.nodes)
    probability = reach.total
    note = unreached_note(profile, here.nodes)
    if not probability and len(here.nodes) > 1:
        note += "; the outcome would depend on how"
        return Outcome(here, probability, None, (), note, subject.exact)
    met = here.nodes[reach.numerators > 0] if probability else here.nodes
    (group,) = continuations(profile, met)
    # Leaves below several nodes are weighted by reach; below one, by reach given that node.
    whole = probability if probability else group.whole[0]
    if note:
        note += "; this would be the outcome"
    positions = leaf_positions(profile.tree, group.leaves)
    expected = {
        player: group.weights.times(stake.take(positions)).total / whole
        for player, stake in zip(profile.tree.names, profile.tree.leaf_payoffs, strict=True)
    }
    endings = _endings(profile, group, whole)
    return Outcome(here, probability, expected, endings, note, subject.exact)


def _endings(profile: Profile, group: Continuation, whole: Any) -> tuple[tuple[Payoffs, Any], ...]:
    """The different final payoffs, each with its probability."""
    settled = profile.tree.settled
    weights: Numbers = group.weights.group_sums(settled.outcome[group.leaves], len(settled.payoffs))
    total: dict[Payoffs, Any] = {}
    for at in np.flatnonzero(weights.numerators > 0).tolist():
        paid = settled.payoffs[at]
        total[paid] = total[paid] + weights[at] if paid in total else weights[at]
    likely = sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple((paid, weight / whole) for paid, weight in likely)


def _when(here: Branch) -> str:
    return "of the game" if here.nodes.tolist() == [0] else f"after {here.words}"


MORE = 64  # candidates beyond those that are shown, among which floats may have erred

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LikelyPlay:
    """A play, its probability, and its payoffs."""

    leaf: Node
    probability: Any
    payoffs: Payoffs

    def __str__(self) -> str:
        return history_text(self.leaf.history)


@dataclass(frozen=True, repr=False)
class Plays(Answer):
    """The most likely plays."""

    tree: Tree
    plays: Sequence[LikelyPlay]  # the most likely first
    count: int  # plays of positive probability, shown or not
    rest: Any  # the probability of all that are not shown

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"count": self.count, "rest": self.rest}

    @property
    def table(self) -> Table:
        """A row for each play."""

        def row(at: int) -> tuple[Any, ...]:
            play = self.plays[at]
            return str(play), play.probability, *play.payoffs

        names = ("play", "probability")
        shown = (Column("play", PROSE), Column("probability", PROBABILITY))
        columns = (*shown, *payoff_columns(self.tree, names))
        left = self.count - len(self.plays)
        ended = len(self.tree.leaf_indices)
        note = f"{self.count:,} of {ended:,} plays can happen" if self.count < ended else ""
        if left:
            kind = count_text(left, "more play")
            note = f"and {kind} of together {number_text(self.rest)}" + (
                f"; {note}" if note else ""
            )
        return Table("likeliest plays", columns, Views(row, len(self.plays)), note)


def plays(
    subject: Subject | Given, most: int | None = 50, *, game: Playable | None = None
) -> Plays:
    """The plays of the game, the most likely first, with their probabilities and payoffs.

    Parameters
    ----------
    subject : Solution, Profile, or anything with ``game``
        Strategies for all players.
    most : int or None, optional
        How many plays; None for all of them, each computed when it is looked at.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    Plays
        Plays of probability 0 are left out; ``rest`` is the probability of those not shown.

    Raises
    ------
    ParameterError
        If ``most`` is negative, or no integer.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> answer = plays(solve(kuhn()), most=2)
    >>> for play in answer.plays:
    ...     print(play.probability, play, play.payoffs)
    1/6 chance: K J, gambler: bet, dealer: pass (1, -1)
    1/9 chance: J Q, gambler: pass, dealer: pass (-1, 1)
    >>> answer.rest
    Fraction(13, 18)
    """
    if most is not None:
        if isinstance(most, bool) or not isinstance(most, Integral) or most < 0:
            raise ParameterError(
                f"most={repr_text(most)}: a whole number from 0, or None for all plays"
            )
        most = int(most)  # numpy's, too
    subject = asked_about(subject, game)
    profile = played(subject)
    subject = subject if is_solved(subject) else profile
    tree = profile.tree
    possible, near = _near(profile)
    order = np.argsort(-near, kind="stable")  # of equal ones the first in the tree comes first
    settled = tree.settled
    if most is None or most + MORE >= len(order):
        kept = possible[order]
    else:
        kept = possible[order[: most + MORE]]
    if most is None:
        found: Sequence[LikelyPlay] = Views(
            lambda at: _likely_play(profile, int(kept[at]), settled), len(kept)
        )
        return Plays(tree, found, len(possible), 0 * profile.reach(kept[:1])[0])
    exact = profile.reach(kept)
    ranked = sorted(range(len(kept)), key=lambda at: (-exact.numerators[at], kept[at]))[:most]
    shown = tuple(
        LikelyPlay(tree.nodes[int(kept[at])], exact[at], _paid(settled, int(kept[at])))
        for at in ranked
    )
    rest = max(1 - sum(play.probability for play in shown), 0)
    return Plays(tree, shown, len(possible), rest)


def _near(profile: Profile) -> tuple[Longs, npt.NDArray[np.float64]]:
    """The leaves that can be reached, and how likely they are, in floats."""
    leaf_indices = profile.tree.leaf_indices
    alive = np.ones(len(leaf_indices), np.bool_)
    near = np.ones(len(leaf_indices))
    for mover in movers(profile.tree):
        own = realization_weights(profile, mover, leaf_indices)
        alive &= own.numerators > 0
        near *= own.floats
    return leaf_indices[alive].astype(np.int64), near[alive]


def _likely_play(profile: Profile, leaf: int, settled: Tree) -> LikelyPlay:
    probability = profile.reach(np.array([leaf]))[0]
    return LikelyPlay(profile.tree.nodes[leaf], probability, _paid(settled, leaf))


def _paid(settled: Tree, leaf: int) -> Payoffs:
    return settled.payoffs[int(settled.outcome[leaf])]
