"""In which order a player's information sets stand, and who works on which.

Sets of the same stage (as many own choices before them) with equally many actions form a *run*: the
first action of every set, then the second of every set, and so on. Inside a run sets go by the
sequence before them, so that the children of one sequence are neighbours.

For several workers, the sets of one stage are dealt out, each with all that follows it, and every
part is arranged for itself. What is above that stage, the *crown*, is one worker's. The sets of the
stage itself leave their values to that worker, who adds them up in an order that is the same for
any number of workers: so are all sums, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from infoset.tree.choices import Choices

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Arranged:
    """One player's sets in their order."""

    place: Longs  # [choice] where its sequence stands
    before: Longs  # [set, in the new order] the choice before it
    runs: Longs  # [run] first set, one past its last, first sequence, actions, leave values behind?
    crown: Longs  # first run, one past the last
    parts: Longs  # [worker] first run, one past the last
    late: Longs  # sets that leave their values behind, in the order in which they are added
    order: Longs  # all runs, so that taken from the last on sums are those of one worker alone


def arrange(choices: Choices, workers: int) -> Arranged:
    """Put a player's sets in order for so many workers.

    >>> from infoset.games import kuhn
    >>> arranged = arrange(kuhn().tree().choices[0], 1)
    >>> arranged.runs.tolist()  # two runs of three sets with two actions
    [[0, 3, 1, 2, 0], [3, 6, 7, 2, 0]]
    >>> arranged.place.tolist()  # all that pass with a card, then all that bet, ...
    [0, 1, 4, 7, 10, 2, 5, 8, 11, 3, 6, 9, 12]
    """
    count = len(choices.infosets)
    stage = np.zeros(count, np.int64)
    for depth, sets in enumerate(choices.stages):
        stage[sets] = depth
    cut, part = _dealt_out(choices, stage, workers)
    order = np.lexsort((np.arange(count), choices.before, choices.sizes, stage, part))
    keys = np.stack((part, stage, choices.sizes))[:, order]
    new = np.ones(count, bool)
    new[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    begin = np.flatnonzero(new)
    length = np.diff(np.append(begin, count))
    sizes = keys[2, begin]
    sequence = 1 + np.cumsum(length * sizes) - length * sizes
    leave = ((keys[1, begin] == cut) & (workers > 1)).astype(np.int64)

    stands = np.empty(count, np.int64)
    stands[order] = np.arange(count)
    owner = choices.owner[1:]
    run = (np.cumsum(new) - 1)[stands[owner]]
    action = np.arange(len(owner)) - (choices.first[owner] - 1)
    place = np.zeros(len(choices), np.int64)
    place[1:] = sequence[run] + action * length[run] + stands[owner] - begin[run]

    borders = np.searchsorted(keys[0, begin], np.arange(-1, workers + 1))
    late = np.flatnonzero(stage == cut) if workers > 1 else np.zeros(0, np.int64)
    # As one worker alone would: longer runs later, so they come first on the way back.
    late = late[np.lexsort((late, choices.before[late], -choices.sizes[late]))]
    return Arranged(
        place=place,
        before=choices.before[order],
        runs=np.stack((begin, begin + length, sequence, sizes, leave), axis=1),
        crown=borders[:2],
        parts=np.stack((borders[1:-1], borders[2:]), axis=1),
        late=stands[late],
        order=np.lexsort((-keys[0, begin], sizes, keys[1, begin])),
    )


def _dealt_out(choices: Choices, stage: Longs, workers: int) -> tuple[int, Longs]:
    """From which stage on sets are dealt out, and [set] to whom; what is above has -1.

    It is the stage with which the busiest worker is done first.
    """
    part = np.zeros(len(stage), np.int64)
    if workers == 1 or not len(stage):
        return 0, part
    weight = choices.sizes.copy()  # of a set with all that follows it
    parent = choices.owner[choices.before]
    for sets in reversed(choices.stages[1:]):
        np.add.at(weight, parent[sets], weight[sets])
    whole, found = int(choices.sizes.sum()), (-1, 0, part)
    for cut, sets in enumerate(choices.stages):
        crown = int(choices.sizes[stage < cut].sum())
        if found[0] >= 0 and crown >= found[0]:
            break
        sets = sets[np.lexsort((sets, choices.before[sets]))]
        own = weight[sets]
        middle = np.cumsum(own) - own / 2  # equal shares of the weight, neighbours together
        to = np.minimum(middle * workers / own.sum(), workers - 1).astype(np.int64)
        busiest = crown + int(np.bincount(to, own, minlength=workers).max())
        if found[0] < 0 or busiest < found[0] - whole // 50:  # no deeper than it pays
            dealt = np.full(len(stage), -1, np.int64)
            dealt[sets] = to
            found = (busiest, cut, dealt)
    _, cut, part = found
    for sets in choices.stages[cut + 1 :]:
        part[sets] = part[parent[sets]]
    return cut, part
