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

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import inf, sqrt
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from infoset.errors import InfosetError, StrategyError, TooLarge, nearest
from infoset.linear.numbers import Number
from infoset.rules.moves import CHANCE, Menu
from infoset.solvers.evaluation import (
    PositionEvaluation,
    Probabilities,
    TreeEvaluation,
    mover_at,
)
from infoset.solvers.sampling.exploitability import Bracket, Estimate, estimated_exploitability
from infoset.solvers.sampling.infosets import InfosetRow, Reading, brief_state, normalized
from infoset.solvers.sampling.places import ONCE, STOP, Luck, SampledNode
from infoset.solvers.sampling.run import SamplingRun
from infoset.solvers.solution import Solution
from infoset.strategy import Behaviour, Strategy, profile
from infoset.strategy.behaviour import plan_from_floats
from infoset.text import MOST_COMPARED, brief, closest, label_among, text
from infoset.tree import Infoset, Tree
from infoset.tree.knowledge import labels_of_view
from infoset.tree.positions import TreePosition, infoset_of_view

if TYPE_CHECKING:
    from infoset.rules import Position

MOST = 10_000  # plays
LEAST = 100
SMALL = 100_000  # nodes of a tree that is built without being asked for
PART = 10  # of the positions walked in the run, one in so many may be walked here


@dataclass(frozen=True)
class Simulation:
    """What simulated plays came to."""

    plays: int
    means: list[float]  # [player] of what it got
    errors: list[float]  # [player] the standard error of that
    ranges: list[float]  # [player] between the least and the most that it got
    visits: Counter[int]  # of a row's average, by its identity

    def reach(self, row: InfosetRow) -> float:
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
    ranges = [high - low for low, high in zip(least, most, strict=True)]
    return Simulation(plays, means, errors, ranges, visits)


def _decide(luck: Luck, visits: Counter[int]) -> Callable[[SampledNode], int]:
    """The average strategies' decisions; they are counted."""

    def decide(place: SampledNode) -> int:
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


def placed_strategies(run: SamplingRun, tree: Tree, *, prove: bool = True) -> tuple[Strategy, ...]:
    """The average strategies, each player's on the tree; in floats if nothing is to be proved."""
    if tree.names != run.source.seats.players:
        raise _another(run, tree, f"its players are {', '.join(tree.names)}")
    probabilities = averages(run, tree)
    return tuple(_strategy(tree, number, probabilities, prove) for number in range(len(tree.names)))


def averages(run: SamplingRun, tree: Tree) -> list[list[float]]:
    """[infoset] the probabilities of its options in the average strategy."""
    start, members = tree.members
    first = members[start[:-1]].tolist()
    begin = run.source.start
    if isinstance(begin, TreePosition) and begin.tree is tree:
        return [_average_at(run, TreePosition(tree, node)) for node in first]
    wanted = np.zeros(len(tree), bool)
    for node in first:
        while node >= 0 and not wanted[node]:
            wanted[node] = True
            node = int(tree.parent[node])
    places: dict[int, SampledNode] = {}
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


def _average_at(run: SamplingRun, position: TreePosition) -> list[float]:
    """The average strategy at a position of the tree that was sampled; uniform where none came."""
    (mover,) = position.movers
    menu = position.options(mover)
    row = run.table.find((mover, position.view(mover), menu))
    return normalized([0.0] * len(menu) if row is None else row.average)


def _another(run: SamplingRun, tree: Tree, why: str) -> StrategyError:
    return StrategyError(f"{tree.name}: this is not the tree of {run.source.name}: {why}")


def _strategy(tree: Tree, number: int, probabilities: list[list[float]], prove: bool) -> Strategy:
    """A player's strategy: exact where it remembers, so that its regret can be proved."""
    player = tree.names[number]
    own = tree.choices[number].infosets.tolist()
    flat = np.array(
        [1.0, *(probability for infoset in own for probability in probabilities[infoset])]
    )
    if prove and tree.recall(player):
        return plan_from_floats(tree, player, flat)
    return Behaviour(tree, player, flat)


@dataclass(frozen=True, eq=False, repr=False)
class SampledEvaluation(PositionEvaluation):
    """The average strategies of a run of :func:`infoset.sample`, over the positions it visited.

    There is no tree: payoffs are estimated by simulated plays, and ``bound`` estimates the regrets.
    Regrets themselves, and the value, are computed on the tree, which is built when they are asked
    for, if it is not too large.
    """

    kind = "sampled run"
    alternative = "evaluation.bound estimates the regrets, and strategy, table and csv need no tree"
    run: SamplingRun  # the tables themselves
    iterations: int  # in all, those before a checkpoint included
    sets: int  # information sets visited
    nodes: int  # positions walked, as often as they were
    bound: Mapping[str, float]  # by player: an estimated bound on its average regret
    whole: bool = True  # did the run end between two iterations?

    @property
    def name(self) -> str:
        """The game's name."""
        return self.run.source.name

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in order."""
        return self.run.source.seats.players

    @property
    def seed(self) -> int:
        """The seed of the random numbers."""
        return self.run.request.seed

    @property
    def averaging(self) -> str:
        """How iterations are weighted in the average."""
        return self.run.request.averaging

    @cached_property
    def simulation(self) -> Simulation:
        """Simulated plays of the average strategies, made when they are first needed.

        By a generator of their own: 10,000 plays, or as many as come to a tenth of the positions
        that were walked, but at least 100.
        """
        return simulated(self.run)

    @property
    def payoffs(self) -> dict[str, Number]:
        """By player: its payoff in simulated plays, an :class:`Estimate` with its error."""
        pairs = zip(self.simulation.means, self.simulation.errors, strict=True)
        return {
            player: Estimate(mean, error)
            for player, (mean, error) in zip(self.players, pairs, strict=True)
        }

    @property
    def exploitability(self) -> Number:
        """The sum of all regrets: on the tree if it is small or there already, else an estimate."""
        small = self.on_small_tree
        return self.estimated_exploitability if small is None else small.exploitability

    @cached_property
    def estimated_exploitability(self) -> Bracket:
        """The exploitability between two bounds with a confidence of 95%; no tree is built.

        Responses of all players are learned and tried in sampled walks: as many positions are
        walked as the run walked, at least 50,000 and at most 1,000,000. See
        :mod:`infoset.solvers.sampling.exploitability`.
        """
        return estimated_exploitability(self.run)

    @cached_property
    def on_small_tree(self) -> TreeEvaluation | None:
        """The evaluation on the tree, if that is there already, or has at most 100,000 nodes."""
        if self.verified is None:
            try:
                tree = self.run.source.tree(SMALL)
            except TooLarge:
                return None
            if len(tree) > SMALL:
                return None
            self.__dict__["_on_tree"] = TreeEvaluation(tree, profile(self.placed_on(tree)))
        return self.verified

    @property
    def value(self) -> Number | None:
        """The first player's payoff on the tree, where the game has a value."""
        return self.feasible_tree().value

    @property
    def value_bounds(self) -> tuple[Number, Number] | None:
        """Where the value certainly lies, computed on the tree."""
        return self.feasible_tree().value_bounds

    @property
    def certificate(self) -> str:
        """The certificate on the tree, where that was built; else what is estimated."""
        if self.verified is not None:
            return self.verified.certificate
        largest = max(self.bound.values(), default=0.0)
        return f"not verified: regret estimated at {largest:.2g}; on_tree() verifies it"

    def build_tree(self) -> Tree:
        """The tree of the game that was sampled."""
        return self.run.source.tree()

    def placed_on(self, tree: Tree) -> tuple[Strategy, ...]:
        """The average strategies, in parts of 2^-52 so that regrets are proved."""
        return placed_strategies(self.run, tree)

    # ------------------------------------------------------------------ what is done where

    def decide(self, position: Position | None = None) -> dict[str, dict[Hashable, Number]]:
        """By player to move: the average strategy at a position, uniform where no sample came."""
        here = self.run.source.start if position is None else position
        return {player: dict(self.at(here, player)) for player in here.movers}

    def at(self, position: Position, player: str | None = None) -> dict[Hashable, Number]:
        """The average strategy of a mover: the probability of each of its options.

        Uniform where no walk came. ``player`` may be left out where only one moves.
        """
        mover = mover_at(self.name, position, player)
        options = tuple(position.options(mover))
        row = self.run.table.find((mover, position.view(mover), options))
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

    @cached_property
    def strategy(self) -> Mapping[str, Mapping[str, Probabilities]]:
        """By player, by label: the average strategy at the information sets that were visited.

        Labels are those of the tree. The most visited sets are first. After a run was resumed from
        a file, options that are neither numbers nor texts are there as they read, where no play met
        them again.

        >>> from infoset import sample
        >>> from infoset.games import kuhn
        >>> jack = sample(kuhn(), iterations=20_000).strategy["dealer"]["J, bet"]
        >>> {option: round(probability, 2) for option, probability in jack.items()}
        {'pass': 1.0, 'bet': 0.0}
        """
        return _VisitedByPlayer(self)


class VisitedStrategy(Mapping[str, Probabilities]):
    """A player's average strategy: by label, by the view of a position, or by an Infoset."""

    def __init__(self, evaluation: SampledEvaluation, player: str) -> None:
        """At the information sets that were visited."""
        self._evaluation = evaluation
        self._player = player
        self._by_label = evaluation.seen(player).by_label()

    def __getitem__(self, place: Any) -> Probabilities:
        """The probabilities at an information set; one that no walk met is refused."""
        label = self._label(place)
        if label is None:
            said = "the walks did not come there; at(position) is uniform then"
            if isinstance(place, str):
                said += f"; {closest(place, islice(self._by_label, MOST_COMPARED))}"
            raise VisitedError(
                f"{brief(self._evaluation.name)}: {brief(self._player)}: {place!r:.80}: {said}"
            )
        return self._by_label[label]

    def _label(self, place: Any) -> str | None:
        if isinstance(place, str):
            names: tuple[str, ...] = (label_among(place, self._by_label),)
        elif isinstance(place, Infoset):
            names = (place.label, f"{place.label} #{place.index + 1}")
        else:
            tree = getattr(self._evaluation.run.source.start, "tree", None)
            found = None if tree is None else infoset_of_view(tree, self._player, place)
            if found is not None:
                return self._label(found)
            agents = self._evaluation.run.source.seats.agents
            labels = labels_of_view(place)
            names = (*labels, *(f"{agent}: {label}" for agent in agents for label in labels))
        return next((name for name in names if name in self._by_label), None)

    def __contains__(self, place: object) -> bool:
        return self._label(place) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_label)

    def __len__(self) -> int:
        return len(self._by_label)

    def __repr__(self) -> str:
        return repr(self._by_label)


class VisitedError(StrategyError, KeyError):
    """An information set that a sampled run did not come to."""

    __str__ = StrategyError.__str__


class _VisitedByPlayer(Mapping[str, Mapping[str, Probabilities]]):
    """Strategies by player, read when they are asked for."""

    def __init__(self, evaluation: SampledEvaluation) -> None:
        self._evaluation = evaluation
        self._known: dict[str, Mapping[str, Probabilities]] = {}

    def __getitem__(self, player: str) -> Mapping[str, Probabilities]:
        if player not in self._known:
            self._known[player] = VisitedStrategy(self._evaluation, player)
        return self._known[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._evaluation.players)

    def __len__(self) -> int:
        return len(self._evaluation.players)


def sampled(run: SamplingRun, note: str, *, whole: bool = True) -> Solution:
    """The solution of a run as it stands; ``whole`` unless it was stopped within an iteration."""
    run.table.forgiving = True  # simulated plays may meet more of the game, and go to no file
    bound = dict(zip(run.source.seats.players, run.bounds, strict=True))
    evaluation = SampledEvaluation(
        run, run.iterations, len(run.table.rows), run.nodes, bound, whole
    )
    work = {"iterations": run.iterations, "nodes": run.nodes, "infosets": evaluation.sets}
    return Solution(
        evaluation=evaluation,
        method=f"{run.request.method}-sampling",
        because="as asked",
        work=MappingProxyType(work),
        note=note,
        seconds=run.seconds,
        convergence=run.convergence,
    )
