"""What may be asked of a search: its options, and what they mean to each method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from infoset.cli.naming import loaded_module, trouble_in
from infoset.errors import ParameterError, nearest

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
        "A function of a position: what the first player may expect where --depth or --time ends.",
    ),
]
Bounds = Annotated[
    str | None,
    _option(
        "--bounds",
        "LOW,HIGH",
        "The least and the most that payoffs can be; for imp-... one is enough.",
        "the rules'",
    ),
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
        "Run compiled, if the game says its rules over whole numbers; or in Python.",
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
