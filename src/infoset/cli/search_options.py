"""What may be asked of a search: its options, and what they mean to each method."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from infoset.errors import FileError, ParameterError, nearest

PANEL = "Search (--method imp-alphabeta, smab, double-oracle, ...)"
IMP = ("chance-minimax", "imp-minimax", "imp-alphabeta")
PRUNING = ("both", "sets", "immediate", "none")


def _option(name: str, metavar: str | None, about: str, unasked: str | bool = False) -> Any:
    return typer.Option(
        name, metavar=metavar, help=about, show_default=unasked, rich_help_panel=PANEL
    )


Depth = Annotated[
    int | None,
    typer.Option(
        "--depth",
        metavar="N",
        min=1,
        help="Look so many moves ahead, and say what is sure by then.",
        show_default="to the end",
        rich_help_panel=PANEL,
    ),
]
Verify = Annotated[
    bool,
    _option("--verify", None, "Build the tree, and prove the regret of what the search decides."),
]
Evaluator = Annotated[
    str | None,
    _option(
        "--evaluator",
        "FILE.py:NAME",
        "A function of a position: what the first player may expect where --depth ends.",
    ),
]
Bounds = Annotated[
    str | None,
    _option("--bounds", "LOW,HIGH", "The least and the most that payoffs can be.", "the rules'"),
]
Transpositions = Annotated[
    bool | None,
    _option(
        "--transpositions/--no-transpositions",
        None,
        "Remember positions that are reached in several ways.",
        "where positions can be told apart by their state",
    ),
]
Compiled = Annotated[
    bool | None,
    _option(
        "--compiled/--interpreted",
        None,
        "Run compiled, if the game says its rules over whole numbers; or by its rules.",
        "compiled where that is possible",
    ),
]
CellOrder = Annotated[
    str | None,
    _option("--order", "WAY", "Of cells in smab: l-shaped or lexicographic.", "l-shaped"),
]
Skip = Annotated[
    int | None,
    typer.Option(
        "--skip",
        metavar="N",
        min=0,
        help="No bounds in smab until so many rows and columns are filled.",
        show_default="0",
        rich_help_panel=PANEL,
    ),
]
Pruning = Annotated[
    str | None,
    _option("--pruning", "WHICH", f"Of imp-alphabeta: {', '.join(PRUNING)}.", "both"),
]
BestFirst = Annotated[
    bool,
    _option(
        "--best-first", None, "Of imp-alphabeta: try what looked best at the last depth first."
    ),
]
After = Annotated[
    list[str] | None,
    _option(
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
        if self.evaluator is not None and self.depth is None:
            raise ParameterError("--evaluator says what to expect where --depth ends; give both")

    def wishes(self, method: str) -> dict[str, Any]:
        """The same as the search wants it."""
        asked: dict[str, Any] = {"depth": self.depth}
        if self.evaluator is not None:
            asked["evaluator"] = evaluator(self.evaluator)
        low, high = (None, None) if self.bounds is None else _two_numbers(self.bounds)
        if method in IMP:
            if self.bounds is not None and method == "imp-alphabeta":
                asked |= {"lower": low, "upper": high}
            if self.pruning is not None:
                asked["information_set_pruning"] = self.pruning in ("both", "sets")
                asked["immediate_pruning"] = self.pruning in ("both", "immediate")
            if self.best_first:
                asked["ordering"] = True
            return asked
        if self.bounds is not None:
            asked["bounds"] = (low, high)
        asked |= {"transpositions": self.transpositions, "compiled": self.compiled}
        if self.order is not None:
            asked["order"] = self.order
        if self.skip is not None:
            asked["skip"] = self.skip
        return asked


def _methods() -> tuple[str, ...]:
    from infoset.search import SEARCHES

    return tuple(SEARCHES)


def _two_numbers(words: str) -> tuple[Fraction, Fraction]:
    try:
        low, high = (Fraction(part.strip()) for part in words.split(","))
    except (ValueError, ZeroDivisionError):
        raise ParameterError(f"--bounds {words!r:.60}: two numbers are wanted, as -1,1") from None
    if low > high:
        raise ParameterError(f"--bounds {words!r:.60}: the least comes first, then the most")
    return low, high


def evaluator(named: str) -> Callable[[Any], Any]:
    """The function that a file has under a name."""
    path, _, function = named.rpartition(":")
    file = Path(path)
    if not path.endswith(".py") or not function:
        raise ParameterError(f"--evaluator {named!r:.60}: name it FILE.py:FUNCTION")
    if not file.is_file():
        raise FileError(f"{path}: no such file")
    spec = importlib.util.spec_from_file_location(f"evaluator {file.stem}", file)
    if spec is None or spec.loader is None:
        raise FileError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except SyntaxError as error:
        raise FileError(f"{path}:{error.lineno or 1}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        raise FileError(f"{path}: {type(error).__name__}: {error}") from error
    found = getattr(module, function, None)
    if not callable(found):
        known = [name for name, value in vars(module).items() if callable(value)]
        raise ParameterError(f"{path}: no function {function!r}; {nearest(function, known)}")
    estimate: Callable[[Any], Any] = found
    return estimate
