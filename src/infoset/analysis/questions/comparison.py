"""Two profiles of one game: their payoffs, where they differ, and whether they are interchangeable.

In a zero-sum game of two players, all equilibria have the same payoffs and are interchangeable: a
player's strategy of one goes with the other's strategy of another (von Neumann 1928). In other
games neither need be so. Here it is checked: each way to take some strategies from one profile and
the rest from the other is a profile, and its regret is computed.

Strategies are compared set by set, by the L1 distance of their probabilities. Differences at sets
that are never reached matter little, so sets are ordered by their distance times their reach, on
average of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from infoset.analysis.questions.answer import (
    Answer,
    Subject,
    asked_about,
    played,
    rounding,
    tree_of,
)
from infoset.analysis.questions.names import label_of
from infoset.analysis.table import NUMBER, PROBABILITY, PROSE, Column, Sheet, Table
from infoset.errors import NotApplicable, StrategyError
from infoset.linear.numbers import Array
from infoset.strategy import Behaviour, Mixed, Profile, Pure, Strategy, profile
from infoset.strategy.behaviour import ROUNDING
from infoset.strategy.convert import Given
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.infosets import Playable
from infoset.strategy.strategy import distinct_actions
from infoset.text import bounded_text, label_text, number_text, probabilities_text, text
from infoset.tree import Infoset, Tree
from infoset.tree.knowledge import in_order
from infoset.tree.views import Views

MOST_EXCHANGED = 4  # players up to which all ways to exchange strategies are tried


@dataclass(frozen=True)
class Difference:
    """An information set at which two profiles differ."""

    infoset: Infoset
    one: tuple[Any, ...]  # [action]
    two: tuple[Any, ...]
    reach: tuple[Any, Any]  # the probability that it is reached, in each

    @property
    def size(self) -> Any:
        """The L1 distance of the probabilities: 0 to 2."""
        return sum(abs(a - b) for a, b in zip(self.one, self.two, strict=True))


@dataclass(frozen=True, repr=False)
class Comparison(Answer):
    """Two profiles of one game, side by side."""

    one: Profile
    two: Profile
    differences: Sequence[Difference]  # those that matter most first; made when looked at
    distance: dict[str, Any]  # by player: L1 over all sets; None if no behaviour strategy exists
    total_variation: Any  # distance of the distributions over plays: 0 to 1
    interchangeable: bool | None  # None if that was not tried
    exact: tuple[bool, bool] = (True, True)  # is each of them exact?

    @property
    def equilibria(self) -> tuple[bool, bool]:
        """Is each an equilibrium? Up to rounding, if it is not exact."""
        one, two = self.exact
        return _is_equilibrium(self.one, one), _is_equilibrium(self.two, two)

    @property
    def same(self) -> bool:
        """Have both the same distribution over plays?"""
        return bool(self.total_variation <= (0 if all(self.exact) else ROUNDING))

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {
            "equilibria": list(self.equilibria),
            "interchangeable": self.interchangeable,
            "total_variation": self.total_variation,
            "distance": self.distance,
        }

    @property
    def table(self) -> Sheet:
        """Payoffs and regrets side by side, then where the strategies differ."""
        yes = {True: "yes", False: "no", None: "not tried"}
        facts = (
            ("equilibria", " and ".join(yes[fact] for fact in self.equilibria)),
            ("interchangeable", yes[self.interchangeable]),
            ("plays differ by", number_text(self.total_variation)),
        )
        tables = [self._players()]
        if len(self.differences):
            tables.append(self._places())
        note = "" if len(self.differences) else "no information set is played differently"
        if None in self.distance.values():
            note = "mixed strategies without equivalent behaviour are not compared set by set"
        return Sheet(f"two profiles of {label_text(self.one.tree.name)}", tables, facts, note)

    def _players(self) -> Table:
        columns = (
            Column("player"),
            Column("first gets", NUMBER),
            Column("second gets", NUMBER),
            Column("first regrets", NUMBER),
            Column("second regrets", NUMBER),
            Column("distance", NUMBER),
        )
        rows = [
            (
                name,
                self.one.payoffs[name],
                self.two.payoffs[name],
                self.one.regrets[name],
                self.two.regrets[name],
                self.distance[name],
            )
            for name in self.one.tree.names
        ]
        return Table("players", columns, rows)

    def _places(self) -> Table:
        columns = (
            Column("player"),
            Column("information set"),
            Column("first", PROSE),
            Column("second", PROSE),
            Column("difference", NUMBER),
            Column("reach, first", PROBABILITY),
            Column("reach, second", PROBABILITY),
        )

        def row(at: int) -> tuple[Any, ...]:
            one = self.differences[at]
            names = [text(action) for action in distinct_actions(one.infoset)]
            both = (
                _probabilities_text(names, probabilities) for probabilities in (one.one, one.two)
            )
            where = (bounded_text(one.infoset.player), label_of(one.infoset))
            return (*where, *both, one.size, *one.reach)

        rows = Views(row, len(self.differences))
        return Table("where they differ, what matters most first", columns, rows)


def compare(
    one: Subject | Given, two: Subject | Given, *, game: Playable | None = None
) -> Comparison:
    """Compare two profiles of one game.

    Parameters
    ----------
    one, two : Solution or Profile
        Strategies for all players. The second may be on another tree of the same game, such as one
        from a file.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    Comparison
        Payoffs and regrets side by side, the information sets at which they differ, the total
        variation distance of the plays, and whether the two are interchangeable equilibria.

    Raises
    ------
    StrategyError
        If they are of different games.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> answer = compare(solve(tree, "lp"), solve(tree, "lcp"))
    >>> answer.equilibria, answer.interchangeable
    ((True, True), True)
    """
    if game is not None:
        tree = tree_of(game)
        one, two = asked_about(one, tree), asked_about(two, tree)
    first, second = played(one), _same_tree(played(two), played(one).tree)
    exact = one.exact, two.exact
    sizes = [_sizes(first, second, number) for number in range(len(first.tree.names))]
    distance = {
        name: None if size is None else sum(size.tolist())
        for name, size in zip(first.tree.names, sizes, strict=True)
    }
    return Comparison(
        first,
        second,
        _differences(first, second, sizes, all(exact)),
        distance,
        _total_variation(first, second),
        _interchangeable(first, second, exact),
        exact,
    )


def _is_equilibrium(played_: Profile, exact: bool) -> bool:
    """Is this an equilibrium? The regret must be 0, up to rounding errors if it is not exact."""
    return bool(played_.regret <= (0 if exact else rounding(played_.tree)))


def _probabilities_text(names: list[str], probabilities: tuple[Any, ...]) -> str:
    pairs = zip(names, probabilities, strict=True)
    return probabilities_text(
        (label_text(name, 24), number_text(probability))
        for name, probability in pairs
        if probability
    )


# ---------------------------------------------------------------------- one tree for both


def _same_tree(second: Profile, tree: Tree) -> Profile:
    """The same strategies in another tree of the same game."""
    if second.tree is tree:
        return second
    if second.tree.fingerprint != tree.fingerprint:
        raise StrategyError(
            f"{tree.name} and {second.tree.name} are not the same game; only strategies of one game"
            " can be compared"
        )
    return profile([_moved(strategy, tree) for strategy in second])


def _moved(strategy: Strategy, tree: Tree) -> Strategy:
    if isinstance(strategy, Mixed):
        plans = tuple(Pure(tree, plan.player, plan.chosen) for plan in strategy.plans)
        return Mixed(tree, strategy.player, plans, strategy.weights)
    return Behaviour(tree, strategy.player, as_behaviour(strategy).probabilities)


# ---------------------------------------------------------------------- distances


def _sizes(first: Profile, second: Profile, number: int) -> Array | None:
    """[own set] the L1 distance; None if a mixed strategy has no equivalent behaviour strategy."""
    try:
        one, two = (as_behaviour(side.strategies[number]) for side in (first, second))
    except NotApplicable:
        return None
    if not len(one.choices.first):
        return np.zeros(0)
    if one.exact != two.exact:
        one, two = one.inexact(), two.inexact()
    return np.asarray(
        np.add.reduceat(np.abs(one.probabilities - two.probabilities), one.choices.first)
    )


def _differences(
    first: Profile, second: Profile, sizes: list[Array | None], exact: bool
) -> Sequence[Difference]:
    tree = first.tree
    importance = np.zeros(len(tree.infoset_player))
    size = np.zeros(len(tree.infoset_player))
    for choices, own in zip(tree.choices, sizes, strict=True):
        if own is not None:
            size[choices.infosets] = np.where(own > 0, np.maximum(own.astype(float), 1e-300), 0)
    if not exact:
        size[size <= ROUNDING] = 0
    start, nodes = tree.members
    if len(nodes):
        reach = first.reach(nodes).floats + second.reach(nodes).floats
        importance = size * np.add.reduceat(reach, start[:-1]) / 2
    found = np.array(in_order(tree, np.flatnonzero(size).tolist()), np.int64)
    order = found[np.lexsort((-size[found], -importance[found]))]  # stable

    def difference(at: int) -> Difference:
        infoset = tree.infosets[int(order[at])]
        one, two = (
            tuple(as_behaviour(side[infoset.player])[infoset].values()) for side in (first, second)
        )
        reach = first.infoset_reach(infoset), second.infoset_reach(infoset)
        return Difference(infoset, one, two, reach)

    return Views(difference, len(order))


def _total_variation(first: Profile, second: Profile) -> Any:
    """The total variation distance of the distributions over plays."""
    one, two = first.reach(first.tree.leaf_indices), second.reach(first.tree.leaf_indices)
    if not (one.exact and two.exact):
        return float(np.abs(one.floats - two.floats).sum()) / 2
    over = one.numerators.astype(object) * two.denominator
    under = two.numerators.astype(object) * one.denominator
    return Fraction(int(np.abs(over - under).sum()), 2 * one.denominator * two.denominator)


def _interchangeable(first: Profile, second: Profile, exact: tuple[bool, bool]) -> bool | None:
    """Is every combination of their strategies an equilibrium, too?"""
    count = len(first.strategies)
    equilibria = map(_is_equilibrium, (first, second), exact)
    if not all(equilibria) or count > MOST_EXCHANGED:
        return None
    for taken in product((0, 1), repeat=count):
        if len(set(taken)) < 2:
            continue  # one of the two themselves
        sides = (first, second)
        exchanged = [sides[side].strategies[number] for number, side in enumerate(taken)]
        if not _is_equilibrium(profile(exchanged), all(exact)):
            return False
    return True
