"""Assessments: a strategy for every player, and beliefs at every information set.

Where an information set is reached, beliefs follow from the strategies by Bayes' rule. Elsewhere
they do not, and yet what is rational there depends on them; so a refined equilibrium is a pair,
strategies and beliefs (Kreps & Wilson 1982). It may be

    sequentially rational   at every information set, reached or not, the player's continuation is
                            a best response, given its beliefs and the others' strategies
    consistent              strategies and beliefs are the limit of strategies that play every
                            action, and of the beliefs that Bayes' rule gives these

*Trembles.* Consistency requires that *some* such sequence of strategies exists. Methods that
perturb a game have one: a player's realization weights x(ε) = x⁰ + x¹ ε + x² ε² + …, one vector for
each power. They are a strategy for all small ε > 0 if E x⁰ = e, E xᵏ = 0 for k > 0, and of every
sequence the first coefficient that is not zero is positive. As ε goes to 0 everything is decided by
these leading terms, c ε^k: the leading term of a product is the product of leading terms, and of a
sum those with the lowest power remain. So limits of conditional probabilities are exact, and
consistency is checked in full.

*Sequential rationality.* From an information set on, chance and the others follow their strategies,
and the player may choose again at this set and at all of its own sets below it. The assessment is
sequentially rational if no such continuation has a higher value, by the player's beliefs at the
set, than its strategy (Kreps & Wilson 1982). Whether the set is reached does not matter.

1. Put the beliefs on the nodes of the set, and follow chance and the others down to the leaves. The
   payoff of a leaf, times its probability, is earned by the last own choice above it.
2. Own sets below, last ones first: the value of a choice is what it earns plus the values of the
sets
   after it; the value of a set is that of its best choice, or the average by the strategy.

With perfect recall each own set below is below one choice only, so that one pass suffices.
Comparing whole continuations, and not only one action at a time, makes the check right for any
beliefs; for consistent beliefs the two are the same. All in rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.clock import look
from infoset.errors import NotApplicable, StrategyError
from infoset.linear.numbers import Numbers
from infoset.rules.moves import LEAF
from infoset.strategy.behaviour import Behaviour, flaw
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.profile import Profile, profile
from infoset.strategy.strategy import Strategy, given_probability
from infoset.text import brief, probability_text, text
from infoset.tree import Infoset, Node, Tree
from infoset.tree.choices import Choices
from infoset.tree.facts import Fact

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class Trembles:
    """One player's weights as polynomials: ``powers[k]`` has the coefficients of ε^k.

    >>> from infoset.games import matching_pennies
    >>> tree = matching_pennies().tree()
    >>> slip = Trembles(tree, tree.names[0], (Numbers.of([1, 1, 0]), Numbers.of([0, -1, 1])))
    >>> slip.flaw, slip.lowest.tolist()
    ('', [0, 0, 1])
    """

    tree: Tree
    player: str
    powers: tuple[Numbers, ...]

    def __post_init__(self) -> None:
        for weights in self.powers:
            if len(weights) != len(self.choices):
                raise StrategyError(
                    f"{self.tree.name}: {self.player}: {len(weights)} weights for"
                    f" {len(self.choices)} sequences"
                )

    def __repr__(self) -> str:
        return f"<Trembles of {self.player}: powers of ε up to {len(self.powers) - 1}>"

    @property
    def choices(self) -> Choices:
        """The player's choices, numbered."""
        return self.tree.choices[self.tree.player_number(self.player)]

    @cached_property
    def lowest(self) -> Longs:
        """[sequence] the lowest power of ε in its weight; one beyond the last if it has none."""
        found = np.full(len(self.choices), len(self.powers), np.int64)
        for power in range(len(self.powers) - 1, -1, -1):
            found[self.powers[power].numerators != 0] = power
        return found

    @cached_property
    def leading(self) -> list[Fraction]:
        """[sequence] the coefficient of that power; 0 if there is none."""
        beyond = len(self.powers)
        return [
            self.powers[power][sequence] if power < beyond else Fraction(0)
            for sequence, power in enumerate(self.lowest.tolist())
        ]

    @cached_property
    def flaw(self) -> str:
        """Why these are not strategies that play every action; empty if they are."""
        for sequence, coefficient in enumerate(self.leading):
            if coefficient <= 0:
                return f"the weight of {self.choices.labels[sequence]!r} is not positive"
        # E x(ε) = e is linear: it holds for all ε exactly if it does power by power.
        choices, groups = self.choices, self.choices.owner[1:]
        for power, weights in enumerate(self.powers):
            if not power:
                told = flaw(choices, weights)
                if told:
                    return told
                continue
            total = weights.take(np.arange(1, len(choices))).group_sums(groups, len(choices.sizes))
            if (
                weights.numerators[0]
                or (total.numerators != weights.numerators[choices.before]).any()
            ):
                return f"what ε^{power} adds is not shared out"
        return ""


def limit_strategy(trembles: Trembles) -> Behaviour:
    """The limit of trembles as ε goes to 0, at every information set."""
    choices, lowest, leading = trembles.choices, trembles.lowest, trembles.leading
    probabilities: list[Any] = [Fraction(1)]
    for first, size in zip(choices.first.tolist(), choices.sizes.tolist(), strict=True):
        probabilities += _probabilities(
            list(zip(lowest[first:], leading[first : first + size], strict=False))
        )
    return Behaviour(trembles.tree, trembles.player, np.array(probabilities, object))


def limit_beliefs(tree: Tree, trembles: Sequence[Trembles]) -> tuple[Numbers, ...]:
    """[information set] the limit of the beliefs by Bayes' rule, as ε goes to 0.

    Chance does not tremble: where its moves have probability 0, all nodes are equally likely.
    """
    start, nodes = tree.members
    powers = np.zeros(len(nodes), np.int64)
    weights = tree.chance_reach.take(nodes).values()
    for own in trembles:
        last = own.choices.last[nodes]
        powers += own.lowest[last]
        leading = own.leading
        weights = [w * leading[at] for w, at in zip(weights, last.tolist(), strict=True)]
    terms = list(zip(powers.tolist(), weights, strict=True))
    return tuple(
        Numbers.of(_probabilities(terms[begin:end]))
        for begin, end in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)
    )


def _probabilities(terms: Sequence[tuple[int, Fraction]]) -> list[Fraction]:
    """The limit of terms c ε^k over their sum: only those with the lowest power remain."""
    look()
    if not any(weight for _, weight in terms):
        return [Fraction(1, len(terms))] * len(terms)
    least = min(power for power, weight in terms if weight)
    total = sum((weight for power, weight in terms if power == least), Fraction(0))
    return [weight / total if power == least else Fraction(0) for power, weight in terms]


@dataclass(frozen=True, eq=False, repr=False)
class Assessment:
    """Behaviour strategies of all players, and beliefs at each information set.

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
        """[node of an information set] its probability, to the player who moves there."""
        if not isinstance(infoset, Infoset) or infoset.tree is not self.tree:
            raise StrategyError(f"{infoset!r} is not an information set of {self.tree.name}")
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

    Parameters
    ----------
    strategies : mapping or iterable of Strategy, Profile, or Solution
        One for each player.
    beliefs : mapping, optional
        From information sets to a probability for each of its nodes, in order or by node. They must
        be given where a set of several nodes is not reached.

    Returns
    -------
    Assessment
        The pair.

    Raises
    ------
    StrategyError
        If beliefs are missing, or do not sum to 1.

    Examples
    --------
    >>> from infoset import uniform
    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> found = assessment(profile(uniform(tree, player) for player in tree.names))
    >>> found.belief(tree.find("dealer", "Q, bet"))
    [Fraction(1, 2), Fraction(1, 2)]
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
            raise StrategyError(f"{place!r:.60} is not an information set of {tree.name}")
        said[place.index] = _read(place, probabilities)
    made = []
    for infoset, implied in zip(tree.infosets, together.all_beliefs, strict=True):
        found = said.get(infoset.index, implied)
        if found is None and len(infoset) > 1:
            raise StrategyError(
                f"{tree.name}: {infoset.name} of {infoset.player} is not reached:"
                f" give its beliefs, {len(infoset)} probabilities"
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
                raise StrategyError(f"{where}: {node!r} is not a node of this information set")
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


def perturbed_assessment(trembles: Sequence[Trembles]) -> Assessment:
    """The limit of trembling strategies as ε goes to 0, with its beliefs."""
    tree = trembles[0].tree
    together = profile(limit_strategy(own) for own in trembles)
    return Assessment(together, limit_beliefs(tree, trembles), tuple(trembles))


def is_consistent(given: Assessment) -> Fact:
    """Is an assessment consistent?

    Parameters
    ----------
    given : Assessment or Solution
        Where a set is reached, Bayes' rule decides; elsewhere the trembles do, if they are known.

    Returns
    -------
    Fact
        With the reason, and the nodes of an information set where it fails.

    Raises
    ------
    NotApplicable
        If a set of several nodes is not reached and no trembles are known.
    """
    given = checked(given)
    tree = given.tree
    by_bayes = follows_bayes(given)
    if not by_bayes:
        return by_bayes
    open_sets = [
        infoset
        for infoset, implied in zip(tree.infosets, given.profile.all_beliefs, strict=True)
        if implied is None and len(infoset) > 1
    ]
    if not given.trembles:
        if open_sets:
            raise NotApplicable(
                f"{tree.name}: no play comes to {open_sets[0].name} of"
                f" {open_sets[0].player}, and no trembles are known that would determine"
                " beliefs there; method quasi-perfect gives them"
            )
        return Fact(True, "every information set with several nodes is reached, as Bayes says")
    return _is_limit(given)


def follows_bayes(given: Assessment) -> Fact:
    """Do beliefs follow Bayes' rule at every set that is reached?"""
    tree = given.tree
    for infoset, implied in zip(tree.infosets, given.profile.all_beliefs, strict=True):
        if implied is not None and not _same(implied, given.beliefs[infoset.index]):
            return _failing(infoset, "Bayes' rule says otherwise")
    return Fact(True, "beliefs follow Bayes' rule at every set that is reached")


def checked(given: Any) -> Assessment:
    """An assessment, or that of a solution; anything else is refused."""
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
        limit, played = limit_strategy(own), as_behaviour(strategy)
        wrong = np.flatnonzero(limit.probabilities != played.probabilities)
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


@dataclass(frozen=True)
class Rationality(Fact):
    """Whether an assessment is sequentially rational; if not, where it fails and by how much."""

    infoset: Infoset | None = None
    gain: Any = 0  # of the best continuation over the strategy's
    action: Any = None  # the first action of the best continuation


def is_sequentially_rational(assessment: Assessment) -> Rationality:
    """Is every player's continuation a best response at every information set, given its beliefs?

    Parameters
    ----------
    assessment : Assessment or Solution
        Of a game with perfect recall.

    Returns
    -------
    Rationality
        If not, with the set where most is to be gained, the gain, and the first action. Sets that
        have probability 0 by chance alone are left out.

    Raises
    ------
    NotApplicable
        If a player has imperfect recall.

    Examples
    --------
    >>> from infoset.games import entry_game
    >>> from infoset.strategy import behaviour
    >>> from infoset.strategy.assessment import assessment
    >>> tree = entry_game().tree()
    >>> threat = [behaviour(tree, "entrant", {tree.infosets_of("entrant")[0]: {"out": 1}}),
    ...           behaviour(tree, "incumbent", {"in": {"fight": 1}})]
    >>> print(is_sequentially_rational(assessment(threat)))
    no: at 'in' incumbent gets 0, and 2 by 'accommodate'
    """
    assessment = checked(assessment)
    tree = assessment.tree
    if not tree.perfect_recall:
        raise NotApplicable(
            f"{tree.name}: sequential rationality needs perfect recall, but"
            f" {tree.perfect_recall.because}"
        )
    ways = _Continuations(assessment)
    worst: Rationality | None = None
    start, nodes = tree.members
    possible = tree.chance_reach.numerators[nodes] > 0
    for infoset in tree.infosets:
        if not possible[start[infoset.index] : start[infoset.index + 1]].any():
            continue
        own, best, action = ways.below(infoset)
        if best > own and (worst is None or best - own > worst.gain):
            amounts = f"gets {probability_text(own)}, and {probability_text(best)} by"
            if probability_text(own) == probability_text(best):
                amounts = f"gains {probability_text(best - own)} by"
            said = f"at {infoset.name} {infoset.player} {amounts} {text(infoset.actions[action])!r}"
            where = tuple(infoset.nodes)
            worst = Rationality(False, said, where, infoset, best - own, infoset.actions[action])
    if worst is None:
        return Rationality(True, "no player can gain anywhere, by its own beliefs")
    return worst


class _Continuations:
    """Continuations from an information set, and their values."""

    def __init__(self, assessment: Assessment) -> None:
        tree = assessment.tree
        self.tree, self.beliefs = tree, assessment.beliefs
        self.steps = assessment.profile.steps
        self.probabilities = [
            as_behaviour(strategy).probabilities for strategy in assessment.profile
        ]
        self.start, self.child = (column.tolist() for column in tree.children)
        self.player, self.set_of = tree.player.tolist(), tree.infoset.tolist()
        self.action = tree.action.tolist()
        self.pays = [
            dict(zip(tree.leaf_indices.tolist(), stake.values(), strict=True))
            for stake in tree.leaf_payoffs
        ]
        self.first = _first_choices(tree)

    def below(self, infoset: Infoset) -> tuple[Any, Any, int]:
        """The values of the strategy and of the best continuation, and how that begins."""
        mover = self.tree.player_number(infoset.player)
        earned, after = self._spread(infoset, mover)
        own: dict[int, Any] = {}  # by set: the value under the strategy
        best: dict[int, Any] = {}
        chosen = 0
        for place in reversed(after):  # in the order in which they were met: those below come later
            first, size = self.first[place], int(self.tree.menu_sizes[place])
            probabilities = self.probabilities[mover][first : first + size]
            played, most = Fraction(0), None
            for at in range(size):
                money, following = earned.get(first + at, (Fraction(0), ()))
                played += probabilities[at] * (money + sum(own[lower] for lower in following))
                value = money + sum(best[lower] for lower in following)
                if most is None or value > most:
                    most, chosen = value, at
            own[place], best[place] = played, most
        return own[infoset.index], best[infoset.index], chosen

    def _spread(
        self, infoset: Infoset, mover: int
    ) -> tuple[dict[int, tuple[Any, list[int]]], list[int]]:
        """By own choice below: what it earns and the own sets after it; and all those sets."""
        earned: dict[int, tuple[Any, list[int]]] = {}
        after = [infoset.index]
        met = {infoset.index}
        begin, end = self.tree.members[0][infoset.index : infoset.index + 2].tolist()
        nodes = self.tree.members[1][begin:end].tolist()
        believed = self.beliefs[infoset.index].values()
        stack = [(node, weight, -1) for node, weight in zip(nodes, believed, strict=True) if weight]
        stack.reverse()
        while stack:
            look()
            node, weight, choice = stack.pop()
            kind, place = self.player[node], self.set_of[node]
            if kind == LEAF:
                money, following = earned.get(choice, (Fraction(0), []))
                earned[choice] = money + weight * self.pays[mover][node], following
                continue
            mine = kind == mover
            if mine and place not in met:
                met.add(place)
                after.append(place)
                earned.setdefault(choice, (Fraction(0), []))[1].append(place)
            below = self.child[self.start[node] : self.start[node + 1]]
            for child in reversed(below):
                if mine:
                    stack.append((child, weight, self.first[place] + self.action[child]))
                elif self.steps[child]:
                    stack.append((child, weight * self.steps[child], choice))
        return earned, after


def _first_choices(tree: Tree) -> list[int]:
    """[information set] the number of its first choice, among those of its player."""
    first = np.zeros(len(tree.infoset_player), np.int64)
    for choices in tree.choices:
        first[choices.infosets] = choices.first
    return first.tolist()
