"""Pure equilibria of zero-sum games of two: either player's plans that are sure of the value.

A pair of plans is an equilibrium exactly if what the one is sure of and what the other is sure of
add up to what there is. So each player's plans can be sought apart, and any of the one's goes with
any of the other's. How much a plan must be sure of is known beforehand: with perfect recall the
value of the game, which a linear program gives exactly, and otherwise the players' max-min values.

What pure plans get comes in whole units. If the value does not, there is no pure equilibrium, and
nothing needs to be sought.

Equilibria in pure strategies, one or all, or the proof that there is none.

Nobody draws lots: each player has one plan, and none of the others is better for it. There may be
no such equilibrium, and to find out is NP-hard, even for two players with perfect recall and zero
sum (Blair, Mutchler & van Lent 1996, theorem 2). So there are several ways, the first that fits:

1. *The table.* Where the reduced normal form has few enough entries, maxima along its axes show all
   equilibria, in integers (:mod:`infoset.solvers.integer_programs.search`).
2. *The value.* In a zero-sum game of two either player's plans are sought apart, for what they are
   sure of (:mod:`infoset.solvers.pure`).
3. *An integer program* of the sequence form, for all players at once
   (:mod:`infoset.solvers.integer_programs.plans`). A player who forgets has its replies added as
   they are found.

Of the answers of an integer program only the plans are believed: each profile is checked in
rational arithmetic, and excluded before the next one is sought. If floats say that there is none
left, branch and bound says it again in integers (:mod:`infoset.solvers.integer_programs.program`);
where that takes too long, the answer says what it rests on.

Equilibria are counted once for each profile of *reduced* plans: what a player would do where its
own plan does not let it come is left open. With perfect information backward induction finds one.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from math import ceil, inf, prod

from infoset.errors import NoEquilibrium
from infoset.solvers import backward, lp
from infoset.solvers.integer_programs.plans import (
    Paths,
    Ways,
    Weights,
    add_ceiling,
    add_floor,
    add_replies,
    add_reply,
)
from infoset.solvers.integer_programs.program import Draft
from infoset.solvers.integer_programs.search import (
    EXACTLY,
    IN_FLOATS,
    STOPPED,
    Hunt,
    Plans,
    check_size,
    fits_a_table,
    gathered,
    listed,
    nothing,
    pure_equilibria,
    shown,
    table_of,
)
from infoset.solvers.max_min import MaxMin, safest
from infoset.solvers.options import Found, Options
from infoset.strategy import Pure, profile
from infoset.strategy.response import tree_best_response
from infoset.tree import Tree

Aims = tuple[Fraction, Fraction]


def zero_sum_equilibria(tree: Tree, most: float, options: Options) -> Found | None:
    """So many equilibria of a constant-sum game of two; None if no value was proved.

    >>> from infoset.games import kuhn
    >>> zero_sum_equilibria(kuhn().tree(), 1, Options())
    Traceback (most recent call last):
    infoset.errors.NoEquilibrium: kuhn(): no equilibrium in pure strategies: the value is -1/18 for
    gambler, and pure strategies get -2 and multiples of 1/6 more; lp finds a mixed one
    """
    if not tree.perfect_recall:
        return _by_max_min(tree, most, options)
    options.tell("linear program")
    found = profile(lp.find(tree, options).strategies)
    if not found.exact or found.regret:
        return None
    value = found.payoffs[tree.names[0]]
    return _sought(tree, (value, _both(tree) - value), most, options)


def _both(tree: Tree) -> Fraction:
    """What the two get together, everywhere."""
    return sum((stake[0] for stake in tree.leaf_payoffs), Fraction(0))


def _by_max_min(tree: Tree, most: float, options: Options) -> Found:
    """Someone forgets: the two max-min strategies, if what they are sure of is all."""
    check_size(tree, "pure equilibria")
    found = [safest(tree, number, options) for number in (0, 1)]
    one, two = (answer for answer, _ in found)
    work = {name: count + found[1][1].get(name, 0) for name, count in found[0][1].items()}
    if one.value + two.value == _both(tree):
        if most == 1:
            return Found((one.strategy, two.strategy), work)
        return _sought(tree, (one.value, two.value), most, options)
    if one.most + two.most >= _both(tree):  # what is known leaves room for one
        raise nothing(tree, STOPPED, options)
    raise _apart(tree, one, two, options)


def _apart(tree: Tree, one: MaxMin, two: MaxMin, options: Options) -> Exception:
    """The error where the two together are sure of less than there is."""
    if not (one.proved and two.proved):
        return nothing(tree, IN_FLOATS, options)
    return NoEquilibrium(
        f"{tree.name}: no equilibrium in pure strategies, {EXACTLY}: {one}, {two}, and there is"
        f" {_both(tree)} for both; other methods find mixed ones"
    )


def _sought(tree: Tree, aims: Aims, most: float, options: Options) -> Found:
    """Either player's plans that are sure of so much, and their pairs."""
    for number, aim in enumerate(aims):
        _check_units(tree, number, aim)
    check_size(tree, "pure equilibria")
    hunts: list[Hunt] = []
    plans: list[list[Pure]] = []
    for number, aim in enumerate(aims):
        wanted = most if not plans or most == inf else ceil(most / len(plans[0]))
        hunts.append(guaranteeing_plans(tree, number, aim, options))
        plans.append([own for (own,) in hunts[-1].first(wanted)])
        if not plans[-1]:
            raise nothing(tree, hunts[-1].ended, options)
    pairs = len(plans[0]) * len(plans[1])
    return gathered(list(islice(product(*plans), int(min(most, pairs)))), hunts)


def _check_units(tree: Tree, number: int, aim: Fraction) -> None:
    """Can pure strategies get this at all?"""
    weights = Weights(tree, number)
    if weights.units(aim).denominator > 1:
        step = Fraction(weights.unit, weights.over)
        long = aim.denominator > 1 and shown(aim).startswith("about")
        kind = ", a fraction," if long else ""
        raise NoEquilibrium(
            f"{tree.name}: no equilibrium in pure strategies: the value is {shown(aim)}{kind} for"
            f" {tree.names[number]}, and pure strategies get {shown(weights.least)} and multiples"
            f" of {shown(step)} more; lp finds a mixed one"
        )


def guaranteeing_plans(tree: Tree, number: int, aim: Fraction, options: Options) -> Hunt:
    """The plans of one player of two that are sure of so much, in a constant-sum game.

    >>> from infoset.games import three_partition
    >>> hunt = guaranteeing_plans(three_partition().tree(), 0, Fraction(0), Options())
    >>> [[plan]] = hunt.first(1)
    >>> plan.player
    'one'
    """
    weights, draft = Weights(tree, number), Draft()
    own, opponent = Ways(draft, tree, number), tree.names[1 - number]
    forgets = not tree.recall(opponent)
    if forgets:
        column = draft.column(weights.total)
        sure = {column: 1.0}
    else:
        sure = add_floor(draft, own, Paths(tree, 1 - number), weights)
    draft.row(sure, lower=weights.scaled(weights.units(aim)) - weights.half)

    def judge(plans: Plans) -> bool:
        left = tree.nature.take(tree.leaf_indices).times(plans[0].at(tree.leaf_indices))
        reply = tree_best_response(tree, 1 - number, left)
        enough = bool(_both(tree) - reply.value >= aim)
        if forgets and not enough:
            add_ceiling(draft, column, own, reply.strategy, weights)
        return enough

    return Hunt(draft, [own], judge, options, weights.fits)


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
    return _by_program(tree, most, options)


def _by_backward_induction(tree: Tree, options: Options) -> Found:
    found = backward.find(tree, options)
    plans = (
        Paths(tree, number).reduced(strategy)
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
            " plans were tried; other methods find mixed ones"
        )
    wanted = profiles[: int(min(most, len(profiles)))]
    first, *others = listed(table, wanted)
    more = len(profiles) - len(wanted)
    note = f"{len(wanted):,} of {len(profiles):,} equilibria in pure strategies" if more else ""
    return Found(first, {"profiles": tried}, remark=note, others=tuple(others), complete=not more)


def _by_program(tree: Tree, most: float, options: Options) -> Found:
    """All players at once."""
    check_size(tree, "pure equilibria")
    draft = Draft()
    count = range(len(tree.players))
    everyone = [Ways(draft, tree, number) for number in count]
    weights = [Weights(tree, number) for number in count]
    forgetful = [number for number in count if not tree.recall(tree.names[number])]
    for number in count:
        if number not in forgetful:
            add_replies(draft, everyone, number, weights[number])

    def judge(plans: Plans) -> bool:
        played = profile(plans)
        gains = [played.responses[player].value - played.payoffs[player] for player in tree.names]
        for number in forgetful:
            if gains[number] > 0:
                reply = played.responses[tree.names[number]].strategy
                add_reply(draft, everyone, number, weights[number], reply)
        return not any(gains)

    hunt = Hunt(draft, everyone, judge, options, all(own.fits for own in weights))
    found = hunt.first(most)
    if not found:
        raise nothing(tree, hunt.ended, options)
    return gathered(found, [hunt])
