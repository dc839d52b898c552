"""Who climbs and descends where: groups of decisions, panels of their sets, levels of groups.

A decision *continues* the one before it if it has the same sets, each after itself: nothing private
was learnt between them. Decisions that continue each other are a group; inside it sets do not
concern each other, and a panel, some neighbouring sets of all decisions of the group, is done by
one worker at one go. Groups are on the level below the one at which they hang.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from infoset.forms.public.record import NOT_YET, Decision, PublicForm

if TYPE_CHECKING:
    from infoset.kernels.public import Panels

Longs = npt.NDArray[np.int64]

WIDEST, NARROWEST = 256, 32  # sets of a panel
PANELS = 8  # of a group with sets enough


def continues(form: PublicForm, player: int, number: int) -> bool:
    """Has a decision the same sets as the player's decision before it, each after itself?"""
    one = form.decisions[player][number]
    if one.after == NOT_YET or len(one) != len(form.decisions[player][one.after]):
        return False
    return bool((one.before == np.arange(len(one))).all())


def dealt(weights: npt.ArrayLike, workers: int) -> Longs:
    """[worker] first, one past the last of some pieces of work: neighbours, in equal shares.

    >>> dealt([1, 1, 1, 1, 4], 2).tolist()
    [[0, 4], [4, 5]]
    """
    sizes = np.asarray(weights, np.float64)
    middle = np.cumsum(sizes) - sizes / 2
    whole = sizes.sum() or 1.0
    cuts = np.searchsorted(middle, np.arange(1, workers) * whole / workers)
    borders = np.concatenate(([0], cuts, [len(sizes)])).astype(np.int64)
    return np.stack((borders[:-1], borders[1:]), axis=1)


def panels_of(form: PublicForm, workers: int) -> Panels:
    """All groups of both players, cut into panels, level by level."""
    from infoset.kernels.public import Panels

    made = _Made([], [], [], [], [], [])
    levels = []
    for player, own in enumerate(form.decisions):
        first = len(made.shares)
        for groups in _levels(form, player):
            made.add(own, groups, player * len(form.decisions[0]), workers)
        levels.append((first, len(made.shares)))
    return Panels(
        members=np.array(made.members, np.int64),
        panels=np.array(made.panels, np.int64).reshape(-1, 4),
        levels=np.array(levels, np.int64),
        shares=np.array(made.shares, np.int64).reshape(-1, workers, 2),
        late_runs=np.array(made.late_runs, np.int64),
        late=np.array(made.late, np.int64).reshape(-1, 2),
        late_shares=np.array(made.late_shares, np.int64).reshape(-1, workers, 2),
    )


@dataclass
class _Made:
    """The lists, as :class:`infoset.kernels.public.Panels` explains them, while they are made."""

    members: list[int]
    panels: list[tuple[int, int, int, int]]
    shares: list[Longs]
    late_runs: list[int]
    late: list[tuple[int, int]]
    late_shares: list[Longs]

    def add(
        self, own: Sequence[Decision], groups: list[list[int]], first_run: int, workers: int
    ) -> None:
        """Take in the groups of one level."""
        first_panel, first_late = len(self.panels), len(self.late)
        work, hanging = [], defaultdict(list)
        for group in groups:
            begin = len(self.members)
            self.members += [first_run + number for number in group]
            top, options = own[group[0]], sum(len(own[number].menu) for number in group)
            for low, high in _cuts(len(top)):
                self.panels.append((begin, len(self.members), low, high))
                work.append(options * (high - low))
            hanging[top.after, top.option].append(group[0])
        for tops in hanging.values():
            self.late.append((len(self.late_runs), len(self.late_runs) + len(tops)))
            self.late_runs += [first_run + number for number in tops]
        sizes = [sum(len(own[number]) for number in tops) for tops in hanging.values()]
        self.shares.append(first_panel + dealt(work, workers))
        self.late_shares.append(first_late + dealt(sizes, workers))


def _levels(form: PublicForm, player: int) -> list[list[list[int]]]:
    """[level][group] its decisions, earlier ones first."""
    group_of: list[list[int]] = []
    level_of: list[int] = []
    levels: list[list[list[int]]] = []
    for number, one in enumerate(form.decisions[player]):
        if continues(form, player, number):
            group, level = group_of[one.after], level_of[one.after]
        else:
            group, level = [], 0 if one.after == NOT_YET else level_of[one.after] + 1
            if level == len(levels):
                levels.append([])
            levels[level].append(group)
        group.append(number)
        group_of.append(group)
        level_of.append(level)
    return levels


def _cuts(sets: int) -> list[tuple[int, int]]:
    """The panels of so many sets, about equally large."""
    size = min(max(-(-sets // PANELS), NARROWEST), WIDEST)
    cuts = np.linspace(0, sets, -(-sets // size) + 1).astype(np.int64).tolist()
    return list(pairwise(cuts))
