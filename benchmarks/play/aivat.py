"""How many games AIVAT saves: leduc, a solution against opponents that are known or not.

    python benchmarks/play/aivat.py [--games N] [--seed S]

Three intervals of one match: of its games as if each had a deal of its own, of its rounds (the same
deal with seats changed, as `infoset match` has it), and of the AIVAT estimates of its rounds. The
last columns are ratios of variances: how many times as many games would give the interval of AIVAT,
without and with repeated deals.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from fractions import Fraction
from math import inf
from typing import Any

from infoset import Solution, solve
from infoset.games import leduc
from infoset.play import MatchResult, aivat, match
from infoset.play.standings import interval, paid_by_entrant
from infoset.strategy import uniform
from infoset.strategy.models import erring


def hidden(strategies: Mapping[str, Any]) -> Any:
    """Strategies behind a function: probabilities that nobody knows beforehand."""
    return lambda seat, state, actions: strategies[seat][state]


def half_widths(played: MatchResult, game: Any, values: Any) -> tuple[float, float, float, float]:
    """The AIVAT mean of the first entrant, and half the widths of the three intervals."""
    paid = [float(paid_by_entrant(one, one.record.payoffs)[0]) for one in played.games]
    rounds, earned = played.standings()[0], aivat(game, played, values).standings()[0]
    return earned.mean, interval(paid)[1], rounds.high - rounds.mean, earned.high - earned.mean


def opponents(solution: Solution) -> dict[str, tuple[Any, Any]]:
    """By description: an opponent, and the strategies by which positions are valued."""
    tree = solution.tree
    at_random = {player: uniform(tree, player) for player in tree.names}
    found: dict[str, tuple[Any, Any]] = {"random, known": ("random", solution)}
    for part in (Fraction(1, 50), Fraction(1, 10), Fraction(1, 2)):
        errs = {player: erring(solution.profile[player], part) for player in tree.names}
        found[f"errs in {float(part):.0%} of its moves, unknown"] = (hidden(errs), solution)
    found["random, unknown"] = (hidden(at_random), solution)
    found["random, unknown, values by random play"] = (hidden(at_random), at_random)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    game = leduc()
    solution = solve(game)
    head = ("AIVAT mean", "games ±", "rounds ±", "AIVAT ±", "games", "rounds", "seconds")
    print(f"{'opponent of a solution':42}" + "".join(f"{one:>11}" for one in head))
    for name, (opponent, values) in opponents(solution).items():
        played = match(game, [solution, opponent], games=asked.games, seed=asked.seed)
        began = time.perf_counter()
        mean, single, rounds, earned = half_widths(played, game, values)
        seconds = time.perf_counter() - began
        ratios = [(one / earned) ** 2 if earned > 1e-12 else inf for one in (single, rounds)]
        widths = "".join(f"{one:11.4f}" for one in (mean, single, rounds, earned))
        print(f"{name:42}{widths}{ratios[0]:11.1f}{ratios[1]:11.1f}{seconds:11.2f}", flush=True)


if __name__ == "__main__":
    main()
