"""A strategy as a picture: the probability of each action against what is known in private.

One panel for each public history. Where what is private has an order, as ranks of cards have, or
where bars would be too many, the probabilities are joined by lines, as in Koller & Pfeffer 1997,
figures 17 and 18; otherwise they stand as bars, and of a crowd areas are stacked. Where nothing is
private, the bars are the actions themselves.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from infoset.analysis.strategy_tables import Floats, Panel, Panels
from infoset.display.plots.style import (
    ORDER,
    WIDTH,
    colour,
    label,
    marker,
    new_figure,
    styled,
    width,
)
from infoset.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

ACROSS = 3  # panels side by side
TALL = 2.15  # inches of a row of panels
MANY_NAMES = 16  # above, only some of them are written below the axis
MOST_NAMED = 18  # actions in a legend
MOST_IN_LINE = 6
CROWD = 40  # above, lines would hide each other, and areas are stacked instead
TITLE = 31  # characters of a title in one line
SIGN = 0.082  # inches of a sign of ordinary width
NAME = 14  # characters of a name below an axis
IN_A_ROW = 34  # characters that fit below one
SUITS = "♠♥♦♣"  # characters that are twice as wide as others
ALONE = 0.6  # of the width of a page, where there is one panel
FEW_ACTIONS = 6  # that are all drawn, also if they are never taken
SELDOM = 0.001
LINES = ("-", "--", ":")  # by how often the colours have been gone through
HATCHES = ("", "///", "...")
KINDS = ("auto", "lines", "bars", "areas")


def plot_strategies(
    players: Sequence[Panels], *, title: str, kind: str = "auto", theme: str = "light"
) -> Figure:
    """A figure with the panels of one player or of several, one below the other.

    ``kind`` is ``"lines"``, ``"bars"``, ``"areas"``, or ``"auto"`` for what suits each panel. The
    ``title`` stands above them, if it is not empty.
    """
    if kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: a plot has {', '.join(map(repr, KINDS))}")
    shown = [panels for panels in players if panels.shown]
    alone = all(len(panels.shown) == 1 for panels in shown)
    wide = WIDTH * ALONE if alone else WIDTH
    looks = _looks([panel for panels in shown for panel in panels.shown], theme)
    heights = [_height(panels, looks, wide) for panels in shown]
    with styled(theme):
        figure = new_figure(wide, (0.85 if title else 0.45) + sum(heights))
        if title:
            heading = label(title, int(wide / SIGN) - 16)
            figure.suptitle(heading, x=0.01, ha="left", fontweight="bold")
        if not shown:
            figure.text(0.5, 0.4, "nothing to choose", ha="center")
            return figure
        blocks = figure.subfigures(len(shown), 1, height_ratios=heights)
        for panels, block in zip(shown, np.atleast_1d(np.array(blocks, object)), strict=True):
            _player(block, panels, kind, looks, wide)
    return figure


def _height(panels: Panels, looks: dict[str, Look], inches: float) -> float:
    """The inches that a player's panels take, with upright names and the legend below them."""
    across = 1 if inches < WIDTH else _across(panels)
    upright = max((_upright(_below(panel, looks)) for panel in panels.shown), default=0.0)
    legend = 0.2 * (-(-len(looks) // _in_line(list(looks), inches)))
    return -(-len(panels.shown) // across) * (TALL + upright) + 0.55 + legend


def _below(panel: Panel, looks: dict[str, Look]) -> Sequence[str]:
    """What is written below the axis of a panel."""
    return panel.names if panel.private else [one for one in panel.actions if one in looks]


def _upright(names: Sequence[str]) -> float:
    """The inches that names need more if they do not fit side by side."""
    shown = [label(name, NAME) for name in names[:: -(-len(names) // MANY_NAMES) or 1]]
    return 0.8 * SIGN * max(map(width, shown), default=0.0) if _crowded(shown) else 0.0


def _crowded(names: Sequence[str]) -> bool:
    suits = sum(name.count(suit) for name in names for suit in SUITS)
    return sum(width(name) + 1 for name in names) + suits > IN_A_ROW


def _in_line(names: Sequence[str], inches: float) -> int:
    """How many entries of a legend fit side by side."""
    widest = max((width(_named(name)) for name in names), default=1.0)
    return max(1, min(MOST_IN_LINE, int(inches / (0.6 + SIGN * widest))))


def _across(panels: Panels) -> int:
    """How many panels stand side by side; a single one does not take the whole page."""
    return max(2, min(ACROSS, len(panels.shown)))


class Look(NamedTuple):
    """How an action is drawn, in all panels alike."""

    colour: str
    marker: str
    line: str
    hatch: str


def _looks(panels: Sequence[Panel], theme: str) -> dict[str, Look]:
    """By action; where there are many, only of those that are ever taken."""
    often: dict[str, float] = {}
    for panel in panels:
        for action, probabilities in zip(panel.actions, panel.probabilities.T, strict=True):
            often[action] = max(often.get(action, 0.0), float(np.nan_to_num(probabilities).max()))
    if len(often) > FEW_ACTIONS:
        often = {action: most for action, most in often.items() if most > SELDOM} or often
    return {
        action: Look(
            colour(number, theme),
            marker(number),
            LINES[number // len(ORDER) % len(LINES)],
            HATCHES[number // len(ORDER) % len(HATCHES)],
        )
        for number, action in enumerate(often)
    }


def _player(
    block: SubFigure, panels: Panels, kind: str, looks: dict[str, Look], inches: float
) -> None:
    """All panels of one player, with one legend."""
    across = 1 if inches < WIDTH else _across(panels)
    rows = -(-len(panels.shown) // across)
    axes = block.subplots(rows, across, sharey=True, squeeze=False).flatten().tolist()
    block.suptitle(
        label(_heading(panels, looks), int(inches / SIGN) - 8), x=0.01, ha="left", fontsize=10
    )
    for at, (axis, panel) in enumerate(zip(axes, panels.shown, strict=False)):
        _panel(axis, panel, looks, kind)
        axis.tick_params(labelleft=True)
        if at % across == 0:
            axis.set_ylabel("probability")
        if panel.private and at + across >= len(panels.shown):
            axis.set_xlabel(f"known to {label(panel.player, 20)} alone")
    for axis in axes[len(panels.shown) :]:
        axis.remove()
    drawn: dict[str, Artist] = {}
    for axis in axes[: len(panels.shown)]:
        drawn |= dict(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
    names = [name for name in map(_named, looks) if name in drawn][:MOST_NAMED]
    if names:
        handles = [drawn[name] for name in names]
        lines = -(-len(names) // _in_line(names, inches))
        block.legend(handles, names, loc="outside lower center", ncols=-(-len(names) // lines))


def _heading(panels: Panels, looks: dict[str, Look]) -> str:
    left = panels.count - len(panels.shown)
    words = panels.player
    if left:
        words += f": the {len(panels.shown)} likeliest of {panels.count:,} public histories"
    idle = {one: None for panel in panels.shown for one in panel.actions if one not in looks}
    return f"{words}; never: {', '.join(idle)}" if idle else words


def _panel(axis: Axes, panel: Panel, looks: dict[str, Look], kind: str) -> None:
    axis.set_title(_title(panel), fontsize=8.5)
    axis.set_ylim(-0.04, 1.06)
    axis.set_yticks([0, 0.5, 1])
    axis.grid(axis="x", visible=False)
    if not panel.private:
        _actions(axis, panel, looks)
        return
    if kind == "auto":
        whole = not np.isnan(panel.probabilities).any()
        in_order = panel.ordered and len(panel.names) > 2 and whole
        kind = "lines" if in_order or len(panel.names) > MANY_NAMES else "bars"
        kind = "areas" if len(panel.names) > CROWD else kind
    {"lines": _lines, "bars": _bars, "areas": _areas}[kind](axis, panel, looks)
    _names(axis, panel.names)


def _title(panel: Panel) -> str:
    """What is public, in two lines at most; of a long history the end is what matters."""
    never = "" if panel.reach.any() else " (never reached)"
    words = label(panel.title, 10_000)
    room = 2 * TITLE - 4 - len(never)
    if len(words) > room:
        words = "… " + words[-room:].partition(" ")[2]
    return "\n".join(textwrap.wrap(words + never, TITLE))


def _named(action: str) -> str:
    """An action in the legend, which leaves out what begins with a low line."""
    name = label(action)
    return f" {name}" if name.startswith("_") else name


def _taken(panel: Panel, looks: dict[str, Look]) -> list[tuple[str, Floats, Look]]:
    """The actions that are drawn, with their probabilities."""
    columns = zip(panel.actions, panel.probabilities.T, strict=True)
    return [
        (action, probabilities, looks[action])
        for action, probabilities in columns
        if action in looks
    ]


def _lines(axis: Axes, panel: Panel, looks: dict[str, Look]) -> None:
    many = len(panel.names) > CROWD
    places = np.insert(np.arange(len(panel.names), dtype=np.float64), panel.breaks, np.nan)
    for action, probabilities, look in _taken(panel, looks):
        axis.plot(
            places,
            np.insert(probabilities, panel.breaks, np.nan),  # where a line is interrupted
            color=look.colour,
            linestyle=look.line,
            marker="" if many else look.marker,
            label=_named(action),
            clip_on=False,
        )


def _areas(axis: Axes, panel: Panel, looks: dict[str, Look]) -> None:
    """Probabilities stacked, from the last action at the bottom to the first on top.

    An area is one shape with steps: a thousand bars take matplotlib a second.
    """
    edges = np.arange(len(panel.names) + 1) - 0.5
    floor = np.zeros(len(edges))
    for action, probabilities, look in reversed(_taken(panel, looks)):
        share = np.nan_to_num(probabilities)
        top, name = floor + np.append(share, share[-1]), _named(action)
        axis.fill_between(
            edges, floor, top, step="post", color=look.colour, label=name, linewidth=0
        )
        floor = top


def _bars(axis: Axes, panel: Panel, looks: dict[str, Look]) -> None:
    places = np.arange(len(panel.names))
    taken = _taken(panel, looks)
    wide = 0.8 / max(1, len(taken))
    for column, (action, probabilities, look) in enumerate(taken):
        axis.bar(
            places + (column - (len(taken) - 1) / 2) * wide,
            probabilities,
            wide * 0.92,
            color=look.colour,
            hatch=look.hatch,
            label=_named(action),
        )


def _actions(axis: Axes, panel: Panel, looks: dict[str, Look]) -> None:
    """Nothing is private: a bar for each action, with its name below."""
    taken = _taken(panel, looks)
    places = np.arange(len(taken))
    hues = [look.colour for *_, look in taken]
    axis.bar(places, [probabilities[0] for _, probabilities, _ in taken], 0.6, color=hues)
    axis.set_xlim(-0.7, max(len(places) - 0.3, 1.7))
    _names(axis, [action for action, *_ in taken])


def _names(axis: Axes, names: Sequence[str]) -> None:
    """Names below the axis, as many as fit, upright if they are long."""
    step = -(-len(names) // MANY_NAMES)
    at = list(range(0, len(names), step))
    shown = [label(names[place], NAME) for place in at]
    axis.set_xticks(at, shown)
    if _crowded(shown):
        axis.tick_params(axis="x", labelrotation=90 if len(shown) > 6 else 30)
        if len(shown) <= 6:
            for tick in axis.get_xticklabels():
                tick.set_horizontalalignment("right")
                tick.set_rotation_mode("anchor")
