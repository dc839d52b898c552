"""Every kind of result and every operation on it: all of them work, or say in one line why not.

The same table is printed in the documentation (docs/reference/results.md), from ``MATRIX`` here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from infoset import Solution, analysis, compare, correlated, safe, sample, solve, uniform
from infoset.errors import InfosetError, NotApplicable
from infoset.games import absent_minded, goofspiel, kuhn, matching_pennies, rhode_island
from infoset.search import imp_minimax, smab
from infoset.solvers.evaluation import Evaluation
from infoset.solvers.sampling.exploitability import Estimate
from infoset.strategy import Profile

MATRIX = Path(__file__).parents[2] / "docs" / "reference" / "results.md"


def _safe() -> Solution:
    return safe(uniform(kuhn().tree(), "dealer"), Fraction(1, 20))


# Kind of result: how it comes about. All but the last two rows are of kuhn().
KINDS: dict[str, Callable[[], Solution]] = {
    "tree, exact": lambda: solve(kuhn()),
    "tree, several equilibria": lambda: solve(kuhn(), "enumerate"),
    "tree, regret minimization": lambda: solve(kuhn(), "cfr+", iterations=50),
    "public form, exact": lambda: solve(kuhn().public()),
    "public form, regret minimization": lambda: solve(kuhn().public(), "cfr+", iterations=50),
    "sampled": lambda: sample(kuhn(), iterations=400),
    "search": lambda: imp_minimax(kuhn()),
    "safe strategy": _safe,
    "search of simultaneous moves": lambda: smab(goofspiel(cards=3), exact=True),
    "correlated": lambda: correlated(kuhn(), "efce"),
}
JOINT = "correlated"
GOOFSPIEL = "search of simultaneous moves"


@cache
def found(kind: str) -> Solution:
    return KINDS[kind]()


def _strategy(solution: Solution) -> Any:
    return {
        player: {label: dict(own[label]) for label in own}
        for player, own in solution.strategy.items()
    }


def _saved(solution: Solution, tmp_path: Path) -> Solution:
    solution.save(tmp_path / "saved")
    return Solution.load(tmp_path / "saved", solution.tree if "goof" in solution.name else kuhn())


def _place(solution: Solution) -> str:
    return "#1" if "goof" in solution.name else "gambler: Q"


def _action(solution: Solution) -> object:
    return 1 if "goof" in solution.name else "bet"


OPERATIONS: dict[str, Callable[[Solution, Path], Any]] = {
    "strategy": lambda one, _: _strategy(one),
    "value": lambda one, _: one.value,
    "payoffs": lambda one, _: one.payoffs,
    "regret": lambda one, _: one.regret,
    "exploitability": lambda one, _: one.exploitability,
    "certificate": lambda one, _: one.certificate,
    "table": lambda one, _: str(one.table()),
    "plot": lambda one, folder: one.plot(file=folder / "plot.svg"),
    "draw": lambda one, folder: one.draw(folder / "tree.svg"),
    "csv": lambda one, _: one.csv(),
    "save and load": _saved,
    "str": lambda one, _: str(one) + one._repr_html_(),
    "on_tree": lambda one, _: one.on_tree(),
    "beliefs": lambda one, _: str(analysis.beliefs(one, _place(one))),
    "action_values": lambda one, _: str(analysis.action_values(one, _place(one))),
    "deviation": lambda one, _: str(analysis.deviation(one, _place(one), _action(one))),
    "outcome": lambda one, _: str(analysis.outcome(one)),
    "plays": lambda one, _: str(analysis.plays(one)),
    "best_reply": lambda one, _: str(analysis.best_reply(one, one.players[0])),
    "unreached": lambda one, _: str(analysis.unreached(one)),
    "compare": lambda one, _: str(compare(one, one)),
}
QUESTIONS = ("beliefs", "action_values", "deviation", "outcome", "plays", "best_reply")
QUESTIONS += ("unreached", "compare")
# What has no meaning for a joint distribution over profiles; the message names the alternative.
MEANINGLESS = {JOINT: ("strategy", "plot", "draw", "on_tree", *QUESTIONS)}
# What is computed on the tree, which is built when it is asked for.
PUBLIC = ("draw", "on_tree", *QUESTIONS)
SAMPLED = ("value", "regret", *PUBLIC)
SEARCHED = ("strategy", "payoffs", "regret", "exploitability", "table", "plot", "csv")
SEARCHED += ("save and load", *PUBLIC)
NEEDS_TREE = {
    "public form, exact": PUBLIC,
    "public form, regret minimization": PUBLIC,
    "sampled": SAMPLED,
    "search": SEARCHED,
    GOOFSPIEL: SEARCHED,
}
CELLS = ("yes", "on the tree", "no")


def cell(kind: str, operation: str) -> str:
    """What the documentation says of an operation on a kind of result."""
    if operation in MEANINGLESS.get(kind, ()):
        return "no"
    return "on the tree" if operation in NEEDS_TREE.get(kind, ()) else "yes"


def rendered() -> str:
    """The matrix as the documentation prints it: a row for each operation."""
    rows = [["", *KINDS], ["---"] * (1 + len(KINDS))]
    rows += [[f"`{name}`", *(cell(kind, name) for kind in KINDS)] for name in OPERATIONS]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_on_every_kind(kind: str, operation: str, tmp_path: Path) -> None:
    solution, run = found(kind), OPERATIONS[operation]
    if operation in MEANINGLESS.get(kind, ()):
        with pytest.raises(
            NotApplicable, match=r"joint distribution.*; table\(\) shows"
        ) as refusal:
            run(solution, tmp_path)
        assert "\n" not in str(refusal.value)
    else:
        assert run(solution, tmp_path) is not None or operation == "value"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != JOINT])
def test_numbers_agree_with_those_on_the_tree(kind: str) -> None:
    """Whatever represents the game, its tree gives the same payoffs and regrets."""
    solution, placed = found(kind), found(kind).on_tree()
    for player, payoff in solution.payoffs.items():
        room = 6 * payoff.error + 1e-9 if isinstance(payoff, Estimate) else 1e-9
        assert abs(payoff - placed.payoffs[player]) <= room
    assert solution.regrets == pytest.approx(placed.regrets, abs=1e-9)
    assert isinstance(solution.profile, Profile)
    for player, own in solution.strategy.items():
        assert {*own} <= {*placed.strategy[player]}


@pytest.mark.parametrize("kind", KINDS)
def test_exact_results_are_fractions(kind: str) -> None:
    solution = found(kind)
    assert solution.exploitability == sum(solution.regrets.values())
    assert solution.regret == max(solution.regrets.values())
    if solution.exact and kind != "search of simultaneous moves":
        numbers = [*solution.payoffs.values(), *solution.regrets.values()]
        assert all(isinstance(number, Fraction) for number in numbers)
        assert kind == JOINT or all(
            isinstance(probability, Fraction)
            for own in _strategy(solution).values()
            for probabilities in own.values()
            for probability in probabilities.values()
        )


def test_one_type_over_one_protocol() -> None:
    assert {type(found(kind)) for kind in KINDS} == {Solution}
    assert all(isinstance(found(kind).evaluation, Evaluation) for kind in KINDS)
    assert len({type(found(kind).evaluation) for kind in KINDS}) == 5


@pytest.mark.parametrize(
    "kind", ["tree, exact", "public form, exact", "correlated", "safe strategy"]
)
def test_saved_and_loaded_is_the_same(kind: str, tmp_path: Path) -> None:
    solution = found(kind)
    read = _saved(solution, tmp_path)
    assert (read.method, read.payoffs, read.regrets) == (
        solution.method,
        solution.payoffs,
        solution.regrets,
    )
    assert read.certificate == solution.certificate
    if kind != JOINT:
        assert _strategy(read) == _strategy(solution)
    if solution.safety is not None:
        assert read.safety is not None
        assert read.safety.record == solution.safety.record


def _infeasible(solution: Solution, tmp_path: Path) -> Iterator[tuple[str, str]]:
    for operation in ("draw", "beliefs", "plays", "on_tree"):
        with pytest.raises(InfosetError) as refusal:
            OPERATIONS[operation](solution, tmp_path)
        yield operation, str(refusal.value)


def test_a_tree_that_is_too_large_is_said_in_one_line(tmp_path: Path) -> None:
    """Rhode Island hold'em has billions of nodes; its public form with few ranks is small."""
    game = rhode_island(ranks=5, suits=3)
    solution = solve(game.public(), "cfr+", iterations=2)
    assert "96,340 information sets" in str(solution.table("one"))  # which needs no tree
    object.__setattr__(solution.evaluation, "game", rhode_island())
    for operation, message in _infeasible(solution, tmp_path):
        assert "\n" not in message, operation
        assert "need no tree" in message, operation


def test_imperfect_recall_keeps_its_notions() -> None:
    solution = solve(absent_minded(), "behaviour")
    assert solution.behavioural
    assert solution.exploitability == solution.regret


def test_the_page_prints_the_matrix() -> None:
    assert rendered() in MATRIX.read_text("utf-8"), rendered()


@pytest.mark.parametrize("kind", NEEDS_TREE)
def test_only_what_is_said_to_needs_the_tree(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    solution = KINDS[kind]()

    def refuse(self: Evaluation) -> Any:
        raise NotApplicable("no tree today")

    monkeypatch.setattr(Evaluation, "feasible_tree", refuse)
    for name, run in OPERATIONS.items():
        if cell(kind, name) == "yes":
            assert run(solution, tmp_path) is not None or name == "value", name
        else:
            with pytest.raises(NotApplicable, match="no tree today"):
                run(solution, tmp_path)


def test_beliefs_where_nothing_is_known() -> None:
    asked = analysis.beliefs(solve(matching_pennies(), "lp"), "odd: nothing yet")
    assert asked.table.column("probability") == [Fraction(1, 2)] * 2
