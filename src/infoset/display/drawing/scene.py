"""A picture as a list of simple marks, before any file format: places, roles and tags.

Lengths are pixels, the origin is the upper left corner and y grows downwards. A mark has a *role*,
an entry of the palette, in place of a colour, and a *tag* that says what it stands for: its kind
("node", "edge", "move", "payoff", "infoset", ...) and the numbers of the tree's node and
information set. Marks are listed from the bottom up: later ones cover earlier ones.

The palette has a colour for each role, on light and on dark paper. The players' colours are those
of Okabe and Ito (2008), which colour-blind people can distinguish; words have a darker or lighter
variant, so that they are readable (contrast of 4.5 to 1 and more). After the last colour the first
is used again: the number in a player's disc identifies it without any colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from infoset.display.drawing.lettering import width

LIGHT, DARK, AUTO = "light", "dark", "auto"

_LIGHT_PLAYERS = ("#0072B2", "#D55E00", "#009E73", "#B5629A", "#E69F00", "#56B4E9")
_LIGHT_WORDS = ("#00609A", "#B34F00", "#00735A", "#9A4580", "#8A5F00", "#1F6F9E")
_LIGHT_ON = ("#FFFFFF", "#FFFFFF", "#FFFFFF", "#FFFFFF", "#1B1F24", "#1B1F24")
_DARK_PLAYERS = ("#56B4E9", "#F5813A", "#2DC99B", "#DE8FC0", "#E6B84A", "#F0E442")
_DARK_ON = ("#0E1216",) * 6

COLOURS = len(_LIGHT_PLAYERS)


def _theme(
    players: tuple[str, ...], words: tuple[str, ...], on: tuple[str, ...], **others: str
) -> MappingProxyType[str, str]:
    found = dict(others)
    for number in range(COLOURS):
        found[f"player-{number + 1}"] = players[number]
        found[f"words-{number + 1}"] = words[number]
        found[f"on-player-{number + 1}"] = on[number]
    return MappingProxyType(found)


THEMES = MappingProxyType(
    {
        LIGHT: _theme(
            _LIGHT_PLAYERS,
            _LIGHT_WORDS,
            _LIGHT_ON,
            paper="#FFFFFF",
            ink="#1B1F24",
            muted="#5B6470",
            edge="#7A838E",
            faint="#C3C8CE",
            chance="#3F4650",
        ),
        DARK: _theme(
            _DARK_PLAYERS,
            _DARK_PLAYERS,
            _DARK_ON,
            paper="#14181D",
            ink="#E8EAED",
            muted="#A3ABB5",
            edge="#8A939E",
            faint="#454C55",
            chance="#C9CED6",
        ),
    }
)


def of_player(player: int, part: str = "player") -> str:
    """The role of a player's colour: of its lines ("player"), "words", or what is "on-player".

    >>> of_player(0), of_player(1, "words"), of_player(COLOURS)
    ('player-1', 'words-2', 'player-1')
    """
    return f"{part}-{player % COLOURS + 1}"


Point: TypeAlias = tuple[float, float]
Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom

STEPS = 8  # of an arc, when measured
ASCENT, DESCENT = 0.76, 0.22  # above and below the line that letters stand on, in font sizes


@dataclass(frozen=True)
class Tag:
    """What a mark stands for."""

    kind: str
    node: int | None = None  # of the tree; the first of those that are drawn as one
    infoset: int | None = None
    hint: str = ""  # shown when someone points at it


@dataclass(frozen=True)
class Stroke:
    """A line through points; a curved one has a start and then three points for each cubic arc."""

    points: tuple[Point, ...]
    width: float
    role: str
    tag: Tag
    dashed: bool = False
    curved: bool = False
    halo: bool = False  # with a rim of paper, so that it reads over other lines

    @property
    def box(self) -> Box:
        """The room that it takes."""
        return _around(_along(self.points) if self.curved else self.points, self.width / 2)


@dataclass(frozen=True)
class Disc:
    """A filled circle: a decision."""

    centre: Point
    radius: float
    role: str
    tag: Tag

    @property
    def box(self) -> Box:
        """The room that it takes."""
        return _around((self.centre,), self.radius)


@dataclass(frozen=True)
class Square:
    """A filled square: a chance move."""

    centre: Point
    half: float
    role: str
    tag: Tag

    @property
    def box(self) -> Box:
        """The room that it takes."""
        return _around((self.centre,), self.half)


@dataclass(frozen=True)
class Capsule:
    """A long oval round the way from one point to another: an information set of neighbours."""

    start: Point
    end: Point
    radius: float
    role: str
    tag: Tag

    @property
    def box(self) -> Box:
        """The room that it takes."""
        return _around((self.start, self.end), self.radius)


@dataclass(frozen=True)
class Triangle:
    """A part of the tree that is not drawn."""

    points: tuple[Point, Point, Point]
    role: str
    tag: Tag

    @property
    def box(self) -> Box:
        """The room that it takes."""
        return _around(self.points, 0.5)


@dataclass(frozen=True)
class TextLine:
    """One line of text."""

    at: Point  # on the line that the letters stand on
    text: str
    size: float
    role: str
    tag: Tag
    anchor: str = "start"  # which part of the text is there: "start", "middle" or "end"
    bold: bool = False
    italic: bool = False
    halo: bool = False  # with paper behind it

    @property
    def box(self) -> Box:
        """The room that it takes, as the layout measures it."""
        room = width(self.text, self.size)
        left = self.at[0] - {"start": 0.0, "middle": room / 2, "end": room}[self.anchor]
        top = self.at[1] - ASCENT * self.size
        return left, top, left + room, self.at[1] + DESCENT * self.size

    @property
    def behind(self) -> Box:
        """The paper behind it that makes it read over lines; that of two lines of text meets."""
        left, top, right, bottom = self.box
        return left - 1, top - 1.3, right + 1, bottom + 1.3


Mark: TypeAlias = Stroke | Disc | Square | Capsule | Triangle | TextLine


@dataclass(frozen=True)
class Scene:
    """A whole picture: its size and its marks."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str

    def of(self, kind: str) -> Iterator[Mark]:
        """The marks of one kind."""
        return (mark for mark in self.marks if mark.tag.kind == kind)


def bounds(marks: Iterable[Mark]) -> Box:
    """The smallest box round all marks; an empty one at the origin if there are none."""
    boxes = [mark.box for mark in marks]
    if not boxes:
        return 0.0, 0.0, 0.0, 0.0
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def moved(mark: Mark, right: float, down: float) -> Mark:
    """The same mark somewhere else."""

    def there(point: Point) -> Point:
        return point[0] + right, point[1] + down

    if isinstance(mark, Stroke):
        return replace(mark, points=tuple(map(there, mark.points)))
    if isinstance(mark, Triangle):
        one, two, three = map(there, mark.points)
        return replace(mark, points=(one, two, three))
    if isinstance(mark, Capsule):
        return replace(mark, start=there(mark.start), end=there(mark.end))
    if isinstance(mark, TextLine):
        return replace(mark, at=there(mark.at))
    return replace(mark, centre=there(mark.centre))


def _along(points: tuple[Point, ...]) -> Iterator[Point]:
    """Points of a curve, close enough to each other to tell how far it swings out."""
    yield points[0]
    for first in range(0, len(points) - 1, 3):
        a, b, c, d = points[first : first + 4]
        for step in range(1, STEPS + 1):
            t = step / STEPS
            s = 1 - t
            weights = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
            x, y = (
                sum(w * p[axis] for w, p in zip(weights, (a, b, c, d), strict=True))
                for axis in (0, 1)
            )
            yield x, y


def _around(points: Iterable[Point], rim: float) -> Box:
    across, down = zip(*points, strict=True)
    return min(across) - rim, min(down) - rim, max(across) + rim, max(down) + rim
