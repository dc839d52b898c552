"""What questions are put to, and what every answer can do.

A question is put to strategies for all players: a :class:`~infoset.strategy.Profile`, or whatever
has one as its ``profile``, as every :class:`~infoset.solvers.Solution` does whose tree can be
built. Its answer is a frozen record of numbers, exact where the strategies are, that shows itself
as a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from infoset.analysis.table import NUMBER, Column, Sheet, Table
from infoset.errors import StrategyError
from infoset.linear.numbers import bound
from infoset.strategy import Profile, Strategy, profile
from infoset.strategy.behaviour import ROUNDING
from infoset.strategy.convert import Given, as_profile
from infoset.strategy.infosets import Playable, as_tree_or_form
from infoset.text import bounded_text, brief, repr_text
from infoset.tree import Tree


class Solved(Protocol):
    """What a solver found: strategies on a tree, with their payoffs and regret."""

    @property
    def profile(self) -> Profile:
        """The strategies together, on a tree."""

    @property
    def payoffs(self) -> Mapping[str, Any]:
        """By player: what it expects."""

    @property
    def regret(self) -> Any:
        """The largest regret of a player."""

    @property
    def exact(self) -> bool:
        """Is it an equilibrium, proved in rational arithmetic?"""


Subject = Solved | Profile


class Answer(ABC):
    """An answer: numbers, and a table that shows them.

    >>> from infoset import solve
    >>> from infoset.analysis.questions import beliefs
    >>> from infoset.games import kuhn
    >>> beliefs(solve(kuhn()), "Q, bet")
    <Beliefs: beliefs of dealer: Q, bet>
    """

    @property
    @abstractmethod
    def table(self) -> Table | Sheet:
        """What the answer says, as a record for every format."""

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {brief(self.table.title)}>"

    def __str__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def played(subject: Subject) -> Profile:
    """The strategies that a question is about.

    Raises
    ------
    StrategyError
        If the subject is not a profile and has none. Strategies of other kinds, such as functions
        and files, are converted by :func:`~infoset.strategy.as_profile`, which needs the game.
    """
    if isinstance(subject, Profile):
        return subject
    several = subject.values() if isinstance(subject, Mapping) else subject
    if isinstance(several, Collection) and all(isinstance(one, Strategy) for one in several):
        return profile(several)
    found = subject.profile if is_solved(subject) else None
    if isinstance(found, Profile):
        return found
    raise StrategyError(
        f"{repr_text(subject)} has no strategies on a tree to ask about; give a Solution, as"
        " solve(game) returns it, or as_profile(game, strategies)"
    )


def asked_about(subject: Given, game: Playable | None) -> Any:
    """What a question is about: the subject as it is, or as a profile of a game that is named.

    >>> from infoset.games import kuhn
    >>> asked_about(lambda player, state, actions: [1 / len(actions)] * len(actions), kuhn())
    <Profile of kuhn()>
    """
    return subject if game is None else as_profile(tree_of(game), subject)


def tree_of(game: Playable) -> Tree:
    """The tree of a game that questions are asked about.

    Raises
    ------
    StrategyError
        If it is a public form, which has no nodes; a Solution on one is asked about as it is.
    """
    found = as_tree_or_form(game)
    if isinstance(found, Tree):
        return found
    raise StrategyError(f"{repr_text(game)} has no nodes to ask about; give the game itself")


def is_solved(subject: object) -> bool:
    """Is it a result of a solver, not strategies alone?"""
    alone = isinstance(subject, Profile | Strategy | Mapping)
    return not alone and hasattr(subject, "profile")


def rounding(tree: Tree) -> Fraction:
    """Up to where payoffs of strategies that are not exact count as the same.

    Floats err in proportion to what they add up, so it grows and shrinks with the stakes.

    >>> from infoset.games import kuhn
    >>> float(rounding(kuhn(ante=50, bet=50).tree()))
    1e-07
    """
    highest = [Fraction(bound(stake.numerators), stake.denominator) for stake in tree.leaf_payoffs]
    return max(highest, default=Fraction(0)) * Fraction(str(ROUNDING))


def payoff_columns(tree: Tree, taken: Iterable[str]) -> tuple[Column, ...]:
    """A column for what each player gets, under its name, or one that no other column has.

    >>> from infoset.games import kuhn
    >>> [column.name for column in payoff_columns(kuhn().tree(), ("play", "dealer"))]
    ['gambler', 'dealer gets']
    """
    used = set(taken)
    names = []
    for player in tree.names:
        name = bounded_text(player)
        while name in used:
            name += " gets"
        used.add(name)
        names.append(name)
    return tuple(Column(name, NUMBER) for name in names)
