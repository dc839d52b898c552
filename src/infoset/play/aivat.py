"""AIVAT: what a match says once the luck is taken out, without bias.

Some of the players of a game are *known*: their strategies are at hand, as a solution's or that of
whoever moves at random. So are the probabilities of chance. The others are unknown, and all that is
assumed of them is that they act on what they know: an unknown player's choice depends on its
information sets and its own choices so far, and on nothing else.

**States.** Let s be all that the unknown players have met and done so far: their information sets
and actions, in order. The probability of a history h is π(h) = π_K(h) · π_U(s), where π_K is the
part of chance and the known players, which can be computed, and π_U is that of the unknown ones,
which cannot, but which is the same for all histories that agree in s. So it cancels from

    P(h | a set H of histories that agree in s) = π_K(h) / Σ_{h' ∈ H} π_K(h').

Let F(s) be the histories at which, after s, an unknown player moves next, or the game is over; and
D = (s, I) those of them at the information set I. With any function v of histories, which equals
the payoff where the game is over, let

    V(s) = E[v(h) | h ∈ F(s)],        V(D) = E[v(h) | h ∈ D],        both by π_K.

**The estimate** of a game in which unknown players chose a₁, a₂, … at D₁, D₂, … is

    V(∅) + Σ_t ( V(D_t a_t) − V(D_t) ).

It is what is to be expected before the game, and what the choices of unknown players added. It is
unbiased for every v. Let E be the mean payoff of the games that end after the last state s of the
game. Then the same sum is

    E + Σ ( V(s) − V(D) ) + ( V(s) − E ),

with a *correction* V(s) − V(D) whenever the play goes from a state s on to D, and the last one
where it ends. A correction has expectation 0: V(s) is the mean of all V(D) and E that may come
next, weighted by their probabilities, which are known. And E is unbiased as a conditional mean.
Chance and the choices of known players have no variance left. What is left is that of the unknown
players' choices, as v values them:

    v(h) = the expected payoff if known players play on by their strategies, and the others by a
           given solution.

If nobody is unknown, all that is left is V(∅): the exact value of the strategies against each
other, whatever v is. If nobody is known, chance alone is corrected for. The estimates of a
zero-sum game sum to zero.

**Source.** N. Burch, M. Schmid, M. Moravčík, D. Morrill and M. Bowling, "AIVAT: A new variance
reduction technique for agent evaluation in imperfect information games", AAAI 2018. There v is any
heuristic, the sets of histories that agree are chosen for poker (the same public play, other
private cards of known players), and each move of chance and of a known player is corrected for by
itself. Here the sets are the largest for which π_U cancels, so that all moves between two choices
of unknown players are one correction, and those after the last choice are averaged, too. The
games are general: any number of players, any payoffs, teams and simultaneous moves.

v must not depend on the games that are being evaluated: a solution is computed before them.

**Forfeits.** To forfeit is one more action of an unknown player at D, which v does not know of. The
estimate up to D is then as above, and the last term is what was paid − V(D). So it stays unbiased
if who forfeits does so more often with bad cards; payoffs that were left uncorrected would not be.
What does not fit into this is refused: a known player that forfeits does not play by its strategy,
and at a simultaneous move of several unknown players the choices of the others are not recorded.

The cost is a few passes over the tree for each set of known players, and a walk down the tree for
each game.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any, cast

import numpy as np

from infoset.errors import ParameterError, StrategyError, nearest
from infoset.linear.numbers import Array, Number, group_sums
from infoset.play.match import MatchResult
from infoset.play.names import Entrant, Known, known_strategy
from infoset.play.player import Player
from infoset.play.records import MatchGame, PlacedMove, replayed
from infoset.play.referee import GameRecord
from infoset.play.standings import PayoffTally, Standing, paid_by_entrant
from infoset.rules.moves import LEAF
from infoset.solvers.evaluation import TreeEvaluation
from infoset.solvers.solution import Solution
from infoset.strategy import Profile, Strategy, as_behaviour, as_profile, as_strategy, profile
from infoset.text import brief, text
from infoset.tree import Tree
from infoset.tree.positions import moves_at
from infoset.tree.source import Source, source

# ------------------------------------------------------------------------ the estimates on a tree


@dataclass(frozen=True, eq=False)
class States:
    """What unknown players have met and done, at each node of a tree."""

    state: Array  # [node] the number of s; 0 at the root
    decision: Array  # [node] the number of D, where an unknown player moves; else -1
    came_from: Sequence[int]  # [state] the D after which it comes; -1 for the first
    within: Sequence[int]  # [decision] its state s


def states(tree: Tree, unknown: Iterable[int]) -> States:
    """Number the states of unknown players, given by their numbers; earlier states come first."""
    movers = set(unknown)
    parent, action = tree.parent.tolist(), tree.action.tolist()
    player, infoset = tree.player.tolist(), tree.infoset.tolist()
    state, decision = [0] * len(parent), [-1] * len(parent)
    after: dict[tuple[int, int], int] = {(-1, -1): 0}  # by D and action
    at: dict[tuple[int, int], int] = {}  # by s and information set
    for node, above in enumerate(parent):
        if node:
            choice = decision[above]
            state[node] = (
                state[above] if choice < 0 else after.setdefault((choice, action[node]), len(after))
            )
        if player[node] in movers:
            decision[node] = at.setdefault((state[node], infoset[node]), len(at))
    return States(
        np.array(state), np.array(decision), [one for one, _ in after], [one for one, _ in at]
    )


@dataclass(frozen=True, eq=False)
class Estimates:
    """The estimates of all games that end in a tree, for one set of known players."""

    states: States
    reach: Array  # [node] π_K
    so_far: Array  # [state, player] V(∅) and what the choices up to s have added
    expected: Array  # [decision, player] V(D)

    def of_leaf(self, leaf: int) -> list[Number]:
        """[player] the estimate of a game that ends here."""
        return cast(list[Number], self.so_far[self.states.state[leaf]].tolist())

    def of_forfeit(self, node: int, paid: Sequence[Number]) -> list[Number]:
        """[player] the same where the unknown player that moves at a node forfeits."""
        at, choice = self.states.state[node], self.states.decision[node]
        added = np.array(paid, self.so_far.dtype) - self.expected[choice]
        return cast(list[Number], (self.so_far[at] + added).tolist())


def estimates(tree: Tree, values: Array, reach: Array, unknown: Iterable[int]) -> Estimates:
    """The AIVAT estimates at all leaves of a tree.

    Parameters
    ----------
    tree
        The game.
    values
        [node, player] v, any numbers, but the payoffs at leaves.
    reach
        [node] π_K: the probability that chance and the known players come there.
    unknown
        The numbers of the players whose strategies are not known.

    Returns
    -------
    Estimates
        In floats or Fractions, as ``values`` and ``reach`` are.

    Examples
    --------
    Matching pennies between players of whom nothing is known, with a v that sees nothing: there is
    no luck in it, and the payoffs are left as they are.

    >>> from infoset.games import matching_pennies
    >>> tree = matching_pennies().tree()
    >>> values = np.zeros((len(tree), 2))
    >>> for leaf in tree.leaves:
    ...     values[leaf.index] = [float(paid) for paid in leaf.payoffs.values()]
    >>> found = estimates(tree, values, np.ones(len(tree)), unknown=(0, 1))
    >>> [found.of_leaf(leaf.index) for leaf in tree.leaves]
    [[1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]]
    """
    found = states(tree, unknown)
    moves = np.flatnonzero(found.decision >= 0)
    frontier = np.flatnonzero((found.decision >= 0) | (tree.player == LEAF))
    at_state = _averages(values, reach, frontier, found.state, len(found.came_from))
    at_decision = _averages(values, reach, moves, found.decision, len(found.within))
    so_far = at_state.copy()
    for state, choice in enumerate(found.came_from):
        if choice >= 0:
            so_far[state] += so_far[found.within[choice]] - at_decision[choice]
    return Estimates(found, reach, so_far, at_decision)


def _averages(values: Array, reach: Array, nodes: Array, groups: Array, count: int) -> Array:
    """[group, player] the mean of values over some nodes, by their weights; 0 without weight."""
    weight = group_sums(reach[nodes], groups[nodes], count)
    some = np.flatnonzero(weight > 0)
    found = np.zeros((count, values.shape[1]), values.dtype)
    for player in range(values.shape[1]):
        total = group_sums(reach[nodes] * values[nodes, player], groups[nodes], count)
        found[some, player] = total[some] / weight[some]
    return found


def node_values(played: Profile, *, exact: bool = False) -> Array:
    """[node, player] what everyone expects at each node if all play by a profile.

    Parameters
    ----------
    played
        The strategies.
    exact
        Fractions, not floats.

    Returns
    -------
    array
        Of floats, or of Fractions as objects.
    """
    tree = played.tree
    kind: Any = object if exact else np.float64
    steps = np.array(played.steps, kind)
    values = np.zeros((len(tree), len(tree.players)), kind)
    for player, paid in enumerate(tree.leaf_payoffs):
        values[tree.leaf_indices, player] = paid.values() if exact else paid.floats
    for level in reversed(tree.levels[1:]):
        np.add.at(values, tree.parent[level], steps[level, None] * values[level])
    return values


def known_reach(tree: Tree, known: Iterable[Strategy], *, exact: bool = False) -> Array:
    """[node] π_K: the probability that chance and the known players' choices lead there."""
    reach = tree.chance_reach
    for strategy in known:
        reach = reach.times(strategy.reach)
    return np.array(reach.values(), object) if exact else reach.floats


# ------------------------------------------------------------------------ the games of a match


@dataclass(frozen=True)
class AivatResult:
    """What entrants would have got without luck.

    Attributes
    ----------
    entrants : tuple of str
        As the match calls them.
    known : tuple of str
        What was known: entrants by name, or seats.
    games : tuple of MatchGame
        As they were given.
    estimates : tuple of dict
        [game] by player: the estimate of its payoff.
    """

    entrants: tuple[str, ...]
    known: tuple[str, ...]
    games: tuple[MatchGame, ...] = field(repr=False)
    estimates: tuple[dict[str, Number], ...] = field(repr=False)
    round_size: int = 1

    def standings(self) -> list[Standing]:
        """Of all entrants, in their order: means of the estimates, and their intervals."""
        tally = PayoffTally(self.entrants, self.round_size)
        for game, estimate in zip(self.games, self.estimates, strict=True):
            forfeit = game.record.forfeit
            lost = None if forfeit is None else game.seats.get(forfeit.seat)
            tally.add(game.number, paid_by_entrant(game, estimate), lost)
        return tally.standings()


def aivat(
    game: Any,
    played: MatchResult | Sequence[MatchGame] | Sequence[GameRecord],
    solution: Any,
    known: Mapping[Any, Any] | None = None,
    *,
    exact: bool = False,
) -> AivatResult:
    """Take the luck out of the games of a match, without bias: AIVAT.

    Parameters
    ----------
    game
        The game that was played. Its tree is built.
    played
        A match, the games of a record file, or games that were played one by one.
    solution
        A Solution, or strategies of all players in any other form. They say what positions are
        worth: the better, the narrower the intervals; the estimates are unbiased with any. They
        must not be made from these games.
    known
        By the number or the name of an entrant, or by a seat: the strategy by which it plays, or
        the name of a player such as ``"random"``. By default those that the match knows of: its
        solutions, files, mappings and random players, as far as they have not forfeited a game.
        ``{}`` if nobody is known.
    exact
        Compute in Fractions. Strategies must be exact.

    Returns
    -------
    AivatResult
        An estimate for each game and player, and the standings that follow.

    Raises
    ------
    TooLarge
        If the game's tree is too large.
    ParameterError
        If a game is not one of this game, or not one that the known strategies can have played.
    StrategyError
        If these are no strategies of the game.

    Examples
    --------
    >>> from infoset import solve
    >>> from infoset.games import kuhn
    >>> from infoset.play import aivat, match
    >>> solution = solve(kuhn())
    >>> played = match(kuhn(), [solution, "ismcts:iterations=20"], games=40)
    >>> lucky = played.standings()[0]
    >>> earned = aivat(kuhn(), played, solution).standings()[0]
    >>> earned.high - earned.low < (lucky.high - lucky.low) / 2
    True
    """
    return _Evaluation(game, played, solution, known, exact).result()


class _Evaluation:
    """Estimates of the games of one match."""

    def __init__(
        self, game: Any, played: Any, solution: Any, known: Mapping[Any, Any] | None, exact: bool
    ) -> None:
        self.game = game
        self.source: Source = source(game)
        self.tree = _tree(self.source, solution)
        self.exact = exact
        self.entrants, self.games, self.round_size = _games(self.tree.names, played)
        self.known = self._default(played) if known is None else self._given(known)
        self.profile = self._profile(solution)
        self._strategies: dict[int | str, Any] = {}  # by entrant or seat, for all players
        self._tables: dict[tuple[Any, ...], Estimates] = {}
        self._nodes: dict[tuple[Any, ...], int] = {}

    def result(self) -> AivatResult:
        found = tuple(self._estimate(game) for game in self.games)
        names = [self.entrants[one] if isinstance(one, int) else one for one in self.known]
        return AivatResult(self.entrants, tuple(names), tuple(self.games), found, self.round_size)

    # -------------------------------------------------------------------- who is known

    def _default(self, played: Any) -> dict[int | str, Known]:
        """What the match knows, of entrants that have kept to it."""
        if not isinstance(played, MatchResult):
            return {}
        seats, names = self.source.seats, self.tree.names
        lost = {
            game.seats[names[seats.player(game.record.forfeit.seat)]]
            for game in self.games
            if game.record.forfeit is not None
        }
        return {one: known for one, known in played.known.items() if one not in lost}

    def _given(self, known: Mapping[Any, Any]) -> dict[int | str, Known]:
        """What is said to be known, by the number of an entrant or by a seat."""
        found: dict[int | str, Known] = {}
        for key, given in known.items():
            entrants = [at for at, name in enumerate(self.entrants) if key in (at, name)]
            if not entrants and key not in self.tree.names:
                names = [*self.entrants, *self.tree.names]
                raise ParameterError(
                    f"known= names {key!r:.40}, no entrant and no seat; {nearest(str(key), names)}"
                )
            found |= dict.fromkeys(entrants or [key], _known(key, given))
        return found

    def _profile(self, solution: Any) -> Profile:
        if isinstance(solution, Solution):
            solution = solution.on_tree(self.tree).profile
        return cast(Profile, as_profile(self.tree, solution))

    def _strategy(self, key: int | str, player: str) -> Strategy:
        """The strategy of a known player."""
        if key not in self._strategies:
            given = self.known[key](self.game, self.tree)
            on_tree = isinstance(given, Solution)
            self._strategies[key] = given.on_tree(self.tree).profile if on_tree else given
        given = self._strategies[key]
        return as_behaviour(cast(Strategy, as_strategy(self.tree, player, given)))

    # -------------------------------------------------------------------- the games

    def _estimate(self, game: MatchGame) -> dict[str, Number]:
        names = self.tree.names
        who = tuple(
            one if (one := game.seats[name]) in self.known else name if name in self.known else None
            for name in names
        )
        if who not in self._tables:
            self._tables[who] = self._table(who)
        table, node = self._tables[who], self._node(game)
        if not table.reach[node] > 0:
            raise ParameterError(
                f"game {game.number}, {brief(_moves(game))}: this is never played by the strategies"
                " that are known; leave out whoever plays by another"
            )
        if game.record.forfeit is None:
            self._check_end(game, node)
            return dict(zip(names, table.of_leaf(node), strict=True))
        unknown = [at for at, one in enumerate(who) if one is None]
        return dict(zip(names, self._forfeited(game, node, table, unknown), strict=True))

    def _table(self, who: tuple[int | str | None, ...]) -> Estimates:
        """The estimates where these are known: by player, the entrant or the seat."""
        known = {
            at: self._strategy(one, self.tree.names[at])
            for at, one in enumerate(who)
            if one is not None
        }
        playing = profile(known.get(at, one) for at, one in enumerate(self.profile))
        if self.exact and not playing.exact:
            raise StrategyError(f"{self.tree.name}: exact=True needs strategies in exact numbers")
        return estimates(
            self.tree,
            node_values(playing, exact=self.exact),
            known_reach(self.tree, known.values(), exact=self.exact),
            [at for at, one in enumerate(who) if one is None],
        )

    def _node(self, game: MatchGame) -> int:
        """The node to which the moves of a game lead."""
        moves = game.record.moves
        if moves not in self._nodes:
            start, child = self.tree.children
            node = 0
            for _, move in moves:
                number = _number(*moves_at(self.tree, node), move)
                if number is None:
                    raise ParameterError(
                        f"game {game.number}: {brief(text(move))} is no move of {self.tree.name}"
                        f" where it was made, {brief(_moves(game))}; give the game that was played"
                    )
                node = int(child[int(start[node]) + number])
            self._nodes[moves] = node
        return self._nodes[moves]

    def _check_end(self, game: MatchGame, node: int) -> None:
        """Refuse what is a game of other rules."""
        settled = self.tree.settled
        paid = settled.payoffs[int(settled.outcome[node])] if settled.player[node] == LEAF else None
        if paid is None or list(paid) != [game.record.payoffs[name] for name in self.tree.names]:
            said = "is not over" if paid is None else f"pays {', '.join(map(str, paid))}"
            raise ParameterError(
                f"game {game.number}: {self.tree.name} {said} after {brief(_moves(game))}; give the"
                " game that was played"
            )

    def _forfeited(
        self, game: MatchGame, node: int, table: Estimates, unknown: Sequence[int]
    ) -> list[Number]:
        """The estimate of a game that an unknown player has forfeited where it was to move."""
        record, number = game.record, self.source.seats.player
        assert record.forfeit is not None
        seat = record.forfeit.seat
        if number(seat) not in unknown:
            raise ParameterError(
                f"game {game.number}: {seat} forfeited it, and did not play by the strategy that is"
                " known; leave it out"
            )
        kind = Fraction if self.exact else float
        paid = [kind(record.payoffs[name]) for name in self.tree.names]
        if not record.moves:
            return paid  # V(∅) = V(D): nobody has seen or done anything
        movers = replayed(self.source.start, record).movers
        before = movers[: movers.index(seat)] if seat in movers else movers
        if seat not in movers or any(number(one) in unknown for one in before):
            when = "at a simultaneous move" if seat in movers else "after the end"
            raise ParameterError(
                f"game {game.number}: {seat} forfeited it {when}; of such games no unbiased"
                " estimate is known"
            )
        start, child = self.tree.children
        for _ in before:  # known players, whose moves the seat does not see
            node = int(child[int(start[node])])
        return table.of_forfeit(node, paid)


def _tree(found: Source, solution: Any) -> Tree:
    """The tree of a game; a solution of the game has it already."""
    on_tree = isinstance(solution, Solution) and isinstance(solution.evaluation, TreeEvaluation)
    return solution.tree if on_tree and solution.name == found.name else found.tree()


def _games(names: tuple[str, ...], played: Any) -> tuple[tuple[str, ...], list[MatchGame], int]:
    """The entrants, the games, and how many of these are a round."""
    if isinstance(played, MatchResult):
        return played.entrants, list(played.games), played.round_size
    games = list(played)
    if all(isinstance(one, GameRecord) for one in games):
        seats = {name: at for at, name in enumerate(names)}
        return names, [MatchGame(at, seats, one) for at, one in enumerate(games)], 1
    count = 1 + max(entrant for game in games for entrant in game.seats.values())
    entrants = tuple(f"entrant {at + 1}" for at in range(count))
    return entrants, games, len(names) * comb(count, len(names))


def _known(key: Any, given: Any) -> Known:
    """What was said to be known of an entrant, as strategies on a tree."""
    found = given.known if isinstance(given, Entrant) else known_strategy(given)
    if found is None and (given is None or isinstance(given, str | type | Player | Entrant)):
        raise ParameterError(
            f"known= of {key!r:.40}: the probabilities of {given!r:.40} are not known; give a"
            " strategy, or leave it out"
        )
    return (lambda *_: given) if found is None else found


def _number(menu: Sequence[Hashable], numbers: Mapping[Hashable, int], move: Any) -> int | None:
    """Which move it is, itself or as it reads; at its place, where others read alike."""
    try:
        if isinstance(move, PlacedMove):
            move = move.among(menu)
        return numbers[move]
    except (LookupError, TypeError):
        return numbers.get(text(move))


def _moves(game: MatchGame) -> str:
    return ", ".join(text(move) for _, move in game.record.moves) or "the start"
