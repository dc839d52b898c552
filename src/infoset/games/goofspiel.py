"""Goofspiel, the game of pure strategy: bid your cards for prizes, all at once."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import permutations

from infoset.rules import CHANCE, OVER, PLAYERS, Beginning, Play, Stages, game
from infoset.rules.stages import State


def seats(players: int) -> tuple[str, ...]:
    """The players have numbers."""
    return tuple(f"player {number + 1}" for number in range(players))


def bounds(cards: int, points: bool) -> tuple[int, int]:
    """The game, or all prizes, lost and won."""
    most = cards * (cards + 1) // 2 if points else 1
    return -most, most


# The same over whole numbers. Hands and prizes are sets of bits, 2^(c-1) for card c. In a state:
OURS, THEIRS, PRIZES, PRIZE, LEAD, ORDER, POINTS, EARLY = range(8)
DESCENDING, ASCENDING, RANDOM = range(3)


def beginning(
    cards: int,
    players: int,
    order: str,
    prizes_up: bool,
    points: bool,
    reveal: str,
    early_end: bool,
) -> Beginning | None:
    """Two who see all bids; an order that is drawn at once cannot be stated over integers."""
    if players != 2 or reveal != "bids" or cards > 24 or (order == "random" and prizes_up):
        return None
    whole = 2**cards - 1
    first = {"descending": cards, "ascending": 1, "random": 0}[order]
    way = ("descending", "ascending", "random").index(order)
    state = (whole, whole, whole, first, 0, way, int(points), int(early_end))
    low, high = bounds(cards, points)
    return Beginning(state, widest=cards, longest=2 * cards, low=low, high=high)


def turn(state: State) -> int:
    """Over with the last prize, or once the lead is out of reach; chance turns a prize."""
    if state[PRIZES] == 0:
        return OVER
    if state[EARLY]:
        left, card = 0, 1
        prizes = state[PRIZES]
        while prizes:
            left += card * (prizes & 1)
            prizes >>= 1
            card += 1
        if abs(state[LEAD]) > left:
            return OVER
    return CHANCE if state[PRIZE] == 0 else PLAYERS


def options(state: State, who: int, menu: State) -> int:
    """The cards in a hand; for chance, the prizes."""
    held = state[PRIZES] if who == 2 else state[who]
    count, card = 0, 1
    while held:
        if held & 1:
            menu[count] = card
            count += 1
        held >>= 1
        card += 1
    return count


def after(state: State, first: int, second: int, then: State) -> None:
    """A prize turned, or two cards bid for it; the last cards are bid for the last prize."""
    for at in range(8):
        then[at] = state[at]
    if state[PRIZE] == 0:
        then[PRIZE] = first
        return
    prize = state[PRIZE]
    then[OURS] = state[OURS] & ~(1 << (first - 1))
    then[THEIRS] = state[THEIRS] & ~(1 << (second - 1))
    then[PRIZES] = state[PRIZES] & ~(1 << (prize - 1))
    then[LEAD] = state[LEAD] + prize * ((first > second) - (first < second))
    prizes = then[PRIZES]
    if prizes & (prizes - 1) == 0:  # the last one
        card = 1
        while prizes > 1:
            prizes >>= 1
            card += 1
        then[LEAD] += card * ((then[OURS] > then[THEIRS]) - (then[OURS] < then[THEIRS]))
        then[OURS] = then[THEIRS] = then[PRIZES] = 0
    then[PRIZE] = 0
    if state[ORDER] != RANDOM and then[PRIZES] != 0:
        prizes, card = then[PRIZES], 1
        if state[ORDER] == ASCENDING:
            prizes &= -prizes
        while prizes > 1:
            prizes >>= 1
            card += 1
        then[PRIZE] = card


def payoff(state: State) -> int:
    """The lead, or 1 for having one."""
    lead: int = state[LEAD]
    return lead if state[POINTS] else (lead > 0) - (lead < 0)


def weight(state: State, outcome: int) -> int:
    """All prizes are as likely."""
    return 1


def within(state: State, pair: State) -> None:
    """The lead, with all prizes that are left lost or won."""
    left, card, prizes = 0, 1, state[PRIZES]
    while prizes:
        left += card * (prizes & 1)
        prizes >>= 1
        card += 1
    low, high = state[LEAD] - left, state[LEAD] + left
    if state[POINTS]:
        pair[0], pair[1] = low, high
    else:
        pair[0], pair[1] = (low > 0) - (low < 0), (high > 0) - (high < 0)


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
    bounds=bounds,
    stages=Stages(beginning, turn, options, after, payoff, weight, within),
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
