"""A solution on a public form as one on the game's tree, where that is small enough to be built.

Every information set of the tree is one of the form's, known by its words and options; in a folded
form by the least of what exchanges of suits make of its words. Probabilities are read off the plan
exactly, weights being fractions or whole multiples of 2^-52, and the regret is then proved on the
tree, which shares nothing with the form but the rules.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from infoset.errors import NotApplicable
from infoset.examine.public_states import PublicStates
from infoset.examine.public_words import Suits, label, moved
from infoset.examine.wording import infoset_words
from infoset.rules.moves import Menu
from infoset.rules.story import brief
from infoset.solve import as_tree
from infoset.solve.options import Found, Options
from infoset.solve.public.verify import GRID, on_grid
from infoset.solve.solution import Solution, conclude
from infoset.strategy import Behaviour
from infoset.tree import Tree
from infoset.tree.knowing import Word

if TYPE_CHECKING:
    from infoset.solve.public.solution import PublicSolution


def on_tree(solution: PublicSolution, game: Any) -> Solution:
    """The strategies on a game's tree, their regrets proved there.

    >>> from infoset.forms.public import public_form
    >>> from infoset.games import leduc
    >>> from infoset.solve.public.front import solve_public
    >>> found = solve_public(public_form(leduc()), iterations=100)
    >>> found.on_tree(leduc()).regrets == found.regrets
    True
    """
    tree, form = as_tree(game), solution.form
    owners = np.bincount(tree.infoset_player, minlength=len(tree.names))
    if tree.names != form.players or tuple(owners.tolist()) != form.counts.infosets:
        raise NotApplicable(
            f"{brief(tree.name)}: its tree has other players or information sets than the public"
            f" form of {brief(form.name)}; give the game that the form was built from"
        )
    strategies = (_placed(solution, tree, 0), _placed(solution, tree, 1))
    found = Found(strategies, solution.work, note=solution.note, course=solution.course)
    return conclude(tree, found, solution.method, solution.because, Options())


def _placed(solution: PublicSolution, tree: Tree, seat: int) -> Behaviour:
    """A player's plan as a behaviour strategy."""
    form, name = solution.form, solution.form.players[seat]
    plan: Any = solution.plans[seat]
    if solution.weights is not None:
        plan = solution.weights[seat].numerators
    else:
        plan = (plan if solution.proved else on_grid(form, seat, plan)) * GRID
    states = PublicStates(form, name)
    known = _Known(states.suits)
    place: dict[Any, tuple[int, int]] = {}  # where the first option's weight is; sets there
    for number, decision in enumerate(states.decisions):
        told, begin = states.told(number), int(form.begins[seat][number])
        for at in range(len(decision)):
            place[known.by(told.words(at), decision.menu)] = (begin + at, len(decision))
    shares: list[Fraction] = [Fraction(1)]
    for infoset in tree.infosets_of(name):
        words = infoset_words(tree, infoset.index)
        found = place.get(known.by(words, infoset.actions))
        if found is None:
            raise NotApplicable(
                f"{brief(form.name)}: its public form has no information set {label(words)!r:.80}"
                f" of {name}; build the form of the same game, not merged, or with fold=False"
            )
        options = len(infoset.actions)
        first, step = found
        weights = [int(weight) for weight in plan[first : first + options * step : step]]
        whole = sum(weights)
        shares += [Fraction(one, whole) if whole else Fraction(1, options) for one in weights]
    return Behaviour(tree, name, np.array(shares, object))


class _Known:
    """What a set is known by, the same for all that suits can be exchanged for."""

    def __init__(self, suits: Suits) -> None:
        self._orders = suits.orders
        self._texts: dict[tuple[int, Any], str] = {}

    def by(self, words: list[Word], menu: Menu) -> tuple[tuple[str, ...], Menu]:
        """The least of the texts that exchanges give, and the options."""
        every = (self._read(number, words) for number in range(len(self._orders)))
        return min(every), tuple(menu)

    def _read(self, number: int, words: list[Word]) -> tuple[str, ...]:
        return tuple([self._text(number, word) for word in words])

    def _text(self, number: int, word: Word) -> str:
        key = (number, word)
        if key not in self._texts:
            self._texts[key] = str(Word(moved(word.value, self._orders[number]), word.own))
        return self._texts[key]
