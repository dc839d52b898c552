"""Strategies evaluated on one representation of a game: what every solution rests on.

A game may be held as a tree, as a public form, or only as positions that are walked. Whatever
represents it, a profile of strategies has payoffs, regrets, and a probability for each action at
each information set. :class:`Evaluation` is that much; :class:`~infoset.solvers.solution.Solution`
is an evaluation together with how it was found. The evaluations:

    TreeEvaluation      a profile on a tree, with any further equilibria and beliefs
    PublicEvaluation    two realization plans on a public form     (solvers/public_solution.py)
    SampledEvaluation   average strategies over visited positions  (solvers/sampling/result.py)
    SearchEvaluation    decisions that are searched when asked for (search/result.py)
    JointEvaluation     a lottery over profiles of pure strategies (solvers/correlated/solver.py)

No evaluation takes a solver's word for its regret: it is computed from the game and the strategies
alone, in rational arithmetic where the representation allows it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import InfosetError, NotApplicable, ParameterError, TooLarge, nearest
from infoset.linear.numbers import Number
from infoset.strategy import Behaviour, Mixed, Profile, Pure, Strategy, as_behaviour, profile
from infoset.strategy.assessment import follows_bayes, is_consistent, is_sequentially_rational
from infoset.strategy.behaviour import unchecked
from infoset.text import brief, decimal_above, decimal_near
from infoset.tree import Tree
from infoset.tree.facts import Fact
from infoset.tree.views import Views

if TYPE_CHECKING:
    from infoset.rules import Position
    from infoset.solvers.components import Component
    from infoset.strategy.absentminded.response import BehaviourRegret
    from infoset.strategy.assessment import Assessment
    from infoset.strategy.perfect_bayesian import Supporting

Probabilities = Mapping[Hashable, Number]  # of the actions at an information set

MOST_EXAMINED = 200  # equilibria of one solution whose supporting beliefs are looked for


def mover_at(name: str, position: Position, player: str | None) -> str:
    """The player who is asked about at a position; it may be left out where only one moves."""
    if not hasattr(position, "movers"):
        raise ParameterError(
            f"{name}: {position!r:.60} is no position; game.position() is the first one, and"
            " after(move) leads to the next"
        )
    movers = position.movers
    if player in movers:
        return player
    if player is None and len(movers) == 1:
        return movers[0]
    if not movers:
        why = "the play is over" if position.over else "chance moves"
        raise InfosetError(f"{name}: {why} at {position!r:.80}; ask where a player moves")
    if player is None:
        raise InfosetError(
            f"{name}: {' and '.join(movers)} move at once at {position!r:.80}; name one of them,"
            f" as in at(position, {movers[0]!r})"
        )
    said = nearest(player, movers)
    raise InfosetError(f"{name}: {player!r} does not move at {position!r:.80}; {said}")


class Evaluation(ABC):
    """Strategies of all players on one representation of a game, and what they come to.

    Subclasses say what is common to all of them; what only one kind has (the information sets that
    sampling visited, the lottery of a correlated equilibrium) are attributes of their own.
    """

    kind: str  # what represents the game, for messages and files
    alternative: str = "strategy, table, plot and csv need no tree"  # where the tree is too large
    equilibrium: bool = True  # is it meant to be one? A max-min strategy is not

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {brief(self.name)}: {self.certificate}>"

    @property
    @abstractmethod
    def name(self) -> str:
        """The game's name, with its parameters."""

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The players' names, in order."""

    @property
    @abstractmethod
    def payoffs(self) -> dict[str, Number]:
        """By player: its expected payoff."""

    @property
    @abstractmethod
    def regrets(self) -> dict[str, Number]:
        """By player: the most that it could gain by another strategy of its own."""

    @property
    def exploitability(self) -> Number:
        """The sum of all regrets."""
        first, *others = self.regrets.values()
        for regret in others:
            first = first + regret
        return first

    @property
    @abstractmethod
    def value(self) -> Number | None:
        """The first player's payoff where the game has a value, else None."""

    @property
    @abstractmethod
    def value_bounds(self) -> tuple[Number, Number] | None:
        """Two numbers between which the value lies; None where the game has no value."""

    @property
    @abstractmethod
    def strategy(self) -> Mapping[str, Mapping[str, Probabilities]]:
        """By player, by the label of an information set: the probability of each action."""

    @property
    @abstractmethod
    def exact(self) -> bool:
        """Is this an equilibrium, proved in rational arithmetic?"""

    @property
    @abstractmethod
    def proved(self) -> bool:
        """Are the regrets computed in rational arithmetic?"""

    @property
    @abstractmethod
    def certificate(self) -> str:
        """``"exact"``, or the regret and how it is known."""

    @abstractmethod
    def tree_evaluation(self) -> TreeEvaluation:
        """The same strategies on the game's tree, which is built if need be.

        Raises
        ------
        TooLarge
            If the tree has too many nodes.
        NotApplicable
            If the strategies are no profile: a correlated equilibrium is a joint distribution.

        """

    def with_game(self, game: Any) -> Evaluation:
        """The same, told which game it is of, where it does not know that."""
        return self

    def decide(self, position: Position | None = None) -> dict[str, dict[Hashable, Number]]:
        """What the players to move do at a position."""
        movers = () if position is None else position.movers
        kinds = [self.strategy[mover] for mover in movers if mover in self.players]
        if position is None or len(kinds) < len(movers) or any(isinstance(k, Mixed) for k in kinds):
            raise NotApplicable(
                f"{self.name}: a solution on a {self.kind} has no start to decide at, and none for"
                " agents of a team or mixed plans; give a position, or use strategy[player][label]"
            )
        views = {mover: position.view(mover) for mover in movers}
        return {
            mover: dict(self.strategy[mover][view])  # type: ignore[index]
            for mover, view in views.items()
        }

    def at(self, position: Position, player: str | None = None) -> dict[Hashable, Number]:
        """What one player does at a position; it may be left out where only one moves."""
        mover = mover_at(self.name, position, player)
        return self.decide(position)[mover]

    def feasible_tree(self) -> TreeEvaluation:
        """The same, with an error that names what works without the tree."""
        try:
            return self.tree_evaluation()
        except TooLarge as problem:
            raise NotApplicable(f"{problem}; {self.alternative}") from None


class EvaluationOnTree(Evaluation):
    """One that holds the game's tree, and names what the tree names."""

    tree: Tree

    @property
    def name(self) -> str:
        """The tree's name."""
        return self.tree.name

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in order."""
        return self.tree.names


@dataclass(frozen=True, eq=False, repr=False)
class TreeEvaluation(EvaluationOnTree):
    """A profile of strategies on a tree, and further ones where a method finds several."""

    kind = "tree"
    tree: Tree
    verified: Profile  # the strategies as they were found, from which all numbers are computed
    others: tuple[Profile, ...] = ()  # more equilibria, where a method finds several
    complete: bool = False  # are these all of the kind that the method finds?
    components: tuple[Component, ...] = ()  # connected sets of equilibria, where known
    assessment: Assessment | None = None  # with beliefs at every information set, where known
    behavioural: bool = False  # is regret measured against behaviour strategies?
    equilibrium: bool = True
    picked: int = 0  # the number that it had among several, if it was picked from them

    @property
    def equilibria(self) -> tuple[Profile, ...]:
        """All that were found, each verified by itself; usually one."""
        return (self.verified, *self.others)

    @cached_property
    def strategy(self) -> Mapping[str, Behaviour | Mixed]:  # type: ignore[override]
        """By player: a behaviour strategy; a mixed one where no behaviour strategy is equivalent.

        Where a player's own strategy never leads to an information set, a best response is filled
        in, so that every probability is one that a reader can act on.
        """
        found = {strategy.player: readable(strategy, self.verified) for strategy in self.verified}
        return MappingProxyType(_ByPlayer(self.tree, found))

    @cached_property
    def profile(self) -> Profile:
        """The strategies together: beliefs, values of actions, best responses."""
        return profile(self.strategy)

    @property
    def payoffs(self) -> dict[str, Number]:
        """By player: its expected payoff."""
        return self.verified.payoffs

    @property
    def value(self) -> Number | None:
        """The first player's payoff, in equilibria of one player or of two with constant sum."""
        players = len(self.players)
        if not self.equilibrium or players > 2 or (players == 2 and not self.tree.constant_sum):
            return None
        return self.payoffs[self.players[0]]

    @property
    def value_bounds(self) -> tuple[Number, Number] | None:
        """What player one's strategy guarantees, and what player two's concedes at most."""
        if self.value is None:
            return None
        first, *others = (self.payoffs[player] + regret for player, regret in self.regrets.items())
        if not others:
            return (self.value, first)
        total = sum(own[0] for own in self.tree.leaf_payoffs)  # the same at every leaf
        return (total - others[0], first)

    @property
    def regrets(self) -> dict[str, Number]:
        """By player: the most that it could gain by another strategy of its own."""
        if self.behaviour_regrets is None:
            return self.verified.regrets
        return {player: one.at_most for player, one in self.behaviour_regrets.items()}

    @cached_property
    def behaviour_regrets(self) -> Mapping[str, BehaviourRegret] | None:
        """By player: what another behaviour strategy could gain; None where pure ones suffice.

        They do unless a player may come to one information set twice in a play.
        """
        if not self.behavioural or not self.tree.absent_minded:
            return None
        from infoset.strategy.absentminded.response import behaviour_regrets

        return behaviour_regrets(self.verified)

    @property
    def exact(self) -> bool:
        """Are this and all further equilibria proved in rational arithmetic?"""
        best = not max(self.regrets.values()) and all(not one.regret for one in self.others)
        return self.proved and best

    @property
    def proved(self) -> bool:
        """Are all regrets computed in rational arithmetic?"""
        if self.behaviour_regrets is not None:
            return all(one.proved for one in self.behaviour_regrets.values())
        return all(
            one.exact and all(response.how == "exact" for response in one.responses.values())
            for one in self.equilibria
        )

    @property
    def certificate(self) -> str:
        """``"exact"``, or the largest regret and how it is known."""
        if self.exact:
            return "exact"
        largest = max([*self.regrets.values(), *(one.regret for one in self.others)])
        if not all(one.exact for one in self.equilibria):
            return f"regret about {decimal_near(largest, 6)}, computed in floats"
        how = "in rational arithmetic" if self.proved else "by integer programming, in floats"
        return f"regret at most {decimal_above(largest)}, proved {how}"

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
            known = "beliefs follow Bayes' rule on the path of play; elsewhere they are not checked"
            return Fact(True, f"{rational.because}; {known}")
        consistent = is_consistent(self.assessment)
        if not consistent:
            return consistent
        start, nodes = self.tree.members
        possible = self.tree.chance_reach.numerators[nodes] > 0
        count = int(np.logical_or.reduceat(possible, start[:-1]).sum()) if len(nodes) else 0
        every = f"all {count:,} information sets" if count != 1 else "the one information set"
        return Fact(True, f"rational at {every}, with consistent beliefs")

    @cached_property
    def supporting(self) -> Sequence[Supporting]:
        """[equilibrium] whether beliefs support it; examined when it is looked at, and once."""
        from infoset.strategy.perfect_bayesian import Supporting, Verdict, supporting

        @cache
        def examined(at: int) -> Supporting:
            if at < MOST_EXAMINED:
                return supporting(self.equilibria[at])
            many = f"{MOST_EXAMINED:,} equilibria are examined, and this has number {at + 1:,}"
            not_decided = Verdict(None, f"{many}; pick({at + 1}) examines it alone")
            return Supporting(not_decided, not_decided)

        return Views(examined, len(self.equilibria))

    def tree_evaluation(self) -> TreeEvaluation:
        """Itself."""
        return self


class PositionEvaluation(Evaluation):
    """Strategies over positions that are walked: what needs the tree is computed on it, lazily."""

    @abstractmethod
    def build_tree(self) -> Tree:
        """The game's tree."""

    @abstractmethod
    def placed_on(self, tree: Tree) -> tuple[Strategy, ...]:
        """A strategy for every player of the tree."""

    @property
    def regrets(self) -> dict[str, Number]:
        """By player: the most that it could gain, computed on the tree."""
        return self.feasible_tree().regrets

    @property
    def exact(self) -> bool:
        """Has the tree been built, and is it proved there that this is an equilibrium?"""
        return self.verified is not None and self.verified.exact

    @property
    def proved(self) -> bool:
        """Has the tree been built, and are regrets computed in rational arithmetic there?"""
        return self.verified is not None and self.verified.proved

    @property
    def verified(self) -> TreeEvaluation | None:
        """The evaluation on the tree, once that has been built; None before."""
        return self.__dict__.get("_on_tree")

    @cached_property
    def _on_tree(self) -> TreeEvaluation:
        tree = self.build_tree()
        return TreeEvaluation(tree, profile(self.placed_on(tree)))

    def tree_evaluation(self) -> TreeEvaluation:
        """The same strategies on the tree, which is built once."""
        return self._on_tree

    def with_game(self, game: Any) -> Evaluation:
        """The same, on a tree that is already there."""
        made = copy(self)
        if isinstance(game, Tree):
            made.__dict__["_on_tree"] = TreeEvaluation(game, profile(self.placed_on(game)))
        return made


class _ByPlayer(dict[str, Any]):
    """Strategies by player; an unknown name is answered with the names that there are."""

    def __init__(self, tree: Tree, found: Mapping[str, Any]) -> None:
        super().__init__(found)
        self.tree = tree

    def __missing__(self, player: str) -> Any:
        self.tree.player_number(player)  # raises an error that lists the players
        raise KeyError(player)


# ---------------------------------------------------------------------- strategies for people


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
