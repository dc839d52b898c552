"""Long runs of regret minimization at the terminal: their options, and a bar to watch."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.cli.targets import PLOTS, check_target
from infoset.errors import ParameterError
from infoset.examine.tables.cells import several
from infoset.rules.story import brief, printable

if TYPE_CHECKING:
    from infoset.solve import Solution
    from infoset.solve.public.solution import PublicSolution
    from infoset.solve.regret.running import Moment
    from infoset.solve.regret.settings import Settings
    from infoset.solve.row import Solver

PANEL = "Large games (--method cfr+, discounted-cfr, ...)"
LEVELS = "▁▂▃▄▅▆▇█"
WIDE = 12  # characters of the line that regret draws


def _option(name: str, metavar: str, about: str, unasked: str | bool = False) -> Any:
    return typer.Option(
        name, metavar=metavar, help=about, show_default=unasked, rich_help_panel=PANEL
    )


Iterations = Annotated[
    int | None,
    _option(
        "--iterations",
        "N",
        "Stop after so many iterations, from the beginning.",
        "sampling: 10,000, and a minute",
    ),
]
Regret = Annotated[
    float | None,
    _option(
        "--regret",
        "X",
        "Stop when nobody regrets more; in other than two-player constant-sum games, nobody"
        " on the average of joint play.",
        "1/10,000 of what is at stake, if nothing else stops it",
    ),
]
Updates = Annotated[
    str | None,
    _option(
        "--updates",
        "WAY",
        "alternating or simultaneous.",
        "alternating for two players with a constant sum",
    ),
]
Averaging = Annotated[
    str | None,
    _option("--averaging", "WAY", "uniform, linear or quadratic.", "what the method does"),
]
Exponents = Annotated[
    str | None, _option("--exponents", "A,B,C", "Of --method discounted-cfr.", "1.5,0,2")
]
Precision = Annotated[
    str | None,
    _option("--precision", "KIND", "float64, or float32 for half the memory.", "float64"),
]
Workers = Annotated[
    int | None,
    _option("--workers", "N", "Threads; the result is the same.", "two where that pays"),
]
Checkpoint = Annotated[
    Path | None,
    _option(
        "--checkpoint",
        "FILE",
        "Go on from this file if it is there, and write it now and then.",
    ),
]
SaveEvery = Annotated[float | None, _option("--every", "SECONDS", "Between two checkpoints.", "60")]
Log = Annotated[
    Path | None,
    _option("--log", "FILE", "Write seconds, iterations and regret as they go (csv)."),
]
LogPlot = Annotated[
    Path | None,
    _option("--log-plot", "FILE", "Plot regret against seconds (png, svg, pdf)."),
]
Prove = Annotated[
    bool | None,
    typer.Option(
        "--prove/--no-prove",
        help="Prove the regret in rational arithmetic, or leave it at floats.",
        show_default="proved, up to 20 million leaves",
        rich_help_panel=PANEL,
    ),
]


Seed = Annotated[
    int | None,
    _option("--seed", "N", "Of external- and outcome-sampling: the same run again.", "0"),
]
Exploration = Annotated[
    float | None,
    _option("--exploration", "X", "Of outcome-sampling: how often a random move.", "0.6"),
]


@dataclass(frozen=True)
class Running:
    """What was asked of a run, as it was typed."""

    iterations: int | None = None
    regret: float | None = None
    updates: str | None = None
    averaging: str | None = None
    exponents: str | None = None
    precision: str | None = None
    workers: int | None = None
    checkpoint: Path | None = None
    every: float | None = None
    log: Path | None = None
    prove: bool | None = None
    seed: int | None = None
    exploration: float | None = None
    plot: Path | None = None  # of the course

    @property
    def settings(self) -> Settings:
        """The same as the solver wants it; what cannot be is refused with the option's name."""
        from infoset.solve.regret.settings import Settings

        given = {field.name: getattr(self, field.name) for field in fields(self)}
        del given["plot"]
        if self.exponents is not None:
            given["exponents"] = _three_numbers(self.exponents)
        try:
            return Settings.of({name: one for name, one in given.items() if one is not None})
        except ParameterError as problem:
            name, _, rest = str(problem).partition("=")
            if name in ("regret", "every", "exploration"):  # -1, not -1.0
                rest = f"{given[name]:g}:{rest.partition(':')[2]}"
            if name == "exponents":  # as it was typed
                rest = f"{self.exponents}:{rest.partition(':')[2]}".replace(
                    "(1.5, 0, 2)", "1.5,0,2"
                )
            raise ParameterError(f"--{name} {rest}") from None

    def check(self, row: Solver | None, loaded: bool) -> None:
        """Refuse what another method cannot be asked for, and files that cannot be written."""
        named = [f"--{name}" for name in self.settings.chosen]
        named += ["--log-plot"] if self.plot is not None else []
        if named and loaded:
            raise ParameterError(f"--load shows what was saved; {named[0]} cannot change it")
        if row is not None and named:
            from infoset.solve.choice import check_settings
            from infoset.solve.regret.settings import TAKES

            try:
                check_settings(row, self.settings.chosen)
            except ParameterError as problem:
                raise ParameterError(f"--{problem}") from None
            if self.plot is not None and row.file not in TAKES:
                raise ParameterError("--log-plot goes with --method cfr+ and its relatives")
            if row.file == "cfr":
                self._check_variant(row.name)
        for file, formats in ((self.plot, PLOTS), (self.log, (".csv",)), (self.checkpoint, ())):
            if file is not None:
                check_target(file, formats)

    def _check_variant(self, name: str) -> None:
        """Refuse exponents of a variant that has none, and averages said twice."""
        from infoset.solve.regret.variants import variant

        if self.exponents is not None and not variant(name).tunable:
            raise ParameterError(f"--exponents {self.exponents}: {name} has none to choose")
        if self.exponents is not None and self.averaging is not None:
            raise ParameterError("--averaging: the third of --exponents says it already")

    @property
    def files(self) -> tuple[Path, ...]:
        """Those that are written."""
        return tuple(file for file in (self.checkpoint, self.log, self.plot) if file is not None)

    def write(self, solution: Solution | PublicSolution, title: str) -> str:
        """Plot the course below a title, and say what was written."""
        if self.plot is not None:
            if solution.course is None:
                raise ParameterError(
                    f"--log-plot: {solution.method} has no course to plot; --method cfr+ has"
                )
            solution.course.plot(self.plot, title=title)
        kinds = (("checkpoint", self.checkpoint), ("log", self.log), ("plot", self.plot))
        return "\n".join(
            f"{kind} in {printable(str(file))}"
            for kind, file in kinds
            # What could not be written is in the note.
            if file is not None and f"{printable(str(file))}: " not in solution.note
        )


def _three_numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ParameterError(
            f"--exponents {text!r:.60}: three numbers are wanted, as 1.5,0,2"
        ) from None


@contextmanager
def watching(what: str) -> Iterator[Callable[[Moment], None] | None]:
    """A bar with the regret and how it fell, where someone is watching; None elsewhere."""
    with telling(what) as (watch, _):
        yield watch


@contextmanager
def telling(
    what: str,
) -> Iterator[tuple[Callable[[Moment], None] | None, Callable[[str], None] | None]]:
    """One bar for work of either kind: a run that has moments, a program that has words."""
    if not sys.stderr.isatty():
        yield None, None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (BarColumn(12), TextColumn("{task.fields[news]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, news=escape(brief(what)))

        def show(moment: Moment) -> None:
            total = None if moment.part is None else 1.0
            bar.update(task, total=total, completed=moment.part or 0.0, news=news(moment))

        def say(words: str) -> None:
            bar.update(task, news=escape(f"{brief(what)}: {brief(words)}"))

        yield show, say


def news(moment: Moment) -> str:
    """How far a run is in a line: regret against time, drawn small.

    >>> from infoset.solve.regret.course import Point
    >>> from infoset.solve.regret.running import Moment
    >>> points = tuple(Point(t, t, 1 / (t * t)) for t in range(1, 13))
    >>> news(Moment(12, 12.0, points, 0.5, 0.001))
    '█▆▅▄▃▃▃▂▂▂▁▁ regret 0.0069 (to 0.001), 12 iterations, 12 s'
    """
    line = falling([point.regret for point in moment.points])
    regret = f"regret {moment.points[-1].regret:.2g}" if moment.points else "regret not known yet"
    goal = f" (to {moment.goal:.1g})" if moment.goal else ""
    clock = f"{moment.seconds:.0f} s" if moment.seconds >= 10 else f"{moment.seconds:.1f} s"
    return f"{line} {regret}{goal}, {several(moment.iterations, 'iteration')}, {clock}"


def falling(amounts: list[float]) -> str:
    """Amounts as a line of blocks, on a logarithmic scale; the last ones if there are many."""
    shown = [amount for amount in amounts if amount > 0][-WIDE:]
    if not shown:
        return ""
    low, high = log(min(shown)), log(max(shown))
    steps = len(LEVELS) - 1
    return "".join(
        LEVELS[round((log(amount) - low) / (high - low) * steps) if high > low else 0]
        for amount in shown
    )
