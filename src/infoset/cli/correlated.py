"""Answers of ``infoset solve`` that are no equilibrium in strategies.

A correlated equilibrium advises all players at once; a safe strategy answers an opponent whose
strategy is known. Both are shown, written and told as JSON here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.cli.files import TABLES, check_target, write_all
from infoset.cli.output import game_facts, terminal
from infoset.cli.progress import status
from infoset.errors import ParameterError
from infoset.solvers.interrupt import interruptible
from infoset.text import printable

if TYPE_CHECKING:
    from infoset.solvers.registry import Solver
    from infoset.solvers.solution import Solution
    from infoset.strategy import Strategy
    from infoset.tree import Tree

SEVERAL = "enumerate, pure or gambit:METHOD, or with --load"
NUMBER = re.compile(r"-?[0-9]{1,40}(/[0-9]{1,40}|\.[0-9]{1,40})?|-?\.[0-9]{1,40}")


@dataclass(frozen=True)
class Asked:
    """What only some methods can be asked for."""

    several: int | None = None  # --most
    every: bool = False  # --all
    pick: int | None = None
    subgame_perfect: bool = False
    welfare: str | None = None
    against: Path | None = None
    epsilon: str | None = None

    def check(self, row: Solver | None, loaded: bool) -> None:
        """Refuse options that go with another method; of a saved solution one may pick, too."""
        gives = "one" if row is None else row.gives
        many = row is not None and row.takes_most
        fits = (
            ("--most", self.several is not None, many, "enumerate or pure"),
            ("--all", self.every, many, "enumerate or pure"),
            ("--pick", self.pick is not None, loaded or gives == "several", SEVERAL),
            ("--welfare", self.welfare is not None, gives == "correlated", "efce, efcce, ce, cce"),
            ("--against", self.against is not None, gives == "play", "safe"),
            ("--epsilon", self.epsilon is not None, gives == "play", "safe"),
        )
        for option, given, right, method in fits:
            if given and not right:
                raise ParameterError(f"{option} goes with --method {method}")
        if self.every and self.several is not None:
            raise ParameterError("--all and --most contradict each other; say one of them")
        if self.subgame_perfect and gives != "one":
            name = "" if row is None else row.name
            raise ParameterError(
                f"--subgame-perfect takes a method that finds one equilibrium, such as lcp, not"
                f" {name}"
            )
        if self.subgame_perfect and loaded:
            raise ParameterError("--load shows what was saved; --subgame-perfect cannot change it")
        if gives == "play" and self.against is None:
            raise ParameterError("--method safe needs --against FILE, the opponent's strategy")

    @property
    def most(self) -> float | None:
        """How many equilibria are wanted."""
        return float("inf") if self.every else self.several


@dataclass(frozen=True)
class Written:
    """Where tables and strategies go, beside what is printed."""

    table: Path | None
    csv: Path | None

    def check(self, gives: str) -> None:
        """Refuse what could not be written."""
        if self.csv is not None and gives == "correlated":
            raise ParameterError("--csv writes a strategy for each player; here there is none")
        for file, formats in ((self.table, TABLES), (self.csv, (".csv",))):
            if file is not None:
                check_target(file, formats)


@dataclass(frozen=True)
class Wish:
    """How it should be solved and told."""

    player: str | None
    exact: bool | None
    seconds: float | None
    as_json: bool


def advise(tree: Tree, row: Solver, asked: Asked, written: Written, wish: Wish) -> None:
    """Find and show what a method gives that is no equilibrium in strategies."""
    if row.gives == "correlated":
        _correlated(tree, row.name, asked, written, wish)
    else:
        _safe(tree, asked, written, wish)


def _correlated(tree: Tree, kind: str, asked: Asked, written: Written, wish: Wish) -> None:
    from infoset.display.correlated import correlated_sheet, correlated_text
    from infoset.solvers.correlated.solver import correlated

    with status(f"solving {tree.name}") as tick, interruptible() as stop:
        found = correlated(
            tree,
            kind,
            asked.welfare,
            exact=wish.exact,
            seconds=wish.seconds,
            tick=tick,
            stop=stop,
        )
    told, problem = write_all(
        ("the tables", written.table, lambda path: correlated_sheet(found).save(path))
    )
    if wish.as_json:
        print(json.dumps(correlated_facts(found)))
    else:
        print("\n\n".join([correlated_text(found, **terminal()), *([told] if told else [])]))
    if problem is not None:
        raise problem


def correlated_facts(solution: Solution) -> dict[str, Any]:
    """A correlated equilibrium as one JSON object."""
    from infoset.display.correlated import joint
    from infoset.text import spelled

    found = joint(solution)
    tree = found.tree
    return {
        **game_facts(tree),
        "method": solution.method,
        "payoffs": {name: spelled(amount) for name, amount in found.payoffs.items()},
        "value": None,
        "welfare": spelled(found.welfare),
        "weights": {name: spelled(weight) for name, weight in found.weights.items()},
        "regret": spelled(found.regret),
        "regrets": {name: spelled(amount) for name, amount in found.regrets.items()},
        "certificate": found.certificate,
        "exact": found.exact,
        "note": solution.note,
        "work": dict(solution.work),
        "seconds": round(solution.seconds, 6),
        "distribution": [
            {
                "probability": spelled(share),
                "plans": [[list(pair) for pair in plan.chosen] for plan in plans],
            }
            for plans, share in found.distribution.items()
        ],
        "plan": [[*pair, spelled(share)] for pair, share in found.given.items()],
    }


def _safe(tree: Tree, asked: Asked, written: Written, wish: Wish) -> None:
    from infoset.analysis.strategy_tables import strategy_sheet
    from infoset.solvers.safe.solver import safe
    from infoset.strategy import Behaviour
    from infoset.strategy.files import write_strategies

    assert asked.against is not None
    model = _opponent(tree, asked.against, wish.player)
    epsilon = _fraction("--epsilon", asked.epsilon)
    with status(f"solving {tree.name}"):
        found = safe(model, epsilon, wish.player, exact=wish.exact, seconds=wish.seconds)
    assert found.safety is not None
    strategy = found.tree_evaluation.strategy[found.safety.player]
    assert isinstance(strategy, Behaviour)
    sheet = strategy_sheet(strategy, found.profile)
    told, problem = write_all(
        ("the tables", written.table, sheet.save),
        ("the strategy", written.csv, lambda path: write_strategies(path, [strategy])),
    )
    if wish.as_json:
        print(json.dumps(safe_facts(found)))
    else:
        shown = [safe_text(found), sheet.text(**terminal()), *([told] if told else [])]
        print("\n\n".join(shown))
    if problem is not None:
        raise problem


def _fraction(option: str, given: str | None) -> Fraction:
    """The number that an option was given, 0 if none was."""
    if given is None:
        return Fraction(0)
    if not NUMBER.fullmatch(given) or (value := _value(given)) is None:
        raise ParameterError(f"{option} {given[:40]!r}: give a number, such as 0.05 or 1/20")
    if value < 0:
        raise ParameterError(f"{option} {given[:40]}: it must be 0 or more")
    return value


def _value(given: str) -> Fraction | None:
    try:
        return Fraction(given)
    except ZeroDivisionError:
        return None


def _opponent(tree: Tree, path: Path, player: str | None) -> Strategy:
    """The opponent's strategy in a file that a solution or its strategies were written to."""
    from infoset.solvers import Solution
    from infoset.strategy.convert import read_strategies

    named = printable(str(path))
    if path.suffix.lower() == ".json":
        found: Any = dict(Solution.load(path, tree).strategy)
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


def safe_text(found: Solution) -> str:
    """What a safe strategy wins and guarantees, as a table under a heading."""
    safety = found.safety
    assert safety is not None
    names = (found.name, safety.player, safety.model.player)
    game, player, other = (printable(name) for name in names)
    head = f"{game}: {player} against a model of {other}"
    head += "" if safety.proved else f" ({safety.certificate})"
    return f"{head}\n{safety}"


def safe_facts(solution: Solution) -> dict[str, Any]:
    """A safe strategy as one JSON object."""
    from infoset.solvers.storage import strategy_record
    from infoset.text import spelled

    tree, found = solution.tree, solution.safety
    assert found is not None
    return {
        **game_facts(tree),
        "method": "safe",
        "player": found.player,
        "value": spelled(found.value),
        "epsilon": spelled(found.epsilon),
        "wins": spelled(found.wins),
        "sure": spelled(found.guarantee),
        "best": {"wins": spelled(found.best.wins), "sure": spelled(found.best.guarantee)},
        "exact": found.proved,
        "strategies": [strategy_record(solution.tree_evaluation.strategy[found.player])],
    }
