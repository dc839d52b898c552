"""Is a profile an equilibrium in every subgame? An exact answer, subgame by subgame.

An equilibrium is *subgame perfect* if it is one in every subgame, also in those that are not
reached (Selten 1965). To check each subgame with all that is inside it would visit the last nodes
again and again. It is enough to check the *remainders* (:mod:`infoset.tree.subgames`), in which
inner subgames are replaced by their payoffs under the profile:

    A profile is subgame perfect exactly if no player has a regret in any remainder.

For if an inner subgame is in equilibrium, then no deviation inside it gains anything, and what a
player can gain in the subgame around it is what it can gain in that one's remainder; by induction
from the innermost subgames to the whole tree. So the check takes time in proportion to the number
of nodes, and the gain that is reported for a subgame, all those inside it being in equilibrium, is
the regret in the subgame itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import StrategyError
from infoset.rules.moves import CHANCE, LEAF
from infoset.strategy.behaviour import Behaviour, unchecked, uniform_probabilities
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.profile import Profile, profile
from infoset.text import place_text, probability_text
from infoset.tree import Node, Tree
from infoset.tree.facts import Fact
from infoset.tree.subgames import Part, Subgames, remainder, subgames

Row = Sequence[Any]  # the probabilities of the actions at an information set


def is_subgame_perfect(played: Profile) -> Fact:
    """Is a profile an equilibrium in every subgame?

    Parameters
    ----------
    played : Profile
        Strategies in floats are taken as the rationals that they are; a mixed strategy or a plan as
        :func:`~infoset.strategy.as_behaviour` converts it.

    Returns
    -------
    Fact
        If not, with the reason: the subgame, and who would gain what. Its node is the root of the
        subgame; all subgames inside of that are in equilibrium.

    Raises
    ------
    StrategyError
        If this is no profile.

    Examples
    --------
    >>> from infoset.games import entry_game
    >>> from infoset.strategy import pure
    >>> tree = entry_game().tree()
    >>> out = pure(tree, "entrant", {"nothing yet": "out"})
    >>> threat = pure(tree, "incumbent", {"in": "fight"})
    >>> print(is_subgame_perfect(profile([out, threat])))
    no: in the subgame after entrant: in, incumbent would gain 2 by playing otherwise
    """
    if not isinstance(played, Profile):
        raise StrategyError(f"{played!r:.60} is not a profile; profile(strategies) makes one")
    tree = played.tree
    rows: dict[int, Row] = {}
    for strategy in played:
        rows.update(rows_of(_exactly(as_behaviour(strategy))))
    every = subgames(tree)
    ground = PlainTree(every)
    payoffs: dict[int, Sequence[Any]] = {}  # by subgame: the payoffs under the profile
    known: dict[Any, list[Fraction]] = {}  # by equal parts: the regrets in them
    for at in range(len(every) - 1, -1, -1):
        root = int(every.roots[at])
        if ground.moves[at] == 1:
            below = ground.below(root, payoffs)
            payoffs[at] = average(ground.probabilities(root, rows), below)
            gains = _gain_by_a_move(ground.player[root], payoffs[at], below)
        else:
            part = remainder(every, at, payoffs, everyone=False)
            own = [rows[infoset] for infoset in part.infosets.tolist()]
            payoffs[at] = ground.expected(part, own, payoffs)
            gains = _gains(part, own, known)
        for player, gain in gains.items():
            if gain > 0:
                return _fails(tree, root, tree.names[player], gain)
    subject = f"in none of the {len(every):,} subgames" if len(every) > 1 else "nowhere"
    return Fact(True, f"{subject} can anyone gain by playing otherwise")


def _exactly(own: Behaviour) -> Behaviour:
    """The same in rationals, normalized."""
    if own.exact:
        return own
    probabilities = uniform_probabilities(own.choices)
    for first, size in zip(own.choices.first.tolist(), own.choices.sizes.tolist(), strict=True):
        given = [
            max(Fraction(probability), Fraction(0))
            for probability in own.probabilities[first : first + size]
        ]
        probabilities[first : first + size] = [probability / sum(given) for probability in given]
    return Behaviour(own.tree, own.player, probabilities)


def _gain_by_a_move(
    mover: int, here: Sequence[Any], below: Sequence[Sequence[Any]]
) -> dict[int, Fraction]:
    """By player: the regret at a node with one mover, and no set below it."""
    return {mover: max(one[mover] for one in below) - here[mover]} if mover >= 0 else {}


def _gains(part: Part, own: Sequence[Row], known: dict[Any, list[Fraction]]) -> dict[int, Fraction]:
    """By player: its regret in a part, inner subgames being replaced by their payoffs."""
    tree = part.tree
    if not own:
        return {}
    key = (kind(tree), tuple(map(tuple, own)))
    if key not in known:
        strategies = []
        for player, choices in zip(tree.names, tree.choices, strict=True):
            probabilities = [Fraction(1), *(s for at in choices.infosets.tolist() for s in own[at])]
            strategies.append(unchecked(tree, player, np.array(probabilities, object)))
        known[key] = [Fraction(one) for one in profile(strategies).regrets.values()]
    return dict(zip(part.players, known[key], strict=True))


def _fails(tree: Tree, root: int, player: str, gain: Fraction) -> Fact:
    node = Node(tree, root)
    place = f"in the subgame {place_text(node.history)}" if root else "in the whole game"
    return Fact(
        False,
        f"{place}, {player} would gain {probability_text(Fraction(gain))} by playing otherwise",
        (node,),
    )


# ---------------------------------------------------------------------- shared with the solver


class PlainTree:
    """The columns of a tree as Python lists, which are faster to read one by one than arrays."""

    def __init__(self, every: Subgames) -> None:
        tree = every.tree.settled
        self.player: list[int] = tree.player.tolist()
        self.infoset: list[int] = tree.infoset.tolist()
        self.outcome: list[int] = tree.outcome.tolist()
        self.tree = tree
        self.start, self.child = (column.tolist() for column in tree.children)
        self.number = {root: number for number, root in enumerate(every.roots.tolist())}
        inner = every.within[tree.player != LEAF]
        self.moves: list[int] = np.bincount(inner, minlength=len(every)).tolist()  # [subgame]

    def below(self, node: int, payoffs: Mapping[int, Sequence[Any]]) -> list[Sequence[Any]]:
        """The payoffs of the nodes below a node, each a leaf or the root of a subgame."""
        return [
            self._value(to, payoffs) for to in self.child[self.start[node] : self.start[node + 1]]
        ]

    def _value(self, node: int, values: Mapping[int, Sequence[Any]]) -> Sequence[Any]:
        if self.player[node] == LEAF:
            return self.tree.payoffs[self.outcome[node]]
        return values[self.number[node]]

    def probabilities(self, node: int, rows: Mapping[int, Row]) -> Row:
        """The probabilities of the actions at a node, of a player or of chance."""
        place = self.infoset[node]
        chance = self.player[node] == CHANCE
        return self.tree.lotteries[place].probabilities if chance else rows[place]

    def expected(
        self, part: Part, own: Sequence[Row], payoffs: Mapping[int, Sequence[Any]]
    ) -> Sequence[Any]:
        """[player of the whole game] its expected payoff in a part, the last nodes first."""
        tree = part.tree
        start, child = (column.tolist() for column in tree.children)
        player, infoset, nodes = tree.player.tolist(), tree.infoset.tolist(), part.nodes.tolist()
        values: list[Sequence[Any]] = [()] * len(tree)
        for at in range(len(tree) - 1, -1, -1):
            if player[at] == LEAF:
                values[at] = self._value(nodes[at], payoffs)
                continue
            chance = player[at] == CHANCE
            probabilities = (
                tree.lotteries[infoset[at]].probabilities if chance else own[infoset[at]]
            )
            values[at] = average(
                probabilities, [values[to] for to in child[start[at] : start[at + 1]]]
            )
        return values[0]


def average(probabilities: Row, values: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """[player] its payoff, averaged."""
    pairs = [
        (probability, value)
        for probability, value in zip(probabilities, values, strict=True)
        if probability
    ]
    if len(pairs) == 1:  # most choices are pure
        return pairs[0][1]
    return [
        sum(probability * value[player] for probability, value in pairs)
        for player in range(len(values[0]))
    ]


def kind(tree: Tree) -> Any:
    """What equilibria depend on: shape, chance, and payoffs up to a constant of each player."""
    columns = (tree.parent, tree.action, tree.player, tree.infoset, tree.outcome)
    first = tree.payoffs[0]
    gains = tuple(
        tuple(amount - sure for amount, sure in zip(paid, first, strict=True))
        for paid in tree.payoffs
    )
    chances = tuple(lottery.probabilities for lottery in tree.lotteries)
    return (*(column.tobytes() for column in columns), chances, gains)


def rows_of(own: Behaviour) -> Mapping[int, Row]:
    """By information set: the probabilities of its actions."""
    choices, probabilities = own.choices, own.probabilities.tolist()
    ranges = zip(
        choices.infosets.tolist(), choices.first.tolist(), choices.sizes.tolist(), strict=True
    )
    return {infoset: probabilities[first : first + size] for infoset, first, size in ranges}
