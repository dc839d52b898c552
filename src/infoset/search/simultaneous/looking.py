"""Is anything hidden? Two positions that look alike to the player who moves there say so.

A search without information sets is right only where every player knows where the play stands, but
for the moves being made at the same time. A position tells what each player sees of it. Every
stage that a search comes to is noted by what its movers see; if another stage looks the same, the
game hides something. Before a search starts, a look at the first few thousand positions finds
almost all that do.

Kept are not the views but fingerprints of 64 bits. Python's own hashes would confuse −1 and −2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Any

from infoset.rules import Position, StagePosition
from infoset.rules.position import ReplayPosition
from infoset.rules.story import text
from infoset.search.simultaneous.ground import Ground, hides
from infoset.tree.labels import known
from infoset.tree.together import TogetherPosition

AHEAD = 3000  # positions that are looked at before a search starts
GLANCE = 300  # by the rules of a game that is then searched over whole numbers
MINUS_ONE = 0x9E3779B97F4A7C15 >> 3  # stands for −1, whose hash is that of −2


def fingerprint(value: Any) -> int:
    """A number that tells values apart, equal for equal ones.

    >>> hash((-1,)) == hash((-2,)), fingerprint((-1,)) == fingerprint((-2,))
    (True, False)
    """
    if isinstance(value, tuple):
        return hash(tuple(map(fingerprint, value)))
    if isinstance(value, frozenset):
        return hash(frozenset(map(fingerprint, value)))
    return MINUS_ONE if value == -1 else hash(value)


class Lookout:
    """Which stage looks like what to whom, as far as a search has come."""

    def __init__(self, ground: Ground, start: Position | None = None) -> None:
        """Stages over whole numbers do not tell what is seen, and those of trees hide nothing."""
        self.ground = ground
        self.start = ground.start if start is None else start
        self.needed = not isinstance(self.start, StagePosition | TogetherPosition)
        self.seen: dict[tuple[str, int], int] = {}

    def note(self, position: Position) -> None:
        """Note a stage, and refuse the game if another one looks the same."""
        if not self.needed:
            return
        own = identity(position, self.ground.players)
        for mover in position.movers:
            view = position.view(mover)
            if self.seen.setdefault((mover, fingerprint(view)), own) != own:
                raise hides(self.ground.name, mover, seen(position, view))

    def ahead(self, most: int = AHEAD) -> None:
        """Look at the positions nearest to the start."""
        waiting = deque([self.start] if self.needed else [])
        looked = 0
        while waiting and looked < most:
            position = waiting.popleft()
            looked += 1
            if position.over:
                self.ground.payoff(position)
            elif position.movers:
                self.note(position)
                stage = self.ground.stage(position)
                room = most - looked - len(waiting)
                cells = len(stage.rows) * len(stage.columns)
                for cell in range(min(cells, max(room, 0))):
                    waiting.append(stage.after(*divmod(cell, len(stage.columns))))
            else:
                waiting.extend(position.after(outcome) for outcome, _ in position.chances())


def identity(position: Position, players: tuple[str, ...]) -> int:
    """The same for the same place in the game.

    A position that does not define when it equals another is taken to be what its players see.
    """
    if isinstance(position, ReplayPosition):
        return fingerprint(position.moves)
    if isinstance(position, Hashable) and type(position).__eq__ is not object.__eq__:
        return hash(position)
    return fingerprint(tuple(position.view(player) for player in players))


def seen(position: Position, view: Any) -> str:
    """What a player sees, in the words of a tree's label where the rules tell it."""
    return known(view) if isinstance(position, ReplayPosition) else text(view)


GLANCED: set[str] = set()  # games over whole numbers at whose rules someone has looked


def glance(ground: Ground) -> None:
    """See by the rules of a game whether something is hidden that its stages do not tell."""
    name = ground.source.name
    if isinstance(ground.start, StagePosition) and name not in GLANCED:
        Lookout(ground, ground.source.start).ahead(GLANCE)
        GLANCED.add(name)
