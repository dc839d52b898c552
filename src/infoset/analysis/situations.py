"""Public situations: a player's information sets, grouped by what is common knowledge.

A *situation* is what an observer who sees only what is common knowledge knows when a player is to
move: "the gambler has passed and the dealer has bet". The information sets of the player in a
situation differ in what the player alone knows: its card.

Common knowledge is the meet of what the agents know (Aumann 1976). Two nodes at which an agent
moves are in one situation if one of the agents does not distinguish them, or if a chain of such
pairs connects them. So situations are the connected components of the graph that links the player's
information sets to the states of knowledge of the other agents at their nodes. Nothing is asked of
the rules but what they reveal.

A tree that does not come from rules does not say what players know while others move. Then their
next information sets stand for it: a player does not distinguish nodes after which it may come to
the same information set; if it never moves again, its last own choice decides.

How often the agent has moved counts as known to all. Agents that never observe anything and never
move do not count. With a single agent nothing is hidden from anyone; there, what was revealed
counts as private and what the agent did as public.

Within a situation, a word of the labels that is the same in all information sets is public, and a
word that varies is private. Everything is in arrays until words are asked for: a million nodes take
a second, a page of words a moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from infoset.linear.graphs import connected_components
from infoset.rules.moves import Menu
from infoset.text import distinct_texts, has_order, ranked, text
from infoset.tree import Infoset, Tree
from infoset.tree.facts import own_sequences
from infoset.tree.knowledge import BETWEEN, Word, first_met, infoset_words, order_of_words
from infoset.tree.views import Views


def split_words(lists: Sequence[list[Word]]) -> tuple[list[Word], list[list[Word]]]:
    """The words that several lists share, and the others of each.

    Lists of one length are compared place by place. Of others, the longest common subsequence is
    what they share, found list by list.
    """
    first = lists[0]
    read = [[*map(str, words)] for words in lists]
    if all(len(words) == len(first) for words in lists):
        same = {at for at, head in enumerate(zip(*read, strict=True)) if len(set(head)) == 1}
        return [first[at] for at in sorted(same)], [
            [word for at, word in enumerate(words) if at not in same] for words in lists
        ]
    common = read[0]
    for texts in read[1:]:
        common = [common[at] for at in _shared_places(common, texts)]
    private = []
    for words, texts in zip(lists, read, strict=True):
        shared = set(_shared_places(texts, common))
        private.append([word for at, word in enumerate(words) if at not in shared])
    return [first[at] for at in _shared_places(read[0], common)], private


def _shared_places(one: list[str], two: list[str]) -> list[int]:
    """The places in one list of a longest common subsequence with another."""
    best = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(two))):
            skipped = max(best[i + 1][j], best[i][j + 1])
            best[i][j] = best[i + 1][j + 1] + 1 if one[i] == two[j] else skipped
    places, i, j = [], 0, 0
    while i < len(one) and j < len(two):
        if one[i] == two[j]:
            places.append(i)
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return places


def menu_names(menu: Menu) -> tuple[str, ...]:
    """The options of a menu as they read, numbered where two read the same.

    >>> menu_names((1, "1", "bet"))
    ('1', '1 (2)', 'bet')
    """
    return tuple(distinct_texts(text(option) for option in menu))


def merged(menus: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """One menu with the options of all, in their order as far as they agree.

    >>> merged([("b", "c"), ("a", "c"), ("a", "b")]), merged([("2", "10"), ("1", "2")])
    (('a', 'b', 'c'), ('1', '2', '10'))
    """
    rank = ranked([option for menu in menus for option in menu])
    after: dict[str, set[str]] = {option: set() for option in rank}
    before = dict.fromkeys(rank, 0)
    for menu in menus:
        for one, two in pairwise(menu):
            if two not in after[one]:
                after[one].add(two)
                before[two] += 1
    ready = [(rank[option], option) for option, count in before.items() if not count]
    heapify(ready)
    found: dict[str, None] = {}
    while len(found) < len(rank):
        if not ready:  # menus that disagree: the first that is left
            ready = [min((rank[option], option) for option in rank if option not in found)]
        _, option = heappop(ready)
        if option in found:
            continue
        found[option] = None
        for other in after[option]:
            before[other] -= 1
            if not before[other]:
                heappush(ready, (rank[other], other))
    return tuple(found)


def words_have_order(rows: Sequence[Sequence[Word]]) -> bool:
    """Have these lists of words an order: are they one word each, of values that have one?"""
    return all(len(row) == 1 for row in rows) and has_order([row[0].value for row in rows])


Longs = npt.NDArray[np.int64]


def grouped(tree: Tree, player: int, own: Longs) -> tuple[Longs, Longs]:
    """[own set] its situation, numbered as they come in the tree; and how many own moves before."""
    if not len(own):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    moves = _own_moves(tree, player, own)
    parts = [_components(tree, player, own, moves), moves]
    if tree.knowing is not None:
        parts.append(tree.knowing.agent[own].astype(np.int64))
    _, first, group = np.unique(np.stack(parts), axis=1, return_index=True, return_inverse=True)
    met = np.empty(len(first), np.int64)
    met[np.argsort(first, kind="stable")] = np.arange(len(first))
    found: Longs = met[group.reshape(-1)]
    return found, moves


def _own_moves(tree: Tree, player: int, own: Longs) -> Longs:
    """[own set] how many own moves are in the history of its first node."""
    choices = tree.choices[player]
    count = np.zeros(len(own), np.int64)
    before = choices.owner[choices.before]  # [own set] the one before it, -1 if none
    for _ in range(len(tree.levels)):
        deeper = np.where(before >= 0, count[before] + 1, 0)
        if (deeper == count).all():
            break
        count = deeper
    return count


def _components(tree: Tree, player: int, own: Longs, moves: Longs) -> Longs:
    """[own set] its component of common knowledge.

    How often the player has moved counts as known to all; else its next move might connect what its
    last one separated.
    """
    if tree.knowing is None:
        nodes, others = _by_next_moves(tree, player)
    else:
        nodes, others = _by_knowledge(tree, player)
    if not len(nodes):  # a single agent
        return _same_moves(tree, own)
    mine = np.searchsorted(own, tree.infoset[nodes])
    _, states = np.unique(others * (moves.max() + 1) + moves[mine], return_inverse=True)
    return connected_components(mine, states, len(own))


def _by_knowledge(tree: Tree, player: int) -> tuple[Longs, Longs]:
    """Pairs of a node where the player moves and a state of knowledge of another agent there."""
    known = tree.knowing
    assert known is not None
    decisions = np.flatnonzero(tree.player >= 0)
    mine = tree.player[decisions] == player
    nodes, states = decisions[mine], known.at[mine]
    mover = known.agent[tree.infoset[nodes]]
    pairs = [
        (nodes[mover != agent], states[mover != agent, agent].astype(np.int64))
        for agent in known.informed
    ]
    # States of different agents are different states of one trie.
    return np.concatenate([a for a, _ in pairs]), np.concatenate([b for _, b in pairs])


def _by_next_moves(tree: Tree, player: int) -> tuple[Longs, Longs]:
    """The same if only information sets are known: another's next one, or its last choice."""
    all_nodes: list[Longs] = []
    all_states: list[Longs] = []
    offset = 0
    mine = np.flatnonzero(tree.player == player)
    for other in range(len(tree.players)):
        if other == player or not (tree.player == other).any():
            continue
        seen = np.zeros(len(tree), bool)
        lower = np.flatnonzero(tree.player == other)
        at, state = tree.parent[lower].astype(np.int64), tree.infoset[lower].astype(np.int64)
        while len(at):  # up from each of its decisions, to the one before
            here = at >= 0
            at, state = at[here], state[here]
            hit = tree.player[at] == player
            all_nodes.append(at[hit])
            all_states.append(state[hit] + offset)
            seen[at[hit]] = True
            on = tree.player[at] != other
            at, state = tree.parent[at[on]].astype(np.int64), state[on]
        offset += len(tree.infoset_player)
        silent = mine[~seen[mine]]
        last = own_sequences(tree, other)[silent].astype(np.int64)
        all_nodes.append(silent)
        all_states.append(last + 1 + offset)
        offset += int(tree.menu_sizes.sum()) + 2
    if not all_nodes:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate(all_nodes), np.concatenate(all_states)


def _same_moves(tree: Tree, own: Longs) -> Longs:
    """[own set] of a single agent: a number for what it did, whatever was revealed."""
    numbers: dict[tuple[str, ...], int] = {}
    words = ([str(w) if w.own else "" for w in infoset_words(tree, int(at))] for at in own)
    return np.array([numbers.setdefault(tuple(row), len(numbers)) for row in words], np.int64)


START = "at the start"
NOTHING_PRIVATE = "nothing private"


@dataclass(frozen=True, eq=False, repr=False)
class Situation:
    """A player to move, as an observer sees it; with all that the player may know in private."""

    tree: Tree
    player: str
    found: Longs  # the information sets, as the tree numbers them
    moves: int = 0  # how often the player has moved before
    suffix: str = ""  # added to its title, if another one would read the same

    def __len__(self) -> int:
        """The number of information sets."""
        return len(self.found)

    def __iter__(self) -> Iterator[Infoset]:
        return iter(self.infosets)

    def __repr__(self) -> str:
        return f"<Situation of {self.player}: {self.title}, {len(self)} information sets>"

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The texts of the actions; some sets may not offer all of them."""
        return merged([menu_names(self.tree.menus[menu]) for menu in self._menus])

    @cached_property
    def _menus(self) -> list[int]:
        menus: list[int] = np.unique(self.tree.infoset_menu[self.found]).tolist()
        return menus

    @cached_property
    def infosets(self) -> list[Infoset]:
        """The information sets, in the order of what is private."""
        return [self.tree.infosets[int(self.found[row])] for row in self._order]

    @cached_property
    def public(self) -> tuple[str, ...]:
        """The public words, as the player sees them: its own moves in brackets."""
        return tuple(map(str, self._split[0]))

    @cached_property
    def title(self) -> str:
        """What is public, in one line."""
        return self._titled(BETWEEN.join(self.public))

    @cached_property
    def heading(self) -> str:
        """What is public, as the heading of a table or a panel."""
        return self._titled(f"after {BETWEEN.join(self.public)}" if self.public else "")

    def _titled(self, public: str) -> str:
        """What is public, or what stands for it; with the agent of a team, and its options."""
        agent, moves = self._agent, self.moves
        if agent:  # of a team, which may have moved before
            moves = sum(word.own for word in self._words[0])
        later = f"own move {moves + 1}" if moves else START
        words = f"{agent}{public or self._common_moves or later}"
        if len(self._menus) == 1 and self._known_by_menu:
            words += f" {{{BETWEEN.join(self.actions)}}}"
        return words + self.suffix

    @property
    def _agent(self) -> str:
        """Who acts, if the player is a team."""
        known, first = self.tree.knowing, int(self.found[0])
        if known is None or known.player_of.count(known.player_of[known.agent[first]]) < 2:
            return ""
        return f"{known.agents[known.agent[first]]}: "

    @cached_property
    def _known_by_menu(self) -> bool:
        """Do only its options distinguish the sets for the player? Then labels contain them."""
        first = int(self.found[0])
        return self.tree.labels[first].endswith(f"{{{BETWEEN.join(map(text, self._first_menu))}}}")

    @property
    def _first_menu(self) -> Menu:
        return self.tree.menus[self._menus[0]]

    @property
    def private(self) -> list[tuple[str, ...]]:
        """For each of the information sets, the words that the player alone knows."""
        return [tuple(map(str, self._split[1][row])) for row in self._order]

    @cached_property
    def ordered(self) -> bool:
        """Has what is private an order of its own, as ranks and numbers have?"""
        return words_have_order(self._split[1])

    @cached_property
    def names(self) -> list[str]:
        """For each of the information sets, what is private in one line.

        Sets that would read the same have their options added, or their numbers.
        """
        known = [BETWEEN.join(words) for words in self.private]
        often = Counter(known)
        menus = [f"{{{BETWEEN.join(menu_names(one.actions))}}}" for one in self.infosets]
        names = [
            (f"{words} {menu}" if often[words] > 1 else words or NOTHING_PRIVATE).strip()
            for words, menu in zip(known, menus, strict=True)
        ]
        often = Counter(names)
        return [
            f"{name} #{infoset.index + 1}" if often[name] > 1 else name
            for name, infoset in zip(names, self.infosets, strict=True)
        ]

    @cached_property
    def _words(self) -> list[list[Word]]:
        return [infoset_words(self.tree, int(index)) for index in self.found]

    @cached_property
    def _split(self) -> tuple[list[Word], list[list[Word]]]:
        """The public words, and the private ones of each set."""
        known = self.tree.knowing
        alone = len(self.tree.players if known is None else known.informed) == 1
        if not alone:
            return split_words(self._words)
        public = [word for word in self._words[0] if word.own]
        return public, [[word for word in words if not word.own] for words in self._words]

    @cached_property
    def _order(self) -> list[int]:
        return order_of_words(self._split[1], first_met(self.tree))

    @cached_property
    def _common_moves(self) -> str:
        """The players' moves that all histories share; empty if these are too many."""
        nodes = [node for infoset in self.infosets for node in infoset.nodes[: MOST_COMPARED + 1]]
        if len(nodes) > MOST_COMPARED:
            return ""
        plays = [
            [Word(f"{who}: {text(move)}", own=False) for who, move in node.history if who]
            for node in nodes
        ]
        return BETWEEN.join(map(str, split_words(plays)[0]))


MOST_COMPARED = 200  # nodes whose histories are compared
MOST_TITLED = 500  # information sets of a player whose titles are compared


class Situations(Views[Situation]):
    """All situations of a player, in the order of the tree."""

    def __init__(self, tree: Tree, player: str) -> None:
        """Group the player's information sets."""
        self.tree = tree
        self.player = player
        number = tree.player_number(player)
        self.infosets = np.flatnonzero(tree.infoset_player == number)
        group, self._moves = grouped(tree, number, self.infosets)
        order = np.argsort(group, kind="stable")
        self.sizes = np.bincount(group) if len(group) else np.zeros(0, np.int64)  # [situation]
        self._start = np.concatenate(([0], np.cumsum(self.sizes)))
        self._sets = self.infosets[order]
        self._moves = self._moves[order]
        self.group = group  # [own set] its situation
        self.widest = int(self.sizes.max(initial=0))  # information sets of one situation, at most
        many = len(self.infosets) > MOST_TITLED  # whose titles are not compared
        make = lru_cache(MOST_TITLED)(self._made) if many else lambda at: self._distinct[at]
        super().__init__(make, len(self.sizes))

    def _made(self, at: int) -> Situation:
        start, stop = int(self._start[at]), int(self._start[at + 1])
        moves = int(self._moves[start])
        return Situation(self.tree, self.player, self._sets[start:stop], moves)

    @cached_property
    def _distinct(self) -> list[Situation]:
        """All situations, with what distinguishes those that would have the same title."""
        made = [self._made(at) for at in range(len(self))]
        alike: dict[str, list[int]] = {}
        for at, one in enumerate(made):
            alike.setdefault(one.title, []).append(at)
        for group in alike.values():
            often = Counter(made[at].moves for at in group)
            seen: Counter[int] = Counter()
            for at in group if len(group) > 1 else ():
                moves = made[at].moves
                seen[moves] += 1
                words = [f"own move {moves + 1}"] if len(often) > 1 else []
                words += [f"case {seen[moves]}"] if often[moves] > 1 else []
                made[at] = replace(made[at], suffix=f" ({BETWEEN.join(words)})")
        return made

    def __repr__(self) -> str:
        return f"<{len(self):,} situations of {self.player}>"


def situations(tree: Tree, player: str) -> Situations:
    """A player's information sets, grouped by what is public.

    Parameters
    ----------
    tree : Tree
        The game.
    player : str
        One of its players.

    Returns
    -------
    Situations
        A sequence of :class:`Situation`, in the order of the tree, each made when it is looked at.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> opening, answer = situations(kuhn().tree(), "gambler")
    >>> opening.title, opening.names
    ('at the start', ['J', 'Q', 'K'])
    >>> answer.title, answer.names, answer.actions
    ('[pass], bet', ['J', 'Q', 'K'], ('pass', 'bet'))
    """
    return Situations(tree, player)
