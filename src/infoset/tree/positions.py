"""Trees as positions, and positions as trees.

:class:`TreePosition` walks a tree move by move. Whatever works on positions alone
(:class:`infoset.rules.position.Position`) then works on trees from files, trees placed by hand, and
payoff tables. A player who moves knows that it is at its information set: that is its view. Of one
who does not move, a tree tells only its last own choice. Both are a :class:`TreeView`, which reads
as the label of the set and is compared by its number.

:class:`SimultaneousPosition` recovers simultaneous moves. In an extensive form these are written
one after the other, the second player not seeing the first one's move. Where a node alone in its
information set has all of its children in one information set of another player, and that set has
no other nodes, the two move simultaneously. Any other information set of several nodes is hidden
information.

:func:`tree_of_position` builds the tree below a position, for games that are not written as rules.
Two decisions are in one information set exactly if the mover's view and its options agree.
Simultaneous moves become decisions in the order of the movers, none of which sees the ones before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.errors import TooLarge, TreeError
from infoset.rules import Position
from infoset.rules.estimate import Outlook, Probes, ground_of
from infoset.rules.moves import CHANCE, LEAF, Lottery, Menu
from infoset.rules.running import CHECK_EVERY, MAX_NODES, Limits
from infoset.rules.seats import Seats, seat
from infoset.text import brief, text
from infoset.tree.knowledge import BETWEEN, NOTHING, labels_of_view, menu_of_view
from infoset.tree.record import Tree
from infoset.tree.views import Infoset, Node


class TreeView(tuple[str, int]):
    """What a player knows at a node of a tree: its information set, or its last own choice.

    It is a pair: ``("at", number)`` of the information set where the player moves, and elsewhere
    ``("after", number)`` of the choice, 0 if it has made none. So two views are equal exactly if
    the player cannot tell them apart. As text it is the label of the set, with its number where
    the player has several that read alike or where it has no label; after a choice, the label of
    the set with what was chosen there.

    Parameters
    ----------
    kind
        ``"at"`` or ``"after"``.
    number
        Of the information set, or of the choice.
    tree
        The tree.
    player
        The number of the player.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> dealt = TreePosition(kuhn().tree()).after("Q K")
    >>> str(dealt.view("gambler")), str(dealt.after("pass").view("gambler"))
    ('Q', 'Q, [pass]')
    """

    _tree: Tree
    _player: int
    _words: str

    def __new__(cls, kind: str, number: int, tree: Tree, player: int) -> TreeView:
        """The words are made when they are asked for: that takes all labels of the tree."""
        made = tuple.__new__(cls, (kind, number))
        made._tree, made._player = tree, player
        return made

    def __str__(self) -> str:
        found: str | None = self.__dict__.get("_words")
        if found is None:
            kind, number = self
            found = self._words = (
                self._name(number) if kind == "at" else self._after(number) if number else NOTHING
            )
        return found

    def _name(self, infoset: int) -> str:
        """The label, with the number where it does not identify the set."""
        label = self._tree.labels[infoset]
        alone = bool(label) and len(self._tree.labelled()[self._player][label]) == 1
        return label if alone else f"{label} #{infoset + 1}".strip()

    def _after(self, choice: int) -> str:
        """The set of a choice, and what was chosen there."""
        choices = self._tree.choices[self._player]
        own = int(choices.owner[choice])
        infoset = int(choices.infosets[own])
        options = distinct_moves(self._tree.infosets[infoset].actions)
        taken, known = options[choice - int(choices.first[own])], self._name(infoset)
        before = "" if known == NOTHING else known + BETWEEN
        return f"{before}[{text(taken)}]"

    def __repr__(self) -> str:
        return f"<View {self[0]} {brief(str(self))!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """With its words and without the tree, so that a player in another process can have it."""
        return _read_view, (*self, str(self))


def _read_view(kind: str, number: int, words: str) -> TreeView:
    """A view as it was sent to another process."""
    made = tuple.__new__(TreeView, (kind, number))
    made._words = words
    return made


class TreePosition:
    """A node of a tree as a position; equal at the same node of the same tree.

    Parameters
    ----------
    tree
        The tree.
    node
        The number of the node; the root, if left out.

    Examples
    --------
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
        """Whether the game has ended here."""
        return bool(self.tree.player[self.node] == LEAF)

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves here: one player, or none; in a tree players move one after the other."""
        number = int(self.tree.player[self.node])
        return (self.tree.names[number],) if number >= 0 else ()

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """What each player gets in all, if the game is over."""
        if not self.over:
            raise TreeError(f"{self.tree.name}: no payoffs yet, the game is not over {self._when}")
        settled = self.tree.settled
        paid = settled.payoffs[int(settled.outcome[self.node])]
        return {name: Fraction(amount) for name, amount in zip(self.tree.names, paid, strict=True)}

    def options(self, player: str | None = None) -> Menu:
        """The legal moves of the mover; options that read alike are numbered."""
        movers = self.movers
        if not movers or player not in (None, *movers):
            said = ", ".join(movers) or "no player"
            raise TreeError(f"{self.tree.name}: {player!r} does not move here, {said} does")
        return moves_at(self.tree, self.node)[0]

    def chances(self) -> tuple[tuple[Hashable, Fraction], ...]:
        """The outcomes of a chance move here, each with its probability; else nothing."""
        if self.tree.player[self.node] != CHANCE:
            return ()
        lottery = self.tree.lotteries[int(self.tree.infoset[self.node])]
        outcomes, _ = moves_at(self.tree, self.node)
        return tuple(zip(outcomes, lottery.probabilities, strict=True))

    def after(self, move: Hashable) -> TreePosition:
        """The position after a move, itself or as it reads."""
        menu, number = moves_at(self.tree, self.node)
        try:
            return self.child(number[move])
        except (KeyError, TypeError):  # TypeError: a move that has no hash
            pass
        listed = ", ".join(map(text, menu)) or "no moves, the game is over"
        raise TreeError(f"{self.tree.name}: {move!r} is not among {brief(listed)} {self._when}")

    def child(self, number: int) -> TreePosition:
        """The position after the move of this number."""
        start, below = self.tree.children
        return TreePosition(self.tree, int(below[int(start[self.node]) + number]))

    def view(self, player: str) -> TreeView:
        """The player's information set, or else its last own choice."""
        tree, number = self.tree, self.tree.player_number(player)
        if int(tree.player[self.node]) == number:
            return TreeView("at", int(tree.infoset[self.node]), tree, number)
        return TreeView("after", int(tree.choices[number].last[self.node]), tree, number)

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


def moves_at(tree: Tree, node: int) -> tuple[Menu, Mapping[Hashable, int]]:
    """The moves at a node, distinct, and the number of each, by itself and as it reads."""
    drawn, number = tree.player[node] == CHANCE, int(tree.infoset[node])
    key = (bool(drawn), number if drawn or number < 0 else int(tree.infoset_menu[number]))
    if key not in tree.moves_by_menu:
        menu = distinct_moves(tree.menu(node))
        numbers: dict[Hashable, int] = {}
        numbers |= {text(move): at for at, move in reversed(list(enumerate(menu)))}
        numbers |= {move: at for at, move in reversed(list(enumerate(menu)))}
        tree.moves_by_menu[key] = (menu, numbers)
    return tree.moves_by_menu[key]


def distinct_moves(menu: Menu) -> Menu:
    """The moves of a menu, numbered where two of them read alike.

    Examples
    --------
    >>> distinct_moves(("left", "right", "left"))
    ('left (1)', 'right', 'left (2)')
    >>> distinct_moves(("left", "left", "left (1)"))  # else two would be called left (1)
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


def infoset_of_view(
    tree: Tree, player: str, view: Hashable, agent: str | None = None
) -> Infoset | None:
    """The information set of a player whose view of a position this is; None if there is none.

    Parameters
    ----------
    tree
        The tree.
    player
        Who moves.
    view
        As ``position.view(mover)`` gives it: of a position of this tree, of the rules, or of an
        engine.
    agent
        Of a team, whose view it is: two agents may know the same.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> dealt = kuhn().position().after("Q K")
    >>> infoset_of_view(kuhn().tree(), "gambler", dealt.view("gambler")).label
    'Q'
    """
    number, known = tree.player_number(player), tree.knowing
    if isinstance(view, tuple) and len(view) == 2 and view[0] == "at" and type(view[1]) is int:
        own = view[1] < len(tree.infosets) and tree.infoset_player[view[1]] == number
        return Infoset(tree, view[1]) if own and view[1] >= 0 else None
    agents = (agent,) if agent is not None else () if known is None else known.agents
    prefixes = ("", *(f"{name}: " for name in agents))
    by_label, menu = tree.labelled()[number], menu_of_view(view)
    found = [
        Infoset(tree, index)
        for prefix in prefixes
        for label in labels_of_view(view)
        for index in by_label.get(prefix + label, ())
        if menu is None or tree.infosets[index].actions == menu
    ]
    if len(found) > 1 and known is not None and menu is not None:  # facts that read alike
        steps = [what for kind, what in view if kind != "offered"]  # type: ignore[attr-defined]
        found = [
            one
            for one in found
            if [word.value for word in known.words(int(known.state[one.index]))] == steps
        ]
    return found[0] if len(found) == 1 else None


class SimultaneousPosition(TreePosition):
    """A node of a tree as a position with simultaneous moves.

    Examples
    --------
    >>> from infoset.games import matching_pennies
    >>> start = SimultaneousPosition(matching_pennies().tree())
    >>> len(start.movers), start.after(("heads", "tails")).over
    (2, True)
    """

    __slots__ = ("joined",)

    def __init__(
        self, tree: Tree, node: int = 0, joined: npt.NDArray[np.bool_] | None = None
    ) -> None:
        """At a node; ``joined`` are the nodes with simultaneous moves, if known already."""
        super().__init__(tree, node)
        self.joined = joins(tree) if joined is None else joined

    @property
    def movers(self) -> tuple[str, ...]:
        """Who moves here: the node's player, and the one that does not see it."""
        above = super().movers
        return above + super().child(0).movers if self.joined[self.node] else above

    def options(self, player: str | None = None) -> Menu:
        """The legal moves of a player who moves; options that read alike are numbered."""
        movers = self.movers
        if len(movers) < 2 or player not in movers:
            return super().options(player)
        at = self.node if player == movers[0] else super().child(0).node
        return moves_at(self.tree, at)[0]

    def after(self, move: Any) -> SimultaneousPosition:
        """The position after a move; a simultaneous move is a pair in the order of the movers."""
        if not self.joined[self.node]:
            return self._at(super().after(move))
        if not isinstance(move, tuple) or len(move) != 2:
            raise TreeError(
                f"{self.tree.name}: give a pair of moves, for {' and '.join(self.movers)},"
                f" not {text(move)}"
            )
        first = TreePosition(self.tree, self.node).after(move[0])
        return self._at(first.after(move[1]))

    def child(self, number: int) -> SimultaneousPosition:
        """The position after the first mover's move of this number."""
        return self._at(super().child(number))

    def view(self, player: str) -> TreeView:
        """The player's information set, or else its last own choice."""
        movers = self.movers
        if len(movers) == 2 and player == movers[1]:
            return TreePosition(self.tree, super().child(0).node).view(player)
        return super().view(player)

    def _at(self, position: TreePosition) -> SimultaneousPosition:
        return SimultaneousPosition(self.tree, position.node, self.joined)


def joins(tree: Tree) -> npt.NDArray[np.bool_]:
    """[node] whether two players move simultaneously here."""
    start, _ = tree.children
    first, member = tree.members
    sizes = np.diff(first)
    joined = np.zeros(len(tree), np.bool_)
    for infoset in np.flatnonzero(sizes > 1).tolist():
        nodes = member[first[infoset] : first[infoset + 1]]
        above = np.unique(tree.parent[nodes])
        if len(above) > 1 or above[0] < 0:
            continue
        node = int(above[0])
        mover = int(tree.player[node])
        if mover < 0 or mover == int(tree.infoset_player[infoset]):
            continue
        alone = sizes[tree.infoset[node]] == 1
        joined[node] = alone and start[node + 1] - start[node] == len(nodes)
    return joined


def hidden(tree: Tree, joined: npt.NDArray[np.bool_] | None = None) -> Infoset | None:
    """The first information set that hides more than a simultaneous move, or None.

    Examples
    --------
    >>> from infoset.games import kuhn, matching_pennies
    >>> hidden(matching_pennies().tree()) is None, hidden(kuhn().tree()).player
    (True, 'gambler')
    """
    joined = joins(tree) if joined is None else joined
    first, member = tree.members
    for infoset in np.flatnonzero(np.diff(first) > 1).tolist():
        if not joined[tree.parent[member[first[infoset]]]]:
            return Infoset(tree, infoset)
    return None


class _Growth:
    """Columns and tables of a tree while it is built."""

    def __init__(self, seats: Seats) -> None:
        self.seats = seats
        self.rows: list[tuple[int, int, int, int, int]] = []
        self.infosets: dict[tuple[str, Hashable, Menu], int] = {}
        self.menus: dict[Menu, int] = {}
        self.lotteries: dict[Lottery, int] = {}
        self.payoffs: dict[tuple[Fraction, ...], int] = {}

    def decision(self, position: Position, mover: str) -> tuple[int, int, Menu]:
        """The player, information set and menu of a mover."""
        menu = tuple(position.options(mover))
        self.menus.setdefault(menu, len(self.menus))
        number = self.infosets.setdefault((mover, position.view(mover), menu), len(self.infosets))
        return self.seats.player(mover), number, menu


def tree_of_position(
    position: Position,
    players: Seats | Sequence[str] | Mapping[str, Sequence[str]],
    name: str,
    max_nodes: int = MAX_NODES,
    progress: Callable[[int], None] | None = None,
) -> Tree:
    """The extensive form of everything that can follow a position.

    Parameters
    ----------
    position
        The root.
    players
        Names in order, or a mapping of teams to their agents, as a game declares them.
    name
        Of the tree.
    max_nodes
        Give up past this many nodes.
    progress
        Called with the number of nodes so far, now and then.

    Returns
    -------
    Tree
        The tree.

    Raises
    ------
    TooLarge
        Past ``max_nodes``, or if memory runs out.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> dealt = kuhn().position().after("J Q")
    >>> tree_of_position(dealt, kuhn().players, "kuhn after J Q")
    <Tree of kuhn after J Q: 9 nodes, 4 information sets, 2 players>
    """
    seats = players if isinstance(players, Seats) else seat(players)
    growth = _Growth(seats)
    rows = growth.rows
    # Still to visit: the position, what the movers before have chosen, the parent, its action.
    waiting: list[tuple[Position, tuple[Hashable, ...], int, int]] = [(position, (), -1, -1)]
    limits = Limits(max_nodes, progress=progress)
    outlook = Outlook(Probes(name, ground_of(position), limits))
    checkpoint = CHECK_EVERY
    while waiting:
        here, chosen, above, taken = waiting.pop()
        node = len(rows)
        if node >= outlook.until:
            outlook.look(node + 1)
        if node >= checkpoint:
            checkpoint = node + CHECK_EVERY
            try:
                limits.check_memory(node)
            except TooLarge as large:
                raise TooLarge(f"{name}: {large}") from None
        movers = here.movers
        if here.over:
            vector = tuple(Fraction(here.payoffs[player]) for player in seats.players)
            number = growth.payoffs.setdefault(vector, len(growth.payoffs))
            rows.append((above, taken, LEAF, -1, number))
        elif not movers:
            outcomes, chances = zip(*here.chances(), strict=True)
            lottery = Lottery(outcomes, chances)
            number = growth.lotteries.setdefault(lottery, len(growth.lotteries))
            rows.append((above, taken, CHANCE, number, -1))
            backwards = range(len(outcomes) - 1, -1, -1)
            waiting += [(here.after(outcomes[j]), (), node, j) for j in backwards]
        else:
            player, infoset, menu = growth.decision(here, movers[len(chosen)])
            rows.append((above, taken, player, infoset, -1))
            last = len(chosen) + 1 == len(movers)
            for j in range(len(menu) - 1, -1, -1):
                moves = (*chosen, menu[j])
                if last:
                    after = here.after(moves if len(moves) > 1 else menu[j])
                    waiting.append((after, (), node, j))
                else:
                    waiting.append((here, moves, node, j))
    return _finished(growth, name)


def _finished(growth: _Growth, name: str) -> Tree:
    table = np.array(growth.rows, np.int32)
    keys, seats = list(growth.infosets), growth.seats
    partner = {name: seats.player_of.count(seats.player(name)) > 1 for name in seats.agents}
    return Tree(
        name=name,
        players=seats.players,
        parent=table[:, 0].copy(),
        action=table[:, 1].copy(),
        player=table[:, 2].astype(np.int8),
        infoset=table[:, 3].copy(),
        outcome=table[:, 4].copy(),
        infoset_player=np.array([seats.player(mover) for mover, _, _ in keys], np.int8),
        infoset_menu=np.array([growth.menus[menu] for _, _, menu in keys], np.int32),
        menus=tuple(growth.menus),
        labels=tuple(f"{mover}: " * partner[mover] + text(view) for mover, view, _ in keys),
        lotteries=tuple(growth.lotteries),
        payoffs=tuple(growth.payoffs),
    )
