"""One game between players: who holds the position, tells facts, asks for moves and draws chance.

The referee alone holds the position. From a seat's view it passes on what is new, fact by fact, and
nothing else. The outcome of the k-th chance move is drawn by a generator that only the seed and k
decide, so that two games with the same seed and the same moves have the same deals, whoever sits
where.

A player that raises an error, chooses what is not an option, gives no probabilities or thinks for
too long *forfeits*: the game ends, it gets the least that the game may pay it, and the others share
what it loses, as when it is beaten. The reason is recorded.
"""

from __future__ import annotations

import pickle
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import inf, isfinite
from random import Random
from time import perf_counter
from typing import Any

from infoset.errors import Endless, InfosetError, ParameterError, TooLarge, nearest
from infoset.memory import young_collections
from infoset.objects.numbers import exact
from infoset.play.isolation import IsolatedPlayer
from infoset.play.player import SETTING_UP, Clock, Fault, Forgot, Player
from infoset.rules import Game, Position
from infoset.rules.moves import win_payoffs
from infoset.rules.position import ReplayPosition
from infoset.rules.running import MAX_MOVES, OutOfTime, TimeLimit
from infoset.rules.seats import Seats
from infoset.search.plays import RandomPlays, drawn_move
from infoset.text import brief, text
from infoset.tree.source import Source, source

GRACE = 0.1  # seconds beyond its time that a move may take: timers and threads are not exact
TOLERANCE = 1e-9  # by which probabilities of a player may miss 1
SMALL_TREE = 50_000  # nodes of a tree that is built to find the least payoff
PLAYOUTS = 200  # random plays that the least payoff is taken from where there is no tree


@dataclass(frozen=True)
class Forfeit:
    """A game that a player has lost by a fault of its own."""

    seat: str
    reason: str
    player: str = ""  # for whom the seat acts, if that has another name: a team


@dataclass(frozen=True)
class GameRecord:
    """A game that was played.

    Attributes
    ----------
    moves : tuple of (str or None, Hashable)
        Each with its seat; None is chance.
    payoffs : dict
        By player.
    forfeit : Forfeit or None
        Who has lost by a fault, and why.
    seconds : dict
        By seat: the time it has thought.
    """

    moves: tuple[tuple[str | None, Hashable], ...]
    payoffs: dict[str, Fraction]
    forfeit: Forfeit | None = None
    seconds: dict[str, float] = field(default_factory=dict)


def play_game(
    game: Any, players: Mapping[str, Player], *, seed: object = 0, seconds: float = inf
) -> GameRecord:
    """Play one game.

    Parameters
    ----------
    game
        A game, a tree, a game of OpenSpiel, or whatever has positions.
    players
        By seat: a player, or each agent of a team.
    seed
        Decides chance, what is drawn from players' probabilities, and the players' clocks.
    seconds
        For each move; a player that takes longer loses.

    Returns
    -------
    GameRecord
        Moves, payoffs and times.

    Raises
    ------
    ParameterError
        If a seat has no player, or a player has no seat.
    RulesError
        If the rules fail.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> from infoset.play import RandomPlayer, play_game
    >>> played = play_game(kuhn(), {"gambler": RandomPlayer(), "dealer": RandomPlayer()}, seed=2)
    >>> sum(played.payoffs.values())
    Fraction(0, 1)
    """
    return Referee(game).play(players, seed=seed, seconds=seconds)


class Referee:
    """Runs games of one kind, one after the other."""

    def __init__(self, game: Any) -> None:
        """Of any game that has positions."""
        self.game = game
        self.source: Source = source(game)
        self.seats: Seats = self.source.seats
        self._worst: dict[str, Fraction] = {}

    def play(
        self,
        players: Mapping[str, Player],
        *,
        seed: object = 0,
        seconds: float = inf,
        watch: Callable[[Position], object] | None = None,
    ) -> GameRecord:
        """See :func:`play_game`; ``watch`` is called with each position, first and last included.

        It is for who may see everything, and its time is nobody's.
        """
        self._check(players)
        # A full collection, which one player's objects make long, could come in another's time.
        with young_collections() if seconds < inf else nullcontext():
            return _Table(self, players, seed, seconds, watch).played()

    def _check(self, players: Mapping[str, Player]) -> None:
        for seat in self.seats.agents:
            if seat not in players:
                raise ParameterError(f"{self.source.name}: no player has the seat {seat!r}")
        for seat, player in players.items():
            if seat not in self.seats.agents:
                raise ParameterError(
                    f"{self.source.name} has no seat {seat!r}; {nearest(seat, self.seats.agents)}"
                )
            if not isinstance(player, Player):
                raise ParameterError(
                    f"{player!r:.60} is not a player: it needs begin, told and choose"
                )
        if len({id(player) for player in players.values()}) < len(players):
            raise ParameterError("a player has two seats; make one for each: it knows one seat")

    def player_of(self, seat: str) -> str:
        """The player for whom a seat acts."""
        return self.seats.players[self.seats.player_of[self.seats.agent(seat)]]

    def forfeited(self, seat: str) -> dict[str, Fraction]:
        """The payoffs of a game that this seat has forfeited."""
        player = self.player_of(seat)
        least = self.worst(player)
        if len(self.seats.players) == 1:
            return {player: least}
        paid = map(Fraction, win_payoffs(self.seats, player, least))
        return dict(zip(self.seats.players, paid, strict=True))

    def worst(self, player: str) -> Fraction:
        """The least that a player may get.

        The game's own bounds; else the least in its tree, if that is small; else the least that
        was seen in random plays.
        """
        if player not in self._worst:
            declared = self.game.bounds if isinstance(self.game, Game) else None
            self._worst[player] = declared[0] if declared else min(self._payoffs_of(player))
        return self._worst[player]

    def _payoffs_of(self, player: str) -> list[Fraction]:
        try:
            tree = self.source.tree(SMALL_TREE)
        except TooLarge:
            plays = RandomPlays(Random(0))
            return [plays.payoffs(self.source.start)[player] for _ in range(PLAYOUTS)]
        return [Fraction(payoffs[self.seats.player(player)]) for payoffs in tree.payoffs]


class _Table:
    """One game in progress."""

    def __init__(
        self,
        referee: Referee,
        players: Mapping[str, Player],
        seed: object,
        seconds: float,
        watch: Callable[[Position], object] | None,
    ) -> None:
        self.referee = referee
        self.players = players
        self.seed = seed
        self.limit = seconds
        self.watch = watch or (lambda position: None)
        self.draws = Random(f"{seed} drawn from probabilities")
        self.clocks = {
            seat: Clock(seconds, Random(f"{seed} {seat}")) for seat in referee.seats.agents
        }
        self.told: dict[str, Any] = dict.fromkeys(referee.seats.agents, ())
        self.seconds = dict.fromkeys(referee.seats.agents, 0.0)
        self.moves: list[tuple[str | None, Hashable]] = []

    def played(self) -> GameRecord:
        forfeit, _ = None, self.referee.source.start.over  # rules that cannot begin: nobody's loss
        try:
            for seat in self.players:
                self._ask(seat, "begin", self.referee.game, seat, self.clocks[seat])
            position = self._to_the_end(self.referee.source.start)
            payoffs = {name: Fraction(paid) for name, paid in position.payoffs.items()}
        except _Forfeits as lost:
            player = self.referee.player_of(lost.seat)
            forfeit = Forfeit(lost.seat, lost.reason, player if player != lost.seat else "")
            payoffs = self.referee.forfeited(lost.seat)
        return GameRecord(tuple(self.moves), payoffs, forfeit, self.seconds)

    def _to_the_end(self, position: Position) -> Position:
        drawn = 0
        self.watch(position)
        while not position.over:
            if len(self.moves) > MAX_MOVES:
                raise Endless(
                    f"{self.referee.source.name}: a play has gone on for {MAX_MOVES:,} moves"
                )
            if position.movers:
                moves = tuple([self._choice(position, seat) for seat in position.movers])
                for seat, move in zip(position.movers, moves, strict=True):
                    self._ask(seat, "took", move)
                    if isinstance(position, ReplayPosition):  # news, if the seat forgets it
                        self.told[seat] += (("took", move),)
                self.moves += zip(position.movers, moves, strict=True)
            else:
                moves = (drawn_move(position.chances(), Random(f"{self.seed} chance {drawn}")),)
                self.moves.append((None, moves[0]))
                drawn += 1
            position = position.after(moves if len(moves) > 1 else moves[0])
            self.watch(position)
        for seat in self.players:
            self._tell(position, seat)
            self._ask(seat, "finish")
        return position

    def _choice(self, position: Position, seat: str) -> Hashable:
        """The move of a seat; told before what is new to it."""
        self._tell(position, seat)
        options = tuple(position.options(seat))
        given = self._ask(seat, "choose", options)
        try:
            return self._picked(given, options)
        except Fault as fault:
            raise _Forfeits(seat, str(fault)) from None

    def _tell(self, position: Position, seat: str) -> None:
        """Pass on what is new in a seat's view."""
        view = position.view(seat)
        for fact in _news(position, self.told[seat], view):
            self._ask(seat, "told", fact)
        self.told[seat] = view

    def _picked(self, given: Any, options: tuple[Hashable, ...]) -> Hashable:
        """The option that was chosen, or one drawn from probabilities."""
        if not isinstance(given, Mapping):
            return _legal(given, options)
        chances: dict[Hashable, Fraction] = {}
        for option, probability in given.items():
            chances[_legal(option, options)] = _probability(option, probability)
        whole = float(sum(chances.values()))
        if abs(whole - 1) > TOLERANCE:
            raise Fault(f"its probabilities sum to {whole:.6g}, not to 1")
        bounds = [float(total) for total in accumulate(chances.values())]
        at = bisect_right(bounds, self.draws.random() * bounds[-1])
        return list(chances)[min(at, len(chances) - 1)]

    def _ask(self, seat: str, what: str, *given: Any) -> Any:
        """Call a method of a player, by its clock; whatever it raises is its fault."""
        player = self.players[seat]
        method = getattr(player, what, None)
        if method is None:
            return None
        limit, doing = self.limit, "for a move"
        if what == "begin" and limit < inf:  # it may have files to read
            limit, doing = max(limit, SETTING_UP), "to begin"
        inside = [] if what == "begin" else _contents(given)
        self.clocks[seat].start()
        began = perf_counter()  # of the referee's own clock, which no player can set
        alone = isinstance(player, IsolatedPlayer)  # stopped by ending its process
        try:
            with nullcontext() if alone else TimeLimit(limit + GRACE, lambda: 0):
                answer = method(*given)
            if inside and _restored(inside):
                raise _Forfeits(seat, "changed what it was given")
            return answer
        except _Forfeits:
            raise
        except Fault as fault:
            raise _Forfeits(seat, str(fault)) from None
        except (Exception, OutOfTime) as error:
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise _Forfeits(seat, f"raised {brief(said)}") from error
        finally:
            took = perf_counter() - began
            self.seconds[seat] += took
            if took > limit + GRACE:
                raise _Forfeits(seat, f"took longer than {limit:g} s {doing}") from None


def _contents(given: Any) -> list[tuple[Any, bytes]]:
    """The objects with attributes among facts and options, each with these as they are now."""
    if type(given) in (str, int, Fraction) or type(given).__module__.startswith("infoset."):
        return []
    if isinstance(given, tuple | frozenset):
        return [found for part in given for found in _contents(part)]
    held = getattr(given, "__dict__", None)
    try:
        return [(given, pickle.dumps(held))] if held and not isinstance(given, type) else []
    except Exception:  # what cannot be kept cannot be compared
        return []


def _restored(contents: list[tuple[Any, bytes]]) -> bool:
    """Has any of the objects been changed? Then its attributes are as before now."""
    changed = False
    for held, before in contents:
        if pickle.dumps(vars(held)) != before:
            vars(held).clear()
            vars(held).update(pickle.loads(before))
            changed = True
    return changed


class _Forfeits(Exception):
    """A seat loses the game by a fault."""

    def __init__(self, seat: str, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason


def _legal(option: Any, options: tuple[Hashable, ...]) -> Hashable:
    try:
        return options[options.index(option)]
    except ValueError:
        shown = ", ".join(map(text, options[:8])) + (", …" if len(options) > 8 else "")
        raise Fault(f"chose {option!r:.60}, which is not among {brief(shown)}") from None


def _probability(option: object, probability: Any) -> Fraction:
    try:
        if isinstance(probability, float) and not isfinite(probability):
            raise ValueError
        found = exact(probability)
    except (InfosetError, ValueError, TypeError):
        raise Fault(f"gives {option!r:.60} the probability {probability!r:.40}") from None
    if found < 0:
        raise Fault(f"gives {option!r:.60} a negative probability")
    return found


def _news(position: Position, before: Any, view: Any) -> Iterator[Hashable]:
    """What a seat learns: the facts that its view has and had not."""
    if not isinstance(position, ReplayPosition):
        if view != before:
            yield view
        return
    known = [note for note in before if note[0] != "offered"]
    notes = [note for note in view if note[0] != "offered"]
    if notes[: len(known)] != known:
        known = []
    for kind, what in notes[len(known) :]:
        if kind == "saw":
            yield what
        elif kind == "knows":
            yield Forgot(what)
