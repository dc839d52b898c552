"""A row of the table of solvers: what a solver takes, and what it gives.

The solvers: one table, from which the choice, the command's help, the page and errors are made.

A solver is a file of its own with one function ``find(tree, options)``. Its row says what it takes:
how many players, what sum, what recall and information; and what it gives.

Which solver for which game: the choice, why, and what a named one cannot be asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module

from infoset.errors import InfosetError, NotApplicable, ParameterError, nearest
from infoset.forms.normal import MOST_PROFILES, normal_size
from infoset.forms.sequence import usual_payoff
from infoset.solvers.cfr.variants import VARIANTS
from infoset.solvers.options import Found, Options
from infoset.solvers.settings import TAKES, Settings
from infoset.text import brief
from infoset.tree import Tree
from infoset.tree.positions import hidden


@dataclass(frozen=True)
class Solver:
    """A row of the table."""

    name: str
    about: str
    players: tuple[int, int | None]  # at least, at most
    constant_sum: bool = False  # must two players' payoffs sum to a constant?
    perfect_recall: bool = False  # must everyone remember?
    perfect_information: bool = False  # must everyone see everything?
    at_once: bool = False  # the same, but for moves that are made at once?
    gives: str = "one"  # equilibrium; or "several", "correlated", "sure", "play"
    automatic: bool = False  # may it be chosen when nobody says which?
    alone: bool = False  # unasked only for one player, who remembers: else it is a heuristic
    takes_most: bool = False  # may one say how many equilibria are wanted?
    textbook_page: str = ""  # the textbook's page, if it is not that of its name
    exact: str = "certified"  # "always"; or "certified" where exact arithmetic succeeds; or not
    form: str = "sequence form"  # what it works on
    size_limit: tuple[int, int] | None = None  # more sequences and payoffs than these take too long
    file: str = ""  # where it is, if not in the file of its name; it is then told which it is

    @property
    def find(self) -> Callable[[Tree, Options], Found]:
        """The solver's function; its file is loaded when it is first wanted."""
        family, _, member = self.name.partition(":")
        if self.file:
            family, member = self.file, self.name
        inside = f"infoset.solvers.{family.replace('-', '_')}"
        module = import_module("infoset.search.placing" if family == "searching" else inside)
        found: Callable[[Tree, Options], Found] = module.find
        return partial(module.find, method=member) if member else found

    def lacks(self, tree: Tree) -> str:
        """What a game lacks for this solver, in words; empty if nothing."""
        least, most = self.players
        count = len(tree.players)
        if count < least or (most is not None and count > most):
            many = least != most and count > least
            said = f"at most {most} players" if many else self.players_text
            return f"{said}, but this game has {count}"
        if self.constant_sum and count == 2 and not tree.constant_sum:
            return f"zero-sum games only, but {tree.constant_sum.because}"
        if self.perfect_recall and not tree.perfect_recall:
            return f"perfect recall is needed, but {tree.perfect_recall.because}"
        if self.perfect_information and not tree.perfect_information:
            return f"perfect information is needed, but {tree.perfect_information.because}"
        if self.at_once:
            dark = hidden(tree)
            if dark is not None:
                seen = f"{brief(dark.player)} cannot tell where it is at {brief(dark.label)!r}"
                return f"nothing may be hidden but moves made at once, but {seen}"
        return ""

    def has_room(self, tree: Tree, exact: bool | None = None) -> bool:
        """Is the form that it works on small enough, to be written down and for a program?

        Who asks for an exact answer will wait for it.
        """
        if self.size_limit is not None and exact is not True:
            sequences, payoffs = self.size_limit
            if (
                sum(map(tree.sequences, tree.names)) > sequences
                and payoffs_that_count(tree) > payoffs
            ):
                return False
        if self.form != "normal form":
            return True
        profiles = 1
        for size in normal_size(tree):
            profiles *= size if size is not None else MOST_PROFILES + 1
        return profiles <= MOST_PROFILES

    def is_for(self, tree: Tree) -> bool:
        """May it be chosen for a game when nobody says which?"""
        alone = len(tree.players) == 1 and bool(tree.perfect_recall)
        return self.automatic and (alone or not self.alone) and not self.lacks(tree)

    def suits(self, other: Solver) -> bool:
        """Could this one be named in place of another? It gives a like answer, and asks nothing."""
        if other.gives in ("correlated", "several"):
            same = self.gives == other.gives and self.name != "gambit"
            return same or (self.automatic and other.gives == "several")
        return self.automatic and not self.file  # regret minimization is for where these end

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
    def gives_text(self) -> str:
        """What it gives, in words."""
        return {
            "one": "one equilibrium",
            "several": "several equilibria, or all",
            "correlated": "a correlated equilibrium",
            "sure": "a pure strategy each, and what it is sure of",
            "play": "a strategy against a known opponent",
        }[self.gives]

    @property
    def takes(self) -> str:
        """All that it takes, in words."""
        words = [self.players_text]
        if self.constant_sum:
            words.append("zero or constant sum")
        if self.perfect_information:
            words.append("perfect information")
        elif self.at_once:
            words.append("nothing hidden but moves made at once")
        elif self.perfect_recall:
            words.append("perfect recall")
        else:
            words.append("any recall")
        return ", ".join(words)


def payoffs_that_count(tree: Tree) -> int:
    """How many leaves pay anything but what is paid most often: about the entries of a matrix."""
    return len(tree.leaf_indices) - usual_payoff(tree.leaf_payoffs[0])[1]


LARGE = "discounted-cfr"  # of the family of regret minimization, the one that is chosen unasked


# In the order in which those that may be chosen unasked are tried.
SOLVERS = (
    Solver(
        "backward",
        "backward induction: the best action at every node, last nodes first; subgame perfect",
        players=(1, None),
        perfect_information=True,
        exact="always",
        form="tree",
        automatic=True,
    ),
    Solver(
        "imp-alphabeta",
        "one player in the dark: the best action at sets of positions, pruned; else a heuristic",
        players=(1, 2),
        constant_sum=True,
        exact="always",
        form="positions",
        automatic=True,
        alone=True,
        textbook_page="imp",
        file="searching",
    ),
    Solver(
        "lp",
        "one linear program on the sequence form gives both players' optimal strategies",
        players=(1, 2),
        constant_sum=True,
        perfect_recall=True,
        automatic=True,
        # From here on it takes minutes, then hours (docs/textbook/cfr.md). As many payoffs with
        # fewer sequences, as in poker of one round with a thousand cards, are no trouble.
        size_limit=(40_000, 500_000),
    ),
    Solver(
        "lcp",
        "Lemke's method on the sequence form: an equilibrium of any game of two",
        players=(2, 2),
        perfect_recall=True,
        automatic=True,
        size_limit=(20_000, 0),  # its dense tableau: 3 GiB
    ),
    Solver(
        "normal-lp",
        "a linear program on the normal form; optimal mixed strategies even without recall",
        players=(1, 2),
        constant_sum=True,
        form="normal form",
        automatic=True,
    ),
    Solver(
        "lemke-howson",
        "the Lemke–Howson method on the normal form; mixed strategies even without recall",
        players=(2, 2),
        form="normal form",
        automatic=True,
    ),
    Solver(
        "qre",
        "follows logit quantal responses from random play to a sequential equilibrium",
        players=(1, None),
        perfect_recall=True,
        form="tree",
        automatic=True,
        size_limit=(4_000, 0),  # its dense matrix, solved some hundred times
    ),
    *(
        Solver(
            row.name,
            f"regret minimization for large games: {row.about}",
            players=(1, None),
            perfect_recall=True,
            exact="its regret is proved",
            form="sequence form; leaves of the tree for more than two players",
            automatic=row.name == LARGE,
            textbook_page="cfr",
            file="cfr",
        )
        for row in VARIANTS
    ),
    Solver(
        "behaviour",
        "the best behaviour strategies of players who forget, absent-minded ones included",
        players=(1, None),
        form="tree",
        automatic=True,
    ),
    *(
        Solver(
            f"{which}-sampling",
            f"Monte Carlo regret minimization without a tree: {about}",
            players=(1, None),
            perfect_recall=True,
            exact="its regret is proved",
            form="positions",
            textbook_page="sampling",
            file="sampling",
        )
        for which, about in (
            ("external", "all moves of one player, the others' drawn"),
            ("outcome", "one play at a time"),
        )
    ),
    Solver(
        "imp-minimax",
        "the same without pruning: every position once",
        players=(1, 2),
        constant_sum=True,
        exact="always",
        form="positions",
        textbook_page="imp",
        file="searching",
    ),
    Solver(
        "chance-minimax",
        "perfect information: the best action at each position, averages at nature's moves",
        players=(1, 2),
        constant_sum=True,
        perfect_information=True,
        exact="always",
        form="positions",
        textbook_page="imp",
        file="searching",
    ),
    *(
        Solver(
            name,
            f"simultaneous moves: {about}",
            players=(2, 2),
            constant_sum=True,
            at_once=True,
            form="positions",
            textbook_page="simultaneous",
            file="searching",
        )
        for name, about in (
            ("backward-induction", "a matrix game at every position"),
            ("smab", "alpha-beta with bounds from linear programs"),
            ("double-oracle", "matrix games grown by best responses"),
            ("double-oracle-alphabeta", "the same between bounds from moving one by one"),
        )
    ),
    Solver(
        "enumerate",
        "every extreme equilibrium, and how they hang together",
        players=(2, 2),
        gives="several",
        exact="always",
        form="sequence form; normal form without recall",
        takes_most=True,
    ),
    Solver(
        "pure",
        "equilibria in pure strategies by integer programming: one, all, or a proof of none",
        players=(1, None),
        gives="several",
        form="tree",
        takes_most=True,
    ),
    Solver(
        "max-min",
        "each player's best pure strategy if all others do their worst: no equilibrium in general",
        players=(1, None),
        gives="sure",
        form="tree",
    ),
    Solver(
        "quasi-perfect",
        "an equilibrium that is sensible also where it does not go, with beliefs everywhere",
        players=(1, 2),
        perfect_recall=True,
        exact="always",
    ),
    Solver(
        "wilson",
        "pivots on the normal form, pure strategies entering as backward induction finds them",
        players=(2, 2),
        perfect_recall=True,
        exact="always",
        form="normal form, as far as it is needed",
    ),
    Solver(
        "ce",
        "the correlated equilibrium of the normal form with the greatest welfare",
        players=(1, None),
        gives="correlated",
        form="normal form",
        textbook_page="correlated",
    ),
    Solver(
        "cce",
        "the coarse correlated equilibrium of the normal form with the greatest welfare",
        players=(1, None),
        gives="correlated",
        form="normal form",
        textbook_page="correlated",
    ),
    Solver(
        "efce",
        "the extensive-form correlated equilibrium with the greatest welfare",
        players=(2, 2),
        perfect_recall=True,
        gives="correlated",
        textbook_page="correlated",
    ),
    Solver(
        "efcce",
        "the extensive-form coarse correlated equilibrium with the greatest welfare",
        players=(2, 2),
        perfect_recall=True,
        gives="correlated",
        textbook_page="correlated",
    ),
    Solver(
        "safe",
        "wins most against a known opponent, giving up at most ε of the value",
        players=(2, 2),
        constant_sum=True,
        perfect_recall=True,
        gives="play",
        exact="always",
    ),
    Solver(
        "gambit",
        "gambit:METHOD asks Gambit (an extra); its answer is verified here",
        players=(1, None),
        gives="several",
        form="what the method takes",
        takes_most=True,
    ),
)


# What others call some of them.
ALSO_KNOWN = {
    "cfrplus": "cfr+",
    "cfr-plus": "cfr+",
    "lcfr": "linear-cfr",
    "dcfr": "discounted-cfr",
    "pcfr+": "predictive-cfr+",
    "pcfr": "predictive-cfr+",
    "mccfr": "external-sampling",
    "es-mccfr": "external-sampling",
    "os-mccfr": "outcome-sampling",
    "imp": "imp-alphabeta",
    "imp-alpha-beta": "imp-alphabeta",
    "minimax": "chance-minimax",
    "expectiminimax": "chance-minimax",
    "do": "double-oracle",
    "doab": "double-oracle-alphabeta",
}


def solver(name: str) -> Solver:
    """The solver of this name; ``gambit:METHOD`` is a member of its row."""
    if not isinstance(name, str):
        raise InfosetError(f"a method is named by a text, not by {name!r:.60}")
    family, _, member = name.partition(":")
    for row in SOLVERS:
        if row.name == family == "gambit":
            from infoset.solvers.gambit import check_method

            check_method(member)
            return replace(row, name=name)
        if row.name == name:
            return row
    meant = ALSO_KNOWN.get(name.lower(), name.lower())
    raise InfosetError(f"no method {name!r}; {nearest(meant, (row.name for row in SOLVERS))}")


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
                instead = "infoset.analysis.best_reply gives a best response"
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
