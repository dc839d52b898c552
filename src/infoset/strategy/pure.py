"""Pure strategies: one action at each information set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import StrategyError
from infoset.linear.numbers import Index, Numbers
from infoset.rules.story import brief, text
from infoset.strategy.behaviour import Behaviour, even_shares, unchecked
from infoset.strategy.strategy import Strategy, action_number, checked_player, own_infoset
from infoset.tree import Tree

MOST_WORDS = 2_000  # signs of a strategy that ``repr`` tells


@dataclass(frozen=True, repr=False)
class Pure(Strategy):
    """One action at each information set, or at those that the strategy itself lets one reach.

    >>> from infoset.games import kuhn
    >>> bold = pure(kuhn().tree(), "gambler", {"J": "bet", "Q": "bet", "K": "bet"})
    >>> bold
    Pure(gambler: J → bet; Q → bet; K → bet)
    """

    tree: Tree
    player: str
    chosen: tuple[tuple[int, int], ...]  # (information set, action), in order of the sets

    @property
    def exact(self) -> bool:
        """Always."""
        return True

    @cached_property
    def action_at(self) -> npt.NDArray[np.int64]:
        """[information set of the tree] the action; -1 where none is said."""
        actions = np.full(len(self.tree.infoset_player), -1, np.int64)
        for infoset, action in self.chosen:
            actions[infoset] = action
        return actions

    def at(self, nodes: Index) -> Numbers:
        """1 at nodes that the player's choices lead to, 0 at the others."""
        return Numbers(self._follows[nodes].astype(np.int64))

    @cached_property
    def _follows(self) -> npt.NDArray[np.bool_]:
        tree, number = self.tree, self.tree.player_number(self.player)
        alive = np.ones(len(tree), np.bool_)
        for level in tree.levels[1:]:
            above = tree.parent[level]
            alive[level] = alive[above]
            mine = tree.player[above] == number  # elsewhere the set's number is another's
            here = level[mine]
            alive[here] &= self.action_at[tree.infoset[above[mine]]] == tree.action[here]
        return alive

    @cached_property
    def undecided(self) -> int | None:
        """An information set that the strategy leads to and says nothing about; None if none is.

        Only a strategy without any is one: the others leave open what the player does.
        """
        if len(self.chosen) == len(self.choices.infosets):
            return None
        number = self.tree.player_number(self.player)
        met = self.tree.infoset[self._follows & (self.tree.player == number)]
        silent = met[self.action_at[met] < 0]
        return int(silent.min()) if len(silent) else None

    def behaviour(self) -> Behaviour:
        """The same with probabilities 0 and 1; uniform where no action is said."""
        choices = self.choices
        shares = even_shares(choices)
        action = np.repeat(self.action_at[choices.infosets], choices.sizes)
        own = np.arange(1, len(choices)) - np.repeat(choices.first, choices.sizes)
        certain = np.array([Fraction(0), Fraction(1)], object)[(own == action).astype(np.int64)]
        shares[1:] = np.where(action < 0, shares[1:], certain)
        return unchecked(self.tree, self.player, shares)

    @property
    def words(self) -> str:
        """What it does, information set by information set."""
        said = (
            f"{(infoset := self.tree.infosets[at]).label or f'#{at + 1}'}"
            f" → {text(infoset.actions[action])}"
            for at, action in self.chosen
        )
        return "; ".join(said)

    def __repr__(self) -> str:
        return f"Pure({brief(self.player)}: {brief(self.words, MOST_WORDS)})"

    def _repr_html_(self) -> str:
        from infoset.examine.faces import pure_html

        return pure_html(self)


def pure(tree: Tree, player: str, given: Mapping[Any, Any]) -> Pure:
    """A pure strategy from actions by information set, named by label or given as views.

    Information sets that the actions keep the player from may be left out, the others not.
    """
    chosen = {}
    for place, action in given.items():
        infoset = own_infoset(tree, player, place)
        chosen[infoset.index] = action_number(infoset, action)
    strategy = Pure(tree, checked_player(tree, player), tuple(sorted(chosen.items())))
    if strategy.undecided is not None:
        infoset = tree.infosets[strategy.undecided]
        raise StrategyError(
            f"{tree.name}: {player} comes to {infoset.label!r} and has no action there; choose one"
            f" of {', '.join(map(text, infoset.actions))}"
        )
    return strategy
