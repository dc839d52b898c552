"""What questions are put to, and what every answer can do.

A question is put to a :class:`~infoset.solve.Solution` or a :class:`~infoset.strategy.Profile`: a
strategy for every player. Its answer is a small record of numbers, exact where the strategies are,
that shows itself as a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from infoset.errors import StrategyError
from infoset.examine.tables import NUMBER, Column, Sheet, Table
from infoset.examine.tables.cells import number_text
from infoset.examine.tables.safe import shown
from infoset.solve.solution import Solution
from infoset.solve.text import amount_text
from infoset.strategy import Profile
from infoset.tree import Tree

Subject = Solution | Profile


class Answer(ABC):
    """An answer: numbers, and a table that shows them."""

    @property
    @abstractmethod
    def table(self) -> Table | Sheet:
        """What the answer says, as a record for every format."""

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {}

    def __str__(self) -> str:
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def played(subject: Subject) -> Profile:
    """The strategies that a question is about."""
    if isinstance(subject, Profile):
        return subject
    if isinstance(subject, Solution):
        return subject.profile
    raise StrategyError(
        f"{subject!r:.60} has no strategies to ask about; give a Solution, as solve(game) returns"
        " it, or a Profile, as profile(strategies) does"
    )


def amount(value: Any) -> str:
    """A payoff in words: with a decimal where it is no whole number.

    >>> amount(Fraction(-1, 18)), amount(0.25)
    ('-1/18 (-0.0555556)', 'about 0.25')
    """
    return amount_text(value, isinstance(value, int | Fraction))


def chance(value: Any) -> str:
    """A probability in words.

    >>> chance(Fraction(1, 3)), chance(0.5)
    ('1/3', '0.5000')
    """
    return number_text(value)


def payoff_columns(tree: Tree, taken: Iterable[str]) -> tuple[Column, ...]:
    """A column for what each player gets, under its name, or one that no other column has.

    >>> from infoset.games import kuhn
    >>> [column.name for column in payoff_columns(kuhn().tree(), ("play", "dealer"))]
    ['gambler', 'dealer gets']
    """
    used = set(taken)
    names = []
    for player in tree.names:
        name = player
        while name in used:
            name += " gets"
        used.add(name)
        names.append(name)
    return tuple(Column(name, NUMBER) for name in names)


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names as a person lists them.

    >>> listed(["ann"]), listed(["ann", "bob", "cy"])
    ('ann', 'ann, bob and cy')
    """
    words = [shown(name) for name in names]
    return f" {last} ".join(", ".join(part) for part in (words[:-1], words[-1:]) if part)
