r"""A scene as a ``tikzpicture``: for papers, with the package tikz and no other.

Lengths are pixels times a unit that makes the picture no wider than a page. Words are set in one
size and scaled, as the rest is: small sizes that a font does not have would be replaced.

Whatever a file has put into words is spelled out or escaped, so that it prints as itself;
characters beyond ASCII are left as they are (the document's font must have them), but for those
that mathematics has.
"""

from __future__ import annotations

from collections.abc import Iterator

from infoset.display.drawing.scene import (
    LIGHT,
    THEMES,
    Capsule,
    Disc,
    Mark,
    Point,
    Scene,
    Square,
    Stroke,
    TextLine,
    Triangle,
)

PIXEL = 0.75  # points
PAGE = 345.0  # points of a text's width, in an article as LaTeX sets it
LONGEST = 15_000.0  # points that TeX can count to, nearly
FONT_SIZE = 10  # points; every font has it, while small ones may be replaced by wider ones
EVERY_NODE = rf"inner sep=0pt, font=\fontsize{{{FONT_SIZE}}}{{12}}\sffamily\selectfont"

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "-": r"-{}",  # two of them would make a dash
    "`": r"`{}",
    "'": r"'{}",
    "?": r"?{}",
    "!": r"!{}",
    "−": r"$-$",
    "…": r"\dots{}",
    "×": r"$\times$",
    "→": r"$\to$",
    "♠": r"$\spadesuit$",
    "♥": r"$\heartsuit$",
    "♦": r"$\diamondsuit$",
    "♣": r"$\clubsuit$",
}
ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def tikz(scene: Scene, theme: str = LIGHT) -> str:
    r"""The scene as the text of a ``tikzpicture``.

    >>> print(tikz(Scene(200, 100, (), "nothing")))
    \begin{tikzpicture}[x=0.75pt, y=-0.75pt, line join=round]
    ...
    \end{tikzpicture}
    """
    return "\n".join(_lines(scene, theme)) + "\n"


def escaped(words: str) -> str:
    r"""A text as LaTeX that prints it.

    >>> print(escaped("50% of {a_b}"))
    50\% of \{a\_b\}
    """
    return "".join(SPECIAL.get(sign, sign) for sign in words)


def _lines(scene: Scene, theme: str) -> Iterator[str]:
    unit = min(PIXEL, PAGE / max(scene.width, 1.0), LONGEST / max(scene.height, 1.0))
    yield rf"\begin{{tikzpicture}}[x={unit:.4g}pt, y=-{unit:.4g}pt, line join=round]"
    yield rf"\tikzset{{every node/.style={{{EVERY_NODE}}}}}"
    for role, colour in THEMES[theme].items():
        yield rf"\definecolor{{infoset-{role}}}{{HTML}}{{{colour[1:]}}}"
    # On white paper there is nothing to paint, but the picture keeps its size.
    fill = r"\path" if theme == LIGHT else r"\fill[infoset-paper]"
    yield f"{fill} (0,0) rectangle {_at((scene.width, scene.height))};"
    for mark in scene.marks:
        yield from _commands(mark, unit)
    yield r"\end{tikzpicture}"


def _commands(mark: Mark, unit: float) -> Iterator[str]:
    colour = f"infoset-{mark.role}"
    if isinstance(mark, TextLine):
        if mark.halo:
            left, top, right, bottom = mark.behind
            yield rf"\fill[infoset-paper] {_at((left, top))} rectangle {_at((right, bottom))};"
        yield _node(mark, unit)
    elif isinstance(mark, Stroke):
        path = _path(mark)
        if mark.halo:
            yield rf"\draw[infoset-paper, line width={(mark.width + 3) * unit:.3g}pt] {path};"
        dashes = f", dash pattern=on {5 * unit:.3g}pt off {3.5 * unit:.3g}pt" * mark.dashed
        yield rf"\draw[{colour}, line width={mark.width * unit:.3g}pt{dashes}] {path};"
    elif isinstance(mark, Disc):
        yield rf"\fill[{colour}] {_at(mark.centre)} circle[radius={mark.radius * unit:.4g}pt];"
    elif isinstance(mark, Triangle):
        path = " -- ".join(map(_at, mark.points))
        yield rf"\fill[{colour}, fill opacity=0.35] {path} -- cycle;"
    else:
        yield _box(mark, colour, unit)


def _box(mark: Capsule | Square, colour: str, unit: float) -> str:
    left, top, right, bottom = mark.box
    corners = f"{_at((left, top))} rectangle {_at((right, bottom))}"
    if isinstance(mark, Square):
        return rf"\fill[{colour}] {corners};"
    # A hair less than half of the height: TikZ does not like corners to meet.
    rounded = f"rounded corners={0.99 * mark.radius * unit:.4g}pt"
    style = f"draw={colour}, fill={colour}, fill opacity=0.1, line width={1.2 * unit:.3g}pt"
    return rf"\path[{style}, {rounded}] {corners};"


def _node(mark: TextLine, unit: float) -> str:
    style = f"anchor={ANCHORS[mark.anchor]}, scale={mark.size * unit / FONT_SIZE:.3g}"
    face = r"\bfseries" * mark.bold + r"\itshape" * mark.italic
    words = f"{face} {escaped(mark.text)}" if face else escaped(mark.text)
    return rf"\node[{style}, text=infoset-{mark.role}] at {_at(mark.at)} {{{words}}};"


def _path(mark: Stroke) -> str:
    spots = list(map(_at, mark.points))
    if not mark.curved:
        return " -- ".join(spots)
    arcs = (spots[at : at + 3] for at in range(1, len(spots), 3))
    return spots[0] + "".join(f" .. controls {a} and {b} .. {c}" for a, b, c in arcs)


def _at(point: Point) -> str:
    return f"({point[0]:.1f},{point[1]:.1f})"
