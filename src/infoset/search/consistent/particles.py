"""Following a long play: a particle filter over histories.

From one decision of a player to the next, the histories that agree with its observations are
carried along. Let x_1, ..., x_n be histories (*particles*) with weights w_i, that stand for the
distribution given the last view. Given the next view v, a continuation h of x_i has the probability

    w_i p(h | x_i) / Σ_j w_j P(v | x_j).

In a pass, each x_i is tried with a probability proportional to w_i U(x_i), and continued at random
by rejection that remembers its dead ends (:mod:`infoset.search.consistent.tried`), which succeeds
with probability P(v | x_i) / U(x_i). So it leaves a particle with a probability proportional to
w_i P(v | x_i), and a particle that agrees with whatever is observed is neither lost nor doubled.
Passes are repeated until there are as many particles as asked for.

**Degeneration.** Over time, many particles descend from few. The *effective sample size* is
(Σ w)² / Σ w², with the weights of equal histories added up. When it is below half of the number of
particles, they are rejuvenated:

1. Fresh histories are drawn from the start of the game. If as many are found as are asked for,
   they replace the particles: they are exact, and independent. Short games are followed like this,
   and those that supply a sampler.
2. Metropolis steps (:mod:`infoset.search.consistent.metropolis`) change hidden moves of a history.

(N. Gordon, D. Salmond & A. Smith, Novel approach to nonlinear/non-Gaussian Bayesian state
estimation, 1993; Metropolis steps within: W. Gilks & C. Berzuini, Following a moving target: Monte
Carlo inference for dynamic Bayesian models, 2001. Rejection until enough particles are found: F. Le
Gland & N. Oudjane, A sequential particle algorithm that keeps the particle system alive, 2005.)
"""

from __future__ import annotations

from math import exp, inf
from random import Random
from time import perf_counter
from typing import Any

from infoset.errors import NoHistory
from infoset.rules.position import Position
from infoset.search.consistent.attempts import Attempts
from infoset.search.consistent.histories import Histories, checked_number
from infoset.search.consistent.metropolis import moved
from infoset.search.consistent.models import UNIFORM
from infoset.search.consistent.tried import Match
from infoset.text import repr_text

PARTICLES = 200
PATIENCE = 100  # attempts for each particle that is asked for, to carry one
FROM_START = 20  # likewise, to draw a fresh one
STEPS = 4  # Metropolis steps of each particle


class ParticleFilter:
    """Histories that agree with what a player has observed, followed from decision to decision.

    Parameters
    ----------
    game, player, model
        As of :class:`Histories`.
    particles
        How many histories to keep.
    random
        The generator of random numbers.

    Attributes
    ----------
    fresh : int
        How many of the particles were drawn from the start of the game at the last update.

    Examples
    --------
    >>> from random import Random
    >>> from infoset.games import kuhn
    >>> played = kuhn().position().after("Q K")
    >>> followed = ParticleFilter(kuhn(), "gambler", particles=100, random=Random(3))
    >>> followed.update(played.view("gambler"))
    >>> followed.update(played.after("pass").after("bet").view("gambler"))
    >>> followed.count, round(followed.effective, 1)
    (100, 2.0)
    >>> sorted(str(position) for position, weight in followed.positions)
    ['chance: Q J, gambler: pass, dealer: bet', 'chance: Q K, gambler: pass, dealer: bet']
    """

    def __init__(
        self,
        game: Any,
        player: str,
        model: Any = UNIFORM,
        particles: int = PARTICLES,
        random: Random | None = None,
    ) -> None:
        """No particles yet."""
        self.particles = checked_number("particles", particles, 1)
        self.random = Random(0) if random is None else random
        self.histories = Histories(game, player, model)
        self.fresh = 0
        self._until = inf  # when the update has to be done
        self._held: list[Match] = []
        self._ground: Any = None

    # ------------------------------------------------------------------ what is known

    @property
    def count(self) -> int:
        """The number of particles."""
        return len(self._held)

    @property
    def positions(self) -> list[tuple[Position, float]]:
        """The different positions among the particles, each with its weight; they sum to 1."""
        part = 1 / len(self._held) if self._held else 0.0
        weights: dict[Any, float] = {}
        known: dict[Any, Position] = {}
        for match in self._held:
            key = _key(match.position)
            known.setdefault(key, match.position)
            weights[key] = weights.get(key, 0.0) + part
        return [(known[key], weight) for key, weight in weights.items()]

    @property
    def effective(self) -> float:
        """The effective sample size, (Σ w)² / Σ w² over different positions."""
        squares = sum(weight * weight for _, weight in self.positions)
        return 1 / squares if squares else 0.0

    # ------------------------------------------------------------------ from view to view

    def update(self, view: Any, seconds: float = inf) -> None:
        """Carry the particles to the player's next decision.

        Parameters
        ----------
        view
            As of :meth:`Histories.enumerate`. If it does not continue the last one, as in a new
            play, the particles are drawn from the start.
        seconds
            Stop after so long, with the particles that were found until then.

        Raises
        ------
        NoHistory
            If no history was found that agrees with the view; the particles are as before then.
        """
        self._until = perf_counter() + seconds
        ground = self.histories.ground(view)
        continued = self._ground is not None and self._ground.extends(view)
        held = self._carried(ground) if continued and not self.histories.supplied else []
        fresh = 0
        if 2 * _effective(held) < self.particles:
            drawn = self._supplied(view, ground) if self.histories.supplied else self._drawn(view)
            fresh = len(drawn)
            held = drawn if fresh == self.particles else self._mixed(held, drawn)
        if not held:
            raise NoHistory(
                f"{self.histories.name}: no history was found that agrees with what"
                f" {self.histories.player} observed, {repr_text(view)}; take more particles, or"
                " another model"
            )
        if fresh < self.particles and 2 * _effective(held) < self.particles:
            held = [
                match
                if self._late
                else moved(ground, self.histories.start, match, STEPS, self.random)
                for match in held
            ]
        self._held, self._ground, self.fresh = held, ground, min(fresh, len(held))

    @property
    def _late(self) -> bool:
        return self._until < inf and perf_counter() > self._until

    def _carried(self, ground: Any) -> list[Match]:
        """The particles, continued until the view agrees."""
        tried = Attempts(ground, [match.start for match in self._held])
        below, uniform = tried.root.below, self.random.random
        held: list[Match] = []
        order = list(range(len(self._held)))
        patience = PATIENCE * self.particles
        while len(held) < self.particles and tried.tried < patience and not self._late:
            bounds = [below[at].bound if at in below else 0.0 for at in order]
            top = max(bounds)
            if top == -inf:
                break
            pairs = list(zip(order, bounds, strict=True))
            self.random.shuffle(pairs)
            for at, bound in pairs:
                if uniform() < exp(bound - top):
                    match = tried.attempt(uniform, at)
                    if match is not None:
                        held.append(match)
                    if len(held) == self.particles or self._late:
                        break
        return held

    def _drawn(self, view: Any) -> list[Match]:
        """Fresh histories from the start, as many as are found by so many attempts."""
        drawn: list[Match] = []
        tried = self.histories.attempts_at(view)
        until = tried.tried + FROM_START * self.particles
        while len(drawn) < self.particles and tried.tried < until and not tried.hopeless:
            if self._late:
                break
            match = tried.attempt(self.random.random)
            if match is not None:
                drawn.append(match)
        return drawn

    def _supplied(self, view: Any, ground: Any) -> list[Match]:
        """Fresh histories from the game's own sampler, as many as there is time for."""
        seconds = self._until - perf_counter() if self._until < inf else inf
        try:
            drawn = self.histories.sample(view, self.particles, self.random, seconds=seconds)
        except NoHistory:
            return []
        return [Match(position, ground.begin(position)) for position in drawn]

    def _mixed(self, held: list[Match], drawn: list[Match]) -> list[Match]:
        """Fresh histories first, and as many of the others as have room."""
        room = self.particles - len(drawn)
        return drawn + (self.random.sample(held, room) if len(held) > room else held)


def _key(position: Position) -> Any:
    """Equal for equal positions; a position that has no hash is itself alone."""
    try:
        hash(position)
    except TypeError:
        return id(position)
    return position


def _effective(held: list[Match]) -> float:
    counts: dict[Any, int] = {}
    for match in held:
        key = _key(match.position)
        counts[key] = counts.get(key, 0) + 1
    total = sum(counts.values())
    return total * total / sum(count * count for count in counts.values()) if total else 0.0
