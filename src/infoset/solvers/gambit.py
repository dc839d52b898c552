"""Gambit's methods: the tree is sent as an ``.efg`` file, and its strategies are verified here.

Gambit (R. D. McKelvey, A. M. McLennan, T. L. Turocy and others) has methods for games of any number
of players. Each claims an accuracy: an exact equilibrium, or a regret of at most some part of the
range of payoffs. Its answer is verified in rational arithmetic like any other, and refused if it is
not as accurate as claimed.

Labels do not matter to a solver, and Gambit's versions differ in the labels they accept. So the
game is sent with numbers as names, and strategies are read by number: players, information sets and
actions have the order of the file. Gambit returns behaviour strategies, or mixed strategies over
reduced pure strategies, which omit actions that their own choices exclude. Floats are taken as the
binary fractions that they are; at every information set the most likely action takes the rounding.

Written for pygambit 16.7, and for 17.0, whose interface differs.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.errors import InfosetError, NotApplicable, NotProved, nearest
from infoset.linear.numbers import Numbers
from infoset.rules.moves import Lottery
from infoset.solvers.options import Found, Options
from infoset.strategy import Behaviour, Mixed, Pure, Strategy, profile
from infoset.text import decimal_above
from infoset.tree import Tree
from infoset.tree.files.efg import write_efg

TINY = 1e-6  # the regret that is requested where possible, relative to the range of payoffs
SETS = 100  # logit measures regret at single information sets: it is asked for so much less
ROUGH = 1e-4  # of methods that minimize, and may end at a local minimum


@dataclass(frozen=True)
class GambitMethod:
    """How one of Gambit's methods is called, and the accuracy that it claims."""

    about: str
    call: Callable[[Any, Any], Any]  # with pygambit and the game
    claimed: float = 0.0  # regret relative to the range of payoffs; 0: exact


def _centre(game: Any, rational: bool) -> Any:
    return game.mixed_strategy_profile(rational=rational)


def _in_rationals(function: str) -> Callable[[Any, Any], Any]:
    return lambda gambit, game: getattr(gambit.nash, function)(game, rational=True)


METHODS = {
    "enumpure": GambitMethod(
        "all equilibria in pure strategies",
        lambda gambit, game: gambit.nash.enumpure_solve(game),
    ),
    "enummixed": GambitMethod(
        "all extreme equilibria of a two-player game",
        _in_rationals("enummixed_solve"),
    ),
    "lcp": GambitMethod("Lemke's method, for two", _in_rationals("lcp_solve")),
    "lp": GambitMethod(
        "a linear program, for two-player constant-sum games",
        _in_rationals("lp_solve"),
    ),
    "enumpoly": GambitMethod(
        "equilibria by support, from polynomial equations",
        lambda gambit, game: gambit.nash.enumpoly_solve(game, maxregret=TINY),
        TINY,
    ),
    "logit": GambitMethod(
        "the principal branch of logit equilibria",
        lambda gambit, game: gambit.nash.logit_solve(game, maxregret=TINY / SETS),
        TINY,
    ),
    "simpdiv": GambitMethod(
        "simplicial subdivision",
        lambda gambit, game: gambit.nash.simpdiv_solve(
            _centre(game, True), maxregret=gambit.Rational(1, round(1 / TINY))
        ),
        TINY,
    ),
    "ipa": GambitMethod(
        "iterated polymatrix approximation",
        lambda gambit, game: gambit.nash.ipa_solve(game),
        TINY,
    ),
    "gnm": GambitMethod(
        "the global Newton method",
        lambda gambit, game: gambit.nash.gnm_solve(game),
        TINY,
    ),
    "liap": GambitMethod(
        "minimizing the Lyapunov function",
        lambda gambit, game: gambit.nash.liap_solve(_centre(game, False), maxregret=ROUGH),
        ROUGH,
    ),
}


def find(tree: Tree, options: Options, method: str) -> Found:
    """The equilibria of one of Gambit's methods; refused if less accurate than claimed."""
    check_method(method)
    gambit = _gambit(method)
    if tree.absent_minded:
        raise NotApplicable(
            f"{tree.name}: Gambit does not handle absent-mindedness, and"
            f" {tree.absent_minded.because}; behaviour applies"
        )
    options.tell(f"Gambit's {method}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = gambit.read_efg(io.StringIO(write_efg(_numbered(tree))))
        try:
            answer = METHODS[method].call(gambit, game)
        except (RuntimeError, ValueError, IndexError, ArithmeticError) as error:
            said = " ".join(str(error).split()) or type(error).__name__
            raise NotApplicable(f"{tree.name}: Gambit's {method} does not apply: {said}") from None
        found = [_strategies(tree, game, entry) for entry in _equilibria(answer)]
    if not found:
        raise NotProved(
            f"{tree.name}: Gambit's {method} found no equilibrium, which does not prove that there"
            f" is none; try {'pure or ' if method == 'enumpure' else ''}qre"
        )
    if options.most is not None:
        found = found[: max(1, round(min(options.most, len(found))))]
    for entry in found:
        _check(tree, entry, method)
    return Found(found[0], {"equilibria": len(found)}, others=tuple(found[1:]))


def check_method(method: str) -> None:
    """Refuse an unknown method.

    >>> check_method("logitt")
    Traceback (most recent call last):
    infoset.errors.InfosetError: no method 'gambit:logitt'; did you mean 'logit'?
    """
    if not method:
        raise InfosetError(f"gambit: which method? gambit:logit, say; known: {', '.join(METHODS)}")
    if method not in METHODS:
        raise InfosetError(f"no method 'gambit:{method}'; {nearest(method, METHODS)}")


def _gambit(method: str) -> Any:
    try:
        import pygambit
    except ImportError:
        raise NotApplicable(
            f"gambit:{method} needs pygambit, which is not installed: pip install 'infoset[gambit]'"
        ) from None
    return pygambit


def _numbered(tree: Tree) -> Tree:
    """The same game with numbers for names."""
    return replace(
        tree,
        name="game",
        comment="",
        players=tuple(f"player {number}" for number, _ in enumerate(tree.players, 1)),
        menus=tuple(_numbers(menu) for menu in tree.menus),
        labels=tuple(f"set {number}" for number in range(1, len(tree.infoset_player) + 1)),
        lotteries=tuple(
            Lottery(_numbers(drawn.outcomes), drawn.probabilities) for drawn in tree.lotteries
        ),
        outcome_names=(),
        node_names={},
    )


def _numbers(things: Sequence[Any]) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, len(things) + 1))


def _equilibria(answer: Any) -> list[Any]:
    """All equilibria of a result; some results of 17.0 have one, or none."""
    if hasattr(answer, "equilibria"):
        return list(answer.equilibria)
    return [answer.equilibrium] if answer.equilibrium is not None else []


def _check(tree: Tree, found: tuple[Strategy, ...], method: str) -> None:
    """Refuse an answer that is less accurate than the method claims."""
    paid = [amount for stake in tree.leaf_payoffs for amount in stake.values()]
    claimed = Fraction(METHODS[method].claimed) * (max(paid) - min(paid))
    regret = profile(found).regret
    if regret > claimed:
        raise NotProved(
            f"{tree.name}: Gambit's {method} claims a regret of at most"
            f" {decimal_above(claimed)}, but its answer has {decimal_above(regret)}, computed in"
            " rational arithmetic; try another method, such as qre"
        )


# ---------------------------------------------------------------------- reading strategies


def _strategies(tree: Tree, game: Any, found: Any) -> tuple[Strategy, ...]:
    """A strategy for every player, from one of Gambit's profiles."""
    mixed = hasattr(found, "as_behavior")  # else it is a profile of behaviour strategies
    made: list[Strategy] = []
    for number, theirs in enumerate(game.players):
        if mixed:
            made.append(_mixed(tree, number, list(_support(game, theirs, found))))
        else:
            made.append(_behaviour(tree, number, list(_behaviour_rows(game, theirs, found))))
    return tuple(made)


def _behaviour_rows(game: Any, player: Any, found: Any) -> Iterator[list[Fraction]]:
    """[own set] the probabilities of its actions."""
    if hasattr(game, "get_infosets"):  # 17.0: names instead of objects
        for _, lottery in found[player]:
            row = {int(action): Fraction(probability) for action, probability in lottery}
            yield [row[action] for action in sorted(row)]
        return
    for infoset in sorted(player.infosets, key=lambda one: one.number):
        yield [Fraction(found[action]) for action in infoset.actions]


def _support(game: Any, player: Any, found: Any) -> Iterator[tuple[Fraction, dict[int, int]]]:
    """The support of a mixed strategy: probability, and action by own information set."""
    if hasattr(game, "get_infosets"):
        own = list(game.get_infosets(player))
        for label, weight in found[player]:
            if weight:
                chosen = game.get_behavior(player, label).items()
                yield (
                    Fraction(weight),
                    {own.index(at): int(one) - 1 for at, one in chosen if one is not None},
                )
        return
    ordered = sorted(player.infosets, key=lambda one: one.number)
    for strategy in player.strategies:
        if found[strategy]:
            taken = {at: strategy.action(infoset) for at, infoset in enumerate(ordered)}
            chosen_here = {at: one.number for at, one in taken.items() if one is not None}
            yield Fraction(found[strategy]), chosen_here


def _behaviour(tree: Tree, player: int, rows: list[list[Fraction]]) -> Behaviour:
    probabilities = [Fraction(1)]
    for row in rows:
        probabilities += _normalized(row)
    return Behaviour(tree, tree.names[player], np.array(probabilities, object))


def _mixed(tree: Tree, player: int, drawn: list[tuple[Fraction, dict[int, int]]]) -> Strategy:
    infosets = tree.choices[player].infosets.tolist()
    plans = [
        Pure(
            tree,
            tree.names[player],
            tuple((infosets[at], action) for at, action in sorted(chosen.items())),
        )
        for _, chosen in drawn
    ]
    weights = _normalized([weight for weight, _ in drawn])
    if len(plans) == 1:
        return plans[0]
    return Mixed(tree, tree.names[player], tuple(plans), Numbers.of(weights))


def _normalized(row: list[Fraction]) -> list[Fraction]:
    """Probabilities that sum to one exactly: none is negative, the largest takes the rounding.

    >>> _normalized([Fraction(-1, 10**20), Fraction(1, 3), Fraction(0.6666)])[0]
    Fraction(0, 1)
    """
    kept = [max(value, Fraction(0)) for value in row]
    total = sum(kept)
    if not total:  # Gambit gives no probabilities at unreached sets
        return [Fraction(1, len(row))] * len(row)
    if abs(total - 1) > Fraction(1, 10**6):
        kept = [value / total for value in kept]
    largest = kept.index(max(kept))
    kept[largest] = 1 - sum(kept, -kept[largest])
    return kept
