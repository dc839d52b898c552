"""IMP-minimax and IMP-alpha-beta: one search over sets of positions that look alike.

V of figure 6, for a set X of weighted positions through which nature has moved on:

    V(X) = Σ prob(x) payoff(x) over its leaves  +  Σ V(x) over its shares of information sets,
    V(x) = max over the alternatives A of V(extend(move(A, x))),  min where the second moves.

*Pruning.* Counted in losses (see :mod:`ground`), V becomes ℓ: a sum of losses in a mixed set, the
least of the alternatives where the first player moves, the largest where the second does. Every
ℓ(X) lies between 0 and its *room*, prob(X) (U − L). A window (low, high) goes down with the
question; the answer is right inside of it:

    answer ≥ high  only if ℓ(X) ≥ high,    answer ≤ low  only if ℓ(X) ≤ low,    else it is ℓ(X).

Proof, by induction. *Mixed set.* Let ``loss`` be the sum over what has been examined, and ``rest``
the room of what comes after the share x. x is asked with the window

    (low − loss − rest, high − loss).

Below it, ℓ(X) ≤ loss + ℓ(x) + rest ≤ low; above it, ℓ(X) ≥ loss + ℓ(x) ≥ high, as no loss is
negative. In both cases what comes after x cannot matter and is cut off: *information-set pruning*.
Inside, ℓ(x) is exact, and so is the next ``loss``. *The first player's share.* Alternatives are
asked with (low, best), where best starts as high: one that answers best or more is no better; one
between is exact; one that answers low or less makes the least low or less, and the others are cut
off (an alpha-beta cutoff, from the other player's alternatives). So they are if nothing is lost at
all, best = 0: *immediate pruning*. *The second player's share* is its mirror image, and there the
room is what is best. At the start the window is infinite, so that the answer is V. □

With one player low is −∞ throughout, and what remains is figure 10: P is U prob(X) − high. Where U
is not known a share that is not the last of its set is asked without ``high``, where L is not,
without ``low``; with one player and no U nothing is pruned at all (theorem 3). With two players,
perfect information and no chance, this is alpha-beta, which needs no bounds.

*The strategy.* A share records the alternative that was best. A set that is met twice is
overwritten by the later visit. If none is, then V is the value of the game, for one player or for
two: below different alternatives and shares there are then different sets, so that the choices in
them combine into one strategy. For each player the recorded choices are worth V whatever the other
does and whatever happens at sets that were cut off, since for those the proof takes what is worst.
With one player and nothing pruned "no set is met twice" is perfect recall itself: each member of a
set follows the last own choice through chance alone, and is met with all that follow it.

Source: Blair, Mutchler & van Lent, Perfect recall and pruning in games with imperfect information,
1996, sections 5 and 6; the windows from two sides are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from infoset.errors import NotApplicable
from infoset.search.imp.positions import EVALUATED, INFINITE, Ground, Loss
from infoset.search.imp.settings import Request

UNDECIDED = -1


class Stopped(Exception):
    """It was time to stop."""


class SetSearch:
    """One search from the start of a game, to its end or to a number of choices ahead."""

    def __init__(self, ground: Ground, request: Request, ranks: dict[int, list[int]]) -> None:
        """On a ground; ``ranks`` has orders of alternatives by set, from a search before."""
        self.ground = ground
        self.request = request
        self.windows = request.information_set_pruning
        self.capped = ground.capped
        self.floored = ground.floored
        self.immediate = request.immediate_pruning
        self.ranks = ranks
        self.ranked: dict[int, list[int]] = {}  # for a search after this one
        self.chosen: dict[int, int] = {}  # by information set: the alternative, or UNDECIDED
        self.twice: int | None = None  # an information set that was met twice
        self.nodes = self.sets = self.alternatives = 0
        self.glances = 0  # positions that were evaluated only to order alternatives
        self.set_cutoffs = self.immediate_cutoffs = self.window_cutoffs = 0
        self.pause = ground.pause
        self._looks = 0

    def run(self, depth: int) -> Loss:
        """What the first player loses from the start; ``depth`` is -1 where there is no limit."""
        return self._mixed(self.ground.begin(), -1, -INFINITE, INFINITE, depth)

    @property
    def counts(self) -> dict[str, int]:
        """What it took."""
        ground = self.ground
        return {
            "nodes": self.nodes + ground.chances + ground.examined,
            "leaves": ground.examined - ground.horizon - self.glances,
            "sets": self.sets,
            "alternatives": self.alternatives,
            "information_set_cutoffs": self.set_cutoffs + ground.cutoffs,
            "immediate_cutoffs": self.immediate_cutoffs,
            "alpha_beta_cutoffs": self.window_cutoffs,
            "horizon": ground.horizon,
            "glances": self.glances,
        }

    # ------------------------------------------------------------------ sets of any positions

    def _mixed(
        self, members: list[Any], alternative: int, low: Loss, high: Loss, depth: int
    ) -> Loss:
        """Mixed-Set: what is lost after an alternative, summed over leaves and shares."""
        self._looks += 1
        if self._looks >= self.pause:
            self._look()
        loss, probabilities = self.ground.spread(members, alternative, low, high, depth)
        if not probabilities:
            return loss
        if low != -INFINITE and self.floored:
            return self._between(loss, probabilities, low, high, depth)
        left = len(probabilities)
        for number, share in probabilities.items():
            left -= 1
            ceiling, floor = INFINITE, -INFINITE
            if high != INFINITE and (self.capped or not left):
                ceiling = high - loss
            if low != -INFINITE and not left:
                floor = low - loss
            loss += self._decide(number, share, floor, ceiling, depth)
            if self.capped and loss >= high:
                self.set_cutoffs += left > 0
                return loss
        return loss

    def _between(
        self, loss: Loss, probabilities: dict[int, list[Any]], low: Loss, high: Loss, depth: int
    ) -> Loss:
        """The same with a window from both sides, where it is known what the rest can lose."""
        rooms = [self.ground.room(share) for share in probabilities.values()]
        rest, left = sum(rooms), len(rooms)
        for (number, share), room in zip(probabilities.items(), rooms, strict=True):
            rest, left = rest - room, left - 1
            ceiling = INFINITE if high == INFINITE else high - loss
            loss += self._decide(number, share, low - loss - rest, ceiling, depth)
            if loss >= high or loss + rest <= low:
                self.set_cutoffs += left > 0
                return loss if loss >= high else loss + rest
        return loss

    # ------------------------------------------------------------------ shares of one set

    def _decide(self, number: int, share: list[Any], low: Loss, high: Loss, depth: int) -> Loss:
        """What is lost at a share of an information set, by the choice of the one who moves."""
        if number in self.chosen:
            self._again(number)
        else:
            self.chosen[number] = UNDECIDED
        self.sets += 1
        self.nodes += len(share)
        if depth > 0:
            depth -= 1
        if not self.windows:
            low, high = -INFINITE, INFINITE
        order: Sequence[int] = range(self.ground.width[number])
        if self.request.ordering:
            order = self._order(number, share, depth)
        choose = self._most if self.ground.owner[number] else self._least
        return choose(number, share, low, high, depth, order)

    def _least(
        self, number: int, share: list[Any], low: Loss, high: Loss, depth: int, order: Sequence[int]
    ) -> Loss:
        """Max-Set: the first player loses as little as it can."""
        best, taken, windows = high, UNDECIDED, self.windows
        enough = 0 if self.immediate and self.capped and low < 0 else low
        scores = []
        for alternative in order:
            found = self._mixed(share, alternative, low, best if windows else INFINITE, depth)
            scores.append(found)
            if found < best:
                best, taken = found, alternative
                if best <= enough:
                    self._cut(alternative != order[-1], best > low)
                    break
        self._record(number, taken, order, scores)
        return best

    def _most(
        self, number: int, share: list[Any], low: Loss, high: Loss, depth: int, order: Sequence[int]
    ) -> Loss:
        """Min-Set: the second player makes the first lose as much as it can."""
        best, taken, windows = low, UNDECIDED, self.windows
        enough = min(high, self.ground.room(share)) if self.immediate and self.floored else high
        scores = []
        for alternative in order:
            found = self._mixed(share, alternative, best if windows else -INFINITE, high, depth)
            scores.append(-found)
            if found > best:
                best, taken = found, alternative
                if best >= enough:
                    self._cut(alternative != order[-1], best < high)
                    break
        self._record(number, taken, order, scores)
        return best

    def _record(self, number: int, taken: int, order: Sequence[int], scores: list[Loss]) -> None:
        """Keep what was decided; and, if asked, how the alternatives did."""
        self.alternatives += len(scores)
        if taken != UNDECIDED:
            self.chosen[number] = taken
        if self.request.ordering:
            seen = sorted(zip(scores, range(len(scores)), strict=True))
            self.ranked[number] = [order[at] for _, at in seen] + list(order[len(scores) :])

    def _cut(self, something: bool, immediate: bool) -> None:
        """Count what was left out, if there was something."""
        if something and immediate:
            self.immediate_cutoffs += 1
        elif something:
            self.window_cutoffs += 1

    def _order(self, number: int, share: list[Any], depth: int) -> Sequence[int]:
        """Alternatives, the most promising first: as they did before, or at first sight."""
        if number in self.ranks:
            return self.ranks[number]
        ground = self.ground
        plain = range(ground.width[number])
        if ground.unknown != EVALUATED or depth == 0 or len(plain) == 1:
            return plain
        beyond, examined = ground.horizon, ground.examined
        sign = -1 if ground.owner[number] else 1
        losses = [
            sign * ground.spread(share, alternative, -INFINITE, INFINITE, 0)[0]
            for alternative in plain
        ]
        self.glances += ground.examined - examined
        ground.horizon = beyond  # a glance is no end of the search
        return sorted(plain, key=losses.__getitem__)

    def _again(self, number: int) -> None:
        """An information set is met a second time."""
        if self.twice is None:
            self.twice = number

    def _look(self) -> None:
        """Ask whether to go on, and say how far it is."""
        self._looks = 0
        if self.request.over():
            raise Stopped
        self.request.tell(f"{self.nodes + self.ground.examined:,} nodes")


class SightedSearch(SetSearch):
    """Chance-minimax: the same where every information set has one position; else it refuses."""

    def _decide(self, number: int, share: list[Any], low: Loss, high: Loss, depth: int) -> Loss:
        if len(share) > 1 or number in self.chosen:
            mover, known = self.ground.told(number)
            raise NotApplicable(
                f"{self.request.name}: chance-minimax needs perfect information, but {mover},"
                f" knowing {known!r}, may be at more than one position; imp-minimax looks at such"
                " positions together, and lp solves such games of two"
            )
        return super()._decide(number, share, low, high, depth)
