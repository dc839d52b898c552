"""How the game goes: its plays, the likeliest first.

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

from infoset.errors import ParameterError
from infoset.examine.below import movers, part
from infoset.examine.questions.subject import (
    Answer,
    Subject,
    chance,
    payoff_columns,
    played,
    seen,
)
from infoset.examine.tables import PROSE, SHARE, Column, Table
from infoset.rules.moves import Payoffs
from infoset.rules.story import tell
from infoset.strategy import Profile
from infoset.tree import Node, Tree
from infoset.tree.views import Views

MORE = 64  # candidates beyond those that are shown, among which floats may have erred

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LikelyPlay:
    """A play, how likely it is, and what it pays."""

    leaf: Node
    probability: Any
    payoffs: Payoffs

    def __str__(self) -> str:
        return tell(self.leaf.history)


@dataclass(frozen=True, repr=False)
class Plays(Answer):
    """The likeliest plays."""

    tree: Tree
    plays: Sequence[LikelyPlay]  # the likeliest first
    count: int  # plays that can happen, shown or not
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
        shown = (Column("play", PROSE), Column("probability", SHARE))
        columns = (*shown, *payoff_columns(self.tree, names))
        left = self.count - len(self.plays)
        ended = len(self.tree.ends)
        note = f"{self.count:,} of {ended:,} plays can happen" if self.count < ended else ""
        if left:
            kind = f"{left:,} more play{'s' * (left != 1)}"
            note = f"and {kind} of together {chance(self.rest)}" + (f"; {note}" if note else "")
        return Table("likeliest plays", columns, Views(row, len(self.plays)), note)


def plays(subject: Subject, most: int | None = 50) -> Plays:
    """The plays of the game, the likeliest first, with their probabilities and payoffs.

    Plays that cannot happen are left out. ``most=None`` gives all of them, each computed when it is
    looked at.

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
            raise ParameterError(f"most={seen(most)}: a whole number from 0, or None for all plays")
        most = int(most)  # numpy's, too
    profile = played(subject)
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
            lambda at: _told(profile, int(kept[at]), settled), len(kept)
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
    ends = profile.tree.ends
    alive = np.ones(len(ends), np.bool_)
    near = np.ones(len(ends))
    for mover in movers(profile.tree):
        share = part(profile, mover, ends)
        alive &= share.numerators > 0
        near *= share.floats
    return ends[alive].astype(np.int64), near[alive]


def _told(profile: Profile, leaf: int, settled: Tree) -> LikelyPlay:
    probability = profile.reach(np.array([leaf]))[0]
    return LikelyPlay(profile.tree.nodes[leaf], probability, _paid(settled, leaf))


def _paid(settled: Tree, leaf: int) -> Payoffs:
    return settled.payoffs[int(settled.outcome[leaf])]
