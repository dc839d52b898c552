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
from infoset.objects.chessboard import START, move_number, read_fen, words_of
from infoset.play.player import Choice, Clock, Seated

METHODS = (
    "overconfident",
    "paranoid",
    "informed",
    "mixed",
    "pimc",
)  # in the order of the kernel's numbers
OTHERS = ("uniform", "sensible")
EVALUATIONS = ("material", "mobility", "progress")
E4 = 29  # announced: captured on e4
ILLEGAL = "illegal"
AGAIN = 0.2  # the part of its worth that a move loses for each time that its men have stood so
MOST = 100_000  # positions
SHARE = 0.8  # of its time that the player uses


class KriegspielPlayer(Seated):
    """Searches the positions at which it may be.

    Parameters
    ----------
    method
        ``"overconfident"``, ``"paranoid"``, ``"informed"`` or ``"mixed"``: information-set search
        with this model of the other; or ``"pimc"``: perfect-information Monte Carlo.
    depth
        Legal moves of both to look ahead, 1 to 4.
    samples
        Positions that it searches.
    replies
        Replies of the other that are drawn for each position and own move; if there are not more,
        all are tried.
    particles
        Positions that it keeps.
    others
        How the other is believed to have moved: ``"uniform"``, at random, or ``"sensible"``, half
        of the time by the evaluation.
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
        method: str = "informed",
        depth: int = 2,
        samples: int = 24,
        replies: int = 300,
        particles: int = 200,
        others: str = "sensible",
        evaluate: str = "progress",
    ) -> None:
        """Check the settings; all else begins with a game."""
        for what, given, known in (
            ("method", method, METHODS), ("others", others, OTHERS),
            ("evaluate", evaluate, EVALUATIONS),
        ):  # fmt: skip
            if given not in known:
                raise ParameterError(f"{what}={given!r:.40}: {', '.join(known)}")
        for what, number, most in (
            ("depth", depth, 4), ("samples", samples, MOST), ("replies", replies, MOST),
            ("particles", particles, MOST),
        ):  # fmt: skip
            if not 1 <= number <= most:
                raise ParameterError(f"{what}= must be between 1 and {most:,}, not {number}")
        self.method, self.depth, self.samples = method, depth, samples
        self.replies, self.particles = replies, particles
        self.others, self.evaluate = others, evaluate

    def begin(self, game: Any, seat: str, clock: Clock) -> None:
        """See :meth:`Player.begin`."""
        from infoset.search.kriegspiel import Belief

        if getattr(game, "name", "") != "kriegspiel":
            raise ParameterError(f"the player kriegspiel plays kriegspiel, and not {game!r:.60}")
        super().begin(game, seat, clock)
        men, quiet = read_fen(game.params["fen"])
        tries = bool(game.params["pawn_tries"])
        self.belief = Belief(
            words_of(men, quiet), seat == "white", self.particles, tries, clock.random,
            OTHERS.index(self.others),
        )  # fmt: skip
        self._read, self._took = 0, ""
        if clock.seconds < inf:
            self._compile()

    def _compile(self) -> None:
        """Compile, or load what was compiled, before any clock runs: a game's first moves."""
        from infoset.search.kriegspiel import Belief

        start = words_of(read_fen(START)[0])
        belief, mine = Belief(start, True, 4, False, self.clock.random), self.belief
        belief.moved("e2e4", 0)
        belief.other_moved(0)
        belief.positions()
        belief.refused("e4d5")
        belief.other_moved(E4)  # where no position agrees: men are displaced
        self.belief = belief
        self._worths(1)
        self.belief = mine

    def decide(self, view: Any, options: tuple[Hashable, ...]) -> Choice:
        """The attempt that is worth most; any, if no position was found that agrees."""
        self._follow(view)
        try:
            worths = self._searched(set(options))
        except NoHistory:
            return self.clock.random.choice(options)
        while worths:
            best = max(worths, key=worths.__getitem__)
            visits = self.belief.visits(move_number(best))
            if worths[best] <= 0 or not visits:
                return best
            again = worths.pop(best) * (1 - AGAIN * min(visits, 5))
            if not worths or again >= max(worths.values()):
                return best
        return self.clock.random.choice(options)

    def skip(self, view: Any, options: tuple[Hashable, ...]) -> None:
        """See :meth:`Seated.skip`: what was told is read at the next decision."""

    def _follow(self, view: Any) -> None:
        """Read what was told since the last decision."""
        from infoset.search.kriegspiel import announcement

        belief = self.belief
        for kind, what in view[self._read :]:
            words = str(what)
            if kind == "took":
                self._took = words
            elif kind == "saw" and words == ILLEGAL:
                belief.refused(self._took)
            elif kind == "saw" and words.startswith(self.seat):
                belief.moved(self._took, announcement(words))
            elif kind == "saw":
                belief.other_moved(announcement(words))
        self._read = len(view)

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
            METHODS.index(self.method),
            self.depth,
            samples,
            self.replies,
            EVALUATIONS.index(self.evaluate),
            2 * int(self.game.params["fifty"]),
        )
