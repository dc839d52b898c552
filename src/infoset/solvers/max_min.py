"""Max-min: for each player the pure strategy with the best worst case.

A player who commits to a pure strategy, while all others play against it, is guaranteed the minimum
over their pure strategies. The largest guarantee is the player's max-min value in pure strategies.
Computing it is NP-hard, even with perfect recall and zero sum (Blair, Mutchler & van Lent 1996,
section 4.2), and for a single player with imperfect recall (Koller & Megiddo 1992).

The others are one opponent with opposite payoffs. Four algorithms, the first that applies:

1. *One player:* the best response to chance.
2. *The table* of the reduced normal form, where it is small: the maximum of the row minima.
3. *An integer program,* where the opponent as a whole has perfect recall: plans x are binary, and
   the opponent's best response enters by the dual of its linear program (:func:`add_guarantee`),

       maximize q(start)  subject to  q(set) <= Σ w·x + Σ q(later set)  for each of its actions.

4. *Constraint generation,* where the opponent has imperfect recall, as several players have who may
   not communicate: an optimal plan against the replies so far, the opponent's best response to that
   plan, and so on.

What a plan guarantees is computed by the opponent's best response, in rational arithmetic. That no
other plan guarantees more is proved in integers
(:func:`infoset.solvers.integer_programs.program.prove_infeasible`), or the answer says what it
rests on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, isfinite

import numpy as np

from infoset.errors import NotProved
from infoset.solvers import Solvable, as_tree
from infoset.solvers.integer_programs.plans import (
    LeafWeights,
    PlanColumns,
    PlanPaths,
    add_guarantee,
    add_reply_bound,
)
from infoset.solvers.integer_programs.program import (
    BinaryAnswer,
    BinaryProgram,
    Floats,
    prove_infeasible,
    search,
)
from infoset.solvers.integer_programs.search import (
    IN_FLOATS,
    STOPPED,
    check_size,
    fits_a_table,
    max_min_plan,
    shown,
    table_of,
)
from infoset.solvers.options import Found, Options
from infoset.strategy import Pure
from infoset.strategy.response import Response, tree_best_response
from infoset.tree import Tree

OTHERS = "the others"
TOLERANCE = 1e-6  # of the objective, in floats


@dataclass(frozen=True)
class MaxMin:
    """A player's max-min strategy, and what it guarantees.

    Attributes
    ----------
    player : str
    strategy : Pure
    value : Fraction
        What the strategy guarantees.
    most : Fraction
        An upper bound of what any pure strategy guarantees.
    how : str
        How the bound is known: ``"exact"``, ``"by integer programming, in floats"``, or that the
        search was stopped.

    """

    player: str
    strategy: Pure
    value: Fraction
    most: Fraction
    how: str

    @property
    def proved(self) -> bool:
        """Is the strategy proved to be optimal in rational arithmetic?"""
        return self.how == "exact" and self.value == self.most

    def __str__(self) -> str:
        said = "" if self.proved else f" ({self.how}; at most {shown(self.most)})"
        return f"{self.player} guarantees {shown(self.value)}{said}"


def max_min(game: Solvable, player: str | None = None, options: Options | None = None) -> MaxMin:
    """The pure strategy of a player that guarantees most against all others.

    Parameters
    ----------
    game : Game, Family, Tree or MatrixGame
        Any number of players, any recall.
    player : str, optional
        The first player if not given.
    options : Options, optional
        How exactly, how long; see :class:`infoset.solvers.Options`.

    Returns
    -------
    MaxMin
        The strategy, its guarantee, and an upper bound for all other pure strategies.

    Raises
    ------
    TooLarge
        If the tree has too many leaves for an integer program.

    Examples
    --------
    >>> from infoset.games import blair_g2, kuhn
    >>> max_min(blair_g2()).value, max_min(blair_g2(variant="unseen")).value
    (Fraction(1, 2), Fraction(0, 1))
    >>> print(max_min(kuhn(), "dealer"))
    dealer guarantees -1/6

    """
    tree = as_tree(game)
    number = 0 if player is None else tree.player_number(player)
    return max_min_of(tree, number, options or Options())[0]


def find(tree: Tree, options: Options) -> Found:
    """Every player's max-min strategy, and a remark on what each guarantees.

    >>> from infoset.games import kuhn
    >>> find(kuhn().tree(), Options()).remark
    'max-min: gambler guarantees -1/6, dealer guarantees -1/6'
    """
    found = [max_min_of(tree, number, options) for number in range(len(tree.players))]
    work: dict[str, int] = {}
    for _, own in found:
        for name, count in own.items():
            work[name] = work.get(name, 0) + count
    said = ", ".join(str(one) for one, _ in found)
    if options.exact and not all(one.proved for one, _ in found):
        raise NotProved(
            f"{tree.name}: max-min is not proved to be optimal ({said}); allow more seconds"
        )
    return Found(
        tuple(one.strategy for one, _ in found), work, remark=f"max-min: {said}", equilibrium=False
    )


def max_min_of(tree: Tree, number: int, options: Options) -> tuple[MaxMin, dict[str, int]]:
    """A player's max-min strategy, and the counts of its work."""
    player = tree.names[number]
    if len(tree.players) == 1:
        reply = tree_best_response(tree, 0, tree.chance_reach.take(tree.leaf_indices))
        most = reply.value if reply.most is None else reply.most
        how = "exact" if reply.how == "exact" else IN_FLOATS
        plan = PlanPaths(tree, 0).reduced(reply.strategy)
        return MaxMin(player, plan, Fraction(reply.value), Fraction(most), how), {
            "nodes": len(tree)
        }
    if fits_a_table(tree):
        table = table_of(tree)
        plan, value = max_min_plan(table, number)
        return MaxMin(player, plan, value, value, "exact"), {"plans": sum(table.shape)}
    check_size(tree, "max-min strategies")
    return by_integer_programs(tree, number, options)


def by_integer_programs(tree: Tree, number: int, options: Options) -> tuple[MaxMin, dict[str, int]]:
    """A player's max-min strategy by integer programs, however small the table of payoffs is.

    >>> from infoset.games import kuhn
    >>> str(by_integer_programs(kuhn().tree(), 0, Options())[0])
    'gambler guarantees -1/6'
    """
    found = _MaxMinSearch(tree, number, options)
    found.run()
    return found.answer(), found.work


def against_all(tree: Tree, number: int) -> Tree:
    """The game of one player against all others as one opponent with opposite payoffs.

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


class _MaxMinSearch:
    """The search for one player's max-min strategy by integer programs."""

    def __init__(self, tree: Tree, number: int, options: Options) -> None:
        self.tree, self.number, self.options = tree, number, options
        self.pair = against_all(tree, number)
        self.weights, self.program = LeafWeights(self.pair, 0), BinaryProgram()
        self.own, self.other = PlanColumns(self.program, self.pair, 0), PlanPaths(self.pair, 1)
        self.recalls = bool(self.pair.recall(self.pair.names[1]))
        self.replies: set[tuple[tuple[int, int], ...]] = set()  # if it has imperfect recall
        self.plan: Pure | None = None
        self.sure = -1  # the guarantee of the plan, in units
        self.most = floor(
            self.weights.units(max(self.pair.leaf_payoffs[0].values()))
        )  # for any plan
        self.how = STOPPED
        self.work = {"programs": 0, "nodes": 0, "branches": 0}
        if self.recalls:
            self.objective = add_guarantee(self.program, self.own, self.other, self.weights)
        else:
            self.objective = {self.program.column(self.weights.total): 1.0}

    def run(self) -> None:
        """Improve the plan until none is better."""
        self._consider(np.zeros(len(self.program.floor)))  # an initial plan
        improved = True
        while improved and self.sure < self.most:
            if self.options.over():
                return
            player = self.tree.names[self.number]
            self.options.tell(f"integer program {self.work['programs'] + 1} for {player}")
            answer = search(self.program, self.options, self.objective)
            self.work["programs"] += 1
            self.work["nodes"] += answer.nodes
            self.most = min(self.most, self._bound(answer))
            improved = bool(len(answer.values)) and self._consider(answer.values)
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

    def _bound(self, answer: BinaryAnswer) -> int:
        """An upper bound of any plan's guarantee in units, in floats."""
        if not isfinite(answer.bound):
            return self.most
        return self.weights.at_most(answer.bound + TOLERANCE)

    def _reply(self, plan: Pure) -> Response:
        """The opponent's best response."""
        leaf_indices = self.pair.leaf_indices
        return tree_best_response(
            self.pair, 1, self.pair.chance_reach.take(leaf_indices).times(plan.at(leaf_indices))
        )

    def _consider(self, values: Floats) -> bool:
        """Compute what a plan guarantees; False if it gives no new information."""
        plan = self.own.read(values)
        reply = self._reply(plan)
        worst = -Fraction(reply.value if reply.most is None else reply.most)
        units = floor(self.weights.units(worst))
        better = units > self.sure
        if better:
            self.plan, self.sure = plan, units
        if self.recalls or reply.strategy.chosen in self.replies:
            return better  # a known reply whose row is violated is a matter of rounding
        self.replies.add(reply.strategy.chosen)
        (column,) = self.objective
        add_reply_bound(self.program, column, self.own, reply.strategy, self.weights)
        return True

    def _proved(self) -> bool:
        """Is it proved in integers that no plan guarantees one unit more?"""
        if not self.weights.fits:
            return False
        if self.sure >= floor(self.weights.units(max(self.pair.leaf_payoffs[0].values()))):
            return True
        self.options.tell("exact arithmetic")
        self.program.row(self.objective, lower=self.weights.scaled(self.sure + Fraction(1, 2)))

        def better(values: Floats) -> bool:
            worst = -Fraction(self._reply(self.own.read(values)).value)
            return bool(self.weights.units(worst) > self.sure)

        branches = prove_infeasible(self.program, better, self.options)
        self.work["branches"] += branches or 0
        return branches is not None
