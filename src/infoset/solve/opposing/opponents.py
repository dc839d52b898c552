"""Who plays against whom: the strategies that are known, and the player who is to answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from infoset.errors import NotApplicable, StrategyError
from infoset.strategy import Profile, Pure, Strategy
from infoset.tree import Tree

Opponents = Strategy | Profile | Mapping[str, Strategy] | Iterable[Strategy]


def opponents(given: Opponents, player: str | None) -> tuple[Tree, int, list[Strategy]]:
    """The tree, who is to answer, and the strategies of all others."""
    listed = [given] if isinstance(given, Strategy) else _listed(given)
    for one in listed:
        if not isinstance(one, Strategy):
            raise StrategyError(f"{one!r:.60} is no strategy; behaviour() and pure() make some")
    if not listed:
        raise StrategyError("an answer needs something to answer to; no strategy was given")
    tree = listed[0].tree
    if any(one.tree is not tree for one in listed):
        raise StrategyError(f"{tree.name}: the strategies belong to different trees")
    if player is None:
        silent = [name for name in tree.names if all(one.player != name for one in listed)]
        if len(silent) != 1:
            lacking = f"{' and '.join(silent)} have none" if silent else "everyone has one"
            raise StrategyError(
                f"{tree.name}: a strategy for each player but the one who answers; {lacking}"
                f" ({'give more' if silent else 'say which player answers'})"
            )
        player = silent[0]
    at = tree.player_number(player)
    others = {one.player: _decided(one) for one in listed if one.player != player}
    missing = [name for name in tree.names if name != player and name not in others]
    if missing:
        raise StrategyError(f"{tree.name}: {missing[0]} has no strategy that {player} could answer")
    return tree, at, list(others.values())


def _listed(given: Any) -> list[Any]:
    if isinstance(given, Profile):
        return list(given.strategies)
    if isinstance(given, Mapping):
        for name, one in given.items():
            if isinstance(one, Strategy) and one.player != name:
                raise StrategyError(f"{name!r:.60} is given a strategy of {one.player!r:.60}")
        return list(given.values())
    return list(given) if isinstance(given, Iterable) else [given]


def _decided(strategy: Strategy) -> Strategy:
    silent = strategy.undecided if isinstance(strategy, Pure) else None
    if silent is not None:
        place = strategy.tree.infosets[silent].label
        raise StrategyError(
            f"{strategy.tree.name}: {strategy!r} comes to {place!r} and has no action there"
        )
    return strategy


def known_opponent(given: Opponents, player: str | None) -> Strategy:
    """The opponent's strategy, of a game in which playing safe has a meaning."""
    first = given if isinstance(given, Strategy) else next(iter(_listed(given)), None)
    tree = first.tree if isinstance(first, Strategy) else None
    lacking = ""
    if tree is not None and len(tree.players) != 2:
        lacking = f"it has {len(tree.players)} players, not 2"
    elif tree is not None and not tree.constant_sum:
        lacking = "its payoffs do not sum to a constant"
    elif tree is not None and not tree.perfect_recall:
        lacking = str(tree.perfect_recall.because)
    if tree is not None and lacking:
        raise NotApplicable(
            f"{tree.name}: no strategy is safe in the sense of giving up little of the value:"
            f" {lacking}; best_response() applies"
        )
    return opponents(given, player)[2][0]
