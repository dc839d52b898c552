"""Equilibria in pure strategies: one, all, or a proof that there is none.

A pure equilibrium need not exist, and to decide whether one does is NP-hard, even for two players
with perfect recall and zero sum (Blair, Mutchler & van Lent 1996, theorem 2). Of several algorithms
the first that applies is used:

1. *Backward induction*, where one equilibrium of a game of perfect information is wanted.
2. *The table.* Where the reduced normal form has few enough entries, maxima along its axes show all
   equilibria, in integers (:mod:`infoset.solvers.integer_programs.search`).
3. *The value.* In a two-player zero-sum game a pair of plans is an equilibrium exactly if their
   guarantees add up to the sum of payoffs. So each player's plans are searched separately, and
   every plan of one player is in equilibrium with every plan of the other. The guarantee that a
   plan needs is known beforehand: the value of the game with perfect recall, which a linear program
   gives exactly, and the players' max-min values otherwise. Pure strategies get whole units; if the
   value is not a multiple of the unit, there is no pure equilibrium.
4. *An integer program* of the sequence form for all players at once
   (:mod:`infoset.solvers.integer_programs.plans`). Deviations of a player with imperfect recall are
   added as they are found.

Only the plans are taken from a solution of an integer program: each profile is checked in rational
arithmetic, and excluded before the next one is searched. If HiGHS says that there is none left,
branch and bound proves it in integers (:mod:`infoset.solvers.integer_programs.program`); where that
takes too long, the answer says what it rests on.

Equilibria are counted once for each profile of *reduced* plans, without actions at information sets
that a player's own plan excludes.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from math import ceil, inf, prod

from infoset.errors import NoEquilibrium
from infoset.solvers import backward, lp
from infoset.solvers.integer_programs.plans import (
    LeafWeights,
    PlanColumns,
    PlanPaths,
    add_best_response_rows,
    add_deviation_row,
    add_guarantee,
    add_reply_bound,
)
from infoset.solvers.integer_programs.program import BinaryProgram
from infoset.solvers.integer_programs.search import (
    EXACTLY,
    IN_FLOATS,
    STOPPED,
    Plans,
    SolutionSearch,
    check_size,
    fits_a_table,
    found_all,
    listed,
    none_found,
    pure_equilibria,
    shown,
    table_of,
)
from infoset.solvers.max_min import MaxMin, max_min_of
from infoset.solvers.options import Found, Options
from infoset.strategy import Pure, profile
from infoset.strategy.response import tree_best_response
from infoset.tree import Tree

Targets = tuple[Fraction, Fraction]


def zero_sum_equilibria(tree: Tree, most: float, options: Options) -> Found | None:
    """So many equilibria of a two-player constant-sum game; None if no value was proved.

    >>> from infoset.games import kuhn
    >>> zero_sum_equilibria(kuhn().tree(), 1, Options())
    Traceback (most recent call last):
    infoset.errors.NoEquilibrium: kuhn(): no equilibrium in pure strategies: the value is -1/18 for
    gambler, and pure strategies get -2 plus multiples of 1/6; lp finds a mixed equilibrium
    """
    if not tree.perfect_recall:
        return _with_imperfect_recall(tree, most, options)
    options.tell("linear program")
    found = profile(lp.find(tree, options).strategies)
    if not found.exact or found.regret:
        return None
    value = Fraction(found.payoffs[tree.names[0]])
    return _pairs(tree, (value, _total(tree) - value), most, options)


def _total(tree: Tree) -> Fraction:
    """The sum of both players' payoffs, the same at every leaf."""
    return sum((stake[0] for stake in tree.leaf_payoffs), Fraction(0))


def _with_imperfect_recall(tree: Tree, most: float, options: Options) -> Found:
    """With imperfect recall: the two max-min strategies, if their guarantees add up to the sum."""
    check_size(tree, "pure equilibria")
    found = [max_min_of(tree, number, options) for number in (0, 1)]
    one, two = (answer for answer, _ in found)
    work = {name: count + found[1][1].get(name, 0) for name, count in found[0][1].items()}
    if one.value + two.value == _total(tree):
        if most == 1:
            return Found((one.strategy, two.strategy), work)
        return _pairs(tree, (one.value, two.value), most, options)
    if one.most + two.most >= _total(tree):  # an equilibrium is not excluded
        raise none_found(tree, STOPPED, options)
    raise _no_equilibrium(tree, one, two, options)


def _no_equilibrium(tree: Tree, one: MaxMin, two: MaxMin, options: Options) -> Exception:
    """The error where the guarantees add up to less than the sum."""
    if not (one.proved and two.proved):
        return none_found(tree, IN_FLOATS, options)
    return NoEquilibrium(
        f"{tree.name}: no equilibrium in pure strategies, {EXACTLY}: {one}, {two}, and the"
        f" payoffs sum to {_total(tree)}; other methods find mixed equilibria"
    )


def _pairs(tree: Tree, targets: Targets, most: float, options: Options) -> Found:
    """The pairs of plans that guarantee these values."""
    for number, target in enumerate(targets):
        _check_units(tree, number, target)
    check_size(tree, "pure equilibria")
    searches: list[SolutionSearch] = []
    plans: list[list[Pure]] = []
    for number, target in enumerate(targets):
        wanted = most if not plans or most == inf else ceil(most / len(plans[0]))
        searches.append(guaranteeing_plans(tree, number, target, options))
        plans.append([own for (own,) in searches[-1].first(wanted)])
        if not plans[-1]:
            raise none_found(tree, searches[-1].ended, options)
    pairs = len(plans[0]) * len(plans[1])
    return found_all(list(islice(product(*plans), int(min(most, pairs)))), searches)


def _check_units(tree: Tree, number: int, target: Fraction) -> None:
    """Refuse a value that pure strategies cannot get."""
    weights = LeafWeights(tree, number)
    if weights.units(target).denominator > 1:
        step = Fraction(weights.unit, weights.over)
        long = target.denominator > 1 and shown(target).startswith("about")
        kind = ", a fraction," if long else ""
        raise NoEquilibrium(
            f"{tree.name}: no equilibrium in pure strategies: the value is {shown(target)}{kind}"
            f" for {tree.names[number]}, and pure strategies get {shown(weights.least)} plus"
            f" multiples of {shown(step)}; lp finds a mixed equilibrium"
        )


def guaranteeing_plans(
    tree: Tree, number: int, target: Fraction, options: Options
) -> SolutionSearch:
    """The plans of one player that guarantee a payoff, in a two-player constant-sum game.

    >>> from infoset.games import three_partition
    >>> solutions = guaranteeing_plans(three_partition().tree(), 0, Fraction(0), Options())
    >>> [[plan]] = solutions.first(1)
    >>> plan.player
    'one'
    """
    weights, program = LeafWeights(tree, number), BinaryProgram()
    own, opponent = PlanColumns(program, tree, number), tree.names[1 - number]
    imperfect = not tree.recall(opponent)
    if imperfect:
        column = program.column(weights.total)
        sure = {column: 1.0}
    else:
        sure = add_guarantee(program, own, PlanPaths(tree, 1 - number), weights)
    program.row(sure, lower=weights.scaled(weights.units(target)) - weights.half)

    def judge(plans: Plans) -> bool:
        left = tree.chance_reach.take(tree.leaf_indices).times(plans[0].at(tree.leaf_indices))
        reply = tree_best_response(tree, 1 - number, left)
        guaranteed = bool(_total(tree) - reply.value >= target)
        if imperfect and not guaranteed:
            add_reply_bound(program, column, own, reply.strategy, weights)
        return guaranteed

    return SolutionSearch(program, [own], judge, options, weights.fits)


def find(tree: Tree, options: Options) -> Found:
    """One equilibrium in pure strategies, or as many as are asked for.

    >>> from infoset.games import seltens_horse
    >>> found = find(seltens_horse().tree(), Options(most=float("inf")))
    >>> len(found.others), found.complete
    (1, True)
    """
    most = 1 if options.most is None else options.most
    if most == 1 and tree.perfect_information:
        return _by_backward_induction(tree, options)
    if fits_a_table(tree):
        return _by_table(tree, most)
    if len(tree.players) == 2 and tree.constant_sum:
        found = zero_sum_equilibria(tree, most, options)
        if found is not None:
            return found
    return by_integer_program(tree, most, options)


def _by_backward_induction(tree: Tree, options: Options) -> Found:
    found = backward.find(tree, options)
    plans = (
        PlanPaths(tree, number).reduced(strategy)
        for number, strategy in enumerate(found.strategies)
        if isinstance(strategy, Pure)
    )
    return Found(tuple(plans), found.work)


def _by_table(tree: Tree, most: float) -> Found:
    table = table_of(tree)
    profiles = pure_equilibria(*table.numerators)
    tried = prod(table.shape)
    if not len(profiles):
        raise NoEquilibrium(
            f"{tree.name}: no equilibrium in pure strategies: all {tried:,} profiles of reduced"
            " plans were tried; other methods find mixed equilibria"
        )
    wanted = profiles[: int(min(most, len(profiles)))]
    first, *others = listed(table, wanted)
    work = {"profiles": tried, "equilibria": len(profiles)}
    return Found(first, work, others=tuple(others), complete=len(wanted) == len(profiles))


def by_integer_program(tree: Tree, most: float, options: Options) -> Found:
    """By one integer program for all players."""
    check_size(tree, "pure equilibria")
    program = BinaryProgram()
    count = range(len(tree.players))
    everyone = [PlanColumns(program, tree, number) for number in count]
    weights = [LeafWeights(tree, number) for number in count]
    imperfect = [number for number in count if not tree.recall(tree.names[number])]
    for number in count:
        if number not in imperfect:
            add_best_response_rows(program, everyone, number, weights[number])

    def judge(plans: Plans) -> bool:
        played = profile(plans)
        gains = [played.responses[player].value - played.payoffs[player] for player in tree.names]
        for number in imperfect:
            if gains[number] > 0:
                reply = played.responses[tree.names[number]].strategy
                add_deviation_row(program, everyone, number, weights[number], reply)
        return not any(gains)

    solutions = SolutionSearch(program, everyone, judge, options, all(own.fits for own in weights))
    found = solutions.first(most)
    if not found:
        raise none_found(tree, solutions.ended, options)
    return found_all(found, [solutions])
