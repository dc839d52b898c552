"""The walks: external sampling, outcome sampling, and plays for the average.

At every information set the strategy σ of an iteration is regret matching: in proportion to the
positive regrets, uniform where there are none. For player i, let π₋ᵢ(h) be the counterfactual
reach of a node h, the part of chance and of the other players in its probability, and v(h) the
continuation value of i. The counterfactual regret of action a at i's information set I is

    r(I, a) = Σ_{h in I} π₋ᵢ(h) (v(ha) − v(h)).

**External sampling** draws the moves of chance and of the others by their probabilities, and walks
all of i's. A node h is then reached with probability π₋ᵢ(h), and the difference of the values found
below it has the expectation v(ha) − v(h): summed as they are, they have the expectation r(I, a).

**Outcome sampling** draws i's moves as well, by s(a) = ε / |A| + (1 − ε) σ(a), and gets one play.
The value found after the action drawn is divided by s, other actions get 0:

    ṽ(ha) = ṽ(next) / s(a) if a was drawn, else 0;     ṽ(h) = Σ_a σ(a) ṽ(ha).

With q(h) the probability of i's own draws up to h, (ṽ(ha) − ṽ(h)) / q(h) has the same expectation.
Source of both: Lanctot, Waugh, Zinkevich & Bowling, Monte Carlo sampling for regret minimization in
extensive games, 2009. Departure: where a walk reaches an information set of another player at
several nodes, it draws independently at each. The expectation is the same, as no play reaches it
twice. Players take their walks in turn, and each meets what those before it have changed.

**The average strategy** of player k weights its strategy at I by k's own reach πₖ(I) and by the
iteration's weight; a factor that is constant over all iterations does not matter. With two players,
k's sets are reached in the other's walk: in external sampling with probability πₖ(I) times chance's
part, which is constant; in outcome sampling times q(h), by which is therefore divided
(stochastically weighted averaging; q is never 0, and a play so long that floats might take it for 0
is refused). With three or more players the strategies of third players would enter, which are not
constant; with one player there is no other's walk. So k then has plays of its own, in which it
follows σ. The others follow theirs, or all play at random, as a coin decides. A set that is reached
gets the weight 2 / (u + π), where π and u are the others' parts in the one and in the other case: a
play is drawn with (u + π) / 2 in place of their part, and so the product is constant. The weight is
at most twice what it would be with the better of the two cases alone (the balance heuristic of
Veach & Guibas, 1995).
"""

from __future__ import annotations

from collections.abc import Callable

from infoset.errors import NotApplicable
from infoset.rules.moves import CHANCE, LEAF
from infoset.solvers.sampling.places import STOP, Draws, Places, SampledNode

Walk = Callable[[int, float], int]  # of a player, with a weight: the number of places walked
LISTEN_EVERY = 100  # places between two checks of the alarm
FAINTEST = 1e-200  # the least probability to divide by, so that sums do not overflow


class Abandoned(Exception):
    """A walk was abandoned before its end."""


def matched(regrets: list[float]) -> list[float]:
    """Probabilities in proportion to positive regrets; uniform where there are none.

    >>> matched([3.0, -2.0, 1.0]), matched([-1.0, 0.0])
    ([0.75, 0.0, 0.25], [0.5, 0.5])
    """
    if len(regrets) == 2:  # by far the most frequent case, and twice as fast without lists
        one, two = regrets
        if one > 0.0:
            return [one / (one + two), two / (one + two)] if two > 0.0 else [1.0, 0.0]
        return [0.0, 1.0] if two > 0.0 else [0.5, 0.5]
    positive = [regret if regret > 0.0 else 0.0 for regret in regrets]
    total = sum(positive)
    if total > 0.0:
        return [regret / total for regret in positive]
    return [1.0 / len(positive)] * len(positive)


def external(
    places: Places, luck: Draws, *, averages: bool, alarm: Callable[[], bool] = lambda: False
) -> Walk:
    """External sampling; with ``averages`` the others' average strategies are added to.

    A walk may be long: it is abandoned when ``alarm`` returns true.
    """
    advance, outcome, option = places.advance, luck.outcome, luck.option
    walked, own, weight = 0, 0, 1.0

    def decide(place: SampledNode) -> int:
        """The move that is drawn at a place; a stop where all moves are walked."""
        nonlocal walked
        walked += 1
        player = place.player
        if player == own:
            return STOP if len(place.moves) > 1 else 0
        if player >= 0:
            probabilities = matched(place.regrets)
            if averages:
                average = place.average
                for at, probability in enumerate(probabilities):
                    average[at] += weight * probability
            return option(probabilities)
        return outcome(place) if player == CHANCE else STOP

    def walk(player: int, counts: float) -> int:
        """Depth first, with the player's nodes on the way in a list: plays may be long."""
        nonlocal walked, own, weight
        walked, own, weight, listens = 0, player, counts, LISTEN_EVERY
        above: list[tuple[SampledNode, list[float], list[float]]] = []  # with σ and values
        place = places.walk(decide)
        while True:
            while place.player != LEAF:
                above.append((place, matched(place.regrets), []))
                place = advance(place, 0, decide)
            if walked >= listens:
                listens = walked + LISTEN_EVERY
                if alarm():
                    raise Abandoned
            value = place.payoffs[own]
            while above:
                node, probabilities, values = above[-1]
                values.append(value)
                if len(values) < len(probabilities):
                    place = advance(node, len(values), decide)
                    break
                above.pop()
                value = _regretted(node.regrets, probabilities, values, weight)
            else:
                return walked

    return walk


def _regretted(
    regrets: list[float], probabilities: list[float], values: list[float], weight: float
) -> float:
    """Add to the regrets of a node, and return its value."""
    expected = sum(
        [probability * value for probability, value in zip(probabilities, values, strict=True)]
    )
    for at, value in enumerate(values):
        regrets[at] += weight * (value - expected)
    return expected


def outcome(places: Places, luck: Draws, exploration: float, *, averages: bool) -> Walk:
    """Outcome sampling; with ``averages`` the others' average strategies are added to."""
    drawn, option, on_policy = luck.outcome, luck.option, 1.0 - exploration
    walked, own, weight = 0, 0, 1.0
    reach = 1.0  # of the player's own draws
    met: list[tuple[list[float], list[float], int, float, float]] = []

    def decide(place: SampledNode) -> int:
        nonlocal walked, reach
        walked += 1
        player = place.player
        if player == own:
            probabilities = matched(place.regrets)
            even = exploration / len(probabilities)
            trial = [even + on_policy * probability for probability in probabilities]
            move = option(trial)
            met.append((place.regrets, probabilities, move, trial[move], reach))
            reach *= trial[move]
            if reach < FAINTEST:
                raise _too_faint(places.name, place.depth)
            return move
        if player >= 0:
            probabilities = matched(place.regrets)
            if averages:
                average, counts = place.average, weight / reach
                for at, probability in enumerate(probabilities):
                    average[at] += counts * probability
            return option(probabilities)
        return drawn(place) if player == CHANCE else STOP

    def walk(player: int, counts: float) -> int:
        nonlocal walked, own, weight, reach
        walked, own, weight, reach = 0, player, counts, 1.0
        met.clear()
        value = places.walk(decide).payoffs[own]
        for regrets, probabilities, move, trial, before in reversed(met):
            value /= trial
            expected = probabilities[move] * value
            scale = weight / before
            for at in range(len(regrets)):
                regrets[at] -= scale * expected
            regrets[move] += scale * value
            value = expected
        return walked

    return walk


def averaging(places: Places, luck: Draws) -> Walk:
    """A play for a player's own average strategy, for games of any number of players."""
    drawn, option, coin = luck.outcome, luck.option, [0.5, 0.5]
    walked, own, weight, at_random = 0, 0, 1.0, False
    even = policy = 1.0  # the others' part in the reach, in the two cases

    def decide(place: SampledNode) -> int:
        nonlocal walked, even, policy
        walked += 1
        player = place.player
        if player < 0:
            return drawn(place) if player == CHANCE else STOP
        probabilities = matched(place.regrets)
        if player == own:
            if even + policy < FAINTEST:
                raise _too_faint(places.name, place.depth)
            average, counts = place.average, weight * 2.0 / (even + policy)
            for at, probability in enumerate(probabilities):
                average[at] += counts * probability
            return option(probabilities)
        size = len(probabilities)
        move = option([1.0 / size] * size if at_random else probabilities)
        even, policy = even / size, policy * probabilities[move]
        return move

    def walk(player: int, counts: float) -> int:
        nonlocal walked, own, weight, at_random, even, policy
        walked, own, weight = 0, player, counts
        at_random, even, policy = option(coin) == 1, 1.0, 1.0
        places.walk(decide)
        return walked

    return walk


def _too_faint(name: str, moves: int) -> NotApplicable:
    return NotApplicable(
        f"{name}: after {moves:,} moves a play is drawn with a probability under {FAINTEST:g}, and"
        " its weight is beyond floats; sample a game with shorter plays"
    )
