"""The information sets of a public form by what the player knows, in words: no two read alike.

Labels are those of trees (:mod:`infoset.tree.knowledge`): where a player knows the same and may do
different things, the options are added. What still reads alike, as the number 1 and the text "1"
do, gets a number: that of the set, as the form counts those of player one, then of player two. A
tree counts in the order of its plays, which a form does not have; so the numbers are others.

A form may have millions of sets. Their labels are made a decision at a time; kept are hashes, by
which to find the few that read like others.

What is done, how likely and for how much, in fractions: of plans that were found exactly.

The linear program finds weights that are whole numbers over one denominator
(:attr:`PublicSolution.weights`). Shares, reach and values then are fractions, too, and are computed
as such, by the lines that serve floats, too (:mod:`infoset.strategy.public`):

    share of an option   its weight over the weight of what leads to the set
    reach of a set       the player's weight times what nature and the other player let through
    value of a set       what is won below it, over what is let through

The answer on a public form: plans of both players, what they are worth, and how that is known.

Payoffs and regrets are computed anew from the form and the plans
(:mod:`infoset.strategy.public`): exactly where the form is small, in floats where it is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.errors import ParameterError, StrategyError
from infoset.forms.public.record import Decision, Longs, PublicForm
from infoset.linear.numbers import Numbers, nearest_float
from infoset.strategy.public import (
    Verified,
    conditional_probabilities,
    counterfactual_reach,
    counterfactual_values,
    payoff_gradient,
)
from infoset.text import brief, decimal_above, decimal_near, text
from infoset.tree.knowledge import BETWEEN, NOTHING, Word

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from infoset.analysis.table import Sheet
    from infoset.solvers.convergence import Convergence
    from infoset.solvers.solution import Solution

Place = tuple[int, int]  # a decision, and a set there


class Labelled(Mapping[str, Mapping[Hashable, float]]):
    """A player's strategy by what it knows.

    >>> from infoset.forms.public import public_form
    >>> from infoset.games import kuhn
    >>> from infoset.solvers.public import solve_public
    >>> dealer = Labelled(solve_public(public_form(kuhn())), 1)
    >>> sorted(dealer.labels(1)), dealer["Q, bet"]["bet"]
    (['J, bet', 'K, bet', 'Q, bet'], 0.3333333333333333)
    """

    def __init__(self, solution: PublicSolution, player: int) -> None:
        """Of a solution, and one of its players."""
        self._solution, self._player = solution, player
        self._own = solution.form.decisions[player]
        self._texts: dict[tuple[int, bool], tuple[Hashable, str]] = {}

    def labels(self, decision: int) -> list[str]:
        """[set] the labels at a decision; no other set has one of them."""
        told, plain = self._told_apart[0], map(self._label, self._own[decision].words)
        return [told.get((decision, at), label) for at, label in enumerate(plain)]

    def number(self, decision: int, at: int) -> int | None:
        """The number of a set, counted from 1, if it is told apart by that."""
        place = (decision, at)
        return self._number(place) if place in self._told_apart[1] else None

    # ------------------------------------------------------------------ as a mapping

    def __getitem__(self, label: str) -> Mapping[Hashable, float]:
        if label not in self._places:
            name = brief(self._solution.form.players[self._player])
            raise StrategyError(f"{name} has no information set {label!r:.80}; list() names them")
        number, at = self._places[label]
        probabilities = self._solution.probabilities(self._player, number)[:, at].tolist()
        return dict(zip(self._own[number].menu, probabilities, strict=True))

    def __contains__(self, label: object) -> bool:
        return label in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return sum(map(len, self._own))

    @cached_property
    def _places(self) -> dict[str, Place]:
        return {
            label: (number, at)
            for number in range(len(self._own))
            for at, label in enumerate(self.labels(number))
        }

    # ------------------------------------------------------------------ how sets read

    def _label(self, words: Sequence[Word]) -> str:
        return BETWEEN.join(map(self._text, words)) or NOTHING

    def _text(self, word: Word) -> str:
        """How a word reads: by the object that it is, for 1 equals True and reads otherwise."""
        key = (id(word.value), word.own)
        if key not in self._texts:  # the value is kept, so that no other comes to its address
            self._texts[key] = (word.value, str(word))
        return self._texts[key][1]

    @cached_property
    def _told_apart(self) -> tuple[dict[Place, str], set[Place]]:
        """The labels of sets for which words are not enough; and those that have a number."""
        names, numbered = self._with_options(), set[Place]()
        while alike := _alike(names):  # with its number, too, a label may be another's words
            for place in alike:
                names[place] += f" #{self._number(place)}"
            numbered |= alike
        return names, numbered

    def _with_options(self) -> dict[Place, str]:
        """The labels that several sets have, or might have then; options are added as in trees."""
        names = {}
        for label, places in self._suspects().items():
            words = {place: self._own[place[0]].words[place[1]] for place in places}
            often = Counter(words.values())
            for place in places:
                options = BETWEEN.join(map(text, self._own[place[0]].menu))
                names[place] = f"{label} {{{options}}}" if often[words[place]] > 1 else label
        return names

    def _suspects(self) -> dict[str, list[Place]]:
        """By label, sets that may read like others: as they are, or with options or a number."""
        every = (hash(self._label(words)) for one in self._own for words in one.words)
        found, times = np.unique(np.fromiter(every, np.int64, len(self)), return_counts=True)
        often = set(found[times > 1].tolist())
        by_label: dict[str, list[Place]] = {}
        for number, one in enumerate(self._own if often else ()):
            for at, label in enumerate(map(self._label, one.words)):
                if hash(label) in often or label.endswith("}") or " #" in label:
                    by_label.setdefault(label, []).append((number, at))
        return by_label

    def _number(self, place: Place) -> int:
        return int(self._first[place[0]]) + place[1]

    @cached_property
    def _first(self) -> Longs:
        return first_numbers(self._solution.form, self._player)


def first_numbers(form: PublicForm, player: int) -> Longs:
    """[decision] the number of its first set; they count on from 1 through those of player one."""
    before = 1 + (form.infosets[0] if player else 0)
    return before + np.cumsum([0, *map(len, form.decisions[player])], dtype=np.int64)[:-1]


def _alike(names: Mapping[Place, str]) -> set[Place]:
    """The places whose names others have too."""
    often = Counter(names.values())
    return {place for place, name in names.items() if often[name] > 1}


Whole = npt.NDArray[Any]  # Python's integers, or fractions


class Exactly:
    """The same answers as a solution gives in floats, where its plans are exact."""

    def __init__(self, solution: PublicSolution) -> None:
        """Of a solution that has exact weights."""
        assert solution.weights is not None
        self._form: PublicForm = solution.form
        self._over = [own.numerators.astype(object) for own in solution.weights]
        self._under = [own.denominator for own in solution.weights]
        self._known: dict[tuple[int, int], Whole] = {}  # by player and decision: what is let in

    @classmethod
    def of(cls, solution: PublicSolution) -> Exactly | None:
        """Of any solution; None where its plans are floats.

        >>> from infoset.forms.public import public_form
        >>> from infoset.games import kuhn
        >>> from infoset.solvers.public import solve_public
        >>> found = Exactly.of(solve_public(public_form(kuhn())))
        >>> sorted(str(bets) for bets in found.probabilities(1, 1)[1])
        ['0', '1', '1/3']
        >>> sorted(str(value) for value in found.values(1, 0))
        ['-1', '0', '7/6']
        >>> Exactly.of(solve_public(public_form(kuhn()), iterations=9)) is None
        True
        """
        return None if solution.weights is None else cls(solution)

    def probabilities(self, player: int, decision: int) -> Whole:
        """[option, set] how likely a player takes an option; even where it never comes there."""
        one, begin = self._form.decisions[player][decision], self._form.begins[player][decision]
        own = self._over[player][begin : begin + len(one.menu) * len(one)]
        own = own.reshape(len(one.menu), len(one))
        even, found = Fraction(1, len(own)), np.empty(own.shape, object)
        for at, whole in enumerate(own.sum(axis=0)):
            found[:, at] = [Fraction(over, whole) if whole else even for over in own[:, at]]
        return found

    def reach(self, player: int, decision: int) -> Whole:
        """[set] how likely the play comes there."""
        one = self._form.decisions[player][decision]
        before = self._over[player][self._form.leading_to(one)]
        return np.asarray(before * self._let(player, decision) * Fraction(1, self._under[player]))

    def values(self, player: int, decision: int) -> Whole:
        """[set] what the player expects when it is there; None where the others never let it."""
        let = self._let(player, decision)
        more = self._form.total if player else Fraction(0)
        found = np.full(len(let), None, object)
        for at, (worth, through) in enumerate(
            zip(self._worths[player][decision], let, strict=True)
        ):
            found[at] = worth / through + more if through else None
        return found

    def _let(self, player: int, decision: int) -> Whole:
        """[set] how likely nature and the other player let the play come there."""
        if (player, decision) not in self._known:
            one, other = self._form.decisions[player][decision], 1 - player
            let = counterfactual_reach(self._form, player, one, self._over[other])
            self._known[player, decision] = let * Fraction(1, self._under[other])
        return self._known[player, decision]

    @cached_property
    def _worths(self) -> tuple[list[Whole], list[Whole]]:
        """[player][decision][set] payoffs by the plans, times how likely the others let it come."""
        return self._worth(0), self._worth(1)

    def _worth(self, player: int) -> list[Whole]:
        form = self._form
        common = lcm(*(end.factor.denominator for end in form.ends))
        factors = [int(end.factor * common) for end in form.ends]
        scale = Fraction(1, common * self._under[1 - player])
        gets = payoff_gradient(form, player, self._over[1 - player], factors) * scale
        return counterfactual_values(form, player, gets, self.probabilities)


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PublicSolution:
    """A plan for either player, with what was shown of it."""

    form: PublicForm
    plans: tuple[Floats, Floats]  # [player][sequence] weights, as the form numbers sequences
    verified: Verified
    method: str
    because: str = ""  # why this method
    work: Mapping[str, int] = field(default_factory=dict)  # counts: iterations, sequences, ...
    note: str = ""
    seconds: float = 0.0
    convergence: Convergence | None = None  # how its regret fell
    weights: tuple[Numbers, Numbers] | None = None  # the plans exactly, where they were found so

    # ------------------------------------------------------------------ what it is worth

    @property
    def payoffs(self) -> dict[str, Any]:
        """What each player expects."""
        return dict(zip(self.form.players, self.verified.payoffs, strict=True))

    @property
    def value(self) -> Any:
        """What player one gets."""
        return self.verified.payoffs[0]

    @property
    def regrets(self) -> dict[str, Any]:
        """What each player could gain at most by playing otherwise."""
        return dict(zip(self.form.players, self.verified.regrets, strict=True))

    @property
    def regret(self) -> Any:
        """The largest regret."""
        return max(self.verified.regrets)

    @property
    def exploitability(self) -> Any:
        """What both players could gain together, each against the other's plan."""
        return sum(self.verified.regrets)

    @property
    def value_bounds(self) -> tuple[Any, Any]:
        """Where the value of the game lies: what player one makes sure of, and what it can get."""
        one, two = self.verified.most
        total = self.form.total if self.proved else float(self.form.total)
        return total - two, one

    @property
    def proved(self) -> bool:
        """Do the regrets hold in rational arithmetic?"""
        return self.verified.exact

    @property
    def exact(self) -> bool:
        """Is this an equilibrium, proved in rational arithmetic?"""
        return self.proved and not self.regret

    @property
    def certificate(self) -> str:
        """``"exact"``, or the regret, and how it is known."""
        if self.exact:
            return "exact"
        if self.proved:
            return f"regret at most {decimal_above(self.regret)}, proved in rational arithmetic"
        return f"regret about {decimal_near(self.regret, 6)}, computed in floats"

    def __repr__(self) -> str:
        return f"<Solution of {brief(self.form.name)} by {self.method}: {self.certificate}>"

    # ------------------------------------------------------------------ how it shows itself

    def __str__(self) -> str:
        from infoset.display.show import solution_text

        return solution_text(self)

    def _repr_html_(self) -> str:
        from infoset.display.show import solution_html

        return solution_html(self)

    def table(
        self,
        player: str,
        *,
        where: str | Sequence[str] = (),
        fold: bool | None = None,
        rows: range | None = None,
    ) -> Sheet:
        """What a player does, a table for each public history: see :meth:`Solution.table`.

        Where suits are folded, a row stands for all information sets that differ in suits only, and
        ``where`` finds it by the label of any of them.
        """
        from infoset.display.show import solution_sheet

        return solution_sheet(self, player, where=where, fold=fold, rows=rows)

    def plot(
        self, player: str | None = None, file: str | Path | None = None, **options: Any
    ) -> Figure:
        """The probability of each action against what is private: see :meth:`Solution.plot`."""
        from infoset.display.show import plot

        return plot(self, player, file, **options)

    def csv(self, player: str | None = None) -> Iterator[str]:
        """The lines of a file: player, information set, action, probability; a block at a time."""
        from infoset.display.show import solution_csv

        return solution_csv(self, player)

    def on_tree(self, game: Any) -> Solution:
        """The same strategies on the game's tree, proved there; for games that fit into one."""
        from infoset.display.show import on_tree

        return on_tree(self, game)

    def save(self, path: str | Path) -> None:
        """Write to a file; :meth:`load` reads it again."""
        from infoset.solvers.public_store import save_public

        save_public(self, Path(path))

    @classmethod
    def load(cls, path: str | Path, game: Any) -> PublicSolution:
        """Read a solution of this game, or of its public form, and verify it again."""
        from infoset.solvers.public_store import load_public

        return load_public(Path(path), game)

    # ------------------------------------------------------------------ what is done where

    def probabilities(self, player: str | int, decision: int) -> Floats:
        """[option, set] how likely a player takes an option; even where it never comes there."""
        number, one = self._at(player, decision)
        begin = int(self.form.begins[number][decision])
        own = self.plans[number][begin : begin + len(one.menu) * len(one)]
        return conditional_probabilities(own.reshape(len(one.menu), len(one)))

    def reach(self, player: str | int, decision: int) -> Floats:
        """[set] how likely the play comes there."""
        number, one = self._at(player, decision)
        return np.asarray(self.plans[number][self.form.leading_to(one)] * self._let(number, one))

    def values(self, player: str | int, decision: int) -> Floats:
        """[set] what the player expects when it is there; NaN where the others never let it.

        And NaN where floats cannot say it, because payoffs are beyond them.
        """
        number, one = self._at(player, decision)
        let, worth = self._let(number, one), self._worths[number][decision]
        none = np.full(len(one), np.nan)
        paid = np.divide(worth, let, out=none, where=let > 0)
        paid += nearest_float(self.form.total) if number else 0.0
        return np.where(np.isfinite(paid), paid, np.nan)

    @cached_property
    def strategy(self) -> Mapping[str, Mapping[str, Mapping[Hashable, float]]]:
        """By player, by what it knows: how likely each option is."""
        made = {name: Labelled(self, number) for number, name in enumerate(self.form.players)}
        return MappingProxyType(made)

    def _at(self, player: str | int, decision: int) -> tuple[int, Decision]:
        number = player if player in (0, 1) else self.form.player_number(player)  # type: ignore[arg-type]
        own = self.form.decisions[number]
        if not 0 <= decision < len(own):
            raise ParameterError(
                f"decision={decision}: {self.form.players[number]} has {len(own):,}, counted from 0"
            )
        return number, own[decision]

    def _let(self, player: int, one: Decision) -> Floats:
        """[set] how likely nature and the other player let the play come there."""
        return counterfactual_reach(self.form, player, one, self.plans[1 - player])

    @cached_property
    def _worths(self) -> tuple[list[Floats], list[Floats]]:
        """[player][decision][set] payoffs by the plans, times how likely the others let it come."""
        return self._worth(0), self._worth(1)

    def _worth(self, player: int) -> list[Floats]:
        gets = payoff_gradient(self.form, player, self.plans[1 - player])
        gets[~np.isfinite(gets)] = np.nan  # beyond all floats; so is what it is a part of
        return counterfactual_values(self.form, player, gets, self.probabilities)
