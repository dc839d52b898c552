"""The tree of a vectorized run: from blocks to the record.

:mod:`infoset.vectorized.explore` leaves blocks: the nodes that one run makes in all of its deals.
Here every node gets the place that depth-first order gives it, so that the tree is the same, number
for number, as the one that plain replay builds:

    size       of the subtree of a node, last blocks first, each added to its parent;
    place      first blocks first: that of the parent, plus one, plus the sizes of the siblings
               before it. Below a decision these come block by block; below a chance node by the
               outcome, which is the order of the rows of its chance histories.

Then each block writes its columns to its places. Information sets, lotteries and payoffs are
numbered in the order in which the nodes meet them.

Patterns and codes (:mod:`infoset.vectorized.knowledge`) become the states of
:class:`~infoset.tree.knowledge.Knowing`: the states of a pattern, one for each code that was met,
are numbered side by side, and so are those after the options of an information set.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.rules.moves import CHANCE, LEAF, Lotteries, Menu, Payoffs
from infoset.tree.knowledge import Knowing, knowledge_labels
from infoset.tree.record import Tree
from infoset.vectorized.chance import Draw
from infoset.vectorized.evaluation import NodeBlock
from infoset.vectorized.explore import VectorizedPlay
from infoset.vectorized.knowledge import Pattern
from infoset.vectorized.values import MISSING, ValueColumn, kind_of

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


UNMET = 1 << 62  # instead of a node


def tree_of_blocks(name: str, run: VectorizedPlay) -> Tree:
    """The tree of all that was explored."""
    blocks = run.blocks
    places = _places(blocks)
    sets, lotteries, payoffs = Sets(), _Lotteries(), _Payoffs()
    met = {kind: _Met() for kind in ("sets", "lotteries", "payoffs")}
    numbers = []
    for block, place in zip(blocks, places, strict=True):
        if block.kind >= 0:
            numbers.append(met["sets"].note(sets.numbers(block), place))
        elif block.kind == CHANCE:
            numbers.append(met["lotteries"].note(lotteries.numbers(block), place))
        else:
            numbers.append(met["payoffs"].note(payoffs.numbers(block), place))
    order = met["sets"].order()
    described = sets.described(order)
    menus = tuple(dict.fromkeys(menu for _, menu, _ in described))
    number = {menu: at for at, menu in enumerate(menus)}
    menu = np.array([number[menu] for _, menu, _ in described], np.int32)
    columns = _columns(run, places, numbers, met)
    learnt = knowing_of(run, places, columns["player"], sets, order, menu, menus)
    return Tree(
        name=name,
        players=run.seats.players,
        **columns,
        infoset_player=np.array(
            [run.seats.player_of[pattern.agent] for pattern, _, _ in described], np.int8
        ),
        infoset_menu=menu,
        menus=menus,
        labels=knowledge_labels(learnt),
        lotteries=tuple(lotteries.table[one] for one in met["lotteries"].order().tolist()),
        payoffs=tuple(payoffs.table[one] for one in met["payoffs"].order().tolist()),
        knowing=learnt,
    )


def _columns(
    run: VectorizedPlay, places: list[Longs], numbers: list[Any], met: dict[str, _Met]
) -> dict[str, Any]:
    """The columns of the nodes, every block written to its places."""
    nodes = sum(map(len, places))
    parent, action, infoset = (np.empty(nodes, np.int32) for _ in range(3))
    outcome, player = np.full(nodes, -1, np.int32), np.empty(nodes, np.int8)
    new = {kind: one.numbers() for kind, one in met.items()}
    at = {id(block): place for block, place in zip(run.blocks, places, strict=True)}
    for block, place, own in zip(run.blocks, places, numbers, strict=True):
        above = block.parent
        if above is None:
            parent[place] = action[place] = -1
        else:
            parent[place] = at[id(above)][_above(block)]
            taken: Any = block.option
            if above.kind == CHANCE:
                histories = above.what.after.histories
                taken = histories.outcome[block.deals.along(histories)]
            action[place] = taken
        player[place] = run.seats.player_of[block.kind] if block.kind >= 0 else block.kind
        if block.kind == LEAF:
            infoset[place] = -1
            outcome[place] = new["payoffs"][own]
        else:
            infoset[place] = new["sets" if block.kind >= 0 else "lotteries"][own]
    return {
        "parent": parent,
        "action": action,
        "player": player,
        "infoset": infoset,
        "outcome": outcome,
    }


class _Met:
    """Things in the order in which the nodes meet them."""

    def __init__(self) -> None:
        self._first = np.zeros(0, np.int64)  # [thing] the first node that meets it

    def note(self, numbers: Any, places: Longs) -> Any:
        """Things that the nodes of a block meet, its places in increasing order; or one thing."""
        if isinstance(numbers, int):
            low = high = numbers
        else:
            low, high = int(numbers.min()), int(numbers.max())
        if high >= len(self._first):
            more = np.full(high + 1 + len(self._first), UNMET, np.int64)
            more[: len(self._first)] = self._first
            self._first = more
        if isinstance(numbers, int):
            self._first[numbers] = min(int(self._first[numbers]), int(places[0]))
            return numbers
        here = np.full(high + 1 - low, UNMET, np.int64)
        here[numbers[::-1] - low] = places[::-1]  # of several, the first one is written last
        there = self._first[low : high + 1]
        np.minimum(there, here, out=there)
        return numbers

    def order(self) -> Longs:
        """All that were met, the first ones first."""
        there = np.flatnonzero(self._first < UNMET)
        return there[np.argsort(self._first[there], kind="stable")]

    def numbers(self) -> Ints:
        """[thing] its place in that order."""
        order = self.order()
        found = np.zeros(len(self._first), np.int32)
        found[order] = np.arange(len(order), dtype=np.int32)
        return found


def _above(block: NodeBlock) -> Any:
    """[place] where the node above stands in its block."""
    assert block.parent is not None
    if block.deals is block.parent.deals:
        return slice(None)
    return block.deals.places_in(block.parent.deals)


def _places(blocks: list[NodeBlock]) -> list[Longs]:
    """[block][deal] the number of the node."""
    size = [np.ones(len(block.deals), np.int32) for block in blocks]
    number = {id(block): at for at, block in enumerate(blocks)}
    below: list[list[int]] = [[] for _ in blocks]
    for at in range(len(blocks) - 1, 0, -1):
        block = blocks[at]
        up = number[id(block.parent)]
        below[up].append(at)
        above = _above(block)
        if blocks[up].kind != CHANCE:
            size[up][above] += size[at]
        else:
            parts = np.bincount(above, size[at], len(size[up]))  # whole numbers below 2^53
            size[up] += parts.astype(np.int32)
    place = [np.zeros(0, np.int64) for _ in blocks]  # what numpy takes as an index as it is
    place[0] = np.zeros(1, np.int64)
    for up, under in enumerate(below):
        if blocks[up].kind == CHANCE:
            _place_outcomes(blocks, size, place, up, under)
            continue
        following = place[up] + 1
        for at in reversed(under):
            above = _above(blocks[at])
            place[at] = following[above]
            if isinstance(above, slice):
                place[at] = place[at].copy()
            following[above] += size[at]
    return place


def _place_outcomes(
    blocks: list[NodeBlock], size: list[Ints], place: list[Longs], up: int, under: list[int]
) -> None:
    """The places of what follows a chance node: by the outcome, whatever block it is in."""
    histories = blocks[up].what.after.histories
    sizes = np.zeros(len(histories), np.int64)
    for at in under:
        sizes[blocks[at].deals.along(histories)] = size[at]
    before = np.cumsum(sizes) - sizes
    deal = np.searchsorted(blocks[up].deals.rows, histories.above)
    first = np.searchsorted(histories.above, blocks[up].deals.rows)
    begins = place[up][deal] + 1 + before - before[first][deal]
    for at in under:
        place[at] = begins[blocks[at].deals.along(histories)]


class _Lotteries(Lotteries):
    """The table of lotteries in the making."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn: dict[Draw, Ints] = {}  # [lottery of the draw] its number

    def numbers(self, block: NodeBlock) -> Any:
        """[place] the numbers of a block's lotteries; or one number, if all have the same."""
        draw: Draw = block.what
        if draw not in self._drawn:
            self._drawn[draw] = np.array([self.add(one) for one in draw.lotteries], np.int32)
        numbers = self._drawn[draw]
        if draw.terms is None:
            return int(numbers[0])
        return numbers[draw.place[draw.terms.at(block.deals)]]


class _Payoffs:
    """The table of payoffs in the making."""

    def __init__(self) -> None:
        self.table: list[Payoffs] = []
        self._number: dict[Payoffs, int] = {}
        self._known: dict[ValueColumn, Ints] = {}

    def numbers(self, block: NodeBlock) -> Any:
        """[place] the numbers of what is paid; or one number."""
        paid = block.what
        if not isinstance(paid, ValueColumn):
            return self._one(paid)
        known = self._known.get(paid)
        if known is None:  # all has been explored: its table is complete
            known = np.array(
                [-1 if one is MISSING else self._one(one) for one in paid.table], np.int32
            )
            self._known[paid] = known
        return known[paid.at(block.deals)]

    def _one(self, payoffs: Payoffs) -> int:
        number = self._number.setdefault(payoffs, len(self.table))
        if number == len(self.table):
            self.table.append(payoffs)
        return number


# -------------------------------------------------------------------- knowledge


class Sets:
    """The information sets: a pattern, a menu and a code each."""

    def __init__(self) -> None:
        self.count = 0
        self.groups: dict[tuple[Pattern, Menu], int] = {}  # with the number of the first

    def numbers(self, block: NodeBlock) -> Ints:
        """[place] the numbers of a decision's information sets."""
        pattern = block.patterns[block.kind]
        key = (pattern, block.menu)
        if key not in self.groups:
            self.groups[key] = self.count
            self.count += len(pattern.partition)
        return self.groups[key] + pattern.partition.at(block.deals)

    def described(self, order: Longs) -> list[tuple[Pattern, Menu, int]]:
        """[set] its pattern, its menu, its code; the sets in a given order."""
        keys = list(self.groups)
        begin = np.array([self.groups[key] for key in keys], np.int64)
        group = np.searchsorted(begin, order, side="right") - 1
        codes = order - begin[group]
        pairs = zip(group.tolist(), codes.tolist(), strict=True)
        return [(*keys[at], code) for at, code in pairs]


class _Trie:
    """The states of knowledge in the making; see :class:`Knowing`."""

    def __init__(self, agents: int) -> None:
        self.before: list[Any] = [np.full(agents, -1, np.int32)]
        self.step: list[Any] = [np.zeros(agents, np.int32)]
        self.count = agents
        self.facts: list[Hashable] = []
        self._fact: dict[Hashable, int] = {}
        self.states: dict[Pattern, Ints] = {}  # [code] the state; -1 where it was never met

    def add(self, before: Any, step: Any) -> Ints:
        """New states, the numbers of which are given back."""
        made = np.arange(self.count, self.count + len(before), dtype=np.int32)
        self.before.append(before)
        self.step.append(np.broadcast_to(np.asarray(step, np.int32), before.shape))
        self.count += len(before)
        return made

    def fact(self, fact: Hashable) -> int:
        """The number of a fact."""
        number = self._fact.setdefault((kind_of(fact), fact), len(self.facts))
        if number == len(self.facts):
            self.facts.append(fact)
        return number


def knowing_of(
    run: VectorizedPlay,
    places: list[Longs],
    player: npt.NDArray[np.int8],
    sets: Sets,
    order: Longs,
    menu: Ints,
    menus: tuple[Menu, ...],
) -> Knowing:
    """The record of what everyone knows at every decision."""
    trie, blocks = _Trie(len(run.agents)), run.blocks
    set_number = np.full(sets.count, -1, np.int32)
    set_number[order] = np.arange(len(order), dtype=np.int32)
    after: dict[tuple[Pattern, Menu], Ints] = {}
    state_of = np.zeros(len(order), np.int32)
    after_of = np.zeros(len(order), np.int32)
    offers: dict[Pattern, list[tuple[Menu, int]]] = {}
    for (owner, offered), begin in sets.groups.items():
        offers.setdefault(owner, []).append((offered, begin))
    for pattern in ancestry(blocks):
        states = _states(pattern, trie, after)
        trie.states[pattern] = states
        for offered, begin in offers.get(pattern, ()):
            numbers = set_number[begin : begin + len(pattern.partition)]
            met = np.flatnonzero(numbers >= 0)
            own = numbers[met]
            made = trie.add(np.repeat(states[met], len(offered)), np.repeat(-1 - own, len(offered)))
            firsts = made[:: len(offered)] if len(made) else made
            state_of[own], after_of[own] = states[met], firsts
            every = np.full(len(pattern.partition), -1, np.int32)
            every[met] = firsts
            after[pattern, offered] = every
    decision = np.cumsum(player >= 0, dtype=np.int32) - 1
    at = np.empty((int(decision[-1]) + 1 if len(decision) else 0, len(run.agents)), np.int32)
    for block, place in zip(blocks, places, strict=True):
        if block.kind >= 0:
            rows = decision[place]
            for agent, pattern in enumerate(block.patterns_before):
                at[rows, agent] = trie.states[pattern][pattern.partition.at(block.deals)]
    agents = [pattern.agent for pattern, _, _ in sets.described(order)]
    return Knowing(
        agents=run.agents,
        player_of=run.seats.player_of,
        at=at,
        before=np.concatenate(trie.before).astype(np.int32),
        step=np.concatenate(trie.step).astype(np.int32),
        facts=trie.facts,
        state=state_of,
        after=after_of,
        agent=np.array(agents, np.int8),
        menu=menu,
        menus=menus,
    )


def _states(pattern: Pattern, trie: _Trie, after: dict[tuple[Pattern, Menu], Ints]) -> Ints:
    """[code] the states of a pattern."""
    if pattern.before is None:
        first = pattern.agent if pattern.last is None else -1
        return np.full(len(pattern.partition), first, np.int32)
    kind, what = pattern.last
    if kind == "took":
        offered, option = what
        begins = after[pattern.before, offered]
        return np.where(begins >= 0, begins + option, np.int32(-1))
    begins = trie.states[pattern.before]
    restarts = pattern.before.before is None and pattern.before.last is not None
    if kind == "saw":
        above: Any = np.arange(len(pattern.partition))
        step: Any = np.full(len(pattern.partition), trie.fact(what), np.int32)
    else:
        above = pattern.partition.above()
        known = [trie.fact(what.table[view[-1]]) for view in pattern.partition.views]
        step = np.array(known, np.int32)
    before = begins[above]
    met = np.arange(len(before)) if restarts else np.flatnonzero(before >= 0)
    states = np.full(len(pattern.partition), -1, np.int32)
    states[met] = trie.add(before[met], step[met])
    return states


def ancestry(blocks: list[NodeBlock]) -> list[Pattern]:
    """All patterns of some blocks, and those that they continue; these first."""
    found: dict[Pattern, None] = {}
    for block in blocks:
        for known in (*block.patterns, *block.patterns_before):
            waiting = []
            pattern: Pattern | None = known
            while pattern is not None and pattern not in found:
                waiting.append(pattern)
                pattern = pattern.before
            for one in reversed(waiting):
                found[one] = None
    return list(found)
