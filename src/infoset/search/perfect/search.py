"""Search with perfect information: every player sees all of the position, and all that follows.

:class:`PerfectSearch` is the searcher that others call, with a table that stays between calls:
perfect-information Monte Carlo asks it about thousands of sampled positions of one game. It sees
whatever the game hides from its players. In a game with hidden information the value that it finds
is that of another game, in which nothing is hidden.

How values are backed up is a choice: :mod:`~infoset.search.perfect.minimax` for one player against
all others (two players with a constant sum; or ``paranoid``), :mod:`~infoset.search.perfect.maxn`
for players who each maximize their own payoff. What is kept, and which positions count as the same:
:mod:`~infoset.search.perfect.table`.

*Iterative deepening* searches one move ahead, then two, and so on; what was found at one depth
orders the moves of the next. It ends when the budget does, when the last search has not met its
horizon, or at the depth that was asked for. The last finished search counts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import partial
from math import inf
from time import perf_counter
from typing import Any, NamedTuple, TypedDict, Unpack

from infoset.errors import NotApplicable, ParameterError, nearest
from infoset.rules import Position, ReplayPosition, StagePosition
from infoset.rules.seats import seat
from infoset.search.limits import SearchStopped, deep_recursion
from infoset.search.perfect.maxn import MaxN
from infoset.search.perfect.minimax import AlphaBeta
from infoset.search.perfect.result import PerfectResult
from infoset.search.perfect.session import Alike, PerfectSettings, Session
from infoset.search.perfect.table import Line
from infoset.search.plays import Evaluate
from infoset.tree.positions import TreePosition, tree_of_position
from infoset.tree.source import Source, source

LONGEST = 10_000  # moves of a play
FRAMES = 4  # nested calls for one move


class PerfectKeywords(TypedDict, total=False):
    """The keywords of a search with perfect information."""

    depth: int | None
    seconds: float | None
    max_nodes: int | None
    evaluate: Evaluate | None
    alike: Alike | None
    backup: str | None
    bounds: Any
    table_size: int
    ordering: bool
    deepening: bool | None
    stop: Callable[[], bool] | None


class Round(NamedTuple):
    """A finished search to one depth."""

    found: Any
    height: float
    depth: float


class PerfectSearch:
    """A searcher of one game with perfect information, whose table stays between calls.

    Parameters
    ----------
    game
        Anything that can be searched: a game, a tree, an object with ``position()`` and
        ``players``. What is hidden in it is not hidden here. Its positions may have, beside what
        :class:`~infoset.rules.position.Position` requires: ``key``, equal where the rest of the
        game is; ``paid``, what each player was paid so far, in order; ``evaluate(player)``.
    depth
        Moves to look ahead; a simultaneous move is one, and chance moves are none. To the end of
        the game if left out.
    seconds, max_nodes
        The budget of one call, in time and in positions.
    evaluate
        ``evaluate(position, player)`` estimates what a player gets from a position on, where the
        search looks no further.
    alike
        ``alike(position)`` is equal at positions whose values differ by what was paid before and by
        nothing else, so that the table has one entry for all of them (partition search). It is the
        position's ``key`` if left out.
    backup
        ``"minimax"``: one player, or two with a constant sum (the default of these).
        ``"paranoid"``: all others against the player. ``"max-n"``: each for itself.
    bounds
        The least and the most that any player may get; the game's own if left out. They prune.
    table_size
        The most entries of a table; 0 for none. There is one table for each player whose values are
        asked for.
    ordering
        Whether moves that have cut off before are tried first.
    deepening
        Iterative deepening; if left out, where there is a budget and an evaluator.
    stop
        Asked now and then whether to stop.

    Raises
    ------
    ParameterError
        If a setting is not possible, or ``evaluate`` is needed.

    Examples
    --------
    >>> from infoset.games import tic_tac_toe
    >>> def marks(position):
    ...     return frozenset(position.moves[::2]), frozenset(position.moves[1::2])
    >>> searcher = PerfectSearch(tic_tac_toe(), alike=marks)
    >>> searcher.value()
    Fraction(0, 1)
    >>> later = tic_tac_toe().position().after("b2").after("b1")
    >>> [square for square, value in searcher.moves(later).items() if value == 1]
    ['a1', 'c1', 'a2', 'c2', 'a3', 'c3']
    """

    def __init__(self, game: Any, **settings: Unpack[PerfectKeywords]) -> None:
        """Check the game and the settings; nothing is searched yet."""
        played = game if isinstance(game, Source) else source(game)
        for name in settings:
            if name not in PerfectKeywords.__optional_keys__:
                hint = nearest(name, PerfectKeywords.__optional_keys__)
                raise ParameterError(f"a perfect-information search has no {name}=; {hint}")
        self.session = Session(played, PerfectSettings(**settings))
        self._by_seat: dict[int, AlphaBeta | MaxN] = {}

    @property
    def nodes(self) -> int:
        """Positions visited by all calls."""
        return self.session.nodes

    @property
    def hits(self) -> int:
        """Positions that the table has answered, in all calls."""
        return self.session.hits

    def clear(self) -> None:
        """Forget all that was found."""
        self._by_seat.clear()

    def value(self, position: Position | None = None, player: str | None = None) -> Fraction | None:
        """What a player gets from a position on.

        Parameters
        ----------
        position
            The start of the game, if left out.
        player
            The first one, if left out.

        Returns
        -------
        Fraction or None
            Exact, if no evaluator was used; None if the budget was spent before there was a value.

        Examples
        --------
        >>> from infoset.games import centipede
        >>> searcher = PerfectSearch(centipede(), backup="max-n")
        >>> searcher.value(), searcher.value(player="two")
        (Fraction(1, 1), Fraction(1, 1))
        """
        position, number = self._asked(position, player)
        core = self._core(number)
        last = self._rounds(lambda depth: self._root(core, position, depth))
        return None if last is None else Fraction(core.payoffs(last.found[0])[number])

    def moves(
        self, position: Position | None = None, player: str | None = None
    ) -> dict[Hashable, Fraction]:
        """What a player gets after each move that can be made at a position.

        Parameters
        ----------
        position
            The start of the game, if left out.
        player
            Whose payoffs; the first one, if left out. Where several move simultaneously, the moves
            are this player's, if it is one of them.

        Returns
        -------
        dict
            By option of who moves: the player's payoff; empty where no player moves. Where the
            budget was spent before a search was done, only the moves that were finished.

        Examples
        --------
        >>> from infoset.games import kuhn
        >>> dealt = kuhn().position().after("J Q")
        >>> PerfectSearch(kuhn()).moves(dealt)  # with both cards open
        {'pass': Fraction(-1, 1), 'bet': Fraction(-2, 1)}
        """
        position, number = self._asked(position, player)
        movers = position.movers
        if not movers:
            return {}
        asked = player if player in movers else self.session.movers(position, number)[0]
        core = self._core(number)
        finished: dict[Hashable, Any] = {}

        def once(depth: float) -> tuple[dict[Hashable, Any], float]:
            finished.clear()
            height = core.each(position, asked, depth, finished)
            return dict(finished), height

        last = self._rounds(once)
        deepens = self.session.deepens
        values = last.found if last is not None else {} if deepens else finished
        return {move: Fraction(value) for move, value in values.items()}

    def search(self, position: Position | None = None, player: str | None = None) -> PerfectResult:
        """The value of a position to a player, the best move there, and the line that follows.

        Parameters
        ----------
        position
            The start of the game, if left out.
        player
            Whose payoff the value is; the first one, if left out. The move is the best of who
            moves, this player or another.

        Returns
        -------
        PerfectResult
            With counts of the work.
        """
        position, number = self._asked(position, player)
        core, began = self._core(number), perf_counter()
        nodes, hits = self.nodes, self.hits
        core.root_move = None
        moves = list[Hashable]()

        def once(depth: float) -> tuple[Any, float]:
            found = self._root(core, position, depth)
            moves.append(core.root_move)
            return found

        last = self._rounds(once)
        value, line = (None, ()) if last is None else last.found
        payoffs = {} if last is None else core.payoffs(value)
        names = self.session.players
        return PerfectResult(
            player=names[number],
            value=None if last is None else Fraction(payoffs[number]),
            move=self._move(position, core, moves),
            line=_flat(line),
            payoffs={names[seat]: Fraction(amount) for seat, amount in payoffs.items()},
            complete=last is not None and last.height < inf,
            depth=0 if last is None else int(min(last.height, last.depth)),
            nodes=self.nodes - nodes,
            hits=self.hits - hits,
            seconds=perf_counter() - began,
        )

    # ------------------------------------------------------------------ how

    def _core(self, number: int) -> AlphaBeta | MaxN:
        if number not in self._by_seat:
            kind = MaxN if self.session.backup == "max-n" else AlphaBeta
            self._by_seat[number] = kind(self.session, number)
        return self._by_seat[number]

    def _root(self, core: AlphaBeta | MaxN, position: Position, depth: float) -> tuple[Any, float]:
        value, height, line = core.root(position, depth)
        return (value, line), height

    def _rounds(self, once: Callable[[float], tuple[Any, float]]) -> Round | None:
        """The last finished search; None if the budget was spent before."""
        session, asked = self.session, self.session.settings.depth
        limit = inf if asked is None else asked
        last: Round | None = None
        depth: float = 1 if session.deepens else limit
        session.begin()
        with deep_recursion(session.source.name, LONGEST, FRAMES):
            while True:
                try:
                    found, height = once(depth)
                except SearchStopped:
                    return last
                last = Round(found, height, depth)
                if height < inf or depth >= limit:
                    return last
                depth += 1

    def _move(
        self, position: Position, core: AlphaBeta | MaxN, finished: list[Hashable]
    ) -> Hashable | None:
        """The best move of the last finished search; else the best so far, or any."""
        if finished or not position.movers:
            return finished[-1] if finished else None
        if core.root_move is not None:
            return core.root_move
        mover = self.session.movers(position, core.seat)[0]
        return position.options(mover)[0]

    def _asked(self, position: Position | None, player: str | None) -> tuple[Position, int]:
        """The position and the number of the player, checked."""
        start = self.session.source.start
        if position is None:
            position = start
        both = isinstance(position, ReplayPosition) and isinstance(start, ReplayPosition)
        if both and position.game != start.game:  # type: ignore[attr-defined]
            name = self.session.source.name
            raise ParameterError(f"{position!r:.80} is not a position of {name}, which is searched")
        number = 0 if player is None else self.session.source.seats.player(player)
        return position, number


def search_perfect(
    game: Any, *, player: str | None = None, **settings: Unpack[PerfectKeywords]
) -> PerfectResult:
    """The value of a game or of a position, all of it being seen by everyone, and the best move.

    Parameters
    ----------
    game
        A game, or a position of a game.
    player
        Whose value; the first player's, if left out.
    settings
        As of :class:`PerfectSearch`.

    Returns
    -------
    PerfectResult
        Value, move, line and counts.

    Raises
    ------
    ParameterError
        If a setting is not possible, or the search ends at a depth without ``evaluate``.
    NotApplicable
        If two players have no constant sum, and no other ``backup`` was asked for.

    Examples
    --------
    >>> from infoset.games import tic_tac_toe
    >>> opened = tic_tac_toe().position().after("a1").after("b1").after("b2")
    >>> found = search_perfect(opened)
    >>> found.value, found.complete
    (Fraction(1, 1), True)
    >>> search_perfect(opened, depth=1)
    Traceback (most recent call last):
    ...
    infoset.errors.ParameterError: tic_tac_toe(): depth=1 ends the search at ...; give evaluate=...
    """
    played, position = placed(game)
    return PerfectSearch(played, **settings).search(position, player)


def placed(game: Any) -> tuple[Source, Position]:
    """A game and where to begin."""
    if isinstance(game, ReplayPosition):
        return source(game.game), game
    if isinstance(game, TreePosition):
        return source(game.tree), game
    if isinstance(game, StagePosition):
        begins, seats = game.beginning, seat(game.players)
        bounds = begins.unit * begins.low, begins.unit * begins.high
        start = StagePosition(game.stages, begins, game.players, game.name)

        tree = partial(tree_of_position, start, seats, game.name)
        return Source(game.name, seats, start, tree, bounds), game
    if hasattr(game, "movers") and not hasattr(game, "position"):
        raise NotApplicable(
            f"{game!r:.80} does not say who plays; make PerfectSearch(game) and give the position"
            " to its search"
        )
    played = source(game)
    return played, played.start


def _flat(line: Line) -> tuple[Hashable, ...]:
    """A line as one tuple of moves."""
    moves = []
    while line:
        move, line = line
        moves.append(move)
    return tuple(moves)
