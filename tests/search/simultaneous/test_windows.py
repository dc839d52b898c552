"""The theorem of Saffidine, Finnsson & Buro 2012: what a search with a window says is true.

When SMAB is called with α < β and returns v, then v ≤ α means value ≤ v, v ≥ β means value ≥ v, and
anything in between is the value. The same is asked of double oracle with bounds, and of the
searches by turns, whose value lies to one side of the game's.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from infoset import Play, game
from infoset.games import matching_pennies
from infoset.search import smab
from infoset.search.simultaneous.oracle import Serialized
from tests.search.simultaneous.stacked import ENDLESS, MOST, PLAYERS, positions, searcher, stacked

SEEDS = st.integers(0, 10**6)
ENDS = st.tuples(st.integers(-3 * MOST - 1, 3 * MOST), st.integers(1, 4 * MOST)).map(
    lambda pair: (Fraction(pair[0], 3), Fraction(pair[0] + pair[1], 3))
)
SETTINGS = st.fixed_dictionaries(
    {
        "order": st.sampled_from(("l-shaped", "lexicographic")),
        "moves": st.sampled_from(("given", "reversed")),
        "skip": st.integers(0, 2),
        "dominance": st.booleans(),
        "deep": st.booleans(),
        "cutoffs": st.booleans(),
        "leaves_first": st.booleans(),
        "static_bound": st.booleans(),
        "drop_crossed": st.booleans(),
        "epsilon": st.sampled_from((None, Fraction(1, 7), 10)),
    }
)


def says_true(found: Any, alpha: Any, beta: Any, value: Any, tie: float = 0) -> bool:
    """Is what a search returned true of the value?"""
    if found <= alpha:
        return bool(value <= found + tie)
    if found >= beta:
        return bool(value >= found - tie)
    return bool(abs(value - found) <= tie)


@settings(max_examples=12, deadline=None)
@given(SEEDS, ENDS, SETTINGS, st.booleans())
def test_smab_says_the_truth_of_every_window(
    seed: int, window: Any, options: dict[str, Any], table: bool
) -> None:
    whole = stacked(seed, depth=2, widest=4)
    truth = searcher(whole, "backward-induction", exact=True)
    exact = searcher(whole, "smab", exact=True, transpositions=table, **options)
    floats = searcher(whole, "smab", transpositions=table, **options)
    for position in list(positions(whole.position()))[:40]:
        value = truth.value(position, ENDLESS)
        for alpha, beta in (
            window,
            (value - 1, value),
            (value, value + 1),
            (value - 1, value + 1),
        ):
            found = exact.search(position, alpha, beta, ENDLESS)
            assert says_true(found, alpha, beta, value), (found, alpha, beta, value)
            ends_of = tuple(map(floats.session.amount, (alpha, beta)))
            found = floats.search(position, *ends_of, ENDLESS)
            assert says_true(found, *ends_of, floats.session.amount(value), 1e-8)


@settings(max_examples=12, deadline=None)
@given(SEEDS, ENDS, st.booleans())
def test_double_oracle_says_the_truth_of_every_window(seed: int, window: Any, table: bool) -> None:
    whole = stacked(seed, depth=2, widest=4)
    truth = searcher(whole, "backward-induction", exact=True)
    method = "double-oracle-alphabeta"
    exact = searcher(whole, method, exact=True, transpositions=table)
    for position in list(positions(whole.position()))[:40]:
        value = truth.value(position, ENDLESS)
        for alpha, beta in (window, (value - 1, value), (value, value + 1)):
            found = exact.search(position, alpha, beta, ENDLESS)
            assert says_true(found, alpha, beta, value), (found, alpha, beta, value)


@settings(max_examples=12, deadline=None)
@given(SEEDS, ENDS)
def test_moving_in_turn_bounds_the_value_from_both_sides(seed: int, window: Any) -> None:
    whole = stacked(seed, depth=2)
    truth = searcher(whole, "backward-induction", exact=True)
    turns = Serialized(truth.session)
    wide = (-MOST - 1, MOST + 1)
    for position in positions(whole.position()):
        value = truth.value(position, ENDLESS)
        lower = turns.lower(position, *wide, ENDLESS)
        upper = turns.upper(position, *wide, ENDLESS)
        assert lower <= value <= upper
        for search, truly in ((turns.lower, lower), (turns.upper, upper)):
            assert says_true(search(position, *window, ENDLESS), *window, truly)


def test_moving_in_turn_costs_who_shows_its_coin() -> None:
    whole = matching_pennies()
    turns = Serialized(searcher(whole.tree(), "backward-induction", exact=True).session)
    start = turns.session.game.start
    assert turns.lower(start, -2, 2, ENDLESS) == -1
    assert turns.upper(start, -2, 2, ENDLESS) == 1
    assert turns.session.counts["serialized"] == 2


def test_a_position_below_its_window_is_worth_no_more_than_what_is_returned() -> None:
    """Where Algorithm 1 as printed returns −10, the position is worth −1: here 0 is returned."""

    @game(players=("ann", "bob"), bounds=(-10, 10))
    def two_rows(g: Play) -> object:
        row, column = g.together({"ann": (0, 1), "bob": (0, 1)}).values()
        worth = ((5, -10), (-1, -1))[row][column]
        return worth, -worth

    search = searcher(two_rows(), "smab", exact=True, leaves_first=False, cutoffs=False)
    assert search.search(two_rows().position(), 0, 5, ENDLESS) == 0
    assert search.search(two_rows().position(), -2, 5, ENDLESS) == -1


@settings(max_examples=12, deadline=None)
@given(SEEDS, st.integers(0, 100))
def test_heuristic_bounds_prune_and_change_no_value(seed: int, salt: int) -> None:
    whole = stacked(seed)
    truth = searcher(whole, "backward-induction", exact=True)
    known: dict[Any, Any] = {}

    def around(position: Any) -> tuple[Any, Any]:
        if position not in known:
            value = truth.value(position, ENDLESS)
            slack = hash((salt, position.moves)) % 3
            known[position] = (value - slack, value + (slack + salt) % 4)
        return known[position]

    start = whole.position()
    for method in ("smab", "double-oracle-alphabeta"):
        helped = searcher(whole, method, exact=True, heuristic_bounds=around)
        assert helped.value(start, ENDLESS) == truth.value(start, ENDLESS)
        exactly = searcher(
            whole,
            method,
            exact=True,
            heuristic_bounds=lambda position: (truth.value(position, ENDLESS),) * 2,
        )
        assert exactly.value(start, ENDLESS) == truth.value(start, ENDLESS)
        assert exactly.session.counts["nodes"] == 0


@dataclass(frozen=True)
class Forced:
    """A matrix, and then moves of which there is one."""

    moves: tuple[Any, ...] = ()

    @property
    def over(self) -> bool:
        return len(self.moves) == 3

    @property
    def movers(self) -> tuple[str, ...]:
        return () if self.over else PLAYERS if len(self.moves) < 2 else PLAYERS[1:]

    @property
    def payoffs(self) -> dict[str, Fraction]:
        row, column = self.moves[0]
        won = Fraction(((3, -1), (-2, 1))[row][column])
        return {"ann": won, "bob": -won}

    def options(self, player: str) -> tuple[Any, ...]:
        return ("on",) if self.moves else (0, 1)

    def chances(self) -> tuple[()]:
        return ()

    def after(self, move: Any) -> Forced:
        return Forced((*self.moves, move))

    def view(self, player: str) -> Any:
        return self.moves


class ForcedGame:
    """The game of these positions."""

    players, name = PLAYERS, "forced"

    def position(self) -> Forced:
        return Forced()


def test_cells_from_which_the_play_is_forced_are_known_at_once() -> None:
    at_once = smab(ForcedGame(), bounds=(-3, 3), exact=True)
    searched = smab(ForcedGame(), bounds=(-3, 3), exact=True, leaves_first=False)
    assert at_once.value == searched.value == Fraction(1, 7)
    assert (at_once.work["nodes"], searched.work["nodes"]) == (1, 9)
    assert at_once.work["leaves"] == 4
    assert at_once.work["skipped"] == 0
    assert at_once.decide() == searched.decide()
