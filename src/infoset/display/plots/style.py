"""The style that all plots share, how they are written to files, and matplotlib underneath.

A figure is made inside :func:`styled`, by :func:`new_figure`, and written by :func:`save_figure`.
Nothing depends on the user's settings, and no global state is changed: the settings hold inside the
context, and figures are made without pyplot, so that no list of open figures and no window system
is involved. Colours are those of Okabe and Ito (2008, *Color universal design*), which colour-blind
people can distinguish; a marker goes with each, for print in grey.

Texts are never read as formulas, and never given to LaTeX: labels with ``$`` or ``_`` are shown as
they are. The one formula that matplotlib would write itself, powers of ten, is written by
:func:`logarithmic` in plain characters.

matplotlib is imported when the first figure is made, and not before.
"""

from __future__ import annotations

import contextlib
import io
import logging
import math
import os
import sys
import unicodedata
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infoset.errors import FileError, InfosetError, ParameterError, nearest
from infoset.files import as_path, write_bytes
from infoset.text import label_text, printable, text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure


def plain_matplotlib() -> Any:
    """matplotlib, whatever surrounds it: without its chatter, and without asking for a backend.

    Where the user's settings ask for a backend that is none, it could not even be imported; here
    figures are only written, and need none.
    """
    with _quiet():
        try:
            return _imported()
        except ImportError:
            raise InfosetError(
                "pictures need matplotlib, which is not installed: pip install matplotlib"
            ) from None


def _imported() -> Any:
    try:
        import matplotlib
    except ValueError:  # the backend that the user's environment asks for
        for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
            del sys.modules[name]
        asked = os.environ.pop("MPLBACKEND", None)
        try:
            import matplotlib
        finally:
            if asked is not None:
                os.environ["MPLBACKEND"] = asked
    import matplotlib.backends.backend_agg
    import matplotlib.figure

    return matplotlib


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without what matplotlib has to say about folders that it cannot write to."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


@contextlib.contextmanager
def own_settings(**settings: Any) -> Iterator[None]:
    """Matplotlib with these settings and its defaults, whatever the user's own are."""
    matplotlib = plain_matplotlib()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"text.parse_math": False, "text.usetex": False, **settings})
        yield


OKABE_ITO = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "sky": "#56B4E9",
    "purple": "#CC79A7",
    "black": "#000000",
    "yellow": "#F0E442",
}
ORDER = ("blue", "vermilion", "green", "orange", "purple", "sky")  # read on both papers
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
WIDTH = 7.2  # inches: a page without its margins
FORMATS = ("png", "svg", "pdf")
LONG = 32  # characters of a label that are shown

_INKS = {  # by theme: paper, ink, and what should not catch the eye
    "light": ("#FFFFFF", "#1A1A1A", "#D9D9D9"),
    "dark": ("#16181D", "#E6E6E6", "#3A3F47"),
}


def colour(number: int, theme: str = "light") -> str:
    """The colour of a line by its number; after the last comes the first again.

    >>> colour(0), colour(1), colour(6) == colour(0)
    ('#0072B2', '#D55E00', True)

    On dark paper the darkest, blue, changes places with its lighter sister.

    >>> colour(0, "dark")
    '#56B4E9'
    """
    name = ORDER[number % len(ORDER)]
    if theme == "dark":
        name = {"blue": "sky", "sky": "blue"}.get(name, name)
    return OKABE_ITO[name]


def marker(number: int) -> str:
    """The marker of a line by its number."""
    return MARKERS[number % len(MARKERS)]


def width(words: str) -> float:
    """How wide a text is, in characters of ordinary width.

    >>> width("bet"), width("WM"), width("模")
    (3.0, 3.0, 2.0)
    """
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in words)
    return len(words) + wide + 0.5 * sum(map(words.count, "WMmw@%—"))


def label(value: object, most: int = LONG) -> str:
    r"""Whatever a game calls something, as one short line that breaks nothing.

    >>> label("bet"), label(("K♠", 3)), label("two\nlines"), label("")
    ('bet', 'K♠ 3', 'two lines', '“”')
    >>> label("x" * 1_000_000 + "yz", most=8)
    'xxxxx…yz'

    matplotlib leaves out of its legends what begins with ``_``; a blank before it helps.
    """
    whole = text(value)
    words = label_text(whole, most)
    signs = most
    while width(words) > most and signs > 3:
        signs -= 1
        words = label_text(whole, signs)
    return words or "“”"


@contextlib.contextmanager
def styled(theme: str = "light") -> Iterator[None]:
    """Make figures that look like the others, on ``"light"`` or ``"dark"`` paper."""
    if theme not in _INKS:
        raise ParameterError(f"theme={theme!r}: there is no such paper; {nearest(theme, _INKS)}")
    matplotlib = plain_matplotlib()
    paper, ink, faint = _INKS[theme]
    settings: dict[str, Any] = {
        **{f"{part}.facecolor": paper for part in ("figure", "axes")},
        **dict.fromkeys(("text.color", "axes.labelcolor", "axes.titlecolor"), ink),
        **{f"{axis}tick.{part}": ink for axis in "xy" for part in ("color", "labelcolor")},
        **{f"axes.spines.{side}": False for side in ("top", "right")},
        "axes.edgecolor": ink,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.linewidth": 0.8,
        "axes.labelsize": 9,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.formatter.useoffset": False,
        "grid.color": faint,
        "grid.linewidth": 0.6,
        "font.family": ["DejaVu Sans"],  # comes with matplotlib, and knows the suits of cards
        "font.size": 9,
        "figure.titlesize": 11,
        "figure.constrained_layout.h_pad": 0.08,
        "legend.fontsize": 8.5,
        "legend.frameon": False,
        "legend.handletextpad": 0.5,
        "lines.linewidth": 1.4,
        "lines.markersize": 4.5,
        "axes.prop_cycle": matplotlib.cycler(color=[colour(n, theme) for n in range(len(ORDER))]),
    }
    with own_settings(**settings):
        yield


def new_figure(width: float = WIDTH, height: float = 4.0, *, dpi: int = 160) -> Figure:
    """An empty figure, in inches; its parts are laid out so that nothing overlaps."""
    plain_matplotlib()  # refuses in one line where there is none
    return _shown_figure()(figsize=(width, height), dpi=dpi, layout="constrained")


@cache
def _shown_figure() -> type[Figure]:
    """The class of figures that show themselves in a notebook without pyplot."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        """A figure as the last line of a cell."""

        def _repr_png_(self) -> bytes:
            return drawn_figure(self, "png")

    return ShownFigure


def logarithmic(axis: Axis) -> None:
    """Make an axis logarithmic, its powers of ten in plain characters.

    Where less than a power of ten is in sight, the numbers between are written as well.
    """
    from matplotlib.ticker import FuncFormatter, LogFormatter, LogLocator

    class _Between(LogFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return power_of_ten(x) if super().__call__(x, pos) else ""

    axis.axes.set(**{f"{axis.axis_name}scale": "log"})  # type: ignore[attr-defined]
    axis.set_major_locator(LogLocator(numticks=8))
    axis.set_major_formatter(FuncFormatter(lambda x, _: power_of_ten(x)))
    axis.set_minor_formatter(_Between(minor_thresholds=(1.0, 0.4)))


def power_of_ten(number: float) -> str:
    """A number as a tick of a logarithmic axis says it.

    >>> [power_of_ten(number) for number in (1000, 0.01, 1e6, 1e-9, 2e-7, 30_000)]
    ['1,000', '0.01', '10⁶', '10⁻⁹', '2·10⁻⁷', '30,000']
    """
    if number <= 0 or not math.isfinite(number):
        return ""
    power = math.floor(math.log10(number) + 1e-9)
    if -3 <= power <= 5:
        return f"{number:,.0f}" if power >= 0 and number == round(number) else f"{number:.4g}"
    front = f"{number / 10.0**power:.3g}"
    raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}" if front == "1" else f"{front}·10{raised}"


def legend(axes: Axes, **options: Any) -> list[Any]:
    """A legend, if there is more than one entry; its handles."""
    if len(axes.get_legend_handles_labels()[1]) < 2:
        return []
    return list(axes.legend(**options).legend_handles)


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format that the name ends in: png, svg or pdf.

    The file is complete or as it was before, and the same figure makes the same SVG.
    """
    form = plot_format(path)
    write_bytes(path, [drawn_figure(figure, form)])


def plot_format(path: str | Path) -> str:
    """The format of a picture by its file's name; refused where there is none or no folder."""
    place = as_path(path)
    form = place.suffix.lower().removeprefix(".")
    name = printable(str(path))
    if form not in FORMATS:
        raise FileError(f"{name}: a plot is written to a file that ends in .png, .svg or .pdf")
    if "\0" in str(path) or not place.parent.is_dir():
        raise FileError(f"{name}: there is no folder {printable(str(place.parent))}")
    if place.is_dir():
        raise FileError(f"{name}: this is a folder; name a file")
    return form


def drawn_figure(figure: Figure, form: str) -> bytes:
    """A figure as the bytes of a file."""
    settings = {
        "svg.hashsalt": "infoset",  # names inside the file follow from what is in it
        "svg.fonttype": "none",  # text stays text: it can be searched, and read aloud
        "pdf.fonttype": 42,
    }
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}[form]
    written = io.BytesIO()
    with own_settings(**settings), warnings.catch_warnings():
        # A sign that no font has is drawn as a box, which says enough.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(
            written, format=form, facecolor=figure.get_facecolor(), metadata=undated, dpi="figure"
        )
    return written.getvalue()
