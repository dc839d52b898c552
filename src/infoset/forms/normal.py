"""The normal form: one strategy each, all at once, and what it comes to.

A *reduced* pure strategy chooses an action at every information set that its own earlier choices
let the player reach, and at no other: strategies that differ elsewhere play alike. The table has
one entry for each combination. Its size is known before it is built; too large a one is refused.

The payoffs are exact: every leaf adds its payoffs, times the chance of nature's moves towards it,
to all combinations that lead there.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from infoset.errors import TooLarge
from infoset.rules.columns import CHANCE, LEAF
from infoset.rules.story import text
from infoset.tree import MatrixGame, Tree
from infoset.tree.counts import own_paths

MOST_PROFILES = 1_000_000

Plan = dict[int, int]  # by information set: the action chosen there


def normal_form(tree: Tree, most: int = MOST_PROFILES) -> MatrixGame:
    """The reduced normal form of a tree.

    >>> from infoset.games import kuhn
    >>> normal_form(kuhn().tree()).shape
    (27, 64)
    """
    shape = [tree.reduced_strategies(player) for player in tree.names]
    if any(size is None for size in shape) or prod(size or 0 for size in shape) > most:
        sizes = " × ".join("?" if size is None else _short(size) for size in shape)
        raise TooLarge(f"{tree.name}: the normal form has {sizes} entries, more than {most:,}")
    plans = [list(_plans(tree, player)) for player in range(len(tree.players))]
    return MatrixGame(
        players=tree.players,
        strategies=tuple(tuple(_label(tree, plan) for plan in own) for own in plans),
        payoffs=_table(tree, plans),
        name=tree.name,
        comment=tree.comment,
    )


def _short(size: int) -> str:
    return f"{size:,}" if size < 10**15 else f"about 2^{size.bit_length() - 1}"


def _plans(tree: Tree, player: int) -> Iterator[Plan]:
    """All reduced strategies of a player, the first information set's action changing last."""
    paths = own_paths(tree, player)
    sizes = tree.menu_sizes.tolist()

    def reached(plan: Plan) -> int | None:
        for infoset, ways in paths.items():
            if infoset not in plan and any(all(plan.get(h) == a for h, a in way) for way in ways):
                return infoset
        return None

    waiting: list[Plan] = [{}]
    while waiting:
        plan = waiting.pop()
        infoset = reached(plan)
        if infoset is None:
            yield plan
        else:
            waiting += [{**plan, infoset: action} for action in reversed(range(sizes[infoset]))]


def _label(tree: Tree, plan: Plan) -> str:
    if not plan:
        return "none"
    return "/".join(text(tree.infosets[h].actions[a]) for h, a in sorted(plan.items()))


def _table(tree: Tree, plans: list[list[Plan]]) -> tuple[tuple[Fraction, ...], ...]:
    shape = [len(own) for own in plans]
    steps = [prod(shape[:player]) for player in range(len(shape))]
    table = [[Fraction(0)] * len(shape) for _ in range(prod(shape))]
    fits: dict[tuple[int, frozenset[tuple[int, int]]], list[int]] = {}
    choosing = [_choosing(own) for own in plans]
    for chance, paths, payoffs in _leaves(tree):
        rows = []
        for player, path in enumerate(paths):
            key = (player, path)
            if key not in fits:
                fits[key] = [number * steps[player] for number in _fitting(choosing[player], path)]
            rows.append(fits[key])
        weighted = [chance * amount for amount in payoffs]
        for cell in product(*rows):
            entry = table[sum(cell)]
            for player, amount in enumerate(weighted):
                entry[player] += amount
    return tuple(map(tuple, table))


def _choosing(plans: list[Plan]) -> dict[tuple[int, int] | None, set[int]]:
    """By choice: the plans that make it; under None, all of them."""
    made: dict[tuple[int, int] | None, set[int]] = {None: set(range(len(plans)))}
    for number, plan in enumerate(plans):
        for choice in plan.items():
            made.setdefault(choice, set()).add(number)
    return made


def _fitting(
    choosing: dict[tuple[int, int] | None, set[int]], path: frozenset[tuple[int, int]]
) -> list[int]:
    """The plans that make all choices of a path."""
    ways = [choosing.get(choice, set()) for choice in path] or [choosing[None]]
    return sorted(set.intersection(*ways))


def _leaves(
    tree: Tree,
) -> Iterator[tuple[Fraction, list[frozenset[tuple[int, int]]], tuple[Fraction | int, ...]]]:
    """Each leaf: nature's probability, every player's own choices towards it, the payoffs."""
    settled = tree.settled
    nobody: frozenset[tuple[int, int]] = frozenset()
    seen: list[tuple[Fraction, list[frozenset[tuple[int, int]]]]] = []
    for node, above in enumerate(settled.parent.tolist()):
        if above < 0:
            here = (Fraction(1), [nobody] * len(settled.players))
        else:
            chance, paths = seen[above]
            mover, group = int(settled.player[above]), int(settled.infoset[above])
            taken = int(settled.action[node])
            if mover == CHANCE:
                here = (chance * settled.lotteries[group].probabilities[taken], paths)
            else:
                own = paths[mover] | {(group, taken)}
                here = (chance, [*paths[:mover], own, *paths[mover + 1 :]])
        seen.append(here)
        if settled.player[node] == LEAF and here[0]:
            yield (*here, settled.payoffs[int(settled.outcome[node])])
