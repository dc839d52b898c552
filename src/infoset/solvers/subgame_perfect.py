"""Subgame-perfect equilibria: every subgame solved by itself, the innermost ones first.

An equilibrium is *subgame perfect* if it is one in every subgame, also in those to which the play
does not come (Selten 1965). Take a subgame whose own inner subgames have been solved, put what
they are worth in their places, and find an equilibrium of what remains. Together with the inner
ones it is an equilibrium of the whole subgame: inside the inner subgames nobody can gain, so a
deviation is worth no more than it is worth in the remainder, and there nobody can gain either. So:

1. Find the subgames (:mod:`infoset.tree.subgames`), and go through them from the last to the first.
2. If one move is all that remains of a subgame, take the best action, the first of equally good
   ones, or nature's average. Where everyone sees everything this is backward induction.
3. Else hand the remainder to a method that suits it. Players who do not move in it are left out, so
   that a part of two players is one for the methods of two, however many there are elsewhere.
   Remainders that differ only by what each player gets for certain are solved once.
4. Every information set is in one remainder: what to do there is read off its equilibrium.
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
from infoset.strategy.subgame_perfect import Ground, Row, average, is_subgame_perfect, kind, rows_of
from infoset.tree import Tree
from infoset.tree.subgames import remainder, subgames

__all__ = ["find_subgame_perfect", "is_subgame_perfect"]

EVENLY = "at the others every action is equally likely"


def find_subgame_perfect(tree: Tree, options: Options, method: str | None = None) -> Found:
    """An equilibrium that is one in every subgame, in behaviour strategies.

    A named ``method`` is used for all remainders that it applies to. It is refused if it applies to
    none; the rest are left to the methods that suit them. Remainders of one move need no method.

    >>> from infoset.games import goofspiel
    >>> found = find_subgame_perfect(goofspiel().tree(), Options())
    >>> dict(found.work)
    {'subgames': 10, 'single moves': 0, 'by lp': 5}
    >>> print(is_subgame_perfect(profile(found.strategies)))
    yes: in none of the 10 subgames can anyone gain by playing otherwise
    """
    if method is not None:
        solver(method)  # a name that is none is refused before anything is done
    climb = _Climb(tree, options, method)
    for number in range(len(climb.every) - 1, -1, -1):
        if options.over():
            climb.stopped = True
            break
        climb.solve(number)
    return climb.found()


class _Climb:
    """The way up: what each subgame is worth, and what is done at each information set."""

    def __init__(self, tree: Tree, options: Options, method: str | None) -> None:
        self.tree = tree
        self.options = options
        self.method = method
        self.every = subgames(tree)
        self.ground = Ground(self.every)
        self.worth: dict[int, Sequence[Any]] = {}  # by subgame: what each player gets
        self.rows: dict[int, Row] = {}  # by information set
        self.known: dict[Any, list[Row]] = {}  # remainders seen before: by set, what was done there
        self.work: dict[str, int] = {}  # by method: remainders
        self.moves = 0  # remainders of one move
        self.stopped = False
        self.rough: list[str] = []  # what was said of remainders that are not solved exactly
        self.refused: Tree | None = None  # a remainder that the named method does not apply to

    def solve(self, number: int) -> None:
        """Solve what remains of a subgame, all inside it being solved."""
        if self.ground.moves[number] == 1:
            self._one_move(number)
            return
        part = remainder(self.every, number, self.worth, everyone=False)
        key = kind(part.tree)
        if key not in self.known:
            self.options.tell(f"subgame {len(self.worth) + 1:,} of {len(self.every):,}")
            self.known[key] = self._equilibrium(part.tree)
        own = self.known[key]
        self.rows.update(zip(part.infosets.tolist(), own, strict=True))
        worth = self.ground.expected(part, own, self.worth)
        if self.options.exact is False:  # else digits add up from subgame to subgame
            worth = [Fraction(float(amount)) for amount in worth]
        self.worth[number] = worth

    def _one_move(self, number: int) -> None:
        """The best action, or nature's average."""
        root = int(self.every.roots[number])
        mover, place = self.ground.player[root], self.ground.infoset[root]
        below = self.ground.below(root, self.worth)
        self.moves += 1
        if mover == CHANCE:
            self.worth[number] = average(self.tree.lotteries[place].probabilities, below)
            return
        best = max(range(len(below)), key=lambda action: below[action][mover])
        self.rows[place] = [Fraction(int(action == best)) for action in range(len(below))]
        self.worth[number] = below[best]

    def _equilibrium(self, part: Tree) -> list[Row]:
        """What is done at each information set of a remainder."""
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
                as_behaviour(strategy)  # says why it is none
                raise NotApplicable(f"{part.name}: {strategy.player} has no behaviour strategy")
            rows.update(rows_of(own))
        if not together.exact or together.regret > 0:
            self.rough.append(found.note)
        return [rows[infoset] for infoset in range(len(rows))]

    def found(self) -> Found:
        """All put together."""
        if self.refused is not None and self.method not in self.work:
            choose(self.refused, self.method)  # says why it does not apply
        rows = [self.rows.get(infoset) for infoset in range(len(self.tree.infoset_player))]
        floats = any(isinstance(share, float) for row in rows for share in row or ())
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
        """Which subgames are not in equilibrium, or not exactly; an error if that was asked for.

        The regret of the whole does not show it, if the play does not come there.
        """
        said = []
        if self.stopped:
            done, count = len(self.worth), len(self.every)
            said.append(f"stopped after {done:,} of {count:,} subgames; {EVENLY}")
        if self.rough and self.options.exact is not False:
            why = ", ".join(sorted(set(self.rough) - {""}))
            kinds = f"{len(self.rough):,} of {len(self.known):,} different subgames"
            said.append(f"{kinds} not solved exactly{why and f': {why}'}")
        if said and self.options.exact:
            place = f"{self.tree.name}: an exact answer was asked for in every subgame"
            raise NotProved(f"{place}, but {'; '.join(said)}; exact=None takes what there is")
        return "; ".join(said)
