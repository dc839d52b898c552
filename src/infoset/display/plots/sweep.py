"""A sweep as small plots over one axis: size, time, value and regret.

The first swept parameter is the axis of all panels; each combination of the others is a line. Where
a member has no number (its rules refuse it, it was too large), the line has a gap. :func:`picture`
collects what is shown in records; :func:`sweep_figure` draws them.

A panel is logarithmic if its numbers are far apart. Regret always is, but for exact solutions:
their regret is 0, which has no place on such an axis; they are marked on its lower edge instead. If
all solutions are exact, the title says so, and there is no panel of regret. Nor is there one of
sizes if all members have the same: the title says it, and times are shown only if they are far
apart. Probabilities and values of chosen
actions, if any are followed, have panels of their own.

Ticks of the axis are the values themselves, if they are few: 10, 20, 30, 50, or 1/10, 1/2, 9/10.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from infoset.analysis.sweeps.members import SweepRow, name_of
from infoset.analysis.sweeps.results import Sweep
from infoset.display.plots.style import (
    ORDER,
    colour,
    label,
    legend,
    logarithmic,
    marker,
    new_figure,
    styled,
)
from infoset.text import is_number, title_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator

FAR = 30  # times as large, from which a linear axis hides the small ones
FEW = 12  # values of the axis that are all written below it
ROOM = 42  # digits that half a page has room for below an axis


@dataclass(frozen=True)
class SweepLine:
    """Numbers over the axis; NaN where there is none."""

    name: str  # of the quantity
    group: int  # which combination of the other parameters
    kind: int  # which of the panel's quantities
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class SweepPanel:
    """One small plot."""

    title: str
    unit: str
    lines: tuple[SweepLine, ...]
    log: bool = False
    zeros: tuple[float, ...] = ()  # where on the axis there is a 0 that has no place
    words: str = ""  # instead of lines


@dataclass(frozen=True)
class Picture:
    """All that is drawn of a sweep."""

    title: str
    axis: str  # the parameter below
    whole: bool  # are the numbers of the axis whole?
    ticks: tuple[tuple[float, str], ...]  # places on it and their names; none: as numbers fall
    groups: tuple[str, ...]  # names of the combinations; none if there is only one
    panels: tuple[SweepPanel, ...]


def picture(sweep: Sweep) -> Picture:
    """What there is to see of a sweep.

    >>> from infoset.analysis.sweeps import sweep
    >>> from infoset.games import kuhn
    >>> seen = picture(sweep(kuhn, ranks=[3, 4]))
    >>> [panel.title for panel in seen.panels], seen.title
    (['size', 'time', 'value'], 'kuhn: all answers exact, regret 0')
    >>> seen.panels[0].lines[0].y, seen.axis, seen.ticks
    ((55.0, 109.0), 'ranks', ((3.0, '3'), (4.0, '4')))
    """
    (axis, values), *others = sweep.plan.swept.items()
    numbers = _are_numbers(values)
    names = tuple(
        ", ".join(f"{label(name, 16)}={label(value, 16)}" for name, value in pairs)
        for pairs in product(*([(name, value) for value in several] for name, several in others))
    )
    return Picture(
        title=_title(sweep),
        axis=label(axis),
        whole=numbers and all(value == int(value) for value in values),
        ticks=_ticks(values, numbers),
        groups=names if others else (),
        panels=_panels(sweep, numbers),
    )


def _title(sweep: Sweep) -> str:
    """The family, what stays the same and is no default, and whether all answers are exact."""
    plan = sweep.plan
    defaults = plan.family.defaults
    chosen = {name: value for name, value in plan.fixed.items() if value != defaults.get(name)}
    name = label(name_of(plan.family, chosen).removesuffix("()"), 70)
    said = [f"{size[0]:,} nodes each"] if (size := _one_size(sweep)) else []
    said += ["all answers exact, regret 0"] if _all_exact(sweep) else []
    return f"{name}: {', '.join(said)}" if said else name


def _one_size(sweep: Sweep) -> tuple[int, ...]:
    """The nodes of every member, and their information sets, if all have the same."""
    sizes = [(row.nodes, row.infosets or 0) for row in sweep.rows if row.nodes is not None]
    return sizes[0] if len(sizes) > 1 and len(set(sizes)) == 1 else ()


def _all_exact(sweep: Sweep) -> bool:
    regrets = [row.regret for row in sweep.rows if row.regret is not None]
    return bool(regrets) and all(regret == 0 for regret in regrets)


def _ticks(values: tuple[Any, ...], numbers: bool) -> tuple[tuple[float, str], ...]:
    """The values below the axis; of numbers that are too close to each other, the first.

    >>> from fractions import Fraction
    >>> _ticks((Fraction(1, 10), Fraction(9, 10), Fraction(1, 2)), True)
    ((0.1, '1/10'), (0.5, '1/2'), (0.9, '9/10'))
    >>> [name for _, name in _ticks((1, 2, 3, 1000), True)]
    ['1', '', '', '1000']
    """
    if not numbers:
        names = [(float(at), label(value, 16)) for at, value in enumerate(values)]
        return tuple(names[:: -(-len(names) // 10)])
    places = sorted({float(value): label(value, 16) for value in values}.items())
    if len(places) > FEW:
        return ()
    digit = (places[-1][0] - places[0][0]) / ROOM  # how far a digit goes on the axis
    ticks: list[tuple[float, str]] = []
    free = -math.inf
    for place, name in places:
        half = digit * (len(name) + 1) / 2
        ticks.append((place, name if place - half >= free else ""))
        free = place + half if ticks[-1][1] else free
    return tuple(ticks)


def _panels(sweep: Sweep, numbers: bool) -> tuple[SweepPanel, ...]:
    def lines(*quantities: tuple[str, Callable[[SweepRow], Any]]) -> tuple[SweepLine, ...]:
        return _lines(sweep, numbers, quantities)

    size = lines(("nodes", lambda row: row.nodes), ("information sets", lambda row: row.infosets))
    building = ("building", lambda row: row.building)
    if not sweep.plan.solving:
        return (
            SweepPanel("size", "count", size, log=_far_apart(size)),
            SweepPanel("time", "seconds", lines(building), log=True),
        )
    panels = [] if _one_size(sweep) else [SweepPanel("size", "count", size, log=_far_apart(size))]
    times = lines(building, ("solving", lambda row: row.solving))
    if panels or _far_apart(times):
        panels.append(SweepPanel("time", "seconds", times, log=True))
    panels.append(_worth(sweep, lines))
    panels += _tracked(sweep, lines)
    if not _all_exact(sweep):
        panels.append(_regret(lines(("regret", lambda row: row.regret))))
    return tuple(panels)


def _tracked(sweep: Sweep, lines: Callable[..., tuple[SweepLine, ...]]) -> list[SweepPanel]:
    """A panel for each quantity that is followed."""
    return [
        SweepPanel(
            label(f"{quantity.kind} of {quantity.action}, {quantity.infoset}", 44),
            "",
            lines((quantity.kind, lambda row, at=at: row.tracked[at] if row.tracked else None)),
        )
        for at, quantity in enumerate(sweep.plan.track)
    ]


def _worth(sweep: Sweep, lines: Callable[..., tuple[SweepLine, ...]]) -> SweepPanel:
    """The value; where no game has one, everyone's payoff, or the first player's if crowded."""
    paid = [row for row in sweep.rows if row.payoffs]
    if not paid or any(row.value is not None for row in paid):
        found = lines(("value", lambda row: row.value))
        return SweepPanel("value", "", found, words="" if paid else "not solved")
    players = max((row.players for row in paid), key=len)
    if len(sweep.plan.swept) > 1:
        players = players[:1]
    room = max(5, 24 // len(players))  # all names are on one line
    quantities = [
        (label(player, room), lambda row, at=at: row.payoffs[at] if at < len(row.payoffs) else None)
        for at, player in enumerate(players[:4])
    ]
    title = "payoffs" if len(quantities) > 1 else f"payoff of {label(players[0], 24)}"
    return SweepPanel(title, "", lines(*quantities))


def _regret(lines: tuple[SweepLine, ...]) -> SweepPanel:
    found = [(x, y) for line in lines for x, y in zip(line.x, line.y, strict=True) if y == y]
    zeros = tuple(dict.fromkeys(x for x, y in found if y == 0))
    if not found:
        return SweepPanel("regret", "", (), words="not solved")
    return SweepPanel("regret", "at most", lines, log=True, zeros=zeros)


def _lines(sweep: Sweep, numbers: bool, quantities: Any) -> tuple[SweepLine, ...]:
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
            made.append(SweepLine(name, group, kind, tuple(x[at] for at in order), y))
    return tuple(made)


def _height(number: Any) -> float:
    try:
        return math.nan if number is None else float(number)
    except OverflowError:  # larger than any float, and than any axis
        return math.nan


def _are_numbers(values: tuple[Any, ...]) -> bool:
    return all(is_number(value) and math.isfinite(_height(value)) for value in values)


def _far_apart(lines: tuple[SweepLine, ...]) -> bool:
    heights = [y for line in lines for y in line.y if y > 0]
    return bool(heights) and max(heights) > FAR * min(heights)


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


def sweep_figure(sweep: Sweep, theme: str = "light", title: str | bool | None = None) -> Figure:
    """Draw a sweep."""
    seen = picture(sweep)
    heading = title_text(title, seen.title)
    rows = (len(seen.panels) + 1) // 2
    with styled(theme):
        odd = len(seen.panels) % 2 == 1  # then the last one is as wide as two
        names = 1.2 if odd and _are_turned(seen) else 0.0  # below the upper panels as well
        figure = new_figure(height=0.7 + 2.25 * rows + 0.25 * bool(seen.groups) + names)
        grid = figure.add_gridspec(rows, 2)
        for at, panel in enumerate(seen.panels):
            whole = odd and at == len(seen.panels) - 1
            place = grid[at // 2, :] if whole else grid[at // 2, at % 2]
            axes = figure.add_subplot(place, sharex=figure.axes[0] if figure.axes else None)
            _draw(axes, panel, seen, theme)
            _below(axes, seen, named=odd or at // 2 == rows - 1)
        if heading:
            figure.suptitle(label(heading, 80) if title else heading, x=0.01, ha="left")
        _name_groups(figure, seen, theme)
    return figure


def _draw(axes: Axes, panel: SweepPanel, seen: Picture, theme: str) -> None:
    axes.set_title(panel.title)
    axes.set_ylabel(panel.unit)
    if panel.words:
        axes.text(0.5, 0.5, panel.words, transform=axes.transAxes, ha="center", va="center")
        axes.set_yticks([])
        return
    if panel.log:
        logarithmic(axes.yaxis)
    elif panel.unit == "count":
        axes.yaxis.set_major_locator(_numbers(whole=True, most=5))
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


def _numbers(whole: bool, most: int = 8) -> Locator:
    """A few round numbers of an axis."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=most, integer=whole, min_n_ticks=1)


def _look(line: SweepLine, seen: Picture, theme: str) -> tuple[str, str, str]:
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


def _below(axes: Axes, seen: Picture, named: bool) -> None:
    """The values of the parameter, with its name where no panel of the same width is below."""
    if not seen.ticks:
        axes.xaxis.set_major_locator(_numbers(seen.whole))
    else:
        places, names = zip(*seen.ticks, strict=True)
        turned: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
        axes.set_xticks(places, names, **(turned if _are_turned(seen) else {}))
    axes.tick_params(labelbottom=named)
    axes.set_xlabel(seen.axis if named else "")


def _are_turned(seen: Picture) -> bool:
    """Whether the names below the axis have no room side by side."""
    return sum(len(name) for _, name in seen.ticks) > CROWDED


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
