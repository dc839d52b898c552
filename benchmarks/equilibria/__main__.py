"""Every equilibrium, and better ones: ours beside the peers, in one run.

    python benchmarks/equilibria            the tables (needs pygambit; `make bench` installs it)
    python benchmarks/equilibria --quick    smaller games, fewer repeats

What is measured how is said at the top of each file. A bar is what we hold ourselves to; the report
says which are kept and always exits with 0.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import enumeration
import mistakes
import pure_equilibria
import wilson_growth

sys.path.append(str(Path(__file__).parents[1] / "solve"))

from measure import show


def main() -> None:
    parser = argparse.ArgumentParser(description="Every equilibrium, beside the peers.")
    parser.add_argument("--quick", action="store_true", help="smaller games, fewer repeats")
    quick = parser.parse_args().quick
    print("All extreme equilibria, against Gambit's exact enummixed (the bar: at least)\n")
    show(enumeration.HEADINGS, enumeration.rows(quick))
    print("Pure equilibria, against Gambit's enumpure (the bar: at least)\n")
    show(pure_equilibria.HEADINGS, pure_equilibria.rows(quick))
    print("3-PARTITION by pure equilibria: how it grows with the number of groups\n")
    show(pure_equilibria.GROWTH, pure_equilibria.growth_rows(quick))
    print("Quasi-perfect equilibria: time to a verified assessment (the bar: at most)\n")
    show(mistakes.TIMES, mistakes.time_rows(quick))
    print("Against an opponent who errs: gains over the value of the game\n")
    show(mistakes.HEADINGS, mistakes.rows(quick))
    print("Wilson's method: pure strategies that enter, and time beside Lemke's\n")
    show(wilson_growth.HEADINGS, wilson_growth.rows(quick))


if __name__ == "__main__":
    main()
