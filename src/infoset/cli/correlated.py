"""Answers of ``infoset solve`` that are no equilibrium in strategies of each player.

A correlated equilibrium advises all players at once; a safe strategy answers an opponent whose
strategy is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from infoset.analysis.strategy_tables import strategy_sheet
from infoset.analysis.table import Sheet
from infoset.cli.output import Writing, terminal
from infoset.cli.progress import status
from infoset.cli.solutions import tree_record
from infoset.cli.solve_options import Request
from infoset.display.correlated import correlated_sheet, correlated_text, joint
from infoset.errors import ParameterError
from infoset.solvers import Solution
from infoset.solvers.correlated.solver import correlated as solve_correlated
from infoset.solvers.interrupt import interruptible
from infoset.solvers.safe.solver import Safety
from infoset.solvers.safe.solver import safe as solve_safe
from infoset.solvers.storage import strategy_record
from infoset.strategy import Behaviour, Strategy
from infoset.strategy.convert import read_strategies
from infoset.strategy.files import write_strategies
from infoset.text import printable, spelled
from infoset.tree import Tree


def correlated(request: Request, tree: Tree) -> CorrelatedAnswer:
    """The correlated equilibrium with the greatest welfare."""
    with status(f"solving {tree.name}") as tick, interruptible() as stop:
        found = solve_correlated(
            tree,
            request.method or "",
            request.objective.welfare,
            exact=request.how.exact,
            seconds=request.how.seconds,
            tick=tick,
            stop=stop,
        )
    return CorrelatedAnswer(request, found)


@dataclass(frozen=True)
class CorrelatedAnswer:
    """A correlated equilibrium."""

    request: Request
    solution: Solution

    def files(self) -> Sequence[Writing]:
        """The tables."""
        table = self.request.output.table
        return (("the tables", table, lambda path: correlated_sheet(self.solution).save(path)),)

    def notes(self) -> str:
        """Nothing more."""
        return ""

    def text(self) -> str:
        """All that is shown, for the terminal."""
        return correlated_text(self.solution, **terminal())

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object."""
        solution, found = self.solution, joint(self.solution)
        return {
            **tree_record(found.tree),
            "method": solution.method,
            "payoffs": _spelled(found.payoffs),
            "value": None,
            "welfare": spelled(found.welfare),
            "weights": _spelled(found.weights),
            "regret": spelled(found.regret),
            "regrets": _spelled(found.regrets),
            "certificate": found.certificate,
            "exact": found.exact,
            "note": solution.note,
            "work": dict(solution.work),
            "seconds": round(solution.seconds, 6),
            "distribution": [
                {
                    "probability": spelled(probability),
                    "plans": [[list(pair) for pair in plan.chosen] for plan in plans],
                }
                for plans, probability in found.distribution.items()
            ],
            "plan": [[*pair, spelled(probability)] for pair, probability in found.given.items()],
        }


def _spelled(amounts: Mapping[str, Any]) -> dict[str, str]:
    return {name: spelled(amount) for name, amount in amounts.items()}


def safe(request: Request, tree: Tree) -> SafeAnswer:
    """The strategy that wins most against a known opponent and risks little."""
    opponent, how, player = request.opponent, request.how, request.output.player
    assert opponent.against is not None  # checked with the request
    model = _strategy_of_opponent(tree, opponent.against, player)
    with status(f"solving {tree.name}"):
        found = solve_safe(model, opponent.risk, player, exact=how.exact, seconds=how.seconds)
    return SafeAnswer(request, found)


def _strategy_of_opponent(tree: Tree, path: Path, player: str | None) -> Strategy:
    """The opponent's strategy in a file that a solution or its strategies were written to."""
    named = printable(str(path))
    if path.suffix.lower() == ".json":
        found: dict[str, Any] = dict(Solution.load(path, tree).tree_evaluation.strategy)
    else:
        found = dict(read_strategies(path, tree))
    if player is not None:
        others = [name for name in tree.names if name != player and name in found]
        if not others:
            raise ParameterError(f"{named}: no strategy of {player}'s opponent in it")
        return found[others[0]]  # type: ignore[no-any-return]
    if len(found) != 1:
        names = " or ".join(f"--player {name!r}" for name in tree.names)
        raise ParameterError(f"{named} has everyone's strategy; say who you are: {names}")
    return next(iter(found.values()))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class SafeAnswer:
    """A safe strategy against a known opponent."""

    request: Request
    solution: Solution

    @property
    def _safety(self) -> Safety:
        assert self.solution.safety is not None
        return self.solution.safety

    @property
    def _strategy(self) -> Behaviour:
        strategy = self.solution.tree_evaluation.strategy[self._safety.player]
        assert isinstance(strategy, Behaviour)
        return strategy

    @cached_property
    def _sheet(self) -> Sheet:
        return strategy_sheet(self._strategy, self.solution.profile)

    def files(self) -> Sequence[Writing]:
        """The tables and the strategy."""
        output = self.request.output
        return (
            ("the tables", output.table, self._sheet.save),
            ("the strategy", output.csv, lambda path: write_strategies(path, [self._strategy])),
        )

    def notes(self) -> str:
        """Nothing more."""
        return ""

    def text(self) -> str:
        """All that is shown, for the terminal."""
        safety = self._safety
        names = (self.solution.name, safety.player, safety.model.player)
        game, player, other = (printable(name) for name in names)
        head = f"{game}: {player} against a model of {other}"
        head += "" if safety.proved else f" ({safety.certificate})"
        return f"{head}\n{safety}\n\n{self._sheet.text(**terminal())}"

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object."""
        found = self._safety
        return {
            **tree_record(self.solution.tree),
            "method": "safe",
            "player": found.player,
            "value": spelled(found.value),
            "epsilon": spelled(found.epsilon),
            "wins": spelled(found.wins),
            "sure": spelled(found.guarantee),
            "best": {"wins": spelled(found.best.wins), "sure": spelled(found.best.guarantee)},
            "exact": found.proved,
            "strategies": [strategy_record(self._strategy)],
        }
