"""How time per node and iteration grows with the tree: Leduc hold'em with larger decks."""

from __future__ import annotations

from collections.abc import Iterator

from bandwidth import bandwidth
from ours import Ours, bytes_moved, working_set

from infoset.games import leduc
from peers import per_iteration

HEADINGS = (
    "deck", "nodes", "iteration", "a node", "grown", "two workers", "gain", "of the bandwidth",
)  # fmt: skip
DECKS = ((6, 2), (8, 2), (10, 3), (13, 3), (13, 4))
QUICK = ((6, 2), (8, 2))
BAR = 2.0  # from 10^5 to 10^7 nodes


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    first = 0.0
    for ranks, suits in QUICK if quick else DECKS:
        tree = leduc(ranks=ranks, suits=suits).tree(max_nodes=20_000_000)
        one = Ours(tree)
        seconds = per_iteration(one, 1.0 if quick else 3.0)
        layout = one.loop.layout
        moved, rate = bytes_moved(layout), bandwidth(working_set(layout))
        two = per_iteration(Ours(tree, workers=2), 1.0 if quick else 3.0)
        node = seconds / len(tree)
        first = first or node
        yield (
            f"{ranks} × {suits}",
            f"{len(tree):,}",
            f"{seconds * 1e3:.3g} ms",
            f"{node * 1e9:.2f} ns",
            f"{node / first:.2f}× {'ok' if node / first < BAR else 'NO'}",
            f"{two * 1e3:.3g} ms",
            f"{seconds / two:.2f}×",
            f"{moved / rate / seconds:.0%}",
        )
