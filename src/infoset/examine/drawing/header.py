"""The title of a drawing and the legend below it: who is who, and what has been folded."""

from __future__ import annotations

from infoset.examine.drawing.lettering import shortened, width, wrapped
from infoset.examine.drawing.palette import of_player
from infoset.examine.drawing.scene import Disc, Mark, Square, Tag, Words
from infoset.examine.drawing.skeleton import FOLDED, Skeleton
from infoset.rules.columns import CHANCE

TITLE, LEGEND, NOTE = 15.0, 11.5, 10.5  # sizes
LEAST = 260.0  # a header is at least this wide, however narrow the tree
MOST_PLAYERS = 12  # in the legend
NAME = 150.0  # pixels of a player's name
ROW = 19.0
LEADING = 14.0  # from line to line of one note


def header(shape: Skeleton, room: float) -> list[Mark]:
    """Title, legend and note, the upper left corner at the origin."""
    room = max(room, LEAST)
    title = shortened(shape.name, TITLE, room)
    found: list[Mark] = []
    y = 0.0
    if title:
        y = TITLE
        found.append(Words((0.0, y), title, TITLE, "ink", Tag("title", hint=shape.name), bold=True))
        y += 6
    x, y = 0.0, y + 13
    for mark, words, hint in _entries(shape):
        wide = 20 + width(words, LEGEND) + 18
        if x > 0 and x + wide - 18 > room:
            x, y = 0.0, y + ROW
        found += _entry(mark, words, hint, x, y)
        x += wide
    for note in _notes(shape):
        y += ROW - LEADING
        for words in wrapped(note, NOTE, room):
            y += LEADING
            found.append(Words((0.0, y), words, NOTE, "muted", Tag("note", hint=note)))
    return found


def _entries(shape: Skeleton) -> list[tuple[int | None, str, str]]:
    """Of each entry: a player's number, CHANCE or None; its words; its hint."""
    found: list[tuple[int | None, str, str]] = []
    for player, name in enumerate(shape.players[:MOST_PLAYERS]):
        expects = f": {shape.expected[player]}" if shape.solved else ""
        hint = f"{name} expects {shape.expected[player]}" if expects else name
        found.append((player, shortened(name, LEGEND, NAME) + expects, hint))
    if len(shape.players) > MOST_PLAYERS:
        found.append((None, f"and {len(shape.players) - MOST_PLAYERS} more players", ""))
    if any(drawn.kind == CHANCE for drawn in shape.nodes):
        found.append((CHANCE, "chance", ""))
    return found


def _entry(mark: int | None, words: str, hint: str, x: float, y: float) -> list[Mark]:
    tag = Tag("legend", hint=hint)
    if mark is None:
        return [Words((x, y), words, LEGEND, "muted", tag)]
    centre = (x + 8, y - 4)
    if mark == CHANCE:
        return [Square(centre, 5.0, "chance", tag), Words((x + 20, y), words, LEGEND, "ink", tag)]
    role = of_player(mark, "on-player")
    number = Words((x + 8, y - 0.5), str(mark + 1), 10.0, role, Tag("number"), "middle", bold=True)
    name = Words((x + 20, y), words, LEGEND, of_player(mark, "words"), tag, bold=True)
    return [Disc(centre, 8.0, of_player(mark), tag), number, name]


def _notes(shape: Skeleton) -> list[str]:
    """What a reader must know, a line each."""
    found = []
    if shape.folded:
        found.append(f"{shape.size:,} nodes drawn as {len(shape.nodes):,}")
        found += filter(None, ["; ".join(_folding(shape))])
    if shape.solved:
        found.append("thicker lines are played more often")
    return found


def _folding(shape: Skeleton) -> list[str]:
    """What the words of a folded picture mean, by the first of each kind."""
    first: dict[str, str] = {}
    for drawn in shape.nodes[1:]:
        if drawn.several:
            nature = shape.nodes[drawn.parent].kind == CHANCE
            first.setdefault("of chance" if nature else "moves", drawn.move)
    for one in shape.sets:
        if one.several:
            first.setdefault("information sets", one.label)
    found = []
    if first:
        named = ", ".join(f'"{words}" ({meaning})' for meaning, words in first.items())
        ranges = any("…" in paid for drawn in shape.nodes for paid in drawn.payoffs)
        how = ", payoffs are ranges" * ranges
        if shape.solved:
            how = ", numbers are averages" + ", or ranges where no play comes" * ranges
        found.append(f"{named}: drawn as one{how}")
    if any(drawn.kind == FOLDED for drawn in shape.nodes):
        paid = ", and what they pay on average" if shape.solved else ""
        found.append(f"a triangle is a part that is not drawn: how many nodes{paid}")
    return found
