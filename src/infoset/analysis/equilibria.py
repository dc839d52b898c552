"""Several equilibria side by side: payoffs, components, and what is played."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Any

from infoset.analysis.table import NUMBER, PROSE, Column, Table
from infoset.solvers.evaluation import readable
from infoset.solvers.solution import Solution
from infoset.strategy import Behaviour, Mixed, Profile, Strategy
from infoset.strategy.perfect_bayesian import may_be_unreached, not_examined
from infoset.text import brief, printable, probabilities_text, probability_text, text
from infoset.tree.knowledge import NOTHING, in_order
from infoset.tree.views import Views

ROOM = 400  # characters for what one player does
FEW = 40  # characters that are said each time, though they are the same in all
MANY = 200  # equilibria that are not compared with each other
MOST_SETS = 200  # information sets of a strategy that are looked at


def equilibria_table(solution: Solution) -> Table:
    """Several equilibria side by side.

    Parameters
    ----------
    solution : Solution
        As a method that finds several equilibria returns it.

    Returns
    -------
    Table
        A row for each equilibrium: its number, its component if these are known, its kind if
        beliefs matter (sequential, weak perfect Bayesian, Nash), the payoffs, and what each player
        does; what is the same in all of them is in the note.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.tree import matrix_game
    >>> evening = matrix_game([[3, 0], [0, 1]], [[1, 0], [0, 2]], name="evening",
    ...     players=("she", "he"), actions=(("opera", "match"),) * 2)
    >>> print(equilibria_table(solve(evening, "enumerate")))
    number  component  she   he  she plays               he plays
         1          1    3    1  opera                   opera
         2          2    1    2  match                   match
         3          3  3/4  2/3  opera: 2/3, match: 1/3  opera: 1/4, match: 3/4
    """
    names = solution.tree.names
    inside = {
        member: at + 1 for at, one in enumerate(solution.components) for member in one.members
    }
    columns = [Column("number", NUMBER)]
    columns += [Column("component", NUMBER)] if inside else []
    examined = not not_examined(solution.verified) and may_be_unreached(solution.tree)
    columns += [Column("kind")] if examined else []
    columns += [Column(printable(name), NUMBER) for name in names]
    columns += [Column(f"{printable(name)} plays", PROSE) for name in names]
    alike = {name: _alike(solution, name) for name in names}

    def row(at: int) -> tuple[Any, ...]:
        profile = solution.equilibria[at]
        component = (inside.get(at),) if inside else ()
        kind = (solution.supporting[at].kind,) if examined else ()
        played = (strategy_summary(own, profile, alike[own.player]) or "as all" for own in profile)
        return (at + 1, *component, *kind, *profile.payoffs.values(), *played)

    shared = [f"{printable(name)}: {shown(same)}" for name, same in alike.items() if same]
    note = f"the same in all of them: {' | '.join(shared)}" if shared else ""
    return Table("", tuple(columns), Views(row, len(solution.equilibria)), note)


def always_sequential(solution: Solution) -> bool:
    """Does every play come to every information set, as in a normal form?

    Then every equilibrium is sequential, and there is nothing to say. False where that is not
    known, because the tree is large.
    """
    return not not_examined(solution.verified) and not may_be_unreached(solution.tree)


def _alike(solution: Solution, player: str) -> list[str]:
    """What a player does in all of the equilibria, where that leaves something that differs."""
    if len(solution.equilibria) > MANY:
        return []
    number = solution.tree.player_number(player)
    told = [lines(one.strategies[number], one) for one in solution.equilibria]
    if sum(map(len, told[0])) <= FEW:  # short enough to be said each time
        return []
    same = [line for line in told[0] if all(line in own for own in told[1:])]
    return same


def shown(told: list[str]) -> str:
    """Several lines in one, cut at its end where it is too long."""
    line = "; ".join(told)
    return line if len(line) <= ROOM else f"{line[: ROOM - 2].rstrip()} …"


def strategy_summary(strategy: Strategy, profile: Profile, without: Collection[str] = ()) -> str:
    """What a strategy does at the sets that its player allows, in a line.

    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> print(strategy_summary(solution.strategy["dealer"], solution.profile))
    J, pass → pass: 2/3, bet: 1/3; J, bet → pass; Q, pass → pass; ...K, pass → bet; ...
    """
    return shown([line for line in lines(strategy, profile) if line not in without])


def lines(strategy: Strategy, profile: Profile) -> list[str]:
    """The same, for each information set or each pure strategy by itself."""
    found = readable(strategy, profile)
    if isinstance(found, Mixed):
        return [
            f"{probability_text(weight)} × ({brief(plan.words)})" for plan, weight in found.items()
        ]
    return _lines(found)


def _played(does: list[tuple[str, Any]]) -> str:
    """Actions with their probabilities; the action alone where it is sure."""
    if len(does) == 1:
        return does[0][0]
    return probabilities_text((name, probability_text(one)) for name, one in does)


def _lines(strategy: Behaviour) -> list[str]:
    choices, tree = strategy.choices, strategy.tree
    recalls = bool(tree.recall(strategy.player))
    weights = strategy.plan.weights.numerators if recalls else None
    reached = (
        (index, own)
        for own, index in enumerate(choices.infosets.tolist())
        if weights is None or weights[choices.before[own]]
    )
    places = dict(islice(reached, MOST_SETS))
    return [_line(strategy, index, places[index]) for index in in_order(tree, list(places))]


def _line(strategy: Behaviour, index: int, own: int) -> str:
    """What is done at an information set, which is the player's own one of this number."""
    infoset, first = strategy.tree.infosets[index], int(strategy.choices.first[own])
    probabilities = strategy.probabilities[first : first + len(infoset.actions)].tolist()
    does: list[tuple[str, Any]] = [
        (text(action), probability)
        for action, probability in zip(infoset.actions, probabilities, strict=True)
        if probability
    ]
    label = "" if infoset.label in ("", NOTHING) else f"{infoset.label} → "
    return printable(label + _played(does))
