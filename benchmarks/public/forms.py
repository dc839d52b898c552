"""The public form beside the sequence form of the same game: seconds an iteration.

All do discounted CFR with alternating updates in float64. On the tree's layout what is paid is in
sparse rows, an entry for every pair of sequences; on the public form in dense matrices that many
ends share. "Folded" takes suits that are alike as one, where nobody can tell them apart.

After the same number of iterations all have the same regrets, which is asserted: they add up in
another order, so the last digits differ, and as iterations go on the difference grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose

import numpy as np
from clocks import cores, iterations

from infoset.forms.public import public_form
from infoset.forms.public.plans import work
from infoset.games import kuhn, leduc
from infoset.rules import Game
from infoset.solvers.cfr.layout import lay_out
from infoset.solvers.cfr.loop import Loop, PublicLoop
from infoset.solvers.cfr.public_layout import lay_out_public
from infoset.solvers.cfr.variants import variant

METHOD = "discounted-cfr"
SAME_AFTER = 20  # iterations
NEAR = 1e-7  # relative to the regrets at that time
MOST = 20_000_000  # nodes
HEADINGS = (
    "game", "nodes", "form", "sets", "entries", "one worker (median)", "against the tree",
    "all workers (median)", "gain", "against the tree",
)  # fmt: skip
GAMES = (
    leduc(), leduc(ranks=5), leduc(ranks=8), leduc(ranks=13), leduc(ranks=13, suits=4),
    kuhn(ranks=100), kuhn(ranks=300), kuhn(ranks=1000),
)  # fmt: skip
QUICK = (leduc(ranks=6), kuhn(ranks=100))


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    for game in QUICK if quick else GAMES:
        yield from _rows(game, 3 if quick else 7)


def _rows(game: Game, rounds: int) -> Iterator[tuple[str, ...]]:
    """On the tree, on the public form, and on the folded one if it is another."""
    crews = (1, cores())
    tree = game.tree(max_nodes=MOST)
    nodes, row = len(tree), variant(METHOD)
    layouts = [lay_out(tree, np.float64, workers) for workers in crews]
    sizes = [("tree", len(tree.infoset_player), layouts[0].entries)]
    loops: list[Loop] = [Loop(layout, row) for layout in layouts]
    for name, fold in (("public", False), ("folded", True)):
        form = public_form(game, fold=fold)
        if fold and not form.folded:
            continue
        # Either player reads each entry of every end once.
        sizes.append((name, sum(form.infosets), 2 * work(form)))
        loops += [PublicLoop(lay_out_public(form, np.float64, crew), row) for crew in crews]
    _assert_same(repr(game), loops)
    taken = iterations(loops, rounds)
    for at, (name, sets, entries) in enumerate(sizes):
        one, all_ = taken[2 * at], taken[2 * at + 1]
        cells = [name, f"{sets:,}", f"{entries:,}", str(one), f"{taken[0].best / one.best:.2f}×"]
        cells += [str(all_), f"{one.best / all_.best:.2f}×", f"{taken[1].best / all_.best:.2f}×"]
        yield ("", "", *cells) if at else (repr(game), f"{nodes:,}", *cells)


def _assert_same(name: str, loops: list[Loop]) -> None:
    """Iterate, and see that all have the same regrets."""
    for loop in loops:
        loop.iterate(SAME_AFTER)
    wanted = loops[0].measure().regrets
    for loop in loops[1:]:
        found = loop.measure().regrets
        near = NEAR * max(wanted)
        same = all(isclose(a, b, abs_tol=near) for a, b in zip(wanted, found, strict=True))
        assert same, f"{name}: after {SAME_AFTER} iterations regrets {found}, not {wanted}"
