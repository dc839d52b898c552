"""Where exact methods hand over to regret minimization: by size, by time, on request."""

from __future__ import annotations

import random
import time
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from infoset import Solution, Tree, solve
from infoset.errors import NotProved
from infoset.games import goofspiel, kuhn, leduc, prisoners_dilemma
from infoset.linear import highs
from infoset.linear.program import Program
from infoset.solvers import lp
from infoset.solvers.registry import SOLVERS, choose, solver
from infoset.solvers.settings import CHECKS, RunKeywords, Settings
from infoset.tree import matrix_game


@pytest.fixture(scope="module")
def tree() -> Tree:
    return leduc(ranks=6).tree()


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every linear program is stopped after three iterations."""

    def minimize(program: Program, *others: object) -> highs.FloatOptimum:
        rows, columns = program.shape
        return highs.FloatOptimum(
            np.zeros(columns), np.zeros(rows), None, 3, "simplex", stopped=True
        )

    monkeypatch.setattr(highs, "minimize", minimize)
    monkeypatch.setattr(lp, "MOST_RESERVED", 1.5)


@pytest.mark.usefixtures("stopped")
def test_a_stopped_program_hands_over(tree: Tree) -> None:
    for game in (tree, leduc(ranks=6).public()):
        solve(game, "discounted-cfr", iterations=1)  # loads what it needs, which takes no such time
        solution = solve(game, "lp")
        assert solution.note == "stopped before the end; these strategies are from discounted-cfr"
        assert (solution.method, solution.because) == ("discounted-cfr", "lp was stopped")
        assert solution.work["iterations"] == 3
        assert solution.work["iterations of regret"] > 0
        assert solution.regret < 2  # in a second; of uniform play it is 2.7


@pytest.mark.usefixtures("stopped")
def test_where_an_exact_answer_is_asked_for_none_other_is_given() -> None:
    with pytest.raises(NotProved):
        solve(leduc(ranks=6).public(), exact=True)


def test_who_asks_to_stop_is_answered_soon(tree: Tree) -> None:
    began = time.process_time()
    solution = solve(tree, "lp", stop=lambda: True)
    assert time.process_time() - began < lp.MOST_RESERVED
    assert solution.exact or solution.regret < Fraction(1, 20)


def test_floats_that_are_solved_are_not_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """If time runs out while it is proved, the program's own floats are the answer."""
    draw = random.Random(7)
    amounts = [[draw.randrange(-99, 100) for _ in range(40)] for _ in range(40)]
    game = matrix_game(amounts, [[-amount for amount in row] for row in amounts])
    monkeypatch.setattr(lp, "vertex", lambda *given: None)
    monkeypatch.setattr(lp, "refined", lambda *given: None)
    monkeypatch.setattr("infoset.solvers.options.Options.over", lambda self: True)
    solution = solve(game, "lp")
    assert solution.note == lp.UNPROVED
    assert solution.regret < Fraction(1, 10**6)


def test_a_game_that_regret_minimization_refuses_is_answered_all_the_same() -> None:
    tiny = Fraction(1, 10**305)
    game = matrix_game([[tiny, -tiny], [-tiny, tiny]], [[-tiny, tiny], [tiny, -tiny]])
    solution = solve(game, "lp", seconds=0)
    assert solution.proved


def test_chosen_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = goofspiel(cards=4).tree()
    assert choose(tree)[0].name == "lp"
    rows = {"lp": (100, 100), "lcp": (100, 0), "qre": (100, 0)}
    for name, sizes in rows.items():
        monkeypatch.setitem(solver(name).__dict__, "size_limit", sizes)
    row, because = choose(tree)
    assert row.name == "discounted-cfr"
    assert "too large for an exact method (682 sequences, " in because
    assert choose(tree, exact=True)[0].name == "lp"
    assert choose(kuhn().tree())[0].name == "lp"
    assert choose(prisoners_dilemma().tree())[0].name == "lcp"
    assert choose(kuhn(players=3, ranks=6).tree())[0].name == "discounted-cfr"


def test_as_many_payoffs_with_few_sequences_are_no_trouble(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(solver("lp").__dict__, "size_limit", (60, 100))
    wide = matrix_game(np.arange(400).reshape(10, 40) % 7)  # 52 sequences, over 300 payoffs
    assert choose(wide.tree())[0].name == "lp"
    wider = matrix_game(np.arange(800).reshape(10, 80) % 7)
    assert choose(wider.tree())[0].name != "lp"


def test_the_course_is_saved(tmp_path: Path) -> None:
    solution = solve(kuhn(), "cfr+", iterations=50)
    solution.save(tmp_path / "kuhn.json")
    again = Solution.load(tmp_path / "kuhn.json", kuhn())
    assert again.convergence == solution.convergence
    assert again.convergence is not None
    assert again.convergence.points[-1].iterations == 50


def test_settings_have_one_set_of_names() -> None:
    names = {field.name for field in fields(Settings)}
    assert names == set(CHECKS) == set(RunKeywords.__annotations__)
    assert all(one.metadata["help"].endswith(".") for one in fields(Settings))


def test_the_family_is_chosen_unasked_once() -> None:
    assert [row.name for row in SOLVERS if row.family == "cfr" and row.automatic] == [
        "discounted-cfr"
    ]
