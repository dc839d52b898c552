"""Information-set search: the best move for a player who does not know where it is.

A *belief* is a set I of histories, each with its weight, that a player cannot distinguish. The
search computes the player's expected utility EU_d to depth d against a model of the others
(Parker, Nau & Subrahmanian, Overconfidence or paranoia? Search in imperfect-information games,
2006). For a history h

    EU_d(h) = U(h)                              if h is over,
              E(h)                              if d = 0, for an evaluation E,
              Σ_m p(m) EU_{d−1}(h·m)            at a chance move,
              Σ_m σ(m | [h]) EU_{d−1}(h·m)      if another player moves, by the model σ,
              EU_{d−1}(h·m*)                    if the player moves, m* the best move of its set,

and for a set the mean EU_d(I) = Σ_h P(h | I) EU_d(h), which m* maximizes. Because one move is
chosen for all histories of a set, a move that tells the player where it is gains in value what the
player can do with that. Searches of perfect information, world by world, miss this.

**Models.** ``"overconfident"``: all moves of the others are equally likely. ``"paranoid"``: the
others know the player's strategy and do their worst, so that Σ_m σ(m) becomes min_m, and the set is
worth its worst history, min_h. Or any strategy; to full depth the search is then a best response.

**Slides and source.** The sets here come with the probabilities that chance and the model give
them; the slides weigh the histories of a set alike. Both agree where all histories are equally
likely. Chance is no adversary in the paranoid model: it takes means, as everywhere.

**How.** One recursion over sets: for each move of the player, every history of the set is continued
to the next decision of the player or to its end; the histories found are grouped by the player's
view there, each group is searched, and values are backed up along each history. With ``drawn``,
one continuation is drawn for each history and own move rather than all tried: the sets themselves
are sampled, and the search is Monte Carlo search over information sets.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import inf, prod
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from infoset.errors import NotApplicable, ParameterError, TooLarge
from infoset.rules import Position
from infoset.rules.moves import Menu
from infoset.rules.position import ReplayPosition
from infoset.search.consistent.models import Model, as_model
from infoset.search.plays import STOP, Evaluate, RandomPlays, drawn_move, drawn_outcome
from infoset.solvers.sampling.places import Chances, LiveWalk
from infoset.text import brief
from infoset.tree.source import source

OVERCONFIDENT, PARANOID = "overconfident", "paranoid"
MOST_POSITIONS = 5_000_000  # of one search without a limit of its own
CHECK_EVERY = 64  # positions between two looks at the clock

Belief = Sequence[tuple[Position, Any]]  # positions with their weights


class _Place(NamedTuple):
    """A history in a set: where it is, how much it weighs, and how many moves are looked ahead."""

    position: Position
    weight: Any
    left: int | None


class _Ending(NamedTuple):
    """A continuation that needs no further decision: its value."""

    value: Any


class _Mean(NamedTuple):
    """A chance move, or a move of another player by the model."""

    branches: list[tuple[Any, Any]]  # probability, what follows


class _Worst(NamedTuple):
    """A move of another player that does its worst."""

    branches: list[Any]


class _Decision(NamedTuple):
    """The next decision of the player: in this group, at this place of it."""

    group: Hashable
    at: int


Ahead = _Ending | _Mean | _Worst | _Decision
Groups = dict[Hashable, list[_Place]]


class InformationSetSearch:
    """A search for one player of one game; see the module's docstring.

    Parameters
    ----------
    game
        Any game.
    player
        Who searches; of a team, the agent.
    model
        ``"overconfident"``, ``"paranoid"``, or strategies of the other players, as
        :class:`~infoset.search.consistent.Histories` takes them.
    depth
        Moves of anyone, chance included, to look ahead; to the end if left out.
    evaluate
        Gives a position's value to the player at the depth limit; without one, the search must
        come to the end of the game.
    drawn
        Whether moves of chance and of the others are drawn, one for each history and own move,
        rather than all tried: then the search is as large as the belief at every level.
    random
        The generator for that.
    positions, seconds
        Give up past so many positions, or after so long.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.search.consistent import Histories
    >>> from infoset.search import InformationSetSearch
    >>> king = kuhn().position().after("K Q").view("gambler")
    >>> search = InformationSetSearch(kuhn(), "gambler")
    >>> search.values(Histories(kuhn(), "gambler").enumerate(king))
    {'pass': Fraction(3, 2), 'bet': Fraction(3, 2)}
    """

    def __init__(
        self,
        game: Any,
        player: str,
        model: Any = OVERCONFIDENT,
        *,
        depth: int | None = None,
        evaluate: Evaluate | None = None,
        drawn: bool = False,
        random: Random | None = None,
        positions: int = MOST_POSITIONS,
        seconds: float | None = None,
    ) -> None:
        """Check the settings."""
        found = source(game)
        self.name = found.name
        self.player = found.seats.agents[found.seats.agent(player)]
        self.pays = found.seats.players[found.seats.player_of[found.seats.agent(player)]]
        self._paid_at = found.seats.players.index(self.pays)
        self.paranoid = isinstance(model, str) and model == PARANOID
        named = isinstance(model, str) and model in (OVERCONFIDENT, PARANOID)
        if isinstance(model, str) and not named:
            raise ParameterError(
                f"model={model!r:.60}: 'overconfident', 'paranoid', or strategies of the others"
            )
        self.model: Model | None = (
            None if named else as_model(found.name, found.seats, self.player, model)
        )
        for what, number in (("depth", depth), ("positions", positions)):
            if number is not None and number < 1:
                raise ParameterError(f"{what}= must be at least 1, not {number}")
        self.depth = depth
        self.evaluate = evaluate
        self.drawn = drawn
        self.random = random or Random(0)
        self._plays = RandomPlays(self.random)
        self.most = positions
        self.seconds = seconds
        self.searched = 0  # positions, of the last search
        self._until = inf

    def values(self, belief: Belief) -> dict[Hashable, Any]:
        """The value of each move of the player, for positions it cannot distinguish.

        Parameters
        ----------
        belief
            Positions with their weights, as :meth:`Histories.enumerate` gives them; of sampled
            positions the weight is how often each came. The player moves at all of them, with the
            same options.

        Returns
        -------
        dict
            By move: exact where payoffs, weights and the model are, unless moves are drawn.

        Raises
        ------
        NotApplicable
            If the depth is reached where the game is not over, and there is no evaluation.
        TooLarge
            Past the limit of positions or of time.
        """
        self.searched = 0
        self._until = inf if self.seconds is None else perf_counter() + self.seconds
        places = [_Place(position, weight, self.depth) for position, weight in belief]
        if not places:
            raise ParameterError("a belief needs at least one position")
        whole = 1 if self.paranoid else sum(place.weight for place in places)
        return {move: worth / whole for move, (worth, _) in self._moves(places).items()}

    def best(self, belief: Belief) -> Hashable:
        """The first of the moves with the greatest value."""
        values = self.values(belief)
        return max(values, key=values.__getitem__)

    # ------------------------------------------------------------------ sets

    def _moves(self, places: Sequence[_Place]) -> dict[Hashable, tuple[Any, list[Any]]]:
        """Of each move at a set: the weighted sum, or the least, of the histories' values; them."""
        found: dict[Hashable, tuple[Any, list[Any]]] = {}
        for move in places[0].position.options(self.player):
            groups: dict[Hashable, list[_Place]] = {}
            ahead = [self._moved(place, move, groups) for place in places]
            below = {view: self._best(group) for view, group in groups.items()}
            values = [_backed_up(one, below) for one in ahead]
            if self.paranoid:
                worth = min(values)
            else:
                weighed = zip(places, values, strict=True)
                worth = sum([place.weight * value for place, value in weighed])
            found[move] = (worth, values)
        return found

    def _best(self, group: list[_Place]) -> list[Any]:
        """The value of each history of a set, the best move of the set being made."""
        return max(self._moves(group).values(), key=_worth)[1]

    # ------------------------------------------------------------------ histories

    def _moved(self, place: _Place, move: Hashable, groups: Groups) -> Ahead:
        """What follows a move of the player; those who move at the same time move by the model."""
        position, left = place.position, None if place.left is None else place.left - 1
        if self.drawn and isinstance(position, ReplayPosition):
            return self._drawn_ahead(position, move, place.weight, left, groups)
        movers = position.movers
        if len(movers) == 1:
            return self._ahead(position.after(move), place.weight, left, groups)
        menus = [
            [(move, 1)] if mover == self.player else self._chosen(position, mover)
            for mover in movers
        ]
        return self._joint(position, menus, place.weight, left, groups)

    def _ahead(self, position: Position, weight: Any, left: int | None, groups: Groups) -> Ahead:
        """All that may follow, up to the player's next decision."""
        self._count()
        if position.over:
            return _Ending(position.payoffs[self.pays])
        if left == 0:
            return _Ending(self._evaluated(position))
        movers = position.movers
        if self.player in movers:
            place = (position.view(self.player), tuple(position.options(self.player)))
            group = groups.setdefault(place, [])
            group.append(_Place(position, weight, left))
            return _Decision(place, len(group) - 1)
        left = None if left is None else left - 1
        if movers:
            menus = [self._chosen(position, mover) for mover in movers]
            return self._joint(position, menus, weight, left, groups)
        chances: list[tuple[Hashable, Any]] = list(position.chances())
        if self.drawn:
            chances = [(drawn_move(chances, self.random), 1)]
        branches = [
            (chance, self._ahead(position.after(outcome), weight * chance, left, groups))
            for outcome, chance in chances
        ]
        return branches[0][1] if len(branches) == 1 else _Mean(branches)

    def _drawn_ahead(
        self,
        position: ReplayPosition,
        move: Hashable,
        weight: Any,
        left: int | None,
        groups: Groups,
    ) -> Ahead:
        """The same if moves are drawn, up to the player's next decision in one run of the rules."""
        own, begun = self.player, False
        menu: Menu = ()

        def answer(
            walk: LiveWalk, mover: str, menus: Mapping[str, Menu], chances: Chances | None
        ) -> int:
            nonlocal begun, left, menu
            if begun and (chances is not None or mover == next(iter(menus))):  # a new position
                self._count()
                menu = menus.get(own, ())
                if left == 0 or menu:
                    return STOP
                left = None if left is None else left - 1
            begun = True
            if chances is not None:
                return drawn_outcome(chances, self.random)
            return menus[own].index(move) if mover == own else self._drawn(walk, mover, menus)

        walk = LiveWalk(position.game, position.begin, self._plays.chances, answer)
        paid = walk.carry_on()
        if paid is not None:
            self._count()
            return _Ending(float(paid[self._paid_at]))
        after = ReplayPosition.within(position.game, walk.turn, walk.path)
        if left == 0:
            return _Ending(self._evaluated(after))
        place = (walk.offered(own, menu), menu)
        group = groups.setdefault(place, [])
        group.append(_Place(after, weight, left))
        return _Decision(place, len(group) - 1)

    def _drawn(self, walk: LiveWalk, mover: str, menus: Mapping[str, Menu]) -> int:
        """The number of another player's move, drawn by the model."""
        menu = menus[mover]
        row = None if self.model is None else self.model(mover, walk.offered(mover, menu), menu)
        if row is None:
            return int(self.random.random() * len(menu))
        drawn: int = drawn_move(list(enumerate(row)), self.random)
        return drawn

    def _joint(
        self,
        position: Position,
        menus: list[list[tuple[Hashable, Any]]],
        weight: Any,
        left: int | None,
        groups: Groups,
    ) -> Ahead:
        """The moves of others, each with its probability by the model; or their worst."""
        branches = []
        for joint in product(*menus):
            chance = prod([probability for _, probability in joint])
            moves = tuple([move for move, _ in joint])
            after = position.after(moves if len(moves) > 1 else moves[0])
            branches.append((chance, self._ahead(after, weight * chance, left, groups)))
        if len(branches) == 1:
            return branches[0][1]
        return _Worst([ahead for _, ahead in branches]) if self.paranoid else _Mean(branches)

    def _chosen(self, position: Position, mover: str) -> list[tuple[Hashable, Any]]:
        """The moves of another player with their probabilities; one that is drawn, if so asked."""
        menu = tuple(position.options(mover))
        row = None if self.model is None else self.model(mover, position.view(mover), menu)
        chance = Fraction(1, len(menu))
        chances = [
            (move, chance if row is None else row[at])
            for at, move in enumerate(menu)
            if row is None or row[at]
        ]
        return [(drawn_move(chances, self.random), 1)] if self.drawn else chances

    def _evaluated(self, position: Position) -> Any:
        if self.evaluate is None:
            raise NotApplicable(
                f"{brief(self.name)}: a search to depth {self.depth} ends where the game does not;"
                " give evaluate=, a function of a position and a player, or leave out depth="
            )
        if perf_counter() > self._until:  # an evaluation may take long
            raise self._late()
        return self.evaluate(position, self.pays)

    def _late(self) -> TooLarge:
        return TooLarge(f"{brief(self.name)}: no time left after {self.seconds:g} s")

    def _count(self) -> None:
        self.searched += 1
        if self.searched > self.most:
            raise TooLarge(
                f"{brief(self.name)}: more than {self.most:,} positions; search less deep, or draw"
                " moves instead of trying all"
            )
        if not self.searched % CHECK_EVERY and perf_counter() > self._until:
            raise self._late()


def _worth(found: tuple[Any, list[Any]]) -> Any:
    return found[0]


def _backed_up(ahead: Ahead, below: dict[Hashable, list[Any]]) -> Any:
    """The value of what follows, the values of the sets below being known."""
    if isinstance(ahead, _Ending):
        return ahead.value
    if isinstance(ahead, _Decision):
        return below[ahead.group][ahead.at]
    if isinstance(ahead, _Worst):
        return min([_backed_up(one, below) for one in ahead.branches])
    return sum([chance * _backed_up(one, below) for chance, one in ahead.branches])
