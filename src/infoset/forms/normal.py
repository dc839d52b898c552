"""The normal form: one strategy each, all at once, and what it comes to, exactly.

The table has an entry for each combination of pure strategies, here *plans*, whole or reduced (see
:mod:`infoset.forms.plans`, which lists them). Its size is known before it is built, and too large a
one is refused.

Let A be the array of all leaves' payoffs, times the chance of nature's moves, summed by the
players' paths to them, and R_k the 0/1 matrix that says which plans of player k make all choices of
which path. The table is A, multiplied along each axis by that player's R_k; for two players,
R_1 A R_2ᵀ. All numbers are integers over one denominator, so the table is exact.

Neither A nor an R_k is ever laid out. Of the paths that part at one point a plan is on one at most,
so it takes at most one entry of A from each parting. While plans are listed by splitting, what a
plan has taken so far is copied to all that it splits into. So most of the work is to write each
entry of the table once or twice, whatever the type of number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
import numpy.typing as npt

from infoset.errors import TooLarge, TreeError
from infoset.forms.plans import (
    Indices,
    Listing,
    Plan,
    Routes,
    as_plans,
    find_routes,
    list_plans,
)
from infoset.linear.numbers import EXACT_FLOAT, ROOM, Array, bound
from infoset.rules.story import brief, text
from infoset.tree import MatrixGame, Tree

MOST_PROFILES = 1_000_000
MOST_PLAYERS = 32  # a table has a dimension for each


@dataclass(frozen=True, eq=False, repr=False)
class NormalForm:
    """A tree's table of plans: player k is paid ``numerators[k][profile] / denominators[k]``.

    Of the choices of a plan, the first that a node asks for changes last. Players go by number or
    name.

    >>> from infoset.games import kuhn
    >>> table = normal_form(kuhn().tree())
    >>> table
    <NormalForm of kuhn(): 27 × 64 plans, reduced>
    >>> table.labels("gambler")[8], table.plan("gambler", 8)
    ('pass/pass/bet/bet', ((0, 0), (2, 0), (6, 1), (10, 1)))
    >>> table.payoffs_of((8, 5))
    (Fraction(1, 6), Fraction(-1, 6))
    """

    tree: Tree
    plans: tuple[tuple[Plan, ...], ...]  # [player][strategy]
    reduced: bool
    numerators: tuple[Array, ...]  # [player], one axis for each; int64, or Python's if too large
    denominators: tuple[int, ...]  # [player]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many plans each player has."""
        return tuple(map(len, self.plans))

    def plan(self, player: int | str, number: int) -> Plan:
        """One plan of a player: the (information set, action) pairs that it chooses."""
        player = self._number(player)
        self._check(player, number)
        return self.plans[player][number]

    def labels(self, player: int | str) -> tuple[str, ...]:
        """The actions of each plan in words; where that reads the same, with their numbers."""
        plans = self.plans[self._number(player)]
        action = cache(lambda h, a: text(self.tree.infosets[h].actions[a]))
        labels = ["/".join(action(h, a) for h, a in plan) or "none" for plan in plans]
        times = Counter(labels)
        if len(times) == len(plans):
            return tuple(labels)
        numbered = ("/".join(f"#{h + 1}.{a + 1} {action(h, a)}" for h, a in plan) for plan in plans)
        pairs = zip(labels, numbered, strict=True)
        return tuple(label if times[label] == 1 else longer for label, longer in pairs)

    def matrix(self, player: int | str) -> npt.NDArray[np.float64]:
        """A player's payoffs as the nearest floats, one axis for each player."""
        numerators = self.numerators[self._number(player)]
        denominator = self.denominators[self._number(player)]
        largest = max(int(numerators.max()), -int(numerators.min()), denominator)
        if largest < EXACT_FLOAT:  # floats of that size are exact, and one division rounds once
            return np.asarray(numerators / denominator, np.float64)
        quotients = [numerator / denominator for numerator in numerators.ravel().tolist()]
        return np.array(quotients, np.float64).reshape(numerators.shape)

    def payoffs_of(self, profile: Sequence[int]) -> tuple[Fraction, ...]:
        """The payoffs of a combination of plans, given by their numbers."""
        if len(profile) != len(self.shape):
            raise TreeError(f"{len(profile)} strategies for {len(self.shape)} players; give each")
        for player, number in enumerate(profile):
            self._check(player, number)
        at = tuple(profile)
        pairs = zip(self.numerators, self.denominators, strict=True)
        return tuple(Fraction(int(entry[at]), whole) for entry, whole in pairs)

    def table(self) -> MatrixGame:
        """The same as a table of fractions with readable strategies, for files and people."""
        amounts = []
        for numerators, whole in zip(self.numerators, self.denominators, strict=True):
            listed = numerators.ravel(order="F").tolist()
            fraction = {numerator: Fraction(numerator, whole) for numerator in set(listed)}
            amounts.append([fraction[numerator] for numerator in listed])
        return MatrixGame(
            players=self.tree.players,
            strategies=tuple(self.labels(player) for player in range(len(self.plans))),
            payoffs=tuple(zip(*amounts, strict=True)),
            name=self.tree.name,
            comment=self.tree.comment,
        )

    def _number(self, player: int | str) -> int:
        return self.tree.player_number(player) if isinstance(player, str) else player

    def _check(self, player: int, number: int) -> None:
        if not 0 <= number < len(self.plans[player]):
            place = f"{self.tree.name}: {self.tree.names[player]}"
            last = len(self.plans[player]) - 1
            raise TreeError(f"{place} has no strategy {number}; they are counted 0 to {last}")

    def __repr__(self) -> str:
        kind = "reduced" if self.reduced else "whole"
        return f"<NormalForm of {brief(self.tree.name)}: {_times(self.shape)} plans, {kind}>"

    def _repr_html_(self) -> str | None:
        from infoset.examine.faces import form_html

        return form_html(self)


def normal_form(tree: Tree, reduced: bool = True, most: int = MOST_PROFILES) -> NormalForm:
    """The normal form of a tree; the whole one lists choices that cannot matter, too.

    One of more than ``most`` combinations of plans is refused before anything is built.

    >>> from infoset.games import kuhn
    >>> normal_form(kuhn().tree()).shape, normal_form(kuhn().tree(), reduced=False).shape
    ((27, 64), (64, 64))
    """
    if len(tree.players) > MOST_PLAYERS:
        raise TooLarge(
            f"{tree.name}: no normal form of {len(tree.players)} players, only of {MOST_PLAYERS} or"
            " fewer; the tree itself has no such limit"
        )
    sizes = normal_size(tree, reduced)
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes) or prod(known) > most:
        refused = f"the normal form has {_times(sizes)} entries, more than {most:,}"
        raise TooLarge(f"{tree.name}: {refused}; {_remedy(tree, reduced)}")
    routes = [find_routes(tree, player) for player in range(len(tree.players))]
    listings = [list_plans(*pair, reduced) for pair in zip(routes, known, strict=True)]
    numerators, denominators = _payoffs(tree, routes, listings)
    plans = tuple(as_plans(*pair) for pair in zip(routes, listings, strict=True))
    return NormalForm(tree, plans, reduced, numerators, denominators)


def restricted(form: NormalForm, kept: Sequence[Sequence[int]]) -> NormalForm:
    """The normal form of some of each player's strategies, given by their numbers.

    >>> from infoset.games import kuhn
    >>> restricted(normal_form(kuhn().tree()), [(8, 3), range(5)])
    <NormalForm of kuhn(): 2 × 5 plans, reduced>
    """
    if len(kept) != len(form.plans):
        raise TreeError(f"strategies of {len(kept)} players for {len(form.plans)}; give each")
    for player, numbers in enumerate(kept):
        if not len(numbers):
            raise TreeError(f"{form.tree.name}: {form.tree.names[player]} is left no strategy")
        for number in numbers:
            form._check(player, number)
    grid = np.ix_(*(np.asarray(numbers, np.intp) for numbers in kept))
    numerators = tuple(np.ascontiguousarray(amounts[grid]) for amounts in form.numerators)
    for amounts in numerators:
        amounts.flags.writeable = False
    plans = tuple(
        tuple(own[number] for number in numbers)
        for own, numbers in zip(form.plans, kept, strict=True)
    )
    return replace(form, plans=plans, numerators=numerators)


def normal_size(tree: Tree, reduced: bool = True) -> tuple[int | None, ...]:
    """How many plans each player has, without listing them.

    None stands for reduced plans of a player who forgets, where counting would take too long.

    >>> from infoset.games import kuhn
    >>> normal_size(kuhn(ranks=13).tree())
    (1594323, 67108864)
    """
    count = tree.reduced_strategies if reduced else tree.pure_strategies
    return tuple(count(player) for player in tree.names)


def _times(sizes: Sequence[int | None]) -> str:
    return " × ".join("?" if size is None else _short(size) for size in sizes)


def _short(size: int) -> str:
    return f"{size:,}" if size < 10**15 else f"about 2^{size.bit_length() - 1}"


def _remedy(tree: Tree, reduced: bool) -> str:
    smaller = []
    if not reduced and (sizes := normal_size(tree)) != normal_size(tree, reduced=False):
        smaller.append(f"the reduced one has {_times(sizes)}")
    if len(tree.players) <= 2 and tree.perfect_recall:
        sequences = [tree.sequences(player) for player in tree.names]
        smaller.append(f"the sequence form has {_times(sequences)}")
    return ", ".join(smaller) or "take a smaller game, or raise most= in Python"


def _payoffs(
    tree: Tree, routes: list[Routes], listings: list[Listing]
) -> tuple[tuple[Array, ...], tuple[int, ...]]:
    """Sum up the leaves by their paths, then go from paths to plans, the last player first."""
    weights, denominators = _weights(tree)
    steps = []
    key = np.zeros(len(weights), np.intp)  # numbers the combinations of the first players' paths
    for route in routes:
        path = np.array(route.path, np.intp)[tree.ends]
        pairs, key = np.unique(key * len(route.origin) + path, return_inverse=True)
        steps.append(np.divmod(pairs, len(route.origin)))
    values = np.zeros((len(pairs), len(routes)), weights.dtype)
    np.add.at(values, key, weights)
    for (above, path), listing in zip(reversed(steps), reversed(listings), strict=True):
        values = _from_paths_to_plans(values, above, path, listing)
    numerators = tuple(np.ascontiguousarray(amounts) for amounts in np.moveaxis(values[0], -1, 0))
    for amounts in numerators:
        amounts.flags.writeable = False
    return numerators, denominators


def _weights(tree: Tree) -> tuple[Array, tuple[int, ...]]:
    """[leaf, player] chance times payoff, as integers over a denominator for each player."""
    chance = tree.nature.take(tree.ends)
    columns = [chance.times(stake).lowest() for stake in tree.stakes]
    fits = all(bound(column.numerators) * len(column) < ROOM for column in columns)
    weights = np.array([column.numerators for column in columns], np.int64 if fits else object)
    return weights.T, tuple(column.denominator for column in columns)


def _from_paths_to_plans(values: Array, above: Indices, path: Indices, listing: Listing) -> Array:
    """Entry i belongs to a path and to a group ``above[i]``; sum up each group's by plan."""
    nothing = len(values)  # where an entry that pays 0 stands
    total = np.zeros((len(listing.chosen), int(above.max()) + 1, *values.shape[1:]), values.dtype)
    values = np.concatenate((values, np.zeros_like(values[:1])))
    by_path = np.argsort(path, kind="stable")
    paths = path[by_path]
    for first, size, source, target, here, taken in listing.steps:
        total[target] = total[source]
        start, stop = np.searchsorted(paths, (first, first + size))
        if start == stop:
            continue
        entries, actions = by_path[start:stop], paths[start:stop] - first
        groups, group = np.unique(above[entries], return_inverse=True)
        found = np.full((size, len(groups)), nothing)
        found[actions, group] = entries
        paid = np.isin(taken, actions)
        total[np.ix_(here[paid], groups)] += values[found[taken[paid]]]
    return total[listing.order].swapaxes(0, 1)
