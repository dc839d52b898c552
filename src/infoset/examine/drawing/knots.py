"""The marks of information sets: ovals, dashed links and what the player knows."""

from __future__ import annotations

from itertools import pairwise, product

from infoset.examine.drawing.captions import SMALL
from infoset.examine.drawing.links import BEFORE, Link
from infoset.examine.drawing.palette import of_player
from infoset.examine.drawing.plan import DOWN, RADIUS, RIM, TRACK, Plan
from infoset.examine.drawing.scene import Capsule, Mark, Stroke, Tag, Words
from infoset.examine.drawing.skeleton import DrawnSet

DASHED = 1.4  # pixels
CORNER = 8.0  # radius of a link's bends


def sets_marks(plan: Plan) -> tuple[list[Mark], list[Mark]]:
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


def _tag(plan: Plan, one: DrawnSet, kind: str = "infoset") -> Tag:
    return Tag(kind, plan.shape.nodes[one.members[0]].node, one.infoset, one.hint)


def _row(plan: Plan, one: DrawnSet, level: int) -> list[float]:
    """The places of the members on a level."""
    return sorted(plan.across[at] for at in one.members if plan.level[at] == level)


def _oval(plan: Plan, one: DrawnSet, level: int) -> Mark:
    row = _row(plan, one, level)
    node = plan.bands[level].node
    start, end = plan.page(node, row[0]), plan.page(node, row[-1])
    return Capsule(start, end, RADIUS + RIM, of_player(one.player), _tag(plan, one))


def _link(plan: Plan, one: DrawnSet, level: int, link: Link) -> list[Mark]:
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


def _loose(plan: Plan, one: DrawnSet) -> list[Mark]:
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


def _label(plan: Plan, one: DrawnSet) -> list[Mark]:
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
    return [Words(where, words, SMALL, role, tag, italic=True, halo=True)]
