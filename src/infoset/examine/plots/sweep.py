"""A sweep as small plots over one axis: size, time, value and regret.

:func:`picture` decides what there is to see, and ends in records of plain numbers;
:func:`sweep_figure` draws them. The first swept parameter is the axis; each combination of the
others is a line. Where a member has no number (its rules refuse it, it was too large), the line has
a gap.

A panel is logarithmic where its numbers are far apart. Regret always is, but for exact answers:
their regret is 0, which has no place on such an axis; they are marked on its lower edge instead,
or, if all answers are exact, words say so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from infoset.examine.plots.style import (
    ORDER,
    colour,
    label,
    legend,
    logarithmic,
    marker,
    new_figure,
    styled,
)
from infoset.examine.sweeps import Row, Sweep, is_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FAR = 30  # times as large, from which a linear axis hides the small ones
NAMED = 8  # lines that the legend names
CROWDED = 40  # points of a line from which markers are in each other's way
ABOVE = {
    "loc": "lower right",
    "bbox_to_anchor": (1.02, 0.97),
    "ncols": 4,
    "borderpad": 0.2,
    "handlelength": 1.6,
    "handletextpad": 0.3,
    "columnspacing": 1.0,
}
STROKES = ("-", "--", ":", "-.")  # by quantity, where colours tell the groups apart


@dataclass(frozen=True)
class Line:
    """Numbers over the axis; NaN where there is none."""

    name: str  # of the quantity
    group: int  # which combination of the other parameters
    kind: int  # which of the panel's quantities
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Panel:
    """One small plot."""

    title: str
    unit: str
    lines: tuple[Line, ...]
    log: bool = False
    zeros: tuple[float, ...] = ()  # where on the axis there is a 0 that has no place
    words: str = ""  # instead of lines


@dataclass(frozen=True)
class Picture:
    """All that is drawn of a sweep."""

    title: str
    axis: str  # the parameter below
    whole: bool  # are the numbers of the axis whole?
    ticks: tuple[str, ...]  # names of its places 0, 1, ...; none if it has numbers
    groups: tuple[str, ...]  # names of the combinations; none if there is only one
    panels: tuple[Panel, ...]


def picture(sweep: Sweep) -> Picture:
    """What there is to see of a sweep.

    >>> from infoset.examine.sweeps import sweep
    >>> from infoset.games import kuhn
    >>> seen = picture(sweep(kuhn, ranks=[3, 4]))
    >>> [panel.title for panel in seen.panels], seen.axis
    (['size', 'time', 'value', 'regret'], 'ranks')
    >>> seen.panels[0].lines[0].y, seen.panels[3].words
    ((55.0, 109.0), 'exact: regret 0')
    """
    (axis, values), *others = sweep.plan.swept.items()
    numbers = _are_numbers(values)
    names = tuple(
        ", ".join(f"{label(name, 16)}={label(value, 16)}" for name, value in pairs)
        for pairs in product(*([(name, value) for value in several] for name, several in others))
    )
    return Picture(
        title=label(sweep.plan.title, 80),
        axis=label(axis),
        whole=numbers and all(value == int(value) for value in values),
        ticks=() if numbers else tuple(label(value, 16) for value in values),
        groups=names if others else (),
        panels=_panels(sweep, numbers),
    )


def _panels(sweep: Sweep, numbers: bool) -> tuple[Panel, ...]:
    def lines(*quantities: tuple[str, Callable[[Row], Any]]) -> tuple[Line, ...]:
        return _lines(sweep, numbers, quantities)

    size = lines(("nodes", lambda row: row.nodes), ("information sets", lambda row: row.infosets))
    building = ("building", lambda row: row.building)
    if not sweep.plan.solving:
        return (
            Panel("size", "count", size, log=_far_apart(size)),
            Panel("time", "seconds", lines(building), log=True),
        )
    return (
        Panel("size", "count", size, log=_far_apart(size)),
        Panel("time", "seconds", lines(building, ("solving", lambda row: row.solving)), log=True),
        _worth(sweep, lines),
        _regret(lines(("regret", lambda row: row.regret))),
    )


def _worth(sweep: Sweep, lines: Callable[..., tuple[Line, ...]]) -> Panel:
    """The value; where no game has one, everyone's payoff, or the first player's if crowded."""
    paid = [row for row in sweep.rows if row.payoffs]
    if not paid or any(row.value is not None for row in paid):
        found = lines(("value", lambda row: row.value))
        return Panel("value", "", found, words="" if paid else "not solved")
    players = max((row.players for row in paid), key=len)
    if len(sweep.plan.swept) > 1:
        players = players[:1]
    room = max(5, 24 // len(players))  # all names are on one line
    quantities = [
        (label(player, room), lambda row, at=at: row.payoffs[at] if at < len(row.payoffs) else None)
        for at, player in enumerate(players[:4])
    ]
    title = "payoffs" if len(quantities) > 1 else f"payoff of {label(players[0], 24)}"
    return Panel(title, "", lines(*quantities))


def _regret(lines: tuple[Line, ...]) -> Panel:
    found = [(x, y) for line in lines for x, y in zip(line.x, line.y, strict=True) if y == y]
    zeros = tuple(dict.fromkeys(x for x, y in found if y == 0))
    if not found:
        return Panel("regret", "", (), words="not solved")
    if all(y == 0 for _, y in found):
        return Panel("regret", "", (), words="exact: regret 0")
    return Panel("regret", "at most", lines, log=True, zeros=zeros)


def _lines(sweep: Sweep, numbers: bool, quantities: Any) -> tuple[Line, ...]:
    """A line for each combination and quantity.

    Rows come in the order of the product, the axis slowest; so the combination follows from a
    row's number, also where the last rows are missing.
    """
    values = next(iter(sweep.plan.swept.values()))
    combinations = len(sweep.plan) // len(values)
    made = []
    for group in range(min(combinations, len(sweep.rows))):
        rows = sweep.rows[group::combinations]
        x = tuple(float(values[at]) if numbers else float(at) for at in range(len(rows)))
        order = sorted(range(len(rows)), key=x.__getitem__)
        for kind, (name, cell) in enumerate(quantities):
            y = tuple(_height(cell(rows[at])) for at in order)
            made.append(Line(name, group, kind, tuple(x[at] for at in order), y))
    return tuple(made)


def _height(number: Any) -> float:
    try:
        return math.nan if number is None else float(number)
    except OverflowError:  # larger than any float, and than any axis
        return math.nan


def _are_numbers(values: tuple[Any, ...]) -> bool:
    return all(is_number(value) and math.isfinite(_height(value)) for value in values)


def _far_apart(lines: tuple[Line, ...]) -> bool:
    heights = [y for line in lines for y in line.y if y > 0]
    return bool(heights) and max(heights) > FAR * min(heights)


def sweep_figure(sweep: Sweep, theme: str = "light") -> Figure:
    """Draw a sweep."""
    seen = picture(sweep)
    rows = (len(seen.panels) + 1) // 2
    with styled(theme):
        figure = new_figure(height=0.7 + 2.25 * rows + 0.25 * bool(seen.groups))
        grid = figure.subplots(rows, 2, sharex=True, squeeze=False)
        for axes, panel in zip(grid.flat, seen.panels, strict=True):
            _draw(axes, panel, seen, theme)
        for axes in grid[-1]:
            axes.set_xlabel(seen.axis)
        _ticks(grid[-1][0], seen)
        figure.suptitle(seen.title, x=0.01, ha="left")
        _name_groups(figure, seen, theme)
    return figure


def _draw(axes: Axes, panel: Panel, seen: Picture, theme: str) -> None:
    axes.set_title(panel.title)
    axes.set_ylabel(panel.unit)
    if panel.words:
        axes.text(0.5, 0.5, panel.words, transform=axes.transAxes, ha="center", va="center")
        axes.set_yticks([])
        return
    if panel.log:
        logarithmic(axes.yaxis)
    for line in panel.lines:
        shade, mark, stroke = _look(line, seen, theme)
        crowded = len(line.x) > CROWDED
        axes.plot(
            line.x,
            [y if y > 0 or not panel.log else math.nan for y in line.y],
            color=shade,
            marker="" if crowded and seen.groups else mark,
            markersize=2 if crowded else None,
            linestyle=stroke,
            label=f" {line.name}" if line.group == 0 else "_",
        )
    if panel.zeros:
        axes.plot(
            panel.zeros,
            [0.0] * len(panel.zeros),
            transform=axes.get_xaxis_transform(),
            clip_on=False,
            color=axes.title.get_color(),
            linestyle="none",
            marker="v",
            label=" exact: 0",
        )
    for sign in legend(axes, **ABOVE):  # on the line of the title, where no data can be
        if seen.groups:  # what stands for a quantity is the stroke; the colour is a group's
            sign.set(color=axes.title.get_color())
            sign.set(marker="v" if sign.get_linestyle() == "None" else "")


def _look(line: Line, seen: Picture, theme: str) -> tuple[str, str, str]:
    """Colour, marker and stroke: by quantity, or by group with a stroke for each quantity."""
    if not seen.groups:
        return colour(line.kind, theme), marker(line.kind), "-"
    return _shade(line.group, seen, theme), marker(line.group), STROKES[line.kind % len(STROKES)]


def _shade(group: int, seen: Picture, theme: str) -> str:
    """A colour of its own for each of a few groups; of many, one between two colours."""
    if len(seen.groups) <= len(ORDER):
        return colour(group, theme)
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    share = group / (len(seen.groups) - 1)
    return to_hex(colormaps["viridis"](0.85 * share if theme == "light" else 0.25 + 0.75 * share))


def _ticks(axes: Axes, seen: Picture) -> None:
    """The values of the parameter, by name if they are no numbers."""
    from matplotlib.ticker import MaxNLocator

    if not seen.ticks:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=seen.whole, min_n_ticks=1))
        return
    places = range(0, len(seen.ticks), -(-len(seen.ticks) // 10))
    names = [seen.ticks[place] for place in places]
    turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
    for bottom in axes.figure.axes[-2:]:
        bottom.set_xticks(places, names, **(turned if sum(map(len, names)) > CROWDED else {}))


def _name_groups(figure: Figure, seen: Picture, theme: str) -> None:
    """One legend for all panels, below them."""
    from matplotlib.lines import Line2D

    count = len(seen.groups)
    if not count:
        return
    few = range(count) if count <= NAMED else [k * (count - 1) // (NAMED - 1) for k in range(NAMED)]
    drawn = [
        Line2D([], [], color=_shade(group, seen, theme), marker=marker(group)) for group in few
    ]
    names = [seen.groups[group] for group in few]
    widest = max(map(len, names))
    figure.legend(
        drawn, names, loc="outside lower center", ncols=max(1, min(len(names), 90 // (widest + 6)))
    )
