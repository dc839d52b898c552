"""Models of an opponent: strategies with mistakes.

An equilibrium is the right response to an opponent who makes no mistakes. Koller & Pfeffer (1997,
section 7.1) go further: people err; players of a certain kind are prone to certain mistakes; and
regularities of a player can be learned from observation. Each of the three is a strategy here,
exact like any other, made from a base strategy σ:

    erring    at each information set, with probability r, a uniform action:
                  (1 - r) σ(c) + r / |C|
    biased    at each information set, with probability r, one of the tempting actions:
                  (1 - r) σ(c) + r σ(c | tempting)
    learned   from n(c) observed choices, and σ with the weight of s observations:
                  (s σ(c) + n(c)) / (s + Σ n)           (the mean of a Dirichlet distribution)

How to play against them is in :mod:`infoset.solvers.safe.solver`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np

from infoset.errors import ParameterError, RulesError, StrategyError, nearest
from infoset.linear.numbers import Array
from infoset.objects.numbers import exact
from infoset.strategy.behaviour import Behaviour, unchecked, uniform_probabilities
from infoset.strategy.convert import as_strategy
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.strategy import (
    Strategy,
    action_number,
    checked_player,
    distinct_actions,
    own_infoset,
)
from infoset.text import text
from infoset.tree import Infoset, Node, Tree

Tempting = Hashable | Iterable[Hashable] | Callable[[Infoset, Any], bool]


def erring(strategy: Strategy, rate: Any) -> Behaviour:
    """A strategy with errors: at each information set, with some probability, a uniform action.

    Parameters
    ----------
    strategy : Strategy
        The strategy without errors.
    rate : int, Fraction or float
        The probability of an error, independent at each information set.

    Returns
    -------
    Behaviour
        The strategy with errors.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> dealer = solve(kuhn()).strategy["dealer"]
    >>> erring(dealer, 0.1)["K, bet"]
    {'pass': Fraction(1, 20), 'bet': Fraction(19, 20)}
    """
    part, base = rational("rate", rate), as_behaviour(strategy)
    probabilities = (1 - part) * _fractions(base) + part * uniform_probabilities(base.choices)
    probabilities[0] = Fraction(1)
    return unchecked(base.tree, base.player, probabilities)


def biased(
    strategy: Strategy, toward: Tempting, by: Any, where: str | Iterable[str] = ()
) -> Behaviour:
    """A strategy with a bias toward certain actions.

    Parameters
    ----------
    strategy : Strategy
        The strategy without the bias.
    toward : action, iterable of actions, or function
        The tempting actions; a function of an information set and an action says which are.
    by : int, Fraction or float
        The probability of giving in, at each information set that has a tempting action. Of several
        tempting ones each is taken as often as the strategy takes it; if it takes none, uniformly.
    where : str or iterable of str
        Only at information sets whose label contains all of these texts.

    Returns
    -------
    Behaviour
        The strategy with the bias.

    Raises
    ------
    StrategyError
        If no action is tempting anywhere.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import poker
    >>> dealer = solve(poker()).strategy["dealer"]
    >>> dealer["J, bet 1"]
    {'fold': Fraction(1, 1), 'call': Fraction(0, 1)}
    >>> biased(dealer, "call", by=0.5)["J, bet 1"]
    {'fold': Fraction(1, 2), 'call': Fraction(1, 2)}
    >>> never_bluffs = biased(dealer, "pass", by=1, where="J")
    >>> never_bluffs["J, pass"]
    {'pass': Fraction(1, 1), 'bet 1': Fraction(0, 1)}
    """
    part, base = rational("by", by), as_behaviour(strategy)
    parts = (where,) if isinstance(where, str) else tuple(where)
    tree, choices, probabilities = base.tree, base.choices, _fractions(base)
    tempted = 0
    for own, index in enumerate(choices.infosets.tolist()):
        infoset = tree.infosets[index]
        if not all(words in infoset.label for words in parts):
            continue
        tempting = [_tempts(toward, infoset, action) for action in distinct_actions(infoset)]
        tempted += any(tempting)
        first = int(choices.first[own])
        here = slice(first, first + len(tempting))
        probabilities[here] = _drawn(probabilities[here], tempting, part)
    if not tempted:
        raise StrategyError(_nothing(base, toward, parts))
    return unchecked(tree, base.player, probabilities)


def learned(
    tree: Tree,
    player: str,
    plays: Mapping[Any, Mapping[Any, int]] | Iterable[Node],
    prior: Any = None,
    strength: Any = 1,
) -> Behaviour:
    """The strategy that a player seems to have, by what it was seen to do.

    Parameters
    ----------
    tree : Tree
        The game.
    player : str
        Who was seen.
    plays : mapping or iterable of Node
        How often it took which action at which information set; or the nodes at which plays ended,
        all choices on the way to which are counted.
    prior : object, optional
        What it is expected to do before anything was seen, given in any of the ways that
        :func:`~infoset.strategy.as_strategy` takes; uniform by default.
    strength : int, Fraction or float
        How many observations at each information set the prior counts for: the larger, the slower
        one learns.

    Returns
    -------
    Behaviour
        The mean of the posterior Dirichlet distribution, exactly.

    Raises
    ------
    StrategyError
        If plays or prior do not fit the tree.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> seen = {"J, bet": {"pass": 7, "bet": 2}}
    >>> learned(kuhn().tree(), "dealer", seen)["J, bet"]
    {'pass': Fraction(3, 4), 'bet': Fraction(1, 4)}
    """
    weight = rational("strength", strength, most=None)
    if not weight:
        raise ParameterError("strength=0: it must be positive, for sets without observations")
    if not isinstance(tree, Tree):
        raise StrategyError(f"{tree!r:.60} is not a tree; game.tree() makes one")
    number = tree.player_number(checked_player(tree, player))
    choices = tree.choices[number]
    if prior is None:
        base = uniform_probabilities(choices)
    else:
        given = as_strategy(tree, player, prior)
        assert isinstance(given, Strategy)  # of a tree
        base = _fractions(as_behaviour(given))
    counts = (
        _counted(tree, player, plays) if isinstance(plays, Mapping) else _seen(tree, player, plays)
    )
    if not len(choices.infosets):
        return unchecked(tree, player, base)
    total = np.repeat(np.add.reduceat(counts, choices.first), choices.sizes)
    probabilities = base.copy()
    probabilities[1:] = (weight * base[1:] + counts[1:]) / (weight + total)
    return unchecked(tree, player, probabilities)


def rational(name: str, value: Any, most: int | None = 1) -> Fraction:
    """A parameter as a rational number, refused if it is not between 0 and ``most``.

    >>> rational("rate", 0.1)
    Fraction(1, 10)
    """
    try:
        number = exact(value)
    except RulesError as error:
        raise ParameterError(f"{name}={value!r}: {error}") from None
    if number < 0 or (most is not None and number > most):
        allowed = "0 or more" if most is None else f"from 0 to {most}"
        raise ParameterError(f"{name}={value!r}: it must be {allowed}")
    return number


# ---------------------------------------------------------------------- temptations


def _tempts(toward: Tempting, infoset: Infoset, action: Any) -> bool:
    if callable(toward):
        return bool(toward(infoset, action))
    if toward in (action, text(action)):
        return True
    if isinstance(toward, str) or not isinstance(toward, Iterable):
        return False
    return any(one in (action, text(action)) for one in toward)


def _drawn(probabilities: Array, tempting: list[bool], part: Fraction) -> Array:
    """[action] the probabilities at a set, with the bias."""
    if not any(tempting):
        return probabilities
    inside = np.array([Fraction(int(one)) for one in tempting], object)
    taken = probabilities * inside
    pull = taken / taken.sum() if taken.sum() else inside / inside.sum()
    return np.asarray((1 - part) * probabilities + part * pull)


def _nothing(base: Behaviour, toward: Tempting, parts: tuple[str, ...]) -> str:
    """The message where no action is tempting: which actions or sets there are."""
    sets = base.tree.infosets_of(base.player)
    inside = [one for one in sets if all(words in one.label for words in parts)]
    place = f"{base.tree.name}: {base.player}"
    if not inside:
        said = " and ".join(map(repr, parts))
        return f"{place} has no information set with {said} in its label; leave out where="
    if callable(toward):
        return f"{place}: the function that was given as toward is true of no action"
    names = {text(action) for one in inside for action in one.actions}
    shown = toward if isinstance(toward, str) else text(toward)
    return f"{place} has no action {shown!r} there; {nearest(shown, names)}"


# ---------------------------------------------------------------------- observations


def _counted(tree: Tree, player: str, plays: Mapping[Any, Mapping[Any, int]]) -> Array:
    """[choice] how often it was observed, from counts."""
    choices = tree.choices[tree.player_number(player)]
    counts = np.zeros(len(choices), object)
    for place, actions in plays.items():
        infoset = own_infoset(tree, player, place)
        if not isinstance(actions, Mapping):
            raise StrategyError(
                f"{tree.name}: {player}, at {infoset.label!r}: {actions!r:.60} does not say how"
                " often which action was taken; give a mapping, such as"
                f" {{{infoset.actions[0]!r}: 1}}"
            )
        first = int(choices.first[np.searchsorted(choices.infosets, infoset.index)])
        for action, times in actions.items():
            where = f"{tree.name}: {player}, at {infoset.label!r}: {action!r}"
            if not isinstance(times, Integral) or times < 0:
                raise StrategyError(f"{where} was seen {times!r} times; give a whole number")
            counts[first + action_number(infoset, action)] += int(times)
    return counts


def _seen(tree: Tree, player: str, plays: Iterable[Node]) -> Array:
    """[choice] how often it was made on the paths to nodes."""
    number = tree.player_number(player)
    choices = tree.choices[number]
    counts = np.zeros(len(choices), object)
    if not isinstance(plays, Iterable):
        raise StrategyError(f"{tree.name}: {plays!r:.60} are no plays; give leaves, or counts")
    for node in plays:
        if not isinstance(node, Node) or node.tree is not tree:
            raise StrategyError(f"{tree.name}: {node!r:.60} is no node of this tree, as leaves are")
        at = node.index
        while (above := int(tree.parent[at])) >= 0:
            if tree.player[above] == number:
                own = np.searchsorted(choices.infosets, tree.infoset[above])
                counts[int(choices.first[own]) + int(tree.action[at])] += 1
            at = above
    return counts


def _fractions(base: Behaviour) -> Array:
    """[choice] the probabilities as fractions; floats are normalized at each set."""
    if base.exact:
        return base.probabilities.copy()
    probabilities = np.array(
        [Fraction(probability) for probability in base.probabilities.tolist()], object
    )
    choices = base.choices
    if len(choices.first):
        total = np.repeat(np.add.reduceat(probabilities, choices.first), choices.sizes)
        probabilities[1:] = probabilities[1:] / total
    return probabilities
