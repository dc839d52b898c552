"""What comes of a branch of the game: how likely it is, what everyone expects, how it may end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from infoset.examine.below import Below, below, ends_of
from infoset.examine.questions.branches import Branch, branch
from infoset.examine.questions.mistakes import blame
from infoset.examine.questions.subject import (
    Answer,
    Subject,
    amount,
    chance,
    payoff_columns,
    played,
)
from infoset.examine.tables import SHARE, Column, Sheet, Table
from infoset.linear.numbers import Numbers
from infoset.rules.moves import Payoffs
from infoset.strategy import Profile
from infoset.tree import Node


@dataclass(frozen=True, repr=False)
class Outcome(Answer):
    """What everyone expects from a branch on."""

    branch: Branch
    probability: Any  # that a play comes there
    payoffs: dict[str, Any] | None  # None: several nodes, and no play comes to any of them
    endings: tuple[tuple[Payoffs, Any], ...]  # final payoffs and their probability, likeliest first
    note: str
    exact: bool = True  # are the strategies? if not, all numbers are about so

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Where the branch begins."""
        return self.branch.views

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"probability": self.probability, "payoffs": self.payoffs}

    @property
    def table(self) -> Sheet:
        """What is expected, then a row for each way of paying."""
        columns = (
            *payoff_columns(self.branch.tree, ("probability",)),
            Column("probability", SHARE),
        )
        rows = [(*paid, share) for paid, share in self.endings]
        facts = [("probability", chance(self.probability))]
        for player, expected in (self.payoffs or {}).items():
            facts.append((player, amount(expected, self.exact)))
        tables = [Table("final payoffs", columns, rows)] if rows else []
        return Sheet(f"outcome {_when(self.branch)}", tables, tuple(facts), self.note)


def outcome(subject: Subject, branch_: Node | str | Sequence[Any] = ()) -> Outcome:
    """What is expected from a branch on: payoffs, their distribution, and how likely it is.

    A branch is a node, or a play in words: ``"J Q, bet"`` or ``["J Q", "bet"]``, with ``*`` or
    ``any`` for a move that is left open. Without one, the whole game is meant.

    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> answer = outcome(solve(kuhn()), "K Q, bet")
    >>> answer.payoffs
    {'gambler': Fraction(4, 3), 'dealer': Fraction(-4, 3)}
    >>> answer.endings
    (((1, -1), Fraction(2, 3)), ((2, -2), Fraction(1, 3)))
    """
    profile = played(subject)
    here = branch(profile.tree, branch_)
    reach = profile.reach(here.nodes)
    probability = reach.total
    note = blame(profile, here.nodes)
    if not probability and len(here.nodes) > 1:
        note += "; what would follow depends on how"
        return Outcome(here, probability, None, (), note, subject.exact)
    met = here.nodes[reach.numerators > 0] if probability else here.nodes
    (group,) = below(profile, met)
    # Leaves below several nodes weigh as the play reaches them; below one, given that it is there.
    whole = probability if probability else group.whole[0]
    if note:
        note += "; this is what would follow"
    ends = ends_of(profile.tree, group.leaves)
    expected = {
        player: group.weights.times(stake.take(ends)).total / whole
        for player, stake in zip(profile.tree.names, profile.tree.stakes, strict=True)
    }
    endings = _endings(profile, group, whole)
    return Outcome(here, probability, expected, endings, note, subject.exact)


def _endings(profile: Profile, group: Below, whole: Any) -> tuple[tuple[Payoffs, Any], ...]:
    """The different final payoffs, each with its probability."""
    settled = profile.tree.settled
    weights: Numbers = group.weights.added_up(settled.outcome[group.leaves], len(settled.payoffs))
    total: dict[Payoffs, Any] = {}
    for at in np.flatnonzero(weights.numerators > 0).tolist():
        paid = settled.payoffs[at]
        total[paid] = total[paid] + weights[at] if paid in total else weights[at]
    likely = sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple((paid, weight / whole) for paid, weight in likely)


def _when(here: Branch) -> str:
    return "of the game" if here.nodes.tolist() == [0] else f"after {here.words}"
