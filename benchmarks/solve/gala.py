"""The largest games of 1997, from their rules to a certified equilibrium.

Figure 16 of Koller & Pfeffer 1997 has the largest poker games that Gala solved, in up to an hour
each; its three extreme points are here, with liar's dice beside them. What the figure counts as
rounds is the cash left after the ante.

The time falls into generating the tree and solving it; solving into the *form* (sequences and
payoff matrix), the linear *program* in floats, the *exact* arithmetic on its basis, and the *check*
of the solution: payoffs and regrets, anew from the tree.
"""

from __future__ import annotations

from measure import duration, parted, timed, verdict

from infoset.games import liars_dice, poker
from infoset.rules import Game

HEADINGS = [
    "game", "nodes", "generating", "solving", "counted", "bar", "", "certificate", "of the solving"
]  # fmt: skip

# game, seconds at most, and whether generating the tree counts
FULL: list[tuple[Game, float, bool]] = [
    (poker(ranks=127), 60, True),
    (poker(ranks=11, cards=5, cash=4), 60, True),
    (poker(ranks=3, cash=12), 60, True),
    (liars_dice(), 20, False),
]
QUICK: list[tuple[Game, float, bool]] = [
    (poker(ranks=20), 60, True),
    (poker(ranks=5, cards=2, cash=4), 60, True),
    (poker(ranks=3, cash=6), 60, True),
    (liars_dice(sides=2), 20, False),
]


def gala_rows(quick: bool) -> list[list[str]]:
    """One row for each game, each done once."""
    rows = []
    for game, bar, from_rules in QUICK if quick else FULL:
        generating, tree = timed(game.tree)
        solving, solution, parts = parted(tree)
        counted = generating + solving if from_rules else solving
        kept = counted <= bar and solution.exact
        row = [repr(game), f"{len(tree):,}", *map(duration, (generating, solving, counted))]
        rows.append([*row, f"{bar:g} s", verdict(kept), solution.certificate, parts.probabilities])
    return rows
