"""The same games solved by Gambit and by OpenSpiel.

*Gambit* (pygambit) gets the tree that ours is solved from, through a file, read before the clock
starts. Its ``lp_solve`` and ``lcp_solve`` work on the sequence form, as ours do. It is run once,
for it takes up to two minutes; ours some times, of which the median counts.

*OpenSpiel*'s ``sequence_form_lp`` walks the states of its own game, makes two linear programs and
has them solved by cvxpy with ECOS, its default. It has no tree to start from. So there are three
rows: ours from the tree, as against Gambit, next to its whole call; both from the rules; and, of
theirs the two programs only, of ours everything after the tree.

Ours ends with an equilibrium proved in rational arithmetic; the peers end with floats, Gambit in
rationals excepted. The values must agree.
"""

from __future__ import annotations

import statistics
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from measure import duration, solved, timed, verdict

from infoset import save, solve
from infoset.games import kuhn, leduc
from infoset.tree import Tree

HEADINGS = ["game", "peer", "ours", "theirs", "theirs : ours", "bar", "", "value", "certificate"]
CLOSE = 1e-6  # how far the values of floats may lie apart


@dataclass(frozen=True)
class Match:
    """A row against Gambit."""

    ranks: int
    method: str  # "lp" or "lcp"
    rational: bool
    bar: float  # theirs : ours

    @property
    def peer(self) -> str:
        """What Gambit is asked for."""
        return f"Gambit {self.method}, {'rationals' if self.rational else 'floats'}"


FULL = (
    Match(24, "lp", False, 20),
    Match(48, "lp", False, 150),
    Match(13, "lp", True, 50),
    Match(20, "lp", True, 250),
    Match(13, "lcp", False, 20),
    Match(20, "lcp", False, 150),
)
QUICK = (Match(8, "lp", False, 0), Match(5, "lp", True, 0), Match(6, "lcp", False, 0))


def gambit_rows(quick: bool) -> list[list[str]]:
    """Kuhn poker, from the tree to the strategies."""
    try:
        import pygambit
    except ImportError:
        return [_missing("kuhn", "Gambit", "pygambit")]
    rows = []
    for match in QUICK if quick else FULL:
        game = kuhn(ranks=match.ranks)
        theirs = gambit_game(pygambit, game.tree())
        find = {"lp": pygambit.nash.lp_solve, "lcp": pygambit.nash.lcp_solve}[match.method]
        own, solution = solved(game, match.method, 3 if quick else 7)
        work = partial(find, theirs, rational=match.rational, use_strategic=False)
        taken, answer = timed(work)
        value = answer.equilibria[0].payoff(next(iter(theirs.players)))
        row = _row(repr(game), match.peer, own, taken, match.bar)
        rows.append([*row, _agreement(solution, value, match.rational), solution.certificate])
    return rows


def gambit_game(pygambit: Any, tree: Tree) -> Any:
    """The same tree, as Gambit's own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.efg"
        save(tree, path)
        return pygambit.read_efg(str(path))


def openspiel_rows(quick: bool) -> list[list[str]]:
    """Leduc poker."""
    try:
        import cvxpy
        import pyspiel
        from open_spiel.python.algorithms import lp_solver, sequence_form_lp
    except ImportError:
        return [_missing("leduc()", "OpenSpiel", "open_spiel with cvxpy and ecos")]
    if "ECOS" not in cvxpy.installed_solvers():
        return [_missing("leduc()", "OpenSpiel", "ecos")]
    game, theirs = leduc(), pyspiel.load_game("leduc_poker")
    game.tree()  # the first build also runs some plays again, to see that the rules repeat
    sequence_form_lp.solve_zero_sum_game(pyspiel.load_game("kuhn_poker"))  # and theirs loads cvxpy
    find, programs = lp_solver.LinearProgram.solve, [0.0]

    def clocked(*arguments: Any, **options: Any) -> Any:
        taken, found = timed(partial(find, *arguments, **options))
        programs[-1] += taken
        return found

    lp_solver.LinearProgram.solve = clocked
    taken = []
    for _ in range(1 if quick else 5):
        building, tree = timed(game.tree)
        solving, solution = timed(partial(solve, tree))
        programs.append(0.0)
        whole, answer = timed(partial(sequence_form_lp.solve_zero_sum_game, theirs))
        taken.append((building + solving, whole, solving, programs[-1]))
    lp_solver.LinearProgram.solve = find
    ours, whole, solving, both = (statistics.median(column) for column in zip(*taken, strict=True))
    verdict = [_agreement(solution, answer[0], False), solution.certificate]
    return [
        [
            *_row("leduc(), from the tree", "OpenSpiel lp, its call", solving, whole, 4),
            *verdict,
        ],
        [*_row("leduc(), from the rules", "OpenSpiel lp, its call", ours, whole, 4), *verdict],
        [*_row("leduc(), from the tree", "OpenSpiel's programs", solving, both, 0), *verdict],
    ]


def _row(game: str, peer: str, ours: float, theirs: float, bar: float) -> list[str]:
    ratio = theirs / ours
    kept = [f"{bar:g}×", verdict(ratio >= bar)] if bar else ["", ""]
    return [game, peer, duration(ours), duration(theirs), f"{ratio:,.3g}×", *kept]


def _missing(game: str, peer: str, package: str) -> list[str]:
    return [game, peer, "", "", "", "", "", "", f"{package} is not installed: use `make bench`"]


def _agreement(solution: Any, value: Any, rational: bool) -> str:
    """Our value, if it is the peer's as well."""
    own = solution.value
    same = own == value if rational else abs(float(own) - float(value)) < CLOSE
    return f"{float(own):.6f}" if same else f"{float(own):.6f}, theirs {float(value):.6f}!"
