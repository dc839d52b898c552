"""A sweep as small plots over one axis: size, time, value and regret.

:mod:`infoset.examine.sweeps.picture` decides what there is to see; here it is drawn. The first
swept parameter is the axis of all panels; each combination of the others is a line.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from infoset.examine.plots.style import (
    ORDER,
    colour,
    legend,
    logarithmic,
    marker,
    new_figure,
    styled,
)
from infoset.examine.sweeps import Sweep
from infoset.examine.sweeps.picture import Line, Panel, Picture, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator

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


def sweep_figure(sweep: Sweep, theme: str = "light") -> Figure:
    """Draw a sweep."""
    seen = picture(sweep)
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
