"""The public form, in one run: rules bound late, tables of payoffs, poker at full size.

    python benchmarks/public                 all tables, some minutes
    python benchmarks/public --quick         small sizes, half a minute
    python benchmarks/public --plot FILE     and how the form grows with the deck, as a picture
    python benchmarks/public --rhode-island  and Rhode Island hold'em and a river, to the end

Times are the best of some rounds, the median in brackets; ratios are of the best. Beside OpenSpiel
where it is installed. Bars are what we hold ourselves to: late binding at 15 times the rate of
plain replay and 10 times that of OpenSpiel's walks, Rhode Island hold'em to a thousandth of the
ante in ten minutes and 8 GiB. The report says which are kept and always exits with 0.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import binding
import decks
import full
import products
from clocks import cores
from measure import show
from walks import missing

import forms


def report(quick: bool) -> None:
    """All tables."""
    print("Late binding: nodes a second from rules to tree (bars: 15× plain replay, 10× OpenSpiel)")
    print(f"{missing()}\n" if missing() else "")
    show(binding.HEADINGS, list(binding.rows(quick)))
    crew = cores()
    print(
        f"An iteration of {forms.METHOD}, on the tree and on the public form; all workers: {crew}"
    )
    print(f"(the same regrets after {forms.SAME_AFTER} iterations, asserted)\n")
    show(forms.HEADINGS, list(forms.rows(quick)))
    print("Growth with the deck, suits folded; a process of its own for each, which has")
    print(f"{decks.start(quick)} before it builds anything\n")
    show(decks.HEADINGS, list(decks.rows(quick)))
    size, rate = products.square(quick)
    print(f"Products of matrices in one thread; a square of {size}: {rate:.2f} GFLOP/s\n")
    show(products.HEADINGS, list(products.rows(quick, rate)))
    print("Poker at full size\n" if not quick else "Poker at full size (here: small)\n")
    show(full.HEADINGS, list(full.rows(quick)))


def main() -> None:
    parser = argparse.ArgumentParser(description="The public form.")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="growth with the deck")
    parser.add_argument("--rhode-island", action="store_true", help="solve poker at full size")
    asked = parser.parse_args()
    report(asked.quick)
    if asked.plot is not None:
        decks.plot(asked.quick, asked.plot)
    if asked.rhode_island:
        for goal in full.goals(asked.quick):
            full.solved(goal)


if __name__ == "__main__":
    main()
