"""What a drawing shows, in words and numbers, before anything has a place.

A :class:`Skeleton` is a tree of :class:`Drawn` nodes, each standing for one node of the game's tree
or for a bundle of them (:mod:`~infoset.display.drawing.folding`), with the branches between them
("bet", "30 deals", "any of 4") and the sets of drawn decisions that belong to one information set.

**Probabilities.** The probability of a branch between two bundles is the reach of the one below
over the reach of the one above, which is the average over the nodes weighted by their reach. If the
reach is 0, it is what the strategy would do, on a plain average over the nodes.

**Information sets.** In a picture of every node, drawn decisions of one information set are tied
together. In a folded one each drawn decision holds nodes of several sets. Those that share a set
belong together, and so do those that are connected by a chain of such pairs. In the whole picture
this can connect nearly everything, with nodes that come after one another. So of a group that
cannot stand on one level (:mod:`~infoset.display.drawing.layout`) only decisions on the same level
are tied, as far as they share sets there. Decisions that hold the very same sets, as those of a
player with imperfect recall, are tied on any levels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from infoset.display.drawing.folding import Bundle, bundles
from infoset.display.drawing.layout import levels
from infoset.display.drawing.lettering import drawn_text
from infoset.errors import NotApplicable
from infoset.linear.graphs import connected_components
from infoset.linear.numbers import Floats, Numbers
from infoset.objects.cards import Card, Hand
from infoset.objects.dice import Roll
from infoset.rules.moves import CHANCE, LEAF
from infoset.strategy import Behaviour, Profile
from infoset.strategy.equivalence import as_behaviour
from infoset.text import compact_number, named_amount
from infoset.tree import Tree
from infoset.tree.knowledge import NOTHING
from infoset.tree.outline import subtree_sizes

FEW_SIGNS = 12  # up to which several moves are listed at the branch
FEW_MOVES = 8  # that a hint lists


@dataclass(frozen=True)
class DrawnBranch:
    """What leads from some nodes to others."""

    words: str  # at the branch
    hint: str  # the moves in full, or the first of them
    several: bool  # does it stand for more than one move?


def branch(tree: Tree, above: list[int], bundle: Bundle) -> DrawnBranch:
    """The words of the branch from some nodes to others; empty at the root.

    >>> from infoset.games import kuhn
    >>> branch(kuhn().tree(), [0], Bundle([1, 10], 0))
    DrawnBranch(words='2 deals', hint='J Q, J K', several=True)
    """
    if not above:
        return DrawnBranch("", "", False)
    moves = _moves(tree, bundle.nodes)
    words = f"{bundle.rest:,} more" if bundle.rest else _words(tree, above, bundle, moves)
    return DrawnBranch(words, _hint(list(moves)), len(moves) > 1)


def _words(tree: Tree, above: list[int], bundle: Bundle, moves: dict[str, Hashable]) -> str:
    if len(moves) == 1:
        return next(iter(moves))
    if tree.player[above[0]] == CHANCE:
        return f"{len(moves):,} {_noun(next(iter(moves.values())))}"
    listed = ", ".join(moves)
    sizes = {len(tree.menu(node)) for node in above}
    ways = len(bundle.nodes) // len(above)
    if ways == 1 or len(moves) <= 1:
        return listed if len(listed) <= FEW_SIGNS else f"one of {len(moves):,}"
    if sizes == {ways}:
        return f"any of {ways:,}"
    return listed if len(listed) <= FEW_SIGNS else f"{ways:,} moves"


def _hint(moves: list[str]) -> str:
    more = f" and {len(moves) - FEW_MOVES:,} more" if len(moves) > FEW_MOVES else ""
    return drawn_text(", ".join(moves[:FEW_MOVES])) + more


def _moves(tree: Tree, nodes: list[int]) -> dict[str, Hashable]:
    """The different moves that lead to some nodes, by how they read."""
    seen: set[tuple[bool, int, int]] = set()
    moves: dict[str, Hashable] = {}
    for above, action in zip(tree.parent[nodes].tolist(), tree.action[nodes].tolist(), strict=True):
        place = int(tree.infoset[above])
        chance = bool(tree.player[above] == CHANCE)
        key = (chance, place if chance else int(tree.infoset_menu[place]), action)
        if key not in seen:
            seen.add(key)
            move = tree.menu(above)[action]
            moves.setdefault(drawn_text(move) or f"action {action + 1}", move)
    return moves


def _noun(outcome: Hashable) -> str:
    """What chance outcomes are, by one of them."""
    if isinstance(outcome, Card):
        return "cards"
    if isinstance(outcome, Roll):
        return "rolls"
    dealt = isinstance(outcome, tuple) and any(isinstance(part, Card | Hand) for part in outcome)
    return "deals" if dealt else "outcomes"


MANY_STEPS = 1000  # rationals that are still added up exactly


@dataclass(frozen=True, eq=False)
class Played:
    """A profile, and how likely it makes every node."""

    profile: Profile
    reach: Numbers  # [node]

    @cached_property
    def floats(self) -> Floats:
        """[node] how likely it is, roughly."""
        return self.reach.floats

    def total(self, nodes: list[int]) -> Any:
        """How likely these nodes are together; exact where the strategies are."""
        over = sum(self.reach.numerators[nodes].tolist())
        return Fraction(over, self.reach.denominator) if self.reach.exact else over

    def probability(self, above: list[int], below: list[int]) -> Any | None:
        """How likely a move is that leads from some nodes to others; None if that is open."""
        whole = self.total(above)
        if whole:
            return self.total(below) / whole
        return self._would(above, below)

    def expected(self, tree: Tree, nodes: list[int]) -> list[Any] | None:
        """What each player is paid at these nodes on average; None if no play comes there."""
        weights: dict[int, Any] = {}
        for paid, weight in zip(
            tree.outcome[nodes].tolist(), self.reach.numerators[nodes].tolist(), strict=True
        ):
            weights[paid] = weights.get(paid, 0) + weight
        whole = sum(weights.values())
        if not whole:
            return None
        weights.pop(-1, None)
        exact = self.reach.exact
        probabilities = {
            paid: Fraction(w, whole) if exact else w / whole for paid, w in weights.items()
        }
        return [
            sum(
                probability * tree.payoffs[paid][player]
                for paid, probability in probabilities.items()
            )
            for player in range(len(tree.players))
        ]

    def _would(self, above: list[int], below: list[int]) -> Any | None:
        """How likely a move would be at nodes where no play comes, all of them alike."""
        tree = self.profile.tree
        mover = int(tree.player[above[0]])
        places = tree.infoset[tree.parent[below]].tolist()
        steps = Counter(zip(places, tree.action[below].tolist(), strict=True))
        exact = len(steps) <= MANY_STEPS
        total: Any = 0
        for (place, action), times in steps.items():
            step = self._step(mover, place, action)
            if step is None:
                return None
            total += times * (step if exact else float(step))
        return total / len(above)

    def _step(self, mover: int, place: int, action: int) -> Any | None:
        """The probability of a move at an information set, as the mover's strategy has it."""
        if mover == CHANCE:
            return self.profile.tree.lotteries[place].probabilities[action]
        behaviour = self._behaviours[mover]
        if behaviour is None:
            return None
        own = int(np.searchsorted(behaviour.choices.infosets, place))
        return behaviour.probabilities[int(behaviour.choices.first[own]) + action]

    @cached_property
    def _behaviours(self) -> list[Behaviour | None]:
        """[player] its strategy as a choice at each information set; None if it is not one."""
        found: list[Behaviour | None] = []
        for strategy in self.profile:
            try:
                found.append(as_behaviour(strategy))
            except NotApplicable:
                found.append(None)
        return found


def played(profile: Profile) -> Played:
    """How likely a profile makes the nodes of its tree.

    >>> from infoset.games import kuhn
    >>> from infoset.strategy import profile, uniform
    >>> tree = kuhn().tree()
    >>> at_random = played(profile(uniform(tree, player) for player in tree.names))
    >>> at_random.total([1, 2]), at_random.probability([1], [2])
    (Fraction(1, 4), Fraction(1, 2))
    """
    return Played(profile, profile.reach(np.arange(len(profile.tree))))


def together(parents: Sequence[int], inside: Mapping[int, frozenset[int]]) -> list[list[int]]:
    """The decisions that are one, each list in increasing order, from the sets inside each node.

    >>> a, b, both = frozenset([1]), frozenset([2]), frozenset([1, 2])
    >>> together([-1, 0, 0], {1: a, 2: both})
    [[1, 2]]
    >>> together([-1, 0, 1, 0], {1: a, 2: b, 3: both})  # node 2 comes after node 1
    [[1, 3], [2]]
    """
    groups = _connected(inside, inside)
    level: list[int] = []
    found: list[list[int]] = []
    for group in groups:
        if len({inside[at] for at in group}) == 1:
            found.append(group)
            continue
        level = level or levels(parents, [each for each in groups if len(each) > 1])
        parts: dict[int, list[int]] = {}
        for at in group:
            parts.setdefault(level[at], []).append(at)
        for part in parts.values():
            found.extend(_connected(part, inside))
    return sorted(found)


def _connected(nodes: Iterable[int], inside: Mapping[int, frozenset[int]]) -> list[list[int]]:
    """The nodes in groups, those together that sets in common lead from one to the other."""
    listed, number = list(nodes), dict[int, int]()
    pairs = [
        (place, number.setdefault(one, len(number)))
        for place, at in enumerate(listed)
        for one in inside[at]
    ]
    one, two = np.array(pairs, np.int64).reshape(-1, 2).T
    groups: dict[int, list[int]] = {}
    for at, least in zip(listed, connected_components(one, two, len(listed)).tolist(), strict=True):
        groups.setdefault(least, []).append(at)
    return [sorted(group) for group in groups.values()]


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
    probability: Any | None  # how likely that is, at the node above
    reach: Any | None  # how likely a play comes here, where a strategy is shown
    payoffs: tuple[str, ...]  # what is paid here, by player; empty: nothing
    hint: str
    move_hint: str
    several: bool  # does more than one move lead here?


@dataclass(frozen=True)
class DrawnSet:
    """Decisions of one player that it does not distinguish."""

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
    title: str = ""  # above the picture

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
        tuple(compact_number(profile.payoffs[name]) for name in tree.names)
        if profile is not None
        else ()
    )
    names = tuple(drawn_text(name) or "?" for name in tree.names)
    sets = _sets(tree, found, nodes)
    return Skeleton(drawn_text(tree.name), names, nodes, sets, expected, len(tree))


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
        probability=_probability(tree, play, above, bundle.nodes),
        reach=reach,
        payoffs=payoffs,
        hint=_node_hint(tree, kind, bundle.nodes[0], count, reach, payoffs),
        move_hint=move.hint,
        several=move.several,
    )


def _probability(tree: Tree, play: Played | None, above: list[int], below: list[int]) -> Any | None:
    """How likely the move between two bundles is; None where nothing says so."""
    if not above:
        return None
    if play is not None:
        return play.probability(above, below)
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
            return tuple(map(compact_number, expected))
    nothing = (0,) * len(tree.players)
    vectors = [nothing if number < 0 else tree.payoffs[number] for number in sorted(paid)]
    return tuple(_range(column) for column in zip(*vectors, strict=True))


def _range(amounts: tuple[Any, ...]) -> str:
    low, high = min(amounts), max(amounts)
    return compact_number(low) if low == high else f"{compact_number(low)} … {compact_number(high)}"


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
    return tuple(map(compact_number, play.expected(tree, ends) or ()))


def _node_hint(
    tree: Tree, kind: int, node: int, count: int, reach: Any | None, payoffs: tuple[str, ...]
) -> str:
    """What is said of a node when someone points at it."""
    who = {CHANCE: "chance", LEAF: "the end", FOLDED: "not drawn"}.get(kind)
    parts = [who if who is not None else drawn_text(tree.names[kind])]
    if name := drawn_text(tree.node_names.get(node, "")):
        parts.append(name)
    if payoffs:
        named = zip(tree.names[:FEW_PLAYERS], payoffs[:FEW_PLAYERS], strict=True)
        more = ", …" * (len(payoffs) > FEW_PLAYERS)
        parts.append(
            ", ".join(named_amount(drawn_text(player), paid) for player, paid in named) + more
        )
    if count > 1:
        parts.append(f"{count:,} nodes of the tree")
    if reach is not None:
        parts.append(f"reached with probability {compact_number(reach)}")
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
        label = drawn_text(tree.labels[first]) if labelled else ""
        hint = f"#{first + 1}" + (f": {label}" if label else "")
        label = "" if label == NOTHING else label.removeprefix(f"{NOTHING} ")
    hint = f"{drawn_text(tree.names[player])}, {hint}"
    return DrawnSet(player, first, tuple(members), label, hint, len(infosets) > 1)
