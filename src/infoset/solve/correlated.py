"""Correlated equilibria: a device advises the players, and nobody gains by not listening.

    ce      each is told its whole plan before play                     any number of players
    cce     each decides beforehand whether it will do as it is told    any number of players
    efce    each is told an action at every set that it comes to        two, perfect recall
    efcce   each decides at every set before it is told                 two, perfect recall

Of two players with perfect recall every ce can be had as an efce, every efce as an efcce, and every
efcce as a cce: one knows less and less when one may turn away, or loses more by it. Each kind is a
polytope, so that the best one, by any weighted sum of payoffs, is found by a linear program
(:mod:`infoset.solve.correlation.ce`, :mod:`infoset.solve.correlation.efce`).

As everywhere, no answer leaves unverified: what each player could gain by turning away is computed
anew from the lottery (:mod:`infoset.solve.correlation.deviations`), in rational arithmetic.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from infoset.errors import NotProved, ParameterError, StrategyError, nearest
from infoset.linear.numbers import Numbers
from infoset.rules.story import brief
from infoset.solve.correlation import ce, efce
from infoset.solve.correlation.deviations import (
    joint_weights,
    outcome_chances,
    payoffs_of,
    plan_gains,
    sequence_gains,
)
from infoset.solve.correlation.device import Device
from infoset.solve.correlation.plans import relevant_pairs
from infoset.solve.correlation.welfare import Welfare, weights_of
from infoset.solve.options import Options
from infoset.solve.text import decimal_above
from infoset.strategy.pure import Pure
from infoset.tree import Node, Tree

if TYPE_CHECKING:
    from infoset.examine.tables import Sheet
    from infoset.solve import Solvable

KINDS = {
    "ce": "correlated equilibrium",
    "cce": "coarse correlated equilibrium",
    "efce": "extensive-form correlated equilibrium",
    "efcce": "extensive-form coarse correlated equilibrium",
}
BY_SEQUENCES = ("efce", "efcce")


@dataclass(frozen=True, eq=False, repr=False)
class Correlated:
    """A lottery over profiles of pure plans, from which the players are advised, with its proof.

    >>> from infoset.tree import matrix_game
    >>> chicken = matrix_game([[6, 2], [7, 0]], [[6, 7], [2, 0]], name="chicken",
    ...     actions=(("yield", "dare"),) * 2)
    >>> device = correlated(chicken, "ce")
    >>> device.payoffs, device.certificate
    ({'row': Fraction(21, 4), 'column': Fraction(21, 4)}, 'exact')
    >>> print(device.table()[0])
    what is drawn
    probability   row    column
    1/2 ████      yield  yield
    1/4 ██        yield  dare
    1/4 ██        dare   yield
    """

    tree: Tree
    kind: str
    weights: Mapping[str, Fraction]  # [player] how much its payoff counts in the welfare
    distribution: Mapping[tuple[Pure, ...], Fraction]  # empty where only the plan is known
    method: str  # what was done, in words
    given: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)
    optimal: bool = False  # is it proved that no equilibrium of the kind has more welfare?
    work: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ParameterError(f"no kind {self.kind!r}; {nearest(self.kind, KINDS)}")
        if self.distribution:
            _check_lottery(self.tree, self.distribution)
        else:
            _check_plan(self.tree, self.given)

    # ------------------------------------------------------------------ what it comes to

    @cached_property
    def plan(self) -> Mapping[tuple[int, int], Fraction]:
        """By pair of sequences of two players: how likely both their plans are to make them.

        Sequences are numbered as ``tree.choices`` has them, 0 the empty one; only relevant pairs
        of positive weight are listed.
        """
        if self.given:
            return self.given
        one, two = relevant_pairs(self.tree).sequences
        known = joint_weights(self.tree, self._draws)
        pairs = zip(one.tolist(), two.tolist(), strict=True)
        return MappingProxyType({pair: known[pair] for pair in pairs if pair in known})

    @property
    def _draws(self) -> list[tuple[tuple[Pure, ...], Fraction]]:
        return list(self.distribution.items())

    @cached_property
    def chances(self) -> Numbers:
        """[end] how likely each leaf is, in the order of ``tree.ends``."""
        if self.distribution:
            return outcome_chances(self.tree, self._draws)
        one, two = (choices.last[self.tree.ends].tolist() for choices in self.tree.choices)
        pairs = zip(one, two, strict=True)
        joint = Numbers.of(self.given.get(pair, Fraction(0)) for pair in pairs)
        return joint.times(self.tree.nature.take(self.tree.ends))

    @property
    def outcomes(self) -> dict[Node, Fraction]:
        """The leaves that may be reached, and how likely each is."""
        pairs = zip(self.tree.ends.tolist(), self.chances.values(), strict=True)
        return {Node(self.tree, end): chance for end, chance in pairs if chance}

    @cached_property
    def payoffs(self) -> dict[str, Fraction]:
        """What each player expects."""
        return payoffs_of(self.tree, self.chances)

    @property
    def welfare(self) -> Fraction:
        """The weighted sum of the payoffs."""
        total = (self.weights[player] * amount for player, amount in self.payoffs.items())
        return sum(total, Fraction(0))

    # ------------------------------------------------------------------ the proof

    @cached_property
    def regrets(self) -> dict[str, Fraction]:
        """What each player could gain at most by turning away, found from the lottery alone."""
        if self.kind in ("ce", "cce") and self.distribution:
            return plan_gains(self.tree, self._draws, told=self.kind == "ce")
        joint = joint_weights(self.tree, self._draws) if self.distribution else self.given
        return sequence_gains(self.tree, joint, self.kind)

    @property
    def regret(self) -> Fraction:
        """The largest regret; 0 exactly in equilibrium."""
        return max(self.regrets.values())

    @property
    def exact(self) -> bool:
        """Is this an equilibrium of its kind, and the best, both proved in rational arithmetic?"""
        return self.optimal and not self.regret

    @property
    def certificate(self) -> str:
        """``"exact"``, or what was proved."""
        if self.exact:
            return "exact"
        if not self.regret:
            return "an equilibrium, proved in rational arithmetic; not proved to be the best"
        return f"regret at most {decimal_above(self.regret)}, proved in rational arithmetic"

    # ------------------------------------------------------------------ for people

    def __repr__(self) -> str:
        return f"<Correlated: {self.kind} of {brief(self.tree.name)}: {self.certificate}>"

    def __str__(self) -> str:
        from infoset.examine.faces import correlated_text

        return correlated_text(self)

    def _repr_html_(self) -> str:
        from infoset.examine.faces import correlated_html

        return correlated_html(self)

    def table(self) -> Sheet:
        """What is drawn how often, and where the play then ends, as tables."""
        from infoset.examine.faces import correlated_sheet

        return correlated_sheet(self)


def correlated(
    game: Solvable,
    kind: str = "efce",
    welfare: Welfare = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Correlated:
    """The correlated equilibrium of a kind with the largest welfare, verified.

    Kinds are "ce", "cce" (any number of players), "efce" and "efcce" (two, perfect recall).
    ``welfare`` is a weighted sum of payoffs, as weights by player or as a text such as
    "2 one - two"; without, the plain sum. The other arguments are those of :func:`infoset.solve`.

    >>> from infoset.games import beer_quiche
    >>> device = correlated(beer_quiche(), "efce", welfare="receiver")
    >>> device.welfare, device.certificate
    (Fraction(39, 40), 'exact')
    """
    from infoset.solve import as_tree

    tree = as_tree(game)
    if not isinstance(kind, str) or kind not in KINDS:
        raise ParameterError(f"no kind {kind!r} of correlated equilibrium; {nearest(kind, KINDS)}")
    weights = weights_of(tree, welfare)
    options = Options(exact, seconds, tick, stop)
    few = kind == "cce" and len(tree.players) == 2 and bool(tree.perfect_recall)
    find = efce.find if few or kind in BY_SEQUENCES else ce.find
    return _concluded(tree, kind, weights, find(tree, kind, weights, options), options)


def _concluded(
    tree: Tree, kind: str, weights: Mapping[str, Fraction], device: Device, options: Options
) -> Correlated:
    """Verify what was found, and say how it was come by."""
    options.tell("verifying")
    drawn: dict[tuple[Pure, ...], Fraction] = {}
    for plans, share in device.draws:
        pairs = zip(tree.names, plans, strict=True)
        profile = tuple(Pure(tree, player, tuple(sorted(plan))) for player, plan in pairs)
        drawn[profile] = drawn.get(profile, Fraction(0)) + share
    likely_first = sorted(drawn.items(), key=lambda item: -item[1])
    found = Correlated(
        tree=tree,
        kind=kind,
        weights=MappingProxyType(dict(weights)),
        distribution=MappingProxyType(dict(likely_first)),
        method=device.how,
        given=MappingProxyType(dict(device.plan)),
        optimal=device.optimal,
        work=MappingProxyType(dict(device.work)),
        note=device.note,
    )
    if options.exact and not found.exact:
        said = f" ({device.note})" if device.note else ""
        raise NotProved(
            f"{tree.name}: an exact answer was asked for, and none was found{said}; what was found:"
            f" {found.certificate}"
        )
    _ = found.regret  # computed now: it is part of the time
    object.__setattr__(found, "seconds", time.perf_counter() - options.began)
    return found


def _check_lottery(tree: Tree, distribution: Mapping[tuple[Pure, ...], Any]) -> None:
    """A lottery over profiles of whole plans, or one line that says what is wrong."""
    total = sum(distribution.values())
    if total != 1:
        raise StrategyError(f"{tree.name}: the probabilities sum to {total}, not to 1")
    for profile, share in distribution.items():
        if share < 0:
            raise StrategyError(f"{tree.name}: {profile!r:.80} has the probability {share}")
        if tuple(plan.player for plan in profile) != tree.names:
            raise StrategyError(f"{tree.name}: {profile!r:.80} is no plan for each player in turn")
        for plan in profile:
            if plan.tree is not tree:
                raise StrategyError(f"{tree.name}: {plan!r:.80} is a plan for another tree")
            if plan.undecided is not None:
                label = tree.infosets[plan.undecided].label
                raise StrategyError(f"{tree.name}: {plan!r:.80} says nothing at {label!r}")


def _check_plan(tree: Tree, given: Mapping[tuple[int, int], Fraction]) -> None:
    """Weights that obey the equations of a correlation plan, or one line that says so."""
    pairs = relevant_pairs(tree)
    one, two = pairs.sequences
    weights = Numbers.of(
        given.get(pair, Fraction(0)) for pair in zip(one.tolist(), two.tolist(), strict=True)
    )
    if not pairs.obeyed_by([int(over) for over in weights.numerators], weights.denominator):
        raise StrategyError(f"{tree.name}: these weights of pairs of sequences are no plan")
