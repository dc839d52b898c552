"""The convergence of runs in one figure: regret against time, both logarithmic.

Each run is a thin line with its name at the right, at the height where it ends or as near to that
as the other names leave room: :func:`spread` moves them apart as little as can be. Runs of peers
are dashed; a run whose name is another's but for the peer ("OpenSpiel CFR+", "CFR+") has its
colour. If there are more runs than colours, markers distinguish those of one colour.

There is no 0 on a logarithmic axis. A regret of 0 or less is drawn at its lower end, 0 seconds at
the left end; the axis has a 0 there, and a line below the figure says so.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.display.plots.style import (
    ORDER,
    WIDTH,
    colour,
    label,
    logarithmic,
    marker,
    new_figure,
    plot_format,
    save_figure,
    styled,
)
from infoset.errors import ParameterError, nearest
from infoset.solvers.convergence import Convergence
from infoset.text import title_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PEERS = ("OpenSpiel", "LiteEFG")
AGAINST = ("seconds", "iterations")
DASHES: tuple[Any, ...] = ((0, (5, 1.6)), (0, (1.2, 1.3)), (0, (5, 1.3, 1.2, 1.3)))
NAME = 8.5  # points: the size of a name
LINE = 1.35 * NAME / 72  # inches from one name to the next
THIN = 1.2  # points: the strength of a line
EDGE = 0.03  # of an axis that is left free at its ends
FLAT = 0.05  # powers of ten: numbers that differ by less need no close look
SMALLEST, LARGEST = 1e-100, 1e100  # what has a place on an axis


@dataclass(frozen=True)
class _Look:
    """How a line is distinguished from the others."""

    colour: str
    stroke: Any
    marker: str


@dataclass(frozen=True)
class _Scale:
    """Numbers by run, and a logarithmic axis for them."""

    numbers: list[list[float]]
    floor: float  # where what is not above 0 is drawn; nothing is below
    low: float  # powers of ten at the ends of the axis
    high: float
    zeros: bool  # are there any?

    def shown(self, number: float) -> float:
        """The number as it is drawn."""
        return min(max(number, self.floor), LARGEST)

    def share(self, number: float) -> float:
        """How far along the axis that is."""
        return (math.log10(self.shown(number)) - self.low) / (self.high - self.low)


def plot_convergence(
    runs: Sequence[Convergence],
    file: str | Path | None = None,
    *,
    against: str = "seconds",
    dashed: str | Sequence[str] = PEERS,
    title: str | bool | None = None,
    theme: str = "light",
) -> Figure:
    """Regret against ``"seconds"`` or ``"iterations"``, a line for each run.

    Runs with one of the texts ``dashed`` in their name are dashed, each text in its own way.
    Written to a file if one is named (png, svg, pdf).

    >>> from infoset.solvers.convergence import Point
    >>> convergence = Convergence("CFR+", (), (Point(0.1, 10, 0.5), Point(0.2, 100, 0.05)))
    >>> figure = plot_convergence([convergence], against="iterations")
    >>> figure.axes[0].lines[0].get_xdata().tolist()
    [10.0, 100.0]
    """
    if against not in AGAINST:
        raise ParameterError(f"against={against!r:.60}: no such axis; {nearest(against, AGAINST)}")
    if file is not None:
        plot_format(file)  # refused before the work is done
    drawn = [convergence for convergence in runs if convergence.points]
    if not drawn:
        raise ParameterError("there is nothing to plot: no run has a point yet")
    looks = _looks([convergence.name for convergence in drawn], dashed, theme)
    across = _scale([[float(getattr(point, against)) for point in one.points] for one in drawn])
    up = _scale([[point.regret for point in one.points] for one in drawn])
    with styled(theme):
        figure = new_figure(WIDTH, max(4.0, 1.3 + LINE * len(drawn)))
        axes = figure.add_subplot()
        axes.set(xlabel=against, ylabel="regret")
        axes.set_title(label(title_text(title, ""), 80))
        _lines(axes, across, up, looks)
        _note(figure, runs, across, up, against)
        _names(figure, axes, drawn, looks, across, up)
    if file is not None:
        save_figure(figure, file)
    return figure


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Heights near the wanted ones, at least so far apart, in the same order, between two bounds.

    The sum of squared moves is the least that there is: neighbours who are too close are pooled,
    and a pool is put where its members want to be on average. Where there is no room for all, they
    are as far apart as there is.

    >>> spread([0.5, 0.5, 0.9], 0.1, 0.0, 1.0)
    [0.45, 0.55, 0.9]
    >>> spread([1.0, 1.0], 0.1, 0.0, 1.0)
    [0.9, 1.0]
    """
    count = len(wanted)
    apart = min(apart, (high - low) / max(count - 1, 1))
    order = sorted(range(count), key=wanted.__getitem__)
    pools: list[tuple[float, int]] = []  # of heights less their distance from the first: mean, size
    for rank, at in enumerate(order):
        mean, size = wanted[at] - rank * apart, 1
        while pools and pools[-1][0] >= mean:
            other, members = pools.pop()
            mean = (mean * size + other * members) / (size + members)
            size += members
        pools.append((mean, size))
    means = [mean for mean, size in pools for _ in range(size)]
    top = high - (count - 1) * apart
    placed = [0.0] * count
    for rank, at in enumerate(order):
        placed[at] = round(min(max(means[rank], low), top) + rank * apart, 12)
    return placed


def _looks(names: Sequence[str], dashed: str | Sequence[str], theme: str) -> list[_Look]:
    """A colour and a marker for each run; a peer's are those of what it is compared with."""
    dashed = (dashed,) if isinstance(dashed, str) else dashed
    numbers: dict[str, int] = {}
    found = []
    for name in [*(n for n in names if _peer(n, dashed) is None), *names]:
        numbers.setdefault(_method(name, dashed), len(numbers))
    for name in names:
        number, peer = numbers[_method(name, dashed)], _peer(name, dashed)
        round_ = number // len(ORDER)
        stroke = "-" if peer is None else DASHES[peer % len(DASHES)]
        found.append(_Look(colour(number, theme), stroke, marker(round_ - 1) if round_ else ""))
    return found


def _peer(name: str, dashed: Sequence[str]) -> int | None:
    return next((at for at, words in enumerate(dashed) if words in name), None)


def _method(name: str, dashed: Sequence[str]) -> str:
    """The name of a peer's run without the peer."""
    peer = _peer(name, dashed)
    return name if peer is None else name.replace(dashed[peer], "").strip(" :,()[]-/")


def _scale(numbers: list[list[float]]) -> _Scale:
    """The numbers of all runs, and the part of a logarithmic axis that they need."""
    every = [min(number, LARGEST) for own in numbers for number in own]
    least = max(min((number for number in every if number > 0), default=1.0), SMALLEST)
    low, high = math.log10(least), math.log10(max(least, *every))
    if high - low < FLAT:
        low, high = low - 0.5, high + 0.5
    room = EDGE * (high - low)
    if min(every) > 0:
        return _Scale(numbers, least, low - room, high + room, False)
    floor = math.floor(low) - int(2 * room) - 0.5  # between two powers of ten, which have numbers
    return _Scale(numbers, 10**floor, floor - room / 2, high + room, True)


def _lines(axes: Axes, across: _Scale, up: _Scale, looks: Sequence[_Look]) -> None:
    for x, y, look in zip(across.numbers, up.numbers, looks, strict=True):
        axes.plot(
            [across.shown(number) for number in x],
            [up.shown(number) for number in y],
            color=look.colour,
            linestyle=look.stroke,
            linewidth=THIN,
            marker=look.marker or ("o" if len(y) == 1 else ""),
            markersize=3.5,
            markevery=0.11 if len(y) > 1 else None,  # as a share of the diagonal
        )
    logarithmic(axes.xaxis)
    logarithmic(axes.yaxis)
    axes.set_xlim(10**across.low, 10**across.high)
    axes.set_ylim(10**up.low, 10**up.high)
    ticks: dict[str, Any] = {"textcoords": "offset points", "fontsize": 9}  # as far away as others
    if across.zeros:
        ticks |= {"xycoords": axes.get_xaxis_transform(), "ha": "center", "va": "top"}
        axes.annotate("0", (across.floor, 0.0), (0, -7), **ticks)
    if up.zeros:
        ticks |= {"xycoords": axes.get_yaxis_transform(), "ha": "right", "va": "center"}
        axes.annotate("0", (0.0, up.floor), (-7, 0), **ticks)


def _note(
    figure: Figure, runs: Sequence[Convergence], across: _Scale, up: _Scale, against: str
) -> None:
    """Say below the figure what cannot be seen in it."""
    notes = []
    if up.zeros:
        notes.append("a regret of 0 is drawn at the lower edge")
    if across.zeros:
        notes.append(f"0 {against} {'' if notes else 'are drawn '}at the left edge")
    empty = [label(convergence.name) for convergence in runs if not convergence.points]
    if empty:
        notes.append(f"no points yet: {', '.join(empty)}")
    if notes:
        figure.supxlabel("; ".join(notes), fontsize=8, x=0.01, ha="left", alpha=0.75)


def _names(
    figure: Figure,
    axes: Axes,
    runs: Sequence[Convergence],
    looks: Sequence[_Look],
    across: _Scale,
    up: _Scale,
) -> None:
    """The names at the right, each led to from where its line ends."""
    with warnings.catch_warnings():  # characters that no font has are boxes, here as in files
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.draw_without_rendering()  # so that the height is known
    tall = axes.get_window_extent().height / figure.dpi
    ends = [
        (across.share(x[-1]), up.share(y[-1]))
        for x, y in zip(across.numbers, up.numbers, strict=True)
    ]
    heights = spread([y for _, y in ends], LINE / tall, 0.0, 1.0)
    free: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False}
    for convergence, look, (x, y), height in zip(runs, looks, ends, heights, strict=True):
        own: dict[str, Any] = {"color": look.colour, **free}
        axes.plot([x, 1.0, 1.03], [y, y, height], linewidth=0.5, alpha=0.7, **own)
        axes.plot([1.03, 1.085], [height] * 2, linestyle=look.stroke, linewidth=THIN, **own)
        axes.plot([1.0575], [height], marker=look.marker, markersize=3.5, **own)
        axes.text(1.095, height, label(convergence.name), fontsize=NAME, va="center", **free)
