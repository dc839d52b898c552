"""``infoset sweep``: size, time, value and regret of the members of a family.

Several values of a parameter are a range, ``ranks=3..30`` or with a step ``ranks=3..30..9``, or
alternatives, ``order=ascending|random``, of which each may be a range.

With ``--csv`` each row goes to a file as soon as it is known, and what the file has from before is
not computed again, as long as the rules are the same.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from infoset.analysis.sweeps import Sweep, SweepRow, kept, plan, quantities, refuse_many
from infoset.cli.files import check_target, write_all
from infoset.cli.game_arguments import ONE_GAME, max_nodes_option, named_family
from infoset.cli.options import Command, argument, cluster_option, group, jobs_option, option
from infoset.cli.output import check_no_title, json_option, no_title_option, terminal
from infoset.cli.progress import status
from infoset.cli.solve_options import exact_option, method_option, methods_option, time_option
from infoset.errors import FileError, ParameterError
from infoset.rules import Family
from infoset.rules.parameters import parse_parameters
from infoset.text import spelled, text

STOPPED = 130
NUMBER = re.compile(r"-?\d{1,18}(/0*[1-9]\d{0,17}|\.\d{1,18})?")


@dataclass(frozen=True)
class FamilyArguments:
    """Which games are meant."""

    name: str = argument("A library game or FILE.py:FUNCTION.", "GAME")
    parameters: tuple[str, ...] = argument(
        "Parameters: ranks=3..30, ranks=3..30..9, order=ascending|random, bet=2.",
        "[NAME=VALUES]...",
        default=(),
    )


@dataclass(frozen=True)
class SweepOptions:
    """How the members are solved."""

    method: str | None = method_option()
    exact: bool | None = exact_option()
    seconds: float | None = time_option("Time for each member.")
    no_solve: bool = option("Sizes only.", default=False)
    probability: tuple[str, ...] = option(
        "Follow an action's probability, as 'dealer: Q, bet=pass'; may be repeated.",
        metavar="SET=ACTION",
        default=(),
    )
    action_value: tuple[str, ...] = option(
        "Follow an action's value to its player; may be repeated.",
        metavar="SET=ACTION",
        default=(),
    )
    jobs: int | None = jobs_option("Processes that solve members at the same time.")
    cluster: str | None = cluster_option()
    max_nodes: int = max_nodes_option()


@dataclass(frozen=True)
class SweepOutput:
    """What is written."""

    as_json: bool = json_option()
    plot: Path | None = option("Plot size, time and value (png, svg, pdf).")
    csv: Path | None = option("Write each row to FILE.csv as it is known; resume from there.")
    no_title: bool = no_title_option()


@dataclass(frozen=True)
class SweepRequest:
    """All that is asked of ``infoset sweep``."""

    game: FamilyArguments = group()
    how: SweepOptions = group("Solving")
    output: SweepOutput = group("Output")

    def check(self) -> None:
        """Refuse what cannot be, before any work is done."""
        how, output = self.how, self.output
        asked = (how.method, how.exact, how.probability, how.action_value)
        if how.no_solve and asked != (None, None, (), ()):
            raise ParameterError(
                "--no-solve gives sizes only; --method, --exact, --probability and --action-value"
                " do nothing there"
            )
        check_no_title(output.no_title, output.plot)
        if output.plot is not None:
            _ready_to_plot(output.plot)
            check_target(output.plot)
        if output.csv is not None:
            check_target(output.csv, (".csv",))


def sweep(request: SweepRequest) -> None:
    """Build and solve many members of a family: size, time, value and regret of each."""
    request.check()
    how, output = request.how, request.output
    family = _swept_family(request.game.name)
    values = parse_values(family, request.game.parameters)
    asked = plan(
        family,
        values,
        solving=not how.no_solve,
        method=how.method,
        exact=how.exact,
        seconds=how.seconds,
        max_nodes=how.max_nodes,
        track=quantities(how.probability, how.action_value),
    )
    rows: list[SweepRow] = []
    stopped = False
    with kept(asked, output.csv) as (known, keep), status(f"sweeping {asked.title}") as tick:
        try:
            with redirect_stdout(sys.stderr):  # what rules print is no part of the answer
                for row in asked.rows(known, keep, tick, how.jobs, how.cluster):
                    rows.append(row)  # noqa: PERF402  an interrupt must not lose what is there
        except KeyboardInterrupt:
            stopped = True
    if rows:
        _show(Sweep(asked, tuple(rows)), output)
    if stopped:
        raise click.exceptions.Exit(STOPPED)


def _swept_family(name: str) -> Family:
    file = name.lower().endswith((".efg", ".nfg"))
    if file and not Path(name).exists():
        raise FileError(f"{name}: no such file")
    if file or name.startswith(ONE_GAME):
        raise ParameterError(f"{name} is one game; a sweep takes a family, as kuhn or FILE.py:NAME")
    return named_family(name)


def _ready_to_plot(path: Path) -> None:
    from infoset.display.plots.style import new_figure, plot_format

    plot_format(path)
    new_figure()


def _show(swept: Sweep, output: SweepOutput) -> None:
    # Written also if nobody reads what is printed.
    plot = ("the plot", output.plot, lambda path: swept.plot(path, title=not output.no_title))
    _, problem = write_all(plot)
    if output.as_json:
        print(json.dumps(facts(swept)))
    else:
        print(swept.table.text(most=None, **terminal()))
    if problem is not None:  # the answer is not lost for it
        raise problem


def facts(swept: Sweep) -> dict[str, Any]:
    """All that is said, as one JSON object; exact numbers as texts ``p/q``, others as numbers."""
    plan = swept.plan
    return {
        "family": plan.family.name,
        "parameters": {name: _plain(value) for name, value in plan.fixed.items()},
        "swept": list(plan.swept),
        "members": len(plan),
        "complete": len(swept.rows) == len(plan),
        "rows": [
            {
                "game": row.game,
                "parameters": dict(zip(plan.swept, map(_plain, row.parameters), strict=True)),
                "nodes": row.nodes,
                "infosets": row.infosets,
                "sequences": row.sequences,
                "method": row.method or None,
                "value": _amount(row.value),
                "payoffs": dict(zip(row.players, map(_amount, row.payoffs), strict=False)),
                "equilibria": row.equilibria,
                "tracked": {
                    quantity.name: _amount(amount)
                    for quantity, amount in zip(plan.track, row.tracked, strict=False)
                },
                "regret": _amount(row.regret),
                "certificate": row.certificate or None,
                "seconds_building": row.building,
                "seconds_solving": row.solving,
                "note": row.note,
            }
            for row in swept.rows
        ],
    }


def _plain(value: object) -> object:
    return value if isinstance(value, bool | int) else text(value)


def _amount(value: Any) -> Any:
    return value if value is None or isinstance(value, float) else spelled(value)


def parse_values(family: Family, given: Sequence[str]) -> dict[str, Any]:
    """``name=values`` texts: a list where there are several values, else the value.

    >>> from infoset.games import goofspiel
    >>> parse_values(goofspiel, ["cards=2..4", "order=random|ascending", "players=2"])
    {'cards': [2, 3, 4], 'order': ['random', 'ascending'], 'players': 2}
    """
    values = parse_parameters(family, given)  # finds words that are none, and repeated ones
    for word in given:
        name, _, spelling = word.partition("=")
        parameter = family.parameters.get(name)
        words = parameter is not None and isinstance(parameter.default, str)
        several: list[Any] = []
        for part in spelling.split("|"):
            if ".." in part and not words:
                several += parse_range(part, word)
            else:
                several.append(parse_parameters(family, [f"{name}={part}"])[name])
        if len(several) > 1 or (".." in spelling and not words):
            values[name] = several
    return values


def parse_range(spelling: str, word: str) -> list[int | Fraction]:
    """The numbers of ``first..last`` or ``first..last..step``.

    >>> parse_range("3..9..3", "ranks=3..9..3"), parse_range("0..1..1/2", "ante=0..1..1/2")
    ([3, 6, 9], [0, Fraction(1, 2), 1])
    """
    parts = spelling.split("..")
    bad = [part for part in parts if not NUMBER.fullmatch(part)]
    if bad or len(parts) > 3:
        what = f"{bad[0]!r} is no number" if bad else "too many dots"
        raise ParameterError(
            f"{word!r}: {what}; write FIRST..LAST or FIRST..LAST..STEP, as in 3..30"
        )
    first, last, step = [*map(Fraction, parts), Fraction(1)][:3]
    if step <= 0:
        raise ParameterError(f"{word!r}: the step {parts[2]} must be above 0")
    if last < first:
        raise ParameterError(f"{word!r}: {parts[0]} is above {parts[1]}; the smaller comes first")
    count = (last - first) // step + 1
    refuse_many(count, repr(word))
    numbers = (first + at * step for at in range(count))
    return [int(number) if number.denominator == 1 else number for number in numbers]


command = Command("sweep", SweepRequest, sweep, [methods_option()])
