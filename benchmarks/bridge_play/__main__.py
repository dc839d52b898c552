"""Bridge: the size of its game tree, a bidding system, and declarers of small decks.

    python benchmarks/bridge_play sizes               the estimates of Nau's slides, recomputed
    python benchmarks/bridge_play bids                contracts that the natural system reaches
    python benchmarks/bridge_play play RESULTS        PIMC and αμ against the exact optimum

``play`` draws the hands of the declarer's side at random. The opponents' cards are unknown to the
declarer, and known to the opponents, who do their worst: the best defence model of Frank & Basin
1998. For each board it computes exactly what a declarer by PIMC and by αμ is sure to get on average
over all deals, and what the best declarer gets: the value of the game, by linear programming. A
board is one line of the file RESULTS; run again, it goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from math import comb, factorial, log10, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

from infoset import solve
from infoset.games import bridge
from infoset.games.bridge import alike, known_by
from infoset.objects import Card, Hand
from infoset.objects.bridge import auction_over, final_contract
from infoset.objects.deals import deck_of
from infoset.objects.natural_bidding import natural, points
from infoset.objects.pbn import FULL, deal_text
from infoset.objects.tricks import SUITS, TABLE, Turns, followers
from infoset.rules import Game, Position, ReplayPosition
from infoset.search import AlphaMuSearch

# ---------------------------------------------------------------------- sizes


def sizes(deals: int, seed: int) -> None:
    """Worst case: everyone may play any card. Average case: by random plays of random deals."""
    hidden, known = factorial(25) * factorial(13) ** 2, factorial(13) ** 3 * factorial(12)
    print("After the opening lead, if suits need not be followed:")
    print(f"  plays, the defenders' cards unknown    13!² · 25!       {hidden:.2e}")
    print(f"  plays, all cards known                 13!³ · 12!       {known:.2e}")
    print(f"  deals that agree with the lead         C(25, 12)        {comb(25, 12):,}")
    print(f"  deals before it                        C(26, 13)        {comb(26, 13):,}")
    random = Random(seed)
    print(f"\nSuits followed, notrump, {deals:,} random deals, a random play of each (Knuth 1975):")
    for name, probe in (("all cards known", open_probe), ("defenders unknown", hidden_probe)):
        logs = [probe(random) for _ in range(deals)]
        low, high = interval(logs)
        mean = log10(fmean(10 ** (one - max(logs)) for one in logs)) + max(logs)
        share = max(10 ** (one - mean) for one in logs) / deals
        print(
            f"  {name:18} mean of the logarithm 10^{fmean(logs):.2f} (10^{low:.2f} to"
            f" 10^{high:.2f}), mean 10^{mean:.1f}, of which the largest play is {share:.0%}"
        )


def dealt(random: Random) -> list[list[Card]]:
    cards = random.sample(FULL, 52)
    return [cards[at : at + 13] for at in range(0, 52, 13)]


def open_probe(random: Random) -> float:
    """The logarithm of the product of the numbers of options after the opening lead."""
    hands, turns, total = dealt(random), Turns(3, None), 0.0
    for number in range(52):
        allowed = followers(hands[turns.turn], turns.cards)
        total += log10(len(allowed)) if number else 0.0
        card = random.choice(allowed)
        hands[turns.turn].remove(card)
        turns.play(card)
    return total


def hidden_probe(random: Random) -> float:
    """The same where a defender may play every card that some deal gives it."""
    hands, turns, total = dealt(random), Turns(3, None), 0.0
    own, unseen = {0: hands[0], 2: hands[2]}, [*hands[1], *hands[3]]
    rooms, voids = {1: 13, 3: 13}, {1: set[int](), 3: set[int]()}
    for number in range(52):
        seat, led = turns.turn, turns.cards[0].suit if turns.cards else None
        if seat in own:
            allowed = list(followers(own[seat], turns.cards))
        else:
            allowed = [card for card in unseen if possible(card, seat, led, unseen, rooms, voids)]
        total += log10(len(allowed)) if number else 0.0
        card = random.choice(allowed)
        own.get(seat, unseen).remove(card)
        if seat in rooms:
            rooms[seat] -= 1
            if led is not None and card.suit != led:
                voids[seat].add(led)
        turns.play(card)
    return total


def possible(
    card: Card,
    seat: int,
    led: int | None,
    unseen: list[Card],
    rooms: dict[int, int],
    voids: dict[int, set[int]],
) -> bool:
    """Is there a deal in which this defender plays this card?"""
    other = 4 - seat
    mine = voids[seat] | ({led} if led is not None and card.suit != led else set())
    if card.suit in mine - {led} or (card.suit in voids[seat]):
        return False
    rest = [one.suit for one in unseen if one is not card]
    if any(suit in mine and suit in voids[other] for suit in rest):
        return False
    must = sum(suit in voids[other] for suit in rest)
    others = sum(suit in mine for suit in rest)
    return must <= rooms[seat] - 1 and others <= rooms[other]


# ---------------------------------------------------------------------- bids


def bids(deals: int, seed: int) -> None:
    """The contracts that the natural system reaches on random deals."""
    random, found, strength = Random(seed), Counter[str](), dict[str, list[int]]()
    for _ in range(deals):
        hands, calls = dealt(random), list[str]()
        while not auction_over(calls):
            calls.append(natural(hands[len(calls) % 4], calls).call)
        contract = final_contract(calls, "north")
        name = "passed out" if contract is None else f"{contract.level}{contract.strain}"
        found[name] += 1
        if contract is not None:
            at = TABLE.index(contract.declarer)
            strength.setdefault(name, []).append(points(hands[at]) + points(hands[(at + 2) % 4]))
    print(f"{deals:,} random deals: contract, how often, mean points of the declarer's side")
    for name, number in found.most_common():
        mean = f"{fmean(strength[name]):5.1f}" if name in strength else "    –"
        print(f"  {name:10} {number / deals:6.1%} {mean}")


# ---------------------------------------------------------------------- play


def board(random: Random, ranks: int, suits: int) -> str:
    """Random hands of north and south, the others hidden."""
    cards = random.sample(deck_of(ranks, suits), ranks * suits)
    size = len(cards) // 4
    hands = (Hand(cards[:size]), None, Hand(cards[size : 2 * size]), None)
    return deal_text(hands, suits=SUITS[:suits])


def declarer(game: Game, moves: int) -> Callable[[Hashable], Any]:
    """The card by αμ for all deals that agree; PIMC if ``moves`` is 1."""
    search, chosen = AlphaMuSearch(game, "south", moves=moves, alike=alike), dict[Hashable, Any]()

    def card(view: Hashable) -> Any:
        if view not in chosen:
            known = known_by(view, "south", at_random=False, **game.params)
            assert known is not None
            worlds = [
                (ReplayPosition(game, known.moves(hands)), 1)
                for hands, _ in known.seen.hidden.enumerate()
            ]
            values = search.values(worlds)
            chosen[view] = max(values, key=lambda move: values[move])
        return chosen[view]

    return card


def guaranteed(position: Position, card: Callable[[Hashable], Any]) -> Fraction:
    """What a declarer gets on average over the deals, if the others know it and all cards."""
    if position.over:
        return Fraction(position.payoffs["north-south"])
    if not position.movers:
        return sum(
            (
                weight * guaranteed(position.after(move), card)
                for move, weight in position.chances()
            ),
            Fraction(0),
        )
    (mover,) = position.movers
    if mover == "south":
        return guaranteed(position.after(card(position.view("south"))), card)
    return min(guaranteed(position.after(move), card) for move in position.options(mover))


def play(file: Path, boards: int, ranks: int, suits: int, pays: str, moves: list[int]) -> None:
    """Play the boards that the file does not have yet, and print the table."""
    what = f"{ranks}×{suits} {pays}"
    players = {"PIMC" if number == 1 else f"αμ {number}": number for number in moves}
    lines = file.read_text().splitlines() if file.exists() else []
    known = [row for row in map(json.loads, lines) if row["deck"] == what]
    rows = [row for row in known if players.keys() <= row.keys()]
    for number in range(len(rows), boards):
        deal = board(Random(f"{what} {number}"), ranks, suits)
        game = bridge(
            ranks=ranks, suits=suits, contract="1NT", deal=deal, pays=pays, open_defence=True
        )
        value = solve(game).value
        row: dict[str, Any] = {"deck": what, "deal": deal, "optimum": float(value)}
        for name, ahead in players.items():
            row[name] = float(guaranteed(game.position(), declarer(game, ahead)))
        rows.append(row)
        with file.open("a") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    rows = rows[:boards]
    print(f"{len(rows)} boards of {ranks} ranks and {suits} suits, south declares 1NT, {pays}:")
    print("what is sure on average over all deals, and how far that is from the best declarer")
    for name in ("optimum", *players):
        loss = [row["optimum"] - row[name] for row in rows]
        low, high = interval(loss)
        worse = sum(one > 1e-6 for one in loss)
        print(
            f"  {name:8} {fmean(row[name] for row in rows):7.3f}   loss {fmean(loss):.4f}"
            f" ({low:.4f} to {high:.4f}), on {worse} boards"
        )
    first, *_, last = players
    gain = [row[last] - row[first] for row in rows]
    low, high = interval(gain)
    print(f"  {last} less {first} {fmean(gain):.4f} ({low:.4f} to {high:.4f})")


def interval(numbers: list[float]) -> tuple[float, float]:
    """95 % of the mean."""
    half = 1.96 * stdev(numbers) / sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    return fmean(numbers) - half, fmean(numbers) + half


def main() -> None:
    parser = argparse.ArgumentParser(description="Bridge.")
    parts = parser.add_subparsers(dest="part", required=True)
    for name, deals in (("sizes", 2000), ("bids", 10_000)):
        part = parts.add_parser(name)
        part.add_argument("--deals", type=int, default=deals)
        part.add_argument("--seed", type=int, default=1)
    part = parts.add_parser("play")
    part.add_argument("file", type=Path, metavar="RESULTS")
    part.add_argument("--boards", type=int, default=100)
    part.add_argument("--ranks", type=int, default=6)
    part.add_argument("--suits", type=int, default=2)
    part.add_argument("--pays", choices=("tricks", "contract"), default="tricks")
    part.add_argument("--moves", type=int, nargs="+", default=[1, 2, 9], help="of αμ; 1: PIMC")
    asked = parser.parse_args()
    if asked.part == "play":
        play(asked.file, asked.boards, asked.ranks, asked.suits, asked.pays, asked.moves)
    else:
        {"sizes": sizes, "bids": bids}[asked.part](asked.deals, asked.seed)


if __name__ == "__main__":
    main()
