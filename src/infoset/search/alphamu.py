"""αμ: one plan for all worlds, against opponents who know the world.

Perfect-information Monte Carlo (PIMC) searches sampled positions, *worlds*, one by one. In each of
them the player later does what is best there, although it cannot tell the worlds apart: *strategy
fusion*. αμ (T. Cazenave & V. Ventos, The αμ search algorithm for the game of bridge, 2020) searches
the worlds together. Max, the player, moves alike wherever it observes the same; Min, all others,
know the world and do their worst. A plan of Max then has a result in each world, a *vector*, and
plans are compared by dominance: one vector dominates another if it is as good in every world. What
is left is a *Pareto front* F, computed for a set of worlds that Max cannot distinguish, with M of
Max's moves to look ahead:

    M = 0       one vector: of each world its value with perfect information
    Max         the union of the fronts after each move, M falling by one
    Min         min(f, g) in each world, for all f, g of the fronts below: a plan has one vector
                for every set that Max may come to, and Min chooses in every world among these sets

Without comparing vectors until the whole plan is known, no choice at one place is made without
regard to what it costs at others: *non-locality*, to the depth M. The value of a move at the root
is the greatest mean of a vector of its front, by the weights of the worlds. With M = 1 this is
PIMC; with M large enough, the best pure strategy against opponents who see everything.

**Departures.** *Payoffs* are any numbers, where the paper has games won and lost. *Sets* are
grouped by Max's view, where in bridge all moves are seen; so Min's moves may be hidden. A world
that cannot come to a set has no entry in its vectors, and no part in the minimum there: only
*useful* worlds are kept. *Chance* between two of Max's moves is no part of a world, and nobody
knows it: at a chance move the mean over the outcomes is taken, within each world, and Max's plan
depends on what it observes of the outcome. So values stay right, at the price of more sets.
*Simultaneous moves*: Min sees what Max has chosen, as in :mod:`infoset.search.perfect`. *Partners*
of Max in a team know the world and help. *Several opponents* are one (paranoid), and so are those
whose payoffs do not sum to a constant with Max's: they minimize what Max gets.

**Cuts.** *Early cut*: while sets are folded into the front of a move, what it may still bring only
falls. If all of it is dominated by the front of the moves tried before, the rest of the sets is
left out. *Root cut*: M grows from 1 on, and values only fall, since a plan never does better than
perfect information. So a move that is worth as much as the best one was for M − 1 is best for M.
Both are exact; the second is used only where leaves are searched to the end of the game, since
evaluations at a depth limit need not fall.

**Bounds.** Where the values with perfect information come from a solver that is quick
(``solver=``), they are asked for at every move of Max, not at leaves only: no plan brings more than
they say. A move whose values are dominated by what is found already is left out, with all that
follows; a set is done when a plan brings as much as they say in each world; a world that is worth
the least anyway (``least=``) is no part of the set; and of a single world they are the front. These
cuts are those of T. Cazenave, S. Legras & V. Ventos, Optimizing αμ, 2021, in other words. They are
exact where no chance moves follow.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import inf
from operator import ge
from time import perf_counter
from typing import Any, NamedTuple

from infoset.errors import ParameterError, TooLarge
from infoset.rules import Position
from infoset.search.limits import SearchStopped
from infoset.search.perfect import PerfectSearch
from infoset.search.perfect.session import plain
from infoset.text import brief
from infoset.tree.source import source

MOST_POSITIONS = 5_000_000  # of one search without a limit of its own
MOST_VECTORS = 10_000  # that are compared at once
CHECK_EVERY = 64  # steps between two looks at the clock

Vector = tuple[Any, ...]  # [world] a result
Front = list[Vector]
Belief = Sequence[tuple[Position, Any]]  # worlds with their weights


class _Known(NamedTuple):
    """A result that depends on no further decision of Max."""

    value: Any


class _Decision(NamedTuple):
    """The next decision of Max: in this set, this world of it."""

    group: Hashable
    at: int
    most: Any = inf  # that it can bring


class _Mean(NamedTuple):
    """A chance move."""

    branches: list[tuple[Any, Any]]  # probability, what follows


class _Choice(NamedTuple):
    """A move of another: the least of what follows; of a partner, the most."""

    choose: Callable[[list[Any]], Any]
    branches: list[Any]


Ahead = _Known | _Decision | _Mean | _Choice
Plan = list[Ahead]  # [world] what follows, as far as the plan says
Groups = dict[Hashable, list[Position]]
Results = Vector | dict[int, Any]  # by the place of a world in a set
Solver = Callable[[Sequence[Position]], Sequence[Any]]


class AlphaMuSearch:
    """A search for one player of one game; see the module's docstring.

    Parameters
    ----------
    game
        Any game.
    player
        Who searches, Max; of a team, the agent.
    moves
        M: how many of its own moves, this one included, it makes alike in all worlds.
    depth
        Moves that are looked ahead after these, with perfect information; to the end if left out.
    evaluate
        Gives a position's value to the player at that depth.
    alike
        Positions that are equal in this are searched once where all is known; see
        :class:`~infoset.search.PerfectSearch`.
    solver
        Gives the values of positions to the player with perfect information, of several at once, in
        place of the search; see *Bounds* above. ``depth``, ``evaluate`` and ``alike`` are not used.
    least
        The least value that there is. Where the solver gives it, nothing is searched.
    positions, seconds
        Give up past so many positions, or after so long.
    vectors
        Give up where so many vectors would have to be compared at once.

    Attributes
    ----------
    searched : int
        Positions that the last search has visited.
    reached : int
        The M of the last search that was finished.
    choices : list
        The moves that :meth:`best` found for M = 1, 2, … one after the other.

    Raises
    ------
    ParameterError
        If a setting is not possible.

    Examples
    --------
    With a queen, who passes and meets a bet can call or fold; the dealer holds a jack or a king:

    >>> from infoset.games import kuhn
    >>> from infoset.search import AlphaMuSearch
    >>> from infoset.search.consistent import Histories
    >>> queen = kuhn().position().after("Q K").view("gambler")
    >>> worlds = Histories(kuhn(), "gambler").enumerate(queen)
    >>> [str(position) for position, _ in worlds]
    ['chance: Q J', 'chance: Q K']
    >>> search = AlphaMuSearch(kuhn(), "gambler", moves=2)
    >>> search.fronts(worlds)
    {'pass': [(1, -2), (-1, -1)], 'bet': [(1, -2)]}
    >>> search.values(worlds)
    {'pass': Fraction(-1, 2), 'bet': Fraction(-1, 2)}
    """

    def __init__(
        self,
        game: Any,
        player: str,
        *,
        moves: int = 2,
        depth: int | None = None,
        evaluate: Callable[[Position, str], Any] | None = None,
        alike: Callable[[Any], Hashable] | None = None,
        solver: Solver | None = None,
        least: Any = None,
        positions: int = MOST_POSITIONS,
        vectors: int = MOST_VECTORS,
        seconds: float | None = None,
    ) -> None:
        """Check the settings."""
        for what, number in (("moves", moves), ("positions", positions), ("vectors", vectors)):
            if number < 1:
                raise ParameterError(f"{what}= must be at least 1, not {number}")
        found = source(game)
        seats = found.seats
        self.name = found.name
        self.player = seats.agents[seats.agent(player)]
        self.pays = seats.players[seats.player_of[seats.agent(player)]]
        self.moves = moves
        self.most, self.widest, self.seconds = positions, vectors, seconds
        self.exact = depth is None
        self.searched = self.reached = 0
        self.choices: list[Hashable] = []
        self._solver, self._least = solver, least
        self._killers: dict[Hashable, Hashable] = {}  # by set: the move that was best there
        self._partners = {
            agent
            for agent, of in zip(seats.agents, seats.player_of, strict=True)
            if seats.players[of] == self.pays and agent != self.player
        }
        self._evaluate = evaluate
        self._perfect = PerfectSearch(
            game,
            depth=depth,
            evaluate=None if evaluate is None else self._evaluated,
            alike=alike,
            deepening=False,
            backup="paranoid",
            stop=self._over,
        )
        self._until, self._before = inf, 0
        self._steps = 0
        self._ended = True  # did every leaf of the search lie at an end of the game?

    # ------------------------------------------------------------------ what is found

    def fronts(self, belief: Belief) -> dict[Hashable, Front]:
        """The Pareto front of each move: what plans that begin with it bring, world by world.

        Parameters
        ----------
        belief
            Positions with their weights, as :meth:`Histories.enumerate` gives them; of sampled
            positions the weight is how often each came. The player moves at all of them, with the
            same view and the same options.

        Returns
        -------
        dict
            By move a list of vectors, whose entries are in the order of the belief. None of them is
            dominated by another one. Exact where no evaluation is used.

        Raises
        ------
        TooLarge
            Past the limit of positions, vectors or time.
        """
        worlds, _ = self._begin(belief)
        found = {
            move: self._after(worlds, move, self.moves, [])
            for move in worlds[0].options(self.player)
        }
        self.reached = self.moves
        return found

    def values(self, belief: Belief) -> dict[Hashable, Any]:
        """The value of each move: the greatest mean of a vector of its front.

        Parameters
        ----------
        belief
            As of :meth:`fronts`.

        Returns
        -------
        dict
            By move.

        Raises
        ------
        TooLarge
            Past the limit of positions, vectors or time.
        """
        weights = [weight for _, weight in belief]
        return {move: _worth(front, weights) for move, front in self.fronts(belief).items()}

    def best(self, belief: Belief) -> Hashable:
        """The move with the greatest value, with M as large as the limits and ``moves`` allow.

        M grows from 1 on. The last search that was finished counts; of the first one, the worlds
        that were finished.

        Parameters
        ----------
        belief
            As of :meth:`fronts`.

        Returns
        -------
        Hashable
            The move; of several, the one that was best for the last M, or else the first.

        Raises
        ------
        TooLarge
            If the limits allow not even one world to be searched.
        """
        worlds, weights = self._begin(belief)
        values = self._first(worlds, weights)
        order = list(worlds[0].options(self.player))
        self.choices = []
        for number in range(1, self.moves + 1):
            if number > 1:
                self._ended = True
                ceiling = values[order[0]] if self.exact else inf
                try:
                    values = self._root(worlds, weights, order, number, ceiling)
                except TooLarge:
                    break
            order.sort(key=lambda move: values.get(move, -inf), reverse=True)
            self.reached = number
            self.choices.append(order[0])
            if self._ended or self._over():
                break
        return order[0]

    def _begin(self, belief: Belief) -> tuple[list[Position], list[Any]]:
        if not belief:
            raise ParameterError("a belief needs at least one position")
        self.searched = self._steps = self.reached = 0
        self._ended = True
        self._before = self._perfect.nodes
        self._killers = {}
        self._until = inf if self.seconds is None else perf_counter() + self.seconds
        return [position for position, _ in belief], [weight for _, weight in belief]

    def _first(self, worlds: list[Position], weights: list[Any]) -> dict[Hashable, Any]:
        """M = 1, world by world: what is finished when the limits are met counts."""
        options, done = worlds[0].options(self.player), 0
        values: dict[Hashable, Any] = dict.fromkeys(options, 0)
        for world, weight in zip(worlds, weights, strict=True):
            try:
                found = [self._after([world], move, 1, [])[0][0] for move in options]
            except TooLarge:
                if not done:
                    raise
                break
            for move, value in zip(options, found, strict=True):
                values[move] += weight * value
            done += 1
        whole = sum(weights[:done])
        return {move: Fraction(value) / whole for move, value in values.items()}

    def _root(
        self,
        worlds: list[Position],
        weights: list[Any],
        order: list[Hashable],
        moves: int,
        ceiling: Any,
    ) -> dict[Hashable, Any]:
        """The values of the moves, without those that need not be known to find the best."""
        values: dict[Hashable, Any] = {}
        alpha: Front = []
        for move in order:
            front = self._after(worlds, move, moves, alpha)
            if not front:  # cut: no better than a move before
                continue
            values[move] = _worth(front, weights)
            if values[move] >= ceiling:
                break
            alpha = self._undominated(alpha + front)
        return values

    # ------------------------------------------------------------------ fronts

    def _front(self, worlds: list[Position], moves: int) -> Front:
        """The front of a set at which Max moves."""
        front: Front = []
        for move in worlds[0].options(self.player):
            after = self._after(worlds, move, moves, front)
            front = self._undominated(front + after)
        return front

    def _after(self, worlds: list[Position], move: Hashable, moves: int, alpha: Front) -> Front:
        """The front after a move of Max; empty if the front ``alpha`` dominates all of it."""
        if self._solver is not None:
            return self._after_bounded(worlds, move, moves, alpha)
        groups: Groups = {}
        plans: list[Plan] = [[self._moved(one, move, moves - 1, groups) for one in worlds]]
        for group, below in groups.items():
            plans = self._joined(plans, group, self._front(below, moves - 1))
            if alpha and all(self._dominated(_most(plan), alpha) for plan in plans):
                return []
        return [tuple([ahead.value for ahead in plan]) for plan in plans]  # type: ignore[union-attr]

    def _joined(self, plans: list[Plan], group: Hashable, front: Sequence[Results]) -> list[Plan]:
        """Each plan with each way to go on at a set, as far as none dominates another."""
        if len(plans) * len(front) > self.widest:
            raise TooLarge(
                f"{brief(self.name)}: more than {self.widest:,} vectors; take fewer worlds, or"
                " look fewer moves ahead"
            )
        return self._kept(
            [
                [_folded(ahead, group, results) for ahead in plan]
                for plan in plans
                for results in front
            ]
        )

    # ------------------------------------------------------------------ fronts, with a solver

    def _front_bounded(
        self, group: Hashable, worlds: list[Position], moves: int, ceiling: Vector
    ) -> Front:
        """The front of a set at which Max moves, and nothing is worth more than the ceiling."""
        if len(worlds) == 1:
            return [ceiling]
        front: Front = []
        options = list(worlds[0].options(self.player))
        killer = self._killers.get(group)
        options.sort(key=lambda move: move != killer)
        for move in options:
            after = self._after_bounded(worlds, move, moves, front)
            front = self._undominated(front + after)
            if after and front[0] in after:
                self._killers[group] = move
            if self._dominated(ceiling, front):
                break
        return front

    def _after_bounded(
        self, worlds: list[Position], move: Hashable, moves: int, alpha: Front
    ) -> Front:
        """The same as :meth:`_after`, by what the solver knows."""
        after = [world.after(move) for world in worlds]
        ceiling = self._solved(after)
        if self._dominated(ceiling, alpha):
            return []
        if moves == 1:
            self._ended &= all(position.over for position in after)
            return [ceiling]
        groups: Groups = {}
        plan = [
            _Known(most) if most == self._least else self._ahead(position, moves - 1, groups)
            for position, most in zip(after, ceiling, strict=True)
        ]
        bounds = {group: self._solved(below) for group, below in groups.items()}
        plans: list[Plan] = [[_bounded(ahead, bounds, self._least) for ahead in plan]]
        for group in sorted(groups, key=lambda group: -len(groups[group])):
            live = sorted({at for plan in plans for ahead in plan for at in _places(ahead, group)})
            if not live:
                continue
            below, most = [groups[group][at] for at in live], [bounds[group][at] for at in live]
            front = self._front_bounded(group, below, moves - 1, tuple(most))
            found = [dict(zip(live, vector, strict=True)) for vector in front]
            plans = self._joined(plans, group, found)
            if alpha and all(self._dominated(_most(plan), alpha) for plan in plans):
                return []
        return [tuple([ahead.value for ahead in plan]) for plan in plans]  # type: ignore[union-attr]

    def _solved(self, positions: list[Position]) -> Vector:
        """What the solver says of positions."""
        assert self._solver is not None
        self.searched += len(positions)
        if self._over():
            raise self._too_large()
        return tuple(self._solver(positions))

    def _kept(self, plans: list[Plan]) -> list[Plan]:
        """Plans that no other dominates, in all results that are known of them."""
        known: dict[Vector, Plan] = {}
        for plan in plans:
            known.setdefault(_results(plan), plan)
        return [known[results] for results in self._undominated(list(known))]

    def _undominated(self, vectors: Front) -> Front:
        """The vectors that no other one dominates, the greatest sums first."""
        kept: Front = []
        for vector in sorted(dict.fromkeys(vectors), key=sum, reverse=True):
            if not self._dominated(vector, kept):
                kept.append(vector)
        return kept

    def _dominated(self, vector: Vector, front: Front) -> bool:
        """Is one of the front as good in every world?"""
        self._look()
        return any(all(map(ge, other, vector)) for other in front)

    # ------------------------------------------------------------------ worlds

    def _moved(self, world: Position, move: Hashable, moves: int, groups: Groups) -> Ahead:
        """What follows a move of Max in a world."""
        movers = world.movers
        if len(movers) == 1:
            return self._ahead(world.after(move), moves, groups)
        return self._together(world, {self.player: (move,)}, moves, groups)

    def _ahead(self, position: Position, moves: int, groups: Groups) -> Ahead:
        """All that may follow in a world, up to Max's next decision."""
        self._count()
        if position.over:
            return _Known(plain(Fraction(position.payoffs[self.pays])))
        if not moves:
            return _Known(self._leaf(position))
        movers = position.movers
        if self.player in movers:
            key = (position.view(self.player), tuple(position.options(self.player)))
            group = groups.setdefault(key, [])
            group.append(position)
            return _Decision(key, len(group) - 1)
        if movers:
            return self._together(position, {}, moves, groups)
        branches = [
            (chance, self._ahead(position.after(outcome), moves, groups))
            for outcome, chance in position.chances()
            if chance
        ]
        return _mean(branches)

    def _together(
        self, position: Position, chosen: dict[str, Any], moves: int, groups: Groups
    ) -> Ahead:
        """The moves of others: partners first, who help, and then all who do not."""
        movers = position.movers
        menus = {mover: chosen.get(mover) or position.options(mover) for mover in movers}
        helping = [mover for mover in movers if mover in self._partners]
        others = [mover for mover in movers if mover not in self._partners]
        choices = []
        for help_ in product(*[menus[mover] for mover in helping]):
            replies = []
            for reply in product(*[menus[mover] for mover in others]):
                made = dict(zip((*helping, *others), (*help_, *reply), strict=True))
                joint = tuple([made[mover] for mover in movers])
                after = position.after(joint if len(joint) > 1 else joint[0])
                replies.append(self._ahead(after, moves, groups))
            choices.append(_chosen(min, replies))
        return _chosen(max, choices)

    def _leaf(self, position: Position) -> Any:
        """The value with perfect information."""
        self._ended = False
        value = self._perfect.value(position, self.pays)
        if value is None:
            raise self._too_large()
        return plain(value)

    def _evaluated(self, position: Position, player: str) -> Any:
        """An evaluation, which may take long, if there is time for it."""
        assert self._evaluate is not None
        if self._over():
            raise SearchStopped
        return self._evaluate(position, player)

    # ------------------------------------------------------------------ limits

    def _over(self) -> bool:
        """Is a limit past?"""
        visited = self.searched + self._perfect.nodes - self._before
        return visited > self.most or perf_counter() > self._until

    def _count(self) -> None:
        self.searched += 1
        self._look()

    def _look(self) -> None:
        self._steps += 1
        if not self._steps % CHECK_EVERY and self._over():
            raise self._too_large()

    def _too_large(self) -> TooLarge:
        if perf_counter() > self._until:
            return TooLarge(f"{brief(self.name)}: no time left after {self.seconds:g} s")
        return TooLarge(
            f"{brief(self.name)}: more than {self.most:,} positions; look fewer moves ahead, or"
            " take fewer worlds"
        )


def _worth(front: Front, weights: Sequence[Any]) -> Any:
    """The greatest mean of a vector."""
    whole = sum(weights)
    means = [
        sum([weight * value for weight, value in zip(weights, vector, strict=True)])
        for vector in front
    ]
    return Fraction(max(means)) / whole


def _mean(branches: list[tuple[Any, Ahead]]) -> Ahead:
    """A chance move, what is known of it taken together."""
    known = [(chance, ahead.value) for chance, ahead in branches if isinstance(ahead, _Known)]
    rest = [branch for branch in branches if not isinstance(branch[1], _Known)]
    value = plain(Fraction(sum([chance * value for chance, value in known])))
    if not rest:
        return _Known(value)
    return _Mean([(1, _Known(value)), *rest] if known else rest)


def _chosen(choose: Callable[[list[Any]], Any], branches: list[Ahead]) -> Ahead:
    """The move of another, what is known of it taken together."""
    known = [ahead.value for ahead in branches if isinstance(ahead, _Known)]
    rest: list[Any] = [ahead for ahead in branches if not isinstance(ahead, _Known)]
    if known:
        rest.append(_Known(choose(known)))
    return rest[0] if len(rest) == 1 else _Choice(choose, rest)


def _folded(ahead: Ahead, group: Hashable, results: Results) -> Ahead:
    """What follows, if the results from this set on are these."""
    if isinstance(ahead, _Known):
        return ahead
    if isinstance(ahead, _Decision):
        return _Known(results[ahead.at]) if ahead.group == group else ahead
    if isinstance(ahead, _Mean):
        return _mean([(chance, _folded(one, group, results)) for chance, one in ahead.branches])
    return _chosen(ahead.choose, [_folded(one, group, results) for one in ahead.branches])


def _bounded(ahead: Ahead, bounds: Mapping[Hashable, Vector], least: Any) -> Ahead:
    """What follows, with the most that each decision can bring; the least is known."""
    if isinstance(ahead, _Decision):
        most = bounds[ahead.group][ahead.at]
        return _Known(most) if most == least else ahead._replace(most=most)
    if isinstance(ahead, _Choice):
        branches = [_bounded(one, bounds, least) for one in ahead.branches]
        if ahead.choose is min and any(one == _Known(least) for one in branches):
            return _Known(least)
        return _chosen(ahead.choose, branches)
    return ahead


def _places(ahead: Ahead, group: Hashable) -> Iterator[int]:
    """Which worlds of a set a plan may come to."""
    if isinstance(ahead, _Decision):
        if ahead.group == group:
            yield ahead.at
    elif isinstance(ahead, _Choice):
        for one in ahead.branches:
            yield from _places(one, group)


def _results(plan: Plan) -> Vector:
    """All results that are known of a plan.

    Two plans that say what to do in the same sets have them in the same order, and what follows
    grows with each of them: so plans may be compared by these before the rest is known.
    """
    found: list[Any] = []
    waiting: list[Any] = plan[::-1]
    while waiting:
        ahead = waiting.pop()
        if isinstance(ahead, _Known):
            found.append(ahead.value)
        elif isinstance(ahead, _Mean):
            waiting += [one for _, one in ahead.branches]
        elif isinstance(ahead, _Choice):
            waiting += ahead.branches
    return tuple(found)


def _most(plan: Plan) -> Vector:
    """The most that a plan may still bring in each world."""
    return tuple([_bound(ahead) for ahead in plan])


def _bound(ahead: Ahead) -> Any:
    if isinstance(ahead, _Known):
        return ahead.value
    if isinstance(ahead, _Decision):
        return ahead.most
    if isinstance(ahead, _Mean):
        return sum([chance * _bound(one) for chance, one in ahead.branches])
    return ahead.choose([_bound(one) for one in ahead.branches])
