"""Players' cash and a pot between them: the money object of Gala (Koller & Pfeffer 1997).

A payment moves money from a player's cash to the pot; a player who paid less than another owes the
difference; at the end the winners share the pot equally. The sum of cash and pot never changes, and
the net results of a game add up to 0. All amounts are exact: an int if whole, else a Fraction; a
float denotes its decimal (0.1 is 1/10). There are no side pots: the winners get the whole pot,
whatever each of them paid.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Generic, TypeVar

from infoset.errors import RulesError
from infoset.objects.numbers import exact

__all__ = ["Money"]

Amount = TypeVar("Amount", int, Fraction, int | Fraction)


class Money(Generic[Amount]):
    """What each player has and has paid, and the pot.

    Parameters
    ----------
    players
        Their names.
    cash
        What every player starts with; with None they may pay without limit, and :attr:`cash` is
        not available.
    ante
        What every player pays at once.

    Raises
    ------
    RulesError
        If the ante is negative or more than the cash, or a name occurs twice.

    Examples
    --------
    >>> money = Money(("gambler", "dealer"), cash=2, ante=1)
    >>> money.pay("gambler", 1)
    >>> money.pot, money.cash["gambler"], money.owes("dealer")
    (3, 0, 1)
    >>> print(money)
    pot 3, gambler paid 2 has 0, dealer paid 1 has 1
    >>> money.win("dealer")
    {'gambler': -2, 'dealer': 2}
    """

    __slots__ = ("_cash", "paid", "pot")

    paid: dict[str, Amount]
    pot: Amount
    _cash: dict[str, Amount] | None

    def __init__(self, players: Iterable[str], cash: Amount | None, ante: Amount | int = 0) -> None:
        stake: Any = _plain(ante)
        if stake < 0:
            raise RulesError(f"ante={ante} takes from the pot; an ante is 0 or more")
        names = tuple(players)
        self.paid = paid = dict.fromkeys(names, stake)
        if not 0 < len(paid) == len(names):
            raise RulesError(f"players={names} of Money are not one or more different names")
        self.pot = _plain(stake * len(paid))
        self._cash = None
        if cash is not None:
            left = _plain(_plain(cash) - stake)
            if left < 0:
                raise RulesError(f"cash={cash} does not cover ante={ante}; give more cash")
            self._cash = dict.fromkeys(paid, left)

    @property
    def cash(self) -> dict[str, Amount]:
        """What each player still has to pay with."""
        if self._cash is None:
            raise RulesError("cash=None is without limit and has no amount to look at; give a sum")
        return self._cash

    def pay(self, player: str, amount: Amount) -> None:
        """Move an amount from the player's cash to the pot.

        Parameters
        ----------
        player
            Who pays.
        amount
            How much, 0 or more.

        Raises
        ------
        RulesError
            If it is negative, or more than the player has.

        Examples
        --------
        >>> money = Money(("gambler", "dealer"), cash=2, ante=1)
        >>> money.pay("dealer", 3)
        Traceback (most recent call last):
            ...
        infoset.errors.RulesError: dealer cannot pay 3 with 1 left; offer at most money.cash[player]
        """
        if amount.__class__ is not int:
            amount = _plain(amount)
        if player not in self.paid:
            raise self._stranger(player)
        if amount < 0:
            raise RulesError(f"{player} cannot pay {amount}; an amount is 0 or more")
        if self._cash is not None:
            left = self._cash[player] - amount
            if left < 0:
                raise RulesError(
                    f"{player} cannot pay {amount} with {self._cash[player]} left; "
                    "offer at most money.cash[player]"
                )
            self._cash[player] = _plain(left)
        paid, pot = self.paid[player] + amount, self.pot + amount
        self.paid[player] = paid if paid.__class__ is int else _plain(paid)
        self.pot = pot if pot.__class__ is int else _plain(pot)

    def owes(self, player: str) -> Amount:
        """How much less the player has paid than the one who has paid most.

        Parameters
        ----------
        player
            Who owes.

        Returns
        -------
        int or Fraction
            The amount.

        Examples
        --------
        >>> Money(("gambler", "dealer"), cash=2).owes("dealer")
        0
        """
        if player not in self.paid:
            raise self._stranger(player)
        debt: Amount = _plain(max(self.paid.values()) - self.paid[player])
        return debt

    def win(self, *winners: str) -> dict[str, int | Fraction]:
        """Every player's net result if the winners share the pot: its share less what it paid.

        Parameters
        ----------
        winners
            One or more players.

        Returns
        -------
        dict
            The results, which add up to 0. The accounts do not change.

        Raises
        ------
        RulesError
            If no player wins, or a winner is named twice or does not play.

        Examples
        --------
        >>> money = Money(("north", "east", "south"), cash=None, ante=1)
        >>> money.win("north", "south")
        {'north': Fraction(1, 2), 'east': -1, 'south': Fraction(1, 2)}
        """
        if not 0 < len(set(winners)) == len(winners):
            raise RulesError(f"win{winners!r} does not name one or more different winners")
        net: dict[str, int | Fraction] = {player: -paid for player, paid in self.paid.items()}
        share = self.pot if len(winners) == 1 else _plain(Fraction(self.pot, len(winners)))
        for winner in winners:
            if winner not in net:
                raise self._stranger(winner)
            net[winner] = _plain(net[winner] + share)
        return net

    def _stranger(self, player: object) -> RulesError:
        return RulesError(f"{player!r} has no money; the players are {', '.join(self.paid)}")

    def __str__(self) -> str:
        accounts = [f"pot {self.pot}"]
        for player, paid in self.paid.items():
            has = "" if self._cash is None else f" has {self._cash[player]}"
            accounts.append(f"{player} paid {paid}{has}")
        return ", ".join(accounts)

    def __repr__(self) -> str:
        return f"<Money: {self}>"


def _plain(amount: Any) -> Any:
    """The same amount as an int if it is whole, and as a Fraction if not."""
    if amount.__class__ is int:
        return amount
    fraction = amount if isinstance(amount, Fraction) else exact(amount)
    return fraction.numerator if fraction.denominator == 1 else fraction
