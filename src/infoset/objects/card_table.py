"""What lies on a card table as one of four players sees it, for a picture.

The facts are those of games of tricks with partners: a hand, calls as (seat, "1NT"), cards as
(seat, card), the dummy's as ("dummy", hand), all of them as ("hands", hands), and a card that was
turned up. The dummy sits on the left of who leads first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from infoset.objects.cards import Card, Hand
from infoset.objects.tricks import TABLE, without

__all__ = ["table_seen"]


def table_seen(view: Iterable[tuple[str, Any]], seat: str) -> list[Hashable]:
    """The calls, or the trick on the table, and all hands that a seat sees.

    Parameters
    ----------
    view
        What it was told, offered, and took.
    seat
        Which seat.

    Returns
    -------
    list
        Calls and cards with the names of seats; of a trick that is complete until the next begins.

    Examples
    --------
    >>> from infoset.objects import Deck
    >>> deck = Deck(4, 2)
    >>> view = (("saw", Hand([deck["J♠"], deck["Q♠"]])), ("saw", ("east", deck["K♠"])))
    >>> for value in table_seen(view, "south"):
    ...     print(value[0], *map(str, value[1:]))
    on the table east K♠
    your hand Q♠ J♠
    """
    hands: dict[str, Hand[Card]] = {}
    said: list[str] = []
    turned: list[Hashable] = []
    played: list[tuple[str, Card]] = []
    for word, what in view:
        if word == "offered":
            continue
        if isinstance(what, Hand):
            hands[seat] = what
        elif word == "took" and isinstance(what, Card):
            of_dummy = what not in hands.get(seat, ())
            played.append((_dummy(played) if of_dummy else seat, what))
        elif word == "took":
            said.append(f"{seat} {what}")
        elif what[0] == "dummy":
            hands[_dummy(played)] = what[1]
        elif what[0] == "hands":
            hands = dict(zip(TABLE, what[1], strict=True))
        elif what[0] == "turned up":
            turned.append(what)
        elif isinstance(what[1], Card):
            played.append(what)
        else:
            said.append(" ".join(what))
        for owner, card in played[-1:]:
            if card in hands.get(owner, ()):
                hands[owner] = without(hands[owner], card)
    begun = (len(played) - 1) // 4 * 4
    trick = [one for pair in played[begun:] for one in pair] if played else []
    shown = [*turned, ("calls", *said)] if said and not played else turned
    shown = [*shown, ("on the table", *trick)] if trick else shown
    others = [one for one in TABLE if one in hands and one != seat]
    names = {one: "dummy" if played and one == _dummy(played) else one for one in others}
    shown += [(names[one], *sorted(hands[one], key=_by_suit)) for one in others]
    return [*shown, ("your hand", *sorted(hands.get(seat, ()), key=_by_suit))]


def _by_suit(card: Card) -> tuple[int, int]:
    """Suits together, and the highest card of each first."""
    return card.suit, -card.rank


def _dummy(played: list[tuple[str, Card]]) -> str:
    """The seat on the left of the opening leader."""
    return TABLE[(TABLE.index(played[0][0]) + 1) % 4]
