"""Bridge with all cards seen: full tables a second, ours and DDS's, and what each technique does.

    python benchmarks/bridge                     both tables
    python benchmarks/bridge --deals 1000 --techniques 0
                                                 compare with DDS on a thousand deals
    python benchmarks/bridge --file build/bridge.jsonl
                                                 keep what was measured, and go on from there
    python benchmarks/bridge --plot FILE         draw how many deals take how long

A full table is 20 results: five strains by four declarers. Both programs get the same random deals,
in turn, in this process, and DDS is limited to one thread (SetMaxThreads). Seconds are those of the
processor, which other programs disturb less than a clock. Without endplay (pip install
'infoset[bridge]') only ours is measured.

The techniques are switched off one at a time, on smaller deals: without the table, or without any
order, a deal of 52 cards takes hours.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from infoset.errors import TooLarge
from infoset.kernels import double_dummy as kernel
from infoset.objects import Card, Deck
from infoset.play.standings import interval
from infoset.search import DoubleDummySolver, DoubleDummyTable

RANKS = "23456789TJQKA"
MOST = 2_000_000  # positions for a strain and leader, in the table of techniques


def deal(seed: int, tricks: int = 13) -> list[list[Card]]:
    """Four random hands of the highest cards."""
    cards = list(Deck()[-4 * tricks :])
    Random(seed).shuffle(cards)
    return [cards[seat::4] for seat in range(4)]


def pbn(hands: list[list[Card]]) -> str:
    """A deal as DDS reads it."""
    return "N:" + " ".join(
        ".".join(
            "".join(RANKS[card.rank] for card in sorted(hand, reverse=True) if card.suit == suit)
            for suit in range(4)
        )
        for hand in hands
    )


class Dds:
    """DDS through endplay, on one thread."""

    def __init__(self) -> None:
        from endplay._dds import SetMaxThreads
        from endplay.dds import calc_dd_table
        from endplay.types import Deal, Denom, Player

        SetMaxThreads(1)
        self.solve, self.deal = calc_dd_table, Deal
        self.strains = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)
        self.players = (Player.north, Player.east, Player.south, Player.west)

    def table(self, hands: list[list[Card]]) -> tuple[tuple[int, ...], ...]:
        """By strain and declarer, as ours."""
        found = self.solve(self.deal(pbn(hands)))
        return tuple(
            tuple(found[strain, player] for player in self.players) for strain in self.strains
        )


class Kept:
    """What was measured, in this run or, if there is a file, in earlier ones."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.rows: dict[str, Any] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self.rows[row["what"]] = row

    def measured(self, what: str, measure: Any) -> dict[str, Any]:
        """The row of this name."""
        if what not in self.rows:
            self.rows[what] = {"what": what, **measure()}
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(self.rows[what]) + "\n")
        row: dict[str, Any] = self.rows[what]
        return row


def one_deal(seed: int, solver: DoubleDummySolver, dds: Dds | None) -> dict[str, Any]:
    """Seconds of both, positions, and whether all 20 results agree."""
    hands = deal(seed)
    began = time.process_time()
    found: DoubleDummyTable = solver.table(hands)
    row: dict[str, Any] = {"ours": time.process_time() - began, "nodes": found.nodes}
    if dds is not None:
        began = time.process_time()
        theirs = dds.table(hands)
        row |= {"dds": time.process_time() - began, "same": theirs == found.tricks}
    return row


def speed(deals: int, first: int, seconds: float, kept: Kept, file: Path | None) -> None:
    """Full tables a second."""
    try:
        dds = Dds()
    except ImportError:
        dds = None
        print("endplay is not installed, so DDS is not measured: pip install 'infoset[bridge]'")
    solver = DoubleDummySolver()
    solver.table(deal(0, 2))  # compiles
    if dds is not None:
        dds.table(deal(0))
    rows, began = [], time.monotonic()
    for seed in range(first, first + deals):
        key = f"deal {seed}{'' if dds else ' alone'}"
        rows.append(kept.measured(key, lambda seed=seed: one_deal(seed, solver, dds)))
        if time.monotonic() - began > seconds:
            break
    print(f"{len(rows)} deals, seeds {first} to {first + len(rows) - 1}, seconds of the processor")
    print(f"{'':10}{'tables/s':>10}{'mean s':>9}{'± 95%':>8}{'median s':>10}{'longest':>9}")
    for name in ("ours", "dds") if dds else ("ours",):
        spent = [row[name] for row in rows]
        mean, error = interval(spent)
        print(
            f"{name:10}{1 / mean:10.2f}{mean:9.3f}{error:8.3f}{statistics.median(spent):10.3f}"
            f"{max(spent):9.2f}"
        )
    nodes = [row["nodes"] for row in rows]
    print(
        f"positions a table: {statistics.mean(nodes):,.0f}, median {statistics.median(nodes):,.0f}"
    )
    if dds:
        print(f"all 20 results agree in {sum(row['same'] for row in rows)} of {len(rows)} deals")
    if file is not None:
        plot({"ours": "Infoset", "dds": "DDS"} if dds else {"ours": "Infoset"}, rows, file)


def plot(names: dict[str, str], rows: list[dict[str, Any]], file: Path) -> None:
    """The part of all deals that is solved within so many seconds."""
    from infoset.display.plots.style import colour, new_figure, save_figure, styled

    with styled():
        figure = new_figure(6.0, 3.2)
        axes = figure.subplots()
        for number, (key, name) in enumerate(names.items()):
            spent = sorted(row[key] for row in rows)
            share = [at / len(spent) for at in range(1, len(spent) + 1)]
            axes.plot(spent, share, color=colour(number), label=name, drawstyle="steps-post")
        axes.set(xscale="log", xlabel="seconds for a full table", ylabel="part of the deals")
        axes.set_title(f"{len(rows):,} deals")
        axes.legend()
        save_figure(figure, file)


def without(flags: int, deals: int, tricks: int) -> dict[str, Any]:
    """Positions and seconds of all strains and leaders of some deals."""
    solver, nodes, over = DoubleDummySolver(flags=flags), 0, 0
    began = time.process_time()
    for seed in range(deals):
        hands = deal(seed, tricks)
        for strain in ("S", "H", "D", "C", "NT"):
            for leader in "NSEW":
                try:
                    solver.tricks(hands, strain, leader, max_nodes=MOST)
                except TooLarge:
                    over += 1
                nodes += solver.counts["nodes"]
    return {"nodes": nodes / deals, "seconds": (time.process_time() - began) / deals, "over": over}


def techniques(deals: int, tricks: int, kept: Kept) -> None:
    """One technique switched off at a time."""
    DoubleDummySolver().table(deal(0, 2))  # compiles
    choices: Iterator[tuple[str, int]] = iter(
        [("none", 0), *((name, 1 << bit) for bit, name in enumerate(kernel.TECHNIQUES))]
    )
    print(f"\n{deals} deals of {tricks} cards a hand, a full table of each")
    print(f"{'without':12}{'positions':>14}{'ratio':>8}{'seconds':>10}{'ratio':>8}{'over':>6}")
    whole: dict[str, Any] = {}
    for name, flag in choices:
        row = kept.measured(
            f"without {name}, {deals} of {tricks}",
            lambda flag=flag: without(kernel.ALL & ~flag, deals, tricks),
        )
        whole = whole or row
        print(
            f"{name:12}{row['nodes']:14,.0f}{row['nodes'] / whole['nodes']:8.2f}"
            f"{row['seconds']:10.3f}{row['seconds'] / whole['seconds']:8.2f}{row['over']:6}",
            flush=True,
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=50, help="of 52 cards, for the speed")
    parser.add_argument("--first", type=int, default=1, help="seed of the first one")
    parser.add_argument("--seconds", type=float, default=math.inf, help="for the speed, at most")
    parser.add_argument(
        "--techniques", type=int, default=10, help="deals for the techniques; 0: none"
    )
    parser.add_argument("--tricks", type=int, default=10, help="cards a hand in these")
    parser.add_argument("--file", type=Path, help="JSON lines that are kept, and read again")
    parser.add_argument("--plot", type=Path, help="draw how long deals take")
    given = parser.parse_args()
    kept = Kept(given.file)
    if given.deals:
        speed(given.deals, given.first, given.seconds, kept, given.plot)
    if given.techniques:
        techniques(given.techniques, given.tricks, kept)


if __name__ == "__main__":
    main()
