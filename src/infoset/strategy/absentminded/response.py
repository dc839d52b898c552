"""Best responses among behaviour strategies, and regret against them, proved.

As long as no play meets an information set twice, some pure strategy is a best response even among
behaviour strategies: :mod:`infoset.strategy.response` finds it. An absent-minded player draws again
at each visit, and its payoff is a polynomial (:mod:`infoset.strategy.absentminded.polynomial`)
whose maximum may be interior. First sets are removed by backward induction, and the polynomial
falls into parts that share no set. Each part's maximum is then found and proved by branch and bound
(:mod:`infoset.strategy.absentminded.maximum`). Polynomials too large for that are bounded as if the
player had perfect recall: correct, and less close.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from infoset.linear.numbers import Numbers
from infoset.strategy.absentminded.bernstein import net_size
from infoset.strategy.absentminded.maximum import MOST_WORK, Best, bounded, maximum, never, unit
from infoset.strategy.absentminded.polynomial import Polynomial, backed_up, payoff_polynomial
from infoset.strategy.behaviour import Behaviour, unchecked, uniform_probabilities
from infoset.strategy.profile import Profile
from infoset.strategy.response import tree_best_response
from infoset.text import brief
from infoset.tree import Tree
from infoset.tree.facts import absent_minded

MOST_NET = 5_000  # entries of a net, up to which it is used
MOST_CASES = (
    64  # cases into which a larger one may be divided, by the actions of sets that are met once
)


@dataclass(frozen=True, eq=False, repr=False)
class BehaviourResponse:
    """A behaviour strategy, its value, and an upper bound on that of any other."""

    tree: Tree
    player: str
    strategy: Behaviour
    value: Fraction
    most: Fraction  # an upper bound on the value of any behaviour strategy
    proved: bool = True  # is ``most`` proved in rational arithmetic, not in floats?
    pieces: int = 0  # entries of nets, or boxes

    def __repr__(self) -> str:
        return f"<Best behaviour of {brief(self.player)}: value {self.value}, at most {self.most}>"


@dataclass(frozen=True, eq=False, repr=False)
class BehaviourRegret:
    """A player's regret against behaviour strategies: a lower and an upper bound."""

    player: str
    at_most: Fraction  # the upper bound; 0 exactly for a best response
    at_least: Fraction  # what ``response`` gains
    response: Behaviour
    proved: bool = True  # is ``at_most`` proved in rational arithmetic, not in floats?

    def __repr__(self) -> str:
        return f"<Regret of {brief(self.player)}: {self.at_least} to {self.at_most}>"


def behaviour_regrets(
    given: Profile, *, work: int = MOST_WORK, over: Callable[[], bool] = never
) -> dict[str, BehaviourRegret]:
    """By player: its regret against behaviour strategies.

    For players who are not absent-minded these are :attr:`Profile.regrets`; an absent-minded player
    may gain more by drawing again at each visit. The profile may have strategies of all kinds.

    >>> from infoset.games import absent_minded
    >>> from infoset.strategy import behaviour, profile, pure
    >>> tree = absent_minded().tree()
    >>> right, down = pure(tree, "one", {"a or b": "R"}), pure(tree, "two", {"nothing yet": "D"})
    >>> profile((right, down)).regrets
    {'one': Fraction(0, 1), 'two': Fraction(0, 1)}
    >>> behaviour_regrets(profile((right, down)))["one"].at_most
    Fraction(2401, 99)
    """
    tree = given.tree
    found = {}
    for number, player in enumerate(tree.names):
        others = given.reach(tree.leaf_indices, without=number)
        response = behaviour_response(tree, number, others, work=work, over=over)
        now = Fraction(given.payoffs[player])
        most, value = response.most - now, response.value - now
        if value < 0:  # the profile's own strategy is better
            value = Fraction(0)
        found[player] = BehaviourRegret(
            player, max(most, value), value, response.strategy, response.proved and given.exact
        )
    return found


def behaviour_response(
    tree: Tree,
    number: int,
    others: Numbers,
    *,
    work: int = MOST_WORK,
    over: Callable[[], bool] = never,
) -> BehaviourResponse:
    """The best behaviour strategy of a player, with a proved bound on all others.

    ``others`` is as for :func:`~infoset.strategy.response.tree_best_response`.

    >>> from infoset.games import absent_minded
    >>> tree = absent_minded().tree()
    >>> two_plays_down = Numbers.of([1, 1, 0, 1])
    >>> best = behaviour_response(tree, 0, two_plays_down)
    >>> best.strategy["a or b"]
    {'L': Fraction(49, 99), 'R': Fraction(50, 99)}
    >>> best.value, best.most
    (Fraction(2599, 99), Fraction(2599, 99))
    """
    player = tree.names[number]
    if tree.recall(player) or not absent_minded(tree, [number]):
        pure = tree_best_response(tree, number, others)
        most = Fraction(pure.value if pure.most is None else pure.most)
        value = Fraction(pure.value)
        strategy = pure.strategy.behaviour()
        return BehaviourResponse(tree, player, strategy, value, most, pure.how == "exact")
    given = payoff_polynomial(tree, number, others)
    best = None
    if all(net_size(part) <= MOST_NET * MOST_CASES for part in given.parts()):
        best = _together(given, work, over)
    if best is None:  # a part is too large: it is bounded by perfect recall
        best = bounded(tree, number, others, given, work, over)
    probabilities = uniform_probabilities(given.choices)
    settled = {own: unit(given, own, action) for own, action in given.settled.items()}
    for own, row in {**settled, **best.point}.items():
        probabilities[given.actions(own).start : given.actions(own).stop] = row
    strategy = unchecked(tree, player, probabilities)
    return BehaviourResponse(
        tree, player, strategy, best.value, best.most, others.exact, best.pieces
    )


def _together(given: Polynomial, work: int, over: Callable[[], bool]) -> Best | None:
    """The sum of the parts' maxima; None if one of them is too large."""
    parts = given.parts()
    point = {own: unit(given, own, action) for own, action in given.settled.items()}
    value = most = Fraction(0)
    pieces = 0
    for part in parts:
        each = work // len(parts)
        small = net_size(part) <= MOST_NET
        best = maximum(part, each, over) if small else _by_cases(part, each, over)
        if best is None:
            return None
        point |= best.point
        value, most, pieces = value + best.value, most + best.most, pieces + best.pieces
    return Best(point, value, most, pieces)


def _by_cases(part: Polynomial, work: int, over: Callable[[], bool]) -> Best | None:
    """The maximum by the actions of a set that is met once; None if there is no such set."""
    once = [own for own, degree in part.degrees.items() if degree == 1]
    if not once:
        return None
    own = max(once, key=lambda own: sum(choice in part.derivatives for choice in part.actions(own)))
    count = len(part.actions(own))
    found = []
    for action in range(count):
        best = _together(backed_up(part.taking(own, action)), work // count, over)
        if best is None:
            return None
        found.append(best._replace(point={**best.point, own: unit(part, own, action)}))
    best = max(found, key=lambda case: case.value)
    most = max(case.most for case in found)
    return best._replace(most=most, pieces=sum(case.pieces for case in found))
