"""Exploiting a known opponent: best responses, ε-safe strategies, restricted Nash responses.

The best response to a known strategy wins most against it, and may lose as much against another
opponent. An equilibrium strategy risks nothing, and exploits little. In between, of all strategies
that give up at most ε of the game's value v in the worst case, take the one that wins most against
the model y of the opponent. With player one's payoffs A, it is one linear program,

    maximize  x'A y    subject to    E x = e,  x >= 0,      A'x - F'q >= 0,   f'q >= v - ε

in which f'q is, by linear-programming duality, what x guarantees: q are the values of the
opponent's information sets under its best response (as in :mod:`infoset.solvers.lp`). McCracken &
Bowling (2004) call these ε-safe strategies. In Johanson, Zinkevich & Bowling (2007) the opponent
plays the model with probability p, and is unrestricted otherwise,

    maximize  p x'A y + (1 - p) f'q      subject to the same constraints but the last:

the restricted Nash response, which wins most among all strategies that guarantee as much.

*Exact.* As with every linear program here, floats find a basis, and its vertex is proved optimal in
integers. What the strategy wins and guarantees is then computed again from the tree.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from infoset.errors import NotApplicable, NotProved, ParameterError, StrategyError
from infoset.memory import refused_beyond
from infoset.solvers.evaluation import TreeEvaluation, readable
from infoset.solvers.options import Options, answered_in_time
from infoset.solvers.safe.program import SafetyProgram, safety_program
from infoset.solvers.solution import Solution
from infoset.strategy import Behaviour, Profile, RealizationPlan, Strategy, profile
from infoset.strategy.evaluation import best_response
from infoset.strategy.models import rational
from infoset.strategy.profile import checked_strategy
from infoset.text import decimal_near, probability_text, read_number, spelled

Opponents = Strategy | Profile | Mapping[str, Strategy] | Iterable[Strategy]


def _opponent(given: Opponents, player: str | None) -> Strategy:
    """The strategy of the opponent in a two-player game."""
    listed = [given] if isinstance(given, Strategy) else _listed(given)
    for one in listed:
        if not isinstance(one, Strategy):
            raise StrategyError(f"{one!r:.60} is not a strategy; behaviour() and pure() make one")
    if not listed:
        raise StrategyError("no strategy was given; give the opponent's")
    tree = listed[0].tree
    if any(one.tree is not tree for one in listed):
        raise StrategyError(f"{tree.name}: the strategies belong to different trees")
    if player is None and len(listed) != 1:
        raise StrategyError(
            f"{tree.name}: everyone has a strategy; say which player responds: player=..."
        )
    others = [one for one in listed if one.player != player]
    if player is not None:
        tree.player_number(player)
    if not others:
        raise StrategyError(f"{tree.name}: there is no strategy that {player} could respond to")
    return checked_strategy(others[0])


def _listed(given: Any) -> list[Any]:
    if isinstance(given, Profile):
        return list(given.strategies)
    if isinstance(given, Mapping):
        for name, one in given.items():
            if isinstance(one, Strategy) and one.player != name:
                raise StrategyError(f"{name!r:.60} is given a strategy of {one.player!r:.60}")
        return list(given.values())
    return list(given) if isinstance(given, Iterable) else [given]


def known_opponent(given: Opponents, player: str | None) -> Strategy:
    """The opponent's strategy, in a game for which safe strategies are defined."""
    first = given if isinstance(given, Strategy) else next(iter(_listed(given)), None)
    tree = first.tree if isinstance(first, Strategy) else None
    lacking = ""
    if tree is not None and len(tree.players) != 2:
        lacking = f"it has {len(tree.players)} players, not 2"
    elif tree is not None and not tree.constant_sum:
        lacking = "its payoffs do not sum to a constant"
    elif tree is not None and not tree.perfect_recall:
        lacking = str(tree.perfect_recall.because)
    if tree is not None and lacking:
        raise NotApplicable(
            f"{tree.name}: safe strategies are defined for two-player constant-sum games with"
            f" perfect recall, but {lacking}; best_response() applies"
        )
    return _opponent(given, player)


ROUNDING = Fraction(1, 10**6)  # by how much floats may miss ε before the strategy is repaired
LARGE = 10**15  # from which payoffs are shown by their order of magnitude


class Reply(NamedTuple):
    """What a strategy wins against the model, and what it guarantees against any opponent."""

    wins: Any
    guarantee: Any


@dataclass(frozen=True, eq=False)
class Safety:
    """What a strategy wins against a model of the opponent, and what it guarantees."""

    player: str
    model: Strategy  # of the opponent
    value: Fraction  # of the game, to the player; where that is not proved, at least this
    epsilon: Fraction  # how much of it may be given up in the worst case
    wins: Fraction  # against the model
    guarantee: Fraction  # against any opponent
    best: Reply  # the same of the best response to the model
    proved: bool  # that no strategy with this guarantee wins more

    @property
    def record(self) -> dict[str, Any]:
        """What a file keeps of it; the model is the other player's strategy there."""
        return {
            "player": self.player,
            "value": spelled(self.value),
            "epsilon": spelled(self.epsilon),
            "wins": spelled(self.wins),
            "guarantee": spelled(self.guarantee),
            "best": [spelled(amount) for amount in self.best],
            "proved": self.proved,
        }

    @classmethod
    def read(cls, both: Profile, record: Mapping[str, Any]) -> Safety:
        """The same again, with what it wins and guarantees computed from the strategies.

        Raises
        ------
        StrategyError
            If the record says otherwise.
        """
        player = both.tree.names[both.tree.player_number(record["player"])]
        (model,) = (own for own in both if own.player != player)
        wins, guarantee = _wins_and_guarantees(both[player], model)
        told = [read_number(record[name]) for name in ("wins", "guarantee")]
        if [wins, guarantee] != told:
            raise StrategyError("what its safe strategy wins or guarantees is not what it says")
        best = Reply(*map(read_number, record["best"]))
        value, epsilon = read_number(record["value"]), read_number(record["epsilon"])
        proved = record["proved"] is True
        return cls(player, model, value, epsilon, wins, guarantee, best, proved)

    @property
    def certificate(self) -> str:
        """``"exact"`` if it is proved to win most; else that it is not."""
        return "exact" if self.proved else "not proved to win most"

    def __str__(self) -> str:
        names = (f"at most {_shown(self.epsilon)} given up", "best response to the model")
        wins = _uniform_texts([self.wins, self.best.wins])
        sure = _uniform_texts([self.guarantee, self.best.guarantee, self.value])
        title = "value of the game" if self.proved else "value of the game, at least"
        rows = zip((*names, title), (*wins, ""), sure, strict=True)
        return _table(("", "wins", "guarantees"), list(rows))


@dataclass(frozen=True, eq=False, repr=False)
class Frontier(Sequence[Solution]):
    """Safe strategies by epsilon; what they win is concave and piecewise linear."""

    points: tuple[Solution, ...]

    def __getitem__(self, at: Any) -> Any:
        return self.points[at]

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.points)

    def __repr__(self) -> str:
        return f"<Frontier of {len(self)} safe strategies>"

    def __str__(self) -> str:
        found = [one.safety for one in self.points if one.safety is not None]
        columns = (
            _uniform_texts([one.epsilon for one in found]),
            _uniform_texts([one.wins for one in found]),
            _uniform_texts([one.guarantee for one in found]),
        )
        return _table(("epsilon", "wins", "guarantees"), list(zip(*columns, strict=True)))


@refused_beyond(lambda: "a safe strategy", "take a smaller game")
def safe(
    strategy: Opponents,
    epsilon: Any = 0,
    player: str | None = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
) -> Solution:
    """The strategy that wins most against a model, of those that give up at most ``epsilon``.

    For two-player constant-sum games with perfect recall.

    Parameters
    ----------
    strategy : Strategy, Profile, mapping or iterable of strategies
        The model of the opponent.
    epsilon : number
        What may be given up of the value of the game in the worst case. With 0 the result is an
        optimal strategy, the one that exploits the model most; with a large number it is a best
        response.
    player : str, optional
        Who plays against the model; needed if both players have a strategy.
    exact : bool, optional
        True requires a proof; False accepts floats; None proves if possible.
    seconds : float, optional
        Stop after so long, with the best strategy so far.

    Returns
    -------
    Solution
        Its ``safety`` says what the strategy wins against the model, and what it guarantees.

    Raises
    ------
    NotApplicable
        If the game has not two players, constant sum and perfect recall.
    NotProved
        If ``exact=True`` and no proof was found.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import uniform
    >>> found = safe(uniform(kuhn().tree(), "dealer"), epsilon=0.05)
    >>> found
    <Solution of kuhn() by safe: exact>
    >>> found.safety.wins, found.safety.guarantee
    (Fraction(11, 30), Fraction(-19, 180))
    >>> found.safety.value - found.safety.guarantee, found.safety.best
    (Fraction(1, 20), Reply(wins=Fraction(1, 2), guarantee=Fraction(-1, 2)))
    """
    (found,) = frontier(strategy, [epsilon], player, exact=exact, seconds=seconds)
    return found


def frontier(
    strategy: Opponents,
    epsilons: Iterable[Any],
    player: str | None = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
) -> Frontier:
    """Safe strategies for several epsilons: the trade-off between exploitation and safety.

    Parameters
    ----------
    strategy, player, exact, seconds
        As for :func:`safe`.
    epsilons : iterable of numbers
        What may be given up of the value, one number for each strategy.

    Returns
    -------
    Frontier
        A sequence of solutions; what they win is a concave, piecewise linear
        function of epsilon.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import uniform
    >>> print(frontier(uniform(kuhn().tree(), "dealer"), [0, Fraction(1, 36), Fraction(1, 9)]))
    epsilon  wins  guarantees
          0   1/6       -1/18
       1/36  5/18       -1/12
        1/9  5/12        -1/6
    """
    if not isinstance(epsilons, Iterable):
        raise ParameterError(f"epsilons={epsilons!r:.60}: give several numbers, such as [0, 0.1]")
    allowed = [rational("epsilon", epsilon, most=None) for epsilon in epsilons]
    model, options = known_opponent(strategy, player), Options(exact, seconds)
    found = []
    with _in_time(model, options):
        program = safety_program(model, options)
        for epsilon in allowed:
            options.tell(f"at most {_shown(epsilon)} given up")
            plan, proved = program.optimal_plan(options, floor=program.value - epsilon)
            found.append(_evaluated(program, plan, proved, epsilon, options))
    return Frontier(tuple(found))


def _in_time(model: Strategy, options: Options) -> AbstractContextManager[None]:
    """Refuse what has no answer after the seconds that are allowed."""
    tree = model.tree
    return answered_in_time(
        options, lambda: f"{tree.name}: safe on {len(tree):,} nodes", "take a smaller game"
    )


def restricted(
    strategy: Opponents,
    p: Any,
    player: str | None = None,
    *,
    exact: bool | None = None,
    seconds: float | None = None,
) -> Solution:
    """The restricted Nash response: the opponent is the model with probability p.

    Parameters
    ----------
    strategy, player, exact, seconds
        As for :func:`safe`.
    p : number between 0 and 1
        The probability of the model; otherwise the opponent is unrestricted.

    Returns
    -------
    Solution
        Its ``safety.epsilon`` is what the strategy gives up of the value in the worst case. If
        p is neither 0 nor 1, it wins most against the model among all strategies that guarantee as
        much.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.strategy import uniform
    >>> at_random = uniform(kuhn().tree(), "dealer")
    >>> [str(restricted(at_random, p).safety.epsilon) for p in (0, 0.5, 1)]
    ['0', '1/18', '4/9']
    """
    weight = rational("p", p)
    model, options = known_opponent(strategy, player), Options(exact, seconds)
    with _in_time(model, options):
        program = safety_program(model, options)
        plan, proved = program.optimal_plan(options, weight=weight)
        return _evaluated(program, plan, proved, None, options)


# ---------------------------------------------------------------------- evaluation


def _evaluated(
    program: SafetyProgram,
    plan: RealizationPlan,
    proved: bool,
    epsilon: Fraction | None,
    options: Options,
) -> Solution:
    """A plan as a result, with all values computed again from the tree."""
    tree, player, model = program.tree, plan.player, program.model
    wins, sure = _wins_and_guarantees(plan, model)
    if not proved and epsilon is not None and program.value - sure > epsilon + ROUNDING:
        plan = program.repaired(plan, sure, program.value - epsilon)
        wins, sure = _wins_and_guarantees(plan, model)
    strategy = readable(plan, profile((plan, model)))
    assert isinstance(strategy, Behaviour)  # players with perfect recall have one
    response = best_response(tree, model).strategy
    best = Reply(*_wins_and_guarantees(response, model))
    if wins == best.wins and sure < best.guarantee:  # wins as much, and guarantees more
        strategy, (wins, sure) = response.behaviour(), best
    given_up = program.value - sure
    if options.exact and not (proved and (epsilon is None or given_up <= epsilon)):
        raise NotProved(
            f"{tree.name}: an exact answer was required, and none was found; exact=None gives one"
            f" that wins {_shown(wins)} and guarantees {_shown(sure)}"
        )
    safety = Safety(
        player=player,
        model=model,
        value=program.value,
        epsilon=given_up if epsilon is None else epsilon,
        wins=wins,
        guarantee=sure,
        best=best,
        proved=proved and program.proved,
    )
    both = TreeEvaluation(tree, profile((strategy, model)), equilibrium=False)
    seconds = time.perf_counter() - options.began
    return Solution(both, "safe", "as asked", seconds=seconds, safety=safety)


def _wins_and_guarantees(strategy: Strategy, model: Strategy) -> tuple[Any, Any]:
    """What a strategy wins against a model, and what it guarantees."""
    tree = strategy.tree
    wins = profile((strategy, model)).payoffs[strategy.player]
    total = sum(stake[0] for stake in tree.leaf_payoffs)  # the same at every leaf
    return wins, total - best_response(tree, strategy).value


def _uniform_texts(values: Sequence[Any]) -> list[str]:
    """The numbers of a column as fractions if all are short, else as decimals."""
    shown = [_shown(value) for value in values]
    if not any("." in one or "e" in one for one in shown):
        return shown
    return [f"{float(value):.4f}" if abs(value) < LARGE else _shown(value) for value in values]


def _shown(value: Any) -> str:
    """An amount in few characters, also beyond floats."""
    return probability_text(value) if abs(value) < LARGE else decimal_near(value, 4)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of text: the first aligned left if it has words, all others right."""
    widths = [max(len(row[at]) for row in [headings, *rows]) for at in range(len(headings))]
    first = str.rjust if headings[0] else str.ljust
    lines = []
    for row in [headings, *rows]:
        cells = [first(row[0], widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
