"""A tree walked move by move, as a game that is given by its rules is walked.

Whatever works on positions alone (:class:`infoset.rules.position.Position`) then works on trees
from files, trees placed by hand, and payoff tables. A player who moves knows that it is at its
information set: that is its view. Of one who does not move, a tree tells only what it did last.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from infoset.errors import TreeError
from infoset.rules.columns import CHANCE, LEAF
from infoset.rules.moves import Menu
from infoset.rules.story import brief, text
from infoset.tree.record import Tree
from infoset.tree.views import Node


class TreePosition:
    """A node of a tree as a position; equal at the same node of the same tree.

    >>> from infoset.games import kuhn
    >>> start = TreePosition(kuhn().tree())
    >>> dealt = start.after(start.chances()[0][0])
    >>> dealt.movers, dealt.options("gambler")
    (('gambler',), ('pass', 'bet'))
    >>> dealt.after("bet").after("pass").payoffs
    {'gambler': Fraction(1, 1), 'dealer': Fraction(-1, 1)}
    """

    __slots__ = ("node", "tree")

    def __init__(self, tree: Tree, node: int = 0) -> None:
        """At a node, given by its number; at the root if it is left out."""
        self.tree = tree
        self.node = node

    @property
    def over(self) -> bool:
        """Has the game ended here?"""
        return bool(self.tree.player[self.node] == LEAF)

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves here: one player, or nobody; in a tree players move one after the other."""
        number = int(self.tree.player[self.node])
        return (self.tree.names[number],) if number >= 0 else ()

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """What each player gets, all that is paid along the play, when the game is over."""
        if not self.over:
            raise TreeError(f"{self.tree.name}: no payoffs yet, the game is not over {self._when}")
        settled = self.tree.settled
        paid = settled.payoffs[int(settled.outcome[self.node])]
        return {name: Fraction(amount) for name, amount in zip(self.tree.names, paid, strict=True)}

    def options(self, player: str | None = None) -> Menu:
        """What the mover may choose from; options that read alike are numbered."""
        movers = self.movers
        if not movers or player not in (None, *movers):
            said = ", ".join(movers) or "nobody"
            raise TreeError(f"{self.tree.name}: {player!r} does not move here, {said} does")
        return told_apart(self.tree.menu(self.node))

    def chances(self) -> tuple[tuple[Hashable, Fraction], ...]:
        """What nature may do here, each with its probability; nothing where a player moves."""
        if self.tree.player[self.node] != CHANCE:
            return ()
        lottery = self.tree.lotteries[int(self.tree.infoset[self.node])]
        return tuple(zip(told_apart(lottery.outcomes), lottery.probabilities, strict=True))

    def after(self, move: Hashable) -> TreePosition:
        """The position after a move, itself or as it reads."""
        menu = told_apart(self.tree.menu(self.node))
        for moves in (menu, tuple(map(text, menu))):
            if move in moves:
                return self.child(moves.index(move))
        listed = ", ".join(map(text, menu)) or "no moves, the game is over"
        raise TreeError(f"{self.tree.name}: {move!r} is not among {brief(listed)} {self._when}")

    def child(self, number: int) -> TreePosition:
        """The position after the move of this number."""
        start, below = self.tree.children
        return TreePosition(self.tree, int(below[int(start[self.node]) + number]))

    def view(self, player: str) -> tuple[str, int]:
        """Where the player knows to be: its information set, or else after its last own choice."""
        number = self.tree.player_number(player)
        if int(self.tree.player[self.node]) == number:
            return ("at", int(self.tree.infoset[self.node]))
        return ("after", int(self.tree.choices[number].last[self.node]))

    @property
    def _when(self) -> str:
        return f"after {Node(self.tree, self.node)}" if self.node else "at the start"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TreePosition) and self.tree is other.tree and self.node == other.node
        )

    def __hash__(self) -> int:
        return hash((id(self.tree), self.node))

    def __repr__(self) -> str:
        return f"<Position of {brief(self.tree.name)}: {Node(self.tree, self.node)}>"


def told_apart(menu: Menu) -> Menu:
    """The moves of a menu, numbered where a file names two of them alike.

    >>> told_apart(("left", "right", "left"))
    ('left (1)', 'right', 'left (2)')
    >>> told_apart(("left", "left", "left (1)"))  # where that would name two of them alike again
    ('left (1)', 'left (2)', 'left (1) (3)')
    """
    if len(set(menu)) == len(menu):
        return menu
    apart = tuple(
        move if menu.count(move) == 1 else f"{text(move)} ({menu[: at + 1].count(move)})"
        for at, move in enumerate(menu)
    )
    if len(set(apart)) == len(menu):
        return apart
    return tuple(f"{text(move)} ({at})" for at, move in enumerate(menu, 1))
