"""Game-tree search, in one run.

    python benchmarks/search              all tables, some ten minutes
    python benchmarks/search --quick      smaller games, two minutes
    python benchmarks/search --plot FILE  and the picture of the average-case study

Bars are what we hold ourselves to: matrix games at ten times the rate of scipy's linprog, goofspiel
at ten times the positions a second of Saffidine, Finnsson & Buro 2012, 7 cards in 3 seconds and 8
in a minute, compiled searches at twenty times the same in Python, IMP-alpha-beta never above 1.3
times the cost of IMP-minimax. The report says which are kept and always exits with 0.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "solve"))

import domains
import matrices
import study
import tables
from measure import show


def main() -> None:
    parser = argparse.ArgumentParser(description="Game-tree search.")
    parser.add_argument("--quick", action="store_true", help="smaller games")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="of the average-case study")
    asked = parser.parse_args()
    print("Matrix games at the nodes\n")
    matrices.report()
    print("Goofspiel: backward induction against the paper's positions a second\n")
    show(domains.SPEED, list(domains.speed_rows(asked.quick)))
    print("Goofspiel, positions remembered\n")
    show(domains.BEST, list(domains.best_rows(asked.quick)))
    tables.report((4, 5) if asked.quick else (4, 5, 6, 7))
    print("Which search pays where; a search is stopped after a minute\n")
    show(domains.HEADINGS, list(domains.rows(asked.quick)))
    print("Compiled against the same in Python\n")
    show(domains.GAIN, list(domains.gain_rows(asked.quick)))
    study.report(asked.quick, asked.plot)


if __name__ == "__main__":
    main()
