"""Positions prepared for sampling, and a bounded cache of those near the root.

**Chance.** Each chance move is prepared once, however often the rules ask for it. A draw
takes one random number. A walk uses no other randomness, so that a test can put every outcome in
its place and add up what the walk does, weighted by the probabilities that it states.

**Places.** What a walk needs of a position is kept: who moves, the row of its information set,
cumulative probabilities of chance, the payoffs at a leaf, and the places that follow. Players who
move simultaneously are places one after the other, of which none sees the ones before, as in
:mod:`infoset.tree.positions`.

**Cache.** Plays share their beginnings. A place is kept when a walk reaches it for the second time;
the first time, a game given by its rules is continued within one run of them (:class:`LiveWalk`):
to step from position to position would be to run the rules again at every step. When the cache is
full, the deepest places are dropped until it is half empty, and from then on none as deep is kept.
Results never depend on it.

**Sources.** Whatever is given as a game, with what a run needs to be resumed and to have labels.
"""

from __future__ import annotations

import hashlib
import inspect
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from random import Random
from textwrap import dedent
from typing import Any, NamedTuple, Protocol

from infoset.errors import Endless, RulesError
from infoset.rules import Family, Game
from infoset.rules.moves import (
    CHANCE,
    LEAF,
    Lotteries,
    Lottery,
    Menu,
    Payoffs,
    as_lottery,
    plain_terms,
)
from infoset.rules.play import EVERYTHING, Playable, not_together
from infoset.rules.position import (
    Asked,
    Position,
    ReplayPosition,
    TurnMoves,
    View,
    Walk,
)
from infoset.rules.running import MAX_MOVES, SECONDS_PER_MOVE, OutOfTime, TimeLimit, errors_located
from infoset.rules.seats import Seats
from infoset.solvers.sampling.infosets import (
    Labels,
    RegretTable,
    labels_of_engine,
    labels_of_rules,
    labels_of_tree,
)
from infoset.text import place_text
from infoset.tree import MatrixGame, Tree
from infoset.tree import source as sources
from infoset.tree.positions import TreePosition

REMEMBERED = 20_000  # lotteries; when there are more, the cache is emptied


class Chances(NamedTuple):
    """The outcomes of a chance move, with cumulative probabilities."""

    outcomes: Menu
    cumulative: list[float] | None  # [outcome]; None where all are alike
    probabilities: Sequence[Fraction]  # [outcome]


class ChanceMoves:
    """The chance moves of one game."""

    def __init__(self) -> None:
        """With no lottery prepared yet."""
        self._lotteries = Lotteries()
        self._cumulative: dict[int, list[float] | None] = {}  # by the lottery's number

    def prepared(self, make: Callable[..., Lottery], *terms: Any) -> Chances:
        """The chance move that rules ask for, as :meth:`Lotteries.number` takes it."""
        if len(self._lotteries.table) > REMEMBERED:
            self._lotteries, self._cumulative = Lotteries(), {}
        number, outcomes = self._lotteries.number(make, terms)
        probabilities = self._lotteries.table[number].probabilities
        if number not in self._cumulative:
            self._cumulative[number] = cumulated(probabilities)
        return Chances(outcomes, self._cumulative[number], probabilities)


def cumulated(probabilities: Sequence[Fraction]) -> list[float] | None:
    """Cumulative sums, exact before they become floats; None if all are equal.

    >>> cumulated((Fraction(1, 3), Fraction(0), Fraction(2, 3)))
    [0.3333333333333333, 0.3333333333333333, 1.0]
    """
    first = probabilities[0]
    if all(probability == first for probability in probabilities):
        return None
    return [float(total) for total in accumulate(probabilities)]


class Draws(Protocol):
    """The random draws of a walk."""

    def outcome(self, place: SampledNode) -> int:
        """The outcome of a chance move."""

    def option(self, probabilities: list[float]) -> int:
        """An option, drawn by its probability."""


class Luck:
    """Draws by a random number generator."""

    __slots__ = ("uniform",)

    def __init__(self, random: Random) -> None:
        """Every draw takes one number, also where there is only one move."""
        self.uniform = random.random

    def outcome(self, place: SampledNode) -> int:
        """The outcome of a chance move; never one of probability 0."""
        if place.cumulative is None:
            return int(self.uniform() * len(place.moves))
        return bisect_right(place.cumulative, self.uniform())

    def option(self, probabilities: list[float]) -> int:
        """An option, drawn by its probability; never one of probability 0."""
        left = self.uniform()
        if len(probabilities) == 2:
            return 0 if left < probabilities[0] else 1
        for move, probability in enumerate(probabilities):
            left -= probability
            if left < 0:
                return move
        # Rounding may leave a little.
        return max(move for move, probability in enumerate(probabilities) if probability)


# Called with the walk, the mover ("" for chance), and the movers with their menus, or the chance
# move. Returns the number of the move; below 0: stop here.
Answer = Callable[["LiveWalk", str, Mapping[str, Menu], Chances | None], int]


class LiveWalk(Walk):
    """A walk along given moves, and then along those that a function returns."""

    __slots__ = ("_answer", "_chances", "_failed", "_game", "before", "moves")

    def __init__(
        self,
        game: Playable,
        start: TurnMoves,
        chances: ChanceMoves,
        answer: Answer,
    ) -> None:
        """Begin with these moves since the beginning of a turn; ``answer`` returns more."""
        turn, since = start
        self.moves = list(since)
        self.before = 0 if turn is None else turn.made  # moves from the start of the game
        super().__init__(game.seats, self.moves, turn)
        self._game = game
        self._chances = chances
        self._answer = answer
        self._failed: BaseException | None = None

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """See :meth:`Play.choose`."""
        agent, menu = self._menu(player, options)
        if knowing is not EVERYTHING:
            self._forget(agent, knowing)
        if self._at == len(self.moves):
            name = self.agents[agent]
            self.moves.append(menu[self._told(name, {name: menu}, None)])
        return self._take(agent, menu)

    def together(self, menus: Mapping[str, Iterable[Any]]) -> dict[str, Any]:
        """See :meth:`Play.together`; some of the moves may be given."""
        if not isinstance(menus, Mapping):
            raise not_together(menus)
        asked = {player: self._menu(player, options) for player, options in menus.items()}
        named = {self.agents[agent]: menu for agent, menu in asked.values()}
        for turn, (name, menu) in enumerate(named.items()):
            if self._at + turn == len(self.moves):
                self.moves.append(menu[self._told(name, named, None)])
        return {player: self._take(agent, menu) for player, (agent, menu) in asked.items()}

    def _drawn(self, make: Callable[..., Lottery], *terms: Any) -> Any:
        """The outcome of a chance move: as given, or drawn now."""
        if self._at == len(self.moves):
            terms = plain_terms(*terms) if make is as_lottery else terms
            chances = self._chances.prepared(make, *terms)
            self.moves.append(chances.outcomes[self._told("", {}, chances)])
        move = self.moves[self._at]
        self._at += 1
        self.history.append((None, move))
        return move

    def _told(self, mover: str, menus: dict[str, Menu], chances: Chances | None) -> int:
        """The answer; an error in it is raised again once the rules are left."""
        if self._asked is not None:
            raise self._asked
        try:
            move = self._answer(self, mover, menus, chances)
        except BaseException as error:
            self._failed = error
            raise self._ask(menus, None) from None
        if move < 0:
            raise self._ask(menus, None)
        return move

    def offered(self, mover: str, menu: Menu) -> View:
        """The view of a mover, as its position would give it."""
        return (*self.view(self.seats.agent(mover)), ("offered", menu))

    @property
    def made(self) -> int:
        """How many moves the rules have got; further ones belong to a simultaneous move."""
        return self._at

    def carry_on(self) -> Payoffs | None:
        """Run to the end of the game, and give its payoffs; None if it was stopped before."""
        limit = TimeLimit(SECONDS_PER_MOVE, lambda: self._at)
        rules, name, place = self._game.rules, repr(self._game), lambda: place_text(self.history)
        with errors_located(name, place, SECONDS_PER_MOVE, limit), limit:
            try:
                return self.result(rules)
            except Asked:
                if self._failed is None:
                    return None
                if isinstance(self._failed, OutOfTime):
                    raise self._failed from None
        raise self._failed


MEMORY = 200_000  # places that are cached
STOP = -1  # no move: the walk stops at this place


class SampledNode:
    """A node of the game: one mover's decision, a chance move, or a leaf."""

    __slots__ = (
        "average", "children", "chosen", "cumulative", "depth", "movers", "moves", "payoffs",
        "player", "position", "regrets",
    )  # fmt: skip

    player: int  # who decides; CHANCE; LEAF
    depth: int  # moves up to here
    moves: Menu  # options, or outcomes of chance
    children: list[SampledNode | None]  # [move] what follows, if cached; ONCE if it was reached
    regrets: list[float]  # [option] of the information set's row, shared with it
    average: list[float]  # [option] likewise
    cumulative: list[float] | None  # [outcome] its cumulative probability; None: all equal
    payoffs: list[float]  # [player] at a leaf
    position: Position
    movers: Sequence[str]  # all who move simultaneously here
    chosen: tuple[Hashable, ...]  # the choices of those before


ONCE = SampledNode()  # stands where one walk came and nothing was cached

Decide = Callable[[SampledNode], int]  # the number of the move at a place, or STOP; STOP at a leaf


class Places:
    """The places of one game, from its start."""

    def __init__(
        self, start: Position, seats: Seats, name: str, table: RegretTable, memory: int = MEMORY
    ) -> None:
        """Nothing cached but the start; ``memory`` is the number of places that are cached."""
        self.name = name
        self.seats = seats
        self.table = table
        self.memory = memory
        # A tree has an end, however long its plays are.
        self.longest = len(start.tree) if isinstance(start, TreePosition) else MAX_MOVES
        self.deepest = self.longest  # places further down are not cached
        self.kept: Counter[int] = Counter()  # by depth
        self.held = 0  # their number
        self.chance_moves = ChanceMoves()
        self.game: Playable | None = None  # if it is given by its rules
        self.before = 0  # moves that were made before the start
        if isinstance(start, ReplayPosition):
            self.game, self.before = start.game, start.made
            self.root = self._played(start.begin, _stop)
        else:
            self.root = self._place(start, 0)

    # ------------------------------------------------------------------ walking

    def walk(self, decide: Decide) -> SampledNode:
        """Walk from the start until the decision is to stop."""
        move = decide(self.root)
        return self.root if move < 0 else self.advance(self.root, move, decide)

    def advance(self, place: SampledNode, move: int, decide: Decide) -> SampledNode:
        """Make a move, and walk on until the decision is to stop."""
        while True:
            below = place.children[move]
            if below is None or below is ONCE:
                if self.game is not None and (below is None or place.depth >= self.deepest):
                    place.children[move] = ONCE
                    return self._played(self._moves(place, move), decide)
                below = self.child(place, move)
            place = below
            move = decide(place)
            if move < 0:
                return place

    def child(self, place: SampledNode, move: int) -> SampledNode:
        """The place after the move of this number, cached from now on if there is room."""
        chosen = (*place.chosen, place.moves[move])
        position, depth = place.position, place.depth + 1
        if self.game is not None:
            made = self._played(self._moves(place, move), _stop)
        elif len(chosen) < len(place.movers):
            made = self._turn(position, place.movers, chosen, depth)
        elif type(position) is TreePosition:
            made = self._place(position.child(move), depth)
        else:
            made = self._place(position.after(chosen if len(chosen) > 1 else chosen[0]), depth)
        if depth <= self.deepest:
            place.children[move] = made
            self.kept[depth] += 1
            self.held += 1
            if self.held > self.memory:
                self._shrink()
        return made

    def _moves(self, place: SampledNode, move: int) -> TurnMoves:
        """The moves of a turn, or of a play of plain rules, up to a place, and one more."""
        assert isinstance(place.position, ReplayPosition)
        turn, since = place.position.begin
        return turn, (*since, *place.chosen, place.moves[move])

    def _played(self, moves: TurnMoves, decide: Decide) -> SampledNode:
        """Make moves and walk on, within one run of the rules, until the decision is to stop."""
        at = ONCE
        assert self.game is not None

        def answer(
            walk: LiveWalk, mover: str, menus: Mapping[str, Menu], chances: Chances | None
        ) -> int:
            nonlocal at
            depth = walk.before + len(walk.moves) - self.before
            if chances is not None:
                at = self._draw(chances, depth)
            else:
                menu = menus[mover]
                at = self._decision(mover, walk.offered(mover, menu), menu, depth)
                at.movers, at.chosen = tuple(menus), tuple(walk.moves[walk.made :])
            return decide(at)

        walk = LiveWalk(self.game, moves, self.chance_moves, answer)
        final = walk.carry_on()
        if final is not None:
            at = self._end(final, walk.before + len(walk.moves) - self.before)
            decide(at)
        at.position = ReplayPosition.within(self.game, walk.turn, walk.path)
        return at

    # ------------------------------------------------------------------ the cache

    def _shrink(self) -> None:
        """Drop the deepest places until half of the cache is free.

        A walk in progress holds its own places; those that are dropped are deeper than any that
        will be cached.
        """
        deepest, room = 0, self.memory // 2
        while deepest < self.deepest and room >= self.kept[deepest + 1]:
            deepest += 1
            room -= self.kept[deepest]
        level = [self.root]
        for _ in range(deepest):
            level = [
                below
                for place in level
                for below in place.children
                if below is not None and below is not ONCE
            ]
        for place in level:
            place.children = [None] * len(place.children)
        self.deepest = deepest
        self.kept = Counter({at: count for at, count in self.kept.items() if at <= deepest})
        self.held = sum(self.kept.values())

    # ------------------------------------------------------------------ positions

    def _place(self, position: Position, depth: int) -> SampledNode:
        movers = position.movers
        if movers:
            return self._turn(position, movers, (), depth)
        if position.over:
            paid = position.payoffs
            place = self._end([paid[player] for player in self.seats.players], depth)
        else:
            chances = position.chances()
            if not chances:
                raise RulesError(
                    f"{self.name}: no player moves, and the game is not over: {position!r}"
                )
            outcomes, probabilities = zip(*chances, strict=True)
            place = self._draw(Chances(outcomes, cumulated(probabilities), probabilities), depth)
        place.position = position
        return place

    def _turn(
        self, position: Position, movers: Sequence[str], chosen: Menu, depth: int
    ) -> SampledNode:
        """One mover of a simultaneous move, those before having chosen."""
        mover = movers[len(chosen)]
        menu = tuple(position.options(mover))
        place = self._decision(mover, position.view(mover), menu, depth)
        place.position, place.movers, place.chosen = position, movers, chosen
        return place

    def _decision(self, mover: str, view: Hashable, menu: Menu, depth: int) -> SampledNode:
        place = self._new(self.seats.player(mover), menu, depth)
        row = self.table.row((mover, view, menu), place.player)
        place.regrets, place.average = row.regrets, row.average
        return place

    def _draw(self, chances: Chances, depth: int) -> SampledNode:
        place = self._new(CHANCE, chances.outcomes, depth)
        place.cumulative = chances.cumulative
        place.movers = place.chosen = ()
        return place

    def _end(self, payoffs: Sequence[Any], depth: int) -> SampledNode:
        place = self._new(LEAF, (), depth)
        try:
            place.payoffs = [float(amount) for amount in payoffs]
        except OverflowError:
            raise RulesError(f"{self.name}: a payoff is too large for floats") from None
        return place

    def _new(self, player: int, moves: Menu, depth: int) -> SampledNode:
        if depth > self.longest:
            raise Endless(
                f"{self.name}: a play has gone on for {self.longest:,} moves without an end"
            )
        place = SampledNode()
        place.player, place.moves, place.depth = player, moves, depth
        place.children = [None] * len(moves)
        return place


def _stop(place: SampledNode) -> int:
    """The decision to stop."""
    return STOP


@dataclass(frozen=True, kw_only=True)
class SampledGame(sources.Source):
    """A game that can be sampled."""

    rules: Callable[[], str]  # a digest of the rules; empty where there is no source code
    labels: Labels  # of information sets, the same as in the tree


def source(game: Any) -> SampledGame:
    """Whatever is given as a game, prepared for sampling."""
    if isinstance(game, Family):
        game = game()
    if isinstance(game, MatrixGame):
        game = game.tree()
    found = sources.source(game)
    if isinstance(game, Tree):
        rules, labels = (lambda: game.fingerprint), labels_of_tree(game)
    elif isinstance(game, Game):
        rules, labels = (
            (lambda: _digest_of_rules(game.family.rules)),
            labels_of_rules(game.seats),
        )
    else:
        rules, labels = (lambda: ""), labels_of_engine(found.seats)
    return SampledGame(**vars(found), rules=rules, labels=labels)


def _digest_of_rules(rules: Callable[..., object]) -> str:
    """The digest of the function's lines, without blank ones and comments."""
    try:
        lines = dedent(inspect.getsource(rules)).splitlines()
    except (OSError, TypeError):  # typed at a prompt, or generated
        return ""
    said = "\n".join(line.rstrip() for line in lines if line.strip() and line.strip()[0] != "#")
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
