"""What everyone knows in a tree that is made of blocks: information sets, the trie of knowledge.

Lines and codes (:mod:`infoset.rules.late.lines`) become the numbers of states that
:class:`~infoset.tree.knowing.Knowing` has: a line's states, one for each code that was met, lie
side by side, and so do the states after the options of an information set.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt

from infoset.rules.late.blocks import Block
from infoset.rules.late.explore import Late
from infoset.rules.late.hidden import kind_of
from infoset.rules.late.lines import Line
from infoset.rules.moves import Menu
from infoset.tree.knowing import Knowing

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


class Sets:
    """Information sets in the making: a line, a menu and a code."""

    def __init__(self) -> None:
        self.count = 0
        self.groups: dict[tuple[Line, Menu], int] = {}  # with the number of the first

    def numbers(self, block: Block) -> Ints:
        """[place] the numbers of a decision's information sets."""
        line = block.lines[block.kind]
        key = (line, block.menu)
        if key not in self.groups:
            self.groups[key] = self.count
            self.count += len(line.part)
        return self.groups[key] + line.part.at(block.worlds)

    def described(self, order: Longs) -> list[tuple[Line, Menu, int]]:
        """[set] its line, its menu, its code; the sets in a given order."""
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
        self.states: dict[Line, Ints] = {}  # [code] the state; -1 where it was never met

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
    late: Late,
    places: list[Longs],
    player: npt.NDArray[np.int8],
    sets: Sets,
    order: Longs,
    menu: Ints,
    menus: tuple[Menu, ...],
) -> Knowing:
    """The record of what everyone knows at every decision."""
    trie, blocks = _Trie(len(late.agents)), late.blocks
    set_number = np.full(sets.count, -1, np.int32)
    set_number[order] = np.arange(len(order), dtype=np.int32)
    after: dict[tuple[Line, Menu], Ints] = {}
    state_of = np.zeros(len(order), np.int32)
    after_of = np.zeros(len(order), np.int32)
    offers: dict[Line, list[tuple[Menu, int]]] = {}
    for (owner, offered), begin in sets.groups.items():
        offers.setdefault(owner, []).append((offered, begin))
    for line in ancestry(blocks):
        states = _states(line, trie, after)
        trie.states[line] = states
        for offered, begin in offers.get(line, ()):
            numbers = set_number[begin : begin + len(line.part)]
            met = np.flatnonzero(numbers >= 0)
            own = numbers[met]
            made = trie.add(np.repeat(states[met], len(offered)), np.repeat(-1 - own, len(offered)))
            firsts = made[:: len(offered)] if len(made) else made
            state_of[own], after_of[own] = states[met], firsts
            every = np.full(len(line.part), -1, np.int32)
            every[met] = firsts
            after[line, offered] = every
    decision = np.cumsum(player >= 0, dtype=np.int32) - 1
    at = np.empty((int(decision[-1]) + 1 if len(decision) else 0, len(late.agents)), np.int32)
    for block, place in zip(blocks, places, strict=True):
        if block.kind >= 0:
            rows = decision[place]
            for agent, line in enumerate(block.minds):
                at[rows, agent] = trie.states[line][line.part.at(block.worlds)]
    agents = [line.agent for line, _, _ in sets.described(order)]
    return Knowing(
        agents=late.agents,
        player_of=late.seats.player_of,
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


def _states(line: Line, trie: _Trie, after: dict[tuple[Line, Menu], Ints]) -> Ints:
    """[code] the states of a line."""
    if line.before is None:
        first = line.agent if line.last is None else -1
        return np.full(len(line.part), first, np.int32)
    kind, what = line.last
    if kind == "took":
        offered, option = what
        begins = after[line.before, offered]
        return np.where(begins >= 0, begins + option, np.int32(-1))
    begins = trie.states[line.before]
    anew = line.before.before is None and line.before.last is not None
    if kind == "saw":
        above: Any = np.arange(len(line.part))
        step: Any = np.full(len(line.part), trie.fact(what), np.int32)
    else:
        above = line.part.above()
        known = [trie.fact(what.table[view[-1]]) for view in line.part.views]
        step = np.array(known, np.int32)
    before = begins[above]
    met = np.arange(len(before)) if anew else np.flatnonzero(before >= 0)
    states = np.full(len(line.part), -1, np.int32)
    states[met] = trie.add(before[met], step[met])
    return states


def ancestry(blocks: list[Block]) -> list[Line]:
    """All lines that blocks know, and those that they go on from; these first."""
    found: dict[Line, None] = {}
    for block in blocks:
        for known in (*block.lines, *block.minds):
            waiting = []
            line: Line | None = known
            while line is not None and line not in found:
                waiting.append(line)
                line = line.before
            for one in reversed(waiting):
                found[one] = None
    return list(found)
