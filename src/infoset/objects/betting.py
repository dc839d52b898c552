"""Betting rounds of poker: players act in turn until every bet is met, or all but one have folded.

A round goes on until everyone who has not folded has acted and has paid as much as the others. What
a player may do is a *menu*: a mapping of actions to what they cost. An action ``"fold"`` gives up;
one that pays more than any player so far is a bet or a raise, after which all the others act
again. :func:`betting_round` plays a round with any such menu, for any number of players, and works
in plain and in vectorized rules.

:func:`limit_betting` is a round of fixed-limit betting, in which all bets and raises are of one
size and there are at most so many of them: Leduc hold'em, Rhode Island hold'em, limit Texas
hold'em.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from infoset.errors import RulesError
from infoset.objects.money import Amount, Money

__all__ = ["FOLD", "betting_round", "limit_betting"]

FOLD = "fold"


class BettingPlay(Protocol):
    """What a betting round asks of the play: :class:`infoset.Play` has it."""

    players: tuple[str, ...]

    def choose(self, player: str, options: Iterable[Any]) -> Any:
        """Let a player take one of the options."""

    def reveal(self, players: str | Iterable[str], fact: Hashable) -> None:
        """Tell players a fact."""

    def others(self, player: str) -> tuple[str, ...]:
        """Everyone else who acts."""


def betting_round(
    g: BettingPlay,
    money: Money[Amount],
    menu: Callable[[str, Amount, int], Mapping[str, Amount]],
    players: Iterable[str] | None = None,
) -> tuple[str, ...]:
    """Play a betting round, and return the players who have not folded.

    Each action is revealed to all others, and what it costs is paid into the pot.

    Parameters
    ----------
    g
        The play.
    money
        The accounts; see :class:`Money`.
    menu
        A function of the player, of what it owes, and of the number of bets and raises in this
        round so far. It returns the actions with what they cost, in the order in which they are
        offered. To offer a fold, use the action ``"fold"``.
    players
        Who takes part, in the order in which they act; all players if left out. In later rounds,
        those whom the round before returned.

    Returns
    -------
    tuple of str
        Those who have not folded, in the order of ``players``. If it is one, the pot is theirs.

    Raises
    ------
    RulesError
        If a player pays less than is owed without folding.

    Examples
    --------
    One bet of half the pot, which may be called or not:

    >>> from infoset import game
    >>> from infoset.objects import Deck, Money, betting_round
    >>> def half_pot(money):
    ...     def menu(player, owed, raises):
    ...         if owed:
    ...             return {"fold": 0, "call": owed}
    ...         return {"check": 0} if raises else {"check": 0, "bet": money.pot // 2}
    ...     return menu
    >>> @game(players=("one", "two"), vectorized=True)
    ... def half_street(g, ranks=3):
    ...     mine, yours = g.deal(Deck(ranks, 1), 1, 1)
    ...     g.reveal("one", mine)
    ...     g.reveal("two", yours)
    ...     money = Money(g.players, cash=None, ante=1)
    ...     staying = betting_round(g, money, half_pot(money))
    ...     if len(staying) == 1:
    ...         return money.win(*staying)
    ...     won = money.paid["one"] * g.map(lambda a, b: 1 if a > b else -1, mine, yours)
    ...     return won, -won
    >>> half_street().tree()
    <Tree of half_street(): 55 nodes, 12 information sets, 2 players>
    """
    staying = list(g.players if players is None else players)
    paid, raises = money.paid, 0
    highest = max(paid.values())
    turn, waiting = 0, len(staying)  # who is next, and how many must still act
    while waiting and len(staying) > 1:
        player = staying[turn]
        owed = highest - paid[player]
        offered = menu(player, owed, raises)
        action = g.choose(player, tuple(offered))
        g.reveal(g.others(player), action)
        waiting -= 1
        if action == FOLD:
            del staying[turn]
            turn %= len(staying)
            continue
        cost = offered[action]
        if cost:
            money.pay(player, cost)
        if cost > owed:
            raises += 1
            highest, waiting = paid[player], len(staying) - 1
        elif cost < owed:
            raise RulesError(
                f"{action!r} of {player!r} costs {cost} where {owed} is owed; only a"
                f" {FOLD!r} may pay less"
            )
        turn = (turn + 1) % len(staying)
    return tuple(staying)


def limit_betting(
    g: BettingPlay,
    money: Money[Amount],
    size: Amount,
    raises: int,
    *,
    check: str = "check",
    bet: str = "bet",
    players: Iterable[str] | None = None,
) -> tuple[str, ...]:
    """Play a round of fixed-limit betting, and return the players who have not folded.

    Who owes nothing may check or bet; who owes may fold, call, or raise. All bets and raises are of
    one size.

    Parameters
    ----------
    g
        The play.
    money
        The accounts; see :class:`Money`.
    size
        The size of a bet, and of a raise.
    raises
        The most bets and raises in this round, the first bet included.
    check, bet
        What these actions are called, where nothing is owed.
    players
        Who takes part, in the order in which they act; all players if left out.

    Returns
    -------
    tuple of str
        Those who have not folded. If it is one, the pot is theirs.

    Examples
    --------
    >>> from infoset import game
    >>> from infoset.objects import Deck, Money, limit_betting
    >>> @game(players=("one", "two"), vectorized=True)
    ... def limit_poker(g, ranks=3, raises=2):
    ...     mine, yours = g.deal(Deck(ranks, 1), 1, 1)
    ...     g.reveal("one", mine)
    ...     g.reveal("two", yours)
    ...     money = Money(g.players, cash=None, ante=1)
    ...     staying = limit_betting(g, money, size=2, raises=raises)
    ...     if len(staying) == 1:
    ...         return money.win(*staying)
    ...     won = money.paid["one"] * g.map(lambda a, b: 1 if a > b else -1, mine, yours)
    ...     return won, -won
    >>> limit_poker(raises=1).tree()
    <Tree of limit_poker(raises=1): 55 nodes, 12 information sets, 2 players>
    """

    def menu(player: str, owed: Amount, made: int) -> Mapping[str, Amount]:
        return _limit_menu(owed, size if made < raises else None, check, bet)

    return betting_round(g, money, menu, players)


@lru_cache(maxsize=1024)
def _limit_menu(owed: Any, size: Any, check: str, bet: str) -> Mapping[str, Any]:
    offered = {FOLD: 0, "call": owed} if owed else {check: 0}
    if size is not None:
        offered["raise" if owed else bet] = owed + size
    return offered
