"""The figures of the textbook's pages that are not beside a peer's: counts first, then seconds.

    python benchmarks/equilibria/figures.py

Counts are the same on every machine; seconds are of one run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from enumeration import random_bimatrix

from infoset import is_subgame_perfect, safe, solve
from infoset.forms import normal_form
from infoset.forms.dominance import eliminate
from infoset.games import (
    entry_game,
    goofspiel,
    kuhn,
    leduc,
    liars_dice,
    oil_pricing,
    oshi_zumo,
    seltens_horse,
)
from infoset.strategy.models import erring
from infoset.tree.subgames import subgames

sys.path.append(str(Path(__file__).parents[1] / "solve"))

from measure import show


def timed(work: Callable[[], Any]) -> tuple[str, Any]:
    """Seconds, and what came of them."""
    began = time.perf_counter()
    found = work()
    return f"{time.perf_counter() - began:.2f}", found


def enumerated() -> list[list[str]]:
    trees = [(f"{size} × {size}", random_bimatrix(size)) for size in (8, 12, 14, 16)]
    trees += [(repr(game), game.tree()) for game in (kuhn(ranks=4), oil_pricing())]
    found = []
    for name, tree in trees:
        seconds, answer = timed(lambda tree=tree: solve(tree, "enumerate"))
        counts = [len(answer.equilibria), answer.work["nodes"], answer.work["pivots"]]
        found.append([name, *(f"{count:,}" for count in counts), seconds])
    return found


def followed() -> list[list[str]]:
    sizes = ((3, 4), (4, 5), (3, 6), (3, 9))
    games = [seltens_horse(), kuhn(), *(kuhn(players=p, ranks=r) for p, r in sizes)]
    found = []
    for game in games:
        tree = game.tree()
        seconds, answer = timed(lambda tree=tree: solve(tree, "qre"))
        steps = ", ".join(f"{name} {count:,}" for name, count in answer.work.items())
        actions = int(tree.menu_sizes.sum())
        row = [tree.name, f"{len(tree):,}", f"{actions:,}", steps, seconds, answer.certificate]
        found.append(row)
    return found


def parted() -> list[list[str]]:
    found = []
    for game in (liars_dice(), oshi_zumo(), goofspiel(cards=5), entry_game(markets=9)):
        tree = game.tree()
        finding, every = timed(lambda tree=tree: subgames(tree))
        row = [tree.name, f"{len(tree):,}", f"{len(every):,}", finding]
        if len(every) > 1:
            solving, answer = timed(lambda tree=tree: solve(tree, subgame_perfect=True))
            checking, fact = timed(lambda answer=answer: is_subgame_perfect(answer.profile))
            assert fact
            row += [solving, checking]
        found.append([*row, *[""] * (6 - len(row))])
    return found


def others() -> list[list[str]]:
    tree = leduc().tree()
    dealer = erring(solve(tree).strategy["two"], Fraction(1, 10))
    form = normal_form(kuhn().tree())
    return [
        ["safe against an erring dealer, leduc", timed(lambda: safe(dealer, Fraction(1, 20)))[0]],
        ["strict elimination by mixtures, kuhn", timed(lambda: eliminate(form))[0]],
        ["strict elimination by pure ones, kuhn", timed(lambda: eliminate(form, by="pure"))[0]],
    ]


def main() -> None:
    solve(kuhn(), "enumerate")  # load and compile
    show(["enumerate", "equilibria", "nodes", "pivots", "seconds"], enumerated())
    show(["qre", "nodes", "actions", "work", "seconds", "answer"], followed())
    show(["subgames of", "nodes", "subgames", "to find", "to solve", "to check"], parted())
    show(["other", "seconds"], others())


if __name__ == "__main__":
    main()
