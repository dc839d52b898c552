"""Goofspiel by search: the tables of Saffidine, Finnsson & Buro 2012 again, ours beside theirs.

    python benchmarks/search/tables.py            4, 5 and 6 cards
    python benchmarks/search/tables.py --large    7 cards as well

Table 2 is backward induction, Table 3 the sequence form, Table 4 SMAB with L-shaped cells and
bounds skipped until s rows and s columns are filled. Their seconds are those of a laptop of 2012;
positions do not depend on the machine, and in Table 2 they are the same.

In Table 4 they are not, and what the paper counts there is open. Cards from high to low or from low
to high, with s = 2 and four cards, the first two rows and columns of every matrix are searched
whatever happens, which takes 73 positions at least; the paper has 70. With seven cards and s = 4
only matrices of five rows or more have cells left once four rows and columns are filled, 1,969
cells in all; the paper has 702,242 more programs than positions. Programs here are the matrix games
solved and two for each window, as the paper describes them; most of ours are decided by a look at
the numbers, and "run" are those that are not. Cards go from high to low, which comes nearest to the
paper's figures. "Without" are our positions without the static bound, and the last table has those
that this bound leaves by itself.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from infoset import solve
from infoset.games import goofspiel
from infoset.search.simultaneous import backward_induction, double_oracle_alphabeta, smab

sys.path.append(str(Path(__file__).parents[1] / "solve"))

from measure import duration, show, timed

SIZES = (4, 5, 6)
# By cards: positions, seconds.
TABLE_2 = {4: (109, 0.008), 5: (1926, 0.188), 6: (58173, 5.588), 7: (2578710, 247.159)}
# By cards: memory and time of the sequence form.
TABLE_3 = {4: ("8 MB", "< 1 s"), 5: ("43 MB", "152 s"), 6: ("> 2 GB", "> 177 s")}
# By cards and s: positions, linear programs, seconds.
TABLE_4 = {
    (4, 0): (55, 265, 0.020),
    (4, 1): (59, 171, 0.012),
    (4, 2): (70, 147, 0.012),
    (5, 0): (516, 2794, 0.216),
    (5, 1): (630, 1897, 0.168),
    (5, 2): (1003, 1919, 0.184),
    (6, 0): (13560, 74700, 5.900),
    (6, 1): (18212, 55462, 4.980),
    (6, 2): (30575, 57335, 5.536),
    (7, 0): (757699, 4074729, 324.352),
    (7, 1): (949521, 2857133, 259.716),
    (7, 2): (1380564, 2498366, 241.735),
    (7, 3): (1734798, 2452624, 237.903),
    (7, 4): (1881065, 2583307, 253.476),
}


def game(cards: int) -> Any:
    return goofspiel(cards=cards, early_end=True)


def induction_rows(sizes: Sequence[int]) -> list[list[str]]:
    rows = []
    for cards in sizes:
        nodes, seconds = TABLE_2[cards]
        backward_induction(game(cards), depth=1)  # compiled before the clock starts
        own, found = timed(partial(backward_induction, game(cards), transpositions=False))
        counts = found.work
        rows.append(
            [
                str(cards),
                f"{nodes:,}",
                f"{counts['nodes']:,}",
                f"{counts['programs']:,}",
                duration(seconds),
                duration(own),
                f"{seconds / own:,.0f}",
            ]
        )
    return rows


def sequence_form(cards: int, answer: Any) -> None:
    """Solve by the sequence form, in a process of its own: seconds, and the most memory it took."""
    own, _ = timed(lambda: solve(game(cards).tree(), "lp"))
    answer.put((own, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def sequence_rows(sizes: Sequence[int]) -> list[list[str]]:
    rows = []
    context = multiprocessing.get_context("spawn")
    for cards in sizes:
        if cards not in TABLE_3:
            continue
        answer = context.Queue()
        process = context.Process(target=sequence_form, args=(cards, answer))
        process.start()
        own, memory = answer.get()
        process.join()
        theirs = TABLE_3[cards]
        rows.append([str(cards), theirs[0], f"{memory:,.0f} MB", theirs[1], duration(own)])
    return rows


def pruning_rows(sizes: Sequence[int]) -> list[list[str]]:
    rows = []
    smab(game(3), moves="reversed")  # compiled before the clock starts
    for (cards, skip), (nodes, programs, seconds) in TABLE_4.items():
        if cards not in sizes:
            continue
        work = partial(smab, game(cards), skip=skip, moves="reversed", transpositions=False)
        own, found = timed(work)
        counts = found.work
        rows.append(
            [
                f"{cards}, s = {skip}",
                f"{nodes:,}",
                f"{counts['nodes']:,}",
                f"{work(static_bound=False).work['nodes']:,}",
                f"{programs:,}",
                f"{counts['matrices'] + 2 * counts['windows']:,}",
                f"{counts['programs']:,}",
                duration(seconds),
                duration(own),
            ]
        )
    return rows


def static_rows(sizes: Sequence[int]) -> list[list[str]]:
    rows = []
    for cards in sizes:
        found = smab(game(cards), skip=cards, cutoffs=False, transpositions=False)
        rows.append([str(cards), f"{TABLE_2[cards][0]:,}", f"{found.work['nodes']:,}"])
    return rows


def oracle_rows(sizes: Sequence[int]) -> list[list[str]]:
    rows = []
    double_oracle_alphabeta(game(3))
    for cards in sizes:
        own, found = timed(partial(double_oracle_alphabeta, game(cards), transpositions=False))
        counts = found.work
        rows.append(
            [
                str(cards),
                f"{counts['nodes']:,}",
                f"{counts['serialized']:,}",
                f"{counts['matrices']:,}",
                f"{counts['programs']:,}",
                duration(own),
            ]
        )
    return rows


def report(sizes: Sequence[int] = SIZES) -> None:
    print("Table 2: backward induction\n")
    headings = ["cards", "positions, theirs", "ours", "programs run", "theirs", "ours", "ratio"]
    show(headings, induction_rows(sizes))
    print("Table 3: the sequence form (ours: the linear program, exact, regret proved)\n")
    show(["cards", "memory, theirs", "ours", "theirs", "ours"], sequence_rows(sizes))
    print("Table 4: simultaneous-move alpha-beta\n")
    headings = ["cards", "positions, theirs", "ours", "without", "programs, theirs", "ours", "run"]
    show([*headings, "theirs", "ours"], pruning_rows(sizes))
    print("Not in the paper: the static bound alone, without windows and cutoffs\n")
    show(["cards", "all", "left"], static_rows(sizes))
    print("Not in the paper: double oracle with serialized alpha-beta bounds\n")
    headings = ["cards", "positions", "by turns", "matrices", "programs run", "time"]
    show(headings, oracle_rows(sizes))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Goofspiel by search, beside the paper of 2012.")
    parser.add_argument("--large", action="store_true", help="7 cards as well")
    report((*SIZES, 7) if parser.parse_args().large else SIZES)
