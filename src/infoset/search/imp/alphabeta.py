"""IMP-minimax and IMP-alpha-beta: one search over partial information sets.

V of figure 6, for a set X of weighted positions after chance has moved:

    V(X) = Σ prob(x) payoff(x) over its leaves  +  Σ V(x) over its partial information sets,
    V(x) = max over the alternatives A of V(extend(move(A, x))),  min where the second moves.

*Pruning.* In terms of losses (:mod:`infoset.search.imp.positions`), V becomes ℓ: a sum of losses in
a mixed set, the minimum over the alternatives where the first player moves, the maximum where the
second does. Every ℓ(X) lies between 0 and prob(X) (U − L), its largest possible loss. A window
(low, high) is passed down, and the answer is correct within it:

    answer ≥ high  only if ℓ(X) ≥ high,    answer ≤ low  only if ℓ(X) ≤ low,    else it is ℓ(X).

Proof, by induction. *Mixed set.* Let ``loss`` be the sum over what has been examined, and ``rest``
the largest possible loss of what comes after the partial set x. x is searched with the window

    (low − loss − rest, high − loss).

Below it, ℓ(X) ≤ loss + ℓ(x) + rest ≤ low; above it, ℓ(X) ≥ loss + ℓ(x) ≥ high, as no loss is
negative. In both cases what comes after x cannot matter and is cut off: *information-set pruning*.
Inside, ℓ(x) is exact, and so is the next ``loss``. *The first player's sets.* Alternatives are
searched with (low, best), where best starts as high: an answer of best or more is no better; one in
between is exact; one of low or less makes the minimum low or less, and the others are cut off (an
alpha-beta cutoff, from the other player's alternatives). So they are if nothing is lost at all,
best = 0: *immediate pruning*. *The second player's sets* are the mirror image, where the largest
possible loss takes the place of 0. At the start the window is infinite, so that the answer is V. □

With one player low is −∞ throughout, and what remains is figure 10: P is U prob(X) − high. Where U
is not known, a partial set that is not the last of its mixed set is searched without ``high``,
where L is not known, without ``low``; with one player and no U nothing is pruned (theorem 3). With
two players, perfect information and no chance, this is alpha-beta, which needs no bounds.

*The strategy.* A partial set records its best alternative. A set that is visited again is
overwritten by the later visit. If none is, V is the value of the game, for one player or for two:
different alternatives and partial sets then lead to different sets, so that the choices combine
into one strategy. For each player the recorded choices guarantee V whatever the other does and
whatever happens at sets that were cut off, since the proof assumes the worst there. With one player
and nothing pruned, "no set is visited twice" is perfect recall itself: each member of a set follows
the last own choice through chance alone, and is reached together with all that follow it.

Source: Blair, Mutchler & van Lent, Perfect recall and pruning in games with imperfect information,
1996, sections 5 and 6; the two-sided windows are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from infoset.errors import NotApplicable
from infoset.search.imp.positions import EVALUATED, INFINITE, Loss, SearchedGame
from infoset.search.limits import SearchStopped
from infoset.search.settings import ImpSettings

UNDECIDED = -1


class SetSearch:
    """One search from the start of a game, to its end or to a number of choices ahead."""

    def __init__(
        self, game: SearchedGame, settings: ImpSettings, ranks: dict[int, list[int]]
    ) -> None:
        """``ranks`` are orders of alternatives by set, from an earlier search."""
        self.game = game
        self.settings = settings
        self.windows = settings.information_set_pruning
        self.bounded_above = game.bounded_above
        self.bounded_below = game.bounded_below
        self.immediate = settings.immediate_pruning
        self.ranks = ranks
        self.ranked: dict[int, list[int]] = {}  # for a later search
        self.chosen: dict[int, int] = {}  # by information set: the alternative, or UNDECIDED
        self.repeated: int | None = None  # an information set that was visited twice
        self.nodes = self.sets = self.alternatives = 0
        self.ordering_evaluations = 0  # positions that were evaluated only to order alternatives
        self.set_cutoffs = self.immediate_cutoffs = self.window_cutoffs = 0
        self.interval = game.interval
        self._visits = 0

    def run(self, depth: int) -> Loss:
        """The first player's loss at the start; ``depth`` is -1 for no limit."""
        return self._mixed(self.game.start_members(), -1, -INFINITE, INFINITE, depth)

    @property
    def counts(self) -> dict[str, int]:
        """Counts of the search."""
        game = self.game
        return {
            "nodes": self.nodes + game.chances + game.examined,
            "leaves": game.examined - game.horizon - self.ordering_evaluations,
            "sets": self.sets,
            "alternatives": self.alternatives,
            "information_set_cutoffs": self.set_cutoffs + game.cutoffs,
            "immediate_cutoffs": self.immediate_cutoffs,
            "alpha_beta_cutoffs": self.window_cutoffs,
            "horizon": game.horizon,
            "glances": self.ordering_evaluations,
        }

    # ------------------------------------------------------------------ mixed sets

    def _mixed(
        self, members: list[Any], alternative: int, low: Loss, high: Loss, depth: int
    ) -> Loss:
        """Mixed-Set: the loss after an alternative, over leaves and partial information sets."""
        self._visits += 1
        if self._visits >= self.interval:
            self._check_time()
        loss, partial = self.game.advance(members, alternative, low, high, depth)
        if not partial:
            return loss
        if low != -INFINITE and self.bounded_below:
            return self._mixed_between(loss, partial, low, high, depth)
        left = len(partial)
        for number, reached in partial.items():
            left -= 1
            ceiling, floor = INFINITE, -INFINITE
            if high != INFINITE and (self.bounded_above or not left):
                ceiling = high - loss
            if low != -INFINITE and not left:
                floor = low - loss
            loss += self._decide(number, reached, floor, ceiling, depth)
            if self.bounded_above and loss >= high:
                self.set_cutoffs += left > 0
                return loss
        return loss

    def _mixed_between(
        self, loss: Loss, partial: dict[int, list[Any]], low: Loss, high: Loss, depth: int
    ) -> Loss:
        """The same with a two-sided window, where the largest possible loss is known."""
        largest = [self.game.largest_loss(members) for members in partial.values()]
        rest, left = sum(largest), len(largest)
        for (number, members), largest_loss in zip(partial.items(), largest, strict=True):
            rest, left = rest - largest_loss, left - 1
            ceiling = INFINITE if high == INFINITE else high - loss
            loss += self._decide(number, members, low - loss - rest, ceiling, depth)
            if loss >= high or loss + rest <= low:
                self.set_cutoffs += left > 0
                return loss if loss >= high else loss + rest
        return loss

    # ------------------------------------------------------------------ partial information sets

    def _decide(self, number: int, members: list[Any], low: Loss, high: Loss, depth: int) -> Loss:
        """The loss at a partial information set, by the mover's choice."""
        if number in self.chosen:
            self._revisited(number)
        else:
            self.chosen[number] = UNDECIDED
        self.sets += 1
        self.nodes += len(members)
        if depth > 0:
            depth -= 1
        if not self.windows:
            low, high = -INFINITE, INFINITE
        order: Sequence[int] = range(self.game.width[number])
        if self.settings.ordering:
            order = self._order(number, members, depth)
        choose = self._most if self.game.owner[number] else self._least
        best, taken, scores = choose(members, low, high, depth, order)
        self._record(number, taken, order, scores)
        return best

    def _least(
        self, members: list[Any], low: Loss, high: Loss, depth: int, order: Sequence[int]
    ) -> tuple[Loss, int, list[Loss]]:
        """Max-Set: the first player minimizes its loss; the loss, the choice, and all scores."""
        best, taken, windows = high, UNDECIDED, self.windows
        enough = 0 if self.immediate and self.bounded_above and low < 0 else low
        scores = []
        for alternative in order:
            found = self._mixed(members, alternative, low, best if windows else INFINITE, depth)
            scores.append(found)
            if found < best:
                best, taken = found, alternative
                if best <= enough:
                    self._cut(alternative != order[-1], best > low)
                    break
        return best, taken, scores

    def _most(
        self, members: list[Any], low: Loss, high: Loss, depth: int, order: Sequence[int]
    ) -> tuple[Loss, int, list[Loss]]:
        """Min-Set: likewise, with the second player maximizing the first player's loss."""
        best, taken, windows = low, UNDECIDED, self.windows
        enough = (
            min(high, self.game.largest_loss(members))
            if self.immediate and self.bounded_below
            else high
        )
        scores = []
        for alternative in order:
            found = self._mixed(members, alternative, best if windows else -INFINITE, high, depth)
            scores.append(-found)
            if found > best:
                best, taken = found, alternative
                if best >= enough:
                    self._cut(alternative != order[-1], best < high)
                    break
        return best, taken, scores

    def _record(self, number: int, taken: int, order: Sequence[int], scores: list[Loss]) -> None:
        """Record the decision and, for ordering, the ranks of alternatives."""
        self.alternatives += len(scores)
        if taken != UNDECIDED:
            self.chosen[number] = taken
        if self.settings.ordering:
            seen = sorted(zip(scores, range(len(scores)), strict=True))
            self.ranked[number] = [order[at] for _, at in seen] + list(order[len(scores) :])

    def _cut(self, something: bool, immediate: bool) -> None:
        """Count a cutoff, if something was cut off."""
        if something and immediate:
            self.immediate_cutoffs += 1
        elif something:
            self.window_cutoffs += 1

    def _order(self, number: int, members: list[Any], depth: int) -> Sequence[int]:
        """Alternatives, the most promising first: by an earlier search, or by the evaluator."""
        if number in self.ranks:
            return self.ranks[number]
        game = self.game
        plain = range(game.width[number])
        if game.unknown != EVALUATED or depth == 0 or len(plain) == 1:
            return plain
        beyond, examined = game.horizon, game.examined
        sign = -1 if game.owner[number] else 1
        losses = [
            sign * game.advance(members, alternative, -INFINITE, INFINITE, 0)[0]
            for alternative in plain
        ]
        self.ordering_evaluations += game.examined - examined
        game.horizon = beyond  # evaluating for the order is not reaching the horizon
        return sorted(plain, key=losses.__getitem__)

    def _revisited(self, number: int) -> None:
        """Record that an information set is visited a second time."""
        if self.repeated is None:
            self.repeated = number

    def _check_time(self) -> None:
        """Check whether to stop, and report progress."""
        self._visits = 0
        if self.settings.over():
            raise SearchStopped
        self.settings.tell(f"{self.nodes + self.game.examined:,} nodes")


class PerfectInformationSearch(SetSearch):
    """Chance-minimax: requires that every information set has a single position."""

    def _decide(self, number: int, members: list[Any], low: Loss, high: Loss, depth: int) -> Loss:
        if len(members) > 1 or number in self.chosen:
            mover, known = self.game.describe(number)
            raise NotApplicable(
                f"{self.settings.name}: chance-minimax needs perfect information, but {mover},"
                f" knowing {known!r}, may be at more than one position; imp-minimax treats such"
                " positions together, and lp solves such two-player games"
            )
        return super()._decide(number, members, low, high, depth)
