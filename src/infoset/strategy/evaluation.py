"""How good strategies are: exploitability, regret and best responses, proved exactly.

A player's *regret* is what its best response to the others' strategies gains over its own strategy.
The *exploitability* of strategies is the sum of the players' regrets, also called NashConv
(Lanctot et al. 2017): 0 exactly in equilibrium. In a zero-sum game of two it is what the two best
responses win together. OpenSpiel's function of that name divides it by the number of players.

Strategies are given in any of the ways that :mod:`infoset.strategy.convert` lists: somebody's own
agent, a file, a solution. Where best responses are pure strategies, regrets are exact Fractions:
on a tree always, on a public form wherever it is small enough or ``exact`` asks for it.
"""

from __future__ import annotations

from typing import overload

from infoset.errors import StrategyError
from infoset.forms.public.plans import work
from infoset.forms.public.record import PublicForm
from infoset.linear.numbers import Number
from infoset.rules import Family, Game
from infoset.strategy.convert import Given, StrategyReader, as_profile
from infoset.strategy.infosets import Playable, as_tree_or_form
from infoset.strategy.profile import checked_strategy
from infoset.strategy.public import PROVABLE, PublicProfile, PublicResponse, PublicStrategy
from infoset.strategy.response import Response, tree_best_response
from infoset.tree import MatrixGame, Tree

__all__ = ["best_response", "exploitability", "regret"]


def exploitability(
    game: Playable, strategies: Given, *, missing: Given = "error", exact: bool | None = None
) -> Number:
    """What the players could gain, all together, each by a best response to the others.

    Parameters
    ----------
    game : Game, Family, MatrixGame, Tree or PublicForm
        The game. A game is turned into its tree; for one that is too large, give ``game.public()``.
    strategies : object
        A strategy for each player: Behaviours, a Solution, a mapping, the path of a CSV file, a
        function of (player, information_state, legal_actions), a policy of OpenSpiel; see
        :mod:`infoset.strategy.convert`.
    missing : {"error", "uniform"} or object
        What to do at information sets without probabilities: refuse, choose uniformly, or play
        other strategies.
    exact : bool, optional
        On a public form: prove the result in rational arithmetic (True), or compute it in floats
        (False). By default it is proved up to 200,000 entries of the form's matrices.

    Returns
    -------
    Fraction or float
        The sum of the players' regrets. A Fraction unless it was computed in floats.

    Raises
    ------
    StrategyError
        If these are not strategies of the game, with what is wrong and where.

    See Also
    --------
    regret : The same, by player.
    best_response : The strategy that gains it.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> def at_random(player, state, actions):
    ...     return [1 / len(actions)] * len(actions)
    >>> exploitability(kuhn(), at_random), exploitability(kuhn().public(), at_random)
    (Fraction(11, 12), Fraction(11, 12))
    """
    return sum(regret(game, strategies, missing=missing, exact=exact).values())


def regret(
    game: Playable, strategies: Given, *, missing: Given = "error", exact: bool | None = None
) -> dict[str, Number]:
    """What each player could gain by a best response to the others' strategies.

    Parameters
    ----------
    game, strategies, missing, exact
        As for :func:`exploitability`.

    Returns
    -------
    dict
        By player, a Fraction, or a float if it was computed in floats. At least 0, but for an
        absent-minded player: its behaviour strategies may do better than all pure ones, from which
        best responses are chosen. Where imperfect recall makes the best response too hard to
        prove, a proved upper bound.

    Raises
    ------
    StrategyError
        If these are not strategies of the game.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> regret(kuhn(), {}, missing="uniform")
    {'gambler': Fraction(3, 8), 'dealer': Fraction(13, 24)}
    """
    found = as_profile(game, strategies, missing=missing)
    if isinstance(found, PublicProfile) and not _proves(found.form, exact):
        found = found.inexact()
    return dict(found.regrets)


@overload
def best_response(
    game: PublicForm,
    strategies: Given,
    player: str | None = None,
    *,
    missing: Given = "error",
    exact: bool | None = None,
) -> PublicResponse: ...
@overload
def best_response(
    game: Game | Family | MatrixGame | Tree,
    strategies: Given,
    player: str | None = None,
    *,
    missing: Given = "error",
    exact: bool | None = None,
) -> Response: ...
def best_response(
    game: Playable,
    strategies: Given,
    player: str | None = None,
    *,
    missing: Given = "error",
    exact: bool | None = None,
) -> Response | PublicResponse:
    """The best that a player can do against the strategies of all others.

    Parameters
    ----------
    game : Game, Family, MatrixGame, Tree or PublicForm
        The game.
    strategies : object
        A strategy for each of the others, as for :func:`exploitability`. The player's own, if it is
        given, does not count.
    player : str, optional
        Who responds. It may be left out if all players but one have a strategy.
    missing, exact
        As for :func:`exploitability`.

    Returns
    -------
    Response or PublicResponse
        With its ``value`` and a pure ``strategy``.

    Raises
    ------
    StrategyError
        If these are not strategies of the game, or it is not clear who responds.

    Examples
    --------
    >>> from infoset.games import kuhn
    >>> always_call = {label: {"bet": 1} for label in ("J, bet", "Q, bet", "K, bet")}
    >>> found = best_response(kuhn(), {"dealer": always_call}, missing="uniform")
    >>> found
    <Best response of gambler: value 1/3>
    >>> found.strategy.behaviour()["J"]
    {'pass': Fraction(1, 1), 'bet': Fraction(0, 1)}
    """
    place = as_tree_or_form(game)
    reader = StrategyReader(place, missing)
    given = reader.by_player(strategies)
    number = place.player_number(_responder(reader, given) if player is None else player)
    name = place.names[number]
    others = [other for other in place.names if other != name]
    lacking = [other for other in others if other not in given]
    if lacking:
        raise StrategyError(
            f"{reader.name}: {lacking[0]} has no strategy that {name} could respond to"
        )
    known = {other: reader.strategy(other, given[other]) for other in others}
    if isinstance(place, PublicForm):
        known[name] = PublicStrategy.uniform(place, name)
        one, two = (known[other] for other in place.players)
        both = PublicProfile(place, (one, two))
        return (both if _proves(place, exact) else both.inexact()).best_response(name)
    reach = place.chance_reach.take(place.leaf_indices)
    for strategy in known.values():
        reach = reach.times(checked_strategy(strategy).at(place.leaf_indices))
    return tree_best_response(place, number, reach)


def _responder(reader: StrategyReader, given: dict[str, Given]) -> str:
    """The one player who has no strategy."""
    silent = [name for name in reader.players if name not in given]
    if len(silent) != 1:
        lacking = f"{' and '.join(silent)} have none" if silent else "everyone has one"
        remedy = "give more" if silent else "say which player responds: player=..."
        raise StrategyError(
            f"{reader.name}: a strategy for each player but the one who responds; {lacking}"
            f" ({remedy})"
        )
    return silent[0]


def _proves(form: PublicForm, exact: bool | None) -> bool:
    return work(form) <= PROVABLE if exact is None else exact
