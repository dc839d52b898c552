"""Gambit's methods, from here: the tree goes out as an ``.efg`` file, strategies come back.

Gambit (R. D. McKelvey, A. M. McLennan, T. L. Turocy and others) has methods for games of any number
of players. Each says how good its answers are: an exact equilibrium, or a regret of at most some
part of the difference of the largest and the smallest payoff. What comes back is verified here, in
rational arithmetic, like any other answer, and refused if it is not as good as that.

Labels do not matter to a solver, and Gambit's versions differ in which they take. So the game is
sent with numbers for names, and what comes back is put in place by number: players, information
sets and actions have the order of the file. Two forms come back: behaviour, a lottery for every
information set, and mixed strategies, a lottery over Gambit's reduced strategies, which leave out
what their own choices rule out. Floats are taken for the binary fractions that they are; at every
set the likeliest action makes up the sum.

Written for pygambit 16.7, and for 17.0, whose interface is another.
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

TINY = 1e-6  # the regret asked of methods that can be asked, as a part of the payoffs' span
SETS = 100  # logit looks at one information set at a time: it is asked for so much less
ROUGH = 1e-4  # of those that minimize and may end beside it


@dataclass(frozen=True)
class Method:
    """How one of Gambit's methods is called, and what it claims."""

    about: str
    call: Callable[[Any, Any], Any]  # with pygambit and the game
    claimed: float  # regret, as a part of the payoffs' span; 0: exact


def _centre(game: Any, rational: bool) -> Any:
    return game.mixed_strategy_profile(rational=rational)


METHODS = {
    "enumpure": Method(
        "all equilibria in pure strategies",
        lambda gambit, game: gambit.nash.enumpure_solve(game),
        0.0,
    ),
    "enummixed": Method(
        "all extreme equilibria of a game of two",
        lambda gambit, game: gambit.nash.enummixed_solve(game, rational=True),
        0.0,
    ),
    "lcp": Method(
        "Lemke's method, for two",
        lambda gambit, game: gambit.nash.lcp_solve(game, rational=True),
        0.0,
    ),
    "lp": Method(
        "a linear program, for two and constant sum",
        lambda gambit, game: gambit.nash.lp_solve(game, rational=True),
        0.0,
    ),
    "enumpoly": Method(
        "equilibria by support, from polynomial equations",
        lambda gambit, game: gambit.nash.enumpoly_solve(game, maxregret=TINY),
        TINY,
    ),
    "logit": Method(
        "the principal branch of logit equilibria",
        lambda gambit, game: gambit.nash.logit_solve(game, maxregret=TINY / SETS),
        TINY,
    ),
    "simpdiv": Method(
        "simplicial subdivision",
        lambda gambit, game: gambit.nash.simpdiv_solve(
            _centre(game, True), maxregret=gambit.Rational(1, round(1 / TINY))
        ),
        TINY,
    ),
    "ipa": Method(
        "iterated polymatrix approximation",
        lambda gambit, game: gambit.nash.ipa_solve(game),
        TINY,
    ),
    "gnm": Method(
        "the global Newton method",
        lambda gambit, game: gambit.nash.gnm_solve(game),
        TINY,
    ),
    "liap": Method(
        "minimizing the Lyapunov function",
        lambda gambit, game: gambit.nash.liap_solve(_centre(game, False), maxregret=ROUGH),
        ROUGH,
    ),
}


def find(tree: Tree, options: Options, method: str) -> Found:
    """What one of Gambit's methods finds; refused if it is not what the method claims."""
    check_method(method)
    gambit = _gambit(method)
    if tree.absent_minded:
        raise NotApplicable(
            f"{tree.name}: Gambit has no measure for absent-minded players, and"
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
            f"{tree.name}: Gambit's {method} finds no equilibrium, and that there is none is not"
            f" proved here; try {'pure or ' if method == 'enumpure' else ''}qre"
        )
    if options.most is not None:
        found = found[: max(1, round(min(options.most, len(found))))]
    for entry in found:
        _check(tree, entry, method)
    return Found(found[0], {"equilibria": len(found)}, others=tuple(found[1:]))


def check_method(method: str) -> None:
    """Refuse what is no method of Gambit's.

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
    """Is the answer as good as the method says that it is?"""
    paid = [amount for stake in tree.leaf_payoffs for amount in stake.values()]
    claimed = Fraction(METHODS[method].claimed) * (max(paid) - min(paid))
    regret = profile(found).regret
    if regret > claimed:
        raise NotProved(
            f"{tree.name}: Gambit's {method} claims a regret of at most"
            f" {decimal_above(claimed)}, but its answer has {decimal_above(regret)}, computed in"
            " rational arithmetic; another method may do: qre"
        )


# ---------------------------------------------------------------------- what comes back


def _strategies(tree: Tree, game: Any, found: Any) -> tuple[Strategy, ...]:
    """A strategy for every player, from a profile of Gambit's."""
    mixed = hasattr(found, "as_behavior")  # else it is a profile of behaviour strategies
    made: list[Strategy] = []
    for number, theirs in enumerate(game.players):
        if mixed:
            made.append(_mixed(tree, number, list(_lottery(game, theirs, found))))
        else:
            made.append(_behaviour(tree, number, list(_local(game, theirs, found))))
    return tuple(made)


def _local(game: Any, player: Any, found: Any) -> Iterator[list[Fraction]]:
    """[own set] the probabilities of its actions."""
    if hasattr(game, "get_infosets"):  # 17.0: names instead of objects
        for _, lottery in found[player]:
            row = {int(action): Fraction(share) for action, share in lottery}
            yield [row[action] for action in sorted(row)]
        return
    for infoset in sorted(player.infosets, key=lambda one: one.number):
        yield [Fraction(found[action]) for action in infoset.actions]


def _lottery(game: Any, player: Any, found: Any) -> Iterator[tuple[Fraction, dict[int, int]]]:
    """The strategies that are played: the probability, and the action by own set."""
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
        probabilities += _whole(row)
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
    weights = _whole([weight for weight, _ in drawn])
    if len(plans) == 1:
        return plans[0]
    return Mixed(tree, tree.names[player], tuple(plans), Numbers.of(weights))


def _whole(row: list[Fraction]) -> list[Fraction]:
    """Probabilities that sum to one exactly: none is negative, the largest makes up the rest.

    >>> _whole([Fraction(-1, 10**20), Fraction(1, 3), Fraction(0.6666)])[0]
    Fraction(0, 1)
    """
    kept = [max(value, Fraction(0)) for value in row]
    total = sum(kept)
    if not total:  # Gambit says nothing where its strategy does not come
        return [Fraction(1, len(row))] * len(row)
    if abs(total - 1) > Fraction(1, 10**6):
        kept = [value / total for value in kept]
    largest = kept.index(max(kept))
    kept[largest] = 1 - sum(kept, -kept[largest])
    return kept
