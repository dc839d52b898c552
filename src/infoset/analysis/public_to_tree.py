"""A solution on a public form as one on the game's tree, if that is small enough to be built.

Every information set of the tree is one of the form's. They are matched by the player's previous
set and its choice there, by what it knows, and by its options: by the facts themselves, as rules
compare them, since two of them may read alike. In a folded form, facts are represented by the least
that permutations of suits make of them. A tree from a file has labels only; there texts are
compared, and sets that they do not distinguish are refused. Probabilities are read off the plan
exactly, weights being fractions or whole multiples of 2^-52, and the regret is then proved on the
tree, which shares nothing with the form but the rules.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.analysis.public_states import PublicStates, Suits, label
from infoset.errors import NotApplicable, TooLarge
from infoset.forms.public.plans import GRID, rounded_plan
from infoset.forms.public.record import NOT_YET
from infoset.rules.moves import Menu
from infoset.rules.running import MAX_NODES
from infoset.solvers import as_tree
from infoset.solvers.evaluation import TreeEvaluation
from infoset.strategy import RealizationPlan, profile
from infoset.strategy.behaviour import plan_from_probabilities
from infoset.text import brief, text
from infoset.tree import Tree
from infoset.tree.knowledge import Word, infoset_words
from infoset.vectorized.symmetry import moved

if TYPE_CHECKING:
    from infoset.solvers.public_solution import PublicEvaluation


Chosen = tuple[int, int, int]  # decision, set, option
NOTHING_YET: Chosen = (NOT_YET, 0, 0)


def public_strategies_on_tree(evaluation: PublicEvaluation, game: Any) -> TreeEvaluation:
    """The strategies of both players on a game's tree.

    >>> from infoset import solve
    >>> from infoset.games import leduc
    >>> found = solve(leduc().public(), iterations=100)
    >>> found.on_tree().regrets == found.regrets
    True
    """
    form = evaluation.form
    if form.counts.nodes > MAX_NODES and not isinstance(game, Tree):
        raise TooLarge(
            f"{brief(form.name)}: this needs the tree, of {form.counts.nodes:,} nodes, and up to"
            f" {MAX_NODES:,} are built; on_tree(game.tree(max_nodes=...)) builds more"
        )
    tree = as_tree(game)
    owners = np.bincount(tree.infoset_player, minlength=len(tree.names))
    if tree.names != form.players or tuple(owners.tolist()) != form.counts.infosets:
        raise NotApplicable(
            f"{brief(tree.name)}: its tree has other players or information sets than the public"
            f" form of {brief(form.name)}; give the game that the form was built from"
        )
    return TreeEvaluation(tree, profile([_placed(evaluation, tree, seat) for seat in range(2)]))


def _placed(evaluation: PublicEvaluation, tree: Tree, seat: int) -> RealizationPlan:
    """A player's plan; what it leaves open is then filled in as for any plan on a tree."""
    form, name = evaluation.form, evaluation.form.players[seat]
    own = evaluation.verified.strategies[seat]
    plan: Any = own.plan.numerators
    if not own.exact:
        plan = rounded_plan(form, seat, plan) * GRID
    places = _Places(PublicStates(form, name), by_text=tree.knowing is None)
    probabilities: list[Fraction] = [Fraction(1)]
    before = tree.choices[seat].before.tolist()  # numbers of choices, as those of probabilities
    chosen: list[Chosen] = [NOTHING_YET]
    for infoset, choice in zip(tree.infosets_of(name), before, strict=True):
        words = infoset_words(tree, infoset.index)
        number, at = places.take(chosen[choice], words, infoset.actions)
        chosen += [(number, at, option) for option in range(len(infoset.actions))]
        options, step = len(infoset.actions), len(form.decisions[seat][number])
        first = int(form.begins[seat][number]) + at
        weights = [int(weight) for weight in plan[first : first + options * step : step]]
        whole = sum(weights)
        probabilities += [
            Fraction(one, whole) if whole else Fraction(1, options) for one in weights
        ]
    return plan_from_probabilities(tree, name, np.array(probabilities, object))


class _Places:
    """Where a player's sets are in a form; each is taken as often as it says that it stands for."""

    def __init__(self, states: PublicStates, by_text: bool) -> None:
        self._form, self._player = states.form, states.player
        self._known = _Known(states.suits, by_text)
        self._left = [decision.stands_for.copy() for decision in states.decisions]
        self._place: dict[Any, tuple[int, int]] = {}  # decision and set
        for number, decision in enumerate(states.decisions):
            known_words, earlier = states.words(number), decision.before.tolist()
            for at in range(len(decision)):
                after = (decision.after, earlier[at], decision.option)
                known = self._known.by(known_words.words(at), decision.menu)
                self._place[after, known] = (number, at)

    def take(self, after: Chosen, words: list[Word], menu: Menu) -> tuple[int, int]:
        """The decision and the set that an information set of the tree is."""
        found = self._place.get((after, self._known.by(words, menu)))
        name = brief(self._form.name)
        if found is None:
            raise NotApplicable(
                f"{name}: its public form has no information set {label(words)!r:.80} of"
                f" {self._player}; build the form of the same game, not merged, or with fold=False"
            )
        number, at = found
        self._left[number][at] -= 1
        if self._left[number][at] < 0:
            raise NotApplicable(
                f"{name}: more information sets of {self._player} read {label(words)!r:.80} than"
                " one of its public form stands for; give the game itself, not a file of its tree"
            )
        return found


class _Known:
    """The key of a set, the same for all that permutations of suits make of it.

    Words get numbers, equal ones the same: these have an order, which facts of any kind have not.
    """

    def __init__(self, suits: Suits, by_text: bool) -> None:
        self._orders = suits.orders
        self._by_text = by_text
        self._numbers: dict[Word, int] = {}
        self._moved: dict[tuple[int, Word], int] = {}  # by permutation and word

    def by(self, words: list[Word], menu: Menu) -> Hashable:
        """The least that permutations make of the words, and the options."""
        if self._by_text:
            return label(words), tuple(map(text, menu))
        every = (
            tuple([self._number(order, word) for word in words])
            for order in range(len(self._orders))
        )
        return min(every), menu

    def _number(self, order: int, word: Word) -> int:
        """The number of the word that a permutation makes of a word."""
        found = self._moved.get((order, word))
        if found is None:
            made = Word(moved(word.value, self._orders[order]), word.own)
            found = self._numbers.setdefault(made, len(self._numbers))
            self._moved[order, word] = found
        return found
