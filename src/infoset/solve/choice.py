"""Which solver for which game: the choice, why, and what a named one cannot be asked for."""

from __future__ import annotations

from collections.abc import Iterable

from infoset.errors import NotApplicable, ParameterError
from infoset.solve.regret.settings import TAKES, Settings
from infoset.solve.row import Solver, payoffs_that_count
from infoset.solve.table import LARGE, SOLVERS, solver
from infoset.tree import Tree


def choose(
    tree: Tree,
    name: str | None = None,
    settings: Settings | None = None,
    exact: bool | None = None,
) -> tuple[Solver, str]:
    """The solver for a game and why; a named one is checked to apply.

    Who says how a run of regret minimization is to go wants one.
    """
    settings = settings or Settings()
    if name is None and settings.particular:
        row, _ = choose(tree, LARGE, settings)
        return row, f"as asked: {settings.particular[0]}"
    if name is not None:
        row = solver(name)
        check_settings(row, settings.chosen)
        lacking = row.lacks(tree)
        if lacking:
            others = [other.name for other in SOLVERS if other.suits(row) and not other.lacks(tree)]
            instead = f"these do apply: {', '.join(others)}" if others else "no other method does"
            if row.gives == "play":
                instead = "infoset ask --reply gives a best response"
            raise NotApplicable(f"{tree.name}: {name} does not apply: {lacking}; {instead}")
        return row, "as asked"
    for row in SOLVERS:
        if row.is_for(tree) and row.has_room(tree, exact):
            return row, _why(row, tree)
    raise NotApplicable(f"{tree.name}: no method applies; infoset matrix shows its matrix")


def check_settings(row: Solver, chosen: Iterable[str]) -> None:
    """Refuse settings that a method does not have."""
    takes = TAKES.get(row.file, frozenset())
    for name in chosen:
        if name not in takes:
            having = [other.name for other in SOLVERS if name in TAKES.get(other.file, ())]
            raise ParameterError(f"{name}: {row.name} has no such setting; {', '.join(having)} do")


def _why(row: Solver, tree: Tree) -> str:
    """Why this one: what the game is like."""
    count = len(tree.players)
    words = ["one player" if count == 1 else f"{count} players"]
    if row.perfect_information:
        return ", ".join([*words, "perfect information"])
    if count == 2:
        zero = "zero sum" if tree.zero_sum else "constant sum"
        words.append(zero if tree.constant_sum else "general sum")
    words.append("perfect recall" if tree.perfect_recall else "imperfect recall")
    if row.file == "cfr":
        sequences = sum(tree.sequences(player) for player in tree.names)
        size = f"{sequences:,} sequences, {payoffs_that_count(tree):,} payoffs"
        words.append(f"too large for an exact method ({size})")
    return ", ".join(words)
