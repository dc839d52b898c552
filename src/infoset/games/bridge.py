"""Bridge: deal, auction, play with an open dummy, duplicate score.

The players are the two sides, each a team of two agents who may not speak. The laws of the auction
and the score are in :mod:`infoset.objects.bridge`, tricks in :mod:`infoset.objects.tricks`, and
deals in the notation of PBN in :mod:`infoset.objects.pbn`.

**Parts of the game.** With ``contract`` there is no auction, with ``deal`` some hands or all are
fixed, and small decks have small trees. So there are endings for any study of the play:

>>> ending = bridge(ranks=4, suits=2, contract="1NT", deal="N:AJ. - K.A -", pays="tricks")
>>> ending.tree()
<Tree of bridge(...): ... nodes, ... information sets, 2 players>

**What is known.** Each agent sees its hand, all calls and all cards played, and after the opening
lead the dummy. The dummy's cards are the declarer's choice. A card that is the only one allowed is
played without asking, so that nobody chooses in the last trick.

**Sampling.** :func:`history` draws deals by their exact probabilities, if the others call and play
at random (:mod:`infoset.objects.deals`).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from infoset.errors import InfosetError
from infoset.objects import Card, Hand
from infoset.objects.bridge import (
    Contract,
    auction_over,
    book_of,
    duplicate_score,
    final_contract,
    legal_calls,
    parse_contract,
    strains_of,
)
from infoset.objects.bridge_records import Known, Record, agreed, read_view, turns_of
from infoset.objects.card_table import table_seen
from infoset.objects.deals import deck_of, fixed_hands, free_cards, rooms_left, whole_hands
from infoset.objects.tricks import (
    PARTNERSHIPS,
    TABLE,
    Turns,
    cards_played,
    comparable,
    followers,
    next_owner,
    partnership,
    trick_taker,
    without,
)
from infoset.rules import Play, ReplayPosition, game

VULNERABLE = {"none": (), "both": tuple(PARTNERSHIPS)} | {side: (side,) for side in PARTNERSHIPS}

Hands = tuple[Hand[Card], ...]


class Dealing(NamedTuple):
    """Cards are dealt: the owners of the first of those whose owner is not fixed."""

    owners: tuple[str, ...] = ()


class Auction(NamedTuple):
    """The auction: the hands, and all calls, the dealer's first."""

    hands: Hands
    calls: tuple[str, ...]


class Board(NamedTuple):
    """The play of the cards."""

    contract: Contract
    hands: Hands
    turn: int  # whose turn it is, by its place at the table
    cards: tuple[Card, ...]  # of the trick in progress, the one led first
    taken: int  # tricks of the declarer's side


def history(
    view: Hashable,
    player: str,
    random: Random,
    ranks: int,
    suits: int,
    dealer: str,
    vulnerable: str,
    contract: str,
    declarer: str,
    deal: str,
    pays: str,
    open_defence: bool,
) -> tuple[Hashable, ...] | None:
    """Moves that agree with a view, drawn as if the others moved at random; None if none."""
    known = known_by(
        view, player, ranks=ranks, suits=suits, dealer=dealer, vulnerable=vulnerable,
        contract=contract, declarer=declarer, deal=deal, pays=pays, open_defence=open_defence,
    )  # fmt: skip
    return None if known is None else known.draw(random)


def picture(view: Any, player: str) -> list[Hashable]:
    """The cards that a seat sees."""
    return table_seen(view, player)


def bounds(ranks: int, suits: int, pays: str, contract: str) -> tuple[int, int]:
    """All tricks; a contract made or not; the best score of any contract, or the worst."""
    tricks = ranks * suits // 4
    if pays == "tricks":
        return -tricks, tricks
    if pays == "contract":
        return -1, 1
    book, levels = book_of(tricks), tricks - book_of(tricks)
    strains = strains_of(suits)
    played = [
        Contract(level, strain, "south", 4) for level in range(1, levels + 1) for strain in strains
    ]
    if contract:
        played = [parse_contract(contract, "south", levels, strains)]
    scores = [duplicate_score(one, taken, True, book) for one in played for taken in (0, tricks)]
    most = max(map(abs, scores))
    return -most, most


@game(
    players=PARTNERSHIPS,
    requires=(
        "1 <= ranks <= 13",
        "1 <= suits <= 4",
        "ranks * suits % 4 == 0",
        "ranks * suits >= 8",
        "dealer in ('north', 'east', 'south', 'west')",
        "declarer in ('north', 'east', 'south', 'west')",
        "vulnerable in ('none', 'both', 'north-south', 'east-west')",
        "pays in ('score', 'tricks', 'contract')",
    ),
    source="World Bridge Federation, Laws of Duplicate Bridge, 2017; D. Nau, Game playing with"
    " imperfect information, slides 14 to 17",
    bounds=bounds,
    sampler=history,
    picture=picture,
    state=Dealing(),
)
def bridge(
    g: Play,
    state: Dealing | Auction | Board,
    ranks: int = 13,
    suits: int = 4,
    dealer: str = "north",
    vulnerable: str = "none",
    contract: str = "",
    declarer: str = "south",
    deal: str = "",
    pays: str = "score",
    open_defence: bool = False,
) -> object:
    """Contract bridge: two pairs bid for a contract, and play it with the dummy's cards open.

    A ``contract``, such as ``3NT`` or ``4SX``, is played by the ``declarer`` without an auction. A
    ``deal`` is written as in PBN, ``N:AKQ.J.. - - -``, the hands clockwise from the seat named, and
    a hand that is ``-`` is dealt at random. A side gets the duplicate score of the board and the
    other the opposite; or ``pays`` says ``tricks``, the difference of those taken, or ``contract``,
    1 for making it and −1 for not. With ``open_defence`` the defenders see all hands: the best
    defence model of I. Frank & D. Basin, 1998.
    """
    deck, tricks = deck_of(ranks, suits), ranks * suits // 4
    levels = tricks - book_of(tricks)
    if isinstance(state, Dealing):
        named = None  # the contract that is given
        if contract:
            named = parse_contract(contract, declarer, levels, strains_of(suits))
        fixed = fixed_hands(deal, ranks, suits)
        free = free_cards(deck, fixed)
        if len(state.owners) < len(free):
            return Dealing((*state.owners, next_owner(g, rooms_left(fixed, state.owners, tricks))))
        hands = whole_hands(fixed, free, state.owners)
        for seat, hand in zip(TABLE, hands, strict=True):
            g.reveal(seat, hand)
        return first_lead(g, named, hands, open_defence) if named else Auction(hands, ())
    if isinstance(state, Auction):
        hands, calls = state
        seat = TABLE[(TABLE.index(dealer) + len(calls)) % 4]
        call = g.choose(seat, legal_calls(calls, levels, strains_of(suits)))
        g.reveal(g.others(seat), (seat, call))
        calls = (*calls, call)
        if not auction_over(calls):
            return Auction(hands, calls)
        bid = final_contract(calls, dealer)
        return g.end((0, 0)) if bid is None else first_lead(g, bid, hands, open_defence)
    after = card_played(g, state, tricks)
    return after if any(after.hands) else result(g, after, vulnerable, tricks, pays)


def first_lead(g: Play, contract: Contract, hands: Hands, open_defence: bool) -> Board:
    """The play begins on the declarer's left."""
    if open_defence:
        defenders = [TABLE[seat] for seat in range(4) if not declares(contract, seat)]
        g.reveal(defenders, ("hands", hands))
    return Board(contract, hands, TABLE.index(contract.leader), (), 0)


def card_played(g: Play, board: Board, tricks: int) -> Board:
    """One card, and after the opening lead the dummy."""
    contract, hands, turn, cards, taken = board
    seat, dummy = TABLE[turn], contract.dummy
    chooser = contract.declarer if seat == dummy else seat
    allowed = followers(hands[turn], cards)
    if len(allowed) > 1:
        card = g.choose(chooser, allowed)
        g.reveal(g.others(chooser), (seat, card))
    else:
        card = allowed[0]
        g.reveal(g.agents, (seat, card))
    if not cards and len(hands[turn]) == tricks:  # the opening lead
        g.reveal(g.others(dummy), ("dummy", hands[TABLE.index(dummy)]))
    hands, cards = (*hands[:turn], without(hands[turn], card), *hands[turn + 1 :]), (*cards, card)
    turn = (turn + 1) % 4
    if len(cards) < 4:
        return Board(contract, hands, turn, cards, taken)
    turn = (turn + trick_taker(cards, contract.trump)) % 4
    return Board(contract, hands, turn, (), taken + declares(contract, turn))


def result(g: Play, board: Board, vulnerable: str, tricks: int, pays: str) -> object:
    """The end of the play."""
    side = partnership(TABLE.index(board.contract.declarer))
    book = book_of(tricks)
    if pays == "tricks":
        return g.win(side, 2 * board.taken - tricks)
    if pays == "contract":
        return g.win(side, 1 if board.taken >= book + board.contract.level else -1)
    at_risk = side in VULNERABLE[vulnerable]
    return g.win(side, duplicate_score(board.contract, board.taken, at_risk, book))


def declares(contract: Contract, seat: int) -> bool:
    """Is a seat, by its place at the table, on the declarer's side?"""
    return (seat - TABLE.index(contract.declarer)) % 2 == 0


# ---------------------------------------------------------------------- records and views


def record_of(position: ReplayPosition) -> Record:
    """What was dealt, called and played on the way to a position, from the end of the deal on.

    Examples
    --------
    >>> ending = bridge(ranks=4, suits=2, contract="1NT", deal="N:A.A J.J K.K Q.Q").position()
    >>> print(*record_of(ending.after(ending.options("west")[0])).cards)
    Q♠ A♠ J♠ K♠ A♥ J♥ K♥ Q♥
    """
    params = position.game.params  # type: ignore[attr-defined]
    ranks, suits = params["ranks"], params["suits"]
    fixed, tricks = fixed_hands(params["deal"], ranks, suits), ranks * suits // 4
    free, moves = free_cards(deck_of(ranks, suits), fixed), iter(position.moves)
    owners: list[str] = []
    for _ in free:
        rooms = zip(TABLE, rooms_left(fixed, owners, tricks), strict=True)
        able = [seat for seat, room in rooms if room]
        owners.append(able[0] if len(able) == 1 else next(moves))
    hands, calls = whole_hands(fixed, free, owners), list[str]()
    if not params["contract"]:
        while not auction_over(calls) and (call := next(moves, None)) is not None:
            calls.append(call)
    bid = agreed(calls, **params)
    cards = () if bid is None else tuple(cards_played(hands, turns_of(bid), moves))
    return Record(hands, tuple(calls), bid, cards)


def known_by(view: Hashable, player: str, *, at_random: bool = True, **params: Any) -> Known | None:
    """What a view tells; None if it is none of this game.

    Parameters
    ----------
    view, player
        As ``position.view(player)`` gives it; the player is an agent.
    at_random
        Whether deals are weighted as if the others played at random; else those that agree are
        equally probable.
    params
        Of the game, ``game.params``.
    """
    return _known_by(view, player, at_random, tuple(sorted(params.items())))


@lru_cache(maxsize=64)
def _known_by(
    view: Any, player: str, at_random: bool, given: tuple[tuple[str, Any], ...]
) -> Known | None:
    params = dict(given)
    try:
        known = read_view(view, player, at_random, params)
        made = ReplayPosition(bridge(**params), known.draw(Random(0)))
        return known if made.view(player) == view else None
    except (InfosetError, TypeError, ValueError, AttributeError, IndexError):
        return None


def table_as_seen(position: ReplayPosition, player: str) -> str:
    """The table as one agent sees it: the cards left in open hands, and in the middle the trick.

    Examples
    --------
    >>> ending = bridge(ranks=4, suits=2, contract="1NT", deal="N:A.A J.J K.K Q.Q").position()
    >>> print(table_as_seen(ending, "south"))
              ♠ A
              ♥ A
    ♠ Q                 ♠ J
    ♥ Q                 ♥ J
              ♠ K
              ♥ K
    """
    params = position.game.params  # type: ignore[attr-defined]
    known = known_by(position.view(player), player, **params)
    assert known is not None
    suits, size = deck_of(params["ranks"], params["suits"]).suits, 10
    turns = Turns(0, None) if known.contract is None else turns_of(known.contract)
    owner: dict[Card, int] = {}
    for card in known.cards:
        owner[card] = turns.turn
        turns.play(card)
    sides = []
    for seat, cards in enumerate(known.seen.known):
        left = sorted([card for card in cards if card not in owner], reverse=True)
        hidden = seat in known.seen.seats
        rows = [
            f"{one} {''.join(c.rank_name for c in left if c.suit_name == one)}" for one in suits
        ]
        number = known.seen.hidden.rooms[known.seen.seats.index(seat)] if hidden else 0
        sides.append([f"{number} hidden", *[""] * (len(suits) - 1)] if hidden else rows)
    north, east, south, west = sides
    trick = " ".join(f"{TABLE[owner[card]]} {card}" for card in turns.cards)
    middle = [f"{one:{2 * size}}{two}" for one, two in zip(west, east, strict=True)]
    lines = [*[" " * size + row for row in north], *middle, *[" " * size + row for row in south]]
    return "\n".join(line.rstrip() for line in [*lines, trick] if line.strip())


def alike(position: ReplayPosition) -> Hashable:
    """What matters of a position when all cards are open, for partition search.

    See :func:`~infoset.objects.tricks.comparable`. Before the play all counts.
    """
    board: Any = position.state
    if not isinstance(board, Board):
        return position.key
    hands = board.hands
    return comparable(hands, board.turn, board.cards, board.contract.trump), board.taken
