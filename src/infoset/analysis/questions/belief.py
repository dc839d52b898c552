"""Beliefs at an information set: how likely each of its nodes is, and its continuation value.

The probability of a node given the set is its reach over the set's (Bayes' rule). If only the
player's own choices exclude the set, the strategies of the others and chance still determine how
likely each node would be, since a player with perfect recall does the same before all of them; so
these probabilities are given, and a note says that the set is never reached. If others exclude it,
the strategies imply nothing, and probabilities are None (but of a node that is alone in its set);
continuation values are defined all the same.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infoset.analysis.expectations import distinct_moves
from infoset.analysis.questions.answer import Answer, Subject, asked_about, played
from infoset.analysis.questions.mistakes import Way, mistakes, unreached_note
from infoset.analysis.questions.names import name_of, place
from infoset.analysis.table import NUMBER, PROBABILITY, PROSE, Column, Table
from infoset.errors import NotApplicable
from infoset.linear.numbers import Index, Numbers
from infoset.strategy import Profile
from infoset.strategy.continuation import allows
from infoset.strategy.convert import Given
from infoset.strategy.infosets import Playable
from infoset.strategy.profile import normalized
from infoset.text import history_text, number_text
from infoset.tree import Infoset, Node
from infoset.tree.facts import absent_minded
from infoset.tree.views import Views


@dataclass(frozen=True)
class Belief:
    """One node of an information set."""

    node: Node
    distinct: tuple[int, ...]  # the moves of its history that other nodes do not share, from 0
    probability: Any  # given the set; None if the strategies imply nothing
    value: Any  # the player's continuation value; None if it is not defined

    @property
    def moves(self) -> list[tuple[str | None, Hashable]]:
        """Its history as far as the nodes of the set differ: who did what."""
        history = self.node.history
        return [history[at] for at in self.distinct if at < len(history)]


@dataclass(frozen=True, repr=False)
class Beliefs(Answer):
    """The nodes of an information set, and how likely each is to the player."""

    infoset: Infoset
    reach: Any  # the probability that it is reached
    nodes: tuple[Belief, ...]
    mistakes: tuple[Way, ...]  # if it is never reached: who would have to make a mistake
    note: str
    full: bool = False  # are histories written in full?

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"reach": self.reach}

    @property
    def table(self) -> Table:
        """A row for each node."""

        def row(at: int) -> tuple[Any, ...]:
            belief = self.nodes[at]
            moves = belief.node.history if self.full or not belief.moves else belief.moves
            return history_text(moves), belief.probability, belief.value

        columns = (
            Column("history", PROSE),
            Column("probability", PROBABILITY),
            Column("value", NUMBER),
        )
        title = f"beliefs of {name_of(self.infoset)}"
        return Table(title, columns, Views(row, len(self.nodes)), self.note)


def beliefs(
    subject: Subject | Given,
    infoset: Infoset | str,
    *,
    full: bool = False,
    game: Playable | None = None,
) -> Beliefs:
    """Beliefs at an information set: the probability and the continuation value of each node.

    Parameters
    ----------
    subject : Solution, Profile, or anything with ``game``
        Strategies for all players.
    infoset : Infoset or str
        An information set of their tree, or its name, such as ``"dealer: Q, bet"`` or ``"#4"``.
    full : bool, optional
        Show whole histories; by default only the moves in which the nodes differ.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    Beliefs
        A :class:`Belief` for each node, the reach of the set, and whose mistake it would take to
        come there if it is never reached.

    Raises
    ------
    InfosetError
        If there is no such information set.
    StrategyError
        If the subject has no strategies on a tree.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> from infoset.text import text
    >>> answer = beliefs(solve(kuhn()), "dealer: Q, bet")
    >>> [(text(belief.moves[0][1]), belief.probability, belief.value) for belief in answer.nodes]
    [('J Q', Fraction(1, 4), Fraction(0, 1)), ('K Q', Fraction(3, 4), Fraction(-4, 3))]
    """
    subject = asked_about(subject, game)
    profile = played(subject)
    tree = profile.tree
    here = place(tree, infoset)
    nodes = here.node_indices
    number = tree.player_number(here.player)
    reach = profile.infoset_reach(here)
    weights = profile.weights(here)
    if not weights.total and len(nodes) == 1:
        weights = Numbers.of([1])
    found = normalized(weights)
    probabilities = [None] * len(nodes) if found is None else found.values()
    distinct = distinct_moves(tree, nodes)
    rows = zip(here.nodes, probabilities, _values(profile, nodes, number), strict=True)
    return Beliefs(
        here,
        reach,
        tuple(Belief(node, distinct, likely, value) for node, likely, value in rows),
        mistakes(profile, nodes),
        _note(profile, here, nodes, reach, found is not None),
        full,
    )


def _values(profile: Profile, nodes: Index, player: int) -> list[Any]:
    """The continuation value of each node; None if a mixed strategy does not define it."""
    try:
        return profile.continuation_values(nodes, player)
    except NotApplicable:
        met = np.flatnonzero(np.logical_and.reduce(list(allows(profile, nodes).values())))
        values: list[Any] = [None] * len(nodes)
        for at, value in zip(met, profile.continuation_values(nodes[met], player), strict=True):
            values[int(at)] = value
        return values


def _note(profile: Profile, infoset: Infoset, nodes: Index, reach: Any, known: bool) -> str:
    tree = profile.tree
    if reach:
        said = f"reached with probability {number_text(reach)}"
    else:
        said = unreached_note(profile, nodes, infoset.player)
        said += "; these are the beliefs if it were reached" if known else ""
    number = tree.player_number(infoset.player)
    twice = not tree.recall(infoset.player) and absent_minded(tree, [number])
    if twice and any(node.infoset == infoset for node in twice.nodes):
        said += "; a play may visit it twice, and every visit counts"
    return said
