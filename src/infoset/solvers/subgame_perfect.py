"""Subgame-perfect equilibria: every subgame is solved by itself, the innermost ones first.

An equilibrium is *subgame perfect* if it induces an equilibrium in every subgame, also in those
that no play reaches (Selten 1965). Replace the inner subgames of a subgame by the values of their
equilibria, and find an equilibrium of the remaining game. Together with the inner ones it is an
equilibrium of the whole subgame: inside the inner subgames no player can gain, so a deviation gains
no more than it does in the remaining game, where no player can gain either. Therefore:

1. Find the subgames (:func:`infoset.tree.subgames`), and process them from the last to the first.
2. If the remainder of a subgame is a single move, take the best action, the first of several, or
   the expectation at a chance node. With perfect information this is backward induction.
3. Otherwise solve the remainder by a method that applies to it. Players who do not move in it are
   left out, so that methods for two players apply to a part with two players, whatever their total
   number. Remainders that differ only by a constant for each player are solved once.
4. Every information set belongs to one remainder, whose equilibrium says what is played there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import NotApplicable, NotProved
from infoset.rules.moves import CHANCE
from infoset.solvers.evaluation import readable
from infoset.solvers.options import Found, Options
from infoset.solvers.registry import choose, solver
from infoset.strategy import Behaviour, as_behaviour, profile
from infoset.strategy.behaviour import unchecked, uniform_probabilities
from infoset.strategy.subgame_perfect import (
    PlainTree,
    Row,
    average,
    is_subgame_perfect,
    kind,
    rows_of,
)
from infoset.tree import Tree
from infoset.tree.subgames import remainder, subgames

__all__ = ["find_subgame_perfect", "is_subgame_perfect"]

EVENLY = "in the others all actions are equally likely"


def find_subgame_perfect(tree: Tree, options: Options, method: str | None = None) -> Found:
    """An equilibrium that is one in every subgame, in behaviour strategies.

    A given ``method`` is used for all remainders that it applies to. It is refused if it applies
    to none; the others are solved by methods chosen for them. Remainders of one move need none.

    >>> from infoset.games import goofspiel
    >>> found = find_subgame_perfect(goofspiel().tree(), Options())
    >>> dict(found.work)
    {'subgames': 10, 'single moves': 0, 'by lp': 5}
    >>> print(is_subgame_perfect(profile(found.strategies)))
    yes: in none of the 10 subgames can anyone gain by playing otherwise
    """
    if method is not None:
        solver(method)  # refuse an unknown name before any work
    induction = _Induction(tree, options, method)
    for number in range(len(induction.every) - 1, -1, -1):
        if options.over():
            induction.stopped = True
            break
        induction.solve(number)
    return induction.found()


class _Induction:
    """The state of the induction: values of subgames, and strategies at information sets."""

    def __init__(self, tree: Tree, options: Options, method: str | None) -> None:
        self.tree = tree
        self.options = options
        self.method = method
        self.every = subgames(tree)
        self.ground = PlainTree(self.every)
        self.values: dict[int, Sequence[Any]] = {}  # by subgame: each player's value
        self.rows: dict[int, Row] = {}  # by information set
        self.solved: dict[Any, list[Row]] = {}  # by remainder: [infoset] probabilities
        self.work: dict[str, int] = {}  # by method: the number of remainders
        self.moves = 0  # remainders of one move
        self.stopped = False
        self.inexact: list[str] = []  # notes on remainders that are not solved exactly
        self.refused: Tree | None = None  # a remainder that the given method does not apply to

    def solve(self, number: int) -> None:
        """Solve the remainder of a subgame whose inner subgames are solved."""
        if self.ground.moves[number] == 1:
            self._one_move(number)
            return
        part = remainder(self.every, number, self.values, everyone=False)
        key = kind(part.tree)
        if key not in self.solved:
            self.options.tell(f"subgame {len(self.values) + 1:,} of {len(self.every):,}")
            self.solved[key] = self._equilibrium(part.tree)
        own = self.solved[key]
        self.rows.update(zip(part.infosets.tolist(), own, strict=True))
        values = self.ground.expected(part, own, self.values)
        if self.options.exact is False:  # else fractions grow from subgame to subgame
            values = [Fraction(float(amount)) for amount in values]
        self.values[number] = values

    def _one_move(self, number: int) -> None:
        """The best action, or the expectation at a chance node."""
        root = int(self.every.roots[number])
        mover, place = self.ground.player[root], self.ground.infoset[root]
        below = self.ground.below(root, self.values)
        self.moves += 1
        if mover == CHANCE:
            self.values[number] = average(self.tree.lotteries[place].probabilities, below)
            return
        best = max(range(len(below)), key=lambda action: below[action][mover])
        self.rows[place] = [Fraction(int(action == best)) for action in range(len(below))]
        self.values[number] = below[best]

    def _equilibrium(self, part: Tree) -> list[Row]:
        """[infoset] the probabilities of an equilibrium of a remainder."""
        if not len(part.infoset_player):
            return []
        row = None if self.method is None else solver(self.method)
        if row is not None and row.lacks(part):
            self.refused, row = part, None
        row = row or choose(part, exact=self.options.exact)[0]
        self.work[row.name] = self.work.get(row.name, 0) + 1
        found = row.find(part, replace(self.options, most=1))
        together = profile(found.strategies)
        rows: dict[int, Row] = {}
        for strategy in together:
            own = readable(strategy, together)
            if not isinstance(own, Behaviour):
                as_behaviour(strategy)  # raises an error with the reason
                raise NotApplicable(f"{part.name}: {strategy.player} has no behaviour strategy")
            rows.update(rows_of(own))
        if not together.exact or together.regret > 0:
            self.inexact.append(found.note)
        return [rows[infoset] for infoset in range(len(rows))]

    def found(self) -> Found:
        """The strategies of the whole game."""
        if self.refused is not None and self.method not in self.work:
            choose(self.refused, self.method)  # raises an error with the reason
        rows = [self.rows.get(infoset) for infoset in range(len(self.tree.infoset_player))]
        floats = any(isinstance(probability, float) for row in rows for probability in row or ())
        strategies = []
        for player, choices in zip(self.tree.names, self.tree.choices, strict=True):
            probabilities = uniform_probabilities(choices)
            for infoset, first in zip(
                choices.infosets.tolist(), choices.first.tolist(), strict=True
            ):
                if (row := rows[infoset]) is not None:
                    probabilities[first : first + len(row)] = row
            probabilities = probabilities.astype(np.float64) if floats else probabilities
            strategies.append(unchecked(self.tree, player, probabilities))
        work = {"subgames": len(self.every), "single moves": self.moves}
        work |= {f"by {name}": count for name, count in self.work.items()}
        return Found(tuple(strategies), work, remark=self._remark())

    def _remark(self) -> str:
        """Which subgames are not solved, or not exactly; an error if exactness was required.

        The regret of the whole game does not show it where no play reaches the subgame.
        """
        said = []
        if self.stopped:
            done, count = len(self.values), len(self.every)
            said.append(f"stopped after {done:,} of {count:,} subgames; {EVENLY}")
        if self.inexact and self.options.exact is not False:
            why = ", ".join(sorted(set(self.inexact) - {""}))
            kinds = f"{len(self.inexact):,} of {len(self.solved):,} different subgames"
            said.append(f"{kinds} not solved exactly{why and f': {why}'}")
        if said and self.options.exact:
            place = f"{self.tree.name}: an exact answer was required in every subgame"
            raise NotProved(f"{place}, but {'; '.join(said)}; exact=None accepts this")
        return "; ".join(said)
