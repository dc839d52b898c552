"""Criteria for strategies and profiles beside equilibrium: Pareto optimality and minimax regret.

*Pareto optimality.* A profile of pure strategies is *Pareto dominated* if another one pays every
player at least as much, and some player more. Those that no other one dominates are *Pareto
optimal*. Profiles are compared in descending order of their payoffs, the first player's first: a
profile can only be dominated by one that comes before it in that order, and, as dominance is
transitive, by an optimal one. As the first player's payoffs descend, only the others' need to be
compared: for two players with a single number.

*Minimax regret.* A player who knows nothing of what the others will do may look at what it would
regret. With the player's payoffs M[i, o] (a row i for each own strategy, a column o for each
combination of the others') the regret is R[i, o] = max_k M[k, o] - M[i, o], and the mixture x that
makes the worst expected regret as small as possible solves the linear program

    minimize  z   subject to   Σ_i x_i R[i, o] <= z  for all o,   Σ_i x_i = 1,   x >= 0.

It is solved as: maximize w, where Σ_i x_i (r - R[i, o]) >= w with r the largest entry of R, and
z = r - w. All coefficients are nonnegative then, as :mod:`infoset.solvers.correlated.program`
expects, which proves the optimum in integers.

Source: Savage 1951 (minimax regret); Luce & Raiffa 1957, sections 6.10 and 13.2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.analysis.questions.answer import Answer
from infoset.analysis.table import NUMBER, PROBABILITY, Column, Sheet, Table
from infoset.errors import NotProved
from infoset.forms.normal import NormalForm, normal_form
from infoset.linear.numbers import Array
from infoset.solvers import Solvable, as_tree
from infoset.solvers.correlated.program import ProgramBuilder, unit_of
from infoset.solvers.options import Options
from infoset.text import bounded_text, label_text

MOST_PROFILES = 100_000


@dataclass(frozen=True, repr=False)
class ParetoOptima(Answer):
    """The Pareto optimal profiles of pure strategies."""

    form: NormalForm  # whose strategies are numbered here
    profiles: tuple[tuple[int, ...], ...]  # [profile][player] a strategy, in the form's order

    @property
    def payoffs(self) -> tuple[tuple[Fraction, ...], ...]:
        """What each profile pays each player."""
        return tuple(map(self.form.payoffs_of, self.profiles))

    @property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """The strategies of each profile in words."""
        words = [self.form.labels(player) for player in range(len(self.form.shape))]
        return tuple(
            tuple(own[at] for own, at in zip(words, profile, strict=True))
            for profile in self.profiles
        )

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"optimal": len(self.profiles), "profiles": int(np.prod(self.form.shape))}

    @property
    def table(self) -> Table:
        """A row for each profile: the strategies and the payoffs."""
        names = [label_text(name) for name in self.form.tree.names]
        columns = [Column(name) for name in names]
        columns += [Column(f"{name} gets", NUMBER) for name in names]
        rows = [
            (*map(bounded_text, words), *paid)
            for words, paid in zip(self.labels, self.payoffs, strict=True)
        ]
        return Table("Pareto optimal profiles", tuple(columns), rows)


def pareto(game: Solvable, *, most: int = MOST_PROFILES) -> ParetoOptima:
    """The profiles of pure strategies that no other one Pareto dominates.

    Parameters
    ----------
    game
        A game of any number of players. Strategies are the plans of its reduced normal form.
    most
        The most profiles; a larger game is refused before anything is compared.

    Returns
    -------
    ParetoOptima
        The optimal profiles, in the order of the normal form. Mixtures of profiles are not
        looked at: one may dominate a profile that no profile alone does.

    Raises
    ------
    TooLarge
        If there are more profiles than ``most``.

    Examples
    --------
    >>> from infoset.games import prisoners_dilemma
    >>> print(pareto(prisoners_dilemma()))
    Pareto optimal profiles
    row        column     row gets  column gets
    cooperate  cooperate        -1           -1
    cooperate  defect           -4            0
    defect     cooperate         0           -4
    """
    form = normal_form(as_tree(game), most=most)
    vectors = list(zip(*(own.ravel().tolist() for own in form.numerators), strict=True))
    optimal = _undominated(set(vectors))
    profiles = [
        tuple(map(int, np.unravel_index(at, form.shape)))
        for at, vector in enumerate(vectors)
        if vector in optimal
    ]
    return ParetoOptima(form, tuple(profiles))


def _undominated(vectors: Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Of distinct payoff vectors those that no other one dominates."""
    front: list[tuple[int, ...]] = []
    highest: list[tuple[int, ...]] = []  # the others' payoffs in the front, without dominated ones
    for vector in sorted(vectors, reverse=True):
        others = vector[1:]
        if not any(_covers(known, others) for known in highest):
            front.append(vector)
            highest = [known for known in highest if not _covers(others, known)] + [others]
    return set(front)


def _covers(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    return all(a >= b for a, b in zip(one, two, strict=True))


@dataclass(frozen=True, repr=False)
class MinimaxRegret(Answer):
    """The mixture of a player with the smallest worst regret."""

    form: NormalForm  # whose strategies are numbered here
    player: str
    mixture: tuple[Fraction, ...]  # [strategy] its probability
    regret: Fraction  # expected, in the worst case
    pure: dict[int, Fraction]  # by strategy: its worst regret, played alone

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"regret": self.regret}

    @property
    def table(self) -> Sheet:
        """A row for each strategy: its probability, and its worst regret if played alone."""
        labels = self.form.labels(self.player)
        columns = (
            Column("strategy"),
            Column("probability", PROBABILITY),
            Column("worst regret alone", NUMBER),
        )
        rows = [
            (bounded_text(labels[at]), weight, self.pure[at])
            for at, weight in enumerate(self.mixture)
        ]
        title = f"minimax regret of {label_text(self.player)}"
        return Sheet(title, [Table("", columns, rows)], (("worst regret", str(self.regret)),))


def minimax_regret(game: Solvable, player: str, *, most: int = MOST_PROFILES) -> MinimaxRegret:
    """The mixed strategy of a player whose largest expected regret is smallest.

    Parameters
    ----------
    game
        A game of any number of players. Strategies are the plans of its reduced normal form.
    player
        By name.
    most
        The most profiles; a larger game is refused before anything is solved.

    Returns
    -------
    MinimaxRegret
        The mixture and its worst regret, exact, and the worst regret of each pure strategy.

    Raises
    ------
    TooLarge
        If there are more profiles than ``most``.
    InfosetError
        If there is no such player.

    Examples
    --------
    >>> from infoset import matrix_game
    >>> table = matrix_game([[10, 0], [4, 3]], actions=(("bold", "safe"), ("good", "bad")))
    >>> print(minimax_regret(table, "row"))
    minimax regret of row
    worst regret  2
    <BLANKLINE>
    strategy  probability   worst regret alone
    bold      2/3 █████▎                     3
    safe      1/3 ██▋                        6
    """
    tree = as_tree(game)
    number = tree.player_number(player)
    form = normal_form(tree, most=most)
    payoffs = np.moveaxis(form.numerators[number], number, 0).astype(object)
    payoffs = payoffs.reshape(form.shape[number], -1)
    regrets = payoffs.max(axis=0) - payoffs
    unit = form.denominators[number]
    mixture = smallest_maximum(regrets)
    worst = max(
        sum((x * int(entry) for x, entry in zip(mixture, column, strict=True)), Fraction(0))
        for column in regrets.T
    )
    alone = {at: Fraction(int(row.max()), unit) for at, row in enumerate(regrets)}
    return MinimaxRegret(form, tree.names[number], mixture, worst / unit, alone)


def smallest_maximum(amounts: Array) -> tuple[Fraction, ...]:
    """The mixture of rows whose largest entry is smallest.

    >>> smallest_maximum(np.array([[2, 0], [0, 1]], object))
    (Fraction(1, 3), Fraction(2, 3))
    """
    height = len(amounts)
    largest = int(amounts.max())
    spared = np.array(sorted({tuple(largest - column) for column in amounts.T}), object)
    program = ProgramBuilder()
    unit = unit_of(spared)
    first, least = program.columns(height), program.columns(1, unit=unit)
    total = program.rows(1, equal=True, side=1)
    own = np.arange(first, first + height)
    program.put([total] * height, own, 1)
    for column in spared:
        row = program.rows(1, unit=unit)
        program.put([row] * height, own, column)
        program.put([row], [least], -1)
    optimum = program.maximize(np.append(np.zeros(height, int), 1), Options(exact=True))
    if not optimum.exact:
        raise NotProved(f"a linear program of {height:,} strategies: {optimum.note}")
    return tuple(map(Fraction, optimum.values.values()[:height]))
