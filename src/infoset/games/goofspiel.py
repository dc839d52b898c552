"""Goofspiel, the game of pure strategy: bid your cards for prizes, all at once."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import permutations

from infoset.rules import Play, game


def seats(players: int) -> tuple[str, ...]:
    """The players have numbers."""
    return tuple(f"player {number + 1}" for number in range(players))


@game(
    players=seats,
    requires=(
        "cards >= 2",
        "players >= 2",
        "order in ('descending', 'ascending', 'random')",
        "reveal in ('bids', 'winner')",
        "not (points and early_end)",
    ),
    source="S. M. Ross, Goofspiel: the game of pure strategy, 1971; A. Saffidine, H. Finnsson &"
    " M. Buro, Alpha-beta pruning for games with simultaneous moves, 2012, section 5.1",
)
def goofspiel(
    g: Play,
    cards: int = 3,
    players: int = 2,
    order: str = "descending",
    prizes_up: bool = True,
    points: bool = False,
    reveal: str = "bids",
    early_end: bool = False,
) -> object:
    """Everyone holds cards 1 to n and bids one of them, all at once, for each of the prizes 1 to n.

    The highest bid wins the prize; if several bid it, the prize is discarded. The prizes come in a
    fixed order, or in a random one: face up from the start (``prizes_up``) or turned one at a time.
    After each round the bids are shown to all (``reveal="bids"``), or only who won (``"winner"``).
    Most points win 1 from the others; with ``points`` a player gets its points less the average of
    the others'. Nobody is asked for a last card, and no last prize is drawn: both are forced. With
    ``early_end`` the game is over once nobody can catch up with the leader.

    Two players and a fixed order give (n!)² plays. The solver of Saffidine, Finnsson & Buro expands
    109, 1,926, 58,173 and 2,578,710 positions for 4 to 7 cards: those in which the two bid for
    descending prizes with ``early_end``.
    """
    hands = {player: list(range(1, cards + 1)) for player in g.players}
    score = dict.fromkeys(g.players, 0)
    prizes = list(range(1, cards + 1))
    if order == "descending":
        prizes.reverse()
    elif order == "random" and prizes_up:
        prizes = list(g.chance(orders(cards)))
        g.reveal(g.players, ("prizes", *prizes))

    while prizes and not (early_end and lead(score) > sum(prizes)):
        prize = prizes[0]
        if order == "random" and not prizes_up and len(prizes) > 1:
            prize = g.chance(tuple(prizes))
            g.reveal(g.players, ("prize", prize))
        prizes.remove(prize)
        if prizes:
            bids = g.together({player: tuple(hand) for player, hand in hands.items()})
        else:
            bids = {player: hand[0] for player, hand in hands.items()}
        best = [player for player, bid in bids.items() if bid == max(bids.values())]
        winner = best[0] if len(best) == 1 else "nobody"
        if winner in score:
            score[winner] += prize
        for player, bid in bids.items():
            hands[player].remove(bid)
            if reveal == "bids":
                g.reveal(g.others(player), (player, "bids", bid))
        if reveal == "winner":
            g.reveal(g.players, (winner, "wins", prize))

    return margins(*score.values()) if points else spoils(*score.values())


@lru_cache(maxsize=16)
def orders(cards: int) -> tuple[tuple[int, ...], ...]:
    """All orders in which the prizes may lie."""
    if cards > 10:
        raise ValueError(f"{cards} prizes lie in too many orders; turn them one at a time")
    return tuple(permutations(range(1, cards + 1)))


def lead(score: dict[str, int]) -> int:
    """By how many points the leader leads."""
    *_, second, first = sorted(score.values())
    return first - second


@lru_cache(maxsize=4096)
def margins(*score: int) -> tuple[Fraction, ...]:
    """Each player's points less the average of the others'."""
    return tuple(own - Fraction(sum(score) - own, len(score) - 1) for own in score)


@lru_cache(maxsize=4096)
def spoils(*score: int) -> tuple[Fraction, ...]:
    """Those with most points share 1, paid by the others in equal parts; if all have them, 0."""
    winners = score.count(max(score))
    if winners == len(score):
        return (Fraction(0),) * winners
    won, lost = Fraction(1, winners), Fraction(-1, len(score) - winners)
    return tuple(won if own == max(score) else lost for own in score)
