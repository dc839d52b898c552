"""The registry of solvers: one table of all methods, and the choice among them.

A solver is a module with one function ``find(tree, options)``, named like the method. Its row here
says which games it takes (how many players, constant sum, recall, information) and what it gives.
The method that :func:`choose` picks for a game, the command's help, the page of solvers and the
errors for methods that do not apply are all made from these rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from infoset.errors import InfosetError, NotApplicable, ParameterError, nearest
from infoset.forms.normal import MOST_PROFILES, normal_size
from infoset.forms.sequence import usual_payoff
from infoset.solvers.cfr.variants import VARIANTS
from infoset.solvers.cost import approximates_sooner
from infoset.solvers.options import Found, Options
from infoset.solvers.settings import TAKES, Settings
from infoset.text import brief
from infoset.tree import Tree
from infoset.tree.positions import hidden

if TYPE_CHECKING:
    from infoset.solvers.solution import Solution

MOST_IN_A_ROW = 500  # own choices, for qre: plans have numbers of 53 binary digits for each


def longest_play(tree: Tree) -> int:
    """The largest number of choices that one player makes in a play."""
    return max((len(own.stages) for own in tree.choices), default=0)


@dataclass(frozen=True)
class Solver:
    """A row of the table: which games a method takes, and what it gives."""

    name: str
    about: str
    players: tuple[int, int | None]  # at least, at most
    constant_sum: bool = False  # must two players' payoffs have a constant sum?
    perfect_recall: bool = False  # must every player have perfect recall?
    perfect_information: bool = False  # must the game have perfect information?
    simultaneous: bool = False  # the same, up to simultaneous moves?
    gives: str = "one"  # equilibrium; or "several", "correlated", "guarantee", "reply"
    automatic: bool = False  # may it be chosen where no method is named?
    single_player: bool = False  # automatic only for one player with perfect recall
    takes_most: bool = False  # can the number of equilibria be asked for?
    textbook_page: str = ""  # the textbook's page, if it is not that of its name
    exact: str = "certified"  # "always"; or "certified" where exact arithmetic succeeds; or not
    form: str = "sequence form"  # the representation that it works on
    size_limit: tuple[int, int] | None = None  # beyond these sequences and payoffs it is too slow
    longest: int | None = None  # own choices in a row that it takes
    family: str = ""  # the module with its function, if it is shared; it is then told the name

    @property
    def find(self) -> Callable[[Tree, Options], Found]:
        """The solver's function; its module is imported when it is first used."""
        member = self.name if self.family else self.name.partition(":")[2]
        found: Callable[..., Found] = self._module.find
        return partial(found, method=member) if member else found

    @property
    def find_without_tree(self) -> Callable[[Any, Options], Solution]:
        """The function of a solver that works on positions, for games whose tree is too large."""
        return partial(self._module.find_without_tree, method=self.name)

    @property
    def _module(self) -> Any:
        family = self.family or self.name.partition(":")[0]
        inside = f"infoset.solvers.{family.replace('-', '_')}"
        return import_module("infoset.search.result" if family == "search" else inside)

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
        if self.simultaneous:
            infoset = hidden(tree)
            if infoset is not None:
                where = (
                    f"{brief(infoset.player)} at {brief(infoset.label)!r} does not know the history"
                )
                return f"perfect information up to simultaneous moves is needed, but {where}"
        return ""

    def has_room(self, tree: Tree, exact: bool | None = None) -> bool:
        """Is the representation that it works on small enough?

        Where an exact answer is asked for, the limit on time does not count.
        """
        if self.size_limit is not None and exact is not True:
            sequences, payoffs = self.size_limit
            if sum(map(tree.sequences, tree.names)) > sequences and entry_count(tree) > payoffs:
                return False
        if self.longest is not None and longest_play(tree) > self.longest:
            return False
        if self.form != "normal form":
            return True
        profiles = 1
        for size in normal_size(tree):
            profiles *= size if size is not None else MOST_PROFILES + 1
        return profiles <= MOST_PROFILES

    def is_for(self, tree: Tree) -> bool:
        """May it be chosen for a game where no method is named?"""
        single = len(tree.players) == 1 and bool(tree.perfect_recall)
        return self.automatic and (single or not self.single_player) and not self.lacks(tree)

    def suits(self, other: Solver) -> bool:
        """Could this one be proposed in place of another? It gives the same kind of answer."""
        if other.gives in ("correlated", "several"):
            same = self.gives == other.gives and self.name != "gambit"
            return same or (self.automatic and other.gives == "several")
        return self.automatic and not self.family  # the family of cfr is for larger games

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
            "guarantee": "a pure strategy for each player, and the payoff that it guarantees",
            "reply": "a strategy against a known opponent",
        }[self.gives]

    @property
    def takes(self) -> str:
        """All that it takes, in words."""
        words = [self.players_text]
        if self.constant_sum:
            words.append("zero or constant sum")
        if self.perfect_information:
            words.append("perfect information")
        elif self.simultaneous:
            words.append("perfect information up to simultaneous moves")
        elif self.perfect_recall:
            words.append("perfect recall")
        else:
            words.append("any recall")
        return ", ".join(words)


def entry_count(tree: Tree) -> int:
    """Leaves with another payoff than the most frequent one: the entries of a payoff matrix."""
    return len(tree.leaf_indices) - usual_payoff(tree.leaf_payoffs[0])[1]


LARGE = "discounted-cfr"  # the variant of regret minimization that is chosen by default


# In the order in which those that may be chosen by default are tried.
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
        "minimax over information sets of one player, with pruning; for two players a heuristic",
        players=(1, 2),
        constant_sum=True,
        exact="always",
        form="positions",
        automatic=True,
        single_player=True,
        textbook_page="imp",
        family="search",
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
        size_limit=(20_000, 0),  # as for lcp
    ),
    Solver(
        "qre",
        "follows logit quantal responses from random play to a sequential equilibrium",
        players=(1, None),
        perfect_recall=True,
        form="tree",
        automatic=True,
        size_limit=(4_000, 0),  # its dense matrix, solved some hundred times
        longest=MOST_IN_A_ROW,
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
            family="cfr",
        )
        for row in VARIANTS
    ),
    Solver(
        "behaviour",
        "behaviour strategies under imperfect recall, absent-mindedness included",
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
            family="sampling",
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
        family="search",
    ),
    Solver(
        "chance-minimax",
        "perfect information: the best action at each position, expectations at chance nodes",
        players=(1, 2),
        constant_sum=True,
        perfect_information=True,
        exact="always",
        form="positions",
        textbook_page="imp",
        family="search",
    ),
    *(
        Solver(
            name,
            f"simultaneous moves: {about}",
            players=(2, 2),
            constant_sum=True,
            simultaneous=True,
            form="positions",
            textbook_page="simultaneous",
            family="search",
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
        "every extreme equilibrium, and the components of the set of equilibria",
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
        "each player's best pure strategy in the worst case: no equilibrium in general",
        players=(1, None),
        gives="guarantee",
        form="tree",
    ),
    Solver(
        "quasi-perfect",
        "a quasi-perfect equilibrium, with beliefs at every information set",
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
        gives="reply",
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


# Names that other programs and papers use.
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

    Who says how a run of regret minimization is to go wants one. Who only says which regret is
    small enough gets one where it is done before a linear program (:mod:`infoset.solvers.cost`).
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
            if row.gives == "reply":
                instead = "infoset.analysis.best_reply gives a best response"
            raise NotApplicable(f"{tree.name}: {name} does not apply: {lacking}; {instead}")
        return row, "as asked"
    for row in SOLVERS:
        if row.is_for(tree) and row.has_room(tree, exact):
            if row.name == "lp" and not exact and _approximates_sooner(tree, settings.regret):
                sooner = f"reaches regret {settings.regret:g} before lp ends ({_size(tree)})"
                return solver(LARGE), f"{_why(row, tree)}, {sooner}"
            return row, _why(row, tree)
    raise NotApplicable(f"{tree.name}: no method applies; infoset matrix shows its matrix")


def check_settings(row: Solver, chosen: Iterable[str]) -> None:
    """Refuse settings that a method does not have."""
    takes = TAKES.get(row.family, frozenset())
    for name in chosen:
        if name not in takes:
            having = [other.name for other in SOLVERS if name in TAKES.get(other.family, ())]
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
    if row.family == "cfr":
        words.append(f"too large for an exact method ({_size(tree)})")
    return ", ".join(words)


def _approximates_sooner(tree: Tree, regret: float | None) -> bool:
    """Does regret minimization reach this regret before the linear program is solved?"""
    if not regret:
        return False
    sequences = sum(map(tree.sequences, tree.names))
    return approximates_sooner(tree, sequences, entry_count(tree), regret)


def _size(tree: Tree) -> str:
    """The size of the sequence form, in words."""
    sequences = sum(map(tree.sequences, tree.names))
    return f"{sequences:,} sequences, {entry_count(tree):,} payoffs"
