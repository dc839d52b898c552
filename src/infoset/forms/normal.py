"""The normal form: the payoffs of all combinations of pure strategies, exactly.

*Plans.* A pure strategy, here a *plan*, chooses an action at every information set of its player. A
*reduced* plan leaves out the sets that its own choices exclude: plans that differ only there are
equivalent.

A player's own choices on the way to a node are its *path*. A *branch point* is an information set
with one path that leads to it: from there a path continues for each action, and no plan follows two
of them. With perfect recall each information set is one branch point. With imperfect recall several
paths may lead to a set: the plan chooses at the first branch point, and must choose the same at the
others. So where a play meets one information set twice, no plan follows a path with two different
choices. A single action is no choice, and paths leave it out.

Branch points are visited in the order of the nodes, earlier ones on a path first. Each splits the
plans that reach it and have not yet chosen at its information set into one for each action. What
was computed for a plan so far holds for all that it splits into, and is copied once.

*Payoffs.* The table has an entry for each combination of plans, complete or reduced. Its size is
known before it is built, and a table that is too large is refused.

Let A be the array of all leaves' payoffs, times the probability of chance, summed by the players'
paths to them, and R_k the 0/1 matrix that says which plans of player k make all choices of which
path. The table is A, multiplied along each axis by that player's R_k; for two players, R_1 A R_2ᵀ.
All numbers are integers over one denominator, so the table is exact.

Neither A nor an R_k is ever built. Of the paths that continue a branch point a plan follows at most
one, so that it takes at most one entry of A from each. While plans are listed by splitting, what a
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
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import TooLarge, TreeError
from infoset.linear.numbers import EXACT_FLOAT, ROOM, Array, bound
from infoset.text import brief, text, times_text
from infoset.tree import MatrixGame, Tree

Plan = tuple[tuple[int, int], ...]  # (information set, action) pairs, in the order of the sets
Indices = npt.NDArray[np.intp]


class BranchPoint(NamedTuple):
    """An information set with one path that leads to it, and the paths that its actions lead to."""

    path: int  # so far
    own: int  # which of the player's information sets
    first: int  # the path on by action 0; those by the others have the numbers after it
    size: int  # how many actions; a single one leads on by the same path


class Routes(NamedTuple):
    """The paths of one player; path 0 is the empty one."""

    infosets: list[int]  # the player's own
    sizes: list[int]  # [own information set] how many actions it has
    branch_points: list[BranchPoint]  # earlier ones on a path first
    origin: list[int]  # [path] the branch_point that it comes from; -1 of the empty one
    path: list[int]  # [node] the player's path there


class PlanStep(NamedTuple):
    """What the plans do where the paths ``first``, ``first + 1``, … part."""

    first: int
    size: int
    source: Indices  # the plans that are split: they continue with action 0;
    target: Indices  # their copies take the others
    here: Indices  # all plans that come, copies included
    taken: npt.NDArray[np.int32]  # what each of these chooses


class Listing(NamedTuple):
    """The plans of one player in order; ``order`` has the numbers that they have in the steps."""

    chosen: npt.NDArray[np.int32]  # [plan, own information set] action, -1 where none is needed
    order: Indices  # [plan]
    steps: list[PlanStep]  # the first is the empty path, which all plans are on


def find_routes(tree: Tree, player: int) -> Routes:
    """The paths of a player and where they part, in one pass over the nodes.

    >>> from infoset.games import absent_minded
    >>> find_routes(absent_minded().tree(), 0).path
    [0, 1, 3, 4, 2, 2, 2]
    """
    infosets: list[int] = np.flatnonzero(tree.infoset_player == player).tolist()
    own = {infoset: number for number, infoset in enumerate(infosets)}
    routes = Routes(infosets, tree.menu_sizes[infosets].tolist(), [], [-1], [])
    onward: dict[tuple[int, int], Sequence[int]] = {}  # (path, infoset) -> [action] path
    columns = (tree.parent, tree.action, tree.player, tree.infoset)
    parent, action, mover, infoset = (column.tolist() for column in columns)
    for node, above in enumerate(parent):
        path = routes.path[above] if above >= 0 else 0
        if above >= 0 and mover[above] == player:
            path = onward[path, infoset[above]][action[node]]
        routes.path.append(path)
        if mover[node] == player and (path, infoset[node]) not in onward:
            onward[path, infoset[node]] = _part(routes, path, own[infoset[node]])
    return routes


def _part(routes: Routes, path: int, own: int) -> Sequence[int]:
    """Record a new branch point; the paths that continue it, by action."""
    size = routes.sizes[own]
    onward = range(len(routes.origin), len(routes.origin) + size) if size > 1 else (path,)
    if size > 1:
        routes.origin.extend([len(routes.branch_points)] * size)
    routes.branch_points.append(BranchPoint(path, own, onward[0], size))
    return onward


def list_plans(routes: Routes, count: int, reduced: bool) -> Listing:
    """All plans, of which there are ``count``; the first choice that a node asks for changes last.

    >>> from infoset.games import absent_minded
    >>> list_plans(find_routes(absent_minded().tree(), 0), 2, reduced=True).chosen.tolist()
    [[0], [1]]
    """
    chosen = np.full((count, len(routes.sizes)), -1, np.int32)
    if not reduced:
        chosen[:] = _combinations(routes.sizes)
    way = np.full(
        (count, len(routes.branch_points)), -1, np.int32
    )  # [plan, branch_point] taken; -1: not met
    made = 1 if reduced else count
    none, all_made = np.arange(0), np.arange(made)
    steps = [PlanStep(0, 1, none, none, all_made, np.zeros(made, np.int32))]
    for number, (path, own, first, size) in enumerate(routes.branch_points):
        look()
        here = np.arange(made)
        if path:
            before = routes.origin[path]
            here = here[way[:made, before] == path - routes.branch_points[before].first]
        split = here[chosen[here, own] < 0]
        chosen[split, own] = 0
        source = np.tile(split, size - 1)
        target = np.arange(made, made + len(source))
        made += len(source)
        chosen[target], way[target] = chosen[source], way[source]
        chosen[target, own] = np.repeat(np.arange(1, size), len(split))
        here = np.concatenate((here, target))
        way[here, number] = chosen[here, own]
        if size > 1:
            steps.append(PlanStep(first, size, source, target, here, way[here, number]))
    # Two plans have the same way up to where the one split off from the other.
    order = np.lexsort(way.T[::-1]) if reduced and routes.branch_points else np.arange(count)
    return Listing(chosen[order], order, steps)


def _combinations(sizes: list[int]) -> npt.NDArray[np.int64]:
    """One number below each size, in all ways, the last changing fastest."""
    below = np.array([prod(sizes[own + 1 :]) for own in range(len(sizes))], np.int64)
    return np.arange(prod(sizes))[:, None] // below % np.array(sizes, np.int64)


def as_plans(routes: Routes, listing: Listing) -> tuple[Plan, ...]:
    """Each plan by itself, as the choices that it makes."""
    choice = cache(lambda infoset, action: (infoset, action))  # a pair is shared by many plans
    infosets = routes.infosets
    return tuple(
        tuple([choice(h, a) for h, a in zip(infosets, row, strict=True) if a >= 0])
        for row in listing.chosen.tolist()
    )


MOST_PROFILES = 1_000_000
MOST_PLAYERS = 32  # a table has a dimension for each
MOST_CELLS = 1 << 27  # choices in all plans of a player: two tables of half a gigabyte


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
        """One plan of a player: the (information set, action) pairs that it chooses.

        Parameters
        ----------
        player
            By name or by number.
        number
            Of the plan, from 0.

        Returns
        -------
        tuple of pairs
            Numbers of information sets and of actions.

        Raises
        ------
        TreeError
            If there is no such plan.
        """
        player = self._number(player)
        self._check(player, number)
        return self.plans[player][number]

    def labels(self, player: int | str) -> tuple[str, ...]:
        """The actions of each plan in words; where that reads the same, with their numbers.

        Parameters
        ----------
        player
            By name or by number.

        Returns
        -------
        tuple of str
            [plan] its label.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> form = normal_form(kuhn().tree())
        >>> form.labels("gambler")[0]
        'pass/pass/pass/pass/pass/pass'
        """
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
        """A player's payoffs as the nearest floats, one axis for each player.

        Parameters
        ----------
        player
            By name or by number.

        Returns
        -------
        ndarray
            [plan of the first player, plan of the second, …] the expected payoff.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> form = normal_form(kuhn().tree())
        >>> form.matrix("gambler").shape
        (27, 64)
        """
        numerators = self.numerators[self._number(player)]
        denominator = self.denominators[self._number(player)]
        largest = max(int(numerators.max()), -int(numerators.min()), denominator)
        if largest < EXACT_FLOAT:  # floats of that size are exact, and one division rounds once
            return np.asarray(numerators / denominator, np.float64)
        quotients = [numerator / denominator for numerator in numerators.ravel().tolist()]
        return np.array(quotients, np.float64).reshape(numerators.shape)

    def payoffs_of(self, profile: Sequence[int]) -> tuple[Fraction, ...]:
        """The payoffs of a combination of plans, given by their numbers.

        Parameters
        ----------
        profile
            [player] the number of its plan, from 0.

        Returns
        -------
        tuple of Fraction
            [player] its expected payoff.

        Raises
        ------
        TreeError
            If there is no such plan, or not one for each player.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> form = normal_form(kuhn().tree())
        >>> form.payoffs_of((0, 0))
        (Fraction(0, 1), Fraction(0, 1))
        """
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
        return f"<NormalForm of {brief(self.tree.name)}: {times_text(self.shape)} plans, {kind}>"

    def _repr_html_(self) -> str | None:
        from infoset.display.show import form_html

        return form_html(self)


def normal_form(tree: Tree, reduced: bool = True, most: int = MOST_PROFILES) -> NormalForm:
    """The normal form of a tree.

    Parameters
    ----------
    tree
        The game.
    reduced
        Leave out of plans what the player's own earlier choices exclude. The whole form lists these
        choices, too.
    most
        The most combinations of plans; a larger form is refused before anything is built.

    Returns
    -------
    NormalForm
        With exact payoffs.

    Raises
    ------
    TooLarge
        If there are too many combinations of plans, or players.

    Examples
    --------
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
        refused = f"the normal form has {times_text(sizes)} entries, more than {most:,}"
        raise TooLarge(f"{tree.name}: {refused}; {_remedy(tree, reduced)}")
    routes = [find_routes(tree, player) for player in range(len(tree.players))]
    cells = max(size * len(own.branch_points) for size, own in zip(known, routes, strict=True))
    if cells > MOST_CELLS:
        refused = f"the plans of a player make {cells:,} choices, more than {MOST_CELLS:,}"
        raise TooLarge(f"{tree.name}: no normal form: {refused}; {_remedy(tree, reduced)}")
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

    Parameters
    ----------
    tree
        The game.
    reduced
        As of :func:`normal_form`.

    Returns
    -------
    tuple
        [player] the number of its plans. None stands for reduced plans of a player with imperfect
        recall, where counting would take too long.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> normal_size(kuhn(ranks=13).tree())
    (1594323, 67108864)
    """
    count = tree.reduced_strategies if reduced else tree.pure_strategies
    return tuple(count(player) for player in tree.names)


def _remedy(tree: Tree, reduced: bool) -> str:
    smaller = []
    if not reduced and (sizes := normal_size(tree)) != normal_size(tree, reduced=False):
        smaller.append(f"the reduced one has {times_text(sizes)}")
    if len(tree.players) <= 2 and tree.perfect_recall:
        sequences = [tree.sequences(player) for player in tree.names]
        smaller.append(f"the sequence form has {times_text(sequences)}")
    return ", ".join(smaller) or "take a smaller game, or give normal_form a larger limit"


def _payoffs(
    tree: Tree, routes: list[Routes], listings: list[Listing]
) -> tuple[tuple[Array, ...], tuple[int, ...]]:
    """Sum up the leaves by their paths, then go from paths to plans, the last player first."""
    weights, denominators = _weights(tree)
    steps = []
    key = np.zeros(len(weights), np.intp)  # numbers the combinations of the first players' paths
    for route in routes:
        path = np.array(route.path, np.intp)[tree.leaf_indices]
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
    chance = tree.chance_reach.take(tree.leaf_indices)
    columns = [chance.times(stake).lowest() for stake in tree.leaf_payoffs]
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
        look()
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
