"""Correlated equilibria: a device recommends strategies, and no player gains by deviating.

    ce      each player is told its whole plan before play            any number of players
    cce     each player decides beforehand whether to follow          any number of players
    efce    each player is told an action at every set it reaches     two, perfect recall
    efcce   each player decides at every set before it is told        two, perfect recall

For two players with perfect recall every ce is an efce, every efce an efcce, and every efcce a cce
in outcomes: a player knows less when it may deviate, or loses more by it. Each kind is a polytope,
so that the equilibrium that maximizes a weighted sum of payoffs is found by a linear program
(:mod:`infoset.solvers.correlated.normal_form`, :mod:`infoset.solvers.correlated.extensive_form`).

Every answer is verified: each player's largest gain by deviating is computed again from the lottery
(:mod:`infoset.solvers.correlated.deviations`), in rational arithmetic.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, NoReturn

from infoset.errors import (
    InfosetError,
    NotApplicable,
    NotProved,
    ParameterError,
    StrategyError,
    nearest,
)
from infoset.linear.numbers import Number, Numbers
from infoset.memory import refused_beyond
from infoset.objects.numbers import exact
from infoset.solvers import Solvable, as_tree
from infoset.solvers.correlated import extensive_form, normal_form
from infoset.solvers.correlated.deviations import (
    joint_weights,
    leaf_probabilities,
    payoffs_of,
    plan_gains,
    sequence_gains,
)
from infoset.solvers.correlated.plans import relevant_pairs
from infoset.solvers.correlated.program import Device
from infoset.solvers.evaluation import EvaluationOnTree
from infoset.solvers.options import (
    LATEST_ANSWER,
    Options,
    answered_in_time,
    finished_in_time,
)
from infoset.solvers.solution import Solution
from infoset.strategy.mixed import Pure
from infoset.text import decimal_above
from infoset.tree import Node, Tree

Welfare = Mapping[str, Any] | str | None

NUMBER = re.compile(r"(\d+/\d+|\d*\.\d+|\d+)\s*\*?\s*")
SIGN = re.compile(r"([+-])\s*")
LONGEST = 1_000  # digits of a number in a text, and then some


def weights_of(tree: Tree, welfare: Welfare = None) -> dict[str, Fraction]:
    """The weight of each player's payoff; 0 for players who are not named.

    >>> from infoset.games import prisoners_dilemma
    >>> tree = prisoners_dilemma().tree()
    >>> weights_of(tree, "2 row - 1/2 column")
    {'row': Fraction(2, 1), 'column': Fraction(-1, 2)}
    >>> weights_of(tree, {"column": 1})
    {'row': Fraction(0, 1), 'column': Fraction(1, 1)}
    >>> weights_of(tree, "both")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: welfare 'both': no player at 'both'; ...known: 'column', 'row'
    """
    if welfare is None:
        return dict.fromkeys(tree.names, Fraction(1))
    if isinstance(welfare, str):
        given = _read(tree, welfare)
    elif isinstance(welfare, Mapping):
        given = {str(player): _number(player, weight) for player, weight in welfare.items()}
    else:
        raise ParameterError(
            f"welfare {welfare!r:.60} is neither weights by player nor a text;"
            f" {_example(tree)} is one"
        )
    for player in given:
        tree.player_number(player)  # or a line that names the players
    return {player: given.get(player, Fraction(0)) for player in tree.names}


def _number(player: object, weight: object) -> Fraction:
    try:
        return exact(weight)
    except InfosetError as problem:
        raise ParameterError(f"welfare of {player!r:.60}: {problem}") from None


def _read(tree: Tree, words: str) -> dict[str, Fraction]:
    """Terms such as ``- 2 one``, one after the other, to the end of the text."""
    names = sorted(tree.names, key=len, reverse=True)
    total: dict[str, Fraction] = {}
    rest = words.strip()
    if not rest or len(rest) > LONGEST + sum(map(len, names)):
        raise _refused(tree, words, rest)
    while rest:
        sign = SIGN.match(rest)
        if sign is None and total:
            raise _refused(tree, words, rest)
        term = rest[sign.end() :] if sign else rest
        weight, player, length = _term(names, term)
        if not length and sign and not total:  # a first name that begins with a sign
            sign, term = None, rest
            weight, player, length = _term(names, term)
        if not length:
            raise _refused(tree, words, term or rest)
        signed = -weight if sign and sign[1] == "-" else weight
        total[player] = total.get(player, Fraction(0)) + signed
        rest = term[length:].lstrip()
    return total


def _term(names: list[str], term: str) -> tuple[Fraction, str, int]:
    """The weight and the player that a term begins with, and its length; 0 if it is none.

    A number is a weight if a player's name follows; a name may begin with a number itself.
    """
    number = NUMBER.match(term)
    if number and (player := _leading(names, term[number.end() :])):
        over, _, under = number[1].partition("/")
        if not under or int(under):
            return Fraction(over) / Fraction(under or 1), player, number.end() + len(player)
    player = _leading(names, term)
    return Fraction(1), player, len(player)


def _leading(names: list[str], rest: str) -> str:
    """The longest name that a text begins with, if no word goes on after it; empty if none."""
    for name in names:
        after = rest[len(name) :]
        if rest.startswith(name) and (not after or after[0].isspace() or after[0] in "+-"):
            return name
    return ""


def _refused(tree: Tree, words: str, rest: str) -> ParameterError:
    known = ", ".join(repr(name) for name in sorted(tree.names)[:12])
    return ParameterError(
        f"welfare {words!r:.60}: no player at {rest!r:.40}; write weights and players, such as"
        f" {_example(tree)}; known: {known}"
    )


def _example(tree: Tree) -> str:
    return repr(f"2 {tree.names[0]}" + (f" - {tree.names[1]}" if len(tree.names) > 1 else ""))


KINDS = {
    "ce": "correlated equilibrium",
    "cce": "coarse correlated equilibrium",
    "efce": "extensive-form correlated equilibrium",
    "efcce": "extensive-form coarse correlated equilibrium",
}
BY_SEQUENCES = ("efce", "efcce")


@dataclass(frozen=True, eq=False, repr=False)
class JointEvaluation(EvaluationOnTree):
    """A lottery over profiles of pure strategies, from which the players are advised.

    It is a joint distribution and no profile: players' actions are correlated, so that no strategy
    of one player alone says what it does.

    >>> from infoset.tree import matrix_game
    >>> chicken = matrix_game([[6, 2], [7, 0]], [[6, 7], [2, 0]], name="chicken",
    ...     actions=(("yield", "dare"),) * 2)
    >>> solution = correlated(chicken, "ce")
    >>> solution.payoffs, solution.certificate
    ({'row': Fraction(21, 4), 'column': Fraction(21, 4)}, 'exact')
    >>> print(solution.table()[0])
    what is drawn
    probability   row    column
    1/2 ████      yield  yield
    1/4 ██        yield  dare
    1/4 ██        dare   yield
    """

    kind = "joint distribution"
    alternative = "table() shows the distribution, and evaluation.distribution has it"
    tree: Tree
    concept: str  # "ce", "cce", "efce" or "efcce"
    weights: Mapping[str, Fraction]  # [player] how much its payoff counts in the welfare
    distribution: Mapping[tuple[Pure, ...], Fraction]  # empty where only the plan is known
    how: str = ""  # how it was found, in words
    given: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)
    optimal: bool = False  # is it proved that no equilibrium of the kind has more welfare?

    def __post_init__(self) -> None:
        if self.concept not in KINDS:
            raise ParameterError(f"no kind {self.concept!r}; {nearest(self.concept, KINDS)}")
        if self.distribution:
            _check_lottery(self.tree, self.distribution)
        else:
            _check_plan(self.tree, self.given)

    @property
    def strategy(self) -> NoReturn:
        """There is none for each player alone; this says what there is instead."""
        raise self._no_profile()

    def tree_evaluation(self) -> NoReturn:
        """There is no profile of strategies; this says what there is instead."""
        raise self._no_profile()

    def _no_profile(self) -> NotApplicable:
        return NotApplicable(
            f"{self.name}: a correlated equilibrium is a joint distribution, with no strategy of"
            f" each player alone; {self.alternative}"
        )

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
        """[end] how likely each leaf is, in the order of ``tree.leaf_indices``."""
        if self.distribution:
            return leaf_probabilities(self.tree, self._draws)
        one, two = (choices.last[self.tree.leaf_indices].tolist() for choices in self.tree.choices)
        pairs = zip(one, two, strict=True)
        joint = Numbers.of(self.given.get(pair, Fraction(0)) for pair in pairs)
        return joint.times(self.tree.chance_reach.take(self.tree.leaf_indices))

    @property
    def outcomes(self) -> dict[Node, Fraction]:
        """The leaves that may be reached, and how likely each is."""
        pairs = zip(self.tree.leaf_indices.tolist(), self.chances.values(), strict=True)
        return {Node(self.tree, end): chance for end, chance in pairs if chance}

    @cached_property
    def payoffs(self) -> dict[str, Number]:
        """By player: its expected payoff."""
        return dict(payoffs_of(self.tree, self.chances))

    @property
    def value(self) -> Number | None:
        """The first player's payoff in games of two with constant sum; None in others."""
        if len(self.players) != 2 or not self.tree.constant_sum:
            return None
        return self.payoffs[self.players[0]]

    @property
    def value_bounds(self) -> tuple[Number, Number] | None:
        """The value, twice, where it is exact; None otherwise."""
        return None if self.value is None or self.regret else (self.value, self.value)

    @property
    def welfare(self) -> Fraction:
        """The weighted sum of the payoffs."""
        paid = payoffs_of(self.tree, self.chances)
        return sum((self.weights[player] * amount for player, amount in paid.items()), Fraction(0))

    # ------------------------------------------------------------------ the proof

    @cached_property
    def regrets(self) -> dict[str, Number]:
        """By player: the most that it gains by deviating, found from the distribution alone."""
        if self.concept in ("ce", "cce") and self.distribution:
            return dict(plan_gains(self.tree, self._draws, told=self.concept == "ce"))
        joint = joint_weights(self.tree, self._draws) if self.distribution else self.given
        return dict(sequence_gains(self.tree, joint, self.concept))

    @property
    def regret(self) -> Number:
        """The largest regret; 0 exactly in equilibrium."""
        return max(self.regrets.values())

    @property
    def proved(self) -> bool:
        """Regrets are computed in rational arithmetic, always."""
        return True

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


@refused_beyond(lambda: "a correlated equilibrium", "take a smaller game")
def correlated(
    game: Solvable,
    kind: str = "efce",
    welfare: Welfare = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
    tick: Callable[[str], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """The correlated equilibrium of a kind with the largest welfare, verified.

    Parameters
    ----------
    game : Game, Family, Tree or MatrixGame
        Its tree is built if it has none.
    kind : {"efce", "ce", "cce", "efcce"}
        "ce" and "cce" take any number of players, "efce" and "efcce" two with perfect recall.
    welfare : mapping or str, optional
        The weighted sum of payoffs to maximize: weights by player, or a text such as
        ``"2 one - two"``. The sum of all payoffs if not given.
    exact : bool, optional
        True requires a proof; False accepts floats; None proves if possible.
    seconds : float, optional
        Stop after so long, with the best device so far, or with an error that there is none.
    tick : callable, optional
        Called with a text about the progress.
    stop : callable, optional
        Called now and then; stops the computation if it returns True.

    Returns
    -------
    Solution
        Its ``evaluation`` has the device's lottery and welfare.

    Raises
    ------
    NotApplicable
        If the kind does not apply to the game.
    TooLarge
        If the linear program would be too large.
    NotProved
        If ``exact=True`` and no proof was found.
    OutOfTime
        If there is no answer after ``seconds``.

    Examples
    --------
    >>> from infoset.games import beer_quiche
    >>> solution = correlated(beer_quiche(), "efce", welfare="receiver")
    >>> solution.evaluation.welfare, solution.certificate
    (Fraction(39, 40), 'exact')
    """
    tree = as_tree(game)
    if not isinstance(kind, str) or kind not in KINDS:
        raise ParameterError(f"no kind {kind!r} of correlated equilibrium; {nearest(kind, KINDS)}")
    weights = weights_of(tree, welfare)
    options = Options(exact, seconds, tick, stop)
    by_sequences = kind == "cce" and len(tree.players) == 2 and bool(tree.perfect_recall)
    find = extensive_form.find if by_sequences or kind in BY_SEQUENCES else normal_form.find
    with answered_in_time(options, lambda: f"{tree.name}: {kind}", "take a smaller game"):
        device = find(tree, kind, weights, options)
        with finished_in_time(options, LATEST_ANSWER):
            return _concluded(tree, kind, weights, device, options)


def _concluded(
    tree: Tree, kind: str, weights: Mapping[str, Fraction], device: Device, options: Options
) -> Solution:
    """Verify a device, and make the result."""
    options.tell("verifying")
    drawn: dict[tuple[Pure, ...], Fraction] = {}
    for plans, probability in device.draws:
        pairs = zip(tree.names, plans, strict=True)
        profile = tuple(Pure(tree, player, tuple(sorted(plan))) for player, plan in pairs)
        drawn[profile] = drawn.get(profile, Fraction(0)) + probability
    likely_first = sorted(drawn.items(), key=lambda item: -item[1])
    found = JointEvaluation(
        tree=tree,
        concept=kind,
        weights=MappingProxyType(dict(weights)),
        distribution=MappingProxyType(dict(likely_first)),
        how=device.how,
        given=MappingProxyType(dict(device.plan)),
        optimal=device.optimal,
    )
    if options.exact and not found.exact:
        said = f" ({device.note})" if device.note else ""
        raise NotProved(
            f"{tree.name}: an exact answer was required, and none was found{said}; the result:"
            f" {found.certificate}"
        )
    _ = found.regret  # computed now: it is part of the time
    return Solution(
        evaluation=found,
        method=kind,
        because=device.how,
        work=MappingProxyType(dict(device.work)),
        note=device.note,
        seconds=time.perf_counter() - options.began,
    )


def _check_lottery(tree: Tree, distribution: Mapping[tuple[Pure, ...], Any]) -> None:
    """Refuse what is not a lottery over profiles of complete plans."""
    total = sum(distribution.values())
    if total != 1:
        raise StrategyError(f"{tree.name}: the probabilities sum to {total}, not to 1")
    for profile, probability in distribution.items():
        if probability < 0:
            raise StrategyError(f"{tree.name}: {profile!r:.80} has the probability {probability}")
        if tuple(plan.player for plan in profile) != tree.names:
            raise StrategyError(
                f"{tree.name}: {profile!r:.80} is not one plan for each player, in order"
            )
        for plan in profile:
            if plan.tree is not tree:
                raise StrategyError(f"{tree.name}: {plan!r:.80} is a plan of another tree")
            if plan.undecided is not None:
                label = tree.infosets[plan.undecided].label
                raise StrategyError(f"{tree.name}: {plan!r:.80} has no action at {label!r}")


def _check_plan(tree: Tree, given: Mapping[tuple[int, int], Fraction]) -> None:
    """Refuse weights that are not a correlation plan."""
    pairs = relevant_pairs(tree)
    one, two = pairs.sequences
    weights = Numbers.of(
        given.get(pair, Fraction(0)) for pair in zip(one.tolist(), two.tolist(), strict=True)
    )
    if not pairs.satisfied_by([int(over) for over in weights.numerators], weights.denominator):
        raise StrategyError(
            f"{tree.name}: these weights of pairs of sequences are not a correlation plan"
        )
