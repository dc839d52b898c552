"""What a search with perfect information finds."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class PerfectResult:
    """The value of a position, what to do there, and the work.

    Examples
    --------
    >>> from infoset.games import tic_tac_toe
    >>> from infoset.search import search_perfect
    >>> found = search_perfect(tic_tac_toe().position().after("a1").after("b1"))
    >>> found.player, found.value, found.complete
    ('cross', Fraction(1, 1), True)
    >>> found.move == found.line[0]
    True
    """

    player: str  # whose payoff the value is
    value: Fraction | None  # None if the search was stopped before it had one
    move: Hashable | None  # the best move of who moves here; None at chance moves and at the end
    line: tuple[Hashable, ...]  # the best moves from here on, to the next chance move at most
    payoffs: dict[str, Fraction]  # by player whose payoff is known: max-n has all
    complete: bool  # is the value right, or does it depend on an evaluator or on more time?
    depth: int  # moves ahead of the last finished search; of a complete one, its longest line
    nodes: int  # positions visited, leaves among them
    hits: int  # positions answered by the table
    seconds: float

    def __str__(self) -> str:
        known = "" if self.complete else f", by a search {self.depth} moves deep"
        moves = f"; best: {' '.join(map(str, self.line))}" if self.line else ""
        value = "unknown" if self.value is None else self.value
        return f"{self.player}: {value}{known}{moves} ({self.nodes:,} positions)"
