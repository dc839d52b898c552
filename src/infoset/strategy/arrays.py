"""Strategies as arrays of numbers, and back.

One player's probabilities are one flat array. Its order is that of the game: the player's
information sets in their order (``tree.infosets_of(player)``; of a public form, the order in which
a strategy lists its labels), and at each set the actions in theirs. ``offsets`` says where each set
begins: the probabilities at set k are ``probabilities[offsets[k]:offsets[k + 1]]``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from infoset.errors import StrategyError
from infoset.linear.numbers import Array
from infoset.strategy.convert import as_strategy
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.infosets import Playable, as_tree_or_form, information_sets
from infoset.strategy.public import PublicStrategy
from infoset.strategy.strategy import Strategy


class StrategyArrays(NamedTuple):
    """A player's strategy as arrays."""

    labels: tuple[str, ...]  # [set] what the player knows there
    actions: tuple[tuple[Hashable, ...], ...]  # [set] what it may do
    offsets: npt.NDArray[np.int64]  # [set + 1] where its probabilities begin; the last is the end
    probabilities: Array  # [choice] Fractions, or floats


def to_arrays(strategy: Strategy | PublicStrategy, *, floats: bool = False) -> StrategyArrays:
    """A strategy as one flat array of probabilities, with the labels and actions it belongs to.

    Parameters
    ----------
    strategy : Strategy or PublicStrategy
        Of a tree or of a public form.
    floats : bool
        Give floats; by default probabilities are Fractions where the strategy is exact.

    Returns
    -------
    StrategyArrays
        In the order that :func:`from_arrays` takes.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> found = to_arrays(solve(kuhn()).strategy["dealer"], floats=True)
    >>> found.labels[:2], found.actions[0], found.offsets[:3].tolist()
    (('Q, pass', 'Q, bet'), ('pass', 'bet'), [0, 2, 4])
    >>> found.probabilities[:4].round(2).tolist()
    [1.0, 0.0, 0.67, 0.33]
    """
    behaviour: Any = strategy if isinstance(strategy, PublicStrategy) else as_behaviour(strategy)
    game = behaviour.form if isinstance(strategy, PublicStrategy) else behaviour.tree
    sets = information_sets(game)
    own = sets.of(game.player_number(strategy.player))
    rows = [list(behaviour[label].values()) for label in behaviour]
    flat = [probability for row in rows for probability in row]
    return StrategyArrays(
        labels=tuple(map(sets.label, own)),
        actions=tuple(tuple(sets.actions(index)) for index in own),
        offsets=np.cumsum([0, *map(len, rows)]),
        probabilities=np.array(flat, np.float64 if floats or not strategy.exact else object),
    )


def from_arrays(game: Playable, player: str, probabilities: Any) -> Strategy | PublicStrategy:
    """A strategy from one flat array of probabilities, in the order of :func:`to_arrays`.

    Parameters
    ----------
    game : Game, Family, MatrixGame, Tree or PublicForm
        The game. A game is turned into its tree.
    player : str
        Whose strategy it is.
    probabilities : array_like or StrategyArrays
        Fractions or floats, or what :func:`to_arrays` returned; floats may miss 1 by rounding,
        as in :func:`~infoset.strategy.as_profile`.

    Returns
    -------
    Strategy or PublicStrategy
        A PublicStrategy if the game is a public form.

    Raises
    ------
    StrategyError
        If the array has another length, or probabilities do not sum to 1.

    Examples
    --------
    >>> from infoset.games import matching_pennies
    >>> from_arrays(matching_pennies(), "even", [0.25, 0.75])["nothing yet"]
    {'heads': Fraction(1, 4), 'tails': Fraction(3, 4)}
    """
    place = as_tree_or_form(game)
    sets = information_sets(place)
    sizes = [len(sets.actions(index)) for index in sets.of(place.player_number(player))]
    if isinstance(probabilities, StrategyArrays):
        probabilities = probabilities.probabilities
    try:
        flat = np.asarray(probabilities)
    except ValueError:  # rows of several lengths
        flat = np.empty((0, 0))
    if flat.shape != (sum(sizes),):
        raise StrategyError(
            f"{place.name}: {player}: an array of shape {flat.shape}, where one of shape"
            f" ({sum(sizes)},) is wanted: a probability for each action at each information set,"
            " as to_arrays(strategy).probabilities has them"
        )
    rows = iter(np.split(flat, np.cumsum(sizes)[:-1]))
    return as_strategy(place, player, lambda *state: next(rows))  # asked once at each, in order
