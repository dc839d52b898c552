"""Games of two players by Wilson's method: pure strategies enter as they are needed.

The Lemke–Howson method (:mod:`infoset.solve.lemke_howson`) walks along the edges of

    w = 1 - A y >= 0,  y >= 0,        v = 1 - B'x >= 0,  x >= 0

with a row or a column for every pure strategy, and there are exponentially many. But nearly all are
not played, and that w_i is positive for them is all that need be known. So they are left out. They
matter in one place only, the ratio test: along an edge, which strategy is the first that becomes as
good as the best? Guess that it is one of those that are present, go to the end of the edge, and ask
the tree for the best response there, by backward induction. If that is worth more than it may be,
it takes its place in the tableau, and the edge ends earlier, where it crosses. Ask again, until the
best response is not worth too much. So few of the strategies are ever looked at (Wilson 1972; that
few suffice is Koller, Megiddo & von Stengel 1994, theorem 4.1).

*Ties.* In the normal form of a tree they are not an accident: if three of the four combinations of
two actions at each of two sets are best, so is the fourth. The path is well defined, and ends, if
the constants are 1 - ε_i with ε_1 ≫ ε_2 ≫ ... in the order in which strategies enter. What has not
entered has an ε_i smaller than all of these, which is not yet chosen: so present strategies, worth
at most 1 - ε_i, are always worth less than 1, and an absent one that reaches 1 in all powers so far
comes before them all; of several such ones, whichever is taken is then the one of largest ε_i. So
the path is that of the Lemke–Howson method on the whole normal form, with an order of its
strategies that is made up on the way, and the best response to lexicographic weights decides all.
It is found in one pass: the powers are packed into one integer, far enough apart.

*Exact.* All numbers are integers, over the determinant of the basis (Edmonds 1967, Bareiss 1968).
"""

from __future__ import annotations

from infoset.errors import NotApplicable
from infoset.forms.normal import normal_size
from infoset.forms.sequence import sequence_form
from infoset.linear.numbers import Numbers
from infoset.solve.entering.growing import Half
from infoset.solve.options import Found, Options
from infoset.strategy import Strategy, uniform
from infoset.tree import Tree


def find(tree: Tree, options: Options) -> Found:
    """An equilibrium in mixed strategies, of few pure ones.

    >>> from infoset.games import kuhn
    >>> found = find(kuhn(ranks=8).tree(), Options())
    >>> dict(found.work), [len(own) for own in found.strategies]
    ({'pivots': 51, 'entered': 30, 'plans': 72097}, [4, 3])
    """
    if len(tree.players) != 2:
        raise NotApplicable(
            f"{tree.name}: Wilson's method is for two players, and it has {len(tree.players)};"
            " solve() without a method takes one that applies"
        )
    form = sequence_form(tree)
    halves = (Half(form, 0), Half(form, 1))
    priors = [uniform(tree, player).plan.weights for player in tree.names]
    first = halves[0].known.best_against(priors[1])
    halves[0].known.enter(first)
    halves[1].known.meet(first)
    side, entering, pivots = 1, ~0, 0  # the first plan's weight: the label that is given up
    done = False
    while not done and not options.over():
        half, end = halves[side], ~0 if side else 0
        known = len(half.known.plans)
        left = half.step(entering, end)
        pivots += 1
        if len(half.known.plans) > known:
            halves[1 - side].known.meet(half.known.plans[left])
        options.tell(f"{pivots:,} pivots, {_entered(halves):,} strategies")
        done = left == end
        side, entering = 1 - side, ~left
    work = {
        "pivots": pivots,
        "entered": _entered(halves),
        "plans": sum(size or 0 for size in normal_size(tree)),
    }
    note = "" if done else f"stopped after {pivots:,} pivots"
    return Found(_strategies(halves, priors), work, note)


def _entered(halves: tuple[Half, Half]) -> int:
    return sum(len(half.known.plans) for half in halves)


def _strategies(halves: tuple[Half, Half], priors: list[Numbers]) -> tuple[Strategy, ...]:
    """The weights of each player's plans, which the other's half has."""
    made = []
    for own, other, prior in zip(halves, halves[::-1], priors[::-1], strict=True):
        weights = other.weights()
        if weights:
            plans = [own.known.plans[plan] for plan in weights]
            made.append(own.known.mixed(plans, list(weights.values())))
        else:  # stopped before anything was played
            made.append(own.known.mixed([own.known.best_against(prior)], [1]))
    return tuple(made)
