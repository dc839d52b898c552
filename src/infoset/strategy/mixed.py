"""Pure and mixed strategies, and mixed strategies of small support.

A *pure strategy* has one action at each information set. A *mixed strategy* is a lottery over pure
strategies, drawn once before the play begins.

With weights μ on pure strategies p the realization weight of a node is Σ μ(p) · p(node), where
p(node) is 1 if the choices of p lead there and 0 if not: a mixed strategy's realization weights are
the averages of those of its pure ones (Koller, Megiddo & von Stengel 1994, section 4). Since one
draw is for the whole play, choices at different information sets may be correlated, and two visits
of one set get the same choice. With behaviour strategies it is the other way round;
:mod:`infoset.strategy.equivalence` says when that makes no difference.

*Small supports.* A mixed strategy affects the game only through the weights of the leaves, which
are averages of those of its pure strategies: 0 or 1 for each leaf. So the support need not be
larger than the number of leaves (Koller, Megiddo & von Stengel 1994, theorem 4.1), which is
Carathéodory's argument: while the pure strategies' vectors are linearly dependent, Σ d_p v_p = 0,
the weights may move along the dependence, μ − t d, without changing the average, until one of them
is zero. The vectors are not negative and none is zero, so d has entries of both signs, and the move
ends. :func:`small_support` does that, with perfect recall or without.

With perfect recall there is a faster way with a better bound: :func:`peel` subtracts pure
strategies from a realization plan, one after the other. Each chooses only sequences of positive
weight, and gets the least of their weights, which becomes 0.

*Bound.* Say that a choice is alive while its weight is positive, and an information set u while the
weight of the sequence that leads there is. Let f be the number of choices alive minus the number of
sets alive; f >= 0, since the choices of a set share what leads there. Peeling t lowers one choice
at each set that the pure strategy reaches. A set that dies had only that one choice alive, as t was
all that led there; set and choice go together, and f stays. Of the choices that die take the first
on a path: its set lives on, unless nothing at all is left, so f falls. Thus there are at most
1 + f <= 1 + Σ (|C_u| − 1) pure strategies; and the leaves are at least that many, since a tree has
1 + Σ (children − 1) of them, summed over its inner nodes, and every set has a node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import StrategyError
from infoset.linear.numbers import ROOM, Array, Index, Numbers, bound, fitted, multiplied
from infoset.strategy.behaviour import (
    ROUNDING,
    Behaviour,
    RealizationPlan,
    plan_from_floats,
    unchecked,
    uniform_probabilities,
)
from infoset.strategy.strategy import (
    Strategy,
    action_number,
    check_tree,
    checked_player,
    given_probability,
    normalized_row,
    own_infoset,
)
from infoset.text import brief, text
from infoset.tree import Tree

MOST_WORDS = 2_000  # characters of a strategy in its ``repr``


@dataclass(frozen=True, repr=False)
class Pure(Strategy):
    """One action at each information set, or at those that its own actions do not exclude.

    >>> from infoset.games import kuhn
    >>> bold = pure(kuhn().tree(), "gambler", {"J": "bet", "Q": "bet", "K": "bet"})
    >>> bold
    Pure(gambler: J → bet; Q → bet; K → bet)
    """

    tree: Tree
    player: str
    chosen: tuple[tuple[int, int], ...]  # (information set, action), in order of the sets

    @property
    def exact(self) -> bool:
        """Always."""
        return True

    @cached_property
    def action_at(self) -> npt.NDArray[np.int64]:
        """[information set of the tree] the action; -1 where there is none."""
        actions = np.full(len(self.tree.infoset_player), -1, np.int64)
        for infoset, action in self.chosen:
            actions[infoset] = action
        return actions

    def at(self, nodes: Index) -> Numbers:
        """1 at nodes that the player's choices lead to, 0 at the others.

        Parameters
        ----------
        nodes
            Numbers of nodes.

        Returns
        -------
        Numbers
            [node] its realization weight.
        """
        return Numbers(self._follows[nodes].astype(np.int64))

    @cached_property
    def _follows(self) -> npt.NDArray[np.bool_]:
        tree, number = self.tree, self.tree.player_number(self.player)
        look()
        above = np.maximum(tree.parent, 0)
        mine = tree.player[above] == number  # elsewhere the set's number is another's
        mine[0] = False
        leaves = np.zeros(len(tree), np.bool_)  # [node] is it, or one above it, off the path?
        leaves[mine] = self.action_at[tree.infoset[above[mine]]] != tree.action[mine]
        while above.any():  # pointers up jump twice as far in every pass
            leaves |= leaves[above]
            above = above[above]
        return ~leaves

    @cached_property
    def undecided(self) -> int | None:
        """An information set that the strategy reaches without an action there; None if there is
        none.

        A strategy with such a set is incomplete, and is refused in a profile.
        """
        if len(self.chosen) == len(self.choices.infosets):
            return None
        number = self.tree.player_number(self.player)
        met = self.tree.infoset[self._follows & (self.tree.player == number)]
        silent = met[self.action_at[met] < 0]
        return int(silent.min()) if len(silent) else None

    def behaviour(self) -> Behaviour:
        """The same with probabilities 0 and 1; uniform where it has no action."""
        choices = self.choices
        probabilities = uniform_probabilities(choices)
        action = np.repeat(self.action_at[choices.infosets], choices.sizes)
        own = np.arange(1, len(choices)) - np.repeat(choices.first, choices.sizes)
        certain = np.array([Fraction(0), Fraction(1)], object)[(own == action).astype(np.int64)]
        probabilities[1:] = np.where(action < 0, probabilities[1:], certain)
        return unchecked(self.tree, self.player, probabilities)

    @property
    def words(self) -> str:
        """Its actions in words, by information set."""
        said = (
            f"{(infoset := self.tree.infosets[at]).label or f'#{at + 1}'}"
            f" → {text(infoset.actions[action])}"
            for at, action in self.chosen
        )
        return "; ".join(said)

    def __repr__(self) -> str:
        return f"Pure({brief(self.player)}: {brief(self.words, MOST_WORDS)})"

    def _repr_html_(self) -> str:
        from infoset.display.show import pure_html

        return pure_html(self)


def pure(tree: Tree, player: str, given: Mapping[Any, Any]) -> Pure:
    """A pure strategy from actions by information set, which are given by label or as views.

    Information sets that the actions themselves exclude may be left out.

    Parameters
    ----------
    tree
        The game.
    player
        By name.
    given
        From information sets to actions.

    Returns
    -------
    Pure
        The strategy.

    Raises
    ------
    InfosetError
        If there is no such player, information set or action.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> bold = pure(kuhn().tree(), "gambler", {"J": "bet", "Q": "bet", "K": "bet"})
    >>> bold
    Pure(gambler: J → bet; Q → bet; K → bet)
    """
    check_tree(tree)
    chosen = {}
    for place, action in given.items():
        infoset = own_infoset(tree, player, place)
        chosen[infoset.index] = action_number(infoset, action)
    strategy = Pure(tree, checked_player(tree, player), tuple(sorted(chosen.items())))
    if strategy.undecided is not None:
        infoset = tree.infosets[strategy.undecided]
        raise StrategyError(
            f"{tree.name}: {player} comes to {infoset.label!r} and has no action there; choose one"
            f" of {', '.join(map(text, infoset.actions))}"
        )
    return strategy


@dataclass(frozen=True, eq=False, repr=False)
class Mixed(Strategy, Mapping[Pure, Any]):
    """A probability for each of some pure strategies; all others have 0.

    Read as a mapping, from pure strategies to their probabilities.

    >>> from infoset.games import absent_minded
    >>> from infoset.strategy import pure
    >>> tree = absent_minded().tree()
    >>> left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    >>> coin = mixed(tree, "one", {left: 0.5, right: 0.5})
    >>> coin
    Mixed(one: 1/2 (a or b → L), 1/2 (a or b → R))
    >>> coin[left], len(coin)
    (Fraction(1, 2), 2)
    """

    tree: Tree
    player: str
    plans: tuple[Pure, ...]  # all different
    weights: Numbers  # [plan] its probability

    def __post_init__(self) -> None:
        problem = self._flaw()
        if problem:
            raise StrategyError(f"{self.tree.name}: {self.player}: {problem}")

    def _flaw(self) -> str:
        """Why this is not a mixed strategy; empty if it is."""
        checked_player(self.tree, self.player)
        if len(self.plans) != len(self.weights):
            return f"{len(self.weights)} probabilities for {len(self.plans)} pure strategies"
        for plan in self.plans:
            if plan.tree is not self.tree or plan.player != self.player:
                return f"{plan} is of {plan.player} in {plan.tree.name}: of another player or tree"
            if plan.undecided is not None:
                place = self.tree.infosets[plan.undecided].label
                return f"{plan} comes to {place!r} and has no action there"
        if len({plan.chosen for plan in self.plans}) != len(self.plans):
            return "a pure strategy is there twice; add up its probabilities"
        miss = 0 if self.exact else ROUNDING
        negative = np.flatnonzero(~(self.weights.numerators >= -miss))
        if len(negative):
            at = int(negative[0])
            return f"the probability of {self.plans[at]} is {self.weights[at]}; it must be >= 0"
        total = self.weights.total
        return f"the probabilities sum to {total}, not to 1" if abs(total - 1) > miss else ""

    @property
    def exact(self) -> bool:
        """Rationals, not floats?"""
        return self.weights.exact

    @cached_property
    def support(self) -> tuple[Pure, ...]:
        """The pure strategies that are played with positive probability."""
        return tuple(plan for plan, weight in self.items() if weight > 0)

    def at(self, nodes: Index) -> Numbers:
        """[node] the realization weight."""
        numerators = self.weights.numerators
        total = np.zeros(len(nodes), numerators.dtype)
        for plan, weight in zip(self.plans, numerators, strict=True):
            total = total + multiplied(plan.at(nodes).numerators, np.array([weight]))
        return Numbers(total, self.weights.denominator)  # no sum is above the denominator

    # ------------------------------------------------------------------ as a mapping

    @cached_property
    def _number(self) -> dict[Pure, int]:
        return {plan: at for at, plan in enumerate(self.plans)}

    def __getitem__(self, plan: Pure) -> Any:
        """The probability of one of the pure strategies."""
        return self.weights[self._number[plan]]

    def __iter__(self) -> Iterator[Pure]:
        return iter(self.plans)

    def __len__(self) -> int:
        return len(self.plans)

    def __eq__(self, other: object) -> bool:
        """The same probabilities of the same pure strategies, of one player of one tree."""
        if not isinstance(other, Mixed):
            return NotImplemented
        same = self.tree is other.tree and self.player == other.player
        return same and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash((id(self.tree), self.player))

    def __repr__(self) -> str:
        said = ", ".join(f"{weight} ({plan.words})" for plan, weight in self.items())
        return f"Mixed({brief(self.player)}: {brief(said, MOST_WORDS)})"

    def __str__(self) -> str:
        from infoset.display.show import strategy_text

        return strategy_text(self)

    def _repr_html_(self) -> str:
        from infoset.display.show import strategy_html

        return strategy_html(self)

    def inexact(self) -> Mixed:
        """The same in floats."""
        return Mixed(self.tree, self.player, self.plans, self.weights.inexact())


def mixed(tree: Tree, player: str, given: Mapping[Pure, Any], *, floats: bool = False) -> Mixed:
    """A mixed strategy from the probabilities of pure ones.

    Parameters
    ----------
    tree : Tree
        The game.
    player : str
        Whose strategy it is.
    given : mapping
        From pure strategies to their probabilities.
    floats : bool
        Compute in floats, and normalize probabilities that miss 1 by at most 10^-6. By default
        numbers are exact, and a float means its decimal.

    Returns
    -------
    Mixed
        The strategy.

    Raises
    ------
    StrategyError
        If the probabilities do not sum to 1.

    Examples
    --------
    >>> from infoset.games import matching_pennies
    >>> tree = matching_pennies().tree()
    >>> player, (infoset, *_) = tree.names[0], tree.infosets_of(tree.names[0])
    >>> sides = [pure(tree, player, {infoset: action}) for action in infoset.actions]
    >>> mixed(tree, player, dict.fromkeys(sides, 0.5)).exact
    True
    """
    check_tree(tree)
    weights = [
        given_probability(value, f"{tree.name}: {player}: {plan}") for plan, value in given.items()
    ]
    row = normalized_row(weights, f"{tree.name}: {player}: the probabilities", floats=floats)
    return Mixed(tree, player, tuple(given), Numbers.of(row))


# ---------------------------------------------------------------------- with perfect recall


def peel(plan: RealizationPlan) -> Mixed:
    """A mixed strategy with the same weights, of at most 1 + Σ (|C_u| − 1) pure strategies.

    Its pure strategies are reduced: they say nothing where their own choices do not lead. A plan of
    floats is first rounded to rationals, and the weights become floats again.

    Parameters
    ----------
    plan
        Of a player with perfect recall.

    Returns
    -------
    Mixed
        Equivalent to the plan.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import behaviour
    >>> bluff = {"J": {"pass": 0.75, "bet": 0.25}, "Q": {"pass": 1}, "K": {"bet": 1}}
    >>> bluff |= {"J, [pass], bet": {"pass": 1}, "Q, [pass], bet": {"pass": 0.5, "bet": 0.5}}
    >>> print(peel(behaviour(kuhn().tree(), "gambler", bluff).plan))
    gambler
    <BLANKLINE>
    probability   pure strategy
    1/2 ████      J → pass; J, [pass], bet → pass; Q → pass; Q, [pass], bet → pass; K → bet
    1/4 ██        J → pass; J, [pass], bet → pass; Q → pass; Q, [pass], bet → bet; K → bet
    1/4 ██        J → bet; Q → pass; Q, [pass], bet → bet; K → bet
    """
    if not plan.exact:
        return peel(plan_from_floats(plan.tree, plan.player, plan.weights.floats)).inexact()
    left: list[int] = [int(over) for over in plan.weights.numerators]
    plans, weights = [], []
    while left[0]:
        taken = _inside(plan, left)
        least = min((left[choice] for choice in taken.values()), default=left[0])
        for choice in (0, *taken.values()):
            left[choice] -= least
        plans.append(_pure(plan, taken))
        weights.append(Fraction(least, plan.weights.denominator))
    return Mixed(plan.tree, plan.player, tuple(plans), Numbers.of(weights))


def _inside(plan: RealizationPlan, left: list[int]) -> dict[int, int]:
    """By own set that is reached: a choice with some weight left, the one with most."""
    choices = plan.choices
    reached = {0}
    taken: dict[int, int] = {}
    for stage in choices.stages:
        for own in stage.tolist():
            if int(choices.before[own]) in reached:
                first = int(choices.first[own])
                options = range(first, first + int(choices.sizes[own]))
                taken[own] = max(options, key=left.__getitem__)
                reached.add(taken[own])
    return taken


def _pure(plan: RealizationPlan, taken: dict[int, int]) -> Pure:
    choices = plan.choices
    chosen = (
        (int(choices.infosets[own]), choice - int(choices.first[own]))
        for own, choice in sorted(taken.items())
    )
    return Pure(plan.tree, plan.player, tuple(chosen))


# ---------------------------------------------------------------------- whatever is recalled


def small_support(mixed: Mixed) -> Mixed:
    """An equivalent mixed strategy on some of the same pure ones, which are linearly independent.

    So there are at most as many as leaves, and at most as many as own paths to leaves. Exact; with
    floats, the rounding of the weights alone.

    Parameters
    ----------
    mixed
        A mixed strategy.

    Returns
    -------
    Mixed
        Equivalent to it.

    Examples
    --------
    >>> from itertools import product
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import mixed, pure
    >>> tree = kuhn().tree()
    >>> sets = tree.infosets_of("dealer")
    >>> plans = [pure(tree, "dealer", dict(zip(sets, actions)))
    ...     for actions in product(("pass", "bet"), repeat=len(sets))]
    >>> even = mixed(tree, "dealer", dict.fromkeys(plans, Fraction(1, 64)))
    >>> len(even), len(small_support(even)), len(list(tree.leaves))
    (64, 2, 30)
    """
    plans = mixed.support
    leaf_indices = mixed.tree.leaf_indices
    vectors = np.array([plan.at(leaf_indices).numerators for plan in plans])
    weights = independent(vectors, [Fraction(mixed[plan]) for plan in plans])
    kept = [at for at, weight in enumerate(weights) if weight]
    numbers = Numbers.of(weights[at] for at in kept)
    return Mixed(
        mixed.tree,
        mixed.player,
        tuple(plans[at] for at in kept),
        numbers if mixed.exact else numbers.inexact(),
    )


def independent(vectors: npt.NDArray[np.int64], weights: Sequence[Fraction]) -> list[Fraction]:
    """Weights >= 0 that give the same average, and are 0 on all but independent vectors.

    ``vectors[p]`` is >= 0 and not zero, for each p.
    """
    moved = list(weights)
    rows = _dependences(np.unique(vectors, axis=1))
    while len(rows):
        row, rows = rows[0], rows[1:]
        signs = row.tolist()
        step, at = min((moved[p] / sign, p) for p, sign in enumerate(signs) if sign > 0)
        moved = [
            weight - step * sign if sign else weight
            for weight, sign in zip(moved, signs, strict=True)
        ]
        rows = _without(rows, row, at)  # weight number ``at`` is zero, and stays so
    return moved


def _dependences(vectors: npt.NDArray[np.int64]) -> Array:
    """[dependence, vector] a basis of the integers d with Σ d_p v_p = 0."""
    from flint import fmpz_mat

    count, length = vectors.shape
    reduced, under, rank = fmpz_mat(length, count, vectors.T.ravel().tolist()).rref()
    table = np.array([[int(entry) for entry in row] for row in reduced.tolist()[:rank]], object)
    whole, pivots = int(under), np.array([int(np.argmax(row != 0)) for row in table], np.int64)
    others = np.setdiff1d(np.arange(count), pivots)
    rows = np.zeros((len(others), count), object)
    rows[np.arange(len(others)), others] = whole
    rows[:, pivots] = -table[:, others].T
    return _primitive(rows)


def _without(rows: Array, row: Array, at: int) -> Array:
    """Dependences of the vectors but one, whose coefficient in ``row`` is positive."""
    touched = np.flatnonzero(rows[:, at])
    if not len(touched):
        return rows
    if 2 * bound(rows.ravel()) * bound(row) >= ROOM:
        rows, row = rows.astype(object), row.astype(object)
    here = rows[touched]
    cleared = _primitive(here * row[at] - here[:, at, None] * row)
    if cleared.dtype != rows.dtype:
        rows, cleared = rows.astype(object), cleared.astype(object)
    rows[touched] = cleared
    return rows


def _primitive(rows: Array) -> Array:
    """Each row without the factors that its entries share."""
    if not len(rows):
        return rows
    rows = rows // np.gcd.reduce(rows, axis=1)[:, None]
    return fitted(rows.ravel()).reshape(rows.shape) if rows.dtype == object else rows
