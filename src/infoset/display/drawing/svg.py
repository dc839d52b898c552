"""A scene as SVG: well-formed XML by hand, one element a mark, readable wherever SVG is.

Every element has its light colour as an attribute. With the theme "auto" a style sheet says what
these are on dark paper, for readers who prefer it and programs that know style sheets; all others
see the light one. The picture brings its paper along, so it reads on any page.

Elements have their tag as ``class``, ``data-node`` and ``data-infoset``, and its hint as a title.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from infoset.display.drawing.scene import (
    AUTO,
    DARK,
    LIGHT,
    THEMES,
    Capsule,
    Disc,
    Mark,
    Scene,
    Stroke,
    TextLine,
    Triangle,
)

FONTS = "Helvetica Neue, Helvetica, Arial, Liberation Sans, Nimbus Sans, sans-serif"
DASHES = "5 3.5"


def svg(scene: Scene, theme: str = AUTO) -> str:
    """The scene as the text of an SVG file.

    >>> from infoset.display.drawing.scene import Scene
    >>> print(svg(Scene(20, 10, (), "nothing"), "light"))
    <svg xmlns="http://www.w3.org/2000/svg" class="infoset-drawing" ...
    <title>nothing</title>
    <rect class="paper" fill="#FFFFFF" width="20" height="10"/>
    </svg>
    """
    return "\n".join(_lines(scene, theme)) + "\n"


def _lines(scene: Scene, theme: str) -> Iterator[str]:
    ink = _Ink(theme)
    wide, tall = _number(scene.width), _number(scene.height)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="infoset-drawing" width="{wide}"'
        f' height="{tall}" viewBox="0 0 {wide} {tall}" role="img" font-family="{FONTS}"'
        ' style="max-width:100%;height:auto">'
    )
    yield f"<title>{escape(scene.title)}</title>"
    if theme == AUTO:
        yield f"<style>{_dark_sheet()}</style>"
    yield f'<rect {ink.paint("paper", fill="paper")} width="{wide}" height="{tall}"/>'
    for mark in scene.marks:
        yield from _elements(mark, ink)
    yield "</svg>"


def _dark_sheet() -> str:
    """What changes on dark paper."""
    rules = "".join(
        f".infoset-drawing .f-{role}{{fill:{colour}}}.infoset-drawing .s-{role}{{stroke:{colour}}}"
        for role, colour in THEMES[DARK].items()
    )
    return f"@media (prefers-color-scheme: dark){{{rules}}}"


class _Ink:
    """Colours as attributes, and as classes where a style sheet may change them."""

    def __init__(self, theme: str) -> None:
        self.classes = theme == AUTO
        self.colours = THEMES[LIGHT if theme == AUTO else theme]

    def paint(self, kind: str, fill: str | None = None, stroke: str | None = None) -> str:
        """The class and colours of an element."""
        names = [kind]
        names += [f"f-{fill}"] if self.classes and fill else []
        names += [f"s-{stroke}"] if self.classes and stroke else []
        filled = self.colours[fill] if fill else "none"
        line = f' stroke="{self.colours[stroke]}"' if stroke else ""
        return f'class="{" ".join(names)}" fill="{filled}"{line}'


def _elements(mark: Mark, ink: _Ink) -> Iterator[str]:
    """A mark as XML; a rim of paper, where it has one, as an element before it."""
    tag = mark.tag
    data = f' data-node="{tag.node}"' if tag.node is not None else ""
    data += f' data-infoset="{tag.infoset}"' if tag.infoset is not None else ""
    hint = f"<title>{escape(tag.hint)}</title>" if tag.hint else ""
    if isinstance(mark, TextLine):
        hint = hint if tag.hint != mark.text else ""
        if mark.halo:
            yield _paper_behind(mark, ink)
        style = ' font-weight="bold"' * mark.bold + ' font-style="italic"' * mark.italic
        anchor = f' text-anchor="{mark.anchor}"' if mark.anchor != "start" else ""
        yield (
            f'<text {ink.paint(tag.kind, fill=mark.role)} x="{_number(mark.at[0])}"'
            f' y="{_number(mark.at[1])}" font-size="{_number(mark.size)}"{anchor}{style}{data}>'
            f"{hint}{escape(mark.text)}</text>"
        )
        return
    if isinstance(mark, Stroke) and mark.halo:
        rim = ink.paint("halo", stroke="paper")
        yield f'<path {rim} d="{_path(mark)}" stroke-width="{_number(mark.width + 3)}"/>'
    name, shape = _shape(mark, ink)
    yield f"<{name} {shape}{data}>{hint}</{name}>" if hint else f"<{name} {shape}{data}/>"


def _paper_behind(mark: TextLine, ink: _Ink) -> str:
    left, top, right, bottom = mark.behind
    return (
        f'<rect {ink.paint("halo", fill="paper")} x="{_number(left)}" y="{_number(top)}"'
        f' width="{_number(right - left)}" height="{_number(bottom - top)}"/>'
    )


def _shape(mark: Mark, ink: _Ink) -> tuple[str, str]:
    """The name of an element and its attributes."""
    kind = mark.tag.kind
    if isinstance(mark, Disc):
        x, y = map(_number, mark.centre)
        return "circle", f'{ink.paint(kind, fill=mark.role)} cx="{x}" cy="{y}" r="{mark.radius:g}"'
    if isinstance(mark, Stroke):
        dashes = f' stroke-dasharray="{DASHES}"' if mark.dashed else ""
        return "path", (
            f'{ink.paint(kind, stroke=mark.role)} d="{_path(mark)}"'
            f' stroke-width="{mark.width:g}" stroke-linejoin="round"{dashes}'
        )
    if isinstance(mark, Triangle):
        corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in mark.points)
        paint = ink.paint(kind, fill=mark.role)
        return "polygon", f'{paint} fill-opacity="0.35" points="{corners}"'
    left, top, right, bottom = mark.box
    place = (
        f'x="{_number(left)}" y="{_number(top)}" width="{_number(right - left)}"'
        f' height="{_number(bottom - top)}"'
    )
    if isinstance(mark, Capsule):
        paint = ink.paint(kind, fill=mark.role, stroke=mark.role)
        return "rect", (
            f'{paint} fill-opacity="0.1" stroke-width="1.2" rx="{_number(mark.radius)}" {place}'
        )
    return "rect", f"{ink.paint(kind, fill=mark.role)} {place}"


def _path(mark: Stroke) -> str:
    spots = [f"{_number(x)} {_number(y)}" for x, y in mark.points]
    if not mark.curved:
        return "M" + " L".join(spots)
    arcs = (" ".join(spots[at : at + 3]) for at in range(1, len(spots), 3))
    return f"M{spots[0]} " + " ".join(f"C{arc}" for arc in arcs)


def _number(value: float) -> str:
    """A length in few characters."""
    return f"{value:.1f}".removesuffix(".0")
