"""Bidding tic-tac-toe: bid chips for every mark, and pay what you bid to the other player.

There are no turns. Both bid at once, and who bids more makes the mark. The chips stay in the game:
a bid that wins goes to the other player. So each mark shifts the balance towards who did not make
it. In place of a coin, ties are decided by an *advantage* that changes hands when it is used.

All is seen but the bid that the other is about to make. Even so no player needs to mix: Develin &
Payne prove that with this way of breaking ties every position has optimal bids that are pure. With
very many chips the share that a player needs to win is Richman's: half of the sum of what it would
need after the best mark of its own and after the best of the other.

*The picture* of a seat is the board, and beside it what both have.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from infoset.objects import BoardPicture, Mark, lines_through
from infoset.rules import Play, game


class Table(NamedTuple):
    """The board, and what is beside it; [0] is of cross, [1] of nought."""

    marks: tuple[frozenset[str], frozenset[str]]
    chips: tuple[int, int]
    holder: int  # of the advantage


def before(chips: tuple[int, int]) -> Table:
    """An empty board; cross has the advantage."""
    return Table((frozenset(), frozenset()), chips, 0)


def picture(
    view: Any, player: str, width: int, height: int, chips: tuple[int, int]
) -> list[object]:
    """The board, and the chips of both."""
    purse, holder, marks = list(chips), 0, dict[str, Mark]()
    me = int(player == "nought")
    bids: dict[int, int] = {}
    mover: int | None = None
    for word, what in view:
        if word == "offered":
            continue
        by = me if word == "took" else 1 - me
        said = what if word == "took" else what[-1] if isinstance(what, tuple) else what
        if len(bids) < 2:
            bids[by] = said
            if len(bids) == 2 and bids[0] != bids[1]:
                mover = int(bids[1] > bids[0])
        elif mover is None:
            mover = holder if said in ("use", "used") else 1 - holder
            holder = 1 - holder if mover == holder else holder
        else:
            price = max(bids.values())
            purse[mover] -= price
            purse[1 - mover] += price
            marks[str(said)] = Mark("XO"[mover], ("cross", "nought")[mover])
            bids, mover = {}, None
    has = (" and the advantage", "")
    beside = [
        f"{name}: {count} chip{'s' * (count != 1)}{has[number != holder]}"
        for number, (name, count) in enumerate(zip(("cross", "nought"), purse, strict=True))
    ]
    if me in bids and len(bids) == 1:
        beside.append(f"you bid {bids[me]}")
    return [BoardPicture(width, height, marks), *beside]


@game(
    players=("cross", "nought"),
    requires=(
        "width >= 1",
        "height >= 1",
        "1 <= line <= max(width, height)",
        "len(chips) == 2",
        "min(chips) >= 0",
    ),
    source="M. Develin & S. Payne, Discrete bidding games, 2010",
    bounds=(-1, 1),
    state=before,
    picture=picture,
)
def bidding_tic_tac_toe(
    g: Play,
    table: Table,
    width: int = 3,
    height: int = 1,
    line: int = 2,
    chips: tuple[int, int] = (1, 1),
) -> object:
    """Tic-tac-toe in which both bid chips for each mark; the winner pays the bid to the other.

    ``chips`` are what the players begin with. Before every mark both bid some of their chips at the
    same time, and then see both bids. If they are equal, the player with the advantage, at first
    cross, chooses to *use* it, so that it wins the bid and gives the advantage to the other, or to
    *keep* it, and the other wins the bid. Who wins the bid pays it to the other and marks a free
    square. A straight line of own marks wins; once the board is full it is a draw.

    A strip of three squares, where two in a row win, is a small contest; 3 by 3 with a line of 3 is
    the usual board.
    """
    (own, other), (held, owed), holder = table
    bids = g.together(
        {player: range(most + 1) for player, most in zip(g.players, table.chips, strict=True)}
    )
    for player, bid in bids.items():
        g.reveal(g.other(player), (player, "bids", bid))
    bid, against = bids.values()
    mover = 0 if bid > against else 1
    if bid == against:
        user = g.players[holder]
        used = g.choose(user, ("use", "keep")) == "use"
        g.reveal(g.other(user), (user, "used" if used else "kept"))
        mover = holder if used else 1 - holder
        holder = 1 - holder if used else holder
    price = max(bid, against)
    purse = (held - price, owed + price) if mover == 0 else (held + price, owed - price)

    lines, player = lines_through(width, height, line), g.players[mover]
    square = g.choose(player, [one for one in lines if one not in own and one not in other])
    g.reveal(g.other(player), square)
    mine = table.marks[mover] | {square}
    if any(mine >= squares for squares in lines[square]):
        return g.win(player)
    if len(own) + len(other) + 1 == len(lines):
        return g.end((0, 0))
    return Table((mine, other) if mover == 0 else (own, mine), purse, holder)
