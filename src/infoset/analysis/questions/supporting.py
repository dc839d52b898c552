"""Which equilibria are supported by beliefs, and by which: a question about all of them at once.

The answers are those of :mod:`infoset.strategy.perfect_bayesian`, with the beliefs in words at the
information sets where no play comes, so that Bayes' rule says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from infoset.analysis.expectations import NodeNames
from infoset.analysis.questions.answer import Answer, Subject, asked_about, played
from infoset.analysis.situations import situations
from infoset.analysis.strategy_tables import belief_words
from infoset.analysis.table import NUMBER, PROSE, Column, Table
from infoset.solvers.solution import Solution
from infoset.strategy.assessment import Assessment
from infoset.strategy.convert import Given
from infoset.strategy.infosets import Playable
from infoset.strategy.perfect_bayesian import Supporting, supporting
from infoset.text import printable, shown_label
from infoset.tree import Infoset
from infoset.tree.knowledge import NOTHING, in_order
from infoset.tree.views import Views

FEW = 3  # information sets whose beliefs are told in one line


@dataclass(frozen=True, repr=False)
class SupportedEquilibria(Answer):
    """For each equilibrium: is it sequential, is it weakly perfect Bayesian, and why."""

    equilibria: Sequence[Supporting]  # examined when they are looked at

    @property
    def numbers(self) -> dict[str, Any]:
        """How many there are of each kind."""
        kinds = [one.kind for one in self.equilibria]
        return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}

    @property
    def table(self) -> Table:
        """A row for each equilibrium."""

        def row(at: int) -> tuple[Any, ...]:
            one = self.equilibria[at]
            known = one.sequential.word, one.weak_perfect_bayesian.word
            return (at + 1, *known, support_words(one))

        columns = (
            Column("equilibrium", NUMBER),
            Column("sequential"),
            Column("weak perfect Bayesian"),
            Column("because", PROSE),
        )
        return Table("supporting beliefs", columns, Views(row, len(self.equilibria)))


def supporting_beliefs(
    subject: Subject | Given, *, game: Playable | None = None
) -> SupportedEquilibria:
    """For each equilibrium, do beliefs exist that support it?

    Parameters
    ----------
    subject : Solution, Profile, or anything with ``game``
        Equilibria as a method found them, or strategies for all players. What a player does at
        information sets that its own strategy excludes is not asked: any behaviour there counts.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    SupportedEquilibria
        A :class:`~infoset.strategy.perfect_bayesian.Supporting` for each equilibrium: whether it is
        sequential, whether it is weakly perfect Bayesian (yes, no, or not decided), and the
        strategies with beliefs that show it.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import entry_game
    >>> print(supporting_beliefs(solve(entry_game(), "enumerate")))
    supporting beliefs
    equilibrium  sequential  weak perfect Bayesian  because
              1  yes         yes                    beliefs follow by Bayes' rule
              2  no          no                     at 'in' incumbent gets 0, and 2 by 'accommodate'
              3  no          no                     at 'in' incumbent gets 1, and 2 by 'accommodate'
    """
    subject = asked_about(subject, game)
    if isinstance(subject, Solution):
        return SupportedEquilibria(subject.supporting)
    return SupportedEquilibria((supporting(played(subject)),))


def support_words(found: Supporting) -> str:
    """Beliefs that support an equilibrium, or why there are none, in a line.

    >>> from infoset import solve
    >>> from infoset.games import beer_quiche
    >>> support_words(solve(beer_quiche(), "enumerate").supporting[0])
    'at quiche receiver believes weak: 1'
    """
    if found.assessment is None:
        return found.sequential.because
    beliefs = belief_words_of(found.assessment)
    return beliefs if found.sequential else f"{found.sequential.because}; weakly, {beliefs}"


def belief_words_of(found: Assessment) -> str:
    """What is believed where no play comes, in a line, of the first few sets."""
    told = belief_lines(found)
    if len(told) > FEW:
        told[FEW:] = [f"and at {len(told) - FEW:,} more"]
    return "; ".join(told) or "beliefs follow by Bayes' rule"


def _place(infoset: Infoset) -> str:
    """Where it is, as the beginning of a sentence; nothing where its player knows nothing."""
    if infoset.label == NOTHING and len(infoset.tree.infosets_of(infoset.player)) == 1:
        return ""
    return f"at {shown_label(infoset.label) or f'#{infoset.index + 1}'} "


def belief_lines(found: Assessment) -> list[str]:
    """What is believed where no play comes, a line for each set with several nodes."""
    tree, lines = found.tree, []
    for player in tree.names:
        groups = situations(tree, player)
        group_of = dict(zip(groups.infosets.tolist(), groups.group.tolist(), strict=True))
        for index in in_order(tree, list(group_of)):
            infoset = tree.infosets[index]
            if len(infoset) < 2 or found.profile.all_beliefs[index] is not None:
                continue
            believed: dict[str, Any] = {}
            names = NodeNames(groups[group_of[index]]).names(infoset)
            for name, share in zip(names, found.belief(infoset), strict=True):
                believed[name] = believed.get(name, 0) + share
            words = belief_words(believed)
            if words is not None:
                lines.append(printable(f"{_place(infoset)}{player} believes {words}"))
    return lines
