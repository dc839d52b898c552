"""``infoset solve GAME --method external-sampling``: answers for games whose trees do not fit.

No tree is built. The game is walked by its rules, and what is shown is what the walks came to:
average strategies, simulated payoffs, estimated regrets. What is a tree already, in a file or at
OpenSpiel's, is walked as it is.

Unless something says when to end, a run has 10,000 iterations, and 60 seconds at most: the first so
that a small game gives the same answer every time, the second so that a large one gives any.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.cli.correlated import Written
from infoset.cli.files import write_all
from infoset.cli.game_arguments import is_tree, named_game
from infoset.cli.output import FEW, terminal
from infoset.cli.progress import status
from infoset.cli.solve_options import Running, watching
from infoset.errors import InfosetError, ParameterError, nearest
from infoset.rules import Game
from infoset.rules.running import MAX_MOVES, MAX_NODES, PATIENCE
from infoset.solvers.interrupt import interruptible
from infoset.text import brief, printable, text

if TYPE_CHECKING:
    from infoset.analysis.table import Sheet
    from infoset.solvers.solution import Solution
    from infoset.tree import Tree

UNASKED_SECONDS = 60.0  # after which a run ends that nothing else limits
ENDED = f"ended after {UNASKED_SECONDS:.0f} s, as nothing said when; --time gives it longer"
PROOF = "--prove proves it where the tree fits"


def sampled_answer(
    name: str,
    parameters: list[str] | None,
    method: str,
    running: Running,
    *,
    seconds: float | None,
    player: str | None,
    where: tuple[str, ...],
    rows: int | None,
    csv: Path | None,
    table: Path | None,
    as_json: bool,
    max_nodes: int = MAX_NODES,
    max_moves: int = MAX_MOVES,
    patience: float = PATIENCE,
) -> None:
    """Sample a game, show and write what came of it.

    The first Ctrl-C ends the run with what is known by then. Who wants a proof (``--prove``) goes
    the way of methods that take a tree instead.
    """
    limits = (max_nodes, max_moves, patience)
    _check(method, running, None if is_tree(name) else limits)
    Written(table, csv).check("one")
    game = named_game(name, parameters, limits)
    view = _View(player, where, rows)
    view.check(game)
    found = _sampled(game, method, running, seconds)
    told, problem = write_all(
        ("the strategies", csv, lambda path: found.save_csv(path, player)),
        ("the tables", table, lambda path: view.sheet(found).save(path)),
    )
    plotted = write_all(("the plot", running.plot, lambda path: _plot(found, path)))
    problem = problem or plotted[1]
    if as_json:
        print(json.dumps(sampled_record(found, player), allow_nan=False))
    else:
        parts = (view.text(found), told, _kept(running))
        print("\n\n".join(part for part in parts if part))
    if problem is None and not as_json:
        problem = view.problem(found)
    if problem is not None:  # the answer is not lost for it
        raise problem


def _check(method: str, running: Running, limits: tuple[Any, ...] | None) -> None:
    """Refuse what sampling cannot be asked for; limits of a tree, where none is built."""
    from infoset.solvers.registry import solver

    running.check(solver(method), False)
    if running.exploration is not None and method != "outcome-sampling":
        raise ParameterError("--exploration goes with --method outcome-sampling")
    automatic = (("--max-nodes", MAX_NODES), ("--max-moves", MAX_MOVES), ("--patience", PATIENCE))
    for (option, plain), given in zip(automatic, limits or (), strict=False):
        if given != plain:
            raise ParameterError(f"{option} limits a tree, and {method} builds none; --prove does")


def _limited(running: Running, seconds: float | None) -> tuple[dict[str, Any], bool]:
    """What a run is asked for, and whether nobody said when it should end."""
    wishes = {name: getattr(running.settings, name) for name in running.settings.chosen}
    wishes.pop("prove", None)  # nothing is
    automatic = seconds is None and not {"iterations", "regret"} & set(wishes)
    if automatic:
        from infoset.solvers.sampling.run import UNASKED

        return {**wishes, "iterations": UNASKED, "seconds": UNASKED_SECONDS}, True
    return {**wishes, "seconds": seconds}, False


def _sampled(game: Game | Tree, method: str, running: Running, seconds: float | None) -> Solution:
    """The run, with all that rules have to do for it."""
    from infoset.display.report import sampled_of
    from infoset.solvers.sampling import sample

    wishes, automatic = _limited(running, seconds)
    called = brief(repr(game) if isinstance(game, Game) else game.name)
    with (
        redirect_stdout(sys.stderr),  # what rules print is none of ours
        interruptible() as stop,
    ):
        with watching(f"sampling {called}") as watch:
            found = sample(game, method.removesuffix("-sampling"), stop=stop, watch=watch, **wishes)
        notes = (found.note, _said(found, automatic, stop))
        found = replace(found, note="; ".join(note for note in notes if note))
        with status("simulating plays"):
            _ = sampled_of(found).simulation
    return found


def _said(found: Solution, automatic: bool, stop: Callable[[], bool]) -> str:
    """Why a run ended where nobody asked it to, or had nothing to do."""
    from infoset.display.report import sampled_of
    from infoset.solvers.sampling.run import UNASKED

    done = sampled_of(found).iterations
    if done and sampled_of(found).run.resumed == done:
        return "nothing was left to do since the checkpoint; --iterations or --time ask for more"
    if stop():
        return "interrupted"
    return ENDED if automatic and done < UNASKED else ""


def _kept(running: Running) -> str:
    """What the run wrote; an iteration that was abandoned may have been the first."""
    kinds = (("checkpoint", running.checkpoint), ("log", running.log), ("plot", running.plot))
    there = [(kind, file) for kind, file in kinds if file is not None and file.exists()]
    return "\n".join(f"{kind} in {printable(str(file))}" for kind, file in there)


def _plot(found: Solution, path: Path) -> None:
    assert found.convergence is not None
    found.convergence.plot(path, title=found.name)


@dataclass(frozen=True)
class _View:
    """Which part of an answer is asked for."""

    player: str | None
    where: tuple[str, ...]
    rows: int | None

    def check(self, game: Game | Tree) -> None:
        """Refuse a player that there is not, before the work is done."""
        names = game.players if isinstance(game, Game) else game.names
        if self.player is not None and self.player not in names:
            hint = nearest(self.player, names)
            raise ParameterError(f"--player {self.player!r:.60}: no such player; {hint}")

    def problem(self, found: Solution) -> InfosetError | None:
        """That nothing was found, if so: only now it is known how information sets read."""
        from infoset.display.report import fitting

        try:
            fitting(found, self._names(found), self.where)
        except InfosetError as problem:
            return problem
        return None

    def _names(self, found: Solution) -> tuple[str, ...]:
        return found.players if self.player is None else (self.player,)

    def _sheets(self, found: Solution) -> list[Sheet]:
        """Each player's strategy that is shown."""
        from infoset.display.report import fitting, solution_sheet

        if self.problem(found) is not None:
            return []
        names = fitting(found, self._names(found), self.where)
        return [solution_sheet(found, name, where=self.where) for name in names]

    def sheet(self, found: Solution) -> Sheet:
        """All that is shown in one sheet, for a file."""
        from infoset.analysis.table import Sheet
        from infoset.display.report import sampled_facts

        tables = [
            replace(table, title=sheet.title) for sheet in self._sheets(found) for table in sheet
        ]
        return Sheet(found.name, tables, sampled_facts(found, PROOF))

    def text(self, found: Solution) -> str:
        """All that is shown, for the terminal."""
        from infoset.analysis.table import Sheet
        from infoset.display.report import sampled_facts

        style, asked = terminal(), self.player is not None or bool(self.where)
        most = self.rows or (None if asked else FEW)
        sheets = self._sheets(found)
        texts = [Sheet(found.name, (), sampled_facts(found, PROOF)).text(most=None, **style)]
        texts += [sheet.text(most=most, **style) for sheet in sheets]
        longest = max((len(table) for sheet in sheets for table in sheet), default=0)
        if not asked and longest > (most or longest):
            texts.append("--player NAME shows all, --where TEXT looks inside")
        return "\n\n".join(texts)


def sampled_record(found: Solution, player: str | None = None) -> dict[str, Any]:
    """A sampled answer as one JSON object; estimates as numbers, probabilities as in a solution.

    What is infinite, as all bounds are before the first iteration, is null.
    """
    from infoset.display.report import sampled_of
    from infoset.solvers.sampling.result import Estimate

    run = sampled_of(found)
    bounds = {name: most if isfinite(most) else None for name, most in run.bound.items()}
    largest = max(run.bound.values())
    assert found.convergence is not None
    return {
        "game": found.name,
        "players": list(found.players),
        "method": found.method,
        "iterations": run.iterations,
        "seconds": round(found.seconds, 6),
        "seed": run.seed,
        "averaging": run.averaging,
        "sets": run.sets,
        "positions_walked": run.nodes,
        "payoffs": {
            name: {"mean": float(paid), "error": paid.error}
            for name, paid in run.payoffs.items()
            if isinstance(paid, Estimate)
        },
        "plays_simulated": run.simulation.plays,
        "regret_estimate": largest if isfinite(largest) else None,
        "regret_estimates": bounds,
        "note": found.note,
        "course": found.convergence.record,
        "strategies": [
            _strategy_record(found, name)
            for name in (found.players if player is None else (player,))
        ],
    }


def _strategy_record(found: Solution, player: str) -> dict[str, Any]:
    from infoset.display.report import sampled_of
    from infoset.text import spelled

    rows = [
        {
            "knows": seen.label,
            "plays": [
                [text(option), spelled(share)]
                for option, share in zip(seen.options, seen.probabilities, strict=True)
            ],
            "reach": seen.reach,
        }
        for seen in sampled_of(found).seen(player)
    ]
    return {"player": player, "behaviour": rows}
