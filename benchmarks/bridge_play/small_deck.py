"""Declarers of small decks against the exact optimum.

The hands of the declarer's side are drawn at random. The opponents' cards are unknown to the
declarer, and known to the opponents, who know the declarer's plan, too, and do their worst: the
best defence model of Frank & Basin 1998. For each board it is computed exactly what a declarer by
PIMC and by αμ is sure to get, on average over all deals of the other cards, and what the best
declarer gets: the value of the game, by linear programming. Where several cards seem equally good
to a declarer, it takes one of them by lot, which is drawn several times. An upper bound of all is
what declarers get who see all cards; where PIMC reaches it, nothing else has to be computed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from infoset import solve
from infoset.games import bridge
from infoset.objects import Hand
from infoset.objects.bridge import parse_contract, strains_of
from infoset.objects.deals import deck_of
from infoset.objects.pbn import deal_text
from infoset.objects.tricks import SUITS, Turns
from infoset.play.standings import interval
from infoset.search import AlphaMuSearch
from infoset.search.double_dummy import DoubleDummyWorlds
from infoset.search.single_dummy import PLAYER, CardPlay, CardPosition

TO_THE_END = 99  # moves of αμ
LOTS = 4  # ways to break ties
MEMORY = DoubleDummyWorlds(1)

Policy = Callable[[list[CardPosition]], int]
Sets = dict[Hashable, list[CardPosition]]
Result = int | tuple[Hashable, int] | list[Any]  # known, of a world in a set, or the least of some


def play(file: Path, boards: int, ranks: int, suits: int, contract: str, pays: str) -> None:
    """Play the boards that the file does not have yet, and print the table."""
    what = f"{ranks}×{suits} {contract} {pays}"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    rows = [row for row in map(json.loads, lines) if row["deck"] == what]
    file.parent.mkdir(parents=True, exist_ok=True)
    for number in range(len(rows), boards):
        row = {"deck": what, **board(Random(f"{what} {number}"), ranks, suits, contract, pays)}
        rows.append(row)
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    report(rows[:boards], f"{boards} boards of {ranks} ranks and {suits} suits, {contract}, {pays}")


def board(random: Random, ranks: int, suits: int, contract: str, pays: str) -> dict[str, Any]:
    """One board: what each declarer is sure of."""
    cards = random.sample(deck_of(ranks, suits), ranks * suits)
    size = len(cards) // 4
    north, south, others = cards[:size], cards[size : 2 * size], cards[2 * size :]
    deals = [
        (north, east, south, [card for card in others if card not in east])
        for east in combinations(others, size)
    ]
    bid = parse_contract(contract, "south", size - size // 2, strains_of(suits))
    table = CardPlay(bid, 2, size, pays, MEMORY, exact=True)
    positions = table.begin(deals, Turns(3, bid.trump), ())
    text = deal_text((Hand(north), None, Hand(south), None), suits=SUITS[:suits])
    paid = partial(payoff, size, pays)
    row: dict[str, Any] = {"deal": text, "open": paid(fmean(table.solved(positions)))}
    for name, moves in (("PIMC", 1), ("αμ 3", 3), ("αμ", TO_THE_END)):
        lots = [
            fmean(sure(positions, declarer(table, moves, f"{text} {lot}"))) for lot in range(LOTS)
        ]
        row[name] = paid(fmean(lots))
    row["optimum"] = row["open"]
    if row["PIMC"] < row["open"] - 1e-9:
        game = bridge(
            ranks=ranks, suits=suits, contract=contract, deal=text, pays=pays, open_defence=True
        )
        row["optimum"] = float(solve(game).value)
    return row


def payoff(tricks: int, pays: str, mean: float) -> float:
    """What the game pays, of what the search counts."""
    return 2 * mean - tricks if pays == "tricks" else 2 * mean - 1


def declarer(table: CardPlay, moves: int, lot: str) -> Policy:
    """αμ; PIMC if ``moves`` is 1. Of equal cards one by lot."""
    solver: Any = table.solved
    search = AlphaMuSearch(
        table, PLAYER, moves=moves, solver=solver, least=0 if table.by_tricks is False else None
    )

    def card(positions: list[CardPosition]) -> int:
        options = positions[0].options(PLAYER)
        if len(options) == 1:
            return options[0]
        belief: Any = [(position, 1) for position in positions]
        values = search.values(belief)
        best = [option for option in options if values[option] == max(values.values())]
        return Random(f"{lot} {positions[0].seen}").choice(best)

    return card


def sure(positions: list[CardPosition], card: Policy) -> list[int]:
    """What a declarer gets in each world, if the others know it and all cards."""
    sets: Sets = {}
    ahead = [expanded(position, sets) for position in positions]
    found = {}
    for known, below in sets.items():
        choice = card(below)
        found[known] = sure([position.after(choice) for position in below], card)
    return [least(one, found) for one in ahead]


def expanded(position: CardPosition, sets: Sets) -> Result:
    """What follows, up to the declarer's next decision."""
    if position.over:
        return position.payoffs["side"]
    if position.movers == (PLAYER,):
        below = sets.setdefault(position.view(PLAYER), [])
        below.append(position)
        return position.view(PLAYER), len(below) - 1
    return [expanded(position.after(card), sets) for card in position.options("opponent")]


def least(result: Result, found: dict[Hashable, list[int]]) -> int:
    """The least of what follows."""
    if isinstance(result, int):
        return result
    if isinstance(result, tuple):
        return found[result[0]][result[1]]
    return min(least(one, found) for one in result)


def report(rows: list[dict[str, Any]], title: str) -> None:
    """All boards, and those at which αμ and PIMC differ."""
    print(f"{title}: what is sure on average, and how far that is from the best declarer")
    table(rows)
    apart = [row for row in rows if abs(row["αμ"] - row["PIMC"]) > 1e-9]
    if apart:
        better = sum(row["αμ"] > row["PIMC"] for row in apart)
        print(f"of these the {len(apart)} at which αμ and PIMC differ, {better} in favour of αμ:")
        table(apart)
        for row in apart[:3]:
            print(f"  {row['deal']}   {row['PIMC']:.3f} {row['αμ']:.3f} {row['optimum']:.3f}")


def table(rows: list[dict[str, Any]]) -> None:
    """Means, with the loss to the optimum and its interval."""
    print(f"  {'all cards seen':14} {fmean(row['open'] for row in rows):7.4f}")
    for name in ("optimum", "PIMC", "αμ 3", "αμ"):
        loss, half = interval([row["optimum"] - row[name] for row in rows])
        worse = sum(row["optimum"] - row[name] > 1e-9 for row in rows)
        mean = fmean(row[name] for row in rows)
        print(f"  {name:14} {mean:7.4f}   loss {loss:.4f} ± {half:.4f}, on {worse} boards")
    gain, half = interval([row["αμ"] - row["PIMC"] for row in rows])
    print(f"  αμ less PIMC {gain:.4f} ± {half:.4f}")
