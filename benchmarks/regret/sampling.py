"""Monte Carlo regret minimization: iterations a second and the proved regret, side by side.

From trees, whose positions cost little, and from rules, which run again for each. There is no bar;
the textbook's page on sampling has this table.
"""

from __future__ import annotations

from collections.abc import Iterator

from infoset import sample
from infoset.games import goofspiel, kuhn, leduc, liars_dice
from infoset.rules import Game
from infoset.tree import Tree

HEADINGS = (
    "game", "sets", "from", "external: iterations/s", "regret", "outcome: iterations/s", "regret",
)  # fmt: skip
GAMES = (kuhn(), leduc(), goofspiel(cards=4), liars_dice(), kuhn(players=3, ranks=4))
LONGEST = goofspiel(cards=6)  # where an external iteration walks thousands of positions
SECONDS = 2.0


def rows(quick: bool) -> Iterator[tuple[str, ...]]:
    for game in GAMES[:2] if quick else GAMES:
        tree = game.tree()
        yield _row(game, tree, "tree", tree, SECONDS)
        yield _row(game, game, "rules", tree, SECONDS)
    if not quick:
        tree = LONGEST.tree()
        yield _row(LONGEST, tree, "tree", tree, 2 * SECONDS)


def _row(game: Game, given: Game | Tree, what: str, tree: Tree, seconds: float) -> tuple[str, ...]:
    cells = [str(game), f"{len(tree.infoset_player):,}", what]
    for method in ("external", "outcome"):
        found = sample(given, method, seconds=seconds)
        regret = float(found.solution(tree).regret)
        cells += [f"{found.iterations / found.seconds:,.0f}", f"{regret:.2g}"]
    return tuple(cells)
