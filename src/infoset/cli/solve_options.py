"""What may be asked of ``infoset solve``, option by option.

Long runs of regret minimization at the terminal: their options, and a bar to watch.

What may be asked of a search: its options, and what they mean to each method.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from fractions import Fraction
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infoset.cli.files import PLOTS, check_target
from infoset.cli.game_arguments import loaded_module, trouble_in
from infoset.errors import ParameterError, nearest
from infoset.text import brief, count_text, printable

if TYPE_CHECKING:
    from infoset.solvers import Solution
    from infoset.solvers.convergence import Progress as RunProgress
    from infoset.solvers.registry import Solver
    from infoset.solvers.settings import Settings

Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="Which solver; --methods lists them; gambit:NAME asks Gambit, an extra.",
        show_default="what suits the game",
    ),
]
Exact = Annotated[
    bool | None,
    typer.Option(
        "--exact/--floats",
        help="Proved exactly, or refused; or floats with a proved regret.",
        show_default="exact where it can be had",
    ),
]
Player = Annotated[
    str | None,
    typer.Option(
        "--player",
        metavar="NAME",
        help="Show all of this player's strategy.",
        show_default="everyone's, large ones folded",
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="TEXT",
        help="Only information sets with this in their label; with * and ?, that stand for"
        " anything, the whole label is meant. May be repeated.",
        show_default=False,
    ),
]
Rows = Annotated[
    int | None,
    typer.Option(
        "--rows",
        metavar="N",
        min=1,
        help="At most so many rows of a player's strategy.",
        show_default="what fits a screen; all with --player",
    ),
]
Page = Annotated[
    int | None,
    typer.Option(
        "--page",
        metavar="N",
        min=1,
        help="This page of a long strategy, of --rows rows each (40 if not said).",
        show_default=False,
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Plot the strategies: probability of each action against what is private (png, svg,"
        " pdf).",
        show_default=False,
    ),
]
Draw = Annotated[
    Path | None,
    typer.Option(
        "--draw",
        metavar="FILE",
        help="Draw the tree with what is played (svg, png, pdf, tex).",
        show_default=False,
    ),
]
TableFile = Annotated[
    Path | None,
    typer.Option(
        "--table",
        metavar="FILE",
        help="Write the tables (csv, tex, html, json, txt).",
        show_default=False,
    ),
]
Csv = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        help="Write the strategies as CSV, to be edited and asked about (infoset ask).",
        show_default=False,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="FILE",
        help="Write the solution to a file, for --load.",
        show_default=False,
    ),
]
Load = Annotated[
    Path | None,
    typer.Option(
        "--load",
        metavar="FILE",
        help="Show a saved solution of this game instead.",
        show_default=False,
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        "--time",
        metavar="SECONDS",
        min=0.0,
        help="Stop solving after so long, with what is known by then.",
        show_default="no limit",
    ),
]


Several = Annotated[
    int | None,
    typer.Option(
        "--most",
        rich_help_panel="Several equilibria",
        metavar="N",
        min=1,
        help="Stop after so many equilibria (--method enumerate, pure).",
        show_default="enumerate: all; pure: one",
    ),
]
Every = Annotated[
    bool,
    typer.Option(
        "--all",
        rich_help_panel="Several equilibria",
        help="Every equilibrium (--method enumerate, pure).",
    ),
]
Pick = Annotated[
    int | None,
    typer.Option(
        "--pick",
        rich_help_panel="Several equilibria",
        metavar="N",
        min=1,
        help="Show this one of several equilibria in full.",
        show_default="the first",
    ),
]
SubgamePerfect = Annotated[
    bool,
    typer.Option("--subgame-perfect", help="Solve every subgame for itself, the last ones first."),
]
Welfare = Annotated[
    str | None,
    typer.Option(
        "--welfare",
        rich_help_panel="Correlated equilibria",
        metavar="TEXT",
        help="What a correlated equilibrium makes greatest: 'one', '2 one + two' (--method ce, cce,"
        " efce, efcce).",
        show_default="the sum of payoffs",
    ),
]
Against = Annotated[
    Path | None,
    typer.Option(
        "--against",
        rich_help_panel="Against a known opponent",
        metavar="FILE",
        help="The opponent's strategy, as --csv or --save writes it (--method safe).",
        show_default=False,
    ),
]
Epsilon = Annotated[
    str | None,
    typer.Option(
        "--epsilon",
        rich_help_panel="Against a known opponent",
        metavar="X",
        help="How much of the value may be risked, a number or a fraction (--method safe).",
        show_default="0",
    ),
]


def _list_methods(asked: bool) -> None:
    if not asked:
        return
    from infoset.solvers.registry import SOLVERS

    wide = max(len(row.name) for row in SOLVERS)
    for row in SOLVERS:
        print(f"{row.name:<{wide}} {row.takes}\n{'':<{wide}} {row.about}")
    raise typer.Exit


Methods = Annotated[
    bool,
    typer.Option(
        "--methods", callback=_list_methods, is_eager=True, help="List the solvers, and leave."
    ),
]


PANEL = "Large games (--method cfr+, discounted-cfr, ...)"
LEVELS = "▁▂▃▄▅▆▇█"
WIDE = 12  # characters of the line that regret draws


def _option(name: str, metavar: str, about: str, automatic: str | bool = False) -> Any:
    return typer.Option(
        name, metavar=metavar, help=about, show_default=automatic, rich_help_panel=PANEL
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
        from infoset.solvers.settings import Settings

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
            from infoset.solvers.registry import check_settings
            from infoset.solvers.settings import TAKES

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
        from infoset.solvers.cfr.variants import variant

        if self.exponents is not None and not variant(name).tunable:
            raise ParameterError(f"--exponents {self.exponents}: {name} has none to choose")
        if self.exponents is not None and self.averaging is not None:
            raise ParameterError("--averaging: the third of --exponents says it already")

    @property
    def files(self) -> tuple[Path, ...]:
        """Those that are written."""
        return tuple(file for file in (self.checkpoint, self.log, self.plot) if file is not None)

    def write(self, solution: Solution, title: str) -> str:
        """Plot the course below a title, and say what was written."""
        if self.plot is not None:
            if solution.convergence is None:
                raise ParameterError(
                    f"--log-plot: {solution.method} has no course to plot; --method cfr+ has"
                )
            solution.convergence.plot(self.plot, title=title)
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
def watching(what: str) -> Iterator[Callable[[RunProgress], None] | None]:
    """A bar with the regret and how it fell, where someone is watching; None elsewhere."""
    with telling(what) as (watch, _):
        yield watch


@contextmanager
def telling(
    what: str,
) -> Iterator[tuple[Callable[[RunProgress], None] | None, Callable[[str], None] | None]]:
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

        def show(moment: RunProgress) -> None:
            total = None if moment.part is None else 1.0
            bar.update(task, total=total, completed=moment.part or 0.0, news=news(moment))

        def say(words: str) -> None:
            bar.update(task, news=escape(f"{brief(what)}: {brief(words)}"))

        yield show, say


def news(moment: RunProgress) -> str:
    """How far a run is in a line: regret against time, drawn small.

    >>> from infoset.solvers.convergence import Point
    >>> from infoset.solvers.convergence import Progress as RunProgress
    >>> points = tuple(Point(t, t, 1 / (t * t)) for t in range(1, 13))
    >>> news(RunProgress(12, 12.0, points, 0.5, 0.001))
    '█▆▅▄▃▃▃▂▂▂▁▁ regret 0.0069 (to 0.001), 12 iterations, 12 s'
    """
    line = falling([point.regret for point in moment.points])
    regret = f"regret {moment.points[-1].regret:.2g}" if moment.points else "regret not known yet"
    goal = f" (to {moment.goal:.1g})" if moment.goal else ""
    clock = f"{moment.seconds:.0f} s" if moment.seconds >= 10 else f"{moment.seconds:.1f} s"
    return f"{line} {regret}{goal}, {count_text(moment.iterations, 'iteration')}, {clock}"


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


PANEL_SEARCH_OPTIONS = "Search (--method imp-alphabeta, smab, double-oracle, ...)"
IMP = ("chance-minimax", "imp-minimax", "imp-alphabeta")
PRUNING = ("both", "sets", "immediate", "none")


def _option_search_options(
    name: str, metavar: str | None, about: str, automatic: str | bool = False
) -> Any:
    return typer.Option(
        name,
        metavar=metavar,
        help=about,
        show_default=automatic,
        rich_help_panel=PANEL_SEARCH_OPTIONS,
    )


Depth = Annotated[
    int | None,
    typer.Option(
        "--depth",
        metavar="N",
        min=1,
        help="Look so many moves ahead, and say what is sure by then.",
        show_default="to the end",
        rich_help_panel=PANEL_SEARCH_OPTIONS,
    ),
]
Verify = Annotated[
    bool,
    _option_search_options(
        "--verify", None, "Build the tree, and prove the regret of what the search decides."
    ),
]
Evaluator = Annotated[
    str | None,
    _option_search_options(
        "--evaluator",
        "FILE.py:NAME",
        "A function of a position: what the first player may expect where --depth or --time ends.",
    ),
]
Bounds = Annotated[
    str | None,
    _option_search_options(
        "--bounds",
        "LOW,HIGH",
        "The least and the most that payoffs can be; for imp-... one is enough.",
        "the rules'",
    ),
]
Transpositions = Annotated[
    bool | None,
    _option_search_options(
        "--transpositions/--no-transpositions",
        None,
        "Remember positions that are reached in several ways.",
        "where positions can be told apart by their state",
    ),
]
Compiled = Annotated[
    bool | None,
    _option_search_options(
        "--compiled/--interpreted",
        None,
        "Run compiled, if the game says its rules over whole numbers; or in Python.",
        "compiled where that is possible",
    ),
]
CellOrder = Annotated[
    str | None,
    _option_search_options(
        "--order", "WAY", "Of cells in smab: l-shaped or lexicographic.", "l-shaped"
    ),
]
Skip = Annotated[
    int | None,
    typer.Option(
        "--skip",
        metavar="N",
        min=0,
        help="No bounds in smab until so many rows and columns are filled.",
        show_default="0",
        rich_help_panel=PANEL_SEARCH_OPTIONS,
    ),
]
Pruning = Annotated[
    str | None,
    _option_search_options(
        "--pruning", "WHICH", f"Of imp-alphabeta: {', '.join(PRUNING)}.", "both"
    ),
]
BestFirst = Annotated[
    bool,
    _option_search_options(
        "--best-first", None, "Of imp-alphabeta: try what looked best at the last depth first."
    ),
]
After = Annotated[
    list[str] | None,
    _option_search_options(
        "--after",
        "MOVE",
        "Show what to do after this move; several at once as 3,1. May be repeated.",
    ),
]


@dataclass(frozen=True)
class Searching:
    """What was asked of a search, as it was typed."""

    depth: int | None = None
    verify: bool = False
    evaluator: str | None = None
    bounds: str | None = None
    transpositions: bool | None = None
    compiled: bool | None = None
    order: str | None = None
    skip: int | None = None
    pruning: str | None = None
    best_first: bool = False
    after: tuple[str, ...] = ()

    @property
    def given(self) -> list[str]:
        """The options that were used."""
        options = {
            "--depth": self.depth is not None,
            "--verify": self.verify,
            "--evaluator": self.evaluator is not None,
            "--bounds": self.bounds is not None,
            "--transpositions": self.transpositions is not None,
            "--compiled": self.compiled is not None,
            "--order": self.order is not None,
            "--skip": self.skip is not None,
            "--pruning": self.pruning is not None,
            "--best-first": self.best_first,
            "--after": bool(self.after),
        }
        return [name for name, used in options.items() if used]

    def check(self, method: str | None) -> None:
        """Refuse what the method cannot be asked for."""
        searches = method is not None and method in _methods()
        if self.given and not searches:
            known = ", ".join(_methods())
            raise ParameterError(f"{self.given[0]} goes with a search: --method {known}")
        homes = {
            "--order": ("smab",),
            "--skip": ("smab",),
            "--pruning": ("imp-alphabeta",),
            "--best-first": ("imp-alphabeta",),
            "--transpositions": tuple(name for name in _methods() if name not in IMP),
            "--compiled": tuple(name for name in _methods() if name not in IMP),
        }
        for option in self.given:
            if option in homes and method not in homes[option]:
                raise ParameterError(f"{option} goes with --method {', '.join(homes[option])}")
        if self.pruning is not None and self.pruning not in PRUNING:
            raise ParameterError(
                f"--pruning {self.pruning!r:.40} is not known; {nearest(self.pruning, PRUNING)}"
            )

    def wishes(self, method: str, seconds: float | None) -> dict[str, Any]:
        """The same as the search wants it."""
        whole = self.depth is None and seconds is None and not self.best_first
        if self.evaluator is not None and whole:
            raise ParameterError(
                "--evaluator says what to expect where a search ends before the game does; give"
                " --depth or --time as well"
            )
        asked: dict[str, Any] = {"depth": self.depth, "seconds": seconds}
        if self.bounds is not None:
            asked["bounds"] = _pair(self.bounds, method)
        if self.evaluator is not None:
            asked["evaluator"] = evaluator(self.evaluator)
        if method in IMP:
            if self.pruning is not None:
                asked["information_set_pruning"] = self.pruning in ("both", "sets")
                asked["immediate_pruning"] = self.pruning in ("both", "immediate")
            if self.best_first:  # by how options did when it looked less far
                asked |= {"ordering": True, "deepening": True}
            return asked
        asked |= {"transpositions": self.transpositions, "compiled": self.compiled}
        if self.order is not None:
            asked["order"] = self.order
        if self.skip is not None:
            asked["skip"] = self.skip
        return asked


def _methods() -> tuple[str, ...]:
    from infoset.search import SEARCHES

    return tuple(SEARCHES)


def _pair(words: str, method: str) -> tuple[Fraction | None, Fraction | None]:
    """The least and the most, as they were typed; searches by information sets do with one."""
    try:
        low, high = (Fraction(part) if part.strip() else None for part in words.split(","))
    except (ValueError, ZeroDivisionError):
        raise ParameterError(f"--bounds {words!r:.60}: two numbers are wanted, as -1,1") from None
    if (low is None or high is None) and method not in IMP:
        raise ParameterError(f"--bounds {words!r:.60}: {method} needs both the least and the most")
    if low is not None and high is not None and low > high:
        raise ParameterError(f"--bounds {words!r:.60}: the least comes first, then the most")
    return low, high


def evaluator(named: str) -> Callable[[Any], Any]:
    """The function that a file has under a name; what goes wrong in it is told with its line."""
    path, _, function = named.rpartition(":")
    file = Path(path)
    if not path.endswith(".py") or not function:
        raise ParameterError(f"--evaluator {named!r:.60}: name it FILE.py:FUNCTION")
    module = loaded_module(file)
    found = getattr(module, function, None)
    if not callable(found):
        known = [name for name, value in vars(module).items() if callable(value)]
        raise ParameterError(f"{path}: no function {function!r}; {nearest(function, known)}")

    def estimate(position: Any) -> Any:
        try:
            return found(position)
        except RecursionError:  # the search is too deep, not the function
            raise
        except Exception as error:
            raise trouble_in(file, error) from error

    return estimate
