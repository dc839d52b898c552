"""Entry, and the chain store that is entered upon in one town after the other.

In each market the entrant stays out or comes in, and then the incumbent accommodates or fights:

    out                   entrant 1, incumbent 5
    in, accommodate       entrant 2, incumbent 2
    in, fight             entrant 0, incumbent 0

Once an entrant is in, to fight costs the incumbent 2. In the last market it will not; so it will
not in the one before, where nothing is to be gained by a reputation; and so on. That it seems wise
to fight in the first of twenty markets all the same is Selten's chain-store paradox.
"""

from __future__ import annotations

from infoset.rules import Play, game


def seats(markets: int) -> tuple[str, ...]:
    """An entrant for each market, and the incumbent of all."""
    entrants = [f"entrant {town + 1}" for town in range(markets)] if markets > 1 else ["entrant"]
    return (*entrants, "incumbent")


def bounds(markets: int) -> tuple[int, int]:
    """Nothing, and what the incumbent gets where nobody comes in."""
    return 0, 5 * markets


@game(
    players=seats,
    requires="markets >= 1",
    source="R. Selten, The chain store paradox, 1978",
    bounds=bounds,
)
def entry_game(g: Play, markets: int = 1) -> object:
    """An entrant comes in or stays out, and the incumbent, if entered upon, fights or accommodates.

    With more ``markets`` they are entered in turn, each by another entrant, and everybody sees what
    happened before: 2 · 3^markets − 1 nodes. In the subgame-perfect equilibrium all come in and are
    accommodated; in others the incumbent threatens to fight, and some stay out.
    """
    for entrant in g.players[:-1]:
        move = g.choose(entrant, ("in", "out"))
        g.reveal(g.others(entrant), move)
        if move == "out":
            g.pay(entrant, 1)
            g.pay("incumbent", 5)
            continue
        answer = g.choose("incumbent", ("accommodate", "fight"))
        g.reveal(g.players[:-1], answer)
        for player in (entrant, "incumbent"):
            g.pay(player, 2 if answer == "accommodate" else 0)
    return None
