"""Max-min: the plan whose worst case is best, if nobody may draw lots.

A player who fixes a pure strategy, and believes that all others will do their worst together, is
sure of the least that any of their pure strategies leaves. The most that a plan can be sure of is
its max-min value. To find that plan is NP-hard, even with perfect recall and zero sum (Blair,
Mutchler & van Lent 1996, section 4.2), and so it is for one player alone who forgets (Koller &
Megiddo 1992).

The others are one opponent who is paid the opposite. Four ways, the first that fits:

1. *alone:* the player's best reply to nature;
2. *the table* of the reduced normal form, where it is small: the largest of the least entries;
3. *an integer program,* where the opponent as a whole remembers: plans x as 0s and 1s, and the
   opponent's best reply by the dual of its linear program (:func:`add_floor`)

       maximize q(start)  subject to  q(set) <= Σ w·x + Σ q(later set)  for each of its actions;

4. *replies one by one,* where the opponent forgets, as several players do who may not speak: a best
   plan against the replies so far, the opponent's best reply to that plan, and again.

What a plan is sure of is computed by the opponent's best reply, in rational arithmetic. That no
other plan is sure of more is again shown in integers
(:mod:`infoset.solvers.integer_programs.program`), or the answer says what it rests on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, isfinite
from typing import TYPE_CHECKING

import numpy as np

from infoset.errors import NotProved
from infoset.solvers.integer_programs.plans import Paths, Ways, Weights, add_ceiling, add_floor
from infoset.solvers.integer_programs.program import Answer, Draft, Floats, exhaust, search
from infoset.solvers.integer_programs.search import (
    IN_FLOATS,
    STOPPED,
    check_size,
    fits_a_table,
    safest_plan,
    shown,
    table_of,
)
from infoset.solvers.options import Found, Options
from infoset.strategy import Pure
from infoset.strategy.response import Response, tree_best_response
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.solvers import Solvable

OTHERS = "the others"
TOLERANCE = 1e-6  # what floats may miss at the objective


@dataclass(frozen=True)
class MaxMin:
    """A player's safest pure strategy, and what it is sure of."""

    player: str
    strategy: Pure
    value: Fraction  # what it is sure of
    most: Fraction  # no pure strategy is sure of more than this
    how: str  # how that is known: "exact"; "by integer programming, in floats"; "stopped ..."

    @property
    def proved(self) -> bool:
        """Is this the best, proved in rational arithmetic?"""
        return self.how == "exact" and self.value == self.most

    def __str__(self) -> str:
        said = "" if self.proved else f" ({self.how}; at most {shown(self.most)})"
        return f"{self.player} is sure of {shown(self.value)}{said}"


def max_min(game: Solvable, player: str | None = None, options: Options | None = None) -> MaxMin:
    """The best pure strategy of a player, the first if none is named, if the others do their worst.

    >>> from infoset.games import blair_g2, kuhn
    >>> max_min(blair_g2()).value, max_min(blair_g2(variant="unseen")).value
    (Fraction(1, 2), Fraction(0, 1))
    >>> print(max_min(kuhn(), "dealer"))
    dealer is sure of -1/6
    """
    from infoset.solvers import as_tree

    tree = as_tree(game)
    number = 0 if player is None else tree.player_number(player)
    return safest(tree, number, options or Options())[0]


def find(tree: Tree, options: Options) -> Found:
    """Every player's max-min strategy, and a remark on what each is sure of.

    >>> from infoset.games import kuhn
    >>> find(kuhn().tree(), Options()).remark
    'max-min: gambler is sure of -1/6, dealer is sure of -1/6'
    """
    found = [safest(tree, number, options) for number in range(len(tree.players))]
    work: dict[str, int] = {}
    for _, own in found:
        for name, count in own.items():
            work[name] = work.get(name, 0) + count
    said = ", ".join(str(one) for one, _ in found)
    if options.exact and not all(one.proved for one, _ in found):
        raise NotProved(f"{tree.name}: max-min was not proved ({said})")
    return Found(
        tuple(one.strategy for one, _ in found), work, remark=f"max-min: {said}", equilibrium=False
    )


def safest(tree: Tree, number: int, options: Options) -> tuple[MaxMin, dict[str, int]]:
    """A player's max-min strategy, and how much work it was."""
    player = tree.names[number]
    if len(tree.players) == 1:
        reply = tree_best_response(tree, 0, tree.nature.take(tree.leaf_indices))
        most = reply.value if reply.most is None else reply.most
        how = "exact" if reply.how == "exact" else IN_FLOATS
        plan = Paths(tree, 0).reduced(reply.strategy)
        return MaxMin(player, plan, reply.value, most, how), {"nodes": len(tree)}
    if fits_a_table(tree):
        table = table_of(tree)
        plan, value = safest_plan(table, number)
        return MaxMin(player, plan, value, value, "exact"), {"plans": sum(table.shape)}
    check_size(tree, "max-min strategies")
    quest = _Quest(tree, number, options)
    quest.run()
    return quest.answer(), quest.work


def against_all(tree: Tree, number: int) -> Tree:
    """The game of one player against all others as one, who are paid the opposite.

    >>> from infoset.games import seltens_horse
    >>> against_all(seltens_horse().tree(), 0).names
    ('one', 'the others')
    """
    payoffs = tuple((own[number], -own[number]) for own in tree.payoffs)
    mover = tree.player.copy()
    mover[tree.player >= 0] = (tree.player[tree.player >= 0] != number).astype(np.int8)
    owner = (tree.infoset_player != number).astype(np.int8)
    mine = tree.names[number]
    other = OTHERS if mine != OTHERS else f"{OTHERS} (2)"
    return replace(
        tree,
        players=(mine, other),
        player=mover,
        infoset_player=owner,
        payoffs=payoffs,
        knowing=None,
    )


class _Quest:
    """The search for one player's max-min strategy by integer programs."""

    def __init__(self, tree: Tree, number: int, options: Options) -> None:
        self.tree, self.number, self.options = tree, number, options
        self.pair = against_all(tree, number)
        self.weights, self.draft = Weights(self.pair, 0), Draft()
        self.own, self.other = Ways(self.draft, self.pair, 0), Paths(self.pair, 1)
        self.remembers = bool(self.pair.recall(self.pair.names[1]))
        self.replies: set[tuple[tuple[int, int], ...]] = set()  # of an opponent who forgets
        self.plan: Pure | None = None
        self.sure = -1  # what the plan is sure of, in units
        self.most = floor(
            self.weights.units(max(self.pair.leaf_payoffs[0].values()))
        )  # for any plan
        self.how = STOPPED
        self.work = {"programs": 0, "nodes": 0, "branches": 0}
        if self.remembers:
            self.objective = add_floor(self.draft, self.own, self.other, self.weights)
        else:
            self.objective = {self.draft.column(self.weights.total): 1.0}

    def run(self) -> None:
        """Better plans until there is none."""
        self._consider(np.zeros(len(self.draft.floor)))  # to have one, whatever happens
        learnt = True
        while learnt and self.sure < self.most:
            if self.options.over():
                return
            player = self.tree.names[self.number]
            self.options.tell(f"integer program {self.work['programs'] + 1} for {player}")
            answer = search(self.draft, self.options, self.objective)
            self.work["programs"] += 1
            self.work["nodes"] += answer.nodes
            self.most = min(self.most, self._bound(answer))
            learnt = bool(len(answer.values)) and self._consider(answer.values)
            if answer.status != "found":
                return
        self.how = IN_FLOATS
        if self._proved():
            self.how, self.most = "exact", self.sure

    def answer(self) -> MaxMin:
        """What was found."""
        assert self.plan is not None
        plan = Pure(self.tree, self.tree.names[self.number], self.plan.chosen)
        value, most = self.weights.value(self.sure), self.weights.value(self.most)
        return MaxMin(plan.player, plan, value, most, self.how)

    def _bound(self, answer: Answer) -> int:
        """The most units that any plan is sure of, as floats say."""
        if not isfinite(answer.bound):
            return self.most
        return self.weights.at_most(answer.bound + TOLERANCE)

    def _reply(self, plan: Pure) -> Response:
        """The worst that the others can do."""
        leaf_indices = self.pair.leaf_indices
        return tree_best_response(
            self.pair, 1, self.pair.nature.take(leaf_indices).times(plan.at(leaf_indices))
        )

    def _consider(self, values: Floats) -> bool:
        """See what a plan is sure of; False if nothing was learnt from it."""
        plan = self.own.read(values)
        reply = self._reply(plan)
        worst = -(reply.value if reply.most is None else reply.most)
        units = floor(self.weights.units(worst))
        better = units > self.sure
        if better:
            self.plan, self.sure = plan, units
        if self.remembers or reply.strategy.chosen in self.replies:
            return better  # a reply that is known, and still thought too little of, is rounding
        self.replies.add(reply.strategy.chosen)
        (column,) = self.objective
        add_ceiling(self.draft, column, self.own, reply.strategy, self.weights)
        return True

    def _proved(self) -> bool:
        """Is no plan sure of one unit more, in integers?"""
        if not self.weights.fits:
            return False
        if self.sure >= floor(self.weights.units(max(self.pair.leaf_payoffs[0].values()))):
            return True
        self.options.tell("exact arithmetic")
        self.draft.row(self.objective, lower=self.weights.scaled(self.sure + Fraction(1, 2)))

        def better(values: Floats) -> bool:
            worst = -self._reply(self.own.read(values)).value
            return bool(self.weights.units(worst) > self.sure)

        branches = exhaust(self.draft, better, self.options)
        self.work["branches"] += branches or 0
        return branches is not None
