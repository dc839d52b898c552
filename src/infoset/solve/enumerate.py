"""All extreme equilibria of a game of two, exactly, and how they hang together.

A game may have many equilibria, even a continuum of them. But there are finitely many *extreme*
ones, and all others are mixtures of these (:mod:`infoset.solve.extremes.components`). They are the
pairs of corners of two polyhedra that have every label between them;
:mod:`infoset.solve.extremes.search` says how they are gone through, in integers from beginning to
end, each once.

With perfect recall this is done on the sequence form (Audet, Belhaiza & Hansen 2009), where a plan
says nothing of what a player does at sets that it does not itself let play come to: equilibria that
differ in that alone are one. Otherwise it is the reduced normal form (Koller, Megiddo & von Stengel
1994, theorem 4.2), as E and F of a single row each.
"""

from __future__ import annotations

import time
from fractions import Fraction
from math import inf
from typing import Any

from infoset.errors import NotProved, TooLarge
from infoset.forms.normal import NormalForm, normal_form
from infoset.forms.sequence import sequence_form
from infoset.linear.numbers import Numbers
from infoset.solve.bimatrix import exact_mixed, matrices
from infoset.solve.extremes.components import components
from infoset.solve.extremes.search import Search
from infoset.solve.lp import exact_plans
from infoset.solve.options import Found, Options
from infoset.solve.solution import NONE_FOUND
from infoset.strategy import Strategy, uniform
from infoset.tree import Tree

Pair = tuple[Numbers, Numbers]

LOOKS = (10, 30, 90, 270, 810)  # seconds after which the length of the search is estimated
PATIENCE = 3_600  # seconds that are taken on unasked
ROOM = 128 << 20  # bytes of a pair of tables; a search has as many as it is deep


def find(tree: Tree, options: Options) -> Found:
    """All extreme equilibria, or as many as are asked for or found in time.

    The first is the simplest: pure ones come first, then those of smaller support. Components are
    given if these are all: else what is missing might join them.
    """
    form = None if tree.perfect_recall else normal_form(tree)
    search = _search(tree, form)
    pairs, done = _gone_through(search, tree, options)
    work = {"nodes": search.nodes, "pivots": search.pivots}
    note = "" if done else f"stopped with {search.explored:.2%} of the search done"
    if not pairs and options.exact:
        raise NotProved(f"{tree.name}: {note}; {NONE_FOUND.partition(';')[0]}")
    if not pairs:
        strategies = tuple(uniform(tree, player) for player in tree.names)
        return Found(strategies, work, remark=f"{note}; {NONE_FOUND}", equilibrium=False)
    pairs.sort(key=_simplicity)
    if done:  # what hangs together stands together
        pairs = [pairs[member] for one in components(pairs) for member in one.members]
    first, *others = (_strategies(tree, form, pair) for pair in pairs)
    return Found(
        first,
        work,
        remark=note,
        others=tuple(others),
        complete=done,
        components=components(pairs) if done else (),
    )


def _search(tree: Tree, form: NormalForm | None) -> Search:
    if form is not None:
        one, two, own, other = matrices(form)
        search = Search((one, two), own, other)
    else:
        sequences = sequence_form(tree)
        search = Search(sequences.payoffs, sequences.E, sequences.F)
    sides = (search.first, search.second)
    if sum(side.bytes for side in sides) > ROOM:
        longest = max(sides, key=lambda side: side.bytes)
        rows, columns = longest.table[0].shape
        raise TooLarge(
            f"{tree.name}: too large to enumerate: a table of {rows:,} by {columns:,} numbers of"
            f" {32 * longest.limbs:,} bits, {longest.bytes / 1e6:,.0f} MB, is kept at every step;"
            " lp or lcp finds one equilibrium"
        )
    return search


def _strategies(tree: Tree, form: NormalForm | None, pair: Pair) -> tuple[Strategy, ...]:
    return exact_plans(tree, *pair) if form is None else exact_mixed(form, *pair)


def _gone_through(search: Search, tree: Tree, options: Options) -> tuple[list[Pair], bool]:
    """The pairs that were found, and whether they are all."""
    pairs: list[Pair] = []
    unasked = options.most is None and options.seconds is None
    began, looks = 0.0, iter(LOOKS)
    look: float = next(looks)
    for pair in search:
        began = began or time.perf_counter()  # after the first step: the loops are compiled by then
        if pair is not None:
            pairs.append(pair)
            if options.most is not None and len(pairs) >= options.most and search.explored < 1:
                return pairs, False
        options.tell(f"{len(pairs):,} equilibria, {search.explored:.1%} of the search")
        if options.over() and search.explored < 1:
            return pairs, False
        if unasked and (spent := time.perf_counter() - began) > look:
            look = next(looks, inf)
            _check_length(search, tree, spent)
    return pairs, True


def _check_length(search: Search, tree: Tree, spent: float) -> None:
    """Refuse a search that seems hopeless: as long as for this part of it, for all the rest."""
    expected = spent / search.done
    if expected > PATIENCE:
        nodes = f" and {search.nodes / search.explored:.0e} nodes" if search.explored else ""
        raise TooLarge(
            f"{tree.name}: the search for all equilibria seems to take {_in_words(expected)}"
            f"{nodes}, after {spent:.0f} s of it; --most N (most=N) stops after N equilibria,"
            " --time after so long"
        )


def _in_words(seconds: float) -> str:
    """About how long.

    >>> _in_words(9_000), _in_words(1e9), _in_words(1e30)
    ('some 2 hours', 'some 32 years', 'some 3e+22 years')
    """
    units = {"years": 31_557_600, "days": 86_400, "hours": 3_600}
    unit = next((unit for unit, size in units.items() if seconds > 2 * size), "hours")
    count = seconds / units[unit]
    return f"some {count:,.0f} {unit}" if count < 1e6 else f"some {count:.0e} {unit}"


def _simplicity(pair: Pair) -> tuple[Any, ...]:
    """Pure ones first, then by how much is played, then by the weights, larger ones first."""
    weights = [weight for plan in pair for weight in plan.values()]
    pure = all(weight.denominator == 1 for weight in weights)
    support = sum(1 for weight in weights if weight)
    order: list[Fraction] = [-weight for weight in weights]
    return (not pure, support, order)
