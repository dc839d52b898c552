"""Several equilibria side by side: what each pays, which hang together, and what is played."""

from __future__ import annotations

from typing import Any

from infoset.examine.tables import NUMBER, PROSE, Column, Table
from infoset.rules.story import brief, printable, text
from infoset.solve.solution import Solution, readable
from infoset.strategy import Behaviour, Mixed, Profile, Strategy
from infoset.strategy.text import number
from infoset.tree.labels import NOTHING
from infoset.tree.views import Views

ROOM = 100  # signs for what one player does


def equilibria_table(solution: Solution) -> Table:
    """A row for each equilibrium: its number, its component, payoffs, and what everyone does.

    >>> from infoset import solve
    >>> from infoset.tree import matrix_game
    >>> evening = matrix_game([[3, 0], [0, 1]], [[1, 0], [0, 2]], name="evening",
    ...     players=("she", "he"), actions=(("opera", "match"),) * 2)
    >>> print(equilibria_table(solve(evening, "enumerate")))
    number  component  she   he  she plays             he plays
         1          1    3    1  opera                 opera
         2          2    1    2  match                 match
         3          3  3/4  2/3  opera 2/3, match 1/3  opera 1/4, match 3/4
    """
    names = solution.tree.names
    inside = {
        member: at + 1 for at, one in enumerate(solution.components) for member in one.members
    }
    columns = [Column("number", NUMBER)]
    columns += [Column("component", NUMBER)] if inside else []
    columns += [Column(printable(name), NUMBER) for name in names]
    columns += [Column(f"{printable(name)} plays", PROSE) for name in names]

    def row(at: int) -> tuple[Any, ...]:
        profile = solution.equilibria[at]
        component = (inside.get(at),) if inside else ()
        played = (in_brief(strategy, profile) for strategy in profile)
        return (at + 1, *component, *profile.payoffs.values(), *played)

    return Table("", tuple(columns), Views(row, len(solution.equilibria)))


def in_brief(strategy: Strategy, profile: Profile) -> str:
    """What a strategy does where its player lets the play come, in a line.

    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> solution = solve(kuhn())
    >>> in_brief(solution.strategy["gambler"], solution.profile)
    'J: pass 2/3, bet 1/3; J, [pass], bet: pass; Q: pass; Q, [pass], bet: pass 1/3, bet 2/3; K: bet'
    """
    found = readable(strategy, profile)
    if isinstance(found, Mixed):
        plans = (f"{number(weight)} × ({plan.words})" for plan, weight in found.items())
        return brief("; ".join(plans), ROOM)
    return brief("; ".join(_lines(found)), ROOM)


def _lines(strategy: Behaviour) -> list[str]:
    choices, tree = strategy.choices, strategy.tree
    recalls = bool(tree.recall(strategy.player))
    weights = strategy.plan.weights.numerators if recalls else None
    lines = []
    for own, index in enumerate(choices.infosets.tolist()):
        if weights is not None and not weights[choices.before[own]]:
            continue
        infoset, first = tree.infosets[index], int(choices.first[own])
        shares = strategy.shares[first : first + len(infoset.actions)].tolist()
        does = [
            text(action) if share == 1 else f"{text(action)} {number(share)}"
            for action, share in zip(infoset.actions, shares, strict=True)
            if share
        ]
        label = "" if infoset.label in ("", NOTHING) else f"{infoset.label}: "
        lines.append(printable(label + ", ".join(does)))
        if sum(map(len, lines)) > ROOM:
            break
    return lines
