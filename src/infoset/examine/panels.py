"""What a plot of a strategy shows: panels of numbers, a panel for each public history.

Nothing here draws. A panel has the probability of each action for everything that the player may
know in private; of many panels the likeliest are kept, in the order of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from infoset.errors import ParameterError
from infoset.examine.situations import Situation, situations
from infoset.examine.standing import Standings
from infoset.examine.strategies import matching, sets_of, shares_at
from infoset.strategy import Behaviour, Profile

MOST = 12  # panels of a player in one picture

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Panel:
    """One public history of a player."""

    player: str
    title: str  # what is public
    names: tuple[str, ...]  # [row] what is private
    actions: tuple[str, ...]  # [column]
    shares: Floats  # [row, column]; not a number where an action is not offered
    reach: Floats  # [row] how likely the player is there
    ordered: bool  # do the names have an order, as ranks have?
    private: bool  # is there anything private, shown or not?
    breaks: tuple[int, ...] = ()  # rows at which a new order begins: another suit's ranks


@dataclass(frozen=True, eq=False)
class Panels:
    """All of them that are shown, of one player."""

    player: str
    shown: tuple[Panel, ...]
    count: int  # how many there are


def strategy_panels(
    strategy: Behaviour,
    profile: Profile,
    *,
    where: str | Sequence[str] = (),
    most: int = MOST,
) -> Panels:
    """The panels of a strategy: all of them, or the ``most`` likely of those that are reached.

    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> opening, answer = strategy_panels(solution.strategy["gambler"], solution.profile).shown
    >>> answer.title, answer.names, answer.actions
    ('after [pass], bet', ('J', 'Q', 'K'), ('pass', 'bet'))
    >>> answer.shares.round(2).tolist()
    [[1.0, 0.0], [0.33, 0.67], [0.0, 1.0]]
    """
    if not isinstance(most, int) or most < 1:
        raise ParameterError(f"most={most!r:.60}: a plot has one panel or more")
    groups = situations(strategy.tree, strategy.player)
    reach = Standings(profile).infoset_reach
    found = matching(groups, where)
    likely = np.array([reach[sets_of(situation, only)].sum() for situation, only in found])
    kept = np.sort(np.argsort(-likely, kind="stable")[:most])
    if len(found) > most and likely.any():
        kept = kept[likely[kept] > 0]
    shown = tuple(_panel(strategy, reach, *found[int(at)]) for at in kept)
    return Panels(strategy.player, shown, len(found))


def _panel(
    strategy: Behaviour, reach: Floats, situation: Situation, only: set[int] | None
) -> Panel:
    rows = [
        (name, infoset)
        for name, infoset in zip(situation.names, situation.infosets, strict=True)
        if only is None or infoset.index in only
    ]
    shares = [
        [np.nan if share is None else float(share) for share in shares_at(strategy, situation, at)]
        for _, at in rows
    ]
    return Panel(
        player=strategy.player,
        title=situation.heading,
        names=tuple(name for name, _ in rows),
        actions=situation.actions,
        shares=np.array(shares, np.float64),
        reach=reach[[infoset.index for _, infoset in rows]],
        ordered=situation.ordered,
        private=len(situation) > 1,
    )
