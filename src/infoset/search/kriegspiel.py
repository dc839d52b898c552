"""What a player of kriegspiel has to reckon with, and what its attempts are worth.

A :class:`Belief` is a population of positions, carried from turn to turn
(:mod:`infoset.kernels.kriegspiel`). A step is what is observed from one own move to the next: what
was announced of the other's move, and own attempts with their answers. The population is kept as
it was before the step: while attempts are refused, the other's move is drawn anew so that it agrees
with all of them.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from infoset.errors import NoHistory
from infoset.kernels import kriegspiel as kernel
from infoset.kernels.chess import CAPTURE, KINGS, MOVES, PAWNS, QUEENS, TRIES, TURN, WORDS, make
from infoset.objects.chessboard import DIRECTIONS, FILES, move_number, move_text

__all__ = ["Belief", "announcement"]

FEW = 20  # fewer different positions are too few, after the beginning
BEGINNING = 4  # steps at the beginning
TRIED = 20_000  # positions with displaced men that are tried
ENDINGS = ("checkmate", "stalemate", "no men to mate with")


def announcement(words: str) -> int:
    """What the umpire says, as a number.

    >>> announcement("black moved, captured on b1, check by rank and knight")
    2178
    >>> announcement("white moved, 3 pawn tries") >> TRIES
    3
    """
    said = 0
    for fact in words.split(", ")[1:]:
        if fact.startswith("captured on "):
            said += FILES.index(fact[-2]) + 8 * (int(fact[-1]) - 1) + 1
        elif fact.startswith("check by "):
            said += sum(1 << (7 + DIRECTIONS.index(one)) for one in fact[9:].split(" and "))
        elif fact in ENDINGS:
            said += (1 + ENDINGS.index(fact)) << 12
        else:
            said += int(fact.split()[0]) << TRIES
    return said


class Belief:
    """The positions at which a player of kriegspiel may be.

    Parameters
    ----------
    start
        The position at the start, as :func:`infoset.objects.chessboard.words_of` gives it.
    white
        Whether the player is White.
    size
        How many positions are kept.
    tries
        Whether the umpire announces captures by pawns.
    random
        Where random numbers begin.
    others
        How the other is believed to have moved: ``UNIFORM`` or ``SENSIBLE`` of the kernel.

    Attributes
    ----------
    lost : int
        Turns at which no position was found that agrees with what was observed.
    displaced : int
        Turns at which men were displaced since too few positions agreed.
    """

    def __init__(
        self,
        start: tuple[int, ...],
        white: bool,
        size: int,
        tries: bool,
        random: Random,
        others: int = kernel.UNIFORM,
    ) -> None:
        """Nothing has been observed."""
        self.white = white
        self.size = size
        self.tries = int(tries)
        self.others = others
        self.lost = self.displaced = 0
        self.random = np.array([random.getrandbits(62) + 1], np.int64)
        self._start = np.array(start, np.int64)
        # Different positions at the end of the last step, and their weights.
        self._before, self._weights = self._start[None], np.ones(1)
        self._now: np.ndarray[Any, Any] | None = None
        self._said = kernel.NOTHING
        self._tried: list[int] = []
        self._answers: list[int] = []
        self._steps = 0
        self.visited: dict[bytes, int] = {}  # own men after own moves that can be taken back

    def other_moved(self, said: int) -> None:
        """The other has made a legal move, of which this was announced."""
        self._said = said
        self._now = None
        if said & CAPTURE:
            self.visited.clear()

    def refused(self, move: str) -> None:
        """An own attempt is illegal."""
        number = move_number(move)
        self._tried.append(number)
        self._answers.append(kernel.REFUSED)
        if self._now is not None:
            self._now = self._now[: kernel.refuse(self._now, number)]
            if len(self._now) < self.size // 2:
                self._now = None

    def moved(self, move: str, said: int) -> None:
        """An own attempt was legal, and the game goes on."""
        number = move_number(move)
        self._tried.append(number)
        self._answers.append(said)
        found = self._carried()
        if found is None:
            found = self._forced(number, said)[None]
        own = self._own(self._before[0])
        if said & CAPTURE or own[PAWNS] >> (number & 63) & 1:
            self.visited.clear()
        self._before, self._weights = self._merged(found, len(found))
        self._now = None
        self._said, self._tried, self._answers = kernel.NOTHING, [], []
        self._steps += 1
        key = self._own(found[0]).tobytes()
        self.visited[key] = self.visited.get(key, 0) + 1

    def positions(self) -> np.ndarray[Any, Any]:
        """Positions that agree with all that was observed; the player is in turn.

        Raises
        ------
        NoHistory
            If none is found.
        """
        if self._now is None:
            self._now = self._carried()
        if self._now is None:
            raise NoHistory("no position agrees with what was observed")
        return self._now

    def sample(self, size: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """At most so many different positions, and their weights."""
        return self._merged(self.positions(), size)

    def _merged(
        self, held: np.ndarray[Any, Any], size: int
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        out, weights = np.empty((size + 1, WORDS), np.int64), np.empty(size + 1)
        count, _ = kernel.merge(held, size, out, weights, self.random)
        return out[:count], weights[:count] / weights[:count].sum()

    def _carried(self) -> np.ndarray[Any, Any] | None:
        """The population after what was observed in this step; None if nothing agrees."""
        tried, answers = np.array(self._tried, np.int64), np.array(self._answers, np.int64)
        step = (self._said, tried, answers, self.tries)
        out = np.empty((self.size, WORDS), np.int64)
        count = kernel.carry(self._before, self._weights, *step, self.others, out, self.random)
        if count and (self._steps < BEGINNING or self._different(out) >= FEW):
            return out
        if self._said == kernel.NOTHING:
            return out if count else None
        self.displaced += 1
        more = np.empty((self.size // (2 if count else 1), WORDS), np.int64)
        found = kernel.displaced(self._before, *step, self._start, more, TRIED, self.random)
        if not count and not found:
            self.lost += 1
            return None
        return np.concatenate([out[: count - found if count else 0], more[:found]])

    def _forced(self, move: int, said: int) -> np.ndarray[Any, Any]:
        """A position with the own men as they stand; where the others are is anything."""
        position: np.ndarray[Any, Any] = self._before[0].copy()
        other = 7 if self.white else 6
        heard = 0 if self._said == kernel.NOTHING else self._said
        for square in (heard & CAPTURE, said & CAPTURE):
            if square:  # one of ours is taken, then one of theirs
                gone = ~np.left_shift(np.int64(1), square - 1)
                position[: QUEENS + 1] &= gone
                position[[13 - other, other]] &= gone
        position[TURN] = self.white
        after: np.ndarray[Any, Any] = position.copy()
        make(position, move, after)
        return after

    def _different(self, held: np.ndarray[Any, Any]) -> int:
        none = np.empty((2, WORDS), np.int64), np.empty(2)
        return int(kernel.merge(held, 1, *none, self.random)[1])

    def _own(self, position: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The player's men."""
        own: np.ndarray[Any, Any] = position[: KINGS + 1] & position[6 if self.white else 7]
        return own

    def visits(self, move: int) -> int:
        """How often the own men have stood as they do after a move."""
        if not self.visited:
            return 0
        own = self._own(self.positions()[0])
        start, end = 1 << (move & 63), 1 << (move >> 6 & 63)
        start, end = (one - (1 << 64) if one >> 63 else one for one in (start, end))
        for kind in range(KINGS + 1):
            if own[kind] & start:
                own[kind] ^= start | end
        return self.visited.get(own.tobytes(), 0)

    def worths(
        self, method: int, depth: int, samples: int, replies: int, evaluate: int, limit: int
    ) -> dict[str, float]:
        """What each attempt is worth that was not refused in this turn, between -1 and 1.

        Parameters
        ----------
        method
            Information-set search with a model of the other (``OVERCONFIDENT``,
            ``PARANOID``, ``INFORMED`` or ``MIXED`` of the kernel), or perfect-information Monte
            Carlo (``PERFECT``).
        depth
            Legal moves to look ahead, at most 4.
        samples
            Positions that are searched.
        replies
            Replies of the other that are drawn for each position and own move; if there are not
            more, all are tried.
        evaluate
            ``MATERIAL``, ``MOBILITY`` or ``PROGRESS`` of the kernel.
        limit
            Half-moves without a capture or a pawn's move after which the umpire calls a draw.

        Returns
        -------
        dict
            Without attempts that are illegal in all positions.
        """
        held, weights = self.sample(samples)
        search = kernel.Search(method, replies, evaluate, limit, self.tries)
        barred = np.array(self._tried, np.int64)
        moves, worths = np.empty(MOVES, np.int64), np.empty(MOVES)
        if method == kernel.PERFECT:
            many = kernel.look_each(held, weights, depth, search, barred, moves, worths)
        else:
            many = kernel.look(held, weights, depth, search, barred, self.random, moves, worths)
        found = zip(moves[:many].tolist(), worths[:many].tolist(), strict=True)
        return {move_text(move): worth for move, worth in found if worth >= -2}
