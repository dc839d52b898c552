"""What players know, written as far as there is room.

A plan is made with labels cut to a width that lets the picture fit a page. Where everything then
has its place, many a label has more room than that: along its branch, drawing to the right, up to
the links and the node; beside its node, drawing downwards, up to the next thing on the level. No
picture grows by this.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

from infoset.examine.drawing.captions import SMALL, Caption
from infoset.examine.drawing.layout import GAP
from infoset.examine.drawing.lettering import shortened
from infoset.examine.drawing.links import BEFORE
from infoset.examine.drawing.plan import DOWN, RADIUS, RIM, TRACK, Plan

INDENT = {"down": RADIUS + 4, "across": 2.0}  # before a label: from its node, from its branch's run


def lengthened(plan: Plan) -> Plan:
    """The same plan, its labels as long as may be."""
    rooms = _beside(plan) if plan.orientation == DOWN else _along(plan)
    words = list(plan.captions)
    for one in plan.shape.sets:
        at = next((node for node in one.members if words[node].label), None)
        if at is not None:
            longer = shortened(one.label, SMALL, rooms[at])
            if len(longer) > len(words[at].label):
                words[at] = replace(words[at], label=longer)
    return replace(plan, captions=words)


def _paid(caption: Caption) -> float:
    """What is paid at the node takes room in the same line."""
    return caption.paid_width + 8 if caption.paid else 0.0


def _along(plan: Plan) -> dict[int, float]:
    """[labelled node] the room along its branch."""
    found = {}
    for at, caption in enumerate(plan.captions):
        if caption.label:
            band, tied = plan.bands[plan.level[at]], plan.ties.get(plan.level[at])
            end = band.node - RADIUS - RIM - GAP - TRACK * (tied.tracks(BEFORE) if tied else 0)
            if caption.paid:
                end = min(end, band.end - 4)
            found[at] = end - band.run - INDENT[plan.orientation] - _paid(caption)
    return found


def _beside(plan: Plan) -> dict[int, float]:
    """[labelled node] the room up to what is next on its level."""
    edge = max(
        place + room.after
        for place, rooms in zip(plan.across, plan.rooms, strict=True)
        for room in rooms
    )
    lanes: dict[int, list[float]] = {}  # where things begin, in order
    for place, rooms in zip(plan.across, plan.rooms, strict=True):
        for room in rooms:
            lanes.setdefault(room.lane, []).append(place - room.before)
    for starts in lanes.values():
        starts.sort()
    found = {}
    for at, caption in enumerate(plan.captions):
        if caption.label:
            starts, place = lanes[2 * plan.level[at] + 1], plan.across[at]
            following = bisect_right(starts, place)
            end = starts[following] - GAP if following < len(starts) else edge
            found[at] = end - place - INDENT[plan.orientation] - _paid(caption)
    return found
