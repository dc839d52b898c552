"""How large a vectorized run becomes, before it is made: estimates by random probes.

A tree is as large from vectorized rules as from plain ones, and is estimated in the same way. A
public form counts the nodes of the tree and does not hold them; what it holds are deals, blocks of
nodes and sequences. Plain runs of the rules estimate their numbers, with the intervals of
:mod:`infoset.rules.estimate`.

**Deals.** Let the players take the first option of every menu, or the last one. What is left is a
tree of chance moves, and its nodes are chance histories: a vectorized run makes a row for each of
them, whatever the rules look at. Folded runs keep one row of each class of deals, and a class has
no more members than there are permutations of suits.

**Blocks.** Let chance draw an outcome wherever it moves. What is left are the histories of the
players' actions in one deal: a vectorized run makes a block of nodes for each of them. Every probe
draws its own deal, so its expectation is their mean number over all deals. There are at least so
many blocks, and just as many if the rules look at nothing that was dealt.

**Sequences** (of a player, in the sense of the sequence form). Let the rules run once, every move
drawn uniformly, and let m₁, m₂, … be the numbers of moves that were open. At a decision of a player
with m options, the product of those mⱼ that it knows, its own and what was revealed to it, times m,

    X = Σ m Π {mⱼ : known},

has an expectation of at most the number of its sequences: given what the player knows, the hidden
moves have probabilities that sum to 1 at most, Σ Π {1/mⱼ : hidden} ≤ 1 over the nodes of an
information set. It is equal if every hidden move may have led there. A move is taken as known if
it is revealed as it is, or in a tuple; a function of it counts for nothing, and the estimate is
low.

A public form is refused only if the lower ends are beyond the memory that is free.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from math import factorial, inf, prod
from typing import Any, NamedTuple

from infoset.errors import InfosetError, TooLarge
from infoset.objects.cards import Deck
from infoset.rules.estimate import (
    HEAVIEST,
    NEAR,
    SLOW,
    Count,
    Outlook,
    Place,
    Probe,
    Probes,
    RandomDraws,
    Stopwatch,
    TreeSize,
    bytes_free,
    interval,
    rounded,
)
from infoset.rules.moves import DealsByNumber, as_menu, check_menu
from infoset.rules.play import EVERYTHING, Playable
from infoset.rules.running import MAX_MOVES, UNLIMITED, Limits

MANY_NODES = 1_000_000  # from which a run takes long enough to be estimated
MANY_ROWS = 300_000  # of chance histories, likewise
ROW_BYTES = 32  # of a chance history, at least: four columns, a code, and its place among the deals
BLOCK_BYTES = 600  # of a block and what is known there; measured: 1,040, in a form 1,900
SEQUENCE_BYTES = 64  # that a form and a run of regret minimization keep
PLAYS = 20  # at random, for each probe of a tree


class DealProbe(Probe):
    """Chance moves alone: players take the first option, or the last."""

    __slots__ = ("_left", "_option", "permutations")

    def __init__(self, game: Playable, option: int) -> None:
        """``option`` is 0 for the first one, -1 for the last."""
        super().__init__(game)
        self._option = option
        self._left = 0
        self.permutations = 1  # of suits that a deck declares interchangeable

    def _reached(self, moves: tuple[Any, ...]) -> Place:
        self._left = MAX_MOVES
        return super()._reached(moves)

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """The first option, or the last; a play that is too long ends."""
        self.seats.agent(player)
        menu = as_menu(options)
        check_menu(menu)
        self._left -= 1
        if self._left < 0:
            self._ask("", ())
        return menu[self._option]

    def chance(self, outcomes: Iterable[Any], weights: Iterable[Any] | None = None) -> Any:
        """See :meth:`Play.chance`."""
        self._note(outcomes)
        return super().chance(outcomes, weights)

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """See :meth:`Play.deal`."""
        self._note(deck)
        return super().deal(deck, *sizes, hands=hands)

    def _note(self, deck: object) -> None:
        if isinstance(deck, Deck):
            ways = prod(factorial(len(group)) for group in deck.alike)
            self.permutations = max(self.permutations, ways)


class ActionProbe(Probe):
    """Players' moves alone: chance has one outcome wherever it moves."""

    __slots__ = ("_random",)

    def __init__(self, game: Playable) -> None:
        """The same outcomes every time."""
        super().__init__(game)
        self._random = RandomDraws()

    def _ask(self, mover: str, menu: Sequence[Any]) -> Any:
        drawn = menu if mover else (menu[self._random.first(len(menu))],)
        return super()._ask(mover, drawn)


class SequenceProbe(Probe):
    """A play at random, and how many sequences the players' decisions in it stand for."""

    __slots__ = ("_hidden", "_known", "_left", "_random", "_sum")

    def __init__(self, game: Playable) -> None:
        """The same plays every time."""
        super().__init__(game)
        self._random = RandomDraws()

    def play(self) -> float:
        """Of all players together."""
        everyone = range(len(self.agents))
        self._known = [1.0 for _ in everyone]  # [agent] the product of what it knows
        self._hidden: list[list[tuple[Any, int]]] = [[] for _ in everyone]  # moves, out of how many
        self._sum, self._left = 0.0, MAX_MOVES
        self._reached(())
        return self._sum

    def choose(self, player: str, options: Iterable[Any], knowing: Any = EVERYTHING) -> Any:
        """Any option; a play that is too long ends."""
        agent, menu = self.seats.agent(player), as_menu(options)
        check_menu(menu)
        self._left -= 1
        if self._left < 0 or self._known[agent] > HEAVIEST:
            self._ask("", ())
        self._known[agent] *= len(menu)
        self._sum += self._known[agent]
        return self._drawn(menu, except_for=agent)

    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """Count the move that is revealed, the last one of several that are equal."""
        parts = fact if isinstance(fact, tuple) else (fact,)
        for agent in self.seats.audience(players):
            hidden = self._hidden[agent]
            for at in range(len(hidden) - 1, -1, -1):
                move, count = hidden[at]
                if move == fact or move in parts:
                    self._known[agent] *= count
                    del hidden[at]
                    break

    def deal(self, deck: Iterable[Any], *sizes: int, hands: bool = False) -> Any:
        """Hand by hand: each may be revealed by itself."""
        deals = DealsByNumber(deck, sizes, hands)
        if len(sizes) < 2 or not deals.apply:
            return super().deal(deck, *sizes, hands=hands)
        dealt = deals[self._random.first(len(deals))]
        for hidden in self._hidden:
            hidden += zip(dealt, deals.hand_ways, strict=True)
        return dealt

    def _ask(self, mover: str, menu: Sequence[Any]) -> Any:
        return self._drawn(menu) if menu else super()._ask(mover, menu)

    def _drawn(self, menu: Sequence[Any], except_for: int = -1) -> Any:
        move = menu[self._random.first(len(menu))]
        for agent, hidden in enumerate(self._hidden):
            if agent != except_for:
                hidden.append((move, len(menu)))
        return move


class Held(NamedTuple):
    """What a public form holds in memory: so many of something, of so many bytes each."""

    number: Count
    what: str
    each: int

    @property
    def bytes_needed(self) -> float:
        """At least."""
        return self.each * self.number.low

    def __str__(self) -> str:
        """How many, in words."""
        return self.number.of(self.what)


class FormProbes:
    """Probes of what a public form holds.

    Parameters
    ----------
    game, limits
        As for a run.
    fold
        Whether deals that differ by a permutation of suits are held once.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> probes = FormProbes(kuhn(ranks=13), Limits())
    >>> probes.add(16, 10.0)
    >>> [f"{held.number.estimate:.0f} {held.what}" for held in probes.held()]
    ['157 deals', '10 histories of actions', '97 sequences']
    """

    def __init__(self, game: Playable, limits: Limits, *, fold: bool = False) -> None:
        """No probe yet."""
        name = repr(game)
        self._fold = fold
        self._ways = [DealProbe(game, option) for option in (0, -1)]
        self._deals = [Probes(name, way, limits) for way in self._ways]
        self._actions = ActionProbe(game)
        self._blocks = Probes(name, self._actions, limits)
        self._plays = SequenceProbe(game)
        self._guard = Probes(name, self._plays, limits)
        self._sequences: list[float] = []

    @property
    def steps(self) -> int:
        """Runs of the rules."""
        return sum(one.steps for one in (*self._ways, self._actions, self._plays))

    @property
    def whole(self) -> bool:
        """Is something known of everything?"""
        return bool(self._sequences) and all(one.found for one in (*self._deals, self._blocks))

    def add(self, count: int, seconds: float) -> None:
        """Make so many more, or fewer if the time does not last."""
        for one, part in ((self._deals[0], 6), (self._deals[1], 6), (self._blocks, 3)):
            with one.guarded():
                one.add(count, seconds / part)
        watch = Stopwatch(seconds / 3)
        with self._guard.guarded():
            for _ in range(PLAYS * count):
                if watch.over():
                    return
                self._sequences.append(self._plays.play())

    def held(self) -> list[Held]:
        """What is known by now: rows of chance histories, blocks, and the players' sequences."""
        several = max(way.permutations for way in self._ways) if self._fold else 1
        deals = [
            interval([found.nodes / several for found in one.found])
            for one in self._deals
            if one.found
        ]
        found = []
        if deals:
            found.append(Held(max(deals, key=lambda count: count.low), "deals", ROW_BYTES))
        if self._blocks.found:
            blocks = interval([found.nodes for found in self._blocks.found])
            found.append(Held(blocks, "histories of actions", BLOCK_BYTES))
        if self._sequences:
            sequences = interval([one / several for one in self._sequences])
            found.append(Held(sequences, "sequences", SEQUENCE_BYTES))
        return found


class VectorizedOutlook(Outlook):
    """What is known about the size of a vectorized run, and whether to go on.

    It is asked before chance moves, between calls of functions for many deals and between runs, as
    the first run may take minutes alone.
    """

    look_at = MANY_NODES

    def __init__(self, game: Playable, limits: Limits, *, fold: bool = False) -> None:
        """Before the first run."""
        super().__init__(Probes(repr(game), Probe(game), limits))
        self._fold = fold
        self._due = SLOW  # seconds after which to look
        self._form: FormProbes | None = None
        if limits.max_nodes >= UNLIMITED:  # nodes are counted: a form holds less
            self.look_at = UNLIMITED
            self._form = FormProbes(game, limits, fold=fold)

    @property
    def steps(self) -> int:
        """Runs of the rules by all probes."""
        own = self.probes.ground.steps if isinstance(self.probes.ground, Probe) else 0
        return own + (self._form.steps if self._form is not None else 0)

    def tick(self, nodes: int) -> None:
        """Look, if it is time to."""
        if self.elapsed < self._due:
            return
        self.look(nodes)
        unclear = self.size is None or self._unclear()
        self._due = 2 * self.elapsed if unclear else inf

    def before_draw(self, nodes: int, rows: int) -> None:
        """Look before so many chance histories are made: a tree has a node for each."""
        if self._form is None and nodes + rows > self.limits.max_nodes:
            self.look(nodes + rows)
        elif rows >= MANY_ROWS and self.size is None:
            self.foresee()
        else:
            self.tick(nodes)

    def _probe(self, count: int, seconds: float) -> None:
        super()._probe(count, seconds)
        if self._form is not None:
            with suppress(InfosetError):  # the run itself will come to it, and says what it is
                self._form.add(count, 2 * seconds)

    def _unclear(self) -> bool:
        """Might the tree, or what the form holds, be beyond a limit, or within?"""
        if self._form is None or self.size is None:
            return super()._unclear()
        room, held = bytes_free(), self._form.held()
        if sum(one.bytes_needed for one in held) > room:
            return False
        mean = sum(one.each * one.number.estimate for one in held)
        return not self.size.whole or not self._form.whole or mean > room / NEAR

    def _check_memory(self, size: TreeSize) -> None:
        if self._form is None:
            super()._check_memory(size)
            return
        room, held = bytes_free(), self._form.held()
        needed = sum(one.bytes_needed for one in held)
        if needed > room:
            most = max(held, key=lambda one: one.bytes_needed)
            fold = "" if self._fold else "fold interchangeable suits (Deck(..., alike=True)), or "
            raise TooLarge(
                f"{self.probes.name}: by random probes its public form has {most}, which take"
                f" {gibibytes(needed)} at least, and {gibibytes(room)} are free; {fold}choose"
                " smaller parameters",
                size=size,
            )


def gibibytes(count: float) -> str:
    """Bytes in words.

    >>> gibibytes(3 * 2**30), gibibytes(2.5e18)
    ('3 GiB', '2,330,000,000 GiB')
    """
    size = count / 2**30
    return f"{size:.3g} GiB" if size < 1000 else f"{rounded(size)} GiB"
