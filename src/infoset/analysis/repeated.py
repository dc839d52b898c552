"""Repeated games with discounting: which outcomes grim trigger supports, and how patiently.

A stage game is played in every period, and everyone sees what was done. *Grim trigger* plays an
outcome as long as nobody deviates from it, and an equilibrium of the stage game for ever after. Of
a player i let v be the payoff of the outcome, d that of the best deviation from it in one period,
and e that of the equilibrium. With the discount factor δ and average payoffs, not to deviate pays

    v >= (1 - δ) d + δ e,     that is     δ >= (d - v) / (d - e)     if d > v > e,

for every δ if d = v, and for no δ < 1 if d > v and e >= v. After a deviation the equilibrium is
played whatever happens, and no deviation from it pays. So grim trigger is a subgame perfect
equilibrium exactly if this holds for every player (Friedman 1971).

*Minmax payoffs.* In no equilibrium of the repeated game does a player get less than what the other
player can hold it to, by a mixture y that minimizes max_i Σ_j M[i, j] y_j: a linear program, which
is proved in integers as in :mod:`infoset.analysis.criteria`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from infoset.analysis.criteria import MOST_PROFILES, smallest_maximum
from infoset.analysis.questions.answer import Answer
from infoset.analysis.table import NUMBER, Column, Sheet, Table
from infoset.errors import NotApplicable, NotProved, StrategyError, nearest
from infoset.forms.normal import NormalForm, normal_form
from infoset.solvers import Solution, Solvable, as_tree, solve
from infoset.text import bounded_text, label_text
from infoset.tree import Tree

Outcome = Sequence[str | int] | Mapping[str, str | int]


@dataclass(frozen=True, repr=False)
class GrimTrigger(Answer):
    """How patient players must be for an outcome of a repeated game."""

    form: NormalForm  # of the stage game
    outcome: tuple[int, ...]  # [player] its action, in the form's order
    payoffs: dict[str, Fraction]  # by player: of the outcome, v
    deviations: dict[str, Fraction]  # of the best deviation, d
    equilibrium: dict[str, Fraction]  # of the equilibrium that is played after a deviation, e
    discounts: dict[str, Fraction | None]  # the least discount factor; None if there is none

    @property
    def discount(self) -> Fraction | None:
        """The least discount factor at which nobody deviates; None if there is none below 1."""
        needed = list(self.discounts.values())
        known = [one for one in needed if one is not None]
        return max(known) if len(known) == len(needed) else None

    @property
    def numbers(self) -> dict[str, Any]:
        """What the answer says beside its rows, by name."""
        return {"discount": self.discount}

    @property
    def table(self) -> Sheet:
        """A row for each player: its payoffs, and how patient it must be."""
        columns = (
            Column("player"),
            Column("action"),
            *(Column(name, NUMBER) for name in ("outcome", "best deviation", "equilibrium")),
            Column("discount at least"),
        )
        rows = [
            (
                label_text(name),
                bounded_text(self.form.labels(name)[self.outcome[at]]),
                self.payoffs[name],
                self.deviations[name],
                self.equilibrium[name],
                "none" if self.discounts[name] is None else str(self.discounts[name]),
            )
            for at, name in enumerate(self.form.tree.names)
        ]
        least = "none below 1" if self.discount is None else str(self.discount)
        return Sheet("grim trigger", [Table("", columns, rows)], (("discount at least", least),))


def grim_trigger(
    game: Solvable,
    outcome: Outcome,
    equilibrium: Solution | Outcome | None = None,
    *,
    most: int = MOST_PROFILES,
) -> GrimTrigger:
    """The discount factors at which grim trigger supports an outcome of the repeated game.

    Parameters
    ----------
    game
        The stage game: simultaneous moves of any number of players, by a matrix or by rules.
    outcome
        An action of each player, by its label or its number, in the order of the players or by
        their names.
    equilibrium
        The equilibrium of the stage game that is played after a deviation: a solution, or actions
        as for the outcome. If left out, the one that :func:`~infoset.solve` finds.
    most
        The most profiles of the stage game; a larger one is refused.

    Returns
    -------
    GrimTrigger
        The least discount factor, for each player and for all, exact.

    Raises
    ------
    NotApplicable
        If the moves of the stage game are not simultaneous.
    StrategyError
        If the outcome is none, or the equilibrium is none.
    TooLarge
        If there are more profiles than ``most``.

    Examples
    --------
    >>> from infoset.games import prisoners_dilemma
    >>> print(grim_trigger(prisoners_dilemma(), ("cooperate", "cooperate")))
    grim trigger
    discount at least  1/3
    <BLANKLINE>
    player  action     outcome  best deviation  equilibrium  discount at least
    row     cooperate       -1               0           -3  1/3
    column  cooperate       -1               0           -3  1/3
    """
    form = stage_form(game, most)
    profile = _profile(form, outcome)
    after = _equilibrium_payoffs(form, equilibrium)
    paid = dict(zip(form.tree.names, form.payoffs_of(profile), strict=True))
    best = dict(zip(form.tree.names, _best_deviations(form, profile), strict=True))
    needed = {name: _least_discount(paid[name], best[name], after[name]) for name in paid}
    return GrimTrigger(form, profile, paid, best, after, needed)


def minmax_payoffs(game: Solvable, *, most: int = MOST_PROFILES) -> dict[str, Fraction]:
    """What each of two players can be held to by the other, in the stage game.

    Parameters
    ----------
    game
        The stage game, of two players with simultaneous moves.
    most
        The most profiles; a larger game is refused.

    Returns
    -------
    dict
        By player: its minmax payoff in mixed strategies, exact.

    Raises
    ------
    NotApplicable
        If the game does not have two players, or their moves are not simultaneous.
    TooLarge
        If there are more profiles than ``most``.

    Examples
    --------
    >>> from infoset import matrix_game
    >>> minmax_payoffs(matrix_game([[2, 0], [0, 1]], [[1, 0], [0, 2]]))
    {'row': Fraction(2, 3), 'column': Fraction(2, 3)}
    """
    tree = as_tree(game)
    if len(tree.players) != 2:
        raise NotApplicable(
            f"{tree.name} has {len(tree.players)} players; minmax payoffs are a linear program for"
            " two: take a game of two players"
        )
    form = stage_form(tree, most)
    found = {}
    for number, name in enumerate(tree.names):
        against = np.moveaxis(form.numerators[number], 1 - number, 0).astype(object)
        mixture = smallest_maximum(against)
        held = max(
            sum((x * int(entry) for x, entry in zip(mixture, column, strict=True)), Fraction(0))
            for column in against.T
        )
        found[name] = held / form.denominators[number]
    return found


def stage_form(game: Solvable, most: int = MOST_PROFILES) -> NormalForm:
    """The normal form of a stage game, in which everyone chooses once, unseen by the others."""
    tree = as_tree(game)
    if not _simultaneous(tree):
        raise NotApplicable(
            f"{tree.name}: the moves of a stage game are simultaneous, one of each player in every"
            " play; give its normal form, as matrix_game(payoffs)"
        )
    return normal_form(tree, most=most)


def _simultaneous(tree: Tree) -> bool:
    """Does every play have one choice of each player, always at the same information set?"""
    everyone = list(range(len(tree.players)))
    if sorted(tree.infoset_player.tolist()) != everyone:
        return False
    for leaf in tree.leaf_indices.tolist():
        movers, node = [], leaf
        while (node := int(tree.parent[node])) >= 0:
            movers.append(int(tree.player[node]))
        if sorted(mover for mover in movers if mover >= 0) != everyone:
            return False
    return True


def _profile(form: NormalForm, outcome: Any) -> tuple[int, ...]:
    """The numbers of some actions, one of each player."""
    names = form.tree.names
    if isinstance(outcome, Mapping):
        if set(outcome) != set(names):
            raise StrategyError(
                f"{form.tree.name}: an action of each player is needed, {', '.join(names)}; not of"
                f" {', '.join(map(str, outcome))}"
            )
        outcome = [outcome[name] for name in names]
    if isinstance(outcome, str) or len(outcome) != len(names):
        raise StrategyError(
            f"{form.tree.name}: {outcome!r:.60} is no outcome; give an action of each player,"
            f" {', '.join(names)}"
        )
    return tuple(_action(form, name, said) for name, said in zip(names, outcome, strict=True))


def _action(form: NormalForm, name: str, said: str | int) -> int:
    labels = form.labels(name)
    if isinstance(said, str) and said in labels:
        return labels.index(said)
    if isinstance(said, int) and 0 <= said < len(labels):
        return said
    raise StrategyError(f"{form.tree.name}: {name} has no action {said!r}; {nearest(said, labels)}")


def _equilibrium_payoffs(form: NormalForm, given: Any) -> dict[str, Fraction]:
    """What an equilibrium of the stage game pays."""
    names = form.tree.names
    if given is not None and not hasattr(given, "payoffs"):
        profile = _profile(form, given)
        paid, best = form.payoffs_of(profile), _best_deviations(form, profile)
        for name, own, more in zip(names, paid, best, strict=True):
            if more > own:
                raise StrategyError(
                    f"{form.tree.name}: {given!r:.60} is no equilibrium, as {name} gets {own} and"
                    f" could get {more}; give an equilibrium of the stage game"
                )
        return dict(zip(names, paid, strict=True))
    found = solve(form.tree) if given is None else given
    if found.regret or not found.exact:
        raise NotProved(
            f"{form.tree.name}: the equilibrium of the stage game is not exact; give one, by the"
            " actions of the players"
        )
    return {name: Fraction(found.payoffs[name]) for name in names}


def _best_deviations(form: NormalForm, profile: tuple[int, ...]) -> list[Fraction]:
    """[player] the most that it can get, if the others play a profile."""
    return [
        max(
            form.payoffs_of((*profile[:player], own, *profile[player + 1 :]))[player]
            for own in range(size)
        )
        for player, size in enumerate(form.shape)
    ]


def _least_discount(paid: Fraction, best: Fraction, after: Fraction) -> Fraction | None:
    if best == paid:
        return Fraction(0)
    return None if after >= paid else (best - paid) / (best - after)
