"""The geometry of a drawing: captions, the level of each node, its place, the bands of each level.

Levels follow one another along the direction of growth. Each has, from the root's side on,

    a slant   in which branches fan out, and the links behind the level before run
    a run     in which branches go straight on and moves are written
    ends      payoffs of leaves; to the right, only where they would meet links or ovals
    tracks    of the links before the level
    labels    what players know (drawing downwards; else labels stand in the run)
    nodes     the row of the nodes itself

so that every text has a band of its own and links meet nothing but straight lines.

A plan is made with labels cut to a width that lets the picture fit a page. Once everything has its
place, many labels have more room than that: along the branch, drawing to the right, up to the links
and the node; beside the node, drawing downwards, up to the next thing on the level. They are then
lengthened; no picture grows by this.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace

from infoset.display.drawing.layout import (
    AFTER,
    BEFORE,
    GAP,
    Arrangement,
    Room,
    Ties,
    arranged,
    levels,
    places,
    ties,
)
from infoset.display.drawing.lettering import shortened, width
from infoset.display.drawing.scene import Point
from infoset.display.drawing.skeleton import FEW_PLAYERS, FOLDED, Drawn, Skeleton
from infoset.rules.moves import CHANCE, LEAF
from infoset.text import compact_number

SIZE = 11.0  # of moves, probabilities and payoffs, in pixels
SMALL = 10.0  # of what players know


@dataclass(frozen=True)
class Caption:
    """What is written at a node."""

    move: str
    probability: str  # how likely the move is
    label: str  # what the player knows; at one node of each set
    payoffs: tuple[str, ...]  # of a leaf
    paid: str  # on the way, at an inner node
    folded: str  # how much is not drawn
    thickness: float  # of the line that leads here

    @property
    def move_width(self) -> float:
        """Of the move."""
        return width(self.move, SIZE)

    @property
    def probability_width(self) -> float:
        """Of its probability."""
        return width(self.probability, SIZE)

    @property
    def label_width(self) -> float:
        """Of what the player knows."""
        return width(self.label, SMALL)

    @property
    def paid_width(self) -> float:
        """Of what is paid on the way."""
        return width(self.paid, SMALL)

    @property
    def payoff_width(self) -> float:
        """Of the widest payoff."""
        return max((width(paid, SIZE) for paid in self.payoffs), default=0.0)


def captions(shape: Skeleton, labelled: dict[int, int], room: float) -> list[Caption]:
    """[node] what is written there; ``labelled`` says at which node which set's label stands."""
    found = []
    unlike = _numeric(shape)
    for at, drawn in enumerate(shape.nodes):
        label = shape.sets[labelled[at]].label if at in labelled else ""
        found.append(
            Caption(
                move=shortened(drawn.move, SIZE, room),
                probability=_probability(shape, drawn, drawn.parent in unlike),
                label=shortened(label, SMALL, room),
                payoffs=_payoffs(drawn) if drawn.kind in (LEAF, FOLDED) else (),
                paid="" if drawn.kind in (LEAF, FOLDED) else _paid(drawn, room),
                folded=_folded(drawn),
                thickness=thickness(drawn),
            )
        )
    return found


def thickness(drawn: Drawn) -> float:
    """How thick the line to a node is: 1 to 7 pixels, by the root of its reach.

    Reach falls by factors on the way down; in proportion, all but the first lines would be thin.
    """
    return 1.2 if drawn.reach is None else 1.0 + 6.0 * math.sqrt(min(1.0, float(drawn.reach)))


def reads_as_number(move: str) -> bool:
    """Could the end of a move be taken for a probability?

    >>> [reads_as_number(move) for move in ("2", "bid 1/2", "any of 3", "b2", "pass")]
    [True, True, True, False, False]
    """
    last = move.split()[-1:]
    return any(sign.isdigit() for sign in "".join(last)) and not any(map(str.isalpha, *last))


def _numeric(shape: Skeleton) -> set[int]:
    """The nodes of whose moves one at least reads as a number."""
    return {drawn.parent for drawn in shape.nodes if reads_as_number(drawn.move)}


def _probability(shape: Skeleton, drawn: Drawn, apart: bool) -> str:
    """How likely a move is; in parentheses if the move could be taken for a number."""
    if drawn.probability is None or drawn.parent < 0:
        return ""
    if shape.nodes[drawn.parent].kind == CHANCE and drawn.probability == 1:
        return ""  # it is certain
    return f"({compact_number(drawn.probability)})" if apart else compact_number(drawn.probability)


def _payoffs(drawn: Drawn) -> tuple[str, ...]:
    more = ("…",) if len(drawn.payoffs) > FEW_PLAYERS else ()
    return drawn.payoffs[:FEW_PLAYERS] + more


def _paid(drawn: Drawn, room: float) -> str:
    return shortened("+ " + ", ".join(_payoffs(drawn)), SMALL, room) if drawn.payoffs else ""


def _folded(drawn: Drawn) -> str:
    if drawn.kind != FOLDED:
        return ""
    return f"{drawn.stands_for:,} node{'s' * (drawn.stands_for != 1)}"


DOWN, ACROSS = "down", "across"
ROOM = 130.0  # pixels of a move or a label
LINE = 13.0  # pixels from one line of text to the next
RADIUS = 8.0  # of a node
RIM = 4.0  # between a node and the oval round it
TRACK = 9.0  # pixels from one link to the next
SLANT = {DOWN: (30.0, 56.0, 0.15), ACROSS: (26.0, 48.0, 0.08)}  # least, most, share of the fan
TRIANGLE = 16.0  # its height
LEAF_ROOM = 13.0  # on either side of a leaf, drawing downwards


@dataclass(frozen=True)
class Band:
    """Where the parts of a level are, along the direction of growth."""

    run: float  # where branches begin to go straight on
    end: float  # where leaves begin
    track: float  # of the first link before the level; the next ones are nearer to the root
    label: float  # the line that labels stand on, when drawing downwards
    node: float
    back: float  # of the first link behind the level; the next ones are further on


@dataclass(frozen=True)
class DrawingPlan:
    """A drawing's geometry."""

    shape: Skeleton
    orientation: str
    captions: list[Caption]  # [node]
    level: list[int]  # [node]
    across: list[float]  # [node] its place across the direction of growth
    bands: list[Band]  # [level]
    ties: dict[int, Ties]  # [level] of the sets there
    arrangement: Arrangement
    columns: list[list[float]]  # [level][player] the widths of payoffs, side by side
    rooms: list[list[Room]]  # [node] what it was given across

    def page(self, along: float, across: float) -> Point:
        """Where something is on the page."""
        return (across, along) if self.orientation == DOWN else (along, across)

    @property
    def spread(self) -> float:
        """How far the nodes spread across."""
        return max(self.across) - min(self.across)


@dataclass(frozen=True)
class Order:
    """What does not depend on the orientation: levels and the order of branches."""

    level: list[int]
    arrangement: Arrangement
    ties: dict[int, Ties]
    labelled: dict[int, int]  # [node] the set whose label stands there


def ordered(shape: Skeleton) -> Order:
    """Find the levels and the order of a drawing's nodes."""
    parents = [drawn.parent for drawn in shape.nodes]
    several = [one.members for one in shape.sets if len(one.members) > 1]
    level = levels(parents, several)
    chance = [at for at, drawn in enumerate(shape.nodes) if drawn.kind == CHANCE]
    arrangement = arranged(parents, level, several, chance)
    tied = {height: ties(row) for height, row in arrangement.rows().items()}
    turn = {node: at for at, node in enumerate(arrangement.sequence())}
    labelled = {}
    if several or any(one.several for one in shape.sets):  # else everyone knows everything
        for number, one in enumerate(shape.sets):
            labelled[min(one.members, key=turn.__getitem__)] = number
    return Order(level, arrangement, tied, labelled)


def plan(shape: Skeleton, order: Order, orientation: str, room: float = ROOM) -> DrawingPlan:
    """Give everything its place; no move and no label is wider than ``room``."""
    words = captions(shape, order.labelled, room)
    columns = _columns(words, order.level)
    rooms = [_rooms(shape, order, words, at, orientation) for at in range(len(words))]
    parents = [drawn.parent for drawn in shape.nodes]
    across = places(order.arrangement.sequence(), parents, rooms, orientation == ACROSS)
    fans = _fans(parents, order.level, across)
    needs = _lengths(shape, order.level, words, orientation, columns)
    bands = _bands(order, needs, orientation, fans)
    return DrawingPlan(
        shape,
        orientation,
        words,
        order.level,
        across,
        bands,
        order.ties,
        order.arrangement,
        columns,
        rooms,
    )


def _columns(words: list[Caption], level: list[int]) -> list[list[float]]:
    found: list[list[float]] = [[] for _ in range(max(level) + 1)]
    for caption, at in zip(words, level, strict=True):
        mine = found[at]
        mine += [0.0] * (len(caption.payoffs) - len(mine))
        for player, paid in enumerate(caption.payoffs):
            mine[player] = max(mine[player], width(paid, SIZE))
    return found


def _rooms(
    shape: Skeleton, order: Order, words: list[Caption], at: int, orientation: str
) -> list[Room]:
    """What a node needs in the lanes of the levels that its branch and itself are on."""
    drawn, caption, level = shape.nodes[at], words[at], order.level[at]
    top = order.level[drawn.parent] + 1 if drawn.parent >= 0 else level
    leaf = drawn.kind in (LEAF, FOLDED)
    line = caption.thickness / 2
    if orientation == DOWN:
        half = max(caption.move_width, caption.probability_width) / 2 + 1.5
        if leaf:
            half = max(
                half, caption.payoff_width / 2 + 2, width(caption.folded, SIZE) / 2 + 2, LEAF_ROOM
            )
        run = Room(2 * top, half, half)
        beside = caption.label_width + caption.paid_width + 6 * bool(caption.label and caption.paid)
        after = max(beside + RADIUS + 8, RADIUS + RIM + 2)
        node = Room(2 * level + 1, RADIUS + RIM + 2, after)
    else:
        run = Room(2 * top, LINE - 1 + line, 4.5 + line)
        node = Room(2 * level + 1, RADIUS + RIM + 1, RADIUS + RIM + 1)
    passed = [Room(lane, line + 3, line + 3) for lane in range(2 * top + 1, 2 * level + 1)]
    if orientation == ACROSS and (caption.label or caption.paid):
        low = Room(2 * level, LINE + line, LINE + 2 + line)
        run, passed = (low, passed) if top == level else (run, [*passed[:-1], low])
    return [run, *passed] if leaf else [run, *passed, node]


def _fans(parents: list[int], level: list[int], across: list[float]) -> list[float]:
    """[level] how far, at most, a branch that leads to it goes to the side."""
    found = [0.0] * (max(level) + 1)
    for at, above in enumerate(parents):
        if above >= 0:
            top = level[above] + 1
            found[top] = max(found[top], abs(across[at] - across[above]))
    return found


@dataclass(frozen=True)
class _Lengths:
    """How long the parts of each level must be, for the words in them."""

    run: list[float]
    ends: list[float]
    labels: list[float]


def _lengths(
    shape: Skeleton,
    level: list[int],
    words: list[Caption],
    orientation: str,
    columns: list[list[float]],
) -> _Lengths:
    found = _Lengths(*([0.0] * (max(level) + 1) for _ in range(3)))
    for drawn, caption, at in zip(shape.nodes, words, level, strict=True):
        top = level[drawn.parent] + 1 if drawn.parent >= 0 else at
        if caption.label or caption.paid:
            both = caption.label_width + caption.paid_width + 8 * bool(caption.paid)
            found.labels[at] = max(found.labels[at], both)
        if orientation == DOWN:
            lines = bool(caption.move) + bool(caption.probability)
            length = LINE * lines + 8 * bool(lines)
        else:
            both = caption.move_width + caption.probability_width + 8 * bool(caption.probability)
            length = both + 7 + caption.thickness / 2
        found.run[top] = max(found.run[top], length)
        if drawn.kind in (LEAF, FOLDED):
            length = _end(caption, orientation, columns[at])
            found.ends[at] = max(found.ends[at], length)
    return found


def _bands(order: Order, needs: _Lengths, orientation: str, fans: list[float]) -> list[Band]:
    """The levels one after another, each as long as it must be."""
    least, most, probability = SLANT[orientation]
    bands: list[Band] = []
    at = 0.0
    for level, fan in enumerate(fans):
        tied = order.ties.get(level)
        start = at + (min(max(least, probability * fan), most) if level else 0.0)
        if orientation == DOWN:
            label = LINE + 2 if needs.labels[level] else 0.0
            end = start + needs.run[level]
        else:
            label = 0.0
            end = start + max(needs.run[level], needs.labels[level] + 8)
        kept = needs.ends[level] if tied or orientation == DOWN else 0.0
        clear = RIM + 2 if tied or label else 0.0
        tracks = tied.tracks(BEFORE) * TRACK if tied else 0.0
        node = end + kept + tracks + label + clear + RADIUS + 2
        first = node - RADIUS - clear - label - TRACK / 2
        back = node + RADIUS + RIM + TRACK / 2
        bands.append(Band(start, end, first, node - RADIUS - RIM - 5, node, back))
        behind = tied.tracks(AFTER) if tied else 0
        at = node + (behind * TRACK + RIM if behind else 0.0)
    return bands


def _end(caption: Caption, orientation: str, columns: list[float]) -> float:
    """How far a leaf goes on behind the end of its branch."""
    folded = TRIANGLE + 4 if caption.folded else 0.0
    if orientation == DOWN:
        return folded + LINE * (len(caption.payoffs) + bool(caption.folded)) + 4
    words = width(caption.folded, SIZE) + 6 if caption.folded else 0.0
    return folded + words + sum(columns) + 8 * len(columns) + 4


INDENT = {"down": RADIUS + 4, "across": 2.0}  # before a label: from its node, from its branch's run


def lengthened(plan: DrawingPlan) -> DrawingPlan:
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


def _room_of_payoffs(caption: Caption) -> float:
    """What is paid at the node takes room in the same line."""
    return caption.paid_width + 8 if caption.paid else 0.0


def _along(plan: DrawingPlan) -> dict[int, float]:
    """[labelled node] the room along its branch."""
    found = {}
    for at, caption in enumerate(plan.captions):
        if caption.label:
            band, tied = plan.bands[plan.level[at]], plan.ties.get(plan.level[at])
            end = band.node - RADIUS - RIM - GAP - TRACK * (tied.tracks(BEFORE) if tied else 0)
            if caption.paid:
                end = min(end, band.end - 4)
            found[at] = end - band.run - INDENT[plan.orientation] - _room_of_payoffs(caption)
    return found


def _beside(plan: DrawingPlan) -> dict[int, float]:
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
            found[at] = end - place - INDENT[plan.orientation] - _room_of_payoffs(caption)
    return found
