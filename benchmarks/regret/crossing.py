"""From which size on regret minimization takes over: seconds by linear program, and by regret.

The program's answer is exact. The other's regret is at most a ten-thousandth of what is at stake,
proved. Both from the tree to the verified solution.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from infoset import solve
from infoset.games import goofspiel, leduc, liars_dice
from infoset.solvers.registry import LARGE, choose

HEADINGS = (
    "game", "nodes", "sequences", "payoffs", "lp", "regret minimization", "regret", "unasked",
)  # fmt: skip
GAMES = (
    leduc(ranks=6),
    leduc(ranks=8),
    liars_dice(),
    leduc(ranks=10),
    goofspiel(cards=6, reveal="winner"),
    liars_dice(sides=7),
    leduc(ranks=13),
)
LIMIT = 400.0  # seconds for a linear program


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    for game in GAMES[:3] if quick else GAMES:
        tree = game.tree()
        began = time.perf_counter()
        near = solve(tree, LARGE)
        regret = time.perf_counter() - began
        began = time.perf_counter()
        exact = solve(game.tree(), "lp", seconds=LIMIT)
        program = (
            f"{time.perf_counter() - began:.1f} s" if exact.exact else f"> {LIMIT * 0.6:.0f} s"
        )
        yield (
            str(game),
            f"{len(tree):,}",
            f"{near.work['sequences']:,}",
            f"{near.work['entries'] // 2:,}",
            program,
            f"{regret:.2f} s",
            f"{float(near.regret):.1e}",
            choose(tree)[0].name,
        )
