"""Simulated plays of the average strategies: what everyone gets, and where plays come.

Means come with the error of chance. How often plays come to an information set is what a reader
looks for first; the weights that the run has for it would not tell, since a rare draw of outcome
sampling weighs a thousand times.

The average strategies set by set, as far as the game was seen, the most visited sets first.

Where simulated plays of the average strategies come most often stands first. Of sets where none
came, those are first that weigh most in the average. A set that weighs nothing was met, but nothing
is known of the strategy there yet: it is uniform.

The average strategies of a run placed on the tree of its game, and proved.

The tree's information sets are found again by walking to the first node of each. Moves have the
same order in a tree and at its positions.

What a run came to: average strategies, how good they seem, and how to have them proved.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, sqrt
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from infoset.errors import InfosetError, StrategyError, nearest
from infoset.rules.moves import CHANCE, Menu
from infoset.solvers.convergence import Convergence
from infoset.solvers.options import Found, Options
from infoset.solvers.sampling.infosets import Reading, Row, brief_state, normalized
from infoset.solvers.sampling.places import ONCE, STOP, Luck, Place
from infoset.solvers.sampling.run import SamplingRun
from infoset.solvers.solution import Solution, conclude
from infoset.strategy import Behaviour, Strategy
from infoset.strategy.behaviour import plan_from_floats
from infoset.text import brief, text
from infoset.tree import Tree

if TYPE_CHECKING:
    from infoset.analysis.table import Sheet
    from infoset.rules import Position

MOST = 10_000  # plays
LEAST = 100
PART = 10  # of the positions walked in the run, one in so many may be walked here


@dataclass(frozen=True)
class Simulation:
    """What simulated plays came to."""

    plays: int
    means: list[float]  # [player] of what it got
    errors: list[float]  # [player] the standard error of that
    leaf_payoffs: list[float]  # [player] between the least and the most that it got
    visits: Counter[int]  # of a row's average, by its identity

    def reach(self, row: Row) -> float:
        """The part of the plays that came to an information set."""
        return self.visits[id(row.average)] / self.plays


def simulated(run: SamplingRun) -> Simulation:
    """Plays by a generator that only the seed decides."""
    luck = Luck(Random(f"plays {run.request.seed}"))
    visits: Counter[int] = Counter()
    players = len(run.players)
    means, squares = [0.0] * players, [0.0] * players
    least, most = [inf] * players, [-inf] * players
    decide = _decide(luck, visits)
    plays = walked = 0
    while plays < LEAST or (plays < MOST and walked * PART < run.nodes):
        end = run.places.walk(decide)
        plays, walked = plays + 1, walked + end.depth + 1
        for player, amount in enumerate(end.payoffs):  # Welford's way: large sums do not spoil it
            apart = amount - means[player]
            means[player] += apart / plays
            squares[player] += apart * (amount - means[player])
            least[player] = min(least[player], amount)
            most[player] = max(most[player], amount)
    errors = [sqrt(square / (plays - 1) / plays) for square in squares]
    leaf_payoffs = [high - low for low, high in zip(least, most, strict=True)]
    return Simulation(plays, means, errors, leaf_payoffs, visits)


def _decide(luck: Luck, visits: Counter[int]) -> Callable[[Place], int]:
    """The average strategies' decisions; they are counted."""

    def decide(place: Place) -> int:
        if place.player < 0:
            return luck.outcome(place) if place.player == CHANCE else STOP
        visits[id(place.average)] += 1
        return luck.option(normalized(place.average))

    return decide


class Seen(NamedTuple):
    """An information set that was met, and the average strategy there."""

    label: str  # as in the tree
    options: Menu
    probabilities: list[float]  # [option] its probability
    reach: float  # the part of simulated plays that came there
    number: int | None  # in the tree, from 1 on, if there is one


class VisitedSets(Sequence[Seen]):
    """The information sets of a player that were met, the most visited first."""

    def __init__(self, run: SamplingRun, player: int, sets: int, simulation: Simulation) -> None:
        """Those of the first ``sets`` rows: simulated plays may have added others since."""
        self._run = run
        self._simulation = simulation
        rows, reach = run.table.rows, simulation.reach
        own = [at for at in range(sets) if rows[at].player == player]
        self._order = sorted(own, key=lambda at: (-reach(rows[at]), -sum(rows[at].average)))

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> Seen: ...
    @overload
    def __getitem__(self, index: slice) -> list[Seen]: ...
    def __getitem__(self, index: int | slice) -> Seen | list[Seen]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = self._order[index]
        reading, row = self._readings[at], self._run.table.rows[at]
        return Seen(
            self._label(reading),
            reading.options,
            normalized(row.average),
            self._simulation.reach(row),
            reading.number,
        )

    @cached_property
    def _readings(self) -> dict[int, Reading]:
        """By row: how its set reads."""
        table, read = self._run.table, self._run.source.labels.read
        return {at: table.reading(at, read) for at in self._order}

    @cached_property
    def _alike(self) -> set[Hashable]:
        """The states of knowledge in which more than one menu is offered."""
        readings = self._readings.values()
        menus = Counter(state for state in map(self._state, readings) if state is not None)
        return {state for state, count in menus.items() if count > 1}

    @cached_property
    def _mixed(self) -> bool:
        """Are some known from a file only, where states of knowledge have digests?"""
        return any(isinstance(reading.state, str) for reading in self._readings.values())

    def _state(self, reading: Reading) -> Hashable:
        return brief_state(reading.state) if self._mixed else reading.state

    def _label(self, reading: Reading) -> str:
        if not self._alike or self._state(reading) not in self._alike:
            return reading.label
        return f"{reading.label} {{{', '.join(map(text, reading.options))}}}"

    def labels(self) -> Iterator[str]:
        """The labels alone, in this order."""
        return (self._label(self._readings[at]) for at in self._order)

    def menus(self) -> Iterator[Menu]:
        """The options alone, in this order."""
        return (self._readings[at].options for at in self._order)

    def by_label(self) -> dict[str, dict[Hashable, float]]:
        """The probabilities of the options by label; sets of one label go by it and a number.

        That is the set's number in the tree, or else its number among all that were met.
        """
        count = Counter(self.labels())
        found: dict[str, dict[Hashable, float]] = {}
        for at, seen in zip(self._order, self, strict=True):
            number = at + 1 if seen.number is None else seen.number
            name = seen.label if count[seen.label] == 1 else f"{seen.label} #{number}".strip()
            found[name] = dict(zip(seen.options, seen.probabilities, strict=True))
        return found


def placed(sampled: Sampled, tree: Tree | None) -> Solution:
    """A solution, verified."""
    began = time.perf_counter()
    if tree is None:
        tree = sampled.run.source.tree()
    strategies = placed_strategies(sampled, tree)
    work = {"iterations": sampled.iterations, "nodes": sampled.nodes}
    return conclude(
        tree,
        Found(strategies, work, note=sampled.note, convergence=sampled.convergence),
        f"{sampled.method}-sampling",
        "as asked",
        Options(began=began - sampled.seconds),
    )


def placed_strategies(sampled: Sampled, tree: Tree, *, prove: bool = True) -> tuple[Strategy, ...]:
    """The average strategies, each player's on the tree; in floats if nothing is to be proved."""
    run = sampled.run
    if tree.names != run.source.seats.players:
        raise _another(run, tree, f"its players are {', '.join(tree.names)}")
    probabilities = averages(run, tree)
    return tuple(_strategy(tree, number, probabilities, prove) for number in range(len(tree.names)))


def averages(run: SamplingRun, tree: Tree) -> list[list[float]]:
    """[infoset] the probabilities of its options in the average strategy."""
    start, members = tree.members
    first = members[start[:-1]].tolist()
    wanted = np.zeros(len(tree), bool)
    for node in first:
        while node >= 0 and not wanted[node]:
            wanted[node] = True
            node = int(tree.parent[node])
    places: dict[int, Place] = {}
    for node in np.flatnonzero(wanted).tolist():  # parents come before their children
        if not node:
            place = run.places.root
        else:
            above, move = places[int(tree.parent[node])], int(tree.action[node])
            if move >= len(above.children):
                raise _another(run, tree, f"node {node} is no position of it")
            below = above.children[move]
            known = below is not None and below is not ONCE
            place = below if below is not None and known else run.places.child(above, move)
        if place.player != tree.player[node] or len(place.moves) != len(tree.menu(node)):
            raise _another(run, tree, f"node {node} is no position of it")
        places[node] = place
    return [normalized(places[node].average) for node in first]


def _another(run: SamplingRun, tree: Tree, why: str) -> StrategyError:
    return StrategyError(f"{tree.name}: this is not the tree of {run.source.name}: {why}")


def _strategy(tree: Tree, number: int, probabilities: list[list[float]], prove: bool) -> Strategy:
    """A player's strategy: exact where it remembers, so that its regret can be proved."""
    player = tree.names[number]
    own = tree.choices[number].infosets.tolist()
    flat = np.array([1.0, *(share for infoset in own for share in probabilities[infoset])])
    if prove and tree.recall(player):
        return plan_from_floats(tree, player, flat)
    return Behaviour(tree, player, flat)


class Estimate(NamedTuple):
    """A mean over simulated plays, and its standard error."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:.4g} ± {self.error:.2g}"


@dataclass(frozen=True, eq=False, repr=False)
class Sampled:
    """The average strategies of a run of :func:`infoset.solvers.sampling.sample`."""

    name: str
    players: tuple[str, ...]
    method: str  # "external" or "outcome"
    iterations: int  # in all, those before a checkpoint included
    seconds: float  # likewise
    seed: int
    averaging: str
    sets: int  # information sets seen
    nodes: int  # positions walked, as often as they were
    bound: Mapping[str, float]  # by player: an estimated bound on its average regret
    convergence: Convergence  # how the bounds fell: a table, a file, a plot
    note: str = ""  # what went wrong on the way, if anything
    run: SamplingRun = field(kw_only=True)  # the tables themselves

    @cached_property
    def simulation(self) -> Simulation:
        """Simulated plays of the average strategies, made when they are first needed.

        By a generator of their own: 10,000 plays, or as many as come to a tenth of the positions
        that were walked, but at least 100.
        """
        return simulated(self.run)

    @property
    def payoffs(self) -> Mapping[str, Estimate]:
        """By player: what it gets when all play their average strategies, by simulated plays."""
        pairs = zip(self.simulation.means, self.simulation.errors, strict=True)
        return {
            player: Estimate(mean, error)
            for player, (mean, error) in zip(self.players, pairs, strict=True)
        }

    def at(self, position: Position, player: str | None = None) -> dict[Hashable, float]:
        """The average strategy of a mover: the probability of each of its options.

        Uniform where no walk came. ``player`` may be left out where only one moves.
        """
        movers = position.movers
        if player is None and len(movers) == 1:
            player = movers[0]
        if player not in movers:
            said = nearest(player, movers) if movers else "nobody moves there"
            raise InfosetError(f"{self.name}: {player!r} does not move at {position!r:.80}; {said}")
        options = tuple(position.options(player))
        row = self.run.table.find((player, position.view(player), options))
        weights = row.average if row is not None else [0.0] * len(options)
        return dict(zip(options, normalized(weights), strict=True))

    def seen(self, player: str) -> VisitedSets:
        """A player's information sets that were met, the most visited first, with what it does."""
        if player not in self.players:
            hint = nearest(player, self.players)
            raise InfosetError(f"{brief(self.name)}: no player {player!r:.60}; {hint}")
        number = self.players.index(player)
        if number not in self._seen:
            self._seen[number] = VisitedSets(self.run, number, self.sets, self.simulation)
        return self._seen[number]

    @cached_property
    def _seen(self) -> dict[int, VisitedSets]:
        """By player: what was looked at already."""
        return {}

    def strategy(self, player: str) -> Mapping[str, dict[Hashable, float]]:
        """A player's average strategy: the probabilities of its options, by label.

        Labels are those of the tree: what the player knows, in brackets what it did. Only
        information sets that were met are there, the most visited first. After a run was taken up
        from a file, options that are neither numbers nor texts are there as they read, where no
        play met them again.

        >>> from infoset.games import kuhn
        >>> from infoset.solvers.sampling import sample
        >>> jack = sample(kuhn(), iterations=20_000).strategy("dealer")["J, bet"]
        >>> {option: round(share, 2) for option, share in jack.items()}
        {'pass': 1.0, 'bet': 0.0}
        """
        return MappingProxyType(self.seen(player).by_label())

    def table(
        self, player: str, *, where: str | Sequence[str] = (), rows: range | None = None
    ) -> Sheet:
        """What a player does, the information sets where plays come most often first.

        ``where`` keeps the information sets whose label has these texts in it, ``rows`` a page. The
        sheet shows itself, a few rows of a long one, and has ``csv()``, ``latex()`` and
        ``save(file)``.

        >>> from infoset.games import kuhn
        >>> from infoset.solvers.sampling import sample
        >>> print(sample(kuhn(), iterations=20_000).table("gambler", where="[pass]"))
        gambler
        <BLANKLINE>
        knows           pass             bet               reach
        Q, [pass], bet  0.3855 ███       0.6145 ████▉     0.2238
        J, [pass], bet  1.0000 ███████▉   1e-07 ▏         0.1221
        K, [pass], bet       0                1 ████████  0.0111
        reach: the part of 5,773 simulated plays that came there
        """
        from infoset.display.show import solution_sheet

        return solution_sheet(self, player, where=where, rows=rows)

    def csv(self, player: str | None = None) -> str:
        """The strategies, or one player's, as CSV, to be edited in a spreadsheet.

        Information sets that were not met are not there: who reads it says what happens there, as
        in ``read_strategies(file, tree, missing="uniform")``.
        """
        from infoset.display.show import solution_csv

        return "".join(solution_csv(self, player))

    def save_csv(self, path: str | Path, player: str | None = None) -> None:
        """Write :meth:`csv` to a file; the file is complete or as it was before."""
        from infoset.display.show import solution_csv
        from infoset.files import write_lines

        write_lines(path, solution_csv(self, player))

    def solution(self, tree: Tree | None = None) -> Solution:
        """The average strategies on the tree, with their payoffs and regrets, as any solution.

        The tree is built if it is not given, which must be possible. Regrets are proved in rational
        arithmetic, whatever the run estimated.
        """
        return placed(self, tree)

    def __repr__(self) -> str:
        return (
            f"<Sampled {brief(self.name)}: {self.iterations:,} iterations of {self.method}"
            f" sampling, {self.sets:,} information sets>"
        )

    def __str__(self) -> str:
        from infoset.display.show import solution_text

        return solution_text(self)

    def _repr_html_(self) -> str:
        from infoset.display.show import solution_html

        return solution_html(self)


def sampled(run: SamplingRun, note: str) -> Sampled:
    """The record of a run as it stands."""
    asked, players = run.request, run.source.seats.players
    run.table.forgiving = True  # simulated plays may meet more of the game, and go to no file
    return Sampled(
        name=run.source.name,
        players=players,
        method=asked.method,
        seed=asked.seed,
        iterations=run.iterations,
        seconds=run.seconds,
        averaging=asked.averaging,
        sets=len(run.table.rows),
        nodes=run.nodes,
        bound=dict(zip(players, run.bounds, strict=True)),
        convergence=run.convergence,
        note=note,
        run=run,
    )
