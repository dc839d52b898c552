"""The solvers: one table, from which the choice, the command's help, the page and errors are made.

A solver is a file of its own with one function ``find(tree, options)``. Its row says what it takes:
how many players, what sum, what recall and information; and what it gives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from infoset.errors import InfosetError, NotApplicable, nearest
from infoset.solve.options import Found, Options
from infoset.tree import Tree


@dataclass(frozen=True)
class Solver:
    """A row of the table."""

    name: str
    about: str
    players: tuple[int, int | None]  # at least, at most
    constant_sum: bool = False  # must two players' payoffs sum to a constant?
    perfect_recall: bool = False  # must everyone remember?
    perfect_information: bool = False  # must everyone see everything?
    gives: str = "one"  # "one" equilibrium, or "all"
    exact: str = "certified"  # "always", or "certified" where exact arithmetic succeeds
    form: str = "sequence form"  # what it works on

    @property
    def find(self) -> Callable[[Tree, Options], Found]:
        """The solver's function; its file is loaded when it is first wanted."""
        module = import_module(f"infoset.solve.{self.name.replace('-', '_')}")
        found: Callable[[Tree, Options], Found] = module.find
        return found

    def lacks(self, tree: Tree) -> str:
        """What a game lacks for this solver, in words; empty if nothing."""
        least, most = self.players
        count = len(tree.players)
        if count < least or (most is not None and count > most):
            most_text = f"at most {most} players" if count > least else self.players_text
            return f"{most_text}, but this game has {count}"
        if self.constant_sum and count == 2 and not tree.constant_sum:
            return f"zero-sum games only, but {tree.constant_sum.because}"
        if self.perfect_recall and not tree.perfect_recall:
            return f"perfect recall is needed, but {tree.perfect_recall.because}"
        if self.perfect_information and not tree.perfect_information:
            return f"perfect information is needed, but {tree.perfect_information.because}"
        return ""

    @property
    def players_text(self) -> str:
        """How many players, in words."""
        least, most = self.players
        if most is None:
            return "any number of players"
        if least == most:
            return f"{least} players"
        return f"{least} to {most} players" if most - least > 1 else f"{least} or {most} players"

    @property
    def takes(self) -> str:
        """All that it takes, in words."""
        words = [self.players_text]
        if self.constant_sum:
            words.append("zero or constant sum")
        if self.perfect_information:
            words.append("perfect information")
        elif self.perfect_recall:
            words.append("perfect recall")
        else:
            words.append("any recall")
        return ", ".join(words)


# In the order in which they are tried when nobody says which.
SOLVERS = (
    Solver(
        "backward",
        "backward induction: the best action at every node, last nodes first; subgame perfect",
        players=(1, None),
        perfect_information=True,
        exact="always",
        form="tree",
    ),
    Solver(
        "lp",
        "one linear program on the sequence form gives both players' optimal strategies",
        players=(1, 2),
        constant_sum=True,
        perfect_recall=True,
    ),
    Solver(
        "lcp",
        "Lemke's method on the sequence form: an equilibrium of any game of two",
        players=(2, 2),
        perfect_recall=True,
    ),
    Solver(
        "normal-lp",
        "a linear program on the normal form; optimal mixed strategies even without recall",
        players=(1, 2),
        constant_sum=True,
        form="normal form",
    ),
    Solver(
        "lemke-howson",
        "the Lemke–Howson method on the normal form; mixed strategies even without recall",
        players=(2, 2),
        form="normal form",
    ),
)


def solver(name: str) -> Solver:
    """The solver of this name."""
    for row in SOLVERS:
        if row.name == name:
            return row
    raise InfosetError(f"no method {name!r}; {nearest(name, (row.name for row in SOLVERS))}")


def choose(tree: Tree, name: str | None = None) -> tuple[Solver, str]:
    """The solver for a game and why; a named one is checked to apply."""
    if name is not None:
        row = solver(name)
        lacking = row.lacks(tree)
        if lacking:
            others = [other.name for other in SOLVERS if not other.lacks(tree)]
            instead = f"these do apply: {', '.join(others)}" if others else "no other method does"
            raise NotApplicable(f"{tree.name}: {name} does not apply: {lacking}; {instead}")
        return row, "as asked"
    for row in SOLVERS:
        if not row.lacks(tree):
            return row, _why(row, tree)
    reasons: dict[str, list[str]] = {}
    for row in SOLVERS:
        reasons.setdefault(row.lacks(tree), []).append(row.name)
    said = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items())
    raise NotApplicable(f"{tree.name}: no method applies ({said}); infoset matrix shows its matrix")


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
    return ", ".join(words)
