"""Pure strategies sought by an integer program: found, checked, excluded; and the next one.

Only the plans are taken from what HiGHS says. Each is judged in rational arithmetic, and excluded
before the program is asked again, until it has no solution any more. Then the same program is shown
to have none in integers (:mod:`infoset.solve.integer.exhaust`), where that does not take too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from math import inf, prod

from infoset.errors import NoEquilibrium, NotProved, TooLarge
from infoset.solve.integer.draft import Draft, Floats, search
from infoset.solve.integer.exhaust import exhaust
from infoset.solve.integer.ways import Ways, exclude
from infoset.solve.options import Found, Options
from infoset.solve.text import decimal_near
from infoset.strategy import Pure
from infoset.tree import Tree

MOST_LEAVES = 200_000  # of a tree that integer programs are made from
SHORT = 20  # signs of an amount that is shown as it is
IN_FLOATS = "by integer programming, in floats"
EXACTLY = "by branch and bound, in integers"
STOPPED = "stopped before the end"

Plans = tuple[Pure, ...]


@dataclass
class Hunt:
    """The solutions of an integer program, one after the other."""

    draft: Draft
    everyone: list[Ways]
    judge: Callable[[Plans], bool]  # is this one, in rational arithmetic?
    options: Options
    exact: bool  # are the program's numbers what they should be?
    found: list[Plans] = field(default_factory=list)
    nodes: int = 0
    programs: int = 0
    branches: int = 0
    ended: str = ""  # how it is known that there are no more; empty while there may be

    def first(self, most: float) -> list[Plans]:
        """So many of them, or as many as there are."""
        return list(self if most == inf else islice(self, int(most)))

    def read(self, values: Floats) -> Plans:
        """The plans that the columns' values say."""
        return tuple(ways.read(values) for ways in self.everyone)

    def __iter__(self) -> Iterator[Plans]:
        while not self.ended:
            if self.options.over():
                self.ended = STOPPED
                return
            self.options.tell(f"integer program {self.programs + 1}, {len(self.found)} found")
            answer = search(self.draft, self.options)
            self.programs += 1
            self.nodes += answer.nodes
            if answer.status == "none":
                self.ended = EXACTLY if self._proved() else IN_FLOATS
            elif not len(answer.values):
                self.ended = STOPPED
            else:
                plans = self.read(answer.values)
                new = self.judge(plans)
                exclude(self.draft, self.everyone, plans)
                if new:
                    self.found.append(plans)
                    yield plans

    def _proved(self) -> bool:
        """Is there no further one, in integers?"""
        if not self.exact:
            return False
        self.options.tell("exact arithmetic")
        known = set(self.found)

        def another(values: Floats) -> bool:
            plans = self.read(values)
            return plans not in known and self.judge(plans)

        branches = exhaust(self.draft, another, self.options)
        self.branches = branches or 0
        return branches is not None


def gathered(found: list[Plans], hunts: list[Hunt]) -> Found:
    """What was found, and whether it is all."""
    work = {
        "programs": sum(hunt.programs for hunt in hunts),
        "nodes": sum(hunt.nodes for hunt in hunts),
        "branches": sum(hunt.branches for hunt in hunts),
    }
    ended = [hunt.ended for hunt in hunts]
    remark = ""
    if STOPPED in ended:
        remark = f"{STOPPED}: there may be more equilibria"
    elif IN_FLOATS in ended:
        remark = f"that there are no more is known {IN_FLOATS}"
    whole = prod(len(hunt.found) for hunt in hunts)
    complete = all(end == EXACTLY for end in ended) and len(found) == whole
    return Found(found[0], work, remark=remark, others=tuple(found[1:]), complete=complete)


def nothing(tree: Tree, ended: str, options: Options) -> NoEquilibrium | NotProved:
    """The error where nothing was found, by how the search ended."""
    none = f"{tree.name}: no equilibrium in pure strategies"
    if ended == STOPPED:
        return NotProved(f"{none} was found in time, and none is excluded; give it more time")
    if ended == IN_FLOATS and options.exact:
        return NotProved(
            f"{none} {IN_FLOATS}, and no exact proof of that was found; give it more time, or do"
            " not ask for an exact answer"
        )
    return NoEquilibrium(f"{none}, {ended}; other methods find mixed ones")


def shown(amount: Fraction) -> str:
    """An amount as it is, while that is short.

    >>> shown(Fraction(-1, 18)), shown(Fraction(10**400))
    ('-1/18', 'about 1e+400')
    """
    longest = max(abs(amount.numerator), amount.denominator)
    short = longest < 10**SHORT and len(str(amount)) < SHORT
    return str(amount) if short else f"about {decimal_near(amount, 6)}"


def check_size(tree: Tree, sought: str) -> None:
    """Refuse trees that integer programs are not made from."""
    if len(tree.ends) > MOST_LEAVES:
        raise TooLarge(
            f"{tree.name}: {len(tree.ends):,} leaves; {sought} are sought in trees of up to"
            f" {MOST_LEAVES:,}: take a smaller member of the family"
        )
