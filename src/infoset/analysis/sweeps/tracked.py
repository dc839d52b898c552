"""What is followed through a sweep: a probability, an action's value, the selected equilibrium.

*Quantities.* ``Quantity("probability", "dealer: Q, bet", "pass")`` is the probability of an action
at an information set in the strategies found for a member, and ``Quantity("value", ...)`` the
player's value of the action, given that it is at the set; a member without that set or action has
none, and a note why.

*Jumps.* A game may have many equilibria, and a solver returns one of them, often a vertex of the
set of all. From one member to the next the vertex may change although the game hardly does: then a
step in a plot is one of selection, not of the game. With p and q the strategies of neighbours, this
is what happened if they differ a lot at some information set that q reaches, while p, played in the
game of q, is all but an equilibrium there as well. Both numbers are reported, the difference and
p's regret in that game; they are facts, whatever one calls large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infoset.errors import InfosetError, ParameterError, nearest
from infoset.rules.moves import text_for_list
from infoset.text import brief, decimal_above, number_text, text

if TYPE_CHECKING:
    from infoset.solvers import Solution
    from infoset.tree import Tree

FAR = 0.2  # a difference of probabilities that is seen as a step
NEAR = 0.01  # regret, as a part of the range of payoffs, of what is all but an equilibrium
LARGEST = 200_000  # nodes of trees in which neighbours are compared


@dataclass(frozen=True)
class Quantity:
    """A number of a member's solution that is followed through a sweep."""

    kind: str  # "probability" or "value"
    infoset: str  # "dealer: Q, bet"
    action: str

    @property
    def name(self) -> str:
        """For columns and lines, as it is typed."""
        return f"{self.kind} of {self.infoset}={self.action}"

    def of(self, solution: Solution) -> tuple[Any, str]:
        """Its amount in a solution, None where it has none; and why there is no such action."""
        from infoset.analysis.questions.actions import action_values

        try:
            asked = action_values(solution, self.infoset)
        except InfosetError as error:
            return None, str(error)
        for one in asked.actions:
            if text(one.action) == self.action:
                return (one.probability if self.kind == "probability" else one.value), ""
        known = nearest(self.action, [text(one.action) for one in asked.actions])
        return None, f"no action {self.action!r:.60} at {brief(self.infoset)}; {known}"


def quantity(kind: str, spelling: str) -> Quantity:
    """A quantity as it is typed: ``"dealer: Q, bet=pass"``.

    >>> quantity("probability", "dealer: Q, bet=pass").name
    'probability of dealer: Q, bet=pass'
    """
    infoset, sign, action = spelling.rpartition("=") if isinstance(spelling, str) else ("", "", "")
    if not (sign and infoset.strip() and action.strip()):
        raise ParameterError(
            f"{spelling!r:.60} is not an action at an information set; write it as in"
            " 'dealer: Q, bet=pass'"
        )
    return Quantity(kind, infoset.strip(), action.strip())


def quantities(probabilities: Sequence[str], values: Sequence[str]) -> tuple[Quantity, ...]:
    """Several of both kinds, each once."""
    given = {"probability": probabilities, "value": values}
    for spellings in given.values():
        if isinstance(spellings, str):
            raise ParameterError(text_for_list("actions", spellings))
    found = (quantity(kind, spelling) for kind, several in given.items() for spelling in several)
    return tuple(dict.fromkeys(found))


def jump(before: Solution, found: Solution) -> str:
    """Whether the selected equilibrium changed much more than the game did; "" if not."""
    from infoset.strategy.evaluation import regret

    try:
        tree = found.tree
        if len(tree) > LARGEST or not _same_choices(before.tree, tree):
            return ""
        size, name = _largest_step(before, found)
        if size < FAR:
            return ""
        loss = max(regret(tree, before.strategy).values())
    except InfosetError:  # no probabilities at information sets, as in correlated equilibria
        return ""
    amounts = [float(amount) for payoffs in tree.payoffs for amount in payoffs]
    if loss > NEAR * (max(amounts) - min(amounts)):
        return ""
    return (
        f"another equilibrium is selected: the one before differs by {number_text(round(size, 3))}"
        f" at {brief(name)} and has a regret of at most {decimal_above(loss)} here, too"
    )


def _same_choices(one: Tree, other: Tree) -> bool:
    """Have two members the same information sets with the same actions?"""
    return len(one) == len(other) and [
        (infoset.player, infoset.label, infoset.actions) for infoset in one.infosets
    ] == [(infoset.player, infoset.label, infoset.actions) for infoset in other.infosets]


def _largest_step(before: Solution, found: Solution) -> tuple[float, str]:
    """The largest difference of two strategies at a set that the second reaches, and the set."""
    steps = [(0.0, "")]
    for player, own in found.strategy.items():
        former = before.strategy[player]
        for infoset in found.tree.infosets:
            if infoset.player != player or not found.profile.infoset_reach(infoset):
                continue
            then, now = former[infoset.label], own[infoset.label]
            size = max(abs(float(then[action]) - float(now[action])) for action in now)
            steps.append((size, f"{player}: {infoset.label}"))
    return max(steps)
