"""Pure strategies by integer programming or by the table of the reduced normal form.

*Integer programming.* Only the pure strategies are taken from what HiGHS says. Each solution is
judged in rational arithmetic and excluded before the program is solved again, until it is
infeasible. Then infeasibility is proved in integers, where that does not take too long
(:func:`infoset.solvers.integer_programs.program.prove_infeasible`).

*The table.* A profile of reduced plans is an equilibrium if each player's payoff is the maximum
along that player's axis. So n maxima over a table of integers give all equilibria, or prove that
there are none. What a plan guarantees is the minimum over all axes but the player's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import inf, prod

import numpy as np
import numpy.typing as npt

from infoset.errors import InfosetError, NoEquilibrium, NotProved, TooLarge
from infoset.forms.normal import MOST_PLAYERS, NormalForm, normal_form, normal_size
from infoset.solvers.integer_programs.plans import PlanColumns, exclude
from infoset.solvers.integer_programs.program import (
    BinaryProgram,
    Floats,
    prove_infeasible,
    search,
)
from infoset.solvers.options import Found, Options
from infoset.strategy import Pure
from infoset.text import decimal_near
from infoset.tree import Tree

MOST_LEAVES = 200_000  # of a tree for integer programs
SHORT = 20  # characters of an amount that is shown exactly
IN_FLOATS = "by integer programming, in floats"
EXACTLY = "by branch and bound, in integers"
STOPPED = "stopped before the end"

Plans = tuple[Pure, ...]


@dataclass
class SolutionSearch:
    """Iterates over the solutions of an integer program."""

    program: BinaryProgram
    everyone: list[PlanColumns]
    judge: Callable[[Plans], bool]  # is this a solution, in rational arithmetic?
    options: Options
    exact: bool  # are the coefficients exact?
    found: list[Plans] = field(default_factory=list)
    nodes: int = 0
    programs: int = 0
    branches: int = 0
    ended: str = ""  # why there are no more; empty while there may be

    def first(self, most: float) -> list[Plans]:
        """So many solutions, or as many as there are."""
        return list(self if most == inf else islice(self, int(most)))

    def read(self, values: Floats) -> Plans:
        """The plans of a solution's values."""
        return tuple(each.read(values) for each in self.everyone)

    def __iter__(self) -> Iterator[Plans]:
        while not self.ended:
            if self.options.over():
                self.ended = STOPPED
                return
            self.options.tell(f"integer program {self.programs + 1}, {len(self.found)} found")
            answer = search(self.program, self.options)
            self.programs += 1
            self.nodes += answer.nodes
            if answer.status == "none":
                self.ended = EXACTLY if self._proved() else IN_FLOATS
            elif not len(answer.values):
                self.ended = STOPPED
            else:
                plans = self.read(answer.values)
                new = self.judge(plans)
                exclude(self.program, self.everyone, plans)
                if new:
                    self.found.append(plans)
                    yield plans

    def _proved(self) -> bool:
        """Is it proved in integers that there is no further solution?"""
        if not self.exact:
            return False
        self.options.tell("exact arithmetic")
        known = set(self.found)

        def another(values: Floats) -> bool:
            plans = self.read(values)
            return plans not in known and self.judge(plans)

        branches = prove_infeasible(self.program, another, self.options)
        self.branches = branches or 0
        return branches is not None


def found_all(found: list[Plans], searches: list[SolutionSearch]) -> Found:
    """The result of one or several searches, and whether it is complete."""
    work = {
        "programs": sum(solutions.programs for solutions in searches),
        "nodes": sum(solutions.nodes for solutions in searches),
        "branches": sum(solutions.branches for solutions in searches),
    }
    ended = [solutions.ended for solutions in searches]
    remark = ""
    if STOPPED in ended:
        remark = f"{STOPPED}: there may be more equilibria"
    elif IN_FLOATS in ended:
        remark = f"that there are no more is known {IN_FLOATS}"
    whole = prod(len(solutions.found) for solutions in searches)
    complete = all(end == EXACTLY for end in ended) and len(found) == whole
    return Found(found[0], work, remark=remark, others=tuple(found[1:]), complete=complete)


def none_found(tree: Tree, ended: str, options: Options) -> NoEquilibrium | NotProved:
    """The error where no equilibrium was found, by how the search ended."""
    none = f"{tree.name}: no equilibrium in pure strategies"
    if ended == STOPPED:
        return NotProved(f"{none} was found in time, nor excluded; allow more seconds")
    if ended == IN_FLOATS and options.exact:
        return NotProved(
            f"{none} {IN_FLOATS}, and no exact proof of that was found; allow more seconds, or"
            " do not require an exact answer"
        )
    return NoEquilibrium(f"{none}, {ended}; other methods find mixed equilibria")


def shown(amount: Fraction) -> str:
    """An exact amount while it is short, else a decimal.

    >>> shown(Fraction(-1, 18)), shown(Fraction(10**400))
    ('-1/18', 'about 1e+400')
    """
    longest = max(abs(amount.numerator), amount.denominator)
    short = longest < 10**SHORT and len(str(amount)) < SHORT
    return str(amount) if short else f"about {decimal_near(amount, 6)}"


def check_size(tree: Tree, sought: str) -> None:
    """Refuse trees that are too large for integer programs."""
    if len(tree.leaf_indices) > MOST_LEAVES:
        raise TooLarge(
            f"{tree.name}: {len(tree.leaf_indices):,} leaves; {sought} are computed for up to"
            f" {MOST_LEAVES:,}: take a smaller game of the family"
        )


MOST_ENTRIES = 1 << 22  # players times profiles; beyond, integer programs are mostly faster,
FOR_A_NODE = 16  # per node: but not where the tree is nearly as large as the table
MOST_LISTED = 10_000  # equilibria that are listed

Longs = npt.NDArray[np.intp]


def fits_a_table(tree: Tree) -> bool:
    """Is the reduced normal form small enough to be searched as a table?

    >>> from infoset.games import kuhn
    >>> fits_a_table(kuhn().tree()), fits_a_table(kuhn(ranks=13).tree())
    (True, False)
    """
    if len(tree.players) > MOST_PLAYERS:
        return False
    sizes = normal_size(tree)
    known = [size for size in sizes if size is not None]
    most = max(MOST_ENTRIES, FOR_A_NODE * len(tree))
    return len(known) == len(sizes) and prod(known) * len(sizes) <= most


def table_of(tree: Tree) -> NormalForm:
    """The reduced normal form of a game for which :func:`fits_a_table`."""
    return normal_form(tree, most=max(MOST_ENTRIES, FOR_A_NODE * len(tree)))


def pure_equilibria(*payoffs: npt.ArrayLike) -> Longs:
    """[equilibrium, player] all pure equilibria of tables of payoffs, one for each player.

    Each table has an axis for each player; entries are compared as they are, and so are exact if
    they are.

    >>> pure_equilibria([[2, 0], [0, 1]], [[1, 0], [0, 2]]).tolist()
    [[0, 0], [1, 1]]
    """
    tables = [np.asarray(amounts) for amounts in payoffs]
    shapes = {table.shape for table in tables}
    if len(shapes) != 1 or tables[0].ndim != len(tables):
        told = ", ".join(" × ".join(map(str, shape)) or "one number" for shape in sorted(shapes))
        raise InfosetError(
            f"{len(tables)} tables of {told or 'none_found'}; give one for each player, all of one"
            " size, with an axis for each player"
        )
    stable = np.ones(tables[0].shape, np.bool_)
    for player, amounts in enumerate(tables):
        stable &= amounts == amounts.max(axis=player, keepdims=True)
    return np.argwhere(stable)


def listed(table: NormalForm, profiles: Longs) -> list[tuple[Pure, ...]]:
    """The profiles as strategies."""
    tree = table.tree
    if len(profiles) > MOST_LISTED:
        raise TooLarge(
            f"{tree.name}: {len(profiles):,} pure equilibria, more than the {MOST_LISTED:,} that"
            " are listed; ask for fewer with most="
        )
    made: dict[tuple[int, int], Pure] = {}  # a plan is shared by many profiles
    for player, number in {pair for row in profiles.tolist() for pair in enumerate(row)}:
        made[player, number] = Pure(tree, tree.names[player], table.plans[player][number])
    return [tuple(made[pair] for pair in enumerate(row)) for row in profiles.tolist()]


def max_min_plan(table: NormalForm, player: int) -> tuple[Pure, Fraction]:
    """The plan that guarantees most, and what it guarantees.

    >>> from infoset.games import kuhn
    >>> max_min_plan(table_of(kuhn().tree()), 0)[1]
    Fraction(-1, 6)
    """
    others = tuple(axis for axis in range(len(table.shape)) if axis != player)
    sure = table.numerators[player].min(axis=others)
    best = int(np.argmax(sure))
    strategy = Pure(table.tree, table.tree.names[player], table.plans[player][best])
    return strategy, Fraction(int(sure[best]), table.denominators[player])
