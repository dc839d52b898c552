"""What score bounds gain in Monte Carlo tree search: the table of the textbook's page.

    python benchmarks/search/score_bounds.py

Of each position, the iterations until it is solved; and those of the same search without bounds
after which its mean stays within 0.05 of the value, watched for 20,000. One run each, the same in
every run of this program.
"""

from __future__ import annotations

from random import Random
from typing import Any

from infoset.games import goofspiel, tic_tac_toe
from infoset.search import ScoreBoundedSearch, search_score_bounded

WATCHED = 20_000
START = tic_tac_toe().position()
POSITIONS = {
    "tic-tac-toe after b2, b1": START.after("b2").after("b1"),
    "tic-tac-toe after b2, a1": START.after("b2").after("a1"),
    "Goofspiel, 3 cards": goofspiel(cards=3).position(),
    "Goofspiel, 3 cards, points, random order": goofspiel(
        cards=3, order="random", points=True
    ).position(),
    "Goofspiel, 4 cards": goofspiel(cards=4).position(),
    "Goofspiel, 5 cards": goofspiel(cards=5).position(),
}


def within(position: Any, value: float) -> int:
    """The iterations after which the mean without bounds stays close to the value."""
    plain = ScoreBoundedSearch(position.game, position, score_bounds=False, random=Random(1))
    last = 0
    for at in range(1, WATCHED + 1):
        plain.iterate()
        if abs(plain.result().value - value) > 0.05:
            last = at
    return last + 1


def main() -> None:
    """Print the table."""
    print(f"{'position':42}{'value':>6}{'solved':>9}{'mean':>9}")
    for name, position in POSITIONS.items():
        found = search_score_bounded(position, random=Random(1))
        assert found.solved
        mean = within(position, float(found.value))
        print(f"{name:42}{found.value!s:>6}{found.iterations:9,}{mean:9,}", flush=True)


if __name__ == "__main__":
    main()
