"""Assessments: a strategy for every player, and beliefs at every information set.

Where a play comes, beliefs follow from the strategies by Bayes' rule. Where none comes they do not,
and yet what is sensible there depends on them; so a refined equilibrium is a pair, strategies and
beliefs (Kreps & Wilson 1982). Two things can be asked of such a pair:

    sequentially rational   at every information set, reached or not, the player to move does as
                            well as it can from there on, given what it believes and what the
                            others do (:mod:`infoset.strategy.rationality`)
    consistent              strategies and beliefs are the limit of strategies that play every
                            action, and of what Bayes' rule says of those

Consistency speaks of *some* sequence of strategies. Methods that perturb a game have one, and hand
it over: the players' *trembles*, weights that are polynomials in ε and positive for all small ε > 0
(:mod:`infoset.strategy.trembles`). Then consistency is checked in full, by comparing lowest powers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import NotApplicable, StrategyError
from infoset.linear.numbers import Numbers
from infoset.rules.story import brief
from infoset.strategy.kuhn import as_behaviour
from infoset.strategy.profile import Profile, profile
from infoset.strategy.strategy import Strategy, given_probability
from infoset.strategy.trembles import Trembles, limit_beliefs, limit_shares
from infoset.tree import Infoset, Node, Tree
from infoset.tree.facts import Fact


@dataclass(frozen=True, eq=False, repr=False)
class Assessment:
    """Behaviour strategies of all players, and what each believes at each information set.

    >>> from infoset.games import seltens_horse
    >>> from infoset.strategy import behaviour
    >>> tree = seltens_horse().tree()
    >>> said = {"one": "across", "two": "across", "three": "R"}
    >>> players = [behaviour(tree, player, {tree.infosets_of(player)[0]: {action: 1}})
    ...     for player, action in said.items()]
    >>> three = tree.infosets_of("three")[0]
    >>> horse = assessment(players, {three: [Fraction(1, 4), Fraction(3, 4)]})
    >>> horse.belief(three)
    [Fraction(1, 4), Fraction(3, 4)]
    """

    profile: Profile  # of behaviour strategies
    beliefs: tuple[Numbers, ...]  # [information set] of its nodes, in their order
    trembles: tuple[Trembles, ...] = ()  # [player] what they are the limit of, where that is known

    @property
    def tree(self) -> Tree:
        """The game."""
        return self.profile.tree

    def belief(self, infoset: Infoset) -> list[Any]:
        """How likely each node of an information set is to the player who is there."""
        if not isinstance(infoset, Infoset) or infoset.tree is not self.tree:
            raise StrategyError(f"{infoset!r} is no information set of {self.tree.name}")
        return self.beliefs[infoset.index].values()

    def __iter__(self) -> Iterator[Strategy]:
        """The strategies, in the order of the players."""
        return iter(self.profile)

    def __repr__(self) -> str:
        known = "known trembles" if self.trembles else "beliefs as given"
        return f"<Assessment of {brief(self.tree.name)}: {known}>"


def assessment(
    strategies: Mapping[str, Strategy] | Any,
    beliefs: Mapping[Infoset, Mapping[Node, Any] | Sequence[Any]] | None = None,
) -> Assessment:
    """Strategies with beliefs; where none are given, those that Bayes' rule implies.

    ``beliefs`` are by information set: a probability for each of its nodes, in order or by node.
    Where a set is not reached and has several nodes, they must be given.
    """
    strategies = getattr(strategies, "strategy", strategies)  # of a solution
    given = strategies if isinstance(strategies, Profile) else profile(strategies)
    together = profile(as_behaviour(strategy) for strategy in given)
    tree = together.tree
    said = {}
    if beliefs is not None and not isinstance(beliefs, Mapping):
        raise StrategyError(f"{tree.name}: beliefs are by information set, not {beliefs!r:.60}")
    for place, probabilities in (beliefs or {}).items():
        if not isinstance(place, Infoset) or place.tree is not tree:
            raise StrategyError(f"{place!r:.60} is no information set of {tree.name}")
        said[place.index] = _read(place, probabilities)
    start, nodes = tree.members
    reach = together.reach(nodes)
    made = []
    for infoset in tree.infosets:
        own = slice(int(start[infoset.index]), int(start[infoset.index + 1]))
        implied = _normalized(reach.numerators[own])
        found = said.get(infoset.index, implied)
        if found is None and own.stop - own.start > 1:
            raise StrategyError(
                f"{tree.name}: no play comes to {infoset.name} of {infoset.player}, so"
                f" that its beliefs must be given: {own.stop - own.start} probabilities"
            )
        made.append(found if found is not None else Numbers.of([1]))
    return Assessment(together, tuple(made))


def _read(infoset: Infoset, given: Mapping[Node, Any] | Sequence[Any]) -> Numbers:
    nodes, where = list(infoset.nodes), f"{infoset.tree.name}: beliefs at {infoset.name}"
    if isinstance(given, Mapping):
        place = {node.index: at for at, node in enumerate(nodes)}
        values: list[Any] = [Fraction(0)] * len(nodes)
        for node, probability in given.items():
            number = node.index if isinstance(node, Node) else node
            if number not in place:
                raise StrategyError(f"{where}: {node!r} is no node of this information set")
            values[place[number]] = given_probability(probability, where)
    elif isinstance(given, Iterable):
        values = [given_probability(probability, where) for probability in given]
    else:
        raise StrategyError(f"{where}: a probability for each node, not {given!r:.60}")
    if len(values) != len(nodes):
        raise StrategyError(f"{where}: {len(values)} probabilities for {len(nodes)} nodes")
    if min(values) < 0 or sum(values) != 1:
        raise StrategyError(f"{where}: they must be 0 or more and sum to 1, not to {sum(values)}")
    return Numbers.of(values)


def _normalized(weights: Any) -> Numbers | None:
    total = weights.sum() if weights.dtype == np.float64 else sum(map(int, weights))
    if not total:
        return None
    if weights.dtype == np.float64:
        return Numbers(weights / total)
    return Numbers(weights, int(total)).lowest()


def perturbed_assessment(trembles: Sequence[Trembles]) -> Assessment:
    """The limit of trembling strategies, as ε goes to 0, with the beliefs that go with it."""
    tree = trembles[0].tree
    together = profile(limit_shares(own) for own in trembles)
    return Assessment(together, limit_beliefs(tree, trembles), tuple(trembles))


def is_consistent(given: Assessment) -> Fact:
    """Are strategies and beliefs the limit of strategies that play everything, and Bayes' rule?

    Where a set is reached, Bayes' rule decides. Elsewhere the trembles do, if they are known; else
    this cannot be told here, and is refused.
    """
    given = checked(given)
    tree = given.tree
    by_bayes = follows_bayes(given)
    if not by_bayes:
        return by_bayes
    start, nodes = tree.members
    reached = np.add.reduceat(given.profile.reach(nodes).numerators, start[:-1]) > 0
    open_sets = [
        infoset
        for infoset, comes in zip(tree.infosets, reached.tolist(), strict=True)
        if not comes and len(infoset) > 1
    ]
    if not given.trembles:
        if open_sets:
            raise NotApplicable(
                f"{tree.name}: no play comes to {open_sets[0].name} of"
                f" {open_sets[0].player}, and no trembles are known that would say what to believe"
                " there; quasi-perfect hands them over"
            )
        return Fact(True, "every information set with several nodes is reached, as Bayes says")
    return _is_limit(given)


def follows_bayes(given: Assessment) -> Fact:
    """Are beliefs those that the strategies imply, at every set that a play comes to?"""
    tree = given.tree
    start, nodes = tree.members
    reach = given.profile.reach(nodes)
    for infoset in tree.infosets:
        own = slice(int(start[infoset.index]), int(start[infoset.index + 1]))
        implied = _normalized(reach.numerators[own])
        if implied is not None and not _same(implied, given.beliefs[infoset.index]):
            return _failing(infoset, "Bayes' rule says otherwise")
    return Fact(True, "beliefs follow Bayes' rule at every set that a play comes to")


def checked(given: Any) -> Assessment:
    """An assessment, or that of a solution which has one; anything else is refused."""
    found = given if isinstance(given, Assessment) else getattr(given, "assessment", None)
    if not isinstance(found, Assessment):
        raise StrategyError(
            f"{given!r:.60} has no beliefs; assessment(strategies, beliefs) adds them, and"
            " quasi-perfect finds both"
        )
    return found


def _is_limit(given: Assessment) -> Fact:
    """Do strategies and beliefs follow from the trembles?"""
    tree = given.tree
    for own, strategy in zip(given.trembles, given.profile, strict=True):
        flaw = own.flaw
        if flaw:
            return Fact(False, f"the trembles of {own.player} are no strategies: {flaw}")
        limit, played = limit_shares(own), as_behaviour(strategy)
        wrong = np.flatnonzero(limit.shares != played.shares)
        if len(wrong):
            place = tree.infosets[int(own.choices.infosets[own.choices.owner[wrong[0]]])]
            return _failing(place, "the strategy is not the limit of the trembles")
    for infoset, belief in zip(tree.infosets, limit_beliefs(tree, given.trembles), strict=True):
        if not _same(belief, given.beliefs[infoset.index]):
            return _failing(infoset, "the beliefs are not the limit of what the trembles imply")
    return Fact(True, "strategies and beliefs are the limit of strategies that play every action")


def _failing(infoset: Infoset, why: str) -> Fact:
    return Fact(False, f"at {infoset.name} of {infoset.player}: {why}", tuple(infoset.nodes))


def _same(one: Numbers, two: Numbers) -> bool:
    return one.values() == two.values()
