"""``infoset solve GAME --method external-sampling``: answers for games whose trees do not fit.

No tree is built. The game is walked by its rules, and what is shown is what the walks came to:
average strategies, simulated payoffs, estimated regrets. What is a tree already, in a file or of
OpenSpiel, is walked as it is.

Unless something says when to end, a run has 10,000 iterations, and 60 seconds at most: the first so
that a small game gives the same answer every time, the second so that a large one gives any.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from infoset.analysis.table import Sheet
from infoset.cli.files import write_all
from infoset.cli.game_arguments import named_game
from infoset.cli.output import FEW, Output, Writing, terminal
from infoset.cli.progress import status, watching
from infoset.cli.solve_options import Request
from infoset.display.report import fitting, sampled_facts, sampled_of, solution_sheet
from infoset.errors import InfosetError
from infoset.rules import Game
from infoset.solvers.interrupt import interruptible
from infoset.solvers.sampling import sample
from infoset.solvers.sampling.result import Estimate
from infoset.solvers.sampling.run import UNASKED
from infoset.solvers.solution import Solution
from infoset.text import brief, printable, spelled, text
from infoset.tree import Tree

SECONDS = 60.0  # after which a run ends that nothing else limits
ENDED = f"ended after {SECONDS:.0f} s, as nothing said when; --time gives it longer"
PROOF = "--prove proves it where the tree fits"


def sampled(request: Request) -> SampledAnswer:
    """Sample a game; the first Ctrl-C ends the run with what is known by then."""
    game = named_game(request.game, request.limits)
    request.output.check_player(game.players if isinstance(game, Game) else game.names)
    return SampledAnswer(request, _run(game, request))


def _run(game: Game | Tree, request: Request) -> Solution:
    """The run, and plays simulated with what it came to."""
    keywords = {name: value for name, value in request.keywords.items() if name != "prove"}
    keywords["seconds"] = request.how.seconds
    endless = request.how.seconds is None and not {"iterations", "regret"} & set(keywords)
    if endless:
        keywords |= {"iterations": UNASKED, "seconds": SECONDS}
    method = (request.method or "").removesuffix("-sampling")
    name = brief(repr(game) if isinstance(game, Game) else game.name)
    with (
        redirect_stdout(sys.stderr),  # what rules print is no part of the answer
        interruptible() as stop,
    ):
        with watching(f"sampling {name}") as watch:
            found = sample(game, method, stop=stop, watch=watch, **keywords)
        notes = (found.note, _ended(found, endless, stop))
        found = replace(found, note="; ".join(note for note in notes if note))
        with status("simulating plays"):
            _ = sampled_of(found).simulation
    return found


def _ended(found: Solution, endless: bool, stop: Callable[[], bool]) -> str:
    """Why a run ended where nobody asked it to, or had nothing to do."""
    run = sampled_of(found)
    if run.iterations and run.run.resumed == run.iterations:
        return "nothing was left to do since the checkpoint; --iterations or --time ask for more"
    if stop():
        return "interrupted"
    return ENDED if endless and run.iterations < UNASKED else ""


@dataclass(frozen=True)
class SampledAnswer:
    """What a run of sampling came to."""

    request: Request
    found: Solution

    @property
    def output(self) -> Output:
        """What is shown and written."""
        return self.request.output

    def files(self) -> Sequence[Writing]:
        """The strategies and tables."""
        output, found = self.output, self.found
        return (
            ("the strategies", output.csv, lambda path: found.save_csv(path, output.player)),
            ("the tables", output.table, lambda path: self._sheet().save(path)),
        )

    def notes(self) -> str:
        """What the run wrote; an iteration that was abandoned may have been the first.

        Labels that nothing met has are refused only here: before the run nobody knows the labels.
        """
        run, plot, found = self.request.run, self.request.run_plot.log_plot, self.found
        assert found.convergence is not None
        plotted = found.convergence.plot
        _, problem = write_all(("plot", plot, lambda path: plotted(path, title=found.name)))
        problem = problem or (None if self.output.as_json else self._problem)
        if problem is not None:
            raise problem
        kinds = (("checkpoint", run.checkpoint), ("log", run.log), ("plot", plot))
        there = [(kind, file) for kind, file in kinds if file is not None and file.exists()]
        return "\n".join(f"{kind} in {printable(str(file))}" for kind, file in there)

    @property
    def _problem(self) -> InfosetError | None:
        """That no label fits, if so."""
        try:
            fitting(self.found, self.output.names(self.found.players), self.output.where)
        except InfosetError as problem:
            return problem
        return None

    def _sheets(self) -> list[Sheet]:
        """Each player's strategy that is shown."""
        if self._problem is not None:
            return []
        output, found = self.output, self.found
        names = fitting(found, output.names(found.players), output.where)
        return [solution_sheet(found, name, where=output.where) for name in names]

    def _sheet(self) -> Sheet:
        """All that is shown in one sheet, for a file."""
        tables = [replace(table, title=sheet.title) for sheet in self._sheets() for table in sheet]
        return Sheet(self.found.name, tables, sampled_facts(self.found, PROOF))

    def text(self) -> str:
        """All that is shown, for the terminal."""
        style, output, found = terminal(), self.output, self.found
        asked = output.player is not None or bool(output.where)
        most = output.rows or (None if asked else FEW)
        sheets = self._sheets()
        texts = [Sheet(found.name, (), sampled_facts(found, PROOF)).text(most=None, **style)]
        texts += [sheet.text(most=most, **style) for sheet in sheets]
        longest = max((len(table) for sheet in sheets for table in sheet), default=0)
        if not asked and longest > (most or longest):
            texts.append("--player NAME shows all, --where TEXT looks inside")
        return "\n\n".join(texts)

    def record(self) -> dict[str, Any]:
        """All that is known, as one JSON object: estimates as numbers.

        What is infinite, as all bounds are before the first iteration, is null.
        """
        found, run = self.found, sampled_of(self.found)
        assert found.convergence is not None
        bounds = {name: most if isfinite(most) else None for name, most in run.bound.items()}
        largest = max(run.bound.values())
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
                _strategy_record(found, name) for name in self.output.names(found.players)
            ],
        }


def _strategy_record(found: Solution, player: str) -> dict[str, Any]:
    rows = [
        {
            "knows": seen.label,
            "plays": [
                [text(option), spelled(probability)]
                for option, probability in zip(seen.options, seen.probabilities, strict=True)
            ],
            "reach": seen.reach,
        }
        for seen in sampled_of(found).seen(player)
    ]
    return {"player": player, "behaviour": rows}
