"""Whether beliefs support an equilibrium: three answers, each with its reason, all verified.

Sequential equilibria are weak perfect Bayesian equilibria, and these are Nash equilibria. So first
the completions that some beliefs make rational set by set are looked for (:mod:`.weak`), and for
each of these trembles whose limit supports it (:mod:`.consistent`). A positive answer comes with
the assessment, and is checked by the code that checks any assessment: sequential rationality,
Bayes' rule, consistency with the trembles, and that the strategies are those of the equilibrium. A
negative answer is proved: none of the systems of exact linear inequalities, one of which would have
to have a solution, has one. Anything else is not decided, and says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from infoset.errors import NotProved, StrategyError
from infoset.linear.numbers import Numbers
from infoset.strategy.assessment import (
    Assessment,
    Trembles,
    follows_bayes,
    is_consistent,
    is_sequentially_rational,
    perturbed_assessment,
)
from infoset.strategy.behaviour import Behaviour
from infoset.strategy.perfect_bayesian.consistent import Complete, Inconsistent, TrembleSearch
from infoset.strategy.perfect_bayesian.mixed import MixedSupports, TwoPlayers
from infoset.strategy.perfect_bayesian.rational import Ground, Played, continuation
from infoset.strategy.perfect_bayesian.weak import Beliefs, Completions
from infoset.strategy.profile import Profile, profile
from infoset.text import probability_text, text
from infoset.tree import Infoset

MOST_NODES = 5_000  # of a tree whose equilibria are examined
MOST_MOVES = 200  # levels of it, the leaves included
MOST_COMPLETIONS = 50  # for which trembles are looked for


@dataclass(frozen=True)
class Verdict:
    """Yes, no or not decided, with the reason; usable as a bool, true only for yes."""

    holds: bool | None  # None where it is not decided
    because: str
    infoset: Infoset | None = None  # where it fails

    def __bool__(self) -> bool:
        return self.holds is True

    def __str__(self) -> str:
        return f"{self.word}: {self.because}"

    @property
    def word(self) -> str:
        """``"yes"``, ``"no"`` or ``"not decided"``."""
        return {True: "yes", False: "no", None: "not decided"}[self.holds]


@dataclass(frozen=True, eq=False)
class Supporting:
    """Whether beliefs support an equilibrium, and which.

    Attributes
    ----------
    sequential : Verdict
        Is it a sequential equilibrium, with some consistent beliefs?
    weak_perfect_bayesian : Verdict
        Is it a weak perfect Bayesian equilibrium, with some beliefs?
    assessment : Assessment or None
        Strategies that say what is done everywhere, and beliefs that support them: those of a
        sequential equilibrium, with trembles, if it is one.
    nash : bool
        Is it a Nash equilibrium?
    """

    sequential: Verdict
    weak_perfect_bayesian: Verdict
    assessment: Assessment | None = None
    nash: bool = True

    @property
    def kind(self) -> str:
        """The strongest that is known, in a word or two."""
        if self.sequential:
            return "sequential"
        if self.weak_perfect_bayesian:
            strict = self.sequential.holds is False
            return "weak perfect Bayesian" if strict else "at least weak perfect Bayesian"
        if self.weak_perfect_bayesian.holds is None:
            return "not decided" if self.sequential.holds is None else "not sequential"
        return "Nash" if self.nash else "no equilibrium"

    def __str__(self) -> str:
        if self.sequential or self.weak_perfect_bayesian.holds is not True:
            return f"sequential equilibrium {self.sequential}"
        return f"sequential equilibrium {self.sequential}; weak perfect Bayesian equilibrium: yes"


def supporting(equilibrium: Profile, *, fixed: bool = False) -> Supporting:
    """Do beliefs exist that make an equilibrium sequential, or weakly perfect Bayesian?

    Parameters
    ----------
    equilibrium : Profile
        Exact strategies, of a game with perfect recall.
    fixed : bool
        Keep to what the strategies do everywhere. By default what a player does at information
        sets that its own strategy excludes does not matter: any behaviour there counts, since an
        equilibrium of the sequence form or of the reduced normal form says nothing about it.

    Returns
    -------
    Supporting
        Two verdicts, yes, no or not decided; and strategies with beliefs where one is yes.

    Raises
    ------
    StrategyError
        If this is no profile.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import beer_quiche, seltens_horse
    >>> [supporting(one).kind for one in solve(beer_quiche(), "enumerate").equilibria]
    ['sequential', 'sequential', 'sequential', 'sequential']
    >>> down = solve(seltens_horse(), "pure", most=9).equilibria[1]
    >>> print(supporting(down))
    sequential equilibrium no: at 'nothing yet' two gets 1, and 4 by 'down'
    """
    if not isinstance(equilibrium, Profile):
        raise StrategyError(f"{equilibrium!r:.60} is not a profile; profile(strategies) makes one")
    refused = not_examined(equilibrium)
    if refused:
        return Supporting(Verdict(None, refused), Verdict(None, refused))
    return _Support(equilibrium, fixed).found()


def not_examined(equilibrium: Profile) -> str:
    """Why an equilibrium is not examined; empty if it is."""
    tree = equilibrium.tree
    if not tree.perfect_recall:
        return f"beliefs are examined with perfect recall only, and {tree.perfect_recall.because}"
    if not equilibrium.exact:
        return "the strategies are floats, and only exact ones are examined"
    if len(tree) > MOST_NODES:
        return f"the tree has {len(tree):,} nodes, and up to {MOST_NODES:,} are examined"
    if len(tree.levels) > MOST_MOVES:
        moves = f"plays have up to {len(tree.levels) - 1:,} moves"
        return f"{moves}, and up to {MOST_MOVES - 1:,} are examined"
    return ""


class _Support:
    """The search for one equilibrium."""

    def __init__(self, given: Profile, fixed: bool) -> None:
        self.given, self.tree = given, given.tree
        self.ground = Ground(given.tree)
        self.weak, self.consistent = (
            Completions(self.ground, given, fixed=fixed, consistent=strict)
            for strict in (False, True)
        )
        self.failed: Inconsistent | None = None  # what excluded the last completion

    def found(self) -> Supporting:
        sequential, found = self._sequential()
        if found is not None:
            return Supporting(
                sequential, Verdict(True, "as every sequential equilibrium is"), found
            )
        weak, found = self._weak()
        nash = not self.given.regret
        return Supporting(weak if weak.holds is False else sequential, weak, found, nash)

    def _weak(self) -> tuple[Verdict, Assessment | None]:
        """The first completion that some beliefs make rational."""
        try:
            for played, beliefs in self.weak:
                found = self._checked(self._assessment(played, beliefs))
                return Verdict(True, _words(found)), found
            if self.weak.failed is None and not self.weak.exhaustive:
                for _ in MixedSupports(self.weak):
                    return Verdict(None, MIXED), None
        except NotProved as problem:
            return Verdict(None, str(problem)), None
        return self._none_rational(self.weak), None

    def _sequential(self) -> tuple[Verdict, Assessment | None]:
        """The first completion with trembles that support it."""
        doubt = ""
        try:
            for count, played in enumerate(self._complete()):
                if count == MOST_COMPLETIONS:
                    raise NotProved(f"more than {MOST_COMPLETIONS} ways to play off the path")
                trembles = TrembleSearch(self.ground, played).find()
                if isinstance(trembles, tuple):
                    found = self._sequential_assessment(trembles)
                    return Verdict(True, _words(found)), found
                if isinstance(trembles, Inconsistent):
                    self.failed = trembles
                else:
                    doubt = LINKED
        except NotProved as problem:
            doubt = str(problem)
        return Verdict(None, doubt) if doubt else self._not_sequential(), None

    def _complete(self) -> Iterator[Complete]:
        """Complete behaviour that may be sequential: pure off the path, then mixed there.

        Raises
        ------
        NotProved
            If there may be more of it.
        """
        for played, _ in self.consistent:
            yield {at: row for at, row in played.items() if row is not None}
        if self.consistent.failed is not None or self.consistent.exhaustive:
            return
        for count, supports in enumerate(MixedSupports(self.consistent)):
            if len(self.tree.names) > 2:
                raise NotProved(MIXED)
            if count == MOST_COMPLETIONS:
                raise NotProved("there are too many ways to mix off the path of play")
            mixed = TwoPlayers(self.ground, self.consistent.played, supports).completed()
            if mixed is not None:
                yield mixed
                raise NotProved(LINKED)  # these supports may have other probabilities

    def _none_rational(self, tried: Completions) -> Verdict:
        """Why no completion is rational, set by set."""
        if tried.failed is not None:
            place = self.tree.infosets[tried.failed]
            return Verdict(False, self._why(tried, place), place)
        place = self.tree.infosets[tried.rejected]
        words = self._played_words(tried, place)
        return Verdict(
            False,
            f"whatever is done and believed off the path of play, it fails, as at {place.name} of"
            f" {place.player}: {words} is not optimal",
            place,
        )

    def _not_sequential(self) -> Verdict:
        if self.failed is None:
            return self._none_rational(self.consistent)
        place = self.tree.infosets[self.failed.infoset]
        where = f"at {place.name} {place.player}'s choice is not optimal"
        if self.failed.forced:
            return Verdict(False, f"{where} with the only consistent belief", place)
        if self.failed.together:
            where = f"at {place.name} and before, choices are not optimal together"
        return Verdict(False, f"{where} with any consistent beliefs", place)

    def _why(self, tried: Completions, place: Infoset) -> str:
        """Why a set is not rational: the amounts if the belief is known, else what is played."""
        ground, at = self.ground, place.index
        found = continuation(ground, at, tried.played)
        belief = tried.known_belief(at)
        if belief is not None:
            own, best, first = found.values(belief, ground.sizes)
            least = min(self.tree.leaf_payoffs[ground.mover[at]].values())
            amounts = f"{probability_text(own + least)}, and {probability_text(best + least)}"
            action = text(place.actions[first])
            return f"at {place.name} {place.player} gets {amounts} by {action!r}"
        words = self._played_words(tried, place)
        return f"at {place.name} no belief makes {words} optimal for {place.player}"

    def _played_words(self, tried: Completions, place: Infoset) -> str:
        """What the equilibrium plays at a set."""
        row = tried.played[place.index]
        if row is None:  # open: no action is optimal with what others do
            return "any action"
        does = [text(action) for action, share in zip(place.actions, row, strict=True) if share]
        return " and ".join(map(repr, does))

    # ------------------------------------------------------------------ assessments

    def _assessment(self, played: Played, beliefs: Beliefs) -> Assessment:
        """Strategies and beliefs as an assessment; where chance never comes, anything."""
        tree, strategies = self.tree, []
        for player, choices in zip(tree.names, tree.choices, strict=True):
            probabilities = [Fraction(1)]
            for at, size in zip(choices.infosets.tolist(), choices.sizes.tolist(), strict=True):
                probabilities += played[at] or [Fraction(1, size)] * size
            strategies.append(Behaviour(tree, player, np.array(probabilities, object)))
        told = []
        for infoset in tree.infosets:
            own = dict(
                zip(self.ground.nodes[infoset.index], beliefs.get(infoset.index, ()), strict=True)
            )
            even = Fraction(0) if own else Fraction(1, len(infoset))
            told.append(Numbers.of(own.get(node, even) for node in infoset.node_indices.tolist()))
        return Assessment(profile(strategies), tuple(told))

    def _checked(self, found: Assessment) -> Assessment:
        """An assessment that is rational, follows Bayes' rule, and plays the equilibrium."""
        for fact in (is_sequentially_rational(found), follows_bayes(found)):
            if not fact:
                raise NotProved(f"the beliefs that were found do not stand the check: {fact}")
        if not self._plays_it(found):
            raise NotProved("the strategies that were found are not those of the equilibrium")
        return found

    def _sequential_assessment(self, trembles: tuple[Trembles, ...]) -> Assessment:
        found = self._checked(perturbed_assessment(trembles))
        consistent = is_consistent(found)
        if not consistent:
            raise NotProved(f"the trembles that were found do not stand the check: {consistent}")
        return found

    def _plays_it(self, found: Assessment) -> bool:
        """Does it reach everything as the equilibrium does?"""
        nodes = np.arange(len(self.tree))
        return all(
            one.at(nodes).values() == two.at(nodes).values()
            for one, two in zip(found.profile, self.given, strict=True)
        )


MIXED = "no pure behaviour off the path of play supports it; mixed behaviour there might"
LINKED = "beliefs at several information sets depend on each other"


def _words(found: Assessment) -> str:
    """Where beliefs were needed, in a sentence."""
    open_sets = [
        infoset
        for infoset, implied in zip(found.tree.infosets, found.profile.all_beliefs, strict=True)
        if implied is None and len(infoset) > 1
    ]
    consistent = "consistent beliefs" if found.trembles else "beliefs"
    if not open_sets:
        return "beliefs follow from the strategies by Bayes' rule"
    names = ", ".join(f"{one.name} of {one.player}" for one in open_sets[:3])
    more = f" and {len(open_sets) - 3:,} more" if len(open_sets) > 3 else ""
    return f"with {consistent} at {names}{more}"
