"""Which variant where: the regret of each after as many iterations, on games of several kinds."""

from __future__ import annotations

from collections.abc import Iterator

from ours import METHODS, Ours

from infoset.games import goofspiel, kuhn, leduc, liars_dice, oshi_zumo, poker

HEADINGS = ("regret after 1,000 iterations", *METHODS)
GAMES = (
    kuhn(),
    kuhn(ranks=13),
    poker(ranks=8),
    leduc(),
    leduc(ranks=5),
    liars_dice(),
    goofspiel(cards=4),
    goofspiel(cards=5),
    oshi_zumo(),
)
ITERATIONS = 1_000


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    for game in GAMES[:4] if quick else GAMES:
        tree = game.tree()
        cells = [str(game)]
        for method in METHODS:
            own = Ours(tree, method)
            own.iterate(ITERATIONS)
            cells.append(f"{own.loop.measure().regret:.0e}")
        yield tuple(cells)
