"""The extensive form as one frozen record of flat arrays.

Nodes are numbered in depth-first order, so parents come before their children: what depends on the
past (reach, own sequences) is one pass forward, what depends on the future (values) one backward.

    parent[i]    int32   the node above; -1 at the root, which is node 0
    action[i]    int32   which of the parent's actions leads here; -1 at the root
    player[i]    int8    who moves; CHANCE; or LEAF, where the game is over
    infoset[i]   int32   a decision's information set; a chance node's lottery; -1 at a leaf
    outcome[i]   int32   what is paid when the play comes here, an index into ``payoffs``; or -1

Rules pay at leaves only; files and trees placed by hand may pay anywhere, and a play's payoffs are
the sum along its path. :attr:`Tree.settled` is the same game with everything paid at the leaves.

Information sets and lotteries are numbered in the order in which the nodes meet them.

The two ingredients of every expected payoff, the probability of chance moves on the way to each
node and the payoffs of each leaf, are kept as integers over common denominators: exact, with floats
where speed matters (:class:`infoset.linear.numbers.Numbers`).
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from infoset.errors import InfosetError, nearest
from infoset.linear.numbers import ROOM, Array, Index, Numbers, fitted, multiplied
from infoset.rules.moves import CHANCE, LEAF, Lottery, Menu, Payoffs
from infoset.text import brief, digest_text, label_among, text
from infoset.tree import facts
from infoset.tree.choices import Choices, choices
from infoset.tree.facts import Counts, Fact
from infoset.tree.knowledge import Knowing, knowledge_labels
from infoset.tree.views import Infoset, Node, Views

if TYPE_CHECKING:
    from infoset.display.drawing import Drawing
    from infoset.rules import Game


Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A game in extensive form; made by :meth:`Game.tree`, a file, or a :class:`Builder`.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> tree = kuhn().tree()
    >>> tree
    <Tree of kuhn(): 55 nodes, 12 information sets, 2 players>
    >>> tree.root.actions[0], len(tree.infosets), tree.find("dealer", "Q, bet").actions
    ((Card(0, 0, 'J', ''), Card(1, 0, 'Q', '')), 12, ('pass', 'bet'))
    """

    name: str
    players: tuple[str, ...]
    parent: Ints
    action: Ints
    player: Bytes
    infoset: Ints
    outcome: Ints
    infoset_player: Bytes  # [infoset] who moves there
    infoset_menu: Ints  # [infoset] what it may choose from, an index into menus
    menus: tuple[Menu, ...]
    labels: Sequence[str]  # [infoset] what the player knows, in words
    lotteries: tuple[Lottery, ...]
    payoffs: tuple[Payoffs, ...]
    comment: str = ""
    outcome_names: tuple[str, ...] = ()  # [payoffs] or empty: none has a name
    node_names: Mapping[int, str] = field(default_factory=dict)  # of those that have one
    knowing: Knowing | None = None  # what everyone knows at each decision, if rules told it
    game: Game | None = None  # the rules of which this is the whole tree; in this process only

    def __post_init__(self) -> None:
        columns = (self.parent, self.action, self.player, self.infoset, self.outcome)
        _freeze(*columns, self.infoset_player, self.infoset_menu)

    def __getstate__(self) -> dict[str, Any]:
        """Without the rules, which other processes need not have."""
        return {**self.__dict__, "game": None}

    # ------------------------------------------------------------------ views for people

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.parent)

    @property
    def root(self) -> Node:
        """Where every play begins."""
        return Node(self, 0)

    @property
    def nodes(self) -> Views[Node]:
        """All nodes, parents before children."""
        return Views(lambda index: Node(self, index), len(self.parent))

    @property
    def infosets(self) -> Views[Infoset]:
        """All information sets, in the order in which the nodes meet them."""
        return Views(lambda index: Infoset(self, index), len(self.infoset_player))

    @property
    def leaves(self) -> Iterator[Node]:
        """The nodes at which the game is over."""
        return (Node(self, int(index)) for index in np.flatnonzero(self.player == LEAF))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names, filled in where a file leaves them empty and numbered if repeated."""
        names: list[str] = []
        for number, player in enumerate(self.players, 1):
            name = player or f"player {number}"
            while name in names or (name != player and name in self.players):
                name = f"{name} ({number})"
            names.append(name)
        return tuple(names)

    def infosets_of(self, player: str) -> list[Infoset]:
        """The information sets of one player.

        Parameters
        ----------
        player
            By name.

        Returns
        -------
        list of Infoset
            In the order in which the nodes meet them.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> [infoset.label for infoset in tree.infosets_of("gambler")][:2]
        ['J', 'J, [pass], bet']
        """
        number = self.player_number(player)
        return [Infoset(self, int(i)) for i in np.flatnonzero(self.infoset_player == number)]

    def find(self, player: str, label: str) -> Infoset:
        """The information set of a player with this label.

        Parameters
        ----------
        player
            By name.
        label
            What the player knows, as ``infoset.label`` reads.

        Returns
        -------
        Infoset
            The only one with this label.

        Raises
        ------
        InfosetError
            If there is none, or several.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> kuhn().tree().find("gambler", "Q, [pass], bet").actions
        ('pass', 'bet')
        """
        mine = self.labelled()[self.player_number(player)]
        numbers_of = mine.get(label_among(label, mine), ())
        found = [Infoset(self, number) for number in numbers_of]
        if not found:
            hint = nearest(label, mine)
            raise InfosetError(f"{self.name}: {player!r} has no information set {label!r}; {hint}")
        if len(found) > 1:
            numbers = ", ".join(f"tree.infosets[{infoset.index}]" for infoset in found[:6])
            numbers += ", …" if len(found) > 6 else ""
            several = f"{len(found)} information sets of {player!r} read {label!r}"
            raise InfosetError(f"{self.name}: {several}: {numbers}")
        return found[0]

    def labelled(
        self, spelled: Callable[[str], str] | None = None
    ) -> tuple[Mapping[str, Sequence[int]], ...]:
        """[player] the numbers of its information sets by label.

        Parameters
        ----------
        spelled
            A function of a label, by which to find it instead. The table is made once for each
            such function, since writing all labels takes long in large trees.

        Returns
        -------
        tuple of mappings
            By player, from labels to numbers of information sets.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> gambler, dealer = tree.labelled()
        >>> gambler["Q"]
        [6]
        """
        if spelled not in self._labelled:
            tables: tuple[dict[str, list[int]], ...] = tuple({} for _ in self.players)
            if spelled is None:
                for number, owner in enumerate(self.infoset_player.tolist()):
                    tables[owner].setdefault(self.labels[number], []).append(number)
            else:
                for table, known in zip(tables, self.labelled(), strict=True):
                    for label, numbers in known.items():
                        table.setdefault(spelled(label), []).extend(numbers)
            self._labelled[spelled] = tables
        return self._labelled[spelled]

    @cached_property
    def moves_by_menu(self) -> dict[tuple[bool, int], tuple[Menu, dict[Any, int]]]:
        """By chance move or not, and number: what :func:`infoset.tree.positions.moves_at` found."""
        return {}

    @cached_property
    def _labelled(self) -> dict[Any, tuple[dict[str, list[int]], ...]]:
        """The tables of labels, by their spelling."""
        return {}

    def player_number(self, player: str) -> int:
        """The number of a player.

        Parameters
        ----------
        player
            By name.

        Returns
        -------
        int
            From 0, in the order of the players.

        Raises
        ------
        InfosetError
            If there is no such player.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> tree.player_number("dealer")
        1
        """
        try:
            return self.names.index(player)
        except ValueError:
            hint = nearest(player, self.names)
            raise InfosetError(f"{self.name}: no player {player!r}; {hint}") from None

    def menu(self, node: int) -> Menu:
        """The actions at a node: options, or outcomes of chance; none at a leaf.

        Parameters
        ----------
        node
            The node's number.

        Returns
        -------
        tuple
            In the order of the node's children.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> tree.menu(1)
        ('pass', 'bet')
        """
        kind, number = int(self.player[node]), int(self.infoset[node])
        if kind == LEAF:
            return ()
        if kind == CHANCE:
            return self.lotteries[number].outcomes
        return self.menus[int(self.infoset_menu[number])]

    def __repr__(self) -> str:
        counted = (
            (len(self), "node"),
            (len(self.infoset_player), "information set"),
            (len(self.players), "player"),
        )
        sizes = ", ".join(f"{count:,} {what}{'s' * (count != 1)}" for count, what in counted)
        return f"<Tree of {brief(self.name)}: {sizes}>"

    def __str__(self) -> str:
        from infoset.tree.outline import draw

        return draw(self)

    def draw(self, file: str | Path | None = None, **options: Any) -> Drawing:
        """A picture of the tree.

        Parameters
        ----------
        file
            Where to write it: svg, png, pdf or tex, by its suffix.
        options
            ``orientation`` ("down", "across"), ``theme`` ("light", "dark", "auto"), ``fold``,
            ``most``, the nodes above which it is folded, and ``title``, a text or False for none.

        Returns
        -------
        Drawing
            Which notebooks display.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> tree.draw(orientation="across").svg[:4]
        '<svg'
        """
        from infoset.display.show import draw

        return draw(self, file, **options)

    def _repr_svg_(self) -> str | None:
        from infoset.display.show import tree_svg

        return tree_svg(self)

    # ------------------------------------------------------------------ what is true of it

    @cached_property
    def counts(self) -> Counts:
        """Nodes by kind, information sets, depth, branching."""
        return facts.counts(self)

    @cached_property
    def perfect_information(self) -> Fact:
        """Whether every player always knows at which node it is."""
        return facts.perfect_information(self)

    @cached_property
    def perfect_recall(self) -> Fact:
        """Whether every player has perfect recall; if not, where one has not."""
        for player in self.names:
            fact = self.recall(player)
            if not fact:
                return fact
        return Fact(True, "every player reaches its information sets by one own sequence each")

    def recall(self, player: str) -> Fact:
        """Whether a player has perfect recall.

        Parameters
        ----------
        player
            By name.

        Returns
        -------
        Fact
            True or false, with the reason: what the player forgets, and where.

        Examples
        --------
        >>> from infoset.games import absent_minded
        >>> bool(absent_minded().tree().recall("one"))
        False
        """
        number = self.player_number(player)
        if number not in self._recalled:
            self._recalled[number] = facts.recall(self, number)
        return self._recalled[number]

    @cached_property
    def _recalled(self) -> dict[int, Fact]:
        """Facts about recall, by player."""
        return {}

    @cached_property
    def absent_minded(self) -> Fact:
        """Whether a play can meet an information set twice."""
        imperfect = [n for n, player in enumerate(self.names) if not self.recall(player)]
        return facts.absent_minded(self, imperfect)

    @cached_property
    def zero_sum(self) -> Fact:
        """Whether the payoffs of every play sum to zero."""
        return facts.zero_sum(self)

    @cached_property
    def constant_sum(self) -> Fact:
        """Whether the payoffs of all plays have the same sum."""
        return facts.constant_sum(self)

    def sequences(self, player: str) -> int:
        """The number of a player's sequences, the empty one included.

        Parameters
        ----------
        player
            By name.

        Returns
        -------
        int
            One more than the actions at all of its information sets.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> tree.sequences("gambler")
        13
        """
        return facts.sequences(self, self.player_number(player))

    def pure_strategies(self, player: str) -> int:
        """The number of a player's pure strategies.

        Parameters
        ----------
        player
            By name.

        Returns
        -------
        int
            The product of the numbers of actions at all of its information sets.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> tree.pure_strategies("gambler")
        64
        """
        return facts.pure_strategies(self, self.player_number(player))

    def reduced_strategies(self, player: str) -> int | None:
        """The number of a player's reduced pure strategies.

        These leave out what the player would do at information sets that its own earlier choices
        exclude.

        Parameters
        ----------
        player
            By name.

        Returns
        -------
        int or None
            None if counting takes too long.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> tree = kuhn().tree()
        >>> tree.reduced_strategies("gambler")
        27
        """
        return facts.reduced_strategies(self, self.player_number(player))

    # ------------------------------------------------------------------ derived arrays

    @cached_property
    def children(self) -> tuple[Ints, Ints]:
        """``(start, child)``: the children of node i are ``child[start[i]:start[i + 1]]``."""
        count = len(self)
        child = np.argsort(self.parent[1:], kind="stable").astype(np.int32) + np.int32(1)
        start = np.zeros(count + 1, np.int32)
        np.cumsum(np.bincount(self.parent[1:], minlength=count), out=start[1:])
        _freeze(start, child)
        return start, child

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """The nodes at each depth, from the root down."""
        start, child = self.children
        found = [np.zeros(1, np.int32)]
        while True:
            above = found[-1]
            sizes = start[above + 1] - start[above]
            total = int(sizes.sum())
            if not total:
                _freeze(*found)
                return tuple(found)
            skip = np.repeat(start[above] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
            found.append(child[skip + np.arange(total)])

    @cached_property
    def members(self) -> tuple[Ints, Ints]:
        """``(start, node)``: the nodes of information set i are ``node[start[i]:start[i + 1]]``."""
        decisions = np.flatnonzero(self.player >= 0).astype(np.int32)
        sets = self.infoset[decisions]
        start = np.zeros(len(self.infoset_player) + 1, np.int32)
        np.cumsum(np.bincount(sets, minlength=len(start) - 1), out=start[1:])
        nodes = decisions[np.argsort(sets, kind="stable")]
        _freeze(start, nodes)
        return start, nodes

    @cached_property
    def menu_sizes(self) -> Ints:
        """[infoset] how many actions it has."""
        sizes = np.array([len(menu) for menu in self.menus], np.int32)
        return sizes[self.infoset_menu] if len(sizes) else np.zeros(0, np.int32)

    @cached_property
    def settled(self) -> Tree:
        """The same game with every payoff at a leaf; itself where that is so already."""
        leaf = self.player == LEAF
        if not (self.outcome[~leaf] >= 0).any() and not (self.outcome[leaf] < 0).any():
            return self
        zero = (Fraction(0),) * len(self.players)
        table: dict[tuple[Fraction, ...], int] = {}
        total: list[tuple[Fraction, ...]] = []
        outcome = np.full(len(self), -1, np.int32)
        for node, (above, paid) in enumerate(
            zip(self.parent.tolist(), self.outcome.tolist(), strict=True)
        ):
            so_far = total[above] if above >= 0 else zero
            if paid >= 0:
                so_far = tuple(a + b for a, b in zip(so_far, self.payoffs[paid], strict=True))
            total.append(so_far)
            if leaf[node]:
                outcome[node] = table.setdefault(so_far, len(table))
        return replace(self, outcome=outcome, payoffs=tuple(table), outcome_names=())

    @cached_property
    def choices(self) -> tuple[Choices, ...]:
        """[player] its choices, numbered."""
        return tuple(choices(self, player) for player in range(len(self.players)))

    @cached_property
    def leaf_indices(self) -> Ints:
        """The numbers of the leaves."""
        found = np.flatnonzero(self.player == LEAF).astype(np.int32)
        _freeze(found)
        return found

    @cached_property
    def chance_reach(self) -> Numbers:
        """[node] the probability of the chance moves on the way there, exact."""
        return _chance_reach(self)

    @cached_property
    def leaf_payoffs(self) -> tuple[Numbers, ...]:
        """[player] what it gets at each of the ``leaf_indices``."""
        paid = self.settled.outcome[self.leaf_indices]
        return tuple(table.take(paid) for table in _outcome_payoffs(self))

    @cached_property
    def fingerprint(self) -> str:
        """A digest by which a saved solution finds out whether a game is its own."""
        return fingerprint(self)

    @property
    def nbytes(self) -> int:
        """Bytes that the record takes, its tables and labels included."""
        columns = (self.parent, self.action, self.player, self.infoset, self.outcome)
        total = sum(column.nbytes for column in columns)
        total += self.infoset_player.nbytes + self.infoset_menu.nbytes
        total += _weight(self.menus) + _weight(self.payoffs) + _weight(self.outcome_names)
        total += sum(_weight(lottery.outcomes) for lottery in self.lotteries)
        total += sum(sys.getsizeof(lottery.probabilities) for lottery in self.lotteries)
        total += _weight(self.labels) if self.knowing is None else self.knowing.nbytes
        return total + sum(sys.getsizeof(name) for name in self.node_names.values())

    # ------------------------------------------------------------------ the same game

    def __eq__(self, other: object) -> bool:
        """The same game: shape, moves, information, probabilities and payoffs; see same_game."""
        if not isinstance(other, Tree):
            return NotImplemented
        if self is other:
            return True
        return same_game(self, other)

    def __hash__(self) -> int:
        return hash((self.name, self.players, len(self)))


def _freeze(*arrays: Any) -> None:
    for array in arrays:
        array.flags.writeable = False


def _weight(table: Sequence[Any]) -> int:
    """Bytes of a table and its entries; what the entries hold in turn is mostly shared."""
    return sys.getsizeof(table) + sum(sys.getsizeof(entry) for entry in table)


# ------------------------------------------------------ chance and payoffs as integers


def _chance_reach(tree: Tree) -> Numbers:
    """[node] the product of the probabilities of chance moves on the way there."""
    chances = Numbers.of(p for lottery in tree.lotteries for p in lottery.probabilities)
    if chances.denominator == 1:  # no lottery has a choice
        return _sure(tree, chances)
    under = [lcm(*(p.denominator for p in lottery.probabilities)) for lottery in tree.lotteries]
    sizes = np.array([len(lottery.probabilities) for lottery in tree.lotteries])
    whole_of = fitted(under)
    if chances.denominator >= ROOM:
        whole_of = whole_of.astype(object)
    over = fitted(chances.numerators // (chances.denominator // np.repeat(whole_of, sizes)))
    first = np.cumsum(sizes) - sizes
    weight, whole = np.ones(len(tree), np.int64), np.ones(len(tree), np.int64)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        weight[level], whole[level] = weight[above], whole[above]
        drawn = tree.player[above] == CHANCE
        if drawn.any():
            here, lottery = level[drawn], tree.infoset[above[drawn]]
            longer = multiplied(whole[here], whole_of[lottery])
            if longer.dtype == object:
                return _long_chance_reach(tree, under, over, first)
            whole[here] = longer
            weight[here] *= over[first[lottery] + tree.action[here]]  # at most the denominator
    common = lcm(*set(whole.tolist()))
    if common >= ROOM:
        return _long_chance_reach(tree, under, over, first)
    return Numbers(weight * (common // whole), common)  # no weight is above the denominator


def _long_chance_reach(tree: Tree, under: list[int], over: Array, first: Index) -> Numbers:
    """The same in Python's integers, however deep chance moves: in time linear in their digits.

    With d the denominator of the lottery at a node, or 1, its subtree needs d times the least
    common multiple of what its children need; what the root needs is the common denominator. The
    numerator of a node is its parent's, times the part that was drawn, divided by d: no remainder.
    """
    parent, player = tree.parent.tolist(), tree.player.tolist()
    lottery, action = tree.infoset.tolist(), tree.action.tolist()
    needs = [1] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        if player[node] == CHANCE:
            needs[node] *= under[lottery[node]]
        above, need = parent[node], needs[node]
        if node and needs[above] != need:
            needs[above] = lcm(needs[above], need)
    common, parts, begin = needs[0], over.tolist(), first.tolist()
    weight = np.full(len(tree), common, object)
    for node in range(1, len(tree)):
        above = parent[node]
        reach = weight[above]
        if player[above] == CHANCE:
            drawn = lottery[above]
            reach = reach * parts[begin[drawn] + action[node]] // under[drawn]
        weight[node] = reach
    return Numbers(weight, common)


def _sure(tree: Tree, chances: Numbers) -> Numbers:
    """Every lottery has one outcome that is certain; the others, if any, never happen."""
    weight = np.ones(len(tree), np.int64)
    if chances.numerators.all():
        return Numbers(weight)
    sizes = [len(lottery.probabilities) for lottery in tree.lotteries]
    first = np.cumsum(sizes) - sizes
    for level in tree.levels[1:]:
        above = tree.parent[level]
        weight[level] = weight[above]
        drawn = tree.player[above] == CHANCE
        here, lottery = level[drawn], tree.infoset[above[drawn]]
        weight[here] *= chances.numerators[first[lottery] + tree.action[here]]
    return Numbers(weight)


def _outcome_payoffs(tree: Tree) -> tuple[Numbers, ...]:
    """[player][outcome] what each entry of the settled tree's payoff table pays."""
    table = tree.settled.payoffs
    return tuple(Numbers.of(row[player] for row in table) for player in range(len(tree.players)))


# -------------------------------------------------------------------- identity


def same_game(one: Tree, two: Tree) -> bool:
    """Whether two trees are the same game, whatever their tables: labels and moves as they read.

    Compared are shape, moves, information, probabilities, payoffs and names.
    """
    return (
        (one.name, one.players, one.comment) == (two.name, two.players, two.comment)
        and all(np.array_equal(getattr(one, a), getattr(two, a)) for a in _SHAPE)
        and np.array_equal(one.infoset[one.player >= 0], two.infoset[two.player >= 0])
        and list(one.labels) == list(two.labels)
        and _menus(one) == _menus(two)
        and _drawn(one) == _drawn(two)
        and _paid(one) == _paid(two)
        and dict(one.node_names) == dict(two.node_names)
    )


_SHAPE = ("parent", "action", "player")


def _menus(tree: Tree) -> list[list[str]]:
    texts = [[text(action) for action in menu] for menu in tree.menus]
    return [texts[number] for number in tree.infoset_menu]


def _drawn(tree: Tree) -> list[tuple[list[str], tuple[Fraction, ...]]]:
    read = [
        ([text(one) for one in drawn.outcomes], drawn.probabilities) for drawn in tree.lotteries
    ]
    return [read[number] for number in tree.infoset[tree.player == CHANCE].tolist()]


def _paid(tree: Tree) -> list[tuple[str, Payoffs] | None]:
    names = tree.outcome_names or ("",) * len(tree.payoffs)
    named = list(zip(names, tree.payoffs, strict=True))
    return [named[number] if number >= 0 else None for number in tree.outcome]


def fingerprint(tree: Tree) -> str:
    """A digest of shape, moves, information, probabilities and payoffs, as they read, in hex.

    Trees that are the same game have the same one.
    """
    digest = hashlib.sha256()

    def put(*words: object) -> None:
        digest.update(("\x1f".join(map(str, words)) + "\x1e").encode("utf-8", "surrogatepass"))

    put("players", *tree.names)
    for column in (tree.parent, tree.action, tree.player.astype(np.int32)):
        digest.update(np.ascontiguousarray(column, "<i4").tobytes())
    place = np.where(tree.player >= 0, tree.infoset, -1)
    digest.update(np.ascontiguousarray(place, "<i4").tobytes())
    menus = ["\x1d".join(map(digest_text, menu)) for menu in tree.menus]
    known = tree.knowing
    labels = tree.labels if known is None else knowledge_labels(known, digest_text)
    for label, menu in zip(labels, tree.infoset_menu.tolist(), strict=True):
        put(label, menus[menu])
    drawn = [
        "\x1d".join(
            f"{digest_text(outcome)}={_spelled(p)}" for outcome, p in zip(*lottery, strict=True)
        )
        for lottery in tree.lotteries
    ]
    for lottery in tree.infoset[tree.player == CHANCE].tolist():
        put(drawn[lottery])
    settled = tree.settled
    paid = ["\x1d".join(map(_spelled, payoffs)) for payoffs in settled.payoffs]
    for outcome in settled.outcome[tree.leaf_indices].tolist():
        put(paid[outcome])
    return digest.hexdigest()


def _spelled(number: Fraction | int) -> str:
    """In base 16: Python does not spell out decimals of more than 4,300 digits."""
    return f"{number.numerator:x}/{number.denominator:x}"
