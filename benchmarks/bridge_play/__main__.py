"""Bridge: the size of its game tree, a bidding system, and declarers of small and full decks.

    python benchmarks/bridge_play sizes               the estimates of Nau's slides, recomputed
    python benchmarks/bridge_play bids                contracts that the natural system reaches
    python benchmarks/bridge_play small               PIMC and αμ against the exact optimum
    python benchmarks/bridge_play boards              PIMC and αμ on whole boards

The last two keep a line for each board in a file below ``build/bridge_play``; run again, they go on
where they were interrupted, or print their tables. See ``small_deck.py`` and ``full_deck.py``.
Intervals are Student's, of 95 %.
"""

from __future__ import annotations

import argparse
from collections import Counter
from math import comb, factorial, inf, log10
from pathlib import Path
from random import Random
from statistics import fmean

from full_deck import Settings, draw, go_on, report
from small_deck import play

from infoset.objects import Card
from infoset.objects.bridge import auction_over, final_contract
from infoset.objects.natural_bidding import natural, points
from infoset.objects.pbn import FULL
from infoset.objects.tricks import TABLE, Turns, followers
from infoset.play.standings import interval

FOLDER = Path("build/bridge_play")

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
        middle, half = interval(logs)
        mean = log10(fmean(10 ** (one - max(logs)) for one in logs)) + max(logs)
        share = max(10 ** (one - mean) for one in logs) / deals
        print(
            f"  {name:18} mean of the logarithm 10^{middle:.2f} (10^{middle - half:.2f} to"
            f" 10^{middle + half:.2f}), mean 10^{mean:.1f}, of which"
            f" the largest play is {share:.0%}"
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Bridge.")
    parts = parser.add_subparsers(dest="part", required=True)
    for name, deals in (("sizes", 2000), ("bids", 10_000)):
        part = parts.add_parser(name)
        part.add_argument("--deals", type=int, default=deals)
        part.add_argument("--seed", type=int, default=1)
    part = parts.add_parser("small")
    part.add_argument("--file", type=Path, default=FOLDER / "small.jsonl")
    part.add_argument("--boards", type=int, default=300)
    part.add_argument("--ranks", type=int, default=3)
    part.add_argument("--suits", type=int, default=4)
    part.add_argument("--contract", default="1NT", help="of south")
    part.add_argument("--pays", choices=("tricks", "contract"), default="contract")
    part = parts.add_parser("boards")
    part.add_argument("--file", type=Path, default=FOLDER / "full_deck.jsonl")
    part.add_argument("--boards", type=int, default=300)
    part.add_argument("--kind", choices=("tight", "all"), default="tight", help="of boards")
    part.add_argument("--defence", choices=("perfect", "pimc"), default="perfect")
    part.add_argument("--worlds", type=int, default=20)
    part.add_argument("--moves", type=int, nargs="+", default=[1, 2, 3, 4], help="of αμ; 1: PIMC")
    part.add_argument("--jobs", type=int, default=2, help="processes")
    part.add_argument("--seconds", type=float, default=inf, help="of CPU; then no more boards")
    part.add_argument("--plot", type=Path, metavar="FILE.svg")
    asked = parser.parse_args()
    if asked.part == "small":
        play(asked.file, asked.boards, asked.ranks, asked.suits, asked.contract, asked.pays)
    elif asked.part == "boards":
        if 1 not in asked.moves or min(asked.moves) < 1 or min(asked.worlds, asked.jobs) < 1:
            parser.error("--moves: 1, PIMC, and numbers above; --worlds and --jobs: 1 or more")
        settings = Settings(
            asked.kind, asked.defence, asked.worlds, tuple(sorted(set(asked.moves)))
        )
        rows = go_on(asked.file, settings, asked.boards, asked.jobs, asked.seconds)
        report(rows, settings)
        if asked.plot is not None:
            draw(rows, settings, asked.plot)
    else:
        {"sizes": sizes, "bids": bids}[asked.part](asked.deals, asked.seed)


if __name__ == "__main__":
    main()
