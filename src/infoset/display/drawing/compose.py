"""From geometry to marks: branches, nodes, information sets, words, the title and the legend.

Nothing is decided here but the look. A plan has places along and across the direction of growth;
marks have x and y, which are across and along when drawing downwards and the reverse when drawing
to the right. Words are never turned.
"""

from __future__ import annotations

from itertools import pairwise, product

from infoset.display.drawing.layout import BEFORE, Link
from infoset.display.drawing.lettering import shortened, width, wrapped
from infoset.display.drawing.plan import (
    DOWN,
    LINE,
    RADIUS,
    RIM,
    SIZE,
    SMALL,
    TRACK,
    TRIANGLE,
    DrawingPlan,
)
from infoset.display.drawing.scene import (
    Capsule,
    Disc,
    Mark,
    Point,
    Scene,
    Square,
    Stroke,
    Tag,
    TextLine,
    Triangle,
    bounds,
    moved,
    of_player,
)
from infoset.display.drawing.skeleton import FOLDED, DrawnSet, Skeleton
from infoset.rules.moves import CHANCE, LEAF

DASHED = 1.4  # pixels
CORNER = 8.0  # radius of a link's bends


def infoset_marks(plan: DrawingPlan) -> tuple[list[Mark], list[Mark]]:
    """The marks that lie below the branches, and those above them."""
    below: list[Mark] = []
    above: list[Mark] = []
    several = [one for one in plan.shape.sets if len(one.members) > 1]
    for level, tied in plan.ties.items():
        below.extend(_oval(plan, several[number], level) for number in tied.ovals)
        for link in tied.links:
            above.extend(_link(plan, several[link.number], level, link))
    for one in several:
        above.extend(_loose(plan, one))
    for one in plan.shape.sets:
        above.extend(_label(plan, one))
    return below, above


def _tag(plan: DrawingPlan, one: DrawnSet, kind: str = "infoset") -> Tag:
    return Tag(kind, plan.shape.nodes[one.members[0]].node, one.infoset, one.hint)


def _row(plan: DrawingPlan, one: DrawnSet, level: int) -> list[float]:
    """The places of the members on a level."""
    return sorted(plan.across[at] for at in one.members if plan.level[at] == level)


def _oval(plan: DrawingPlan, one: DrawnSet, level: int) -> Mark:
    row = _row(plan, one, level)
    node = plan.bands[level].node
    start, end = plan.page(node, row[0]), plan.page(node, row[-1])
    return Capsule(start, end, RADIUS + RIM, of_player(one.player), _tag(plan, one))


def _link(plan: DrawingPlan, one: DrawnSet, level: int, link: Link) -> list[Mark]:
    """From each member to the next, along the set's track."""
    band = plan.bands[level]
    towards = -1 if link.side == BEFORE else 1
    first = band.track if link.side == BEFORE else band.back
    track = first + towards * TRACK * link.track
    row = _row(plan, one, level)
    tag = _tag(plan, one)
    found: list[Mark] = []
    for left, right in pairwise(row):
        start, end = left + 0.7 * RADIUS, right - 0.7 * RADIUS
        foot = band.node + towards * 0.7 * RADIUS
        bend = min(CORNER, (end - start) / 2)
        points = (
            (foot, start),
            ((foot + track) / 2, start),
            (track, start),
            (track, start + bend),
            (track, start + bend),
            (track, end - bend),
            (track, end - bend),
            (track, end),
            ((foot + track) / 2, end),
            (foot, end),
        )
        on_page = tuple(plan.page(along, across) for along, across in points)
        role = of_player(one.player)
        found.append(Stroke(on_page, DASHED, role, tag, dashed=True, curved=True, halo=True))
    return found


def _loose(plan: DrawingPlan, one: DrawnSet) -> list[Mark]:
    """Members on different levels: from each level to the next, a curve that swings out."""
    found: list[Mark] = []
    rows: dict[int, list[int]] = {}
    for at in one.members:
        rows.setdefault(plan.level[at], []).append(at)
    for upper, lower in pairwise(sorted(rows)):
        left, right = min(
            product(rows[upper], rows[lower]),
            key=lambda pair: (abs(plan.across[pair[0]] - plan.across[pair[1]]), pair),
        )
        one_along, one_across = plan.bands[plan.level[left]].node, plan.across[left]
        two_along, two_across = plan.bands[plan.level[right]].node, plan.across[right]
        side = -1 if two_across <= one_across else 1
        out = 0.35 * abs(two_along - one_along) + 14
        points = (
            (one_along, one_across + side * RADIUS),
            (one_along, one_across + side * (RADIUS + out) + 0.4 * (two_across - one_across)),
            (two_along - 0.5 * (two_along - one_along), two_across + side * (RADIUS + out)),
            (two_along, two_across + side * RADIUS),
        )
        on_page = tuple(plan.page(along, across) for along, across in points)
        role, tag = of_player(one.player), _tag(plan, one)
        found.append(Stroke(on_page, DASHED, role, tag, dashed=True, curved=True, halo=True))
    return found


def _label(plan: DrawingPlan, one: DrawnSet) -> list[Mark]:
    """What the player knows, at the member that was given room for it."""
    at = next((node for node in one.members if plan.captions[node].label), None)
    if at is None:
        return []
    words, band, across = plan.captions[at].label, plan.bands[plan.level[at]], plan.across[at]
    role, tag = of_player(one.player, "words"), _tag(plan, one, "label")
    if plan.orientation == DOWN:
        where = (across + RADIUS + 4, band.label)
    else:
        where = (band.run + 2, across + plan.captions[at].thickness / 2 + 0.95 * SMALL)
    return [TextLine(where, words, SMALL, role, tag, italic=True, halo=True)]


TITLE, LEGEND, NOTE = 15.0, 11.5, 10.5  # sizes
LEAST = 260.0  # a header is at least this wide, however narrow the tree
MOST_PLAYERS = 12  # in the legend
NAME = 150.0  # pixels of a player's name
ROW = 19.0
LEADING = 14.0  # from line to line of one note


def header(shape: Skeleton, room: float) -> list[Mark]:
    """Title, legend and note, the upper left corner at the origin."""
    room = max(room, LEAST)
    title = shortened(shape.title, TITLE, room)
    found: list[Mark] = []
    y = 0.0
    if title:
        y = TITLE
        found.append(
            TextLine((0.0, y), title, TITLE, "ink", Tag("title", hint=shape.title), bold=True)
        )
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
            found.append(TextLine((0.0, y), words, NOTE, "muted", Tag("note", hint=note)))
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
        return [TextLine((x, y), words, LEGEND, "muted", tag)]
    centre = (x + 8, y - 4)
    if mark == CHANCE:
        return [
            Square(centre, 5.0, "chance", tag),
            TextLine((x + 20, y), words, LEGEND, "ink", tag),
        ]
    role = of_player(mark, "on-player")
    number = TextLine(
        (x + 8, y - 0.5), str(mark + 1), 10.0, role, Tag("number"), "middle", bold=True
    )
    name = TextLine((x + 20, y), words, LEGEND, of_player(mark, "words"), tag, bold=True)
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
            chance = shape.nodes[drawn.parent].kind == CHANCE
            first.setdefault("of chance" if chance else "moves", drawn.move)
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


MARGIN = 14.0


def compose(plan: DrawingPlan) -> Scene:
    """The picture of a plan, its title and legend included."""
    below, above = infoset_marks(plan)
    count = len(plan.shape.nodes)
    edges = [mark for at in range(1, count) for mark in _edge(plan, at)]
    nodes = [mark for at in range(count) for mark in _node(plan, at)]
    words = [mark for at in range(count) for mark in _words(plan, at)]
    marks = [*below, *edges, *above, *nodes, *words]
    left, top, right, bottom = bounds(marks)
    head = header(plan.shape, right - left)
    head_box = bounds(head)
    drop = head_box[3] + MARGIN
    placed: list[Mark] = [moved(mark, MARGIN, MARGIN) for mark in head]
    wide = max(right - left, head_box[2]) + 2 * MARGIN
    middle = (wide - left - right) / 2
    placed += [moved(mark, middle, MARGIN + drop - top) for mark in marks]
    tall = drop + (bottom - top) + 2 * MARGIN
    return Scene(round(wide, 1), round(tall, 1), tuple(placed), plan.shape.name)


def _edge(plan: DrawingPlan, at: int) -> list[Mark]:
    drawn = plan.shape.nodes[at]
    top, band = plan.level[drawn.parent] + 1, plan.bands[plan.level[at]]
    end = band.node
    if drawn.kind == FOLDED:
        end = band.end
    elif drawn.kind == LEAF:  # downwards, its words end the line
        end = band.run + 6 if plan.orientation == DOWN else band.end
    points = (
        plan.page(plan.bands[top - 1].node, plan.across[drawn.parent]),
        plan.page(plan.bands[top].run, plan.across[at]),
        plan.page(end, plan.across[at]),
    )
    tag = Tag("edge", drawn.node, hint=drawn.move_hint)
    return [Stroke(points, round(plan.captions[at].thickness, 2), _edge_role(plan, at), tag)]


def _idle(plan: DrawingPlan, at: int) -> bool:
    """Is a branch neither played nor, if it came to it, chosen among others?"""
    drawn = plan.shape.nodes[at]
    if drawn.reach is None or drawn.reach:
        return False
    alone = len(plan.arrangement.children[drawn.parent]) == 1  # it says nothing about the mover
    return not drawn.probability or (alone and drawn.several)


def _edge_role(plan: DrawingPlan, at: int) -> str:
    """Never played: faint. Played, or meant to be if it came to it: the mover's colour."""
    drawn = plan.shape.nodes[at]
    above = plan.shape.nodes[drawn.parent]
    if drawn.reach is None:
        return "edge"
    if _idle(plan, at):
        return "faint"
    if above.kind == CHANCE:
        return "edge" if drawn.reach else "faint"
    return of_player(above.kind)


def _node(plan: DrawingPlan, at: int) -> list[Mark]:
    drawn = plan.shape.nodes[at]
    band = plan.bands[plan.level[at]]
    tag = Tag("node", drawn.node, hint=drawn.hint)
    centre = plan.page(band.node, plan.across[at])
    if drawn.kind == LEAF:
        return []
    if drawn.kind == CHANCE:
        return [Square(centre, 5.0, "chance", tag)]
    if drawn.kind == FOLDED:
        start = band.end if at else band.node
        corners = (
            plan.page(start, plan.across[at]),
            plan.page(start + TRIANGLE, plan.across[at] - 7),
            plan.page(start + TRIANGLE, plan.across[at] + 7),
        )
        return [Triangle(corners, "edge", tag)]
    size = {1: 10.0, 2: 9.0}.get(len(str(drawn.kind + 1)), 7.0)
    number = TextLine(
        (centre[0], centre[1] + 0.36 * size),
        str(drawn.kind + 1),
        size,
        of_player(drawn.kind, "on-player"),
        Tag("number", drawn.node),
        "middle",
        bold=True,
    )
    return [Disc(centre, RADIUS, of_player(drawn.kind), tag), number]


def _words(plan: DrawingPlan, at: int) -> list[Mark]:
    """The move that leads here, its probability, and what is paid."""
    found: list[Mark] = []
    drawn, caption = plan.shape.nodes[at], plan.captions[at]
    if drawn.parent >= 0:
        found += _move_down(plan, at) if plan.orientation == DOWN else _move_across(plan, at)
    if drawn.kind in (LEAF, FOLDED):
        found += _end_down(plan, at) if plan.orientation == DOWN else _end_across(plan, at)
    elif caption.paid:
        found += _paid_inside(plan, at)
    return found


def _move_tags(plan: DrawingPlan, at: int) -> tuple[Tag, Tag, str, str]:
    """Tags and roles of a move and of its probability."""
    drawn = plan.shape.nodes[at]
    above = plan.shape.nodes[drawn.parent]
    idle = _idle(plan, at)
    role = "muted" if idle else "ink"
    probability = of_player(above.kind, "words") if above.kind >= 0 else "muted"
    move = Tag("move", drawn.node, hint=drawn.move_hint)
    return move, Tag("probability", drawn.node), role, "muted" if idle else probability


def _move_down(plan: DrawingPlan, at: int) -> list[Mark]:
    caption, across = plan.captions[at], plan.across[at]
    line = plan.bands[plan.level[plan.shape.nodes[at].parent] + 1].run + 4
    move, probability, role, probability_role = _move_tags(plan, at)
    found: list[Mark] = []
    for words, tag, colour in (
        (caption.move, move, role),
        (caption.probability, probability, probability_role),
    ):
        if words:
            line += LINE
            where = (across, line - 3.5)
            found.append(TextLine(where, words, SIZE, colour, tag, "middle", halo=True))
    return found


def _move_across(plan: DrawingPlan, at: int) -> list[Mark]:
    caption, across = plan.captions[at], plan.across[at]
    band = plan.bands[plan.level[plan.shape.nodes[at].parent] + 1]
    line = across - caption.thickness / 2 - 3
    move, probability, role, probability_role = _move_tags(plan, at)
    found: list[Mark] = []
    if caption.move:
        clear = band.run + 1 + caption.thickness / 2  # of where a thick line bends
        found.append(TextLine((clear, line), caption.move, SIZE, role, move))
    if caption.probability:
        where = (band.end - 4, line)
        found.append(
            TextLine(where, caption.probability, SIZE, probability_role, probability, "end")
        )
    return found


def _payoff(plan: DrawingPlan, at: int, player: int, where: Point, anchor: str) -> TextLine:
    words = plan.captions[at].payoffs[player]
    tag = Tag("payoff", plan.shape.nodes[at].node, hint=plan.shape.nodes[at].hint)
    role = "muted" if words == "…" else of_player(player, "words")
    return TextLine(where, words, SIZE, role, tag, anchor, halo=True)


def _end_down(plan: DrawingPlan, at: int) -> list[Mark]:
    caption, across = plan.captions[at], plan.across[at]
    line = plan.bands[plan.level[at]].end + 2
    found: list[Mark] = []
    if caption.folded:
        line += TRIANGLE + LINE
        tag = Tag("folded", plan.shape.nodes[at].node)
        found.append(TextLine((across, line), caption.folded, SIZE, "muted", tag, "middle"))
    for player in range(len(caption.payoffs)):
        line += LINE
        found.append(_payoff(plan, at, player, (across, line), "middle"))
    return found


def _end_across(plan: DrawingPlan, at: int) -> list[Mark]:
    caption = plan.captions[at]
    along = plan.bands[plan.level[at]].end + 2
    line = plan.across[at] + 0.36 * SIZE
    found: list[Mark] = []
    if caption.folded:
        along += TRIANGLE + 4
        tag = Tag("folded", plan.shape.nodes[at].node)
        found.append(TextLine((along, line), caption.folded, SIZE, "muted", tag))
        along += width(caption.folded, SIZE) + 6
    for player in range(len(caption.payoffs)):
        along += plan.columns[plan.level[at]][player] + 8
        found.append(_payoff(plan, at, player, (along - 4, line), "end"))
    return found


def _paid_inside(plan: DrawingPlan, at: int) -> list[Mark]:
    """What is paid on the way, beside the node."""
    caption, band, across = plan.captions[at], plan.bands[plan.level[at]], plan.across[at]
    tag = Tag("payoff", plan.shape.nodes[at].node, hint=plan.shape.nodes[at].hint)
    if plan.orientation == DOWN:
        where = (across + RADIUS + 4 + (caption.label_width + 6) * bool(caption.label), band.label)
        return [TextLine(where, caption.paid, SMALL, "muted", tag, halo=True)]
    where = (band.end - 4, across + caption.thickness / 2 + 0.95 * SMALL)
    return [TextLine(where, caption.paid, SMALL, "muted", tag, "end", halo=True)]
