"""The library: games that come with the package, one short file each."""

from __future__ import annotations

from infoset.errors import UnknownGame, nearest
from infoset.games.kuhn import kuhn
from infoset.games.leduc import leduc
from infoset.games.liars_dice import liars_dice
from infoset.rules import Family

LIBRARY: dict[str, Family] = {family.name: family for family in (kuhn, leduc, liars_dice)}


def family(name: str) -> Family:
    """The family of games with this name.

    >>> family("kuhn")(ranks=4)
    kuhn(ranks=4)
    """
    try:
        return LIBRARY[name]
    except KeyError:
        raise UnknownGame(f"no game {name!r} in the library; {nearest(name, LIBRARY)}") from None


__all__ = ["LIBRARY", "family", "kuhn", "leduc", "liars_dice"]
