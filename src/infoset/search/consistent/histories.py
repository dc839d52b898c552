"""The histories of a game that agree with what a player has observed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from infoset.errors import NoHistory, ParameterError, RulesError, TooLarge
from infoset.rules.position import Position, ReplayPosition
from infoset.search.consistent.attempts import MEMORY, Attempts
from infoset.search.consistent.grounds import EngineGround, LastGround, RulesGround
from infoset.search.consistent.models import UNIFORM, as_model
from infoset.text import brief, repr_text
from infoset.tree.source import source

LIMIT = 1_000_000  # histories that an enumeration tries
ATTEMPTS = 100_000  # in a row that may fail
ALL, LAST = "all", "last"  # observations that histories agree with


class Histories:
    """The histories that agree with what a player has observed, for any game.

    The probability of a history given a view is the product of the probabilities of its chance
    moves and of the other players' moves by a model, over the sum of that for all histories that
    agree. Own moves are those of the view. Where a player forgets what it did, the model says how
    probable that was.

    Parameters
    ----------
    game
        A game, a tree, a payoff table, a game of OpenSpiel or whatever has ``.position()`` and
        ``.players``.
    player
        Whose observations they are; of a team, the agent.
    model
        How the others move: ``"uniform"``; or their strategies, as a function of (player,
        information_state, legal_actions), a Solution, a Behaviour, or a mapping from labels to
        probabilities, also by player.
    observations
        ``"all"``; or ``"last"``: histories with the player's own moves, whose observations since
        the last of these are those of the view, and whose earlier ones may be anything. The view
        of an engine is one value, of which no part can be left out: for ``"last"`` it is the last
        one of the list.

    Raises
    ------
    InfosetError
        If there is no such player, or the model has no strategy of another.

    Notes
    -----
    What was tried for one view is kept until another is asked for, so that further samples are
    cheap; a view that continues the last one begins with what is known from that.

    A game may supply a sampler of its own, ``game.sampler(view, player, random)``, which returns a
    position (or the tuple of moves that leads there), drawn by chance and uniform moves, or None if
    it does not know. It is used with the uniform model.

    Examples
    --------
    >>> from random import Random
    >>> from infoset.games import kuhn
    >>> queen = kuhn().position().after("Q K").view("gambler")
    >>> histories = Histories(kuhn(), "gambler")
    >>> for position, probability in histories.enumerate(queen):
    ...     print(position, probability)
    chance: Q J 1/2
    chance: Q K 1/2
    >>> {str(position) for position in histories.sample(queen, 20, Random(1))} == {
    ...     "chance: Q J", "chance: Q K"}
    True

    By its last observation alone, a bet, the gambler may have been dealt any card:

    >>> bet = kuhn().position().after("Q K").after("pass").after("bet").view("gambler")
    >>> Histories(kuhn(), "gambler").count(bet)
    2
    >>> Histories(kuhn(), "gambler", observations="last").count(bet)
    6
    """

    def __init__(
        self, game: Any, player: str, model: Any = UNIFORM, observations: str = ALL
    ) -> None:
        """Prepare the game and the model; nothing is tried yet."""
        if observations not in (ALL, LAST):
            raise ParameterError(f"observations={observations!r:.40}: 'all' or 'last'")
        found = source(game)
        self.name = brief(found.name)
        self.player = found.seats.agents[found.seats.agent(player)]
        self.start = found.start
        self._seats = found.seats
        self._model = as_model(found.name, found.seats, self.player, model)
        self._supplied: Callable[..., Any] | None = None
        self._last = observations == LAST
        if self._model is None and not self._last:
            self._supplied = getattr(game, "sampler", None)
        self._attempts: Attempts | None = None
        self._view: Any = None
        self._reached_at: Any = None  # a view, with the positions that the game's sampler has drawn
        self._reached: dict[Any, Position] = {}  # by moves

    def enumerate(self, view: Hashable, limit: int = LIMIT) -> list[tuple[Position, Fraction]]:
        """All positions that the player may be at, each with its exact probability.

        Depth first, abandoning a history as soon as the player would have observed something else.

        Parameters
        ----------
        view
            As ``position.view(player)`` gives it where the player moves. Of a game on an engine of
            its own, better the list of all views that the player had at its decisions so far, the
            last one included: one view alone excludes nothing before the end of a play.
        limit
            Give up past this many histories, abandoned ones included.

        Returns
        -------
        list of (Position, Fraction)
            In the order of the moves. The probabilities sum to 1. Histories that the model makes
            impossible are left out.

        Raises
        ------
        NoHistory
            If no history agrees with the view.
        TooLarge
            Past ``limit``.
        """
        attempts = self.attempts_at(view)
        try:
            found = attempts.enumerate(limit)
        except TooLarge as large:
            raise TooLarge(f"{self.name}: {self.player}: {large}") from None
        if not found:
            raise self._none(view)
        return [(match.position, weight) for match, weight in found]

    def count(self, view: Hashable, limit: int = LIMIT) -> int:
        """The number of histories that agree with a view; see :meth:`enumerate`.

        Parameters
        ----------
        view, limit
            As of :meth:`enumerate`.

        Returns
        -------
        int
            0 if there are none.

        Raises
        ------
        TooLarge
            Past ``limit``.

        Examples
        --------
        >>> from infoset.games import leduc
        >>> dealt = leduc().position().after("J♠ Q♠")
        >>> Histories(leduc(), "one").count(dealt.view("one"))
        5
        """
        try:
            return len(self.enumerate(view, limit))
        except NoHistory:
            return 0

    def sample(
        self,
        view: Hashable,
        number: int,
        random: Random,
        attempts: int = ATTEMPTS,
        seconds: float = inf,
    ) -> list[Position]:
        """Positions that the player may be at, drawn independently by their exact probabilities.

        By rejection that remembers its dead ends; see :mod:`infoset.search.consistent.tried`.

        Parameters
        ----------
        view
            As of :meth:`enumerate`.
        number
            How many.
        random
            The generator of random numbers.
        attempts
            Give up when so many histories in a row were tried in vain.
        seconds
            Stop after so long, with what was drawn until then.

        Returns
        -------
        list of Position
            The same position can come more than once. As many as asked for, or at least one if the
            time is over.

        Raises
        ------
        NoHistory
            If no history agrees with the view, or none was found.

        Examples
        --------
        >>> from random import Random
        >>> from infoset.games import blind_tic_tac_toe
        >>> game = blind_tic_tac_toe(width=3, height=3)
        >>> told = game.position().after("a1").after("b2").after("b2").view("cross")
        >>> drawn = Histories(game, "cross").sample(told, 100, Random(7))
        >>> {position.view("cross") == told for position in drawn}
        {True}
        """
        until = perf_counter() + seconds
        if self._supplied is not None:
            if view != self._reached_at:
                self._reached_at, self._reached = view, {}
            made: list[Position] = []
            while len(made) < number and not (made and until < inf and perf_counter() > until):
                made.append(self._from_supplied(view, random, attempts))
            return made
        tried, drawn, uniform = self.attempts_at(view), list[Position](), random.random
        meetings, failed = tried.meetings, 0
        while len(drawn) < number:
            if until < inf and perf_counter() > until:
                if drawn:
                    break
                raise self._none(view, failed, "give more seconds=")
            match = None if tried.hopeless else tried.attempt(uniform)
            if tried.meetings != meetings:  # the first ones were drawn as if there were fewer
                meetings, drawn = tried.meetings, []
            elif match is not None:
                drawn.append(match.position)
                failed = 0
            else:
                failed += 1
                if tried.hopeless or failed >= attempts:
                    if tried.hopeless:
                        raise self._none(view)
                    raise self._none(view, failed, "raise attempts=")
        return drawn

    @property
    def supplied(self) -> bool:
        """Does the game draw its histories itself?"""
        return self._supplied is not None

    def attempts_at(self, view: Any) -> Attempts:
        """What was tried for a view; of the last one, as far as it still holds."""
        view = list(view) if isinstance(view, list) else view
        if self._attempts is not None:
            if type(view) is type(self._view) and view == self._view:
                return self._attempts
            ground: Any = self._attempts.ground
            if ground.extends(view):
                ground.look_for(view)
                self._attempts.extend()
                self._view = view
                return self._attempts
        ground = self.ground(view)
        self._attempts = Attempts(ground, [ground.begin(self.start)])
        self._view = view
        return self._attempts

    def ground(self, view: Any) -> RulesGround | EngineGround:
        """Where a view can be looked for."""
        if isinstance(self.start, ReplayPosition):
            kind = LastGround if self._last else RulesGround
            return kind(self.start.game, self._seats, self.player, view, self._model)
        if self._last and isinstance(view, list):
            view = view[-1]
        return EngineGround(self.name, self._seats, self.player, view, self._model)

    def _from_supplied(self, view: Any, random: Random, attempts: int) -> Position:
        """A position from the game's own sampler, checked."""
        assert self._supplied is not None
        for _ in range(attempts):
            made = self._supplied(view, self.player, random)
            if made is None:
                continue
            moves = made if isinstance(made, tuple) else None
            if moves in self._reached:
                return self._reached[moves]
            if moves is not None and isinstance(self.start, ReplayPosition):
                made = ReplayPosition(self.start.game, moves)
            last = view[-1] if isinstance(view, list) else view
            if made.view(self.player) != last:
                raise RulesError(
                    f"{self.name}: its sampler returned {made!r:.80}, where {self.player} has"
                    " another view than the one asked for"
                )
            if moves is not None and len(self._reached) < MEMORY:
                self._reached[moves] = made
            return made  # type: ignore[no-any-return]
        raise self._none(view, attempts, "raise attempts=")

    def _none(self, view: Any, attempts: int = 0, remedy: str = "") -> NoHistory:
        """Why there is none: it was proved, or so many attempts had no success."""
        said = f"{self.name}: no history agrees with what {self.player} observed,"
        if remedy:
            return NoHistory(
                f"{said.replace('no history agrees', 'no history was found that agrees')}"
                f" {repr_text(view)}, in {attempts:,} attempts; {remedy}, or follow the play with a"
                " ParticleFilter"
            )
        possible = "" if self._model is None else ", or the model makes all of them impossible"
        return NoHistory(
            f"{said} {repr_text(view)}{possible}; give position.view({self.player!r}) of a position"
            " of this game"
        )


def checked_number(what: str, value: int, least: int) -> int:
    """A whole number of at least so much."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ParameterError(f"{what}={value!r:.40}: give a whole number from {least}")
    return value
