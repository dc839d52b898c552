"""A player of kriegspiel whose positions and searches are compiled.

It carries a population of positions that agree with all that it was told, and searches a sample of
them before each attempt (:mod:`infoset.search.kriegspiel`). It has its seat's view and nothing
else; moves and the umpire's answers are computed on a compiled board, without python-chess.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import inf
from time import perf_counter
from typing import Any

from infoset.errors import NoHistory, ParameterError
from infoset.objects.chessboard import move_number, read_fen, words_of
from infoset.play.player import Choice, Clock, Seated
from infoset.search.kriegspiel import EVALUATIONS, METHODS, Belief, announcement

ILLEGAL = "illegal"
AGAIN = 0.2  # the part of its worth that a move loses for each time that its men have stood so
SHARE = 0.8  # of its time that the player uses


class KriegspielPlayer(Seated):
    """Searches the positions at which it may be.

    Parameters
    ----------
    method
        ``"overconfident"`` or ``"paranoid"``, information-set search with this model of the other,
        or ``"pimc"``, perfect-information Monte Carlo.
    depth
        Legal moves of both to look ahead.
    samples
        Positions that it searches.
    replies
        Replies of the other that are drawn for each position and own move; 0: all are tried.
    particles
        Positions that it keeps.
    evaluate
        ``"material"``, ``"mobility"`` or ``"progress"``.

    Examples
    --------
    >>> from infoset.games import kriegspiel
    >>> from infoset.play import match
    >>> from infoset.play.kriegspiel import KriegspielPlayer
    >>> match(kriegspiel(moves=4), [KriegspielPlayer(), "random"], games=2).standings()[0].mean
    0.0
    """

    def __init__(
        self,
        *,
        method: str = "overconfident",
        depth: int = 2,
        samples: int = 100,
        replies: int = 2,
        particles: int = 1000,
        evaluate: str = "progress",
    ) -> None:
        """Check the settings; all else begins with a game."""
        for what, given, known in (
            ("method", method, METHODS), ("evaluate", evaluate, EVALUATIONS),
        ):  # fmt: skip
            if given not in known:
                raise ParameterError(f"{what}={given!r:.40}: {', '.join(known)}")
        for what, number, least in (
            ("depth", depth, 1), ("samples", samples, 1), ("replies", replies, 0),
            ("particles", particles, 2),
        ):  # fmt: skip
            if number < least:
                raise ParameterError(f"{what}= must be at least {least}, not {number}")
        self.method, self.depth, self.samples = method, depth, samples
        self.replies, self.particles, self.evaluate = replies, particles, evaluate

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        if getattr(game, "name", "") != "kriegspiel":
            raise ParameterError(f"the player kriegspiel plays kriegspiel, and not {game!r:.60}")
        super().begin(game, seat, clock)
        men, quiet = read_fen(game.params["fen"])
        tries = bool(game.params["pawn_tries"])
        self.belief = Belief(
            words_of(men, quiet), seat == "white", self.particles, tries, clock.random
        )
        self._read, self._took, self._dead = 0, "", False
        if clock.seconds < inf and men.mover == seat:
            self._worths(1)  # compiled before the clock runs

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The attempt that is worth most; any, if no position was found that agrees."""
        self._follow()
        try:
            worths = self._searched(set(options))
        except NoHistory:
            return self.clock.random.choice(options)
        while worths:
            best = max(worths, key=worths.__getitem__)
            visits = self.belief.visits(move_number(best))
            if worths[best] <= 0 or not visits or visits < 0:
                return best
            again = worths.pop(best) * (1 - AGAIN * min(visits, 5))
            if not worths or again >= max(worths.values()):
                return best
        return self.clock.random.choice(options)

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """See :meth:`Seated.skip`: what was told is read at the next decision."""

    def _follow(self) -> None:
        """Read what was told since the last decision."""
        belief = self.belief
        for kind, what in self.notes[self._read :]:
            words = str(what)
            if kind == "took":
                self._took = words
            elif kind == "saw" and words == ILLEGAL:
                belief.refused(self._took)
            elif kind == "saw" and words.startswith(self.seat):
                belief.moved(self._took, announcement(words))
            elif kind == "saw":
                belief.other_moved(announcement(words))
        self._read = len(self.notes)

    def _searched(self, offered: set[Hashable]) -> dict[str, float]:
        """What attempts are worth; with a clock the mean of as many searches as there is time."""
        clock = self.clock
        worths, slowest = self._worths(self.samples), 0.0
        searches = 1
        while clock.left < inf:
            began = perf_counter()
            if slowest > clock.left - clock.seconds * (1 - SHARE):
                break
            for move, worth in self._worths(self.samples).items():
                worths[move] = worths.get(move, 0.0) + worth
            searches += 1
            slowest = max(slowest, perf_counter() - began)
        return {move: worth / searches for move, worth in worths.items() if move in offered}

    def _worths(self, samples: int) -> dict[str, float]:
        return self.belief.worths(
            self.method, self.depth, samples, self.replies, self.evaluate,
            2 * int(self.game.params["fifty"]),
        )  # fmt: skip
