"""Kuhn's theorem: when mixed and behaviour strategies are equivalent, and conversions.

Two strategies of a player are *equivalent* if they give every leaf the same realization weight;
then, whatever the others do, every play is as likely under the one as under the other. Kuhn (1953):
with perfect recall every behaviour strategy has an equivalent mixed one, and the other way round.

*To behaviour.* If a behaviour b is equivalent to a mixed strategy with weights w, then so it is at
the inner nodes, since the weights of a player's own moves at a node x sum to that of x. Therefore
b(c) = w(xc) / w(x) at every node x with w(x) > 0 of the information set: b is determined wherever
the strategy reaches it, by any one node. With perfect recall all nodes of a set agree. Without,
there may be no such b: it suffices to try this one candidate, and if it fails, there is none.

*To mixed.* Draw the choices of all information sets in advance. If no play meets a set twice, a
leaf's weight is the product of the same probabilities as before, with perfect recall or without. If
a play does, one draw serves both visits: leaves that need two different choices there get weight 0.
Again one candidate decides. A behaviour strategy with 0 < b(c) < 1 at a set that c leads to again
gives a positive weight to choosing otherwise the second time, which no pure strategy does; one
without such a set is equivalent to its product on all plays that it allows.

The draws of all sets are too many to list, but few are needed (:mod:`infoset.strategy.mixed`).
With perfect recall they are subtracted from the realization plan. Without, they are drawn set by
set, each pure strategy so far split into one for each choice; whenever there are more of them than
different paths, their number is reduced.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable, StrategyError, TooLarge
from infoset.linear.numbers import Array, Numbers
from infoset.strategy.behaviour import (
    ROUNDING,
    Behaviour,
    RealizationPlan,
    behaviour_of_plan,
    needs_recall,
)
from infoset.strategy.mixed import Mixed, Pure, independent, peel
from infoset.strategy.strategy import Strategy
from infoset.text import place_text
from infoset.tree import Tree
from infoset.tree.facts import absent_minded

MOST_PATHS = (
    500  # own paths to leaves, up to which the pure strategies are listed without perfect recall
)

Longs = npt.NDArray[np.int64]
Path = frozenset[tuple[int, int]]  # own choices, (own set, action)


def equivalent(one: Strategy, two: Strategy) -> bool:
    """Do two strategies of a player give every leaf the same weight?

    Exactly the same if both are exact, up to rounding otherwise.

    Parameters
    ----------
    one, two
        Of the same player of the same tree.

    Returns
    -------
    bool
        True if no strategies of the others can tell them apart.

    Raises
    ------
    StrategyError
        If they are of different players or trees.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import uniform
    >>> at_random = uniform(kuhn().tree(), "gambler")
    >>> equivalent(at_random, as_mixed(at_random))
    True
    """
    if one.tree is not two.tree or one.player != two.player:
        raise StrategyError(
            f"a strategy of {one.player} in {one.tree.name} and one of {two.player} in"
            f" {two.tree.name}: only strategies of one player in one tree compare"
        )
    return _difference(one, two) is None


def _difference(one: Strategy, two: Strategy) -> int | None:
    """The leaf at which the weights of two strategies differ most; None if they are equal."""
    leaf_indices = one.tree.leaf_indices
    first, second = one.at(leaf_indices), two.at(leaf_indices)
    if first.exact and second.exact:
        over, under = first.numerators.astype(object), second.numerators.astype(object)
        gap = np.abs(over * second.denominator - under * first.denominator)
        at = int(np.argmax(gap))
        return int(leaf_indices[at]) if gap[at] else None
    apart = np.abs(first.floats - second.floats)
    at = int(np.argmax(apart))
    return int(leaf_indices[at]) if apart[at] > ROUNDING else None


# ---------------------------------------------------------------------- to behaviour and to plans


def as_behaviour(strategy: Strategy) -> Behaviour:
    """The equivalent behaviour strategy; uniform where the strategy has weight 0.

    Parameters
    ----------
    strategy : Strategy
        A strategy of a tree.

    Returns
    -------
    Behaviour
        It gives every leaf the same realization weight.

    Raises
    ------
    NotApplicable
        If there is none, which needs imperfect recall; with the reason and a leaf that shows it.

    Examples
    --------
    >>> from infoset.games import absent_minded
    >>> from infoset.strategy import mixed, pure
    >>> tree = absent_minded().tree()
    >>> left, right = (pure(tree, "one", {"a or b": action}) for action in "LR")
    >>> as_behaviour(mixed(tree, "one", {left: 0.5, right: 0.5}))
    Traceback (most recent call last):
    ...
    infoset.errors.NotApplicable: absent_minded(): no behaviour strategy is equivalent to this mixed
    one: one, at 'a or b', forgets whether it chose L at 'a or b' (at the start; after one: L);
    after one: L, one: L its weight is 1/2, and would become 1/4
    """
    if isinstance(strategy, Behaviour):
        return strategy
    if isinstance(strategy, Pure):
        return strategy.behaviour()
    if isinstance(strategy, RealizationPlan):
        return behaviour_of_plan(strategy)
    if not isinstance(strategy, Mixed):
        raise StrategyError(
            f"{strategy!r:.60} is no strategy; as_strategy(game, player, ...) makes one"
        )
    tree, player = strategy.tree, strategy.player
    candidate = Behaviour(tree, player, _conditional(strategy))
    recall = tree.recall(player)
    leaf = None if recall else _difference(strategy, candidate)
    if leaf is not None:
        raise NotApplicable(
            f"{tree.name}: no behaviour strategy is equivalent to this mixed one:"
            f" {recall.because}; {_two_weights(strategy, candidate, leaf)}"
        )
    return candidate


def _conditional(strategy: Strategy) -> Array:
    """[choice] its probability at the node of its set that the strategy reaches most."""
    tree, choices, reach = strategy.tree, strategy.choices, strategy.reach
    start, member = tree.members
    begin, child = tree.children
    probabilities: list[Any] = [Fraction(1) if strategy.exact else 1.0]
    for infoset, size in zip(choices.infosets.tolist(), choices.sizes.tolist(), strict=True):
        nodes = member[start[infoset] : start[infoset + 1]]
        node = int(nodes[int(np.argmax(reach.numerators[nodes]))])
        after = reach.take(child[begin[node] : begin[node + 1]])
        total = after.total
        whole = Fraction(1) if strategy.exact else 1.0
        probabilities += [value / total if total else whole / size for value in after.values()]
    return np.array(probabilities, object if strategy.exact else np.float64)


def _two_weights(one: Strategy, two: Strategy, leaf: int) -> str:
    place = np.array([leaf])
    words = place_text(one.tree.nodes[leaf].history)
    return f"{words} its weight is {one.at(place)[0]}, and would become {two.at(place)[0]}"


def as_plan(strategy: Strategy) -> RealizationPlan:
    """The realization plan of a strategy: the weights of the player's sequences.

    Parameters
    ----------
    strategy
        Of any kind.

    Returns
    -------
    RealizationPlan
        Exact if the strategy is.

    Raises
    ------
    NotApplicable
        If the player has imperfect recall.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import pure
    >>> bold = pure(kuhn().tree(), "gambler", {"J": "bet", "Q": "bet", "K": "bet"})
    >>> as_plan(bold).weights.values()[:4]
    [Fraction(1, 1), Fraction(0, 1), Fraction(1, 1), Fraction(0, 1)]
    """
    if isinstance(strategy, RealizationPlan):
        return strategy
    needs_recall(strategy.tree, strategy.player, "a realization plan")
    if isinstance(strategy, Behaviour):
        return strategy.plan
    return RealizationPlan(strategy.tree, strategy.player, strategy.at(_nodes_after(strategy)))


def _nodes_after(strategy: Strategy) -> Longs:
    """[choice] a node that it leads to; the root for the empty one."""
    tree, choices = strategy.tree, strategy.choices
    start, member = tree.members
    begin, child = tree.children
    above = np.repeat(member[start[choices.infosets]], choices.sizes)
    action = np.arange(1, len(choices)) - np.repeat(choices.first, choices.sizes)
    return np.concatenate(([0], child[begin[above] + action])).astype(np.int64)


# ---------------------------------------------------------------------- to mixed


def as_mixed(strategy: Strategy) -> Mixed:
    """An equivalent mixed strategy of small support.

    Parameters
    ----------
    strategy : Strategy
        A strategy of a tree.

    Returns
    -------
    Mixed
        It gives every leaf the same realization weight.

    Raises
    ------
    NotApplicable
        If there is none, which needs absent-mindedness; with the reason and a leaf that shows it.
    TooLarge
        If the player has imperfect recall and too many own paths.

    Examples
    --------
    >>> from infoset.games import absent_minded
    >>> from infoset.strategy import uniform
    >>> as_mixed(uniform(absent_minded().tree(), "one"))
    Traceback (most recent call last):
    ...
    infoset.errors.NotApplicable: absent_minded(): no mixed strategy is equivalent to this behaviour
    of one, since a pure strategy does the same each time it meets an information set: one's
    information set 'a or b' is met at the start and again after one: L; after one: L, one: L its
    weight is 1/4, and would become 1/2
    """
    if isinstance(strategy, Mixed):
        return strategy
    if isinstance(strategy, Pure):
        return Mixed(strategy.tree, strategy.player, (strategy,), Numbers.of([1]))
    if isinstance(strategy, RealizationPlan):
        return peel(strategy)
    behaviour = as_behaviour(strategy)
    if behaviour.tree.recall(behaviour.player):
        return peel(behaviour.plan)
    drawn = _drawn_ahead(behaviour)
    leaf = _difference(behaviour, drawn)
    if leaf is not None:
        tree = behaviour.tree
        twice = absent_minded(tree, [tree.player_number(behaviour.player)])
        raise NotApplicable(
            f"{tree.name}: no mixed strategy is equivalent to this behaviour of"
            f" {behaviour.player}, since a pure strategy does the same each time it meets an"
            f" information set: {twice.because};"
            f" {_two_weights(behaviour, drawn, leaf)}"
        )
    return drawn


def _drawn_ahead(behaviour: Behaviour) -> Mixed:
    """The choices of all sets drawn independently before play, as few pure strategies."""
    tree, player, choices = behaviour.tree, behaviour.player, behaviour.choices
    paths = leaf_paths(tree, tree.player_number(player))
    if len(paths) > MOST_PATHS:
        raise TooLarge(
            f"{tree.name}: {player} has imperfect recall, and its {len(paths):,} own paths to"
            f" leaves are more"
            f" than the {MOST_PATHS} for which a mixed strategy is found; keep the behaviour"
        )
    drawn: dict[Path, Fraction] = {frozenset(): Fraction(1)}  # plans so far
    for own in range(len(choices.infosets)):
        drawn = _split(drawn, own, _probabilities(behaviour, own), paths)
        distinct_moves = {frozenset(c for c in path if c[0] <= own) for path in paths}
        if len(drawn) > len(distinct_moves) or own == len(choices.infosets) - 1:
            drawn = _fewer(drawn, list(distinct_moves))
    plans = [
        Pure(tree, player, tuple((int(choices.infosets[own]), a) for own, a in sorted(plan)))
        for plan in drawn
    ]
    weights = Numbers.of(drawn.values())
    return Mixed(tree, player, tuple(plans), weights if behaviour.exact else weights.inexact())


def leaf_paths(tree: Tree, number: int) -> list[Path]:
    """The different sets of own choices that lead to leaves."""
    choices = tree.choices[number]
    own_set = {infoset: own for own, infoset in enumerate(choices.infosets.tolist())}
    made: list[Path] = [frozenset()]
    mover, infoset, action = tree.player.tolist(), tree.infoset.tolist(), tree.action.tolist()
    for node, above in enumerate(tree.parent.tolist()):
        if node:
            own = made[above]
            if mover[above] == number:
                own |= {(own_set[infoset[above]], action[node])}
            made.append(own)
    return list(dict.fromkeys(made[end] for end in tree.leaf_indices.tolist()))


def _probabilities(behaviour: Behaviour, own: int) -> list[Fraction]:
    """The probabilities at a set; of floats, rationals next to them that sum to one."""
    first = int(behaviour.choices.first[own])
    given = behaviour.probabilities[first : first + int(behaviour.choices.sizes[own])].tolist()
    probabilities = [max(Fraction(probability), Fraction(0)) for probability in given]
    total = sum(probabilities, Fraction(0))
    return [probability / total for probability in probabilities]


def _split(
    drawn: dict[Path, Fraction], own: int, probabilities: list[Fraction], paths: list[Path]
) -> dict[Path, Fraction]:
    """Each plan split into one for every choice of a set, if it may reach it."""
    after: dict[Path, Fraction] = {}
    through = [path for path in paths if any(at == own for at, _ in path)]
    for plan, weight in drawn.items():
        if not any(_agrees(plan, path) for path in through):
            after[plan] = weight
            continue
        for action, probability in enumerate(probabilities):
            if probability:
                after[plan | {(own, action)}] = weight * probability
    return after


def _agrees(plan: Path, path: Path) -> bool:
    chosen = dict(plan)
    return all(chosen.get(own, action) == action for own, action in path)


def _fewer(drawn: dict[Path, Fraction], paths: list[Path]) -> dict[Path, Fraction]:
    """The same weights of paths by plans that are linearly independent."""
    vectors = np.array([[path <= plan for path in paths] for plan in drawn], np.int64)
    weights = independent(vectors, list(drawn.values()))
    return {plan: weight for plan, weight in zip(drawn, weights, strict=True) if weight}
