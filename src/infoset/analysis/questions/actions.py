"""Values of the actions at an information set, and the cost of deviating there.

With v(a) the player's value of action a, given that it is at the set and all later choices follow
the strategies, the regret of a is max v − v(a). Playing q instead of p at this set, and nowhere
else, changes the player's value there by Σ (q(a) − p(a)) v(a), and its payoff by that times the
probability that the set is reached.

Neither is defined for an absent-minded player: its choice at one visit of a set is its choice at
the other. And a mixed strategy that has no equivalent behaviour strategy has no probabilities at a
set to change.

If the strategies are not exact, values of equally good actions differ by a little. Those count as
best whose regret is no larger than the solution's own, or than rounding errors.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.analysis.questions.answer import (
    Answer,
    Subject,
    asked_about,
    is_solved,
    played,
    rounding,
)
from infoset.analysis.questions.mistakes import unreached_note
from infoset.analysis.questions.names import name_of, place
from infoset.analysis.table import NUMBER, PROBABILITY, Column, Sheet, Table
from infoset.errors import NotApplicable, StrategyError
from infoset.strategy import Profile
from infoset.strategy.convert import Given
from infoset.strategy.equivalence import as_behaviour
from infoset.strategy.infosets import Playable
from infoset.strategy.strategy import action_number, distinct_actions, given_probability
from infoset.text import (
    amount_text,
    bounded_number,
    decimal_above,
    label_text,
    number_text,
    repr_text,
    text,
)
from infoset.tree import Infoset


@dataclass(frozen=True)
class ActionValue:
    """One action of an information set."""

    action: Hashable
    probability: Any
    value: Any  # what the player expects after it; None if beliefs are undefined
    regret: Any  # how much less that is than the value of the best action
    best: bool


@dataclass(frozen=True, repr=False)
class ActionValues(Answer):
    """The probability, value and regret of every action of an information set."""

    infoset: Infoset
    reach: Any  # the probability that it is reached
    value: Any  # what the player expects there; None if beliefs are undefined
    actions: tuple[ActionValue, ...]
    note: str

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"reach": self.reach, "value": self.value}

    @property
    def table(self) -> Table:
        """A row for each action."""
        columns = (
            Column("action"),
            Column("probability", PROBABILITY),
            Column("value", NUMBER),
            Column("regret", NUMBER),
            Column("best"),
        )
        rows = [
            (text(one.action), one.probability, one.value, one.regret, "best" if one.best else "")
            for one in self.actions
        ]
        return Table(f"actions of {name_of(self.infoset)}", columns, rows, self.note)


def action_values(
    subject: Subject | Given, infoset: Infoset | str, *, game: Playable | None = None
) -> ActionValues:
    """The probability, value and regret of every action at an information set.

    Nodes are weighted by their counterfactual reach, so that values are defined also if only the
    player's own choices exclude the set; and if a set has a single node.

    Parameters
    ----------
    subject : Solution, Profile, or anything with ``game``
        Strategies for all players.
    infoset : Infoset or str
        An information set of their tree, or its name, such as ``"dealer: K, bet"``.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    ActionValues
        An :class:`ActionValue` for each action, the player's value, and the reach of the set.

    Raises
    ------
    NotApplicable
        If the player is absent-minded, or its mixed strategy has no equivalent behaviour strategy.
    InfosetError
        If there is no such information set.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> for one in action_values(solve(kuhn()), "dealer: K, bet").actions:
    ...     print(one.action, one.value, one.regret, one.best)
    pass -1 3 False
    bet 2 0 True
    """
    subject = asked_about(subject, game)
    profile = played(subject)
    subject = subject if is_solved(subject) else profile
    here = place(profile.tree, infoset)
    probabilities = _probabilities(profile, here)
    values = _values(profile, here)
    reach = profile.infoset_reach(here)
    slack, near = _slack(subject)
    rows = []
    for at, action in enumerate(distinct_actions(here)):
        value = None if values is None else values[at]
        regret = None if values is None else max(values) - value
        best = regret is not None and bool(regret <= slack)
        rows.append(ActionValue(action, probabilities[at], value, regret, best))
    mean = None if values is None else _mean(probabilities, values)
    note = unreached_note(profile, here.node_indices, here.player)
    if not note:
        value = amount_text(mean, subject.exact)
        note = f"value {value}; reached with probability {number_text(reach)}"
    elif mean is not None:
        note += f"; value {amount_text(mean, subject.exact)} if it were reached"
    if near and values is not None:
        note += f"; {near}"
    return ActionValues(here, reach, mean, tuple(rows), note)


def _slack(subject: Subject) -> tuple[Any, str]:
    """Up to which regret actions count as best, and why, if that is more than rounding."""
    if subject.exact:
        return 0, ""
    slack = rounding(played(subject).tree)
    if isinstance(subject, Profile) or subject.regret <= slack:
        return slack, ""
    within = decimal_above(subject.regret)
    return subject.regret, f"actions within {within}, the regret of the solution, count as best"


def _mean(probabilities: list[Any], values: list[Any]) -> Any:
    return sum(
        probability * value for probability, value in zip(probabilities, values, strict=True)
    )


def _probabilities(profile: Profile, infoset: Infoset) -> list[Any]:
    """The probabilities of the actions at a set."""
    own = as_behaviour(profile[infoset.player])
    first = int(own.choices.first[np.searchsorted(own.choices.infosets, infoset.index)])
    probabilities: list[Any] = own.probabilities[first : first + len(infoset.actions)].tolist()
    return probabilities


def _values(profile: Profile, infoset: Infoset) -> list[Any] | None:
    """What the player expects after each action; None if beliefs are undefined."""
    try:
        values = profile.action_values(infoset)
    except NotApplicable as error:
        raise NotApplicable(f"{error}, but outcome() and plays() are") from None
    return None if values is None else list(values.values())


# ---------------------------------------------------------------------- deviations


@dataclass(frozen=True, repr=False)
class Deviation(Answer):
    """The effect of deviating at one information set, and nowhere else."""

    infoset: Infoset
    actions: tuple[Hashable, ...]
    before: tuple[Any, ...]  # [action] its probability in the strategy
    after: tuple[Any, ...]  # [action] its probability in the deviation
    values: tuple[Any, ...] | None  # [action] what the player expects after it
    reach: Any  # the probability that the set is reached
    change_there: Any  # of the player's value at the set; None if beliefs are undefined
    note: str
    exact: bool = True  # are the strategies exact? If not, all numbers are approximate

    @property
    def change(self) -> Any:
        """The change of the player's payoff; a cost is negative."""
        return self.reach * self.change_there if self.change_there is not None else Fraction(0)

    @property
    def cost(self) -> Any:
        """What the deviation costs the player."""
        return -self.change

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"reach": self.reach, "change_there": self.change_there, "change": self.change}

    @property
    def table(self) -> Sheet:
        """The numbers, then a row for each action."""
        columns = (
            Column("action"),
            Column("as it is", PROBABILITY),
            Column("instead", PROBABILITY),
            Column("value", NUMBER),
        )
        values = self.values or (None,) * len(self.actions)
        names = map(text, self.actions)
        rows = list(zip(names, self.before, self.after, values, strict=True))
        facts = [("reach", number_text(self.reach))]
        if self.change_there is not None:
            facts.append(("gains there", amount_text(self.change_there, self.exact)))
        facts.append(("gains in all", amount_text(self.change, self.exact)))
        title = f"deviation at {name_of(self.infoset)}"
        return Sheet(title, [Table("", columns, rows)], tuple(facts), self.note)


def deviation(
    subject: Subject | Given,
    infoset: Infoset | str,
    instead: Hashable | Mapping[Any, Any],
    *,
    game: Playable | None = None,
) -> Deviation:
    """What a player would gain or lose by deviating at one information set, and nowhere else.

    Parameters
    ----------
    subject : Solution, Profile, or anything with ``game``
        Strategies for all players.
    infoset : Infoset or str
        An information set of their tree, or its name.
    instead : Hashable or Mapping
        An action, or a mapping from actions to probabilities; actions left out have probability 0.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    Deviation
        The change of the player's payoff, and of its value at the information set.

    Raises
    ------
    StrategyError
        If ``instead`` is no action and no probability distribution.
    NotApplicable
        As :func:`action_values`.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> answer = deviation(solve(kuhn()), "dealer: Q, bet", {"pass": 0.5, "bet": 0.5})
    >>> answer.change
    Fraction(0, 1)
    >>> deviation(solve(kuhn()), "dealer: K, bet", "pass").cost
    Fraction(1, 6)
    """
    subject = asked_about(subject, game)
    profile = played(subject)
    subject = subject if is_solved(subject) else profile
    here = place(profile.tree, infoset)
    before = _probabilities(profile, here)
    after = _instead(here, instead)
    if not profile.exact:
        after = [float(probability) for probability in after]
    values = _values(profile, here)
    more = None
    if values is not None:
        more = _mean([new - old for old, new in zip(before, after, strict=True)], values)
    return Deviation(
        here,
        tuple(distinct_actions(here)),
        tuple(before),
        tuple(after),
        None if values is None else tuple(values),
        profile.infoset_reach(here),
        more,
        unreached_note(profile, here.node_indices, here.player),
        subject.exact,
    )


def _instead(infoset: Infoset, given: Hashable | Mapping[Any, Any]) -> list[Any]:
    """[action] the probability that is asked for."""
    probabilities = [Fraction(0)] * len(infoset.actions)
    place = f"{infoset.tree.name}: {name_of(infoset)}"
    try:
        wanted = given if isinstance(given, Mapping) else {given: 1}
    except TypeError:  # a list, say, which no action is
        raise StrategyError(
            f"{place}: {repr_text(given)} is no action; give one, or a mapping from actions to"
            " probabilities"
        ) from None
    for action, probability in wanted.items():
        where = f"{place}: {label_text(text(action))}"
        share = given_probability(probability, where)
        if share < 0:
            raise StrategyError(f"{where}: the probability {bounded_number(share)} is negative")
        probabilities[action_number(infoset, action)] += share
    total = sum(probabilities)
    if total != 1:
        raise StrategyError(f"{place}: the probabilities sum to {bounded_number(total)}, not to 1")
    return probabilities
