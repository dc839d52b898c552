"""The best reply to given strategies: what it does, what it gains, and where.

Players without a given strategy play as in a solution. The reply is compared with the player's own
strategy: the one among those given, or else the solution's.

Where the gain comes from: let v(c) be the counterfactual value of choice c if all the player's
later choices are best. At an information set h that its own strategy x reaches with weight x(h),
playing best from h on instead of only after h gains

    gain(h) = x(h) · (max v(c) − Σ x(c | h) v(c)),

and these gains sum to the regret of x: going from the last sets to the first, each step makes the
strategy best from one more set on. So the gain falls to the sets where the strategy makes mistakes
against these opponents, and is 0 at sets at which it is indifferent. If the strategies are not
exact, rounding errors are no gain.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.analysis.questions.answer import (
    Answer,
    Subject,
    asked_about,
    is_solved,
    played,
    rounding,
)
from infoset.analysis.questions.names import label_of
from infoset.analysis.strategy_tables import strategy_sheet
from infoset.analysis.table import NUMBER, PROBABILITY, Column, Sheet, Table
from infoset.errors import NotApplicable, ParameterError, StrategyError
from infoset.linear.numbers import Array, Index, Numbers
from infoset.strategy import Profile, Pure, Response, Strategy, profile, uniform
from infoset.strategy.behaviour import ROUNDING
from infoset.strategy.continuation import allows
from infoset.strategy.convert import Given
from infoset.strategy.equivalence import as_behaviour, as_plan
from infoset.strategy.infosets import Playable
from infoset.strategy.response import best_choices
from infoset.text import amount_text, bounded_text, label_text, names_text, repr_text, text
from infoset.tree import Infoset, Tree
from infoset.tree.choices import Choices
from infoset.tree.facts import absent_minded
from infoset.tree.knowledge import in_order
from infoset.tree.views import Views

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ReplyGain:
    """What the best reply does at one information set, and what that gains."""

    infoset: Infoset
    action: Hashable
    probability: Any  # of this action in the player's own strategy; None if it has none
    gain: Any  # the set's part of the whole gain; None if that is not known


def reply_gains(
    everyone: Profile, replier: str, own: Strategy | None, exact: bool
) -> tuple[Sequence[ReplyGain], str]:
    """The sets at which a player's best reply gains, and a note about the others.

    ``own`` is the strategy that it is compared with. If the strategies are not ``exact``, rounding
    errors are no gain.
    """
    tree, response = everyone.tree, everyone.responses[replier]
    choices = tree.choices[tree.player_number(replier)]
    met = _met(everyone, replier, response.strategy)
    probabilities: Array | None = None
    if own is not None:
        try:
            probabilities = as_behaviour(own).probabilities[choices.first + response.actions]
        except NotApplicable:  # mixed, and without probabilities at single sets
            probabilities = None
    otherwise = (
        met if probabilities is None else met & (probabilities < (1 if exact else 1 - ROUNDING))
    )
    gains: Numbers | None = None
    if own is not None and tree.recall(replier):
        gains = set_gains(everyone, replier, own)
        least = 0 if exact else rounding(tree)
        order = _in_order(choices, np.flatnonzero([gain > least for gain in gains.values()]))
        order = order[np.argsort(-gains.floats[order], kind="stable")]
    else:
        order = _in_order(choices, np.flatnonzero(otherwise))

    def replied(at: int) -> ReplyGain:
        where = int(order[at])
        infoset = tree.infosets[int(choices.infosets[where])]
        action = infoset.actions[int(response.actions[where])]
        probability = None if probabilities is None else probabilities[where]
        return ReplyGain(infoset, action, probability, None if gains is None else gains[where])

    note = ""
    if gains is not None and probabilities is not None:
        idle = int(otherwise.sum() - otherwise[order].sum())
        if idle:
            kind = f"{'other ' * bool(len(order))}set{'s' * (idle != 1)}"
            note = f"at {idle:,} {kind} it deviates and gains nothing by it"
    return Views(replied, len(order)), note


def _in_order(choices: Choices, own: Index) -> Index:
    """Some of a player's own sets, in the order of what is known there."""
    infosets = in_order(choices.tree, choices.infosets[own].tolist())
    return np.searchsorted(choices.infosets, infosets)


def _met(everyone: Profile, replier: str, reply: Pure) -> Mask:
    """[own set] is it reached if the reply is played?"""
    tree = everyone.tree
    number = tree.player_number(replier)
    start, nodes = tree.members
    open_ = allows(everyone, nodes)
    open_[number] = np.asarray(reply.at(nodes).numerators > 0, np.bool_)
    comes = np.logical_and.reduce(list(open_.values()))
    if not len(nodes):
        return np.zeros(0, np.bool_)
    met: Mask = np.logical_or.reduceat(comes, start[:-1])[tree.choices[number].infosets]
    return met


def set_gains(everyone: Profile, player: str, own: Strategy) -> Numbers:
    """[own set] what a player with perfect recall gains by playing best from there on.

    The gains sum to the regret of its strategy against the others of the profile.
    """
    tree = everyone.tree
    number = tree.player_number(player)
    choices, weights = tree.choices[number], as_plan(own).weights
    others = everyone.reach(tree.leaf_indices, without=number)
    payoffs = others.times(tree.leaf_payoffs[number]).group_sums(
        choices.last[tree.leaf_indices], len(choices)
    )
    total, _ = best_choices(choices, payoffs.numerators)
    if not len(choices.first):
        return Numbers(np.zeros(0, total.dtype))
    best = np.maximum.reduceat(total[1:], choices.first - 1)
    could = Numbers(best, payoffs.denominator).times(weights.take(choices.before))
    does = Numbers(total, payoffs.denominator).times(weights)
    summed = does.take(np.arange(1, len(choices))).group_sums(choices.owner[1:], len(choices.first))
    return Numbers(could.numerators - summed.numerators, could.denominator)


OWN = "own strategy"
EQUILIBRIUM = "equilibrium strategy"
DETAILED = 1000  # information sets up to which a reply is shown with reach, values and beliefs


@dataclass(frozen=True, repr=False)
class BestReply(Answer):
    """The best that a player can do against given strategies of the others."""

    response: Response
    others: Profile  # the strategies that are replied to, and the player's own, if it has one
    own: Any  # the payoff of the player's own strategy against them; None if it has none
    equilibrium: Any  # the player's payoff in equilibrium; None if none was given
    places: Sequence[ReplyGain]  # the largest gains first
    note: str
    exact: bool = True  # are the strategies exact? If not, all numbers are approximate
    whose: str = OWN  # how the player's own strategy is called

    @property
    def player(self) -> str:
        """Who replies."""
        return self.response.player

    @property
    def strategy(self) -> Pure:
        """The best reply, a pure strategy."""
        return self.response.strategy

    @property
    def value(self) -> Any:
        """Its payoff."""
        return self.response.value

    @property
    def gain(self) -> Any:
        """By how much it is better than the player's own strategy; None if it has none."""
        if self.own is None:
            return None
        more = self.value - self.own
        return more if self.exact or abs(more) > rounding(self.others.tree) else 0 * more

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {
            "value": self.value,
            "own": self.own,
            "equilibrium": self.equilibrium,
            "gain": self.gain,
        }

    @property
    def table(self) -> Sheet:
        """Payoffs, then where it gains, then the whole strategy."""
        known = {
            "best reply gets": self.value,
            f"{self.whose} gets": self.own,
            "in equilibrium": self.equilibrium,
            "gain": self.gain,
        }
        facts = [
            (name, amount_text(amount, self.exact))
            for name, amount in known.items()
            if amount is not None
        ]
        title = f"best reply of {label_text(self.player)}"
        gains = [self._gains()] if self.own is not None and len(self.places) else []
        does = self._does()

        def table(at: int) -> Table:
            return gains[at] if at < len(gains) else does[at - len(gains)]

        tables = Views(table, len(gains) + len(does))
        return Sheet(title, tables, tuple(facts), "" if gains else self.note)

    def _gains(self) -> Table:
        columns = (
            Column("information set"),
            Column("best reply"),
            Column("own probability", PROBABILITY),
            Column("gain", NUMBER),
        )

        def row(at: int) -> tuple[Any, ...]:
            one = self.places[at]
            return label_of(one.infoset), bounded_text(text(one.action)), one.probability, one.gain

        rows = Views(row, len(self.places))
        return Table("where it deviates", columns, rows, self.note)

    def _does(self) -> Sequence[Table]:
        """The reply itself, as strategies are shown."""
        played = self.strategy.behaviour()
        everyone = None
        if len(played.choices.infosets) <= DETAILED:
            everyone = profile([*(one for one in self.others if one.player != self.player), played])
        sheet = strategy_sheet(played, everyone, fold=False)

        def titled(at: int) -> Table:
            table = sheet[at]
            return replace(table, title=", ".join(filter(None, ("the reply", table.title))))

        return Views(titled, len(sheet))


def best_reply(
    against: Subject | Given,
    player: str | None = None,
    *,
    solution: Subject | None = None,
    game: Playable | None = None,
) -> BestReply:
    """The best reply to strategies of the others, what it gains, and where.

    Parameters
    ----------
    against : Strategy, mapping, Profile or Solution
        A strategy of one player, strategies by player, a profile or a solution.
    player : str, optional
        Who replies; may be left out if only one player has no strategy in ``against``.
    solution : Solution or Profile, optional
        Strategies of players that ``against`` has none of.
    game : Game, Family, Tree or MatrixGame, optional
        The game, where the strategies do not know it: any kind of
        :func:`~infoset.strategy.as_profile`, such as a function, a mapping or a CSV file.

    Returns
    -------
    BestReply
        The reply (``strategy``), its payoff (``value``) compared with that of the player's own
        strategy, which is the one in ``against`` or else that of the ``solution``, and with its
        payoff in equilibrium; and the information sets at which it gains.

    Raises
    ------
    ParameterError
        If it is not clear who replies, or a player has no strategy.
    StrategyError
        If something given is no strategy, or of another tree.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import uniform
    >>> solution = solve(kuhn())
    >>> answer = best_reply(uniform(solution.tree, "dealer"), solution=solution)
    >>> answer.player, answer.value, answer.own, answer.equilibrium
    ('gambler', Fraction(1, 2), Fraction(1, 6), Fraction(-1, 18))
    >>> [(place.infoset.label, place.action, place.gain) for place in answer.places]
    [('Q', 'bet', Fraction(1, 6)), ('J', 'bet', Fraction(1, 9)),
    ('Q, [pass], bet', 'bet', Fraction(1, 18))]
    >>> answer.strategy.words
    'J → bet; J, [pass], bet → pass; Q → bet; Q, [pass], bet → bet; K → pass; K, [pass], bet → bet'
    """
    against = asked_about(against, game)
    given = _strategies(against)
    tree = next(iter(given.values())).tree
    replier = _replier(tree, given, player)
    base = _base(tree, against, solution)
    fill = {name: strategy for name, strategy in given.items() if name != replier}
    for name in tree.names:
        if name not in fill and name != replier:
            if base is None:
                raise ParameterError(
                    f"{tree.name}: {label_text(name)} has no strategy; give one, or a solution= to"
                    " take it from"
                )
            fill[name] = base[name]
    own = given.get(replier, None if base is None else base[replier])
    everyone = profile([*fill.values(), own if own is not None else uniform(tree, replier)])
    solutions: list[Any] = [one for one in (solution, against) if is_solved(one)]
    exact = everyone.exact and all(one.exact for one in solutions)
    found, note = reply_gains(everyone, replier, own, exact)
    response = everyone.responses[replier]
    if own is not None and _gains_by_drawing(everyone, replier, exact):
        note = "only an absent-minded player beats the best pure reply, by drawing at each visit"
    elif response.how != "exact":
        note = f"the best one {response.how}, in floats"
    source = against if replier in given else solution
    return BestReply(
        response,
        everyone,
        None if own is None else everyone.payoffs[replier],
        solutions[0].payoffs[replier] if solutions else None,
        found,
        note,
        exact,
        EQUILIBRIUM if is_solved(source) else OWN,
    )


def _gains_by_drawing(everyone: Profile, replier: str, exact: bool) -> bool:
    """Is an absent-minded player's strategy better than all its pure strategies?"""
    tree = everyone.tree
    slack = 0 if exact else rounding(tree)
    if everyone.responses[replier].value + slack >= everyone.payoffs[replier]:
        return False
    return not tree.recall(replier) and bool(absent_minded(tree, [tree.player_number(replier)]))


def _strategies(against: Any) -> dict[str, Strategy]:
    """The strategies to reply to, by player."""
    if isinstance(against, Strategy):
        return {against.player: against}
    if isinstance(against, Mapping) and against:
        found = list(against.values())
    else:
        found = list(played(against))
    for entry in found:
        if not isinstance(entry, Strategy):
            raise StrategyError(
                f"{repr_text(entry)} is no strategy; behaviour() and pure() make some"
            )
    if isinstance(against, Mapping):
        for name, strategy in against.items():
            if name != strategy.player:
                raise StrategyError(
                    f"the strategy given for {repr_text(name)} is one of"
                    f" {repr_text(strategy.player)}"
                )
    return {strategy.player: strategy for strategy in found}


def _replier(tree: Tree, given: Mapping[str, Strategy], player: str | None) -> str:
    if player is not None:
        return tree.names[tree.player_number(player)]
    left = [name for name in tree.names if name not in given]
    if len(tree.names) == 1:
        left = list(tree.names)
    if len(left) != 1:
        choice = names_text(left or tree.names, "or")
        raise ParameterError(f"{tree.name}: who replies? say player=, one of {choice}")
    return left[0]


def _base(tree: Tree, against: Any, solution: Subject | None) -> Profile | None:
    """The strategies that the reply is compared with, and that fill the gaps."""
    subject = against if solution is None else solution
    if solution is None and not (isinstance(subject, Profile) or is_solved(subject)):
        return None
    base = played(subject)
    if base.tree is not tree:
        raise StrategyError(
            f"{tree.name}: the solution is of another tree of {base.tree.name}; use one tree for"
            " both"
        )
    return base
