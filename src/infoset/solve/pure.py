"""Equilibria in pure strategies, one or all, or the proof that there is none.

Nobody draws lots: each player has one plan, and none of the others is better for it. There may be
no such equilibrium, and to find out is NP-hard, even for two players with perfect recall and zero
sum (Blair, Mutchler & van Lent 1996, theorem 2). So there are several ways, the first that fits:

1. *The table.* Where the reduced normal form has few enough entries, maxima along its axes show all
   equilibria, in integers (:mod:`infoset.solve.integer.profiles`).
2. *The value.* In a zero-sum game of two either player's plans are sought apart, for what they are
   sure of (:mod:`infoset.solve.integer.sure`).
3. *An integer program* of the sequence form, for all players at once
   (:mod:`infoset.solve.integer.ways`). A player who forgets has its replies added as they are
   found.

Of the answers of an integer program only the plans are believed: each profile is checked in
rational arithmetic, and excluded before the next one is sought. If floats say that there is none
left, branch and bound says it again in integers (:mod:`infoset.solve.integer.exhaust`); where that
takes too long, the answer says what it rests on.

Equilibria are counted once for each profile of *reduced* plans: what a player would do where its
own plan does not let it come is left open. With perfect information backward induction finds one.
"""

from __future__ import annotations

from math import prod

from infoset.errors import NoEquilibrium
from infoset.solve import backward
from infoset.solve.integer.draft import Draft
from infoset.solve.integer.hunt import Hunt, Plans, check_size, gathered, nothing
from infoset.solve.integer.profiles import fits_a_table, listed, pure_equilibria, table_of
from infoset.solve.integer.sure import sure_equilibria
from infoset.solve.integer.ways import Paths, Ways, add_replies, add_reply
from infoset.solve.integer.weights import Weights
from infoset.solve.options import Found, Options
from infoset.strategy import Pure, profile
from infoset.tree import Tree


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
        found = sure_equilibria(tree, most, options)
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
