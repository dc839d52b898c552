"""From geometry to marks: branches, nodes, information sets and words, each with its role.

Nothing is decided here but the look. A plan speaks of places along and across the direction of
growth; marks have x and y, which are across and along when drawing downwards and the reverse when
drawing to the right. Words are never turned.
"""

from __future__ import annotations

from infoset.examine.drawing.captions import SIZE, SMALL
from infoset.examine.drawing.header import header
from infoset.examine.drawing.knots import sets_marks
from infoset.examine.drawing.lettering import width
from infoset.examine.drawing.palette import of_player
from infoset.examine.drawing.plan import DOWN, LINE, RADIUS, TRIANGLE, Plan
from infoset.examine.drawing.scene import (
    Disc,
    Mark,
    Point,
    Scene,
    Square,
    Stroke,
    Tag,
    Triangle,
    Words,
    bounds,
    moved,
)
from infoset.examine.drawing.skeleton import FOLDED
from infoset.rules.columns import CHANCE, LEAF

MARGIN = 14.0


def compose(plan: Plan) -> Scene:
    """The picture of a plan, its title and legend included."""
    below, above = sets_marks(plan)
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


def _edge(plan: Plan, at: int) -> list[Mark]:
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


def _idle(plan: Plan, at: int) -> bool:
    """Is a branch neither played nor, if it came to it, chosen among others?"""
    drawn = plan.shape.nodes[at]
    if drawn.reach is None or drawn.reach:
        return False
    alone = len(plan.arrangement.children[drawn.parent]) == 1  # it says nothing about the mover
    return not drawn.share or (alone and drawn.several)


def _edge_role(plan: Plan, at: int) -> str:
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


def _node(plan: Plan, at: int) -> list[Mark]:
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
    number = Words(
        (centre[0], centre[1] + 0.36 * size),
        str(drawn.kind + 1),
        size,
        of_player(drawn.kind, "on-player"),
        Tag("number", drawn.node),
        "middle",
        bold=True,
    )
    return [Disc(centre, RADIUS, of_player(drawn.kind), tag), number]


def _words(plan: Plan, at: int) -> list[Mark]:
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


def _move_tags(plan: Plan, at: int) -> tuple[Tag, Tag, str, str]:
    """Tags and roles of a move and of its probability."""
    drawn = plan.shape.nodes[at]
    above = plan.shape.nodes[drawn.parent]
    idle = _idle(plan, at)
    role = "muted" if idle else "ink"
    share = of_player(above.kind, "words") if above.kind >= 0 else "muted"
    move = Tag("move", drawn.node, hint=drawn.move_hint)
    return move, Tag("share", drawn.node), role, "muted" if idle else share


def _move_down(plan: Plan, at: int) -> list[Mark]:
    caption, across = plan.captions[at], plan.across[at]
    line = plan.bands[plan.level[plan.shape.nodes[at].parent] + 1].run + 4
    move, share, role, share_role = _move_tags(plan, at)
    found: list[Mark] = []
    for words, tag, colour in ((caption.move, move, role), (caption.share, share, share_role)):
        if words:
            line += LINE
            where = (across, line - 3.5)
            found.append(Words(where, words, SIZE, colour, tag, "middle", halo=True))
    return found


def _move_across(plan: Plan, at: int) -> list[Mark]:
    caption, across = plan.captions[at], plan.across[at]
    band = plan.bands[plan.level[plan.shape.nodes[at].parent] + 1]
    line = across - caption.thickness / 2 - 3
    move, share, role, share_role = _move_tags(plan, at)
    found: list[Mark] = []
    if caption.move:
        clear = band.run + 1 + caption.thickness / 2  # of where a thick line bends
        found.append(Words((clear, line), caption.move, SIZE, role, move))
    if caption.share:
        where = (band.end - 4, line)
        found.append(Words(where, caption.share, SIZE, share_role, share, "end"))
    return found


def _payoff(plan: Plan, at: int, player: int, where: Point, anchor: str) -> Words:
    words = plan.captions[at].payoffs[player]
    tag = Tag("payoff", plan.shape.nodes[at].node, hint=plan.shape.nodes[at].hint)
    role = "muted" if words == "…" else of_player(player, "words")
    return Words(where, words, SIZE, role, tag, anchor, halo=True)


def _end_down(plan: Plan, at: int) -> list[Mark]:
    caption, across = plan.captions[at], plan.across[at]
    line = plan.bands[plan.level[at]].end + 2
    found: list[Mark] = []
    if caption.folded:
        line += TRIANGLE + LINE
        tag = Tag("folded", plan.shape.nodes[at].node)
        found.append(Words((across, line), caption.folded, SIZE, "muted", tag, "middle"))
    for player in range(len(caption.payoffs)):
        line += LINE
        found.append(_payoff(plan, at, player, (across, line), "middle"))
    return found


def _end_across(plan: Plan, at: int) -> list[Mark]:
    caption = plan.captions[at]
    along = plan.bands[plan.level[at]].end + 2
    line = plan.across[at] + 0.36 * SIZE
    found: list[Mark] = []
    if caption.folded:
        along += TRIANGLE + 4
        tag = Tag("folded", plan.shape.nodes[at].node)
        found.append(Words((along, line), caption.folded, SIZE, "muted", tag))
        along += width(caption.folded, SIZE) + 6
    for player in range(len(caption.payoffs)):
        along += plan.columns[plan.level[at]][player] + 8
        found.append(_payoff(plan, at, player, (along - 4, line), "end"))
    return found


def _paid_inside(plan: Plan, at: int) -> list[Mark]:
    """What is paid on the way, beside the node."""
    caption, band, across = plan.captions[at], plan.bands[plan.level[at]], plan.across[at]
    tag = Tag("payoff", plan.shape.nodes[at].node, hint=plan.shape.nodes[at].hint)
    if plan.orientation == DOWN:
        where = (across + RADIUS + 4 + (caption.label_width + 6) * bool(caption.label), band.label)
        return [Words(where, caption.paid, SMALL, "muted", tag, halo=True)]
    where = (band.end - 4, across + caption.thickness / 2 + 0.95 * SMALL)
    return [Words(where, caption.paid, SMALL, "muted", tag, "end", halo=True)]
