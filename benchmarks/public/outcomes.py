"""The abstraction of 2005, done again: hands that win as often are taken as one. Does it lose?

    python benchmarks/public/outcomes.py            Rhode Island hold'em, some ten minutes
    python benchmarks/public/outcomes.py --quick    a small deck, solved exactly

Gilpin and Sandholm's linear program for Rhode Island hold'em has 1,237,238 rows and 50,428,638
coefficients after abstraction. Both numbers come out if hands are told apart by their *outcomes*:

    on the turn    a card and the board: against how many of the other cards it wins, and ties;
    on the flop    how many turns lead to each of these;
    before it      how many flops lead to each of those.

How often a hand wins is less than what it wins against, and cards that were bet on are not equally
likely. So here players who see outcomes only meet players who see cards: what can they make sure
of? If that is less than the value of the game, the abstraction has lost it, whatever equilibrium of
it is found. Values are bounds by best replies of both, in floats; with --quick, fractions.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

import numpy as np
from clocks import cores
from measure import show, verdict

from infoset import solve
from infoset.forms.public.merge import BLURRED, Merging, merged_by
from infoset.forms.public.record import PayoffTable, PublicForm
from infoset.games import rhode_island
from infoset.games.rhode_island import strength
from infoset.objects import Card, Deck
from infoset.solvers.solution import Solution
from infoset.strategy.public import public_profile
from infoset.tree.knowledge import Word

PUBLISHED = (1_237_238, 50_428_638)  # rows, coefficients
REGRET = 0.0025  # of a player: a twentieth of a percent of the ante


def outcomes(deck: Deck) -> Callable[[tuple[Word, ...]], Hashable]:
    """The outcome of the cards among a player's words: its own, the flop, the turn."""

    @cache
    def ranked(*board: Card) -> dict[Card, tuple[int, int]]:
        """[card] against how many others it wins, and ties."""
        strengths = {card: strength(card, *board) for card in deck if card not in board}
        several, below = Counter(strengths.values()), 0
        found = {}
        for one in sorted(several):
            found[one] = (below, several[one] - 1)
            below += several[one]
        return {card: found[one] for card, one in strengths.items()}

    @cache
    def outcome(*cards: Card) -> Hashable:
        if len(cards) == 3:
            return ranked(*cards[1:])[cards[0]]
        later = Counter(outcome(*cards, card) for card in deck if card not in cards)
        return frozenset(later.items())

    return lambda words: outcome(*(word.value for word in words if isinstance(word.value, Card)))


def program(form: PublicForm) -> tuple[int, int]:
    """Rows and coefficients of the linear program of the sequence form."""
    pairs = [_pairs(table) for table in form.tables]
    paid = sum(pairs[end.table] for end in form.leaves)
    plans = sum(  # at a set: one for the sequence before it, and one for each option
        len(decision) * (1 + len(decision.menu)) for own in form.decisions for decision in own
    )
    return form.sequences[0] + form.infosets[1] + 1, paid + plans + 2


def _pairs(table: PayoffTable) -> int:
    """How many pairs of sets get anything, all blocks together."""
    height, width = (
        1 + max(int(sets.max()) for sets in side)
        for side in zip(*((block.rows, block.columns) for block in table.blocks), strict=True)
    )
    whole = np.zeros((height, width), np.int64)
    for block in table.blocks:
        whole[np.ix_(block.rows, block.columns)] += block.entries
    return int(np.count_nonzero(whole))


def measured(form: PublicForm, exact: bool) -> Solution:
    """An equilibrium of a form."""
    if exact:
        return solve(form, method="lp")
    return solve(form, regret=REGRET, prove=False, workers=cores())


def bounds(solution: Solution) -> str:
    """Where the value of a form lies."""
    low, high = solution.value_bounds
    return str(low) if low == high else f"{low:.5f} to {high:.5f}"


def report(quick: bool) -> None:
    """The published counts, and who loses how much by seeing outcomes only."""
    game = rhode_island(ranks=4, suits=1, raises=1) if quick else rhode_island()
    key = outcomes(Deck(game.params["ranks"], game.params["suits"]))
    whole = game.public()
    both, nobody = merged_by(whole, key), merged_by(whole, key, players=())
    rows, coefficients = program(both.form)
    print(f"{game}, if both see outcomes only: {rows:,} rows and {coefficients:,} coefficients")
    if not quick:
        said = verdict((rows, coefficients) == PUBLISHED)
        print(f"published: {PUBLISHED[0]:,} and {PUBLISHED[1]:,} ({said})")
    print(flush=True)
    mergings = {
        "nobody": nobody,
        "both": both,
        "player one": _seeing(both, nobody),
        "player two": _seeing(nobody, both),
    }
    answers = {}
    for who, merging in mergings.items():
        print(f"solving: {who} ...", file=sys.stderr, flush=True)
        answers[who] = measured(merging.form, quick)
    lines = [[who, bounds(answer)] for who, answer in answers.items()]
    show(["who sees outcomes only", "value of player one"], lines)
    print("If both play as if there were outcomes only, one of them can gain by seeing cards:")
    for player, regret in lifted(both, answers["both"]).items():
        print(f"player {player} {float(regret):.4f}")


def _seeing(one: Merging, two: Merging) -> Merging:
    """Player one sees what it sees in one merging, player two what it sees in the other."""
    return Merging(one.whole, (one.classes[0], two.classes[1]), BLURRED)


def lifted(merging: Merging, answer: Solution) -> dict[str, Any]:
    """What each player could gain in the whole game, against an equilibrium of the abstraction."""
    plans = tuple(
        plan[merging.sequences[player]] for player, plan in enumerate(answer.evaluation.plans)
    )
    return public_profile(merging.whole, plans).regrets


def main() -> None:
    parser = argparse.ArgumentParser(description="Does the abstraction of 2005 lose?")
    parser.add_argument("--quick", action="store_true", help="a small deck, exactly")
    report(parser.parse_args().quick)


if __name__ == "__main__":
    main()
