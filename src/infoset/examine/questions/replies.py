"""The best reply to given strategies: what it wins, against what, and where it wins it.

Let v(c) be what choice c of the replying player is worth if all its later choices are best, each
leaf weighed as nature and the others reach it. At an information set h that its own strategy x
comes to with weight x(h), playing best from h on instead of only after h gains

    gain(h) = x(h) · (max v(c) − Σ x(c | h) v(c)),

and these gains sum to what the best reply wins more than x does: going from the last sets to the
first, each step makes the strategy best from one more set on. So the gain in all falls to the sets
where the strategy errs against these opponents, and sets at which it is indifferent have none.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import NotApplicable, ParameterError, StrategyError
from infoset.examine.below import lets
from infoset.examine.questions.places import label_of
from infoset.examine.questions.subject import Answer, Subject, amount, listed, played
from infoset.examine.tables import NUMBER, SHARE, Column, Sheet, Table
from infoset.examine.tables.safe import shown
from infoset.linear.numbers import Array, Numbers
from infoset.rules.story import text
from infoset.solve.solution import Solution
from infoset.strategy import Profile, Pure, Response, Strategy, profile, uniform
from infoset.strategy.kuhn import as_behaviour, as_plan
from infoset.strategy.response import climb
from infoset.tree import Infoset, Tree
from infoset.tree.views import Views

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Replied:
    """What the best reply does at one information set."""

    infoset: Infoset
    action: Hashable
    probability: Any  # with which the player's own strategy does that; None if it has none
    gain: Any  # what this wins, of the gain in all; None where gains are not told apart


@dataclass(frozen=True)
class BestReply(Answer):
    """The best that a player can do against given strategies of the others."""

    response: Response
    own: Any  # what the player's own strategy gets against them; None if it has none
    equilibrium: Any  # what the player gets in equilibrium; None if none was given
    places: Sequence[Replied]  # the largest gains first
    note: str

    @property
    def player(self) -> str:
        """Who replies."""
        return self.response.player

    @property
    def reply(self) -> Pure:
        """The best reply, a pure strategy."""
        return self.response.strategy

    @property
    def value(self) -> Any:
        """What it gets."""
        return self.response.value

    @property
    def gain(self) -> Any:
        """What it gets more than the player's own strategy does; None if it has none."""
        return None if self.own is None else self.value - self.own

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
        """What it wins, then what it does, where that gains something or nothing is known."""
        facts = [("best reply gets", amount(self.value))]
        if self.own is not None:
            facts.append(("own strategy gets", amount(self.own)))
        if self.equilibrium is not None:
            facts.append(("in equilibrium", amount(self.equilibrium)))
        if self.gain is not None:
            facts.append(("gain", amount(self.gain)))
        title = f"best reply of {shown(self.player)}"
        tables = [self._places()] if len(self.places) else []
        return Sheet(title, tables, tuple(facts), self.note)

    def _places(self) -> Table:
        columns = [Column("information set"), Column("best reply")]
        if self.own is not None:
            columns += [Column("own probability", SHARE), Column("gain", NUMBER)]

        def row(at: int) -> tuple[Any, ...]:
            one = self.places[at]
            known = (label_of(one.infoset), text(one.action))
            return known if self.own is None else (*known, one.probability, one.gain)

        title = "what it does" if self.own is None else "where it does otherwise"
        return Table(title, tuple(columns), Views(row, len(self.places)))


def best_reply(
    against: Subject | Strategy | Mapping[str, Strategy],
    player: str | None = None,
    *,
    solution: Subject | None = None,
) -> BestReply:
    """The best reply to strategies of the others, what it wins, and where.

    ``against`` is a strategy of one player, strategies by player, a profile or a solution; players
    that it has no strategy of play as in ``solution``. ``player`` is who replies, and may be left
    out if it is the only one without a strategy. With a ``solution`` the reply is held against what
    its strategy for that player gets here, and in equilibrium.

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
    """
    given = _strategies(against)
    tree = next(iter(given.values())).tree
    replier = _replier(tree, given, player)
    base = _base(tree, against, solution)
    fill = {name: strategy for name, strategy in given.items() if name != replier}
    for name in tree.names:
        if name not in fill and name != replier:
            if base is None:
                raise ParameterError(
                    f"{tree.name}: {shown(name)} has no strategy; give one, or a solution= to take"
                    " it from"
                )
            fill[name] = base[name]
    own = base[replier] if base is not None else given.get(replier)
    everyone = profile([*fill.values(), own if own is not None else uniform(tree, replier)])
    solved = next((one for one in (solution, against) if isinstance(one, Solution)), None)
    places, note = _places(everyone, replier, own)
    response = everyone.responses[replier]
    if own is not None and response.value < everyone.payoffs[replier]:
        note = "only an absent-minded player does better than the best pure reply, by drawing anew"
    elif response.how != "exact":
        note = f"the best one {response.how}, in floats"
    return BestReply(
        response,
        None if own is None else everyone.payoffs[replier],
        None if solved is None else solved.payoffs[replier],
        places,
        note,
    )


def _strategies(against: Any) -> dict[str, Strategy]:
    """The strategies that are replied to, by player."""
    if isinstance(against, Strategy):
        return {against.player: against}
    if isinstance(against, Mapping) and against:
        found = list(against.values())
    else:
        found = list(played(against))
    for entry in found:
        if not isinstance(entry, Strategy):
            raise StrategyError(f"{entry!r:.60} is no strategy; behaviour() and pure() make some")
    return {strategy.player: strategy for strategy in found}


def _replier(tree: Tree, given: Mapping[str, Strategy], player: str | None) -> str:
    if player is not None:
        return tree.names[tree.player_number(player)]
    left = [name for name in tree.names if name not in given]
    if len(tree.names) == 1:
        left = list(tree.names)
    if len(left) != 1:
        choice = listed(left or tree.names, "or")
        raise ParameterError(f"{tree.name}: who replies? say player=, one of {choice}")
    return left[0]


def _base(tree: Tree, against: Any, solution: Subject | None) -> Profile | None:
    """The strategies that the reply is held against, and that fill the gaps."""
    subject = against if solution is None else solution
    if not isinstance(subject, Solution | Profile):
        return None
    base = played(subject)
    if base.tree is not tree:
        raise StrategyError(
            f"{tree.name}: the solution is of another tree of {base.tree.name}; use one tree for"
            " both"
        )
    return base


# ---------------------------------------------------------------------- where it is otherwise


def _places(everyone: Profile, replier: str, own: Strategy | None) -> tuple[Sequence[Replied], str]:
    """The sets at which the reply matters, and a note about the others."""
    tree, response = everyone.tree, everyone.responses[replier]
    choices = tree.choices[tree.player_number(replier)]
    met = _met(everyone, replier, response.strategy)
    shares: Array | None = None
    if own is not None:
        try:
            shares = as_behaviour(own).shares[choices.first + response.actions]
        except NotApplicable:  # mixed, and without probabilities at single sets
            shares = None
    gains: Numbers | None = None
    if own is not None and tree.recall(replier):
        gains = set_gains(everyone, replier, own)
        order = np.flatnonzero(gains.numerators > 0)
        order = order[np.argsort(-gains.floats[order], kind="stable")]
    else:
        order = np.flatnonzero(met if shares is None else met & (shares < 1))

    def replied(at: int) -> Replied:
        where = int(order[at])
        infoset = tree.infosets[int(choices.infosets[where])]
        action = infoset.actions[int(response.actions[where])]
        share = None if shares is None else shares[where]
        return Replied(infoset, action, share, None if gains is None else gains[where])

    note = ""
    if gains is not None and shares is not None:
        idle = int((met & (shares < 1)).sum() - (met & (shares < 1))[order].sum())
        if idle:
            kind = f"{'other ' * bool(len(order))}set{'s' * (idle != 1)}"
            note = f"at {idle:,} {kind} it does otherwise and gains nothing by it"
    return Views(replied, len(order)), note


def _met(everyone: Profile, replier: str, reply: Pure) -> Mask:
    """[own set] does the play come there when the reply is played?"""
    tree = everyone.tree
    number = tree.player_number(replier)
    start, nodes = tree.members
    open_ = lets(everyone, nodes)
    open_[number] = np.asarray(reply.at(nodes).numerators > 0, np.bool_)
    comes = np.logical_and.reduce(list(open_.values()))
    if not len(nodes):
        return np.zeros(0, np.bool_)
    met: Mask = np.logical_or.reduceat(comes, start[:-1])[tree.choices[number].infosets]
    return met


def set_gains(everyone: Profile, player: str, own: Strategy) -> Numbers:
    """[own set] what a player with perfect recall gains by playing best from there on.

    They sum to the regret of its strategy against the others of the profile.
    """
    tree = everyone.tree
    number = tree.player_number(player)
    choices, weights = tree.choices[number], as_plan(own).weights
    others = everyone.reach(tree.ends, without=number)
    worth = others.times(tree.stakes[number]).added_up(choices.last[tree.ends], len(choices))
    total, _ = climb(choices, worth.numerators)
    if not len(choices.first):
        return Numbers(np.zeros(0, total.dtype))
    best = np.maximum.reduceat(total[1:], choices.first - 1)
    could = Numbers(best, worth.denominator).times(weights.take(choices.before))
    does = Numbers(total, worth.denominator).times(weights)
    summed = does.take(np.arange(1, len(choices))).added_up(choices.owner[1:], len(choices.first))
    return Numbers(could.numerators - summed.numerators, could.denominator)
