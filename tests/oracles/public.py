"""The public form of any tree, made slowly and plainly: what the fast ways are checked against.

Information sets of a player go into one decision if they offer the same menu and come after the
same option of the same decision. That need not be all that is public, but it is a public form of
the game. Where two last choices meet, payoffs are summed play by play and cut into blocks of sets
that can meet; tables that are multiples of each other are one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from infoset.forms.public.record import (
    NOT_YET,
    Block,
    Decision,
    Meeting,
    PayoffTable,
    PublicCounts,
    PublicForm,
    PublicLeaf,
)
from infoset.tree import Tree
from infoset.tree.knowledge import Word

Last = tuple[int, int]
Found = dict[tuple[int, int], Fraction]  # by set of player one and set of player two


class Seats:
    """Where a player's choices are in the form: which decision, which set, which option."""

    def __init__(self, tree: Tree, player: int) -> None:
        self.choices = tree.choices[player]
        self.where: dict[int, tuple[int, int]] = {}  # [own set] decision, set
        self.members: list[list[int]] = []  # [decision] own sets
        self.place: list[tuple[Last, int]] = [((NOT_YET, 0), 0)]  # [choice] decision, option; set
        keys: dict[tuple[Last, int], int] = {}
        self.place += [((0, 0), 0)] * (len(self.choices) - 1)
        for stage in self.choices.stages:
            for own in stage.tolist():
                before, _ = self.place[int(self.choices.before[own])]
                menu = int(tree.infoset_menu[self.choices.infosets[own]])
                number = keys.setdefault((before, menu), len(keys))
                if number == len(self.members):
                    self.members.append([])
                self.where[own] = (number, len(self.members[number]))
                self.members[number].append(own)
                for option in range(int(self.choices.sizes[own])):
                    choice = int(self.choices.first[own]) + option
                    self.place[choice] = ((number, option), self.where[own][1])

    def order(self) -> np.ndarray:
        """[sequence of the form] the choice of the tree."""
        found = [0]
        for own in self.members:
            size = int(self.choices.sizes[own[0]])
            found += [int(self.choices.first[s]) + o for o in range(size) for s in own]
        return np.array(found)


def public_form_of_tree(tree: Tree) -> PublicForm:
    """A public form of a game of two who forget nothing and whose payoffs sum to a constant."""
    seats = [Seats(tree, player) for player in range(2)]
    tables: dict[tuple, int] = {}
    kept: list[PayoffTable] = []

    def table_of(found: Found) -> tuple[int, Fraction]:
        common = lcm(*(one.denominator for one in found.values()))
        whole = {key: int(one * common) for key, one in found.items()}
        shared = gcd(*whole.values())
        reduced = tuple(sorted((key, one // shared) for key, one in whole.items()))
        if reduced not in tables:
            tables[reduced] = len(kept)
            kept.append(PayoffTable(tuple(blocks(dict(reduced)))))
        return tables[reduced], Fraction(shared, common)

    leaves = []
    for last, found in paid(tree, seats).items():
        number, factor = table_of(found)
        leaves.append(PublicLeaf(last, number, factor))
    decisions = tuple(decisions_of(tree, player, seats, table_of) for player in range(2))
    return PublicForm(
        name=tree.name,
        players=tree.names,
        decisions=decisions,
        tables=tuple(kept),
        leaves=tuple(leaves),
        total=sum((stake[0] for stake in tree.leaf_payoffs), Fraction(0)),
        counts=counted(tree),
    )


def paid(tree: Tree, seats: list[Seats]) -> dict[tuple[Last, Last], Found]:
    """What plays pay, by the last choices of both."""
    found: dict[tuple[Last, Last], Found] = defaultdict(lambda: defaultdict(Fraction))
    stake = tree.leaf_payoffs[0]
    for leaf, node in enumerate(tree.leaf_indices.tolist()):
        (one, i), (two, j) = (own.place[int(own.choices.last[node])] for own in seats)
        amount = tree.chance_reach[node] * stake[leaf]
        found[one, two][i, j] += Fraction(amount)
    plain = {last: {k: v for k, v in own.items() if v} for last, own in found.items()}
    return {last: own for last, own in plain.items() if own}


def blocks(entries: dict[tuple[int, int], int]) -> Iterable[Block]:
    """Cut a table where nobody meets."""
    group: dict[tuple[str, int], tuple[str, int]] = {}

    def top(one: tuple[str, int]) -> tuple[str, int]:
        while group.setdefault(one, one) != one:
            one = group[one]
        return one

    for i, j in entries:
        group[top(("row", i))] = top(("column", j))
    parts: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for i, j in entries:
        parts[top(("row", i))].append((i, j))
    for own in parts.values():
        rows, columns = sorted({i for i, _ in own}), sorted({j for _, j in own})
        matrix = np.zeros((len(rows), len(columns)), object)
        for i, j in own:
            matrix[rows.index(i), columns.index(j)] = entries[i, j]
        if max(map(abs, matrix.reshape(-1).tolist())) < 2**62:
            matrix = matrix.astype(np.int64)
        yield Block(np.array(rows), np.array(columns), matrix)


def decisions_of(tree: Tree, player: int, seats: list[Seats], table_of) -> tuple[Decision, ...]:
    own, other = seats[player], seats[1 - player]
    start, nodes = tree.members
    made = []
    for number, members in enumerate(own.members):
        first = int(own.choices.infosets[members[0]])
        before = [own.place[int(own.choices.before[s])] for s in members]
        meets: dict[Last, Found] = defaultdict(lambda: defaultdict(Fraction))
        for mine, s in enumerate(members):
            at = int(own.choices.infosets[s])
            for node in nodes[start[at] : start[at + 1]].tolist():
                last, yours = other.place[int(other.choices.last[node])]
                key = (yours, mine) if player else (mine, yours)
                meets[last][key] += Fraction(tree.chance_reach[node])
        words = (
            [tree.knowing.words(int(tree.knowing.state[own.choices.infosets[s]])) for s in members]
            if tree.knowing
            else [[Word(f"{number}.{s}", own=False)] for s in members]
        )
        made.append(
            Decision(
                player=player,
                menu=tuple(tree.menus[tree.infoset_menu[first]]),
                after=before[0][0][0],
                option=before[0][0][1],
                before=np.array([at for _, at in before]),
                stands_for=np.ones(len(members), np.int64),
                words=[tuple(one) for one in words],
                meetings=tuple(Meeting(last, *table_of(found)) for last, found in meets.items()),
            )
        )
    return tuple(made)


def counted(tree: Tree) -> PublicCounts:
    per = [tree.infosets_of(name) for name in tree.names]
    return PublicCounts(
        nodes=tree.counts.nodes,
        chance=tree.counts.chances,
        leaves=tree.counts.leaves,
        decisions=tuple(sum(len(one) for one in own) for own in per),
        infosets=tuple(len(own) for own in per),
        sequences=tuple(len(choices) for choices in tree.choices),
    )
