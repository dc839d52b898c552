"""What runs for all deals leave behind, and what they are made of: blocks of nodes, steps."""

from __future__ import annotations

from typing import Any

from infoset.rules.columns import CHANCE
from infoset.rules.late.lines import Line
from infoset.rules.late.worlds import Worlds
from infoset.rules.moves import Menu

LOOK = -3  # a step of the script that makes no node


class Block:
    """Nodes that one run makes at once, one for each of its worlds."""

    __slots__ = ("kind", "lines", "menu", "minds", "option", "parent", "what", "worlds")

    def __init__(
        self, kind: int, worlds: Worlds, parent: Block | None, option: int, lines: tuple[Line, ...]
    ) -> None:
        self.kind = kind  # the agent who moves; CHANCE; or LEAF
        self.worlds = worlds
        self.parent = parent
        self.option = option  # of a decision above: the one that leads here
        self.lines = lines  # [agent] what everyone knows
        self.minds = lines  # [agent] the same before the mover forgets (``knowing=``)
        self.menu: Menu = ()
        self.what: Any = None  # of chance: the draw; of a leaf: payoffs, plain or hidden


class Frame:
    """A step of the script."""

    __slots__ = ("after", "answers", "at", "block", "count", "kind")

    def __init__(self, kind: int, answers: Any, after: Any, block: Block | None) -> None:
        self.kind = kind  # the agent; CHANCE; or LOOK
        self.answers = answers  # [option] what the rules are told
        self.after = after  # [option] the worlds then; one for all, unless it is a look
        self.at = 0
        self.count = 1 if kind == CHANCE else len(answers)
        self.block = block

    @property
    def worlds(self) -> Worlds:
        """Those after what was chosen."""
        found: Worlds = self.after[self.at] if self.kind == LOOK else self.after
        return found
