"""Strategies on a public form, and what follows from them, computed from the form alone.

:class:`PublicStrategy` and :class:`PublicProfile` are on public forms what
:class:`~infoset.strategy.Behaviour` and :class:`~infoset.strategy.Profile` are on trees: a player's
probabilities; and the payoffs, reach, beliefs, values, best responses and regrets of two of them.

Payoffs, reach and values are computed from the form and the realization plans alone
(:mod:`infoset.forms.public.plans`), exactly where the plans are rational.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import isfinite, lcm
from typing import Any, NamedTuple

import numpy as np

from infoset.errors import NotApplicable, ParameterError, StrategyError, nearest
from infoset.forms.public.labels import Place
from infoset.forms.public.plans import (
    GRID,
    Amounts,
    Floats,
    best_actions_off_path,
    best_response_plan,
    best_response_values,
    changed_response_value,
    changed_weights,
    conditional_probabilities,
    counterfactual_reach,
    ends_reached,
    in_floats,
    payoff_gradient,
    rounded_weights,
    sequence_values,
    share_out,
)
from infoset.forms.public.record import (
    NOT_YET,
    Decision,
    Longs,
    Meeting,
    PublicForm,
    next_meetings,
)
from infoset.linear.numbers import Number, Numbers, integer_sum, nearest_float
from infoset.text import brief
from infoset.tree.knowledge import labels_of_view
from infoset.vectorized.symmetry import Cards, Symmetry, moved

PROVABLE = 200_000  # entries at all ends, up to which regrets are proved by default
MOST_COMPARED = 3000  # labels among which the nearest is looked for


# ---------------------------------------------------------------------- strategies


@dataclass(frozen=True, eq=False, repr=False)
class PublicStrategy(Mapping[str, dict[Hashable, Any]]):
    """A strategy of one player on a public form.

    Read as a mapping, from the label of an information set to the probabilities of its actions, as
    :class:`~infoset.strategy.Behaviour` is on a tree.

    Parameters
    ----------
    form : PublicForm
        The game.
    player : str
        Whose strategy it is.
    plan : Numbers
        [sequence] the realization weight of each sequence, as the form numbers them; rationals, or
        floats.
    local : ndarray, optional
        [sequence] a number in proportion to the probability of its last action. It counts where the
        plan lets no play come; without it, or if all are 0, actions are equally likely there.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> PublicStrategy.uniform(kuhn().public(), "dealer")["Q, bet"]
    {'pass': Fraction(1, 2), 'bet': Fraction(1, 2)}
    """

    form: PublicForm
    player: str
    plan: Numbers
    local: Amounts | None = None

    @property
    def number(self) -> int:
        """The player, 0 or 1."""
        return self.form.player_number(self.player)

    @property
    def exact(self) -> bool:
        """Rationals, not floats?"""
        return self.plan.exact

    def probabilities(self, decision: int) -> Amounts:
        """[action, set] the probability of each action at the information sets of a decision.

        Parameters
        ----------
        decision : int
            Its number among the player's.

        Returns
        -------
        ndarray
            [action, set] Fractions or floats.
        """
        one = self.form.decisions[self.number][decision]
        own = self.form.sequences_at(self.number, decision)
        shape = (len(one.menu), len(one))
        weights = self.plan.numerators[own].reshape(shape)
        local = None if self.local is None else self.local[own].reshape(shape)
        if self.exact:
            return _exact_conditional(weights, local)
        found = conditional_probabilities(weights)
        if local is None:
            return found
        return np.where(weights.sum(axis=0) > 0, found, conditional_probabilities(local))

    @classmethod
    def uniform(cls, form: PublicForm, player: str) -> PublicStrategy:
        """Every action with the same probability.

        Parameters
        ----------
        form : PublicForm
            The game.
        player : str
            By name.

        Returns
        -------
        PublicStrategy
            Exact.
        """
        local = [Fraction(1)]
        for one in form.decisions[form.player_number(player)]:
            local += [Fraction(1, len(one.menu))] * (len(one.menu) * len(one))
        return cls.from_probabilities(form, player, np.array(local, object))

    @classmethod
    def from_probabilities(cls, form: PublicForm, player: str, local: Amounts) -> PublicStrategy:
        """A strategy from the probability of every sequence's last action.

        Of fractions the realization weights are their products. Of floats they are whole multiples
        of 2^-52, which is exact, too, and nearly the same (see :func:`rounded_plan`).

        Parameters
        ----------
        form : PublicForm
            The game.
        player : str
            By name.
        local : ndarray
            [sequence] the probability of its last action; 1 for the empty sequence.

        Returns
        -------
        PublicStrategy
            The strategy.
        """
        number = form.player_number(player)
        if local.dtype != object:
            weights = rounded_weights(form, number, local)
            return cls(form, player, Numbers(weights, GRID), local)
        products = np.full(len(local), Fraction(1), object)
        share_out(form, number, local, products, np.multiply)
        return cls(form, player, Numbers.of(products.tolist()), local)

    def inexact(self) -> PublicStrategy:
        """The same in floats."""
        local = None if self.local is None else self.local.astype(np.float64)
        return PublicStrategy(self.form, self.player, self.plan.inexact(), local)

    def changed(self, rows: Mapping[Place, Sequence[Any]]) -> PublicStrategy:
        """A strategy that does otherwise at some information sets, and the same elsewhere.

        Parameters
        ----------
        rows : mapping
            By decision and set there: the probabilities of its actions, which are not checked.

        Returns
        -------
        PublicStrategy
            Rational if this one is and the probabilities are.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> even = PublicStrategy.uniform(kuhn().public(), "dealer")
        >>> even.changed({even.place("Q, bet"): (1, 0)})["Q, bet"]
        {'pass': Fraction(1, 1), 'bet': Fraction(0, 1)}
        """
        return self._changed(rows)[0]

    def _changed(self, rows: Mapping[Place, Sequence[Any]]) -> tuple[PublicStrategy, Longs]:
        """The same, and the sequences whose weights were computed anew, in order."""
        form, number, local = self.form, self.number, self._local.copy()
        for (decision, at), row in rows.items():
            own = local[form.sequences_at(number, decision)].reshape(len(row), -1)
            own[:, at] = [Fraction(one) if self.exact else float(one) for one in row]
        weights = self._weights.copy()
        sequences, anew = changed_weights(form, number, weights, local, rows)
        weights[sequences] = anew
        plan = Numbers.of(weights.tolist()) if self.exact else Numbers(weights)
        return PublicStrategy(form, self.player, plan, local), sequences

    @cached_property
    def _local(self) -> Amounts:
        """[sequence] the probability of its last action; 1 for the empty sequence."""
        parts = [self.probabilities(one) for one in range(len(self.form.decisions[self.number]))]
        first = np.array([Fraction(1) if self.exact else 1.0])
        return np.concatenate([first, *(own.reshape(-1) for own in parts)])

    @property
    def _weights(self) -> Amounts:
        """[sequence] the realization weights: fractions or floats."""
        if not self.exact:
            return self.plan.floats
        whole = self.plan.numerators.astype(object)
        return np.asarray(whole * Fraction(1, self.plan.denominator))

    # ------------------------------------------------------------------ as a mapping

    def place(self, known: Hashable) -> Place | None:
        """The decision, and the set there, that a label or the view of a position names.

        Where suits are folded, a view is found whatever its suits are: one of the views that
        permutations of suits make of it is the form's, and strategies are the same at all of them.

        Parameters
        ----------
        known : str, or a view
            As :meth:`Position.view` gives it to the player who moves.

        Returns
        -------
        (int, int) or None
            None if the player has no such information set.

        Examples
        --------
        >>> from infoset.games import leduc
        >>> strategy = PublicStrategy.uniform(leduc().public(), "one")
        >>> spades, hearts = (
        ...     leduc().position().after(deal).view("one") for deal in ("J♠ Q♠", "J♥ Q♠")
        ... )
        >>> strategy.place(spades) == strategy.place(hearts)
        True
        """
        labels = self.form.labels[self.number]
        if isinstance(known, str):
            return labels.get(known)
        for cards in self._suits:
            for label in labels_of_view(moved(known, cards)):
                if label in labels:
                    return labels[label]
        return None

    @cached_property
    def _suits(self) -> Sequence[Cards]:
        """The permutations of suits that the form has folded; the first is the identity."""
        return [{}] if self.form.deck is None else Symmetry(self.form.deck).cards

    def __getitem__(self, label: str) -> dict[Hashable, Any]:
        """The probabilities at an information set, by its label or the view of a position."""
        place = self.place(label)
        if place is None:
            labels = self.form.labels[self.number]
            said = label if isinstance(label, str) else labels_of_view(label)[0]
            raise StrategyError(
                f"{brief(self.form.name)}: {brief(self.player)} has no information set"
                f" {said!r:.80}; {nearest(said, islice(labels, MOST_COMPARED))}"
            )
        decision, at = place
        found = self.probabilities(decision)[:, at].tolist()
        menu = self.form.decisions[self.number][decision].menu
        return dict(zip(menu, found, strict=True))

    def __contains__(self, label: object) -> bool:
        return label in self.form.labels[self.number]

    def __iter__(self) -> Iterator[str]:
        return iter(self.form.labels[self.number])

    def __len__(self) -> int:
        return len(self.form.labels[self.number])

    def __repr__(self) -> str:
        return f"<Public strategy of {brief(self.player)}: {len(self):,} information sets>"


def _exact_conditional(weights: Amounts, local: Amounts | None) -> Amounts:
    """[action, set] integer weights as fractions of their sums."""
    found = np.empty(weights.shape, object)
    even = Fraction(1, len(weights)) if len(weights) else Fraction(1)
    for at, whole in enumerate(weights.sum(axis=0).tolist()):
        if whole:
            found[:, at] = [Fraction(int(over), int(whole)) for over in weights[:, at]]
        else:
            found[:, at] = even if local is None else _fractions(local[:, at])
    return found


def _fractions(local: Amounts) -> list[Fraction]:
    """[action] the probabilities at a set; floats as multiples of 2^-52 that sum to 1."""
    given = local.tolist()
    if not any(given):
        return [Fraction(1, len(given))] * len(given)
    if local.dtype != np.float64:
        return [Fraction(one) / sum(given) for one in given]
    parts = [int(probability * GRID) for probability in (local / local.sum()).tolist()]
    parts[parts.index(max(parts))] += GRID - sum(parts)
    return [Fraction(part, GRID) for part in parts]


@dataclass(frozen=True, eq=False, repr=False)
class PublicResponse:
    """A best response on a public form: its value, and a pure strategy that attains it."""

    form: PublicForm
    player: str
    value: Number
    strategy: PublicStrategy
    how: str = "exact"

    def __repr__(self) -> str:
        return f"<Best response of {brief(self.player)}: value {self.value}>"


@dataclass(frozen=True, eq=False, repr=False)
class PublicProfile:
    """A strategy for each player of a public form, and what follows from them.

    The counterpart of :class:`~infoset.strategy.Profile`, which is for trees. Players are given by
    name or by number, decisions by their number among the player's.

    Parameters
    ----------
    form : PublicForm
        The game.
    strategies : tuple of PublicStrategy
        [player] one for each.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> form = kuhn().public()
    >>> one, two = (PublicStrategy.uniform(form, name) for name in form.players)
    >>> at_random = PublicProfile(form, (one, two))
    >>> at_random.payoffs
    {'gambler': Fraction(1, 8), 'dealer': Fraction(-1, 8)}
    >>> at_random.regrets
    {'gambler': Fraction(3, 8), 'dealer': Fraction(13, 24)}
    """

    form: PublicForm
    strategies: tuple[PublicStrategy, PublicStrategy]

    @property
    def players(self) -> tuple[str, str]:
        """Their names, in order."""
        return self.form.players

    @cached_property
    def exact(self) -> bool:
        """Are both strategies rational?"""
        return all(strategy.exact for strategy in self.strategies)

    def __getitem__(self, player: str) -> PublicStrategy:
        """A player's strategy."""
        return self.strategies[self.form.player_number(player)]

    def __iter__(self) -> Iterator[PublicStrategy]:
        """The strategies, in the order of the players."""
        return iter(self.strategies)

    def __repr__(self) -> str:
        return f"<Profile of the public form of {brief(self.form.name)}>"

    def changed(self, rows: Mapping[str, Mapping[Place, Sequence[Any]]]) -> PublicProfile:
        """A profile in which players do otherwise at some information sets.

        Payoffs and best responses of the other profile are computed from those of this one.

        Parameters
        ----------
        rows : mapping
            By player: as :meth:`PublicStrategy.changed` takes them.

        Returns
        -------
        PublicProfile
            Exact if this one is.
        """
        nothing = np.zeros(0, np.int64)
        one, two = (
            own._changed(rows[own.player]) if rows.get(own.player) else (own, nothing)
            for own in self
        )
        made = PublicProfile(self.form, (one[0], two[0]))
        if not self.exact:
            _take_over(made, self, (one[1], two[1]))
        return made

    def inexact(self) -> PublicProfile:
        """The same in floats."""
        one, two = (strategy.inexact() for strategy in self.strategies)
        return PublicProfile(self.form, (one, two))

    @cached_property
    def completed(self) -> PublicProfile:
        """The same with a best response where a player's own plan lets no play come.

        An equilibrium leaves open what a player does there. Where chance and the other player let a
        play come, the best response to the other's plan is filled in, of equal actions the first;
        elsewhere a choice stays uniform. Payoffs and regrets do not change.
        """
        one, two = (self._completed(number) for number in range(2))
        found = PublicProfile(self.form, (one, two))
        for name in ("_gradients", "_reached"):  # they follow from the plans, which are the same
            found.__dict__[name] = getattr(self, name)
        return found

    def _completed(self, number: int) -> PublicStrategy:
        own = self.strategies[number]
        if own.local is not None:  # it says itself what it does there
            return own
        gradient, _ = self._gradients[number]
        first, second = (strategy.plan.numerators for strategy in self.strategies)
        local = best_actions_off_path(self.form, number, gradient, (first, second))
        return PublicStrategy(self.form, own.player, own.plan, local)

    # ------------------------------------------------------------------ payoffs and regret

    @cached_property
    def payoffs(self) -> dict[str, Number]:
        """By player: the expected payoff."""
        form, plan = self.form, self.strategies[0].plan
        gradient, unit = self._gradients[0]
        if self.exact:
            whole = int(plan.numerators.astype(object) @ gradient)
            value: Any = whole * unit / plan.denominator
            return dict(zip(form.players, (value, form.total - value), strict=True))
        with np.errstate(invalid="ignore"):  # infinite less infinite; refused below
            value = self._finite(float(plan.floats @ gradient))
        return dict(zip(form.players, (value, nearest_float(form.total) - value), strict=True))

    @cached_property
    def best_response_values(self) -> dict[str, Number]:
        """By player: the payoff of its best response to the other's strategy."""
        found = {}
        for number, name in enumerate(self.players):
            best = self._response_values[number][0]
            total = self.form.total if number else Fraction(0)
            if self.exact:
                found[name] = int(best) * self._gradients[number][1] + total
            else:
                found[name] = self._finite(float(best) + nearest_float(total))
        return found

    @cached_property
    def _response_values(self) -> tuple[Amounts, Amounts]:
        """[player][sequence] what it earns with the best of all that follows."""
        with np.errstate(invalid="ignore"):
            one, two = (
                best_response_values(self.form, number, self._gradients[number][0])
                for number in range(2)
            )
        return one, two

    @cached_property
    def regrets(self) -> dict[str, Number]:
        """By player: what it gains by its best response; in floats not less than 0."""
        gains = {
            name: self.best_response_values[name] - self.payoffs[name] for name in self.players
        }
        return gains if self.exact else {name: max(gain, 0.0) for name, gain in gains.items()}

    @property
    def regret(self) -> Number:
        """The largest of the regrets; 0 exactly in equilibrium."""
        return max(self.regrets.values())

    @property
    def exploitability(self) -> Number:
        """The sum of the regrets."""
        return sum(self.regrets.values())

    def best_response(self, player: str | int) -> PublicResponse:
        """The best that a player can do against the other's strategy.

        Parameters
        ----------
        player : str or int
            By name or by number.

        Returns
        -------
        PublicResponse
            A pure strategy and its value.
        """
        number, name = self._player(player)
        gradient, _ = self._gradients[number]
        strategy = PublicStrategy(self.form, name, *best_response_plan(self.form, number, gradient))
        strategy = strategy if self.exact else strategy.inexact()
        how = "exact" if self.exact else "in floats"
        return PublicResponse(self.form, name, self.best_response_values[name], strategy, how)

    def _finite(self, value: float) -> float:
        if not isfinite(value):
            raise NotApplicable(
                f"{brief(self.form.name)}: payoffs are beyond floats; ask for an exact answer, or"
                " solve its tree"
            )
        return value

    @cached_property
    def _origin(self) -> tuple[PublicProfile, tuple[Amounts, Amounts]] | None:
        """The profile that this one was made from, and how much more sequences earn since then."""
        return None

    @cached_property
    def _gradients(self) -> tuple[tuple[Amounts, Any], tuple[Amounts, Any]]:
        if self._origin is not None:
            before, (one, two) = self._origin
            (first, _), (second, _) = before._gradients
            return (first + one, 1.0), (second + two, 1.0)
        return self._gradient(0), self._gradient(1)

    def _gradient(self, player: int) -> tuple[Amounts, Any]:
        """[sequence] what it earns against the other's plan, and the unit of these numbers."""
        other = self.strategies[1 - player].plan
        if not self.exact:
            return payoff_gradient(self.form, player, other.floats), 1.0
        common = lcm(*(end.factor.denominator for end in self.form.leaves))
        factors = [int(end.factor * common) for end in self.form.leaves]
        whole = other.numerators.astype(object)
        unit = Fraction(1, common * other.denominator)
        return payoff_gradient(self.form, player, whole, factors), unit

    # ------------------------------------------------------------------ at a decision

    def probabilities(self, player: str | int, decision: int) -> Amounts:
        """[action, set] the probability of each action at the information sets of a decision.

        Parameters
        ----------
        player : str or int
            By name or by number.
        decision : int
            Its number among the player's.

        Returns
        -------
        ndarray
            [action, set] Fractions or floats.
        """
        number, _ = self._at(player, decision)
        return self.strategies[number].probabilities(decision)

    def reach(self, player: str | int, decision: int) -> Amounts:
        """The probability of reaching each information set of a decision.

        Parameters
        ----------
        player : str or int
            By name or by number.
        decision : int
            Its number among the player's.

        Returns
        -------
        ndarray
            [set] Fractions or floats.
        """
        number, one = self._at(player, decision)
        plan = self.strategies[number].plan
        own = plan.numerators[self.form.leading_to(one)]
        if self.exact:
            own = own.astype(object) * Fraction(1, plan.denominator)
        return np.asarray(own * self.counterfactual_reach(number, decision))

    def counterfactual_reach(self, player: str | int, decision: int) -> Amounts:
        """The probability that chance and the other player reach each set of a decision.

        Parameters
        ----------
        player : str or int
            By name or by number.
        decision : int
            Its number among the player's.

        Returns
        -------
        ndarray
            [set] Fractions or floats.
        """
        number, one = self._at(player, decision)
        if (number, decision) not in self._reached:
            other = self.strategies[1 - number].plan
            weights = other.numerators.astype(object) if self.exact else other.floats
            found = counterfactual_reach(self.form, number, one, weights)
            found = found * Fraction(1, other.denominator) if self.exact else found
            found.flags.writeable = False  # it is kept
            self._reached[number, decision] = found
        return self._reached[number, decision]

    @cached_property
    def _reached(self) -> dict[tuple[int, int], Amounts]:
        return {}

    def values(self, player: str | int, decision: int) -> Amounts:
        """What the player expects at each information set of a decision.

        Parameters
        ----------
        player : str or int
            By name or by number.
        decision : int
            Its number among the player's.

        Returns
        -------
        ndarray
            [set] None (in floats NaN) where the counterfactual reach is 0; NaN where payoffs are
            beyond floats.
        """
        number, _ = self._at(player, decision)
        taken = self.strategies[number].probabilities(decision)
        after = self._sequence_values[number][self.form.sequences_at(number, decision)]
        return self._conditional(number, decision, (taken * after.reshape(taken.shape)).sum(axis=0))

    def action_values(self, player: str | int, decision: int) -> Amounts:
        """What the player expects after each action at the sets of a decision.

        Parameters
        ----------
        player : str or int
            By name or by number.
        decision : int
            Its number among the player's.

        Returns
        -------
        ndarray
            [action, set] None or NaN as in :meth:`values`.
        """
        number, one = self._at(player, decision)
        after = self._sequence_values[number][self.form.sequences_at(number, decision)]
        return self._conditional(number, decision, after.reshape(len(one.menu), len(one)))

    def _conditional(self, player: int, decision: int, values: Amounts) -> Amounts:
        """Counterfactual values over counterfactual reach, with the constant of the game added."""
        reach = np.broadcast_to(self.counterfactual_reach(player, decision), values.shape)
        more = self.form.total if player else Fraction(0)
        if not self.exact:
            none = np.full(values.shape, np.nan)
            found = np.divide(values, reach, out=none, where=reach > 0)
            found += nearest_float(more)
            return np.where(np.isfinite(found), found, np.nan)
        pairs = zip(values.reshape(-1), reach.reshape(-1), strict=True)
        made = np.empty(values.size, object)
        made[:] = [value / let + more if let else None for value, let in pairs]
        return made.reshape(values.shape)

    @cached_property
    def _sequence_values(self) -> tuple[Amounts, Amounts]:
        """[player][sequence] the counterfactual value of its last action."""
        found = []
        for player in range(2):
            gradient, unit = self._gradients[player]
            if self.exact:
                gradient = gradient * unit
            else:
                gradient = np.where(np.isfinite(gradient), gradient, np.nan)  # beyond floats
            found.append(sequence_values(self.form, player, gradient, self.probabilities))
        return found[0], found[1]

    # ------------------------------------------------------------------ beliefs

    def beliefs(self, player: str | int, decision: int, at: int) -> dict[Place, Any] | None:
        """How likely the other player is at each of its information sets.

        Bayes' rule: the probability that chance makes the two sets meet, times the weight of what
        the other player did last, over the sum of these.

        Parameters
        ----------
        player : str or int
            By name or by number.
        decision : int
            Its number among the player's.
        at : int
            The number of the information set at the decision.

        Returns
        -------
        dict or None
            By decision and set of the other player: where it chose last, or will choose next if it
            has not chosen yet. None if no play comes there, or if it is not known where the other
            player will choose.
        """
        found: dict[Place, Any] = {}
        for other, sets, probabilities in self.belief_arrays(player, decision, at) or ():
            for one, probability in zip(sets.tolist(), probabilities.tolist(), strict=True):
                found[other, one] = found.get((other, one), 0) + probability
        return found or None

    def belief_arrays(
        self, player: str | int, decision: int, at: int
    ) -> list[tuple[int, Longs, Amounts]] | None:
        """The same as arrays: the other's decisions, its sets there, and how likely they are.

        Parameters
        ----------
        player : str or int
            By name or by number.
        decision : int
            Its number among the player's.
        at : int
            The number of the information set at the decision.

        Returns
        -------
        list of tuples, or None
            A decision may be there several times; then probabilities are to be added.
        """
        number, _ = self._at(player, decision)
        met = self._met(number, decision) or ()
        parts = [part for one in met if (part := self._met_by(number, at, one)) is not None]
        whole = sum(weights.sum() for _, _, weights in parts)
        return [(other, sets, own / whole) for other, sets, own in parts] if whole else None

    def has_beliefs(self, player: str | int, decision: int) -> bool:
        """Is it known where the other player chose last, or will choose next?

        Parameters
        ----------
        player : str or int
            By name or by number.
        decision : int
            Its number among the player's.

        Returns
        -------
        bool
            If not, :meth:`beliefs` are None there.
        """
        number, _ = self._at(player, decision)
        return self._met(number, decision) is not None

    def _met(self, player: int, decision: int) -> list[_MetDecision] | None:
        """The other player's decisions that beliefs are about, and how they are met."""
        if (player, decision) not in self._met_at:  # the same for all sets of the decision
            self._met_at[player, decision] = self._find_met(player, decision)
        return self._met_at[player, decision]

    @cached_property
    def _met_at(self) -> dict[tuple[int, int], list[_MetDecision] | None]:
        return {}

    def _find_met(self, player: int, decision: int) -> list[_MetDecision] | None:
        meetings = self.form.decisions[player][decision].meetings
        if all(one.last[0] != NOT_YET for one in meetings):
            return [
                _MetDecision(one.last[0], one, self._weights(1 - player, one.last))
                for one in meetings
            ]
        after = self._next[player].get(decision, [])
        if len(meetings) > 1 or not after:
            return None
        options: dict[int, list[_MetDecision]] = {}
        for other, meeting in after:
            options.setdefault(meeting.last[1], []).append(_MetDecision(other, meeting, None))
        return max(options.values(), key=self._mass)

    @cached_property
    def _next(self) -> tuple[dict[int, list[tuple[int, Meeting]]], ...]:
        return tuple(next_meetings(self.form, player) for player in range(2))

    def _weights(self, player: int, last: tuple[int, int]) -> Amounts:
        """[set] the weight of an action at a decision in a player's plan."""
        first, size = self.form.first(player, last), len(self.form.decisions[player][last[0]])
        return self.strategies[player].plan.numerators[first : first + size]

    def _mass(self, met: list[_MetDecision]) -> Fraction:
        """The probability, by chance alone, that the other player chooses there."""
        sums = (
            one.meeting.factor
            * sum(
                integer_sum(block.entries) for block in self.form.tables[one.meeting.table].blocks
            )
            for one in met
        )
        return sum(sums, Fraction(0))

    def _met_by(self, player: int, at: int, met: _MetDecision) -> tuple[int, Longs, Amounts] | None:
        """The other player's sets that a set can meet in a table, with their joint weights."""
        blocks = self._blocks(player, met.meeting.table)
        if at >= len(blocks) or blocks[at] < 0:
            return None
        block = self.form.tables[met.meeting.table].blocks[blocks[at]]
        mine, theirs, entries = block.rows, block.columns, block.entries
        if player:
            mine, theirs, entries = theirs, mine, entries.T
        row = entries[np.flatnonzero(mine == at)[0]]
        if self.exact:
            row = row.astype(object) * met.meeting.factor
        else:
            floats, shared = in_floats(row)
            row = floats * float(met.meeting.factor * shared)
        weights = row if met.weights is None else row * met.weights[theirs]
        possible = np.flatnonzero(row > 0)
        return met.decision, theirs[possible], weights[possible]

    def _blocks(self, player: int, table: int) -> Longs:
        """[own set] the block of a table that contains it, or -1."""
        if (player, table) not in self._block_of:
            blocks = self.form.tables[table].blocks
            sides = [block.columns if player else block.rows for block in blocks]
            found = np.full(1 + max(int(side.max()) for side in sides), -1, np.int64)
            for number, side in enumerate(sides):
                found[side] = number
            self._block_of[player, table] = found
        return self._block_of[player, table]

    @cached_property
    def _block_of(self) -> dict[tuple[int, int], Longs]:
        return {}

    # ------------------------------------------------------------------ who, and where

    def _player(self, player: str | int) -> tuple[int, str]:
        number = self.form.player_number(player) if isinstance(player, str) else player
        return number, self.form.players[number]

    def _at(self, player: str | int, decision: int) -> tuple[int, Decision]:
        number, name = self._player(player)
        own = self.form.decisions[number]
        if not 0 <= decision < len(own):
            raise ParameterError(
                f"decision={decision}: {brief(name)} has {len(own):,}, counted from 0"
            )
        return number, own[decision]


class _MetDecision(NamedTuple):
    """A decision of the other player, the table in which it is met, and the weights of its sets."""

    decision: int
    meeting: Meeting
    weights: Amounts | None  # [set] in the other's plan; None if it has not chosen yet


def _take_over(made: PublicProfile, before: PublicProfile, moved: tuple[Longs, Longs]) -> None:
    """What follows from a change of the weights of some sequences, given in order for each player.

    Payoffs are a bilinear form of the two plans: x·A·y becomes x·A·y + δx·A·y + (x + δx)·A·δy,
    and δy reaches few ends.
    """
    form, paid = made.form, float(before.payoffs[made.players[0]])
    more: list[Amounts] = []
    best: dict[str, Number] = {}
    differences = [
        after.plan.floats[own] - usual.plan.floats[own]
        for after, usual, own in zip(made, before, moved, strict=True)
    ]
    for player, name in enumerate(made.players):
        weights = np.zeros(form.sequences[1 - player])
        weights[moved[1 - player]] = differences[1 - player]
        ends = ends_reached(form, 1 - player, moved[1 - player])
        change = payoff_gradient(form, player, weights, ends=ends)
        decisions = {form.leaves[end].last[player][0] for end in ends}
        known = before._response_values[player]
        worth = float(changed_response_value(form, player, known, change, decisions))
        best[name] = made._finite(worth + (nearest_float(form.total) if player else 0.0))
        if player == 0:
            plan = made.strategies[0].plan.floats
            paid += float(differences[0] @ before._gradients[0][0][moved[0]])
            paid += float(plan[0] * change[0])
            for own in (form.sequences_at(0, one) for one in decisions if one != NOT_YET):
                paid += float(plan[own] @ change[own])
        more.append(change)
    paid = made._finite(paid)
    made.__dict__["payoffs"] = dict(
        zip(form.players, (paid, nearest_float(form.total) - paid), strict=True)
    )
    made.__dict__["best_response_values"] = best
    made.__dict__["_origin"] = (before, (more[0], more[1]))


def public_profile(
    form: PublicForm, plans: Sequence[Floats | Numbers], exact: bool = False
) -> PublicProfile:
    """The profile of two plans, given by the weights of their sequences.

    Parameters
    ----------
    form : PublicForm
        The game.
    plans : sequence of ndarray or Numbers
        [player] the weight of each sequence.
    exact : bool
        Take floats for the rationals that they are: whole multiples of 2^-52, as
        :func:`rounded_plan` makes them.

    Examples
    --------
    >>> from infoset.solvers.cfr.public_layout import pennies
    >>> always_heads, even = np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.5, 0.5])
    >>> list(public_profile(pennies(), (always_heads, even), exact=True).regrets.values())
    [Fraction(0, 1), Fraction(1, 1)]
    """
    strategies = []
    for name, plan in zip(form.players, plans, strict=True):
        if not isinstance(plan, Numbers):
            plan = Numbers((plan * GRID).astype(np.int64), GRID) if exact else Numbers(plan)
        strategies.append(PublicStrategy(form, name, plan))
    return PublicProfile(form, (strategies[0], strategies[1]))
