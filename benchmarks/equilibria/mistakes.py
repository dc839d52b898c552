"""What a quasi-perfect equilibrium wins from mistakes, beside a plain optimum; and what it costs.

*Gains.* The opponent plays an optimal strategy, but at each information set, with some probability,
does anything at all (Koller & Pfeffer 1997, section 7.1). What a player wins beyond the value of
the game is computed exactly, for the optimum that the linear program ends at and for the
quasi-perfect one. These are numbers, the same on every machine.

*Times.* From a tree of its own, built before the clock starts, to an assessment that is verified:
regret, consistency, and sequential rationality at every information set.
"""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

from infoset import solve
from infoset.games import goofspiel, kuhn, leduc, oil_pricing, poker
from infoset.strategy import profile
from infoset.strategy.models import erring

HEADINGS = ["game", "player", "errors", "lp", "quasi-perfect", "more"]
TIMES = ["game", "nodes", "powers of ε", "values of ε", "seconds", "bar", "kept"]
RATES = (Fraction(1, 100), Fraction(1, 10), Fraction(1))
LEDUC = 60.0  # seconds for leduc


def rows(quick: bool) -> list[list[str]]:
    """By game, player and rate of errors: what both win beyond the value."""
    games: list[Any] = [kuhn(), poker(ranks=8), poker(ranks=4, rounds=2)]
    return [row for game in (games if quick else [*games, leduc()]) for row in _gains(game)]


def _gains(game: Any) -> list[list[str]]:
    tree = game.tree()
    plain, better = solve(tree, "lp"), solve(tree, "quasi-perfect")
    found = []
    for me, other in (tree.names, tree.names[::-1]):
        for rate in RATES:
            errs = erring(plain.strategy[other], rate)
            one, two = (
                profile([own.strategy[me], errs]).payoffs[me] - plain.payoffs[me]
                for own in (plain, better)
            )
            more = f"{float(two / one - 1):+.0%}" if one else "?"
            found.append([tree.name, me, str(rate), f"{float(one):.4f}", f"{float(two):.4f}", more])
    return found


def time_rows(quick: bool) -> list[list[str]]:
    """Seconds to a verified assessment."""
    games: list[Any] = [kuhn(ranks=13), oil_pricing(), goofspiel(cards=4), leduc()]
    solve(kuhn(), "quasi-perfect")  # loads what the first would wait for
    return [_timed(game) for game in (games[:2] if quick else games)]


def _timed(game: Any) -> list[str]:
    tree = game.tree()
    began = time.perf_counter()
    solution = solve(tree, "quasi-perfect")
    seconds = time.perf_counter() - began
    assert solution.sequential
    bar = LEDUC if tree.name == "leduc()" else None
    return [
        tree.name,
        f"{len(tree):,}",
        str(solution.work["degree"]),
        str(solution.work["perturbations"]),
        f"{seconds:.2f}",
        "" if bar is None else f"{bar:.0f}",
        "" if bar is None else ("ok" if seconds <= bar else "NO"),
    ]
