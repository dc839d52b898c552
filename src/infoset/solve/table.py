"""The solvers: one table, from which the choice, the command's help, the page and errors are made.

A solver is a file of its own with one function ``find(tree, options)``. Its row says what it takes:
how many players, what sum, what recall and information; and what it gives.
"""

from __future__ import annotations

from dataclasses import replace

from infoset.errors import InfosetError, nearest
from infoset.solve.regret.variants import VARIANTS
from infoset.solve.row import Solver

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
        unasked=True,
    ),
    Solver(
        "imp-alphabeta",
        "one player in the dark: the best action at sets of positions, pruned; else a heuristic",
        players=(1, 2),
        constant_sum=True,
        exact="always",
        form="positions",
        unasked=True,
        alone=True,
        taught="imp",
        file="searching",
    ),
    Solver(
        "lp",
        "one linear program on the sequence form gives both players' optimal strategies",
        players=(1, 2),
        constant_sum=True,
        perfect_recall=True,
        unasked=True,
        # From here on it takes minutes, then hours (docs/textbook/cfr.md). As many payoffs with
        # fewer sequences, as in poker of one round with a thousand cards, are no trouble.
        outgrown=(40_000, 500_000),
    ),
    Solver(
        "lcp",
        "Lemke's method on the sequence form: an equilibrium of any game of two",
        players=(2, 2),
        perfect_recall=True,
        unasked=True,
        outgrown=(20_000, 0),  # its dense tableau: 3 GiB
    ),
    Solver(
        "normal-lp",
        "a linear program on the normal form; optimal mixed strategies even without recall",
        players=(1, 2),
        constant_sum=True,
        form="normal form",
        unasked=True,
    ),
    Solver(
        "lemke-howson",
        "the Lemke–Howson method on the normal form; mixed strategies even without recall",
        players=(2, 2),
        form="normal form",
        unasked=True,
    ),
    Solver(
        "qre",
        "follows logit quantal responses from random play to a sequential equilibrium",
        players=(1, None),
        perfect_recall=True,
        form="tree",
        unasked=True,
        outgrown=(4_000, 0),  # its dense matrix, solved some hundred times
    ),
    *(
        Solver(
            row.name,
            f"regret minimization for large games: {row.about}",
            players=(1, None),
            perfect_recall=True,
            exact="its regret is proved",
            form="sequence form; leaves of the tree for more than two players",
            unasked=row.name == LARGE,
            taught="cfr",
            file="cfr",
        )
        for row in VARIANTS
    ),
    Solver(
        "behaviour",
        "the best behaviour strategies of players who forget, absent-minded ones included",
        players=(1, None),
        form="tree",
        unasked=True,
    ),
    *(
        Solver(
            f"{which}-sampling",
            f"Monte Carlo regret minimization without a tree: {about}",
            players=(1, None),
            perfect_recall=True,
            exact="its regret is proved",
            form="positions",
            taught="sampling",
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
        taught="imp",
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
        taught="imp",
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
            taught="simultaneous",
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
        taught="correlated",
    ),
    Solver(
        "cce",
        "the coarse correlated equilibrium of the normal form with the greatest welfare",
        players=(1, None),
        gives="correlated",
        form="normal form",
        taught="correlated",
    ),
    Solver(
        "efce",
        "the extensive-form correlated equilibrium with the greatest welfare",
        players=(2, 2),
        perfect_recall=True,
        gives="correlated",
        taught="correlated",
    ),
    Solver(
        "efcce",
        "the extensive-form coarse correlated equilibrium with the greatest welfare",
        players=(2, 2),
        perfect_recall=True,
        gives="correlated",
        taught="correlated",
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
            from infoset.solve.gambit import check_method

            check_method(member)
            return replace(row, name=name)
        if row.name == name:
            return row
    meant = ALSO_KNOWN.get(name.lower(), name.lower())
    raise InfosetError(f"no method {name!r}; {nearest(meant, (row.name for row in SOLVERS))}")
