"""What every strategy has: realization weights, the player's factor in reaching each node."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import RulesError, StrategyError, nearest
from infoset.linear.numbers import Index, Numbers
from infoset.objects.numbers import exact
from infoset.text import text
from infoset.tree import Tree
from infoset.tree.positions import infoset_of_view

if TYPE_CHECKING:
    from infoset.tree import Infoset
    from infoset.tree.choices import Choices

NEARLY = Fraction(1, 10**6)  # by how much floats may miss 1 and be normalized


class Strategy(ABC):
    """A strategy of one player of a tree: pure, mixed, behaviour, or a realization plan.

    Attributes
    ----------
    tree : Tree
        The game.
    player : str
        Whose strategy it is.
    """

    tree: Tree
    player: str

    @property
    @abstractmethod
    def exact(self) -> bool:
        """Rationals, not floats?"""

    @abstractmethod
    def at(self, nodes: Index) -> Numbers:
        """[node] the realization weight: the player's factor in the probability of reaching it.

        This is the probability that the player makes all its choices on the way there, if chance
        and the others do.

        Parameters
        ----------
        nodes : int or array of int
            Numbers of nodes.

        Returns
        -------
        Numbers
            [node] its weight.
        """

    def inexact(self) -> Strategy:
        """The same in floats; a pure strategy is itself."""
        return self

    @property
    def choices(self) -> Choices:
        """The player's choices, numbered."""
        return self.tree.choices[self.tree.player_number(self.player)]

    @cached_property
    def reach(self) -> Numbers:
        """[node] the realization weight of every node of the tree."""
        return self.at(np.arange(len(self.tree)))


def checked_player(tree: Tree, player: str) -> str:
    """The player's name; an unknown one is refused."""
    return tree.names[tree.player_number(player)]


def own_infoset(tree: Tree, player: str, place: str | Infoset) -> Infoset:
    """A player's information set, by its label, as an Infoset, or by the view of a position."""
    infoset: Infoset | None = tree.find(player, place) if isinstance(place, str) else place
    if not hasattr(infoset, "tree"):
        infoset = infoset_of_view(tree, player, place)
    if infoset is None:
        raise StrategyError(
            f"{tree.name}: {player}: {place!r:.120} is no information set; give its label, an"
            " Infoset of this tree, or the view of a position, position.view(player)"
        )
    if infoset.tree is not tree:
        raise StrategyError(
            f"{tree.name}: {player}: {infoset!r} belongs to another tree; take it from this one,"
            " or name it by its label"
        )
    if infoset.player != player:
        raise StrategyError(
            f"{tree.name}: {infoset.label!r} is an information set of {infoset.player}, not of"
            f" {player}"
        )
    return infoset


def distinct_actions(infoset: Infoset) -> list[Hashable]:
    """The actions of an information set, numbered where a file gives two of them the same name."""
    actions = list(infoset.actions)
    if len(set(actions)) == len(actions):
        return actions
    return [
        action
        if actions.count(action) == 1
        else f"{text(action)} ({actions[: at + 1].count(action)})"
        for at, action in enumerate(actions)
    ]


def action_number(infoset: Infoset, action: Hashable) -> int:
    """The number of an action at an information set; it may be given as its text."""
    actions = distinct_actions(infoset)
    if action in actions:
        return actions.index(action)
    names = [text(option) for option in actions]
    if action in names:
        return names.index(str(action))
    raise StrategyError(
        f"{infoset.tree.name}: {infoset.player}, at {infoset.label!r}: no action {action!r};"
        f" {nearest(text(action), names)}"
    )


def check_tree(given: object) -> None:
    """Refuse what is no tree, such as its game."""
    if not isinstance(given, Tree):
        raise StrategyError(
            f"{given!r:.60} is not a tree; game.tree() is one, and as_strategy takes a game, too"
        )


def normalized_row(row: Sequence[Fraction], where: str, *, floats: bool) -> list[Any]:
    """Probabilities of one choice; floats that miss 1 by at most :data:`NEARLY` are normalized.

    Raises
    ------
    StrategyError
        If they miss it by that little and are to be exact; more is refused where they are used.
    """
    miss = abs(sum(row, Fraction(0)) - 1)
    if not floats:
        if 0 < miss <= NEARLY:
            raise StrategyError(
                f"{where} miss 1 by {float(miss):.2g}; if that is rounding, give floats=True, which"
                " normalizes them, or use as_strategy"
            )
        return list(row)
    near = [0.0 if -NEARLY <= value < 0 else float(value) for value in row]
    return [value / sum(near) for value in near] if 0 < miss <= NEARLY else near


def given_probability(value: object, where: str) -> Fraction:
    """The rational number that a value denotes; anything else is refused, with its place."""
    try:
        return exact(value)
    except RulesError as error:
        raise StrategyError(f"{where}: {error}") from None
