"""A scene as PNG or PDF, painted by matplotlib, which is loaded only here and only when called.

One pixel of the scene is 1/96 inch; a PNG has twice as many of its own each way, or fewer where
that would be too many: down to one for one, below which words could not be read.
"""

from __future__ import annotations

import io
import math
import warnings
from typing import TYPE_CHECKING, Any

from infoset.display.drawing.scene import (
    LIGHT,
    THEMES,
    Capsule,
    Disc,
    Mark,
    Scene,
    Square,
    Stroke,
    TextLine,
)
from infoset.display.plots.style import own_settings
from infoset.errors import TooLarge

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCH = 96.0  # pixels
POINT = 0.75  # points to a pixel, of which an inch has 72
FINE = 2.0  # pixels of a bitmap to one of the scene
MOST_SIDE, MOST_PIXELS = 12_000.0, 60e6  # of a bitmap
FONT = "DejaVu Sans"  # comes with matplotlib, so that every machine paints the same
NARROWER = 0.9  # it is wider than the faces that the layout reckons with


def paint(scene: Scene, kind: str, theme: str = LIGHT) -> bytes:
    r"""The bytes of a file of this kind, "png" or "pdf".

    >>> paint(Scene(20, 10, (), "nothing"), "png")[:4]
    b'\x89PNG'
    """
    fine = pixels_per_unit(scene) if kind == "png" else FINE
    with own_settings():
        return _painted(scene, kind, dict(THEMES[theme]), fine)


def _painted(scene: Scene, kind: str, colours: dict[str, str], fine: float) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(scene.width / INCH, scene.height / INCH), facecolor=colours["paper"])
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.axis("off")
    for height, mark in enumerate(scene.marks):
        _add(axes, mark, colours, float(height))
    file = io.BytesIO()
    # Without a date, the same drawing makes the same file.
    metadata: dict[str, Any] = {"CreationDate": None} if kind == "pdf" else {"Software": None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # characters missing in the font are painted as boxes
        figure.savefig(
            file, format=kind, dpi=INCH * fine, facecolor=colours["paper"], metadata=metadata
        )
    return file.getvalue()


def pixels_per_unit(scene: Scene) -> float:
    """How many pixels of a bitmap there are to one of the scene, each way.

    >>> page, strip = Scene(900, 600, (), "a page"), Scene(900, 10_000, (), "a long strip")
    >>> pixels_per_unit(page), pixels_per_unit(strip)
    (2.0, 1.2)
    """
    side, area = max(scene.width, scene.height, 1.0), max(scene.width * scene.height, 1.0)
    fine = min(FINE, MOST_SIDE / side, math.sqrt(MOST_PIXELS / area))
    if fine < 1:
        raise TooLarge(
            f"{scene.title[:60] or 'a drawing'}: {scene.width:,.0f} by {scene.height:,.0f} pixels"
            " are too many for a PNG; save it as .svg or .pdf, or draw less (most=, fold=)"
        )
    return fine


def _add(axes: Axes, mark: Mark, colours: dict[str, str], height: float) -> None:
    colour = colours[mark.role]
    if isinstance(mark, TextLine):
        _write(axes, mark, colours, height)
    elif isinstance(mark, Stroke):
        _draw(axes, mark, colours, height)
    else:
        axes.add_artist(_patch(mark, colour, height))


def _write(axes: Axes, mark: TextLine, colours: dict[str, str], height: float) -> None:
    from matplotlib.patches import Rectangle

    if mark.halo:
        left, top, right, bottom = mark.behind
        box = (left, top), right - left, bottom - top
        axes.add_artist(Rectangle(*box, color=colours["paper"], linewidth=0, zorder=height))
    axes.text(
        mark.at[0],
        mark.at[1],
        mark.text,
        color=colours[mark.role],
        fontsize=mark.size * POINT * NARROWER,
        fontfamily=FONT,
        fontweight="bold" if mark.bold else "normal",
        fontstyle="italic" if mark.italic else "normal",
        horizontalalignment={"start": "left", "middle": "center", "end": "right"}[mark.anchor],
        verticalalignment="baseline",
        parse_math=False,
        zorder=height + 0.5,
    )


def _draw(axes: Axes, mark: Stroke, colours: dict[str, str], height: float) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    later = Path.CURVE4 if mark.curved else Path.LINETO
    path = Path(list(mark.points), [Path.MOVETO] + [later] * (len(mark.points) - 1))
    common: dict[str, Any] = {"fill": False, "capstyle": "butt", "joinstyle": "round"}
    if mark.halo:
        wide = (mark.width + 3) * POINT
        rim = PathPatch(path, edgecolor=colours["paper"], linewidth=wide, zorder=height, **common)
        axes.add_artist(rim)
    width = mark.width * POINT
    dashes = (0, (5 * POINT / width, 3.5 * POINT / width)) if mark.dashed else "solid"
    colour = colours[mark.role]
    axes.add_artist(
        PathPatch(
            path,
            edgecolor=colour,
            linewidth=width,
            linestyle=dashes,
            zorder=height + 0.5,
            **common,
        )
    )


def _patch(mark: Any, colour: str, height: float) -> Any:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Circle, FancyBboxPatch, Polygon, Rectangle

    if isinstance(mark, Disc):
        return Circle(mark.centre, mark.radius, color=colour, linewidth=0, zorder=height)
    left, top, right, bottom = mark.box
    if isinstance(mark, Square):
        box = (left, top), right - left, bottom - top
        return Rectangle(*box, color=colour, linewidth=0, zorder=height)
    if isinstance(mark, Capsule):
        return FancyBboxPatch(
            (left, top),
            right - left,
            bottom - top,
            boxstyle=f"round,pad=0,rounding_size={mark.radius}",
            facecolor=to_rgba(colour, 0.1),
            edgecolor=colour,
            linewidth=1.2 * POINT,
            zorder=height,
        )
    return Polygon(list(mark.points), color=to_rgba(colour, 0.35), linewidth=0, zorder=height)
