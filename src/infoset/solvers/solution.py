"""Strategies as they are read: what to do everywhere, also where a solver is silent.

The answer: strategies, what they are worth, and the proof. Made in one place, by one function.

No answer leaves unverified. Whatever solver found the strategies, their payoffs and every player's
regret are computed anew, from the tree and the strategies alone, in rational arithmetic; the
certificate says what this showed: "exact" if no player can gain anything, else how little.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import NotApplicable, NotProved, ParameterError
from infoset.solvers.options import Found, Options
from infoset.strategy import Behaviour, Mixed, Profile, Pure, Strategy, profile
from infoset.strategy.assessment import follows_bayes, is_consistent, is_sequentially_rational
from infoset.strategy.behaviour import unchecked
from infoset.strategy.equivalence import as_behaviour
from infoset.text import brief, decimal_above, decimal_near
from infoset.tree import Tree
from infoset.tree.facts import Fact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from infoset.analysis.table import Sheet
    from infoset.display.drawing import Drawing
    from infoset.solvers.components import Component
    from infoset.solvers.convergence import Convergence
    from infoset.strategy.absentminded.response import BehaviourRegret
    from infoset.strategy.assessment import Assessment


def readable(strategy: Strategy, others: Profile) -> Behaviour | Mixed:
    """What to do at each information set, where that can be said; else the mixed strategy.

    An equilibrium leaves open what a player does where it does not itself let the play go. There
    the best reply to the others is filled in, if they let it come there, and else a uniform choice.
    """
    try:
        found = as_behaviour(strategy)
    except NotApplicable:
        if isinstance(strategy, Mixed):
            return strategy
        raise
    if isinstance(strategy, Pure):
        return _decided(strategy, found, others)
    if isinstance(strategy, Behaviour) or not strategy.tree.recall(strategy.player):
        return found
    return _filled(found, others)


def _decided(strategy: Pure, found: Behaviour, others: Profile) -> Behaviour:
    """A pure strategy as behaviour; where it is silent it does what is best, and one thing."""
    choices = found.choices
    silent = set(range(len(choices.infosets)))
    for infoset, _ in strategy.chosen:
        silent.discard(int(np.searchsorted(choices.infosets, infoset)))
    if not silent:
        return found
    best = others.responses[found.player].actions
    probabilities = found.probabilities.copy()
    for at in silent:
        first, size = int(choices.first[at]), int(choices.sizes[at])
        for action in range(size):
            probabilities[first + action] = Fraction(int(action == best[at]))
    return Behaviour(found.tree, found.player, probabilities)


def _filled(found: Behaviour, others: Profile) -> Behaviour:
    tree, choices = found.tree, found.choices
    own = found.plan.weights.numerators[choices.before]
    start, nodes = tree.members
    number = choices.player
    chance = others.reach(nodes, without=number).numerators
    let = np.logical_or.reduceat(chance > 0, start[:-1])[choices.infosets] if len(nodes) else own
    best = others.responses[found.player].actions
    probabilities = found.probabilities.copy()
    for at in np.flatnonzero((own == 0) & let).tolist():
        first, size = int(choices.first[at]), int(choices.sizes[at])
        for action in range(size):
            probabilities[first + action] = Fraction(int(action == best[at]))
    return unchecked(tree, found.player, probabilities).with_plan(found.plan)


NONE_FOUND = "no equilibrium was found by then; this is play at random"
UNCHECKED = "that these are all is what the file says"
AMONG_MIXED = (
    "exact among mixed strategies: for a player who forgets whether it was there before,"
    " drawing anew each time may do better still (method behaviour)"
)


@dataclass(frozen=True, eq=False, repr=False)
class Solution:
    """A strategy for every player, with its proof.

    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> solution.value, solution.certificate
    (Fraction(-1, 18), 'exact')
    >>> solution.strategy["dealer"]["K, bet"]
    {'pass': Fraction(0, 1), 'bet': Fraction(1, 1)}
    """

    tree: Tree
    verified: Profile  # the strategies as they were found, from which all numbers are computed
    method: str
    because: str  # why this method
    work: Mapping[str, int] = field(default_factory=dict)  # counts: iterations, pivots, ...
    note: str = ""
    seconds: float = 0.0
    behavioural: bool = (
        False  # is regret measured against behaviour strategies, drawn at each visit?
    )
    equilibrium: bool = True  # is it meant to be one? max-min is not
    picked: int = 0  # the number that it had among several, if it was picked from them
    others: tuple[Profile, ...] = ()  # more equilibria, where a method finds several
    complete: bool = False  # are these all of the kind that the method finds?
    components: tuple[Component, ...] = ()  # how they hang together, if that was found out
    assessment: Assessment | None = None  # with beliefs at every information set, if it has them
    convergence: Convergence | None = None  # how its regret fell, if it was measured on the way

    @property
    def equilibria(self) -> tuple[Profile, ...]:
        """All that were found, each verified by itself; mostly one."""
        return (self.verified, *self.others)

    def pick(self, number: int) -> Solution:
        """One of several equilibria by its number, from 1 on, as a solution of its own."""
        whole = isinstance(number, int) and not isinstance(number, bool)
        if not whole or not 1 <= number <= len(self.equilibria):
            several = f"there are {len(self.equilibria):,}" if self.others else "there is only one"
            raise ParameterError(f"no equilibrium {number!r:.40}; {several}, counted from 1")
        chosen = self.equilibria[number - 1]
        kept = self.assessment if number == 1 else None
        return replace(
            self,
            verified=chosen,
            picked=number,
            others=(),
            complete=False,
            components=(),
            assessment=kept,
        )

    @cached_property
    def strategy(self) -> Mapping[str, Behaviour | Mixed]:
        """By player: what to do at each information set; a mixed strategy if only that will do."""
        found = {strategy.player: readable(strategy, self.verified) for strategy in self.verified}
        return MappingProxyType(_ByPlayer(self.tree, found))

    @cached_property
    def profile(self) -> Profile:
        """The strategies together: beliefs, values of actions, best responses."""
        return profile(self.strategy)

    @property
    def payoffs(self) -> dict[str, Any]:
        """What each player expects."""
        return self.verified.payoffs

    @property
    def value(self) -> Any:
        """What the first player gets, where the game has a value; None in games without one.

        Games of one player, and games of two whose payoffs always sum to the same, have one.
        """
        tree = self.tree
        if not self.equilibrium:
            return None
        if len(tree.players) > 2 or (len(tree.players) == 2 and not tree.constant_sum):
            return None
        return self.payoffs[tree.names[0]]

    @property
    def regrets(self) -> dict[str, Any]:
        """What each player could gain at most by playing otherwise."""
        if self._anew is None:
            return self.verified.regrets
        return {player: one.at_most for player, one in self._anew.items()}

    @property
    def regret(self) -> Any:
        """The largest regret; 0 exactly in equilibrium."""
        return max(self.regrets.values())

    @cached_property
    def _anew(self) -> Mapping[str, BehaviourRegret] | None:
        """By player: what another behaviour strategy could gain; None where pure ones say it all.

        They do unless somebody may come to one information set twice.
        """
        if not self.behavioural or not self.tree.absent_minded:
            return None
        from infoset.strategy.absentminded.response import behaviour_regrets

        return behaviour_regrets(self.verified)

    @property
    def exact(self) -> bool:
        """Is this an equilibrium, and all others too, proved in rational arithmetic?"""
        return self.proved and not self.regret and all(not one.regret for one in self.others)

    @property
    def proved(self) -> bool:
        """Do the regrets hold in rational arithmetic, all of them?"""
        if self._anew is not None:
            return all(one.proved for one in self._anew.values())
        return all(
            one.exact and all(response.how == "exact" for response in one.responses.values())
            for one in self.equilibria
        )

    @cached_property
    def sequential(self) -> Fact | None:
        """Are strategies and beliefs a sequential equilibrium? None where no beliefs are known."""
        if self.assessment is None:
            return None
        rational = is_sequentially_rational(self.assessment)
        if not rational:
            return rational
        if not self.assessment.trembles:
            by_bayes = follows_bayes(self.assessment)
            if not by_bayes:
                return by_bayes
            known = "beliefs follow Bayes' rule where plays come; elsewhere they were not checked"
            return Fact(True, f"{rational.because}; {known}")
        consistent = is_consistent(self.assessment)
        if not consistent:
            return consistent
        start, nodes = self.tree.members
        possible = self.tree.nature.numerators[nodes] > 0
        count = int(np.logical_or.reduceat(possible, start[:-1]).sum()) if len(nodes) else 0
        every = f"all {count:,} information sets" if count != 1 else "the one information set"
        return Fact(True, f"rational at {every}, with consistent beliefs")

    @property
    def certificate(self) -> str:
        """``"exact"``, or the regret that was proved."""
        if self.exact:
            return "exact"
        largest = max([self.regret, *(one.regret for one in self.others)])
        if not all(one.exact for one in self.equilibria):
            return f"regret about {decimal_near(largest, 6)}, computed in floats"
        how = "in rational arithmetic" if self.proved else "by integer programming, in floats"
        return f"regret at most {decimal_above(largest)}, proved {how}"

    @property
    def value_bounds(self) -> tuple[Any, Any] | None:
        """Where the value of the game lies for certain: what each player can be held to.

        Player two's strategy lets player one get at most the second number; player one's makes sure
        of the first. None for games that have no value.
        """
        if self.value is None:
            return None
        first, *others = (self.payoffs[player] + regret for player, regret in self.regrets.items())
        if not others:
            return (self.value, first)
        total = sum(stake[0] for stake in self.tree.leaf_payoffs)  # the same at every leaf
        return (total - others[0], first)

    def __repr__(self) -> str:
        return f"<Solution of {brief(self.tree.name)} by {self.method}: {self.certificate}>"

    def __str__(self) -> str:
        from infoset.display.show import solution_text

        return solution_text(self)

    def _repr_html_(self) -> str:
        from infoset.display.show import solution_html

        return solution_html(self)

    def table(
        self,
        player: str,
        *,
        where: str | Sequence[str] = (),
        fold: bool | None = None,
        rows: range | None = None,
    ) -> Sheet:
        """What a player does, grouped by what is public: a table for each public history.

        Beside the probabilities: how likely the player is there, what it then expects, and what it
        believes about what the others know. ``where`` keeps the information sets whose label has
        these texts in it, ``fold`` gives one line for each public history (the default where there
        are many), ``rows`` a page. The sheet shows itself, and has ``csv()``, ``latex()`` and
        ``save(file)``.

        >>> from infoset import solve
        >>> from infoset.games import kuhn
        >>> print(solve(kuhn()).table("gambler", where="K"))
        gambler
        <BLANKLINE>
        at the start
        private  pass          bet           reach  value  believes
        K        0             1 ████████      1/3    7/6  J: 1/2; Q: 1/2
        <BLANKLINE>
        after [pass], bet
        private  pass          bet           reach  value  believes
        K        0             1 ████████        0      2  J: 1
        """
        from infoset.display.show import solution_sheet

        return solution_sheet(self, player, where=where, fold=fold, rows=rows)

    def plot(
        self, player: str | None = None, file: str | Path | None = None, **options: Any
    ) -> Figure:
        """The probability of each action against what is private, a panel for each public history.

        Of one player or of all; written to a file if one is named (png, svg, pdf). Options:
        ``where`` as for :meth:`table`, ``kind`` ("lines", "bars", "areas"), ``theme`` ("light",
        "dark"), and ``most``, the number of panels. Gives a figure of matplotlib.
        """
        from infoset.display.show import plot

        return plot(self, player, file, **options)

    def draw(self, file: str | Path | None = None, **options: Any) -> Drawing:
        """The tree with what the players do in it; options as for :meth:`Tree.draw`."""
        from infoset.display.show import draw

        return draw(self, file, **options)

    def save(self, path: str | Path) -> None:
        """Write to a file; :meth:`load` reads it again."""
        from infoset.solvers.storage import save_solution

        save_solution(self, Path(path))

    @classmethod
    def load(cls, path: str | Path, game: Any) -> Solution:
        """Read a solution of this game from a file, and verify it again."""
        from infoset.solvers.storage import load_solution

        return load_solution(Path(path), game)


def conclude(tree: Tree, found: Found, method: str, because: str, options: Options) -> Solution:
    """Make a solution of what a solver found: verify it, and say how it was come by."""
    options.tell("verifying")
    late = options.seconds is not None and options.over()  # to check beliefs may take long
    solution = Solution(
        tree=tree,
        verified=profile(found.strategies),
        method=found.method or method,
        because=f"{method} was stopped" if found.method else because,
        work=MappingProxyType(dict(found.work)),
        note=found.note,
        seconds=0.0,
        behavioural=found.behavioural,
        equilibrium=found.equilibrium,
        others=tuple(profile(strategies) for strategies in found.others),
        complete=found.complete,
        components=found.components,
        assessment=None if late else found.assessment,
        convergence=found.convergence,
    )
    if found.behavioural and tree.absent_minded:
        from infoset.strategy.absentminded.response import behaviour_regrets

        # Proofs may take long: what they prove when time is over is a bound, too.
        solution.__dict__["_anew"] = behaviour_regrets(solution.verified, over=options.over)
    if solution.exact:  # and so it does not matter that something was stopped
        doubt = bool(tree.absent_minded) and not found.behavioural
        object.__setattr__(solution, "note", AMONG_MIXED if doubt else "")
    unchecked = "no time was left to check beliefs" if late and found.assessment else ""
    if found.remark or unchecked:
        parts = [part for part in (found.remark, solution.note, unchecked) if part]
        object.__setattr__(solution, "note", "; ".join(parts))
    if options.exact and not solution.exact and found.equilibrium:
        said = f" ({found.note})" if found.note else ""
        raise NotProved(
            f"{tree.name}: an exact answer was asked for, and {method} found none{said}; its answer"
            f" has a {solution.certificate}"
        )
    _ = solution.certificate, solution.sequential  # computed now: they are part of the time
    object.__setattr__(solution, "seconds", time.perf_counter() - options.began)
    return solution


class _ByPlayer(dict[str, Any]):
    """Strategies by player; a name that is none is answered with the names that are."""

    def __init__(self, tree: Tree, found: Mapping[str, Any]) -> None:
        super().__init__(found)
        self.tree = tree

    def __missing__(self, player: str) -> Any:
        self.tree.player_number(player)  # says which names there are
        raise KeyError(player)
