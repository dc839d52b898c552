"""Sampling in parts, which are walked at the same time, here or on a cluster.

In a run of P parts every iteration is walked P times, with other random numbers in each part. The
run goes in rounds. In a round each part starts from the same regrets, walks a number of iterations,
and tells what it has added: to the regrets of actions, and to the sums for the average strategies.
The run adds the mean of that over all parts, and the next round begins. What a part does follows
from the run's seed, the round and its own number. So the run is the same, to the last bit, whoever
walks the parts, and however many are walked at a time.

**Why the mean is right.** Let R be the regrets of the actions at an information set at the
beginning of a round, d_p what part p adds, and Δ the length of what an iteration adds at most. A
part of K iterations is regret matching as ever: |(R + d_p)⁺|² ≤ |R⁺|² + K Δ². And |x⁺|² is convex:

    |(R + (1/P) Σ_p d_p)⁺|²  ≤  (1/P) Σ_p |(R + d_p)⁺|²  ≤  |R⁺|² + K Δ².

After T iterations |R⁺| is thus at most Δ √T, as in a run without parts, and R / T is the average
regret over all P T walks, to which the bound on a player's regret by those at its information sets
applies. So P parts that are walked at the same time cost no time and promise no less; and since
they draw P times as much, what they find scatters less. Rounds may have any length: they end when
the regret is estimated, a tenth later than the round before, and after 1,000 iterations at most. A
run ends between two rounds.

A round costs the copying of the table to those who walk, and back what has changed. So parts pay
where walks take long compared to the number of information sets.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from infoset.solvers.sampling.infosets import Changed, RegretTable
from infoset.solvers.sampling.places import Luck, Places
from infoset.solvers.sampling.walks import Abandoned, Walk, averaging, external, outcome

if TYPE_CHECKING:
    from infoset.parallel import Workers
    from infoset.rules.position import Position
    from infoset.rules.seats import Seats
    from infoset.solvers.sampling.run import SamplingRequest, SamplingRun

LONGEST = 1000  # iterations of a round


class WalkSetting(NamedTuple):
    """Where a run walks."""

    token: str  # of the run
    start: Position
    seats: Seats
    name: str
    parts: int
    memory: int  # for the places of a part


class RoundPart(NamedTuple):
    """A part of a round: the numbers of its iterations, its luck, and how long it may take."""

    number: int
    iterations: range
    seed: str
    seconds: float
    table: bytes  # the regrets at the beginning of the round

    def __str__(self) -> str:
        return f"part {self.number + 1} of the round after iteration {self.iterations.start - 1:,}"


@dataclass(frozen=True)
class Walked:
    """All that a part has added; nothing if it was abandoned."""

    nodes: int
    changes: list[Changed] | None


def walk_round(run: SamplingRun, size: int, those: Workers, seconds: float = inf) -> bool:
    """Walk a round and add it to the run; False if it took longer, and nothing changed."""
    from cloudpickle import dumps

    parts, begun, seed = run.request.parts, run.iterations, run.request.seed
    table, iterations = dumps(run.table.regrets_alone()), range(begun + 1, begun + size + 1)
    each = [
        RoundPart(part, iterations, f"{seed} {begun} {part}", seconds, table)
        for part in range(parts)
    ]
    source, memory = run.source, run.memory // parts
    ground = WalkSetting(run.token, source.start, source.seats, source.name, parts, memory)
    walk = partial(walk_part, ground, run.request)
    walked = list(those.results(walk, each, ordered=True, called=str))
    if any(one.changes is None for one in walked):
        return False
    for one in walked:
        run.nodes += one.nodes
        run.table.add(one.changes or (), 1 / parts)
    run.iterations += size
    return True


def walks_of(
    request: SamplingRequest, places: Places, luck: Luck, alarm: Callable[[], bool]
) -> list[Walk]:
    """What is done for each player in an iteration."""
    shared = len(places.seats.players) == 2
    if request.method == "external":
        walk = external(places, luck, averages=shared, alarm=alarm)
    else:
        walk = outcome(places, luck, request.exploration, averages=shared)
    return [walk] if shared else [walk, averaging(places, luck)]


def walk_part(ground: WalkSetting, request: SamplingRequest, part: RoundPart) -> Walked:
    """Walk one part, wherever this is."""
    ends = time.perf_counter() + part.seconds

    def late() -> bool:
        return time.perf_counter() > ends

    places = _places(ground, pickle.loads(part.table))
    before = [list(row.regrets) for row in places.table.rows]
    walks = walks_of(request, places, Luck(Random(part.seed)), late)
    nodes = 0
    for number in part.iterations:
        weight = request.weight(number)
        try:
            for player in range(len(places.seats.players)):
                for walk in walks:
                    nodes += walk(player, weight)
                    if late():
                        raise Abandoned
        except Abandoned:
            return Walked(nodes, None)
    return Walked(nodes, places.table.changes(before))


_KEPT = threading.local()  # the run that was last walked in this thread, and places of its parts


def _places(ground: WalkSetting, table: RegretTable) -> Places:
    """Places of a run with these regrets; some that were known in this thread, if there are.

    Those of a part that was walked in the same round do not do: they know information sets that are
    not in the table yet. So as many are kept as the run has parts, and share its memory.
    """
    if getattr(_KEPT, "token", None) != ground.token:
        _KEPT.token, _KEPT.places = ground.token, deque(maxlen=ground.parts)
    for places in _KEPT.places:
        if places.table.take(table):
            found: Places = places
            return found
    made = Places(ground.start, ground.seats, ground.name, table, ground.memory)
    _KEPT.places.append(made)
    return made


def forget() -> None:
    """Keep no places in this thread any more."""
    _KEPT.__dict__.clear()
