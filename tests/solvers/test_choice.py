"""Which method is taken for which game, and what is said where one does not apply."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from infoset import games, solve
from infoset.errors import InfosetError, NotApplicable, NotProved, TooLarge
from infoset.solvers import lp
from infoset.solvers.cost import minimization_seconds, program_seconds
from infoset.solvers.registry import SOLVERS, Solver, choose
from infoset.solvers.settings import Settings
from infoset.strategy import profile
from infoset.tree import Tree, matrix_game
from tests.oracles.published import methods

CHOSEN = (
    (games.kuhn(), "lp", "2 players, zero sum, perfect recall"),
    (games.kuhn(players=3), "qre", "3 players, perfect recall"),
    (games.prisoners_dilemma(), "lcp", "2 players, general sum, perfect recall"),
    (
        matrix_game([[3, 1], [0, 2]], [[1, 3], [4, 2]]),
        "lp",
        "2 players, constant sum, perfect recall",
    ),
    (games.blair_g1(), "backward", "one player, perfect information"),
    (games.blair_g2(), "normal-lp", "one player, imperfect recall"),
    (games.blair_g2(variant="unseen"), "imp-alphabeta", "one player, perfect recall"),
    (games.absent_minded(), "lemke-howson", "2 players, general sum, imperfect recall"),
    (games.centipede(), "backward", "2 players, perfect information"),
    (games.tic_tac_toe(size=2, line=2), "backward", "2 players, perfect information"),
    (games.seltens_horse(), "qre", "3 players, perfect recall"),
    (games.tricks(), "behaviour", "2 players, zero sum, imperfect recall"),
)


@pytest.mark.parametrize(("game", "method", "because"), CHOSEN, ids=lambda given: str(given))
def test_the_method_follows_from_the_game(game: Any, method: str, because: str) -> None:
    solution = solve(game)
    assert (solution.method, solution.because) == (method, because)
    assert solution.certificate == "exact"


def test_a_method_that_is_asked_for_says_so() -> None:
    assert solve(games.kuhn(), "lcp").because == "as asked"


# Estimated seconds of the linear program: 0.00 (kuhn), then 0.08, 0.58, 1.1 and 4.8; loading: 0.6.
TARGETS = (
    (games.kuhn(), 0.01, "lp"),
    (games.leduc(), 0.5, "lp"),
    (games.liars_dice(sides=5), 0.1, "lp"),
    (games.leduc(ranks=6), 0.01, "discounted-cfr"),
    (games.leduc(ranks=6), 1e-4, "discounted-cfr"),
    (games.leduc(ranks=6), 1e-9, "lp"),
    (games.leduc(ranks=6), 0, "lp"),
    (games.leduc(ranks=6), None, "lp"),
    (games.leduc(ranks=9), 1e-6, "discounted-cfr"),
    (games.leduc(ranks=9), 1e-12, "lp"),
    (games.prisoners_dilemma(), 0.1, "lcp"),
    (games.kuhn(players=3), 0.1, "qre"),
    (games.tic_tac_toe(size=2, line=2), 0.1, "backward"),
)


@pytest.mark.parametrize(("game", "regret", "method"), TARGETS, ids=str)
def test_a_regret_is_reached_by_what_is_estimated_to_be_done_first(
    game: Any, regret: float | None, method: str
) -> None:
    tree = game.tree()
    row, because = choose(tree, settings=Settings(regret=regret))
    assert row.name == method
    assert choose(tree, settings=Settings(regret=regret), exact=True)[0].name != "discounted-cfr"
    assert choose(tree, "lp" if method == "discounted-cfr" else None)[0].name != "discounted-cfr"
    if method == "discounted-cfr":
        sequences = sum(map(tree.sequences, tree.names))
        assert f"{regret:g}" in because
        assert f"{sequences:,} sequences" in because


def test_the_choice_by_a_regret_is_the_one_that_the_pages_state() -> None:
    for sequences, payoffs, accuracy in ((9_410, 53_568, 1e-4), (6_610, 862_722, 2.5e-4)):
        program = 0.5e-6 * sequences * payoffs**0.5
        passes = 0.6 + 2 / accuracy**0.5 * 1.2e-9 * (sequences + payoffs)
        assert program_seconds(sequences, payoffs) == pytest.approx(program)
        assert minimization_seconds(sequences, payoffs, accuracy) == pytest.approx(passes)
    assert minimization_seconds(1, 1, 0) == float("inf")


def test_the_same_on_public_forms() -> None:
    small, large = games.leduc().public(), games.leduc(ranks=9).public()
    assert solve(small, regret=0.1).method == "lp"
    found = solve(large, regret=0.1)
    assert found.method == "discounted-cfr"
    assert found.regret <= 0.1
    assert f"{sum(large.sequences):,} sequences" in found.because
    assert "0.1" in found.because


TREES = [game.tree() for game, _, _ in CHOSEN]  # each is built once, for all methods
PAIRS = [(row, tree) for tree in TREES for row in SOLVERS if row.lacks(tree)]


@pytest.mark.parametrize(("row", "tree"), PAIRS, ids=lambda given: getattr(given, "name", ""))
def test_methods_that_do_not_apply_say_what_is_lacking(row: Solver, tree: Tree) -> None:
    with pytest.raises(NotApplicable) as refusal:
        solve(tree, row.name)
    said = str(refusal.value)
    assert "\n" not in said
    assert said.startswith(f"{tree.name}: {row.name} does not apply: ")
    lacks, _, instead = said.rpartition("; ")
    count = len(tree.players)
    least, most = row.players
    if count < least or (most is not None and count > most):
        assert re.search(rf"players?.* this game has {count}", lacks)
    elif row.constant_sum and count == 2 and not tree.constant_sum:
        assert "zero-sum" in lacks
        assert str(tree.constant_sum.because) in lacks
    elif row.perfect_recall and not tree.perfect_recall:
        assert "perfect recall" in lacks
        assert "forgets" in lacks
    else:
        assert ("up to simultaneous moves" if row.simultaneous else "perfect information") in lacks
    if row.gives == "reply":
        assert "best response" in instead
        return
    others = [other.name for other in SOLVERS if not other.lacks(tree) and other.suits(row)]
    assert others
    assert instead == f"these do apply: {', '.join(others)}"


def test_every_kind_of_lack_is_met() -> None:
    picky = {row.name for row in SOLVERS if row.takes != "any number of players, any recall"}
    assert {row.name for row, _ in PAIRS} == picky
    assert len(PAIRS) >= 20


def test_unknown_methods_get_a_hint() -> None:
    with pytest.raises(InfosetError, match="no method 'lcpp'; did you mean 'lcp'"):
        solve(games.kuhn(), "lcpp")
    with pytest.raises(InfosetError, match="no method ''; known: 'backward'"):
        solve(games.kuhn(), "")


@pytest.mark.parametrize("method", ["normal-lp", "lemke-howson"])
def test_a_normal_form_that_is_too_large_names_its_size(method: str) -> None:
    with pytest.raises(TooLarge, match=re.escape("1,594,323 × 67,108,864")) as refusal:
        solve(games.kuhn(ranks=13), method)
    assert "53 × 53" in str(refusal.value)  # the sequence form would do


def test_anything_that_is_a_game_is_taken() -> None:
    table = matrix_game([[1, -1], [-1, 1]])
    given = (
        games.matching_pennies,
        games.matching_pennies(),
        games.matching_pennies().tree(),
        table,
    )
    assert [solve(game).value for game in given] == [0] * 4
    assert games.matching_pennies().solve().value == 0


# ---------------------------------------------------------------------- how exactly, how long

SHORT = [
    games.kuhn(),
    games.kuhn(ranks=13),
    games.leduc(ranks=2),
    games.prisoners_dilemma(),
    games.oil_pricing(),
    games.blair_g2(),
    games.blair_g2(variant="unseen"),
    games.absent_minded(),
    games.centipede(),
]


@pytest.mark.parametrize("game", SHORT, ids=repr)
def test_without_time_there_is_an_answer_all_the_same(game: Any) -> None:
    tree = game.tree()
    for method in methods(tree):
        solution = solve(tree, method, seconds=0.0)
        assert solution.proved
        again = profile(solution.strategy)
        assert (again.payoffs, again.regrets) == (solution.payoffs, solution.regrets)
        assert solution.regret >= 0
        if method == "backward":
            assert (solution.regret, solution.note) == (0, "")
            continue
        # A small program may be done before anyone looks at the clock.
        assert solution.note.startswith("stopped") or (solution.exact and not solution.note)
        assert solution.note in str(solution)
        if solution.regret:
            assert solution.certificate.startswith("regret at most ")
            assert solution.note


def test_an_exact_answer_that_there_is_no_time_for_is_refused() -> None:
    for method in ("lcp", "lemke-howson"):
        with pytest.raises(NotProved, match=rf"{method} .*\(stopped"):
            solve(games.kuhn(), method, seconds=0.0, exact=True)


@pytest.mark.parametrize("method", ["lp", "normal-lp"])
def test_stopping_keeps_what_floats_have_found(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The floats are done; while exact arithmetic is at work someone has enough."""
    enough: list[object] = []
    monkeypatch.setattr(lp, "vertex", lambda *_: enough.append("stop"))
    monkeypatch.setattr(lp, "refined", lambda *_: None)
    solution = solve(games.kuhn(), method, stop=lambda: bool(enough))
    assert enough
    assert solution.note == lp.UNPROVED
    assert 0 <= solution.regret < 1e-9


@pytest.mark.parametrize("method", ["lp", "normal-lp"])
def test_where_floats_fail_pivots_are_exact(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lp, "vertex", lambda *_: None)
    monkeypatch.setattr(lp, "refined", lambda *_: None)
    for game, value in ((games.kuhn(), Fraction(-1, 18)), (games.blair_g2(variant="unseen"), 0)):
        solution = solve(game, method)
        assert (solution.value, solution.certificate) == (value, "exact")


@pytest.mark.parametrize("game", SHORT[:5], ids=repr)
def test_exact_or_floats(game: Any) -> None:
    tree = game.tree()
    for method in methods(tree):
        proved, approximate = (solve(tree, method, exact=wanted) for wanted in (True, False))
        assert (proved.exact, proved.certificate) == (True, "exact")
        assert approximate.proved
        assert 0 <= approximate.regret < 1e-6
        assert approximate.note == ""
        low, high = approximate.value_bounds or (0, 0)
        assert low <= high
        if proved.value is not None:
            assert low <= proved.value <= high
            assert high - low <= 2 * approximate.regret


def test_value_bounds_are_none_without_a_value() -> None:
    solution = solve(games.prisoners_dilemma())
    assert solution.value is None
    assert solution.value_bounds is None


def test_the_one_who_listens_hears_how_far_it_is() -> None:
    heard: list[str] = []
    solve(games.leduc(ranks=2), "lp", tick=heard.append)
    assert any("linear program of" in word for word in heard)
    assert heard[-1] == "verifying"
    heard.clear()
    solve(games.leduc(ranks=2), "lcp", tick=heard.append)
    assert any(word.endswith(" pivots") for word in heard)


def test_a_solution_says_how_it_was_come_by() -> None:
    solution = solve(games.kuhn(), "lcp")
    assert solution.work["pivots"] > 0
    assert solution.seconds > 0
    assert repr(solution) == "<Solution of kuhn() by lcp: exact>"
    with pytest.raises(TypeError):
        solution.work["pivots"] = 0  # type: ignore[index]
