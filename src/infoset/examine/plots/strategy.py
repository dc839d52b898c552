"""A strategy as a picture: the probability of each action against what is known in private.

One panel for each public history. Where what is private has an order, as ranks of cards have, the
probabilities are joined by lines, as in Koller & Pfeffer 1997, figures 17 and 18; otherwise they
stand as bars. Where nothing is private, the bars are the actions themselves.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from infoset.errors import ParameterError
from infoset.examine.panels import Panel, Panels
from infoset.examine.plots.style import WIDTH, colour, label, marker, new_figure, styled

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
TITLE = 31  # signs of a title in one line
KINDS = ("auto", "lines", "bars", "areas")


def plot_strategies(
    players: Sequence[Panels], *, title: str, kind: str = "auto", theme: str = "light"
) -> Figure:
    """A figure with the panels of one player or of several, one below the other.

    ``kind`` is ``"lines"``, ``"bars"``, ``"areas"``, or ``"auto"`` for what suits each panel.
    """
    if kind not in KINDS:
        raise ParameterError(f"kind={kind!r}: a plot has {', '.join(map(repr, KINDS))}")
    shown = [panels for panels in players if panels.shown]
    rows = [-(-len(panels.shown) // ACROSS) for panels in shown]
    with styled(theme):
        figure = new_figure(WIDTH, 0.75 + sum(TALL * count + 0.65 for count in rows))
        figure.suptitle(label(title, 90), x=0.01, ha="left", fontweight="bold")
        if not shown:
            figure.text(0.5, 0.4, "nothing to choose", ha="center")
            return figure
        blocks = figure.subfigures(len(shown), 1, height_ratios=[TALL * n + 0.65 for n in rows])
        for panels, block in zip(shown, np.atleast_1d(np.array(blocks, object)), strict=True):
            _player(block, panels, kind, theme)
    return figure


def _player(block: SubFigure, panels: Panels, kind: str, theme: str) -> None:
    """All panels of one player, with one legend."""
    across = max(2, min(ACROSS, len(panels.shown)))
    rows = -(-len(panels.shown) // across)
    axes = block.subplots(rows, across, sharey=True, squeeze=False).flatten().tolist()
    block.suptitle(label(_heading(panels), 90), x=0.01, ha="left", fontsize=10)
    actions = list(dict.fromkeys(one for panel in panels.shown for one in panel.actions))
    hues = {action: number for number, action in enumerate(actions)}
    for at, (axis, panel) in enumerate(zip(axes, panels.shown, strict=False)):
        _panel(axis, panel, hues, kind, theme)
        axis.tick_params(labelleft=True)
        if at % across == 0:
            axis.set_ylabel("probability")
        if len(panel.names) > 1 and at + across >= len(panels.shown):
            axis.set_xlabel(f"known to {label(panel.player, 20)} alone")
    for axis in axes[len(panels.shown) :]:
        axis.remove()
    drawn: dict[str, Artist] = {}
    for axis in axes[: len(panels.shown)]:
        drawn |= dict(zip(*reversed(axis.get_legend_handles_labels()), strict=True))
    names = [name for name in map(_named, actions) if name in drawn][:MOST_NAMED]
    if names:
        handles = [drawn[name] for name in names]
        lines = -(-len(names) // MOST_IN_LINE)
        block.legend(handles, names, loc="outside lower center", ncols=-(-len(names) // lines))


def _heading(panels: Panels) -> str:
    left = panels.count - len(panels.shown)
    return panels.player + (
        f": the {len(panels.shown)} likeliest of {panels.count:,} public histories" if left else ""
    )


def _panel(axis: Axes, panel: Panel, hues: dict[str, int], kind: str, theme: str) -> None:
    axis.set_title(_title(panel), fontsize=8.5)
    axis.set_ylim(-0.04, 1.06)
    axis.set_yticks([0, 0.5, 1])
    axis.grid(axis="x", visible=False)
    if len(panel.names) == 1:
        _actions(axis, panel, hues, theme)
        return
    if kind == "auto":
        whole = not np.isnan(panel.shares).any()
        in_order = panel.ordered and len(panel.names) > 2 and whole
        kind = "lines" if in_order or len(panel.names) > MANY_NAMES else "bars"
        kind = "areas" if len(panel.names) > CROWD else kind
    {"lines": _lines, "bars": _bars, "areas": _areas}[kind](axis, panel, hues, theme)
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


def _lines(axis: Axes, panel: Panel, hues: dict[str, int], theme: str) -> None:
    places = np.arange(len(panel.names))
    for column, action in enumerate(panel.actions):
        axis.plot(
            places,
            panel.shares[:, column],
            color=colour(hues[action], theme),
            marker=marker(hues[action]) if len(places) <= CROWD else "",
            label=_named(action),
            clip_on=False,
        )


def _areas(axis: Axes, panel: Panel, hues: dict[str, int], theme: str) -> None:
    """Probabilities stacked, from the last action at the bottom to the first on top."""
    places = np.arange(len(panel.names))
    floor = np.zeros(len(places))
    for column in reversed(range(len(panel.actions))):
        action, share = panel.actions[column], np.nan_to_num(panel.shares[:, column])
        hue = colour(hues[action], theme)
        name = _named(action)
        axis.bar(places, share, 1.0, floor, color=hue, label=name, linewidth=0)
        floor += share


def _bars(axis: Axes, panel: Panel, hues: dict[str, int], theme: str) -> None:
    places = np.arange(len(panel.names))
    wide = 0.8 / len(panel.actions)
    for column, action in enumerate(panel.actions):
        axis.bar(
            places + (column - (len(panel.actions) - 1) / 2) * wide,
            panel.shares[:, column],
            wide * 0.92,
            color=colour(hues[action], theme),
            label=_named(action),
        )


def _actions(axis: Axes, panel: Panel, hues: dict[str, int], theme: str) -> None:
    """Nothing is private: a bar for each action, with its name below."""
    places = np.arange(len(panel.actions))
    hue = [colour(hues[action], theme) for action in panel.actions]
    axis.bar(places, panel.shares[0], 0.6, color=hue)
    axis.set_xlim(-0.7, max(len(places) - 0.3, 1.7))
    _names(axis, panel.actions)


def _names(axis: Axes, names: Sequence[str]) -> None:
    """Names below the axis, as many as fit, upright if they are long."""
    step = -(-len(names) // MANY_NAMES)
    at = list(range(0, len(names), step))
    shown = [label(names[place], 18) for place in at]
    axis.set_xticks(at, shown)
    crowded = sum(len(name) + 1 for name in shown) > 34
    if crowded:
        axis.tick_params(axis="x", labelrotation=90 if len(shown) > 6 else 30)
        if len(shown) <= 6:
            for tick in axis.get_xticklabels():
                tick.set_horizontalalignment("right")
                tick.set_rotation_mode("anchor")
