"""Beer and quiche: a signal that costs little to the one who need not fear to be known."""

from __future__ import annotations

from fractions import Fraction

from infoset.objects import exact
from infoset.rules import Play, game

LIKES = {"strong": "beer", "weak": "quiche"}


@game(
    players=("sender", "receiver"),
    requires="0 < strong < 1",
    source="I.-K. Cho & D. Kreps, Signaling games and stable equilibria, 1987, section II",
    bounds=(0, 3),
)
def beer_quiche(g: Play, strong: Fraction = Fraction(9, 10)) -> object:
    """A guest, strong or weak, has beer or quiche for breakfast; a bully sees it and duels or not.

    The sender gets 1 for the breakfast that it likes (the strong like beer, the weak quiche) and 2
    if there is no duel; the receiver gets 1 for a duel with the weak or for none with the strong.
    If strength is likelier than not, both types pool: on beer, or on quiche, which the intuitive
    criterion rejects.
    """
    likely = exact(strong)
    kind = g.chance(("strong", "weak"), (likely, 1 - likely))
    g.reveal("sender", kind)
    breakfast = g.choose("sender", ("beer", "quiche"))
    g.reveal("receiver", breakfast)
    duel = g.choose("receiver", ("duel", "retreat")) == "duel"
    if breakfast == LIKES[kind]:
        g.pay("sender", 1)
    g.pay("sender", 0 if duel else 2)
    g.pay("receiver", 1 if duel == (kind == "weak") else 0)
    return None
