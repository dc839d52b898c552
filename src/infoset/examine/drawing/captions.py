"""The words of a drawing, as short as they will be drawn, with the room that they take."""

from __future__ import annotations

import math
from dataclasses import dataclass

from infoset.examine.drawing.lettering import amount, shortened, width
from infoset.examine.drawing.skeleton import FEW_PLAYERS, FOLDED, Drawn, Skeleton
from infoset.rules.columns import CHANCE, LEAF

SIZE = 11.0  # of moves, probabilities and payoffs, in pixels
SMALL = 10.0  # of what players know


@dataclass(frozen=True)
class Caption:
    """What is written at a node."""

    move: str
    share: str  # how likely the move is
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
    def share_width(self) -> float:
        """Of its probability."""
        return width(self.share, SIZE)

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
    for at, drawn in enumerate(shape.nodes):
        label = shape.sets[labelled[at]].label if at in labelled else ""
        found.append(
            Caption(
                move=shortened(drawn.move, SIZE, room),
                share=_share(shape, drawn),
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


def _share(shape: Skeleton, drawn: Drawn) -> str:
    if drawn.share is None or drawn.parent < 0:
        return ""
    certain = shape.nodes[drawn.parent].kind == CHANCE and drawn.share == 1
    return "" if certain else amount(drawn.share)


def _payoffs(drawn: Drawn) -> tuple[str, ...]:
    more = ("…",) if len(drawn.payoffs) > FEW_PLAYERS else ()
    return drawn.payoffs[:FEW_PLAYERS] + more


def _paid(drawn: Drawn, room: float) -> str:
    return shortened("+ " + ", ".join(_payoffs(drawn)), SMALL, room) if drawn.payoffs else ""


def _folded(drawn: Drawn) -> str:
    if drawn.kind != FOLDED:
        return ""
    return f"{drawn.stands_for:,} node{'s' * (drawn.stands_for != 1)}"
