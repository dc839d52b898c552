"""V as the paper's figure 6 defines it, word for word and slow; and random games of two."""

from __future__ import annotations

import zlib
from fractions import Fraction
from typing import Any

from infoset import Family, Play, game
from infoset.strategy import Pure, profile
from infoset.tree.source import source


def v(given: Any) -> Fraction:
    """V(extend({root})) for the first player; min where the second moves."""
    start = source(given)
    first = start.seats.players[0]
    seats = start.seats

    def extend(nodes: list[Any]) -> list[Any]:
        done = []
        for position, made, weight in nodes:
            if position.over or position.movers:
                done.append((position, made, weight))
            else:
                done += extend(
                    [(position.after(move), (), weight * p) for move, p in position.chances()]
                )
        return done

    def move(node: Any, option: Any) -> Any:
        position, made, weight = node
        made = (*made, option)
        if len(made) < len(position.movers):
            return position, made, weight
        return position.after(made[0] if len(made) == 1 else made), (), weight

    def mixed(nodes: list[Any]) -> Fraction:
        total, sets = Fraction(0), {}
        for position, made, weight in extend(nodes):
            if position.over:
                total += weight * position.payoffs[first]
            else:
                mover = position.movers[len(made)]
                key = (mover, position.view(mover), tuple(position.options(mover)))
                sets.setdefault(key, []).append((position, made, weight))
        for (mover, _, menu), members in sets.items():
            best = min if seats.player(mover) == 1 else max
            total += best(mixed([move(node, option) for node in members]) for option in menu)
        return total

    return mixed([(start.start, (), Fraction(1))])


def placed(found: Any, tree: Any, position: Any) -> Any:
    """The decisions of a search placed on the tree, each by a position of its information set.

    Tree and position are walked side by side; both order moves alike.
    """
    chosen: dict[int, int] = {}

    def walk(node: Any, here: Any) -> None:
        if node.is_leaf:
            return
        if node.is_chance:
            for child, (outcome, _) in zip(node.children, here.chances(), strict=True):
                walk(child, here.after(outcome))
            return
        movers = here.movers
        joint(node, here, movers, ())

    def joint(node: Any, here: Any, movers: tuple[str, ...], made: tuple[Any, ...]) -> None:
        if len(made) == len(movers):
            walk(node, here.after(made[0] if len(made) == 1 else made))
            return
        mover = movers[len(made)]
        probabilities = found.decide(here)[mover]
        assert sorted(probabilities.values()) == [0] * (len(probabilities) - 1) + [1]
        chosen[node.infoset.index] = list(probabilities.values()).index(1)
        for child, option in zip(node.children, here.options(mover), strict=True):
            joint(child, here, movers, (*made, option))

    walk(tree.root, position)
    return profile(
        Pure(tree, name, tuple((own, chosen[own]) for own in tree.choices[at].infosets.tolist()))
        for at, name in enumerate(tree.names)
    )


def random_duel(seed: int, depth: int = 4, sighted: bool = False) -> Family:
    """Two players, payoffs that sum to 3, and what happens next a fixed function of the play."""

    @game(players=("ann", "bob"))
    def duel(g: Play) -> object:
        history: tuple[object, ...] = (seed,)

        def pick(count: int, salt: str) -> int:
            return zlib.crc32(repr((history, salt)).encode()) % count

        for _ in range(depth):
            kind = pick(6, "kind")
            if kind == 0:
                weights = [1 + pick(3, f"weight {j}") for j in range(3)]
                history += (g.chance(("up", "level", "down"), weights),)
            elif kind == 1 and not sighted:
                history += tuple(g.together({"ann": ("l", "r"), "bob": ("l", "r")}).values())
            elif kind == 2 and pick(3, "end") == 0:
                break
            else:
                player = ("ann", "bob")[pick(2, "who")]
                history += (g.choose(player, [f"m{j}" for j in range(1 + pick(3, "options"))]),)
            for name in ("ann", "bob"):
                if sighted or pick(2, f"see {name}"):
                    g.reveal(name, history[-1])
        paid = pick(11, "payoff") - 5
        return {"ann": paid, "bob": 3 - paid}

    return duel
