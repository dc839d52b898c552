"""From trees to proved equilibria: ours beside the peers, in one run.

    python benchmarks/solve              the tables (needs the peers; `make bench` installs them)
    python benchmarks/solve --quick      smaller games, fewer repeats, no bars for Gambit
    python benchmarks/solve --limit      how far poker grows in ten minutes a game: takes hours

What is measured how is said at the top of each file: peers.py, gala.py, first.py, limit.py. A bar
is what we hold ourselves to; the report says which are kept and always exits with 0.
"""

from __future__ import annotations

import argparse

import first
import gala
import limit
from measure import show, warm

import peers


def main() -> None:
    parser = argparse.ArgumentParser(description="Trees to equilibria, beside the peers.")
    parser.add_argument("--quick", action="store_true", help="smaller games, fewer repeats")
    parser.add_argument("--limit", action="store_true", help="grow poker until it does not work")
    asked = parser.parse_args()
    if asked.limit:
        limit.report(asked.quick)
        return
    warm()
    print("Against Gambit and OpenSpiel (the bar: theirs : ours at least)\n")
    # OpenSpiel first: it takes longer with Gambit's games in memory.
    openspiel = peers.openspiel_rows(asked.quick)
    show(peers.HEADINGS, peers.gambit_rows(asked.quick) + openspiel)
    print("The largest games of 1997, from their rules to a certificate (the bar: at most)\n")
    show(gala.HEADINGS, gala.gala_rows(asked.quick))
    print("First use, with nothing compiled beforehand (the bar: at most)\n")
    show(first.HEADINGS, first.first_rows(asked.quick))


if __name__ == "__main__":
    main()
