"""What a player believes at an information set: which node it is at, and what that is worth.

The probability of a node given the set is its reach over the set's (Bayes). Where only the player's
own choices keep the play away, those of the others and of nature still say how likely each node
would be, since a player who remembers does the same before all of them; so they are given, and the
answer says that no play comes there. Where others keep it away, the strategies imply nothing, and
probabilities are None (but of a node that is alone in its set); what the strategies do from each
node on is known all the same.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infoset.analysis.expectations import distinct_moves
from infoset.analysis.questions.answer import Answer, Subject, played
from infoset.analysis.questions.mistakes import Way, blame, mistakes
from infoset.analysis.questions.names import name_of, place
from infoset.analysis.table import NUMBER, PROBABILITY, PROSE, Column, Table
from infoset.errors import NotApplicable
from infoset.linear.numbers import Index, Numbers
from infoset.strategy import Profile
from infoset.strategy.continuation import lets
from infoset.strategy.profile import normalized
from infoset.text import history_text, number_text
from infoset.tree import Infoset, Node
from infoset.tree.facts import absent_minded
from infoset.tree.views import Views


@dataclass(frozen=True)
class Belief:
    """One node of an information set."""

    node: Node
    apart: tuple[
        int, ...
    ]  # the moves of its play that tell it from the other nodes, counted from 0
    probability: Any  # given the set; None where the strategies imply nothing
    value: Any  # what the player expects from here on; None where that is not defined

    @property
    def moves(self) -> list[tuple[str | None, Hashable]]:
        """How it came about, as far as the nodes of the set differ: who did what."""
        history = self.node.history
        return [history[at] for at in self.apart if at < len(history)]


@dataclass(frozen=True, repr=False)
class Beliefs(Answer):
    """The nodes of an information set, and how likely each is to someone who is there."""

    infoset: Infoset
    reach: Any  # the probability that a play comes there
    nodes: tuple[Belief, ...]
    mistakes: tuple[Way, ...]  # how to come where no play comes: who would have to err
    note: str
    full: bool = False  # are plays told in full?

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
            Column("how it came about", PROSE),
            Column("probability", PROBABILITY),
            Column("value", NUMBER),
        )
        title = f"beliefs of {name_of(self.infoset)}"
        return Table(title, columns, Views(row, len(self.nodes)), self.note)


def beliefs(subject: Subject, infoset: Infoset | str, *, full: bool = False) -> Beliefs:
    """Which node the player is at, how likely each is, and what being there is worth to it.

    ``infoset`` is a view or a name such as ``"dealer: Q, bet"``. The table tells only the moves in
    which the nodes differ, with ``full`` whole plays.

    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> from infoset.text import text
    >>> answer = beliefs(solve(kuhn()), "dealer: Q, bet")
    >>> [(text(belief.moves[0][1]), belief.probability, belief.value) for belief in answer.nodes]
    [('J Q', Fraction(1, 4), Fraction(0, 1)), ('K Q', Fraction(3, 4), Fraction(-4, 3))]
    """
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
    apart = distinct_moves(tree, nodes)
    standing = zip(here.nodes, probabilities, _values(profile, nodes, number), strict=True)
    return Beliefs(
        here,
        reach,
        tuple(Belief(node, apart, share, value) for node, share, value in standing),
        mistakes(profile, nodes),
        _note(profile, here, nodes, reach, found is not None),
        full,
    )


def _values(profile: Profile, nodes: Index, player: int) -> list[Any]:
    """What a player expects at each node; None where a mixed strategy says nothing about it."""
    try:
        return profile.continuation_values(nodes, player)
    except NotApplicable:
        met = np.flatnonzero(np.logical_and.reduce(list(lets(profile, nodes).values())))
        values: list[Any] = [None] * len(nodes)
        for at, value in zip(met, profile.continuation_values(nodes[met], player), strict=True):
            values[int(at)] = value
        return values


def _note(profile: Profile, infoset: Infoset, nodes: Index, reach: Any, known: bool) -> str:
    tree = profile.tree
    if reach:
        said = f"a play comes here with probability {number_text(reach)}"
    else:
        said = blame(profile, nodes, infoset.player)
        said += "; so likely the nodes would be if it did come" if known else ""
    number = tree.player_number(infoset.player)
    twice = not tree.recall(infoset.player) and absent_minded(tree, [number])
    if twice and any(node.infoset == infoset for node in twice.nodes):
        said += "; a play may come here twice, and every visit counts"
    return said
