"""What a drawing shows, in words and numbers, before anything has a place.

A :class:`Skeleton` is a tree of :class:`Drawn` nodes, each standing for one node of the game's tree
or for a bundle of them (:mod:`~infoset.examine.drawing.fold`), with the sets of drawn decisions
that hold nodes of one information set.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from infoset.examine.drawing.fold import Bundle, bundles
from infoset.examine.drawing.lettering import amount, shown
from infoset.examine.drawing.moves import branch
from infoset.examine.drawing.played import Played, played
from infoset.examine.drawing.shapes import subtree_sizes
from infoset.examine.drawing.together import together
from infoset.rules.columns import CHANCE, LEAF
from infoset.strategy import Profile
from infoset.tree import Tree
from infoset.tree.labels import NOTHING

FOLDED = -3  # among the kinds: a part of the tree that is not drawn
MANY_LABELS = 2000  # drawn nodes beyond which no labels are read: a deep tree's are long
SETS = "sets"  # the label of several information sets that are drawn as one, after their number
FEW_PLAYERS = 8  # whose payoffs are written out


@dataclass(frozen=True)
class Drawn:
    """A node of the drawing."""

    parent: int  # -1 at the root
    kind: int  # a player's number, CHANCE, LEAF or FOLDED
    node: int  # of the tree; the first one that it stands for
    stands_for: int  # how many nodes of the tree; those below it too where they are not drawn
    move: str  # what leads here
    share: Any | None  # how likely that is, at the node above
    reach: Any | None  # how likely a play comes here, where a strategy is shown
    payoffs: tuple[str, ...]  # what is paid here, by player; empty: nothing
    hint: str
    move_hint: str
    several: bool  # does more than one move lead here?


@dataclass(frozen=True)
class DrawnSet:
    """Decisions of one player among which it cannot tell where it is."""

    player: int
    infoset: int  # of the tree; the first one if several are drawn as one
    members: tuple[int, ...]  # drawn nodes, in increasing order
    label: str  # what the player knows
    hint: str
    several: bool  # does it stand for more than one information set?


@dataclass(frozen=True)
class Skeleton:
    """All that a drawing shows."""

    name: str
    players: tuple[str, ...]
    nodes: tuple[Drawn, ...]  # parents before children, each subtree in one piece
    sets: tuple[DrawnSet, ...]
    expected: tuple[str, ...]  # what each player expects; empty without a strategy
    size: int  # nodes of the tree

    @property
    def solved(self) -> bool:
        """Is a strategy shown?"""
        return bool(self.expected)

    @property
    def folded(self) -> bool:
        """Does any drawn node stand for several?"""
        return len(self.nodes) < self.size


def skeleton(tree: Tree, profile: Profile | None, fold: bool, most: int) -> Skeleton:
    """What is to be drawn of a tree, and of how it is played.

    >>> from infoset.games import kuhn
    >>> whole = skeleton(kuhn().tree(), None, fold=True, most=200)
    >>> [(drawn.move, drawn.stands_for) for drawn in whole.nodes[:3]]
    [('', 1), ('6 deals', 6), ('pass', 6)]
    """
    play = played(profile) if profile is not None else None
    found = bundles(tree, fold, most, play.floats if play else None)
    sizes = subtree_sizes(tree) if fold else []
    nodes = tuple(_drawn(tree, play, found, at, sizes) for at in range(len(found)))
    expected = (
        tuple(amount(profile.payoffs[name]) for name in tree.names) if profile is not None else ()
    )
    names = tuple(shown(name) or "?" for name in tree.names)
    sets = _sets(tree, found, nodes)
    return Skeleton(shown(tree.name), names, nodes, sets, expected, len(tree))


def _drawn(
    tree: Tree, play: Played | None, found: list[Bundle], at: int, sizes: list[int]
) -> Drawn:
    bundle = found[at]
    above = found[bundle.parent].nodes if at else []
    kind = FOLDED if bundle.closed else int(tree.player[bundle.nodes[0]])
    count = sum(sizes[node] for node in bundle.nodes) if bundle.closed else len(bundle.nodes)
    reach = play.total(bundle.nodes) if play else None
    payoffs = _payoffs(tree, play, bundle)
    move = branch(tree, above, bundle)
    return Drawn(
        parent=bundle.parent,
        kind=kind,
        node=bundle.nodes[0],
        stands_for=count,
        move=move.words,
        share=_share(tree, play, above, bundle.nodes),
        reach=reach,
        payoffs=payoffs,
        hint=_hint(tree, kind, bundle.nodes[0], count, reach, payoffs),
        move_hint=move.hint,
        several=move.several,
    )


def _share(tree: Tree, play: Played | None, above: list[int], below: list[int]) -> Any | None:
    """How likely the move between two bundles is; None where nothing says so."""
    if not above:
        return None
    if play is not None:
        return play.share(above, below)
    if tree.player[above[0]] != CHANCE:
        return None
    by_node = dict.fromkeys(above, Fraction(0))
    for node in below:
        parent = int(tree.parent[node])
        lottery = tree.lotteries[int(tree.infoset[parent])]
        by_node[parent] += lottery.probabilities[int(tree.action[node])]
    totals = set(by_node.values())
    return totals.pop() if len(totals) == 1 else None


def _payoffs(tree: Tree, play: Played | None, bundle: Bundle) -> tuple[str, ...]:
    """What is paid at these nodes, in words: a number, an average or a range for each player."""
    first = bundle.nodes[0]
    if bundle.closed:
        return _below(tree, play, bundle.nodes)
    paid = set(tree.outcome[bundle.nodes].tolist())
    if paid == {-1}:
        return ("0",) * len(tree.players) if tree.player[first] == LEAF else ()
    if play is not None and len(paid) > 1:
        expected = play.expected(tree, bundle.nodes)
        if expected is not None:
            return tuple(map(amount, expected))
    nothing = (0,) * len(tree.players)
    vectors = [nothing if number < 0 else tree.payoffs[number] for number in sorted(paid)]
    return tuple(_range(column) for column in zip(*vectors, strict=True))


def _range(amounts: tuple[Any, ...]) -> str:
    low, high = min(amounts), max(amounts)
    return amount(low) if low == high else f"{amount(low)} … {amount(high)}"


def _below(tree: Tree, play: Played | None, nodes: list[int]) -> tuple[str, ...]:
    """What is paid below nodes that are not opened, on average."""
    if play is None or tree.settled is not tree or not play.total(nodes):
        return ()
    start, child = tree.children
    ends: list[int] = []
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        below = child[start[node] : start[node + 1]].tolist()
        waiting.extend(below)
        if not below:
            ends.append(node)
    return tuple(map(amount, play.expected(tree, ends) or ()))


def _hint(
    tree: Tree, kind: int, node: int, count: int, reach: Any | None, payoffs: tuple[str, ...]
) -> str:
    """What is said of a node when someone points at it."""
    who = {CHANCE: "chance", LEAF: "the end", FOLDED: "not drawn"}.get(kind)
    parts = [who if who is not None else shown(tree.names[kind])]
    if name := shown(tree.node_names.get(node, "")):
        parts.append(name)
    if payoffs:
        named = zip(tree.names[:FEW_PLAYERS], payoffs[:FEW_PLAYERS], strict=True)
        more = ", …" * (len(payoffs) > FEW_PLAYERS)
        parts.append(", ".join(f"{shown(player)} {paid}" for player, paid in named) + more)
    if count > 1:
        parts.append(f"{count:,} nodes of the tree")
    if reach is not None:
        parts.append(f"reached with probability {amount(reach)}")
    return "; ".join(parts)


def _sets(tree: Tree, found: list[Bundle], nodes: tuple[Drawn, ...]) -> tuple[DrawnSet, ...]:
    """Drawn decisions, together where they hold nodes of one information set."""
    inside = {
        at: frozenset(tree.infoset[found[at].nodes].tolist())
        for at, drawn in enumerate(nodes)
        if drawn.kind >= 0
    }
    labelled = len(nodes) <= MANY_LABELS
    return tuple(
        _set(tree, members, set().union(*(inside[at] for at in members)), labelled)
        for members in together([drawn.parent for drawn in nodes], inside)
    )


def _set(tree: Tree, members: list[int], infosets: set[int], labelled: bool) -> DrawnSet:
    first = min(infosets)
    player = int(tree.infoset_player[first])
    if len(infosets) > 1:
        label, hint = f"{len(infosets):,} {SETS}", f"{len(infosets):,} information sets"
    else:
        label = shown(tree.labels[first]) if labelled else ""
        hint = f"#{first + 1}" + (f": {label}" if label else "")
        label = "" if label == NOTHING else label.removeprefix(f"{NOTHING} ")
    hint = f"{shown(tree.names[player])}, {hint}"
    return DrawnSet(player, first, tuple(members), label, hint, len(infosets) > 1)
