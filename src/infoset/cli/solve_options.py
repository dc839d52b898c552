"""What can be asked of ``infoset solve``: its options, and which of them go together."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from infoset.cli.files import PLOTS, check_target, spare
from infoset.cli.game_arguments import GameArguments, LimitOptions
from infoset.cli.options import Takes, given, group, option, refuse_unfit
from infoset.cli.output import Output, PictureOptions, check_no_title
from infoset.errors import ParameterError, nearest
from infoset.rules.modules import loaded_module, trouble_in
from infoset.solvers.cfr.variants import VARIANTS
from infoset.solvers.registry import LARGE, SOLVERS, Solver, solver
from infoset.solvers.settings import TAKES, Settings
from infoset.text import printable

IMP = ("chance-minimax", "imp-minimax", "imp-alphabeta")
PRUNING = ("both", "sets", "immediate", "none")
METAVARS = {
    "updates": "WAY",
    "averaging": "WAY",
    "exponents": "A,B,C",
    "precision": "TYPE",
    "every": "SECONDS",
    "cluster": "WHICH",
}
NUMBER = re.compile(r"-?[0-9]{1,40}(/[0-9]{1,40}|\.[0-9]{1,40})?|-?\.[0-9]{1,40}")

BY_TREE = ("most", "every", "pick", "subgame_perfect", "max_nodes")

# By the kind of an answer: the options that it cannot have, and what would give them.
LACKING = {
    "searched": (("player", "where", "rows", "page"), "with --verify there are whole strategies"),
    "sampled": (
        ("exact", "public", "fold", "merge", "max_nodes", "max_moves", "seconds_per_move"),
        "no tree is built; with --prove it is",
    ),
    "correlated": (
        ("player", "where", "rows", "page", "plot", "draw", "save", "public", "fold", "merge"),
        "a correlated equilibrium is a joint distribution, with no strategy of each player",
    ),
    "safe": (("public", "fold", "merge"), "it is solved on the tree"),
    "public": (BY_TREE, "leave out --public"),
    "tree": (("fold", "merge"), ""),
}


# ---------------------------------------------------------------------- who takes what


def searches(row: Solver | None) -> bool:
    """Is it a search, which builds no tree?"""
    return row is not None and row.family == "search"


def simultaneous(row: Solver | None) -> bool:
    """Is it a search of simultaneous moves?"""
    return row is not None and searches(row) and row.name not in IMP


def minimizes_regret(row: Solver | None) -> bool:
    """Is it of the family of regret minimization?"""
    return row is not None and row.family in TAKES


def only(*names: str) -> Takes:
    """These methods take it."""
    return lambda row: row is not None and row.name in names


def finding(kind: str) -> Takes:
    """Methods that give this take it."""
    return lambda row: row is not None and row.gives == kind


def setting(name: str) -> Takes:
    """Methods of regret minimization that have this setting; it makes one of them the choice."""
    if name == "exploration":
        return only("outcome-sampling")
    if name == "exponents":
        tunable = [row.name for row in VARIANTS if row.tunable]
        return lambda row: row is None or row.name in tunable
    return lambda row: name in TAKES.get("cfr" if row is None else row.family, ())


# ---------------------------------------------------------------------- the options


def method_option() -> Any:
    """``--method NAME``, of every command that solves."""
    about = "The method; infoset solve --methods lists them."
    return option(about, metavar="NAME", unset="what suits the game")


def exact_option() -> Any:
    """``--exact`` or ``--floats``, of every command that solves."""
    return option(
        "An exact answer or none; or floats with a proved regret.",
        flags="--exact/--floats",
        unset="exact where possible",
    )


def time_option(about: str = "Stop solving after so long with the best answer so far.") -> Any:
    """``--time SECONDS``, of every command that solves."""
    return option(about, flags="--time", metavar="SECONDS", minimum=0.0, unset="no limit")


@dataclass(frozen=True)
class How:
    """How a game is solved, or which solution is loaded."""

    method: str | None = method_option()
    exact: bool | None = exact_option()
    seconds: float | None = time_option()
    subgame_perfect: bool = option("Solve every subgame, the last ones first.", default=False)
    public: bool | None = option(
        "Solve the public form, which needs no tree (vectorized rules, two players).",
        flags="--public/--tree",
        unset="if the tree is too large",
    )
    fold: bool = option("On the public form: treat suits that are alike as one.", default=True)
    merge: bool = option(
        "On the public form: merge strategically identical information sets.", default=False
    )
    load: Path | None = option("Show a saved solution of this game; solve nothing.")


@dataclass(frozen=True)
class Several:
    """How many equilibria are wanted, and which is shown."""

    most: int | None = option(
        "Stop after so many equilibria.",
        minimum=1,
        unset="enumerate: all; pure: one",
        takes=lambda row: row is not None and row.takes_most,
    )
    every: bool = option(
        "Find every equilibrium.",
        flags="--all",
        default=False,
        keyword="all",
        takes=lambda row: row is not None and row.takes_most,
    )
    pick: int | None = option(
        "Show this one of several equilibria in full.",
        minimum=1,
        unset="the first",
        takes=lambda row: row is None or row.gives == "several",
    )

    @property
    def wanted(self) -> float | None:
        """How many, infinitely many for all; None if nothing was said."""
        return float("inf") if self.every else self.most


@dataclass(frozen=True)
class Objective:
    """Which correlated equilibrium is wanted."""

    welfare: str | None = option(
        "Maximize this sum of payoffs, as 'one' or '2 one + two'.", unset="the sum of all payoffs"
    )


@dataclass(frozen=True)
class Opponent:
    """A known opponent, and how much may be risked against it."""

    against: Path | None = option("The opponent's strategy, as --csv or --save writes it.")
    epsilon: str | None = option(
        "How much of the value may be risked, a number or fraction.", metavar="X", unset="0"
    )

    @property
    def risk(self) -> Fraction:
        """What may be risked."""
        if self.epsilon is None:
            return Fraction(0)
        try:
            if not NUMBER.fullmatch(self.epsilon):
                raise ValueError
            value = Fraction(self.epsilon)
        except (ValueError, ZeroDivisionError):
            raise ParameterError(
                f"--epsilon {self.epsilon[:40]!r}: give a number, such as 0.05 or 1/20"
            ) from None
        if value < 0:
            raise ParameterError(f"--epsilon {self.epsilon[:40]}: it must be 0 or more")
        return value


@dataclass(frozen=True)
class RunPlot:
    """What is drawn of a run."""

    log_plot: Path | None = option("Plot regret against seconds (png, svg, pdf).")


@dataclass(frozen=True)
class SearchOptions:
    """How a search goes."""

    depth: int | None = option(
        "Look so many moves ahead; the value is then bounded.", minimum=1, unset="to the end"
    )
    verify: bool = option("Build the tree and prove the regret of the decisions.", default=False)
    evaluator: str | None = option(
        "Function of a position: an estimate of the first player's value where --depth or --time"
        " ends the search.",
        metavar="FILE.py:NAME",
    )
    bounds: str | None = option(
        "The smallest and largest payoff; imp-... methods take one of them, too.",
        metavar="LOW,HIGH",
        unset="those of the rules",
    )
    transpositions: bool | None = option(
        "Remember positions that several move orders reach.",
        unset="where the rules have states",
        takes=simultaneous,
    )
    compiled: bool | None = option(
        "Search compiled (games with integer rules), or in Python.",
        flags="--compiled/--interpreted",
        unset="compiled where possible",
        takes=simultaneous,
    )
    order: str | None = option(
        "Order of cells: l-shaped or lexicographic.",
        metavar="WAY",
        unset="l-shaped",
        takes=only("smab"),
    )
    moves: str | None = option(
        "Which options of a player come first: given, as the rules list them, or reversed, the last"
        " ones. Good moves first halve the work on goofspiel.",
        metavar="WAY",
        unset="given",
        takes=only("smab"),
    )
    skip: int | None = option(
        "No bounds until so many rows and columns are filled.",
        minimum=0,
        unset="0",
        takes=only("smab"),
    )
    static_bound: bool | None = option(
        "Bound a position by two matrix games before it is searched. It halves the positions of"
        " goofspiel with --moves reversed --skip 2, and costs next to nothing elsewhere.",
        unset="on",
        takes=only("smab"),
    )
    pruning: str | None = option(
        f"Which pruning: {', '.join(PRUNING)}.",
        metavar="WHICH",
        unset="both",
        takes=only("imp-alphabeta"),
    )
    best_first: bool = option(
        "Deepen iteratively; try first what was best at the last depth.",
        default=False,
        keyword="ordering",
        takes=only("imp-alphabeta"),
    )
    after: tuple[str, ...] = option(
        "Show what to do after this move; simultaneous ones as 3,1; may be repeated.",
        metavar="MOVE",
        default=(),
    )

    def keywords(self, method: str, seconds: float | None) -> dict[str, Any]:
        """The same as keywords of the search."""
        whole = self.depth is None and seconds is None and not self.best_first
        if self.evaluator is not None and whole:
            raise ParameterError(
                "--evaluator estimates positions where a search ends before the game does; give"
                " --depth or --time as well"
            )
        found: dict[str, Any] = {"depth": self.depth, "seconds": seconds}
        if self.bounds is not None:
            found["bounds"] = _bounds(self.bounds, method)
        if self.evaluator is not None:
            found["evaluator"] = _evaluator(self.evaluator)
        if method in IMP:
            if self.pruning is not None:
                found["information_set_pruning"] = self.pruning in ("both", "sets")
                found["immediate_pruning"] = self.pruning in ("both", "immediate")
            if self.best_first:
                found |= {"ordering": True, "deepening": True}
            return found
        found |= {"transpositions": self.transpositions, "compiled": self.compiled}
        given_ = {
            "order": self.order,
            "moves": self.moves,
            "skip": self.skip,
            "static_bound": self.static_bound,
        }
        return found | {name: value for name, value in given_.items() if value is not None}


def _bounds(words: str, method: str) -> tuple[Fraction | None, Fraction | None]:
    """The smallest and largest payoff as they were typed; IMP searches take one of them, too."""
    try:
        low, high = (Fraction(part) if part.strip() else None for part in words.split(","))
    except (ValueError, ZeroDivisionError):
        raise ParameterError(f"--bounds {words!r:.60}: write two numbers, as -1,1") from None
    if (low is None or high is None) and method not in IMP:
        raise ParameterError(f"--bounds {words!r:.60}: {method} needs both LOW and HIGH")
    if low is not None and high is not None and low > high:
        raise ParameterError(f"--bounds {words!r:.60}: the smaller number comes first")
    return low, high


def _evaluator(named: str) -> Callable[[Any], Any]:
    """The function of this name in a file; what goes wrong in it is reported with its line."""
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


# ---------------------------------------------------------------------- the request


@dataclass(frozen=True)
class SolveRequest:
    """All that is asked of ``infoset solve``."""

    game: GameArguments = group()
    how: How = group("Solving")
    output: Output = group("Output")
    picture: PictureOptions = group("Pictures")
    limits: LimitOptions = group("Limits")
    run: Settings = group("Regret minimization", each=setting, metavars=METAVARS)
    run_plot: RunPlot = group("Regret minimization", takes=minimizes_regret)
    search: SearchOptions = group("Search", takes=searches)
    several: Several = group("Several equilibria")
    objective: Objective = group("Correlated equilibria", takes=finding("correlated"))
    opponent: Opponent = group("A known opponent", takes=finding("reply"))

    @property
    def method(self) -> str | None:
        """The method that was named; only regret minimization has convergence to plot."""
        plotted = self.run_plot.log_plot is not None and self.how.load is None
        return LARGE if self.how.method is None and plotted else self.how.method

    @property
    def because(self) -> str | None:
        """Why this method, where an option decides it."""
        return None if self.method == self.how.method else "as asked: log-plot"

    @property
    def row(self) -> Solver | None:
        """The method in the registry; None if none was named."""
        return None if self.method is None else solver(self.method)

    @property
    def kind(self) -> str:
        """The kind of answer that will come: tree, public, sampled, searched, correlated, safe."""
        whole = self.search.verify or self.how.subgame_perfect
        kind = kind_of_answer(self.row, bool(self.run.prove), whole)
        return "public" if self.how.public and kind in ("tree", "searched") else kind

    @property
    def keywords(self) -> dict[str, Any]:
        """The settings of regret minimization that were given, as keywords."""
        return {name: getattr(self.run, name) for name in self.run.chosen}

    @property
    def by_tree(self) -> bool:
        """Was something asked for that only a tree has?"""
        return any(one.name in (*BY_TREE, "draw") for one, _ in given(self))

    def check(self) -> None:
        """Refuse, before any work is done, what cannot be."""
        row, how = self.row, self.how
        refuse_unfit(self, row)
        self._check_kind()
        self._check_values(row)
        self.output.check(self.picture)
        pictures = (self.output.draw, self.output.plot, self.run_plot.log_plot)
        check_no_title(self.picture.no_title, *pictures)
        for file, formats in (
            (self.run_plot.log_plot, PLOTS),
            (self.run.log, (".csv",)),
            (self.run.checkpoint, ()),
        ):
            if file is not None:
                check_target(file, formats)
        read = (
            self.opponent.against,
            self.game.file,
            how.load if self.output.save is None else None,
        )
        spare((*self.output.files, *self.run_files), read)

    @property
    def run_files(self) -> tuple[Path, ...]:
        """The files that a run writes."""
        every = (self.run.checkpoint, self.run.log, self.run_plot.log_plot)
        return tuple(file for file in every if file is not None)

    def _check_kind(self) -> None:
        """Refuse what this kind of answer does not have."""
        names, remedy = LACKING[self.kind]
        for one, value in given(self):
            if one.name not in names or (one.name, value) == ("public", False):
                continue
            if self.kind == "sampled" and one.group == "limits" and self.game.is_tree:
                continue  # which is read within these limits
            if self.kind == "tree":
                raise ParameterError(f"{one.typed(value)} goes with --public")
            if self.kind != "public":
                load = self.how.load
                what = f"--method {self.method}" if load is None else f"--load {load}"
                raise ParameterError(f"{one.typed(value)} does not go with {what}; {remedy}")
            if self.how.load is not None:
                remedy = f"{printable(str(self.how.load))} is a solution of a public form"
            raise ParameterError(f"{one.typed(value)} needs the tree; {remedy}")

    def check_idle(self) -> None:
        """Refuse what would change nothing."""
        how = ("method", "exact", "seconds", "subgame_perfect")
        for one, value in given(self):
            solving = one.name in how or one.group in ("run", "run_plot")
            if self.how.load is not None and solving:
                raise ParameterError(
                    f"--load shows what was saved; {one.typed(value)} cannot change it"
                )
            if self.output.as_json and one.name in ("where", "rows", "page"):
                raise ParameterError(
                    f"--json gives everything; {one.typed(value)} cannot change it"
                )

    def _check_values(self, row: Solver | None) -> None:
        """Refuse values that contradict each other."""
        search = self.search
        if self.several.pick is not None and row is None and self.how.load is None:
            raise ParameterError(
                "--pick goes with --method enumerate, pure or gambit:NAME, which find several"
                " equilibria, or with --load"
            )
        if self.several.every and self.several.most is not None:
            raise ParameterError("--all and --most contradict each other; give one of them")
        if search.pruning is not None and search.pruning not in PRUNING:
            raise ParameterError(
                f"--pruning {search.pruning!r:.40} is not known; {nearest(search.pruning, PRUNING)}"
            )
        if self.how.subgame_perfect and row is not None and row.gives != "one":
            raise ParameterError(
                "--subgame-perfect takes a method that finds one equilibrium, such as lcp, not"
                f" {row.name}"
            )
        if row is not None and row.gives == "reply" and self.opponent.against is None:
            raise ParameterError("--method safe needs --against FILE, the opponent's strategy")


def kind_of_answer(row: Solver | None, prove: bool = False, verify: bool = False) -> str:
    """The kind of answer that a method gives: tree, sampled, searched, correlated or safe."""
    if row is None:
        return "tree"
    if row.gives in ("correlated", "reply"):
        return "safe" if row.gives == "reply" else "correlated"
    if row.family == "sampling" and not prove:
        return "sampled"
    return "searched" if searches(row) and not verify else "tree"


def methods_option() -> click.Option:
    """``--methods``, which lists the methods and does nothing else."""

    def show(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
        if not asked or ctx.resilient_parsing:
            return
        wide = max(len(row.name) for row in SOLVERS)
        for row in SOLVERS:
            click.echo(f"{row.name:<{wide}} {row.takes}\n{'':<{wide}} {row.about}")
        ctx.exit()

    return click.Option(
        ["--methods"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="List the methods and what they take.",
    )
