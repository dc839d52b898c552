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
    unlike = _numeric(shape)
    for at, drawn in enumerate(shape.nodes):
        label = shape.sets[labelled[at]].label if at in labelled else ""
        found.append(
            Caption(
                move=shortened(drawn.move, SIZE, room),
                share=_share(shape, drawn, drawn.parent in unlike),
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


def _share(shape: Skeleton, drawn: Drawn, apart: bool) -> str:
    """How likely a move is; in parentheses where it must be told apart from the move."""
    if drawn.share is None or drawn.parent < 0:
        return ""
    if shape.nodes[drawn.parent].kind == CHANCE and drawn.share == 1:
        return ""  # it is certain
    return f"({amount(drawn.share)})" if apart else amount(drawn.share)


def _payoffs(drawn: Drawn) -> tuple[str, ...]:
    more = ("…",) if len(drawn.payoffs) > FEW_PLAYERS else ()
    return drawn.payoffs[:FEW_PLAYERS] + more


def _paid(drawn: Drawn, room: float) -> str:
    return shortened("+ " + ", ".join(_payoffs(drawn)), SMALL, room) if drawn.payoffs else ""


def _folded(drawn: Drawn) -> str:
    if drawn.kind != FOLDED:
        return ""
    return f"{drawn.stands_for:,} node{'s' * (drawn.stands_for != 1)}"
