"""Declarers of whole boards: PIMC and αμ with the same worlds, against the same defenders.

Boards are dealt at random, and those are played in which the natural system bids 3NT or four of a
major, undoubled; or of these only the *tight* ones, in which the declarer would take just enough
tricks if everyone saw all cards. A declarer draws worlds that agree with the auction and the play,
and plays by ``SingleDummySearch``; M = 1 is PIMC. All declarers draw the same worlds where they are
in the same position, so that they differ only by what they conclude. Defenders see all cards and
take as many tricks as they can (``perfect``, a card of those that are equal in that at random), or
draw worlds, too, and play by PIMC (``pimc``). A card that all declarers play alike is searched
once.
"""

from __future__ import annotations

import json
import multiprocessing
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time
from typing import Any

from infoset.objects import Card, Hand
from infoset.objects.bridge import (
    Contract,
    auction_over,
    duplicate_score,
    final_contract,
    imps,
)
from infoset.objects.bridge_records import Known, draw_worlds
from infoset.objects.deals import seen_hands
from infoset.objects.natural_bidding import natural
from infoset.objects.pbn import FULL, deal_text
from infoset.objects.tricks import TABLE, Turns, followers
from infoset.play.standings import interval
from infoset.search import DoubleDummySolver, SingleDummySearch

Hands = tuple[Hand[Card], ...]
SEATS = "NESW"


@dataclass(frozen=True)
class Settings:
    """What is played: the key of a record, with the number of the board."""

    kind: str  # of boards: "all", or "tight"
    defence: str
    worlds: int
    moves: tuple[int, ...]

    @property
    def key(self) -> str:
        """As in records."""
        return f"{self.kind} {self.defence} {self.worlds} {' '.join(map(str, self.moves))}"


@dataclass(frozen=True)
class Board:
    """A deal with its auction."""

    number: int
    hands: Hands
    calls: tuple[str, ...]
    contract: Contract


def boards(kind: str, number: int = 0) -> Iterator[Board]:
    """Those that are played, one after the other, from a number on."""
    solver = DoubleDummySolver(64)
    while True:
        cards = list(FULL)
        Random(f"board {number}").shuffle(cards)
        hands = tuple([Hand(cards[at : at + 13]) for at in range(0, 52, 13)])
        calls: list[str] = []
        while not auction_over(calls):
            calls.append(natural(hands[len(calls) % 4], calls).call)
        contract = final_contract(calls, "north")
        if contract is not None and contract.risk == 1 and game(contract):
            board = Board(number, hands, tuple(calls), contract)
            if kind == "all" or double_dummy(board, solver) == 6 + contract.level:
                yield board
        number += 1


def game(contract: Contract) -> bool:
    """3NT or four of a major."""
    return (contract.level, contract.strain) in ((3, "NT"), (4, "♠"), (4, "♥"))


def double_dummy(board: Board, solver: DoubleDummySolver) -> int:
    """The tricks that the declarer takes, if everyone sees all cards."""
    leader = SEATS[TABLE.index(board.contract.leader)]
    return 13 - solver.tricks(board.hands, strain_of(board.contract), leader)


def strain_of(contract: Contract) -> str:
    """In letters."""
    return "NT" if contract.trump is None else "SHDC"[contract.trump]


def played(board: Board, settings: Settings) -> dict[str, Any]:
    """The tricks of each declarer."""
    began = process_time()
    one = Play(board, settings)
    tricks: dict[int, int] = {}
    one.go_on((), settings.moves, tricks)
    return {
        "settings": settings.key,
        "board": board.number,
        "contract": str(board.contract),
        "deal": deal_text(board.hands),
        "double_dummy": double_dummy(board, one.solver),
        "tricks": {str(moves): taken for moves, taken in tricks.items()},
        "reached": one.reached,
        "seconds": round(process_time() - began, 2),
    }


class Play:
    """A board that is played by several declarers at once, as long as they play alike."""

    def __init__(self, board: Board, settings: Settings) -> None:
        self.board, self.settings = board, settings
        contract = board.contract
        self.declarer = TABLE.index(contract.declarer)
        self.strain = strain_of(contract)
        self.solver = DoubleDummySolver(64)
        self.declaring = SingleDummySearch(max(settings.moves))
        self.defending = SingleDummySearch(1)
        self.reached = [0] * (max(settings.moves) + 1)  # how often each M was the last

    def go_on(
        self, cards: tuple[Card, ...], moves: tuple[int, ...], tricks: dict[int, int]
    ) -> None:
        """Play to the end, for these M of the declarer."""
        contract = self.board.contract
        turns = Turns(TABLE.index(contract.leader), contract.trump)
        left = [list(hand) for hand in self.board.hands]
        for card in cards:
            left[turns.turn].remove(card)
            turns.play(card)
        while len(cards) < 52:
            seat = turns.turn
            allowed = followers(left[seat], turns.cards)
            choices = dict.fromkeys(moves, allowed[0])
            if len(allowed) > 1 and (seat - self.declarer) % 2:
                choices = dict.fromkeys(moves, self.defended(left, turns, cards, seat))
            elif len(allowed) > 1:
                choices = self.declared(cards, moves)
            card = choices[moves[0]]
            for other in set(choices.values()) - {card}:
                apart = tuple([one for one in moves if choices[one] == other])
                self.go_on((*cards, other), apart, tricks)
            moves = tuple([one for one in moves if choices[one] == card])
            left[seat].remove(card)
            turns.play(card)
            cards = (*cards, card)
        taken = sum((taker - self.declarer) % 2 == 0 for taker in turns.taken)
        tricks |= dict.fromkeys(moves, taken)

    def worlds(self, cards: tuple[Card, ...], seat: int) -> list[Hands]:
        """What somebody draws, the same for all who are in this position."""
        board, random = self.board, Random(f"{self.board.number} {' '.join(map(str, cards))}")
        open_seats = {seat} | ({(self.declarer + 2) % 4} if cards else set())
        opened = {one: board.hands[one] for one in open_seats}
        turns = Turns(TABLE.index(board.contract.leader), board.contract.trump)
        seen = seen_hands(FULL, opened, cards, turns)
        known = Known(seen, board.calls, board.contract, cards, {"dealer": "north"})
        return draw_worlds(known, self.settings.worlds, random)

    def declared(self, cards: tuple[Card, ...], moves: tuple[int, ...]) -> dict[int, Card]:
        """The declarer's card for each M."""
        self.declaring.moves = max(moves)
        found = self.declaring.card(self.worlds(cards, self.declarer), self.board.contract, cards)
        self.reached[found.reached] += 1
        return {one: found.choice(one) for one in moves}

    def defended(
        self, left: list[list[Card]], turns: Turns, cards: tuple[Card, ...], seat: int
    ) -> Card:
        """A defender's card."""
        if self.settings.defence == "pimc":
            return self.defending.card(self.worlds(cards, seat), self.board.contract, cards).card
        first = SEATS[(seat - len(turns.cards)) % 4]
        found = self.solver.cards(left, self.strain, first, turns.cards)
        best = [card for card, tricks in found.items() if tricks == max(found.values())]
        return Random(f"{self.board.number} defence {len(cards)}").choice(best)


# ---------------------------------------------------------------------- records


def go_on(file: Path, settings: Settings, number: int, jobs: int, seconds: float) -> list[Any]:
    """Play the boards that the file does not have; all records of these settings, in order."""
    known = recorded(file, settings)
    first = max(known, default=-1) + 1  # boards are played in order
    left = islice(boards(settings.kind, first), max(number - len(known), 0))
    file.parent.mkdir(parents=True, exist_ok=True)
    used = 0.0
    with file.open("a", encoding="utf-8") as out:
        for row in finished(left, settings, jobs):
            known[row["board"]] = row
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
            used += row["seconds"]
            if sys.stderr.isatty():
                print(f"\r{len(known):,} of {number:,}", end="", file=sys.stderr, flush=True)
            if used > seconds:
                break
    return [known[key] for key in sorted(known)][:number]


def recorded(file: Path, settings: Settings) -> dict[int, Any]:
    """The boards that a file has; a line that was cut short is left out."""
    rows: dict[int, Any] = {}
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if row["settings"] == settings.key:
            rows[row["board"]] = row
    return rows


def finished(left: Iterable[Board], settings: Settings, jobs: int) -> Iterator[dict[str, Any]]:
    """Boards as they end."""
    tasks = ((board, settings) for board in left)
    if jobs == 1:
        yield from map(_played, tasks)
        return
    alone = signal.SIGINT, signal.SIG_IGN  # Ctrl-C is for this process, which ends the others
    with multiprocessing.Pool(jobs, initializer=signal.signal, initargs=alone) as pool:
        yield from pool.imap(_played, tasks)


def _played(task: tuple[Board, Settings]) -> dict[str, Any]:
    return played(*task)


# ---------------------------------------------------------------------- tables


def name_of(moves: int) -> str:
    """A declarer."""
    return "PIMC" if moves == 1 else f"αμ, M = {moves}"


def made(row: Any, moves: int) -> float:
    """Is the contract made?"""
    return float(row["tricks"][str(moves)] >= needed(row))


def needed(row: Any) -> int:
    """Tricks that the contract asks for."""
    return 6 + int(row["contract"][0])


def score(row: Any, moves: int) -> int:
    """In duplicate, not vulnerable."""
    contract = Contract(int(row["contract"][0]), row["contract"][1:].split()[0], "south")
    return duplicate_score(contract, row["tricks"][str(moves)], vulnerable=False)


def differences(rows: Sequence[Any], moves: int) -> dict[str, list[float]]:
    """αμ less PIMC, board by board."""
    return {
        "made": [100 * (made(row, moves) - made(row, 1)) for row in rows],
        "tricks": [float(row["tricks"][str(moves)] - row["tricks"]["1"]) for row in rows],
        "imps": [float(imps(score(row, moves) - score(row, 1))) for row in rows],
    }


def report(rows: Sequence[Any], settings: Settings) -> None:
    """How many contracts are made, and by how much αμ makes more."""
    seconds = sum(row["seconds"] for row in rows)
    print(
        f"{len(rows)} {settings.kind} boards, defence {settings.defence}, {settings.worlds} worlds,"
        f" {seconds:,.0f} s of CPU"
    )
    open_cards = fmean([row["double_dummy"] >= needed(row) for row in rows])
    print(f"  with all cards seen {open_cards:.1%} of the contracts can be made")
    for moves in settings.moves:
        share, half = interval([100 * made(row, moves) for row in rows])
        line = f"  {name_of(moves):10} makes {share:5.1f} % ± {half:.1f}"
        if moves > 1:
            found = differences(rows, moves)
            apart = [row for row in rows if made(row, moves) != made(row, 1)]
            more = sum(made(row, moves) for row in apart)
            said = {what: interval(values) for what, values in found.items()}
            line += (
                f"   more than PIMC {said['made'][0]:+.2f} ± {said['made'][1]:.2f} points"
                f" ({more:.0f} boards to {len(apart) - more:.0f}), tricks"
                f" {said['tricks'][0]:+.3f} ± {said['tricks'][1]:.3f}, IMPs"
                f" {said['imps'][0]:+.3f} ± {said['imps'][1]:.3f}"
            )
        print(line)


def draw(rows: Sequence[Any], settings: Settings, file: Path) -> None:
    """By how much αμ makes more contracts than PIMC, for each M."""
    from infoset.display.plots.style import colour, new_figure, save_figure, styled

    compared = [moves for moves in settings.moves if moves > 1]
    with styled():
        figure = new_figure(7.2, 3.0)
        left, right = figure.subplots(1, 2)
        shares = [interval([100 * made(row, moves) for row in rows]) for moves in settings.moves]
        gains = [interval(differences(rows, moves)["made"]) for moves in compared]
        for panel, moves, found in ((left, settings.moves, shares), (right, compared, gains)):
            panel.errorbar(
                moves,
                [mean for mean, _ in found],
                yerr=[half for _, half in found],
                fmt="o",
                capsize=3,
                color=colour(0),
            )
            panel.set(xlabel="M, cards planned alike; 1: PIMC", xticks=list(moves))
        left.set_ylabel("contracts made, %")
        right.set_ylabel("more than PIMC, points")
        right.axhline(0, color="grey", lw=0.8)
        file.parent.mkdir(parents=True, exist_ok=True)
        save_figure(figure, file)
