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

from fractions import Fraction
from typing import Any

from infoset.errors import TooLarge
from infoset.forms.normal import NormalForm, normal_form
from infoset.forms.sequence import sequence_form
from infoset.linear.numbers import Numbers
from infoset.solve.bimatrix import exact_mixed, matrices
from infoset.solve.extremes.components import components
from infoset.solve.extremes.search import Search
from infoset.solve.lp import exact_plans
from infoset.solve.options import Found, Options
from infoset.strategy import Strategy, uniform
from infoset.tree import Tree

Pair = tuple[Numbers, Numbers]

SAMPLES = (500, 2_000, 8_000, 32_000)  # nodes after which the size of the search is estimated
PATIENCE = 200_000  # nodes that are taken on unasked; one takes a millisecond or some


def find(tree: Tree, options: Options) -> Found:
    """All extreme equilibria, or as many as are asked for or found in time.

    The first is the simplest: pure ones come first, then those of smaller support. Components are
    given if these are all: else what is missing might join them.
    """
    form = None if tree.perfect_recall else normal_form(tree)
    search = _search(tree, form)
    pairs, done = _gone_through(search, tree, options)
    work = {"nodes": search.nodes, "pivots": search.pivots}
    note = "" if done else f"stopped with {search.explored:.2g} of the search done"
    if not pairs:
        return Found(tuple(uniform(tree, player) for player in tree.names), work, note)
    pairs.sort(key=_simplicity)
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
        return Search((one, two), own, other)
    sequences = sequence_form(tree)
    return Search(sequences.payoffs, sequences.E, sequences.F)


def _strategies(tree: Tree, form: NormalForm | None, pair: Pair) -> tuple[Strategy, ...]:
    return exact_plans(tree, *pair) if form is None else exact_mixed(form, *pair)


def _gone_through(search: Search, tree: Tree, options: Options) -> tuple[list[Pair], bool]:
    """The pairs that were found, and whether they are all."""
    pairs: list[Pair] = []
    for pair in search:
        if pair is not None:
            pairs.append(pair)
            if options.most is not None and len(pairs) >= options.most and search.explored < 1:
                return pairs, False
        options.tell(f"{len(pairs):,} equilibria, {search.explored:.1%} of the search")
        if options.over() and search.explored < 1:
            return pairs, False
        if search.nodes in SAMPLES and options.most is None and options.seconds is None:
            _check_size(search, tree)
    return pairs, True


def _check_size(search: Search, tree: Tree) -> None:
    """Refuse a search that seems hopeless: as much as this part of it, for all the rest."""
    expected = search.nodes / search.explored if search.explored else float("inf")
    if expected > PATIENCE:
        raise TooLarge(
            f"{tree.name}: the search for all equilibria has some {expected:.0e} nodes, more than"
            f" {PATIENCE:,}; --most N (most=N) stops after N equilibria, --time after so long"
        )


def _simplicity(pair: Pair) -> tuple[Any, ...]:
    """Pure ones first, then by how much is played, then by the weights, larger ones first."""
    weights = [weight for plan in pair for weight in plan.values()]
    pure = all(weight.denominator == 1 for weight in weights)
    support = sum(1 for weight in weights if weight)
    order: list[Fraction] = [-weight for weight in weights]
    return (not pure, support, order)
